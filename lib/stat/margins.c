/* SPDX-License-Identifier: ISC */
/* margins.c - totals with noise of their own, and the estimates fitted to both (margins.h, OWN). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "margins.h"

#define FINER	3		/* decimals of estimates */
#define SAME	1e-9		/* coefficients nearer than that count as the larger one */

/* ---- the fit ---- */

/*
 * A tree: u, the variance of what a total's children say of it; own[], each node's fit of all that
 * is below it; both sums of the children's.  Totals are deepest first from the last level on.
 */
static void
fit_tree(const struct dp_margins *m, double r, const double *over, double *off, double *room)
{
	const size_t nodes = m->keys + m->n;
	double *u = room, *own = room + nodes, *sum = room + 2 * nodes;
	size_t level, i, v;

	memset(room, 0, 3 * nodes * sizeof *room);
	for (i = 0; i < m->keys; i++)
		u[m->above[i]]++;
	for (level = m->levels; level-- > 0;)
		for (i = 0; i < m->n; i++) {
			v = m->keys + i;
			if (m->depth[i] != level)
				continue;
			own[v] = (r * sum[v] + u[v] * over[i]) / (r + u[v]);
			if (m->above[v] != v) {
				u[m->above[v]] += r * u[v] / (r + u[v]);
				sum[m->above[v]] += own[v];
			}
		}
	for (level = 0; level < m->levels; level++)
		for (i = 0; i < m->n; i++) {
			v = m->keys + i;
			if (m->depth[i] == level)
				off[v] = m->above[v] == v ? own[v] : own[v] + r * u[v] /
				    (r + u[v]) / u[m->above[v]] *
				    (off[m->above[v]] - sum[m->above[v]]);
		}
	for (i = 0; i < m->keys; i++)
		off[i] = (off[m->above[i]] - sum[m->above[i]]) / u[m->above[i]];
}

static double
sum_over(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

/* A table: its sum by cells, rows and columns; then by the total of all, which --other is in. */
static void
fit_table(const struct dp_margins *m, double r, const double *over, double *off)
{
	const double R = (double)m->rows, C = (double)m->columns;
	const double *row = over, *column = over + m->rows;
	const double rows = sum_over(row, m->rows), columns = sum_over(column, m->columns);
	const double p = 1 / (R * C) + 1 / (R * r) + 1 / (C * r);
	const double rest = m->keys > m->rows * m->columns;
	double all = (rows / (R * r) + columns / (C * r)) / p, more, *to = off + m->keys;
	size_t i, j;

	more = (over[m->n - 1] - all) / (1 / p + rest + r);
	all += more / p;
	for (i = 0; i < m->rows; i++)
		to[i] = all / R + C / (C + r) * (row[i] - rows / R);
	for (j = 0; j < m->columns; j++)
		to[m->rows + j] = all / C + R / (R + r) * (column[j] - columns / C);
	for (i = 0; i < m->rows * m->columns; i++)
		off[i] = to[i / m->columns] / C + to[m->rows + i % m->columns] / R - all / (R * C);
	if (rest > 0)
		off[i] = more;
	to[m->n - 1] = all + rest * more;
}

void
dp_margins_own(const struct dp_margins *m, double r, const double *over, double *off, double *room)
{
	if (m->form == DP_MARGINS_TREE)
		fit_tree(m, r, over, off, room);
	else
		fit_table(m, r, over, off);
}

/* ---- the mechanism ---- */

/* So many numbers of a kind, keys' or totals', have a coefficient. */
struct group {
	double coef, n;
};

/* Nodes whose estimates have one law: keys below one total, or each kind of a table's. */
struct like {
	struct group *group[2];		/* of keys' numbers, and of totals'; NULL: not yet made */
	size_t n[2];
	double variance;		/* in that of a key's number */
	struct last {
		double variance, w;	/* of the law that w was found for */
	} last[DP_WINDOWS_MAX];
};

struct margins {
	struct dp_mech m;
	const struct dp_margins *of;
	unsigned windows;
	double r;			/* variance of a total's noise */
	double *over, *off, *room;	/* of the totals; of the nodes; three times those */
	struct like *like;
	size_t likes, worst;		/* worst: keys with the largest error */
	double gamma;
	struct dp_law *one, *law;
};

static struct margins *
plan_of(const struct dp_mech *m)
{
	return (void *)(uintptr_t)m;
}

static size_t
like_of(const struct margins *k, size_t node)
{
	const struct dp_margins *m = k->of;

	if (m->form == DP_MARGINS_TREE)
		return node < m->keys ? m->n + m->above[node] - m->keys : node - m->keys;
	return node < m->rows * m->columns ? 0 : node < m->keys ? 1 : node - m->keys < m->rows ? 2 :
	    node + 1 < m->keys + m->n ? 3 : 4;
}

/* What is told behind the private numbers. */
static dp_wide *
told(const struct margins *k, const void *col)
{
	return (dp_wide *)(uintptr_t)dp_parts_numbers(&k->m, col) +
	    (k->of->keys + k->of->n) * k->windows;
}

static void
estimate_nodes(const struct margins *k, const dp_wide *y, dp_wide *est)
{
	const struct dp_margins *m = k->of;
	const unsigned W = k->windows;
	const double unit = pow(10, FINER);
	size_t i, j;

	for (i = 0; i < m->keys; i++)
		est[i * W] = y[i * W];
	for (i = 0; i < m->n; i++) {
		est[(m->keys + i) * W] = 0;
		for (j = m->first[i]; j < m->first[i + 1]; j++)
			est[(m->keys + i) * W] += y[m->key[j] * W];
		k->over[i] = (double)(y[(m->keys + m->number[i]) * W] - est[(m->keys + i) * W]);
	}
	dp_margins_own(m, k->r, k->over, k->off, k->room);
	for (i = 0; i < m->keys + m->n; i++)
		est[i * W] = est[i * W] * (dp_wide)unit + (dp_wide)rint(k->off[i] * unit);
}

static int
margins_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct margins *k = plan_of(m);
	unsigned w;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (w = 0; w < k->windows; w++)
		estimate_nodes(k, dp_parts_numbers(m, col) + w, est + w);
	memcpy(told(k, col), est, (k->of->keys + k->of->n) * k->windows * sizeof *est);
	return 0;
}

