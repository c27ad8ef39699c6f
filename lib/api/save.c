/* SPDX-License-Identifier: ISC */
/*
 * save.c - a handle as a document (base/doc.h), written and read by the same calls: its options,
 * the numbers of its plan, its columns, the open step, its users.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define SUM		32		/* bytes of the last line's BLAKE2b */
#define TRAILER		(sizeof "blake2b " - 1 + 2 * (size_t)SUM + 1)
#define ENTRY		2		/* words of a user */

static bool
reads(const struct dp_doc *d)
{
	return d->way == DP_DOC_READ;
}

/* Words of 64 bits, the most significant digit first. */
static void
words(struct dp_doc *d, const char *key, void *p, size_t n)
{
	char *text = reads(d) ? NULL : malloc(16 * n + 1), *at;
	uint64_t w;
	size_t i, k;

	if (!reads(d) && text == NULL) {
		dp_doc_refuse(d, key, DP_DOC_NOMEM);
		return;
	}
	for (i = 0; !reads(d) && i < n; i++) {
		memcpy(&w, (char *)p + 8 * i, 8);
		w = htobe64(w);
		sodium_bin2hex(text + 16 * i, 17, (const unsigned char *)&w, 8);
	}
	if (!reads(d) && n == 0)
		*text = '\0';
	dp_doc_text(d, key, &text);
	if (reads(d) && d->fault == DP_DOC_GOOD) {
		if (text == NULL || strlen(text) != 16 * n ||
		    strspn(text, "0123456789abcdef") != 16 * n)
			dp_doc_refuse(d, key, DP_DOC_MALFORMED);
		for (i = 0; d->fault == DP_DOC_GOOD && i < n; i++) {
			for (w = 0, at = text + 16 * i, k = 0; k < 16; k++, at++)
				w = w << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
			memcpy((char *)p + 8 * i, &w, 8);
		}
	}
	if (text != NULL)
		sodium_memzero(text, strlen(text));
	free(text);
}

/* The options; the mechanism is the one that was chosen. */
static void
job(struct dp_doc *d, dputils *h)
{
	char *name = h->plan.ops != NULL ? (char *)(uintptr_t)h->plan.ops->name : NULL;
	const char *key;
	bool there;
	unsigned i;

	dp_doc_section(d, "job");
	for (i = 0; (key = dp_api_option(i)) != NULL; i++) {
		if (i == API_MECHANISM) {
			dp_doc_text(d, key, reads(d) ? &h->option[i] : &name);
			continue;
		}
		there = h->option[i] != NULL;
		if (dp_doc_optional(d, key, &there))
			dp_doc_text(d, key, &h->option[i]);
	}
	if (reads(d) && d->fault == DP_DOC_GOOD && h->option[API_MECHANISM] == NULL)
		dp_doc_refuse(d, "mechanism", DP_DOC_MALFORMED);
}

/* All that --help of a tool calls a state's numbers. */
static void
noise(struct dp_doc *d, dputils *h)
{
	uint64_t decimals = h->show.decimals;

	dp_doc_section(d, "noise");
	dp_doc_u64(d, "decimals", &decimals, 0, 38);
	h->show.decimals = (unsigned)decimals;
	dp_numbers_doc(&h->numbers, d);
}

static void
users(struct dp_doc *d, dputils *h)
{
	uint64_t n = h->users.table != NULL ? dp_users_count(h->users.table) : 0, *w, hi;
	uint32_t lo, count;
	size_t i, k = 0;

	words(d, "key", h->users.key, sizeof h->users.key / 8);
	dp_doc_u64(d, "users", &n, 0, (uint64_t)1 << 40);
	if (d->fault != DP_DOC_GOOD)
		return;
	if ((w = n < SIZE_MAX / 64 ? calloc(n + 1, 8 * ENTRY) : NULL) == NULL) {
		dp_doc_refuse(d, "users", DP_DOC_NOMEM);
		return;
	}
	for (i = 0; !reads(d) && n != 0 &&
	    dp_users_each(h->users.table, &i, &hi, &lo, &count); k += ENTRY) {
		w[k] = hi;
		w[k + 1] = (uint64_t)lo << 32 | count;
	}
	words(d, "counts", w, n * ENTRY);
	if (reads(d) && n != 0 && d->fault == DP_DOC_GOOD && dp_api_users(h) != 0)
		dp_doc_refuse(d, "counts", DP_DOC_NOMEM);
	for (i = 0; reads(d) && d->fault == DP_DOC_GOOD && i < n; i++)
		if (dp_users_put(h->users.table, w[2 * i], (uint32_t)(w[2 * i + 1] >> 32),
		    (uint32_t)w[2 * i + 1]) != 0)
			dp_doc_refuse(d, "counts", DP_DOC_MALFORMED);
	sodium_memzero(w, n * 8 * ENTRY);
	free(w);
}

/* The generator of a seed goes on where it was. */
static void
generator(struct dp_doc *d, dputils *h)
{
	uint64_t w[4] = { 0 };

	if (!reads(d))
		dp_rng_pcg_save(h->col.rng, w);
	words(d, "generator", w, 4);
	if (reads(d) && d->fault == DP_DOC_GOOD)
		dp_rng_pcg_load(h->col.rng, w);
}

