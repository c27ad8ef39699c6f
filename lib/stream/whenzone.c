/*
 * whenzone.c - the zone of a time of day.
 */
#include <stdlib.h>
#include <string.h>

#include "whentext.h"

/*
 * Abbreviations of zones other than UTC as the tz database and common logs have them, and the
 * halves of a day. Sorted, for bsearch(3).
 */
static const char unknown[][5] = {
	"ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AM", "ART", "AST", "AWST", "BRT",
	"BST", "CAT", "CDT", "CEST", "CET", "CLST", "CLT", "COT", "CST", "ChST", "EAT", "EDT",
	"EEST", "EET", "EST", "HDT", "HKT", "HST", "ICT", "IDT", "IRST", "IST", "JST", "KST", "MDT",
	"MEST", "MESZ", "MET", "MEZ", "MSD", "MSK", "MST", "NDT", "NPT", "NST", "NZDT", "NZST",
	"PDT", "PET", "PHT", "PKT", "PM", "PST", "SAST", "SGT", "SST", "TRT", "UYT", "VET", "WAT",
	"WEST", "WET", "WIB", "WIT", "WITA", "am", "pm"
};

static const char *const area[] = {
	"Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/", "Etc/",
	"Europe/", "Indian/", "Pacific/"
};

static bool
letter(const struct cursor *c)
{
	return c->p < c->e && (unsigned char)((*c->p | 32) - 'a') < 26;
}

/* Nothing more of the word is to come. */
static bool
word_ends(const struct cursor *c)
{
	return at_end(c) || strchr(" \t])},;:|\"", *c->p) != NULL;
}

bool
dp_zone_offset(struct cursor *c, bool colon, struct dp_civil *v)
{
	bool west = *c->p++ == '-';
	unsigned h, m = 0;

	if (!number(c, 2, &h))
		return false;
	if (!colon || digit(c) || (!at_end(c) && *c->p == ':')) {
		if (colon)
			is(c, ':');
		if (!number(c, 2, &m))
			return false;
	}
	v->offset = (int)(h * HOUR + m * MINUTE);
	if (west)
		v->offset = -v->offset;
	v->zoned = true;
	return h <= 23 && m <= 59;
}

bool
dp_zone_here(struct cursor *c, struct dp_civil *v)
{
	if (sign(c))
		return dp_zone_offset(c, true, v);
	if (c->e - c->p >= 3 && (memcmp(c->p, "UTC", 3) == 0 || memcmp(c->p, "GMT", 3) == 0)) {
		c->p += 3;
		v->zoned = true;
		return !sign(c) || dp_zone_offset(c, true, v);
	}
	if (is(c, 'Z') || is(c, 'z'))
		v->zoned = true;
	return true;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Is the word a zone's name, or half a day? */
static bool
is_unknown(const struct cursor *c)
{
	struct cursor w = *c;
	char name[5] = "";
	size_t i, n;

	for (i = 0; i < sizeof area / sizeof *area; i++) {
		n = strlen(area[i]);
		if ((size_t)(c->e - c->p) > n && memcmp(c->p, area[i], n) == 0)
			return true;
	}
	for (i = 0; i < sizeof name - 1 && letter(&w); i++)
		name[i] = *w.p++;
	return (word_ends(&w) || sign(&w) || digit(&w)) &&	/* EST5EDT */
	    bsearch(name, unknown, sizeof unknown / sizeof *unknown, sizeof *unknown,
	    compare) != NULL;
}

/* Four digits after a sign, and no more: a number in the next column has not often that form. */
static bool
is_offset(struct cursor c)
{
	unsigned x;

	c.p++;
	if (!number(&c, 2, &x))
		return false;
	is(&c, ':');
	return number(&c, 2, &x) && word_ends(&c);
}

bool
dp_zone_after(const struct dp_stamp *s, const char *p, struct dp_civil *v)
{
	struct cursor c, w;

	if (v->zoned || s->zone == 0 || p >= s->next.p + s->zone)
		return true;
	c = (struct cursor){ p, s->next.p + s->zone };
	skip_blanks(&c);
	if (sign(&c))
		return !is_offset(c) || dp_zone_offset(&c, true, v);
	w = c;
	if (!letter(&w))
		return true;
	if (!dp_zone_here(&w, v))
		return false;		/* UTC+x */
	if (v->zoned && word_ends(&w))
		return true;
	v->zoned = false;
	v->offset = 0;
	return !is_unknown(&c);
}
