/* SPDX-License-Identifier: ISC */
/*
 * t_dropped.c - --dropped: a count or a sum, and the share of events that -c leaves out
 * (stat/dropped.h).
 *
 * weights	no number of a user is above the reach, and none far below it
 * attack	all streams of at most five events of one user, each in one of two steps, with one
 *		of three values, between three events of another user; K 1, 2, D 1, 2, 3; counts,
 *		and sums of both signs; with a table for all steps, and one for each.  The numbers
 *		are those of a model; a user's events of a step there or not move them by no more
 *		than noise is planned for, and by as much somewhere.
 */
#include <getopt.h>

#include "check.h"
#include "input/event.h"
#include "job/internal.h"
#include "run/internal.h"
#include "stat/dropped.h"
#include "store/internal.h"

#define STEPS	2
#define EVENTS	5
#define KINDS	(3 * STEPS)
#define NUMBERS	DP_DROPPED_NUMBERS

static void
weight(uint64_t K, uint64_t D, int64_t lo, int64_t hi, unsigned places)
{
	const uint64_t M = (uint64_t)(hi > -lo ? hi : -lo);
	const uint64_t each[] = { K * M, K, D };
	const bool ones = lo == 0 && hi == 1 && places == 0;
	struct dp_dropped_asked k;
	int64_t x[NUMBERS];
	unsigned i;

	dp_dropped_ask(&k, K, D, lo, hi, places);
	check(k.numbers == (ones ? 2 : 3) && k.most == K && k.left == D);
	for (i = 0; i < k.numbers; i++) {
		check(k.weight[i] >= 1 && k.weight[i] * each[i + ones] <= k.reach);
		check(k.weight[i] * each[i + ones] * 16 > k.reach * 15 ||
		    k.reach > 1000000000000);
	}
	check(k.numbers * k.reach < (uint64_t)1 << 50);
	dp_dropped_split(&k, -2, x);
	check(x[0] == -2 * (int64_t)k.weight[0]);
	if (!ones)
		check(x[1] == (int64_t)k.weight[1]);
}

static void
weights(void)
{
	static const int64_t range[][2] = { { 0, 1 }, { 0, 7 }, { -5, 2 }, { 3, 1000 },
	    { -1, 0 }, { 0, 1000000007 } };
	static const uint64_t most[] = { 1, 2, 3, 7, 20, 999 };
	static const uint64_t left[] = { 1, 2, 6, 10, 70, 1009, 99990 };
	struct dp_dropped_asked k;
	unsigned r, i, j;

	for (r = 0; r < 6; r++)
		for (i = 0; i < 6; i++)
			for (j = 0; j < 7; j++) {
				weight(most[i], left[j], range[r][0], range[r][1], 0);
				weight(most[i], left[j], range[r][0], range[r][1], 2);
			}
	/* nothing is rounded where D is a multiple of K */
	dp_dropped_ask(&k, 5, 50, 0, 1, 0);
	check(k.reach == 50 && k.weight[0] == 10 && k.weight[1] == 1);
	dp_dropped_ask(&k, 5, 50, -1000, 10, 0);
	check(k.reach == 5000 && k.weight[0] == 1 && k.weight[1] == 1000 && k.weight[2] == 100);
	/* too far, and no number wraps */
	dp_dropped_ask(&k, 1000000, 10000000, 0, (int64_t)1 << 49, 0);
	check(k.reach == (uint64_t)1 << 50);
}

struct event {
	unsigned step;
	int64_t value;
};

struct setting {
	struct dp_options o;
	struct dp_run r;
	struct dp_dropped_asked k;
	char text[256];
	int64_t value[3];
	int64_t *x;		/* the numbers of each stream */
};

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_COUNT;
}

static const struct dp_tool tool = { .name = "test", .groups = DP_GROUPS_SUM | DP_GROUP_DROPPED,
    .words.noun = { "count", "sum" }, .task = task };

