/* SPDX-License-Identifier: ISC */
/* plan.c - every eligible mechanism's predicted error, and the choice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "plan.h"

/* Reason why a mechanism is unfit for this setting; NULL: it may be fit. */
static const char *
objection(const struct dp_mech_ops *o, const struct dp_mech_rule *s)
{
	if (s->pan && dp_task_cover(&s->task) != DP_COVER_ALL)
		return "cannot be pan-private under expiry: its memory holds raw values";
	if (s->horizon == 0 && !(o->traits & DP_TRAIT_ENDLESS))
		return "needs a horizon (-T)";
	if (s->pan && !(o->traits & DP_TRAIT_PAN))
		return "is not pan-private: its memory holds exact sums";
	if (s->pan && s->open_step && !(o->traits & DP_TRAIT_PAN_OPEN))
		return "is pan-private only between steps, not inside an open bucket";
	if (s->task.looks != 0 && (o->open.anew == NULL || s->task.statistic != NULL))
		return "is for memory that is looked at once (--looks)";
	if (!s->bits && (o->traits & DP_TRAIT_BITS))
		return "needs step values of 0 or 1 (lines, range 0:1)";
	if ((o->traits & DP_TRAIT_DELTA) && s->privacy.delta.num == 0)
		return "needs a delta (-d) above 0";
	if ((o->traits & DP_TRAIT_SPACED) && s->privacy.spacing == 0)
		return "needs events of a user that are apart (-c K/B)";
	return o->say.refuses != NULL ? o->say.refuses(&s->task) : NULL;
}

static uint64_t
report_of(const struct dp_mech_rule *s)
{
	uint64_t n = s->report != 0 ? s->report : DP_PLAN_REPORT;
	unsigned i;

	if (s->horizon != 0)
		return s->horizon;
	for (i = 0; i < s->task.windows; i++)	/* long enough for a window to fill and move on */
		n = n < 4 * s->task.w[i] ? 4 * s->task.w[i] : n;
	return n;
}

static int inner(const struct dp_mech_ops **, struct dp_error *, const struct dp_mech_rule *,
    uint64_t *id);

/* Function that creates a mechanism. */
static struct dp_mech_rule
complete(const struct dp_mech_rule *s)
{
	struct dp_mech_rule rule = *s;

	rule.inner = inner;
	rule.report = report_of(s);
	return rule;
}

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *s,
    struct dp_numbers *numbers, bool dry)
{
	struct dp_mech_rule rule = complete(s);

	rule.privacy.dry |= dry;
	rule.privacy.numbers = numbers;
	return dp_mech_create(m, o, &rule);
}

/* True: the mechanism, whose noise does not fit or hides all, says what would do. */
static bool
unfit(const struct dp_mech_ops *o, const struct dp_mech_rule *s, char why[static DP_PLAN_WHY])
{
	struct dp_mech_rule rule = complete(s);

	rule.privacy.numbers = NULL;
	return o->say.unfit != NULL && o->say.unfit(&rule, why, DP_PLAN_WHY);
}

#define SAME	(1 - 1e-9)	/* as computed by another formula */

static bool
better(const struct dp_error *a, const struct dp_error *b)
{
	if (a->blind != b->blind)
		return b->blind;
	if (a->max < b->max * SAME || b->max < a->max * SAME)
		return a->max < b->max;
	return a->mean < b->mean * SAME;
}

