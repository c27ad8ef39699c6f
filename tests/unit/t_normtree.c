/* SPDX-License-Identifier: ISC */
/*
 * t_normtree.c - the norm tree by what its header says, from the tables alone.
 *
 * loss     every point of trees of 2 and of 4 steps, within a box that reaches beyond the tables,
 *          against its neighbours: the largest change of log p is at most rate, and above 0.99 of
 *          it
 * beyond   what the certificate takes for N beyond A, against every split
 * slack    what is certified in doubles, against long doubles
 * errors   variances against sums over all points; count_max() against every step
 * targets  what it must reach, also just above a power of two (argument quick: left out)
 * refused  shares that leave nothing, tables that would be too long
 * column   reads and writes what is its own
 * replay   a plan whose tables differ, or of a tree of other levels, is refused, of a later segment
 *          when that begins; a forged column
 */
#include <stdio.h>

#include "mech.h"
#include "normtree/internal.h"
#include "normtree_law.h"
#include "stats.h"

static bool
near(double a, double b, double rel)
{
	return fabs(a - b) <= rel * fabs(b);
}

#define REACH	500

struct logs {
	const struct dp_normtree *p;
	double N[3][REACH], R[REACH];	/* of |P| */
};

static void
take_logs(struct logs *g, const struct dp_normtree *p)
{
	unsigned l;
	int64_t P;

	g->p = p;
	for (P = 0; P < REACH; P++) {
		g->R[P] = (double)logl(entry(p->root, p->A, p->beyond, P));
		for (l = 1; l <= p->h; l++)
			g->N[l][P] = (double)logl(total(p, l - 1, P));
	}
}

static double
log_split(const struct logs *g, unsigned l, int64_t a, int64_t b)
{
	return (double)logl(weight(g->p, l - 1, a, b)) - g->N[l][llabs(a + b)];
}

static struct dp_normtree *
tree_of(unsigned h, const struct dp_mech_rule *s)
{
	struct dp_normtree_shape shape;
	struct dp_normtree *p;

	dp_normtree_shape(&shape, h);
	return dp_normtree_create(&p, &shape, &s->privacy) == 0 ? p : NULL;
}

static struct dp_normtree *
tree(unsigned h, uint64_t num, uint64_t den)
{
	const struct dp_mech_rule s = setting(0, num, den, 1);

	return tree_of(h, &s);
}

/* T = 2: all |w_t| <= box. */
static double
worst_of_two(const struct logs *g, int64_t box)
{
	double here, worst = 0;
	int64_t a, b;

	for (a = -box; a <= box; a++)
		for (b = -box; b <= box; b++) {
			here = g->R[llabs(a + b)] + log_split(g, 1, a, b);
			worst = fmax(worst, fabs(here - g->R[llabs(a + b + 1)] -
			    log_split(g, 1, a + 1, b)));
			worst = fmax(worst, fabs(here - g->R[llabs(a + b + 1)] -
			    log_split(g, 1, a, b + 1)));
		}
	return worst;
}

/*
 * T = 4, as moving one step of the first half moves (a, b) of the lower level and, by P = a + b,
 * what is above: the loss of a pair of moves is the sum, so all w are tried with few logarithms.
 */
static double
worst_of_four(const struct logs *g, int64_t box)
{
	double low[2], up, high, worst = 0;
	int64_t a, b, c, P;

	for (P = -2 * box; P <= 2 * box; P++) {
		low[0] = INFINITY, low[1] = -INFINITY;	/* of all splits of P, one step more */
		for (a = P - box; a <= box; a++) {
			b = P - a;
			if (a < -box || b < -box)
				continue;
			up = log_split(g, 1, a + 1, b) - log_split(g, 1, a, b);
			low[0] = fmin(low[0], up);
			low[1] = fmax(low[1], up);
		}
		for (c = -2 * box; c <= 2 * box; c++) {
			high = log_split(g, 2, P + 1, c) - log_split(g, 2, P, c) +
			    g->R[llabs(P + 1 + c)] - g->R[llabs(P + c)];
			worst = fmax(worst, fmax(fabs(high + low[0]), fabs(high + low[1])));
		}
	}
	return worst;
}

