/* SPDX-License-Identifier: ISC */
/*
 * users.h - at most K events of one user: a table of keyed 96-bit fingerprints and counts.
 *
 * Names are not kept: a user is SipHash-2-4-128 of his name under a random key, cut to 96 bits.
 * Two of n users share a fingerprint, and then one cap, with probability < n^2 / 2^97 (n = 10^6:
 * 7e-18), stated in dputils(7); nobody can make names collide without the key.
 *
 * 16 bytes an entry; load .73 to .95, grown in place: 16.8 to 22 bytes a user, and 4 KiB.
 * The table is private data, as are the counts: whoever has it and the key can test names.
 */
#ifndef DP_INPUT_USERS_H
#define DP_INPUT_USERS_H

#include "base/dp.h"

struct dp_users;

/* key: 16 random bytes, the caller's to draw (and to save). 1 <= cap < 2^32, else DP_EINVAL. */
int	dp_users_new(struct dp_users **, const uint8_t key[16], uint64_t cap) DP_MUSTUSE;
/* A fingerprint; a user's name is any bytes, and "" is a user, too. */
struct dp_mark {
	uint64_t hi;
	uint32_t lo;
};

/*
 * The user's fingerprint.  Also fetches his entry from memory ahead of its use: with some other
 * users in between nothing waits for it.
 */
void	dp_users_mark(const struct dp_users *, struct dp_slice user, struct dp_mark *);
/* The two halves of that: the fingerprint under a table's key, and the fetching. */
void	dp_users_hash(const uint8_t key[16], struct dp_slice user, struct dp_mark *);
void	dp_users_fetch(const struct dp_users *, const struct dp_mark *);
/* One event of the user.  1: it counts; 0: over the cap; DP_ENOMEM: nothing has changed. */
int	dp_users_admit(struct dp_users *, const struct dp_mark *) DP_MUSTUSE;
/* So many of the user's events count; 0: none. */
uint32_t dp_users_number(const struct dp_users *, const struct dp_mark *);
/*
 * One event of the user at step 1, 2, ..: of his at most `times` count, each at least `spacing`
 * steps, >= 1, after the one before that counts; the steps of a user's events may come in any
 * order.  An entry has the last such step and the number of them in its count: times (step - 1) +
 * number.  1: it counts; 0: it is one of more than `times`; 2: it is sooner; DP_EINVAL: times step
 * is beyond the cap; DP_ENOMEM.  Nothing has changed unless 1.
 */
int	dp_users_admit_spaced(struct dp_users *, const struct dp_mark *, uint32_t times,
	    uint64_t spacing, uint64_t step) DP_MUSTUSE;
/*
 * One step of the user, 1, 2, ..: of his at most `times` count, whichever come first.  An entry has
 * the step of the first one and the number of them in its count: times (first - 1) + number.
 * Answers as dp_users_admit_spaced().
 */
int	dp_users_admit_since(struct dp_users *, const struct dp_mark *, uint32_t times,
	    uint64_t step) DP_MUSTUSE;
/* The first step in such a table; 0: none counts. */
uint64_t dp_users_first(const struct dp_users *, const struct dp_mark *, uint32_t times);
/*
 * The table as one of stamps: sets the user's stamp to `now`, 1 <= now <= cap; least: or leaves it,
 * if it is less.  *before is the old stamp, 0: none.  0; DP_ENOMEM, DP_EINVAL: nothing has changed.
 */
int	dp_users_set_stamp(struct dp_users *, struct dp_slice user, uint32_t now, bool least,
	    uint32_t *before) DP_MUSTUSE;
/* The same of a fingerprint that is known. */
int	dp_users_set_mark(struct dp_users *, const struct dp_mark *, uint32_t now, bool least,
	    uint32_t *before) DP_MUSTUSE;
/* The user's stamp; 0: none. */
uint32_t dp_users_stamp(const struct dp_users *, struct dp_slice user);
/*
 * A table of folds: beside each entry stands a number, and its count is the caller's, but never 0.
 * 24 bytes an entry: 25.2 to 33 bytes a fold, and 6 KiB.  Both pointers are good until the next
 * call.
 */
struct dp_fold {
	int64_t *value;
	uint32_t *n;
};
int	dp_users_new_folds(struct dp_users **, const uint8_t key[16]) DP_MUSTUSE;
/* False: there is none of this fingerprint. */
bool	dp_users_fold(const struct dp_users *, const struct dp_mark *, struct dp_fold *);
/* One that is not there yet, of value 0 and count 1.  DP_ENOMEM: nothing has changed. */
int	dp_users_fold_new(struct dp_users *, const struct dp_mark *, struct dp_fold *) DP_MUSTUSE;
size_t	dp_users_count(const struct dp_users *);
/*
 * Walk for saving: *i starts at 0; returns false at the end.  In fingerprint order (hi, then lo),
 * so that the order says nothing about who came first.  No admit or put in between.
 */
bool	dp_users_each(const struct dp_users *, size_t *i, uint64_t *hi, uint32_t *lo, uint32_t *n);
/*
 * For loading.  DP_EINVAL: not in ascending fingerprint order, or n is not in 1..cap, or after an
 * admit; DP_ENOMEM, also for a crowd of fingerprints that no key gives.
 */
int	dp_users_put(struct dp_users *, uint64_t hi, uint32_t lo, uint32_t n) DP_MUSTUSE;
/* The same of a fold, with its number: a search, before all are there, would look at all. */
int	dp_users_put_fold(struct dp_users *, const struct dp_mark *, uint32_t n, int64_t value)
	    DP_MUSTUSE;
/*
 * For loading in any order: sets a fingerprint's count, or stamp, to n; of two calls the later
 * holds. As fast as dp_users_put() for as many entries.  DP_EINVAL: n is not in 1..cap; DP_ENOMEM.
 */
int	dp_users_set(struct dp_users *, uint64_t hi, uint32_t lo, uint32_t n) DP_MUSTUSE;
/* Tells of every entry that changes from here on, as it then is. */
void	dp_users_follow(struct dp_users *,
	    void (*changed)(void *, uint64_t hi, uint32_t lo, uint32_t n), void *arg);
void	dp_users_free(struct dp_users *);	/* wipes; NULL is fine */

#endif
