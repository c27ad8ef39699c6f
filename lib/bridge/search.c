/*
 * search.c - which radices, hats and budgets.
 *
 * A level with share e_l and mean coefficient c_l adds (2 l1^2/epsilon^2) c_l / e_l^2 to the mean
 * variance; under sum e_l = 1 the best e_l is proportional to c_l^(1/3) (Gauss: c_l / e_l, so
 * c_l^(1/2)).  Every non-increasing row of radices is tried; the one with the least predicted
 * root-mean-square error, worst step plus mean, wins.  With hats the best few are then compared
 * exactly, their shares moved towards what the worst step needs. Rounding here can only cost
 * accuracy: privacy needs sum e_l <= 1, which dp_privacy_split() keeps.
 */
#include <math.h>
#include <stdlib.h>

#include "level.h"

#define TOP_MAX	80	/* nodes in the top row */
#define DEEPEST		16	/* levels of a shape that is tried */
#define FINALISTS	4
#define LONG		((uint64_t)1 << 20)	/* the exact maximum takes long: half of them */
#define SLACK		1.01	/* in the variance */

struct cost {
	bool known;
	double mean, most, weight;	/* weight: the share it should get, unscaled */
};

/*
 * Sums over the levels so far; an error adds v(share) times a coefficient, v = 2/share^2 (Gauss:
 * 1/share).
 */
struct sums {
	double weight, mean, most;
};

struct finalist {
	struct dp_bridge_shape shape;
	double weight[DP_BRIDGE_LEVELS], score;
};

struct search {
	const struct dp_bridge_want *want;
	uint64_t T;			/* steps that predictions cover */
	uint64_t reach;			/* steps the top row serves at once */
	bool window;
	unsigned finalists;
	double rate;
	struct dp_bridge_shape cur;
	struct finalist best[FINALISTS];
	struct cost top[64], inner[64][DP_BRIDGE_RADIX + 1][2];	/* level costs met */
	bool made[DP_BRIDGE_RADIX + 1][2];	/* COUNT, WINDOW: rows do not depend on B */
	struct dp_bridge_poly row[DP_BRIDGE_RADIX + 1][2][DP_BRIDGE_EDGES][DP_BRIDGE_BLOCK];
};

unsigned
dp_bridge_dens(const struct dp_privacy *p)
{
	double b;

	if (p->exact)
		return 64;
	/*
	 * shares of 1/32 and more: a shape with smaller ones may still be refused by the noise
	 * (DP_ERANGE)
	 */
	b = (double)p->l1 * (double)p->epsilon.den / (double)p->epsilon.num;
	return b > 0x1p34 ? 0 : b < 0x1p-30 ? 64 : (unsigned)(35 - log2(b));
}

static void
top_cost(const struct search *q, const struct dp_bridge_level *v, struct cost *c)
{
	double w = (double)q->reach / v->B;

	if (q->window) {	/* of (1 - f')^2 + n + f^2 over all places */
		c->mean = w - 1. / 3 + 1 / (3 * v->B * v->B);
		c->most = w;
		return;
	}
	c->mean = dp_bridge_level_sum(v, NULL, 0, q->T) / (double)q->T;
	c->most = q->rate == 0 ? ceil((double)q->T / v->B) : c->mean;
}

static void
inner_cost(struct search *q, const struct dp_bridge_level *v, unsigned k, struct cost *c)
{
	struct dp_bridge_poly (*row)[DP_BRIDGE_BLOCK] = q->row[k][v->hat];
	const struct dp_bridge_poly *const rows[] = { row[0], row[1], row[2] };
	unsigned r, e;

	if (q->rate > 0 || !q->made[k][v->hat]) {
		for (e = 0; e < DP_BRIDGE_LAST; e++)
			dp_bridge_rows(v, e, row[e]);
		q->made[k][v->hat] = true;
	}
	for (r = 0; r < v->k; r++)
		c->most = fmax(c->most, row[DP_BRIDGE_INNER][r].a);
	if (q->window) {	/* at both ends */
		c->mean = 2 * dp_bridge_block_sum(v, row[DP_BRIDGE_INNER], (uint64_t)v->B << k) /
		    ldexp(v->B, (int)k);
		c->most *= 2;
	} else
		c->mean = dp_bridge_level_sum(v, rows, 0, q->T) / (double)q->T;
}

