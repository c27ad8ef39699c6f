/* SPDX-License-Identifier: ISC */
/*
 * noise.h without statistics: parameters, scripts, ties to the last of 256
 * bits, every outcome of a 16-bit script, splits of a batch, wiping, failures.
 * The laws are t_noise_law.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "kernel.h"
#include "random/internal.h"
#include "random/rng.h"

static size_t asked, calls;
static int budget = -1;			/* calls of getrandom(2) before it fails */

/* Bytes that look random and are always the same: in others a word may tie with a threshold. */
static ssize_t
fixed(void *p, size_t n)
{
	static struct dp_rng *r;
	size_t i, k;

	if (r == NULL)
		check(dp_rng_open_seed(&r, 20261122) == 0);
	for (i = 0; i < n; i += k) {
		k = n - i < DP_RNG_TAKE ? n - i : DP_RNG_TAKE;
		memcpy((uint8_t *)p + i, dp_rng_take(r, k), k);
	}
	return (ssize_t)n;
}

static ssize_t
kernel_random(void *p, size_t n, unsigned flags)
{
	(void)flags;
	if (budget == 0) {
		errno = ENOSYS;
		return -1;
	}
	if (budget > 0)
		budget--;
	calls++;
	asked += n;
	return fixed(p, n);
}

static struct dp_noise nz;

static bool
zero(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint8_t any = 0;

	while (n-- > 0)
		any |= *b++;
	return any == 0;
}

/* One draw from a script; bytes left over are an error, as is a draw that wants more. */
static int64_t
scripted(const uint8_t *bytes, size_t n, int *rc)
{
	struct dp_rng *r;
	int64_t z = INT64_MIN;

	check(dp_rng_open_bytes(&r, bytes, n) == 0);
	*rc = dp_noise_fill(&nz, r, &z, 1);
	if (*rc == 0)
		check(r->left == 0);
	dp_rng_free(r);
	return z;
}

static void
put32(uint8_t *p, uint32_t x)
{
	x = htole32(x);
	memcpy(p, &x, 4);
}

static void
put64(uint8_t *p, uint64_t x)
{
	x = htole64(x);
	memcpy(p, &x, 8);
}

static void
parameters(void)
{
	const struct dp_q none = { 1, 0 };
	const uint64_t two40 = (uint64_t)1 << 40, two56 = (uint64_t)1 << 56;
	struct dp_noise copy;

	check(dp_noise_laplace(&nz, dp_q_make(20, 1)) == 0);
	check(nz.kind == DP_NOISE_LAPLACE && nz.param.num == 20 && nz.param.den == 1);
	check(nz.digits == 2 && nz.wide && nz.record == 8);
	copy = nz;
	check(dp_noise_laplace(&nz, none) == DP_EINVAL);
	check(dp_noise_gauss(&nz, none) == DP_EINVAL);
	check(dp_noise_laplace(&nz, dp_q_make(two40 + 1, 1)) == DP_ERANGE);
	check(dp_noise_laplace(&nz, dp_q_make(2 * two40 + 1, 2)) == DP_ERANGE);
	check(dp_noise_laplace(&nz, dp_q_make(INT64_MAX, 1)) == DP_ERANGE);
	check(dp_noise_gauss(&nz, dp_q_make(two56 + 1, 1)) == DP_ERANGE);
	check(memcmp(&copy, &nz, sizeof nz) == 0);	/* written only on success */

	check(dp_noise_laplace(&nz, dp_q_make(two40, 1)) == 0);
	check(nz.digits <= DP_NOISE_DIGITS && nz.record <= DP_RNG_TAKE);
	check(dp_noise_gauss(&nz, dp_q_make(two56, 1)) == 0);
	check(nz.record <= DP_RNG_TAKE);

	/* too small is taken for 1/64, exactly that is not */
	check(dp_noise_laplace(&nz, dp_q_make(1, 64)) == 0 && nz.param.den == 64);
	check(dp_noise_laplace(&nz, dp_q_make(1, 65)) == 0 && nz.param.den == 64);
	check(dp_noise_laplace(&nz, dp_q_make(0, 1)) == 0 && nz.param.den == 64);
	check(dp_noise_laplace(&nz, dp_q_make(1, INT64_MAX)) == 0 && nz.param.den == 64);
	check(dp_noise_laplace(&nz, dp_q_make(1, 63)) == 0 && nz.param.den == 63);
	check(dp_noise_gauss(&nz, dp_q_make(1, 1000)) == 0 && nz.param.den == 64);
	/* a scale is never rounded */
	check(dp_noise_laplace(&nz, dp_q_make(INT64_MAX, INT64_MAX - 2)) == 0);
	check(nz.param.num == INT64_MAX && nz.param.den == INT64_MAX - 2);

	check(dp_noise_describe(&copy, DP_NOISE_LAPLACE, dp_q_make(7, 2)) == 0);
	check(copy.kind == DP_NOISE_LAPLACE && copy.param.num == 7 && copy.digits == 0);
	check(dp_noise_describe(&copy, DP_NOISE_GAUSS, dp_q_make(two56, 1)) == 0);
	check(dp_noise_describe(&copy, DP_NOISE_LAPLACE, dp_q_make(two56, 1)) == DP_ERANGE);
}

