/* SPDX-License-Identifier: ISC */
/*
 * t_top.c - thresholds for names that nobody declared (stat/top.h): tau is the least that the
 * noise's own law allows, for units of several events, however they are spread over names; and the
 * theorem, by the exact divergence of all that is released.
 *
 * Exact: of one name, T = 2 and 3, over all streams of at most 2 events a step, less one of them:
 * sum over outputs of max(0, P(o) - e^epsilon Q(o)), both ways, by the tables that are drawn from.
 * It is at most delta = P(N_t >= tau - 1 at some t), and that for one event at step 1 against none.
 * Segments of 2 steps and of one (the first of two), with a tau each: it is at most P(N_t >= tau_t
 * - 1 at step 1 or 2) and that at step 3, by the laws that plans add up; and for one event at step
 * 1 against none P(N_t >= tau_t - 1 at some t).
 * Windows of 2 steps, T = 3: it is at most the sum that the plan allows for, and for one event at
 * step 2 against none P(N_t >= tau - 1 at step 2 or 3).
 */
#include "normtree/internal.h"
#include "stat/internal.h"
#include "top.h"

#define HEIGHTS	96
#define FEW	400		/* heights, where steps are not known */
#define FAR	28		/* noise beyond it is rarer than 10^-15 at epsilon = 2 */
#define SIDE	(2 * FAR + 1)
#define OUTPUTS	(SIDE + 8)	/* none, and y from -FAR to FAR + 6 */

/* The law of the tree that a plan of T steps draws from, and its tails. */
static void
tails(uint64_t T, uint64_t num, uint64_t den, double *tail)
{
	struct dp_mech_rule s = setting(T, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0 ||
	    dp_normtree_passages(p, &T, 1, HEIGHTS, tail) != 0)
		abort();
	dp_normtree_free(p);
}

/* The largest sum of F(c_k), F(j) = tail at tau - j, for c_k >= 1 with sum K, by all of them. */
static double
worst_spread(const double *F, unsigned K)
{
	double best[64] = { 0 };
	unsigned i, j;

	for (i = 1; i <= K; i++)
		for (j = 1; j <= i; j++)
			best[i] = fmax(best[i], best[i - j] + F[j]);
	return best[K];
}

static void
running(uint64_t T, uint64_t num, uint64_t den, unsigned K)
{
	struct dp_mech *m = top_make(&dp_top_running, T, num, den, 1000, K);
	const struct dp_top_plan *p = dp_top_plan(m);
	const double unit = dp_top_unit((double)num / (double)den, K);
	double *tail = calloc(HEIGHTS, sizeof *tail), F[64] = { 0 };
	unsigned j;

	tails(T, num, den * K, tail);
	for (j = 1; j <= K; j++)
		F[j] = p->tau > (int64_t)j ? tail[p->tau - j - 1] : 1;
	printf("T = %u, epsilon %g, K = %u: tau = %d, delta %.3g of 1e-6, spread %.3g\n",
	    (unsigned)T, (double)num / (double)den, K, (int)p->tau, p->delta, worst_spread(F, K));
	check(F[1] * unit <= 1e-6);
	check(tail[p->tau - 3] * unit > .999e-6);		/* no less would do */
	check(worst_spread(F, K) <= p->delta);
	check(p->delta <= 1e-6);
	free(tail);
	dp_mech_free(m);
}

static void
each(uint64_t num, uint64_t den, unsigned K)
{
	struct dp_mech *m = top_make(&dp_top_each, 0, num, den, 1000, K);
	const struct dp_top_plan *p = dp_top_plan(m);
	const double a = (double)num / (double)den / K, unit = dp_top_unit(a * K, K);
	double F[64] = { 0 };
	unsigned j;

	for (j = 1; j <= K; j++)
		F[j] = p->tau > (int64_t)j ?
		    exp(-a * (double)(p->tau - (int64_t)j)) / (1 + exp(-a)) : 1;
	printf("each step, epsilon %g, K = %u: tau = %d, spread %.3g\n", a * K, K, (int)p->tau,
	    worst_spread(F, K));
	check(p->most == K && worst_spread(F, K) <= p->delta && p->delta <= 1e-6);
	check(F[1] * unit * exp(a) > .999e-6);
	dp_mech_free(m);
}

