/* SPDX-License-Identifier: ISC */
/*
 * margins.h - totals of a table (--margins, --hierarchy): which keys each one sums.  Options alone
 * decide it.
 *
 * Nodes are the keys, 0 .. keys - 1, and behind them the totals.
 */
#ifndef DP_JOB_MARGINS_H
#define DP_JOB_MARGINS_H

#include <stddef.h>

#include "base/dp.h"

struct dp_margins {
	size_t keys, n;		/* declared keys; totals */
	char **name;		/* of the totals */
	size_t *first, *key;	/* total i sums key[first[i]] .. key[first[i + 1] - 1] */
	/*
	 * What printed numbers add up by.  SUMS: a total is the sum of its printed keys.  TREE:
	 * the total that each node is below; the root is below itself.  TABLE: key i is in row i /
	 * columns and in column i % columns; totals are rows, columns, and all; of --other a key
	 * more is in neither.
	 */
	enum { DP_MARGINS_SUMS, DP_MARGINS_TREE, DP_MARGINS_TABLE } form;
	size_t *above;		/* TREE */
	size_t rows, columns;	/* TABLE */
};

#endif
