/* SPDX-License-Identifier: ISC */
/*
 * hashed.c - distinct identifiers of any universe, in memory that does not grow.
 *
 * A public hash sends each identifier to one of L levels, level l < L - 1 with probability
 * pi = 2^-(l+1) and the last with what is left, and there to one of B buckets, or of W on level 1
 * (--buckets=B+W; else W = B).  A bucket is
 *   hashed       a cell (internal.h), with a multiplier from the hash: what was done can be undone;
 *   hashed-bits  a random bit, drawn again at every sight (density.c).
 * Y_l buckets of level l are OUT, or 1.  Each is so with probability
 *	q_l(D) = p + gap (1 - (1 - pi/B_l)^D)
 * as one that holds a single identifier or several is, exactly: sums of f a, f independent, are
 * uniform, and bits are drawn again.  (Deletions may not take a sum back to 0, but with probability
 * 2^-64 of the hash.)  D^ is the D of the greatest likelihood for the Y_l + z_l taken as normal,
 *	variance v_l = B_l q (1 - q) + Var z,
 * and its variance is predicted as that of an efficient estimate, 1/I(D), with the information
 *	I(D) = sum over l of (B_l q_l'(D))^2 / v_l,  q' = -gap (1 - pi/B_l)^D log(1 - pi/B_l).
 * A large W tells of many identifiers what B buckets a level, full by then, cannot; and as level 0
 * is small, few are told as well as without it.
 *
 * Privacy: an identifier feeds one bucket, whatever the hash, and the levels share no bucket, so
 * that it moves one Y_l by 1: PAN-PRIVACY in internal.h, and AGAIN in internal.h, with L sums in
 * place of
 * one.  Levels partition identifiers, so the budget is not divided among them.  (Nested ones,
 * as in Dwork et al. 2010, would cost a factor L.)
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

static struct dp_levels_row *row_of(const struct dp_levels *);
static double dp_levels_likeliest(const struct dp_levels *, const int64_t y[static DP_LEVELS],
	    double cap);
static int dp_levels_interval(const struct dp_levels *, const int64_t y[static DP_LEVELS],
    double est,
	    double cap, double gamma, double *lo, double *hi) DP_MUSTUSE;

extern const struct dp_mech_ops dp_hashed_bits_ops;

/*
 * Behind a column: the counts of the last answer, noise and all, which are of the outputs; and how
 * many buckets of each level are OUT, or 1, which is of the memory before it, if `known'.
 */
struct counts {
	int64_t y[DP_LEVELS];
	uint64_t known;
	uint32_t out[DP_LEVELS + 1];
};

struct hashed {
	struct dp_memory mem;
	struct dp_odds odds;
	bool bits;
	unsigned log, wide;		/* B = 2^log, W = 2^wide */
	double seen;	/* identifiers that the budget is divided for: few, if W > B */
	struct dp_levels_row *row;	/* NULL: not asked for yet */
};

struct column {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint64_t word[];
};

_Static_assert(crypto_shorthash_siphashx24_KEYBYTES == 16, "a key of two words");

static void
odds_of_hashed(struct dp_odds *o, bool bits, double eps)
{
	o->p = 1 / (1 + exp(eps));
	o->gap = tanh(eps / 2) / (bits ? 1 : 2);
}

static double
variance_hashed(const void *arg, double eps1, double noise)
{
	const struct hashed *k = arg;
	struct dp_levels w = { .b = ldexp(1, (int)k->log), .wide = ldexp(1, (int)k->wide),
	    .noise = noise };

	odds_of_hashed(&w.odds, k->bits, eps1);
	return dp_levels_variance(&w, k->seen);
}

static void
levels_of(const struct hashed *k, struct dp_levels *w)
{
	const bool none = k->mem.output.kind == DP_NOISE_NONE;

	*w = (struct dp_levels){ ldexp(1, (int)k->log), ldexp(1, (int)k->wide), k->odds,
	    none ? NULL : &k->mem.output, none ? 0 : dp_noise_variance(&k->mem.output), NULL };
}

