#include <math.h>

#include "bridge.h"

size_t
dp_bridge_column_size(const struct dp_bridge *b)
{
	size_t n = sizeof(struct dp_bridge_column) + b->words * sizeof(int64_t);

	return (n + 15) & ~(size_t)15;
}

static void
lay_out(struct dp_bridge_shape *s)
{
	unsigned l;

	s->log2b[0] = 0;
	for (l = 0; l + 1 < s->h; l++)
		s->log2b[l + 1] = s->log2b[l] + s->log2k[l];
}

int
dp_bridge_set(struct dp_bridge *b, const struct dp_bridge_shape *s,
    const struct dp_privacy *p, bool gauss)
{
	unsigned l, i;
	int e;

	if (s->h < 1 || s->h > DP_BRIDGE_LEVELS)
		return DP_EINVAL;
	b->shape = *s;
	b->words = b->tables = 0;
	b->dry = p->dry;
	lay_out(&b->shape);
	for (l = 0; l < s->h; l++) {
		b->first[l] = b->words;
		if (l > 0 && l < s->h - 1)	/* level 0's block is the caller's */
			b->words += 1u << s->log2k[l];
		for (i = 0; i < l; i++)
			if (s->share[i].num == s->share[l].num &&
			    s->share[i].den == s->share[l].den)
				break;
		if (i < l) {
			b->table[l] = b->table[i];
			continue;
		}
		b->table[l] = b->tables++;
		e = (gauss ? dp_privacy_gauss : dp_privacy_laplace)(
		    &b->noise[b->table[l]], p, s->share[l]);
		if (e != 0)
			return e;
	}
	return b->shape.log2b[s->h - 1] > 62 ? DP_EINVAL : 0;
}

/* A power of two, at least 16 so that draws come in batches. */
unsigned
dp_bridge_block(const struct dp_bridge *b)
{
	return b->shape.h == 1 ? 16 : 1u << b->shape.log2k[0];
}

/*
 * Draws the k_l children of the parent that begins at step i: child j has the noise z[j] + c.
 * c = (P - sum z) / k_l is exact: P, the parent's noise, is a multiple of 2^(64 - log2 k_(l+1) - ..), and
 * all radices together are at most 2^62.  Draws stay below 2^56 and k_l is at most 2^6: no overflow.
 */
static int
children(const struct dp_bridge *b, struct dp_bridge_column *col, struct dp_rng *rng,
    unsigned l, uint64_t i, int64_t *z, dp_wide *c)
{
	const struct dp_noise *noise = &b->noise[b->table[l]];
	unsigned up = l + 1, logk = b->shape.log2k[l], k = 1u << logk, j;
	int64_t *draw = col->draws + b->first[up], sum = 0, one = 0;
	dp_wide parent = 0;
	int e;

	if (up == b->shape.h - 1) {	/* the top row: a free random walk */
		if ((e = dp_draw(&b->noise[b->table[up]], rng, &one)) != 0)
			return e;
	} else {
		j = (unsigned)(i >> b->shape.log2b[up]) & ((1u << b->shape.log2k[up]) - 1);
		if (j == 0 && (e = children(b, col, rng, up, i, draw, &col->offset[up])) != 0)
			return e;
		one = draw[j];
		parent = col->offset[up];
	}
	if ((e = dp_noise_fill(noise, rng, z, k)) != 0)
		return e;
	for (j = 0; j < k; j++)
		sum += z[j];		/* 2^6 draws below 2^56 */
	/* multiplying, not shifting: the numbers are signed */
	*c = (parent + ((dp_wide)one - sum) * ((dp_wide)1 << 64)) >> logk;
	return 0;
}

int
dp_bridge_fill(const struct dp_bridge *b, struct dp_bridge_column *c,
    struct dp_rng *rng, uint64_t i, int64_t *z, dp_wide *offset)
{
	if (b->shape.h > 1)
		return children(b, c, rng, 0, i, z, offset);
	*offset = 0;
	return dp_noise_fill(&b->noise[b->table[0]], rng, z, dp_bridge_block(b));
}

double
dp_bridge_draws(const struct dp_bridge *b)
{
	double n = 0;
	unsigned l;

	for (l = 0; l < b->shape.h; l++)
		n += ldexp(1, -(int)b->shape.log2b[l]);
	return n;
}

/* Radix of level l; the top has none. */
static double
radix(const struct dp_bridge_shape *s, unsigned l)
{
	return l < s->h - 1 ? ldexp(1, (int)s->log2k[l]) : INFINITY;
}

