/* SPDX-License-Identifier: ISC */
/*
 * mean.c - mean, variance and their like of values in a range (mean.h): the statistic, on windows,
 * decays or running totals by any mechanism of the house.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mean.h"

static double dp_mean_coefficients(const struct dp_mean_asked *, double rho, double *coef);
static size_t dp_mean_note(const struct dp_mean_asked *, unsigned i, double sd, double least,
    double unit,
	    char *text, size_t size);
static void dp_mean_describe(const struct dp_task *, char *text, size_t size);

#define FINEST	1000		/* parts of the range that a square is exact for */
#define FINER	1000000		/* U on a finer grid, at most, or M: of more there are no trees */
#define SEEN_LOG	11
#define SEEN	(1u << SEEN_LOG)
#define MOST	((uint64_t)1 << 49)	/* what an event adds to all numbers together */

#define NOISE_MAX	1e7	/* grid units, those of one event at epsilon */

unsigned
dp_mean_finer(int64_t lo, int64_t hi, unsigned places, uint64_t events, struct dp_q epsilon)
{
	double noise = ((double)hi - (double)lo) * (events > 1 ? (double)events : 1);
	unsigned finer = dp_range_millionth(lo, hi, places), i;

	noise *= (double)epsilon.den / (double)epsilon.num;
	for (i = 0; i < finer; i++)
		noise *= 10;
	for (; finer > 0 && noise > NOISE_MAX; finer--)
		noise /= 10;
	return finer;
}

unsigned
dp_mean_decimals(int64_t lo, int64_t hi, bool ratios)
{
	unsigned n = 0;
	double width;

	for (width = (double)hi - (double)lo; width < (ratios ? 1e9 : 1e6); width *= 10)
		n++;
	return n;
}

unsigned
dp_mean_fewer(const struct dp_mean_asked *k, unsigned i)
{
	return k->what[i] == DP_MEAN_COUNT ? k->places + k->decimals - k->weight.shown :
	    k->what[i] == DP_MEAN_SUM ? k->decimals + k->finer - k->weight.shown : 0;
}

static const char *const short_word[] = { [DP_MEAN_MEAN] = "mean", [DP_MEAN_SD] = "sd",
	[DP_MEAN_VARIANCE] = "variance", [DP_MEAN_COUNT] = "count", [DP_MEAN_SUM] = "sum" };

const char *
dp_mean_word(enum dp_mean_what what)
{
	return short_word[what];
}

int
dp_mean_statistics(struct dp_mean_asked *k, const char *text, const char **bad)
{
	unsigned i, j;
	size_t n;

	for (k->n = 0; ; text++) {
		n = strcspn(text, ",");
		for (i = 0; i < DP_MEAN_KINDS; i++)
			if (strlen(short_word[i]) == n && strncmp(short_word[i], text, n) == 0)
				break;
		*bad = text;
		if (i == DP_MEAN_KINDS)
			return DP_EINVAL;
		for (j = 0; j < k->n; j++)
			if (k->what[j] == i)
				return DP_ERANGE;
		k->what[k->n++] = i;
		if (*(text += n) == '\0')
			return 0;
	}
}

bool
dp_mean_share(const struct dp_mean_asked *k)
{
	return k->weight.most != 0 || (uint64_t)k->hi - (uint64_t)k->lo == 1;
}

unsigned
dp_mean_numbers(const struct dp_mean_asked *k)
{
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (k->what[i] == DP_MEAN_SD || k->what[i] == DP_MEAN_VARIANCE)
			return 3;
	return k->sampling && !dp_mean_share(k) ? 3 : 2;
}

static uint64_t
range_of(const struct dp_mean_asked *k)
{
	return (uint64_t)k->hi - (uint64_t)k->lo;
}

uint64_t
dp_mean_unit(const struct dp_mean_asked *k)
{
	const uint64_t M = range_of(k);
	uint64_t times = M < FINEST ? M : FINEST;

	if (k->weight.most != 0)
		return M * k->weight.finer;
	if (dp_mean_numbers(k) == 2 || M > MOST || (k->finer != 0 && M >= FINER))
		return M;
	if (k->finer != 0 && times > FINER / M)
		times = FINER / M;
	return M * (times < MOST / M ? times : MOST / M);
}

uint64_t
dp_mean_reach(const struct dp_mean_asked *k)
{
	return dp_mean_unit(k) * (k->weight.most != 0 ? k->weight.most : 1);
}

void
dp_mean_split(const struct dp_mean_asked *k, int64_t value, int64_t *x)
{
	const uint64_t M = range_of(k), U = dp_mean_unit(k);
	const uint64_t v = (uint64_t)value - (uint64_t)k->lo, u = U / M * v;
	uint64_t b2;

	if (dp_mean_numbers(k) == 2) {
		x[0] = (int64_t)(M - v);
		x[1] = (int64_t)v;
		return;
	}
	b2 = (uint64_t)(((dp_uwide)u * v + M / 2) / M);
	x[0] = (int64_t)(U - 2 * u + b2);
	x[1] = (int64_t)(2 * u - 2 * b2);
	x[2] = (int64_t)b2;
}

#define WIDE	((dp_wide)1 << 76)	/* times a reach still fits */

/* One factor for both, such that they are R together. */
static void
scale_down(dp_wide R, dp_wide x[2])
{
	while (x[0] + x[1] >= WIDE) {
		x[0] /= 2;
		x[1] /= 2;
	}
	x[1] = (x[1] * R + (x[0] + x[1]) / 2) / (x[0] + x[1]);
	x[0] = R - x[1];
}

