/* SPDX-License-Identifier: ISC */
/*
 * ams.c - sum of the squares of how often identifiers came: a linear sketch, once or all the time.
 *
 * A cell holds a sum of counts a_i, less how often they were undone: of its own identifier, with a
 * universe; else of all those that a hash sends there, each with a sign of the hash.  It begins at
 * a draw z.  Answer j = 0 .. k - 1 has the noise of the stretches that hold it, of each cell: of
 * answers i 2^l to (i + 1) 2^l - 1, l < h, h = max(1, the logarithm of k rounded up), drawn at a
 * stretch's first answer and erased after its last.  All draws have one law, of variance V; with
 * d = 1 + h of them in each of n cells, s_c cell c's sum and N_c its d draws,
 *
 *	F^ = sum of (s_c + N_c)^2 - n d V
 *	Var F^ = 2 (F^2 - sum of a_i^4)/n + 4 d V F + n (d K + 2 (d V)^2),  F = sum of a_i^2,
 *
 * is unbiased; K is the fourth cumulant of a draw, and the first term is that of the hash: with a
 * universe it is 0.
 *
 * PAN-PRIVACY.  Statement: let no identifier have more than w lines, in either of two streams that
 * differ in what happens to one of them; moves = w if one of the streams has none of its lines
 * (--presence), and else 2w; or let the streams differ in one event alone (--protect=event): moves
 * = 1, and the reach is the rule's.  Let draws have scale moves cost/epsilon, cost = h, or h + 1 if
 * k = 2^h.  Then memory at any one moment and all k answers together are epsilon-DP; and so they
 * are if an answer tells all n numbers s_c + N_c.  Proof: tests/proof/sketches.md, Sketches that
 * are linear, all the time.
 *
 * No line is seen after the last answer: it would cost one stretch more.
 *
 * Mir, Muthukrishnan, Nikolov, Wright 2011: section 3.1 for L2, section 5 for answers all the time;
 * the sketch is that of Alon, Matias, Szegedy, in one row of buckets (Thorup, Zhang 2004), where a
 * column has length 1 in L1 and L2 alike, so that Laplace noise is the best of both.
 */
#include <math.h>
#include <stdio.h>

#include "internal.h"

#define PLACES_MAX	((uint64_t)1 << 26)	/* words of a column */
#define LEVELS_MAX	30
#define FEWEST		16		/* buckets, where nobody says how many */
#define MANY		65536
#define FLIPS		0x1p20		/* of the law: so many bits are normal */

struct ams {
	struct dp_memory mem;		/* output: every draw */
	uint64_t n, answers;		/* cells, k */
	unsigned levels;		/* h */
	uint64_t moves;
	bool hashed;
};

struct column {
	uint64_t answers;		/* given so far */
	int64_t last;			/* the last answer */
	int64_t cell[];			/* a sum, and draws of its h open stretches; and so on */
};

static double
draws_of(const struct ams *k)
{
	return 1 + k->levels;
}

/* Noise of a number that is told: its variance. */
static double
noise_of(const struct ams *k)
{
	return draws_of(k) * dp_noise_variance(&k->mem.output);
}

/* n (d K + 2 (d V)^2); a draw is the difference of two geometric ones. */
static double
noise_of_squares(const struct ams *k)
{
	const struct dp_noise *z = &k->mem.output;
	const double x = z->kind == DP_NOISE_NONE ? INFINITY : 1 / dp_q_double(z->param);
	const double q = exp(-x), p = -expm1(-x), v = noise_of(k);

	return (double)k->n * (draws_of(k) * 2 * q * (1 + 4 * q + q * q) / (p * p * p * p) +
	    2 * v * v);
}

/* The first answer of a stretch of level l, and the last. */
static bool
begins(uint64_t j, unsigned l)
{
	return (j & (((uint64_t)1 << l) - 1)) == 0;
}

/* s + N of a cell at answer j: what begins is drawn, what ends is erased. */
static int
number(const struct ams *k, int64_t *cell, struct dp_rng *rng, uint64_t j, int64_t *x)
{
	uint64_t sum = (uint64_t)cell[0];
	unsigned l;
	int e;

	/* as many as j ends in zeros, and one */
	dp_rng_expect(rng, k->mem.output.record * (j == 0 ? k->levels :
	    (unsigned)__builtin_ctzll(j) + 1));
	for (l = 0; l < k->levels; l++) {
		if (begins(j, l) && (e = dp_draw(&k->mem.output, rng, &cell[1 + l])) != 0)
			return e;
		sum += (uint64_t)cell[1 + l];
		if (begins(j + 1, l))
			cell[1 + l] = 0;
	}
	*x = (int64_t)sum;
	return 0;
}

