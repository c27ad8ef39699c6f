/*
 * law.c - the law of the noise in one estimate, coefficient by coefficient (level.h).
 */
#include <math.h>

#include "level.h"

/* EXP: so many of the old coefficients, the newest, have terms of their own. */
#define ALONE	64

void
dp_bridge_view_set(struct dp_bridge_view *v, const struct dp_bridge_shape *s,
    const struct dp_task *task, unsigned out)
{
	unsigned l;

	v->shape = s;
	/* under a sharp expiry what is older is exact: a window's noise */
	v->W = task != NULL && (task->what == DP_TASK_WINDOW || task->what == DP_TASK_EXPIRE) ?
	    task->w[out] : 0;
	v->rate = task != NULL && task->what == DP_TASK_EXP ? -log(task->alpha) : 0;
	for (l = 0; l < s->h; l++)
		dp_bridge_level_set(&v->level[l], l + 1 < s->h ? 1u << s->log2k[l] : 0, s->hat[l],
		    ldexp(1, (int)s->log2b[l]), v->rate);
}

/* The 2k coefficients near a step that stands at `at`; a root that has ended leaves only zeros. */
static void
near(const struct dp_bridge_view *v, unsigned l, const struct dp_bridge_place *at, double *c)
{
	if (at->end)
		memset(c, 0, 2 * v->level[l].k * sizeof *c);
	else
		dp_bridge_near(&v->level[l], at->edge, at->r, at->p, c);
}

double
dp_bridge_cross(const struct dp_bridge_view *v, unsigned l, uint64_t n, uint64_t t)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, n), b = dp_bridge_place(v, l, t);
	double c[DP_BRIDGE_NEAR], d[DP_BRIDGE_NEAR], sum = 0;
	unsigned i, k = v->level[l].k, gap;

	if (b.K - a.K > (v->level[l].hat ? 1 : 0))
		return 0;
	gap = (unsigned)(b.K - a.K) * k;
	near(v, l, &a, c);
	near(v, l, &b, d);
	for (i = gap; i < 2 * k; i++)
		sum += c[i] * d[i - gap];
	return sum;
}

static void
add(const struct dp_bridge_terms *to, const double *c, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		dp_law_add(to->law, to->z, to->scale * c[i], 1);
}

void
dp_bridge_add_near(const struct dp_bridge_view *v, unsigned l, const struct dp_bridge_place *at,
    const struct dp_bridge_terms *to)
{
	double c[DP_BRIDGE_NEAR];

	near(v, l, at, c);
	add(to, c, 2 * v->level[l].k);
}

void
dp_bridge_add_both(const struct dp_bridge_view *v, unsigned l, const struct dp_bridge_place *a,
    double now, const struct dp_bridge_place *b, double next, unsigned gap,
    const struct dp_bridge_terms *to)
{
	double c[2 * DP_BRIDGE_NEAR] = { 0 }, d[DP_BRIDGE_NEAR];
	unsigned i, k = v->level[l].k;

	near(v, l, a, d);
	for (i = 0; i < 2 * k; i++)
		c[i] = now * d[i];
	near(v, l, b, d);
	for (i = 0; i < 2 * k; i++)
		c[gap + i] += next * d[i];
	add(to, c, gap + 2 * k);
}

/*
 * The first ALONE coefficients get terms of their own.  Of the rest a group of 1, 2, 4, .. patterns
 * becomes one term of equal coefficients, which are fewer than the group had and no smaller than
 * its largest, with the same sum of squares: so the variance is exact, and no higher cumulant is
 * less than it was, as a Laplace variable has no negative ones.  The difference in a tail is far
 * below the steps that bounds come in: these terms decide it together with hundreds of others.
 */
void
dp_bridge_add_old(const struct dp_bridge_terms *to, const double *c, unsigned n, double w,
    double by, double count)
{
	double all = 0, most = 0, squares, copies, len = 1;
	unsigned i, alone;

	for (alone = 0; alone + n <= ALONE && count >= 1; alone += n, count--, by *= w)
		for (i = 0; i < n; i++)
			dp_law_add(to->law, to->z, to->scale * c[i] * by, 1);
	for (i = 0; i < n; i++) {
		all += c[i] * c[i];
		most = fmax(most, fabs(c[i]));
	}
	for (; count >= 1 && by > 1e-12; count -= len, by *= pow(w, len), len *= 2) {
		len = fmin(len, count);
		squares = all * expm1(2 * len * log(w)) / expm1(2 * log(w));
		copies = fmax(1, floor(squares / (most * most)));
		dp_law_add(to->law, to->z, to->scale * by * sqrt(squares / copies), copies);
	}
}

