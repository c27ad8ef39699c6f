/*
 * hashed.c - distinct identifiers of any universe, in memory that does not grow.
 *
 * A public hash sends each identifier to one of L levels, level l < L - 1 with probability
 * pi = 2^-(l+1) and the last with what is left, and there to one of B buckets.  A bucket is
 *   hashed       a cell (cells.h), with a multiplier from the hash: what was done can be undone;
 *   hashed-bits  a random bit, drawn again at every sight (density.c).
 * Y_l buckets of level l are OUT, or 1.  Each is so with probability
 *	q_l(D) = p + gap (1 - (1 - pi/B)^D)
 * as one that holds a single identifier or several is, exactly: sums of f a, f independent, are
 * uniform, and bits are drawn again.  (Deletions may not take a sum back to 0, but with probability
 * 2^-64 of the hash.)  D^ is the D of the greatest likelihood for the Y_l + z_l taken as normal,
 *	variance v_l = B q (1 - q) + Var z,
 * and its variance is predicted as that of an efficient estimate, 1/I(D), with the information
 *	I(D) = sum over l of (B q_l'(D))^2 / v_l,  q' = -gap (1 - pi/B)^D log(1 - pi/B).
 *
 * Privacy: an identifier feeds one bucket, whatever the hash, and the levels share no bucket, so
 * that it moves one Y_l by 1: PAN-PRIVACY in cells.h, and density.c's proof, with L sums in place
 * of one.  Levels partition identifiers, so the budget is not divided among them.  (Nested ones,
 * as in Dwork et al. 2010, would cost a factor L.)
 */
#include <math.h>

#include <sodium.h>

#include "bits.h"

extern const struct dp_mech_ops dp_hashed_ops, dp_hashed_bits_ops;

#define LEVELS		21
#define FLIPS		0x1p20		/* of the law: so many bits are normal */

struct hashed {
	struct dp_memory mem;
	struct dp_odds odds;
	bool bits;
	unsigned log;			/* B = 2^log */
	double b;
	double seen;			/* identifiers that the budget is divided for */
};

struct column {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint64_t word[];
};

_Static_assert(crypto_shorthash_siphashx24_KEYBYTES == 16, "a key of two words");

/* What can be said of Y: p, gap, and the variance of its noise. */
struct law {
	struct dp_odds odds;
	double noise;
};

static double
share_of(unsigned level)
{
	return ldexp(1, level < LEVELS - 1 ? -(int)level - 1 : 1 - LEVELS);
}

/* q_l(D), and in *slope q_l'(D). */
static double
chance(double b, const struct dp_odds *o, unsigned level, double D, double *slope)
{
	const double log_empty = log1p(-share_of(level) / b), empty = exp(D * log_empty);

	*slope = -o->gap * empty * log_empty;
	return o->p - o->gap * expm1(D * log_empty);
}

