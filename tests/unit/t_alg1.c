/* SPDX-License-Identifier: ISC */
/*
 * t_alg1.c - the sketch that can only be computed when it is tiny: its metric, its law by
 * enumeration, epsilon of memory and answer together.
 */
#include "sketch.h"

#define VECTORS	729

static unsigned
plus(unsigned x, unsigned y)
{
	unsigned sum = 0, p;

	for (p = 1; p < VECTORS; p *= 3)
		sum += (x / p + y / p) % 3 * p;
	return sum;
}

/* Where the column is, and where it is after an identifier. */
static unsigned
at(const struct column *c)
{
	return (unsigned)*(const uint64_t *)c->state;
}

/* Distances by brute force, from the rows that see() shows. */
static void
distances(struct column *c, uint64_t m, int *dist)
{
	unsigned z, y, r;
	uint64_t i;
	int d;
	bool more = true;

	for (z = 0; z < VECTORS; z++)
		dist[z] = z == 0 ? 0 : 99;
	for (d = 0; more; d++)
		for (more = false, i = 0; i < m; i++) {
			*(uint64_t *)c->state = 0;
			sees(c, i, 1);
			r = at(c);
			for (z = 0; z < VECTORS; z++) {
				if (dist[z] != d)
					continue;
				for (y = plus(z, r); y != z; y = plus(y, r))
					if (dist[y] > d + 1) {
						dist[y] = d + 1;
						more = true;
					}
			}
		}
}

/*
 * P(c) of the state and of the output; the worst log-ratio of (memory, answer) between any two
 * streams that differ in one identifier: epsilon.
 */
static void
enumerate(uint64_t m)
{
	const struct dp_sketch s = { .universe = m, .deletes = true };
	struct dp_mech *k = sketch_make("alg1", &s, 9, 0, 3, 2);
	double law[VECTORS], all = 0, worst = 0, kappa, hit[VECTORS] = { 0 }, x = 0, df = -1;
	int dist[VECTORS], i;
	struct column c;
	unsigned z, r, y;
	uint64_t id;

	if (k == NULL || column_new(&c, k, seeded(1)) != 0) {
		fail("alg1");
		return;
	}
	kappa = 1 / dp_q_double(noise_of(k, 1)->param);
	check(fabs(kappa + 1 / dp_q_double(noise_of(k, 0)->param) - 1.5) < 1e-12);
	distances(&c, m, dist);
	for (z = 0; z < VECTORS; z++)
		all += law[z] = dist[z] == 99 ? 0 : exp(-kappa * dist[z]);
	for (id = 0; id < m; id++) {
		*(uint64_t *)c.state = 0;
		sees(&c, id, 1);
		r = at(&c);
		check(r != 0);
		for (z = 0; z < VECTORS; z++)
			if (law[z] > 0)
				worst = fmax(worst, fabs(log(law[z] / law[plus(z, r)])));
		/* undone is undone */
		sees(&c, id, -1);
		check(at(&c) == 0);
	}
	check(worst <= kappa * (1 + 1e-9) && worst >= kappa * (1 - 1e-9));
	/* starts have that law: chi-square over vectors, limit at 1e-6 */
	column_free(&c);
	for (i = 0; i < 40000; i++) {
		if (column_new(&c, k, c.rng) != 0)
			abort();
		hit[at(&c)]++;
		column_free(&c);
	}
	for (z = 0; z < VECTORS; z++) {
		if (law[z] == 0) {
			check(hit[z] == 0);
			continue;
		}
		y = z;
		x += pow(hit[y] - 40000 * law[y] / all, 2) / (40000 * law[y] / all);
		df++;
	}
	check(x < df + 4.9 * sqrt(2 * df) + 12);
	dp_rng_free(c.rng);
	dp_mech_free(k);
}

/* Without noise nothing is nothing, and what was undone. */
static void
exactly(void)
{
	const struct dp_sketch s = { .universe = 40, .deletes = true };
	struct dp_mech *k = sketch_make("alg1", &s, 9, 0, 0, 1);
	struct column c;
	uint64_t i;

	if (k == NULL || column_new(&c, k, NULL) != 0) {
		fail("alg1 without noise");
		return;
	}
	check(asks(&c) == 0);
	for (i = 0; i < 40; i++)
		sees(&c, i, 1);
	check(asks(&c) > 0 && asks(&c) <= 40);
	sees(&c, 40, 1);			/* none of the universe */
	for (i = 0; i < 40; i++)
		sees(&c, i, -1);
	check(asks(&c) == 0);
	check(k->ops->valid(k, c.state, 1));
	*(uint64_t *)c.state = VECTORS;
	check(!k->ops->valid(k, c.state, 1));
	column_free(&c);
	dp_mech_free(k);
}

static void
eligible(void)
{
	const struct dp_sketch large = { .universe = 4097 }, none = { .universe = 0 };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &large, 9, 0, 1, 1);
	struct dp_plan plan;
	char why[DP_PLAN_WHY];

	check(dp_plan_make(&plan, &r, "alg1", why) == DP_EINVAL);
	check(strstr(why, "take cells") != NULL);
	check(sketch_make("alg1", &none, 9, 0, 1, 1) == NULL);
}

int
main(void)
{
	enumerate(2);
	enumerate(40);
	enumerate(4096);
	exactly();
	eligible();
	return done();
}
