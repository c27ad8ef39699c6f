/*
 * polysum_parts.c - bounds of the variance in small integers, BLOCK steps at a time: a part after
 * the other is added, until they cannot come to what is asked for.
 *
 * A part is a table of one or more buckets after their first blocks (before, they have less), or
 * one bucket whose terms are made of its position's bits.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "polysum.h"

#define LOG2_BLOCK	DP_POLYSUM_LOG2_BLOCK
#define BLOCK	DP_POLYSUM_BLOCK
#define PERIOD	16384		/* of a table of several buckets */
#define LONG	32768		/* of any table */
#define WORDS	(1u << 19)	/* of all tables, BLOCK more each */
#define WHOLE	16000		/* units: more than all parts have; their bounds, twice that */
#define FINE	0.5		/* units: a bucket that changes by less is taken at its most */
#define EVERY	8		/* parts between looks at whether a block is out */
#define SHIFT	8		/* of terms in low[] */
#define SPLITS	17		/* tables of low[] for a full window; and one for the first block */

struct part {
	const struct dp_bucket *b;	/* of bits; NULL: a table */
	uint16_t *table;		/* of steps t = 0 .., modulo the period, and BLOCK more */
	uint64_t period;
	uint16_t factor;		/* units a term, times 2^SHIFT, rounded up */
	unsigned most;			/* it has no more */
};

struct dp_buckets_parts {
	const struct dp_bucket *b;
	unsigned n, parts;
	const double *c;	/* n */
	double units;		/* a variance of 1 */
	double base;		/* what all steps have at least, or at most, besides the parts */
	struct part part[DP_POLYSUM_MAX];
	unsigned rest[DP_POLYSUM_MAX + 1];	/* the most that parts i and later have */
	/*
	 * The terms of a position h + y that y < BLOCK decides, SPLITS / 2 more, times 2^SHIFT:
	 * popcount(y) + min(popcount(y), i + popcount(BLOCK - y)), [i + SPLITS / 2]; y = 0: none.
	 * The last, of the first block: popcount(y) alone.
	 */
	uint16_t low[SPLITS + 1][BLOCK];
};

/* By how much bucket k's variance changes. */
static double
range(const struct dp_buckets_parts *s, unsigned k)
{
	return s->c[k] * (dp_wsum_most(&s->b[k].sum) - 1);
}

static void
set_low(struct dp_buckets_parts *s)
{
	int own, more, i;
	unsigned y;

	for (y = 0; y < BLOCK; y++) {
		own = __builtin_popcount(y);
		for (i = 0; i < SPLITS; i++) {
			more = i - SPLITS / 2 + __builtin_popcount(BLOCK - y);
			more = own < more || y == 0 ? own : more;
			s->low[i][y] = (uint16_t)((own + more + SPLITS / 2) << SHIFT);
		}
		s->low[SPLITS][y] = (uint16_t)(own << SHIFT);
	}
}

#define ABREAST	4

/* v[i] += what low[] says, but for less than a unit, and more. */
static inline void
low(uint16_t *restrict v, const uint16_t *restrict x, uint16_t factor, uint16_t more, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		v[i] = (uint16_t)(v[i] + more + (uint16_t)((uint32_t)x[i] * factor >> 16));
}

static inline void
tables(uint16_t *restrict v, const uint16_t *const p[static ABREAST])
{
	const uint16_t *a = p[0], *b = p[1], *c = p[2], *d = p[3];
	unsigned i;

	for (i = 0; i < BLOCK; i++)
		v[i] = (uint16_t)(v[i] + a[i] + b[i] + c[i] + d[i]);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
low_avx2(uint16_t *restrict v, const uint16_t *restrict x, uint16_t factor, uint16_t more,
    unsigned n)
{
	low(v, x, factor, more, n);
}

__attribute__((target("avx2"))) static void
tables_avx2(uint16_t *restrict v, const uint16_t *const p[static ABREAST])
{
	tables(v, p);
}
#endif

static void
add_low(uint16_t *v, const uint16_t *x, uint16_t factor, uint16_t more, unsigned n)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		low_avx2(v, x, factor, more, n);
		return;
	}
#endif
	low(v, x, factor, more, n);
}

static void
add_tables(uint16_t *v, const uint16_t *const p[static ABREAST])
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		tables_avx2(v, p);
		return;
	}
#endif
	tables(v, p);
}

