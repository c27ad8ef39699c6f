/* SPDX-License-Identifier: ISC */
/*
 * s_maxsum.c - the counters of dpmaxsum: law, loss and privacy, measured.
 *
 * law       One column is a running count: its variance at steps 1, T/2, T and the worst, T in
 *           {7, 300}, R = 2000 runs.  Statistic (sample variance / predicted - 1) / sqrt(5/R),
 *           limit 6.2: false-reject rate below 1e-6 for all (s_variance.c).
 * loss      T = 100, D = 5, R = 1500 runs of BOTH: column 1 has a sum of g from step 1 on, the
 *           others have 0.  A choice loses g if it ever is another one: with g = 1 + the predicted
 *           quantile in at most 1/3 of the runs, with .85 of it in 1/3 at least.  Values: five
 *           runs of one column each, so that both tails of all noise show: the largest noise is in
 *           at most 1/3 of the groups above what is predicted for D = 5, in 1/3 at least above .85
 *           of it.  Margin 5.5 sqrt(p (1 - p) / R): false-reject rate below 1e-6 for all.
 *           With D columns at once the largest sum's loss is no larger than that: what the manual
 *           says of it, .75 to .95 of the prediction, is where its quantile is, at 2/3 and .95,
 *           and that of a choice's; R = 1000, the same margin.
 * neighbour Can epsilon = 1 be refuted?  T = 8, D = 2, a line of step 3 moves from one column to
 *           the other: R = 60000 runs of BOTH a side.  Events: all answers of a set of steps are
 *           column 2; all sums of it are at least what they are without noise.  As s_neighbour.c:
 *           normal quantile 6.3 on both proportions.
 *           Of banded noise two events of a user, four steps apart, of one column and of both, too.
 */
#include <math.h>

#include "../unit/covers.h"
#include "../unit/maxsum.h"

#define LIMIT	6.2
#define D	5

static const char *const counters[] = { "tree", "kary", "normtree", "pan", "pan-slots",
	"blt", "banded", "tree-gauss" };

/* Mechanisms that need a delta, by their names here. */
static bool
needs_delta(const char *name)
{
	return strcmp(name, "blt") == 0 || strcmp(name, "banded") == 0 ||
	    strcmp(name, "tree-gauss") == 0;
}

static double missed = 1. / 3;	/* the probability that a loss is larger than predicted */

static const struct dp_q one = { 1, 1 }, none = { 0, 1 }, millionth = { 1, 1000000 };

/* The counter, or the tree with Gaussian noise; T steps, n columns. */
static struct dp_mech *
plan(const char *name, struct dp_maxsum *own, enum dp_maxsum_show show, uint64_t T, size_t n,
    uint64_t l, bool large)
{
	const bool delta = needs_delta(name);
	struct dp_mech_rule s = maxsum_setting(own, show, T, n, one,
	    delta ? large ? dp_q_make(1, 1000) : millionth : none, l, l);
	struct dp_mech *m;

	s.beta = missed;
	s.privacy.columns = (unsigned)l;
	s.pan = strncmp(name, "pan", 3) == 0;
	if (strcmp(name, "banded") == 0) {	/* one step of a user, no other within T */
		s.privacy.times = 1;
		s.privacy.spacing = T;
	}
	if ((m = make(delta && name[0] == 't' ? "tree" : name, &s)) == NULL)
		abort();
	return m;
}

static void
law(const char *name, uint64_t T, struct dp_rng *rng)
{
	enum { R = 2000 };
	struct dp_maxsum own;
	struct dp_mech *m = plan(name, &own, DP_MAXSUM_VALUE, T, 1, 1, false);
	double sum[4] = { 0 }, squares[4] = { 0 }, v, got;
	struct dp_error e;
	struct column c;
	uint64_t t, at[4];
	dp_wide y[2];
	int r, i;

	dp_mech_error(m, T, &e);
	for (i = 0; i < 4; i++)
		at[i] = ((uint64_t[]){ 1, (T + 1) / 2, T, e.worst })[i];
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (maxsum_step(&c, (int64_t[]){ 0 }, y) != 0)
				abort();
			for (i = 0; i < 4; i++)
				if (at[i] == t) {
					sum[i] += (double)y[0];
					squares[i] += (double)y[0] * (double)y[0];
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 4; i++) {
		v = dp_mech_variance(m, at[i]);
		got = (squares[i] - sum[i] * sum[i] / R) / (R - 1);
		check(got >= v * (1 - LIMIT * sqrt(5. / R)) &&
		    got <= (v + 0.25) * (1 + LIMIT * sqrt(5. / R)));
		check(fabs(sum[i] / R) <= LIMIT * sqrt((v + 0.1) / R));
	}
	dp_mech_free(m);
}

