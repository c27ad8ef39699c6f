/* SPDX-License-Identifier: ISC */
/*
 * text.c - anybody's text, as it may be shown.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "internal.h"

void
dp_put(struct dp_buf *b, const char *format, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, format);
	n = vasprintf(&s, format, ap);
	va_end(ap);
	if (n < 0) {
		b->error = DP_ENOMEM;
	} else {
		dp_buf_add(b, s, (size_t)n);
		free(s);
	}
}

const char *
dp_text_shown(const char *s, const char *e, size_t *n)
{
	uint32_t c;

	if ((*n = dp_utf8(&c, s, e)) == 0) {
		*n = 1;
		return "?";
	}
	/* U+FFFE and U+FFFF are no characters, and nothing that XML has */
	return c < ' ' || c == 0x7f ? " " :
	    dp_utf8_unseen(c) || (c & 0xfffe) == 0xfffe ? "?" : NULL;
}

/*
 * Widths in hundredths of the letters' size: the widest of DejaVu Sans, Arial (as Liberation Sans)
 * and DejaVu Sans Mono, as Chromium 142 measured them.
 */
static const uint8_t glyph[2][95] = {
	{
	    61, 61, 61, 84, 64, 96, 78, 61, 61, 61, 61, 84, 61, 61, 61, 61, 64, 64, 64, 64, 64,
	    64, 64, 64, 64, 64, 61, 61, 84, 84, 84, 61, 102, 73, 69, 73, 78, 67, 62, 78, 76,
	    61, 61, 73, 62, 89, 75, 79, 67, 79, 73, 67, 62, 74, 73, 99, 73, 73, 69, 61, 61, 61,
	    84, 61, 61, 62, 64, 61, 64, 62, 61, 64, 64, 61, 61, 61, 61, 98, 64, 62, 64, 64, 61,
	    61, 61, 64, 61, 82, 61, 61, 61, 64, 61, 64, 84
	}, {
	    61, 61, 61, 84, 70, 101, 88, 61, 61, 61, 61, 84, 61, 61, 61, 61, 70, 70, 70, 70,
	    70, 70, 70, 70, 70, 70, 61, 61, 84, 84, 84, 62, 100, 78, 77, 74, 84, 69, 69, 83,
	    84, 61, 61, 78, 64, 100, 84, 86, 74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 61,
	    61, 61, 84, 61, 61, 68, 72, 61, 72, 68, 61, 72, 72, 61, 61, 67, 61, 105, 72, 69,
	    72, 72, 61, 61, 61, 72, 66, 93, 65, 66, 61, 72, 61, 72, 84
	}
};

/* Of letters beyond ASCII: marks above others; wide ones, as of Chinese; pictures. */
static unsigned
beyond(uint32_t c, enum dp_font font)
{
	const bool wide = c >= 0x1100 && (c < 0x1160 || (c >= 0x2e80 && c < 0xd7a4) ||
	    (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfe70) ||
	    (c >= 0xff00 && c < 0xff61) || c >= 0x1f300);

	if ((c >= 0x300 && c < 0x370) || (c >= 0x200b && c <= 0x200d) ||
	    (c >= 0xfe00 && c < 0xfe10))
		return 0;
	if (font == DP_FONT_CELLS)
		return wide ? 200 : 100;
	return (font == DP_FONT_BOLD ? 10u : 0u) +
	    (c < 0x1c4 ? 100 : wide && c < 0x1f300 ? 105 : 140);
}

/* Width of the first character of [s,e), and its bytes. */
static unsigned
width(const char *s, const char *e, size_t *n, enum dp_font font)
{
	const char *instead = dp_text_shown(s, e, n);
	const uint8_t c = (uint8_t)(instead != NULL ? *instead : *s);
	uint32_t u = c;

	if (c >= 0x80)
		(void)dp_utf8(&u, s, e);
	if (u >= 0x7f)
		return beyond(u, font);
	return font == DP_FONT_CELLS ? 100 : glyph[font == DP_FONT_BOLD][u - ' '];
}

size_t
dp_text_width(const char *s, size_t bytes, enum dp_font font)
{
	const char *e = s + bytes;
	size_t sum = 0, n;

	for (; s < e; s += n)
		sum += width(s, e, &n, font);
	return sum;
}

/* A blank at which a line may end: not between a number and its per cent. */
static bool
parts(const char *s)
{
	return *s == ' ' && s[1] != '%';
}

const char *
dp_text_fold(const char *text, size_t most, enum dp_font font, size_t *n)
{
	const char *e = text + strcspn(text, "\n"), *s, *blank = NULL;
	size_t sum = 0, k;

	for (s = text; s < e; s += k) {
		sum += width(s, e, &k, font);
		if (sum > most && s > text) {
			s = !parts(s) && blank != NULL ? blank : s;
			break;
		}
		blank = parts(s) ? s : blank;
	}
	*n = (size_t)(s - text);
	return s + (*s == ' ' || *s == '\n');
}

/* Bytes of [s,e) up to its last whole character. */
static size_t
whole(const char *s, const char *e)
{
	while (e > s && ((unsigned char)*e & 0xc0) == 0x80)
		e--;
	return (size_t)(e - s);
}

/* At most `most' bytes, 4 or more: s, or its begin and its end, in out. */
static const char *
shorter(char out[static DP_TEXT_SHORT], const char *s, size_t most)
{
	const size_t n = strlen(s);
	const char *end;
	size_t head, tail;

	head = whole(s, s + (most - 2) / 2);
	for (end = s + n - (most - 2 - (most - 2) / 2); ((unsigned char)*end & 0xc0) == 0x80; end++)
		;
	tail = strlen(end);
	memcpy(out, s, head);
	memcpy(out + head, "..", 2);
	memcpy(out + head + 2, end, tail + 1);
	return out;
}

const char *
dp_text_fit(char out[static DP_TEXT_SHORT], const char *s, size_t most, enum dp_font font)
{
	const size_t n = strlen(s);
	size_t bytes = n < DP_TEXT_SHORT ? n : DP_TEXT_SHORT;
	const char *text = n < DP_TEXT_SHORT ? s : NULL;

	while ((text == NULL || dp_text_width(text, strlen(text), font) > most) && bytes > 4)
		text = shorter(out, s, --bytes);
	return text;
}
