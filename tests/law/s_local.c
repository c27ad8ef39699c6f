/* SPDX-License-Identifier: ISC */
/*
 * s_local.c - local randomisers as they draw: the law of an answer, the claimed epsilon, totals
 * without bias and with the variance and the intervals that are predicted.  K = 6, epsilon = 1,
 * fixed seed.
 *
 * Law: chi-square of R = 300000 answers to each of two symbols, to a line that is none and to one
 * that --other names, against P(answer | symbol) as it stands in the proofs; a test rejects the
 * truth with probability 1e-6.  Power: the own symbol kept one time in 100 more, or another in its
 * place, is many times the limit away.
 * Totals: 10000 runs of 100 lines (60, 30, 10, 0, 0, 0): means within 4.9 standard errors,
 * variances within 4.9 sqrt(3/R) (kurtosis below 4), false-reject rate 1e-6 for each of some 60
 * checks; intervals hold at least 95 %, less 4.9 standard errors, in 2000 runs.
 * Neighbour: the lower end (6.3 standard errors) of ln P(y | v) / P(y | w), all y and pairs, R as
 * above, is at most 1, and comes up to .95 at least.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/local.h"
#include "../unit/stats.h"
#include "sketch/internal.h"

#define K	6
#define LAWS	64

static const char *const name[] = { "rr", "subset", "hr" };

/* The answers there can be, and the probability of each for v. */
struct law {
	unsigned n;
	char text[LAWS][16];
	double p[LAWS];
};

/* The set in bits, first symbol highest. */
static void
set_text(char *to, const char *tag, unsigned set)
{
	unsigned v, hex = 0;

	for (v = 0; v < K; v++)
		hex |= (set >> v & 1) << (7 - v);
	snprintf(to, 16, "%s:%02x", tag, hex);
}

static void
find_law(struct law *l, const char *what, unsigned v)
{
	const double E = exp(1);
	unsigned s;

	l->n = 0;
	if (strcmp(what, "rr") == 0)
		for (s = 0; s < K; s++) {
			snprintf(l->text[s], 16, "%u", s);
			l->p[l->n++] = (s == v ? E : 1) / (E + K - 1);
		}
	else if (strcmp(what, "hr") == 0)
		for (s = 0; s < 8; s++) {
			snprintf(l->text[s], 16, "hr:%u", s);
			l->p[l->n++] = (__builtin_parity((v + 1) & s) ? 1 : E) / (4 * (E + 1));
		}
	else
		for (s = 0; s < 1 << K; s++) {
			if (__builtin_popcount(s) != 2)
				continue;
			/* K / (e + 1) = 1.61: 5 sets of two with v, 10 without */
			set_text(l->text[l->n], what, s);
			l->p[l->n++] = (s >> v & 1 ? E : 1) / (5 * E + 10);
		}
}

static void
draw(const struct dp_mech *m, struct dp_rng *rng, int64_t x, const struct law *l, unsigned R,
    double *count)
{
	uint64_t col[1] = { 0 };
	char text[32];
	unsigned i, r;
	size_t n;

	memset(count, 0, LAWS * sizeof *count);
	for (r = 0; r < R; r++) {
		n = answer(m, col, rng, x, text);
		text[n] = '\0';
		for (i = 0; i < l->n && strcmp(l->text[i], text) != 0; i++)
			;
		if (i == l->n) {
			fail("an answer that cannot be");
			return;
		}
		count[i]++;
	}
}

static double
chi2(const struct law *l, const double *count, double R)
{
	double sum = 0, e;
	unsigned i;

	for (i = 0; i < l->n; i++) {
		e = R * l->p[i];
		sum += (count[i] - e) * (count[i] - e) / e;
	}
	return chi2_tail(sum, l->n - 1);
}

