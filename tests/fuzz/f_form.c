/* SPDX-License-Identifier: ISC */
/*
 * f_form.c - any bytes as the text of a state file: refused with a reason, or written out as the
 * same bytes, which are then accepted with their true checksum and mean the same.
 *
 * The input is a file without its checksum line; one is put on, and not verified, since no fuzzer
 * would guess it.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_form.c ...; ./f_form corpus
 *	cc -DREPLAY f_form.c ...; ./f_form FILE ...
 */
#include "store/internal.h"
#include "target.h"

static const char trailer[] =
    "blake2b 0000000000000000000000000000000000000000000000000000000000000000\n";

static void
again(const struct dp_stateform *f, const uint8_t *data, size_t n)
{
	static struct dp_buf b;
	struct dp_stateform g;
	const char *what = NULL;

	dp_buf_reset(&b);
	need(dp_stateform_write(f, &b) == 0 && b.n == n + sizeof trailer - 1 &&
	    memcmp(b.p, data, n) == 0);
	need(dp_stateform_read(&g, b.p, b.n, true, &what) == 0);
	need(g.generation == f->generation && g.outlen == f->outlen && g.tail == f->tail &&
	    g.settled == f->settled && g.settled <= dp_stateform_recorded(&g) &&
	    same(g.head, (struct dp_slice){ b.p + (g.head.p - b.p), f->head.n }) &&
	    g.body.n == f->body.n && g.record.n == f->record.n);
	/* one byte of it is another: refused */
	b.p[f->generation % n] ^= 1;
	need(dp_stateform_read(&g, b.p, b.n, true, &what) == DP_ESTATE);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = malloc(n + sizeof trailer - 1);
	struct dp_stateform f;
	const char *what = NULL;
	int e;

	need(text != NULL);
	memcpy(text, data, n);
	memcpy(text + n, trailer, sizeof trailer - 1);
	e = dp_stateform_read(&f, text, n + sizeof trailer - 1, false, &what);
	need(e == 0 || (e == DP_ESTATE && what != NULL));
	if (e == 0)
		again(&f, data, n);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
