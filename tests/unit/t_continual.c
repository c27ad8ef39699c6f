/* SPDX-License-Identifier: ISC */
/*
 * t_continual.c - noise that answers share: which stretches an answer has, what memory keeps of
 * them, that few stretches take up any change, the variance and the division of the budget.
 */
#include "sketch.h"
#include "sketch/internal.h"

struct view {			/* a column, as cells.c has it */
	uint64_t key[2], answers, reserved;
	int64_t eta[32];
	uint64_t cell[];
};

/* With the draws z[0 .. n - 1], all of them used. */
static double
asks_drawing(struct column *c, const int64_t *z, size_t n)
{
	struct dp_rng *own = c->rng;
	double est;

	if (dp_rng_open_known(&c->rng, z, n) != 0)
		abort();
	est = asks(c);
	check(c->rng->left == 0);
	dp_rng_free(c->rng);
	c->rng = own;
	return est;
}

/*
 * Eight answers, three levels: answer 5 has the stretches 5, 4-5 and 4-7, and 4-5 is gone after it.
 * Every draw is another power of 4.
 */
static void
stretches(void)
{
	const struct dp_sketch s = { .universe = 1, .updates = 1 };
	struct dp_mech *m = sketch_make("continual", &s, 8, 1, 1, 1);
	double unit, want, none;
	int64_t z[14], open[3] = { 0 };
	struct column c;
	struct view *v;
	dp_wide est;
	size_t first = 0, n;
	int j, l;

	if (m == NULL || column_new(&c, m, seeded(1)) != 0) {
		fail("continual");
		return;
	}
	v = c.state;
	v->cell[0] = 0;			/* IN */
	unit = dp_mech_unit(m, 0);
	none = -unit * (0.5 - 1 / unit);	/* an untouched cell: p = 1/2 - gap */
	for (j = 0; j < 14; j++)
		z[j] = (int64_t)1 << (2 * j + 4);
	for (j = 0; j < 8; j++) {
		for (n = 0, l = 0; l < 3; l++)
			if (j % (1 << l) == 0)
				open[l] = z[first + n++];
		want = none + unit * (double)(open[0] + open[1] + open[2]);
		check(fabs(asks_drawing(&c, z + first, n) - want) <= 1);
		first += n;
		for (l = 0; l < 3; l++)
			check(v->eta[l] == ((j + 1) % (1 << l) == 0 ? 0 : open[l]));
		check(m->ops->valid(m, c.state, (uint64_t)j + 1));
	}
	check(first == 14 && v->eta[0] == 0 && v->eta[1] == 0 && v->eta[2] == 0);
	check(m->ops->answer(m, c.state, c.rng, 9, &est) == DP_EHORIZON);
	v->answers = 9;
	check(!m->ops->valid(m, c.state, 20));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* How many stretches of at most half of 2^L answers the answers from .. to - 1 are made of. */
static unsigned
pieces(uint64_t from, uint64_t to, unsigned L)
{
	unsigned n = 0, l;

	for (; from < to; n++) {
		for (l = L - 1; from >> l << l != from || from + ((uint64_t)1 << l) > to; l--)
			;
		from += (uint64_t)1 << l;
	}
	return n;
}

/* Any change is taken up by L of them: of answers before it, or from it on. */
static void
covers(void)
{
	struct dp_mech *m;
	uint64_t k, u;
	unsigned L;
	double one;

	for (k = 1; k <= 70; k++) {
		const struct dp_sketch s = { .universe = 9, .updates = 3 };

		if ((m = sketch_make("continual", &s, k, 1, 1, 1)) == NULL) {
			fail("continual");
			continue;
		}
		/* L copies of the draw, and no more */
		one = pow(dp_mech_unit(m, 0), 2) * dp_noise_variance(noise_of(m, 0));
		for (L = 2; (uint64_t)1 << L < k; L++)
			;
		check(fabs(dp_mech_variance(m, 1) - dp_noise_variance(noise_of(m, 0)) *
		    pow(dp_mech_unit(m, 0), 2) * L) < 9 * pow(dp_mech_unit(m, 0), 2));
		check(one > 0);
		for (u = 0; u <= k; u++) {
			check(pieces(0, u, L) <= L);
			check(pieces(u, (uint64_t)1 << L, L) <= L);
		}
		dp_mech_free(m);
	}
}

/* All of epsilon, and no more, is eps1 and what all draws together may lose; its best division. */
static void
budget(void)
{
	static const uint64_t answers[] = { 1, 2, 16, 1000 };
	struct dp_mech *m;
	double e1, e2, L, v, x, moves, other;
	int i, j, presence;

	for (i = 0; i < 4; i++)
		for (presence = 0; presence < 2; presence++) {
			const struct dp_sketch s = { .universe = 5000, .updates = 3,
			    .presence = presence };

			m = sketch_make("continual", &s, answers[i] * 7, 7, 1, 1);
			if (m == NULL) {
				fail("continual");
				continue;
			}
			L = fmax(2, ceil(log2((double)answers[i])));
			moves = presence ? 3 : 6;
			e2 = L * moves / dp_q_double(noise_of(m, 0)->param);
			e1 = 1 / dp_q_double(noise_of(m, 1)->param);
			check(fabs(e1 + e2 - 1) < 1e-9);
			v = 5000 * (pow(sinh(e1 / 2), -2) + 1) + 4 * L * pow(tanh(e1 / 2), -2) *
			    dp_noise_variance(noise_of(m, 0));
			check(fabs(dp_mech_variance(m, 1) / v - 1) < 1e-9);
			for (j = 1; j < 100; j++) {
				x = j / 100.;
				other = 5000 * (pow(sinh(x / 2), -2) + 1) + 4 * L *
				    pow(tanh(x / 2), -2) * dp_sketch_laplace((1 - x) / (L * moves));
				check(v <= other * (1 + 1e-7));
			}
			dp_mech_free(m);
		}
}

static void
exact(void)
{
	const struct dp_sketch s = { .universe = 5, .deletes = true, .updates = 2 };
	struct dp_mech *m = sketch_make("continual", &s, 9, 1, 0, 1);
	struct column c;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("continual without noise");
		return;
	}
	check(asks(&c) == 0);
	sees(&c, 0, 1);
	sees(&c, 4, -1);
	sees(&c, 5, 1);
	check(asks(&c) == 2);
	sees(&c, 0, -1);
	check(asks(&c) == 1);
	column_free(&c);
	dp_mech_free(m);
}