/* P(N_1, .., N_T) of T = 2 or 3 steps, [N + FAR] each; from the tables. */
static double *
joint(const struct dp_normtree *p, uint64_t T)
{
	const unsigned reach = p->A > 64 ? p->A : 64, top = p->shape.kinds - 1;
	double *root = calloc(reach + 1, sizeof *root), *law = calloc(SIDE * SIDE * SIDE,
	    sizeof *law), sum, one;
	struct dp_normtree_splits *s = calloc(p->shape.kinds, sizeof *s);
	char *memory = malloc(p->shape.kinds * dp_normtree_splits_size(reach));
	const double *of, *left, *right;
	int P, a, w, v;
	unsigned i;

	if (root == NULL || law == NULL || s == NULL || memory == NULL)
		abort();
	for (i = 0; i < p->shape.kinds; i++)
		dp_normtree_splits_in(&s[i], reach,
		    (void *)(memory + i * dp_normtree_splits_size(reach)));
	memcpy(root, dp_normtree_root_weights(s, p, &sum), (reach + 1) * sizeof *root);
	for (i = 0; i < p->shape.kinds; i++)
		dp_normtree_set_splits(&s[i], p, i, 1e-19);
	for (P = -FAR; P <= FAR; P++)
		for (a = -FAR; a <= FAR; a++) {
			of = dp_normtree_split_of(&s[top], (unsigned)abs(P));
			one = root[abs(P)] / sum * of[P < 0 ? -a : a];
			if (T == 2) {
				law[((size_t)(a + FAR) * SIDE + (size_t)(P + FAR)) * SIDE] += one;
				continue;
			}
			if (one < 1e-17 || abs(P - a) > FAR)
				continue;
			left = dp_normtree_split_of(&s[p->shape.kind[top].child[0]],
			    (unsigned)abs(a));
			for (w = -FAR; w <= FAR; w++) {
				right = dp_normtree_split_of(&s[p->shape.kind[top].child[1] ==
				    DP_NORMTREE_STEP ? 0 : p->shape.kind[top].child[1]],
				    (unsigned)abs(P - a));
				for (v = -FAR; v <= FAR; v++)
					if (abs(a + v) <= FAR)
						law[((size_t)(w + FAR) * SIDE +
						    (size_t)(a + FAR)) * SIDE +
						    (size_t)(a + v + FAR)] += one *
						    left[a < 0 ? -w : w] *
						    right[P - a < 0 ? -v : v];
			}
		}
	free(root);
	free(s);
	free(memory);
	return law;
}

static unsigned window;		/* steps; 0: all that were */

/* What is released with noise N: a place for each output. */
static int later;	/* tau from step 3 on; 0: as before */

static size_t
output(const int *x, const int *N, unsigned T, int tau)
{
	bool had = false, named = false;
	size_t place = 0;
	unsigned t;
	int c = 0;

	for (t = 0; t < T; t++) {
		c += x[t] - (window > 0 && t >= window ? x[t - window] : 0);
		had = window > 0 ? c != 0 : had || x[t] != 0;
		named = (named && window == 0) || (had && c + N[t] >=
		    (later > 0 && t == 2 ? later : tau));
		place = place * OUTPUTS + (named ? (size_t)(c + N[t] + FAR + 1) : 0);
	}
	return place;
}

static double *
release(const double *law, const int *x, unsigned T, int tau)
{
	double *p = calloc(OUTPUTS * OUTPUTS * OUTPUTS, sizeof *p);
	int N[3], i, j, k;

	if (p == NULL)
		abort();
	for (i = 0; i < SIDE; i++)
		for (j = 0; j < SIDE; j++)
			for (k = 0; k < (T == 3 ? SIDE : 1); k++) {
				const double one = law[((size_t)i * SIDE + (size_t)j) * SIDE +
				    (size_t)k];

				N[0] = i - FAR;
				N[1] = j - FAR;
				N[2] = k - FAR;
				p[output(x, N, T, tau)] += one;
			}
	return p;
}

static double
divergence(const double *p, const double *q, double e)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < OUTPUTS * OUTPUTS * OUTPUTS; i++)
		sum += fmax(0, p[i] - e * q[i]);
	return sum;
}

