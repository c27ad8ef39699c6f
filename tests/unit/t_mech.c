/* SPDX-License-Identifier: ISC */
/*
 * t_mech.c - hand oracles, exact answers without noise, closed predictions against every step
 * tried.
 */
#include <limits.h>

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
	/* Flipped where noise is positive: R = 1, 2, 3, 4; (R - .268941 t) / .462117, rounded. */
	ORACLE("response", 4, (1, 0, 1, 1), (0, 5, -1, 0), (2, 3, 5, 6));
	/* Dwork, Roth 2014, Figure 12.1: order [0,1],[0],[1],[2,3],[2],[3] */
	ORACLE("tree", 4, (1, 0, 1, 1), (10, 20, 30, 40, 50, 60), (21, 11, 62, 53));
	/* Figure 12.2: the count; [0,1],[0]; [1]; [2,3],[2]; [3] */
	ORACLE("pan", 4, (1, 0, 1, 1), (1, 10, 20, 30, 40, 50, 60), (32, 42, 93, 104));
	/*
	 * Slots of 2 ones in 4: 0011 0101 0110 1001 1010 1100 (cost 3); count, then levels 3..0
	 * that changed.
	 */
	ORACLE("pan-slots", 6, (1, 0, 0, 0),
	    (100, 1, 2, 3, 4, 10, 20, 30, 40, 50, 1000, 2000, 3000, 4000), (111, 162, 202, 10101));
	/* kary, T = 3: one level, a plain walk */
	ORACLE("kary", 3, (1, 1, 1), (5, 6, 7), (6, 13, 21));
}