/*
 * Mean and (nearly) largest squares of level l: they depend on where it stands, its radix and mask
 * alone.
 */
static const struct cost *
cost(struct search *q, const struct dp_bridge_shape *s, unsigned l)
{
	bool top = l + 1 == s->h;
	struct cost *c = top ? &q->top[s->log2b[l]] :
	    &q->inner[s->log2b[l]][s->log2k[l]][s->hat[l]];
	struct dp_bridge_level v;

	if (c->known)
		return c;
	c->known = true;
	dp_bridge_level_set(&v, top ? 0 : 1u << s->log2k[l], s->hat[l],
	    ldexp(1, (int)s->log2b[l]), q->rate);
	if (top)
		top_cost(q, &v, c);
	else
		inner_cost(q, &v, s->log2k[l], c);
	c->weight = q->want->gauss ? sqrt(c->mean) : cbrt(c->mean);
	return c;
}

/* weight[l] of the best shares, unscaled; boxes: equal radices share one, and so a noise table */
static double
weigh(struct search *q, const struct dp_bridge_shape *s, unsigned l)
{
	if (q->want->boxes && l >= 2 && l < s->h - 1 && s->log2k[l] == s->log2k[l - 1])
		return weigh(q, s, l - 1);
	return cost(q, s, l)->weight;
}

static struct sums
plus(struct search *q, struct sums a, const struct dp_bridge_shape *s, unsigned l)
{
	const struct cost *c = cost(q, s, l);
	double w = weigh(q, s, l), v = q->want->gauss ? 1 / w : 2 / (w * w);

	return (struct sums){ a.weight + w, a.mean + v * c->mean, a.most + v * c->most };
}

/* Is its arithmetic exact in units of 2^-64?  Boxes above a hat keep den, not B. */
static bool
exact(const struct dp_bridge_shape *s)
{
	unsigned l, bits = s->log2b[s->h - 1];

	for (l = 0; l + 1 < s->h; l++)
		bits += s->hat[l] ? s->log2k[l] + 1 : 0;
	return bits <= 64;
}

/* Keeps the shape s if it is among the best: a sums up the levels below the top. */
static void
consider(struct search *q, const struct dp_bridge_shape *s, struct sums a)
{
	struct finalist *worst = q->best;
	double all, mean, max;
	unsigned i, l;

	if (!exact(s))
		return;
	a = plus(q, a, s, s->h - 1);
	all = q->want->gauss ? a.weight : a.weight * a.weight;
	mean = all * a.mean;
	max = all * a.most;
	/*
	 * The worst step is bounded level by level, but the levels' worst steps do not meet when
	 * the top row ends at T.
	 */
	mean = sqrt(mean) + sqrt(max < 2 * mean ? max : 2 * mean);
	for (i = 1; i < q->finalists; i++)
		if (q->best[i].score > worst->score)
			worst = &q->best[i];
	if (mean >= worst->score)
		return;
	worst->score = mean;
	worst->shape = *s;
	for (l = 0; l < s->h; l++)
		worst->weight[l] = weigh(q, s, l);
}

/* May the parents of level l be hats of 2^k? */
static bool
fits(const struct search *q, unsigned l, unsigned k)
{
	const struct dp_bridge_shape *s = &q->cur;
	unsigned den = s->log2den[l] + k + 1, b = s->log2b[l] + k;
	unsigned top = dp_ceil_log2(q->reach / 16 + 1);

	/* whatever comes above, the top row's nodes will be at least so long */
	return !q->want->boxes && den <= q->want->dens && den + (b > top ? b : top) <= 64;
}

