/* SPDX-License-Identifier: ISC */
/* vega.c - a figure as a specification of Vega-Lite, with its numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

#define SCHEMA	"https://vega.github.io/schema/vega-lite/v5.json"

/* A string of JSON. */
static void
string(struct dp_buf *b, const char *s)
{
	const char *e = s + strlen(s), *instead;
	size_t n;

	dp_buf_puts(b, "\"");
	for (; s < e; s += n) {
		instead = dp_text_shown(s, e, &n);
		if (*s == '"' || *s == '\\')
			dp_buf_puts(b, "\\");
		dp_buf_add(b, instead != NULL ? instead : s, instead != NULL ? 1 : n);
	}
	dp_buf_puts(b, "\"");
}

static void
number(struct dp_buf *b, const char *name, double v)
{
	if (!isnan(v))
		dp_put(b, ",\"%s\":%.15g", name, v);
}

/* Where a row is on the axis. */
static void
place(struct dp_buf *b, const struct dp_figure *f, const char *name, double x)
{
	char text[DP_WHEN_TEXT + 1] = "";

	if (f->data.axis != DP_CHART_DATE) {
		number(b, name, x);
		return;
	}
	*dp_when_put(text, (int64_t)x + f->p->data->zone, NULL) = '\0';
	text[f->kind == DP_FIGURE_BARS && f->data.bar >= 23 * HOUR ? strcspn(text, "T") :
	    strcspn(text, "Z")] = '\0';	/* Vega-Lite shows it as it stands */
	dp_put(b, ",\"%s\":\"%s\"", name, text);
}

/* An object for each row and series: name, x, estimate, lo, hi. */
static void
values(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_chart *c = f->p->data;
	const unsigned series = f->data.series == 0 ? 1 : f->data.series;
	const bool named = f->data.axis == DP_CHART_NAME;
	char name[DP_FIGURE_NAME];
	double v[3] = { NAN, NAN, NAN };
	const char *sep = "";
	unsigned k;
	size_t i;

	for (i = 0; i < f->rows; i++)
		for (k = 0; k < series; k++) {
			const enum dp_known known = f->data.series == 0 ? DP_KNOWN_NOT :
			    dp_figure_known(f, i, k, v);

			dp_buf_puts(b, sep);
			dp_buf_puts(b, "\n{\"name\":");
			string(b, f->data.choice >= 0 ?
			    dp_figure_shown(f, c->words.text[(size_t)dp_chart_row(c,
			    i)[f->data.choice]], name) :
			    dp_figure_name(f, k, name));
			if (f->kind == DP_FIGURE_BINS) {
				number(b, "x", f->edge[i]);
				number(b, "middle", f->xlog ? sqrt(f->edge[i] * f->edge[i + 1]) :
				    (f->edge[i] + f->edge[i + 1]) / 2);
				number(b, "end", f->edge[i + 1]);
			} else if (!named) {
				place(b, f, "x", dp_figure_x(f, c, &f->data, i));
			}
			if (f->data.choice >= 0 && !named)
				place(b, f, "end", i + 1 < f->rows ?
				    dp_figure_x(f, c, &f->data, i + 1) : dp_figure_end(f));
			if (known != DP_KNOWN_NOT)
				number(b, "estimate", v[0]);
			if (known == DP_KNOWN_INTERVAL) {
				number(b, "lo", v[1]);
				number(b, "hi", v[2]);
			}
			dp_buf_puts(b, "}");
			sep = ",";
		}
}

/* The truth, marked as such. */
static void
truth(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_chart *c = f->p->truth;
	const struct dp_chart_view *v = &f->truth;
	char name[DP_FIGURE_NAME];
	unsigned k;
	size_t i;

	for (i = 0; c != NULL && i < dp_chart_drawn(c); i++)
		for (k = 0; k < v->series; k++) {
			dp_buf_puts(b, ",\n{\"name\":");
			string(b, v->choice >= 0 ?
			    dp_figure_shown(f, c->words.text[(size_t)dp_chart_row(c,
			    i)[v->choice]], name) :
			    dp_figure_name(f, k, name));
			if (f->data.axis != DP_CHART_NAME)
				place(b, f, "x", dp_figure_x(f, c, v, i));
			number(b, "truth, NOT PRIVATE", dp_chart_row(c, i)[v->at[k].est]);
			dp_buf_puts(b, "}");
		}
}

