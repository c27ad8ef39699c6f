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
	char text[64];

	if (isnan(v))
		return;
	snprintf(text, sizeof text, ",\"%s\":%.15g", name, v);
	dp_buf_puts(b, text);
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
	text[strcspn(text, "Z")] = '\0';	/* Vega-Lite shows it as it stands */
	dp_buf_puts(b, ",\"");
	dp_buf_puts(b, name);
	dp_buf_puts(b, "\":");
	string(b, text);
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
			    c->words.text[(size_t)dp_chart_row(c, i)[f->data.choice]] :
			    dp_figure_name(f, k, name));
			if (f->kind == DP_FIGURE_BINS) {
				number(b, "x", f->edge[i]);
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
			    c->words.text[(size_t)dp_chart_row(c, i)[v->choice]] :
			    dp_figure_name(f, k, name));
			if (f->data.axis != DP_CHART_NAME)
				place(b, f, "x", dp_figure_x(f, c, v, i));
			number(b, "truth, NOT PRIVATE", dp_chart_row(c, i)[v->at[k].est]);
			dp_buf_puts(b, "}");
		}
}

#define QUANTITY(field)	"{\"field\":\"" field "\",\"type\":\"quantitative\"}"
#define NAMES	"\"y\":{\"field\":\"name\",\"type\":\"nominal\",\"sort\":null,\"title\":null}"

/* What is drawn, in layers. */
static void
layers(struct dp_buf *b, const struct dp_figure *f)
{
	const char *x = f->data.axis == DP_CHART_DATE ?
	    "\"x\":{\"field\":\"x\",\"type\":\"temporal\",\"title\":null}" :
	    f->xlog ? "\"x\":{\"field\":\"x\",\"type\":\"quantitative\",\"title\":null,"
	    "\"scale\":{\"type\":\"log\"}}" :
	    "\"x\":{\"field\":\"x\",\"type\":\"quantitative\",\"title\":null}";
	char y[160];

	snprintf(y, sizeof y,
	    "{\"field\":\"estimate\",\"type\":\"quantitative\",\"title\":null%s%s%s}",
	    f->panels > 0 && f->panel[0].log ? ",\"scale\":{\"type\":\"log\"}" : "",
	    f->p->told.share ? ",\"axis\":{\"format\":\".1%\"}" : "",
	    f->kind == DP_FIGURE_PLACES ? ",\"scale\":{\"reverse\":true}" : "");
	switch (f->kind) {
	case DP_FIGURE_NUMBER:
		dp_buf_puts(b, "{\"mark\":{\"type\":\"text\",\"fontSize\":46},\"encoding\":{"
		    "\"text\":" QUANTITY("estimate") "}}");
		return;
	case DP_FIGURE_RANKED:
		dp_buf_puts(b, "{\"mark\":\"bar\",\"encoding\":{" NAMES ",\"x\":");
		dp_buf_puts(b, y);
		dp_buf_puts(b, "}},\n{\"mark\":\"rule\",\"encoding\":{" NAMES ",\"x\":"
		    QUANTITY("lo") ",\"x2\":{\"field\":\"hi\"}}}");
		return;
	case DP_FIGURE_LEADS:
		dp_buf_puts(b, "{\"mark\":\"bar\",\"encoding\":{" NAMES ",");
		dp_buf_puts(b, x);
		dp_buf_puts(b, ",\"x2\":{\"field\":\"end\"}}}");
		return;
	case DP_FIGURE_BINS:
		dp_buf_puts(b, "{\"mark\":\"bar\",\"encoding\":{");
		dp_buf_puts(b, x);
		dp_buf_puts(b, ",\"x2\":{\"field\":\"end\"},\"y\":");
		dp_buf_puts(b, y);
		dp_buf_puts(b, "}}");
		return;
	case DP_FIGURE_BARS:
	case DP_FIGURE_LINES:
	case DP_FIGURE_PLACES:
		break;
	}
	dp_buf_puts(b, f->kind == DP_FIGURE_BARS ? "{\"mark\":\"rule\"" :
	    "{\"mark\":{\"type\":\"area\",\"opacity\":0.2}");
	dp_buf_puts(b, ",\"encoding\":{");
	dp_buf_puts(b, x);
	dp_buf_puts(b, ",\"y\":" QUANTITY("lo") ",\"y2\":{\"field\":\"hi\"},"
	    "\"color\":{\"field\":\"name\",\"type\":\"nominal\",\"title\":null}}},\n{\"mark\":");
	dp_buf_puts(b, f->kind == DP_FIGURE_BARS ? "\"bar\"" :
	    f->steps ? "{\"type\":\"line\",\"interpolate\":\"step-after\"}" : "\"line\"");
	dp_buf_puts(b, ",\"encoding\":{");
	dp_buf_puts(b, x);
	dp_buf_puts(b, ",\"y\":");
	dp_buf_puts(b, y);
	dp_buf_puts(b, ",\"color\":{\"field\":\"name\",\"type\":\"nominal\",\"title\":null}}}");
}

void
dp_vega(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_picture *p = f->p;
	struct dp_buf said = { .p = NULL };
	char size[64];

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
	snprintf(size, sizeof size, ",\n\"width\":%u,\"height\":%u,", p->width, p->height);
	dp_buf_puts(b, size);
	dp_buf_puts(b, "\n\"data\":{\"values\":[");
	values(b, f);
	truth(b, f);
	dp_buf_puts(b, "]},\n\"layer\":[");
	layers(b, f);
	if (p->truth != NULL && f->data.axis != DP_CHART_NAME && f->truth.series > 0) {
		dp_buf_puts(b, ",\n{\"mark\":{\"type\":\"line\",\"strokeDash\":[5,3],\"color\":"
		    "\"black\"},\"encoding\":{\"x\":{\"field\":\"x\",\"type\":\"");
		dp_buf_puts(b, f->data.axis == DP_CHART_DATE ? "temporal" : "quantitative");
		dp_buf_puts(b, "\"},\"y\":" QUANTITY("truth, NOT PRIVATE")
		    ",\"detail\":{\"field\":\"name\"}}}");
	}
	dp_buf_puts(b, "]}\n");
	if (said.error != 0)
		b->error = said.error;
	dp_buf_free(&said);
}