/* a: sums over the levels below the top; before: .. and below the one under it */
static void
grow(struct search *q, unsigned widest, struct sums a, struct sums before)
{
	struct dp_bridge_shape *s = &q->cur;
	unsigned l = s->h - 1, k;

	s->hat[l] = false;	/* the top row has no parents: those tried before are no more */
	s->log2k[l] = 0;
	if (q->reach >> s->log2b[l] <= TOP_MAX) {
		consider(q, s, a);
		if (l > 0 && s->hat[l - 1]) {
			s->hat[l - 1] = false;
			consider(q, s, plus(q, before, s, l - 1));
			s->hat[l - 1] = true;
		}
	}
	if ((uint64_t)1 << s->log2b[l] >= q->reach || s->h == DEEPEST - 1)
		return;
	for (k = widest; k >= (l == 0 && q->want->bottom > 1 ? q->want->bottom : 1); k--) {
		if (q->window && (uint64_t)1 << (s->log2b[l] + k) > q->reach)
			continue;
		s->log2k[l] = k;
		s->hat[l] = fits(q, l, k);
		s->log2b[l + 1] = s->log2b[l] + k;
		s->log2den[l + 1] = s->log2den[l] + (s->hat[l] ? k + 1 : 0);
		s->h = l + 2;
		grow(q, k, plus(q, a, s, l), a);
	}
	s->h = l + 1;
}

/*
 * Predicted error of a finalist, exact but for slack; next: weights moved towards what its worst
 * step needs.
 */
static double
settle(const struct search *q, const struct finalist *f, double *next)
{
	struct dp_bridge_tally y;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];
	double c[DP_BRIDGE_LEVELS], sum = 0, mean = 0, max, need;
	uint64_t worst;
	unsigned l, h = f->shape.h;

	dp_bridge_tally_set(&y, rows, &f->shape, q->want->task, 0);
	for (l = 0; l < h; l++)
		sum += f->weight[l];
	for (l = 0; l < h; l++) {
		y.v[l] = 2 * sum * sum / (f->weight[l] * f->weight[l]);
		c[l] = dp_bridge_tally_sum(&y, l, q->T) / (double)q->T;
		mean += y.v[l] * c[l];
	}
	max = dp_bridge_tally_max(&y, q->T, SLACK, &worst);
	for (l = 0; l < h; l++) {
		/* half of the way, as the worst step moves with the shares */
		need = c[l] / sqrt(mean) + dp_bridge_tally_at(&y, l, worst) / sqrt(max);
		next[l] = sqrt(f->weight[l] * cbrt(fmax(need, 1e-6)));
	}
	return sqrt(mean) + sqrt(max);
}

static void
finals(struct search *q, struct dp_bridge_shape *out)
{
	struct finalist *best = q->best, moved;
	double next[FINALISTS][DP_BRIDGE_LEVELS], unused[DP_BRIDGE_LEVELS];
	unsigned i;

	for (i = 0; i < q->finalists; i++) {
		if (isinf(q->best[i].score))
			continue;
		if (!q->want->boxes)
			q->best[i].score = settle(q, &q->best[i], next[i]);
		if (q->best[i].score < best->score)
			best = &q->best[i];
	}
	moved = *best;
	if (!q->want->boxes) {
		memcpy(moved.weight, next[best - q->best], sizeof moved.weight);
		if (settle(q, &moved, unused) < best->score)
			best = &moved;
	}
	*out = best->shape;
	dp_privacy_split(out->share, best->weight, out->h);
}

