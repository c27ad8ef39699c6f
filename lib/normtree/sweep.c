/*
 * sweep.c - characteristic functions (sweep.h), from the root down to a block of steps, and from a
 * step up to it.
 */
#include <math.h>
#include <stdlib.h>

#include "pass.h"
#include "sweep.h"
#include "wave.h"
#include "work.h"

#define LOW	5	/* log2 of the steps of a block, at most */
#define WIDE	4	/* points are of so many together */
#define SLIGHT	0.0625	/* of a step: what variances are found at */
#define CENTRE	0.2	/* gamma that is of the middle, */
#define TAIL	0.02	/* or of the tails */
#define OUTSIDE	1e-2	/* in parts of gamma: what M is for, if a law is the widest */
#define WRAPPED	0.01	/* in parts of gamma: what lies beyond a period */
#define LARGEST	0.05	/* gamma that these are for */
#define SHORTEST	24	/* numbers of a period */
#define SETS	2	/* of points */
#define FARTHEST	(2 * DP_NORMTREE_REACH)	/* M, at most */

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
	double gamma, step;
	unsigned points, stride, low, grain;
	unsigned M[DP_NORMTREE_LEVELS + 1];	/* of a level's nodes */
	struct half turn, spare;		/* turn: exp(i s v) */
	struct way way[2];
	struct dp_normtree_pass pass[DP_NORMTREE_KINDS];
	struct half *first[DP_NORMTREE_KINDS];	/* of its first n steps, [n - 1] */
	double whole[DP_LAW_POINTS + 2];
	bool whole_known;
};

struct dp_normtree_sweeps {
	struct sweep *of[SETS];
	double most;		/* standard deviation of a count's widest step; 0: not found yet */
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
		free(q->pass[i].even[0]);
	}
	for (i = 0; i <= DP_NORMTREE_LEVELS; i++) {
		free(q->way[0].node[i].at.x);
		free(q->way[1].node[i].at.x);
	}
	free(q->turn.x);
	free(q->spare.x);
	free(q);
}

