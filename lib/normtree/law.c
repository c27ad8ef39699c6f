/* SPDX-License-Identifier: ISC */
/* law.c - the law of the noise in one estimate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static bool normtree_sweep(const struct dp_law_part *, struct dp_law_wave *);
static bool normtree_decay(const struct dp_law_part *, struct dp_law_wave *);
static unsigned points_choose(const struct dp_normtree *, struct dp_normtree_choice *,
     struct dp_law_wave *, double most);
static unsigned points_set(struct dp_normtree_points *, const struct dp_normtree *,
     double gamma, double step, unsigned n, unsigned grain);
static void points_free(struct dp_normtree_points *);
static const struct dp_normtree_pass *pass_of(struct dp_normtree_points *,
     const struct dp_normtree *, unsigned kind);
static void close(const struct dp_normtree_points *, unsigned M, const struct half *,
	    const struct half *, double *to);
static bool half_new(const struct dp_normtree_points *, unsigned M, struct half *)
	    DP_MUSTUSE;
static void root_numbers(const struct dp_normtree *, unsigned grain, double *to,
	    unsigned n);
static bool pass_set(struct dp_normtree_pass *, const struct dp_normtree *,
    unsigned kind,
	    const unsigned *last, unsigned grain) DP_MUSTUSE;

/*
 * The law of the noise in one estimate: its variance (error.c) and its characteristic
 * function (law.c, law.c).
 */

static bool
no_waves(const struct dp_law_part *part, struct dp_law_wave *v)
{
	(void)part;
	v->step = NAN;
	return false;
}

void
dp_normtree_law(const struct dp_normtree *p, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *l)
{
	struct dp_law_part part = { .variance = INFINITY, .whole = true, .waves = no_waves,
	    .of = p, .alpha = 1, .to = t };

	if (p == NULL || dp_normtree_wake(p) != 0 || !dp_normtree_know(p)) {
		dp_law_part(l, &part);
		return;
	}
	part.variance = dp_normtree_variance(p, task, out, t);
	part.waves = normtree_sweep;
	if (p->fine > 0)
		part.residual = dp_normtree_residual(p, task, out, t);
	if (task != NULL && task->what == DP_TASK_EXP) {
		part.waves = normtree_decay;
		part.alpha = task->alpha;
		part.whole = false;
	}
	if (task != NULL && task->what == DP_TASK_WINDOW && t > task->w[out])
		part.from = t - task->w[out];
	dp_law_part(l, &part);
}

/*
 * Characteristic functions, from the root down to a block of steps, and from a
 * step up to it.
 */

#define LOW_SWEEP	6	/* log2 of the steps of a block, at most */

/* The nodes on the way to a block, from the root on. */
struct way {
	unsigned n;
	struct node {
		uint64_t base;
		unsigned kind;
		struct half at;
	} node[DP_NORMTREE_LEVELS + 1];
};

/* All that there is for one set of points. */
struct sweep {
	struct dp_normtree_points on;
	unsigned low, most;		/* most: the largest M */
	struct half turn, spare;		/* turn: exp(i s v) */
	struct way way[2];
	struct half *first[DP_NORMTREE_KINDS];	/* of its first n steps, [n - 1] */
	double whole[DP_LAW_POINTS + 2];
	bool whole_known;
};

struct dp_normtree_sweeps {
	struct sweep *of[DP_NORMTREE_SETS];
	unsigned next;		/* which one gives way */
	double most;		/* standard deviation of a count's widest step; 0: not found yet */
	struct dp_normtree_choice choice;
};

static void
free_sweep(struct sweep *q)
{
	unsigned i, n;

	if (q == NULL)
		return;
	for (i = 0; i < DP_NORMTREE_KINDS; i++) {
		for (n = 0; q->first[i] != NULL && n < 1u << LOW_SWEEP; n++)
			free(q->first[i][n].x);
		free(q->first[i]);
	}
	points_free(&q->on);
	for (i = 0; i <= DP_NORMTREE_LEVELS; i++) {
		free(q->way[0].node[i].at.x);
		free(q->way[1].node[i].at.x);
	}
	free(q->turn.x);
	free(q->spare.x);
	free(q);
}

