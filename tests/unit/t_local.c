/*
 * t_local.c - local.h without chance: every randomiser's law by all paths through its draws, in
 * rationals; its probabilities, variances and oracles; texts; totals, exact intervals, the simplex
 * and the lower bound.
 */
#include <endian.h>

#include "local.h"

/* Non-negative fractions, reduced. */
struct ratio {
	uint64_t num, den;
};

static struct ratio
ratio(dp_uwide num, dp_uwide den)
{
	dp_uwide a = num, b = den, t;

	while (b != 0) {
		t = a % b;
		a = b;
		b = t;
	}
	if (num == 0)
		return (struct ratio){ 0, 1 };
	num /= a;
	den /= a;
	if (num > UINT64_MAX || den > UINT64_MAX)
		abort();
	return (struct ratio){ (uint64_t)num, (uint64_t)den };
}

static struct ratio
times(struct ratio a, struct ratio b)
{
	struct ratio x = ratio(a.num, b.den), y = ratio(b.num, a.den);

	return ratio((dp_uwide)x.num * y.num, (dp_uwide)x.den * y.den);
}

static struct ratio
over(struct ratio a, struct ratio b)
{
	return times(a, (struct ratio){ b.den, b.num });
}

static struct ratio
plus(struct ratio a, struct ratio b)
{
	return ratio((dp_uwide)a.num * b.den + (dp_uwide)b.num * a.den, (dp_uwide)a.den * b.den);
}

static int
compare(struct ratio a, struct ratio b)
{
	dp_uwide x = (dp_uwide)a.num * b.den, y = (dp_uwide)b.num * a.den;

	return (x > y) - (x < y);
}

static bool
equal(struct ratio a, uint64_t num, uint64_t den)
{
	return compare(a, (struct ratio){ num, den }) == 0;
}

/*
 * What a randomiser draws for one line, in order: a fair draw of n; a coin of heads : tails = 1 :
 * odds b; K coins of 1 : b; and again a fair draw of n until it suits (the paths where the first
 * does not are left out, which all have the same share).
 */
struct draw {
	enum { FAIR, COIN, COINS } kind;
	uint64_t n;
	struct ratio odds;
};

#define DRAWS	8
#define LAWS	64

/* P(text) for one input. */
struct law {
	unsigned n;
	char text[LAWS][16];
	struct ratio p[LAWS];
};

struct enumeration {
	const struct dp_mech *m;
	const struct draw *draw;
	struct ratio b;			/* stands for e^-x */
	uint64_t choice[DRAWS];
	struct law *law;
	int64_t x;
};

static uint64_t
choices(const struct draw *d)
{
	return d->kind == FAIR ? d->n : d->kind == COIN ? 2 : (uint64_t)1 << d->n;
}

static size_t
put64(uint8_t *p, uint64_t x)
{
	x = htole64(x);
	memcpy(p, &x, 8);
	return 8;
}

/*
 * The bytes that make draw d come out as c; coins: bit i of c is tails, as are those that nobody
 * asked for, and words until all is seen.
 */
static size_t
script(const struct dp_coin *coin, const struct draw *d, uint64_t c, uint8_t *p)
{
	bool heads, tails = false;
	uint64_t all;
	size_t n = 0;
	unsigned i;

	switch (d->kind) {
	case FAIR:
		return put64(p, (uint64_t)((((dp_uwide)c << 64) + ((uint64_t)1 << 63)) / d->n));
	case COIN:
		return put64(p, c == 0 ? 0 : UINT64_MAX);
	case COINS:
		break;
	}
	all = ((uint64_t)1 << d->n) - 1;
	heads = c == all;
	for (i = 0; !heads || !tails; i++) {	/* a 1 of h shows heads, a 0 shows tails */
		if (coin->word[i / 64] >> (63 - i % 64) & 1)
			heads = true;
		else
			tails = true;
		n += put64(p + n, c | ~all);
	}
	return n;
}

static struct ratio
weight(const struct enumeration *e, const struct draw *d, uint64_t c)
{
	const struct ratio one = { 1, 1 };
	struct ratio t = d->kind == FAIR ? one : times(d->odds, e->b), all = plus(one, t), w = one;
	unsigned i;

	if (d->kind == FAIR)
		return ratio(1, d->n);
	for (i = 0; i < (d->kind == COIN ? 1 : d->n); i++)
		w = times(w, over(c >> i & 1 ? t : one, all));
	return w;
}

