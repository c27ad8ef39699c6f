/* SPDX-License-Identifier: ISC */
/*
 * t_project.c - linear queries: the matrix from its text, how far a record can move the answers,
 * the nearest point of the hull, and the mechanisms with known noise.
 */
#include <math.h>

#include "base/internal.h"
#include "mech.h"
#include "stat/internal.h"

/* "Why" is what stands there; "" for success. */
static bool
reads(const char *text, size_t rows, size_t columns, unsigned places, const char *why)
{
	char got[DP_MATRIX_WHY] = "";
	struct dp_matrix m;
	int e = dp_matrix_read(&m, text, strlen(text), got);
	bool good = (e == 0) == (*why == '\0') && (e == 0 || strstr(got, why) != NULL) &&
	    (e != 0 || (m.rows == rows && m.columns == columns && m.places == places));

	if (!good)
		printf("'%s': %s\n", text, got);
	if (e == 0)
		dp_matrix_free(&m);
	return good;
}

static struct dp_matrix
matrix(const char *text)
{
	char why[DP_MATRIX_WHY];
	struct dp_matrix m;

	if (dp_matrix_read(&m, text, strlen(text), why) != 0)
		abort();
	return m;
}

static void
shapes(void)
{
	check(reads("1", 1, 1, 0, ""));
	check(reads("1,0\n0,1\n", 2, 2, 0, ""));
	check(reads("0.5,1\n.25,0.1\n", 2, 2, 2, ""));
	check(reads("1.000000\n", 1, 1, 6, ""));
	check(reads("\xef\xbb\xbf" "1,0\r\n0,1\r\n\r\n", 2, 2, 0, ""));
	check(reads("\n1,0\n\n0,1\n", 2, 2, 0, ""));
	check(reads(" 1 ,\t0\n", 1, 2, 0, ""));
	check(reads("a,b\n1,0\n", 1, 2, 0, ""));
	check(reads("200,404\n1,0\n", 1, 2, 0, ""));
	check(reads("query,a,b\nx,1,0\ny,0,1\n", 2, 2, 0, ""));
	check(reads(",1,0\nx,1,0\n", 1, 2, 0, ""));
	check(reads("\"a,\"\"b\",c\n\"1\",0\n", 1, 2, 0, ""));
}

static void
refusals(void)
{
	static const char *const zeros = "00000000000000000000000000000000000000000000000000000";
	char text[1200] = "a,", why[DP_MATRIX_WHY];
	struct dp_matrix m;
	int i;

	check(reads("", 0, 0, 0, "there are no queries"));
	check(reads("\n\n", 0, 0, 0, "there are no queries"));
	check(reads("a,b\n", 0, 0, 0, "there are no queries"));
	check(reads("query\nx\n", 0, 0, 0, "row 1, field 1: there are no columns"));
	check(reads("1,0\n0\n", 0, 0, 0, "row 2, field 1: is the last of this row; the first"));
	check(reads("1,0\n0,1,1\n", 0, 0, 0, "row 2, field 3: is the last of this row; the first"));
	check(reads("query,a\nx,1\ny\n", 0, 0, 0, "row 3, field 1: is the last of this row"));
	check(reads("1,2\n", 0, 0, 0, "row 1, field 2: is not a decimal from 0 to 1, as the"));
	check(reads("1,0\n-0.1,1\n", 0, 0, 0, "row 2, field 1: is not a decimal from 0 to 1"));
	check(reads("1,0\n1.000001,1\n", 0, 0, 0, "row 2, field 1: is not a decimal"));
	check(reads("1,0\n1,1e-3\n", 0, 0, 0, "row 2, field 2: is not a decimal"));
	check(reads("1,0\n1,\n", 0, 0, 0, "row 2, field 2: is not a decimal"));
	check(reads("1,0\n1,nan\n", 0, 0, 0, "row 2, field 2: is not a decimal"));
	check(reads("1,0.1234567\n", 0, 0, 0, "row 1, field 2: has more than 6 decimals"));
	check(reads("a,b,a\n1,0,1\n", 0, 0, 0, "the name 'a' is given twice"));
	check(reads("query,a\nx,1\nx,0\n", 0, 0, 0, "the name 'x' is given twice"));
	check(reads("a,\n1,0\n", 0, 0, 0, "row 1, field 2: a name has 1 to 255 bytes"));
	check(reads("query,a\n,1\n", 0, 0, 0, "row 2, field 1: a name has 1 to 255 bytes"));
	check(reads("a,\"b\nc\"\n1,0\n", 0, 0, 0, "row 1, field 2: a name has a control char"));
	check(reads("1,\"0\n", 0, 0, 0, "a quote stands where none may, or is not closed"));
	check(reads("1,0\"\n", 0, 0, 0, "a quote stands where none may, or is not closed"));
	for (i = 0; i < 5; i++)
		strcat(text, zeros);
	check(reads(strcat(text, "\n1,0\n"), 0, 0, 0, "a name has 1 to 255 bytes"));
	check(dp_matrix_read(&m, "1,\0" "0\n", 5, why) == DP_ESYNTAX &&
	    strstr(why, "NUL byte") != NULL);
}

