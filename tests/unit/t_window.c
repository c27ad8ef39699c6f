/*
 * t_window.c - windows and expiry: hand oracles, exact answers without noise, the factorisation L R = A with R's
 * columns as the shares assume, laws, predictions, figures of the literature, the loss under gradual expiry.
 */
#include <time.h>

#include "gradual.h"
#include "mech.h"

#define V(...)	((const int64_t[]){ __VA_ARGS__ })
#define N(...)	(sizeof (int64_t[]){ __VA_ARGS__ } / 8)
#define ORACLE(name, s, x, z, want) \
	check(known(name, s, V x, N x, V z, N z, V want))

/* The mechanism, or the end. */
static struct dp_mech *
must(const char *name, const struct dp_setting *s)
{
	struct dp_mech *m = make(name, s);

	if (m == NULL) {
		printf("%s: ", name);
		check(!"eligible");
		exit(done());
	}
	return m;
}

/* W = 0: none */
static struct dp_setting
task(enum dp_what what, uint64_t T, uint64_t W, uint64_t num)
{
	struct dp_setting s = setting(T, num, 1, 1);

	s.task.what = what;
	s.task.windows = W != 0;
	s.task.w[0] = W;
	s.task.lambda = 1;
	s.task.map = DP_TASK_EXP;
	s.task.alpha = .5;
	s.task.decimals = what == DP_TASK_MAP ? 2 : 0;
	return s;
}

static struct dp_setting
windows(uint64_t T, uint64_t num, const uint64_t *w, unsigned n)
{
	struct dp_setting s = task(DP_TASK_WINDOW, T, 1, num);

	s.task.windows = n;
	memcpy(s.task.w, w, n * sizeof *w);
	return s;
}

/* All outputs of a step. */
static int
wide_step(struct column *c, int64_t x, dp_wide *est)
{
	return c->m->ops->step(c->m, c->state, c->rng, ++c->t, x, est);
}

/* As oracle(), for any setting; `want` lists the outputs of step 1, of step 2, .. */
static bool
known(const char *name, struct dp_setting s, const int64_t *x, size_t n, const int64_t *z, size_t nz,
    const int64_t *want)
{
	dp_wide est[DP_WINDOWS_MOST];
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	bool good;
	size_t i;
	unsigned k;

	if ((m = make(name, &s)) == NULL || dp_rng_open_known(&rng, z, nz) != 0)
		return false;
	good = column_new(&c, m, rng) == 0;
	for (i = 0; i < n && good; i++) {
		good = wide_step(&c, x[i], est) == 0;
		for (k = 0; k < m->outputs && good; k++, want++)
			if (est[k] != *want) {
				printf("%s: step %zu, output %u: %lld, not %lld\n", name, i + 1, k, (long long)est[k],
				    (long long)*want);
				good = false;
			}
	}
	good = good && rng->left == 0;
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	return good;
}