static int
compare_all(struct dp_plan *p, const struct dp_mech_rule *s)
{
	struct dp_candidate *c, *best;
	struct dp_mech *m;
	const struct dp_mech_ops *o;
	unsigned i;
	int e, last = DP_EINVAL;

	for (i = 0; (o = dp_plan_list(i)) != NULL && p->n < DP_PLAN_MAX; i++) {
		if (!dp_mech_does(o, &s->task) || objection(o, s) != NULL)
			continue;
		if ((e = create(&m, o, s, NULL, true)) == DP_ENOMEM)
			return e;
		if (e != 0) {	/* its scale does not fit, or it is not for these parameters */
			last = e == DP_ERANGE ? e : last;
			if (e == DP_ERANGE && p->left == NULL && unfit(o, s, p->left_why))
				p->left = o;
			continue;
		}
		c = &p->eligible[p->n++];
		c->ops = o;
		dp_mech_error(m, p->report, &c->error);
		dp_mech_free(m);
		if (isnan(c->error.max))
			return DP_ENOMEM;
		best = &p->eligible[p->chosen];
		if (!(o->traits & DP_TRAIT_NAMED) && ((best->ops->traits & DP_TRAIT_NAMED) ||
		    better(&c->error, &best->error)))
			p->chosen = p->n - 1;
	}
	return p->n == 0 ? last : 0;
}

/* The named mechanism; NULL: there is none for this task. */
static const struct dp_mech_ops *
find(const char *name, const struct dp_mech_rule *s)
{
	const struct dp_mech_ops *o;
	unsigned i;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &s->task) && strcmp(name, o->name) == 0)
			break;
	return o;
}

struct inner_choice {
	const struct dp_mech_ops *ops;
	struct dp_error error;
};

#define INNER_KEY	29

/* All that an inner counter's choice is a function of; false: it is none. */
static bool
set_inner_key(uint64_t k[static INNER_KEY], const struct dp_mech_rule *r)
{
	const struct dp_privacy *p = &r->privacy;
	const uint64_t key[INNER_KEY] = { dp_numbers_hash("inner", 5), p->exact, p->epsilon.num,
	    p->epsilon.den, p->delta.num, p->delta.den, p->rho.num, p->rho.den, p->l1,
	    p->l2squared, p->wide, p->linf, p->spread, p->columns, p->cells, p->l2fading,
	    p->times, p->spacing,
	    r->horizon, r->most, r->report, r->every, r->inputs, (uint64_t)r->lo, (uint64_t)r->hi };

	memcpy(k, key, sizeof key);
	memcpy(&k[INNER_KEY - 1], &r->beta, sizeof r->beta);
	return r->task.what == DP_TASK_COUNT;
}

/* The counter of least error.  The one that is planned asks, too, and several for the same. */
static int
choose_inner(struct inner_choice *c, const struct dp_mech_rule *rule)
{
	struct dp_plan p = { .report = report_of(rule) };
	uint64_t key[INNER_KEY];
	const bool counts = set_inner_key(key, rule);
	const struct inner_choice *known = counts ?
	    dp_memo_find(rule->privacy.memo, key, sizeof key) : NULL;
	int e;

	if (known != NULL) {
		*c = *known;
		return 0;
	}
	if ((e = compare_all(&p, rule)) != 0)
		return e;
	*c = (struct inner_choice){ p.eligible[p.chosen].ops, p.eligible[p.chosen].error };
	if (counts)
		dp_memo_keep(rule->privacy.memo, key, sizeof key, c, sizeof *c);
	return 0;
}

/* dp_mech_rule.inner */
static int
inner(const struct dp_mech_ops **out, struct dp_error *error, const struct dp_mech_rule *rule,
    uint64_t *id)
{
	struct dp_mech_rule s = *rule;
	const struct dp_mech_ops *o;
	struct inner_choice c;
	unsigned i;
	int e;

	/* who runs it has been chosen, and its memory is that one's to care for */
	s.bits = s.pan = s.open_step = s.alone = s.rivals = false;
	s.predict = 0;

	if (*id == 0) {
		if ((e = choose_inner(&c, &s)) != 0)
			return e;
		*out = c.ops;
		*error = c.error;
		*id = dp_numbers_hash((*out)->name, strlen((*out)->name));
		return 0;
	}
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &s.task) &&
		    dp_numbers_hash(o->name, strlen(o->name)) == *id)
			break;
	*out = o;
	return o == NULL || objection(o, &s) != NULL ? DP_EINVAL : 0;
}

