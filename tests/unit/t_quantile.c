/* SPDX-License-Identifier: ISC */
/*
 * t_quantile.c - bins, fits, and what the layouts of stat/quantile.h make of private numbers,
 * against other ways.
 */
#include "quantile.h"

/* stat/internal.h: all values of the range are in the bin whose edges hold them. */
static void
places(const struct dp_bins *b, int64_t lo, int64_t hi)
{
	const int64_t step = (hi - lo) / 5000 + 1;
	int64_t v;
	unsigned i;

	check(b->edge[0] == lo && b->edge[b->n] == hi + 1);
	for (i = 0; i < b->n; i++) {
		check(b->edge[i] < b->edge[i + 1]);
		check(dp_bins_place(b, b->edge[i]) == i);
		check(dp_bins_place(b, b->edge[i + 1] - 1) == i);
		check(dp_bins_within(b, i, 0) == b->edge[i]);
		check(dp_bins_within(b, i, 1) == b->edge[i + 1] - 1);
	}
	for (v = lo; v <= hi; v += step) {
		i = dp_bins_place(b, v);
		check(i < b->n && b->edge[i] <= v && v < b->edge[i + 1]);
	}
}

static void
bins(void)
{
	static const int64_t end[][2] = { { 0, 1 }, { -3, 4 }, { 0, 1023 }, { 0, 1024 },
	    { -7, 1000000 }, { 5, ((int64_t)1 << 50) - 1 }, { 1, 7 }, { 1, 100000 },
	    { 100, 1000 }, { 1 - ((int64_t)1 << 50), ((int64_t)1 << 50) - 1 } };
	static const unsigned number[] = { 1, 2, 3, 1000, 1024, 4096 };
	static struct dp_bins b;
	unsigned i, j;

	for (i = 0; i < sizeof end / sizeof *end; i++)
		for (j = 0; j < sizeof number / sizeof *number; j++) {
			check(dp_bins_linear(&b, end[i][0], end[i][1], number[j]) == 0);
			check(b.n == number[j] || (int64_t)b.n == end[i][1] - end[i][0] + 1);
			places(&b, end[i][0], end[i][1]);
			if (dp_bins_log(&b, end[i][0], end[i][1], number[j]) != 0)
				check(end[i][0] < 0 || (end[i][0] == 0 && number[j] == 1));
			else
				places(&b, end[i][0], end[i][1]);
		}
	/* four bins of 10 values: 3, 2, 3, 2; two values a bin at most: one apart */
	check(dp_bins_linear(&b, 0, 9, 4) == 0 && b.edge[1] == 3 && b.edge[2] == 5 &&
	    b.edge[3] == 8 && dp_bins_widest(&b) == 2);
	/* 1..10^6 in six: a ratio of 10 each, and what rounding makes of the last */
	check(dp_bins_log(&b, 1, 999999, 6) == 0 && b.n == 6 && b.edge[1] == 10 &&
	    b.edge[5] == 100000 && fabs(dp_bins_ratio(&b) - 9.99999) < 1e-9);
	check(dp_bins_within(&b, 2, .5) == 316);	/* 100 * 9.99^.5 */
	/* 0 in a bin of its own */
	check(dp_bins_log(&b, 0, 999999, 7) == 0 && b.n == 7 && b.edge[1] == 1 && b.edge[2] == 10);
	check(fabs(dp_bins_ratio(&b) - 9.99999) < 1e-9);
	/* the last edge is in the last bin */
	check(dp_bins_given(&b, (const int64_t []){ -5, 0, 2, 9 }, 3) == 0);
	places(&b, -5, 9);
	check(dp_bins_place(&b, 9) == 2 && dp_bins_place(&b, 1) == 1);
	check(dp_bins_given(&b, (const int64_t []){ 1, 1 }, 1) == DP_EINVAL);
	check(dp_bins_given(&b, (const int64_t []){ 1, 3, 2 }, 2) == DP_EINVAL);
	check(dp_bins_linear(&b, 0, 9, 0) == DP_EINVAL);
	check(dp_bins_linear(&b, 0, 9, DP_BINS_MAX + 1) == DP_EINVAL);
	check(dp_bins_linear(&b, 0, (int64_t)1 << 50, 9) == DP_EINVAL);
}

