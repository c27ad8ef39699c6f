/* SPDX-License-Identifier: ISC */
/*
 * A ledger L with many charges and no checkpoint, as it would be after years: for cliffs.sh.
 * usage: bench_ledger CHARGES
 */
#include <stdio.h>
#include <stdlib.h>

#include "store/internal.h"

static const char insert[] = "INSERT INTO charge SELECT coalesce(max(n), 0) + 1, '0.001', '0', '0',"
    " '2026-01-01T00:00:00Z', 'every ten minutes', 'event', 'any one line', 'user', 'host',"
    " 'dpcount', 'output', 'dpcount -e 0.001 -T 144 --budget=L:every ten minutes access.log', ''"
    " FROM charge";

int
main(int argc, char **argv)
{
	const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	char why[DP_STATE_WHY] = "";
	const struct dp_budget_rule rule = { .n = 1,
	    .total = { { "event", { 1000000, 1 }, { 1, 1000 } } } };
	struct dp_ledger l = { .wait = 0 };
	uint64_t i;
	int e;

	if ((e = dp_budget_create("L", NULL, &rule, "then", why)) == 0 &&
	    (e = dp_ledger_place(&l, "L", NULL, why)) == 0 &&
	    (e = dp_ledger_open(&l, "", why)) == 0 &&
	    (e = dp_ledger_run(&l, "BEGIN IMMEDIATE", why)) == 0)
		for (i = 1; e == 0 && i <= n; i++)
			if ((e = dp_ledger_put(&l, insert, NULL, 0, why)) == 0)
				e = dp_ledger_seal(&l, i, why);
	if (e == 0)
		e = dp_ledger_run(&l, "COMMIT", why);
	if (e != 0)
		fprintf(stderr, "bench_ledger: %s\n", why);
	dp_ledger_close(&l);
	return e != 0;
}
