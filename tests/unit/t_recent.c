/* SPDX-License-Identifier: ISC */
/*
 * t_recent.c - distinct identifiers of the last W steps: exact answers, and how far neighbours are
 * apart, by trying all streams of six lines and two identifiers, and of four steps of two events.
 */
#include "sketch.h"
#include "sketch/internal.h"

#define T	6
#define STREAMS	729		/* 3^T: nothing, or one of two identifiers */

static const int power[] = { 1, 3, 9, 27, 81, 243 };

static int
at(int stream, int t)
{
	return stream / power[t] % 3;
}

/* How many of the two were seen at steps t - W + 1 .. t, counted from 0. */
static int
recent(int stream, int t, int W)
{
	bool seen[3] = { false, false, false };
	int s;

	for (s = t - W + 1 < 0 ? 0 : t - W + 1; s <= t; s++)
		seen[at(stream, s)] = true;
	return seen[1] + seen[2];
}

/* Sums of |n - n'| and of its changes, at every `every`-th step. */
static void
apart(int a, int b, int W, int every, int *moves, int *touched)
{
	int t, e, last = 0;

	*moves = *touched = 0;
	for (t = every - 1; t < T; t += every) {
		e = recent(a, t, W) - recent(b, t, W);
		*touched += abs(e);
		*moves += abs(e - last);
		last = e;
	}
}

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/* Over all streams and all others of one line, which was an event or is one in its place. */
static void
distances(int W, int every)
{
	const int k = T / every, held = (W + every - 1) / every;
	int one[2] = { 0, 0 }, other[2] = { 0, 0 }, a, t, x, b, moves, touched;

	for (a = 0; a < STREAMS; a++)
		for (t = 0; t < T; t++)
			for (x = 0; x < 3; x++) {
				b = a + (x - at(a, t)) * power[t];
				apart(a, b, W, every, &moves, &touched);
				other[0] = larger(other[0], moves);
				other[1] = larger(other[1], touched);
				if (x != 0 && at(a, t) != 0)
					continue;
				one[0] = larger(one[0], moves);
				one[1] = larger(one[1], touched);
			}
	check(one[0] <= (k == 1 ? 1 : 2) && one[1] <= (held < k ? held : k));
	check(other[0] <= (k == 1 ? 1 : W == 1 ? 2 : 4) && other[1] <= (held < k ? held : k));
	/* none of the constants is too large where there is room for the worst case */
	if (every == 1) {
		check(one[0] == 2 && one[1] == W);
		check(other[1] == W && (W > 4 || other[0] == (W == 1 ? 2 : 4)));
	}
}

/* One identifier: seen at the steps of `bits`, is it in the window of step t? */
static int
there(int bits, int t, int W)
{
	return (bits & ((1 << (t + 1)) - 1)) >> (t - W + 1 > 0 ? t - W + 1 : 0) != 0;
}

/* The number of times it comes and goes is attained, for all horizons up to 10. */
static void
comings(int W)
{
	int steps, bits, t, n, most, was;

	for (steps = 1; steps <= 10; steps++) {
		for (most = 0, bits = 0; bits < 1 << steps; bits++) {
			for (n = was = t = 0; t < steps; was = there(bits, t, W), t++)
				n += there(bits, t, W) != was;
			most = larger(most, n);
		}
		check(dp_counter_changes((uint64_t)W, (uint64_t)steps) == (uint64_t)most);
	}
}

/*
 * All that one identifier does, against all else that it may do, or nothing (presence): at every
 * `every`-th of eight steps, |d|_1, the answers that differ, and |C d|^2 for columns that fall.
 */
