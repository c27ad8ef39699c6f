/*
 * decay.c - characteristic functions of decayed sums (decay.h).
 */
#include <stdlib.h>
#include <string.h>

#include "decay.h"
#include "points.h"
#include "sweep.h"

#define LOW	6	/* log2 of the steps of a block, at most, */
#define EVEN	.125	/* over which weights fall by no more than that, or little more */
#define FADED	1e-5	/* an older tree of less weight adds nothing */
#define FEW	3	/* of a lattice's numbers a step's deviation has so many */

/* All that there is for one set of points. */
struct fade {
	struct dp_normtree_points on;
	const struct dp_normtree *p;
	double alpha;
	unsigned low;
	double mean[DP_NORMTREE_LEVELS + 1];	/* weight of a node's steps, the newest's 1 */
	/* [level * row + |P|], in grains: Var(Y | P); and a left child's, by its parent's P */
	double *uneven, *left;
	unsigned row;				/* M + 1, of all levels */
	double root[DP_NORMTREE_FARTHEST + 1];
	struct half spare;
	struct half near[1 << LOW];		/* of a block whose first n steps count, [n - 1] */
	/* all before a block of so many steps before it in its tree, and so many whole trees */
	bool known;
	uint64_t base, older;
	struct half before;
	double factor[DP_NORMTREE_STRIDE];	/* of the trees */
};

struct dp_normtree_fades {
	struct fade *of[DP_NORMTREE_SETS];
	unsigned next;		/* which one gives way */
	struct dp_normtree_choice choice;
};

static void
free_fade(struct fade *q)
{
	unsigned i;

	if (q == NULL)
		return;
	dp_normtree_points_free(&q->on);
	for (i = 0; i < 1u << LOW; i++)
		free(q->near[i].x);
	free(q->uneven);
	free(q->spare.x);
	free(q->before.x);
	free(q);
}

/*
 * Of each level, from that of both halves, the older's weights less: as E[a | P] = P / 2, the
 * variance of (a - b) / 2 is E[a^2 | P] - P^2 / 4.
 */
static bool
set_weights(struct fade *q)
{
	const struct dp_normtree_pass *s;
	const double *K, *below = q->uneven;
	double fall, sum, square, *to;
	unsigned l, P, u;

	q->mean[0] = 1;
	for (l = 1; l <= q->p->h; l++, below += q->row) {
		if ((s = dp_normtree_pass_of(&q->on, q->p, l - 1)) == NULL)
			return false;
		fall = pow(q->alpha, ldexp(1, (int)l - 1));
		q->mean[l] = q->mean[l - 1] * (1 + fall) / 2;
		to = q->left + (size_t)l * q->row;
		for (P = 0; P <= s->last; P++) {
			K = s->even[0] + (size_t)P * (s->child[0] + 1);
			for (sum = square = 0, u = 0; u <= s->child[0]; u++) {
				sum += K[u];
				square += K[u] * u * u;
				to[P] += K[u] * below[u];
			}
			to[P] /= sum;
			q->uneven[(size_t)l * q->row + P] = (1 + fall * fall) * to[P] +
			    pow(q->mean[l - 1] * (1 - fall), 2) *
			    fmax(square / sum - P * (double)P / 4, 0);
		}
	}
	return true;
}

static unsigned
choose_low(const struct dp_normtree *p, double alpha)
{
	unsigned l = p->h < LOW ? p->h : LOW;

	while (l > 0 && ldexp(1 - alpha, (int)l) > EVEN)
		l--;
	return l;
}

/* ---- waves ---- */

/* exp(i s v), a v's points. */
static void
angles(const struct dp_normtree_points *q, double v, double *restrict x, double *restrict y)
{
	const double c = cos(v * q->step), s = sin(v * q->step);
	unsigned i;

	x[0] = c;
	y[0] = s;
	for (i = 1; i < q->points; i++) {
		x[i] = x[i - 1] * c - y[i - 1] * s;
		y[i] = x[i - 1] * s + y[i - 1] * c;
	}
	for (; i < q->stride; i++) {
		x[i] = 1;
		y[i] = 0;
	}
	x[q->points + 1] = cos(v * dp_normtree_point(q, q->points + 1));
	y[q->points + 1] = sin(v * dp_normtree_point(q, q->points + 1));
}

/* exp(i s by v) times all up to v = M. */
static void
turn(const struct fade *q, unsigned M, double by, struct half *at)
{
	double c[DP_NORMTREE_STRIDE], s[DP_NORMTREE_STRIDE], x, y;
	const size_t n = q->on.stride;
	size_t v, i;

	for (v = 0; v <= M; v++) {
		angles(&q->on, by * (double)v, c, s);
		for (i = 0; i < n; i++) {
			x = at->x[v * n + i];
			y = at->y[v * n + i];
			at->x[v * n + i] = x * c[i] - y * s[i];
			at->y[v * n + i] = x * s[i] + y * c[i];
		}
	}
}

