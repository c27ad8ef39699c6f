/*
 * t_normtree_wave.c - the characteristic function of an estimate's noise (normtree/wave.h), and the
 * bounds that come of it, against laws found by convolution from the tables as the header of
 * normtree.h states them.
 */
#include "covers.h"
#include "failing.h"
#include "mech.h"
#include "normtree/normtree.h"

#define REACH	160		/* sums are within +-REACH */
#define ALL	(2 * REACH + 1)

static struct dp_law law;

static double
value(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

static double
entry(const struct dp_normtree_real *table, unsigned A, struct dp_normtree_real beyond, int v)
{
	v = abs(v) - (int)A;
	return v <= 0 ? value(table[v + (int)A]) : value(table[A]) * pow(value(beyond), v);
}

/* t_l(a, b) of normtree.h */
static double
weight(const struct dp_normtree *p, unsigned l, int a, int b)
{
	const struct dp_normtree_level *v = &p->level[l - 1];
	const int A = (int)p->A, size = abs(a + b), room = size < A ? A - size : 0;
	int y = (a < 0) == (b < 0) || a == 0 || b == 0 ? 0 : abs(a) < abs(b) ? abs(a) : abs(b);

	if (l == 1)
		return entry(v->fall, p->A, v->fade, y);
	return entry(v->child[0], p->A, v->beyond[0], a) *
	    entry(v->child[1], p->A, v->beyond[1], b) *
	    value(v->fall[y < room ? y : room]);
}

/* P(first n of a tree's 2^l steps sum to s | P), [P][s]; p(-s | -P) is the same. */
typedef double given[ALL][ALL];

static void
first_of(const struct dp_normtree *p, unsigned l, unsigned n, given *to)
{
	static given part[13];
	const unsigned half = l == 0 ? 0 : 1u << (l - 1);
	given *child = &part[l];
	double w, sum;
	int P, a, s, at, of;

	memset(*to, 0, sizeof *to);
	if (n == 2 * half || l == 0) {
		for (s = 0; s < ALL; s++)
			(*to)[s][s] = 1;
		return;
	}
	first_of(p, l - 1, n > half ? n - half : n, child);
	for (P = -REACH; P <= REACH; P++) {
		for (sum = 0, a = -REACH; a <= REACH; a++) {
			if (abs(P - a) > REACH)
				continue;
			sum += w = weight(p, l, a, P - a);
			of = n > half ? P - a : a;
			for (s = 0; s < ALL && w > 0; s++) {
				at = n > half ? s + a : s;
				if (at >= 0 && at < ALL)
					(*to)[P + REACH][at] += w * (*child)[of + REACH][s];
			}
		}
		for (s = 0; s < ALL && sum > 0; s++)	/* 0: farther out than doubles go */
			(*to)[P + REACH][s] /= sum;
	}
}

/* P(first n of 2^h steps sum to s) */
static void
convolved(const struct dp_normtree *p, unsigned n, double *to)
{
	static given of;
	double sum = 0, r;
	int P, s;

	first_of(p, p->h, n, &of);
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
	struct dp_setting s = setting(0, epsilon, den, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_shape(&shape, h);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	return p;
}

/* The cumulants of the law's part, as many as there may be at once, against those of the law q. */
static void
cumulants(const double *q)
{
	double s[DP_LAW_ABREAST], k[DP_LAW_ABREAST], want, near, one;
	int i, x;

	for (i = 0; i < DP_LAW_ABREAST; i++)
		s[i] = (i + 1) * .5 / sqrt(law.part[0].variance);
	law.part[0].cumulant(&law.part[0], s, DP_LAW_ABREAST, k);
	for (i = 0; i < DP_LAW_ABREAST; i++) {
		for (want = near = 0, x = 0; x < ALL; x++) {
			want += q[x] * exp(s[i] * (x - REACH));
			near += abs(x - REACH) < REACH / 3 ? q[x] * exp(s[i] * (x - REACH)) : 0;
		}
		law.part[0].cumulant(&law.part[0], &s[i], 1, &one);
		check(one == k[i]);
		/* from here on it matters that sums end at +-REACH, and nodes' values at 2A */
		if (near < want * (1 - 1e-9))
			break;
		check(k[i] >= log(want) * (1 - 1e-6) && k[i] <= log(want) * (1 + 1e-4));
	}
}

/* log E exp(s X), X the sum of steps from + 1 .. to. */
static double
cumulant(const struct dp_normtree *p, uint64_t from, uint64_t to, double s)
{
	double k;

	dp_law_clear(&law);
	dp_normtree_law(p, NULL, 0, to, &law);
	law.part[0].from = from;
	law.part[0].cumulant(&law.part[0], &s, 1, &k);
	return k;
}

/*
 * Steps that are no prefix: near 0 the cumulant has their variance, in a tree; those of two are
 * independent; and a tree backwards has the same law.
 */
static void
ranges(unsigned h)
{
	struct dp_normtree *p = tree(h, 1, 1);
	const uint64_t T = (uint64_t)1 << h;
	struct dp_task window = { .what = DP_TASK_WINDOW, .windows = 1 };
	uint64_t from, to;
	double k, v;

	for (from = 0; from < T; from++)
		for (to = from + 1; to <= 2 * T + 3; to += to < T ? 1 : 3) {
			window.w[0] = to - from;
			v = dp_normtree_variance(p, &window, 0, to);
			k = 2 * cumulant(p, from, to, .01 / sqrt(v)) / (1e-4 / v);
			check(to > T || fabs(k / v - 1) < 1e-3);
			k = cumulant(p, from, to, 2 / sqrt(v));
			if (to <= T)
				check(fabs(k / cumulant(p, T - to, T - from, 2 / sqrt(v)) - 1) <
				    1e-7);
			else
				check(fabs(k / (cumulant(p, from, T, 2 / sqrt(v)) +
				    cumulant(p, 0, to - T, 2 / sqrt(v))) - 1) < 1e-7);
		}
	dp_normtree_free(p);
}

/*
 * Waves are the transform of the law, and bounds its quantiles: none too small, and at most one
 * unit too large, which is for what the error leaves open.  And it is log-concave wherever it is
 * above 10^-14, as law_parts.c takes it to be.
 */
static void
prefix(unsigned h, uint64_t epsilon, unsigned n)
{
	static const double gamma[] = { .1, .05, .01, .001, 1e-4, 1e-6 };
	struct dp_normtree *p = tree(h, epsilon, 1);
	double q[ALL], phi[DP_LAW_POINTS], step = 0, off = 0, want, tail, w;
	unsigned points = 0, i;
	int s, k;

	convolved(p, n, q);
	dp_law_clear(&law);
	dp_normtree_law(p, NULL, 0, n, &law);
	for (i = 0; i < DP_LAW_POINTS; i++)
		phi[i] = 1;
	check(law.part[0].waves(&law.part[0], .01, sqrt(law.part[0].variance), &step, &points,
	    phi, &off) && points > 8 && off == 0);
	for (i = 0; i < points; i++) {
		for (want = 0, s = 0; s < ALL; s++)
			want += q[s] * cos((i + 1) * step * (s - REACH));
		check(fabs(phi[i] - want) < 1e-7);
		if (fabs(phi[i] - want) >= 1e-7)
			printf("h %u, %u steps, point %u: %g, not %g\n", h, n, i, phi[i], want);
	}
	for (k = 0; k < 6; k++) {
		for (tail = 0, s = REACH; s > 0 && tail + 2 * q[REACH + s] <= gamma[k]; s--)
			tail += 2 * q[REACH + s];
		w = dp_law_bound(&law, gamma[k]);
		check(w >= s && w <= s + 1);
		if (w < s || w > s + 1)
			printf("h %u, %u steps, gamma %g: %g, not %d\n", h, n, gamma[k], w, s);
	}
	for (s = 0; s < REACH && q[REACH + s + 1] > 1e-14; s++)
		check(q[REACH + s] * q[REACH + s] >= q[REACH + s - 1] * q[REACH + s + 1]);
	cumulants(q);
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

/*
 * The weights of the reals on a whole law, without what is beyond pi: P(|X| > w) comes out larger
 * than it is, by a^2 / 12 of it at the most, where it falls by e^-a a unit.  X is the sum of eight
 * variables with P(x) ~ e^-|x|: its characteristic function is below 10^-5 at pi.
 */
static void
lobes(void)
{
	const double step = M_PI / DP_LAW_POINTS;
	double q[ALL] = { 0 }, next[ALL], phi[DP_LAW_POINTS], tail, more, a;
	int i, s, x, w;

	q[REACH] = 1;
	for (i = 0; i < 8; i++) {
		for (s = 0; s < ALL; s++)
			for (next[s] = 0, x = 0; x < ALL; x++)
				next[s] += q[x] * exp(-abs(s - x)) * tanh(.5);
		memcpy(q, next, sizeof q);
	}
	for (i = 1; i <= DP_LAW_POINTS; i++)
		phi[i - 1] = dp_law_wave_weight(step, (unsigned)i) /
		    pow(1 + pow(sin(i * step / 2) / sinh(.5), 2), 8);
	for (tail = 0, w = REACH - 1; w >= 4; w--) {
		a = tail;
		tail += 2 * q[REACH + w + 1];
		if (tail < 1e-3)
			continue;
		a = log(tail / a);
		more = dp_law_wave_tail(phi, DP_LAW_POINTS, step, w + .5) - tail;
		check(more > 0 && more <= a * a / 12 * tail);
		if (!(more > 0 && more <= a * a / 12 * tail))
			printf("%d: %g of %g more, not %g\n", w, more, tail, a * a / 12 * tail);
	}
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

/* Of a law's part: its points, and what they are off. */
static unsigned
points_of(const struct dp_normtree *p, uint64_t t, double gamma, double *step, double *phi,
    double *off)
{
	unsigned n = 0, i;

	dp_law_clear(&law);
	dp_normtree_law(p, NULL, 0, t, &law);
	for (i = 0; i < DP_LAW_POINTS; i++)
		phi[i] = 1;
	*step = *off = 0;
	check(law.part[0].waves(&law.part[0], gamma, sqrt(law.part[0].variance), step, &n, phi,
	    off));
	return n;
}

/*
 * After some thousand steps a train (train.h) takes the place of waves: points are off by no more
 * than it says, which is little, and bounds are no narrower, and hardly ever a unit wider.
 */
static void
by_train(unsigned h, double gamma)
{
	struct dp_normtree *p = tree(h, 1, 1), *exact = tree(h, 1, 1);
	const uint64_t T = (uint64_t)1 << h;
	double phi[2][DP_LAW_POINTS], step[2], off[2], sum, most = 0, w;
	uint64_t t, state = 88172645463325252u;
	unsigned n, i, k, wider = 0;

	for (i = 0; i < 2500; i++)
		points_of(p, T / 3 + i % 16, gamma, &step[0], phi[0], &off[0]);
	for (k = 0; k < 4 * h + 60; k++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		t = k < 4 * h ? ((uint64_t)1 << k / 4) - k % 2 + (k & 2) : k & 1 ? T / 3 + k :
		    state % T;
		t = t < 1 ? 1 : t < T ? t : T - 1;
		n = points_of(p, t, gamma, &step[0], phi[0], &off[0]);
		w = dp_law_bound(&law, gamma);
		check(points_of(exact, t, gamma, &step[1], phi[1], &off[1]) == n);
		check(step[1] == step[0] && off[1] == 0);
		for (sum = 0, i = 0; i < n; i++)
			sum += step[0] / (M_PI * sin((i + 1) * step[0] / 2)) *
			    fabs(phi[1][i] - phi[0][i]);
		check(sum <= off[0] + 1e-12);
		check(off[0] <= 1e-5 * gamma);
		most = fmax(most, off[0]);
		if (sum > off[0] + 1e-12)
			printf("step %llu: off by %g, not %g\n", (unsigned long long)t, sum,
			    off[0]);
		law.guess = w;
		sum = dp_law_bound(&law, gamma);
		check(w >= sum && w <= sum + 1);
		wider += w > sum;
	}
	check(most > 0);
	check(wider <= 1);
	printf("2^%u steps, gamma %g: off by %g gamma, wider %u of %u\n", h, gamma, most / gamma,
	    wider, k);
	dp_normtree_free(p);
	dp_normtree_free(exact);
}

/* A train that there is no memory for: no bound; then as at the beginning. */
static void
no_memory(void)
{
	struct dp_normtree *p;
	double w, want;
	unsigned long nth;
	unsigned i;
	bool failed = true;

	for (nth = 1; failed; nth += 1 + nth / 3) {
		p = tree(4, 1, 1);
		dp_law_clear(&law);
		dp_normtree_law(p, NULL, 0, 5, &law);
		want = dp_law_bound(&law, .01);
		for (i = 2; i < 2048; i++)
			check(dp_law_bound(&law, .01) == want);
		failing_at(FAIL_MEMORY, nth, 0);
		w = dp_law_bound(&law, .01);
		failed = failing_end();
		check(failed ? isnan(w) : w == want);
		check(dp_law_bound(&law, .01) == want);
		dp_normtree_free(p);
	}
	check(nth > 100 || nth == 2);	/* a sanitizer's memory does not fail */
}

/* 2 K(s) / s^2 near 0 */
static double
curvature(double s)
{
	double k;

	law.part[0].cumulant(&law.part[0], &s, 1, &k);
	return 2 * k / (s * s);
}

/*
 * On a finer grid what the tables and residuals add up to is the variance, of residuals twice: the
 * limit of 2 K(s) / s^2, without its term in s^2; that in s^4 is 3 10^-6 of it.
 */
static void
residuals(unsigned h, uint64_t den)
{
	struct dp_normtree *p = tree(h, 1, den);
	const uint64_t n = (uint64_t)1 << h;
	double v, r, near;
	uint64_t t;

	check(p->fine > 0);
	for (t = 1; t <= n; t += t < 40 ? 1 : t / 7) {
		dp_law_clear(&law);
		dp_normtree_law(p, NULL, 0, t, &law);
		v = law.part[0].variance;
		r = dp_normtree_residual(p, NULL, 0, t);
		near = 0x1p-5 / sqrt(v);
		check(r > 0 && r < v / 8);
		check(fabs((4 * curvature(near) - curvature(2 * near)) / 3 - v - r) < 5e-6 * v);
	}
	dp_normtree_free(p);
}

int
main(int argc, char **argv)
{
	unsigned n;

	covers(argc, argv);
	if (covers_list)
		return 0;
	for (n = 1; n <= 16; n++)
		prefix(4, 1, n);
	prefix(7, 2, 77);
	prefix(7, 2, 96);
	/* standard deviations a little above 9 */
	prefix(12, 1, 2042);
	prefix(12, 1, 3584);
	kinks(6, 3, 1);
	kinks(5, 5, 16);
	lobes();
	little(3, 8, 1e-4);
	little(3, 8, 1e-6);
	little(5, 10, 1e-6);
	little(3, 6, 1e-12);
	by_train(12, .01);
	by_train(12, .001);
	no_memory();
	ranges(3);
	ranges(4);
	residuals(10, 20);
	residuals(4, 1000);
	return done();
}
