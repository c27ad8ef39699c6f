/* session_adopt.c - a later run's options against the head of its state file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mech/decimals.h"
#include "ask/options_table.h"
#include "head.h"

_Noreturn void
dp_head_differs(const struct dp_options *o, const char *option, struct dp_slice kept)
{
	dp_die(DP_EX_STATE, "%s: %s differs from the state file's, which is %.*s; "
	    "leave the option out, or start another state file", o->keep.state, option, (int)kept.n,
	    kept.p);
}

static void
same_number(const struct dp_options *o, const char *head, const char *key, const char *option,
    bool given, uint64_t *value)
{
	uint64_t kept = dp_head_number(o, head, key);

	if (given && *value != kept)
		dp_head_differs(o, option, dp_head_value(o, head, key));
	*value = kept;
}

static void
same_q(const struct dp_options *o, const char *head, const char *key, const char *option,
    bool given, struct dp_q *value)
{
	struct dp_q kept = dp_head_q(o, head, key);

	if (given && dp_q_cmp(*value, kept) != 0)
		dp_head_differs(o, option, dp_head_value(o, head, key));
	*value = kept;
}

static void
same_flag(const struct dp_options *o, const char *head, const char *key, const char *option,
    bool *value)
{
	uint64_t kept = dp_head_number(o, head, key);

	if (*value && kept == 0)
		dp_head_differs(o, option, (struct dp_slice){ "without it", 10 });
	*value = kept != 0;
}

static void
same_range(struct dp_options *o, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "range");
	struct dp_options kept = { .horizon = 0 };
	char text[128];

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (!dp_options_range(&kept, text))
		dp_head_damaged(o, "range");
	if (o->range.has_range && (kept.range.lo != o->range.lo ||
	    kept.range.hi != o->range.hi || kept.range.places != o->range.places ||
	    kept.range.magnitudes != o->range.magnitudes))
		dp_head_differs(o, "--range", s);
	o->range.lo = kept.range.lo;
	o->range.hi = kept.range.hi;
	o->range.places = kept.range.places;
	o->range.magnitudes = kept.range.magnitudes;
}

static void
same_bucket(struct dp_options *o, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "bucket");
	struct dp_span kept;
	char text[DP_SPAN_TEXT];

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (dp_span_get(&kept, text) != 0)
		dp_head_damaged(o, "bucket");
	if (o->time.bucket != 0 && (kept.unit != o->time.span.unit || kept.n != o->time.span.n))
		dp_head_differs(o, "--bucket", s);
	o->time.span = kept;
	o->time.bucket = dp_span_mean(&kept);
}

static void
have(const struct dp_buf *b)
{
	if (b->error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static void
same_keys(struct dp_options *o, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "keys");
	struct dp_buf b = { .n = 0 };
	char *text;
	size_t i;

	dp_head_keys(&b, o);
	have(&b);
	if (o->keys.n > 0 && (b.n != s.n || memcmp(b.p, s.p, s.n) != 0))
		dp_head_differs(o, "--keys", s);
	dp_buf_free(&b);
	if (o->keys.n > 0 || (s.n == 1 && *s.p == '-'))
		return;
	if ((text = strndup(s.p, s.n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_options_keys_plain(o, text);
	free(text);
	for (i = 0; i < o->keys.n; i++)
		dp_head_unescape(o, "keys", o->keys.name[i]);
}

static void
same_user(struct dp_options *o, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "user");
	struct dp_buf b = { .n = 0 };
	uint64_t number = 1;
	char *kept;

	dp_head_user(&b, &o->users.field);
	have(&b);
	if (o->users.field.number != 0 && (b.n != s.n + 6 || memcmp(b.p + 5, s.p, s.n) != 0))
		dp_head_differs(o, "--user", s);
	dp_buf_free(&b);
	if (o->users.field.number != 0 || (s.n == 1 && *s.p == '-'))
		return;
	kept = dp_head_text(o, "user", s);
	o->users.field.name = kept[strspn(kept, "0123456789")] == '\0' ? NULL : kept;
	if ((o->users.field.name == NULL && !dp_head_digits(s, &number)) || number == 0 ||
	    number > DP_FIELDS_MAX)
		dp_head_damaged(o, "user");
	o->users.field.number = (unsigned)number;
}

/* A file is told by what it holds (same_files), not by its name; a number by its value. */
static bool
same_text(const struct dp_own *own, const struct dp_own_value *v, const char *kept)
{
	struct dp_q q;

	switch (own->kind) {
	case DP_KIND_FILE:
	case DP_KIND_FLAG:
		return true;
	case DP_KIND_NUMBER:
		return dp_q_parse(&q, kept) == 0 && dp_q_cmp(q, v->number) == 0;
	case DP_KIND_TEXT:
		break;
	}
	return strcmp(v->text, kept) == 0;
}