/* Uneven part of these variances, times z: up to v = M. */
static void
damp(const struct fade *q, unsigned M, const double *uneven, double z, struct half *at)
{
	const size_t n = q->on.stride;
	double square[DP_NORMTREE_STRIDE], by;
	size_t v, i;

	for (i = 0; i < n; i++)
		square[i] = pow(dp_normtree_point(&q->on, (unsigned)i) * z, 2) / 2;
	for (v = 0; v <= M; v++)
		for (i = 0; i < n; i++) {
			by = 1 / (1 + square[i] * uneven[v]);
			at->x[v * n + i] *= by;
			at->y[v * n + i] *= by;
		}
}

/*
 * Through a node of level l to or from a child, of two alike; a right one has a left one before it,
 * the newest of whose steps has the weight z.
 */
static bool
pass(struct fade *q, unsigned l, bool right, double z, bool up, struct half *at)
{
	const struct dp_normtree_pass *s = dp_normtree_pass_of(&q->on, q->p, l - 1);
	const unsigned from = up ? l - 1 : l, to = up ? l : l - 1;
	const double by = z * q->mean[l - 1], *left = q->left + (size_t)l * q->row;
	struct half swap;

	if (s == NULL)
		return false;
	if (right && !up)
		damp(q, q->on.M[l], left, z, at);
	if (right)
		turn(q, q->on.M[from], up ? -by : by, at);
	swap = *at;
	*at = q->spare;
	q->spare = swap;
	dp_normtree_pass(s, right, up, &q->spare, at, q->on.stride);
	if (right)
		turn(q, q->on.M[to], up ? by : -by, at);
	if (right && up)
		damp(q, q->on.M[l], left, z, at);
	return true;
}

/* The block's first n steps, its weights from the step before it on: 1, and larger. */
static const struct half *
near_steps(struct fade *q, unsigned n)
{
	const size_t stride = q->on.stride;
	const double z = pow(q->alpha, -(double)n);
	struct half *to = &q->near[n - 1];
	unsigned l = (unsigned)__builtin_ctz(n), now, half;
	size_t v;

	if (to->x != NULL)
		return to;
	if (!dp_normtree_half_new(&q->on, q->row - 1, to))	/* they take turns with `spare' */
		return NULL;
	for (v = 0; v <= q->on.M[l]; v++)
		angles(&q->on, z * q->mean[l] * (double)v, to->x + v * stride, to->y + v * stride);
	damp(q, q->on.M[l], q->uneven + (size_t)l * q->row, z, to);
	for (l++; l <= q->low; l++) {
		half = 1u << (l - 1);
		now = ((n - 1) & (2 * half - 1)) + 1;
		if (!pass(q, l, now > half, pow(q->alpha, (double)now - half - n), true, to)) {
			free(to->x);
			to->x = NULL;
			return NULL;
		}
	}
	return to;
}

/* A tree all of whose steps count, the newest with weight z. */
static void
add_tree(struct fade *q, double z)
{
	const unsigned h = q->p->h;
	const size_t n = q->on.stride;
	double sum[DP_NORMTREE_STRIDE] = { 0 };
	size_t v, i;

	for (v = 0; v <= q->on.M[h]; v++)
		angles(&q->on, z * q->mean[h] * (double)v, q->spare.x + v * n, q->spare.y + v * n);
	damp(q, q->on.M[h], q->uneven + (size_t)h * q->row, z, &q->spare);
	for (v = 0; v <= q->on.M[h]; v++)
		for (i = 0; i < n; i++)
			sum[i] += q->root[v] * q->spare.x[v * n + i];
	for (i = 0; i < n; i++)
		q->factor[i] *= sum[i];
}

/* All before the block after `base` steps of a tree, and so many whole trees. */
static bool
find_way(struct fade *q, uint64_t base, uint64_t older)
{
	const double span = ldexp(1, (int)q->p->h);
	unsigned l = q->p->h, v, i;
	uint64_t j, half;
	double z = 1;

	if (q->known && q->base == base && q->older == older)
		return true;
	q->known = false;
	for (i = 0; i < q->on.stride; i++)
		q->factor[i] = 1;
	for (j = 0; j < older && z >= FADED; j++)
		if ((z = pow(q->alpha, (double)base + (double)j * span)) >= FADED)
			add_tree(q, z);
	for (v = 0; v <= q->on.M[l]; v++)
		for (i = 0; i < q->on.stride; i++) {
			q->before.x[v * q->on.stride + i] = q->root[v];
			q->before.y[v * q->on.stride + i] = 0;
		}
	for (; l > q->low; l--) {
		half = (uint64_t)1 << (l - 1);
		if (!pass(q, l, (base & half) != 0, pow(q->alpha, (double)(base & (half - 1))),
		    false, &q->before))
			return false;
	}
	q->base = base;
	q->older = older;
	return q->known = true;
}