static int
ams_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct ams *k = (const void *)m;
	struct column *c = col;
	const uint64_t j = c->answers;
	double sum = 0;
	dp_wide exact = 0;
	uint64_t i;
	int64_t x;
	int e;

	(void)t;
	if (j == k->answers)
		return DP_EHORIZON;
	c->answers++;
	for (i = 0; i < k->n; i++) {
		if ((e = number(k, &c->cell[i * (1 + k->levels)], rng, j, &x)) != 0)
			return e;
		/* x is private: doubles do no harm */
		sum += (double)x * (double)x;
		exact += dp_memory_exact(&k->mem) ? (dp_wide)x * x : 0;
	}
	*est = dp_memory_exact(&k->mem) ? exact :
	    dp_sketch_round(sum - (double)k->n * noise_of(k));
	c->last = (int64_t)*est;
	return 0;
}

/* Draws that one event moves. */
static uint64_t
cost(const struct ams *k)
{
	return k->levels + (k->answers >> k->levels != 0);
}

/*
 * The most that F can be after t lines: K identifiers of A each.  Of one with more lines than half
 * of all the hash's term is that of two with half of them, which is more.
 */
struct most {
	double A, K, squares;		/* squares: F^2 less the sum of fourth powers */
};

static struct most
most_of_ams(const struct dp_sketch *s, uint64_t t)
{
	const double lines = s->lines ? (double)t : INFINITY;
	const double w = s->updates != 0 ? (double)s->updates : lines;
	struct most x = { .A = fmin(w, lines) };
	double F;

	x.K = fmin(dp_sketch_seen(s, t), lines / x.A);
	F = x.K * x.A * x.A;
	x.squares = x.K >= 2 ? F * F * (1 - 1 / x.K) : pow(lines, 4) / 8;
	return x;
}

/* As many cells as there are identifiers; or the power of 2 that makes the largest error least. */
static uint64_t
cells_of(const struct ams *k, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const double b = (double)(rule->privacy.l1 * k->moves * cost(k)) /
	    dp_q_double(rule->privacy.epsilon);
	const double noise = b * b * b * b * draws_of(k) * (12 + 8 * draws_of(k));
	const double best = sqrt(2 * most_of_ams(s, rule->report).squares / noise);
	uint64_t n = FEWEST;

	if (s->universe != 0) {
		dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
		return s->universe;
	}
	if (s->buckets != 0)
		n = s->buckets;
	else if (rule->privacy.exact)
		n = MANY;
	else
		while (n < MANY && (double)n * sqrt(2) < best)
			n *= 2;
	return dp_numbers_int(rule->privacy.numbers, "cells", n, FEWEST, PLACES_MAX);
}

static int
ams_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct ams *k, plan = { .answers = dp_sketch_outputs(rule), .hashed = s->universe == 0 };

	if (plan.answers == 0 || plan.answers >> LEVELS_MAX != 0)
		return DP_EINVAL;
	plan.levels = plan.answers <= 2 ? 1 : dp_ceil_log2(plan.answers);
	plan.moves = s->updates == 0 ? 1 : s->presence ? s->updates : 2 * s->updates;
	plan.n = cells_of(&plan, rule);
	if (plan.n > PLACES_MAX / (1 + plan.levels))
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + plan.n * (1 + plan.levels) * sizeof(int64_t));
	if (k == NULL)
		return DP_ENOMEM;
	plan.mem = k->mem;
	*k = plan;
	*out = &k->mem.m;
	k->mem.count = ams_count;
	k->mem.draws *= 2 * (double)k->n;
	k->mem.m.drawn.numbers = "every cell, and every stretch of answers";
	dp_numbers_same(rule->privacy.numbers, "moves", k->moves);
	return dp_privacy_laplace(&k->mem.output, &rule->privacy,
	    dp_q_make(1, k->moves * cost(k)));
}

static int
ams_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct ams *k = (const void *)m;
	struct column *c = col;
	uint64_t i;
	int e = 0;

	if (dp_memory_exact(&k->mem))
		return 0;
	for (i = 0; i < k->n && e == 0; i++)
		e = dp_draw(&k->mem.output, rng, &c->cell[i * (1 + k->levels)]);
	dp_rng_wipe(rng);
	return e;
}