static void
begin(struct setting *s, uint64_t K, uint64_t D, const char *range, const char *steps)
{
	char *argv[24] = { NULL }, *word, why[DP_PLAN_WHY];
	int argc = 0;

	s->o = (struct dp_options){ 0 };
	s->r = (struct dp_run){ .o = &s->o };
	snprintf(s->text, sizeof s->text, "test -q -e inf -u 1 -c %d/step --dropped=%d %s -t 3 "
	    "--time-format=epoch --bucket=1m %s", (int)K, (int)D, range, steps);
	for (word = strtok(s->text, " "); word != NULL; word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0;
	dp_options_parse(&s->o, &tool, argc, argv);
	s->r.tool = dp_options_complete(&s->o, &tool, NULL);
	dp_options_setting(&s->o, s->r.tool, &s->r.setting);
	if (dp_plan_make(&s->r.plan, &s->r.setting, "auto", why) != 0) {
		printf("%s\n", why);
		exit(1);
	}
	dp_run_make(&s->r);
	s->k = *(const struct dp_dropped_asked *)s->o.task.own;
	s->value[0] = s->o.range.lo != 0 ? s->o.range.lo : 1;
	s->value[1] = s->o.range.hi;
	s->value[2] = 0;
}

static void
take(struct setting *s, const char *user, const struct event *e)
{
	struct dp_event v = { .number = e->value, .counts = true, .timed = true,
	    .time = e->step * 60, .user = { user, 1 } };

	v.nterms = dp_events_terms(s->r.in.events, e->value, 0, &v.term);
	v.value = v.nterms != 0;
	check(v.nterms == (e->value != 0 ? s->k.numbers - 1 : 0));
	check(dp_bucket_add(&s->r, &v) == 0);
}

/* What a user's event adds, if so many of the user's are before it in its step. */
static void
model(const struct setting *s, const struct event *e, uint64_t before, int64_t *x)
{
	const unsigned n = s->k.numbers;

	x += e->step * n;
	if (e->value == 0 || before >= s->k.most + s->k.left)
		return;
	if (before >= s->k.most) {
		x[n - 1] += (int64_t)s->k.weight[n - 1];
		return;
	}
	x[0] += e->value * (int64_t)s->k.weight[0];
	x[1] += n == 3 ? (int64_t)s->k.weight[1] : 0;
}

/* The numbers of all steps: n events of the user, and another's before and between them. */
static void
numbers_of(struct setting *s, const struct event *e, unsigned n, int64_t *x)
{
	const struct event other[] = { { 1, s->value[1] }, { 0, s->value[0] }, { 1, s->value[0] } };
	int64_t want[STEPS * NUMBERS] = { 0 };
	uint64_t seen[2][STEPS] = { { 0 } };
	unsigned i;

	memset(s->r.ring.sums, 0, STEPS * s->k.numbers * sizeof *s->r.ring.sums);
	s->r.ring.open = true;
	s->r.ring.next = 0;
	for (i = 0; i < 3 || i < n; i++) {
		if (i < 3) {
			take(s, "b", &other[i]);
			model(s, &other[i], seen[0][other[i].step]++, want);
		}
		if (i < n) {
			take(s, "a", &e[i]);
			model(s, &e[i], seen[1][e[i].step], want);
			seen[1][e[i].step] += e[i].value != 0;
		}
	}
	memcpy(x, s->r.ring.sums, STEPS * s->k.numbers * sizeof *x);
	check(memcmp(x, want, STEPS * s->k.numbers * sizeof *x) == 0);
	dp_cap_free(&s->r);
	s->r.cap.users = NULL;
	s->r.cap.row = NULL;
	check(dp_cap_begin(&s->r) == 0);
}

static size_t
place(const struct setting *s, const struct event *e, unsigned n)
{
	size_t at = 0, all = 1, code = 0;
	unsigned i, v;

	for (i = 0; i < n; i++) {
		at += all;
		all *= KINDS;
		for (v = 0; s->value[v] != e[i].value; v++)
			;
		code = code * KINDS + e[i].step * 3 + v;
	}
	return at + code;
}

static void
stream(const struct setting *s, size_t code, unsigned n, struct event *e)
{
	for (; n > 0; n--, code /= KINDS)
		e[n - 1] = (struct event){ (unsigned)(code % KINDS / 3),
		    s->value[code % KINDS % 3] };
}

struct moved {
	uint64_t l1, l2squared, linf;
};

static void
compare(const struct setting *s, const int64_t *x, const int64_t *y, struct moved *m)
{
	struct moved d = { 0 };
	uint64_t column;
	unsigned c, t;

	for (c = 0; c < s->k.numbers; c++) {
		for (t = 0, column = 0; t < STEPS; t++)
			column += (uint64_t)llabs(x[t * s->k.numbers + c] -
			    y[t * s->k.numbers + c]);
		d.l1 += column;
		d.l2squared += column * column;
		d.linf = column > d.linf ? column : d.linf;
	}
	m->l1 = d.l1 > m->l1 ? d.l1 : m->l1;
	m->l2squared = d.l2squared > m->l2squared ? d.l2squared : m->l2squared;
	m->linf = d.linf > m->linf ? d.linf : m->linf;
}

/* The stream less the events of a step. */
static void
neighbours(const struct setting *s, const struct event *e, unsigned n, struct moved *m)
{
	const size_t w = STEPS * s->k.numbers;
	struct event less[EVENTS];
	unsigned i, j, k;

	for (i = 0; i < STEPS; i++) {
		for (j = k = 0; j < n; j++)
			if (e[j].step != i)
				less[k++] = e[j];
		compare(s, s->x + w * place(s, e, n), s->x + w * place(s, less, k), m);
	}
}

static void
reaches(uint64_t K, uint64_t D, const char *range, const char *steps)
{
	size_t code, count, all, n;
	struct event e[EVENTS];
	struct moved m = { 0 };
	static struct setting s;
	uint64_t most = 0;

	begin(&s, K, D, range, steps);
	for (n = 0, all = 0, count = 1; n <= EVENTS; n++, count *= KINDS)
		all += count;
	if ((s.x = calloc(all * STEPS * s.k.numbers, sizeof *s.x)) == NULL)
		exit(1);
	for (n = 0, count = 1; n <= EVENTS; n++, count *= KINDS)
		for (code = 0; code < count; code++) {
			stream(&s, code, (unsigned)n, e);
			numbers_of(&s, e, (unsigned)n, s.x + STEPS * s.k.numbers *
			    place(&s, e, (unsigned)n));
		}
	for (n = 0, count = 1; n <= EVENTS; n++, count *= KINDS)
		for (code = 0; code < count; code++) {
			stream(&s, code, (unsigned)n, e);
			neighbours(&s, e, (unsigned)n, &m);
		}
	check(m.l1 <= s.r.setting.privacy.l1 && m.l2squared <= s.r.setting.privacy.l2squared &&
	    m.linf <= s.r.setting.privacy.linf);
	check(s.r.setting.bands == 1 && s.r.setting.band->reach.l1 == s.r.setting.privacy.l1 &&
	    s.r.setting.band->reach.l2squared == s.r.setting.privacy.l2squared);
	/* attained, but for what weights are rounded by */
	for (n = 0; n < s.k.numbers; n++)
		most += s.k.weight[n] * (n + 1 == s.k.numbers ? D : n == 0 && s.k.numbers == 3 ?
		    K * (uint64_t)s.value[1] : K);
	check(m.l1 == most && most * 16 > s.r.setting.privacy.l1 * 15);
	free(s.x);
	dp_run_free(&s.r);
	dp_options_free(&s.o);
}

static void
attack(void)
{
	static const char *const range[] = { "", "-v 2 -r -1:3", "-v 2 -r 2:5" };
	static const char *const steps[] = { "--from=0 --to=120", "-T 9 --live=1m" };
	uint64_t K, D;
	unsigned r, i;

	for (K = 1; K <= 2; K++)
		for (D = 1; D <= 3; D++)
			for (r = 0; r < 3; r++)
				for (i = 0; i < sizeof steps / sizeof *steps; i++)
					reaches(K, D, range[r], steps[i]);
}

int
main(void)
{
	PART(weights());
	PART(attack());
	return done();
}
