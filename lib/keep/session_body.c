/* session_body.c - what a state file holds besides its public head. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "head.h"

/* The last `digits` of w, and the end of them: a commit writes millions. */
static char *
put_hex(char *p, uint64_t w, int digits)
{
	int i;

	for (i = digits; i-- > 0; w >>= 4)
		p[i] = "0123456789abcdef"[w & 15];
	return p + digits;
}

/* Bytes as fixed-width hex words: the length of a state file tells nothing. */
static void
put_bytes(struct dp_buf *b, const void *p, size_t n)
{
	const unsigned char *q = p;
	char hex[64 * 17], *at = hex;
	uint64_t w;

	for (; n >= 8; n -= 8, q += 8) {
		memcpy(&w, q, 8);
		*at++ = ' ';
		at = put_hex(at, w, 16);
		if (at == hex + sizeof hex || n < 16) {
			dp_buf_add(b, hex, (size_t)(at - hex));
			at = hex;
		}
	}
	sodium_memzero(hex, sizeof hex);
}

static void
put_words(struct dp_buf *b, const char *key, const void *p, size_t n)
{
	dp_buf_puts(b, key);
	put_bytes(b, p, n);
	dp_buf_puts(b, "\n");
}

/* The sums of open buckets: two words each. */
static void
put_sums(const struct dp_run *r, struct dp_buf *b)
{
	dp_wide s;
	size_t i;

	dp_buf_puts(b, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		s = r->ring.sums[i];
		put_bytes(b, &s, sizeof s);
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
		p = put_hex(line, hi, 16);
		*p++ = ' ';
		p = put_hex(p, lo, 8);
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

	put_words(b, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_session_users_beside(r)) {
		dp_session_put(b, "users-beside", dp_users_count(r->cap.users));
		return;
	}
	for (i = 0; i < dp_cap_tables(r); i++)
		put_table(*dp_cap_table(r, i), b);
}

/* Whether identifiers are told by a keyed hash. */
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
	put_words(b, "next", &next, 8);
	if (o->time.tz != NULL) {
		east = dp_zone_east(&o->time.zone, next);
		put_words(b, "east", &east, 8);
	}
	dp_session_put(b, "done", r->kept.done);
	dp_session_put(b, "headed", r->print.headed);
	dp_session_put(b, "answered", r->answered);
	dp_session_put(b, "halted", r->halted);
	/* pan-private: a count of lines, or a hash to check a guess by, would be unprotected */
	if (!o->priv.pan) {
		dp_session_put(b, "records", r->kept.records);
		memset(digest, 0, sizeof digest);
		if (r->kept.hash != NULL) {
			memcpy(&h, r->kept.hash, sizeof h);
			crypto_generichash_final(&h, digest, sizeof digest);
		}
		put_words(b, "input", digest, sizeof digest);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			put_sums(r, b);
	}
	for (c = 0; c < r->col.n; c++)
		put_words(b, "column", r->col.p + c * m->column, m->column - m->beside);
	put_words(b, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		dp_rng_pcg_save(r->col.rng, w);
		put_words(b, "generator", w, sizeof w);
	}
	if (hashes(r))
		put_words(b, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->cap.most != 0)
		put_users(r, b);
}

/* Reading: each line must be the one expected. */

struct lines {
	const struct dp_run *r;
	const char *p, *end;
};

static _Noreturn void
damaged(const struct lines *l, const char *key)
{
	dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", l->r->o->keep.state, key);
}

static struct dp_slice
next_line(struct lines *l, const char *key)
{
	size_t n = strlen(key), left = (size_t)(l->end - l->p);
	const char *p = l->p, *nl = memchr(p, '\n', left);

	if (nl == NULL)
		damaged(l, key);
	left = (size_t)(nl - p);
	if (left < n || memcmp(p, key, n) != 0)
		damaged(l, key);
	l->p = nl + 1;
	return (struct dp_slice){ p + n, left - n };
}

static uint64_t
get_number(struct lines *l, const char *key)
{
	struct dp_slice s = next_line(l, key);
	char text[32];
	uint64_t n;

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (text[0] != ' ' || dp_u64_parse(&n, text + 1, 0, UINT64_MAX) != 0)
		damaged(l, key);
	return n;
}