static unsigned
peak(const uint16_t *v)
{
	int16_t max = 0;
	unsigned i;

	for (i = 0; i < BLOCK; i++)	/* all are below 2^15 */
		max = (int16_t)v[i] > max ? (int16_t)v[i] : max;
	return (unsigned)max;
}

/* x terms, at least; a negative x takes from what is added besides. */
static uint16_t
terms(const struct part *p, int x)
{
	return (uint16_t)(1 - (-x * (int)p->factor >> SHIFT));
}

/*
 * v[i] += what positions j .. of a bucket's block of W have, j < W; returns how many: those with
 * the same multiple h of 2^m below them, W not being among the 2^m from there on.  What [j,W) takes
 * is what [j,h + 2^m) and [h + 2^m,W) do, and BLOCK - y has LOG2_BLOCK - m bits more than 2^m - y,
 * y = j - h; y = 0 has no more than the paper's cover.
 */
static unsigned
add_run(const struct dp_buckets_parts *s, uint16_t *v, const struct part *p, uint64_t j, bool first,
    unsigned room)
{
	const struct dp_wsum *w = &p->b->sum;
	const unsigned d = 63 - (unsigned)__builtin_clzll(j ^ w->w);
	const unsigned m = d < LOG2_BLOCK ? d : LOG2_BLOCK, y = (unsigned)(j & ((1u << m) - 1));
	const uint64_t h = j - y, end = h + ((uint64_t)1 << m), c = w->w >> d << d;
	const int high = __builtin_popcountll(h), half = SPLITS / 2;
	const unsigned n = (unsigned)(end - j) < room ? (unsigned)(end - j) : room;
	int split = half, more = 0;

	if (first) {
		add_low(v, &s->low[SPLITS][y], p->factor, terms(p, high), n);
		return n;
	}
	if (!w->paper)
		split = __builtin_popcountll(c - end) + __builtin_popcountll(w->w - c) - 1 - high -
		    (LOG2_BLOCK - (int)m);
	if (split < -half) {
		more = split + half;
		split = -half;
	}
	split = split < half ? split : half;
	add_low(v, &s->low[split + half][y], p->factor, terms(p, 2 * high + 1 + more - half), n);
	if (y == 0 && more < 0)
		v[0] = (uint16_t)(v[0] + terms(p, -more));
	return n;
}

static void
add_bits(const struct dp_buckets_parts *s, uint16_t *v, const struct part *p, uint64_t t)
{
	const struct dp_bucket *b = p->b;
	uint64_t n, j;
	unsigned i = t > b->lo ? 0 : b->lo + 1 - t < BLOCK ? (unsigned)(b->lo + 1 - t) : BLOCK;

	while (i < BLOCK) {
		n = t + i - b->lo;
		j = (n - 1) % b->sum.w + 1;
		if (j == b->sum.w) {
			v[i] = (uint16_t)(v[i] + terms(p, 1));
			i++;
		} else
			i += add_run(s, v + i, p, j, n <= b->sum.w, BLOCK - i);
	}
}

/* A table of the buckets that are of[k] = i, from k on. */
static int
make_table(struct dp_buckets_parts *s, struct part *p, const unsigned *of, unsigned i, unsigned k)
{
	double *sum = calloc(p->period, sizeof *sum);
	uint64_t x;

	p->table = malloc((p->period + BLOCK) * sizeof *p->table);
	if (sum == NULL || p->table == NULL) {
		free(sum);
		return DP_ENOMEM;
	}
	for (; k < s->n; k++)
		if (of[k] == i)
			dp_buckets_gather(sum, p->period, &s->b[k], s->c[k]);
	for (x = 0; x < p->period + BLOCK; x++) {
		p->table[x] = (uint16_t)ceil(sum[x % p->period] * s->units * (1 + 1e-12));
		p->most = p->table[x] > p->most ? p->table[x] : p->most;
	}
	free(sum);
	return 0;
}

/*
 * Each bucket's part: one whose period, with it, is short enough; or a new one.  One that hardly
 * changes has none: n.
 */
