#include <math.h>

#include "privacy.h"

#define EPSILON_MAX	10000		/* of one draw; more is not used: less is more private */

/* (a/b) / (c/d), rounded UP when it does not fit: a larger scale is more private. */
static int
scale_up(struct dp_q *out, struct dp_q a, struct dp_q b)
{
	long double x;

	if (dp_q_div(out, a, b) == 0)
		return 0;
	/* 2^-10 relative headroom dwarfs the rounding of the long doubles. */
	x = (long double)a.num / (long double)a.den / ((long double)b.num / (long double)b.den);
	x = ceill(x * 1.0009765625L * 65536);
	if (!(x < 0x1p62L))
		return DP_ERANGE;
	*out = dp_q_make((uint64_t)x, 65536);
	return 0;
}

#define ROUNDED	0x1p-40		/* by which doubles may differ, of a scale that is no less */
#define OLD	0x1p-9		/* and scales of states of 0.2 */

/* The scale, or variance, that was found: now, or when it was planned. */
static int
planned(struct dp_q *used, const struct dp_privacy *p, enum dp_noise_kind kind, struct dp_q param,
    bool rounded)
{
	struct dp_numbers *n = p->numbers;
	double least = dp_q_double(param);

	*used = dp_numbers_q(n, kind == DP_NOISE_GAUSS ? "variance" : "scale", param);
	if (!dp_numbers_replays(n))
		return dp_numbers_error(n);
	least *= n->old > 0 ? 1 - OLD : 1 - ROUNDED;
	if ((rounded || n->old > 0) ? dp_q_double(*used) < least : dp_q_cmp(*used, param) < 0)
		dp_numbers_refuse(n);
	return dp_numbers_error(n);
}

static int
make(struct dp_noise *z, const struct dp_privacy *p, enum dp_noise_kind kind, struct dp_q param,
    bool rounded)
{
	struct dp_q used;
	int e;

	if ((e = planned(&used, p, kind, param, rounded)) != 0 ||
	    (e = dp_noise_describe(z, kind, used)) != 0)
		return e;
	return p->dry ? 0 : dp_noise_build(z);
}

/*
 * b = l1 / (epsilon times), for nodes that a value enters with a weight of `largest` at most;
 * dividing twice keeps each step rounded up.
 */
static int
laplace(struct dp_noise *z, const struct dp_privacy *p, struct dp_q times, uint64_t largest)
{
	dp_uwide shift = (dp_uwide)p->l1 * largest;
	struct dp_q whole, b;
	int e;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (times.num == 0 || largest == 0)
		return DP_EINVAL;
	if (shift >> 62 != 0)
		return DP_ERANGE;
	if ((e = scale_up(&whole, dp_q_make(p->l1, 1), p->epsilon)) != 0 ||
	    (e = scale_up(&b, whole, times)) != 0)
		return e;
	/* the sampler keeps its word up to 45000 b: no shift may come near */
	if (dp_q_cmp(b, dp_q_make((uint64_t)shift, EPSILON_MAX)) < 0)
		b = dp_q_make((uint64_t)shift, EPSILON_MAX);
	return make(z, p, DP_NOISE_LAPLACE, b, false);
}

int
dp_privacy_laplace(struct dp_noise *z, const struct dp_privacy *p, struct dp_q share)
{
	return !p->exact && share.num > share.den ? DP_EINVAL : laplace(z, p, share, 1);
}

int
dp_privacy_laplace_weights(struct dp_noise *z, const struct dp_privacy *p, uint64_t sum,
    uint64_t largest)
{
	if (!p->exact && (sum == 0 || sum > INT64_MAX || largest > sum))
		return DP_EINVAL;
	return laplace(z, p, dp_q_make(1, p->exact ? 1 : sum), largest);
}

int
dp_privacy_laplace_beyond(struct dp_noise *z, const struct dp_privacy *p, struct dp_q times)
{
	return laplace(z, p, times, 1);
}

/* The largest e of the condition for n nodes, less 1e-9 of it. */
static double
composed(double n, double eps, double delta)
{
	double lo = -80, hi = 10, mid, e;	/* log e */
	int i;

	for (i = 0; i < 100; i++) {
		mid = (lo + hi) / 2;
		e = exp(mid);
		if (sqrt(-2 * n * log(delta)) * e + n * e * expm1(e) <= eps)
			lo = mid;
		else
			hi = mid;
	}
	return exp(lo) * (1 - 1e-9);
}

