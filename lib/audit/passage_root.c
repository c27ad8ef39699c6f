/* passage_root.c - how far the noise of a whole tree goes, and its law (passage.h). */
#include <math.h>
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define FAR	(1 << 15)		/* reach, at most */

void
audit_passage_up(mpfr_t sum, double v, double n)
{
	mpfr_t f;

	/* (1 - u)^-n <= 1 + 2 n u, where n u <= 1/2 */
	mpfr_init2(f, DP_AUDIT_SHARE);
	mpfr_set_d(f, n < 0x1p52 ? n : HUGE_VAL, MPFR_RNDU);
	mpfr_div_2ui(f, f, 52, MPFR_RNDU);
	mpfr_add_ui(f, f, 1, MPFR_RNDU);
	mpfr_set_d(sum, v, MPFR_RNDU);
	mpfr_mul(sum, sum, f, MPFR_RNDU);
	mpfr_clear(f);
}

bool
audit_passage_bounded(const struct audit_tree *t)
{
	unsigned i;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != DP_AUDIT_STEP &&
		    t->kind[t->kind[i].child[0]].level + 1 != t->kind[i].level)
			return false;
	return t->fine == 0 && t->unit == 1 && t->h < 39 && t->root.beyond < 1 &&
	    t->kind[t->kinds - 1].level == t->h;
}

long
audit_passage_reach(const struct audit_tree *t, double share)
{
	const double r = t->root.beyond;
	double one = t->root.v[t->root.A] * 2 * r / (1 - r), sum = -t->root.v[0];
	unsigned i;
	long n;

	for (i = 0; i <= t->root.A; i++)
		sum += 2 * t->root.v[i];
	if (!(share > 0x1p-200) || !(one <= 0x1p200))
		return 0;
	for (n = (long)t->root.A; n < FAR && one > share * (sum + one); n++)
		one *= r;
	return n < FAR ? n : 0;
}

/* To where a root is rarer than 2^-83, or nearly; at most 2^16 further than its table. */
static long
far_enough(const struct audit_tree *t)
{
	mpfr_t r;
	long n = 0;

	mpfr_init2(r, DP_AUDIT_WEIGHT);
	mpfr_set_ui(r, 1, MPFR_RNDN);
	for (; n < 1 << 16 && audit_share(r, MPFR_RNDU) > DP_AUDIT_ALL >> 83; n++)
		mpfr_mul_d(r, r, t->root.beyond, MPFR_RNDU);
	mpfr_clear(r);
	return (long)t->root.A + n;
}

bool
audit_passage_root(const struct audit_tree *t, struct audit_before *b)
{
	const long R = audit_passage_bounded(t) ? far_enough(t) : 0, both = R + b->reach;
	dp_uwide *law = NULL, *sum = NULL, outside = 0;
	long s, P;

	if (R > 0 && both < 1 << 18) {
		law = malloc((size_t)(2 * R + 1) * sizeof *law);
		sum = calloc((size_t)(2 * both + 1), sizeof *sum);
	}
	if (law == NULL || sum == NULL || !audit_root_law(t, R, MPFR_RNDU, law, &outside)) {
		free(law);
		free(sum);
		return false;
	}
	for (s = -b->reach; s <= b->reach; s++)
		for (P = -R; P <= R; P++)
			sum[s + P + both] += b->p == NULL ? law[P + R] :
			    audit_share_times_up(b->p[s + b->reach], law[P + R]);
	free(law);
	free(b->p);
	*b = (struct audit_before){ sum, b->outside + outside, both, b->trees + 1 };
	return true;
}
