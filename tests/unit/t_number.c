/* t_number.c - numbers as --decimal and --thousands say that they are written: a table. */
#include <string.h>

#include "check.h"
#include "input/internal.h"

static const struct {
	char decimal, thousands;
	const char *text, *want;	/* NULL: no number */
} table[] = {
	{ ',', '.', "1.234,56", "1234.56" }, { ',', '.', "1.234", "1234" },
	{ ',', '.', "1.234.567", "1234567" }, { ',', '.', "-12.345,6", "-12345.6" },
	{ ',', '.', "0,44", "0.44" }, { ',', '.', "1234,5", "1234.5" }, { ',', '.', "7", "7" },
	{ ',', '.', "1,5e3", "1500" }, { ',', '.', "+1.000", "1000" },
	{ ',', '.', "1.23", NULL }, { ',', '.', "1.2345", NULL }, { ',', '.', "1234.567", NULL },
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
	{ '\0', '\0', "1.5", "1.5" }, { '\0', '\0', "1,5", NULL },
};

static int
number(char decimal, char thousands, struct dp_slice s, int64_t *v)
{
	const struct dp_ask_form f = { .digits = { decimal, thousands } };
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