static void
wholly(int W, int every)
{
	enum { N = 8 };
	static const double C[2][N] = { { 1, .5, .375, .3125, .2734375, .246, .2256, .2095 },
	    { 1, 1, 1, 1, 1, 1, 1, 1 } };
	const int k = N / every;
	struct dp_counter_reach r[2];
	int a, b, t, j, i, c, e, last, moves, touched, d[N];
	double sum, x, size;
	bool good = true;

	for (i = 0; i < 2; i++)
		r[i] = dp_counter_items(dp_counter_changes((uint64_t)W, N), (uint64_t)k, i == 1);
	for (a = 0; a < 1 << N; a++)
		for (b = 0; b <= a; b++) {
			for (j = moves = touched = last = 0, t = every - 1; t < N; t += every) {
				e = there(a, t, W) - there(b, t, W);
				d[j++] = e - last;
				moves += abs(e - last);
				touched += e != 0;
				last = e;
			}
			i = b == 0;
			good &= (uint64_t)moves <= r[i].moves && (uint64_t)touched <= r[i].touched;
			for (c = 0; c < 2; c++) {
				for (sum = size = 0, t = 0; t < k; t++) {
					for (x = 0, e = 0; e <= t; e++)
						x += C[c][t - e] * d[e];
					sum += x * x;
					size += C[c][t] * C[c][t];
				}
				good &= sum <= (double)r[i].fading * size * (1 + 1e-12);
			}
		}
	check(good);
}

/* All streams through the mechanism, which is told when an identifier was seen last. */
static void
exactly(int W)
{
	const struct dp_sketch s = { .lines = true, .window = (uint64_t)W };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, T, 1, 0, 1);
	struct dp_mech *m = make("window", &r);
	uint64_t last[3];
	struct column c;
	int stream, t, x;
	bool good = true;

	if (m == NULL) {
		fail("window without noise");
		return;
	}
	for (stream = 0; stream < STREAMS; stream++) {
		if (column_new(&c, m, NULL) != 0)
			abort();
		memset(last, 0, sizeof last);
		for (t = 0; t < T; t++) {
			if ((x = at(stream, t)) != 0)
				sees(&c, last[x], 1);
			last[x] = (uint64_t)t + 1;
			c.t++;
			good &= m->ops->step(m, c.state, NULL, c.t, NULL, NULL) == 0;
			good &= m->ops->valid(m, c.state, c.t);
			good &= asks(&c) == recent(stream, t, W);
		}
		column_free(&c);
	}
	check(good);
	dp_mech_free(m);
}

/* Several events of one step, of which an identifier may have more than one. */
static void
buckets(void)
{
	static const uint64_t seen[][4] = { { 0, 0, 1, 0 }, { 1, 0, 2, 9 }, { 9, 9, 9, 9 },
	    { 2, 9, 9, 9 } };
	static const double want[] = { 2, 3, 2, 1 };
	const struct dp_sketch s = { .window = 2 };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, 9, 1, 0, 1);
	struct dp_mech *m = make("window", &r);
	struct column c;
	int t, i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("window without noise");
		return;
	}
	/* a b a; a c a; nothing; c, whose last is two steps back */
	for (t = 0; t < 4; t++) {
		for (i = 0; i < 4; i++)
			if (seen[t][i] != 9 && !(t == 0 && i == 3))
				sees(&c, seen[t][i], 1);
		c.t++;
		check(m->ops->step(m, c.state, NULL, c.t, NULL, NULL) == 0);
		check(asks(&c) == want[t]);
	}
	column_free(&c);
	dp_mech_free(m);
}

/*
 * What an identifier does in one step: of one there are 0, 1 or 2 events in each of N steps, of
 * another one or none, before, between or after them.  All streams through the mechanism, with W
 * from 1 to N at once; and all pairs of streams that differ in one step of the first.
 */
#define N		4
#define TRIPLES	81		/* 3^N */
#define PAIRS	16		/* 2^N */

static double answer[TRIPLES][PAIRS][N][N];	/* streams, step, window */

static bool
run_steps(const struct dp_mech *m, int one, int other)
{
	uint64_t last[2] = { 0, 0 };
	struct column c;
	dp_wide est[N];
	int t, i, W, s;
	bool good = true, seen;

	if (column_new(&c, m, NULL) != 0)
		abort();
	for (t = 0; t < N; t++) {
		for (i = 0; i < 3; i++) {
			s = i == 1 + t % 2 ? 1 : 0;	/* who comes */
			if (s == 1 ? (other >> t & 1) != 0 : one / power[t] % 3 > (i > 0)) {
				sees(&c, last[s], 1);
				last[s] = (uint64_t)t + 1;
			}
		}
		c.t++;
		good &= m->ops->step(m, c.state, NULL, c.t, NULL, NULL) == 0 &&
		    m->ops->valid(m, c.state, c.t) &&
		    m->ops->answer(m, c.state, NULL, c.t, est) == 0;
		for (W = 1; W <= N; W++) {
			answer[one][other][t][W - 1] = (double)est[W - 1];
			for (seen = false, s = t - W + 1 < 0 ? 0 : t - W + 1; s <= t; s++)
				seen |= one / power[s] % 3 != 0;
			good &= est[W - 1] == seen + there(other, t, W);
		}
	}
	column_free(&c);
	return good;
}

