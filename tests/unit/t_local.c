/* SPDX-License-Identifier: ISC */
/*
 * t_local.c - local.h without chance: every randomiser's law by all paths through its draws, in
 * rationals.
 */
#include <endian.h>

#include "local.h"
#include "sketch/internal.h"

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
 * odds b; and again a fair draw of n until it suits (the paths where the first
 * does not are left out, which all have the same share).
 */
struct draw {
	enum { FAIR, COIN } kind;
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
	return d->kind == FAIR ? d->n : 2;
}

static size_t
put64(uint8_t *p, uint64_t x)
{
	x = htole64(x);
	memcpy(p, &x, 8);
	return 8;
}

/* The bytes that make draw d come out as c. */
static size_t
script(const struct draw *d, uint64_t c, uint8_t *p)
{
	if (d->kind == FAIR)
		return put64(p, (uint64_t)((((dp_uwide)c << 64) + ((uint64_t)1 << 63)) / d->n));
	return put64(p, c == 0 ? 0 : UINT64_MAX);
}

static struct ratio
weight(const struct enumeration *e, const struct draw *d, uint64_t c)
{
	const struct ratio one = { 1, 1 };
	struct ratio t;

	if (d->kind == FAIR)
		return ratio(1, d->n);
	t = times(d->odds, e->b);
	return over(c == 1 ? t : one, plus(one, t));
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
		n += script(&e->draw[i], e->choice[i], bytes + n);
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
 * e^-epsilon is 1/3 here, in every weight; what the plan's coin is, is
 * checked in t_local_total.c.  The script says which way it falls.
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

			/* epsilon is about ln 3: e^epsilon / (e^epsilon + K - 1) = 3 / (K + 2) */
			one_law("rr", K, other, rr + skip, 3 - skip, 11, 10, 3,
			    ratio(3, K + 2), ratio(1, K + 2));
			one_law("hr", K, other, hr + skip, 3 - skip, 11, 10, 3,
			    ratio(3, 4), ratio(1, 2));
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

/* Sets as text, and counted, against a symbol at a time; whatever else is no answer. */
static void
texts(size_t K, uint64_t *random)
{
	static const char hex[] = "0123456789abcdef";
	struct dp_mech *m = randomiser("subset", K, -1, 1, 1);
	char text[64], want[64];
	int64_t count[200] = { 0 };
	struct dp_totals *t;
	uint64_t bit[4];
	size_t i, v, n = 0;
	unsigned c, d;

	if (m == NULL || dp_totals_new(&t, m) != 0)
		abort();
	for (i = 0; i < 150; i++) {
		/* the first 80 are one: a symbol that is in more answers than planes hold */
		if (i == 0 || i >= 80)
			memset(bit, 0, sizeof bit);
		for (c = 0; (i == 0 || i >= 80) && c < dp_local_of(m)->named; c += d) {
			*random = *random * UINT64_C(6364136223846793005) + 1442695041;
			v = (*random >> 33) % K;
			d = (bit[v / 64] >> v % 64 & 1) == 0;
			bit[v / 64] |= (uint64_t)1 << v % 64;
		}
		n = (size_t)(stpcpy(want, "subset:") - want);
		for (v = 0; v < K; v += 4, n++) {
			for (c = d = 0; d < 4; d++)
				c |= (unsigned)(bit[(v + d) / 64] >> (v + d) % 64 & 1) << (3 - d);
			want[n] = hex[c];
		}
		check(dp_local_put(m, bit, 0, text) == text + n && memcmp(text, want, n) == 0);
		check(count_answer(t, text, n));
		for (v = 0; v < K; v++)
			count[v] += (int64_t)(bit[v / 64] >> v % 64 & 1);
	}
	for (v = 7; v < n; v++)
		for (c = 0; c < 256; c++) {
			text[v] = (char)c;
			if (c == 0 || strchr(hex, (int)c) == NULL)
				check(!count_answer(t, text, n));
			text[v] = want[v];
		}
	check(!count_answer(t, text, n - 1));
	for (c = 1; c < 16 && K % 4 != 0; c++) {	/* bits of no symbol */
		text[n - 1] = hex[c];
		if ((c & (15u >> K % 4)) != 0)
			check(!count_answer(t, text, n));
	}
	dp_totals_end(t);
	for (v = 0; v < K; v++)
		check(t->count[v] == count[v]);
	check(t->n == 150);
	dp_totals_free(t);
	dp_mech_free(m);
}

int
main(void)
{
	uint64_t random = 1;
	size_t K;

	for (K = 2; K <= 200; K += K < 70 ? 1 : 13)
		texts(K, &random);
	laws();
	subsets();
	return done();
}
