/*
 * whenzone.c - the zone of a time of day.
 */
#include <stdlib.h>
#include <string.h>

#include "whentext.h"

/*
 * Abbreviations of zones other than UTC as the tz database and common logs have them, and the
 * halves of a day, in capitals. Sorted, for bsearch(3).
 */
static const char unknown[][5] = {
	"ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AM", "ART", "AST", "AWST", "BRT",
	"BST", "CAT", "CDT", "CEST", "CET", "CHST", "CLST", "CLT", "COT", "CST", "EAT", "EDT",
	"EEST", "EET", "EST", "HDT", "HKT", "HST", "ICT", "IDT", "IRST", "IST", "JST", "KST", "MDT",
	"MEST", "MESZ", "MET", "MEZ", "MSD", "MSK", "MST", "NDT", "NPT", "NST", "NZDT", "NZST",
	"PDT", "PET", "PHT", "PKT", "PM", "PST", "SAST", "SGT", "SST", "TRT", "UYT", "VET", "WAT",
	"WEST", "WET", "WIB", "WIT", "WITA"
};

/* Abbreviations that are words, or programs, unless all letters are capitals. */
static const char word[][5] = {
	"ART", "CAT", "COT", "EAT", "MET", "PET", "VET", "WEST", "WET", "WIT"
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
	if (at_end(c))
		return true;
	switch (*c->p) {
	case ' ': case '\t': case ']': case ')': case '}': case ',': case ';': case ':':
	case '|': case '"': case '\0':
		return true;
	default:
		return false;
	}
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

/* Does the text begin with this name of three small letters, in any case? */
static bool
begins(const struct cursor *c, const char *name)
{
	return c->e - c->p >= 3 && (c->p[0] | 32) == name[0] && (c->p[1] | 32) == name[1] &&
	    (c->p[2] | 32) == name[2];
}

bool
dp_zone_here(struct cursor *c, struct dp_civil *v)
{
	if (sign(c))
		return dp_zone_offset(c, true, v);
	if (begins(c, "utc") || begins(c, "gmt")) {
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
	bool capitals = true;
	size_t i, n;

	for (i = 0; i < sizeof area / sizeof *area; i++) {
		n = strlen(area[i]);
		if ((size_t)(c->e - c->p) > n && memcmp(c->p, area[i], n) == 0)
			return true;
	}
	for (i = 0; i < sizeof name - 1 && letter(&w); i++) {
		capitals &= (*w.p & 32) == 0;
		name[i] = (char)(*w.p++ & ~32);
		is(&w, '.');					/* P.M. */
	}
	if (!word_ends(&w) && !(capitals && (sign(&w) || digit(&w))))	/* EST5EDT */
		return false;
	if (!capitals && bsearch(name, word, sizeof word / sizeof *word, sizeof *word,
	    compare) != NULL)
		return false;
	return bsearch(name, unknown, sizeof unknown / sizeof *unknown, sizeof *unknown,
	    compare) != NULL;
}

/*
 * Two or four digits after a sign, and no more, or digits on both sides of a colon: a number in the
 * next column has not often that form.
 */
static bool
like_offset(struct cursor *c)
{
	struct cursor w = { c->p + 1, c->e };
	ptrdiff_t n;

	while (digit(&w))
		w.p++;
	n = w.p - c->p - 1;
	if (w.e - w.p > 1 && w.p[0] == ':' && (unsigned char)(w.p[1] - '0') < 10)
		return n == 1 || n == 2;
	if ((n != 2 && n != 4) || !word_ends(&w))
		return false;
	c->e = w.p;			/* -07: is an offset, and a colon */
	return true;
}

bool
dp_zone_after(const struct dp_stamp *s, const char *p, struct dp_civil *v)
{
	struct cursor c, w;

	if (v->zoned || v->bare || s->zone == 0 || p >= s->next.p + s->zone)
		return true;
	c = (struct cursor){ p, s->next.p + s->zone };
	skip_blanks(&c);
	if (!is(&c, '['))
		is(&c, '(');
	if (sign(&c))
		return !like_offset(&c) || (dp_zone_offset(&c, true, v) && word_ends(&c));
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
