/* SPDX-License-Identifier: ISC */
/*
 * t_fold.c - --each-user: a user's events of a step, folded into one number (store/fold.c).
 *
 * ATTACK.  All streams of at most three events of one user, each in one of three steps, with one
 * of two keys and one of three values, in any order (so late ones too), between two events of
 * another user; all folds; ranges 0:2, 1:3, -1:2; sums and contributions, with keys and without;
 * -c 1/step, K/step, N, N/B.  Taking the unit away (the user; or what it does in a step) must move
 * the numbers by no more than the distance that noise is planned for, and by as much somewhere;
 * one event more or less by no more than what --explain says.  So with --retention=1, -c 1 to 3,
 * and there the numbers are those of a model, too.  And with --counter, where -c 1/step is of
 * streams whose steps do not fall.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "input/event.h"
#include "job/internal.h"
#include "mech.h"
#include "pair.h"
#include "run/internal.h"
#include "store/internal.h"

#define STEPS	3
#define KEYS	2
#define EVENTS	3
#define NUMBERS	(2 * KEYS)	/* of a step, at most */

static struct dp_ask_range range_of;	/* what the contributions go by */

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return (uint64_t)(range_of.hi - range_of.lo);
}

static unsigned
split(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	return pair_put(value - range_of.lo, range_of.hi - value, x);
}

static const struct dp_contributions adds = { 1, pair_width, most, 2, split, NULL };

struct event {
	unsigned step, key;
	int64_t value;
};

static int64_t value_of[] = { 0, 2, -1 };
static int64_t read_next = -1;		/* of the other user's second event */

/* A case: what the options say. */
struct setting {
	struct dp_options o;
	struct dp_tool tool;
	struct dp_events *events;
	struct dp_run r;
	int64_t sums[STEPS * NUMBERS];
	size_t kinds;			/* of events */
	int64_t *x;			/* the numbers of each stream */
};

static size_t
numbers(const struct setting *s)
{
	return s->r.col.width;
}

static void
begin(struct setting *s, enum dp_each how, int64_t lo, int64_t hi, bool contributions, bool keyed,
    uint64_t K, bool per_step, uint64_t spacing)
{
	static char a[] = "a", b[] = "b", *name[] = { a, b };
	static const uint8_t key[16] = { 1 };

	memset(s, 0, sizeof *s);
	s->o = (struct dp_options){ .users = { .most = K, .per_step = per_step,
	    .spacing = spacing, .each = how, .field.number = 1 }, .range = { .lo = lo, .hi = hi },
	    .time = { .bucket = 1, .steps = DP_BY_RANGE, .span = { .n = 1 } }, .horizon = STEPS,
	    .priv = { .epsilon = { 1, 1 }, .delta = { 0, 1 }, .mechanism = "auto" },
	    .task.what = DP_TASK_COUNT, .form.delimiter = -1, .print.every = 1 };
	if (keyed) {
		s->o.keys.n = KEYS;
		s->o.keys.name = name;
		s->o.keys.field.number = 1;
	}
	s->o.keys.adds = contributions ? 2 : 0;
	range_of = s->o.range;
	s->tool = (struct dp_tool){ .shape = contributions ? DP_SHAPE_CONTRIBUTIONS :
	    DP_SHAPE_NUMBER, .adds = contributions ? &adds : NULL };
	check(dp_events_new(&s->events, &s->o, &s->tool, key, 0) == 0);
	s->kinds = STEPS * 3 * (keyed ? KEYS : 1);
	s->r = (struct dp_run){ .o = &s->o, .tool = &s->tool, .cap.most = spacing != 0 ?
	    K * STEPS : K, .ring = { .n = STEPS, .sums = s->sums }, .in.events = s->events };
	s->r.col.width = dp_options_numbers(&s->o, &s->tool);
}

static void
take(struct setting *s, const char *user, const struct event *e)
{
	struct dp_event v = { .value = 1, .number = e->value, .counts = true, .timed = true,
	    .time = e->step, .column = e->key, .user = { user, strlen(user) } };

	check(dp_bucket_add(&s->r, &v) == 0);
}

