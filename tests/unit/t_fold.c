/*
 * t_fold.c - --each-user: a user's events of a step, folded into one number (store/fold.c).
 *
 * ATTACK.  All streams of at most three events of one user, each in one of three steps, with one
 * of two keys and one of three values, in any order (so late ones too), between two events of
 * another user; all folds; ranges 0:2, 1:3, -1:2; sums and contributions, with keys and without;
 * -c 1/step, K/step, N, N/B.  Taking the unit away (the user; or what it does in a step) must move
 * the numbers by no more than the distance that noise is planned for, and by as much somewhere;
 * one event more or less by no more than what --explain says.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "input/event.h"
#include "job/internal.h"
#include "run/internal.h"
#include "store/internal.h"

#define STEPS	3
#define KEYS	2
#define EVENTS	3
#define NUMBERS	(2 * KEYS)	/* of a step, at most */

static struct dp_ask_range range_of;	/* what the contributions go by */

static size_t
width(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return 2;
}

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
	x[0] = (struct dp_term){ 0, value - range_of.lo };
	x[1] = (struct dp_term){ 1, range_of.hi - value };
	return 2;
}

static const struct dp_contributions adds = { 1, width, most, 2, split };

struct event {
	unsigned step, key;
	int64_t value;
};

static const int64_t value_of[] = { 0, 2, -1 };

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
	    .task.what = DP_TASK_COUNT, .form.delimiter = -1 };
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
	static const struct event other[] = { { 0, 0, 2 }, { 1, 1, -1 } };
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
			neighbours(s, e, n, unit, part);
		}
	free(s->x);
	dp_events_free(s->events);
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
	check(unit.l1 <= rule.privacy.l1 && unit.l2squared <= rule.privacy.l2squared &&
	    unit.linf <= rule.privacy.linf);
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

int
main(void)
{
	PART(test_reaches());
	return done();
}
