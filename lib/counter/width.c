/* SPDX-License-Identifier: ISC */
#include <math.h>
#include <stdlib.h>

#include "internal.h"
#include "width.h"

#define SEEN_LOG	10
#define CYCLE_MAX	((uint64_t)1 << 17)

/* An output whose law only rises: from one step until another its bound is w. */
struct rising {
	uint64_t from, until, stride;
	double w;
};

struct dp_widths {
	const struct dp_mech *m;
	double gamma;
	unsigned several;		/* estimates that are added */
	uint64_t inverted;
	struct dp_law law;
	struct dp_law_memo memo;	/* of laws with parts */
	struct seen {
		double variance, width;
	} seen[1 << SEEN_LOG];
	struct rising *rising;		/* one an output; or NULL */
	struct cycle {
		uint64_t from, steps;	/* 0: none */
		double *w;		/* bounds, less than 0: not known yet */
	} *cycle;			/* one an output; or NULL */
	unsigned cycles;		/* the mechanism may be gone before its widths */
};

void
dp_widths_free(struct dp_widths *k)
{
	unsigned i;

	for (i = 0; k != NULL && k->cycle != NULL && i < k->cycles; i++)
		free(k->cycle[i].w);
	if (k != NULL) {
		free(k->cycle);
		free(k->rising);
	}
	free(k);
}

static int
start_cycle(const struct dp_mech *m, unsigned out, struct cycle *c)
{
	uint64_t i;

	c->steps = m->ops->law.cycle(m, out, &c->from);
	if (c->steps > CYCLE_MAX)
		c->steps = 0;
	if (c->steps != 0 && (c->w = malloc(c->steps * sizeof *c->w)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < c->steps; i++)
		c->w[i] = -1;
	return 0;
}

int
dp_widths_create(struct dp_widths **out, const struct dp_mech *m, double gamma)
{
	struct dp_widths *k = calloc(1, sizeof *k);
	bool good = true;
	unsigned i;

	if (k == NULL)
		return DP_ENOMEM;
	k->m = m;
	k->gamma = gamma;
	k->several = 1;
	k->cycles = m->outputs;
	if (m->ops->traits & DP_TRAIT_RISING)
		good = (k->rising = calloc(m->outputs, sizeof *k->rising)) != NULL;
	if (m->ops->law.cycle != NULL)
		good = good && (k->cycle = calloc(m->outputs, sizeof *k->cycle)) != NULL;
	for (i = 0; good && k->cycle != NULL && i < m->outputs; i++)
		good = start_cycle(m, i, &k->cycle[i]) == 0;
	if (!good) {
		dp_widths_free(k);
		return DP_ENOMEM;
	}
	*out = k;
	return 0;
}

void
dp_widths_several(struct dp_widths *k, unsigned n)
{
	k->several = n;
}

uint64_t
dp_widths_inverted(const struct dp_widths *k)
{
	return k->inverted;
}

/* By its law, which is left in k->law. */
static int
invert(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	struct seen *seen;
	uint64_t bits;
	double v;

	dp_mech_law(k->m, out, t, &k->law);
	v = dp_law_variance(&k->law);
	if (isinf(v))		/* no law: no interval (law/law.h) */
		return isnan(dp_law_bound(&k->law, k->gamma)) ? DP_ENOMEM : DP_ERANGE;
	if (k->several > 1 && !dp_law_times(&k->law, k->several)) {
		*w = k->several * dp_law_bound(&k->law, k->gamma / k->several);
		return isnan(*w) ? DP_ENOMEM : 0;
	}
	if (k->law.parts != 0) {	/* more than the variance decides what is known of it */
		k->law.memo = &k->memo;
		*w = dp_law_bound(&k->law, k->gamma);
		k->inverted++;
		return isnan(*w) ? DP_ENOMEM : 0;
	}
	memcpy(&bits, &v, sizeof bits);
	seen = &k->seen[(bits * 0x9e3779b97f4a7c15u) >> (64 - SEEN_LOG)];
	if (seen->variance != v) {
		seen->width = dp_law_bound(&k->law, k->gamma);
		seen->variance = v;
		k->inverted++;
	}
	*w = seen->width;
	return 0;
}

/* The longer a bound has held, the farther is looked for one that is equal. */
static int
rise(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	const uint64_t end = k->m->horizon != 0 ? k->m->horizon : UINT64_MAX;
	struct rising *r = &k->rising[out];
	double then;
	int e;

	if (t >= r->from && t <= r->until) {
		*w = r->w;
		return 0;
	}
	if ((e = invert(k, out, t, w)) != 0)
		return e;
	r->from = r->until = t;
	r->w = *w;
	for (r->stride = 2 * r->stride + 1; r->stride > 0 && t < end; r->stride /= 2) {
		if (r->stride > end - t)
			r->stride = end - t;
		if ((e = invert(k, out, t + r->stride, &then)) != 0)
			return e;
		if (then == *w) {
			r->until = t + r->stride;
			break;
		}
	}
	return 0;
}

/* Once for all steps a cycle apart. */
static int
come_again(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	struct cycle *c = &k->cycle[out];
	const uint64_t i = t % c->steps;
	int e = 0;

	if (c->w[i] < 0)
		e = invert(k, out, i + (DP_CYCLES + c->from / c->steps) * c->steps, &c->w[i]);
	*w = c->w[i];
	return e;
}

int
dp_widths_at(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	if (k->cycle != NULL && k->cycle[out].steps != 0 && t > k->cycle[out].from)
		return come_again(k, out, t, w);
	return k->rising != NULL ? rise(k, out, t, w) : invert(k, out, t, w);
}

int
dp_widths_half(struct dp_widths *k, unsigned out, uint64_t t, dp_wide *half)
{
	const double n = k->several;
	double w;
	const int e = dp_widths_at(k, out, t, &w);

	if (e == 0)
		*half = (dp_wide)ceil(fmin(n * k->m->off.drift + w, n * k->m->off.most)) *
		    (dp_wide)dp_power10(k->m->estimate.decimals);
	return e;
}