/* The numbers of all steps: n events of the user, and another's before and between them. */
static void
numbers_of(struct setting *s, const struct event *e, unsigned n, int64_t *x)
{
	const struct event other[] = { { 0, 0, 2 }, { 1, 1, read_next } };
	struct event b;
	unsigned i;

	memset(s->sums, 0, sizeof s->sums);
	s->r.cap.users = NULL;
	check(dp_cap_begin(&s->r) == 0);
	for (i = 0; i < 2 || i < n; i++) {
		if (i < 2) {
			b = other[i];
			b.key = s->o.keys.n != 0 ? b.key : 0;
			take(s, "b", &b);
		}
		if (i < n)
			take(s, "a", &e[i]);
	}
	dp_cap_free(&s->r);
	memcpy(x, s->sums, STEPS * numbers(s) * sizeof *x);
}

/* Streams have numbers: of no event 0, then those of one, two and three. */
static size_t
place(const struct setting *s, const struct event *e, unsigned n)
{
	size_t at = 0, all = 1, code = 0;
	unsigned i, v;

	for (i = 0; i < n; i++) {
		at += all;
		all *= s->kinds;
		for (v = 0; value_of[v] != e[i].value; v++)
			;
		code = code * s->kinds + (e[i].key * STEPS + e[i].step) * 3 + v;
	}
	return at + code;
}

static void
stream(const struct setting *s, size_t code, unsigned n, struct event *e)
{
	size_t k;

	for (; n > 0; n--) {
		k = code % s->kinds;
		code /= s->kinds;
		e[n - 1] = (struct event){ (unsigned)(k / 3 % STEPS), (unsigned)(k / 3 / STEPS),
		    value_of[k % 3] };
	}
}

struct moved {
	uint64_t l1, l2squared, linf;
	uint64_t steps, each;		/* that move; of a step, the sum of the squares */
};

/* Adds the distance of two streams' numbers to the largest so far. */
static void
compare(const struct setting *s, size_t a, size_t b, struct moved *m)
{
	const size_t w = numbers(s);
	const int64_t *x = s->x + a * STEPS * w, *y = s->x + b * STEPS * w;
	struct moved d = { 0 };
	uint64_t column;
	size_t c, t;

	for (c = 0; c < w; c++) {
		for (t = 0, column = 0; t < STEPS; t++)
			column += (uint64_t)llabs(x[t * w + c] - y[t * w + c]);
		d.l1 += column;
		d.l2squared += column * column;
		d.linf = column > d.linf ? column : d.linf;
	}
	for (t = 0; t < STEPS; t++) {
		for (c = 0, column = 0; c < w; c++)
			column += (uint64_t)((x[t * w + c] - y[t * w + c]) *
			    (x[t * w + c] - y[t * w + c]));
		d.steps += column != 0;
		m->each = column > m->each ? column : m->each;
	}
	m->steps = d.steps > m->steps ? d.steps : m->steps;
	m->l1 = d.l1 > m->l1 ? d.l1 : m->l1;
	m->l2squared = d.l2squared > m->l2squared ? d.l2squared : m->l2squared;
	m->linf = d.linf > m->linf ? d.linf : m->linf;
}

/* The stream less the events of a step (STEPS: of all), or less one event. */
static void
neighbours(const struct setting *s, const struct event *e, unsigned n, struct moved *unit,
    struct moved *part)
{
	const size_t here = place(s, e, n);
	struct event less[EVENTS];
	unsigned i, j, m;

	for (i = s->o.users.per_step ? 0 : STEPS; i < (s->o.users.per_step ? STEPS : STEPS + 1);
	    i++) {
		for (j = m = 0; j < n; j++)
			if (i != STEPS && e[j].step != i)
				less[m++] = e[j];
		compare(s, here, place(s, less, m), unit);
	}
	for (i = 0; i < n; i++) {
		for (j = m = 0; j < n; j++)
			if (j != i)
				less[m++] = e[j];
		compare(s, here, place(s, less, m), part);
	}
}