static void
entries(void)
{
	struct dp_matrix m = matrix("query,a,b\nx,1,0.25\ny,.5,0\n");

	check(m.places == 2 && m.rows == 2 && m.columns == 2);
	check(dp_matrix_column(&m, 0)[0] == 100 && dp_matrix_column(&m, 0)[1] == 50);
	check(dp_matrix_column(&m, 1)[0] == 25 && dp_matrix_column(&m, 1)[1] == 0);
	check(strcmp(m.column[1], "b") == 0 && strcmp(m.row[1], "y") == 0);
	dp_matrix_free(&m);
	m = matrix("1,0\n");
	check(m.column == NULL && m.row == NULL);
	dp_matrix_free(&m);
}

/* Numbers that look random. */
static unsigned
random_below(unsigned n)
{
	static uint64_t s = 12345;

	s = s * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(s >> 33) % n;
}

static double
random_real(void)
{
	return (random_below(1 << 20) + .5) * 0x1p-20;
}

static struct dp_matrix
random_matrix(size_t rows, size_t columns, unsigned places)
{
	struct dp_matrix m = { .rows = rows, .columns = columns, .places = places };
	size_t i;

	if ((m.entry = calloc(rows * columns, sizeof *m.entry)) == NULL)
		abort();
	for (i = 0; i < rows * columns; i++)
		m.entry[i] = (int32_t)(places == 0 ? random_below(3) == 0 : random_below(101));
	return m;
}

/* Every pair, and 0. */
static struct dp_moves
moves_brute(const struct dp_matrix *m, bool from_nothing)
{
	struct dp_moves v = { .l1 = 1, .l2squared = 1 };
	uint64_t l1, l2, d;
	size_t i, l, j;

	for (i = 0; i < m->columns; i++)
		for (l = from_nothing ? m->columns : 0; l <= m->columns; l++) {
			for (l1 = l2 = 0, j = 0; j < m->rows; j++) {
				d = (uint64_t)llabs(dp_matrix_column(m, i)[j] -
				    (l == m->columns ? 0 : dp_matrix_column(m, l)[j]));
				l1 += d;
				l2 += d * d;
				v.most = d > v.most ? d : v.most;
			}
			v.l1 = l1 > v.l1 ? l1 : v.l1;
			v.l2squared = l2 > v.l2squared ? l2 : v.l2squared;
		}
	return v;
}

static void
moves(void)
{
	struct dp_moves want, got, cut;
	struct dp_matrix m;
	bool nothing;
	int i;

	for (i = 0; i < 400; i++) {
		m = random_matrix(1 + random_below(i < 300 ? 7 : 150), 1 + random_below(12),
		    i % 2 == 0 ? 0 : 2);
		nothing = i % 3 == 0;
		want = moves_brute(&m, nothing);
		check(dp_moves_find(&got, &m, nothing, DP_MOVES_WORK) == 0);
		check(got.l1 == want.l1 && got.l2squared == want.l2squared &&
		    got.most == want.most);
		/* without the work: no less */
		check(dp_moves_find(&cut, &m, nothing, 0) == 0);
		check(cut.l1 >= want.l1 && cut.l2squared >= want.l2squared);
		free(m.entry);
	}
	/* by hand: (1, 0.5), (0, 1), 0 */
	m = matrix("1,0\n0.5,1\n");
	check(dp_moves_find(&got, &m, false, DP_MOVES_WORK) == 0);
	check(got.l1 == 15 && got.l2squared == 125 && got.most == 10);
	check(dp_moves_find(&got, &m, true, DP_MOVES_WORK) == 0);
	check(got.l1 == 15 && got.l2squared == 125);
	dp_matrix_free(&m);
}

