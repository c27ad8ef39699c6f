#include <stdio.h>

#include "counter.h"

/* Manner of counting, as states keep it: the hash of a counter's name, or one of these. */
#define ITSELF	6		/* each answer by itself */
#define BY_GAUSS	7		/* and with Gaussian noise */

#define NUMBER_MAX	((int64_t)1 << 60)

struct column {
	int64_t last;			/* the number at the last answer */
	uint64_t answers;
	uint64_t reserved[6];		/* inner's column, behind it, begins on a cache line */
};

struct dp_counter_reach
dp_counter_items(uint64_t w, uint64_t k, bool presence)
{
	const uint64_t v = k != 0 && k < w ? k : w;
	struct dp_counter_reach r = { .touched = k, .worth = 1 };

	r.moves = presence ? v : 2 * w;
	if (k != 0 && r.moves > 2 * k - 1)
		r.moves = 2 * k - 1;
	r.fading = presence || k == 1 ? v : w == 1 ? 2 : 4 * v;
	return r;
}

uint64_t
dp_counter_changes(uint64_t W, uint64_t T)
{
	return 1 + (T - 1) / (W + 1) + T / (W + 1);
}

/* True: no counter serves, as an item moves the differences too far. */
static bool
too_far(const struct dp_mech_rule *rule, const struct dp_counter_reach *r)
{
	return (dp_uwide)rule->privacy.l1 * r->moves * r->worth >= (uint64_t)1 << 31;
}

/* The rule of the counter: a step is an answer. */
static int
inner_rule(struct dp_mech_rule *out, const struct dp_mech_rule *rule,
    const struct dp_counter_reach *r)
{
	const uint64_t far = rule->every == 0 ? 1 : rule->report / rule->every;
	const uint64_t worth = rule->privacy.l1 * r->worth, l1 = worth * r->moves;
	const struct dp_reach reach = { .l1 = l1, .l2squared = l1 * l1, .linf = l1,
	    .columns = 1 };
	const dp_uwide fading = (dp_uwide)worth * worth * r->fading;
	struct dp_mech_rule own = *rule;
	int e;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.horizon = dp_sketch_outputs(rule);
	own.report = far == 0 ? 1 : far;
	own.most = 0;
	own.every = 1;
	own.inputs = 1;
	*out = own;
	if ((e = dp_privacy_part(&out->privacy, &rule->privacy, dp_q_make(1, 1), &reach)) == 0)
		out->privacy.l2fading = fading < l1 * l1 ? (uint64_t)fading : 0;
	return e;
}

static int
by_itself(struct dp_noise *z, const struct dp_privacy *p, const struct dp_counter_reach *r,
    uint64_t way)
{
	struct dp_privacy own = *p;

	if (r->touched == 0)
		return DP_EINVAL;
	if ((dp_uwide)p->l1 * r->worth >> 56 != 0)
		return DP_ERANGE;
	own.linf = own.l1 = p->l1 * r->worth;
	return way == BY_GAUSS ? dp_privacy_gauss_repeat(z, &own, r->touched, dp_q_make(1, 1)) :
	    dp_privacy_laplace_weights(z, &own, r->touched, 1);
}

/* Of the two noises of answers by themselves the smaller. */
static int
best_alone(struct dp_noise *z, const struct dp_privacy *dry, const struct dp_counter_reach *r,
    uint64_t *way)
{
	struct dp_noise gauss;
	const int e = by_itself(z, dry, r, ITSELF);

	*way = ITSELF;
	if (dry->exact || dry->delta.num == 0 || by_itself(&gauss, dry, r, BY_GAUSS) != 0 ||
	    (e == 0 && dp_noise_variance(z) <= dp_noise_variance(&gauss)))
		return e;
	*way = BY_GAUSS;
	*z = gauss;
	return 0;
}

