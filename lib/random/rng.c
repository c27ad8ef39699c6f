/* SPDX-License-Identifier: ISC */
/* rng.c - random bytes, and exact coins. */
#include <math.h>
#include <sodium.h>
#include <sys/mman.h>

#include "base/fixed.h"
#include "base/stack.h"
#include "internal.h"
#include "rng.h"

#define WIDE(hi, lo)	((dp_uwide)(hi) << 64 | (lo))
#define PCG_MUL		WIDE(2549297995355413924u, 4865540595714422341u)
#define PCG_INC		WIDE(6364136223846793005u, 1442695040888963407u)

static int
map(struct dp_rng **out, enum dp_rng_kind kind)
{
	struct dp_rng *r;

	r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED)
		return DP_ENOMEM;
	r->kind = kind;
	r->pos = r->end = DP_RNG_PAD;
	*out = r;
	return 0;
}

int
dp_rng_open(struct dp_rng **out, enum dp_rng_kind kind)
{
	struct dp_rng *r;
	uint8_t probe;
	int rc;

	if (kind != DP_RNG_CHACHA && kind != DP_RNG_KERNEL)
		return DP_EINVAL;
	/*
	 * sodium_init() picks the fastest ChaCha20.  It also draws the canary of sodium_malloc(3),
	 * and ends the process if the kernel gives no bytes for it: so these are asked for before.
	 */
	if ((rc = dp_os_random(&probe, 1)) != 0)
		return rc;
	if (sodium_init() < 0)
		return DP_EENTROPY;
	if ((rc = map(&r, kind)) != 0)
		return rc;
	/* a block that a child inherits would give it its parent's bytes */
	if (!dp_os_wiped_on_fork(r, sizeof *r))
		r->kind = DP_RNG_KERNEL;
	/* best effort: both only narrow who can read the page */
	dp_os_undumped(r, sizeof *r);
	(void)mlock(r, sizeof *r);
	*out = r;
	return 0;
}

int
dp_rng_open_seed(struct dp_rng **out, uint64_t seed)
{
	struct dp_rng *r;
	int rc;

	if ((rc = map(&r, DP_RNG_PCG)) != 0)
		return rc;
	r->inc = PCG_INC;
	r->state = (seed + PCG_INC) * PCG_MUL + PCG_INC;
	*out = r;
	return 0;
}

int
dp_rng_open_bytes(struct dp_rng **out, const uint8_t *bytes, size_t n)
{
	struct dp_rng *r;
	int rc;

	if ((rc = map(&r, DP_RNG_BYTES)) != 0)
		return rc;
	r->bytes = bytes;
	r->left = n;
	*out = r;
	return 0;
}

int
dp_rng_open_known(struct dp_rng **out, const int64_t *known, size_t n)
{
	struct dp_rng *r;
	int rc;

	if ((rc = map(&r, DP_RNG_KNOWN)) != 0)
		return rc;
	r->known = known;
	r->left = n;
	*out = r;
	return 0;
}

void
dp_rng_free(struct dp_rng *r)
{
	if (r == NULL)
		return;
	sodium_memzero(r, sizeof *r);
	(void)munlock(r, sizeof *r);
	munmap(r, sizeof *r);
}

void
dp_rng_drop(struct dp_rng *r)
{
	if (r->kind != DP_RNG_CHACHA && r->kind != DP_RNG_KERNEL)
		return;
	sodium_memzero(r->mem, sizeof r->mem);
	sodium_memzero(r->key, sizeof r->key);
	r->pos = r->end = DP_RNG_PAD;
}

void
dp_rng_back(struct dp_rng *r)
{
	r->ahead = 0;
	if (r->kind != DP_RNG_KERNEL || r->pos < DP_RNG_PAD)
		return;
	dp_stack_wipe(DP_RNG_STACK);
	memset(r->mem + r->pos - DP_RNG_PAD, 0, r->end - r->pos + DP_RNG_PAD);
	r->pos = r->end = DP_RNG_PAD;
}

void
dp_rng_pcg_save(const struct dp_rng *r, uint64_t w[4])
{
	w[0] = (uint64_t)(r->state >> 64);
	w[1] = (uint64_t)r->state;
	w[2] = (uint64_t)(r->inc >> 64);
	w[3] = (uint64_t)r->inc;
}

void
dp_rng_pcg_load(struct dp_rng *r, const uint64_t w[4])
{
	r->state = WIDE(w[0], w[1]);
	r->inc = WIDE(w[2], w[3]) | 1;
}

/* O'Neill 2014, XSL RR on a 128-bit LCG; the output comes from the new state. */
static uint64_t
pcg_next(struct dp_rng *r)
{
	uint64_t x;
	unsigned rot;

	r->state = r->state * PCG_MUL + r->inc;
	rot = (unsigned)(r->state >> 122);
	x = (uint64_t)(r->state >> 64) ^ (uint64_t)r->state;
	return x >> rot | x << (-rot & 63);
}

static void
pcg_bytes(struct dp_rng *r, size_t n)
{
	uint8_t *p = r->mem + DP_RNG_PAD;
	uint64_t x;
	size_t i;

	for (i = 0; i < n; i += 8) {
		x = htole64(pcg_next(r));
		memcpy(p + i, &x, 8);
	}
}

