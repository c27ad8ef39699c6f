/* SPDX-License-Identifier: ISC */
/*
 * f_additive.c - any file in any format: what is read of it is what is read of its records alone.
 *
 * An event more or less may change nothing but its own contribution, so where a record stands and
 * what stands beside it must not matter: first or last, with a newline or without, after a
 * malformed one, at the end of a block.  All of the file is read by one reader, in blocks of any
 * size, and by a second way (CSV: every row through libcsv; lines: a line at a time, and the search
 * for plain strings in whole spans); then each record alone, behind the header if there is one, and
 * from the last to the first.  Each event, all of it, must be the same.
 *
 * A record is a line.  Of CSV it is a row, whose quotes end as RFC 4180 says; rows that leave one
 * open are left out (record.h).  Of --csv=lines it is a line, whatever its quotes.
 *
 * Byte 0: the command; byte 1: block size; the rest is the file, in whose lines of CSV a byte 1 is
 * a line break.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_additive.c ...; ./f_additive corpus
 *	cc -DREPLAY f_additive.c ...; ./f_additive FILE ...
 */
#include <getopt.h>

#include "input/event.h"
#include "input/internal.h"
#include "run/driver.h"

#include "feed.h"

#define TOOLS(X) X(dpcount) X(dpmean) X(dpquantile) X(dpmaxsum) X(dpdistinct) X(dptop) X(dplocal)
#define DECLARE(tool)	int	tool##_main(int, char **);
TOOLS(DECLARE)

#define DAYS	" --bucket=1d --from=2020-01-01 --to=2020-02-01"

