/* lines.c - the lines of a state's body (lines.h). */
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "lines.h"

/* A commit writes millions. */
char *
dp_line_put_hex(char *p, uint64_t w, int digits)
{
	int i;

	for (i = digits; i-- > 0; w >>= 4)
		p[i] = "0123456789abcdef"[w & 15];
	return p + digits;
}

void
dp_line_put_bytes(struct dp_buf *b, const void *p, size_t n)
{
	const unsigned char *q = p;
	char hex[64 * 17], *at = hex;
	uint64_t w;

	for (; n >= 8; n -= 8, q += 8) {
		memcpy(&w, q, 8);
		*at++ = ' ';
		at = dp_line_put_hex(at, w, 16);
		if (at == hex + sizeof hex || n < 16) {
			dp_buf_add(b, hex, (size_t)(at - hex));
			at = hex;
		}
	}
	sodium_memzero(hex, sizeof hex);
}

void
dp_line_put(struct dp_buf *b, const char *key, const void *p, size_t n)
{
	dp_buf_puts(b, key);
	dp_line_put_bytes(b, p, n);
	dp_buf_puts(b, "\n");
}

bool
dp_line_hex(const char *p, size_t digits, uint64_t *w)
{
	size_t i;
	char c;

	for (*w = 0, i = 0; i < digits; i++) {
		c = p[i];
		if (c >= '0' && c <= '9')
			*w = *w << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*w = *w << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	return true;
}

void
dp_session_put(struct dp_buf *b, const char *key, uint64_t n)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, n);
	dp_buf_puts(b, "\n");
}

_Noreturn void
dp_line_damaged(const struct dp_lines *l, const char *key)
{
	dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", l->r->o->keep.state, key);
}

struct dp_slice
dp_line_next(struct dp_lines *l, const char *key)
{
	size_t n = strlen(key), left = (size_t)(l->end - l->p);
	const char *p = l->p, *nl = memchr(p, '\n', left);

	if (nl == NULL)
		dp_line_damaged(l, key);
	left = (size_t)(nl - p);
	if (left < n || memcmp(p, key, n) != 0)
		dp_line_damaged(l, key);
	l->p = nl + 1;
	return (struct dp_slice){ p + n, left - n };
}

uint64_t
dp_line_number(struct dp_lines *l, const char *key)
{
	struct dp_slice s = dp_line_next(l, key);
	char text[32];
	uint64_t n;

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (text[0] != ' ' || dp_u64_parse(&n, text + 1, 0, UINT64_MAX) != 0)
		dp_line_damaged(l, key);
	return n;
}

void
dp_line_bytes(struct dp_lines *l, const char *key, const char *p, void *out, size_t n)
{
	unsigned char *q = out;
	uint64_t w;

	for (; n >= 8; n -= 8, p += 17, q += 8) {
		if (*p != ' ' || !dp_line_hex(p + 1, 16, &w))
			dp_line_damaged(l, key);
		memcpy(q, &w, 8);
	}
}

void
dp_line_words(struct dp_lines *l, const char *key, void *out, size_t n)
{
	struct dp_slice s = dp_line_next(l, key);

	if (s.n != n / 8 * 17)
		dp_line_damaged(l, key);
	dp_line_bytes(l, key, s.p, out, n);
}
