/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_passage.c - whether a count's noise ever reaches a height (normtree/normtree.h), and
 * noise that begins late (normtree/normtree.h).
 *
 * passage: against all paths of small trees, by the tables; and against N paths that are drawn: at
 * some heights the number that reaches them is binomial with the probability that is said, to 5.6
 * standard deviations (both sides: false reject 3e-8 each, below 1e-5 for all).  late: squares of
 * the noise of N columns that begin at step i, at three steps, against the variances that whole
 * trees have; limit 5.6 standard deviations.
 */
#include "mech.h"
#include "normtree/internal.h"

#define N	8000
#define LIMIT	5.6
#define HEIGHTS	64

static struct dp_normtree *
tree(bool chain, uint64_t T, uint64_t num, uint64_t den)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	if (chain)
		dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	else
		dp_normtree_count_shape(&shape, T);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

/* Of all paths of the noise within a node, weighed, those that reach x in the first T steps. */
static double
enumerate(const struct dp_normtree_splits *s, const struct dp_normtree *p, unsigned kind, int P,
    int x, uint64_t T)
{
	const uint16_t *child;
	double sum = 0, a_reaches, b_reaches, one;
	uint64_t half;
	int a, R = (int)s->reach;

	if (kind == DP_NORMTREE_STEP)
		return P >= x;
	child = p->shape.kind[kind].child;
	half = (uint64_t)1 << (p->shape.kind[kind].level - 1);
	for (a = -R / 4; a <= R / 4; a++) {
		if (abs(P - a) > R)
			continue;
		one = dp_normtree_split_of(&s[kind], (unsigned)abs(P))[P < 0 ? -a : a];
		if (one < 1e-7)
			continue;
		a_reaches = enumerate(s, p, child[0], a, x, T < half ? T : half);
		b_reaches = T > half ? enumerate(s, p, child[1], P - a, x - a, T - half) : 0;
		/* given the halves' noise what is within them is independent */
		sum += one * (1 - (1 - a_reaches) * (1 - b_reaches));
	}
	return sum;
}

static int
late_step(const struct dp_normtree *p, int32_t *wait, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	return dp_normtree_late_steps(p, &wait, rng, i, 1, w);
}

static void
small(bool chain, uint64_t T)
{
	struct dp_normtree *p = tree(chain, T, 2, 1);
	struct dp_normtree_splits *s = calloc(p->shape.kinds, sizeof *s);
	const unsigned reach = p->A > 64 ? p->A : 64;
	double tail[8], want, sum, *root = calloc(reach + 1, sizeof *root);
	char *memory = malloc(p->shape.kinds * dp_normtree_splits_size(reach));
	unsigned i;
	int x, P;

	if (memory == NULL || s == NULL || root == NULL ||
	    dp_normtree_passages(p, &T, 1, 8, tail) != 0)
		abort();
	for (i = 0; i < p->shape.kinds; i++)
		dp_normtree_splits_in(&s[i], reach,
		    (void *)(memory + i * dp_normtree_splits_size(reach)));
	memcpy(root, dp_normtree_root_weights(s, p, &sum), (reach + 1) * sizeof *root);
	for (i = 0; i < p->shape.kinds; i++)
		dp_normtree_set_splits(&s[i], p, i, 1e-19);
	for (x = 1; x <= 5; x += 2) {
		for (want = 0, P = -16; P <= 16; P++)
			if (root[abs(P)] / sum > 1e-7)
				want += root[abs(P)] / sum *
				    enumerate(s, p, p->shape.kinds - 1, P, x, T);
		check(fabs(tail[x - 1] - want) < 1e-4 * want + 1e-5);
		check(tail[x - 1] >= want - 1e-12);
	}
	free(memory);
	free(root);
	free(s);
	dp_normtree_free(p);
}

/* The same of drawn paths: of trees from their first step, of columns that begin late at it. */
static void
drawn(bool chain, uint64_t T, uint64_t num, uint64_t den, uint64_t seed)
{
	struct dp_normtree *p = tree(chain, T, num, den);
	int32_t wait[DP_NORMTREE_LEVELS] = { 0 };
	int64_t w, sum, most;
	double tail[HEIGHTS];
	unsigned seen[HEIGHTS + 1] = { 0 }, beyond = N, n, x;
	struct dp_rng *rng;
	uint64_t t;

	if (dp_normtree_passages(p, &T, 1, HEIGHTS, tail) != 0 ||
	    dp_rng_open_seed(&rng, seed) != 0)
		abort();
	for (n = 0; n < N; n++) {
		check(dp_normtree_late(p, wait, rng, 0, &sum) == 0 && sum == 0);
		for (most = 0, t = 0; t < T; t++) {
			check(late_step(p, wait, rng, t, &w) == 0);
			sum += w;
			most = sum > most ? sum : most;
		}
		seen[most < HEIGHTS ? most : HEIGHTS]++;
	}
	for (x = 1; x <= HEIGHTS; x++) {
		beyond -= seen[x - 1];
		check(x == 1 || tail[x - 1] <= tail[x - 2]);
		check(fabs(beyond - N * tail[x - 1]) <=
		    LIMIT * sqrt(N * tail[x - 1] * (1 - tail[x - 1])) + 2);
	}
	dp_rng_free(rng);
	dp_normtree_free(p);
}

