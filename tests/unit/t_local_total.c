/* SPDX-License-Identifier: ISC */
/*
 * t_local_total.c - local.h without chance: probabilities, variances and oracles; texts; totals,
 * exact intervals, the simplex and the lower bound.
 */
#include "local.h"
#include "sketch/internal.h"

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-13 * fabs(b);
}

/* The coin that epsilon stands for, its odds as in the proofs; p, q and gap as they follow. */
static void
coins(void)
{
	static const struct {
		const char *name;
		uint64_t num, den;	/* odds for K = 7 */
	} c[] = { { "rr", 6, 1 }, { "subset", 5, 2 }, { "hr", 1, 1 } };
	const double E = exp(1.1);
	struct dp_coin want;
	const struct dp_local *l;
	struct dp_mech *m;
	double P, p[3], q[3];
	size_t i;

	P = 2 * E / (2 * E + 5);
	p[0] = E / (E + 6), q[0] = 1 / (E + 6);
	p[1] = P, q[1] = (P + (1 - P) * 2) / 6;
	p[2] = E / (E + 1), q[2] = .5;
	for (i = 0; i < 3; i++) {
		m = randomiser(c[i].name, 7, -1, 11, 10);
		l = dp_local_of(m);
		check(dp_coin_make(&want, dp_q_make(11, 10),
		    dp_q_make(c[i].num, c[i].den)) == 0);
		check(memcmp(want.word, l->coin.word, sizeof want.word) == 0);
		check(near(l->p, p[i]) && near(l->q, q[i]) && near(l->gap, p[i] - q[i]));
		check(near(m->answers.none, q[i] * (1 - q[i]) / (p[i] - q[i]) / (p[i] - q[i])));
		check(near(m->answers.all, p[i] * (1 - p[i]) / (p[i] - q[i]) / (p[i] - q[i])));
		dp_mech_free(m);
	}
	/* a tiny epsilon: the gap is not lost in p - q */
	for (i = 0; i < 3; i++) {
		m = randomiser(c[i].name, 4, -1, 1, 1000000000000);
		l = dp_local_of(m);
		check(l->gap > 1e-13 && l->gap < 1e-12);
		dp_mech_free(m);
	}
	/* a large one: as 64 */
	for (i = 0; i < 3; i++) {
		m = randomiser(c[i].name, 4, -1, 10000, 1);
		l = dp_local_of(m);
		check(l->coin.x == 64 && l->coin.tails > 0);
		dp_mech_free(m);
	}
}

/*
 * Totals that are too far out: by enumeration of both symbols' counts, n = 60 lines of the first,
 * that is said with probability gamma at most; of a count that no chance makes it is said.
 */
static void
far(void)
{
	static const double gamma[] = { 1e-6, 1e-2 };
	struct dp_mech *m = randomiser("rr", 2, -1, 1, 1);
	const struct dp_local *l = dp_local_of(m);
	const double n = 60;
	int64_t count[2];
	struct dp_totals t = { l, (uint64_t)n, count };
	double sum;
	size_t i;
	int k;

	for (i = 0; i < 2; i++) {
		for (k = 0, sum = 0; k <= (int)n; k++) {
			count[0] = k;
			count[1] = (int64_t)n - k;
			if (dp_totals_far(&t, gamma[i]))
				sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
				    k * log(l->p) + (n - k) * log(l->q));
		}
		check(sum <= gamma[i] && sum > gamma[i] / 1000);
	}
	/* Chernoff at both ends: 60 ln(1/p) = 18.8, ln(4/gamma) = 15.2 or 19.1 */
	for (i = 0; i < 2; i++) {
		count[i] = 60;
		count[1 - i] = 0;
		check(dp_totals_far(&t, 1e-6) && !dp_totals_far(&t, 2e-8));
	}
	/* and at either alone, whatever the other symbols have */
	for (k = 0; k <= 60; k += 60) {
		count[0] = 30;
		count[1] = k;
		check(dp_totals_far(&t, 1e-6));
	}
	/* between none and all nothing is far, nor without answers */
	for (k = 17; k <= 43; k++) {
		count[0] = k;
		count[1] = 60 - k;
		check(!dp_totals_far(&t, 1));
	}
	t.n = 0;
	check(!dp_totals_far(&t, 1));
	dp_mech_free(m);
}

