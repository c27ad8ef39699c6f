/*
 * form.h - the text of a state file: in memory, to bytes and back.
 * Internal to state.c and its tests; touches no file.  The form is in state.h.
 */
#ifndef DP_STATEFORM_H
#define DP_STATEFORM_H

#include "base/buf.h"
#include "state.h"

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

/* form.c, for form_read.c: keys of annexes; a slice is this text; BLAKE2b-256 in hex. */
extern const char *const dp_stateform_annexes[DP_ANNEXES];
bool	dp_stateform_is(struct dp_slice, const char *text);
void	dp_stateform_sum(const char *p, size_t n, char hex[static DP_STATE_HASH + 1]);

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

#endif
