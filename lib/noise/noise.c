#include <math.h>

#include <sodium.h>

#include "digits.h"

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
	if (nz->kind == DP_NOISE_NONE || nz->digits != 0)
		return 0;
	return nz->kind == DP_NOISE_GAUSS ? dp_noise_gauss(nz, nz->param) :
	    dp_noise_laplace(nz, nz->param);
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
		done = dp_gauss_run(nz, p, trials, z, n, got);
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
	rc = gauss ? dp_gauss_exact(nz, r, record, &x) :
	    dp_laplace_exact(nz, r, record, &x);
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

	switch (nz->kind) {
	case DP_NOISE_LAPLACE:
		/* 2q/(1-q)^2 = 1/(cosh(1/b) - 1) = 1/(2 sinh(1/(2b))^2), which
		 * cancels nothing */
		s = sinh(1 / (2 * dp_q_double(nz->param)));
		return 1 / (2 * s * s);
	case DP_NOISE_GAUSS:
		return dp_gauss_variance(nz->param);
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
