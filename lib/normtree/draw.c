/* SPDX-License-Identifier: ISC */
/* draw.c - exact draws from the tables, and a tree's increments. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static real normtree_weight(const struct dp_normtree_level *, unsigned side, uint64_t P,
	    uint64_t j);
static struct dp_normtree_row row_for(const struct dp_normtree_level *, uint64_t P);

/*
 * Exact draws from the tables: rejection, by integers alone (normtree.h, SAMPLING).
 */

#define TRIAL	16			/* bytes */
#define HALVES	20			/* bits that say how often the envelope halves */
#define ZEROS	11			/* bits that must be 0 where T is below_draw a half */

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
below_draw(const struct trial *t, real T, struct dp_rng *r, bool *yes)
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
	r = row_for(v, P);
	if ((e = count_halves(t, rng, &halves)) != 0)
		return e;
	halves += tail->block;
	*j = place(t, &r, halves, &valid);
	if (*j > DP_NORMTREE_FAR)
		return DP_ERANGE;
	*yes = false;
	if (*j < tail->first)
		return 0;
	T = dp_times(normtree_weight(v, t->negative, P, *j), r.inverse);
	T.x += (int64_t)halves - tail->raise;
	if ((e = below_draw(t, T, rng, yes)) != 0)
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
round_of_draw(const struct dp_normtree_level *v, const uint8_t *at, const int64_t *P,
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
	r = row_for(v, P);
	tail->block = tail->first / r.width;
	tail->raise = INT64_MIN;
	for (i = tail->block, j = tail->first; ; j = ++i * r.width) {
		x = dp_times(normtree_weight(v, 0, P, j), r.inverse).x + (int64_t)i;
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
		done = v->open ? round_of_draw(v, at, P, out, &left, some, true) :
		    round_of_draw(v, at, P, out, &left, some, false);
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

/* dp_normtree_root() and _split(), in units of the tables. */
static int
coarse_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	if (p->alias != NULL && p->shape.kind[kind].level <= dp_normtree_alias_levels(p->alias))
		return by_rows(p, rng, kind, P, out, n);
	return by_rounds(p, rng, kind, P, out, n);
}

/* dp_normtree_root() and _split(), in units of the tables. */
static int
coarse_root(const struct dp_normtree *p, struct dp_rng *rng, int64_t *P)
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
		if ((e = below_draw(&t, T, rng, &yes)) != 0)
			return e;
	} while (!yes || !valid || (j == 0 && t.negative));
	*P = t.negative ? -(int64_t)j : (int64_t)j;
	dp_rng_wipe(rng);
	return 0;
}

/*
 * Weights of splits, and the envelope above them where no table has one: internal.h.
 */

#define HALF_WEIGHT	(real){ (uint64_t)31 << 59, -1 }	/* 1/2 - 2^-6 */

static real
power(real x, uint64_t n)
{
	real r = { (uint64_t)1 << 63, 1 };

	for (; n != 0; n >>= 1, x = dp_times(x, x))
		if (n & 1)
			r = dp_times(r, x);
	return r;
}

real
dp_normtree_entry(const real *table, unsigned A, real beyond, uint64_t v)
{
	return v <= A ? table[v] : dp_times(table[A], power(beyond, v - A));
}

static bool
less(real x, real y)
{
	return x.x < y.x || (x.x == y.x && x.m < y.m);
}

/* Of the split of P into P/2 + j, rounded up, for the child of that side, and the rest. */
static real
normtree_weight(const struct dp_normtree_level *v, unsigned side, uint64_t P, uint64_t j)
{
	const uint64_t half = P / 2, b = j > half ? j - half : half - j;
	const uint64_t cap = P < v->A ? v->A - P : 0;
	uint64_t y = j > half ? b : 0;

	if (v->open)
		return dp_normtree_entry(v->fall, v->A, v->fade, y);
	y = y < cap ? y : cap;
	return dp_times(dp_times(
	    dp_normtree_entry(v->child[side], v->reach[side], v->beyond[side], P - half + j),
	    dp_normtree_entry(v->child[!side], v->reach[!side], v->beyond[!side], b)), v->fall[y]);
}

/* Place of a side's largest weights: from P / 2 on both children's tables fall. */
static uint64_t
peak(const struct dp_normtree_level *v, unsigned side, uint64_t P)
{
	real here, top = normtree_weight(v, side, P, 0);
	uint64_t j, at = 0;

	for (j = 1; j <= P / 2 + 1 && v->child[0] != v->child[1]; j++) {
		here = normtree_weight(v, side, P, j);
		if (less(top, here)) {
			top = here;
			at = j;
		}
	}
	return at;
}