static void
known_noise(void)
{
	const struct dp_setting w1 = task(DP_TASK_WINDOW, 0, 1, 1), w2 = task(DP_TASK_WINDOW, 0, 2, 1),
	    w3 = task(DP_TASK_WINDOW, 0, 3, 1), e2 = task(DP_TASK_EXPIRE, 0, 2, 1),
	    map = task(DP_TASK_MAP, 0, 2, 1), gradual = task(DP_TASK_GRADUAL, 0, 0, 1);
	const uint64_t one[] = { 1, 2, 3, 4 };
	const int64_t unit = (int64_t)1 << 20;

	ORACLE("windowsum", w1, (1, 0, 1), (10, 20, 30), (11, 20, 31));
	/* W = 2: [1,2] 10, [1] 20, [2] 30; [3,4] 40, .. */
	ORACLE("windowsum-paper", w2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80), (21, 12, 41, 41, 72));
	ORACLE("windowsum", w2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80), (21, 12, 81, 41, 142));
	/* W = 3: [1,3] 1, [1,2] 2, [1] 3, [2] 4, [3] 5; the next block 6 .. 10 */
	ORACLE("windowsum-paper", w3, (1, 0, 1, 1, 0, 1, 1), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
	    (4, 3, 3, 8, 8, 8, 13));
	/* step 5 only: [3] 5+1 and [4,5] 7+1; step 4 and 7 have three nodes either way */
	ORACLE("windowsum", w3, (1, 0, 1, 1, 0, 1, 1), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
	    (4, 3, 3, 8, 14, 8, 13));
	/* leaf first: 1 | 2, [1,2] 3 | 4 | 5, [3,4] 6, [1,4] 7 */
	ORACLE("allwindow", windows(0, 1, one, 4), (1, 1, 0, 1), (1, 2, 3, 4, 5, 6, 7),
	    (2, 2, 2, 2, 3, 5, 5, 5, 4, 7, 9, 9, 6, 7, 10, 10));
	ORACLE("allwindow-paper", windows(0, 1, one, 4), (1, 1, 0, 1), (1, 2, 3, 4, 5, 6, 7),
	    (2, 2, 2, 2, 3, 5, 5, 5, 4, 7, 9, 9, 6, 7, 10, 10));
	/* expired: 0, 0, 1, 2, 2 */
	ORACLE("windowsum-paper", e2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80), (21, 12, 42, 43, 74));
	ORACLE("windowsum", e2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80), (21, 12, 82, 43, 144));
	/* g = .5^d, in hundredths; noise 1, 2, 3 in units of 2^-20 */
	ORACLE("map", map, (1, 0, 1), (unit, 2 * unit, 3 * unit), (200, 250, 425));
	ORACLE("map-paper", map, (1, 0, 1), (unit, 2 * unit, 3 * unit), (200, 250, 425));
	/* halves of a hundredth away from zero: -1 +- 1/200 */
	ORACLE("map", map, (0, 0), (-unit - unit / 200 - 1, -unit - unit / 200 + 1), (-101, -100));
	/* [1,2) 1; [2,4) 2, [2] 3; [3] 4; [4,8) 5, [4,6) 6, [4] 7 */
	ORACLE("gradual", gradual, (1, 1, 0, 1), (1, 2, 3, 4, 5, 6, 7), (2, 7, 8, 21));
}

static double
weight(const struct dp_task *k, uint64_t d)
{
	return k->what == DP_TASK_WINDOW ? d < k->w[0] : k->what == DP_TASK_MAP ? dp_task_weight(k, d) : 1;
}

/* Every step's estimates against sums formed anew, values of either sign. */
static bool
exact(const char *name, const struct dp_setting *s, uint64_t T)
{
	struct dp_mech *m = must(name, s);
	dp_wide est[DP_WINDOWS_MOST];
	struct dp_task k = s->task;
	struct column c;
	bool good = column_new(&c, m, NULL) == 0;
	double sum, unit = pow(10, k.decimals);
	int64_t x[1200];
	uint64_t t, d;
	unsigned i;

	for (t = 1; t <= T && good; t++) {
		x[t] = (int64_t)(t * t * 7 % 23) - 9;
		good = wide_step(&c, x[t], est) == 0;
		for (i = 0; i < m->outputs; i++) {
			k.w[0] = s->task.w[i];
			for (sum = 0, d = 0; d < t; d++)
				sum += weight(&k, d) * (double)x[t - d];
			good &= k.what == DP_TASK_MAP ? fabs((double)est[i] - sum * unit) < .5 + 1e-3 :
			    est[i] == (dp_wide)sum;
		}
	}
	if (!good)
		printf("%s, W = %llu, T = %llu: step %llu is wrong\n", name, (unsigned long long)s->task.w[0],
		    (unsigned long long)s->horizon, (unsigned long long)t - 1);
	column_free(&c);
	dp_mech_free(m);
	return good;
}

static const char *const window_name[] = { "windowsum", "windowsum-paper", "allwindow", "allwindow-paper" };
static const uint64_t length[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33, 100 };

