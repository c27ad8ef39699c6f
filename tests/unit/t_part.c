/* SPDX-License-Identifier: ISC */
/*
 * t_part.c - a mechanism made of others (mech.h), here of a binary tree and three pan-private
 * counters, with noise of its own; and what a part may spend (dp_privacy_part()).
 */
#include "counter/internal.h"
#include "mech.h"

extern const struct dp_mech_ops dp_tree_ops, dp_pan_ops, dp_allwindow_paper_ops;

static unsigned started, destroyed;

struct whole {
	struct dp_mech m;
	struct dp_noise own;
};

static int
own_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	int64_t z;

	(void)m;
	started++;
	(void)col;
	return dp_noise_fill(&((const struct whole *)(const void *)m)->own, rng, &z, 1);
}

static void
own_destroy(struct dp_mech *m)
{
	(void)m;
	destroyed++;
}

static double
own_draws(const struct dp_mech *m)
{
	(void)m;
	return 100;
}

static const struct dp_mech_ops whole_ops = { .name = "whole", .start = own_start,
    .drawn.number = own_draws, .destroy = own_destroy };

static struct dp_mech_rule
rule_of(uint64_t T)
{
	const struct dp_mech_rule s = setting(T, 1, 1, 1);

	return (struct dp_mech_rule){ .privacy = s.privacy, .horizon = T, .report = T, .every = 1,
	    .inputs = 1, .task = { .what = DP_TASK_COUNT } };
}

static struct whole *
make_whole(void)
{
	const struct dp_mech_rule rule = rule_of(4);
	struct whole *w = dp_mech_alloc(&whole_ops, sizeof *w, 4, 0);
	size_t end;

	if (w == NULL || dp_privacy_laplace(&w->own, &rule.privacy, dp_q_make(1, 7)) != 0)
		abort();
	w->m.drawn.noise = &w->own;
	w->m.drawn.numbers = "its own";
	w->m.drawn.unit = .125;
	check(dp_part_create(&w->m, &dp_tree_ops, &rule, 1, 1) == 0);
	check(dp_part_create(&w->m, &dp_pan_ops, &rule, 3, .5) == 0);
	check(w->m.parts == 2);
	end = dp_part_place(&w->m.part[0], 32);
	check(end == 32 + w->m.part[0].stride && end % 16 == 0);
	w->m.column = dp_part_place(&w->m.part[1], end);
	check(w->m.column == end + 3 * w->m.part[1].stride);
	return w;
}

/* The parts' noise comes before the whole's own, each with its number, unit and name. */
static void
families(void)
{
	struct whole *w = make_whole();
	const struct dp_noise *z, *tree = w->m.part[0].inner->drawn.noise;
	const char *what;
	unsigned n, own;

	check(dp_mech_family(&w->m, 0, &z, &what) && z == tree);
	for (n = 1; dp_mech_family(w->m.part[1].inner, n - 1, &z, &what); n++) {
		const struct dp_noise *seen;

		check(dp_mech_family(&w->m, n, &seen, &what) && seen == z);
		check(dp_mech_unit(&w->m, n) == w->m.drawn.unit *
		    dp_mech_unit(w->m.part[1].inner, n - 1));
	}
	own = n;
	check(own >= 2 && dp_mech_family(&w->m, own, &z, &what) && z == &w->own);
	check(strcmp(what, "its own") == 0 && dp_mech_unit(&w->m, own) == .125);
	check(!dp_mech_family(&w->m, own + 1, &z, &what));
	check(dp_mech_draws(&w->m) == 100 + dp_mech_draws(w->m.part[0].inner) +
	    1.5 * dp_mech_draws(w->m.part[1].inner));
	destroyed = 0;
	dp_mech_free(&w->m);
	check(destroyed == 1);
}

/*
 * Columns: the pan-private counters draw when they start, each in a place of its own, then the
 * whole; a step of one column changes no other; one that no run leaves is seen in any of them.
 */
