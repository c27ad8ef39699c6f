/*
 * banded_plan.c - coefficients, sensitivity and error of banded Toeplitz noise, and the choice of
 * its band (banded.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "banded.h"

#define FINE	60			/* fraction bits that the a_i are found with */
#define TERMS	((uint64_t)1 << 17)	/* of 1 / C that are looked at */
#define GONE	1e-10			/* a term of 1 / C that is nothing */
#define TRY	20			/* s of a form that is only compared */

void
dp_banded_set(struct dp_banded_form *f)
{
	uint64_t fine = (uint64_t)1 << FINE, i;

	f->a[0] = (int64_t)1 << f->s;
	for (i = 1; i < f->p; i++) {
		/* c_i = c_(i-1) (i - 1 + alpha) / i, rounded down: they fall, alpha being <= 1 */
		fine = (uint64_t)((dp_uwide)fine * ((i - 1) * DP_BANDED_PARTS + f->alpha) /
		    (i * DP_BANDED_PARTS));
		f->a[i] = (int64_t)(fine >> (FINE - f->s));
	}
}

/*
 * The products of the columns that begin at steps i b and j b, j = i + k: sum of a_n a_(n + kb) for
 * n < T - j b.  Each n is in those of all j from k on, j < K, that have j b < T - n.
 */
double
dp_banded_squares(const struct dp_banded_form *f, uint64_t times, uint64_t spacing, uint64_t T)
{
	const uint64_t K = times < (T - 1) / spacing + 1 ? times : (T - 1) / spacing + 1;
	dp_uwide sum = 0, some;
	uint64_t k, n, j;

	for (k = 0; k < K && k * spacing < f->p; k++) {
		for (some = 0, n = 0; n + k * spacing < f->p && n < T; n++) {
			j = (T - n - 1) / spacing + 1;
			j = j < K ? j : K;
			if (j > k)
				some += (dp_uwide)((uint64_t)f->a[n] *
				    (uint64_t)f->a[n + k * spacing]) * (j - k);
		}
		sum += k == 0 ? some : 2 * some;
	}
	return ldexp((double)sum, -2 * (int)f->s) * (1 + 0x1p-50);
}

/* sum of c[i] d[-i], 1 <= i <= n */
static double
product(const double *c, const double *d, uint64_t n)
{
	double sum[4] = { 0 };
	uint64_t i;

	for (i = 1; i + 3 <= n; i += 4) {
		sum[0] += c[i] * d[-(int64_t)i];
		sum[1] += c[i + 1] * d[-(int64_t)i - 1];
		sum[2] += c[i + 2] * d[-(int64_t)i - 2];
		sum[3] += c[i + 3] * d[-(int64_t)i - 3];
	}
	for (; i <= n; i++)
		sum[0] += c[i] * d[-(int64_t)i];
	return sum[0] + sum[1] + sum[2] + sum[3];
}

/* Sums of the first n + 1 terms of 1 / C, up to where all that come are nothing; returns n. */
static uint64_t
sums(double *g, const struct dp_banded_form *f, uint64_t T)
{
	const uint64_t most = T < TERMS ? T : TERMS;
	double c[DP_BANDED_MAX];
	uint64_t n, quiet = 0;

	for (n = 0; n < f->p; n++)
		c[n] = ldexp((double)f->a[n], -(int)f->s);
	for (n = 0; n < most && quiet < f->p; n++) {
		g[n] = (n == 0) - product(c, g + n, n < f->p - 1 ? n : f->p - 1);
		quiet = fabs(g[n]) < GONE ? quiet + 1 : 0;
	}
	for (T = n, n = 1; n < T; n++)
		g[n] += g[n - 1];
	return T;
}

static double
at(const double *g, uint64_t n, uint64_t i)
{
	return g[i < n ? i : n - 1];
}

/* l_k is the sum of the first k + 1 terms of 1 / C, less that of a window before. */
int
dp_banded_measure(struct dp_banded_error *e, const struct dp_banded_form *f, uint64_t window,
    uint64_t T)
{
	double *g = malloc(TERMS * sizeof *g), l;
	uint64_t n, i;

	*e = (struct dp_banded_error){ .n = 0 };
	if (g == NULL)
		return DP_ENOMEM;
	n = sums(g, f, T);
	e->n = n + window < T ? n + window : T;
	e->energy = malloc(e->n * sizeof *e->energy);
	e->ramp = malloc(e->n * sizeof *e->ramp);
	if (e->energy == NULL || e->ramp == NULL) {
		dp_banded_clear(e);
		free(g);
		return DP_ENOMEM;
	}
	for (i = 0; i < e->n; i++) {
		l = at(g, n, i) - (window != 0 && i >= window ? at(g, n, i - window) : 0);
		e->energy[i] = (i > 0 ? e->energy[i - 1] : 0) + l * l;
		e->ramp[i] = (i > 0 ? e->ramp[i - 1] : 0) + e->energy[i];
	}
	e->rise = window != 0 ? 0 : g[n - 1] * g[n - 1];
	free(g);
	return 0;
}