/*
 * Makes it the chosen one, and the only one if no rivals are wanted.  Its error is known if it was
 * compared, and if its numbers are its own.
 */
static void
choose(struct dp_plan *p, const struct dp_mech_rule *s, const struct dp_mech_ops *o)
{
	for (p->chosen = 0; p->chosen < p->n; p->chosen++)
		if (p->eligible[p->chosen].ops == o)
			break;
	if (p->chosen == DP_PLAN_MAX)
		p->chosen--;
	p->ops = p->eligible[p->chosen].ops = o;
	if (!s->alone && (p->chosen == p->n || dp_numbers_replays(s->privacy.numbers)))
		dp_mech_error(p->mech, p->report, &p->eligible[p->chosen].error);
	if (p->chosen == p->n)
		p->n++;
	if (!s->rivals) {
		p->eligible[0] = p->eligible[p->chosen];
		p->chosen = 0;
		p->n = 1;
	}
}

/* True: the mechanism, or any if it is NULL, would do under another setting. */
static bool
would_do(const struct dp_mech_ops *o, const struct dp_mech_rule *s)
{
	struct dp_plan p = { .n = 0 };
	struct dp_mech *m;

	p.report = report_of(s);
	if (o == NULL)
		return compare_all(&p, s) == 0;
	if (objection(o, s) != NULL || create(&m, o, s, NULL, true) != 0)
		return false;
	dp_mech_free(m);
	return true;
}

/* Sentence on the option that it lacks, found by giving it that option. */
static const char *
lack(const struct dp_mech_ops *o, const struct dp_mech_rule *s)
{
	struct dp_mech_rule with = *s;

	if (o != NULL && s->task.windows > 1) {
		with.task.windows = 1;
		if (would_do(o, &with))
			return "estimates one window only";
		with = *s;
	}
	with.horizon = report_of(s);
	if (s->horizon == 0 && would_do(o, &with))
		return o != NULL ? "needs a horizon here (-T)" :
		    s->pan && s->inputs != 0 ?
		    "pan-private counting of buckets needs a horizon (-T)" :
		    "a horizon (-T) is needed here";
	with = *s;
	with.task.looks = 0;
	if (s->task.looks != 0 && would_do(o, &with))
		return "--looks is for counts, without --dropped or a range found by --range=auto";
	with = *s;
	with.open_step = false;
	if (s->open_step && would_do(o, &with))
		return "with --pan-private this needs lines, not buckets";
	return NULL;
}

/* o: the mechanism asked for; NULL: any, and p->left may say what would do. */
static int
explain(int e, const struct dp_plan *p, const struct dp_mech_rule *s, const struct dp_mech_ops *o,
    char why[static DP_PLAN_WHY])
{
	const char *what = e == DP_EINVAL ? lack(o, s) : NULL;
	char text[DP_PLAN_WHY];

	if (e == DP_ERANGE && o != NULL && unfit(o, s, text))
		snprintf(why, DP_PLAN_WHY, "%s %.200s", o->name, text);
	else if (e == DP_ERANGE && o == NULL && p->left != NULL)
		snprintf(why, DP_PLAN_WHY, "the noise does not fit: %s %.180s", p->left->name,
		    p->left_why);
	else if (e == DP_ERANGE)
		snprintf(why, DP_PLAN_WHY,
		    "the noise does not fit: epsilon must be larger, or the range smaller or "
		    "coarser (even a single value needs epsilon %.2g)",
		    ldexp((double)s->privacy.l1, -40));
	else if (e == DP_EINVAL && o != NULL)
		snprintf(why, DP_PLAN_WHY, "%s %s", o->name, what != NULL ? what :
		    "is not for these parameters: its paragraph in the manual says why");
	else if (e == DP_EINVAL)
		snprintf(why, DP_PLAN_WHY, "no mechanism is eligible%s%s",
		    what != NULL ? ": " : "", what != NULL ? what : "");
	return e;
}