/*
 * Going down to blocks of 2^l steps takes two products a block, and what their first steps have as
 * many a kind as there are steps: both are alike where a kind comes so often.
 */
static unsigned
choose_low_sweep(const struct dp_normtree *p)
{
	const uint64_t T = p->shape.chain ? UINT64_MAX : p->shape.T;
	unsigned kinds[DP_NORMTREE_LEVELS + 1] = { 0 }, i, l;

	for (i = 0; i < p->shape.kinds; i++)
		kinds[p->shape.kind[i].level]++;
	for (l = LOW_SWEEP; l > 1 && (uint64_t)kinds[l] << 2 * l > T; l--)
		;
	return l;
}

/* Points, and the turns by their own noise. */
static bool
set_sweep(struct sweep *q, const struct dp_normtree *p, double gamma, double step, unsigned n,
    unsigned grain)
{
	unsigned v, i;
	double s;

	q->most = points_set(&q->on, p, gamma, step, n, grain);
	q->low = choose_low_sweep(p);
	if (!half_new(&q->on, q->most, &q->spare) ||
	    !half_new(&q->on, q->most, &q->turn))
		return false;
	for (v = 0; v <= q->most; v++)
		for (i = 0; i < q->on.stride; i++) {
			s = dp_normtree_point(&q->on, i);
			q->turn.x[v * q->on.stride + i] = cos(s * v);
			q->turn.y[v * q->on.stride + i] = sin(s * v);
		}
	return true;
}

/* exp(i s v), or with back exp(-i s v), times all up to v = M. */
static void
turn_sweep(const struct sweep *q, unsigned M, bool back, const struct half *from, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->on.stride;
	const double sign = back ? -1 : 1;
	double x, s;
	size_t i;

	for (i = 0; i < n; i++) {
		s = sign * q->turn.y[i];
		x = from->x[i];
		to->x[i] = x * q->turn.x[i] - from->y[i] * s;
		to->y[i] = x * s + from->y[i] * q->turn.x[i];
	}
}

/* ---- a step ---- */

/* Wave of the first n steps of a node of few; of all of them: exp(i s P). */
static const struct half *
first_steps(const struct dp_normtree *p, struct sweep *q, unsigned kind, uint64_t n)
{
	const struct dp_normtree_kind *k = &p->shape.kind[kind];
	const uint64_t half = (uint64_t)1 << (k->level - 1);
	const unsigned side = n > half;
	const struct dp_normtree_pass *s = pass_of(&q->on, p, kind);
	const struct half *child = &q->turn;
	struct half *to;

	if (s == NULL || (q->first[kind] == NULL && (q->first[kind] = calloc(1u << LOW_SWEEP,
	    sizeof *q->first[kind])) == NULL))
		return NULL;
	to = &q->first[kind][n - 1];
	if (n == 2 * half || to->x != NULL)
		return n == 2 * half ? &q->turn : to;
	if (k->child[side] != DP_NORMTREE_STEP)
		child = first_steps(p, q, k->child[side], n - side * half);
	if (child == NULL || !half_new(&q->on, s->last, to))
		return NULL;
	if (side == 1) {
		turn_sweep(q, s->child[1], true, child, &q->spare);
		child = &q->spare;
	}
	dp_normtree_pass(s, side, true, child, to, q->on.stride);
	if (side == 1)
		turn_sweep(q, s->last, false, to, to);
	return to;
}

static bool
set_root_sweep(const struct dp_normtree *p, const struct sweep *q, struct half *to)
{
	double law[DP_NORMTREE_FARTHEST + 1];
	unsigned v, i;

	if (!half_new(&q->on, q->on.M[p->h], to))
		return false;
	root_numbers(p, q->on.grain, law, q->on.M[p->h] + 1);
	for (v = 0; v <= q->on.M[p->h]; v++)
		for (i = 0; i < q->on.stride; i++)
			to->x[v * q->on.stride + i] = law[v];
	return true;
}