/* With the row of points; DP_ENOMEM. */
static int
levels_with_row(const struct hashed *k, struct dp_levels *w)
{
	levels_of(k, w);
	if (k->row == NULL)
		((struct hashed *)(uintptr_t)k)->row = row_of(w);
	w->row = k->row;
	return w->row == NULL ? DP_ENOMEM : 0;
}

static void
hashed_destroy(struct dp_mech *m)
{
	free(((struct hashed *)(void *)m)->row);
}

static struct counts *
counts(const struct dp_mech *m, const void *col)
{
	return (void *)((char *)(uintptr_t)col + m->column - m->beside);
}

/* Logarithm of the buckets of a level, and those of all levels before it. */
static unsigned
log_of(const struct hashed *k, unsigned level)
{
	return level == DP_LEVELS_WIDE ? k->wide : k->log;
}

static uint64_t
before(const struct hashed *k, unsigned level)
{
	return ((uint64_t)level << k->log) +
	    (level > DP_LEVELS_WIDE ? ((uint64_t)1 << k->wide) - ((uint64_t)1 << k->log) : 0);
}

static int
hashed_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct hashed *k = (const void *)m;
	const uint64_t n = before(k, DP_LEVELS);
	struct column *c = col;
	int e;

	counts(m, col)->known = 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	if (k->bits)
		return dp_bits_start(c->word, n, &k->mem.state, rng);
	return dp_memory_exact(&k->mem) ? 0 : dp_cells_start(&k->mem, rng, 0, c->word, n);
}

/* The bucket of an identifier, its level and its multiplier. */
static uint64_t
place_hashed(const struct hashed *k, const struct column *c, const struct dp_id *id,
    unsigned *at, uint64_t *f)
{
	uint64_t h[2];
	unsigned level;

	crypto_shorthash_siphashx24((unsigned char *)h, (const unsigned char *)id->word,
	    sizeof id->word, c->key);
	level = (unsigned)__builtin_ctzll(h[0] | (uint64_t)1 << (DP_LEVELS - 1));
	*f = h[1];
	*at = level;
	return before(k, level) + (h[0] >> (64 - log_of(k, level)));
}

/* 1: what a level counts. */
static uint32_t
is_out(const struct hashed *k, const struct column *c, uint64_t i)
{
	if (k->bits)
		return (uint32_t)(c->word[i / 64] >> i % 64 & 1);
	return dp_memory_exact(&k->mem) ? c->word[i] != 0 : dp_cell_out(c->word[i]);
}

static int
hashed_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct hashed *k = (const void *)m;
	struct column *c = col;
	struct counts *n = counts(m, col);
	unsigned l;
	uint64_t f, i = place_hashed(k, c, id, &l, &f);
	int e = 0;

	/*
	 * Before the draw and behind it: the bit that was is nowhere when the step ends.  Not
	 * before all are counted: what is kept of differences alone would tell that bit.
	 */
	if (n->known != 0)
		n->out[l] -= is_out(k, c, i);
	if (k->bits)
		e = dp_bits_see(c->word, i, &k->mem.state, rng);
	else
		c->word[i] += id->sign < 0 ? -f : f;
	if (n->known != 0)
		n->out[l] += is_out(k, c, i);
	return e;
}

/* The noise is such that hardly anything is learned of a D from 0 to N. */
static bool
blind(const struct dp_levels *w, double N)
{
	return 4 * dp_levels_variance(w, N) > N * N;
}

/*
 * The largest answer at step t.  A line is one identifier at the most, and the number of lines is
 * public.  Else nobody knows; but where little is learned, the likelihood would run up to where it
 * is flat, beyond all that errors are predicted for.
 */
static double
cap_of(const struct hashed *k, const struct dp_levels *w, uint64_t t)
{
	const double N = dp_sketch_seen(&k->mem.s, t);

	return k->mem.s.lines || blind(w, N) ? N : ldexp(w->b, DP_LEVELS + 1);
}

