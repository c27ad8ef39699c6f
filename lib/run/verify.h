/*
 * verify.h - for dpaudit: plans of runs, checked by audit/certificate.h, and receipts.  All print,
 * and end with the status of dpaudit(1): 0 holds, 6 refuted, 3 no plan or receipt, one that cannot
 * be checked, or the plan of a run that is not private.
 */
#ifndef DP_VERIFY_H
#define DP_VERIFY_H

#include "base/buf.h"

#define DP_EX_REFUTED	6

/* Files, "-" for standard input; NULL: not asked for. */
struct dp_verify {
	const char *receipt;
	const char *signer;		/* a public key: the receipt is to be of this one */
	const char *released;		/* what the receipt is to be about, */
	const char *plan;		/* and its plan; without a receipt a plan alone */
};

/*
 * argv, NULL last, and --explain=plan before its arguments: what its mechanisms lose, and the
 * verdict; full: its plan, and all that behind #.
 */
int	dp_verify_command(char **argv, bool full);
int	dp_verify(const struct dp_verify *);
/* A new pair of keys, FILE and FILE.pub; prints the public one. */
int	dp_verify_new_key(const char *file);

/* verify.c: a descriptor, and the file's name in messages. */
int	dp_verify_open(const char *file, const char **name);
/* The whole file, of 16 MiB at most, then a 0 that is not counted; its name in messages. */
const char *dp_verify_read(struct dp_buf *, const char *file);
/* receipt_check.c: the receipt against what is given; DP_EX_OK: all of it holds. */
int	dp_verify_receipt(const struct dp_verify *, const struct dp_buf *plan);

#endif