/* Noise of steps 1 .. i, and from there to the end, and both together. */
static void
late(bool chain, uint64_t T, uint64_t i, uint64_t den, uint64_t seed)
{
	struct dp_normtree *p = tree(chain, T, 1, den);
	int32_t wait[2][DP_NORMTREE_LEVELS], *const both[] = { wait[0], wait[1] };
	int64_t w[2], sum;
	double before = 0, after = 0, first = 0, v;
	struct dp_rng *rng;
	unsigned n;
	uint64_t t;

	if (dp_rng_open_seed(&rng, seed) != 0)
		abort();
	for (n = 0; n < N; n++) {
		memset(wait, 0x55, sizeof wait);	/* none of it is looked at */
		check(dp_normtree_late(p, wait[0], rng, i, &sum) == 0);
		check(dp_normtree_late(p, wait[1], rng, i, &sum) == 0);
		before += (double)sum * (double)sum;
		for (t = i; t < T; t++) {
			check(dp_normtree_late_steps(p, both, rng, t, 2, w) == 0);
			sum += w[1];	/* the second of two abreast */
			first += t == i ? (double)sum * (double)sum : 0;
		}
		after += (double)sum * (double)sum;
	}
	v = i == 0 ? 0 : dp_normtree_variance(p, NULL, 0, i);
	check(i == 0 ? before == 0 : fabs(before / N / v - 1) < LIMIT * sqrt(5. / N));
	v = dp_normtree_variance(p, NULL, 0, i + 1);
	check(fabs(first / N / v - 1) < LIMIT * sqrt(5. / N));
	v = dp_normtree_variance(p, NULL, 0, T);
	check(fabs(after / N / v - 1) < LIMIT * sqrt(5. / N));
	dp_rng_free(rng);
	dp_normtree_free(p);
}

/*
 * The least height that is reached with probability 10^-6 at most, and one more, as an event adds
 * one: no more than of trees with one share a level, 15 (23, 31, 43) at T = 1 (7, 24, 84).
 */
static void
thresholds(void)
{
	static const unsigned T[] = { 1, 7, 24, 84 }, most[] = { 15, 23, 31, 43 };
	double tail[HEIGHTS];
	struct dp_normtree *p;
	unsigned i, x;

	for (i = 0; i < sizeof T / sizeof *T; i++) {
		p = tree(T[i] == 1, T[i], 1, 1);
		check(dp_normtree_passages(p, &(uint64_t){ T[i] }, 1, HEIGHTS, tail) == 0);
		for (x = 1; x < HEIGHTS && tail[x - 1] > 1e-6; x++)
			;
		printf("T = %u: tau = %u\n", T[i], x + 1);
		check(x + 1 <= most[i]);
		/* nothing that is left out counts where it is rare: of 2 and 8 steps */
		check(i > 1 || tail[HEIGHTS - 1] < 1e-18);
		dp_normtree_free(p);
	}
}

/* The least height whose tail is at most one, and that tail, are those of all heights. */
static void
least(bool chain, uint64_t T, unsigned n)
{
	struct dp_normtree *p = tree(chain, T, 1, 2);
	double *tail = calloc(n, sizeof *tail), one;
	unsigned i, x;

	if (tail == NULL || dp_normtree_passages(p, &T, 1, n, tail) != 0)
		abort();
	for (i = 0; i < n; i += n < 9 ? 1 : 7) {
		check(dp_normtree_passage_least(p, T, tail[i], n, &x, &one) == 0);
		check(x == i + 1 && one == tail[i]);
		check(dp_normtree_passage_least(p, T, tail[i] * (1 - 1e-9), n, &x, &one) == 0);
		check(x == i + 2 && (x > n || one == tail[i + 1]));
	}
	check(dp_normtree_passage_least(p, T, 0, n, &x, &one) == 0 && x == n + 1);
	check(dp_normtree_passage_least(p, T, 1, n, &x, &one) == 0 && x == 1 && one == tail[0]);
	free(tail);
	dp_normtree_free(p);
}

