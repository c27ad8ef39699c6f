/* SPDX-License-Identifier: ISC */
/*
 * f_weights.c - any bytes as a list of weights: refused with a reason, or numbers from 1 down, none
 * larger than the one before, each as strtold(3) reads it.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_weights.c ...; ./f_weights corpus
 *	cc -DREPLAY f_weights.c ...; ./f_weights FILE ...
 */
#include <float.h>
#include <math.h>

#include "base/matrix.h"
#include "target.h"

/* Within a few units in the last place: the line as glibc reads it. */
static bool
near(double v, const char *line, const char *end)
{
	char text[1024], *stop;
	const size_t n = (size_t)(end - line);
	double w;

	need(n < sizeof text);
	memcpy(text, line, n);
	text[n] = '\0';
	w = (double)strtold(text, &stop);
	need(*stop == '\0' || *stop == '\r' || *stop == '\n');
	return fabs(v - w) <= 4 * DBL_EPSILON * w + DBL_TRUE_MIN;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const char *text = (const char *)p, *line = text, *end;
	char why[160] = "";
	double *g;
	size_t i, ng;

	if (dp_weights_read(text, n, &g, &ng, why) != 0) {
		need(why[0] != '\0');
		return 0;
	}
	need(ng >= 1 && ng <= n && g[0] == 1);
	for (i = 0; i < ng; i++, line = end + 1) {
		if ((end = memchr(line, '\n', (size_t)(text + n - line))) == NULL)
			end = text + n;
		need(g[i] >= 0 && (i == 0 || g[i] <= g[i - 1]) && near(g[i], line, end));
	}
	free(g);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
