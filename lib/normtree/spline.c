/*
 * spline.c - the loss of tables on a finer grid, and the law of what is split there.
 */
#include <math.h>
#include <stdlib.h>

#include "spline.h"

#define N		DP_SPLINE_ORDER
#define SMALL		0x1p-11		/* of the loss: what its search leaves */
#define CELLS		12		/* beyond A: from A + 9 on all is periodic */
#define MARGIN		(CELLS + 2 * N + 1)	/* and coefficients that these meet */
#define RESIDUES	4		/* of a cell, that stand for all */
#define LOOKS		32768	/* twice that at most: small shares at large D take the most */

static double
at(const double *table, int64_t v)
{
	return table[v < 0 ? -v : v];
}

static double
less(double x, double y)
{
	return x < y ? x : y;
}

static double
more(double x, double y)
{
	return x > y ? x : y;
}

/*
 * D times the probability that n uniforms from 0 .. D - 1 sum to s + D k, 0 <= s < D, for k = 0 ..
 * n - 1.  From n - 1 to n: z d/dz of both sides of ((1 - z^D) / (1 - z))^n.
 */
static void
basis(double *w, unsigned n, double D, double s)
{
	unsigned i, k;
	double x, scale;

	for (w[0] = 1, i = 1; i < n; i++) {
		w[i] = 0;
		scale = 1 / (i * D);
		for (k = i + 1; k-- > 0; ) {
			x = s + D * k;
			w[k] = (x + i) * w[k];
			if (k > 0)
				w[k] += ((i + 1) * (D - 1) + 1 - x) * w[k - 1];
			w[k] *= scale;
		}
	}
}

/*
 * G(y) = sum over i of g(i) e^(e i) times the law of n uniforms at y - D i, and at a residue of y
 * what G(y) and D (G(y + 1) - G(y)) are sums with: the difference is a spline of order n - 1.
 */
struct spline {
	double g[2 * (DP_NORMTREE_REACH + MARGIN) + 1];		/* at v + A + MARGIN */
	int64_t zero;
	unsigned n;
	double tilt[2 * N + 2];		/* e^(-e k) */
	double sum[2 * N + 1], up[2 * N + 1];	/* of tilted coefficients, the last one first */
	int64_t cell;			/* of y */
	unsigned next;			/* y + 1 is in the next cell */
};

static void
start(struct spline *f, const double *g, unsigned A, unsigned n, double fall)
{
	unsigned k;

	f->n = n;
	f->zero = (int64_t)A + MARGIN;
	for (k = 0; k <= 2 * (A + MARGIN); k++)
		f->g[k] = at(g, k - f->zero);
	f->tilt[0] = 1;
	for (k = 1; k < 2 * N + 2; k++)
		f->tilt[k] = f->tilt[k - 1] * fall;
}

static void
set_residue(struct spline *f, unsigned fine, int64_t y)
{
	const int64_t D = (int64_t)1 << fine, s = y & (D - 1);
	double w[2 * N];
	unsigned k;

	f->cell = y >> fine;
	f->next = s + 1 == D;
	basis(w, f->n, (double)D, (double)s);
	for (k = 0; k <= f->n; k++)
		f->sum[k] = k < f->next || k - f->next == f->n ? 0 : w[k - f->next] * f->tilt[k];
	basis(w, f->n - 1, (double)D, f->next ? 0 : (double)(s + 1));
	for (k = 0; k <= f->n; k++)
		f->up[k] = ((k < f->n - 1 ? w[k] : 0) - (k > 0 && k < f->n ? w[k - 1] : 0)) *
		    f->tilt[k];
}

/* D (G(y + 1) - G(y)) / G(y), so many cells after where the residue was set. */
static double
rise(const struct spline *f, int64_t cells)
{
	const double *last = f->g + f->zero + f->cell + f->next + cells;
	double sum = 0, up = 0;
	unsigned k;

	for (k = 0; k <= f->n; k++) {
		sum += last[-(int)k] * f->sum[k];
		up += last[-(int)k] * f->up[k];
	}
	return up / sum;
}