static bool
nearest(const char *text, enum dp_hull set, double n, double a, double b, double x, double y)
{
	struct dp_matrix m = matrix(text);
	const double noisy[] = { a, b };
	double point[2], gap;
	bool good;

	good = dp_hull_nearest(&m, set, n, noisy, 1e-6, point, &gap) == 0 && gap <= 1e-12 &&
	    fabs(point[0] - x) < 1e-9 && fabs(point[1] - y) < 1e-9;
	if (!good)
		printf("(%g,%g) -> (%.12g,%.12g), gap %g\n", a, b, point[0], point[1], gap);
	dp_matrix_free(&m);
	return good;
}

/* Worked out by hand. */
static void
nearest_points(void)
{
	static const char id[] = "1,0\n0,1\n", three[] = "1,1,0\n0,1,1\n";

	check(nearest(id, DP_HULL_ALL, 4, 5, 1, 4, 0));
	check(nearest(id, DP_HULL_ALL, 4, 3, 3, 2, 2));
	check(nearest(id, DP_HULL_ALL, 4, -1, 2, .5, 3.5));
	check(nearest(id, DP_HULL_SOME, 4, 5, 1, 4, 0));
	check(nearest(id, DP_HULL_SOME, 4, 3, 3, 2, 2));
	check(nearest(id, DP_HULL_SOME, 4, -1, 2, 0, 2));
	check(nearest(id, DP_HULL_SOME, 4, 1, 2, 1, 2));
	check(nearest(id, DP_HULL_SIGNED, 4, 5, 1, 4, 0));
	check(nearest(id, DP_HULL_SIGNED, 4, 3, 3, 2, 2));
	check(nearest(id, DP_HULL_SIGNED, 4, -1, 2, -1, 2));
	check(nearest(id, DP_HULL_SIGNED, 4, 9, -9, 2, -2));
	check(nearest(three, DP_HULL_SIGNED, 4, 5, 5, 4, 4));
	check(nearest(three, DP_HULL_SIGNED, 4, 6, 0, 4, 0));
	check(nearest(three, DP_HULL_SIGNED, 4, 1, 1, 1, 1));
	check(nearest(three, DP_HULL_ALL, 4, 5, 5, 4, 4));
	check(nearest(three, DP_HULL_ALL, 4, 6, 0, 4, 0));
	check(nearest(three, DP_HULL_ALL, 4, 1, 1, 2, 2));
	check(nearest(three, DP_HULL_SOME, 4, 1, 1, 1, 1));
	check(nearest(id, DP_HULL_SOME, 0, 7, 7, 0, 0));
	check(nearest(id, DP_HULL_ALL, 3, 0, 0, 1.5, 1.5));
	check(nearest("0,0\n0,0\n", DP_HULL_ALL, 3, 5, 5, 0, 0));
	check(nearest("1,1,1\n1,1,1\n", DP_HULL_ALL, 3, 5, 4, 3, 3));	/* three times a corner */
	check(nearest("1,1\n0,0\n", DP_HULL_SOME, 8, 5, 4, 5, 0));
}

struct fw {
	double best, sign;
	size_t i;		/* columns: the corner is 0 */
};

static struct fw
farthest_down(const struct dp_matrix *m, enum dp_hull set, const double *g)
{
	struct fw f = { .best = set == DP_HULL_SOME ? 0 : INFINITY, .i = m->columns };
	size_t i, j;
	double s;

	for (i = 0; i < m->columns; i++) {
		for (s = 0, j = 0; j < m->rows; j++)
			s += g[j] * dp_matrix_column(m, i)[j];
		if (s < f.best)
			f = (struct fw){ s, 1, i };
		if (set == DP_HULL_SIGNED && -s < f.best)
			f = (struct fw){ -s, -1, i };
	}
	return f;
}

