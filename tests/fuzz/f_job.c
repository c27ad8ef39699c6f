/* SPDX-License-Identifier: ISC */
/*
 * f_job.c - any lines as the job of a state, or as a head from before there were jobs, and any
 * words as the options of a later run: refused with a message, or a complete set of options.  The
 * first line has the words, a tab between them; what follows is the head.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_job.c ...; ./f_job corpus
 *	cc -DREPLAY f_job.c ...; ./f_job FILE ...
 */
#include "asked.h"

/* The tool that the head names, or the first. */
static const struct asked *
named(struct dp_slice head)
{
	struct dp_slice tool;
	size_t i;

	for (i = 0; i < ASKED; i++)
		if (dp_doc_find(head, "tool", &tool) && tool.n == strlen(asked[i].name) &&
		    memcmp(tool.p, asked[i].name, tool.n) == 0)
			return &asked[i];
	return &asked[0];
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static char name[] = "dp", state[] = "--state=s", *first[] = { name, state, NULL };
	const uint8_t *nl = n == 0 ? NULL : memchr(p, '\n', n);
	char *text, *head;
	int status;

	if (nl == NULL)
		return 0;
	need((text = malloc(n + 1)) != NULL);
	memcpy(text, p, n);
	text[n] = '\0';
	head = text + (nl - p);
	*head++ = '\0';
	/* what the form of a state file lets pass */
	if (memchr(head, '\0', (size_t)(text + n - head)) == NULL &&
	    dp_stateform_head_ok((struct dp_slice){ head, (size_t)(text + n - head) })) {
		asked_head = head;
		status = asked_words(named((struct dp_slice){ head, strlen(head) }), first, text,
		    "\t");
		need(status == DP_EX_OK || status == DP_EX_USAGE || status == DP_EX_INPUT ||
		    status == DP_EX_SPENT || status == DP_EX_STATE);
	}
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
