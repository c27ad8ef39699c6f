/* SPDX-License-Identifier: ISC */
/* plan.c - a tree for a budget: its shape, its shares, and what a state keeps of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void set_key(struct dp_normtree_key *, const struct dp_normtree_shape *,
	    double rate);
static bool recall(struct dp_normtree *, struct dp_normtree_key *, const struct dp_privacy *);
static void remember(const struct dp_normtree *, struct dp_normtree_key *,
	    const struct dp_privacy *);
static void remember_tables(const struct dp_normtree *,
    const struct dp_normtree_shape *,
	    struct dp_memo *);
static void *normtree_share(void *tables);
static double normtree_usual(unsigned level);
static void adopt(struct dp_normtree *, void *tables);
static int set_later(struct dp_normtree *, const struct dp_normtree_shape *, double rate,
	    struct dp_numbers *);

/*
 * A tree for a budget: the shape, the tables, and what a state keeps of them.
 */

#define HALVINGS_MAX	28	/* log2 D */
#define REFINED	48	/* the bit of a plan's word that says fine > 0 */
#define FINE	300	/* A, at most, on a finer grid: longer tables gain little */
#define COARSE	310	/* the same at first, where reaches differ, on their own grid; */
#define FEW	8	/* of fewer kinds tables may be longer there */
#define ROUGHLY	0.9845	/* of the budget that a finer grid leaves to the tables, */
#define LOW	0.955	/* and surely: tables that do for smaller shares do for larger ones */
#define CLOSE	0x1p-8	/* but for so much of it, */
#define GRIDS	2	/* are tried: with some corners halves make a table rise and fall again */
#define TRIES	6	/* trials that find them, at most; three are usual */
#define MARGIN	8
#define SPAN	5	/* A is that over the least share and rate; level 2 does not count */

static double
least(const struct dp_normtree_shape *s)
{
	double e = 1;
	unsigned i;

	for (i = 0; i < s->kinds; i++)
		if (i != 1 && s->kind[i].share < e)
			e = s->kind[i].share;
	return e;
}

/* Levels above nearly all steps. */
static unsigned
height(const struct dp_normtree_shape *s)
{
	return s->h - dp_normtree_rule_above(s->h, ldexp((double)s->T, -(int)s->h));
}

static double
reach(const struct dp_normtree_shape *s, double rate)
{
	if (!s->chain)
		return normtree_usual(height(s)) / rate + MARGIN;
	return ceil(SPAN / (least(s) * rate)) + MARGIN;
}

bool
dp_normtree_unfit(const struct dp_privacy *privacy, char *text, size_t size)
{
	const double e = dp_coarse_epsilon(privacy) * 1.001, unit = pow(10, floor(log10(e)) - 2);
	struct dp_privacy own = *privacy;
	uint64_t one;
	double rate;

	own.numbers = NULL;
	if (dp_coarse_unit(&own, &one, &rate) == 0)
		return false;
	snprintf(text, size, "takes epsilon %.6g or more here, or a range that much narrower or "
	    "coarser: its noise would be too wide", ceil(e / unit) * unit);
	return true;
}

/*
 * A plan that was made or is replayed; the tables are certified anew in either case.  But h is the
 * caller's, unless it is free: its column has a place for each of so many levels, and no more.
 */
static void
keep(struct dp_normtree_shape *s, struct dp_normtree *p, struct dp_numbers *numbers)
{
	uint64_t word = p->A | (uint64_t)p->fine << 32 | (uint64_t)(p->fine > 0) << REFINED;
	unsigned i;

	dp_normtree_keep_kinds(s, numbers);
	p->h = s->h;
	word = dp_numbers_int(numbers, "grid", word, 2, UINT64_MAX);
	p->A = (unsigned)(word & UINT32_MAX);
	p->fine = (unsigned)(word >> 32 & (((uint64_t)1 << (REFINED - 32)) - 1));
	for (i = 0; i < s->kinds; i++)
		s->kind[i].share = dp_numbers_real(numbers, "share", s->kind[i].share, 0x1p-20, 1);
	/* 0: the node above a tree has its root's share (dp_normtree_rule_above()) */
	s->root = dp_numbers_real(numbers, "root", s->root, 0, 1);
	for (i = 0; i < s->kinds; i++)
		s->kind[i].corner = dp_numbers_real(numbers, "corner", s->kind[i].corner, 0, 64);
	if (!(dp_normtree_shares(s) <= 1 - 0x1p-22) || p->A < 2 || p->A > DP_NORMTREE_REACH ||
	    p->fine > HALVINGS_MAX || word >> REFINED != (p->fine > 0))
		dp_numbers_refuse(numbers);
}

/* Tables in the place of those that p has. */
static int
set_plan(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	dp_normtree_release(p->held.memory);
	p->loss = 0;
	return dp_normtree_set(p, s, rate, use);
}

/*
 * The tables, with the least A that will do: if the certificate fails it is for what lies beyond,
 * which is the farther out the straighter.
 */
static int
find_reach(struct dp_normtree *p, struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	const double A = reach(s, ldexp(rate, (int)p->fine));
	int e = DP_ERANGE;

	for (p->A = A <= DP_NORMTREE_REACH ? (unsigned)A : 0;
	    p->A != 0 && p->A <= DP_NORMTREE_REACH; p->A += p->A / 2) {
		e = set_plan(p, s, rate, use);
		if (e != DP_ERANGE || p->loss > rate)
			break;
	}
	return e;
}

static void
scale(struct dp_normtree_shape *s, double by)
{
	unsigned i;

	for (i = 0; i < s->kinds; i++)
		s->kind[i].share *= by;
	s->root *= by;
}

/* A on a finer grid, at most: what residuals add counts for less in longer trees. */
static double
longest(const struct dp_normtree_shape *s)
{
	return s->chain ? FINE : fmin(FINE, fmax(140, 85 + 1100. / height(s)));
}

/*
 * On the coarsest grid where tables are short enough.  There the shares are those that their loss
 * leaves, which grows as they do.
 */
static void
refine(struct dp_normtree *p, struct dp_normtree_shape *s, double rate)
{
	scale(s, s->chain ? ROUGHLY : LOW);
	p->fine = s->chain ? 0 : 1;
	while (p->fine < HALVINGS_MAX && reach(s, ldexp(rate, (int)p->fine)) > longest(s))
		p->fine++;
}

/* The tables as they are, or refined. */
static int
find_plan(struct dp_normtree *p, struct dp_normtree_shape *s, double rate, enum dp_normtree_use use)
{
	unsigned i;
	int e;

	if ((e = find_reach(p, s, rate, use)) != DP_ERANGE)
		return e;
	refine(p, s, rate);
	for (i = 0; i < TRIES; i++) {
		e = find_reach(p, s, rate, DP_NORMTREE_CERTIFY);
		if (e == DP_ERANGE ? p->loss <= rate : e != 0 || p->loss >= rate * (1 - CLOSE))
			break;
		scale(s, rate / p->loss * (1 - CLOSE / 4));
	}
	if (e != 0 || use == DP_NORMTREE_CERTIFY)
		return e;
	*s = p->shape;
	return set_plan(p, s, rate, use);
}

/*
 * Kinds on a grid, with shares that their loss leaves.  Where a table bends too early for those in
 * the end, reaches and corners are found anew.
 */
