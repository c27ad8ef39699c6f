/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/store: what its files alone share. */
#ifndef DP_STORE_INTERNAL_H
#define DP_STORE_INTERNAL_H

#include <limits.h>
#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "run.h"

struct dp_state;
struct dp_stateform;
struct dp_mark;
struct dp_users;
struct stat;

#define DP_STATE_ID	64	/* longest batch id */
#define DP_STATE_MAX	((size_t)256 << 20)	/* longest state file */

struct dp_state_rule {
	const char *path;	/* S */
	const char *out;	/* --out FILE; NULL: standard output (fd 1) */
	const char *witness;	/* or NULL */
	bool keep;		/* --batch: record all output of the batch, so
				   that it can be printed again */
	bool move;		/* an ended state is opened, too, for dp_state_move */
	const volatile sig_atomic_t *stop;	/* or NULL; set by a signal: do
				   not wait for the reader of standard output */
};

/*
 * Errors of every function with a why:
 *   DP_ESTATE  a file is refused: missing, damaged, copied, rolled back,
 *              or there already where it must not be
 *   DP_EBUSY   another run holds the lock
 *   DP_EIO     errno says why
 *   DP_ENOMEM
 *   DP_EINVAL  a path (nothing there that can be opened so, or not by us),
 *              id, head or order of calls that is no good
 * and why then holds one sentence without a newline, of names of files and
 * public numbers alone, nothing computed from the data.  On success it is "".
 * The caller has seen to it that fds 0 to 2 are open (files opened here take
 * other numbers in any case) and that the umask takes nothing from the owner
 * of a file, and SIGPIPE and SIGXFSZ are the caller's affair:
 * ignored, they come back as DP_EIO with EPIPE or EFBIG.
 */

/*
 * Creating S, in two halves between which the caller may pay for the run.  Claim does all that may
 * refuse: it takes the lock, so that nobody else can create S, and holds room on the disk for S and
 * a first commit of the same size.  size: bytes that head and body will have; DP_ERANGE: too many.
 * DP_ESTATE if S exists, the witness has content, or --out does; also DP_EENTROPY.
 *
 * Create: generation 1, empty record, and the witness.  head: NUL-terminated lines "key value" of
 * printable ASCII, public, none with a key of the form above; body may be any bytes.  DP_EINVAL
 * also out of turn; DP_ERANGE as dp_state_commit(); after an error the state can only be freed.
 */