/* The first place after a peak where the weights are below `top`. */
static uint64_t
halved(const struct dp_normtree_level *v, unsigned side, uint64_t P,
    uint64_t from, real top)
{
	uint64_t lo = from, hi = from + 1, mid;

	while (!less(normtree_weight(v, side, P, hi), top)) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (less(normtree_weight(v, side, P, mid), top))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/*
 * The envelope for P > A, where the weights of either side are within a factor exp(2 b) of
 * log-concave ones, b = DP_NORMTREE_BENT.  A side that is down to (1/2 - 2^-6) of its largest by S
 * is so by more than a half for these, exp(4 b) being so near to 1, and halves again in every S
 * that follow; so all are below 2^-i exp(4 b) times the largest, and C is above that.
 */
static struct dp_normtree_row
row_beyond(const struct dp_normtree_level *v, uint64_t P)
{
	struct dp_normtree_row r;
	uint64_t at[2], S = 0, one;
	real top[2];
	double inverse;
	unsigned side;
	int x;

	for (side = 0; side < 2; side++) {
		at[side] = peak(v, side, P);
		top[side] = normtree_weight(v, side, P, at[side]);
	}
	for (side = 0; side < 2; side++) {
		one = halved(v, side, P, at[side], dp_times(top[side], HALF_WEIGHT));
		S = one > S ? one : S;
	}
	if (less(top[0], top[1]))
		top[0] = top[1];
	r.width = (uint32_t)S;
	r.odd = -r.width % r.width;
	/* 1 / C, C a little above the largest weight: any number that P decides */
	inverse = frexp((1 - 0x1p-6) / ldexp((double)top[0].m, -64), &x);
	r.inverse.m = (uint64_t)ldexp(inverse, 64);
	r.inverse.x = x - top[0].x;
	return r;
}

/* The envelope of P's splits: of its row, or found. */
static struct dp_normtree_row
row_for(const struct dp_normtree_level *v, uint64_t P)
{
	return P <= v->A ? v->row[P] : row_beyond(v, P);
}

/*
 * Draws on a grid finer than the tables' (normtree.h, SPLINES), and from scripts.
 */

#define N	DP_SPLINE_ORDER
#define SPLIT	(2 * N - 1)		/* uniforms of two residuals: the last is what P leaves */
#define IN_WORD	(64 / SPLIT)		/* a word has them all where D is not above 2^this; */
#define UNIFORM	4			/* else as many bytes have one each */
#define HALF	4			/* bytes of one half of U */

/* A residual is from its least on: its mean is this above that. */
DP_INLINE int64_t
middle(const struct dp_normtree *p)
{
	return N / 2 * (((int64_t)1 << p->fine) - 1);
}

/* A sum of uniforms from 0 .. D - 1, D <= 2^32: of those from number k to n - 1. */
DP_INLINE int64_t
sum(const struct dp_normtree *p, const uint8_t *at, unsigned k, unsigned n, const bool in_word)
{
	const uint64_t D = (uint64_t)1 << p->fine;
	uint64_t x = 0, w;

	if (in_word)
		for (w = dp_load64(at) >> (k * p->fine); k < n; k++, w >>= p->fine)
			x += w & (D - 1);
	else
		for (; k < n; k++)
			x += dp_load32(at + UNIFORM * k) >> (32 - p->fine);
	return (int64_t)x;
}

/* The residuals of two children. */
struct rest {
	int64_t xi, eta;
};

/* Every pair that sums to P - D Q for a whole Q, as the law has it; returns Q. */
DP_INLINE int64_t
propose(const struct dp_normtree *p, int64_t P, const uint8_t *at, struct rest *t,
    const bool in_word)
{
	const int64_t y = P + 2 * middle(p), D = (int64_t)1 << p->fine;
	int64_t xi = sum(p, at, 0, N, in_word), eta = sum(p, at, N, SPLIT, in_word);

	eta += (y - xi - eta) & (D - 1);
	*t = (struct rest){ xi - middle(p), eta - middle(p) };
	return (y - xi - eta) >> p->fine;
}

DP_INLINE real
own_fine(const struct dp_normtree_level *v, int64_t Q)
{
	const uint64_t size = (uint64_t)(Q < 0 ? -Q : Q);

	return DP_UNLIKELY(size > v->A) ? dp_normtree_entry(v->own, v->A, v->past, size) :
	    v->own[size];
}

/* The c of Q, and the largest of the 2N that P can be taken for. */
struct pair {
	real c, most;
};

DP_INLINE struct pair
look_up_fine(const struct dp_normtree *p, const struct dp_normtree_level *v, int64_t P, int64_t Q)
{
	const int64_t last = (P + 2 * middle(p)) >> p->fine, first = last - (2 * N - 1);

	return (struct pair){ own_fine(v, Q), own_fine(v, last < 0 ? last : first > 0 ? first :
	    0) };
}

/* U < c / most */
static bool
below_fine(const struct pair *f, uint64_t U)
{
	const int64_t s = f->most.x - f->c.x;

	if (s < 0 || s > 63)		/* not lower; and so much lower it is not: table.c */
		return s < 0;
	return (dp_uwide)U * f->most.m < (dp_uwide)f->c.m << (64 - s);
}

/*
 * By the upper half of U: with m that of most.m, U most.m is from half m 2^64 to less than
 * (half + 1)(m + 1) 2^64.  *open, once in 2^31 times: the lower half decides.  No branch: every
 * third trial fails.
 */
DP_INLINE bool
decide(const struct pair *f, uint64_t half, bool *open)
{
	const uint64_t s = (uint64_t)(f->most.x - f->c.x), m = f->most.m >> 32;
	const uint64_t limit = f->c.m >> (s & 63), least = half * m;
	const bool yes = (least <= limit) & (limit - least > half + m);

	*open = (s >= 64) | ((least <= limit) & !yes);
	return yes;
}

static int
decide_open(const struct pair *f, uint64_t half, struct dp_rng *rng, bool *yes)
{
	const uint8_t *at = dp_rng_take(rng, HALF);

	if (at == NULL)
		return rng->error;
	*yes = below_fine(f, half << 32 | dp_load32(at));
	return 0;
}

/* Nodes that are to be taken for a Q still. */
struct left_fine {
	unsigned n;
	uint8_t node[DP_NORMTREE_SPLITS];
};

/* Draw of each node. */
struct drawn {
	int64_t Q[DP_NORMTREE_SPLITS];
	struct rest of[DP_NORMTREE_SPLITS];
};

/*
 * A trial for each node that is left; no trial waits for another.  One that U's upper half leaves
 * open ends the round.
 */
DP_INLINE int
round_of_fine(const struct dp_normtree *p, const struct dp_normtree_level *v, struct dp_rng *rng,
    const int64_t *P, struct drawn *to, struct left_fine *left, const bool in_word)
{
	const size_t uniforms = in_word ? sizeof(uint64_t) : SPLIT * UNIFORM;
	const size_t record = uniforms + HALF;
	struct pair f = { 0 };
	uint64_t half = 0;
	unsigned i, k, some, node;
	uint8_t *at;
	bool yes = false, open = false;
	int e;

	if ((some = (unsigned)dp_rng_span(rng, &at, record, left->n)) == 0)
		return rng->error;
	for (i = k = 0; i < some && !open; i++, at += record) {
		node = left->node[i];
		to->Q[node] = propose(p, P[node], at, &to->of[node], in_word);
		f = look_up_fine(p, v, P[node], to->Q[node]);
		half = dp_load32(at + uniforms);
		yes = decide(&f, half, &open);
		left->node[k] = (uint8_t)node;
		k += open | !yes;
	}
	dp_rng_spend(rng, i * record);
	if (DP_UNLIKELY(open)) {
		if ((e = decide_open(&f, half, rng, &yes)) != 0)
			return e;
		k -= yes;
	}
	memmove(left->node + k, left->node + i, left->n - i);
	left->n -= i - k;
	return 0;
}

static int
fine_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	const struct dp_normtree_level *v = &p->level[kind];
	struct left_fine left = { .n = n };
	struct drawn to;
	unsigned i;
	int e = 0;

	memset(to.Q, 0, n * sizeof *to.Q);
	for (i = 0; i < n; i++)
		left.node[i] = (uint8_t)i;
	while (left.n > 0 && e == 0)
		e = p->fine <= IN_WORD ? round_of_fine(p, v, rng, P, &to, &left, true) :
		    round_of_fine(p, v, rng, P, &to, &left, false);
	dp_rng_wipe(rng);
	if (e == 0)
		e = coarse_split(p, rng, kind, to.Q, out, n);
	for (i = 0; i < n && e == 0; i++) {
		out[2 * i] = out[2 * i] * ((int64_t)1 << p->fine) + to.of[i].xi;
		out[2 * i + 1] = out[2 * i + 1] * ((int64_t)1 << p->fine) + to.of[i].eta;
	}
	explicit_bzero(&to, sizeof to);
	explicit_bzero(&left, sizeof left);
	return e;
}