struct range {
	double lo, hi;
};

static struct range
minus(struct range x, struct range y)
{
	return (struct range){ x.lo - y.hi, x.hi - y.lo };
}

static struct range
product(struct range x, struct range y)
{
	const double a = x.lo * y.lo, b = x.lo * y.hi, c = x.hi * y.lo, d = x.hi * y.hi;

	return (struct range){ less(less(a, b), less(c, d)), more(more(a, b), more(c, d)) };
}

/*
 * Of a cell: D^2 times what the second differences of rise() are, at most.  With r = rise() / D,
 * r G = dG, so that by the product rule
 *	r' G(y + 1) = ddG - r dG,   r'' G(y + 2) = dddG - 2 r' dG(y + 1) - r ddG,
 * where G, D dG, D^2 ddG and D^3 dddG are means of coefficients, of their differences, and so on.
 * top: the last coefficient that the cell meets.
 */
static double
curve(const struct spline *f, int64_t top)
{
	double a[2 * N + 2];
	struct range d[4], inverse, r, slope;
	unsigned i, k, n = f->n + 2;

	for (k = 0; k < n; k++)
		a[k] = f->g[f->zero + top - k] * f->tilt[k];
	for (i = 0; i < 4; i++, n--) {
		d[i] = (struct range){ a[0], a[0] };
		for (k = 0; k < n; k++) {
			d[i].lo = less(d[i].lo, a[k]);
			d[i].hi = more(d[i].hi, a[k]);
			a[k] -= k + 1 < n ? a[k + 1] : 0;
		}
	}
	inverse = (struct range){ 1 / d[0].hi, 1 / d[0].lo };
	r = product(d[1], inverse);
	slope = product(minus(d[2], product(r, d[1])), inverse);
	slope.lo *= 2;
	slope.hi *= 2;
	r = product(minus(minus(d[3], product(slope, d[1])), product(r, d[2])), inverse);
	return more(-r.lo, r.hi) * (1 + 1e-9);
}

struct cell {
	int64_t m;
	double up, down;		/* how both rises are curved */
	double a, b;			/* and what they are where the steps begin */
};

struct search {
	struct spline up, down;
	unsigned fine, looks;
	double best, worst;		/* what some step gains, and no step does */
};

static void
set_step(struct search *q, int64_t x)
{
	const int64_t middle = N / 2 * (((int64_t)1 << q->fine) - 1);

	set_residue(&q->up, q->fine, x + middle);
	set_residue(&q->down, q->fine, x + 2 * middle);
}

/*
 * D log((1 + a / D) / (1 + b / D)) or a little more, difference = a - b: log(1 + z) <= z - z^2 / 2
 * + z^3 / 3 for z > -1.  Less than nothing is 0; what is not known, as b may be too low, INFINITY.
 */
static double
gain(double difference, double b, double D)
{
	const double z = difference / (D + b);

	if (!(D + b > 0) || !(difference < INFINITY))
		return INFINITY;
	return difference > 0 ? z * D * (1 - z * (0.5 - z / 3)) : 0;
}

/* What a step of those gains between which this cell's rises are a, b and c.a, c.b. */
static double
between(struct search *q, const struct cell *c, double a, double b, double length)
{
	const double D = (double)((int64_t)1 << q->fine), most = more(a - b, c->a - c->b);
	const double s = length * length / 8, all = most + s * (c->up + c->down);

	q->best = more(q->best, gain(most, more(b, c->b), D));
	return gain(all, less(b, c->b) - s * c->down, D);
}

/*
 * What the steps from x = D m + from .. to gain: of the cells where their ends do not tell, those
 * of each half.  After so many looks what bounds a gain is taken for one: tables of a forged plan
 * may need as many looks as there are steps.
 */
