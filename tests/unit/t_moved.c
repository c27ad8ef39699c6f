/* SPDX-License-Identifier: ISC */
/*
 * t_moved.c - answers of bits whose number is compared with steps: what memory and all answers
 * tell, enumerated; how the budget is divided; levels by hand; exactness; what is refused.
 */
#include "mech.h"
#include "sketch.h"
#include "sketch/internal.h"

#define MANY	8			/* looks that are enumerated */
#define REACH	40			/* of sums of noise */

static struct dp_mech *
make_moved(uint64_t universe, uint64_t T, uint64_t every, uint64_t num, bool lines)
{
	const struct dp_sketch s = { .universe = universe, .lines = lines };

	return sketch_make("moved", &s, T, every, num, 1);
}

/* A plan of N looks, and what is seen: the level of each, and theta in memory after look q. */
struct view {
	struct dp_moved k;
	double x, y;			/* of the noises */
	unsigned level[MANY + 1];	/* [0]: 0 */
	unsigned q;
	int held;			/* what each noise in memory is */
	unsigned bits;			/* Y at each look */
	bool any;
};

static double
mass(double e, int z)
{
	return tanh(e / 2) * exp(-e * abs(z));
}

/* P(c > z) */
static double
above(double e, int z)
{
	return z >= 0 ? exp(-e * (z + 1)) / (1 + exp(-e)) : 1 - above(e, -z - 1);
}

/* P(the level is as seen at look n | theta), steps of 1: v = Y + c - theta. */
static double
of_look(const struct view *w, unsigned n, int theta)
{
	const int was = (int)w->level[n], is = (int)w->level[n + 1];
	const int y = (int)(w->bits >> n & 1);
	const double hi = is == (int)w->k.choice.steps ? 0 : above(w->y, is + 1 - y + theta);

	return (is == was ? 1 : above(w->y, is - y + theta)) - hi;
}

/* Of the looks of stretch a of 2^level, given the sum of theta's longer stretches. */
static double
of_stretch(const struct view *w, unsigned level, unsigned a, int sum)
{
	const unsigned from = a << level, to = (a + 1) << level;
	const bool seen = from <= w->q && w->q + 1 < to;
	double p = 0, each;
	unsigned n;
	int z;

	if (from >= w->k.looks)
		return 1;
	for (z = seen ? w->held : -REACH; z <= (seen ? w->held : REACH); z++) {
		each = mass(w->x, z);
		if (level > w->k.choice.low)
			each *= of_stretch(w, level - 1, 2 * a, sum + z) *
			    of_stretch(w, level - 1, 2 * a + 1, sum + z);
		else
			for (n = from; n < to && n < w->k.looks; n++)
				each *= of_look(w, n, sum + z);
		p += each;
	}
	return p;
}

/* Y where the level rises, and elsewhere */
static unsigned
rises(const struct view *w)
{
	unsigned n, bits = 0;

	for (n = 0; n < w->k.looks; n++)
		bits |= (unsigned)(w->level[n + 1] > w->level[n]) << n;
	return bits;
}

/* How far apart the bit's values can be told, of this view: any at all looks; or the worst two. */
static double
told(struct view *w)
{
	const unsigned top = w->k.choice.low + w->k.levels, all = (1U << w->k.looks) - 1;
	double least = INFINITY, most = 0, p;

	for (w->bits = 0; w->bits <= all; w->bits++) {
		if (!w->any && w->bits != rises(w) && w->bits != (rises(w) ^ all))
			continue;
		p = of_stretch(w, top - 1, 0, 0) * of_stretch(w, top - 1, 1, 0);
		least = fmin(least, p);
		most = fmax(most, p);
	}
	return log(most / least);
}

/* The largest over all levels from look n on. */
static double
all_levels(struct view *w, unsigned n)
{
	double most = 0;

	if (n == w->k.looks)
		return told(w);
	for (w->level[n + 1] = w->level[n]; w->level[n + 1] <= w->k.choice.steps;
	    w->level[n + 1]++)
		most = fmax(most, all_levels(w, n + 1));
	return most;
}

