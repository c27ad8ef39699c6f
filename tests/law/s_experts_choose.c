/* SPDX-License-Identifier: ISC */
/*
 * s_experts_choose.c - leaders chosen now and then: when, the law of all choices of a run against
 * what is drawn, every pair of neighbours of small worlds, every regret of them against its bounds.
 *
 * Drawn: R = 20000 runs of T = 6 rounds; each run's choices, in the worlds below, have the chance
 * that exact sums give.  Statistic: (frequency - P) / sqrt(P (1-P) / R) for each of up to 8
 * outcomes with R P >= 50.  Limit 5.8: false-reject rate below 1e-6 for all 6 * 8 tests.
 */
#include <inttypes.h>
#include <math.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "stat/experts.h"

#define ROUNDS	6
#define LIMIT	5.8

struct world {
	struct dp_mech *m;
	unsigned n;		/* experts */
	uint64_t T, segment;	/* rounds; of a segment */
	double b;		/* of the choices; 0: the leader */
	bool weigh, doubling;
	uint64_t block;		/* B; doubling: lines before the first choice */
	double a, c, one_law;	/* first order; doubling: for rounds of one law */
	struct dp_error e;
};

static struct dp_mech_rule
follow(struct dp_experts *own, uint64_t T, size_t n, struct dp_q epsilon, bool delta)
{
	struct dp_mech_rule s = setting(T, epsilon.num, epsilon.den, n > 1 ? 2 : 1);

	s.task = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_experts_statistic,
	    .own = own };
	s.inputs = n;
	s.hi = 1;
	s.most = 1;
	s.bits = false;
	if (delta && dp_privacy_set(&s.privacy, false, epsilon, dp_q_make(1, 1000), 2, 4) != 0)
		abort();
	return s;
}

static bool
world_of(struct world *w, const char *name, uint64_t segments, uint64_t T, unsigned n,
    struct dp_q epsilon, bool delta)
{
	static struct dp_experts own;
	struct dp_mech_rule s = follow(&own, T, n, epsilon, delta);
	const struct dp_noise *z;
	const char *what;
	char text[480];

	own = (struct dp_experts){ .segments = segments };
	*w = (struct world){ .n = n, .T = T, .segment = (T - 1) / segments + 1,
	    .doubling = name[0] == 'd' };
	if ((w->m = make(name, &s)) == NULL)
		return false;
	dp_mech_error(w->m, T, &w->e);
	if (!dp_mech_family(w->m, 0, &z, &what)) {
		w->block = 1;
		return true;
	}
	w->b = dp_q_double(z->param);
	w->weigh = z->kind == DP_NOISE_WEIGH;
	if (!w->m->ops->say.note(w->m, 0, 1, text, sizeof text) ||
	    sscanf(strstr(text, w->doubling ? ", after " : ", anew every"),
	    w->doubling ? ", after %" SCNu64 : ", anew every %" SCNu64, &w->block) != 1 ||
	    !w->m->ops->say.note(w->m, w->doubling ? 2 : 1, 1, text, sizeof text) ||
	    sscanf(strstr(text, "to cost ") , "to cost %lf L + %lf", &w->a, &w->c) != 2)
		return false;
	return !w->doubling || (w->m->ops->say.note(w->m, 1, 1, text, sizeof text) &&
	    sscanf(strstr(text, "at most "), "at most %lf", &w->one_law) == 1);
}

static bool
world(struct world *w, const char *name, uint64_t T, unsigned n, struct dp_q epsilon, bool delta)
{
	return world_of(w, name, 1, T, n, epsilon, delta);
}

/* A choice is made after line t. */
static bool
due(const struct world *w, uint64_t t)
{
	uint64_t h;

	t %= w->segment;
	if (!w->doubling)
		return t > 0 && t % w->block == 0;
	for (h = w->segment / 2; h >= w->block && h > 0; h /= 2)
		if (h == t)
			return true;
	return false;
}

