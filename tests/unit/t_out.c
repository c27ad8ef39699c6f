/* SPDX-License-Identifier: ISC */
/* t_out.c - numbers as printf writes them, and lines that are let out whole. */
#include <inttypes.h>
#include <string.h>

#include "base/internal.h"
#include "check.h"

struct seen {
	char text[200000];
	size_t n;
	unsigned calls;
	int error;		/* what the sink answers */
};

static int
sink(void *arg, const char *p, size_t n)
{
	struct seen *s = arg;

	s->calls++;
	if (s->error != 0)
		return s->error;
	memcpy(s->text + s->n, p, n);
	s->n += n;
	return 0;
}

static struct dp_out *
new_out(struct seen *s)
{
	struct dp_out *o;

	memset(s, 0, sizeof *s);
	if (dp_out_new(&o, sink, s) != 0)
		exit(1);
	return o;
}

/* Powers of ten and two, and their neighbours; twice, as the second finds the high digits kept. */
static void
numbers(void)
{
	static struct seen s;
	struct dp_out *o = new_out(&s);
	char got[64], want[64], *end;
	int64_t base[2], v;
	unsigned i, k, wrong = 0;
	int d, sign;

	for (base[0] = base[1] = 1, i = 0; i < 63; i++) {
		for (k = 0; k < 2; k++)
			for (d = -2; d <= 2; d++)
				for (sign = -1; sign <= 1; sign += 2) {
					v = sign * (base[k] + d);
					snprintf(want, sizeof want, "%" PRId64, v);
					end = dp_out_put(o, got, v);
					wrong += (size_t)(end - got) != strlen(want) ||
					    memcmp(got, want, (size_t)(end - got)) != 0;
					end = dp_out_put(o, got, v);
					wrong += (size_t)(end - got) != strlen(want) ||
					    memcmp(got, want, (size_t)(end - got)) != 0;
				}
		base[0] = i < 18 ? 10 * base[0] : base[0];
		base[1] = i < 61 ? 2 * base[1] : base[1];
	}
	check(wrong == 0);
	end = dp_out_put(o, got, INT64_MIN);
	check(end == got + 20 && memcmp(got, "-9223372036854775808", 20) == 0);
	end = dp_out_put(o, got, (dp_wide)INT64_MAX + 1);
	check(end == got + 19 && memcmp(got, "9223372036854775808", 19) == 0);
	end = dp_out_put(o, got, -((dp_wide)INT64_MAX * 1000));
	check(end == got + 23 && memcmp(got, "-9223372036854775807000", 23) == 0);
	end = dp_out_put(o, got, 0);
	check(end == got + 1 && got[0] == '0');
	dp_out_free(o);
	dp_out_free(NULL);
}

/* Around every power of ten, with up to one place more than are written fast. */
static void
decimals(void)
{
	static struct seen s;
	struct dp_out *o = new_out(&s);
	char got[64], want[64], *end;
	unsigned places, wrong = 0;
	int64_t base, v;
	int d;

	for (places = 0; places <= DP_OUT_PLACES + 1; places++)
		for (base = 1; base <= INT64_MAX / 10; base *= 10)
			for (d = -202; d <= 202; d++) {
				v = d < 0 ? d - base : base + d;
				end = dp_decimal_put(want, v, places);
				wrong += dp_out_decimal(o, got, v, places) - got != end - want ||
				    memcmp(got, want, (size_t)(end - want)) != 0;
			}
	check(wrong == 0);
	end = dp_out_decimal(o, got, (dp_wide)INT64_MAX + 1, 2);
	check(end == got + 20 && memcmp(got, "92233720368547758.08", 20) == 0);
	end = dp_out_decimal(o, got, 0, 3);
	check(end == got + 5 && memcmp(got, "0.000", 5) == 0);
	dp_out_free(o);
}

static int
line(struct dp_out *o, const char *text)
{
	size_t n = strlen(text);
	char *p = dp_out_room(o, n);

	if (p == NULL)
		return DP_ENOMEM;
	memcpy(p, text, n);
	return dp_out_line(o, p + n);
}

static void
lines(void)
{
	static struct seen s;
	struct dp_out *o = new_out(&s);
	unsigned i;

	check(dp_out_flush(o) == 0 && s.calls == 0);	/* nothing is no output */
	check(line(o, "1\n") == 0 && line(o, "2\n") == 0 && s.calls == 0);
	check(dp_out_flush(o) == 0 && s.calls == 1 && s.n == 4 && memcmp(s.text, "1\n2\n", 4) == 0);
	o->each = true;
	check(line(o, "3\n") == 0 && s.calls == 2 && s.n == 6);
	s.error = DP_EIO;
	check(line(o, "4\n") == DP_EIO && s.calls == 3);
	s.error = 0;
	check(dp_out_flush(o) == 0 && s.calls == 3);	/* it is not offered again */
	/* Held back: any length, and all of it in one piece at the end. */
	o->hold = true;
	for (i = 0; i < 40000; i++)
		if (line(o, "5678\n") != 0)
			break;
	check(i == 40000 && s.calls == 3);
	s.n = 0;
	o->hold = false;
	check(dp_out_flush(o) == 0 && s.calls == 4 && s.n == 200000);
	check(memcmp(s.text, "5678\n5678\n", 10) == 0 && memcmp(s.text + 199995, "5678\n", 5) == 0);
	/* A full block goes by itself. */
	o->each = false;
	s.n = 0;
	for (i = 0; i < 20000; i++)
		check(line(o, "5678\n") == 0);
	check(s.calls == 5 && s.n >= DP_OUT_BLOCK && s.n < DP_OUT_BLOCK + 5 && s.n % 5 == 0);
	dp_out_free(o);
}

struct counts {
	int asked, calls;
	size_t n;
};

static bool
wait_a_while(void *arg)
{
	struct counts *c = arg;

	return ++c->asked != 4;
}

static int
count(void *arg, const char *p, size_t n)
{
	struct counts *c = arg;

	(void)p;
	c->calls++;
	c->n = n;
	return 0;
}

/* Blocks wait as long as they may, and a group never. */
static void
groups(void)
{
	struct counts c = { 0, 0, 0 };
	struct dp_out *o;
	int i;

	check(dp_out_new(&o, count, &c) == 0);
	o->wait = wait_a_while;
	o->arg = &c;
	for (i = 0; c.calls == 0 && i < 100000; i++)
		check(line(o, "56789\n") == 0);
	check(c.asked == 4 && c.n >= 4 * DP_OUT_BLOCK && c.n < 4 * (DP_OUT_BLOCK + 6));
	for (; c.calls == 1 && i < 1000000; i++)
		check(line(o, "56789\n") == 0);
	check(c.asked == 4 + 15 && c.n >= DP_OUT_GROUP && c.n < DP_OUT_GROUP + 16 * 6);
	o->each = true;
	check(line(o, "1\n") == 0 && c.calls == 3 && c.n == 2);
	dp_out_free(o);
}

int
main(void)
{
	numbers();
	decimals();
	lines();
	groups();
	return done();
}
