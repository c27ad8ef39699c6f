/* SPDX-License-Identifier: ISC */
/*
 * t_alg3.c - Algorithm 3 of Mir et al. 2011: what a number of events counts, how the budget is
 * divided, exactness, what is refused.
 */
#include "sketch.h"
#include "sketch/internal.h"

static struct dp_mech *
make_alg3(uint64_t universe, uint64_t tau, uint64_t buckets, uint64_t num)
{
	const struct dp_sketch s = { .universe = universe, .tau = tau, .buckets = buckets,
	    .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_heavy, &s, 1000, 0, num, 1);

	return make("alg3", &r);
}

/* The specification's: 2 at tau, 3/4 at 1.6 tau; nothing below tau/2, and 3 (a - b) in between. */
static void
counts(void)
{
	struct dp_mech *m = make_alg3(9, 8192, 0, 40);
	const double tau = 8192;
	double v;
	size_t i;
	static const struct {
		double at, v;
	} some[] = { { 1, 2 }, { 1.6, .75 }, { .5, 0 }, { .3, 0 }, { .1, 0 }, { 0, 0 } };

	if (m == NULL) {
		fail("alg3");
		return;
	}
	for (i = 0; i < sizeof some / sizeof *some; i++) {
		v = (dp_alg2_adds(m->part[0].inner, some[i].at * tau) -
		    dp_alg2_adds(m->part[1].inner, some[i].at * tau)) / (tau / 2);
		check(fabs(v - some[i].v) < 2e-3);
	}
	dp_mech_free(m);
}

/* The two numbers that are said: of large tau 2/3 and 2. */
static void
said(void)
{
	struct dp_mech *m = make_alg3(9, 8192, 0, 40);
	char text[400];
	double least, most;
	const char *p;

	if (m == NULL || !m->ops->say.note(m, 0, 1, text, sizeof text)) {
		fail("alg3");
		return;
	}
	p = strstr(text, "counts ");
	check(p != NULL && sscanf(p, "counts %lf to %lf", &least, &most) == 2);
	check(fabs(least - 2. / 3) < 2e-3 && fabs(most - 2) < 5e-3);
	check(strstr(text, "at 8192 and 4096,") != NULL);
	dp_mech_free(m);
}

/* Half of the budget each: a cell's start, and a sum, which may move by all of the circle. */
static void
budget(uint64_t num)
{
	struct dp_mech *m = make_alg3(20, 10, 0, num);
	char text[400];
	uint64_t M;
	unsigned i;
	double sum;

	if (m == NULL) {
		fail("alg3");
		return;
	}
	for (i = 0; i < 2; i++) {
		const struct dp_mech *inner = m->part[i].inner;

		M = (uint64_t)10 >> i;
		M = 2 * M * (((uint64_t)1 << 24) / M);
		check(inner->ops->say.note(inner, 1, 1, text, sizeof text));
		sum = strtod(strstr(text, "of epsilon, ") + 12, NULL) +
		    (double)(M - 1) / dp_q_double(noise_of(inner, 0)->param);
		check(fabs(sum - (double)num / 2) < 1e-3 * (double)num);
	}
	dp_mech_free(m);
}

static void
exactly(void)
{
	struct dp_mech *m = make_alg3(4, 10, 0, 0);
	struct column c;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("alg3 without noise");
		return;
	}
	sees(&c, 0, 12);
	sees(&c, 1, 10);
	sees(&c, 2, 9);
	sees(&c, 4, 50);		/* none of the universe */
	check(asks(&c) == 3);		/* 1 + 1 + 4/5 */
	sees(&c, 2, -2);
	sees(&c, 3, 5);
	check(asks(&c) == 2);		/* 1 + 1 + 2/5 + 0 */
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch share = { .universe = 9, .share = 10, .lines = true };
	const struct dp_mech_rule r = sketch_setting(&dp_heavy, &share, 1000, 0, 1, 1);
	struct dp_mech *m;

	check(make("alg3", &r) == NULL);
	check(make_alg3(9, 1, 0, 1) == NULL && make_alg3(9, 65537, 0, 1) == NULL);
	m = make_alg3(0, 10, 64, 1);	/* buckets: two parts of them, with a key each */
	check(m != NULL && m->column == 2 * (16 + 8 * 64) && isinf(m->off.drift));
	dp_mech_free(m);
}

int
main(void)
{
	counts();
	said();
	budget(1);
	budget(30);
	exactly();
	eligible();
	return done();
}