/* A stream that the options do not protect a step in: its steps are mixed. */
static bool
mixed(const struct setting *s, const struct event *e, unsigned n)
{
	unsigned i;

	for (i = 1; i < n; i++)
		if (dp_options_linked(&s->o) && e[i].step < e[i - 1].step)
			return true;
	return false;
}

static void
attack(struct setting *s, struct moved *unit, struct moved *part)
{
	const size_t k = s->kinds, all = 1 + k + k * k + k * k * k;
	struct event e[EVENTS];
	size_t code, count;
	unsigned n;

	s->x = calloc(all * STEPS * numbers(s), sizeof *s->x);
	if (s->x == NULL)
		exit(1);
	for (n = 0, count = 1; n <= EVENTS; n++, count *= k)
		for (code = 0; code < count; code++) {
			stream(s, code, n, e);
			numbers_of(s, e, n, s->x + place(s, e, n) * STEPS * numbers(s));
		}
	for (n = 0, count = 1; n <= EVENTS; n++, count *= k)
		for (code = 0; code < count; code++) {
			stream(s, code, n, e);
			if (!mixed(s, e, n))
				neighbours(s, e, n, unit, part);
		}
	free(s->x);
	dp_events_free(s->events);
}

/* A unit moves no more than noise is planned for, in steps as far apart as that. */
static void
planned_for(const struct dp_mech_rule *rule, const struct moved *unit)
{
	check(unit->l1 <= rule->privacy.l1 && unit->l2squared <= rule->privacy.l2squared &&
	    unit->linf <= rule->privacy.linf);
	check(rule->privacy.spacing == 0 || (unit->steps <= rule->privacy.times &&
	    unit->each <= dp_privacy_each(&rule->privacy)));
}

/* lo..hi of what the fold of events can be: all of it but for sums of too few. */
static void
reaches(enum dp_each how, int64_t lo, int64_t hi, bool contributions, bool keyed, uint64_t K,
    bool per_step, uint64_t spacing)
{
	const uint64_t M = (uint64_t)(hi > -lo ? hi : -lo), R = (uint64_t)(hi - lo);
	const uint64_t one = contributions ? R : M;
	const uint64_t N = spacing == 2 && K > 2 ? 2 : K;	/* that three steps have room for */
	struct moved unit = { 0 }, part = { 0 };
	struct dp_mech_rule rule;
	static struct setting s;

	begin(&s, how, lo, hi, contributions, keyed, K, per_step, spacing);
	dp_options_setting(&s.o, &s.tool, &rule);
	attack(&s, &unit, &part);
	check(rule.privacy.l1 == N * one);
	check(rule.privacy.spacing == (spacing != 0 ? spacing : !keyed && !per_step));
	planned_for(&rule, &unit);
	/* attained; of 1:3 the values reach 2 alone, and a sum of two of them 3 */
	check(unit.l1 >= N * (hi == 3 && !contributions ? 2 : one));
	if (hi == 3 && N == 1 && (how == DP_EACH_SUM || how == DP_EACH_COUNT))
		check(unit.l1 == one);
	/* what is less than a user's presence: at most two of them; of a sum in one step, R */
	check(part.l1 <= 2 * rule.privacy.l1);
	if (!contributions && !keyed && per_step)
		check(part.l1 <= (R > M ? R : M));
	if (!contributions && !keyed && per_step && lo < 0 && (how == DP_EACH_FIRST ||
	    how == DP_EACH_LAST || how == DP_EACH_MIN || how == DP_EACH_MAX))
		check(part.l1 == R);	/* attained, and more than the user's presence */
	/* a step of a user's, or one event, is two presences away, and costs twice as much */
	if (keyed && K == 1 && contributions)
		check(part.l1 == 2 * rule.privacy.l1);
}

