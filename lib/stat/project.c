/*
 * project.c - answers to linear queries, all at once: noise on each, and what the records can be at
 * all.
 *
 * The column is the histogram x of the records.  The answers A x are whole numbers on A's grid, and
 * so is the noise.  One line for another moves A x by the difference of two vectors of
 * { 0, columns of A }: by at most l1 and l2squared, the privacy's own (project.h).
 *
 *   laplace		DLap(l1 / epsilon) on each answer
 *   gauss		discrete Gaussian noise for a shift of sqrt(l2squared), k draws
 *   counts		A (x + z), z DLap(|x - x'|_1 / epsilon): 2, or K for a user's K lines
 *   projected		laplace, then the nearest point of what n lines can answer
 *   projected-gauss	gauss, likewise
 *   projected-counts	counts, likewise
 *   book		Laplace noise by advanced composition, likewise (Dwork, Roth 2014, Alg. 18)
 *
 * Projecting is post-processing of what is private already, and of n, the number of lines, which
 * the neighbours share.  It makes sum (answer - truth)^2 no larger, whatever the noise: the hull is
 * convex, and the truth in it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mech/certificate.h"
#include "project.h"

#define MORE_PLACES	6	/* of projected answers: they are on no grid */
#define TOLERANCE	1e-3	/* of the noise's root mean square, for all answers together */

extern const struct dp_mech_ops dp_laplace_ops, dp_gauss_answers_ops, dp_counts_ops,
    dp_projected_gauss_ops, dp_projected_counts_ops, dp_book_ops;

struct project {
	struct dp_mech m;
	struct dp_noise noise;
	const struct dp_queries *queries;
	bool on_counts;		/* noise on x; else on A x */
	bool projects;
	uint64_t square;	/* that answers move by, of all together */
};

static void
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_queries *q = k->own;

	snprintf(text, size, "answers to %zu linear queries on counts of %zu kinds of records, "
	    "once", q->matrix->rows, q->matrix->columns);
}

const struct dp_statistic dp_linear = {
	.name = "answers", .describe = describe, .measure = DP_MEASURE_RMSE
};

static int
make_noise(struct project *p, const struct dp_mech_rule *rule)
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
	if (p->m.ops == &dp_gauss_answers_ops || p->m.ops == &dp_projected_gauss_ops)
		return dp_privacy_gauss_shift(&p->noise, v,
		    sqrt((double)v->l2squared) * (1 + 0x1p-50), k);
	return dp_privacy_laplace(&p->noise, v, dp_q_make(1, 1));
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_queries *q = rule->task.own;
	const struct dp_matrix *a = q->matrix;
	struct project *p;
	int e;

	p = dp_mech_alloc(ops, sizeof *p, rule->horizon, (a->columns * sizeof(int64_t) + 15) &
	    ~(size_t)15);
	if (p == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	p->queries = q;
	p->on_counts = ops == &dp_counts_ops || ops == &dp_projected_counts_ops;
	p->projects = ops != &dp_laplace_ops && ops != &dp_gauss_answers_ops &&
	    ops != &dp_counts_ops;
	dp_numbers_same(rule->privacy.numbers, "rows", a->rows);
	dp_numbers_same(rule->privacy.numbers, "columns", a->columns);
	dp_numbers_same(rule->privacy.numbers, "hull", q->hull);
	dp_numbers_same_bytes(rule->privacy.numbers, "entries", a->entry,
	    a->rows * a->columns * sizeof *a->entry);
	if ((e = make_noise(p, rule)) != 0)
		return e;
	p->m.outputs = (unsigned)a->rows;
	p->m.estimate.decimals = p->projects && !rule->privacy.exact ? MORE_PLACES : 0;
	p->m.drawn.noise = &p->noise;
	p->m.drawn.numbers = p->on_counts ? "the count of every kind" : "every answer";
	p->m.drawn.unit = p->on_counts ? pow(10, a->places) : 1;
	return 0;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct project *p = (const void *)m;
	const size_t k = p->queries->matrix->rows;

	if (m->ops == &dp_book_ops)
		return dp_certificate_composed(b, &p->noise, p->queries->most, k);
	if (p->noise.kind == DP_NOISE_GAUSS)
		return dp_certificate_gauss(b, &p->noise, p->square, k);
	return p->on_counts ? dp_certificate_values(b, &p->noise, p->queries->counts, 1) :
	    dp_certificate_laplace(b, &p->noise, 1);
}

static const struct project *
self(const struct dp_mech *m)
{
	return (const void *)m;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	int64_t *count = col;

	(void)rng;
	(void)t;
	(void)est;
	if ((uint64_t)*x < self(m)->queries->matrix->columns)	/* -1 is none */
		count[*x]++;
	return 0;
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
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct project *p = self(m);
	const struct dp_matrix *a = p->queries->matrix;
	size_t i;

	(void)t;
	if (!p->on_counts)
		dp_law_add(l, &p->noise, 1, 1);
	for (i = 0; p->on_counts && i < a->columns; i++)
		dp_law_add(l, &p->noise, dp_matrix_column(a, i)[out], 1);
	if (l->full)
		rounded_law(p, out, l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct project *p = self(m);
	const struct dp_matrix *a = p->queries->matrix;
	const double v = dp_noise_variance(&p->noise);
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

	error(&p->m, n, &rms);
	for (j = 0; e == 0 && j < a->rows; j++)
		noisy[j] = (double)est[j];
	if (e == 0)
		e = dp_hull_nearest(a, p->queries->hull, (double)n, noisy,
		    TOLERANCE * sqrt(rms.mean), point, &gap);
	for (j = 0; e == 0 && j < a->rows; j++)
		est[j] = (dp_wide)rint(point[j] * pow(10, MORE_PLACES));
	free(noisy);
	free(point);
	return e;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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

	if (!p->projects || p->on_counts || n == 0)
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
draws(const struct dp_mech *m)
{
	return (double)(self(m)->on_counts ? self(m)->queries->matrix->columns : m->outputs);
}

#define OPS(c_name, ...) \
	const struct dp_mech_ops dp_##c_name##_ops = { \
		.tasks = DP_TASK_OWN, .statistic = &dp_linear, .create = create, \
		.step = step, .answer = answer, .law.at = law, .error = error, \
		.bound.together = together, .drawn.number = draws, \
		.drawn.certify = certify, __VA_ARGS__ \
	}

OPS(laplace, .name = "laplace", .traits = DP_TRAIT_ENDLESS,
    .say.source = "Laplace noise on every answer, and no projection");
OPS(gauss_answers, .name = "gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .say.source = "Gaussian noise on every answer, and no projection");
OPS(counts, .name = "counts", .traits = DP_TRAIT_ENDLESS,
    .say.source = "the answers to noisy counts of each kind, and no projection");
OPS(projected, .name = "projected", .traits = DP_TRAIT_ENDLESS,
    .say.source = "laplace, then the nearest answers that so many lines can have");
OPS(projected_gauss, .name = "projected-gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .say.source = "gauss, then the nearest answers that so many lines can have");
OPS(projected_counts, .name = "projected-counts", .traits = DP_TRAIT_ENDLESS,
    .say.source = "counts, then the nearest answers that so many lines can have");
OPS(book, .name = "book", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .say.source = "K-projected Laplace with the printed noise (Dwork, Roth 2014, Algorithm 18)");
