/* SPDX-License-Identifier: ISC */
/* logs.c - the patterns of common logs, and a quicker way to cut their lines. */
#include <string.h>

#include "internal.h"
#include "logs.h"

static bool dp_log_access(struct dp_slice text, struct dp_slice *field, unsigned fields);
static bool dp_log_vhost(struct dp_slice text, struct dp_slice *field, unsigned fields);

/*
 * The patterns of common logs.
 *
 * What follows the last field is not looked at: many logs have fields of their own there. A
 * possessive quantifier (++, *+) never gives back what it took, which makes a line that does not
 * match cost no more than one that does.
 */

#define WORD(name)	"(?<" name ">[^ ]++)"
/* Between quotes, where a backslash takes the next byte with it; faster than alternatives are */
#define INSIDE		"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+"
#define QUOTED(name)	"(?<" name ">" INSIDE ")"
/* GET /path HTTP/1.1; what is no request (a broken one, or -) has no method, path and protocol */
#define REQUEST_LOGS \
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
#define HOST_LOGS		"(?<host>" NAME "(?= )|\\[?+" IPV6 "(?:%" NAME ")?+\\]?+|unix:) "
#define IDENT_LOGS		"(?<ident>-(?= )|[^ .:,]++(?= [^ ]++ \\[)) "
#define USER_WORD	"(?![[]|- |(?:" IPV4 "|" COLONS ")[ ,:.%])[^ ]++"
#define USER_LOGS		"(?<user>-(?= \\[)|" USER_WORD "(?: " USER_WORD ")*+) "
/* A size of - is empty. */
#define REQUESTED \
	"\\[(?<time>[^]]++)\\] \"" REQUEST_LOGS "\" (?<status>[0-9]{3}|-) " \
	"(?<size>[0-9]++(?![^ ])|(?=-(?![^ ])))"
#define COMMON		HOST_LOGS IDENT_LOGS USER_LOGS REQUESTED
#define VHOST \
	"(?!(?:-|" IPV4 ") )(?<vhost>" NAME "|\\[" IPV6 "\\])(?::(?<port>[0-9]++))?+ (?!- )" COMMON
/* cut off, or without its last fields, a line has the fields before them */
#define AGENT_LOGS		"(?:-?+ \"" QUOTED("referer") "\" \"" QUOTED("agent") ")?+"

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

/* An address, a colon and a port, as proxies write a client; IPv6 has no brackets in some. */
#define CLIENT		"\\[?+(?<host>[0-9A-Fa-f:.]{2,45}?)\\]?+:(?<port>[0-9]{1,5}+)"
/* A number; where - or -1 stands for none it is empty. */
#define AMOUNT(name)	"(?<" name ">[0-9.]++(?= )|(?=-1?+ ))(?:-1?+)?+ "

/* As AWS has them, of an application load balancer, and without the type of a classic one */
#define ALB \
	"^(?:(?<type>https?|h2|grpcs|wss?) )?+(?<time>" ISO ") " WORD("balancer") " " CLIENT \
	" (?<target>[^ ]++) " AMOUNT("request_time") AMOUNT("target_time") \
	AMOUNT("response_time") "(?<status>[0-9]{3}|-) (?<target_status>[0-9]{1,3}+|-) " \
	AMOUNT("received") AMOUNT("size") "\"" REQUEST_LOGS "\" \"" QUOTED("agent") "\""
#define S3 \
	"^(?<owner>[0-9a-z]{8,}+|-) " WORD("bucket") " \\[(?<time>[^]]++)\\] " \
	"(?<host>-|" IPV4 "|" IPV6 ") " WORD("user") " (?<id>[0-9A-Z]++) " \
	"(?<operation>[A-Z0-9]++\\.[^ ]++) " WORD("key") " (?:-|\"" REQUEST_LOGS "\") " \
	"(?<status>[0-9]{3}|-) " WORD("error") " " AMOUNT("size") AMOUNT("object_size") \
	AMOUNT("ms") AMOUNT("turn_ms") "(?:-|\"" QUOTED("referer") "\") (?:-|\"" \
	QUOTED("agent") "\")"