/*
 * Frank and Wolfe's own steps, which are in the hull by construction: after them the square of the
 * distance from the nearest point is at most the gap returned.
 */
static double
frank_wolfe(const struct dp_matrix *m, enum dp_hull set, double n, const double *noisy, double *v)
{
	double g[16], d[16], gap = 0, step, dd;
	struct fw f;
	size_t j;
	int t;

	for (j = 0; j < m->rows; j++)
		v[j] = n * dp_matrix_column(m, 0)[j];
	for (t = 0; t < 20000; t++) {
		for (j = 0; j < m->rows; j++)
			g[j] = v[j] - noisy[j];
		f = farthest_down(m, set, g);
		for (gap = 0, dd = 0, j = 0; j < m->rows; j++) {
			d[j] = (f.i == m->columns ? 0 : f.sign * n *
			    dp_matrix_column(m, f.i)[j]) - v[j];
			gap -= g[j] * d[j];
			dd += d[j] * d[j];
		}
		if (gap <= 1e-12)
			break;
		step = gap / dd < 1 ? gap / dd : 1;
		for (j = 0; j < m->rows; j++)
			v[j] += step * d[j];
	}
	return gap;
}

/* Against another algorithm, and all that the nearest point must be. */
static void
nearest_random(void)
{
	double noisy[16], v[16], point[16], gap, fw_gap, d;
	enum dp_hull set;
	struct dp_matrix m;
	struct fw f;
	size_t j;
	int i;

	for (i = 0; i < 300; i++) {
		m = random_matrix(1 + random_below(9), 1 + random_below(12), i % 2 == 0 ? 0 : 2);
		set = (enum dp_hull)(i % 3);
		for (j = 0; j < m.rows; j++)
			noisy[j] = (random_real() - .3) * 40 * (m.places == 0 ? 1 : 100);
		check(dp_hull_nearest(&m, set, 20, noisy, 1e-6, point, &gap) == 0);
		check(gap <= 1e-12 || gap <= 1e-9 * (m.places == 0 ? 1 : 1e4));
		fw_gap = frank_wolfe(&m, set, 20, noisy, v);
		for (d = 0, j = 0; j < m.rows; j++)
			d += (v[j] - point[j]) * (v[j] - point[j]);
		check(sqrt(d) <= sqrt(fw_gap > 0 ? fw_gap : 0) + 1e-4);
		/* no corner is farther on the way to the given point */
		for (j = 0; j < m.rows; j++)
			v[j] = point[j] - noisy[j];
		f = farthest_down(&m, set, v);
		for (d = 0, j = 0; j < m.rows; j++)
			d += v[j] * point[j];
		check(d - 20 * f.best <= 1e-6 * (m.places == 0 ? 1 : 1e4));
		free(m.entry);
	}
}

/* Sums over prefixes of a long row: thin hulls, many corners; and how large the gap is. */
static void
nearest_prefixes(void)
{
	struct dp_matrix m = { .rows = 200, .columns = 200 };
	double noisy[200], point[200], point2[200], gap, most = 0;
	size_t i, j;

	if ((m.entry = calloc(200 * 200, sizeof *m.entry)) == NULL)
		abort();
	for (i = 0; i < 200; i++)
		for (j = i; j < 200; j++)
			m.entry[i * 200 + j] = 1;
	for (j = 0; j < 200; j++)
		noisy[j] = (double)j * 50 + (random_real() - .5) * 600;
	check(dp_hull_nearest(&m, DP_HULL_ALL, 10000, noisy, 1e-3, point, &gap) == 0);
	check(gap <= 1e-6);
	/* distribution functions rise, from 0 to n: isotonic regression, pooling adjacent means */
	check(point[0] >= -1e-9 && fabs(point[199] - 10000) < 1e-6);
	for (j = 1; j < 200; j++)
		most = fmax(most, point[j - 1] - point[j]);
	check(most <= 1e-9);
	/* and once more: the nearest to itself */
	check(dp_hull_nearest(&m, DP_HULL_ALL, 10000, point, 1e-4, point2, &gap) == 0);
	for (j = 0; j < 200; j++)
		check(fabs(point[j] - point2[j]) < 1e-3);
	free(m.entry);
}

