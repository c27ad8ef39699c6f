/* SPDX-License-Identifier: ISC */
/* moved.c - the mechanism of internal.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

static double dp_moved_lag(const struct dp_moved *);
static double dp_moved_off(const void *, double eps1, double noise);
static void dp_moved_choose(struct dp_moved *, double epsilon);
static void dp_moved_error(struct dp_moved *, double reach);

#define PLACES_MAX	((uint64_t)1 << 32)
#define ANSWERS_MAX	((uint64_t)1 << DP_MOVED_LEVELS)
#define FEWEST_MOVED		8			/* answers; one by one they are better */
#define PLAN		((uint64_t)1 << 20) /* states of the plan_moved before it began with less */

struct column {
	uint64_t answers, level;	/* so far */
	int64_t theta[DP_MOVED_LEVELS];	/* 0: not drawn, or wiped */
	uint64_t bit[];
};

/* True: the number of looks is a multiple of the level's stretch. */
static bool
aligned(uint64_t looks, unsigned level)
{
	return (looks & (((uint64_t)1 << level) - 1)) == 0;
}

/* The number of j = 1 .. K with j s < v. */
static uint64_t
dp_moved_passed(const struct dp_moved *k, dp_wide v)
{
	const dp_wide n = v <= 0 ? 0 : (v - 1) / (dp_wide)k->step;

	return n < (dp_wide)k->choice.steps ? (uint64_t)n : k->choice.steps;
}

/* Range of D at the level, without noise. */
static void
dp_moved_stretch(const struct dp_moved *k, uint64_t level, double *lo, double *hi)
{
	const double off = (double)k->middle - (double)k->mem.s.universe * k->odds.p;
	const double s = (double)k->step, i = (double)level;

	*lo = level == 0 ? 0 : fmin(k->most, (i * s + off) / k->odds.gap);
	*hi = level == k->choice.steps ? k->most :
	    fmin(k->most, ((i + 1) * s + off) / k->odds.gap + dp_moved_lag(k));
}

/* Look n, from 1 on, at y ones: the level, from noise that is drawn whatever it is. */
static int
look(const struct dp_moved *k, struct column *c, struct dp_rng *rng, uint64_t n, uint64_t y)
{
	const unsigned low = k->choice.low, top = low + k->levels;
	dp_wide v = (dp_wide)y - k->middle;
	uint64_t level;
	int64_t z;
	unsigned i;
	int e;

	for (i = top; i-- > low; ) {
		if (aligned(n - 1, i) && (e = dp_draw(&k->theta, rng, &c->theta[i])) != 0)
			return e;
		v -= c->theta[i];
	}
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	level = dp_moved_passed(k, v + z);
	if (level > c->level)
		c->level = level;
	for (i = low; i < top; i++)
		if (aligned(n, i))
			c->theta[i] = 0;
	return 0;
}

static int
moved_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_moved *k = (const void *)m;
	struct column *c = col;
	uint64_t y;
	double lo, hi;
	int e = 0;

	(void)t;
	if (c->answers == k->answers)
		return DP_EHORIZON;
	c->answers++;
	y = dp_bits_count(c->bit, 0, k->mem.s.universe);
	if (dp_memory_exact(&k->mem)) {
		*est = dp_sketch_round((double)y * k->unit);
		return 0;
	}
	if (c->answers % k->choice.every == 0)
		e = look(k, c, rng, c->answers / k->choice.every, y);
	/* the level is private: from here on doubles do no harm */
	dp_moved_stretch(k, c->level, &lo, &hi);
	*est = dp_sketch_round((lo + hi) / 2 * k->unit);
	return e;
}