/* option httplog: the last of the timers is that of the whole request */
#define HAPROXY \
	"^" CLIENT " \\[(?<time>[^]]++)\\] " WORD("frontend") " (?<backend>[^ /]++)/" \
	WORD("server") " (?<timers>(?:[-+]?+[0-9]++/){4}\\+?+(?<ms>[0-9]++|(?=-))(?:-1)?+) " \
	"(?<status>[0-9]{3}|-1) \\+?+(?<size>[0-9]++) " WORD("request_cookie") " " \
	WORD("response_cookie") " (?<termination>[-A-Za-z]{4}) (?<connections>[0-9/+]++) " \
	"(?<queues>[0-9/]++) (?:\\{[^}]*+\\} )*+\"" REQUEST_LOGS "(?:\"|$)"
/* logformat squid */
#define SQUID \
	"^(?<time>[0-9]{9,10}\\.[0-9]{3}) ++" AMOUNT("ms") "(?<host>" NAME "|" IPV6 ") " \
	"(?<result>[A-Z_]++)/(?<status>[0-9]{3}) (?<size>[0-9]++) (?<method>[-A-Z_:a-z]++) " \
	WORD("url") " " WORD("user") " (?<hierarchy>[A-Z_]++)/" WORD("peer") " (?<type>[^ ]++)"
#define TRAEFIK \
	"^" COMMON " \"" QUOTED("referer") "\" \"" QUOTED("agent") "\" (?<count>[0-9]++|-) \"" \
	QUOTED("router") "\" \"" QUOTED("server") "\" (?<ms>[0-9]++)ms"
/*
 * log_line_prefix '%m [%p] ', or Debian's, with user and database.  Before somebody has logged in
 * both are [unknown], which is no user.
 */
#define POSTGRES \
	"^(?<time>[0-9]{4}-[0-9]{2}-[0-9]{2} " CLOCK "(?:\\.[0-9]++)?+ [A-Z+-][A-Z0-9+:-]*+) " \
	"\\[(?<pid>[0-9]++)\\] " \
	"(?:(?:\\[unknown\\](?=@)|(?<user>[^ @]++))@(?<database>[^ ]++) )?+" \
	"(?<level>DEBUG[1-5]?+|INFO|NOTICE|WARNING|ERROR|LOG|FATAL|PANIC|DETAIL|HINT|STATEMENT|" \
	"CONTEXT|QUERY|LOCATION): ++(?<message>.*+)"
/* What Kubernetes' runtimes write: a line in parts has the flag P but for its last */
#define CRI \
	"^(?<time>" ISO ") (?<stream>stdout|stderr) (?<flag>[FP])(?::[^ ]*+)?+ (?<message>.*+)"

#define ACCESS(log, text, begin, tail, function) \
	{ .name = log, .what = text, .pattern = begin tail, \
	    .head = sizeof tail == 1 ? 0 : sizeof begin - 1, \
	    .time_format = "clf", .split = function, .dash = true }

