/* SPDX-License-Identifier: ISC */
/* project.c - answers to linear queries. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/*
 * Answers to linear queries, all at once: noise on each, and what the records can be at
 * all.
 *
 * The column is the histogram x of the records.  The answers A x are whole numbers on A's grid, and
 * so is the noise.  One line for another moves A x by the difference of two vectors of
 * { 0, columns of A }: by at most l1 and l2squared, the privacy's own (project.h).
 *
 *   laplace		DLap(l1 / epsilon) on each answer
 *   gauss		discrete Gaussian noise for a shift of sqrt(l2squared), k draws
 *   counts		A (x + z), z DLap(|x - x'|_1 / epsilon): 2, K with users, u of totals
 *   projected		laplace, then the nearest point of what n lines can answer
 *   projected-gauss	gauss, likewise
 *   projected-counts	counts, likewise
 *   book		Laplace noise by advanced composition, likewise (Dwork, Roth 2014, Alg. 18)
 *   pan		laplace, twice: A x + z is all that memory ever holds, z drawn at the start;
 *			the answers are it and a second such z
 *   pan-gauss		gauss, likewise
 *
 * Projecting is post-processing of what is private already, and of n, the number of lines, which
 * the neighbours share; of totals (project.h) of the noisy answers alone.  It makes the sum of
 * (answer - truth)^2 no larger, whatever the noise: the hull is convex, and the truth in it.
 *
 * PAN-PRIVACY, of pan and pan-gauss.  Statement: memory at any one moment, before the first line,
 * between two or after the answers, and the answers together are (epsilon, delta)-DP; neither of
 * the two noises has less than all of the budget.  Proof: tests/proof/sketches.md, Sketches that
 * are linear.  Mir, Muthukrishnan, Nikolov, Wright 2011, section 3.1, the general technique, with
 * the noise of vectors in L1 or L2; the length of a column for that of what a whole state could
 * differ by.
 */

#define MORE_PLACES	6	/* of projected answers: they are on no grid */
#define TOLERANCE	1e-3	/* of the noise's root mean square, for all answers together */

extern const struct dp_mech_ops dp_laplace_ops, dp_gauss_answers_ops, dp_counts_ops,
    dp_projected_gauss_ops, dp_projected_counts_ops, dp_book_ops, dp_sketched_ops,
    dp_sketched_gauss_ops;

struct project {
	struct dp_mech m;
	struct dp_noise noise;
	const struct dp_queries *queries;
	bool on_counts;		/* noise on x; else on A x */
	bool projects;
	bool sketch;		/* the column is A x + z, not x */
	uint64_t square;	/* that answers move by, of all together */
};

static void
project_describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_queries *q = k->own;

	snprintf(text, size, "answers to %zu linear queries on %s of %zu kinds of records, once",
	    q->matrix->rows, q->totals ? "totals" : "counts", q->matrix->columns);
}

const struct dp_statistic dp_linear = {
	.name = "answers", .describe = project_describe, .measure = DP_MEASURE_RMSE
};

/* Numbers with noise. */
static size_t
draws_of(const struct project *p)
{
	const struct dp_matrix *a = p->queries->matrix;

	return p->on_counts ? a->columns : p->sketch ? 2 * a->rows : a->rows;
}

static int
make_noise_project(struct project *p, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *v = &rule->privacy;
	const size_t k = p->queries->matrix->rows;
	struct dp_privacy counts = *v;

	p->square = v->l2squared;
	if (p->on_counts) {		/* what moves is x itself */
		counts.l1 = p->queries->counts;
		return dp_privacy_laplace(&p->noise, &counts, dp_q_make(1, 1));
	}
	if (p->m.ops == &dp_book_ops)
		return dp_privacy_laplace_composed(&p->noise, v, k, p->queries->most);
	if (p->m.ops == &dp_gauss_answers_ops || p->m.ops == &dp_projected_gauss_ops ||
	    p->m.ops == &dp_sketched_gauss_ops)
		return dp_privacy_gauss_shift(&p->noise, v,
		    sqrt((double)v->l2squared) * (1 + 0x1p-50), draws_of(p));
	return dp_privacy_laplace(&p->noise, v, dp_q_make(1, 1));
}

