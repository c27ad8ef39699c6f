/* quantile_say.c - what is said of quantiles and histograms (quantile.h). */
#include <math.h>
#include <stdio.h>

#include "quantile.h"

/* Error of the grid alone, in the user's units. */
static size_t
note_grid(const struct dp_quantile_asked *a, char *text, size_t size)
{
	static const char *const kind[] = { [DP_BINS_LINEAR] = "linear",
	    [DP_BINS_LOG] = "logarithmic", [DP_BINS_GIVEN] = "given" };
	const struct dp_bins *b = &a->bins;
	const double unit = pow(10, -(double)a->places), wide = (double)dp_bins_widest(b) * unit;

	if (wide == 0)
		return (size_t)snprintf(text, size, "each of %u bins is one value: the bins cost "
		    "nothing", b->n);
	if (b->kind == DP_BINS_LOG)
		return (size_t)snprintf(text, size, "values are told apart by %u logarithmic bins: "
		    "they alone cost at most %.3g %% of a value", b->n,
		    100 * (dp_bins_ratio(b) - 1));
	return (size_t)snprintf(text, size, "values are told apart by %u %s bins: they alone cost "
	    "at most %.3g%s", b->n, kind[b->kind], wide, b->kind == DP_BINS_LINEAR &&
	    b->edge[0] >= 0 ? "; --log-bins tells small values apart" : "");
}

/* "no quantile is printed where the private number of events is below 16 (p50), 160 (p95)" */
static size_t
note_least(const struct dp_quantile *k, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "no quantile is printed where the private number "
	    "of events is below");
	double most;
	unsigned i, w;

	for (i = 0; i < k->asked->n && n < size; i++) {
		for (most = 0, w = 0; w < k->windows; w++)
			most = fmax(most, k->least[w][i]);
		n += (size_t)snprintf(text + n, size - n, "%s %.3g (p%.6g)", i > 0 ? "," : "",
		    most, 100 * k->asked->q[i]);
	}
	return n;
}

/* The exponential mechanism, for one quantile and few events. */
static size_t
note_rival(const struct dp_quantile *k, char *text, size_t size)
{
	if (k->tree == NULL || k->asked->n != 1)
		return 0;
	return (size_t)snprintf(text, size, "for one quantile of fewer than some 1000 events a "
	    "step the exponential mechanism, which is not built, would be off by fewer: a median "
	    "by a half to a third as many events; it has no interval");
}

size_t
dp_quantile_note(const struct dp_quantile *k, unsigned i, char *text, size_t size)
{
	if (k->asked->n == 0)
		return 0;
	if (i == 0)
		return note_grid(k->asked, text, size);
	switch (i) {
	case 1:
		return (size_t)snprintf(text, size, "noise is on %s", k->layout->name);
	case 2:
		return note_least(k, text, size);
	case 3:
		return note_rival(k, text, size);
	}
	return 0;
}

static void
describe(const struct dp_task *task, const char *what, char *text, size_t size)
{
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];

	of.statistic = NULL;
	snprintf(text, size, "%s (%s)", what, dp_task_sentence(&of, sums));
}

/* "the 0.5 and 0.95 quantiles of events' values, from private numbers of events in bins (..)" */
void
dp_quantile_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_quantile_asked *a = task->own;
	char what[DP_TASK_TEXT];
	size_t n = 0;
	unsigned i;

	for (i = 0; i < a->n && n < sizeof what / 2; i++)
		n += (size_t)snprintf(what + n, sizeof what - n, "%s%.6g", i == 0 ? "the " :
		    i + 1 < a->n ? ", " : " and ", a->q[i]);
	snprintf(what + n, sizeof what - n, " quantile%s of events' values, from private numbers "
	    "of events in %u bins", a->n > 1 ? "s" : "", a->bins.n);
	describe(task, what, text, size);
}

void
dp_histogram_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_quantile_asked *a = task->own;
	char what[DP_TASK_TEXT];

	snprintf(what, sizeof what, "the number of events in each of %u bins", a->bins.n);
	describe(task, what, text, size);
}
