/* SPDX-License-Identifier: ISC */
/*
 * s_experts.c - the choices of dpexperts' mechanisms: their law is as predicted in every round,
 * their regret within its bound, and the claimed epsilon is not refuted.
 *
 * Law.  n = 2, T = 8, epsilon = 1, U = 400; line 1 costs expert 1 d = 0 or 230; R = 20000 runs.
 * The first expert is followed with the probability P(N >= d) (0 in the first round), N the
 * sum of the noise of two counters at the step with the most of it (blt: at that round's), as is
 * predicted, and of a discrete Laplace variable of scale 1/rate.  Statistic: (frequency - P) /
 * sqrt(P (1-P) / R).  Limit 6.2: false-reject rate below 1e-6 for all 4 * 2 * 2 * 8 checks.  And in
 * the rounds 1 and 2 of independent draws (no counters' noise): covariance of the choices.
 *
 * Loss.  200 runs of T = 256 rounds, n = 5, costs 0 or 1 with chances .3 to .7, epsilon = 1 for one
 * cost (the design's example); and 600 runs of 2048 rounds of two streams against two experts: one
 * charges who leads, until the other leads by 20; one charges the leader in rounds in which the
 * counter's own noise is small, the other in the rest.  Mean regret plus 4.9 standard errors must
 * be within the bound, and the mean above a tenth of it in the first.  And what the manual says was
 * found: within 4.9 standard errors, and 1 of rounding, of its figures; also of 100 rounds of two
 * experts of which the second always costs 1.
 *
 * Neighbours.  T = 8, n = 2, epsilon = 1, R = 40000 runs a side, on the counters' estimates, from
 * which the choices are computed: zeros against one cost (of one expert: l1 = 1) or one line (of
 * both: l1 = 2) at line 3.  Events: the estimates of the first; both; their difference; by how much
 * the first one grows; at all steps of a set at or above what the neighbour adds, or below.
 * epsilon is refuted when the lower end of ln(p1/p0) exceeds 1: normal quantile 6.3 on both
 * proportions.  False-reject rate below 1e-6 for all 4 * 2 * 4 * 2 * 12 tests.  This can refute
 * differential privacy, not prove it; power: tests/fault/faults_experts.bats.
 */
#include "../unit/covers.h"
#include "../unit/mech.h"
#include "law/internal.h"
#include "stat/experts.h"

#define LIMIT	6.2
#define SETS	12
#define ROUNDS	8
#define VIEWS	4

static const char *const names[] = { "kary", "pan-slots", "pan", "blt" };
#define NAMES	(sizeof names / sizeof names[0])

static struct dp_mech_rule
follow(const char *name, struct dp_experts *own, uint64_t T, size_t n, int64_t hi, uint64_t l1)
{
	struct dp_mech_rule s = setting(T, 1, 1, l1);
	const bool blt = strcmp(name, "blt") == 0;

	s.task.what = DP_TASK_OWN;
	s.task.statistic = &dp_experts_statistic;
	s.task.own = own;
	s.inputs = n;
	s.hi = hi;
	s.most = (uint64_t)hi;
	s.pan = strncmp(name, "pan", 3) == 0;
	s.bits = false;
	s.privacy.exact = strcmp(name, "identity") == 0;
	if (blt && dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000), l1,
	    l1 * l1) != 0)
		abort();
	return s;
}

/* The counter that stands behind, as a mechanism of its own. */
static struct dp_mech *
counter(const struct dp_mech_rule *s, const char *name)
{
	struct dp_mech_rule c = *s;

	c.task = (struct dp_task){ .what = DP_TASK_COUNT };
	c.inputs = 1;
	return make(name, &c);
}

static void
choose(struct column *c, uint64_t t, const int64_t *x, dp_wide *est)
{
	if (t > 0 && c->m->ops->step(c->m, c->state, c->rng, t, x, NULL) != 0)
		abort();
	if (c->m->ops->answer(c->m, c->state, c->rng, t, est) != 0)
		abort();
}

/* Law */

static double
predicted(const struct dp_mech *one, const struct dp_mech *m, uint64_t round, double d)
{
	const struct dp_noise *perturb;
	const char *what;
	struct dp_error e;
	struct dp_law law;

	dp_mech_error(one, ROUNDS, &e);
	/* trees are padded to the law of their worst step */
	dp_mech_law(one, 0, strcmp(one->ops->name, "blt") != 0 ? e.worst : round, &law);
	law.term[0].n *= 2;
	if (dp_mech_family(m, 1, &perturb, &what))
		dp_law_add(&law, perturb, 1, 1);
	if (d > 0)
		return dp_law_tail(&law, d) / 2;
	return 1 - dp_law_tail(&law, 1) / 2;	/* P(N >= 0) = 1 - P(N >= 1), N symmetric */
}