static int
project_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_queries *q = rule->task.own;
	const struct dp_matrix *a = q->matrix;
	const bool sketch = (ops->traits & DP_TRAIT_PAN) != 0;
	struct project *p;
	int e;

	p = dp_mech_alloc(ops, sizeof *p, rule->horizon, sketch ? a->rows * sizeof(dp_wide) :
	    (a->columns * sizeof(int64_t) + 15) & ~(size_t)15);
	if (p == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	p->queries = q;
	p->sketch = sketch;
	p->on_counts = ops == &dp_counts_ops || ops == &dp_projected_counts_ops;
	p->projects = !sketch && ops != &dp_laplace_ops && ops != &dp_gauss_answers_ops &&
	    ops != &dp_counts_ops;
	dp_numbers_same(rule->privacy.numbers, "rows", a->rows);
	dp_numbers_same(rule->privacy.numbers, "columns", a->columns);
	dp_numbers_same(rule->privacy.numbers, "hull", q->totals ? 1 + DP_HULL_SIGNED : q->hull);
	dp_numbers_same_bytes(rule->privacy.numbers, "entries", a->entry,
	    a->rows * a->columns * sizeof *a->entry);
	if ((e = make_noise_project(p, rule)) != 0)
		return e;
	p->m.outputs = (unsigned)a->rows;
	p->m.estimate.decimals = p->projects && !rule->privacy.exact ? MORE_PLACES : 0;
	p->m.drawn.noise = &p->noise;
	p->m.drawn.numbers = p->on_counts ? "the count of every kind" :
	    sketch ? "every number in memory, and every answer" : "every answer";
	p->m.drawn.unit = p->on_counts ? pow(10, a->places) : 1;
	return 0;
}

static int
project_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct project *p = (const void *)m;
	const size_t k = p->queries->matrix->rows;

	if (m->ops == &dp_book_ops)
		return dp_certificate_composed(b, &p->noise, p->queries->most, k);
	if (p->noise.kind == DP_NOISE_GAUSS)
		return dp_certificate_gauss(b, &p->noise, p->square, draws_of(p));
	return p->on_counts ? dp_certificate_values(b, &p->noise, p->queries->counts, 1) :
	    dp_certificate_laplace(b, &p->noise, 1);
}

static const struct project *
self(const struct dp_mech *m)
{
	return (const void *)m;
}

#define SUM_MAX		((int64_t)1 << 61)

/* A clamped sum moves by no more than what it is of. */
static int64_t
within(int64_t sum)
{
	return sum > SUM_MAX ? SUM_MAX : sum < -SUM_MAX ? -SUM_MAX : sum;
}

static int
project_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	int64_t *count = col;

	(void)rng;
	(void)t;
	(void)est;
	if ((uint64_t)*x >= self(m)->queries->matrix->columns)	/* -1 is none */
		return 0;
	if (self(m)->queries->totals)
		count[*x] = within(count[*x] + x[1]);
	else
		count[*x]++;
	return 0;
}

static void
project_same(const struct dp_mech *m, void *col, const int64_t *x, uint64_t n)
{
	int64_t *count = col;

	if ((uint64_t)*x < self(m)->queries->matrix->columns)
		count[*x] += (int64_t)n;
}

/* A x and noise, or A (x and noise), exactly. */
static int
noisy_answers(const struct project *p, const int64_t *count, struct dp_rng *rng, dp_wide *est)
{
	const struct dp_matrix *a = p->queries->matrix;
	const int32_t *column;
	int64_t z = 0;
	dp_wide x;
	size_t i, j;
	int e;

	for (j = 0; j < a->rows; j++, est++) {
		if (!p->on_counts && (e = dp_draw(&p->noise, rng, &z)) != 0)
			return e;
		*est = z;
	}
	for (est -= a->rows, i = 0; i < a->columns; i++) {
		if (p->on_counts && (e = dp_draw(&p->noise, rng, &z)) != 0)
			return e;
		x = (dp_wide)count[i] + (p->on_counts ? z : 0);
		column = dp_matrix_column(a, i);
		for (j = 0; j < a->rows; j++)	/* also if x is 0: as long for any data */
			est[j] += x * column[j];
	}
	return 0;
}

static int
sketch_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct project *p = self(m);
	dp_wide *sum = col;
	int64_t z;
	size_t j;
	int e = 0;

	for (j = 0; j < p->queries->matrix->rows && e == 0; j++)
		if ((e = dp_draw(&p->noise, rng, &z)) == 0)
			sum[j] = z;
	sodium_memzero(&z, sizeof z);
	return e;
}

/* A line that is no record adds 0: as long for any line. */
static int
sketch_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_matrix *a = self(m)->queries->matrix;
	const bool none = (uint64_t)*x >= a->columns;
	const int32_t *column = dp_matrix_column(a, none ? 0 : (size_t)*x);
	const dp_wide n = self(m)->queries->totals ? x[1] : 1;
	dp_wide *sum = col;
	size_t j;

	(void)rng;
	(void)t;
	(void)est;
	for (j = 0; j < a->rows; j++)
		sum[j] += none ? 0 : n * column[j];
	return 0;
}

static void
sketch_same(const struct dp_mech *m, void *col, const int64_t *x, uint64_t n)
{
	const struct dp_matrix *a = self(m)->queries->matrix;
	dp_wide *sum = col;
	size_t j;

	for (j = 0; (uint64_t)*x < a->columns && j < a->rows; j++)
		sum[j] += (dp_wide)n * dp_matrix_column(a, (size_t)*x)[j];
}