/* Noises, of what memory leaves: 1/x and 1/y. */
static int
divide_moved(struct dp_moved *k, const struct dp_mech_rule *rule)
{
	const uint64_t whole = DP_MOVED_WHOLE, rest = whole - k->choice.part;
	const uint64_t theta = k->choice.theta;
	struct dp_numbers *n = rule->privacy.numbers;
	size_t outer;
	int e;

	outer = dp_numbers_enter(n, "state");
	e = dp_privacy_laplace(&k->mem.state, &rule->privacy, dp_q_make(k->choice.part, whole));
	dp_numbers_leave(n, outer);
	if (e != 0)
		return e;
	(void)dp_numbers_enter(n, "theta");
	e = dp_privacy_laplace(&k->theta, &rule->privacy, dp_q_make(rest * theta,
	    whole * whole * dp_moved_charge(k, true)));
	dp_numbers_leave(n, outer);
	if (e != 0)
		return e;
	(void)dp_numbers_enter(n, "output");
	e = dp_privacy_laplace(&k->mem.output, &rule->privacy, dp_q_make(rest *
	    (whole - theta), whole * whole * dp_moved_charge(k, false)));
	dp_numbers_leave(n, outer);
	return e;
}

/* Without theta: N answers of bits that are drawn again. */
static int
divide_looks(struct dp_moved *k, const struct dp_mech_rule *rule)
{
	struct dp_mech_rule looks = *rule;

	looks.horizon = k->looks;
	looks.every = 1;
	k->mem.redrawn = true;
	return dp_memory_split(&k->mem, &looks, 1, dp_moved_off, k);
}

static void
law_moved(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_moved *k = (const void *)m;
	const double unit = m->drawn.unit;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, unit, (double)k->mem.s.universe, k->odds.p);
	dp_law_add(l, &k->theta, unit, k->levels);
	dp_law_add(l, &k->mem.output, unit, 1);
}

/* Hardly any noise of all looks is beyond that. */
static double
reach(const struct dp_moved *k)
{
	struct dp_law l;

	dp_law_clear(&l);
	law_moved(&k->mem.m, 0, 1, &l);
	return dp_law_bound(&l, 1e-5 / (double)k->looks);
}

/* In identifiers, before an answer is rounded. */
static double
drift(const struct dp_moved *k)
{
	double lo, hi, most = 0;
	uint64_t i;

	for (i = 0; i < 3; i++) {
		dp_moved_stretch(k, i < 2 && i < k->choice.steps ? i : k->choice.steps, &lo, &hi);
		most = fmax(most, (hi - lo) / 2);
	}
	return most;
}

/* s, so that K of them and what comes between looks are M; without theta as fine as it can be. */
static void
steps(struct dp_moved *k, struct dp_numbers *numbers)
{
	const double reach = k->odds.gap * (k->most - dp_moved_lag(k));
	struct dp_moved_choice *c = &k->choice;

	if (k->levels == 0)
		c->steps = dp_numbers_int(numbers, "steps", (uint64_t)fmax(1, reach - 1), 1,
		    PLACES_MAX);
	k->step = dp_numbers_int(numbers, "step",
	    (uint64_t)fmax(1, reach / ((double)c->steps + 1)), 1, PLACES_MAX);
	k->middle = llrint((double)k->mem.s.universe * k->odds.p);
}

/* With a threshold. */
static int
divide_steps(struct dp_moved *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_moved_choice *c = &k->choice;

	if (c->low > DP_MOVED_DEEPEST)
		return DP_EINVAL;
	c->steps = dp_numbers_int(numbers, "steps", c->steps, 1, DP_MOVED_STEPS);
	c->part = dp_numbers_int(numbers, "part", c->part, 1, DP_MOVED_WHOLE - 1);
	c->theta = dp_numbers_int(numbers, "theta", c->theta, 1, DP_MOVED_WHOLE - 1);
	return divide_moved(k, rule);
}

