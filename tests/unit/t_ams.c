/* SPDX-License-Identifier: ISC */
/*
 * t_ams.c - sums of squares by a linear sketch: which draws are in which answer and in memory, by
 * hand; what memory and all answers tell, enumerated; exactness; what is refused.
 */
#include <math.h>

#include "mech.h"
#include "sketch.h"

static struct dp_mech *
make_ams(const struct dp_sketch *s, uint64_t T, uint64_t every, uint64_t num)
{
	const struct dp_mech_rule r = sketch_setting(&dp_f2, s, T, every, num, 1);

	return make("ams", &r);
}

/* Scale of a draw, at epsilon = 1, of so many answers. */
static double
scale(uint64_t answers, uint64_t updates, bool presence)
{
	const struct dp_sketch s = { .universe = 3, .updates = updates, .presence = presence };
	struct dp_mech *m = make_ams(&s, answers, 1, 1);
	const double b = m == NULL ? -1 : dp_q_double(noise_of(m, 0)->param);

	dp_mech_free(m);
	return b;
}

static void
scales(void)
{
	/* one event moves one draw, or h, and one more where the last stretch is full */
	check(scale(1, 0, false) == 1 && scale(2, 0, false) == 2);
	check(scale(3, 0, false) == 2 && scale(4, 0, false) == 3 && scale(5, 0, false) == 3);
	check(scale(1000, 0, false) == 10 && scale(1024, 0, false) == 11);
	/* w lines of an identifier, or w others in their place */
	check(scale(1, 7, true) == 7 && scale(1, 7, false) == 14 && scale(1000, 2, true) == 20);
}

/* Four answers: the cell's draw, then those of stretches that begin, the shortest first. */
static void
by_hand(void)
{
	static const int64_t draw[][3] = { { 10, 20 }, { 30 }, { 40, 50 }, { 60 } };
	static const unsigned draws[] = { 2, 1, 2, 1 };
	static const double number[] = { 3 + 1 + 10 + 20, 3 + 2 + 30 + 20, 3 + 3 + 40 + 50,
	    3 + 4 + 60 + 50 };
	static const int64_t held[] = { 20, 0, 50, 0 };
	const struct dp_sketch s = { .universe = 1, .lines = true };
	struct dp_mech *m = make_ams(&s, 4, 1, 1);
	const int64_t start = 3;
	struct column c;
	double first;
	unsigned j;

	if (m == NULL || dp_rng_open_known(&c.rng, &start, 1) != 0 ||
	    column_new(&c, m, c.rng) != 0) {
		fail("ams");
		return;
	}
	first = number[0] * number[0];
	for (j = 0; j < 4; j++) {
		sees(&c, 0, 1);
		sees(&c, 1, 1);		/* none of the universe */
		dp_rng_free(c.rng);
		if (dp_rng_open_known(&c.rng, draw[j], draws[j]) != 0)
			abort();
		/* a square less what is the same in all */
		if (j == 0)
			first -= asks(&c);
		else
			check(fabs(asks(&c) - (number[j] * number[j] - first)) <= 1);
		check(c.rng->left == 0);
		check(((int64_t *)c.state)[2] == 3 + 1 + (int64_t)j);
		check(((int64_t *)c.state)[3] == 0 && ((int64_t *)c.state)[4] == held[j]);
	}
	sees(&c, 0, 1);			/* nobody will be told: it is not seen */
	check(((int64_t *)c.state)[2] == 3 + 4);
	check(m->ops->valid(m, c.state, 4) && !m->ops->valid(m, c.state, 2));
	((uint64_t *)c.state)[0]--;
	check(m->ops->valid(m, c.state, 2));
	((uint64_t *)c.state)[0] += 2;
	check(!m->ops->valid(m, c.state, 9));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* PAN-PRIVACY, of four answers at most: the law by a recursion of its own. */

#define REACH	50
#define WIDE	2			/* of what is seen */

struct view {
	unsigned k, h;			/* answers, levels */
	double rate;			/* of the noise: 1/scale */
	int told[4];			/* s + N at each answer, less what the first stream has */
	int cell, held;			/* in memory: the cell's draw in the first stream; h = 2 */
	int line, look;			/* slots: of the line, and when memory is seen; */
	bool after;			/* in that slot after the line's place */
	int event;			/* 1: the second stream, which has the line */
};

static double
mass(double e, int z)
{
	return tanh(e / 2) * exp(-e * abs(z));
}

/* The noise that answer j must have, given the cell. */
static int
needed(const struct view *w, unsigned j)
{
	const bool seen = w->line < w->look || (w->line == w->look && w->after);
	const int z = w->cell - (w->event && seen);	/* the cell is the same */

	return w->told[j] - z - (w->event && w->line <= (int)j);
}

/* Answers 2 i and 2 i + 1: the draw of both is free, unless memory holds it. */
static double
of_pair(const struct view *w, unsigned i)
{
	const bool open = w->look == (int)(2 * i + 1);
	double p = 0, each;
	unsigned j;
	int z;

	for (z = open ? w->held : -REACH; z <= (open ? w->held : REACH); z++) {
		each = mass(w->rate, z);
		for (j = 2 * i; j < 2 * i + 2 && j < w->k; j++)
			each *= mass(w->rate, needed(w, j) - z);
		p += each;
	}
	return p;
}

static double
of_view(const struct view *w)
{
	const bool seen = w->line < w->look || (w->line == w->look && w->after);
	double p = mass(w->rate, w->cell - (w->event && seen));
	unsigned j;

	for (j = 0; w->h == 1 && j < w->k; j++)
		p *= mass(w->rate, needed(w, j));
	for (j = 0; w->h == 2 && j < w->k; j += 2)
		p *= of_pair(w, j / 2);
	return p;
}

/* The largest loss over all that may be told from answer j on. */
static double
all_told(struct view *w, unsigned j)
{
	double most = 0, p, q;

	if (j == w->k) {
		w->event = 0;
		p = of_view(w);
		w->event = 1;
		q = of_view(w);
		return fabs(log(p / q));
	}
	for (w->told[j] = -4 * WIDE; w->told[j] <= 4 * WIDE; w->told[j] += 2 * WIDE)
		most = fmax(most, all_told(w, j + 1));
	return most;
}

static void
enumerate(unsigned answers)
{
	struct view w = { .k = answers, .h = answers < 3 ? 1 : 2,
	    .rate = 1 / scale(answers, 0, false) };
	double most = 0;
	int after;

	for (w.line = 0; w.line < (int)answers; w.line++)
		for (w.look = 0; w.look <= (int)answers; w.look++)
			for (after = 0; after < 2; after++)
				for (w.cell = -WIDE; w.cell <= WIDE; w.cell += WIDE)
					for (w.held = -WIDE; w.held <= WIDE; w.held += WIDE) {
						w.after = after != 0;
						most = fmax(most, all_told(&w, 0));
					}
	printf("%u answers: loss %.4f\n", answers, most);
	check(most <= 1 + 1e-9 && most > .95);
}

/* Signs, and undone ones; one's own cell, or of a hash. */
static void
exactly(void)
{
	const struct dp_sketch universe = { .universe = 5, .deletes = true };
	const struct dp_sketch any = { .buckets = 1 << 20, .lines = true };
	struct dp_mech *m = make_ams(&universe, 10, 10, 0);
	struct dp_id id = { .sign = 1 };
	struct column c;
	uint64_t i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("ams without noise");
		return;
	}
	sees(&c, 0, 5);
	sees(&c, 1, -3);
	sees(&c, 0, -1);
	sees(&c, 4, 2);
	sees(&c, 5, 9);
	check(asks(&c) == 16 + 9 + 4);
	column_free(&c);
	dp_mech_free(m);
	/* a bucket for each: far apart, of either sign */
	m = make_ams(&any, 10, 10, 0);
	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("ams of buckets");
		return;
	}
	for (i = 0; i < 6; i++) {
		id.word[0] = i << 50;
		id.word[1] = i;
		check(m->ops->open.see(m, c.state, NULL, &id) == 0);
		check(i % 2 == 0 || m->ops->open.see(m, c.state, NULL, &id) == 0);
	}
	id.word[1]++;			/* another of that bucket, of the other sign */
	check(m->ops->open.see(m, c.state, NULL, &id) == 0);
	check(asks(&c) == 3 * 1 + 2 * 4 + 1);
	column_free(&c);
	dp_mech_free(m);
}