static void
test_reaches(void)
{
	static const int64_t range[][2] = { { 0, 2 }, { 1, 3 }, { -1, 2 } };
	static const struct {
		bool keyed;
		uint64_t K;
		bool per_step;
		uint64_t spacing;
	} cap[] = {
		{ false, 1, true, 0 }, { false, 1, false, 0 }, { false, 2, false, 0 },
		{ false, 2, false, 1 }, { false, 2, false, 2 }, { true, 1, true, 0 },
		{ true, 2, true, 0 }, { true, 1, false, 0 }, { true, 2, false, 0 },
		{ true, 3, false, 0 }, { true, 2, false, 2 }
	};
	unsigned how, r, c, shape;

	for (how = DP_EACH_ANY; how <= DP_EACH_LAST; how++)
		for (r = 0; r < 3; r++)
			for (c = 0; c < sizeof cap / sizeof *cap; c++)
				for (shape = 0; shape < 2; shape++)
					reaches(how, range[r][0], range[r][1], shape == 1,
					    cap[c].keyed, cap[c].K, cap[c].per_step,
					    cap[c].spacing);
}

/*
 * LAW.  Can the claimed epsilon be refuted?  Noise that is planned for the options, fresh for each
 * number (input), so that increments of the running sums are what it is on; R = 100000 runs of each
 * of two streams, epsilon 1, and for each set of numbers the event that all of them are at the
 * first stream's value or farther from the second's.  The lower end of ln(p1 / p0), normal quantile
 * 6.3 on both proportions: false-reject rate below 1e-6 for all tests together.  A unit must not
 * be refuted; what is less than a unit must be, where its loss is above 1.
 */
#define R	100000

/* Whether each number is at a's, or beyond it as seen from b's. */
static unsigned
beyond(const struct setting *s, const struct dp_mech *m, struct dp_rng *rng, const int64_t *x,
    const int64_t *a, const int64_t *b)
{
	const size_t w = numbers(s);
	unsigned bits = 0;
	struct column c;
	int64_t y, last, d;
	size_t k, t, i;

	for (k = 0; k < w; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 0, last = 0; t < STEPS; t++, last = y) {
			i = t * w + k;
			if (column_step(&c, x[i], &y) != 0)
				abort();
			d = y - last;
			bits |= (unsigned)(a[i] >= b[i] ? d >= a[i] : d <= a[i]) << i;
		}
		column_free(&c);
	}
	return bits;
}

static double
lost(double p, double q)
{
	return p < 2000 || q < 50 ? -INFINITY : log(p / q) -
	    6.3 * (sqrt((1 - p / R) / p) + sqrt((1 - q / R) / q));
}

/* The largest loss that is shown, of the first n events against the second. */
static double
shown(struct setting *s, struct dp_rng *rng, const struct event *a, unsigned na,
    const struct event *b, unsigned nb)
{
	static double n[2][1 << STEPS * KEYS];
	int64_t x[2][STEPS * NUMBERS];
	const unsigned sets = 1u << STEPS * numbers(s);
	struct dp_mech_rule rule;
	char why[DP_PLAN_WHY];
	struct dp_plan p;
	unsigned set, bits, i, r;
	double worst = 0, d;

	numbers_of(s, a, na, x[0]);
	numbers_of(s, b, nb, x[1]);
	dp_options_setting(&s->o, &s->tool, &rule);
	if (dp_plan_make(&p, &rule, "input", why) != 0)
		abort();
	memset(n, 0, sizeof n);
	for (i = 0; i < 2; i++)
		for (r = 0; r < R; r++) {
			bits = beyond(s, p.mech, rng, x[i], x[0], x[1]);
			for (set = 1; set < sets; set++)
				n[i][set] += (bits & set) == set;
		}
	for (set = 1; set < sets; set++) {
		d = lost(n[0][set], n[1][set]);
		worst = d > worst ? d : worst;
	}
	dp_plan_free(&p);
	dp_events_free(s->events);
	return worst;
}

