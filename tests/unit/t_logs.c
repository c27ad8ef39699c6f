/* SPDX-License-Identifier: ISC */
/*
 * t_logs.c - the patterns of logs: each takes its own lines and those of no other program, so that
 * no field (who asked, above all) is silently something else.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "input/internal.h"

#define LOGS	32

/* Space between the names of all logs that it is a line of; who: its host, or its client. */
static const struct sample {
	const char *logs, *who, *line;
} samples[] = {
#define TIMED	" [08/Jan/2021:19:00:39 +0100] "
#define GET	TIMED "\"GET /image/3.JPG HTTP/1.1\" 200 489481"
#define TAIL	" \"https://www.example.org/a\" \"Mozilla/5.0\""
	/* Who is an address and has no ident may be of lighttpd, which then had no name there. */
#define BOTH	"common combined lighttpd"
#define NAMED	"common combined"
	{ BOTH, "192.0.2.1", "192.0.2.1 - -" GET },
	{ BOTH, "192.0.2.1", "192.0.2.1 - -" GET TAIL },
	{ BOTH, "192.0.2.1", "192.0.2.1 - frank" GET TAIL " 0.004" },
	{ NAMED, "192.0.2.1", "192.0.2.1 - two words" GET TAIL },
	{ NAMED, "192.0.2.1", "192.0.2.1 - Dr. A. Name-with" GET TAIL },
	{ BOTH, "192.0.2.1", "192.0.2.1 - a.b@example.org" GET TAIL },
	{ NAMED, "192.0.2.1", "192.0.2.1 - CN=A B,O=https://x" GET TAIL },
	{ BOTH, "192.0.2.1", "192.0.2.1 idents frank" GET TAIL },
	{ BOTH, "2001:db8::7", "2001:db8::7 - -" GET TAIL },
	{ BOTH, "2001:db8:abcd:12:1:2:3:4", "2001:db8:abcd:12:1:2:3:4 - -" GET TAIL },
	{ BOTH, "::1", "::1 - -" TIMED "\"-\" 408 -" },
	{ BOTH, "::ffff:192.0.2.1", "::ffff:192.0.2.1 - -" GET },
	{ NAMED, "fe80::1%eth0", "fe80::1%eth0 - -" GET TAIL },
	{ NAMED, "pc-7.example.org", "pc-7.example.org - frank" GET TAIL },
	{ NAMED, "pc-7.example.org", "pc-7.example.org - two words" GET TAIL },
	{ NAMED, "unix:", "unix: - -" GET TAIL },
	{ NAMED, "-", "- - -" GET TAIL },
	{ NAMED, "192.0.2.x", "192.0.2.x - -" GET TAIL },
	{ NAMED, "8f3a/+=", "8f3a/+= - -" GET TAIL },
	{ BOTH, "127.0.0.1", "127.0.0.1 - - [08/Jan/2021 19:00:39] \"GET / HTTP/1.1\" 200 -" },
	{ BOTH, "192.0.2.1", "192.0.2.1 - -" GET " \"-\" \"curl\" \"198.51.100.7, 10.0.0.1\"" },
	/* a name, or an address, before the client */
	{ "vhost", "192.0.2.133", "www.example.org:443 192.0.2.133 - -" GET TAIL },
	{ "vhost", "192.0.2.133", "www.example.org 192.0.2.133 - -" GET TAIL },
	{ "vhost", "2001:db8::7", "www.example.org:443 2001:db8::7 - frank" GET TAIL },
	{ "vhost", "192.0.2.133", "127.0.1.1:80 192.0.2.133 - two words" GET TAIL },
	{ "vhost", "192.0.2.133", "[::1]:80 192.0.2.133 - -" GET TAIL },
	{ "vhost", "pc.example.org", "www.example.org pc.example.org - frank" GET TAIL },
	{ "vhost", "pc.example.org", "www.example.org pc.example.org id frank" GET TAIL },
	{ "vhost", "192.0.2.133", "_ 192.0.2.133 - -" GET },
	{ "lighttpd", "192.0.2.1", "192.0.2.1 www.example.org -" GET TAIL },
	{ "lighttpd", "192.0.2.1", "192.0.2.1 198.51.100.7:8080 frank" GET TAIL },
	{ "lighttpd", "2001:db8::7", "2001:db8::7 [2001:db8::1] -" GET TAIL },
	{ "", "", "x www.example.org 192.0.2.133 - -" GET TAIL },
	{ "", "", "x www.example.org:443 192.0.2.133 - frank" GET TAIL },
	{ "", "", "x pc-7 - frank" TIMED "\"GET / HTTP/1.1\" 0.1 200 5" },
	{ "vhost", "pc-7", "x pc-7 - frank" GET TAIL },
	{ "", "", "x y pc-7 - frank" GET TAIL },
	{ "", "", "www.example.org:443 - -" GET TAIL },
	{ "", "", "www.example.org:443 192.0.2.133 -" GET TAIL },
	{ "", "", "www.example.org 192.0.2.133 -" GET TAIL },
	{ "", "", "www.example.org pc.example.org -" GET TAIL },
	{ "", "", "www.example.org - 192.0.2.133" GET TAIL },
	{ "", "", "www.example.org - 192.0.2.133 frank" GET TAIL },
	{ "", "", "www.example.org - 2001:db8::7" GET TAIL },
	{ "", "", "192.0.2.133 - www.example.org -" GET TAIL },
	/* lists, ports */
	{ "", "", "192.0.2.1, 198.51.100.7 - -" GET TAIL },
	{ "", "", "192.0.2.1, 198.51.100.7, 10.0.0.1 - frank" GET TAIL },
	{ "", "", "192.0.2.1,198.51.100.7 - -" GET TAIL },
	{ "", "", "192.0.2.1 198.51.100.7 - -" GET TAIL },
	{ "", "", "- 198.51.100.7 - -" GET TAIL },
	{ "", "", "\"192.0.2.1, 198.51.100.7\" - -" GET TAIL },
	{ "", "", "192.0.2.1 - 198.51.100.7, 10.0.0.1" GET TAIL },
	{ "", "", "192.0.2.1 - 198.51.100.7" GET TAIL },
	{ "", "", "10.0.0.1 (192.0.2.1) - -" GET TAIL },
	{ "", "", "192.0.2.1 - [192.0.2.1] - -" GET TAIL },
	{ "", "", "192.0.2.1:50123 - -" GET TAIL },
	{ "", "", "[2001:db8::7]:50123 - -" GET TAIL },
	/* other words before the client */
	{ "syslog journal", "serv", "Sep  8 10:43:45 serv haproxy[666]: 192.0.2.1 - -" GET TAIL },
	{ "syslog journal", "serv", "Sep 10 10:43:45 serv haproxy[666]: 192.0.2.3 - -" GET TAIL },
	{ "syslog journal", "serv", "Sep 10 10:43:45 serv nginx: 192.0.2.3 - frank" GET TAIL },
	{ "syslog journal", "serv", "<134>Sep 30 10:43:45 serv nginx: 192.0.2.3 - a b" GET TAIL },
	{ "syslog journal", "serv", "2018-09-10T10:43:45+00:00 serv nginx: 192.0.2.3 -"
	    " -" GET TAIL },
	{ "syslog journal", "", "<131>Jan 24 15:01:44 haproxy[60972]: 192.0.2.211:61992"
	    " [24/Jan/2022:15:01:13.628] x" },
	{ "syslog journal", "", "Jan 24 15:01:44 su: x" },
	{ "syslog journal", "fw1", "<134>Jan 24 15:01:45 fw1 haproxy[60972]: 192.0.2.211:61993 x" },
	{ "syslog journal", "2001:db8::7", "May  1 12:00:00 2001:db8::7 su: x" },
	{ "syslog journal", "www", "May  4 12:00:00 www last message repeated 2 times" },
	{ "syslog journal", "www", "2026-05-03T12:00:00.000001+02:00 www kernel: [0.1] x: y" },
	{ "syslog journal", "www", "May 12 12:00:00.123456 www postfix/smtpd[7]: connect" },
	{ "syslog journal", "www", "2026-05-03T12:00:00+0200 www systemd[1]: Started x." },
	{ "rfc5424", "fw.example", "<134>1 2022-01-24T15:01:46+00:00 fw.example filterlog 9 - -"
	    " 5,," },
	{ "rfc5424", "host", "<34>1 - host su - ID47 [a@1 i=\"3\"] x" },
	{ "", "", "1 2022-01-24T15:01:46+00:00 fw.example filterlog 9 - - 5,," },
	{ "", "", "<34>1 Oct 11 22:14:15 mymachine su - - - x" },
	{ "", "", "<40>1 2012-11-30T06:45:29+00:00 host app web.3 - State changed" },
	{ "", "", "83 <40>1 2012-11-30T06:45:29+00:00 host app web.3 - - x" },
	{ "", "", "<131>192.0.2.1 - -" GET TAIL },
	{ "", "", "Jan 24 15:01:44 Jan 24 15:01:44 fw1 su: x" },
	{ "", "", "Jan 24 2022 15:01:44 fw1 su: x" },
	{ "", "", "Jan 24 15:01:44 2022 fw1 su: x" },
	{ "", "", "Sun 2026-05-03 12:00:00 CEST www systemd[1]: x" },
	{ "cri", "", "2021-01-08T19:00:39.1Z stdout F 192.0.2.1 - -" GET TAIL },
	{ "cri", "", "2021-01-08T19:00:39.1Z stderr P app: x" },
	{ "", "", "2021-01-08T19:00:39.123456789Z 192.0.2.1 - -" GET TAIL },
	{ "", "", "2021-01-08T19:00:39Z INFO app: started" },
	{ "", "", "2021-01-08T19:00:39.1Z 0 [System] [MY-010116] [Server] mysqld: x" },
	{ "", "", "2021-01-08 19:00:39 192.0.2.1 - -" GET TAIL },
	{ "", "", "[08/Jan/2021:19:00:39 +0100] 192.0.2.1 - - \"GET / HTTP/1.1\" 200 5" },
	{ "", "", "192.0.2.1 -" TIMED "\"GET / HTTP/1.1\" 200 5 \"-\" \"x [y] z\"" },
	{ "", "", "10:43:45 192.0.2.1 - -" GET TAIL },
	{ "", "", "10:43:45 - -" GET TAIL },
	{ "", "", "2021-01-08\t192.0.2.1 - -" GET TAIL },
	{ "", "", "web_1  | 192.0.2.1 - -" GET TAIL },
	{ "", "", "web_1 | 192.0.2.1 - -" GET TAIL },
	{ "", "", "web_1|192.0.2.1 - -" GET TAIL },
	{ "", "", "access.log:192.0.2.1 - -" GET TAIL },
	{ "", "", "12:192.0.2.1 - -" GET TAIL },
	{ "", "", "INFO:werkzeug:192.0.2.1 - -" GET },
	{ "", "", "<134>1 2022-01-24T15:01:46+00:00 fw nginx 9 - x 192.0.2.3 - -" GET TAIL },
	/* a field of its own before the status, or in the place of the size */
	{ "", "", "192.0.2.1 - -" TIMED "\"GET / HTTP/1.1\" 0.004 200 5" },
	{ "", "", "192.0.2.1 - -" TIMED "\"GET / HTTP/1.1\" 200 0.004 5" },
	{ "", "", "192.0.2.1 - -" TIMED "\"GET / HTTP/1.1\" 200 5ms" },
	/* in quotes, in JSON, in other forms */
	{ "", "", "{\"log\":\"192.0.2.1 - - [08/Jan/2021:19:00:39 +0100] \\\"GET / HTTP/1.1\\\""
	    " 200 5"
	    " \\\"-\\\" \\\"x\\\"\\n\",\"stream\":\"stdout\",\"time\":\"2021-01-08T18:00:39Z\"}" },
	{ "", "", "{\"level\":\"info\",\"ts\":1651591054.5,\"request\":{\"remote_addr\":"
	    "\"192.0.2.152:60422\",\"method\":\"GET\"},\"status\":304}" },
	{ "", "", "{\"ClientHost\":\"192.0.2.1\",\"RequestMethod\":\"GET\"}" },
	{ "logfmt", "", "time=2021-01-08T19:00:39Z level=info remote=192.0.2.1 status=200" },
	{ "ltsv", "", "time:2021-01-08T19:00:39Z\thost:192.0.2.1\tstatus:200\tsize:5" },
	{ "haproxy", "192.0.2.1", "192.0.2.1:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1"
	    " 10/0/30/69/109"
	    " 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} \"GET /index.html HTTP/1.1\"" },
	{ "syslog journal", "lb", "Feb  6 12:14:14 lb haproxy[14389]: 192.0.2.1:33317"
	    " [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750" },
	{ "", "", "2002-05-02 17:42:15 172.22.255.255 - 172.30.255.255 80 GET /images/picture.jpg -"
	    " 200 Mozilla/4.0+(compatible)" },
	{ "", "", "#Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem" },
	{ "", "", "2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td1.example.net\t/index.html"
	    "\t200\t-\tMozilla/5.0" },
	{ "alb", "192.168.131.39", "http 2018-07-02T22:23:00.186641Z app/my-lb/50dc6c495c0c9188"
	    " 192.168.131.39:2817"
	    " 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 \"GET http://x:80/ HTTP/1.1\""
	    " \"curl\"" },
	{ "alb", "192.168.131.39", "2015-05-13T23:39:43.945958Z my-lb 192.168.131.39:2817"
	    " 10.0.0.1:80 0.000073"
	    " 0.001048"
	    " 0.000057 200 200 0 29 \"GET http://www.example.com:80/ HTTP/1.1\" \"curl\" - -" },
	{ "s3", "192.0.2.3", "79a59df900b949e5 awsexamplebucket1 [06/Feb/2019:00:00:38 +0000]"
	    " 192.0.2.3"
	    " 79a59df900b949e5 3E57427F3EXAMPLE REST.GET.VERSIONING - \"GET /x?versioning"
	    " HTTP/1.1\" 200 - 113 - 7 - \"-\" \"S3Console/0.4\" -" },
	{ "squid", "192.0.2.1", "1286536308.779    180 192.0.2.1 TCP_MISS/200 411 GET http://x/ -"
	    " DIRECT/1.2.3.4 -" },
	{ "", "", "2021-01-08 19:00:39.123"
	    " UTC,\"user\",\"db\",123,\"192.0.2.1:50123\",5f,1,\"SELECT\"" },
	{ "postgres", "", "2021-01-08 19:00:39.123 UTC [123] user@db LOG:  statement: x" },
	{ "", "", "2021-01-08 19:00:39,123 INFO [main] app: x" },
	{ "", "", "INFO:     192.0.2.1:53422 - \"GET / HTTP/1.1\" 200 OK" },
	/* proxies, services, containers, databases; and what is nearly theirs */
	{ BOTH " traefik", "192.0.2.1", "192.0.2.1 - -" GET TAIL " 17 \"r@docker\""
	    " \"http://10.0.0.2:80\" 3ms" },
	{ BOTH, "192.0.2.1", "192.0.2.1 - -" GET TAIL " 17 \"r\" \"-\" 3" },
	{ "haproxy", "2001:db8::7", "2001:db8::7:33317 [06/Feb/2009:12:14:14.655] in~ b/<NOSRV>"
	    " -1/-1/-1/-1/0 400 187 - - PR-- 2/1/0/0/0 0/0 {|} \"<BADREQ>\"" },
	{ "haproxy", "2001:db8::7", "[2001:db8::7]:33317 [06/Feb/2009:12:14:14.655] in b/s"
	    " 0/0/0/1/+12 200 +187 - - ---- 2/1/0/0/+1 0/0 \"GET / HTTP/1.1" },
	{ "", "", "192.0.2.1, 10.0.0.9:33317 [06/Feb/2009:12:14:14.655] in b/s"
	    " 0/0/0/1/12 200 187 - - ---- 2/1/0/0/1 0/0 \"GET / HTTP/1.1\"" },
	{ "", "", "192.0.2.1:33317 [06/Feb/2009:12:14:14.655] in b/s 0/0/12 187 -- 2/1/0/0/1"
	    " 0/0" },
	{ "", "", "10.0.0.9 192.0.2.1:33317 [06/Feb/2009:12:14:14.655] in b/s"
	    " 0/0/0/1/12 200 187 - - ---- 2/1/0/0/1 0/0 \"GET / HTTP/1.1\"" },
	{ "squid", "pc.example.org", "1286536308.779    -1 pc.example.org TCP_DENIED/407 1836"
	    " CONNECT x:443 frank HIER_NONE/- text/html" },
	{ "", "", "1286536308.779    180 192.0.2.1, 10.0.0.9 TCP_MISS/200 411 GET http://x/ -"
	    " DIRECT/1.2.3.4 -" },
	{ "", "", "1286536308 180 192.0.2.1 TCP_MISS/200 411 GET http://x/ - DIRECT/1.2.3.4 -" },
	{ "alb", "2001:db8::7", "h2 2018-07-02T22:23:00.186641Z app/my-lb/50dc 2001:db8::7:2817"
	    " - -1 -1 -1 503 - 34 366 \"GET http://x:80/ HTTP/2.0\" \"a \\\"b\\\"\" - -" },
	{ "", "", "tls 2018-07-02T22:23:00 net/lb/1 0123 192.0.2.1:2817 10.0.0.1:443 5 3" },
	{ "s3", "2001:db8::7", "79a59df900b949e5 bucket [06/Feb/2019:00:00:38 +0000] 2001:db8::7 -"
	    " 3E57427F3EXAMPLE WEBSITE.GET.OBJECT a/b.html - 404 NoSuchKey 300 - 7 - - - -" },
	{ "s3", "-", "79a59df900b949e5 bucket [06/Feb/2019:00:00:38 +0000] - AmazonS3"
	    " 3E57427F3EXAMPLE S3.EXPIRE.OBJECT a/b.html - - - - 40 - - - -" },
	{ "", "", "x bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT k"
	    " \"GET / HTTP/1.1\" 200 - 113 - 7 - \"-\" \"x\" -" },
	{ "postgres", "", "2021-01-08 19:00:39 UTC [123] STATEMENT:  select 1" },
	{ "postgres", "", "2021-01-08 19:00:39.123 CET [1] x@y@z FATAL:  no" },
	{ "", "", "2021-01-08 19:00:39.123 UTC [123] HOTEL: x" },
	{ "", "", "2021-01-08T19:00:39.1Z stdin F x" },
	{ "", "", "2021-01-08T19:00:39.1Z stdout X x" },
	{ "", "", "2021-01-08 19:00:39 stdout F x" },
	{ "", "", "192.0.2.1,-,-,08/Jan/2021,GET,/,200,5" },
	{ "", "", "-- Boot 0123456789abcdef --" },
	{ "", "", "" },
	{ "nginx-error", "192.0.2.1", "2026/05/01 12:00:00 [error] 12#34: *5 open() \"/a, b\""
	    " failed"
	    " (2: No such file), client: 192.0.2.1, server: x.org, request: \"GET /a HTTP/1.1\"" },
	{ "nginx-error", "", "2026/05/01 12:00:00 [notice] 1#1: signal process started" },
	{ "", "", "2026/05/01 12:00:00 app: started" },
	{ "", "", "May  1 12:00 www su: x" },
	{ "apache-error", "192.0.2.1", "[Fri May 01 12:00:00.123456 2026] [core:error] [pid"
	    " 35708:tid 4] [client 192.0.2.1:53244] AH00126: Invalid URI" },
	{ "apache-error", "2001:db8::1", "[Fri May 01 12:00:00.1 2026] [core:error] [pid 7]"
	    " [client 2001:db8::1:53244] AH00126: Invalid URI" },
	{ "apache-error", "", "[Fri May 01 12:00:00 2026] [notice] Apache configured" },
	{ "apache-error", "2001:db8::1:7", "[Fri May 01 12:00:00 2026] [error] [client"
	    " 2001:db8::1:7] x" },
	{ "apache-error", "::1", "[Fri May 01 12:00:00 2026] [error] [client ::1] x" },
	{ "apache-error", "192.0.2.1", "[Fri May 01 12:00:00 2026] [error] [client 192.0.2.1] x" },
	{ "", "", "[Fri May  1 12:00:00 2026] [drm] Initialized" },
	{ "", "", "[Fri May  1 12:00:00 2026] 192.0.2.1:53244 [200]: GET /" },
	{ "", "", "[Fri May  1 12:00:00 2026] [::1]:53244 [200]: GET /" },
};

