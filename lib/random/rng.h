/* SPDX-License-Identifier: ISC */
/* rng.h - random bytes, and exact coins. */
#ifndef DP_RANDOM_RNG_H
#define DP_RANDOM_RNG_H

#include <string.h>

#include "base/num.h"

/*
 * Random bytes, always an argument.
 *
 *   DP_RNG_CHACHA  ChaCha20 (libsodium) with fast key erasure (Bernstein 2017):
 *                  the first 32 bytes of every block become the next key and
 *                  are erased.  32 fresh kernel bytes are mixed into the key
 *                  at every 4 KiB block; served bytes are wiped behind the
 *                  cursor; the pages are wiped on fork, not dumped, and locked
 *                  where the limit allows.
 *   DP_RNG_KERNEL  getrandom(2), the system call, for exactly the bytes of each
 *                  take, nothing ahead (pan-private mode: a buffer would be
 *                  memory of the future); between dp_rng_ahead() and dp_rng_back(), which wipes
 *                  what is left, a system call serves several takes.
 *   DP_RNG_PCG     PCG64 (pcg_setseq_128_xsl_rr_64, O'Neill 2014),
 *                  reproducible, NOT PRIVATE.
 *   DP_RNG_BYTES   a script of bytes, for tests; exhausted = DP_EENTROPY.
 *   DP_RNG_KNOWN   a script of noise values, for tests: noise.h hands them out
 *                  in draw order instead of drawing; exhausted = DP_EENTROPY.
 *                  Bytes cannot be taken from it.
 *
 * Memory.  Who reads this process's memory once learns, of CHACHA, at most the
 * unread rest of one block, and nothing of bytes served before the last take
 * (dp_rng_wipe() removes those too); of KERNEL nothing.  PCG runs backwards as
 * easily as forwards.
 *
 * Fork.  In a child every private rng reads as zeros; its first take notices,
 * and it goes on as DP_RNG_KERNEL, with bytes of its own.  Where wiping on fork cannot be had or
 * relied on (see rng.c), CHACHA is KERNEL from the start, and a child has no bytes to repeat.  PCG
 * and scripts are copied as they stand.
 *
 * One rng serves one thread.  Owner: who opened it frees it (the script stays
 * the caller's).
 */

enum dp_rng_kind {
	DP_RNG_CHACHA = 1, DP_RNG_KERNEL, DP_RNG_PCG, DP_RNG_BYTES, DP_RNG_KNOWN
};

#define DP_RNG_BLOCK	4096
#define DP_RNG_PAD	64
#define DP_RNG_TAKE	64	/* most bytes one take may ask for */

struct dp_rng {
	uint8_t mem[DP_RNG_PAD + DP_RNG_BLOCK];	/* the pad: room to wipe */
	size_t pos, end;		/* unread: mem[pos..end) */
	uint8_t key[32];
	enum dp_rng_kind kind;		/* 0: private, in a forked child */
	size_t ahead;			/* 0, or bytes at once: dp_rng_ahead() */
	int error;			/* sticky */
	dp_uwide state, inc;		/* PCG64 */
	const uint8_t *bytes;		/* DP_RNG_BYTES */
	const int64_t *known;		/* DP_RNG_KNOWN */
	size_t left;			/* of either script */
};

/*
 * CHACHA or KERNEL.  DP_EENTROPY: getrandom(2) fails; DP_ENOMEM.
 */
int	dp_rng_open(struct dp_rng **, enum dp_rng_kind) DP_MUSTUSE;
/* The stream of C++ pcg64(seed): state from the seed, PCG's default increment. */
int	dp_rng_open_seed(struct dp_rng **, uint64_t seed) DP_MUSTUSE;
void	dp_rng_free(struct dp_rng *);	/* wipes; NULL is fine */

/*
 * Forget key and buffer (a commit point): the next take begins anew from the
 * kernel.  Nothing to do for PCG and scripts.
 */
void	dp_rng_drop(struct dp_rng *);

/*
 * All draws between dp_rng_ahead() and dp_rng_back() are one draw to whoever reads memory: KERNEL
 * may hold bytes ahead, as many at once as dp_rng_expect() said.  dp_rng_back() wipes them, and the
 * stack below its caller, DP_RNG_STACK bytes.  32 bytes cost a block of the kernel's generator, as
 * one byte does; each 64 more cost another.  Other kinds: no effect.
 */
#define DP_RNG_AHEAD		((size_t)32)
#define DP_RNG_AHEAD_MAX	((size_t)1024)

static inline void
dp_rng_ahead(struct dp_rng *r)
{
	r->ahead = DP_RNG_AHEAD;
}

/* Number of bytes to be drawn next, as far as that is public.  NULL: there is no noise. */
static inline void
dp_rng_expect(struct dp_rng *r, size_t n)
{
	if (r != NULL && r->ahead != 0)
		r->ahead = n < DP_RNG_AHEAD ? DP_RNG_AHEAD :
		    n > DP_RNG_AHEAD_MAX ? DP_RNG_AHEAD_MAX : n;
}

void	dp_rng_back(struct dp_rng *);

