/*
 * rows.c - the rows that splits are drawn by: of each size of a node an envelope above its weights.
 */
#include "level.h"

#define ROUNDED	1e-12		/* what doubles may hide of a weight: a row leaves so much */

void
dp_normtree_set_row(struct dp_normtree_row *r, unsigned S, double C)
{
	r->width = S;
	r->odd = -S % S;
	/* T stays below 1, whatever rounding did */
	r->inverse = dp_real_of((1 - ROUNDED) / C);
}

/* Least factor by which a side's weights fall from the n-th on. */
static double
fall_after(const struct work *w, unsigned side, unsigned P, unsigned n)
{
	const unsigned half = P / 2;

	if (w->open)
		return w->beyond.fade;
	if (n > w->last - (P - half))
		return w->beyond.q[0] * w->beyond.q[1];
	return w->steep[w->alike ? 0 : side][P - half + n - 1] *
	    (n > half + 1 ? w->steep[w->alike ? 0 : !side][n - half - 1] : 1);
}

bool
dp_normtree_covered(const double *t, unsigned n, unsigned S, double end, double C)
{
	const unsigned blocks = (n - 1) / S + 1, next = blocks * S;
	double fall = 1, here = ldexp(t[n - 1], (int)blocks);
	unsigned i;

	for (i = n - 1; i < next; i++)
		here *= end;
	for (i = 0; i < S && fall > 0.5; i++)
		fall *= end;
	return fall <= 0.5 && here <= C;
}

/* N' of P, and an envelope above the weights of both sides: the larger S, then the larger C. */
static int
enclose(const struct work *w, unsigned P, bool drawn, unsigned *S, double *C)
{
	const unsigned sides = w->alike ? 1 : 2;
	unsigned n[2], side, one;
	double sum[2], here;

	for (side = 0; side < sides; side++)
		n[side] = dp_normtree_weights(w, side, P, DP_NORMTREE_NOTHING, &sum[side]);
	w->N[P] = dp_normtree_both(w, P, sum);
	if (!drawn)
		return 0;
	for (*S = 0, side = 0; side < sides; side++) {
		one = dp_normtree_half(w->t[side], n[side], w->alike ? 0 : P / 2);
		*S = one > *S ? one : *S;
	}
	for (*C = 0, side = 0; side < sides; side++) {
		here = dp_normtree_envelope(w->t[side], n[side], *S);
		*C = here > *C ? here : *C;
	}
	for (side = 0; side < sides; side++)
		if (!dp_normtree_covered(w->t[side], n[side], *S, fall_after(w, side, P, n[side]),
		    *C))
			return DP_ERANGE;
	return 0;
}

int
dp_normtree_set_rows(const struct work *w, enum dp_normtree_use use, struct dp_normtree_row *row)
{
	const bool kept = use != DP_NORMTREE_FIND && use != DP_NORMTREE_CERTIFY;
	double accept = 1, one, C = 0;
	unsigned P, S = 0;

	for (P = 0; P <= w->A; P++) {
		if (enclose(w, P, use != DP_NORMTREE_FIND, &S, &C) != 0)
			return DP_ERANGE;
		if (!kept)
			continue;
		row[P].width = S;
		one = w->N[P] / (4 * (double)S * C);
		accept = one < accept ? one : accept;
	}
	for (P = 0; P <= w->A && kept; P++)
		dp_normtree_set_row(&row[P], row[P].width,
		    w->N[P] / (4 * (double)row[P].width * accept));
	return 0;
}