static void
law_of(const char *name, struct dp_rng *rng, struct dp_experts own, int64_t d)
{
	const double R = 20000;
	struct dp_mech_rule s = follow(name, &own, ROUNDS, 2, 400, 100);
	struct dp_mech *m = make(name, &s), *one = counter(&s, name);
	int64_t x[2] = { d, 0 }, zero[2] = { 0, 0 };
	double first[ROUNDS] = { 0 }, p, z;
	struct column c;
	dp_wide est;
	int r, t;

	if (m == NULL || one == NULL)
		abort();
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 0; t < ROUNDS; t++) {
			choose(&c, (uint64_t)t, t == 1 ? x : zero, &est);
			first[t] += est == 0;
		}
		column_free(&c);
	}
	for (t = 0; t < ROUNDS; t++) {
		p = predicted(one, m, (uint64_t)t + 1, t == 0 ? 0 : (double)d);
		z = (first[t] - R * p) / sqrt(R * p * (1 - p));
		if (fabs(z) > LIMIT)
			printf("%s, d = %d, round %d: %g, not %g\n", name, (int)d, t + 1,
			    first[t] / R, p);
		check(fabs(z) <= LIMIT);
	}
	dp_mech_free(one);
	dp_mech_free(m);
}

/* Choices of two rounds without counters' noise: what perturbs them is fresh. */
static void
fresh(struct dp_rng *rng)
{
	const double R = 40000;
	struct dp_experts own = { true, { 50, 1 }, 0 };
	struct dp_mech_rule s = follow("identity", &own, 3, 2, 1, 1);
	const int64_t zero[2] = { 0, 0 };
	double one = 0, two = 0, both = 0, p = 0.5 * (1 + tanh(.01));
	struct dp_mech *m;
	struct column c;
	dp_wide a, b;
	int r;

	if ((m = make("identity", &s)) == NULL)
		abort();
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		choose(&c, 0, NULL, &a);
		choose(&c, 1, zero, &b);
		one += a == 0;
		two += b == 0;
		both += a == 0 && b == 0;
		column_free(&c);
	}
	/* P(DLap >= 0) = 1/(1+q), q = e^(-1/50) */
	check(fabs(one - R * p) <= LIMIT * sqrt(R / 4));
	check(fabs(two - R * p) <= LIMIT * sqrt(R / 4));
	check(fabs(both - one * two / R) <= LIMIT * sqrt(R / 16));
	dp_mech_free(m);
}

static void
laws(const char *name, struct dp_rng *rng)
{
	static const struct dp_experts own[] = { { true, { 0, 1 }, 0 }, { true, { 300, 1 }, 0 } };
	size_t i;

	if (leave_named("law", name, "experts"))
		return;
	for (i = 0; i < 2; i++) {
		law_of(name, rng, own[i], 0);
		law_of(name, rng, own[i], 230);
	}
	fresh(rng);
}

/* Loss */

#define LONG	2048
#define MOST	5

struct stream {
	const char *what;
	uint64_t T;
	size_t n;
	int64_t x[LONG * MOST];
};

static double
best_of(const struct stream *in)
{
	double sum, best = INFINITY;
	size_t i, t;

	for (i = 0; i < in->n; i++) {
		for (sum = 0, t = 0; t < in->T; t++)
			sum += (double)in->x[t * in->n + i];
		best = fmin(best, sum);
	}
	return best;
}

/* What --explain says in the cost of the best, less that cost; INFINITY: nothing. */
static double
first_order(const struct dp_mech *m, double best)
{
	char text[480];
	double a, c;

	if (m->ops->say.note == NULL || !m->ops->say.note(m, 0, 1, text, sizeof text))
		return INFINITY;
	check(sscanf(strstr(text, "to cost "), "to cost %lf L + %lf", &a, &c) == 2);
	check(a > 1 && c > 0);
	return a * best + c - best;
}

/* Mean regret of some runs, its standard error to *se; the bound to *bound, first order: first. */
static double
regret(const struct stream *in, const char *name, struct dp_experts own, struct dp_rng *rng,
    double *se, double *bound, double *first)
{
	const double R = in->T > 256 ? 600 : 200, best = best_of(in);
	struct dp_mech_rule s = follow(name, &own, in->T, in->n, 1, 1);
	struct dp_mech *m = make(name, &s);
	double sum = 0, squares = 0, cost;
	struct dp_error e;
	struct column c;
	dp_wide est;
	uint64_t t;
	int r;

	if (m == NULL)
		abort();
	dp_mech_error(m, in->T, &e);
	*bound = e.max;
	*first = first_order(m, best);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (cost = 0, t = 0; t < in->T; t++) {
			choose(&c, t, in->x + (t - (t > 0)) * in->n, &est);
			cost += (double)in->x[t * in->n + (size_t)est];
		}
		column_free(&c);
		sum += cost - best;
		squares += (cost - best) * (cost - best);
	}
	dp_mech_free(m);
	*se = sqrt((squares / R - sum / R * (sum / R)) / R);
	return sum / R;
}