static void
laws(const char *what, struct dp_rng *rng)
{
	const unsigned R = 300000;
	struct dp_mech *m = randomiser(what, K, -1, 1, 1), *other = randomiser(what, K, 3, 1, 1);
	struct law l, one;
	double count[LAWS];
	unsigned v, i;

	for (v = 0; v < K; v += K - 1) {
		find_law(&l, what, v);
		draw(m, rng, v, &l, R, count);
		check(chi2(&l, count, R) > FALSE_REJECT);
	}
	find_law(&l, what, 3);
	draw(other, rng, -1, &l, R, count);
	check(chi2(&l, count, R) > FALSE_REJECT);
	memset(l.p, 0, sizeof l.p);
	for (v = 0; v < K; v++) {
		find_law(&one, what, v);
		for (i = 0; i < l.n; i++)
			l.p[i] += one.p[i] / K;
	}
	draw(m, rng, -1, &l, R, count);
	check(chi2(&l, count, R) > FALSE_REJECT);
	dp_mech_free(m);
	dp_mech_free(other);
}

static void
run(const struct dp_mech *m, struct dp_rng *rng, struct dp_totals *t)
{
	static const int64_t lines[K] = { 60, 30, 10 };
	uint64_t col[1] = { 0 };
	char text[32];
	int64_t i;
	size_t v;

	t->n = 0;
	memset(t->count, 0, t->l->counts * sizeof *t->count);
	for (v = 0; v < K; v++)
		for (i = 0; i < lines[v]; i++)
			if (!count_answer(t, text, answer(m, col, rng, (int64_t)v, text)))
				fail("an answer that is none");
	dp_totals_end(t);
}

static void
measure(const char *what, struct dp_rng *rng)
{
	static const double lines[K] = { 60, 30, 10 };
	const unsigned R = 10000, B = 2000;
	struct dp_mech *m = randomiser(what, K, -1, 1, 1);
	double sum[K] = { 0 }, squares[K] = { 0 }, v, got, all = 0;
	int64_t lo, hi, hit[K] = { 0 };
	struct dp_totals *t;
	unsigned r, i;

	if (dp_totals_new(&t, m) != 0)
		abort();
	for (r = 0; r < R; r++) {
		run(m, rng, t);
		for (i = 0; i < K; i++) {
			v = dp_totals_estimate(t, i) - lines[i];
			sum[i] += v;
			squares[i] += v * v;
			if (r >= B)
				continue;
			dp_totals_interval(t, i, .05, &lo, &hi);
			hit[i] += (double)lo <= lines[i] && lines[i] <= (double)hi;
		}
	}
	for (i = 0; i < K; i++) {
		v = lines[i] * m->answers.all + (100 - lines[i]) * m->answers.none;
		got = squares[i] / R;
		all += got;
		check(fabs(sum[i] / R) < Z_LIMIT * sqrt(v / R));
		check(fabs(got / v - 1) < Z_LIMIT * sqrt(3. / R));
		check((double)hit[i] > B * .95 - Z_LIMIT * sqrt(B * .95 * .05));
		/* it is no wider than it must be, where it is not cut off at 0 */
		check(lines[i] == 0 || (double)hit[i] < B * .99);
	}
	check(fabs(all / K / dp_mech_variance(m, 100) - 1) < Z_LIMIT * sqrt(3. / R));
	dp_totals_free(t);
	dp_mech_free(m);
}

static void
neighbour(const char *what, struct dp_rng *rng)
{
	const unsigned R = 300000;
	struct dp_mech *m = randomiser(what, K, -1, 1, 1);
	static double count[3][LAWS];
	double a, b, worst = 0, d;
	struct law l;
	unsigned v, w, i;

	find_law(&l, what, 0);
	draw(m, rng, 0, &l, R, count[0]);
	draw(m, rng, K - 1, &l, R, count[1]);
	draw(m, rng, -1, &l, R, count[2]);
	for (v = 0; v < 3; v++)
		for (w = 0; w < 3; w++)
			for (i = 0; i < l.n; i++) {
				a = count[v][i];
				b = count[w][i];
				if (a < 2000 || b < 50)
					continue;
				d = log(a / b) - 6.3 * sqrt((1 - a / R) / a + (1 - b / R) / b);
				worst = d > worst ? d : worst;
			}
	printf("%s: loss at least %.3f of 1\n", what, worst);
	check(worst <= 1);
	check(worst >= .9);
	dp_mech_free(m);
}

#define MOST	40000

struct counts {
	double own, two;		/* answers with the own symbol; others of the class below */
	double apart[3], square[3];	/* pairs of others so far apart, and its square */
};

