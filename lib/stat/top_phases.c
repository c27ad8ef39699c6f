/*
 * top_phases.c - thresholds of counts so far of names where nobody knows how long the run is
 * (top.h, RUNNING).
 *
 * The noise is that of normtree's count without end: segment j = 0, 1, .. has a tree of its own of
 * 16^(j+2) steps, and of those before it their roots, S.  Phase i = 0, 1, .. is the rest of the
 * first 4^(i+2) steps of its segment, and may spend 1 / ((i + 1) (i + 2)) of f, which sum to 1.
 * That some N_t of it is x or more has the probability, at most,
 *	sum over s of P(S = s) P(w_1 + .. + w_n >= x - s for some n <= 4^(i+2)),
 * w the segment's tree, of the very tables that are drawn from, rounded outwards (passage.h).
 */
#include <math.h>
#include <stdlib.h>

#include "normtree/late.h"
#include "normtree/passage.h"
#include "top_own.h"

#define TRIES	4
#define ENDS	3		/* phases of a segment, at most */
#define FEWEST	2		/* segments, or T must be known */
#define WORK	(4 * DP_TOP_LONG)	/* of all trees: some 5 s */
#define DEEPER	1.3		/* deviations that a further segment's heights take */

/* The law of the sum of the roots of the segments before. */
struct before {
	ptrdiff_t reach;
	double *p;			/* [s + reach] */
	double outside;			/* probability of all other s, at most */
	double variance;
};

static unsigned
segment_of(unsigned phase)
{
	return phase < ENDS ? 0 : (phase - 1) / 2;
}

/* heights x = 1 .. n; within[x - 1] is the passage's, of the segment alone */
static double
reached(const struct before *b, const double *within, ptrdiff_t n, ptrdiff_t x)
{
	double sum = b->outside;
	ptrdiff_t s;

	for (s = -b->reach; s <= b->reach; s++)
		sum += b->p[s + b->reach] * (s >= x ? 1 : within[x - s > n ? n - 1 : x - s - 1]);
	return sum * DP_TOP_ROUNDED;
}

static unsigned
heights(const struct dp_normtree *tree, unsigned segment, double before)
{
	const double widest = dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << (tree->h - 1));

	return (unsigned)((DP_TOP_DEEP + DEEPER * segment) * sqrt(before + 2 * widest)) + 16;
}

/* Phase i of a segment whose phases are looked at up to n heights; false: tau is beyond. */
static bool
find_one(struct dp_top *k, const struct before *b, const double *within, unsigned n, unsigned i,
    double f)
{
	double spent = INFINITY;
	ptrdiff_t x = 0;

	while (++x < (ptrdiff_t)n && (spent = reached(b, within, n, x)) > f / ((i + 1.) * (i + 2.)))
		;
	if (x == (ptrdiff_t)n)
		return false;
	k->plan.phase[i].tau = x + 1;
	k->plan.delta += spent;
	return true;
}

/* The phases from .. to - 1, which are a segment's. */
static int
find(struct dp_top *k, const struct before *b, const struct dp_normtree *tree, unsigned from,
    unsigned to, double f)
{
	unsigned n = heights(tree, segment_of(from), b->variance), try, i = from;
	uint64_t T[ENDS];
	double *within = NULL, *more;
	int e = 0;

	for (i = from; i < to; i++)
		T[i - from] = (uint64_t)1 << 2 * (i + 2);
	for (try = 0, i = from; try < TRIES && i < to && e == 0; try++, n += n / 2) {
		if ((more = realloc(within, (size_t)n * (to - from) * sizeof *within)) == NULL) {
			e = DP_ENOMEM;
			break;
		}
		within = more;
		e = dp_normtree_passages(tree, T, to - from, n, within);
		while (e == 0 && i < to && find_one(k, b, within + (size_t)n * (i - from), n, i, f))
			i++;
	}
	free(within);
	return e != 0 ? e : i < to ? DP_ERANGE : 0;
}

/* Another root to those before. */
static int
join(struct before *b, const struct dp_normtree *tree)
{
	const double variance = dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << tree->h);
	const ptrdiff_t R = (ptrdiff_t)(2 * DP_TOP_DEEP * sqrt(variance)) + tree->A;
	const ptrdiff_t both = b->reach + R;
	double *root = malloc((2 * (size_t)R + 1) * sizeof *root), outside;
	double *sum = calloc(2 * (size_t)both + 1, sizeof *sum);
	ptrdiff_t s, P;
	int e = root == NULL || sum == NULL ? DP_ENOMEM :
	    dp_normtree_root_law(tree, (unsigned)R, root, &outside);

	if (e != 0) {
		free(root);
		free(sum);
		return e;
	}
	for (s = 0; s <= 2 * b->reach; s++)
		for (P = 0; P <= 2 * R; P++)
			sum[s + P] += b->p[s] * root[P];
	free(b->p);
	free(root);
	*b = (struct before){ .reach = both, .p = sum, .outside = b->outside + outside,
	    .variance = b->variance + variance };
	return 0;
}

/* Segments whose thresholds can be found, and soon enough. */
static unsigned
affordable(const struct dp_top *k)
{
	double before = 0, work = 0, n, reach;
	const struct dp_normtree *tree;
	uint64_t begin;
	unsigned j;

	for (j = 0; j < DP_TOP_SEGMENTS; j++) {
		tree = dp_normtree_count_tree(k->count, j, &begin);
		if (tree == NULL || tree->fine > 0 || tree->unit != 1)
			break;
		n = heights(tree, j, before);
		reach = fmax(tree->A, n + 24);
		if ((work += tree->h * reach * reach * n) > WORK)
			break;
		before += dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << tree->h);
	}
	return j;
}

static int
name_phases(struct dp_top *k, struct dp_numbers *numbers, bool exact)
{
	unsigned segments = exact ? DP_TOP_SEGMENTS : FEWEST, i;
	uint64_t begin;

	if (!exact && !dp_numbers_replays(numbers) && (segments = affordable(k)) < FEWEST)
		return DP_ERANGE;
	segments = (unsigned)dp_numbers_int(numbers, "segments", segments, FEWEST, DP_TOP_SEGMENTS);
	k->plan.phases = 2 * segments + 1;
	for (i = 0; i < k->plan.phases; i++) {
		if (dp_normtree_count_tree(k->count, segment_of(i), &begin) == NULL)
			return DP_ENOMEM;
		k->plan.phase[i] = (struct dp_top_phase){ begin + ((uint64_t)1 << 2 * (i + 2)), 1 };
	}
	return 0;
}

int
dp_top_phases(struct dp_top *k, struct dp_numbers *numbers, double f, bool exact, bool wanted)
{
	struct before b = { .p = calloc(1, sizeof *b.p) };
	const struct dp_normtree *tree;
	unsigned from, to;
	uint64_t begin;
	int e = b.p == NULL ? DP_ENOMEM : name_phases(k, numbers, exact);

	if (b.p != NULL)
		b.p[0] = 1;
	for (from = 0; wanted && from < k->plan.phases && e == 0; from = to) {
		for (to = from; to < k->plan.phases && segment_of(to) == segment_of(from); to++)
			;
		tree = dp_normtree_count_tree(k->count, segment_of(from), &begin);
		if ((e = find(k, &b, tree, from, to, f)) == 0)
			e = join(&b, tree);
	}
	free(b.p);
	return e;
}