bool
dp_mean_weigh(const struct dp_mean_asked *k, int64_t v, int64_t w, int64_t *x)
{
	const dp_wide unit = (dp_wide)w * (dp_wide)k->weight.finer;
	const dp_wide R = dp_mean_reach(k), cap = k->weight.cap;
	const dp_wide free[] = { unit * k->hi - v, v - unit * k->lo };
	dp_wide y[2];
	unsigned i;

	for (i = 0; i < 2; i++) {
		y[i] = free[i] < 0 ? 0 : free[i];
		if (cap != 0 && y[i] > cap)
			y[i] = cap;
	}
	if (cap == 0 && y[0] + y[1] > R)
		scale_down(R, y);
	for (i = 0; i < 2; i++)
		x[i] = (int64_t)y[i];
	return y[0] == free[0] && y[1] == free[1];
}

struct mean {
	struct dp_mech m;
	const struct dp_mean_asked *asked;
	uint64_t U;
	unsigned numbers, windows;
	double scale;			/* what a private number is in units of */
	double unit, square, total;	/* of means, variances and sums, to a grid unit */
	double least[DP_WINDOWS_MAX];	/* a mean is printed from this sum B on */
	uint64_t report;		/* steps that are looked at are up to here */
	const char *name[DP_WINDOWS_MAX];	/* of a window, if there are several */
	struct dp_mean_law *law;	/* SEEN, by their variance, and as many of pairs; */
	struct dp_sampling_law *sampled;	/* or the last one of each window */
	struct total_law {	/* of sums of n columns, the last one of each n and window */
		size_t n;
		unsigned window;
		struct dp_mean_law law;
	} *summed;
	size_t sums;
	struct dp_law *of;
};

static struct mean *
plan_of_mean(const struct dp_mech *m)
{
	return (void *)(uintptr_t)m;
}

/* Number i of a window, in units that events add. */
static void
read_numbers(const struct mean *k, const void *col, unsigned window, double *b)
{
	const dp_wide *y = dp_parts_numbers(&k->m, col);
	unsigned i;

	for (i = 0; i < k->numbers; i++)
		b[i] = (double)y[i * k->windows + window] / k->scale;
}

/* What is printed of sums, in grid units of them: weights may have a finer grid than was asked. */
static double
shown(const struct mean *k)
{
	return pow(10, (double)k->asked->weight.places - (double)k->asked->weight.shown);
}

/* sum over numbers of (LO + s[i] M) B[i] / U, in its units, or of B[i] / U; halves up. */
static dp_wide
total(const struct mean *k, const double *b, bool sum)
{
	const double M = (double)range_of(k->asked), lo = (double)k->asked->lo;
	double y = 0;
	unsigned i;

	for (i = 0; i < k->numbers; i++)
		y += b[i] * (sum ? (lo + M * i / (k->numbers - 1)) / (double)k->U :
		    1 / (double)k->U);
	return (dp_wide)floor(y * (sum ? k->total : 1) / shown(k) + .5);
}

/* The mean as a part of the range. */
static double
part_of_range(const struct mean *k, const double *b, double all)
{
	return fmin(fmax(.5 * (b[k->numbers - 1] - b[0]) / all + .5, 0), 1);
}

static double
variance_of(const double *b, double all)
{
	return fmin(fmax((b[0] * b[2] - b[1] * b[1] / 4) / (all * all), 0), .25);
}

/* Of a part of the range r, or of its square, in the estimate's units. */
static double
scaled(const struct mean *k, enum dp_mean_what what, double r)
{
	const double M = (double)range_of(k->asked);

	if (what == DP_MEAN_MEAN)
		return k->unit * ((double)k->asked->lo + M * r);
	return what == DP_MEAN_SD ? k->unit * M * sqrt(r) : k->square * M * M * r;
}

static dp_wide
estimate(const struct mean *k, enum dp_mean_what what, double least, const double *b)
{
	double all = 0;
	unsigned i;

	if (what == DP_MEAN_COUNT || what == DP_MEAN_SUM)
		return total(k, b, what == DP_MEAN_SUM);
	for (i = 0; i < k->numbers; i++)
		all += b[i];
	if (!(all > 0) || all < least)
		return DP_NONE;
	return (dp_wide)rint(scaled(k, what, what == DP_MEAN_MEAN ?
	    part_of_range(k, b, all) : variance_of(b, all)));
}

static int
mean_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct mean *k = plan_of_mean(m);
	double b[DP_MEAN_NUMBERS];
	unsigned w, i;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (w = 0; w < k->windows; w++) {
		read_numbers(k, col, w, b);
		for (i = 0; i < k->asked->n; i++)
			*est++ = estimate(k, k->asked->what[i], k->least[w], b);
	}
	return 0;
}

/* The noise of a private number. */
static struct dp_mean_noise
noise_of(const struct mean *k)
{
	return (struct dp_mean_noise){ k->of, k->m.part->inner->off.drift + (k->scale > 1 ? 1 /
	    k->scale : 0), k->scale == 1, 1 };
}

/* Laws of equal variance are one (counter/width.h); a window's come again. */
static int
law_at(struct mean *k, unsigned window, uint64_t t, double gamma, bool pair,
    const struct dp_mean_law **out)
{
	struct dp_mean_law *l = k->law + (pair ? SEEN : 0);
	uint64_t bits;
	double v;

	dp_mech_law(k->m.part->inner, window, t, k->of);
	v = dp_law_variance(k->of);
	memcpy(&bits, &v, sizeof bits);
	*out = l += bits * 0x9e3779b97f4a7c15u >> (64 - SEEN_LOG);
	if (l->gamma == gamma && l->variance == v)
		return 0;
	return dp_mean_law(l, k->asked, noise_of(k), gamma, pair);
}

