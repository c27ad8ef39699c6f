/*
 * accesslog.c - the lines of access logs, common and combined, cut as their patterns say (logs.c).
 *
 * Every quantifier of the patterns is possessive, so a line is read once, from left to right.  Only
 * the request has two branches, and both end at one quote.  t_cut.c compares with the patterns.
 */
#include "block.h"
#include "cut.h"

enum { HOST = 1, IDENT, USER, TIME, REQUEST, METHOD, PATH, PROTOCOL, STATUS, SIZE, REFERER, AGENT };

/* Places of bytes that may end a field, in the last block of a text that was looked at. */
struct marks {
	const char *block, *end;
	uint64_t at;
};

static inline void
look(struct marks *m)
{
	_Static_assert((' ' ^ 2) == '"' && ('\\' ^ 1) == ']', "pairs");
	m->at = dp_block_pairs(m->block, ' ', '\\') &
	    dp_block_first((size_t)(m->end - m->block));
}

/* The first mark of the blocks behind this one, from p on, or the end. */
__attribute__((noinline)) static const char *
next_block(struct marks *m, const char *p)
{
	while (m->end - m->block > (ptrdiff_t)DP_BLOCK) {
		m->block += DP_BLOCK;
		look(m);
		if (p > m->block)
			m->at &= ~dp_block_first((size_t)(p - m->block));
		if (m->at != 0)
			return m->block + __builtin_ctzll(m->at);
	}
	return m->end;
}

/* The first mark from p on, or the end; p is in the block, or at its end. */
static inline const char *
next(struct marks *m, const char *p)
{
	const size_t i = (size_t)(p - m->block);

	if (i >= DP_BLOCK || m->at >> i == 0)
		return next_block(m, p);
	return p + __builtin_ctzll(m->at >> i);
}

/* The first byte of this kind, a mark, from p on; NULL: there is none, or it is at p. */
static inline const char *
field(struct marks *m, const char *p, char stop, struct dp_slice *f)
{
	const char *q = next(m, p);

	while (q < m->end && *q != stop)
		q = next(m, q + 1);
	*f = (struct dp_slice){ p, (size_t)(q - p) };
	return q > p && q < m->end ? q : NULL;
}

/* A backslash takes the next byte with it, but no end of a line. */
static inline bool
takes(const struct marks *m, const char *p)
{
	return m->end - p > 1 && p[1] != '\n';
}

/* The end of what stands between quotes: a quote, a backslash that takes nothing, or the end. */
static const char *
inside(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = next(m, p);

	while (q < m->end && *q != '"' && (*q != '\\' || takes(m, q)))
		q = next(m, q + (*q == '\\' ? 2 : 1));
	*f = (struct dp_slice){ p, (size_t)(q - p) };
	return q;
}

/*
 * The request, up to its quote.  It has parts if its blanks, without those that a backslash takes,
 * are one or two, no part is empty, and a backslash is in the path alone, behind its first byte.
 */
static const char *
request(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *blank[2] = { NULL, NULL }, *q;
	unsigned blanks = 0;
	bool parts = true;

	for (q = next(m, p); q < m->end && *q != '"'; q = next(m, q + 1))
		if (*q == ' ') {
			if (blanks < 2)
				blank[blanks] = q;
			blanks++;
		} else if (*q == '\\') {
			parts &= blanks == 1 && q > blank[0] + 1;
			if (!takes(m, q++))
				return NULL;
		}
	if (q == m->end)
		return NULL;
	f[REQUEST] = (struct dp_slice){ p, (size_t)(q - p) };
	f[METHOD] = f[PATH] = f[PROTOCOL] = (struct dp_slice){ NULL, 0 };
	if (blanks == 1)
		blank[1] = q;
	if (!parts || blanks == 0 || blanks > 2 || blank[0] == p || blank[1] == blank[0] + 1 ||
	    (blanks == 2 && q == blank[1] + 1))
		return q;
	f[METHOD] = (struct dp_slice){ p, (size_t)(blank[0] - p) };
	f[PATH] = (struct dp_slice){ blank[0] + 1, (size_t)(blank[1] - blank[0] - 1) };
	if (blanks == 2)
		f[PROTOCOL] = (struct dp_slice){ blank[1] + 1, (size_t)(q - blank[1] - 1) };
	return q;
}

/* A user's name: words with one blank between, of which only the first begins with [. */
static const char *
user(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = field(m, p, ' ', f);

	while (q != NULL && m->end - q > 1 && q[1] != '[')
		q = field(m, q + 1, ' ', f);
	if (q != NULL)
		*f = (struct dp_slice){ p, (size_t)(q - p) };
	return q;
}

/* The text goes on at *p with these bytes; if so, *p is behind them. */
static inline bool
is(const struct marks *m, const char **p, const char *text, size_t n)
{
	if ((size_t)(m->end - *p) < n || memcmp(*p, text, n) != 0)
		return false;
	*p += n;
	return true;
}

#define IS(p, text)	is(&m, &(p), "" text, sizeof text - 1)

bool
dp_log_access(struct dp_slice text, struct dp_slice *f, unsigned fields)
{
	struct marks m = { .block = text.p, .end = text.n == 0 ? text.p : text.p + text.n };
	const char *p = text.p, *size;

	if (text.n == 0)
		return false;
	look(&m);
	if ((p = field(&m, p, ' ', &f[HOST])) == NULL ||
	    (p = field(&m, p + 1, ' ', &f[IDENT])) == NULL ||
	    (p = user(&m, p + 1, &f[USER])) == NULL || !IS(p, " [") ||
	    (p = field(&m, p, ']', &f[TIME])) == NULL || !IS(p, "] \""))
		return false;
	m.block = p;		/* most requests are then in one block: next_block() mispredicts */
	look(&m);
	if ((p = request(&m, p, f)) == NULL || !IS(p, "\" ") ||
	    (p = field(&m, p, ' ', &f[STATUS])) == NULL)
		return false;
	for (size = ++p; p < m.end && (unsigned char)(*p - '0') < 10; p++)
		;
	if (p == size && (p == m.end || *p != '-'))
		return false;
	f[SIZE] = (struct dp_slice){ size, (size_t)(p - size) };
	if (fields < AGENT)
		return true;
	(void)IS(p, "-");
	if (IS(p, " \"") && (p = inside(&m, p, &f[REFERER]), IS(p, "\" \"")))
		inside(&m, p, &f[AGENT]);
	else
		f[REFERER] = f[AGENT] = (struct dp_slice){ NULL, 0 };
	return true;
}
