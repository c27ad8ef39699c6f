#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ntt.h"
#include "longsum.h"
#include "mech.h"

#define NEAR	DP_LONGSUM_NEAR
#define LEVELS	3
#define UNITS	62		/* a weight is a multiple of 2^-UNITS */
#define SMALL	((uint64_t)1 << 38)	/* values below it: two primes will do */
#define LIMIT	0x1.8p61	/* of values; it is below two of any prime */
#define TILE	32		/* coefficients whose products are added up at a time */

/* Lags from 2^from on, in parts of 2^from. */
static const unsigned from[LEVELS + 1] = { 6, 10, 15, 20 };

/* Parts of 2^log lags, from lag 2^log on. */
struct level {
	unsigned log, parts;
	uint64_t *g;		/* their transforms: by prime, by part */
	size_t at;		/* words into a state: the values', likewise, then what they add */
};

struct dp_longsum {
	size_t n, words;
	unsigned primes, levels;
	struct dp_ntt ntt[DP_NTT_PRIMES];
	struct dp_ntt_factor inverse[DP_NTT_PRIMES];	/* 1 by the primes before it */
	int64_t near[NEAR];
	struct level level[LEVELS];
};

/* A state: this, then the levels'. */
struct state {
	uint64_t t;			/* steps that it knows of */
	uint64_t spare;
	int64_t near[2 * NEAR];		/* the last values, each at i % NEAR and NEAR behind */
};

struct past {
	const double *ring;
	size_t kept;
};

/* Coefficients of a transform. */
static size_t
length(const struct level *v)
{
	return (size_t)2 << v->log;
}

/* The values' transform of pair j of blocks, modulo the k-th prime; j = parts: what they add. */
static uint64_t *
transform(const struct level *v, struct state *s, unsigned k, uint64_t j)
{
	return (uint64_t *)(void *)s + v->at + (k * (v->parts + (size_t)1) + j) * length(v);
}

static uint64_t *
weights(const struct level *v, unsigned k, unsigned part)
{
	return v->g + ((size_t)k * v->parts + part) * length(v);
}

static int64_t
units(double g)
{
	return (int64_t)nearbyint(ldexp(g, UNITS));
}

/* back() leaves length() times what there was: the weights make up for it. */
static void
prepare(struct dp_longsum *f, const struct level *v, const double *g)
{
	const size_t L = (size_t)1 << v->log;
	const struct dp_ntt *t;
	struct dp_ntt_factor less;
	uint64_t *a;
	size_t d, lag;
	unsigned k, i;

	for (k = 0; k < f->primes; k++) {
		t = &f->ntt[k];
		less = dp_ntt_factor(t, dp_ntt_power(t, length(v), t->p - 2));
		for (i = 0; i < v->parts; i++) {
			a = weights(v, k, i);
			for (d = 0; d < L && (lag = (i + 1) * L + d) < f->n; d++)
				a[d] = dp_ntt_times(t, less, (uint64_t)units(g[lag]));
			dp_ntt_forward(t, a, v->log + 1);
		}
	}
}

/* The levels that n weights need, and where they are in a state. */
static void
lay_out(struct dp_longsum *f)
{
	size_t end;
	struct level *v;

	f->words = sizeof(struct state) / 8;
	while (f->levels < LEVELS && f->n > (size_t)1 << from[f->levels]) {
		v = &f->level[f->levels];
		v->log = from[f->levels++];
		end = (size_t)1 << from[f->levels];
		end = end < f->n ? end : f->n;
		v->parts = (unsigned)((end - 1) >> v->log);
		v->at = f->words;
		f->words += f->primes * (v->parts + (size_t)1) * length(v);
	}
}

static int
fill(struct dp_longsum *f, const double *g)
{
	const unsigned log = f->levels > 0 ? f->level[f->levels - 1].log + 1 : 1;
	struct level *v;
	uint64_t before;
	unsigned k, i;
	size_t d;
	int e;

	for (d = 0; d < NEAR && d < f->n; d++)
		f->near[d] = units(g[d]);
	for (k = 0; k < f->primes; k++) {
		if ((e = dp_ntt_create(&f->ntt[k], k, log)) != 0)
			return e;
		for (before = 1, i = 0; i < k; i++)
			before = dp_ntt_residue(&f->ntt[k], (dp_uwide)before * f->ntt[i].p);
		f->inverse[k] = dp_ntt_factor(&f->ntt[k],
		    dp_ntt_power(&f->ntt[k], before, f->ntt[k].p - 2));
	}
	for (i = 0; i < f->levels; i++) {
		v = &f->level[i];
		if ((v->g = calloc((size_t)f->primes * v->parts * length(v), sizeof *v->g)) == NULL)
			return DP_ENOMEM;
		prepare(f, v, g);
	}
	return 0;
}

