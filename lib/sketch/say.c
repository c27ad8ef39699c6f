/* say.c - what a planned sketch answers, and what it leaves out, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "say.h"

/* A cell of 8 bytes for each, and a key of 16. */
static size_t
buckets_of(const struct dp_sketch_plan *k)
{
	const struct dp_mech *m = k->m->parts > 0 ? k->m->part->inner : k->m;

	return m->column / sizeof(uint64_t) - 2;
}

/* Memory has identifiers themselves, and no buckets. */
static bool
exact(const struct dp_sketch_plan *k)
{
	return (k->m->ops->traits & DP_TRAIT_TABLE) != 0;
}

/*
 * Lines bound the answers: a step is one, and has one identifier at most.  A bucket of time holds
 * any number of them, and so does a window of buckets.
 */
double
dp_sketch_reach(const struct dp_sketch_plan *k)
{
	const struct dp_sketch *s = k->s;
	const double n = s->universe != 0 ? (double)s->universe : INFINITY;
	const double lines = s->lines ? (double)k->report : INFINITY;
	const uint64_t back = s->modulo != 0 && s->deletes ? s->modulo - s->tau : s->tau;
	const double tau = fmax(1, (double)(back < s->tau ? back : s->tau));

	if (k->what == &dp_heavy)
		return INFINITY;
	if (k->what == &dp_cropped)
		return fmin(n * tau, lines);
	if (k->what == &dp_mean)
		return fmin(tau, lines / n);
	if (k->what == &dp_density)
		return fmin(1, lines / n);
	if (k->what == &dp_recent)
		return fmin(n, s->lines ? fmin((double)s->window, lines) : INFINITY);
	return fmin(n, floor(lines / (k->what == &dp_incidence ? tau : 1)));
}

static bool
note_few(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, char *text, size_t size)
{
	const struct dp_sketch *s = k->s;
	double error, most = s->universe != 0 ? (double)s->universe : INFINITY;

	(void)rule;
	if (k->what != &dp_heavy)
		return false;
	error = sqrt(dp_mech_variance(k->m, k->report));
	if (s->lines)
		most = fmin(most, s->share != 0 ? fmin((double)s->share, (double)k->report) :
		    (double)(k->report / s->tau));
	if (error > most / 2)
		snprintf(text, size, "at most %.0f identifiers can have come so "
		    "often, and the rms error of their number is %.4g, more than half of that",
		    most, error);
	else if (s->universe == 0 && !isinf(k->m->off.drift) &&
	    k->m->off.drift > most / 2)
		snprintf(text, size, "%llu lines are some %.4g in each of %zu "
		    "buckets, where light identifiers add up: for that alone their number may be "
		    "off by %.0f, of at most %.0f (--universe, more --buckets or a larger --tau "
		    "help)", (unsigned long long)k->report,
		    (double)k->report / (double)buckets_of(k), buckets_of(k), k->m->off.drift,
		    most);
	else
		return false;
	return true;
}

/*
 * Largest count at which levels (hashed.c) say hardly anything: the error reaches the whole range.
 */
static bool
note_levels(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	(void)rule;
	if (!k->blind)
		return false;
	snprintf(text, size, "with so much noise no count below %.0f can be told from 0; fewer "
	    "answers (--at-end, --every) or a --universe make it less",
	    dp_sketch_seen(k->s, k->report));
	return true;
}

static bool
note_budget(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const struct dp_noise *z;
	const char *what;
	double memory;

	if (!(k->m->ops->traits & DP_TRAIT_PAN) || k->m->parts > 0 ||
	    !dp_mech_family(k->m, 1, &z, &what))
		return false;
	memory = 1 / dp_q_double(z->param);
	if (k->s->looks != 0)		/* anew.c */
		memory = ((const struct dp_memory *)(const void *)k->m)->flipped ?
		    dp_bits_looks(memory, k->s->looks + 1) : memory * (double)(k->s->looks + 1);
	snprintf(text, size, "of epsilon, %.4g is for memory, whenever it is looked at, and "
	    "%.4g for the answers together", memory,
	    dp_q_double(rule->privacy.epsilon) - memory);
	return true;
}