static void
exact(unsigned T, int tau)
{
	struct dp_mech_rule s = setting(T, 2, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *n;
	double tail[HEIGHTS], *law, *p, *q, both, most = 0, first = 0;
	int x[3], y[3];
	unsigned i, at;

	dp_normtree_shape(&shape, dp_ceil_log2(T));
	if (dp_normtree_create(&n, &shape, &s.privacy) != 0 ||
	    dp_normtree_passages(n, &(uint64_t){ T }, 1, HEIGHTS, tail) != 0)
		abort();
	law = joint(n, T);
	for (i = 0; i < (T == 2 ? 9 : 27); i++)
		for (at = 0; at < T; at++) {
			x[0] = y[0] = (int)i % 3;
			x[1] = y[1] = (int)i / 3 % 3;
			x[2] = y[2] = (int)i / 9;
			x[at]++;		/* the event */
			p = release(law, x, T, tau);
			q = release(law, y, T, tau);
			both = fmax(divergence(p, q, exp(2)), divergence(q, p, exp(2)));
			most = fmax(most, both);
			if (i == 0 && at == 0)
				first = both;
			free(p);
			free(q);
		}
	printf("T = %u, tau = %d: divergence %.9f, one event at step 1 against none %.9f, delta "
	    "%.9f\n", T, tau, most, first, tail[tau - 2]);
	check(most <= tail[tau - 2] * (1 + 1e-9));
	check(first >= tail[tau - 2] * (1 - 1e-6));
	free(law);
	dp_normtree_free(n);
}

/* P(N_1, N_2, N_3) of windows of 2 steps over trees of 2: w_1, w_1 + w_2, w_2 + w_3. */
static double *
joint_windows(const struct dp_normtree *p)
{
	const unsigned reach = p->A > 2 * FAR ? p->A : 2 * FAR;
	double *root = calloc(reach + 1, sizeof *root), *law = calloc(SIDE * SIDE * SIDE,
	    sizeof *law), third[SIDE] = { 0 }, sum, one;
	struct dp_normtree_splits s;
	double *memory = malloc(dp_normtree_splits_size(reach));
	const double *of;
	size_t row;
	int P, a, v, third_of;

	if (root == NULL || law == NULL || memory == NULL)
		abort();
	dp_normtree_splits_in(&s, reach, memory);
	memcpy(root, dp_normtree_root_weights(&s, p, &sum), (reach + 1) * sizeof *root);
	dp_normtree_set_splits(&s, p, 0, 1e-19);
	for (P = -2 * FAR; P <= 2 * FAR; P++)
		for (of = dp_normtree_split_of(&s, (unsigned)abs(P)), a = -FAR; a <= FAR; a++)
			third[a + FAR] += root[abs(P)] / sum * of[P < 0 ? -a : a];
	for (P = -FAR; P <= FAR; P++)
		for (of = dp_normtree_split_of(&s, (unsigned)abs(P)), a = -FAR; a <= FAR; a++)
			for (v = -FAR; v <= FAR; v++) {
				one = root[abs(P)] / sum * of[P < 0 ? -a : a] * third[v + FAR];
				row = (size_t)(a + FAR) * SIDE + (size_t)(P + FAR);
				third_of = P - a + v + FAR;
				if (third_of >= 0 && third_of < SIDE)
					law[row * SIDE + (size_t)third_of] += one;
			}
	free(root);
	free(memory);
	return law;
}

/* P(N_t >= x at step `from' or the next). */
static double
either(const double *law, int x, unsigned from)
{
	double sum = 0;
	int N[3];

	for (N[0] = -FAR; N[0] <= FAR; N[0]++)
		for (N[1] = -FAR; N[1] <= FAR; N[1]++)
			for (N[2] = -FAR; N[2] <= FAR; N[2]++)
				if (N[from] >= x || N[from + 1] >= x)
					sum += *law++;
				else
					law++;
	return sum;
}

/*
 * An event of step 1 has another name instead: two moves, each of a name of its own, so (2 epsilon,
 * (1 + e^epsilon) delta); T = 2.
 */
static void
exact_renamed(int tau)
{
	static const int event[3] = { 1 }, none[3] = { 0 };
	const size_t outputs = OUTPUTS * OUTPUTS;
	struct dp_mech_rule s = setting(0, 2, 1, 1);
	struct dp_normtree_shape shape;
	double tail[HEIGHTS], *law, *p, *q, sum = 0, bound;
	struct dp_normtree *n;
	size_t i, j;

	dp_normtree_shape(&shape, 1);
	if (dp_normtree_create(&n, &shape, &s.privacy) != 0 ||
	    dp_normtree_passages(n, &(uint64_t){ 2 }, 1, HEIGHTS, tail) != 0)
		abort();
	law = joint(n, 2);
	p = release(law, event, 2, tau);
	q = release(law, none, 2, tau);
	for (i = 0; i < outputs; i++)
		for (j = 0; j < outputs && p[i] + q[i] > 0; j++)
			sum += fmax(0, p[i] * q[j] - exp(4) * q[i] * p[j]);
	bound = (1 + exp(2)) * tail[tau - 2];
	printf("another name instead, tau = %d: divergence %.9f at 2 epsilon, bound %.9f\n", tau,
	    sum, bound);
	check(sum <= bound && sum > bound / 20);
	free(p);
	free(q);
	free(law);
	dp_normtree_free(n);
}

/* P(N_1, N_2, N_3) of two trees of 2 steps, one after another: w_1, w_1 + w_2, and that + v_1. */
static double *
joint_segments(const struct dp_normtree *p)
{
	const unsigned reach = p->A > 2 * FAR ? p->A : 2 * FAR;
	double *root = calloc(reach + 1, sizeof *root), *law = calloc(SIDE * SIDE * SIDE,
	    sizeof *law), first[SIDE] = { 0 }, sum, one;
	struct dp_normtree_splits s;
	double *memory = malloc(dp_normtree_splits_size(reach));
	const double *of;
	int P, a, v;

	if (root == NULL || law == NULL || memory == NULL)
		abort();
	dp_normtree_splits_in(&s, reach, memory);
	memcpy(root, dp_normtree_root_weights(&s, p, &sum), (reach + 1) * sizeof *root);
	dp_normtree_set_splits(&s, p, 0, 1e-19);
	for (P = -2 * FAR; P <= 2 * FAR; P++)
		for (of = dp_normtree_split_of(&s, (unsigned)abs(P)), a = -FAR; a <= FAR; a++)
			first[a + FAR] += root[abs(P)] / sum * of[P < 0 ? -a : a];
	for (P = -FAR; P <= FAR; P++)
		for (of = dp_normtree_split_of(&s, (unsigned)abs(P)), a = -FAR; a <= FAR; a++)
			for (v = -FAR; v <= FAR; v++) {
				one = root[abs(P)] / sum * of[P < 0 ? -a : a] * first[v + FAR];
				if (abs(P + v) <= FAR)
					law[((size_t)(a + FAR) * SIDE + (size_t)(P + FAR)) * SIDE +
					    (size_t)(P + v + FAR)] += one;
			}
	free(root);
	free(memory);
	return law;
}

/* P(N_t >= tau_t - 1 at some step). */
static double
some_step(const double *law, int tau)
{
	double sum = 0;
	int N[3];

	for (N[0] = -FAR; N[0] <= FAR; N[0]++)
		for (N[1] = -FAR; N[1] <= FAR; N[1]++)
			for (N[2] = -FAR; N[2] <= FAR; N[2]++, law++)
				if (N[0] >= tau - 1 || N[1] >= tau - 1 || N[2] >= later - 1)
					sum += *law;
	return sum;
}

static void
exact_segments(int tau, int tau_later)
{
	struct dp_mech_rule s = setting(0, 2, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *n;
	double tail[HEIGHTS], one[HEIGHTS], root[2 * HEIGHTS + 1], outside, *law, *p, *q;
	double both, most = 0, first = 0, f;
	int x[3], y[3], P;
	unsigned i, at;

	dp_normtree_shape(&shape, 1);
	if (dp_normtree_create(&n, &shape, &s.privacy) != 0 ||
	    dp_normtree_passages(n, &(uint64_t){ 2 }, 1, HEIGHTS, tail) != 0 ||
	    dp_normtree_passages(n, &(uint64_t){ 1 }, 1, HEIGHTS, one) != 0 ||
	    dp_normtree_root_law(n, HEIGHTS, root, &outside) != 0)
		abort();
	for (f = tail[tau - 2] + outside, P = -HEIGHTS; P <= HEIGHTS; P++)
		f += root[P + HEIGHTS] * (P >= tau_later - 1 ? 1 : tau_later - 2 - P >= HEIGHTS ?
		    one[HEIGHTS - 1] : one[tau_later - 2 - P]);
	law = joint_segments(n);
	later = tau_later;
	for (i = 0; i < 27; i++)
		for (at = 0; at < 3; at++) {
			x[0] = y[0] = (int)i % 3;
			x[1] = y[1] = (int)i / 3 % 3;
			x[2] = y[2] = (int)i / 9;
			x[at]++;
			p = release(law, x, 3, tau);
			q = release(law, y, 3, tau);
			both = fmax(divergence(p, q, exp(2)), divergence(q, p, exp(2)));
			most = fmax(most, both);
			if (i == 0 && at == 0)
				first = both;
			free(p);
			free(q);
		}
	printf("segments, tau = %d and %d: divergence %.9f, one event at step 1 against none %.9f, "
	    "delta %.9f\n", tau, tau_later, most, first, f);
	check(most <= f * (1 + 1e-9));
	check(fabs(first / some_step(law, tau) - 1) < 1e-6);
	later = 0;
	free(law);
	dp_normtree_free(n);
}

/*
 * T unknown: each phase's tau is the least that its share of delta allows, by laws that are added
 * up here once more; and all of them together spend no more than delta.
 */
static void
phases(uint64_t num, uint64_t den, unsigned K, unsigned segments)
{
	struct dp_mech *m = top_make(&dp_top_running, 0, num, den, 1000, K);
	const struct dp_top_plan *p = dp_top_plan(m);
	const double unit = dp_top_unit((double)num / (double)den, K);
	struct dp_mech_rule s = setting(0, num, den * K, 1);
	double *within = calloc(FEW, sizeof *within), *before = calloc(2 * FEW + 1, sizeof *before);
	double f, share, outside;
	struct dp_normtree_shape shape;
	struct dp_normtree *n = NULL;
	int reach = 0, P, Q;
	unsigned i, j, down;

	check(p->phases == 2 * segments + 1);
	before[0] = 1;
	for (i = 0, j = 0; i < 5; i++) {
		dp_normtree_segment(&shape, j);
		if (dp_normtree_create(&n, &shape, &s.privacy) != 0 ||
		    dp_normtree_passages(n, &(uint64_t){ 16u << 2 * i }, 1, FEW, within) != 0)
			abort();
		share = 1e-6 / ((i + 1.) * (i + 2.));
		for (down = 0; down < 2; down++) {	/* at tau, and one below */
			for (f = 0, P = -reach; P <= reach; P++) {
				Q = (int)p->phase[i].tau - 1 - (int)down - P;
				f += before[P + reach] * (Q < 1 ? 1 : within[Q > FEW ? FEW - 1 :
				    Q - 1]);
			}
			check((f * unit <= share) == (down == 0));
		}
		check(p->phase[i].end == (j == 0 ? 16u << 2 * i : 256 + (16u << 2 * i)));
		if (i == 2) {
			if (dp_normtree_root_law(n, FEW, before, &outside) != 0)
				abort();
			reach = FEW;
			j = 1;
		}
		dp_normtree_free(n);
	}
	printf("T unknown, epsilon %g, K = %u: tau = %d, %d, %d, %d, %d, .., delta %.3g\n",
	    (double)num / (double)den, K, (int)p->phase[0].tau, (int)p->phase[1].tau,
	    (int)p->phase[2].tau, (int)p->phase[3].tau, (int)p->phase[4].tau, p->delta);
	check(p->delta <= 1e-6 && p->delta > .3e-6);
	free(within);
	free(before);
	dp_mech_free(m);
}

static void
exact_windows(int tau)
{
	struct dp_mech_rule s = setting(0, 2, 1, 1);
	const struct dp_task task = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 2 } };
	struct dp_normtree_shape shape = { 0 };
	struct dp_normtree *n;
	double tail[HEIGHTS], *law, *p, *q, both, most = 0, second = 0;
	int x[3], y[3];
	unsigned i, at;

	dp_normtree_stream(&shape, &task, 0, 2);
	if (dp_normtree_create(&n, &shape, &s.privacy) != 0 || n->h != 1 ||
	    dp_normtree_passage_windows(n, 2, 1e-18, HEIGHTS, tail) != 0)
		abort();
	law = joint_windows(n);
	window = 2;
	for (i = 0; i < 27; i++)
		for (at = 0; at < 3; at++) {
			x[0] = y[0] = (int)i % 3;
			x[1] = y[1] = (int)i / 3 % 3;
			x[2] = y[2] = (int)i / 9;
			x[at]++;
			p = release(law, x, 3, tau);
			q = release(law, y, 3, tau);
			both = fmax(divergence(p, q, exp(2)), divergence(q, p, exp(2)));
			most = fmax(most, both);
			if (i == 0 && at == 1)
				second = both;
			free(p);
			free(q);
		}
	window = 0;
	printf("windows of 2, tau = %d: divergence %.9f, one event at step 2 against none %.9f, "
	    "sum over steps %.9f\n", tau, most, second, tail[tau - 2]);
	check(most <= tail[tau - 2] * (1 + 1e-9));
	check(fabs(second / either(law, tau - 1, 1) - 1) < 1e-6);
	check(tail[tau - 2] < 2 * either(law, tau - 1, 1));
	free(law);
	dp_normtree_free(n);
}

