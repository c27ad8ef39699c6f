/* SPDX-License-Identifier: ISC */
/*
 * recompute.c - the largest column sum, found anew every r steps and held between (Jain,
 * Raskhodnikova, Sivakumar, Smith 2021, Algorithm 7 and Theorems 5.5, 5.8).
 *
 * At t = r, 2r, .., mr, m = floor(T/r), it releases
 *   a value    max_j s_j(t) + noise,
 *   a choice   a_t: permute-and-flip if pure, the exponential mechanism if concentrated,
 *   both       a_t as above, and s_a(t) + noise for a = a_t,
 * and shows the last release until the next one.  account/privacy.h (REPEATED) accounts: the
 * largest sum
 * and any one sum move by linf at most, scores by spread (internal.h).  r, the kind of
 * accounting and the cut between choice and value are found before the first line, from the options
 * alone (recompute.c); noise is drawn at releases and never again; an answer depends on no
 * later line.
 *
 * Drift.  In lines a step changes a sum by -fall at the least and grow at the most, fall = max(-lo,
 * 0), grow = max(hi, 0), and so the largest.  Hence k < r steps after a release of y the largest is
 * y - noise + d, d from -k fall to k grow.  Shown is y + centre, centre = floor((r - 1) (grow -
 * fall) / 2), and before the first release 0 + centre, no noise, which holds a place and is not
 * printed (counter/mech.h, first): off by |noise| + half at the most,
 * half = (r - 1) (grow + fall) / 2 rounded up.  (The paper releases at 1, r + 1, .., and does not
 * centre: twice the drift.)  A choice falls behind by `drift` a step: grow + fall, or the larger
 * where a record has one entry, so that none goes up as another goes down.  Before the first it is
 * column 0.  In buckets no step has a bound: there r = 1.
 *
 * By the sum that bounds the loss of both (recompute.c) an interval round the value holds the
 * largest sum where both are shown: half and the gap that has probability beta/2 count as its
 * drift, and beta/2 is left for the noise.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "internal.h"

static double dp_recompute_quantile(const struct dp_recompute *, double most);
static int dp_recompute_plan(struct dp_recompute *, const struct dp_mech_rule *) DP_MUSTUSE;

struct column {
	dp_wide held;
	uint64_t choice, unused;
	int64_t sum[];
};

/* Error of the value before its noise (counter/mech.h). */
static void
set_interval(struct dp_recompute *k)
{
	k->m.off.drift = k->half;
	if (k->show != DP_MAXSUM_BOTH || k->m.inputs == 1)
		return;
	k->m.off.drift += fmin(dp_choose_gap(&k->choose, k->m.inputs, k->beta / 2), 0x1p62);
	k->m.off.worst_of = 2;
}

static int
recompute_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	const size_t D = rule->inputs;
	struct dp_recompute *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > INT64_MAX / 4)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sums_column(sizeof(struct column), D));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->show = own->show;
	k->beta = rule->beta;
	k->grow = rule->hi > 0 ? (double)rule->hi : 0;
	k->fall = rule->lo < 0 ? -(double)rule->lo : 0;
	k->drift = own->ones > 1 ? k->grow + k->fall : fmax(k->grow, k->fall);
	k->m.inputs = D;
	k->m.outputs = k->show == DP_MAXSUM_BOTH ? 2 : 1;
	if ((e = dp_recompute_plan(k, rule)) != 0)
		return e;
	set_interval(k);
	k->m.estimate.first = k->r;
	snprintf(k->what[0], sizeof k->what[0], "the sum, once in %" PRIu64 " steps", k->r);
	snprintf(k->what[1], sizeof k->what[1], "the choice, once in %" PRIu64 " steps", k->r);
	return 0;
}

static int
recompute_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	(void)rng;
	((struct column *)col)->held = ((const struct dp_recompute *)(const void *)m)->centre;
	return 0;
}

static int
release_recompute(const struct dp_recompute *k, struct column *c, struct dp_rng *rng)
{
	const size_t D = k->m.inputs;
	size_t which = 0;
	int64_t most, z;
	int e;

	if (k->show & DP_MAXSUM_CHOICE) {
		if ((e = dp_choose(&k->choose, rng, c->sum, D, &which)) != 0)
			return e;
		c->choice = which;
		most = c->sum[which];
	} else
		most = sums_largest(c->sum, D);
	if ((k->show & DP_MAXSUM_VALUE) == 0)
		return 0;
	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	c->held = (dp_wide)most + z + k->centre;
	return 0;
}

static int
recompute_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_recompute *k = (const void *)m;
	struct column *c = col;
	int e;

	sums_add(c->sum, x, m->inputs);
	if (t % k->r == 0 && (e = release_recompute(k, c, rng)) != 0)
		return e;
	if (k->show & DP_MAXSUM_CHOICE)
		*est++ = (dp_wide)c->choice;
	if (k->show & DP_MAXSUM_VALUE)
		*est = c->held;
	return 0;
}

static bool
recompute_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return c->choice < m->inputs && sums_valid(c->sum, m->inputs);
}

static void
law_recompute(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_recompute *k = (const void *)m;

	if (out + 1 == m->outputs && (k->show & DP_MAXSUM_VALUE) && t >= k->r)
		dp_law_add(l, &k->noise, 1, 1);
}

/* Mean |z|: 1 / sinh(1/b) < b, and sigma sqrt(2/pi). */
static double
mean_of(const struct dp_noise *z)
{
	if (z->kind == DP_NOISE_LAPLACE)
		return dp_q_double(z->param);
	return sqrt(dp_noise_variance(z) * 2 / M_PI);
}