/* On an error the plan is freed. */
static int
plan_moved(struct dp_moved *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_moved_choice *c = &k->choice;
	int e;

	*c = (struct dp_moved_choice){ .part = 1, .theta = 1, .every = 1, .steps = 1 };
	dp_numbers_same(numbers, "plan", PLAN);
	dp_moved_layout(k);
	if (!rule->privacy.exact && !dp_numbers_replays(numbers))
		dp_moved_choose(k, dp_q_double(rule->privacy.epsilon) /
		    (double)rule->privacy.l1);
	c->every = dp_numbers_int(numbers, "every", c->every, 1, k->answers);
	c->low = (unsigned)dp_numbers_int(numbers, "low", c->low, 0, DP_MOVED_LEVELS);
	dp_moved_layout(k);
	if (k->levels == 0) {
		if ((e = divide_looks(k, rule)) != 0)
			return e;
	} else if ((e = divide_steps(k, rule)) != 0) {
		dp_mech_free(&k->mem.m);
		return e;
	}
	dp_bits_odds(&k->odds, &k->mem.state, numbers);
	k->mem.m.drawn.unit = 1 / k->odds.gap;
	if (dp_memory_exact(&k->mem))
		return 0;
	steps(k, numbers);
	dp_moved_error(k, reach(k));
	k->square *= k->unit * k->unit;
	k->mean *= k->unit * k->unit;
	k->mem.m.drawn.unit *= k->unit;
	k->mem.m.off.drift = drift(k) * k->unit + .5;
	k->mem.m.off.worst_of = (double)k->looks;
	k->mem.m.off.most = k->most * k->unit;
	return 0;
}

static int
moved_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t answers = dp_sketch_outputs(rule);
	struct dp_moved *k;
	unsigned i;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->deletes || s->looks != 0 ||
	    rule->horizon == 0 || answers < FEWEST_MOVED || answers > ANSWERS_MAX)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + dp_bits_bytes(s->universe));
	if (k == NULL)
		return DP_ENOMEM;
	k->answers = answers;
	k->unit = dp_sketch_unit(rule);
	k->most = dp_sketch_seen(s, rule->report);
	k->lines = s->lines ? (double)rule->every : INFINITY;
	k->mem.count = moved_count;
	if ((e = plan_moved(k, rule)) != 0)
		return e;
	for (k->mem.draws = 1, i = k->choice.low; i < k->choice.low + k->levels; i++)
		k->mem.draws += exp2(-(double)i);
	k->mem.draws = 1 + k->mem.draws / (double)k->choice.every / (double)rule->every;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return dp_numbers_error(rule->privacy.numbers);
}

static int
moved_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_memory *k = (const void *)m;

	return dp_bits_start(((struct column *)col)->bit, k->s.universe, &k->state, rng);
}

static int
moved_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_memory *k = (const void *)m;

	return id->word[0] < k->s.universe ?
	    dp_bits_see(((struct column *)col)->bit, id->word[0], &k->state, rng) : 0;
}

static void
sketch_moved_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_moved *k = (const void *)m;

	e->max = k->square;
	e->mean = k->mean;
	e->worst = T;
	e->still = !dp_memory_exact(&k->mem);
}

/* One bound holds for all answers. */
static double
all_steps(const struct dp_mech *m, uint64_t T, double gamma, double least, double most)
{
	struct dp_law l;

	(void)least;
	dp_law_clear(&l);
	law_moved(m, 0, T, &l);
	return fmin(most, dp_law_bound(&l, gamma));
}

static bool
moved_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_moved *k = (const void *)m;
	const struct column *c = col;

	return c->answers <= k->answers && c->answers <= t + 1 && c->level <= k->choice.steps;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_moved *k = (const void *)m;
	const struct dp_noise *const noise[] = { &k->mem.output, &k->mem.state, &k->theta };
	const char *const on[] = { "every comparison", DP_BIT_BEGINS,
	    "each part of the threshold" };

	if (i >= 2 + (k->levels > 0) || dp_memory_exact(&k->mem))
		return false;
	*z = noise[i];
	*what = on[i];
	return true;
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	return i == 1 ? 1 : m->drawn.unit;
}

static bool
moved_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct dp_moved *k = (const void *)m;

	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "%.0f answers are compared with %.0f steps of %.6g, and what is "
	    "printed is the middle of the last one that was passed, or of what it can be: off by "
	    "%.6g at most without noise; rms errors here are those of the worst input, whose "
	    "number stands still at %.10g while the highest noise of all answers stays printed; "
	    "intervals are bounds, of any input and of all answers at once", (double)k->looks,
	    (double)k->choice.steps, (double)k->step / k->odds.gap * k->unit * unit_,
	    m->off.drift * unit_, k->worst * k->unit * unit_);
	return true;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_moved *k = (const void *)m;
	const uint64_t r = m->l1;
	int e;

	if (dp_memory_exact(&k->mem) || k->levels == 0)
		return dp_memory_certify(m, b);
	if ((e = dp_certificate_laplace(b, &k->mem.state, 1)) != 0)
		return e;
	return dp_certificate_sparse(b, &k->theta, dp_moved_charge(k, true) * r,
	    &k->mem.output, r, dp_moved_charge(k, false));
}

