/* SPDX-License-Identifier: ISC */
/* filter.c - counts, windows and decays as filters of increments. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "internal.h"

static void count_set(struct dp_filtered *, size_t own);
static int count_steps(const struct dp_filtered *, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done) DP_MUSTUSE;
static int count_columns(const struct dp_filtered *, void *col, size_t stride, size_t n,
	    struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *y) DP_MUSTUSE;
static bool count_valid(const struct dp_filtered *, const void *col);
static int powers_keep(struct dp_powers *f, double c, struct dp_numbers *) DP_MUSTUSE;
static double powers_step(const struct dp_powers *, double *s, double v);
static double table_step(const struct dp_table *, double *ring, uint64_t t, double y);
static void table_wide(const struct dp_table *, double *ring, uint64_t t,
	    const double y[static DP_TABLE_WIDE], double s[static DP_TABLE_WIDE]);

#define STEEP		8.0	/* from this power on the rest of the weights is below 4e-14 */

/* Steep powers: few lags matter, and the exponentials would be many. */
static void
steep(struct dp_filter *f, struct dp_numbers *numbers)
{
	for (f->table.n = 0; f->table.n < DP_FILTER_STEEP; f->table.n++)
		f->steep[f->table.n] = dp_numbers_real(numbers, "weight",
		    dp_task_weight(&f->task, f->table.n), 0, 1);
	f->table.g = f->steep;
}

/*
 * Number of last bits of y, all of them 0, that leave room for the rest in a word; 0: none would.
 */
static unsigned
narrow(const struct dp_filter *f, const struct dp_mech_rule *rule, unsigned fraction)
{
	if (f->task.what != DP_TASK_WINDOW || fraction > 56 || rule->most == 0 ||
	    rule->most >> (60 - fraction) != 0)
		return 0;
	return 64 - fraction;
}

int
dp_filter_set(struct dp_filter *f, const struct dp_mech_rule *rule, unsigned fraction,
    size_t at)
{
	const struct dp_task *k = &rule->task;
	size_t word;
	unsigned i;

	f->task = *k;
	f->shift = narrow(f, rule, fraction);
	word = k->what == DP_TASK_WINDOW && f->shift == 0 ? sizeof(dp_wide) : 8;
	f->table.g = k->g;
	f->table.n = k->what == DP_TASK_TABLE ? k->ng : 0;
	if (k->what == DP_TASK_POLY && k->power >= STEEP)
		steep(f, rule->privacy.numbers);
	f->ring = f->table.n;
	for (i = 0; i < k->windows; i++)
		f->ring = k->w[i] > f->ring ? k->w[i] : f->ring;
	if (f->ring > DP_WINDOW_MAX)
		return DP_ENOMEM;
	f->ring_at = at;
	f->column = (at + f->ring * word + 15) & ~(size_t)15;
	f->unit = pow(10, k->decimals);
	if (k->what == DP_TASK_POLY && f->table.n == 0)
		return powers_keep(&f->powers, k->power, rule->privacy.numbers);
	return 0;
}

/* The sum with y coming and old going, rounded half to even. */
static dp_wide
slide(struct dp_fixed *s, dp_wide y, dp_wide old)
{
	const uint64_t half = (uint64_t)1 << 63;

	s->whole = dp_wrapped(s->whole, (y >> 64) - (old >> 64));
	s->part += (uint64_t)y;
	s->whole += s->part < (uint64_t)y;
	s->whole -= s->part < (uint64_t)old;
	s->part -= (uint64_t)old;
	return s->whole + (s->part > half || (s->part == half && (s->whole & 1)));
}

static dp_wide
whole(const struct dp_filter *f, double v)
{
	v = nearbyint(v * f->unit);
	/* what a forged column comes to may be no number */
	return DP_LIKELY(fabs(v) < 0x1p126) ? (dp_wide)v : 0;
}