/*
 * Mean: that of a value is half and E |z| at the most; of a choice, half of the drift and the sum
 * of dp_choose_tail(y), y = 1, 2, ..: b ln n, or b (1/2 + .. + 1/n).
 */
static void
recompute_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_recompute *k = (const void *)m;
	const double n = (double)m->inputs, off = k->half + mean_of(&k->noise);
	double gap = 0, behind = n > 1 ? (double)(k->r - 1) * k->drift / 2 : 0;

	if (k->choose.kind != DP_NOISE_NONE && n > 1)
		gap = dp_q_double(k->choose.scale) * (k->choose.kind == DP_NOISE_WEIGH ? log(n) :
		    log(n) + 0.5772156649 - 1 + 0.5 / n);
	e->max = dp_recompute_quantile(k, INFINITY);
	e->mean = k->show == DP_MAXSUM_VALUE ? off : k->show == DP_MAXSUM_CHOICE ? gap + behind :
	    gap + fmax(behind, off);
	e->worst = 2 * k->r - 1 < T ? 2 * k->r - 1 : T;
}

static bool
recompute_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_recompute *k = (const void *)m;
	const bool choice = i == 0 && (k->show & DP_MAXSUM_CHOICE);

	*z = choice ? &k->shown : &k->noise;
	*what = k->what[choice];
	return i < m->outputs && (*z)->kind != DP_NOISE_NONE;
}

static double
draws_recompute(const struct dp_mech *m)
{
	const struct dp_recompute *k = (const void *)m;

	return ((k->show & DP_MAXSUM_VALUE ? 1 : 0) +
	    (k->show & DP_MAXSUM_CHOICE ? (double)m->inputs : 0)) / (double)k->r;
}

static bool
recompute_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	if (i > 0 || m->estimate.first <= 1)
		return false;
	snprintf(text, size, "nothing is released before step %" PRIu64 ": up to there estimates "
	    "are left empty (json: null)", m->estimate.first);
	return true;
}

static int
recompute_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_recompute *k = (const void *)m;
	int e = 0;

	if ((k->show & DP_MAXSUM_CHOICE) != 0)
		e = dp_certificate_choices(b, &k->choose, k->spread, k->releases);
	return e != 0 || (k->show & DP_MAXSUM_VALUE) == 0 ? e :
	    dp_certificate_values(b, &k->noise, k->linf, k->releases);
}

const struct dp_mech_ops dp_maxsum_recompute_ops = {
	.name = "recompute",
	.say.source = "found anew at regular steps and held between, centred (after Jain et al. "
	    "2021)",
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.say.refuses = dp_maxsum_no_margin,
	.create = recompute_create, .start = recompute_start, .step = recompute_step, .valid =
	    recompute_valid,
	.law.at = law_recompute, .error = recompute_error, .drawn.family = recompute_family,
	    .drawn.number = draws_recompute,
	.say.note = recompute_note, .drawn.certify = recompute_certify
};

/*
 * How often a largest sum is found anew, with which noise: what has the least
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

#define WHOLE		((uint64_t)1 << 24)	/* shares are multiples of 1/WHOLE */
#define EACH		48		/* numbers of releases that are all tried */

/* Numbers found by a search. */
struct shape {
	uint64_t r;
	bool concentrated;
	uint64_t share;			/* of the value, where both are shown */
};

/* Of the largest loss over all steps, once it is planned; INFINITY: it is not below `most`. */
/*
 * Of both, what is cut off for the value makes the gap of the choice no smaller, and the less is
 * cut the wider is the value.
 */
static double
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
fit_recompute_plan(struct dp_recompute *k, const struct dp_privacy *p, const struct shape *s)
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
	return fit_recompute_plan(k, dry, s) == 0 ? dp_recompute_quantile(k, most) : INFINITY;
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

/* Tries the shortest blocks that make at most m of them; keeps the better plan. */
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
search_recompute_plan(struct dp_recompute *k, const struct dp_privacy *dry, bool concentrated,
    struct shape *best,
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
find_plan(struct dp_recompute *k, const struct dp_mech_rule *rule, struct shape *s)
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
			search_recompute_plan(k, &dry, i != 0, &best[i], &least[i]);
	dry.quick = false;
	if (least[1] < INFINITY)
		least[1] = fmin(least[1], tried(k, &dry, &best[1], INFINITY));
	i = least[1] < least[0];
	*s = best[i];
	return least[i] < INFINITY ? 0 : DP_ERANGE;
}

/* r, the noise and the drift, with the least quantile; DP_ERANGE: no noise fits. */
static int
dp_recompute_plan(struct dp_recompute *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct shape s = { 1, false, WHOLE / 2 };
	int e;

	if (!dp_numbers_replays(numbers) && (e = find_plan(k, rule, &s)) != 0)
		return e;
	dp_numbers_same(numbers, "show", k->show);
	s.r = dp_numbers_int(numbers, "every", s.r, 1, rule->horizon);
	s.concentrated = dp_numbers_int(numbers, "concentrated", s.concentrated, 0, 1) != 0;
	s.share = dp_numbers_int(numbers, "share", s.share, 1, WHOLE - 1);
	if ((e = fit_recompute_plan(k, &rule->privacy, &s)) != 0)
		return e;
	if (k->choose.kind != DP_NOISE_NONE)
		e = dp_noise_describe(&k->shown, k->choose.kind, k->choose.scale);
	return e;
}
