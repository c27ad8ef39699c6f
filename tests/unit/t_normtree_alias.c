/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_alias.c - alias rows of the norm tree by what normtree/internal.h says.
 *
 * weights  every row of several settings: units sum to 2^63, and each outcome's are within
 *          exp(+-2^-42) of its law, in long doubles, which are off by 2^-50 at most
 * laws     N = 400000 splits of a node of given noise on levels 1, 2, 5 and 8, P with a row and
 *          without, for epsilon 1 and 5, with and without AVX2.  Statistic: chi-square over values
 *          expected 25 times or more and the rest as one; p at least 1e-6 over all of them
 * tails    as many trees' worth of tails alone: N = 20000, forced by words that lie in them
 * ties     words that equal the threshold's first bits: the next 32 decide, and no other
 * lanes    AVX2 gives the numbers and takes the bytes that no AVX2 does
 */
#include <stdio.h>

#include "mech.h"
#include "normtree/internal.h"
#include "normtree_law.h"
#include "stats.h"

#define LEVELS	DP_NORMTREE_ALIAS_LEVELS
#define NODES	DP_NORMTREE_ALIAS_NODES
#define WIDE	4096			/* children are within +-WIDE */
#define DRAWS	400000
#define TAILS	20000
#define TESTS	160

static struct dp_normtree *
tree(unsigned h, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_shape(&shape, h);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

/* A count's, whose tables are no longer than each kind's must be. */
static struct dp_normtree *
count(uint64_t T, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

/* The kind of the first node of a level. */
static unsigned
kind_of(const struct dp_normtree *p, unsigned l)
{
	unsigned kind = p->shape.kinds - 1;

	while (p->shape.kind[kind].level > l)
		kind = p->shape.kind[kind].child[0];
	return kind;
}

/* Rows are in use. */
static void
use(struct dp_normtree *p)
{
	const struct dp_normtree_level *level[LEVELS];
	unsigned l;

	for (l = 0; l < LEVELS && l < p->h; l++)
		level[l] = &p->level[kind_of(p, l + 1)];
	check(!dp_normtree_alias_at(p->alias, DP_NORMTREE_ALIAS_FROM - 1, 0));
	check(dp_normtree_alias_levels(p->alias) == 0);
	check(dp_normtree_alias_at(p->alias, DP_NORMTREE_ALIAS_FROM, 0));
	dp_normtree_alias_make(p->alias, level, l);
	check(!dp_normtree_alias_at(p->alias, DP_NORMTREE_ALIAS_FROM, 0));
	check(dp_normtree_alias_levels(p->alias) == l);
}

/* The weight of outcome j, on both sides. */
static long double
both(const struct dp_normtree *p, unsigned l, int64_t P, int64_t j)
{
	return weight(p, kind_of(p, l), P - P / 2 + j, P / 2 - j) * (j == 0 && P % 2 == 0 ? 1 : 2);
}

/* Of a row: those of its tail are the last. */
static void
add_units(const struct dp_normtree *p, unsigned l, unsigned P, uint64_t *units)
{
	const unsigned n = dp_normtree_alias_width(p->alias);
	unsigned c, other;
	uint64_t threshold;

	memset(units, 0, n * sizeof *units);
	for (c = 0; c < n; c++) {
		threshold = dp_normtree_alias_column(p->alias, l, P, c, &other);
		units[c] += threshold;
		units[other] += ((uint64_t)1 << 63) / n - threshold;
	}
}

/* The worst |log| of a row, or INFINITY. */
static double
row(const struct dp_normtree *p, unsigned l, unsigned P)
{
	const unsigned n = dp_normtree_alias_width(p->alias);
	const unsigned first = (unsigned)dp_normtree_alias_first(p->alias, l, P);
	const long double sum = total(p, kind_of(p, l), P);
	long double tail = 0, of, worst = 0;
	uint64_t units[256], all = 0;
	unsigned j;

	add_units(p, l, P, units);
	for (j = first; j < first + 20000; j++) {
		of = both(p, l, P, j);
		tail += of;
		if (of < tail * 1e-19L)
			break;
	}
	for (j = 0; j < n; j++) {
		all += units[j];
		of = (j < first ? both(p, l, P, j) : j == n - 1 ? tail : 0) / sum;
		if (of == 0) {
			if (units[j] != 0)
				return INFINITY;
			continue;
		}
		worst = fmaxl(worst, fabsl(log1pl((ldexpl((long double)units[j], -63) - of) / of)));
	}
	return all == (uint64_t)1 << 63 ? (double)worst : INFINITY;
}

static void
weights(struct dp_normtree *p)
{
	unsigned l, P, first = 0;
	double one, worst = 0;

	use(p);
	for (l = 1; l <= dp_normtree_alias_levels(p->alias); l++)
		for (P = 0; P < dp_normtree_alias_width(p->alias); P++) {
			one = row(p, l, P);
			check(one <= 0x1p-42);
			worst = fmax(worst, one);
			first += dp_normtree_alias_first(p->alias, l, P) > 2;
		}
	check(first > 0);
	printf("h %u, rate %g: A %u, n %u, worst 2^%.2f\n", p->h, p->rate, p->A,
	    dp_normtree_alias_width(p->alias), log2(worst));
	dp_normtree_free(p);
}

static unsigned tests;

/* Chi-square of counts n of a, less P / 2 up, of which w are the weights. */
static void
judge(const char *what, unsigned l, int64_t P, const long double *w, const double *n, double N)
{
	double df, chi = chi_square(w, n, 2 * WIDE + 1, N, &df);
	const bool good = isfinite(chi) && df >= 1 && chi2_tail(chi, df) >= FALSE_REJECT / TESTS;

	tests++;
	check(good);
	if (!good)
		printf("%s, level %u of %lld: %g for %g\n", what, l, (long long)P, chi, df);
}

static void
laws(uint64_t epsilon, bool plain, struct dp_rng *rng)
{
	static const unsigned levels[] = { 1, 2, 5, 8 };
	static long double w[2 * WIDE + 1];
	static double n[2 * WIDE + 1];
	struct dp_normtree *p = tree(8, epsilon, 1);
	int64_t P[8], of[DP_NORMTREE_SPLITS], out[2 * DP_NORMTREE_SPLITS];
	unsigned i, j, k, l, m;

	use(p);
	if (plain)
		dp_normtree_alias_plain(p->alias);
	m = dp_normtree_alias_width(p->alias);
	memcpy(P, (int64_t[]){ 0, 1, -2, 9, -(int64_t)(m - 1), m, -(int64_t)p->A, p->A + 9 },
	    sizeof P);
	for (m = 0; m < 4; m++)
		for (i = 0; i < 8; i++) {
			l = levels[m];
			for (j = 0; j < DP_NORMTREE_SPLITS; j++)
				of[j] = P[i];
			memset(n, 0, sizeof n);
			for (k = 0; k < DRAWS; k += 50) {
				check(dp_normtree_split(p, rng, kind_of(p, l), of, out, 50) == 0);
				for (j = 0; j < 50; j++) {
					if (llabs(out[2 * j]) > WIDE)
						abort();
					check(out[2 * j] + out[2 * j + 1] == P[i]);
					n[WIDE + out[2 * j]]++;
				}
			}
			for (k = 0; k <= 2 * WIDE; k++)
				w[k] = weight(p, kind_of(p, l), (int64_t)k - WIDE, P[i] -
				    ((int64_t)k - WIDE));
			judge("split", l, P[i], w, n, DRAWS);
		}
	dp_normtree_free(p);
}

/* A word that node P of level l takes for outcome j, and no tie; false: there is none. */
static bool
word_of(const struct dp_normtree *p, unsigned l, int64_t P, uint64_t j, uint8_t word[4])
{
	unsigned n = dp_normtree_alias_width(p->alias), c, k, left, bits = 0;
	struct dp_rng *rng;
	int64_t out[2];
	uint32_t w;
	bool got;
	int e;

	while (1u << bits < n)
		bits++;
	for (c = 0; c < 2 * n; c++) {	/* a column's first unit, and its last */
		w = (c / 2) << (31 - bits) | (c % 2 ? (1u << (31 - bits)) - 1 : 0);
		for (k = 0; k < 4; k++)
			word[k] = (uint8_t)(w >> 8 * k);
		if (dp_rng_open_bytes(&rng, word, 4) != 0)
			abort();
		e = dp_normtree_alias_split(p->alias, rng, l, &P, out, 1, &left);
		got = e == 0 && (j == n - 1 ? left == 1 :
		    left == 0 && (uint64_t)out[0] == (uint64_t)(P - P / 2) + j);
		dp_rng_free(rng);
		if (got)
			return true;
	}
	return false;
}

/* The tail of a node alone, by one word that lies in it and bytes of a generator. */
static void
tails(struct dp_normtree *p, unsigned l, int64_t P, struct dp_rng *from)
{
	static long double w[2 * WIDE + 1];
	static double n[2 * WIDE + 1];
	static uint8_t bytes[1 << 16];
	const int64_t first = (use(p), (int64_t)dp_normtree_alias_first(p->alias, l, (uint64_t)P));
	struct dp_rng *rng;
	int64_t out[2], k, j;
	unsigned i;

	memset(n, 0, sizeof n);
	check(word_of(p, l, P, dp_normtree_alias_width(p->alias) - 1, bytes));
	for (i = 0; i < TAILS; i++) {
		for (k = 4; k < 8192; k += 64)
			memcpy(bytes + k, dp_rng_take(from, 64), 64);
		if (dp_rng_open_bytes(&rng, bytes, sizeof bytes) != 0)
			abort();
		check(dp_normtree_split(p, rng, kind_of(p, l), &P, out, 1) == 0);
		dp_rng_free(rng);
		check(out[0] + out[1] == P);
		n[WIDE + out[0]]++;
	}
	for (k = 0; k <= 2 * WIDE; k++) {
		j = llabs(2 * (k - WIDE) - P) / 2;
		w[k] = j >= first ? weight(p, kind_of(p, l), k - WIDE, P - (k - WIDE)) : 0;
	}
	judge("tail", l, P, w, n, TAILS);
	dp_normtree_free(p);
}

/* Every column of some rows: words at the threshold's first bits, then low bits around its last. */
static void
ties(void)
{
	struct dp_normtree *p = tree(8, 1, 1);
	const unsigned n = (use(p), dp_normtree_alias_width(p->alias));
	unsigned bits = 0, c, l, P, k, i, left, forced = 0;
	uint8_t bytes[8];
	struct dp_rng *rng;
	int64_t out[2], of;
	uint64_t unit, threshold;
	bool here;
	uint32_t w;
	unsigned other;

	while (1u << bits < n)
		bits++;
	for (l = 1; l <= 2; l++)
		for (P = 0; P < n; P++)
			for (c = 0; c < n; c++) {
				threshold = dp_normtree_alias_column(p->alias, l, P, c, &other);
				if (other == n - 1 || c == n - 1 || other == c)
					continue;
				for (i = 0; i < 2; i++) {
					/* the first unit of the other outcome; the last of c */
					unit = threshold - i;
					if (unit >> 32 != threshold >> 32)
						continue;
					w = c << (31 - bits) | (uint32_t)(unit >> 32);
					for (k = 0; k < 4; k++) {
						bytes[k] = (uint8_t)(w >> 8 * k);
						bytes[k + 4] = (uint8_t)((uint32_t)unit >> 8 * k);
					}
					of = P;
					here = i == 1;
					if (dp_rng_open_bytes(&rng, bytes, 8) != 0)
						abort();
					check(dp_normtree_alias_split(p->alias, rng, l, &of, out, 1,
					    &left) == 0 && left == 0 && rng->left == 0);
					check(out[0] == of - of / 2 + (here ? c : other));
					dp_rng_free(rng);
					forced++;
				}
			}
	check(forced > 2000);
	dp_normtree_free(p);
}

static void
lanes(uint64_t epsilon)
{
	struct dp_normtree *p = tree(8, epsilon, 1), *q = tree(8, epsilon, 1);
	struct dp_rng *a, *b;
	int64_t P[DP_NORMTREE_SPLITS], x[2 * DP_NORMTREE_SPLITS], y[2 * DP_NORMTREE_SPLITS];
	unsigned i, j, l, n;

	use(p);
	use(q);
	dp_normtree_alias_plain(q->alias);
	if (dp_rng_open_seed(&a, 3) != 0 || dp_rng_open_seed(&b, 3) != 0)
		abort();
	for (i = 0; i < 20000; i++) {
		l = 1 + i % LEVELS;
		n = 1 + i % DP_NORMTREE_SPLITS;
		for (j = 0; j < n; j++)
			P[j] = (int64_t)((i * 64 + j) * 2654435761u >> 20) % (3 * (int)p->A) -
			    3 * (int)p->A / 2;
		check(dp_normtree_split(p, a, kind_of(p, l), P, x, n) == 0 &&
		    dp_normtree_split(q, b, kind_of(q, l), P, y, n) == 0);
		check(memcmp(x, y, 2 * n * sizeof *x) == 0 && a->state == b->state);
	}
	dp_rng_free(a);
	dp_rng_free(b);
	dp_normtree_free(p);
	dp_normtree_free(q);
}

int
main(void)
{
	static const unsigned at[][2] = { { 1, 0 }, { 1, 7 }, { 2, 1 }, { 3, 12 }, { 8, 40 } };
	struct dp_rng *rng;
	unsigned i;

	weights(tree(24, 1, 1));
	weights(tree(24, 1, 2));
	weights(tree(24, 3, 1));
	weights(tree(24, 10, 1));
	weights(tree(8, 2, 1));
	weights(tree(1, 1, 1));
	weights(tree(40, 1, 1));
	if (dp_rng_open_seed(&rng, 7) != 0)
		return 1;
	ties();
	lanes(1);
	lanes(5);
	for (i = 0; i < 5; i++)
		tails(tree(8, 1, 1), at[i][0], at[i][1], rng);
	/* the first place of a tail is beyond A */
	weights(count(1 << 14, 1, 1));
	weights(count(1 << 24, 2, 1));
	tails(count(1 << 24, 1, 1), 1, 26, rng);
	tails(count(1 << 24, 1, 1), 2, 8, rng);
	tails(count(1 << 24, 1, 1), 2, 12, rng);
	laws(1, false, rng);
	laws(1, true, rng);
	laws(5, false, rng);
	check(tests <= TESTS);
	dp_rng_free(rng);
	return done();
}
