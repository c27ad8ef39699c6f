/* SPDX-License-Identifier: ISC */
/*
 * budget.h - the ledger of a data set's budget: who spent what, when, on which data.
 *
 * A run is charged before it releases anything.  Its epsilon and delta are in the ledger durably
 * when dp_budget_charge() returns 0; else it must not go on.  A run without a state that dies then
 * has spent its budget and released nothing; a state goes on (struct dp_paid).  Nothing is ever
 * given back.
 *
 * The ledger is an SQLite database of one writer at a time.  Tables, STRICT:
 *
 *   ledger  one row: id, the total's epsilon and delta (exact texts), unit, created, closed,
 *           witness (a path; NULL: beside the ledger), inode and born of the file it stands in,
 *           generation (1 by creation, one more each change), seal
 *   charge  one row a run, n = 1, 2, ..: epsilon, delta, rho (exact texts), time, label, unit,
 *           protects, user, host, tool, mechanism, command, seal
 *
 * Unit     Charges that add up protect the same kind of unit, or their sum would mean nothing: the
 *          first one decides, or who created the ledger.  A ledger of several totals is as many
 *          ledgers of one unit each: a charge counts for the total of its unit alone, and no total
 *          says anything of another unit.  Labels tell charges apart, and nothing else: all draw
 *          on the totals, since data with different labels may be about one person.
 * Format   1: one total.  2: table `total', a row each in the order in which they were given (n,
 *          unit, epsilon, delta, by_time, seal), sealed from the ledger's id on, and the first
 *          charge's seal follows the last total's; the ledger's row has the first total, too.
 *          Charges have `reads', `start', `stop' before their seal.  No checkpoint: all charges are
 *          read.
 * Time     by_time: who made the ledger asserts that an event has one time, the same for all runs
 *          that read times alike (`reads').  Of charges of one `reads' the most of those with
 *          overlapping times counts, not the sum (account/privacy.h, dp_account_most()).  Charges
 * of
 *          different `reads', or of none, add up.  That a unit of protection is at one time is the
 *          caller's to know: an event is, and a user's events in one step if times are whole
 *          steps; a user is not.
 * Journal  A rollback journal that is deleted (never WAL: then a copy of the one file could miss
 *          charges), synchronous = EXTRA: the file is fsync'd, the journal unlinked, and its
 *          directory fsync'd; with less, a power failure could bring the journal back, and that
 *          would roll back a charge whose noise is out.
 * Seals    Each row's seal is BLAKE2b-256 of its fields and the seal before; the ledger's row has
 *          the last.  A row that was changed, removed or added by other hands is noticed.  No
 *          defence against somebody who computes seals.
 * Checkpoint  A charge and a look at the sums verify the checkpoint's seal, which follows the
 *          ledger's id, then each later charge's seal beginning with `last`, then the head's.
 *          So the head, which has the seal of all charges, vouches for `last` also where that is
 *          an older checkpoint put back; `last` with the sums were written together, by a run
 *          that had verified them, in the transaction of its charge.  An end cut off, or a
 *          checkpoint of charges that are not there, breaks the chain to the head: at least the
 *          last charge is always read.  A changed checkpoint is refused.  Without one, or with
 *          one whose R or share are not today's, all charges are read.  Changes to charges that
 *          it stands for change no sum, and are noticed by those who read all: dpbudget --show,
 *          which compares the checkpoint, too.  Tools that know of no checkpoint read all charges
 *          and leave it as it is: behind theirs it is an older one.
 * Copies   The ledger names its own inode and birth time, so a copy, and a backup put back as a
 *          new file, are refused.  One that was written over it in place is older than its
 *          witness, FILE.witness, which holds the generation and is written after each charge.
 *          Both put back together, or a snapshot of the volume that has both, go unnoticed: so
 *          have the witness on another volume.
 * Lock     flock on the witness, for the charge and the witness's line together; SQLite's own
 *          locks keep other programs out.
 * Refused  As state.h says; besides DP_EHORIZON: the total would be passed, or the ledger is
 *          closed.  DP_ESTATE: no ledger, damaged, a copy, rolled back, of another unit, or not
 *          there.  DP_EBUSY: locked for longer than the caller waits.
 *
 * Time and user come from the caller.
 */
#ifndef DP_STORE_BUDGET_H
#define DP_STORE_BUDGET_H

#include "account/privacy.h"
#include "session.h"
#include "state.h"

#define DP_BUDGET_ID	32	/* hex digits */

/* Texts of a charge. */
enum dp_said {
	DP_SAID_TIME, DP_SAID_LABEL, DP_SAID_UNIT, DP_SAID_PROTECTS, DP_SAID_USER, DP_SAID_HOST,
	DP_SAID_TOOL, DP_SAID_MECHANISM, DP_SAID_COMMAND, DP_SAIDS
};

struct dp_charge {
	struct dp_loss loss;
	const char *said[DP_SAIDS];	/* none is NULL */
	/* The run looks at events of begin <= t < end alone, times read so; "": at all. */
	const char *reads;
	int64_t begin, end;
};

