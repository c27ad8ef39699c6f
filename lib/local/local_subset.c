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
 *
 * A set of d - 1 of the K - 1 others, all equally likely, and one more that is not among them,
 * equally likely: with it they are d of the others, all such sets equally likely.  Heads: the
 * symbol in its place.  Both sides draw the same.
 *
 * BITS.  Where d is large, the d - 1 are drawn so: each of the others by itself with probability
 * m / 2^b; then, one at a time, any that is not there comes, or any that is there goes, until they
 * are d - 1.
 * Statement.  All sets of d - 1 are equally likely, whatever m and b are.
 * Proof.  Given how many came by themselves, c, all sets of c are equally likely, as each has the
 * probability h^c (1-h)^(K-1-c).  If all sets of c are, then with one more, equally likely of those
 * that are not there, all sets of c + 1 are: each comes about from c + 1 sets of c, with the same
 * probability from each.  Likewise with one less.
 * m and b are found in integers, too, with m / 2^b below d / K: 64 symbols take 8 b bytes, and each
 * that is to come takes about as long as 4 symbols' words.
 */
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "local.h"

#define FEW	256		/* symbols that are drawn one by one */
#define PLANES	8		/* a record of dp_rng_span() at most */

/* The cheapest of 0 to 8 planes, by nanoseconds that were measured once. */
static void
plan_bits(struct dp_local *l)
{
	const uint64_t words = dp_local_words(l->K);
	uint64_t least = UINT64_MAX, cost;
	unsigned b, part;

	for (b = 0; b <= PLANES; b++) {
		part = (unsigned)(((uint64_t)l->named << b) / l->K);
		cost = 3 * b * words + 4 * (l->named - (l->K * part >> b));
		if (cost < least) {
			least = cost;
			l->planes = b;
			l->part = part;
		}
	}
}

static int
create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_local_task *a = rule->task.own;
	const double K = (double)a->symbols;
	struct dp_local *l;
	double d;
	int e;

	if (a->symbols > DP_LOCAL_BITS_MAX)
		return DP_EINVAL;
	/* a coin of 1 : e^-epsilon, whose tails are 1 / (1 + e^epsilon) */
	if ((e = dp_local_new(&l, rule, ops,
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
	l->m.answers.text = dp_local_text(l);
	l->others = l->K - l->named;
	l->own = l->named;
	l->counts = dp_local_counts(l->K);
	plan_bits(l);
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

static bool
leave(uint64_t *bit, uint64_t v)
{
	const uint64_t mask = (uint64_t)1 << v % 64;
	const bool old = (bit[v / 64] & mask) != 0;

	bit[v / 64] &= ~mask;
	return old;
}

/* d - 1 of the K - 1 others (Floyd's algorithm: Bentley, Floyd 1987), numbered without v. */
static int
draw_few(const struct dp_local *l, uint64_t *bit, struct dp_rng *rng, uint64_t v)
{
	const uint64_t others = l->K - 1;
	uint64_t i, y;
	int e;

	for (i = others - (l->named - 1); i < others; i++) {
		if ((e = dp_fair(rng, i + 1, &y)) != 0)
			return e;
		if (!enter(bit, y + (y >= v)))
			(void)enter(bit, i + (i >= v));
	}
	return 0;
}

/* Places among n <= 2^16, all equally likely, 16 bits each (coin.c, dp_fair()). */
struct places {
	struct dp_rng *rng;
	const uint8_t *p;
	unsigned left;
	uint32_t n, uneven;		/* 2^16 mod n */
};

static int
place(struct places *s, uint64_t *out)
{
	uint32_t m;

	do {
		if (s->left == 0) {
			if ((s->p = dp_rng_take(s->rng, DP_RNG_TAKE)) == NULL)
				return s->rng->error;
			s->left = DP_RNG_TAKE / 2;
		}
		m = (s->p[0] | (uint32_t)s->p[1] << 8) * s->n;
		s->p += 2;
		s->left--;
	} while ((m & 0xffff) < s->uneven);
	*out = m >> 16;
	return 0;
}

/* Each of 64 n symbols with probability part / 2^planes: U < part, by bits from the lowest. */
static int
draw_words(const struct dp_local *l, uint64_t *bit, size_t n, struct dp_rng *rng)
{
	const size_t planes = l->planes, size = 8 * planes;
	uint64_t flip[PLANES], u, below;	/* a | b = ~(~a & ~b) */
	size_t some, j;
	uint8_t *p, *q;

	for (j = 0; j < planes; j++)
		flip[j] = -(uint64_t)(l->part >> j & 1);
	while (n > 0) {
		if ((some = dp_rng_span(rng, &p, size, n)) == 0)
			return rng->error;
		for (q = p, n -= some; q < p + some * size; *bit++ = below)
			for (below = 0, j = 0; j < planes; j++, q += 8) {
				memcpy(&u, q, sizeof u);
				below = ((below ^ flip[j]) & (le64toh(u) ^ flip[j])) ^ flip[j];
			}
		dp_rng_spend(rng, some * size);
	}
	return 0;
}

static int
draw_many(const struct dp_local *l, uint64_t *bit, struct dp_rng *rng, uint64_t v)
{
	const size_t n = dp_local_words(l->K);
	struct places s = { rng, NULL, 0, (uint32_t)l->K, 0x10000 % (uint32_t)l->K };
	uint64_t y = 0, have = 0;
	const uint64_t want = l->named - 1u;
	size_t i;
	int e;

	if (l->planes > 0 && (e = draw_words(l, bit, n, rng)) != 0)
		return e;
	bit[n - 1] &= UINT64_MAX >> (64 * n - l->K);
	(void)leave(bit, v);
	for (i = 0; i < n; i++)
		have += dp_local_ones(bit[i]);
	while (have != want) {
		if ((e = place(&s, &y)) != 0)
			return e;
		if (y != v && have < want)
			have += enter(bit, y);
		else if (y != v)
			have -= leave(bit, y);
	}
	dp_rng_wipe(rng);
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t *bit = col, v, y;
	bool own;
	int e;

	(void)t;
	*est = 0;
	memset(bit, 0, m->column);
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &own)) != 0 ||
	    (e = (l->named > FEW ? draw_many : draw_few)(l, bit, rng, v)) != 0)
		return e;
	do {
		if ((e = dp_fair(rng, l->K - 1, &y)) != 0)
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
	.put = dp_local_put, .add = add, .support = dp_local_support,
	.describe = describe
};

const struct dp_mech_ops dp_subset_ops = {
	.name = "subset",
	.say.noise = "randomised set",
	.say.source = "subset selection: a set of symbols (Wang et al. 2016; Ye, Barg 2018)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = create, .step = step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.certify = dp_local_certify,
	.drawn.number = draws, .answers = &answers
};
