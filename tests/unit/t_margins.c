/* SPDX-License-Identifier: ISC */
/*
 * t_margins.c - printed numbers of a table add up, whatever was drawn: 10^4 random trees and
 * tables, as they are and none below 0, summed or fitted to totals of their own; and the nearest
 * such numbers are found.
 */
#include <math.h>

#include "check.h"
#include "explain/internal.h"
#include "stat/internal.h"

#define ROWS	6
#define COLUMNS	5
#define NODES	(ROWS * COLUMNS + 1 + ROWS + COLUMNS + 1)

static uint64_t seed = 20261129;

static uint64_t
draw(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

/* A table of R rows and C columns, and perhaps --other. */
static struct dp_margins
table(size_t R, size_t C, bool other, size_t first[], size_t key[])
{
	struct dp_margins m = { .keys = R * C + other, .n = R + C + 1, .first = first, .key = key,
	    .form = DP_MARGINS_TABLE, .rows = R, .columns = C };
	size_t i, j, used = 0;

	for (i = 0; i < R; i++)
		for (first[i] = used, j = 0; j < C; j++)
			key[used++] = i * C + j;
	for (j = 0; j < C; j++)
		for (first[R + j] = used, i = 0; i < R; i++)
			key[used++] = i * C + j;
	for (first[R + C] = used, i = 0; i < m.keys; i++)
		key[used++] = i;
	first[R + C + 1] = used;
	return m;
}

/* Keys below totals, these below one another in any way, the last one below nothing. */
static struct dp_margins
tree(size_t keys, size_t totals, size_t above[], size_t first[], size_t key[])
{
	struct dp_margins m = { .keys = keys, .n = totals, .first = first, .key = key,
	    .form = DP_MARGINS_TREE, .above = above };
	size_t i, j, up, used = 0;

	for (i = 0; i < keys; i++)
		above[i] = keys + draw(totals);
	for (i = 0; i < totals; i++)
		above[keys + i] = i + 1 < totals ? keys + i + 1 + draw(totals - i - 1) : keys + i;
	for (i = 0; i < totals; i++)
		for (first[i] = used, j = 0; j < keys; j++) {
			for (up = above[j]; up != keys + i && up != above[up]; up = above[up])
				;
			if (up == keys + i)
				key[used++] = j;
		}
	first[totals] = used;
	return m;
}

/* Estimates of the totals, which are sums. */
static void
add_up(const struct dp_margins *m, dp_wide *est)
{
	size_t i, j;

	for (i = 0; i < m->n; i++)
		for (est[m->keys + i] = 0, j = m->first[i]; j < m->first[i + 1]; j++)
			est[m->keys + i] += est[m->key[j]];
}

/* Every total is the sum of its printed keys; none is below 0, or all are within `off' steps. */
static bool
sound(const struct dp_margins *m, const dp_wide *est, dp_wide step, bool nonnegative, double off)
{
	dp_wide to[NODES], sum;
	size_t i, j;

	if (dp_margins_fit(m, est, step, nonnegative, to) != 0)
		return false;
	for (i = 0; i < m->n; i++) {
		for (sum = 0, j = m->first[i]; j < m->first[i + 1]; j++)
			sum += to[m->key[j]];
		if (sum != to[m->keys + i])
			return false;
	}
	for (i = 0; i < m->keys + m->n; i++)
		if (nonnegative ? to[i] < 0 :
		    fabs((double)(to[i] * step - est[i])) > off * (double)step)
			return false;
	return true;
}

static void
random_tables(void)
{
	size_t above[NODES], first[NODES + 1], key[NODES * NODES];
	dp_wide est[NODES], step;
	bool good = true;
	unsigned n, i;

	for (n = 0; good && n < 10000; n++) {
		const bool trees = n % 2, sparse = draw(2);
		struct dp_margins m = trees ?
		    tree(1 + draw(ROWS * COLUMNS), 1 + draw(ROWS), above, first, key) :
		    table(1 + draw(ROWS), 1 + draw(COLUMNS), draw(2), first, key);

		step = draw(3) == 0 ? 1 : 1 + (dp_wide)draw(100);
		for (i = 0; i < m.keys; i++)
			est[i] = (dp_wide)draw(1000) - (sparse ? 500 : 100);
		add_up(&m, est);
		/* of a table that cannot be rounded so, a cell may be two off */
		good = sound(&m, est, step, false, trees ? 1 : 3) && sound(&m, est, step, true, 0);
		m.form = DP_MARGINS_SUMS;	/* as of three fields: cells by themselves */
		good = good && sound(&m, est, step, false, ROWS * COLUMNS);
	}
	check(good);
}

/*
 * One total, none below 0: no two numbers can give and take a step and be nearer together (the
 * conditions of the nearest point, but for what whole steps leave).
 */
static void
nearest(void)
{
	size_t above[NODES], first[NODES + 1], key[NODES * NODES], i, j;
	dp_wide est[NODES], to[NODES];
	bool good = true;
	unsigned n;

	for (n = 0; good && n < 1000; n++) {
		struct dp_margins m = tree(12, 1, above, first, key);

		for (i = 0; i < m.keys; i++)
			est[i] = (dp_wide)draw(60) - 20;
		add_up(&m, est);
		good = dp_margins_fit(&m, est, 1, true, to) == 0 &&
		    to[12] == (est[12] > 0 ? est[12] : 0);
		for (i = 0; i < m.keys; i++)
			for (j = 0; j < m.keys; j++)
				good = good && (to[i] == 0 ||
				    (to[i] - est[i]) - (to[j] - est[j]) <= 1);
	}
	check(good);
}

/*
 * 200 keys, a tenth of them with 100 events each, errors of 10, 200 times: as one list and as a
 * table of 20 x 10.  Numbers of at least 0 that add up to the total are nearer to the truth than
 * the estimates; of a list also nearer than estimates cut at 0, whose total is far too large.  Rows
 * and columns have noise of their own to meet.  Seed 20261129; limits are 7 standard errors away.
 */
static void
sparse(void)
{
	static size_t first[40], key[1000], above[201];
	struct dp_margins m[] = { tree(200, 1, above, first, key), { .n = 0 } };
	double raw = 0, cut = 0, fit[2] = { 0, 0 }, most = 0, truth, sum, g;
	dp_wide est[231], to[231];
	unsigned n, k;
	size_t i;

	for (n = 0; n < 200; n++) {
		for (i = 0, sum = 0; i < 200; i++) {
			for (k = 0, g = -6; k < 12; k++)
				g += (double)draw(1000000) / 1e6;
			truth = i % 10 == 0 ? 100 : 0;
			est[i] = (dp_wide)llround(truth + 10 * g);
			raw += pow((double)est[i] - truth, 2);
			cut += pow(fmax((double)est[i], 0) - truth, 2);
			sum += fmax((double)est[i], 0);
		}
		for (k = 0; k < 2; k++) {
			m[k] = k == 0 ? tree(200, 1, above, first, key) :
			    table(20, 10, false, first, key);
			add_up(&m[k], est);
			check(dp_margins_fit(&m[k], est, 1, true, to) == 0);
			for (i = 0; i < 200; i++)
				fit[k] += pow((double)to[i] - (i % 10 == 0 ? 100 : 0), 2);
			check(to[199 + m[k].n] == est[199 + m[k].n]);
		}
		most += sum - (double)est[199 + m[1].n];
	}
	check(fit[0] < .8 * cut && fit[1] < .9 * raw && cut < .7 * raw);
	check(most / 200 > 500);
}

/* Steps below the root of a tree's totals; true: each has a key below it. */
static bool
levels(struct dp_margins *m, size_t depth[])
{
	size_t i, up;

	m->depth = depth;
	for (i = 0, m->levels = 0; i < m->n; i++) {
		if (m->first[i] == m->first[i + 1])
			return false;
		for (depth[i] = 0, up = m->keys + i; up != m->above[up]; up = m->above[up])
			depth[i]++;
		m->levels = depth[i] >= m->levels ? (unsigned)depth[i] + 1 : m->levels;
	}
	return true;
}

/*
 * Estimates that are fitted to totals with noise of their own, to thousandths: of any `over' they
 * are printed so that they add up.
 */
static bool
own_printed(const struct dp_margins *m, const double *off)
{
	const dp_wide step[] = { 1, 1 + (dp_wide)draw(1000), 1000 * (1 + (dp_wide)draw(50)) };
	dp_wide est[NODES];
	bool good = true;
	size_t i;

	for (i = 0; i < m->keys; i++)
		est[i] = (dp_wide)draw(1000) - 200;
	add_up(m, est);
	for (i = 0; i < m->keys + m->n; i++)
		est[i] = 1000 * est[i] + (dp_wide)rint(1000 * off[i]);
	for (i = 0; i < 3; i++)
		good = good && sound(m, est, step[i], false, i == 0 ? NODES : 3) &&
		    sound(m, est, step[i], true, 0);
	return good;
}

/*
 * Totals with noise of their own: each is the sum of its keys, and squares are least: no key's
 * change makes them less (the normal equations).
 */
static void
own_totals(void)
{
	size_t above[NODES], first[NODES + 1], key[NODES * NODES], depth[NODES], i, j;
	double over[NODES], off[NODES], room[3 * NODES], push[NODES], sum, r, worst = 0;
	unsigned n;
	bool good = true;

	for (n = 0; n < 10000; n++) {
		struct dp_margins m = n % 2 ? tree(1 + draw(20), 1 + draw(5), above, first, key) :
		    table(1 + draw(ROWS), 1 + draw(COLUMNS), draw(2), first, key);

		if (n % 2 && !levels(&m, depth))
			continue;
		r = (double)(1 + draw(1000)) / 100;
		for (i = 0; i < m.n; i++)
			over[i] = (double)draw(200) - 100;
		dp_margins_own(&m, r, over, off, room);
		for (i = 0; i < m.keys; i++)
			push[i] = -off[i];
		for (i = 0; i < m.n; i++) {
			for (sum = 0, j = first[i]; j < first[i + 1]; j++)
				sum += off[key[j]];
			worst = fmax(worst, fabs(off[m.keys + i] - sum));
			for (j = first[i]; j < first[i + 1]; j++)
				push[key[j]] += (over[i] - sum) / r;
		}
		for (i = 0; i < m.keys; i++)
			worst = fmax(worst, fabs(push[i]));
		good = good && own_printed(&m, off);
	}
	check(worst < 1e-8);
	check(good);
}

int
main(void)
{
	PART(own_totals());
	PART(random_tables());
	PART(nearest());
	PART(sparse());
	return done();
}