int
dp_longsum_create(struct dp_longsum **out, const double *g, size_t n, uint64_t most)
{
	struct dp_longsum *f;
	int e;

	if (n > DP_LONGSUM_MAX)
		return DP_EINVAL;
	if ((f = calloc(1, sizeof *f)) == NULL)
		return DP_ENOMEM;
	while (n > 0 && units(g[n - 1]) == 0)
		n--;
	f->n = n;
	f->primes = most != 0 && most < SMALL ? 2 : 3;
	lay_out(f);
	if ((e = fill(f, g)) != 0) {
		dp_longsum_free(f);
		return e;
	}
	*out = f;
	return 0;
}

void
dp_longsum_free(struct dp_longsum *f)
{
	unsigned i;

	if (f == NULL)
		return;
	for (i = 0; i < DP_NTT_PRIMES; i++)
		dp_ntt_destroy(&f->ntt[i]);
	for (i = 0; i < LEVELS; i++)
		free(f->level[i].g);
	free(f);
}

size_t
dp_longsum_bytes(const struct dp_longsum *f)
{
	return 8 * f->words;
}

/*
 * The values of steps first + 1 .. first + n, as step now + 1 is to come; 0 before step 1, and
 * where they are gone.
 */
static void
collect(const struct past *p, uint64_t now, int64_t first, int64_t *y, size_t n)
{
	uint64_t i;
	size_t at;
	double v;

	for (; n > 0 && first < 0; n--, first++)
		*y++ = 0;
	i = (uint64_t)first;
	for (at = i % p->kept; n > 0; n--, i++) {
		v = i < now && now - i <= p->kept ? p->ring[at] : 0;
		*y++ = v > -LIMIT && v < LIMIT ? (int64_t)v : 0;
		at = at + 1 == p->kept ? 0 : at + 1;
	}
}

/* |y| < 2p */
static uint64_t
residue(const struct dp_ntt *t, int64_t y)
{
	const uint64_t r = (uint64_t)y + (y < 0 ? 2 * t->p : 0);

	return r < t->p ? r : r - t->p;
}

/* The transform of blocks j - 1 and j, in numbers of which combine() needs no more. */
static void
absorb(const struct dp_longsum *f, const struct level *v, struct state *s, const struct past *p,
    uint64_t now, uint64_t j)
{
	const size_t n = length(v);
	int64_t *y = (int64_t *)transform(v, s, 0, v->parts);
	uint64_t *a;
	unsigned k;
	size_t i;

	collect(p, now, (int64_t)(j << v->log) - (int64_t)(n / 2), y, n);
	for (k = 0; k < f->primes; k++) {
		a = transform(v, s, k, j % v->parts);
		for (i = 0; i < n; i++)
			a[i] = residue(&f->ntt[k], y[i]);
		dp_ntt_forward(&f->ntt[k], a, v->log + 1);
	}
}

/* Sums that pairs before block m add to its steps. */
static void
combine(const struct dp_longsum *f, const struct level *v, struct state *s, uint64_t m)
{
	const unsigned parts = m < v->parts ? (unsigned)m : v->parts;
	const size_t n = length(v);
	const uint64_t *y, *g;
	dp_uwide sum[TILE];
	unsigned k, j;
	uint64_t *a;
	size_t at, i;

	for (k = 0; k < f->primes; k++) {
		a = transform(v, s, k, v->parts);
		for (at = 0; at < n; at += TILE) {
			memset(sum, 0, sizeof sum);
			for (j = 0; j < parts; j++) {
				y = transform(v, s, k, (m - 1 - j) % v->parts) + at;
				g = weights(v, k, j) + at;
				for (i = 0; i < TILE; i++)
					sum[i] += (dp_uwide)y[i] * g[i];
			}
			for (i = 0; i < TILE; i++)
				a[at + i] = dp_ntt_residue(&f->ntt[k], sum[i]);
		}
		dp_ntt_back(&f->ntt[k], a, v->log + 1);
	}
}