/* Counts all buckets, if that is not done: see() keeps count then. */
static void
count_out(const struct hashed *k, const struct column *c, struct counts *n)
{
	uint64_t i, from, to;
	unsigned l;

	for (l = 0; l < DP_LEVELS && n->known == 0; l++) {
		from = before(k, l);
		to = before(k, l + 1);
		n->out[l] = k->bits ? (uint32_t)dp_bits_count(c->word, from, to - from) : 0;
		for (i = from; i < to && !k->bits; i++)
			n->out[l] += is_out(k, c, i);
	}
	n->known = 1;
}

static int
hashed_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct hashed *k = (const void *)m;
	const struct column *c = col;
	struct counts *const n = counts(m, col);
	int64_t *const y = n->y, z[DP_LEVELS], sum;
	struct dp_levels w;
	unsigned l;
	int e;

	if ((e = dp_noise_fill(&k->mem.output, rng, z, DP_LEVELS)) != 0)
		return e;
	count_out(k, c, n);
	for (l = 0; l < DP_LEVELS; l++) {
		sum = z[l];
		sum += n->out[l];
		y[l] = sum;
	}
	/* y is private: from here on doubles do no harm */
	if ((e = levels_with_row(k, &w)) != 0)
		return e;
	*est = dp_sketch_round(dp_levels_likeliest(&w, y, cap_of(k, &w, t)));
	return 0;
}

/* Nobody's number is above the lines; before the first line only levels tell something. */
static int
interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	const struct hashed *k = (const void *)m;
	const int64_t *y = counts(m, col)->y;
	const double most = k->mem.s.lines ? dp_sketch_seen(&k->mem.s, t) :
	    ldexp(1, (int)k->log + DP_LEVELS + 1);
	struct dp_levels w;
	double a, b;
	int e;

	(void)out;
	if ((e = levels_with_row(k, &w)) != 0)
		return e;
	e = dp_levels_interval(&w, y, dp_levels_likeliest(&w, y, cap_of(k, &w, t)), most, gamma,
	    &a, &b);
	*lo = dp_sketch_round(e == 0 ? a : 0);
	*hi = dp_sketch_round(e == 0 ? b : 0);
	return e;
}

static size_t
bytes(bool bits, uint64_t n)
{
	return bits ? dp_bits_bytes(n) : (size_t)n * sizeof(uint64_t);
}

static int
hashed_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const bool bits = ops == &dp_hashed_bits_ops;
	const struct dp_sketch *s = rule->task.own;
	const uint64_t b = s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
	const uint64_t wide = s->wide != 0 ? s->wide : b;
	struct hashed own = { .bits = bits, .log = dp_ceil_log2(b), .wide = dp_ceil_log2(wide) };
	struct hashed *k;
	size_t size;
	int e;

	if (b != (uint64_t)1 << own.log || own.log < 4 || own.log > 26 || (bits && s->deletes) ||
	    wide != (uint64_t)1 << own.wide || own.wide < own.log || own.wide > 26)
		return DP_EINVAL;
	size = sizeof(struct column) + bytes(bits, before(&own, DP_LEVELS)) +
	    sizeof(struct counts);
	k = dp_memory_alloc(ops, sizeof *k, rule, size);
	if (k == NULL)
		return DP_ENOMEM;
	own.mem = k->mem;
	*k = own;
	k->seen = wide == b ? dp_sketch_seen(s, rule->report) : (double)b;
	k->mem.draws = bits + DP_LEVELS * k->mem.draws;
	k->mem.m.drawn.numbers = "the count of every level, in every answer";
	k->mem.begins = bits ? DP_BIT_BEGINS : DP_CELL_BEGINS;
	k->mem.count = hashed_count;
	k->mem.each = DP_LEVELS;
	k->mem.redrawn = bits;
	k->mem.m.beside = sizeof(struct counts);
	if ((e = dp_memory_split(&k->mem, rule, 1, variance_hashed, k)) != 0)
		return e;
	if (bits)
		dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	else
		dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	if (rule->privacy.exact)	/* a cell that is not 0 is counted, as a bit is */
		k->odds = (struct dp_odds){ 0, 1 };
	dp_numbers_same(rule->privacy.numbers, "cells", wide == b ? b : b | wide << 32);
	*out = &k->mem.m;
	return 0;
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
law_hashed(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct hashed *k = (const void *)m;
	const double N = dp_sketch_seen(&k->mem.s, t);
	struct dp_levels w;

	(void)out;
	levels_of(k, &w);
	if (blind(&w, N)) {
		l->blind = true;
		dp_law_flip(l, 2 * N, 1, 0.5);
		return;
	}
	dp_levels_law(&w, N, l);
}

