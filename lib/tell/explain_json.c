/*
 * explain_json.c - --explain=json: one object.
 */
#include <math.h>
#include <stdio.h>

#include "explain.h"

/* A number, or null where there is none. */
static void
json_number(const char *before, double x)
{
	if (isnan(x))
		printf("%snull", before);
	else
		printf("%s%.10g", before, x);
}

/* Numbers that only estimates with a law have; null where there are none. */
static void
json_rmse(const struct dp_report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	const uint64_t n = r->p->report;

	if (r->regret) {
		printf(",\"rmse\":null,\"bound\":null,\"regret\":{\"max\":%.10g,\"mean\":%.10g}",
		    dp_report_error(r, e->max), dp_report_error(r, e->mean));
		return;
	}
	if (!r->rmse) {
		printf(",\"rmse\":null,\"loss_quantile\":"
		    "{\"confidence\":%.10g,\"max\":%.10g", r->bound.conf,
		    r->bound.all);
		json_number(",\"mean\":", dp_report_error(r, e->mean) + r->bound.margin);
		printf("},\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g}",
		    r->bound.conf, r->bound.max, r->bound.all);
		return;
	}
	printf(",\"rmse\":{\"max\":%.10g,\"mean\":%.10g,\"first\":%.10g,\"middle\":%.10g,"
	    "\"last\":%.10g,\"worst_step\":%llu}", dp_report_error(r, e->max),
	    dp_report_error(r, e->mean), dp_report_rmse(r, r->bound.out, 1),
	    dp_report_rmse(r, r->bound.out, (n + 1) / 2), dp_report_rmse(r, r->bound.out, n),
	    (unsigned long long)r->bound.step);
	printf(",\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g,"
	    "\"first\":%.10g,\"last\":%.10g}",
	    r->bound.conf, r->bound.max, r->bound.all,
	    dp_report_interval(r, r->bound.out, 1),
	    dp_report_interval(r, r->bound.out, n));
}

static void
json_eligible(const struct dp_report *r)
{
	const struct dp_plan *p = r->p;
	const char *max = r->rmse ? "rmse_max" : r->regret ? "regret_max" : "loss_max";
	const char *mean = r->rmse ? "rmse_mean" : r->regret ? "regret_mean" : "loss_mean";
	const struct dp_error *e;
	unsigned i;

	printf(",\"lower_bound\":%.10g,\"unbiased_bound\":%.10g,\"eligible\":[", r->lower,
	    r->unbiased);
	for (i = 0; i < p->n; i++) {
		e = &p->eligible[i].error;
		printf("%s{\"mechanism\":\"%s\",\"%s\":%.10g,\"%s", i == 0 ? "" : ",",
		    p->eligible[i].ops->name, max, dp_report_error(r, e->max), mean);
		json_number("\":", dp_report_error(r, e->mean));
		if (p->ops->answers != NULL)
			printf(",\"rmse_in_no_line\":%.10g,\"rmse_in_every_line\":%.10g",
			    dp_report_error(r, e->none), dp_report_error(r, e->all));
		printf("}");
	}
	printf("]");
	if (p->left != NULL)
		printf(",\"left_out\":{\"mechanism\":\"%s\",\"why\":\"%s\"}", p->left->name,
		    p->left_why);
}

/* Numbers that people want to know first. */
static void
json_first(const struct dp_report *r)
{
	char text[DP_TASK_TEXT], epsilon[64];
	const char *warning;
	unsigned i;

	dp_report_expect(r, text);
	printf(",\"expect\":\"%s\",\"warnings\":[", text);
	for (i = 0; (warning = dp_report_warning(r, i)) != NULL; i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", warning);
	printf("]");
	if (r->o->priv.within.num != 0)
		printf(",\"within\":{\"error\":%.10g,\"epsilon\":\"%s\"}",
		    dp_q_double(r->o->priv.within), dp_report_within(r, epsilon));
}

void
dp_explain_json(const struct dp_report *r)
{
	const struct dp_options *o = r->o;
	const struct dp_plan *p = r->p;
	const char *list[DP_REPORT_ASSUMPTIONS], *what;
	char text[DP_TASK_TEXT > DP_NOTE ? DP_TASK_TEXT : DP_NOTE];
	unsigned i, n;
	uint64_t age;
	double b = 0;

	printf("{\"tool\":\"%s\",\"mechanism\":\"%s\",\"epsilon\":\"%s\",\"delta\":\"%s\"",
	    r->tool->name, p->ops->name, r->text.epsilon, r->text.delta);
	json_first(r);
	printf(",\"estimates\":\"%s\",\"neighbours\":\"%s\",\"pan_private\":%s", r->text.estimates,
	    r->text.neighbours, o->priv.pan ? "true" : "false");
	if (dp_report_local(r))
		printf(",\"local\":true,\"post_processing\":%s",
		    o->form.totals != DP_TOTALS_NO ? "true" : "false");
	if (o->horizon != 0)
		printf(",\"horizon\":%llu", (unsigned long long)o->horizon);
	else
		printf(",\"horizon\":null");
	printf(",\"report\":%llu,\"sensitivity\":%.10g", (unsigned long long)p->report,
	    dp_report_sensitivity(r));
	(void)dp_report_scale(r, 0, &b, &what);
	printf(",\"noise\":{\"distribution\":\"%s\",\"scale\":%.10g,\"families\":[",
	    dp_report_distribution(r, 0), b);
	for (i = 0; dp_report_scale(r, i, &b, &what); i++)
		printf("%s{\"on\":\"%s\",\"distribution\":\"%s\",\"scale\":%.10g}",
		    i == 0 ? "" : ",", what, dp_report_distribution(r, i), b);
	printf("]");
	if (dp_report_answer(r, text))
		printf(",\"answer\":\"%s\"", text);
	printf("}");
	json_rmse(r);
	json_eligible(r);
	if (p->mech->ops->bound.together != NULL)
		printf(",\"together\":%.10g", r->bound.together);
	printf(",\"loss\":[");
	for (i = 0; dp_report_loss(r, i, &age, &b); i++)
		printf("%s{\"age\":%llu,\"epsilon\":%.10g}",
		    i == 0 ? "" : ",", (unsigned long long)age, b);
	printf("],\"columns\":[");
	for (i = 0; r->rmse && !r->once && p->mech->outputs > p->mech->estimate.alike &&
	    i < p->mech->outputs; i += p->mech->estimate.alike)
		printf("%s{\"window\":\"%s\",\"rmse_first\":%.10g,\"rmse_last\":%.10g}",
		    i == 0 ? "" : ",", dp_report_law_name(r, i),
		    dp_report_rmse(r, i, 1), dp_report_rmse(r, i, p->report));
	printf("],\"notes\":[");
	for (i = 0; dp_report_note(r, i, text); i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", text);
	printf("],\"memory_bytes\":%zu,\"draws_per_step\":%.6g,\"assumptions\":[",
	    dp_report_memory(r), dp_mech_draws(p->mech));
	n = dp_report_assumptions(r, list);
	for (i = 0; i < n; i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", list[i]);
	printf("],");
	dp_explain_output(r);
	printf("}\n");
}
