/* SPDX-License-Identifier: ISC */
/*
 * t_event_where.c - which lines are events, by --where's comparisons, and whose: in every format of
 * lines, through options as somebody writes them, the reader, and the events.
 */
#include <getopt.h>

#include "check.h"
#include "input/event.h"
#include "reader.h"

#define ARGS	24
#define FORM	"--json"

static const struct dp_tool tool = { .name = "t", .groups = DP_GROUPS_SUM,
    .shape = DP_SHAPE_NUMBER };
static const struct dp_tool ids = { .name = "t", .groups = DP_GROUP_VALUE | DP_GROUP_WHERE,
    .shape = DP_SHAPE_ID, .words.reads = "identifier" };
static const uint8_t key[16] = { 1 };

/* One event: "1" counts, "-" does not; then its user, if there is -u; an identifier's hash. */
struct read {
	char text[200];
	struct dp_id id[20];
	size_t n;
};

/* Reads all lines of `text' under the options; t: a tool of numbers or identifiers. */
static struct read
reading(const struct dp_tool *t, const char *text, const char *const *args)
{
	static struct dp_options o;
	static struct dp_record rec;
	char *argv[ARGS + 1];
	struct dp_reader_rule rule = { .csv = false };
	struct read got = { .n = 0 };
	struct dp_reader *r;
	struct dp_events *e;
	struct dp_event v;
	size_t at = 0;
	int argc = 0, fd;

	for (argv[argc++] = (char *)(uintptr_t)"t"; *args != NULL; args++)
		argv[argc++] = (char *)(uintptr_t)*args;
	argv[argc] = NULL;
	optind = 0;
	dp_options_parse(&o, t, argc, argv);
	(void)dp_options_complete(&o, t, NULL);
	if (dp_events_new(&e, &o, t, key, 0) != 0)
		exit(1);
	dp_events_reader_rule(e, &rule);
	fd = file(text, strlen(text));
	r = reader(rule);
	dp_reader_attach(r, fd);
	while (dp_reader_next(r, &rec, -1) == DP_READ_RECORD) {
		if (o.form.header && rec.number == 1) {
			check(dp_events_header(e, &rec) == NULL);
			continue;
		}
		dp_events_read(e, &rec, &v);
		at += (size_t)snprintf(got.text + at, sizeof got.text - at, "%s%c", at == 0 ? "" :
		    " ", v.counts && v.value != 0 ? '1' : '-');
		if (v.counts && o.users.field.number != 0)
			at += (size_t)snprintf(got.text + at, sizeof got.text - at, "%.*s",
			    (int)v.user.n, v.user.p);
		got.id[got.n++] = v.id;
		check(dp_events_forget(e) == 0);
	}
	dp_reader_free(r);
	dp_events_free(e);
	dp_options_free(&o);
	close(fd);
	return got;
}

static void
expect(int line, const char *lines, const char *want, const char *const *args)
{
	const struct read got = reading(&tool, lines, args);

	check(strcmp(got.text, want) == 0);
	if (strcmp(got.text, want) != 0)
		printf("line %d, %s: got '%s', not '%s'\n", line, args[3], got.text, want);
}

#define numbers(lines, want, ...) \
	expect(__LINE__, lines, want, (const char *const []){ "-e", "1", "-q", __VA_ARGS__, NULL })

/* The same of a field in every format of lines: x alone in it, or with something behind it. */
static void
compared(const char *x, const char *condition, bool holds)
{
	char text[200], csv[200], w[100], n[100];
	const char *want = holds ? "1 -" : "- -";

	snprintf(w, sizeof w, "--where=f%s", condition);
	snprintf(n, sizeof n, "--where=2%s", condition);
	snprintf(text, sizeof text, "{\"g\":1,\"f\":\"%s\"}\n[]\n", x);
	numbers(text, want, "--json", w);
	snprintf(text, sizeof text, "1|%s|\n", x);
	numbers(text, holds ? "1" : "-", "-F", "|", n);
	numbers(text, holds ? "1" : "-", "--cut=^(?<g>.)\\|(?<f>[^|]*)", w);
	snprintf(csv, sizeof csv, "g,f\n1,\"%s\"\n", x);
	numbers(csv, holds ? "1" : "-", "--csv", "-H", w);
	numbers(csv, holds ? "- 1" : "- -", "--csv", "--where=1=1", n);
	if (*x == '\0' || strchr(x, ' ') != NULL)
		return;
	snprintf(text, sizeof text, "1 %s\n", x);
	numbers(text, holds ? "1" : "-", n);
}