/* The fit is max over a <= i of min over b >= i of the mean of a .. b, and no less than 0. */
static void
fits(void)
{
	double f[40], want, least, mean;
	double y[40];
	int trial, n, i, a, b;

	srand(3);
	for (trial = 0; trial < 500; trial++) {
		n = 1 + rand() % 40;
		for (i = 0; i < n; i++)
			f[i] = y[i] = rand() % 30 - 8 + (trial % 3) * i;
		dp_quantile_fit(f, (unsigned)n);
		for (i = 0; i < n; i++) {
			for (want = 0, a = 0; a <= i; a++) {
				for (mean = 0, least = INFINITY, b = a; b < n; b++) {
					mean += (y[b] - mean) / (b - a + 1);
					if (b >= i)
						least = fmin(least, mean);
				}
				want = fmax(want, least);
			}
			check(fabs(f[i] - want) < 1e-9);
		}
	}
}

/* The first value that at least q N events are not above: bins of one value each. */
static void
finds(void)
{
	static const double q[] = { .001, .05, .25, .5, .75, .9, .95, .999 };
	static struct dp_bins b;
	double f[21];
	unsigned n[20], N, i, j, at, sum;
	int trial;

	check(dp_bins_linear(&b, 100, 119, 20) == 0);
	srand(4);
	for (trial = 0; trial < 2000; trial++) {
		for (f[0] = 0, N = 0, i = 0; i < 20; i++) {
			n[i] = rand() % 3 == 0 ? (unsigned)rand() % 50 : 0;
			f[i + 1] = N += n[i];
		}
		for (j = 0; N > 0 && j < sizeof q / sizeof *q; j++) {
			for (sum = at = 0; sum + n[at] < q[j] * N - 1e-9; at++)
				sum += n[at];
			check(dp_quantile_find(&b, f, q[j]) == 100 + (int64_t)at);
		}
	}
	/* half of a bin's events are in the first half of its values */
	check(dp_bins_linear(&b, 0, 99, 2) == 0);
	check(dp_quantile_find(&b, (const double []){ 0, 4, 8 }, .25) == 25);
	check(dp_quantile_find(&b, (const double []){ 0, 4, 8 }, .5) == 49);
	check(dp_quantile_find(&b, (const double []){ 0, 4, 8 }, .75) == 75);
}

/* Without noise all layouts give F back: of steps that only count, and of all so far. */
static void
exact(unsigned G, const char *name, enum dp_what what, uint64_t millionths)
{
	struct dp_mech_rule s = quantile_rule(G, 2, what, 8, millionths);
	struct dp_rng *rng;
	struct column c;
	struct dp_mech *m;
	dp_wide est[3];
	int64_t *x = calloc(G, sizeof *x);
	double *F = calloc(G + 1, sizeof *F), in;
	const double *f;
	unsigned i;
	uint64_t t;

	s.privacy.exact = true;
	if (x == NULL || F == NULL || dp_rng_open_seed(&rng, 9) != 0 ||
	    (m = make(name, &s)) == NULL)
		abort();
	check(column_new(&c, m, rng) == 0);
	srand(G);
	for (t = 1; t <= 8; t++) {
		for (in = 0, i = 0; i < G; i++) {
			x[i] = rand() % 5 == 0 ? rand() % 1000 : 0;
			in += (double)x[i];
			F[i + 1] = what == DP_TASK_WINDOW ? in : F[i + 1] + in;
		}
		check(m->ops->step(m, c.state, rng, t, x, est) == 0);
		f = quantile_sums(m, c.state);
		for (i = 0; i <= G; i++)
			check(fabs(f[i] - F[i]) <= 1e-9 * F[G]);
	}
	column_free(&c);
	dp_mech_free(m);
	dp_rng_free(rng);
	free(x);
	free(F);
}

/*
 * What is said of the noise of F(j), against what counters' numbers enter it with: each counter is
 * given one event, and F looked at.
 */
static void
formulas(unsigned G, const char *name, enum dp_what what, uint64_t millionths)
{
	const struct dp_mech_rule s = quantile_rule(G, 1, what, 4, millionths);
	struct dp_mech *m = make(name, &s);
	const struct dp_quantile *k = quantile_of(m);
	const unsigned n[2] = { (unsigned)m->part[0].n, m->parts > 1 ? (unsigned)m->part[1].n : 0 };
	double (*coef)[DP_BINS_MAX + 1], own, with, all;
	unsigned i, j, p;

	coef = calloc(n[0] + n[1], sizeof *coef);
	if (m == NULL || coef == NULL)
		abort();
	for (i = 0; i < n[0] + n[1]; i++) {
		/* post-processing is linear: of one released unit, and of none */
		dp_wide y[2 * DP_BINS_MAX] = { 0 };

		y[i] = 1000000;
		k->layout->read(k, y, 0, coef[i]);
	}
	for (p = 0; p < 2; p++)
		for (j = 0; j <= G; j++) {
			for (own = with = all = 0, i = p * n[0]; i < n[0] + p * n[1]; i++) {
				own += coef[i][j] * coef[i][j] / 1e12;
				with += coef[i][j] * coef[i][G] / 1e12;
				all += coef[i][G] * coef[i][G] / 1e12;
			}
			check(fabs(own - k->noise.own[p][j]) < 1e-9 * (1 + own));
			check(fabs(with - k->noise.with[p][j]) < 1e-9 * (1 + all));
			check(fabs(all - k->noise.all[p]) < 1e-9 * (1 + all));
		}
	free(coef);
	dp_mech_free(m);
}