static void
loss(void)
{
	/* from the sixth on c is a little above a whole number; in the last, A is short */
	static const struct { uint64_t num, den; } rate[] = { { 1, 1 }, { 1, 3 }, { 3, 1 },
	    { 20, 1 }, { 1, 10 }, { 71586, 100000 }, { 7150, 10000 }, { 2862, 8000 },
	    { 67735, 1000000 } };
	struct dp_normtree *p;
	struct logs g;
	double e, worst;
	unsigned i, h;

	for (i = 0; i < sizeof rate / sizeof rate[0]; i++)
		for (h = 1; h <= 2; h++) {
			p = tree(h, rate[i].num, rate[i].den);
			check(p != NULL && 4 * p->A + 38 <= REACH);
			if (p == NULL || 4 * p->A + 38 > REACH)
				continue;
			e = (double)rate[i].num / (double)rate[i].den;
			take_logs(&g, p);
			worst = h == 1 ? worst_of_two(&g, p->A + 9) :
			    worst_of_four(&g, p->A + 9);
			check(worst <= p->loss + 1e-11 && worst > 0.99 * e && p->loss <= e);
			if (worst > p->loss + 1e-11 || worst <= 0.99 * e)
				printf("h %u, rate %g: worst %.12g\n", h, e, worst);
			dp_normtree_free(p);
		}
}

static void
beyond(unsigned level, uint64_t num, uint64_t den)
{
	struct dp_normtree *p = tree(3, num, den);
	const struct dp_normtree_level *of = &p->level[level - 1];
	double *space = p == NULL ? NULL : malloc(dp_normtree_work(p->A));
	struct work w;
	unsigned v;

	check(space != NULL);
	if (space == NULL)
		return;
	dp_normtree_start(&w, p->A, 0, space);
	w.open = false;
	w.beyond.q[0] = (double)value(of->beyond[0]);
	for (v = 0; v <= w.last; v++)
		w.g[0][v] = (double)entry(of->child[0], p->A, of->beyond[0], v);
	dp_normtree_weigh_beyond(&w);
	for (v = p->A + 1; v <= 2 * p->A + 1; v++)
		check(near(w.N[v], (double)total(p, level - 1, v), 1e-12));
	free(space);
	dp_normtree_free(p);
}

/* Variances of all prefixes of four steps, by their probabilities. */
static void
errors(void)
{
	struct dp_normtree *p = tree(2, 2, 1);
	struct logs g;
	double v[4] = { 0 }, mass = 0, one, sub;
	int64_t a, b, c, d, w[4];
	const int64_t box = 14;
	struct dp_error e;
	int i;

	check(p != NULL);
	if (p == NULL)
		return;
	take_logs(&g, p);
	for (a = -box; a <= box; a++)
		for (b = -box; b <= box; b++)
			for (c = -box; c <= box; c++) {
				sub = log_split(&g, 1, a, b);
				for (d = -box; d <= box; d++) {
					one = exp(sub + log_split(&g, 1, c, d) +
					    log_split(&g, 2, a + b, c + d) +
					    g.R[llabs(a + b + c + d)]);
					w[0] = a, w[1] = a + b, w[2] = w[1] + c, w[3] = w[2] + d;
					for (i = 0; i < 4; i++)
						v[i] += one * (double)(w[i] * w[i]);
					mass += one;
				}
			}
	for (i = 0; i < 4; i++)
		check(near(dp_normtree_variance(p, NULL, 0, (uint64_t)i + 1), v[i] / mass, 1e-5));
	dp_normtree_error(p, NULL, 0, 4, &e);
	check(near(e.mean, (v[0] + v[1] + v[2] + v[3]) / mass / 4, 1e-5));
	dp_normtree_free(p);
}

/* The maximum and the mean against every step, T no power of two. */
static void
every_step(void)
{
	static const uint64_t T[] = { 1, 2, 3, 5, 7, 8, 21, 64, 77, 128, 1000, 1023, 1024 };
	struct dp_normtree *p;
	struct dp_error e;
	double v, most, sum;
	uint64_t t;
	unsigned i;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		p = tree(T[i] < 2 ? 1 : dp_ceil_log2(T[i]), 1, 1);
		check(p != NULL);
		if (p == NULL)
			continue;
		for (most = sum = 0, t = 1; t <= T[i]; t++) {
			v = dp_normtree_variance(p, NULL, 0, t);
			sum += v;
			most = fmax(most, v);
		}
		dp_normtree_error(p, NULL, 0, T[i], &e);
		check(near(e.max, most, 1e-9) && near(e.mean, sum / (double)T[i], 1e-9) &&
		    near(dp_normtree_variance(p, NULL, 0, e.worst), most, 1e-9));
		dp_normtree_free(p);
	}
}

static void
reach(uint64_t T, double max, double mean)
{
	struct dp_mech_rule s = setting(T == 0 ? 0 : T, 1, 1, 1);
	struct dp_mech *m = make("normtree", &s);
	struct dp_error e;

	check(m != NULL);
	if (m == NULL)
		return;
	dp_mech_error(m, T == 0 ? 1 << 20 : T, &e);
	check(sqrt(e.max) <= max && sqrt(e.mean) <= mean);
	if (sqrt(e.max) > max || sqrt(e.mean) > mean)
		printf("T = %llu: %.4g/%.4g\n", (unsigned long long)T, sqrt(e.max), sqrt(e.mean));
	dp_mech_free(m);
}

