/* SPDX-License-Identifier: ISC */
/* receipt.c - the receipt of a run. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "store/run.h"
#include "internal.h"

#define HASH	32

struct dp_signing {
	crypto_generichash_state released;	/* of the bytes that are out */
	uint64_t bytes;
	uint8_t plan[HASH];
	struct dp_key key;
};

static _Noreturn void
refused_receipt(int e, const char *why)
{
	dp_die(e == DP_ESTATE ? DP_EX_STATE : e == DP_EINVAL ? DP_EX_USAGE : DP_EX_SYSTEM, "%s",
	    why);
}

void
dp_receipt_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char why[DP_STATE_WHY] = "";
	struct dp_buf text = { .n = 0 };
	struct dp_signing *s;
	int e;

	if (o->keep.receipt == NULL)
		return;
	if ((s = aligned_alloc(64, (sizeof *s + 63) & ~(size_t)63)) == NULL ||
	    dp_plan_text(&text, r->tool, o, &r->plan) != 0)
		dp_run_fail(r, DP_ENOMEM);
	if ((e = dp_key_read(&s->key, o->keep.sign, why)) != 0 ||
	    (e = dp_signed_ready(o->keep.receipt, why)) != 0)
		refused_receipt(e, why);
	crypto_generichash(s->plan, HASH, (const unsigned char *)text.p, text.n, NULL, 0);
	crypto_generichash_init(&s->released, NULL, 0, HASH);
	s->bytes = 0;
	dp_buf_free(&text);
	r->signing = s;
}

void
dp_receipt_watch(struct dp_run *r)
{
	if (r->signing != NULL && r->kept.state != NULL)
		dp_state_watch(r->kept.state, dp_receipt_sent, r);
}

void
dp_receipt_sent(void *run, const char *p, size_t n)
{
	struct dp_signing *s = ((struct dp_run *)run)->signing;

	if (s == NULL)
		return;
	crypto_generichash_update(&s->released, (const unsigned char *)p, n);
	s->bytes += n;
}

static void
put_hash(struct dp_buf *b, const char *name, const uint8_t hash[static HASH])
{
	char hex[2 * HASH + 1];

	dp_buf_puts(b, name);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, hash, HASH));
}

void
dp_receipt_end(struct dp_run *r)
{
	struct dp_signing *s = r->signing;
	char why[DP_STATE_WHY] = "", protects[DP_NEIGHBOURS];
	struct dp_buf b = { .n = 0 };
	uint8_t hash[HASH];
	int e;

	if (s == NULL)
		return;
	dp_buf_puts(&b, DP_RECEIPT " " DP_RECEIPT_VERSION "\n");
	dp_job_put(r, &b, false);
	dp_buf_puts(&b, "[receipt]\nprotects ");
	dp_buf_puts(&b, dp_options_neighbours(r->o, r->tool, protects));
	put_hash(&b, "\nplan ", s->plan);
	crypto_generichash_final(&s->released, hash, HASH);
	put_hash(&b, "\nreleased ", hash);
	dp_session_put(&b, "", s->bytes);
	e = dp_signed_end(&b, &s->key);
	dp_key_wipe(&s->key);
	if (e != 0)
		dp_run_fail(r, e);
	if ((e = dp_signed_write(r->o->keep.receipt, &b, why)) != 0)
		dp_die(DP_EX_SYSTEM, "%s; what was printed stands, without a receipt", why);
	dp_buf_free(&b);
	free(s);
	r->signing = NULL;
}
