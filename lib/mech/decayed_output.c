/*
 * decayed_output.c - output perturbation of decayed sums: the rival that is never best.
 *
 * The estimate after step t is 2^-s (sum over d of w(d) x_(t-d) + DLap(S l1/epsilon)), w(d) = round(g(d) 2^s)
 * integers, S = sum of w(d): a step's value enters as many estimates as there are lags, with these weights, all of
 * them below T if T is known.  Share 1/S a unit of weight.
 * (alpha^d cannot be summed by a recursion here: rounded powers are no powers.)
 *
 * s = 30, less (>= 8) if the scale would not fit; 40 at epsilon = inf.  Lags are 0 .. N-1, N the
 * horizon or the first lag of weight 0: bias at most 2^-(s+1) sum |x| over them, and the older values' g.  More than
 * 2^20 lags of weight above 2^-31 are refused (DP_ERANGE): a step takes N multiplications, a column N words.
 */
#include <math.h>
#include <stdlib.h>

#include "mech.h"
#include "scaled.h"

extern const struct dp_mech_ops dp_decayed_output_ops;

#define LAGS_MAX	((uint64_t)1 << 20)

struct output {
	struct dp_mech m;
	unsigned s;
	uint64_t lags;
	int64_t *w;
	uint64_t sum;
	struct dp_noise noise;
};

static int64_t
weight(double g, unsigned s)
{
	return (int64_t)llrint(ldexp(g, (int)s));
}

/* g(0), g(1), .. while they are not 0 on the finest grid; whether that is all of them below T (0: for ever). */
static bool
list(double *g, uint64_t *n, const struct dp_task *k, uint64_t T, unsigned s)
{
	uint64_t most = T != 0 && T < LAGS_MAX ? T : LAGS_MAX;

	for (*n = 0; *n < most; ++*n)
		if (weight(g[*n] = dp_task_weight(k, *n), s) <= 0)
			return true;
	return *n == T || weight(dp_task_weight(k, *n), s) <= 0;
}

static int
set_noise(struct output *o, const struct dp_mech_rule *rule, const double *g, uint64_t n, unsigned s)
{
	struct dp_privacy dry = rule->privacy;
	int e;

	dry.dry = true;
	for (o->s = s; ; o->s--) {
		o->sum = 0;
		for (o->lags = 0; o->lags < n && (o->w[o->lags] = weight(g[o->lags], o->s)) > 0; o->lags++)
			o->sum += (uint64_t)o->w[o->lags];
		e = dp_privacy_laplace(&o->noise, &dry, dp_q_make(1, o->sum));
		if (e != DP_ERANGE || o->s == 8)
			break;
	}
	return e != 0 ? e : dp_privacy_laplace(&o->noise, &rule->privacy, dp_q_make(1, o->sum));
}

/* The weights on the grid 2^-s, how many there are, and their noise. */
static int
set(struct output *o, const struct dp_mech_rule *rule)
{
	unsigned s = rule->privacy.exact ? 40 : 30;
	double *g;
	uint64_t n;
	int e = DP_ENOMEM;

	/* too many lags count: known before any is listed */
	if (ldexp(dp_task_weight(&rule->task, LAGS_MAX), (int)s) >= 1 && (rule->horizon == 0 || rule->horizon > LAGS_MAX))
		return DP_ERANGE;
	if ((g = malloc(LAGS_MAX * sizeof *g)) != NULL && (o->w = malloc(LAGS_MAX * sizeof *o->w)) != NULL)
		e = list(g, &n, &rule->task, rule->horizon, s) ? set_noise(o, rule, g, n, s) : DP_ERANGE;
	free(g);
	return e;
}

static void
destroy(struct dp_mech *m)
{
	free(((struct output *)(void *)m)->w);
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	struct output *o;
	int e;

	if (k->decimals > DP_SCALED_DECIMALS || dp_task_weight(k, 0) != 1)
		return DP_EINVAL;
	if ((o = dp_mech_alloc(&dp_decayed_output_ops, sizeof *o, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	o->m.decimals = k->decimals;
	if ((e = set(o, rule)) != 0) {
		dp_mech_free(&o->m);
		return e;
	}
	o->m.column = o->lags * 8;
	*out = &o->m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct output *o = (const void *)m;
	int64_t *ring = col, z;
	uint64_t at = (t - 1) % o->lags, d;
	dp_wide sum;
	int e;

	if ((e = dp_draw(&o->noise, rng, &z)) != 0)
		return e;
	ring[at] = *x;
	sum = z;
	for (d = 0; d <= at; d++)
		sum += (dp_wide)o->w[d] * ring[at - d];
	for (; d < o->lags; d++)	/* the ring begins as zeros: nothing before step 1 */
		sum += (dp_wide)o->w[d] * ring[at + o->lags - d];
	*est = dp_scaled_grid(sum, o->s, m->decimals);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct output *o = (const void *)m;

	(void)out;
	(void)t;
	dp_law_add(l, &o->noise, ldexp(1, -(int)o->s), 1);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = e->mean = dp_mech_variance(m, 1);
	e->worst = 1;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	*z = &((const struct output *)(const void *)m)->noise;
	*what = "every estimate";
	return i == 0;
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	(void)i;
	return ldexp(1, -(int)((const struct output *)(const void *)m)->s);
}

static double
draws(const struct dp_mech *m)
{
	(void)m;
	return 1;
}

const struct dp_mech_ops dp_decayed_output_ops = {
	.name = "output",
	.source = "noise on every estimate, for the sum of all weights (Bolot et al. 2013, Table 1)",
	.tasks = DP_TASK_EXP | DP_TASK_POLY | DP_TASK_TABLE,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .law = law, .error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy
};