static int
sampled_at(struct mean *k, unsigned window, uint64_t t, double gamma,
    const struct dp_sampling_law **out)
{
	struct dp_sampling_law *l = &k->sampled[window];

	dp_mech_law(k->m.part->inner, window, t, k->of);
	*out = l;
	if (l->gamma == gamma && l->variance == dp_law_variance(k->of))
		return 0;
	return dp_sampling_law(l, k->asked, noise_of(k), gamma);
}

static void
ends(const struct mean *k, const struct dp_mean_law *l, enum dp_mean_what what, const double *b,
    dp_wide *lo, dp_wide *hi)
{
	const double U = (double)k->U;
	double end[2], y;

	if (what == DP_MEAN_COUNT || what == DP_MEAN_SUM) {
		y = (what == DP_MEAN_COUNT ? l->all / U : l->sum / U * k->total) / shown(k);
		*lo = total(k, b, what == DP_MEAN_SUM) - (dp_wide)ceil(y + .5);
		*hi = total(k, b, what == DP_MEAN_SUM) + (dp_wide)ceil(y + .5);
		return;
	}
	if (what == DP_MEAN_MEAN)
		dp_mean_hull(l, b, k->numbers, end);
	else
		dp_mean_box(l, b, end);
	*lo = (dp_wide)floor(scaled(k, what, end[0]));
	*hi = (dp_wide)ceil(scaled(k, what, end[1]));
}

/* The interval of --sampling; of a difference of two keys it is the same. */
static void
hull_of(const struct mean *k, const struct dp_sampling_law *l, const double *b, dp_wide *lo,
    dp_wide *hi)
{
	double end[2];

	dp_sampling_hull(l, b, end);
	*lo = (dp_wide)floor(scaled(k, DP_MEAN_MEAN, end[0]));
	*hi = (dp_wide)ceil(scaled(k, DP_MEAN_MEAN, end[1]));
}

static int
interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	struct mean *k = plan_of_mean(m);
	const unsigned window = out / k->asked->n;
	const struct dp_sampling_law *sampled;
	const struct dp_mean_law *l;
	double b[DP_MEAN_NUMBERS];
	int e;

	read_numbers(k, col, window, b);
	if (k->asked->sampling) {
		if ((e = sampled_at(k, window, t, gamma, &sampled)) != 0)
			return e;
		hull_of(k, sampled, b, lo, hi);
		return 0;
	}
	if ((e = law_at(k, window, t, gamma, false, &l)) != 0)
		return e;
	ends(k, l, k->asked->what[out % k->asked->n], b, lo, hi);
	return 0;
}

/* The law of n columns' sums, which is made when it is asked for. */
static int
total_law(struct mean *k, unsigned window, uint64_t t, size_t n, double gamma,
    const struct dp_mean_law **out)
{
	struct dp_mean_noise z = noise_of(k);
	struct total_law *l;
	size_t i = 0;

	while (i < k->sums && (k->summed[i].n != n || k->summed[i].window != window))
		i++;
	if (i == k->sums) {
		if ((l = reallocarray(k->summed, i + 1, sizeof *l)) == NULL)
			return DP_ENOMEM;
		k->summed = l;
		k->summed[k->sums++] = (struct total_law){ n, window, { .gamma = 0 } };
	}
	dp_mech_law(k->m.part->inner, window, t, k->of);
	z.n = n;
	*out = &k->summed[i].law;
	if ((*out)->gamma == gamma && (*out)->variance == dp_law_variance(k->of))
		return 0;
	return dp_mean_law(&k->summed[i].law, k->asked, z, gamma, false);
}

/* Counts and sums of columns are sums of their estimates, so that printed numbers add up. */
static int
total_of(const struct dp_mech *m, const void *const col[], size_t n, unsigned out, uint64_t t,
    double gamma, dp_wide *est, dp_wide *lo, dp_wide *hi)
{
	struct mean *k = plan_of_mean(m);
	const unsigned window = out / k->asked->n;
	const enum dp_mean_what what = k->asked->what[out % k->asked->n];
	const bool adds = what == DP_MEAN_COUNT || what == DP_MEAN_SUM;
	double sum[DP_MEAN_NUMBERS] = { 0 }, b[DP_MEAN_NUMBERS];
	const struct dp_mean_law *l;
	unsigned i;
	size_t j;
	int e;

	for (*est = 0, j = 0; j < n; j++) {
		read_numbers(k, col[j], window, b);
		*est += adds ? total(k, b, what == DP_MEAN_SUM) : 0;
		for (i = 0; i < k->numbers; i++)
			sum[i] += b[i];
	}
	if (!adds)
		*est = estimate(k, what, k->least[window] * sqrt((double)n), sum);
	if (lo == NULL)
		return 0;
	if ((e = total_law(k, window, t, n, gamma, &l)) != 0)
		return e;
	ends(k, l, what, sum, lo, hi);
	*lo = adds && *est < *lo ? *est : *lo;
	*hi = adds && *est > *hi ? *est : *hi;
	return 0;
}

/* A mean's own interval may be beyond the range, where no mean is, and its estimate too. */
static void
apart_mean(const struct mean *k, const struct dp_mean_law *l, const double *b,
    struct dp_law_range *v)
{
	double end[2], all = 0;
	unsigned i;

	for (i = 0; i < k->numbers; i++)
		all += b[i];
	dp_mean_hull_beyond(l, b, k->numbers, end);
	v->lo = (dp_wide)floor(scaled(k, DP_MEAN_MEAN, end[0]));
	v->hi = (dp_wide)ceil(scaled(k, DP_MEAN_MEAN, end[1]));
	v->least = (dp_wide)rint(scaled(k, DP_MEAN_MEAN, 0));
	v->most = (dp_wide)rint(scaled(k, DP_MEAN_MEAN, 1));
	if (v->est != DP_NONE)
		v->est = (dp_wide)rint(scaled(k, DP_MEAN_MEAN, .5 * (b[k->numbers - 1] - b[0]) /
		    all + .5));
}