static bool
near(double a, double b, double rel)
{
	return fabs(a - b) <= rel * fabs(b);
}

static double
variance(enum dp_noise_kind kind, uint64_t num, uint64_t den)
{
	struct dp_noise n;

	check(dp_noise_describe(&n, kind, dp_q_make(num, den)) == 0);
	return dp_noise_variance(&n);
}

static void
variances(void)
{
	/* spec-sums section 0 */
	static const struct {
		uint64_t b;
		double v;
	} want[] = {
		{ 1, 1.841347 }, { 2, 7.835396 }, { 3, 17.834255 }, { 4, 31.833853 },
		{ 5, 49.833666 }, { 8, 127.833463 }, { 10, 199.833417 }, { 12, 287.833391 }
	};
	long double q, p, mass, sum;
	uint64_t num, den;
	double b;
	size_t i;
	int k;

	for (i = 0; i < sizeof want / sizeof want[0]; i++)
		check(fabs(variance(DP_NOISE_LAPLACE, want[i].b, 1) - want[i].v) < 1e-6);
	/* against the sum of the law */
	for (num = 1; num <= 4096; num *= 4) {
		den = 64;
		q = expl(-(long double)den / (long double)num);
		sum = 0;
		for (k = 1, p = q; k == 1 || p * k * k > sum * 1e-20L; k++, p *= q)
			sum += 2 * p * k * (long double)k;
		check(near(variance(DP_NOISE_LAPLACE, num, den),
		    (double)(sum * (1 - q) / (1 + q)), 1e-13));
	}
	check(near(variance(DP_NOISE_LAPLACE, 1, 64), 2 * exp(-64), 1e-13));
	/* 2b^2 - 1/6 + O(b^-2) */
	for (b = 4096; b <= 0x1p40; b *= 16)
		check(near(variance(DP_NOISE_LAPLACE, (uint64_t)b, 1), 2 * b * b - 1.0 / 6, 1e-15));

	for (num = 1; num <= 100 * 64; num = num * 3 / 2 + 1) {
		mass = 1;
		sum = 0;
		for (k = 1; k < 200; k++) {
			p = expl(-(long double)k * k * 64 / (2 * (long double)num));
			mass += 2 * p;
			sum += 2 * p * k * k;
		}
		check(near(variance(DP_NOISE_GAUSS, num, 64), (double)(sum / mass), 1e-13));
	}
	check(variance(DP_NOISE_GAUSS, (uint64_t)1 << 56, 1) == 0x1p56);
	dp_noise_none(&nz);
	check(dp_noise_variance(&nz) == 0);
}