/* A few steps stand for the mean where identifiers may become more with every line. */
static void
hashed_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct hashed *k = (const void *)m;
	struct dp_levels w;
	double sum = 0;
	int i;

	levels_of(k, &w);
	e->blind = blind(&w, dp_sketch_seen(&k->mem.s, T));
	for (i = 0; i < 256; i++)
		sum += dp_mech_variance(m, 1 + (uint64_t)((i + 0.5) / 256 * (double)(T - 1)));
	e->max = dp_mech_variance(m, T);
	e->mean = sum / 256;
	e->worst = T;
}

/* Noise that hides any number there may be: what would do. */
static bool
hashed_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	const struct dp_sketch *s = rule->task.own;

	snprintf(text, size, "cannot tell %.0f identifiers from none: declare a --universe, have "
	    "fewer %s, a larger epsilon, or %s", dp_sketch_seen(s, rule->report),
	    dp_sketch_outputs(rule) == 1 ? "--buckets" : "answers (--every, --at-end)",
	    rule->pan ? "--no-pan-private in place of -P" :
	    s->deletes && s->flips == 0 ? "--flips, for an exact table" : "an exact table");
	return true;
}

#define HASHED \
	DP_MEMORY_OPS, .traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.statistic = &dp_distinct, .start = hashed_start, .open.see = hashed_see, .law.at = \
	    law_hashed, \
	.bound.interval = interval, .error = hashed_error, .destroy = hashed_destroy, \
	.say.unfit = hashed_unfit

const struct dp_mech_ops dp_hashed_ops = {
	HASHED, .name = "hashed",
	.say.source = "cells of hashed identifiers, in levels ever more sparse", .create =
	    hashed_create
};

const struct dp_mech_ops dp_hashed_bits_ops = {
	HASHED, .name = "hashed-bits",
	.say.source = "the same with random bits (after Dwork et al. 2010)",
	.say.refuses = dp_sketch_refuse_deletes, .create = hashed_create
};

/* Number of identifiers behind the counts of levels, and its interval. */

#define FLIPS		0x1p20		/* flips in the law, which stand for a normal one */
#define POINTS		200		/* of a search over log(1 + D) */
#define ROUND		((DP_LEVELS + 3) / 4 * 4)
#define STEPS		100		/* of a search, at most, */
#define NEAR		1e-11		/* and when it ends */

double
dp_levels_share(unsigned level)
{
	return ldexp(1, level < DP_LEVELS - 1 ? -(int)level - 1 : 1 - DP_LEVELS);
}

/* B_l */
static double
size(const struct dp_levels *w, unsigned level)
{
	return level == DP_LEVELS_WIDE ? w->wide : w->b;
}

/* The likelihood's numbers at D = e^(i step) - 1, i = 0 .. POINTS, whatever the counts are. */
struct dp_levels_row {
	double step;
	double empty[DP_LEVELS];	/* log_empty() of every level */
	struct {
		double mean[ROUND], half[ROUND];	/* B q, and 1 / 2 v; beyond DP_LEVELS 0 */
		double log;				/* of all v */
	} at[POINTS + 1];
};

/* Logarithm of the chance that one identifier leaves a bucket alone. */
static double
log_empty(const struct dp_levels *w, unsigned level)
{
	return w->row != NULL ? w->row->empty[level] :
	    log1p(-dp_levels_share(level) / size(w, level));
}

