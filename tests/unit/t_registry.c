/* SPDX-License-Identifier: ISC */
/*
 * t_registry.c - what every mechanism on the list owes, for every task that it knows.  Without
 * noise: the task's own numbers (up to a factor .999 where buckets may lose one).  With noise: an
 * error as predicted from every step's law, and the same estimates one by one or many at a time,
 * from a column that was copied away, and from the numbers of a state, which also draw what was
 * certified.  A new mechanism is tested here without a line for it.
 */
#include <math.h>

#include "base/internal.h"
#include "job/internal.h"
#include "registry.h"

#define T	40

static int64_t
value(uint64_t t)
{
	return t * t % 7 < 3;
}

/* What step t's estimate is, or *factor of it at the least; NAN: nobody has said. */
static double
truth(const struct dp_task *k, uint64_t t, double *factor)
{
	struct dp_task own = *k;
	double sum = 0;
	uint64_t d, reach = t;

	*factor = 1;
	switch (k->what) {
	case DP_TASK_WINDOW:
		reach = t < k->w[0] ? t : k->w[0];
		break;
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
		*factor = 1 - k->beta;
		break;
	case DP_TASK_MAP:
		own.what = k->map;
		break;
	case DP_TASK_COUNT:
	case DP_TASK_GRADUAL:
	case DP_TASK_EXPIRE:
	case DP_TASK_EXP:
	case DP_TASK_OWN:	/* its own tests know it */
		break;
	}
	if (strcmp(task_name(k->what), "unknown") == 0)
		return NAN;
	if (own.what != DP_TASK_EXP && own.what != DP_TASK_POLY && own.what != DP_TASK_TABLE)
		own.what = DP_TASK_COUNT;
	for (d = 0; d < reach; d++)
		sum += (double)value(t - d) *
		    (own.what == DP_TASK_COUNT ? 1 : dp_task_weight(&own, d));
	return sum;
}

static bool
exact(const struct dp_mech_ops *o, enum dp_what what)
{
	struct dp_mech_rule r = registry_rule(o, what, true, T);
	double y, want, factor, rounding;
	struct dp_mech *m;
	struct column c;
	bool good;
	int64_t est;
	uint64_t t;

	if (dp_mech_plan(&m, o, &r) != 0)
		return false;
	rounding = m->estimate.decimals == 0 ? 0 : 1e-4;
	good = column_new(&c, m, NULL) == 0;
	for (t = 1; t <= T && good; t++) {
		good = column_step(&c, value(t), &est) == 0;
		y = (double)est * pow(10, -(double)m->estimate.decimals);
		want = truth(&r.task, t, &factor);
		good = good && y <= want + rounding && y >= want * factor - rounding;
	}
	column_free(&c);
	dp_mech_free(m);
	return good;
}

/* Predicted is tried, step by step; m has noise. */
static bool
predicted(const struct dp_mech *m)
{
	struct dp_error a, b;

	error_brute(m, T, &b);
	a = b;
	if (m->ops->error != NULL)	/* dp_mech_error() may try every step, too */
		m->ops->error(m, T, &a);
	return a.max > 0 && fabs(a.max / b.max - 1) < 1e-9 && fabs(a.mean / b.mean - 1) < 1e-9 &&
	    a.worst >= 1 && a.worst <= T && fabs(dp_mech_variance(m, a.worst) / b.max - 1) < 1e-9;
}

/* The estimates with one seed: step by step, the column moved between them, or many at a time. */
static bool
estimates(const struct dp_mech *m, bool many, dp_wide *y)
{
	struct dp_rng *rng;
	struct column c;
	int64_t x[T];
	size_t done = 0, n;
	uint64_t t;
	bool good;

	if (dp_rng_open_seed(&rng, 77) != 0)
		abort();
	good = column_new(&c, m, rng) == 0;
	for (t = 0; t < T; t++)
		x[t] = value(t + 1);
	for (t = 0; t < T && good; t += n) {
		n = many ? t % 11 + 1 < T - t ? t % 11 + 1 : T - t : 1;
		if (many) {
			good = dp_mech_steps(m, c.state, rng, t + 1, x + t, y + t, n, &done) == 0 &&
			    done == n;
		} else {
			good = m->ops->step(m, c.state, rng, t + 1, x + t, y + t) == 0;
			column_move(&c, m);
		}
		good = good && (m->ops->valid == NULL || m->ops->valid(m, c.state, t + n));
	}
	column_free(&c);
	dp_rng_free(rng);
	return good;
}