#define QUANTITY(field)	"{\"field\":\"" field "\",\"type\":\"quantitative\",\"title\":null}"
#define NAMES	"\"y\":{\"field\":\"name\",\"type\":\"nominal\",\"sort\":null,\"title\":null}"
#define COLOUR	"\"color\":{\"field\":\"name\",\"type\":\"nominal\",\"title\":null}"
#define TRUTH	"{\"field\":\"truth, NOT PRIVATE\",\"type\":\"quantitative\"}"

/* A layer: a mark with a place on the axis, and more. */
static void
layer(struct dp_buf *b, const char **sep, const char *mark, const char *x, const char *more)
{
	dp_put(b, "%s{\"mark\":%s,\"encoding\":{%s%s}}", *sep, mark, x, more);
	*sep = ",\n";
}

/* The scale of lines is the picture's, where all panels have one. */
static void
scale(const struct dp_figure *f, char text[static 160])
{
	const struct dp_panel *p = f->panel;

	*text = '\0';
	if (f->kind == DP_FIGURE_PLACES)
		strcpy(text, ",\"scale\":{\"reverse\":true},\"axis\":{\"tickMinStep\":1}");
	else if (f->kind == DP_FIGURE_LINES && (f->panels == 1 || (p[0].lo == p[1].lo &&
	    p[0].hi == p[1].hi)))
		snprintf(text, 160, ",\"scale\":{\"type\":\"%s\",\"domain\":[%.6g,%.6g],"
		    "\"nice\":false,\"clamp\":true}", p->log ? "log" : "linear", p->lo, p->hi);
}

