#include <math.h>

#include "task.h"

double
dp_task_weight(const struct dp_task *k, uint64_t d)
{
	switch (k->what == DP_TASK_MAP ? k->map : k->what) {
	case DP_TASK_WINDOW:
		return d < k->w[0] ? 1 : 0;
	case DP_TASK_EXP:
		return pow(k->alpha, (double)d);
	case DP_TASK_POLY:
		return pow((double)d + 1, -k->power);
	case DP_TASK_TABLE:
		return d < k->ng ? k->g[d] : 0;
	default:
		return 1;
	}
}

double
dp_task_total(const struct dp_task *k, uint64_t n)
{
	double sum = 0;
	uint64_t d;

	switch (k->what == DP_TASK_MAP ? k->map : k->what) {
	case DP_TASK_WINDOW:
		return (double)(n < k->w[0] ? n : k->w[0]);
	case DP_TASK_EXP:	/* (1 - alpha^n) / (1 - alpha) */
		return expm1((double)n * log(k->alpha)) / expm1(log(k->alpha));
	case DP_TASK_POLY:
		for (d = n; d-- > 0; )
			sum += dp_task_weight(k, d);
		return sum;
	case DP_TASK_TABLE:
		for (d = n < k->ng ? n : k->ng; d-- > 0; )
			sum += k->g[d];
		return sum;
	default:
		return (double)n;
	}
}

/* Sum of m^-s over a <= m < b: some terms, then Euler and Maclaurin's formula. */
static double
power_sum(double a, double b, double s)
{
	double sum = 0, f, g, x;

	for (; a < b && a < 64 + 8 * s; a++)
		sum += pow(a, -s);
	if (a >= b)
		return sum;
	f = pow(a, -s);
	g = pow(b, -s);
	x = fabs(s - 1) < 1e-9 ? log(b / a) : (a * f - b * g) / (s - 1);
	x += (f - g) / 2 + s * (f / a - g / b) / 12;
	x -= s * (s + 1) * (s + 2) * (f / (a * a * a) - g / (b * b * b)) / 720;
	return sum + x;
}

double
dp_task_squares(const struct dp_task *k, uint64_t a, uint64_t b)
{
	double sum = 0, q;
	uint64_t d;

	switch (k->what) {
	case DP_TASK_EXP:	/* (q^a - q^b) / (1 - q), q = alpha^2 */
		q = 2 * log(k->alpha);
		return exp((double)a * q) * expm1((double)(b - a) * q) / expm1(q);
	case DP_TASK_POLY:
		return power_sum((double)a + 1, (double)b + 1, 2 * k->power);
	case DP_TASK_TABLE:
		for (d = b < k->ng ? b : k->ng; d-- > a; )
			sum += k->g[d] * k->g[d];
		return sum;
	case DP_TASK_WINDOW:
		b = b < k->w[0] ? b : k->w[0];
		break;
	default:
		break;
	}
	return a < b ? (double)(b - a) : 0;
}

/* d = (d + 1) - 1, except where that cancels. */
static double
power_moment(double c, double a, double b)
{
	double sum = 0;

	for (; a < b && a < 64 + 16 * c; a++)
		sum += a * pow(a + 1, -2 * c);
	return sum + power_sum(a + 1, b + 1, 2 * c - 1) - power_sum(a + 1, b + 1, 2 * c);
}

double
dp_task_moment(const struct dp_task *k, uint64_t a, uint64_t b)
{
	double sum = 0, q, n = (double)(b - a), p;
	uint64_t d;

	switch (k->what) {
	case DP_TASK_EXP:	/* sum_{i<n} i q^i = (q (1 - q^n) / (1 - q) - n q^n) / (1 - q) */
		p = expm1(2 * log(k->alpha));
		q = 1 + p;
		sum = (q * expm1(n * 2 * log(k->alpha)) / p - n * pow(q, n)) / -p;
		if (n * -p < 1e-4)	/* cancellation: q^i = 1 + i log q, nearly */
			sum = n * (n - 1) / 2 * (1 + p * (2 * n - 1) / 3);
		return (double)a * dp_task_squares(k, a, b) + pow(q, (double)a) * sum;
	case DP_TASK_POLY:
		return power_moment(k->power, (double)a, (double)b);
	case DP_TASK_TABLE:
		for (d = b < k->ng ? b : k->ng; d-- > a; )
			sum += (double)d * k->g[d] * k->g[d];
		return sum;
	case DP_TASK_WINDOW:
		b = b < k->w[0] ? b : k->w[0];
		break;
	default:
		break;
	}
	return a < b ? (double)(b - a) * ((double)a + (double)b - 1) / 2 : 0;
}
