/* SPDX-License-Identifier: ISC */
/*
 * t_expire.c - sharp and gradual expiry, and what windows share with them: hand oracles, exact
 * answers without noise, predictions, figures of the literature, the loss under gradual expiry,
 * columns that move, entropy that ends.
 */
#include "counter/internal.h"
#include "window.h"

static void
known_noise(void)
{
	const struct dp_mech_rule e2 = task(DP_TASK_EXPIRE, 0, 2, 1),
	    map = task(DP_TASK_MAP, 0, 2, 1), gradual = task(DP_TASK_GRADUAL, 0, 0, 1);
	const int64_t unit = (int64_t)1 << 20;

	/* expired: 0, 0, 1, 2, 2 */
	ORACLE("windowsum-paper", e2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80),
	    (21, 12, 42, 43, 74));
	/* g = .5^d, in hundredths; noise 1, 2, 3 in units of 2^-20 */
	ORACLE("map-paper", map, (1, 0, 1), (unit, 2 * unit, 3 * unit), (200, 250, 425));
	/* halves of a hundredth away from zero: -1 +- 1/200 */
	ORACLE("map-paper", map, (0, 0), (-unit - unit / 200 - 1, -unit - unit / 200 + 1),
	    (-101, -100));
	/* [1,2) 1; [2,4) 2, [2] 3; [3] 4; [4,8) 5, [4,6) 6, [4] 7 */
	ORACLE("gradual", gradual, (1, 1, 0, 1), (1, 2, 3, 4, 5, 6, 7), (2, 7, 8, 21));
}

static void
no_noise(void)
{
	static const double power[] = { 2, 1 };
	static double g[40];
	struct dp_mech_rule s;
	size_t i;
	int endless;

	for (endless = 0; endless < 2; endless++) {
		for (i = 1; i < 40; i += 6) {
			s = task(DP_TASK_EXPIRE, endless ? 0 : 300, i, 0);
			check(exact("input", &s, 300));
		}
		s = task(DP_TASK_GRADUAL, endless ? 0 : 300, 0, 0);
		check(exact("gradual", &s, 300));
		s = task(DP_TASK_MAP, endless ? 0 : 300, 9, 0);
		s.task.decimals = 3;
		check(exact("map-paper", &s, 300));
		s.task.alpha = .99;
		check(exact("map-paper", &s, 300));
		s.task.map = DP_TASK_POLY;
		for (i = 0; i < 2; i++) {
			s.task.power = power[i];
			check(exact("map-paper", &s, 300));
		}
		for (i = 0; i < 40; i++)
			g[i] = 1 - (double)i / 64;
		s.task.map = DP_TASK_TABLE;
		s.task.g = g;
		s.task.ng = 40;
		check(exact("map-paper", &s, 300));
	}
}

static void
closed_predictions(void)
{
	static const uint64_t T[] = { 1, 2, 3, 7, 8, 31, 32, 33, 200, 511, 1000 };
	struct dp_mech_rule s;
	size_t i;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		s = task(DP_TASK_GRADUAL, T[i] % 2 ? T[i] : 0, 0, 1);
		s.task.lambda = .5;
		closed_prediction("gradual", &s, T[i]);
		s = task(DP_TASK_MAP, 0, 7, 1);
		closed_prediction("map-paper", &s, T[i]);
	}
}

static void
map_tables(void)
{
	struct dp_mech_rule s = task(DP_TASK_MAP, 0, 2, 1);
	struct dp_mech *m;

	row("map-paper", s, sqrt(8), sqrt(8), 1e-5);	/* scale 2 */
	s.task.w[0] = 8;
	s.task.alpha = .9;
	row("map-paper", s, sqrt(2) * 8, 0, 1e-5);
	s.task.map = DP_TASK_POLY;
	s.task.power = 1;
	row("map-paper", s, sqrt(2) * 8, 0, 1e-5);
	s.horizon = 3;			/* an event is in no more than 3 outputs */
	row("map-paper", s, sqrt(2) * 3, 0, 1e-5);
	s.horizon = 0;
	s.task.power = .5;		/* 2^42 values */
	check(make("map-paper", &s) == NULL);
	s.task.map = DP_TASK_EXP;
	s.task.w[0] = (uint64_t)1 << 16;
	s.task.alpha = .9999;
	s.privacy.epsilon = dp_q_make(1, 1000);	/* 65536000 2^s: s = 14 */
	m = must("map-paper", &s);
	check(near(sqrt(dp_mech_variance(m, 1)), sqrt(2) * 65536000, .01));
	dp_mech_free(m);
	s.privacy.epsilon = dp_q_make(1, 1000000);	/* 6.6 10^10 2^s: not even s = 8 */
	check(make("map-paper", &s) == NULL);
}