static void
test_numbers(void)
{
	static const char *const op[] = { "=", "==", "!=", "<", "<=", ">", ">=" };
	static const struct {
		const char *x, *y;
		int order;
	} of[] = {
		{ "0.1", "0.10", 0 }, { "50", "50", 0 }, { "9", "10", -1 }, { "-9", "-10", 1 },
		{ "404", "400", 1 }, { "1e2", "100", 0 }, { "+5", "5", 0 }, { "-0", "0", 0 },
		{ ".5", "0.5", 0 }, { "00123", "123", 0 }, { "-1", "1", -1 },
		/* as doubles these are equal */
		{ "9007199254740993", "9007199254740992", 1 },
		{ "0.1", "0.10000000000000000001", -1 },
		{ "1e-400", "0", 1 }, { "1e400", "1e401", -1 }
	};
	const bool holds[3][7] = {
		{ false, false, true, true, true, false, false },
		{ true, true, false, false, true, false, true },
		{ false, false, true, false, false, true, true }
	};
	char condition[80];
	size_t i, j;

	for (i = 0; i < sizeof of / sizeof *of; i++)
		for (j = 0; j < 7; j++) {
			snprintf(condition, sizeof condition, j % 2 ? " %s  %s " : "%s%s", op[j],
			    of[i].y);
			compared(of[i].x, condition, holds[of[i].order + 1][j]);
		}
	/* no number is another one, and neither below nor above */
	for (j = 0; j < 7; j++) {
		snprintf(condition, sizeof condition, "%s5", op[j]);
		compared("x", condition, op[j][0] == '!');
		compared("5x", condition, op[j][0] == '!');
		compared("5 ", condition, op[j][0] == '!');
		compared("nan", condition, op[j][0] == '!');
		compared("", condition, false);
	}
}

static void
test_texts(void)
{
	compared("buy", "=buy", true);
	compared("buy", " = buy", true);
	compared("Buy", "=buy", false);
	compared("buys", "=buy", false);
	compared("buys", "!=buy", true);
	compared("2026-05-03", ">=2026-05-01", true);
	compared("2026-04-30", ">=2026-05-01", false);
	compared("buy", "<buys", true);
	compared("\xc3\xa4", ">z", true);
	/* in quotes a text, whatever it looks like */
	compared("0.10", "=\"0.1\"", false);
	compared("0.10", "=\"0.10\"", true);
	compared("buy", "='buy'", true);
	compared("it's", "='it''s'", true);
	compared(" b ", "=\" b \"", true);
	compared("<b>", "=\"<b>\"", true);
	compared("10", "<\"9\"", true);
	/* an empty field compares with nothing, but that the empty value asks for it */
	compared("", "=buy", false);
	compared("", "!=buy", false);
	compared("", "<buy", false);
	compared("", "=", true);
	compared("", "=\"\"", true);
	compared("", "!=", false);
	compared("x", "=", false);
	compared("x", "!=", true);
	compared("0", "!=", true);
}

/* What has no field, and several conditions. */
static void
test_fields(void)
{
	const char *const log = "192.0.2.1 - - [08/Jan/2021:19:00:39 +0000] \"GET / HTTP/1.1\" "
	    "404 - \"-\" \"A b\"\nnoise\n";

	numbers("{}\n{\"a\":null}\n{\"a\":[1]}\n{\"a\":1}\n", "- - - -", FORM, "--where=a!=1");
	numbers("{}\n{\"a\":null}\n{\"a\":[1]}\n{\"a\":1}\n", "1 1 1 -", FORM, "--where=a=");
	numbers("{\"a\":{\"b\":true}}\n", "1", FORM, "--where=a.b=true");
	numbers("{\"a b\":2,\"3\":4,\"\xc3\xa4\":5,\"x/y\":6}\n", "1", FORM, "--where=a b>1",
	    "--where=\"3\"=4", "--where=\xc3\xa4<6", "--where=\"x/y\"~^6");
	numbers("1\n1 2\n1 3\n", "- - 1", "--where=1>=1", "--where=2>2");
	numbers(log, "1 -", "--log=combined", "--where=status>=400", "--where=size=");
	numbers(log, "1 -", "--log=combined", "--where=agent=A b", "--where=referer=-");
	numbers(log, "- -", "--log=combined", "--where=status>=400", "--where=status<404");
	numbers(log, "1 -", "--log=combined", "--where=[=J]");
	numbers("k v\n5 6\n", "1", "-H", "--where=k=5", "--where=2>5");
	/* by bare lines a name is a part of a pattern, and so is a number that no field has */
	numbers("a=1\na 1\n", "1 -", "--where=a=1");
	numbers("200 <b\n", "1", "--where=200 <");
	numbers("3,4\na=4,5\n", "- 1", "--csv", "--where=a=4");
	numbers("a=1\n", "1", "--where=^a=1");
}

