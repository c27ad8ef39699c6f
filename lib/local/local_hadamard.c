/*
 * local_hadamard.c - Hadamard response: one place of a row of signs (Acharya, Sun, Zhang 2019,
 * section 4; Cormode, Kulkarni, Srivastava 2018 send the sign beside the place).
 *
 * S is the least power of two above K, H(u, y) = (-1)^(ones in u & y) the Hadamard matrix of that
 * size, and symbol v has row u = v + 1: row 0 has no minus.  Any other row has as many signs of one
 * kind as of the other, and any two agree in half of their places.  An answer is a place y:
 *	heads, P = e^epsilon / (1 + e^epsilon): all y with H(v + 1, y) = 1 equally likely;
 *	tails: all y with H(v + 1, y) = -1 equally likely.
 * So P(y | v) is 2P/S or 2(1-P)/S, their ratio e^epsilon: (1) of local.h.
 * A place supports the symbols whose rows have a 1 there: p = P, and q = 1/2, as the row of another
 * symbol has a 1 in half of those places where v's has one, and in half of the others.  With W the
 * transform of the counts of places, W_u = sum over y of H(u, y) count_y, N_v = (n + W_(v+1)) / 2.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "local.h"

static uint64_t
places(size_t K)
{
	return (uint64_t)1 << dp_ceil_log2((uint64_t)K + 1);
}

static int
create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if (rule->privacy.exact)	/* half of the places stand for a symbol even so */
		return DP_EINVAL;
	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(1, 1), dp_q_make(1, 1))) != 0)
		return e;
	l->counts = (size_t)places(l->K);
	l->m.answers.text = strlen("hr:") + 20;
	/* P - 1/2 = (2P - 1) / 2 = P (1 - e^-epsilon) / 2 */
	dp_local_set(l, l->coin.heads, l->coin.tails, 0.5,
	    l->coin.heads * -expm1(-l->coin.x) / 2);
	*m = &l->m;
	return 0;
}

/*
 * A place drawn from all S has the sign wanted, or has it after the lowest bit of u in it is
 * flipped: two of the S lead to each place with that sign.
 */
static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t v, u, y;
	unsigned minus;
	bool plus;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &plus)) != 0 ||
	    (e = dp_fair(rng, l->counts, &y)) != 0)
		return e;
	u = v + 1;
	minus = (unsigned)__builtin_parityll(u & y);
	y ^= -(uint64_t)(minus == plus) & u & -u;
	*est = (dp_wide)y;
	return 0;
}

static char *
put(const struct dp_mech *m, const void *col, dp_wide est, char *p)
{
	(void)m;
	(void)col;
	p = stpcpy(p, "hr:");
	return dp_decimal_put(p, est, 0);
}

static bool
add(const struct dp_mech *m, int64_t *count, struct dp_slice s)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t y = 0;
	size_t i;

	if (!dp_local_untag(l, &s) || s.n == 0 || s.n > 7 || (s.n > 1 && *s.p == '0'))
		return false;
	for (i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		y = 10 * y + (uint64_t)(s.p[i] - '0');
	}
	if (y >= l->counts)
		return false;
	count[y]++;
	return true;
}

static void
support(const struct dp_mech *m, int64_t *w, uint64_t n)
{
	const struct dp_local *l = dp_local_of(m);
	size_t half, i, j, v;
	int64_t a, b;

	for (half = 1; half < l->counts; half *= 2)
		for (i = 0; i < l->counts; i += 2 * half)
			for (j = i; j < i + half; j++) {
				a = w[j];
				b = w[j + half];
				w[j] = a + b;
				w[j + half] = a - b;
			}
	for (v = 0; v < l->K; v++)
		w[v] = ((int64_t)n + w[v + 1]) / 2;
}

static void
describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "one of %zu places of the symbol's row of signs, with a plus there "
	    "with probability %.6g", l->counts, l->p);
}

static const struct dp_answers answers = {
	.put = put, .add = add, .support = support, .describe = describe
};

const struct dp_mech_ops dp_hr_ops = {
	.name = "hr",
	.say.noise = "randomised response on a sign",
	.say.source = "Hadamard response: a place in a row of signs (Acharya, Sun, Zhang 2019)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = create, .step = step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.certify = dp_local_certify,
	.answers = &answers
};
