/*
 * parallel.c - what the charges of one unit add up to, where some of them are of disjoint times.
 */
#include <stdlib.h>
#include <string.h>

#include "budget.h"

static int
by_reading(const void *a, const void *b)
{
	const struct dp_charge *x = *(const struct dp_charge *const *)a;
	const struct dp_charge *y = *(const struct dp_charge *const *)b;
	const int c = strcmp(x->reads, y->reads);

	return c != 0 ? c : (x->begin > y->begin) - (x->begin < y->begin);
}

/*
 * The most of n charges of one reading, by `begin'.  The set of those at one time grows only where
 * one begins: it is enough to look there.
 */
static void
most_of(struct dp_account *most, const struct dp_charge *const *c, size_t n)
{
	struct dp_account at;
	size_t i, j;

	for (i = 0; i < n; i++) {
		if (i + 1 < n && c[i + 1]->begin == c[i]->begin)
			continue;
		at = *most;
		dp_account_empty(&at);
		for (j = 0; j <= i; j++)
			if (c[i]->begin < c[j]->end)
				dp_account_add(&at, &c[j]->loss);
		dp_account_most(most, &at);
	}
}

/* Charges with times: the most of each reading. */
static void
add_timed(struct dp_account *a, const struct dp_charge **c, size_t n)
{
	struct dp_account most;
	size_t i, j;

	qsort(c, n, sizeof *c, by_reading);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && strcmp(c[j]->reads, c[i]->reads) == 0; j++)
			;
		most = *a;
		dp_account_empty(&most);
		most_of(&most, c + i, j - i);
		dp_account_join(a, &most);
	}
}

int
dp_budget_sum(const struct dp_budget *b, size_t i, const struct dp_charge *more,
    struct dp_account *a)
{
	const char *unit = b->total[i].unit;
	const struct dp_charge **timed = calloc(b->n + 1, sizeof *timed), *c;
	size_t k, n = 0;

	if (timed == NULL)
		return DP_ENOMEM;
	*a = b->total[i].account;
	dp_account_empty(a);
	for (k = 0; k < b->n + (more != NULL); k++) {
		c = k < b->n ? &b->charge[k] : more;
		if (unit != NULL && strcmp(unit, c->said[DP_SAID_UNIT]) != 0)
			continue;
		if (b->by_time && *c->reads != '\0' && c->begin < c->end)
			timed[n++] = c;
		else
			dp_account_add(a, &c->loss);
	}
	add_timed(a, timed, n);
	free(timed);
	return 0;
}
