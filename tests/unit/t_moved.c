/*
 * t_moved.c - answers of bits that are released when they have moved: how the budget is divided,
 * the distance, exactness, what is refused.
 */
#include "mech/part.h"
#include "sketch.h"
#include "sketch/bits.h"
#include "stat/transform.h"

static struct dp_mech *
make_moved(uint64_t universe, uint64_t T, uint64_t every, uint64_t num)
{
	const struct dp_sketch s = { .universe = universe, .lines = true };

	return sketch_make("moved", &s, T, every, num, 1);
}

static const struct dp_transform_plan *
inner_of(const struct dp_mech *m)
{
	return (const void *)m->part->inner;
}

/* Loss of memory, whose noise comes after those of the transformation. */
static double
state_loss(const struct dp_mech *m)
{
	unsigned i = 0;

	while (noise_of(m, i + 1) != NULL)
		i++;
	return 1 / dp_q_double(noise_of(m, i)->param);
}

/* Memory's part, and what the transformation's noise comes to, for r = 1, by transform.h. */
static void
budget(uint64_t T, uint64_t num)
{
	struct dp_mech *m = make_moved(5000, T, 1, num);
	const struct dp_transform_plan *k;
	double sum;
	unsigned i;

	if (m == NULL) {
		fail("moved");
		return;
	}
	k = inner_of(m);
	sum = state_loss(m);
	for (i = 0; i < DP_TRANSFORM_FAMILIES; i++)
		if (k->noise[i].kind != DP_NOISE_NONE)
			sum += (double)dp_transform_charge(k, i) / dp_q_double(k->noise[i].param);
	check(fabs(sum / (double)num - 1) < 1e-4 && sum <= (double)num * (1 + 1e-12));
	check(k->task.hold && k->task.changes < T && k->m.horizon == T);
	dp_mech_free(m);
}

/* d = 2 alpha + gap M/(K + 1), up: alpha by Chernoff's bound for bits, 1e-6 over all answers. */
static void
distance(uint64_t T)
{
	struct dp_mech *m = make_moved(5000, T, 1, 2);
	const struct dp_transform_plan *k;
	const double n = 5000;
	double p, M = (double)(T < 5000 ? T : 5000), alpha, move, d;

	if (m == NULL) {
		fail("moved");
		return;
	}
	k = inner_of(m);
	p = 1 / (1 + exp(state_loss(m)));
	move = (1 - 2 * p) * M / ((double)k->task.changes + 1);
	d = (double)k->task.distance;
	/* a normal quantile at the least; Hoeffding's at the most */
	alpha = sqrt(n * log(4e6 * (double)T) / 2);
	check(d <= 2 * alpha + move + 4);
	check(d >= .8 * 2 * alpha * 2 * sqrt(p * (1 - p)) + move);
	check(m->off.drift >= d / (1 - 2 * p) && m->off.worst_of == 2);
	check(fabs(dp_mech_variance(m, T) - n * p * (1 - p) / pow(1 - 2 * p, 2)) < 1e-6 * n);
	dp_mech_free(m);
}

static void
exactly(void)
{
	struct dp_mech *m = make_moved(300, 400, 1, 0);
	struct column c;
	uint64_t i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("moved without noise");
		return;
	}
	for (i = 0; i < 400; i++) {
		sees(&c, i * 7 % 400, 1 + (int64_t)(i % 3));
		check(asks(&c) == (double)dp_bits_count((uint64_t *)c.state + 2, 0, 300));
	}
	column_free(&c);
	dp_mech_free(m);
}

/* So many answers are paid for. */
static void
ends(void)
{
	struct dp_mech *m = make_moved(300, 64, 8, 1);
	struct column c;
	dp_wide est;
	int i;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("moved");
		return;
	}
	for (i = 0; i < 8; i++)
		(void)asks(&c);
	check(m->ops->answer(m, c.state, c.rng, 64, &est) == DP_EHORIZON);
	check(m->ops->valid(m, c.state, 64) && !m->ops->valid(m, c.state, 5));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch undone = { .universe = 9, .deletes = true };
	const struct dp_sketch looks = { .universe = 9, .looks = 1 };
	const struct dp_sketch many = { .universe = 1000000, .lines = true };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &many, 1000000, 1, 1, 1);
	struct dp_plan p;
	char why[DP_PLAN_WHY];

	check(make_moved(0, 64, 1, 1) == NULL);
	check(make_moved(9, 7, 1, 1) == NULL);	/* few answers */
	check(make_moved(9, 0, 1, 1) == NULL);	/* no horizon */
	check(sketch_make("moved", &undone, 64, 1, 1, 1) == NULL);
	check(sketch_make("moved", &looks, 64, 1, 1, 1) == NULL);
	/* a million answers of a million bits: 56 times nearer than one by one */
	r.pan = true;
	check(dp_plan_make(&p, &r, "auto", why) == 0);
	check(strcmp(p.ops->name, "moved") == 0);
	check(sqrt(p.eligible[p.chosen].error.max) < 150000);
	dp_plan_free(&p);
}

int
main(void)
{
	budget(64, 1);
	budget(10000, 3);
	budget(1000000, 1);
	distance(100);
	distance(100000);
	exactly();
	ends();
	eligible();
	return done();
}