/* Fills mem from the pad on; the number of bytes there, or a DP_E*. */
static int
chacha_block(struct dp_rng *r)
{
	static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
	uint8_t fresh[sizeof r->key], *p = r->mem + DP_RNG_PAD;
	size_t i;
	int rc;

	if ((rc = dp_os_random(fresh, sizeof fresh)) != 0)
		return rc;
	for (i = 0; i < sizeof r->key; i++)
		r->key[i] ^= fresh[i];
	sodium_memzero(fresh, sizeof fresh);
	crypto_stream_chacha20_ietf(p, DP_RNG_BLOCK, nonce, r->key);
	memcpy(r->key, p, sizeof r->key);
	sodium_memzero(p, sizeof r->key);
	r->pos = DP_RNG_PAD + sizeof r->key;
	r->end = DP_RNG_PAD + DP_RNG_BLOCK;
	return 0;
}

static int
script_bytes(struct dp_rng *r, size_t n)
{
	if (r->left < n)
		return DP_EENTROPY;
	memcpy(r->mem + DP_RNG_PAD, r->bytes, n);
	r->bytes += n;
	r->left -= n;
	return 0;
}

static int
fill(struct dp_rng *r, size_t n)
{
	r->pos = DP_RNG_PAD;
	r->end = DP_RNG_PAD + n;
	switch (r->kind) {
	case DP_RNG_CHACHA:
		return chacha_block(r);
	case DP_RNG_PCG:
		pcg_bytes(r, n);
		return 0;
	case DP_RNG_BYTES:
		return script_bytes(r, n);
	case DP_RNG_KNOWN:
		return DP_EENTROPY;
	case DP_RNG_KERNEL:
	default:
		/* A forked child finds the pages, and with them the kind, zero;
		 * only private sources are wiped so. */
		r->kind = DP_RNG_KERNEL;
		n = n < r->ahead ? r->ahead : n;
		r->end = DP_RNG_PAD + n;
		return dp_os_random(r->mem + DP_RNG_PAD, n);
	}
}

uint8_t *
dp_rng_refill(struct dp_rng *r, size_t n)
{
	if (r->error == 0 && n > DP_RNG_TAKE)
		r->error = DP_EINVAL;
	if (r->error == 0) {
		/* the last take, and an unread rest shorter than n */
		if (r->pos >= DP_RNG_PAD)
			memset(r->mem + r->pos - DP_RNG_PAD, 0,
			    r->end - r->pos + DP_RNG_PAD);
		r->error = fill(r, n);
	}
	if (r->error != 0) {
		r->pos = r->end = DP_RNG_PAD;
		return NULL;
	}
	return r->mem + r->pos;
}

#define ODDS_MAX	((uint64_t)1 << 31)

void
dp_coin_always(struct dp_coin *c)
{
	*c = (struct dp_coin){ .always = true, .heads = 1, .x = INFINITY };
}

/*
 * Errors in ulps: e^-x within 2^e; times odds.num, over odds.den: within 2^(e + 31) + 1; plus 1,
 * exactly; the inverse of a number above 1 is not farther off, and 1 more: within 2^(e + 32).
 */
int
dp_coin_make(struct dp_coin *c, struct dp_q x, struct dp_q odds)
{
	struct dp_fx y, one, h;
	double r;
	int e, rc;

	if (x.den == 0 || odds.num == 0 || odds.num > ODDS_MAX || odds.den == 0 ||
	    odds.den > ODDS_MAX)
		return DP_EINVAL;
	if (x.num / x.den >= DP_COIN_REACH)
		x = (struct dp_q){ DP_COIN_REACH, 1 };
	dp_fx_set(&y, x.num);
	dp_fx_div_u64(&y, x.den);
	e = dp_fx_exp(&h, &y, 0);
	dp_fx_mul_u64(&h, odds.num);
	dp_fx_div_u64(&h, odds.den);
	dp_fx_set(&one, 1);
	dp_fx_add(&one, &h);
	dp_fx_inverse(&h, &one);
	*c = (struct dp_coin){ .always = false };
	if ((rc = dp_fx_bits(c->word, &h, e + 32)) != 0)
		return rc;
	c->x = dp_q_double(x);
	r = dp_q_double(odds) * exp(-c->x);
	c->heads = 1 / (1 + r);
	c->tails = r / (1 + r);
	return 0;
}

/* Wiped at once: beside an answer, what was drawn for it would tell the symbol. */
static int
word(struct dp_rng *r, uint64_t *w)
{
	const uint8_t *p = dp_rng_take(r, sizeof *w);

	if (DP_UNLIKELY(p == NULL))
		return r->error;
	memcpy(w, p, sizeof *w);
	*w = le64toh(*w);
	dp_rng_wipe(r);
	return 0;
}

int
dp_coin_toss(const struct dp_coin *c, struct dp_rng *r, bool *heads)
{
	uint64_t u = 0;
	unsigned i;
	int e;

	*heads = true;
	if (c->always)
		return 0;
	for (i = 0; i < 4; i++) {
		if ((e = word(r, &u)) != 0)
			return e;
		*heads = u < c->word[i];
		if (DP_LIKELY(u != c->word[i]))
			break;
	}
	return 0;
}

/*
 * The high word of u n, u uniform in 64 bits: each of 0 .. n - 1 for 2^64 / n of the u, rounded up
 * or down; the u that some have too many are those whose low word is below 2^64 mod n (Lemire
 * 2019).
 */
int
dp_fair(struct dp_rng *r, uint64_t n, uint64_t *out)
{
	dp_uwide m;
	uint64_t u = 0;
	int e;

	do {
		if ((e = word(r, &u)) != 0)
			return e;
		m = (dp_uwide)u * n;
	} while (DP_UNLIKELY((uint64_t)m < n) && (uint64_t)m < -n % n);
	*out = (uint64_t)(m >> 64);
	return 0;
}
