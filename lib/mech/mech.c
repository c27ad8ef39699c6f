#include <math.h>
#include <stdlib.h>

#include "expire.h"
#include "part.h"

#define LINE	64		/* bytes */
#define BRUTE	4096		/* steps tried one by one when a mechanism has no formula */

void *
dp_mech_alloc(const struct dp_mech_ops *ops, size_t n, uint64_t horizon, size_t column)
{
	/* noise tables are aligned to a cache line; zeros that nobody reads take no memory */
	char *memory = calloc(1, n + LINE - 1);
	struct dp_mech *m;

	if (memory == NULL)
		return NULL;
	m = (void *)(memory + (-(uintptr_t)memory & (LINE - 1)));
	m->memory = memory;
	m->ops = ops;
	m->horizon = horizon;
	m->column = column;
	m->inputs = m->outputs = m->estimate.alike = 1;
	m->drawn.unit = m->off.worst_of = 1;
	m->off.most = INFINITY;
	m->estimate.first = 1;
	m->drawn.distribution = ops->say.noise;
	return m;
}

void
dp_mech_free(struct dp_mech *m)
{
	unsigned i;

	if (m == NULL)
		return;
	for (i = 0; i < m->parts; i++)
		dp_mech_free(m->part[i].inner);
	if (m->ops->destroy != NULL)
		m->ops->destroy(m);
	free(m->memory);
}

static void
paid(struct dp_mech *m, const struct dp_privacy *p)
{
	m->epsilon = p->epsilon;
	m->delta = p->delta;
	m->l1 = p->l1;
}

int
dp_mech_plan(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	int e;

	*m = NULL;
	if ((e = o->create(m, o, rule)) != 0) {
		dp_mech_free(*m);
		*m = NULL;
	} else
		paid(*m, &rule->privacy);
	return e;
}

/* Abilities by which a mechanism serves for this task: one of them is enough. */
static unsigned
serving(const struct dp_task *k)
{
	switch (k->what) {
	case DP_TASK_COUNT:
	case DP_TASK_WINDOW:
	case DP_TASK_EXP:
	case DP_TASK_POLY:
	case DP_TASK_TABLE:
	case DP_TASK_GRADUAL:
	case DP_TASK_OWN:
		return k->what;
	case DP_TASK_EXPIRE:	/* the window that is still protected (expire.c) */
		return DP_TASK_WINDOW;
	case DP_TASK_MAP:	/* or what protects every step for ever */
		return DP_TASK_MAP | (unsigned)k->map;
	}
	return 0;
}

bool
dp_mech_does(const struct dp_mech_ops *o, const struct dp_task *k)
{
	const struct dp_statistic *own = k->what == DP_TASK_OWN ? k->statistic : NULL;

	return (o->tasks & serving(k)) != 0 && o->statistic == own;
}

bool
dp_mech_spares(const struct dp_mech_ops *o, const struct dp_task *k, struct dp_task *own)
{
	*own = *k;
	if (k->what != DP_TASK_MAP || (o->tasks & DP_TASK_MAP) != 0)
		return false;
	own->what = k->map;
	own->windows = 0;
	return true;
}

/*
 * The numbers of a task that come from a logarithm or a power.  A table's weights are read again,
 * and must be the same.
 */
static void
fix_task(struct dp_task *k, struct dp_numbers *p)
{
	const size_t outer = dp_numbers_enter(p, "task");

	k->alpha = dp_numbers_real(p, "alpha", k->alpha, 0, 1);
	k->power = dp_numbers_real(p, "power", k->power, 0, 64);
	k->beta = dp_numbers_real(p, "beta", k->beta, 0, 1);
	k->lambda = dp_numbers_real(p, "lambda", k->lambda, 0, 8);
	dp_numbers_same_bytes(p, "weights", k->g, k->ng * sizeof *k->g);
	dp_numbers_leave(p, outer);
}

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;
	struct dp_mech *inner;
	struct dp_task task;
	int e;

	fix_task(&own.task, rule->privacy.numbers);
	if (rule->task.what != DP_TASK_OWN && rule->task.statistic != NULL) {
		if ((e = rule->task.statistic->make(m, &own, o)) == 0)
			(*m)->measure = dp_task_measure(&rule->task);
		return e;
	}
	if (rule->task.what == DP_TASK_EXPIRE) {
		own.task.what = DP_TASK_WINDOW;
		e = dp_mech_plan(&inner, o, &own);
		return e != 0 ? e : dp_expire_wrap(m, inner, rule->task.w[0]);
	}
	task = own.task;
	(void)dp_mech_spares(o, &task, &own.task);
	if ((e = o->create(m, o, &own)) == 0) {
		(*m)->measure = dp_task_measure(&rule->task);
		(*m)->estimate.between = dp_task_between(&rule->task);
	}
	return e;
}

