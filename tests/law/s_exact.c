/* SPDX-License-Identifier: ISC */
/*
 * s_exact.c - how often identifiers came, from an exact table: answers against a count by hand, how
 * far one identifier moves them, by trying all pairs of its histories in five steps, and the noise.
 *
 * Law: R = 3000 runs of one answer, fixed seed.  Statistics: (mean - want)/sqrt(v/R) and
 * (variance/v - 1)/sqrt(5/R), 5 being 2 and the excess kurtosis of a Laplace variable; limit 5.5
 * for each: a true law is rejected with probability below 1e-6.
 */
#include "../unit/covers.h"
#include "../unit/sketch.h"
#include "job/internal.h"
#include "sketch/internal.h"

#define T	5
#define STREAMS	243		/* 3^T: done, undone or nothing */
#define TAU	3
#define M	4

static const struct {
	const struct dp_statistic *what;
	uint64_t w[2];		/* comings and goings: done only, undone too (0: no limit) */
	uint64_t worth;
	double unit;		/* with a universe of M */
	uint64_t tau, modulo;
} kinds[] = {
	{ &dp_distinct, { 0, 0 }, 1, 1, 0, 0 },
	{ &dp_density, { 1, 0 }, 1, 250000, 0, 0 },
	{ &dp_cropped, { 1, 0 }, TAU, 1, TAU, 0 },
	{ &dp_mean, { 1, 0 }, TAU, 250000, TAU, 0 },
	{ &dp_incidence, { 2, 0 }, 1, 1, TAU, 0 },
	{ &dp_heavy, { 1, 0 }, TAU - TAU / 2, 1. / (TAU - TAU / 2), TAU, 0 },
	{ &dp_incidence, { 0, 0 }, 1, 1, 1, 2 },
	{ &dp_incidence, { 0, 0 }, 1, 1, 2, 3 },
	{ &dp_incidence, { 0, 0 }, 1, -1, 0, 3 },	/* M less those of another count */
};

/* By hand: what a net count adds, in units of the number. */
static int
adds(unsigned kind, int a)
{
	const struct dp_statistic *what = kinds[kind].what;
	const int size = abs(a), K = (int)kinds[kind].modulo, tau = (int)kinds[kind].tau;

	if (what == &dp_cropped || what == &dp_mean)
		return size < TAU ? size : TAU;
	if (K != 0)		/* 3 K: no count is below -T */
		return tau == 0 ? a % K != 0 : (a + 3 * K) % K == tau;
	if (what == &dp_incidence)
		return a == TAU;
	if (what == &dp_heavy)
		return size <= 1 ? 0 : size >= TAU ? TAU - 1 : size - 1;
	return a != 0;
}

/* The answer where nothing came. */
static double
begin(unsigned kind)
{
	return kinds[kind].unit < 0 ? M : 0;
}

static void
tells(struct column *c, int64_t before, int64_t after)
{
	const int64_t zero = ((int64_t)1 << 30) + 1;
	const uint32_t was = before == 0 ? 0 : (uint32_t)(before + zero);
	const struct dp_id id = { .word = { was, (uint64_t)(after + zero) },
	    .sign = after < before ? -1 : 1 };

	if (abs((int)(after - before)) == 1)
		check(c->m->ops->open.word(c->m, was, id.sign) == id.word[1]);
	if (c->m->ops->open.see(c->m, c->state, c->rng, &id) != 0)
		abort();
}

/* One identifier's net counts; false: something is undone. */
static bool
counts(int stream, int a[T])
{
	bool done = true;
	int t, now = 0;

	for (t = 0; t < T; t++, stream /= 3) {
		now += stream % 3 - 1;
		done &= stream % 3 != 0;
		a[t] = now;
	}
	return done;
}

/* Answers of the mechanism without noise, another identifier coming once at step 2. */
static void
exactly(unsigned kind, bool deletes)
{
	const struct dp_sketch s = { .universe = M, .lines = true, .deletes = deletes,
	    .tau = kinds[kind].tau,
	    .modulo = kinds[kind].modulo };
	struct dp_mech_rule r = sketch_setting(kinds[kind].what, &s, T, 1, 0, 1);
	struct dp_mech *m = make("table", &r);
	struct column c;
	bool good = true;
	int stream, t, a[T];
	double want;

	if (m == NULL) {
		check(kinds[kind].what == &dp_distinct && !deletes);
		return;
	}
	for (stream = 0; stream < STREAMS; stream++) {
		if (!counts(stream, a) && !deletes)
			continue;
		if (column_new(&c, m, NULL) != 0)
			abort();
		for (t = 0; t < T; t++) {
			if (a[t] != (t > 0 ? a[t - 1] : 0))
				tells(&c, t > 0 ? a[t - 1] : 0, a[t]);
			if (t == 1)
				tells(&c, 0, 1);
			c.t++;
			want = (adds(kind, a[t]) +
			    (t >= 1 ? adds(kind, 1) : 0)) * kinds[kind].unit + begin(kind);
			good &= asks(&c) == rint(want) && m->ops->valid(m, c.state, c.t);
		}
		column_free(&c);
	}
	check(good);
	dp_mech_free(m);
}