static void
get_bytes(struct lines *l, const char *key, const char *p, void *out, size_t n)
{
	unsigned char *q = out;
	uint64_t w;

	for (; n >= 8; n -= 8, p += 17, q += 8) {
		if (*p != ' ' || !dp_head_hex(p + 1, 16, &w))
			damaged(l, key);
		memcpy(q, &w, 8);
	}
}

static void
get_words(struct lines *l, const char *key, void *out, size_t n)
{
	struct dp_slice s = next_line(l, key);

	if (s.n != n / 8 * 17)
		damaged(l, key);
	get_bytes(l, key, s.p, out, n);
}

static void
get_sums(struct dp_run *r, struct lines *l)
{
	struct dp_slice line = next_line(l, "sums");
	dp_wide s;
	size_t i;

	if (line.n != r->ring.n * r->col.width * 34)
		damaged(l, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		get_bytes(l, "sums", line.p + 34 * i, &s, sizeof s);
		r->ring.sums[i] = dp_run_sum(s);
	}
}

static void
get_table(struct dp_run *r, struct lines *l, struct dp_users **u)
{
	uint64_t n, hi, lo, count;
	struct dp_slice s;

	dp_users_free(*u);
	if (dp_users_new(u, r->cap.key, r->cap.most) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (n = get_number(l, "users"); n > 0; n--) {
		char text[16];

		s = next_line(l, "");
		if (s.n < 27 || s.n > 36 || !dp_head_hex(s.p, 16, &hi) ||
		    !dp_head_hex(s.p + 17, 8, &lo))
			damaged(l, "users");
		snprintf(text, sizeof text, "%.*s", (int)s.n - 26, s.p + 26);
		if (dp_u64_parse(&count, text, 1, r->cap.most) != 0 ||
		    dp_users_put(*u, hi, (uint32_t)lo, (uint32_t)count) != 0)
			damaged(l, "users");
	}
}

/*
 * A later version of the tz database may have changed what clocks show at the border between what
 * is released and what is to come: an event whose time is local could be on either side, and count
 * twice.
 */
static void
same_zone(const struct dp_run *r, struct lines *l)
{
	int64_t east;

	get_words(l, "east", &east, 8);
	if (east != dp_zone_east(&r->o->time.zone, r->ring.next))
		dp_die(DP_EX_STATE, "%s: the tz database has other rules for %s now, and an event "
		    "could count twice; start another state file", r->o->keep.state, r->o->time.tz);
}

static void
get_users(struct dp_run *r, struct lines *l)
{
	size_t i;

	get_words(l, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_state_table(r->kept.state) != 0) {
		dp_users_free(r->cap.users);
		r->cap.users = NULL;
		if (dp_cap_tables(r) != 1 || dp_cap_table(r, 0) != &r->cap.users)
			damaged(l, "users");
		if (dp_users_new(&r->cap.users, r->cap.key, r->cap.most) != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
		if (!dp_session_users_load(r, get_number(l, "users-beside")))
			damaged(l, "users-beside");
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
	struct dp_slice body = dp_state_body(r->kept.state);
	struct lines l = { r, body.p, body.p + body.n };
	uint64_t w[4];
	size_t c;

	r->t = get_number(&l, "step");
	if (o->horizon != 0 && r->t > o->horizon)
		damaged(&l, "step");
	r->kept.since = get_number(&l, "since");
	r->ring.open = get_number(&l, "begun") != 0;
	get_words(&l, "next", &r->ring.next, 8);
	if (o->time.tz != NULL)
		same_zone(r, &l);
	r->kept.done = get_number(&l, "done") != 0;
	r->print.headed = get_number(&l, "headed") != 0 && !r->kept.reprint;
	r->answered = get_number(&l, "answered") != 0;
	r->halted = get_number(&l, "halted") != 0;
	if (!o->priv.pan) {
		r->kept.skip = get_number(&l, "records");
		get_words(&l, "input", r->kept.want_hash, sizeof r->kept.want_hash);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			get_sums(r, &l);
	}
	for (c = 0; c < r->col.n; c++) {
		get_words(&l, "column", r->col.p + c * m->column, m->column - m->beside);
		if (m->ops->valid != NULL && !m->ops->valid(m, r->col.p + c * m->column, r->t))
			damaged(&l, "column");
	}
	get_words(&l, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		get_words(&l, "generator", w, sizeof w);
		dp_rng_pcg_load(r->col.rng, w);
	}
	if (hashes(r))
		get_words(&l, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->cap.most != 0)
		get_users(r, &l);
	if (l.p != l.end)
		damaged(&l, "end");
}
