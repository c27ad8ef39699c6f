/* SPDX-License-Identifier: ISC */
/*
 * s_alg3.c - Algorithm 3 of Mir et al. 2011: mean and variance of its answers, which are biased,
 * and whether epsilon can be refuted from memory and an answer together.
 *
 * Law: R = 4000 runs, fixed seed, of 12 identifiers; statistics and limits as in s_distinct.c, v
 * and mean by the midpoint rule over multipliers and places.  Power: a constant 10 % off moves one
 * beyond 10.  Neighbours: as there; an event is (the third of either circle, an answer's part).
 */
#include "../unit/covers.h"
#include "../unit/histories.h"

#define RUNS	4000
#define M	12

struct trial {
	struct dp_mech *m;
	struct dp_rng *rng;
	double base, unit;
};

static uint64_t
circle(uint64_t tau)
{
	return 2 * tau * (((uint64_t)1 << 24) / tau);
}

/* Of a cell of Algorithm 2, mended: the mean and the variance of what it adds. */
static void
cell(double tau, double E, double a, double *mean, double *var)
{
	const double K = 2 * tau - 1 + E, all = 2 * tau;
	double one = 0, two = 0, y;
	int i, j;

	for (i = 0; i < 1024; i++)
		for (j = 0; j < 64; j++) {
			y = fmod((1 + (i + .5) / 1024) * a + (j + .5) / 64, all);
			one += y / (1024 * 64);
			two += y * y / (1024 * 64);
		}
	one = (all * all / 2 + (E - 1) * one) / K;
	two = (all * all * all / 3 + (E - 1) * two) / K;
	*mean = (one - (all * all / 2 + (E - 1) / 2) / K) * K / (E - 1);
	*var = (two - one * one) * K / (E - 1) * K / (E - 1);
}

static void
law(uint64_t tau, uint64_t epsilon)
{
	static double x[RUNS];
	const uint64_t count[M] = { 0, 1, tau / 2, tau - 1, tau, tau + 1, 3 * tau, 2 * tau + 5, 2,
	    tau / 3, 4 * tau, 0 };
	const struct dp_sketch s = { .universe = M, .tau = tau };
	const struct dp_mech_rule r = sketch_setting(&dp_heavy, &s, 9, 0, epsilon, 1);
	struct dp_mech *m = make("alg3", &r);
	struct dp_rng *rng = seeded(tau);
	double mean = 0, s2 = 0, s4 = 0, want = 0, v = 0, one, var, d, E, step;
	const double width = (double)(tau - tau / 2);
	struct column c;
	unsigned i, part;
	int k;

	if (m == NULL) {
		fail("alg3");
		return;
	}
	for (part = 0; part < 2; part++) {
		const struct dp_noise *z = noise_of(m->part[part].inner, 0);
		const uint64_t own = tau >> part;

		E = exp((double)epsilon / 2 - (double)(circle(own) - 1) / dp_q_double(z->param));
		step = (2 * (double)own - 1 + E) / (E - 1) / (double)(circle(own) / (2 * own));
		v += step * step * dp_noise_variance(z) / (width * width);
		for (i = 0; i < M; i++) {
			cell((double)own, E, (double)count[i], &one, &var);
			want += (part == 0 ? one : -one) / width;
			v += var / (width * width);
		}
	}
	for (k = 0; k < RUNS; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (i = 0; i < M; i++)
			sees(&c, i, (int64_t)count[i]);
		x[k] = asks(&c);
		column_free(&c);
		mean += x[k] / RUNS;
	}
	for (k = 0; k < RUNS; k++) {
		d = x[k] - mean;
		s2 += d * d / (RUNS - 1);
		s4 += d * d * d * d / RUNS;
	}
	check(fabs(mean - want) <= LIMIT * sqrt(v / RUNS));
	check(fabs(s2 / v - 1) <= LIMIT * sqrt((s4 / (s2 * s2) - 1) / RUNS) + .1 / v);
	check(v <= dp_mech_variance(m, 9) * 1.01);
	if (fabs(mean - want) > LIMIT * sqrt(v / RUNS) || fabs(s2 / v - 1) > .2)
		printf("alg3: mean %.6g, not %.6g; variance %.6g, not %.6g\n", mean, want, s2, v);
	dp_rng_free(rng);
	dp_mech_free(m);
}

static void
begin(const struct trial *w, struct column *c)
{
	static const uint64_t key[2] = { 1, 2 };	/* privacy may not rest on it */
	unsigned i;

	if (column_new(c, w->m, w->rng) != 0)
		abort();
	for (i = 0; i < 2; i++)
		memcpy(dp_part_column(&w->m->part[i], c->state, 0), key, sizeof key);
}

static unsigned
memory(const struct trial *w, const struct column *c)
{
	unsigned i, at = 0;

	for (i = 0; i < 2; i++) {
		const uint64_t *cell = dp_part_column(&w->m->part[i], c->state, 0);

		at = 3 * at + (unsigned)(cell[2] * 3 / circle((uint64_t)4 >> i));
	}
	return at;
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	return part_of((asks(c) - w->base) / w->unit);
}

static void
neighbours(void)
{
	static double hit[TIMES][EVENTS];
	const struct dp_sketch s = { .universe = 1, .tau = 4, .deletes = true };
	const struct dp_mech_rule r = sketch_setting(&dp_heavy, &s, 9, 0, 3, 2);
	struct trial w = { .m = make("alg3", &r), .rng = seeded(41) };
	double largest = 0;
	unsigned i, after;

	if (w.m == NULL) {
		fail("alg3");
		return;
	}
	w.unit = sqrt(dp_mech_variance(w.m, 1)) / 2;
	for (after = 0; after < 2; after++) {
		memset(hit, 0, sizeof hit);
		for (i = 0; i < TIMES; i++)
			run(&w, hit[i], i, 60000, after);
		check(!refuted("alg3", hit, 1.5, 400, &largest));
	}
	check(largest > 1.5 * .3);	/* an answer of two sums tells little */
	if (largest <= 1.5 * .3)
		printf("alg3: largest log-ratio %.3g\n", largest);
	dp_rng_free(w.rng);
	dp_mech_free(w.m);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (!leave_named("law", "alg3", "heavy")) {
		law(4, 20);
		law(20, 30);
	}
	if (!leave_named("neighbour", "alg3", "heavy"))
		neighbours();
	return done();
}