int
dp_mech_create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	static const unsigned char bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct dp_numbers *p = rule->privacy.numbers;
	struct dp_mech *made = NULL;
	uint64_t order;
	int e;

	*m = NULL;
	if (!dp_mech_does(o, &rule->task))
		return DP_EINVAL;
	if ((e = create(&made, o, rule)) == 0) {
		/* what a column means, which is saved as it lies in memory */
		memcpy(&order, bytes, sizeof order);
		dp_numbers_leave(p, 0);
		(void)dp_numbers_enter(p, "column");
		dp_numbers_same(p, "order", order);
		dp_numbers_same(p, "bytes", made->column - made->beside);
		dp_numbers_same(p, "outputs", made->outputs);
		dp_numbers_same(p, "decimals", made->estimate.decimals);
		dp_numbers_leave(p, 0);
		dp_numbers_end(p);
		e = dp_numbers_error(p);
	}
	if (e != 0) {
		dp_mech_free(made);
		return dp_numbers_replays(p) && dp_numbers_error(p) != 0 ? dp_numbers_error(p) : e;
	}
	paid(made, &rule->privacy);
	*m = made;
	return 0;
}

int
dp_mech_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done)
{
	int e;

	if (m->ops->many.steps != NULL)
		return m->ops->many.steps(m, col, rng, t, x, y, n, done);
	for (*done = 0; *done < n; ++*done)
		if ((e = m->ops->step(m, col, rng, t + *done, &x[*done], &y[*done])) != 0)
			return e;
	return 0;
}

void
dp_mech_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_law_clear(l);
	m->ops->law.at(m, out, t, l);
	l->between = m->estimate.between;
}

double
dp_mech_variance(const struct dp_mech *m, uint64_t t)
{
	struct dp_law law;

	dp_mech_law(m, 0, t, &law);
	return dp_law_variance(&law);
}

/* Every step of 1..T tried by its law. */
static void
try_all(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	struct dp_law law;
	double v, sum = 0;
	uint64_t t;
	unsigned i;

	e->max = -1;
	for (t = 1; t <= T; t++)
		for (i = 0; i < m->outputs; i++) {
			dp_mech_law(m, i, t, &law);
			v = dp_law_variance(&law);
			sum += v;
			if (v > e->max) {
				e->max = v;
				e->worst = t;
				e->blind = law.blind;
			}
		}
	e->mean = sum / (double)T / m->outputs;
}

void
dp_mech_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->blind = e->still = false;
	e->none = m->answers.none * (double)T;
	e->all = m->answers.all * (double)T;
	/* where an error is the largest of many noises the law of one does not tell it */
	if (m->measure == DP_MEASURE_RMSE && (m->ops->error == NULL || (T <= BRUTE / 8 &&
	    m->outputs <= DP_WINDOWS_MAX && !m->estimate.gaps && m->off.worst_of <= 2)))
		try_all(m, T < BRUTE ? T : BRUTE, e);
	else
		m->ops->error(m, T, e);
}

void
dp_mech_error_constant(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = e->mean = dp_mech_variance(m, 1);
	e->worst = 1;
}

int
dp_mech_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_part *p;
	size_t j;
	int e;

	for (p = m->part; p < m->part + m->parts; p++)
		for (j = 0; j < p->n; j++)
			if ((e = dp_mech_start(p->inner, dp_part_column(p, col, j), rng)) != 0)
				return e;
	return m->ops->start == NULL ? 0 : m->ops->start(m, col, rng);
}

static bool
own_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	if (m->ops->drawn.family != NULL)
		return m->ops->drawn.family(m, i, z, what);
	*z = m->drawn.noise;
	*what = m->drawn.numbers;
	return i == 0 && m->drawn.noise != NULL;
}

/* The mechanism that has m's i-th family, m or one of its parts, and its number there. */
static const struct dp_mech *
whose(const struct dp_mech *m, unsigned *i)
{
	const struct dp_noise *z;
	const char *what;
	unsigned j, n;

	for (j = 0; j < m->parts; j++) {
		for (n = 0; dp_mech_family(m->part[j].inner, n, &z, &what); n++)
			if (n == *i)
				return m->part[j].inner;
		*i -= n;
	}
	return m;
}

bool
dp_mech_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_mech *of = whose(m, &i);

	return of == m ? own_family(m, i, z, what) : dp_mech_family(of, i, z, what);
}

double
dp_mech_unit(const struct dp_mech *m, unsigned i)
{
	const struct dp_mech *of = whose(m, &i);

	if (of != m)
		return m->drawn.unit * dp_mech_unit(of, i);
	return m->ops->drawn.unit != NULL ? m->ops->drawn.unit(m, i) : m->drawn.unit;
}

double
dp_mech_draws(const struct dp_mech *m)
{
	double sum = m->ops->drawn.number != NULL ? m->ops->drawn.number(m) : m->parts == 0;
	const struct dp_part *p;

	for (p = m->part; p < m->part + m->parts; p++)
		sum += (double)p->n * p->steps * dp_mech_draws(p->inner);
	return sum;
}