/* Where t stands in level l: whole nodes r before it in its parent, and the fraction f of the next. */
static void
position(const struct dp_bridge_shape *s, unsigned l, uint64_t t, double *r, double *f)
{
	uint64_t B = (uint64_t)1 << s->log2b[l];

	if (l < s->h - 1)
		t &= ((uint64_t)1 << s->log2b[l + 1]) - 1;
	*r = (double)(t / B);
	*f = (double)(t % B) / (double)B;
}

/* r nodes have coefficient 1 - s/k, one has f - s/k, the other k-r-1 have -s/k. */
void
dp_bridge_law(const struct dp_bridge *b, uint64_t t, struct dp_law *law)
{
	const struct dp_noise *z;
	double r, f, k, s;
	unsigned l;

	for (l = 0; l < b->shape.h; l++) {
		z = &b->noise[b->table[l]];
		position(&b->shape, l, t, &r, &f);
		k = radix(&b->shape, l);
		s = (r + f) / k;
		dp_law_add(law, z, 1 - s, r);
		dp_law_add(law, z, f - s, 1);
		if (l < b->shape.h - 1)
			dp_law_add(law, z, s, k - r - 1);
	}
}

static double
term(double k, double r, double f)
{
	return r + f * f - (r + f) * (r + f) / k;
}

double
dp_bridge_variance(const struct dp_bridge *b, uint64_t t)
{
	double v = 0, r, f;
	unsigned l;

	for (l = 0; l < b->shape.h; l++) {
		position(&b->shape, l, t, &r, &f);
		v += dp_noise_variance(&b->noise[b->table[l]]) * term(radix(&b->shape, l), r, f);
	}
	return v;
}

double
dp_bridge_sum(const struct dp_bridge *b, uint64_t T)
{
	double v = 0;
	unsigned l;

	for (l = 0; l < b->shape.h; l++)
		v += dp_noise_variance(&b->noise[b->table[l]]) * dp_bridge_level_sum(&b->shape, l, T);
	return v;
}

struct climb {
	const struct dp_bridge *b;
	double v[DP_BRIDGE_LEVELS], k[DP_BRIDGE_LEVELS], B[DP_BRIDGE_LEVELS];
	double below[DP_BRIDGE_LEVELS + 1], best;
	uint64_t T, worst;
};

/*
 * No step that agrees with t in the digits of levels >= l can be worse than this.  Each
 * term is convex in f, so its maximum over what the lower digits may be is at an end; a whole level
 * is at most v k/4.
 */
static double
ceiling(const struct climb *c, unsigned l, uint64_t t)
{
	const struct dp_bridge *b = c->b;
	double v = c->below[l], r, f, lo, hi;
	unsigned j;

	for (j = l; j < b->shape.h; j++) {
		position(&b->shape, j, t, &r, &f);
		lo = term(c->k[j], r, f);
		hi = term(c->k[j], r, f + c->B[l] / c->B[j]);
		v += c->v[j] * (lo > hi ? lo : hi);
	}
	return v;
}

/* Digits of levels >= l of t are chosen; try those of level l-1, the middle ones first. */
static void
climb(struct climb *c, unsigned l, uint64_t t)
{
	unsigned k, i, d;
	uint64_t u;
	double v;

	if (l == 0) {
		v = dp_bridge_variance(c->b, t);
		if (t >= 1 && v > c->best) {
			c->best = v;
			c->worst = t;
		}
		return;
	}
	k = 1u << c->b->shape.log2k[l - 1];
	for (i = 0; i < k; i++) {
		d = k / 2 + (i & 1 ? -(i + 1) / 2 : i / 2);
		u = t + ((uint64_t)(d & (k - 1)) << c->b->shape.log2b[l - 1]);
		if (u <= c->T && ceiling(c, l - 1, u) > c->best)
			climb(c, l - 1, u);
	}
}

double
dp_bridge_max(const struct dp_bridge *b, uint64_t T, uint64_t *worst)
{
	struct climb c = { .b = b, .best = -1, .T = T };
	unsigned l, top = b->shape.h - 1;
	uint64_t n;

	c.below[0] = 0;
	for (l = 0; l <= top; l++) {
		c.v[l] = dp_noise_variance(&b->noise[b->table[l]]);
		c.k[l] = radix(&b->shape, l);
		c.B[l] = ldexp(1, (int)b->shape.log2b[l]);
		c.below[l + 1] = c.below[l] + c.v[l] * radix(&b->shape, l) / 4;
	}
	climb(&c, 0, T);	/* a first bound to prune by */
	for (n = T >> b->shape.log2b[top]; ; n--) {
		if (ceiling(&c, top, n << b->shape.log2b[top]) > c.best)
			climb(&c, top, n << b->shape.log2b[top]);
		if (n == 0)
			break;
	}
	*worst = c.worst;
	return c.best;
}