static void
no_noise(void)
{
	static const double power[] = { 2, 1 };
	static const uint64_t several[] = { 5, 64, 1, 100, 100, 17 };
	static double g[40];
	struct dp_setting s;
	size_t i, j;
	int endless;

	for (endless = 0; endless < 2; endless++) {
		for (i = 0; i < sizeof length / sizeof length[0]; i++)
			for (j = 0; j < 4; j++) {
				s = task(DP_TASK_WINDOW, endless ? 0 : 70, length[i], 0);
				check(exact(window_name[j], &s, endless ? 450 : 70));
				s.task.what = DP_TASK_EXPIRE;
				check(exact(window_name[j], &s, endless ? 450 : 70));
			}
		for (j = 2; j < 4; j++) {
			s = windows(endless ? 0 : 300, 0, several, 6);
			check(exact(window_name[j], &s, 300));
		}
		s = task(DP_TASK_GRADUAL, endless ? 0 : 300, 0, 0);
		check(exact("gradual", &s, 300));
		s = task(DP_TASK_MAP, endless ? 0 : 300, 9, 0);
		s.task.decimals = 3;
		check(exact("map", &s, 300));
		s.task.alpha = .99;
		check(exact("map-paper", &s, 300));
		s.task.map = DP_TASK_POLY;
		for (i = 0; i < 2; i++) {
			s.task.power = power[i];
			check(exact("map", &s, 300));
		}
		for (i = 0; i < 40; i++)
			g[i] = 1 - (double)i / 64;
		s.task.map = DP_TASK_TABLE;
		s.task.g = g;
		s.task.ng = 40;
		check(exact("map", &s, 300));
	}
	/* values in [-1, 3] need no shift: W = 2, and l1 = 4 */
	s = task(DP_TASK_WINDOW, 0, 2, 1);
	ORACLE("windowsum", s, (3, -1, 0), (0, 0, 0, 0, 0), (3, 2, -1));
}

/* A node as the header defines it: steps (begin, end], the family of its noise. */
struct interval {
	uint64_t begin, end;
	unsigned level;
};

/* windowsum's nodes in draw order, up to step T. */
static size_t
block_nodes(struct interval *n, uint64_t W, uint64_t T)
{
	uint64_t t, p, size;
	size_t k = 0;

	for (t = 0; t < T; t++) {
		p = t % W;
		if (p == 0)
			n[k++] = (struct interval){ t, t + W, 0 };
		for (size = 1024; size > 0; size /= 2)
			if (size < W && p % size == 0 && p + size <= W)
				n[k++] = (struct interval){ t, t + size, 0 };
	}
	return k;
}

/* allwindow's, no longer than the widest window. */
static size_t
closed_nodes(struct interval *n, uint64_t widest, uint64_t T)
{
	uint64_t t;
	unsigned l;
	size_t k = 0;

	for (t = 1; t <= T; t++)
		for (l = 0; (uint64_t)1 << l <= widest && t % ((uint64_t)1 << l) == 0; l++)
			n[k++] = (struct interval){ t - ((uint64_t)1 << l), t, l };
	return k;
}

#define STEPS	130
#define NODES	300

/* lv[t][out][k]: what draw k adds to output `out` of step t, when x = 0. */
static int64_t lv[STEPS][3][NODES];

static bool
unit_vectors(const struct dp_mech *m, uint64_t T, size_t draws)
{
	int64_t z[NODES];
	dp_wide est[DP_WINDOWS_MOST];
	struct dp_rng *rng;
	struct column c;
	bool good = true;
	uint64_t t;
	unsigned i;
	size_t k;

	for (k = 0; k < draws; k++) {
		memset(z, 0, sizeof z);
		z[k] = 1;
		if (dp_rng_open_known(&rng, z, draws) != 0 || column_new(&c, m, rng) != 0)
			abort();
		for (t = 0; t < T; t++) {
			good &= wide_step(&c, 0, est) == 0;
			for (i = 0; i < m->outputs; i++)
				lv[t][i][k] = (int64_t)est[i];
		}
		good &= rng->left == 0;
		column_free(&c);
		dp_rng_free(rng);
	}
	return good;
}

/*
 * L from unit noise, R from the header's nodes: L R = A.  Every step's R column, weighted by 1/scale, is
 * at most epsilon = 1, and reaches `spent`.  L's rows give the law.
 */