static bool
error_of_count(uint64_t T, uint64_t tenths, struct dp_error *e)
{
	struct dp_mech_rule s = setting(T, tenths, 10, 1);
	struct dp_mech *m = make("normtree", &s);

	if (m != NULL)
		dp_mech_error(m, T, e);
	dp_mech_free(m);
	return m != NULL;
}

/* A step beyond a power of two costs at most 1 % of the mean error, and most of the largest. */
static void
one_more(uint64_t T, uint64_t tenths, double most)
{
	struct dp_error whole, more;
	double mean, max;

	if (!error_of_count(T, tenths, &whole) || !error_of_count(T + 1, tenths, &more)) {
		fail("a count has no plan");
		return;
	}
	mean = sqrt(more.mean / whole.mean);
	max = sqrt(more.max / whole.max);
	check(mean <= 1.01 && max <= most);
	if (!(mean <= 1.01 && max <= most))
		printf("T = %llu: one more has %g times the mean, %g the largest\n",
		    (unsigned long long)T, mean, max);
}

static void
just_above(void)
{
	uint64_t T;

	for (T = 32; T <= 1 << 20; T *= 2)
		one_more(T, 10, 1.01);
	one_more(1 << 7, 1, 1.01);
	one_more(1 << 9, 1, 1.01);
	one_more(1 << 10, 1, 1.01);
	one_more(1 << 11, 1, 1.0125);
	one_more(1 << 16, 1, 1.01);
}

static void
targets(void)
{
	just_above();
	reach(65, 5.37, 4.86);
	reach(84, 5.70, 5.18);
	reach(1 << 8, 7.3, 6.66);
	reach(365, 7.90, 7.10);
	reach(1000, 9.73, 8.64);
	reach(1 << 10, 9.65, 8.72);
	reach(1 << 12, 12.1, 10.808);
	reach(1 << 16, 17.70, 15.60);
	reach(1 << 20, 23.65, 20.97);
	reach(1 << 24, 30.4, 26.87);
	reach(1 << 30, 41.5, 36.6);
	reach(0, 28, 28);
}

static bool
error_of(const char *name, const struct dp_mech_rule *s, struct dp_error *e)
{
	struct dp_mech *m = make(name, s);

	if (m != NULL)
		dp_mech_error(m, s->horizon, e);
	dp_mech_free(m);
	return m != NULL;
}

/* Of a running count by a tree of equal children. */
static bool
count_error(const struct dp_mech_rule *s, struct dp_error *e)
{
	struct dp_normtree *p = tree_of(s->horizon < 2 ? 1 : dp_ceil_log2(s->horizon), s);

	if (p != NULL)
		dp_normtree_error(p, NULL, 0, s->horizon, e);
	dp_normtree_free(p);
	return p != NULL;
}

/* Both errors are at most 1 % above those of another mechanism, or of such a count. */
static void
no_worse(const struct dp_mech_rule *s, const char *other, bool counts)
{
	struct dp_error e, than;

	if (counts ? !count_error(s, &than) : !error_of(other, s, &than))
		return;
	check(error_of("normtree", s, &e));
	check(sqrt(e.max / than.max) <= 1.01 && sqrt(e.mean / than.mean) <= 1.01);
	if (sqrt(e.max / than.max) > 1.01 || sqrt(e.mean / than.mean) > 1.01)
		printf("alpha %g, w %llu, T %llu: %.4g/%.4g, %s %.4g/%.4g\n", s->task.alpha,
		    (unsigned long long)s->task.w[0], (unsigned long long)s->horizon, sqrt(e.max),
		    sqrt(e.mean), counts ? "count" : other, sqrt(than.max), sqrt(than.mean));
}

