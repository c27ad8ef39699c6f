/*
 * windowsum.c - sums of the last W step values, endless, for any W >= 1: WINDOWSUM, Bolot, Fawaz,
 * Muthukrishnan, Nikolov, Taft 2013, Algorithm 1.  The exact sum, plus the noise of wsum.h.
 *
 * A step lies in at most h + 1 = ceil(lg W) + 1 intervals that release their sum (wsum.h), so each
 * has share 1/(h + 1).  Which cover of a window is read depends on the step alone: post-processing.
 * A known horizon T < W: no window is longer than T, and W becomes T.
 *
 * The column holds the last W raw values (never pan-private), then the state of wsum.h: 3 W words.
 */
#include "mech/certificate.h"
#include "wsum.h"

#define WINDOW_MAX	((uint64_t)1 << 26)	/* steps of a window: 1.5 GiB a column */

struct window {
	struct dp_mech m;
	struct dp_wsum sum;
	struct dp_noise noise;
};

/* Behind it: W raw values, then dp_wsum_words(). */
struct column {
	dp_wide sum;			/* of the window, exact */
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct window *k;
	uint64_t w = rule->task.w[0];
	size_t words;

	if (rule->task.windows != 1 || w == 0)
		return DP_EINVAL;
	if (rule->horizon != 0 && w > rule->horizon)
		w = rule->horizon;
	if (w > WINDOW_MAX)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	dp_wsum_set(&k->sum, w);
	words = (size_t)w + dp_wsum_words(&k->sum);
	/* a multiple of 16: columns stand in a row */
	k->m.column = sizeof(struct column) + (words + 1) / 2 * 2 * sizeof(int64_t);
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every node of every block of a window's length";
	return dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, k->sum.h + 1));
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct window *k = (const void *)m;
	struct column *c = col;
	int64_t *raw = (void *)(c + 1);
	uint64_t p = (t - 1) % k->sum.w;

	*est = c->sum += (dp_wide)*x - raw[p];
	raw[p] = *x;
	return dp_wsum_step(&k->sum, raw + k->sum.w, &k->noise, rng, t, est);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct window *k = (const void *)m;

	(void)out;
	dp_law_add(l, &k->noise, 1, dp_wsum_terms(&k->sum, t));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct window *k = (const void *)m;
	double v = dp_noise_variance(&k->noise), sum;
	unsigned most;

	dp_wsum_total(&k->sum, T, &sum, &most, &e->worst);
	e->max = most * v;
	e->mean = sum / (double)T * v;
}

static double
draws(const struct dp_mech *m)
{
	const struct dp_wsum *s = &((const struct window *)(const void *)m)->sum;
	uint64_t n = 1;
	unsigned l;

	for (l = 0; l < s->h; l++)
		n += s->w >> l;
	return (double)n / (double)s->w;
}

/* A step lies in one interval a level. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise,
	    ((const struct window *)(const void *)m)->sum.h + 1);
}

const struct dp_mech_ops dp_windowsum_paper_ops = {
	.name = "windowsum-paper",
	.say.source = "trees over blocks of a window's length "
	    "(Bolot et al. 2013, Algorithm 1, as printed)",
	.tasks = DP_TASK_WINDOW,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .law.at = law, .error = error, .drawn.number = draws,
	.drawn.certify = certify
};
