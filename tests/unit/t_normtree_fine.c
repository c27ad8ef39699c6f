/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_fine.c - draws on a finer grid, from bytes that are told: each uniform is of bits of
 * its own, and what is taken is what 64 bits say, also where the upper 32 leave it open.
 */
#include "mech.h"
#include "normtree/internal.h"

#define N	DP_SPLINE_ORDER
#define UNIFORMS	(2 * N - 1)
#define WORD_MAX	9		/* seven uniforms of so many bits are in a word */
#define TRIALS	200

struct record {
	uint8_t byte[64];
	size_t n;
	int64_t x[UNIFORMS];		/* its uniforms */
};

static void
put_number(uint8_t *at, uint64_t w, unsigned bytes)
{
	unsigned i;

	for (i = 0; i < bytes; i++)
		at[i] = (uint8_t)(w >> 8 * i);
}

/* Uniforms from w, and after them the upper half of U. */
static struct record
record_of(unsigned fine, const uint64_t *w, uint32_t half)
{
	struct record r = { .n = fine <= WORD_MAX ? 8 : 4 * UNIFORMS };
	unsigned k;

	if (fine <= WORD_MAX)
		put_number(r.byte, w[0], 8);
	for (k = 0; k < UNIFORMS; k++) {
		r.x[k] = fine <= WORD_MAX ? (int64_t)(w[0] >> k * fine) & ((1 << fine) - 1) :
		    (int64_t)((uint32_t)w[k] >> (32 - fine));
		if (fine > WORD_MAX)
			put_number(r.byte + 4 * k, (uint32_t)w[k], 4);
	}
	put_number(r.byte + r.n, half, 4);
	r.n += 4;
	return r;
}

static int64_t
xi_of(unsigned fine, const struct record *r)
{
	return r->x[0] + r->x[1] + r->x[2] + r->x[3] - 2 * ((1ll << fine) - 1);
}

static int64_t
Q_of(unsigned fine, const struct record *r, int64_t P)
{
	const int64_t D = INT64_C(1) << fine, xi = xi_of(fine, r);
	int64_t eta = r->x[4] + r->x[5] + r->x[6] - 2 * (D - 1), last;

	last = ((P - xi - eta) % D + D) % D;
	return (P - xi - eta - last) / D;
}

/* The least U that is refused, above 2^64 - 1: none. */
static dp_uwide
limit_of(const struct dp_normtree *p, unsigned kind, int64_t P, int64_t Q)
{
	const struct dp_normtree_level *v = &p->level[kind];
	const int64_t D = (int64_t)1 << p->fine, high = P + 4 * (D - 1);
	const int64_t last = high >= 0 ? high / D : -((-high + D - 1) / D);
	real c = dp_normtree_entry(v->own, v->A, v->past, (uint64_t)llabs(Q)), most = { 0 }, x;
	int64_t i;

	for (i = last - 7; i <= last; i++) {
		x = dp_normtree_entry(v->own, v->A, v->past, (uint64_t)llabs(i));
		if (i == last - 7 || x.x > most.x || (x.x == most.x && x.m > most.m))
			most = x;
	}
	return (((dp_uwide)c.m << (64 - (most.x - c.x))) + most.m - 1) / most.m;
}

/* out[0] less xi is a multiple of D. */
static bool
is_taken(const struct dp_normtree *p, unsigned kind, int64_t P, const struct record *r,
    const uint8_t *bytes, size_t n)
{
	struct dp_rng *rng;
	int64_t out[2];
	int e;

	if (dp_rng_open_bytes(&rng, bytes, n) != 0)
		abort();
	e = dp_normtree_split(p, rng, kind, &P, out, 1);
	check(e == 0);
	check(out[0] + out[1] == P);
	dp_rng_free(rng);
	return ((out[0] - xi_of(p->fine, r)) & (((int64_t)1 << p->fine) - 1)) == 0;
}

/* Of two records the first is taken with this U, else the second. */
static void
decides(const struct dp_normtree *p, int64_t P, const uint64_t *w, uint64_t U, bool yes)
{
	uint8_t bytes[1024];
	struct record first = record_of(p->fine, w, (uint32_t)(U >> 32)), second;
	const uint64_t *more = w + UNIFORMS;
	size_t n = first.n, i;

	second = record_of(p->fine, more, 0);
	memcpy(bytes, first.byte, n);
	put_number(bytes + n, (uint32_t)U, 4);
	n += 4;
	memcpy(bytes + n, second.byte, second.n);
	n += yes ? 0 : second.n;
	for (i = n; i < sizeof bytes; i++)	/* what splits Q */
		bytes[i] = (uint8_t)(w[i % (2 * UNIFORMS)] >> i % 57);
	if (xi_of(p->fine, &first) != xi_of(p->fine, &second))
		check(is_taken(p, 1, P, yes ? &first : &second, bytes, sizeof bytes));
}

/* A tree of little epsilon; returns log2 of what a unit of its tables has. */
static unsigned
halves(uint64_t one_over_epsilon, struct dp_rng *rng)
{
	struct dp_mech_rule s = setting(0, 1, one_over_epsilon, 1);
	uint64_t w[2 * UNIFORMS];
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	struct record r;
	dp_uwide limit;
	int64_t P;
	unsigned i, k, fine, refused = 0;

	dp_normtree_shape(&shape, 8);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	fine = p->fine;
	check(fine > 0);
	for (i = 0; i < TRIALS; i++) {
		for (k = 0; k < 2 * UNIFORMS; k++)
			w[k] = dp_load64(dp_rng_take(rng, 8));
		P = (int64_t)(w[1] % ((uint64_t)80 << fine)) - ((int64_t)40 << fine);
		r = record_of(fine, w, 0);
		limit = limit_of(p, 1, P, Q_of(fine, &r, P));
		decides(p, P, w, (uint64_t)(limit - 1), true);
		refused += limit >> 64 == 0;
		if (limit >> 64 == 0)
			decides(p, P, w, (uint64_t)limit, false);
	}
	check(refused > TRIALS / 2);
	dp_normtree_free(p);
	return fine;
}

int
main(void)
{
	struct dp_rng *rng;
	unsigned fine, least = 99, most = 0;
	uint64_t k;

	if (dp_rng_open_seed(&rng, 7) != 0)
		abort();
	for (k = 16; k <= 1 << 20; k *= k < 500 ? 2 : 32) {
		fine = halves(k, rng);
		least = fine < least ? fine : least;
		most = fine > most ? fine : most;
	}
	check(least < 5 && most > 16);
	dp_rng_free(rng);
	return done();
}
