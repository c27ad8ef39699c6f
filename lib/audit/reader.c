/* SPDX-License-Identifier: ISC */
/* reader.c - lines and words of a plan, and those on its neighbours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "internal.h"

/* Lines and words of a plan. */

bool
audit_good(const struct reader *r)
{
	return r->v->is != DP_VERDICT_MALFORMED;
}

void
audit_refuse(struct reader *r, enum dp_verdict_is is, const char *why)
{
	if (r->v->is != DP_VERDICT_HOLDS && (is != DP_VERDICT_MALFORMED || !audit_good(r)))
		return;
	r->v->is = is;
	if (is == DP_VERDICT_MALFORMED)
		snprintf(r->v->why, sizeof r->v->why, "line %u: %s", r->number, why);
	else
		snprintf(r->v->why, sizeof r->v->why, "%s", why);
}

/* To the next line that is no comment; false: there is none. */
bool
audit_next_line(struct reader *r)
{
	if (r->bound && r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
	do {
		if (r->at == r->end)
			return false;
		r->line = r->at;
		r->stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
		r->number++;
		if (r->stop == NULL) {
			r->at = r->stop = r->end;
			r->cut = true;
			return false;
		}
		r->at = r->stop + 1;
	} while (*r->line == '#');
	r->read++;
	return true;
}

bool
audit_word(struct reader *r, char *to, size_t size)
{
	size_t n = 0;

	/* in one spelling: between words there is one blank */
	while (r->line < r->stop && *r->line == ' ') {
		r->line++;
		if (r->bound)
			break;
	}
	while (r->line + n < r->stop && r->line[n] > ' ' && r->line[n] <= '~')
		n++;
	if (n == 0 || n >= size)
		return false;
	memcpy(to, r->line, n);
	to[n] = '\0';
	r->line += n;
	return true;
}

/* The line is this word, and what follows it. */
bool
audit_is(struct reader *r, const char *name)
{
	const size_t n = strlen(name);

	if ((size_t)(r->stop - r->line) < n || memcmp(r->line, name, n) != 0 ||
	    (r->line[n] != ' ' && r->line[n] != '\n'))
		return false;
	r->line += n;
	return true;
}

static bool
digits(const struct reader *r, const char *s)
{
	return *s != '\0' && strspn(s, "0123456789") == strlen(s) &&
	    !(r->bound && s[0] == '0' && s[1] != '\0');
}

uint64_t
audit_whole(struct reader *r, uint64_t most)
{
	char text[24];
	unsigned long long n = 0;

	if (!audit_word(r, text, sizeof text) || !digits(r, text) || strlen(text) > 19 ||
	    (n = strtoull(text, NULL, 10)) > most) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
		n = 0;
	}
	return n;
}

/* The next word as a number; one of another form, or above `most', is refused, and then 0. */
static int64_t
audit_signed(struct reader *r)
{
	char text[24];
	long long n = 0;

	if (audit_word(r, text, sizeof text) && strlen(text) < 19 &&
	    digits(r, text + (text[0] == '-')) &&
	    !(r->bound && strcmp(text, "-0") == 0))
		n = strtoll(text, NULL, 10);
	else
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	return n;
}

uint64_t
audit_word_64(struct reader *r)
{
	uint64_t n = 0;
	mpz_t z;

	mpz_init(z);
	audit_integer(r, z);
	if (mpz_sizeinbase(z, 2) > 64)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	else
		n = mpz_get_ui(z);
	mpz_clear(z);
	return n;
}