static void
known(void)
{
	static const int64_t script[] = { 5, -7, 0, 1 << 20, 3 };
	struct dp_rng *r;
	int64_t z[4] = { 9, 9, 9, 9 };

	check(dp_rng_open_known(&r, script, 5) == 0);
	dp_noise_none(&nz);
	check(dp_noise_fill(&nz, r, z, 2) == 0 && z[0] == 0 && z[1] == 0 && z[2] == 9);
	check(r->left == 5);			/* NONE consumes nothing */
	check(dp_noise_fill(&nz, NULL, z, 4) == 0 && zero(z, sizeof z));
	check(dp_noise_laplace(&nz, dp_q_make(3, 1)) == 0);
	check(dp_noise_fill(&nz, r, z, 1) == 0 && z[0] == 5);
	check(dp_noise_fill(&nz, r, z, 0) == 0 && r->left == 4);
	check(dp_noise_gauss(&nz, dp_q_make(3, 1)) == 0);
	check(dp_noise_fill(&nz, r, z, 3) == 0 && z[0] == -7 && z[1] == 0 && z[2] == 1 << 20);
	check(dp_noise_fill(&nz, r, z, 2) == DP_EENTROPY);
	check(dp_noise_fill(&nz, r, z, 1) == DP_EENTROPY);	/* sticky */
	dp_rng_free(r);

	check(dp_rng_open_seed(&r, 1) == 0);
	check(dp_noise_describe(&nz, DP_NOISE_LAPLACE, dp_q_make(3, 1)) == 0);
	check(dp_noise_fill(&nz, r, z, 1) == DP_EINVAL);
	dp_rng_free(r);
}

/*
 * Every value of the first 16 bits of a one-digit scale, followed by all zeros
 * and by all ones: when both give the same digit, so does everything between,
 * and 2^-16 of the probability is sure.  So P(digit) is bounded from below and
 * above, without statistics.
 */
static void
enumerate(uint64_t num, uint64_t den)
{
	enum { CELLS = 1 << 16, MOST = 32 };
	static double sure[MOST], open[MOST];
	double b = (double)num / (double)den, p;
	uint64_t g[2], minus;
	uint8_t w[4];
	unsigned u, i, lost = 0;

	check(dp_noise_laplace(&nz, dp_q_make(num, den)) == 0 && nz.digits == 1);
	memset(sure, 0, sizeof sure);
	memset(open, 0, sizeof open);
	for (u = 0; u < CELLS; u++) {
		unsigned rare = 0;

		for (i = 0; i < 2; i++) {
			put32(w, u << 16 | (i == 0 ? 0 : 0xfffe));
			rare |= dp_trial(&nz, w, 1, nz.wide, &g[i], &minus);
			check(minus == 0);
		}
		if (rare || g[0] != g[1]) {
			lost++;
			for (i = 0; i < MOST; i++)
				if (rare || (g[0] <= i && i <= g[1]))
					open[i] += 1.0 / CELLS;
		} else {
			check(g[0] < nz.top);
			sure[g[0]] += 1.0 / CELLS;
		}
	}
	for (i = 0; i < nz.top; i++) {
		p = -expm1(-1 / b) * exp(-(double)i / b);
		check(p >= sure[i] - 1e-15 && p <= sure[i] + open[i] + 1e-15);
	}
	check(lost <= nz.top + 1);
	/* the sign bit alone changes nothing but the sign */
	put32(w, 0x80000001);
	i = dp_trial(&nz, w, 1, nz.wide, &g[0], &minus);
	check(i == 0 && minus == UINT64_MAX);
}

/* The last of 256 bits up or down */
static void
step(uint64_t w[4], int by)
{
	int k = 3;

	if (by > 0)
		while (++w[k] == 0)
			k--;
	if (by < 0)
		while (w[k]-- == 0)
			k--;
}

/*
 * U within 2^-256 of threshold j of digit k, other digits 0: below it the
 * digit is j, at it and above j+1.  A tie makes the slow path ask 32 bytes for
 * every digit in turn, of which the first word's leading bits are the ones
 * known already.
 */
static void
tie(unsigned k, unsigned j, int by, bool minus)
{
	unsigned i, last = nz.digits - 1, known = k == last ? 31 : 32, d;
	uint8_t s[4 * DP_NOISE_DIGITS + 32 * (DP_NOISE_DIGITS + 1)] = { 0 };
	uint64_t w[4];
	uint8_t *p = s + nz.record;
	size_t n = nz.record + 32 * (size_t)nz.digits;
	uint32_t u;
	int64_t z;
	int rc;

	memcpy(w, nz.exact[15 * k + j], sizeof w);
	step(w, by);
	u = (uint32_t)(w[0] >> 32);
	if (k == last)
		u &= ~(uint32_t)1;
	put32(s + 4 * k, u);
	s[4 * last] |= minus;
	put64(p + 32 * k, w[0] << known);
	for (i = 1; i < 4; i++)
		put64(p + 32 * k + 8 * i, w[i]);
	d = by < 0 ? j : j + 1;
	if (k == last && d == nz.top)
		n += 32;		/* an escape: then a fresh digit, 0 */
	z = scripted(s, n, &rc);
	if (d == 0 && minus) {		/* -0 is drawn again: here, from nothing */
		check(rc == DP_EENTROPY);
		return;
	}
	check(rc == 0 && z == (minus ? -1 : 1) * ((int64_t)d << 4 * k));
}