static int
sketch_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct project *p = self(m);
	const dp_wide *sum = col;
	int64_t z;
	size_t j;
	int e = 0;

	(void)t;
	for (j = 0; j < m->outputs && e == 0; j++)
		if ((e = dp_draw(&p->noise, rng, &z)) == 0)
			est[j] = sum[j] + z;
	sodium_memzero(&z, sizeof z);
	sodium_stackzero(4096);		/* the second noise, which memory must not keep */
	return e;
}

/* A weight, below 2^20, rounded up to DIGITS binary digits: as a place, and that number. */
#define DIGITS	7
#define LEVELS	(20 << DIGITS)

static unsigned
level(uint32_t v)
{
	unsigned shift = 0;

	for (; v >> DIGITS != 0; shift++)
		v = (v + 1) >> 1;
	return shift << DIGITS | v;
}

static double
worth(unsigned level)
{
	return ldexp(level & ((1 << DIGITS) - 1), (int)(level >> DIGITS));
}

/* Too many weights: each is rounded up, by at most 1/63, which never narrows (Anderson). */
static void
rounded_law(const struct project *p, unsigned out, struct dp_law *l)
{
	const struct dp_matrix *a = p->queries->matrix;
	double n[LEVELS] = { 0 };
	size_t i;

	for (i = 0; i < a->columns; i++)
		n[level((uint32_t)dp_matrix_column(a, i)[out])]++;
	dp_law_clear(l);
	for (i = 0; i < LEVELS; i++)
		dp_law_add(l, &p->noise, worth((unsigned)i), n[i]);
}

/* Of the noise alone. */
static void
law_project(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct project *p = self(m);
	const struct dp_matrix *a = p->queries->matrix;
	size_t i;

	(void)t;
	if (!p->on_counts)
		dp_law_add(l, &p->noise, 1, p->sketch ? 2 : 1);
	for (i = 0; p->on_counts && i < a->columns; i++)
		dp_law_add(l, &p->noise, dp_matrix_column(a, i)[out], 1);
	if (l->full)
		rounded_law(p, out, l);
}

static void
project_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct project *p = self(m);
	const struct dp_matrix *a = p->queries->matrix;
	const double v = dp_noise_variance(&p->noise) * (p->sketch ? 2 : 1);
	double s, c;
	size_t i, j;

	(void)T;
	*e = (struct dp_error){ .max = v, .mean = v, .worst = 1 };
	if (!p->on_counts)
		return;
	for (e->max = e->mean = 0, j = 0; j < a->rows; j++) {
		for (s = 0, i = 0; i < a->columns; i++) {
			c = dp_matrix_column(a, i)[j];
			s += v * c * c;
		}
		e->max = s > e->max ? s : e->max;
		e->mean += s / (double)a->rows;
	}
}

/*
 * Of totals: the nearest point p of { A y : y >= 0 } to v is one with sum y <= n.  With a the
 * columns, entries >= 0, sum y_i |a_i|_1 = |p|_1 <= sqrt(k) |p|, and |p| <= |v|, as |p|^2 = <p, v>
 * in a cone; a column of zeros is of no use.
 */
static double
enough(const struct dp_matrix *a, const double *noisy)
{
	double least = INFINITY, v = 0, s;
	size_t i, j;

	for (i = 0; i < a->columns; i++) {
		for (s = 0, j = 0; j < a->rows; j++)
			s += dp_matrix_column(a, i)[j];
		least = s > 0 && s < least ? s : least;
	}
	for (j = 0; j < a->rows; j++)
		v += noisy[j] * noisy[j];
	return sqrt((double)a->rows * v) / least;
}

/* The noisy answers to the nearest of n lines, to MORE_PLACES more places. */
static int
project(const struct project *p, uint64_t n, dp_wide *est)
{
	const struct dp_matrix *a = p->queries->matrix;
	double *noisy = calloc(a->rows, sizeof *noisy), *point = calloc(a->rows, sizeof *point);
	struct dp_error rms;
	double gap;
	size_t j;
	int e = noisy == NULL || point == NULL ? DP_ENOMEM : 0;

	project_error(&p->m, n, &rms);
	for (j = 0; e == 0 && j < a->rows; j++)
		noisy[j] = (double)est[j];
	if (e == 0)
		e = dp_hull_nearest(a, p->queries->hull, p->queries->totals ? enough(a, noisy) :
		    (double)n, noisy, TOLERANCE * sqrt(rms.mean), point, &gap);
	for (j = 0; e == 0 && j < a->rows; j++)
		est[j] = (dp_wide)rint(point[j] * pow(10, MORE_PLACES));
	free(noisy);
	free(point);
	return e;
}

static int
project_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct project *p = self(m);
	int e;

	if ((e = noisy_answers(p, col, rng, est)) != 0)
		return e;
	return p->projects && p->noise.kind != DP_NOISE_NONE ? project(p, t, est) : 0;
}

