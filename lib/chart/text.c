/*
 * text.c - anybody's text, as it may be shown.
 */
#include <string.h>

#include "chart.h"

/* Bytes of the character of UTF-8 that [s,e) begins with; 0: it is none. */
static size_t
utf8(const unsigned char *s, const unsigned char *e)
{
	const size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
	    s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	size_t i;

	if (n > (size_t)(e - s))
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* A mark that turns the direction of all that follows: U+202A to U+202E, U+2066 to U+2069. */
static bool
turns(const unsigned char *s, size_t n)
{
	return n == 3 && s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
	    (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

const char *
dp_text_shown(const char *s, const char *e, size_t *n)
{
	const unsigned char *u = (const unsigned char *)s;

	if ((*n = utf8(u, (const unsigned char *)e)) == 0) {
		*n = 1;
		return "?";
	}
	if (*u < ' ' || *u == 0x7f)
		return " ";
	return (*u == 0xc2 && u[1] < 0xa0) || turns(u, *n) ? "?" : NULL;
}

const char *
dp_text_fold(const char *text, size_t width, size_t *n)
{
	size_t i;

	*n = strcspn(text, "\n");
	if (*n > width) {
		for (i = *n = width; i > 0; i--)
			if (text[i] == ' ') {
				*n = i;
				break;
			}
		for (i = *n; i > 0 && ((unsigned char)text[i] & 0xc0) == 0x80; i--)
			;
		*n = i > 0 ? i : *n;	/* not inside of a character */
	}
	return text + *n + (text[*n] == ' ' || text[*n] == '\n');
}

/* Bytes of [s,e) up to its last whole character. */
static size_t
whole(const char *s, const char *e)
{
	while (e > s && ((unsigned char)*e & 0xc0) == 0x80)
		e--;
	return (size_t)(e - s);
}

const char *
dp_text_short(char out[static DP_TEXT_SHORT], const char *s, size_t most)
{
	const size_t n = strlen(s);
	const char *end;
	size_t head, tail;

	most = most < DP_TEXT_SHORT - 1 ? most : DP_TEXT_SHORT - 1;
	if (n <= most)
		return s;
	head = whole(s, s + (most - 2) / 2);
	for (end = s + n - (most - 2 - (most - 2) / 2); ((unsigned char)*end & 0xc0) == 0x80; end++)
		;
	tail = strlen(end);
	memcpy(out, s, head);
	memcpy(out + head, "..", 2);
	memcpy(out + head + 2, end, tail + 1);
	return out;
}
