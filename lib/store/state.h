/* SPDX-License-Identifier: ISC */
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
 *          (state.c): a batch's output, once it is more than 64 KiB; the output of one long commit;
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
#ifndef DP_STORE_STATE_H
#define DP_STORE_STATE_H

#include <signal.h>
#include <stddef.h>

struct dp_state;

#define DP_STATE_WHY	512	/* room for one sentence */

/* From here on `sent' is told of all bytes that get out, in their order, once they are. */
void	dp_state_watch(struct dp_state *, void (*sent)(void *arg, const char *p, size_t n),
	    void *arg);

/* Wipes and closes, which drops the lock; does not commit.  NULL is fine. */
void	dp_state_free(struct dp_state *);

#endif