/* PRIVACY: L x + (2 C + U) y is enough for every view; `part' of it is told. */
static void
enumerate(unsigned looks, unsigned low, unsigned steps, double x, double y, double part)
{
	struct view w = { .x = x, .y = y, .any = looks < 5, .k = { .answers = looks,
	    .choice = { .every = 1, .low = low, .steps = steps } } };
	double most = 0, bound;

	dp_moved_layout(&w.k);
	bound = w.x * (double)dp_moved_charge(&w.k, true) +
	    w.y * (double)dp_moved_charge(&w.k, false);
	check(w.k.looks == looks && w.k.levels > 0);
	for (w.q = 0; w.q < looks; w.q++)
		for (w.held = -3; w.held <= 3; w.held += 3)
			most = fmax(most, all_levels(&w, 0));
	check(most <= bound * (1 + 1e-9) && most > part * bound);
}

static const struct dp_moved *
plan_of(const struct dp_mech *m)
{
	return (const void *)m;
}

/* What the noises that are drawn come to is the budget. */
static void
budget(uint64_t universe, uint64_t T, uint64_t num, bool lines, bool threshold)
{
	struct dp_mech *m = make_moved(universe, T, 1, num, lines);
	const struct dp_moved *k = plan_of(m);
	double sum, p, rest;

	if (m == NULL) {
		fail("moved");
		return;
	}
	check((k->levels > 0) == threshold && k->looks * k->choice.every <= T);
	check(lines || k->choice.every == 1);
	sum = 1 / dp_q_double(k->mem.state.param);
	rest = 1 / dp_q_double(k->mem.output.param);
	p = 1 / (1 + exp(sum));
	if (threshold)
		sum += (double)dp_moved_charge(k, true) / dp_q_double(k->theta.param) +
		    (double)dp_moved_charge(k, false) * rest;
	else	/* sketch/internal.h, AGAIN */
		sum += log(p + (1 - p) * exp((double)k->looks * rest));
	check(fabs(sum / (double)num - 1) < 1e-4 && sum <= (double)num * (1 + 1e-12));
	dp_mech_free(m);
}

/* The steps, and what the stretches between them are off by. */
static void
layout(uint64_t universe, uint64_t T, bool lines)
{
	struct dp_mech *m = make_moved(universe, T, 1, 2, lines);
	const struct dp_moved *k = plan_of(m);
	double gap, M, K, lag;
	struct dp_error e;

	if (m == NULL) {
		fail("moved");
		return;
	}
	gap = tanh(.5 / dp_q_double(k->mem.state.param));
	M = lines ? fmin((double)T, (double)universe) : (double)universe;
	lag = (double)(k->choice.every - 1);
	K = (double)k->choice.steps;
	check(fabs((double)k->step - gap * (M - lag) / (K + 1)) <= 1);
	/* half of M and K lags, divided by K + 1; rounded down, the last one is the longer */
	check(fabs(m->off.drift - (M + K * lag) / (K + 1) / 2) <= 1 + (K + 3) / gap / 2);
	check(m->off.worst_of == (double)k->looks);
	dp_mech_error(m, T, &e);
	check(e.max >= m->off.drift * m->off.drift && e.max <= M * M);
	dp_mech_free(m);
}