static int
by_coef(const void *a, const void *b)
{
	const double x = ((const struct group *)a)->coef, y = ((const struct group *)b)->coef;

	return x > y ? -1 : x < y;
}

/* Coefficients, largest first; as many of one as are no more than `near' of it less. */
static size_t
gather(struct group *g, size_t n, double near)
{
	size_t i, to = 0;

	qsort(g, n, sizeof *g, by_coef);
	for (i = 0; i < n; i++)
		if (to > 0 && g[i].coef >= g[to - 1].coef * (1 - near))
			g[to - 1].n += g[i].n;
		else if (g[i].coef > 0)
			g[to++] = g[i];
	return to;
}

/* The coefficients of all numbers in a node's estimate (margins.h, INTERVALS). */
static int
make_like(struct margins *k, struct like *l, size_t node)
{
	const struct dp_margins *m = k->of;
	const size_t total = node - m->keys;
	const double own = node < m->keys ? 1 : k->r;
	size_t i, j;

	for (i = 0; i < m->n; i++) {
		k->over[i] = node < m->keys ? 0 : i == total;
		for (j = m->first[i]; node < m->keys && j < m->first[i + 1]; j++)
			k->over[i] -= m->key[j] == node;
	}
	dp_margins_own(m, k->r, k->over, k->off, k->room);
	l->group[0] = calloc(m->keys, sizeof *l->group[0]);
	l->group[1] = calloc(m->n, sizeof *l->group[1]);
	if (l->group[0] == NULL || l->group[1] == NULL)
		return DP_ENOMEM;
	for (i = 0; i < m->keys; i++)
		l->group[0][i] = (struct group){ fabs((i == node) + k->off[i]) * own, 1 };
	for (i = 0; i < m->n; i++)
		l->group[1][i] = (struct group){ fabs(k->off[m->keys + i] +
		    (node < m->keys ? -k->over[i] : 0)) * own / k->r, 1 };
	l->variance = node < m->keys ? l->group[0][node].coef : l->group[1][total].coef * k->r;
	l->n[0] = gather(l->group[0], m->keys, SAME);
	l->n[1] = gather(l->group[1], m->n, SAME);
	return 0;
}

