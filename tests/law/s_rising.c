/* SPDX-License-Identifier: ISC */
/*
 * s_rising.c - dptransform's rising: by hand with known noise; the claimed epsilon against every
 * pair of neighbours and every view of four steps, exactly; what is drawn against that law; and the
 * loss of long runs against what is promised.
 *
 * Neighbours: answers 0, 1, 2 or none, at most r = 1 apart, one-sided or not; views are, at each
 * step, nothing new, one of three released answers, or the end; the plan's thresholds are made
 * 1, so that much can happen in few steps.  No view may have e^epsilon times the other's chance;
 * the largest ratio must pass two thirds of epsilon (it takes many steps to reach it all).
 *
 * Drawn: R = 20000 runs of one stream; (frequency - P) / sqrt(P (1-P) / R) of each view with R P
 * >= 50, limit 5.8: false-reject rate below 1e-6 for all, fewer than 100.
 *
 * Loss: 200 runs of 10000 answers that rise to 1000, evenly, at once, or in steps that wait until
 * what is printed is nearly as far off as allowed; beta = .05.  The loss passes the bound, or the
 * run ends, in at most 31 runs of each (1e-6), and of the last kind .7 of the bound in more.  Where
 * they rise to 3000 instead the run ends, with what was printed within what --explain says.
 */
#include "../unit/covers.h"
#include "../unit/stats.h"
#include "../unit/transform.h"
#include "stat/transform.h"

#define STEPS	4
#define ANSWERS	4		/* 3: none */
#define STREAMS	256
#define SEEN	5		/* 0: nothing new; 1 .. 3: released 0 .. 2; 4: the end */
#define VIEWS	625
#define REACH	40
#define LIMIT	5.8

static struct lazy *
lazy_of(struct dp_mech *m)
{
	return (void *)m;
}

static int64_t
answer_of(int i)
{
	return i == 3 ? DP_TRANSFORM_NONE : i;
}

static void
by_hand(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "rising", .T = 2000, .r = 1,
	    .changes = 5, .eps = 1, .rising = 500, .one_way = true });
	const struct lazy *k = lazy_of(m);
	const int64_t A = k->least, H = k->stop, centre = k->centre;
	struct dp_rng *rng;
	struct column c;
	int64_t rho = 5;
	uint64_t i;

	check(k->fires >= 2 && A > 20 && centre > 0 && H > A);
	if (dp_rng_open_known(&rng, &rho, 1) != 0 || column_new(&c, m, rng) != 0)
		abort();
	/* one short of A + 5; just there; from y = 10 - 3 */
	check(transform_step(m, c.state, rng, 1, 9, (int64_t[]){ A + 4 - 9, 50 }, 2) == centre);
	check(transform_step(m, c.state, rng, 2, 10, (int64_t[]){ A + 5 - 10, -3 }, 2) ==
	    7 + centre);
	check(transform_step(m, c.state, rng, 3, 11, (int64_t[]){ A + 4 - 4, 50 }, 2) ==
	    7 + centre);
	/* no answer asks nothing of the data: its question is 0 */
	check(transform_step(m, c.state, rng, 4, DP_TRANSFORM_NONE, (int64_t[]){ A + 4, 50 }, 2) ==
	    7 + centre);
	for (i = 1; i < k->fires; i++)
		check(transform_step(m, c.state, rng, 4 + i, 20,
		    (int64_t[]){ 100000, 0 }, 2) == 20 + centre);
	/* then the other threshold, and the end */
	check(transform_step(m, c.state, rng, 100, 20, (int64_t[]){ H + 4, 9 }, 2) == 20 + centre);
	check(transform_step(m, c.state, rng, 101, 20, (int64_t[]){ H + 5, 9 }, 2) == ENDED);
	check(m->ops->valid(m, c.state, 101));
	check(transform_step(m, c.state, rng, 102, 0, NULL, 0) == ENDED);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	/* held: nothing is asked after the last; the range's low end is where it begins */
	m = transform_make((struct wish){ .name = "rising", .T = 2000, .r = 1, .changes = 5,
	    .eps = 1, .rising = 500, .lo = 100, .hi = 600, .hold = true });
	k = lazy_of(m);
	rho = 0;
	if (dp_rng_open_known(&rng, &rho, 1) != 0 || column_new(&c, m, rng) != 0)
		abort();
	check(transform_step(m, c.state, rng, 1, 50, (int64_t[]){ k->least - 1, 0 }, 2) ==
	    100 + k->centre);
	for (i = 0; i < k->fires + 5; i++)
		check(transform_step(m, c.state, rng, 2 + i, 120 + (int64_t)i,
		    (int64_t[]){ 1000000, 1 }, 2) ==
		    121 + (int64_t)(i < k->fires ? i : k->fires - 1) + k->centre);
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	/* no promise, no horizon: none */
	check(transform_make((struct wish){ .name = "rising", .T = 99, .r = 1, .changes = 5,
	    .eps = 1 }) == NULL);
	check(transform_make((struct wish){ .name = "rising", .r = 1, .changes = 5, .eps = 1,
	    .rising = 9 }) == NULL);
}

