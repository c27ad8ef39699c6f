#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filtered.h"
#include "longsum.h"
#include "powers.h"
#include "table.h"

extern const struct dp_mech_ops dp_input_filtered_ops;

/* From power STEEP on the first STEEP_LAGS weights serve as they are: the rest is below 4e-14. */
#define STEEP		8.0
#define STEEP_LAGS	48
#define DIRECT		1024	/* TABLE: so many weights are added up one by one */
#define LAW_EXACT	256	/* lags with a term of their own in the law of a decay */

struct filtered {
	struct dp_mech m;
	struct dp_task task;
	struct dp_gen *gen;		/* NULL: noise */
	struct dp_noise noise;
	uint64_t ring;			/* values of y kept */
	unsigned shift;			/* WINDOW: last bits left out to fit a word; 0: two words */
	size_t gen_at, ring_at;		/* bytes into the column */
	double unit;			/* 10^decimals */
	struct dp_table table;		/* TABLE and steep POLY */
	double steep[STEEP_LAGS];	/* steep POLY: its weights */
	struct dp_longsum *sum;		/* TABLE of more than DIRECT weights */
	size_t sum_at;			/* bytes into the column */
	struct dp_powers powers;	/* POLY otherwise */
};

/* Column: this, then the generator's column, then the ring; beside it the long sum's state. */
struct column {
	struct fixed {
		dp_wide whole;
		uint64_t part;		/* units of 2^-64 */
	} sum[DP_WINDOWS_MAX];		/* WINDOW: wider than its terms */
	dp_wide ahead[DP_GEN_BLOCK];	/* the generator's block */
	double s[DP_POWERS_MAX];	/* EXP: s[0]; POLY: one each */
};

void
dp_filtered_destroy(struct dp_mech *m)
{
	struct filtered *f = (void *)m;

	dp_gen_free(f->gen);
	dp_longsum_free(f->sum);
}

/* Steep powers: few lags matter, and the exponentials would be many. */
static void
steep(struct filtered *f, struct dp_params *params)
{
	for (f->table.n = 0; f->table.n < STEEP_LAGS; f->table.n++)
		f->steep[f->table.n] = dp_params_real(params,
		    dp_task_weight(&f->task, f->table.n), 0, 1);
	f->table.g = f->steep;
}

