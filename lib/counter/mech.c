/* SPDX-License-Identifier: ISC */
/* mech.c - the contract of a mechanism, and mechanisms made of others. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "account/neighbour.h"
#include "internal.h"

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

int
dp_rule_band(struct dp_mech_rule *s, const struct dp_relation *r, size_t width, uint64_t most,
    struct dp_distance *all)
{
	struct dp_distance d;
	int e;

	if ((e = dp_relation_distance(r, &d)) != 0)
		return e;
	s->band[s->bands++] = (struct dp_band){ .width = width, .reach = { .l1 = d.l1,
	    .l2squared = d.l2squared, .linf = d.linf, .columns = (unsigned)d.columns } };
	s->most = most > s->most ? most : s->most;
	all->l1 += d.l1;
	all->spread += d.spread;
	all->l2squared += d.l2squared;
	all->wide |= d.wide || all->l2squared >= (uint64_t)1 << 62;
	all->linf = d.linf > all->linf ? d.linf : all->linf;
	all->columns += d.columns;
	all->cells += d.cells;
	all->l2squared = all->wide ? (uint64_t)1 << 62 : all->l2squared;
	return all->l1 < (uint64_t)1 << 50 ? 0 : DP_ERANGE;
}

int
dp_columns_start(const struct dp_mech *m, char *col, size_t n, struct dp_rng *rng)
{
	int e = 0;

	for (; n > 0 && e == 0; n--, col += m->column)
		e = dp_mech_start(m, col, rng);
	return e;
}

int
dp_columns_each(const struct dp_mech *m, void *col, size_t stride, size_t n, struct dp_rng *rng,
    uint64_t t, const int64_t *x, dp_wide *est)
{
	int e = 0;

	for (; n > 0 && e == 0; n--) {
		e = m->ops->step(m, col, rng, t, x, est);
		col = (char *)col + stride;
		x += m->inputs;
		est = est == NULL ? NULL : est + m->outputs;
	}
	return e;
}

int
dp_columns_step(const struct dp_mech *m, void *col, size_t stride, size_t n, struct dp_rng *rng,
    uint64_t t, const int64_t *x, dp_wide *est)
{
	return (m->ops->many.columns != NULL ? m->ops->many.columns : dp_columns_each)(m, col,
	    stride, n, rng, t, x, est);
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
	case DP_TASK_OWN:
		return k->what;
	case DP_TASK_GRADUAL:	/* a curve: or what protects every step for ever, too */
		return k->ng == 0 ? DP_TASK_GRADUAL : DP_TASK_GRADUAL | DP_TASK_COUNT;
	case DP_TASK_EXPIRE:	/* the window that is still protected (mech.c) */
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
	if ((k->what != DP_TASK_MAP && (k->what != DP_TASK_GRADUAL || k->ng == 0)) ||
	    (o->tasks & k->what) != 0)
		return false;
	own->what = k->what == DP_TASK_MAP ? k->map : DP_TASK_COUNT;
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
create_mech(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
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
	if ((e = create_mech(&made, o, rule)) == 0) {
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

/* Mechanisms within a mechanism: where they lie, and a step of them all. */

static int
give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps, bool several)
{
	struct dp_part *p = &whole->part[whole->parts];

	if (whole->parts == DP_PARTS || (inner->outputs != 1 && !several)) {
		dp_mech_free(inner);
		return DP_EINVAL;
	}
	*p = (struct dp_part){ .inner = inner, .n = n, .steps = steps,
	    .stride = (inner->column + 15) & ~(size_t)15 };
	whole->parts++;
	return 0;
}

int
dp_part_give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps)
{
	return give(whole, inner, n, steps, false);
}

int
dp_part_create(struct dp_mech *whole, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule, size_t n, double steps)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	const size_t outer = dp_numbers_enter_nth(numbers, "part", whole->parts);
	struct dp_mech *inner;
	int e = dp_mech_plan(&inner, ops, rule);

	dp_numbers_leave(numbers, outer);
	return e != 0 ? e : dp_part_give(whole, inner, n, steps);
}

size_t
dp_part_place(struct dp_part *p, size_t at)
{
	p->at = at;
	return p->stride > (SIZE_MAX / 4 - at) / p->n ? SIZE_MAX : at + p->n * p->stride;
}

bool
dp_part_valid(const struct dp_part *p, const void *col, uint64_t t)
{
	const struct dp_mech *m = p->inner;
	size_t j;

	for (j = 0; m->ops->valid != NULL && j < p->n; j++)
		if (!m->ops->valid(m, dp_part_column(p, col, j), t))
			return false;
	return true;
}

int
dp_parts_create(struct dp_mech *whole, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *const counter[], const struct dp_q share[])
{
	struct dp_q left = { 1, 1 };
	struct dp_mech_rule own = *rule;
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_mech *inner;
	size_t at = 0, outer;
	unsigned g;
	int e;

	if (rule->task.what == DP_TASK_OWN)
		own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.task.statistic = NULL;
	own.inputs = 1;
	own.bands = 0;
	own.lo = 0;
	if (rule->bands == 0 || rule->bands > DP_BANDS || whole->parts != 0)
		return DP_EINVAL;
	for (g = 0; g < rule->bands; g++) {
		outer = dp_numbers_enter_nth(numbers, "band", g);
		/* what numbers of a state's columns are of */
		dp_numbers_same(numbers, "width", rule->band[g].width);
		dp_numbers_same(numbers, "moved", rule->band[g].reach.linf);
		if (dp_q_cmp(share[g], left) > 0)	/* more than all of the budget */
			return DP_EINVAL;
		left = dp_q_left(left, share[g]);
		e = dp_privacy_part(&own.privacy, &rule->privacy, share[g], &rule->band[g].reach);
		own.hi = (int64_t)rule->band[g].reach.linf;
		if (e != 0 || (e = dp_mech_plan(&inner, counter[g], &own)) != 0 ||
		    (e = give(whole, inner, rule->band[g].width, 1, true)) != 0)
			return e;
		dp_numbers_leave(numbers, outer);
		if ((at = dp_part_place(&whole->part[g], at)) == SIZE_MAX)
			return DP_ENOMEM;
		inner->estimate.between = dp_task_between(&own.task);
		whole->beside += rule->band[g].width * inner->outputs * sizeof(dp_wide);
		if (whole->estimate.first < inner->estimate.first)
			whole->estimate.first = inner->estimate.first;
	}
	whole->inputs = rule->inputs;
	whole->column = at + whole->beside;
	return 0;
}