static void
one_step(void)
{
	const struct dp_sketch s = { .windows = N, .each = { { 1, "1", { 0, 1 } },
	    { 2, "2", { 0, 1 } }, { 3, "3", { 0, 1 } }, { 4, "4", { 0, 1 } } } };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, N, 1, 0, 1);
	struct dp_mech *m = make("window", &r);
	int a, b, o, t, k, x, W, e, last, moves, touched;
	bool good = true;

	if (m == NULL) {
		fail("windows without noise");
		return;
	}
	check(m->outputs == N && m->parts == N);
	for (a = 0; a < TRIPLES; a++)
		for (o = 0; o < PAIRS; o++)
			good &= run_steps(m, a, o);
	check(good);
	for (a = 0; a < TRIPLES; a++)
		for (o = 0; o < PAIRS; o++)
			for (t = 0; t < N; t++)
				for (x = 0; x < 3; x++)
					for (W = 1; W <= N; W++) {
						b = a + (x - a / power[t] % 3) * power[t];
						for (moves = touched = last = k = 0; k < N; k++) {
							e = (int)(answer[a][o][k][W - 1] -
							    answer[b][o][k][W - 1]);
							moves += abs(e - last);
							touched += e != 0;
							last = e;
						}
						good &= moves <= 2 && touched <= W;
					}
	check(good);
	dp_mech_free(m);
}

/* What parts have together is all of the budget, or hardly less; noise is that of their shares. */
static void
shares(bool lines, uint64_t horizon, uint64_t delta)
{
	struct dp_sketch s = { .lines = lines, .windows = 3, .each = { { 1, "1d", { 0, 1 } },
	    { 7, "7d", { 0, 1 } }, { 30, "30d", { 0, 1 } } } };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, horizon, 1, 1, 1);
	struct dp_q left[2] = { { 1, 1 }, { 0, 1 } };
	struct dp_mech *m;
	struct dp_error e;
	double least = INFINITY, most = 0;
	unsigned i;

	if (delta != 0)
		left[1] = dp_q_make(1, delta);
	if (dp_privacy_set(&r.privacy, false, left[0], left[1], lines ? 2 : 1, lines ? 4 : 1) != 0)
		abort();
	if ((m = make("window", &r)) == NULL) {
		fail("windows");
		return;
	}
	for (i = 0; i < 3; i++) {
		check(dp_q_cmp(m->part[i].inner->epsilon, left[0]) <= 0 &&
		    dp_q_cmp(m->part[i].inner->delta, left[1]) <= 0);
		left[0] = dp_q_left(left[0], m->part[i].inner->epsilon);
		left[1] = dp_q_left(left[1], m->part[i].inner->delta);
		dp_mech_error(m->part[i].inner, r.report, &e);
		least = fmin(least, e.max);
		most = fmax(most, e.max);
	}
	check(dp_q_double(left[0]) < 1e-6 && dp_q_double(left[1]) * (double)delta < 1e-6);
	check(sqrt(most / least) < 1.001);
	dp_mech_free(m);
}

/* Shares that are given: of what is left, and of each part alone. */
static void
given(void)
{
	struct dp_sketch s = { .windows = 2, .each = { { 1, "1", { 1, 3 } },
	    { 5, "5", { 2, 3 } } } };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, 100, 1, 1, 1);
	struct dp_mech *m = make("window", &r);

	/* 1 / (1/3), and 5 steps' answers / (2/3) */
	check(m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(3, 1)) == 0 &&
	    dp_q_cmp(noise_of(m, 1)->param, dp_q_make(15, 2)) == 0);
	dp_mech_free(m);
	s.each[1].share = dp_q_make(3, 4);		/* more than all */
	check(make("window", &r) == NULL);
}