static int
ams_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct ams *k = (const void *)m;
	struct column *c = col;
	uint64_t i = id->word[0], by = id->sign < 0 ? UINT64_MAX : 1;

	(void)rng;
	if (k->hashed) {
		i = (uint64_t)((dp_uwide)i * k->n >> 64);
		by = (id->word[1] & 1) != 0 ? -by : by;
	}
	if (i < k->n && c->answers < k->answers)
		c->cell[i * (1 + k->levels)] =
		    (int64_t)((uint64_t)c->cell[i * (1 + k->levels)] + by);
	return 0;
}

/* Of the input that makes it the widest: exact but for squares of noise, and the hash. */
static void
law_ams(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct ams *k = (const void *)m;
	const struct most x = most_of_ams(&k->mem.s, t);
	double rest = noise_of_squares(k);

	(void)out;
	if (dp_memory_exact(&k->mem) && !k->hashed)
		return;
	if (k->hashed)
		rest += 2 * x.squares / (double)k->n;
	if (!dp_memory_exact(&k->mem))
		dp_law_add(l, &k->mem.output, 2 * x.A, draws_of(k) * x.K);
	dp_law_flip(l, 2 * sqrt(rest / FLIPS), FLIPS, 0.5);
}

/* It grows with t: the mean is that of some of them. */
static void
ams_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const uint64_t tried = T < 32 ? T : 32;
	uint64_t i;

	*e = (struct dp_error){ .max = dp_mech_variance(m, T), .worst = T };
	for (i = 1; i <= tried; i++)
		e->mean += dp_mech_variance(m, T / tried * i + T % tried * i / tried) /
		    (double)tried;
}

/*
 * Every F >= 0 that Chebyshev's inequality does not refute: (F - F^)^2 gamma <= Var F^, where sums
 * of fourth powers are left out of the variance, which is then no less.
 */
static int
interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	const struct ams *k = (const void *)m;
	const double F = (double)((const struct column *)col)->last;
	const double a = gamma - (k->hashed ? 2 / (double)k->n : 0);
	const double b = F * gamma + 2 * noise_of(k), c = F * F * gamma - noise_of_squares(k);
	const double root = sqrt(fmax(0, b * b - a * c));

	(void)out;
	(void)t;
	/* a F^2 - 2 b F + c <= 0; of a <= 0 from one root on */
	*lo = dp_sketch_round(floor(fmin(F, fmax(0, c > 0 ? c / (b + root) : 0))));
	*hi = dp_sketch_round(a > 0 ? ceil(fmax(F, (b + root) / a)) : INFINITY);
	return 0;
}

static bool
ams_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	return c->answers <= ((const struct ams *)(const void *)m)->answers &&
	    c->answers <= t + 1;
}

static bool
ams_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct ams *k = (const void *)m;
	char hash[100] = "";

	(void)unit_;
	if (dp_memory_exact(&k->mem) || i > 1 || (i == 1 && k->mem.s.updates == 0))
		return false;
	if (i == 1) {
		snprintf(text, size, "the caller PROMISES that no identifier has more than %llu "
		    "lines: one that has c times as many can lose c times as much, and nothing "
		    "notices", (unsigned long long)k->mem.s.updates);
		return true;
	}
	if (k->hashed)
		snprintf(hash, sizeof hash, " + %.4g F^2 (they share %llu buckets)",
		    2 / (double)k->n, (unsigned long long)k->n);
	snprintf(text, size, "the error grows with the answer: of an F it is at most the root of "
	    "%.4g + %.4g F%s; what is said here is that of the largest F that there can be",
	    noise_of_squares(k), 4 * noise_of(k), hash);
	return true;
}

static int
ams_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct ams *k = (const void *)m;

	return dp_certificate_laplace(b, &k->mem.output, k->moves * cost(k));
}

const struct dp_mech_ops dp_ams_ops = {
	.name = "ams", .tasks = DP_TASK_OWN, .statistic = &dp_f2,
	.say.source = "a sum of counts in each cell, begun at random, and noise that answers share "
	    "(after Mir et al. 2011, Alon, Matias, Szegedy 1996)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .create = ams_create,
	.start = ams_start, .step = dp_sketch_step, .answer = dp_memory_answer,
	.valid = ams_valid, .open.see = ams_see, .law.at = law_ams, .error = ams_error,
	.bound.interval = interval,
	.drawn = { .family = dp_memory_family, .number = dp_memory_draws,
	    .certify = ams_certify },
	.say.note = ams_note
};
