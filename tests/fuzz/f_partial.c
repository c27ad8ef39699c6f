/* SPDX-License-Identifier: ISC */
/*
 * f_partial.c - any lines as exact partial counts (dpmap), read by runs of --partial: refused with
 * a message, or rows whose buckets, keys and sums are those of the run.  Byte 0: which run.
 *
 * A line `#blake2b' stands for the true checksum of the block so far, which no fuzzer would guess.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_partial.c ...; ./f_partial corpus
 *	cc -DREPLAY f_partial.c ...; ./f_partial FILE ...
 */
#include <getopt.h>

#include <sodium.h>

#include "escape.h"
#include "input/event.h"
#include "input/internal.h"
#include "input/partial.h"

#define RUNS	6

static const struct dp_tool tool = { .name = "dpcount",
	.groups = DP_GROUPS_SUM | DP_GROUP_AUTO | DP_GROUP_PARTIAL | DP_GROUP_TOP };
/* the runs from 4 on */
static const struct dp_tool ids = { .name = "dpdistinct", .shape = DP_SHAPE_ID,
	.groups = DP_GROUPS_SUM | DP_GROUP_PARTIAL };

static struct run {
	struct dp_options o;
	struct dp_events *events;
} run[RUNS];

static char *command[RUNS][12] = {
	{ "dp", "-e1", "--partial", "--bucket=1h", "--from=0", "--to=86400" },
	{ "dp", "-e1", "--partial", "--bucket=1d", "--from=2026-05-01", "--to=2026-06-01",
	    "--keys=a,b,c d,%", "-r-1.5:2.5" },
	{ "dp", "-e1", "--partial=by-user", "--bucket=1mo", "--from=2026-01-01", "--to=2027-01-01",
	    "-c3" },
	{ "dp", "-e1", "--partial=by-user", "--bucket=1h", "--from=2026-05-01",
	    "--to=2026-05-02", "-r0:100", "-c2/step", "--keys=x" },
	{ "dp", "-e1", "--partial", "--bucket=1h", "--from=0", "--to=86400" },
	{ "dp", "-e1", "--partial", "--bucket=1h", "--from=0", "--to=86400" }
};

static void
prepare(struct run *r, const struct dp_tool *is, char **argv)
{
	static const uint8_t key[16];
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	optind = 0;
	dp_options_parse(&r->o, is, argc, argv);
	(void)dp_options_complete(&r->o, is, NULL);
	if (r == &run[RUNS - 1])
		r->o.shard.hashed = "0123456789abcdef0123456789abcdef";
	need(dp_events_new(&r->events, &r->o, is, key, 0) == 0);
}

static void
check_row(const struct run *r, const struct dp_event *v)
{
	const struct dp_options *o = &r->o;

	need(v->time == dp_span_floor(&o->time.span, v->time) && v->time < o->time.to &&
	    v->time >= dp_span_floor(&o->time.span, o->time.from));
	need(v->column < (o->keys.n == 0 ? 1 : o->keys.n));
	need(v->value >= -((int64_t)1 << 61) && v->value <= (int64_t)1 << 61 &&
	    (v->value >= 0 || o->range.lo < 0));
}

/* The lines [p,e), with a byte to read behind each. */
static void
read_file(const struct run *r, struct dp_partial *partial, const char *p, const char *e)
{
	static struct dp_record rec;
	static char sum[128];
	struct dp_buf b = { .n = 0 };
	void *hash = NULL;
	struct dp_event v;
	const char *nl;

	for (rec.number = 0; p < e; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(e - p));
		rec.number++;
		rec.text = (struct dp_slice){ p, (size_t)(nl - p) };
		if (rec.text.n > 0 && p[rec.text.n - 1] == '\r')
			rec.text.n--;
		if (hash == NULL)
			hash = dp_partial_hash();
		if (rec.text.n == 8 && memcmp(p, "#blake2b", 8) == 0) {
			dp_buf_reset(&b);
			dp_partial_sum(hash, &b);
			memcpy(sum, b.p, b.n);
			rec.text = (struct dp_slice){ sum, b.n };
			free(hash);
			hash = NULL;
		} else {
			crypto_generichash_update(hash, (const unsigned char *)p, rec.text.n);
			crypto_generichash_update(hash, (const unsigned char *)"\n", 1);
		}
		dp_record_cut(&rec, '\t', 3);
		dp_partial_read(partial, &rec, "f", &v);
		if (v.counts)
			check_row(r, &v);
	}
	free(hash);
	dp_buf_free(&b);
	dp_partial_end(partial, "f", false);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_partial *partial = NULL;
	struct run *r;
	char *text;
	unsigned i;
	int status;

	if (n < 1 || (text = malloc(n + DP_RECORD_SLACK)) == NULL)
		return 0;
	for (i = 0; i < RUNS && run[i].events == NULL; i++)
		prepare(&run[i], i < 4 ? &tool : &ids, command[i]);
	r = &run[p[0] < RUNS ? p[0] : p[0] % 4];
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\n';
	memset(text + n, '\t', DP_RECORD_SLACK);
	escape_begin();
	if ((status = setjmp(escape_from)) == 0) {
		need(dp_partial_new(&partial, &r->o, r->events) == 0);
		read_file(r, partial, text, text + n - (n > 1 && text[n - 2] == '\n'));
		dp_partial_slices(partial);
		dp_partial_free(partial);
	}
	escape_end();
	need(status == 0 || status == 1 + DP_EX_INPUT);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
