/* SPDX-License-Identifier: ISC */
/*
 * t_running.c - first sights in a running count: how far neighbours are apart, by trying all; whose
 * noise it is; exact answers.
 */
#include "sketch.h"

#define T	6
#define STREAMS	729		/* 3^T: nothing, or one of two identifiers */

/* First sights between answers, every `every` steps. */
static void
sights(int stream, int every, int y[T])
{
	bool seen[3] = { true, false, false };
	int t, x;

	memset(y, 0, T * sizeof *y);
	for (t = 0; t < T; t++, stream /= 3) {
		x = stream % 3;
		y[t / every] += !seen[x];
		seen[x] = true;
	}
}

static int
distance(int a, int b, int every)
{
	int x[T], y[T], t, d = 0;

	sights(a, every, x);
	sights(b, every, y);
	for (t = 0; t < T / every; t++)
		d += abs(x[t] - y[t]);
	return d;
}

/* Whether they differ in the lines of identifier 1 alone; whether in one line. */
static void
related(int a, int b, bool *whole, bool *line)
{
	int t, differ = 0;

	for (*whole = true, t = 0; t < T; t++, a /= 3, b /= 3)
		if (a % 3 != b % 3) {
			differ++;
			*whole &= a % 3 != 2 && b % 3 != 2;
		}
	*line = differ == 1;
}

static void
distances(void)
{
	static const int every[] = { 1, 2, 3, 6 };
	int a, b, i, d, whole_most, line_most;
	bool whole, line;

	for (i = 0; i < 4; i++) {
		for (whole_most = line_most = 0, a = 0; a < STREAMS; a++)
			for (b = 0; b < a; b++) {
				related(a, b, &whole, &line);
				if (!whole && !line)
					continue;
				d = distance(a, b, every[i]);
				whole_most = whole && d > whole_most ? d : whole_most;
				line_most = line && d > line_most ? d : line_most;
			}
		/* one answer in all: 1 */
		check(whole_most == (every[i] == T ? 1 : 2));
		check(line_most == (every[i] == T ? 1 : 2));
	}
}

/* The noise is a counter's for that distance, over as many steps as there are answers. */
static void
noises(void)
{
	const struct dp_sketch s = { .lines = true };
	struct dp_mech *m, *counter;
	struct dp_mech_rule r;
	uint64_t t;

	r = setting(1000, 1, 1, 2);
	r.bits = false;
	m = sketch_make("running", &s, 1000, 1, 1, 1);
	counter = make("auto", &r);
	check(m != NULL && counter != NULL);
	for (t = 1; t <= 1000 && m != NULL && counter != NULL; t++)
		check(fabs(dp_mech_variance(m, t) / dp_mech_variance(counter, t) - 1) < 1e-9);
	dp_mech_free(m);
	m = sketch_make("running", &s, 10000, 10, 1, 1);
	for (t = 1; t <= 10000 && m != NULL && counter != NULL; t += 7)
		check(fabs(dp_mech_variance(m, t) / dp_mech_variance(counter, t < 10 ? 1 : t / 10) -
		    1) < 1e-9);
	dp_mech_free(counter);
	dp_mech_free(m);
	/* one answer: Laplace noise for 1 */
	m = sketch_make("running", &s, 10000, 0, 1, 1);
	check(m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(1, 1)) == 0);
	dp_mech_free(m);
	m = sketch_make("running", &s, 2, 1, 1, 1);
	check(m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(2, 1)) == 0);
	dp_mech_free(m);
}

/* A plan from what a state keeps; NULL if that is none of ours. */
static struct dp_mech *
resumed(const uint64_t *word, size_t n)
{
	const struct dp_sketch s = { .lines = true };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 300, 1, 1, 1);
	struct dp_numbers p = { .n = 0 };
	struct dp_plan plan;
	char why[DP_PLAN_WHY];
	size_t i;
	int e;

	for (i = 0; i < n; i++)
		dp_numbers_add(&p, word[i]);
	dp_numbers_replay(&p);
	r.privacy.numbers = &p;
	e = dp_plan_make(&plan, &r, "running", why);
	check(e == 0 || e == DP_EINVAL);
	dp_numbers_free(&p);
	return e == 0 ? plan.mech : NULL;
}

/* A state goes on with the counter that its line `params` names, or is refused. */
static void
kept(void)
{
	uint64_t word[] = { 0, 0, 0, 0, 0xcbf29ce484222325,
	    dp_numbers_hash("input", 5), 2, 1,
	    0x807060504030201, 0xc0, 1, 0 };
	const struct dp_mech_rule count = setting(300, 1, 1, 2);
	struct dp_mech *m = resumed(word, sizeof word / sizeof *word);
	struct dp_mech *counter = make("input", &count);
	uint64_t t;

	check(m != NULL && counter != NULL);
	for (t = 1; t <= 300 && m != NULL && counter != NULL; t++)
		check(fabs(dp_mech_variance(m, t) / dp_mech_variance(counter, t) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
	word[5]++;
	check(resumed(word, sizeof word / sizeof *word) == NULL);
	for (word[5] = 0; word[5] <= 5; word[5]++)
		check(resumed(word, sizeof word / sizeof *word) == NULL);
}

static void
errors(void)
{
	const struct dp_sketch s = { .lines = true };
	struct dp_mech *m = sketch_make("running", &s, 3000, 3, 1, 1);
	struct dp_error e;

	if (m == NULL) {
		fail("running");
		return;
	}
	dp_mech_error(m, 3000, &e);
	check(e.worst >= 1 && e.worst <= 3000 &&
	    fabs(dp_mech_variance(m, e.worst) / e.max - 1) < 1e-9);
	dp_mech_free(m);
}

/* It counts what it is shown, and gives no more answers than were paid for. */
static void
exactly(void)
{
	const struct dp_sketch s = { .lines = true };
	struct dp_mech *m = sketch_make("running", &s, 10, 2, 0, 1);
	struct column c;
	dp_wide est;
	int i;

	if (m == NULL || column_new(&c, m, NULL) != 0) {
		fail("running without noise");
		return;
	}
	for (i = 1; i <= 5; i++) {
		c.t += 2;
		sees(&c, 0, i);
		sees(&c, 1, 3);		/* seen before, at step 1 */
		check(asks(&c) == i * (i + 1) / 2);
		check(m->ops->valid(m, c.state, c.t));
	}
	check(m->ops->answer(m, c.state, c.rng, c.t, &est) == DP_EHORIZON);
	/* more answers than steps: no column of ours */
	check(!m->ops->valid(m, c.state, 4));
	column_free(&c);
	dp_mech_free(m);
}

static void
eligible(void)
{
	const struct dp_sketch s = { .lines = true }, undone = { .deletes = true };
	struct dp_mech_rule r = sketch_setting(&dp_distinct, &s, 0, 1, 1, 1);
	struct dp_mech *m = make("running", &r);

	check(m != NULL && m->horizon == 0);		/* for ever, if it must be */
	dp_mech_free(m);
	check(sketch_make("running", &undone, 9, 1, 1, 1) == NULL);
	r.pan = true;
	check(make("running", &r) == NULL);
}

int
main(void)
{
	distances();
	noises();
	kept();
	errors();
	exactly();
	eligible();
	return done();
}
