#include <math.h>

#include "certificate.h"
#include "filtered.h"

#define LAW_EXACT	256	/* lags with a term of their own in the law of a decay */

int
dp_filtered_set(struct dp_filtered *f, const struct dp_mech_rule *rule, size_t own)
{
	const struct dp_task *k = &rule->task;
	int e;

	f->filter.task = *k;
	if (k->what == DP_TASK_COUNT) {
		dp_count_set(f, own);
		return 0;
	}
	if (k->what == DP_TASK_WINDOW && (k->windows < 1 || k->w[0] == 0))
		return DP_EINVAL;
	/* between the filter's and its ring */
	f->own = sizeof(struct dp_filter_column);
	if ((e = dp_filter_set(&f->filter, rule, f->fraction, f->own + own)) != 0)
		return e;
	f->m.column = f->filter.column;
	f->m.estimate.decimals = k->decimals;
	f->m.outputs = k->what == DP_TASK_WINDOW ? k->windows : 1;
	return 0;
}

static void
widen(dp_wide *to, const int64_t *w, size_t n, unsigned fraction)
{
	size_t j;

	if (fraction == 0)		/* no word is shifted */
		for (j = 0; j < n; j++)
			to[j] = w[j] * ((dp_wide)1 << 64);
	else
		for (j = 0; j < n; j++)
			to[j] = w[j] * ((dp_wide)1 << (64 - fraction));
}

/* Values of w for n steps within a block, units of 2^-64: fill()'s, or noise drawn for them. */
static int
noise(const struct dp_filtered *f, struct dp_filter_column *c, struct dp_rng *rng, uint64_t i,
    size_t *n, const dp_wide **w, dp_wide *drawn)
{
	const uint64_t block = f->m.ops->many.fill != NULL ? f->m.block : DP_FILL - 1;
	const uint64_t at = f->m.ops->many.fill != NULL ? i & block : 0;
	int64_t z[DP_FILL];
	int e = 0;

	*n = *n < block + 1 - at ? *n : (size_t)(block + 1 - at);
	if (f->m.ops->many.fill == NULL) {	/* nothing ahead: memory holds noisy values alone */
		if ((e = dp_noise_fill(f->m.drawn.noise, rng, z, *n)) == 0)
			widen(drawn, z, *n, 0);
		*w = drawn;
		return e;
	}
	if (at == 0 && (e = f->m.ops->many.fill(&f->m, dp_filtered_own(f, c), rng, i, z)) == 0)
		widen(c->ahead, z, block + 1, f->fraction);
	*w = c->ahead + at;
	return e;
}

int
dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct dp_filtered *f = (const void *)m;
	dp_wide drawn[DP_FILL];
	const dp_wide *w;
	size_t n = 1;
	int e;

	if (f->filter.task.what == DP_TASK_COUNT)
		return dp_count_steps(f, col, rng, t, x, est, 1, &n);
	if ((e = noise(f, col, rng, t - 1, &n, &w, drawn)) == 0)
		dp_filter_step(&f->filter, col, t, *x * ((dp_wide)1 << 64) + *w, est);
	return e;
}

int
dp_filtered_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done)
{
	const struct dp_filtered *f = (const void *)m;
	dp_wide drawn[DP_FILL];
	const dp_wide *w;
	size_t k;
	int e;

	if (f->filter.task.what == DP_TASK_COUNT)
		return dp_count_steps(f, col, rng, t, x, y, n, done);
	for (*done = 0; *done < n; *done += k) {
		k = n - *done;
		if ((e = noise(f, col, rng, t + *done - 1, &k, &w, drawn)) != 0)
			return e;
		dp_filter_steps(&f->filter, col, t + *done, x + *done, w, y + *done, k);
	}
	return 0;
}

void
dp_filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e,
    void (*of)(const struct dp_mech *, unsigned out, uint64_t T, struct dp_error *))
{
	struct dp_error one = { .max = -1 };
	unsigned i;

	*e = one;
	for (i = 0; i < m->outputs; i++) {
		of(m, i, T, &one);
		if (one.max > e->max) {
			e->max = one.max;
			e->worst = one.worst;
		}
		e->mean += one.mean / m->outputs;
	}
}

bool
dp_filtered_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_filtered *f = (const void *)m;

	(void)t;
	return f->filter.task.what != DP_TASK_COUNT || dp_count_valid(f, col);
}

/* ---- independent noise on every step value ---- */

struct input {
	struct dp_filtered f;
	struct dp_noise noise;
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct input *k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0);
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->f.m;
	k->f.m.drawn.noise = &k->noise;
	k->f.m.drawn.numbers = "every step value";
	e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, 1));
	return e != 0 ? e : dp_filtered_set(&k->f, rule, 0);
}

/*
 * The term of lag d has coefficient g(d).  Long decays have more lags than a law has terms: the old
 * ones are taken together, with their mean square, so the variance stays exact.
 */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_task *k = &((const struct dp_filtered *)(const void *)m)->filter.task;
	uint64_t a = 0, b = 1, w = k->what == DP_TASK_TABLE ? k->ng : UINT64_MAX;
	double g = 1;

	if (k->what == DP_TASK_WINDOW) {
		dp_law_add(l, m->drawn.noise, 1, (double)(t < k->w[out] ? t : k->w[out]));
		return;
	}
	t = t < w ? t : w;
	for (; a < t; a = b, b = b < LAW_EXACT ? b + 1 : b + b / 16) {
		b = b < t ? b : t;
		if (k->what == DP_TASK_EXP && a < LAW_EXACT)
			g = a == 0 ? 1 : g * k->alpha;
		else if (b == a + 1)
			g = dp_task_weight(k, a);
		else
			g = sqrt(dp_task_squares(k, a, b) / (double)(b - a));
		if (g < 1e-12)		/* nothing to any digit of the variance */
			break;
		dp_law_add(l, m->drawn.noise, g, (double)(b - a));
	}
}

/* Variance of step t: V sum_{d<t} g(d)^2; sum over t: V sum_d (T - d) g(d)^2. */
static void
error_of(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	struct dp_task k = ((const struct dp_filtered *)(const void *)m)->filter.task;
	const double v = dp_noise_variance(m->drawn.noise);

	k.w[0] = k.w[out];
	e->max = v * dp_task_squares(&k, 0, T);
	e->mean = v * (dp_task_squares(&k, 0, T) - dp_task_moment(&k, 0, T) / (double)T);
	e->worst = T;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of);
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, 1);
}

const struct dp_mech_ops dp_input_filtered_ops = {
	.name = "input",
	.say.source = "noise on every step value, then the exact window or decay "
	    "(Bolot et al. 2013, 3)",
	.tasks = DP_TASK_WINDOW | DP_TASK_DECAY,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_RISING | DP_TRAIT_ADDS,
	.create = create, DP_FILTERED_OPERATIONS, .law.at = law, .error = error,
	.drawn.certify = certify
};