static const struct dp_log logs[] = {
	ACCESS("common", "Apache, no referer, no agent", "^" COMMON, "", dp_log_access),
	ACCESS("combined", "Apache, nginx: access logs", "^" COMMON, AGENT_LOGS, dp_log_access),
	/* Apache's with %v or %v:%p before it, as in Debian's other_vhosts_access.log */
	ACCESS("vhost", "the same behind the virtual host", "^" VHOST, AGENT_LOGS, dp_log_vhost),
	/* with the name of the virtual host where the others have ident */
	{ .name = "lighttpd", .what = "lighttpd",
	    .pattern = "^(?<host>" IPV4 "|" IPV6 ") " WORD("vhost")
	    " (?<user>-(?= \\[)|" USER_WORD ") " REQUESTED AGENT_LOGS, .time_format = "clf",
	    .dash = true },
	{ .name = "traefik", .what = "Traefik",
	    .pattern = TRAEFIK, .time_format = "clf", .dash = true },
	{ .name = "haproxy", .what = "HAProxy, option httplog",
	    .pattern = HAPROXY, .time_format = "clf", .dash = true },
	{ .name = "squid", .what = "Squid",
	    .pattern = SQUID, .time_format = "epoch", .dash = true },
	{ .name = "alb", .what = "load balancer of AWS",
	    .pattern = ALB, .time_format = "iso", .dash = true },
	{ .name = "s3", .what = "server access logs of S3",
	    .pattern = S3, .time_format = "clf", .dash = true },
	{ .name = "caddy", .what = "Caddy",
	    .time = "ts", .mark = "request", .time_format = "epoch" },
	{ .name = "syslog", .what = "syslog, with or without a host",
	    .pattern = SYSLOG, .time_format = "syslog", .yearless = true,
	    .message = "message" },
	{ .name = "rfc5424", .what = "syslog of RFC 5424", 
	    .pattern = "^<(?<priority>[0-9]{1,3})>(?<version>[1-9][0-9]{0,2}) (?<time>-|" ISO ") "
	    WORD("host") " " WORD("program") " " WORD("pid") " " WORD("msgid")
	    " (?<data>-|(?:\\[(?:[^]\"]++|\"" INSIDE "\")*+\\])++)"
	    "(?: (?<message>.*+))?+", .time_format = "iso", .dash = true, .message = "message" },
	/* as journalctl prints it, with -o short (the default), short-precise, short-iso */
	{ .name = "journal", .what = "journalctl",
	    .pattern = SYSLOG, .time_format = "syslog", .yearless = true,
	    .message = "message" },
	/* and with -o json */
	{ .name = "journald", .what = "journalctl -o json",
	    .time = "__REALTIME_TIMESTAMP", .mark = "MESSAGE",
	    .time_format = "epoch", .message = "MESSAGE" },
	{ .name = "docker", .what = "Docker's json-file",
	    .time = "time", .mark = "log", .time_format = "iso",
	    .message = "log" },
	{ .name = "cri", .what = "Kubernetes, a container's lines",
	    .pattern = CRI, .time_format = "iso", .message = "message" },
	{ .name = "ltsv", .what = "labels and values, tabs between",
	    .between = '\t', .time = "time", .time_format = "clf", .dash = true },
	{ .name = "logfmt", .what = "labels=values, blanks between",
	    .between = ' ', .time = "time", .time_format = "iso" },
	{ .name = "nginx-error", .what = "nginx: error log", 
	    .pattern = "^(?<time>[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9:]{8}) \\[(?<level>[a-z]++)\\] "
	    "(?<pid>[0-9]++)#(?<tid>[0-9]++): (?:\\*(?<connection>[0-9]++) )?+"
	    "(?<message>.*?)(?=, client: |$)(?:, client: (?<client>[^,]++))?+"
	    "(?:, server: (?<server>[^,]*+))?+(?:, request: \"" REQUEST_LOGS "\")?+",
	    .time_format = "%Y/%m/%d %H:%M:%S" },
	/* Apache 2.2 has no port behind the client, and no pid. */
	{ .name = "apache-error", .what = "Apache: error log", 
	    .pattern = "^\\[(?:[A-Z][a-z]{2} )?+"
	    "(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [^ ]++ [0-9]{4})\\] "
	    "\\[(?:(?<module>[^]:]*+):)?+(?<level>emerg|alert|crit|error|warn|notice|"
	    "info|debug|trace[1-8])\\]"
	    "(?: \\[pid (?<pid>[0-9]++)(?::tid (?<tid>[0-9]++))?+\\])?+ "
	    "(?:(?<error>\\([0-9]++\\)[^[]*?): )?+"
	    "(?:\\[client (?<client>(?(<pid>)[^] ]*?[^]: ]|(?:[^] :]++(?=[]:])|[^] ]++(?=\\]))))"
	    "(?::(?<port>[0-9]++))?\\] )?+(?<message>.*+)",
	    .time_format = "syslog" },
	{ .name = "postgres", .what = "PostgreSQL, stderr",
	    .pattern = POSTGRES, .time_format = "iso" }
};

const char dp_log_csvlog[] = "log_time,user_name,database_name,process_id,connection_from,"
    "session_id,session_line_num,command_tag,session_start_time,virtual_transaction_id,"
    "transaction_id,error_severity,sql_state_code,message,detail,hint,internal_query,"
    "internal_query_pos,context,query,query_pos,location,application_name,backend_type,"
    "leader_pid,query_id";

const char *
dp_log_time(const struct dp_log *l)
{
	return l->time != NULL ? l->time : "time";
}

bool
dp_log_fields(const struct dp_log *l, const char *name, char *text, size_t size)
{
	const char *p = l->pattern;
	bool found = false;
	size_t at = 0, n;

	for (*text = '\0'; p != NULL && (p = strstr(p, "(?<")) != NULL; p += n) {
		p += 3;
		n = strcspn(p, ">");
		if ((*p < 'a' || *p > 'z') || at + n + 2 > size)
			continue;
		found = found || (strncmp(p, name, n) == 0 && name[n] == '\0');
		text[at] = ' ';
		memcpy(text + at + 1, p, n);
		at += n + 1;
		text[at] = '\0';
	}
	return found;
}

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

