/*
 * partial_write.c - a shard's exact sums as dpmap prints them, bucket by bucket.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "keep/roll.h"
#include "roads.h"

static void
put_time(struct dp_buf *b, const char *what, int64_t t)
{
	char text[24];

	dp_buf_puts(b, what);
	dp_buf_add(b, text, (size_t)(dp_when_put(text, t, NULL) - text));
}

/* The lines of r->kept.body, to the output and to the block's checksum. */
static int
print(struct dp_run *r)
{
	if (r->kept.body.error == 0)
		crypto_generichash_update(r->print.map.block, (unsigned char *)r->kept.body.p,
		    r->kept.body.n);
	return dp_print_lines(r, &r->kept.body);
}

int
dp_partial_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_buf *b = &r->kept.body;
	const char *option;
	unsigned i;

	if ((r->print.map.block = dp_partial_hash()) == NULL)
		return DP_ENOMEM;
	dp_buf_puts(b, DP_PARTIAL_FIRST "\n#shard ");
	dp_buf_escaped(b, o->shard.name);
	put_time(b, "\n#from ", o->time.from);
	put_time(b, "\n#to ", o->time.to);
	dp_buf_puts(b, "\n");
	for (i = 0; dp_partial_agreed(o, i, b, &option); i++)
		dp_buf_puts(b, "\n");
	return print(r);
}

/* The step's identifiers, and how often each came, in an order that says nothing. */
static int
print_identifiers(struct dp_run *r, int64_t begin)
{
	struct dp_buf *b = &r->kept.body;
	struct dp_slice name;
	char text[DP_KEY_MAX + 1];
	size_t i = 0, place;
	uint32_t events;
	int e;

	while (dp_cells_each(&r->roll->now, &i, &place, &events)) {
		name = dp_names_text(r->roll->names, place);
		put_time(b, "", begin);
		dp_buf_puts(b, "\t");
		memcpy(text, name.p, name.n);
		text[name.n] = '\0';
		dp_buf_escaped(b, text);
		dp_buf_puts(b, "\t");
		dp_buf_u64(b, events);
		dp_buf_puts(b, "\n");
		r->print.map.rows++;
		if ((e = print(r)) != 0)
			return e;
	}
	return 0;
}

int
dp_partial_step(struct dp_run *r, int64_t begin)
{
	struct dp_buf *b = &r->kept.body;
	char sum[64];
	size_t c;
	int e;

	r->t++;
	if (r->roll != NULL)
		return print_identifiers(r, begin);
	for (c = 0; c < r->col.width; c++) {
		if (r->col.x[c] == 0)
			continue;
		put_time(b, "", begin);
		dp_buf_puts(b, "\t");
		if (r->o->keys.n == 0)
			dp_buf_puts(b, "-");
		else
			dp_buf_escaped(b, r->o->keys.name[c]);
		dp_buf_puts(b, "\t");
		dp_buf_add(b, sum,
		    (size_t)(dp_decimal_put(sum, r->col.x[c], r->print.places) - sum));
		dp_buf_puts(b, "\n");
		r->print.map.rows++;
		if ((e = print(r)) != 0)
			return e;
	}
	return 0;
}

int
dp_partial_finish(struct dp_run *r)
{
	int e;

	dp_buf_puts(&r->kept.body, "#end ");
	dp_buf_u64(&r->kept.body, r->print.map.rows);
	dp_buf_puts(&r->kept.body, "\n");
	if ((e = print(r)) != 0)
		return e;
	dp_partial_sum(r->print.map.block, &r->kept.body);
	dp_buf_puts(&r->kept.body, "\n");
	return dp_print_lines(r, &r->kept.body);
}
