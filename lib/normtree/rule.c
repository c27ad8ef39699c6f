/*
 * rule.c - what a node takes of the budget of its path, and where its k bends: numbers that
 * searches found for some horizons, for the largest error with the mean held below that of equal
 * children.
 */
#include <math.h>

#include "rule.h"

/*
 * Logarithms: of shares of the budget left, at the top, at the distance 1, 2, 3, 4 from it, ..; of
 * corners; what is added at the heights 1 to 4.
 */
enum {
	ROOT, TOP, TOP_CORNER, SHARE, SLOPE, LR_SHARE, RIGHT_SHARE,
	LL1, RIGHT1, LL2, LR2, RIGHT2, LL3, LR3, RIGHT3,
	CORNER, CORNER1, CORNER2, CORNER3, RIGHT_CORNER,
	SHARE_2, CORNER_2, CORNER_1, RIGHT_SLOPE,
	SHARE_3, CORNER_3, SHARE_4, CORNER_4, LL4, FREE
};

_Static_assert(FREE == DP_NORMTREE_NUMBERS, "numbers of a rule");

#define UNLIKE		7	/* children differ so far from the top: below it gains nothing; */
#define FULL		11	/* and beyond 2^11 steps */
#define UNLIKE_TALL	4	/* so far: more tables take more time than that is worth */
#define BUDGETS_TALL	8
#define ABOVE		.25	/* corner of a node above a tree */