static void
assign(struct dp_buckets_parts *s, unsigned *of)
{
	const struct dp_bucket *b;
	uint64_t both = 0, words = 0;
	struct part *p;
	unsigned k, i;

	for (k = 0; k < s->n; k++) {
		of[k] = s->n;
		b = &s->b[k];
		if (range(s, k) * s->units < FINE) {
			s->base += range(s, k) + s->c[k];
			continue;
		}
		for (i = 0; i < s->parts; i++)
			if (s->part[i].b == NULL && b->sum.w <= PERIOD &&
			    (both = dp_buckets_period(s->part[i].period, b->sum.w)) <= PERIOD)
				break;
		p = &s->part[of[k] = i];
		if (i < s->parts) {
			words += both - p->period;
			p->period = both;
			s->base += s->c[k];
			continue;
		}
		s->parts++;
		*p = (struct part){ .period = b->sum.w };
		if (b->sum.w > LONG || words + b->sum.w > WORDS)
			p->b = b;
		else {
			words += b->sum.w;
			s->base += s->c[k];
		}
	}
}

static int
by_most(const void *a, const void *b)
{
	const struct part *p = a, *q = b;

	return (p->most < q->most) - (p->most > q->most);
}

/*
 * In which units bounds are.  of: the buckets' parts, if they are known: those that are not in
 * tables have more than their range, and no term of theirs is over 2^(16 - SHIFT) units.
 */
static void
choose_units(struct dp_buckets_parts *s, const unsigned *of)
{
	double sum = 0, one = 0;
	unsigned k;

	for (k = 0; k < s->n; k++) {
		sum += range(s, k);
		if (of == NULL || of[k] == s->n || s->part[of[k]].b == NULL)
			continue;
		sum += 2 * s->c[k];
		one = fmax(one, s->c[k]);
	}
	s->units = sum == 0 ? 1 : (WHOLE - 4. * s->n) / sum;
	if (one * s->units > (1 << (16 - SHIFT)) - 2)
		s->units = ((1 << (16 - SHIFT)) - 2) / one;
}

static int
set_parts(struct dp_buckets_parts *s)
{
	unsigned of[DP_POLYSUM_MAX], k, i;
	struct part *p;
	int e = 0;

	choose_units(s, NULL);
	assign(s, of);
	choose_units(s, of);
	for (k = 0; k < s->n && e == 0; k++) {
		if (of[k] == s->n)
			continue;
		p = &s->part[i = of[k]];
		if (p->b != NULL) {
			p->factor = (uint16_t)ceil(s->c[k] * s->units * (1 << SHIFT));
			p->most = terms(p, (int)dp_wsum_most(&p->b->sum) + 1) + 2;
		} else if (p->table == NULL)
			e = make_table(s, p, of, i, k);
	}
	qsort(s->part, s->parts, sizeof *s->part, by_most);
	for (s->rest[s->parts] = 0, i = s->parts; i-- > 0; )
		s->rest[i] = s->rest[i + 1] + s->part[i].most;
	return e;
}

void
dp_buckets_parts_free(struct dp_buckets_parts *s)
{
	unsigned i;

	if (s == NULL)
		return;
	for (i = 0; i < s->parts; i++)
		free(s->part[i].table);
	free(s);
}

struct dp_buckets_parts *
dp_buckets_parts_create(const struct dp_bucket *b, unsigned n, const double *c)
{
	struct dp_buckets_parts *s = malloc(sizeof *s);

	if (s == NULL)
		return NULL;
	*s = (struct dp_buckets_parts){ .b = b, .n = n, .c = c };
	set_low(s);
	if (set_parts(s) == 0)
		return s;
	dp_buckets_parts_free(s);
	return NULL;
}

static void
add_parts(const struct dp_buckets_parts *s, uint16_t *v, const struct part *p, unsigned n,
    uint64_t t)
{
	static const uint16_t none[BLOCK];
	const uint16_t *table[ABREAST];
	unsigned tables = 0;

	for (; n-- > 0; p++) {
		if (p->b != NULL)
			add_bits(s, v, p, t);
		else
			table[tables++] = &p->table[t % p->period];
		if (tables == ABREAST || (n == 0 && tables > 0)) {
			while (tables < ABREAST)
				table[tables++] = none;
			add_tables(v, table);
			tables = 0;
		}
	}
}

unsigned
dp_buckets_parts_at(const struct dp_buckets_parts *s, uint64_t t, double least, uint16_t *v)
{
	const double left = (least - s->base) * s->units - 1e-3;
	const unsigned enough = left > 0 ? (unsigned)left : 0;
	unsigned k, n;

	memset(v, 0, BLOCK * sizeof *v);
	for (k = 0; k < s->parts; k += n) {
		if (peak(v) + s->rest[k] < enough)
			return UINT_MAX;
		n = s->parts - k < EVERY ? s->parts - k : EVERY;
		add_parts(s, v, &s->part[k], n, t);
	}
	return enough;
}
