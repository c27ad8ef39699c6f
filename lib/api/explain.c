/* SPDX-License-Identifier: ISC */
/* explain.c - what a handle protects, in words and as a plan for dpaudit(1). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define SENTENCE	(DP_TASK_TEXT + 400)

int
dp_api_put(struct dp_buf *b, int e, char *to, size_t size, size_t *need)
{
	if (e == 0)
		e = b->error;
	if (e == 0 && need != NULL)
		*need = b->n;
	if (e == 0 && b->n > size)
		e = DPUTILS_ERANGE;
	if (e == 0)
		memcpy(to, b->p, b->n);
	dp_buf_free(b);
	return e;
}

static void
put_line(struct dp_buf *b, const char *what, const char *text)
{
	char name[16];

	snprintf(name, sizeof name, "%-13s ", what);
	dp_buf_puts(b, name);
	dp_buf_puts(b, text);
	dp_buf_puts(b, "\n");
}

static void
put_guarantee(struct dp_buf *b, const dputils *h)
{
	char neighbours[DP_TASK_TEXT], text[SENTENCE], epsilon[48], delta[48];

	*dp_q_put(epsilon, h->say.epsilon) = '\0';
	*dp_q_put(delta, h->say.delta) = '\0';
	(void)dp_relation_sentence(&h->relation, neighbours, sizeof neighbours);
	if (h->say.exact)
		snprintf(text, sizeof text, "NOT PRIVATE: not-private-exact is set, every estimate "
		    "is exact.\n");
	else
		snprintf(text, sizeof text, "%sEverything that this handle releases, all steps "
		    "together, is (%s, %s)-differentially private: %s.\n",
		    h->option[API_SEED] != NULL ? "NOT PRIVATE: the noise of not-private-seed can "
		    "be drawn again by anybody who knows it.  Of noise that nobody knows: " : "",
		    epsilon, delta, neighbours);
	dp_buf_puts(b, text);
	if (h->say.lines)
		dp_buf_puts(b, "A line is the event of a step.\n");
}

static void
put_noise(struct dp_buf *b, const dputils *h)
{
	const struct dp_noise *z;
	const char *what;
	char text[SENTENCE];
	double scale;
	unsigned i;

	for (i = 0; !h->say.exact && dp_mech_family(h->plan.mech, i, &z, &what); i++) {
		scale = dp_q_double(z->param);
		scale = z->kind == DP_NOISE_GAUSS ? sqrt(scale) : scale;
		snprintf(text, sizeof text, "%s, scale %.6g, on %s", dp_noise_name(z->kind),
		    scale * dp_mech_unit(h->plan.mech, i) * pow(10, -(double)h->say.places), what);
		put_line(b, "noise", text);
	}
}

/* The noise of the last step reported for; a mean's error depends on the events. */
static void
put_error(struct dp_buf *b, dputils *h)
{
	const struct dp_mech *m = h->plan.mech;
	const double unit = pow(10, -(double)h->say.places);
	char text[SENTENCE];
	unsigned i;
	double v;

	for (i = 0; i < m->outputs && m->ops->bound.interval == NULL && m->ops->law.at != NULL;
	    i++) {
		dp_mech_law(m, i, h->plan.report, h->col.law);
		v = dp_law_variance(h->col.law);
		snprintf(text, sizeof text, "%s%sat step %llu the rms error is %.6g",
		    h->show.name[i], h->show.name[i][0] != '\0' ? ": " : "",
		    (unsigned long long)h->plan.report, sqrt(v) * unit);
		put_line(b, "error", text);
	}
}

static int
put_text(struct dp_buf *b, dputils *h)
{
	char text[DP_TASK_TEXT], more[64];

	put_guarantee(b, h);
	put_line(b, "estimates", dp_task_sentence(&h->rule.task, text));
	snprintf(text, sizeof text, "%s: %s", h->plan.ops->name, h->plan.ops->say.source);
	put_line(b, "mechanism", text);
	snprintf(more, sizeof more, "%llu steps", (unsigned long long)h->rule.horizon);
	put_line(b, "horizon", h->rule.horizon != 0 ? more : "unknown");
	put_noise(b, h);
	put_error(b, h);
	put_line(b, "assumptions", "the range, the keys and all options are chosen without a look "
	    "at the data; each step is shown once; no handle or saved text is used twice");
	return b->error;
}

static int
put_plan(struct dp_buf *b, const dputils *h)
{
	struct dp_buf moves = { .n = 0 };
	int e = dp_relation_lines(&h->relation, &moves);

	if (e == 0)
		e = dp_certificate_plan(b, "libdputils", h->say.exact ? "exact" :
		    h->option[API_SEED] != NULL ? "seeded" : NULL, &moves, &h->rule.task,
		    h->plan.mech);
	dp_buf_free(&moves);
	return e;
}

int
dputils_explain(dputils *h, const char *form, char *to, size_t size, size_t *need)
{
	struct dp_buf b = { .n = 0 };
	int e;

	if (!h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "dputils_plan() comes first");
	if (strcmp(form, "text") == 0)
		e = put_text(&b, h);
	else if (strcmp(form, "plan") == 0)
		e = put_plan(&b, h);
	else
		return dp_api_refuse(h, DPUTILS_EINVAL, "a form is text or plan");
	dp_buf_add(&b, "", 1);
	return dp_api_put(&b, e, to, size, need);
}