/* The value kept at place i of the ring. */
static inline dp_wide
kept(const struct dp_filter *f, const void *ring, uint64_t i)
{
	return f->shift == 0 ? ((const dp_wide *)ring)[i] :
	    (dp_wide)((const int64_t *)ring)[i] * ((dp_wide)1 << f->shift);
}

static void
window_filter(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, dp_wide y,
    dp_wide *est)
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
values(const struct dp_filter *f, struct dp_filter_column *c)
{
	return (double *)(void *)((char *)c + f->ring_at);
}

/* A decay of y, which is v: in doubles, that never see x itself. */
static double
decay(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, double v)
{
	switch (f->task.what) {
	case DP_TASK_EXP:
		return c->s[0] = c->s[0] * f->task.alpha + v;
	case DP_TASK_POLY:
		return f->table.n != 0 ? table_step(&f->table, values(f, c), t, v) :
		    powers_step(&f->powers, c->s, v);
	case DP_TASK_TABLE:
		return table_step(&f->table, values(f, c), t, v);
	case DP_TASK_COUNT:	/* create() refuses these */
	case DP_TASK_WINDOW:	/* dp_filter_step() */
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
	case DP_TASK_MAP:
	case DP_TASK_OWN:
		break;
	}
	return 0;
}

void
dp_filter_step(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, dp_wide y,
    dp_wide *est)
{
	if (f->task.what == DP_TASK_WINDOW)
		window_filter(f, c, t, y, est);
	else
		*est = whole(f, decay(f, c, t, ldexp((double)y, -64)));
}

/* DP_TABLE_WIDE steps, where values are weighted by a table. */
static void
wide_filter(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, const int64_t *x,
    const dp_wide *w, dp_wide *est)
{
	double y[DP_TABLE_WIDE], s[DP_TABLE_WIDE];
	size_t j;

	for (j = 0; j < DP_TABLE_WIDE; j++)
		y[j] = ldexp((double)(x[j] * ((dp_wide)1 << 64) + w[j]), -64);
	table_wide(&f->table, values(f, c), t, y, s);
	for (j = 0; j < DP_TABLE_WIDE; j++)
		est[j] = whole(f, s[j]);
}

/* n steps with y = x + w / 2^64 and one output, as n calls of dp_filter_step() would, faster. */
static void
filter_steps(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t,
    const int64_t *x, const dp_wide *w, dp_wide *est, size_t n)
{
	const dp_wide one = (dp_wide)1 << 64;
	size_t j = 0;

	if (f->table.n >= DP_TABLE_WIDE)
		for (; n - j >= DP_TABLE_WIDE; j += DP_TABLE_WIDE)
			wide_filter(f, c, t + j, x + j, w + j, est + j);
	for (; j < n; j++)
		dp_filter_step(f, c, t + j, x[j] * one + w[j], &est[j]);
}

#define LAW_EXACT	256	/* lags with a term of their own in the law_filtered of a decay */

int
dp_filtered_set(struct dp_filtered *f, const struct dp_mech_rule *rule, size_t own)
{
	const struct dp_task *k = &rule->task;
	int e;

	f->filter.task = *k;
	if (k->what == DP_TASK_COUNT) {
		count_set(f, own);
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
		return count_steps(f, col, rng, t, x, est, 1, &n);
	if ((e = noise(f, col, rng, t - 1, &n, &w, drawn)) == 0)
		dp_filter_step(&f->filter, col, t, *x * ((dp_wide)1 << 64) + *w, est);
	return e;
}

int
dp_filtered_columns(const struct dp_mech *m, void *col, size_t stride, size_t n,
    struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *est)
{
	const struct dp_filtered *f = (const void *)m;

	return f->filter.task.what == DP_TASK_COUNT && f->words ?
	    count_columns(f, col, stride, n, rng, t, x, est) :
	    dp_columns_each(m, col, stride, n, rng, t, x, est);
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
		return count_steps(f, col, rng, t, x, y, n, done);
	for (*done = 0; *done < n; *done += k) {
		k = n - *done;
		if ((e = noise(f, col, rng, t + *done - 1, &k, &w, drawn)) != 0)
			return e;
		filter_steps(&f->filter, col, t + *done, x + *done, w, y + *done, k);
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
	return f->filter.task.what != DP_TASK_COUNT || count_valid(f, col);
}

/* ---- independent noise on every step value ---- */

struct input {
	struct dp_filtered f;
	struct dp_noise noise;
};

static int
filtered_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
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
law_filtered(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
error_of_filtered(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	struct dp_task k = ((const struct dp_filtered *)(const void *)m)->filter.task;
	const double v = dp_noise_variance(m->drawn.noise);

	k.w[0] = k.w[out];
	e->max = v * dp_task_squares(&k, 0, T);
	e->mean = v * (dp_task_squares(&k, 0, T) - dp_task_moment(&k, 0, T) / (double)T);
	e->worst = T;
}

static void
filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of_filtered);
}

static int
filtered_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, 1);
}