static void
random_costs(struct stream *in)
{
	uint64_t t, i, v = 12345;

	*in = (struct stream){ .what = "random", .T = 256, .n = 5 };
	for (t = 0; t < in->T; t++)
		for (i = 0; i < in->n; i++) {
			v = v * UINT64_C(6364136223846793005) + 1;
			in->x[t * in->n + i] = (double)(v >> 11) * 0x1p-53 < .3 + .1 * (double)i;
		}
}

/* Of two experts the one in front pays until it is as far behind. */
static void
against_leader(struct stream *in, int64_t lead)
{
	int64_t ahead = 0;
	uint64_t t;
	int pays = 0;

	*in = (struct stream){ .what = "against the leader", .T = LONG, .n = 2 };
	for (t = 0; t < in->T; t++) {
		in->x[2 * t + (uint64_t)pays] = 1;
		ahead += pays ? 1 : -1;
		if (ahead == lead || ahead == -lead)
			pays = ahead > 0 ? 0 : 1;
	}
}

/*
 * The first expert is in front by some costs at the beginning, and so it stays: where the counter's
 * own noise is small it pays, else the other does.
 */
static void
against_law(struct stream *in, const char *name)
{
	struct dp_experts own = { .given = false };
	struct dp_mech_rule s = follow(name, &own, LONG, 2, 1, 1);
	struct dp_mech *one = counter(&s, name);
	struct dp_error e;
	int64_t ahead = 0;
	uint64_t t;

	*in = (struct stream){ .what = "against the law", .T = LONG, .n = 2 };
	if (one == NULL)
		abort();
	dp_mech_error(one, LONG, &e);
	for (t = 0; t < in->T; t++) {
		const bool quiet = dp_mech_variance(one, t + 1) < e.mean;
		const int pays = ahead < 10 ? 1 : ahead > 30 ? 0 : quiet ? 0 : 1;

		in->x[2 * t + (uint64_t)pays] = 1;
		ahead += pays ? 1 : -1;
	}
	dp_mech_free(one);
}

/* The same one pays in each round. */
static void
one_pays(struct stream *in)
{
	uint64_t t;

	*in = (struct stream){ .what = "one pays", .T = 100, .n = 2 };
	for (t = 0; t < in->T; t++)
		in->x[2 * t + 1] = 1;
}

/* dpexperts(1), ACCURACY: regrets that were found, of at most so much. */
static const struct {
	const char *name;
	int stream;
	double found, most;
} said[] = { { "kary", 0, 17, 31 }, { "pan-slots", 0, 33, 45 }, { "pan", 1, 35, 62 },
	{ "pan", 4, 18, 19 } };

static void
as_said(const char *name, int stream, double mean, double se, double bound)
{
	size_t i;

	for (i = 0; i < sizeof said / sizeof *said; i++)
		if (strcmp(name, said[i].name) == 0 && stream == said[i].stream)
			check(fabs(mean - said[i].found) <= 1 + 4.9 * se &&
			    fabs(bound - said[i].most) < 1);
}

static void
losses(const char *name, struct dp_rng *rng)
{
	/* without counters' noise there is no bound but with a rate */
	const bool exact = strcmp(name, "identity") == 0;
	static struct stream in;
	struct dp_experts own;
	double se, bound, first, mean;
	int i;

	if (leave_named("loss", name, "experts"))
		return;
	for (i = exact; i < 5 - exact; i++) {
		if (i < 2)
			random_costs(&in);
		else if (i == 2)
			against_leader(&in, 20);
		else if (i == 3)
			against_law(&in, name);
		else
			one_pays(&in);
		own = (struct dp_experts){ i == 1 || exact, { i == 2 ? 45 : 10, 1 }, 0 };
		mean = regret(&in, name, own, rng, &se, &bound, &first);
		printf("%s, %s%s: regret %.4g +- %.2g, bound %.4g\n", name, in.what,
		    i == 1 ? ", rate 0.1" : "", mean, se, bound);
		check(i == 4 ? mean - 4.9 * se <= bound : mean + 4.9 * se <= bound);
		check(mean - (i == 4 ? 4.9 : -4.9) * se <= first);
		check(isfinite(first) == (strcmp(name, "blt") != 0));
		as_said(name, i, mean, se, bound);
		check(i > 0 || mean >= bound / 10);
		/* the design has 29.4 of 101.6 for the paper's algorithm, on other such costs */
		check(i != 1 || strcmp(name, "pan") != 0 ||
		    (mean > 20 && mean < 45 && bound < 101.6 * 2 / 3));
	}
}

