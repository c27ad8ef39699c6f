/* SPDX-License-Identifier: ISC */
/* noise.c - noise by its scale: the discrete Laplace, the discrete Gaussian, alias rows. */
#include <limits.h>
#include <math.h>
#include <sodium.h>
#include <string.h>

#include "base/fixed.h"
#include "internal.h"
#include "rng.h"

static int laplace_exact(const struct dp_noise *, struct dp_rng *,
	    const uint8_t *record, int64_t *z) DP_MUSTUSE;
static void noise_trees(struct dp_noise *);
static size_t laplace_lanes(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);
static size_t gauss_run(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);
static int gauss_exact(const struct dp_noise *, struct dp_rng *,
	    const uint8_t *record, int64_t *z) DP_MUSTUSE;
static double gauss_variance(struct dp_q sigma2);

void
dp_noise_none(struct dp_noise *nz)
{
	/* read with tables only: in plans that only predict these pages stay untouched */
	memset(nz, 0, offsetof(struct dp_noise, row));
	nz->kind = DP_NOISE_NONE;
}

int
dp_noise_describe(struct dp_noise *nz, enum dp_noise_kind kind,
    struct dp_q param)
{
	unsigned most = kind == DP_NOISE_GAUSS ? 56 : 40;

	if (param.den == 0)
		return DP_EINVAL;
	if (param.num > (dp_uwide)param.den << most)
		return DP_ERANGE;
	if ((dp_uwide)param.num * 64 < param.den)
		param = dp_q_make(1, 64);
	dp_noise_none(nz);
	nz->kind = kind;
	nz->param = param;
	return 0;
}

int
dp_noise_build(struct dp_noise *nz)
{
	int e;

	if (nz->kind == DP_NOISE_NONE || nz->digits != 0)
		return 0;
	e = nz->kind == DP_NOISE_GAUSS ? dp_noise_gauss(nz, nz->param) :
	    dp_noise_laplace(nz, nz->param);
	if (e == 0)
		nz->variance = dp_noise_variance(nz);
	return e;
}

/* Draws up to n values, at least one trial. */
static int
some(const struct dp_noise *nz, struct dp_rng *r, int64_t *z, size_t n,
    size_t *got)
{
	bool gauss = nz->kind == DP_NOISE_GAUSS;
	uint8_t *p, record[DP_RNG_TAKE];
	size_t trials, done;
	int64_t x;
	int rc;

	/*
	 * Of several at once some may be rejected: let the run have more, it spends what it needs.
	 */
	if ((trials = dp_rng_span(r, &p, nz->record, n == 1 ? 1 : SIZE_MAX)) == 0)
		return r->error;
	if (gauss)
		done = gauss_run(nz, p, trials, z, n, got);
	else
		done = dp_laplace_run(nz, p, trials, z, n, got);
	if (DP_LIKELY(done == trials || *got == n)) {
		dp_rng_spend(r, done * nz->record);
		return 0;
	}
	/* Copy out and wipe, only then take more: a refill would move the
	 * bytes from under the record. */
	memcpy(record, p + done * nz->record, nz->record);
	dp_rng_spend(r, (done + 1) * nz->record);
	rc = gauss ? gauss_exact(nz, r, record, &x) :
	    laplace_exact(nz, r, record, &x);
	dp_rng_wipe(r);
	explicit_bzero(record, sizeof record);
	if (rc < 0)
		return rc;
	if (rc == 1)
		z[(*got)++] = x;
	return 0;
}

static int
known(struct dp_rng *r, int64_t *z, size_t n)
{
	if (r->error == 0 && r->left < n)
		r->error = DP_EENTROPY;
	if (r->error != 0)
		return r->error;
	memcpy(z, r->known, n * sizeof *z);
	r->known += n;
	r->left -= n;
	return 0;
}

int
dp_noise_fill(const struct dp_noise *nz, struct dp_rng *r, int64_t *z, size_t n)
{
	size_t got;
	int rc = 0;

	if (n == 0)
		return 0;
	if (nz->kind == DP_NOISE_NONE) {
		memset(z, 0, n * sizeof *z);
		return 0;
	}
	if (r->kind == DP_RNG_KNOWN)
		return known(r, z, n);
	if (nz->digits == 0)
		return DP_EINVAL;
	for (; n > 0 && rc == 0; z += got, n -= got) {
		got = 0;
		rc = some(nz, r, z, n, &got);
	}
	if (r->kind == DP_RNG_KERNEL && !r->ahead)	/* pan-private: no trace on the stack */
		sodium_stackzero(DP_RNG_STACK);
	return rc;
}