const struct dp_mech_ops dp_input_filtered_ops = {
	.name = "input",
	.say.source = "noise on every step value, then the exact window or decay "
	    "(Bolot et al. 2013, 3)",
	.tasks = DP_TASK_WINDOW | DP_TASK_DECAY,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_RISING | DP_TRAIT_ADDS,
	.create = filtered_create, DP_FILTERED_OPERATIONS, .law.at = law_filtered, .error =
	    filtered_error,
	.drawn.certify = filtered_certify
};

/*
 * Running counts: count + (w_1 + .. + w_t) / 2^fraction, or count + 2^-64 sum_i
 * floor(w_i 2^64 / parts(i)), rounded half to even to the grid.
 *
 * The estimate is a function of y (filter.h), so rounding it is post-processing; where the
 * fraction is not 0 it adds at most 1/4 to the variance, in general 1/12, which predictions leave
 * out.
 */

#define PREFETCH	8	/* columns */

/* The sum of w up to the end of this block, and up to each of its steps; then fill()'s own. */
struct wide {
	dp_wide count, noise, ahead[DP_FILL], own[];
};

struct words {
	dp_wide count;
	int64_t noise, ahead[DP_FILL], own[];
};

/* filter.c: of a COUNT */
static void
count_set(struct dp_filtered *f, size_t own)
{
	const size_t size = f->words ? sizeof(struct words) : sizeof(struct wide);

	f->own = f->words ? offsetof(struct words, own) : offsetof(struct wide, own);
	f->m.column = (size + own + 15) & ~(size_t)15;
}

/* floor(w 2^64 / n) */
static dp_wide
divide(int64_t w, uint64_t n)
{
	const dp_wide x = (dp_wide)((dp_uwide)(dp_wide)w << 64);

	return x / n - (x % n < 0);
}

/* The sums of a block; unsigned, as a forged state must not overflow. */
static void
set_ahead(const struct dp_filtered *f, void *col, uint64_t t, const int64_t *w)
{
	struct words *narrow = col;
	struct wide *c = col;
	uint64_t i, sum;

	if (f->words) {
		for (i = 0, sum = (uint64_t)narrow->noise; i <= f->m.block; i++)
			narrow->ahead[i] = (int64_t)(sum += (uint64_t)w[i]);
		narrow->noise = (int64_t)sum;
	} else
		for (i = 0; i <= f->m.block; i++)
			c->ahead[i] = c->noise = dp_wrapped(c->noise, f->parts == NULL ? w[i] :
			    divide(w[i], f->parts(f, t + i)));
}

/* Fills ahead[] if step t begins a block. */
static inline int
enter(const struct dp_filtered *f, void *col, struct dp_rng *rng, uint64_t t)
{
	int64_t w[DP_FILL];
	int e;

	if (DP_LIKELY(((t - 1) & f->m.block) != 0))
		return 0;
	if ((e = f->m.ops->many.fill(&f->m, dp_filtered_own(f, col), rng, t - 1, w)) != 0)
		return e;
	set_ahead(f, col, t, w);
	return 0;
}