/*
 * Lines of the access logs common, combined and vhost, cut as their patterns say
 * (logs.c).
 *
 * Every quantifier of the patterns is possessive, so a line is read once, from left to right.  Only
 * the request has two branches, and both end at one quote.  t_cut.c compares with the patterns.
 */

enum { HOST = 1, IDENT, USER, TIME, REQUEST, METHOD, PATH, PROTOCOL, STATUS, SIZE, REFERER, AGENT };

/* Places of bytes that may end a field, in the last block of a text that was looked at. */
struct marks {
	const char *block, *end;
	uint64_t at;
};

static inline void
look(struct marks *m)
{
	_Static_assert((' ' ^ 2) == '"' && ('\\' ^ 1) == ']', "pairs");
	m->at = dp_block_pairs(m->block, ' ', '\\') &
	    dp_block_first((size_t)(m->end - m->block));
}

/* The first mark of the blocks behind this one, from p on, or the end. */
__attribute__((noinline)) static const char *
next_block(struct marks *m, const char *p)
{
	while (m->end - m->block > (ptrdiff_t)DP_BLOCK) {
		m->block += DP_BLOCK;
		look(m);
		if (p > m->block)
			m->at &= ~dp_block_first((size_t)(p - m->block));
		if (m->at != 0)
			return m->block + __builtin_ctzll(m->at);
	}
	return m->end;
}

/* The first mark from p on, or the end; p is in the block, or at its end. */
static inline const char *
next(struct marks *m, const char *p)
{
	const size_t i = (size_t)(p - m->block);

	if (i >= DP_BLOCK || m->at >> i == 0)
		return next_block(m, p);
	return p + __builtin_ctzll(m->at >> i);
}

/* The first byte of this kind, a mark, from p on; NULL: there is none, or it is at p. */
static inline const char *
field(struct marks *m, const char *p, char stop, struct dp_slice *f)
{
	const char *q = next(m, p);

	while (q < m->end && *q != stop)
		q = next(m, q + 1);
	*f = (struct dp_slice){ p, (size_t)(q - p) };
	return q > p && q < m->end ? q : NULL;
}

/* A backslash takes the next byte with it, but no end of a line. */
static inline bool
takes(const struct marks *m, const char *p)
{
	return m->end - p > 1 && p[1] != '\n';
}

/* The end of what stands between quotes: a quote, a backslash that takes nothing, or the end. */
static const char *
inside(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = next(m, p);

	while (q < m->end && *q != '"' && (*q != '\\' || takes(m, q)))
		q = next(m, q + (*q == '\\' ? 2 : 1));
	*f = (struct dp_slice){ p, (size_t)(q - p) };
	return q;
}

/*
 * The request, up to its quote.  It has parts if its blanks, without those that a backslash takes,
 * are one or two, no part is empty, and a backslash is in the path alone, behind its first byte.
 */
static const char *
request(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *blank[2] = { NULL, NULL }, *q;
	unsigned blanks = 0;
	bool parts = true;

	for (q = next(m, p); q < m->end && *q != '"'; q = next(m, q + 1))
		if (*q == ' ') {
			if (blanks < 2)
				blank[blanks] = q;
			blanks++;
		} else if (*q == '\\') {
			parts &= blanks == 1 && q > blank[0] + 1;
			if (!takes(m, q++))
				return NULL;
		}
	if (q == m->end)
		return NULL;
	f[REQUEST] = (struct dp_slice){ p, (size_t)(q - p) };
	f[METHOD] = f[PATH] = f[PROTOCOL] = (struct dp_slice){ NULL, 0 };
	if (blanks == 1)
		blank[1] = q;
	if (!parts || blanks == 0 || blanks > 2 || blank[0] == p || blank[1] == blank[0] + 1 ||
	    (blanks == 2 && q == blank[1] + 1))
		return q;
	f[METHOD] = (struct dp_slice){ p, (size_t)(blank[0] - p) };
	f[PATH] = (struct dp_slice){ blank[0] + 1, (size_t)(blank[1] - blank[0] - 1) };
	if (blanks == 2)
		f[PROTOCOL] = (struct dp_slice){ blank[1] + 1, (size_t)(q - blank[1] - 1) };
	return q;
}

/* The text goes on at *p with these bytes; if so, *p is behind them. */
static inline bool
is_accesslog(const struct marks *m, const char **p, const char *text, size_t n)
{
	if ((size_t)(m->end - *p) < n || memcmp(*p, text, n) != 0)
		return false;
	*p += n;
	return true;
}