double
dp_noise_variance(const struct dp_noise *nz)
{
	double s;

	if (nz->variance > 0)
		return nz->variance;
	switch (nz->kind) {
	case DP_NOISE_LAPLACE:
		/* 2q/(1-q)^2 = 1/(cosh(1/b) - 1) = 1/(2 sinh(1/(2b))^2), which
		 * cancels nothing */
		s = sinh(1 / (2 * dp_q_double(nz->param)));
		return 1 / (2 * s * s);
	case DP_NOISE_GAUSS:
		return gauss_variance(nz->param);
	case DP_NOISE_NONE:
	default:
		return 0;
	}
}

const char *
dp_noise_name(enum dp_noise_kind kind)
{
	static const char *const name[] = { "none", "discrete Laplace", "discrete Gaussian",
	    "permute-and-flip", "exponential mechanism" };

	return name[kind];
}

/*
 * Discrete Laplace by independent radix-16 digits; noise.h says how and
 * why.
 *
 * Why it is exact to 2^-100.  Thresholds are rounded down to 256 bits, so a
 * digit's probability is off by less than 2^-256.  Every digit has probability
 * >= 2^-93: digits below the top have ratio y with y^15 >= exp(-15 * 23/31),
 * and the top digit is cut at z^top >= 2^-64 or at top = 1, where z >=
 * exp(-64).  So each digit is right to a factor exp(+-2^-162), and a draw uses
 * at most 11 + ESCAPES of them; dividing by the probability that minus zero is
 * not drawn at most doubles that.
 */

/*
 * The top digit escapes with probability z^top <= 2^-32: its thresholds reach
 * 23 b, or z^(top+1) < 2^-64.  More than ESCAPES in one draw are refused:
 * probability < 2^-65000, unless the bytes are not random, for example all
 * ones for ever.
 */
#define ESCAPES		2048
#define REACH		23	/* > 32 ln 2 */

/* One threshold: 256 bits for the slow path, 32 for the rows. */
static int
put(struct dp_noise *nz, unsigned k, unsigned j, const struct dp_fx *v, int e)
{
	uint64_t *w = nz->exact[15 * k + j];
	uint32_t u;
	int rc;

	if ((rc = dp_fx_bits(w, v, e)) != 0)
		return rc;
	u = (uint32_t)(w[0] >> 32);
	if (k == nz->digits - 1)
		u &= ~(uint32_t)1;
	nz->row[16 * k + j] = (int32_t)((int64_t)u - DP_NOISE_BIAS);
	return 0;
}

/*
 * Digit k < digits-1, ratio y (within 2^e ulp): F_j = s_j / s_16 with s_j = 1
 * + y + .. + y^(j-1).  Errors in ulps: y^i i (2^e + 1), s_j at most 120 (2^e +
 * 1) < 2^(e+7), its inverse the same and 1 more (s_16 >= 1), F_j less than 17
 * 2^(e+7).
 */
static int
lower_row(struct dp_noise *nz, unsigned k, const struct dp_fx *y, int e)
{
	struct dp_fx s[16], power, inverse;
	unsigned j;
	int rc;

	dp_fx_set(&power, 1);
	s[0] = power;
	for (j = 1; j < 16; j++) {
		dp_fx_mul(&power, y);
		s[j] = s[j - 1];
		dp_fx_add(&s[j], &power);
	}
	dp_fx_inverse(&inverse, &s[15]);
	for (j = 0; j < 15; j++) {
		dp_fx_mul(&s[j], &inverse);
		if ((rc = put(nz, k, j, &s[j], e + 12)) != 0)
			return rc;
	}
	return 0;
}

/* The top digit: F_j = 1 - z^j, z^j within j (2^e + 1) < 2^(e+6) ulp, j <= 31. */
static int
top_row(struct dp_noise *nz, const struct dp_fx *z, int e)
{
	unsigned most = nz->wide ? 31 : 15;
	struct dp_fx power = *z, f;
	int rc;

	for (nz->top = 0; nz->top < most; nz->top++) {
		if (nz->top > 0 && power.limb[DP_FX_LIMBS - 1] == 0)
			break;		/* z^(top+1) < 2^-64 */
		dp_fx_set(&f, 1);
		dp_fx_sub(&f, &power);
		if ((rc = put(nz, nz->digits - 1, nz->top, &f, e + 6)) != 0)
			return rc;
		dp_fx_mul(&power, z);
	}
	return 0;
}

