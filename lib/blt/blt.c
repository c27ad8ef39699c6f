/*
 * blt.c - buffered linear Toeplitz noise: the recursion in fixed point, and the mechanism (blt.h
 * has the proof).
 */
#include <math.h>

#include "norm.h"

#define UNIT		80			/* fraction bits of buffers */
#define REACH		((int64_t)1 << 32)	/* most of a draw */
#define OUT_BITS	62			/* increments leave in units of 2^-64 */

static int
choose_unit(struct dp_blt *b, const struct dp_privacy *p)
{
	double shift, sigma = 0;
	int s;

	/* the largest s for which sigma, growing like 2^s, is below the sampler's limit, 2^28 */
	for (s = OUT_BITS; s >= 0; s -= sigma > 0x1p32 ? ilogb(sigma) - 30 : 1) {
		shift = dp_blt_shift(&b->form, p, (unsigned)s, b->size, b->end);
		sigma = dp_privacy_gauss_sigma(p, shift, b->end);
		if (sigma < 0x1.fffffp27)
			break;
	}
	if (s < 0)
		return DP_ERANGE;
	b->s = (unsigned)s;
	return 0;
}

static int
make_noise(struct dp_blt *b, const struct dp_privacy *whole)
{
	struct dp_privacy own = *whole;
	const struct dp_privacy *p = &own;
	double shift, s2;
	int e;

	if (p->exact) {
		dp_noise_none(&b->noise);
		return 0;
	}
	if (p->delta.num == 0 || p->wide)
		return DP_EINVAL;
	if (b->f.m.ops == &dp_blt_norm_ops)	/* its columns grow */
		own.l2fading = 0;
	else if (p->spacing != 0 && dp_blt_falls(&b->form)) {
		b->size = sqrt(dp_blt_comb(&b->form, p->times, p->spacing, (double)b->end));
		own.l2squared = dp_privacy_each(p);
		own.l2fading = 0;
	}
	b->moves = (struct dp_reach){ .l1 = p->l1, .l2squared = p->l2squared,
	    .columns = p->columns };
	if (b->f.m.ops != &dp_blt_norm_ops && p->spacing != 0 && dp_blt_falls(&b->form)) {
		b->moves.times = p->times;
		b->moves.spacing = p->spacing;
	}
	b->fading = dp_blt_falls(&b->form) ? p->l2fading : 0;
	if (!dp_numbers_replays(p->numbers) && (e = choose_unit(b, p)) != 0)
		return e;
	b->s = b->f.fraction = (unsigned)dp_numbers_int(p->numbers, "fraction", b->s, 0, OUT_BITS);
	if (b->f.m.ops == &dp_blt_norm_ops && (e = dp_blt_norm_set(b, p->numbers)) != 0)
		return e;
	shift = dp_blt_shift(&b->form, p, b->s, b->size, b->end);
	if ((e = dp_privacy_gauss_shift(&b->noise, p, shift, b->end)) != 0)
		return e;
	/* the dither needs as much, and a draw's reach is no more */
	s2 = dp_q_double(b->noise.param);
	return s2 < 0x1p52 || s2 > 0x1p56 ? DP_ERANGE : 0;
}

static bool
fits(const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] == 0 || k->w[i] > DP_BLT_LONGEST)
			return false;
	if (k->what == DP_TASK_EXP)
		return k->alpha > 0 && k->alpha < 1 - 0x1p-40;
	return k->what == DP_TASK_COUNT || (k->what == DP_TASK_WINDOW && k->windows > 0);
}