/* How often the noise of windows of W steps is at a height in W steps in a row, on average. */
static void
windows(uint64_t W, uint64_t num, uint64_t den, uint64_t seed)
{
	const struct dp_task task = { .what = DP_TASK_WINDOW, .windows = 1, .w = { W } };
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_normtree_shape shape = { 0 };
	const unsigned steps = 3 * (unsigned)W, runs = N / 4;
	int32_t wait[DP_NORMTREE_LEVELS] = { 0 };
	double *sum = calloc((size_t)steps * HEIGHTS, sizeof *sum), tail[HEIGHTS], one, most, sd;
	int64_t *w = calloc(steps, sizeof *w), y;
	struct dp_normtree *p;
	struct dp_rng *rng;
	unsigned n, t, x;

	dp_normtree_stream(&shape, &task, 0, (double)num / (double)den);
	if (sum == NULL || w == NULL || dp_normtree_create(&p, &shape, &s.privacy) != 0 ||
	    dp_normtree_passage_windows(p, W, 1e-16, HEIGHTS, tail) != 0 ||
	    dp_rng_open_seed(&rng, seed) != 0)
		abort();
	for (n = 0; n < runs; n++)
		for (y = 0, t = 0; t < steps; t++) {
			check(late_step(p, wait, rng, t & (((uint64_t)1 << p->h) - 1), &w[t]) == 0);
			y += w[t] - (t >= W ? w[t - W] : 0);
			for (x = 1; x <= HEIGHTS; x++)
				sum[t * HEIGHTS + x - 1] += y >= x;
		}
	for (x = 1; x <= HEIGHTS; x++) {
		for (most = 0, n = 0; n + W <= steps; n++) {
			for (one = 0, t = n; t < n + W; t++)
				one += sum[t * HEIGHTS + x - 1] / runs;
			most = one > most ? one : most;
		}
		/* a run's sum is W at most, so its variance W times its mean */
		sd = sqrt((double)W * tail[x - 1] / runs);
		check(tail[x - 1] >= 1 || fabs(most - tail[x - 1]) <= LIMIT * sd + 2. / runs);
		check(x == 1 || tail[x - 1] <= tail[x - 2]);
	}
	printf("windows of %u, trees of %u: heights 5, 10, 15: %.4g %.4g %.4g\n", (unsigned)W,
	    1u << p->h, tail[4], tail[9], tail[14]);
	check(dp_normtree_passage_windows(p, ((uint64_t)1 << p->h) - 1, 1e-16, 4, tail) ==
	    DP_EINVAL);
	dp_rng_free(rng);
	dp_normtree_free(p);
	free(sum);
	free(w);
}

/* Splits within the reach, and what is outside of it, are all there are. */
static void
outside(bool chain, uint64_t T)
{
	struct dp_normtree *p = tree(chain, T, 1, 1);
	struct dp_normtree_splits s;
	double *memory = malloc(dp_normtree_splits_size(p->A)), sum, most = 0;
	unsigned i, P;
	int a;

	if (memory == NULL)
		abort();
	dp_normtree_splits_in(&s, p->A, memory);
	for (i = 0; i < p->shape.kinds; i++)
		for (dp_normtree_set_splits(&s, p, i, 1e-25), P = 0; P <= p->A; P++) {
			for (sum = s.outside[P], a = -(int)p->A; a <= (int)p->A; a++)
				sum += dp_normtree_split_of(&s, P)[a];
			check(fabs(sum - 1) < 1e-9);
			most = fmax(most, s.outside[P]);
		}
	check(most > .01);
	free(memory);
	dp_normtree_free(p);
}

static void
refused(void)
{
	struct dp_normtree *p = tree(true, 16, 1, 100);
	double tail[4];
	unsigned x;

	check(p->fine > 0 && dp_normtree_passages(p, &(uint64_t){ 16 }, 1, 4, tail) == DP_EINVAL);
	dp_normtree_free(p);
	p = tree(false, 16, 1, 1);
	check(dp_normtree_passage_least(p, 17, 1, 4, &x, tail) == DP_EINVAL);
	check(dp_normtree_passages(p, &(uint64_t){ 17 }, 1, 4, tail) == DP_EINVAL);
	check(dp_normtree_passages(p, &(uint64_t){ 0 }, 1, 4, tail) == DP_EINVAL);
	check(dp_normtree_passages(p, &(uint64_t){ 16 }, 1, 0, tail) == DP_EINVAL);
	dp_normtree_free(p);
}

int
main(void)
{
	small(true, 2);
	small(true, 4);
	small(true, 3);
	small(false, 4);
	drawn(true, 2, 1, 1, 1);
	drawn(true, 7, 1, 1, 2);
	drawn(true, 16, 2, 1, 3);
	drawn(false, 7, 1, 1, 4);
	drawn(false, 24, 1, 1, 5);
	drawn(false, 84, 1, 1, 6);
	late(true, 16, 0, 1, 7);
	late(true, 16, 5, 1, 8);
	late(true, 16, 8, 1, 9);
	late(false, 24, 11, 1, 10);
	late(false, 84, 64, 1, 11);
	late(false, 84, 37, 1, 12);
	late(false, 20, 7, 30, 13);
	windows(2, 2, 1, 14);
	windows(5, 1, 1, 15);
	windows(10, 1, 1, 16);
	windows(24, 1, 1, 17);
	windows(24, 4, 1, 18);
	thresholds();
	least(true, 1, 40);
	least(true, 8, 64);
	least(true, 5, 33);
	least(false, 7, 1);
	least(false, 20, 70);
	outside(true, 16);
	outside(false, 24);
	refused();
	return done();
}