/* The least tau that the sum over a window allows; and less time than a minute. */
static void
windows(uint64_t num, uint64_t den, unsigned K)
{
	struct dp_mech *m = top_make(&dp_top_window, 0, num, den, 1000, K);
	const struct dp_top_plan *p = dp_top_plan(m);
	const double unit = dp_top_unit((double)num / (double)den, K);
	struct dp_mech_rule s = setting(0, num, den * K, 1);
	const struct dp_task task = { .what = DP_TASK_WINDOW, .windows = 1, .w = { TOP_WINDOW } };
	struct dp_normtree_shape shape = { 0 };
	double *tail = calloc(4 * HEIGHTS, sizeof *tail);
	struct dp_normtree *n;

	dp_normtree_stream(&shape, &task, 0, (double)num / (double)den / K);
	if (tail == NULL || dp_normtree_create(&n, &shape, &s.privacy) != 0 ||
	    dp_normtree_passage_windows(n, TOP_WINDOW, 1e-18, 4 * HEIGHTS, tail) != 0)
		abort();
	printf("window of %d, epsilon %g, K = %u: tau = %d, delta %.3g\n", TOP_WINDOW,
	    (double)num / (double)den, K, (int)p->tau, p->delta);
	check(p->delta <= 1e-6 && tail[p->tau - 2] * unit <= 1e-6);
	check(tail[p->tau - 3] * unit > .999e-6);
	dp_normtree_free(n);
	free(tail);
	dp_mech_free(m);
}

