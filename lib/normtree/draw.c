/*
 * draw.c - exact draws from the tables: rejection, by integers alone (normtree.h, SAMPLING).
 */
#include "alias.h"
#include "draw.h"
#include "noise/digits.h"

#define TRIAL	16			/* bytes */
#define HALVES	20			/* bits that say how often the envelope halves */
#define ZEROS	11			/* bits that must be 0 where T is below a half */

/* Of one trial: 16 bytes. */
struct trial {
	uint64_t u;		/* T's first 64 bits: below them */
	uint32_t place;		/* in a block of the envelope */
	unsigned negative;
	unsigned zeros;
	uint32_t halves;
};

DP_INLINE struct trial
read_trial(const uint8_t *p)
{
	const uint64_t w = dp_load64(p + 8);

	return (struct trial){ dp_load64(p), (uint32_t)w, (unsigned)(w >> 32) & 1,
	    (unsigned)(w >> (33 + HALVES)), (uint32_t)(w >> 33) & ((1u << HALVES) - 1) };
}

/* The trial's j, if it is one. */
DP_INLINE uint64_t
place(const struct trial *t, const struct dp_normtree_row *r, uint64_t halves, bool *valid)
{
	const uint64_t p = (uint64_t)t->place * r->width;

	*valid = (uint32_t)p >= r->odd;		/* Lemire 2019 */
	return (p >> 32) + halves * r->width;
}

static int
bits(struct dp_rng *r, uint64_t *w)
{
	const uint8_t *p = dp_rng_take(r, 8);

	if (p == NULL)
		return r->error;
	*w = dp_load64(p);
	return 0;
}

/* n more bits, all of them 0 */
static int
more_zeros(struct dp_rng *r, uint64_t n, bool *zero)
{
	uint64_t w = 0;
	int e;

	for (; n > 0 && *zero; n -= n < 64 ? n : 64) {
		if ((e = bits(r, &w)) != 0)
			return e;
		*zero = (n >= 64 ? w : w << (64 - n)) == 0;
	}
	return 0;
}

/* True: U < T, T = m 2^(x - 64); below 1, or the envelope would be none. */
static int
below(const struct trial *t, real T, struct dp_rng *r, bool *yes)
{
	const uint64_t n = (uint64_t)-T.x;

	if (T.x > 0)
		return DP_ERANGE;
	*yes = t->u < T.m && (n >= ZEROS ? t->zeros : t->zeros & ((1u << n) - 1)) == 0;
	return n > ZEROS ? more_zeros(r, n - ZEROS, yes) : 0;
}

/* Number of times that the envelope halves: the zeros before the first one. */
static int
count_halves(const struct trial *t, struct dp_rng *r, uint64_t *n)
{
	uint64_t w = t->halves;
	int e;

	if (w != 0) {
		*n = (uint64_t)__builtin_ctzll(w);
		return 0;
	}
	for (*n = HALVES; ; *n += 64) {
		if (*n > DP_NORMTREE_FAR)
			return DP_ERANGE;
		if ((e = bits(r, &w)) != 0)
			return e;
		if (w != 0) {
			*n += (uint64_t)__builtin_ctzll(w);
			return 0;
		}
	}
}

/* A tail j >= first: the block of the envelope that it begins in, and what T is raised by. */
struct tail {
	uint64_t first, block;
	int64_t raise;
};

/* A trial with nothing assumed. */
static int
slowly(const struct dp_normtree_level *v, uint64_t P, const struct tail *tail,
    const struct trial *t, struct dp_rng *rng, uint64_t *j, bool *yes)
{
	struct dp_normtree_row r;
	uint64_t halves = 0;
	bool valid;
	real T;
	int e;

	if (P > DP_NORMTREE_FAR)
		return DP_ERANGE;
	r = dp_normtree_row_for(v, P);
	if ((e = count_halves(t, rng, &halves)) != 0)
		return e;
	halves += tail->block;
	*j = place(t, &r, halves, &valid);
	if (*j > DP_NORMTREE_FAR)
		return DP_ERANGE;
	*yes = false;
	if (*j < tail->first)
		return 0;
	T = dp_times(dp_normtree_weight(v, t->negative, P, *j), r.inverse);
	T.x += (int64_t)halves - tail->raise;
	if ((e = below(t, T, rng, yes)) != 0)
		return e;
	*yes = *yes && valid && !(t->negative && *j == 0 && P % 2 == 0);
	return 0;
}