#define BITS		4
#define TEXTS		(1 << BITS)
#define ARGS_EITHER	(2 * BITS + 6)

/* Conditions of which those whose bit is set in `or' are joined with the one before. */
static void
either(unsigned or, unsigned fields, const char *const form[3])
{
	const char *args[ARGS_EITHER] = { "-e", "1", "-q", form[0] };
	char condition[BITS][40], lines[TEXTS * 40] = "", want[2 * TEXTS + 1] = "";
	unsigned i, bits, n = 3 + (form[0] != NULL);
	bool all, one;

	for (i = 0; i < BITS; i++) {
		snprintf(condition[i], sizeof condition[i], fields >> i & 1 ? form[1] :
		    "--where=^(?:[^01]*[01]){%u}[^01]*1", fields >> i & 1 ? i + 1 : i);
		if (or >> i & 1)
			args[n++] = "--or";
		args[n++] = condition[i];
	}
	for (bits = 0; bits < TEXTS; bits++) {
		for (all = true, one = false, i = 0; i < BITS; i++) {
			all &= or >> i & 1 || i == 0 || one;
			one = (or >> i & 1 && one) || bits >> i & 1;
		}
		strcat(want, bits == 0 ? "" : " ");
		strcat(want, all && one ? "1" : "-");
		i = (unsigned)strlen(lines);
		snprintf(lines + i, sizeof lines - i, form[2], bits & 1, bits >> 1 & 1,
		    bits >> 2 & 1, bits >> 3 & 1);
	}
	expect((int)(100 * or + fields), lines, want, args);
}

/* One of those that --or joins is enough, and of the rest each must hold: of all lines. */
static void
test_either(void)
{
	static const char *const forms[][3] = {
		{ NULL, "--where=%u=1", "%u %u %u %u\n" },
		{ "--csv", "--where=%u=1", "%u,%u,%u,%u\n" },
		{ "--cut=^(?<a>.)(?<b>.)(?<c>.)(?<d>.)$", "--where=%u~1", "%u%u%u%u\n" }
	};
	unsigned or, fields;
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++)
		for (or = 0; or < TEXTS; or += 2)
			for (fields = 0; fields < TEXTS; fields++)
				either(or, fields, forms[i]);
	/* no field is cut where the line itself is enough, and none is there where it is not */
	numbers("{\"a\":1,\"b\":0}\n{\"a\":0}\nb\n", "1 - -", FORM, "--where=b", "--where=a=1");
	numbers("{\"a\":1}\n{\"a\":0,\"b\":0}\nb\nc\n", "1 1 - -", FORM, "--where=b", "--or",
	    "--where=a=1");
	numbers("a\nb\nc\n", "1 1 -", "--where=a", "--or", "--where=b");
}

/* Blanks around the ~ of a field's pattern are none of the pattern; others are. */
static void
test_blanks(void)
{
	numbers("k m,v\n\" abuy\",1\nbuy,2\n", "1 1", "--csv", "-H", "--where=k m ~ buy");
	numbers("k m,v\n\" abuy\",1\nbuy,2\n", "1 -", "--csv", "-H", "--where=k m ~\t ^ ");
	numbers("k,v\na buy,1\nbuy,2\n", "1 -", "--csv", "-H", "--where=k~ buy");
	numbers("k,v\nk ~ b,1\nb,2\n", "- 1", "--csv", "-H", "--where=\"k\" ~ ^b");
	numbers("a|k b\na|b\n", "- 1", "-F", "|", "--where=2 ~ ^b");
	numbers("a b\n", "1", "--cut=(?<x>.) (?<y>.)", "--where=y ~b");
	/* by bare lines it is a pattern of the line */
	numbers("a ~ b\na b\n", "1 -", "--where=a ~ b");
	numbers("99 ~ b\n1 b\n", "1 -", "--where=99 ~ b");
}