static int
apart_at(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    struct dp_law_range *v)
{
	struct mean *k = plan_of_mean(m);
	const unsigned window = out / k->asked->n;
	const enum dp_mean_what what = k->asked->what[out % k->asked->n];
	const struct dp_sampling_law *sampled;
	const struct dp_mean_law *l;
	double b[DP_MEAN_NUMBERS];
	int e;

	read_numbers(k, col, window, b);
	if (k->asked->sampling) {
		if ((e = sampled_at(k, window, t, gamma, &sampled)) != 0)
			return e;
		hull_of(k, sampled, b, &v->lo, &v->hi);
		v->least = (dp_wide)rint(scaled(k, DP_MEAN_MEAN, 0));
		v->most = (dp_wide)rint(scaled(k, DP_MEAN_MEAN, 1));
		return 0;
	}
	if ((e = law_at(k, window, t, gamma, true, &l)) != 0)
		return e;
	v->least = v->most = DP_NONE;
	if (what == DP_MEAN_MEAN)
		apart_mean(k, l, b, v);
	else
		ends(k, l, what, b, &v->lo, &v->hi);
	v->box = (what == DP_MEAN_SD || what == DP_MEAN_VARIANCE) && v->lo == 0;
	return 0;
}

/* N times the error of a mean where it is largest, at an end: whatever the output is. */
static void
law_mean(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct mean *k = plan_of_mean(m);
	double coef[DP_MEAN_NUMBERS];

	dp_mech_law(m->part->inner, out / m->estimate.alike, t, k->of);
	dp_mean_coefficients(k->asked, 0, coef);
	dp_law_mix(l, k->of, coef, k->numbers);
}

static void
mean_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct mean *k = plan_of_mean(m);
	double coef[DP_MEAN_NUMBERS];
	const double n = dp_mean_coefficients(k->asked, 0, coef);

	dp_mech_error(m->part->inner, T, e);
	e->max *= n * n;
	e->mean *= n * n;
}

double
dp_largest_variance(const struct dp_mech *in, unsigned window, uint64_t report, struct dp_law *of)
{
	const uint64_t T = report != 0 ? report : 1, at[] = { 1, (T + 1) / 2, T };
	double v = 0;
	unsigned i;

	for (i = 0; i < 3; i++) {
		dp_mech_law(in, window, at[i], of);
		v = fmax(v, dp_law_variance(of));
	}
	return v;
}

/* Width of the interval of N events, half of them at both ends or evenly spread; 1: unknown. */
static double
width_of(const struct dp_sampling_law *l, double N)
{
	static const double even[] = { 1. / 3, 1. / 3, 1. / 3 }, halves[] = { .5, 0, .5 };
	double b[DP_MEAN_NUMBERS], end[2];
	unsigned i;

	for (i = 0; i < l->n; i++)
		b[i] = N * l->unit * (l->shares ? halves[l->n == 2 ? 2 * i : i] : even[i]);
	dp_sampling_hull(l, b, end);
	return end[1] - end[0];
}

/* What --sampling adds. */
static bool
sampling_note(const struct mean *k, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_mean_weight *w = &k->asked->weight;
	const double M = (w->most == 0 ? unit : w->grid * (double)w->finer *
	    pow(10, w->places)) * (double)range_of(k->asked);
	struct dp_sampling_law *l;
	struct dp_mean_noise z;
	struct dp_law *of;
	bool known;

	if (i == 1 && !dp_mean_share(k->asked)) {
		snprintf(text, size, "--sampling has a third total, of squares, which tells how "
		    "far apart values are; its noise comes out of the same budget, and that of a "
		    "mean is up to sqrt(5/4) of what two totals would have, at an end of the "
		    "range");
		return true;
	}
	if (i != 0)
		return false;
	if ((l = calloc(1, sizeof *l)) == NULL || (of = malloc(sizeof *of)) == NULL) {
		free(l);
		return false;
	}
	dp_mech_law(k->m.part->inner, 0, k->report != 0 ? k->report : 1, of);
	z = noise_of(k);
	z.law = of;
	known = dp_sampling_law(l, k->asked, z, k->asked->gamma) == 0;
	if (known)
		snprintf(text, size, "the interval of -B --sampling is of what the events are a "
		    "sample of, noise included: of %s it is %.3g wide %s, %.3g for 1000, %.3g for "
		    "10000 (the noise interval above is of the noise alone)", w->most != 0 ?
		    "a ratio in the middle of the range" : l->shares ? "a share of one half" :
		    "values spread evenly over the range", M * width_of(l, 100), w->most != 0 ?
		    "where the weights are 100 times the largest" : "for 100 events",
		    M * width_of(l, 1000), M * width_of(l, 10000));
	free(l);
	free(of);
	return known;
}

/* Error of each output, and outputs that stay empty. */
static bool
mean_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct mean *k = plan_of_mean(m);
	double sd = 0, least = 0, own;
	const char *most = NULL;	/* the window of the largest */
	unsigned w, end;
	size_t n;

	for (w = 0; w < k->windows; w++) {
		own = sqrt(dp_largest_variance(k->m.part->inner, w, k->report, k->of));
		if (k->windows > 1 && (most == NULL || own > sd))
			most = k->name[w];
		sd = fmax(sd, own);
		least = fmax(least, k->least[w]);
	}
	n = dp_mean_note(k->asked, i, sd, least, unit, text, size);
	if (n == 0) {		/* the notes that --sampling adds are behind those */
		for (end = i; end > 0 && dp_mean_note(k->asked, end - 1, sd, least, unit, text,
		    size) == 0; end--)
			;
		return k->asked->sampling && sampling_note(k, i - end, unit, text, size);
	}
	if (most != NULL)
		snprintf(text + n, size - n, " (of %s, which has the most noise)", most);
	return true;
}

