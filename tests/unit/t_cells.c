/* SPDX-License-Identifier: ISC */
/*
 * t_cells.c - cells of a declared universe: the circle, its oracles, the joint law of memory and
 * outputs by enumeration, the variance and the division of the budget.
 */
#include "sketch.h"
#include "sketch/internal.h"

#define EIGHTH	((uint64_t)1 << 61)	/* a place of a circle of 8 */

/* Places 6, 7, 0, 1 of 8 are IN; at a large epsilon p is 0, and each OUT counts 2. */
static void
oracles(void)
{
	static const uint64_t in[] = { 6, 7, 0, 1 };
	const struct dp_sketch s = { .universe = 3, .deletes = true, .bits = 3 };
	struct dp_mech *m = sketch_make("cells", &s, 9, 0, 1000000, 1);
	struct column c;
	int i;

	for (i = 0; i < 4; i++) {
		check(!dp_cell_out(in[i] * EIGHTH));
		check(dp_cell_out((in[i] + 4) * EIGHTH));
	}
	check(!dp_cell_out(2 * EIGHTH - 1) && dp_cell_out(6 * EIGHTH - 1));
	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("cells of 3 bits");
		return;
	}
	cells_of(&c)[0] = 2 * EIGHTH;
	cells_of(&c)[1] = 6 * EIGHTH;
	cells_of(&c)[2] = 0;
	check(asks_with(&c, 0) == 2);
	cells_of(&c)[0] = 1 * EIGHTH;
	cells_of(&c)[1] = 3 * EIGHTH;
	cells_of(&c)[2] = 5 * EIGHTH;
	check(asks_with(&c, 0) == 4);
	check(asks_with(&c, -1) == 2);
	/* the borders of the circle's halves */
	cells_of(&c)[0] = 2 * EIGHTH - 1;
	cells_of(&c)[1] = 6 * EIGHTH;
	cells_of(&c)[2] = 0;
	check(asks_with(&c, 0) == 0);
	cells_of(&c)[1] = 6 * EIGHTH - 1;
	cells_of(&c)[2] = 2 * EIGHTH;
	check(asks_with(&c, 0) == 4);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* Over all starts and multipliers of a circle of 8, E = 3: P(OUT) = 1/4, and 1/2 for a = 1 .. 7. */
static void
fair(void)
{
	uint64_t c, f, a;
	unsigned out;

	for (a = 0; a < 8; a++) {
		for (out = 0, c = 0; c < 8; c++)
			for (f = 0; f < 8; f++)
				if (dp_cell_out((c + f * a) * EIGHTH))
					out += dp_cell_out(c * EIGHTH) ? 1 : 3;
		/* of 8 (4 + 4 3) */
		check(out == (a == 0 ? 32 : 64));
	}
}