static void
number(struct reader *r, mpz_t z, int base)
{
	const char *of = base == 16 ? "0123456789abcdef" : "0123456789";
	char text[80];

	if (!audit_word(r, text, sizeof text) || strspn(text, of) != strlen(text) ||
	    (base == 16 && strlen(text) != 64) ||
	    (base == 10 && !digits(r, text)) || mpz_set_str(z, text, base) != 0 ||
	    mpz_sgn(z) == 0) {
		mpz_set_ui(z, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	}
}

void
audit_integer(struct reader *r, mpz_t z)
{
	number(r, z, 10);
}

void
audit_word_256(struct reader *r, mpz_t z)
{
	number(r, z, 16);
}

/* NUM/DEN, positive; its text stays in `text' */
void
audit_rational(struct reader *r, mpq_t q, char text[static 64])
{
	char *slash;

	if (!audit_word(r, text, 64) || (slash = strchr(text, '/')) == NULL) {
		mpq_set_ui(q, 1, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
		return;
	}
	*slash = '\0';
	if (!digits(r, text) || !digits(r, slash + 1) ||
	    mpz_set_str(mpq_numref(q), text, 10) != 0 ||
	    mpz_set_str(mpq_denref(q), slash + 1, 10) != 0 || mpz_sgn(mpq_numref(q)) == 0 ||
	    mpz_sgn(mpq_denref(q)) == 0) {
		mpq_set_ui(q, 1, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
	} else
		mpq_canonicalize(q);
	*slash = '/';
}

/* 0x1, and at most 13 digits behind a point: a double has all of it. */
static bool
of_53_bits(const char *text)
{
	return strncmp(text, "0x1", 3) == 0 && (text[3] == 'p' ||
	    (text[3] == '.' && strspn(text + 4, "0123456789abcdef") <= 13));
}

double
audit_real(struct reader *r)
{
	char text[40] = "", again[40], *end = text;
	double v = 0;

	if (audit_word(r, text, sizeof text) && of_53_bits(text))
		v = (double)dp_real_read(text, &end);
	snprintf(again, sizeof again, "%a", v);
	if (*end != '\0' || (r->bound && strcmp(text, again) != 0) ||
	    !(v >= 0x1p-1022 && v <= 0x1p1000)) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a number of a table is wrong");
		return 1;
	}
	return v;
}

/* A plan's lines on neighbours (internal.h). */

#define MOST	((uint64_t)1 << 60)

/* A line, and its distances. */
struct told {
	mpz_t K, M, R, D, S;
	mpz_t l1, square, cells, linf, columns, x;
	uint64_t events, each;
	bool once;
};

void
audit_neighbours_init(struct audit_neighbours *n)
{
	mpz_inits(n->l1, n->square, n->cells, n->linf, n->columns, (mpz_ptr)NULL);
	n->events = n->each = 1;
	n->once = false;
	n->lines = 0;
	memset(n->line, 0, sizeof n->line);
}

void
audit_neighbours_clear(struct audit_neighbours *n)
{
	unsigned i;

	mpz_clears(n->l1, n->square, n->cells, n->linf, n->columns, (mpz_ptr)NULL);
	for (i = 0; i < AUDIT_BANDS; i++)
		if (n->line[i] != NULL) {
			audit_neighbours_clear(n->line[i]);
			free(n->line[i]);
		}
}

static void
count(struct reader *r, mpz_t z)
{
	mpz_set_ui(z, audit_whole(r, MOST));
	if (mpz_sgn(z) == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "neighbours of nothing");
}

/* LO HI UNIT D */
static void
entries(struct reader *r, struct told *t)
{
	mpz_set_si(t->M, audit_signed(r));
	mpz_set_si(t->x, audit_signed(r));
	if (mpz_cmp(t->M, t->x) > 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a range that is none");
	/* of lo and hi what is below 0, and above */
	if (mpz_sgn(t->M) > 0)
		mpz_set_ui(t->M, 0);
	if (mpz_sgn(t->x) < 0)
		mpz_set_ui(t->x, 0);
	mpz_sub(t->R, t->x, t->M);
	if (mpz_cmpabs(t->x, t->M) > 0)
		mpz_set(t->M, t->x);
	mpz_abs(t->M, t->M);
	mpz_set_ui(t->x, audit_whole(r, MOST));
	if (mpz_sgn(t->x) != 0 && mpz_cmp(t->M, t->x) > 0)
		mpz_set(t->M, t->x);
	if (mpz_sgn(t->x) != 0 && mpz_cmp(t->R, t->x) > 0)
		mpz_set(t->R, t->x);
	count(r, t->D);
}

/* l1 = n far, square = n far^2, cells = columns = n, linf = far */
static void
move(struct told *t, const mpz_t n, const mpz_t far)
{
	mpz_mul(t->l1, n, far);
	mpz_mul(t->square, t->l1, far);
	mpz_set(t->cells, n);
	mpz_set(t->columns, n);
	mpz_set(t->linf, far);
}

static uint64_t
events(const struct told *t)
{
	return mpz_get_ui(t->K);		/* count(): below 2^60 */
}

static void
event(struct reader *r, struct told *t)
{
	entries(r, t);
	count(r, t->S);
	move(t, t->S, t->R);
}

static void
line(struct reader *r, struct told *t)
{
	entries(r, t);
	count(r, t->S);
	mpz_mul_ui(t->x, t->S, 2);
	mpz_sub(t->K, t->x, t->D);		/* e */
	if (mpz_sgn(t->K) < 0)
		mpz_set_ui(t->K, 0);
	mpz_submul_ui(t->x, t->K, 2);		/* 2 (S - e) */
	if (mpz_sgn(t->x) < 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "more entries than columns");
	move(t, t->K, t->R);
	mpz_add(t->cells, t->cells, t->x);
	mpz_set(t->columns, t->cells);
	mpz_mul(t->x, t->x, t->M);
	mpz_add(t->l1, t->l1, t->x);
	mpz_addmul(t->square, t->x, t->M);
	mpz_mul(t->x, t->R, t->R);
	mpz_mul(t->x, t->x, t->S);
	if (mpz_cmp(t->x, t->square) > 0)
		mpz_set(t->square, t->x);
}

static void
records(struct reader *r, struct told *t)
{
	count(r, t->K);
	entries(r, t);
	count(r, t->S);
	mpz_mul(t->M, t->M, t->K);
	move(t, t->S, t->M);
	mpz_mul(t->cells, t->cells, t->K);
	mpz_set(t->columns, mpz_cmp(t->cells, t->D) < 0 ? t->cells : t->D);
	t->events = t->each = events(t);
}

static void
once(struct reader *r, struct told *t)
{
	count(r, t->K);
	entries(r, t);
	move(t, mpz_cmp(t->K, t->D) < 0 ? t->K : t->D, t->M);
	mpz_set(t->cells, t->K);
	t->events = events(t);
	t->once = true;
}

static void
adds(struct reader *r, struct told *t)
{
	count(r, t->K);
	count(r, t->S);
	count(r, t->M);
	count(r, t->D);
	mpz_mul(t->M, t->M, t->K);
	move(t, t->S, t->M);
	mpz_mul(t->cells, t->K, t->D);
	mpz_set(t->columns, t->D);
	t->events = t->each = events(t);
}

static void
identifiers(struct reader *r, struct told *t)
{
	count(r, t->K);
	mpz_set_ui(t->x, 1);
	move(t, t->x, t->K);
	mpz_set_ui(t->cells, 0);
	t->events = t->each = events(t);
}

static void
vectors(struct reader *r, struct told *t)
{
	count(r, t->K);
	count(r, t->M);
	count(r, t->R);
	move(t, t->K, t->M);
	mpz_mul(t->square, t->K, t->K);
	mpz_mul(t->square, t->square, t->R);
	mpz_set_ui(t->cells, 0);
	mpz_set_ui(t->columns, 1);
	t->events = t->each = events(t);
	mpz_set(t->linf, t->M);
}

/* Columns of one line are none of another's. */
static void
add_line(struct audit_neighbours *n, const struct told *t)
{
	mpz_add(n->l1, n->l1, t->l1);
	mpz_add(n->square, n->square, t->square);
	if (mpz_sgn(t->cells) == 0 || (n->lines > 0 && mpz_sgn(n->cells) == 0))
		mpz_set_ui(n->cells, 0);
	else
		mpz_add(n->cells, n->cells, t->cells);
	mpz_add(n->columns, n->columns, t->columns);
	if (mpz_cmp(t->linf, n->linf) > 0)
		mpz_set(n->linf, t->linf);
	n->events = t->events > n->events ? t->events : n->events;
	n->each = t->each > n->each ? t->each : n->each;
	n->once |= t->once;
	n->lines++;
}

bool
audit_neighbours_line(struct reader *r, struct audit_neighbours *n)
{
	static const struct {
		const char *word;
		void (*read)(struct reader *, struct told *);
	} of[] = {
		{ "event", event }, { "line", line }, { "records", records }, { "once", once },
		{ "adds", adds }, { "identifiers", identifiers }, { "present", identifiers },
		{ "vectors", vectors }
	};
	struct told t = { .events = 1, .each = 1 };
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of && !audit_is(r, of[i].word); i++)
		;
	if (i == sizeof of / sizeof *of)
		return false;
	mpz_inits(t.K, t.M, t.R, t.D, t.S, t.l1, t.square, t.cells, t.linf, t.columns, t.x,
	    (mpz_ptr)NULL);
	of[i].read(r, &t);
	if (r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
	if (n->lines < AUDIT_BANDS &&
	    (n->line[n->lines] = calloc(1, sizeof *n->line[0])) != NULL) {
		audit_neighbours_init(n->line[n->lines]);
		add_line(n->line[n->lines], &t);
	}
	add_line(n, &t);
	mpz_clears(t.K, t.M, t.R, t.D, t.S, t.l1, t.square, t.cells, t.linf, t.columns, t.x,
	    (mpz_ptr)NULL);
	return true;
}
