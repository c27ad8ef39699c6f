/* t_mech.c - hand oracles, exact answers without noise, closed predictions against every step tried. */
#include "mech.h"

#define V(...)	((const int64_t[]){ __VA_ARGS__ })
#define N(...)	(sizeof (int64_t[]){ __VA_ARGS__ } / 8)
#define ORACLE(name, T, x, z, want) \
	check(oracle(name, T, V x, N x, V z, N z, V want))

/* Known noise, consumed in the documented draw order; worked by hand from the papers' figures. */
static void
known_noise(void)
{
	ORACLE("input", 4, (1, 0, 1, 1), (5, -1, 0, 2), (6, 5, 6, 9));
	ORACLE("output", 4, (1, 0, 1, 1), (5, -1, 0, 2), (6, 0, 2, 5));
	/* flipped where the noise is positive: R = 1, 2, 3, 4; (R - .268941 t) / .462117, rounded */
	ORACLE("response", 4, (1, 0, 1, 1), (0, 5, -1, 0), (2, 3, 5, 6));
	/* Dwork, Roth 2014, Figure 12.1: order [0,1],[0],[1],[2,3],[2],[3] */
	ORACLE("tree", 4, (1, 0, 1, 1), (10, 20, 30, 40, 50, 60), (21, 11, 62, 53));
	/* Figure 12.2: the count; [0,1],[0]; [1]; [2,3],[2]; [3] */
	ORACLE("pan", 4, (1, 0, 1, 1), (1, 10, 20, 30, 40, 50, 60), (32, 42, 93, 104));
	/* hybrid: 1, 2, 4 are doublings (noise adds up); 3 = 2+1 and 5, 6, 7 read their tree */
	ORACLE("hybrid", 0, (1, 1, 1, 1, 1, 1, 1), (10, 20, 3, 40, 5, 6, 7),
	    (11, 32, 36, 74, 80, 82, 90));
	/* slots of 2 ones in 4: 0011 0101 0110 1001 1010 1100 (cost 3); count, then levels 3..0 that changed */
	ORACLE("pan-slots", 6, (1, 0, 0, 0), (100, 1, 2, 3, 4, 10, 20, 30, 40, 50, 1000, 2000, 3000, 4000),
	    (111, 162, 202, 10101));
	/* honaker, T = 2: leaf 1, leaf 2 and no root: the sum of two leaves */
	ORACLE("honaker", 2, (1, 1), (10, 20), (11, 32));
	/* T = 4: leaves 6, 0, pair 9: (2*(2+9) + (6+1+0+1))/3 = 10; then leaf 3, then leaf 4 and pair 5 */
	ORACLE("honaker", 4, (1, 1, 1, 1), (6, 0, 9, 3, 0, 4), (7, 10, 14, 16));
	/* kary, T = 3: one level, a plain walk */
	ORACLE("kary", 3, (1, 1, 1), (5, 6, 7), (6, 13, 21));
}

static void
no_noise(void)
{
	static const char *const name[] = { "input", "output", "response", "tree", "honaker", "hybrid",
	    "kary", "bridge", "segmented", "pan", "pan-slots" };
	static const uint64_t T[] = { 1, 2, 3, 4, 5, 7, 8, 100, 257, 1000, 1024 };
	struct dp_setting s;
	struct dp_mech *m;
	struct column c;
	int64_t est, sum;
	uint64_t t;
	bool same;
	size_t i, j;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (j = 0; j < sizeof T / sizeof T[0]; j++) {
			s = setting(T[j], 0, 1, 1);
			if ((m = make(name[i], &s)) == NULL) {
				check(!"eligible");
				continue;
			}
			check(column_new(&c, m, NULL) == 0);
			for (same = true, sum = 0, t = 1; t <= T[j]; t++) {
				sum += (int64_t)(t * t % 3 == 1);
				same &= column_step(&c, (int64_t)(t * t % 3 == 1), &est) == 0 && est == sum;
			}
			if (!same)
				printf("%s, T = %llu\n", name[i], (unsigned long long)T[j]);
			check(same);
			column_free(&c);
			dp_mech_free(m);
		}
}

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

