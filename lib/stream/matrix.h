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
#ifndef DP_MATRIX_H
#define DP_MATRIX_H

#include "base/dp.h"

#define DP_MATRIX_PLACES	6
#define DP_MATRIX_CORNER	"query"
#define DP_MATRIX_ROWS_MAX	((size_t)1000000)
#define DP_MATRIX_COLUMNS_MAX	((size_t)1000000)
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
void	dp_matrix_free(struct dp_matrix *);

/* Its rows entries. */
static inline const int32_t *
dp_matrix_column(const struct dp_matrix *m, size_t i)
{
	return m->entry + i * m->rows;
}

#endif