static void
ties(void)
{
	static const struct dp_q b[] = {
		{ 1, 1 }, { 5, 1 }, { 20, 1 }, { 200, 7 }, { 1000000, 1 }, { (uint64_t)1 << 40, 1 }
	};
	unsigned i, j, k;
	int by;

	for (i = 0; i < sizeof b / sizeof b[0]; i++) {
		check(dp_noise_laplace(&nz, b[i]) == 0);
		for (k = 0; k < nz.digits; k++)
			for (j = 0; j < (k == nz.digits - 1 ? nz.top : 15); j++)
				for (by = -1; by <= 1; by++) {
					/* 2^-256 below a threshold whose words
					 * end in zeros is another 32-bit word
					 * */
					tie(k, j, by, false);
					tie(k, j, by, true);
				}
	}
}

/* All ones for ever: the top digit escapes until the draw is refused. */
static void
escapes(void)
{
	enum { N = 1 << 17 };
	uint8_t *s = malloc(N);
	struct dp_rng *r;
	int64_t z, want;
	size_t n;
	int rc;

	if (s == NULL)
		return;
	memset(s, 0xff, N);
	check(dp_noise_laplace(&nz, dp_q_make((uint64_t)1 << 40, 1)) == 0);
	check(dp_rng_open_bytes(&r, s, N) == 0);
	check(dp_noise_fill(&nz, r, &z, 1) == DP_ERANGE);
	check(r->left == N - nz.record - 32 * (size_t)(nz.digits + 2048));
	check(r->error == 0);			/* the bytes are not to blame */
	dp_rng_free(r);
	/* one escape fewer, then a top digit 0: the largest value there is but 30 */
	n = nz.record + 32 * (size_t)(nz.digits + 2048);
	memset(s + n - 32, 0, 32);
	z = scripted(s, n, &rc);
	want = ((int64_t)2048 * nz.top << 40) | (((int64_t)1 << 40) - 1);
	check(rc == 0 && z == -want && want < (int64_t)1 << 56);
	free(s);
}

/*
 * Gaussian: u against the acceptance probability, two units of 2^-63 around it
 * far enough for the fast path, then all 256 bits.
 */
static void
acceptance(void)
{
	static const struct dp_q s2[] = { { 1, 2 }, { 1, 1 }, { 21, 2 }, { 400, 1 } };
	uint8_t s[DP_RNG_TAKE + 32 * DP_NOISE_DIGITS + 24];
	uint64_t w[4] = { 0 }, a, g;
	unsigned k, m, c;
	int64_t z;
	int by, rc;

	for (c = 0; c < 4; c++) {
		check(dp_noise_gauss(&nz, s2[c]) == 0);
		for (m = 0; m < 16; m++) {
			memset(s, 0, sizeof s);
			/* lowest digit m: any word between its thresholds */
			a = m == 0 ? 0 : nz.exact[m - 1][0] + ((uint64_t)1 << 33);
			if (nz.digits == 1 ? m >= nz.top : m >= 16)
				break;
			put32(s, (uint32_t)(a >> 32) & ~(uint32_t)1);
			check(dp_trial(&nz, s, nz.digits, nz.wide, &g, &a) == 0 && g == m);
			a = dp_gauss_accept(&nz, (int64_t)m - nz.centre);
			if (a < (uint64_t)1 << 63)
				dp_gauss_accept_exact(&nz, (int64_t)m - nz.centre, w);
			/* clear of the threshold: the fast path alone */
			if (a > 200 && a < ((uint64_t)1 << 63) - 200) {
				put64(s + nz.record - 8, (a - 100) << 1);
				z = scripted(s, nz.record, &rc);
				check(rc == 0 && z == (int64_t)m);
				put64(s + nz.record - 8, (a + 100) << 1);
				(void)scripted(s, nz.record, &rc);
				check(rc == DP_EENTROPY);	/* rejected, and then no bytes */
			}
			if (a == (uint64_t)1 << 63 || zero(w, sizeof w))
				continue;	/* sure, or below 2^-256 */
			for (by = -1; by <= 1; by++) {
				uint64_t v[4];
				size_t n = nz.record + 32 * (size_t)nz.digits;

				/* the slow path asks for the digits again */
				memcpy(v, w, sizeof v);
				step(v, by);
				put64(s + nz.record - 8, v[0]);
				memset(s + nz.record, 0, n - nz.record);
				for (k = 0; k < 3; k++)
					put64(s + n + 8 * k, v[k + 1]);
				z = scripted(s, n + 24, &rc);
				if (by < 0)
					check(rc == 0 && z == (int64_t)m);
				else
					check(rc == DP_EENTROPY);
			}
		}
	}
}