static int
find_shares(struct dp_normtree *p, struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double loss;
	unsigned i;
	int e = DP_ERANGE;

	for (i = 0, p->loss = 0; i < TRIES; i++) {
		loss = p->loss;
		if (loss <= rate && (e = dp_normtree_find_reach(s, p->fine, rate, &loss)) != 0)
			break;
		scale(s, rate / loss * (1 - CLOSE / 8));
		if ((e = set_plan(p, s, rate, use)) != DP_ERANGE)
			break;
	}
	return e;
}

/*
 * Kinds, each with tables as long as it must have, on their own grid or refined, once more where
 * that grid has none.
 */
static int
find_kinds(struct dp_normtree *p, struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	const struct dp_normtree_shape wish = *s;
	double loss;
	unsigned i;
	int e = DP_ERANGE;

	if (reach(s, rate) <= (s->kinds < FEW ? DP_NORMTREE_KINDS_REACH : COARSE) &&
	    (e = dp_normtree_find_reach(s, 0, rate, &loss)) == 0)
		return set_plan(p, s, rate, use);
	if (e != DP_ERANGE)
		return e;
	for (i = 0; i < GRIDS && e == DP_ERANGE; i++) {
		*s = wish;
		refine(p, s, rate);
		p->fine += i;
		e = find_shares(p, s, rate, use);
	}
	return e;
}

/* A chain in place of kinds that cannot be certified, of as many levels. */
static int
find_any(struct dp_normtree *p, struct dp_normtree_shape *s, double rate, enum dp_normtree_use use)
{
	const unsigned h = s->h;
	int e;

	if (!s->chain) {
		if ((e = find_kinds(p, s, rate, use)) != DP_ERANGE)
			return e;
		dp_normtree_shape(s, h);
		p->fine = 0;
	}
	return find_plan(p, s, rate, use);
}

/* The tables that were found, now or before, or those that are replayed. */
static int
make(struct dp_normtree *p, struct dp_normtree_shape *s, struct dp_normtree_key *k,
    const struct dp_privacy *privacy, enum dp_normtree_use use)
{
	const double rate = fmin(k->rate, DP_NORMTREE_RATE);
	struct dp_numbers *numbers = privacy->numbers;
	bool known = false;
	int e = 0;

	if (!dp_numbers_replays(numbers)) {
		p->fine = 0;
		if ((known = recall(p, k, privacy)))
			*s = p->shape;
		else if ((e = find_any(p, s, rate, use)) != 0)
			return e;
	}
	keep(s, p, numbers);
	if ((e = dp_numbers_error(numbers)) != 0)
		return e;
	if (dp_numbers_replays(numbers))
		return set_later(p, s, rate, numbers);
	if (known && (p->held.memory == NULL || (!p->awake && p->held.work == NULL)))
		return DP_ENOMEM;
	if (known && numbers != NULL && (e = dp_normtree_wake(p)) != 0)
		return e;
	if (numbers != NULL && use != DP_NORMTREE_CERTIFY)
		dp_numbers_same(numbers, "tables", dp_numbers_hash_words(p->held.memory,
		    p->held.bytes));
	if (privacy->dry && !dp_normtree_know(p))
		return DP_ENOMEM;
	if (!known && numbers == NULL)
		remember(p, k, privacy);
	return dp_numbers_error(numbers);
}

static int
create_plan(struct dp_normtree **out, const struct dp_normtree_shape *shape,
    const struct dp_privacy *privacy, enum dp_normtree_use use)
{
	struct dp_normtree_shape s = *shape;
	struct dp_normtree *p = calloc(1, sizeof *p);
	struct dp_normtree_key k;
	uint64_t unit;
	double rate;
	int e;

	if (p == NULL)
		return DP_ENOMEM;
	p->exact = p->awake = p->moments.known = privacy->exact;
	p->h = s.h;
	p->unit = 1;
	if ((e = dp_coarse_unit(privacy, &unit, &rate)) != 0) {
		dp_normtree_free(p);
		return e;
	}
	set_key(&k, shape, rate);
	if (!p->exact && (e = make(p, &s, &k, privacy, use)) != 0) {
		dp_normtree_free(p);
		return e;
	}
	if (!p->exact && ((p->alias = dp_normtree_alias_create(p->A)) == NULL ||
	    (p->laws.fades = dp_normtree_fades_create()) == NULL ||
	    (p->laws.sweeps = dp_normtree_sweeps_create()) == NULL)) {
		dp_normtree_free(p);
		return DP_ENOMEM;
	}
	p->unit = unit;
	p->cells = privacy->cells;
	*out = p;
	return 0;
}

int
dp_normtree_create(struct dp_normtree **out, const struct dp_normtree_shape *shape,
    const struct dp_privacy *privacy)
{
	int e;

	if ((e = create_plan(out, shape, privacy, DP_NORMTREE_DRAW)) != 0)
		return e;
	if ((*out)->held.later)
		return 0;
	/* what describes it, too: a run without memory for it does not begin */
	if ((e = dp_normtree_wake(*out)) != 0 || !dp_normtree_know(*out)) {
		dp_normtree_free(*out);
		*out = NULL;
		return e != 0 ? e : DP_ENOMEM;
	}
	free((*out)->held.work);
	(*out)->held.work = NULL;
	return 0;
}

int
dp_normtree_measure(struct dp_normtree **out, const struct dp_normtree_shape *shape,
    const struct dp_privacy *privacy, bool alone)
{
	int e;

	if ((e = create_plan(out, shape, privacy, DP_NORMTREE_DRAW)) != 0)
		return e;
	if (alone && (*out)->awake && !(*out)->exact)
		remember_tables(*out, shape, privacy->memo);
	else if (!alone)
		dp_normtree_rest(*out);
	return 0;
}

int
dp_normtree_reserve(struct dp_normtree **out, const struct dp_normtree_shape *shape,
    const struct dp_privacy *privacy)
{
	struct dp_normtree *p;
	int e;

	if ((e = create_plan(&p, shape, privacy, privacy->numbers == NULL ? DP_NORMTREE_CERTIFY :
	    DP_NORMTREE_DRAW)) != 0)
		return e;
	dp_normtree_rest(p);
	if (!p->exact && p->held.work == NULL) {
		dp_normtree_free(p);
		return DP_ENOMEM;
	}
	*out = p;
	return 0;
}

void
dp_normtree_free(struct dp_normtree *p)
{
	if (p != NULL) {
		dp_normtree_release(p->held.memory);
		free(p->moments.places);
		dp_normtree_fades_free(p->laws.fades);
		dp_normtree_sweeps_free(p->laws.sweeps);
		dp_normtree_alias_free(p->alias);
		free(p->held.work);
	}
	free(p);
}

/*
 * The shares of the levels, found by a search (of the largest and the mean error of a
 * count together; of windows and decays, over lengths and horizons), and how long the tables are.
 */

/* The lowest three levels, one of the middle, the highest three, the root. */
enum { FIRST, SECOND, THIRD, MIDDLE, UNDER2, UNDER1, TOP_SHAPE, ROOT_SHAPE, WEIGHTS };

#define FREE_SHAPE	40	/* levels of a state's tree, at most, where they are free */
#define DEEP	6		/* levels from which on all weights differ */
#define SLOW	0.8		/* a decay that remembers T steps over that hardly forgets in T */
#define LONGEST_SHAPE	0x1p40		/* steps of a tree of a row, at most */

static const double deep[WEIGHTS] = { 3.7, 0.15, 0.95, 1, 0.85, 1.2, 1, 0.5 };
static const double flat[DEEP][DEEP] = {
	{ 0 },
	{ 0.9, 0.1 },
	{ 0.74, 0.16, 0.1 },
	{ 0.62, 0.12, 0.17, 0.09 },
	{ 0.549, 0.099, 0.15, 0.128, 0.074 },
	{ 0.505, 0.025, 0.143, 0.131, 0.132, 0.064 }
};