/* Chances of a choice among costs. */
static void
chances(const struct world *w, const int *cost, double *p)
{
	double least = cost[0], weight[3], sum = 0, q;
	unsigned i, k, in, size;

	for (i = 1; i < w->n; i++)
		least = fmin(least, cost[i]);
	for (i = 0; i < w->n; i++)
		sum += weight[i] = exp(-(cost[i] - least) / w->b);
	for (i = 0; i < w->n; i++) {
		if (w->weigh) {
			p[i] = weight[i] / sum;
			continue;
		}
		/* of those accepted each is as likely to be the first */
		for (p[i] = 0, in = 0; in < 1u << w->n; in++) {
			if ((in >> i & 1) == 0)
				continue;
			for (q = 1, size = k = 0; k < w->n; k++) {
				q *= in >> k & 1 ? weight[k] : 1 - weight[k];
				size += in >> k & 1;
			}
			p[i] += q / size;
		}
	}
}

/* x: costs of line t, from 1, a bit each.  Chances of every outcome, least digit first. */
static unsigned
outcomes(const struct world *w, const unsigned *x, double *p, double *cost)
{
	int sum[3] = { 0 };
	double one[3] = { 0 };
	unsigned i, k, n = 1, made = 1;
	uint64_t t;

	p[0] = 1;
	*cost = 0;
	for (t = 0; t < w->T; t++) {
		for (i = 0; t > 0 && i < w->n; i++)
			sum[i] = t % w->segment == 0 ? 0 : sum[i] + (int)(x[t] >> i & 1);
		if (t == 0 || due(w, t)) {
			chances(w, sum, one);
			made = n;
			n *= w->n;
			for (k = n; k-- > 0; )
				p[k] = p[k % made] * one[k / made];
		}
		for (i = 0; i < w->n; i++)
			*cost += one[i] * (x[t + 1] >> i & 1);
	}
	return n;
}

/* The cost of each segment's best. */
static double
best_of(const struct world *w, const unsigned *x)
{
	double sum, best, all = 0;
	uint64_t t, from;
	unsigned i;

	for (from = 1; from <= w->T; from += w->segment) {
		for (best = INFINITY, i = 0; i < w->n; i++) {
			for (sum = 0, t = from; t <= w->T && t < from + w->segment; t++)
				sum += x[t] >> i & 1;
			best = fmin(best, sum);
		}
		all += best;
	}
	return all;
}

static void
stream(const struct world *w, uint64_t code, unsigned *x)
{
	uint64_t t;

	for (t = 1; t <= w->T; t++, code >>= w->n)
		x[t] = (unsigned)code & ((1u << w->n) - 1);
}

/* All streams: the largest regret against the bounds; every neighbour's law. */
static void
every_stream(struct world *w, double epsilon, double least_loss, double least_regret)
{
	const uint64_t all = (uint64_t)1 << (w->n * w->T);
	unsigned x[ROUNDS + 1] = { 0 }, was, other, n, k;
	double p[729], q[729], cost, cost_q, regret, most = 0, loss = 0, first = 0;
	uint64_t code, t;

	for (code = 0; code < all; code++) {
		stream(w, code, x);
		n = outcomes(w, x, p, &cost);
		regret = cost - best_of(w, x);
		most = fmax(most, regret);
		if (!w->doubling)
			first = fmax(first, cost - w->a * best_of(w, x) - w->c);
		for (t = 1; t < w->T; t++)
			for (was = x[t], other = 0; other < 1u << w->n; other++) {
				x[t] = other;
				outcomes(w, x, q, &cost_q);
				for (k = 0; k < n; k++)
					loss = fmax(loss, fabs(log(p[k] / q[k])));
				x[t] = was;
			}
	}
	printf("%s, %u experts, T %" PRIu64 ", epsilon %g, b %g, block %" PRIu64 ": loss %.4f, "
	    "regret %.4f of %.4f\n", w->m->ops->name, w->n, w->T, epsilon, w->b, w->block, loss,
	    most, w->e.max);
	check(loss <= epsilon * (1 + 1e-9));
	check(loss >= epsilon * least_loss);
	check(most <= w->e.max * (1 + 1e-9));
	check(most >= w->e.max * least_regret);
	check(first <= 1e-4);
}

