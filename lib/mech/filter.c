#include <math.h>

#include "filtered.h"

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
		return dp_powers_keep(&f->powers, k->power, rule->privacy.numbers);
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
window(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, dp_wide y, dp_wide *est)
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
		return f->table.n != 0 ? dp_table_step(&f->table, values(f, c), t, v) :
		    dp_powers_step(&f->powers, c->s, v);
	case DP_TASK_TABLE:
		return dp_table_step(&f->table, values(f, c), t, v);
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
		window(f, c, t, y, est);
	else
		*est = whole(f, decay(f, c, t, ldexp((double)y, -64)));
}

/* DP_TABLE_WIDE steps, where values are weighted by a table. */
static void
wide(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t, const int64_t *x,
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

void
dp_filter_steps(const struct dp_filter *f, struct dp_filter_column *c, uint64_t t,
    const int64_t *x, const dp_wide *w, dp_wide *est, size_t n)
{
	const dp_wide one = (dp_wide)1 << 64;
	size_t j = 0;

	if (f->table.n >= DP_TABLE_WIDE)
		for (; n - j >= DP_TABLE_WIDE; j += DP_TABLE_WIDE)
			wide(f, c, t + j, x + j, w + j, est + j);
	for (; j < n; j++)
		dp_filter_step(f, c, t + j, x[j] * one + w[j], &est[j]);
}
