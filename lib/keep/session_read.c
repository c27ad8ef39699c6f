/* session_read.c - values in the head of a state file. */
#include <string.h>

#include "head.h"

bool
dp_head_find(const char *head, const char *key, struct dp_slice *value)
{
	size_t n = strlen(key);
	const char *p = head, *nl;

	for (; (nl = strchr(p, '\n')) != NULL; p = nl + 1)
		if (strncmp(p, key, n) == 0 && p[n] == ' ') {
			*value = (struct dp_slice){ p + n + 1, (size_t)(nl - p) - n - 1 };
			return true;
		}
	return false;
}

struct dp_slice
dp_head_value(const struct dp_options *o, const char *head, const char *key)
{
	struct dp_slice s;

	if (!dp_head_find(head, key, &s))
		dp_die(DP_EX_STATE, "%s: the state file has no '%s'", o->keep.state, key);
	return s;
}

_Noreturn void
dp_head_damaged(const struct dp_options *o, const char *key)
{
	dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", o->keep.state, key);
}

bool
dp_head_digits(struct dp_slice s, uint64_t *n)
{
	size_t i;

	for (*n = 0, i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(s.p[i] - '0'), n))
			return false;
	return s.n > 0;
}

uint64_t
dp_head_number(const struct dp_options *o, const char *head, const char *key)
{
	uint64_t n;

	if (!dp_head_digits(dp_head_value(o, head, key), &n))
		dp_head_damaged(o, key);
	return n;
}

struct dp_q
dp_head_q(const struct dp_options *o, const char *head, const char *key)
{
	const struct dp_slice s = dp_head_value(o, head, key);
	const char *bar = memchr(s.p, '/', s.n);
	uint64_t num, den;

	if (bar == NULL || !dp_head_digits((struct dp_slice){ s.p, (size_t)(bar - s.p) }, &num) ||
	    !dp_head_digits((struct dp_slice){ bar + 1, s.n - (size_t)(bar - s.p) - 1 }, &den) ||
	    den == 0)
		dp_head_damaged(o, key);
	return dp_q_make(num, den);
}

bool
dp_head_hex(const char *p, size_t digits, uint64_t *w)
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
dp_head_unescape(const struct dp_options *o, const char *key, char *text)
{
	const struct dp_slice all = { text, strlen(text) };
	size_t n;

	if (!dp_unescape(text, all.n, all, &n))
		dp_head_damaged(o, key);
	text[n] = '\0';
}

char *
dp_head_text(struct dp_options *o, const char *key, struct dp_slice s)
{
	char *text = dp_options_keep(o, s.p, s.n);

	dp_head_unescape(o, key, text);
	return text;
}