/* The share of R runs for which a limit was passed, against what was promised for it. */
static void
judge(const char *name, const char *what, double above, double above85, double R)
{
	const double beta = 1. / 3, margin = 5.5 * sqrt(beta * (1 - beta) / R);
	const bool good = above / R <= beta + margin && above85 / R >= beta - margin;

	check(good);
	printf("%s, %s: %.3f above the prediction, %.3f above .85 of it\n", name, what, above / R,
	    above85 / R);
}

static void
loss_of_choices(const char *name, uint64_t T, double R, struct dp_rng *rng)
{
	struct dp_maxsum own;
	struct dp_mech *m = plan(name, &own, DP_MAXSUM_BOTH, T, D, D, false);
	struct dp_mech *only = plan(name, &own, DP_MAXSUM_CHOICE, T, D, D, false);
	const int64_t zero[D] = { 0 };
	double above[2] = { 0, 0 };
	int64_t first[D] = { 0 };
	dp_wide y[2];
	struct dp_error e;
	struct column c;
	uint64_t t;
	bool wrong;
	int i;
	double r;

	dp_mech_error(only, T, &e);
	for (i = 0; i < 2; i++)
		for (r = 0; r < R; r++) {
			first[0] = (int64_t)(i == 0 ? e.max + 1 : ceil(.85 * e.max));
			if (column_new(&c, m, rng) != 0)
				abort();
			for (wrong = false, t = 1; t <= T && !wrong; t++) {
				if (maxsum_step(&c, t == 1 ? first : zero, y) != 0)
					abort();
				wrong = y[0] != 0;
			}
			above[i] += wrong;
			column_free(&c);
		}
	judge(name, "choice", above[0], above[1], R);
	dp_mech_free(m);
	dp_mech_free(only);
}

static void
loss_of_values(const char *name, uint64_t T, double R, struct dp_rng *rng)
{
	struct dp_maxsum own;
	struct dp_mech *all = plan(name, &own, DP_MAXSUM_VALUE, T, D, D, false);
	struct dp_mech *m = plan(name, &own, DP_MAXSUM_VALUE, T, 1, D, false);
	double above[2] = { 0, 0 }, most, r;
	struct dp_error e;
	struct column c;
	dp_wide y[2];
	uint64_t t;
	int i;

	dp_mech_error(all, T, &e);
	for (r = 0; r < R; r++) {
		for (most = 0, i = 0; i < D; i++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (t = 1; t <= T; t++) {
				if (maxsum_step(&c, (int64_t[]){ 0 }, y) != 0)
					abort();
				most = fmax(most, fabs((double)y[0]));
			}
			column_free(&c);
		}
		above[0] += most > e.max;
		above[1] += most > .85 * e.max;
	}
	judge(name, "value", above[0], above[1], R);
	dp_mech_free(all);
	dp_mech_free(m);
}

/* How often the largest loss of T steps passes `limit`; of a choice: that it loses such a gap. */
static double
passed(const char *name, enum dp_maxsum_show show, uint64_t T, double limit, double R,
    struct dp_rng *rng)
{
	const bool choice = show == DP_MAXSUM_CHOICE;
	struct dp_maxsum own;
	struct dp_mech *m = plan(name, &own, show, T, D, D, false);
	const int64_t gap[D] = { choice ? (int64_t)ceil(limit) : 0 }, zero[D] = { 0 };
	double n = 0, r;
	struct column c;
	dp_wide y[2];
	uint64_t t;
	bool wrong;

	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (wrong = false, t = 1; t <= T && !wrong; t++) {
			if (maxsum_step(&c, t == 1 ? gap : zero, y) != 0)
				abort();
			wrong = choice ? y[0] != 0 : fabs((double)y[0]) > limit;
		}
		n += wrong;
		column_free(&c);
	}
	dp_mech_free(m);
	return n / R;
}

/* dpmaxsum(1), ACCURACY */
static void
as_said(const char *name, enum dp_maxsum_show show, struct dp_rng *rng)
{
	const double R = 1000, beta = missed, margin = 5.5 * sqrt(beta * (1 - beta) / R);
	struct dp_maxsum own;
	struct dp_mech *m = plan(name, &own, show, 100, D, D, false);
	struct dp_error e;
	double low, high;

	dp_mech_error(m, 100, &e);
	low = passed(name, show, 100, .75 * e.max, R, rng);
	high = passed(name, show, 100, .95 * e.max, R, rng);
	printf("%s, show %d, %.3f: %.3f above .75 of the prediction, %.3f above .95\n", name,
	    (int)show, missed, low, high);
	check(low >= beta - margin && high <= beta + margin);
	dp_mech_free(m);
}