#define COUNTERS	4

/* The counters of Misra and Gries after an event; an event of none of them counts all down. */
static void
count_down(int *name, int *count, int event)
{
	int i, empty = -1;

	for (i = 0; i < COUNTERS; i++) {
		if (count[i] > 0 && name[i] == event) {
			count[i]++;
			return;
		}
		empty = count[i] == 0 ? i : empty;
	}
	if (empty >= 0) {
		name[empty] = event;
		count[empty] = 1;
		return;
	}
	for (i = 0; i < COUNTERS; i++)
		count[i]--;
}

/*
 * Why memory is exact: two streams, one of which has an event more, at first.  Increments of
 * bounded counters differ at many names, and over and over, where those of exact ones differ once.
 */
static void
bounded(void)
{
	int name[2][COUNTERS] = { { 0 } }, count[2][COUNTERS] = { { 0 } }, last[2][100] = { { 0 } };
	int moved[100] = { 0 }, now[2], differ = 0, names = 0, s, i, t, event;

	count_down(name[0], count[0], 99);
	for (t = 0; t < 400; t++) {
		event = t % 5 < 4 ? t % 5 : 50 + t / 5 % 40;
		for (s = 0; s < 2; s++)
			count_down(name[s], count[s], event);
		for (i = 0; i < 99; i++) {
			for (s = 0; s < 2; s++) {
				int k;

				for (now[s] = 0, k = 0; k < COUNTERS; k++)
					if (count[s][k] > 0 && name[s][k] == i)
						now[s] = count[s][k];
			}
			if (now[0] - last[0][i] != now[1] - last[1][i]) {
				differ++;
				moved[i] = 1;
			}
			last[0][i] = now[0];
			last[1][i] = now[1];
		}
	}
	for (i = 0; i < 99; i++)
		names += moved[i];
	printf("bounded counters: increments of %d names differ, %d times\n", names, differ);
	check(names >= COUNTERS && differ > 10 * COUNTERS);
}