/* Windows and decays whose horizon is short, and long. */
static void
streams(void)
{
	static const double alpha[] = { .9, .95, .99, .999, .9999, .99999 };
	static const uint64_t w[] = { 5, 7, 9, 10, 16, 31, 100, 365, 1000 };
	static const uint64_t T[] = { 6, 8, 12, 16, 17, 22, 24, 30, 33, 48, 100, 128, 365, 1000,
	    1025, 3000, 10000 };
	struct dp_mech_rule s;
	size_t i, j;

	for (j = 0; j < sizeof T / sizeof T[0]; j++) {
		for (i = 0; i < sizeof alpha / sizeof alpha[0]; i++) {
			s = setting(T[j], 1, 1, 1);
			s.task = (struct dp_task){ .what = DP_TASK_EXP, .alpha = alpha[i],
			    .decimals = 6 };
			no_worse(&s, "input", false);
			if ((double)T[j] * (1 - alpha[i]) < 0.1)
				no_worse(&s, "normtree", true);
		}
		for (i = 0; i < sizeof w / sizeof w[0]; i++) {
			s = setting(T[j] + w[i] - 6, 1, 1, 1);
			s.task = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1,
			    .w = { w[i] } };
			no_worse(&s, "input", false);
			if (s.horizon == w[i])
				no_worse(&s, "normtree", true);
		}
	}
}

static void
refused(void)
{
	struct dp_normtree_shape s;
	struct dp_normtree p = { .A = 60 }, *whole;

	dp_normtree_shape(&s, 4);
	check(dp_normtree_set(&p, &s, 1, DP_NORMTREE_DRAW) == 0);
	check(p.loss <= 1 && p.loss > 0.999998);
	dp_normtree_release(p.held.memory);
	s.kind[1].share *= 1.01;
	check(dp_normtree_set(&p, &s, 1, DP_NORMTREE_DRAW) == DP_ERANGE);
	dp_normtree_release(p.held.memory);
	dp_normtree_shape(&s, 4);
	p.A = 3;			/* g is not straight yet */
	check(dp_normtree_set(&p, &s, 0.1, DP_NORMTREE_DRAW) == DP_ERANGE);
	dp_normtree_release(p.held.memory);
	whole = tree(20, 1, 1);
	check(tree(20, 1, 1000000000) == NULL && whole != NULL);
	dp_normtree_free(whole);
}

/* A level's N' as certified, and how k falls, are off by no more than is said. */
static void
numbers(struct work *w, const struct dp_normtree *p, unsigned l, double e)
{
	const struct dp_normtree_level *v = &p->level[l - 1];
	double worst = 0, sum[2];
	unsigned P;

	w->open = v->open;
	w->beyond.q[0] = w->open ? 1 : (double)value(v->beyond[0]);
	w->beyond.fade = (double)value(v->fade);
	w->beyond.wedge = 0;
	for (P = 0; P <= p->A; P++) {
		w->k[P] = (double)value(v->fall[P]);
		w->beyond.wedge += P > 0 ? w->k[P] : 0;
	}
	w->beyond.wedge += w->k[p->A] * w->beyond.fade / (1 - w->beyond.fade);
	for (P = 0; P <= w->last; P++)	/* from step to step, as they are made */
		w->g[0][P] = P <= p->A ? (double)value(v->child[0][P]) :
		    w->g[0][P - 1] * w->beyond.q[0];
	for (P = 0; P <= p->A; P++) {
		(void)dp_normtree_weights(w, 0, P, DP_NORMTREE_NOTHING, sum);
		w->N[P] = dp_normtree_both(w, P, sum);
	}
	if (!w->open)
		dp_normtree_weigh_beyond(w);
	for (P = 0; P <= (w->open ? 1 : 2) * p->A + !w->open; P += 1 + P / 16)
		worst = fmax(worst, (double)fabsl(w->N[P] / total(p, l - 1, P) - 1));
	check(worst < DP_NORMTREE_OFF);
	if (worst >= DP_NORMTREE_OFF)
		printf("level %u: N' is off by %g\n", l, worst);
	if (!w->open)
		check(fabsl(logl(value(v->fade)) + 2 * (long double)e) < DP_NORMTREE_OFF);
}

/*
 * What doubles and draws hide of a level's loss is less than its slack: the sums that certify()
 * has, of numbers which are measured.  A is large in the first.
 */
static void
slack(void)
{
	static const struct { uint64_t num, den; } rate[] = { { 94, 1000 }, { 1, 1 }, { 20, 1 },
	    { 1, 100 } };
	const double round = 0x1p-53;
	struct dp_normtree *p;
	struct work w;
	double *space;
	unsigned i, l;

	check(DP_NORMTREE_FALL + 5 * DP_NORMTREE_OFF + 12 * round + DP_NORMTREE_SAMPLED <=
	    DP_NORMTREE_SLACK);
	check(3 * DP_NORMTREE_OFF + 8 * round + DP_NORMTREE_SAMPLED <= DP_NORMTREE_BEYOND);
	for (i = 0; i < sizeof rate / sizeof *rate; i++) {
		p = tree(5, rate[i].num, rate[i].den);
		space = p == NULL ? NULL : malloc(dp_normtree_work(p->A));
		check(space != NULL && (i > 0 || p->A > 400));
		if (space == NULL)
			continue;
		dp_normtree_start(&w, p->A, p->fine, space);
		for (l = 1; l <= p->h; l++)
			numbers(&w, p, l, p->shape.kind[l - 1].share *
			    ldexp(p->rate, (int)p->fine));
		free(space);
		dp_normtree_free(p);
	}
}