/* ---- a step ---- */

/* One that has these points; NULL: no memory. */
static struct fade *
fade_of(const struct dp_normtree *p, double alpha, const struct dp_law_wave *v, unsigned grain)
{
	const double step = v->step * grain * dp_normtree_apart(p);
	struct dp_normtree_fades *s = p->laws.fades;
	struct fade *q;
	unsigned i, most;

	for (i = 0; i < DP_NORMTREE_SETS; i++)
		if ((q = s->of[i]) != NULL && q->alpha == alpha && q->on.gamma == v->gamma &&
		    q->on.step == step && q->on.points == v->n && q->on.grain == grain)
			return q;
	i = s->next++ % DP_NORMTREE_SETS;
	free_fade(s->of[i]);
	if ((s->of[i] = q = calloc(1, sizeof *q)) == NULL)
		return NULL;
	most = dp_normtree_points_set(&q->on, p, v->gamma, step, v->n, grain);
	q->p = p;
	q->alpha = alpha;
	q->low = choose_low(p, alpha);
	q->row = most + 1;
	q->uneven = calloc(2 * (size_t)(p->h + 1) * q->row, sizeof *q->uneven);
	q->left = q->uneven + (size_t)(p->h + 1) * q->row;
	dp_normtree_root_numbers(p, grain, q->root, q->on.M[p->h] + 1);
	if (q->uneven != NULL && set_weights(q) && dp_normtree_half_new(&q->on, most, &q->spare) &&
	    dp_normtree_half_new(&q->on, most, &q->before))
		return q;
	free_fade(q);
	return s->of[i] = NULL;
}

/* Covariance of a block's noise with the noise before it; in grains, as at its beginning. */
static void
close_wave(const struct fade *q, const struct half *near, struct dp_law_wave *w, double *variance)
{
	double sum[DP_NORMTREE_STRIDE];
	unsigned i;

	dp_normtree_close(&q->on, q->on.M[q->low], &q->before, near, sum);
	for (i = 0; i < q->on.stride; i++)
		sum[i] *= q->factor[i];
	for (i = 0; i < q->on.points; i++)
		w->phi[i] *= sum[i];
	w->off += fmax(1 - sum[q->on.points], 0);
	*variance = dp_normtree_curvature(&q->on, sum + q->on.points);
}

bool
dp_normtree_decay(const struct dp_law_part *part, struct dp_law_wave *v)
{
	const struct dp_normtree *p = part->of;
	const unsigned low = choose_low(p, part->alpha);
	const uint64_t T = (uint64_t)1 << p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = (part->to - 1) & (T - 1);
	const unsigned now = (unsigned)(hi & (((uint64_t)1 << low) - 1));
	const double raise = pow(part->alpha, -(double)(now + 1));
	const struct half *near;
	unsigned grain, k;
	double found, unit;
	struct fade *q;

	if (v->step != 0)
		return false;
	grain = dp_normtree_points_choose(p, &p->laws.fades->choice, v, 0);
	v->step *= pow(part->alpha, ldexp(1, (int)low));
	q = fade_of(p, part->alpha, v, grain);
	if (q == NULL || !find_way(q, hi - now, last) || (near = near_steps(q, now + 1)) == NULL) {
		v->step = NAN;
		return false;
	}
	close_wave(q, near, v, &found);
	v->step *= raise;
	v->grain = p->moments.var[0] < FEW * FEW && grain == 1 ? 0 : M_PI / (v->n * v->step);
	unit = grain * dp_normtree_apart(p) / raise;
	for (k = 1; k <= v->n && part->residual > 0; k++)
		v->phi[k - 1] *= exp(-part->residual * (k * v->step) * (k * v->step));
	v->variance += unit * unit * found + 2 * part->residual;
	return true;
}

struct dp_normtree_fades *
dp_normtree_fades_create(void)
{
	return calloc(1, sizeof(struct dp_normtree_fades));
}

void
dp_normtree_fades_free(struct dp_normtree_fades *s)
{
	unsigned i;

	for (i = 0; s != NULL && i < DP_NORMTREE_SETS; i++)
		free_fade(s->of[i]);
	free(s);
}
