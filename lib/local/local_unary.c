/*
 * local_unary.c - a bit for every symbol: 1 for the line's own, 0 for the others, each randomised
 * by itself.  An answer supports the symbols whose bits are 1.
 *
 *   sue  every bit is flipped with probability 1 / (1 + e^(epsilon/2)) (Erlingsson, Pihur, Korolova
 *        2014, basic one-time RAPPOR).  p = e^(epsilon/2) / (1 + e^(epsilon/2)), q = 1 - p.
 *   oue  the own bit is a fair coin, every other is 1 with probability 1 / (1 + e^epsilon) (Wang et
 *        al. 2017, optimised unary encoding).  p = 1/2, q = 1 / (1 + e^epsilon).
 *
 * Proof of (1) of local.h.  The bits of all symbols but v and w have the same law for both.  With
 * r = p/q and s = (1-q) / (1-p), the ratio of the law under v to that under w is r or 1/s at v's
 * bit, as it is 1 or 0, and 1/r or s at w's: together at most r s = p (1-q) / (q (1-p)), which is
 * (e^(epsilon/2))^2 for sue, and (1-q) / q = e^epsilon for oue.
 */
#include <math.h>
#include <stdio.h>

#include "local.h"

static int
create(struct dp_local **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    struct dp_q share)
{
	const struct dp_local_task *a = rule->task.own;
	struct dp_local *l;
	int e;

	if (a->symbols > DP_LOCAL_BITS_MAX)
		return DP_EINVAL;
	if ((e = dp_local_new(&l, rule, ops, dp_local_words(a->symbols) * sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, share, dp_q_make(1, 1))) != 0)
		return e;
	l->m.answers.text = dp_local_text(l);
	l->counts = dp_local_counts(l->K);
	*out = l;
	return 0;
}

/* K tosses to the column, of which tails are 1; no more, as an answer has no other bits. */
static int
toss_all(const struct dp_local *l, uint64_t *bit, struct dp_rng *rng)
{
	const size_t n = dp_local_words(l->K);
	size_t i;
	int e;

	for (i = 0; i < n; i++) {
		if ((e = dp_coin_tosses(&l->coin, rng, &bit[i])) != 0)
			return e;
		bit[i] = ~bit[i];
	}
	bit[n - 1] &= UINT64_MAX >> (64 * n - l->K);
	return 0;
}

static bool
add(const struct dp_mech *m, int64_t *count, struct dp_slice text)
{
	return dp_local_add(dp_local_of(m), 0, count, text);
}

static double
draws(const struct dp_mech *m)
{
	return (double)dp_local_of(m)->K;
}

/* sue */

static int
sue_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if ((e = create(&l, ops, rule, dp_q_make(1, 2))) != 0)
		return e;
	l->times = 2;
	/* p - q = p (1 - e^(-epsilon/2)) */
	dp_local_set(l, l->coin.heads, l->coin.tails, l->coin.tails,
	    l->coin.heads * -expm1(-l->coin.x));
	*m = &l->m;
	return 0;
}

static int
sue_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t *bit = col, v;
	int e;

	(void)t;
	*est = 0;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 || (e = toss_all(l, bit, rng)) != 0)
		return e;
	bit[v / 64] ^= (uint64_t)1 << v % 64;
	return 0;
}

static void
sue_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "a bit for each symbol, 1 for the line's and 0 for others, each "
	    "flipped with probability %.6g", l->q);
}

static const struct dp_answers sue_answers = {
	.put = dp_local_put, .add = add, .support = dp_local_support,
	.describe = sue_describe
};

const struct dp_mech_ops dp_sue_ops = {
	.name = "sue",
	.say.noise = "randomised response on bits",
	.say.source = "a bit for each symbol, all flipped alike (basic RAPPOR, Erlingsson et al. "
	    "2014)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = sue_create, .step = sue_step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.number = draws, .answers = &sue_answers, .drawn.certify = dp_local_certify
};

/* oue */

static int
oue_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if ((e = create(&l, ops, rule, dp_q_make(1, 1))) != 0)
		return e;
	/* 1/2 - q = heads (1 - e^-epsilon) / 2; for epsilon = inf the own bit is 1 */
	if (l->coin.always)
		dp_local_set(l, 1, 0, 0, 1);
	else
		dp_local_set(l, 0.5, 0.5, l->coin.tails,
		    l->coin.heads * -expm1(-l->coin.x) / 2);
	*m = &l->m;
	return 0;
}

static int
oue_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t *bit = col, v, own = 1;
	int e;

	(void)t;
	*est = 0;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 || (e = toss_all(l, bit, rng)) != 0 ||
	    (!l->coin.always && (e = dp_fair(rng, 2, &own)) != 0))
		return e;
	bit[v / 64] &= ~((uint64_t)1 << v % 64);
	bit[v / 64] |= own << v % 64;
	return 0;
}

static void
oue_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "a bit for each symbol, 1 with probability %.6g for the line's, with "
	    "%.6g for others", l->p, l->q);
}

static const struct dp_answers oue_answers = {
	.put = dp_local_put, .add = add, .support = dp_local_support,
	.describe = oue_describe
};

const struct dp_mech_ops dp_oue_ops = {
	.name = "oue",
	.say.noise = "randomised response on bits",
	.say.source = "a bit for each symbol, zeros flipped less often (Wang et al. 2017)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = oue_create, .step = oue_step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.number = draws, .answers = &oue_answers, .drawn.certify = dp_local_certify
};
