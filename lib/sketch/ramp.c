#include <math.h>

#include "ramp.h"

static const double pi = 3.14159265358979323846;

/*
 * sin(pi x)/(pi x) for x = p / 2^64, p <= 2^63, in units of 2^-60: its series in x^2 to the eighth
 * term, of which the ninth is below 2^-44.
 */
static uint64_t
sinc(uint64_t p)
{
	static const uint64_t c[] = {	/* pi^2k/(2k + 1)! */
		0x1000000000000000, 0x1a51a6625307d323, 0x0cfce5a015e23629, 0x030d51c8e41b6cdb,
		0x006b1a0173cd4299, 0x00099c0b552303d6, 0x00009ba38cfd59c9, 0x0000075092634738,
		0x00000043f264bfce
	};
	const uint64_t y = (uint64_t)((dp_uwide)p * p >> 64);
	uint64_t sum = 0;
	int k;

	for (k = 8; k >= 0; k--)
		sum = c[k] - (uint64_t)((dp_uwide)y * sum >> 64);
	return sum;
}

int64_t
dp_ramp_cosine(uint64_t s)
{
	static const uint64_t pi60 = 0x3243f6a8885a308d;
	/* cos(2 pi x) = sin(pi (1/2 - 2 |x|)), x = s / 2^64 from -1/2 to 1/2 */
	const uint64_t twice = s >> 63 != 0 ? -s : s, quarter = (uint64_t)1 << 62;
	const uint64_t off = twice > quarter ? twice - quarter : quarter - twice;
	const uint64_t p = 2 * off;
	const uint64_t x = (uint64_t)((dp_uwide)p * sinc(p) >> 64);	/* p/2^64 sinc, 2^-60 */
	const uint64_t sine = (uint64_t)((dp_uwide)x * pi60 >> 64);	/* 2^-56 */
	const int64_t y = (int64_t)((sine + ((uint64_t)1 << 25)) >> 26);

	return twice > quarter ? -y : y;
}

/* sin(pi a x)/x for x = f / 2^64, with *part what it has from |sin|/|its angle|, of 2^-60. */
static dp_wide
ratio(uint64_t a, int64_t f, uint64_t *part)
{
	const dp_wide product = (dp_wide)a * f;
	const dp_wide turns = (product + ((dp_wide)1 << 63)) >> 64;
	const dp_wide off = product - turns * ((dp_wide)1 << 64);	/* from -2^63 to 2^63 */

	*part = sinc((uint64_t)(off < 0 ? -off : off));
	return f == 0 ? (dp_wide)a << 30 : (turns % 2 != 0 ? -off : off) * (1 << 30) / f;
}

