#include <math.h>

#include "filter.h"
#include "filtered.h"

extern const struct dp_mech_ops dp_input_filtered_ops;

#define LAW_EXACT	256	/* lags with a term of their own in the law of a decay */

struct filtered {
	struct dp_mech m;
	struct dp_gen *gen;		/* NULL: noise */
	struct dp_noise noise;
	struct dp_filter filter;
};

/* The generator's column is between the filter's and its ring. */
static void *
gen_column(void *col)
{
	return (struct dp_filter_column *)col + 1;
}

void
dp_filtered_destroy(struct dp_mech *m)
{
	struct filtered *f = (void *)m;

	dp_gen_free(f->gen);
	dp_filter_clear(&f->filter);
}

/* The most that a noisy step value can be; 0: not known.  No noise is above 45000 b (noise.h). */
static uint64_t
most(const struct filtered *f, const struct dp_mech_rule *rule)
{
	const struct dp_q b = f->noise.param;

	if (rule->most == 0 || f->noise.kind == DP_NOISE_NONE)
		return rule->most;
	return rule->most + ((b.num / b.den + 1) << 16);
}

int
dp_filtered_create(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *ops, const struct dp_gen_ops *gen)
{
	struct filtered *f;
	int e;

	if (rule->task.what == DP_TASK_WINDOW && (rule->task.windows < 1 || rule->task.w[0] == 0))
		return DP_EINVAL;
	if ((f = dp_mech_alloc(ops, sizeof *f, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	f->m.noise = &f->noise;
	f->m.noisy = "every step value";
	e = gen != NULL ? gen->create(&f->gen, rule) :
	    dp_privacy_laplace(&f->noise, &rule->privacy, dp_q_make(1, 1));
	if (e == 0)
		e = dp_filter_set(&f->filter, rule, f->gen != NULL ? f->gen->fraction : 0,
		    most(f, rule), sizeof(struct dp_filter_column) +
		    (f->gen != NULL ? f->gen->column : 0));
	if (e != 0) {
		dp_mech_free(&f->m);
		return e;
	}
	f->m.column = f->filter.column;
	f->m.beside = f->filter.beside;
	f->m.outputs = rule->task.what == DP_TASK_WINDOW ? rule->task.windows : 1;
	f->m.decimals = rule->task.decimals;
	if (f->gen != NULL)
		dp_gen_lend(f->gen, &f->m);
	*out = &f->m;
	return 0;
}

int
dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct filtered *f = (const void *)m;
	struct dp_filter_column *c = col;
	const dp_wide one = (dp_wide)1 << 64;
	uint64_t i = t - 1;
	int64_t z;
	int e;

	if (f->gen == NULL) {	/* nothing is drawn ahead: memory holds noisy values alone */
		if ((e = dp_draw(&f->noise, rng, &z)) != 0)
			return e;
		dp_filter_step(&f->filter, c, t, ((dp_wide)*x + z) * one, est);
		return 0;
	}
	if ((i & (f->gen->block - 1)) == 0 &&
	    (e = f->gen->ops->fill(f->gen, gen_column(col), rng, i, c->ahead)) != 0)
		return e;
	dp_filter_step(&f->filter, c, t, *x * one + c->ahead[i & (f->gen->block - 1)], est);
	return 0;
}

/* Values of y for n steps within a block: the generator's, or noise drawn for all of them. */
static int
block_noise(const struct filtered *f, struct dp_filter_column *c, struct dp_rng *rng, uint64_t i,
    size_t *n, const dp_wide **w, dp_wide *own)
{
	const unsigned block = f->gen != NULL ? f->gen->block : DP_GEN_BLOCK;
	const unsigned at = f->gen != NULL ? (unsigned)i & (block - 1) : 0;
	int64_t z[DP_GEN_BLOCK];
	size_t j;
	int e = 0;

	*n = *n < block - at ? *n : block - at;
	if (f->gen != NULL) {
		if (at == 0)
			e = f->gen->ops->fill(f->gen, gen_column(c), rng, i, c->ahead);
		*w = c->ahead + at;
		return e;
	}
	if ((e = dp_noise_fill(&f->noise, rng, z, *n)) != 0)
		return e;
	for (j = 0; j < *n; j++)
		own[j] = (dp_wide)z[j] * ((dp_wide)1 << 64);
	*w = own;
	return 0;
}

int
dp_filtered_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done)
{
	const struct filtered *f = (const void *)m;
	const dp_wide *w;
	dp_wide own[DP_GEN_BLOCK];
	size_t k;
	int e;

	for (*done = 0; *done < n; *done += k) {
		k = n - *done;
		if ((e = block_noise(f, col, rng, t + *done - 1, &k, &w, own)) != 0)
			return e;
		dp_filter_steps(&f->filter, col, t + *done, x + *done, w, y + *done, k);
	}
	return 0;
}

/*
 * Independent noise: the term of lag d has coefficient g(d).  Long decays have more lags than a law
 * has terms: the old ones are taken together, with their mean square, so the variance stays exact.
 */
static void
input_law(const struct filtered *f, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_task *k = &f->filter.task;
	uint64_t a = 0, b = 1, w = k->what == DP_TASK_TABLE ? k->ng : UINT64_MAX;
	double g = 1;

	if (k->what == DP_TASK_WINDOW) {
		dp_law_add(l, &f->noise, 1, (double)(t < k->w[out] ? t : k->w[out]));
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
		dp_law_add(l, &f->noise, g, (double)(b - a));
	}
}

void
dp_filtered_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct filtered *f = (const void *)m;

	if (f->gen != NULL)
		f->gen->ops->law(f->gen, out, t, l);
	else
		input_law(f, out, t, l);
}

uint64_t
dp_filtered_cycle(const struct dp_mech *m, unsigned out, uint64_t *from)
{
	const struct filtered *f = (const void *)m;

	return f->gen != NULL && f->gen->ops->cycle != NULL ?
	    f->gen->ops->cycle(f->gen, out, from) : 0;
}

/* Variance of step t: V sum_{d<t} g(d)^2; sum over t: V sum_d (T - d) g(d)^2. */
static void
input_error(const struct filtered *f, unsigned out, uint64_t T, struct dp_error *e)
{
	struct dp_task k = f->filter.task;
	double v = dp_noise_variance(&f->noise);

	k.w[0] = k.w[out];
	e->max = v * dp_task_squares(&k, 0, T);
	e->mean = v * (dp_task_squares(&k, 0, T) - dp_task_moment(&k, 0, T) / (double)T);
	e->worst = T;
}

void
dp_filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct filtered *f = (const void *)m;
	struct dp_error one;
	unsigned i;

	*e = (struct dp_error){ .max = -1 };
	for (i = 0; i < m->outputs; i++) {
		if (f->gen != NULL)
			f->gen->ops->error(f->gen, i, T, &one);
		else
			input_error(f, i, T, &one);
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
	const struct filtered *f = (const void *)m;

	return f->gen == NULL || f->gen->ops->valid == NULL ||
	    f->gen->ops->valid(f->gen, (const struct dp_filter_column *)col + 1, t);
}

static int
input_create(struct dp_mech **m, const struct dp_mech_rule *rule)
{
	return dp_filtered_create(m, rule, &dp_input_filtered_ops, NULL);
}

const struct dp_mech_ops dp_input_filtered_ops = {
	.name = "input",
	.source = "noise on every step value, then the exact window or decay "
	    "(Bolot et al. 2013, 3)",
	.tasks = DP_TASK_WINDOW | DP_TASK_DECAY,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_RISING,
	.create = input_create, DP_FILTERED_OPERATIONS
};