/*
 * Statement.  With z the noise, n lines and w >= |<a, z>| for every column a of A, the projected
 * answers are within sqrt(2 n w) of the truth, in Euclidean distance.
 * Proof.  |v - truth|^2 <= <v - truth, z>: v is the nearest point to truth + z, and truth is in the
 * hull.  v - truth is A (y - x), sum |y - x| <= 2 n.
 *
 * w is the 1 - gamma quantile, by a union bound over the N columns.  With c the largest entry, all
 * their laws are narrower than that of c (z_1 + .. + z_r), r = max |a|^2 / c^2: for 0 and 1 this is
 * the law of the column with the most ones, and adding a symmetric unimodal term never narrows
 * (Anderson's inequality).  In general the logarithm K of a draw's moment generating function has
 * only even terms, none negative (a difference of two geometrics; the Gaussian's is s^2 sigma^2/2),
 * so K(s a_j) <= (a_j / c)^2 K(s c): that is enough for Chernoff's bound.
 */
static double
together(const struct dp_mech *m, uint64_t n, double gamma)
{
	const struct project *p = self(m);
	const struct dp_matrix *a = p->queries->matrix;
	double c = 0, r = 0, s, lo = 0, hi = 1;
	struct dp_law l;
	size_t i, j;

	if (!p->projects || p->on_counts || n == 0 || p->queries->totals)
		return 0;
	for (i = 0; i < a->rows * a->columns; i++)
		c = a->entry[i] > c ? a->entry[i] : c;
	for (i = 0; c > 0 && i < a->columns; i++, r = s > r ? s : r)
		for (s = 0, j = 0; j < a->rows; j++)
			s += pow(dp_matrix_column(a, i)[j] / c, 2);
	gamma /= (double)a->columns;
	dp_law_clear(&l);
	dp_law_add(&l, &p->noise, c, r);
	if (a->places == 0)
		hi = dp_law_bound(&l, gamma);
	else {
		while (dp_law_chernoff(&l, hi) > gamma)
			hi *= 2;
		for (i = 0; i < 50; i++)
			if (dp_law_chernoff(&l, s = (lo + hi) / 2) > gamma)
				lo = s;
			else
				hi = s;
	}
	return sqrt(2 * (double)n * hi / (double)a->rows);
}

static double
draws_project(const struct dp_mech *m)
{
	return (double)draws_of(self(m));
}

#define OPS(c_name, ...) \
	const struct dp_mech_ops dp_##c_name##_ops = { \
		.tasks = DP_TASK_OWN, .statistic = &dp_linear, .create = project_create, \
		.law.at = law_project, .error = project_error, \
		.bound.together = together, .drawn.number = draws_project, \
		.drawn.certify = project_certify, __VA_ARGS__ \
	}
#define COUNTS		.step = project_step, .many.same = project_same, .answer = project_answer
#define SKETCH		.start = sketch_start, .step = sketch_step, .many.same = sketch_same, \
			.answer = sketch_answer
#define SKETCHED	(DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN)

OPS(laplace, .name = "laplace", .traits = DP_TRAIT_ENDLESS, COUNTS,
    .say.source = "Laplace noise on every answer, and no projection");
OPS(gauss_answers, .name = "gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA, COUNTS,
    .say.source = "Gaussian noise on every answer, and no projection");
OPS(counts, .name = "counts", .traits = DP_TRAIT_ENDLESS, COUNTS,
    .say.source = "the answers to noisy counts of each kind, and no projection");
OPS(projected, .name = "projected", .traits = DP_TRAIT_ENDLESS, COUNTS,
    .say.source = "laplace, then the nearest answers that so many lines can have");
OPS(projected_gauss, .name = "projected-gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA, COUNTS,
    .say.source = "gauss, then the nearest answers that so many lines can have");
OPS(projected_counts, .name = "projected-counts", .traits = DP_TRAIT_ENDLESS, COUNTS,
    .say.source = "counts, then the nearest answers that so many lines can have");
OPS(book, .name = "book", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA, COUNTS,
    .say.source = "K-projected Laplace with the printed noise (Dwork, Roth 2014, Algorithm 18)");
OPS(sketched, .name = "pan", .traits = SKETCHED, SKETCH,
    .say.source = "answers that begin at noise and have noise once more: a linear sketch (Mir et "
    "al. 2011, section 3.1)");
OPS(sketched_gauss, .name = "pan-gauss", .traits = SKETCHED | DP_TRAIT_DELTA, SKETCH,
    .say.source = "the same with Gaussian noise");