static void
factorisation(const char *name, const struct dp_setting *s, const struct interval *n, size_t draws, double spent)
{
	const struct dp_noise *noise;
	struct dp_mech *m = must(name, s);
	const char *what;
	struct dp_law l;
	double cost, most = 0, v;
	uint64_t t, i, T = STEPS;
	unsigned o;
	int64_t a[STEPS + 1];
	size_t k;
	bool good;

	good = unit_vectors(m, T, draws);
	check(good);
	for (i = 1; i <= T; i++) {
		for (cost = 0, k = 0; k < draws; k++)
			if (n[k].begin < i && i <= n[k].end && m->ops->family(m, n[k].level, &noise, &what))
				cost += 1 / dp_q_double(noise->param);
		most = cost > most ? cost : most;
	}
	check(most <= 1 + 1e-12 && most >= spent - 1e-6);
	for (t = 1; t <= T; t++)
		for (o = 0; o < m->outputs; o++) {
			memset(a, 0, sizeof a);
			for (v = 0, k = 0; k < draws; k++) {
				if (lv[t - 1][o][k] == 0 || !m->ops->family(m, n[k].level, &noise, &what))
					continue;
				for (i = n[k].begin + 1; i <= n[k].end && i <= T; i++)
					a[i] += lv[t - 1][o][k];
				v += (double)(lv[t - 1][o][k] * lv[t - 1][o][k]) * dp_noise_variance(noise);
			}
			for (i = 1; i <= T; i++)
				good &= a[i] == (i <= t && t - i < s->task.w[o]);
			dp_mech_law(m, o, t, &l);
			good &= fabs(v - dp_law_variance(&l)) <= 1e-9 * v;
		}
	if (!good)
		printf("%s, W = %llu\n", name, (unsigned long long)s->task.w[0]);
	check(good);
	dp_mech_free(m);
}

static void
factorisations(void)
{
	struct interval n[NODES];
	struct dp_setting s;
	uint64_t W[3];
	size_t i, k;

	for (i = 0; i < sizeof length / sizeof length[0]; i++) {
		s = task(DP_TASK_WINDOW, 0, length[i], 1);
		k = block_nodes(n, length[i], STEPS);
		factorisation("windowsum", &s, n, k, 1);
		factorisation("windowsum-paper", &s, n, k, 1);
		W[0] = length[i];
		W[1] = 1;
		W[2] = (length[i] + 1) / 2;
		s = windows(0, 1, W, 3);
		k = closed_nodes(n, length[i], STEPS);
		factorisation("allwindow", &s, n, k, 1);
		factorisation("allwindow-paper", &s, n, k, 1 / 2.6123753);
	}
}

/* Shares of allwindow in integers: multiples of 2^-32 that sum to at most 1. */
static void
shares(void)
{
	const struct dp_noise *noise;
	const char *what;
	uint64_t W = 1, sum, n;
	struct dp_setting s;
	struct dp_mech *m;
	unsigned i;

	for (; W <= (uint64_t)1 << 20; W *= 2) {
		s = task(DP_TASK_WINDOW, 0, W, 1);
		m = must("allwindow", &s);
		for (sum = 0, i = 0; m->ops->family(m, i, &noise, &what); i++) {
			n = noise->param.den * (((uint64_t)1 << 32) / noise->param.num);
			if (noise->param.num <= (uint64_t)1 << 32)
				check(((uint64_t)1 << 32) % noise->param.num == 0);
			sum += n;
		}
		check(sum <= (uint64_t)1 << 32 && sum > ((uint64_t)1 << 32) - 64);
		dp_mech_free(m);
	}
}

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

static void
closed_prediction(const char *name, const struct dp_setting *s, uint64_t T)
{
	struct dp_mech *m = must(name, s);
	struct dp_error a, b;
	struct dp_law l;
	double at_worst = 0;
	unsigned o;
	bool good;

	dp_mech_error_brute(m, T, &b);
	m->ops->error(m, T, &a);
	for (o = 0; o < m->outputs; o++) {
		dp_mech_law(m, o, a.worst, &l);
		at_worst = fmax(at_worst, dp_law_variance(&l));
	}
	good = near(a.max, b.max, 1e-9) && near(a.mean, b.mean, 1e-9) && near(at_worst, a.max, 1e-9) && a.worst <= T;
	if (!good)
		printf("%s, T = %llu: max %.12g, tried %.12g; mean %.12g, tried %.12g\n", name,
		    (unsigned long long)T, a.max, b.max, a.mean, b.mean);
	check(good);
	dp_mech_free(m);
}