/* A rule for the matrix, epsilon = num/den (0: inf). */
static struct dp_mech *
mechanism(const char *name, struct dp_queries *q, uint64_t num, uint64_t den, struct dp_q delta)
{
	struct dp_mech_rule s = setting(0, num, den, 1);
	struct dp_moves v;

	if (dp_moves_find(&v, q->matrix, false, DP_MOVES_WORK) != 0 ||
	    dp_privacy_set(&s.privacy, num == 0, dp_q_make(num == 0 ? 1 : num, den), delta, v.l1,
	    v.l2squared) != 0)
		abort();
	q->most = v.most;
	q->counts = q->matrix->columns > 1 ? 2 : 1;
	s.bits = false;
	s.task = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_linear, .own = q };
	return make(name, &s);
}

/* Records x (0: nothing), noise z; the answers are a and b. */
static bool
answers(const char *name, enum dp_hull set, bool exact, const char *x, const int64_t *z, double a,
    double b)
{
	struct dp_matrix m = matrix("1,0\n0,1\n");
	struct dp_queries q = { .matrix = &m, .hull = set };
	struct dp_mech *p = mechanism(name, &q, !exact, 1, dp_q_make(1, 1000000));
	struct dp_rng *rng;
	struct column c;
	dp_wide est[2];
	int64_t place;
	double unit;
	bool good;

	if (p == NULL || dp_rng_open_known(&rng, z, exact ? 0 : p->ops->start != NULL ? 4 : 2) != 0)
		abort();
	good = column_new(&c, p, rng) == 0 && p->outputs == 2;
	for (; *x != '\0'; x++) {
		place = *x - '1';
		good = good && p->ops->step(p, c.state, rng, ++c.t, &place, NULL) == 0;
	}
	good = good && p->ops->answer(p, c.state, rng, c.t, est) == 0 && rng->left == 0;
	unit = pow(10, p->estimate.decimals);
	good = good && fabs((double)est[0] - a * unit) < .5 && fabs((double)est[1] - b * unit) < .5;
	if (!good)
		printf("%s: %g, %g\n", name, (double)est[0] / unit, (double)est[1] / unit);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(p);
	dp_matrix_free(&m);
	return good;
}

/* Totals x of one row each, noise z: the answers are a and b. */
static bool
totals(const char *name, const char *text, const int64_t *x, const int64_t *z, double a, double b)
{
	struct dp_matrix m = matrix(text);
	struct dp_queries q = { .matrix = &m, .totals = true };
	struct dp_mech *p = mechanism(name, &q, z != NULL, 1, dp_q_make(1, 1000000));
	int64_t row[] = { 0, 0 };
	struct dp_rng *rng;
	struct column c;
	dp_wide est[2];
	double unit;
	bool good;

	if (p == NULL || dp_rng_open_known(&rng, z, z == NULL ? 0 : 2) != 0)
		abort();
	good = column_new(&c, p, rng) == 0;
	for (; row[0] < 2; row[0]++) {
		row[1] = x[row[0]];
		good = good && p->ops->step(p, c.state, rng, ++c.t, row, NULL) == 0;
	}
	row[0] = -1;			/* of no column */
	good = good && p->ops->step(p, c.state, rng, ++c.t, row, NULL) == 0;
	good = good && p->ops->answer(p, c.state, rng, c.t, est) == 0 && rng->left == 0;
	unit = pow(10, p->estimate.decimals);
	good = good && fabs((double)est[0] - a * unit) < 2 && fabs((double)est[1] - b * unit) < 2;
	if (!good)
		printf("%s, totals: %.9g, %.9g\n", name, (double)est[0] / unit,
		    (double)est[1] / unit);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(p);
	dp_matrix_free(&m);
	return good;
}