static void
columns(void)
{
	static const int64_t z[] = { 1000, 2000, 3000, 7, 10, 20, 30, 40, 50, 60, 70 };
	struct whole *w = make_whole();
	const struct dp_part *pan = &w->m.part[1];
	char *col = calloc(1, w->m.column), *before = calloc(1, w->m.column);
	struct dp_rng *rng;
	const int64_t one = 1;
	dp_wide est;
	size_t j;

	if (col == NULL || before == NULL || dp_rng_open_known(&rng, z, 11) != 0)
		abort();
	started = 0;
	check(dp_mech_start(&w->m, col, rng) == 0 && started == 1 && rng->left == 7);
	for (j = 0; j < 3; j++) {
		memcpy(&est, dp_part_column(pan, col, j), sizeof est);
		check(est == (dp_wide)z[j]);
	}
	memcpy(before, col, w->m.column);
	check(dp_part_step(pan, col, 1, rng, 1, &one, &est) == 0 && est > 2000 && est < 2200);
	check(memcmp(before, col, pan->at + pan->stride) == 0);
	check(memcmp(before + pan->at + pan->stride, col + pan->at + pan->stride,
	    pan->stride) != 0);
	check(memcmp(before + pan->at + 2 * pan->stride, col + pan->at + 2 * pan->stride,
	    pan->stride) == 0);
	dp_rng_free(rng);
	free(col);
	free(before);
	dp_mech_free(&w->m);
}

static bool
even(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)m;
	return *(const char *)col % 2 == 0 && t == 5;
}

static void
valid(void)
{
	static const struct dp_mech_ops ops = { .name = "even", .valid = even };
	struct dp_mech inner = { .ops = &ops, .column = 24 };
	struct dp_part p = { .inner = &inner, .n = 3, .stride = 32, .at = 16 };
	char col[112] = { 0 };
	size_t j;

	check(dp_part_valid(&p, col, 5) && !dp_part_valid(&p, col, 4));
	for (j = 0; j < 3; j++) {
		col[16 + 32 * j] = 1;
		check(!dp_part_valid(&p, col, 5));
		col[16 + 32 * j] = 0;
	}
	inner.ops = &whole_ops;
	check(dp_part_valid(&p, col, 4));
	p.n = SIZE_MAX / 64;
	check(dp_part_place(&p, 0) == SIZE_MAX);
}

static void
refused(void)
{
	struct dp_mech_rule rule = rule_of(4), two = rule;
	struct dp_mech *m = dp_mech_alloc(&whole_ops, sizeof *m, 4, 0), *inner;
	unsigned i;

	if (m == NULL)
		abort();
	two.task = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 2, .w = { 1, 2 } };
	check(dp_part_create(m, &dp_allwindow_paper_ops, &two, 1, 1) == DP_EINVAL && m->parts == 0);
	rule.horizon = 0;
	check(dp_part_create(m, &dp_tree_ops, &rule, 1, 1) == DP_EINVAL && m->parts == 0);
	rule.horizon = 4;
	for (i = 0; i < DP_PARTS; i++)
		check(dp_part_create(m, &dp_tree_ops, &rule, 1, 1) == 0);
	if (dp_mech_plan(&inner, &dp_tree_ops, &rule) != 0)
		abort();
	check(dp_part_give(m, inner, 1, 1) == DP_EINVAL && m->parts == DP_PARTS);
	dp_mech_free(m);
}

/* a share of q is never more than its part of it */
static bool
at_most(struct dp_q part, struct dp_q q, struct dp_q share)
{
	return (long double)part.num * (long double)q.den * (long double)share.den <=
	    (long double)q.num * (long double)share.num * (long double)part.den;
}