int
dp_privacy_laplace_composed(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    uint64_t most)
{
	const double eps = dp_q_double(p->epsilon), delta = dp_q_double(p->delta);
	double b;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (p->delta.num == 0 || n == 0 || most == 0)
		return DP_EINVAL;
	b = fmax(sqrt(-8 * (double)n * log(delta)) / eps, 1 / composed((double)n, eps, delta));
	b = ceil((double)most * fmax(b, 1.0 / EPSILON_MAX) * (1 + 1e-9) * 65536);
	if (!(b < 0x1p56))
		return DP_ERANGE;
	return make(z, p, DP_NOISE_LAPLACE, dp_q_make((uint64_t)b, 65536), true);
}

int
dp_privacy_perturbation(struct dp_noise *z, const struct dp_privacy *p, struct dp_q scale)
{
	int e;

	scale = dp_numbers_q(p->numbers, "perturbation", scale);
	if ((e = dp_numbers_error(p->numbers)) != 0 ||
	    (e = dp_noise_describe(z, DP_NOISE_LAPLACE, scale)) != 0)
		return e;
	return p->dry ? 0 : dp_noise_build(z);
}

int
dp_privacy_coin(struct dp_coin *c, const struct dp_privacy *p, struct dp_q share, struct dp_q odds)
{
	struct dp_q each, x;
	int e;

	if (p->exact) {
		dp_coin_always(c);
		return 0;
	}
	if (share.num == 0 || share.num > share.den)
		return DP_EINVAL;
	if ((e = dp_q_div(&each, p->epsilon, dp_q_make(p->l1, 1))) != 0 ||
	    (e = dp_q_div(&x, each, dp_q_make(share.den, share.num))) != 0)
		return e;
	return dp_coin_make(c, x, odds);
}

int
dp_privacy_gauss(struct dp_noise *z, const struct dp_privacy *p, struct dp_q share)
{
	struct dp_q half, s2;
	int e;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (share.num == 0 || share.num > share.den || p->rho.num == 0 || p->wide)
		return DP_EINVAL;
	/* sigma^2 = l2squared / (2 rho share) */
	if ((e = scale_up(&half, dp_q_make(p->l2squared, 2), p->rho)) != 0 ||
	    (e = scale_up(&s2, half, share)) != 0)
		return e;
	return make(z, p, DP_NOISE_GAUSS, s2, true);
}

int
dp_privacy_gauss_shift(struct dp_noise *z, const struct dp_privacy *p, double shift, uint64_t n)
{
	double s, s2;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (p->delta.num == 0 || p->wide || !(shift >= 1))
		return DP_EINVAL;
	s = dp_privacy_gauss_sigma(p, shift, n);
	s2 = ceil(s * s * (1 + 1e-12) * 64);
	if (!(s2 >= 1 && s2 <= 0x1p56 * 64))
		return DP_ERANGE;
	return make(z, p, DP_NOISE_GAUSS, dp_q_make((uint64_t)s2, 64), true);
}

int
dp_privacy_laplace_shift(struct dp_noise *z, const struct dp_privacy *p, uint64_t shift,
    struct dp_q share)
{
	struct dp_privacy moved = *p;

	moved.l1 = shift;
	if (!p->exact && (shift == 0 || shift > INT64_MAX))
		return shift == 0 ? DP_EINVAL : DP_ERANGE;
	return dp_privacy_laplace(z, &moved, share);
}

/* The n-th part of share, exactly. */
static int
part(struct dp_q *each, uint64_t n, struct dp_q share)
{
	if (n == 0 || share.num == 0 || share.num > share.den)
		return DP_EINVAL;
	return n > INT64_MAX || dp_q_div(each, share, dp_q_make(n, 1)) != 0 ? DP_ERANGE : 0;
}

/* Noise that protects a number that moves by linf as if it were all there is. */
static struct dp_privacy
number(const struct dp_privacy *p)
{
	struct dp_privacy one = *p;

	one.l1 = p->linf;
	one.wide = false;
	one.columns = 1;
	return one;
}

int
dp_privacy_laplace_repeat(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    struct dp_q share)
{
	const struct dp_privacy one = number(p);
	struct dp_q each = { 1, 1 };
	int e = p->exact ? 0 : part(&each, n, share);

	return e != 0 ? e : laplace(z, &one, each, 1);
}

