/* SPDX-License-Identifier: ISC */
/*
 * t_elements.c - the elements of an array as keys (-k A[] -c K): which of them count, against a
 * plain account of all short arrays; how far one event, one line, or a user's events move the
 * keys' sums, against what noise is planned for.
 */
#include <getopt.h>
#include <string.h>

#include "check.h"
#include "input/event.h"
#include "input/internal.h"
#include "job/options.h"
#include "store/internal.h"

#define KEYS	3
#define LONGEST	4

static const uint8_t key[16] = { 1 };

/* Elements, and the key that each is: of a declared name its place, -1 none of them, -2 no text. */
static const struct {
	const char *text;
	int key;
} element[] = { { "\"a\"", 0 }, { "\"\\u0062\"", 1 }, { "\"c\"", 2 }, { "\"z\"", -1 },
    { "null", -2 }, { "[\"a\"]", -2 }, { "7", -1 } };
#define ELEMENTS	(sizeof element / sizeof *element)

static const struct dp_tool tool = { .name = "t", .groups = DP_GROUPS_SUM,
    .shape = DP_SHAPE_NUMBER };

static struct dp_options o;
static struct dp_events *e;

static void
begin(const char *words)
{
	static char text[200];
	char *argv[20], *p = strcpy(text, words);
	int argc = 0;

	for (argv[argc++] = p; (p = strchr(p, ' ')) != NULL; argv[argc++] = p)
		*p++ = '\0';
	argv[argc] = NULL;
	optind = 0;
	dp_options_parse(&o, &tool, argc, argv);
	(void)dp_options_complete(&o, &tool, NULL);
	if (dp_events_new(&e, &o, &tool, key, 0) != 0)
		exit(1);
}

static void
end(void)
{
	dp_events_free(e);
	dp_options_free(&o);
}

static struct dp_event
event(const char *line)
{
	static struct dp_record r;
	struct dp_event v;

	r = (struct dp_record){ .text = { line, strlen(line) } };
	dp_events_read(e, &r, &v);
	check(v.error == 0);
	return v;
}

/* The i-th array, of base ELEMENTS + 1 whose last digit ends it; false past the last. */
static bool
array(unsigned i, unsigned chosen[static LONGEST], unsigned *n)
{
	for (*n = 0; *n < LONGEST && i % (ELEMENTS + 1) != 0; i /= (unsigned)ELEMENTS + 1)
		chosen[(*n)++] = (unsigned)(i % (ELEMENTS + 1) - 1);
	return i == 0;
}

static void
put_line(char *line, unsigned n, const unsigned *chosen, int value)
{
	unsigned k;
	char *p = line + sprintf(line, "{\"v\":%d,\"u\":\"x\",\"t\":[", value);

	for (k = 0; k < n; k++)
		p += sprintf(p, "%s%s", k == 0 ? "" : ",", element[chosen[k]].text);
	strcpy(p, "]}");
}

/* What an event moves: by the plain account, and as it was read. */
static void
expect(const struct dp_event *v, unsigned n, const unsigned *chosen, size_t most, bool other)
{
	bool met[KEYS + 1] = { false };
	size_t found = 0, i;
	int k;

	for (; n > 0 && found < most; n--, chosen++) {
		k = element[*chosen].key;
		if (k == -1 && other)
			k = KEYS;
		if (k < 0 || met[k])
			continue;
		met[k] = true;
		check(found < v->nterms && v->term[found].place == (size_t)k);
		found++;
	}
	check(v->counts == (found > 0) && v->nterms == found);
	for (i = 0; i < v->nterms; i++)
		check(v->term[i].value == v->value);
}

static void
test_all_arrays(size_t most, bool other)
{
	unsigned chosen[LONGEST], n, i, whole = 1;
	struct dp_event v;
	char line[200];

	sprintf(line, "t -e 1 --once --json -v v -r 0:9 -k t[] --keys=a,b,c -c %zu%s", most,
	    other ? " --other" : "");
	begin(line);
	for (i = 0; i < LONGEST; i++)
		whole *= (unsigned)ELEMENTS + 1;
	for (i = 0; i < whole; i++) {
		if (!array(i, chosen, &n))
			continue;
		put_line(line, n, chosen, 5);
		v = event(line);
		check(v.value == (v.counts ? 5 : 0));
		expect(&v, n, chosen, most, other);
	}
	end();
}