/* One level down, to the child that step t is of. */
static bool
go_down_sweep(const struct dp_normtree *p, struct sweep *q, struct way *way, uint64_t t)
{
	const struct node *v = &way->node[way->n - 1];
	const struct dp_normtree_kind *k = &p->shape.kind[v->kind];
	const uint64_t half = (uint64_t)1 << (k->level - 1);
	const unsigned side = t - v->base > half;
	const struct dp_normtree_pass *s = pass_of(&q->on, p, v->kind);
	const struct half *from = &v->at;
	struct node *to = &way->node[way->n];

	if (s == NULL || !half_new(&q->on, q->most, &to->at))
		return false;
	if (side == 1) {
		turn_sweep(q, s->last, false, from, &q->spare);
		from = &q->spare;
	}
	dp_normtree_pass(s, side, false, from, &to->at, q->on.stride);
	if (side == 1)
		turn_sweep(q, s->child[1], true, &to->at, &to->at);
	to->kind = k->child[side];
	to->base = v->base + side * half;
	way->n++;
	return true;
}

/* The last node of the way to step t, which has few steps. */
static bool
find_way_sweep(const struct dp_normtree *p, struct sweep *q, struct way *way, uint64_t t)
{
	const struct node *v;

	if (way->n == 0) {
		if (!set_root_sweep(p, q, &way->node[0].at))
			return false;
		way->node[0].kind = p->shape.kinds - 1;
		way->n = 1;
	}
	/* what the ways have in common */
	for (v = &way->node[way->n - 1]; t <= v->base ||
	    t - v->base > (uint64_t)1 << p->shape.kind[v->kind].level; v--)
		way->n--;
	for (; p->shape.kind[way->node[way->n - 1].kind].level > q->low; )
		if (!go_down_sweep(p, q, way, t))
			return false;
	return true;
}

/*
 * phi *= that of what came before, and what follows.  Where s = 0 it is 1, less what was left out:
 * that is what a tail is off by, at most.
 */
static void
close_wave_sweep(const struct sweep *q, unsigned M, const struct half *before,
    const struct half *after,
    double *phi, double *off, double *variance)
{
	double sum[DP_NORMTREE_STRIDE];
	unsigned i;

	close(&q->on, M, before, after, sum);
	for (i = 0; i < q->on.points; i++)
		phi[i] *= sum[i];
	*off += fmax(1 - sum[q->on.points], 0);
	*variance += dp_normtree_curvature(&q->on, sum + q->on.points);
}

/* phi *= that of the first t steps of a tree. */
static bool
add_steps(const struct dp_normtree *p, struct sweep *q, unsigned which, uint64_t t, double *phi,
    double *off, double *variance)
{
	struct way *way = &q->way[which];
	const struct half *after;
	unsigned kind;

	if (!find_way_sweep(p, q, way, t))
		return false;
	kind = way->node[way->n - 1].kind;
	after = first_steps(p, q, kind, t - way->node[way->n - 1].base);
	if (after != NULL)
		close_wave_sweep(q, q->on.M[p->shape.kind[kind].level], &way->node[way->n - 1].at,
		    after,
		    phi, off, variance);
	return after != NULL;
}

/* phi *= (a tree's)^n. */
static void
add_trees(const struct dp_normtree *p, struct sweep *q, uint64_t n, double *phi, double *off,
    double *variance)
{
	const unsigned M = q->on.M[p->h];
	double law[DP_NORMTREE_FARTHEST + 1];
	unsigned v, i;

	if (n != 0 && !q->whole_known) {
		root_numbers(p, q->on.grain, law, M + 1);
		for (v = 0; v <= M; v++)
			for (i = 0; i <= q->on.points + 1; i++)
				q->whole[i] += law[v] * q->turn.x[v * q->on.stride + i];
		q->whole_known = true;
	}
	for (i = 0; n != 0 && i < q->on.points; i++)
		phi[i] *= n == 1 ? q->whole[i] : pow(q->whole[i], (double)n);
	if (n != 0) {
		*off += (double)n * fmax(1 - q->whole[q->on.points], 0);
		*variance += (double)n * dp_normtree_curvature(&q->on, q->whole + q->on.points);
	}
}