/* enter() of n columns, as many at once as fills() takes. */
static int
enter_columns(const struct dp_filtered *f, void *col, size_t stride, size_t n,
    struct dp_rng *rng, uint64_t t)
{
	int64_t w[DP_FILL_COLUMNS * DP_FILL];
	char *c = col;
	unsigned some, k;
	int e = 0;

	for (; n > 0 && e == 0; n -= some) {
		some = n < DP_FILL_COLUMNS ? (unsigned)n : DP_FILL_COLUMNS;
		e = f->m.ops->many.fills(&f->m, dp_filtered_own(f, c), stride, some, rng, t - 1, w);
		for (k = 0; k < some && e == 0; k++, c += stride)
			set_ahead(f, c, t, w + k * (f->m.block + 1));
	}
	return e;
}

/*
 * n steps of one block, its i-th and those after it.  A block's values, at most 2^56 each, and
 * noise in words fit a word together.
 */
static inline void
add_count(const struct dp_filtered *f, void *col, uint64_t i, const int64_t *x, dp_wide *y,
    size_t n)
{
	const struct words *narrow = col;
	struct wide *c = col;
	const dp_wide before = c->count;
	int64_t sum = 0;
	size_t k;

	if (!f->words) {
		for (k = 0; k < n; k++) {
			c->count += x[k];
			y[k] = dp_add_noise(c->count, c->ahead[i + k], f->fraction);
		}
		return;
	}
	for (k = 0; k < n; k++) {
		sum += x[k];
		y[k] = before + (sum + narrow->ahead[i + k]);
	}
	c->count = before + sum;
}

/* filter.c: of a COUNT */
static int
count_steps(const struct dp_filtered *f, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *y, size_t n, size_t *done)
{
	const uint64_t T = f->m.horizon, left = T == 0 ? n : t > T ? 0 : T - (t - 1);
	const size_t most = n < left ? n : (size_t)left;
	uint64_t i;
	size_t k;
	int e;

	for (*done = 0; *done < most; *done += k) {
		if ((e = enter(f, col, rng, t + *done)) != 0)
			return e;
		i = (t + *done - 1) & f->m.block;
		k = (size_t)(f->m.block + 1 - i);
		if (k > most - *done)
			k = most - *done;
		add_count(f, col, i, x + *done, y + *done, k);
	}
	return most < n ? DP_EHORIZON : 0;
}

/* Of many columns few are in a cache: what the next ones have to add is asked for. */
static int
count_columns(const struct dp_filtered *f, void *col, size_t stride, size_t n,
    struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *y)
{
	const uint64_t i = (t - 1) & f->m.block;
	const bool together = i == 0 && f->m.ops->many.fills != NULL && dp_rng_unordered(rng);
	struct words *c = col;
	size_t k;
	int e;

	if (f->m.horizon != 0 && t > f->m.horizon)
		return DP_EHORIZON;
	if (together && (e = enter_columns(f, col, stride, n, rng, t)) != 0)
		return e;
	for (k = 0; k < n; k++, c = (void *)((char *)c + stride)) {
		if (i == 0 && !together && (e = enter(f, c, rng, t)) != 0)
			return e;
		__builtin_prefetch((char *)c + PREFETCH * stride, 1);
		__builtin_prefetch((char *)&c->ahead[i] + PREFETCH * stride);
		c->count += x[k];
		y[k] = c->count + c->ahead[i];
	}
	return 0;
}

/* filter.c: of a COUNT */
/* A count is one of 2^50 steps of 2^61, with room for as much again. */
static bool
count_valid(const struct dp_filtered *f, const void *col)
{
	const struct words *narrow = col;
	const dp_wide far = (dp_wide)1 << 112;
	const int64_t most = (int64_t)1 << 62;
	uint64_t i;

	if (narrow->count >= far || narrow->count <= -far)
		return false;
	if (!f->words)
		return true;
	for (i = 0; i <= f->m.block; i++)
		if (narrow->ahead[i] < -most || narrow->ahead[i] > most)
			return false;
	return narrow->noise >= -most && narrow->noise <= most;
}