/* A script tells (a - b) / 2, up, of each node, and a root's noise. */
static int
known_fine(struct dp_rng *rng, int64_t *z, size_t n)
{
	static const struct dp_noise any = { .kind = DP_NOISE_LAPLACE };

	return dp_noise_fill(&any, rng, z, n);
}

static int
split_known(struct dp_rng *rng, const int64_t *P, int64_t *out, unsigned n)
{
	int64_t z[DP_NORMTREE_SPLITS];
	unsigned i;
	int e;

	if ((e = known_fine(rng, z, n)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		out[2 * i] = P[i] - P[i] / 2 + z[i];
		out[2 * i + 1] = P[i] / 2 - z[i];
	}
	return 0;
}

int
dp_normtree_split(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	if (DP_UNLIKELY(rng->kind == DP_RNG_KNOWN))
		return split_known(rng, P, out, n);
	return p->fine == 0 ? coarse_split(p, rng, kind, P, out, n) :
	    fine_split(p, rng, kind, P, out, n);
}

int
dp_normtree_root(const struct dp_normtree *p, struct dp_rng *rng, int64_t *P)
{
	const uint8_t *at;
	int e;

	if (DP_UNLIKELY(!p->awake) && (e = dp_normtree_wake(p)) != 0)
		return e;
	if (DP_UNLIKELY(rng->kind == DP_RNG_KNOWN))
		return known_fine(rng, P, 1);
	if ((e = coarse_root(p, rng, P)) != 0 || p->fine == 0)
		return e;
	if ((at = dp_rng_take(rng, N * UNIFORM)) == NULL)
		return rng->error;
	*P = *P * ((int64_t)1 << p->fine) + sum(p, at, 0, N, p->fine <= IN_WORD) - middle(p);
	dp_rng_wipe(rng);
	return 0;
}

/*
 * Alias rows, looked up.
 */

struct dp_normtree_alias *
dp_normtree_alias_create(unsigned A)
{
	struct dp_normtree_alias *a;
	unsigned bits = 4;
	size_t rows, columns;

	while (3u << bits < A && 1u << bits < DP_NORMTREE_WIDEST)
		bits++;
	rows = (size_t)DP_NORMTREE_ALIAS_LEVELS << bits;
	columns = rows << bits;
	if ((a = calloc(1, sizeof *a + columns * (sizeof *a->column + sizeof *a->tie) + rows)) ==
	    NULL)
		return NULL;
	a->bits = a->work.bits = bits;
	a->width = 1u << bits;
	a->column = (void *)(a + 1);
	a->tie = a->column + columns;
	a->first = (void *)(a->tie + columns);
#ifdef __x86_64__
	a->lanes = __builtin_cpu_supports("avx2");
#endif
	return a;
}

void
dp_normtree_alias_free(struct dp_normtree_alias *a)
{
	free(a);
}

void
dp_normtree_alias_rest(struct dp_normtree_alias **a, unsigned A)
{
	struct dp_normtree_alias *fresh;

	if (*a == NULL || (*a)->levels == 0 || (fresh = dp_normtree_alias_create(A)) == NULL)
		return;
	free(*a);
	*a = fresh;
}

bool
dp_normtree_alias_soon(struct dp_normtree_alias *a, unsigned n)
{
	a->drawn += a->drawn < DP_NORMTREE_ALIAS_DRAWN ? n : 0;
	return a->drawn >= DP_NORMTREE_ALIAS_DRAWN && !a->on;
}

bool
dp_normtree_alias_at(struct dp_normtree_alias *a, uint64_t i, unsigned kind)
{
	const bool others = a->levels == 0 || a->kind != kind;

	a->node = (i >> DP_NORMTREE_ALIAS_LEVELS) + 1;
	a->on = i >= DP_NORMTREE_ALIAS_FROM || a->drawn >= DP_NORMTREE_ALIAS_DRAWN;
	a->on &= kind != DP_NORMTREE_STEP;
	if (a->on)
		a->kind = kind;
	return a->on && others;
}

/* Rows of step i are those that dp_normtree_alias_at() was last asked for: no call is needed. */
static bool
alias_has(const struct dp_normtree_alias *a, uint64_t i)
{
	return a->node == (i >> DP_NORMTREE_ALIAS_LEVELS) + 1;
}

unsigned
dp_normtree_alias_levels(const struct dp_normtree_alias *a)
{
	return a->on ? a->levels : 0;
}

unsigned
dp_normtree_alias_kind(const struct dp_normtree_alias *a)
{
	return a->on ? a->kind : DP_NORMTREE_STEP;
}

uint64_t
dp_normtree_alias_first(const struct dp_normtree_alias *a, unsigned l, uint64_t P)
{
	return P < a->width ? a->first[dp_normtree_alias_row(a, l, P)] : 0;
}

/* A node's look-up. */
struct look {
	size_t column;			/* among all */
	uint32_t u, entry, here;	/* first bits of the unit; the column's; its number */
	unsigned side;
};

DP_INLINE struct look
look_up_alias(const struct dp_normtree_alias *a, unsigned l, int64_t noise, uint32_t w)
{
	const unsigned b = 31 - a->bits;
	const uint64_t P = size_of(noise), inside = -(uint64_t)(P < a->width);
	struct look k;

	k.u = w & ((1u << b) - 1);
	k.here = w >> b & (a->width - 1);
	k.side = w >> 31;
	k.column = (dp_normtree_alias_row(a, l, P & inside) << a->bits) + k.here;
	k.entry = a->column[k.column];
	return k;
}

DP_INLINE uint32_t
outcome(const struct dp_normtree_alias *a, const struct look *k, bool here)
{
	const uint32_t other = k->entry & (a->width - 1);

	return other ^ ((other ^ k->here) & -(uint32_t)here);
}

/* A tie, a tail, or a noise without a row: more than the word decides. */
DP_INLINE unsigned
one(const struct dp_normtree_alias *a, unsigned l, int64_t P, uint32_t w, int64_t *out)
{
	const struct look k = look_up_alias(a, l, P, w);
	const uint32_t threshold = k.entry >> a->bits, j = outcome(a, &k, k.u < threshold);

	put(P, j, k.side, out);
	return (k.u == threshold) | (j == a->width - 1) | (size_of(P) >= a->width);
}

#ifdef __x86_64__
#include <immintrin.h>

#define LANES	8

/* one() for eight nodes, a bit each. */
__attribute__((target("avx2"), always_inline)) static inline unsigned
eight(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out)
{
	const __m256i *in = (const __m256i *)(const void *)P;
	const __m128i bits = _mm_cvtsi32_si128((int)a->bits);
	const __m128i rest = _mm_cvtsi32_si128(31 - (int)a->bits);
	const __m256i last = _mm256_set1_epi32((int)a->width - 1);
	const __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)words);
	__m256i p, size, big, u, here, entry, threshold, j, rare, half, x, y, swap, sign;
	__m256i *to = (__m256i *)(void *)out;

	p = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(_mm256_loadu_si256(in)),
	    _mm256_castsi256_ps(_mm256_loadu_si256(in + 1)), 0x88));
	p = _mm256_permute4x64_epi64(p, 0xd8);
	size = _mm256_abs_epi32(p);
	big = _mm256_cmpgt_epi32(size, last);
	u = _mm256_and_si256(w, _mm256_set1_epi32((int)((1u << (31 - a->bits)) - 1)));
	here = _mm256_and_si256(_mm256_srl_epi32(w, rest), last);
	x = _mm256_add_epi32(_mm256_andnot_si256(big, size),
	    _mm256_set1_epi32((int)dp_normtree_alias_row(a, l, 0)));
	entry = _mm256_i32gather_epi32((const int *)(const void *)a->column,
	    _mm256_add_epi32(_mm256_sll_epi32(x, bits), here), 4);
	threshold = _mm256_srl_epi32(entry, bits);
	j = _mm256_blendv_epi8(_mm256_and_si256(entry, last), here,
	    _mm256_cmpgt_epi32(threshold, u));
	rare = _mm256_or_si256(_mm256_or_si256(big, _mm256_cmpeq_epi32(threshold, u)),
	    _mm256_cmpeq_epi32(j, last));

	half = _mm256_srli_epi32(size, 1);
	x = _mm256_add_epi32(_mm256_sub_epi32(size, half), j);
	y = _mm256_sub_epi32(half, j);
	swap = _mm256_and_si256(_mm256_xor_si256(x, y), _mm256_srai_epi32(w, 31));
	sign = _mm256_srai_epi32(p, 31);
	x = _mm256_sub_epi32(_mm256_xor_si256(_mm256_xor_si256(x, swap), sign), sign);
	y = _mm256_sub_epi32(_mm256_xor_si256(_mm256_xor_si256(y, swap), sign), sign);
	u = _mm256_unpacklo_epi32(x, y);
	x = _mm256_unpackhi_epi32(x, y);
	_mm256_storeu_si256(to, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(u)));
	_mm256_storeu_si256(to + 1, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(x)));
	_mm256_storeu_si256(to + 2, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(u, 1)));
	_mm256_storeu_si256(to + 3, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x, 1)));
	return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(rare));
}

