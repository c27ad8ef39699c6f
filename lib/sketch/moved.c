/* moved.c - the mechanism of moved.h. */
#include <math.h>
#include <stdio.h>

#include "mech/certificate.h"
#include "moved.h"

#define PLACES_MAX	((uint64_t)1 << 32)
#define ANSWERS_MAX	((uint64_t)1 << DP_MOVED_LEVELS)
#define FEWEST		8			/* answers; one by one they are better */
#define PLAN		((uint64_t)1 << 20)	/* states of the plan before it began with less */

struct column {
	uint64_t answers, level;	/* so far */
	int64_t theta[DP_MOVED_LEVELS];	/* 0: not drawn, or wiped */
	uint64_t bit[];
};

/* True: so many looks are a multiple of the level's stretch. */
static bool
aligned(uint64_t looks, unsigned level)
{
	return (looks & (((uint64_t)1 << level) - 1)) == 0;
}

uint64_t
dp_moved_passed(const struct dp_moved *k, dp_wide v)
{
	const dp_wide n = v <= 0 ? 0 : (v - 1) / (dp_wide)k->step;

	return n < (dp_wide)k->choice.steps ? (uint64_t)n : k->choice.steps;
}

void
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
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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
		*est = (dp_wide)y;
		return 0;
	}
	if (c->answers % k->choice.every == 0)
		e = look(k, c, rng, c->answers / k->choice.every, y);
	/* the level is private: from here on doubles do no harm */
	dp_moved_stretch(k, c->level, &lo, &hi);
	*est = dp_sketch_round((lo + hi) / 2);
	return e;
}

/* Noises, of what memory leaves: 1/x and 1/y. */
static int
divide(struct dp_moved *k, const struct dp_mech_rule *rule)
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
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
	law(&k->mem.m, 0, 1, &l);
	return dp_law_bound(&l, 1e-5 / (double)k->looks);
}

static double
drift(const struct dp_moved *k)
{
	double lo, hi, most = 0;
	uint64_t i;

	for (i = 0; i < 3; i++) {
		dp_moved_stretch(k, i < 2 && i < k->choice.steps ? i : k->choice.steps, &lo, &hi);
		most = fmax(most, (hi - lo) / 2);
	}
	return most + .5;
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
	return divide(k, rule);
}

/* On an error the plan is freed. */
static int
plan(struct dp_moved *k, const struct dp_mech_rule *rule)
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
	k->mem.m.off.drift = drift(k);
	k->mem.m.off.worst_of = (double)k->looks;
	k->mem.m.off.most = k->most;
	dp_moved_error(k, reach(k));
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t answers = dp_sketch_outputs(rule);
	struct dp_moved *k;
	unsigned i;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->deletes || s->looks != 0 ||
	    rule->horizon == 0 || answers < FEWEST || answers > ANSWERS_MAX)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + dp_bits_bytes(s->universe));
	if (k == NULL)
		return DP_ENOMEM;
	k->answers = answers;
	k->most = dp_sketch_seen(s, rule->report);
	k->lines = s->lines ? (double)rule->every : INFINITY;
	k->mem.count = count;
	if ((e = plan(k, rule)) != 0)
		return e;
	for (k->mem.draws = 1, i = k->choice.low; i < k->choice.low + k->levels; i++)
		k->mem.draws += exp2(-(double)i);
	k->mem.draws = 1 + k->mem.draws / (double)k->choice.every / (double)rule->every;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return dp_numbers_error(rule->privacy.numbers);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_memory *k = (const void *)m;

	return dp_bits_start(((struct column *)col)->bit, k->s.universe, &k->state, rng);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_memory *k = (const void *)m;

	return id->word[0] < k->s.universe ?
	    dp_bits_see(((struct column *)col)->bit, id->word[0], &k->state, rng) : 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
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
	law(m, 0, T, &l);
	return fmin(most, dp_law_bound(&l, gamma));
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
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
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct dp_moved *k = (const void *)m;

	(void)unit_;
	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "%.0f answers are compared with %.0f steps of %.6g, and what is "
	    "printed is the middle of the last one that was passed, or of what it can be: off by "
	    "%.6g at most without noise; rms errors here are those of the worst input, whose "
	    "number stands still at %.0f while the highest noise of all answers stays printed; "
	    "intervals are bounds, of any input and of all answers at once", (double)k->looks,
	    (double)k->choice.steps, (double)k->step / k->odds.gap, m->off.drift, k->worst);
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

const struct dp_mech_ops dp_moved_ops = {
	.name = "moved", .traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN,
	.statistic = &dp_distinct, .create = create, .start = start, .step = dp_sketch_step,
	.answer = dp_memory_answer, .valid = valid, .error = error, .open.see = see,
	.law.at = law, .bound.all_steps = all_steps, .drawn = { .family = family, .unit = unit,
	    .number = dp_memory_draws, .certify = certify },
	.say = { .source = "random bits as in density, an answer when their number has moved "
	    "(after Dwork, Naor, Pitassi, Rothblum 2010, Figure 2)", .note = note,
	    .refuses = dp_sketch_refuse_deletes }
};