/*
 * A trial where nothing is beyond a table and few bits decide: 1, 0, or -1 if they do not decide.
 */
DP_INLINE int
quickly(const struct dp_normtree_level *v, uint64_t P, const struct trial *t, uint64_t *j,
    const bool open)
{
	const struct dp_normtree_row *r = &v->row[P <= v->A ? P : 0];
	const uint64_t halves = (uint64_t)__builtin_ctzll(t->halves | (uint64_t)1 << HALVES);
	uint64_t half = P / 2, b, y, negative, cap = v->A - P;
	const uint64_t least = v->open || v->reach[0] < v->reach[1] ? v->reach[0] : v->reach[1];
	bool valid, yes;
	unsigned n;
	real T;

	*j = place(t, r, halves, &valid);
	if (DP_UNLIKELY(P > v->A || t->halves == 0 || P - half + *j > least))
		return -1;
	b = half - *j;
	negative = -(b >> 63);
	b = (b ^ negative) - negative;
	y = b & negative;
	if (open)
		T = dp_times(v->fall[y], r->inverse);
	else
		T = dp_times(dp_times(v->child[t->negative][P - half + *j],
		    v->child[!t->negative][b]), dp_times(v->fall[y < cap ? y : cap], r->inverse));
	n = (unsigned)-(T.x + (int64_t)halves);
	yes = (t->u < T.m) & ((t->zeros & ((1u << (n < ZEROS ? n : ZEROS)) - 1)) == 0);
	if (DP_UNLIKELY(n > ZEROS && yes))
		return -1;
	return yes & valid & !(t->negative & (unsigned)(*j == 0) & ~(unsigned)P);
}

/* Nodes whose split is still to be found. */
struct left {
	unsigned n;
	uint8_t node[DP_NORMTREE_SPLITS];
};

/*
 * A trial for each of the nodes that are left, on the records at p; what fails is left again.  No
 * trial waits for another.  Returns how many of the nodes had one: all, or those before the first
 * that is not quick.
 */
DP_INLINE unsigned
round_of(const struct dp_normtree_level *v, const uint8_t *at, const int64_t *P,
    int64_t *out, struct left *left, unsigned n, const bool open)
{
	struct trial t;
	uint64_t j;
	unsigned i, k = 0, node;
	int yes;

	for (i = 0; i < n; i++) {
		t = read_trial(at + TRIAL * i);
		node = left->node[i];
		yes = quickly(v, size_of(P[node]), &t, &j, open);
		if (DP_UNLIKELY(yes < 0))
			break;
		put(P[node], j, t.negative, out + 2 * node);
		left->node[k] = (uint8_t)node;
		k += (unsigned)!yes;
	}
	left->n = k;
	return i;
}

/* The trial at p, of this node. */
static int
one_slowly(const struct dp_normtree_level *v, struct dp_rng *rng, uint8_t *at, int64_t P,
    int64_t *out, bool *yes)
{
	static const struct tail none;
	struct trial t = read_trial(at);
	uint64_t j;
	int e;

	dp_rng_spend(rng, TRIAL);
	if ((e = slowly(v, size_of(P), &none, &t, rng, &j, yes)) == 0 && *yes)
		put(P, j, t.negative, out);
	dp_rng_wipe(rng);
	explicit_bzero(&t, sizeof t);
	return e;
}

/*
 * T is raised by the largest exponent that it has: t does not rise, so that is at the first place
 * or where a block begins, and no block's start is larger after one from which t is geometric.  The
 * first place may lie there already, within a block: the start of the next is looked at still.
 */
static void
set_tail(const struct dp_normtree_level *v, uint64_t P, struct tail *tail)
{
	struct dp_normtree_row r;
	uint64_t i, j;
	int64_t x;

	if (tail->first == 0)
		return;
	r = dp_normtree_row_for(v, P);
	tail->block = tail->first / r.width;
	tail->raise = INT64_MIN;
	for (i = tail->block, j = tail->first; ; j = ++i * r.width) {
		x = dp_times(dp_normtree_weight(v, 0, P, j), r.inverse).x + (int64_t)i;
		tail->raise = x > tail->raise ? x : tail->raise;
		if (j >= v->A + P / 2 && i > tail->block)
			return;
	}
}