/* P(z >= v) */
static double
upper(const struct dp_noise *z, int64_t v)
{
	const double q = exp(-1 / dp_q_double(z->param));

	return v > 0 ? pow(q, (double)v) / (1 + q) : 1 - pow(q, 1 - (double)v) / (1 + q);
}

/* Chances of every view of these answers. */
static void
law(const struct lazy *k, const int64_t *a, double *p)
{
	double at, fire, up[64], given;
	int64_t rho, held, x, v;
	int seen, rest, t, what;
	uint64_t fired;

	memset(p, 0, VIEWS * sizeof *p);
	for (rho = -REACH; rho <= REACH; rho++) {
		for (v = -20; v < 44; v++)
			up[v + 20] = upper(&k->noise[1], 1 + rho - v);
		given = pmf(&k->noise[0], rho);
		for (seen = 0; seen < VIEWS; seen++) {
			at = given;
			held = 0;
			fired = 0;
			for (t = 0, rest = seen; t < STEPS && at > 0; t++, rest /= SEEN) {
				what = rest % SEEN;
				if (fired > k->fires) {
					at *= what == SEEN - 1;
					continue;
				}
				x = a[t] == DP_TRANSFORM_NONE ? held : a[t];
				fire = up[x - held + 20];
				if (what == 0)
					at *= 1 - fire;
				else if ((what == SEEN - 1) != (fired == k->fires))
					at = 0;
				else if (fired++ == k->fires)
					at *= fire;
				else {
					v = what - 1;
					at *= fire * pmf(&k->noise[2], v - x);
					held = v;
				}
			}
			p[seen] += at;
		}
	}
}

static void
stream(int code, int *i, int64_t *a)
{
	int t;

	for (t = 0; t < STEPS; t++, code /= ANSWERS)
		a[t] = answer_of(i[t] = code % ANSWERS);
}

/* They are neighbours. */
static bool
near(const int *a, const int *b, bool one_way)
{
	int t, up = 0, down = 0;

	for (t = 0; t < STEPS; t++) {
		if ((a[t] == 3) != (b[t] == 3) || abs(a[t] - b[t]) > 1)
			return false;
		up |= a[t] < b[t];
		down |= a[t] > b[t];
	}
	return !one_way || !up || !down;
}

static void
drawn(const struct lazy *k, const int64_t *a, const double *p)
{
	const double R = 20000;
	static int count[VIEWS];
	int seen, what, t, e, r, tests = 0, place;
	struct dp_rng *rng;
	struct column c;
	int64_t was, now;
	dp_wide est;
	double z;

	memset(count, 0, sizeof count);
	if (dp_rng_open_seed(&rng, 3) != 0)
		abort();
	for (r = 0; r < R; r++) {
		if (column_new(&c, &k->m, rng) != 0)
			abort();
		was = 0;
		for (seen = 0, place = 1, t = 0; t < STEPS; t++, place *= SEEN) {
			e = k->m.ops->step(&k->m, c.state, rng, (uint64_t)t + 1, &a[t], &est);
			now = e == 0 ? (int64_t)est - k->centre : was;
			/* released as it was: not told apart */
			what = e != 0 ? SEEN - 1 : now == was ? 0 : now < 0 || now > 2 ? -1 :
			    (int)now + 1;
			if (seen >= 0)
				seen = what < 0 ? -1 : seen + what * place;
			was = now;
		}
		if (seen >= 0)
			count[seen]++;
		column_free(&c);
	}
	for (seen = 0; seen < VIEWS; seen++) {
		if (R * p[seen] < 50)
			continue;
		z = (count[seen] - R * p[seen]) / sqrt(R * p[seen] * (1 - p[seen]));
		if (fabs(z) > LIMIT)
			printf("rising: view %d %g, not %g\n", seen, count[seen] / R, p[seen]);
		check(fabs(z) <= LIMIT);
		tests++;
	}
	check(tests >= 8 && tests < 100);
	dp_rng_free(rng);
}

