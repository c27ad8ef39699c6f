/*
 * receipt.h - --receipt: what a run released, under which guarantee, signed once it is out.
 *
 * The text (dputils-plan(5)) is of options, the plan and the bytes that this run wrote: nothing in
 * it is computed from the data but their hash and number.
 */
#ifndef DP_RUN_RECEIPT_H
#define DP_RUN_RECEIPT_H

#include "keep/run.h"

#define DP_RECEIPT		"dputils-receipt"
#define DP_RECEIPT_VERSION	"2"

/* Before the run is charged: the key, the plan, and that the file can be written.  Exits. */
void	dp_receipt_begin(struct dp_run *);
/* From here on, bytes that a state lets out count as released. */
void	dp_receipt_watch(struct dp_run *);
/* Adds n bytes that are out. */
void	dp_receipt_sent(void *run, const char *p, size_t n);
/* After the last byte: writes the file.  Exits where it cannot. */
void	dp_receipt_end(struct dp_run *);

#endif