/* By hand: draws of the stretches that begin, the longest first, and of c; levels; what is kept. */
static void
levels(void)
{
	struct dp_mech *m = make_moved(100000, 10000, 1, 1, false);
	const struct dp_moved *k = plan_of(m);
	const unsigned low = k->choice.low;
	const int64_t s = (int64_t)k->step, *theta;
	int64_t draw[DP_MOVED_LEVELS + 1] = { 0 };
	double width, was;
	struct column c;
	unsigned i;

	if (column_new(&c, m, seeded(3)) != 0) {
		fail("moved");
		return;
	}
	theta = (int64_t *)c.state + 2;
	memset((uint64_t *)c.state + 2 + DP_MOVED_LEVELS, 0, dp_bits_bytes(100000));
	width = (double)s / k->odds.gap;
	/* the first: all stretches begin, and v is 2 s + 1 and 3 s, which is not above the third */
	for (i = 0; i < k->levels; i++)
		draw[i] = i == 1 ? -7 : i == k->levels - 1 ? 5 : 0;
	draw[k->levels] = k->middle + 2 * s + 1 - 2;
	dp_rng_free(c.rng);
	check(dp_rng_open_known(&c.rng, draw, k->levels + 1) == 0);
	check(fabs(asks(&c) - 2.5 * width) <= 2);
	for (i = low; i < low + k->levels; i++)
		check(theta[i] == (i == low + k->levels - 2 ? -7 : i == low ? 5 : 0));
	/* the second: no more is drawn than c, but by stretches of one look */
	dp_rng_free(c.rng);
	memset(draw, 0, sizeof draw);
	draw[low == 0] = k->middle + 3 * s - 2;
	check(dp_rng_open_known(&c.rng, draw, (low == 0) + 1) == 0);
	check(fabs((was = asks(&c)) - 2.5 * width) <= 2);
	/* less is the level that was, more than all steps the last */
	dp_rng_free(c.rng);
	draw[0] = draw[1] = 0;
	check(low > 1);		/* the setting is such */
	check(dp_rng_open_known(&c.rng, draw, 1) == 0);
	check(asks(&c) == was);
	dp_rng_free(c.rng);
	draw[0] = (int64_t)1 << 40;
	check(dp_rng_open_known(&c.rng, draw, 1) == 0);
	was = ((double)k->choice.steps * width + 100000) / 2;
	check(fabs(asks(&c) - was) <= 2);
	/* stretches of 2^low that are over are wiped */
	check(low == 2 && theta[low] == 0 && theta[low + k->levels - 2] == -7);
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* Stretch after stretch: each noise is drawn as its stretch begins, is held, and ends with it. */
static void
stretches(void)
{
	struct dp_mech *m = make_moved(100000, 10000, 1, 1, false);
	const struct dp_moved *k = plan_of(m);
	const unsigned low = k->choice.low, top = low + k->levels;
	int64_t draw[DP_MOVED_LEVELS + 1], held[DP_MOVED_LEVELS] = { 0 };
	const int64_t *theta;
	struct column c;
	uint64_t n;
	unsigned i, draws;

	if (column_new(&c, m, seeded(3)) != 0) {
		fail("moved");
		return;
	}
	theta = (int64_t *)c.state + 2;
	for (n = 1; n <= 70; n++) {
		for (draws = 0, i = top; i-- > low; )
			if ((n - 1) % ((uint64_t)1 << i) == 0)
				draw[draws++] = held[i] = (int64_t)(100 * n + i);
		draw[draws++] = 0;
		dp_rng_free(c.rng);
		check(dp_rng_open_known(&c.rng, draw, draws) == 0);
		(void)asks(&c);
		check(c.rng->left == 0);
		for (i = low; i < top; i++)
			check(theta[i] == (n % ((uint64_t)1 << i) == 0 ? 0 : held[i]));
	}
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

static void
exactly(void)
{
	struct dp_mech *m = make_moved(300, 400, 1, 0, true);
	struct column c;
	uint64_t i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("moved without noise");
		return;
	}
	for (i = 0; i < 400; i++) {
		sees(&c, i * 7 % 400, 1 + (int64_t)(i % 3));
		check(asks(&c) == (double)dp_bits_count((uint64_t *)c.state + 2 +
		    DP_MOVED_LEVELS, 0, 300));
	}
	column_free(&c);
	dp_mech_free(m);
}

/* So many answers are paid for. */
static void
ends(void)
{
	struct dp_mech *m = make_moved(300, 64, 8, 1, true);
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
	((uint64_t *)c.state)[1] = plan_of(m)->choice.steps + 1;
	check(!m->ops->valid(m, c.state, 64));
	dp_rng_free(c.rng);
	column_free(&c);
	dp_mech_free(m);
}

/* A state goes on with the plan that it began with, and none of the plan before this one does. */
static void
replays(uint64_t T, bool lines)
{
	const struct dp_sketch s = { .universe = 100000, .lines = lines };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, T, 1, 1, 1);
	struct dp_numbers params = { .n = 0 };
	struct dp_mech *m, *again;
	size_t i, forged;
	uint64_t keep;

	r.privacy.numbers = &params;
	m = make("moved", &r);
	dp_numbers_replay(&params);
	again = make("moved", &r);
	if (m == NULL || again == NULL) {
		fail("moved, replayed");
		return;
	}
	check(params.error == 0);
	check(memcmp(&plan_of(m)->choice, &plan_of(again)->choice, sizeof plan_of(m)->choice) == 0);
	check(plan_of(m)->step == plan_of(again)->step);
	check(m->off.drift == again->off.drift);
	dp_mech_free(again);
	for (i = 0; i < params.n && params.number[i].word != (uint64_t)1 << 20; i++)
		;
	check(i < params.n);
	/* r, low, and K or the part of memory, that no plan has */
	for (forged = 1; i < params.n && forged < 4; forged++) {
		keep = params.number[i + forged].word;
		params.number[i + forged].word = forged == 2 && !lines ? 12 : (uint64_t)1 << 41;
		dp_numbers_replay(&params);
		again = make("moved", &r);
		check(again == NULL);
		params.number[i + forged].word = keep;
	}
	if (i < params.n)
		params.number[i].word = 36848;		/* memory's part, which it had there */
	dp_numbers_replay(&params);
	check(make("moved", &r) == NULL);
	dp_mech_free(m);
	dp_numbers_free(&params);
}