/* Neighbours */

static const unsigned set[SETS] = { 1, 2, 4, 8, 128, 3, 11, 9, 15, 255, 252, 140 };

struct counts {
	double up[VIEWS][SETS], down[VIEWS][SETS];
};

static void
views(const dp_wide *x, dp_wide was, dp_wide v[VIEWS])
{
	v[0] = x[0];
	v[1] = x[1];
	v[2] = x[0] - x[1];
	v[3] = x[0] - was;
}

/* Estimates of ROUNDS steps, with x at line 3 or never, against what x there makes of zeros. */
static void
simulate(const struct dp_mech *m, struct dp_rng *rng, const int64_t *x, bool there, double R,
    struct counts *n)
{
	static const int64_t zero[2] = { 0, 0 };
	const dp_wide nothing[2] = { 0, 0 }, all[2] = { x[0], x[1] };
	dp_wide limit[VIEWS], v[VIEWS], was;
	unsigned high[VIEWS];
	struct column c;
	uint64_t t;
	int r, i, k;

	memset(n, 0, sizeof *n);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		memset(high, 0, sizeof high);
		for (t = 1; t <= ROUNDS; t++) {
			was = *(const dp_wide *)c.state;
			if (m->ops->step(m, c.state, rng, t, t == 3 && there ? x : zero, NULL) != 0)
				abort();
			views(c.state, was, v);
			views(t >= 3 ? all : nothing, t > 3 ? all[0] : 0, limit);
			for (k = 0; k < VIEWS; k++)
				high[k] |= (unsigned)(v[k] >= limit[k]) << (t - 1);
		}
		column_free(&c);
		high[1] &= high[0];		/* both */
		for (k = 0; k < VIEWS; k++)
			for (i = 0; i < SETS; i++) {
				n->up[k][i] += (high[k] & set[i]) == set[i];
				n->down[k][i] += (high[k] & set[i]) == 0;
			}
	}
}

/* Lower end of ln((a - delta R)/b) for two counts of R. */
static double
loss(double a, double b, double R, double delta)
{
	const double z = 6.3;

	a -= delta * R;
	if (a < 1000)
		return -INFINITY;
	b = fmax(b, 150);		/* what fewer than 50 may stand for */
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

static double
audit(const char *name, struct dp_rng *rng, const int64_t *x)
{
	const double R = 40000, delta = strcmp(name, "blt") == 0 ? 1e-3 : 0;
	struct dp_experts own = { true, { 0, 1 }, 0 };
	/* the last line is no counter's */
	struct dp_mech_rule s = follow(name, &own, ROUNDS + 1, 2, 1, (uint64_t)(x[0] + x[1]));
	struct dp_mech *m;
	struct counts zero, one;
	double worst = 0;
	int i, k;

	s.privacy.columns = (unsigned)(x[0] + x[1]);
	s.privacy.l2squared = (uint64_t)(x[0] + x[1]);
	if ((m = make(name, &s)) == NULL)
		abort();
	simulate(m, rng, x, false, R, &zero);
	simulate(m, rng, x, true, R, &one);
	for (k = 0; k < VIEWS; k++)
		for (i = 0; i < SETS; i++) {
			worst = fmax(worst, loss(one.up[k][i], zero.up[k][i], R, delta));
			worst = fmax(worst, loss(zero.down[k][i], one.down[k][i], R, delta));
		}
	dp_mech_free(m);
	return worst;
}

static void
neighbours(const char *name, struct dp_rng *rng)
{
	static const int64_t cost[2] = { 1, 0 }, line[2] = { 1, 1 };
	double c, l;

	if (leave_named("neighbour", name, "experts"))
		return;
	c = audit(name, rng, cost);
	l = audit(name, rng, line);
	printf("%s: loss at least %.3f of 1 for a cost, %.3f of 1 for a line\n", name, c, l);
	check(c <= 1 && l <= 1);
	/* its steps are single draws here, one of which a cost shifts */
	check(strcmp(name, "kary") != 0 || c >= 0.85);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 10) != 0)
		abort();
	for (i = 0; i < NAMES; i++) {
		laws(names[i], rng);
		losses(names[i], rng);
		neighbours(names[i], rng);
	}
	losses("identity", rng);
	dp_rng_free(rng);
	return done();
}
