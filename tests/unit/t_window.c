/* SPDX-License-Identifier: ISC */
/*
 * t_window.c - sums over windows: hand oracles, exact answers without noise, the factorisation
 * L R = A with R's columns as the shares assume, laws, predictions, figures of the literature.
 */
#include <time.h>

#include "window.h"

static void
known_noise(void)
{
	const struct dp_mech_rule w1 = task(DP_TASK_WINDOW, 0, 1, 1),
	    w2 = task(DP_TASK_WINDOW, 0, 2, 1), w3 = task(DP_TASK_WINDOW, 0, 3, 1);
	const uint64_t one[] = { 1, 2, 3, 4 };

	ORACLE("windowsum-paper", w1, (1, 0, 1), (10, 20, 30), (11, 20, 31));
	/* W = 2: [1,2] 10, [1] 20, [2] 30; [3,4] 40, .. */
	ORACLE("windowsum-paper", w2, (1, 1, 0, 1, 1), (10, 20, 30, 40, 50, 60, 70, 80),
	    (21, 12, 41, 41, 72));
	/* W = 3: [1,3] 1, [1,2] 2, [1] 3, [2] 4, [3] 5; the next block 6 .. 10 */
	ORACLE("windowsum-paper", w3, (1, 0, 1, 1, 0, 1, 1),
	    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), (4, 3, 3, 8, 8, 8, 13));
	/* leaf first: 1 | 2, [1,2] 3 | 4 | 5, [3,4] 6, [1,4] 7 */
	ORACLE("allwindow-paper", windows(0, 1, one, 4), (1, 1, 0, 1), (1, 2, 3, 4, 5, 6, 7),
	    (2, 2, 2, 2, 3, 5, 5, 5, 4, 7, 9, 9, 6, 7, 10, 10));
}

static const char *const window_name[] = { "windowsum-paper", "allwindow-paper" };
static const uint64_t length[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33, 100 };