/* Half a unit goes away from zero under map, up under output. */
static void
halves(void)
{
	struct dp_mech_rule s = task(DP_TASK_MAP, 0, 2, 1);

	s.task.decimals = 0;
	ORACLE("map-paper", s, (-1, 0, 2, 0), (0, 0, 0, 0), (-1, -1, 2, 1));
	s.task.what = DP_TASK_EXP;
	s.task.windows = 0;
	ORACLE("output", s, (-1, 0, 2, 0), (0, 0, 0, 0), (-1, 0, 2, 1));
}

static void
gradual_tables(void)
{
	static const double loss05[] = { 1, 1.71, 2.28, 2.78, 3.23, 3.64, 4.02, 4.37, 4.70, 5.02 },
	    loss15[] = { 1, 2, 3.4, 5.1, 7.2, 9.4, 11.8, 14.5, 17.3, 20.3 };
	static const unsigned at[] = { 8, 12, 16, 20, 30 };
	static const double rmse1[] = { 4.24, 5.10, 5.83, 6.48, 7.87 },
	    rmse05[] = { 9.5, 13.5, 17.5, 21.5, 31.5 };
	struct dp_mech_rule s = task(DP_TASK_GRADUAL, 0, 0, 1);
	struct dp_mech *m;
	unsigned i;

	m = must("gradual", &s);
	for (i = 0; i < 5; i++)	/* V(1) = 1.841 < 2 */
		check(near(sqrt(dp_mech_variance(m, (uint64_t)1 << at[i]) * 2 / 1.841347),
		    rmse1[i], .002));
	for (i = 0; i < 60; i++) {
		check(near(m->ops->drawn.loss(m, ((uint64_t)1 << i) - 1), 1 + i, 1e-9));
		if (i > 0)
			check(near(m->ops->drawn.loss(m, ((uint64_t)1 << i) - 2), i, 1e-9));
	}
	check(isfinite(m->ops->drawn.loss(m, UINT64_MAX)));
	dp_mech_free(m);
	s.task.lambda = .5;
	m = must("gradual", &s);
	for (i = 0; i < 5; i++)
		check(near(sqrt(dp_mech_variance(m, (uint64_t)1 << at[i])), rmse05[i], .01));
	for (i = 0; i < 10; i++)
		check(fabs(m->ops->drawn.loss(m, ((uint64_t)1 << i) - 1) - loss05[i]) < .006);
	dp_mech_free(m);
	s.task.lambda = 1.5;
	m = must("gradual", &s);
	for (i = 0; i < 10; i++)
		check(fabs(m->ops->drawn.loss(m, ((uint64_t)1 << i) - 1) - loss15[i]) < .06);
	dp_mech_free(m);
	s = task(DP_TASK_GRADUAL, 0, 0, 0);
	m = must("gradual", &s);
	check(isinf(m->ops->drawn.loss(m, 0)));
	dp_mech_free(m);
}

/* Scale of level l's noise, as used. */
static double
scale(const struct dp_mech *m, unsigned l)
{
	const struct dp_noise *z;
	const char *what;

	return dp_mech_family(m, l, &z, &what) ? dp_q_double(z->param) : INFINITY;
}

/*
 * Never less noise than the task's curve says, and little more; a fresh event's own is exactly
 * epsilon's.
 */
static void
gradual_scales(void)
{
	static const double lambda[] = { .25, .5, 1, 1.5, 2, 4, 8 };
	const struct dp_q eps[] = { dp_q_make(1, 1), dp_q_make(12345678901, 100000000003) };
	struct dp_mech_rule s = task(DP_TASK_GRADUAL, 0, 0, 1);
	const struct dp_noise *z;
	const char *what;
	struct dp_mech *m;
	double least, over;
	size_t i, k;
	unsigned l;

	for (i = 0; i < 14; i++) {
		k = i / 2;
		s.privacy.epsilon = eps[i % 2];
		s.task.lambda = lambda[k];
		m = must("gradual", &s);
		check(dp_mech_family(m, 0, &z, &what));
		check(dp_q_cmp(z->param, dp_q_make(eps[i % 2].den, eps[i % 2].num)) == 0);
		for (l = 0; dp_mech_family(m, l, &z, &what); l++) {
			least = pow(1 + l, 1 - lambda[k]) / dp_q_double(eps[i % 2]);
			over = scale(m, l) / fmax(least, 1. / 64);	/* no scale is below that */
			check(over >= 1 - 1e-12 && over <= 1 + 2e-3);
		}
		check(l == 62);
		dp_mech_free(m);
	}
}