void
dp_banded_clear(struct dp_banded_error *e)
{
	free(e->energy);
	free(e->ramp);
	*e = (struct dp_banded_error){ .n = 0 };
}

double
dp_banded_energy(const struct dp_banded_error *e, uint64_t t)
{
	return t <= e->n ? e->energy[t - 1] :
	    e->energy[e->n - 1] + (double)(t - e->n) * e->rise;
}

double
dp_banded_ramp(const struct dp_banded_error *e, uint64_t t)
{
	const double more = t <= e->n ? 0 : (double)(t - e->n);

	return t <= e->n ? e->ramp[t - 1] : e->ramp[e->n - 1] +
	    more * e->energy[e->n - 1] + more * (more + 1) / 2 * e->rise;
}

/* ---- the choice ---- */

struct search {
	const struct dp_mech_rule *rule;
	uint64_t times, spacing, T;
	struct dp_banded_form best, form;
	double least;			/* of best: mean variance, for draws of 1 a shift of 1 */
	int error;
};

/* Mean over the steps of the worst of the estimates; the best one is kept. */
static double
try(struct search *s, uint64_t p, uint64_t alpha)
{
	const struct dp_task *k = &s->rule->task;
	struct dp_banded_error e;
	double mean = 0;
	unsigned i;

	s->form.p = p;
	s->form.alpha = alpha;
	dp_banded_set(&s->form);
	for (i = 0; i == 0 || i < k->windows; i++) {
		if (dp_banded_measure(&e, &s->form, k->windows != 0 ? k->w[i] : 0, s->T) != 0) {
			s->error = DP_ENOMEM;
			return 0;
		}
		mean = fmax(mean, dp_banded_ramp(&e, s->T) / (double)s->T);
		dp_banded_clear(&e);
	}
	mean *= dp_banded_squares(&s->form, s->times, s->spacing, s->T);
	if (mean < s->least) {
		s->best = s->form;
		s->least = mean;
	}
	return mean;
}

/* Golden section, to an alpha within 1/64 of the best; p = 1 has no alpha. */
static void
search(struct search *s, uint64_t p)
{
	uint64_t lo = 0, hi = DP_BANDED_ALPHA, m = 342, n = 554, next;
	double a, b;

	a = try(s, p, p == 1 ? 0 : m);
	if (p == 1)
		return;
	b = try(s, p, n);
	while (hi - lo > DP_BANDED_PARTS / 32 && s->error == 0) {
		if (a <= b) {
			hi = n;
			n = m;
			b = a;
			next = lo + hi - n;
			a = try(s, p, m = next);
		} else {
			lo = m;
			m = n;
			a = b;
			next = lo + hi - m;
			b = try(s, p, n = next);
		}
	}
}

#define KEY	(6 + DP_WINDOWS_MAX)

/* Comparisons and plans ask for the same. */
static void
set_key(uint64_t k[static KEY], const struct search *s)
{
	unsigned i;

	memset(k, 0, KEY * sizeof *k);
	k[0] = dp_numbers_hash("banded", 6);
	k[1] = s->times;
	k[2] = s->spacing;
	k[3] = s->T;
	k[4] = s->rule->task.windows;
	for (i = 0; i < s->rule->task.windows; i++)
		k[5 + i] = s->rule->task.w[i];
}

static uint64_t
band(uint64_t p, uint64_t T)
{
	p = p < T ? p : T;
	return p < DP_BANDED_MAX ? p : DP_BANDED_MAX;
}

int
dp_banded_choose(struct dp_banded_form *f, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *v = &rule->privacy;
	struct search s = { .rule = rule, .T = rule->horizon, .least = INFINITY,
	    .times = v->spacing != 0 ? v->times : 1,
	    .spacing = v->spacing != 0 ? v->spacing : rule->horizon, .form = { .s = TRY } };
	const struct dp_banded_form *known;
	uint64_t key[KEY], W = 0;
	unsigned i;

	set_key(key, &s);
	if ((known = dp_memo_find(v->memo, key, sizeof key)) != NULL) {
		*f = *known;
		return 0;
	}
	for (i = 0; i < rule->task.windows; i++)
		W = rule->task.w[i] > W ? rule->task.w[i] : W;
	search(&s, band(s.spacing, s.T));
	if (band(s.T, s.T) != band(s.spacing, s.T))
		search(&s, band(s.T, s.T));
	if (W != 0 && W < s.spacing && W < s.T)
		search(&s, band(W, s.T));
	if (s.error != 0)
		return s.error;
	dp_memo_keep(v->memo, key, sizeof key, &s.best, sizeof s.best);
	*f = s.best;
	return 0;
}