static double
variance_at(double b, const struct law *w, double D)
{
	double sum = 0, q, slope;
	unsigned l;

	for (l = 0; l < LEVELS; l++) {
		q = chance(b, &w->odds, l, D, &slope);
		sum += b * slope * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
	return 1 / sum;
}

/* What D^ takes of each level's count, to the first order: the score of D over its information. */
static void
weights(double b, const struct law *w, double D, double *weight)
{
	const double variance = variance_at(b, w, D);
	double q, slope;
	unsigned l;

	for (l = 0; l < LEVELS; l++) {
		q = chance(b, &w->odds, l, D, &slope);
		weight[l] = variance * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
}

static void
odds_of(struct dp_odds *o, bool bits, double eps)
{
	o->p = 1 / (1 + exp(eps));
	o->gap = tanh(eps / 2) / (bits ? 1 : 2);
}

static double
variance(const void *arg, double eps1, double eps2)
{
	const struct hashed *k = arg;
	struct law w = { .noise = dp_sketch_laplace(eps2) };

	odds_of(&w.odds, k->bits, eps1);
	return variance_at(k->b, &w, k->seen);
}

static void
law_of(const struct hashed *k, struct law *w)
{
	w->odds = k->odds;
	w->noise = k->mem.output.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&k->mem.output);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct hashed *k = (const void *)m;
	const uint64_t n = (uint64_t)LEVELS << k->log;
	struct column *c = col;
	int e;

	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	if (k->bits)
		return dp_bits_start(c->word, n, &k->mem.state, rng);
	return dp_memory_exact(&k->mem) ? 0 : dp_cells_start(&k->mem, rng, 0, c->word, n);
}

/* The bucket of an identifier, and its multiplier. */
static uint64_t
place(const struct hashed *k, const struct column *c, const struct dp_id *id, uint64_t *f)
{
	uint64_t h[2];
	unsigned level;

	crypto_shorthash_siphashx24((unsigned char *)h, (const unsigned char *)id->word,
	    sizeof id->word, c->key);
	level = (unsigned)__builtin_ctzll(h[0] | (uint64_t)1 << (LEVELS - 1));
	*f = h[1];
	return ((uint64_t)level << k->log) + (h[0] >> (64 - k->log));
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct hashed *k = (const void *)m;
	struct column *c = col;
	uint64_t f, i = place(k, c, id, &f);

	if (k->bits)
		return dp_bits_see(c->word, i, &k->mem.state, rng);
	c->word[i] += id->sign < 0 ? -f : f;
	return 0;
}

/* Of the counts y, if there are D identifiers. */
static double
likelihood(double b, const struct law *w, const double *y, double D)
{
	double sum = 0, q, v, slope;
	unsigned l;

	for (l = 0; l < LEVELS; l++) {
		q = chance(b, &w->odds, l, D, &slope);
		if (w->noise == 0) {	/* of bits that are exact, so that 0 can have no variance */
			sum += (y[l] > 0 ? y[l] * log(q) : 0) +
			    (y[l] < b ? (b - y[l]) * log1p(-q) : 0);
			continue;
		}
		v = b * q * (1 - q) + w->noise;
		sum -= (y[l] - b * q) * (y[l] - b * q) / (2 * v) + log(v) / 2;
	}
	return sum;
}

/* By golden section over log(1 + D), from the best of a row of points. */
static double
most_likely(double b, const struct law *w, const double *y, double cap)
{
	const double g = 0.6180339887498949, most = log1p(cap);
	double best = -INFINITY, at = 0, v, x, z, lo, hi;
	int i;

	for (i = 0; i <= 200; i++)
		if ((v = likelihood(b, w, y, expm1(most * i / 200))) > best) {
			best = v;
			at = i;
		}
	lo = most * (at > 0 ? at - 1 : 0) / 200;
	hi = most * (at < 200 ? at + 1 : 200) / 200;
	for (i = 0; i < 50; i++) {
		x = hi - g * (hi - lo);
		z = lo + g * (hi - lo);
		if (likelihood(b, w, y, expm1(x)) > likelihood(b, w, y, expm1(z)))
			hi = z;
		else
			lo = x;
	}
	return expm1((lo + hi) / 2);
}

/* The noise is such that hardly anything is learned of a D from 0 to N. */
static bool
blind(const struct hashed *k, const struct law *w, double N)
{
	return 4 * variance_at(k->b, w, N) > N * N;
}

/*
 * The largest answer at step t.  A line is one identifier at the most, and the number of lines is
 * public.  Else nobody knows; but where little is learned, the likelihood would run up to where it
 * is flat, beyond all that errors are predicted for.
 */
static double
cap_of(const struct hashed *k, const struct law *w, uint64_t t)
{
	const double N = dp_sketch_seen(&k->mem.s, t);

	return k->mem.s.lines || blind(k, w, N) ? N : ldexp(k->b, LEVELS + 1);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct hashed *k = (const void *)m;
	const struct column *c = col;
	const uint64_t n = (uint64_t)1 << k->log;
	const bool exact = dp_memory_exact(&k->mem);
	int64_t z[LEVELS], sum;
	double y[LEVELS];
	struct law w;
	uint64_t i;
	unsigned l;
	int e;

	if ((e = dp_noise_fill(&k->mem.output, rng, z, LEVELS)) != 0)
		return e;
	for (l = 0; l < LEVELS; l++) {
		sum = z[l];
		if (k->bits)
			sum += (int64_t)dp_bits_count(c->word, l * n, n);
		for (i = l * n; i < (l + 1) * n && !k->bits; i++)
			sum += exact ? c->word[i] != 0 : dp_cell_out(c->word[i]);
		y[l] = (double)sum;
	}
	/* y is private: from here on doubles do no harm */
	law_of(k, &w);
	*est = dp_sketch_round(most_likely(k->b, &w, y, cap_of(k, &w, t)));
	return 0;
}

static size_t
bytes(bool bits, unsigned log)
{
	const uint64_t n = (uint64_t)LEVELS << log;

	return bits ? dp_bits_bytes(n) : (size_t)n * sizeof(uint64_t);
}

static int
make(struct dp_mech **out, const struct dp_mech_rule *rule, bool bits)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t b = s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
	const unsigned log = dp_ceil_log2(b);
	struct hashed *k;
	int e;

	if (b != (uint64_t)1 << log || log < 4 || log > 26 || (bits && s->deletes))
		return DP_EINVAL;
	k = dp_memory_alloc(bits ? &dp_hashed_bits_ops : &dp_hashed_ops, sizeof *k, rule,
	    sizeof(struct column) + bytes(bits, log));
	if (k == NULL)
		return DP_ENOMEM;
	k->bits = bits;
	k->log = log;
	k->b = (double)b;
	k->seen = dp_sketch_seen(s, rule->report);
	k->mem.draws = bits + LEVELS * k->mem.draws;
	k->mem.m.noisy = "the count of every level, in every answer";
	k->mem.begins = bits ? DP_BIT_BEGINS : DP_CELL_BEGINS;
	k->mem.count = count;
	if ((e = dp_memory_split(&k->mem, rule, 1, variance, k)) != 0)
		return e;
	if (bits)
		dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.params);
	else
		dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.params);
	if (rule->privacy.exact)	/* a cell that is not 0 is counted, as a bit is */
		k->odds = (struct dp_odds){ 0, 1 };
	dp_params_same(rule->privacy.params, b);
	*out = &k->mem.m;
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return make(out, rule, false);
}