#define AGE	700
#define START	700

/*
 * The loss of x_i at every age below AGE: shortest paths from i over the intervals {a, a + 2^l},
 * 2^l | a, a >= 2^l, in both directions, to anything beyond i + d.  Bellman-Ford to the end: no
 * ideas in it.
 */
static void
path_losses(const struct dp_mech *m, uint64_t i, double *worst)
{
	static double dist[4 * (START + AGE)];
	uint64_t a, b, top = i + AGE;
	double c[16], best;
	bool again = true;
	unsigned l;

	for (l = 0; l < 16; l++)
		c[l] = 1 / scale(m, l);
	for (a = 0; a < 4 * (START + AGE); a++)
		dist[a] = INFINITY;
	dist[i] = 0;
	while (again)
		for (again = false, a = 1; a < top; a++)
			for (l = 0; a % ((uint64_t)1 << l) == 0; l++) {
				b = a + ((uint64_t)1 << l);
				if (dist[a] + c[l] < dist[b]) {
					dist[b] = dist[a] + c[l];
					again = true;
				}
				if (dist[b] + c[l] < dist[a]) {
					dist[a] = dist[b] + c[l];
					again = true;
				}
			}
	/*
	 * Of a path that ends beyond i + d the first crossing of it counts, and that edge begins
	 * at most at i + d.
	 */
	for (best = INFINITY, a = 4 * (START + AGE); a-- > i + 1; ) {
		best = dist[a] < best ? dist[a] : best;
		if (a - 1 - i < AGE && best > worst[a - 1 - i])
			worst[a - 1 - i] = best;
	}
}

/* Never less than the exact loss; equal where gradual.c says so. */
static void
gradual_paths(void)
{
	static const double lambda[] = { .25, .5, .9, 1, 1.1, 1.5, 2, 2.5, 4, 8 };
	struct dp_mech_rule s;
	struct dp_mech *m;
	double worst[AGE], got, over;
	uint64_t i, d;
	size_t k;

	for (k = 0; k < sizeof lambda / sizeof lambda[0]; k++) {
		s = task(DP_TASK_GRADUAL, 0, 0, 1);
		/* a budget whose scales do not fit in 63 bits, too */
		if (k % 2 == 1)
			s.privacy.epsilon = dp_q_make(12345678901, 100000000003);
		s.task.lambda = lambda[k];
		m = must("gradual", &s);
		memset(worst, 0, sizeof worst);
		for (i = 1; i <= START; i += i < 80 ? 1 : 1 + i % 16)
			path_losses(m, i, worst);
		for (over = 0, d = 0; d < 600; d++) {
			got = m->ops->drawn.loss(m, d);
			check(got >= worst[d] * (1 - 1e-9));
			over = fmax(over, got / worst[d]);
			if (lambda[k] <= 1 || (d & (d + 1)) == 0)
				check(got <= worst[d] * (k % 2 == 1 ? 1 + 2e-3 : 1 + 1e-9));
			if (d > 0)
				check(got >= m->ops->drawn.loss(m, d - 1));
		}
		printf("gradual %g: reported at most %.3f times the exact loss\n", lambda[k], over);
		dp_mech_free(m);
	}
}

#define CURVES	40

/* A curve from 1 on that never falls: flat, straight, steps, or by chance; *n of them. */
static void
some_curve(struct dp_rng *rng, unsigned kind, double *g, size_t *n)
{
	uint64_t r;
	size_t d;

	if (dp_fair(rng, (uint64_t)1 << 62, &r) != 0)
		abort();
	*n = kind == 0 ? 1 : 1 + r % 700;
	for (g[0] = 1, d = 1; d < *n; d++) {
		if (dp_fair(rng, (uint64_t)1 << 62, &r) != 0)
			abort();
		switch (kind % 5) {
		case 1:		/* straight */
			g[d] = 1 + (double)d / 7;
			break;
		case 2:		/* one step */
			g[d] = d < 40 ? 1 : 5;
			break;
		case 3:		/* rare steps */
			g[d] = g[d - 1] * (r % 32 == 0 ? 1 + (double)(r >> 38) * 0x1p-24 : 1);
			break;
		case 4:		/* as fast as noise may vanish */
			g[d] = fmin(1 + (double)d * (double)d, 1e6);
			break;
		default:	/* as lambda = 1 */
			g[d] = 1 + floor(log2((double)d + 1));
		}
	}
}