static void
closed_predictions(void)
{
	static const uint64_t T[] = { 1, 2, 3, 7, 8, 30, 31, 32, 33, 63, 64, 100, 200, 201, 511, 1000 };
	static const uint64_t several[] = { 5, 64, 100 };
	struct dp_setting s;
	size_t i, j, k;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		for (j = 0; j < sizeof length / sizeof length[0]; j++)
			for (k = 0; k < 4; k++) {
				s = task(DP_TASK_WINDOW, 0, length[j], 1);
				closed_prediction(window_name[k], &s, T[i]);
				if (j % 4 == 0 && T[i] > 1) {
					s.task.what = DP_TASK_EXPIRE;
					s.horizon = T[i];
					closed_prediction(window_name[k], &s, T[i]);
				}
			}
		s = windows(0, 1, several, 3);
		closed_prediction("allwindow", &s, T[i]);
		s = task(DP_TASK_GRADUAL, T[i] % 2 ? T[i] : 0, 0, 1);
		s.task.lambda = .5;
		closed_prediction("gradual", &s, T[i]);
		s = task(DP_TASK_MAP, 0, 7, 1);
		closed_prediction("map", &s, T[i]);
	}
}

/* Long windows, longer runs: soon. */
static void
speed(void)
{
	static const char *const name[] = { "windowsum", "windowsum-paper", "allwindow", "allwindow-paper" };
	const uint64_t W[] = { 65536, 65535, 40000, 1 };
	struct timespec a, b;
	struct dp_error e;
	struct dp_setting s;
	struct dp_mech *m;
	double ms;
	size_t i;

	for (i = 0; i < 4; i++) {
		s = windows((uint64_t)1 << 30, 1, W, i < 2 ? 1 : 4);
		m = must(name[i], &s);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
		dp_mech_error(m, s.horizon, &e);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
		ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
		printf("%s: %.1f ms, %.1f / %.1f\n", name[i], ms, sqrt(e.max), sqrt(e.mean));
		check(e.exact && ms < 500);	/* sanitizers */
		dp_mech_free(m);
	}
}

static void
row(const char *name, struct dp_setting s, double max, double mean, double room)
{
	struct dp_error e;
	struct dp_mech *m = must(name, &s);
	bool good;

	m->ops->error(m, s.horizon != 0 ? s.horizon : (uint64_t)1 << 26, &e);
	good = near(sqrt(e.max), max, room) && (mean == 0 || near(sqrt(e.mean), mean, room));
	if (!good)
		printf("%s, W = %llu: %.5g / %.5g\n", name, (unsigned long long)s.task.w[0], sqrt(e.max), sqrt(e.mean));
	check(good);
	dp_mech_free(m);
}

/* Figures of the literature and this project's tables; eps = 1, continuous noise where room is .01. */
static void
tables(void)
{
	static const double paper[] = { 1, 1, 2, 1, 3, 3, 5, 1 }, best[] = { 1, 1, 2, 1, 3, 2, 3, 1 };
	const uint64_t four[] = { 4, 3 };
	struct dp_setting s = task(DP_TASK_WINDOW, 0, 4, 1);
	struct dp_mech *p = must("windowsum-paper", &s), *b = must("windowsum", &s);
	struct dp_law l;
	uint64_t t;

	for (t = 1; t <= 8; t++) {
		check(near(dp_mech_variance(p, t), 17.834255 * paper[t - 1], 1e-7));
		check(near(dp_mech_variance(b, t), 17.834255 * best[t - 1], 1e-7));
	}
	dp_mech_free(p);
	dp_mech_free(b);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 16, 1), 21.2, 15.8, .01);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 256, 1), 52.5, 38.2, .005);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 4096, 1), 91.9, 66.3, .005);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 65536, 1), 138.1, 99.1, .005);
	/* V(11) times 21 and 11, or 11 and 9.32 */
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 1024, 1), sqrt(21 * 241.833402), sqrt(11 * 241.833402), 1e-3);
	row("windowsum", task(DP_TASK_WINDOW, 0, 1024, 1), sqrt(11 * 241.833402), sqrt(9.32 * 241.833402), 1e-3);
	/* the same under expiry, whatever T */
	row("windowsum-paper", task(DP_TASK_EXPIRE, (uint64_t)1 << 26, 256, 1), 52.5, 38.2, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 8, 1), 29.6, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 64, 1), 80, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 1000, 1), 231, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 100000, 1), 592, 0, .005);
	/* no share for what lies beyond the window: 80 (1 + 2^-1.5 + .. + 7^-1.5) / zeta */
	row("allwindow", task(DP_TASK_WINDOW, 0, 64, 1), 80 * 1.882563 / 2.612375, 0, .005);
	s = windows(0, 1, four, 2);	/* V(zeta 3^1.5); V(zeta) + V(zeta 2^1.5) */
	p = must("allwindow-paper", &s);
	check(near(dp_mech_variance(p, 8), 1 / (cosh(1 / (2.612375349 * 5.196152423)) - 1), 1e-7));
	dp_mech_law(p, 1, 4, &l);
	check(near(dp_law_variance(&l), 1 / (cosh(1 / 2.612375349) - 1) +
	    1 / (cosh(1 / (2.612375349 * 2.828427125)) - 1), 1e-7));
	dp_mech_free(p);
}

