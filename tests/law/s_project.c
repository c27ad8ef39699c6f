/* SPDX-License-Identifier: ISC */
/*
 * s_project.c - linear queries: measured variance equals predicted variance, the projection never
 * loses, and the claimed epsilon is not refuted.
 *
 * Variance.  R = 20000 answers of a matrix of two queries, fixed seed, on counts so far inside the
 * hull that projecting moves nothing; and on totals.  Statistic: (sample variance / predicted - 1)
 * / sd, sd = sqrt((2 + k)/R), k = 3 the excess kurtosis of a Laplace variable.  Limit 6.2:
 * false-reject rate below 1e-6 for all 72 checks together.  Power: a scale 15 % off moves the
 * statistic beyond 15.
 *
 * Projection.  On the same noise: |projected - truth| <= |noisy - truth| in every one of 2000 runs.
 * What the bound that --explain prints (95 %) rests on, the largest |<a, z>| of all columns a, is
 * beyond its quantile in at most 2000 * 0.05 + 5.4 sd of them, and in some; so the error, too.
 *
 * Neighbours.  (1) By enumeration, no chance: over all pairs of columns and 0 and all noise in a
 * box, the largest ratio of two probabilities is exp(epsilon), and not less: the sensitivity is
 * exact.  With delta: the sum of P - e^epsilon P' where it is above 0 is at most delta.  Totals:
 * over all pairs of numbers of a row, UNIT apart at most, as steps move the sums.
 * (2) From outputs: epsilon = 1, R = 200000 runs a side, one record another one; the events "the
 * answer it leaves is low and the one it joins is high" inside the hull and at its edge.  It is
 * refuted when the lower end of ln((p1 - delta)/p0) exceeds 1: normal quantile 6.3 on both
 * proportions, false-reject rate below 1e-6 for all 18 tests.
 * (3) Memory and answers of a sketch, by its own code under all noise in a box, no chance: memory
 * is seen before or after the line that differs, or after the answers; the largest ratio of two
 * probabilities is exp(epsilon) each time, and not less.
 */
#include "../unit/covers.h"
#include "../unit/mech.h"
#include "account/neighbour.h"
#include "base/internal.h"
#include "stat/project.h"

#define LIMIT	6.2
#define BOX	400		/* noise from -BOX to BOX */
#define UNIT	2		/* of a total from 0 to MOST */
#define MOST	5

static const struct {
	const char *name;
	bool delta, on_counts;
	int unprojected;	/* the row that draws the same noise; -1: is none, -2: this is it */
	double tight;		/* loss the neighbour test must come near, inside the hull */
} row[] = {
	{ "laplace", false, false, -2, .9 }, { "projected", false, false, 0, .9 },
	{ "gauss", true, false, -2, 0 }, { "projected-gauss", true, false, 2, 0 },
	{ "counts", false, true, -2, .9 }, { "projected-counts", false, true, 4, .9 },
	{ "book", true, false, -1, 0 }, { "pan", false, false, -2, .45 },
	{ "pan-gauss", true, false, -2, 0 }
};
#define ROWS	(sizeof row / sizeof row[0])

static struct dp_matrix
matrix(const char *text)
{
	char why[DP_MATRIX_WHY];
	struct dp_matrix m;

	if (dp_matrix_read(&m, text, strlen(text), why) != 0)
		abort();
	return m;
}

/* epsilon = 1; delta = 10^-3 for those that need one */
static struct dp_mech *
mechanism(size_t which, struct dp_queries *q)
{
	struct dp_relation r = { .lines = true, .hi = q->totals ? MOST : 1,
	    .of = DP_RECORD_SYMBOL, .unit = q->totals ? UNIT : 0, .total = q->totals ? "2" : NULL };
	struct dp_mech_rule s = setting(0, 1, 1, 1);
	struct dp_distance v;
	struct dp_moves of;
	struct dp_mech *m;

	if (dp_moves_find(&of, q->matrix, q->totals, DP_MOVES_WORK) != 0)
		abort();
	r.vector.l1 = of.l1;
	r.vector.l2squared = of.l2squared;
	if (dp_relation_distance(&r, &v) != 0 ||
	    dp_privacy_set(&s.privacy, false, dp_q_make(1, 1),
	    dp_q_make(row[which].delta ? 1 : 0, 1000), v.l1, v.l2squared) != 0)
		abort();
	q->most = of.most * (q->totals ? UNIT : 1);
	q->counts = q->totals ? UNIT : q->matrix->columns > 1 ? 2 : 1;
	s.bits = false;
	s.task = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_linear, .own = q };
	if ((m = make(row[which].name, &s)) == NULL)
		abort();
	return m;
}

