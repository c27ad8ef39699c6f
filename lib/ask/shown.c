/*
 * shown.c - what somebody else wrote, to a log, a list of keys or a ledger, on its way to a
 * terminal: no byte of it is a command.
 */
#include <string.h>

#include "base/utf8.h"
#include "keys.h"

void
dp_plain(char *text)
{
	const bool utf8 = text != NULL && dp_keys_utf8(text);
	char *const end = text == NULL ? NULL : text + strlen(text), *p;
	uint32_t c = 0;
	size_t n;

	for (p = text; p < end; p += n) {
		n = utf8 ? dp_utf8(&c, p, end) : 1;
		if (utf8 ? dp_utf8_unseen(c) : *p < ' ' || *p > '~')
			memset(p, '?', n);
	}
}

char *
dp_shown(char text[static DP_SHOWN_TEXT], const char *p, size_t n)
{
	size_t k = n < DP_SHOWN ? n : DP_SHOWN, i;

	/* cut between characters, so that the text stays UTF-8 */
	for (i = 0; k < n && i < 3 && (p[k] & 0xc0) == 0x80; i++)
		k--;
	for (i = 0; i < k; i++)
		text[i] = p[i] == '\0' ? '?' : p[i];
	text[k] = '\0';
	dp_plain(text);
	if (k < n)
		strcpy(text + k, "...");
	return text;
}

void
dp_shown_put(struct dp_buf *b, struct dp_slice s)
{
	char text[DP_SHOWN_TEXT];

	dp_buf_puts(b, s.p != NULL ? dp_shown(text, s.p, s.n) : "");
}