/* A charge that was made: the ledger, and its number there. */
struct dp_receipt {
	char id[DP_BUDGET_ID + 1];
	uint64_t n;
	bool owed;			/* a state's: it was to be made, and perhaps was */
};

/*
 * The state that a charge pays for.  It is made durable in the charge's transaction, and says that
 * it owes this charge: so a run that dies leaves no state, a state that owes, or a state that is
 * paid for, and never a charge whose state is missing.  The charge's command ends in the mark, by
 * which one that goes on with a state that owes finds what was paid: it is charged once.
 */
struct dp_paid {
	const char *mark;		/* of this state alone */
	bool again;			/* the state is there, and owes: of the receipt's ledger */
	/* Makes it, with the receipt: DP_E* and why.  NULL: it is there. */
	int (*make)(void *arg, const struct dp_receipt *, char *why);
	void *arg;
};

#define DP_TOTALS_MAX	16

/* A total: the most that may be spent of one unit of protection. */
struct dp_total {
	char *unit;			/* NULL: the first charge decides; owned */
	struct dp_account account;
};

/* A ledger to be made. */
struct dp_budget_rule {
	size_t n;			/* totals, 1 to DP_TOTALS_MAX, of different units */
	struct {
		const char *unit;	/* NULL: the first charge decides; only if n = 1 */
		struct dp_q epsilon, delta;
	} total[DP_TOTALS_MAX];
	bool by_time;
};

struct dp_budget {
	char id[DP_BUDGET_ID + 1];
	uint64_t generation;
	char *created, *closed, *witness;	/* NULL: none yet; owned */
	struct dp_total total[DP_TOTALS_MAX];
	size_t totals;
	bool by_time;
	int format;			/* 1: one total, and no times */
	struct dp_charge *charge;	/* n, owned, with their texts; DP_READ_SUMS: NULL */
	size_t n;
};

/* All charges; or their number and sums, by way of the checkpoint. */
enum dp_reading { DP_READ_ALL, DP_READ_SUMS };

/*
 * A ledger with nothing spent, mode 0600.  DP_ESTATE if a file of that name, or its witness, is
 * there.  witness: its path, which should be absolute; NULL: FILE.witness.  Also DP_EENTROPY.
 */
int	dp_budget_create(const char *path, const char *witness, const struct dp_budget_rule *,
	    const char *time, char why[static DP_STATE_WHY]) DP_MUSTUSE;
/* From here on no charge is accepted; DP_EHORIZON: closed already. */
int	dp_budget_close(const char *path, const char *time, unsigned wait,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;
/* Reads a ledger, or a copy of one, without the right to charge it. */
int	dp_budget_read(struct dp_budget *, const char *path, enum dp_reading, unsigned wait,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;
void	dp_budget_free(struct dp_budget *);
/* Debits a charge durably, or says why not.  wait: milliseconds.  NULL: it is of no state. */
int	dp_budget_charge(const char *path, const struct dp_charge *, const struct dp_paid *,
	    unsigned wait, struct dp_receipt *, char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * Keys, and texts that are signed with them: Ed25519 by libsodium.
 *
 * A secret key is a file of two lines, `dputils-secret-key 1' and 128 hex digits, with mode 0600 or
 * 0400, of the effective user; beside it, in FILE.pub, `dputils-public-key 1' and 64 digits.  A
 * signed text ends with the lines `signer' and `signature'; the signature is of all that stands
 * before its line.
 */

#define DP_SIGNER	32		/* bytes */

struct dp_key {
	uint8_t secret[64];
	uint8_t signer[DP_SIGNER];
};

/*
 * Every why has DP_STATE_WHY bytes, and on an error one sentence about files.  DP_EINVAL: a file
 * that exists, cannot be opened, or is another thing than such a key; DP_ESTATE: damaged, or
 * readable by others; DP_EIO; DP_ENOMEM; DP_EENTROPY.
 */
int	dp_key_make(const char *path, char *why) DP_MUSTUSE;
int	dp_key_read(struct dp_key *, const char *path, char *why) DP_MUSTUSE;
void	dp_key_wipe(struct dp_key *);
/* Another key: of dpmap --hash-key, any 16 to 4096 bytes that others cannot read. */
struct dp_hash_key;
int	dp_hash_key_read(struct dp_hash_key *, const char *path, char *why) DP_MUSTUSE;
int	dp_signer_read(uint8_t signer[static DP_SIGNER], const char *path, char *why) DP_MUSTUSE;

/* Ends the text with its signer and signature. */
int	dp_signed_end(struct dp_buf *, const struct dp_key *) DP_MUSTUSE;
/*
 * true: it ends so, with nothing behind it, and the signature is the signer's.  *signer is set
 * where the text has the form.
 */
bool	dp_signed_good(struct dp_slice text, uint8_t signer[static DP_SIGNER]) DP_MUSTUSE;

/*
 * A new file, whole or not at all: written as FILE.tmp, which a run that died may have left, then
 * given its name, on the disk.  A file of that name is refused.  ready: whether it could be made.
 */
int	dp_signed_ready(const char *path, char *why) DP_MUSTUSE;
int	dp_signed_write(const char *path, const struct dp_buf *, char *why) DP_MUSTUSE;

#endif