static void
mean_destroy(struct dp_mech *m)
{
	free(plan_of_mean(m)->law);
	free(plan_of_mean(m)->sampled);
	free(plan_of_mean(m)->summed);
	free(plan_of_mean(m)->of);
}

static const struct dp_mech_ops ops = {
	.name = "mean", .say.source = "computed of private totals", .step = mean_step,
	.open.add = dp_parts_add, .valid = dp_parts_valid, .law.at = law_mean,
	.bound.interval = interval, .bound.apart = apart_at, .bound.total = total_of,
	.error = mean_error, .say.note = mean_note, .destroy = mean_destroy, .drawn.certify =
	    dp_certificate_parts
};

/* What the numbers are to be told from: twice the standard deviation of their sum. */
static int
set_least_mean(struct mean *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	unsigned w;
	double v = 0;

	k->report = rule->report;
	for (w = 0; w < k->windows; w++) {
		k->name[w] = rule->task.window[w];
		if (dp_numbers_finds(numbers))
			v = dp_largest_variance(k->m.part->inner, w, k->report, k->of);
		k->least[w] = dp_numbers_new_real(numbers, "printed-from",
		    2 * sqrt(k->numbers * v), 0, DBL_MAX);
	}
	return dp_numbers_error(numbers);
}

static int
mean_make(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	struct mean *k = dp_mech_alloc(&ops, sizeof *k, rule->horizon, 0);
	const struct dp_mech *in;
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	if ((e = dp_parts_create(&k->m, rule, &counter, whole)) != 0)
		return e;
	in = k->m.part->inner;
	k->asked = rule->task.own;
	k->U = dp_mean_unit(k->asked);
	k->numbers = dp_mean_numbers(k->asked);
	k->windows = in->outputs;
	k->scale = pow(10, in->estimate.decimals);
	k->unit = pow(10, k->asked->decimals);
	k->square = k->unit / pow(10, k->asked->places);
	k->total = 1 / pow(10, k->asked->finer);
	k->m.outputs = k->windows * k->asked->n;
	k->m.estimate.alike = k->asked->n;
	k->m.estimate.decimals = k->asked->decimals;
	k->m.drawn.distribution = in->drawn.distribution;
	k->m.estimate.gaps = true;
	k->law = calloc(2 * SEEN, sizeof *k->law);
	k->sampled = calloc(k->asked->sampling ? k->windows : 1, sizeof *k->sampled);
	k->of = malloc(sizeof *k->of);
	if (k->law == NULL || k->sampled == NULL || k->of == NULL)
		return DP_ENOMEM;
	return set_least_mean(k, rule);
}

const struct dp_statistic dp_mean_statistic = {
	.name = "mean", .describe = dp_mean_describe, .measure = DP_MEASURE_RMSE, .fades = true,
	.error = "the error of a mean of N events, times N,",
	.make = mean_make
};

static double
weighted_unit(const struct dp_task *task)
{
	return ((const struct dp_mean_asked *)task->own)->weight.grid;
}

const struct dp_statistic dp_mean_weighted = {
	.name = "ratio", .describe = dp_mean_describe, .measure = DP_MEASURE_RMSE, .fades = true,
	.error = "the error of a ratio, times the sum of weights,",
	.noun = "ratio, times the sum of weights,", .unit = weighted_unit, .make = mean_make
};

/* Intervals of means and variances by inversion (mean.h, INTERVALS). */

#define FINE	64	/* units to a standard deviation: bounds are whole numbers of them */
#define COARSE	4	/* of that many knots one is computed, where q is convex */
#define REAL	0x1p20	/* grains to a scale, at least, of what stands for noise of reals */
#define NOISES	8

/* What bounds of sums of n numbers' noise are found by. */
struct finder {
	unsigned n;
	struct dp_law law, mix;
	double off;			/* what each number may add to a bound */
	struct dp_strips *strips;	/* of a coarse lattice; or NULL */
	struct dp_noise real[NOISES];
};

/*
 * Noise of reals that |z + U| is less spread than, in grains of which a unit has so many (mean.md,
 * LATTICES).  0: it is too wide for that to show.
 */
static double
real_of(enum dp_noise_kind kind, double param, struct dp_noise *real)
{
	const bool gauss = kind == DP_NOISE_GAUSS;
	const double wide = gauss ? sqrt(param + .5) : .5 / tanh(.5 / param);
	const double grains = ceil(REAL / wide), scale = ceil(wide * grains);

	return wide >= REAL || dp_noise_describe(real, kind, dp_q_make((uint64_t)(gauss ?
	    scale * scale : scale), 1)) != 0 ? 0 : grains;
}

/* A lattice that is fine counts as the reals, and adds half of its unit for each number. */
static void
take_for_reals(struct finder *f)
{
	const struct dp_noise *last = NULL;
	struct dp_law_term *t;
	double grains = 0;
	unsigned i, some = 0;

	for (i = 0; i < f->law.terms; i++) {
		t = &f->law.term[i];
		if (t->noise != last) {
			last = t->noise;
			grains = some < NOISES ? real_of(last->kind, dp_q_double(last->param),
			    &f->real[some++]) : 0;
		}
		if (grains > 0) {
			t->noise = &f->real[some - 1];
			t->coef /= grains;
		}
	}
}

