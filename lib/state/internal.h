/*
 * internal.h - shared by the files of the state module, for them alone.
 *
 *   form.c   text of the file; form_read.c reads it
 *   file.c   finding, opening and locking files
 *   check.c  is this the state, and are the files beside it its own?
 *   annex.c  what grows, in files beside it
 *   emit.c   how bytes get out
 *   send.c   the protocol: settle, replace, witness, emit
 *   move.c   from one file to another
 *   state.c       state.h on top of these
 */
#ifndef DP_STATEINT_H
#define DP_STATEINT_H

#include <limits.h>
#include <sodium.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "form.h"

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
#define DP_STATE_HELD	"what is not out yet is held by the state, and the next run prints it"

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

/* check.c */

/*
 * Inode and birth time in ns of fd (name ""), or of a name in directory fd.  born 0: the file
 * system keeps no birth time.
 */
int	dp_state_identity(int fd, const char *name, uint64_t *inode,
	    uint64_t *born) DP_MUSTUSE;
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
int	dp_state_open_witness(struct dp_state *, bool create, char *why)
	    DP_MUSTUSE;
/*
 * Halves of dp_state_open_witness(): find opens the witness, match compares it with the form, or
 * finds it empty if created.
 */
int	dp_state_find_witness(struct dp_state *, bool create, char *why) DP_MUSTUSE;
int	dp_state_match_witness(struct dp_state *, bool create, char *why) DP_MUSTUSE;

/* "LINEAGE GENERATION\n" */
#define DP_STATE_WITNESS	(DP_STATE_LINEAGE + 1 + 20 + 1)
void	dp_state_witness_line(const struct dp_stateform *, char line[static DP_STATE_WITNESS + 1]);

/* annex.c */

/*
 * Opens annex i, if S counts bytes of it and it is not open yet, and verifies these bytes; take, if
 * there is one, gets all of them in pieces.  DP_ESTATE; any error that take returns.
 */
int	dp_annex_open(struct dp_state *, int i, int (*take)(void *, const char *, size_t),
	    void *arg, char *why) DP_MUSTUSE;
/* Begins a new, empty file for annex i; the one that S counts stays as it is. */
int	dp_annex_make(struct dp_state *, int i, char *why) DP_MUSTUSE;
/* Appends to annex i, which is open. */
int	dp_annex_add(struct dp_state *, int i, const char *, size_t, char *why) DP_MUSTUSE;
/* Leaves annex i out of the next state. */
void	dp_annex_drop(struct dp_state *, int i, struct dp_stateform *next);
/* Makes all bytes added to annexes durable, and lets the next state count them. */
int	dp_annex_sync(struct dp_state *, struct dp_stateform *next, char *why) DP_MUSTUSE;
/* Unlinks annex files that S does not name; -1. */
int	dp_annex_tidy(struct dp_state *);
/* Copies the annexes of s that f names to t, durable but for their names. */
int	dp_annex_copy(struct dp_state *s, struct dp_state *t, struct dp_stateform *f, char *why)
	    DP_MUSTUSE;
/* Reads at most n bytes of annex i, which is open; -1: errno. */
ssize_t	dp_annex_read(const struct dp_state *, int i, char *, size_t n, uint64_t from);

/* emit.c */

/* dp_state_say() by errno. */
int	dp_state_failed(char *why, const char *path, const char *then);
/* Name of the output, for messages. */
const char *dp_state_sink(const struct dp_state *);
/* Writes all n bytes, at off, or where fd stands if off < 0; -1.  EINTR: stopped, reader waits. */
int	dp_state_put(const struct dp_state *, int fd, const char *, size_t, off_t off) DP_MUSTUSE;
/* Lets out the record from byte `from' on; in --out the unsettled bytes begin at outlen. */
int	dp_state_emit(struct dp_state *, uint64_t from, char *why) DP_MUSTUSE;
/* Makes the output of the last redo or commit durable, before S may forget it. */
int	dp_state_settle(struct dp_state *, char *why) DP_MUSTUSE;

/* send.c */

int	dp_state_replace(struct dp_state *, struct dp_stateform *, char *why)
	    DP_MUSTUSE;
int	dp_state_too_large(const char *path, char *why);	/* DP_ERANGE */
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

#endif
