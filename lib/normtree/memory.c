/*
 * memory.c - where the tables of a tree lie: made, given up, and made again.
 */
#include <math.h>
#include <stdlib.h>

#include "alias.h"
#include "spline.h"
#include "place.h"

/* The tables: a step's g, and a kind's g, k and, on a finer grid, c; the root's law is the last. */
static size_t
count_reals(const struct dp_normtree *p)
{
	size_t n = p->A + 1;
	unsigned i;

	for (i = 0; i < p->shape.kinds; i++)
		n += (p->fine > 0 ? 3 : 2) * (size_t)(p->shape.kind[i].reach + 1);
	return n;
}

static size_t
count_rows(const struct dp_normtree *p)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < p->shape.kinds; i++)
		n += p->shape.kind[i].reach + 1u;
	return n;
}

#define BEFORE	16	/* bytes before the tables, that keep them aligned: how many have them */

/* After the tables, and what a state has a hash of, is how they are used. */
static void *
allocate(const struct dp_normtree *p)
{
	char *memory = calloc(1, BEFORE + p->held.bytes + p->shape.kinds * sizeof *p->level);

	if (memory == NULL)
		return NULL;
	*(size_t *)(void *)memory = 1;
	return memory + BEFORE;
}

static size_t *
users(void *tables)
{
	return (void *)((char *)tables - BEFORE);
}

void
dp_normtree_release(void *tables)
{
	if (tables != NULL && --*users(tables) == 0)
		free(users(tables));
}

void *
dp_normtree_share(void *tables)
{
	++*users(tables);
	return tables;
}

static void
settle(struct dp_normtree *p, void *memory)
{
	p->held.memory = memory;
	p->level = (void *)((char *)memory + p->held.bytes);
}

/* A step's table. */
static struct dp_real *
put_step(const struct dp_normtree *p, struct dp_real *to)
{
	unsigned i;

	for (i = 0; i <= p->A; i++)
		*to++ = (struct dp_real){ (uint64_t)1 << 63, 1 };
	return to;
}

/* Tables in p->held.memory. */
static int
set(struct dp_normtree *p, double *space, enum dp_normtree_use use)
{
	const struct dp_normtree_shape *s = &p->shape;
	const double coarse = ldexp(p->rate, (int)p->fine), certified = p->loss;
	struct dp_normtree_spot at = { p->held.memory, NULL };
	double loss[DP_NORMTREE_KINDS];
	struct work w;
	unsigned i;
	int e = 0;

	p->loss = 0;
	if (p->fine > 0 && p->A < DP_SPLINE_REACH)
		return DP_ERANGE;
	dp_normtree_start(&w, p->A, p->fine, space);
	at.row = (void *)(at.to + count_reals(p));
	at.to = put_step(p, at.to);
	for (i = 0; i < s->kinds && e == 0; i++) {
		e = dp_normtree_set_level(p, &w, i, coarse, use, loss, &at);
		p->loss = e == 0 ? loss[i] : p->loss;
	}
	if (e == 0)
		e = dp_normtree_set_root(p, &w, s->root * coarse, loss[s->kinds - 1]);
	if (use == DP_NORMTREE_AGAIN || use == DP_NORMTREE_MEASURE)
		p->loss = certified;
	if (e == 0 && !(p->loss <= p->rate))
		e = DP_ERANGE;
	p->awake = e == 0 && use >= DP_NORMTREE_AGAIN;
	if (p->awake && !p->moments.known && (use == DP_NORMTREE_DRAW ||
	    use == DP_NORMTREE_MEASURE)) {
		if (s->chain)
			dp_normtree_moments(p, &w);
		else if ((e = dp_normtree_find_places(p, &w)) != 0)
			p->awake = false;
		p->moments.known = e == 0;
	}
	return e;
}

int
dp_normtree_set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double *space;
	void *memory;
	unsigned i;
	int e = DP_ENOMEM;

	p->shape = *s;
	for (i = 0; i < s->kinds && s->chain; i++)
		p->shape.kind[i].reach = (uint16_t)p->A;
	if (!s->chain)
		p->A = s->kind[s->kinds - 1].reach;
	if ((space = malloc(dp_normtree_work(p->A))) == NULL)
		return DP_ENOMEM;
	p->rate = rate;
	p->unit = 1;
	p->h = s->h;
	p->moments.known = false;
	p->held.bytes = count_reals(p) * sizeof(struct dp_real) +
	    count_rows(p) * sizeof(struct dp_normtree_row);
	if ((memory = allocate(p)) != NULL)
		settle(p, memory);
	if (memory != NULL)
		e = set(p, space, use);
	free(space);
	return e;
}