#define IS(p, text)	is_accesslog(&m, &(p), "" text, sizeof text - 1)

/* The end of NAME: of bytes that end no word of who else writes into the log's lines. */
static const char *
name_accesslog(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p > ' ' && *p != ',' && *p != ':' && *p != ';' &&
	    *p != '<' && *p != '|')
		p++;
	return p;
}

static bool
is_digit_accesslog(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* The end of at most three digits */
static const char *
digits(const char *p, const char *end)
{
	const char *most = end - p < 3 ? end : p + 3;

	while (p < most && is_digit_accesslog(*p))
		p++;
	return p;
}

/* The end of IPV4; NULL: there is none at p. */
static const char *
ipv4(const char *p, const char *end)
{
	const char *q;
	int i;

	for (i = 0; i < 4; i++, p = q) {
		if (i > 0 && (p == end || *p++ != '.'))
			return NULL;
		if ((q = digits(p, end)) == p)
			return NULL;
	}
	return p;
}

/*
 * The end of COLONS; sure: of IPV6.  NULL: there is none at p.  The loop has no branch that
 * depends on where the colons are.
 */
static const char *
ipv6(const char *p, const char *end, bool sure)
{
	unsigned colons = 0, pairs = 0, digits16 = 0, most = 0, colon, last = 0;
	const char *q;

	for (; p < end; p++) {
		colon = *p == ':';
		if ((!colon && !is_digit_accesslog(*p) && (unsigned char)((*p | 32) - 'a') >= 6) ||
		    (colons == 8 && colon))
			break;
		pairs += colon & last;
		last = colon;
		digits16 = colon ? 0 : digits16 + 1;
		most = digits16 > most ? digits16 : most;
		colons += colon;
	}
	if (most > 4 || colons < 2 || (sure && pairs == 0 && colons < 6))
		return NULL;
	while (p < end && *p == '.' && (q = digits(p + 1, end)) > p + 1)
		p = q;
	return p;
}

__attribute__((noinline)) static bool
is_host(const char *p, const char *end)
{
	if (name_accesslog(p, end) == end || (end - p == 5 && memcmp(p, "unix:", 5) == 0))
		return true;
	if ((p = ipv6(p + (*p == '['), end, true)) == NULL)
		return false;
	if (end - p > 1 && *p == '%')
		p = name_accesslog(p + 1, end);
	return p == end || (*p == ']' && p + 1 == end);
}

/* A word that no user's name has: -, an address, or one that begins with [ */
static bool
is_foreign(const char *p, const char *end)
{
	const char *q;

	if (*p == '[' || (*p == '-' && p + 1 < end && p[1] == ' '))
		return true;
	if ((q = ipv4(p, end)) == NULL)
		q = ipv6(p, end, false);
	return q != NULL && q < end && memchr(" ,:.%", *q, 5) != NULL;
}

/* An ident, and a user of one word, or of several behind an ident of -; not for - - */
__attribute__((noinline)) static const char *
asking(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = field(m, p, ' ', &f[IDENT]), *begin;
	bool several, more;

	if (q == NULL)
		return NULL;
	several = f[IDENT].n == 1 && *p == '-';
	for (; !several && p < q; p++)
		if (memchr(".:,", *p, 3) != NULL)
			return NULL;
	begin = p = q + 1;
	if (m->end - p > 2 && memcmp(p, "- [", 3) == 0) {
		f[USER] = (struct dp_slice){ p, 1 };
		return p + 1;
	}
	do {
		if (p == m->end || is_foreign(p, m->end) ||
		    (q = field(m, p, ' ', &f[USER])) == NULL)
			return NULL;
		p = q + 1;
		more = p < m->end && *p != '[';
	} while (several && more);
	f[USER] = (struct dp_slice){ begin, (size_t)(q - begin) };
	return more ? NULL : q;
}

/* A host of digits and dots, or of groups with colons between: most are, and both are sure. */
static inline bool
is_address(const char *p, size_t n)
{
	const uint64_t all = dp_block_first(n);
	uint64_t colons, runs;
	int count;

	if ((~dp_block_range(p, 0, '.', '9', 1) & all) == 0)
		return true;
	colons = dp_block_equal(p, ':') & all;
	count = __builtin_popcountll(colons);
	runs = ~colons & all;
	runs &= runs >> 1;
	return n <= DP_BLOCK && count <= 8 && (runs & runs >> 2 & ~colons >> 4 & all >> 4) == 0 &&
	    (count >= 6 || (count >= 2 && (colons & colons >> 1) != 0)) &&
	    (~(dp_block_range(p, 0, '0', ':', 4) | dp_block_range(p, ' ', 'a', 'f', 4)) & all) == 0;
}

/* Most idents and users are -. */
static inline const char *
who(struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = field(m, p, ' ', &f[HOST]);

	if (q == NULL || (!is_address(p, (size_t)(q - p)) && !is_host(p, q)))
		return NULL;
	if (m->end - q < 6 || memcmp(q, " - - [", 6) != 0)
		return asking(m, q + 1, f);
	f[IDENT] = (struct dp_slice){ q + 1, 1 };
	f[USER] = (struct dp_slice){ q + 3, 1 };
	return q + 4;
}

/* Of three digits, or - */
static inline const char *
status(const struct marks *m, const char *p, struct dp_slice *f)
{
	const size_t n = m->end - p > 0 && *p == '-' ? 1 : 3;

	if ((size_t)(m->end - p) <= n || p[n] != ' ' ||
	    (n == 3 && !(is_digit_accesslog(p[0]) && is_digit_accesslog(p[1]) &&
	    is_digit_accesslog(p[2]))))
		return NULL;
	*f = (struct dp_slice){ p, n };
	return p + n + 1;
}

/* Of digits, or empty before -; a blank or the end is behind it. */
static inline const char *
size(const struct marks *m, const char *p, struct dp_slice *f)
{
	const char *q = p;

	for (; q < m->end && is_digit_accesslog(*q); q++)
		;
	*f = (struct dp_slice){ p, (size_t)(q - p) };
	if (q == p && (q == m->end || *q++ != '-'))
		return NULL;
	return q < m->end && *q != ' ' ? NULL : q;
}

/* Fields 1..fields of the logs common (10) or combined (12); false: the text is no such line. */
static bool
dp_log_access(struct dp_slice text, struct dp_slice *f, unsigned fields)
{
	struct marks m = { .block = text.p, .end = text.n == 0 ? text.p : text.p + text.n };
	const char *p = text.p;

	if (text.n == 0)
		return false;
	look(&m);
	if ((p = who(&m, p, f)) == NULL || !IS(p, " [") ||
	    (p = field(&m, p, ']', &f[TIME])) == NULL || !IS(p, "] \""))
		return false;
	m.block = p;		/* most requests are then in one block: next_block() mispredicts */
	look(&m);
	if ((p = request(&m, p, f)) == NULL || !IS(p, "\" ") ||
	    (p = status(&m, p, &f[STATUS])) == NULL || (p = size(&m, p, &f[SIZE])) == NULL)
		return false;
	if (fields < AGENT)
		return true;
	if (IS(p, " \"") && (p = inside(&m, p, &f[REFERER]), IS(p, "\" \"")))
		inside(&m, p, &f[AGENT]);
	else
		f[REFERER] = f[AGENT] = (struct dp_slice){ NULL, 0 };
	return true;
}

/* The name of a virtual host, and its port; without that it is no - and no IPV4. */
static bool
site(const char *p, const char *end, struct dp_slice *f)
{
	const char *q = name_accesslog(p, end), *port;

	if (q < end && *p == '[' && (port = ipv6(p + 1, end, true)) != NULL && port < end &&
	    *port == ']')
		q = port + 1;
	if (q == p || (q == end && (ipv4(p, end) == end || (q - p == 1 && *p == '-'))))
		return false;
	f[1] = (struct dp_slice){ p, (size_t)(q - p) };
	f[2] = (struct dp_slice){ NULL, 0 };
	if (q == end)
		return true;
	for (port = q + 1; port < end && is_digit_accesslog(*port); port++)
		;
	f[2] = (struct dp_slice){ q + 1, (size_t)(port - q - 1) };
	return *q == ':' && port == end && f[2].n != 0;
}

/* Of vhost: two more */
static bool
dp_log_vhost(struct dp_slice text, struct dp_slice *f, unsigned fields)
{
	const char *q = text.n == 0 ? NULL : memchr(text.p, ' ', text.n);
	size_t n;

	if (q == NULL || !site(text.p, q++, f))
		return false;
	n = text.n - (size_t)(q - text.p);
	return !(n > 1 && memcmp(q, "- ", 2) == 0) &&
	    dp_log_access((struct dp_slice){ q, n }, f + 2, fields - 2);
}
