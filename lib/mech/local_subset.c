/*
 * local_subset.c - subset selection: a set of d symbols, which the line's own is in more often than
 * not (Wang et al. 2016; Ye, Barg 2018).
 *
 * Heads, P = d e^epsilon / (d e^epsilon + K - d): the symbol and d - 1 of the others; tails: d of
 * the others; all such sets equally likely.  A set has probability
 *	P / C(K-1, d-1) if v is in it, (1-P) / C(K-1, d) if not,
 * so that the ratio is P (K-d) / ((1-P) d) = e^epsilon: (1) of local.h.
 * An answer supports its symbols: p = P, and another one is in it with probability
 *	q = P (d-1) / (K-1) + (1-P) d / (K-1) = (d - P) / (K-1),
 *	p - q = (P K - d) / (K-1) = P (K-d) (1 - e^-epsilon) / (K-1).
 * d is the integer that is nearest to K / (e^epsilon + 1), at least 1, where it is rr: found in
 * integers, as two machines must agree on it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "local.h"

extern const struct dp_mech_ops dp_subset_ops;

static int
create(struct dp_mech **m, const struct dp_mech_rule *rule)
{
	const struct dp_local_task *a = rule->task.own;
	const double K = (double)a->symbols;
	struct dp_local *l;
	double d;
	int e;

	if (a->symbols > DP_LOCAL_BITS_MAX)
		return DP_EINVAL;
	/* a coin of 1 : e^-epsilon, whose tails are 1 / (1 + e^epsilon) */
	if ((e = dp_local_new(&l, rule, &dp_subset_ops,
	    dp_local_words(a->symbols) * sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(1, 1), dp_q_make(1, 1))) != 0)
		return e;
	l->named = l->coin.always ? 0 : (unsigned)(((dp_uwide)l->K * ~l->coin.word[0] +
	    ((uint64_t)1 << 63)) >> 64);
	if (l->named == 0)
		l->named = 1;
	if ((e = dp_local_coin(l, rule, dp_q_make(1, 1),
	    dp_q_make(l->K - l->named, l->named))) != 0)
		return e;
	l->m.text = dp_local_text(l);
	d = l->named;
	dp_local_set(l, l->coin.heads, l->coin.tails,
	    (l->coin.heads * (d - 1) + l->coin.tails * d) / (K - 1),
	    l->coin.heads * (K - d) * -expm1(-l->coin.x) / (K - 1));
	*m = &l->m;
	return 0;
}

/* A symbol to the set, if it is not there. */
static bool
enter(uint64_t *bit, uint64_t v)
{
	const uint64_t mask = (uint64_t)1 << v % 64;
	const bool new = (bit[v / 64] & mask) == 0;

	bit[v / 64] |= mask;
	return new;
}

/*
 * d - 1 of the K - 1 others (numbered without v), all such sets equally likely (Floyd's algorithm:
 * Bentley, Floyd 1987), and one more that is not among them, drawn until it is not: with it they
 * are d of the others, all such sets equally likely.  Heads: v in its place.  Both sides draw the
 * same.
 */
static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	const uint64_t others = l->K - 1;
	uint64_t *bit = col, v, i, y;
	bool own;
	int e;

	(void)t;
	*est = 0;
	memset(bit, 0, m->column);
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &own)) != 0)
		return e;
	for (i = others - (l->named - 1); i < others; i++) {
		if ((e = dp_fair(rng, i + 1, &y)) != 0)
			return e;
		if (!enter(bit, y + (y >= v)))
			(void)enter(bit, i + (i >= v));
	}
	do {
		if ((e = dp_fair(rng, others, &y)) != 0)
			return e;
		y += y >= v;
	} while ((bit[y / 64] >> y % 64 & 1) != 0);
	(void)enter(bit, own ? v : y);
	return 0;
}

static bool
add(const struct dp_mech *m, int64_t *count, struct dp_slice text)
{
	const struct dp_local *l = dp_local_of(m);

	return dp_local_add(l, l->named, count, text);
}

static double
draws(const struct dp_mech *m)
{
	return 1 + dp_local_of(m)->named;
}

static void
describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "a set of %u symbols, with the line's among them with probability "
	    "%.6g, each other with %.6g", l->named, l->p, l->q);
}

static const struct dp_answers answers = {
	.put = dp_local_put, .add = add, .describe = describe
};

const struct dp_mech_ops dp_subset_ops = {
	.name = "subset",
	.noise = "randomised set",
	.source = "subset selection: a set of symbols (Wang et al. 2016; Ye, Barg 2018)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = create, .step = step, .law = dp_local_law, .error = dp_local_error,
	.draws = draws, .answers = &answers
};
