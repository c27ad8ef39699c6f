/* SPDX-License-Identifier: ISC */
/* t_number.c - numbers as --decimal and --thousands say that they are written: a table. */
#include <string.h>

#include "check.h"
#include "input/internal.h"

#define LAKH	((char)(',' | 0x80))		/* India's groups */

static const struct {
	char decimal, thousands;
	const char *text, *want;	/* NULL: no number */
} table[] = {
	{ ',', '.', "1.234,56", "1234.56" }, { ',', '.', "1.234", "1234" },
	{ ',', '.', "1.234.567", "1234567" }, { ',', '.', "-12.345,6", "-12345.6" },
	{ ',', '.', "0,44", "0.44" }, { ',', '.', "1234,5", "1234.5" }, { ',', '.', "7", "7" },
	{ ',', '.', "1,5e3", "1500" }, { ',', '.', "+1.000", "1000" },
	{ ',', '.', "1.23", NULL }, { ',', '.', "1.2345", NULL }, { ',', '.', "1234.567", NULL },
	{ ',', '.', "1.23.456", NULL }, { ',', '.', "1.2345.678", NULL },
	{ ',', '.', ".123", NULL }, { ',', '.', "1..234", NULL }, { ',', '.', "1.234,5.6", NULL },
	{ ',', '.', "1,234.56", NULL }, { ',', '.', "1,2,3", NULL }, { ',', '.', "", NULL },
	{ ',', '.', "1.234.", NULL }, { ',', '.', "-", NULL }, { ',', '.', "1 234", NULL },
	{ ',', '\0', "1,5", "1.5" }, { ',', '\0', "1.5", NULL }, { ',', '\0', "1.234,5", NULL },
	{ ',', '\0', "1234567,25", "1234567.25" }, { ',', '\0', "1,5.", NULL },
	{ '\0', ',', "1,651,590,000", "1651590000" }, { '\0', ',', "1,234.56", "1234.56" },
	{ '\0', ',', "12,34", NULL }, { '\0', ',', "1,234,56", NULL }, { '\0', ',', ",5", NULL },
	{ '\0', '\'', "1'234.5", "1234.5" }, { '\0', '\'', "1\342\200\231234", "1234" },
	{ ',', ' ', "1 234,5", "1234.5" }, { ',', ' ', "1\302\240234", "1234" },
	{ ',', ' ', "1\342\200\257234\342\200\257567,5", "1234567.5" },
	{ ',', ' ', "1\342\200\211234", "1234" }, { ',', ' ', "1\342\200", NULL },
	{ ',', ' ', "1\302", NULL }, { ',', ' ', "1  234", NULL }, { ',', ' ', "1 234 ", NULL },
	{ '\0', '_', "1_000", "1000" },
	{ '\0', LAKH, "12,34,567.5", "1234567.5" }, { '\0', LAKH, "1,234", "1234" },
	{ '\0', LAKH, "12,345", "12345" }, { '\0', LAKH, "123", "123" },
	{ '\0', LAKH, "1,23,45,678", "12345678" }, { '\0', LAKH, "1,234,567", NULL },
	{ '\0', LAKH, "123,456", NULL }, { '\0', LAKH, "12,34", NULL },
	{ '\0', LAKH, "1,2,345", NULL }, { '\0', LAKH, "1,23,45", NULL },
	{ '\0', '\0', "1.5", "1.5" }, { '\0', '\0', "1,5", NULL },
};