/* The largest that is predicted; intervals by Chebyshev's inequality, by hand. */
static void
predicted(void)
{
	const struct dp_sketch s = { .universe = 50, .lines = true, .updates = 10,
	    .presence = true };
	struct dp_mech *m = make_ams(&s, 200, 200, 1);
	double V, fourth, rest, q = exp(-.1), F, v;
	struct dp_error e;
	dp_wide lo, hi;
	struct column c;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("ams");
		return;
	}
	/* scale 10, two draws; 20 identifiers of 10 lines: F = 2000 */
	V = 2 * q / ((1 - q) * (1 - q));
	fourth = 2 * q * (1 + 4 * q + q * q) / pow(1 - q, 4);
	rest = 50 * (2 * fourth + 2 * 4 * V * V);
	dp_mech_error(m, 200, &e);
	check(fabs(e.max / (8 * V * 2000 + rest) - 1) < 1e-6 && e.mean < e.max);
	F = asks(&c);
	check(m->ops->bound.interval(m, c.state, 0, 200, .05, &lo, &hi) == 0);
	v = 8 * V * (double)hi + rest;
	check(fabs(((double)hi - F) * ((double)hi - F) * .05 / v - 1) < 1e-3 && (double)lo <= F);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* The terms of an error, of a hash's, and how many buckets: those of the law of 1 line and of T. */
static void
said(void)
{
	const struct dp_sketch s = { .lines = true, .buckets = 32 };
	struct dp_mech *m = make_ams(&s, 1000, 1000, 1);
	double a = 0, b = 0, c = 0, V, q = exp(-1);
	unsigned n = 0;
	char text[400];

	V = 2 * 2 * q / ((1 - q) * (1 - q));
	check(m != NULL && m->ops->say.note(m, 0, 1, text, sizeof text));
	check(sscanf(strstr(text, "root of "), "root of %lf + %lf F + %lf F^2 (they share %u", &a,
	    &b, &c, &n) == 4);
	check(n == 32 && fabs(b / (4 * V) - 1) < 1e-3 && fabs(c / (2. / 32) - 1) < 1e-3);
	/* without lines the first alone: of one, 4 V, and no other to meet but by half of it */
	check(fabs((dp_mech_variance(m, 1) - 4 * V - 2. / 8 / 32) / a - 1) < 1e-3);
	check(!m->ops->say.note(m, 1, 1, text, sizeof text));
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch s = { .universe = 9 }, huge = { .universe = (uint64_t)1 << 32 };

	check(make_ams(&s, 0, 1, 1) == NULL);		/* no horizon */
	check(make_ams(&huge, 1, 1, 1) == NULL);
	check(make_ams(&s, (uint64_t)1 << 31, 1, 1) == NULL);
}

int
main(void)
{
	unsigned k;

	scales();
	by_hand();
	for (k = 1; k <= 4; k++)
		enumerate(k);
	exactly();
	predicted();
	said();
	eligible();
	return done();
}
