/*
 * options_near.c - what a misspelt long option may have meant.
 */
#include <string.h>

#include "options_table.h"

#define NAME	32		/* more than any name is long */

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Letters to insert, leave out, replace, or swap with the next, until a[0..n) is b; n < NAME.  Row
 * and column 0 are of empty words.
 */
static unsigned
distance(const char *a, size_t n, const char *b)
{
	const size_t m = strlen(b);
	unsigned d[NAME][NAME];
	size_t i, j;

	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = least(1 + least(d[i - 1][j], d[i][j - 1]),
			    d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], 1 + d[i - 2][j - 2]);
		}
	return d[n][m];
}

void
dp_table_near(const struct option *longs, const char *word)
{
	const struct option *l, *near = NULL;
	const size_t n = strcspn(word, "=") - 2;
	unsigned far = 3, d;

	if (optopt != 0 || strncmp(word, "--", 2) != 0 || n >= NAME)
		return;		/* a letter, or known and used wrongly */
	for (l = longs; l->name != NULL; l++) {
		if (strncmp(word + 2, l->name, n) == 0)
			return;		/* the start of several, which getopt has named */
		if (strlen(l->name) < NAME && (d = distance(word + 2, n, l->name)) < far &&
		    2 * d < n) {
			far = d;
			near = l;
		}
	}
	if (near != NULL)
		dp_warn("%.*s: did you mean --%s?", (int)n + 2, word, near->name);
}
