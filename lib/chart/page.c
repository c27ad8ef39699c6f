/*
 * page.c - a page in one file, which fetches nothing and runs nothing.
 */
#include <string.h>

#include "chart.h"

/* Text as HTML: what could be markup, is not. */
static void
text(struct dp_buf *b, const char *s)
{
	const char *e = s + strlen(s), *instead;
	size_t n;

	for (; s < e; s += n) {
		instead = dp_text_shown(s, e, &n);
		switch (*s) {
		case '&':
			dp_buf_puts(b, "&amp;");
			break;
		case '<':
			dp_buf_puts(b, "&lt;");
			break;
		case '>':
			dp_buf_puts(b, "&gt;");
			break;
		case '"':
			dp_buf_puts(b, "&quot;");
			break;
		case '\n':
			dp_buf_puts(b, "\n");
			break;
		default:
			dp_buf_add(b, instead != NULL ? instead : s, instead != NULL ? 1 : n);
		}
	}
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "<style>\n"
    "body { font: 16px/1.5 sans-serif; color: #222; max-width: 62em; margin: 2em auto; "
    "padding: 0 1em; }\n"
    "h1 { font-size: 1.3em; font-weight: 600; overflow-wrap: anywhere; }\n"
    "figure { margin: 0; }\n"
    "svg { width: 100%; height: auto; }\n"
    "figcaption { border-left: 4px solid #0072b2; padding: .2em 1em; margin: 1em 0; "
    "white-space: pre-line; }\n"
    "pre { overflow-x: auto; font-size: 13px; }\n"
    "</style>\n";

/* From the element itself on: a declaration of XML is no part of a page. */
static struct dp_slice
element(struct dp_slice svg)
{
	const char *p = memmem(svg.p, svg.n, "<svg", 4);

	return p == NULL ? svg : (struct dp_slice){ p, svg.n - (size_t)(p - svg.p) };
}

void
dp_picture_page(struct dp_buf *b, const struct dp_picture *p, struct dp_slice svg,
    const char *more)
{
	const char *title = p->title == NULL ? "Private estimates" : p->title;

	svg = element(svg);
	dp_buf_puts(b, head);
	dp_buf_puts(b, "<title>");
	text(b, title);
	dp_buf_puts(b, "</title>\n");
	dp_buf_puts(b, style);
	dp_buf_puts(b, "</head>\n<body>\n<h1>");
	text(b, title);
	dp_buf_puts(b, "</h1>\n");
	dp_buf_puts(b, "<figure>\n");
	dp_buf_add(b, svg.p, svg.n);
	if (p->caption != NULL) {
		dp_buf_puts(b, "<figcaption>");
		text(b, p->caption);
		dp_buf_puts(b, "</figcaption>\n");
	}
	dp_buf_puts(b, "</figure>\n");
	if (more != NULL) {
		dp_buf_puts(b, "<details>\n<summary>Errors, mechanism, assumptions</summary>\n"
		    "<pre>");
		text(b, more);
		dp_buf_puts(b, "</pre>\n</details>\n");
	}
	dp_buf_puts(b, "</body>\n</html>\n");
}
