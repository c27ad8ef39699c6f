/* SPDX-License-Identifier: ISC */
/*
 * t_turnstile.c - identifiers that come and go: exact answers, freezing, and how far neighbours are
 * apart, by trying all histories of one identifier in six steps, and of two that share a word.
 */
#include "sketch.h"
#include "sketch/internal.h"

#define T	6
#define STREAMS	729		/* 3^T: done, undone or nothing */

/* What an identifier is held to be after each step, if w changes are followed. */
static void
held(int stream, int w, int f[T])
{
	int t, count = 0, changes = 0, now = 0;

	for (t = 0; t < T; t++, stream /= 3) {
		count += stream % 3 - 1;
		if ((count != 0) != now && changes < w) {
			changes++;
			now = !now;
		}
		f[t] = now;
	}
}

/* Histories through the mechanism are as above, with another identifier that comes at step 3. */
static void
exactly(int w)
{
	const struct dp_sketch s = { .lines = true, .deletes = true, .universe = 2,
	    .flips = (uint64_t)w };
	struct dp_mech *m = sketch_make("turnstile", &s, T, 1, 0, 1);
	struct column c;
	bool good = true;
	int stream, rest, t, f[T];

	if (m == NULL) {
		fail("turnstile without noise");
		return;
	}
	for (stream = 0; stream < STREAMS; stream++) {
		if (column_new(&c, m, NULL) != 0)
			abort();
		held(stream, w, f);
		for (t = 0, rest = stream; t < T; t++, rest /= 3) {
			sees(&c, 1, rest % 3 - 1);
			sees(&c, 0, t == 2);
			sees(&c, 2, 1);			/* none of the universe */
			c.t++;
			good &= asks(&c) == f[t] + (t >= 2) && m->ops->valid(m, c.state, c.t);
		}
		column_free(&c);
	}
	check(good);
	dp_mech_free(m);
}

/* All pairs of histories, looked at after every `every`-th step. */
static void
distances(int w, int every)
{
	const int k = T / every;
	struct dp_counter_reach any = dp_counter_items((uint64_t)w, (uint64_t)k, false);
	struct dp_counter_reach none = dp_counter_items((uint64_t)w, (uint64_t)k, true);
	int a, b, t, e, last, moves, touched, f[T], g[T], most[2] = { 0, 0 }, far = 0;

	for (a = 0; a < STREAMS; a++) {
		held(a, w, f);
		for (b = 0; b <= a; b++) {
			held(b, w, g);
			for (moves = touched = last = 0, t = every - 1; t < T; t += every) {
				e = f[t] - g[t];
				moves += abs(e - last);
				touched += abs(e);
				last = e;
			}
			most[0] = moves > most[0] ? moves : most[0];
			far = touched > far ? touched : far;
			if (b == 364)		/* nothing ever */
				most[1] = moves > most[1] ? moves : most[1];
		}
	}
	check(most[0] <= (int)any.moves && most[1] <= (int)none.moves);
	check(far <= (int)any.touched && any.touched == none.touched);
	/* the constants are attained where six steps have room */
	if (every == 1 && w <= 2)
		check(most[0] == (int)any.moves && most[1] == (int)none.moves && far == T);
	if (k == 1)
		check(any.moves == 1 && none.moves == 1 && most[0] == 1);
}

/* As exactly(), by words of any identifiers. */
static void
exactly_table(int w)
{
	const struct dp_sketch s = { .lines = true, .deletes = true, .flips = (uint64_t)w };
	struct dp_mech *m = sketch_make("turnstile-table", &s, T, 1, 0, 1);
	struct column c;
	uint32_t word;
	bool good = true;
	int stream, rest, t, f[T];

	if (m == NULL) {
		fail("turnstile-table without noise");
		return;
	}
	for (stream = 0; stream < STREAMS; stream++) {
		if (column_new(&c, m, NULL) != 0)
			abort();
		held(stream, w, f);
		for (t = 0, rest = stream; t < T; t++, rest /= 3) {
			sees(&c, 0, rest % 3 - 1);
			word = c.word;
			c.word = 0;			/* another identifier's */
			sees(&c, 0, t == 2);
			c.word = word;
			c.t++;
			good &= asks(&c) == f[t] + (t >= 2);
		}
		column_free(&c);
	}
	check(good);
	dp_mech_free(m);
}

/*
 * Two identifiers that share a word, four steps of both: histories that differ in one of them alone
 * are no farther apart than any two of an item.
 */
static void
shared(int w)
{
	enum { STEPS = 4, EACH = 81 };		/* 3^STEPS */
	const struct dp_sketch s = { .lines = true, .deletes = true, .flips = (uint64_t)w };
	const struct dp_counter_reach r = dp_counter_items((uint64_t)w, STEPS, false);
	struct dp_mech *m = sketch_make("turnstile-table", &s, T, 1, 0, 1);
	static int n[EACH][EACH][STEPS];
	int a, b, i, j, t, moves, touched, last, most = 0, far = 0;
	struct column c;

	for (a = 0; m != NULL && a < EACH; a++)
		for (b = 0; b < EACH; b++) {
			if (column_new(&c, m, NULL) != 0)
				abort();
			for (t = 0, i = a, j = b; t < STEPS; t++, i /= 3, j /= 3) {
				sees(&c, 0, i % 3 - 1);
				sees(&c, 0, j % 3 - 1);
				n[b][a][t] = (int)*(const int64_t *)c.state;
				check(n[b][a][t] == 0 || n[b][a][t] == 1);
			}
			column_free(&c);
		}
	for (b = 0; b < EACH; b++)
		for (i = 0; i < EACH; i++)
			for (j = 0; j < i; j++) {
				for (moves = touched = last = 0, t = 0; t < STEPS; t++) {
					a = n[b][i][t] - n[b][j][t];
					moves += abs(a - last);
					touched += abs(a);
					last = a;
				}
				most = moves > most ? moves : most;
				far = touched > far ? touched : far;
			}
	check(m != NULL && most <= (int)r.moves && far <= (int)r.touched && most > w);
	dp_mech_free(m);
}