static void
look(struct search *q, struct cell *c, unsigned n, int64_t from, int64_t to)
{
	const double length = to - from < 2 ? 0 : ldexp((double)(to - from), -(int)q->fine);
	const int64_t x = from + (to - from) / 2;
	struct cell swap;
	double all;
	unsigned i, left = 0;

	set_step(q, from);
	for (i = 0; i < n; i++) {
		c[i].a = rise(&q->up, c[i].m);
		c[i].b = rise(&q->down, c[i].m);
	}
	set_step(q, to);
	for (i = 0; i < n; i++) {
		swap = c[i];
		all = between(q, &swap, rise(&q->up, swap.m), rise(&q->down, swap.m), length);
		if (to - from <= 1 || all <= q->best * (1 + SMALL) || q->looks == 0) {
			q->worst = more(q->worst, all);
			continue;
		}
		c[i] = c[left];
		c[left++] = swap;
	}
	if (left > 0) {
		q->looks--;
		look(q, c, left, from, x);
		look(q, c, left, x + 1, to);
	}
}

double
dp_spline_loss(const double *g, const double *c, unsigned A, unsigned fine, double fall)
{
	const int64_t last = ((int64_t)1 << fine) - 1, end = (int64_t)A + CELLS;
	struct search q = { .fine = fine, .looks = LOOKS };
	struct cell cell[2 * (DP_NORMTREE_REACH + CELLS)];
	unsigned n = 0;
	int64_t m;

	start(&q.up, g, A, N, fall);
	start(&q.down, c, A, 2 * N, 1);
	for (m = -end; m < end; m++)	/* the last that y, y + 1 or y + 2 meets: y >> fine + .. */
		cell[n++] = (struct cell){ .m = m, .up = curve(&q.up, m + N / 2),
		    .down = curve(&q.down, m + N) };
	/* it is near the kink: what is found there saves time */
	look(&q, cell + n / 2 - 3, 6, 0, last);
	look(&q, cell, n, 0, last);
	return q.worst / (double)(last + 1);
}

void
dp_spline_smooth(double *c, unsigned A, unsigned last, double ratio)
{
	double before = c[1], here;
	unsigned v;

	for (v = 0; v <= A; v++) {
		here = c[v];
		c[v] = (before + 4 * here + c[v + 1]) / 6;
		before = here;
	}
	for (; v <= last; v++)
		c[v] = c[v - 1] * ratio;
}

/* The splits of fine noise of residue s: its part of the law of |Q|. */
static void
redraw_residue(const double *c, int64_t reach, double D, double s, const double *i, double *Q,
    double part, double sign)
{
	const double t = s < N / 2 ? s + D - N / 2 : s - N / 2;	/* as down sees it */
	const int64_t ahead = s < N / 2 ? N / 2 - 1 : N / 2;
	double w[N], v[2 * N], one, all, p;
	int64_t m, k;

	basis(w, N, D, s);
	basis(v, 2 * N, D, t);
	for (m = -reach; m <= reach; m++) {
		for (p = 0, k = 0; k < N; k++)
			p += at(i, m - k) * (m == k ? 1 : m > k ? 0.5 : 0.5 * sign) * w[k];
		for (all = 0, k = 0; k < 2 * N; k++)
			all += at(c, m + ahead - k) * v[k];
		for (k = 0; k < 2 * N; k++) {
			one = at(c, m + ahead - k) * v[k] * p * part / all;
			Q[llabs(m + ahead - k)] += m + ahead < k ? one * sign : one;
		}
	}
}

void
dp_spline_redraw(const double *c, unsigned A, unsigned fine, const double *i, double *Q,
    unsigned last, bool odd)
{
	const double D = (double)((int64_t)1 << fine);
	const unsigned n = fine < 3 ? 1u << fine : RESIDUES;
	unsigned k;

	memset(Q, 0, (last + 1) * sizeof *Q);
	for (k = 0; k < n; k++)
		redraw_residue(c, 2 * (int64_t)A + 2 * N, D, floor((k + 0.5) * D / n), i, Q,
		    1. / n, odd ? -1 : 1);
}

double
dp_spline_residual(unsigned fine)
{
	return N * (ldexp(1, 2 * (int)fine) - 1) / 12;
}