/* Levels and shares, through params.  A level is a word: log2 k, hat, share in units of 2^-24. */
static int
keep(struct dp_bridge_shape *s, struct dp_params *params)
{
	const uint64_t whole = (uint64_t)1 << 24;
	uint64_t left = whole, word, part;
	unsigned l;

	if (params == NULL)
		return 0;
	s->h = (unsigned)dp_params_word(params, s->h, 1, DEEPEST);
	for (l = 0; l < s->h; l++) {
		word = s->log2k[l] | (uint64_t)s->hat[l] << 7;
		if (!dp_params_replays(params))
			word |= s->share[l].num * (whole / s->share[l].den) << 8;
		word = dp_params_word(params, word, 1 << 8, whole << 8 | 0xff);
		if ((part = word >> 8) > left) {
			dp_params_refuse(params);
			break;
		}
		left -= part;
		s->share[l] = dp_q_make(part, whole);
		s->log2k[l] = l + 1 < s->h ? word & 0x7f : 0;
		s->hat[l] = l + 1 < s->h && (word >> 7 & 1) != 0;
	}
	return dp_params_error(params);
}

static int
search(struct dp_bridge_shape *out, const struct dp_bridge_want *want)
{
	const struct sums none = { 0, 0, 0 };
	struct dp_bridge_view view;
	struct search *q;
	unsigned i;

	if ((q = calloc(1, sizeof *q)) == NULL)
		return DP_ENOMEM;
	q->want = want;
	q->cur.h = 1;
	q->cur.hats = !want->boxes;
	q->cur.dens = want->dens;
	dp_bridge_view_set(&view, &q->cur, want->task, 0);
	q->T = q->reach = want->T;
	q->finalists = want->T < LONG ? FINALISTS : FINALISTS / 2;
	q->rate = view.rate;
	q->window = view.W != 0 && view.W < q->T;	/* else a count */
	if (q->window)
		q->reach = view.W;
	if (q->rate > 0)
		q->reach = (uint64_t)fmax(1, fmin((double)q->T, 2 / q->rate));
	for (i = 0; i < FINALISTS; i++)
		q->best[i].score = INFINITY;
	grow(q, DP_BRIDGE_RADIX, none, none);
	for (i = 0; i < FINALISTS && isinf(q->best[i].score); i++)
		;
	if (i < FINALISTS)
		finals(q, out);
	free(q);
	return i < FINALISTS ? 0 : DP_ERANGE;
}

int
dp_bridge_search(struct dp_bridge_shape *out, const struct dp_bridge_want *want)
{
	int e;

	if (want->T < 1 || want->T > (uint64_t)1 << 50 || (want->gauss && !want->boxes))
		return DP_EINVAL;
	*out = (struct dp_bridge_shape){ .h = 1 };
	if (!dp_params_replays(want->params) && (e = search(out, want)) != 0)
		return e;
	return keep(out, want->params);
}

int
dp_bridge_segment(struct dp_bridge_shape *s, unsigned j, const struct dp_bridge_want *want)
{
	double weight[DP_BRIDGE_LEVELS];
	struct search q = { .want = want };
	unsigned l, b, top = j + 2;
	int e;

	*s = (struct dp_bridge_shape){ .h = j + 3, .root = true, .hats = !want->boxes,
	    .dens = want->dens };
	for (l = 0; l < top; l++) {
		s->log2k[l] = 4;
		s->log2b[l + 1] = 4 * (l + 1);
		s->hat[l] = l + 1 < top && 5 * (l + 1) <= want->dens && 5 * (l + 1) + 4 * top <= 64;
	}
	q.T = (uint64_t)1 << s->log2b[top];
	for (l = 0; l < top; l++)
		weight[l] = weigh(&q, s, l);
	weight[s->h - 1] = 1;	/* the root's noise stays in the total: coefficient 1 */
	dp_privacy_split(s->share, weight, s->h);
	if ((e = keep(s, want->params)) != 0)
		return e;
	/* another shape may come, but as long */
	for (b = 0, l = 0; l < s->h; l++)
		b += s->log2k[l];
	return b == 4 * top ? 0 : DP_EINVAL;
}
