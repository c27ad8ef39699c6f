/* session_head.c - the parameters that define the guarantee, as a state file's head. */
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "session.h"

const char *const dp_head_steps[4] = { "lines", "range", "clock", "times" };

/* Keys may hold any byte: %XX for what is not plain. */
void
dp_head_escaped(struct dp_buf *b, const char *s)
{
	char hex[4];

	for (; *s != '\0'; s++) {
		if (*s > ' ' && *s <= '~' && *s != '%' && *s != ',' && *s != '@' && *s != '-') {
			dp_buf_add(b, s, 1);
			continue;
		}
		snprintf(hex, sizeof hex, "%%%02x", (unsigned)(unsigned char)*s);
		dp_buf_add(b, hex, 3);
	}
}

static void
put_line(struct dp_buf *b, const char *key, const char *value)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_puts(b, value);
	dp_buf_puts(b, "\n");
}

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
dp_head_user(struct dp_buf *b, const struct dp_field *f)
{
	dp_buf_puts(b, "user ");
	if (f->number == 0)
		dp_buf_puts(b, "-");
	else if (f->name == NULL)
		dp_buf_u64(b, f->number);
	else
		dp_head_escaped(b, f->name);
	dp_buf_puts(b, "\n");
}

/* The tool's own options, as given: "own-NAME TEXT", - for none; of a file also "file-NAME HASH". */
void
dp_head_own(struct dp_buf *b, const struct dp_own *own, const struct dp_own_value *v)
{
	dp_buf_puts(b, "own-");
	dp_buf_puts(b, own->name);
	dp_buf_puts(b, " ");
	if (v->text == NULL)
		dp_buf_puts(b, "-");
	else if (own->kind == DP_KIND_FLAG)
		dp_buf_puts(b, "1");
	else
		dp_head_escaped(b, v->text);
	dp_buf_puts(b, "\n");
	if (own->kind != DP_KIND_FILE)
		return;
	dp_buf_puts(b, "file-");
	put_line(b, own->name, v->text == NULL ? "-" : v->hash);
}

/*
 * What the plan came to, in hex: noise scales, memory.  It is computed anew in every run, with
 * doubles where that is harmless; memory drawn under one plan must never be continued under another.
 * The words are hashed as they lie in memory, as columns are saved: a machine of the other byte order
 * comes to another plan and refuses the file, which it would misread.
 */
void
dp_head_plan(const struct dp_run *r, char hex[static 33])
{
	const struct dp_mech *m = r->plan.mech;
	static struct dp_law law;
	crypto_generichash_state h;
	unsigned char digest[16];
	uint64_t word[4] = { m->column, m->outputs, m->decimals, 0 }, t;
	unsigned i;

	crypto_generichash_init(&h, NULL, 0, sizeof digest);
	crypto_generichash_update(&h, (unsigned char *)word, sizeof word);
	/* every noise that is in some estimate: steps 1, 2, 4, .. meet all trees and segments */
	for (t = 1; m->ops->law != NULL && t >> 40 == 0 && (r->o->horizon == 0 || t <= r->o->horizon); t *= 2) {
		dp_mech_law(m, 0, t, &law);
		for (i = 0; i < law.terms; i++) {
			if (i > 0 && law.term[i].noise == law.term[i - 1].noise)
				continue;
			word[0] = (uint64_t)law.term[i].noise->kind;
			word[1] = law.term[i].noise->param.num;
			word[2] = law.term[i].noise->param.den;
			word[3] = t;
			crypto_generichash_update(&h, (unsigned char *)word, sizeof word);
		}
	}
	crypto_generichash_final(&h, digest, sizeof digest);
	sodium_bin2hex(hex, 33, digest, sizeof digest);
}

void
dp_session_head(const struct dp_run *r, struct dp_buf *b)
{
	const struct dp_options *o = r->o;
	char range[128], plan[33], *p;
	size_t i;

	put_line(b, "tool", r->tool->name);
	put_line(b, "version", DP_VERSION);
	put_line(b, "mechanism", r->plan.ops->name);
	put_q(b, "epsilon", o->epsilon);
	put_q(b, "delta", o->delta);
	dp_session_put(b, "horizon", o->horizon);
	p = dp_decimal_put(range, o->lo, o->places);
	*p++ = ':';
	p = dp_decimal_put(p, o->hi, o->places);
	*p = '\0';
	put_line(b, "range", range);
	put_line(b, "steps", dp_head_steps[o->steps]);
	dp_session_put(b, "bucket", o->bucket);
	dp_session_put(b, "lateness", o->lateness);
	dp_session_put(b, "per-user", o->per_user);
	dp_head_user(b, &o->user);
	dp_session_put(b, "pan-private", o->pan);
	dp_session_put(b, "seeded", o->has_seed);
	dp_session_put(b, "seed", o->seed);
	dp_buf_puts(b, "keys ");
	for (i = 0; i < o->nkeys; i++) {
		if (i > 0)
			dp_buf_puts(b, ",");
		dp_head_escaped(b, o->keys[i]);
	}
	dp_buf_puts(b, o->nkeys == 0 ? "-\n" : "\n");
	for (i = 0; r->tool->own != NULL && r->tool->own[i].name != NULL; i++)
		dp_head_own(b, &r->tool->own[i], &o->own[i]);
	dp_head_plan(r, plan);
	put_line(b, "plan", plan);
}
