/* SPDX-License-Identifier: ISC */
/* matrix.c - matrices and lists of weights from text. */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "matrix.h"
#include "text.h"

#define NAME_MAX_BYTES	255

/* The text so far. */
struct reading {
	struct dp_matrix *m;
	char *why;
	int error;
	size_t row, field;	/* rows ended (with the header), fields of this row */
	size_t names;		/* of rows */
	bool header, named;	/* there is one; it says that rows have names */
	int32_t *entry;		/* row by row, in units of 10^-DP_MATRIX_PLACES; owned */
	size_t n, cap;
};

static void
wrong(struct reading *r, int error, const char *what)
{
	if (r->error != 0)
		return;
	r->error = error;
	snprintf(r->why, DP_MATRIX_WHY, "row %zu, field %zu: %s", r->row + 1, r->field, what);
}

/* An entry, in units of 10^-DP_MATRIX_PLACES; -1: it is none. */
static int64_t
entry(const char *p, size_t n, int *places)
{
	int64_t v;

	*places = dp_decimal_places(p, n);
	if (*places < 0 || dp_decimal_parse(&v, p, n, DP_MATRIX_PLACES) != 0)
		return -1;
	return v >= 0 && v <= 1000000 ? v : -1;
}

/* Makes room for one more of n things at p, which are powers of two. */
static bool
more(void *pp, size_t n, size_t size)
{
	void **p = pp, *q;

	if ((n & (n - 1)) != 0)
		return true;
	if ((q = reallocarray(*p, n == 0 ? 1 : 2 * n, size)) == NULL)
		return false;
	*p = q;
	return true;
}

/* One more of *n names. */
static void
add_name(struct reading *r, char ***list, size_t *n, const char *p, size_t len)
{
	size_t i;

	if (len == 0 || len > NAME_MAX_BYTES) {
		wrong(r, DP_ESYNTAX, "a name has 1 to 255 bytes");
		return;
	}
	for (i = 0; i < len; i++)
		if ((unsigned char)p[i] < ' ' || p[i] == 0x7f) {
			wrong(r, DP_ESYNTAX, "a name has a control character");
			return;
		}
	if (!more(list, *n, sizeof **list) || ((*list)[*n] = strndup(p, len)) == NULL)
		wrong(r, DP_ENOMEM, "out of memory");
	else
		++*n;
}

static void
add_entry(struct reading *r, const char *p, size_t len)
{
	int places;
	int64_t v = entry(p, len, &places);

	if (v < 0) {
		wrong(r, DP_ESYNTAX, r->row > 0 && r->field == 1 ?
		    "is not a decimal from 0 to 1 (where rows have names, the first row begins "
		    "with '" DP_MATRIX_CORNER "')" :
		    r->row > 0 ? "is not a decimal from 0 to 1" :
		    "is not a decimal from 0 to 1, as the first field of the row is (a header "
		    "begins with a name, an empty field or '" DP_MATRIX_CORNER "')");
		return;
	}
	if (places > DP_MATRIX_PLACES) {
		wrong(r, DP_ERANGE, "has more than 6 decimals");
		return;
	}
	if ((unsigned)places > r->m->places)
		r->m->places = (unsigned)places;
	if (!more(&r->entry, r->n, sizeof *r->entry)) {
		wrong(r, DP_ENOMEM, "out of memory");
		return;
	}
	r->entry[r->n++] = (int32_t)v;
}

static void
take_field(void *text, size_t len, void *arg)
{
	struct reading *r = arg;
	struct dp_matrix *m = r->m;
	const char *p = text == NULL ? "" : text;
	int places;

	if (r->error != 0)
		return;
	r->field++;
	if (r->row == 0 && r->field == 1 && entry(p, len, &places) < 0) {
		r->header = true;
		r->named = len == 0 || (len == strlen(DP_MATRIX_CORNER) &&
		    memcmp(p, DP_MATRIX_CORNER, len) == 0);
		if (r->named)
			return;
	}
	if (r->row == 0 && m->columns == DP_MATRIX_COLUMNS_MAX)
		wrong(r, DP_ERANGE, "is one column too many: there may be 1000000");
	else if (r->row == 0 && r->header)
		add_name(r, &m->column, &m->columns, p, len);
	else if (r->named && r->field == 1)
		add_name(r, &m->row, &r->names, p, len);
	else {
		m->columns += r->row == 0;
		add_entry(r, p, len);
	}
}

