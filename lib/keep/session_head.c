/* session_head.c - the parameters that define the guarantee, as a state file's head. */
#include <stdio.h>
#include <string.h>

#include "ask/options_table.h"
#include "head.h"

const char *const dp_head_steps[4] = { "lines", "range", "clock", "times" };

static void
put_q(struct dp_buf *b, const char *key, struct dp_q q)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, q.num);
	dp_buf_puts(b, "/");
	dp_buf_u64(b, q.den);
	dp_buf_puts(b, "\n");
}

void
dp_session_put(struct dp_buf *b, const char *key, uint64_t n)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, n);
	dp_buf_puts(b, "\n");
}

/* The field that says whose an event is: it decides who the neighbours are. */
void
dp_head_keys(struct dp_buf *b, const struct dp_options *o)
{
	size_t i;

	for (i = 0; i < o->keys.n; i++) {
		if (i > 0)
			dp_buf_puts(b, ",");
		if (*o->keys.name[i] == '\0')
			dp_buf_puts(b, "\"\"");
		else if (strcmp(o->keys.name[i], "\"\"") == 0)
			dp_buf_puts(b, "%22%22");
		else
			dp_buf_escaped(b, o->keys.name[i]);
	}
}

void
dp_head_user(struct dp_buf *b, const struct dp_field *f)
{
	dp_buf_puts(b, "user ");
	if (f->number == 0)
		dp_buf_puts(b, "-");
	else if (f->name == NULL)
		dp_buf_u64(b, f->number);
	else
		dp_buf_escaped(b, f->name);
	dp_buf_puts(b, "\n");
}

/* Own options of the tool, as given: "own-NAME TEXT", - for none; a file: also "file-NAME HASH". */
static void
put_own(struct dp_buf *b, const struct dp_own *own, const struct dp_own_value *v)
{
	dp_buf_puts(b, "own-");
	dp_buf_puts(b, own->name);
	dp_buf_puts(b, " ");
	if (v->text == NULL)
		dp_buf_puts(b, "-");
	else if (own->kind == DP_KIND_FLAG)
		dp_buf_puts(b, "1");
	else
		dp_buf_escaped(b, v->text);
	dp_buf_puts(b, "\n");
	if (own->kind != DP_KIND_FILE)
		return;
	dp_buf_puts(b, "file-");
	dp_buf_line(b, own->name, v->text == NULL ? "-" : v->hash);
}

/* Options of input and output as given: "set-NAME TEXT", - for none. */
static void
put_kept(const struct dp_run *r, struct dp_buf *b)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++) {
		if (row->name == NULL || !row->keep || !r->o->given[row->c])
			continue;
		dp_buf_puts(b, "set-");
		dp_buf_puts(b, row->name);
		dp_buf_puts(b, " ");
		if (*r->o->text[row->c] == '\0')
			dp_buf_puts(b, "-");
		dp_buf_escaped(b, r->o->text[row->c]);
		dp_buf_puts(b, "\n");
	}
}

/*
 * Largest move of the steps' values by one protected unit, which the noise was planned for.
 * Whatever options change, a later run must find it unchanged.
 */
void
dp_head_moves(struct dp_buf *b, const struct dp_privacy *p)
{
	dp_buf_puts(b, "moves ");
	dp_buf_u64(b, p->l1);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, p->l2squared);
	dp_buf_puts(b, p->wide ? "+ " : " ");
	dp_buf_u64(b, p->columns);
	dp_buf_puts(b, "\n");
}

/* The numbers of the plan, in hex. */
static void
put_params(struct dp_buf *b, const struct dp_params *p)
{
	char word[20];
	size_t i;

	dp_buf_puts(b, "params");
	for (i = 0; i < p->n; i++) {
		snprintf(word, sizeof word, " %llx", (unsigned long long)p->word[i]);
		dp_buf_puts(b, word);
	}
	dp_buf_puts(b, "\n");
}

void
dp_session_head(const struct dp_run *r, struct dp_buf *b)
{
	const struct dp_options *o = r->o;
	char range[DP_RANGE_TEXT], bucket[DP_SPAN_TEXT];
	size_t i;

	dp_buf_line(b, "tool", r->tool->name);
	dp_session_put(b, "format", DP_HEAD_FORMAT);
	dp_buf_line(b, "version", DP_VERSION);
	dp_buf_line(b, "mechanism", r->plan.ops->name);
	put_q(b, "epsilon", o->priv.epsilon);
	put_q(b, "delta", o->priv.delta);
	dp_session_put(b, "horizon", o->horizon);
	dp_options_range_put(o, range);
	dp_buf_line(b, "range", range);
	dp_buf_line(b, "steps", dp_head_steps[o->time.steps]);
	dp_span_put(bucket, &o->time.span);
	dp_buf_line(b, "bucket", bucket);
	dp_session_put(b, "lateness", o->time.lateness);
	dp_session_put(b, "per-user", o->users.most);
	if (o->users.per_step)	/* per-user is of each step */
		dp_session_put(b, "per-step", 1);
	if (o->users.spacing != 0)	/* events of per-user are so many steps apart */
		dp_session_put(b, "spacing", o->users.spacing);
	dp_head_user(b, &o->users.field);
	dp_session_put(b, "pan-private", o->priv.pan);
	if (r->kept.receipt.n != 0) {
		dp_buf_puts(b, "budget ");
		dp_buf_puts(b, r->kept.receipt.id);
		dp_session_put(b, "", r->kept.receipt.n);
	}
	dp_session_put(b, "seeded", o->priv.has_seed);
	dp_session_put(b, "seed", o->priv.seed);
	dp_buf_puts(b, "keys ");
	if (!o->keys.own)
		dp_head_keys(b, o);
	dp_buf_puts(b, o->keys.n == 0 || o->keys.own ? "-\n" : "\n");
	for (i = 0; r->tool->own != NULL && r->tool->own[i].name != NULL; i++)
		put_own(b, &r->tool->own[i], &o->own[i]);
	put_kept(r, b);
	if (o->time.field.number != 0 && !o->time.old && strcmp(o->time.format, "epoch") != 0)
		dp_session_put(b, "times", DP_HEAD_TIMES);
	if (!o->form.old && dp_options_compares(o))
		dp_session_put(b, "conditions", DP_HEAD_CONDITIONS);
	if (o->users.several.n != 0)
		dp_session_put(b, "several-users", DP_HEAD_SEVERAL);
	if (o->form.several.n != 0)
		dp_session_put(b, "several-values", DP_HEAD_SEVERAL);
	dp_head_moves(b, &r->setting.privacy);
	dp_session_put(b, "decimals", r->print.decimals);
	put_params(b, &r->params);
}
