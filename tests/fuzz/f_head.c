/*
 * f_head.c - any lines as the head of a state file, and any words as the options of a later run:
 * refused with a message, or a complete set of options.  The first line has the words, a tab
 * between them; the second names the tool, and is the head's first, as what follows is the rest.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_head.c ...; ./f_head corpus
 *	cc -DREPLAY f_head.c ...; ./f_head FILE ...
 */
#include "asked.h"
#include "state/form.h"

/* The tool that the head names, or the first. */
static const struct asked *
named(const char *head)
{
	size_t i;

	for (i = 0; i < ASKED; i++)
		if (strncmp(head, "tool ", 5) == 0 && strncmp(head + 5, asked[i].name,
		    strcspn(head + 5, "\n")) == 0)
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
		status = asked_words(named(head), first, text, "\t");
		need(status == DP_EX_OK || status == DP_EX_USAGE || status == DP_EX_INPUT ||
		    status == DP_EX_STATE);
	}
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
