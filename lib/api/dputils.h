/* SPDX-License-Identifier: ISC */
/*
 * dputils.h - differentially private running counts and sums, windows, decayed sums, and means, by
 * the engine of dpcount(1), dpwindow(1), dpdecay(1) and dpmean(1).  dputils(3) has the options;
 * dputils(7) the model.
 *
 * A handle is planned once, is given the events of a step, closes the step, and then has its
 * estimates.  Values and estimates are decimals on a public grid, in integers; epsilon is an exact
 * number.  Where a double is returned it describes the noise, and decides nothing that is released.
 *
 * Results   A function returns DPUTILS_OK or a code below 0, and sets what its pointers lead to on
 *           success alone; those that return something else say so.
 * Quiet     None prints, exits or reads the environment, the locale or the clock; only
 *           dputils_charge() opens files and asks for the time, the user and the host.
 * Threads   One thread at a time may be in a handle; handles share nothing.
 * fork(2)   One of the two processes may go on with a handle: both would release the same steps
 *           with different noise.
 * Memory    is private: it has the exact sums.  dputils_free() wipes it.
 * Stack     dputils_plan() and dputils_load() want 512 KiB of it.
 */
#ifndef DPUTILS_H
#define DPUTILS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dputils dputils;

/* No code but DPUTILS_EVALUE follows from values or users. */
enum dputils_code {
	DPUTILS_OK = 0,
	DPUTILS_EINVAL = -1,	/* an option, or all of them together: dputils_why() */
	DPUTILS_EVALUE = -2,	/* a text is no number: private, as it tells of the data */
	DPUTILS_ERANGE = -3,	/* no noise fits; or a number does not fit 64 bits, or a buffer */
	DPUTILS_ENOMEM = -4,	/* nothing has changed */
	DPUTILS_EENTROPY = -5,	/* the kernel gave no random bytes: the handle has ended */
	DPUTILS_EHORIZON = -6,	/* no step is left; or the ledger's total would be passed */
	DPUTILS_EIO = -7,	/* errno says why */
	DPUTILS_ESTATE = -8,	/* a saved handle, or a ledger, is damaged or another one's */
	DPUTILS_EBUSY = -9,	/* the ledger is locked */
	DPUTILS_EHALT = -10,	/* the mechanism has ended */
	DPUTILS_EUSE = -11,	/* a call out of its order: the program is wrong */
	DPUTILS_ENONE = -12	/* there is no such estimate, interval or variance now */
};

const char *dputils_version(void);		/* "0.2" */
const char *dputils_error(int code);		/* a phrase; static */
/* The last refusal of this handle, a sentence; "" if none.  Good until the next call. */
const char *dputils_why(const dputils *);

/*
 * A handle of a kind: "count", "window", "decay" or "mean".  Who made it frees it; NULL is fine.
 * DPUTILS_EINVAL: another kind; DPUTILS_ENOMEM.
 */
int	dputils_new(dputils **, const char *kind);
void	dputils_free(dputils *);

/*
 * Before dputils_plan(): an option's value, as the tools read it ("epsilon" "1/2", "horizon" "10k",
 * "range" "0.00:20.00"); the last one holds.  DPUTILS_EINVAL: this kind has no such option.
 */
int	dputils_set(dputils *, const char *option, const char *value);

/*
 * Chooses the mechanism of least predicted error, and plans its noise: milliseconds, up to seconds
 * for a horizon of millions; nothing is drawn.  DPUTILS_EINVAL, DPUTILS_ERANGE: whatever a tool
 * refuses, with the reason in dputils_why(); options may be set anew then.
 */
int	dputils_plan(dputils *);

/*
 * After dputils_plan(): a text with its NUL into size bytes; *need (or NULL) is set to the bytes it
 * takes, also if that is more (DPUTILS_ERANGE).  form: "text", what is protected and how far off it
 * will be; "plan", what is drawn, for dpaudit --plan (dputils-plan(5)).
 */
int	dputils_explain(dputils *, const char *form, char *, size_t size, size_t *need);

/*
 * Before the first event or step: debits all that the handle will lose to a ledger of dpbudget(1),
 * durably.  label: 1 to 64 printable characters, or NULL.  DPUTILS_EHORIZON: refused, the total
 * would be passed; then, and after every other error, nothing is released.
 */
int	dputils_charge(dputils *, const char *ledger, const char *label);

/*
 * An event of the open step, of `value' grid units (10^-places of "range", as it was written): it
 * is clamped to the range, and sums to +-2^61.  DPUTILS_EUSE: a second one where a step has one.
 */
int	dputils_add(dputils *, int64_t value);
/*
 * The same of a decimal text of n bytes, read to the nearest grid unit; of key 0 .. keys - 1; and,
 * with "per-user", of a user, any bytes (else NULL, 0); of no bytes it counts nowhere, as in the
 * tools.  Whether a user's event counts is not told.
 * DPUTILS_EVALUE: the text is no number (nan, inf, empty): nothing is added.
 */
int	dputils_event(dputils *, const char *value, size_t n, size_t key, const void *user,
	    size_t user_n);

/*
 * Closes the step: draws its noise, and sets the estimates.  Some hundred nanoseconds a number.
 * DPUTILS_EHORIZON: nothing was drawn, and none will be.  After any other error the handle has
 * ended.
 */
int	dputils_step(dputils *);

uint64_t dputils_steps(const dputils *);	/* closed so far */
/* Numbers that a step has: those of key 0, then of key 1, and so on.  0: not yet planned. */
size_t	dputils_numbers(const dputils *);
/* The name of number i, as a tool heads its column ("7", "mean", "7_sd"; "": it has none). */
const char *dputils_name(const dputils *, size_t i);
/* Number i is in units of 10^-decimals. */
unsigned dputils_decimals(const dputils *, size_t i);

/*
 * Of the last step.  Any number of calls: this is post-processing and costs no privacy.
 * estimate   as a tool prints it; DPUTILS_ENONE: no step yet, or a mean of too few events;
 *            DPUTILS_ERANGE: beyond 64 bits
 * text       the same as a decimal, with its NUL: 48 bytes hold any
 * interval   that holds the right answer (of the values as clamped, of those events that count)
 *            with probability `level' at least, 0 < level < 1, rounded outwards.  Of means only
 *            for the step that this process took.  Time: some microseconds
 * variance   of the noise, in squared units of "range"; DPUTILS_ENONE: means, where events decide
 */
int	dputils_estimate(dputils *, size_t i, int64_t *);
int	dputils_text(dputils *, size_t i, char *, size_t size);
int	dputils_interval(dputils *, size_t i, double level, int64_t *lo, int64_t *hi);
int	dputils_variance(dputils *, size_t i, double *);

/*
 * All of a handle as a text, which is PRIVATE: *need bytes, none of them a NUL, of a buffer as
 * dputils_explain() has it.  A loaded one goes on with the same plan and its last estimates.
 *
 * NO STEP MAY BE RELEASED TWICE WITH DIFFERENT NOISE, and only who keeps the texts can see to it:
 * show a step's estimates once its text is on the disk, in the place of the one before (write,
 * fsync, rename, fsync the directory), and never load an older one, or one twice.
 */
int	dputils_save(dputils *, char *, size_t size, size_t *need);
int	dputils_load(dputils **, const char *, size_t n);

#ifdef __cplusplus
}
#endif
#endif
