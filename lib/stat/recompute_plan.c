/*
 * recompute_plan.c - how often a largest sum is found anew, with which noise: what has the least
 * loss.  r, half, drift, centre: recompute.c.
 *
 * Loss.  Releases are independent given the past, so with p = 1 - (1 - beta)^(1/m) the 1 - beta
 * quantile of the largest over all steps is
 *   value   half + least w with P(|noise| > w) <= p: attained by columns that all grow;
 *   choice  (r - 1) drift + dp_choose_gap(p): attained by somebody who sees the answers, keeps all
 *           but one that far behind, and lets the others go ahead once a choice was wrong;
 *   both    least over a cut p = p1 + p2 of gap(p1) + max((r - 1) drift, half + w(p2)), as the
 *           value is off by gap + |noise| + half at the most: an upper bound.
 */
#include <math.h>

#include "recompute.h"

#define WHOLE		((uint64_t)1 << 24)	/* shares are multiples of 1/WHOLE */
#define EACH		48		/* numbers of releases that are all tried */

/* Numbers found by a search. */
struct shape {
	uint64_t r;
	bool concentrated;
	uint64_t share;			/* of the value, where both are shown */
};

/*
 * Of both, what is cut off for the value makes the gap of the choice no smaller, and the less is
 * cut the wider is the value.
 */
double
dp_recompute_quantile(const struct dp_recompute *k, double most)
{
	const size_t n = k->m.inputs;
	const double behind = n > 1 ? (double)(k->r - 1) * k->drift : 0;
	double p = -expm1(log1p(-k->beta) / (double)k->releases), best = INFINITY, cut, gap, rest;

	if (k->show == DP_MAXSUM_VALUE)
		return k->half + dp_noise_width(&k->noise, p);
	if (fmax(behind, k->half) >= most)
		return INFINITY;
	gap = dp_choose_gap(&k->choose, n, p);
	if (k->show == DP_MAXSUM_CHOICE)
		return behind + gap;
	for (cut = p / 2; cut > p / 1000; cut /= 2) {
		rest = fmax(behind, k->half + dp_noise_width(&k->noise, cut));
		if (gap + rest >= fmin(most, best))
			break;
		best = fmin(best, dp_choose_gap(&k->choose, n, p - cut) + rest);
	}
	return best;
}

/* Its noise and its drift. */
static int
fit(struct dp_recompute *k, const struct dp_privacy *p, const struct shape *s)
{
	const uint64_t m = k->m.horizon / s->r;
	const struct dp_q all = { 1, 1 };
	const bool both = k->show == DP_MAXSUM_BOTH;
	const struct dp_q value = both ? dp_q_make(s->share, WHOLE) : all;
	const struct dp_q choice = both ? dp_q_make(WHOLE - s->share, WHOLE) : all;
	int e = 0;

	k->r = s->r;
	k->releases = m;
	k->linf = p->linf;
	k->spread = p->spread;
	k->centre = (dp_wide)floor((double)(s->r - 1) * (k->grow - k->fall) / 2);
	k->half = ceil((double)(s->r - 1) * (k->grow + k->fall) / 2);
	if (k->show & DP_MAXSUM_CHOICE)
		e = dp_privacy_choose(&k->choose, p, s->concentrated ? DP_NOISE_WEIGH :
		    DP_NOISE_FLIP, m, choice);
	if (e == 0 && (k->show & DP_MAXSUM_VALUE))
		e = (s->concentrated ? dp_privacy_gauss_repeat : dp_privacy_laplace_repeat)
		    (&k->noise, p, m, value);
	return e;
}

/* Its quantile, if it is below `most`. */
static double
tried(struct dp_recompute *k, const struct dp_privacy *dry, const struct shape *s, double most)
{
	return fit(k, dry, s) == 0 ? dp_recompute_quantile(k, most) : INFINITY;
}

/* The share of the value with the least quantile, in powers of 2^(1/8) of share / (1 - share). */
static double
cut_budget(struct dp_recompute *k, const struct dp_privacy *dry, struct shape *s)
{
	double best = INFINITY, q;
	struct shape c = *s;
	int lo = -64, hi = 64, i, step;

	if (k->show != DP_MAXSUM_BOTH)
		return tried(k, dry, s, INFINITY);
	for (step = 16; step > 0; step /= 4) {
		for (i = lo; i <= hi; i += step) {
			c.share = (uint64_t)((double)WHOLE / (1 + exp2(-i / 8.)));
			if ((q = tried(k, dry, &c, best)) < best) {
				best = q;
				*s = c;
			}
		}
		i = (int)lround(8 * log2((double)s->share / (double)(WHOLE - s->share)));
		lo = i - step + step / 4;
		hi = i + step - step / 4;
	}
	return best;
}