int	dp_state_claim(struct dp_state **, const struct dp_state_rule *, size_t size,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;
int	dp_state_create(struct dp_state *, const char *head, const struct dp_buf *body,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * Takes the lock, reads S and verifies everything: regular file, owner (the
 * effective user), mode (no group or other bits), one link, size cap,
 * checksum, canonical form, inode and birth time, witness (generation equal
 * to it or one more), length of --out.  A refusal is final: no older copy is
 * looked for.  Releases nothing yet.
 */
int	dp_state_open(struct dp_state **, const struct dp_state_rule *,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * For --state-show: reads without lock, creates nothing, verifies checksum
 * and form only, so copies can be looked at.  Cannot redo or commit.
 */
int	dp_state_peek(struct dp_state **, const char *path,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * Contents of S (internal.h), owned by the state, valid until redo or the next commit; the head
 * ends in
 * a NUL.  After a commit, also that of redo, the body is empty: the caller has it, and one copy is
 * enough.
 */
const struct dp_stateform *dp_state_form(const struct dp_state *);

/*
 * Replaces the public parameters from the next commit on; head as of dp_state_create().  Only after
 * redo, which commits the old ones.  DP_EINVAL: no such lines, or out of turn; DP_ENOMEM.
 */
int	dp_state_set_head(struct dp_state *, const char *head) DP_MUSTUSE;

/*
 * After open, instead of redo: ends S, and makes the file at path `to` the state, with the output
 * that is owed.  `to` must be absent, or a copy of S.  A second call after a failure or a death
 * goes on where the first one ended.  DP_ESTATE: another file is there, or S was moved elsewhere.
 */
int	dp_state_move(struct dp_state *, const char *to, char why[static DP_STATE_WHY])
	    DP_MUSTUSE;

/*
 * Once after open, before anything else: makes the rename of a predecessor
 * durable (it may have died before its directory fsync), brings the witness
 * up, and lets out again, byte for byte, what is owed: record[settled..].  If
 * anything was, a commit of the same body then says that it is out, so that
 * no later run prints it, whatever becomes of this one.
 * DP_EIO with EINTR: stopped before all of it was out.
 * again: the whole record, for a batch asked for a second time; DP_ESTATE
 * if it is not kept (steps were committed outside the batch since).  With
 * --out never more than what is owed, so that each line is in it once.
 */
int	dp_state_redo(struct dp_state *, bool again,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * The next commit begins a new batch: its id, and a record of its own.  Only
 * with rule.keep and after redo.  1 to DP_STATE_ID bytes of [!-~], not "-".
 * The caller decides whether an id is older than the last one.
 */
int	dp_state_begin_batch(struct dp_state *, const char *id) DP_MUSTUSE;

/*
 * Commit the body and the new output (whole lines), then let that out.
 * 0: durable, and handed to the OS.  n = 0 at the end of a run says that
 * nothing is owed any more; without it the next run prints the last output
 * again.  With rule.keep a batch must have begun; without, the record is this
 * output alone, and a batch before it stays by name only.
 * An error before the rename: nothing was released, the old state stands.  An
 * error after it: the output is owed, and the next run's redo lets it out.  why
 * says which.  Either way this run is over: later commits fail with DP_EIO.
 * DP_ERANGE: the file would pass DP_STATE_MAX; nothing was released.
 * (DP_EINVAL leaves all as it was.)
 *
 * Writes are whole lines, at most PIPE_BUF bytes at a time (a line longer
 * than that is cut): a pipe takes such a write whole or not at all, even when
 * the writer is killed.  A nonblocking descriptor is waited for.
 */
int	dp_state_commit(struct dp_state *, const struct dp_buf *body,
	    const char *out, size_t n, char why[static DP_STATE_WHY])
	    DP_MUSTUSE;

/*
 * Takes a part of the next commit's output, whole lines, to a file beside S, so that memory need
 * not hold all of it; the commit lets it out with the rest.  Errors as of dp_state_commit(); a part
 * that is staged and never committed is forgotten.
 */
int	dp_state_stage(struct dp_state *, const char *out, size_t n,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * The table: private bytes that only grow, beside the body.  Bytes that were added belong to the
 * state from the next commit on, and cost later commits nothing.  `begin` empties the table and
 * comes before the first `add`; after open, `read` comes before `add`.  Pieces are of any length.
 * take: 0, or an error that is handed on.  DP_ESTATE: missing or damaged.
 */
uint64_t dp_state_table(const struct dp_state *);	/* bytes that S counts */
int	dp_state_table_read(struct dp_state *, int (*take)(void *, const char *, size_t),
	    void *arg, char why[static DP_STATE_WHY]) DP_MUSTUSE;
int	dp_state_table_begin(struct dp_state *, char why[static DP_STATE_WHY]) DP_MUSTUSE;
int	dp_state_table_add(struct dp_state *, const char *, size_t,
	    char why[static DP_STATE_WHY]) DP_MUSTUSE;

/*
 * The text of a state file: in memory, to bytes and back.
 * Internal to state.c and its tests; touches no file.  The form is in state.h.
 */

#define DP_STATE_MAGIC		"dputils-state"
#define DP_STATE_LINEAGE	32	/* hex digits: 128 random bits */
#define DP_STATE_HASH		64	/* hex digits of BLAKE2b-256 */

/* The part of a file beside S that counts: bytes 0 to n of S.oldK or S.tabK. */
struct dp_annexform {
	uint64_t n;			/* 0: there is none */
	unsigned file;			/* K: 0 or 1 */
	char hash[DP_STATE_HASH + 1];
};

enum { DP_ANNEX_OLD, DP_ANNEX_TABLE, DP_ANNEXES };

struct dp_stateform {
	struct dp_slice head;		/* whole lines, or empty */
	char lineage[DP_STATE_LINEAGE + 1];
	uint64_t inode, born;		/* of the file it stands in; born 0: none */
	uint64_t generation;		/* 1, 2, ... one a commit */
	char batch[DP_STATE_ID + 1];	/* "" for none */
	bool kept;			/* record is all output of batch */
	uint64_t outlen;		/* bytes of --out before record[settled] */
	uint64_t tail;			/* bytes that may follow these in --out: see state.h */
	bool moved;			/* ended: the state is now in the file to_inode, to_born */
	uint64_t to_inode, to_born;
	struct dp_annexform annex[DP_ANNEXES];
	struct dp_slice body, record;
	uint64_t settled;	/* bytes known to be out, of old and then of record */
};

/* Bytes of output that S holds; and those of them that may not be out yet. */
static inline uint64_t
dp_stateform_recorded(const struct dp_stateform *f)
{
	return f->annex[DP_ANNEX_OLD].n + f->record.n;
}

static inline uint64_t
dp_stateform_owed(const struct dp_stateform *f)
{
	return dp_stateform_recorded(f) - f->settled;
}

/* form.c, for form.c: keys of annexes; a slice is this text; BLAKE2b-256 in hex. */
extern const char *const dp_stateform_annexes[DP_ANNEXES];

/* True: lines "key value" or "[section]", printable, with none of the form's own keys. */
bool	dp_stateform_head_ok(struct dp_slice);
/* True: 1..DP_STATE_ID bytes of [!-~], other than "-", which stands for no id. */
bool	dp_stateform_id_ok(struct dp_slice);

/* The canonical bytes, checksum included, into an emptied buffer. */
int	dp_stateform_write(const struct dp_stateform *, struct dp_buf *)
	    DP_MUSTUSE;

/*
 * Parses n bytes at p, into which the slices point.  0, DP_ENOMEM, or DP_ESTATE
 * with a word or two in *what that name the first thing wrong (static storage).
 * verify = false skips the checksum alone: for the fuzzer, which could not forge one.
 */
int	dp_stateform_read(struct dp_stateform *, const char *p, size_t n,
	    bool verify, const char **what) DP_MUSTUSE;

/*
 * Shared by the files of the state module, for them alone.
 *
 *   form.c   text of the file; form.c reads it
 *   file.c   finding, opening and locking files
 *   file.c  is this the state, and are the files beside it its own?
 *   state.c  what grows, in files beside it
 *   state.c   how bytes get out
 *   state.c   the protocol: settle, replace, witness, emit
 *   state.c   from one file to another
 *   state.c       state.h on top of these
 */

/*
 * Tests stop the protocol here: called BEFORE each effect, in protocol order.
 * Returning -1 with errno set makes that effect fail; not returning at all is
 * a death between the effect before and this one.
 */
enum dp_state_point {
	DP_AT_REDO,		/* fsync of S and its directory by redo */
	DP_AT_CUT,		/* of the tail of --out */
	DP_AT_SETTLE,		/* fsync of what was let out before */
	DP_AT_ANNEX,		/* a file beside S, or bytes to it */
	DP_AT_ANNEX_SYNC,	/* of it, or of a new one's name */
	DP_AT_CREATE,		/* S.tmp */
	DP_AT_WRITE,
	DP_AT_SYNC,
	DP_AT_RENAME,
	DP_AT_SYNC_DIR,
	DP_AT_WITNESS,
	DP_AT_EMIT,		/* each piece of output */
	DP_AT_END		/* all of a redo or commit is done */
};

struct dp_state_hook {
	int (*at)(void *arg, enum dp_state_point);	/* or NULL */
	void *arg;
};

/* A file beside S, as far as this run needs it. */
struct dp_annex {
	int fd;				/* or -1 */
	unsigned file;
	uint64_t n;			/* bytes, also those that no commit counts yet */
	bool made, dirty;		/* since the last commit: file made, bytes added */
	crypto_generichash_state hash;	/* of the n bytes */
};

/* A file by its directory, so that neither can be swapped for another. */
struct dp_place {
	char *path;			/* as given, for messages; NULL: none */
	char name[NAME_MAX + 1];	/* last component */
	int dir;
	dev_t dev;			/* of dir */
	ino_t ino;
};

/* Descriptors of a state's files; -1: not open. */
struct dp_state_fds {
	int lock, out, witness;
	int state;			/* S as read, until redo */
	int tmp;			/* S.tmp until it is S: open, its inode stays taken */
	int room[2];			/* of a new state: space held for it and its first commit */
};

struct dp_state {
	struct {			/* dp_state_watch() */
		void (*sent)(void *arg, const char *p, size_t n);	/* or NULL */
		void *arg;
	} watch;
	struct dp_place at, out_at, witness_at;
	struct dp_state_fds fd;
	/* The rule's. */
	struct {
		bool keep, move;
		const volatile sig_atomic_t *stop;
	} rule;
	struct dp_annex annex[DP_ANNEXES];
	bool extended;			/* the next record begins in annex "old" */
	bool untidy;			/* a file beside S may be nobody's */
	bool claimed;			/* may be created */
	bool ready;			/* redone: may commit */
	bool dead;			/* an effect failed: may not commit any more */
	bool stalled;			/* stopped, and the reader of its output does not
					   read: from here on output is owed */
	struct dp_state_hook hook;
	struct dp_stateform form;	/* what S holds */
	struct {			/* S as read */
		char *head;		/* form.head points here */
		char *raw;		/* form.body points here */
		size_t n;
	} read;
	struct dp_buf record;		/* form.record points here */
	struct dp_buf image;		/* S.tmp in the making */
	char next_batch[DP_STATE_ID + 1];
};

/* The longest record that S itself holds from commit to commit, as it grows. */
#define DP_STATE_INLINE	((size_t)65536)

/* Most of head, body and record together, with room for the lines between them. */
#define DP_STATE_ROOM	(DP_STATE_MAX - 1024)

#define DP_STATE_STANDS	"nothing was released and the state is as it was"
#define DP_STATE_HELD	"the state holds what is not printed yet, and the next run prints it"

/* file.c */

/* Writes "path: sentence" and hands back e; keeps errno. */
int	dp_state_say(char *why, int e, const char *path, const char *fmt, ...)
	    __attribute__((format(printf, 4, 5)));
/* strerror: DP_ENOMEM, DP_EINVAL for a path that is no good, else DP_EIO */
int	dp_state_errno(char *why, const char *path);

void	dp_state_shut(int *fd);			/* closes, once */
void	dp_state_forget(struct dp_state *);	/* wipes raw, and body in it */

/* Finds the directories of all files; refuses files that are one another. */
int	dp_state_places(struct dp_state *, const struct dp_state_rule *,
	    char *why) DP_MUSTUSE;
/* Finds the directory of one; a sentence where there is none.  dp_place_clear() in any case. */
int	dp_place_set(struct dp_place *, const char *path, char *why) DP_MUSTUSE;
void	dp_place_clear(struct dp_place *);
/*
 * Opens the file itself, or the one named after it with a suffix (".tmp"): openat(2), links
 * refused, as fd 3 or above.
 */
int	dp_place_open(const struct dp_place *, const char *suffix, int flags,
	    mode_t);
/* Unlinks it, or the one with the suffix; success also if there is none. */
int	dp_place_unlink(const struct dp_place *, const char *suffix);
/* Renames the file with the suffix over the file itself. */
int	dp_place_rename(const struct dp_place *, const char *suffix);
/* Gives the file with the suffix the name too, if there is no file of that name. */
int	dp_place_link(const struct dp_place *, const char *suffix);
bool	dp_place_missing(const struct dp_place *);
int	dp_place_identity(const struct dp_place *, const char *suffix,
	    uint64_t *inode, uint64_t *born) DP_MUSTUSE;

/* flock(2) of an open file, waiting for nobody; whose: before what the system says. */
int	dp_state_flock(int fd, const char *path, const char *whose, char *why) DP_MUSTUSE;
int	dp_state_take_lock(struct dp_state *, char *why) DP_MUSTUSE;
/* dp_state_take_lock(), and a dead run's S.tmp is unlinked. */
int	dp_state_lock(struct dp_state *, char *why) DP_MUSTUSE;

/* file.c */

/*
 * 0: the names still mean this run's files.  The lock is the one it holds; S is
 * the file it read or wrote last, absent before the first commit; S.tmp, if tmp
 * is open, is that file.  Else DP_ESTATE: another run may be at work.
 */
int	dp_state_ours(const struct dp_state *, char *why) DP_MUSTUSE;
/* A regular file of ours, for us alone, under one name.  DP_ESTATE. */
int	dp_state_check_file(const char *path, const struct stat *, char *why) DP_MUSTUSE;
/*
 * Checks likewise an open file whose first bytes are to be magic.  Where a file is refused whose
 * bytes are others, the message says that it is no such file, whatever else is wrong.
 */
int	dp_state_check_kind(int fd, const char *magic, const char *path, const struct stat *,
	    char *why) DP_MUSTUSE;
#define DP_LEDGER_MAGIC	"SQLite format 3"
/* Opens S under the lock, reads it, and verifies that it is the original. */
int	dp_state_find(struct dp_state *, char *why) DP_MUSTUSE;
/* Reads fd into raw and form; head and record become copies. */
int	dp_state_read(struct dp_state *, int fd, const char *path, char *why)
	    DP_MUSTUSE;
/*
 * Opens --out and the witness, locks them, since a run with another state may name them too, and
 * verifies them against the form.
 */
int	dp_state_open_out(struct dp_state *, char *why) DP_MUSTUSE;
/*
 * Halves of dp_state_open_witness(): find opens the witness, match compares it with the form, or
 * finds it empty if created.
 */
int	dp_state_find_witness(struct dp_state *, bool create, char *why) DP_MUSTUSE;
int	dp_state_match_witness(struct dp_state *, bool create, char *why) DP_MUSTUSE;

/* "LINEAGE GENERATION\n" */
#define DP_STATE_WITNESS	(DP_STATE_LINEAGE + 1 + 20 + 1)
/* Copies the annexes of s that f names to t, durable but for their names. */
int	dp_annex_copy(struct dp_state *s, struct dp_state *t, struct dp_stateform *f, char *why)
	    DP_MUSTUSE;
/* Makes the output of the last redo or commit durable, before S may forget it. */
int	dp_state_settle(struct dp_state *, char *why) DP_MUSTUSE;

/* state.c */

int	dp_state_replace(struct dp_state *, struct dp_stateform *, char *why)
	    DP_MUSTUSE;
/* Writes S.tmp, whole and durable; the form gets its identity. */
int	dp_state_write_tmp(struct dp_state *, struct dp_stateform *, char *why) DP_MUSTUSE;
int	dp_state_put_witness(struct dp_state *, char *why) DP_MUSTUSE;

/* state.c: calls the hook, if there is one. */
int	dp_state_at(const struct dp_state *, enum dp_state_point);
/* All of a state's files closed; NULL: no memory. */
struct dp_state *dp_state_new(void);
/* Draws the state's lineage, 128 random bits. */
int	dp_state_draw_lineage(struct dp_state *, char *why) DP_MUSTUSE;
/* n bytes, or all there are; -1 */
ssize_t	dp_state_read_up_to(int fd, char *p, size_t n);
/*
 * The lock of --out or the witness, on the file itself: it holds under every name that the file
 * has, is gone with the process, and leaves nothing behind.  A second name of a file that this run
 * has locked already would look like another run.
 */
int	dp_state_take(const struct dp_state *, int fd, const char *path, char *why) DP_MUSTUSE;

/*
 * The part of the i-th total that all charges, and one more (NULL: none), spend, once all are read.
 * DP_ENOMEM.
 */
int	dp_budget_sum(const struct dp_budget *, size_t i, const struct dp_charge *more,
	    struct dp_account *) DP_MUSTUSE;
/*
 * Internal to budget.c and budget.c: SQLite's functions, by a library that only a run
 * with a ledger loads.  Linked in, it would be resident in every run: a quarter of a MiB.
 */

#define DP_SQLITE_FUNCTIONS(X) \
	X(bind_int64) X(bind_text) X(busy_timeout) X(close) X(column_bytes) X(column_count) \
	X(column_int) X(column_int64) X(column_text) X(column_type) X(db_config) X(errstr) X(exec) \
	X(extended_result_codes) X(finalize) X(get_autocommit) X(open_v2) X(prepare_v2) X(step) \
	X(system_errno)

struct dp_sqlite {
#define DP_SQLITE_MEMBER(f)	__typeof__(sqlite3_##f) *f;
	DP_SQLITE_FUNCTIONS(DP_SQLITE_MEMBER)
};

/*
 * Internal to budget*.c, ledger*.c and budget.c: the database of a budget, open in a
 * transaction.
 */

#define DP_LEDGER_APPLICATION	0x64707574	/* "dput" */
#define DP_LEDGER_FORMAT	2	/* the last; 1 goes on */
#define DP_CHECKPOINT_EVERY	64		/* charges */

struct dp_checkpoint {
	uint64_t n;			/* charges that it stands for; 0: none */
	char last[65];			/* seal of charge n */
	struct dp_account account;	/* their sums */
};

struct dp_ledger {
	struct dp_state *files;		/* its place and witness; form: lineage, generation */
	char *name;			/* for SQLite, which has special names */
	struct dp_sqlite sql;		/* loaded once the ledger is opened */
	sqlite3 *db;
	unsigned wait;			/* ms */
	char seal[65];			/* of the last charge */
	uint64_t inode, born;		/* as the ledger's row says */
	struct dp_checkpoint checkpoint;
	struct dp_budget b;
};
/* The files' places; nothing is opened.  witness: NULL: not known yet. */
int	dp_ledger_place(struct dp_ledger *, const char *path, const char *witness, char *why);
/* Opens the database at `suffix` to path; no locks. */
int	dp_ledger_open(struct dp_ledger *, const char *suffix, char *why);
/* Statements without parameters and results. */
int	dp_ledger_run(struct dp_ledger *, const char *sql, char *why);
/* In a transaction: one statement with texts for its parameters, in order; NULL is NULL. */
int	dp_ledger_put(struct dp_ledger *, const char *sql, const char *const *text, int n,
	    char *why);
/* The row's seal must be the one that follows from `seal`, which becomes it. */
int	dp_ledger_check_seal(struct dp_ledger *, sqlite3_stmt *, const char *what,
	    char seal[static 65], char *why);
/* Seals the one row that `select` finds; `seal`: the one before, which becomes it. */
int	dp_ledger_seal_row(struct dp_ledger *, const char *select, const char *update,
	    char seal[static 65], char *why);
/* Seals charge n, and the ledger's row. */
int	dp_ledger_seal(struct dp_ledger *, uint64_t n, char *why);
/* budget.c: fills l->b and l->seal and verifies seals; sums alone leave l->b.charge NULL. */
int	dp_ledger_read(struct dp_ledger *, enum dp_reading, char *why);
/* Once charge n is read: the checkpoint's seal and sums are those of the charges. */
bool	dp_checkpoint_agrees(const struct dp_ledger *);

void	dp_ledger_close(struct dp_ledger *);

/* Of each format; [0] is none. */
extern const char *const dp_ledger_schema[DP_LEDGER_FORMAT + 1];

/*
 * session.c: what was claimed is made, with what was drawn; DP_E* and why.  A charge does it
 * (struct dp_paid).
 */
int	dp_session_create(struct dp_run *, char *why) DP_MUSTUSE;

/* Number of tables that a state file keeps, and the i-th; *table is NULL while empty. */
/* A user's allowance, as dp_users_admit() and dp_users_admit_spaced() answer: fold.c. */
int	dp_cap_charge(struct dp_run *, size_t row, const struct dp_mark *) DP_MUSTUSE;
/* The step of an open row, 1 the first of all runs. */
uint64_t dp_cap_step(const struct dp_run *, size_t row);
/* Tables of folds, which a state file keeps unless steps are a range; a value that one may have. */
size_t	dp_fold_tables(const struct dp_run *);
bool	dp_fold_sane(int64_t value);
int	dp_fold_begin(struct dp_run *) DP_MUSTUSE;	/* the ring of buckets is set */
void	dp_fold_close(struct dp_run *);			/* the oldest bucket closes */
void	dp_fold_free(struct dp_run *);
/* A sum of an open row, with what it has beyond its word. */
dp_wide	dp_carry_sum(const struct dp_run *, size_t row, size_t place, int64_t sum);
size_t	dp_cap_tables(const struct dp_run *);
struct dp_users **dp_cap_table(struct dp_run *, size_t i);
/* The most that an entry of it holds. */
uint64_t dp_cap_most(const struct dp_run *, size_t i);

/* An event of the name; DP_ENOMEM: all is as it was. */
int	dp_cells_add(struct dp_count_cells *, size_t place, uint64_t events) DP_MUSTUSE;
/* Its events. */
int64_t	dp_cells_of(const struct dp_count_cells *, size_t place);
/* Loading one.  DP_EINVAL: events is no number of a cell; DP_ENOMEM. */
int	dp_cells_set(struct dp_count_cells *, size_t place, uint64_t events) DP_MUSTUSE;
/* The name at place i is at to[i] - 1 from here on; room: for n cells. */
void	dp_cells_move(struct dp_count_cells *, const uint32_t *to, struct dp_count_cell *room);
void	dp_cells_free(struct dp_count_cells *);	/* wipes, and leaves none */

/* Gives names up at any step; for a state that is loaded. */
void	dp_roll_loaded(struct dp_run *);
/* For a state.  A name's column; NULL: it has had no event. */
int64_t	*dp_roll_column(const struct dp_roll *, size_t name);
/*
 * Loading: the next name, declared ones first; its column, if it has one, is all 0.  DP_EINVAL: it
 * was there, or is not the one declared; DP_ENOMEM.
 */
int	dp_roll_put(struct dp_roll *, struct dp_slice name, size_t place, bool begun) DP_MUSTUSE;

/*
 * cap.c: true: the table of users is beside the state from the next commit on, as it is
 * now; false: the body must hold it.
 */
bool	dp_session_users_beside(struct dp_run *) DP_MUSTUSE;
/* Loads the table beside the state into the empty r->cap.users; false: its size is not count. */
bool	dp_session_users_load(struct dp_run *, uint64_t count) DP_MUSTUSE;
/* The record is in the columns or sums: every commit from here on holds it. */
_Noreturn void dp_session_fail(const struct dp_run *, int e, const char *why);

#define DP_JOB		"dputils-job"
#define DP_JOB_VERSION	"1"
/*
 * A later run: each member of a state's head becomes the option; exits with the first key that
 * differs if the option was given, or that is damaged.
 */
void	dp_job_adopt(struct dp_run *, struct dp_options *, const char *head);
/* Exits unless the state is this tool's. */
void	dp_job_tool(const struct dp_options *, const struct dp_tool *, const char *head);
/* Options that --state-show computes with: horizon, bucket, zone.  Of any tool. */
void	dp_job_show(struct dp_options *, const char *job);
/* "L1 L2SQUARED COLUMNS" */
void	dp_job_moves(char text[static DP_MOVES_TEXT], const struct dp_privacy *);
/*
 * job.c: a copy of a job, or the job that the head of a state of form 2 is, from before there
 * were jobs.  0; DP_ENOMEM; DP_ESTATE: another head, of which `why' says what is wrong.
 */
#define DP_JOB_WHY	160
int	dp_job_renew(struct dp_buf *, const char *head, char why[static DP_JOB_WHY]) DP_MUSTUSE;

/*
 * The lines of a state's body: a word, and numbers.
 */

/* Reading: the state is refused unless each line is the expected one. */
struct dp_lines {
	const struct dp_run *r;
	const char *p, *end;
};

#endif