__attribute__((target("avx2"))) static unsigned
eights(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out, unsigned n)
{
	unsigned rare = 0, i;

	for (i = 0; i < n; i += LANES)
		rare |= eight(a, l, P + i, words + 4 * i, out + 2 * i) << i;
	return rare;
}
#endif

/* one() for n nodes, a bit each. */
DP_INLINE unsigned
all_alias(const struct dp_normtree_alias *a, unsigned l, const int64_t *P, const uint8_t *words,
    int64_t *out, unsigned n)
{
	unsigned rare = 0, i = 0;

#ifdef __x86_64__
	if (a->lanes && n >= LANES) {
		i = n / LANES * LANES;
		rare = eights(a, l, P, words, out, i);
	}
#endif
	for (; i < n; i++)
		rare |= one(a, l, P[i], dp_load32(words + 4 * i), out + 2 * i) << i;
	return rare;
}

/* A node that more decides; *left: rejection does. */
static int
again(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l, int64_t P, uint32_t w,
    int64_t *out, bool *left)
{
	struct look k = look_up_alias(a, l, P, w);
	bool here = k.u < k.entry >> a->bits;
	const uint8_t *at;
	uint32_t j;

	*left = true;
	if (size_of(P) >= a->width)
		return 0;
	if (k.u == k.entry >> a->bits) {
		if ((at = dp_rng_take(rng, 4)) == NULL)
			return rng->error;
		here = dp_load32(at) < a->tie[k.column];
	}
	j = outcome(a, &k, here);
	put(P, j, k.side, out);
	*left = j == a->width - 1;
	explicit_bzero(&k, sizeof k);
	return 0;
}

