/* SPDX-License-Identifier: ISC */
/*
 * t_keyed.c - identifiers of each key in the last W steps (sketch/exact.c, KEYS; store/cap.c).
 *
 * ATTACK.  All streams of at most four events of one identifier, each in one of three steps with
 * one of three keys, in any order, between events of another one; windows of 1, 2 and 3 steps; K =
 * 1, 2, 3.  The numbers are those of a model.  What an identifier does in a step, taken away, moves
 * the numbers of all columns by no more than noise is planned for, and by as much somewhere; and
 * anything else in its place moves no more columns than --explain says.  Where steps do not fall
 * the same is asked of buckets that close one after another.
 */
#include <string.h>

#include "input/event.h"
#include "run/internal.h"
#include "sketch.h"
#include "store/internal.h"

#define STEPS	3
#define KEYS	3
#define WINDOWS	3
#define EVENTS	4
#define KINDS	(STEPS * KEYS)		/* of events */
#define STREAMS	7381			/* 1 + 9 + 9^2 + 9^3 + 9^4 */

struct event {
	unsigned step, key;
};

struct numbers {
	int n[WINDOWS][KEYS][STEPS];
};

static const struct dp_sketch windows = { .keyed = true, .windows = WINDOWS,
	.each = { { 1, "1", { 0, 1 } }, { 2, "2", { 0, 1 } }, { 3, "3", { 0, 1 } } } };
static const struct dp_tool tool = { .shape = DP_SHAPE_NUMBER, .prints = DP_PRINT_EACH };
static struct dp_options options;
static struct dp_mech *mech;
static struct dp_mech_ops noting;	/* the mechanism's, and numbers are noted */
static struct dp_run r;
static struct numbers *now, of[STREAMS], of_times;
static struct event event_of[STREAMS][EVENTS];
static unsigned length[STREAMS];

static int
note_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const size_t key = (size_t)((char *)col - r.col.p) / m->column;
	dp_wide n[WINDOWS];
	unsigned w;

	(void)est;
	if (m->parts != WINDOWS)
		return DP_EINVAL;
	for (w = 0; w < WINDOWS; w++)
		if (dp_part_step(&m->part[w], col, 0, rng, t, x, NULL) != 0)
			return DP_EINVAL;
	if (noting.answer(m, col, rng, t, n) != 0 || t > STEPS || key >= KEYS)
		return DP_EINVAL;
	for (w = 0; w < WINDOWS; w++)
		now->n[w][key][t - 1] = (int)n[w];
	return 0;
}

static void
begin(bool times, uint64_t K)
{
	static int64_t sums[STEPS * KEYS], x[KEYS];
	static dp_wide est[KEYS * WINDOWS];

	memset(sums, 0, sizeof sums);
	options = (struct dp_options){ .users = { .most = K, .per_step = true, .once = true,
	    .field.number = 1 }, .id.keyed = true, .keys = { .n = KEYS, .field.number = 2 },
	    .range.hi = 1, .print.every = 100, .horizon = STEPS, .task = { .what = DP_TASK_OWN,
	    .statistic = &dp_recent, .own = &windows }, .time = { .bucket = 1, .span.n = 1,
	    .steps = times ? DP_BY_TIMES : DP_BY_RANGE } };
	r = (struct dp_run){ .o = &options, .tool = &tool, .plan.mech = mech,
	    .cap = { .tabled = true, .most = UINT32_MAX }, .answer.asks = true,
	    .ring = { .n = times ? 1 : STEPS, .sums = sums, .open = true },
	    .col = { .n = KEYS, .width = KEYS, .x = x, .rng = seeded(1) },
	    .print = { .outputs = WINDOWS, .est = est } };
	if ((r.col.p = calloc(KEYS, mech->column)) == NULL)
		abort();
	check(dp_cap_begin(&r) == 0);
}

static void
take(const char *user, const struct event *e)
{
	struct dp_event v = { .value = 1, .counts = true, .timed = true, .time = e->step,
	    .column = e->key, .user = { user, strlen(user) } };

	if (options.time.steps == DP_BY_TIMES)
		check(dp_bucket_reach(&r, &v) == 0);
	check(dp_bucket_add(&r, &v) == 0);
}

static const struct event other[] = { { 0, 0 }, { 1, 1 } };

/* The numbers of n events of the identifier, and another's as soon as their steps have come. */
static void
numbers_of(struct numbers *to, bool times, uint64_t K, const struct event *e, unsigned n)
{
	struct dp_event last = { .time = STEPS - 1, .counts = true };
	unsigned i, b = 0;

	now = to;
	begin(times, K);
	for (i = 0; i <= n; i++) {
		for (; b < 2 && (i == n || (times ? other[b].step <= e[i].step : i == b)); b++)
			take("b", &other[b]);
		if (i < n)
			take("a", &e[i]);
	}
	if (times)
		check(dp_bucket_reach(&r, &last) == 0);
	check(dp_bucket_end(&r) == 0);
	check(r.t == STEPS);
	dp_cap_free(&r);
	dp_rng_free(r.col.rng);
	free(r.col.p);
	free(r.ring.pending);
}