/* What is drawn has that law. */
static void
drawn(struct world *w, uint64_t seed)
{
	static const unsigned x[ROUNDS + 1] = { 0, 1, 3, 1, 0, 1, 2 };
	const double R = 20000;
	double p[729], cost, f, z;
	unsigned n = outcomes(w, x, p, &cost), count[729] = { 0 }, k, i, place, digit, tests = 0;
	struct dp_rng *rng;
	struct column c;
	int64_t line[3];
	dp_wide est;
	uint64_t t;
	int r;

	if (dp_rng_open_seed(&rng, seed) != 0)
		abort();
	for (r = 0; r < R; r++) {
		if (column_new(&c, w->m, rng) != 0)
			abort();
		for (k = 0, place = 1, t = 0; t < w->T; t++) {
			for (i = 0; i < w->n; i++)
				line[i] = x[t] >> i & 1;
			if (t > 0 && w->m->ops->step(w->m, c.state, rng, t, line, NULL) != 0)
				abort();
			check(w->m->ops->valid(w->m, c.state, t));
			if (w->m->ops->answer(w->m, c.state, rng, t, &est) != 0)
				abort();
			digit = (unsigned)est;
			if (t == 0 || due(w, t)) {
				k += digit * place;
				place *= w->n;
			} else
				check(digit == k / (place / w->n));
		}
		count[k]++;
		column_free(&c);
	}
	for (k = 0; k < n && tests < 8; k++) {
		if (R * p[k] < 50)
			continue;
		f = count[k];
		z = (f - R * p[k]) / sqrt(R * p[k] * (1 - p[k]));
		if (fabs(z) > LIMIT)
			printf("%s: outcome %u %g, not %g\n", w->m->ops->name, k, f / R, p[k]);
		check(fabs(z) <= LIMIT);
		tests++;
	}
	check(tests >= 2);
	dp_rng_free(rng);
}

/* How many choices --explain says a line is part of. */
static double
said_paid(const struct world *w)
{
	char text[480];
	unsigned n;

	return w->m->ops->say.note(w->m, 0, 1, text, sizeof text) &&
	    sscanf(strstr(text, "up to "), "up to %u of them", &n) == 1 ? (double)n : -1;
}

/* What is spent: n spread / epsilon; concentrated, spread sqrt(n / (8 rho)). */
static void
scales(void)
{
	static struct dp_experts own;
	struct dp_mech_rule s = follow(&own, 1000000, 50, dp_q_make(1, 1), true);
	struct world w;
	double n;

	check(world(&w, "blocks", 10000, 100, dp_q_make(1, 1), false));
	n = floor(9999. / (double)w.block);
	check(fabs(w.b - 2 * n) < 1e-9 && n > 100 && n < 200 && said_paid(&w) == n);
	dp_mech_free(w.m);
	check(world(&w, "doubling", 10000, 100, dp_q_make(1, 1), false));
	check(w.b == 14 && w.block == 78 && said_paid(&w) == 7);
	dp_mech_free(w.m);
	check(world(&w, "blocks", 1000000, 50, dp_q_make(1, 1), true) && w.weigh);
	n = floor(999999. / (double)w.block);
	check(fabs(w.b / (2 * sqrt(n / (8 * dp_q_double(s.privacy.rho)))) - 1) < 1e-6);
	dp_mech_free(w.m);
	/* no rate: it would be ignored */
	own = (struct dp_experts){ .given = true, .scale = { 1, 1 } };
	check(make("blocks", &s) == NULL && make("doubling", &s) == NULL);
	own.given = false;
	/* one expert; one round */
	check(world(&w, "blocks", 9, 1, dp_q_make(1, 1), false) && w.e.max == 0);
	dp_mech_free(w.m);
	check(world(&w, "doubling", 1, 3, dp_q_make(1, 1), false) && w.e.max <= 1);
	dp_mech_free(w.m);
	check(world(&w, "blocks", 1, 3, dp_q_make(1, 1), false) && w.e.max <= 1);
	dp_mech_free(w.m);
}