/* The values do not depend on how a batch is cut, ties and all. */
static void
splits(bool gauss, struct dp_q q, uint64_t seed)
{
	enum { N = 3000 };
	static int64_t a[N], b[N];
	struct dp_rng *r, *s = NULL;
	uint64_t v[4], w[4];
	size_t i, n;

	check((gauss ? dp_noise_gauss(&nz, q) : dp_noise_laplace(&nz, q)) == 0);
	check(dp_rng_open_seed(&r, seed) == 0 && dp_rng_open_seed(&s, seed) == 0);
	check(dp_noise_fill(&nz, r, a, N) == 0);
	for (i = 0; i < N; i += n) {
		n = 1 + i % 11;
		n = n < N - i ? n : N - i;
		check(dp_noise_fill(&nz, s, b + i, n) == 0);
	}
	check(memcmp(a, b, sizeof a) == 0);
	dp_rng_pcg_save(r, v);
	dp_rng_pcg_save(s, w);
	check(memcmp(v, w, sizeof v) == 0);
	dp_rng_free(r);
	dp_rng_free(s);
}

/*
 * A block of many records, as DP_RNG_CHACHA has, against the same bytes one
 * record at a time; every 5th record is a tie, so that slow and fast path
 * alternate inside a block.
 */
static void
blocks(bool gauss, struct dp_q q)
{
	static uint8_t bytes[DP_RNG_BLOCK];
	static int64_t a[DP_RNG_BLOCK], b[DP_RNG_BLOCK];
	struct dp_rng *r, *s = NULL;
	size_t i, n;
	uint64_t x = 88172645463325252;

	check((gauss ? dp_noise_gauss(&nz, q) : dp_noise_laplace(&nz, q)) == 0);
	for (i = 0; i < sizeof bytes; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		bytes[i] = (uint8_t)(x >> 32);
	}
	for (i = 0; i + 4 <= sizeof bytes; i += 5 * nz.record)
		put32(bytes + i, (uint32_t)(nz.exact[3][0] >> 32));
	check(dp_rng_open_bytes(&r, bytes, sizeof bytes) == 0);
	for (n = 0; dp_noise_fill(&nz, r, a + n, 1) == 0; n++)
		;
	check(n > 20);
	dp_rng_free(r);

	check(dp_rng_open_seed(&s, 1) == 0);
	memcpy(s->mem + DP_RNG_PAD, bytes, sizeof bytes);
	s->end = DP_RNG_PAD + sizeof bytes;
	check(dp_noise_fill(&nz, s, b, n) == 0);
	check(memcmp(a, b, n * sizeof a[0]) == 0);
	check(zero(s->mem, s->pos));		/* all that was used is wiped */
	check(memcmp(s->mem + s->pos, bytes + (s->pos - DP_RNG_PAD), s->end - s->pos) == 0);
	dp_rng_free(s);
}

