/* session_read.c - values in the head of a state file. */
#include <stdio.h>
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

uint64_t
dp_head_number(const struct dp_options *o, const char *head, const char *key)
{
	struct dp_slice s = dp_head_value(o, head, key);
	char text[32];
	uint64_t n;

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (dp_u64_parse(&n, text, 0, UINT64_MAX) != 0)
		dp_head_damaged(o, key);
	return n;
}

struct dp_q
dp_head_q(const struct dp_options *o, const char *head, const char *key)
{
	struct dp_slice s = dp_head_value(o, head, key);
	char text[64];
	struct dp_q q;
	unsigned long long num, den;
	char tail;

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (sscanf(text, "%llu/%llu%c", &num, &den, &tail) != 2 || den == 0)
		dp_head_damaged(o, key);
	q = dp_q_make(num, den);
	return q;
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