/* Of n nodes, whose words are at `at`, those whose bits are set. */
__attribute__((noinline)) static int
look_again(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l, const int64_t *P,
    int64_t *out, const uint8_t *at, unsigned n, unsigned rare, unsigned *left)
{
	uint8_t words[4 * DP_NORMTREE_ALIAS_NODES];
	unsigned i;
	bool open;
	int e = 0;

	memcpy(words, at, 4 * (size_t)n);
	for (; rare != 0 && e == 0; rare &= rare - 1) {
		i = (unsigned)__builtin_ctz(rare);
		e = again(a, rng, l, P[i], dp_load32(words + 4 * i), out + 2 * i, &open);
		*left |= (unsigned)open << i;
	}
	explicit_bzero(words, sizeof words);
	return e;
}

int
dp_normtree_alias_split(const struct dp_normtree_alias *a, struct dp_rng *rng, unsigned l,
    const int64_t *P, int64_t *out, unsigned n, unsigned *left)
{
	const uint8_t *at;
	unsigned rare;

	if ((at = dp_rng_take(rng, 4 * (size_t)n)) == NULL)
		return rng->error;
	*left = 0;
	if (DP_LIKELY((rare = all_alias(a, l, P, at, out, n)) == 0))
		return 0;
	return look_again(a, rng, l, P, out, at, n, rare, left);
}