/* The way of least largest error; if none will do, what the one lacks that comes nearer. */
static int
choose(const struct dp_mech_rule *rule, const struct dp_privacy *p,
    const struct dp_counter_reach *r, bool counts, uint64_t *way)
{
	struct dp_privacy dry = *p;
	const struct dp_mech_ops *o;
	struct dp_error error;
	struct dp_noise z;
	uint64_t by;
	int e, alone;

	dry.dry = true;
	dry.numbers = NULL;
	*way = 0;
	e = counts ? rule->inner(&o, &error, rule, way) : DP_ERANGE;
	if (e == DP_ENOMEM)
		return e;
	alone = best_alone(&z, &dry, r, &by);
	if (alone == 0 && (e != 0 || (z.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&z)) <
	    error.max * (1 - 1e-9)))
		*way = by;
	return e == 0 || alone == 0 ? 0 : alone == DP_ERANGE ? alone : e;
}

static int
create_inner(struct dp_counter *c, const struct dp_mech_rule *rule, uint64_t way)
{
	const double steps = c->every == 0 ? 0 : 1 / (double)c->every;
	const struct dp_mech_ops *o;
	struct dp_error unused;
	int e;

	if ((e = rule->inner(&o, &unused, rule, &way)) != 0 ||
	    (e = dp_part_create(&c->m, o, rule, 1, steps)) != 0)
		return e;
	return c->m.part->inner->estimate.decimals == 0 ? 0 : DP_EINVAL;
}

/* The counter; *size: bytes of its part of a column. */
static int
plan(struct dp_counter *c, const struct dp_mech_rule *rule, struct dp_counter_reach reach,
    size_t *size)
{
	struct dp_mech_rule own;
	struct dp_numbers *numbers = rule->privacy.numbers;
	const bool far = too_far(rule, &reach);
	uint64_t way = 0;
	int e;

	*size = sizeof(struct column);
	c->every = rule->every;
	c->answers = dp_sketch_outputs(rule);
	if (!far && (e = inner_rule(&own, rule, &reach)) != 0)
		return e;
	if (!dp_numbers_replays(numbers) &&
	    (e = choose(&own, &rule->privacy, &reach, !far, &way)) != 0)
		return e;
	way = dp_numbers_int(numbers, "counter", way, 1, UINT64_MAX);
	c->moves = rule->privacy.l1 * reach.worth;
	c->touched = reach.touched;
	if (way == ITSELF || way == BY_GAUSS)
		return by_itself(&c->own, &rule->privacy, &reach, way);
	if (far)
		return DP_EINVAL;
	if ((e = create_inner(c, &own, way)) != 0)
		return e;
	*size += (c->m.part->inner->column + 63) & ~(size_t)63;
	return 0;
}

/* What the part is for (inner_rule()). */
static struct dp_counter_sum
sum_of(const struct dp_mech_rule *rule, const struct dp_counter_reach *r)
{
	const uint64_t worth = rule->privacy.l1 * r->worth, moves = worth * r->moves;
	const dp_uwide fading = (dp_uwide)worth * worth * r->fading, all = (dp_uwide)moves * moves;

	return (struct dp_counter_sum){ moves, (uint64_t)(r->fading != 0 && fading < all ? fading :
	    all) };
}

int
dp_counter_create(struct dp_counter *c, const struct dp_mech_rule *rule,
    struct dp_counter_reach reach)
{
	size_t size;
	int e;

	if ((e = plan(c, rule, reach, &size)) != 0) {
		dp_mech_free(&c->m);
		return e;
	}
	c->unit = c->unit == 0 ? 1 : c->unit;
	c->m.drawn.unit = c->unit;
	c->m.inputs = 0;
	c->at = (c->m.column + 63) & ~(size_t)63;
	c->m.column = c->at + size;
	c->m.drawn.distribution = NULL;
	if (c->m.parts > 0) {
		c->sum = sum_of(rule, &reach);
		c->m.drawn.distribution = c->m.part->inner->drawn.distribution;
		(void)dp_part_place(c->m.part, c->at + sizeof(struct column));
	} else if (c->own.kind != DP_NOISE_NONE) {
		c->m.drawn.noise = &c->own;
		c->m.drawn.numbers = "every answer";
	}
	return 0;
}

