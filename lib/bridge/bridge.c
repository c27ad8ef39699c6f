#include <math.h>

#include "bridge.h"

size_t
dp_bridge_column_size(const struct dp_bridge *b)
{
	size_t n = sizeof(struct dp_bridge_column) + b->words * sizeof(int64_t);

	return (n + 15) & ~(size_t)15;
}

/* B and den of every level; false if the arithmetic of children() would not be exact. */
static bool
lay_out(struct dp_bridge_shape *s)
{
	unsigned l;

	if (s->h < 1 || s->h > DP_BRIDGE_DRAWN)
		return false;
	/* a lone hat would be a box, folded at both ends */
	if (s->root && (s->h < 2 || s->hat[s->h - 2]))
		return false;
	s->log2b[0] = s->log2den[0] = 0;
	for (l = 0; l + 1 < s->h; l++) {
		if (s->log2k[l] < 1 || s->log2k[l] > DP_BRIDGE_RADIX)
			return false;
		s->log2b[l + 1] = s->log2b[l] + s->log2k[l];
		s->log2den[l + 1] = s->log2den[l] + (s->hat[l] ? s->log2k[l] + 1 : 0);
	}
	l = s->h - 1;
	return s->log2b[l] <= 62 && s->log2b[l] + s->log2den[l] <= 64;
}

/* The noise of level l, whose query is den_l times its node: den_l times as sensitive. */
static int
set_noise(struct dp_bridge *b, unsigned l, const struct dp_privacy *p, bool gauss)
{
	struct dp_privacy scaled = *p;

	if (gauss)
		return b->shape.log2den[l] > 0 ? DP_EINVAL :
		    dp_privacy_gauss(&b->noise[b->table[l]], p, b->shape.share[l]);
	if (p->exact)
		return dp_privacy_laplace(&b->noise[b->table[l]], p, b->shape.share[l]);
	if (b->shape.log2den[l] > 56 || p->l1 > ((uint64_t)1 << 56) >> b->shape.log2den[l])
		return DP_ERANGE;
	scaled.l1 = p->l1 << b->shape.log2den[l];
	return dp_privacy_laplace(&b->noise[b->table[l]], &scaled, b->shape.share[l]);
}

int
dp_bridge_set(struct dp_bridge *b, const struct dp_bridge_shape *shape,
    const struct dp_privacy *p, bool gauss)
{
	struct dp_bridge_shape *s = &b->shape;
	unsigned l, i;
	int e;

	*s = *shape;
	if (!lay_out(s))
		return DP_EINVAL;
	b->words = b->tables = 0;
	b->dry = p->dry;
	for (l = 0; l < s->h; l++) {
		b->first[l] = b->words;
		if (l > 0 && l < s->h - 1)	/* level 0's block is the caller's */
			b->words += (s->hat[l] ? 3u : 2u) << s->log2k[l] >> 1;
		for (i = 0; i < l; i++)
			if (s->share[i].num == s->share[l].num &&
			    s->share[i].den == s->share[l].den &&
			    s->log2den[i] == s->log2den[l])
				break;
		if (i < l) {
			b->table[l] = b->table[i];
			continue;
		}
		b->table[l] = b->tables++;
		if ((e = set_noise(b, l, p, gauss)) != 0)
			return e;
	}
	return 0;
}

int
dp_bridge_build(struct dp_bridge *b)
{
	unsigned i;
	int e;

	for (i = 0; i < b->tables; i++)
		if ((e = dp_noise_build(&b->noise[i])) != 0)
			return e;
	b->dry = false;
	return 0;
}

/* A power of two, at least 16 so that draws come in batches. */
unsigned
dp_bridge_block(const struct dp_bridge *b)
{
	return b->shape.h == 1 ? 16 : 1u << b->shape.log2k[0];
}

static int64_t
total(const int64_t *z, unsigned n)
{
	int64_t sum = 0;
	unsigned j;

	for (j = 0; j < n; j++)
		sum += z[j];		/* 2^6 draws below 2^56 */
	return sum;
}

/* sum_j (2j + 1) z_j of k draws; *all: of z_j */
static dp_wide
rise_wide(const int64_t *z, unsigned k, dp_wide *all)
{
	dp_wide sum = 0;
	unsigned j;

	*all = total(z, k);
	for (j = 0; j < k; j++)
		sum += (dp_wide)z[j] * (2 * j + 1);
	return sum;
}

/*
 * The same for draws of at most 9 digits: they are below 2^48 (noise.h: 2^56 with 11), times 2 k^2
 * <= 2^13. Two at a time, by sums from the end: sum_(i >= 1) (z_i + .. + z_(n-1)) = sum_i i z_i,
 * and j = 2i or 2i + 1.
 */
typedef int64_t pair __attribute__((vector_size(16)));

static int64_t
rise_word(const int64_t *z, unsigned k, dp_wide *all)
{
	pair part = { 0, 0 }, twice = { 0, 0 }, x;
	unsigned j;

	for (j = k; j > 0; ) {
		j -= 2;
		memcpy(&x, z + j, sizeof x);
		twice += part;
		part += x;
	}
	*all = part[0] + part[1];
	return 4 * (twice[0] + twice[1]) + part[0] + 3 * part[1];
}

/*
 * Draws the nodes that complete the hat whose own steps begin at step i, into z + k/2 (the k/2
 * before them are there since the hat before), and gathers them all: sum_j m(j) 2k z_j. From middle
 * to middle one hat falls as the next one rises, so the weights of both in a node sum to 2k.
 */