static void
refused(void)
{
	struct dp_mech_rule s = top_rule(&dp_top_running, 5000, 1, 1, 1000, 20);
	char why[DP_PLAN_WHY];
	struct dp_plan p;

	check(dp_plan_make(&p, &s, "auto", why) == DP_ERANGE && strstr(why, "threshold") != NULL);
	s = top_rule(&dp_top_running, 84, 1, 1, 0, 1);		/* no delta */
	check(dp_plan_make(&p, &s, "auto", why) == DP_EINVAL);
	s = top_rule(&dp_top_each, 0, 1, 1, 0, 1);
	check(dp_plan_make(&p, &s, "auto", why) == DP_EINVAL);
	s = top_rule(&dp_top_running, 0, 1, 1, 1000, 7);	/* no horizon */
	check(dp_plan_make(&p, &s, "auto", why) == DP_ERANGE && strstr(why, "threshold") != NULL);
}

/* No noise: names of one event; and what a declared name tells, from the first step on. */
static void
told(const struct dp_statistic *what)
{
	struct dp_mech *m = top_make(what, 4, 0, 1, 1000, 1);
	const int64_t x[] = { 0, 1, 0, 2 };
	const bool brief = m->brief, window_of = what == &dp_top_window;
	dp_wide est[4];
	void *col = calloc(1, m->column);
	unsigned t;

	check(brief == (what == &dp_top_each));
	top_run(m, NULL, col, x, 4, est);
	check(est[0] == DP_NONE && est[1] == 1 && est[2] == (brief ? DP_NONE : 1) &&
	    est[3] == (brief ? 2 : 3));
	check(!window_of || m->column > TOP_WINDOW * sizeof(int64_t));
	memset(col, 0, m->column);
	check(m->ops->names.late(m, col, NULL, 0, true) == 0);
	for (t = 0; t < 4; t++)
		check(m->ops->step(m, col, NULL, t + 1, &x[t], &est[t]) == 0);
	check(est[0] == 0 && est[1] == 1 && est[2] == (brief ? 0 : 1));
	free(col);
	dp_mech_free(m);
}