static dp_wide *
released(const struct dp_mech *m, const void *col)
{
	return (void *)((char *)(uintptr_t)col + m->column - m->beside);
}

int
dp_parts_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x)
{
	dp_wide *y = released(m, col);
	const struct dp_part *p;
	int e = 0;

	for (p = m->part; p < m->part + m->parts && e == 0; p++) {
		e = dp_columns_step(p->inner, dp_part_column(p, col, 0), p->stride, p->n, rng, t,
		    x, y);
		x += p->n;
		y += p->n * p->inner->outputs;
	}
	return e;
}

const dp_wide *
dp_parts_numbers(const struct dp_mech *m, const void *col)
{
	return released(m, col);
}

void
dp_parts_add(const struct dp_mech *m, void *col, size_t place, int64_t v)
{
	const struct dp_part *p = m->part;

	for (; place >= p->n; p++)
		place -= p->n;
	p->inner->ops->open.add(p->inner, dp_part_column(p, col, place), 0, v);
}

bool
dp_parts_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	unsigned g;

	for (g = 0; g < m->parts; g++)
		if (!dp_part_valid(&m->part[g], col, t))
			return false;
	return true;
}

void
dp_parts_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;		/* a column's, whatever is made of them */
	m->part->inner->ops->law.at(m->part->inner, 0, t, l);
}

double
dp_parts_bound(const struct dp_mech *m, unsigned g, uint64_t t, double gamma)
{
	struct dp_law *law = malloc(sizeof *law);
	double w = NAN;

	if (law != NULL) {
		dp_mech_law(m->part[g].inner, 0, t, law);
		w = dp_law_bound(law, gamma);
	}
	free(law);
	return w;
}

/*
 * A running count under sharp expiry: PRIVACYEXPIRATION, Bolot et al. 2013, Algorithm 5.
 *
 * At step t the last W steps are protected and older ones public.  The estimate is the exact sum of
 * x_1, .., x_(t-W) plus the inner mechanism's estimate of the last W steps' sum.  While step i is
 * protected (t < i + W), its value reaches the outputs through inner alone, so the loss is inner's;
 * error and law are inner's too.  From step i + W on two successive estimates may show x_i exactly:
 * that is what expiry means.
 *
 * The column: the exact sum, the last W raw values (never pan-private), then inner's column.
 */

#define WINDOW_MAX	((uint64_t)1 << 32)

struct expire {
	struct dp_mech m;		/* its part: the window that is protected */
	uint64_t w;
};

struct column {
	dp_wide older;
};

static const struct dp_mech_ops expire_ops;

int
dp_expire_wrap(struct dp_mech **out, struct dp_mech *inner, uint64_t W)
{
	struct expire *k;
	int e;

	/* nothing expires before T */
	if (inner->horizon != 0 && W > inner->horizon)
		W = inner->horizon;
	if (inner->outputs != 1 || inner->estimate.decimals != 0 || W == 0 || W > WINDOW_MAX) {
		dp_mech_free(inner);
		return DP_EINVAL;
	}
	if ((k = dp_mech_alloc(&expire_ops, sizeof *k, inner->horizon, 0)) == NULL) {
		dp_mech_free(inner);
		return DP_ENOMEM;
	}
	*out = &k->m;
	if ((e = dp_part_give(&k->m, inner, 1, 1)) != 0)
		return e;
	/* inner's column begins on a cache line if ours does */
	k->m.column = dp_part_place(k->m.part,
	    (sizeof(struct column) + (size_t)W * sizeof(int64_t) + 63) & ~(size_t)63);
	k->w = W;
	return 0;
}

static int
expire_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct expire *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->w;
	int e;

	if ((e = dp_part_step(m->part, col, 0, rng, t, x, est)) != 0)
		return e;
	c->older = dp_wrapped(c->older, raw[p]);	/* x_(t-W), or 0 */
	raw[p] = *x;
	*est = dp_wrapped(*est, c->older);
	return 0;
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	const struct expire *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->w;
	size_t i;
	int e;

	e = dp_mech_steps(m->part->inner, dp_part_column(m->part, col, 0), rng, t, x, y, n, done);
	for (i = 0; i < *done; i++) {
		c->older += raw[p];
		raw[p] = x[i];
		y[i] += c->older;
		p = p + 1 == k->w ? 0 : p + 1;
	}
	return e;
}

static void
expire_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part->inner, T, e);
}

static const struct dp_mech_ops expire_ops = {
	.name = "expire",
	.say.source = "exact older sum and a private window (Bolot et al. 2013, Algorithm 5)",
	.tasks = DP_TASK_EXPIRE,
	.traits = DP_TRAIT_ENDLESS,
	.step = expire_step, .many.steps = steps, .law.at = dp_parts_law, .error = expire_error,
	.valid = dp_parts_valid, .drawn.certify = dp_certificate_parts
};
