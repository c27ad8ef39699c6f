/* SPDX-License-Identifier: ISC */
/* task.c - weights, sentences and lower bounds of the tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Weights and sentences of the tasks; no switch has a default (mech.h). */

double
dp_task_weight(const struct dp_task *k, uint64_t d)
{
	switch (dp_task_weighted(k)) {
	case DP_TASK_WINDOW:
		return d < k->w[0] ? 1 : 0;
	case DP_TASK_EXP:
		return pow(k->alpha, (double)d);
	case DP_TASK_POLY:
		return pow((double)d + 1, -k->power);
	case DP_TASK_TABLE:
		return d < k->ng ? k->g[d] : 0;
	case DP_TASK_COUNT:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
		break;
	case DP_TASK_OWN:
		return NAN;
	}
	return 1;
}

/* EXP: what is known of g once, twice, four times .. as far back. */
static void
exp_weights(const struct dp_task *k, uint64_t d, unsigned n, double *g)
{
	unsigned known, i;
	double fall;

	g[0] = dp_task_weight(k, d);
	for (known = 1; known < n; known *= 2) {
		fall = pow(k->alpha, known);
		for (i = known; i < n && i < 2 * known; i++)
			g[i] = g[i - known] * fall;
	}
}

#define SERIES	8	/* the last power; what is left out is below 2^-54 binomial(-c, 9) */

/* POLY, i/(d + 1) < 1/64: (d + 1 + i)^-c = (d + 1)^-c (1 + i/(d + 1))^-c, by its series. */
static void
power_weights(const struct dp_task *k, uint64_t d, unsigned n, double *g)
{
	const double first = dp_task_weight(k, d), step = 1 / ((double)d + 1);
	double b[SERIES + 1] = { 1 }, z, sum;
	unsigned i, j;

	for (j = 1; j <= SERIES; j++)
		b[j] = b[j - 1] * (1 - k->power - j) / j;
	for (i = 0; i < n; i++) {
		z = i * step;
		for (sum = b[SERIES], j = SERIES; j-- > 0; )
			sum = sum * z + b[j];
		g[i] = first * sum;
	}
}

void
dp_task_weights(const struct dp_task *k, uint64_t d, unsigned n, double *g)
{
	const enum dp_what what = dp_task_weighted(k);
	unsigned i;

	if (what == DP_TASK_EXP && n > 0)
		exp_weights(k, d, n, g);
	else if (what == DP_TASK_POLY && k->power < 4 && d / 64 >= n)
		power_weights(k, d, n, g);
	else
		for (i = 0; i < n; i++)
			g[i] = dp_task_weight(k, d + i);
}

double
dp_task_total(const struct dp_task *k, uint64_t n)
{
	double sum = 0;
	uint64_t d;

	switch (dp_task_weighted(k)) {
	case DP_TASK_WINDOW:
		return (double)(n < k->w[0] ? n : k->w[0]);
	case DP_TASK_EXP:	/* (1 - alpha^n) / (1 - alpha) */
		return expm1((double)n * log(k->alpha)) / expm1(log(k->alpha));
	case DP_TASK_POLY:
		for (d = n; d-- > 0; )
			sum += dp_task_weight(k, d);
		return sum;
	case DP_TASK_TABLE:
		for (d = n < k->ng ? n : k->ng; d-- > 0; )
			sum += k->g[d];
		return sum;
	case DP_TASK_COUNT:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
		break;
	case DP_TASK_OWN:
		return NAN;
	}
	return (double)n;
}

/* Sum of m^-s over a <= m < b: some terms, then Euler and Maclaurin's formula. */
static double
power_sum(double a, double b, double s)
{
	double sum = 0, f, g, x;

	for (; a < b && a < 64 + 8 * s; a++)
		sum += pow(a, -s);
	if (a >= b)
		return sum;
	f = pow(a, -s);
	g = pow(b, -s);
	x = fabs(s - 1) < 1e-9 ? log(b / a) : (a * f - b * g) / (s - 1);
	x += (f - g) / 2 + s * (f / a - g / b) / 12;
	x -= s * (s + 1) * (s + 2) * (f / (a * a * a) - g / (b * b * b)) / 720;
	return sum + x;
}

double
dp_task_squares(const struct dp_task *k, uint64_t a, uint64_t b)
{
	double sum = 0, q;
	uint64_t d;

	switch (k->what) {
	case DP_TASK_EXP:	/* (q^a - q^b) / (1 - q), q = alpha^2 */
		q = 2 * log(k->alpha);
		return exp((double)a * q) * expm1((double)(b - a) * q) / expm1(q);
	case DP_TASK_POLY:
		return power_sum((double)a + 1, (double)b + 1, 2 * k->power);
	case DP_TASK_TABLE:
		for (d = b < k->ng ? b : k->ng; d-- > a; )
			sum += k->g[d] * k->g[d];
		return sum;
	case DP_TASK_WINDOW:
		b = b < k->w[0] ? b : k->w[0];
		break;
	case DP_TASK_COUNT:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
		break;
	case DP_TASK_OWN:
		return NAN;
	}
	return a < b ? (double)(b - a) : 0;
}