static void
records(const struct dp_mech *m, void *col, int64_t place, unsigned n)
{
	for (; n > 0; n--)
		if (m->ops->step(m, col, NULL, 1, &place, NULL) != 0)
			abort();
}

/* What records came to, of a sketch after another start. */
static void
begin_again(const struct dp_mech *m, dp_wide *col, const dp_wide *came, struct dp_rng *rng)
{
	size_t j;

	memcpy(col, came, m->column);
	if (m->ops->start == NULL)
		return;
	if (m->ops->start(m, col, rng) != 0)
		abort();
	for (j = 0; j < m->column / sizeof *col; j++)
		col[j] += came[j];
}

/* A row of so many. */
static void
total(const struct dp_mech *m, void *col, int64_t place, int64_t n)
{
	const int64_t x[] = { place, n };

	if (m->ops->step(m, col, NULL, 1, x, NULL) != 0)
		abort();
}

/* In grid units. */
static void
ask(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t n, double *y)
{
	dp_wide est[64];
	unsigned j;

	if (m->ops->answer(m, col, rng, n, est) != 0)
		abort();
	for (j = 0; j < m->outputs; j++)
		y[j] = (double)est[j] * pow(10, -(double)m->estimate.decimals);
}

static void
measure(size_t which, bool totals, struct dp_rng *rng)
{
	struct dp_matrix a = matrix("1,0\n0.5,1\n");
	struct dp_queries q = { .matrix = &a, .totals = totals };
	struct dp_mech *m = mechanism(which, &q);
	const uint64_t R = 20000;
	double y[2], truth[] = { 30000, 45000 }, sum[2] = { 0 }, squares[2] = { 0 }, v, mean;
	double sd = sqrt(5 / (double)R), predicted;
	struct dp_error e;
	dp_wide came[2] = { 0 }, col[2];
	struct dp_law law;
	uint64_t r;
	int j;

	if (totals) {
		total(m, came, 0, 3001);
		total(m, came, 1, 3000);
		total(m, came, 0, -1);
	} else {
		records(m, came, 0, 3000);
		records(m, came, 1, 3000);
	}
	for (r = 0; r < R; r++) {
		begin_again(m, col, came, rng);
		ask(m, col, rng, totals ? 3 : 12000, y);
		for (j = 0; j < 2; j++) {
			sum[j] += y[j] - truth[j];
			squares[j] += (y[j] - truth[j]) * (y[j] - truth[j]);
		}
	}
	dp_mech_error(m, 1 << 20, &e);
	for (j = 0; j < 2; j++) {
		dp_mech_law(m, (unsigned)j, 1, &law);
		predicted = dp_law_variance(&law);
		check(predicted <= e.max * (1 + 1e-12));
		mean = sum[j] / (double)R;
		v = squares[j] / (double)R - mean * mean;
		check(fabs(v / predicted - 1) / sd <= LIMIT);
		check(fabs(mean) <= LIMIT * sqrt(predicted / (double)R));
	}
	dp_mech_free(m);
	dp_matrix_free(&a);
}

/* The largest |sum a_j (noisy_j - truth_j)|, a a column. */
static double
largest_product(const struct dp_matrix *a, const double *noisy, const double *truth)
{
	double most = 0, s;
	size_t i, j;

	for (i = 0; i < a->columns; i++) {
		for (s = 0, j = 0; j < a->rows; j++)
			s += dp_matrix_column(a, i)[j] * (noisy[j] - truth[j]);
		most = fmax(most, fabs(s));
	}
	return most;
}