#define MOVED \
	.name = "moved", .traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN, \
	.create = moved_create, .start = moved_start, .step = dp_sketch_step, \
	.answer = dp_memory_answer, .valid = moved_valid, .error = sketch_moved_error, \
	.open.see = moved_see, .law.at = law_moved, .bound.all_steps = all_steps, \
	.drawn = { .family = family, .unit = unit, .number = dp_memory_draws, \
	    .certify = certify }, \
	.say = { .source = "random bits as in density, an answer when their number has moved " \
	    "(after Dwork, Naor, Pitassi, Rothblum 2010, Figure 2)", .note = moved_note, \
	    .refuses = dp_sketch_refuse_deletes }

const struct dp_mech_ops dp_moved_ops = { MOVED, .statistic = &dp_distinct };
const struct dp_mech_ops dp_moved_density_ops = { MOVED, .statistic = &dp_density };

/* How often moved.c looks, how many steps it has, and how the budget is divided. */

#define GAMMA	.05		/* the bound is the least that all answers keep but with this */
#define FEWEST	3		/* looks: of less an error is the noise of one */
#define FINEST	.05		/* of the search */

/* A point of the search, by logarithms: K; odds of memory's part; odds of theta's. */
enum { STEPS, MEMORY, THETA, AXES };

uint64_t
dp_moved_charge(const struct dp_moved *k, bool theta)
{
	const uint64_t one = (uint64_t)1 << k->choice.low;
	const uint64_t U = one < k->looks ? one : k->looks;
	const uint64_t C = k->choice.steps < k->looks - U ? k->choice.steps : k->looks - U;

	return theta ? k->levels : 2 * C + U;
}

/* lag, in identifiers */
static double
dp_moved_lag(const struct dp_moved *k)
{
	return k->choice.every == 1 ? 0 : (double)(k->choice.every - 1) * k->lines;
}

static unsigned
top_of_plan(const struct dp_moved *k)
{
	return dp_ceil_log2(k->looks);
}

void
dp_moved_layout(struct dp_moved *k)
{
	k->looks = k->answers / k->choice.every;
	k->levels = k->choice.low < top_of_plan(k) ? top_of_plan(k) - k->choice.low : 0;
}

struct sum {
	double theta, levels, c;	/* scales */
	double bits;			/* variance */
	double log;			/* ln(2 N/GAMMA) */
};

/* Chernoff's bound for the quantile of c - theta + Y - E Y, by s; bits as if normal. */
static double
chernoff(const struct sum *z, double s)
{
	const double h = z->theta * s, c = z->c * s;

	return (z->log + z->bits * s * s / 2 - z->levels * log1p(-h * h) - log1p(-c * c)) / s;
}

/* Its least, by golden section over ln s. */
static double
quantile_plan(const struct sum *z)
{
	const double g = 0.6180339887498949, end = 1 / fmax(z->theta, z->c);
	double lo = -9, hi = -1e-4, x, y;
	int i;

	for (i = 0; i < 24; i++) {
		x = hi - g * (hi - lo);
		y = lo + g * (hi - lo);
		if (chernoff(z, end * exp(x)) < chernoff(z, end * exp(y)))
			hi = y;
		else
			lo = x;
	}
	return chernoff(z, end * exp((lo + hi) / 2));
}

/* Error of an answer, in identifiers, for such steps and noise. */
static double
off_by(const struct dp_moved *k, double eps1, double steps, struct sum *z)
{
	const double gap = tanh(eps1 / 2), p = 1 / (1 + exp(eps1));
	const double half = (k->most + steps * dp_moved_lag(k)) / (steps + 1) / 2;

	z->bits = (double)k->mem.s.universe * p * (1 - p);
	z->log = log(2 * (double)k->looks / GAMMA);
	return half + quantile_plan(z) / gap;
}