/* d = (d + 1) - 1, except where that cancels. */
static double
power_moment(double c, double a, double b)
{
	double sum = 0;

	for (; a < b && a < 64 + 16 * c; a++)
		sum += a * pow(a + 1, -2 * c);
	return sum + power_sum(a + 1, b + 1, 2 * c - 1) - power_sum(a + 1, b + 1, 2 * c);
}

double
dp_task_moment(const struct dp_task *k, uint64_t a, uint64_t b)
{
	double sum = 0, q, n = (double)(b - a), p;
	uint64_t d;

	switch (k->what) {
	case DP_TASK_EXP:	/* sum_{i<n} i q^i = (q (1 - q^n) / (1 - q) - n q^n) / (1 - q) */
		p = expm1(2 * log(k->alpha));
		q = 1 + p;
		sum = (q * expm1(n * 2 * log(k->alpha)) / p - n * pow(q, n)) / -p;
		if (n * -p < 1e-4)	/* cancellation: q^i = 1 + i log q, nearly */
			sum = n * (n - 1) / 2 * (1 + p * (2 * n - 1) / 3);
		return (double)a * dp_task_squares(k, a, b) + pow(q, (double)a) * sum;
	case DP_TASK_POLY:
		return power_moment(k->power, (double)a, (double)b);
	case DP_TASK_TABLE:
		for (d = b < k->ng ? b : k->ng; d-- > a; )
			sum += (double)d * k->g[d] * k->g[d];
		return sum;
	case DP_TASK_WINDOW:
		b = b < k->w[0] ? b : k->w[0];
		break;
	case DP_TASK_COUNT:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
		break;
	case DP_TASK_OWN:
		return NAN;
	}
	return a < b ? (double)(b - a) * ((double)a + (double)b - 1) / 2 : 0;
}

enum dp_cover
dp_task_cover(const struct dp_task *k)
{
	switch (k->what) {
	case DP_TASK_EXPIRE:
	case DP_TASK_MAP:
		return DP_COVER_LAST;
	case DP_TASK_GRADUAL:
		return DP_COVER_FADING;
	case DP_TASK_COUNT:
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_OWN:
		break;
	}
	return DP_COVER_ALL;
}