/*
 * The point of a polytope, given by its corners, that is nearest to a given one:
 * Wolfe's algorithm (P. Wolfe 1976, Finding the nearest point in a polytope).
 *
 * The corners are n times the columns of A; and 0, or the same with the sign changed.  Divided by n
 * and moved so that the given point is the origin, they are P_i, and x = sum w_i P_i with w >= 0,
 * sum w = 1 is to be short.  A corral is a set of affinely independent corners whose hull holds the
 * shortest point of its affine hull in its inside; x is that point.
 *   Major cycle: the corner with the smallest <x, P_i> joins, unless none is below |x|^2: then x is
 *   the nearest.  Minor cycle: the shortest point of the new affine hull, if its weights are above
 *   0; else x moves towards it until a weight is 0, and that corner leaves.
 * |x| falls with every corral, so none comes back, and there are finitely many.
 *
 * Statement: gap = |x|^2 - min <x, P_i> is at least |x - x*|^2, x* the nearest point.
 * Proof.  x* is a mean of corners, so gap >= <x, x - x*> = <x*, x - x*> + |x - x*|^2, and
 * <x*, x - x*> >= 0 by the choice of x*.
 *
 * Frank and Wolfe's own method, also with pairwise steps, needs steps in inverse proportion to the
 * square of the hull's width, which is next to nothing for sums over ranges; this one needs little
 * more than one for each corner of the answer.  In doubles, one thread: the same bits every time.
 * (Of Debian's C libraries GSL, LAPACK and GLPK have no least squares with constraints, and what
 * NLopt has inside SLSQP it does not show.)
 */

struct corner {
	const int32_t *a;	/* k entries; NULL: 0 */
	double sign;
};

struct hull {
	const struct dp_matrix *A;
	enum dp_hull set;
	size_t k;		/* numbers in a point */
	double *origin;		/* the given point, divided by n */
	double *x;		/* the current point, as P_i are */
	double *p, *q, *kept;	/* of k numbers, at work; x, as it was */
	/* The corral: m corners of at most cap, and R, upper triangular, column by column. */
	size_t m, cap;
	struct corner *corner;
	double *w;		/* weights of x */
	double *u, *v;		/* of cap numbers, at work */
	double *R;		/* R'R = P'P + scale^2 ee', e = (1, .., 1) */
	double scale;
};

/* P_i of a corner. */
static void
shifted(const struct hull *h, const struct corner *c, double *p)
{
	size_t j;

	for (j = 0; j < h->k; j++)
		p[j] = (c->a == NULL ? 0 : c->sign * c->a[j]) - h->origin[j];
}

/* sum a_i b_i, in eight parts, which a machine adds side by side. */
#define DOT(name, type) \
	static double \
	name(const type *a, const double *b, size_t n) \
	{ \
		double s[8] = { 0 }; \
		size_t i, l; \
	\
		for (i = 0; i + 8 <= n; i += 8) \
			for (l = 0; l < 8; l++) \
				s[l] += a[i + l] * b[i + l]; \
		for (; i < n; i++) \
			s[0] += a[i] * b[i]; \
		return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); \
	}

DOT(dot, double)
DOT(dot_entries, int32_t)

/* Column j of R begins here, and has j + 1 numbers. */
static double *
column(const struct hull *h, size_t j)
{
	return h->R + j * (j + 1) / 2;
}

/* u = (R'R)^-1 u */
static void
solve(const struct hull *h, double *u)
{
	const double *r;
	size_t i, j;

	for (j = 0; j < h->m; j++) {
		r = column(h, j);
		u[j] = (u[j] - dot(r, u, j)) / r[j];
	}
	for (j = h->m; j-- > 0; ) {
		r = column(h, j);
		u[j] /= r[j];
		for (i = 0; i < j; i++)
			u[i] -= r[i] * u[j];
	}
}

/* x = sum of weight_i P_i, weights that sum to 1 */
static void
combine(struct hull *h, const double *weight)
{
	const struct corner *c;
	size_t i, j;
	double w;

	for (j = 0; j < h->k; j++)
		h->x[j] = -h->origin[j];
	for (i = 0; i < h->m; i++) {
		c = &h->corner[i];
		w = weight[i] * c->sign;
		for (j = 0; c->a != NULL && j < h->k; j++)
			h->x[j] += w * c->a[j];
	}
}

/* <x, P_i> */
static double
along(const struct hull *h, const struct corner *c, double x_origin)
{
	return (c->a == NULL ? 0 : c->sign * dot_entries(c->a, h->x, h->k)) - x_origin;
}

static double
sum(const double *a, size_t n)
{
	double s = 0;

	while (n > 0)
		s += a[--n];
	return s;
}

/*
 * The weights of the shortest point of the corral's affine hull, into u: (R'R)^-1 e, made to sum to
 * 1; and once more for what doubles left: there all <x, P_i> are equal.
 */
static void
affine(struct hull *h)
{
	double s, xo, mean;
	size_t i;

	for (i = 0; i < h->m; i++)
		h->u[i] = 1;
	solve(h, h->u);
	s = sum(h->u, h->m);
	for (i = 0; i < h->m; i++)
		h->u[i] /= s;
	combine(h, h->u);
	xo = dot(h->x, h->origin, h->k);
	for (i = 0; i < h->m; i++)
		h->v[i] = along(h, &h->corner[i], xo);
	mean = sum(h->v, h->m) / (double)h->m;
	for (i = 0; i < h->m; i++)
		h->v[i] = mean - h->v[i];
	solve(h, h->v);
	s = sum(h->v, h->m);
	for (i = 0; i < h->m; i++)
		h->u[i] += h->v[i] - s * h->u[i];
}

