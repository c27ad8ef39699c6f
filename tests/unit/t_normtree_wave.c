/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_wave.c - the characteristic function of an estimate's noise (normtree/internal.h), and
 * the bounds that come of it, against laws found by convolution from the tables as the header of
 * normtree.h states them.
 */
#include "covers.h"
#include "law/internal.h"
#include "mech.h"
#include "normtree/internal.h"

#define REACH	160		/* sums are within +-REACH */
#define ALL	(2 * REACH + 1)
#define ENOUGH	96		/* points of a law of a few steps, */
#define ENDS	1e-5		/* beyond which is no more of a tail */
#define LEFT_OUT	.01		/* of gamma, at most */

static struct dp_law law;

static double
value(struct dp_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

static double
entry(const struct dp_real *table, unsigned A, struct dp_real beyond, int v)
{
	v = abs(v) - (int)A;
	return v <= 0 ? value(table[v + (int)A]) : value(table[A]) * pow(value(beyond), v);
}

/* t(a, b) of normtree.h, of a kind: its tables, with what is beyond them, up to REACH */
struct weights {
	double child[2][REACH + 1], fall[REACH + 1];
	int A;
	bool open;
};

static void
weights_of(const struct dp_normtree *p, unsigned kind, struct weights *w)
{
	const struct dp_normtree_level *v = &p->level[kind];
	int i, side;

	w->A = (int)v->A;
	w->open = v->open;
	for (i = 0; i <= REACH; i++) {
		for (side = 0; side < 2; side++)
			w->child[side][i] = v->open ? 1 : entry(v->child[side], v->reach[side],
			    v->beyond[side], i);
		w->fall[i] = entry(v->fall, v->A, v->fade, i);
	}
}

static double
weight(const struct weights *w, int a, int b)
{
	const int size = abs(a + b), room = size < w->A ? w->A - size : 0;
	int y = (a < 0) == (b < 0) || a == 0 || b == 0 ? 0 : abs(a) < abs(b) ? abs(a) : abs(b);

	if (!w->open && y > room)
		y = room;
	return w->child[0][abs(a)] * w->child[1][abs(b)] * w->fall[y];
}

/* P(first n of a node's steps sum to s | P), [P][s]; p(-s | -P) is the same. */
typedef double given[ALL][ALL];

static void
first_of(const struct dp_normtree *p, unsigned kind, unsigned n, given *to)
{
	static given part[13];
	const bool step = kind == DP_NORMTREE_STEP;
	const unsigned l = step ? 0 : p->shape.kind[kind].level, half = step ? 0 : 1u << (l - 1);
	given *child = &part[l];
	struct weights k;
	const double *restrict from;
	double w, sum, *restrict sums;
	int P, a, s, at;

	memset(*to, 0, sizeof *to);
	if (n == 2 * half || l == 0) {
		for (s = 0; s < ALL; s++)
			(*to)[s][s] = 1;
		return;
	}
	first_of(p, p->shape.kind[kind].child[n > half], n > half ? n - half : n, child);
	weights_of(p, kind, &k);
	for (P = -REACH; P <= REACH; P++) {
		sums = (*to)[P + REACH];
		for (sum = 0, a = -REACH; a <= REACH; a++) {
			if (abs(P - a) > REACH)
				continue;
			sum += w = weight(&k, a, P - a);
			from = (*child)[(n > half ? P - a : a) + REACH];
			at = n > half ? a : 0;
			for (s = at < 0 ? -at : 0; s < ALL - (at > 0 ? at : 0); s++)
				sums[s + at] += w * from[s];
		}
		for (s = 0; s < ALL && sum > 0; s++)	/* 0: farther out than doubles go */
			sums[s] /= sum;
	}
}

/* P(first n of 2^h steps sum to s) */
static void
convolved(const struct dp_normtree *p, unsigned n, double *to)
{
	static given of;
	double sum = 0, r;
	int P, s;

	first_of(p, p->shape.kinds - 1, n, &of);
	memset(to, 0, ALL * sizeof *to);
	for (P = -REACH; P <= REACH; P++) {
		sum += r = entry(p->root, p->A, p->beyond, P);
		for (s = 0; s < ALL; s++)
			to[s] += r * of[P + REACH][s];
	}
	for (s = 0; s < ALL; s++)
		to[s] /= sum;
}

static struct dp_normtree *
tree(unsigned h, uint64_t epsilon, uint64_t den)
{
	struct dp_mech_rule s = setting(0, epsilon, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_shape(&shape, h);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

/*
 * Tails of the law at hand, in standard deviations, against those of q: at most 2 % of themselves
 * too small, and 15 % too large, wherever a saddle could be looked for.
 */
static void
tails(const double *q)
{
	const double sd = sqrt(dp_law_variance(&law));
	struct dp_law_tails t;
	double want = 0, got;
	int x;

	check(dp_law_tails(&t, &law) && t.n > 5 && dp_law_tails_upper(&t, 0) >= 1);
	for (x = REACH; x > 0; x--) {
		want += q[REACH + x];
		if (want < 1e-8)
			continue;
		got = dp_law_tails_upper(&t, (x - .5) / sd);
		check(got >= .98 * want && got <= 1.15 * want);
		if (got < .98 * want || got > 1.15 * want)
			printf("sd %g: P(X >= %d) = %g, not %g\n", sd, x, got, want);
	}
}

static struct dp_normtree *
count_of(uint64_t T, uint64_t den)
{
	struct dp_mech_rule s = setting(0, 1, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_count_shape(&shape, T);
	check(!shape.chain);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

static struct dp_normtree *
count(uint64_t T)
{
	return count_of(T, 1);
}

/*
 * A tree of 2^5 steps whose nodes' children differ, of which 21 are asked for: 16, and after them a
 * node of 8 steps of which the last three have no node of their own.
 */
static struct dp_normtree *
uneven(void)
{
	static const struct dp_normtree_kind kinds[] = {
		{ .share = .5, .corner = .4, .level = 1, .child = { DP_NORMTREE_STEP,
		    DP_NORMTREE_STEP } },
		{ .share = .3, .corner = .2, .level = 1, .child = { DP_NORMTREE_STEP,
		    DP_NORMTREE_STEP } },
		{ .share = .1, .corner = .1, .level = 2, .child = { 1, 0 } },
		{ .share = .25, .corner = .3, .level = 2, .child = { 1, 1 } },
		{ .share = .1, .corner = .2, .level = 3, .child = { 3, 2 } },
		{ .share = .1, .corner = .4, .level = 3, .child = { 2, 3 } },
		{ .share = .1, .corner = .2, .level = 4, .child = { 5, 4 } },
		{ .share = .2, .corner = .1, .level = 3, .child = { 2, 1 } },
		{ .share = .1, .corner = .1, .level = 5, .child = { 6, 7 } }
	};
	struct dp_normtree_shape s = { .h = 5, .kinds = sizeof kinds / sizeof kinds[0], .T = 21,
	    .root = .05 };
	struct dp_normtree *p = calloc(1, sizeof *p);
	double loss;

	memcpy(s.kind, kinds, sizeof kinds);
	if (p == NULL || dp_normtree_find_reach(&s, 0, 2, &loss) != 0 ||
	    dp_normtree_set(p, &s, 2, DP_NORMTREE_DRAW) != 0 ||
	    (p->laws.sweeps = dp_normtree_sweeps_create()) == NULL)
		abort();
	return p;
}

/* Waves are the transform of the law q, where their points are given. */
static void
points_of(const struct dp_normtree *p, unsigned n, const double *q)
{
	struct dp_law_wave v = { .gamma = .01 };
	double want;
	unsigned i;
	int s;

	dp_law_clear(&law);
	dp_normtree_law(p, NULL, 0, n, &law);
	v.sigma = sqrt(law.part[0].variance);
	check(law.part[0].waves(&law.part[0], &v) && v.n > 8 && v.off < .01 * LEFT_OUT);
	for (v.off = 0, i = 0; i < DP_LAW_POINTS; i++)
		v.phi[i] = 1;
	check(law.part[0].waves(&law.part[0], &v) && v.off < .01 * LEFT_OUT);
	for (i = 0; i < v.n; i++) {
		for (want = 0, s = 0; s < ALL; s++)
			want += q[s] * cos((i + 1) * v.step * (s - REACH));
		check(fabs(v.phi[i] - want) < v.off + 1e-12);
		if (fabs(v.phi[i] - want) >= v.off + 1e-12)
			printf("h %u, %u steps, point %u: %g, not %g; %g\n", p->h, n, i, v.phi[i],
			    want, v.off);
	}
}

/*
 * Bounds are quantiles of the law q: none too small, and at most one unit too large, which is for
 * what the error leaves open, or 6 % and two units, where they go on from others.  And it is
 * log-concave wherever it is above 10^-14, as law.c takes it to be.
 */
static void
bounds_of(const struct dp_normtree *p, unsigned n, const double *q)
{
	static const double gamma[] = { .1, .05, .01, .001, 1e-4, 1e-6, 1e-13, 1e-15 };
	double tail, w, most;
	int s, k;

	dp_law_clear(&law);
	dp_normtree_law(p, NULL, 0, n, &law);
	for (k = 0; k < 8; k++) {
		for (tail = 0, s = REACH; s > 0 && tail + 2 * q[REACH + s] <= gamma[k]; s--)
			tail += 2 * q[REACH + s];
		w = dp_law_bound(&law, gamma[k]);
		most = gamma[k] < 1e-12 ? 1.06 * s + 2 : s + 1;
		check(s > REACH / 2 || (w >= s && w <= most));
		if (w < s || w > most)
			printf("h %u, %u steps, gamma %g: %g, not %d\n", p->h, n, gamma[k], w, s);
	}
	for (s = 0; s < REACH && q[REACH + s + 1] > 1e-14; s++)
		check(q[REACH + s] * q[REACH + s] >= q[REACH + s - 1] * q[REACH + s + 1]);
	if (dp_law_variance(&law) >= DP_LAW_FINE)
		tails(q);
}

/* Tails of all steps of a tree whose numbers are several to a grain. */
static void
grains(struct dp_normtree *p)
{
	double q[ALL];
	unsigned n;

	check(dp_normtree_know(p) && sqrt(p->moments.var[0]) > 4.4);
	for (n = 1; n <= 1u << p->h; n++) {
		convolved(p, n, q);
		dp_law_clear(&law);
		dp_normtree_law(p, NULL, 0, n, &law);
		tails(q);
	}
	dp_normtree_free(p);
}

/* Steps one after the other, and back: a way is kept from each to the next. */
static void
prefixes(struct dp_normtree *p, unsigned from, unsigned to)
{
	static double q[32][ALL];
	unsigned n;

	for (n = from; n <= to; n++) {
		convolved(p, n, q[n - from]);
		points_of(p, n, q[n - from]);
	}
	for (n = to; n >= from; n--) {
		points_of(p, n, q[n - from]);
		bounds_of(p, n, q[n - from]);
	}
	dp_normtree_free(p);
}

/*
 * After a few whole nodes laws have a kink, and their characteristic functions fall slowly: bounds
 * are at most a twelfth, or a unit, wider than the law, and never narrower.
 */
static void
kinks(unsigned h, uint64_t den, unsigned first)
{
	static const double gamma[] = { .05, .01, .001, 1e-4 };
	struct dp_normtree *p = tree(h, 1, den);
	double q[ALL], tail, w;
	unsigned n, k;
	int s;

	for (n = first; n <= 1u << h; n *= 2) {
		convolved(p, n, q);
		for (k = 0; k < 4; k++) {
			for (tail = 0, s = REACH; s > 0 && tail + 2 * q[REACH + s] <= gamma[k]; s--)
				tail += 2 * q[REACH + s];
			dp_law_clear(&law);
			dp_normtree_law(p, NULL, 0, n, &law);
			w = dp_law_bound(&law, gamma[k]);
			check(w >= s && w <= s + fmax(1, s / 12.));
			if (w < s || w > s + fmax(1, s / 12.))
				printf("h %u, 1/%u, %u steps, gamma %g: %g, not %d\n", h,
				    (unsigned)den, n, gamma[k], w, s);
		}
	}
	dp_normtree_free(p);
}

/* Hardly any noise: a law on whole numbers has more in its tails than its variance says. */
static void
little(unsigned h, uint64_t epsilon, double gamma)
{
	struct dp_normtree *p = tree(h, epsilon, 1);
	double q[ALL], tail;
	unsigned n;
	int s;

	for (n = 1; n <= 1u << h; n++) {
		convolved(p, n, q);
		dp_law_clear(&law);
		dp_normtree_law(p, NULL, 0, n, &law);
		for (tail = 0, s = REACH; s > 0 && tail + 2 * q[REACH + s] <= gamma; s--)
			tail += 2 * q[REACH + s];
		check(dp_law_bound(&law, gamma) >= s);
		check(dp_law_parts_wide(&law, gamma) >= s);
	}
	dp_normtree_free(p);
}

/*
 * On a finer grid what the tables and residuals add up to is the variance, and of residuals, which
 * count as at most half as much again, twice: the variance of the law whose points are given.
 */
static void
residuals(unsigned h, uint64_t den)
{
	struct dp_normtree *p = tree(h, 1, den);
	const uint64_t n = (uint64_t)1 << h;
	struct dp_law_wave v;
	double var, r, more;
	uint64_t t;

	check(p->fine > 0);
	for (t = 1; t <= n; t += t < 40 ? 1 : t / 7) {
		dp_law_clear(&law);
		dp_normtree_law(p, NULL, 0, t, &law);
		var = law.part[0].variance;
		r = dp_normtree_residual(p, NULL, 0, t);
		v = (struct dp_law_wave){ .gamma = 1e-10, .n = 8, .step = .1 / sqrt(var) };
		check(law.part[0].waves(&law.part[0], &v));
		check(r > 0 && r < var / 8);
		more = v.variance - var - r;
		check(more > -5e-6 * var && more < r / 2);
	}
	dp_normtree_free(p);
}

/* ---- decays ---- */

/* E exp(i s S) given P, at [REACH + P]; that of -P is its conjugate. */
struct transform {
	double re[ALL], im[ALL];
};

/* The probability that P >= 0 of a node of level l + 1 splits into a and P - a, [REACH + a][P] */
static double split[5][ALL][REACH + 1];

static void
set_splits(const struct dp_normtree *p)
{
	struct weights k;
	unsigned l;
	double all;
	int P, a;

	if (p->h > sizeof split / sizeof split[0])
		abort();
	for (l = 0; l < p->h; l++) {
		weights_of(p, l, &k);
		for (P = 0; P <= REACH; P++) {
			for (all = 0, a = P - REACH; a <= REACH; a++)
				all += split[l][REACH + a][P] = weight(&k, a, P - a);
			for (a = P - REACH; a <= REACH; a++)
				split[l][REACH + a][P] /= all;
		}
	}
}

/*
 * Of a node of a chain whose first step is i + 1, S the decayed sum after step t: from the splits'
 * weights alone.
 */
static void
decayed(unsigned l, unsigned i, unsigned t, double alpha, double s, struct transform *restrict to)
{
	const double w = s * pow(alpha, (double)t - 1 - i);
	struct transform left, right;
	const double *k, *x, *y;
	double re, im;
	int P, a;

	memset(to, 0, sizeof *to);
	if (l == 0 || i >= t) {
		for (P = -REACH; P <= REACH; P++) {
			to->re[REACH + P] = i < t ? cos(w * P) : 1;
			to->im[REACH + P] = i < t ? sin(w * P) : 0;
		}
		return;
	}
	decayed(l - 1, i, t, alpha, s, &left);
	decayed(l - 1, i + (1u << (l - 1)), t, alpha, s, &right);
	for (a = -REACH; a <= REACH; a++) {
		re = left.re[REACH + a];
		im = left.im[REACH + a];
		k = split[l - 1][REACH + a];
		x = right.re + REACH - a;
		y = right.im + REACH - a;
		for (P = 0; P <= (a < 0 ? REACH + a : REACH); P++) {
			to->re[REACH + P] += k[P] * (re * x[P] - im * y[P]);
			to->im[REACH + P] += k[P] * (re * y[P] + im * x[P]);
		}
	}
	for (P = 1; P <= REACH; P++) {
		to->re[REACH - P] = to->re[REACH + P];
		to->im[REACH - P] = -to->im[REACH + P];
	}
}

/* E cos(s S), S the decayed sum after step t of a row of trees. */
static double
faded(const struct dp_normtree *p, unsigned t, double alpha, double s)
{
	static struct transform u;
	double product = 1, sum, all, r;
	unsigned i;
	int P;

	for (i = 0; i < t; i += 1u << p->h) {
		decayed(p->h, i, t, alpha, s, &u);
		for (sum = all = 0, P = -REACH; P <= REACH; P++) {
			r = entry(p->root, p->A, p->beyond, P);
			sum += r * u.re[REACH + P];
			all += r;
		}
		product *= sum / all;
	}
	return product;
}

/*
 * Half-widths of a decay's first steps: P(|S + U| > w), U uniform on a width of one, is no more
 * than gamma, but for ENDS, which is for what lies beyond the last point; of 2 % less, or w - 1, it
 * is more.  There are many gammas, as whole numbers hide what is slight.
 */
static void
faded_bounds(const struct dp_normtree *p, const struct dp_task *task, unsigned t)
{
	double product[ENOUGH], step, gamma, w, tail, less;
	unsigned i;

	dp_law_clear(&law);
	dp_normtree_law(p, task, 0, t, &law);
	law.between = true;
	step = M_PI / 8 / sqrt(law.part[0].variance);
	for (i = 1; i <= ENOUGH; i++)
		product[i - 1] = faded(p, t, task->alpha, i * step) * dp_law_wave_weight(step, i);
	for (gamma = .5; gamma > 1e-3; gamma *= .93) {
		w = dp_law_bound(&law, gamma);
		less = fmin(w - 1, floor(w * .98));
		tail = dp_law_wave_tail(product, ENOUGH, step, w);
		check(tail <= gamma + ENDS);
		check(less < 1 || dp_law_wave_tail(product, ENOUGH, step, less - 1) >
		    gamma - ENDS);
		if (tail > gamma + ENDS)
			printf("alpha %g, step %u, gamma %g: %g has %g\n", task->alpha, t, gamma,
			    w, tail);
	}
}

/*
 * A decay's waves in its first tree, and in the next one; what is uneven in a node's weights has a
 * form of its own.
 */
static void
decays(double alpha, uint64_t den)
{
	const struct dp_task task = { .what = DP_TASK_EXP, .alpha = alpha, .decimals = 6 };
	const struct dp_mech_rule set = setting(0, 1, den, 1);
	double worst = 0;
	struct dp_law_wave v;
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	unsigned t, i;

	dp_normtree_stream(&shape, &task, 0, 1);
	if (dp_normtree_create(&p, &shape, &set.privacy) != 0)
		abort();
	p->row = true;
	set_splits(p);
	for (t = 1; t <= (1u << p->h) + 2; t++) {
		dp_law_clear(&law);
		dp_normtree_law(p, &task, 0, t, &law);
		v = (struct dp_law_wave){ .gamma = .01, .sigma = sqrt(law.part[0].variance) };
		for (i = 0; i < DP_LAW_POINTS; i++)
			v.phi[i] = 1;
		check(law.part[0].waves(&law.part[0], &v) && v.n > 8);
		for (i = 1; i <= v.n; i += 3)
			worst = fmax(worst, fabs(v.phi[i - 1] - faded(p, t, alpha, i * v.step)));
		faded_bounds(p, &task, t);
	}
	printf("alpha %g, h %u: off by %g\n", alpha, p->h, worst);
	check(den > 1 || worst < 2e-3);		/* not in grains */
	dp_normtree_free(p);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (covers_list)
		return 0;
	PART(residuals(10, 20));
	PART(residuals(4, 1000));
	PART(prefixes(tree(4, 1, 1), 1, 16));
	PART(prefixes(uneven(), 1, 21));
	PART(prefixes(count(19), 13, 19));
	PART(prefixes(count(65), 65, 65));
	PART(prefixes(tree(7, 2, 1), 77, 77));
	PART(prefixes(tree(7, 2, 1), 95, 98));
	/* standard deviations a little above 9 */
	PART(prefixes(tree(12, 1, 1), 2042, 2042));
	PART(prefixes(tree(12, 1, 1), 3584, 3584));
	PART(grains(tree(4, 1, 2)));
	PART(kinks(6, 3, 1));
	PART(kinks(5, 5, 16));
	PART(little(3, 8, 1e-4));
	PART(little(3, 8, 1e-6));
	PART(little(3, 6, 1e-12));
	PART(decays(.9, 1));
	PART(decays(.9, 3));
	PART(decays(.5, 2));
	PART(little(5, 10, 1e-6));
	PART(decays(.95, 2));
	return done();
}
