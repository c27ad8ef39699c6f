#include "counter.h"

extern const struct dp_mech_ops dp_identity_ops, dp_input_ops, dp_bridge_ops, dp_segmented_ops,
    dp_hats_ops, dp_blt_ops;

static const struct dp_mech_ops *const counters[] = {
	&dp_identity_ops, &dp_input_ops, &dp_bridge_ops, &dp_segmented_ops, &dp_hats_ops,
	&dp_blt_ops
};

#define COUNTERS	(sizeof counters / sizeof counters[0])
#define ITSELF		COUNTERS	/* each answer by itself */
#define NUMBER_MAX	((int64_t)1 << 60)

struct column {
	int64_t last;			/* the number at the last answer */
	uint64_t answers;
	uint64_t reserved[6];		/* inner's column begins on a cache line */
	uint64_t inner[];
};

struct dp_counter_reach
dp_counter_items(uint64_t w, uint64_t k, bool presence)
{
	struct dp_counter_reach r = { .moves = presence ? w : 2 * w, .touched = k };

	if (k != 0 && r.moves > (presence ? k : 2 * k - 1))
		r.moves = presence ? k : 2 * k - 1;
	return r;
}

/* The rule of the counter: a step is an answer. */
static struct dp_mech_rule
inner_rule(const struct dp_mech_rule *rule, uint64_t moves)
{
	const uint64_t far = rule->every == 0 ? 1 : rule->report / rule->every;
	struct dp_mech_rule own = *rule;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.horizon = dp_sketch_outputs(rule);
	own.report = far == 0 ? 1 : far;
	own.most = 0;
	own.every = 1;
	own.inputs = 1;
	own.privacy.l1 *= moves;
	own.privacy.l2squared = own.privacy.l1 * own.privacy.l1;
	own.privacy.columns = 1;
	return own;
}

static int
create_inner(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	int e;

	if ((rule->horizon == 0 && !(o->traits & DP_TRAIT_ENDLESS)) ||
	    ((o->traits & DP_TRAIT_DELTA) && rule->privacy.delta.num == 0))
		return DP_EINVAL;
	if ((e = o->create(m, rule)) == 0 && ((*m)->decimals != 0 || (*m)->outputs != 1)) {
		dp_mech_free(*m);
		return DP_EINVAL;
	}
	return e;
}

static int
by_itself(struct dp_noise *z, const struct dp_privacy *p, uint64_t touched)
{
	return touched == 0 ? DP_EINVAL : dp_privacy_laplace_weights(z, p, touched, 1);
}

/* The way of least largest error; if none will do, what the last one lacked. */
static int
choose(const struct dp_mech_rule *rule, const struct dp_privacy *p, uint64_t touched,
    uint64_t *best)
{
	struct dp_mech_rule dry = *rule;
	struct dp_privacy free = *p;
	struct dp_error error;
	struct dp_noise z;
	struct dp_mech *m;
	double least = 0, v;
	uint64_t i;
	int e, last = DP_EINVAL;
	bool found = false;

	dry.privacy.dry = free.dry = true;
	dry.privacy.params = free.params = NULL;
	for (i = 0; i <= ITSELF; i++) {
		e = i == ITSELF ? by_itself(&z, &free, touched) :
		    create_inner(&m, counters[i], &dry);
		if (e == DP_ENOMEM)
			return e;
		if (e != 0) {
			last = e == DP_ERANGE ? e : last;
			continue;
		}
		if (i == ITSELF)
			v = z.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&z);
		else {
			dp_mech_error(m, rule->report, &error);
			dp_mech_free(m);
			v = error.max;
		}
		if (!found || v < least * (1 - 1e-9)) {
			found = true;
			*best = i;
			least = v;
		}
	}
	return found ? 0 : last;
}

int
dp_counter_create(struct dp_counter *c, const struct dp_mech_rule *rule,
    struct dp_counter_reach reach)
{
	const struct dp_mech_rule own = inner_rule(rule, reach.moves);
	struct dp_params *params = rule->privacy.params;
	uint64_t i = 0;
	int e;