/* How many last bits of y, all of them 0, leave room for the rest in a word; 0: none would. */
static unsigned
narrow(const struct filtered *f, const struct dp_mech_rule *rule)
{
	const unsigned fraction = f->gen != NULL ? f->gen->fraction : 0;

	if (f->task.what != DP_TASK_WINDOW || fraction > 56 || rule->most == 0 ||
	    rule->most >> (60 - fraction) != 0)
		return 0;
	return 64 - fraction;
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

/* A long table; values that are never reached need no weights. */
static int
lengthen(struct filtered *f, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	const size_t n = T != 0 && T < f->table.n ? (size_t)T : f->table.n;
	int e;

	if (f->task.what != DP_TASK_TABLE || n <= DIRECT || rule->privacy.dry)
		return 0;
	if ((e = dp_longsum_create(&f->sum, f->table.g, n, most(f, rule))) != 0)
		return e;
	f->sum_at = f->m.column;
	f->m.beside = dp_longsum_bytes(f->sum);
	f->m.column += f->m.beside;
	return 0;
}

static int
lay_out(struct filtered *f, const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &f->task;
	size_t word;
	unsigned i;

	f->shift = narrow(f, rule);
	word = k->what == DP_TASK_WINDOW && f->shift == 0 ? sizeof(dp_wide) : 8;
	f->table.g = k->g;
	f->table.n = k->what == DP_TASK_TABLE ? k->ng : 0;
	if (k->what == DP_TASK_POLY && k->power >= STEEP)
		steep(f, rule->privacy.params);
	f->ring = f->table.n;
	for (i = 0; i < k->windows; i++)
		f->ring = k->w[i] > f->ring ? k->w[i] : f->ring;
	if (f->ring > DP_WINDOW_MAX)
		return DP_ENOMEM;
	f->gen_at = sizeof(struct column);
	f->ring_at = f->gen_at + (f->gen != NULL ? f->gen->column : 0);
	f->m.column = (f->ring_at + f->ring * word + 15) & ~(size_t)15;
	f->m.outputs = k->what == DP_TASK_WINDOW ? k->windows : 1;
	f->m.decimals = k->decimals;
	f->unit = pow(10, k->decimals);
	if (k->what == DP_TASK_POLY && f->table.n == 0)
		return dp_powers_keep(&f->powers, k->power, rule->privacy.params);
	return lengthen(f, rule);
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
	f->task = rule->task;
	f->m.noise = &f->noise;
	f->m.noisy = "every step value";
	e = gen != NULL ? gen->create(&f->gen, rule) :
	    dp_privacy_laplace(&f->noise, &rule->privacy, dp_q_make(1, 1));
	if (e == 0)
		e = lay_out(f, rule);
	if (e != 0) {
		dp_mech_free(&f->m);
		return e;
	}
	if (f->gen != NULL)
		dp_gen_lend(f->gen, &f->m);
	*out = &f->m;
	return 0;
}

/* The sum with y coming and old going, rounded half to even. */
static dp_wide
slide(struct fixed *s, dp_wide y, dp_wide old)
{
	const uint64_t half = (uint64_t)1 << 63;

	s->whole += (y >> 64) - (old >> 64);
	s->part += (uint64_t)y;
	s->whole += s->part < (uint64_t)y;
	s->whole -= s->part < (uint64_t)old;
	s->part -= (uint64_t)old;
	return s->whole + (s->part > half || (s->part == half && (s->whole & 1)));
}

static dp_wide
whole(const struct filtered *f, double v)
{
	return (dp_wide)nearbyint(v * f->unit);
}

/* The value kept at place i of the ring. */
static inline dp_wide
kept(const struct filtered *f, const void *ring, uint64_t i)
{
	return f->shift == 0 ? ((const dp_wide *)ring)[i] :
	    (dp_wide)((const int64_t *)ring)[i] * ((dp_wide)1 << f->shift);
}

static void
window(const struct filtered *f, struct column *c, uint64_t t, dp_wide y, dp_wide *est)
{
	void *ring = (char *)c + f->ring_at;
	const uint64_t n = f->ring, here = (t - 1) % n;
	uint64_t w;
	unsigned i;

	for (i = 0; i < f->task.windows; i++) {
		w = f->task.w[i];
		est[i] = slide(&c->sum[i], y,
		    t > w ? kept(f, ring, here >= w ? here - w : here + n - w) : 0);
	}
	if (f->shift == 0)
		((dp_wide *)ring)[here] = y;
	else
		((int64_t *)ring)[here] = (int64_t)(y >> f->shift);
}

/* Of a table: the last values. */
static double *
values(const struct filtered *f, struct column *c)
{
	return (double *)(void *)((char *)c + f->ring_at);
}

/* A weighted sum of many. */
static dp_wide
long_table(const struct filtered *f, struct column *c, uint64_t t, double y)
{
	const struct dp_longsum_value v = dp_longsum_step(f->sum, (char *)c + f->sum_at,
	    values(f, c), (size_t)f->ring, t, (int64_t)y);

	values(f, c)[(t - 1) % f->ring] = y;
	return dp_longsum_decimal(v, f->task.decimals);
}

/* A decay of y, which is v: in doubles, that never see x itself. */
static double
decay(const struct filtered *f, struct column *c, uint64_t t, double v)
{
	switch (f->task.what) {
	case DP_TASK_EXP:
		return c->s[0] = c->s[0] * f->task.alpha + v;
	case DP_TASK_POLY:
		return f->table.n != 0 ? dp_table_step(&f->table, values(f, c), t, v) :
		    dp_powers_step(&f->powers, c->s, v);
	case DP_TASK_TABLE:
		return dp_table_step(&f->table, values(f, c), t, v);
	case DP_TASK_COUNT:	/* create() refuses these */
	case DP_TASK_WINDOW:	/* filter() */
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return 0;
}

static void
filter(const struct filtered *f, struct column *c, uint64_t t, dp_wide y, dp_wide *est)
{
	if (f->task.what == DP_TASK_WINDOW)
		window(f, c, t, y, est);
	else if (f->sum != NULL)
		*est = long_table(f, c, t, ldexp((double)y, -64));
	else
		*est = whole(f, decay(f, c, t, ldexp((double)y, -64)));
}

/* filter() of DP_TABLE_WIDE steps, where values are weighted by a table. */
static void
filter_wide(const struct filtered *f, struct column *c, uint64_t t, const int64_t *x,
    const dp_wide *w, dp_wide *est)
{
	double y[DP_TABLE_WIDE], s[DP_TABLE_WIDE];
	size_t j;

	for (j = 0; j < DP_TABLE_WIDE; j++)
		y[j] = ldexp((double)(x[j] * ((dp_wide)1 << 64) + w[j]), -64);
	dp_table_wide(&f->table, values(f, c), t, y, s);
	for (j = 0; j < DP_TABLE_WIDE; j++)
		est[j] = whole(f, s[j]);
}

int
dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct filtered *f = (const void *)m;
	struct column *c = col;
	const dp_wide one = (dp_wide)1 << 64;
	uint64_t i = t - 1;
	int64_t z;
	int e;

	if (f->gen == NULL) {	/* nothing is drawn ahead: memory holds noisy values alone */
		if ((e = dp_draw(&f->noise, rng, &z)) != 0)
			return e;
		filter(f, c, t, ((dp_wide)*x + z) * one, est);
		return 0;
	}
	if ((i & (f->gen->block - 1)) == 0 &&
	    (e = f->gen->ops->fill(f->gen, (char *)col + f->gen_at, rng, i, c->ahead)) != 0)
		return e;
	filter(f, c, t, *x * one + c->ahead[i & (f->gen->block - 1)], est);
	return 0;
}

/* Values of y for n steps within a block: the generator's, or noise drawn for all of them. */
static int
block_noise(const struct filtered *f, struct column *c, struct dp_rng *rng, uint64_t i, size_t *n,
    const dp_wide **w, dp_wide *own)
{
	const unsigned block = f->gen != NULL ? f->gen->block : DP_GEN_BLOCK;
	const unsigned at = f->gen != NULL ? (unsigned)i & (block - 1) : 0;
	int64_t z[DP_GEN_BLOCK];
	size_t j;
	int e = 0;

	*n = *n < block - at ? *n : block - at;
	if (f->gen != NULL) {
		if (at == 0)
			e = f->gen->ops->fill(f->gen, (char *)c + f->gen_at, rng, i, c->ahead);
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
	const bool wide = f->table.n >= DP_TABLE_WIDE && f->sum == NULL;
	const dp_wide one = (dp_wide)1 << 64, *w;
	dp_wide own[DP_GEN_BLOCK];
	size_t j, k;
	int e;

	for (*done = 0; *done < n; *done += k) {
		k = n - *done;
		if ((e = block_noise(f, col, rng, t + *done - 1, &k, &w, own)) != 0)
			return e;
		for (j = 0; wide && k - j >= DP_TABLE_WIDE; j += DP_TABLE_WIDE)
			filter_wide(f, col, t + *done + j, x + *done + j, w + j, y + *done + j);
		for (; j < k; j++)
			filter(f, col, t + *done + j, x[*done + j] * one + w[j], &y[*done + j]);
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
	const struct dp_task *k = &f->task;
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

unsigned
dp_filtered_parts(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_part *part)
{
	const struct filtered *f = (const void *)m;

	return f->gen != NULL && f->gen->ops->parts != NULL ?
	    f->gen->ops->parts(f->gen, out, t, part) : 0;
}

void
dp_filtered_part(const struct dp_mech *m, unsigned out, const struct dp_part *part,
    struct dp_law *l)
{
	const struct filtered *f = (const void *)m;

	f->gen->ops->part(f->gen, out, part, l);
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
	struct dp_task k = f->task;
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
dp_filtered_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z,
    const char **what)
{
	const struct dp_gen *g = ((const struct filtered *)(const void *)m)->gen;

	return g->ops->family(g, i, z, what);
}

double
dp_filtered_unit(const struct dp_mech *m, unsigned i)
{
	const struct dp_gen *g = ((const struct filtered *)(const void *)m)->gen;

	return g->ops->unit(g, i);
}

double
dp_filtered_draws(const struct dp_mech *m)
{
	const struct dp_gen *g = ((const struct filtered *)(const void *)m)->gen;

	return g->ops->draws(g);
}

bool
dp_filtered_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct filtered *f = (const void *)m;

	return f->gen == NULL || f->gen->ops->valid == NULL ||
	    f->gen->ops->valid(f->gen, (const char *)col + f->gen_at, t);
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