/* No noise: a name is told of as long as the window has an event, and its column may go later. */
static void
windows_end(void)
{
	struct dp_mech *m = top_make(&dp_top_window, 0, 0, 1, 1000, 1);
	static const int64_t x[] = { 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const int64_t want[] = { -1, 3, 3, 3, 4, 4, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1,
	    -1, -1, -1 };
	const uint64_t T = sizeof x / sizeof *x;
	void *col = calloc(1, m->column);
	dp_wide est;
	uint64_t t;

	check(m->ops->names.late(m, col, NULL, 1, false) == 0);
	for (t = 2; t <= T; t++) {
		check(m->ops->step(m, col, NULL, t, &x[t - 1], &est) == 0);
		check(est == (want[t - 1] < 0 ? DP_NONE : want[t - 1]));
		/* told of until step 9; steps 9 and 10 are a tree, which is in windows until 14 */
		check(m->ops->names.gone(m, col, t) == (t >= 14));
	}
	free(col);
	dp_mech_free(m);
}

/*
 * Gaussian noise, each of K events with a name of its own: K times the sum of P(N_t >= tau - 1), by
 * the law of a saddlepoint, is at most half of delta, and not much less; and tau of five is far
 * below that of trees.
 */
static void
gauss(uint64_t T, unsigned K, unsigned less)
{
	struct dp_mech *m = top_named("gated-blt", &dp_top_running, T, 1, 1, 1000, K);
	struct dp_mech *tree = K > 9 ? NULL :
	    top_named("gated-normtree", &dp_top_running, T, 1, 1, 1000, K);
	const struct dp_top_plan *p = dp_top_plan(m);
	struct dp_law *l = malloc(sizeof *l);
	struct dp_mech_rule s = setting(T, 1, 1, 1);
	struct dp_mech *noise;
	double sum = 0;
	uint64_t t;

	/* its noise is that of half of delta */
	s.bits = false;
	if (l == NULL || dp_privacy_set(&s.privacy, false, dp_q_make(1, 1),
	    dp_q_make(1, 2000000), K, K) != 0 || (noise = make("blt-norm", &s)) == NULL)
		abort();
	check(dp_mech_variance(m, T) == dp_mech_variance(noise, T));
	dp_mech_free(noise);
	for (t = 1; t <= T; t++) {
		dp_mech_law(m, 0, t, l);
		sum += K * dp_law_upper(l, (double)(p->tau - 1));
	}
	printf("Gaussian, T = %u, K = %u: tau = %d, trees %d; delta %.3g, by the law %.3g\n",
	    (unsigned)T, K, (int)p->tau, tree != NULL ? (int)dp_top_plan(tree)->tau : 0, p->delta,
	    sum);
	check(p->delta <= .5e-6 && p->delta > .2e-6);
	check(sum <= p->delta && sum > p->delta / 2);
	check(tree == NULL || (dp_top_plan(tree)->tau > p->tau + less) == (less > 0));
	check(p->most == K);
	dp_mech_free(m);
	dp_mech_free(tree);
	free(l);
}

/*
 * K events of a unit, of any names: of all ways to spread them, the sum of P(N_t >= tau - c_k) over
 * steps and names is at most half of delta; and for one less it is more.
 */
static void
gauss_any(uint64_t T, uint64_t epsilon, unsigned K)
{
	const struct dp_mech_rule s = top_rule(&dp_top_running, T, epsilon, 1, 1000, K);
	struct dp_mech *m = make(epsilon == 1 ? "auto" : "gated-blt", &s);
	const struct dp_top_plan *p;
	double F[64], G[64];
	uint64_t t;
	unsigned j;

	if (m == NULL)
		abort();
	p = dp_top_plan(m);
	check(strcmp(m->ops->name, "gated-blt") == 0);
	for (j = 1; j <= K; j++)
		for (F[j] = G[j] = 0, t = 1; t <= T; t++) {
			const double sd = sqrt(2 * dp_mech_variance(m, t));

			F[j] += .5 * erfc(((double)p->tau - j) / sd);
			G[j] += .5 * erfc(((double)p->tau - j - 1.5) / sd);
		}
	printf("Gaussian, any names, T = %u, K = %u: tau = %d, delta %.3g, spread %.3g\n",
	    (unsigned)T, K, (int)p->tau, p->delta, worst_spread(F, K));
	check(worst_spread(F, K) <= p->delta && p->delta <= .5e-6);
	check(K * fmax(G[1], G[K] / K) > .5e-6);
	dp_mech_free(m);
}

int
main(void)
{
	running(1, 1, 1, 1);
	running(24, 1, 1, 1);
	running(84, 1, 1, 1);
	running(24, 1, 1, 2);
	running(24, 4, 1, 2);
	running(7, 9, 1, 4);
	each(1, 1, 1);
	each(1, 1, 5);
	each(8, 1, 3);
	each(1, 10, 1);
	exact(2, 3);
	exact(2, 5);
	exact(2, 7);
	exact(3, 3);
	exact(3, 6);
	exact_renamed(3);
	exact_renamed(5);
	exact_segments(3, 4);
	exact_segments(4, 4);
	exact_segments(5, 7);
	phases(1, 1, 1, 5);
	phases(4, 1, 3, 5);
	exact_windows(3);
	exact_windows(5);
	exact_windows(7);
	windows(1, 1, 1);
	windows(2, 1, 3);
	windows(9, 1, 3);
	gauss(24, 1, 0);
	gauss(84, 5, 50);
	gauss(84, 20, 0);
	gauss(1000, 20, 0);
	gauss_any(48, 1, 16);
	gauss_any(84, 1, 20);
	gauss_any(84, 1, 60);
	gauss_any(24, 12, 16);
	bounded();
	refused();
	told(&dp_top_running);
	told(&dp_top_each);
	told(&dp_top_window);
	windows_end();
	return done();
}