/* The corner joins, with weight 0; false: it is in the affine hull of the others. */
static bool
join_hull(struct hull *h, const struct corner *c)
{
	double *r = column(h, h->m), norm, rest;
	size_t i;

	shifted(h, c, h->p);
	for (i = 0; i < h->m; i++) {
		shifted(h, &h->corner[i], h->q);
		r[i] = dot(h->p, h->q, h->k) + h->scale * h->scale;
	}
	for (i = 0; i < h->m; i++)
		r[i] = (r[i] - dot(column(h, i), r, i)) / column(h, i)[i];
	norm = dot(h->p, h->p, h->k) + h->scale * h->scale;
	rest = norm - dot(r, r, h->m);
	if (!(rest > norm * 1e-13))
		return false;
	r[h->m] = sqrt(rest);
	h->corner[h->m] = *c;
	h->w[h->m++] = 0;
	return true;
}

/* Corner c leaves: Givens rotations make R triangular again. */
static void
leave(struct hull *h, size_t c)
{
	double *from, *to, x, y, d;
	size_t i, j;

	for (j = c; j + 1 < h->m; j++) {
		from = column(h, j + 1);
		to = column(h, j);
		memmove(to, from, c * sizeof *to);
		x = from[c];
		for (i = c; i < j; i++) {	/* the rotations so far: (u, v) is (cos, sin) */
			y = from[i + 1];
			to[i] = h->u[i] * x + h->v[i] * y;
			x = h->u[i] * y - h->v[i] * x;
		}
		y = from[j + 1];
		d = hypot(x, y);
		h->u[j] = x / d;
		h->v[j] = y / d;
		to[j] = d;
		h->corner[j] = h->corner[j + 1];
		h->w[j] = h->w[j + 1];
	}
	h->m--;
}

/*
 * A corner refused by join_hull() is sum l_i P_i, sum l = 1, in doubles.  Its weight rises, those
 * of the
 * corral fall, x stays; the first that is 0 leaves.  false: the corral is of no use any more.
 */
static bool
exchange(struct hull *h, const struct corner *c)
{
	const double *r = column(h, h->m);
	size_t i, j, out = h->m;
	double t = INFINITY;

	memcpy(h->u, r, h->m * sizeof *h->u);
	for (j = h->m; j-- > 0; ) {
		h->u[j] /= column(h, j)[j];
		for (i = 0; i < j; i++)
			h->u[i] -= column(h, j)[i] * h->u[j];
		if (h->u[j] > 0 && h->w[j] < t * h->u[j]) {
			t = h->w[j] / h->u[j];
			out = j;
		}
	}
	for (i = 0; out < h->m && i < h->m; i++)
		h->w[i] -= t * h->u[i];
	if (out == h->m)
		return false;
	leave(h, out);
	if (!join_hull(h, c))
		return false;
	h->w[h->m - 1] = t;
	return true;
}

/* Minor cycles, until the corral's shortest point is inside it. */
static void
settle(struct hull *h)
{
	double theta, t;
	size_t i, out;

	for (;;) {
		affine(h);
		theta = 1;
		out = h->m;
		for (i = 0; i < h->m; i++) {
			if (h->u[i] > 0)
				continue;
			t = h->w[i] > 0 ? h->w[i] / (h->w[i] - h->u[i]) : 0;
			if (t < theta) {
				theta = t;
				out = i;
			}
		}
		for (i = 0; i < h->m; i++)
			h->w[i] += theta * (h->u[i] - h->w[i]);
		if (out == h->m || h->m == 1)
			break;
		h->w[out] = 0;
		leave(h, out);
	}
	combine(h, h->w);
}

/* The corner with the smallest <x, P_i>, and that. */
static double
best_corner(const struct hull *h, struct corner *best)
{
	const double xo = dot(h->x, h->origin, h->k);
	struct corner c = { NULL, 1 };
	double least = h->set == DP_HULL_SOME ? 0 : INFINITY, s;
	size_t i;

	*best = c;
	for (i = 0; i < h->A->columns; i++) {
		c.a = dp_matrix_column(h->A, i);
		s = dot_entries(c.a, h->x, h->k);
		c.sign = 1;
		if (h->set == DP_HULL_SIGNED && s > 0) {
			c.sign = -1;
			s = -s;
		}
		if (s < least) {
			least = s;
			*best = c;
		}
	}
	return least - xo;
}

/*
 * Major cycles; returns the gap.  In doubles they end also where |x| falls no more.
 */
static double
shorten(struct hull *h, double enough)
{
	double length = INFINITY, before, gap = INFINITY;
	struct corner c;
	bool joined;

	combine(h, h->w);	/* of no corners: from the given point to 0 */
	(void)best_corner(h, &c);
	do {
		memcpy(h->kept, h->x, h->k * sizeof *h->x);
		joined = join_hull(h, &c) || exchange(h, &c);
		if (joined && h->m == 1)
			h->w[0] = 1;
		if (joined)
			settle(h);
		before = length;
		length = joined ? dot(h->x, h->x, h->k) : before;
		if (length < before)
			gap = length - best_corner(h, &c);
	} while (length < before && gap > enough && h->m < h->cap);
	if (!(length < before))
		memcpy(h->x, h->kept, h->k * sizeof *h->x);
	return gap;
}

