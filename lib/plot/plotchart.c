/*
 * plotchart.c - which chart is drawn of the rows that have come.
 */
#include <stdio.h>

#include "plot.h"
#include "stream/when.h"

void
dp_plot_check_truth(const struct dp_plot *p)
{
	struct dp_chart_view a, b;

	if (p->picture.truth == NULL)
		return;
	dp_chart_look(&p->data, &a);
	dp_chart_look(&p->truth, &b);
	if ((a.axis == DP_CHART_DATE) != (b.axis == DP_CHART_DATE) ||
	    (a.axis == DP_CHART_NAME) != (b.axis == DP_CHART_NAME) ||
	    (a.series == 0) != (b.series == 0))
		dp_die(DP_EX_INPUT, "%s: its columns are not those of the estimates",
		    p->truth_name);
}

void
dp_plot_check_ranks(const struct dp_plot *p)
{
	struct dp_chart_view v;

	dp_chart_look(&p->data, &v);
	if (p->picture.bars && v.choice >= 0 && v.axis != DP_CHART_NAME && !p->last)
		dp_die(DP_EX_INPUT, "--bars: names of several steps are no bars: --last");
	if (p->last && v.choice >= 0 && v.axis != DP_CHART_NAME && !dp_chart_is_long(&p->data))
		dp_die(DP_EX_INPUT, "--last: a name leads, and is alone: --ranks shows "
		    "who led when");
	if ((p->ranks || p->last) && v.choice < 0 && v.series < 2)
		dp_die(DP_EX_INPUT, "%s: for several names, and there are none", p->ranks ?
		    "--ranks" : "--last");
}

/* Numbers of all steps so far, as --run or --explain says. */
static bool
is_running(const struct dp_plot *p)
{
	return p->estimate != NULL && (strstr(p->estimate, "running") != NULL ||
	    strstr(p->estimate, "since") != NULL);
}

/* End of the bucket that begins at `at`; months are not all as long as p->picture.bucket. */
static double
end_of(const struct dp_plot *p, double at)
{
	const double end = at + p->picture.bucket;
	char text[DP_WHEN_TEXT + 1] = "", month[DP_WHEN_TEXT + 4];
	int64_t first;

	if (p->picture.bucket < 27 * 86400)
		return end;
	*dp_when_put(text, (int64_t)end + 15 * 86400, NULL) = '\0';
	snprintf(month, sizeof month, "%.7s-01", text);
	return dp_when_parse_arg(&first, month, NULL) == 0 ? (double)first : end;
}

/* When the last step is, for those who read of it alone; of running numbers up to when they are. */
static void
set_when(struct dp_plot *p, const struct dp_chart_view *v)
{
	const bool days = p->picture.bucket >= 23 * 3600, running = is_running(p);
	char text[DP_WHEN_TEXT + 1] = "";
	double at;

	p->picture.when = v->x < 0 ? NULL : p->when;
	if (v->x < 0)
		return;
	at = dp_chart_row(&p->data, dp_chart_drawn(&p->data) - 1)[v->x];
	if (v->axis != DP_CHART_DATE) {
		snprintf(p->when, sizeof p->when, running ? "up to step %.15g" : "step %.15g", at);
		return;
	}
	at += p->data.zone;
	if (running)		/* of days the last one that counts */
		at = end_of(p, at) - (days ? 12 * 3600 : 0);
	*dp_when_put(text, (int64_t)at, NULL) = '\0';
	snprintf(p->when, sizeof p->when, days ? "%s %.10s" : "%s %.10s %.5s",
	    running ? "up to" : "from", text, text + 11);
}

/* --ranks, --last: false: it is drawn as it is, as bars of one time. */
static bool
take_places(struct dp_plot *p)
{
	struct dp_chart_view v;
	int e;

	dp_plot_check_ranks(p);
	dp_chart_look(&p->data, &v);
	if (v.choice >= 0 && !dp_chart_is_long(&p->data)) {
		p->picture.leads = p->ranks && v.axis != DP_CHART_NAME;
		return p->picture.leads;
	}
	if (v.choice >= 0 && p->data.stride > 1)
		dp_die(DP_EX_INPUT, "more rows than places are found among");
	e = (p->ranks ? dp_chart_rank : dp_chart_last)(&p->wide, &p->data);
	if (e != 0)
		dp_die(e == DP_ENOMEM ? DP_EX_SYSTEM : DP_EX_INPUT, e == DP_ENOMEM ?
		    "out of memory" : "nothing to draw: no name has a number");
	p->picture.ranked = p->ranks;
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	if (p->last)
		set_when(p, &v);
	return true;
}

/* A table by category, of one step: bars of the categories, as there is no time to draw it by. */
static bool
take_row(struct dp_plot *p)
{
	struct dp_chart_view v;
	int e;

	if (p->picture.truth != NULL || p->picture.bars || p->live || !dp_chart_is_row(&p->data))
		return false;
	dp_chart_look(&p->data, &v);
	e = (dp_chart_has_order(&p->data) ? dp_chart_across : dp_chart_last)(&p->wide, &p->data);
	if (e == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0)
		return false;
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	set_when(p, &v);
	return true;
}

void
dp_plot_charts(struct dp_plot *p)
{
	p->picture.data = &p->data;
	p->picture.numbers = NULL;
	if (p->picture.bars)
		dp_plot_check_ranks(p);
	if ((p->ranks || p->last) && take_places(p))
		return;
	if (take_row(p) || !dp_chart_is_long(&p->data))
		return;
	if (dp_chart_pivot(&p->wide, &p->data, NULL) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	p->picture.data = &p->wide;
	p->picture.numbers = &p->data;
	if (p->picture.truth == NULL)
		return;
	if (!dp_chart_is_long(&p->truth))
		dp_die(DP_EX_INPUT, "%s: its columns are not those of the estimates",
		    p->truth_name);
	if (dp_chart_pivot(&p->wide_truth, &p->truth, &p->wide) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	p->picture.truth = &p->wide_truth;
}