/* What they sum to is nowhere used: no total is below 0, and that is all. */
static void
of_totals(void)
{
	static const char id[] = "1,0\n0,1\n", *const name[] = { "projected", "projected-gauss",
	    "projected-counts", "counts", "laplace" };
	static const int64_t x[] = { 700, 4 }, far[] = { (int64_t)1 << 62, -((int64_t)1 << 62) },
	    z[][2] = { { 5, 3 }, { 2, -9 }, { -1000, -9 }, { -1, 2 } };
	int i;

	for (i = 0; i < 5; i++) {
		check(totals(name[i], id, x, NULL, 700, 4));
		check(totals(name[i], id, far, NULL, ldexp(1, 61), -ldexp(1, 61)));
		check(totals(name[i], id, x, z[0], 705, 7));
		check(totals(name[i], id, x, z[1], 702, i < 3 ? 0 : -5));
		check(totals(name[i], id, x, z[2], i < 3 ? 0 : -300, i < 3 ? 0 : -5));
	}
	/* the second is a part of the first: the nearest to (703, 706) is (704.5, 704.5) */
	check(totals("projected", "1,1\n0,1\n", (int64_t[]){ 0, 704 }, z[3], 704.5, 704.5));
	check(totals("projected", "0,0\n0,0\n", x, z[0], 0, 0));
}

static void
mechanisms(void)
{
	static const char *const projected[] = { "projected", "projected-gauss",
	    "projected-counts", "book" };
	static const char *const bare[] = { "laplace", "gauss", "counts" };
	static const char *const sketch[] = { "pan", "pan-gauss" };
	static const int64_t z[][2] = { { 2, 0 }, { 0, 2 }, { -4, 1 }, { 6, -10 } };
	int i;

	for (i = 0; i < 4; i++) {
		check(answers(projected[i], DP_HULL_SOME, true, "112", NULL, 2, 1));
		check(answers(projected[i], DP_HULL_SOME, true, "1102", NULL, 2, 1));
		check(answers(projected[i], DP_HULL_ALL, false, "1112", z[0], 4, 0));
		check(answers(projected[i], DP_HULL_ALL, false, "1112", z[1], 2, 2));
		check(answers(projected[i], DP_HULL_ALL, false, "1112", z[2], .5, 3.5));
		check(answers(projected[i], DP_HULL_SOME, false, "1112", z[2], 0, 2));
		check(answers(projected[i], DP_HULL_SIGNED, false, "1112", z[2], -1, 2));
		check(answers(projected[i], DP_HULL_SIGNED, false, "1112", z[3], 2, -2));
		/* lines that are nothing count as lines */
		check(answers(projected[i], DP_HULL_SOME, false, "1112000", z[0], 5, 1));
		check(answers(projected[i], DP_HULL_SOME, false, "", z[0], 0, 0));
	}
	for (i = 0; i < 3; i++) {
		check(answers(bare[i], DP_HULL_SOME, true, "112", NULL, 2, 1));
		check(answers(bare[i], DP_HULL_SOME, false, "1112", z[3], 9, -9));
		check(answers(bare[i], DP_HULL_SOME, false, "", z[3], 6, -10));
	}
	for (i = 0; i < 2; i++) {	/* the first two in memory, the others on the answers */
		check(answers(sketch[i], DP_HULL_SOME, true, "1012", NULL, 2, 1));
		check(answers(sketch[i], DP_HULL_SOME, false, "1112", z[2], 3 - 4 + 6, 1 + 1 - 10));
		check(answers(sketch[i], DP_HULL_SOME, false, "00", z[0], 2 + 0, 0 + 2));
	}
}

static double
scale(const char *name, const char *text, uint64_t num, uint64_t den, struct dp_q delta)
{
	struct dp_matrix m = matrix(text);
	struct dp_queries q = { .matrix = &m };
	struct dp_mech *p = mechanism(name, &q, num, den, delta);
	double b = p == NULL ? -1 : dp_q_double(p->drawn.noise->param);

	dp_mech_free(p);
	dp_matrix_free(&m);
	return b;
}

/* k queries of one column: L1 is k. */
static char *
tall(char *text, int k)
{
	for (*text = '\0'; k > 0; k--)
		strcat(text, "1\n");
	return text;
}

