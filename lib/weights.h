/* weights.h - the --weights file. */
#ifndef DP_WEIGHTS_H
#define DP_WEIGHTS_H

#include "dp.h"

#define DP_WEIGHTS_MOST	((size_t)1 << 20)

/*
 * One number a line, the first 1, none above the one before or below 0; blank lines at the end and CRLF are
 * fine.  *g is the caller's to free.  DP_EINVAL: why says which line and what is wrong; DP_ENOMEM.
 */
int	dp_weights_read(const char *text, size_t n, double **g, size_t *ng, char why[static 160])
	    DP_MUSTUSE;

#endif
