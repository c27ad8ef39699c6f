/*
 * jsonplain.h - JSON lines that are plain, for json.c only.
 */
#ifndef DP_JSONPLAIN_H
#define DP_JSONPLAIN_H

#include "base/dp.h"

/*
 * true: fields 1..n are the members at paths 0..n-1, as json.h says.  false: the line is not plain,
 * and fields hold anything.  json-c takes every plain line, gives it the same fields (t_json.c),
 * and is several times slower.
 */
bool	dp_json_plain(char *const *path, unsigned n, struct dp_slice text, struct dp_slice *field);

#endif