static void
test_law(void)
{
	static const struct event twice[] = { { 0, 0, 2 }, { 1, 0, 2 } };
	static const struct event keys[] = { { 0, 0, 2 }, { 0, 1, 2 } };
	static const struct event down[] = { { 0, 0, 2 }, { 0, 0, -1 } };
	static struct setting s;
	struct dp_rng *rng;
	double d;

	if (dp_rng_open_seed(&rng, 3) != 0)
		abort();
	/* a step of a user; and one event of two, 2 and then -1: 3 where noise is for 2 */
	begin(&s, DP_EACH_LAST, -1, 2, false, false, 1, true, 0);
	d = shown(&s, rng, down, 1, NULL, 0);
	check(d > .9 && d <= 1);
	begin(&s, DP_EACH_LAST, -1, 2, false, false, 1, true, 0);
	d = shown(&s, rng, down, 1, down, 2);
	check(d > 1.3 && d <= 1.5);
	/* a user whole, in one step of two; and without the first, so that the second counts */
	begin(&s, DP_EACH_SUM, 0, 2, false, false, 1, false, 0);
	d = shown(&s, rng, twice, 2, NULL, 0);
	check(d > .9 && d <= 1);
	begin(&s, DP_EACH_SUM, 0, 2, false, false, 1, false, 0);
	d = shown(&s, rng, twice, 2, twice + 1, 1);
	check(d > 1.5 && d <= 2);
	/* two keys of a step, together */
	begin(&s, DP_EACH_SUM, 0, 2, false, true, 2, true, 0);
	d = shown(&s, rng, keys, 2, NULL, 0);
	check(d > .9 && d <= 1);
	dp_rng_free(rng);
}

/*
 * Tables of open buckets: a late event joins the fold that is there, and a bucket that closes takes
 * its folds with it.
 */
static void
test_rows(void)
{
	static struct setting s;
	struct dp_folded f;
	struct dp_event v = { .value = 1, .counts = true, .user = { "a", 1 } };
	static const struct {
		size_t row;
		int64_t number, before, now;
		bool was, close;
	} at[] = {
		{ 0, 1, 0, 1, false, false }, { 1, 5, 0, 5, false, false },
		{ 0, 2, 1, 3, true, false }, { 1, -2, 5, 3, true, true },
		/* what was the second is the first, and the second is new */
		{ 0, 1, 3, 4, true, false }, { 1, 7, 0, 7, false, true },
		{ 0, 1, 7, 8, true, true }, { 0, 2, 0, 2, false, false },
		{ 0, 90, 2, 9, true, false }, { 0, -85, 9, 7, true, false }
	};
	size_t i;

	begin(&s, DP_EACH_SUM, -9, 9, false, false, 1, true, 0);
	s.o.time.steps = DP_BY_CLOCK;
	s.r.ring.n = 2;
	check(dp_cap_begin(&s.r) == 0);
	for (i = 0; i < sizeof at / sizeof *at; i++) {
		v.number = at[i].number;
		v.known.set = false;
		check(dp_fold_take(&s.r, at[i].row, &v, &f) == 0 && f.counts);
		check(f.was == at[i].was && f.now == at[i].now &&
		    (!f.was || f.before == at[i].before));
		if (at[i].close)
			dp_cap_close(&s.r);
	}
	dp_cap_free(&s.r);
	dp_events_free(s.events);
}

