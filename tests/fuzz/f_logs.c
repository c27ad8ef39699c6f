/* SPDX-License-Identifier: ISC */
/*
 * f_logs.c - any text as a line of each kind of log: fields lie within the text, a log's own
 * splitter finds those of its pattern, and of a head alone those of the whole line.
 * Byte 0: which log; the rest is the line.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_logs.c ...; ./f_logs corpus
 *	cc -DREPLAY f_logs.c ...; ./f_logs FILE ...
 */
#include "input/internal.h"
#include "target.h"

#define LOGS	32

/* By the pattern, by the log's splitter, and by that of its head: made once. */
static struct dp_cut *
cutter(unsigned log, unsigned way)
{
	static struct dp_cut *made[LOGS][3];
	struct dp_cut **c = &made[log][way];
	const struct dp_log *l = dp_log_get(log);
	char why[DP_MATCH_WHY] = "";

	if (*c == NULL)
		need((way == 0 ? dp_cut_new(c, l->pattern, why) :
		    dp_cut_new_log(c, l, way == 2, why)) == 0);
	return *c;
}

static void
within(const struct dp_record *r)
{
	const struct dp_slice *f, text = r->text;
	unsigned i;

	for (i = 1; i <= r->nfields; i++) {
		f = &r->field[i];
		need(f->p == NULL || (f->p >= text.p && f->n <= text.n &&
		    (size_t)(f->p - text.p) <= text.n - f->n));
	}
}

/* Pairs: values are of the line, or of its texts without backslashes, no longer than it. */
static void
pairs(char between, struct dp_slice text)
{
	static const char *const name[] = { "a", "b.c", "time" };
	struct dp_record r = { .text = text };
	struct dp_pairs *l;
	size_t all = 0;
	unsigned i;
	int rc;

	need(dp_pairs_new(&l, between, name, 3) == 0);
	rc = dp_pairs_record(l, &r);
	need((rc == 0 || rc == 1) && r.nfields == (rc == 1 ? 3 : 0));
	for (i = 1; i <= r.nfields; i++)
		all += r.field[i].p == NULL ? 0 : r.field[i].n;
	need(all <= text.n);
	need(dp_log_pairs(between, text) == (rc == 1));
	dp_pairs_free(l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct dp_record r[3];
	static unsigned logs;
	unsigned log, way, i;
	char *text;
	int rc;

	for (; dp_log_get(logs) != NULL; logs++)
		need(logs < LOGS);
	if (n < 1 || memchr(p + 1, '\n', n - 1) != NULL)
		return 0;
	need((text = malloc(n - 1 + DP_RECORD_SLACK)) != NULL);
	memcpy(text, p + 1, n - 1);
	memset(text + n - 1, p[0], DP_RECORD_SLACK);
	log = p[0] % logs;
	pairs(log % 2 == 0 ? '\t' : ' ', (struct dp_slice){ text, n - 1 });
	for (way = 0; dp_log_get(log)->pattern != NULL && way < 3; way++) {
		r[way].text = (struct dp_slice){ text, n - 1 };
		rc = dp_cut_record(cutter(log, way), &r[way]);
		need(rc == 0 || rc == 1);
		need(r[way].nfields == (rc == 1 ? dp_cut_fields(cutter(log, way)) : 0));
		within(&r[way]);
	}
	if (dp_log_get(log)->pattern == NULL) {
		free(text);
		return 0;
	}
	need(r[0].nfields == r[1].nfields);
	for (i = 1; i <= r[0].nfields; i++)
		need(r[0].field[i].p == r[1].field[i].p && r[0].field[i].n == r[1].field[i].n);
	/* the head's line may go on otherwise than the whole one's */
	need(r[0].nfields == 0 || r[2].nfields != 0);
	for (i = 1; r[0].nfields != 0 && i <= r[2].nfields; i++)
		need(r[0].field[i].p == r[2].field[i].p && r[0].field[i].n == r[2].field[i].n);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