/* A number's law, times the coefficients of n groups; returns the sum of these. */
static double
add_law(struct dp_law *l, const struct dp_law *of, const struct group *g, size_t n)
{
	double sum = 0, squares = 0;
	unsigned i;

	l->full |= of->full || of->bits > 0 || of->flips != 0;
	for (; n > 0; n--, g++) {
		for (i = 0; i < of->terms; i++)
			dp_law_add(l, of->term[i].noise, g->coef * of->term[i].coef,
			    g->n * of->term[i].n);
		sum += g->coef * g->n;
		squares += g->coef * g->coef * g->n;
	}
	for (i = 0; i < of->parts; i++)
		dp_law_part(l, &(struct dp_law_part){ .variance = squares *
		    of->part[i].variance });
	return sum;
}

/*
 * The law of a node's estimate.  Where it would have more terms than there is room for,
 * coefficients that are near count as the larger one, which spreads their noise wider.  Returns
 * what it is off besides.
 */
static double
law_of(struct margins *k, struct like *l, unsigned window, uint64_t t, struct dp_law *out)
{
	double near, off = 0;
	unsigned p;

	dp_law_clear(out);
	out->between = true;
	for (p = 0; p < 2; p++) {
		dp_mech_law(k->m.part[p].inner, window, t, k->one);
		for (near = 1. / 1024; l->n[p] * k->one->terms > DP_LAW_TERMS / 2 && near < 1;
		    near *= 2)
			l->n[p] = gather(l->group[p], l->n[p], near);
		off += add_law(out, k->one, l->group[p], l->n[p]) *
		    k->m.part[p].inner->off.drift;
	}
	return off;
}

static int
interval_of(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	struct margins *k = plan_of(m);
	const size_t node = out / k->windows;
	const unsigned window = out % k->windows;
	struct like *l = &k->like[like_of(k, node)];
	struct last *last = &l->last[window];
	double v, off;
	int e;

	if (l->group[0] == NULL && (e = make_like(k, l, node)) != 0)
		return e;
	off = law_of(k, l, window, t, k->law);
	v = dp_law_variance(k->law);
	if (k->gamma != gamma || last->variance != v || v == 0) {
		k->gamma = gamma;
		last->variance = v;
		last->w = isinf(v) ? INFINITY : dp_law_bound(k->law, gamma);
	}
	if (isnan(last->w))
		return DP_ENOMEM;
	if (isinf(last->w))
		return DP_ERANGE;
	off = (last->w + off) * pow(10, k->m.estimate.decimals);
	*lo = told(k, col)[out] - (dp_wide)ceil(off) - 1;
	*hi = told(k, col)[out] + (dp_wide)ceil(off) + 1;
	return 0;
}

/* Of the keys with the largest error. */
static void
law_margins(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	struct margins *k = plan_of(m);

	(void)law_of(k, &k->like[k->worst], out, t, l);
}

static void
margins_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct margins *k = plan_of(m);

	dp_mech_error(m->part->inner, T, e);
	e->max *= k->like[k->worst].variance;
	e->mean *= k->like[k->worst].variance;
}

static bool
margins_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	struct margins *k = plan_of(m);
	const struct dp_margins *of = k->of;
	const double left = 1 - dp_q_double(of->share);
	const uint64_t T = k->m.horizon != 0 ? k->m.horizon : 1;
	double sd, most = 0, key, total;
	size_t j, at = 0;

	if (i != 0)
		return false;
	for (j = 0; j < of->n; j++)
		if ((double)(of->first[j + 1] - of->first[j]) > most) {
			most = (double)(of->first[j + 1] - of->first[j]);
			at = j;
		}
	dp_mech_law(m->part->inner, 0, T, k->one);
	sd = sqrt(dp_law_variance(k->one)) * unit;
	if (k->like[like_of(k, of->keys + at)].group[0] == NULL &&
	    make_like(k, &k->like[like_of(k, of->keys + at)], of->keys + at) != 0)
		return false;
	key = sd * sqrt(k->like[k->worst].variance);
	total = sd * sqrt(k->like[like_of(k, of->keys + at)].variance);
	snprintf(text, size, "%.4g of the budget is on %zu total%s, in %u level%s, with noise of "
	    "their own: what is printed is fitted to them and to the keys.  A key is off by some "
	    "%.4g (%.4g with --margins alone), the total of %.0f keys by %.4g (%.4g)%s", 1 - left,
	    of->n, of->n == 1 ? "" : "s", of->levels, of->levels == 1 ? "" : "s", key, sd * left,
	    most, total, sd * left * sqrt(most), total < .999 * sd * left * sqrt(most) ? "" :
	    ": with so few keys nothing is gained by it");
	return true;
}