/* Errors of another number of steps than those that the choice was made for, which stays. */
static int
predict(struct dp_plan *p, const struct dp_mech_rule *s)
{
	struct dp_mech *m;
	unsigned i;
	int e;

	if (s->horizon != 0 || s->predict == 0)
		return 0;
	p->report = s->predict;
	for (i = 0; i < p->n; i++) {
		if ((e = create(&m, p->eligible[i].ops, s, NULL, true)) != 0)
			return e;
		dp_mech_error(m, p->report, &p->eligible[i].error);
		dp_mech_free(m);
		if (isnan(p->eligible[i].error.max))
			return DP_ENOMEM;
	}
	return 0;
}

/*
 * True: even the best answers are bounded by nothing but what is public anyway: whoever wants
 * them all the same asks for the mechanism by name.
 */
static bool
tells_nothing(const struct dp_plan *p, const struct dp_mech_rule *s, char why[static DP_PLAN_WHY])
{
	const struct dp_candidate *c = &p->eligible[p->chosen];
	char text[DP_PLAN_WHY];

	if (!c->error.blind || !unfit(c->ops, s, text))
		return false;
	snprintf(why, DP_PLAN_WHY, "no mechanism tells anything here: %s %.200s", c->ops->name,
	    text);
	return true;
}

static int
make(struct dp_plan *p, const struct dp_mech_rule *s, const char *name,
    char why[static DP_PLAN_WHY])
{
	const bool any = strcmp(name, "auto") == 0;
	const struct dp_mech_ops *o = any ? NULL : find(name, s), *chosen;
	const char *no;
	int e;

	memset(p, 0, sizeof *p);
	p->report = report_of(s);
	if (!any && o == NULL) {
		snprintf(why, DP_PLAN_WHY, "--mechanism: '%.40s' is none of those "
		    "--help=mechanisms lists for these options", name);
		return DP_EINVAL;
	}
	if (!any && (no = objection(o, s)) != NULL) {
		snprintf(why, DP_PLAN_WHY, "%s %s", name, no);
		return DP_EINVAL;
	}
	e = any || s->rivals ? compare_all(p, s) : 0;
	if (any && e == 0 && tells_nothing(p, s, why))
		return DP_EINVAL;
	if (e == 0 || (!any && e != DP_ENOMEM)) {
		chosen = any ? p->eligible[p->chosen].ops : o;
		if ((e = create(&p->mech, chosen, s, s->privacy.numbers, false)) == 0)
			choose(p, s, chosen);
		if (e == 0 && (e = isnan(p->eligible[p->chosen].error.max) ? DP_ENOMEM :
		    predict(p, s)) != 0)
			dp_plan_free(p);
	}
	return explain(e, p, s, o, why);
}

int
dp_plan_make(struct dp_plan *p, const struct dp_mech_rule *s, const char *name,
    char why[static DP_PLAN_WHY])
{
	struct dp_memo memo = { .last = NULL };
	struct dp_mech_rule own = *s;
	int e;

	own.privacy.memo = &memo;
	e = make(p, &own, name, why);
	dp_memo_free(&memo);
	return e;
}

void
dp_plan_free(struct dp_plan *p)
{
	dp_mech_free(p->mech);
	p->mech = NULL;
}

unsigned
dp_plan_decimals(const struct dp_plan *p)
{
	const double error = sqrt(p->eligible[p->chosen].error.max);
	const unsigned most = p->mech->estimate.decimals;
	double k;

	if (p->mech->nodes != 0)		/* of finer numbers, that are to add up */
		return 0;
	if (most == 0 || !(error > 0) || p->mech->estimate.gaps ||
	    p->mech->measure != DP_MEASURE_RMSE)
		return most;
	k = ceil(1 - log10(error));
	return k < 0 ? 0 : k < most ? (unsigned)k : most;
}