void
dp_normtree_alias_plain(struct dp_normtree_alias *a)
{
	a->lanes = false;
}

unsigned
dp_normtree_alias_width(const struct dp_normtree_alias *a)
{
	return a->width;
}

uint64_t
dp_normtree_alias_column(const struct dp_normtree_alias *a, unsigned l, unsigned P, unsigned c,
    unsigned *other)
{
	const size_t i = (dp_normtree_alias_row(a, l, P) << a->bits) + c;

	*other = a->column[i] & (a->width - 1);
	return (uint64_t)(a->column[i] >> a->bits) << 32 | a->tie[i];
}

/*
 * Alias rows, made: the weights of outcomes.
 */

#define GUARD	32			/* bits of W below those of t(0) */

/* m 2^(x - 64) in W's units, 2^(95 - top) a whole one. */
static dp_uwide
fixed(dp_uwide m, int64_t x, int64_t top)
{
	const int64_t s = top + 1 - x;

	return s >= 128 ? 0 : m << GUARD >> s;
}

/* t(j), j <= A + P / 2 */
static real
weight_make(const struct dp_normtree_alias *a, const struct dp_normtree_level *v,
    unsigned P, unsigned j)
{
	const unsigned half = P / 2, cap = P < v->A ? v->A - P : 0;
	const unsigned b = j > half ? j - half : half - j;
	const unsigned y = j > half ? b : 0;

	return v->open ? v->fall[y] : dp_times(dp_times(a->child[P - half + j], a->child[b]),
	    v->fall[y < cap ? y : cap]);
}

/* W(j) and all after it, from where each is the same part of that before. */
static dp_uwide
geometric(const struct dp_normtree_level *v, real t, int64_t top)
{
	const real fall = v->open ? v->fade : dp_times(v->beyond[0], v->beyond[0]);
	const uint64_t rest = ~(fall.x < -63 ? 0 : fall.m >> -fall.x);	/* (1 - fall) 2^64 */

	return fixed(((dp_uwide)t.m << 63) / rest * 2, t.x, top);
}

/* W(0) .. W(n - 1), and the sum of all W. */
static dp_uwide
weigh(struct dp_normtree_alias *a, const struct dp_normtree_level *v, unsigned P)
{
	const unsigned end = v->A + P / 2;
	int64_t top = 0;
	dp_uwide sum, w;
	unsigned j;
	real t;

	memset(a->weight, 0, sizeof a->weight);
	for (sum = 0, j = 0; j < end; j++, sum += w) {
		t = weight_make(a, v, P, j);
		top = j == 0 ? t.x : top;
		w = fixed(t.m, t.x, top) >> (j == 0 && P % 2 == 0);
		if (j < a->width)
			a->weight[j] = w;
	}
	return sum + geometric(v, weight_make(a, v, P, end), top);
}

static void
extend(struct dp_normtree_alias *a, const struct dp_normtree_level *v)
{
	unsigned i;

	for (i = 0; i <= v->A + a->width && !v->open; i++)
		a->child[i] = i <= v->reach[0] ? v->child[0][i] :
		    dp_times(a->child[i - 1], v->beyond[0]);
}

void
dp_normtree_alias_make(struct dp_normtree_alias *a, const struct dp_normtree_level *const level[],
    unsigned n)
{
	unsigned l, P;
	dp_uwide sum;
	size_t row;

	a->levels = n;
	for (l = 1; l <= a->levels; l++) {
		extend(a, level[l - 1]);
		for (P = 0; P < a->width; P++) {
			row = dp_normtree_alias_row(a, l, P);
			sum = weigh(a, level[l - 1], P);
			a->first[row] = (uint8_t)dp_alias_units(&a->work, a->weight, sum);
			dp_alias_columns(&a->work, a->column + (row << a->bits),
			    a->tie + (row << a->bits));
		}
	}
}

/*
 * The increments of a tree, in blocks.
 *
 * A column keeps, for each level, the noise of the node whose turn is next there: the second child
 * of the one that was split.  A block is the steps of one node of level DP_NORMTREE_BLOCK or less.
 */

unsigned
dp_normtree_bottom(const struct dp_normtree *p)
{
	return p->h < DP_NORMTREE_BLOCK ? p->h : DP_NORMTREE_BLOCK;
}

/* The kind of a node's left or right child; of what stands for a higher one, itself on the left. */
static unsigned
child_of_gen(const struct dp_normtree_shape *s, unsigned kind, unsigned level, unsigned side)
{
	return s->kind[kind].level < level ? kind : s->kind[kind].child[side];
}

/* n nodes of a kind, to their children; what stands for a higher one is its left child. */
static int
split_late(const struct dp_normtree *p, struct dp_rng *rng, unsigned level, unsigned kind,
    const int64_t *P, int64_t *child, unsigned n)
{
	unsigned k;

	if (p->shape.kind[kind].level >= level)
		return dp_normtree_split(p, rng, kind, P, child, n);
	for (k = 0; k < n; k++) {
		child[2 * k] = P[k];
		child[2 * k + 1] = 0;
	}
	return 0;
}