static void
same_file(const struct dp_options *o, const char *head, const struct dp_own *own,
    const struct dp_own_value *v)
{
	const char *mine = v->text == NULL ? "-" : v->hash;
	struct dp_slice s;
	char key[64];

	snprintf(key, sizeof key, "file-%s", own->name);
	s = dp_head_value(o, head, key);
	if (s.n != strlen(mine) || memcmp(s.p, mine, s.n) != 0)
		dp_die(DP_EX_STATE, "%s: the %s file is not the one the state file was "
		    "started with", o->keep.state, own->name);
}

/* Texts are compared: --half-life=7 and 7.0 are different options to us. */
static void
same_own(struct dp_options *o, const struct dp_tool *tool, const char *head)
{
	const struct dp_own *own;
	struct dp_slice s;
	char key[64], *kept;
	size_t i;
	bool none;

	for (i = 0; tool->own != NULL && (own = &tool->own[i])->name != NULL; i++) {
		snprintf(key, sizeof key, "own-%s", own->name);
		if (!dp_head_find(head, key, &s))
			s = own->older != NULL ? (struct dp_slice){ own->older,
			    strlen(own->older) } : dp_head_value(o, head, key);
		none = s.n == 1 && *s.p == '-';
		kept = dp_head_text(o, key, s);
		if (o->own[i].text == NULL && !none)
			dp_options_set(o, tool, own->letter ? own->letter : OPT_OWN + (int)i, kept);
		if (own->kind == DP_KIND_FILE && (o->own[i].text == NULL || !none))
			same_file(o, head, own, &o->own[i]);
		if (o->own[i].text == NULL || (!none && same_text(own, &o->own[i], kept)))
			continue;
		if (none)
			dp_die(DP_EX_STATE, "%s: --%s was not given when the state file was "
			    "started; leave it out, or start another state file", o->keep.state,
			    own->name);
		snprintf(key, sizeof key, "--%s", own->name);
		dp_head_differs(o, key, (struct dp_slice){ kept, strlen(kept) });
	}
}

static void
same_steps(struct dp_options *o, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "steps"), once;
	const bool ranges = !dp_head_find(head, "set-once", &once);
	int i;

	for (i = 0; i < 4; i++)
		if (strlen(dp_head_steps[i]) == s.n && memcmp(dp_head_steps[i], s.p, s.n) == 0)
			break;
	if (i == 4 || (i == DP_BY_RANGE && ranges && o->time.steps != DP_BY_RANGE && !o->keep.init))
		dp_die(i == 4 ? DP_EX_STATE : DP_EX_USAGE, i == 4 ?
		    "%s: the state file's steps are '%.*s', which are unknown here" :
		    "%s: this state file goes on with --next, or with --from and --to (its steps "
		    "are a %.*s)",
		    o->keep.state, (int)s.n, s.p);
	if (o->time.steps != DP_BY_LINE && o->time.steps != (enum dp_steps)i)
		dp_head_differs(o, "which buckets exist", s);
	o->time.steps = (enum dp_steps)i;
}

static void
same_format(const struct dp_options *o, const char *head)
{
	struct dp_slice version = dp_head_value(o, head, "version"), s = { "1", 1 };

	if (dp_head_find(head, "format", &s) && dp_head_number(o, head, "format") == DP_HEAD_FORMAT)
		return;
	dp_die(DP_EX_STATE, "%s: the state file has format %.*s (of version %.*s), and this is %d",
	    o->keep.state, (int)s.n, s.p, (int)version.n, version.p, DP_HEAD_FORMAT);
}

/* True: kept is L1 L2^2 COLUMNS, each no less than now. */
static bool
charged_more(struct dp_slice kept, const struct dp_privacy *now)
{
	unsigned long long l1, l2squared;
	unsigned columns;
	char text[80], more;

	snprintf(text, sizeof text, "%.*s", (int)(kept.n < sizeof text ? kept.n : 0), kept.p);
	return sscanf(text, "%llu %llu %u%c", &l1, &l2squared, &columns, &more) == 3 &&
	    l1 >= now->l1 && l2squared >= now->l2squared && columns >= now->columns && !now->wide;
}

void
dp_session_moves(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_buf b = { .n = 0 };
	struct dp_slice s;

	if (o->keep.state == NULL || o->keep.init)
		return;
	s = dp_head_value(o, dp_state_form(r->kept.state)->head.p, "moves");
	dp_head_moves(&b, &r->setting.privacy);
	have(&b);
	if (b.n == s.n + 7 && memcmp(b.p + 6, s.p, s.n) == 0) {
		dp_buf_free(&b);
		return;
	}
	if (!o->keep.change && charged_more(s, &r->setting.privacy))
		dp_die(DP_EX_STATE, "%s: an earlier version charged more for these options: "
		    "start another state file", o->keep.state);
	dp_die(DP_EX_STATE, "%s: with these options one event counts for another amount than "
	    "the state file's noise was planned for", o->keep.state);
}