	*c = (struct dp_counter){ .answers = own.horizon, .every = rule->every,
	    .column = sizeof(struct column) };
	if (own.privacy.l1 >= (uint64_t)1 << 31 || reach.moves >= (uint64_t)1 << 31)
		return DP_ERANGE;
	if (!dp_params_replays(params) &&
	    (e = choose(&own, &rule->privacy, reach.touched, &i)) != 0)
		return e;
	i = dp_params_word(params, i, 0, ITSELF);
	if (i == ITSELF)
		return by_itself(&c->own, &rule->privacy, reach.touched);
	if ((e = create_inner(&c->inner, counters[i], &own)) != 0)
		return e;
	c->column += (c->inner->column + 63) & ~(size_t)63;
	return 0;
}

void
dp_counter_free(struct dp_counter *c)
{
	dp_mech_free(c->inner);
	c->inner = NULL;
}

int
dp_counter_start(const struct dp_counter *k, void *col, struct dp_rng *rng)
{
	struct column *c = col;

	return k->inner == NULL || k->inner->ops->start == NULL ? 0 :
	    k->inner->ops->start(k->inner, c->inner, rng);
}

int
dp_counter_answer(const struct dp_counter *k, void *col, struct dp_rng *rng, int64_t n,
    dp_wide *est)
{
	struct column *c = col;
	int64_t x;
	int e;

	if (k->answers != 0 && c->answers >= k->answers)
		return DP_EHORIZON;
	c->answers++;
	/* no honest number is beyond this, but a state file's might be */
	n = n > NUMBER_MAX ? NUMBER_MAX : n < -NUMBER_MAX ? -NUMBER_MAX : n;
	x = n - c->last;
	c->last = n;
	if (k->inner != NULL)
		return k->inner->ops->step(k->inner, c->inner, rng, c->answers, &x, est);
	if ((e = dp_draw(&k->own, rng, &x)) == 0)
		*est = (dp_wide)n + x;
	return e;
}

bool
dp_counter_valid(const struct dp_counter *k, const void *col, uint64_t t)
{
	const struct column *c = col;

	return c->answers <= t && (k->answers == 0 || c->answers <= k->answers) &&
	    c->last <= NUMBER_MAX && c->last >= -NUMBER_MAX &&
	    (k->inner == NULL || k->inner->ops->valid == NULL ||
	    k->inner->ops->valid(k->inner, c->inner, c->answers));
}

static uint64_t
answers_at(const struct dp_counter *k, uint64_t t)
{
	return k->every == 0 || t < k->every ? 1 : t / k->every;
}

void
dp_counter_law(const struct dp_counter *k, uint64_t t, struct dp_law *l)
{
	if (k->inner == NULL)
		dp_law_add(l, &k->own, 1, 1);
	else
		k->inner->ops->law(k->inner, 0, answers_at(k, t), l);
}

void
dp_counter_error(const struct dp_counter *k, uint64_t T, struct dp_error *e)
{
	if (k->inner == NULL) {
		e->max = e->mean = k->own.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&k->own);
		e->worst = T;
		return;
	}
	dp_mech_error(k->inner, answers_at(k, T), e);
	e->worst = k->every == 0 ? T : e->worst * k->every;
	e->worst = e->worst < T ? e->worst : T;
}

bool
dp_counter_family(const struct dp_counter *k, unsigned i, const struct dp_noise **z,
    const char **what)
{
	if (k->inner != NULL)
		return dp_mech_family(k->inner, i, z, what);
	*z = &k->own;
	*what = "every answer";
	return i == 0 && k->own.kind != DP_NOISE_NONE;
}

double
dp_counter_unit(const struct dp_counter *k, unsigned i)
{
	return k->inner == NULL ? 1 : dp_mech_unit(k->inner, i);
}

double
dp_counter_draws(const struct dp_counter *k)
{
	return k->every == 0 ? 0 :
	    (k->inner == NULL ? 1 : dp_mech_draws(k->inner)) / (double)k->every;
}
