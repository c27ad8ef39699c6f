/*
 * plan.c - a tree for a budget: the shape, the tables, and what a state keeps of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise/coarse.h"
#include "alias.h"
#include "decay.h"
#include "place.h"
#include "recall.h"
#include "rule.h"
#include "sweep.h"

#define HALVINGS_MAX	28	/* log2 D */
#define REFINED	48	/* the bit of a plan's word that says fine > 0 */
#define FINE	300	/* A, at most, on a finer grid: longer tables gain little */
#define COARSE	310	/* the same at first, where reaches differ, on their own grid; */
#define FEW	8	/* of fewer kinds tables may be longer there */
#define ROUGHLY	0.9845	/* of the budget that a finer grid leaves to the tables, */
#define LOW	0.955	/* and surely: tables that do for smaller shares do for larger ones */
#define CLOSE	0x1p-8	/* but for so much of it, */
#define GRIDS	2	/* are tried: with some corners halves make a table rise and fall again */
#define TRIES	6	/* found by so many trials, at most; three are usual */
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
		return dp_normtree_usual(height(s)) / rate + MARGIN;
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
	s->root = dp_numbers_real(numbers, "root", s->root, 0x1p-20, 1);
	for (i = 0; i < s->kinds; i++)
		s->kind[i].corner = dp_numbers_real(numbers, "corner", s->kind[i].corner, 0, 64);
	if (!(dp_normtree_shares(s) <= 1 - 0x1p-22) || p->A < 2 || p->A > DP_NORMTREE_REACH ||
	    p->fine > HALVINGS_MAX || word >> REFINED != (p->fine > 0))
		dp_numbers_refuse(numbers);
}

/* Tables in the place of those that p has. */
static int
set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate, enum dp_normtree_use use)
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
		e = set(p, s, rate, use);
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
find(struct dp_normtree *p, struct dp_normtree_shape *s, double rate, enum dp_normtree_use use)
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
	return set(p, s, rate, use);
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
		if ((e = set(p, s, rate, use)) != DP_ERANGE)
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
		return set(p, s, rate, use);
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
	return find(p, s, rate, use);
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
		if ((known = dp_normtree_recall(p, k, privacy, use)))
			*s = p->shape;
		else if ((e = find_any(p, s, rate, use)) != 0)
			return e;
	}
	keep(s, p, numbers);
	if ((e = dp_numbers_error(numbers)) != 0)
		return e;
	if (dp_numbers_replays(numbers) && (e = dp_normtree_set(p, s, rate,
	    use == DP_NORMTREE_DRAW ? DP_NORMTREE_HASH : use)) != 0)
		return e == DP_ENOMEM ? e : DP_EINVAL;
	if (known && (p->held.memory == NULL || (!p->awake && p->held.work == NULL)))
		return DP_ENOMEM;
	if (known && numbers != NULL && (e = dp_normtree_wake(p)) != 0)
		return e;
	if (numbers != NULL && use != DP_NORMTREE_CERTIFY)
		dp_numbers_same_bytes(numbers, "tables", p->held.memory, p->held.bytes);
	if (!known && numbers == NULL)
		dp_normtree_remember(p, k, privacy);
	return dp_numbers_error(numbers);
}

static int
create(struct dp_normtree **out, const struct dp_normtree_shape *shape,
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
	dp_normtree_set_key(&k, shape, rate);
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

	if ((e = create(out, shape, privacy, DP_NORMTREE_DRAW)) != 0)
		return e;
	if ((e = dp_normtree_wake(*out)) != 0) {
		dp_normtree_free(*out);
		return e;
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

	if ((e = create(out, shape, privacy, DP_NORMTREE_DRAW)) != 0)
		return e;
	if (alone && (*out)->awake && !(*out)->exact)
		dp_normtree_remember_tables(*out, shape, privacy->memo);
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

	if ((e = create(&p, shape, privacy, privacy->numbers == NULL ? DP_NORMTREE_CERTIFY :
	    DP_NORMTREE_HASH)) != 0)
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
