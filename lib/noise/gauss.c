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
#include <math.h>

#include "base/fixed.h"
#include "digits.h"

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
	if ((rc = dp_noise_rows(&t, 2 * s2.num, s2.den * h)) != 0)
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

size_t
dp_gauss_run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z,
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

int
dp_gauss_exact(const struct dp_noise *nz, struct dp_rng *r, const uint8_t *record,
    int64_t *z)
{
	uint64_t w[DP_FX_WORDS], u[DP_FX_WORDS];
	int64_t y, d;
	uint8_t *p;
	size_t i;
	int rc;

	if ((rc = dp_laplace_exact(nz, r, record, &y)) != 1)
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

double
dp_gauss_variance(struct dp_q sigma2)
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