static bool
new_wave(const struct sweep *q, unsigned M, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;

	if (to->x == NULL && (to->x = calloc(2 * n, sizeof *to->x)) == NULL)
		return false;
	to->y = to->x + n;
	return true;
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

/*
 * Grains so small that the steps' noise, the narrowest, has some of them: then its law at their
 * multiples has the same form, once it is as wide.  Where laws have a kink, in the middle, and in
 * their tails that takes more.
 */
static unsigned
grain_of(const struct dp_normtree *p, double gamma)
{
	const double narrowest = gamma > CENTRE ? 4 : gamma < TAIL ? 2.5 : 2;
	const double grain = sqrt(p->var[0]) / ldexp(1, (int)p->fine) / narrowest;

	return grain < 2 ? 1 : (unsigned)grain;
}

static bool
set_points(struct sweep *q, const struct dp_normtree *p, double gamma, double step, unsigned n,
    unsigned grain)
{
	unsigned l, most = 0, v, i;
	double M, angle;

	q->gamma = gamma;
	q->step = step;
	q->points = n;
	q->stride = (n + WIDE + 1) / WIDE * WIDE;
	q->low = choose_low(p);
	q->grain = grain;
	for (l = 0; l <= p->h; l++) {
		M = ceil(dp_law_spread(ldexp(p->var[l], -2 * (int)p->fine) / grain / grain) *
		    dp_law_widest(fmin(gamma, LARGEST) * OUTSIDE));
		q->M[l] = M < FARTHEST ? (unsigned)M : FARTHEST;
		most = q->M[l] > most ? q->M[l] : most;
	}
	if (!new_wave(q, most, &q->spare) || !new_wave(q, most, &q->turn))
		return false;
	for (v = 0; v <= most; v++)
		for (i = 0; i < q->stride; i++) {
			angle = i < n ? (i + 1) * step * v : (i - n) * SLIGHT * step * v;
			q->turn.x[v * q->stride + i] = cos(angle);
			q->turn.y[v * q->stride + i] = sin(angle);
		}
	return true;
}

/* exp(i s v), or with back exp(-i s v), times all up to v = M. */
static void
turn(const struct sweep *q, unsigned M, bool back, const struct half *from, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;
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

static const struct dp_normtree_pass *
pass_of(const struct dp_normtree *p, struct sweep *q, unsigned kind)
{
	struct dp_normtree_pass *s = &q->pass[kind];

	return s->even[0] != NULL || dp_normtree_pass_set(s, p, kind, q->M,
	    q->grain) ? s : NULL;
}

/* What the first n steps of a node of few have; all of them: exp(i s P). */
static const struct half *
first_steps(const struct dp_normtree *p, struct sweep *q, unsigned kind, uint64_t n)
{
	const struct dp_normtree_kind *k = &p->shape.kind[kind];
	const uint64_t half = (uint64_t)1 << (k->level - 1);
	const unsigned side = n > half;
	const struct dp_normtree_pass *s = pass_of(p, q, kind);
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
	if (child == NULL || !new_wave(q, s->last, to))
		return NULL;
	if (side == 1) {
		turn(q, s->child[1], true, child, &q->spare);
		child = &q->spare;
	}
	dp_normtree_pass(s, side, true, child, to, q->stride);
	if (side == 1)
		turn(q, s->last, false, to, to);
	return to;
}

/* The law of the root's size, n = M + 1 numbers of it. */
static void
root_law(const struct dp_normtree *p, unsigned grain, double *to, unsigned n)
{
	const double q = pow(dp_normtree_number(p->beyond), grain);
	const unsigned A = p->A / grain;
	double r = 0, sum = 0;
	unsigned v;

	for (v = 0; v < n || v <= A; v++) {
		r = v <= A ? (v == 0 ? 1 : 2) * dp_normtree_number(p->root[v * grain]) : r * q;
		sum += r;
		if (v < n)
			to[v] = r;
	}
	sum += r * q / (1 - q);
	for (v = 0; v < n; v++)
		to[v] /= sum;
}

static bool
set_root(const struct dp_normtree *p, const struct sweep *q, struct half *to)
{
	double law[FARTHEST + 1];
	unsigned v, i;

	if (!new_wave(q, q->M[p->h], to))
		return false;
	root_law(p, q->grain, law, q->M[p->h] + 1);
	for (v = 0; v <= q->M[p->h]; v++)
		for (i = 0; i < q->stride; i++)
			to->x[v * q->stride + i] = law[v];
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
	const struct dp_normtree_pass *s = pass_of(p, q, v->kind);
	const struct half *from = &v->at;
	struct node *to = &way->node[way->n];

	free(to->at.x);		/* of another level */
	to->at.x = NULL;
	if (s == NULL || !new_wave(q, s->child[side], &to->at))
		return false;
	if (side == 1) {
		turn(q, s->last, false, from, &q->spare);
		from = &q->spare;
	}
	dp_normtree_pass(s, side, false, from, &to->at, q->stride);
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

/* The variance of a law whose characteristic function is told at s = 0 and at a slight s. */
static double
curvature(const struct sweep *q, const double *told)
{
	return -2 * log(told[1] / told[0]) / (q->step * q->step * SLIGHT * SLIGHT);
}

/*
 * phi *= that of what came before, and what follows.  Where s = 0 it is 1, less what was left out:
 * that is what a tail is off by, at most.
 */
static void
close_wave(const struct sweep *q, unsigned M, const struct half *before, const struct half *after,
    double *phi, double *off, double *variance)
{
	double sum[DP_LAW_POINTS + WIDE] = { 0 };
	const size_t n = q->stride;
	size_t i, v;

	for (v = 0; v <= M; v++)
		for (i = 0; i < n; i++)
			sum[i] += before->x[v * n + i] * after->x[v * n + i] -
			    before->y[v * n + i] * after->y[v * n + i];
	for (i = 0; i < q->points; i++)
		phi[i] *= sum[i];
	*off += fmax(1 - sum[q->points], 0);
	*variance += curvature(q, sum + q->points);
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
		close_wave(q, q->M[p->shape.kind[kind].level], &way->node[way->n - 1].at, after,
		    phi, off, variance);
	return after != NULL;
}

/* phi *= that of so many trees. */
static void
add_trees(const struct dp_normtree *p, struct sweep *q, uint64_t n, double *phi, double *off,
    double *variance)
{
	const unsigned M = q->M[p->h];
	double law[FARTHEST + 1];
	unsigned v, i;

	if (n != 0 && !q->whole_known) {
		root_law(p, q->grain, law, M + 1);
		for (v = 0; v <= M; v++)
			for (i = 0; i <= q->points + 1; i++)
				q->whole[i] += law[v] * q->turn.x[v * q->stride + i];
		q->whole_known = true;
	}
	for (i = 0; n != 0 && i < q->points; i++)
		phi[i] *= n == 1 ? q->whole[i] : pow(q->whole[i], (double)n);
	if (n != 0) {
		*off += (double)n * fmax(1 - q->whole[q->points], 0);
		*variance += (double)n * curvature(q, q->whole + q->points);
	}
}

/* One that has these points; NULL: no memory. */
static struct sweep *
sweep_of(const struct dp_normtree *p, struct sweep **at, double gamma, double step,
    unsigned points, unsigned grain)
{
	struct sweep *q = *at;

	if (q != NULL && q->gamma == gamma && q->step == step && q->points == points &&
	    q->grain == grain)
		return q;
	free_sweep(q);
	*at = NULL;
	if ((q = calloc(1, sizeof *q)) == NULL || !set_points(q, p, gamma, step, points,
	    grain)) {
		free_sweep(q);
		return NULL;
	}
	return *at = q;
}

/*
 * The standard deviation that points are chosen for, in the tables' numbers: of a count that of its
 * widest step, and else a power of two.
 */
static double
widest(const struct dp_normtree *p, double sigma, unsigned *set)
{
	const double apart = dp_normtree_apart(p), range = ceil(log2(sigma / apart));
	struct dp_error e;

	*set = 0;
	if (p->places == NULL) {
		*set = (int)range & 1;
		return exp2(range);
	}
	if (p->sweeps->most == 0) {
		dp_normtree_error(p, NULL, 0, p->shape.T, &e);
		p->sweeps->most = sqrt(e.max) / apart;
	}
	return p->sweeps->most;
}

/*
 * All the points of a lattice of grains, each so many of the tables' numbers: from where a tail is
 * gamma, of laws as they are, WRAPPED of it is left where the period ends.  Returns which set that
 * is.
 */
static unsigned
choose_points(const struct dp_normtree *p, struct dp_law_wave *v, unsigned *grain)
{
	const double apart = dp_normtree_apart(p), gamma = fmin(v->gamma, LARGEST);
	const double y = .85 * dp_law_widest(gamma), far = y + dp_law_widest(gamma * WRAPPED);
	unsigned set;
	const double period = widest(p, v->sigma, &set) * far + 1;

	*grain = grain_of(p, v->gamma);
	if (period > 2 * DP_LAW_POINTS * *grain)
		*grain = (unsigned)ceil(period / (2 * DP_LAW_POINTS));
	v->n = (unsigned)ceil(fmax(period / *grain, SHORTEST) / 2);
	v->grain = *grain * apart;
	v->step = M_PI / v->n / v->grain;
	return set;
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

/* Points of the tables' noise, as far apart as it is, and residuals as in cumulants: law.c. */
bool
dp_normtree_sweep(const struct dp_law_part *part, struct dp_law_wave *v)
{
	const struct dp_normtree *p = part->of;
	const uint64_t T = (uint64_t)1 << p->h;
	unsigned set = 0, grain = 1, k;	/* with points of another law it is to be as it is */
	double apart, found = 0;
	struct sweep *q;

	if (part->from >> p->h == (part->to - 1) >> p->h && (part->from & (T - 1)) != 0 &&
	    (part->to & (T - 1)) != 0)	/* both ends in one tree */
		return false;
	if (v->step == 0)
		set = choose_points(p, v, &grain);
	apart = dp_normtree_apart(p) * grain;
	q = sweep_of(p, &p->sweeps->of[set], v->gamma, v->step * apart, v->n, grain);
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

	for (i = 0; s != NULL && i < SETS; i++)
		free_sweep(s->of[i]);
	free(s);
}
