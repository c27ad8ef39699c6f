#include <math.h>

#include "level.h"

void
dp_bridge_level_set(struct dp_bridge_level *v, unsigned k, bool hat, double B, double rate)
{
	double c[DP_BRIDGE_NEAR], step;
	unsigned i, n;

	*v = (struct dp_bridge_level){ .k = k, .hat = hat, .B = B, .per = 1 / B, .rate = rate,
	    .decay = 1, .full = 1, .node = 1, .parent = 1 };
	if (rate == 0)
		return;
	step = -expm1(-rate);	/* 1 - alpha */
	v->decay = exp(-rate * B);
	v->full = -expm1(-rate * B);
	v->node = -expm1(-rate * B) / (step * B);
	v->old = v->node * v->node;
	if (k == 0)
		return;
	v->parent = -expm1(-rate * B * k) / (step * B * k);
	for (n = dp_bridge_old(v, false, c), v->old = 0, i = 0; i < n; i++)
		v->old += c[i] * c[i];
	for (n = dp_bridge_old(v, true, c), i = 0; i < n; i++)
		v->old0 += c[i] * c[i];
}

double
dp_bridge_level_p(const struct dp_bridge_level *v, double y)
{
	return v->rate == 0 ? y / v->B : -expm1(-v->rate * y);
}

/*
 * p(x + n) = p(n) + (1 - p(n)) p(x), COUNT: p(n) + p(x): sums double without cancelling anything.
 */
void
dp_bridge_level_moments(const struct dp_bridge_level *v, uint64_t n, double *s1, double *s2)
{
	double p, keep, m;
	unsigned bit;
	uint64_t i = 0;

	*s1 = *s2 = 0;
	for (bit = 63; bit < 64; bit--) {
		m = (double)i;
		p = dp_bridge_level_p(v, m);
		keep = v->rate == 0 ? 1 : 1 - p;
		*s2 += m * p * p + 2 * p * keep * *s1 + keep * keep * *s2;
		*s1 += m * p + keep * *s1;
		i *= 2;
		if (n >> bit & 1) {
			p = dp_bridge_level_p(v, (double)i++);
			*s1 += p;
			*s2 += p * p;
		}
	}
}

void
dp_bridge_near(const struct dp_bridge_level *v, enum dp_bridge_edge edge, unsigned r, double p,
    double *c)
{
	const bool old = v->rate > 0;
	const double k = v->k, step = old ? -expm1(-v->rate) : 0;
	/* weights: of the parent at hand (now) and the one before; of the child, and those past */
	double now = old ? (-expm1(-v->rate * v->B * r) + exp(-v->rate * v->B * r) * p) /
	    (step * v->B * k) : (r + p) / k;
	double before = old ? v->parent * exp(-v->rate * v->B * r) * (1 - p) : 1;
	double child = old ? p / (step * v->B) : p, past = old ? v->node * (1 - p) : 1, a;
	unsigned i, half = v->k / 2, n = 2 * v->k, at = r + half;

	for (i = n; i-- > 0; ) {
		c[i] = i > at ? 0 : i == at ? child : past;
		if (i < at)
			past *= v->decay;
		a = (2 * (i % v->k) + 1) / (2 * k);
		if (i < half ? !v->hat || edge == DP_BRIDGE_FIRST :
		    i >= n - half && (!v->hat || edge == DP_BRIDGE_LAST))
			c[i] = 0;	/* no such child, or not this parent's */
		else if (!v->hat || (i < v->k ? edge == DP_BRIDGE_FIRST : edge == DP_BRIDGE_LAST))
			c[i] -= now;
		else
			c[i] -= i < v->k ? a * now + (1 - a) * before : (1 - a) * now;
	}
}

unsigned
dp_bridge_old(const struct dp_bridge_level *v, bool first, double *c)
{
	const double k = v->k, gone = exp(-v->rate * v->B * k);
	unsigned i, half = v->k / 2, from = v->hat && first ? half : 0;
	double a, weight;

	for (i = from; i < v->k; i++) {
		/* child i - k/2 of its block under a hat, i under a box */
		a = (2 * i + 1) / (2 * k);
		weight = v->node * exp(-v->rate * v->B * (k - 1 - i + (v->hat ? half : 0)));
		c[i - from] = weight - v->parent * (!v->hat || first ? 1 : a + (1 - a) * gone);
	}
	return v->k - from;
}

double
dp_bridge_older(const struct dp_bridge_level *v, uint64_t K)
{
	double w = 2 * v->rate * dp_bridge_level_span(v), all, first;

	if (v->rate == 0 || K == 0)
		return 0;
	if (!v->hat)
		return v->old * expm1(-w * (double)K) / expm1(-w);
	first = exp(-w * (double)(K - 1));
	all = expm1(-w * (double)(K - 1)) / expm1(-w);
	return v->old * all + v->old0 * first;
}