static void
worlds(const char *name)
{
	static const struct {
		const char *name;
		uint64_t T;
		unsigned n;
		struct dp_q epsilon;
		bool delta;
		double loss, regret;
		uint64_t segments;
	} all[] = {
		{ "blocks", 6, 2, { 1, 1 }, false, 0.9, 0.1, 1 },
		{ "blocks", 6, 2, { 16, 1 }, false, 0.9, 0.3, 1 },
		{ "blocks", 4, 3, { 24, 1 }, false, 0.5, 0.3, 1 },
		{ "doubling", 6, 2, { 8, 1 }, false, 0.5, 0.3, 1 },
		{ "doubling", 4, 3, { 2, 1 }, false, 0.4, 0.3, 1 },
		{ "blocks", 6, 2, { 16, 1 }, false, 0.75, 0.3, 2 },
		{ "blocks", 6, 2, { 1, 1 }, false, 0.8, 0.1, 3 },
		{ "blocks", 5, 2, { 4, 1 }, false, 0.85, 0.1, 2 },
		{ "doubling", 6, 2, { 8, 1 }, false, 0.5, 0.3, 2 },
		{ "doubling", 4, 3, { 2, 1 }, false, 0.4, 0.3, 2 },
	};
	struct world w;
	size_t i;

	if (leave_named("neighbour", name, "experts"))
		return;
	for (i = 0; i < sizeof all / sizeof *all; i++) {
		if (strcmp(name, all[i].name) != 0)
			continue;
		check(world_of(&w, all[i].name, all[i].segments, all[i].T, all[i].n,
		    all[i].epsilon, all[i].delta));
		every_stream(&w, dp_q_double(all[i].epsilon), all[i].loss, all[i].regret);
		drawn(&w, i + 1);
		dp_mech_free(w.m);
	}
	/* with delta the exponential mechanism; its divergence is selection.h's */
	check(world(&w, name, 6, 2, dp_q_make(1, 1), true));
	drawn(&w, 9);
	dp_mech_free(w.m);
	scales();
}

/*
 * Large worlds, simulated: costs 0 or 1 with chances.  Another column is the best from round
 * `change` on; if `change` is a quarter or less, in every so many rounds another.
 */
#define LONG	10000
#define MANY	100

static double
simulated(struct world *w, struct dp_rng *rng, double best, double rest, uint64_t change,
    int R, double *se)
{
	int64_t x[MANY];
	double sum = 0, squares = 0, cost, total[MANY], most;
	uint64_t t, v = 99;
	struct column c;
	dp_wide est;
	unsigned i;
	int r;

	for (r = 0; r < R; r++) {
		if (column_new(&c, w->m, rng) != 0)
			abort();
		memset(total, 0, sizeof total);
		for (cost = 0, t = 0; t < w->T; t++) {
			if (t > 0 && w->m->ops->step(w->m, c.state, rng, t, x, NULL) != 0)
				abort();
			if (w->m->ops->answer(w->m, c.state, rng, t, &est) != 0)
				abort();
			for (i = 0; i < w->n; i++) {
				v = v * UINT64_C(6364136223846793005) + 1442695040888963407;
				x[i] = (double)(v >> 11) * 0x1p-53 <
				    (i == (t < change ? 36u : 4 * change > w->T ? 4u :
				    (unsigned)(t / change)) ? best : rest);
				total[i] += (double)x[i];
			}
			cost += (double)x[est];
		}
		column_free(&c);
		for (most = total[0], i = 1; i < w->n; i++)
			most = fmin(most, total[i]);
		sum += cost - most;
		squares += (cost - most) * (cost - most);
	}
	*se = sqrt(fmax(0, squares / R - sum / R * (sum / R)) / (R - 1));
	return sum / R;
}

