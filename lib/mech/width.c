#include <math.h>
#include <stdlib.h>

#include "moving.h"
#include "width.h"

#define SEEN_LOG	10

/* An output whose law only rises: from one step until another its bound is w. */
struct rising {
	uint64_t from, until, stride;
	double w;
};

struct dp_widths {
	const struct dp_mech *m;
	double gamma;
	uint64_t inverted;
	struct dp_law law;
	struct seen {
		double variance, width;
	} seen[1 << SEEN_LOG];
	struct rising *rising;		/* one an output; or NULL */
	struct dp_moving **moving;	/* likewise */
};

void
dp_widths_free(struct dp_widths *k)
{
	unsigned i;

	for (i = 0; k != NULL && k->moving != NULL && i < k->m->outputs; i++)
		dp_moving_free(k->moving[i]);
	if (k != NULL) {
		free(k->moving);
		free(k->rising);
	}
	free(k);
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
	if (m->ops->traits & DP_TRAIT_RISING)
		good = (k->rising = calloc(m->outputs, sizeof *k->rising)) != NULL;
	else if (m->ops->parts != NULL && gamma >= DP_MOVING_GAMMA)
		good = (k->moving = calloc(m->outputs, sizeof(struct dp_moving *))) != NULL;
	for (i = 0; good && k->moving != NULL && i < m->outputs; i++)
		good = (k->moving[i] = dp_moving_create(m, i, gamma)) != NULL;
	if (!good) {
		dp_widths_free(k);
		return DP_ENOMEM;
	}
	*out = k;
	return 0;
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
	if (isinf(v))		/* no law: no interval (law.h) */
		return DP_ERANGE;
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

static int
move(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	int e;

	if (dp_moving_tell(k->moving[out], t, w))
		return 0;
	if ((e = invert(k, out, t, w)) == 0)
		dp_moving_use(k->moving[out], &k->law, *w);
	return e;
}

int
dp_widths_at(struct dp_widths *k, unsigned out, uint64_t t, double *w)
{
	return k->rising != NULL ? rise(k, out, t, w) :
	    k->moving != NULL ? move(k, out, t, w) : invert(k, out, t, w);
}