static void
margins_destroy(struct dp_mech *m)
{
	struct margins *k = plan_of(m);
	size_t i;

	for (i = 0; k->like != NULL && i < k->likes; i++) {
		free(k->like[i].group[0]);
		free(k->like[i].group[1]);
	}
	free(k->like);
	free(k->over);
	free(k->one);
	free(k->law);
}

static const struct dp_mech_ops ops = {
	.name = "margins", .say.source = "computed of private numbers", .step = margins_step,
	.open.add = dp_parts_add, .valid = dp_parts_valid, .law.at = law_margins,
	.bound.interval = interval_of, .error = margins_error, .say.note = margins_note,
	.destroy = margins_destroy, .drawn.certify = dp_certificate_parts
};

/* All that keys' estimates have in common; nodes are planned, and r is known. */
static int
make_likes(struct margins *k)
{
	const struct dp_margins *m = k->of;
	size_t i, at;
	int e;

	k->likes = m->form == DP_MARGINS_TREE ? 2 * m->n : 5;
	k->like = calloc(k->likes, sizeof *k->like);
	k->over = calloc(m->n + 4 * (m->keys + m->n), sizeof *k->over);
	k->one = malloc(sizeof *k->one);
	k->law = malloc(sizeof *k->law);
	if (k->like == NULL || k->over == NULL || k->one == NULL || k->law == NULL)
		return DP_ENOMEM;
	k->off = k->over + m->n;
	k->room = k->off + m->keys + m->n;
	k->worst = like_of(k, 0);
	for (i = 0; i < m->keys; i++) {
		at = like_of(k, i);
		if (k->like[at].group[0] == NULL && (e = make_like(k, &k->like[at], i)) != 0)
			return e;
		if (k->like[at].variance > k->like[k->worst].variance)
			k->worst = at;
	}
	return 0;
}

static int
margins_make(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	const struct dp_mech_ops *each[DP_BANDS] = { counter, counter, counter, counter };
	const struct dp_margins *of = rule->task.own;
	struct margins *k = dp_mech_alloc(&ops, sizeof *k, rule->horizon, 0);
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_q share[DP_BANDS];
	double own;
	unsigned g;
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	share[0] = dp_q_left((struct dp_q){ 1, 1 }, of->share);
	for (g = 1; g < rule->bands; g++)
		if (dp_q_div(&share[g], of->share, (struct dp_q){ of->levels, 1 }) != 0)
			return DP_ERANGE;
	dp_numbers_same(numbers, "share", of->share.num);
	dp_numbers_same(numbers, "shares", of->share.den);
	/* a state's totals have the events of their keys: other sums would be of other keys */
	dp_numbers_same_bytes(numbers, "firsts", of->first, (of->n + 1) * sizeof *of->first);
	dp_numbers_same_bytes(numbers, "keys", of->key, of->first[of->n] * sizeof *of->key);
	dp_numbers_same_bytes(numbers, "totals", of->number, of->n * sizeof *of->number);
	dp_numbers_same_bytes(numbers, "levels", of->depth, of->n * sizeof *of->depth);
	if ((e = dp_parts_create(&k->m, rule, each, share)) != 0)
		return e;
	k->of = of;
	k->windows = k->m.part->inner->outputs;
	k->m.outputs = k->windows;
	k->m.nodes = of->keys + of->n;
	k->m.estimate.decimals = k->m.part->inner->estimate.decimals + FINER;
	k->m.drawn.distribution = k->m.part->inner->drawn.distribution;
	k->m.beside += k->m.nodes * k->windows * sizeof(dp_wide);
	k->m.column += k->m.nodes * k->windows * sizeof(dp_wide);
	own = share[0].num == 0 ? 1 : dp_q_double(share[0]) / dp_q_double(share[1]);
	k->r = own * own;
	return make_likes(k);
}

/* "running count, and that of totals with noise of their own" */
static void
margins_describe(const struct dp_task *task, char *text, size_t size)
{
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];

	of.statistic = NULL;
	snprintf(text, size, "%s, fitted to totals with noise of their own",
	    dp_task_sentence(&of, sums));
}

const struct dp_statistic dp_margins_statistic = {
	.name = "margins", .describe = margins_describe, .measure = DP_MEASURE_RMSE,
	.make = margins_make
};