static void
take_rounded(struct finder *f)
{
	const double grains = real_of(DP_NOISE_GAUSS, dp_law_variance(&f->law), &f->real[0]);

	if (grains > 0) {
		dp_law_clear(&f->law);
		dp_law_add(&f->law, &f->real[0], 1 / grains, 1);
	}
}

/*
 * times: of the sum of `times' numbers, or the difference of two, each with noise of its own.
 * gamma: the least that is asked.
 * What is rounded, and neither on a lattice before nor normal, may be off by a half.
 */
static int
find_by(struct finder *f, unsigned n, struct dp_mean_noise z, size_t times, double gamma)
{
	const double unit = dp_strips_lattice(z.law);
	const bool normal = unit == 0 && z.whole && times == 1 && dp_strips_normal(z.law);
	int e;

	f->n = n;
	f->law = *z.law;
	f->off = z.drift + (z.law->parts > 0 ? 1 : z.whole && unit != floor(unit) ? .5 :
	    z.whole && unit == 0 && !normal && z.law->terms > 0 ? .5 : 0);
	if (times > 1 && !dp_law_times(&f->law, (unsigned)times))
		f->law.full = true;
	f->off *= (double)times;
	z = (struct dp_mean_noise){ &f->law, 0, normal, 1 };
	if ((e = dp_strips_new(&f->strips, z, n, gamma)) != 0 || f->strips != NULL)
		return e;
	f->off += unit > 0 ? unit / 2 : normal ? .5 : 0;
	if (unit > 0)
		take_for_reals(f);
	else if (normal)
		take_rounded(f);
	return 0;
}

/*
 * |sum coef[i] w[i]| is above it with probability gamma at most; INFINITY: nothing is known.  n is
 * all numbers, or 1.  Of parts the variance is known: theirs is that of the widest law on whole
 * numbers, and a unit of each number is for what log-concavity that is measured leaves open.
 */
static double
bound(struct finder *f, const double *coef, unsigned n, double gamma)
{
	const double v = dp_law_variance(&f->law), sd = sqrt(v);
	double finer[DP_MEAN_NUMBERS], most = 0, off = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		most = fmax(most, fabs(coef[i]));
		off += fabs(coef[i]) * f->off;
	}
	if (f->strips != NULL)
		return (n == 1 ? most * dp_strips_one(f->strips, gamma) :
		    dp_strips_bound(f->strips, coef, gamma)) + off;
	if (sd == 0 || most == 0)
		return off;
	for (i = 0; i < n; i++)
		finer[i] = coef[i] / most * FINE / sd;
	dp_law_mix(&f->mix, &f->law, finer, n);
	return (dp_law_bound(&f->mix, gamma) + .5) * (f->law.parts > 0 ? dp_law_spread(v) : sd) /
	    FINE * most + off;
}

/* What W multiplies each number by, at knot j. */
static void
set_contrast(double *coef, unsigned n, unsigned j)
{
	unsigned i;

	for (i = 0; i < n; i++)
		coef[i] = dp_mean_part(i, n) - j / (2. * (DP_MEAN_KNOTS - 1));
}

/* Bounds at the knots, whose chords are bounds between them. */
static void
bound_knots(struct finder *f, double gamma, double *knot)
{
	double coef[DP_MEAN_NUMBERS], x;
	unsigned i, j, at;

	if (f->strips != NULL)
		dp_strips_bounds(f->strips, gamma, DP_MEAN_KNOTS, knot, NULL);
	for (j = 0; j < DP_MEAN_KNOTS; j++) {
		set_contrast(coef, f->n, j);
		if (f->strips == NULL && j % COARSE == 0)
			knot[j] = bound(f, coef, f->n, gamma);
		for (i = 0; f->strips != NULL && i < f->n; i++)
			knot[j] += fabs(coef[i]) * f->off;
	}
	for (j = 0; f->strips == NULL && j < DP_MEAN_KNOTS; j++)
		if (j % COARSE != 0) {
			at = j - j % COARSE;
			x = (j - at) / (double)COARSE;
			knot[j] = (1 - x) * knot[at] + x * knot[at + COARSE];
		}
}

/* The same; of a pair what two alike must have each to make the bound of their difference. */
static double
bound_of(struct finder *f, bool pair, const double *coef, unsigned n, double gamma)
{
	const double one = bound(f, coef, n, gamma);

	return pair ? fmax(one, bound(f + 1, coef, n, gamma) * M_SQRT1_2) : one;
}

static bool
asked(const struct dp_mean_asked *k, enum dp_mean_what what)
{
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (k->what[i] == what)
			return true;
	return false;
}

static void
set_bounds(struct dp_mean_law *l, const struct dp_mean_asked *k, struct finder *f, bool pair)
{
	const unsigned n = f->n;
	double coef[DP_MEAN_NUMBERS] = { 1, 1, 1 }, twice[DP_MEAN_KNOTS];
	unsigned i, j;

	l->all = asked(k, DP_MEAN_COUNT) ? bound_of(f, pair, coef, n, l->gamma) : 0;
	l->one = n == 3 ? bound_of(f, pair, coef, 1, l->gamma / n) : 0;
	for (i = 0; i < n; i++)
		coef[i] = (double)k->lo + dp_mean_part(i, n) * (double)(k->hi - k->lo);
	l->sum = asked(k, DP_MEAN_SUM) ? bound_of(f, pair, coef, n, l->gamma) : 0;
	bound_knots(f, l->gamma, l->knot);
	if (!pair)
		return;
	bound_knots(f + 1, l->gamma, twice);
	for (j = 0; j < DP_MEAN_KNOTS; j++)
		l->knot[j] = fmax(l->knot[j], twice[j] * M_SQRT1_2);
}

