#include <stdio.h>

#include "counter.h"

/*
 * How it is done, as states keep it: the hash of a counter's name, or a small number.  Those below
 * NAMED were kept when there were only these counters to choose from.
 */
#define NAMED	6
#define ITSELF	NAMED		/* each answer by itself */

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
	own.privacy.linf = own.privacy.spread = own.privacy.l1;
	own.privacy.columns = 1;
	own.privacy.cells = 0;	/* an event moves answers, and the rule counts its values */
	return own;
}

static int
by_itself(struct dp_noise *z, const struct dp_privacy *p, uint64_t touched)
{
	return touched == 0 ? DP_EINVAL : dp_privacy_laplace_weights(z, p, touched, 1);
}

/* The way of least largest error; if neither will do, what the one lacks that comes nearer. */
static int
choose(const struct dp_mech_rule *rule, const struct dp_privacy *p, uint64_t touched, uint64_t *way)
{
	struct dp_privacy dry = *p;
	const struct dp_mech_ops *o;
	struct dp_error error;
	struct dp_noise z;
	int e, alone;

	dry.dry = true;
	dry.params = NULL;
	*way = 0;
	if ((e = rule->inner(&o, &error, rule, way)) == DP_ENOMEM)
		return e;
	alone = by_itself(&z, &dry, touched);
	if (alone == 0 && (e != 0 || (z.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&z)) <
	    error.max * (1 - 1e-9)))
		*way = ITSELF;
	return e == 0 || alone == 0 ? 0 : alone == DP_ERANGE ? alone : e;
}

static int
create_inner(struct dp_mech **m, const struct dp_mech_rule *rule, uint64_t way)
{
	static const char *const named[NAMED] = { "identity", "input", "bridge", "segmented",
	    "hats", "blt" };
	const struct dp_mech_ops *o;
	struct dp_error unused;
	int e;

	if (way < NAMED)
		way = dp_params_hash(named[way], strlen(named[way]));
	if ((e = rule->inner(&o, &unused, rule, &way)) != 0 || (e = o->create(m, rule)) != 0)
		return e;
	if ((*m)->decimals == 0 && (*m)->outputs == 1)
		return 0;
	dp_mech_free(*m);
	return DP_EINVAL;
}

/* What counts; *size: bytes of its part of a column. */
static int
plan(struct dp_counter *c, const struct dp_mech_rule *rule, struct dp_counter_reach reach,
    size_t *size)
{
	const struct dp_mech_rule own = inner_rule(rule, reach.moves);
	struct dp_params *params = rule->privacy.params;
	uint64_t way = 0;
	int e;

	*size = sizeof(struct column);
	c->answers = own.horizon;
	c->every = rule->every;
	if (own.privacy.l1 >= (uint64_t)1 << 31 || reach.moves >= (uint64_t)1 << 31)
		return DP_ERANGE;
	if (!dp_params_replays(params) &&
	    (e = choose(&own, &rule->privacy, reach.touched, &way)) != 0)
		return e;
	way = dp_params_word(params, way, 0, UINT64_MAX);
	if (way == ITSELF)
		return by_itself(&c->own, &rule->privacy, reach.touched);
	if ((e = create_inner(&c->inner, &own, way)) != 0)
		return e;
	*size += (c->inner->column + 63) & ~(size_t)63;
	return 0;
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
	c->m.inputs = 0;
	c->m.distribution = c->inner == NULL ? NULL : c->inner->distribution;
	c->at = (c->m.column + 63) & ~(size_t)63;
	c->m.column = c->at + size;
	return 0;
}

void
dp_counter_destroy(struct dp_mech *m)
{
	dp_mech_free(((struct dp_counter *)(void *)m)->inner);
}

static const struct dp_counter *
counter(const struct dp_mech *m)
{
	return (const void *)m;
}

int
dp_counter_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_counter *k = counter(m);
	struct column *c = (void *)((char *)col + k->at);

	return k->inner == NULL || k->inner->ops->start == NULL ? 0 :
	    k->inner->ops->start(k->inner, c->inner, rng);
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
	if (k->inner != NULL)
		return k->inner->ops->step(k->inner, c->inner, rng, c->answers, &x, est);
	if ((e = dp_draw(&k->own, rng, &x)) == 0)
		*est = (dp_wide)n + x;
	return e;
}

bool
dp_counter_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_counter *k = counter(m);
	const struct column *c = (const void *)((const char *)col + k->at);

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
dp_counter_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_counter *k = counter(m);

	(void)out;
	if (k->inner == NULL)
		dp_law_add(l, &k->own, 1, 1);
	else
		k->inner->ops->law(k->inner, 0, answers_at(k, t), l);
}

void
dp_counter_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_counter *k = counter(m);

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
dp_counter_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z,
    const char **what)
{
	const struct dp_counter *k = counter(m);

	if (k->inner != NULL)
		return dp_mech_family(k->inner, i, z, what);
	*z = &k->own;
	*what = "every answer";
	return i == 0 && k->own.kind != DP_NOISE_NONE;
}

double
dp_counter_unit(const struct dp_mech *m, unsigned i)
{
	const struct dp_mech *inner = counter(m)->inner;

	return inner == NULL ? 1 : dp_mech_unit(inner, i);
}

double
dp_counter_draws(const struct dp_mech *m)
{
	const struct dp_counter *k = counter(m);

	return k->every == 0 ? 0 :
	    (k->inner == NULL ? 1 : dp_mech_draws(k->inner)) / (double)k->every;
}

bool
dp_counter_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_mech *inner = counter(m)->inner;

	(void)unit;
	if (i != 0)
		return false;
	if (inner == NULL)
		snprintf(text, size, "each answer has noise of its own");
	else
		snprintf(text, size, "the answers are a running count by %s", inner->ops->name);
	return true;
}