static void
release_hull(struct hull *h)
{
	free(h->origin);
	free(h->x);
	free(h->p);
	free(h->q);
	free(h->kept);
	free(h->corner);
	free(h->w);
	free(h->u);
	free(h->v);
	free(h->R);
}

static int
make_hull(struct hull *h, const struct dp_matrix *A, enum dp_hull set)
{
	h->A = A;
	h->set = set;
	h->k = A->rows;
	h->cap = (A->columns < A->rows ? A->columns : A->rows) + 2;
	h->origin = calloc(h->k, sizeof *h->origin);
	h->x = calloc(h->k, sizeof *h->x);
	h->p = calloc(h->k, sizeof *h->p);
	h->q = calloc(h->k, sizeof *h->q);
	h->kept = calloc(h->k, sizeof *h->kept);
	h->corner = calloc(h->cap, sizeof *h->corner);
	h->w = calloc(h->cap, sizeof *h->w);
	h->u = calloc(h->cap, sizeof *h->u);
	h->v = calloc(h->cap, sizeof *h->v);
	h->R = calloc(h->cap * (h->cap + 1) / 2, sizeof *h->R);
	return h->origin == NULL || h->x == NULL || h->p == NULL || h->q == NULL ||
	    h->kept == NULL || h->corner == NULL || h->w == NULL || h->u == NULL || h->v == NULL ||
	    h->R == NULL ? DP_ENOMEM : 0;
}

int
dp_hull_nearest(const struct dp_matrix *A, enum dp_hull set, double n, const double *noisy,
    double tol, double *point, double *gap)
{
	struct hull h = { .k = 0 };
	size_t j;
	int e;

	*gap = 0;
	memset(point, 0, A->rows * sizeof *point);
	if (!(n > 0))
		return 0;
	if ((e = make_hull(&h, A, set)) == 0) {
		for (j = 0; j < h.k; j++)
			h.origin[j] = noisy[j] / n;
		h.scale = sqrt(dot(h.origin, h.origin, h.k));
		if (h.scale == 0)
			h.scale = 1;
		*gap = shorten(&h, tol / n * (tol / n)) * n * n;
		for (j = 0; j < h.k; j++)
			point[j] = (h.x[j] + h.origin[j]) * n;
	}
	release_hull(&h);
	return e;
}

/* How far one record can move the answers to linear queries. */

struct length {
	uint64_t norm;
	size_t i;		/* the column */
};

/* Columns to compare: power 1 or 2; or of 0 and 1, 64 a word, where both are the same. */
struct search {
	const struct dp_matrix *m;
	int power;
	size_t words;		/* of a column's bits */
	uint64_t *bits;		/* NULL: entries */
	struct length *list;
};

/* Longest first. */
static int
by_norm(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	return (x->norm < y->norm) - (x->norm > y->norm);
}

static uint64_t
apart_bits(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t sum = 0;
	size_t j;

	for (j = 0; j < words; j++)
		sum += (uint64_t)__builtin_popcountll(a[j] ^ b[j]);
	return sum;
}

/* sum |a_j - b_j|^power of columns i and l; l = columns: 0 */
static uint64_t
apart(const struct search *s, size_t i, size_t l)
{
	const int32_t *a = dp_matrix_column(s->m, i), *b = dp_matrix_column(s->m, l);
	uint64_t sum = 0;
	int64_t d;
	size_t j;

	if (s->bits != NULL)
		return apart_bits(s->bits + i * s->words, s->bits + l * s->words, s->words);
	for (j = 0; j < s->m->rows; j++) {
		d = (int64_t)a[j] - (l == s->m->columns ? 0 : b[j]);
		sum += (uint64_t)(s->power == 2 ? d * d : d < 0 ? -d : d);
	}
	return sum;
}

/* The sum over the rows of their largest entry to that power: no pair is farther apart. */
static uint64_t
ceiling(const struct dp_matrix *m, int power)
{
	uint64_t s = 0, largest;
	size_t i, j;

	for (j = 0; j < m->rows; j++) {
		for (i = 0, largest = 0; i < m->columns; i++)
			if ((uint64_t)dp_matrix_column(m, i)[j] > largest)
				largest = (uint64_t)dp_matrix_column(m, i)[j];
		s += power == 2 ? largest * largest : largest;
	}
	return s;
}

/*
 * The farthest that two columns, or a column and 0, are apart.  Entries are not negative, so two of
 * norms x and y are at most x + y apart, for both powers.
 */