int
dp_mean_law(struct dp_mean_law *l, const struct dp_mean_asked *k, struct dp_mean_noise z,
    double gamma, bool pair)
{
	const unsigned n = dp_mean_numbers(k);
	const size_t times = z.n == 0 ? 1 : z.n;
	struct finder *f = calloc(2, sizeof *f);
	int e;

	if (f == NULL)
		return DP_ENOMEM;
	l->gamma = gamma;
	l->variance = dp_law_variance(z.law);
	if ((e = find_by(f, n, z, times, gamma / n)) == 0 &&
	    (!pair || (e = find_by(f + 1, n, z, 2 * times, gamma / n)) == 0)) {
		set_bounds(l, k, f, pair);
		e = isnan(l->all + l->one + l->sum + l->knot[0]) ? DP_ENOMEM :
		    isinf(l->all) || isinf(l->sum) ? DP_ERANGE : 0;
	}
	dp_strips_free(f[0].strips);
	dp_strips_free(f[1].strips);
	free(f);
	return e;
}

/* D(rho) = mid - rho all, and at 1 - rho its negative for the ends exchanged. */
static void
contrast(const double *b, unsigned n, unsigned side, double *mid, double *all)
{
	unsigned i;

	*mid = *all = 0;
	for (i = 0; i < n; i++) {
		*mid += dp_mean_part(side == 0 ? i : n - 1 - i, n) * b[i];
		*all += b[i];
	}
}

/* The least rho of 0..1 with D no more than q, which is a chord between two knots; 1: none has. */
static double
first_within(const struct dp_mean_law *l, double mid, double all)
{
	const unsigned last = 2 * (DP_MEAN_KNOTS - 1);
	double above, before = 0;
	unsigned j;

	for (j = 0; j <= last; before = above, j++) {
		above = mid - j * all / last - l->knot[j < DP_MEAN_KNOTS ? j : last - j];
		if (!(above > 0))
			return j == 0 ? 0 : (j - 1 + before / (before - above)) / last;
	}
	return 1;
}

void
dp_mean_hull(const struct dp_mean_law *l, const double *b, unsigned n, double end[2])
{
	double mid, all;
	unsigned side;

	for (side = 0; side < 2; side++) {
		contrast(b, n, side, &mid, &all);
		end[side] = side + (side == 0 ? 1 : -1) * first_within(l, mid, all);
	}
}

#define HALVINGS	52

void
dp_mean_hull_beyond(const struct dp_mean_law *l, const double *b, unsigned n, double end[2])
{
	double in, out, try, mid, all;
	unsigned i, side;

	for (side = 0; side < 2; side++) {
		contrast(b, n, side, &mid, &all);
		in = first_within(l, mid, all);
		/*
		 * q below 0: a contrast of larger coefficients, whose law counts as no wider than
		 * that at the end in standard deviations
		 */
		for (out = -1, i = 0; i < HALVINGS && in <= 0 && in != out; i++) {
			try = i == 0 ? out : (in + out) / 2;
			*(mid - try * all > l->knot[0] * hypot(1 - try, try) ? &out : &in) = try;
		}
		end[side] = side + (side == 0 ? 1 : -1) * in;
	}
}

static double
spread(double b0, double b1, double b2)
{
	const double n = b0 + b1 + b2;

	return n > 0 ? (b0 * b2 - b1 * b1 / 4) / (n * n) : 0;
}

/* Most of spread() for x within lo..hi; y, b1: the two others. */
static double
most_interval(double lo, double hi, double b1, double y)
{
	const double top = y > 0 ? b1 + y + b1 * b1 / (2 * y) : b1 > 0 ? INFINITY : lo;

	return spread(fmin(fmax(top, lo), hi), b1, y);
}

void
dp_mean_box(const struct dp_mean_law *l, const double *b, double end[2])
{
	double lo[3], hi[3];
	unsigned i;

	for (i = 0; i < 3; i++) {
		lo[i] = fmax(b[i] - l->one, 0);
		hi[i] = fmax(b[i] + l->one, 0);
	}
	end[0] = fmin(fmin(spread(lo[0], hi[1], lo[2]), spread(lo[0], hi[1], hi[2])),
	    fmin(spread(hi[0], hi[1], lo[2]), spread(hi[0], hi[1], hi[2])));
	end[1] = fmax(fmax(most_interval(lo[0], hi[0], lo[1], lo[2]), most_interval(lo[0], hi[0],
	    lo[1], hi[2])),
	    fmax(most_interval(lo[2], hi[2], lo[1], lo[0]), most_interval(lo[2], hi[2], lo[1],
	    hi[0])));
	if (lo[0] + lo[1] + lo[2] == 0 || isinf(l->one)) {	/* perhaps no event */
		end[0] = 0;
		end[1] = .25;
	}
	end[0] = fmin(fmax(end[0], 0), .25);
	end[1] = fmin(fmax(end[1], 0), .25);
}

/* What is said of means and their like: how far off they are (mean.h). */

/*
 * (s[i] - rho) M / U, one a number: N times the error of a mean that is rho of the range, in grid
 * units, is their sum, each times its noise.  Returns their norm.
 */
static double
dp_mean_coefficients(const struct dp_mean_asked *k, double rho, double *coef)
{
	const unsigned n = dp_mean_numbers(k);
	const double finer = k->weight.most != 0 ? (double)k->weight.finer : 1;
	const double M = ((double)k->hi - (double)k->lo) * finer, U = (double)dp_mean_unit(k);
	double squares = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		coef[i] = ((double)i / (n - 1) - rho) * M / U;
		squares += coef[i] * coef[i];
	}
	return sqrt(squares);
}

