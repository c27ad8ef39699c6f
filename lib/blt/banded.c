/*
 * banded.c - banded Toeplitz noise: the recursion in integers, and the mechanism (banded.h has the
 * proof).
 */
#include <math.h>
#include <string.h>

#include "banded.h"

#define MOST_BITS	30			/* s: the a_i and their products stay in words */
#define REACH		((int64_t)1 << 32)	/* most of a draw */
#define FAR		((int64_t)1 << 40)	/* and of an increment */

/* S, grid units times 2^s, rounded up. */
static double
shift(const struct dp_banded *b, const struct dp_privacy *p)
{
	const bool spaced = p->spacing != 0;
	const double sum = dp_banded_squares(&b->form, spaced ? p->times : 1,
	    spaced ? p->spacing : b->end, b->end);

	return ldexp(sqrt(sum * (double)dp_privacy_each(p)), (int)b->form.s) * (1 + 0x1p-50);
}

/* The largest s for which sigma is below the sampler's limit, 2^28. */
static int
choose_unit(struct dp_banded *b, const struct dp_privacy *p)
{
	unsigned s;

	for (s = MOST_BITS + 1; s-- > 0; ) {
		b->form.s = s;
		dp_banded_set(&b->form);
		if (dp_privacy_gauss_sigma(p, shift(b, p), b->end) < 0x1.fffffp27)
			return 0;
	}
	return DP_ERANGE;
}

static int
make_noise(struct dp_banded *b, const struct dp_privacy *p)
{
	if (p->exact) {
		dp_noise_none(&b->noise);
		return 0;
	}
	b->moves = (struct dp_reach){ .l2squared = dp_privacy_each(p), .columns = p->columns,
	    .times = p->spacing != 0 ? p->times : 1,
	    .spacing = p->spacing != 0 ? p->spacing : b->end };
	return dp_privacy_gauss_shift(&b->noise, p, shift(b, p), b->end);
}

/* p, alpha and s: found, or as they were. */
static int
make_form(struct dp_banded *b, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_banded_form *f = &b->form;
	int e;

	if (!dp_numbers_replays(numbers) && ((e = dp_banded_choose(f, rule)) != 0 ||
	    (!rule->privacy.exact && (e = choose_unit(b, &rule->privacy)) != 0)))
		return e;
	f->p = dp_numbers_int(numbers, "band", f->p, 1, DP_BANDED_MAX);
	f->alpha = dp_numbers_int(numbers, "alpha", f->alpha, 0, DP_BANDED_ALPHA);
	f->s = (unsigned)dp_numbers_int(numbers, "fraction", f->s, 0, MOST_BITS);
	if ((e = dp_numbers_error(numbers)) != 0)
		return e;
	dp_banded_set(f);
	return 0;
}

static bool
fits(const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] == 0 || k->w[i] > DP_BANDED_WINDOW)
			return false;
	return rule->horizon != 0 && rule->horizon <= (uint64_t)1 << 50 &&
	    (rule->privacy.exact || (rule->privacy.delta.num != 0 && !rule->privacy.wide)) &&
	    (k->what == DP_TASK_COUNT || (k->what == DP_TASK_WINDOW && k->windows > 0));
}

static int
measure(struct dp_banded *b)
{
	const struct dp_task *k = &b->f.filter.task;
	unsigned i;
	int e;

	for (i = 0; i < b->f.m.outputs; i++)
		if ((e = dp_banded_measure(&b->error[i], &b->form,
		    k->what == DP_TASK_WINDOW ? k->w[i] : 0, b->end)) != 0)
			return e;
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_banded *b;
	int e;

	if (!fits(rule))
		return DP_EINVAL;
	if ((b = dp_mech_alloc(ops, sizeof *b, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &b->f.m;
	b->f.m.block = DP_FILL - 1;
	b->f.m.drawn.noise = &b->noise;
	b->f.m.drawn.numbers = "every step (in fractions of a grid unit, then correlated)";
	b->end = rule->horizon;
	if ((e = make_form(b, rule)) == 0 && (e = make_noise(b, &rule->privacy)) == 0) {
		b->f.fraction = b->form.s;
		b->f.m.drawn.unit = ldexp(1, -(int)b->form.s);
		/* what comes behind it is aligned to 16 bytes */
		e = dp_filtered_set(&b->f, rule, (size_t)((b->form.p + 1) / 2) * sizeof(dp_wide));
	}
	return e != 0 ? e : measure(b);
}

/* sum of a_i w_(t-i), 1 <= i < p; the ring has w_j at j modulo p, as it was p steps ago at t. */
static dp_wide
past(const struct dp_banded_form *f, const int64_t *w, uint64_t now)
{
	dp_wide sum = 0;
	uint64_t i = 1;

	for (; i <= now && i < f->p; i++)
		sum += (dp_wide)f->a[i] * w[now - i];
	for (; i < f->p; i++)
		sum += (dp_wide)f->a[i] * w[f->p + now - i];
	return sum;
}

static int
fill(const struct dp_mech *m, void *own, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	const struct dp_banded *b = (const void *)m;
	const struct dp_banded_form *f = &b->form;
	const dp_wide half = f->s > 0 ? (dp_wide)1 << (f->s - 1) : 0;
	int64_t z[DP_FILL], *ring = own;
	uint64_t now = i % f->p;
	dp_wide r;
	unsigned t;
	int e;

	if ((e = dp_noise_fill(&b->noise, rng, z, DP_FILL)) != 0)
		return e;
	for (t = 0; t < DP_FILL; t++) {
		r = z[t] - ((past(f, ring, now) + half) >> f->s);
		if (z[t] > REACH || z[t] < -REACH || r > FAR || r < -FAR)
			return DP_ERANGE;
		ring[now] = w[t] = (int64_t)r;
		now = now + 1 < f->p ? now + 1 : 0;
	}
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_banded *b = (const void *)m;

	dp_law_add(l, &b->noise, sqrt(dp_banded_energy(&b->error[out], t)) *
	    ldexp(1, -(int)b->form.s), 1);
}

/* The variance never falls. */
static void
error_of(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct dp_banded *b = (const void *)m;
	const double unit = ldexp(dp_noise_variance(&b->noise), -2 * (int)b->form.s);

	e->max = unit * dp_banded_energy(&b->error[out], T);
	e->mean = unit * dp_banded_ramp(&b->error[out], T) / (double)T;
	e->worst = T;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_banded *b = (const void *)m;
	const int64_t *ring = dp_filtered_own(&b->f, col);
	uint64_t i;

	for (i = 0; i < b->form.p; i++)
		if (ring[i] > FAR || ring[i] < -FAR)
			return false;
	return dp_filtered_valid(m, col, t);
}

static void
destroy(struct dp_mech *m)
{
	struct dp_banded *b = (void *)m;
	unsigned i;

	for (i = 0; i < DP_WINDOWS_MAX; i++)
		dp_banded_clear(&b->error[i]);
}

const struct dp_mech_ops dp_banded_ops = {
	.name = "banded",
	.say.source = "banded Toeplitz noise, for events of a user that are apart (Choquette-Choo "
	    "et al. 2023; in integers, this toolkit)",
	.tasks = DP_TASK_COUNT | DP_TASK_WINDOW,
	.traits = DP_TRAIT_DELTA | DP_TRAIT_RISING | DP_TRAIT_SPACED | DP_TRAIT_ADDS,
	.create = create, .many.fill = fill, .law.at = law, .error = error, DP_FILTERED_OPERATIONS,
	.valid = valid, .destroy = destroy,
	.drawn.certify = dp_banded_certify
};