/* One that has these points; NULL: no memory. */
static struct sweep *
sweep_of(const struct dp_normtree *p, double gamma, double step, unsigned points, unsigned grain)
{
	struct dp_normtree_sweeps *s = p->laws.sweeps;
	struct sweep *q;
	unsigned i;

	for (i = 0; i < DP_NORMTREE_SETS; i++)
		if ((q = s->of[i]) != NULL && q->on.gamma == gamma && q->on.step == step &&
		    q->on.points == points && q->on.grain == grain)
			return q;
	i = s->next++ % DP_NORMTREE_SETS;
	free_sweep(s->of[i]);
	s->of[i] = NULL;
	if ((q = calloc(1, sizeof *q)) == NULL || !set_sweep(q, p, gamma, step, points, grain)) {
		free_sweep(q);
		return NULL;
	}
	return s->of[i] = q;
}

/* Of a count that of the widest step, in the tables' numbers: its points serve all. */
static double
widest(const struct dp_normtree *p)
{
	struct dp_error e;

	if (p->laws.sweeps->most == 0) {
		dp_normtree_error(p, NULL, 0, p->shape.T, &e);
		p->laws.sweeps->most = sqrt(e.max) / dp_normtree_apart(p);
	}
	return p->laws.sweeps->most;
}

/* In grains. */
static bool
add_all(const struct dp_law_part *part, struct sweep *q, double *phi, double *off,
    double *variance)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h, lo = part->from & (T - 1);
	const uint64_t first = part->from >> p->h, last = (part->to - 1) >> p->h;
	const uint64_t hi = ((part->to - 1) & (T - 1)) + 1;
	const unsigned some = hi < T;

	/* by symmetry the last steps of a tree are as the first */
	if (lo != 0 && !add_steps(p, q, 1, T - lo, phi, off, variance))
		return false;
	if (some && (lo == 0 || first < last) && !add_steps(p, q, 0, hi, phi, off, variance))
		return false;
	add_trees(p, q, last - first - (lo != 0) + (!some && (lo == 0 || first < last)), phi,
	    off, variance);
	return true;
}

/* dp_law_part.waves of a part whose `of` is a tree that is awake, and whose steps weigh 1. */
/*
 * Points of the tables' noise, as far apart as it is.  On a finer grid residuals, bounded and small
 * beside it, count twice with what they add to the variance.
 */
static bool
normtree_sweep(const struct dp_law_part *part, struct dp_law_wave *v)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h;
	unsigned grain = 1, k;		/* with points of another law it is to be as it is */
	double apart, found = 0;
	struct sweep *q;

	if (part->from >> p->h == (part->to - 1) >> p->h && (part->from & (T - 1)) != 0 &&
	    (part->to & (T - 1)) != 0)	/* both ends in one tree */
		return false;
	if (v->step == 0)
		grain = points_choose(p, &p->laws.sweeps->choice, v,
		    p->moments.places == NULL ? 0 : widest(p));
	apart = dp_normtree_apart(p) * grain;
	q = sweep_of(p, v->gamma, v->step * apart, v->n, grain);
	if (q == NULL || !add_all(part, q, v->phi, &v->off, &found)) {
		v->step = NAN;
		return false;
	}
	for (k = 1; k <= v->n && part->residual > 0; k++)
		v->phi[k - 1] *= exp(-part->residual * (k * v->step) * (k * v->step));
	v->variance += apart == 1 ? part->variance : apart * apart * found + 2 * part->residual;
	return true;
}