int
dp_privacy_gauss_repeat(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    struct dp_q share)
{
	struct dp_privacy one = number(p);
	struct dp_q each = { 1, 1 };
	int e = p->exact ? 0 : part(&each, n, share);

	if (e != 0)
		return e;
	if (share.num == share.den)
		return dp_privacy_gauss_shift(z, &one, (double)p->linf * sqrt((double)n), n);
	if (!p->exact && (dp_uwide)p->linf * p->linf >> 62 != 0)
		return DP_ERANGE;
	one.l2squared = p->linf * p->linf;
	return dp_privacy_gauss(z, &one, each);
}

#define ROUND_UNIT	((uint64_t)1 << 50)

int
dp_privacy_round(struct dp_privacy *out, const struct dp_privacy *whole, uint64_t n,
    struct dp_q share)
{
	struct dp_privacy one = *whole;
	struct dp_q each;
	double e;
	int fault;

	if (!whole->exact) {
		if (whole->rho.num == 0)
			return DP_EINVAL;
		if ((fault = part(&each, n, share)) != 0)
			return fault;
		e = floor(sqrt(2 * dp_q_double(whole->rho) * dp_q_double(each)) * (1 - 1e-12) *
		    (double)ROUND_UNIT);
		if (!(e >= 1 && e < 0x1p62))
			return DP_ERANGE;
		one.epsilon = dp_q_make((uint64_t)e, ROUND_UNIT);
	}
	one.delta = one.rho = dp_q_make(0, 1);
	*out = one;
	return 0;
}

/* b of n exponential mechanisms, rounded up. */
static int
weigh_scale(struct dp_q *b, const struct dp_privacy *p, uint64_t n, struct dp_q share)
{
	double c, x, spent = dp_q_double(p->rho) * dp_q_double(share);
	int e;

	if (p->rho.num == 0)
		return DP_EINVAL;
	c = sqrt(8 * spent / (double)n);
	if (share.num == share.den && !p->quick && (e = dp_privacy_range(&c, p, n)) != 0)
		return e;
	x = (double)p->spread / c;
	x = ceil(x * (1 + 1e-9) * 0x1p20);
	if (!(x >= 1 && x <= 0x1p60))
		return DP_ERANGE;
	*b = dp_q_make((uint64_t)x, (uint64_t)1 << 20);
	return 0;
}

/* The scale of permute-and-flip, rounded up at each step. */
static int
flip_scale(struct dp_q *b, const struct dp_privacy *p, struct dp_q each)
{
	struct dp_q whole;
	int e;

	e = scale_up(&whole, dp_q_make(p->spread, 1), p->epsilon);
	return e != 0 ? e : scale_up(b, whole, each);
}

int
dp_privacy_choose(struct dp_choose *c, const struct dp_privacy *p, enum dp_noise_kind kind,
    uint64_t n, struct dp_q share)
{
	struct dp_q each, b, used;
	int e;

	if (p->exact) {
		dp_choose_none(c);
		return 0;
	}
	if ((e = part(&each, n, share)) != 0)
		return e;
	e = kind == DP_NOISE_WEIGH ? weigh_scale(&b, p, n, share) : flip_scale(&b, p, each);
	if (e != 0 || (e = planned(&used, p, kind, b, kind == DP_NOISE_WEIGH)) != 0 ||
	    (e = dp_choose_describe(c, kind, used)) != 0)
		return e;
	return p->dry ? 0 : dp_choose_build(c);
}

double
dp_privacy_rate(const struct dp_privacy *p)
{
	return p->exact ? INFINITY :
	    (double)p->epsilon.num / (double)p->epsilon.den / (double)p->l1 * (1 - 0x1p-48);
}

void
dp_privacy_split(struct dp_q *share, const double *weight, unsigned n)
{
	const uint64_t whole = (uint64_t)1 << 24;
	uint64_t part, others = 0;
	double sum = 0;
	unsigned i, widest = 0;

	for (i = 0; i < n; i++) {
		sum += weight[i];
		if (weight[i] > weight[widest])
			widest = i;
	}
	for (i = 0; i < n; i++) {
		part = (uint64_t)(weight[i] / sum * (double)whole);
		if (part == 0)
			part = 1;
		if (i != widest)
			others += part;
		share[i] = dp_q_make(part, whole);
	}
	/* what rounding left, or took, is the widest one's: the sum is exactly 1 */
	share[widest] = dp_q_make(whole - others, whole);
}