/* The tables for b = num/den; both > 0, 1/64 <= b <= 2^40. */
static int
noise_rows(struct dp_noise *nz, uint64_t num, uint64_t den)
{
	dp_uwide reach = den;		/* 16^(digits-1) den */
	struct dp_fx y, t;
	unsigned i, k;
	int e, rc;

	for (nz->digits = 1; 31 * reach < (dp_uwide)REACH * num; reach <<= 4)
		nz->digits++;
	nz->wide = 15 * reach < (dp_uwide)REACH * num;
	nz->record = 4 * (size_t)nz->digits;
	/* Beyond a row's thresholds nothing is above U; the largest word ties. */
	for (i = 0; i < 16 * (DP_NOISE_DIGITS + 1); i++)
		nz->row[i] = i < 16 * (nz->digits - 1) ? INT32_MAX : INT32_MAX - 1;
	dp_fx_set(&t, den);
	dp_fx_div_u64(&t, num);
	e = dp_fx_exp(&y, &t, 0);
	for (k = 0; k < nz->digits - 1; k++) {
		if ((rc = lower_row(nz, k, &y, e)) != 0)
			return rc;
		/* y^16 is within 16 2^e + 15 ulp */
		for (i = 0; i < 4; i++) {
			t = y;
			dp_fx_mul(&y, &t);
		}
		e += 5;
	}
	if ((rc = top_row(nz, &y, e)) != 0)
		return rc;
	noise_trees(nz);
	return 0;
}

int
dp_noise_laplace(struct dp_noise *nz, struct dp_q b)
{
	struct dp_noise t = { .digits = 0 };
	int rc;

	if ((rc = dp_noise_describe(&t, DP_NOISE_LAPLACE, b)) != 0 ||
	    (rc = noise_rows(&t, t.param.num, t.param.den)) != 0)
		return rc;
	*nz = t;
	return 0;
}

DP_INLINE size_t
run_laplace(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want,
    size_t *got,
    const unsigned digits, const bool wide)
{
	uint64_t g, negative;
	size_t i, k = 0;

	for (i = 0; i < n && k < want; i++, p += 4 * digits) {
		if (DP_UNLIKELY(dp_trial(nz, p, digits, wide, &g, &negative) != 0))
			break;
		z[k] = (int64_t)((g ^ negative) - negative);
		k += (g | ~negative) != 0;
	}
	*got = k;
	return i;
}

static size_t
one_by_one(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z,
    size_t want, size_t *got)
{
	/* Public: the number of digits depends on the scale alone. */
	switch (nz->digits * 2 + nz->wide) {
	case 2: return run_laplace(nz, p, n, z, want, got, 1, false);
	case 3: return run_laplace(nz, p, n, z, want, got, 1, true);
	case 4: return run_laplace(nz, p, n, z, want, got, 2, false);
	case 5: return run_laplace(nz, p, n, z, want, got, 2, true);
	case 6: return run_laplace(nz, p, n, z, want, got, 3, false);
	case 7: return run_laplace(nz, p, n, z, want, got, 3, true);
	case 8: return run_laplace(nz, p, n, z, want, got, 4, false);
	case 9: return run_laplace(nz, p, n, z, want, got, 4, true);
	case 10: return run_laplace(nz, p, n, z, want, got, 5, false);
	case 11: return run_laplace(nz, p, n, z, want, got, 5, true);
	case 12: return run_laplace(nz, p, n, z, want, got, 6, false);
	case 13: return run_laplace(nz, p, n, z, want, got, 6, true);
	default: return run_laplace(nz, p, n, z, want, got, nz->digits, nz->wide);
	}
}

size_t
dp_laplace_run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z,
    size_t want, size_t *got)
{
	size_t done = 0, more;

	*got = 0;
	if (n > 1)
		done = laplace_lanes(nz, p, n, z, want, got);
	if (done < n && *got < want) {
		done += one_by_one(nz, p + done * nz->record, n - done, z + *got, want - *got,
		    &more);
		*got += more;
	}
	return done;
}