/* The greatest distances of two events' moves. */
struct most {
	uint64_t l1, l2squared, linf;
	size_t columns;
};

static void
compare(struct most *m, const int64_t *x, const int64_t *y)
{
	uint64_t d, l1 = 0, l2 = 0;
	size_t columns = 0, c;

	for (c = 0; c < KEYS; c++) {
		d = (uint64_t)(x[c] > y[c] ? x[c] - y[c] : y[c] - x[c]);
		l1 += d;
		l2 += d * d;
		columns += d != 0;
		m->linf = d > m->linf ? d : m->linf;
	}
	m->l1 = l1 > m->l1 ? l1 : m->l1;
	m->l2squared = l2 > m->l2squared ? l2 : m->l2squared;
	m->columns = columns > m->columns ? columns : m->columns;
}

#define MOVES	20000

/* Moves of all events: arrays of up to three keys, some twice, and all values. */
static size_t
moves(int64_t (*x)[KEYS], unsigned *keys)
{
	unsigned chosen[LONGEST], n, i, whole = (ELEMENTS + 1) * (ELEMENTS + 1) * (ELEMENTS + 1);
	struct dp_event v;
	char line[200];
	size_t made = 0, k;
	int value;

	for (i = 0; i < whole; i++)
		for (value = -3; array(i, chosen, &n) && value <= 4; value++) {
			put_line(line, n, chosen, value);
			v = event(line);
			memset(x[made], 0, sizeof x[made]);
			keys[made] = i;
			for (k = 0; v.counts && k < v.nterms; k++)
				x[made][v.term[k].place] += v.term[k].value;
			made++;
		}
	return made;
}

/* lines: a line is a step, one for any other; else an event there or not, or of other value. */
static void
test_reach(size_t most, const char *range, bool lines)
{
	static const int64_t nothing[KEYS];
	static int64_t x[MOVES][KEYS];
	static unsigned keys[MOVES];
	struct dp_mech_rule s;
	struct most m = { .l1 = 0 };
	size_t n, i, k;
	char words[200];

	sprintf(words, "t -e 1 %s --json -v v -r %s -k t[] --keys=a,b,c -c %zu",
	    lines ? "-T 9" : "--once", range, most);
	begin(words);
	dp_options_setting(&o, &tool, &s);
	n = moves(x, keys);
	for (i = 0; i < n; i++) {
		compare(&m, x[i], nothing);
		for (k = 0; k < n; k++)
			if (lines || keys[i] == keys[k])
				compare(&m, x[i], x[k]);
	}
	check(m.l1 <= s.privacy.l1 && m.l2squared <= s.privacy.l2squared);
	check(m.linf == s.privacy.linf && m.columns == s.privacy.columns);
	/* a line's keys have one value, so of both signs two lines are not quite as far */
	if (!lines || range[0] != '-')
		check(m.l1 == s.privacy.l1 && m.l2squared == s.privacy.l2squared);
	/* an event: K M, and sqrt(K) M */
	if (!lines && range[0] != '-') {
		check(s.privacy.l1 == s.privacy.linf * (most < KEYS ? most : KEYS));
		check(s.privacy.l2squared == s.privacy.l1 * s.privacy.linf);
	}
	end();
}

/* All that counts of a user, of three lines: K keys at most, and no less if the lines have them. */
static void
test_user(uint64_t most)
{
	unsigned chosen[3][LONGEST], n[3], i, k;
	struct dp_run r = { .o = &o, .tool = &tool, .cap.most = most, .ring.n = 1 };
	struct dp_event v;
	struct most m = { .l1 = 0 };
	struct dp_mech_rule s;
	int64_t sum[KEYS], nothing[KEYS] = { 0 };
	size_t had, counted, j;
	char line[200];

	sprintf(line, "t -e 1 --once --json -k t[] --keys=a,b,c -u u -c %d", (int)most);
	begin(line);
	dp_options_setting(&o, &tool, &s);
	check(o.keys.most == 0 && o.users.most == most);
	r.in.events = e;
	for (i = 0; i < 8 * 8 * 8; i++) {
		if (dp_cap_begin(&r) != 0)
			exit(1);
		memset(sum, 0, sizeof sum);
		for (k = 0, had = counted = 0; k < 3; k++) {
			check(array(i >> 3 * k & 7, chosen[k], &n[k]));
			chosen[k][n[k]++] = 0;		/* a, after one that may be a */
			put_line(line, n[k], chosen[k], 1);
			v = event(line);
			had += v.nterms;
			check(dp_cap_admit(&r, 0, &v) == 0);
			for (j = 0; v.value != 0 && j < v.nterms; j++, counted++)
				sum[v.term[j].place] += v.term[j].value;
		}
		check(counted == (had < most ? had : most));
		compare(&m, sum, nothing);
		/* another user has all of his own */
		v = event("{\"u\":\"y\",\"t\":[\"b\"]}");
		check(dp_cap_admit(&r, 0, &v) == 0 && v.value == 1 && v.nterms == 1);
		dp_cap_free(&r);
		r.cap.users = NULL;
	}
	check(m.l1 <= s.privacy.l1 && m.l2squared <= s.privacy.l2squared);
	check(m.linf <= s.privacy.linf && m.columns <= s.privacy.columns);
	check(most > 3 || (m.l1 == s.privacy.l1 && m.linf == s.privacy.linf));
	end();
}