/* ops->error against every step tried, and the same mechanism asked for shorter runs. */
static void
closed_predictions(void)
{
	static const char *const name[] = { "input", "output", "tree", "honaker", "hybrid", "kary",
	    "bridge", "segmented", "pan", "pan-slots" };
	struct dp_error a, b;
	struct dp_setting s;
	struct dp_mech *m;
	uint64_t T;
	size_t i;
	int bad;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (bad = 0, T = 1; T <= 3000; T += 1 + T / 40) {
			s = setting(T, 1, 1, 1);
			if ((m = make(name[i], &s)) == NULL) {
				check(!"eligible");
				continue;
			}
			dp_mech_error_brute(m, T, &b);
			if (m->ops->error == NULL) {
				check(!"closed");
				continue;
			}
			m->ops->error(m, T, &a);
			if (!near(a.max, b.max, 1e-9) || !near(a.mean, b.mean, 1e-9) ||
			    !near(dp_mech_variance(m, a.worst), a.max, 1e-9)) {
				if (bad++ == 0)
					printf("%s, T = %llu: max %.12g, tried %.12g; mean %.12g, tried %.12g\n", name[i],
					    (unsigned long long)T, a.max, b.max, a.mean, b.mean);
			}
			dp_mech_free(m);
			if (T == 2999)
				break;
		}
	check(bad == 0);
}

/* Figures of the literature and of this project's tables; eps = 1. */
static void
tables(void)
{
	static const double V8[] = { 1, 1, 2, 1, 2, 2, 3, 2 };
	struct dp_setting s = setting(8, 1, 1, 1);
	struct dp_mech *m = make("tree", &s);
	struct dp_error e;
	uint64_t t;

	for (t = 1; t <= 8; t++)	/* V(3) = 17.834255 */
		check(near(dp_mech_variance(m, t), 17.834255 * V8[t - 1], 1e-7));
	dp_mech_free(m);
	s.pan = true;
	m = make("pan", &s);		/* (1+3) V(4) = 4 * 31.833853 */
	check(near(dp_mech_variance(m, 5), 4 * 31.833853, 1e-7));
	dp_mech_free(m);
	s = setting(100, 1, 1, 1);
	m = make("response", &s);	/* n / (4 sinh^2(1/2)) */
	check(near(dp_mech_variance(m, 100), 92.0674, 1e-5));
	dp_mech_free(m);
	m = make("output", &s);
	check(near(dp_mech_variance(m, 7), 19999.83, 1e-6));
	dp_mech_free(m);
	s = setting(4096, 1, 1, 1);
	m = make("bridge", &s);		/* 14.27 and 18.23 with continuous noise */
	dp_mech_error(m, 4096, &e);
	check(sqrt(e.mean) < 14.27 && sqrt(e.mean) > 14.1);
	check(sqrt(e.max) < 18.23 && sqrt(e.max) > 18.0);
	dp_mech_free(m);
	m = make("tree", &s);
	dp_mech_error(m, 4096, &e);
	check(near(sqrt(e.max), 58.79, 1e-3) && near(sqrt(e.mean), 41.57, 1e-3));
	dp_mech_free(m);
	check(dp_plan_lower_bound(1024, 1, 0, .05) == 3.5);
	check(dp_plan_lower_bound(1024, 1, 0, 1. / 3) == 2.5);
}

/* A step lies in nodes whose shares sum to at most 1: the whole privacy proof of the bridge. */
static void
shares(void)
{
	static const double weight[] = { 1, 3.3, 2.7, 1e-9, 5 };
	struct dp_q q[5];
	uint64_t sum = 0;
	int i;

	dp_privacy_split(q, weight, 5);
	for (i = 0; i < 5; i++) {
		check(q[i].num > 0);
		sum += q[i].num * (((uint64_t)1 << 24) / q[i].den);
	}
	check(sum <= (uint64_t)1 << 24);
	check(sum > ((uint64_t)1 << 24) - 5);
}

int
main(void)
{
	known_noise();
	no_noise();
	closed_predictions();
	tables();
	shares();
	return done();
}