/* An empty user is none, in every format, and so is one that is not there. */
static void
test_nobody(void)
{
	const char *const log = "192.0.2.1 - - [08/Jan/2021:19:00:39 +0000] \"GET / HTTP\" 404 -\n"
	    "192.0.2.1 - a [08/Jan/2021:19:00:39 +0000] \"GET / HTTP\" 404 -\n";

	numbers("1\n1 a\n1 -\n", "- 1a 1-", "-u", "2", "-c", "1");
	numbers("1\n1|\n1|a\n1| \n", "- - 1a 1 ", "-F", "|", "-u", "2", "-c", "1");
	numbers("1,\"\"\n1\n1,\n1,a\n", "- - - 1a", "--csv", "-u", "2", "-c", "1");
	numbers("n,u\n1,\n1,\"a\"\"b\"\n", "- 1a\"b", "--csv", "-H", "-u", "u", "-c", "1");
	numbers("{\"u\":\"\"}\n{\"u\":null}\n{}\n{\"u\":{}}\n{\"u\":0}\n{\"u\":false}\n"
	    "{\"u\":\"-\"}\n",
	    "- - - - 10 1false 1-", FORM, "-u", "u", "-c", "1");
	numbers("x\nxa\n", "- 1a", "--cut=x(?<u>a?)", "-u", "u", "-c", "1");
	numbers("x\nxa\n", "- 1a", "--cut=x(?<u>a)?", "-u", "u", "-c", "1");
	/* - is a user's name, but in logs where it stands for none */
	numbers(log, "- 1a", "--log=combined", "-u", "user", "-c", "1");
	numbers(log, "- 1a", "--log=common", "-u", "user", "-c", "1");
	numbers("<1>1 2026-05-01T00:00:00Z - p - - - m\n<1>1 2026-05-01T00:00:00Z h p - - - m\n",
	    "- 1h", "--log=rfc5424", "-u", "host", "-c", "1");
	numbers("May  1 00:00:00 - p: m\n", "1-", "--log=syslog", "-u", "host", "-c", "1");
}

/* Several fields name one user. */
static void
test_several(void)
{
	numbers("a b\na\nab \n b,c\n", "1a,b 1a, 1ab, 1b\\,c,", "-u", "1,2", "-c", "1");
	numbers("a|bc|1\nab|c|1\n||1\na||1\n|a|1\n", "1a,bc 1ab,c - 1a, 1,a", "-F", "|",
	    "-u", "1,2", "-c", "1");
	numbers("a,b,c\n\"x,y\",\"p\\q\",1\n", "1p\\\\q,x\\,y", "--csv", "-H", "-u", "b,a",
	    "-c", "1");
	/* a header that has the whole name */
	numbers("\"a,b\",a,b\nx,y,z\n", "1x", "--csv", "-H", "-u", "a,b", "-c", "1");
	numbers("\"1,000\",a\nx,y\n", "1x", "--csv", "-H", "-u", "1,000", "-c", "1");
	numbers("{\"a\":1,\"b\":null}\n{\"b\":2}\n{}\n", "11, 1,2 -", FORM, "-u", "a,b", "-c", "1");
	numbers("192.0.2.1 - - [08/Jan/2021:19:00:39 +0000] \"GET / HTTP/1.1\" 404 - \"-\" \"A\"\n",
	    "1,A", "--log=combined", "-u", "user,agent", "-c", "1");
}

/* The same bytes come of no two lists of texts, and what is one identifier is so in all formats. */
static void
test_identifiers(void)
{
	static const char *const lines = "a|b|c\na||b,c\na,b||c\n|a|b\na|\\|\na|,|\n||\n"
	    "a|b|c\na\\|,|\n"
	    "a\\|b,c|\na,b\\|c|\na|b,c|\na,b|c|\n";
	struct read got = reading(&ids, lines, (const char *const []){ "-e", "1", "-F", "|", "-v",
	    "1,2,3", NULL });
	size_t i, j;

	check(strcmp(got.text, "1 1 1 1 1 1 - 1 1 1 1 1 1") == 0);
	for (i = 0; i < got.n; i++)
		for (j = 0; j < i; j++)
			check((got.id[i].word[0] == got.id[j].word[0]) == (i == 7 && j == 0) ||
			    i == 6 || j == 6);
	got = reading(&ids, "{\"a\":\"x\"}\n{\"a\":\"\"}\n{\"a\":null}\n{\"a\":\"-\"}\n",
	    (const char *const []){ "-e", "1", FORM, "-v", "a", NULL });
	check(strcmp(got.text, "1 - - 1") == 0);
	got = reading(&ids, "h - - [t] \"\" 200 1 \"-\" \"x\"\nh - u [t] \"\" 200 1 \"-\" \"-\"\n",
	    (const char *const []){ "-e", "1", "--log=combined", "-v", "agent", NULL });
	check(strcmp(got.text, "1 -") == 0);
}

int
main(void)
{
	PART(test_numbers());
	PART(test_texts());
	PART(test_fields());
	PART(test_either());
	PART(test_blanks());
	PART(test_nobody());
	PART(test_several());
	PART(test_identifiers());
	return done();
}