/* For dp_memory_split(), L = 0: the square of the bound, memory having eps1, v that noise. */
static double
dp_moved_off(const void *arg, double eps1, double noise)
{
	const struct dp_moved *k = arg;
	struct sum z = { .c = sqrt(noise / 2) };
	const double off = off_by(k, eps1, tanh(eps1 / 2) * k->most, &z);

	return off * off;
}

static double
odds(double x)
{
	return 1 / (1 + exp(-x));
}

/* At a point of the search; leaves choice as it is there. */
static double
at(struct dp_moved *k, const double x[static AXES], double epsilon)
{
	const double eps1 = odds(x[MEMORY]) * epsilon, rest = epsilon - eps1;
	const double part = odds(x[THETA]), p = 1 / (1 + exp(eps1));
	struct sum z = { .levels = k->levels };

	k->choice.steps = (uint64_t)fmax(1, fmin(round(exp(x[STEPS])), (double)k->looks));
	k->choice.part = (uint64_t)((double)DP_MOVED_WHOLE * odds(x[MEMORY]));
	k->choice.theta = (uint64_t)((double)DP_MOVED_WHOLE * part);
	if (k->levels == 0) {		/* internal.h, AGAIN */
		z.c = (double)k->looks / (rest + log1p(-p * exp(-rest)) - log1p(-p));
		return off_by(k, eps1, tanh(eps1 / 2) * k->most, &z);
	}
	z.theta = (double)dp_moved_charge(k, true) / (rest * part);
	z.c = (double)dp_moved_charge(k, false) / (rest * (1 - part));
	return off_by(k, eps1, (double)k->choice.steps, &z);
}

/* The least about there, by steps along the axes that grow finer; *best: it, and its choice. */
static double
descend(struct dp_moved *k, double epsilon, struct dp_moved_choice *best)
{
	double x[AXES] = { [STEPS] = log(8) }, step, least = at(k, x, epsilon), off, was;
	bool found;
	int i;

	*best = k->choice;
	for (step = 1; step > FINEST; step /= found ? 1 : 2) {
		for (found = false, i = 0; i < 2 * AXES; i++) {
			was = x[i / 2];
			x[i / 2] = fmin(14, fmax(-9, was + (i % 2 ? step : -step)));
			if ((off = at(k, x, epsilon)) < least) {
				least = off;
				*best = k->choice;
				found = true;
			} else
				x[i / 2] = was;
		}
	}
	return least;
}

/* The division with the least bound; epsilon: of one identifier. */
static void
dp_moved_choose(struct dp_moved *k, double epsilon)
{
	struct dp_moved_choice best = { 0 }, found;
	double least = INFINITY, off;
	unsigned low;

	for (k->choice.every = 1; k->choice.every * FEWEST <= k->answers &&
	    dp_moved_lag(k) < k->most; k->choice.every *= 2) {
		k->looks = k->answers / k->choice.every;
		for (low = 0; low <= top_of_plan(k); low++) {
			if (low > DP_MOVED_DEEPEST && low != top_of_plan(k))
				continue;
			k->choice.low = low;
			dp_moved_layout(k);
			if ((off = descend(k, epsilon, &found)) < least) {
				least = off;
				best = found;
			}
		}
	}
	k->choice = best;
	dp_moved_layout(k);
}

/*
 * The mean square of moved.c's error, of the input that is worst for it.
 *
 * A level never falls: an answer has the highest noise of all looks since D was what it is, and the
 * longer D stands still the higher that is.  So let D = d from as early as lines allow, and then be
 * those d identifiers seen again and again, so that their bits are new; the other m - d bits are
 * what they began as.  Then
 *	max v - gap d = max over n looks of (c - theta + Y1) + Y2,
 * with Y1 and Y2 what the ones among d and among m - d bits are off their means, Y1 as new after
 * each 2^a looks, in which d identifiers can be seen.  Its law is computed: F, the distribution
 * function of the maximum of a stretch of 2^i looks, becomes that of 2^(i+1) by a square, and has a
 * convolution with each noise that is the stretch's own.  What is predicted is the largest mean
 * square of 9 values of d from 0 to M, as far as lines let D stand still there for most of the
 * looks, at 17 places of a step each.
 *
 * Downwards no input is farther off: where D has just risen to d one look's noise counts, which is
 * symmetric, and the highest of n has a mean square that is no less.  That is not proved where M
 * cuts what is printed; law/s_moved.c has numbers that rise.
 */

