/* session_body.c - what a state file holds besides its public head. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "lines.h"

/* The sums of open buckets: two words each. */
static void
put_sums(const struct dp_run *r, struct dp_buf *b)
{
	dp_wide s;
	size_t i;

	dp_buf_puts(b, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		s = r->ring.sums[i];
		dp_line_put_bytes(b, &s, sizeof s);
	}
	dp_buf_puts(b, "\n");
}

static void
put_table(const struct dp_users *u, struct dp_buf *b)
{
	uint64_t hi;
	uint32_t lo, n;
	size_t i = 0;
	char line[48], *p;

	dp_session_put(b, "users", u != NULL ? dp_users_count(u) : 0);
	while (u != NULL && dp_users_each(u, &i, &hi, &lo, &n)) {
		p = dp_line_put_hex(line, hi, 16);
		*p++ = ' ';
		p = dp_line_put_hex(p, lo, 8);
		*p++ = ' ';
		p = dp_decimal_put(p, n, 0);
		*p++ = '\n';
		dp_buf_add(b, line, (size_t)(p - line));
	}
}

static void
put_users(struct dp_run *r, struct dp_buf *b)
{
	size_t i;

	dp_line_put(b, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_session_users_beside(r)) {
		dp_session_put(b, "users-beside", dp_users_count(r->cap.users));
		return;
	}
	for (i = 0; i < dp_cap_tables(r); i++)
		put_table(*dp_cap_table(r, i), b);
}

/* True: identifiers are told by a keyed hash. */
static bool
hashes(const struct dp_run *r)
{
	return r->tool->shape == DP_SHAPE_ID && r->o->keys.n == 0;
}

void
dp_body_put(struct dp_run *r, struct dp_buf *b)
{
	const struct dp_mech *m = r->plan.mech;
	const struct dp_options *o = r->o;
	/* a header that a signal makes us commit, before any step of a range, begins no range */
	const bool early = o->time.steps == DP_BY_RANGE && r->ring.closed == 0;
	const bool begun = early ? r->ring.before_open : r->ring.open;
	const int64_t next = early ? r->ring.before : r->ring.next;
	int64_t east;
	crypto_generichash_state h;
	uint64_t w[4];
	uint8_t digest[32];
	size_t c;

	dp_buf_reset(b);
	dp_session_put(b, "step", r->t);
	dp_session_put(b, "since", r->kept.since);
	dp_session_put(b, "begun", begun);
	dp_line_put(b, "next", &next, 8);
	if (o->time.tz != NULL) {
		east = dp_zone_east(&o->time.zone, next);
		dp_line_put(b, "east", &east, 8);
	}
	dp_session_put(b, "done", r->kept.done);
	dp_session_put(b, "headed", r->print.headed);
	dp_session_put(b, "answered", r->answer.out);
	dp_session_put(b, "halted", r->halted);
	/* pan-private: a count of lines, or a hash to check a guess by, would be unprotected */
	if (!o->priv.pan) {
		dp_session_put(b, "records", r->kept.records);
		memset(digest, 0, sizeof digest);
		if (r->kept.hash != NULL) {
			memcpy(&h, r->kept.hash, sizeof h);
			crypto_generichash_final(&h, digest, sizeof digest);
		}
		dp_line_put(b, "input", digest, sizeof digest);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			put_sums(r, b);
	}
	for (c = 0; c < r->col.n; c++)
		dp_line_put(b, "column", r->col.p + c * m->column, m->column - m->beside);
	dp_line_put(b, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		dp_rng_pcg_save(r->col.rng, w);
		dp_line_put(b, "generator", w, sizeof w);
	}
	if (hashes(r))
		dp_line_put(b, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->roll != NULL)
		dp_session_roll_put(r, b);
	if (r->cap.most != 0)
		put_users(r, b);
}

/* Reading: each line must be the one expected. */

static void
get_sums(struct dp_run *r, struct dp_lines *l)
{
	struct dp_slice line = dp_line_next(l, "sums");
	dp_wide s;
	size_t i;

	if (line.n != r->ring.n * r->col.width * 34)
		dp_line_damaged(l, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		dp_line_bytes(l, "sums", line.p + 34 * i, &s, sizeof s);
		r->ring.sums[i] = dp_run_sum(s);
	}
}