static void
add_below(const struct dp_bridge_view *v, unsigned l, uint64_t n, const struct dp_bridge_terms *to)
{
	const struct dp_bridge_level *lv = &v->level[l];
	struct dp_bridge_place at = dp_bridge_place(v, l, n);
	double c[DP_BRIDGE_NEAR], w, by, K = (double)at.K;

	dp_bridge_add_near(v, l, &at, to);
	if (v->rate == 0 || at.K == 0)
		return;
	w = exp(-v->rate * lv->B * lv->k);
	by = exp(-v->rate * lv->B * at.r) * (1 - at.p);
	dp_bridge_add_old(to, c, dp_bridge_old(lv, false, c), w, by, lv->hat ? K - 1 : K);
	if (lv->hat)
		dp_bridge_add_old(to, c, dp_bridge_old(lv, true, c), w, by * pow(w, K - 1), 1);
}

/* WINDOW: the coefficients after t steps, less those after n = t - W. */
static void
add_between(const struct dp_bridge_view *v, unsigned l, uint64_t n, uint64_t t,
    const struct dp_bridge_terms *to)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, n), b = dp_bridge_place(v, l, t);
	const uint64_t blocks = b.K - a.K > 2 ? 2 : b.K - a.K;

	dp_bridge_add_both(v, l, &a, 1, &b, -1, (unsigned)blocks * v->level[l].k, to);
}

static void
add_top(const struct dp_bridge_view *v, uint64_t n, uint64_t t, const struct dp_bridge_terms *to)
{
	unsigned top = v->shape->h - 1;
	const struct dp_bridge_level *lv = &v->level[top];
	struct dp_bridge_place a = dp_bridge_place(v, top, n), b = dp_bridge_place(v, top, t);

	if (v->rate > 0) {
		dp_law_add(to->law, to->z, to->scale * b.p / (-expm1(-v->rate) * lv->B), 1);
		dp_bridge_add_old(to, &lv->node, 1, lv->decay, 1 - b.p, (double)b.K);
	} else if (a.K == b.K)
		dp_law_add(to->law, to->z, to->scale * (b.p - a.p), 1);
	else {
		dp_law_add(to->law, to->z, to->scale * (1 - a.p), 1);
		dp_law_add(to->law, to->z, to->scale, (double)(b.K - a.K - 1));
		dp_law_add(to->law, to->z, to->scale * b.p, 1);
	}
}

void
dp_bridge_law(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *law)
{
	struct dp_bridge_view v;
	struct dp_bridge_terms to = { .law = law };
	unsigned l;

	dp_bridge_view_set(&v, &b->shape, task, out);
	for (l = 0; l < b->shape.h; l++) {
		to.z = &b->noise[b->table[l]];
		to.scale = ldexp(1, -(int)b->shape.log2den[l]);
		if (l == b->shape.h - 1)
			add_top(&v, v.W != 0 && t > v.W ? t - v.W : 0, t, &to);
		else if (v.W != 0 && t > v.W)
			add_between(&v, l, t - v.W, t, &to);
		else
			add_below(&v, l, t, &to);
	}
}

/* Level l's part of a blend, below the top. */
static void
blend_below(const struct dp_bridge_view *v, unsigned l, uint64_t t, double now, double next,
    const struct dp_bridge_terms *to)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, t), b = dp_bridge_place(v, l, t + 1);

	dp_bridge_add_both(v, l, &a, now, &b, next, (unsigned)(b.K - a.K) * v->level[l].k, to);
}

void
dp_bridge_blend(const struct dp_bridge *b, uint64_t t, double now, double next, struct dp_law *law)
{
	const unsigned top = b->shape.h - 1;
	struct dp_bridge_place at, then;
	struct dp_bridge_view v;
	struct dp_bridge_terms to = { .law = law };
	unsigned l;

	dp_bridge_view_set(&v, &b->shape, NULL, 0);
	for (l = 0; l < b->shape.h; l++) {
		to.z = &b->noise[b->table[l]];
		to.scale = ldexp(1, -(int)b->shape.log2den[l]);
		if (l < top)
			blend_below(&v, l, t, now, next, &to);
	}
	at = dp_bridge_place(&v, top, t);
	then = dp_bridge_place(&v, top, t + 1);
	dp_law_add(law, to.z, to.scale * (now + next), (double)at.K);
	dp_law_add(law, to.z, to.scale * (now * at.p + next * (then.K == at.K ? then.p : 1)), 1);
	if (then.K != at.K)
		dp_law_add(law, to.z, to.scale * next * then.p, 1);
}