static void
add_path(struct enumeration *e, unsigned draws)
{
	uint8_t bytes[4096];
	struct ratio w = { 1, 1 };
	char text[64];
	uint64_t col[2] = { 0 };
	struct dp_rng *rng;
	size_t n = 0, length;
	unsigned i;

	for (i = 0; i < draws; i++) {
		n += script(&dp_local_of(e->m)->coin, &e->draw[i], e->choice[i], bytes + n);
		w = times(w, weight(e, &e->draw[i], e->choice[i]));
	}
	if (dp_rng_open_bytes(&rng, bytes, n) != 0)
		abort();
	length = answer(e->m, col, rng, e->x, text);
	check(rng->left == 0);		/* the draws are those we think */
	dp_rng_free(rng);
	if (length == 0)		/* it wanted to draw again */
		return;
	text[length] = '\0';
	for (i = 0; i < e->law->n && strcmp(e->law->text[i], text) != 0; i++)
		;
	if (i == LAWS || length > 15)
		abort();
	if (i == e->law->n) {
		strcpy(e->law->text[e->law->n++], text);
		e->law->p[i] = (struct ratio){ 0, 1 };
	}
	e->law->p[i] = plus(e->law->p[i], w);
}

static void
enumerate(struct enumeration *e, unsigned draws, unsigned at)
{
	uint64_t c;

	if (at == draws) {
		add_path(e, draws);
		return;
	}
	for (c = 0; c < choices(&e->draw[at]); c++) {
		e->choice[at] = c;
		enumerate(e, draws, at + 1);
	}
}

static struct ratio
find(const struct law *l, const char *text)
{
	unsigned i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->text[i], text) == 0)
			return l->p[i];
	return (struct ratio){ 0, 1 };
}

/* The law of the answer to x, paths left out made good for. */
static void
find_law(struct enumeration *e, unsigned draws, int64_t x, struct law *l)
{
	struct ratio sum = { 0, 1 };
	unsigned i;

	l->n = 0;
	e->law = l;
	e->x = x;
	enumerate(e, draws, 0);
	for (i = 0; i < l->n; i++)
		sum = plus(sum, l->p[i]);
	for (i = 0; i < l->n; i++)
		l->p[i] = over(l->p[i], sum);
}

/* P(the answer supports v). */
static struct ratio
supports(const struct dp_mech *m, const struct law *l, size_t v)
{
	struct ratio sum = { 0, 1 };
	struct dp_totals *t;
	unsigned i;

	for (i = 0; i < l->n; i++) {
		if (dp_totals_new(&t, m) != 0)
			abort();
		check(count_answer(t, l->text[i], strlen(l->text[i])));
		dp_totals_end(t);
		check(t->count[v] == 0 || t->count[v] == 1);
		if (t->count[v] == 1)
			sum = plus(sum, l->p[i]);
		dp_totals_free(t);
	}
	return sum;
}

/*
 * For all answers and all pairs of lines, none of the alphabet among them: the ratio is at most
 * `most`, and for some answer and every pair of symbols it is that.  Supports have p and q.
 */
static void
check_laws(const struct dp_mech *m, const struct law *law, size_t K, uint64_t most,
    struct ratio p, struct ratio q)
{
	const struct ratio zero = { 0, 1 };
	struct ratio a, b, worst;
	size_t v, w;
	unsigned i;

	for (v = 0; v <= K; v++)	/* K: none */
		for (w = 0; w <= K; w++) {
			for (worst = zero, i = 0; i < law[v].n; i++) {
				a = law[v].p[i];
				b = find(&law[w], law[v].text[i]);
				check(compare(b, zero) > 0);
				if (compare(over(a, b), worst) > 0)
					worst = over(a, b);
			}
			check(compare(worst, (struct ratio){ most, 1 }) <= 0);
			check(v == w || v == K || w == K || equal(worst, most, 1));
		}
	for (v = 0; v < K; v++)
		for (w = 0; w < K; w++)
			check(compare(supports(m, &law[v], w), v == w ? p : q) == 0);
}

/* other: what a line that is none is taken for; -1: its first draw is a symbol. */
static void
one_law(const char *name, size_t K, int64_t other, const struct draw *draw, unsigned draws,
    uint64_t num, uint64_t den, uint64_t most, struct ratio p, struct ratio q)
{
	static struct law law[8];
	struct dp_mech *m = randomiser(name, K, other, num, den);
	struct enumeration e = { .m = m, .draw = draw, .b = { 1, 3 } };
	struct ratio sum;
	int64_t x;
	unsigned i;
	int failed = check_failed;

	if (m == NULL)
		abort();
	for (x = 0; x < (int64_t)K; x++)
		find_law(&e, draws, x, &law[x]);
	find_law(&e, draws, -1, &law[K]);
	check_laws(m, law, K, most, p, q);
	for (i = 0; i < law[K].n; i++) {	/* a line that is none: --other, or any */
		sum = (struct ratio){ 0, 1 };
		for (x = 0; x < (int64_t)K; x++)
			sum = plus(sum, find(&law[x], law[K].text[i]));
		check(compare(law[K].p[i], other >= 0 ? find(&law[other], law[K].text[i]) :
		    over(sum, (struct ratio){ K, 1 })) == 0);
	}
	if (failed != check_failed)
		printf("%s, K = %zu, other %d\n", name, K, (int)other);
	dp_mech_free(m);
}