static void
get_table(struct dp_run *r, struct dp_lines *l, struct dp_users **u)
{
	uint64_t n, hi, lo, count;
	struct dp_slice s;

	dp_users_free(*u);
	if (dp_users_new(u, r->cap.key, r->cap.most) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (n = dp_line_number(l, "users"); n > 0; n--) {
		char text[16];

		s = dp_line_next(l, "");
		if (s.n < 27 || s.n > 36 || !dp_line_hex(s.p, 16, &hi) ||
		    !dp_line_hex(s.p + 17, 8, &lo))
			dp_line_damaged(l, "users");
		snprintf(text, sizeof text, "%.*s", (int)s.n - 26, s.p + 26);
		if (dp_u64_parse(&count, text, 1, r->cap.most) != 0 ||
		    dp_users_put(*u, hi, (uint32_t)lo, (uint32_t)count) != 0)
			dp_line_damaged(l, "users");
	}
}

/*
 * A later version of the tz database may have changed what clocks show at the border between what
 * is released and what is to come: an event whose time is local could be on either side, and count
 * twice.
 */
static void
same_zone(const struct dp_run *r, struct dp_lines *l)
{
	int64_t east;

	dp_line_words(l, "east", &east, 8);
	if (east != dp_zone_east(&r->o->time.zone, r->ring.next))
		dp_die(DP_EX_STATE, "%s: the tz database has other rules for %s now, and an event "
		    "could count twice; start another state file", r->o->keep.state, r->o->time.tz);
}

static void
get_users(struct dp_run *r, struct dp_lines *l)
{
	size_t i;

	dp_line_words(l, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_state_table(r->kept.state) != 0) {
		dp_users_free(r->cap.users);
		r->cap.users = NULL;
		if (dp_cap_tables(r) != 1 || dp_cap_table(r, 0) != &r->cap.users)
			dp_line_damaged(l, "users");
		if (dp_users_new(&r->cap.users, r->cap.key, r->cap.most) != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
		if (!dp_session_users_load(r, dp_line_number(l, "users-beside")))
			dp_line_damaged(l, "users-beside");
		return;
	}
	for (i = 0; i < dp_cap_tables(r); i++)
		get_table(r, l, dp_cap_table(r, i));
}

void
dp_body_get(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	const struct dp_options *o = r->o;
	struct dp_slice body = dp_state_form(r->kept.state)->body;
	struct dp_lines l = { r, body.p, body.p + body.n };
	uint64_t w[4];
	size_t c;

	r->t = dp_line_number(&l, "step");
	if (o->horizon != 0 && r->t > o->horizon)
		dp_line_damaged(&l, "step");
	r->kept.since = dp_line_number(&l, "since");
	r->ring.open = dp_line_number(&l, "begun") != 0;
	dp_line_words(&l, "next", &r->ring.next, 8);
	if (o->time.tz != NULL)
		same_zone(r, &l);
	r->kept.done = dp_line_number(&l, "done") != 0;
	r->print.headed = dp_line_number(&l, "headed") != 0 && !r->kept.reprint;
	r->answer.out = dp_line_number(&l, "answered") != 0;
	r->halted = dp_line_number(&l, "halted") != 0;
	if (!o->priv.pan) {
		r->kept.skip = dp_line_number(&l, "records");
		dp_line_words(&l, "input", r->kept.want_hash, sizeof r->kept.want_hash);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			get_sums(r, &l);
	}
	for (c = 0; c < r->col.n; c++) {
		dp_line_words(&l, "column", r->col.p + c * m->column, m->column - m->beside);
		if (m->ops->valid != NULL && !m->ops->valid(m, r->col.p + c * m->column, r->t))
			dp_line_damaged(&l, "column");
	}
	dp_line_words(&l, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		dp_line_words(&l, "generator", w, sizeof w);
		dp_rng_pcg_load(r->col.rng, w);
	}
	if (hashes(r))
		dp_line_words(&l, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->roll != NULL)
		dp_session_roll_get(r, &l);
	if (r->cap.most != 0)
		get_users(r, &l);
	if (l.p != l.end)
		dp_line_damaged(&l, "end");
}
