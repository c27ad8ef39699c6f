#include <math.h>
#include <string.h>

#include "powers.h"

/*
 * The trapezoidal rule on the real line converges geometrically: exp(-2 pi a / h) with a strip of
 * half-width a < pi/2.  It ends above where exp(-e^u) vanishes, and below where e^u times the
 * longest lag does: from there on the decays are 1, and the rest of the sum is a geometric series.
 */
static int
fit(struct dp_powers *f, double c)
{
	const double tol = 1e-10, h = 0.4 / (1 + c / 8), scale = lgamma(c);
	const double from = -40 * log(2) + log(tol), to = log(-log(tol) + 5 + 2 * c) + 1;
	double u, w;

	for (u = to, f->n = 0; u >= from; u -= h) {
		w = h * exp(c * u - exp(u) - scale);
		if (u < 0 && w < 0.1 * tol * pow(2, -40 * c))	/* nothing to any lag */
			return 0;
		if (f->n == DP_POWERS_MAX - 2)
			return DP_ERANGE;
		f->weight[f->n] = w;
		f->decay[f->n] = exp(-exp(u));
		f->n += w > 0;
	}
	f->weight[f->n] = h * exp(c * u - scale) / -expm1(-c * h);
	f->decay[f->n++] = 1;
	return 0;
}

int
dp_powers_keep(struct dp_powers *f, double c, struct dp_numbers *numbers)
{
	unsigned j;
	int e;

	if (!dp_numbers_replays(numbers) && (e = fit(f, c)) != 0)
		return e;
	f->n = (unsigned)dp_numbers_int(numbers, "powers", f->n, 1, DP_POWERS_MAX);
	for (j = 0; j < f->n; j++) {
		f->weight[j] = dp_numbers_real(numbers, "weight", f->weight[j], 0, 2);
		f->decay[j] = dp_numbers_real(numbers, "decay", f->decay[j], 0, 1);
	}
	return dp_numbers_error(numbers);
}

/* Two at a time: the compiler may not reorder a sum of doubles itself. */
typedef double pair __attribute__((vector_size(16)));

double
dp_powers_step(const struct dp_powers *f, double *s, double v)
{
	pair sum = { 0, 0 }, x, w, q;
	unsigned j;

	for (j = 0; j < f->n; j += 2) {		/* an odd one out has weight and decay 0 */
		memcpy(&x, s + j, sizeof x);
		memcpy(&w, f->weight + j, sizeof w);
		memcpy(&q, f->decay + j, sizeof q);
		x = x * q + v;
		sum += w * x;
		memcpy(s + j, &x, sizeof x);
	}
	return sum[0] + sum[1];
}