static void
no_noise(void)
{
	static const uint64_t several[] = { 5, 64, 1, 100, 100, 17 };
	struct dp_mech_rule s;
	size_t i, j;
	int endless;

	for (endless = 0; endless < 2; endless++) {
		for (i = 0; i < sizeof length / sizeof length[0]; i++)
			for (j = 0; j < 2; j++) {
				s = task(DP_TASK_WINDOW, endless ? 0 : 70, length[i], 0);
				check(exact(window_name[j], &s, endless ? 450 : 70));
				s.task.what = DP_TASK_EXPIRE;
				check(exact(window_name[j], &s, endless ? 450 : 70));
			}
		s = windows(endless ? 0 : 300, 0, several, 6);
		check(exact("allwindow-paper", &s, 300));
	}
	/* values in [-1, 3] need no shift: W = 2, and l1 = 4 */
	s = task(DP_TASK_WINDOW, 0, 2, 1);
	ORACLE("windowsum-paper", s, (3, -1, 0), (0, 0, 0, 0, 0), (3, 2, -1));
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
	dp_wide est[DP_WINDOWS_MAX];
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
 * L from unit noise, R from the header's nodes: L R = A.  Every step's R column, weighted by
 * 1/scale, is at most epsilon = 1, and reaches `spent`.  L's rows give the law.
 */
static void
factorisation(const char *name, const struct dp_mech_rule *s, const struct interval *n,
    size_t draws, double spent)
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
			if (n[k].begin < i && i <= n[k].end &&
			    dp_mech_family(m, n[k].level, &noise, &what))
				cost += 1 / dp_q_double(noise->param);
		most = cost > most ? cost : most;
	}
	check(most <= 1 + 1e-12 && most >= spent - 1e-6);
	for (t = 1; t <= T; t++)
		for (o = 0; o < m->outputs; o++) {
			memset(a, 0, sizeof a);
			for (v = 0, k = 0; k < draws; k++) {
				if (lv[t - 1][o][k] == 0 ||
				    !dp_mech_family(m, n[k].level, &noise, &what))
					continue;
				for (i = n[k].begin + 1; i <= n[k].end && i <= T; i++)
					a[i] += lv[t - 1][o][k];
				v += (double)(lv[t - 1][o][k] * lv[t - 1][o][k]) *
				    dp_noise_variance(noise);
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
	struct dp_mech_rule s;
	uint64_t W[3];
	size_t i, k;

	for (i = 0; i < sizeof length / sizeof length[0]; i++) {
		s = task(DP_TASK_WINDOW, 0, length[i], 1);
		k = block_nodes(n, length[i], STEPS);
		factorisation("windowsum-paper", &s, n, k, 1);
		W[0] = length[i];
		W[1] = 1;
		W[2] = (length[i] + 1) / 2;
		s = windows(0, 1, W, 3);
		k = closed_nodes(n, length[i], STEPS);
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
	struct dp_mech_rule s;
	struct dp_mech *m;
	unsigned i;

	for (; W <= (uint64_t)1 << 20; W *= 2) {	/* T = W: all levels have one */
		s = task(DP_TASK_WINDOW, W, W, 1);
		m = must("allwindow-paper", &s);
		for (sum = 0, i = 0; dp_mech_family(m, i, &noise, &what); i++) {
			n = noise->param.den * (((uint64_t)1 << 32) / noise->param.num);
			if (noise->param.num <= (uint64_t)1 << 32)
				check(((uint64_t)1 << 32) % noise->param.num == 0);
			sum += n;
		}
		check(sum <= (uint64_t)1 << 32 && sum > ((uint64_t)1 << 32) - 64);
		dp_mech_free(m);
	}
}

static void
closed_predictions(void)
{
	static const uint64_t T[] = { 1, 2, 3, 7, 8, 30, 31, 32, 33, 63, 64,
	    100, 200, 201, 511, 1000 };
	static const uint64_t several[] = { 5, 64, 100 }, apart[] = { 1, 17, 300 };
	struct dp_mech_rule s;
	size_t i, j, k;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		for (j = 0; j < sizeof length / sizeof length[0]; j++)
			for (k = 0; k < 2; k++) {
				s = task(DP_TASK_WINDOW, 0, length[j], 1);
				closed_prediction(window_name[k], &s, T[i]);
				if (j % 4 == 0 && T[i] > 1) {
					s.task.what = DP_TASK_EXPIRE;
					s.horizon = T[i];
					closed_prediction(window_name[k], &s, T[i]);
				}
			}
		s = windows(0, 1, several, 3);
		closed_prediction("allwindow-paper", &s, T[i]);
		s = windows(0, 1, apart, 3);
		closed_prediction("normtree", &s, T[i]);
	}
	s = windows(0, 1, apart, 3);
	closed_prediction("normtree", &s, 3000);
}

/* Long windows, longer runs: soon. */
static void
speed(void)
{
	const uint64_t W[] = { 65536, 65535, 40000, 1 };
	struct timespec a, b;
	struct dp_error e;
	struct dp_mech_rule s;
	struct dp_mech *m;
	double ms;
	size_t i;

	for (i = 0; i < 2; i++) {
		s = windows((uint64_t)1 << 30, 1, W, i < 1 ? 1 : 4);
		m = must(window_name[i], &s);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
		dp_mech_error(m, s.horizon, &e);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
		ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
		printf("%s: %.1f ms, %.1f / %.1f\n", window_name[i], ms, sqrt(e.max), sqrt(e.mean));
		check(ms < 500);	/* sanitizers */
		dp_mech_free(m);
	}
}

/*
 * Figures of the literature and this project's tables; eps = 1, continuous noise where room is .01.
 */
static void
tables(void)
{
	static const double paper[] = { 1, 1, 2, 1, 3, 3, 5, 1 };
	const uint64_t four[] = { 4, 3 };
	struct dp_mech_rule s = task(DP_TASK_WINDOW, 0, 4, 1);
	struct dp_mech *p = must("windowsum-paper", &s);
	struct dp_law l;
	uint64_t t;

	for (t = 1; t <= 8; t++)
		check(near(dp_mech_variance(p, t), 17.834255 * paper[t - 1], 1e-7));
	dp_mech_free(p);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 16, 1), 21.2, 15.8, .01);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 256, 1), 52.5, 38.2, .005);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 4096, 1), 91.9, 66.3, .005);
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 65536, 1), 138.1, 99.1, .005);
	/* V(11) times 21 and 11 */
	row("windowsum-paper", task(DP_TASK_WINDOW, 0, 1024, 1), sqrt(21 * 241.833402),
	    sqrt(11 * 241.833402), 1e-3);
	/* the same under expiry, whatever T */
	row("windowsum-paper", task(DP_TASK_EXPIRE, (uint64_t)1 << 26, 256, 1), 52.5, 38.2, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 8, 1), 29.6, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 64, 1), 80, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 1000, 1), 231, 0, .005);
	row("allwindow-paper", task(DP_TASK_WINDOW, 0, 100000, 1), 592, 0, .005);
	/* T = 1024: no share for an unknown end: 80 (1 + 2^-1.5 + .. + 11^-1.5) / zeta */
	row("allwindow-paper", task(DP_TASK_WINDOW, 1024, 64, 1), 80 * 2.022747 / 2.612375, 0,
	    .005);
	s = windows(0, 1, four, 2);	/* V(zeta 3^1.5); V(zeta) + V(zeta 2^1.5) */
	p = must("allwindow-paper", &s);
	check(near(dp_mech_variance(p, 8), 1 / (cosh(1 / (2.612375349 * 5.196152423)) - 1), 1e-7));
	dp_mech_law(p, 1, 4, &l);
	check(near(dp_law_variance(&l), 1 / (cosh(1 / 2.612375349) - 1) +
	    1 / (cosh(1 / (2.612375349 * 2.828427125)) - 1), 1e-7));
	dp_mech_free(p);
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
	return done();
}