static void
map_tables(void)
{
	struct dp_setting s = task(DP_TASK_MAP, 0, 2, 1);
	struct dp_mech *m;

	row("map", s, sqrt(4.5), sqrt(4.5), 1e-5);	/* scale 1.5; 2 */
	row("map-paper", s, sqrt(8), sqrt(8), 1e-5);
	s.task.w[0] = 8;
	s.task.alpha = .9;
	row("map", s, sqrt(2) * 5.695328, 0, 1e-5);
	row("map-paper", s, sqrt(2) * 8, 0, 1e-5);
	s.task.map = DP_TASK_POLY;
	s.task.power = 1;
	row("map", s, sqrt(2) * 2.717857, 0, 1e-5);
	s.horizon = 3;			/* an event is in no more than 3 outputs */
	row("map", s, sqrt(2) * (1 + 1. / 2 + 1. / 3), 0, 1e-5);
	s.horizon = 0;
	s.task.power = .5;		/* 2^42 values */
	check(make("map", &s) == NULL);
	s.task.map = DP_TASK_EXP;
	s.task.w[0] = (uint64_t)1 << 16;
	s.task.alpha = .9999;
	s.privacy.epsilon = dp_q_make(1, 1000);	/* about 10^7 2^s: s = 16 */
	m = must("map", &s);
	check(near(sqrt(dp_mech_variance(m, 1)), sqrt(2) * 1e7, .01));
	dp_mech_free(m);
	s.privacy.epsilon = dp_q_make(1, 1000000);	/* 10^10 2^s: not even s = 8 */
	check(make("map", &s) == NULL);
}

static void
gradual_tables(void)
{
	static const double loss05[] = { 1, 1.71, 2.28, 2.78, 3.23, 3.64, 4.02, 4.37, 4.70, 5.02 },
	    loss15[] = { 1, 2, 3.4, 5.1, 7.2, 9.4, 11.8, 14.5, 17.3, 20.3 };
	static const unsigned at[] = { 8, 12, 16, 20, 30 };
	static const double rmse1[] = { 4.24, 5.10, 5.83, 6.48, 7.87 }, rmse05[] = { 9.5, 13.5, 17.5, 21.5, 31.5 };
	struct dp_setting s = task(DP_TASK_GRADUAL, 0, 0, 1);
	struct dp_mech *m;
	unsigned i;

	m = must("gradual", &s);
	for (i = 0; i < 5; i++)	/* V(1) = 1.841 < 2 */
		check(near(sqrt(dp_mech_variance(m, (uint64_t)1 << at[i]) * 2 / 1.841347), rmse1[i], .002));
	for (i = 0; i < 60; i++) {
		check(near(dp_gradual_loss(m, ((uint64_t)1 << i) - 1), 1 + i, 1e-9));
		if (i > 0)
			check(near(dp_gradual_loss(m, ((uint64_t)1 << i) - 2), i, 1e-9));
	}
	check(isfinite(dp_gradual_loss(m, UINT64_MAX)));
	dp_mech_free(m);
	s.task.lambda = .5;
	m = must("gradual", &s);
	for (i = 0; i < 5; i++)
		check(near(sqrt(dp_mech_variance(m, (uint64_t)1 << at[i])), rmse05[i], .01));
	for (i = 0; i < 10; i++)
		check(fabs(dp_gradual_loss(m, ((uint64_t)1 << i) - 1) - loss05[i]) < .006);
	dp_mech_free(m);
	s.task.lambda = 1.5;
	m = must("gradual", &s);
	for (i = 0; i < 10; i++)
		check(fabs(dp_gradual_loss(m, ((uint64_t)1 << i) - 1) - loss15[i]) < .06);
	dp_mech_free(m);
	s = task(DP_TASK_GRADUAL, 0, 0, 0);
	m = must("gradual", &s);
	check(isinf(dp_gradual_loss(m, 0)));
	dp_mech_free(m);
}

