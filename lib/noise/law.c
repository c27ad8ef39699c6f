/* law.c - what a law is made of; and the tails of one draw. */
#include <math.h>

#include "law.h"

void
dp_law_clear(struct dp_law *l)
{
	l->terms = l->flips = l->parts = 0;
	l->full = l->blind = l->between = false;
	l->bits = l->gap = l->each = 0;
	l->memo = NULL;
}

void
dp_law_memo_clear(struct dp_law_memo *memo)
{
	memo->guess = memo->n = 0;
}

void
dp_law_add(struct dp_law *l, const struct dp_noise *z, double coef, double n)
{
	struct dp_law_term *last = l->term + l->terms - 1;

	if (z->kind == DP_NOISE_NONE || !(n > 0) || coef == 0)
		return;
	coef = fabs(coef);	/* the noise is symmetric */
	if (l->terms > 0 && last->noise == z && last->coef == coef) {
		last->n += n;
		return;
	}
	if (l->terms == DP_LAW_TERMS) {
		l->full = true;
		return;
	}
	l->term[l->terms].noise = z;
	l->term[l->terms].coef = coef;
	l->term[l->terms++].n = n;
}

void
dp_law_flip(struct dp_law *l, double coef, double n, double p)
{
	if (!(n > 0))
		return;
	if (l->flips == DP_LAW_FLIPS)
		l->full = true;
	else
		l->flip[l->flips++] = (struct dp_law_flip){ coef, n, p };
}

void
dp_law_part(struct dp_law *l, const struct dp_law_part *part)
{
	if (!(part->variance > 0))
		return;
	if (l->parts == DP_LAW_PARTS)
		l->full = true;
	else
		l->part[l->parts++] = *part;
}

double
dp_law_variance(const struct dp_law *l)
{
	double v = 0, one = 0;
	unsigned i;

	if (l->full)
		return INFINITY;
	if (l->bits > 0)
		return l->bits * (l->each != 0 ? l->each :
		    (1 - l->gap * l->gap) / (4 * l->gap * l->gap));
	for (i = 0; i < l->flips; i++)
		v += l->flip[i].n * l->flip[i].coef * l->flip[i].coef * l->flip[i].p *
		    (1 - l->flip[i].p);
	for (i = 0; i < l->parts; i++)
		v += l->part[i].variance;
	for (i = 0; i < l->terms; i++) {
		if (i == 0 || l->term[i].noise != l->term[i - 1].noise)
			one = dp_noise_variance(l->term[i].noise);
		v += l->term[i].n * l->term[i].coef * l->term[i].coef * one;
	}
	return v;
}

bool
dp_law_whole(const struct dp_law *l)
{
	unsigned i;

	if (l->flips != 0)
		return false;
	for (i = 0; i < l->parts; i++)
		if (!l->part[i].whole)
			return false;
	for (i = 0; i < l->terms; i++)
		if (l->term[i].coef != floor(l->term[i].coef))
			return false;
	return true;
}

/* P(|z| > w) */
static double
noise_tail(const struct dp_noise *z, double w)
{
	double v, mass = 1, out = 0, k, p;

	if (z->kind == DP_NOISE_NONE)
		return 0;
	v = dp_q_double(z->param);
	if (z->kind == DP_NOISE_LAPLACE)
		return 2 * exp(-(w + 1) / v) / (1 + exp(-1 / v));
	if (v >= 16)
		return erfc((w + 0.5) / sqrt(2 * v));
	for (k = 1; (p = 2 * exp(-k * k / (2 * v))) > 0; k++) {
		mass += p;
		out += k > w ? p : 0;
	}
	return out / mass;
}

double
dp_noise_width(const struct dp_noise *z, double p)
{
	double lo = -1, hi = 0, mid;

	for (; noise_tail(z, hi) > p; hi = 2 * hi + 1)
		lo = hi;
	while ((mid = dp_whole_between(lo, hi)) > lo)
		if (noise_tail(z, mid) > p)
			lo = mid;
		else
			hi = mid;
	return hi;
}

double
dp_law_pole(const struct dp_law *l)
{
	double least = INFINITY, s;
	unsigned i;

	for (i = 0; i < l->terms; i++) {
		if (l->term[i].noise->kind == DP_NOISE_GAUSS)
			continue;
		s = 1 / (dp_q_double(l->term[i].noise->param) * l->term[i].coef);
		least = s < least ? s : least;
	}
	return least;
}