static void
no_noise(void)
{
	static const char *const name[] = { "input", "output", "response", "tree",
	    "kary", "pan", "pan-slots" };
	static const uint64_t T[] = { 1, 2, 3, 4, 5, 7, 8, 100, 257, 1000, 1024 };
	struct dp_mech_rule s;
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
				fail("not eligible");
				continue;
			}
			check(column_new(&c, m, NULL) == 0);
			for (same = true, sum = 0, t = 1; t <= T[j]; t++) {
				sum += (int64_t)(t * t % 3 == 1);
				same &= column_step(&c, (int64_t)(t * t % 3 == 1), &est) == 0 &&
				    est == sum;
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
	static const char *const name[] = { "input", "output", "tree", "kary", "pan",
	    "pan-slots" };
	struct dp_error a, b;
	struct dp_mech_rule s;
	struct dp_mech *m;
	uint64_t T;
	size_t i;
	int bad;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (bad = 0, T = 1; T <= 3000; T += 1 + T / 40) {
			s = setting(T, 1, 1, 1);
			if ((m = make(name[i], &s)) == NULL) {
				fail("not eligible");
				continue;
			}
			error_brute(m, T, &b);
			if (m->ops->error == NULL) {
				fail("no closed form");
				continue;
			}
			m->ops->error(m, T, &a);
			if (!near(a.max, b.max, 1e-9) || !near(a.mean, b.mean, 1e-9) ||
			    !near(dp_mech_variance(m, a.worst), a.max, 1e-9)) {
				if (bad++ == 0)
					printf("%s, T = %llu: max %.12g, tried %.12g; mean "
					    "%.12g, tried %.12g\n", name[i],
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
	const struct dp_task count = { .what = DP_TASK_COUNT };
	static const double V8[] = { 1, 1, 2, 1, 2, 2, 3, 2 };
	struct dp_mech_rule s = setting(8, 1, 1, 1);
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
	m = make("tree", &s);
	dp_mech_error(m, 4096, &e);
	check(near(sqrt(e.max), 58.79, 1e-3) && near(sqrt(e.mean), 41.57, 1e-3));
	dp_mech_free(m);
	check(dp_task_lower_bound(&count, 1024, 1, 0, .05) == 3.5);
	check(dp_task_lower_bound(&count, 1024, 1, 0, 1. / 3) == 2.5);
}

/* This project's table at T = 2^20, epsilon 1 (continuous noise; discrete is at most 1 % below). */
static void
table_2_20(void)
{
	static const struct {
		const char *name;
		double max, mean;
	} row[] = {
		{ "tree", 126.5, 89.4 }, { "pan", 136.1, 136.1 }, { "kary", 46.9, 33.9 },
		{ "pan-slots", 90.1, 90.1 }, { "input", 1448.2, 1024 },
		{ "output", 1482910, 1482910 }
	};
	struct dp_mech_rule s = setting((uint64_t)1 << 20, 1, 1, 1);
	struct dp_error e;
	struct dp_mech *m;
	size_t i;
	bool good;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		double room = strcmp(row[i].name, "input") == 0 ? .05 : .01;

		if ((m = make(row[i].name, &s)) == NULL) {
			fail("not eligible");
			continue;
		}
		dp_mech_error(m, s.horizon, &e);
		good = near(sqrt(e.max), row[i].max, room) && near(sqrt(e.mean), row[i].mean, room);
		check(good);
		if (!good)
			printf("%s: max %.5g mean %.5g\n", row[i].name, sqrt(e.max), sqrt(e.mean));
		dp_mech_free(m);
	}
}

/*
 * What a pan-private column holds between steps, Figure 12.2 with the noise of known_noise(): the
 * noisy count, and the noise of intervals that contain both this step and the next; nothing else.
 */
static void
pan_memory(void)
{
	static const int64_t x[] = { 1, 0, 1, 1 }, z[] = { 1, 10, 20, 30, 40, 50, 60 };
	static const int64_t count[] = { 2, 2, 3, 4 }, long_eta[] = { 10, 0, 40, 0 };
	struct dp_mech_rule s = setting(4, 1, 1, 1);
	struct dp_rng *rng;
	struct dp_mech *m;
	struct column c;
	int64_t est, w[256];
	dp_wide n;
	size_t i, k, others;
	int t;

	s.pan = true;
	m = make("pan", &s);
	if (dp_rng_open_known(&rng, z, 7) != 0 || column_new(&c, m, rng) != 0)
		abort();
	for (t = 0; t < 4; t++) {
		check(column_step(&c, x[t], &est) == 0);
		memcpy(w, c.state, m->column);
		/* whole: which of its words comes first depends on the machine */
		memcpy(&n, w, sizeof n);
		check(n == count[t]);
		for (others = 0, k = 0, i = sizeof n / sizeof *w; i < m->column / 8; i++) {
			others += w[i] != 0;
			k += w[i] != 0 && w[i] == long_eta[t];
		}
		check(others == (long_eta[t] != 0) && k == others);
	}
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/*
 * Looks at a pan-private count that are told: one stream's event, and the draws that must be others
 * for the same view, all outputs and the memory at every look.  A view is a sum of the draws and
 * the events; what each adds is seen by a run in which all others are 0.
 *
 * Times: 2u before step u + 1, 2u + 1 in the middle of it.  Looks are at at[0] <= at[2] <= .., and
 * told at at[1], at[3], .. between them; an event is after time `event'.
 */
#define LOOKS_AT	5		/* a look, told, a look, told, a look */
#define LOOKS_DRAWS	48		/* no run here has more */
#define LOOKS_VIEW	256

struct looks {
	const struct dp_mech *m;
	unsigned T, n, at[LOOKS_AT], draws, view;
	int by[LOOKS_DRAWS][LOOKS_VIEW];	/* what a draw of 1 adds to the view */
	int want[LOOKS_VIEW];
	bool used[LOOKS_DRAWS];
};

/* The view of a run with these draws, and an event after that time.  Its length. */
static unsigned
view_of(const struct looks *k, const int64_t *z, unsigned event, int *view)
{
	struct dp_rng *rng;
	struct column c;
	int64_t est, w[128];
	dp_wide count;
	unsigned time, i, n = 0, looked = 0;
	size_t j;

	if (dp_rng_open_known(&rng, z, LOOKS_DRAWS) != 0 || column_new(&c, k->m, rng) != 0)
		abort();
	for (time = 0; time <= 2 * k->T; time++) {
		for (i = looked; i < k->n && k->at[i] == time; i = ++looked) {
			if (i % 2 == 1) {
				check(k->m->ops->open.anew(k->m, c.state, rng) == 0);
				continue;
			}
			memcpy(w, c.state, k->m->column);
			memcpy(&count, w, sizeof count);
			view[n++] = (int)count;
			for (j = sizeof count / sizeof *w; j < k->m->column / 8; j++)
				view[n++] = (int)w[j];
		}
		if (time == event)
			k->m->ops->open.add(k->m, c.state, 0, 1);
		if (time % 2 == 1 && column_step(&c, 0, &est) == 0)
			view[n++] = (int)est;
	}
	column_free(&c);
	dp_rng_free(rng);
	return n;
}

/* What each draw adds. */
static void
looks_draws(struct looks *k)
{
	int64_t z[LOOKS_DRAWS] = { 0 };
	int none[LOOKS_VIEW];
	unsigned i, j;

	k->view = view_of(k, z, UINT_MAX, none);
	for (i = 0; i < k->draws; i++) {
		z[i] = 1;
		view_of(k, z, UINT_MAX, k->by[i]);
		z[i] = 0;
		for (j = 0; j < k->view; j++)
			k->by[i][j] -= none[j];
	}
}

/* True: so many draws, each moved by 1, add what is wanted. */
static bool
explained(struct looks *k, unsigned most)
{
	unsigned first, i, j;
	bool found = false;
	int sign;

	for (first = 0; first < k->view && k->want[first] == 0; first++)
		;
	if (first == k->view)
		return true;
	for (i = 0; i < k->draws && most > 0 && !found; i++) {
		if (k->used[i] || k->by[i][first] == 0)
			continue;
		sign = (k->by[i][first] > 0) == (k->want[first] > 0) ? 1 : -1;
		k->used[i] = true;
		for (j = 0; j < k->view; j++)
			k->want[j] -= sign * k->by[i][j];
		found = explained(k, most - 1);
		for (j = 0; j < k->view; j++)
			k->want[j] += sign * k->by[i][j];
		k->used[i] = false;
	}
	return found;
}

/* The most draws that any event needs, LOOKS_DRAWS: more than `most'. */
static unsigned
looks_need(struct looks *k, unsigned most)
{
	const int64_t z[LOOKS_DRAWS] = { 0 };
	int none[LOOKS_VIEW], one[LOOKS_VIEW];
	unsigned event, j, need, worst = 0;

	looks_draws(k);
	view_of(k, z, UINT_MAX, none);
	for (event = 0; event < 2 * k->T; event++) {
		view_of(k, z, event, one);
		for (j = 0; j < k->view; j++)
			k->want[j] = none[j] - one[j];
		for (need = 0; need <= most && !explained(k, need); need++)
			;
		worst = need > most ? LOOKS_DRAWS : need > worst ? need : worst;
	}
	return worst;
}

/* The most of all times of looks; and the noise of what is printed after all of them. */
static unsigned
looks_worst(struct looks *k, unsigned most)
{
	unsigned worst = 0, need, i, squares = 0;

	memset(k->at, 0, sizeof k->at);
	for (;;) {
		if ((need = looks_need(k, most)) > worst)
			worst = need;
		for (i = k->n; i-- > 0 && k->at[i] == 2 * k->T; )
			;
		if (i == UINT_MAX)
			break;
		for (k->at[i]++; ++i < k->n; )
			k->at[i] = k->at[i - 1];
	}
	/* all before the first step: the last estimate is what comes last but the last look */
	memset(k->at, 0, sizeof k->at);
	looks_draws(k);
	for (i = 0; i < k->draws; i++)
		squares += (unsigned)(k->by[i][k->view - 1] * k->by[i][k->view - 1]);
	check(near(dp_mech_variance(k->m, k->T), squares * dp_noise_variance(k->m->drawn.noise),
	    1e-12));
	return worst;
}

static void
looks_that_are_told(void)
{
	static const struct {
		const char *name;
		unsigned T, looks, draws;
		bool attained;		/* as many draws are needed as are paid for */
	} cases[] = {
		{ "pan", 1, 1, 6, false }, { "pan", 2, 2, 10, false }, { "pan", 4, 2, 13, true },
		{ "pan", 8, 1, 20, true }, { "pan-slots", 2, 1, 12, false },
		{ "pan-slots", 3, 2, 20, true },
		{ "pan-slots", 10, 1, 48, true }
	};
	static struct looks k;
	struct dp_mech_rule s;
	struct dp_mech *m;
	unsigned paid, need;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		s = setting(cases[i].T, 1, 1, 1);
		s.pan = true;
		s.task.looks = cases[i].looks;
		if ((m = make(cases[i].name, &s)) == NULL)
			abort();
		k = (struct looks){ .m = m, .T = cases[i].T, .n = 2 * cases[i].looks + 1,
		    .draws = cases[i].draws };
		paid = (unsigned)dp_q_double(m->drawn.noise->param);
		need = looks_worst(&k, paid);
		if (need > paid || (cases[i].attained && need < paid))
			printf("%s, T = %u, %u looks: %u draws for %u\n", cases[i].name,
			    cases[i].T, cases[i].looks, need, paid);
		check(need <= paid && (!cases[i].attained || need == paid));
		dp_mech_free(m);
	}
}

/* No more looks than were paid for: a told one is the last. */
static void
looks_end(void)
{
	struct dp_mech_rule s = setting(8, 1, 1, 1);
	struct dp_rng *rng;
	struct dp_mech *m;
	struct column c;

	s.pan = true;
	s.task.looks = 2;
	m = make("pan", &s);
	if (dp_rng_open_seed(&rng, 5) != 0 || column_new(&c, m, rng) != 0)
		abort();
	check(m->ops->open.anew(m, c.state, rng) == 0 && m->ops->valid(m, c.state, 0));
	check(m->ops->open.anew(m, c.state, rng) == 0 && m->ops->valid(m, c.state, 0));
	check(m->ops->open.anew(m, c.state, rng) == DP_EHALT);
	column_free(&c);
	dp_mech_free(m);
	s.task.looks = 0;
	m = make("pan", &s);
	check(m->ops->valid(m, c.state = calloc(1, m->column), 0));
	check(m->ops->open.anew(m, c.state, rng) == DP_EHALT);
	column_free(&c);
	dp_mech_free(m);
	s.task.looks = 1;
	s.pan = false;
	check(make("tree", &s) == NULL && make("normtree", &s) == NULL);
	dp_rng_free(rng);
}

/* Saved and loaded between any two steps, a column goes on as if nothing had happened. */
static void
columns_move(void)
{
	static const char *const name[] = { "input", "output", "response", "tree",
	    "kary", "pan", "pan-slots" };
	struct dp_mech_rule s = setting(300, 1, 1, 1);
	struct dp_mech *m, *other;
	struct twins w;
	int64_t y, z;
	bool same;
	size_t i;
	uint64_t t;

	for (i = 0; i < sizeof name / sizeof name[0]; i++) {
		if ((m = make(name[i], &s)) == NULL || (other = make(name[i], &s)) == NULL)
			abort();
		twins_new(&w, m);
		for (same = true, t = 0; t < 300; t++) {
			same &= column_step(&w.c, (int64_t)(t % 2), &y) == 0;
			if (t % 7 == 3) {
				column_move(&w.d, w.d.m == m ? other : m);
				same &= w.d.m->ops->valid == NULL ||
				    w.d.m->ops->valid(w.d.m, w.d.state, t);
			}
			same &= column_step(&w.d, (int64_t)(t % 2), &z) == 0 && y == z;
		}
		if (!same)
			printf("%s\n", name[i]);
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
	static const char *const name[] = { "input", "output", "response", "tree",
	    "kary", "pan", "pan-slots" };
	static const int64_t z[64];
	struct dp_mech_rule s = setting(64, 1, 1, 1);
	struct dp_rng *rng;
	struct dp_mech *m;
	struct column c;
	int64_t y;
	size_t i, n;
	int e, t;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		for (n = 0; n < 20; n++) {
			if ((m = make(name[i], &s)) == NULL || dp_rng_open_known(&rng, z, n) != 0)
				abort();
			e = column_new(&c, m, rng);
			for (t = 0; t < 64 && e == 0; t++)
				e = column_step(&c, 1, &y);
			check(e == DP_EENTROPY);
			column_free(&c);
			dp_rng_free(rng);
			dp_mech_free(m);
		}
}

/* A step lies in nodes whose shares sum to at most 1: as proofs of trees ask. */
static void
shares(void)
{
	static const double weight[][5] = { { 1, 3.3, 2.7, 1e-9, 5 }, { 1e-9, 1e-9, 1e-9, 1e-9, 1 },
	    { 1, 1e-9, 1e-9, 1e-9, 1e-9 }, { 1, 1, 1, 1, 1 }, { 7, 1e-9, 3, 1e-9, 1. / 3 } };
	struct dp_q q[5];
	uint64_t sum;
	size_t k;
	int i;

	for (k = 0; k < sizeof weight / sizeof weight[0]; k++) {
		dp_privacy_split(q, weight[k], 5);
		for (sum = 0, i = 0; i < 5; i++) {
			check(q[i].num > 0);
			sum += q[i].num * (((uint64_t)1 << 24) / q[i].den);
		}
		check(sum == (uint64_t)1 << 24);
	}
}

int
main(void)
{
	known_noise();
	no_noise();
	closed_predictions();
	tables();
	table_2_20();
	pan_memory();
	looks_that_are_told();
	looks_end();
	columns_move();
	no_entropy();
	shares();
	return done();
}