enum dp_measure
dp_task_measure(const struct dp_task *k)
{
	if (k->statistic != NULL)
		return k->statistic->measure;
	switch (k->what) {
	case DP_TASK_COUNT:
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return DP_MEASURE_RMSE;
}

bool
dp_task_fades(const struct dp_task *k)
{
	if (k->statistic != NULL && (k->what == DP_TASK_OWN || k->statistic->fades))
		return k->statistic->fades;
	switch (k->what) {
	case DP_TASK_COUNT:
		return false;
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return true;
}

bool
dp_task_forgets(const struct dp_task *k)
{
	return k->statistic == NULL &&
	    (k->what & (DP_TASK_WINDOW | DP_TASK_DECAY | DP_TASK_MAP)) != 0;
}

/* "last N steps (NAME)": the name says more than the number if it is a duration. */
static void
windows(const struct dp_task *k, char text[static DP_TASK_TEXT])
{
	size_t n;
	unsigned i;

	if (k->windows == 1) {
		n = (size_t)snprintf(text, DP_TASK_TEXT, k->w[0] == 1 ? "sum of each step" :
		    "sum of the last %llu steps", (unsigned long long)k->w[0]);
		if (k->window[0] != NULL &&
		    k->window[0][strspn(k->window[0], "0123456789")] != '\0')
			snprintf(text + n, DP_TASK_TEXT - n, " (%s)", k->window[0]);
		return;
	}
	n = (size_t)snprintf(text, DP_TASK_TEXT, "sum of the last W steps, W = ");
	for (i = 0; i < k->windows && n < DP_TASK_TEXT; i++)
		n += (size_t)snprintf(text + n, DP_TASK_TEXT - n, "%s%s", i == 0 ? "" : ",",
		    k->window[i] != NULL ? k->window[i] : "?");
}

const char *
dp_task_sentence(const struct dp_task *k, char text[static DP_TASK_TEXT])
{
	size_t n;

	switch (dp_task_weighted(k)) {
	case DP_TASK_WINDOW:
		windows(k, text);
		break;
	case DP_TASK_EXP:
		snprintf(text, DP_TASK_TEXT, "sum in which a step d back weighs %.12g^d", k->alpha);
		break;
	case DP_TASK_POLY:
		snprintf(text, DP_TASK_TEXT,
		    "sum in which a step d back weighs (d+1)^-%.12g", k->power);
		break;
	case DP_TASK_TABLE:
		snprintf(text, DP_TASK_TEXT, "sum weighted by the %zu weights given", k->ng);
		break;
	case DP_TASK_COUNT:
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
		snprintf(text, DP_TASK_TEXT, "running sum since step 1");
		break;
	case DP_TASK_OWN:
		break;
	}
	if (k->statistic != NULL && k->statistic->describe != NULL)
		k->statistic->describe(k, text, DP_TASK_TEXT);
	else if (k->statistic != NULL)
		snprintf(text, DP_TASK_TEXT, "%s", k->statistic->sentence);
	n = strlen(text);
	if (dp_task_cover(k) == DP_COVER_LAST)	/* lag w[0] is the first that is not protected */
		snprintf(text + n, DP_TASK_TEXT - n,
		    ", into which steps %llu and more back enter exactly",
		    (unsigned long long)k->w[0]);
	return text;
}

/*
 * What no mechanism can do better (mech.h has the proofs); no switch has a default.
 */

#define TERMS_MAX	((uint64_t)1 << 20)

/*
 * Bound of a probability gamma, k units away: e^(k epsilon) gamma + delta (e^(k epsilon) -
 * 1)/(e^epsilon - 1).
 */
static double
group(double k, double eps, double delta, double gamma)
{
	return exp(k * eps) * gamma + (delta > 0 ? delta * expm1(k * eps) / expm1(eps) : 0);
}

static double
counter_bound(uint64_t T, double eps, double delta, double beta)
{
	const double t = (double)T;
	double k = 0, one, left;
	uint64_t step;

	/* the left side falls with k: the last one that holds, by its bits */
	for (step = (uint64_t)1 << 62; step > 0; step >>= 1) {
		if (step > T || (one = k + (double)step) > t)
			continue;
		left = 1 - group(one, eps, delta, 0) - beta;
		if (floor(t / one) * exp(-one * eps) * left > beta)	/* 0 * inf is not */
			k = one;
	}
	return k / 2;
}

enum dp_lower
dp_task_lower(const struct dp_task *k)
{
	if (k->statistic != NULL)
		return k->statistic->lower;
	switch (k->what) {
	case DP_TASK_COUNT:
		return DP_LOWER_ALL;
	case DP_TASK_GRADUAL:
		return DP_LOWER_NONE;
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_EXPIRE:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return DP_LOWER_STEP;
}

static double
step_bound(const struct dp_task *k, uint64_t T, double eps, double delta, double beta)
{
	uint64_t most = T, D = 0, step;

	if (dp_task_cover(k) == DP_COVER_LAST)
		most = T < k->w[0] ? T : k->w[0];
	/* Fewer steps: a weaker bound, but one. */
	if (dp_task_weighted(k) == DP_TASK_POLY && most > TERMS_MAX)
		most = TERMS_MAX;
	for (step = (uint64_t)1 << 62; step > 0; step >>= 1)
		if (step <= most - D && group((double)(D + step), eps, delta, beta) < 1 - beta)
			D += step;
	return dp_task_total(k, D) / 2;
}

#define ALONE	8192		/* terms of the sum below that are added one by one */

double
dp_task_unbiased_bound(const struct dp_task *k, uint64_t T, double eps)
{
	const double h = M_PI / (4 * (double)T + 2);
	double sum = 0;
	uint64_t j, n = T < ALONE ? T : ALONE;

	if (k->what != DP_TASK_COUNT || k->statistic != NULL)
		return 0;
	for (j = n; j > 0; j--)
		sum += 1 / sin((2 * (double)j - 1) * h);
	/*
	 * The others are midpoints of pieces of width 2h: 1/(2h) times the integral of 1/sin, but
	 * for a relative h^2 f''/6f < 1/(12 ALONE^2)
	 */
	if (n < T)
		sum += (log(tan((double)T * h)) - log(tan((double)n * h))) / (2 * h);
	return sum / 2 / (double)T / (2 * sinh(eps / 2)) * (1 - 1e-8);
}

double
dp_task_lower_bound(const struct dp_task *k, uint64_t T, double eps, double delta, double beta)
{
	if (k->statistic != NULL)
		return k->statistic->lower_bound == NULL ? 0 :
		    k->statistic->lower_bound(k, T, eps, delta, beta);
	switch (dp_task_lower(k)) {
	case DP_LOWER_ALL:
		return counter_bound(T, eps, delta, beta);
	case DP_LOWER_PAN:
	case DP_LOWER_STEP:
		return step_bound(k, T, eps, delta, beta);
	case DP_LOWER_NONE:
	case DP_LOWER_LOCAL:
		break;
	}
	return 0;
}

#define ALPHA_LEAST	1e-9
#define ALPHA_MAX	(1 - 0x1p-40)

bool
dp_task_set_alpha(struct dp_task *k, double alpha)
{
	if (!(alpha >= ALPHA_LEAST && alpha <= ALPHA_MAX))
		return false;
	k->what = DP_TASK_EXP;
	k->alpha = alpha;
	return true;
}