static void
take_row(int end, void *arg)
{
	struct reading *r = arg;
	struct dp_matrix *m = r->m;
	char what[100];

	(void)end;
	if (r->error != 0)
		return;
	if (r->field != m->columns + r->named) {
		snprintf(what, sizeof what, "is the last of this row; the first has %zu",
		    m->columns + r->named);
		wrong(r, DP_ESYNTAX, what);
	} else if (m->columns == 0)
		wrong(r, DP_ESYNTAX, "there are no columns");
	else if (m->rows == DP_MATRIX_ROWS_MAX)
		wrong(r, DP_ERANGE, "is one row too many: there may be 1000000");
	m->rows += !r->header || r->row > 0;
	r->row++;
	r->field = 0;
}

/* Entries column by column, in units of the places that were used. */
static int
arrange(struct reading *r)
{
	struct dp_matrix *m = r->m;
	int32_t unit = 1;
	size_t i, j;
	unsigned k;

	for (k = m->places; k < DP_MATRIX_PLACES; k++)
		unit *= 10;
	if ((m->entry = reallocarray(NULL, m->rows * m->columns, sizeof *m->entry)) == NULL)
		return DP_ENOMEM;
	for (j = 0; j < m->rows; j++)
		for (i = 0; i < m->columns; i++)
			m->entry[i * m->rows + j] = r->entry[j * m->columns + i] / unit;
	return 0;
}

static int
check(struct reading *r)
{
	const struct dp_matrix *m = r->m;
	const char *name;

	if (r->error == 0 && m->rows == 0) {
		snprintf(r->why, DP_MATRIX_WHY, "there are no queries");
		return DP_ESYNTAX;
	}
	if (r->error != 0)
		return r->error;
	if ((name = dp_names_twice(m->column, m->columns, &r->error)) != NULL ||
	    (name = dp_names_twice(m->row, m->rows, &r->error)) != NULL) {
		snprintf(r->why, DP_MATRIX_WHY, "the name '%s' is given twice", name);
		return DP_ESYNTAX;
	}
	return r->error;
}

int
dp_matrix_read(struct dp_matrix *m, const char *text, size_t len,
    char why[static DP_MATRIX_WHY])
{
	struct reading r = { .m = m, .why = why };
	struct csv_parser csv;
	int e;

	memset(m, 0, sizeof *m);
	if (memchr(text, '\0', len) != NULL) {
		snprintf(why, DP_MATRIX_WHY, "there is a NUL byte (is the file UTF-16?)");
		return DP_ESYNTAX;
	}
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return DP_ENOMEM;
	if (csv_parse(&csv, text, len, take_field, take_row, &r) != len ||
	    csv_fini(&csv, take_field, take_row, &r) != 0) {
		if (csv_error(&csv) == CSV_ENOMEM)
			wrong(&r, DP_ENOMEM, "out of memory");
		r.field++;
		wrong(&r, DP_ESYNTAX, "a quote stands where none may, or is not closed");
	}
	csv_free(&csv);
	if ((e = check(&r)) == 0)
		e = arrange(&r);
	free(r.entry);
	if (e != 0) {
		m->rows = r.names;
		dp_matrix_free(m);
	}
	return e;
}

void
dp_matrix_free(struct dp_matrix *m)
{
	size_t i;

	for (i = 0; m->row != NULL && i < m->rows; i++)
		free(m->row[i]);
	for (i = 0; m->column != NULL && i < m->columns; i++)
		free(m->column[i]);
	free(m->row);
	free(m->column);
	free(m->entry);
	memset(m, 0, sizeof *m);
}