/* Numbers with a unit, as one of another: what is no such number stays as it is. */
static const struct {
	const char *how, *text, *want;	/* NULL: the text */
} with_unit[] = {
	{ "ms", "22ms", "22" }, { "ms", " 22 ms ", "22" }, { "ms", "-1.5 s", "-1500" },
	{ "ms", "+1.5\302\240s", "1500" }, { "ms", "7", "7" }, { "ms", "1m30.5s", "90500" },
	{ "ms", "1h 2 min", "3720000" }, { "us", "15.3\302\265s", "15.3" },
	{ "us", "15.3\316\274s", "15.3" }, { "ns", "0.5us", "500" }, { "s", "2h45m", "9900" },
	{ "min", "1s", "0.0166666666666666666666666666661" }, { "h", "90min", "1.5" },
	{ "s", "1d2h3m4s5ms6us7ns", "93784.005006007" }, { "ms", ".5s", "500" },
	{ "ms", "1.s", "1000" }, { "ms", "000", "0" }, { "ms", "0.000s", "0" },
	{ "ms", "", NULL }, { "ms", "ms", NULL }, { "ms", "22 mss", NULL },
	{ "ms", "x22ms", NULL }, { "ms", "22m/s", NULL }, { "ms", "1e3ms", NULL },
	{ "ms", "1e3", NULL }, { "ms", "1 2ms", NULL }, { "ms", "2ms 1", NULL },
	{ "ms", "2ms-1s", NULL }, { "ms", "--2ms", NULL }, { "ms", "22 kB", NULL },
	{ "ms", "1.2.3s", NULL }, { "ms", "1,5s", NULL }, { "ms", "$2", NULL },
	{ "ms", "22%", NULL }, { "B", "1.5K", "1500" }, { "B", "1.5KB", "1500" },
	{ "B", "1.5 KiB", "1536" }, { "B", "2 MiB", "2097152" }, { "KiB", "1.5K", "1.5" },
	{ "KiB", "1M", "1024" }, { "KiB", "512B", "0.5" }, { "MiB", "1G", "1024" },
	{ "GB", "1TB", "1000" }, { "MB", "12", "12" }, { "MB", "1M2K", NULL },
	{ "MB", "1 Mb", NULL }, { "MB", "1m", NULL }, { "number", "1.5k", "1500" },
	{ "number", "12 %", "0.12" }, { "number", "3", "3" }, { "%", "12 %", "12" },
	{ "%", "12", "12" }, { "k", "2M", "2000" }, { "M", "1G", "1000" },
	{ "number", "1B", NULL }, { "%", "%", NULL }, { "$", "-$2", "-2" }, { "$", "$-2", "-2" },
	{ "$", "$ 2", "2" }, { "$", "2$", "2" }, { "$", "2", "2" }, { "$", "$1.2M", "1200000" },
	{ "$", "$2$", NULL }, { "$", "-$-2", NULL }, { "$", "$", NULL }, { "$", "$5%", NULL },
	{ "$", "\342\202\2542", NULL }, { "US$", "US$ 5", "5" }, { "US$", "$5", NULL },
	{ "EUR", "EUR 5", "5" }, { "EUR", "5 EUR", "5" }, { "EUR", "5 USD", NULL },
	{ "z\305\202", "5 z\305\202", "5" },
	{ "ns", "123456789012345678901234567890s", "123456789012345678901234567890000000000" },
	{ "ns", "1234567890123456789012345678901s", NULL },
	{ "s", "0.000000000000000000000000000001s", "0.000000000000000000000000000001" },
	{ "s", "0.0000000000000000000000000000001s", NULL },
	{ "h", "999999999999999999999999999999d 999999999999999999999999999999d",
	    "47999999999999999999999999999952" },
	{ "d", "1ns", "0.0000000000000115740740740740741" }
};

/* The same, with bytes of numbers. */
static const struct {
	const char *how, *text, *want;
	char decimal, thousands;
} in_country[] = {
	{ "$", "$1,234.50", "1234.5", '\0', ',' },
	{ "\342\202\254", "\342\202\254 3,50", "3,5", ',', '.' },
	{ "\342\202\254", "1.234,50 \342\202\254", "1234,5", ',', '.' },
	{ "\342\202\254", "3.50\342\202\254", NULL, ',', '\0' },
	{ "ms", "1 234 ms", "1234", '\0', ' ' }, { "ms", "12 ms", "12", '\0', ' ' },
	{ "ms", "1 h 500 ms", "3600500", '\0', ' ' }, { "ms", "1 23 ms", NULL, '\0', ' ' },
	{ "ms", "1,5 s", "1500", ',', '\0' }, { "ms", "0,5 ms", "0,5", ',', '\0' }
};

static struct dp_slice
slice(const char *s)
{
	return (struct dp_slice){ s, strlen(s) };
}

