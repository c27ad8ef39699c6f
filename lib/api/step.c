/* SPDX-License-Identifier: ISC */
/* step.c - events in, estimates out. */
#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

_Static_assert((int)DPUTILS_EINVAL == DP_EINVAL && (int)DPUTILS_EVALUE == DP_ESYNTAX &&
    (int)DPUTILS_ERANGE == DP_ERANGE && (int)DPUTILS_ENOMEM == DP_ENOMEM &&
    (int)DPUTILS_EENTROPY == DP_EENTROPY && (int)DPUTILS_EHORIZON == DP_EHORIZON &&
    (int)DPUTILS_EIO == DP_EIO && (int)DPUTILS_ESTATE == DP_ESTATE &&
    (int)DPUTILS_EBUSY == DP_EBUSY && (int)DPUTILS_EHALT == DP_EHALT, "codes are those within");

const char *
dputils_version(void)
{
	return DP_VERSION;
}

const char *
dputils_error(int code)
{
	return code == DPUTILS_EUSE ? "a call out of its order" :
	    code == DPUTILS_ENONE ? "there is none" : code == DPUTILS_EVALUE ?
	    "the text is no number" : code == DPUTILS_ESTATE ? "refused: damaged, or another's" :
	    dp_strerror(code);
}

const char *
dputils_why(const dputils *h)
{
	return h->why;
}

int
dp_api_users(dputils *h)
{
	return dp_users_new(&h->users.table, h->users.key, h->relation.per_user);
}

/* In the order of a tool's draws: the users' key, then what columns have before the first step. */
int
dp_api_begin(dputils *h)
{
	const uint8_t *key;
	int e;

	if (h->begun > 0 || h->dead != 0)
		return h->dead;
	if (h->begun < 0)
		return dp_api_refuse(h, DPUTILS_EUSE, "its ledger has refused this handle");
	if (h->col.rng == NULL && (e = h->option[API_SEED] != NULL ?
	    dp_rng_open_seed(&h->col.rng, h->say.seed) :
	    dp_rng_open(&h->col.rng, DP_RNG_CHACHA)) != 0)
		return e;
	if (h->relation.per_user != 0) {
		if ((key = dp_rng_take(h->col.rng, sizeof h->users.key)) == NULL)
			return h->dead = DP_EENTROPY;
		memcpy(h->users.key, key, sizeof h->users.key);
	}
	e = dp_columns_start(h->plan.mech, h->col.p, h->say.keys, h->col.rng);
	h->begun = e == 0;
	return h->dead = e;
}

/* As a tool admits it (store/cap.c).  1: it counts; 0: it does not. */
static int
admit(dputils *h, const void *user, size_t n)
{
	const struct dp_slice name = { user, n };
	struct dp_mark m;
	int e;

	if (h->relation.per_user == 0)
		return 1;
	if (n == 0)	/* nobody: as one user, people would displace one another */
		return 0;
	if (h->users.table == NULL && (e = dp_api_users(h)) != 0)
		return e;
	dp_users_mark(h->users.table, name, &m);
	return dp_users_admit(h->users.table, &m);
}

/* The value, on the mechanism's grid and within the range. */
static int
take(dputils *h, int64_t value, size_t key, const void *user, size_t user_n)
{
	int64_t b[DP_MEAN_NUMBERS] = { value }, *x = h->col.x + key * h->rule.inputs;
	unsigned i;
	int e = dp_api_begin(h);

	if (e != 0 || (e = admit(h, user, user_n)) < 0)
		return e;
	h->added = true;
	if (e == 0)
		return 0;
	if (h->rule.bands != 0)
		dp_mean_split(&h->mean, value, b);
	for (i = 0; i < h->rule.inputs; i++)
		x[i] = dp_run_sum((dp_wide)x[i] + b[i]);
	return 0;
}

static int
out_of_order(dputils *h, size_t key, const void *user)
{
	if (!h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "dputils_plan() comes first");
	if (key >= h->say.keys)
		return dp_api_refuse(h, DPUTILS_EUSE, "a key is 0 .. keys - 1");
	if ((user != NULL) != (h->relation.per_user != 0))
		return dp_api_refuse(h, DPUTILS_EUSE, "%s", user != NULL ?
		    "a user needs the option per-user" : "with per-user every event has a user");
	if (h->say.lines && h->added)
		return dp_api_refuse(h, DPUTILS_EUSE, "a step of \"events\" has one event");
	return 0;
}

int
dputils_add(dputils *h, int64_t value)
{
	int e = out_of_order(h, 0, NULL);

	if (e != 0)
		return e;
	value = value < h->say.lo ? h->say.lo : value > h->say.hi ? h->say.hi : value;
	return take(h, value * (int64_t)dp_power10(h->say.finer), 0, NULL, 0);
}

int
dputils_event(dputils *h, const char *value, size_t n, size_t key, const void *user,
    size_t user_n)
{
	int64_t v;
	int e = out_of_order(h, key, user);

	if (e != 0)
		return e;
	if (dp_decimal_parse(&v, value, n, h->say.places) != 0)
		return DPUTILS_EVALUE;
	v = v < h->rule.lo ? h->rule.lo : v > h->rule.hi ? h->rule.hi : v;
	return take(h, v, key, user, user_n);
}

