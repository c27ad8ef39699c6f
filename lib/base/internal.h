/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/base: what its files alone share. */
#ifndef DP_BASE_INTERNAL_H
#define DP_BASE_INTERNAL_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "block.h"
#include "doc.h"
#include "out.h"

/* POSIX: the least stack that a signal can be taken on */
size_t	dp_os_registers(void);

struct dp_fx;
struct dp_matrix;
struct dp_numbers;
struct dp_zone;
struct dp_zone_rule;

/* Internal to base: a decimal number as it stands in a text. */

struct dp_decimal {
	const char *whole, *frac;	/* digits before and after the point */
	size_t nwhole, nfrac;
	int64_t exp;			/* saturated */
	bool negative, has_exp;
};

/* The i-th digit, counted from the left over the point. */
static inline unsigned
dp_decimal_digit(const struct dp_decimal *d, size_t i)
{
	return (unsigned)((i < d->nwhole ? d->whole[i] : d->frac[i - d->nwhole]) - '0');
}

#define DP_NAMES_TEXT	255		/* bytes of a name, at most */

/* A change at `at`, no earlier than the last; kept only if it changes `east'.  DP_ENOMEM. */
int	dp_zone_add(struct dp_zone *, int64_t at, int32_t east) DP_MUSTUSE;
/*
 * The time at which clocks show `local': the first if they show it twice; if they skip it, the time
 * as if they had not changed yet, so that 02:30 becomes 03:30.
 */
int64_t	dp_zone_seconds(const struct dp_zone *, int64_t local);
/* The first time at which clocks show `local' or a later time of day. */
int64_t	dp_zone_first(const struct dp_zone *, int64_t local);
/* The latest that clocks have shown up to t: more than they show after they were put back. */
int64_t	dp_zone_latest(const struct dp_zone *, int64_t t);

/*
 * The rule by which a zone's clocks change every year, for when.c only.
 */

/* Reads a rule in the form of POSIX's TZ, with times of day up to a week (RFC 8536). */
bool	dp_zone_rule(struct dp_zone_rule *, struct dp_slice) DP_MUSTUSE;

struct dp_zone_rule {
	int32_t east[2];		/* standard time, and the other */
	bool changes;			/* false: standard time all year */
	struct dp_zone_day {
		char kind;		/* M: day of the week in a month; J, 0: day of the year */
		unsigned month, week, day;
		int32_t seconds;	/* from midnight on, by the clocks of before */
	} day[2];			/* when standard time ends, when it begins */
};

/* 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z */
#define DP_WHEN_MIN	(-INT64_C(62167219200))

/* Days from 1970-01-01; the month from 1 to 12. */
int64_t	dp_civil_days(unsigned year, unsigned month, unsigned day);

/* A place in text, and its end. */
struct cursor {
	const char *p, *e;
};

static inline struct cursor
over(struct dp_slice s)
{
	return (struct cursor){ s.p, s.n == 0 ? s.p : s.p + s.n };
}

static inline bool
at_end(const struct cursor *c)
{
	return c->p == c->e;
}

static inline bool
at_blank(const struct cursor *c)
{
	return c->p < c->e && (*c->p == ' ' || *c->p == '\t');
}

static inline void
skip_blanks(struct cursor *c)
{
	while (at_blank(c))
		c->p++;
}

static inline bool
is(struct cursor *c, char x)
{
	if (at_end(c) || *c->p != x)
		return false;
	c->p++;
	return true;
}

static inline bool
digit(const struct cursor *c)
{
	return c->p < c->e && (unsigned char)(*c->p - '0') < 10;
}

/* Exactly n digits, looked at together. */
static inline bool
number(struct cursor *c, unsigned n, unsigned *v)
{
	unsigned x = 0, i, d, bad = 0;

	if (c->e - c->p < (ptrdiff_t)n)
		return false;
	for (i = 0; i < n; i++) {
		d = (unsigned)(unsigned char)c->p[i] - '0';
		bad |= d > 9;
		x = 10 * x + d;
	}
	c->p += n;
	*v = x;
	return bad == 0;
}

