/*
 * param.c - parameters of buffered linear Toeplitz noise, by rule.
 *
 * Rates lam_1 < mu_1 < lam_2 < .. are log-spaced between two ends, the first and the last gap
 * stretched.  The numbers were fitted (Nelder-Mead on closed forms); what they reach, in error over
 * the square root's:
 *   count, T known     8 poles: 1.0001 for T < 2^8, 1.0006 (2^8) to 1.0001 (2^16), where the
 *                      second set has the better mean; 12 poles: 1.0003 to 2^30, 1.003 at 2^40
 *   count, T unknown   1.24 .. 1.32 of knowing T = t, at every t to 2^40
 *   window             8 poles: 1.0007 (2) to 1.00015 (2^10); 10 poles: 1.0002 for W = 2^10 .. 2^18
 *   exp                1.0001 for alpha up to 1 - 10^-6
 * Nothing here is about privacy: any numbers are private (blt.h).
 */
#include <math.h>

#include "blt.h"

struct spacing {
	unsigned d;
	double low, high, first, last;
};

static const double ln2 = 0.69314718055994530942;

/* 2d rates from low to high, above the filter's pole; alternately lam and mu */
static void
space(struct dp_blt_form *f, const struct spacing *s, double low, double high)
{
	double gap = log(high / low) / (2 * s->d - 3 + s->first + s->last), x = log(low);
	unsigned i;

	f->d = s->d;
	for (i = 0; i < 2 * s->d; i++) {
		*(i % 2 == 0 ? &f->lam[i / 2] : &f->mu[i / 2]) = f->pole + exp(x);
		x += gap * (i == 0 ? s->first : i == 2 * s->d - 2 ? s->last : 1);
	}
}

static void
choose_count(struct dp_blt_form *f, uint64_t T)
{
	static const struct spacing least = { 8, .0796, 3.9327, 1.4355, 1.0177 };
	static const struct spacing few = { 8, .2064, 2.9633, 1.3798, .9421 };
	static const struct spacing many = { 12, .0864, 4.2978, 1.4465, 1.0591 };
	const struct spacing *s = T < 256 ? &least : T <= 65536 ? &few : &many;

	space(f, s, s->low / (double)T, s->high);
}

/*
 * A fixed horizon 2^40 and an exponent that drifts: slow poles weigh less than the square root's.
 */
static void
choose_endless(struct dp_blt_form *f)
{
	const double begin = -40 * ln2 - .7112, period = (3.6199 - begin) / 9.5;
	double x, p = begin;
	unsigned j;

	f->d = 10;
	for (j = 0; j < f->d; j++) {
		x = (double)j / 9;
		f->lam[j] = exp(p);
		f->mu[j] = exp(p + period / (1 + exp(.101 + .1658 * x - .0138 * x * x)));
		p += period;
	}
}

static void
choose_window(struct dp_blt_form *f, uint64_t W)
{
	static const struct spacing few = { 8, .07147, 4.18271, 1.11285, 1.03847 };
	static const struct spacing many = { 10, .06677, 4.1211, 1.16376, 1.02839 };
	static const double ab[2][4] = { { .48115, .91458, .15488, .75913 },
	    { .47324, .91722, .15091, .75594 } };
	const struct spacing *s = W <= 1024 ? &few : &many;
	unsigned k;

	if (W == 1)		/* one step: C = 1 */
		return;
	space(f, s, s->low / (double)W, s->high);
	f->lag = W;
	f->echoes = DP_BLT_ECHOES;
	for (k = 0; k < DP_BLT_ECHOES; k++) {
		f->a[k] = (uint32_t)ldexp(ab[W > 1024][k], 32);
		f->b[k] = (uint32_t)ldexp(ab[W > 1024][2 + k], 32);
	}
}

static void
choose_decay(struct dp_blt_form *f, double alpha)
{
	static const struct spacing s = { 10, .039, 5.0807, 1.6162, 1.1355 };

	f->pole = -log(alpha);
	if (alpha < 1e-3)	/* C = 1 is optimal to 3e-7 */
		return;
	space(f, &s, s.low * (1 - alpha), s.high);
}

uint64_t
dp_blt_widest(const struct dp_task *k)
{
	uint64_t W = 0;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] > W)
			W = k->w[i];
	return W;
}

/* e^-a - e^-b */
static double
less(double a, double b)
{
	return -exp(-a) * expm1(-(b - a));
}

static void
set_residues(struct dp_blt_form *f)
{
	double v = 1;
	unsigned i, j;

	for (i = 0; i < f->d; i++)
		v *= less(f->pole, f->lam[i]) / less(f->pole, f->mu[i]);
	f->residue[0] = v;
	f->rate[0] = f->pole;
	for (j = 0; j < f->d; j++) {
		v = 1 / less(f->mu[j], f->pole);
		for (i = 0; i < f->d; i++) {
			v *= less(f->mu[j], f->lam[i]);
			if (i != j)
				v /= less(f->mu[j], f->mu[i]);
		}
		f->residue[j + 1] = v;
		f->rate[j + 1] = f->mu[j];
	}
}

/*
 * c_1 = sum th_j - sum mh_j is to be an odd multiple of 2^-24: the fastest zero moves by at most
 * twice as much, and what rounding left goes to the greatest residue (1e-15 of it).
 */
