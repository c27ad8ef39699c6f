/* SPDX-License-Identifier: ISC */
/*
 * s_modular.c - counts modulo K: mean and variance of answers, and whether epsilon can be refuted
 * from memory and an answer together.
 *
 * Law: R = 6000 runs, fixed seed, of 60 identifiers of which N have the counts that are asked for;
 * statistics and limits as in s_distinct.c, for each of 12.  Power: a gain 10 % off moves one
 * beyond 10.  Neighbours: as there; an event is (the number that memory holds, an answer's part).
 */
#include "../unit/covers.h"
#include "../unit/histories.h"

#define RUNS	6000
#define M	60

struct trial {
	struct dp_mech *m;
	struct dp_rng *rng;
	double base, unit;
};

static struct dp_mech *
make_modular(uint64_t universe, uint64_t tau, uint64_t K, uint64_t epsilon, struct dp_sketch *s)
{
	struct dp_mech_rule r;

	*s = (struct dp_sketch){ .universe = universe, .tau = tau, .modulo = K, .deletes = true };
	r = sketch_setting(&dp_incidence, s, 9, 0, epsilon, 2);
	return make("modular", &r);
}

static void
law(uint64_t tau, uint64_t K)
{
	static double x[RUNS];
	struct dp_sketch s;
	struct dp_mech *m = make_modular(M, tau, K, 6, &s);
	struct dp_rng *rng = seeded(K);
	double mean, s2, s4, d, v, E, q, al, gap, N;
	struct column c;
	uint64_t i, few;
	int k;

	for (few = 0; few < M && m != NULL; few += 29) {
		for (k = 0; k < RUNS; k++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (i = 0; i < M; i++)		/* 1 + tau more often than K asks */
				sees(&c, i, (int64_t)(i < few ? tau + (i % 3) * K :
				    tau + 1 + i % (K - 1)) - (i % 5 == 0 ? (int64_t)K : 0));
			x[k] = asks(&c);
			column_free(&c);
		}
		for (mean = s2 = s4 = 0, k = 0; k < RUNS; k++)
			mean += x[k] / RUNS;
		for (k = 0; k < RUNS; k++) {
			d = x[k] - mean;
			s2 += d * d / (RUNS - 1);
			s4 += d * d * d * d / RUNS;
		}
		E = exp(3 - 1 / dp_q_double(noise_of(m, 0)->param));
		q = 1 / ((double)K - 1 + E);
		gap = (E - 1) * q;
		al = exp(-1 / dp_q_double(noise_of(m, 0)->param));
		N = (double)few;
		v = (N * E * q * (1 - E * q) + (M - N) * q * (1 - q) +
		    2 * al / (1 - al) / (1 - al)) / (gap * gap);
		check(fabs(mean - N) <= LIMIT * sqrt(v / RUNS));
		check(fabs(s2 / v - 1) <= LIMIT * sqrt((s4 / (s2 * s2) - 1) / RUNS) + .1 / v);
		check(v <= dp_mech_variance(m, 1) * (1 + 1e-9));
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

static void
begin(const struct trial *w, struct column *c)
{
	if (column_new(c, w->m, w->rng) != 0)
		abort();
}

static unsigned
memory(const struct trial *w, const struct column *c)
{
	(void)w;
	return *(const uint16_t *)(const void *)c->state;
}

static unsigned
answered(const struct trial *w, struct column *c)
{
	return part_of((asks(c) - w->base) / w->unit);
}

static void
neighbours(uint64_t K)
{
	static double hit[TIMES][EVENTS];
	struct dp_sketch s;
	struct trial w = { .m = make_modular(1, 1, K, 3, &s), .rng = seeded(K) };
	double largest = 0;
	struct column c;
	unsigned i, after;

	if (w.m == NULL) {
		fail("modular");
		return;
	}
	begin(&w, &c);
	*(uint16_t *)(void *)c.state = 0;
	w.base = asks_with(&c, 0);
	w.unit = (asks_with(&c, 1000) - w.base) / 1000;
	column_free(&c);
	for (after = 0; after < 2; after++) {
		memset(hit, 0, sizeof hit);
		for (i = 0; i < TIMES; i++)
			run(&w, hit[i], i, 60000, after);
		check(!refuted("modular", hit, 1.5, 400, &largest));
	}
	check(largest > 1.5 * .85);
	if (largest <= 1.5 * .85)
		printf("modular: largest log-ratio %.3g\n", largest);
	dp_rng_free(w.rng);
	dp_mech_free(w.m);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (!leave_named("law", "modular", "incidence")) {
		law(1, 2);
		law(0, 5);
	}
	if (!leave_named("neighbour", "modular", "incidence")) {
		neighbours(2);
		neighbours(5);
	}
	return done();
}
