/* SPDX-License-Identifier: ISC */
/* memo.h: what was kept is found by its bytes, and nothing else is. */
#include <stdint.h>

#include "base/memo.h"
#include "check.h"

int
main(void)
{
	struct dp_memo m = { .last = NULL };
	const uint64_t a[2] = { 1, 2 }, b[2] = { 1, 3 };
	const double x = 1.5, y = 2.5;
	const double *v;

	check(dp_memo_find(&m, a, sizeof a) == NULL);
	dp_memo_keep(&m, a, sizeof a, &x, sizeof x);
	v = dp_memo_find(&m, a, sizeof a);
	check(v != NULL && v != &x && *v == 1.5);
	check(dp_memo_find(&m, b, sizeof b) == NULL);
	check(dp_memo_find(&m, a, sizeof a[0]) == NULL);
	dp_memo_keep(&m, b, sizeof b, &y, sizeof y);
	v = dp_memo_find(&m, a, sizeof a);
	check(v != NULL && *v == 1.5);
	dp_memo_keep(&m, a, sizeof a, &y, sizeof y);	/* the last counts */
	v = dp_memo_find(&m, a, sizeof a);
	check(v != NULL && *v == 2.5);
	dp_memo_free(&m);
	check(dp_memo_find(&m, a, sizeof a) == NULL);
	dp_memo_keep(NULL, a, sizeof a, &x, sizeof x);
	check(dp_memo_find(NULL, a, sizeof a) == NULL);
	return done();
}