static uint64_t
farthest(const struct search *s, bool from_nothing, uint64_t work)
{
	const uint64_t most = ceiling(s->m, s->power);
	const uint64_t each = s->bits != NULL ? s->words : s->m->rows;
	struct length *list = s->list;
	uint64_t best, d, done = 0;
	size_t i, l;

	for (i = 0; i < s->m->columns; i++)
		list[i] = (struct length){ apart(s, i, s->m->columns), i };
	qsort(list, s->m->columns, sizeof *list, by_norm);
	best = list[0].norm > 0 ? list[0].norm : 1;
	for (i = 0; !from_nothing && i < s->m->columns && best < most; i++)
		for (l = i + 1; l < s->m->columns && list[i].norm + list[l].norm > best; l++) {
			if ((done += each) > work)
				return most;
			d = apart(s, list[i].i, list[l].i);
			best = d > best ? d : best;
		}
	return best;
}

/* Of a matrix of 0 and 1; the last column is 0. */
static int
pack(struct search *s)
{
	const struct dp_matrix *m = s->m;
	size_t i, j;

	s->words = (m->rows + 63) / 64;
	if ((s->bits = calloc((m->columns + 1) * s->words, sizeof *s->bits)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < m->columns; i++)
		for (j = 0; j < m->rows; j++)
			s->bits[i * s->words + j / 64] |=
			    (uint64_t)dp_matrix_column(m, i)[j] << j % 64;
	return 0;
}

int
dp_moves_find(struct dp_moves *v, const struct dp_matrix *m, bool from_nothing, uint64_t work)
{
	struct search s = { .m = m, .power = 1 };
	size_t i;
	int e = 0;

	if ((s.list = calloc(m->columns, sizeof *s.list)) == NULL)
		e = DP_ENOMEM;
	if (e == 0 && m->places == 0)
		e = pack(&s);
	if (e == 0) {
		v->l1 = v->l2squared = farthest(&s, from_nothing, work);
		s.power = 2;
		if (m->places != 0)
			v->l2squared = farthest(&s, from_nothing, work);
		for (v->most = 0, i = 0; i < m->rows * m->columns; i++)
			if ((uint64_t)m->entry[i] > v->most)
				v->most = (uint64_t)m->entry[i];
	}
	free(s.bits);
	free(s.list);
	return e;
}

/* Whether linear queries are sums of multiples of others. */

#define PRIME	((uint64_t)2147483647)

static uint64_t
power(uint64_t x, uint64_t n)
{
	uint64_t y = 1;

	for (; n > 0; n >>= 1, x = x * x % PRIME)
		if (n & 1)
			y = y * x % PRIME;
	return y;
}

/* Rows so far that are independent, each 1 at a column of its own, pivot, and 0 before it. */
struct basis {
	size_t n, columns;
	uint32_t *row;			/* one after another */
	size_t *pivot;
};

/* Takes from row n, behind them, what is of these; false: all of it is. */
static bool
reduce(struct basis *b)
{
	uint32_t *const v = b->row + b->n * b->columns, *u;
	uint64_t f;
	size_t i, j;

	for (i = 0; i < b->n; i++) {
		u = b->row + i * b->columns;
		if ((f = v[b->pivot[i]]) == 0)
			continue;
		for (f = PRIME - f, j = 0; j < b->columns; j++)
			v[j] = (uint32_t)((v[j] + f * u[j]) % PRIME);
	}
	for (j = 0; j < b->columns && v[j] == 0; j++)
		;
	if (j == b->columns)
		return false;
	b->pivot[b->n++] = j;
	for (f = power(v[j], PRIME - 2), i = 0; i < b->columns; i++)
		v[i] = (uint32_t)(f * v[i] % PRIME);
	return true;
}

/* The row of the matrix, behind the others; false: it is 0. */
static bool
take(const struct basis *b, const struct dp_matrix *m, size_t row)
{
	uint32_t *const v = b->row + b->n * b->columns;
	bool any = false;
	size_t j;

	for (j = 0; j < m->columns; j++) {
		v[j] = (uint32_t)dp_matrix_column(m, j)[row];
		any |= v[j] != 0;
	}
	return any;
}

int
dp_queries_dependent(bool *found, const struct dp_matrix *m, uint64_t work)
{
	const size_t most = m->rows < m->columns ? m->rows : m->columns;
	struct basis b = { .columns = m->columns };
	uint64_t done = 0;
	size_t i;

	*found = false;
	if ((dp_uwide)most * m->columns > work)
		return 0;
	b.row = calloc(most + 1, m->columns * sizeof *b.row);
	b.pivot = calloc(most + 1, sizeof *b.pivot);
	for (i = 0; b.row != NULL && b.pivot != NULL && i < m->rows && !*found && done <= work;
	    i++) {
		if (!take(&b, m, i))
			continue;
		done += (uint64_t)b.n * b.columns;
		*found = !reduce(&b);
	}
	i = b.row == NULL || b.pivot == NULL;
	free(b.row);
	free(b.pivot);
	return i != 0 ? DP_ENOMEM : 0;
}