struct dp_normtree_sweeps *
dp_normtree_sweeps_create(void)
{
	return calloc(1, sizeof(struct dp_normtree_sweeps));
}

void
dp_normtree_sweeps_free(struct dp_normtree_sweeps *s)
{
	unsigned i;

	for (i = 0; s != NULL && i < DP_NORMTREE_SETS; i++)
		free_sweep(s->of[i]);
	free(s);
}

/*
 * Characteristic functions of decayed sums.
 */

#define LOW	6	/* log2 of the steps of a block, at most, */
#define EVEN	.125	/* over which weights fall by no more than that, or little more */
#define FADED	1e-5	/* an older tree of less weight adds nothing */
#define FEW_DECAY	3	/* numbers of a lattice in a step's standard deviation */

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
	points_free(&q->on);
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
		if ((s = pass_of(&q->on, q->p, l - 1)) == NULL)
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
choose_low_decay(const struct dp_normtree *p, double alpha)
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
turn_decay(const struct fade *q, unsigned M, double by, struct half *at)
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
	const struct dp_normtree_pass *s = pass_of(&q->on, q->p, l - 1);
	const unsigned from = up ? l - 1 : l, to = up ? l : l - 1;
	const double by = z * q->mean[l - 1], *left = q->left + (size_t)l * q->row;
	struct half swap;

	if (s == NULL)
		return false;
	if (right && !up)
		damp(q, q->on.M[l], left, z, at);
	if (right)
		turn_decay(q, q->on.M[from], up ? -by : by, at);
	swap = *at;
	*at = q->spare;
	q->spare = swap;
	dp_normtree_pass(s, right, up, &q->spare, at, q->on.stride);
	if (right)
		turn_decay(q, q->on.M[to], up ? by : -by, at);
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
	if (!half_new(&q->on, q->row - 1, to))	/* they take turns with `spare' */
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
find_way_decay(struct fade *q, uint64_t base, uint64_t older)
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
	most = points_set(&q->on, p, v->gamma, step, v->n, grain);
	q->p = p;
	q->alpha = alpha;
	q->low = choose_low_decay(p, alpha);
	q->row = most + 1;
	q->uneven = calloc(2 * (size_t)(p->h + 1) * q->row, sizeof *q->uneven);
	q->left = q->uneven + (size_t)(p->h + 1) * q->row;
	root_numbers(p, grain, q->root, q->on.M[p->h] + 1);
	if (q->uneven != NULL && set_weights(q) && half_new(&q->on, most, &q->spare) &&
	    half_new(&q->on, most, &q->before))
		return q;
	free_fade(q);
	return s->of[i] = NULL;
}

/* Covariance of a block's noise with the noise before it; in grains, as at its beginning. */
static void
close_wave_decay(const struct fade *q, const struct half *near, struct dp_law_wave *w,
    double *variance)
{
	double sum[DP_NORMTREE_STRIDE];
	unsigned i;

	close(&q->on, q->on.M[q->low], &q->before, near, sum);
	for (i = 0; i < q->on.stride; i++)
		sum[i] *= q->factor[i];
	for (i = 0; i < q->on.points; i++)
		w->phi[i] *= sum[i];
	w->off += fmax(1 - sum[q->on.points], 0);
	*variance = dp_normtree_curvature(&q->on, sum + q->on.points);
}