static int
hat(const struct dp_bridge *b, struct dp_bridge_column *col, struct dp_rng *rng,
    unsigned l, uint64_t i, int64_t *z, dp_wide *gathered)
{
	const struct dp_noise *noise = &b->noise[b->table[l]];
	unsigned up = l + 1, k = 1u << b->shape.log2k[l], half = k / 2;
	uint64_t J = i >> b->shape.log2b[up];
	dp_wide rise, all;
	int e;

	if (J == 0) {		/* folded: nothing else counts what lies before the first middle */
		if ((e = dp_noise_fill(noise, rng, z + k, half)) != 0)
			return e;
		col->rise[l] = (dp_wide)total(z + k, half) * (2 * k);
	}
	memcpy(z, z + k, half * sizeof *z);
	if (b->shape.root &&
	    J + 1 == (uint64_t)1 << (b->shape.log2b[b->shape.h - 1] - b->shape.log2b[up])) {
		if ((e = dp_noise_fill(noise, rng, z + half, half)) != 0)
			return e;
		*gathered = col->rise[l] + (dp_wide)total(z + half, half) * (2 * k);
		return 0;
	}
	if ((e = dp_noise_fill(noise, rng, z + half, k)) != 0)
		return e;
	rise = noise->digits - 1 < 9 ? rise_word(z + half, k, &all) : rise_wide(z + half, k, &all);
	*gathered = col->rise[l] + all * (2 * k) - rise;
	col->rise[l] = rise;
	return 0;
}

/*
 * Draws the children of the node J of level l + 1 that begins at step i, into z, and *c = the sum
 * of d/B over the levels above l, 2^-64 units: d_(l+1)[J] = z_(l+1)[J] - what its children gather,
 * in units of 1/den. Exact, as den B <= 2^64.  No overflow: draws are below 2^56, and the weights
 * of a node's children sum to at most 3/2 k (a folded hat), so |d| < 2^56 (1 + 3/2 k) <= 2^57 k,
 * |d|/B < 2^57 / B_l; these sum to less than 2^58, below 2^122 in units of 2^-64.
 */
static int
children(const struct dp_bridge *b, struct dp_bridge_column *col, struct dp_rng *rng,
    unsigned l, uint64_t i, int64_t *z, dp_wide *c)
{
	unsigned up = l + 1, k = 1u << b->shape.log2k[l], j;
	int64_t *draw = col->draws + b->first[up], one = 0;
	dp_wide above = 0, gathered, unit;
	int e;

	if (up == b->shape.h - 1) {	/* the top row: a free random walk */
		if ((e = dp_draw(&b->noise[b->table[up]], rng, &one)) != 0)
			return e;
	} else {
		j = (unsigned)(i >> b->shape.log2b[up]) & ((1u << b->shape.log2k[up]) - 1);
		if (j == 0 && (e = children(b, col, rng, up, i, draw, &col->offset[up])) != 0)
			return e;
		one = draw[j];
		above = col->offset[up];
	}
	if (b->shape.hat[l]) {
		if ((e = hat(b, col, rng, l, i, z, &gathered)) != 0)
			return e;
	} else {
		if ((e = dp_noise_fill(&b->noise[b->table[l]], rng, z, k)) != 0)
			return e;
		gathered = total(z, k);
	}
	unit = (dp_wide)1 << (64 - b->shape.log2b[up] - b->shape.log2den[up]);
	*c = above + (one - gathered) * unit;	/* no shift: the numbers are signed */
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

static bool
are_draws(const int64_t *z, unsigned n)
{
	const int64_t reach = (int64_t)1 << 56;
	unsigned i;

	for (i = 0; i < n; i++)
		if (z[i] <= -reach || z[i] >= reach)
			return false;
	return true;
}

static bool
within(dp_wide v, unsigned bits)
{
	return v < (dp_wide)1 << bits && v > -((dp_wide)1 << bits);
}

bool
dp_bridge_valid(const struct dp_bridge *b, const struct dp_bridge_column *c, const int64_t *z)
{
	unsigned l, n = dp_bridge_block(b);

	for (l = 0; l < b->shape.h; l++)
		if (!within(c->offset[l], 122) ||
		    (l + 1 < b->shape.h && !within(c->rise[l], 57 + 2 * b->shape.log2k[l])))
			return false;
	return are_draws(c->draws, b->words) && are_draws(z + n, n / 2);
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

double
dp_bridge_unit(const struct dp_bridge *b, unsigned i)
{
	unsigned l = 0;

	while (l < b->shape.h - 1 && b->table[l] != i)
		l++;
	return ldexp(1, -(int)b->shape.log2den[l]);
}

/*
 * 0: a node of level l is what was asked for; 1: a box all the same, 2: because a hat does not fit.
 */
static unsigned
kind(const struct dp_bridge_shape *s, unsigned l)
{
	if (!s->hats || l == 0 || s->hat[l - 1])
		return 0;
	return s->log2den[l - 1] + s->log2k[l - 1] + 1 > s->dens ? 2 : 1;
}

bool
dp_bridge_family(const struct dp_bridge *b, unsigned i, const struct dp_noise **z,
    const char **what)
{
	static const char *const text[2][3] = {
		{ "every node of a middle level", "every node of a middle level, boxes",
		    "every node of a middle level, boxes (hats would need a scale above 2^40)" },
		{ "every node of the highest level", "every node of the highest level, boxes",
		    "every node of the highest level, boxes (hats would need a scale above 2^40)" }
	};
	unsigned l = 0;

	*z = &b->noise[i < b->tables ? i : 0];
	while (l < b->shape.h - 1 && b->table[l] != i)
		l++;
	if (b->tables == 1)
		*what = "every step value";
	else if (i == 0)
		*what = "every step value (lowest level)";
	else
		*what = text[i == b->tables - 1][kind(&b->shape, l)];
	return i < b->tables;
}