/* By the log's own splitter, if it has one, and by its pattern */
#define WAYS	2
static struct dp_cut *cutter[WAYS][LOGS];
static unsigned logs;

static bool
has_name(const char *names, const char *name)
{
	const size_t n = strlen(name);

	for (; *names != '\0'; names += strcspn(names, " "), names += *names == ' ')
		if (strcspn(names, " ") == n && memcmp(names, name, n) == 0)
			return true;
	return false;
}

/* 1: it is a line of this log; its host, or client. */
static int
cut(struct dp_cut *c, char *text, struct dp_slice *who)
{
	static struct dp_record r;
	unsigned f;
	int hit;

	r.text = (struct dp_slice){ text, strlen(text) };
	hit = dp_cut_record(c, &r);
	if ((f = dp_cut_field(c, "host")) == 0)
		f = dp_cut_field(c, "client");
	*who = hit == 1 && r.field[f].p != NULL ? r.field[f] : (struct dp_slice){ "", 0 };
	return hit;
}

static void
whose(const struct sample *s, unsigned way)
{
	char text[1024] = "";		/* zeros behind it: DP_RECORD_SLACK */
	const char *name;
	struct dp_slice who;
	unsigned i;
	int hit;

	snprintf(text, sizeof text - DP_RECORD_SLACK, "%s", s->line);
	who = (struct dp_slice){ s->line, strlen(s->line) };
	check(dp_log_pairs('\t', who) == has_name(s->logs, "ltsv"));
	check(dp_log_pairs(' ', who) == has_name(s->logs, "logfmt"));
	for (i = 0; i < logs; i++) {
		if (cutter[way][i] == NULL)
			continue;
		name = dp_log_get(i)->name;
		hit = cut(cutter[way][i], text, &who);
		if (hit != has_name(s->logs, name)) {
			fail("a line that is taken for another's, or not for its own:");
			printf("%s: %s\n", name, s->line);
		} else if (hit == 1 && (who.n != strlen(s->who) ||
		    memcmp(who.p, s->who, who.n) != 0)) {
			fail("a line whose client is another:");
			printf("%s: '%.*s': %s\n", name, (int)who.n, who.p, s->line);
		}
	}
}

