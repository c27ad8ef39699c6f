/* law_mix.c - the law of a sum of independent variables of one law, each times a number. */
#include <math.h>

#include "law.h"

void
dp_law_mix(struct dp_law *l, const struct dp_law *of, const double *coef, unsigned n)
{
	unsigned i, j;
	double c;

	dp_law_clear(l);
	l->between = true;
	l->full = of->full || of->bits > 0 || of->flips != 0;
	for (i = 0; i < n; i++) {
		c = fabs(coef[i]);
		for (j = 0; j < of->parts; j++)
			dp_law_part(l, &(struct dp_law_part){
			    .variance = c * c * of->part[j].variance });
		for (j = 0; j < of->terms; j++)
			dp_law_add(l, of->term[j].noise, c * of->term[j].coef, of->term[j].n);
	}
}