static double
weight_shape(unsigned h, unsigned l)
{
	if (h < DEEP)
		return flat[h][l];
	if (l == h)
		return deep[ROOT_SHAPE];
	if (l <= SECOND + 1 && l <= THIRD)
		return deep[l];
	return l + 3 >= h ? deep[TOP_SHAPE + l + 1 - h] : deep[MIDDLE];
}

/* root: how often the root's weight counts. */
static void
fill_shape(struct dp_normtree_shape *s, unsigned h, double root)
{
	struct dp_normtree_kind *k = s->kind;
	double sum = 0;
	unsigned l;

	s->h = s->kinds = h;
	s->chain = true;
	s->T = 0;
	s->free = false;
	for (l = 0; l < h; l++)
		sum += k[l].share = weight_shape(h, l);
	sum += s->root = weight_shape(h, h) * root;
	for (l = 0; l < h; l++) {	/* the rest is for the certificate */
		k[l].share *= (1 - 0x1p-20) / sum;
		k[l].corner = l == 0 ? 0.53 : 0.235;
		k[l].level = (uint16_t)(l + 1);
		k[l].child[0] = k[l].child[1] = l == 0 ? DP_NORMTREE_STEP : (uint16_t)(l - 1);
	}
	s->root *= (1 - 0x1p-20) / sum;
}

void
dp_normtree_shape(struct dp_normtree_shape *s, unsigned h)
{
	fill_shape(s, h, 1);
}

/*
 * The root counts three times: its noise stays in all totals after the segment.  Shares by path,
 * with the root's noise as it is, gain 2 % at the end of a segment of 2^12 steps, and lose 3 %
 * within it, where the last step may be.
 */
void
dp_normtree_segment(struct dp_normtree_shape *s, unsigned j)
{
	fill_shape(s, 8 + 4 * j, 3);
}

#define RARE	5	/* a rate from which on noise may be rare */
#define FITS	480	/* e (3A + 2) of pairs: longer tables end below 2^-1000 */

/*
 * Below T e^-rate = 1/2 hardly any step has noise, and it is best if each has its own: pairs of
 * steps take all but e = q on each level above.  Tables are the longer the smaller q is, and
 * shorter where they fall steeply.
 */
bool
dp_normtree_rare_shape(struct dp_normtree_shape *s, uint64_t T, double rate)
{
	const unsigned h = T < 2 ? 1 : dp_ceil_log2(T);
	double q = .48, own;
	unsigned l;

	rate = fmin(rate, DP_NORMTREE_RATE);
	if (rate < RARE || (double)T * exp(-rate) > .5 || h < 3)
		return false;
	do {
		q *= 1.1;
		own = 1 - 0x1p-20 - q * (h - 1.5) / rate;
	} while (own * rate * (3 * (5 / q + 9) + 2) > FITS && own > .2);
	fill_shape(s, h, 1);
	s->T = T;
	for (l = 0; l < h; l++) {
		s->kind[l].share = l == 0 ? own : (l == 1 ? .4 : 1) * q / rate;
		s->kind[l].corner = l == 0 ? .02 : 0;
	}
	s->root = .1 * q / rate;
	return own > .2;
}

/* The steps of the longest window, or those that a decay remembers. */
static double
remembered(const struct dp_task *task)
{
	uint64_t W = 1;
	unsigned i;

	for (i = 0; i < task->windows; i++)
		W = task->w[i] > W ? task->w[i] : W;
	return task->what == DP_TASK_EXP ? 1 / (1 - task->alpha) : (double)W;
}

/*
 * Trees as long as what counts, n steps, at most: then the root's share grows from one power of two
 * to the next.  What forgets nothing in T steps is a count, and n may be as much below the tree's
 * length as above.  Shares are a count's where noise is so small that rounding to whole numbers
 * tells levels apart, and where windows shorter than n are asked for, too.  Few steps are best in
 * pairs with hardly any noise of their own.
 */
void
dp_normtree_stream(struct dp_normtree_shape *s, const struct dp_task *task, uint64_t T, double rate)
{
	const bool decay = task->what == DP_TASK_EXP, several = task->windows > 1;
	const double memory = remembered(task), known = T == 0 ? LONGEST_SHAPE : (double)T;
	const double n = fmax(1, fmin(fmin(memory, known), LONGEST_SHAPE)), x = log2(n);
	const bool count = known <= memory * (decay ? SLOW : 1), plain = several || x < 1.5 * rate;
	unsigned h = (unsigned)x;

	if (count && !several && (decay || !plain))
		h = (unsigned)(log2(fmax(1, n - 1)) + 0.5);
	h = h < 1 ? 1 : h;
	if (!several && (count ? !plain && n > 2 && n < 7 : n < 9.5)) {
		fill_shape(s, 1, 0x1p-5);
		s->kind[0].corner = plain || n < (count ? 4 : 5) ? s->kind[0].corner : 1;
	} else
		fill_shape(s, h, plain ? 1 : count ? exp2(1.5 * (x - h)) : 0.38 * exp2(2.3 *
		    (x - h)));
	s->free = true;
}

double
dp_normtree_shares(const struct dp_normtree_shape *s)
{
	double most[DP_NORMTREE_KINDS] = { 0 };
	const uint16_t *c;
	unsigned i, side;

	for (i = 0; i < s->kinds; i++) {
		c = s->kind[i].child;
		for (most[i] = 0, side = 0; side < 2; side++)
			if (c[side] != DP_NORMTREE_STEP && most[c[side]] > most[i])
				most[i] = most[c[side]];
		most[i] += s->kind[i].share;
	}
	return most[s->kinds - 1] + s->root;
}

/* A kind in a word: its level, its children, its reach. */
static uint64_t
pack(const struct dp_normtree_kind *k)
{
	return k->level | (uint64_t)k->child[0] << 16 | (uint64_t)k->child[1] << 32 |
	    (uint64_t)k->reach << 48;
}

static bool
fits(const struct dp_normtree_shape *s, unsigned i)
{
	const struct dp_normtree_kind *k = &s->kind[i];
	unsigned side;

	if (k->level < 1 || k->level > s->h || (i + 1 == s->kinds && k->level != s->h) ||
	    k->reach < 2 || k->reach > DP_NORMTREE_KINDS_REACH)
		return false;
	for (side = 0; side < 2; side++)
		if (k->child[side] == DP_NORMTREE_STEP ? k->level != 1 || k->child[!side] !=
		    DP_NORMTREE_STEP : k->child[side] >= i ||
		    s->kind[k->child[side]].level >= k->level ||
		    s->kind[k->child[side]].reach > k->reach)
			return false;
	return true;
}

/* Steps from the first on that are drawn: a child below half its parent leaves the rest out. */
static uint64_t
drawn(const struct dp_normtree_shape *s)
{
	uint64_t n[DP_NORMTREE_KINDS] = { 0 }, part[2], half;
	unsigned i, side;

	for (i = 0; i < s->kinds; i++) {
		half = (uint64_t)1 << (s->kind[i].level - 1);
		for (side = 0; side < 2; side++)
			part[side] = s->kind[i].child[side] == DP_NORMTREE_STEP ? 1 :
			    n[s->kind[i].child[side]];
		n[i] = part[0] < half ? part[0] : half + part[1];
	}
	return n[s->kinds - 1];
}