static void
scales(void)
{
	const struct dp_q none = dp_q_make(0, 1), delta = dp_q_make(1, 1000000);
	const double log_delta = log(1e6);
	char text[2100];
	double b, sigma;

	/* b = L1 / epsilon, exactly, on the grid of the matrix */
	check(scale("laplace", "1,0\n0,1\n", 1, 1, none) == 2);
	check(scale("projected", "1,0\n0,1\n", 1, 2, none) == 4);
	check(scale("projected", "1,1,0\n0,1,1\n", 1, 1, none) == 2);
	check(scale("projected", "1,1\n0,1\n", 1, 1, none) == 2);
	check(scale("projected", "1\n", 1, 1, none) == 1);
	check(scale("projected", "0.50,.25\n", 1, 1, none) == 50);
	check(scale("projected", "0\n", 1, 1, none) == 1);	/* nothing moves it: as if by 1 */
	check(scale("laplace", tall(text, 100), 3, 1, none) == 100 / 3.0);
	/* both noises of a sketch have all of epsilon */
	check(scale("pan", "1,1,0\n0,1,1\n", 1, 1, none) == 2);
	check(scale("pan", "0.50,.25\n", 1, 2, none) == 100);
	check(scale("pan-gauss", text, 1, 1, none) < 0);
	/* of the counts, whatever the queries: two of them, or one */
	check(scale("counts", text, 1, 1, none) == 1);
	check(scale("projected-counts", "0.50,.25\n", 1, 1, none) == 2);
	/* the printed scale where it will do, and where it will not: the condition, just met */
	check(scale("book", text, 1, 1, none) < 0);
	b = scale("book", text, 1, 1, delta);
	check(fabs(b - sqrt(800 * log_delta)) < 1e-4);
	check(sqrt(200 * log_delta) / b + 100 / b * expm1(1 / b) < .51);
	b = scale("book", text, 50, 1, delta);
	check(b > sqrt(800 * log_delta) / 50 * 1.01);
	check(fabs(sqrt(200 * log_delta) / b + 100 / b * expm1(1 / b) - 50) < 1e-2);
	check(sqrt(200 * log_delta) / b + 100 / b * expm1(1 / b) <= 50);
	/* sigma: more than for a part of the shift, no more than zCDP's */
	sigma = sqrt(scale("gauss", text, 1, 1, delta));
	check(sigma > 10 * 4.2 && sigma < 10 * 4.9);
	check(scale("gauss", "1,0\n0,1\n", 1, 1, delta) ==
	    scale("projected-gauss", "1,0\n0,1\n", 1, 1, delta));
	check(scale("gauss", text, 1, 1, none) < 0);
}

/* What a unit of noise is worth, for --explain: a whole record, or the last place. */
static void
units(void)
{
	struct dp_matrix m = matrix("0.50,.25\n");
	struct dp_queries q = { .matrix = &m };
	struct dp_mech *p;

	p = mechanism("counts", &q, 1, 1, dp_q_make(0, 1));
	check(p->drawn.unit == 100 && p->estimate.decimals == 0 && dp_mech_draws(p) == 2);
	dp_mech_free(p);
	p = mechanism("projected", &q, 1, 1, dp_q_make(0, 1));
	check(p->drawn.unit == 1 && p->estimate.decimals == 6 && dp_mech_draws(p) == 1);
	dp_mech_free(p);
	dp_matrix_free(&m);
}

/*
 * One query of a weight of 1 and of 2100 others, the even and the odd ones alike, more than a law
 * has terms.  Whether the variance is theirs, or up to 3 % more; and two bounds between lo and hi.
 */
static void
many_weights(const char *even, const char *odd, double variance, double lo[2], double hi[2])
{
	static char text[20000];
	struct dp_queries q;
	static struct dp_law law;
	struct dp_matrix m;
	struct dp_mech *p;
	double exact;
	int i;

	strcpy(text, "1");
	for (i = 0; i < 2100; i++)
		sprintf(text + strlen(text), ",%s", i % 2 == 0 ? even : odd);
	m = matrix(text);
	q = (struct dp_queries){ .matrix = &m };
	p = mechanism("counts", &q, 1, 1, dp_q_make(0, 1));
	exact = dp_noise_variance(p->drawn.noise) * variance;
	dp_mech_law(p, 0, 1, &law);
	check(!law.full && dp_law_variance(&law) >= exact && dp_law_variance(&law) <= exact * 1.03);
	for (i = 0; i < 2; i++)
		check(dp_law_bound(&law, i == 0 ? .5 : .2) >= lo[i] &&
		    dp_law_bound(&law, i == 0 ? .5 : .2) <= hi[i]);
	dp_mech_free(p);
	dp_matrix_free(&m);
}

