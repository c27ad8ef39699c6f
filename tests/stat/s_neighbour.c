/*
 * s_neighbour.c - can the claimed epsilon be refuted?
 *
 * T = 8, epsilon = 1, R = 400000 runs a side on x = 0 and on a neighbour (an event at step 1;
 * at step 3; an event of value 5, which the clamp must stop, is tests/dpcount.bats').  Events: all of
 * {y_t >= c_t, t in S}, or all of {y_t < c_t}, for the sets S below (c = 1 where the event counts, so that each factor
 * is on the side the event pushes it to).  epsilon is refuted when the Clopper-Pearson style lower end of ln(p1/p0)
 * exceeds 1: normal quantile 6.3 on both proportions, false-reject rate below 1e-6 for all 12 * 2 * 2 * 16 tests.
 * This can refute differential privacy, not prove it.  Power is shown by tests/faults.bats: tree with one level
 * too few (true loss 1.5) and halved scales (2) are refuted.
 * Tight mechanisms must also come near: input and tree reach at least 0.9 (else the test looks in the wrong place).
 */
#include <stdio.h>

#include "../unit/mech.h"

#define STEPS	8
#define SETS	16

static const char *const name[] = { "input", "output", "response", "tree", "honaker", "hybrid",
    "kary", "bridge", "segmented", "pan", "pan-slots" };

/* Sets as bit masks of steps 1..8. */
static const unsigned set[SETS] = { 1, 2, 4, 8, 128, 3, 11, 139, 9, 12, 13, 15, 255, 136, 252, 140 };

struct counts {
	double up[SETS], down[SETS];
};

static void
simulate(const struct dp_mech *m, struct dp_rng *rng, uint64_t at, uint64_t R, uint64_t shift,
    struct counts *n)
{
	struct column c;
	unsigned high;
	uint64_t r, t;
	int64_t y;
	int i;

	memset(n, 0, sizeof *n);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (high = 0, t = 1; t <= STEPS; t++) {
			if (column_step(&c, t == at, &y) != 0)
				abort();
			high |= (unsigned)(y >= (int64_t)(t >= shift)) << (t - 1);
		}
		column_free(&c);
		for (i = 0; i < SETS; i++) {
			n->up[i] += (high & set[i]) == set[i];
			n->down[i] += (high & set[i]) == 0;
		}
	}
}

/* Lower end of ln(a/b) for two counts of R. */
static double
loss(double a, double b, double R)
{
	const double z = 6.3;

	if (a < 2000 || b < 50)
		return -INFINITY;
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

static double
audit(const char *what, struct dp_rng *rng)
{
	static const uint64_t at[] = { 1, 3 };
	const uint64_t R = 400000;
	struct dp_setting s = setting(STEPS, 1, 1, 1);
	struct counts zero, one;
	struct dp_mech *m;
	double worst = 0, d;
	int i, k;

	s.pan = strncmp(what, "pan", 3) == 0;
	if ((m = make(what, &s)) == NULL)
		abort();
	for (k = 0; k < 2; k++) {
		simulate(m, rng, 0, R, at[k], &zero);
		simulate(m, rng, at[k], R, at[k], &one);
		for (i = 0; i < SETS; i++) {
			d = loss(one.up[i], zero.up[i], (double)R);
			worst = d > worst ? d : worst;
			d = loss(zero.down[i], one.down[i], (double)R);
			worst = d > worst ? d : worst;
		}
	}
	dp_mech_free(m);
	return worst;
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	double d;
	size_t i;

	if (dp_rng_open_seed(&rng, 8) != 0)
		abort();
	for (i = 0; i < sizeof name / sizeof name[0]; i++) {
		if (argc > 1 && strcmp(argv[1], name[i]) != 0)
			continue;
		d = audit(name[i], rng);
		printf("%s: loss at least %.3f of 1\n", name[i], d);
		check(d <= 1);
		if (i == 0 || strcmp(name[i], "tree") == 0)
			check(d >= 0.9);
	}
	dp_rng_free(rng);
	return done();
}