static bool
all_used(const struct dp_normtree_shape *s)
{
	bool used[DP_NORMTREE_KINDS] = { false };
	unsigned i, side;

	used[s->kinds - 1] = true;
	for (i = s->kinds; i-- > 0; )
		for (side = 0; side < 2; side++) {
			if (!used[i])
				return false;
			if (s->kind[i].child[side] != DP_NORMTREE_STEP)
				used[s->kind[i].child[side]] = true;
		}
	return true;
}

void
dp_normtree_keep_kinds(struct dp_normtree_shape *s, struct dp_numbers *numbers)
{
	const uint64_t most = s->T == 0 ? 0 : DP_NORMTREE_KINDS;
	uint64_t word = s->h | (s->chain ? 0 : (uint64_t)s->kinds << 16);
	unsigned i;

	word = s->free ? dp_numbers_int(numbers, "shape", word, 1, FREE_SHAPE) :
	    dp_numbers_int(numbers, "shape", word, s->h, s->h | most << 16);
	if (!s->free && (word & 0xffff) != s->h) {
		dp_numbers_refuse(numbers);
		word = s->h;
	}
	if (word >> 16 == 0) {
		if (!s->chain || word != s->h)
			fill_shape(s, (unsigned)word, 1);
		return;
	}
	s->kinds = (unsigned)(word >> 16);
	s->chain = false;
	for (i = 0; i < s->kinds; i++) {
		word = dp_numbers_int(numbers, "kind", pack(&s->kind[i]), 0, UINT64_MAX);
		s->kind[i].level = (uint16_t)word;
		s->kind[i].child[0] = (uint16_t)(word >> 16);
		s->kind[i].child[1] = (uint16_t)(word >> 32);
		s->kind[i].reach = (uint16_t)(word >> 48);
		if (!fits(s, i))
			dp_numbers_refuse(numbers);
	}
	if (dp_numbers_error(numbers) == 0 && (!all_used(s) || drawn(s) < s->T))
		dp_numbers_refuse(numbers);
	if (dp_numbers_error(numbers) != 0)	/* any that can be looked at */
		fill_shape(s, s->h, 1);
}

/*
 * What a node takes of the budget of its path, and where its k bends: numbers that
 * searches found for some horizons, for the largest error with the mean held below that of equal
 * children.
 */

/*
 * Logarithms: of shares of the budget left, at the top, at the distance 1, 2, 3, 4 from it, ..; of
 * corners; what is added at the heights 1 to 4.
 */
enum {
	ROOT, TOP, TOP_CORNER, SHARE, SLOPE, LR_SHARE, RIGHT_SHARE,
	LL1, RIGHT1, LL2, LR2, RIGHT2, LL3, LR3, RIGHT3,
	CORNER, CORNER1, CORNER2, CORNER3, RIGHT_CORNER,
	SHARE_2, CORNER_2, CORNER_1, RIGHT_SLOPE,
	SHARE_3, CORNER_3, SHARE_4, CORNER_4, LL4, FREE
};

_Static_assert(FREE == DP_NORMTREE_NUMBERS, "numbers of a rule");

#define UNLIKE		7	/* children differ so far from the top: below it gains nothing; */
#define FULL		11	/* and beyond 2^11 steps */
#define UNLIKE_TALL	4	/* so far: more tables take more time than that is worth */
#define BUDGETS_TALL	8
#define ABOVE		.25	/* corner of a node above a tree */

