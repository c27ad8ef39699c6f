#include <stdlib.h>

#include "ntt.h"

/* A prime, and a number that is no square modulo it. */
static const struct {
	uint64_t p, odd;
} prime[DP_NTT_PRIMES] = {
	{ 0x1fffffffff000001, 3 }, { 0x1fffffffff500001, 5 }, { 0x1fffffffffe00001, 13 }
};

struct dp_ntt_factor
dp_ntt_factor(const struct dp_ntt *t, uint64_t w)
{
	return (struct dp_ntt_factor){ w, (uint64_t)(((dp_uwide)w << 64) / t->p) };
}

uint64_t
dp_ntt_power(const struct dp_ntt *t, uint64_t x, uint64_t e)
{
	uint64_t y = 1;

	for (; e > 0; e >>= 1) {
		if (e & 1)
			y = dp_ntt_residue(t, (dp_uwide)y * x);
		x = dp_ntt_residue(t, (dp_uwide)x * x);
	}
	return y;
}

/*
 * root[i] = r^e(i), r of order 2^log, e(0) = 0, e(m + j) = e(j) + 2^log / (4m) for j < m = 2^k:
 * then root[2 i]^2 = root[i] and root[2 i + 1]^2 = -root[i], so a node whose polynomials are modulo
 * x^(2 len) - root[i]^2 has two children, x^len - root[i] and x^len + root[i], whose own roots are
 * the (2 i)-th and (2 i + 1)-th, whatever the length of the transform.
 */
static void
roots(const struct dp_ntt *t, struct dp_ntt_factor *root, uint64_t r)
{
	const size_t n = (size_t)1 << (t->log - 1);
	struct dp_ntt_factor turn;
	size_t m, j;

	root[0] = t->one;
	for (m = 1; m < n; m *= 2) {
		turn = dp_ntt_factor(t, dp_ntt_power(t, r, n / (2 * m)));
		for (j = 0; j < m; j++)
			root[m + j] = dp_ntt_factor(t, dp_ntt_times(t, turn, root[j].w));
	}
}

int
dp_ntt_create(struct dp_ntt *t, unsigned i, unsigned log)
{
	struct dp_ntt own = { .p = prime[i].p, .log = log };
	uint64_t r;
	size_t n;

	if (log < 1 || log > DP_NTT_LOG)
		return DP_EINVAL;
	n = (size_t)1 << (log - 1);
	own.one = dp_ntt_factor(&own, 1);
	own.word = dp_ntt_factor(&own, (uint64_t)(((dp_uwide)1 << 64) % own.p));
	if ((own.root = calloc(2 * n, sizeof *own.root)) == NULL)
		return DP_ENOMEM;
	own.inverse = own.root + n;
	r = dp_ntt_power(&own, prime[i].odd, (own.p - 1) >> log);
	roots(&own, own.root, r);
	roots(&own, own.inverse, dp_ntt_power(&own, r, own.p - 2));
	*t = own;
	return 0;
}

void
dp_ntt_destroy(struct dp_ntt *t)
{
	free(t->root);
}

/* Harvey 2014, Algorithm 4: values stay below 4p. */
void
dp_ntt_forward(const struct dp_ntt *t, uint64_t *a, unsigned log)
{
	const uint64_t p = t->p, twice = 2 * p;
	const size_t n = (size_t)1 << log;
	struct dp_ntt_factor f;
	size_t len, i, j;
	uint64_t u, v;

	for (len = n / 2; len > 0; len /= 2)
		for (i = 0; 2 * len * i < n; i++) {
			uint64_t *lo = a + 2 * len * i, *hi = lo + len;

			f = t->root[i];
			for (j = 0; j < len; j++) {
				u = lo[j] < twice ? lo[j] : lo[j] - twice;
				v = dp_ntt_lazy(p, f, hi[j]);
				lo[j] = u + v;
				hi[j] = u + twice - v;
			}
		}
	for (i = 0; i < n; i++) {
		u = a[i] < twice ? a[i] : a[i] - twice;
		a[i] = u < p ? u : u - p;
	}
}

/* Algorithm 3: values stay below 2p. */
void
dp_ntt_back(const struct dp_ntt *t, uint64_t *a, unsigned log)
{
	const uint64_t p = t->p, twice = 2 * p;
	const size_t n = (size_t)1 << log;
	struct dp_ntt_factor f;
	size_t len, i, j;
	uint64_t u, v;

	for (len = 1; len < n; len *= 2)
		for (i = 0; 2 * len * i < n; i++) {
			uint64_t *lo = a + 2 * len * i, *hi = lo + len;

			f = t->inverse[i];
			for (j = 0; j < len; j++) {
				u = lo[j] + hi[j];
				v = lo[j] + twice - hi[j];
				lo[j] = u < twice ? u : u - twice;
				hi[j] = dp_ntt_lazy(p, f, v);
			}
		}
	for (i = 0; i < n; i++)
		a[i] = a[i] < p ? a[i] : a[i] - p;
}
