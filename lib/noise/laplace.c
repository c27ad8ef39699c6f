/*
 * Discrete Laplace by independent radix-16 digits; digits.h says how and
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
#include "base/fixed.h"
#include "digits.h"

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

int
dp_noise_rows(struct dp_noise *nz, uint64_t num, uint64_t den)
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
	dp_noise_trees(nz);
	return 0;
}

int
dp_noise_laplace(struct dp_noise *nz, struct dp_q b)
{
	struct dp_noise t = { .digits = 0 };
	int rc;

	if ((rc = dp_noise_describe(&t, DP_NOISE_LAPLACE, b)) != 0 ||
	    (rc = dp_noise_rows(&t, t.param.num, t.param.den)) != 0)
		return rc;
	*nz = t;
	return 0;
}

DP_INLINE size_t
run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z, size_t want, size_t *got,
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
	case 2: return run(nz, p, n, z, want, got, 1, false);
	case 3: return run(nz, p, n, z, want, got, 1, true);
	case 4: return run(nz, p, n, z, want, got, 2, false);
	case 5: return run(nz, p, n, z, want, got, 2, true);
	case 6: return run(nz, p, n, z, want, got, 3, false);
	case 7: return run(nz, p, n, z, want, got, 3, true);
	case 8: return run(nz, p, n, z, want, got, 4, false);
	case 9: return run(nz, p, n, z, want, got, 4, true);
	case 10: return run(nz, p, n, z, want, got, 5, false);
	case 11: return run(nz, p, n, z, want, got, 5, true);
	case 12: return run(nz, p, n, z, want, got, 6, false);
	case 13: return run(nz, p, n, z, want, got, 6, true);
	default: return run(nz, p, n, z, want, got, nz->digits, nz->wide);
	}
}

size_t
dp_laplace_run(const struct dp_noise *nz, const uint8_t *p, size_t n, int64_t *z,
    size_t want, size_t *got)
{
	size_t done = 0, more;

	*got = 0;
	if (n > 1)
		done = dp_laplace_lanes(nz, p, n, z, want, got);
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

int
dp_laplace_exact(const struct dp_noise *nz, struct dp_rng *r, const uint8_t *record,
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