#define LINE_MAX_BYTES	1000

/*
 * DIGITS[.DIGITS][e[+-]DIGITS], or without digits before the point, of n bytes: rounded to a long
 * double, and then to a double.  NULL, or the fault.
 */
static const char *
number_weights(const char *s, size_t n, double *v)
{
	char text[LINE_MAX_BYTES + 1], *end;

	memcpy(text, s, n);
	text[n] = '\0';
	if (*text == '-' && strspn(text + 1, "0123456789.") > 0)
		return "is negative";
	if (strspn(text, "0123456789.") == 0 || strspn(text, "0123456789.eE+-") != n)
		return "is not a number";
	*v = (double)dp_real_read(text, &end);
	return end == text + n ? NULL : "is not a number";
}

/* One line, of n numbers so far. */
static const char *
line(const char *s, const char *end, bool rising, double *g, size_t n)
{
	const char *no;

	if (end - s > LINE_MAX_BYTES)
		return "is too long for a number";
	if ((no = number_weights(s, (size_t)(end - s), &g[n])) != NULL)
		return no;
	if (n == 0 && g[0] != 1)
		return rising ? "is not 1: an event must have all of epsilon when it happens" :
		    "is not 1: the first weight must be";
	if (n > 0 && !rising && g[n] > g[n - 1])
		return "is larger than the one before: weights must not increase";
	if (n > 0 && rising && g[n] < g[n - 1])
		return "is smaller than the one before: what is lost cannot be had back";
	if (g[n] > DP_RISE_MAX)
		return "is above 1000000: use --expire=W where privacy ends";
	return NULL;
}

/* Bytes of text without its blank last lines. */
static size_t
trimmed(const char *text, size_t len)
{
	while (len > 0 && (text[len - 1] == '\n' || (text[len - 1] == '\r' &&
	    (len == 1 || text[len - 2] == '\n' || text[len - 2] == '\r'))))
		len--;
	/* the CR of the last number's CRLF */
	return len > 0 && text[len - 1] == '\r' ? len - 1 : len;
}

static int
list(const char *text, size_t len, bool rising, double **out, size_t *ng, char why[static 160])
{
	const char *s = text, *end = text + trimmed(text, len), *eol, *last, *no = NULL;
	size_t n = 1;
	double *g;

	if (s == end) {
		snprintf(why, 160, "there are no %s", rising ? "factors" : "weights");
		return DP_ESYNTAX;
	}
	for (eol = s; (eol = memchr(eol, '\n', (size_t)(end - eol))) != NULL; eol++)
		n++;
	if (n > DP_WEIGHTS_MAX) {
		snprintf(why, 160, rising ? "more than %zu factors: the last one is that of all "
		    "older events, too" : "more than %zu weights, and every step would add up all "
		    "of them: make steps longer (--bucket) or use --half-life or --power",
		    DP_WEIGHTS_MAX);
		return DP_ERANGE;
	}
	if ((g = malloc(n * sizeof *g)) == NULL)
		return DP_ENOMEM;
	for (n = 0; s <= end && no == NULL; s = eol + 1, n++) {
		if ((eol = memchr(s, '\n', (size_t)(end - s))) == NULL)
			eol = end;
		last = eol > s && eol < end && eol[-1] == '\r' ? eol - 1 : eol;
		no = last == s ? "is blank" : line(s, last, rising, g, n);
	}
	if (no != NULL) {
		snprintf(why, 160, "line %zu %s", n, no);
		free(g);
		return DP_ESYNTAX;
	}
	*out = g;
	*ng = n;
	return 0;
}

int
dp_weights_read(const char *text, size_t len, double **g, size_t *ng, char why[static 160])
{
	return list(text, len, false, g, ng, why);
}

int
dp_rise_read(const char *text, size_t len, double **g, size_t *ng, char why[static 160])
{
	return list(text, len, true, g, ng, why);
}