/* n nodes of a level, side by side: those of a kind at a time. */
static int
split_gen(const struct dp_normtree *p, struct dp_rng *rng, unsigned level, const uint16_t *kind,
    const int64_t *P, int64_t *out, unsigned n)
{
	unsigned i, k;
	int e;

	for (i = 0; i < n; i += k) {
		for (k = 1; i + k < n && kind[i + k] == kind[i]; k++)
			;
		if (p->shape.kind[kind[i]].level < level) {	/* what is to the right is unused */
			out[2 * i] = P[i];
			out[2 * i + 1] = 0;
			k = 1;
		} else if ((e = dp_normtree_split(p, rng, kind[i], P + i, out + 2 * i, k)) != 0)
			return e;
	}
	return 0;
}

/*
 * Rows for the steps of a node of the highest level that has them, or of the whole tree, if all
 * below it is a chain.
 */
static void
use_rows(const struct dp_normtree *p, uint64_t i, unsigned kind)
{
	const struct dp_normtree_level *level[DP_NORMTREE_ALIAS_LEVELS];
	const struct dp_normtree_kind *k = p->shape.kind;
	const unsigned n = k[kind].level;
	unsigned l, at = kind;

	for (l = n; l > 0 && k[at].level == l && k[at].child[0] == k[at].child[1]; l--) {
		level[l - 1] = &p->level[at];
		at = k[at].child[0];
	}
	if (dp_normtree_alias_at(p->alias, i, l == 0 ? kind : DP_NORMTREE_STEP))
		dp_normtree_alias_make(p->alias, level, n);
}

/* What the i-th of columns waits with. */
static int64_t *
waiting(int64_t *wait, size_t stride, unsigned i)
{
	return (void *)((char *)wait + i * stride);
}

/* Any number of nodes of a kind. */
static int
split_all(const struct dp_normtree *p, struct dp_rng *rng, unsigned kind, const int64_t *P,
    int64_t *out, unsigned n)
{
	unsigned i, k;
	int e = 0;

	for (i = 0; i < n && e == 0; i += k) {
		k = n - i < DP_NORMTREE_SPLITS ? n - i : DP_NORMTREE_SPLITS;
		e = dp_normtree_split(p, rng, kind, P + i, out + 2 * i, k);
	}
	return e;
}

/* The noise of the block's node in each of n columns, and its kind. */
static int
enter_gen(const struct dp_normtree *p, int64_t *wait, size_t stride, unsigned n,
    struct dp_rng *rng, uint64_t i, int64_t *P, uint16_t *kind)
{
	const unsigned low = dp_normtree_bottom(p);
	const uint64_t here = (i >> low) & (((uint64_t)1 << (p->h - low)) - 1);
	const unsigned from = here == 0 ? p->h : low + (unsigned)__builtin_ctzll(here);
	int64_t child[2 * DP_NORMTREE_COLUMNS];
	unsigned l, k;
	int e;

	if (p->alias != NULL && (!alias_has(p->alias, i) ||
	    (dp_rng_unordered(rng) && dp_normtree_alias_soon(p->alias, n << low)))) {
		*kind = (uint16_t)(p->shape.kinds - 1);
		for (l = p->h; l > DP_NORMTREE_ALIAS_LEVELS; l--)
			*kind = (uint16_t)child_of_gen(&p->shape, *kind, l, here >>
			    (l - 1 - low) & 1);
		use_rows(p, i, *kind);
	}
	*kind = (uint16_t)(p->shape.kinds - 1);
	l = p->h;
	if (from < DP_NORMTREE_ALIAS_LEVELS && p->h > DP_NORMTREE_ALIAS_LEVELS &&
	    p->alias != NULL && dp_normtree_alias_kind(p->alias) != DP_NORMTREE_STEP) {
		*kind = (uint16_t)dp_normtree_alias_kind(p->alias);
		l = DP_NORMTREE_ALIAS_LEVELS;
	}
	for (; l > from; l--)
		*kind = (uint16_t)child_of_gen(&p->shape, *kind, l, here >> (l - 1 - low) & 1);
	for (k = 0; k < n; k++)
		if (here != 0)
			P[k] = waiting(wait, stride, k)[l];
		else if ((e = dp_normtree_root(p, rng, &P[k])) != 0)
			return e;
	for (; l > low; l--) {
		if ((e = split_late(p, rng, l, *kind, P, child, n)) != 0)
			return e;
		for (k = 0; k < n; k++) {
			P[k] = child[2 * k];
			waiting(wait, stride, k)[l - 1] = child[2 * k + 1];
		}
		*kind = (uint16_t)child_of_gen(&p->shape, *kind, l, 0);
	}
	return 0;
}

int
dp_normtree_fills(const struct dp_normtree *p, int64_t *wait, size_t stride, unsigned columns,
    struct dp_rng *rng, uint64_t i, int64_t *w)
{
	uint16_t kind[DP_FILL];
	int64_t half[DP_NORMTREE_COLUMNS * DP_FILL / 2];
	const struct dp_normtree_kind *g;
	unsigned l = dp_normtree_bottom(p), n = 1, k;
	int e;