/* Paths of elements, and what is no array. */
static void
test_paths(void)
{
	static const struct {
		const char *path, *line;
		size_t n;	/* elements */
		bool there;
	} of[] = {
		{ "t[]", "{\"t\":[1,\"x\",true,null,{},[],-1.5]}", 4, true },
		{ "t[]", "{\"t\":[]}", 0, true }, { "t[]", "{\"t\":\"x\"}", 0, false },
		{ "t[]", "{\"t\":null}", 0, false }, { "t[]", "{}", 0, false },
		{ "t[]", "{\"t\":[1,2,3],\"t\":[4]}", 1, true },	/* the last counts */
		{ "t[]", "{\"t\":[1],\"t\":\"x\"}", 0, false },
		{ "t[]", "{\"t[]\":\"x\",\"t\":[1]}", 0, false },	/* a longer name */
		{ "a.t[]", "{\"a\":{\"t\":[1,2]}}", 2, true },
		{ "a.t[]", "{\"a\":{\"t\":[1,2]},\"a\":{}}", 0, false },
		{ "a.t[]", "{\"a.t\":[1]}", 1, true },
		{ "t[].s", "{\"t\":[{\"s\":1},{\"q\":2},3,{\"s\":[1]},{\"s\":4,\"s\":5}]}", 2,
		    true },
		{ "t[].s", "{\"t\":{\"s\":1}}", 0, false },
		{ "a[1].t[]", "{\"a\":[{\"t\":[1]},{\"t\":[2,3]}]}", 2, true },
		{ "m.t[]", "{\"m\":\"{\\\"t\\\":[1,2]}\"}", 2, true },	/* text inside */
		{ "m.t[]", "{\"m\":\"{\\\"t\\\":[1,2]\"}", 0, false },	/* cut short */
		{ "m.t[]", "{\"m\":\"{\\\"t\\\":[1]} \\\"\"}", 0, false }
	};
	static struct dp_record r;
	const struct dp_slice *text;
	struct dp_json *j;
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of; i++) {
		check(dp_path_brackets(of[i].path) != NULL);
		check(dp_json_new(&j, &of[i].path, 1, false) == 0);
		r.text = (struct dp_slice){ of[i].line, strlen(of[i].line) };
		check(dp_json_record(j, &r) == 1);
		check(dp_json_elements(j, &text) == of[i].n);
		check((r.field[1].p != NULL) == of[i].there);
		/* nothing of it stays for the next line */
		r.text = (struct dp_slice){ "{\"b\":[9]}", 9 };
		check(dp_json_record(j, &r) == 1 && r.field[1].p == NULL);
		check(dp_json_elements(j, &text) == 0);
		dp_json_free(j);
	}
	check(dp_path_brackets("[]") == NULL && dp_path_brackets("a.[]") == NULL);
	check(dp_path_brackets("a[][]") == NULL && dp_path_brackets("a[]b") == NULL);
	check(dp_path_brackets("a[].b[]") == NULL && dp_path_brackets("a") == NULL);
}

int
main(void)
{
	static const char *const range[] = { "0:1", "0:4", "-3:4", "-3:2", "1:2" };
	size_t most, i;

	test_paths();
	for (most = 1; most <= 4; most++) {
		test_all_arrays(most, false);
		test_all_arrays(most, true);
		test_user(most);
		for (i = 0; i < sizeof range / sizeof *range; i++) {
			test_reach(most, range[i], false);
			if (most < 3)
				test_reach(most, range[i], true);
		}
	}
	return done();
}