/*
 * Whether draws may be made in any order: those of seeds and scripts have one that is promised, and
 * what must not be drawn ahead is drawn for one number after the other.
 */
static inline bool
dp_rng_unordered(const struct dp_rng *r)
{
	return r != NULL && r->kind == DP_RNG_CHACHA;
}

/*
 * For state files of seeded runs only: state and increment, high word first.
 * PCG words are made as they are taken (a take of n bytes uses ceil(n/8) of
 * them, little-endian, the rest of the last is dropped), so the saved state is
 * the exact position.  load: the increment's low bit is set, as PCG requires.
 */
void	dp_rng_pcg_save(const struct dp_rng *, uint64_t w[4]);
void	dp_rng_pcg_load(struct dp_rng *, const uint64_t w[4]);

/* Slow path of take and span: at least n unread bytes at mem + pos, or NULL. */
uint8_t *dp_rng_refill(struct dp_rng *, size_t n);

/*
 * n <= DP_RNG_TAKE fresh bytes, valid until the next take; NULL = no entropy
 * (dp_rng.error says which), and every later call fails too.
 */
static inline uint8_t *
dp_rng_take(struct dp_rng *r, size_t n)
{
	uint8_t *p;

	if (DP_UNLIKELY(r->end - r->pos < n) && dp_rng_refill(r, n) == NULL)
		return NULL;
	p = r->mem + r->pos;
	r->pos += n;
	/* Wipe behind the cursor: zeroing what was just read would make the
	 * next load overlap a fresh store (3 ns a draw). */
	memset(p - DP_RNG_PAD, 0, DP_RNG_PAD);
	return p;
}

/* Wipe what the last take handed out: for when a group of takes is done. */
static inline void
dp_rng_wipe(struct dp_rng *r)
{
	if (r->pos >= DP_RNG_PAD)	/* else nothing was taken since a fork */
		memset(r->mem + r->pos - DP_RNG_PAD, 0, DP_RNG_PAD);
}

/*
 * The bulk form: at *p between 1 and max records of n <= DP_RNG_TAKE bytes
 * each, not yet taken; 0 = no entropy.  dp_rng_spend() takes the first of them
 * and wipes them, and what the last take handed out.  The bytes are those that
 * as many takes of n would give; sources that must not look ahead give one record.
 */
static inline size_t
dp_rng_span(struct dp_rng *r, uint8_t **p, size_t n, size_t max)
{
	size_t k;

	if (DP_UNLIKELY(r->end - r->pos < n) && dp_rng_refill(r, n) == NULL)
		return 0;
	*p = r->mem + r->pos;
	if (max <= 1)		/* a division costs as much as half a draw */
		return max;
	k = (r->end - r->pos) / n;
	return k < max ? k : max;
}

static inline void
dp_rng_spend(struct dp_rng *r, size_t bytes)
{
	/* what a take handed out before; constant sizes are four stores */
	memset(r->mem + r->pos - DP_RNG_PAD, 0, DP_RNG_PAD);
	r->pos += bytes;
	if (bytes <= DP_RNG_PAD)
		memset(r->mem + r->pos - DP_RNG_PAD, 0, DP_RNG_PAD);
	else
		memset(r->mem + r->pos - bytes, 0, bytes);
}

/*
 * Exact biased coins, and fair draws from a range.
 *
 * A coin falls heads with probability h = 1 / (1 + odds e^-x), x and odds exact rationals.
 *
 * Statement.  Bytes uniform and independent => both sides have their probability times a factor
 * within exp(+-2^-120), and tosses are independent.  h is irrational for every x > 0 (Lindemann),
 * so no table holds it: its first 256 bits are found in integers with a stated error
 * (base/fixed.h), and
 * a toss is U < h for a uniform U of 256 bits, of which no more are drawn than it takes to see.
 * Rounding h down moves either side by less than 2^-256; with x <= 64 and odds from 2^-31 to 2^31
 * neither side is below 2^-128.
 *
 * Time.  How many bytes dp_coin_toss() takes is decided by whether U is near h, and says nothing
 * about on which side of it: no branch and no address depends on the outcome.
 *
 * Memory.  The bytes that were taken are wiped from the rng when a call returns.
 *
 * Only account/privacy.c may call dp_coin_make(): mechanisms ask account/privacy.h for a coin by
 * privacy share.
 */

struct dp_coin {
	bool always;		/* heads, for ever: epsilon = inf */
	uint64_t word[4];	/* h, the most significant word first */
	/* For predictions: both probabilities, neither by subtraction, and x; always: 1, 0, inf. */
	double heads, tails, x;
};

/* DP_EINVAL: a denominator or odds of 0, or odds out of range. */
int	dp_coin_make(struct dp_coin *, struct dp_q x, struct dp_q odds) DP_MUSTUSE;
void	dp_coin_always(struct dp_coin *);

/* One toss.  DP_EENTROPY. */
int	dp_coin_toss(const struct dp_coin *, struct dp_rng *, bool *heads) DP_MUSTUSE;

/* One of 0 .. n - 1, n > 0, all equally likely. */
int	dp_fair(struct dp_rng *, uint64_t n, uint64_t *) DP_MUSTUSE;

#endif
