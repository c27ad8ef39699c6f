/* mean_say.c - what is said of means and their like: how far off they are (mean.h). */
#include <math.h>
#include <stdio.h>

#include "mean.h"

double
dp_mean_coefficients(const struct dp_mean_asked *k, double rho, double *coef)
{
	const unsigned n = dp_mean_numbers(k);
	const double M = (double)k->hi - (double)k->lo, U = (double)dp_mean_unit(k);
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

/* Error of an output */
static size_t
note_of(const struct dp_mean_asked *k, int what, double sd, double unit, char *text, size_t size)
{
	const double M = (double)k->hi - (double)k->lo, U = (double)dp_mean_unit(k);
	double coef[DP_MEAN_NUMBERS], off = sd * unit * dp_mean_coefficients(k, 0, coef);

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

size_t
dp_mean_note(const struct dp_mean_asked *k, unsigned i, double sd, double least, double unit,
    char *text, size_t size)
{
	const int what = kind(k, i);

	if (what < DP_MEAN_KINDS)
		return note_of(k, what, sd, unit, text, size);
	if (kind(k, 0) >= DP_MEAN_COUNT || kind(k, i - 1) == DP_MEAN_KINDS)
		return 0;
	return (size_t)snprintf(text, size, "no mean, sd or variance is printed where the private "
	    "number of events is below %.3g", least / (double)dp_mean_unit(k));
}

static const char *const word[] = { [DP_MEAN_MEAN] = "mean", [DP_MEAN_SD] = "standard deviation",
	[DP_MEAN_VARIANCE] = "variance", [DP_MEAN_COUNT] = "number", [DP_MEAN_SUM] = "sum" };

/* "mean and variance of events' values, from private totals (sum of the last 7 steps)" */
void
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
		    i + 1 < k->n ? ", " : " and ", word[k->what[i]]);
	if (n < size)
		snprintf(text + n, size - n, " of events' values, from private totals (%s)", sums);
}