/* A split that the row leaves open: of a tail, or of noise that has no row. */
__attribute__((noinline)) static int
by_rejection(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind, int64_t P,
    int64_t *out)
{
	const struct dp_normtree_level *v = &p->level[kind];
	const unsigned l = p->shape.kind[kind].level;
	struct tail tail = { .first = dp_normtree_alias_first(p->alias, l, size_of(P)) };
	struct trial t;
	const uint8_t *at;
	uint64_t j = 0;
	bool yes;
	int e;

	set_tail(v, size_of(P), &tail);
	do {
		if ((at = dp_rng_take(rng, TRIAL)) == NULL)
			return rng->error;
		t = read_trial(at);
		if ((e = slowly(v, size_of(P), &tail, &t, rng, &j, &yes)) != 0)
			return e;
	} while (!yes);
	put(P, j, t.negative, out);
	explicit_bzero(&t, sizeof t);
	explicit_bzero(&tail, sizeof tail);
	return 0;
}

static int
by_rows(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind, const int64_t *P,
    int64_t *out, unsigned n)
{
	const unsigned l = p->shape.kind[kind].level;
	unsigned i, k, m, left;
	int e;

	for (k = 0; k < n; k += m) {
		m = n - k < DP_NORMTREE_ALIAS_NODES ? n - k : DP_NORMTREE_ALIAS_NODES;
		if ((e = dp_normtree_alias_split(p->alias, rng, l, P + k, out + 2 * k, m,
		    &left)) != 0)
			return e;
		for (; left != 0; left &= left - 1) {
			i = k + (unsigned)__builtin_ctz(left);
			if ((e = by_rejection(p, rng, kind, P[i], out + 2 * i)) != 0)
				return e;
		}
	}
	dp_rng_wipe(rng);
	return 0;
}

/* All of them by rejection, side by side. */
__attribute__((noinline)) static int
by_rounds(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind, const int64_t *P,
    int64_t *out, unsigned n)
{
	const struct dp_normtree_level *v = &p->level[kind];
	struct left left = { .n = n };
	unsigned done, some, i;
	uint8_t *at;
	bool yes;
	int e;

	for (i = 0; i < n; i++)
		left.node[i] = (uint8_t)i;
	while (left.n > 0) {
		n = left.n;
		if ((some = (unsigned)dp_rng_span(rng, &at, TRIAL, n)) == 0)
			return rng->error;
		done = v->open ? round_of(v, at, P, out, &left, some, true) :
		    round_of(v, at, P, out, &left, some, false);
		dp_rng_spend(rng, TRIAL * (size_t)done);
		if (DP_UNLIKELY(done < some)) {
			i = left.node[done];
			if ((e = one_slowly(v, rng, at + TRIAL * (size_t)done, P[i], out + 2 * i,
			    &yes)) != 0)
				return e;
			left.node[left.n] = (uint8_t)i;
			left.n += !yes;
			done++;
		}
		memmove(left.node + left.n, left.node + done, n - done);
		left.n += n - done;
	}
	return 0;
}

int
dp_normtree_coarse_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	if (p->alias != NULL && p->shape.kind[kind].level <= dp_normtree_alias_levels(p->alias))
		return by_rows(p, rng, kind, P, out, n);
	return by_rounds(p, rng, kind, P, out, n);
}

int
dp_normtree_coarse_root(const struct dp_normtree *p, struct dp_rng *rng, int64_t *P)
{
	struct trial t;
	const uint8_t *at;
	uint64_t j, halves = 0;
	bool valid, yes;
	real T;
	int e;

	do {
		if ((at = dp_rng_take(rng, TRIAL)) == NULL)
			return rng->error;
		t = read_trial(at);
		if ((e = count_halves(&t, rng, &halves)) != 0)
			return e;
		j = place(&t, &p->start, halves, &valid);
		if (j > DP_NORMTREE_FAR)
			return DP_ERANGE;
		T = dp_times(dp_normtree_entry(p->root, p->A, p->beyond, j), p->start.inverse);
		T.x += (int64_t)halves;
		if ((e = below(&t, T, rng, &yes)) != 0)
			return e;
	} while (!yes || !valid || (j == 0 && t.negative));
	*P = t.negative ? -(int64_t)j : (int64_t)j;
	dp_rng_wipe(rng);
	return 0;
}