/* Sums beyond 2^61, that come back as numbers leave; and a fold's own, which stays there. */
static void
test_large(void)
{
	static struct setting s;
	const int64_t most = (int64_t)1 << 61;
	struct dp_folded f;
	struct dp_event v = { .value = 1, .counts = true, .user = { "a", 1 },
	    .number = DP_VALUE_MAX };
	int64_t sum = 0;
	unsigned i;

	begin(&s, DP_EACH_SUM, -9, 9, false, false, 1, true, 0);
	for (i = 0; i < 100; i++)
		check(dp_carry_move(&s.r, 0, 0, &sum, most) == 0);
	check(dp_carry_sum(&s.r, 0, 0, sum) == 100 * (dp_wide)most && sum <= most);
	for (i = 0; i < 150; i++)
		check(dp_carry_move(&s.r, 0, 0, &sum, -most + 1) == 0);
	check(dp_carry_sum(&s.r, 0, 0, sum) == -50 * (dp_wide)most + 150);
	check(dp_carry_sum(&s.r, 1, 0, 5) == 5);
	free(s.r.ring.carry);
	check(dp_cap_begin(&s.r) == 0);
	for (i = 0; i < 100; i++)
		check(dp_fold_take(&s.r, 0, &v, &f) == 0 && f.now == 9);
	v.number = -DP_VALUE_MAX;
	for (i = 0; i < 31; i++)	/* 2^61 is 32 of them */
		check(dp_fold_take(&s.r, 0, &v, &f) == 0 && f.now == 9);
	check(dp_fold_take(&s.r, 0, &v, &f) == 0 && f.now == 0);
	dp_cap_free(&s.r);
	dp_events_free(s.events);
}

/* Adds a user's events, in their order: whole steps since the first one, 0, 1 and more. */
static void
model(const struct event *e, unsigned n, uint64_t K, int64_t *x)
{
	int64_t value[STEPS] = { -1, -1, -1 };		/* none */
	unsigned i, t, first = STEPS;

	for (i = 0; i < n; i++) {
		first = first == STEPS ? e[i].step : first;
		if (e[i].step < first || (value[e[i].step] < 0 && K == 0))
			continue;
		K -= value[e[i].step] < 0;
		value[e[i].step] = value[e[i].step] > 0 || e[i].value > 0;
	}
	for (t = first; t < STEPS; t++)
		x[3 * t + (t - first < 2 ? t - first : 2)] += value[t] > 0;
}

static void
ages(uint64_t K)
{
	static char names[3][2] = { "0", "1", "+" }, *name[] = { names[0], names[1], names[2] };
	static const struct event other[] = { { 0, 0, 2 }, { 1, 0, -1 } };
	struct moved unit = { 0 }, part = { 0 };
	struct dp_mech_rule rule;
	static struct setting s;
	int64_t x[STEPS * NUMBERS], want[STEPS * NUMBERS];
	struct event e[EVENTS];
	size_t code, count;
	bool good = true;
	unsigned n;

	begin(&s, DP_EACH_ANY, 0, 1, false, false, K, false, 0);
	s.o.users.retention = 1;
	s.o.keys.n = 3;
	s.o.keys.name = name;
	s.r.cap.most = K * STEPS;
	s.r.col.width = dp_options_numbers(&s.o, &s.tool);
	dp_options_setting(&s.o, &s.tool, &rule);
	check(s.r.col.width == 3 && rule.privacy.l1 == K);
	for (n = 0, count = 1; n <= EVENTS; n++, count *= s.kinds)
		for (code = 0; code < count; code++) {
			stream(&s, code, n, e);
			numbers_of(&s, e, n, x);
			memset(want, 0, sizeof want);
			model(e, n, K, want);
			model(other, 2, K, want);
			good &= memcmp(x, want, 3 * STEPS * sizeof *x) == 0;
		}
	check(good);
	attack(&s, &unit, &part);
	planned_for(&rule, &unit);
	check(unit.l1 == K && rule.privacy.spacing == 1 && unit.steps == K && unit.each == 1);
	check(part.l1 == (K == 3 ? 5 : 2 * K));		/* of three steps there are no six */
}

/*
 * --counter: adds a user's increases, of readings of one key, by cell, each sum clamped to 0:2; K
 * cells count.  0, 2 and 4 rise, fall and stand still.
 */