/* Scale of level l's noise, as used. */
static double
scale(const struct dp_mech *m, unsigned l)
{
	const struct dp_noise *z;
	const char *what;

	return m->ops->family(m, l, &z, &what) ? dp_q_double(z->param) : INFINITY;
}

#define AGE	700
#define START	700

/*
 * The loss of x_i at every age below AGE: shortest paths from i over the intervals {a, a + 2^l}, 2^l | a, a >= 2^l,
 * in both directions, to anything beyond i + d.  Bellman-Ford to the end: no ideas in it.
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
	/* a path that ends beyond i + d: the first crossing of it counts, and that edge begins at most at i + d */
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
	struct dp_setting s;
	struct dp_mech *m;
	double worst[AGE], got, over;
	uint64_t i, d;
	size_t k;

	for (k = 0; k < sizeof lambda / sizeof lambda[0]; k++) {
		s = task(DP_TASK_GRADUAL, 0, 0, 1);
		/* a budget whose scales do not fit in 63 bits, too */
		if (k % 2 == 1)
			s.privacy.epsilon = dp_q_make(123456789, 1000000007);
		s.task.lambda = lambda[k];
		m = must("gradual", &s);
		memset(worst, 0, sizeof worst);
		for (i = 1; i <= START; i += i < 80 ? 1 : 1 + i % 16)
			path_losses(m, i, worst);
		for (over = 0, d = 0; d < 600; d++) {
			got = dp_gradual_loss(m, d);
			check(got >= worst[d] * (1 - 1e-9));
			over = fmax(over, got / worst[d]);
			if (lambda[k] <= 1 || (d & (d + 1)) == 0)
				check(got <= worst[d] * (k % 2 == 1 ? 1 + 2e-3 : 1 + 1e-9));
			if (d > 0)
				check(got >= dp_gradual_loss(m, d - 1));
		}
		printf("gradual %g: reported at most %.3f times the exact loss\n", lambda[k], over);
		dp_mech_free(m);
	}
}

static double
dlap(double b, int k)
{
	return tanh(.5 / b) * exp(-abs(k) / b);
}

/*
 * T = 3, the joint law itself: y1 = [1,2), y2 = [2] + [2,4), y3 = [3] + [2,4).  The largest likelihood ratio of x_i
 * against x_i + 1 after all three outputs nears the reported loss of age 3 - i for i = 1, and exceeds it for no i.
 */
static void
gradual_joint(void)
{
	static const double lambda[] = { .5, 1, 1.5 };
	struct dp_setting s = task(DP_TASK_GRADUAL, 3, 0, 1);
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
					p[y][z] += dlap(b1, w) * dlap(b0, y - 50 - w) * dlap(b0, z - 50 - w);
		for (i = 1; i <= 3; i++) {
			for (most = 0, y = 1; y < 101; y++)
				for (z = 1; z < 101; z++) {
					r = log(p[y - (i <= 2)][z - 1] / p[y][z]);
					most = fmax(most, fabs(r) + (i == 1 ? 1 / b0 : 0));
				}
			check(most <= dp_gradual_loss(m, (uint64_t)(3 - i)) + 1e-9);
			if (i == 1)	/* 1 -> 2 -> 4 */
				check(most >= 1 / b0 + fmin(1 / b1, 2 / b0) - 1e-3);
		}
		check(near(dp_gradual_loss(m, 1), 1 / b0 + fmin(1 / b0, 1 / b1), 1e-9));
		dp_mech_free(m);
	}
	free(p);
}

static const struct {
	const char *name;
	enum dp_what what;
} every[] = {
	{ "windowsum", DP_TASK_WINDOW }, { "windowsum-paper", DP_TASK_WINDOW }, { "allwindow", DP_TASK_WINDOW },
	{ "allwindow-paper", DP_TASK_WINDOW }, { "windowsum", DP_TASK_EXPIRE }, { "allwindow", DP_TASK_EXPIRE },
	{ "gradual", DP_TASK_GRADUAL }, { "map", DP_TASK_MAP }, { "map-paper", DP_TASK_MAP }
};