/* q_l(D), and in *slope q_l'(D). */
static double
chance(const struct dp_levels *w, unsigned level, double D, double *slope)
{
	const double empty = log_empty(w, level);
	const double seen = expm1(D * empty);

	*slope = -w->odds.gap * (1 + seen) * empty;
	return w->odds.p - w->odds.gap * seen;
}

double
dp_levels_variance(const struct dp_levels *w, double D)
{
	double sum = 0, q, b, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		sum += b * slope * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
	return 1 / sum;
}

/* a_l: the score of D over its information. */
static void
weights(const struct dp_levels *w, double D, double *weight)
{
	const double variance = dp_levels_variance(w, D);
	double q, b, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		weight[l] = variance * b * slope / (b * q * (1 - q) + w->noise + 1e-300);
	}
}

void
dp_levels_law(const struct dp_levels *w, double D, struct dp_law *l)
{
	double weight[DP_LEVELS], sum = 0;
	unsigned i;

	weights(w, D, weight);
	for (i = 0; i < DP_LEVELS; i++) {
		sum += weight[i] * weight[i] * w->noise;
		if (w->z != NULL)
			dp_law_add(l, w->z, weight[i], 1);
	}
	dp_law_flip(l, 2 * sqrt(fmax(dp_levels_variance(w, D) - sum, 0) / FLIPS), FLIPS, 0.5);
}

/* Logarithm of the likelihood of the counts y, if there are D identifiers. */
static double
likelihood(const struct dp_levels *w, const int64_t *y, double D)
{
	double sum = 0, q, b, v, x, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		x = (double)y[l];
		if (w->noise == 0) {	/* of bits that are exact, so that 0 can have no variance */
			sum += (x > 0 ? x * log(q) : 0) +
			    (x < b ? (b - x) * log1p(-q) : 0);
			continue;
		}
		v = b * q * (1 - q) + w->noise;
		sum -= (x - b * q) * (x - b * q) / (2 * v) + log(v) / 2;
	}
	return sum;
}

static struct dp_levels_row *
row_of(const struct dp_levels *w)
{
	struct dp_levels_row *row = calloc(1, sizeof *row);
	double q, b, v, slope;
	unsigned i, l;

	if (row == NULL)
		return NULL;
	row->step = log1p(ldexp(w->b, DP_LEVELS + 1)) / POINTS;
	for (l = 0; l < DP_LEVELS; l++)
		row->empty[l] = log_empty(w, l);
	for (i = 0; i <= POINTS; i++)
		for (l = 0; l < DP_LEVELS; l++) {
			b = size(w, l);
			q = chance(w, l, expm1(i * row->step), &slope);
			v = b * q * (1 - q) + w->noise;
			row->at[i].mean[l] = b * q;
			row->at[i].half[l] = 1 / (2 * v);
			row->at[i].log += log(v) / 2;
		}
	return row;
}

/* As likelihood(), of point i. */
DP_VECTORS static double
likelihood_at(const struct dp_levels_row *row, const double *y, unsigned i)
{
	double sum[4] = { 0 }, x;
	unsigned l, j;

	for (l = 0; l < ROUND; l += 4)
		for (j = 0; j < 4; j++) {
			x = y[l + j] - row->at[i].mean[l + j];
			sum[j] += x * x * row->at[i].half[l + j];
		}
	return -(sum[0] + sum[1] + sum[2] + sum[3] + row->at[i].log);
}

/* What the likelihood's derivative by log(1 + D) is, over its information. */
static double
ascent(const struct dp_levels *w, const int64_t *y, double D)
{
	double sum = 0, information = 0, q, b, r, one, more, slope;
	unsigned l;

	for (l = 0; l < DP_LEVELS; l++) {
		b = size(w, l);
		q = chance(w, l, D, &slope);
		one = 1 / (b * q * (1 - q) + w->noise + 1e-300);	/* division takes longest */
		slope *= b;
		r = (double)y[l] - b * q;
		/* of what is exact the binomial law, whose derivative has no further term */
		more = w->noise == 0 ? 0 : slope * (1 - 2 * q) * one;
		sum += r * slope * one + (r * r * one - 1) * more / 2;
		information += slope * slope * one + more * more / 2;
	}
	return sum / (information * (1 + D));
}