/* quantile.h, ROOT: no column of W is longer, nor has a larger sum or entry, than noise is for. */
static void
root(unsigned G)
{
	const struct dp_mech_rule s = quantile_rule(G, 1, DP_TASK_COUNT, 4, 1);
	struct dp_mech *m = make("blt", &s);
	const struct dp_quantile *k = quantile_of(m);
	struct dp_reach reach = s.band[0].reach;
	double squares, sum, longest = 0, shortest = INFINITY, largest = 0, e;
	unsigned b, i;

	check(m != NULL && k->layout == &dp_quantile_root);
	check(dp_quantile_root_reach(k, &reach) == 0);
	for (b = 0; b < G; b++) {
		for (squares = sum = 0, i = b; i < G; i++) {
			e = (double)k->w[i - b] * (double)k->times[b];
			check(e > 0 && e <= (double)reach.linf);
			squares += e * e;
			sum += e;
		}
		longest = fmax(longest, squares);
		shortest = fmin(shortest, squares);
		largest = fmax(largest, sum);
	}
	check((double)reach.l2squared == longest && (double)reach.l1 == largest);
	check(shortest > longest * .93);	/* one length, but for the rounding of m */
	dp_mech_free(m);
}

/* An event twice: what lines replace moves two columns, a user's both one. */
static void
reaches(void)
{
	const struct dp_mech_rule s = quantile_rule(100, 1, DP_TASK_COUNT, 4, 1);
	struct dp_mech *m = make("blt", &s);
	struct dp_reach one = { 1, 1, 1, 1, 0, 0 }, lines = { 2, 2, 1, 2, 0, 0 };
	struct dp_reach user = { 3, 9, 3, 3, 3, 5 };

	check(dp_quantile_root_reach(quantile_of(m), &one) == 0);
	check(dp_quantile_root_reach(quantile_of(m), &lines) == 0);
	check(dp_quantile_root_reach(quantile_of(m), &user) == 0);
	check(lines.l2squared == 2 * one.l2squared && lines.l1 == 2 * one.l1);
	check(user.l2squared == 9 * one.l2squared && user.linf == 3 * one.linf);
	check(one.columns == 1 && user.columns == 3);	/* of u as many as of bins: they are G */
	user = (struct dp_reach){ 1 << 20, (uint64_t)1 << 40, 1, 1, 0, 0 };
	check(dp_quantile_root_reach(quantile_of(m), &user) == DP_ERANGE);
	dp_mech_free(m);
}

/* A counter's noise is that of a count which one event moves by 1, with a part's share. */
static void
noise(unsigned G, unsigned part, uint64_t thousandths)
{
	const struct dp_mech_rule s = quantile_rule(G, 1, DP_TASK_COUNT, 8, 0);
	struct dp_mech_rule one = setting(8, thousandths, 1000, 1);
	struct dp_mech *m = make("normtree", &s), *count;

	one.bits = false;
	if (m == NULL || (count = make("normtree", &one)) == NULL)
		abort();
	check(m->parts > part);
	check(fabs(dp_mech_variance(m->part[part].inner, 8) / dp_mech_variance(count, 8) - 1) <
	    1e-6);
	dp_mech_free(m);
	dp_mech_free(count);
}

int
main(void)
{
	noise(64, 0, 1000);
	noise(65, 0, 495);
	noise(65, 1, 505);
	bins();
	fits();
	finds();
	exact(8, "normtree", DP_TASK_WINDOW, 0);
	exact(100, "normtree", DP_TASK_WINDOW, 0);
	exact(64, "normtree", DP_TASK_COUNT, 0);
	exact(65, "normtree", DP_TASK_COUNT, 0);
	exact(1000, "input", DP_TASK_WINDOW, 0);
	exact(1000, "blt", DP_TASK_COUNT, 1);
	formulas(64, "normtree", DP_TASK_COUNT, 0);
	formulas(65, "normtree", DP_TASK_COUNT, 0);
	formulas(1000, "kary", DP_TASK_COUNT, 0);
	formulas(300, "blt", DP_TASK_COUNT, 1);
	root(65);
	root(1024);
	root(DP_BINS_MAX);
	reaches();
	return done();
}