static bool
note_relation(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const unsigned traits = k->m->ops->traits;
	const bool table = (traits & DP_TRAIT_FIRST) != 0, open = (traits & DP_TRAIT_PAN) == 0;

	if (!k->whole)
		return false;
	snprintf(text, size, "where one identifier stands in place of another, everywhere, the "
	    "loss is twice as large: epsilon = %.6g; where one event has another identifier, it "
	    "is %s%s", 2 * dp_q_double(rule->privacy.epsilon),
	    table && !k->s->presence ? "epsilon" : open && !table && k->s->presence ?
	    "four times as large" : "twice as large, too", rule->privacy.delta.num == 0 ? "" :
	    "; delta is then (1 + e^epsilon) delta for twice, that and e^(2 epsilon) + "
	    "e^(3 epsilon) of it more for four times");
	return true;
}

static bool
note_seen(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	if (exact(k) || k->s->universe != 0 || k->what == &dp_heavy)
		return false;
	snprintf(text, size, "errors are those of %.0f identifiers; of fewer they are smaller",
	    dp_sketch_seen(k->s, k->horizon != 0 ? k->horizon : k->report));
	return true;
}

double
dp_sketch_additive(double epsilon, double delta, double gamma)
{
	const double x = log((1 - gamma) / (gamma + delta / expm1(epsilon))) / epsilon;

	return x > 1 ? (ceil(x) - 1) / 2 : 0;
}

static bool
note_additive(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	const double B = dp_sketch_additive(dp_q_double(rule->privacy.epsilon),
	    dp_q_double(rule->privacy.delta), rule->beta);

	if (k->what != &dp_distinct || exact(k) || k->s->universe != 0 || !(B > 0))
		return false;
	snprintf(text, size, "a factor does not help with few: whoever is within 1 - A to 1 + A "
	    "times the number, but for B, with probability %.6g, has a B of (1 - A) %.6g at "
	    "least (after Mir et al. 2011, Theorem 14)", 1 - rule->beta, B);
	return true;
}

static bool
note_buckets(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule,
    char *text, size_t size)
{
	char off[80];

	(void)rule;
	if (k->what != &dp_heavy || k->s->universe != 0 || exact(k))
		return false;
	if (isinf(k->m->off.drift))
		snprintf(off, sizeof off, "nobody knows by how many, without a number of lines "
		    "(-T)");
	else
		snprintf(off, sizeof off, "by up to %.6g, which the bounds here have in them",
		    k->m->off.drift);
	snprintf(text, size, "identifiers are hashed to %zu buckets: those of one bucket count "
	    "together, so that heavy ones may be lost, and light ones may add up to a heavy one: "
	    "%s", buckets_of(k), off);
	return true;
}

bool
dp_sketch_note(const struct dp_sketch_plan *k, const struct dp_mech_rule *rule, unsigned *i,
    char *text, size_t size)
{
	static bool (*const say[])(const struct dp_sketch_plan *, const struct dp_mech_rule *,
	    char *, size_t) = { note_few, note_levels, note_relation, note_budget, note_seen,
	    note_additive, note_buckets };
	const size_t begin = strlen(k->none);
	bool none;
	size_t j;

	for (j = 0; j < sizeof say / sizeof say[0]; j++) {
		none = say[j] == note_few || say[j] == note_levels;
		if (!say[j](k, rule, text + (none ? begin : 0), size - (none ? begin : 0)) ||
		    (*i)-- > 0)
			continue;
		if (none)
			memcpy(text, k->none, begin);
		return true;
	}
	return false;
}

bool
dp_sketch_unused(enum dp_sketch_fact fact, const char *option, const char *mechanism, char *text,
    size_t size)
{
	static const struct {
		enum dp_sketch_fact option;
		const char *used, *why;		/* by whom; and else */
	} uses[] = {
		{ DP_ASKS_FLIPS, " turnstile turnstile-table ",
		    "%s follows all comings and goings" },
		{ DP_ASKS_UPDATES, " continual ", "%s takes any number of lines of an identifier" },
		{ DP_ASKS_BUCKETS, " hashed hashed-bits sample phase ", "%s has none" },
		{ DP_ASKS_PRESENCE, "", "the noise of %s is the same without, and protects which "
		    "of its events happened, too" }
	};
	char name[64], why[200];
	size_t i;

	snprintf(name, sizeof name, " %s ", mechanism);
	for (i = 0; i < sizeof uses / sizeof uses[0] && uses[i].option != fact; i++)
		;
	if (i == sizeof uses / sizeof uses[0] || strstr(uses[i].used, name) != NULL)
		return false;
	snprintf(why, sizeof why, uses[i].why, mechanism);
	snprintf(text, size, "--%s has no effect: %s", option, why);
	return true;
}