/*
 * The D from 0 to cap of the greatest likelihood, y_l taken as normal: by Fisher's scoring between
 * the neighbours of the best of a row of points, or halvings where it leaves them.
 */
static double
dp_levels_likeliest(const struct dp_levels *w, const int64_t y[static DP_LEVELS], double cap)
{
	const double most = log1p(cap);
	double best = -INFINITY, x = 0, before, lo, hi, v, real[ROUND] = { 0 };
	unsigned i, points = (unsigned)fmin(most / w->row->step, POINTS);

	for (i = 0; i < DP_LEVELS; i++)
		real[i] = (double)y[i];
	for (i = 0; i <= points + 1; i++) {
		before = i > points ? most : i * w->row->step;
		v = i > points || w->noise == 0 ? likelihood(w, y, expm1(before)) :
		    likelihood_at(w->row, real, i);
		if (v > best) {
			best = v;
			x = before;
		}
	}
	lo = fmax(x - w->row->step, 0);
	hi = fmin(x + w->row->step, most);
	for (i = 0, before = -1; i < STEPS && fabs(x - before) > NEAR; i++) {
		v = ascent(w, y, expm1(x));
		*(v > 0 ? &lo : &hi) = before = x;
		x = x + v >= lo && x + v <= hi ? x + v : (lo + hi) / 2;
	}
	return expm1(x);
}

struct search {
	const struct dp_levels *w;
	const int64_t *y;
	double gamma;
	struct dp_law *law;
};

/* D is not refuted.  Chernoff's bound, a little wider, spares most of the exact ones. */
static bool
stands(const struct search *s, double D)
{
	double weight[DP_LEVELS], u = 0, slope;
	unsigned l;

	weights(s->w, D, weight);
	for (l = 0; l < DP_LEVELS; l++)
		u += weight[l] * ((double)s->y[l] -
		    size(s->w, l) * chance(s->w, l, D, &slope));
	dp_law_clear(s->law);
	dp_levels_law(s->w, D, s->law);
	if (!(fabs(u) < INFINITY))		/* no information at all */
		return true;
	if (dp_law_chernoff(s->law, fabs(u)) <= s->gamma)
		return false;
	return fabs(u) <= dp_law_bound(s->law, s->gamma) + 0.5;
}

/* From `from`, which is refuted, to `to`, which stands: the last whole number that is refuted. */
static double
border(const struct search *s, double from, double to)
{
	double mid;

	while (fabs(to - from) > fmax(1, fabs(from) * 1e-3)) {
		mid = floor((from + to) / 2);
		if (mid == from || mid == to)
			break;
		if (stands(s, mid))
			to = mid;
		else
			from = mid;
	}
	return from;
}

/* The end of the interval on the side of `end`, 0 or the most, as seen from est. */
static double
end_of(const struct search *s, double est, double end)
{
	const double from = log1p(end), to = log1p(est);
	double before = end, at;
	int i;

	for (i = 0; i < POINTS; i++) {
		at = i == 0 ? end : rint(expm1(from + (to - from) * i / POINTS));
		if (at != before || i == 0) {
			if (stands(s, at))
				return i == 0 ? end : border(s, before, at);
		}
		before = at;
	}
	return before == est ? est : border(s, before, est);
}

/*
 * Ends of the interval of probability 1 - gamma from 0 to cap, whole numbers, est within.  Some 30
 * ms.  0; DP_ENOMEM.
 */
static int
dp_levels_interval(const struct dp_levels *w, const int64_t y[static DP_LEVELS], double est,
    double cap, double gamma, double *lo, double *hi)
{
	struct search s = { w, y, gamma, malloc(sizeof *s.law) };

	if (s.law == NULL)
		return DP_ENOMEM;
	*lo = end_of(&s, est, 0);
	*hi = end_of(&s, est, floor(cap));
	free(s.law);
	return 0;
}