/* Digit k from a U whose first `known` bits are those of u: all 256 bits compared. */
static int
exact_digit(const struct dp_noise *nz, struct dp_rng *r, unsigned k, uint32_t u,
    unsigned known, unsigned *d)
{
	unsigned i, j, n = k == nz->digits - 1 ? nz->top : 15;
	const uint64_t (*f)[4] = &nz->exact[15 * k];
	uint8_t *p = dp_rng_take(r, 32);
	uint64_t w[4];

	if (p == NULL)
		return r->error;
	for (i = 0; i < 4; i++)
		w[i] = dp_load64(p + 8 * i);
	if (known != 0)
		w[0] = (uint64_t)(u >> (32 - known)) << (64 - known) | w[0] >> known;
	for (j = 0; j < n; j++) {
		for (i = 0; i < 3 && w[i] == f[j][i]; i++)
			;
		if (w[i] < f[j][i])
			break;
	}
	*d = j;
	explicit_bzero(w, sizeof w);
	return 0;
}

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
static int
laplace_exact(const struct dp_noise *nz, struct dp_rng *r, const uint8_t *record,
    int64_t *z)
{
	unsigned k, d = 0, escapes = 0, last = nz->digits - 1;
	uint64_t g = 0, high;
	uint32_t u = 0;
	int rc;

	for (k = 0; k <= last; k++) {
		u = dp_load32(record + 4 * k);
		/* the top word's lowest bit is the sign */
		if ((rc = exact_digit(nz, r, k, u, k < last ? 32 : 31, &d)) != 0)
			return rc;
		if (k < last)
			g |= (uint64_t)d << 4 * k;
	}
	for (high = d; d == nz->top; high += d) {
		if (++escapes > ESCAPES)
			return DP_ERANGE;
		if ((rc = exact_digit(nz, r, last, 0, 0, &d)) != 0)
			return rc;
	}
	g |= high << 4 * last;	/* high < 2049 * 31 < 2^16, last <= 10: g < 2^56 */
	*z = (u & 1) != 0 ? -(int64_t)g : (int64_t)g;
	return (u & 1) == 0 || g != 0;
}

/*
 * Trials of the discrete Laplace side by side, one a lane (AVX2): where dp_trial() compares a word
 * with all thresholds at once, here each lane descends a search tree of them.  The tree's levels
 * lie in registers and a permutation within one fetches a lane's next threshold, so addresses and
 * branches are independent of words.  The trials are dp_trial()'s, byte for byte; elsewhere than on
 * such processors all are left to it.
 */

#define LEVEL	8		/* words of a level; the fifth has two times as many */

/* Level l < h of a tree over the 2^h - 1 thresholds of a row, which ascend. */
static void
fill_level(int32_t *to, const int32_t *row, unsigned h, unsigned l)
{
	unsigned i, half = 1u << (h - 1 - l);

	for (i = 0; i < 1u << l; i++)
		to[i] = row[(2 * i + 1) * half - 1];
}

/* The trees, from the rows. */
static void
noise_trees(struct dp_noise *nz)
{
	unsigned k, l, h;

	if (nz->digits > DP_NOISE_LANES)
		return;
	for (k = 0; k < nz->digits; k++) {
		h = k == nz->digits - 1 && nz->wide ? 5 : 4;
		for (l = 0; l < h; l++)
			fill_level(nz->tree + 4 * LEVEL * k + LEVEL * l, nz->row + 16 * k, h, l);
	}
}

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2	__attribute__((target("avx2")))
#define LANES	8

/* A node's threshold t: the child to go on with. */
AVX2 DP_INLINE __m256i
child(__m256i i, __m256i u, __m256i t, __m256i *tie)
{
	*tie = _mm256_or_si256(*tie, _mm256_cmpeq_epi32(t, u));
	return _mm256_sub_epi32(_mm256_add_epi32(i, i), _mm256_cmpgt_epi32(u, t));
}

/* Number of thresholds that each lane's u exceeds; a tie is met on the way. */
AVX2 DP_INLINE __m256i
descend(const int32_t *tree, __m256i u, const bool wide, __m256i *tie)
{
	const __m256i *level = (const __m256i *)(const void *)tree;
	__m256i i = _mm256_setzero_si256(), a, b, upper;
	unsigned l;

	for (l = 0; l < 4; l++)
		i = child(i, u, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + l), i), tie);
	if (wide) {
		a = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + 4), i);
		b = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(level + 5), i);
		upper = _mm256_cmpgt_epi32(i, _mm256_set1_epi32(LEVEL - 1));
		i = child(i, u, _mm256_blendv_epi8(a, b, upper), tie);
	}
	return i;
}

/* Word k of eight records; of two words a record, in the order of order[1]. */
AVX2 DP_INLINE __m256i
words(const uint8_t *p, const unsigned digits, unsigned k)
{
	const __m256i *q = (const __m256i *)(const void *)p;
	__m256 a, b;
	__m256i step;

	if (digits == 1)
		return _mm256_loadu_si256(q);
	if (digits == 2) {
		a = _mm256_castsi256_ps(_mm256_loadu_si256(q));
		b = _mm256_castsi256_ps(_mm256_loadu_si256(q + 1));
		return _mm256_castps_si256(k == 0 ? _mm256_shuffle_ps(a, b, 0x88) :
		    _mm256_shuffle_ps(a, b, 0xdd));
	}
	step = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
	    _mm256_set1_epi32((int)digits));
	return _mm256_i32gather_epi32((const int *)(const void *)(p + 4 * k), step, 4);
}