	if (p->exact) {
		memset(w, 0, ((size_t)columns << l) * sizeof *w);
		return 0;
	}
	if (DP_UNLIKELY(!p->awake) && (e = dp_normtree_wake(p)) != 0)
		return e;
	if ((e = enter_gen(p, wait, stride, columns, rng, i, w, kind)) != 0)
		return e;
	/* a chain */
	for (; l > 0; l--, n *= 2) {
		g = &p->shape.kind[kind[0]];
		if (g->level < l || g->child[0] != g->child[1])
			break;
		memcpy(half, w, columns * n * sizeof *w);
		if ((e = split_all(p, rng, kind[0], half, w, columns * n)) != 0)
			return e;
		kind[0] = g->child[0];
	}
	for (k = 1; l > 0 && k < n; k++)
		kind[k] = kind[0];
	for (; l > 0; l--, n *= 2) {
		memcpy(half, w, columns * n * sizeof *w);
		for (k = 0; k < columns; k++)
			if ((e = split_gen(p, rng, l, kind, half + k * n, w + 2 * k * n, n)) != 0)
				return e;
		for (k = 2 * n; l > 1 && k-- > 0; )
			kind[k] = (uint16_t)child_of_gen(&p->shape, kind[k / 2], l, k & 1);
	}
	return p->unit == 1 ? 0 : dp_coarse_widen(p->unit, rng, w, columns * n);
}

int
dp_normtree_fill(const struct dp_normtree *p, int64_t *wait, struct dp_rng *rng, uint64_t i,
    int64_t *w)
{
	return dp_normtree_fills(p, wait, 0, 1, rng, i, w);
}

/* No draw is farther out (draw.c, draw.c), and no sum of two steps' worth of them can overflow. */
bool
dp_normtree_valid(const struct dp_normtree *p, const int64_t *wait)
{
	const int64_t D = (int64_t)1 << p->fine, far = 2 * DP_NORMTREE_FAR * D + 2 * (D - 1);
	unsigned l;

	for (l = 0; l < p->h; l++)
		if (wait[l] > far || wait[l] < -far)
			return false;
	return true;
}

/* A tree's noise from some step on, one step at a time (normtree.h). */

#define FINEST	8		/* then no node is beyond 2^30 (draw.c) */

/* The level of the largest node that step i + 1 is the first of. */
static unsigned
top(const struct dp_normtree *p, uint64_t i)
{
	return i == 0 ? p->h : (unsigned)__builtin_ctzll(i);
}

int
dp_normtree_late(const struct dp_normtree *p, int32_t *wait, struct dp_rng *rng, uint64_t i,
    int64_t *before)
{
	unsigned l, kind = p->shape.kinds - 1, side;
	int64_t P, child[2];
	int e;

	if (p->unit != 1 || p->fine > FINEST)
		return DP_EINVAL;
	*before = 0;
	if (i == 0 || p->exact)
		return 0;
	if ((e = dp_normtree_root(p, rng, &P)) != 0)
		return e;
	for (l = p->h; l > top(p, i); l--) {
		if ((e = split_late(p, rng, l, kind, &P, child, 1)) != 0)
			return e;
		side = i >> (l - 1) & 1;
		if (side == 0)
			wait[l - 1] = (int32_t)child[1];
		else
			*before += child[0];
		P = child[side];
		kind = child_of_gen(&p->shape, kind, l, side);
	}
	wait[l] = (int32_t)P;
	return 0;
}

bool
dp_normtree_late_valid(const struct dp_normtree *p, const int32_t *wait)
{
	int64_t wide[DP_NORMTREE_LEVELS];
	unsigned l;

	for (l = 0; l < p->h; l++)
		wide[l] = wait[l];
	return dp_normtree_valid(p, wide);
}

int
dp_normtree_late_steps(const struct dp_normtree *p, int32_t *const *wait, struct dp_rng *rng,
    uint64_t i, unsigned n, int64_t *w)
{
	int64_t child[2 * DP_NORMTREE_SPLITS];
	unsigned l, kind = p->shape.kinds - 1, k;
	int e;

	memset(w, 0, n * sizeof *w);
	if (p->exact)
		return 0;
	if (DP_UNLIKELY(!p->awake) && (e = dp_normtree_wake(p)) != 0)
		return e;
	for (l = p->h; l > top(p, i); l--)
		kind = child_of_gen(&p->shape, kind, l, i >> (l - 1) & 1);
	for (k = 0; k < n; k++)
		if (i != 0)
			w[k] = wait[k][l];
		else if ((e = dp_normtree_root(p, rng, &w[k])) != 0)
			return e;
	for (; l > 0; l--) {
		if ((e = split_late(p, rng, l, kind, w, child, n)) != 0)
			return e;
		for (k = 0; k < n; k++) {
			w[k] = child[2 * k];
			wait[k][l - 1] = (int32_t)child[2 * k + 1];
		}
		kind = child_of_gen(&p->shape, kind, l, 0);
	}
	return 0;
}