/* Sums over the first columns, of 24, and of 40 records; the last ones by `part` of 10^places. */
static void
never_loses(size_t which, unsigned places, int32_t part)
{
	struct dp_matrix a = { .rows = 24, .columns = 24, .places = places };
	const int32_t one = places == 0 ? 1 : 10;
	struct dp_queries q = { .matrix = &a, .hull = DP_HULL_SOME };
	const int same = row[which].unprojected;
	struct dp_mech *m, *other;
	struct dp_rng *rng, *again;
	double y[24], z[24], truth[24], before, after, all_before = 0, all_after = 0, bound;
	const int R = 2000;
	int64_t col[24] = { 0 };
	struct dp_error predicted;
	int r, j, beyond = 0, product = 0;

	if ((a.entry = calloc(24 * 24, sizeof *a.entry)) == NULL)
		abort();
	for (j = 0; j < 24 * 24; j++)
		a.entry[j] = j % 24 < j / 24 ? 0 : j / 24 > 12 ? part : one;
	m = mechanism(which, &q);
	other = mechanism(same < 0 ? which : (size_t)same, &q);
	for (j = 0; j < 24; j++) {
		records(m, col, j, j == 3 ? 20 : j % 3 == 0);
		truth[j] = (j > 0 ? truth[j - 1] : 0) + (double)(col[j] * a.entry[24 * j + j]);
	}
	bound = m->ops->bound.together(m, 40, .05);
	check(row[which].on_counts ? bound == 0 : bound > 0 && bound < INFINITY);
	check(m->ops->bound.together(m, 0, .05) == 0);
	check(same < 0 || other->ops->bound.together(other, 40, .05) == 0);
	dp_mech_error(m, 1 << 20, &predicted);
	if (dp_rng_open_seed(&rng, 5) != 0 || dp_rng_open_seed(&again, 5) != 0)
		abort();
	for (r = 0; r < R; r++) {
		ask(m, col, rng, 40, y);
		ask(other, col, again, 40, z);
		for (before = after = 0, j = 0; j < 24; j++) {
			before += (z[j] - truth[j]) * (z[j] - truth[j]);
			after += (y[j] - truth[j]) * (y[j] - truth[j]);
		}
		check(after <= before * (1 + 1e-6));
		beyond += sqrt(after / 24) > bound;
		product += largest_product(&a, z, truth) > bound * bound * 24 / 80;
		all_before += before;
		all_after += after;
	}
	printf("%s: rms error %.3f, projected %.3f; %d and %d of %d beyond the 95 %% bound %.3f\n",
	    row[which].name, sqrt(all_before / R / 24), sqrt(all_after / R / 24), beyond, product,
	    R, bound);
	if (same >= 0) {
		check(row[which].on_counts || (beyond <= product && product > 0 &&
		    product <= R * .05 + 5.4 * sqrt(R * .05 * .95)));
		check(all_after < (row[which].on_counts ? .9 : .5) * all_before);
		/* what is predicted is the noise's */
		check(fabs(all_before / R / 24 / predicted.mean - 1) < .1);
	}
	dp_rng_free(rng);
	dp_rng_free(again);
	dp_mech_free(m);
	dp_mech_free(other);
	free(a.entry);
}

/* Probabilities of one draw from -BOX to BOX; returns what is outside. */
static double
point_law(const struct dp_noise *z, double *p)
{
	const double b = dp_q_double(z->param);
	double all = 0, in = 0, v;
	int k;

	for (k = -20 * BOX; k <= 20 * BOX; k++) {
		v = z->kind == DP_NOISE_LAPLACE ? exp(-abs(k) / b) : exp(-k * (double)k / (2 * b));
		all += v;
		if (abs(k) <= BOX) {
			p[k + BOX] = v;
			in += v;
		}
	}
	for (k = 0; k <= 2 * BOX; k++)
		p[k] /= all;
	return 1 - in / all;
}

struct seen {
	double loss, delta;	/* the largest, of any pair */
};

/* Two inputs whose answers differ by (d, e). */
static void
compare(const double *p, int d, int e, struct seen *s)
{
	double delta = 0, a, b;
	int i, j;

	for (i = 0; i <= 2 * BOX; i++)
		for (j = 0; j <= 2 * BOX; j++) {
			if (i + d < 0 || i + d > 2 * BOX || j + e < 0 || j + e > 2 * BOX)
				continue;
			a = p[i] * p[j];
			b = p[i + d] * p[j + e];
			if (a > 0 && b > 0)
				s->loss = fmax(s->loss, log(a / b));
			delta += fmax(0, a - exp(1) * b);
		}
	s->delta = fmax(s->delta, delta);
}

static const char *const text[] = { "1,0\n0,1\n", "1,1\n0,1\n", "1,1,0\n0,1,1\n",
    "1,0.5\n0.5,1\n" };

static void
right(size_t which, const struct seen *s, double outside)
{
	if (row[which].delta)
		/* a Laplace's ratio is no larger outside than inside */
		check(s->delta + (s->loss > 1 ? 2 * outside : 0) <= 1e-3 &&
		    (s->delta > 1e-4 || row[which].unprojected == -1));
	else
		check(s->loss <= 1 + 1e-9 && s->loss >= 1 - 1e-9);
}

