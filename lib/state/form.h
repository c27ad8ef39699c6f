/*
 * form.h - the text of a state file: in memory, to bytes and back.
 * Internal to state.c and its tests; touches no file.  The form is in state.h.
 */
#ifndef DP_STATEFORM_H
#define DP_STATEFORM_H

#include "base/buf.h"
#include "state.h"

#define DP_STATE_LINEAGE	32	/* hex digits: 128 random bits */

struct dp_stateform {
	struct dp_slice head;		/* whole lines, or empty */
	char lineage[DP_STATE_LINEAGE + 1];
	uint64_t inode, born;		/* of the file it stands in; born 0: none */
	uint64_t generation;		/* 1, 2, ... one a commit */
	char batch[DP_STATE_ID + 1];	/* "" for none */
	bool kept;			/* record is all output of batch */
	uint64_t outlen;		/* bytes of --out before record[settled] */
	uint64_t tail;			/* what may stand behind them all the same: see state.h */
	bool moved;			/* ended: the state stands in this file instead: */
	uint64_t to_inode, to_born;
	struct dp_slice body, record;
	size_t settled;			/* record[0..settled) is known to be out */
};

/* Are these lines "key value", printable, and none of the keys ours? */
bool	dp_stateform_head_ok(struct dp_slice);
/* 1..DP_STATE_ID bytes of [!-~], and not the "-" that says none. */
bool	dp_stateform_id_ok(struct dp_slice);

/* The canonical bytes, checksum included, into an emptied buffer. */
int	dp_stateform_write(const struct dp_stateform *, struct dp_buf *)
	    DP_MUSTUSE;

/*
 * The other way; the slices point into p.  0, DP_ENOMEM, or DP_ESTATE with a
 * word or two in *what that name the first thing wrong (static storage).
 * verify = false skips the checksum and nothing else: for the fuzzer, which
 * would never get past it.
 */
int	dp_stateform_read(struct dp_stateform *, const char *p, size_t n,
	    bool verify, const char **what) DP_MUSTUSE;

#endif