static bool
has(const uint64_t *bit, size_t v)
{
	return bit[v / 64] >> v % 64 & 1;
}

/* Whether 16 bits, scaled to n, fall on v twice, where they may fall once or twice. */
static bool
twice(uint64_t v, uint64_t n)
{
	return ((v + 1) * 65536 + n - 1) / n - (v * 65536 + n - 1) / n == 65536 / n + 1;
}

/* One answer to v. */
static void
tally(const uint64_t *bit, size_t n, size_t v, double *in, struct counts *c)
{
	static const size_t apart[3] = { 1, 32, 64 };
	double both;
	size_t i, j;

	c->own += has(bit, v);
	for (i = 0; i < n; i++) {
		in[i] += has(bit, i);
		c->two += i != v && twice(i, n) && has(bit, i);
	}
	for (j = 0; j < 3; j++) {
		for (both = 0, i = 0; i + apart[j] < n; i++)
			both += i != v && i + apart[j] != v && has(bit, i) &&
			    has(bit, i + apart[j]);
		c->apart[j] += both;
		c->square[j] += both * both;
	}
}

/*
 * Large sets, which are drawn by bits: d symbols each; the own one with p; each other with q, those
 * on which 16 bits fall more often with the same; and pairs, of whose mean the variance is that
 * found.  Limits: 8 standard errors for each of 44,000 symbols (an expected number of 36 is passed
 * so with probability 7e-12), 6.3 for the 15 others: false-reject rate 1e-6.
 */
static void
large(size_t n, uint64_t num, uint64_t den, double R, struct dp_rng *rng)
{
	static double in[MOST];
	struct dp_mech *m = randomiser("subset", n, -1, num, den);
	const struct dp_local *l = dp_local_of(m);
	const double d = l->named, P = l->p, q = l->q, N = (double)n - 1;
	const double two = (P * (d - 1) * (d - 2) + (1 - P) * d * (d - 1)) / (N * (N - 1));
	const size_t v = 77;
	static uint64_t col[MOST / 64 + 1];
	struct counts c = { 0 };
	double pairs, z, worst = 0, many = 0;
	const int64_t x = v;
	dp_wide est;
	size_t i, j;
	double r;

	memset(in, 0, sizeof in);
	for (r = 0; r < R; r++) {
		if (m->ops->step(m, col, rng, 1, &x, &est) != 0)
			abort();
		tally(col, n, v, in, &c);
		for (z = 0, i = 0; i <= (n - 1) / 64; i++)
			z += __builtin_popcountll(col[i]);
		check(z == d);
	}
	check(fabs(c.own - R * P) <= 6.3 * sqrt(R * P * (1 - P)));
	for (i = 0; i < n; i++) {
		z = fabs(in[i] - R * q) / sqrt(R * q * (1 - q));
		worst = i != v && z > worst ? z : worst;
		many += i != v && twice(i, n);
	}
	check(worst <= 8);
	check(many == 0 || fabs(c.two - R * many * q) <= 6.3 * sqrt(R * many * q * (1 - q)));
	for (j = 0; j < 3; j++) {
		pairs = (double)(n - (j == 0 ? 1 : 32 * j)) - 2;	/* without v's */
		z = c.apart[j] / R;
		check(fabs(z - pairs * two) <= 6.3 * sqrt((c.square[j] / R - z * z) / R));
	}
	printf("%zu symbols, %g named, %u of %u: z at most %.2f\n", n, d, l->part,
	    1u << l->planes, worst);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 6) != 0)
		abort();
	for (i = 0; i < sizeof name / sizeof name[0]; i++) {
		if (!leave_named("law", name[i], "answers")) {
			laws(name[i], rng);
			measure(name[i], rng);
			if (strcmp(name[i], "subset") == 0) {
				large(2000, 1, 1, 20000, rng);
				large(2048, 10986, 10000, 20000, rng);
				large(MOST, 4, 1, 2000, rng);
			}
		}
		if (!leave_named("neighbour", name[i], "answers"))
			neighbour(name[i], rng);
	}
	dp_rng_free(rng);
	return done();
}
