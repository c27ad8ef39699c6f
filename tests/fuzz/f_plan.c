/* SPDX-License-Identifier: ISC */
/*
 * f_plan.c - any bytes as a plan: there is a verdict, and a reason unless it holds.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_plan.c ...; ./f_plan corpus
 *	cc -DREPLAY f_plan.c ...; ./f_plan FILE ...
 */
#include "audit/internal.h"
#include "target.h"

#define LONGEST	20000		/* bytes; longer ones take long */

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_verdict v;
	char *text;

	if (n > LONGEST || (text = malloc(n + 1)) == NULL)
		return 0;
	memcpy(text, p, n);
	text[n] = '\0';
	if (dp_certificate_check(&v, text, n) == 0 &&
	    (v.is == DP_VERDICT_HOLDS) != (v.why[0] == '\0'))
		abort();
	dp_verdict_free(&v);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