/* |error| <= 2.74 half of the time, and <= 5.34 four times of five; then of other weights. */
static void
weights(void)
{
	many_weights(".02", ".03", 1e4 + 1050 * (4 + 9), (double [2]){ 265, 525 },
	    (double [2]){ 290, 560 });
	many_weights(".0203", ".0302", 1e8 + 1050. * (203 * 203 + 302 * 302),
	    (double [2]){ 0 }, (double [2]){ 1e6, 1e6 });
}

/* What is counted out of memory must not be, whatever the step's value. */
static void
steps(void)
{
	struct dp_matrix m = matrix("1,0\n0,1\n");
	struct dp_queries q = { .matrix = &m };
	struct dp_mech *p = mechanism("laplace", &q, 0, 1, dp_q_make(0, 1));
	const int64_t odd[] = { -1, 2, INT64_MAX, INT64_MIN, 1 };
	int64_t count[4] = { 0, 0, 7, 7 };
	int i;

	check(p->column == 16);
	for (i = 0; i < 5; i++)
		check(p->ops->step(p, count, NULL, 1, &odd[i], NULL) == 0);
	check(count[0] == 0 && count[1] == 1 && count[2] == 7 && count[3] == 7);
	dp_mech_free(p);
	dp_matrix_free(&m);
}

static bool
is_dependent(const char *text, uint64_t work)
{
	struct dp_matrix m = matrix(text);
	bool found = false;

	check(dp_queries_dependent(&found, &m, work) == 0);
	dp_matrix_free(&m);
	return found;
}

/* Rows that are sums or differences of others, by hand; random ones, and one more made of them. */
static void
dependent(void)
{
	struct dp_matrix m, more;
	bool found;
	size_t i, j, k;

	check(is_dependent("1,1\n1,0\n0,1\n", 100) && is_dependent("1,0\n1,0\n", 100));
	check(is_dependent("1,1,0\n0,1,1\n1,1,1\n0,1,0\n", 100));
	check(is_dependent("1,0,0,1\n0,1,1,0\n1,1,0,0\n0,0,1,1\n", 100));
	check(is_dependent("0.5,0.25\n1,0.5\n", 100));
	check(!is_dependent("1,0\n0,1\n", 100) && !is_dependent("1,1,1\n0,1,1\n0,0,1\n", 100));
	check(!is_dependent("1,0\n0,0\n", 100));	/* of nobody */
	check(!is_dependent("1,1,0,0\n0,0,1,1\n1,0,0,1\n", 100));
	check(!is_dependent("1,1\n1,0\n0,1\n", 3));	/* it would take longer */
	for (i = 0; i < 200; i++) {
		m = random_matrix(1 + random_below(6), 9, (unsigned)i % 7);
		check(dp_queries_dependent(&found, &m, 10000) == 0);
		/* one row more: half of the sum of all */
		more = random_matrix(m.rows + 1, 9, 6);
		for (j = 0; j < 9; j++)
			for (more.entry[j * more.rows + m.rows] = 0, k = 0; k < m.rows; k++) {
				more.entry[j * more.rows + k] = 12 * m.entry[j * m.rows + k];
				more.entry[j * more.rows + m.rows] += m.entry[j * m.rows + k];
			}
		check(dp_queries_dependent(&found, &more, 10000) == 0 && found);
		dp_matrix_free(&m);
		dp_matrix_free(&more);
	}
}

int
main(void)
{
	shapes();
	refusals();
	entries();
	moves();
	nearest_points();
	nearest_random();
	nearest_prefixes();
	mechanisms();
	of_totals();
	scales();
	units();
	weights();
	steps();
	dependent();
	return done();
}