/* T = 2^H. */
static const struct {
	double H, p[FREE];
} whole[] = {
	{ 1, { -3.26, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, 0.08, -1.51 } },
	{ 2, { -5.04, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.07, -1.51 } },
	{ 3, { -2.66, 0.23, -0.52, -2.13, -0.55, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 4, { -2.75, 0.20, -0.97, -2.12, -0.54, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 5, { -2.85, -0.19, -0.79, -2.12, -0.54, 0.12, -0.65, 0.54,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -0.98,
	    1.40, 0.41, 0.07, -1.32, -3.50, -2.50, -0.47, -1.51 } },
	{ 6, { -2.85, -0.19, -0.84, -2.12, -0.54, -0.13, -0.90, 0.54,
	    -3.40, 0.32, 0.56, -0.79, 0.58, 0.28, 0.05, -0.98,
	    1.35, 0.41, 0.07, -1.07, -3.50, -2.50, -0.72, -1.26 } },
	{ 7, { -3.01, -0.19, -0.89, -2.12, -0.54, -0.15, -0.99, 0.55,
	    -3.40, 0.21, 0.53, -0.85, 0.51, 0.30, 0.27, -0.98,
	    1.10, 0.16, 0.36, -1.16, -3.50, -2.50, -0.58, -1.10 } },
	{ 8, { -3.34, -0.16, -1.22, -2.12, -0.54, -0.16, -0.87, 0.54,
	    -3.50, 0.14, 0.58, -0.50, 0.51, 0.33, 0.27, -0.99,
	    0.95, 0.05, 0.08, -0.77, -2.92, -2.48, -0.71, -1.14,
	    0.04, -0.41, 0.05, -0.06, 0.07 } },
	{ 10, { -3.56, -0.44, -0.88, -2.12, -0.29, -0.15, -0.89, 0.54,
	    -3.40, 0.12, 0.53, -0.28, 0.53, 0.30, 0.56, -1.00,
	    0.94, -0.17, 0.09, -0.95, -3.50, -2.50, -0.49, -1.26 } },
	{ 12, { -4.17, -0.44, -0.87, -2.12, -0.70, -0.10, -0.83, 0.29,
	    -3.40, 0.12, 0.28, -0.28, 0.53, 0.41, 0.81, -1.04,
	    1.28, 0.00, 0.20, -0.41, -3.50, -2.50, -0.58, -1.26 } }
};

/* Differences from T = 128 of T = 65, 72, 84, 100 and 116. */
static const struct part {
	double x, p[FREE];
} parts[] = {
	{ 0.5078, { -7.24, -2.61, -0.35, 0.00, 0.12, 0.16, 0.03, -0.33,
	    -0.70, 0.30, -4.46, -2.20, 0.02, 0.26, -0.12, -0.04,
	    -1.00, 0.93, 0.48, -0.36, -0.21, 0.34, 0.16, 0.34,
	    -0.03, -0.22, 0.05, -0.14, 0.25 } },
	{ 0.5625, { -3.99, -3.21, -0.33, 0.00, 0.12, 0.36, 0.17, -0.31,
	    0.00, 0.26, -3.93, -2.55, 0.14, 0.28, 0.12, 0.27,
	    -1.07, 0.67, 0.05, -0.01, 0.00, 0.00, 0.06, -0.08 } },
	{ 0.6562, { -1.03, -3.21, -0.33, 0.00, 0.25, -1.21, 0.30, -0.01,
	    0.00, 0.31, -1.18, 0.92, -0.02, 0.63, -0.13, 0.41,
	    -0.24, -0.10, -0.19, -0.12, 1.49, 1.30, 0.23, 0.13 } },
	{ 0.7812, { -0.10, -3.21, -0.33, 0.00, -0.05, -0.14, 0.06, 0.02,
	    0.00, 0.19, -0.17, 1.10, 0.03, 0.11, -0.12, 0.03,
	    0.30, 0.23, -0.13, -0.28, 0.00, 0.00, -0.19, 0.40 } },
	{ 0.9062, { 0.15, -3.21, -0.33, 0.00, -0.05, 0.11, 0.05, 0.02,
	    0.00, 0.19, 0.08, 0.85, 0.04, -0.14, 0.13, 0.28,
	    0.59, 0.23, -0.38, -0.24, 0.00, 0.00, -0.18, 0.41 } }
};

/* Differences from T = 1024 of T = 1025, 1300 and 1600. */
static const struct part longer[] = {
	{ 0.5005, { -3.68, -1.11, -3.87, -0.01, -0.69, -0.42, -0.23, -0.55,
	    0.31, 0.27, -1.43, -0.73, -0.12, 0.72, 0.50, -0.01,
	    -0.90, 1.27, 0.33, -0.03, 0.57, -0.12, -0.50, 0.11,
	    0.08, -0.01, -0.09, -0.07, 0.06 } },
	{ 0.6348, { -3.07, -0.95, -2.24, 0.00, -0.48, -0.34, -0.03, 0.00,
	    -0.08, 0.20, -1.05, 0.51, -0.13, 0.21, 0.02, -0.14,
	    0.06, -0.43, 0.63, 0.25, 0.16, 0.12, -0.41, 0.08,
	    -0.02, -0.16, 0.14, 0.07, 0.00 } },
	{ 0.7812, { -3.44, -1.05, -1.31, 0.00, -0.76, -0.22, -0.11, 0.25,
	    0.00, -0.05, -1.16, 0.40, -0.13, 0.22, 0.08, -0.13,
	    -0.24, -0.74, 0.54, 0.38, 1.99, 1.91, -0.59, 0.14 } }
};

/* Beyond 2^11 steps, T = 2^H: for H = 12, 20 and 30. */
static const double tall[3][FREE] = {
	{ -3.58, -0.60, -1.30, -2.36, -0.88, 0.05, -0.06, 0.81,
	    -3.39, 0.58, 0.70, -0.41, 0.43, 0.26, -0.14, -1.63,
	    1.63, 1.01, 0.72, -1.24, -3.13, -2.07, -0.68, -0.18,
	    0.14, 0.01, 0.12, 0.52, 0.13 },
	{ -3.96, -0.91, -2.06, -2.31, -1.02, 0.00, -0.04, 0.92,
	    -3.73, 0.72, 1.02, 0.37, 0.34, -0.01, -0.74, -1.34,
	    1.34, 0.61, -0.80, -0.62, -3.06, -2.39, -0.91, -0.06,
	    -0.21, -0.32, -0.30, -0.29, 0.35 },
	{ -4.76, -0.79, -2.15, -2.30, -1.02, 0.00, -0.06, 0.90,
	    -3.49, 0.81, 1.01, 0.29, 0.38, 0.28, -0.47, -1.43,
	    1.57, 0.92, -0.37, -0.57, -3.21, -2.47, -0.91, 0.00,
	    -0.30, -0.30, -0.29, -0.12, 0.36 }
};

/* Numbers for T just above 2^(H - 1). */
static const double above[3][FREE] = {
	{ -15.28, -2.97, -2.71, -2.35, -0.74, 0.11, 0.11, 0.09,
	    -3.73, 0.64, -1.37, -2.15, 0.31, 0.23, -0.53, -1.43,
	    1.21, 0.98, 0.93, -1.04, -3.75, -2.21, -1.22, 1.23,
	    0.52, 0.31, 0.06, 0.13, 0.10 },
	{ -9.17, -3.19, -1.74, -2.31, -1.23, 0.00, -0.21, -0.11,
	    -3.40, 1.08, 0.76, 0.02, 1.05, 0.97, 0.34, -1.51,
	    0.29, 0.30, -0.01, -0.24, -3.67, -0.77, -0.97, -0.36,
	    -0.32, -0.04, -0.50, -0.15, 0.31 },
	{ -16.29, -3.24, -1.86, -2.31, -0.93, -0.31, -0.09, -0.43,
	    -3.38, 0.75, 0.81, -0.70, 0.73, 1.02, 0.37, -1.37,
	    -0.23, 0.77, 0.01, -0.19, -3.37, -2.11, -0.78, -0.31,
	    -0.30, -0.47, -0.19, -0.09, 0.22 }
};

static void
blend_rule(double *to, const double *a, const double *b, double w)
{
	unsigned i;

	for (i = 0; i < FREE; i++)
		to[i] = a[i] + w * (b[i] - a[i]);
}

/* Change of the numbers with x = T / 2^H, from 1 down to 1/2. */
static void
set_change(double *to, const struct part *p, unsigned n, double x)
{
	static const double none[FREE];
	unsigned i = 0;

	while (i + 1 < n && p[i + 1].x <= x)
		i++;
	if (x <= p[0].x)
		blend_rule(to, p[0].p, none, 0);
	else if (i + 1 < n)
		blend_rule(to, p[i].p, p[i + 1].p, (x - p[i].x) / (p[i + 1].x - p[i].x));
	else
		blend_rule(to, p[i].p, none, (x - p[i].x) / (1 - p[i].x));
}

/* For T = x 2^H. */
static void
set_numbers(struct dp_normtree_rule *r, unsigned H, double x)
{
	const unsigned wholes = sizeof whole / sizeof whole[0];
	double low[FREE], high[FREE], change[FREE], w;
	unsigned i;

	r->H = H;
	r->unlike = H > FULL ? UNLIKE_TALL : UNLIKE;
	r->budgets = H > FULL ? BUDGETS_TALL : DP_NORMTREE_BUDGETS;
	if (H > FULL) {
		i = H > 20;
		w = i == 0 ? (H - 12) / 8. : (H - 20) / 10.;
		blend_rule(low, tall[i], tall[i + 1], w);
		blend_rule(high, above[i], above[i + 1], w);
		blend_rule(r->p, low, high, pow(2 - 2 * x, 4));
	}
	else {
		for (i = 0; i + 2 < wholes && whole[i + 1].H <= H; i++)
			;
		blend_rule(r->p, whole[i].p, whole[i + 1].p, H > whole[wholes - 1].H ? 1 :
		    (H - whole[i].H) / (whole[i + 1].H - whole[i].H));
		set_change(low, parts, sizeof parts / sizeof parts[0], x);
		set_change(high, longer, sizeof longer / sizeof longer[0], x);
		blend_rule(change, low, high, H <= 8 ? 0 : H == 9 ? 0.5 : 1);
		for (i = 0; i < FREE; i++)
			r->p[i] += change[i];
	}
	r->root = exp(r->p[ROOT]);
	r->above = 0;
}

/* For T steps of 2^H, x = T / 2^H from above 1/2 to 1. */
/* A node above a tree has the share that would be that of the tree's root. */
static void
rule_set(struct dp_normtree_rule *r, unsigned H, double x)
{
	if (!dp_normtree_rule_above(H, x)) {
		set_numbers(r, H, x);
		return;
	}
	set_numbers(r, H - 1, 1);
	r->above = r->root;
	r->root = 0;
}

/* Rates added near the steps. */
static void
add_low(const double *p, unsigned h, double *share, double *corner)
{
	static const unsigned of[][2] = {
		{ SHARE_2, CORNER_2 }, { SHARE_3, CORNER_3 }, { SHARE_4, CORNER_4 }
	};

	if (h <= 4) {
		*share += p[of[h - 2][0]];
		*corner += p[of[h - 2][1]];
	}
}

/* Share of its budget that a node of height h takes, and where k bends. */
static void
rule_wish(const struct dp_normtree_rule *r, unsigned h, unsigned type, double *share,
    double *corner)
{
	const double *p = r->p, x = log((h + 1) / 9.), base = p[SHARE] + p[SLOPE] * x;
	const unsigned t = type == DP_NORMTREE_ALIKE ? DP_NORMTREE_LL : type, far = r->H - h;
	double s = base, c = p[CORNER];

	if (h > r->H) {
		*share = r->above;
		*corner = ABOVE;
		return;
	}
	if (h == 1) {
		*share = 1;
		*corner = exp(p[CORNER_1]);
		return;
	}
	if (t == DP_NORMTREE_LR)
		s += p[LR_SHARE];
	if (t == DP_NORMTREE_RIGHT) {
		s += p[RIGHT_SHARE] + p[RIGHT_SLOPE] * x;
		c += p[RIGHT_CORNER];
	}
	add_low(p, h, &s, &c);
	if (far == 1) {
		s += t == DP_NORMTREE_LL ? p[LL1] : t == DP_NORMTREE_RIGHT ? p[RIGHT1] : 0;
		c += p[CORNER1];
	}
	if (far == 2) {
		s += p[LL2 + t];
		c += p[CORNER2];
	}
	if (far == 3) {
		s += p[LL3 + t];
		c += p[CORNER3];
	}
	if (far == 4 && t == DP_NORMTREE_LL)
		s += p[LL4];
	if (far == 0) {
		s = base + p[TOP];
		c = p[TOP_CORNER];
	}
	*share = fmin(exp(s), .75);
	*corner = exp(fmin(c, 1.5));
}

/*
 * Shares by path, for a count of T steps.
 *
 * Budgets are merged to a few at each height: a node takes a little more or less than it wishes,
 * and nothing is lost.  The right half of a node is left out if it lies beyond T.
 */

#define LONGEST	31	/* 2^31 steps at most: beyond, the mean would be larger */
#define LEAST	0.0125	/* a share: of less, tables would be too long (normtree.h) */
#define STRAIGHT	64	/* a corner that no noise comes to */
#define PAIR	.9375	/* of few steps after many: on a finer grid steeper tables lose more */
#define GRID	0x1p-24	/* of shares: a logarithm's last bit tells nothing */
#define WIDE	(3 * DP_NORMTREE_BUDGETS + 1)

static const unsigned below[DP_NORMTREE_TYPES][2] = {
	{ DP_NORMTREE_LL, DP_NORMTREE_RIGHT }, { DP_NORMTREE_LL, DP_NORMTREE_RIGHT },
	{ DP_NORMTREE_LR, DP_NORMTREE_RIGHT }, { DP_NORMTREE_ALIKE, DP_NORMTREE_ALIKE }
};

/* A node's kind before it has its place in the list. */
struct want {
	unsigned type;
	bool edge;			/* T lies within it */
	uint64_t begin;			/* then: steps before it */
	double budget, left, weight;	/* left: of the budget, for its children */
	double corner;
	uint16_t height[2], child[2];	/* the children's, and where they are there */
};

struct list {
	struct want want[WIDE];
	unsigned n;
	uint16_t first;			/* kind of the first one */
};

struct budget {
	double b, weight;
};

/*
 * Of sorted budgets the nearest two become one, at their mean, until `most` are left (Ward 1963);
 * where[] follows them.
 */
static void
merge(struct budget *c, unsigned n, unsigned most, unsigned *where)
{
	const unsigned all = n;
	unsigned i, at;
	double least, d, w;

	for (; n > most; n--) {
		for (least = INFINITY, at = i = 0; i + 1 < n; i++) {
			d = (c[i + 1].b - c[i].b) / (c[i + 1].b + c[i].b);
			d *= d * c[i].weight * c[i + 1].weight / (c[i].weight + c[i + 1].weight);
			if (d < least) {
				least = d;
				at = i;
			}
		}
		w = c[at].weight + c[at + 1].weight;
		c[at].b = (c[at].b * c[at].weight + c[at + 1].b * c[at + 1].weight) / w;
		c[at].weight = w;
		for (i = at + 1; i + 1 < n; i++)
			c[i] = c[i + 1];
		for (i = 0; i < all; i++)
			where[i] -= where[i] > at;
	}
}

/* Budgets that the nodes of a height leave to their children: few of them. */
static void
set_left(const struct dp_normtree_rule *r, struct list *v, unsigned h)
{
	struct budget c[WIDE];
	unsigned order[WIDE] = { 0 }, where[WIDE], i, j;
	double s;

	for (i = 0; i < v->n; i++) {
		rule_wish(r, h, v->want[i].type, &s, &v->want[i].corner);
		v->want[i].left = fmin(v->want[i].budget * (1 - s), v->want[i].budget - LEAST);
		if (s * v->want[i].budget < LEAST)
			v->want[i].corner = STRAIGHT;
		for (j = i; j > 0 && v->want[order[j - 1]].left > v->want[i].left; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (i = 0; i < v->n; i++) {
		c[i] = (struct budget){ v->want[order[i]].left, v->want[order[i]].weight };
		where[i] = i;
	}
	merge(c, v->n, r->budgets, where);
	for (i = 0; i < v->n; i++)	/* none has more than its nodes can leave */
		c[0].b = fmin(c[0].b, v->want[i].budget - LEAST);
	for (i = 0; i < v->n; i++) {
		struct want *w = &v->want[order[i]];

		for (j = where[i]; c[j].b > w->budget - LEAST; j--)
			w->corner = STRAIGHT;
		w->left = GRID * floor(c[j].b / GRID);
	}
}

/* The child of a node in the list of its height: one that is there, or one more. */
static void
put_child(struct list *all, struct want *of, unsigned h, unsigned side, unsigned type,
    uint64_t begin, uint64_t T)
{
	struct list *v;
	unsigned i;
	bool edge;

	for (; h > 1 && begin + ((uint64_t)1 << (h - 1)) >= T; h--)	/* its left half instead */
		type = below[type][0];
	edge = begin + ((uint64_t)1 << h) > T;
	v = &all[h];
	for (i = 0; i < v->n; i++)
		if (!edge && !v->want[i].edge && v->want[i].type == type &&
		    v->want[i].budget == of->left)
			break;
	if (i == v->n)
		v->want[v->n++] = (struct want){ .type = type, .edge = edge, .begin = begin,
		    .budget = of->left };
	v->want[i].weight += of->weight;
	of->height[side] = (uint16_t)h;
	of->child[side] = (uint16_t)i;
}

static void
put_kinds(struct dp_normtree_shape *s, struct list *all, const struct dp_normtree_rule *r)
{
	struct dp_normtree_kind *k;
	struct want *w;
	unsigned h, i, side;
	double share;

	for (h = 1; h <= s->h; h++) {
		all[h].first = (uint16_t)s->kinds;
		for (i = 0; i < all[h].n; i++) {
			w = &all[h].want[i];
			if (h == 1) {
				rule_wish(r, 1, w->type, &share, &w->corner);
				w->left = r->above > 0 ? fmax(0, w->budget - PAIR) : 0;
			}
			k = &s->kind[s->kinds++];
			*k = (struct dp_normtree_kind){ .share = w->budget - w->left,
			    .corner = w->corner, .level = (uint16_t)h,
			    .child = { DP_NORMTREE_STEP, DP_NORMTREE_STEP } };
			for (side = 0; side < 2 && h > 1; side++)
				k->child[side] = (uint16_t)(all[w->height[side]].first +
				    w->child[side]);
		}
	}
}

static void
set_shape(struct dp_normtree_shape *s, uint64_t T, unsigned H)
{
	struct list all[LONGEST + 1] = { 0 };
	struct dp_normtree_rule r;
	struct want *w;
	unsigned h, i, side, type, few;
	uint64_t end;

	rule_set(&r, H, ldexp((double)T, -(int)H));
	few = r.H > r.unlike ? r.H - r.unlike - 1 : 0;
	end = (((T - 1) >> few) + 1) << few;	/* of a chain all is there */
	*s = (struct dp_normtree_shape){ .h = H, .T = T };
	s->root = GRID * ceil(r.root / GRID);
	all[H].want[0] = (struct want){ .type = DP_NORMTREE_LL, .weight = 1,
	    .edge = end < (uint64_t)1 << H, .budget = 1 - 0x1p-19 - s->root };
	all[H].n = 1;
	for (h = H; h > 1; h--) {
		set_left(&r, &all[h], h);
		for (i = 0; i < all[h].n; i++)
			for (w = &all[h].want[i], side = 0; side < 2; side++) {
				type = h + r.unlike <= r.H ? DP_NORMTREE_ALIKE :
				    below[w->type][side];
				put_child(all, w, h - 1, side, type, w->begin +
				    ((uint64_t)(w->edge && side == 1) << (h - 1)),
				    w->edge ? end : UINT64_MAX);
			}
	}
	put_kinds(s, all, &r);
}

void
dp_normtree_count_shape(struct dp_normtree_shape *s, uint64_t T)
{
	const unsigned H = T < 2 ? 1 : dp_ceil_log2(T);

	if (H > LONGEST)
		dp_normtree_shape(s, H);
	else
		set_shape(s, T, H);
}

/*
 * Trees that a planning has made already: kept, and found again, in its memo.
 */

static void
set_key(struct dp_normtree_key *k, const struct dp_normtree_shape *s,
    double rate)
{
	unsigned i;

	memset(k, 0, sizeof *k);
	memcpy(k->of, "normtree", sizeof k->of);
	k->rate = rate;
	k->shape.h = s->h;
	k->shape.kinds = s->kinds;
	k->shape.chain = s->chain;
	k->shape.T = s->T;
	k->shape.root = s->root;
	for (i = 0; i < s->kinds; i++) {
		k->shape.kind[i].share = s->kind[i].share;
		k->shape.kind[i].corner = s->kind[i].corner;
		k->shape.kind[i].level = s->kind[i].level;
		k->shape.kind[i].child[0] = s->kind[i].child[0];
		k->shape.kind[i].child[1] = s->kind[i].child[1];
	}
}

/* A tree of that key, if it will do, at rest unless its tables are known; the key stays. */
static bool
recall(struct dp_normtree *p, struct dp_normtree_key *k, const struct dp_privacy *privacy)
{
	const struct dp_normtree *q = dp_memo_find(privacy->memo, k, sizeof *k);
	const struct dp_normtree_places *places;
	struct dp_normtree_places *copy = NULL;
	void *tables;

	if (q == NULL)
		return false;
	if (q->moments.places != NULL) {
		k->of[0] = 'p';
		places = dp_memo_find(privacy->memo, k, sizeof *k);
		k->of[0] = 'n';
		if (places == NULL || (copy = malloc(dp_normtree_places_size(places))) == NULL)
			return false;
		memcpy(copy, places, dp_normtree_places_size(places));
	}
	*p = *q;
	p->moments.places = copy;
	k->of[0] = 't';
	tables = (void *)(uintptr_t)dp_memo_find(privacy->memo, k, sizeof *k);
	k->of[0] = 'n';
	if (tables != NULL)
		adopt(p, tables);
	else
		dp_normtree_rest(p);
	return true;
}

/* A tree, without tables, and its places; the key stays. */
static void
remember(const struct dp_normtree *p, struct dp_normtree_key *k,
    const struct dp_privacy *privacy)
{
	struct dp_normtree q = *p;

	q.held.memory = NULL;
	q.held.work = NULL;
	q.laws.sweeps = NULL;
	q.laws.fades = NULL;
	q.alias = NULL;
	q.awake = false;
	dp_memo_keep(privacy->memo, k, sizeof *k, &q, sizeof q);
	if (p->moments.places != NULL) {
		k->of[0] = 'p';
		dp_memo_keep(privacy->memo, k, sizeof *k, p->moments.places,
		    dp_normtree_places_size(p->moments.places));
	}
}

/* Its tables, too. */
static void
remember_tables(const struct dp_normtree *p, const struct dp_normtree_shape *shape,
    struct dp_memo *memo)
{
	struct dp_normtree_key k;

	set_key(&k, shape, p->rate);
	k.of[0] = 't';
	if (dp_memo_find(memo, &k, sizeof k) == NULL)
		dp_memo_give(memo, &k, sizeof k, normtree_share(p->held.memory),
		    dp_normtree_release);
}

/*
 * Where the tables of a tree lie: made, given up, and made again.
 */

/* The tables: a step's g, and a kind's g, k and, on a finer grid, c; the root's law is the last. */
static size_t
count_reals(const struct dp_normtree *p)
{
	size_t n = p->A + 1;
	unsigned i;

	for (i = 0; i < p->shape.kinds; i++)
		n += (p->fine > 0 ? 3 : 2) * (size_t)(p->shape.kind[i].reach + 1);
	return n;
}

static size_t
count_rows(const struct dp_normtree *p)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < p->shape.kinds; i++)
		n += p->shape.kind[i].reach + 1u;
	return n;
}

#define QUICK_LOSS	0x1p-12
#define BEFORE	16	/* bytes before the tables, that keep them aligned: how many have them */

/* After the tables, and what a state has a hash of, is how they are used. */
static void *
allocate(const struct dp_normtree *p)
{
	char *memory = calloc(1, BEFORE + p->held.bytes + p->shape.kinds * sizeof *p->level);

	if (memory == NULL)
		return NULL;
	*(size_t *)(void *)memory = 1;
	return memory + BEFORE;
}

static size_t *
users(void *tables)
{
	return (void *)((char *)tables - BEFORE);
}

void
dp_normtree_release(void *tables)
{
	if (tables != NULL && --*users(tables) == 0)
		free(users(tables));
}

/* One more user of tables. */
static void *
normtree_share(void *tables)
{
	++*users(tables);
	return tables;
}

static void
settle(struct dp_normtree *p, void *memory)
{
	p->held.memory = memory;
	p->level = (void *)((char *)memory + p->held.bytes);
}

/* A step's table. */
static struct dp_real *
put_step(const struct dp_normtree *p, struct dp_real *to)
{
	unsigned i;

	for (i = 0; i <= p->A; i++)
		*to++ = (struct dp_real){ (uint64_t)1 << 63, 1 };
	return to;
}

/* Tables in p->held.memory; small: of its loss, what is left of the search for it. */
static int
set_memory_for(struct dp_normtree *p, double *space, enum dp_normtree_use use, double small)
{
	const struct dp_normtree_shape *s = &p->shape;
	const double coarse = ldexp(p->rate, (int)p->fine), certified = p->loss;
	struct dp_normtree_spot at = { p->held.memory, NULL };
	double loss[DP_NORMTREE_KINDS];
	struct work w;
	unsigned i;
	int e = 0;

	p->loss = 0;
	if (p->fine > 0 && p->A < DP_SPLINE_REACH)
		return DP_ERANGE;
	dp_normtree_start(&w, p->A, p->fine, space);
	w.small = small;
	at.row = (void *)(at.to + count_reals(p));
	at.to = put_step(p, at.to);
	for (i = 0; i < s->kinds && e == 0; i++) {
		e = dp_normtree_set_level(p, &w, i, coarse, use, loss, &at);
		p->loss = e == 0 ? loss[i] : p->loss;
	}
	if (e == 0)
		e = dp_normtree_set_root(p, &w, s->root * coarse, loss[s->kinds - 1]);
	if (use == DP_NORMTREE_AGAIN)
		p->loss = certified;
	if (e == 0 && !(p->loss <= p->rate))
		e = DP_ERANGE;
	p->awake = e == 0 && use >= DP_NORMTREE_AGAIN;
	return e;
}

/* A replayed plan's loss is within its budget by some 2^-12, as a rule: no need to search long. */
static int
set_memory(struct dp_normtree *p, double *space, enum dp_normtree_use use)
{
	return use == DP_NORMTREE_REPLAY && p->fine > 0 &&
	    set_memory_for(p, space, use, QUICK_LOSS) == 0 ? 0 :
	    set_memory_for(p, space, use, DP_SPLINE_SMALL);
}

/* Room for the tables of a shape. */
static int
set_room(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate)
{
	void *memory;
	unsigned i;

	p->shape = *s;
	for (i = 0; i < s->kinds && s->chain; i++)
		p->shape.kind[i].reach = (uint16_t)p->A;
	if (!s->chain)
		p->A = s->kind[s->kinds - 1].reach;
	p->rate = rate;
	p->unit = 1;
	p->h = s->h;
	p->moments.known = false;
	p->held.bytes = count_reals(p) * sizeof(struct dp_real) +
	    count_rows(p) * sizeof(struct dp_normtree_row);
	if ((memory = allocate(p)) == NULL)
		return DP_ENOMEM;
	settle(p, memory);
	return 0;
}

int
dp_normtree_set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double *space;
	int e;

	if ((e = set_room(p, s, rate)) != 0)
		return e;
	if ((space = malloc(dp_normtree_work(p->A))) == NULL)
		return DP_ENOMEM;
	e = set_memory(p, space, use);
	free(space);
	return e;
}

static int
set_later(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    struct dp_numbers *numbers)
{
	int e;

	p->held.later = true;
	p->held.hash = dp_numbers_int(numbers, "tables", 0, 0, UINT64_MAX);
	if ((e = dp_numbers_error(numbers)) != 0 || (e = set_room(p, s, rate)) != 0)
		return e;
	p->held.work = malloc(dp_normtree_work(p->A));
	return p->held.work == NULL ? DP_ENOMEM : 0;
}

#define LATER	1.5	/* times the corner */
#define LATEST	64

/* What a level's reach usually is, at a rate of 1. */
static double
normtree_usual(unsigned level)
{
	return 30 + 5. * level;
}

/*
 * The least reach of a kind that will do, from that of its children and `least` on.  A table that
 * rises from 0, as splits of two signs are punished too early, bends later.
 */
static int
try_kind(struct dp_normtree *p, struct work *w, unsigned i, unsigned least, double rate,
    double *loss, struct dp_normtree_spot *at)
{
	struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_normtree_spot here = *at;
	unsigned side;
	int e = DP_ERANGE;

	for (side = 0; side < 2; side++)
		if (k->child[side] != DP_NORMTREE_STEP &&
		    p->shape.kind[k->child[side]].reach > least)
			least = p->shape.kind[k->child[side]].reach;
	while (e == DP_ERANGE && least <= DP_NORMTREE_KINDS_REACH && k->corner <= LATEST * LATER) {
		k->reach = (uint16_t)least;
		here = *at;
		w->bent = false;
		e = dp_normtree_set_level(p, w, i, rate, DP_NORMTREE_FIND, loss, &here);
		if (w->bent)
			k->corner *= LATER;
		else
			least += least / 8 + 1;
	}
	*at = here;
	return e;
}

int
dp_normtree_find_reach(struct dp_normtree_shape *s, unsigned fine, double rate, double *total)
{
	const double unit = ldexp(1 / rate, -(int)fine);
	struct dp_normtree p = { .A = DP_NORMTREE_KINDS_REACH, .fine = fine, .shape = *s };
	struct dp_normtree_spot at;
	struct work w;
	double loss[DP_NORMTREE_KINDS], *space = malloc(dp_normtree_work(p.A));
	void *memory;
	unsigned i;
	int e = DP_ENOMEM;

	for (i = 0; i < s->kinds; i++)
		p.shape.kind[i].reach = DP_NORMTREE_KINDS_REACH;
	p.held.bytes = count_reals(&p) * sizeof(struct dp_real);
	if ((memory = allocate(&p)) != NULL && space != NULL) {
		settle(&p, memory);
		dp_normtree_start(&w, p.A, fine, space);
		at = (struct dp_normtree_spot){ put_step(&p, memory), NULL };
		for (e = 0, i = 0; i < s->kinds && e == 0; i++)
			e = try_kind(&p, &w, i,
			    (unsigned)(normtree_usual(s->kind[i].level) * unit) + 8,
			    ldexp(rate, (int)fine), loss, &at);
		for (i = 0; i < s->kinds; i++)
			s->kind[i] = p.shape.kind[i];
		p.A = s->kind[s->kinds - 1].reach;
		if (e == 0)
			e = dp_normtree_set_root(&p, &w, ldexp(s->root * rate, (int)fine),
			    loss[s->kinds - 1]);
		*total = p.loss;
	}
	dp_normtree_release(memory);
	free(space);
	return e;
}

/* Gives a tree without tables those of a tree of the same shape and rates, and wakes it. */
static void
adopt(struct dp_normtree *p, void *tables)
{
	settle(p, normtree_share(tables));
	p->root = dp_normtree_root_table(p);
	p->awake = true;
}

/* Memory that is not touched, for memory that is; if there is none it stays as it is. */
void
dp_normtree_rest(struct dp_normtree *p)
{
	void *fresh = p->exact ? NULL : allocate(p);

	if (fresh != NULL && p->held.work == NULL)
		p->held.work = malloc(dp_normtree_work(p->A));
	if (fresh == NULL || p->held.work == NULL) {
		dp_normtree_release(fresh);
		return;
	}
	dp_normtree_release(p->held.memory);
	settle(p, fresh);
	p->awake = false;
	dp_normtree_alias_rest(&p->alias, p->A);
}

int
dp_normtree_wake(const struct dp_normtree *tree)
{
	struct dp_normtree *p = (void *)(uintptr_t)tree;	/* when its tables are asked for */
	int e;

	if (p->awake)
		return 0;
	if (!p->held.later)
		return set_memory(p, p->held.work, DP_NORMTREE_AGAIN);
	e = set_memory(p, p->held.work, DP_NORMTREE_REPLAY);
	if (e == DP_ENOMEM)
		return e;
	/* states of before have a hash of bytes */
	if (e != 0 || (dp_numbers_hash_words(p->held.memory, p->held.bytes) != p->held.hash &&
	    dp_numbers_hash(p->held.memory, p->held.bytes) != p->held.hash)) {
		p->awake = false;
		return DP_ESTATE;
	}
	p->held.later = false;
	return 0;
}

bool
dp_normtree_know(const struct dp_normtree *tree)
{
	struct dp_normtree *p = (void *)(uintptr_t)tree;	/* when its moments are asked for */
	double *space;
	struct work w;

	if (p->moments.known)
		return true;
	if (dp_normtree_wake(p) != 0 || (space = p->held.work != NULL ? p->held.work :
	    malloc(dp_normtree_work(p->A))) == NULL)
		return false;
	dp_normtree_start(&w, p->A, p->fine, space);
	dp_normtree_root_sizes(p, &w);
	if (p->shape.chain)
		dp_normtree_moments(p, &w);
	p->moments.known = p->shape.chain || dp_normtree_find_places(p, &w) == 0;
	if (space != p->held.work)
		free(space);
	return p->moments.known;
}