/* Var C_v for c of n lines (spec-sums.md, section 6); K = 2: n e^epsilon / (e^epsilon - 1)^2. */
static void
variances(void)
{
	static const struct {
		size_t K;
		uint64_t eps;
		double want;
	} oracle[] = { { 2, 1, 920.674 }, { 4, 1, 1714.463 }, { 10, 2, 502.212 } };
	struct dp_error e;
	struct dp_law law;
	struct dp_mech *m;
	size_t i;

	for (i = 0; i < 3; i++) {
		m = randomiser("rr", oracle[i].K, -1, oracle[i].eps, 1);
		check(fabs(100 * m->answers.all + 900 * m->answers.none - oracle[i].want) < 5e-4);
		/* the mean over all symbols, whatever the lines are: all are one symbol */
		dp_mech_law(m, 0, 1000, &law);
		check(near(dp_law_variance(&law), 1000 *
		    (m->answers.all + ((double)oracle[i].K - 1) *
		    m->answers.none) / (double)oracle[i].K));
		/* Hoeffding's bound */
		check(dp_law_bound(&law, .05) == ceil(sqrt(1000 * log(40) / 2) /
		    dp_local_of(m)->gap));
		dp_mech_error(m, 1000, &e);
		check(near(e.max, dp_law_variance(&law)) && e.worst == 1000);
		check(near(e.mean, e.max * 1001 / 2000));
		check(near(e.none, 1000 * m->answers.none) && near(e.all, 1000 * m->answers.all));
		dp_mech_error(m, 100, &e);	/* every step by its law */
		check(near(e.max, dp_law_variance(&law) / 10) && near(e.all, 100 * m->answers.all));
		check(near(e.mean, e.max * 101 / 200));
		dp_mech_free(m);
	}
}

static struct dp_totals *
totals(const struct dp_mech *m, const int64_t *count, size_t n)
{
	struct dp_totals *t;
	size_t i;

	if (dp_totals_new(&t, m) != 0)
		abort();
	for (i = 0; i < n; i++) {
		t->count[i] = count[i];
		t->n += (uint64_t)count[i];
	}
	return t;
}

/* n = 4, K = 2, epsilon = ln 3: 3 answers are a total of 4, 1 is one of 0. */
static void
estimates(void)
{
	struct dp_mech *m = randomiser("rr", 2, -1, 10986122886681098, 10000000000000000);
	struct dp_totals *t = totals(m, (int64_t[]){ 1, 3 }, 2);

	check(fabs(dp_totals_estimate(t, 1) - 4) < 1e-14);
	check(fabs(dp_totals_estimate(t, 0)) < 1e-14);
	dp_totals_free(t);
	dp_mech_free(m);
}

/* No noise: an answer is its symbol alone, and totals are counts. */
static void
identity(void)
{
	static const char *const name[] = { "rr", "subset" };
	static const char *const text[] = { "2", "subset:20" };
	struct dp_totals *t;
	struct dp_mech *m;
	uint8_t bytes[64];
	uint64_t col[1] = { 0 };
	struct dp_rng *rng;
	char got[64];
	int64_t lo, hi;
	size_t i, n;

	memset(bytes, 0x55, sizeof bytes);
	check(randomiser("hr", 5, -1, 0, 1) == NULL);
	for (i = 0; i < 2; i++) {
		m = randomiser(name[i], 5, -1, 0, 1);
		check(m != NULL && dp_rng_open_bytes(&rng, bytes, sizeof bytes) == 0);
		n = answer(m, col, rng, 2, got);
		check(n == strlen(text[i]) && memcmp(got, text[i], n) == 0);
		check(dp_totals_new(&t, m) == 0);
		check(count_answer(t, got, n) && count_answer(t, got, n));
		dp_totals_end(t);
		check(dp_totals_estimate(t, 2) == 2 && dp_totals_estimate(t, 1) == 0);
		dp_totals_interval(t, 2, .05, &lo, &hi);
		check(lo == 2 && hi == 2);
		dp_totals_interval(t, 0, .05, &lo, &hi);
		check(lo == 0 && hi == 0);
		check(m->answers.none == 0 && m->answers.all == 0);
		dp_totals_free(t);
		dp_rng_free(rng);
		dp_mech_free(m);
	}
}

static bool
takes(const struct dp_mech *m, const char *text)
{
	struct dp_totals *t;
	bool good;

	if (dp_totals_new(&t, m) != 0)
		abort();
	good = dp_totals_add(t, (struct dp_slice){ text, strlen(text) }, -1);
	check(t->n == good);
	dp_totals_free(t);
	return good;
}