/* The first K keys of each step, in order; then who was there in the last W steps. */
static bool
as_model(const struct numbers *x, uint64_t K, const struct event *e, unsigned n)
{
	bool a[KEYS][STEPS] = { { false } }, b[KEYS][STEPS] = { { false } }, in[2];
	uint64_t left[STEPS] = { K, K, K };
	unsigned i, w, k, t, s;

	for (i = 0; i < n; i++)
		if (!a[e[i].key][e[i].step] && left[e[i].step] > 0) {
			a[e[i].key][e[i].step] = true;
			left[e[i].step]--;
		}
	for (i = 0; i < 2; i++)
		b[other[i].key][other[i].step] = true;
	for (w = 0; w < WINDOWS; w++)
		for (k = 0; k < KEYS; k++)
			for (t = 0; t < STEPS; t++) {
				for (in[0] = in[1] = false, s = t < w ? 0 : t - w; s <= t; s++) {
					in[0] |= a[k][s];
					in[1] |= b[k][s];
				}
				if (x->n[w][k][t] != in[0] + in[1])
					return false;
			}
	return true;
}

static unsigned
place(const struct event *e, unsigned n)
{
	unsigned at = 0, all = 1, code = 0, i;

	for (i = 0; i < n; i++) {
		at += all;
		all *= KINDS;
		code = code * KINDS + e[i].step * KEYS + e[i].key;
	}
	return at + code;
}

/* What of two streams' numbers moves, of a window: the most of all pairs so far. */
struct apart {
	int columns, one, moves, touched;
	double fading[2];
};

static const double C[2][STEPS] = { { 1, 0, 0 }, { 1, .5, .375 } };

static void
compare(struct apart *most, const struct numbers *x, const struct numbers *y, unsigned w)
{
	struct apart a = { .columns = 0 };
	double sum, size;
	unsigned k, t, c, i;
	int e, last, d[STEPS];

	for (k = 0; k < KEYS; k++) {
		const int was = a.touched;

		for (last = 0, t = 0; t < STEPS; t++, last = e) {
			e = x->n[w][k][t] - y->n[w][k][t];
			d[t] = e - last;
			a.moves += abs(d[t]);
			a.touched += e != 0;
			a.one = abs(e) > a.one ? abs(e) : a.one;
		}
		a.columns += a.touched > was;
		for (c = 0; c < 2; c++)
			for (t = 0; t < STEPS; t++) {
				for (sum = 0, i = 0; i <= t; i++)
					sum += C[c][t - i] * d[i];
				a.fading[c] += sum * sum;
			}
	}
	for (c = 0; c < 2; c++) {
		for (size = 0, t = 0; t < STEPS; t++)
			size += C[c][t] * C[c][t];
		most->fading[c] = fmax(most->fading[c], a.fading[c] / size);
	}
	most->columns = a.columns > most->columns ? a.columns : most->columns;
	most->one = a.one > most->one ? a.one : most->one;
	most->moves = a.moves > most->moves ? a.moves : most->moves;
	most->touched = a.touched > most->touched ? a.touched : most->touched;
}

/* The stream without its events of a step. */
static unsigned
without(unsigned a, unsigned step)
{
	struct event e[EVENTS];
	unsigned i, n = 0;

	for (i = 0; i < length[a]; i++)
		if (event_of[a][i].step != step)
			e[n++] = event_of[a][i];
	return place(e, n);
}

/* All pairs that are one stream without that step. */
static void
anything(struct apart *most, unsigned step, unsigned w)
{
	static unsigned rest[STREAMS], first[STREAMS], next[STREAMS];
	unsigned a, b;

	memset(first, 0, sizeof first);
	for (a = 0; a < STREAMS; a++) {
		rest[a] = without(a, step);
		next[a] = first[rest[a]];
		first[rest[a]] = a + 1;
	}
	for (a = 0; a < STREAMS; a++)
		for (b = next[a]; b != 0; b = next[b - 1])
			compare(most, &of[a], &of[b - 1], w);
}

