/* SPDX-License-Identifier: ISC */
/*
 * t_modular.c - counts modulo K: exactness, oracles, the starts, the joint law of memory and an
 * answer by enumeration.
 */
#include "sketch.h"

static struct dp_mech *
make_modular(uint64_t universe, uint64_t tau, uint64_t modulo, uint64_t num, uint64_t den)
{
	const struct dp_sketch s = { .universe = universe, .tau = tau, .modulo = modulo,
	    .deletes = true };
	const struct dp_mech_rule r = sketch_setting(&dp_incidence, &s, 9, 0, num, den);

	return make("modular", &r);
}

/* eps1: what the one answer does not have. */
static double
state_loss(const struct dp_mech *m, double eps)
{
	return eps - 1 / dp_q_double(noise_of(m, 0)->param);
}

static void
texts(void)
{
	struct dp_sketch s = { .universe = 1 };

	check(dp_sketch_often(&s, "7") == 0 && s.tau == 7 && s.modulo == 0);
	check(dp_sketch_often(&s, "0%2") == 0 && s.tau == 0 && s.modulo == 2);
	check(dp_sketch_often(&s, "65535%65536") == 0 && s.tau == 65535);
	check(dp_sketch_often(&s, "0") != 0 && dp_sketch_often(&s, "2%2") != 0);
	check(dp_sketch_often(&s, "%2") != 0 && dp_sketch_often(&s, "1%") != 0);
	check(dp_sketch_often(&s, "0%1") != 0 && dp_sketch_often(&s, "1%65537") != 0);
	check(dp_sketch_often(&s, "-1%3") != 0 && dp_sketch_often(&s, "1%3%5") != 0);
}

static void
exactly(uint64_t tau, uint64_t K)
{
	struct dp_mech *m = make_modular(50, tau, K, 0, 1);
	int64_t a[50] = { 0 };
	struct column c;
	double want;
	uint64_t i, k;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("modular without noise");
		return;
	}
	for (i = 0; i < 300; i++) {
		const int64_t by = (int64_t)(i % 11) - 4;

		sees(&c, i * 7 % 50, by);
		sees(&c, 50 + i, 1);		/* none of the universe */
		a[i * 7 % 50] += by;
		for (want = 0, k = 0; k < 50; k++)
			want += (uint64_t)((a[k] % (int64_t)K + (int64_t)K) % (int64_t)K) == tau;
		check(asks(&c) == want);
	}
	column_free(&c);
	dp_mech_free(m);
}

/* N^ = (Y + z - m q)/gap; E = 3, K = 3: q = 1/5, gap = 2/5. */
static void
oracles(void)
{
	struct dp_mech *m = make_modular(8, 2, 5, 9, 4);
	struct column c;
	double E, q, gap, v, al;
	uint16_t *cell;
	uint64_t y;
	int64_t z;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("modular");
		return;
	}
	E = exp(state_loss(m, 2.25));
	q = 1 / (4 + E);
	gap = (E - 1) * q;
	cell = (uint16_t *)(void *)c.state;
	for (y = 0; y < 8; y++)
		cell[y] = 3;
	for (y = 0; y <= 8; y++) {
		for (z = -3; z < 4; z++)
			check(asks_with(&c, z) == rint(((double)y + (double)z - 8 * q) / gap));
		if (y < 8)
			cell[y] = 2;
	}
	al = exp(-1 / dp_q_double(noise_of(m, 0)->param));
	v = (8 * fmax(q * (1 - q), E * q * (1 - E * q)) + 2 * al / (1 - al) / (1 - al)) /
	    (gap * gap);
	check(fabs(dp_mech_variance(m, 1) / v - 1) < 1e-9);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* 30000 starts: each number within 5.5 sd. */
static void
starts(uint64_t K)
{
	struct dp_mech *m = make_modular(30000, 1, K, 2, 1);
	double hit[8] = { 0 }, E, p;
	struct column c;
	uint64_t i;

	if (m == NULL || column_new(&c, m, seeded(3)) != 0) {
		fail("modular");
		return;
	}
	E = exp(state_loss(m, 2));
	for (i = 0; i < 30000; i++)
		hit[((uint16_t *)(void *)c.state)[i] % 8]++;
	for (i = 0; i < 8; i++) {
		p = i >= K ? 0 : (i == 0 ? E : 1) / ((double)K - 1 + E);
		check(fabs(hit[i] - 30000 * p) <= 5.5 * sqrt(30000 * p * (1 - p)));
	}
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/*
 * One cell: the worst log-ratio of (what memory holds, an answer) over what came before memory was
 * seen, and until the answer, by the numbers that the mechanism itself counts as R, is epsilon.
 */
static void
enumerate(uint64_t K, uint64_t num, uint64_t den)
{
	struct dp_mech *m = make_modular(1, 1, K, num, den);
	const double eps = (double)num / (double)den;
	double worst = 0, eps1, scale, step;
	int counts[8];
	struct column c;
	uint64_t i, d, e, u, v;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("modular");
		return;
	}
	scale = dp_q_double(noise_of(m, 0)->param);
	eps1 = state_loss(m, eps);
	step = (asks_with(&c, 1000000000) - asks_with(&c, 0)) / 1e9;
	for (i = 0; i < K; i++) {
		*(uint16_t *)(void *)c.state = (uint16_t)i;
		counts[i] = (int)rint(asks_with(&c, 1000000000) / step - 1e9);
	}
	for (i = 1; i < K; i++)		/* R alone is one more; the rest is m q */
		check(counts[i] - counts[0] == (i == 1));
	for (d = 0; d < K; d++)		/* memory is 0: begun at -d, or at -e */
		for (e = 0; e < K; e++)
			for (u = 0; u < K; u++)
				for (v = 0; v < K; v++)
					worst = fmax(worst, eps1 * ((d == 0) - (double)(e == 0)) +
					    abs(counts[u] - counts[v]) / scale);
	check(worst <= eps * (1 + 1e-9) && worst >= eps * (1 - 1e-9));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch s = { .universe = 9, .tau = 1, .modulo = 2 };
	const struct dp_mech_rule r = sketch_setting(&dp_incidence, &s, 9, 0, 1, 1);

	check(make_modular(0, 1, 2, 1, 1) == NULL && make_modular(9, 2, 2, 1, 1) == NULL);
	check(make_modular(9, 0, 1, 1, 1) == NULL && make_modular(9, 0, 65537, 1, 1) == NULL);
	check(make_modular(9, 3, 0, 1, 1) == NULL);
	/* counts how often it was, not modulo anything */
	check(make("phase", &r) == NULL);
}

int
main(void)
{
	texts();
	exactly(0, 2);
	exactly(1, 2);
	exactly(4, 7);
	exactly(3, 1000);
	oracles();
	starts(2);
	starts(5);
	enumerate(2, 1, 1);
	enumerate(5, 3, 1);
	enumerate(7, 1, 4);
	eligible();
	return done();
}