/*
 * Eight trials on the records at p: their values, and -1 for each to be kept; false if one of them
 * is rare, then the values mean nothing.  A magnitude has at most 25 bits.
 */
AVX2 DP_INLINE bool
trials(const struct dp_noise *nz, const uint8_t *p, const unsigned digits, const bool wide,
    int32_t z[LANES], int32_t kept[LANES])
{
	const __m256i bias = _mm256_set1_epi32(INT32_MIN), none = _mm256_setzero_si256();
	__m256i tie = none, g = none, negative, u, d;
	unsigned k;

#pragma GCC unroll 6
	for (k = 0; k < digits - 1; k++) {
		u = _mm256_xor_si256(words(p, digits, k), bias);
		d = descend(nz->tree + 4 * LEVEL * k, u, false, &tie);
		g = _mm256_or_si256(g, _mm256_slli_epi32(d, 4 * (int)k));
		/* the filling of a row */
		tie = _mm256_or_si256(tie, _mm256_cmpeq_epi32(u, _mm256_set1_epi32(INT32_MAX)));
	}
	u = words(p, digits, k);
	negative = _mm256_srai_epi32(_mm256_slli_epi32(u, 31), 31);
	u = _mm256_xor_si256(_mm256_andnot_si256(_mm256_set1_epi32(1), u), bias);
	d = descend(nz->tree + 4 * LEVEL * k, u, wide, &tie);
	g = _mm256_or_si256(g, _mm256_slli_epi32(d, 4 * (int)k));
	/* minus zero is not kept */
	d = _mm256_xor_si256(_mm256_and_si256(_mm256_cmpeq_epi32(g, none), negative),
	    _mm256_set1_epi32(-1));
	g = _mm256_sub_epi32(_mm256_xor_si256(g, negative), negative);
	_mm256_storeu_si256((__m256i *)(void *)z, g);
	_mm256_storeu_si256((__m256i *)(void *)kept, d);
	return _mm256_testz_si256(tie, tie);
}

AVX2 DP_INLINE size_t
run_lanes(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want,
    size_t *got,
    const unsigned digits, const bool wide)
{
	static const uint8_t order[2][LANES] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 4, 5, 2, 3, 6, 7 }
	};
	const uint8_t *lane = order[digits == 2];
	int32_t v[LANES], kept[LANES];
	size_t i = 0, j, k = 0;

	for (; n - i >= LANES && want - k >= LANES; i += LANES) {
		if (DP_UNLIKELY(!trials(nz, p + i * 4 * digits, digits, wide, v, kept)))
			break;
#pragma GCC unroll 8
		for (j = 0; j < LANES; j++) {
			z[k] = v[lane[j]];
			k -= (size_t)(ptrdiff_t)kept[lane[j]];
		}
	}
	if (n - i >= LANES && k < want && trials(nz, p + i * 4 * digits, digits, wide, v, kept))
		for (j = 0; j < LANES && k < want; j++, i++) {
			z[k] = v[lane[j]];
			k -= (size_t)(ptrdiff_t)kept[lane[j]];
		}
	*got = k;
	return i;
}

AVX2 static size_t
choose(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want, size_t *got)
{
	switch (nz->digits * 2 + nz->wide) {
	case 2: return run_lanes(nz, p, n, z, want, got, 1, false);
	case 3: return run_lanes(nz, p, n, z, want, got, 1, true);
	case 4: return run_lanes(nz, p, n, z, want, got, 2, false);
	case 5: return run_lanes(nz, p, n, z, want, got, 2, true);
	case 6: return run_lanes(nz, p, n, z, want, got, 3, false);
	case 7: return run_lanes(nz, p, n, z, want, got, 3, true);
	case 8: return run_lanes(nz, p, n, z, want, got, 4, false);
	case 9: return run_lanes(nz, p, n, z, want, got, 4, true);
	case 10: return run_lanes(nz, p, n, z, want, got, 5, false);
	case 11: return run_lanes(nz, p, n, z, want, got, 5, true);
	default: return run_lanes(nz, p, n, z, want, got, 6, nz->wide);
	}
}
#endif

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
static size_t
laplace_lanes(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want,
    size_t *got)
{
#ifdef __x86_64__
	if (nz->digits <= DP_NOISE_LANES && __builtin_cpu_supports("avx2"))
		return choose(nz, p, n, z, want, got);
#else
	(void)nz, (void)p, (void)n, (void)z, (void)want;
#endif
	*got = 0;
	return 0;
}