static void
all_streams(uint64_t K)
{
	unsigned a, i, good = 0, alike = 0, sorted = 0;
	bool rises;

	for (a = 0; a < STREAMS; a++) {
		numbers_of(&of[a], false, K, event_of[a], length[a]);
		good += as_model(&of[a], K, event_of[a], length[a]);
		for (rises = true, i = 1; i < length[a]; i++)
			rises &= event_of[a][i].step >= event_of[a][i - 1].step;
		if (!rises)
			continue;
		sorted++;
		numbers_of(&of_times, true, K, event_of[a], length[a]);
		alike += memcmp(&of_times, &of[a], sizeof of_times) == 0;
	}
	check(good == STREAMS && sorted > 1000 && alike == sorted);
}

static void
reach(uint64_t K)
{
	const int k = (int)K, any = k < 2 ? 2 : 3;
	struct apart gone, other_;
	unsigned a, s, w;

	for (w = 0; w < WINDOWS; w++) {
		gone = other_ = (struct apart){ .columns = 0 };
		for (a = 0; a < STREAMS; a++)
			for (s = 0; s < STEPS; s++)
				compare(&gone, &of[a], &of[without(a, s)], w);
		/* three keys that come again after three steps are more events than there are */
		check(gone.columns == k && gone.one == 1 && gone.touched == k * ((int)w + 1));
		check(gone.moves <= 2 * k && gone.fading[0] <= 2 * k && gone.fading[1] <= 2 * k);
		check((k == 3 && w == 2) || (gone.moves == 2 * k && gone.fading[0] == 2 * k));
		for (s = 0; s < STEPS; s++)
			anything(&other_, s, w);
		check(other_.columns == any && other_.one == 1);
	}
}

/* The plan of K keys, with the reach that neighbours have. */
static struct dp_mech *
plan(uint64_t W, uint64_t T, uint64_t every, uint64_t K, uint64_t delta)
{
	static struct dp_sketch s;
	struct dp_mech_rule rule;

	s = (struct dp_sketch){ .keyed = true, .window = W };
	rule = sketch_setting(&dp_recent, &s, T, every, 1, 1);
	if (dp_privacy_set(&rule.privacy, false, dp_q_make(1, 1), delta == 0 ? dp_q_make(0, 1) :
	    dp_q_make(1, delta), K, K) != 0)
		abort();
	rule.privacy.linf = 1;
	rule.privacy.columns = (unsigned)K;
	return make("window", &rule);
}

static bool
scale_is(struct dp_mech *m, uint64_t b)
{
	const bool is = m != NULL && dp_q_cmp(noise_of(m, 0)->param, dp_q_make(b, 1)) == 0;

	dp_mech_free(m);
	return is;
}

static double
variance(struct dp_mech *m, uint64_t t)
{
	const double v = m == NULL ? NAN : dp_mech_variance(m, t);

	dp_mech_free(m);
	return v;
}

/* K times the noise; of Gaussian noise its square root, as columns are apart. */
static void
noises(void)
{
	struct dp_mech_rule count = setting(5000, 1, 1, 6);
	struct dp_mech *counter;
	double v[2];

	check(scale_is(plan(1, 100, 1, 3, 0), 3));
	check(scale_is(plan(7, 100, 3, 3, 0), 9));
	count.privacy.linf = 2;
	count.privacy.columns = 3;
	counter = make("auto", &count);
	check(fabs(variance(plan(1000, 5000, 1, 3, 0), 4321) / variance(counter, 4321) - 1) < 1e-9);
	v[0] = variance(plan(2, 100, 1, 16, 1000000), 100);	/* two answers */
	v[1] = variance(plan(2, 100, 1, 64, 1000000), 100);
	check(fabs(v[1] / v[0] - 4) < .05);
	v[0] = variance(plan(1000, 5000, 1, 64, 1000000), 4321);
	v[1] = variance(plan(1000, 5000, 1, 256, 1000000), 4321);
	check(fabs(v[1] / v[0] - 4) < 1e-2);
}

static void
make_streams(void)
{
	unsigned a = 0, n, i, code, left, all;

	for (n = 0, all = 1; n <= EVENTS; n++, all *= KINDS)
		for (code = 0; code < all; code++, a++) {
			length[a] = n;
			for (left = code, i = n; i-- > 0; left /= KINDS)
				event_of[a][i] = (struct event){ left % KINDS / KEYS, left % KEYS };
		}
	check(a == STREAMS);
}

int
main(void)
{
	struct dp_mech_rule rule = sketch_setting(&dp_recent, &windows, STEPS, 1, 0, 1);
	const struct dp_mech_ops *was;
	uint64_t K;

	if ((mech = make("window", &rule)) == NULL) {
		fail("windows without noise");
		return done();
	}
	was = mech->ops;
	noting = *was;
	noting.step = note_step;
	mech->ops = &noting;
	make_streams();
	for (K = 1; K <= 3; K++) {
		all_streams(K);
		reach(K);
	}
	noises();
	mech->ops = was;
	dp_mech_free(mech);
	return done();
}