/*
 * The trapezoidal rule on the real line converges geometrically: exp(-2 pi a / h) with a strip of
 * half-width a < pi/2.  It ends above where exp(-e^u) vanishes, and below where e^u times the
 * longest lag does: from there on the decays are 1, and the rest of the sum is a geometric series.
 */
static int
fit(struct dp_powers *f, double c)
{
	const double tol = 1e-10, h = 0.4 / (1 + c / 8), scale = lgamma(c);
	const double from = -40 * log(2) + log(tol), to = log(-log(tol) + 5 + 2 * c) + 1;
	double u, w;

	for (u = to, f->n = 0; u >= from; u -= h) {
		w = h * exp(c * u - exp(u) - scale);
		if (u < 0 && w < 0.1 * tol * pow(2, -40 * c))	/* nothing to any lag */
			return 0;
		if (f->n == DP_POWERS_MAX - 2)
			return DP_ERANGE;
		f->weight[f->n] = w;
		f->decay[f->n] = exp(-exp(u));
		f->n += w > 0;
	}
	f->weight[f->n] = h * exp(c * u - scale) / -expm1(-c * h);
	f->decay[f->n++] = 1;
	return 0;
}

/*
 * *f zeroed before: a fit, through numbers, or what these replay.  DP_ERANGE: too many of them;
 * DP_EINVAL: what is replayed is no fit.
 */
static int
powers_keep(struct dp_powers *f, double c, struct dp_numbers *numbers)
{
	unsigned j;
	int e;

	if (!dp_numbers_replays(numbers) && (e = fit(f, c)) != 0)
		return e;
	f->n = (unsigned)dp_numbers_int(numbers, "powers", f->n, 1, DP_POWERS_MAX);
	for (j = 0; j < f->n; j++) {
		f->weight[j] = dp_numbers_real(numbers, "weight", f->weight[j], 0, 2);
		f->decay[j] = dp_numbers_real(numbers, "decay", f->decay[j], 0, 1);
	}
	return dp_numbers_error(numbers);
}

/* Two at a time: the compiler may not reorder a sum of doubles itself. */
typedef double pair __attribute__((vector_size(16)));

/*
 * v comes, all before are one step older: their weighted sum.  s: DP_POWERS_MAX words, zeros
 * before the first.
 */
static double
powers_step(const struct dp_powers *f, double *s, double v)
{
	pair sum = { 0, 0 }, x, w, q;
	unsigned j;

	for (j = 0; j < f->n; j += 2) {		/* an odd one out has weight and decay 0 */
		memcpy(&x, s + j, sizeof x);
		memcpy(&w, f->weight + j, sizeof w);
		memcpy(&q, f->decay + j, sizeof q);
		x = x * q + v;
		sum += w * x;
		memcpy(s + j, &x, sizeof x);
	}
	return sum[0] + sum[1];
}

#define TILE	512	/* weights taken at a time */

/* Step t = 1, 2, .. with the value y: ring[(t - 1) % n] becomes y.  The sum. */
static double
table_step(const struct dp_table *f, double *ring, uint64_t t, double y)
{
	const uint64_t n = f->n, here = (t - 1) % n;
	double sum = 0;
	uint64_t d;

	ring[here] = y;		/* what is older than step 1 is 0 */
	for (d = 0; d <= here; d++)
		sum += f->g[d] * ring[here - d];
	for (; d < n && d < t; d++)
		sum += f->g[d] * ring[here + n - d];
	return sum;
}

/*
 * s[j] += g[0] y[n-1+j] + g[1] y[n-2+j] + .. + g[n-1] y[j]: every sum adds its own terms in turn,
 * so each is to the last bit what table_step() finds, but one need not wait for the other.
 */

