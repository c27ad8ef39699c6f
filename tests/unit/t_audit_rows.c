/* SPDX-License-Identifier: ISC */
/* t_audit_rows.c - outputs of runs to rows: numbers, texts by rank, and which runs rank them. */
#include <string.h>

#include "check.h"
#include "law/audit.h"

static struct dp_audit_rows *
made(uint64_t runs)
{
	struct dp_audit_rows *r;

	if (dp_audit_rows_new(&r, runs) != 0)
		exit(1);
	return r;
}

static void
add(struct dp_audit_rows *r, unsigned side, uint64_t run, const char *output)
{
	char copy[8192];

	snprintf(copy, sizeof copy, "%s", output);
	check(dp_audit_rows_add(r, side, run, 256 * (int)side, 10 + (size_t)run, copy) == 0);
}

static void
test_numbers(void)
{
	const size_t w = DP_AUDIT_WORD + 3;
	struct dp_audit_rows *r = made(2);
	double *x;

	check(dp_audit_rows_width(r) == 0 && dp_audit_rows_silent(r));
	add(r, 0, 0, "1\t-2.5e3\n");
	check(dp_audit_rows_width(r) == DP_AUDIT_WORD + 2);	/* what the first printed */
	dp_audit_rows_free(r);
	r = made(2);
	add(r, 0, 0, "1,-2.5e3 \r\n\n7");
	add(r, 0, 1, "  ");
	add(r, 1, 0, "1 2 3 4");
	add(r, 1, 1, "5");
	check(dp_audit_rows_width(r) == w && !dp_audit_rows_silent(r));
	x = dp_audit_rows_numbers(r, 0);
	check(x[DP_AUDIT_STATUS] == 0 && x[DP_AUDIT_SAID] == 10 && x[DP_AUDIT_WORDS] == 3);
	check(x[w - 3] == 1 && x[w - 2] == -2500 && x[w - 1] == 7);
	check(x[w + DP_AUDIT_SAID] == 11 && x[w + DP_AUDIT_WORDS] == 0 && x[2 * w - 1] == 0);
	free(x);
	x = dp_audit_rows_numbers(r, 1);
	check(x[DP_AUDIT_STATUS] == 256 && x[DP_AUDIT_WORDS] == 4);	/* the fourth is left out */
	check(x[w - 1] == 3 && x[w + DP_AUDIT_WORD] == 5);
	free(x);
	check(!dp_audit_rows_texts(r, w - 1));
	dp_audit_rows_free(r);
}

/* Only even runs rank, or the event would be chosen by the runs that count it. */
static void
test_texts(void)
{
	struct dp_audit_rows *r = made(4);
	unsigned i;
	double *x;

	for (i = 0; i < 4; i++) {
		add(r, 0, i, i % 2 == 0 ? "yes" : "no");
		add(r, 1, i, i == 0 ? "nan" : i % 2 == 0 ? "inf" : "yes");
	}
	check(dp_audit_rows_texts(r, DP_AUDIT_WORD));
	x = dp_audit_rows_numbers(r, 0);
	check(x[DP_AUDIT_WORD] == -2. / 3);			/* yes: twice on A */
	check(x[2 * DP_AUDIT_WORD + 1] == 0);			/* no: in none that choose */
	free(x);
	x = dp_audit_rows_numbers(r, 1);
	check(x[DP_AUDIT_WORD] == .5);				/* no numbers: once on B */
	check(x[2 * (DP_AUDIT_WORD + 1) + DP_AUDIT_WORD] == .5);
	check(x[DP_AUDIT_WORD + 1 + DP_AUDIT_WORD] == -2. / 3);
	free(x);
	dp_audit_rows_free(r);
}

/* A thousand texts and more; a hundred words and more. */
static void
test_many(void)
{
	const uint64_t runs = 1100;
	struct dp_audit_rows *r = made(runs);
	char text[16], line[2048] = "";
	size_t width;
	uint64_t i;
	double *x;

	for (i = 0; i < 300; i++)
		strcat(line, "12 ");
	add(r, 0, 0, line);
	width = dp_audit_rows_width(r);
	check(width == DP_AUDIT_WORD + 128);
	for (i = 0; i < runs; i++) {
		snprintf(text, sizeof text, "t%u", (unsigned)i);
		add(r, 1, i, text);
	}
	x = dp_audit_rows_numbers(r, 1);
	check(x[DP_AUDIT_WORD] == .5);
	check(x[(runs - 2) * width + DP_AUDIT_WORD] == 0);	/* one of many */
	free(x);
	dp_audit_rows_free(r);
	r = made(1);
	add(r, 0, 0, "");
	add(r, 1, 0, " \n");
	check(dp_audit_rows_silent(r) && dp_audit_rows_width(r) == DP_AUDIT_WORD);
	dp_audit_rows_free(r);
	dp_audit_rows_free(NULL);
}

int
main(void)
{
	test_numbers();
	test_texts();
	test_many();
	return done();
}