/*
 * Curves: no event of any age loses more than the curve lets it, by shortest paths, and some age
 * nearly that; where lambda = 1 would do, the noise is its.
 */
static void
curves(void)
{
	static const uint64_t T[] = { 1, 2, 3, 64, 700 };
	static double g[700], worst[AGE];
	struct dp_mech_rule s, level;
	struct dp_mech *m, *other;
	double near_it, v;
	struct dp_rng *rng;
	uint64_t i, d, last;
	unsigned k;
	size_t n;

	if (dp_rng_open_seed(&rng, 20261129) != 0)
		abort();
	for (k = 0; k < CURVES; k++) {
		some_curve(rng, k, g, &n);
		s = task(DP_TASK_GRADUAL, k % 7 == 6 ? 0 : T[k % 5], 0, 1);
		s.task.lambda = 0;
		s.task.g = g;
		s.task.ng = n;
		if (k % 2 == 1)
			s.privacy.epsilon = dp_q_make(12345678901, 100000000003);
		m = must("gradual", &s);
		memset(worst, 0, sizeof worst);
		for (i = 1; i <= START; i += i < 80 ? 1 : 1 + i % 16)
			path_losses(m, i, worst);
		last = s.horizon == 0 ? 600 : s.horizon - 1 < 600 ? s.horizon - 1 : 600;
		for (near_it = 0, d = 0; d <= last; d++) {
			v = g[d < n ? d : n - 1] * dp_q_double(s.privacy.epsilon);
			check(worst[d] <= v * (1 + 1e-12));
			check(m->ops->drawn.loss(m, d) <= v * (1 + 1e-9));
			near_it = fmax(near_it, worst[d] / v);
		}
		check(s.horizon == 0 || near_it > (k % 5 < 3 ? .99 : .75));
		if (k > 0 && k % 5 == 0 && s.horizon > 0 && n >= s.horizon) {
			level = task(DP_TASK_GRADUAL, s.horizon, 0, 1);
			level.privacy.epsilon = s.privacy.epsilon;
			other = must("gradual", &level);
			check(near(dp_mech_variance(m, s.horizon),
			    dp_mech_variance(other, s.horizon), 5e-3));
			dp_mech_free(other);
		}
		dp_mech_free(m);
	}
	dp_rng_free(rng);
}

static double
dlap(double b, int k)
{
	return tanh(.5 / b) * exp(-abs(k) / b);
}

/*
 * T = 3, the joint law itself: y1 = [1,2), y2 = [2] + [2,4), y3 = [3] + [2,4).  The largest
 * likelihood ratio of x_i against x_i + 1 after all three outputs nears the reported loss of age
 * 3 - i for i = 1, and exceeds it for no i.
 */
static void
gradual_joint(void)
{
	static const double lambda[] = { .5, 1, 1.5 };
	struct dp_mech_rule s = task(DP_TASK_GRADUAL, 3, 0, 1);
	double (*p)[101] = malloc(101 * sizeof *p), b0, b1, most, r;
	struct dp_mech *m;
	int i, y, z, w;
	size_t k;

	for (k = 0; k < 3; k++) {
		s.task.lambda = lambda[k];
		m = must("gradual", &s);
		b0 = scale(m, 0);
		b1 = scale(m, 1);
		for (y = 0; y < 101; y++)
			for (p[y][0] = 0, z = 0; z < 101; z++)
				for (p[y][z] = 0, w = -150; w <= 150; w++)
					p[y][z] += dlap(b1, w) * dlap(b0, y - 50 - w) *
					    dlap(b0, z - 50 - w);
		for (i = 1; i <= 3; i++) {
			for (most = 0, y = 1; y < 101; y++)
				for (z = 1; z < 101; z++) {
					r = log(p[y - (i <= 2)][z - 1] / p[y][z]);
					most = fmax(most, fabs(r) + (i == 1 ? 1 / b0 : 0));
				}
			check(most <= m->ops->drawn.loss(m, (uint64_t)(3 - i)) + 1e-9);
			if (i == 1)	/* 1 -> 2 -> 4 */
				check(most >= 1 / b0 + fmin(1 / b1, 2 / b0) - 1e-3);
		}
		check(near(m->ops->drawn.loss(m, 1), 1 / b0 + fmin(1 / b0, 1 / b1), 1e-9));
		dp_mech_free(m);
	}
	free(p);
}

