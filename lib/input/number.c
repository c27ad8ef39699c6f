/* SPDX-License-Identifier: ISC */
/* number.c - numbers as a country writes them, with a comma or blanks in them, and with units. */
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

/* Bytes of what separates two digits at p; 0: nothing does. */
static size_t
between(const struct dp_digits *d, const char *p, const char *e)
{
	const size_t gap = separator(d->thousands, p, e);

	return gap < (size_t)(e - p) && p[gap] >= '0' && p[gap] <= '9' ? gap : 0;
}

/*
 * The whole part, in groups of three digits, the first one of one to three; in India of two, the
 * last one of three.  false: it is none.
 */
static bool
whole(const struct dp_digits *d, const char **p, const char *e, char **to)
{
	const size_t group = d->lakh ? 2 : 3;
	size_t n = digits(p, e, to), gap = between(d, *p, e);

	if (gap == 0)
		return true;
	if (n < 1 || n > group)
		return false;
	for (; gap != 0; gap = between(d, *p, e)) {
		if (n == 3 && group == 2)
			return false;		/* three are the last */
		*p += gap;
		if ((n = digits(p, e, to)) != 3 && n != group)
			return false;
	}
	return n == 3;
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
	if (!whole(&f->digits, &p, e, &to))
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

/*
 * Numbers with a unit, as one of a unit that is asked for, exactly.
 *
 * A number is summed up in the least unit of its family, a digit at a time, and divided by the unit
 * asked for.  Where that does not come out even, a digit behind the last one says that more
 * follows, so that rounding to fewer places is that of the number itself.
 */

enum family { TIMES = 1, SIZES = 2, BINARY = 4, COUNTS = 8, MONEY = 16 };

static const struct unit {
	const char *name;
	uint64_t worth;		/* in the least of its families */
	unsigned families;
} units[] = {
	{ "ns", 1, TIMES }, { "us", 1000, TIMES }, { "\302\265s", 1000, TIMES },
	{ "\316\274s", 1000, TIMES }, { "ms", 1000000, TIMES }, { "s", 1000000000, TIMES },
	{ "sec", 1000000000, TIMES }, { "m", 60000000000, TIMES }, { "min", 60000000000, TIMES },
	{ "h", 3600000000000, TIMES }, { "d", 86400000000000, TIMES },
	{ "B", 1, SIZES | BINARY }, { "kB", 1000, SIZES | BINARY }, { "KB", 1000, SIZES | BINARY },
	{ "MB", 1000000, SIZES | BINARY }, { "GB", 1000000000, SIZES | BINARY },
	{ "TB", 1000000000000, SIZES | BINARY }, { "KiB", 1 << 10, SIZES | BINARY },
	{ "MiB", 1 << 20, SIZES | BINARY }, { "GiB", 1 << 30, SIZES | BINARY },
	{ "TiB", (uint64_t)1 << 40, SIZES | BINARY },
	{ "k", 1000, SIZES }, { "K", 1000, SIZES }, { "M", 1000000, SIZES },
	{ "G", 1000000000, SIZES }, { "T", 1000000000000, SIZES },
	{ "k", 1 << 10, BINARY }, { "K", 1 << 10, BINARY }, { "M", 1 << 20, BINARY },
	{ "G", 1 << 30, BINARY }, { "T", (uint64_t)1 << 40, BINARY },
	{ "%", 1, COUNTS }, { "number", 100, COUNTS }, { "k", 100000, COUNTS | MONEY },
	{ "K", 100000, COUNTS | MONEY }, { "M", 100000000, COUNTS | MONEY },
	{ "G", 100000000000, COUNTS | MONEY }, { "T", 100000000000000, COUNTS | MONEY }
};

#define UNITS		(sizeof units / sizeof *units)
#define DIGITS		30	/* of a number, before and behind its point */
#define PLACES		(2 * DIGITS + 18)	/* with those of a unit's worth, and of a sum */

/* The unit with the longest name that the text begins with; NULL: there is none. */
static const struct unit *
unit_at(unsigned families, const char *p, const char *e)
{
	const struct unit *best = NULL;
	size_t i, n, most = 0;

	for (i = 0; i < UNITS; i++)
		if ((units[i].families & families) != 0 && (n = strlen(units[i].name)) > most &&
		    n <= (size_t)(e - p) && memcmp(units[i].name, p, n) == 0) {
			best = &units[i];
			most = n;
		}
	return best;
}

/* A minus sign of Unicode, or a dash, which would leave a number without its sign. */
static bool
has_dash(const char *how)
{
	for (; (how = strchr(how, 0xe2)) != NULL; how++)
		if (strncmp(how, "\xe2\x88\x92", 3) == 0 || ((unsigned char)how[1] == 0x80 &&
		    (unsigned char)how[2] >= 0x90 && (unsigned char)how[2] <= 0x95))
			return true;
	return false;
}

/* Three capitals, or what has a sign, or a letter beyond ASCII, among its letters. */
static bool
is_currency(const char *how)
{
	const size_t n = strlen(how);
	size_t i, capitals = 0, signs = 0;

	for (i = 0; i < n; i++) {
		capitals += how[i] >= 'A' && how[i] <= 'Z';
		signs += how[i] == '$' || (unsigned char)how[i] >= 0x80;
		if (n > 8 || ((unsigned char)how[i] < 'A' && how[i] != '$'))
			return false;
	}
	return (signs != 0 && !has_dash(how)) || (capitals == 3 && n == 3);
}

bool
dp_unit_find(struct dp_unit *u, const char *how)
{
	static const unsigned order[] = { TIMES, COUNTS, SIZES };
	const struct unit *known;
	const size_t n = strlen(how);
	size_t i;

	for (i = 0; i < sizeof order / sizeof *order; i++) {
		known = unit_at(order[i], how, how + n);
		if (known == NULL || strlen(known->name) != n)
			continue;
		*u = (struct dp_unit){ known->worth, order[i] == SIZES && how[1] == 'i' ? BINARY :
		    order[i], { "", 0 } };
		return true;
	}
	*u = (struct dp_unit){ .worth = 100, .families = MONEY, .sign = { how, n } };
	return is_currency(how);
}

static bool
pass(const char **p, const char *e, struct dp_slice what)
{
	if (what.n == 0 || (size_t)(e - *p) < what.n || memcmp(*p, what.p, what.n) != 0)
		return false;
	*p += what.n;
	return true;
}

static void
pass_blanks(const char **p, const char *e)
{
	size_t n = 1;

	for (; *p < e && n != 0; *p += n)
		n = **p == '\t' ? 1 : separator(' ', *p, e);
}

/* A minus sign, if one is there. */
static bool
negative(const char **p, const char *e)
{
	const bool minus = pass(p, e, (struct dp_slice){ "-", 1 });

	if (!minus)
		(void)pass(p, e, (struct dp_slice){ "+", 1 });
	pass_blanks(p, e);
	return minus;
}

/* Adds the number at *p, in its unit, or if it has none in that asked for; false: there is none. */
static bool
add_part(uint64_t sum[static PLACES], const struct dp_digits *d, const struct dp_unit *u,
    const char **p, const char *e, bool *bare)
{
	char text[DP_NUMBER_ROOM], *to = text;
	const struct unit *unit;
	size_t before, n, i;
	bool good;

	good = whole(d, p, e, &to);
	before = n = (size_t)(to - text);
	if (good && *p < e && **p == (d->decimal != '\0' ? d->decimal : '.')) {
		(*p)++;
		n += digits(p, e, &to);
	}
	pass_blanks(p, e);
	unit = unit_at(u->families, *p, e);
	good = good && n > 0 && before <= DIGITS && n - before <= DIGITS;
	*bare = unit == NULL;
	for (i = 0; i < n && good; i++)
		sum[DIGITS + before - 1 - i] += (uint64_t)(text[i] - '0') *
		    (unit != NULL ? unit->worth : u->worth);
	if (good && unit != NULL)
		*p += strlen(unit->name);
	explicit_bzero(text, (size_t)(to - text));
	return good;
}

/* The sum in units of so much, as the country writes it, into the room. */
static struct dp_slice
divided(uint64_t sum[static PLACES], uint64_t worth, bool minus, char decimal,
    char room[static DP_UNIT_ROOM])
{
	uint64_t rest = 0;
	char *to = room, *point = NULL;
	size_t i, low = PLACES, high = DIGITS;

	for (i = 0; i < PLACES; i++) {
		if (sum[i] == 0)
			continue;
		if (i + 1 < PLACES)
			sum[i + 1] += sum[i] / 10;
		sum[i] %= 10;
		low = low < i ? low : i;
		high = high > i ? high : i;
	}
	if (minus)
		*to++ = '-';
	for (i = high + 1; i-- > 0 && (i >= DIGITS || i >= low || rest != 0); rest %= worth) {
		rest = 10 * rest + sum[i];
		if (i == DIGITS - 1)
			*(point = to++) = decimal != '\0' ? decimal : '.';
		if (rest >= worth || i <= DIGITS || to > room + minus)
			*to++ = (char)('0' + rest / worth);
	}
	if (rest != 0)
		*to++ = '1';
	while (point != NULL && (to[-1] == '0' || to - 1 == point))
		point = --to == point ? NULL : point;
	return (struct dp_slice){ room, (size_t)(to - room) };
}

struct dp_slice
dp_number_in(const struct dp_digits *d, const struct dp_unit *u, struct dp_slice s,
    char room[static DP_UNIT_ROOM])
{
	const char *p = s.p, *const e = s.n == 0 ? s.p : s.p + s.n;
	uint64_t sum[PLACES] = { 0 };
	bool minus, sign, bare = false, several = false;
	struct dp_slice r = s;

	if (s.n == 0 || s.n >= DP_NUMBER_ROOM)
		return s;
	pass_blanks(&p, e);
	minus = negative(&p, e);
	sign = pass(&p, e, u->sign);
	pass_blanks(&p, e);
	minus = minus || (sign && negative(&p, e));
	for (;;) {
		if (!add_part(sum, d, u, &p, e, &bare) || (bare && several))
			return s;
		pass_blanks(&p, e);
		if (bare || u->families != TIMES || p == e)
			break;
		several = true;
	}
	if (!sign)
		(void)pass(&p, e, u->sign);
	pass_blanks(&p, e);
	if (p == e)
		r = divided(sum, u->worth, minus, d->decimal, room);
	explicit_bzero(sum, sizeof sum);
	return r;
}