static int
create_bits(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return make(out, rule, true);
}

/*
 * The error for as many identifiers N as there may be; with fewer it is narrower.  To the first
 * order D^ takes weight_l of Y_l + z_l, whose noise has its own tails, and the many bits are
 * normal.  What comes after the first order is not bounded here: how often D^ is farther off than
 * this law says is measured (tests/law/s_levels.c), not proved.  The curve does no harm: of D <= N
 * none moves the means less than N does, each q_l being concave, and D^ <= N is looked for.  Where
 * that says little, nothing is promised but that D^ and D are from 0 to N both.
 */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct hashed *k = (const void *)m;
	const double N = dp_sketch_seen(&k->mem.s, t);
	double weight[LEVELS], sum = 0;
	struct law w;
	unsigned i;

	(void)out;
	law_of(k, &w);
	if (blind(k, &w, N)) {
		l->blind = true;
		dp_law_flip(l, 2 * N, 1, 0.5);
		return;
	}
	weights(k->b, &w, N, weight);
	for (i = 0; i < LEVELS; i++) {
		sum += weight[i] * weight[i] * w.noise;
		dp_law_add(l, &k->mem.output, weight[i], 1);
	}
	dp_law_flip(l, 2 * sqrt((variance_at(k->b, &w, N) - sum) / FLIPS), FLIPS, 0.5);
}

/* Where identifiers may become more with every line, a few of the steps stand for the mean. */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct hashed *k = (const void *)m;
	struct law w;
	double sum = 0;
	int i;

	law_of(k, &w);
	e->blind = blind(k, &w, dp_sketch_seen(&k->mem.s, T));
	for (i = 0; i < 256; i++)
		sum += dp_mech_variance(m, 1 + (uint64_t)((i + 0.5) / 256 * (double)(T - 1)));
	e->max = dp_mech_variance(m, T);
	e->mean = sum / 256;
	e->worst = T;
}

#define HASHED \
	DP_MEMORY_OPS, .traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.statistic = &dp_distinct, .start = start, .see = see, .law = law, .error = error

const struct dp_mech_ops dp_hashed_ops = {
	HASHED, .name = "hashed",
	.source = "cells of hashed identifiers, in levels ever more sparse", .create = create
};

const struct dp_mech_ops dp_hashed_bits_ops = {
	HASHED, .name = "hashed-bits",
	.source = "the same with random bits (after Dwork et al. 2010)",
	.refuses = dp_sketch_refuse_deletes, .create = create_bits
};
