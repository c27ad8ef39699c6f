/*
 * sweep.c - characteristic functions (sweep.h), from the root down to a block of steps, and from a
 * step up to it.
 */
#include <math.h>
#include <stdlib.h>

#include "points.h"
#include "sweep.h"
#include "level.h"

#define LOW	5	/* log2 of the steps of a block, at most */

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
	unsigned low;
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
		for (n = 0; q->first[i] != NULL && n < 1u << LOW; n++)
			free(q->first[i][n].x);
		free(q->first[i]);
	}
	dp_normtree_points_free(&q->on);
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
choose_low(const struct dp_normtree *p)
{
	const uint64_t T = p->shape.chain ? UINT64_MAX : p->shape.T;
	unsigned kinds[DP_NORMTREE_LEVELS + 1] = { 0 }, i, l;

	for (i = 0; i < p->shape.kinds; i++)
		kinds[p->shape.kind[i].level]++;
	for (l = LOW; l > 1 && (uint64_t)kinds[l] << 2 * l > T; l--)
		;
	return l;
}

/* Points, and the turns by their own noise. */
static bool
set(struct sweep *q, const struct dp_normtree *p, double gamma, double step, unsigned n,
    unsigned grain)
{
	unsigned v, i, most;
	double s;

	most = dp_normtree_points_set(&q->on, p, gamma, step, n, grain);
	q->low = choose_low(p);
	if (!dp_normtree_half_new(&q->on, most, &q->spare) ||
	    !dp_normtree_half_new(&q->on, most, &q->turn))
		return false;
	for (v = 0; v <= most; v++)
		for (i = 0; i < q->on.stride; i++) {
			s = dp_normtree_point(&q->on, i);
			q->turn.x[v * q->on.stride + i] = cos(s * v);
			q->turn.y[v * q->on.stride + i] = sin(s * v);
		}
	return true;
}

/* exp(i s v), or with back exp(-i s v), times all up to v = M. */
static void
turn(const struct sweep *q, unsigned M, bool back, const struct half *from, struct half *to)
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
	const struct dp_normtree_pass *s = dp_normtree_pass_of(&q->on, p, kind);
	const struct half *child = &q->turn;
	struct half *to;

	if (s == NULL || (q->first[kind] == NULL && (q->first[kind] = calloc(1u << LOW,
	    sizeof *q->first[kind])) == NULL))
		return NULL;
	to = &q->first[kind][n - 1];
	if (n == 2 * half || to->x != NULL)
		return n == 2 * half ? &q->turn : to;
	if (k->child[side] != DP_NORMTREE_STEP)
		child = first_steps(p, q, k->child[side], n - side * half);
	if (child == NULL || !dp_normtree_half_new(&q->on, s->last, to))
		return NULL;
	if (side == 1) {
		turn(q, s->child[1], true, child, &q->spare);
		child = &q->spare;
	}
	dp_normtree_pass(s, side, true, child, to, q->on.stride);
	if (side == 1)
		turn(q, s->last, false, to, to);
	return to;
}

static bool
set_root(const struct dp_normtree *p, const struct sweep *q, struct half *to)
{
	double law[DP_NORMTREE_FARTHEST + 1];
	unsigned v, i;

	if (!dp_normtree_half_new(&q->on, q->on.M[p->h], to))
		return false;
	dp_normtree_root_numbers(p, q->on.grain, law, q->on.M[p->h] + 1);
	for (v = 0; v <= q->on.M[p->h]; v++)
		for (i = 0; i < q->on.stride; i++)
			to->x[v * q->on.stride + i] = law[v];
	return true;
}

/* One level down, to the child that step t is of. */
static bool
go_down(const struct dp_normtree *p, struct sweep *q, struct way *way, uint64_t t)
{
	const struct node *v = &way->node[way->n - 1];
	const struct dp_normtree_kind *k = &p->shape.kind[v->kind];
	const uint64_t half = (uint64_t)1 << (k->level - 1);
	const unsigned side = t - v->base > half;
	const struct dp_normtree_pass *s = dp_normtree_pass_of(&q->on, p, v->kind);
	const struct half *from = &v->at;
	struct node *to = &way->node[way->n];

	free(to->at.x);		/* of another level */
	to->at.x = NULL;
	if (s == NULL || !dp_normtree_half_new(&q->on, s->child[side], &to->at))
		return false;
	if (side == 1) {
		turn(q, s->last, false, from, &q->spare);
		from = &q->spare;
	}
	dp_normtree_pass(s, side, false, from, &to->at, q->on.stride);
	if (side == 1)
		turn(q, s->child[1], true, &to->at, &to->at);
	to->kind = k->child[side];
	to->base = v->base + side * half;
	way->n++;
	return true;
}

/* The last node of the way to step t, which has few steps. */
static bool
find_way(const struct dp_normtree *p, struct sweep *q, struct way *way, uint64_t t)
{
	const struct node *v;

	if (way->n == 0) {
		if (!set_root(p, q, &way->node[0].at))
			return false;
		way->node[0].kind = p->shape.kinds - 1;
		way->n = 1;
	}
	/* what the ways have in common */
	for (v = &way->node[way->n - 1]; t <= v->base ||
	    t - v->base > (uint64_t)1 << p->shape.kind[v->kind].level; v--)
		way->n--;
	for (; p->shape.kind[way->node[way->n - 1].kind].level > q->low; )
		if (!go_down(p, q, way, t))
			return false;
	return true;
}

/*
 * phi *= that of what came before, and what follows.  Where s = 0 it is 1, less what was left out:
 * that is what a tail is off by, at most.
 */
static void
close_wave(const struct sweep *q, unsigned M, const struct half *before, const struct half *after,
    double *phi, double *off, double *variance)
{
	double sum[DP_NORMTREE_STRIDE];
	unsigned i;

	dp_normtree_close(&q->on, M, before, after, sum);
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

	if (!find_way(p, q, way, t))
		return false;
	kind = way->node[way->n - 1].kind;
	after = first_steps(p, q, kind, t - way->node[way->n - 1].base);
	if (after != NULL)
		close_wave(q, q->on.M[p->shape.kind[kind].level], &way->node[way->n - 1].at, after,
		    phi, off, variance);
	return after != NULL;
}

/* phi *= that of so many trees. */
static void
add_trees(const struct dp_normtree *p, struct sweep *q, uint64_t n, double *phi, double *off,
    double *variance)
{
	const unsigned M = q->on.M[p->h];
	double law[DP_NORMTREE_FARTHEST + 1];
	unsigned v, i;

	if (n != 0 && !q->whole_known) {
		dp_normtree_root_numbers(p, q->on.grain, law, M + 1);
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
	if ((q = calloc(1, sizeof *q)) == NULL || !set(q, p, gamma, step, points, grain)) {
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

/*
 * Points of the tables' noise, as far apart as it is.  On a finer grid residuals, bounded and small
 * beside it, count twice with what they add to the variance.
 */
bool
dp_normtree_sweep(const struct dp_law_part *part, struct dp_law_wave *v)
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
		grain = dp_normtree_points_choose(p, &p->laws.sweeps->choice, v,
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