/*
 * Plans that only a forged state has: their tables fall below what doubles hold, or their splines
 * are as steep as nothing else, and would be looked at for hours.
 */
static void
forged(void)
{
	static const struct {
		unsigned A, fine;
		double rate, share, root, corner;
	} plan[] = {
		{ 66, 0, 6.28616, 0.9955, 0.0044, 54.7 }, { 334, 0, 2.38553, 0.58, 0.41, 0.4 },
		{ 127, 0, 4.90874, 0.9, 0.03, 0.4 }, { 146, 0, 7.01952, 0.013, 0.95, 0.4 },
		{ 533, 0, 1.86638, 0.023, 0.97, 0.5 }, { 67, 0, 12.1985, 0.055, 0.81, 0.3 },
		{ 600, 0, 1e-5, 1e-3, 0.4, 64 }, { 12, 24, 1e-6, 0.9, 0.09, 0.5 },
		{ 12, 28, 19, 0.9, 0.09, 0.5 }, { 12, 2, 1.5625, 0.048, 0.352, 0.5 },
		/* sound, but no envelope is above them: no draw would succeed */
		{ 3, 0, 0.8492, 0.328017, 0.0447194, 0.5849 },
		{ 17, 0, 0.1817, 0.41347, 0.58643, 1.84 },
		{ 30, 0, 0.4192, 0.0888862, 0.911014, 0.9494 }
	};
	struct dp_normtree_shape s;
	struct dp_normtree p;
	size_t i;

	dp_normtree_shape(&s, 1);
	for (i = 0; i < sizeof plan / sizeof *plan; i++) {
		p = (struct dp_normtree){ .A = plan[i].A, .fine = plan[i].fine };
		s.kind[0].share = plan[i].share;
		s.root = plan[i].root;
		s.kind[0].corner = plan[i].corner;
		check(dp_normtree_set(&p, &s, plan[i].rate, DP_NORMTREE_DRAW) == DP_ERANGE);
		dp_normtree_release(p.held.memory);
	}
}

/* A plan replays its own numbers, and no others: every so many of them, as each takes a plan. */
static void
replay(uint64_t l1, unsigned every)
{
	struct dp_numbers list = { .n = 0 };
	struct dp_mech_rule s = setting(1000, 1, 1, l1);
	struct dp_mech_rule rule = { .privacy = s.privacy, .horizon = 1000, .report = 1000,
	    .inputs = 1, .task = s.task };
	struct dp_mech *m = make("normtree", &s);
	const struct dp_mech_ops *o;
	size_t i, tried = 0, wrong = 0;
	uint64_t begin;

	check(m != NULL);
	if (m == NULL)
		return;
	o = m->ops;
	dp_mech_free(m);
	rule.privacy.numbers = &list;
	check(dp_mech_create(&m, o, &rule) == 0);
	dp_mech_free(m);
	dp_numbers_replay(&list);
	check(dp_mech_create(&m, o, &rule) == 0);
	dp_mech_free(m);
	/* no word may be another; four are the task's */
	for (i = 4; i < list.n; i += every, tried++) {
		list.number[i].word ^= (uint64_t)1 << 40;
		dp_numbers_replay(&list);
		if (dp_mech_create(&m, o, &rule) != 0)
			m = NULL;
		wrong += m == NULL || dp_normtree_count_tree(m, 0, &begin) == NULL;
		dp_mech_free(m);
		list.number[i].word ^= (uint64_t)1 << 40;
	}
	check(tried >= 5 && wrong == tried);
	dp_numbers_free(&list);
}

/* The number of that name. */
static struct dp_number *
number_of(struct dp_numbers *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->lines; i++)
		if (strcmp(list->line[i].name, name) == 0)
			return &list->number[list->line[i].first];
	abort();
}