/*
 * e^-epsilon, or e^(-epsilon/2) for sue, is 1/3 here, in every weight; what the plan's coin is, is
 * checked below.  The script says which way it falls.
 */
static void
laws(void)
{
	const struct ratio one = { 1, 1 };

	for (unsigned K = 2; K <= 5; K++)
		for (int other = -1; other < 2; other++) {
			const unsigned skip = other >= 0, S = K < 4 ? 4 : 8;
			const struct draw rr[] = { { FAIR, K, one }, { COIN, 0, { K - 1, 1 } },
			    { FAIR, K - 1, one } };
			const struct draw hr[] = { { FAIR, K, one }, { COIN, 0, one },
			    { FAIR, S, one } };
			const struct draw sue[] = { { FAIR, K, one }, { COINS, K, one } };
			const struct draw oue[] = { { FAIR, K, one }, { COINS, K, one },
			    { FAIR, 2, one } };

			/* epsilon is about ln 3: e^epsilon / (e^epsilon + K - 1) = 3 / (K + 2) */
			one_law("rr", K, other, rr + skip, 3 - skip, 11, 10, 3,
			    ratio(3, K + 2), ratio(1, K + 2));
			one_law("hr", K, other, hr + skip, 3 - skip, 11, 10, 3,
			    ratio(3, 4), ratio(1, 2));
			one_law("sue", K, other, sue + skip, 2 - skip, 11, 5, 9,
			    ratio(3, 4), ratio(1, 4));
			one_law("oue", K, other, oue + skip, 3 - skip, 11, 10, 3,
			    ratio(1, 2), ratio(1, 4));
		}
}