static void
shares(void)
{
	const struct dp_reach reach = { 6, 20, 4, 2, 3, 7 };
	const struct dp_q odd = dp_q_make(((uint64_t)1 << 62) - 57, ((uint64_t)1 << 61) - 1);
	struct dp_reach bad = reach;
	struct dp_privacy whole, p;

	check(dp_privacy_set(&whole, false, dp_q_make(1, 10), dp_q_make(1, 1000000), 1, 1) == 0);
	whole.dry = true;
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 3), &reach) == 0);
	check(p.epsilon.num == 1 && p.epsilon.den == 30 && p.delta.den == 3000000 && p.dry);
	check(p.l1 == 6 && p.l2squared == 20 && p.linf == 4 && p.spread == 6 && p.columns == 2);
	check(p.times == 3 && p.spacing == 7);
	check(p.rho.num != 0 && dp_q_double(p.rho) < dp_q_double(whole.rho) / 3);
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 1), &reach) == 0);
	check(dp_q_cmp(p.epsilon, whole.epsilon) == 0 && dp_q_cmp(p.rho, whole.rho) == 0);
	/* what does not fit is rounded down */
	check(dp_privacy_set(&whole, false, odd, dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_part(&p, &whole, dp_q_make(1000000006, 1000000007), &reach) == 0);
	check(at_most(p.epsilon, odd, dp_q_make(1000000006, 1000000007)));
	check(dp_q_double(p.epsilon) > 1.99999999 && p.delta.num == 0);
	/* no noise stays no noise */
	check(dp_privacy_set(&whole, true, dp_q_make(1, 1), dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 2), &reach) == 0 && p.exact);
	whole.exact = false;
	check(dp_privacy_part(&p, &whole, dp_q_make(0, 1), &reach) == DP_EINVAL);
	check(dp_privacy_part(&p, &whole, dp_q_make(3, 2), &reach) == DP_EINVAL);
	bad.columns = 0;
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 2), &bad) == DP_EINVAL);
	bad = reach;
	bad.linf = 7;
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 2), &bad) == DP_EINVAL);
	bad = reach;
	bad.l1 = bad.linf = 0;
	check(dp_privacy_part(&p, &whole, dp_q_make(1, 2), &bad) == DP_EINVAL);
	check(dp_privacy_set(&whole, false, dp_q_make(1, INT64_MAX), dp_q_make(0, 1), 1, 1) == 0);
	check(dp_privacy_part(&p, &whole, dp_q_make(1, (uint64_t)1 << 62), &reach) == DP_ERANGE);
}

/* Bands: shares may sum to 1, not to more; scales are each band's, and the memory is laid out. */
static void
bands(void)
{
	static const struct dp_mech_ops *const counter[] = { &dp_tree_ops, &dp_tree_ops,
	    &dp_tree_ops };
	static const struct dp_q third[] = { { 1, 3 }, { 1, 3 }, { 1, 3 } };
	static const struct dp_q more[] = { { 1, 3 }, { 1, 3 }, { 334, 1000 } };
	static const struct dp_q none[] = { { 1, 3 }, { 0, 1 }, { 1, 3 } };
	struct dp_mech_rule rule = rule_of(4);
	struct dp_mech *m = dp_mech_alloc(&whole_ops, sizeof(struct whole), 4, 0);
	unsigned g;

	rule.bands = 3;
	rule.inputs = 6;
	for (g = 0; g < 3; g++)
		rule.band[g] = (struct dp_band){ g + 1, { 10 * g + 1, (10 * g + 1) * (10 * g + 1),
		    10 * g + 1, 2, 0, 0 } };
	check(m != NULL && dp_parts_create(m, &rule, counter, more) == DP_EINVAL);
	dp_mech_free(m);
	m = dp_mech_alloc(&whole_ops, sizeof(struct whole), 4, 0);
	check(m != NULL && dp_parts_create(m, &rule, counter, none) == DP_EINVAL);
	dp_mech_free(m);
	m = dp_mech_alloc(&whole_ops, sizeof(struct whole), 4, 0);
	check(m != NULL && dp_parts_create(m, &rule, counter, third) == 0 && m->parts == 3);
	check(m->inputs == 6 && m->beside == 6 * sizeof(dp_wide) && m->column % 16 == 0);
	for (g = 0; g < 3; g++) {
		check(m->part[g].n == g + 1);
		check(dp_noise_variance(m->part[g].inner->drawn.noise) >
		    (g == 0 ? 0 : 50) * dp_noise_variance(m->part[0].inner->drawn.noise));
	}
	check(m->column == m->part[2].at + 3 * m->part[2].stride + m->beside);
	dp_mech_free(m);
}

int
main(void)
{
	families();
	columns();
	valid();
	refused();
	shares();
	bands();
	return done();
}