static void
of_unit(const char *how, const char *text, const char *want, char decimal, char thousands)
{
	const struct dp_digits d = { decimal, thousands, false };
	char room[DP_UNIT_ROOM];
	struct dp_slice got;
	struct dp_unit u;

	check(dp_unit_find(&u, how));
	got = dp_number_in(&d, &u, slice(text), room);
	check(got.n < sizeof room && (want == NULL) == (got.p == text));
	want = want != NULL ? want : text;
	if (got.n == strlen(want) && memcmp(got.p, want, got.n) == 0)
		return;
	printf("%s of '%s': '%.*s'\n", how, text, (int)got.n, got.p);
	fail("another number");
}

static void
test_units(void)
{
	static const char *const none[] = { "", "x", "foo", "EURO", "eur", "5$", "$ ", "kb", "Ms",
	    "/24,/64", "A$B$C$D$E" };
	struct dp_unit u;
	size_t i;

	for (i = 0; i < sizeof with_unit / sizeof *with_unit; i++)
		of_unit(with_unit[i].how, with_unit[i].text, with_unit[i].want, '\0', '\0');
	for (i = 0; i < sizeof in_country / sizeof *in_country; i++)
		of_unit(in_country[i].how, in_country[i].text, in_country[i].want,
		    in_country[i].decimal, in_country[i].thousands);
	for (i = 0; i < sizeof none / sizeof *none; i++)
		check(!dp_unit_find(&u, none[i]));
}

/* Rounded to the grid, the number is what its exact value is: of all pairs of units of time. */
static void
test_exact(void)
{
	static const struct {
		const char *name;
		int64_t ns;
	} t[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	    { "min", 60000000000 }, { "h", 3600000000000 }, { "d", 86400000000000 } };
	const struct dp_digits d = { .decimal = '\0' };
	char room[DP_UNIT_ROOM], text[80];
	struct dp_slice got;
	struct dp_unit u;
	dp_wide num, den;
	unsigned i, j;
	int64_t v, a;

	for (i = 0; i < 7; i++)
		for (j = 0; j < 7; j++)
			for (a = 1; a < 800; a += 11) {
				check(dp_unit_find(&u, t[j].name));
				snprintf(text, sizeof text, "-%lld.%02lld%s", (long long)(a / 100),
				    (long long)(a % 100), t[i].name);
				got = dp_number_in(&d, &u, slice(text), room);
				check(dp_decimal_parse(&v, got.p, got.n, 2) == 0);
				/* a / 100 of one, in hundredths of the other; halves away from 0 */
				num = (dp_wide)a * t[i].ns;
				den = t[j].ns;
				num = (2 * num + den) / (2 * den);
				check(v == -(int64_t)num);
			}
}

static int
number(char decimal, char thousands, struct dp_slice s, int64_t *v)
{
	const struct dp_ask_form f = { .digits = { decimal, thousands & 0x7f, thousands < 0 } };
	char room[DP_NUMBER_ROOM];
	struct dp_slice plain;
	size_t i;
	int rc;

	memset(room, 'x', sizeof room);
	plain = dp_number_plain(&f, s, room);
	rc = dp_decimal_parse(v, plain.p, plain.n, 2);
	dp_number_forget(&plain, room);
	/* no copy of the number stays */
	for (i = 0; i < sizeof room; i++)
		check(room[i] == 'x' || room[i] == '\0');
	return rc;
}

int
main(void)
{
	static char zeros[2 * DP_NUMBER_ROOM];
	int64_t v = 0, want = 0;
	size_t i;
	int rc;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		rc = number(table[i].decimal, table[i].thousands,
		    (struct dp_slice){ table[i].text, strlen(table[i].text) }, &v);
		if (table[i].want != NULL)
			check(dp_decimal_parse(&want, table[i].want, strlen(table[i].want),
			    2) == 0);
		if ((rc == 0) != (table[i].want != NULL) || (rc == 0 && v != want)) {
			printf("'%c' '%c' '%s'\n", table[i].decimal, table[i].thousands,
			    table[i].text);
			fail("another number, or none");
		}
	}
	test_units();
	test_exact();
	/* a number is as long as the room for it at most */
	memset(zeros, '0', sizeof zeros);
	for (i = DP_NUMBER_ROOM - 1; i <= DP_NUMBER_ROOM; i++) {
		zeros[i - 1] = '7';
		rc = number(',', '\0', (struct dp_slice){ zeros, i }, &v);
		check(i < DP_NUMBER_ROOM ? rc == 0 && v == 700 : rc != 0);
		zeros[i - 1] = '0';
	}
	return done();
}
