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

int
dp_head_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void
dp_head_unescape(const struct dp_options *o, const char *key, char *text)
{
	char *p, *q;
	int hi, lo;

	for (p = q = text; *p != '\0'; p++) {
		*q = *p;
		if (*p == '%') {
			hi = dp_head_digit(p[1]);
			lo = hi < 0 ? -1 : dp_head_digit(p[2]);
			if (lo < 0 || (hi | lo) == 0)	/* texts end at a NUL */
				dp_head_damaged(o, key);
			*q = (char)(hi << 4 | lo);
			p += 2;
		}
		q++;
	}
	*q = '\0';
}

char *
dp_head_text(struct dp_options *o, const char *key, struct dp_slice s)
{
	char *text = dp_options_keep(o, s.p, s.n);

	dp_head_unescape(o, key, text);
	return text;
}