/* Counts that words have no room for stay where they are, and any word is one. */
static void
words(void)
{
	struct dp_sketch s = { .deletes = true, .flips = 1000 };
	struct dp_mech *m = sketch_make("turnstile-table", &s, 9, 1, 0, 1);
	const int64_t R = (UINT32_MAX / 1001 - 1) / 2;
	uint32_t word = 0, top;
	int64_t i;

	if (m == NULL) {
		fail("turnstile-table of 1000 flips");
		return;
	}
	check(R > 2000000);
	for (i = 0; i < R; i++)
		word = m->ops->open.word(m, word, 1);
	top = word;
	check(m->ops->open.word(m, top, 1) == top);
	for (i = 0; i < R - 1; i++)
		word = m->ops->open.word(m, word, -1);
	check((word - 1) % 1001 == 1);
	word = m->ops->open.word(m, word, -1);
	check((word - 1) % 1001 == 2 && (int64_t)(word - 1) / 1001 == R);
	check(m->ops->open.word(m, UINT32_MAX, 1) != 0 && m->ops->open.word(m, 1, -1) == 1);
	dp_mech_free(m);
	s.flips = 1001;
	check(sketch_make("turnstile-table", &s, 9, 1, 1, 1) == NULL);
	s.flips = 2;
	s.universe = 9;
	check(sketch_make("turnstile-table", &s, 9, 1, 1, 1) == NULL);
}

static void
noises(void)
{
	struct dp_sketch s = { .deletes = true, .universe = 9, .flips = 3 };
	struct dp_mech_rule count = setting(1000, 1, 1, 6);
	struct dp_mech *m = sketch_make("turnstile", &s, 1000, 1, 1, 1);
	struct dp_mech *counter = make("auto", &count);
	uint64_t t;

	check(m != NULL && counter != NULL);
	for (t = 1; t <= 1000 && m != NULL && counter != NULL; t += 3)
		check(fabs(dp_mech_variance(m, t) / dp_mech_variance(counter, t) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
	s.presence = true;
	count = setting(1000, 1, 1, 3);
	m = sketch_make("turnstile", &s, 1000, 1, 1, 1);
	counter = make("auto", &count);
	check(m != NULL && counter != NULL &&
	    fabs(dp_mech_variance(m, 500) / dp_mech_variance(counter, 500) - 1) < 1e-9);
	dp_mech_free(m);
	dp_mech_free(counter);
	/* one answer: 1, however often they come and go */
	m = sketch_make("turnstile", &s, 1000, 0, 1, 1);
	check(m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(1, 1)) == 0);
	dp_mech_free(m);
}

static struct dp_privacy asked;

static int
ask(const struct dp_mech_ops **o, struct dp_error *e, const struct dp_mech_rule *rule, uint64_t *id)
{
	(void)o, (void)e, (void)id;
	asked = rule->privacy;
	return DP_EINVAL;
}

/*
 * A counter is asked to protect what moves its answers.  How many values of the stream a unit moves
 * says nothing of that: normtree.h's UNITS would charge too little.
 */
static void
budget(void)
{
	struct dp_sketch s = { .deletes = true, .universe = 9, .flips = 2 };
	struct dp_mech_rule set = setting(9, 1, 1, 1);
	struct dp_mech_rule rule = { .privacy = set.privacy, .horizon = 9, .report = 9,
	    .every = 1, .inner = ask, .task = { .what = DP_TASK_OWN, .own = &s } };
	static const struct dp_mech_ops ops = { .name = "turnstile" };
	struct dp_counter c = { .m.ops = &ops };

	rule.privacy.cells = 1;
	asked.cells = 77;
	check(dp_counter_create(&c, &rule, (struct dp_counter_reach){ 3, 9, 0, 1 }) == 0);
	check(asked.l1 == 3 && asked.cells == 0);
	dp_mech_free(&c.m);
}

static void
eligible(void)
{
	struct dp_sketch s = { .deletes = true, .universe = 9 };

	check(sketch_make("turnstile", &s, 9, 1, 1, 1) == NULL);
	s.flips = 2;
	s.universe = 0;
	check(sketch_make("turnstile", &s, 9, 1, 1, 1) == NULL);
}

int
main(void)
{
	int w, every, f[T];

	held(2 + 0 * 3 + 2 * 9 + 27 + 81 + 243, 2, f);	/* +, -, +, and frozen */
	check(f[0] == 1 && f[1] == 0 && f[2] == 0 && f[5] == 0);
	for (w = 1; w <= 4; w++) {
		exactly(w);
		exactly_table(w);
		if (w < 4)
			shared(w);
		for (every = 1; every <= T; every++)
			if (T % every == 0)
				distances(w, every);
	}
	words();
	noises();
	budget();
	eligible();
	return done();
}