/* Memory is a function of the start, of what happened on the whole, and of the answers. */
static void
history(void)
{
	const struct dp_sketch s = { .universe = 3, .deletes = true, .updates = 9 };
	struct dp_mech *m = sketch_make("continual", &s, 9, 1, 1, 1);
	struct column a, b;

	if (m == NULL || column_new(&a, m, seeded(2)) != 0 || column_new(&b, m, seeded(2)) != 0) {
		fail("continual");
		return;
	}
	sees(&a, 0, 1);
	check(memcmp(a.state, b.state, m->column) != 0);
	sees(&a, 1, 2);
	sees(&a, 0, -1);
	sees(&b, 1, -1);
	sees(&b, 1, 3);
	check(memcmp(a.state, b.state, m->column) == 0);
	check(asks(&a) == asks(&b));
	check(memcmp(a.state, b.state, m->column) == 0);
	dp_rng_free(a.rng);
	dp_rng_free(b.rng);
	column_free(&a);
	column_free(&b);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch no_promise = { .universe = 9 }, none = { .updates = 2 };
	const struct dp_sketch s = { .universe = 4000, .updates = 1, .deletes = true };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 64, 1, 1, 1);
	struct dp_plan p;
	char why[DP_PLAN_WHY];

	check(sketch_make("continual", &no_promise, 9, 1, 1, 1) == NULL);
	check(sketch_make("continual", &none, 9, 1, 1, 1) == NULL);
	/* for many answers it is the best that can be undone and is pan-private */
	r.pan = true;
	check(dp_plan_make(&p, &r, "auto", why) == 0);
	check(strcmp(p.ops->name, "continual") == 0);
	dp_plan_free(&p);
	r.horizon = 0;
	check(dp_plan_make(&p, &r, "continual", why) == DP_EINVAL);
}

int
main(void)
{
	stretches();
	covers();
	budget();
	exact();
	history();
	eligible();
	return done();
}
