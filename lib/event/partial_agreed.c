/*
 * partial_agreed.c - what both sides of partial sums have in common: lines that must agree, and a
 * checksum.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "partial.h"

static void
put_range(const struct dp_options *o, struct dp_buf *b)
{
	char range[128], *p;

	p = dp_decimal_put(range, o->range.lo, o->range.places);
	*p++ = ':';
	p = dp_decimal_put(p, o->range.hi, o->range.places);
	dp_buf_add(b, range, (size_t)(p - range));
}

/* Their number, and a hash of all with their ends: a list in another order is another one. */
static void
put_keys(const struct dp_options *o, struct dp_buf *b)
{
	unsigned char digest[16];
	char hex[2 * sizeof digest + 1];
	crypto_generichash_state h;
	size_t i;

	if (o->keys.n == 0 || o->shard.identifiers) {	/* a universe is no list of keys */
		dp_buf_puts(b, "0 -");
		return;
	}
	dp_buf_u64(b, o->keys.n);
	dp_buf_puts(b, " ");
	crypto_generichash_init(&h, NULL, 0, sizeof digest);
	for (i = 0; i < o->keys.n; i++)
		crypto_generichash_update(&h, (unsigned char *)o->keys.name[i],
		    strlen(o->keys.name[i]) + 1);
	crypto_generichash_final(&h, digest, sizeof digest);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
}

bool
dp_partial_agreed(const struct dp_options *o, unsigned i, struct dp_buf *b, const char **option)
{
	static const char *const name[] = { "bucket or --tz", "range", "unit", "per-user", "keys",
	    "identifiers" };
	char span[DP_SPAN_TEXT];

	if (i >= sizeof name / sizeof name[0] - !o->shard.identifiers)
		return false;
	*option = name[i];
	dp_buf_puts(b, "#");
	dp_buf_add(b, name[i], strcspn(name[i], " "));
	dp_buf_puts(b, " ");
	switch (i) {
	case 0:
		dp_span_put(span, &o->time.span);
		dp_buf_puts(b, span);
		if (o->time.tz != NULL) {
			dp_buf_puts(b, " ");
			dp_buf_escaped(b, o->time.tz);
		}
		break;
	case 1:
		put_range(o, b);
		break;
	case 2:
		dp_buf_puts(b, o->range.total != NULL ? o->range.total : "-");
		break;
	case 3:
		dp_buf_u64(b, o->users.most);
		dp_buf_puts(b, o->users.per_step ? "/step" : "");
		break;
	case 4:
		put_keys(o, b);
		break;
	case 5:
		dp_buf_puts(b, "yes");
		break;
	}
	return true;
}

void *
dp_partial_hash(void)
{
	crypto_generichash_state *h = aligned_alloc(_Alignof(crypto_generichash_state),
	    sizeof *h);

	if (h != NULL)
		crypto_generichash_init(h, NULL, 0, 32);
	return h;
}

void
dp_partial_sum(const void *hash, struct dp_buf *b)
{
	crypto_generichash_state h;
	unsigned char digest[32];
	char hex[2 * sizeof digest + 1];

	memcpy(&h, hash, sizeof h);
	crypto_generichash_final(&h, digest, sizeof digest);
	dp_buf_puts(b, "#blake2b ");
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
}