/*
 * Discrete Gaussian by rejection from a discrete Laplace, after Canonne,
 * Kamath, Steinke 2020, Algorithm 3, with a centre that makes the acceptance
 * an integer over 2 sigma^2: with h = max(1, floor(2 sigma)), m = floor(h/2),
 * o = h mod 2,
 *
 *   propose y with P(y) proportional to exp(-|y| h / (2 sigma^2)), that is
 *           with b = 2 sigma^2 / h;
 *   accept  with probability exp(-n / (2 sigma^2)), n = (|y|-m) (|y|-m-o) >= 0.
 *
 * The exponents add to (y^2 + m(m+o)) / (2 sigma^2).  (Algorithm 3 proposes
 * with b = floor(sigma)+1; any b is right, and this one keeps every number
 * below 2^64.)  More than 60% of the proposals are accepted.
 *
 * The acceptance compares a 64-bit uniform with exp(-n / (2 sigma^2)) in fixed
 * point, off by less than 64 units of 2^-63; only if the difference is no
 * larger (probability 2^-56), or the proposal was rare, is the probability
 * computed to 256 bits and the uniform drawn to as many.  Trials are kept or
 * dropped without a branch.
 */

#define GAMMA_MAX	256	/* exp(-256) < 2^-256 */

/* (ln 2)^k / k! in units of 2^-63, rounded to nearest */
static const uint64_t exp2_term[] = {
	0x8000000000000000, 0x58b90bfbe8e7bcd6, 0x1ebfbdff82c58ea8,
	0x071ac235c1282fe3, 0x013b2ab6fba4e773, 0x002bb0ffcf14ce62,
	0x00050c244be1b1e2, 0x00007ff2ff1622c3, 0x00000b160111d2e4,
	0x000000da929e9caf, 0x0000000f267a8ac6, 0x00000000f465639b,
	0x000000000e1deb28, 0x0000000000c0b0ca, 0x0000000000098a4b,
	0x00000000000070dc, 0x00000000000004e4, 0x0000000000000033,
	0x0000000000000002
};
#define TERMS	(sizeof exp2_term / sizeof exp2_term[0])

DP_INLINE uint64_t
high64(uint64_t a, uint64_t b)
{
	return (uint64_t)((dp_uwide)a * b >> 64);
}

static uint64_t
isqrt(dp_uwide n)
{
	dp_uwide x = 0, bit;

	for (bit = (dp_uwide)1 << 40; bit > 0; bit >>= 1)
		if ((x + bit) * (x + bit) <= n)
			x += bit;
	return (uint64_t)x;
}

/* log2(e) / (2 sigma^2) = rate 2^-shift, 64 significant bits, rounded down. */
static void
set_rate(struct dp_noise *nz, struct dp_q s2)
{
	struct dp_fx v;
	unsigned i = DP_FX_LIMBS, zeros;

	dp_fx_set(&v, 1);		/* log2(e) to 128 bits of fraction */
	v.limb[DP_FX_LIMBS - 1] = 0x71547652b82fe177;
	v.limb[DP_FX_LIMBS - 2] = 0x7d0ffda0d23a7d11;
	dp_fx_mul_u64(&v, s2.den);
	dp_fx_div_u64(&v, 2 * s2.num);
	while (v.limb[i] == 0)
		i--;
	zeros = (unsigned)__builtin_clzll(v.limb[i]);
	nz->rate = v.limb[i] << zeros;
	if (zeros > 0)
		nz->rate |= v.limb[i - 1] >> (64 - zeros);
	nz->rate_shift = 64 * (DP_FX_LIMBS - i) + zeros;
}

int
dp_noise_gauss(struct dp_noise *nz, struct dp_q sigma2)
{
	struct dp_noise t = { .digits = 0 };
	struct dp_q s2;
	uint64_t h;
	int rc;

	if ((rc = dp_noise_describe(&t, DP_NOISE_GAUSS, sigma2)) != 0)
		return rc;
	s2 = t.param;
	h = isqrt((dp_uwide)4 * s2.num / s2.den);
	if (h == 0)
		h = 1;
	t.centre = (int64_t)(h / 2);
	t.odd = (int64_t)(h % 2);
	/* At 10 sigma the acceptance is below 2^-63: farther need not be told
	 * apart by the fast path.  At most 2^31.4, so that n < 2^63. */
	t.reach = (int64_t)isqrt((dp_uwide)100 * s2.num / s2.den) + 2;
	set_rate(&t, s2);
	/* den h <= 2 sqrt(num den) < 2^64 */
	if ((rc = noise_rows(&t, 2 * s2.num, s2.den * h)) != 0)
		return rc;
	t.record += 8;
	*nz = t;
	return 0;
}