/* What put() writes is taken, and nothing else. */
static void
texts(void)
{
	struct dp_mech *m = randomiser("subset", 6, -1, 1, 1);	/* two symbols each */
	struct dp_totals *t;

	check(takes(m, "subset:c0") && takes(m, "subset:84") && takes(m, "subset:0c"));
	check(!takes(m, "subset:80") && !takes(m, "subset:e0") && !takes(m, "subset:00"));
	check(!takes(m, "subset:82") && !takes(m, "subset:03"));	/* of no symbol */
	check(!takes(m, "subset:c") && !takes(m, "subset:c00") && !takes(m, "subset:") &&
	    !takes(m, "subset"));
	check(!takes(m, "") && !takes(m, "hr:c0") && !takes(m, "subset:C0") &&
	    !takes(m, "subset:cg"));
	check(!takes(m, " subset:c0") && !takes(m, "subset:c0 ") && !takes(m, "subset:c:") &&
	    !takes(m, "subset:c/") && !takes(m, "subset:c`") && !takes(m, "subset;c0"));
	/* the first symbol is the first digit's highest bit */
	check(dp_totals_new(&t, m) == 0);
	check(count_answer(t, "subset:84", 9) && count_answer(t, "subset:c0", 9));
	dp_totals_end(t);
	check(t->count[0] == 2 && t->count[1] == 1 && t->count[2] == 0 && t->count[3] == 0 &&
	    t->count[4] == 0 && t->count[5] == 1);
	dp_totals_free(t);
	dp_mech_free(m);
	m = randomiser("hr", 6, -1, 1, 1);		/* places 0 to 7 */
	check(takes(m, "hr:0") && takes(m, "hr:7"));
	check(!takes(m, "hr:8") && !takes(m, "hr:10000000") && !takes(m, "hr:") &&
	    !takes(m, "hr:00") && !takes(m, "hr:07") && !takes(m, "hr:-1") && !takes(m, "hr:1 ") &&
	    !takes(m, "hr:x") && !takes(m, "hr") && !takes(m, "7"));
	dp_mech_free(m);
	m = randomiser("rr", 6, -1, 1, 1);		/* the tool knows the names */
	check(!takes(m, "0"));
	dp_mech_free(m);
}

/* N_v from counts of places, against the definition. */
static void
transform(void)
{
	const size_t K = 21;
	struct dp_mech *m = randomiser("hr", K, -1, 1, 1);
	int64_t count[32], N;
	struct dp_totals *t;
	size_t v, y;

	check(dp_local_of(m)->counts == 32);
	for (y = 0; y < 32; y++)
		count[y] = (int64_t)(y * y * 7 % 40);
	t = totals(m, count, 32);
	dp_totals_end(t);
	for (v = 0; v < K; v++) {
		for (N = 0, y = 0; y < 32; y++)
			N += __builtin_parityll((v + 1) & y) ? 0 : count[y];
		check(t->count[v] == N);
	}
	dp_totals_free(t);
	dp_mech_free(m);
	m = randomiser("hr", 31, -1, 1, 1);
	check(dp_local_of(m)->counts == 32);
	dp_mech_free(m);
	m = randomiser("hr", 32, -1, 1, 1);
	check(dp_local_of(m)->counts == 64);
	dp_mech_free(m);
}

/* P(Bin(c, p) + Bin(m, q) >= a) by adding one coin after the other. */
static double
above(unsigned c, double p, unsigned m, double q, unsigned a)
{
	static double at[512];
	double sum = 0, r;
	unsigned i, k;

	memset(at, 0, sizeof at);
	at[0] = 1;
	for (i = 0; i < c + m; i++)
		for (r = i < c ? p : q, k = i + 1; ; k--) {
			at[k] = at[k] * (1 - r) + (k > 0 ? at[k - 1] * r : 0);
			if (k == 0)
				break;
		}
	for (k = c + m + 1; k-- > a; )
		sum += at[k];
	return sum;
}

static void
tails(void)
{
	static const double p[] = { .9, .5, .001, 1 - 1e-6, 1 };
	static const double q[] = { .1, .4, 1e-5, 0, .0005 };
	unsigned i, c, m, a;
	double want, got;

	for (i = 0; i < 5; i++)
		for (c = 0; c <= 100; c += c < 5 ? 1 : 19)
			for (m = 0; m <= 300; m += m < 3 ? 1 : 99)
				for (a = 0; a <= c + m + 1; a += 1 + a / 7) {
					want = above(c, p[i], m, q[i], a);
					got = dp_binomials_above(c, p[i], m, q[i], a);
					check(got >= want - 1e-13 && got <= want + 1e-9);
				}
	/* where lgamma() is far from exact: half, by symmetry */
	got = dp_binomials_above(1e9, .5, 1e9, .5, 1e9);
	check(fabs(got - .5 - 1 / sqrt(4 * M_PI * 1e9)) < 1e-7);
}

