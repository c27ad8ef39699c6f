/*
 * text.c - anybody's text, as it may be shown.
 */
#include <string.h>

#include "base/text.h"
#include "internal.h"

const char *
dp_text_shown(const char *s, const char *e, size_t *n)
{
	uint32_t c;

	if ((*n = dp_utf8(&c, s, e)) == 0) {
		*n = 1;
		return "?";
	}
	return c < ' ' || c == 0x7f ? " " : dp_utf8_unseen(c) ? "?" : NULL;
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