static inline bool
sign(const struct cursor *c)
{
	return c->p < c->e && (*c->p == '+' || *c->p == '-');
}

/* A stamp's text and the text that follows, as one string, for forms that blanks cut apart. */
struct dp_joined {
	char buf[160];
	size_t n, text;			/* bytes in all, and of the text */
	const char *next;		/* where what follows stands */
};

#define DP_MATRIX_PLACES	6
#define DP_MATRIX_CORNER	"query"
#define DP_MATRIX_ROWS_MAX	((size_t)1000000)
#define DP_MATRIX_COLUMNS_MAX	((size_t)1000000)
/*
 * 0; DP_ESYNTAX, DP_ERANGE: why says where and what; DP_ENOMEM.  On an error there is nothing to
 * free.
 */
void	dp_matrix_free(struct dp_matrix *);

#define DP_WEIGHTS_MAX	((size_t)1 << 16)

#define DP_OUT_GROUP	((size_t)16 * DP_OUT_BLOCK)	/* most that waits */
#define DP_OUT_NONE	UINT64_MAX

/* Bit i: p[i] is a or a ^ 2, or b or b ^ 1; a has bit 1 clear, b bit 0. */
static inline uint64_t
dp_block_pairs(const char *p, char a, char b)
{
#ifdef __SSE2__
	const __m128i *q = (const __m128i *)(const void *)p;
	const __m128i two = _mm_set1_epi8(~2), one = _mm_set1_epi8(~1);
	__m128i x;
	uint64_t m = 0;
	unsigned i;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++) {
		x = _mm_loadu_si128(q + i);
		x = _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(x, two), _mm_set1_epi8(a)),
		    _mm_cmpeq_epi8(_mm_and_si128(x, one), _mm_set1_epi8(b)));
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << 16 * i;
	}
	return m;
#else
	return dp_block_equal(p, a) | dp_block_equal(p, (char)(a ^ 2)) | dp_block_equal(p, b) |
	    dp_block_equal(p, (char)(b ^ 1));
#endif
}

/* Bit i: p[i] | fold is from lo to hi, of the first 16 * parts of the bytes at p. */
static inline uint64_t
dp_block_range(const char *p, char fold, char lo, char hi, unsigned parts)
{
	uint64_t m = 0;
	unsigned i;
#ifdef __SSE2__
	const __m128i *q = (const __m128i *)(const void *)p, most = _mm_set1_epi8((char)(hi - lo));
	__m128i x;

#pragma GCC unroll 4
	for (i = 0; i < parts; i++) {
		x = _mm_or_si128(_mm_loadu_si128(q + i), _mm_set1_epi8(fold));
		x = _mm_sub_epi8(x, _mm_set1_epi8(lo));
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(_mm_min_epu8(x, most), x)) << 16 * i;
	}
#else
	for (i = 0; i < 16 * parts; i++)
		m |= (uint64_t)((unsigned char)((p[i] | fold) - lo) <= hi - lo) << i;
#endif
	return m;
}

#define DP_DOC_WHY	(DP_DOC_KEY + 160)
struct dp_doc dp_doc_comparer(struct dp_slice);
/* 0; DP_ENOMEM; DP_ESTATE: a fault, of which `why' is a phrase: "'horizon' is missing". */
int	dp_doc_error(const struct dp_doc *, char why[static DP_DOC_WHY]);

int	dp_fx_cmp(const struct dp_fx *, const struct dp_fx *);

enum dp_number_kind { DP_NUMBER_INT, DP_NUMBER_REAL, DP_NUMBER_NUM, DP_NUMBER_DEN };
/* Appends the numbers of a line without its end. */
void	dp_numbers_get(struct dp_numbers *, const char *line, size_t n);
/* All lines, `prefix` before each of them. */
void	dp_numbers_put(struct dp_buf *, const struct dp_numbers *, const char *prefix);

#endif
