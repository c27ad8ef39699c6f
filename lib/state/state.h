/*
 * state.h - draw, commit, print: no time step is ever released twice with
 * different noise.
 *
 * Order    The caller draws noise for some steps, which changes its body (the
 *          private part of the state) and gives it output.  dp_state_commit
 *          makes both durable in ONE file and only then lets the output out.
 *          A process that dies before that has shown nobody anything; one
 *          that dies after it has left behind the very bytes it owed, and
 *          dp_state_redo of the next run lets them out.  Noise is drawn once
 *          and never recomputed.
 * Replace  S.tmp (new, 0600) is written, fsync'd, renamed over S, and the
 *          directory fsync'd; then the witness; then the output.  A failed
 *          fsync is final: Linux drops the dirty pages and the next fsync
 *          would succeed over lost data.
 * Settle   Output must be durable before a state that forgets it can be.  So
 *          each commit first fsyncs --out, or standard output if that is a
 *          regular file, for the output of the commit before.
 * Lock     flock on S.lock, which is never removed (rename replaces S's
 *          inode, so a lock on S itself would guard nothing).  Nobody waits
 *          for it: held = DP_EBUSY.  Who removes it all the same, or moves S,
 *          lets a second run in: so before the rename both names, and S.tmp, must
 *          still be this run's files, else DP_ESTATE, and nothing is released.
 * Annexes  Data that only grow are appended to files beside S, and S says how many bytes count
 *          (annex.c): a batch's output, once it is more than 64 KiB; the output of one long commit;
 *          a table.
 * Stop     Once rule.stop is set nobody waits for the reader of standard
 *          output: bytes that it does not take are owed, and later commits of
 *          the run add to them.
 * Copies   S names its own inode and birth time, so a copy, and a backup put
 *          back in place, is refused; where the file system has no birth
 *          time (born 0) the inode alone must do, and it can recur.  A
 *          snapshot that keeps both, of a whole volume or virtual machine,
 *          is noticed only by a witness on another volume, or by --out being
 *          longer than S ever made it.
 * Promise  On a pipe each line is released at least once, always with the
 *          same bytes; in --out exactly once.  Both end where fsync lies, on
 *          file systems without working flock, and with root.
 * Move     The copy at T is written as T.tmp, whole and durable, with T.tmp's own
 *          inode and birth time in it; then S is replaced by a stub that names
 *          these; then T.tmp becomes T.  Before the stub only S goes on, after it
 *          only T does, and what died in between is finished by asking again.
 * Limits   --out and the witness are S's alone: flock on each, by whatever
 *          name, keeps another state's run out while this one goes, and what
 *          they hold does afterwards.  --out cannot be rotated while S lives.
 * Tests    unit/t_state.c (contents), t_statefile.c (copies, witness, --out,
 *          lock), t_statemove.c, t_statebatch.c, t_statekill.c (dies or fails at every
 *          effect, twice in a row), t_statefail.c (any call of the C library
 *          fails), t_stateorder.c (order of fsyncs), fuzz/f_state.c (the parser).
 *
 * The file is text with one spelling only; each line ends in a newline:
 *
 *   dputils-state 1
 *   KEY VALUE               public parameters: the caller's lines, any number
 *   lineage HEX             32 digits drawn by --init: which state this is
 *   inode N                 of the file it stands in
 *   born N                  its birth time in ns since the epoch, 0 if none
 *   generation N            1 by --init, one more each commit
 *   batch ID                "-" for none
 *   kept N                  1: the record is all the output of that batch
 *   outlen N                bytes of --out that precede record[M]
 *   outlen N tail K         the same; up to K bytes may follow them there,
 *                           which a run that died left, and which a later one
 *                           without --out let out instead
 *   moved N born N          only in a state that has ended: the file it moved to
 *   old N file K            the record begins with bytes 0 to N of S.oldK, K = 0 or 1,
 *   blake2b HEX             whose hash this is; both lines or none
 *   table N file K          private too: bytes 0 to N of S.tabK
 *   blake2b HEX
 *   body N                  private
 *   (N bytes and a newline)
 *   record N settled M      output last committed; M bytes of old and it are known to be out
 *   (N bytes and a newline)
 *   blake2b HEX             BLAKE2b-256 of all before this line, 64 digits
 */
#ifndef DP_STATE_H
#define DP_STATE_H

#include <signal.h>

#include "base/buf.h"

#define DP_STATE_WHY	512	/* room for one sentence */
#define DP_STATE_ID	64	/* longest batch id */
#define DP_STATE_MAX	((size_t)256 << 20)	/* longest state file */

struct dp_state;

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

/* From here on `sent' is told of all bytes that get out, in their order, once they are. */
void	dp_state_watch(struct dp_state *, void (*sent)(void *arg, const char *p, size_t n),
	    void *arg);

/*
 * Contents of S (form.h), owned by the state, valid until redo or the next commit; the head ends in
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

/* Wipes and closes, which drops the lock; does not commit.  NULL is fine. */
void	dp_state_free(struct dp_state *);

#endif