static bool
noisy(const struct dp_mech_ops *o, enum dp_what what)
{
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	dp_wide one[T + DP_WINDOWS_MAX], many[T + DP_WINDOWS_MAX];
	struct dp_mech *m;
	bool good;

	if (dp_mech_plan(&m, o, &r) != 0)
		return strcmp(o->name, "identity") == 0;
	good = m->outputs == 1 && predicted(m) && estimates(m, false, one) &&
	    estimates(m, true, many) && memcmp(one, many, T * sizeof *one) == 0;
	dp_mech_free(m);
	return good;
}

/* Of a mechanism made now, or with the numbers of before: its certificate, estimates, error. */
static bool
made(const struct dp_mech_ops *o, enum dp_what what, struct dp_numbers *numbers, struct dp_buf *b,
    dp_wide *y, struct dp_error *error)
{
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	struct dp_mech *m;
	bool good;

	r.privacy.numbers = numbers;
	if (dp_mech_plan(&m, o, &r) != 0)
		return false;
	dp_numbers_end(numbers);
	good = dp_numbers_error(numbers) == 0 && estimates(m, false, y) &&
	    (o->drawn.certify == NULL || o->drawn.certify(m, b) == 0);
	dp_mech_error(m, T, error);
	dp_mech_free(m);
	return good;
}

/* A fraction's lower side; a rate of a BLT, which its zeros and poles say as well. */
static bool
matters(const struct dp_numbers *p, const struct dp_number *v)
{
	const char *name = p->line[v->name].name, *dot = strrchr(name, '.');

	name = dot == NULL ? name : dot + 1;
	return v->kind == DP_NUMBER_DEN || (v->kind == DP_NUMBER_INT &&
	    (strcmp(name, "gap") == 0 || strcmp(name, "omega") == 0));
}

/*
 * Of a state every scale and variance that is less than is needed here is refused, and what does
 * not fit the rest.
 */
static bool
forged(const struct dp_mech_ops *o, enum dp_what what, struct dp_numbers *numbers)
{
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	struct dp_mech *m;
	uint64_t word;
	size_t i;
	int e = DP_EINVAL;

	r.privacy.numbers = numbers;
	for (i = 0; i < numbers->n && e == DP_EINVAL; i++) {
		word = numbers->number[i].word;
		if (!matters(numbers, &numbers->number[i]))
			continue;
		numbers->number[i].word = word < (uint64_t)1 << 62 ? word * 2 : word / 2;
		dp_numbers_replay(numbers);
		if ((e = dp_mech_plan(&m, o, &r)) == 0)
			dp_mech_free(m);
		numbers->number[i].word = word;
	}
	return e == DP_EINVAL;
}

/* A state goes on with the noise that it began with. */
static bool
replayed(const struct dp_mech_ops *o, enum dp_what what)
{
	dp_wide first[T + DP_WINDOWS_MAX], again[T + DP_WINDOWS_MAX];
	struct dp_error error, later;
	struct dp_numbers numbers = { 0 };
	struct dp_buf a = { 0 }, b = { 0 };
	bool good;

	if (strcmp(o->name, "identity") == 0)
		return true;
	good = made(o, what, &numbers, &a, first, &error);
	dp_numbers_replay(&numbers);
	good = good && numbers.n > 0 && made(o, what, &numbers, &b, again, &later) &&
	    memcmp(first, again, T * sizeof *first) == 0 && a.n == b.n &&
	    (a.n == 0 || memcmp(a.p, b.p, a.n) == 0) &&
	    error.max == later.max && error.mean == later.mean && forged(o, what, &numbers);
	dp_buf_free(&a);
	dp_buf_free(&b);
	dp_numbers_free(&numbers);
	return good;
}

int
main(void)
{
	const struct dp_mech_ops *o;
	unsigned i, what;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks && what < DP_TASK_OWN; what *= 2)
			if (o->tasks & what) {
				if (!exact(o, what) || !noisy(o, what))
					printf("%s, %s:\n", o->name, task_name(what));
				check(exact(o, what));
				check(noisy(o, what));
				check(replayed(o, what));
			}
	return done();
}