static const struct {
	const char *name;
	enum dp_what what;
} every[] = {
	{ "windowsum-paper", DP_TASK_WINDOW }, { "allwindow-paper", DP_TASK_WINDOW },
	{ "windowsum-paper", DP_TASK_EXPIRE }, { "allwindow-paper", DP_TASK_EXPIRE },
	{ "input", DP_TASK_EXPIRE }, { "gradual", DP_TASK_GRADUAL },
	{ "map-paper", DP_TASK_MAP }
};

/*
 * Saved and loaded between any two steps, a column goes on as if nothing had happened; batches are
 * steps.
 */
static void
columns_move(void)
{
	struct dp_mech *m, *other;
	struct dp_mech_rule s;
	struct twins w;
	dp_wide y[97], z[97];
	int64_t x[97];
	size_t i, j, n, good;
	uint64_t t;
	bool same;

	for (i = 0; i < sizeof every / sizeof every[0]; i++) {
		s = task(every[i].what, 0, 13, 1);
		if ((m = make(every[i].name, &s)) == NULL ||
		    (other = make(every[i].name, &s)) == NULL)
			abort();
		check(m->column % 16 == 0);
		twins_new(&w, m);
		for (same = true, t = 0; t < 2000; t += n) {
			n = t % 97 + 1;
			for (j = 0; j < n; j++)
				x[j] = (int64_t)((t + j) % 5) - 1;
			for (j = 0; j < n; j++)
				same &= wide_step(&w.c, x[j], &y[j]) == 0;
			column_move(&w.d, w.d.m == m ? other : m);
			same &= w.d.m->ops->valid == NULL ||
			    w.d.m->ops->valid(w.d.m, w.d.state, t);
			same &= dp_mech_steps(w.d.m, w.d.state, w.d.rng, t + 1, x, z, n,
			    &good) == 0 && good == n && memcmp(y, z, n * sizeof *y) == 0;
		}
		if (!same)
			printf("%s\n", every[i].name);
		check(same);
		twins_free(&w);
		dp_mech_free(m);
		dp_mech_free(other);
	}
}

/* Entropy fails at the n-th draw: an error, and no estimate. */
static void
no_entropy(void)
{
	static const int64_t zero[64];
	struct dp_mech_rule s;
	struct dp_rng *rng;
	struct dp_mech *m;
	struct column c;
	dp_wide y;
	size_t i, n;
	int e, t;

	for (i = 0; i < sizeof every / sizeof every[0]; i++)
		for (n = 0; n < 20; n++) {
			s = task(every[i].what, 0, 6, 1);
			if ((m = make(every[i].name, &s)) == NULL ||
			    dp_rng_open_known(&rng, zero, n) != 0)
				abort();
			e = column_new(&c, m, rng);
			for (t = 0; t < 64 && e == 0; t++)
				e = wide_step(&c, 1, &y);
			check(e == DP_EENTROPY);
			column_free(&c);
			dp_rng_free(rng);
			dp_mech_free(m);
		}
}

static void
refused(void)
{
	const uint64_t two[] = { 3, 5 }, none[] = { 3, 0 };
	struct dp_mech_rule s = windows(0, 1, two, 2);
	struct dp_plan p;
	char why[DP_PLAN_WHY];
	size_t i;

	check(make("windowsum-paper", &s) == NULL);
	s = windows(0, 1, none, 2);
	check(make("allwindow-paper", &s) == NULL);
	s = task(DP_TASK_GRADUAL, 0, 0, 1);
	s.task.lambda = 0;
	check(make("gradual", &s) == NULL);
	for (i = 2; i < sizeof every / sizeof every[0]; i++) {
		s = task(every[i].what, 100, 5, 1);
		s.pan = true;
		check(dp_plan_make(&p, &s, every[i].name, why) == DP_EINVAL);
		check(strstr(why, "pan-private under expiry") != NULL);
		check(dp_plan_make(&p, &s, "auto", why) == DP_EINVAL);
	}
	s = task(DP_TASK_EXPIRE, 0, 5, 1);
	s.rivals = true;
	check(dp_plan_make(&p, &s, "auto", why) == 0 && p.n >= 4);
	check(strcmp(p.mech->ops->name, "expire") == 0);
	check(strcmp(p.eligible[p.chosen].ops->name, "expire") != 0);
	dp_plan_free(&p);
}

