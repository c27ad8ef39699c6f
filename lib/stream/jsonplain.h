/*
 * jsonplain.h - JSON lines that are plain, for json.c only.
 */
#ifndef DP_JSONPLAIN_H
#define DP_JSONPLAIN_H

#include "base/dp.h"

/*
 * Sets fields 1..n to what paths 0..n-1 lead to, as json.h says: true.  false: the line is not
 * plain, and fields hold anything.  Every plain line is one that json-c takes, with the same fields
 * (t_json.c), and here several times as fast.
 */
bool	dp_json_plain(char *const *path, unsigned n, struct dp_slice text, struct dp_slice *field);

#endif