int
dputils_step(dputils *h)
{
	int e;

	if (!h->planned)
		return dp_api_refuse(h, DPUTILS_EUSE, "dputils_plan() comes first");
	if (h->dead != 0)
		return h->dead;
	if (h->rule.horizon != 0 && h->t == h->rule.horizon)
		return DPUTILS_EHORIZON;
	if ((e = dp_api_begin(h)) != 0)
		return e;
	e = dp_columns_step(h->plan.mech, h->col.p, h->plan.mech->column, h->say.keys, h->col.rng,
	    h->t + 1, h->col.x, h->col.est);
	sodium_memzero(h->col.x, h->say.keys * h->rule.inputs * sizeof *h->col.x);
	h->added = false;
	if (e != 0) {
		h->t = 0;		/* what columns before the failing one wrote is not shown */
		return h->dead = e;
	}
	h->t++;
	h->fresh = true;
	if (h->relation.per_step) {
		dp_users_free(h->users.table);
		h->users.table = NULL;
	}
	return 0;
}

uint64_t
dputils_steps(const dputils *h)
{
	return h->t;
}

size_t
dputils_numbers(const dputils *h)
{
	return h->planned ? h->show.n : 0;
}

const char *
dputils_name(const dputils *h, size_t i)
{
	return i < dputils_numbers(h) ? h->show.name[i % h->plan.mech->outputs] : "";
}

unsigned
dputils_decimals(const dputils *h, size_t i)
{
	if (i >= dputils_numbers(h))
		return 0;
	i %= h->plan.mech->outputs;
	return h->say.places + h->show.decimals -
	    (h->rule.bands != 0 ? dp_mean_fewer(&h->mean, (unsigned)i % h->mean.n) : 0);
}

/* What a tool prints of it. */
static int
shown(const dputils *h, size_t i, dp_wide *v)
{
	if (i >= dputils_numbers(h) || h->t == 0 || h->col.est[i] == DP_NONE)
		return DPUTILS_ENONE;
	*v = dp_nearest(h->col.est[i], h->show.coarse);
	return 0;
}

static int
narrow(int64_t *to, dp_wide v)
{
	if (v != (int64_t)v)
		return DPUTILS_ERANGE;
	*to = (int64_t)v;
	return 0;
}

int
dputils_estimate(dputils *h, size_t i, int64_t *v)
{
	dp_wide w;
	const int e = shown(h, i, &w);

	return e != 0 ? e : narrow(v, w);
}

int
dputils_text(dputils *h, size_t i, char *to, size_t size)
{
	char text[64];
	dp_wide v;
	int e;

	if ((e = shown(h, i, &v)) != 0)
		return e;
	*dp_decimal_put(text, v, dputils_decimals(h, i)) = '\0';
	if (strlen(text) >= size)
		return DPUTILS_ERANGE;
	memcpy(to, text, strlen(text) + 1);
	return 0;
}

/* Ends as mechanisms have them: found by themselves, or of the law around the estimate. */
static int
ends(dputils *h, size_t i, double level, dp_wide *lo, dp_wide *hi)
{
	const struct dp_mech *m = h->plan.mech;
	const unsigned out = (unsigned)(i % m->outputs);
	dp_wide half;
	int e;

	if (m->ops->bound.interval != NULL)
		return !h->fresh ? DPUTILS_ENONE : m->ops->bound.interval(m,
		    h->col.p + i / m->outputs * m->column, out, h->t, 1 - level, lo, hi);
	if (m->ops->law.at == NULL || isinf(m->off.drift))
		return DPUTILS_ENONE;
	if (h->widths.of == NULL || h->widths.level != level) {
		dp_widths_free(h->widths.of);
		h->widths.of = NULL;
		h->widths.level = level;
		if ((e = dp_widths_create(&h->widths.of, m, (1 - level) / m->off.worst_of)) != 0)
			return e;
	}
	if ((e = dp_widths_half(h->widths.of, out, h->t, &half)) != 0)
		return e;
	*lo = h->col.est[i] - half;
	*hi = h->col.est[i] + half;
	return 0;
}

int
dputils_interval(dputils *h, size_t i, double level, int64_t *lo, int64_t *hi)
{
	dp_wide a, b;
	int64_t from, to;
	int e;

	if (!(level > 0 && level < 1))
		return dp_api_refuse(h, DPUTILS_EINVAL, "a level is above 0 and below 1");
	if (i >= dputils_numbers(h) || h->t == 0)
		return DPUTILS_ENONE;
	if ((e = ends(h, i, level, &a, &b)) != 0)
		return e;
	if ((e = narrow(&from, dp_down(a, h->show.coarse))) != 0 ||
	    (e = narrow(&to, -dp_down(-b, h->show.coarse))) != 0)
		return e;
	*lo = from;
	*hi = to;
	return 0;
}

int
dputils_variance(dputils *h, size_t i, double *v)
{
	const struct dp_mech *m = h->plan.mech;
	double variance;

	if (i >= dputils_numbers(h) || h->t == 0 || m->ops->bound.interval != NULL ||
	    m->ops->law.at == NULL)
		return DPUTILS_ENONE;
	dp_mech_law(m, (unsigned)(i % m->outputs), h->t, h->col.law);
	variance = dp_law_variance(h->col.law);
	if (isinf(variance))
		return DPUTILS_ENONE;
	*v = variance * pow(10, -2.0 * h->say.places);
	return 0;
}