/* A count replays the tables of a segment when it draws, and refuses it then if they are others. */
static void
replay_later(void)
{
	struct dp_numbers list = { .n = 0 };
	struct dp_mech_rule s = setting(0, 1, 1, 1);
	struct dp_mech_rule rule = { .privacy = s.privacy, .report = 1000, .inputs = 1,
	    .task = s.task };
	struct dp_mech *m = make("normtree", &s);
	const struct dp_mech_ops *o = m->ops;
	struct dp_rng *rng;
	struct column c;
	int64_t w[DP_FILL], untouched;
	uint64_t begin;

	dp_mech_free(m);
	rule.privacy.numbers = &list;
	check(dp_mech_create(&m, o, &rule) == 0);
	if (column_new(&c, m, NULL) != 0 || dp_rng_open_seed(&rng, 1) != 0)
		abort();
	dp_mech_free(m);
	number_of(&list, "segment.1.tables")->word ^= 1;
	dp_numbers_replay(&list);
	check(dp_mech_create(&m, o, &rule) == 0);
	check(m->ops->valid(m, c.state, 0) && m->ops->valid(m, c.state, 256));
	check(m->ops->many.fill(m, c.state, rng, 0, w) == 0);
	untouched = w[0];
	check(m->ops->many.fill(m, c.state, rng, 256, w) == DP_ESTATE && w[0] == untouched);
	check(dp_normtree_count_tree(m, 1, &begin) == NULL);
	check(dp_normtree_count_tree(m, 2, &begin) != NULL && begin == 256 + 4096);
	dp_mech_free(m);
	number_of(&list, "segment.1.tables")->word ^= 1;
	number_of(&list, "segment.1.root")->word += (uint64_t)1 << 52;	/* twice the share */
	dp_numbers_replay(&list);
	check(dp_mech_create(&m, o, &rule) == DP_EINVAL);
	dp_rng_free(rng);
	column_free(&c);
	dp_numbers_free(&list);
}

/* A state of before has another hash of its tables. */
static void
older(struct dp_numbers *list, const struct dp_normtree *p, const struct dp_normtree_shape *shape,
    const struct dp_privacy *privacy)
{
	struct dp_number *hash = number_of(list, "tables");
	struct dp_normtree *q;
	unsigned i;

	hash->word = dp_numbers_hash(p->held.memory, p->held.bytes);
	for (i = 0; i < 2; i++, hash->word ^= 1) {
		dp_numbers_replay(list);
		check(dp_normtree_create(&q, shape, privacy) == 0);
		check(dp_normtree_wake(q) == (i == 0 ? 0 : DP_ESTATE));
		dp_normtree_free(q);
	}
}

/* A plan that is made can be replayed, whatever T is: also just above a power of two. */
static void
replay_horizons(void)
{
	static const uint64_t T[] = { 1, 2, 3, 127, 128, 129, 136, 137, 513, 1000, 2049 };
	struct dp_mech_rule s = setting(1000, 1, 1, 1);
	struct dp_numbers list = { .n = 0 };
	struct dp_normtree_shape shape;
	struct dp_normtree *p, *q;
	unsigned i;

	for (i = 0; i < sizeof T / sizeof *T; i++) {
		dp_normtree_count_shape(&shape, T[i]);
		s.privacy.numbers = &list;
		p = q = NULL;
		check(dp_normtree_create(&p, &shape, &s.privacy) == 0);
		dp_numbers_replay(&list);
		check(p != NULL && dp_normtree_create(&q, &shape, &s.privacy) == 0);
		check(q != NULL && !q->awake && dp_normtree_wake(q) == 0 &&
		    memcmp(p->held.memory, q->held.memory, p->held.bytes) == 0);
		older(&list, p, &shape, &s.privacy);
		dp_normtree_free(p);
		dp_normtree_free(q);
		dp_numbers_free(&list);
	}
}