/* Words by single blanks; the header's line, if there is one. */
static const struct command {
	int (*run)(int, char **);
	const char *words, *header;
} command[] = {
	{ dpcount_main, "dpcount -e1 -T9 -r-9.9:9.9", NULL },
	{ dpcount_main, "dpcount -e1 --once -v2 -r0:99 -k1 --keys=a,b,\"\" -u3 -c1", NULL },
	{ dpcount_main, "dpcount -e1 --once -F; -v2 -r0:99 -k1,3 --keys=a,b/b --other", NULL },
	{ dpcount_main, "dpcount -e1 --once --tsv -v2 -r-5:99 -k1 --keys=a,b -u3 -c1", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -v2 -r0:99 -k1 --keys=a,b -u3 -c1", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -m a", NULL },
	{ dpcount_main, "dpcount -e1 --once -F; -v2 -r0.0:9.9 --decimal=, --thousands=. -u1 -c1",
	    NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -v2 -r0.0:9.9 --thousands=, -u1 -c1", NULL },
	{ dpcount_main, "dpcount -e1 -T9 -r0.0:9.9 --decimal=,", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -F; -H -v v -r0:99 -k k --keys=a,b -u u -c1",
	    "k;\"v\";u\n" },
	{ dpcount_main, "dpcount -e1 -T9 --csv -F\t -v1 -r0:99", NULL },
	{ dpcount_main, "dpcount -e1 --once --json -v v -r0:99 -k k.a --keys=a,b -u u -c1", NULL },
	{ dpcount_main, "dpcount -e1 --log=combined -v size -r0:99 -k status --keys=200,404"
	    " -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=common -k path --keys=/,/a" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=syslog -u host -c9 -k program --keys=a,b" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=rfc5424 -k program --keys=a,b" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=nginx-error -k level --keys=error,crit" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=apache-error -k level --keys=error,crit" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=haproxy -v ms -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=squid -v ms -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=alb -v size -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=s3 -v size -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=traefik -v ms -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=postgres -u user -c9 -k level --keys=LOG,FATAL"
	    DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=cri -k stream --keys=stdout,stderr" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=caddy -v size -r0:99 -u a[1].b -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=journald -k MESSAGE --keys=a,b -u _PID -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=ltsv -v ms -r0:99 -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=logfmt -v ms -r0:99 -u host -c9 -k msg --keys=a,b" DAYS,
	    NULL },
	{ dpcount_main, "dpcount -e1 --log-format=$host;[$time_local];\"$request\";$size -v size"
	    " -r0:99 -u vhost -c9 -k method --keys=GET,a" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=docker -k log.a --keys=a,b -u log -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=syslog+combined -v size -r0:99 -k program --keys=a,b"
	    " -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --log=docker+common -v size -r0:99 -k stream --keys=a,b"
	    " -u host -c9" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 --once --cut=^(?<k>[ab]*)(?<v>[0-9]*)(?<u>.*)$ -v v -r0:99"
	    " -k k --keys=a,b -u u -c1", NULL },
	{ dpcount_main, "dpcount -e1 -H -t date --time-format=iso -v n -r0:99 -u u -c9" DAYS,
	    "u\tdate n\n" },
	{ dpcount_main, "dpcount -e1 -F, -t2 --time-format=iso -v1 -r0:99" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 -t1 --time-format=clf -m \xbf""a -i" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 -t1 --time-format=iso -m ab -k2 --keys=ab,b" DAYS, NULL },
	{ dpcount_main, "dpcount -e1 -T9 -m ab", NULL },
	{ dpcount_main, "dpcount -e1 -T9 --fixed -m \xbf -i --invert-match", NULL },
	{ dpcount_main, "dpcount -e1 -T9 -m ^(a|b.)+$ --where=1~a", NULL },
	{ dpcount_main, "dpcount -e1 --once --let=a=1~x(.*)y --let=b=2:/24,/64 --let=c=b:host"
	    " --let=d=3:domain -k d --keys=a,b --other -u b,c -c9 -v a -r0:99", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -H --let=k=k:page --let=u=u:first -v v -r0:99"
	    " -k k --keys=a,b -u u -c1", "k,\"v\",u\n" },
	{ dpcount_main, "dpcount -e1 -T9 -P -r0:99", NULL },
	{ dpmean_main, "dpmean -e1 --once -v2 -r0:99 --where=^[^#]", NULL },
	{ dpquantile_main, "dpquantile -e1 --once --csv -v1 -r0:99 --bins=9", NULL },
	{ dpmaxsum_main, "dpmaxsum -e1 -T9 --columns=3 -r0:9", NULL },
	{ dpmaxsum_main, "dpmaxsum -e1 -T9 --csv --columns=3 -r0:9 --ones=2", NULL },
	{ dpmaxsum_main, "dpmaxsum -e1 -T9 -H --keys=a,b -r0:9", "b c a\n" },
	{ dpdistinct_main, "dpdistinct -e1 -T9 -v1 --deletes --universe=99", NULL },
	{ dpdistinct_main, "dpdistinct -e1 -T9 --csv -v2", NULL },
	{ dptop_main, "dptop -e1 -d1e-6 --once -k1", NULL },
	{ dplocal_main, "dplocal -e1 --domain=a,b,c", NULL },
	{ dpcount_main, "dpcount -e1 --once --json -v v -r-9:99 -k k[] --keys=a,b,\"\" -c2", NULL },
	{ dpcount_main, "dpcount -e1 --once --json -k k[].a --keys=a,b --other -u u -c9", NULL },
	{ dpcount_main, "dpcount -e1 --once -F; -H --numbers=de --let=m=t:ms --let=c=p:\xe2\x82\xac"
	    " --where=m>5 --or --where=^x --or --where=c=1 -v m -r0.0:99.0 -k c --keys=1,2"
	    " -u u -c9", "t;p;u\n" },
	{ dpcount_main, "dpcount -e1 --once --csv=lines -F; -H -v v -r0:9 -k k --keys=a,b -u u -c1",
	    "k;\"v\";u\n" },
	{ dpcount_main, "dpcount -e1 --once --csv=lines -m a", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -v2 -r0:99 -k1,3 --keys=a,b/c,d --other"
	    " --margins=.5", NULL },
	{ dpcount_main, "dpcount -e1 --once --csv -v2 -r0:99 -k1 --keys=a,b,c --top=1+", NULL }
};

#define COMMANDS	(sizeof command / sizeof *command)
#define WORDS		32
#define EVENTS		4096

/* A command's options, and what reads its events: of the file, and of its records alone. */
static struct made {
	struct dp_options o;
	const struct dp_tool *tool;
	struct dp_events *whole, *alone;
	struct dp_reader_rule rule;
	struct dp_reader *by_block, *second, *other;
	char words[240];
} made[COMMANDS], *making;

static const uint8_t id_key[16];

/* Stands before the driver's: options alone, as it would have them before it plans. */
int
dp_tool_main(const struct dp_tool *tool, int argc, char **argv)
{
	struct dp_options *o = &making->o;

	(void)dp_options_pan(tool, argc, argv);
	dp_options_parse(o, tool, argc, argv);
	making->tool = dp_options_complete(o, tool, NULL);
	return 0;
}

static struct dp_reader *
reader(struct dp_reader_rule rule)
{
	struct dp_reader *r;

	need(dp_reader_new(&r, &rule) == 0);
	return r;
}

static struct made *
make(size_t i)
{
	struct made *m = making = &made[i];
	char *argv[WORDS + 1] = { NULL }, *p = m->words;
	struct dp_reader_rule rule;
	int argc = 0;

	if (m->whole != NULL)
		return m;
	need(strlen(command[i].words) < sizeof m->words);
	strcpy(p, command[i].words);
	for (argv[argc++] = p; (p = strchr(p, ' ')) != NULL; ) {
		*p++ = '\0';
		argv[argc++] = p;
	}
	optind = 0;
	need(command[i].run(argc, argv) == 0);
	need(dp_events_new(&m->whole, &m->o, m->tool, id_key, 1577836800) == 0);
	need(dp_events_new(&m->alone, &m->o, m->tool, id_key, 1577836800) == 0);
	dp_events_reader_rule(m->whole, &m->rule);
	dp_events_reader_rule(m->alone, &m->rule);
	m->by_block = reader(m->rule);
	m->other = reader(m->rule);
	rule = m->rule;
	rule.no_fast_csv = true;
	rule.frugal = !rule.csv;
	m->second = reader(rule);
	return m;
}

/* Events: what each of them is made of, and where it begins. */
static struct list {
	struct dp_buf b;
	size_t at[EVENTS + 1], n;
} all, some, one[EVENTS];

static void
put(struct list *l, const void *p, size_t n)
{
	dp_buf_add(&l->b, p, n);
}

static void
put_text(struct list *l, struct dp_slice s)
{
	put(l, &s.n, sizeof s.n);
	put(l, s.n == 0 ? "" : s.p, s.n);
}

/* counting: events that count nowhere are left out. */
static void
note(struct list *l, const struct made *m, const struct dp_events *ev, struct dp_record *rec,
    bool counting)
{
	struct dp_event v = { .value = 0 };
	const unsigned char counts = 1, none = 0;
	size_t i;

	dp_events_read(ev, rec, &v);
	need(v.error == 0);
	if (!v.counts && counting)
		return;
	need(l->n < EVENTS);
	l->at[l->n++] = l->b.n;
	put(l, v.counts ? &counts : &none, 1);
	put(l, &v.value, sizeof v.value);
	if (!v.counts)
		return;
	put(l, &v.column, sizeof v.column);
	if (v.timed)
		put(l, &v.time, sizeof v.time);
	put_text(l, v.user);
	if (m->tool->shape == DP_SHAPE_ID && v.value != 0)
		put(l, v.id.word, sizeof v.id.word);
	else if (m->tool->shape == DP_SHAPE_NAME)
		put_text(l, v.text);
	for (i = 0; i < v.nterms; i++) {
		put(l, &v.term[i].place, sizeof v.term->place);
		put(l, &v.term[i].value, sizeof v.term->value);
	}
}

static void
clear(struct list *l)
{
	dp_buf_reset(&l->b);
	l->n = 0;
}

/* All events of the file, whose header is read first. */
static void
read_all(struct list *l, struct dp_reader *r, const struct made *m, struct dp_events *ev,
    struct dp_slice file, bool header)
{
	static struct dp_record rec;
	int e;

	clear(l);
	dp_reader_attach(r, feed(0, (const uint8_t *)file.p, file.n));
	if (header)
		need(dp_reader_next(r, &rec, -1) == DP_READ_RECORD &&
		    dp_events_header(ev, &rec) == NULL && dp_events_lacks(ev, &rec) == 0);
	for (;;) {
		if ((e = dp_reader_more(r, &rec)) == 0)
			e = dp_reader_next(r, &rec, -1);
		if (e != DP_READ_RECORD)
			break;
		note(l, m, ev, &rec, false);
		dp_reader_forget(r);
	}
	need(e == DP_READ_END);
}

/* Only the lines that a plain string is in, found in whole spans. */
static void
seek_all(struct list *l, struct dp_reader *r, const struct made *m, struct dp_slice file)
{
	static struct dp_record rec;
	const char *at;
	char *p, *e;

	clear(l);
	rec.too_long = false;
	dp_reader_attach(r, feed(0, (const uint8_t *)file.p, file.n));
	while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
		for (at = p; at < e && dp_events_seek(m->whole, &at, e, &rec.text) == 1; )
			note(l, m, m->whole, &rec, true);
}

/* Whether each line holds a plain string, found in whole spans: the values of `all'. */
static void
search_all(struct dp_reader *r, const struct made *m, struct dp_slice file)
{
	int64_t x[7], was;
	const char *at, *hit;
	size_t k = 0;
	char *p, *e;
	int n, i;

	dp_reader_attach(r, feed(0, (const uint8_t *)file.p, file.n));
	while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
		for (at = p, hit = NULL; at < e; ) {
			n = dp_events_search(m->whole, &at, e, &hit, x, 7);
			for (i = 0; i < n; i++, k++) {
				need(k < all.n);
				memcpy(&was, all.b.p + all.at[k] + 1, sizeof was);
				need(was == x[i]);
			}
		}
	need(k == all.n);
}

static void
same_lists(const struct list *a, const struct list *b)
{
	need(a->n == b->n && a->b.n == b->b.n);
	need(a->b.n == 0 || memcmp(a->b.p, b->b.p, a->b.n) == 0);
}

/* The quotes of rows end: each quoted field is RFC 4180's, or has all of its quotes in a line. */
static bool
closed(const char *p, const char *e, char delimiter)
{
	bool begun = false, quoted = false, broken = false, stray = false, row = true;
	const char *q;

	for (; p < e; p++) {
		while (row && e - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
			p += 3;
		if (p == e)
			break;
		row = !quoted && (*p == '\n' || *p == '\r');
		if (!quoted) {
			if (*p == '"' && !begun) {
				quoted = true;
				broken = stray = false;
			}
			begun = *p != delimiter && *p != '\n' && *p != '\r' &&
			    (begun || (*p != ' ' && *p != '\t'));
			continue;
		}
		broken |= *p == '\n' || *p == '\r';
		if (*p != '"')
			continue;
		if (p + 1 < e && p[1] == '"') {
			p++;
			continue;
		}
		for (q = p + 1; q < e && *q != delimiter && (*q == ' ' || *q == '\t'); q++)
			;
		if (q == e || *q == delimiter || *q == '\n' || *q == '\r') {
			quoted = false;
			begun = true;
			p = q - 1;
		} else
			stray = true;
		if (broken && stray)
			return false;
	}
	return !quoted;
}

/* The file to be read, behind the header: records, each with the newline that ends it. */
static struct dp_slice record[EVENTS];
static size_t records;

static void
add_records(struct dp_buf *b, const struct made *m, const char *p, const char *e)
{
	const char c = m->rule.delimiter < 0 ? ',' : (char)m->rule.delimiter;
	const bool rows = m->rule.csv && !m->rule.lines;
	const char *nl;
	char *q;

	for (records = 0; p < e && records < EVENTS; p = nl) {
		nl = memchr(p, '\n', (size_t)(e - p));
		nl = nl == NULL ? e : nl + 1;
		record[records] = (struct dp_slice){ NULL, (size_t)(nl - p) };
		dp_buf_add(b, p, (size_t)(nl - p));
		q = b->p + b->n - (nl - p);
		for (; rows && q < b->p + b->n; q++)
			if (*q == '\1')
				*q = '\n';
		q = b->p + b->n - (nl - p);
		if (rows && !closed(q, b->p + b->n - (nl[-1] == '\n'), c))
			b->n -= (size_t)(nl - p);
		else
			records++;
	}
}

/* Records alone, from the last to the first. */
static size_t
read_alone(struct dp_reader *r, const struct made *m, const struct dp_buf *b, size_t head)
{
	struct dp_buf file = { .p = NULL };
	size_t i, n = 0, end = b->n;

	for (i = records; i-- > 0; end -= record[i].n) {
		dp_buf_reset(&file);
		dp_buf_add(&file, b->p, head);
		dp_buf_add(&file, b->p + end - record[i].n, record[i].n);
		read_all(&one[i], r, m, m->alone, (struct dp_slice){ file.p, file.n }, head > 0);
		n += one[i].n;
	}
	dp_buf_free(&file);
	return n;
}

static void
check(const struct made *m, const struct dp_buf *b, size_t head, unsigned block)
{
	const struct dp_slice file = { b->p, b->n };
	struct dp_reader *r = m->by_block;
	size_t i, at, n;

	n = read_alone(m->other, m, b, head);
	/* a buffer of its own, that must grow */
	r->rule.block = block;
	r->cap = block < 4 ? 4 : block;
	free(r->buf);
	need((r->buf = malloc(r->cap + DP_RECORD_SLACK)) != NULL);
	read_all(&all, r, m, m->whole, file, head > 0);
	need(all.n == n);
	for (i = 0, at = 0; i < records; at += one[i++].b.n)
		need(at + one[i].b.n <= all.b.n && (one[i].b.n == 0 ||
		    memcmp(one[i].b.p, all.b.p + at, one[i].b.n) == 0));
	need(at == all.b.n);
	m->second->rule.block = block;
	read_all(&some, m->second, m, m->whole, file, head > 0);
	same_lists(&all, &some);
	if (dp_events_searchable(m->whole))
		search_all(r, m, file);
	if (dp_events_seekable(m->whole)) {
		seek_all(&some, r, m, file);
		for (i = n = 0; i < all.n; i++)
			n += all.b.p[all.at[i]] != 0;
		need(some.n == n);
		for (i = n = 0; i < all.n; i++) {
			at = i + 1 < all.n ? all.at[i + 1] : all.b.n;
			if (all.b.p[all.at[i]] == 0)
				continue;
			need(memcmp(all.b.p + all.at[i], some.b.p + some.at[n++],
			    at - all.at[i]) == 0);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_buf b = { .p = NULL };
	const struct made *m;
	const char *header;
	size_t head;

	if (n < 2)
		return 0;
	header = command[p[0] % COMMANDS].header;
	m = make(p[0] % COMMANDS);
	head = header == NULL ? 0 : strlen(header);
	dp_buf_add(&b, "", 1);		/* room, though there may be nothing */
	dp_buf_reset(&b);
	dp_buf_add(&b, header == NULL ? "" : header, head);
	add_records(&b, m, (const char *)p + 2, (const char *)p + n);
	check(m, &b, head, p[1] == 0 ? 1 : p[1]);
	dp_buf_free(&b);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
