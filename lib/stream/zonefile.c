/*
 * zonefile.c - a file of the tz database (RFC 8536) as a zone.
 *
 * Of its two blocks the second is read, whose times have 64 bits.  Every count is compared with
 * what is there, so that no file that is cut off anywhere is taken for a zone with fewer rules.
 */
#include <stdlib.h>
#include <string.h>

#include "zone.h"
#include "zonerule.h"

#define HEADER		44
#define COUNT_MAX	100000
#define EAST_MAX	(26 * 3600)
#define FIRST		(-((int64_t)1 << 60))	/* no change is before it: zic's first is -2^59 */

struct block {
	uint32_t isut, isstd, leap, times, types, chars;
	const unsigned char *p;		/* behind the header */
};

static const char CUT[] = "it is cut off";
static const char DAMAGED[] = "it is damaged";

static uint32_t
number(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t
moment(const unsigned char *p)
{
	return (int64_t)((uint64_t)number(p) << 32 | number(p + 4));
}

/* NULL, or why it is none; width: bytes of a time. */
static const char *
header(struct block *b, const unsigned char *p, size_t n, size_t width, size_t *length)
{
	uint32_t count[6];
	size_t i;

	if (memcmp(p, "TZif", n < 4 ? n : 4) != 0)
		return "it is no file of time zones";
	if (n < HEADER)
		return CUT;
	if (p[4] < '2')
		return "it is of the first version of its format";
	for (i = 0; i < 6; i++)
		if ((count[i] = number(p + 20 + 4 * i)) > COUNT_MAX)
			return DAMAGED;
	*b = (struct block){ count[0], count[1], count[2], count[3], count[4], count[5],
	    p + HEADER };
	*length = HEADER + b->times * (width + 1) + 6 * (size_t)b->types + b->chars +
	    b->leap * (width + 4) + b->isstd + b->isut;
	if (n < *length)
		return CUT;
	return b->types == 0 || b->chars == 0 || (b->isut != 0 && b->isut != b->types) ||
	    (b->isstd != 0 && b->isstd != b->types) ? DAMAGED : NULL;
}

static const unsigned char *
type(const struct block *b, size_t i)
{
	return b->p + 9 * (size_t)b->times + 6 * i;
}

static int32_t
type_east(const struct block *b, size_t i)
{
	return (int32_t)number(type(b, i));
}

static bool
types_are_sound(const struct block *b)
{
	const unsigned char *t;
	size_t i;

	for (i = 0; i < b->types; i++) {
		t = type(b, i);
		if (type_east(b, i) < -EAST_MAX || type_east(b, i) > EAST_MAX || t[4] > 1 ||
		    t[5] >= b->chars)
			return false;
	}
	return type(b, b->types)[b->chars - 1] == '\0';
}

/* The changes that the block has: 0, DP_ENOMEM, DP_ESYNTAX. */
static int
changes(struct dp_zone *z, const struct block *b)
{
	const unsigned char *kind = b->p + 8 * (size_t)b->times;
	int64_t at, last = INT64_MIN;
	size_t i;
	int e;

	if ((e = dp_zone_add(z, INT64_MIN, type_east(b, 0))) != 0)
		return e;
	for (i = 0; i < b->times; i++, last = at) {
		at = moment(b->p + 8 * i);
		if (at <= last || at < FIRST || at >= DP_ZONE_END || kind[i] >= b->types)
			return DP_ESYNTAX;
		if ((e = dp_zone_add(z, at, type_east(b, kind[i]))) != 0)
			return e;
	}
	return 0;
}

/* The rule of later times stands behind the block, between two ends of lines. */
static int
later(struct dp_zone *z, const struct block *b, struct dp_slice rule)
{
	const int64_t last = b->times == 0 ? INT64_MIN : moment(b->p + 8 * (size_t)(b->times - 1));
	struct dp_zone_rule r;

	if (rule.n == 0)
		return 0;
	if (!dp_zone_rule(&r, rule))
		return DP_ESYNTAX;
	if (last >= DP_ZONE_BEGIN &&
	    dp_zone_rule_east(&r, last) != type_east(b, b->p[9 * (size_t)b->times - 1]))
		return DP_ESYNTAX;
	return dp_zone_rule_changes(&r, z, last);
}

/*
 * Two changes are farther apart than clocks jump at both, so that a time of day that one skips or
 * repeats has nothing to do with the other.  In the tz database they are days apart.
 */
static bool
in_order(const struct dp_zone *z)
{
	const struct dp_zone_change *c = z->change;
	size_t i;

	for (i = 1; i + 1 < z->n; i++)
		if (c[i + 1].at - c[i].at < labs((long)c[i].east - c[i - 1].east) +
		    labs((long)c[i + 1].east - c[i].east))
			return false;
	return true;
}

static const char *
read_blocks(struct block *b, struct dp_slice file, struct dp_slice *rule)
{
	const unsigned char *p = (const unsigned char *)file.p;
	const char *why;
	size_t first, second;

	if ((why = header(b, p, file.n, 4, &first)) != NULL)
		return why;
	if ((why = header(b, p + first, file.n - first, 8, &second)) != NULL)
		return why;
	if (b->leap != 0)
		return "it counts leap seconds";
	*rule = (struct dp_slice){ file.p + first + second, file.n - first - second };
	if (rule->n < 2 || rule->p[rule->n - 1] != '\n')
		return CUT;
	if (*rule->p != '\n' || memchr(rule->p + 1, '\n', rule->n - 2) != NULL)
		return DAMAGED;
	*rule = (struct dp_slice){ rule->p + 1, rule->n - 2 };
	return types_are_sound(b) ? NULL : DAMAGED;
}

int
dp_zone_read(struct dp_zone *out, struct dp_slice file, const char **why)
{
	struct dp_zone z = { 0 };
	struct dp_slice rule;
	struct block b;
	int e;

	if ((*why = read_blocks(&b, file, &rule)) != NULL)
		return DP_ESYNTAX;
	if ((e = changes(&z, &b)) == 0)
		e = later(&z, &b, rule);
	if (e == 0 && !in_order(&z))
		e = DP_ESYNTAX;
	if (e != 0) {
		dp_zone_free(&z);
		*why = DAMAGED;
		return e;
	}
	*out = z;
	return 0;
}