/* A plan that is sound, but of a tree of other levels: a column has no place for it. */
static void
replay_other(unsigned was, unsigned is)
{
	struct dp_numbers list = { .n = 0 };
	struct dp_mech_rule s = setting(1000, 1, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	int e;

	s.privacy.numbers = &list;
	dp_normtree_shape(&shape, was);
	check(dp_normtree_create(&p, &shape, &s.privacy) == 0);
	dp_normtree_free(p);
	dp_numbers_replay(&list);
	dp_normtree_shape(&shape, is);
	e = dp_normtree_create(&p, &shape, &s.privacy);
	check(e == DP_EINVAL);
	if (e == 0)
		dp_normtree_free(p);
	dp_numbers_free(&list);
}

/* A forged column's noise, which would overflow with a block's values. */
static void
forged_noise(void)
{
	struct dp_mech_rule s = setting(1000, 1, 1, 1);
	struct dp_mech *m = make("normtree", &s);
	struct column c;
	int64_t noise = ((int64_t)1 << 62) + 1;

	if (m == NULL || column_new(&c, m, NULL) != 0)
		abort();
	check(m->ops->valid(m, c.state, 64));
	memcpy((char *)c.state + sizeof(dp_wide), &noise, sizeof noise);
	check(!m->ops->valid(m, c.state, 64));
	column_free(&c);
	dp_mech_free(m);
}

/* What wakes has the tables and the variances of what was never asleep; a rest takes the tables. */
static void
asleep(uint64_t den)
{
	struct dp_mech_rule s = setting(0, 1, den, 1);
	struct dp_numbers list = { .n = 0 };
	struct dp_normtree *one = tree(8, 1, den), *p;
	struct dp_normtree_shape shape;
	unsigned i;

	check(one->moments.known);	/* of a run that goes on they wait (replayed) */
	dp_normtree_shape(&shape, 8);
	for (i = 0; i < 2; i++) {
		if (i > 0)
			s.privacy.numbers = &list;
		check(dp_normtree_reserve(&p, &shape, &s.privacy) == 0);
		check(!p->awake && !p->moments.known);
		check(p->held.bytes == one->held.bytes && p->loss <= one->loss &&
		    p->loss >= one->loss);
		check(dp_normtree_wake(p) == 0 && p->awake);
		check(memcmp(p->held.memory, one->held.memory, one->held.bytes) == 0);
		check(!p->moments.known);	/* nobody has asked */
		check(dp_normtree_know(p) && p->awake);
		check(memcmp(p->held.memory, one->held.memory, one->held.bytes) == 0);
		check(memcmp(p->moments.var, one->moments.var, sizeof p->moments.var) == 0);
		dp_normtree_rest(p);
		check(!p->awake && p->moments.known &&
		    memcmp(p->held.memory, one->held.memory, one->held.bytes) != 0);
		check(memcmp(p->moments.split, one->moments.split, sizeof p->moments.split) == 0);
		check(dp_normtree_wake(p) == 0);
		check(memcmp(p->held.memory, one->held.memory, one->held.bytes) == 0);
		dp_normtree_free(p);
	}
	dp_normtree_free(one);
	dp_numbers_free(&list);
	s = setting(0, 1, 1000000000, 1);
	check(dp_normtree_reserve(&p, &shape, &s.privacy) == DP_ERANGE);
}

/* The tables that a prediction made are those that are drawn from, and all that ask have them. */
static void
again(const struct dp_normtree_shape *shape)
{
	struct dp_mech_rule s = setting(0, 1, 2, 1);
	struct dp_memo memo = { .last = NULL };
	struct dp_normtree *p[3], *one;
	struct dp_rng *rng, *other;
	int64_t wait[2][DP_NORMTREE_LEVELS] = { { 0 } }, w[2][DP_FILL];
	uint64_t i, block;
	bool same = true;

	check(dp_normtree_create(&one, shape, &s.privacy) == 0);
	block = (uint64_t)1 << dp_normtree_bottom(one);
	s.privacy.memo = &memo;
	check(dp_normtree_measure(&p[0], shape, &s.privacy, true) == 0 && p[0]->awake);
	check(dp_normtree_measure(&p[1], shape, &s.privacy, true) == 0 && p[1]->awake);
	check(p[1]->held.memory == p[0]->held.memory);
	dp_normtree_rest(p[1]);
	check(dp_normtree_wake(p[1]) == 0 && p[1]->held.memory != p[0]->held.memory);
	check(dp_normtree_measure(&p[2], shape, &s.privacy, false) == 0 && !p[2]->awake);
	dp_normtree_free(p[0]);
	check(dp_normtree_create(&p[0], shape, &s.privacy) == 0 && p[0]->awake);
	dp_memo_free(&memo);
	check(memcmp(p[0]->held.memory, one->held.memory, one->held.bytes) == 0);
	check(dp_rng_open_seed(&rng, 5) == 0 && dp_rng_open_seed(&other, 5) == 0);
	for (i = 0; same && i < (uint64_t)1 << shape->h; i += block)
		same = dp_normtree_fill(one, wait[0], rng, i, w[0]) == 0 &&
		    dp_normtree_fill(p[0], wait[1], other, i, w[1]) == 0 &&
		    memcmp(w[0], w[1], block * sizeof w[0][0]) == 0;
	check(same);
	for (i = 0; i < 3; i++)
		dp_normtree_free(p[i]);
	dp_normtree_free(one);
	dp_rng_free(rng);
	dp_rng_free(other);
}

/* What a prediction measured is not measured again, whatever lay where its shape is. */
static void
measured_once(void)
{
	struct dp_mech_rule s = setting(0, 1, 2, 1);
	struct dp_memo memo = { .last = NULL };
	struct dp_normtree_shape shape;
	struct dp_normtree *p, *q;

	s.privacy.memo = &memo;
	s.privacy.dry = true;
	memset(&shape, 0x55, sizeof shape);
	dp_normtree_segment(&shape, 0);
	check(dp_normtree_measure(&p, &shape, &s.privacy, false) == 0 && p->moments.known);
	s.privacy.dry = false;
	memset(&shape, 0x2a, sizeof shape);
	dp_normtree_segment(&shape, 0);
	check(dp_normtree_reserve(&q, &shape, &s.privacy) == 0 && q->moments.known && !q->awake);
	dp_normtree_free(p);
	dp_normtree_free(q);
	dp_memo_free(&memo);
}

/* Of more steps than it was tuned for: all segments count, whether or not it is to draw. */
static void
predicts(void)
{
	struct dp_mech_rule s = setting(0, 1, 1, 1);
	struct dp_mech *m = make("normtree", &s), *dry = NULL;
	struct dp_mech_rule rule = { .privacy = s.privacy, .report = 1 << 20, .inputs = 1,
	    .task = s.task };
	struct dp_error a, b;
	uint64_t T;

	rule.privacy.dry = true;
	check(m != NULL && dp_mech_create(&dry, m->ops, &rule) == 0);
	for (T = 1 << 12; T < 1 << 30; T *= 64) {
		dp_mech_error(m, T, &a);
		dp_mech_error(dry, T, &b);
		check(a.max >= b.max && a.max <= b.max && a.mean >= b.mean && a.mean <= b.mean);
		/* what has ended stays in the total */
		check(b.mean > b.max / 2);
	}
	dp_mech_free(m);
	dp_mech_free(dry);
}

/* The same of laws: a prediction makes the trees that it is asked for. */
static void
predicts_laws(void)
{
	static struct dp_law law[2];
	struct dp_mech_rule s = setting(0, 1, 1, 1);
	struct dp_mech *m = make("normtree", &s), *dry = NULL;
	struct dp_mech_rule rule = { .privacy = s.privacy, .report = 1, .inputs = 1,
	    .task = s.task };
	struct dp_error a, b;
	uint64_t t;
	double w;

	rule.privacy.dry = true;
	check(m != NULL && dp_mech_create(&dry, m->ops, &rule) == 0);
	for (t = 200; m != NULL && dry != NULL && t < 1 << 17; t *= 25) {
		dp_law_clear(&law[0]);
		dp_law_clear(&law[1]);
		m->ops->law.blend(m, t, .25, .75, &law[0]);
		dry->ops->law.blend(dry, t, .25, .75, &law[1]);
		w = dp_law_variance(&law[0]);
		check(near(dp_law_variance(&law[1]), w, 0) && w > 10);
		check(near(dp_mech_variance(m, t), dp_mech_variance(dry, t), 0));
	}
	/* and of two segments the errors are those of each step's */
	if (m != NULL) {
		m->ops->error(m, 512, &a);
		dp_mech_error(m, 512, &b);
		check(near(a.max, b.max, 1e-9) && near(a.mean, b.mean, 1e-9));
	}
	dp_mech_free(m);
	dp_mech_free(dry);
}

/* A column is h words: that no more is read or written a sanitizer sees. */
static void
column(void)
{
	int64_t *wait = calloc(8, sizeof *wait), w[1 << DP_NORMTREE_BLOCK];
	struct dp_normtree *p = tree(8, 1, 1);
	struct dp_rng *rng;
	uint64_t i;

	check(wait != NULL && p != NULL && dp_rng_open_seed(&rng, 7) == 0);
	for (i = 0; i < 1 << 9; i += 1 << DP_NORMTREE_BLOCK)
		check(dp_normtree_fill(p, wait, rng, i, w) == 0 && dp_normtree_valid(p, wait));
	dp_rng_free(rng);
	dp_normtree_free(p);
	free(wait);
}

int
main(int argc, char **argv)
{
	struct dp_normtree_shape shape;

	PART(column());
	PART(loss());
	PART(beyond(2, 1, 1));
	PART(beyond(3, 1, 1));
	PART(beyond(3, 20, 1));
	PART(beyond(2, 1, 10));
	PART(errors());
	PART(every_step());
	PART(streams());
	PART(refused());
	PART(slack());
	PART(forged());
	PART(forged_noise());
	PART(replay_horizons());
	PART(replay_later());
	PART(replay_other(10, 2));
	PART(replay_other(2, 10));
	PART(asleep(1));
	PART(asleep(100));
	dp_normtree_shape(&shape, 13);
	PART(again(&shape));
	dp_normtree_count_shape(&shape, 700);
	PART(again(&shape));
	PART(measured_once());
	PART(predicts());
	PART(predicts_laws());
	PART(replay(1, 7));
	PART(replay(1000, 47));
	if (argc < 2 || strcmp(argv[1], "quick") != 0)
		PART(targets());
	return done();
}