/*
 * exp(-n / (2 sigma^2)) in units of 2^-63, within 32.  With x = n rate 2^-shift
 * it is 2^-x = 2^-floor(x) sum (-ln 2 f)^k / k!, f = frac(x); even and odd terms
 * apart, for two short chains of products.  Errors in units: rate and f below 1
 * together (x 2^-x < 0.54), coefficients 19/2, products 20, series 0.1, last
 * shift 1.
 */
DP_INLINE uint64_t
accept63(const struct dp_noise *nz, int64_t d)
{
	const unsigned s = nz->rate_shift;
	uint64_t f, ff, whole, even, odd;
	dp_uwide x;
	size_t k;

	d = d < nz->reach ? d : nz->reach;
	x = (dp_uwide)nz->rate * (uint64_t)(d * (d - nz->odd));
	whole = (uint64_t)(x >> s);
	whole = whole < 63 ? whole : 63;
	f = (uint64_t)(s >= 64 ? x >> (s - 64) : x << (64 - s));
	ff = high64(f, f);
	even = exp2_term[TERMS - 1];
	odd = exp2_term[TERMS - 2];
	for (k = TERMS - 3; k > 0; k -= 2) {
		even = exp2_term[k] + high64(ff, even);
		odd = exp2_term[k - 1] + high64(ff, odd);
	}
	even = exp2_term[0] + high64(ff, even);
	return (even - high64(f, odd)) >> whole;
}

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
static size_t
gauss_run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z,
    size_t want, size_t *got)
{
	uint64_t g, negative, u, a;
	size_t i, k = 0;
	unsigned rare;

	for (i = 0; i < n && k < want; i++, p += nz->record) {
		rare = dp_trial(nz, p, nz->digits, nz->wide, &g, &negative);
		u = dp_load64(p + nz->record - 8) >> 1;
		a = accept63(nz, (int64_t)g - nz->centre);
		rare |= u - a + DP_GAUSS_SLACK <= 2 * DP_GAUSS_SLACK;
		if (DP_UNLIKELY(rare != 0))
			break;
		z[k] = (int64_t)((g ^ negative) - negative);
		k += ((g | ~negative) != 0) & (u < a);
	}
	*got = k;
	return i;
}

uint64_t
dp_gauss_accept(const struct dp_noise *nz, int64_t d)
{
	return accept63(nz, d);
}

/*
 * exp(-gamma), gamma = |d| |d-o| den / (2 num) > 0: the division is off by an
 * ulp of 2^-512, which the products make less than 2^121.
 */
void
dp_gauss_accept_exact(const struct dp_noise *nz, int64_t d, uint64_t w[4])
{
	uint64_t a = (uint64_t)(d < 0 ? -d : d);
	uint64_t b = (uint64_t)(d < nz->odd ? nz->odd - d : d - nz->odd);
	struct dp_fx gamma, p;
	int i;

	dp_fx_set(&gamma, a);
	dp_fx_div_u64(&gamma, 2 * nz->param.num);
	dp_fx_mul_u64(&gamma, nz->param.den);	/* < 2^56 * 32 */
	memset(w, 0, DP_FX_WORDS * sizeof *w);
	if ((dp_uwide)gamma.limb[DP_FX_LIMBS] * b >= GAMMA_MAX)
		return;
	dp_fx_mul_u64(&gamma, b);
	if (gamma.limb[DP_FX_LIMBS] >= GAMMA_MAX)
		return;
	/*
	 * Other than dp_fx_bits(), which may refuse: a refusal here would depend on the value
	 * drawn, and an error of 2^-255 is harmless.
	 */
	(void)dp_fx_exp(&p, &gamma, 121);
	for (i = 0; i < DP_FX_WORDS; i++)
		w[i] = p.limb[DP_FX_LIMBS - 1 - i];
	explicit_bzero(&gamma, sizeof gamma);
	explicit_bzero(&p, sizeof p);
}

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
static int
gauss_exact(const struct dp_noise *nz, struct dp_rng *r, const uint8_t *record,
    int64_t *z)
{
	uint64_t w[DP_FX_WORDS], u[DP_FX_WORDS];
	int64_t y, d;
	uint8_t *p;
	size_t i;
	int rc;

	if ((rc = laplace_exact(nz, r, record, &y)) != 1)
		return rc;
	if ((p = dp_rng_take(r, 24)) == NULL)
		return r->error;
	u[0] = dp_load64(record + nz->record - 8);
	for (i = 1; i < DP_FX_WORDS; i++)
		u[i] = dp_load64(p + 8 * (i - 1));
	d = (y < 0 ? -y : y) - nz->centre;
	if (d != 0 && d != nz->odd) {
		dp_gauss_accept_exact(nz, d, w);
		for (i = 0; i < DP_FX_WORDS - 1 && u[i] == w[i]; i++)
			;
		rc = u[i] < w[i];
		explicit_bzero(w, sizeof w);
	}
	explicit_bzero(u, sizeof u);
	if (rc == 1)
		*z = y;
	return rc;
}

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
static double
gauss_variance(struct dp_q sigma2)
{
	double s2 = dp_q_double(sigma2), mass = 1, sum = 0, p, k;

	/* Poisson summation: they differ by about 8 pi^2 s2^2 exp(-2 pi^2 s2). */
	if (s2 >= 9)
		return s2;
	for (k = 1; (p = exp(-k * k / (2 * s2))) > 0; k++) {
		mass += 2 * p;
		sum += 2 * p * k * k;
	}
	return sum / mass;
}

