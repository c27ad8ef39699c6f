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
 *   projected		laplace, then the nearest point of what n lines can answer
 *   projected-gauss	gauss, likewise
 *   book		Laplace noise by advanced composition, likewise (Dwork, Roth 2014, Algorithm 18)
 *
 * Projecting is post-processing of what is private already, and of n, the number of lines, which
 * the neighbours share.  It makes sum (answer - truth)^2 no larger, whatever the noise: the truth is
 * in the hull, which is convex.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mech.h"
#include "project.h"

#define MORE_PLACES	6	/* of projected answers: they are on no grid */
#define TOLERANCE	1e-3	/* of the noise's root mean square, for all answers together */

extern const struct dp_mech_ops dp_laplace_ops, dp_gauss_answers_ops, dp_projected_ops,
    dp_projected_gauss_ops, dp_book_ops;

struct project {
	struct dp_mech m;
	struct dp_noise noise;
	const struct dp_queries *queries;
	bool projects;
};

static void
describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_queries *q = k->own;

	snprintf(text, size, "answers to %zu linear queries on counts of %zu kinds of records, "
	    "once", q->matrix->rows, q->matrix->columns);
}

const struct dp_statistic dp_project_answers = {
	.name = "answers", .describe = describe, .measure = DP_MEASURE_RMSE
};

static int
make_noise(struct project *p, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *v = &rule->privacy;
	const size_t k = p->queries->matrix->rows;

	if (p->m.ops == &dp_book_ops)
		return dp_privacy_laplace_composed(&p->noise, v, k, p->queries->most);
	if (p->m.ops == &dp_gauss_answers_ops || p->m.ops == &dp_projected_gauss_ops)
		return dp_privacy_gauss_shift(&p->noise, v,
		    sqrt((double)v->l2squared) * (1 + 0x1p-50), k);
	return dp_privacy_laplace(&p->noise, v, dp_q_make(1, 1));
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops)
{
	const struct dp_queries *q = rule->task.own;
	const struct dp_matrix *a = q->matrix;
	struct project *p;
	int e;

	p = dp_mech_alloc(ops, sizeof *p, rule->horizon, (a->columns * sizeof(int64_t) + 15) &
	    ~(size_t)15);
	if (p == NULL)
		return DP_ENOMEM;
	p->queries = q;
	p->projects = ops != &dp_laplace_ops && ops != &dp_gauss_answers_ops;
	dp_params_same(rule->privacy.params, a->rows);
	dp_params_same(rule->privacy.params, a->columns);
	dp_params_same(rule->privacy.params, q->hull);
	dp_params_same_bytes(rule->privacy.params, a->entry,
	    a->rows * a->columns * sizeof *a->entry);
	if ((e = make_noise(p, rule)) != 0) {
		dp_mech_free(&p->m);
		return e;
	}
	p->m.outputs = (unsigned)a->rows;
	p->m.decimals = p->projects && !rule->privacy.exact ? MORE_PLACES : 0;
	p->m.noise = &p->noise;
	p->m.noisy = "every answer";
	*out = &p->m;
	return 0;
}

#define CREATE(name) \
	static int \
	name##_create(struct dp_mech **out, const struct dp_mech_rule *rule) \
	{ \
		return create(out, rule, &dp_##name##_ops); \
	}

CREATE(laplace)
CREATE(gauss_answers)
CREATE(projected)
CREATE(projected_gauss)
CREATE(book)

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
	if (*x >= 0 && (uint64_t)*x < self(m)->queries->matrix->columns)
		count[*x]++;
	return 0;
}

/* A x and noise, exactly. */
static int
noisy_answers(const struct project *p, const int64_t *count, struct dp_rng *rng, dp_wide *est)
{
	const struct dp_matrix *a = p->queries->matrix;
	const int32_t *column;
	int64_t z;
	size_t i, j;
	int e;

	for (j = 0; j < a->rows; j++) {
		if ((e = dp_draw(&p->noise, rng, &z)) != 0)
			return e;
		est[j] = z;
	}
	for (i = 0; i < a->columns; i++) {
		column = dp_matrix_column(a, i);
		for (j = 0; count[i] != 0 && j < a->rows; j++)
			est[j] += (dp_wide)count[i] * column[j];
	}
	return 0;
}

/* The noisy answers to the nearest of n lines, to MORE_PLACES more places. */
static int
project(const struct project *p, uint64_t n, dp_wide *est)
{
	const struct dp_matrix *a = p->queries->matrix;
	const double rms = sqrt(dp_noise_variance(&p->noise));
	double *noisy = calloc(a->rows, sizeof *noisy), *point = calloc(a->rows, sizeof *point);
	double gap;
	size_t j;
	int e = noisy == NULL || point == NULL ? DP_ENOMEM : 0;

	for (j = 0; e == 0 && j < a->rows; j++)
		noisy[j] = (double)est[j];
	if (e == 0)
		e = dp_hull_nearest(a, p->queries->hull, (double)n, noisy, TOLERANCE * rms, point,
		    &gap);
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

/* Of the noise alone. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, &self(m)->noise, 1, 1);
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

	if (!p->projects || n == 0)
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
	return m->outputs;
}

#define OPS(c_name, ...) \
	const struct dp_mech_ops dp_##c_name##_ops = { \
		.tasks = DP_TASK_OWN, .statistic = &dp_project_answers, .create = c_name##_create, \
		.step = step, .answer = answer, .law = law, .error = dp_mech_error_constant, \
		.together = together, .draws = draws, __VA_ARGS__ \
	}

OPS(laplace, .name = "laplace", .traits = DP_TRAIT_ENDLESS,
    .source = "Laplace noise on every answer, and no projection");
OPS(gauss_answers, .name = "gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .source = "Gaussian noise on every answer, and no projection");
OPS(projected, .name = "projected", .traits = DP_TRAIT_ENDLESS,
    .source = "laplace, then the nearest answers that so many lines can have");
OPS(projected_gauss, .name = "projected-gauss", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .source = "gauss, then the nearest answers that so many lines can have");
OPS(book, .name = "book", .traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA,
    .source = "K-projected Laplace with the printed noise (Dwork, Roth 2014, Algorithm 18)");
