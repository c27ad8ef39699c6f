/* SPDX-License-Identifier: ISC */
/*
 * t_tell_print.c - what is printed of an estimate and its interval against plain arithmetic: the
 * nearest decimal, ends outwards, floors, no step down; and names as CSV and JSON have them.
 */
#include <json-c/json.h>
#include <string.h>

#include "check.h"
#include "explain/internal.h"
#include "explain/print.h"

static uint64_t seed = 1;

static uint64_t
draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 8;
}

/* |v / coarse - q| <= 1/2, ties up. */
static void
test_nearest(void)
{
	static const int64_t coarse[] = { 1, 2, 3, 10, 1000, 1000000000 };
	dp_wide v, q, c, off;
	unsigned i, k, wrong = 0;

	for (k = 0; k < sizeof coarse / sizeof coarse[0]; k++)
		for (i = 0; i < 4000; i++) {
			c = coarse[k];
			v = i < 41 ? (dp_wide)i - 20 : (dp_wide)draw() - ((dp_wide)1 << 55);
			if (i % 5 == 0)		/* beyond 64 bits */
				v *= (dp_wide)draw();
			q = dp_nearest(v, coarse[k]);
			off = c == 1 ? 2 * (q - v) : 2 * (v - q * c);
			wrong += off < -c || off >= c + (c == 1);
		}
	check(wrong == 0);
	check(dp_nearest(5, 10) == 1 && dp_nearest(4, 10) == 0);
	check(dp_nearest(-5, 10) == 0 && dp_nearest(-6, 10) == -1);
}

/* One column, estimates in hundredths, printed as whole numbers. */
struct one {
	struct dp_options o;
	struct dp_output output;
	struct dp_mech m;
	struct dp_run r;
	dp_wide est, last, half, ends[2];
};

static void
make(struct one *x, int64_t coarse, dp_wide half)
{
	memset(x, 0, sizeof *x);
	x->o.output = &x->output;
	x->o.print.confidence = .95;
	x->m.estimate.first = 1;
	x->half = half;
	x->r = (struct dp_run){ .o = &x->o, .plan.mech = &x->m, .print = { .outputs = 1, .nest = 1,
	    .coarse = coarse, .est = &x->est, .last = &x->last,
	    .told = { .est = &x->est, .columns = 1, .step = coarse, .round = 1 },
	    .bound = { .half = &x->half } } };
}

static struct dp_interval
printed(struct one *x, uint64_t t, dp_wide est)
{
	struct dp_interval v = { .none = t < x->m.estimate.first };

	x->est = est;
	dp_print_round(&x->r, t, 0, &v);
	return v;
}

static void
test_interval(void)
{
	struct dp_interval v;
	struct one x;
	unsigned i, wrong = 0;

	make(&x, 100, 250);
	v = printed(&x, 1, 1049);
	check(v.est == 10 && v.lo == 7 && v.hi == 13);	/* 7.99 .. 12.99 */
	v = printed(&x, 1, -1);
	check(v.est == 0 && v.lo == -3 && v.hi == 3);
	for (i = 0; i < 4000; i++) {
		x.half = (dp_wide)(draw() % 1000);
		v = printed(&x, 1, (dp_wide)(draw() % 4000) - 2000);
		/* all that it was is in it, and no more than a decimal besides */
		wrong += v.lo * 100 > x.est - x.half || (v.lo + 1) * 100 <= x.est - x.half ||
		    v.hi * 100 < x.est + x.half || (v.hi - 1) * 100 >= x.est + x.half;
	}
	check(wrong == 0);
	/* ends that a mechanism finds */
	x.r.print.bound.ends = x.r.print.bound.told = x.ends;
	x.ends[0] = -301;
	x.ends[1] = 301;
	v = printed(&x, 1, 0);
	check(v.lo == -4 && v.hi == 4);
	x.o.print.nonnegative = true;
	v = printed(&x, 1, -777);
	check(v.est == 0 && v.lo == 0 && v.hi == 4);
	x.ends[1] = -101;
	v = printed(&x, 1, -777);
	check(v.est == 0 && v.lo == 0 && v.hi == 0);
}

static void
test_monotone(void)
{
	struct dp_interval v;
	struct one x;

	make(&x, 1, 3);
	x.o.print.monotone = true;
	x.m.estimate.first = 2;
	x.last = 99;			/* of no step: before the first there is none */
	v = printed(&x, 1, 50);
	check(x.last == 99);
	v = printed(&x, 2, -7);
	check(v.est == -7 && v.lo == -10 && v.hi == -4);
	v = printed(&x, 3, 5);
	check(v.est == 5);
	v = printed(&x, 4, 1);		/* its interval stays, but for what is printed */
	check(v.est == 5 && v.lo == -2 && v.hi == 5);
	v = printed(&x, 5, 6);
	check(v.est == 6 && v.hi == 9);
}

/* Every byte, and pairs: what JSON's own reader makes of it; and CSV's rule of quotes. */
static void
test_text(void)
{
	char text[4] = "", out[64] = "", *end, want[16];
	struct json_object *j;
	unsigned a, b, wrong = 0;

	for (a = 1; a < 128; a++)
		for (b = 1; b < 128; b += b < 100 ? 1 : 7) {
			text[0] = (char)a;
			text[1] = (char)b;
			end = dp_print_text(out, text, DP_JSON);
			*end = '\0';
			j = json_tokener_parse(out);
			wrong += j == NULL || strcmp(json_object_get_string(j), text) != 0 ||
			    (size_t)(end - out) > 6 * strlen(text) + 2;
			json_object_put(j);
			for (end = out; end < out + 14; end++)
				wrong += *end != '\0' && (unsigned char)*end < ' ';
			memset(out, 0, sizeof out);
		}
	check(wrong == 0);
	*dp_print_text(out, "\xc3\xa4", DP_JSON) = '\0';
	check(strcmp(out, "\"\xc3\xa4\"") == 0);
	for (a = 1; a < 128; a++) {
		text[0] = (char)a;
		text[1] = '\0';
		*dp_print_text(out, text, DP_CSV) = '\0';
		snprintf(want, sizeof want, a == '"' ? "\"\"\"\"" :
		    strchr(",\r\n", (int)a) != NULL ? "\"%s\"" : "%s", text);
		check(strcmp(out, want) == 0);
		*dp_print_text(out, text, DP_TSV) = '\0';
		check(strcmp(out, text) == 0);
	}
	*dp_print_text(out, "a\"b,c", DP_CSV) = '\0';
	check(strcmp(out, "\"a\"\"b,c\"") == 0);
}

int
main(void)
{
	test_nearest();
	test_interval();
	test_monotone();
	test_text();
	return done();
}