static struct dp_mech *
window(uint64_t W, bool lines, uint64_t horizon, uint64_t every, struct dp_sketch *s)
{
	struct dp_mech_rule r;

	*s = (struct dp_sketch){ .lines = lines, .window = W };
	r = sketch_setting(&dp_recent, s, horizon, every, 1, 1);
	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, 1), dp_q_make(0, 1), lines ? 2 : 1,
	    lines ? 4 : 1) != 0)
		abort();
	return make("window", &r);
}

static bool
scale_is(const struct dp_mech *m, uint64_t b)
{
	return m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(b, 1)) == 0;
}

/* Each answer by itself where few hold an event; else a counter's, for twice as much in lines. */
static void
noises(void)
{
	struct dp_mech_rule count = setting(5000, 1, 1, 4);
	struct dp_sketch s;
	struct dp_mech *m, *counter = make("auto", &count);
	uint64_t t;

	m = window(1, false, 100, 1, &s);
	check(scale_is(m, 1));
	dp_mech_free(m);
	m = window(1, true, 100, 1, &s);
	check(scale_is(m, 1));
	dp_mech_free(m);
	m = window(7, true, 100, 1, &s);
	check(scale_is(m, 7));
	dp_mech_free(m);
	m = window(7, true, 100, 3, &s);		/* three answers see a step */
	check(scale_is(m, 3));
	dp_mech_free(m);
	m = window(7, true, 100, 0, &s);
	check(scale_is(m, 1));
	dp_mech_free(m);
	m = window(1000, true, 5000, 1, &s);
	check(m != NULL && counter != NULL);
	for (t = 1; t <= 5000 && m != NULL && counter != NULL; t += 11)
		check(fabs(dp_mech_variance(m, t) / dp_mech_variance(counter, t) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
	count = setting(5000, 1, 1, 2);
	counter = make("auto", &count);
	m = window(1000, false, 5000, 1, &s);
	check(m != NULL && counter != NULL &&
	    fabs(dp_mech_variance(m, 4321) / dp_mech_variance(counter, 4321) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
}

/* All of an identifier's events: an answer by itself is one of k; or a counter's, for 2w moves. */
static void
whole_noises(void)
{
	struct dp_mech_rule r, count = setting(365, 1, 1, 6);
	struct dp_sketch s = { .lines = true, .window = 1, .whole = true };
	struct dp_mech *m, *counter = make("auto", &count);

	r = sketch_setting(&dp_recent, &s, 30, 1, 1, 1);
	m = make("window", &r);
	check(scale_is(m, 30));
	dp_mech_free(m);
	s.window = 200;			/* comes, goes, comes again */
	r = sketch_setting(&dp_recent, &s, 365, 1, 1, 1);
	m = make("window", &r);
	check(m != NULL && counter != NULL &&
	    fabs(dp_mech_variance(m, 321) / dp_mech_variance(counter, 321) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
	r.horizon = 0;
	check(make("window", &r) == NULL);
}

static void
eligible(void)
{
	struct dp_sketch s = { .window = 0 }, undone = { .window = 3, .deletes = true };
	struct dp_mech_rule r = sketch_setting(&dp_recent, &s, 9, 1, 1, 1);

	check(make("window", &r) == NULL);
	r.task.own = &undone;
	check(make("window", &r) == NULL);
	check(window((uint64_t)1 << 25, false, 9, 1, &s) == NULL);
	check(dp_recent.fades);
}

int
main(void)
{
	int W, every;

	for (W = 1; W <= T; W++) {
		exactly(W);
		comings(W);
		for (every = 1; every <= 4; every *= 2)
			wholly(W, every);
		for (every = 1; every <= T; every++)
			if (T % every == 0)
				distances(W, every);
	}
	buckets();
	one_step();
	shares(false, 365, 0);
	shares(true, 365, 0);
	shares(false, 5000, 0);
	shares(false, 365, 1000000);
	given();
	noises();
	whole_noises();
	eligible();
	return done();
}
