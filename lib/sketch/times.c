/*
 * times.c - how often identifiers came: the statistics, as sentences and with their lower bounds.
 *
 * Statement: what distinct_lower() in sketch.c says of the number of identifiers holds of each of
 * these, times what one that came often enough adds.
 *
 * Proof.  Let the m identifiers with X_i = 1 come `often` times each, then those with Y_i = 1:
 * as often for cropped, mean and heavy, which add the same for one that came often and one that
 * came twice as often, so that they are |X u Y| times what one adds; and once, for incidence with
 * tau > 1, which then counts those with X_i = 1, Y_i = 0.  Either is a sum of X_i (1 - Y_i) and
 * what does not depend on X.  (For tau = 1 it counts X_i != Y_i: the error's variance is at least
 * the mean over signs v of v'Cv, which is tr C.  Modulo K likewise, where tau is 1 or K is 2; tau =
 * 0 counts those that neither, or both, came, with one event each.)
 *
 * Without a universe m is how many buckets there are, which are what is counted then: for a hash
 * that is known, one identifier for each.  In line mode the first half of T lines holds m often
 * events.
 */
#include <math.h>
#include <stdio.h>

#include "sketch.h"

static uint64_t
top(const struct dp_sketch *s, uint64_t T)
{
	if (s->modulo != 0)
		return s->tau != 0 ? s->tau : 1;
	return s->share == 0 ? s->tau : T / s->share + (T % s->share != 0);
}

/* For what adds `most` for an identifier that came tau times; cropped: as often as it came. */
static double
lower(const struct dp_sketch *s, uint64_t T, double epsilon, double delta, double most, bool grows)
{
	const double tau = (double)top(s, T), half = (double)(T / 2);
	const double often = grows && s->lines ? fmin(tau, half) : tau;
	double m = s->universe != 0 ? (double)s->universe :
	    s->buckets != 0 ? (double)s->buckets :
	    s->share != 0 ? DP_SKETCH_MAX : DP_SKETCH_BUCKETS;

	if (delta > 0)
		return 0;
	if (s->lines)
		m = fmin(m, often > 0 ? floor(half / often) : 0);
	return most * (often / tau) * sqrt(m) / (4 * cosh(epsilon / 2));
}

static double
cropped_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;

	(void)beta;
	return lower(s, T, epsilon, delta, (double)s->tau, true);
}

static double
mean_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	const struct dp_sketch *s = k->own;

	return cropped_lower(k, T, epsilon, delta, beta) * 1e6 / (double)s->universe;
}

static double
once_lower(const struct dp_task *k, uint64_t T, double epsilon, double delta, double beta)
{
	(void)beta;
	return lower(k->own, T, epsilon, delta, 1, false);
}

static void
threshold(const struct dp_sketch *s, char text[static 80])
{
	if (s->share == 0)
		snprintf(text, 80, "%llu", (unsigned long long)s->tau);
	else
		snprintf(text, 80, "1/%llu of the lines so far, rounded up",
		    (unsigned long long)s->share);
}

static void
cropped_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the sum, over identifiers, of how often each came%s, but at most "
	    "%llu", s->deletes ? ", less how often it was undone (without its sign)" : "",
	    (unsigned long long)s->tau);
}

static void
mean_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;

	snprintf(text, size, "the mean, over the declared universe, of how often an identifier "
	    "came%s, but at most %llu", s->deletes ? ", less how often it was undone (without its "
	    "sign)" : "", (unsigned long long)s->tau);
}

static void
incidence_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;
	const char *undone = s->deletes ? " more than they were undone" : "";

	if (s->modulo != 0)
		snprintf(text, size, "the number of identifiers that came so often%s that it is "
		    "%llu modulo %llu", undone, (unsigned long long)s->tau,
		    (unsigned long long)s->modulo);
	else
		snprintf(text, size, "the number of identifiers that came exactly %llu times%s",
		    (unsigned long long)s->tau, undone);
}

static void
heavy_words(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_sketch *s = k->own;
	char tau[80];

	threshold(s, tau);
	snprintf(text, size, "the number of identifiers that came at least tau times%s, tau = %s, "
	    "where one that came less often counts 0 up to tau/2 times and in proportion above",
	    s->deletes ? " more or less than they were undone" : "", tau);
}

#define TIMES(NAME, LOWER) \
	.name = #NAME, .describe = NAME##_words, .measure = DP_MEASURE_RMSE, \
	.lower = DP_LOWER_PAN, .lower_bound = LOWER

const struct dp_statistic dp_cropped = { TIMES(cropped, cropped_lower) };
const struct dp_statistic dp_mean = { TIMES(mean, mean_lower) };
const struct dp_statistic dp_incidence = { TIMES(incidence, once_lower) };
const struct dp_statistic dp_heavy = { TIMES(heavy, once_lower), .between = true };