/* Tries the shortest blocks of which there are m at most; keeps the better. */
static double
try_releases(struct dp_recompute *k, const struct dp_privacy *dry, bool concentrated, uint64_t m,
    struct shape *best, double *least)
{
	struct shape s = { k->m.horizon / (m + 1) + 1, concentrated, WHOLE / 2 };
	double q;

	q = cut_budget(k, dry, &s);
	if (q < *least) {
		*least = q;
		*best = s;
	}
	return q;
}

/*
 * Few releases are all tried; many by their logarithm, where the quantile falls and then rises but
 * for the steps that whole numbers make.
 */
static void
search(struct dp_recompute *k, const struct dp_privacy *dry, bool concentrated, struct shape *best,
    double *least)
{
	const double golden = (sqrt(5) - 1) / 2;
	const uint64_t T = k->m.horizon;
	double lo = log(EACH), hi = log((double)T), a, b, qa, qb;
	uint64_t m, from;

	try_releases(k, dry, concentrated, T, best, least);
	for (m = 1; m <= EACH && m < T; m++)
		try_releases(k, dry, concentrated, m, best, least);
	if (T <= EACH)
		return;
	a = hi - golden * (hi - lo);
	b = lo + golden * (hi - lo);
	qa = try_releases(k, dry, concentrated, (uint64_t)exp(a), best, least);
	qb = try_releases(k, dry, concentrated, (uint64_t)exp(b), best, least);
	while (hi - lo > 1e-3) {
		if (qa <= qb) {
			hi = b;
			b = a;
			qb = qa;
			a = hi - golden * (hi - lo);
			qa = try_releases(k, dry, concentrated, (uint64_t)exp(a), best, least);
		} else {
			lo = a;
			a = b;
			qa = qb;
			b = lo + golden * (hi - lo);
			qb = try_releases(k, dry, concentrated, (uint64_t)exp(b), best, least);
		}
	}
	from = (uint64_t)exp(lo);
	for (m = from > 8 ? from - 8 : 1; m < from + 8 && m < T; m++)
		try_releases(k, dry, concentrated, m, best, least);
}

/* The shape with the least quantile, of both kinds of accounting; DP_ERANGE: no noise fits. */
static int
find(struct dp_recompute *k, const struct dp_mech_rule *rule, struct shape *s)
{
	struct dp_privacy dry = rule->privacy;
	double least[2] = { INFINITY, INFINITY };
	struct shape best[2] = { { 1, false, WHOLE / 2 } };
	int i;

	dry.dry = dry.quick = true;
	dry.numbers = NULL;
	for (i = 0; i < 2 && (i == 0 || dry.rho.num != 0); i++)
		if (rule->most == 0)
			try_releases(k, &dry, i != 0, rule->horizon, &best[i], &least[i]);
		else
			search(k, &dry, i != 0, &best[i], &least[i]);
	dry.quick = false;
	if (least[1] < INFINITY)
		least[1] = fmin(least[1], tried(k, &dry, &best[1], INFINITY));
	i = least[1] < least[0];
	*s = best[i];
	return least[i] < INFINITY ? 0 : DP_ERANGE;
}

int
dp_recompute_plan(struct dp_recompute *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct shape s = { 1, false, WHOLE / 2 };
	int e;

	if (!dp_numbers_replays(numbers) && (e = find(k, rule, &s)) != 0)
		return e;
	dp_numbers_same(numbers, "show", k->show);
	s.r = dp_numbers_int(numbers, "every", s.r, 1, rule->horizon);
	s.concentrated = dp_numbers_int(numbers, "concentrated", s.concentrated, 0, 1) != 0;
	s.share = dp_numbers_int(numbers, "share", s.share, 1, WHOLE - 1);
	if ((e = fit(k, &rule->privacy, &s)) != 0)
		return e;
	if (k->choose.kind != DP_NOISE_NONE)
		e = dp_noise_describe(&k->shown, k->choose.kind, k->choose.scale);
	return e;
}