/* T = 2^H. */
static const struct {
	double H, p[FREE];
} whole[] = {
	{ 1, { -3.26, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, 0.08, -1.51 } },
	{ 2, { -5.04, -0.40, -2.62, -2.50, -0.19, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.07, -1.51 } },
	{ 3, { -2.66, 0.23, -0.52, -2.13, -0.55, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 4, { -2.75, 0.20, -0.97, -2.12, -0.54, 0.12, -0.65, 0.66,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -1.55,
	    1.36, 0.41, 0.07, -1.32, -3.50, -2.50, -0.34, -1.51 } },
	{ 5, { -2.85, -0.19, -0.79, -2.12, -0.54, 0.12, -0.65, 0.54,
	    -3.40, 0.57, 0.56, -0.80, 0.58, 0.28, 0.05, -0.98,
	    1.40, 0.41, 0.07, -1.32, -3.50, -2.50, -0.47, -1.51 } },
	{ 6, { -2.85, -0.19, -0.84, -2.12, -0.54, -0.13, -0.90, 0.54,
	    -3.40, 0.32, 0.56, -0.79, 0.58, 0.28, 0.05, -0.98,
	    1.35, 0.41, 0.07, -1.07, -3.50, -2.50, -0.72, -1.26 } },
	{ 7, { -3.01, -0.19, -0.89, -2.12, -0.54, -0.15, -0.99, 0.55,
	    -3.40, 0.21, 0.53, -0.85, 0.51, 0.30, 0.27, -0.98,
	    1.10, 0.16, 0.36, -1.16, -3.50, -2.50, -0.58, -1.10 } },
	{ 8, { -3.34, -0.16, -1.22, -2.12, -0.54, -0.16, -0.87, 0.54,
	    -3.50, 0.14, 0.58, -0.50, 0.51, 0.33, 0.27, -0.99,
	    0.95, 0.05, 0.08, -0.77, -2.92, -2.48, -0.71, -1.14,
	    0.04, -0.41, 0.05, -0.06, 0.07 } },
	{ 10, { -3.56, -0.44, -0.88, -2.12, -0.29, -0.15, -0.89, 0.54,
	    -3.40, 0.12, 0.53, -0.28, 0.53, 0.30, 0.56, -1.00,
	    0.94, -0.17, 0.09, -0.95, -3.50, -2.50, -0.49, -1.26 } },
	{ 12, { -4.17, -0.44, -0.87, -2.12, -0.70, -0.10, -0.83, 0.29,
	    -3.40, 0.12, 0.28, -0.28, 0.53, 0.41, 0.81, -1.04,
	    1.28, 0.00, 0.20, -0.41, -3.50, -2.50, -0.58, -1.26 } }
};

/* Differences from T = 128 of T = 65, 72, 84, 100 and 116. */
static const struct part {
	double x, p[FREE];
} parts[] = {
	{ 0.5078, { -7.24, -2.61, -0.35, 0.00, 0.12, 0.16, 0.03, -0.33,
	    -0.70, 0.30, -4.46, -2.20, 0.02, 0.26, -0.12, -0.04,
	    -1.00, 0.93, 0.48, -0.36, -0.21, 0.34, 0.16, 0.34,
	    -0.03, -0.22, 0.05, -0.14, 0.25 } },
	{ 0.5625, { -3.99, -3.21, -0.33, 0.00, 0.12, 0.36, 0.17, -0.31,
	    0.00, 0.26, -3.93, -2.55, 0.14, 0.28, 0.12, 0.27,
	    -1.07, 0.67, 0.05, -0.01, 0.00, 0.00, 0.06, -0.08 } },
	{ 0.6562, { -1.03, -3.21, -0.33, 0.00, 0.25, -1.21, 0.30, -0.01,
	    0.00, 0.31, -1.18, 0.92, -0.02, 0.63, -0.13, 0.41,
	    -0.24, -0.10, -0.19, -0.12, 1.49, 1.30, 0.23, 0.13 } },
	{ 0.7812, { -0.10, -3.21, -0.33, 0.00, -0.05, -0.14, 0.06, 0.02,
	    0.00, 0.19, -0.17, 1.10, 0.03, 0.11, -0.12, 0.03,
	    0.30, 0.23, -0.13, -0.28, 0.00, 0.00, -0.19, 0.40 } },
	{ 0.9062, { 0.15, -3.21, -0.33, 0.00, -0.05, 0.11, 0.05, 0.02,
	    0.00, 0.19, 0.08, 0.85, 0.04, -0.14, 0.13, 0.28,
	    0.59, 0.23, -0.38, -0.24, 0.00, 0.00, -0.18, 0.41 } }
};

/* Differences from T = 1024 of T = 1025, 1300 and 1600. */
static const struct part longer[] = {
	{ 0.5005, { -3.68, -1.11, -3.87, -0.01, -0.69, -0.42, -0.23, -0.55,
	    0.31, 0.27, -1.43, -0.73, -0.12, 0.72, 0.50, -0.01,
	    -0.90, 1.27, 0.33, -0.03, 0.57, -0.12, -0.50, 0.11,
	    0.08, -0.01, -0.09, -0.07, 0.06 } },
	{ 0.6348, { -3.07, -0.95, -2.24, 0.00, -0.48, -0.34, -0.03, 0.00,
	    -0.08, 0.20, -1.05, 0.51, -0.13, 0.21, 0.02, -0.14,
	    0.06, -0.43, 0.63, 0.25, 0.16, 0.12, -0.41, 0.08,
	    -0.02, -0.16, 0.14, 0.07, 0.00 } },
	{ 0.7812, { -3.44, -1.05, -1.31, 0.00, -0.76, -0.22, -0.11, 0.25,
	    0.00, -0.05, -1.16, 0.40, -0.13, 0.22, 0.08, -0.13,
	    -0.24, -0.74, 0.54, 0.38, 1.99, 1.91, -0.59, 0.14 } }
};

/* Beyond 2^11 steps, T = 2^H: for H = 12, 20 and 30. */
static const double tall[3][FREE] = {
	{ -3.58, -0.60, -1.30, -2.36, -0.88, 0.05, -0.06, 0.81,
	    -3.39, 0.58, 0.70, -0.41, 0.43, 0.26, -0.14, -1.63,
	    1.63, 1.01, 0.72, -1.24, -3.13, -2.07, -0.68, -0.18,
	    0.14, 0.01, 0.12, 0.52, 0.13 },
	{ -3.96, -0.91, -2.06, -2.31, -1.02, 0.00, -0.04, 0.92,
	    -3.73, 0.72, 1.02, 0.37, 0.34, -0.01, -0.74, -1.34,
	    1.34, 0.61, -0.80, -0.62, -3.06, -2.39, -0.91, -0.06,
	    -0.21, -0.32, -0.30, -0.29, 0.35 },
	{ -4.76, -0.79, -2.15, -2.30, -1.02, 0.00, -0.06, 0.90,
	    -3.49, 0.81, 1.01, 0.29, 0.38, 0.28, -0.47, -1.43,
	    1.57, 0.92, -0.37, -0.57, -3.21, -2.47, -0.91, 0.00,
	    -0.30, -0.30, -0.29, -0.12, 0.36 }
};

/* Numbers for T just above 2^(H - 1). */
static const double above[3][FREE] = {
	{ -15.28, -2.97, -2.71, -2.35, -0.74, 0.11, 0.11, 0.09,
	    -3.73, 0.64, -1.37, -2.15, 0.31, 0.23, -0.53, -1.43,
	    1.21, 0.98, 0.93, -1.04, -3.75, -2.21, -1.22, 1.23,
	    0.52, 0.31, 0.06, 0.13, 0.10 },
	{ -9.17, -3.19, -1.74, -2.31, -1.23, 0.00, -0.21, -0.11,
	    -3.40, 1.08, 0.76, 0.02, 1.05, 0.97, 0.34, -1.51,
	    0.29, 0.30, -0.01, -0.24, -3.67, -0.77, -0.97, -0.36,
	    -0.32, -0.04, -0.50, -0.15, 0.31 },
	{ -16.29, -3.24, -1.86, -2.31, -0.93, -0.31, -0.09, -0.43,
	    -3.38, 0.75, 0.81, -0.70, 0.73, 1.02, 0.37, -1.37,
	    -0.23, 0.77, 0.01, -0.19, -3.37, -2.11, -0.78, -0.31,
	    -0.30, -0.47, -0.19, -0.09, 0.22 }
};

static void
blend(double *to, const double *a, const double *b, double w)
{
	unsigned i;

	for (i = 0; i < FREE; i++)
		to[i] = a[i] + w * (b[i] - a[i]);
}

/* Change of the numbers with x = T / 2^H, from 1 down to 1/2. */
static void
set_change(double *to, const struct part *p, unsigned n, double x)
{
	static const double none[FREE];
	unsigned i = 0;

	while (i + 1 < n && p[i + 1].x <= x)
		i++;
	if (x <= p[0].x)
		blend(to, p[0].p, none, 0);
	else if (i + 1 < n)
		blend(to, p[i].p, p[i + 1].p, (x - p[i].x) / (p[i + 1].x - p[i].x));
	else
		blend(to, p[i].p, none, (x - p[i].x) / (1 - p[i].x));
}

/* For T = x 2^H. */
static void
set_numbers(struct dp_normtree_rule *r, unsigned H, double x)
{
	const unsigned wholes = sizeof whole / sizeof whole[0];
	double low[FREE], high[FREE], change[FREE], w;
	unsigned i;

	r->H = H;
	r->unlike = H > FULL ? UNLIKE_TALL : UNLIKE;
	r->budgets = H > FULL ? BUDGETS_TALL : DP_NORMTREE_BUDGETS;
	if (H > FULL) {
		i = H > 20;
		w = i == 0 ? (H - 12) / 8. : (H - 20) / 10.;
		blend(low, tall[i], tall[i + 1], w);
		blend(high, above[i], above[i + 1], w);
		blend(r->p, low, high, pow(2 - 2 * x, 4));
	}
	else {
		for (i = 0; i + 2 < wholes && whole[i + 1].H <= H; i++)
			;
		blend(r->p, whole[i].p, whole[i + 1].p, H > whole[wholes - 1].H ? 1 :
		    (H - whole[i].H) / (whole[i + 1].H - whole[i].H));
		set_change(low, parts, sizeof parts / sizeof parts[0], x);
		set_change(high, longer, sizeof longer / sizeof longer[0], x);
		blend(change, low, high, H <= 8 ? 0 : H == 9 ? 0.5 : 1);
		for (i = 0; i < FREE; i++)
			r->p[i] += change[i];
	}
	r->root = exp(r->p[ROOT]);
	r->above = 0;
}

/* A node above a tree has the share that would be that of the tree's root. */
void
dp_normtree_rule_set(struct dp_normtree_rule *r, unsigned H, double x)
{
	if (!dp_normtree_rule_above(H, x)) {
		set_numbers(r, H, x);
		return;
	}
	set_numbers(r, H - 1, 1);
	r->above = r->root;
	r->root = 0;
}

/* Rates added near the steps. */
static void
add_low(const double *p, unsigned h, double *share, double *corner)
{
	static const unsigned of[][2] = {
		{ SHARE_2, CORNER_2 }, { SHARE_3, CORNER_3 }, { SHARE_4, CORNER_4 }
	};

	if (h <= 4) {
		*share += p[of[h - 2][0]];
		*corner += p[of[h - 2][1]];
	}
}

void
dp_normtree_rule_wish(const struct dp_normtree_rule *r, unsigned h, unsigned type, double *share,
    double *corner)
{
	const double *p = r->p, x = log((h + 1) / 9.), base = p[SHARE] + p[SLOPE] * x;
	const unsigned t = type == DP_NORMTREE_ALIKE ? DP_NORMTREE_LL : type, far = r->H - h;
	double s = base, c = p[CORNER];

	if (h > r->H) {
		*share = r->above;
		*corner = ABOVE;
		return;
	}
	if (h == 1) {
		*share = 1;
		*corner = exp(p[CORNER_1]);
		return;
	}
	if (t == DP_NORMTREE_LR)
		s += p[LR_SHARE];
	if (t == DP_NORMTREE_RIGHT) {
		s += p[RIGHT_SHARE] + p[RIGHT_SLOPE] * x;
		c += p[RIGHT_CORNER];
	}
	add_low(p, h, &s, &c);
	if (far == 1) {
		s += t == DP_NORMTREE_LL ? p[LL1] : t == DP_NORMTREE_RIGHT ? p[RIGHT1] : 0;
		c += p[CORNER1];
	}
	if (far == 2) {
		s += p[LL2 + t];
		c += p[CORNER2];
	}
	if (far == 3) {
		s += p[LL3 + t];
		c += p[CORNER3];
	}
	if (far == 4 && t == DP_NORMTREE_LL)
		s += p[LL4];
	if (far == 0) {
		s = base + p[TOP];
		c = p[TOP_CORNER];
	}
	*share = fmin(exp(s), .75);
	*corner = exp(fmin(c, 1.5));
}
