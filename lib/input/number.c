/* number.c - numbers as a country writes them, with a comma or blanks in them. */
#include <string.h>

#include "internal.h"

/* Bytes of what separates thousands at p; 0: nothing does.  Of UTF-8, narrow blanks and quotes. */
static size_t
separator(char thousands, const char *p, const char *e)
{
	static const char *const blank[] = { "\302\240", "\342\200\257", "\342\200\211" };
	static const char quote[] = "\342\200\231";
	size_t i, n;

	if (thousands == '\0' || p == e)
		return 0;
	if (*p == thousands)
		return 1;
	for (i = 0; thousands == ' ' && i < sizeof blank / sizeof *blank; i++)
		if ((n = strlen(blank[i])) <= (size_t)(e - p) && memcmp(p, blank[i], n) == 0)
			return n;
	n = sizeof quote - 1;
	return thousands == '\'' && n <= (size_t)(e - p) && memcmp(p, quote, n) == 0 ? n : 0;
}

/* Copies digits from *p on; their number. */
static size_t
digits(const char **p, const char *e, char **to)
{
	const char *from = *p;

	while (*p < e && **p >= '0' && **p <= '9')
		*(*to)++ = *(*p)++;
	return (size_t)(*p - from);
}

/* The whole part, in groups of three digits, the first one of one to three; false: it is none. */
static bool
whole(char thousands, const char **p, const char *e, char **to)
{
	size_t n = digits(p, e, to), gap;

	if ((gap = separator(thousands, *p, e)) == 0)
		return true;
	if (n < 1 || n > 3)
		return false;
	for (; gap != 0; gap = separator(thousands, *p, e)) {
		*p += gap;
		if (digits(p, e, to) != 3)
			return false;
	}
	return true;
}

struct dp_slice
dp_number_plain(const struct dp_ask_form *f, struct dp_slice s, char room[static DP_NUMBER_ROOM])
{
	static const struct dp_slice none = { "-", 1 };
	const char *p = s.p, *const e = s.n == 0 ? s.p : s.p + s.n;
	char *to = room;

	if ((f->digits.decimal | f->digits.thousands) == 0)
		return s;
	if (s.n >= DP_NUMBER_ROOM)
		return none;
	if (p < e && (*p == '-' || *p == '+'))
		*to++ = *p++;
	if (!whole(f->digits.thousands, &p, e, &to))
		p = NULL;
	if (p != NULL && p < e && *p == (f->digits.decimal != '\0' ? f->digits.decimal : '.')) {
		*to++ = '.';
		p++;
	} else if (p == NULL || (p < e && *p == '.')) {
		explicit_bzero(room, (size_t)(to - room));
		return none;
	}
	memcpy(to, p, (size_t)(e - p));
	to += e - p;
	return (struct dp_slice){ room, (size_t)(to - room) };
}

void
dp_number_forget(const struct dp_slice *s, char room[static DP_NUMBER_ROOM])
{
	if (s->p == room)
		explicit_bzero(room, s->n);
}
