/* SPDX-License-Identifier: ISC */
/*
 * driver.h - what a tool's main() calls, with the table that says what the tool is.
 */
#ifndef DP_RUN_DRIVER_H
#define DP_RUN_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

struct dp_tool;
struct dp_verify;

/* Reads the options, runs, returns the exit status. */
int	dp_tool_main(const struct dp_tool *, int argc, char **argv);

/*
 * For dpaudit: plans of runs, checked by audit/certificate.h, and receipts.  All print,
 * and end with the status of dpaudit(1): 0 holds, 6 refuted, 3 no plan or receipt, one that cannot
 * be checked, or the plan of a run that is not private.
 */

#define DP_EX_REFUTED	6
int	dp_verify(const struct dp_verify *);

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
/* A new pair of keys, FILE and FILE.pub; prints the public one. */
int	dp_verify_new_key(const char *file);

/*
 * How far a long task is, on a terminal: a line on standard error, once a second, with
 * the time that the rest will take; it is gone when the task has ended.
 */

struct dp_progress {
	const char *name;		/* the program's */
	uint64_t all, done;		/* runs */
	bool on;			/* standard error is a terminal */
	double begun, told;		/* seconds: as runs began, as the line was written */
};

void	dp_progress_begin(struct dp_progress *, const char *name, uint64_t all);
void	dp_progress_step(struct dp_progress *);		/* one more run has ended */
void	dp_progress_end(struct dp_progress *);

/*
 * This process: its descriptors, its memory, and protection from other processes.
 */

/*
 * Opens closed descriptors 0-2, sees to it that new files can be read by their owner, and makes an
 * error of a file that may not grow (SIGXFSZ); to be called before any file is opened, as the first
 * one would get a closed descriptor.  Returns true
 * if there is a standard input.
 */
bool	dp_process_files(void);

#endif