/* Of 4000 identifiers' multipliers on a circle of 8 each value has its share; chi-square, 7 df. */
static void
multipliers(void)
{
	const struct dp_sketch s = { .universe = 4000, .bits = 3 };
	struct dp_mech *m = sketch_make("cells", &s, 9, 0, 1, 1);
	struct column c;
	double n[8] = { 0 }, x = 0;
	uint64_t before;
	int i;

	if (m == NULL || column_new(&c, m, seeded(4)) != 0) {
		fail("cells of 3 bits");
		return;
	}
	for (i = 0; i < 4000; i++) {
		before = cells_of(&c)[i];
		sees(&c, (uint64_t)i, 1);
		n[(cells_of(&c)[i] - before) / EIGHTH]++;
	}
	for (i = 0; i < 8; i++)
		x += (n[i] - 500) * (n[i] - 500) / 500;
	check(x < 42);			/* 5e-7 */
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* The start: OUT with probability p, and every place of a half as often; chi-square, 7 df. */
static void
starts(void)
{
	const struct dp_sketch s = { .universe = 40000, .bits = 3 };
	struct dp_mech *m = sketch_make("cells", &s, 9, 0, 1, 1);
	struct column c;
	double n[8] = { 0 }, x = 0, p, want;
	uint64_t i;

	if (m == NULL || column_new(&c, m, seeded(5)) != 0) {
		fail("cells of 3 bits");
		return;
	}
	p = 1 / (1 + exp(1 / dp_q_double(noise_of(m, 1)->param)));
	for (i = 0; i < 40000; i++)
		n[cells_of(&c)[i] / EIGHTH]++;
	for (i = 0; i < 8; i++) {
		want = 10000 * (dp_cell_out(i * EIGHTH) ? p : 1 - p);
		x += (n[i] - want) * (n[i] - want) / want;
	}
	check(x < 42);			/* 5e-7 */
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
history(void)
{
	const struct dp_sketch s = { .universe = 5, .deletes = true };

	forgets(sketch_make("cells", &s, 9, 0, 1, 1));
}

static void
exactly(void)
{
	const struct dp_sketch s = { .universe = 5, .deletes = true };
	struct dp_mech *m = sketch_make("cells", &s, 9, 0, 0, 1);
	struct column c;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("cells without noise");
		return;
	}
	check(asks(&c) == 0);
	sees(&c, 0, 3);
	sees(&c, 4, -2);
	sees(&c, 2, 1);
	check(asks(&c) == 3);
	sees(&c, 0, -3);
	check(asks(&c) == 2);
	column_free(&c);
	dp_mech_free(m);
}

/* A circle of 8 and one identifier: the law of its place at t0 and of what is released. */
struct world {
	struct dp_mech *m;
	struct column c;
	const struct dp_noise *state, *output;
	double p;			/* OUT at the start */
	double base, unit;		/* an answer is base + unit (Y + z) */
};

#define REACH	24			/* of the noise in an output, each way */

/* Y, from an answer without noise. */
static int
seen_out(struct world *w, uint64_t place)
{
	cells_of(&w->c)[0] = place * EIGHTH;
	return asks_with(&w->c, 0) > w->base + w->unit / 2;
}

/*
 * law[place][z + REACH]: memory holds `place`, and the output is z, asked before memory is seen
 * or after it.  a: the net count when memory is seen; b: when the output is asked for.
 */
static void
joint(struct world *w, uint64_t f, int a, int b, double law[8][2 * REACH + 1])
{
	uint64_t c, place;
	double start;
	int k, y;

	memset(law, 0, 8 * sizeof law[0]);
	for (c = 0; c < 8; c++) {
		start = (dp_cell_out(c * EIGHTH) ? w->p : 1 - w->p) / 4;
		place = (c + f * (uint64_t)a) % 8;
		y = seen_out(w, (c + f * (uint64_t)b) % 8);
		for (k = -REACH; k <= REACH; k++)
			law[place][k + REACH] += start * laplace(w->output, k - y);
	}
}

static double
worst_ratio(double x[8][2 * REACH + 1], double y[8][2 * REACH + 1])
{
	double worst = 0;
	int i, k;

	for (i = 0; i < 8; i++)
		for (k = 0; k <= 2 * REACH; k++)
			worst = fmax(worst, fabs(log(x[i][k] / y[i][k])));
	return worst;
}

/*
 * The worst log-ratio over all multipliers and all pairs of histories is epsilon, no more and no
 * less: the claim holds and is tight.
 */
static void
enumerate(uint64_t num, uint64_t den)
{
	static double law[8][8][8][2 * REACH + 1];
	const struct dp_sketch s = { .universe = 1, .deletes = true, .bits = 3 };
	struct world w = { .m = sketch_make("cells", &s, 9, 0, num, den) };
	double worst = 0, half;
	uint64_t f, g;
	int a, b, i, j;

	if (w.m == NULL || column_new(&w.c, w.m, seeded(3)) != 0) {
		fail("cells of 3 bits");
		return;
	}
	w.output = noise_of(w.m, 0);
	w.state = noise_of(w.m, 1);
	w.p = 1 / (1 + exp(1 / dp_q_double(w.state->param)));
	cells_of(&w.c)[0] = 0;
	w.base = asks_with(&w.c, 0);
	cells_of(&w.c)[0] = 4 * EIGHTH;
	w.unit = asks_with(&w.c, 0) - w.base;
	/* what see() adds is a multiple of an eighth, and the same each time */
	cells_of(&w.c)[0] = 0;
	sees(&w.c, 0, 1);
	g = cells_of(&w.c)[0];
	check(g % EIGHTH == 0);
	sees(&w.c, 0, 6);
	check(cells_of(&w.c)[0] == 7 * g);
	for (f = 0; f < 8; f++) {
		for (a = 0; a < 8; a++)
			for (b = 0; b < 8; b++)
				joint(&w, f, a, b, law[a][b]);
		for (i = 0; i < 64; i++)
			for (j = 0; j < i; j++)
				worst = fmax(worst, worst_ratio(law[i / 8][i % 8],
				    law[j / 8][j % 8]));
	}
	half = (double)num / (double)den;
	check(worst <= half * (1 + 1e-9));
	check(worst >= half * (1 - 1e-3));
	if (worst > half * (1 + 1e-9) || worst < half * (1 - 1e-3))
		printf("epsilon = %llu/%llu: %.9g\n", (unsigned long long)num,
		    (unsigned long long)den, worst);
	dp_rng_free(w.c.rng);
	column_free(&w.c);
	dp_mech_free(w.m);
}

/* Var D^ at most, as the specification has it; and what the law says of it. */
static void
variances(void)
{
	static const uint64_t universe[] = { 1, 100, 12345 };
	struct dp_mech *m;
	double e1, e2, al, v;
	uint64_t k;
	int i;

	for (i = 0; i < 3; i++)
		for (k = 1; k <= 10; k *= 10) {
			const struct dp_sketch s = { .universe = universe[i] };

			if ((m = sketch_make("cells", &s, k, 1, 1, 1)) == NULL) {
				fail("cells");
				continue;
			}
			e2 = 1 / dp_q_double(noise_of(m, 0)->param);
			e1 = 1 / dp_q_double(noise_of(m, 1)->param);
			/* all of epsilon, and no more */
			check(e1 + (double)k * e2 <= 1 + 1e-12);
			check(e1 + (double)k * e2 >= 1 - 1e-12);
			al = exp(-e2);
			v = (double)universe[i] * (pow(sinh(e1 / 2), -2) + 1) +
			    4 * pow(tanh(e1 / 2), -2) * 2 * al / (1 - al) / (1 - al);
			check(fabs(dp_mech_variance(m, 1) / v - 1) < 1e-9);
			dp_mech_free(m);
		}
}

/* No division of the budget is better; the specification's figures for epsilon = 1. */
static void
split(void)
{
	static const struct {
		uint64_t m;
		double part;
	} best[] = { { 100, .68 }, { 10000, .91 }, { 1000000, .98 } };
	struct dp_mech *m;
	double part, v, x, al, other;
	int i, j;

	for (i = 0; i < 3; i++) {
		const struct dp_sketch s = { .universe = best[i].m };

		if ((m = sketch_make("cells", &s, 9, 0, 1, 1)) == NULL) {
			fail("cells");
			continue;
		}
		part = 1 / dp_q_double(noise_of(m, 1)->param);
		check(fabs(part - best[i].part) < .006);
		v = dp_mech_variance(m, 1);
		for (j = 1; j < 1000; j++) {
			x = j / 1000.;
			al = exp(x - 1);
			other = (double)s.universe * (pow(sinh(x / 2), -2) + 1) +
			    8 * al / (1 - al) / (1 - al) / tanh(x / 2) / tanh(x / 2);
			check(v <= other * (1 + 1e-9));
			/* an even one nearly doubles the error of a million */
			check(j != 500 || i != 2 || sqrt(other / v) > 1.8);
		}
		dp_mech_free(m);
	}
}

/* In line mode there are no more identifiers than lines. */
static void
lines(void)
{
	const struct dp_sketch s = { .universe = 50, .lines = true };
	struct dp_mech *m = sketch_make("cells", &s, 1000, 0, 1, 1);
	struct dp_error e, b;

	if (m == NULL) {
		fail("cells");
		return;
	}
	check(fabs(dp_mech_variance(m, 20) - dp_mech_variance(m, 10) - 10) < 1e-6);
	check(dp_mech_variance(m, 50) == dp_mech_variance(m, 1000));
	m->ops->error(m, 1000, &e);
	error_brute(m, 1000, &b);
	check(fabs(e.max / b.max - 1) < 1e-9 && fabs(e.mean / b.mean - 1) < 1e-9);
	m->ops->error(m, 30, &e);
	error_brute(m, 30, &b);
	check(fabs(e.max / b.max - 1) < 1e-9 && fabs(e.mean / b.mean - 1) < 1e-9);
	dp_mech_free(m);
}

/* The specification's figures, in roots of m: .2217 for epsilon = 1, .2424 for 1/2, .162 for 2. */
static void
lower(void)
{
	static const struct {
		double eps, want;
	} row[] = { { 1, .2217 }, { .5, .2424 }, { 2, .1620 } };
	struct dp_sketch s = { .universe = 10000 };
	struct dp_task k = { .what = DP_TASK_OWN, .statistic = &dp_distinct, .own = &s };
	int i;

	for (i = 0; i < 3; i++)
		check(fabs(dp_task_lower_bound(&k, 9, row[i].eps, 0, .05) / 100 - row[i].want) <
		    1e-4);
	/* what is (epsilon, delta)-private may do better, for all we know */
	check(dp_task_lower_bound(&k, 9, 1, 1e-9, .05) == 0);
	k.statistic = &dp_density;
	check(fabs(dp_task_lower_bound(&k, 9, 1, 0, .05) - 2217) < 1);
	/* of 200 lines 100 may be those that memory holds */
	k.statistic = &dp_distinct;
	s.lines = true;
	check(fabs(dp_task_lower_bound(&k, 200, 1, 0, .05) - 2.217) < 1e-3);
	s.universe = 0;
	check(fabs(dp_task_lower_bound(&k, 200, 1, 0, .05) - 2.217) < 1e-3);
	check(dp_task_lower(&k) == DP_LOWER_PAN);
}

static void
eligible(void)
{
	const struct dp_sketch none = { .universe = 0 }, s = { .universe = 9 };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 0, 1, 1, 1);
	struct dp_mech *m;

	check(sketch_make("cells", &none, 9, 0, 1, 1) == NULL);
	/* an answer every step, and nobody knows how many steps: what would one cost? */
	check(make("cells", &r) == NULL);
	r.every = 0;
	check((m = make("cells", &r)) != NULL);
	dp_mech_free(m);
	/* fewer steps than lie between answers: one answer's worth */
	check((m = sketch_make("cells", &s, 9, 100, 1, 1)) != NULL);
	dp_mech_free(m);
}

int
main(void)
{
	oracles();
	fair();
	multipliers();
	starts();
	history();
	exactly();
	enumerate(1, 1);
	enumerate(13, 10);
	enumerate(1, 10);
	variances();
	split();
	lines();
	lower();
	eligible();
	return done();
}