/* Sets of d: 1 of 5 by epsilon, 2 and 3; P = 3d / (3d + K - d). */
static void
subsets(void)
{
	static const struct {
		unsigned K, d;
		uint64_t num, den;
	} set[] = { { 2, 1, 1, 1 }, { 4, 1, 1, 1 }, { 5, 2, 1, 10 }, { 6, 3, 1, 100 },
	    { 6, 2, 1, 1 } };
	const struct ratio one = { 1, 1 };
	struct draw draw[DRAWS];
	struct ratio P, q;
	struct dp_mech *m;
	size_t i;

	for (i = 0; i < sizeof set / sizeof set[0]; i++) {
		const unsigned K = set[i].K, d = set[i].d;
		unsigned n = 0, j;

		m = randomiser("subset", K, -1, set[i].num, set[i].den);
		check(m != NULL && dp_local_of(m)->named == d);
		dp_mech_free(m);
		draw[n++] = (struct draw){ FAIR, K, one };
		draw[n++] = (struct draw){ COIN, 0, ratio(K - d, d) };
		for (j = K - d; j < K - 1; j++)
			draw[n++] = (struct draw){ FAIR, j + 1, one };
		draw[n++] = (struct draw){ FAIR, K - 1, one };
		P = ratio(3 * d, 2 * d + K);
		q = ratio((uint64_t)d * P.den - P.num, (uint64_t)P.den * (K - 1));
		one_law("subset", K, -1, draw, n, set[i].num, set[i].den, 3, P, q);
		one_law("subset", K, 1, draw + 1, n - 1, set[i].num, set[i].den, 3, P, q);
	}
}

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
		uint64_t share, num, den;	/* epsilon / share; odds for K = 7 */
	} c[] = { { "rr", 1, 6, 1 }, { "subset", 1, 5, 2 }, { "hr", 1, 1, 1 }, { "sue", 2, 1, 1 },
	    { "oue", 1, 1, 1 } };
	const double E = exp(1.1);
	struct dp_coin want;
	const struct dp_local *l;
	struct dp_mech *m;
	double P, p[5], q[5];
	size_t i;

	P = 2 * E / (2 * E + 5);
	p[0] = E / (E + 6), q[0] = 1 / (E + 6);
	p[1] = P, q[1] = (P + (1 - P) * 2) / 6;
	p[2] = E / (E + 1), q[2] = .5;
	p[3] = sqrt(E) / (sqrt(E) + 1), q[3] = 1 / (sqrt(E) + 1);
	p[4] = .5, q[4] = 1 / (E + 1);
	for (i = 0; i < 5; i++) {
		m = randomiser(c[i].name, 7, -1, 11, 10);
		l = dp_local_of(m);
		check(dp_coin_make(&want, dp_q_make(11, 10 * c[i].share),
		    dp_q_make(c[i].num, c[i].den)) == 0);
		check(memcmp(want.word, l->coin.word, sizeof want.word) == 0);
		check(near(l->p, p[i]) && near(l->q, q[i]) && near(l->gap, p[i] - q[i]));
		check(near(m->none, q[i] * (1 - q[i]) / (p[i] - q[i]) / (p[i] - q[i])));
		check(near(m->all, p[i] * (1 - p[i]) / (p[i] - q[i]) / (p[i] - q[i])));
		dp_mech_free(m);
	}
	/* a tiny epsilon: the gap is not lost in p - q */
	for (i = 0; i < 5; i++) {
		m = randomiser(c[i].name, 4, -1, 1, 1000000000000);
		l = dp_local_of(m);
		check(l->gap > 1e-13 && l->gap < 1e-12);
		dp_mech_free(m);
	}
	/* a large one: as 64 */
	for (i = 0; i < 5; i++) {
		m = randomiser(c[i].name, 4, -1, 10000, 1);
		l = dp_local_of(m);
		check(l->coin.x == 64 && l->coin.tails > 0);
		dp_mech_free(m);
	}
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
		check(fabs(100 * m->all + 900 * m->none - oracle[i].want) < 5e-4);
		/* the mean over all symbols, whatever the lines are: all are one symbol */
		dp_mech_law(m, 0, 1000, &law);
		check(near(dp_law_variance(&law), 1000 * (m->all + ((double)oracle[i].K - 1) *
		    m->none) / (double)oracle[i].K));
		/* Hoeffding's bound */
		check(dp_law_bound(&law, .05) == ceil(sqrt(1000 * log(40) / 2) /
		    dp_local_of(m)->gap));
		dp_mech_error(m, 1000, &e);
		check(near(e.max, dp_law_variance(&law)) && e.worst == 1000);
		check(near(e.mean, e.max * 1001 / 2000));
		check(near(e.none, 1000 * m->none) && near(e.all, 1000 * m->all));
		dp_mech_error(m, 100, &e);	/* every step by its law */
		check(near(e.max, dp_law_variance(&law) / 10) && near(e.all, 100 * m->all));
		check(near(e.mean, e.max * 101 / 200));
		dp_mech_free(m);
	}
	m = randomiser("sue", 9, -1, 1, 1);	/* the same for all data */
	check(near(m->none, exp(.5) / pow(exp(.5) - 1, 2)) && near(m->all, m->none));
	dp_mech_free(m);
	m = randomiser("oue", 9, -1, 1, 1);
	check(near(m->none, 4 * exp(1) / pow(exp(1) - 1, 2)));
	check(near(m->all, pow((exp(1) + 1) / (exp(1) - 1), 2)));
	dp_mech_free(m);
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
	static const char *const name[] = { "rr", "subset", "sue", "oue" };
	static const char *const text[] = { "2", "subset:20", "sue:20", "oue:20" };
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
	for (i = 0; i < 4; i++) {
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
		check(m->none == 0 && m->all == 0);
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
	struct dp_mech *m = randomiser("oue", 6, -1, 1, 1);
	struct dp_totals *t;

	check(takes(m, "oue:00") && takes(m, "oue:fc") && takes(m, "oue:a4"));
	check(!takes(m, "oue:fe") && !takes(m, "oue:01") && !takes(m, "oue:02"));
	check(!takes(m, "oue:f") && !takes(m, "oue:fc0") && !takes(m, "oue:") && !takes(m, "oue"));
	check(!takes(m, "") && !takes(m, "sue:00") && !takes(m, "oue:FC") && !takes(m, "oue:0g"));
	check(!takes(m, " oue:00") && !takes(m, "oue:00 ") && !takes(m, "oue:0:") &&
	    !takes(m, "oue:0/") && !takes(m, "oue:0`") && !takes(m, "oue;00"));
	/* the first symbol is the first digit's highest bit */
	check(dp_totals_new(&t, m) == 0);
	check(count_answer(t, "oue:84", 6) && count_answer(t, "oue:c0", 6));
	dp_totals_end(t);
	check(t->count[0] == 2 && t->count[1] == 1 && t->count[2] == 0 && t->count[3] == 0 &&
	    t->count[4] == 0 && t->count[5] == 1);
	dp_totals_free(t);
	dp_mech_free(m);
	m = randomiser("subset", 6, -1, 1, 1);		/* two symbols each */
	check(takes(m, "subset:c0") && takes(m, "subset:84"));
	check(!takes(m, "subset:80") && !takes(m, "subset:e0") && !takes(m, "subset:00"));
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
	check(randomiser("sue", 65537, -1, 1, 1) == NULL);
	check(randomiser("oue", 65537, -1, 1, 1) == NULL);
	check(randomiser("subset", 65537, -1, 1, 1) == NULL);
}

int
main(void)
{
	laws();
	subsets();
	coins();
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