/* Pan-private: exactly the bytes of the draws, and nothing of them stays. */
static void
kernel(void)
{
	enum { N = 50 };
	struct dp_rng *r;
	int64_t z[N];

	/* b so large that neither -0 nor, here, a tie comes up */
	check(dp_noise_laplace(&nz, dp_q_make((uint64_t)1 << 40, 1)) == 0);
	check(dp_rng_open(&r, DP_RNG_KERNEL) == 0);
	asked = calls = 0;
	check(dp_noise_fill(&nz, r, z, N) == 0);
	check(asked == N * nz.record && calls == N);
	check(zero(r->mem, sizeof r->mem) && zero(r->key, sizeof r->key));
	check(!zero(z, sizeof z));
	budget = 7;
	check(dp_noise_fill(&nz, r, z, N) == DP_EENTROPY);
	budget = -1;
	check(dp_noise_fill(&nz, r, z, 1) == DP_EENTROPY);	/* sticky */
	check(zero(r->mem, sizeof r->mem));
	dp_rng_free(r);

	check(dp_rng_open(&r, DP_RNG_CHACHA) == 0);
	check(dp_noise_fill(&nz, r, z, N) == 0 && zero(r->mem, r->pos));
	dp_rng_free(r);
}

/*
 * Runs of trials against dp_trial(), for every number of values wanted up to 40; every 29th record
 * has a word that equals a threshold's or the filling of its row.
 */
static void
side_by_side(struct dp_q q, unsigned digits, bool wide)
{
	enum { N = 4096 };
	static uint8_t p[4 * 6 * N];
	uint64_t g, negative;
	int64_t z[40], v;
	size_t i, n, got, at, k, want = 0;
	unsigned word;

	check(dp_noise_laplace(&nz, q) == 0 && nz.digits == digits && nz.wide == wide);
	fixed(p, sizeof p);
	for (i = 0; i < N; i += 29) {
		word = (unsigned)i % digits;
		put32(p + i * nz.record + 4 * word,
		    (uint32_t)nz.row[16 * word + i / 29 % 16] ^ DP_NOISE_BIAS);
	}
	for (at = 0; at < N; at += n + 1) {
		want = want % 40 + 1;
		n = dp_laplace_run(&nz, p + at * nz.record, N - at, z, want, &got);
		check(n <= N - at && got <= want);
		for (i = k = 0; i < n; i++) {
			check(dp_trial(&nz, p + (at + i) * nz.record, digits, wide, &g,
			    &negative) == 0);
			if ((g | ~negative) == 0)
				continue;
			v = negative != 0 ? -(int64_t)g : (int64_t)g;
			check(k < got && z[k] == v);
			k++;
		}
		check(k == got);
		if (got < want && n < N - at)
			check(dp_trial(&nz, p + (at + n) * nz.record, digits, wide, &g,
			    &negative) != 0);
		else if (n > 0)
			n--;	/* the next trial may be anything */
	}
}

int
main(void)
{
	parameters();
	variances();
	known();
	enumerate(1, 64);
	enumerate(1, 3);
	enumerate(1, 2);
	enumerate(1, 1);
	enumerate(31, 23);
	ties();
	escapes();
	acceptance();
	splits(false, dp_q_make(1, 3), 1);
	splits(false, dp_q_make(20, 1), 2);
	splits(false, dp_q_make(1000000, 1), 3);
	splits(true, dp_q_make(1, 2), 4);
	splits(true, dp_q_make(21, 2), 5);
	blocks(false, dp_q_make(1, 1));
	blocks(false, dp_q_make(20, 1));
	blocks(false, dp_q_make(200, 7));
	blocks(false, dp_q_make(123456789, 1));
	blocks(true, dp_q_make(9, 1));
	blocks(true, dp_q_make(1000000, 1));
	side_by_side(dp_q_make(1, 3), 1, false);
	side_by_side(dp_q_make(1, 1), 1, true);
	side_by_side(dp_q_make(5, 1), 2, false);
	side_by_side(dp_q_make(20, 1), 2, true);
	side_by_side(dp_q_make(100, 1), 3, false);
	side_by_side(dp_q_make(300, 1), 3, true);
	side_by_side(dp_q_make(1500, 1), 4, false);
	side_by_side(dp_q_make(5000, 1), 4, true);
	side_by_side(dp_q_make(30000, 1), 5, false);
	side_by_side(dp_q_make(80000, 1), 5, true);
	side_by_side(dp_q_make(400000, 1), 6, false);
	side_by_side(dp_q_make(1000000, 1), 6, true);
	kernel();
	return done();
}