/* The interval is all c that may be, tried one by one; also where none may. */
static void
intervals(void)
{
	struct dp_mech *m = randomiser("rr", 3, -1, 1, 1);
	const struct dp_local *l = dp_local_of(m);
	static const double gamma[] = { .05, .5, 1e-4 };
	int64_t lo, hi, a, b;
	struct dp_totals *t;
	unsigned i, N, c;
	const unsigned n = 60;

	for (i = 0; i < 3; i++)
		for (N = 0; N <= n; N++) {
			t = totals(m, (int64_t[]){ N, n - N, 0 }, 3);
			dp_totals_interval(t, 0, gamma[i], &lo, &hi);
			for (a = n, c = 0; c <= n; c++)
				if (above(c, l->p, n - c, l->q, N) > gamma[i] / 2) {
					a = c;
					break;
				}
			for (b = 0, c = 0; c <= n; c++)
				if (above(c, 1 - l->p, n - c, 1 - l->q, n - N) > gamma[i] / 2)
					b = c;
			check(lo == a && hi == b);
			dp_totals_free(t);
		}
	dp_mech_free(m);
	m = randomiser("rr", 3, -1, 1, 1);
	t = totals(m, (int64_t[]){ 0, 0, 0 }, 3);	/* no answers */
	dp_totals_interval(t, 0, .05, &lo, &hi);
	check(lo == 0 && hi == 0);
	dp_totals_free(t);
	t = totals(m, (int64_t[]){ 500, 200, 300 }, 3);	/* as sure as sure can be */
	dp_totals_interval(t, 0, 0, &lo, &hi);
	check(lo == 0 && hi == 1000);
	dp_totals_free(t);
	dp_mech_free(m);
}

/* Nearest point of the simplex: tried against many others. */
static void
simplex(void)
{
	struct dp_mech *m = randomiser("rr", 4, -1, 1, 1);
	struct dp_totals *t = totals(m, (int64_t[]){ 70, 12, 10, 8 }, 4);
	double level, sum = 0, best = 0, d, c[4];
	int a, b, e;
	size_t v;

	check(dp_totals_level(t, &level) == 0);
	for (v = 0; v < 4; v++) {
		c[v] = dp_totals_estimate(t, v);
		sum += fmax(c[v] - level, 0);
		best += pow(fmax(c[v] - level, 0) - c[v], 2);
	}
	check(fabs(sum - 100) < 1e-9 && c[3] < 0);
	for (a = 0; a <= 100; a++)
		for (b = 0; a + b <= 100; b++)
			for (e = 0; a + b + e <= 100; e++) {
				d = pow(a - c[0], 2) + pow(b - c[1], 2) + pow(e - c[2], 2) +
				    pow(100 - a - b - e - c[3], 2);
				check(d >= best - 1e-9);
			}
	dp_totals_free(t);
	t = totals(m, (int64_t[]){ 25, 25, 25, 25 }, 4);	/* is there already */
	check(dp_totals_level(t, &level) == 0 && fabs(level) < 1e-12);
	dp_totals_free(t);
	dp_mech_free(m);
}

/*
 * spec-sums.md, section 0, LB-local: n = 10000, beta = 1/4: 22, and 290 on a coarser grid of c; an
 * evaluation on a finer one gives 317.5.
 */
static void
lower(void)
{
	check(dp_local_lower(10000, 1.0986, .25) == 22);
	check(dp_local_lower(10000, .1, .25) == 317.5);
	check(dp_local_lower(1, 1, .05) <= 1);
	check(dp_local_lower(10000, 10000, .25) == 0);
	check(dp_local_lower(10000, 1, .5) == 0 && dp_local_lower(10000, 1, .75) == 0);
	check(dp_local_lower(1000000, 1, .05) > 9 * dp_local_lower(10000, 1, .05));
}

static void
refusals(void)
{
	check(randomiser("rr", 1, -1, 1, 1) == NULL && randomiser("rr", 0, -1, 1, 1) == NULL);
	check(randomiser("rr", 1000001, -1, 1, 1) == NULL);
	check(randomiser("rr", 3, 3, 1, 1) == NULL);
	check(randomiser("subset", 65537, -1, 1, 1) == NULL);
}

int
main(void)
{
	coins();
	far();
	variances();
	estimates();
	identity();
	texts();
	transform();
	tails();
	intervals();
	simplex();
	lower();
	refusals();
	return done();
}