/* Words in hex, no more than 16 digits each. */
static void
adopt_params(struct dp_run *r, const char *head)
{
	struct dp_slice s = dp_head_value(r->o, head, "params");
	const char *p = s.p, *end = s.p + s.n, *gap;
	uint64_t w;

	for (; p < end; p = gap + 1) {
		if ((gap = memchr(p, ' ', (size_t)(end - p))) == NULL)
			gap = end;
		if (gap == p || gap - p > 16 || !dp_head_hex(p, (size_t)(gap - p), &w))
			dp_head_damaged(r->o, "params");
		dp_params_add(&r->params, w);
	}
	r->params.replay = true;
}

/* The charge that paid for the state: "ID N". */
static void
adopt_receipt(struct dp_run *r, const char *head)
{
	struct dp_slice s;

	if (!dp_head_find(head, "budget", &s))
		return;
	if (s.n < DP_BUDGET_ID + 2 || s.p[DP_BUDGET_ID] != ' ' || !dp_head_digits((struct dp_slice){
	    s.p + DP_BUDGET_ID + 1, s.n - DP_BUDGET_ID - 1 }, &r->kept.receipt.n))
		dp_head_damaged(r->o, "budget");
	memcpy(r->kept.receipt.id, s.p, DP_BUDGET_ID);
	r->kept.receipt.id[DP_BUDGET_ID] = '\0';
}

void
dp_head_tool(const struct dp_options *o, const struct dp_tool *tool, const char *head)
{
	struct dp_slice s = dp_head_value(o, head, "tool");

	if (s.n != strlen(tool->name) || memcmp(s.p, tool->name, s.n) != 0)
		dp_die(DP_EX_STATE, "%s: the state file belongs to %.*s", o->keep.state, (int)s.n,
		    s.p);
}

void
dp_head_show(struct dp_run *r, const char *head)
{
	struct dp_options *o = r->o;
	struct dp_slice s;

	if (!dp_head_find(head, "horizon", &s) || !dp_head_find(head, "bucket", &s))
		return;
	o->horizon = dp_head_number(o, head, "horizon");
	o->time.bucket = 0;
	same_bucket(o, head);
	o->time.once = dp_head_find(head, "set-once", &s);
	if (dp_head_find(head, "set-tz", &s))
		o->time.tz = dp_head_text(o, "set-tz", s);
	dp_options_times(o);
}

/* Every parameter of the head: equal to the option if that was given, taken over if not. */
void
dp_head_adopt(struct dp_run *r, const char *head)
{
	struct dp_options *o = r->o;
	struct dp_slice s;
	uint64_t decimals;
	char *mechanism;
	bool seeded;

	dp_head_tool(o, r->tool, head);
	same_format(o, head);
	if (o->priv.exact)
		dp_die(DP_EX_USAGE, "--epsilon=inf: refused with --state");
	same_q(o, head, "epsilon", "--epsilon", o->priv.has_epsilon, &o->priv.epsilon);
	o->priv.has_epsilon = true;
	same_q(o, head, "delta", "--delta", o->given['d'], &o->priv.delta);
	same_number(o, head, "horizon", "--horizon", o->given['T'], &o->horizon);
	same_bucket(o, head);
	same_number(o, head, "lateness", "--live", o->time.steps == DP_BY_CLOCK, &o->time.lateness);
	dp_head_allowance(o, head);
	same_user(o, head);
	same_flag(o, head, "pan-private", "--pan-private", &o->priv.pan);
	seeded = o->priv.has_seed;
	same_flag(o, head, "seeded", "--seed", &o->priv.has_seed);
	same_number(o, head, "seed", "--seed", seeded, &o->priv.seed);
	adopt_receipt(r, head);
	same_range(o, head);
	same_keys(o, head);
	same_steps(o, head);
	same_own(o, r->tool, head);
	dp_head_kept(r, head);
	s = dp_head_value(o, head, "mechanism");
	mechanism = dp_head_text(o, "mechanism", s);
	if (strcmp(o->priv.mechanism, "auto") != 0 && strcmp(o->priv.mechanism, mechanism) != 0)
		dp_head_differs(o, "--mechanism", s);
	o->priv.mechanism = mechanism;
	adopt_params(r, head);
	if ((decimals = dp_head_number(o, head, "decimals")) > DP_SCALED_DECIMALS)
		dp_head_damaged(o, "decimals");
	r->print.decimals = (unsigned)decimals;
}
