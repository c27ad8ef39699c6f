/* SPDX-License-Identifier: ISC */
/*
 * f_zone.c - any bytes as a file of the tz database: refused with a reason, or a zone whose changes
 * are by time, and in which each time that clocks show is found again, and lies in its buckets.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_zone.c ...; ./f_zone corpus
 *	cc -DREPLAY f_zone.c ...; ./f_zone FILE ...
 */
#include "base/internal.h"
#include "base/when.h"
#include "target.h"

static void
look(const struct dp_zone *z, int64_t t)
{
	const struct dp_span day = { DP_SPAN_SECONDS, 86400, z, 0 };
	const int64_t local = t + dp_zone_east(z, t);

	need(dp_zone_first(z, local) <= t);
	need(dp_zone_latest(z, t) >= local);
	need(dp_zone_seconds(z, local) <= t);
	need(dp_span_floor(&day, t) <= t && dp_span_next(&day, t) > t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0));	/* its own block, so that a byte too far is seen */
	const char *why = NULL;
	struct dp_zone z;
	int64_t t;
	size_t i;

	need(copy != NULL);
	memcpy(copy, p, n);
	if (dp_zone_read(&z, (struct dp_slice){ copy, n }, &why) != 0)
		need(why != NULL);
	else {
		need(z.n >= 1 && z.change[0].at == INT64_MIN);
		for (i = 1; i < z.n; i++)
			need(z.change[i].at > z.change[i - 1].at &&
			    z.change[i].east != z.change[i - 1].east);
		for (t = DP_WHEN_MIN + 400000; t < DP_WHEN_MAX - 400000; t += 30000000001)
			look(&z, t);
		for (i = 1; i < z.n && i < 200; i++)
			if (z.change[i].at > DP_WHEN_MIN + 400000) {
				look(&z, z.change[i].at - 1);
				look(&z, z.change[i].at);
			}
		dp_zone_free(&z);
	}
	free(copy);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
