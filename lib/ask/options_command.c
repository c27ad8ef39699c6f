/* options_command.c - the command line as a shell would read it: what a ledger keeps of a run. */
#include <string.h>

#include "options.h"

#define COMMAND_MAX	4096

/* In quotes if a shell would see more in it than a word. */
static void
put_word(struct dp_buf *b, const char *s)
{
	const bool plain = *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-")] == '\0';

	dp_buf_puts(b, plain ? "" : "'");
	for (; *s != '\0'; s++)
		if (*s == '\'')
			dp_buf_puts(b, "'\\''");
		else
			dp_buf_add(b, (unsigned char)*s < ' ' || *s == 127 ? "?" : s, 1);
	dp_buf_puts(b, plain ? "" : "'");
}

char *
dp_options_command(int argc, char **argv)
{
	struct dp_buf b = { .n = 0 };
	int i;

	for (i = 0; i < argc && b.n < COMMAND_MAX; i++) {
		dp_buf_puts(&b, i > 0 ? " " : "");
		put_word(&b, argv[i]);
	}
	if (b.n > COMMAND_MAX)		/* a long list of keys */
		b.n = COMMAND_MAX;
	dp_buf_puts(&b, i < argc ? " ..." : "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return b.p;
}