/* What dpexperts(1) says of kary on the same, within 4.9 standard errors and 5. */
static void
counters(struct dp_rng *rng)
{
	static const double all[][4] = { { .4, .5, LONG, 960 }, { 0, 1, LONG, 6570 },
	    { .1, .5, LONG / 3, 2520 }, { .1, .5, LONG / 4, 970 } };
	static struct dp_experts own;
	struct dp_mech_rule s = follow(&own, LONG, MANY, dp_q_make(1, 1), false);
	struct world w = { .n = MANY, .T = LONG };
	double found, se;
	size_t i;

	/* a line moves all of them */
	if (dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(0, 1), MANY, MANY) != 0 ||
	    (w.m = make("kary", &s)) == NULL)
		abort();
	for (i = 0; i < sizeof all / sizeof *all; i++) {
		found = simulated(&w, rng, all[i][0], all[i][1], (uint64_t)all[i][2], 8, &se);
		printf("kary, %g against %g: %.4g +- %.2g\n", all[i][0], all[i][1], found, se);
		check(fabs(found - all[i][3]) <= 5 + 4.9 * se);
	}
	dp_mech_free(w.m);
}

/* dpexperts(1), ACCURACY: what was found, within 4.9 standard errors and 5; what is promised. */
static void
said(const char *name)
{
	static const struct {
		const char *name;
		double best, rest;
		uint64_t change;
		double found;
		uint64_t segments;
	} all[] = {
		{ "doubling", .4, .5, LONG, 100, 1 }, { "doubling", 0, 1, LONG, 90, 1 },
		{ "blocks", .4, .5, LONG, 930, 1 }, { "blocks", 0, 1, LONG, 1225, 1 },
		{ "blocks", .1, .5, LONG / 3, 1240, 1 }, { "doubling", .1, .5, LONG / 3, 1420, 1 },
		{ "blocks", .1, .5, LONG / 4, 770, 1 }, { "doubling", .1, .5, LONG / 4, 120, 1 },
		{ "doubling", .1, .5, LONG / 3, -770, 8 },
		{ "doubling", .1, .5, LONG / 4, -2520, 8 },
		{ "doubling", .4, .5, LONG, 560, 8 }, { "doubling", 0, 1, LONG, 220, 8 },
	};
	struct dp_rng *rng;
	struct world w;
	double mean, se;
	size_t i;

	if (leave_named("loss", name, "experts"))
		return;
	if (dp_rng_open_seed(&rng, 4) != 0)
		abort();
	for (i = 0; i < sizeof all / sizeof *all; i++) {
		if (strcmp(name, all[i].name) != 0)
			continue;
		check(world_of(&w, all[i].name, all[i].segments, LONG, MANY, dp_q_make(1, 1),
		    false));
		mean = simulated(&w, rng, all[i].best, all[i].rest, all[i].change, 12, &se);
		printf("%s, %g against %g, %" PRIu64 " segments: %.4g +- %.2g, bound %.5g, of one "
		    "law %.5g\n", all[i].name, all[i].best, all[i].rest, all[i].segments, mean, se,
		    w.e.max, w.one_law);
		check(fabs(mean - all[i].found) <= 5 + 4.9 * se);
		check(mean + 4.9 * se <= (w.doubling && (all[i].change == LONG ||
		    all[i].segments > 1) ? w.one_law : w.e.max));
		check(all[i].best > 0 || mean <= w.c);
		dp_mech_free(w.m);
	}
	if (strcmp(name, "blocks") == 0)
		counters(rng);
	dp_rng_free(rng);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	worlds("blocks");
	worlds("doubling");
	said("blocks");
	said("doubling");
	return done();
}