/* What is drawn, in layers: intervals, estimates, the truth. */
static void
layers(struct dp_buf *b, const struct dp_figure *f)
{
	const bool bars = f->kind == DP_FIGURE_BARS, truth = f->p->truth != NULL &&
	    f->truth.series > 0;
	const bool band = f->data.series > 0 && f->data.at[0].lo >= 0 &&
	    f->kind != DP_FIGURE_PLACES;
	const char *sep = "";
	char x[160], est[400], its[160];

	scale(f, its);
	snprintf(x, sizeof x, "\"x\":{\"field\":\"x\",\"type\":\"%s\",\"title\":null%s}",
	    bars ? "ordinal" : f->data.axis == DP_CHART_DATE ? "temporal" : "quantitative",
	    f->xlog ? ",\"scale\":{\"type\":\"log\",\"nice\":false}" :
	    bars ? ",\"axis\":{\"labelOverlap\":\"greedy\",\"labelAngle\":0}" : "");
	snprintf(est, sizeof est, ",\"%s\":{\"field\":\"estimate\",\"type\":\"quantitative\","
	    "\"title\":null%s%s}", f->kind == DP_FIGURE_RANKED ? "x" : "y", its,
	    f->share ? ",\"axis\":{\"format\":\".1%\"}" : "");
	switch (f->kind) {
	case DP_FIGURE_NUMBER:
		layer(b, &sep, "{\"type\":\"text\",\"fontSize\":46}", "\"text\":"
		    QUANTITY("estimate"), "");
		return;
	case DP_FIGURE_RANKED:
		if (f->is.apart) {
			layer(b, &sep, "{\"type\":\"text\",\"fontSize\":16}", NAMES, ",\"text\":"
			    QUANTITY("estimate"));
			return;
		}
		layer(b, &sep, "\"bar\"", NAMES, est);
		if (band)
			layer(b, &sep, "\"rule\"", NAMES, ",\"x\":" QUANTITY("lo")
			    ",\"x2\":{\"field\":\"hi\"}");
		if (truth)
			layer(b, &sep, "{\"type\":\"tick\",\"color\":\"black\"}", NAMES,
			    ",\"x\":" TRUTH);
		return;
	case DP_FIGURE_LEADS:
		layer(b, &sep, "\"bar\"", x, "," NAMES ",\"x2\":{\"field\":\"end\"}");
		return;
	case DP_FIGURE_BINS:
		layer(b, &sep, "\"bar\"", x, ",\"x2\":{\"field\":\"end\"},\"y\":"
		    QUANTITY("estimate") ",\"y2\":{\"datum\":0}");
		if (band)
			layer(b, &sep, "\"rule\"", "\"x\":" QUANTITY("middle"), ",\"y\":"
			    QUANTITY("lo") ",\"y2\":{\"field\":\"hi\"}");
		return;
	case DP_FIGURE_LINES:
	case DP_FIGURE_PLACES:
		if (band)
			layer(b, &sep, "{\"type\":\"area\",\"opacity\":0.2}", x, ",\"y\":"
			    QUANTITY("lo") ",\"y2\":{\"field\":\"hi\"}," COLOUR);
		strcat(est, "," COLOUR);
		layer(b, &sep, f->steps ? "{\"type\":\"line\",\"interpolate\":\"step-after\"}" :
		    "\"line\"", x, est);
		if (truth)
			layer(b, &sep, "{\"type\":\"line\",\"strokeDash\":[5,3],"
			    "\"color\":\"black\"}", x, ",\"y\":" TRUTH
			    ",\"detail\":{\"field\":\"name\"}");
		return;
	case DP_FIGURE_BARS:
		break;
	}
	strcat(est, f->data.series > 1 ? ",\"xOffset\":{\"field\":\"name\"}," COLOUR : "");
	layer(b, &sep, "\"bar\"", x, est);
	if (band)
		layer(b, &sep, "\"rule\"", x, f->data.series > 1 ? ",\"y\":" QUANTITY("lo")
		    ",\"y2\":{\"field\":\"hi\"},\"xOffset\":{\"field\":\"name\"}" :
		    ",\"y\":" QUANTITY("lo") ",\"y2\":{\"field\":\"hi\"}");
	if (truth)
		layer(b, &sep, "{\"type\":\"tick\",\"color\":\"black\"}", x, ",\"y\":" TRUTH);
}

void
dp_vega(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_picture *p = f->p;
	struct dp_buf said = { .p = NULL };

	dp_figure_words(&said, f, DP_FIGURE_WHISKERS);
	if (p->truth != NULL)
		dp_buf_puts(&said, "; " DP_FIGURE_WARNING);
	dp_buf_add(&said, "", 1);
	dp_buf_puts(b, "{\"$schema\":\"" SCHEMA "\",\n\"title\":{\"text\":");
	string(b, p->words.title != NULL ? p->words.title : "Private estimates");
	dp_buf_puts(b, ",\"subtitle\":");
	string(b, said.error != 0 ? "" : said.p);
	dp_buf_puts(b, "},\n\"description\":");
	string(b, p->words.caption != NULL ? p->words.caption : "");
	dp_buf_puts(b, ",\n\"data\":{\"values\":[");
	values(b, f);
	truth(b, f);
	/* series that share no scale have panels */
	dp_put(b, "]},\n%s\"width\":%u,\"height\":%u,\n\"layer\":[", f->panels > 1 ?
	    "\"facet\":{\"row\":{\"field\":\"name\",\"title\":null,\"sort\":null}},\n"
	    "\"resolve\":{\"scale\":{\"y\":\"independent\"}},\n\"spec\":{" : "", p->width,
	    p->height / f->panels);
	layers(b, f);
	dp_buf_puts(b, f->panels > 1 ? "]}}\n" : "]}\n");
	if (said.error != 0)
		b->error = said.error;
	dp_buf_free(&said);
}
