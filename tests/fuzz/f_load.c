/* SPDX-License-Identifier: ISC */
/*
 * f_load.c - any bytes as the text of a saved handle (libdputils): refused, or a handle that is
 * saved as a text that loads again and is saved as the same; it goes on for some steps, has its
 * estimates, and says what it is.
 *
 * The input is a text without its checksum line; the true one is put on, which no fuzzer would
 * guess.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_load.c ...; ./f_load corpus
 *	cc -DREPLAY f_load.c ...; ./f_load FILE ...
 */
#include <sodium.h>

#include "api/dputils.h"
#include "target.h"

#define SUM	32
#define LINE	(sizeof "blake2b " - 1 + 2 * (size_t)SUM + 1)
#define ROOM	((size_t)1 << 20)

/* Planning may take seconds for what is far beyond what a fuzzer has to try. */
static bool
is_large(const uint8_t *p, size_t n)
{
	static const char *const keys[] = { "\nkeys ", "\nhorizon ", "\nwindow ", "\nusers " };
	const uint8_t *at;
	size_t i, k;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		k = strlen(keys[i]);
		if ((at = memmem(p, n, keys[i], k)) == NULL)
			continue;
		for (at += k, k = 0; at < p + n && *at != '\n'; at++)
			if (*at == 'e' || *at == 'k' || *at == 'M' || *at == 'G' || ++k > 5)
				return true;
	}
	return false;
}

static char *
saved(dputils *h, size_t *n)
{
	char *text;

	need(dputils_save(h, NULL, 0, n) == DPUTILS_ERANGE && *n > LINE && *n < ROOM);
	text = malloc(*n);
	need(text != NULL && dputils_save(h, text, *n, NULL) == 0 && text[*n - 1] == '\n');
	return text;
}

static void
ask(dputils *h)
{
	static char text[ROOM];
	size_t i, need_bytes = 0;
	int64_t v, lo, hi;
	double variance;

	for (i = 0; i < dputils_numbers(h) && i < 20; i++) {
		(void)dputils_name(h, i);
		if (dputils_text(h, i, text, 48) == 0)
			need(strlen(text) < 48 && dputils_decimals(h, i) <= 38);
		if (dputils_interval(h, i, .9, &lo, &hi) == 0)
			need(lo <= hi);
		if (dputils_estimate(h, i, &v) == 0 && dputils_variance(h, i, &variance) == 0)
			need(variance >= 0);
	}
	need(dputils_explain(h, "text", text, sizeof text, &need_bytes) == 0);
	need(need_bytes > 0);
}

static void
go_on(dputils *h)
{
	int i, e = 0;

	ask(h);
	for (i = 0; i < 3 && e == 0; i++) {
		e = dputils_event(h, "1", 1, 0, NULL, 0);
		if (e == DPUTILS_EUSE)
			e = dputils_event(h, "0.5", 3, 0, "somebody", 8);
		need(e == 0 || e == DPUTILS_EUSE || e == DPUTILS_ERANGE);
		e = dputils_step(h);
	}
	/* ESTATE: texts that only a forger seals, such as of another epsilon than the plan's */
	need(e == 0 || e == DPUTILS_EHORIZON || e == DPUTILS_EHALT || e == DPUTILS_ERANGE ||
	    e == DPUTILS_ESTATE);
	if (e == 0)
		ask(h);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = is_large(data, n) ? NULL : malloc(n + LINE + 1), *once, *twice;
	dputils *h = NULL, *again = NULL;
	unsigned char sum[SUM];
	size_t one, two;
	int e;

	if (text == NULL)
		return 0;
	memcpy(text, data, n);
	memcpy(text + n, "blake2b ", 8);
	crypto_generichash(sum, sizeof sum, data, n, NULL, 0);
	sodium_bin2hex(text + n + 8, 2 * SUM + 1, sum, sizeof sum);
	text[n + LINE - 1] = '\n';
	e = dputils_load(&h, text, n + LINE);
	need((e == 0) == (h != NULL));
	need(e == 0 || e == DPUTILS_ESTATE);
	if (e == 0) {
		once = saved(h, &one);
		need(dputils_load(&again, once, one) == 0);
		twice = saved(again, &two);
		need(one == two && memcmp(once, twice, one) == 0);
		go_on(again);
		dputils_free(again);
		dputils_free(h);
		free(once);
		free(twice);
	}
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