/* A fraction is the number of the same draws over the universe, and its errors are. */
static void
density(void)
{
	const struct dp_sketch s = { .universe = 700, .lines = false };
	struct dp_mech_rule r[2] = { sketch_setting(&dp_distinct, &s, 512, 1, 3, 1),
	    sketch_setting(&dp_density, &s, 512, 1, 3, 1) };
	const double unit = 1e6 / 700;
	struct dp_mech *m[2];
	struct dp_error e[2];
	struct dp_id id = { .sign = 1 };
	struct dp_rng *rng[2];
	struct column c[2];
	dp_wide est[2];
	double all[2];
	int i, t;

	for (i = 0; i < 2; i++) {
		r[i].horizon = r[i].report = 512;
		r[i].every = 1;
		if ((m[i] = make("moved", &r[i])) == NULL || dp_rng_open_seed(&rng[i], 9) != 0 ||
		    column_new(&c[i], m[i], rng[i]) != 0)
			abort();
		dp_mech_error(m[i], 512, &e[i]);
		all[i] = m[i]->ops->bound.all_steps(m[i], 512, .05, 0, m[i]->off.most);
	}
	check(fabs(e[1].max / (e[0].max * unit * unit) - 1) < 1e-9 &&
	    fabs(e[1].mean / (e[0].mean * unit * unit) - 1) < 1e-9);
	check(fabs(all[1] - all[0] * unit) <= unit + 1);	/* of whole ones */
	check(fabs(m[1]->off.most / 1e6 - 1) < 1e-9);
	check(fabs((m[1]->off.drift - .5) / ((m[0]->off.drift - .5) * unit) - 1) < 1e-9);
	for (t = 1; t <= 512; t++) {
		id.word[0] = (uint64_t)t % 600;
		for (i = 0; i < 2; i++)
			if (m[i]->ops->open.see(m[i], c[i].state, rng[i], &id) != 0 ||
			    m[i]->ops->answer(m[i], c[i].state, rng[i], (uint64_t)t, &est[i]) != 0)
				abort();
		check(fabs((double)est[1] - (double)est[0] * unit) <= unit / 2 + 1);
	}
	for (i = 0; i < 2; i++) {
		column_free(&c[i]);
		dp_rng_free(rng[i]);
		dp_mech_free(m[i]);
	}
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

	check(make_moved(0, 64, 1, 1, true) == NULL);
	check(make_moved(9, 7, 1, 1, true) == NULL);	/* few answers */
	check(make_moved(9, 0, 1, 1, true) == NULL);	/* no horizon */
	check(sketch_make("moved", &undone, 64, 1, 1, 1) == NULL);
	check(sketch_make("moved", &looks, 64, 1, 1, 1) == NULL);
	/* a million answers of a million bits: 700 times nearer than one by one */
	r.pan = true;
	check(dp_plan_make(&p, &r, "auto", why) == 0);
	check(strcmp(p.ops->name, "moved") == 0);
	check(sqrt(p.eligible[p.chosen].error.max) < 11000);
	dp_plan_free(&p);
}

int
main(void)
{
	unsigned steps;

	for (steps = 1; steps < 4; steps++) {
		enumerate(2, 0, steps, .8, .7, .2);
		enumerate(4, 1, steps, .8, .7, .4);
	}
	enumerate(3, 0, 2, .8, .7, .2);
	enumerate(8, 1, 1, .2, 2, .85);
	enumerate(8, 1, 2, .2, 2, .8);
	enumerate(8, 2, 1, .4, 1.5, .9);
	budget(5000, 64, 1, true, false);
	budget(100000, 10000, 1, false, true);
	budget(100000, 1000000, 3, false, true);
	budget(1000000, 1000000, 1, true, false);
	layout(5000, 10000, true);
	layout(100000, 10000, false);
	layout(100000, 10000000, true);
	levels();
	stretches();
	exactly();
	density();
	replays(10000, false);
	replays(1000000, true);
	ends();
	eligible();
	return done();
}
