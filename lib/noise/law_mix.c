/* law_mix.c - the law of a sum of independent variables of one law, each times a number. */
#include <math.h>

#include "law.h"

/* A part times its alpha; of: the part, the caller's. */
static const struct dp_law_part *
whole_of(const struct dp_law_part *p)
{
	return p->of;
}

static bool
waves(const struct dp_law_part *p, double gamma, double sigma, double *step, unsigned *n,
    double *phi, double *off)
{
	const struct dp_law_part *x = whole_of(p);
	double s = *step > 0 ? *step * p->alpha : *step;
	const bool known = x->waves(x, gamma, sigma / p->alpha, &s, n, phi, off);

	*step = s > 0 ? s / p->alpha : s;
	return known;
}

static void
cumulant(const struct dp_law_part *p, const double *s, unsigned n, double *k)
{
	const struct dp_law_part *x = whole_of(p);
	double times[DP_LAW_ABREAST];
	unsigned i;

	for (i = 0; i < n; i++)
		times[i] = s[i] * p->alpha;
	x->cumulant(x, times, n, k);
}

static double
outside(const struct dp_law_part *p)
{
	return whole_of(p)->outside(whole_of(p));
}

static void
add_parts(struct dp_law *l, const struct dp_law *of, double c)
{
	const struct dp_law_part *x;

	for (x = of->part; x < of->part + of->parts; x++)
		dp_law_part(l, &(struct dp_law_part){ .variance = c * c * x->variance,
		    .waves = x->waves != NULL ? waves : NULL,
		    .cumulant = x->cumulant != NULL ? cumulant : NULL,
		    .outside = x->outside != NULL ? outside : NULL,
		    .rough = x->rough, .of = x, .alpha = c });
}

void
dp_law_mix(struct dp_law *l, const struct dp_law *of, const double *coef, unsigned n)
{
	unsigned i, j;
	double c;

	dp_law_clear(l);
	l->between = true;
	l->full = of->full || of->bits > 0 || of->flips != 0;
	for (i = 0; i < n; i++) {
		if ((c = fabs(coef[i])) == 0)
			continue;
		add_parts(l, of, c);
		for (j = 0; j < of->terms; j++)
			dp_law_add(l, of->term[j].noise, c * of->term[j].coef, of->term[j].n);
	}
}

void
dp_law_alike(struct dp_law *l)
{
	unsigned i;

	for (i = 0; i < l->parts; i++)
		l->part[i].waves = NULL;
}