/* |C d|^2 for columns 1, c_1, c_2, .. moved down, cut after `steps`. */
static double
squared(const double *c, const int *d, int steps)
{
	double sum = 0, x;
	int t, i;

	for (t = 0; t < steps; t++) {
		for (x = 0, i = 0; i <= t; i++)
			x += c[t - i] * d[i];
		sum += x * x;
	}
	return sum;
}

/* All pairs of histories, looked at after every `every`-th step. */
static void
distances(unsigned kind, bool deletes, int every)
{
	/* the square root of a sum; a sum itself; nothing; a decay: all fall */
	static const double C[4][T] = { { 1, .5, .375, .3125, .2734375 }, { 1, 1, 1, 1, 1 }, { 1 },
	    { 1, .9, .5, .05, .01 } };
	const int k = T / every, worth = (int)kinds[kind].worth;
	const uint64_t w = kinds[kind].w[deletes];
	struct dp_counter_reach r[2];
	int x, y, t, j, i, e, last, moves, touched, a[T], b[T], d[T], most[2] = { 0, 0 }, far = 0;
	double norm, longest[4], fading[2] = { 0, 0 };
	bool near = true, comes;

	for (i = 0; i < 2; i++)
		r[i] = dp_counter_items(w == 0 ? (uint64_t)1 << 32 : w, (uint64_t)k, i == 1);
	for (i = 0; i < 4; i++)
		for (longest[i] = 0, t = 0; t < k; t++)
			longest[i] += C[i][t] * C[i][t];
	for (x = 0; x < STREAMS; x++)
		for (y = 0; y <= x; y++) {
			comes = counts(x, a);	/* both are filled in */
			comes &= counts(y, b);
			if (!comes && !deletes)
				continue;
			for (j = moves = touched = last = 0, t = every - 1; t < T; t += every) {
				e = adds(kind, a[t]) - adds(kind, b[t]);
				near &= abs(e) <= worth;
				d[j++] = e - last;
				moves += abs(e - last);
				touched += e != 0;
				last = e;
			}
			far = touched > far ? touched : far;
			for (i = 0; i < 4; i++) {
				norm = squared(C[i], d, j) / longest[i];
				fading[0] = fmax(fading[0], norm);
				if (y == 121)		/* nothing ever */
					fading[1] = fmax(fading[1], norm);
			}
			most[0] = moves > most[0] ? moves : most[0];
			if (y == 121 || x == 121)
				most[1] = moves > most[1] ? moves : most[1];
		}
	for (i = 0; i < 2; i++) {
		check(most[i] <= (int)r[i].moves * worth);
		check(fading[i] <= (double)r[i].fading * worth * worth * (1 + 1e-12));
	}
	check(near && far <= (int)r[0].touched);
	if (kinds[kind].what == &dp_distinct && every == 1)	/* what is claimed is attained */
		check(most[1] == (int)r[1].moves && far == T &&
		    fading[1] >= (double)r[1].fading - 1e-9);
	if (w == 1 && worth == 1 && every == 1)
		check(fading[0] >= 2 - 1e-9 && r[0].fading == 2);
}

static struct dp_privacy asked;

static int
ask(const struct dp_mech_ops **o, struct dp_error *e, const struct dp_mech_rule *rule, uint64_t *id)
{
	(void)o, (void)e, (void)id;
	asked = rule->privacy;
	return DP_EINVAL;
}

/* What the mechanism asks a counter to protect is what distances() has checked. */
static void
budget(unsigned kind, bool deletes, bool presence)
{
	const struct dp_sketch s = { .universe = M, .deletes = deletes, .presence = presence,
	    .tau = kinds[kind].tau,
	    .modulo = kinds[kind].modulo };
	struct dp_mech_rule r = sketch_setting(kinds[kind].what, &s, T, 1, 1, 1);
	const uint64_t w = kinds[kind].w[deletes], worth = kinds[kind].worth;
	const struct dp_counter_reach far = dp_counter_items(w == 0 ? 1 << 20 : w, T, presence);
	const struct dp_mech_ops *o;
	struct dp_mech *m;
	unsigned i;

	r.inner = ask;
	r.report = T;
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (strcmp(o->name, "table") == 0 && o->statistic == kinds[kind].what)
			break;
	asked.l1 = 0;
	if (o == NULL || dp_mech_plan(&m, o, &r) != 0) {
		fail("table");
		return;
	}
	check(asked.l1 == far.moves * worth);
	check(asked.l2fading == (far.fading < far.moves * far.moves ? far.fading * worth * worth :
	    0));
	dp_mech_free(m);
}