#define POINTS	512			/* of a distribution function */
#define VALUES	8			/* of d, besides 0 */
#define PLACES	16			/* of d between two steps */
#define NORMAL	5			/* standard deviations of bits' law */
#define TAIL	10			/* and so much beyond, of few */

struct grid {
	double h;			/* between its points, the middle one 0 */
	double full[POINTS], part[POINTS];
};

/* An input: d identifiers, that come again; n looks at them; those of 2^renewed in between. */
struct input {
	double d;
	uint64_t looks;
	unsigned renewed;
};

/* Adds a discrete Laplace variable of that variance: geometric on the grid. */
static void
laplace(const struct grid *g, double F[static POINTS], double variance)
{
	const double q = exp(-2 * asinh(g->h / sqrt(2 * variance)));
	double right[POINTS], left = 0;
	int i;

	right[POINTS - 1] = q / (1 - q);
	for (i = POINTS - 1; i-- > 0; )
		right[i] = q * (F[i + 1] + right[i + 1]);
	for (i = 0; i < POINTS; i++) {
		left = F[i] + q * left;
		F[i] = (left + right[i]) * (1 - q) / (1 + q);
	}
}

/* Adds a variable that is j points, -below <= j <= above, with weight w[j]. */
static void
convolve(double F[static POINTS], const double *w, int below, int above)
{
	double was[POINTS], sum = 0;
	int i, j;

	memcpy(was, F, sizeof was);
	memset(F, 0, POINTS * sizeof *F);
	for (j = -below; j <= above; j++) {
		sum += w[j];
		for (i = 0; i < POINTS; i++)
			F[i] += w[j] * (i < j ? 0 : i - j < POINTS ? was[i - j] : 1);
	}
	for (i = 0; i < POINTS; i++)
		F[i] /= sum;
}

/* Adds the ones among n bits, less their mean rounded; on a grid above 1 as if normal. */
static void
ones(const struct grid *g, double F[static POINTS], double n, double p)
{
	const double sd = sqrt(n * p * (1 - p)), mode = rint(n * p);
	const int reach = (int)fmin(POINTS / 2, ceil(NORMAL * sd / g->h) + (g->h > 1 ? 0 : TAIL));
	double weight[POINTS + 1], *w = weight + POINTS / 2, k;
	int j;

	w[0] = 1;
	for (j = 1; j <= reach; j++) {
		k = mode + j;
		w[j] = g->h > 1 ? exp(-pow(j * g->h / sd, 2) / 2) :
		    k > n ? 0 : w[j - 1] * (n - k + 1) / k * p / (1 - p);
		k = mode - j;
		w[-j] = g->h > 1 ? w[j] : k < 0 ? 0 : w[1 - j] * (k + 1) / (n - k) * (1 - p) / p;
	}
	convolve(F, w, reach, reach);
}

static void
times(double F[static POINTS], const double by[static POINTS])
{
	int i;

	for (i = 0; i < POINTS; i++)
		F[i] *= by[i];
}

/* What is drawn, or new, for a stretch of 2^i looks. */
static void
stretch_noise(const struct dp_moved *k, const struct input *in, unsigned i,
    const struct grid *g, double F[static POINTS])
{
	const double p = k->odds.p;

	if (i == in->renewed)
		ones(g, F, in->d, 1 - p);
	if (i >= k->choice.low && i < k->choice.low + k->levels)
		laplace(g, F, dp_noise_variance(&k->theta));
}