static const struct dp_counter *
counter(const struct dp_mech *m)
{
	return (const void *)m;
}

int
dp_counter_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_counter *k = counter(m);
	struct column *c = (void *)((char *)col + k->at);
	int64_t n = *(const int64_t *)(const void *)((const char *)col + k->number), x;
	int e;

	(void)t;
	if (k->answers != 0 && c->answers >= k->answers)
		return DP_EHORIZON;
	c->answers++;
	/* no honest number is beyond this, but a state file's might be */
	n = n > NUMBER_MAX ? NUMBER_MAX : n < -NUMBER_MAX ? -NUMBER_MAX : n;
	x = n - c->last;
	c->last = n;
	if (m->parts > 0)
		e = dp_part_step(m->part, col, 0, rng, c->answers, &x, est);
	else if ((e = dp_draw(&k->own, rng, &x)) == 0)
		*est = (dp_wide)n + x;
	/* it is private: from here on doubles do no harm */
	if (e == 0 && k->unit != 1)
		*est = dp_sketch_round((double)*est * k->unit);
	return e;
}

bool
dp_counter_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_counter *k = counter(m);
	const struct column *c = (const void *)((const char *)col + k->at);

	return c->answers <= t && (k->answers == 0 || c->answers <= k->answers) &&
	    c->last <= NUMBER_MAX && c->last >= -NUMBER_MAX &&
	    (m->parts == 0 || dp_part_valid(m->part, col, c->answers));
}

static uint64_t
answers_at(const struct dp_counter *k, uint64_t t)
{
	return k->every == 0 || t < k->every ? 1 : t / k->every;
}

void
dp_counter_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_counter *k = counter(m);

	struct dp_law inner;
	unsigned i;

	(void)out;
	if (m->parts == 0) {
		if (k->own.kind != DP_NOISE_NONE)
			dp_law_add(l, &k->own, k->unit, 1);
		return;
	}
	m->part->inner->ops->law.at(m->part->inner, 0, answers_at(k, t), l);
	if (l->parts != 0 && k->unit != 1) {
		inner = *l;
		dp_law_mix(l, &inner, &k->unit, 1);
		return;
	}
	for (i = 0; i < l->terms; i++)
		l->term[i].coef *= k->unit;
}

void
dp_counter_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_counter *k = counter(m);

	if (m->parts == 0) {
		e->max = e->mean = k->own.kind == DP_NOISE_NONE ? 0 :
		    dp_noise_variance(&k->own) * k->unit * k->unit;
		e->worst = T;
		return;
	}
	dp_mech_error(m->part->inner, answers_at(k, T), e);
	e->max *= k->unit * k->unit;
	e->mean *= k->unit * k->unit;
	e->worst = k->every == 0 ? T : e->worst * k->every;
	e->worst = e->worst < T ? e->worst : T;
}

double
dp_counter_draws(const struct dp_mech *m)
{
	const struct dp_counter *k = counter(m);

	return k->every == 0 || m->parts > 0 ? 0 : 1 / (double)k->every;
}

bool
dp_counter_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	if (i != 0)
		return false;
	if (m->parts == 0)
		snprintf(text, size, "each answer has noise of its own");
	else
		snprintf(text, size, "the answers are a running count by %s",
		    m->part->inner->ops->name);
	return true;
}

int
dp_counter_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_counter *k = counter(m);

	return m->parts > 0 ? dp_certificate_counter(b, &(struct dp_certificate_counter){
	    k->sum.moves, k->sum.fading, k->answers }) :
	    dp_certificate_values(b, &k->own, k->moves, k->touched);
}