/* dp_bridge_older() is a mean of these two. */
double
dp_bridge_level_oldest(const struct dp_bridge_level *v)
{
	if (v->rate == 0)
		return 0;
	return fmax(v->old / -expm1(-2 * v->rate * dp_bridge_level_span(v)), v->hat ? v->old0 : 0);
}

void
dp_bridge_level_settle(struct dp_bridge_level *v)
{
	if (v->rate > 0 && v->hat)
		v->old = fmax(v->old, v->old0 * -expm1(-2 * v->rate * dp_bridge_level_span(v)));
}

void
dp_bridge_rows(const struct dp_bridge_level *v, enum dp_bridge_edge edge,
    struct dp_bridge_poly *row)
{
	double c0[DP_BRIDGE_NEAR], c1[DP_BRIDGE_NEAR], d;
	unsigned r, i;

	for (r = 0; r < v->k; r++) {
		dp_bridge_near(v, edge, r, 0, c0);
		dp_bridge_near(v, edge, r, 1, c1);
		row[r] = (struct dp_bridge_poly){ 0, 0, 0 };
		for (i = 0; i < 2 * v->k; i++) {
			d = c1[i] - c0[i];
			row[r].a += c0[i] * c0[i];
			row[r].b += 2 * c0[i] * d;
			row[r].c += d * d;
		}
	}
}

double
dp_bridge_block_sum(const struct dp_bridge_level *v, const struct dp_bridge_poly *row, uint64_t n)
{
	uint64_t B = (uint64_t)v->B;
	double s1, s2, part1, part2, sum = 0;
	unsigned r, whole = (unsigned)(n / B);

	dp_bridge_level_moments(v, B, &s1, &s2);
	for (r = 0; r < whole; r++)
		sum += row[r].a * v->B + row[r].b * s1 + row[r].c * s2;
	if (n % B == 0)
		return sum;
	dp_bridge_level_moments(v, n % B, &part1, &part2);
	return sum + row[r].a * (double)(n % B) + row[r].b * part1 + row[r].c * part2;
}

/*
 * Older segments: blocks 1 .. K-1 whole and n steps of block K, in each the squares fall by alpha^2
 * a step.
 */
static double
older_sum(const struct dp_bridge_level *v, uint64_t K, uint64_t n)
{
	double a = 2 * v->rate, w = a * dp_bridge_level_span(v), count, fall, first, whole, part;

	if (v->rate == 0 || K == 0)
		return 0;
	count = (double)(K - 1);
	whole = expm1(-w) / expm1(-a);
	part = dp_bridge_older(v, K) * expm1(-a * (double)n) / expm1(-a);
	if (!v->hat) {	/* sum over J = 1..K-1 of (1 - w^J) / (1 - w) */
		fall = exp(-w) * expm1(-w * count) / expm1(-w);
		return part + whole * v->old * (count - fall) / (-expm1(-w));
	}
	first = expm1(-w * count) / expm1(-w);	/* of w^(J-1) */
	return part + whole * (v->old * (count - first) / (-expm1(-w)) + v->old0 * first);
}

/* The top row: r + f^2, or what is left of the node at hand; n = steps 0 .. n-1 */
static double
top_sum(const struct dp_bridge_level *v, uint64_t n)
{
	uint64_t B = (uint64_t)v->B, K = n / B;
	double s1, s2, part, squares;

	dp_bridge_level_moments(v, B, &s1, &s2);
	dp_bridge_level_moments(v, n % B, &s1, &part);
	squares = (double)K * s2 + part;
	if (v->rate == 0)
		return squares + (double)K * ((double)(K - 1) / 2 * v->B + (double)(n % B));
	return squares / pow(-expm1(-v->rate) * v->B, 2) + older_sum(v, K, n % B);
}

double
dp_bridge_level_sum(const struct dp_bridge_level *v,
    const struct dp_bridge_poly *const row[DP_BRIDGE_EDGES], uint64_t blocks, uint64_t T)
{
	uint64_t span = (uint64_t)dp_bridge_level_span(v), n = T + 1, K;
	double sum, inner;

	if (v->k == 0)
		return top_sum(v, n);
	if (blocks != 0 && n > blocks * span)
		n = blocks * span;	/* at the end nothing is left */
	K = n / span;
	sum = dp_bridge_block_sum(v, row[DP_BRIDGE_FIRST], K == 0 ? n : span);
	if (K == 0)
		return sum;
	inner = dp_bridge_block_sum(v, row[DP_BRIDGE_INNER], span);
	if (K > 1 && K == blocks)
		sum += dp_bridge_block_sum(v, row[DP_BRIDGE_LAST], span) + (double)(K - 2) * inner;
	else
		sum += (double)(K - 1) * inner + dp_bridge_block_sum(v,
		    row[K + 1 == blocks ? DP_BRIDGE_LAST : DP_BRIDGE_INNER], n % span);
	return sum + older_sum(v, K, n % span);
}
