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

/* When the last step is, for those who read of it alone. */
static void
set_when(struct dp_plot *p, const struct dp_chart_view *v)
{
	char text[DP_WHEN_TEXT + 1] = "";
	double at;

	p->picture.when = v->x < 0 ? NULL : p->when;
	if (v->x < 0)
		return;
	at = dp_chart_row(&p->data, dp_chart_drawn(&p->data) - 1)[v->x];
	if (v->axis != DP_CHART_DATE) {
		snprintf(p->when, sizeof p->when, "step %.15g", at);
		return;
	}
	*dp_when_put(text, (int64_t)at + p->data.zone, NULL) = '\0';
	snprintf(p->when, sizeof p->when, p->picture.bucket >= 23 * 3600 ? "from %.10s" :
	    "from %.10s %.5s", text, text + 11);
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

void
dp_plot_charts(struct dp_plot *p)
{
	p->picture.data = &p->data;
	p->picture.numbers = NULL;
	if (p->picture.bars)
		dp_plot_check_ranks(p);
	if ((p->ranks || p->last) && take_places(p))
		return;
	if (!dp_chart_is_long(&p->data))
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