/* An inner mechanism that draws before its first step, and knows which columns are its own. */
static int stubs_freed;

static int
stub_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	(void)rng;
	*(int64_t *)col = 7;
	return m->horizon == 13 ? DP_EENTROPY : 0;
}

static int
stub_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	(void)m;
	(void)rng;
	*est = *x + *(int64_t *)col;
	return t == 5 ? DP_EENTROPY : 0;
}

static bool
stub_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)m;
	return *(const int64_t *)col == 7 && t < 5;
}

static void
stub_destroy(struct dp_mech *m)
{
	(void)m;
	stubs_freed++;
}

static void
stub_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)m;
	(void)out;
	dp_law_part(l, &(struct dp_law_part){ .variance = (double)t });
}

static struct dp_mech *
stub(uint64_t T, unsigned outputs, unsigned decimals)
{
	static const struct dp_mech_ops ops = { .name = "stub", .start = stub_start,
	    .step = stub_step, .law.at = stub_law,
	    .valid = stub_valid, .destroy = stub_destroy };
	struct dp_mech *m = dp_mech_alloc(&ops, sizeof(struct dp_mech), T, 16);

	if (m == NULL)
		abort();
	m->outputs = outputs;
	m->estimate.decimals = decimals;
	return m;
}

/* What inner is not for is refused, and inner freed; what it does is its own. */
static void
wrapping(void)
{
	const int64_t x[] = { 1, 2, 3, 4, 5, 6 };
	dp_wide y[6];
	struct dp_error e;
	struct dp_mech *m;
	struct column c;
	size_t done, n;

	stubs_freed = 0;
	check(dp_expire_wrap(&m, stub(0, 2, 0), 3) == DP_EINVAL && stubs_freed == 1);
	check(dp_expire_wrap(&m, stub(0, 1, 2), 3) == DP_EINVAL && stubs_freed == 2);
	check(dp_expire_wrap(&m, stub(0, 1, 0), 0) == DP_EINVAL && stubs_freed == 3);
	check(dp_expire_wrap(&m, stub(0, 1, 0), ((uint64_t)1 << 32) + 1) == DP_EINVAL);
	check(stubs_freed == 4);
	check(dp_expire_wrap(&m, stub(UINT64_MAX, 1, 0), UINT64_MAX) == DP_EINVAL);
	check(stubs_freed == 5);
	/* nothing expires before T */
	check(dp_expire_wrap(&m, stub(9, 1, 0), UINT64_MAX) == 0 && m->horizon == 9);
	dp_mech_free(m);
	check(stubs_freed == 6);
	check(dp_expire_wrap(&m, stub(13, 1, 0), 2) == 0);
	check(column_new(&c, m, NULL) == DP_EENTROPY);
	column_free(&c);
	dp_mech_free(m);
	/* older values exactly, and 7 and this step's from inner; step 5 has no entropy */
	check(dp_expire_wrap(&m, stub(0, 1, 0), 2) == 0);
	check(column_new(&c, m, NULL) == 0);
	check(m->ops->valid(m, c.state, 0) && !m->ops->valid(m, c.state, 5));
	check(m->ops->many.steps(m, c.state, NULL, 1, x, y, 6, &done) == DP_EENTROPY && done == 4);
	check(y[0] == 8 && y[1] == 9 && y[2] == 11 && y[3] == 14);
	column_free(&c);
	check(column_new(&c, m, NULL) == 0);
	for (n = 0; n < 4; n++)
		check(m->ops->step(m, c.state, NULL, n + 1, x + n, y) == 0);
	check(y[0] == 14 && m->ops->step(m, c.state, NULL, 5, x + 4, y) == DP_EENTROPY);
	column_free(&c);
	/* inner has no formula of its error: every step is tried */
	dp_mech_error(m, 600, &e);
	check(e.worst == 600 && fabs(e.max - 600) < 1e-9 && fabs(e.mean - 300.5) < 1e-9);
	dp_mech_free(m);
}

int
main(void)
{
	known_noise();
	no_noise();
	closed_predictions();
	map_tables();
	halves();
	gradual_tables();
	gradual_scales();
	gradual_paths();
	curves();
	gradual_joint();
	columns_move();
	no_entropy();
	refused();
	wrapping();
	return done();
}