/* Words in front of a line: if it is one of this log, its client is still that of the line. */
static void
behind(unsigned log, unsigned way, const char *words, const char *line)
{
	char text[1024] = "";
	struct dp_slice who;

	snprintf(text, sizeof text - DP_RECORD_SLACK, "%s%s", words, line);
	if (cut(cutter[way][log], text, &who) == 1 &&
	    (who.n != strcspn(line, " ") || memcmp(who.p, line, who.n) != 0)) {
		fail("words in front of a line, of which one is the client:");
		printf("%s: '%.*s': %s\n", dp_log_get(log)->name, (int)who.n, who.p, text);
	}
}

static void
fronts(unsigned way)
{
	static const char *const words[] = { "x ", "x:1 ", "x y ", "x - ", "x y z ", "10.0.0.9 ",
	    "10.0.0.9 - ", "10.0.0.9, ", "10.0.0.9:80 ", "::9 ", "- ", "- - ", "19:00:39 ",
	    "2021-01-08T19:00:39Z ", "2021-01-08 19:00:39 ", "1610132439.1 ", "1610132439 x ",
	    "<134>", "x: ", "x:", "x\t", "x[7]: ", "Sep 10 10:43:45 x y[7]: ", "2021 stdout F ",
	    "Sep 10 10:43:45 y[7]: ", "x | ", "x|", "INFO ", "[x] ", "[x y] ", "x,", "x, ", "x;" };
	static const char *const lines[] = { "192.0.2.1 - -" GET, "192.0.2.1 - frank" GET TAIL,
	    "192.0.2.1 - two words" GET TAIL, "192.0.2.1 id frank" GET TAIL,
	    "2001:db8::7 - -" GET };
	size_t i, j;
	unsigned k;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		for (j = 0; j < sizeof lines / sizeof *lines; j++)
			for (k = 0; k < logs; k++)
				if (cutter[way][k] != NULL &&
				    !has_name("syslog journal", dp_log_get(k)->name))
					behind(k, way, words[i], lines[j]);
}

int
main(void)
{
	const struct dp_log *l;
	char why[DP_MATCH_WHY];
	unsigned way;
	size_t i;

	for (; (l = dp_log_get(logs)) != NULL; logs++)
		check(logs < LOGS && (l->pattern != NULL || l->time != NULL));
	for (i = 0; i < logs && (l = dp_log_get((unsigned)i)) != NULL; i++)
		check(l->pattern == NULL || (dp_cut_new_log(&cutter[0][i], l, false, why) == 0 &&
		    dp_cut_new(&cutter[1][i], l->pattern, why) == 0));
	for (way = 0; way < WAYS; way++) {
		for (i = 0; i < sizeof samples / sizeof *samples; i++)
			whose(&samples[i], way);
		fronts(way);
	}
	while (logs-- > 0) {
		dp_cut_free(cutter[0][logs]);
		dp_cut_free(cutter[1][logs]);
	}
	return done();
}
