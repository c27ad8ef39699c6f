/*
 * jsonstrict.c - lines of JSON without what strict json-c differ about.
 *
 * No knowledge is needed of where strings are: what stands in for something is as good as it inside
 * of them, and as bad outside.
 */
#include <string.h>

#include "jsonstrict.h"

#define DIGITS	18		/* of these any whole number has 64 bits */

static char
stand_in(char c)
{
	if (c == '\t' || c == '\n' || c == '\r')
		return ' ';
	return c != '\0' && ((unsigned char)c < ' ' || (unsigned char)c > 0x7f) ? 'x' : c;
}

/*
 * Of more digits than DIGITS in a row the last is 9, so that zeros ahead of others stay wrong.  The
 * text keeps its length, by blanks at its end.
 */
static void
shorten(char *text, size_t n)
{
	char *to = text;
	unsigned run = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		run = text[i] >= '0' && text[i] <= '9' ? run + 1 : 0;
		if (run > DIGITS)
			to[-1] = '9';
		else
			*to++ = stand_in(text[i]);
	}
	memset(to, ' ', (size_t)(text + n - to));
}

int
dp_json_strict(struct dp_buf *b, struct dp_slice text)
{
	dp_buf_reset(b);
	dp_buf_add(b, text.p, text.n);
	if (b->error == 0 && b->n > 0)		/* an empty line has no buffer */
		shorten(b->p, b->n);
	return b->error;
}