static void
body(struct dp_doc *d, dputils *h)
{
	const struct dp_mech *m = h->plan.mech;
	const uint64_t T = h->rule.horizon != 0 ? h->rule.horizon : (uint64_t)1 << 62;
	const int64_t most = (int64_t)1 << 61;
	size_t i;

	dp_doc_section(d, "private");
	dp_doc_u64(d, "step", &h->t, 0, T);
	for (i = 0; i < h->say.keys; i++) {
		words(d, "column", h->col.p + i * m->column, (m->column - m->beside) / 8);
		if (reads(d) && d->fault == DP_DOC_GOOD && m->ops->valid != NULL &&
		    !m->ops->valid(m, h->col.p + i * m->column, h->t))
			dp_doc_refuse(d, "column", DP_DOC_MALFORMED);
	}
	words(d, "estimates", h->col.est, h->show.n * sizeof *h->col.est / 8);
	dp_doc_flag(d, "open", &h->added);
	words(d, "sums", h->col.x, h->say.keys * h->rule.inputs);
	for (i = 0; i < h->say.keys * h->rule.inputs; i++)
		if (reads(d) && (h->col.x[i] < -most || h->col.x[i] > most))
			dp_doc_refuse(d, "sums", DP_DOC_MALFORMED);
	if (h->option[API_SEED] != NULL)
		generator(d, h);
	if (h->relation.per_user != 0)
		users(d, h);
	dp_doc_end(d);
}

static void
put_sum(const char *p, size_t n, char hex[static 2 * SUM + 1])
{
	unsigned char sum[SUM];

	crypto_generichash(sum, sizeof sum, (const unsigned char *)p, n, NULL, 0);
	sodium_bin2hex(hex, 2 * SUM + 1, sum, sizeof sum);
}

static int
error_of(const struct dp_doc *d)
{
	return d->fault == DP_DOC_GOOD ? 0 : d->fault == DP_DOC_NOMEM ? DPUTILS_ENOMEM :
	    DPUTILS_ESTATE;
}

static void
head(struct dp_doc *d, unsigned *kind)
{
	const char *names[8];
	size_t n;

	for (n = 0; n < 8 && (names[n] = dp_api_kind((unsigned)n)) != NULL; n++)
		;
	dp_doc_is(d, "dputils-library", "1");
	dp_doc_enum(d, "kind", kind, names, n);
}

int
dputils_save(dputils *h, char *to, size_t size, size_t *need)
{
	struct dp_buf b = { .n = 0 };
	struct dp_doc d = dp_doc_writer(&b);
	char hex[2 * SUM + 1];
	int e;

	if (!h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "dputils_plan() comes first");
	if ((e = dp_api_begin(h)) != 0)
		return e;
	head(&d, &h->kind);
	job(&d, h);
	noise(&d, h);
	body(&d, h);
	if ((e = error_of(&d)) == 0 && (e = b.error) == 0) {
		put_sum(b.p, b.n, hex);
		dp_buf_line(&b, "blake2b", hex);
	}
	return dp_api_put(&b, e, to, size, need);
}

static int
read_all(dputils *h, struct dp_doc *d)
{
	int e;

	job(d, h);
	noise(d, h);
	if ((e = error_of(d)) != 0)
		return e;
	dp_numbers_replay(&h->numbers);
	if ((e = dp_api_plan(h, true)) != 0)
		return e == DPUTILS_ENOMEM ? e : DPUTILS_ESTATE;
	if (h->show.decimals > h->plan.mech->estimate.decimals)
		return DPUTILS_ESTATE;
	h->show.coarse = (dp_wide)dp_power10(h->plan.mech->estimate.decimals - h->show.decimals);
	if ((e = h->option[API_SEED] != NULL ? dp_rng_open_seed(&h->col.rng, 0) :
	    dp_rng_open(&h->col.rng, DP_RNG_CHACHA)) != 0)
		return e;
	body(d, h);
	h->begun = 1;
	return error_of(d);
}

int
dputils_load(dputils **out, const char *p, size_t n)
{
	struct dp_doc d = dp_doc_reader((struct dp_slice){ p, n >= TRAILER ? n - TRAILER : 0 });
	char hex[2 * SUM + 1];
	dputils *h;
	unsigned kind = 0;
	int e;

	if (n < TRAILER || p[n - 1] != '\n' || memcmp(p + n - TRAILER, "blake2b ", 8) != 0)
		return DPUTILS_ESTATE;
	put_sum(p, n - TRAILER, hex);
	if (memcmp(hex, p + n - 1 - 2 * (size_t)SUM, 2 * (size_t)SUM) != 0)
		return DPUTILS_ESTATE;
	head(&d, &kind);
	if ((e = error_of(&d)) != 0 || (e = dputils_new(&h, dp_api_kind(kind))) != 0)
		return e;
	if ((e = read_all(h, &d)) != 0)
		dputils_free(h);
	else
		*out = h;
	return e;
}