static void
model_counter(const struct setting *s, const struct event *e, unsigned n, int64_t *x)
{
	const size_t w = numbers(s);
	int64_t cell[STEPS * KEYS] = { 0 };
	bool in[STEPS * KEYS] = { false };
	uint64_t cells = 0;
	unsigned i, j, c;

	for (i = 0; i < n; i++) {
		for (j = i; j > 0 && e[j - 1].key != e[i].key; j--)
			;
		c = e[i].step * (unsigned)w + e[i].key;
		if (j == 0 || (!in[c] && !s->o.users.per_step && cells++ >= s->o.users.most))
			continue;
		in[c] = true;
		cell[c] += e[i].value - (e[i].value < e[j - 1].value ? 0 : e[j - 1].value);
	}
	for (c = 0; c < STEPS * w; c++)
		x[c] += cell[c] < 2 ? cell[c] : 2;
}

/* The numbers are the model's, of a user's stream and of another user's two readings. */
static bool
as_model(struct setting *s)
{
	struct event other[] = { { 0, 0, 2 }, { 1, s->o.keys.n != 0, 4 } }, e[EVENTS];
	int64_t x[STEPS * NUMBERS], want[STEPS * NUMBERS];
	size_t code, count;
	bool good = true;
	unsigned n;

	for (n = 0, count = 1; n <= EVENTS; n++, count *= s->kinds)
		for (code = 0; code < count; code++) {
			stream(s, code, n, e);
			numbers_of(s, e, n, x);
			memset(want, 0, sizeof want);
			model_counter(s, e, n, want);
			model_counter(s, other, 2, want);
			good &= memcmp(x, want, STEPS * numbers(s) * sizeof *x) == 0;
		}
	return good;
}

/*
 * K cells of 2 each, of which three readings fill two; of one step's events that one, and the next
 * that is counted.  Contributions: that one leaves one number there, and comes to another, which is
 * more than two records, so the options refuse them (and keys).
 */
static void
counters(uint64_t K, bool per_step, uint64_t spacing, bool keyed, bool contributions)
{
	struct moved unit = { 0 }, part = { 0 };
	struct dp_mech_rule rule;
	static struct setting s;

	value_of[2] = read_next = 4;
	begin(&s, DP_EACH_SUM, 0, 2, contributions, keyed, K, per_step, spacing);
	s.o.users.counter = true;
	dp_options_setting(&s.o, &s.tool, &rule);
	check(rule.privacy.l1 == 2 * (per_step ? 2 : K));
	check(contributions || spacing != 0 || as_model(&s));
	attack(&s, &unit, &part);
	if (per_step && contributions) {
		check(unit.l1 == 6);
	} else {
		planned_for(&rule, &unit);
		check(unit.l1 == (per_step || K > 1 ? 4 : 2));
		check(part.l1 <= rule.privacy.l1 * (per_step ? 1 : 2));
	}
	value_of[2] = read_next = -1;
}

static void
test_counters(void)
{
	uint64_t K;

	counters(1, true, 0, false, false);
	counters(1, true, 0, false, true);
	counters(2, false, 2, false, false);
	for (K = 1; K <= 3; K++) {
		counters(K, false, 0, false, false);
		counters(K, false, 0, false, true);
		counters(K, false, 0, true, false);
		counters(K, false, 0, true, true);
	}
}

/* What two steps lose together where noise is for both. */
static void
test_linked(void)
{
	static const struct event all[] = { { 0, 0, 0 }, { 1, 0, 2 }, { 2, 0, 2 } };
	static const struct event less[] = { { 0, 0, 0 }, { 2, 0, 2 } };
	static struct setting s;
	struct dp_rng *rng;
	double d;

	if (dp_rng_open_seed(&rng, 4) != 0)
		abort();
	begin(&s, DP_EACH_SUM, 0, 2, false, false, 1, true, 0);
	s.o.users.counter = true;
	d = shown(&s, rng, all, 3, less, 2);
	check(d > .9 && d <= 1);
	dp_rng_free(rng);
}

int
main(void)
{
	uint64_t K;

	PART(test_reaches());
	PART(test_law());
	PART(test_rows());
	PART(test_large());
	for (K = 1; K <= 3; K++)
		PART(ages(K));
	PART(test_counters());
	PART(test_linked());
	return done();
}
