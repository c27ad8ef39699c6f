/*
 * logs.c - the patterns of common logs.
 *
 * What follows the last field is not looked at: many logs have fields of their own there. A
 * possessive quantifier (++, *+) never gives back what it took, which makes a line that does not
 * match cost no more than one that does.
 */
#include <string.h>

#include "cut.h"

#define WORD(name)	"(?<" name ">[^ ]++)"
/* Between quotes, where a backslash takes the next byte with it; faster than alternatives are */
#define INSIDE		"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+"
#define QUOTED(name)	"(?<" name ">" INSIDE ")"
/* GET /path HTTP/1.1; what is no request (a broken one, or -) has no method, path and protocol */
#define REQUEST \
	"(?<request>(?<method>[^ \"\\\\]++) (?<path>[^ \"\\\\]++(?:\\\\.[^ \"\\\\]*+)*+)" \
	"(?: (?<protocol>[^ \"\\\\]++))?+(?=\")|" INSIDE ")"
/* A user's name may have blanks in it. A size of - is empty. */
#define COMMON \
	"^" WORD("host") " " WORD("ident") " (?<user>[^ ]++(?: [^ [][^ ]*+)*+) " \
	"\\[(?<time>[^]]++)\\] \"" REQUEST "\" " WORD("status") " (?<size>[0-9]++|(?=-))"

/* With either time stamp, that of RFC 3164 or that of ISO 8601 */
#define SYSLOG \
	"^(?:<(?<priority>[0-9]{1,3})>)?+" \
	"(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [^ ]++|[0-9]{4}-[^ ]++) " WORD("host") \
	" (?:(?<program>[^ :[]++)(?:\\[(?<pid>[^]]*+)\\])?+: ?+)?+(?<message>.*+)"

static const struct dp_log logs[] = {
	{ "common", COMMON, "clf", 0, dp_log_access },
	/* cut off, or without its last fields, it is the former */
	{ "combined",
	    COMMON "(?:-?+ \"" QUOTED("referer") "\" \"" QUOTED("agent") ")?+",
	    "clf", sizeof COMMON - 1, dp_log_access },
	{ "syslog", SYSLOG, "syslog", 0, NULL },
	{ "rfc5424",
	    "^<(?<priority>[0-9]{1,3})>(?<version>[1-9][0-9]{0,2}) " WORD("time") " " WORD("host")
	    " " WORD("program") " " WORD("pid") " " WORD("msgid")
	    " (?<data>-|(?:\\[(?:[^]\"]++|\"" INSIDE "\")*+\\])++)"
	    "(?: (?<message>.*+))?+", "iso", 0, NULL },
	/* as journalctl prints it, with -o short (the default), short-precise, short-iso */
	{ "journal", SYSLOG, "syslog", 0, NULL },
	{ "nginx-error",
	    "^(?<time>[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9:]{8}) \\[(?<level>[a-z]++)\\] "
	    "(?<pid>[0-9]++)#(?<tid>[0-9]++): (?:\\*(?<connection>[0-9]++) )?+"
	    "(?<message>.*?)(?=, client: |$)(?:, client: (?<client>[^,]++))?+"
	    "(?:, server: (?<server>[^,]*+))?+(?:, request: \"" REQUEST "\")?+",
	    "%Y/%m/%d %H:%M:%S", 0, NULL },
	{ "apache-error",
	    "^\\[(?:[A-Z][a-z]{2} )?+(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [^ ]++ [0-9]{4})\\] "
	    "\\[(?:(?<module>[^]:]*+):)?+(?<level>[^]]++)\\]"
	    "(?: \\[pid (?<pid>[0-9]++)(?::tid (?<tid>[0-9]++))?+\\])?+ "
	    "(?:(?<error>\\([0-9]++\\)[^[]*?): )?+"
	    "(?:\\[client (?<client>[^] ]*?[^]: ])(?::(?<port>[0-9]++))?\\] )?+(?<message>.*+)",
	    "syslog", 0, NULL }
};

const struct dp_log *
dp_log_get(unsigned i)
{
	return i < sizeof logs / sizeof *logs ? &logs[i] : NULL;
}

const struct dp_log *
dp_log_find(const char *name)
{
	const struct dp_log *l;
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++)
		if (strcmp(name, l->name) == 0)
			return l;
	return NULL;
}