/* One answer: DLap(worth/epsilon), times the unit. */
static void
law(unsigned kind, bool universe)
{
	const struct dp_sketch s = { .universe = universe ? M : 0, .deletes = true,
	    .tau = kinds[kind].tau,
	    .modulo = kinds[kind].modulo };
	struct dp_mech_rule r = sketch_setting(kinds[kind].what, &s, 1000, 0, 1, 2);
	struct dp_mech *m = make("table", &r);
	const double b = 2 * (double)kinds[kind].worth, u = fabs(kinds[kind].unit);
	const double v = u * u / (2 * pow(sinh(1 / (2 * b)), 2));
	const int R = 3000;
	struct dp_rng *rng = seeded(kind);
	double x, mean = 0, s2 = 0, want;
	struct column c;
	int i;

	if (m == NULL) {
		check(!universe && (kinds[kind].what == &dp_density ||
		    kinds[kind].what == &dp_mean || kinds[kind].modulo != 0));
		dp_rng_free(rng);
		return;
	}
	check(dp_q_cmp(noise_of(m, 0)->param, dp_q_make(2 * kinds[kind].worth, 1)) == 0);
	check(fabs(dp_mech_unit(m, 0) / u - 1) < 1e-12);
	check(fabs(dp_mech_variance(m, 1000) / v - 1) < 1e-9);
	for (i = 0; i < R; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		tells(&c, 0, TAU);
		tells(&c, 0, TAU);
		c.t = 1000;
		want = 2 * adds(kind, TAU) * kinds[kind].unit + begin(kind);
		x = asks(&c) - want;
		mean += x / R;
		s2 += x * x / R;
		column_free(&c);
	}
	/* rounding to whole answers adds up to 1/12, and moves the mean by none */
	check(fabs(mean) <= 5.5 * sqrt(v / R));
	check(fabs(s2 / v - 1) <= 5.5 * sqrt(5. / R) + 1 / (12 * v));
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* Several answers, with a delta: the Gaussian way costs less, and each is paid for. */
static void
gauss(void)
{
	const struct dp_sketch s = { .deletes = true, .tau = 5 };
	struct dp_mech_rule r = sketch_setting(&dp_cropped, &s, 1000, 5, 1, 1);
	struct dp_mech *pure = make("table", &r), *m;
	const struct dp_noise *z;

	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000000), 1, 1) != 0)
		abort();
	m = make("table", &r);
	check(pure != NULL && m != NULL && (z = noise_of(m, 0))->kind == DP_NOISE_GAUSS);
	/* Gaussian of mu = sqrt(200) 5/sigma: (1, 10^-6) asks for sigma >= 4.22 sqrt(200) 5 */
	if (m != NULL)
		check(dp_mech_variance(m, 5) > 4.2 * 4.2 * 200 * 25 &&
		    dp_mech_variance(m, 5) < 4.3 * 4.3 * 200 * 25);
	if (pure != NULL && m != NULL)
		check(dp_mech_variance(pure, 5) > 5 * dp_mech_variance(m, 5));
	dp_mech_free(pure);
	dp_mech_free(m);
}

/* tau is a share of the lines: it grows from answer to answer. */
static void
share(void)
{
	const struct dp_sketch s = { .lines = true, .share = 3 };
	struct dp_mech_rule r = sketch_setting(&dp_heavy, &s, 12, 3, 0, 1);
	struct dp_mech *m = make("table", &r);
	struct column c;
	int i;

	check(m != NULL);
	if (m == NULL || column_new(&c, m, NULL) != 0)
		return;
	for (i = 1; i <= 12; i++) {	/* one that comes always; one each */
		tells(&c, i - 1, i);
		tells(&c, 0, 1);
		c.t++;
		if (i % 3 == 0)		/* tau = i/3, low = tau/2: who came once is 1, then 0 */
			check(asks(&c) == (i == 3 ? 4 : 1));
	}
	column_free(&c);
	dp_mech_free(m);
	r = sketch_setting(&dp_heavy, &s, 12, 3, 1, 1);
	m = make("table", &r);
	check(m != NULL && dp_mech_variance(m, 12) > 0);
	dp_mech_free(m);
	r.horizon = 0;			/* nobody knows how large tau becomes */
	check(make("table", &r) == NULL);
}

int
main(int argc, char **argv)
{
	const char *name;
	unsigned kind;
	int deletes;

	covers(argc, argv);
	for (kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
		name = kinds[kind].what->name;
		for (deletes = 0; deletes < 2 && !leave_named("neighbour", "table", name);
		    deletes++) {
			exactly(kind, deletes != 0);
			if (kind != 0 || deletes != 0) {
				distances(kind, deletes != 0, 1);
				distances(kind, deletes != 0, 2);
				distances(kind, deletes != 0, T);
				budget(kind, deletes != 0, false);
				budget(kind, deletes != 0, true);
			}
		}
		if (leave_named("law", "table", name))
			continue;
		law(kind, false);
		law(kind, true);
	}
	if (covers_list)
		return 0;
	gauss();
	share();
	return done();
}
