/* SPDX-License-Identifier: ISC */
/*
 * t_event_terms.c - a line that is many numbers: the quick way for single digits against the
 * general one, pairs, fields aside, and lines of which nothing counts.
 */
#include <string.h>

#include "check.h"
#include "input/internal.h"

static const unsigned none[DP_TERMS_ASIDE];
static const char *why;

static struct dp_terms *
made(const struct dp_options *o, size_t width)
{
	struct dp_terms *t;

	if (dp_terms_new(&t, o, width) != 0)
		exit(1);
	return t;
}

/* A line's terms as "PLACE:VALUE ..", or why there are none. */
static const char *
read_line(struct dp_terms *t, const char *line, const unsigned *aside)
{
	static char text[256];
	const struct dp_term *x;
	size_t n, i, at = 0;

	why = NULL;
	if ((x = dp_terms_read(t, (struct dp_slice){ line, strlen(line) }, aside, &n,
	    &why)) == NULL)
		return why;
	text[0] = '\0';
	for (i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%zu:%lld", i == 0 ? "" : " ",
		    x[i].place, (long long)x[i].value);
	return text;
}

#define reads(t, line, aside, want)	check(strcmp(read_line(t, line, aside), want) == 0)

static void
test_dense(void)
{
	const struct dp_options o = { .range = { .lo = -5, .hi = 20 }, .form.delimiter = -1 };
	const unsigned user[DP_TERMS_ASIDE] = { 0, 0, 2 };
	struct dp_terms *t = made(&o, 3);

	reads(t, "1 2 3", none, "0:1 1:2 2:3");
	reads(t, " 1\t 0  -7 ", none, "0:1 2:-5");	/* blanks; clamped */
	reads(t, "0 0 0", none, "");
	reads(t, "", none, "");
	reads(t, "  ", none, "");
	reads(t, "100 1.4 1.5", none, "0:20 1:1 2:2");
	reads(t, "1 2", none, "fewer numbers than columns");
	reads(t, "1 2 3 4", none, "more numbers than columns");
	reads(t, "1 x 3", none, "not a decimal number");
	reads(t, "1 2 x", none, "not a decimal number");
	/* the user's field is no number, wherever it stands */
	reads(t, "1 anna 2 3", user, "0:1 1:2 2:3");
	reads(t, "1 2 3", user, "fewer numbers than columns");
	dp_terms_free(t);
}

static void
test_pairs(void)
{
	const struct dp_options o = { .range = { .lo = 0, .hi = 9 }, .form.delimiter = -1,
	    .keys.ones = 2 };
	struct dp_terms *t = made(&o, 3);

	reads(t, "3:4", none, "2:4");
	reads(t, "3:4 1:1", none, "2:4 0:1");
	reads(t, "3:4 1:0 2:5", none, "2:4 1:5");	/* 0 is none of the two */
	reads(t, "1:1 2:1 3:1", none, "more numbers other than 0 than --ones allows");
	reads(t, "1 1 1", none, "more numbers other than 0 than --ones allows");
	reads(t, "1:0 1:0", none, "an index is given twice");
	reads(t, "1:1", none, "0:1");			/* of another line */
	reads(t, "0:1", none, "an index is out of range");
	reads(t, "4:1", none, "an index is out of range");
	reads(t, ":1", none, "an index is out of range");
	reads(t, "18446744073709551617:1", none, "not an index");	/* 2^64 + 1 */
	reads(t, "+1:1", none, "not an index");
	reads(t, "1:1 2", none, "numbers and index:value pairs do not go together");
	reads(t, "1 2:2 0", none, "numbers and index:value pairs do not go together");
	dp_terms_free(t);
}

static void
test_csv(void)
{
	char first[] = "b", second[] = "a";
	char *names[] = { first, second };
	struct dp_options o = { .range = { .lo = 0, .hi = 9 }, .form = { .csv = true,
	    .delimiter = -1 }, .keys = { .name = names, .n = 2 } };
	const char *header = "a,x,\"b\",c", *missing = "a,c";
	struct dp_terms *t = made(&o, 2);

	/* columns by name; the others are no numbers */
	check(dp_terms_header(t, (struct dp_slice){ header, strlen(header) }, none) == NULL);
	reads(t, "1,2,3,4", none, "1:1 0:3");
	reads(t, "\"1\",\"x, y\",\"3\",", none, "1:1 0:3");
	reads(t, "1,2,3", none, "fewer numbers than columns");
	check(strcmp(dp_terms_header(t, (struct dp_slice){ missing, strlen(missing) }, none),
	    "b") == 0);
	dp_terms_free(t);
}

static uint64_t seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

/* Lines of digits, some spoilt: a blank at the end has the general way read the same line. */
static void
test_both_ways(void)
{
	static const char odd[] = "x-.:, ";
	struct dp_options o = { .range = { .lo = 2, .hi = 7 }, .form.delimiter = -1,
	    .keys.ones = 4 };
	struct dp_terms *t;
	char line[16], general[17], quick[256];
	unsigned n, i, differ = 0;

	for (n = 0; n < 20000; n++) {
		o.range.lo = below(2) == 0 ? 0 : 2;
		o.range.places = below(3) == 0;
		o.form.delimiter = below(2) == 0 ? -1 : ',';
		t = made(&o, 6);
		for (i = 0; i < 11; i++)
			line[i] = i % 2 ? (o.form.delimiter < 0 ? ' ' : ',') :
			    (char)('0' + (below(2) ? below(10) : 0));
		if (below(4) == 0)
			line[below(11)] = odd[below(6)];
		line[below(8) == 0 ? below(11) : 11] = '\0';
		snprintf(quick, sizeof quick, "%s", read_line(t, line, none));
		snprintf(general, sizeof general, "%s ", line);
		if (strcmp(read_line(t, general, none), quick) != 0 && differ++ == 0)
			printf("'%s': %s; else %s\n", line, quick, read_line(t, general, none));
		dp_terms_free(t);
	}
	check(differ == 0);
}

/* A pan-private run: of the line nothing stays. */
static void
test_forgotten(void)
{
	const struct dp_options o = { .range = { .lo = 0, .hi = 9 }, .form.delimiter = -1 };
	struct dp_terms *t = made(&o, 2);
	const struct dp_term *x;
	size_t n;

	x = dp_terms_read(t, (struct dp_slice){ "2:7", 3 }, none, &n, &why);
	check(x != NULL && n == 1 && x[0].value == 7);
	if (x == NULL)
		return;
	dp_terms_forget(t);
	check(x[0].value == 0 && x[0].place == 0);
	reads(t, "2:7", none, "1:7");
	dp_terms_free(t);
}

int
main(void)
{
	test_dense();
	test_pairs();
	test_csv();
	test_both_ways();
	test_forgotten();
	return done();
}
