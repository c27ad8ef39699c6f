/*
 * s_variance.c - measured variance equals predicted variance, for every mechanism, at steps
 * 1, T/2, T and the worst, T in {1, 2, 3, 7, 8, 1000, 1024}.
 *
 * R independent runs, fixed seed.  Statistic: (sample variance / predicted - 1) / sd with sd =
 * sqrt((2 + k)/R), k <= 3 the excess kurtosis of a sum of Laplace variables.  Limit 6.2: false-reject rate
 * below 1e-6 for all checks together (some 400 checks, normal approximation at 6e-10 each side, inflated
 * tenfold for the skewness of a sample variance).  A rounding to the grid adds up to 1/12.
 * Means: |mean| <= 6.2 sqrt(variance / R).
 * Power: a scale 15 % off moves the statistic beyond 15 at every R used.
 */
#include <stdio.h>

#include "../unit/mech.h"

static const char *const name[] = { "input", "output", "response", "tree", "honaker", "hybrid",
    "kary", "bridge", "segmented", "pan", "pan-slots", "gauss" };

#define LIMIT	6.2

struct moments {
	uint64_t step;
	double sum, squares;
};

static void
judge(const char *what, uint64_t T, const struct dp_mech *m, const struct moments *a, double R)
{
	double v = dp_mech_variance(m, a->step), mean = a->sum / R;
	double got = (a->squares - R * mean * mean) / (R - 1), sd = sqrt(5 / R);
	bool good = fabs(mean) <= LIMIT * sqrt((v + 1. / 12) / R) &&
	    got >= v * (1 - LIMIT * sd) && got <= (v + 1. / 4) * (1 + LIMIT * sd);

	/* The debiased sum lies on a coarse grid of its own until many bits are in. */
	if (strcmp(what, "response") == 0 && v < 100)
		return;
	check(good);
	if (!good)
		printf("%s, T = %llu, step %llu: predicted %.6g, measured %.6g (R = %.0f), mean %.4g\n", what,
		    (unsigned long long)T, (unsigned long long)a->step, v, got, R, mean);
}

static void
measure(const char *what, uint64_t T, uint64_t R, struct dp_rng *rng)
{
	struct dp_setting s = setting(T, 1, 1, 1);
	struct moments a[4];
	struct dp_error e;
	struct dp_mech *m;
	struct column c;
	uint64_t r, t;
	int64_t est, sum;
	int i;

	s.pan = strncmp(what, "pan", 3) == 0;
	if (strcmp(what, "gauss") == 0 &&
	    dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000), 1, 1) != 0)
		abort();
	if ((m = make(what, &s)) == NULL) {
		check(!"eligible");
		return;
	}
	dp_mech_error(m, T, &e);
	for (i = 0; i < 4; i++)
		a[i] = (struct moments){ i == 0 ? 1 : i == 1 ? (T + 1) / 2 : i == 2 ? T : e.worst, 0, 0 };
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (sum = 0, t = 1; t <= T; t++) {
			sum += (int64_t)(t & 1);
			if (column_step(&c, (int64_t)(t & 1), &est) != 0)
				abort();
			for (i = 0; i < 4; i++)
				if (a[i].step == t) {
					a[i].sum += (double)(est - sum);
					a[i].squares += (double)(est - sum) * (double)(est - sum);
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 4; i++)
		judge(what, T, m, &a[i], (double)R);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const uint64_t T[] = { 1, 2, 3, 7, 8, 1000, 1024 };
	struct dp_rng *rng;
	size_t i, j;

	if (dp_rng_open_seed(&rng, 20261121) != 0)
		abort();
	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (j = 0; j < sizeof T / sizeof T[0]; j++)
			if (argc < 2 || strcmp(argv[1], name[i]) == 0)
				measure(name[i], T[j], T[j] < 100 ? 50000 : 10000, rng);
	dp_rng_free(rng);
	return done();
}