/* How far apart the j-th numbers are that noise is on. */
static int
apart(const struct dp_mech *m, const struct dp_matrix *a, bool on_counts, dp_wide came[2][3],
    size_t j)
{
	const int64_t *x = (const void *)came[0], *y = (const void *)came[1];
	int d = 0;
	size_t l;

	if (m->ops->start != NULL)
		return (int)(came[0][j] - came[1][j]);
	for (l = 0; l < a->columns; l++)
		d += (int)(x[l] - y[l]) * (on_counts ? j == l : dp_matrix_column(a, l)[j]);
	return d;
}

/* What one row's number makes of the sums, for each that it may be, and of the answers. */
static void
enumerate_totals(size_t which)
{
	struct dp_matrix a;
	struct dp_queries q = { .matrix = &a, .totals = true };
	static double p[2 * BOX + 1];
	dp_wide came[2][3];	/* sums, or of a sketch answers */
	const int64_t *x = (const void *)came[0], *y = (const void *)came[1];
	double outside;
	int v, w, d[2];
	struct dp_mech *m;
	struct seen s;
	size_t c, i, j, l;

	for (c = 0; c < sizeof text / sizeof text[0]; c++) {
		a = matrix(text[c]);
		m = mechanism(which, &q);
		outside = point_law(m->drawn.noise, p);
		s = (struct seen){ 0, 0 };
		for (i = 0; i < a.columns; i++)
			for (v = 0; v <= MOST; v++)
				for (w = v > UNIT ? v - UNIT : 0; w <= v + UNIT && w <= MOST; w++) {
					memset(came, 0, sizeof came);
					for (l = 0; l < 2; l++) {
						total(m, came[l], 0, 7);
						total(m, came[l], (int64_t)i, l == 0 ? v : w);
						total(m, came[l], -1, 0);
					}
					for (j = 0; j < 2; j++)
						d[j] = apart(m, &a, row[which].on_counts, came, j);
					check(m->ops->start != NULL || x[i] - y[i] == v - w);
					/* others are as far apart; compare() has two places */
					if (v * w == 0 && !(row[which].on_counts && i == 2))
						compare(p, d[0], d[1], &s);
				}
		right(which, &s, outside);
		dp_mech_free(m);
		dp_matrix_free(&a);
	}
}

static void
enumerate(size_t which)
{
	struct dp_matrix a;
	struct dp_queries q = { .matrix = &a };
	static double p[2 * BOX + 1];
	const int32_t *x, *y, zero[2] = { 0 };
	double outside;
	struct dp_mech *m;
	struct seen s;
	size_t c, i, l;

	for (c = 0; c < sizeof text / sizeof text[0]; c++) {
		a = matrix(text[c]);
		m = mechanism(which, &q);
		outside = point_law(m->drawn.noise, p);
		if (row[which].on_counts) {	/* those move, in two places */
			dp_matrix_free(&a);
			a = matrix("1,0\n0,1\n");
		}
		s = (struct seen){ 0, 0 };
		for (i = 0; i <= a.columns; i++)
			for (l = 0; l < i; l++) {
				x = i == a.columns ? zero : dp_matrix_column(&a, i);
				y = dp_matrix_column(&a, l);
				compare(p, x[0] - y[0], x[1] - y[1], &s);
				compare(p, y[0] - x[0], y[1] - x[1], &s);
			}
		right(which, &s, outside);
		dp_mech_free(m);
		dp_matrix_free(&a);
	}
}