/* Everything from the values, before step now + 1. */
static void
find_again(const struct dp_longsum *f, struct state *s, const struct past *p, uint64_t now)
{
	const struct level *v;
	int64_t near[NEAR];
	uint64_t m, j;
	unsigned i;

	/* steps now - NEAR + 1 .. now, in the order of the places that they have */
	collect(p, now, (int64_t)now - NEAR, near, NEAR);
	for (j = 0; j < NEAR; j++)
		s->near[(now + j) % NEAR] = s->near[(now + j) % NEAR + NEAR] = near[j];
	for (i = 0; i < f->levels; i++) {
		v = &f->level[i];
		m = now >> v->log;
		for (j = m < v->parts ? 0 : m - v->parts; j < m; j++)
			absorb(f, v, s, p, now, j);
		combine(f, v, s, m);
	}
}

/*
 * The number whose residues are r, of those around 0: digits to the base of the primes (Garner),
 * the last of either sign.
 */
static struct dp_longsum_value
number(const struct dp_longsum *f, const uint64_t *r)
{
	dp_uwide low = r[0], base = f->ntt[0].p;
	const struct dp_ntt *t;
	dp_wide last, product;
	uint64_t digit;
	unsigned k;

	for (k = 1; ; k++) {
		t = &f->ntt[k];
		digit = r[k] + t->p - dp_ntt_residue(t, low);
		digit = dp_ntt_times(t, f->inverse[k], digit);
		if (k == f->primes - 1)
			break;
		low += base * digit;
		base *= t->p;
	}
	last = digit > t->p / 2 ? (dp_wide)digit - t->p : digit;
	product = (dp_wide)(uint64_t)base * last + (uint64_t)low;
	return (struct dp_longsum_value){ (dp_wide)(base >> 64) * last + (dp_wide)(low >> 64) +
	    (product >> 64), (uint64_t)product };
}

/* Sum of the older lags. */
static struct dp_longsum_value
far(const struct dp_longsum *f, struct state *s, uint64_t now)
{
	uint64_t r[DP_NTT_PRIMES] = { 0 };
	const struct level *v;
	unsigned k, i;
	size_t L;

	for (k = 0; k < f->primes; k++) {
		for (i = 0; i < f->levels; i++) {
			v = &f->level[i];
			L = (size_t)1 << v->log;
			r[k] += transform(v, s, k, v->parts)[L + (now & (L - 1))];
		}
		r[k] = dp_ntt_times(&f->ntt[k], f->ntt[k].one, r[k]);
	}
	return number(f, r);
}

/* Sum of the last values, with y, the one of step now + 1. */
static struct dp_longsum_value
near(const struct dp_longsum *f, struct state *s, uint64_t now, int64_t y)
{
	const size_t at = now % NEAR;
	const int64_t *last = &s->near[at + NEAR];
	dp_wide high = 0, product;
	dp_uwide low = 0;
	ptrdiff_t d;

	s->near[at] = s->near[at + NEAR] = y;
	if (f->primes == 2)	/* below 2^6 2^62 2^38 */
		for (product = 0, d = 0; d < NEAR; d++)
			product += (dp_wide)f->near[d] * last[-d];
	else
		for (product = 0, d = 0; d < NEAR; d++) {
			low += (uint64_t)product;
			high += product >> 64;
			product = (dp_wide)f->near[d] * last[-d];
		}
	low += (uint64_t)product;
	return (struct dp_longsum_value){ high + (product >> 64) + (dp_wide)(low >> 64),
	    (uint64_t)low };
}

struct dp_longsum_value
dp_longsum_step(const struct dp_longsum *f, void *state, const double *ring, size_t kept,
    uint64_t t, int64_t y)
{
	const struct past p = { ring, kept };
	const uint64_t now = t - 1;
	struct dp_longsum_value a, b;
	struct state *s = state;
	const struct level *v;
	unsigned i;

	if (s->t != now)
		find_again(f, s, &p, now);
	for (i = 0; i < f->levels && now > 0; i++) {
		v = &f->level[i];
		if ((now & (((uint64_t)1 << v->log) - 1)) != 0)
			break;		/* nor does a longer block end here */
		absorb(f, v, s, &p, now, (now >> v->log) - 1);
		combine(f, v, s, now >> v->log);
	}
	s->t = t;
	a = near(f, s, now, y);
	b = far(f, s, now);
	a.whole += b.whole + ((dp_wide)((dp_uwide)a.part + b.part) >> 64);
	a.part += b.part;
	return a;
}

dp_wide
dp_longsum_decimal(struct dp_longsum_value v, unsigned decimals)
{
	const uint64_t rest = v.part & (((uint64_t)1 << UNITS) - 1);
	dp_wide scale = 1;

	while (decimals-- > 0)
		scale *= 10;
	return dp_add_noise((v.whole * 4 + (v.part >> UNITS)) * scale, rest * scale, UNITS);
}