#define LATER	1.5	/* times the corner */
#define LATEST	64

double
dp_normtree_usual(unsigned level)
{
	return 30 + 5. * level;
}

/*
 * The least reach of a kind that will do, from that of its children and `least` on.  A table that
 * rises from 0, as splits of two signs are punished too early, bends later.
 */
static int
try_kind(struct dp_normtree *p, struct work *w, unsigned i, unsigned least, double rate,
    double *loss, struct dp_normtree_spot *at)
{
	struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_normtree_spot here = *at;
	unsigned side;
	int e = DP_ERANGE;

	for (side = 0; side < 2; side++)
		if (k->child[side] != DP_NORMTREE_STEP &&
		    p->shape.kind[k->child[side]].reach > least)
			least = p->shape.kind[k->child[side]].reach;
	while (e == DP_ERANGE && least <= DP_NORMTREE_KINDS_REACH && k->corner <= LATEST * LATER) {
		k->reach = (uint16_t)least;
		here = *at;
		w->bent = false;
		e = dp_normtree_set_level(p, w, i, rate, DP_NORMTREE_FIND, loss, &here);
		if (w->bent)
			k->corner *= LATER;
		else
			least += least / 8 + 1;
	}
	*at = here;
	return e;
}

int
dp_normtree_find_reach(struct dp_normtree_shape *s, unsigned fine, double rate, double *total)
{
	const double unit = ldexp(1 / rate, -(int)fine);
	struct dp_normtree p = { .A = DP_NORMTREE_KINDS_REACH, .fine = fine, .shape = *s };
	struct dp_normtree_spot at;
	struct work w;
	double loss[DP_NORMTREE_KINDS], *space = malloc(dp_normtree_work(p.A));
	void *memory;
	unsigned i;
	int e = DP_ENOMEM;

	for (i = 0; i < s->kinds; i++)
		p.shape.kind[i].reach = DP_NORMTREE_KINDS_REACH;
	p.held.bytes = count_reals(&p) * sizeof(struct dp_real);
	if ((memory = allocate(&p)) != NULL && space != NULL) {
		settle(&p, memory);
		dp_normtree_start(&w, p.A, fine, space);
		at = (struct dp_normtree_spot){ put_step(&p, memory), NULL };
		for (e = 0, i = 0; i < s->kinds && e == 0; i++)
			e = try_kind(&p, &w, i,
			    (unsigned)(dp_normtree_usual(s->kind[i].level) * unit) + 8,
			    ldexp(rate, (int)fine), loss, &at);
		for (i = 0; i < s->kinds; i++)
			s->kind[i] = p.shape.kind[i];
		p.A = s->kind[s->kinds - 1].reach;
		if (e == 0)
			e = dp_normtree_set_root(&p, &w, ldexp(s->root * rate, (int)fine),
			    loss[s->kinds - 1]);
		*total = p.loss;
	}
	dp_normtree_release(memory);
	free(space);
	return e;
}

void
dp_normtree_adopt(struct dp_normtree *p, void *tables)
{
	settle(p, dp_normtree_share(tables));
	p->root = dp_normtree_root_table(p);
	p->awake = true;
}

/* Memory that is not touched, for memory that is; if there is none it stays as it is. */
void
dp_normtree_rest(struct dp_normtree *p)
{
	void *fresh = p->exact ? NULL : allocate(p);

	if (fresh != NULL && p->held.work == NULL)
		p->held.work = malloc(dp_normtree_work(p->A));
	if (fresh == NULL || p->held.work == NULL) {
		dp_normtree_release(fresh);
		return;
	}
	dp_normtree_release(p->held.memory);
	settle(p, fresh);
	p->awake = false;
	dp_normtree_alias_rest(&p->alias, p->A);
}

int
dp_normtree_wake(struct dp_normtree *p)
{
	return p->awake ? 0 : set(p, p->held.work, DP_NORMTREE_AGAIN);
}

bool
dp_normtree_know(const struct dp_normtree *p)
{
	struct dp_normtree *q = (void *)(uintptr_t)p;	/* what describes it, it makes when asked */
	const bool awake = p->awake;
	double *space;

	if (p->moments.known)
		return true;
	if ((space = p->held.work != NULL ? p->held.work :
	    malloc(dp_normtree_work(p->A))) == NULL)
		return false;
	(void)set(q, space, DP_NORMTREE_MEASURE);
	q->awake |= awake;		/* its tables are there again, or still */
	if (space != p->held.work)
		free(space);
	return p->moments.known;
}