/* The law of v - gap d, in g->part: of the looks of the last stretch of 2^i, which is not over. */
static void
highest(const struct dp_moved *k, const struct input *in, struct grid *g)
{
	const unsigned top = k->choice.low + k->levels;
	const double p = k->odds.p, m = (double)k->mem.s.universe;
	bool any = false;
	unsigned i;

	for (i = 0; i < POINTS; i++)
		g->full[i] = i < POINTS / 2 ? 0 : 1;
	laplace(g, g->full, dp_noise_variance(&k->mem.output));
	for (i = 0; i <= top; i++) {
		stretch_noise(k, in, i, g, g->full);
		if (any)
			stretch_noise(k, in, i, g, g->part);
		if ((in->looks >> i & 1) != 0) {
			if (!any)
				memcpy(g->part, g->full, sizeof g->part);
			else
				times(g->part, g->full);
			any = true;
		}
		times(g->full, g->full);
	}
	if (in->renewed > top)
		ones(g, g->part, in->d, 1 - p);
	ones(g, g->part, m - in->d, p);
}

/* The mean square of what is printed less d, which is near the one that the law is of. */
static double
square(const struct dp_moved *k, const struct input *in, const struct grid *g, double d)
{
	const double p = k->odds.p, off = rint((1 - p) * in->d) +
	    rint(((double)k->mem.s.universe - in->d) * p) - (double)k->middle +
	    k->odds.gap * (d - in->d);
	double lo, hi, z, was = 0, sum = 0;
	int i;

	for (i = 0; i < POINTS; i++) {
		z = rint((i - POINTS / 2) * g->h + off);
		dp_moved_stretch(k, dp_moved_passed(k, (dp_wide)z), &lo, &hi);
		z = rint((lo + hi) / 2) - d;
		sum += ((i < POINTS - 1 ? g->part[i] : 1) - was) * z * z;
		was = g->part[i];
	}
	return sum;
}

static struct input
input_of(const struct dp_moved *k, double d)
{
	const double lines = k->lines * (double)k->choice.every, turns = ceil(d / lines);
	struct input in = { .d = d, .looks = k->looks };

	if (isinf(lines) || turns <= 1)
		return in;
	in.renewed = (unsigned)ilogb(turns);
	in.looks = turns <= (double)k->looks ? k->looks - (uint64_t)turns + 1 : 1;
	return in;
}

/* The largest of all places of d between two steps; *d: where that is. */
static double
worse(const struct dp_moved *k, const struct input *in, const struct grid *g, double *d)
{
	const double step = (double)k->step / k->odds.gap, from = floor(in->d / step) * step;
	double most = -1, x, at;
	unsigned i;

	for (i = 0; i <= PLACES; i++) {
		at = fmin(k->most, ceil(from + step * i / PLACES));
		if (i > 0 && input_of(k, at).looks < in->looks)
			break;
		if ((x = square(k, in, g, at)) > most) {
			most = x;
			*d = at;
		}
	}
	return most;
}

/* Of answers of 1 to N looks, from those of 2^i. */
static double
mean(const struct dp_moved *k, struct input in, struct grid *g)
{
	const uint64_t looks = in.looks;
	double hi = k->square, lo, sum = 0, d;
	uint64_t n;

	for (n = looks; n > 1; n /= 2, hi = lo) {
		in.looks = n / 2;
		highest(k, &in, g);
		lo = fmin(hi, worse(k, &in, g, &d));
		sum += (hi + lo) / 2 * (double)(n - n / 2);
	}
	return (sum + hi) / (double)looks;
}

/* square, mean, worst; reach: that hardly any noise of all looks is beyond, in identifiers */
static void
dp_moved_error(struct dp_moved *k, double reach)
{
	struct input in, most = { 0 };
	struct grid g = { .h = fmax(1, ceil(2 * reach * k->odds.gap / POINTS)) };
	double x, d;
	unsigned i;

	k->square = -1;
	for (i = 0; i <= VALUES; i++) {
		in = input_of(k, floor(k->most * i / VALUES));
		if (2 * in.looks <= k->looks)
			break;
		highest(k, &in, &g);
		if ((x = worse(k, &in, &g, &d)) > k->square) {
			k->square = x;
			k->worst = d;
			most = in;
		}
	}
	k->mean = mean(k, most, &g);
}