/* dp_law_part.waves of a decay. */
static bool
normtree_decay(const struct dp_law_part *part, struct dp_law_wave *v)
{
	const struct dp_normtree *p = part->of;
	const unsigned low = choose_low_decay(p, part->alpha);
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
	grain = points_choose(p, &p->laws.fades->choice, v, 0);
	v->step *= pow(part->alpha, ldexp(1, (int)low));
	q = fade_of(p, part->alpha, v, grain);
	if (q == NULL || !find_way_decay(q, hi - now, last) || (near = near_steps(q, now + 1)) ==
	    NULL) {
		v->step = NAN;
		return false;
	}
	close_wave_decay(q, near, v, &found);
	v->step *= raise;
	v->grain = p->moments.var[0] < FEW_DECAY * FEW_DECAY && grain == 1 ? 0 : M_PI / (v->n *
	    v->step);
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

/*
 * Points of a tree's laws.
 */

#define WIDE	4	/* points that are computed together */
#define CENTRE	0.2	/* gamma that is of the middle, */
#define TAIL	0.02	/* or of the tails */
#define FEW	3	/* levels: with fewer a law has its kinks farther out */
#define OUTSIDE	1e-2	/* in parts of gamma: what M is for, if a law is the widest */
#define WRAPPED	0.01	/* in parts of gamma: what lies beyond a period */
#define LARGEST	0.05	/* gamma that these are for */
#define SHORTEST	24	/* numbers of a period */

/*
 * Grains so small that the steps' noise, the narrowest, has some of them: then its law at their
 * multiples has the same form, once it is as wide.  Where laws have a kink, in the middle, and in
 * their tails that takes more.
 */
static unsigned
grain_of(const struct dp_normtree *p, double gamma)
{
	const double narrowest = gamma > CENTRE ? 4 : gamma >= TAIL ? 2 : p->h < FEW ? 2.5 : 2.2;
	const double grain = sqrt(p->moments.var[0]) / ldexp(1, (int)p->fine) / narrowest;

	return grain < 2 ? 1 : (unsigned)grain;
}

/* From where a tail is gamma, of laws as they are, WRAPPED of it is left where the period ends. */
static void
choose(const struct dp_normtree *p, struct dp_normtree_choice *c)
{
	const double apart = dp_normtree_apart(p), gamma = fmin(c->gamma, LARGEST);
	const double y = .85 * dp_law_widest(gamma), far = y + dp_law_widest(gamma * WRAPPED);
	const double period = c->sigma * far + 1;
	unsigned grain = grain_of(p, c->gamma);

	if (period > 2 * DP_LAW_POINTS * grain)
		grain = (unsigned)ceil(period / (2 * DP_LAW_POINTS));
	c->n = (unsigned)ceil(fmax(period / grain, SHORTEST) / 2);
	c->grain = grain * apart;
	c->step = M_PI / c->n / c->grain;
	c->tables = grain;
}

/*
 * Sets step, n and grain, and phi to 1, for a law of standard deviation `most`, in numbers of the
 * tables; 0: of the power of two that sigma is below.  Returns the tables' grain.
 */
static unsigned
points_choose(const struct dp_normtree *p, struct dp_normtree_choice *c,
    struct dp_law_wave *v, double most)
{
	double sigma = most;
	unsigned k;
	int e;

	if (!(most > 0))
		sigma = ldexp(1, frexp(v->sigma / dp_normtree_apart(p), &e) == .5 ? e - 1 : e);
	if (c->gamma != v->gamma || c->sigma != sigma) {
		c->gamma = v->gamma;
		c->sigma = sigma;
		choose(p, c);
	}
	v->n = c->n;
	v->grain = c->grain;
	v->step = c->step;
	for (k = 0; k < v->n; k++)
		v->phi[k] = 1;
	return c->tables;
}

/* Returns the largest M.  What is zeroed, or freed, is good for it. */
static unsigned
points_set(struct dp_normtree_points *q, const struct dp_normtree *p, double gamma,
    double step, unsigned n, unsigned grain)
{
	unsigned l, most = 0;
	double M;

	q->gamma = gamma;
	q->step = step;
	q->points = n;
	q->stride = (n + WIDE + 1) / WIDE * WIDE;
	q->grain = grain;
	for (l = 0; l <= p->h; l++) {
		M = ceil(dp_law_spread(ldexp(p->moments.var[l],
		    -2 * (int)p->fine) / grain / grain) *
		    dp_law_widest(fmin(gamma, LARGEST) * OUTSIDE));
		q->M[l] = M < DP_NORMTREE_FARTHEST ? (unsigned)M : DP_NORMTREE_FARTHEST;
		most = q->M[l] > most ? q->M[l] : most;
	}
	return most;
}

/* Returns the largest M.  What is zeroed, or freed, is good for it. */
static void
points_free(struct dp_normtree_points *q)
{
	unsigned i;

	for (i = 0; i < DP_NORMTREE_KINDS; i++)
		free(q->pass[i].even[0]);
}

/* NULL, false: no memory.  One that is there stays. */
static const struct dp_normtree_pass *
pass_of(struct dp_normtree_points *q, const struct dp_normtree *p, unsigned kind)
{
	struct dp_normtree_pass *s = &q->pass[kind];

	return s->even[0] != NULL || pass_set(s, p, kind, q->M,
	    q->grain) ? s : NULL;
}

DP_VECTORS static void
add_up(const struct half *a, const struct half *b, unsigned M, size_t n, double *restrict to)
{
	const double *const x[2] = { a->x, b->x }, *const y[2] = { a->y, b->y };
	dp_four even, odd;
	size_t i, at;
	unsigned v;

	for (i = 0; i < n; i += WIDE) {
		even = odd = (dp_four){ 0 };
		for (v = 0, at = i; v <= M; v++, at += n) {
			even += *(const dp_four *)(x[0] + at) * *(const dp_four *)(x[1] + at);
			odd += *(const dp_four *)(y[0] + at) * *(const dp_four *)(y[1] + at);
		}
		*(dp_four *)(to + i) = even - odd;
	}
}

/* sum_v of the real part of the product of both, v <= M, at all points. */
static void
close(const struct dp_normtree_points *q, unsigned M, const struct half *before,
    const struct half *after, double *to)
{
	add_up(before, after, M, q->stride, to);
}

/* sum_v of the real part of the product of both, v <= M, at all points. */
static bool
half_new(const struct dp_normtree_points *q, unsigned M, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;

	if (to->x == NULL && (to->x = calloc(2 * n, sizeof *to->x)) == NULL)
		return false;
	to->y = to->x + n;
	return true;
}

/* The law of the root's size, its first n numbers. */
static void
root_numbers(const struct dp_normtree *p, unsigned grain, double *to, unsigned n)
{
	const double q = pow(dp_real_double(p->beyond), grain);
	const unsigned A = p->A / grain;
	double r = 0, sum = 0;
	unsigned v;

	for (v = 0; v < n || v <= A; v++) {
		r = v <= A ? (v == 0 ? 1 : 2) * dp_real_double(p->root[v * grain]) : r * q;
		sum += r;
		if (v < n)
			to[v] = r;
	}
	sum += r * q / (1 - q);
	for (v = 0; v < n; v++)
		to[v] /= sum;
}

/*
 * Matrices of splits, and their products.
 */

#define ABREAST	8	/* rows that are added together */

/* ---- rows ---- */

static unsigned
last_of(const struct dp_normtree *p, unsigned kind, const unsigned *last)
{
	return last[kind == DP_NORMTREE_STEP ? 0 : p->shape.kind[kind].level];
}

/* Row P, of which `end` numbers are there, as far as it is looked at. */
static void
put_row(double *to, const double *row, unsigned P, unsigned n, unsigned end)
{
	const unsigned some = end < n ? end : n;

	memcpy(to + (size_t)P * n, row, some * sizeof *to);
	memset(to + (size_t)P * n + some, 0, (n - some) * sizeof *to);
}

static void
put_rows(struct dp_normtree_pass *to, const struct work *w)
{
	unsigned P, side, end;

	for (P = 0; P <= to->last; P++) {
		end = dp_normtree_row_of(w, P, 1, true);
		for (side = 0; side <= to->sides; side++) {
			put_row(to->even[side], w->row.even[side], P, to->child[side] + 1, end);
			put_row(to->odd[side], w->row.odd[side], P, to->child[side] + 1, end);
		}
	}
}

/* Children of one kind have the same. */
static bool
make_room(struct dp_normtree_pass *to)
{
	size_t n[2], rows = to->last + 1;

	n[0] = rows * (to->child[0] + 1);
	n[1] = to->sides == 0 ? 0 : rows * (to->child[1] + 1);
	if ((to->even[0] = malloc(2 * (n[0] + n[1]) * sizeof *to->even[0])) == NULL)
		return false;
	to->odd[0] = to->even[0] + n[0];
	to->even[1] = to->sides == 0 ? to->even[0] : to->odd[0] + n[0];
	to->odd[1] = to->sides == 0 ? to->odd[0] : to->even[1] + n[1];
	return true;
}

/*
 * In grains (internal.h).  A level's nodes: none larger than last[level] is looked at.  false: no
 * memory.
 */
static bool
pass_set(struct dp_normtree_pass *to, const struct dp_normtree *p, unsigned kind,
    const unsigned *last, unsigned grain)
{
	const uint16_t *child = p->shape.kind[kind].child;
	unsigned A = p->A / grain + 1;
	struct work w;
	double *memory;

	to->last = last_of(p, kind, last);
	A = A > to->last / 2 + 1 ? A : to->last / 2 + 1;	/* rows as far as that */
	to->sides = child[0] != child[1];
	to->child[0] = last_of(p, child[0], last);
	to->child[1] = last_of(p, child[1], last);
	memory = malloc(dp_normtree_work(A));
	if (memory == NULL || !make_room(to)) {
		free(memory);
		return false;
	}
	dp_normtree_start(&w, A, 0, memory);
	dp_normtree_take(&w, p, kind, grain);
	put_rows(to, &w);
	free(memory);
	return true;
}

/* ---- products ---- */

/* A matrix as it lies: entry (i, j) at [i * row + j * column]. */
struct matrix {
	const double *at;
	size_t row, column;
	unsigned rows, columns;
};

/* to += the sum of ABREAST of a row's numbers times as many rows; the first: to = it. */
DP_INLINE void
add_rows(double *restrict to, const double *restrict from, const double *restrict a,
    size_t column, size_t n, const bool first)
{
	const double a0 = a[0], a1 = a[column], a2 = a[2 * column], a3 = a[3 * column];
	const double a4 = a[4 * column], a5 = a[5 * column], a6 = a[6 * column];
	const double a7 = a[7 * column];
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = (first ? 0 : to[i]) + (((a0 * from[i] + a1 * from[i + n]) +
		    (a2 * from[i + 2 * n] + a3 * from[i + 3 * n])) +
		    ((a4 * from[i + 4 * n] + a5 * from[i + 5 * n]) +
		    (a6 * from[i + 6 * n] + a7 * from[i + 7 * n])));
}

DP_VECTORS static void
multiply_pass(const struct matrix *m, const double *restrict from, double *restrict to, size_t n)
{
	const double *row;
	unsigned i, j;
	size_t k;

	for (i = 0; i < m->rows; i++, to += n) {
		row = m->at + i * m->row;
		if (m->columns >= ABREAST)
			add_rows(to, from, row, m->column, n, true);
		else
			memset(to, 0, n * sizeof *to);
		for (j = m->columns >= ABREAST ? ABREAST : 0; j + ABREAST <= m->columns;
		    j += ABREAST)
			add_rows(to, from + j * n, row + j * m->column, m->column, n, false);
		for (; j < m->columns; j++)
			for (k = 0; k < n; k++)
				to[k] += row[j * m->column] * from[j * n + k];
	}
}

void
dp_normtree_pass(const struct dp_normtree_pass *s, unsigned side, bool up,
    const struct half *from, struct half *to, size_t stride)
{
	const unsigned parent = s->last + 1, child = s->child[side] + 1;
	struct matrix m = { .row = up ? child : 1, .column = up ? 1 : child,
	    .rows = up ? parent : child, .columns = up ? child : parent };

	m.at = s->even[side];
	multiply_pass(&m, from->x, to->x, stride);
	m.at = s->odd[side];
	multiply_pass(&m, from->y, to->y, stride);
}
