/*
 * t_normtree_bounds.c - half-widths of counts on norm trees of kinds hold at every step, and are no
 * wider than they must be: against the same characteristic functions at all points that there are,
 * where next to nothing is left out (t_normtree_wave.c compares these with convolutions).  No bound
 * is 0 (noise/law_parts.c).
 */
#include "mech.h"
#include "mech/width.h"

#define STEPS	4096
#define POINTS	DP_LAW_POINTS
#define FAR	1e-10		/* gamma, for what is left out */

static const double gammas[] = { .5, .05, .01, 1e-6 };
static struct dp_law law;

/* P(|X| > w) of step t's noise, whole, from all points of a period of 2 POINTS. */
static double
beyond(const double *phi, double w)
{
	double product[POINTS];
	const double step = M_PI / POINTS;
	unsigned i;

	for (i = 0; i < POINTS; i++)
		product[i] = phi[i] / (2 * sin((i + 1) * step / 2)) / (i + 1 == POINTS ? 2 : 1);
	return dp_law_wave_tail(product, POINTS, step, w + .5);
}

static void
wave_of(const struct dp_mech *m, uint64_t t, double *phi)
{
	double step = M_PI / POINTS, off = 0, variance = 0;
	unsigned n = POINTS, i;

	for (i = 0; i < POINTS; i++)
		phi[i] = 1;
	dp_mech_law(m, 0, t, &law);
	check(law.parts == 1 && law.part[0].waves(&law.part[0], FAR,
	    sqrt(law.part[0].variance), &step, &n, phi, &off, &variance) && off < 1e-11);
}

static void
count(uint64_t T, uint64_t num, uint64_t den)
{
	static double phi[STEPS][POINTS];
	struct dp_mech_rule s = setting(T, num, den, 1);
	struct dp_mech *m = make("normtree", &s), *other = make("normtree", &s);
	struct dp_widths *k;
	double w, least, tail, sum, want;
	uint64_t t, narrow;
	unsigned i;

	if (m == NULL || other == NULL)
		abort();
	for (t = 1; t <= T; t++)
		wave_of(other, t, phi[t - 1]);
	for (i = 0; i < sizeof gammas / sizeof gammas[0]; i++) {
		if (dp_widths_create(&k, m, gammas[i]) != 0)
			abort();
		for (sum = want = 0, narrow = 0, t = 1; t <= T; t++) {
			if (dp_widths_at(k, 0, t, &w) != 0)
				abort();
			tail = beyond(phi[t - 1], w);
			narrow += tail > gammas[i] + 1e-11;
			for (least = w; least > 1 && beyond(phi[t - 1], least - 1) <=
			    gammas[i]; least--)
				;
			sum += w;
			want += least;
		}
		check(narrow == 0);
		check(sum <= 1.01 * want + 2);
		if (narrow != 0 || sum > 1.01 * want + 2)
			printf("T %d, E %d/%d, gamma %g: %d too narrow; %g, not %g\n", (int)T,
			    (int)num, (int)den, gammas[i], (int)narrow, sum, want);
		dp_widths_free(k);
	}
	dp_mech_free(m);
	dp_mech_free(other);
}

int
main(void)
{
	uint64_t T;

	for (T = 2; T <= 64; T++)
		PART(count(T, 1, 1));
	for (T = 3; T <= 64; T += 7)
		PART(count(T, 5, 1));
	for (T = 100; T <= 1000; T = T == 100 ? 365 : T == 365 ? 1000 : 1001) {
		PART(count(T, 1, 1));
		PART(count(T, 5, 1));
	}
	PART(count(65, 1, 2));
	PART(count(365, 1, 2));
	PART(count(4096, 5, 1));
	return done();
}