/* Saved and loaded between any two steps, a column goes on as if nothing had happened; batches are steps. */
static void
columns_move(void)
{
	struct dp_mech *m, *other;
	struct dp_setting s;
	struct column c, d;
	struct dp_rng *a, *b;
	dp_wide y[97], z[97];
	void *moved;
	size_t i, j, n, good;
	uint64_t t;
	bool same;

	for (i = 0; i < sizeof every / sizeof every[0]; i++) {
		s = task(every[i].what, 0, 13, 1);
		if ((m = make(every[i].name, &s)) == NULL || (other = make(every[i].name, &s)) == NULL ||
		    dp_rng_open_seed(&a, 7) != 0 || dp_rng_open_seed(&b, 7) != 0)
			abort();
		check(m->column % 16 == 0);
		check((column_new(&c, m, a) | column_new(&d, m, b)) == 0);
		for (same = true, t = 0; t < 2000; t += n) {
			n = t % 97 + 1;
			for (j = 0; j < n; j++)
				y[j] = z[j] = (dp_wide)((t + j) % 5) - 1;
			for (j = 0; j < n; j++)
				same &= wide_step(&c, (int64_t)y[j], &y[j]) == 0;
			moved = aligned_alloc(64, (m->column + 63) & ~(size_t)63);
			memcpy(moved, d.state, m->column);
			free(d.state);
			d.state = moved;
			d.m = d.m == m ? other : m;
			same &= d.m->ops->valid == NULL || d.m->ops->valid(d.m, d.state, t);
			same &= dp_mech_steps(d.m, d.state, b, t + 1, z, n, &good) == 0 && good == n &&
			    memcmp(y, z, n * sizeof *y) == 0;
		}
		if (!same)
			printf("%s\n", every[i].name);
		check(same);
		column_free(&c);
		column_free(&d);
		dp_rng_free(a);
		dp_rng_free(b);
		dp_mech_free(m);
		dp_mech_free(other);
	}
}

/* Entropy fails at the n-th draw: an error, and no estimate. */
static void
no_entropy(void)
{
	static const int64_t zero[64];
	struct dp_setting s;
	struct dp_rng *rng;
	struct dp_mech *m;
	struct column c;
	dp_wide y;
	size_t i, n;
	int e, t;

	for (i = 0; i < sizeof every / sizeof every[0]; i++)
		for (n = 0; n < 20; n++) {
			s = task(every[i].what, 0, 6, 1);
			if ((m = make(every[i].name, &s)) == NULL || dp_rng_open_known(&rng, zero, n) != 0)
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
	struct dp_setting s = windows(0, 1, two, 2);
	struct dp_plan p;
	char why[160];
	size_t i;

	check(make("windowsum", &s) == NULL && make("windowsum-paper", &s) == NULL);
	s = windows(0, 1, none, 2);
	check(make("allwindow", &s) == NULL);
	s = task(DP_TASK_GRADUAL, 0, 0, 1);
	s.task.lambda = 0;
	check(make("gradual", &s) == NULL);
	for (i = 4; i < sizeof every / sizeof every[0]; i++) {
		s = task(every[i].what, 100, 5, 1);
		s.pan = true;
		check(dp_plan_make(&p, &s, every[i].name, why) == DP_EINVAL);
		check(strstr(why, "pan-private under expiry") != NULL);
		check(dp_plan_make(&p, &s, "auto", why) == DP_EINVAL);
	}
	s = task(DP_TASK_EXPIRE, 0, 5, 1);
	check(dp_plan_make(&p, &s, "auto", why) == 0 && p.n >= 4);
	check(strcmp(p.mech->ops->name, "expire") == 0);
	check(strcmp(p.eligible[p.chosen].ops->name, "expire") != 0);
	dp_plan_free(&p);
}

int
main(void)
{
	known_noise();
	no_noise();
	factorisations();
	shares();
	closed_predictions();
	speed();
	tables();
	map_tables();
	gradual_tables();
	gradual_paths();
	gradual_joint();
	columns_move();
	no_entropy();
	refused();
	return done();
}