static void
neighbours(bool one_way)
{
	static double p[STREAMS][VIEWS], q[VIEWS];
	static int i[STREAMS][STEPS];
	const unsigned epsilon = 4;
	struct dp_mech *m = transform_make((struct wish){ .name = "rising", .T = STEPS, .r = 1,
	    .changes = 1, .eps = epsilon, .rising = 3, .one_way = one_way });
	struct lazy *k = lazy_of(m);
	int64_t a[STEPS];
	double worst = 0;
	int s, n, v, was;

	k->least = k->stop = 1;
	for (s = 0; s < STREAMS; s++) {
		stream(s, i[s], a);
		law(k, a, p[s]);
	}
	for (s = 0; s < STREAMS; s++)
		for (n = 0; n < STREAMS; n++)
			for (v = 0; near(i[s], i[n], one_way) && v < VIEWS; v++)
				if (p[s][v] > 1e-11)
					worst = fmax(worst, log(p[s][v] / p[n][v]));
	printf("rising, %s, %d releases: loss %.4f of %u\n", one_way ? "one-sided" : "two-sided",
	    (int)k->fires, worst, epsilon);
	check(worst <= epsilon * (1 + 1e-9));
	check(worst >= epsilon * 2 / 3.);
	/* 0, 2, none, 1: what is released as it was before counts as nothing new */
	s = 0 + ANSWERS * (2 + ANSWERS * (3 + ANSWERS * 1));
	memset(q, 0, sizeof q);
	for (v = 0; v < VIEWS; v++) {
		int digit[STEPS], t, d, rest = v;

		for (t = 0; t < STEPS; t++, rest /= SEEN)
			digit[t] = rest % SEEN;

		for (was = 1, t = 0; t < STEPS; t++) {
			d = digit[t];
			if (d == was && d < SEEN - 1)
				digit[t] = 0;
			if (d != 0)
				was = d;
		}
		for (rest = 0, t = STEPS; t-- > 0; )
			rest = rest * SEEN + digit[t];
		q[rest] += p[s][v];
	}
	stream(s, i[s], a);
	drawn(k, a, q);
	dp_mech_free(m);
}

#define LONG	10000
#define HIGH	1000

static void
losses(void)
{
	static const char *const what[] = { "evenly", "at once", "waiting" };
	struct dp_mech *m = transform_make((struct wish){ .name = "rising", .T = LONG, .r = 1,
	    .changes = 5, .eps = 3, .rising = HIGH, .one_way = true });
	int kind, r, beyond, near_it, n = 200;
	double bound, most, off;
	struct dp_rng *rng;
	struct dp_error e;
	struct column c;
	int64_t a, shown;
	dp_wide est;
	uint64_t t;

	dp_mech_error(m, LONG, &e);
	bound = e.max;
	check(bound <= 133);	/* dptransform(1): 307 by --changes=5 */
	if (dp_rng_open_seed(&rng, 8) != 0)
		abort();
	for (kind = 0; kind < 3; kind++) {
		for (beyond = near_it = r = 0; r < n; r++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			shown = lazy_of(m)->centre;
			most = 0;
			for (a = 0, t = 1; t <= LONG; t++) {
				a = kind == 0 ? (int64_t)(t * HIGH / LONG) : kind == 1 ?
				    t < 99 ? 0 : HIGH : t % 50 == 0 && a < HIGH &&
				    (double)a - (double)shown < bound * .9 ? a + 8 : a;
				a = a < HIGH ? a : HIGH;
				if (m->ops->step(m, c.state, rng, t, &a, &est) != 0) {
					most = INFINITY;
					break;
				}
				shown = (int64_t)est;
				off = fabs((double)a - (double)shown);
				most = fmax(most, off);
			}
			beyond += most > bound;
			near_it += most > .7 * bound;
			column_free(&c);
		}
		printf("rising, %s: beyond %g in %d of %d, beyond .7 of it in %d\n", what[kind],
		    bound, beyond, n, near_it);
		check(beyond <= 31);
		check(kind < 2 || near_it > 31);
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

static void
passed(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "rising", .T = LONG, .r = 1,
	    .changes = 5, .eps = 3, .rising = HIGH, .one_way = true });
	int r, beyond = 0, n = 200;
	double most, said = 0, sure = 0;
	struct dp_rng *rng;
	struct column c;
	char text[480];
	dp_wide est;
	int64_t a;
	uint64_t t;

	check(m->ops->say.note(m, 0, 1, text, sizeof text) &&
	    sscanf(strstr(text, "more than "), "more than %lf", &said) == 1 &&
	    sscanf(strstr(text, "probability "), "probability %lf", &sure) == 1);
	if (dp_rng_open_seed(&rng, 9) != 0)
		abort();
	for (r = 0; r < n; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (most = 0, t = 1; t <= LONG; t++) {
			a = (int64_t)(t * 3 * HIGH / LONG);
			if (m->ops->step(m, c.state, rng, t, &a, &est) != 0)
				break;
			most = fmax(most, (double)a - (double)est);
		}
		beyond += t > LONG || most > said;
		column_free(&c);
	}
	printf("rising, beyond the ceiling: %g said, passed in %d of %d\n", said, beyond, n);
	check(sure == .95 && beyond <= 31 && said < 300);
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	covers(argc, argv);
	if (!leave_named("neighbour", "rising", "transform")) {
		by_hand();
		neighbours(true);
		neighbours(false);
	}
	if (!leave_named("loss", "rising", "transform")) {
		losses();
		passed();
	}
	return done();
}
