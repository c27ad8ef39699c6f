/*
 * partial_write.c - a shard's exact sums as dpmap prints them, bucket by bucket.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "partial.h"
#include "session.h"

static void
put_range(const struct dp_options *o, struct dp_buf *b)
{
	char range[128], *p;

	p = dp_decimal_put(range, o->lo, o->places);
	*p++ = ':';
	p = dp_decimal_put(p, o->hi, o->places);
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

	dp_buf_u64(b, o->nkeys);
	dp_buf_puts(b, " ");
	if (o->nkeys == 0) {
		dp_buf_puts(b, "-");
		return;
	}
	crypto_generichash_init(&h, NULL, 0, sizeof digest);
	for (i = 0; i < o->nkeys; i++)
		crypto_generichash_update(&h, (unsigned char *)o->keys[i], strlen(o->keys[i]) + 1);
	crypto_generichash_final(&h, digest, sizeof digest);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
}

bool
dp_partial_agreed(const struct dp_options *o, unsigned i, struct dp_buf *b, const char **option)
{
	static const char *const name[] = { "bucket or --tz", "range", "unit", "per-user", "keys" };
	char span[DP_SPAN_TEXT];

	if (i >= sizeof name / sizeof name[0])
		return false;
	*option = name[i];
	dp_buf_puts(b, "#");
	dp_buf_add(b, name[i], strcspn(name[i], " "));
	dp_buf_puts(b, " ");
	switch (i) {
	case 0:
		dp_span_put(span, &o->span);
		dp_buf_puts(b, span);
		if (o->tz != NULL) {
			dp_buf_puts(b, " ");
			dp_head_escaped(b, o->tz);
		}
		break;
	case 1:
		put_range(o, b);
		break;
	case 2:
		dp_buf_puts(b, o->total != NULL ? o->total : "-");
		break;
	case 3:
		dp_buf_u64(b, o->per_user);
		dp_buf_puts(b, o->per_step ? "/step" : "");
		break;
	case 4:
		put_keys(o, b);
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

static void
put_time(struct dp_buf *b, const char *what, int64_t t)
{
	char text[24];

	dp_buf_puts(b, what);
	dp_buf_add(b, text, (size_t)(dp_when_put(text, t, NULL) - text));
}

/* The lines of r->body, to the output and to the block's checksum. */
static int
print(struct dp_run *r)
{
	if (r->body.error == 0)
		crypto_generichash_update(r->block, (unsigned char *)r->body.p, r->body.n);
	return dp_print_lines(r, &r->body);
}

int
dp_partial_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_buf *b = &r->body;
	const char *option;
	unsigned i;

	if ((r->block = dp_partial_hash()) == NULL)
		return DP_ENOMEM;
	dp_buf_puts(b, DP_PARTIAL_FIRST "\n#shard ");
	dp_head_escaped(b, o->shard);
	put_time(b, "\n#from ", o->from);
	put_time(b, "\n#to ", o->to);
	dp_buf_puts(b, "\n");
	for (i = 0; dp_partial_agreed(o, i, b, &option); i++)
		dp_buf_puts(b, "\n");
	return print(r);
}

int
dp_partial_step(struct dp_run *r, int64_t begin)
{
	struct dp_buf *b = &r->body;
	char sum[64];
	size_t c;
	int e;

	r->t++;
	for (c = 0; c < r->width; c++) {
		if (r->x[c] == 0)
			continue;
		put_time(b, "", begin);
		dp_buf_puts(b, "\t");
		if (r->o->nkeys == 0)
			dp_buf_puts(b, "-");
		else
			dp_head_escaped(b, r->o->keys[c]);
		dp_buf_puts(b, "\t");
		dp_buf_add(b, sum, (size_t)(dp_decimal_put(sum, r->x[c], r->places) - sum));
		dp_buf_puts(b, "\n");
		r->rows++;
		if ((e = print(r)) != 0)
			return e;
	}
	return 0;
}

int
dp_partial_finish(struct dp_run *r)
{
	int e;

	dp_buf_puts(&r->body, "#end ");
	dp_buf_u64(&r->body, r->rows);
	dp_buf_puts(&r->body, "\n");
	if ((e = print(r)) != 0)
		return e;
	dp_partial_sum(r->block, &r->body);
	dp_buf_puts(&r->body, "\n");
	return dp_print_lines(r, &r->body);
}
