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

/*
 * Who asked must be the client, or -u and dpdistinct are about something else: a line with a
 * host's, a container's or a proxy's words in front of it is none.  So a host is one word, without
 * what ends such words, or an IPv6 address, or what nginx has for a socket.  An ident is -, or a
 * word before a user of one word, and no address or host.  A user's name may have blanks in it, but
 * no word of it is -, an address or a time of day.
 */
#define IPV4		"[0-9]{1,3}+(?:\\.[0-9]{1,3}+){3}+"
#define COLONS		"[0-9A-Fa-f]{0,4}+(?::[0-9A-Fa-f]{0,4}+){2,8}+(?:\\.[0-9]{1,3}+)*+"
#define IPV6		"(?=[0-9A-Fa-f:]*?::|(?:[0-9A-Fa-f]*+:){6})" COLONS
#define NAME		"[^\\x00- ,:;<|]++"
#define HOST		"(?<host>" NAME "(?= )|\\[?+" IPV6 "(?:%" NAME ")?+\\]?+|unix:) "
#define IDENT		"(?<ident>-(?= )|[^ .:,]++(?= [^ ]++ \\[)) "
#define USER_WORD	"(?![[]|- |(?:" IPV4 "|" COLONS ")[ ,:.%])[^ ]++"
#define USER		"(?<user>-(?= \\[)|" USER_WORD "(?: " USER_WORD ")*+) "
/* A size of - is empty. */
#define REQUESTED \
	"\\[(?<time>[^]]++)\\] \"" REQUEST "\" (?<status>[0-9]{3}|-) " \
	"(?<size>[0-9]++(?![^ ])|(?=-(?![^ ])))"
#define COMMON		HOST IDENT USER REQUESTED
#define VHOST \
	"(?!(?:-|" IPV4 ") )(?<vhost>" NAME "|\\[" IPV6 "\\])(?::(?<port>[0-9]++))?+ (?!- )" COMMON
/* cut off, or without its last fields, a line has the fields before them */
#define AGENT		"(?:-?+ \"" QUOTED("referer") "\" \"" QUOTED("agent") ")?+"

/*
 * With either time stamp, that of RFC 3164 or that of ISO 8601.  The word behind it is the host,
 * unless it ends as a program's does; behind the latter stamp, which many other logs begin with,
 * there must be both.  A stream's name, a level, a year or one more date is no host.
 */
#define CLOCK		"[0-9]{2}:[0-9]{2}:[0-9]{2}"
#define ISO		"[0-9]{4}-[0-9]{2}-[0-9]{2}T" CLOCK "(?:[.,][0-9]++)?+(?:Z|[+-][0-9:]++)?+"
#define LEVEL		"TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL"
#define NO_HOST		"(?!(?:stdout|stderr|" LEVEL "|[A-Z][a-z]{2} [ 0-9][0-9]|[0-9]{4}) )"
#define PROGRAM		"(?<program>[^ :[]++)(?:\\[(?<pid>[^]]*+)\\])?+:"
#define SYSLOG \
	"^(?:<(?<priority>[0-9]{1,3})>)?+(?<time>[A-Z][a-z]{2} [ 0-9][0-9] " CLOCK \
	"(?:\\.[0-9]++)?+|" ISO "(?= [^ []++ [^ :[]++(?:\\[[^]]*+\\])?+:(?![^ ]))) " \
	NO_HOST "(?:(?<host>[^ []*[^ [:]) )?+" \
	"(?:" PROGRAM " ?+)?+(?<message>.*+)"

static const struct dp_log logs[] = {
	{ "common", "^" COMMON, "clf", 0, dp_log_access, true, false },
	{ "combined", "^" COMMON AGENT, "clf", sizeof "^" COMMON - 1, dp_log_access, true, false },
	/* Apache's with %v or %v:%p before it, as in Debian's other_vhosts_access.log */
	{ "vhost", "^" VHOST AGENT, "clf", sizeof "^" VHOST - 1, dp_log_vhost, true, false },
	/* with the name of the virtual host where the others have ident */
	{ "lighttpd",
	    "^(?<host>" IPV4 "|" IPV6 ") " WORD("vhost")
	    " (?<user>-(?= \\[)|" USER_WORD ") " REQUESTED AGENT, "clf", 0, NULL, true, false },
	{ "syslog", SYSLOG, "syslog", 0, NULL, false, true },
	{ "rfc5424",
	    "^<(?<priority>[0-9]{1,3})>(?<version>[1-9][0-9]{0,2}) (?<time>-|" ISO ") " WORD("host")
	    " " WORD("program") " " WORD("pid") " " WORD("msgid")
	    " (?<data>-|(?:\\[(?:[^]\"]++|\"" INSIDE "\")*+\\])++)"
	    "(?: (?<message>.*+))?+", "iso", 0, NULL, true, false },
	/* as journalctl prints it, with -o short (the default), short-precise, short-iso */
	{ "journal", SYSLOG, "syslog", 0, NULL, false, true },
	{ "nginx-error",
	    "^(?<time>[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9:]{8}) \\[(?<level>[a-z]++)\\] "
	    "(?<pid>[0-9]++)#(?<tid>[0-9]++): (?:\\*(?<connection>[0-9]++) )?+"
	    "(?<message>.*?)(?=, client: |$)(?:, client: (?<client>[^,]++))?+"
	    "(?:, server: (?<server>[^,]*+))?+(?:, request: \"" REQUEST "\")?+",
	    "%Y/%m/%d %H:%M:%S", 0, NULL, false, false },
	/* Apache 2.2 has no port behind the client, and no pid. */
	{ "apache-error",
	    "^\\[(?:[A-Z][a-z]{2} )?+(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [^ ]++ [0-9]{4})\\] "
	    "\\[(?:(?<module>[^]:]*+):)?+(?<level>emerg|alert|crit|error|warn|notice|"
	    "info|debug|trace[1-8])\\]"
	    "(?: \\[pid (?<pid>[0-9]++)(?::tid (?<tid>[0-9]++))?+\\])?+ "
	    "(?:(?<error>\\([0-9]++\\)[^[]*?): )?+"
	    "(?:\\[client (?<client>(?(<pid>)[^] ]*?[^]: ]|(?:[^] :]++(?=[]:])|[^] ]++(?=\\]))))"
	    "(?::(?<port>[0-9]++))?\\] )?+(?<message>.*+)",
	    "syslog", 0, NULL, false, false }
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
