/*
 * weights.h - a list of weights from text, for decays given as a table.
 *
 * One number a line: DIGITS[.DIGITS][e[+-]DIGITS], digits on at least one side of the point, lines
 * end in LF or CRLF, the last may lack it; blank lines may follow the last number.  The first is 1,
 * none is larger than the one before.  Weights are public parameters.
 */
#ifndef DP_WEIGHTS_H
#define DP_WEIGHTS_H

#include "base/dp.h"

#define DP_WEIGHTS_MAX	((size_t)1 << 16)

/*
 * The len bytes at text -> *g, malloc'd, the caller frees it, and their number.  Within 0.51 units
 * in the last place of what is written, where long doubles have 64 bits; below the smallest double:
 * 0. DP_ESYNTAX: not such a list, DP_ERANGE: too many; then why is a sentence that names the line.
 * DP_ENOMEM. No locale, no I/O.
 */
int	dp_weights_read(const char *text, size_t len, double **g, size_t *ng, char why[static 160])
	    DP_MUSTUSE;

#endif