int
dp_blt_make(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_blt *b;
	int e;

	if (!fits(rule) || rule->horizon > (uint64_t)1 << 50)
		return DP_EINVAL;
	if ((b = dp_mech_alloc(ops, sizeof *b, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &b->f.m;
	b->f.m.block = DP_FILL - 1;
	b->f.fraction = 64;
	b->f.m.drawn.noise = &b->noise;
	b->f.m.drawn.numbers = "every step (in fractions of a grid unit, then correlated)";
	b->end = rule->horizon != 0 ? rule->horizon :
	    rule->task.what == DP_TASK_COUNT ? DP_BLT_ENDLESS : DP_BLT_STREAM;
	b->end = dp_numbers_int(rule->privacy.numbers, "end", b->end,
	    rule->horizon != 0 ? rule->horizon : DP_BLT_ENDLESS, (uint64_t)1 << 50);
	if (!dp_numbers_replays(rule->privacy.numbers))
		dp_blt_choose(&b->form, rule);
	if ((e = dp_blt_keep(&b->form, dp_blt_widest(&rule->task), rule->privacy.numbers)) == 0) {
		/* columns of one norm: 1, or less */
		b->size = ops == &dp_blt_norm_ops ? 1 : sqrt(dp_blt_sens(&b->form, (double)b->end));
		e = make_noise(b, &rule->privacy);
	}
	if (e != 0 || (e = dp_filtered_set(&b->f, rule, sizeof(struct dp_blt_column) +
	    (size_t)b->form.lag * b->form.echoes * sizeof(int64_t))) != 0)
		return e;
	b->f.m.drawn.unit = ldexp(1, -(int)b->s);
	return 0;
}

/* floor(a q / 2^64) */
static inline dp_wide
scale(dp_wide a, uint64_t q)
{
	return (dp_wide)(int64_t)(a >> 64) * q + (dp_wide)((dp_uwide)(uint64_t)a * q >> 64);
}

/* Wraps: a damaged column must not be undefined. */
static inline dp_wide
add(dp_wide a, dp_wide b)
{
	return (dp_wide)((dp_uwide)a + (dp_uwide)b);
}

/*
 * One step through the echo De: u_0 = w goes in, the last u_k comes out.  v holds a word v_k for
 * each stage, as step t - W left it; stage k gives u_k = u_(k-1) + v_k, and leaves v_k = B_k u_k -
 * A_k u_(k-1) for step t + W.
 */
static inline int64_t
echo(const struct dp_blt_form *f, int64_t *v, int64_t w)
{
	const dp_wide half = (dp_wide)1 << 31;
	int64_t u = (int64_t)((uint64_t)w << DP_BLT_ECHO_BITS), in;
	unsigned k;

	for (k = 0; k < f->echoes; k++) {
		in = u;
		u = (int64_t)((uint64_t)u + (uint64_t)v[k]);
		v[k] = (int64_t)(((dp_wide)f->b[k] * u - (dp_wide)f->a[k] * in + half) >> 32);
	}
	return u;
}

int
dp_blt_run(const struct dp_blt *b, struct dp_blt_column *c, struct dp_rng *rng, uint64_t i,
    int64_t *w, unsigned n)
{
	const struct dp_blt_form *f = &b->form;
	const dp_wide half = (dp_wide)1 << (UNIT - 1);
	uint64_t at = f->lag != 0 ? i % f->lag : 0;
	int64_t z[DP_FILL], *v = NULL, u, r;
	dp_wide R;
	unsigned t, j;
	int e;

	if (i >= b->end)
		return DP_EHORIZON;
	if ((e = dp_noise_fill(&b->noise, rng, z, n)) != 0)
		return e;
	for (t = 0; t < n; t++) {
		if (z[t] > REACH || z[t] < -REACH)
			return DP_ERANGE;
		for (R = half, j = 0; j < f->d; j++)
			R = add(R, c->buffer[j]);
		if (f->lag != 0) {
			v = c->echo + at * DP_BLT_ECHOES;
			for (j = 0; j < f->echoes; j++)
				R = add(R, (dp_wide)((dp_uwide)(dp_wide)v[j] <<
				    (UNIT - DP_BLT_ECHO_BITS)));
			at = at + 1 < f->lag ? at + 1 : 0;
		}
		r = (int64_t)(R >> UNIT);
		w[t] = (int64_t)((uint64_t)z[t] - (uint64_t)r);
		u = echo(f, v, w[t]);
		for (j = 0; j < f->d; j++)
			c->buffer[j] = add(add(c->buffer[j], -scale(c->buffer[j], f->gap[j])),
			    (dp_wide)u * f->om[j] >> (64 + DP_BLT_ECHO_BITS - UNIT));
	}
	return 0;
}

int
dp_blt_fill(const struct dp_mech *m, void *own, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	return dp_blt_run((const void *)m, own, rng, i, w, DP_FILL);
}

static uint64_t
window(const struct dp_blt *b, unsigned out)
{
	return b->f.filter.task.what == DP_TASK_WINDOW ? b->f.filter.task.w[out] : 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_blt *b = (const void *)m;

	dp_law_add(l, &b->noise, sqrt(dp_blt_energy(&b->form, window(b, out), (double)t, NULL)) *
	    ldexp(1, -(int)b->s), 1);
}

/* The variance at t is Var(z) 4^-s sum_{k<t} l_k^2: it never falls. */
static void
error_of(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct dp_blt *b = (const void *)m;
	double unit = ldexp(dp_noise_variance(&b->noise), -2 * (int)b->s), ramp;

	e->max = unit * dp_blt_energy(&b->form, window(b, out), (double)T, &ramp);
	e->mean = unit * ramp / (double)T;
	e->worst = T;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of);
}

const struct dp_mech_ops dp_blt_ops = {
	.name = "blt",
	.say.source = "buffered linear Toeplitz noise (Dvijotham et al. 2024), in integers "
	    "(this toolkit)",
	.tasks = DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_DELTA | DP_TRAIT_RISING | DP_TRAIT_ADDS,
	.create = dp_blt_make, .many.fill = dp_blt_fill, .law.at = law, .error = error,
	DP_FILTERED_OPERATIONS, .valid = dp_filtered_valid,
	.drawn.certify = dp_blt_certify
};