/* The i-th kind of output that there is, an sd as a variance; DP_MEAN_KINDS: past the last. */
static int
kind(const struct dp_mean_asked *k, unsigned i)
{
	bool there[DP_MEAN_KINDS] = { false };
	int what = 0;
	unsigned j;

	for (j = 0; j < k->n; j++)
		there[k->what[j]] = true;
	there[DP_MEAN_VARIANCE] |= there[DP_MEAN_SD];
	there[DP_MEAN_SD] = false;
	while (what < DP_MEAN_KINDS && !(there[what] && i-- == 0))
		what++;
	return what;
}

/* Error of an output, of rows with weights */
static size_t
note_weighted(const struct dp_mean_asked *k, int what, double sd, double unit, char *text,
    size_t size)
{
	const double M = (double)k->hi - (double)k->lo;
	double coef[DP_MEAN_NUMBERS], off = sd * unit * dp_mean_coefficients(k, 0, coef);

	switch (what) {
	case DP_MEAN_MEAN:
		return (size_t)snprintf(text, size, "a ratio of rows whose weights are W in all is "
		    "off by some %.3g/W, or %.3g/W in the middle of the range", off,
		    sd * unit * dp_mean_coefficients(k, .5, coef));
	case DP_MEAN_COUNT:
		return (size_t)snprintf(text, size, "a sum of weights is off by some %.3g",
		    sd * sqrt(2) / (double)dp_mean_unit(k) / pow(10, k->weight.places));
	default:
		return (size_t)snprintf(text, size, "a sum of values is off by some %.3g",
		    sd * unit * dp_mean_coefficients(k, -(double)k->lo / M, coef));
	}
}

/* Error of an output */
static size_t
note_of(const struct dp_mean_asked *k, int what, double sd, double unit, char *text, size_t size)
{
	const double M = (double)k->hi - (double)k->lo, U = (double)dp_mean_unit(k);
	double coef[DP_MEAN_NUMBERS], off = sd * unit * dp_mean_coefficients(k, 0, coef);

	if (k->weight.most != 0)
		return note_weighted(k, what, sd, unit, text, size);
	switch (what) {
	case DP_MEAN_MEAN:
		return (size_t)snprintf(text, size, "a mean of N events is off by some %.3g/N, or "
		    "%.3g/N in the middle of the range: %.3g for 10, %.3g for 100, %.3g for 1000",
		    off, sd * unit * dp_mean_coefficients(k, .5, coef), off / 10, off / 100,
		    off / 1000);
	case DP_MEAN_VARIANCE:
		return (size_t)snprintf(text, size, "a variance of N events is off by at most "
		    "some %.3g/N, an sd by that divided by twice the sd",
		    sd * unit * unit * M * M / U);
	case DP_MEAN_COUNT:
		return (size_t)snprintf(text, size, "a count is off by some %.3g",
		    sd * sqrt(dp_mean_numbers(k)) / U);
	default:
		return (size_t)snprintf(text, size, "a sum is off by some %.3g", sd * unit *
		    dp_mean_coefficients(k, -(double)k->lo / M, coef));
	}
}

/*
 * The i-th sentence of --explain: what each kind of output is off by if one number's noise has the
 * standard deviation sd, and what is left empty below a sum of `least'.  unit: a grid unit, in the
 * user's.  Length, as snprintf() has it; 0: there is none.
 */
static size_t
dp_mean_note(const struct dp_mean_asked *k, unsigned i, double sd, double least, double unit,
    char *text, size_t size)
{
	const int what = kind(k, i);

	if (what < DP_MEAN_KINDS)
		return note_of(k, what, sd, unit, text, size);
	if (kind(k, 0) >= DP_MEAN_COUNT || kind(k, i - 1) == DP_MEAN_KINDS)
		return 0;
	if (k->weight.most != 0)
		return (size_t)snprintf(text, size, "no ratio is printed where the private sum of "
		    "weights is below %.3g", least / (double)dp_mean_unit(k) /
		    pow(10, k->weight.places));
	return (size_t)snprintf(text, size, "no mean, sd or variance is printed where the private "
	    "number of events is below %.3g", least / (double)dp_mean_unit(k));
}

static const char *const word[] = { [DP_MEAN_MEAN] = "mean", [DP_MEAN_SD] = "standard deviation",
	[DP_MEAN_VARIANCE] = "variance", [DP_MEAN_COUNT] = "number", [DP_MEAN_SUM] = "sum" };
static const char *const weighted_word[] = { [DP_MEAN_MEAN] = "sum of values / sum of weights",
	[DP_MEAN_COUNT] = "sum of weights", [DP_MEAN_SUM] = "sum of values" };

/*
 * The i-th sentence of --explain: what each kind of output is off by if one number's noise has the
 * standard deviation sd, and what is left empty below a sum of `least'.  unit: a grid unit, in the
 * user's.  Length, as snprintf() has it; 0: there is none.
 */
/* "mean and variance of events' values, from private totals (sum of the last 7 steps)" */
static void
dp_mean_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_mean_asked *k = task->own;
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];
	size_t n = 0;
	unsigned i;

	of.statistic = NULL;
	dp_task_sentence(&of, sums);
	for (i = 0; i < k->n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i == 0 ? "" :
		    i + 1 < k->n ? ", " : " and ", k->weight.most != 0 ?
		    weighted_word[k->what[i]] : word[k->what[i]]);
	if (n < size)
		snprintf(text + n, size - n, "%s, from private totals (%s)", k->weight.most != 0 ?
		    "" : " of events' values", sums);
}
