/* SPDX-License-Identifier: ISC */
/*
 * matrix.h - a matrix of numbers from 0 to 1, from CSV text.
 *
 * A row is a row of the text (RFC 4180; a byte order mark, CRLF and blank rows are passed over).
 * Entries are decimals from 0 to 1 of at most DP_MATRIX_PLACES places, and kept exactly.  The first
 * row is a header, names of the columns, unless its first field is such a number.  If the header's
 * first field is empty or DP_MATRIX_CORNER, the first field of every other row is the row's name.
 *
 * Names are different, of 1 to 255 bytes, none of them a control character.
 */
#ifndef DP_BASE_MATRIX_H
#define DP_BASE_MATRIX_H

#include "dp.h"

#define DP_MATRIX_WHY	400

struct dp_matrix {
	size_t rows, columns;		/* >= 1 each */
	unsigned places;		/* the most that an entry was written with */
	int32_t *entry;			/* column by column, 0 .. 10^places: in units of it */
	char **row, **column;		/* their names; NULL: they have none */
};

/*
 * 0; DP_ESYNTAX, DP_ERANGE: why says where and what; DP_ENOMEM.  On an error there is nothing to
 * free.
 */
int	dp_matrix_read(struct dp_matrix *, const char *text, size_t len,
	    char why[static DP_MATRIX_WHY]) DP_MUSTUSE;

/* Its rows entries. */
static inline const int32_t *
dp_matrix_column(const struct dp_matrix *m, size_t i)
{
	return m->entry + i * m->rows;
}

/*
 * A list of weights from text, for decays given as a table; or of factors that rise, for a loss
 * that grows with age.
 *
 * One number a line: DIGITS[.DIGITS][e[+-]DIGITS], digits on at least one side of the point, lines
 * end in LF or CRLF, the last may lack it; blank lines may follow the last number.  The first is 1,
 * none is larger than the one before; of what rises, none smaller, and none above DP_RISE_MAX.
 * All are public parameters.
 */

#define DP_RISE_MAX	1000000

/*
 * The len bytes at text -> *g, malloc'd, the caller frees it, and their number.  Within 0.51 units
 * in the last place of what is written, where long doubles have 64 bits; below the smallest double:
 * 0. DP_ESYNTAX: not such a list, DP_ERANGE: too many; then why is a sentence that names the line.
 * DP_ENOMEM. No locale, no I/O.
 */
int	dp_weights_read(const char *text, size_t len, double **g, size_t *ng, char why[static 160])
	    DP_MUSTUSE;
/* The same of factors that rise. */
int	dp_rise_read(const char *text, size_t len, double **g, size_t *ng, char why[static 160])
	    DP_MUSTUSE;

#endif