/* Lower end of ln((a - delta R)/b) for two counts of R. */
static double
loss(double a, double b, double R, double delta)
{
	const double z = 6.3;

	a -= delta * R;
	if (a < 1000 || b < 50)
		return -INFINITY;
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

/* How often, of R runs, the first answer is at least `high` and the second at most `low`. */
static double
events(const struct dp_mech *m, const dp_wide *came, uint64_t n, struct dp_rng *rng, uint64_t R,
    double high, double low)
{
	double y[2], hits = 0;
	dp_wide col[2];
	uint64_t r;

	for (r = 0; r < R; r++) {
		begin_again(m, col, came, rng);
		ask(m, col, rng, n, y);
		hits += y[0] >= high - 1e-6 && y[1] <= low + 1e-6;
	}
	return hits;
}

/* Of `each` records of either kind and as many that are nothing, one is another one. */
static double
audit(size_t which, unsigned each, struct dp_rng *rng)
{
	struct dp_matrix a = matrix("1,0\n0,1\n");
	struct dp_queries q = { .matrix = &a };
	struct dp_mech *m = mechanism(which, &q);
	const uint64_t R = 200000;
	dp_wide one[2] = { 0 }, other[2];
	double p, p1, d;

	records(m, one, 0, each);
	records(m, one, 1, each - 1);
	memcpy(other, one, sizeof other);
	records(m, one, 0, 1);
	records(m, other, 1, 1);
	p1 = events(m, one, 3 * each, rng, R, each + 1, each - 1);
	p = events(m, other, 3 * each, rng, R, each + 1, each - 1);
	d = loss(p1, p, (double)R, row[which].delta ? 1e-3 : 0);
	printf("%s, %u each: loss at least %.3f of 1\n", row[which].name, each, d);
	dp_mech_free(m);
	dp_matrix_free(&a);
	return d;
}

/*
 * A sketch, of two numbers.  Of each noise in a small box, by the code: what is in memory after
 * `look` of the line's moments, and the answers; where that is, its probability.
 */
#define SMALL	2		/* noise from -SMALL to SMALL */
#define SIDE	(2 * SMALL + 1)
#define SPAN	(2 * (2 * SMALL + 1) + 1)	/* of a number in memory, and of an answer */

enum { BEFORE, AFTER, ANSWERED, LOOKS };

struct views {
	double p[SPAN][SPAN][SPAN][SPAN];
};

static double *
view_of(struct views *v, const dp_wide *memory, const dp_wide *est)
{
	const int far = SPAN / 2;

	return &v->p[memory[0] + far][memory[1] + far][est[0] + far][est[1] + far];
}

static void
all_views(const struct dp_mech *m, int64_t record, int look, struct views *v)
{
	const double b = dp_q_double(m->drawn.noise->param);
	dp_wide col[2], seen[2], est[2];
	int64_t z[4];
	struct dp_rng *rng;
	int i, k, rest;
	double p;

	memset(v, 0, sizeof *v);
	for (i = 0; i < SIDE * SIDE * SIDE * SIDE; i++) {
		for (p = 1, rest = i, k = 0; k < 4; k++, rest /= SIDE) {
			z[k] = rest % SIDE - SMALL;
			p *= exp(-fabs((double)z[k]) / b);
		}
		memset(col, 0, sizeof col);
		if (dp_rng_open_known(&rng, z, 4) != 0 || m->ops->start(m, col, rng) != 0)
			abort();
		memcpy(seen, col, sizeof seen);
		records(m, col, record, 1);
		if (look == AFTER)
			memcpy(seen, col, sizeof seen);
		if (m->ops->answer(m, col, rng, 1, est) != 0)
			abort();
		if (look == ANSWERED)
			memcpy(seen, col, sizeof seen);
		*view_of(v, seen, est) += p;
		dp_rng_free(rng);
	}
}

static void
views(size_t which)
{
	static struct views one, other;
	struct dp_matrix a = matrix("1,0\n0,1\n");
	struct dp_queries q = { .matrix = &a };
	struct dp_mech *m = mechanism(which, &q);
	const double *p = &one.p[0][0][0][0], *p2 = &other.p[0][0][0][0];
	double most;
	int look, i;

	for (look = BEFORE; look < LOOKS; look++) {
		all_views(m, 0, look, &one);
		all_views(m, 1, look, &other);
		for (most = 0, i = 0; i < SPAN * SPAN * SPAN * SPAN; i++)
			if (p[i] > 0 && p2[i] > 0)
				most = fmax(most, fabs(log(p[i] / p2[i])));
		check(most <= 1 + 1e-9 && most >= 1 - 1e-9);
	}
	dp_mech_free(m);
	dp_matrix_free(&a);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	double d;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 21) != 0)
		abort();
	for (i = 0; i < ROWS; i++) {
		if (!leave_named("law", row[i].name, "answers")) {
			measure(i, false, rng);
			measure(i, true, rng);
			if (row[i].unprojected != -2) {
				never_loses(i, 0, 1);
				never_loses(i, 1, 3);
			}
		}
		if (leave_named("neighbour", row[i].name, "answers"))
			continue;
		enumerate(i);
		if (strcmp(row[i].name, "pan") == 0)
			views(i);
		enumerate_totals(i);
		d = audit(i, 2000, rng);
		check(d <= 1 && d >= row[i].tight);
		check(audit(i, 2, rng) <= 1);
	}
	dp_rng_free(rng);
	return done();
}
