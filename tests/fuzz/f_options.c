/* SPDX-License-Identifier: ISC */
/*
 * f_options.c - any words as the command line of a tool: refused with a message, or a complete set
 * of options with a relation in words.  Byte 0: the tool; then the words, a line each.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_options.c ...; ./f_options corpus
 *	cc -DREPLAY f_options.c ...; ./f_options FILE ...
 */
#include "asked.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static char name[] = "dp", *first[] = { name, NULL };
	char *text;
	int status;

	if (n < 2)
		return 0;
	need((text = malloc(n)) != NULL);
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\0';
	status = asked_words(&asked[p[0] % ASKED], first, text, "\n");
	need(status == DP_EX_OK || status == DP_EX_USAGE || status == DP_EX_INPUT);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