static void
set_first(struct dp_blt_form *f)
{
	const double unit = ldexp(1, -DP_BLT_DITHER);
	double c1 = 0;
	unsigned j;

	for (j = 0; j < f->d; j++)
		c1 += less(f->lam[j], f->mu[j]);
	c1 -= (2 * floor((c1 / unit - 1) / 2) + 1) * unit;	/* what is too much, >= 0 */
	f->mu[f->d - 1] = -log(exp(-f->mu[f->d - 1]) + c1);
}

static void
fix_first(struct dp_blt_form *f)
{
	const uint64_t unit = (uint64_t)1 << (64 - DP_BLT_DITHER);
	uint64_t sum = 0, rest;
	unsigned j, most = 0;

	for (j = 0; j < f->d; j++) {
		sum += f->om[j];
		if (f->om[j] > f->om[most])
			most = j;
	}
	rest = (sum - unit) % (2 * unit);	/* a few hundred too many, or too few */
	f->om[most] += rest < unit ? -rest : 2 * unit - rest;
}

/*
 * mu[], lam[], pole and echoes given: makes the rest; lam[] moves to a dyadic th, mu[d-1] for c_1.
 */
static void
settle(struct dp_blt_form *f)
{
	unsigned i, j;
	double v;

	if (f->d == 0) {
		set_residues(f);
		return;
	}
	for (j = 0; j < f->d; j++) {
		f->gap[j] = (uint64_t)ldexp(fmin(-expm1(-f->lam[j]), 0x1.fffffffffffffp-1), 64);
		f->lam[j] = -log1p(-ldexp((double)f->gap[j], -64));
	}
	set_first(f);
	for (j = 0; j < f->d; j++) {
		v = 1;
		for (i = 0; i < f->d; i++) {
			v *= less(f->lam[j], f->mu[i]);
			if (i != j)
				v /= less(f->lam[j], f->lam[i]);
		}
		/* 0 < om < c_1 < 1 for rates of ours */
		f->om[j] = (uint64_t)ldexp(fmax(0, fmin(v, 0x1.fffffffffffffp-1)), 64);
	}
	fix_first(f);
	set_residues(f);
}

void
dp_blt_choose(struct dp_blt_form *f, const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	const uint64_t W = dp_blt_widest(k);

	memset(f, 0, sizeof *f);
	if (k->what == DP_TASK_EXP)
		choose_decay(f, k->alpha);
	else if (k->what == DP_TASK_WINDOW && (rule->horizon == 0 || rule->horizon > W))
		choose_window(f, W);
	else if (rule->horizon != 0)
		choose_count(f, rule->horizon);
	else
		choose_endless(f);
	settle(f);
}

/* True: the integers are what the rates say, nearly, and c_1 an odd multiple of 2^-24. */
static bool
sound(const struct dp_blt_form *f)
{
	const uint64_t unit = (uint64_t)1 << (64 - DP_BLT_DITHER);
	struct dp_blt_form g = *f;
	uint64_t sum = 0;
	double last = f->pole;
	unsigned j;

	for (j = 0; j < f->d; j++) {
		if (!(last < f->lam[j] && f->lam[j] < f->mu[j]))
			return false;
		last = f->mu[j];
		sum += f->om[j];
	}
	settle(&g);
	for (j = 0; j < f->d; j++)
		if (fabs((double)g.gap[j] - (double)f->gap[j]) > ldexp((double)g.gap[j], -30) ||
		    fabs((double)g.om[j] - (double)f->om[j]) > 0x1p48)
			return false;
	for (j = 0; j < f->echoes; j++)
		if (f->b[j] >= f->a[j])
			return false;
	return f->d == 0 || sum % (2 * unit) == unit;
}

int
dp_blt_keep(struct dp_blt_form *f, uint64_t W, struct dp_numbers *p)
{
	unsigned j;

	if (p == NULL)
		return 0;
	f->d = (unsigned)dp_numbers_int(p, "poles", f->d, 0, DP_BLT_POLES);
	f->lag = dp_numbers_int(p, "lag", f->lag != 0, 0, W != 0) * W;
	f->echoes = f->lag != 0 ? DP_BLT_ECHOES : 0;
	f->pole = dp_numbers_real(p, "pole", f->pole, 0, 64);
	for (j = 0; j < f->d; j++) {
		f->lam[j] = dp_numbers_real(p, "lambda", f->lam[j], 0x1p-64, 64);
		f->mu[j] = dp_numbers_real(p, "mu", f->mu[j], 0x1p-64, 64);
		f->gap[j] = dp_numbers_int(p, "gap", f->gap[j], 1, UINT64_MAX);
		f->om[j] = dp_numbers_int(p, "omega", f->om[j], 1, UINT64_MAX);
	}
	for (j = 0; j < f->echoes; j++) {
		f->a[j] = (uint32_t)dp_numbers_int(p, "echo", f->a[j], 1, UINT32_MAX);
		f->b[j] = (uint32_t)dp_numbers_int(p, "echo-b", f->b[j], 1, UINT32_MAX);
	}
	if (dp_numbers_error(p) != 0)
		return p->error;
	if (dp_numbers_replays(p))
		set_residues(f);
	return sound(f) ? 0 : DP_EINVAL;
}