/*
 * Weights to whole units, units to columns (noise.h).
 */

#define KEPT	((uint64_t)1 << 43)	/* units of an outcome, at least */
#define LAST	17			/* -log2 of the last one's probability, at most */

static unsigned
length(dp_uwide w)
{
	const uint64_t high = (uint64_t)(w >> 64), low = (uint64_t)w;

	return high != 0 ? 128 - (unsigned)__builtin_clzll(high) :
	    low != 0 ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* 1 / w, rounded down. */
static struct dp_real
inverse(dp_uwide w)
{
	const unsigned n = length(w);
	const uint64_t d = (uint64_t)(w >> (n - 63)) + 1;

	return (struct dp_real){ (uint64_t)(((dp_uwide)1 << 126) / d), 1 - (int64_t)n };
}

/* w 2^63 / sum, rounded down: fewer units than 2^63. */
static uint64_t
share(dp_uwide w, struct dp_real over)
{
	const unsigned n = length(w);
	struct dp_real u;

	if (n == 0)
		return 0;
	u = (struct dp_real){ (uint64_t)(n > 64 ? w >> (n - 64) : w << (64 - n)), n };
	u = dp_times(u, over);
	return u.x < -62 ? 0 : u.m >> (1 - u.x);
}

unsigned
dp_alias_units(struct dp_alias *a, const dp_uwide *W, dp_uwide sum)
{
	const struct dp_real over = inverse(sum);
	const unsigned width = 1u << a->bits;
	uint64_t missing = (uint64_t)1 << 63, u;
	dp_uwide left = sum;
	unsigned j, first, last = width - 1, most = last;

	memset(a->unit, 0, sizeof a->unit);
	for (first = 0; first < last; first++) {
		u = share(W[first], over);
		if (u < KEPT || (left - W[first]) << LAST < sum)
			break;
		left -= W[first];
		a->unit[first] = u;
		missing -= u;
	}
	a->unit[last] = share(left, over);
	missing -= a->unit[last];
	for (j = 0; j < first; j++)
		if (a->unit[j] > a->unit[most])
			most = j;
	a->unit[most] += missing;
	return first;
}

/* Vose's construction: it ends with columns that are full of one outcome. */
void
dp_alias_columns(struct dp_alias *a, uint32_t *column, uint32_t *tie)
{
	const uint64_t full = (uint64_t)1 << (63 - a->bits);
	const unsigned width = 1u << a->bits;
	unsigned i, s, l, small = 0, large = 0;

	for (i = 0; i < width; i++) {
		column[i] = i;
		tie[i] = 0;
		if (a->unit[i] < full)
			a->small[small++] = (uint16_t)i;
		else
			a->large[large++] = (uint16_t)i;
	}
	while (small > 0) {
		s = a->small[--small];
		l = a->large[large - 1];
		column[s] = (uint32_t)(a->unit[s] >> 32) << a->bits | l;
		tie[s] = (uint32_t)a->unit[s];
		a->unit[l] -= full - a->unit[s];
		if (a->unit[l] < full) {
			a->small[small++] = (uint16_t)l;
			large--;
		}
	}
}