static unsigned
band_of(const struct dp_bands *b, uint64_t size)
{
	unsigned lo = 0, hi = b->n - 1, mid;

	while (lo < hi) {
		mid = (lo + hi + 1) / 2;
		if (b->first[mid] <= size)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

int64_t
dp_ramp_weight(const struct dp_bands *b, const struct dp_ramp *r, uint64_t K, uint64_t f)
{
	const unsigned j = band_of(b, f >> 63 != 0 ? ~f : f);
	const uint64_t mass = b->below[j + 1] - b->below[j];
	uint64_t up, down, one;
	dp_wide w, unit;

	/* V = ratio ratio' / (tau - low) times the parts, 1/(M P) = 2^(width - 31) / mass */
	w = ratio(r->tau + r->low, (int64_t)f, &up);
	w = w * ratio(r->tau - r->low, (int64_t)f, &down) >> 30;
	w *= (dp_wide)K;
	w = b->width[j] >= 41 ? w * ((dp_wide)1 << (b->width[j] - 41)) : w >> (41 - b->width[j]);
	w /= (dp_wide)mass * (dp_wide)(r->tau - r->low);
	one = sinc(f >> 63 != 0 ? -f : f);
	unit = (dp_wide)up * down / ((dp_wide)one * one >> 60);
	return (int64_t)(w * unit >> 60);
}

uint64_t
dp_bands_draw(const struct dp_bands *b, const uint64_t bits[2])
{
	const uint64_t at = bits[0] >> 32;
	unsigned lo = 0, hi = b->n - 1, mid;
	uint64_t size;

	while (lo < hi) {
		mid = (lo + hi + 1) / 2;
		if (b->below[mid] <= at)
			lo = mid;
		else
			hi = mid - 1;
	}
	size = b->first[lo] + (bits[1] >> (64 - b->width[lo]));
	return bits[0] & 1 ? ~size : size;
}

double
dp_ramp_kernel(const struct dp_ramp *r, double x)
{
	const double a = (double)(r->tau + r->low), b = (double)(r->tau - r->low), s = sin(pi * x);

	return x == 0 ? a : sin(pi * a * x) * sin(pi * b * x) / (b * s * s);
}

/*
 * The mean of V^2 in band j.  Where V^2 has many periods there, sin^2 sin^2 counts as its mean: 1/4
 * for two frequencies (that of their difference, 2 low, is as high), 3/8 for one.
 */
static double
mean_square(const struct dp_bands *b, const struct dp_ramp *r, unsigned j)
{
	const double width = ldexp(1, (int)b->width[j] - 64);
	const double first = ldexp((double)b->first[j], -64);
	const double periods = (double)(r->tau + r->low) * width;
	const int n = periods > 64 ? 64 : 64 + 32 * (int)periods;
	double sum = 0, x, v, s;
	int i;

	for (i = 0; i < n; i++) {
		x = first + (i + 0.5) / n * width;
		if (periods <= 64) {
			v = dp_ramp_kernel(r, x);
			sum += v * v;
		} else {
			s = sin(pi * x);
			v = (double)(r->tau - r->low) * s * s;
			sum += (r->low == 0 ? 0.375 : 0.25) / (v * v);
		}
	}
	return sum / n;
}

/* 1/(M P) in band j: ldexp(1, width - 31) / mass. */
static double
thinned(const struct dp_bands *b, unsigned j)
{
	return ldexp(1, (int)b->width[j] - 31) / (double)(b->below[j + 1] - b->below[j]);
}

double
dp_bands_square(const struct dp_bands *b, const struct dp_ramp *r)
{
	double sum = 0;
	unsigned j;

	for (j = 0; j < b->n; j++)
		sum += ldexp(mean_square(b, r, j), (int)b->width[j] - 63) * thinned(b, j);
	return sum;
}

/*
 * |V| in band j, at most: with a = tau + low and b = tau - low it is at most a, and at most
 * 1/(b sin^2 pi x), and so at most their geometric mean, sqrt(a/b)/(sin pi x).
 */
static double
most_of(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most,
    unsigned j)
{
	const double s = sin(pi * ldexp((double)b->first[j], -64));
	const double top = (double)(most->tau + most->low);
	const double root = most->low == 0 ? 1 : sqrt(3);	/* low <= tau/2 */

	if (s == 0)
		return top;
	return fmin(fmin(top, 1 / ((double)(least->tau - least->low) * s * s)), root / s);
}

double
dp_bands_peak(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most)
{
	double peak = 0;
	unsigned j;

	for (j = 0; j < b->n; j++)
		peak = fmax(peak, most_of(b, least, most, j) * thinned(b, j));
	return peak;
}

/* Relative mass of band j. */
static double
wish(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most, double even,
    unsigned j)
{
	struct dp_ramp r = *least;
	double sum = 0, width = ldexp(1, (int)b->width[j] - 64);

	for (;;) {
		sum += mean_square(b, &r, j);
		if (r.tau >= most->tau)
			break;
		r.tau = r.tau < most->tau / 2 ? 2 * r.tau : most->tau;
		r.low = most->low == 0 ? 0 : r.tau / 2;
	}
	return width * fmax(sqrt(sum), even * most_of(b, least, most, j));
}

static void
edges(struct dp_bands *b, uint64_t tau)
{
	const unsigned octaves = dp_ceil_log2(tau) + 1;
	unsigned i, j;

	for (i = 0, b->n = 0; i <= octaves; i++)
		for (j = 0; j < 4; j++, b->n++) {
			b->width[b->n] = 60 - octaves + (i == 0 ? 1 : i);
			b->first[b->n] = (uint64_t)(i == 0 ? j : 4 + j) << b->width[b->n];
		}
}

void
dp_bands_make(struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most,
    double even, struct dp_numbers *numbers)
{
	double sum = 0, part[DP_BANDS_MAX] = { 0 };
	uint64_t mass, left = DP_BANDS_WHOLE;
	unsigned j;

	edges(b, most->tau);
	for (j = 0; j < b->n && !dp_numbers_replays(numbers); j++)
		sum += part[j] = wish(b, least, most, even, j);
	for (j = 0; j < b->n; j++) {
		mass = sum > 0 ? (uint64_t)(part[j] / sum * (double)DP_BANDS_WHOLE) : 1;
		mass = mass < 1 ? 1 : mass;
		/* the last has what is left, and those after this one need something */
		mass = j + 1 == b->n ? left : mass;
		mass = dp_numbers_int(numbers, "mass", mass, 1, left - (b->n - 1 - j));
		b->below[j] = DP_BANDS_WHOLE - left;
		left -= mass;
	}
	b->below[b->n] = DP_BANDS_WHOLE - left;
	if (left != 0)
		dp_numbers_refuse(numbers);
}