#define STEPS	8
#define SETS	10

/* Sets as bit masks of steps 1..8. */
static const unsigned set[SETS] = { 4, 8, 64, 128, 12, 60, 252, 136, 132, 255 };

static void
simulate(const struct dp_mech *m, struct dp_rng *rng, const int64_t x[STEPS][2], double R,
    double n[2][SETS])
{
	unsigned chosen, high, i;
	struct column c;
	dp_wide y[2];
	uint64_t t;
	double r;

	memset(n, 0, 2 * sizeof n[0]);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (chosen = high = 0, t = 1; t <= STEPS; t++) {
			if (maxsum_step(&c, x[t - 1], y) != 0)
				abort();
			chosen |= (unsigned)(y[0] == 1) << (t - 1);
			high |= (unsigned)(y[0] == 1 && y[1] >= 1) << (t - 1);
		}
		column_free(&c);
		for (i = 0; i < SETS; i++) {
			n[0][i] += (chosen & set[i]) == set[i];
			n[1][i] += (high & set[i]) == set[i];
		}
	}
}

static void
refute(const char *name, const struct dp_mech *m, const int64_t a[STEPS][2],
    const int64_t b[STEPS][2], double delta, struct dp_rng *rng)
{
	const double R = 60000;
	double n[2][SETS], moved[2][SETS], worst = 0;
	int i, j;

	simulate(m, rng, a, R, n);
	simulate(m, rng, b, R, moved);
	for (i = 0; i < 2; i++)
		for (j = 0; j < SETS; j++)
			worst = fmax(worst, refuted(n[i][j], moved[i][j], R, delta));
	printf("%s: loss at least %.3f of 1\n", name, worst);
	check(worst <= 1);
}

static void
neighbour(const char *name, struct dp_rng *rng)
{
	static const int64_t x[2][STEPS][2] = { { [2] = { 0, 1 } }, { [2] = { 1, 0 } } };
	struct dp_maxsum own;
	struct dp_mech *m = plan(name, &own, DP_MAXSUM_BOTH, STEPS, 2, 2, true);

	refute(name, m, x[0], x[1], needs_delta(name) ? 1e-3 : 0, rng);
	dp_mech_free(m);
}

/* Two events of a user, four steps apart, of one column and of both: there, or not. */
static void
neighbour_apart(struct dp_rng *rng)
{
	static const int64_t x[3][STEPS][2] = { { { 0, 0 } }, { [2] = { 0, 1 }, [6] = { 0, 1 } },
	    { [2] = { 0, 1 }, [6] = { 1, 0 } } };
	struct dp_maxsum own;
	struct dp_mech_rule s = maxsum_setting(&own, DP_MAXSUM_BOTH, STEPS, 2, one,
	    dp_q_make(1, 1000), 2, 4);
	struct dp_mech *m;
	int i;

	s.privacy.times = 2;
	s.privacy.spacing = 4;
	if ((m = make("banded", &s)) == NULL)
		abort();
	for (i = 1; i < 3; i++)
		refute("banded, apart", m, x[i], x[0], 1e-3, rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	const char *name, *is;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 9) != 0)
		abort();
	for (i = 0; i < sizeof counters / sizeof counters[0]; i++) {
		name = counters[i];
		is = strcmp(name, "tree-gauss") == 0 ? "tree" : name;
		if (!leave_named("law", is, "maxsum")) {
			law(name, 7, rng);
			law(name, 300, rng);
		}
		if (!leave_named("loss", is, "maxsum")) {
			loss_of_choices(name, 100, 1500, rng);
			loss_of_values(name, 100, 1500, rng);
			if (strcmp(name, "normtree") == 0) {
				for (missed = .05; missed < .5; missed += 1. / 3 - .05) {
					as_said(name, DP_MAXSUM_VALUE, rng);
					as_said(name, DP_MAXSUM_CHOICE, rng);
				}
				missed = 1. / 3;
			}
		}
		if (!leave_named("neighbour", is, "maxsum")) {
			neighbour(name, rng);
			if (strcmp(name, "banded") == 0)
				neighbour_apart(rng);
		}
	}
	dp_rng_free(rng);
	return done();
}