/* Unrolled at once, or else gcc 12 keeps the sums in memory. */
#define EACH_FOUR(j)	_Pragma("GCC unroll 8") for (j = 0; j < DP_TABLE_WIDE / 4; j++)

DP_VECTORS static void
add_dots(double s[static DP_TABLE_WIDE], const double *g, const double *y, size_t n)
{
	dp_four sum[DP_TABLE_WIDE / 4], *out = (dp_four *)(void *)s;
	const dp_four *met;
	size_t d, j;

	EACH_FOUR(j)
		sum[j] = out[j];
	for (d = 0; d < n; d++) {
		met = (const dp_four *)(const void *)(y + n - 1 - d);
		EACH_FOUR(j)
			sum[j] += g[d] * met[j];
	}
	EACH_FOUR(j)
		out[j] = sum[j];
}

/* The values of n steps from i on: 0 before the first one, in the ring before t, then y[]. */
static void
collect(const struct dp_table *f, const double *ring, const double y[static DP_TABLE_WIDE],
    uint64_t t, int64_t i, double *v, size_t n)
{
	const int64_t now = (int64_t)t, last = i + (int64_t)n;
	uint64_t at;
	size_t k;

	for (; i < 1 && i < last; i++)
		*v++ = 0;
	for (; i < last && i < now; i += (int64_t)k, v += k) {
		at = (uint64_t)(i - 1) % f->n;
		k = (size_t)((last < now ? last : now) - i);
		k = k < f->n - at ? k : (size_t)(f->n - at);
		memcpy(v, ring + at, k * sizeof *v);
	}
	for (; i < last; i++)
		*v++ = y[i - now];
}

/* Steps t .. t + DP_TABLE_WIDE - 1: the values y, the sums s.  n >= DP_TABLE_WIDE. */
/* TILE weights at a time, with the values that they meet side by side. */
static void
table_wide(const struct dp_table *f, double *ring, uint64_t t,
    const double y[static DP_TABLE_WIDE], double s[static DP_TABLE_WIDE])
{
	const uint64_t last = t + DP_TABLE_WIDE - 1, reach = last < f->n ? last : f->n;
	double met[TILE + DP_TABLE_WIDE - 1];
	uint64_t d;
	size_t n, j;

	memset(s, 0, DP_TABLE_WIDE * sizeof *s);
	for (d = 0; d < reach; d += n) {
		n = reach - d < TILE ? (size_t)(reach - d) : TILE;
		collect(f, ring, y, t, (int64_t)(t + 1 - d - n), met, n + DP_TABLE_WIDE - 1);
		add_dots(s, f->g + d, met, n);
	}
	for (j = 0; j < DP_TABLE_WIDE; j++)
		ring[(t + j - 1) % f->n] = y[j];
}

dp_wide
dp_scaled_real(long double v, unsigned decimals)
{
	v = rintl(v * (long double)dp_power10(decimals));
	if (v > 0x1p126L)
		v = 0x1p126L;
	if (v < -0x1p126L)
		v = -0x1p126L;
	return (dp_wide)v;
}

dp_wide
dp_scaled_grid(dp_wide y, unsigned shift, unsigned decimals)
{
	dp_wide unit = (dp_wide)1 << shift, whole = y / unit, part = y % unit;

	if (part < 0) {		/* floor, so that part >= 0 */
		part += unit;
		whole--;
	}
	/* part 10^18 < 2^(62 + 60) */
	part = (part * (dp_wide)dp_power10(decimals) + unit / 2) >> shift;
	return whole * (dp_wide)dp_power10(decimals) + part;
}

dp_wide
dp_scaled_away(dp_wide y, unsigned shift, unsigned decimals)
{
	return y < 0 ? -dp_scaled_grid(-y, shift, decimals) : dp_scaled_grid(y, shift, decimals);
}
