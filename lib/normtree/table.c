/*
 * table.c - the tables of a tree, what they lose, and the moments that they lead to.
 */
#include <math.h>
#include <stdlib.h>

#include "spline.h"

#define SLACK	1e-11		/* what doubles may hide of a level's loss: certify() */
#define DRAWN	0x1p-38		/* what draws are off, on a finer grid: a level's loss of a move */
#define STEEP	0x1p-3		/* c(v + 1) / c(v), at least: 7 of them leave 43 of U's bits.
				 * And so is e^-e: then spline.c's numbers are far from 0 */
#define LEAST	0x1p-1000	/* no table is below it: doubles are rounded evenly to 2^-1022 */
#define NOTHING	0x1p-70		/* of a sum of weights: the weights that follow are left out */
#define UNLIKELY	1e-20	/* noise that moments leave out */
#define UNEVEN		1e-17	/* and splits, of what is split */

/*
 * exp(-x), x >= 0, within 1e-12 of itself.  Additions, multiplications and divisions alone, so that
 * every machine finds the same.
 */
static double
decay(double x)
{
	double y = x, term = 1, sum = 1;
	unsigned n, r = 0;

	for (; y > 0x1p-4; y /= 2)
		r++;
	for (n = 1; n < 16; n++)
		sum += term *= -y / n;
	for (; r > 0; r--)
		sum *= sum;
	return sum;
}

static struct dp_normtree_real
real(double v)
{
	struct dp_normtree_real r;
	int x;

	r.m = (uint64_t)ldexp(frexp(v, &x), 64);
	r.x = x;
	return r;
}

static double
number(struct dp_normtree_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);	/* all of these are doubles */
}

/* One level as it is planned; g, next, t, m and child are over 0 .. last = 3A + 2. */
struct work {
	unsigned A, last;
	bool open;		/* level 1: g is 1, and k goes on for ever */
	unsigned fine;		/* log2 D: then tables are of splines */
	double *g, *next;	/* the children's table, the parents' */
	double *c;		/* fine: the children's as parents */
	double *k;		/* 0..A */
	double *N, *C;		/* N'(P) for P = 0 .. 2A + 1, of the envelope for P = 0..A */
	double *t;
	double *m, *child;	/* P(|noise| = v) of a node, of one of its children */
	double q, fade;		/* g(v + 1) / g(v), k(y + 1) / k(y) beyond A */
	double wedge;		/* open: sum of k(y), y >= 1 */
};

size_t
dp_normtree_work(unsigned A)
{
	return (8 * (3 * (size_t)A + 3) + A) * sizeof(double);
}

static void
start_work(struct work *w, unsigned A, unsigned fine, double *space)
{
	const size_t n = 3 * (size_t)A + 3;
	unsigned i;

	*w = (struct work){ .A = A, .last = 3 * A + 2, .fine = fine, .open = true, .q = 1 };
	w->g = space;
	w->next = w->g + n;
	w->t = w->next + n;
	w->m = w->t + n;
	w->child = w->m + n;
	w->c = w->child + n;
	w->N = w->c + n;
	w->C = w->N + n;
	w->k = w->C + n - A - 2;	/* C needs A + 1, k as much */
	for (i = 0; i <= w->last; i++)
		w->g[i] = w->c[i] = 1;
}

static unsigned
cap(const struct work *w, unsigned P)
{
	return w->open ? w->A : P < w->A ? w->A - P : 0;
}

/* Sum of n numbers in four parts, which a machine adds side by side. */
static inline double
total(const double *v, unsigned n)
{
	double s[4] = { 0, 0, 0, 0 };
	unsigned i, k;

	for (i = 0; i + 4 <= n; i += 4)
		for (k = 0; k < 4; k++)
			s[k] += v[i + k];
	for (; i < n; i++)
		s[0] += v[i];
	return s[0] + s[1] + (s[2] + s[3]);
}

#define STRETCH	32

/*
 * The weights t of P's splits into P/2 + j, rounded up, and the rest, for j = 0, 1, .. until they
 * are `nothing` of their sum; returns how many.  *sum is that of all, on both sides.
 */
static inline unsigned
multiply_out(const struct work *w, unsigned P, double nothing, double *sum)
{
	const unsigned half = P / 2, end = w->open ? half + w->A : w->last - (P - half);
	const unsigned edge = half + cap(w, P) < end ? half + cap(w, P) : end;
	const double *restrict a = w->g + (P - half), *b = w->g + half, *restrict k = w->k;
	double *restrict t = w->t, s, last = k[edge - half];
	unsigned j, n, stop;

	for (j = 0; j <= half; j++)
		t[j] = a[j] * b[-(ptrdiff_t)j];
	b = w->g - half;
	k -= half;
	s = total(t, half + 1);
	for (n = half + 1; n <= end && t[n - 1] > s * nothing; n = stop) {
		stop = n + STRETCH <= end ? n + STRETCH : end + 1;
		for (j = n; j < stop && j <= edge; j++)
			t[j] = a[j] * b[j] * k[j];
		for (; j < stop; j++)
			t[j] = a[j] * b[j] * last;
		s += total(t + n, stop - n);
	}
	if (n > end && !w->open)	/* straight from there on, on both sides */
		s += t[end] * w->q * w->q / (1 - w->q * w->q);
	*sum = w->open ? P + 1 + 2 * w->wedge : 2 * s - (P % 2 == 0 ? t[0] : 0);
	return n;
}

/* The largest of n numbers, or 0. */
static inline double
largest(const double *v, unsigned n)
{
	double m[4] = { 0, 0, 0, 0 };
	unsigned i, k;

	for (i = 0; i + 4 <= n; i += 4)
		for (k = 0; k < 4; k++)
			m[k] = v[i + k] > m[k] ? v[i + k] : m[k];
	for (; i < n; i++)
		m[0] = v[i] > m[0] ? v[i] : m[0];
	m[0] = m[0] > m[1] ? m[0] : m[1];
	m[2] = m[2] > m[3] ? m[2] : m[3];
	return m[0] > m[2] ? m[0] : m[2];
}

#ifdef __x86_64__
/* The same additions and multiplications, so the same numbers. */
__attribute__((target("avx2"))) static unsigned
multiply_out_avx2(const struct work *w, unsigned P, double nothing, double *sum)
{
	return multiply_out(w, P, nothing, sum);
}
#endif

static unsigned
weights(const struct work *w, unsigned P, double nothing, double *sum)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return multiply_out_avx2(w, P, nothing, sum);
#endif
	return multiply_out(w, P, nothing, sum);
}

/*
 * The envelope of a trial, 2^-floor(j / S) C: S is where the n weights are down to a half.  What
 * comes after them falls by `end` each time, or by more.
 */
static bool
envelope(const double *t, unsigned n, double end, unsigned *S, double *C)
{
	double most = 0, scale = 1, block, fall = 1;
	unsigned i, j;

	for (j = 1; j < n && t[j] > t[0] / 2; j++)
		;
	*S = j;
	for (j = 0; j < n; j += *S, scale *= 2) {
		block = largest(t + j, n - j < *S ? n - j : *S);
		most = block * scale > most ? block * scale : most;
	}
	*C = most;
	for (i = 0; i < *S && fall > 0.5; i++)
		fall *= end;
	return fall <= 0.5;
}

static void
set_row(struct dp_normtree_row *r, unsigned S, double C)
{
	r->width = S;
	r->odd = -S % S;
	r->inverse = real((1 - 1e-12) / C);	/* T stays below 1, whatever rounding did */
}

/* What the weights fall by from the n-th on, at least: g is log-concave, k falls. */
static double
fall_after(const struct work *w, unsigned P, unsigned n)
{
	const unsigned half = P / 2;

	if (w->open)
		return w->fade;
	if (n > w->last - (P - half))
		return w->q * w->q;
	return w->g[P - half + n] / w->g[P - half + n - 1] *
	    (n > half + 1 ? w->g[n - half] / w->g[n - half - 1] : 1);
}

/* N' as far as A, and the rows.  C is raised until trials fail alike for all P (Time). */
static int
set_rows(const struct work *w, struct dp_normtree_row *row)
{
	double accept = 1, one;
	unsigned P, n, S;

	for (P = 0; P <= w->A; P++) {
		n = weights(w, P, NOTHING, &w->N[P]);
		if (!envelope(w->t, n, fall_after(w, P, n), &S, &w->C[P]))
			return DP_ERANGE;
		row[P].width = S;
		one = w->N[P] / (4 * (double)S * w->C[P]);
		accept = one < accept ? one : accept;
	}
	for (P = 0; P <= w->A; P++)
		set_row(&row[P], row[P].width, w->N[P] / (4 * (double)row[P].width * accept));
	return 0;
}

/* k of a level, from its share e. */
static void
set_fall(struct work *w, double e, double corner)
{
	double fall = 1, c = corner / e;
	unsigned y;

	/* level 1: a little less steep, as the parents' table is straight beyond A: certify() */
	w->fade = decay(2 * e) * (w->open ? (w->A + 1.) / w->A * (1 + 1e-9) : 1);
	w->wedge = 0;
	for (y = 0; y <= w->A; y++) {
		if (y > c)
			fall *= y - c < 1 ? fmax(decay(2 * e * (y - c)), w->fade) : w->fade;
		w->k[y] = fall;
		w->wedge += y > 0 ? fall : 0;
	}
	w->wedge += fall * w->fade / (1 - w->fade);
}

/* The parents' table: N' e^(-e P) as far as A, straight beyond. */
static void
set_parents(struct work *w, double e)
{
	const double q = decay(e);
	double x = 1 / w->N[0], last;
	unsigned P;

	for (P = 0; P <= w->A; P++, x *= q)
		w->next[P] = w->N[P] * x;
	last = w->next[w->A] / w->next[w->A - 1];
	for (; P <= w->last; P++)
		w->next[P] = w->next[P - 1] * last;
}

static double
ratio(const struct work *w, unsigned P)
{
	return w->next[P + 1] / w->next[P] * (w->N[P] / w->N[P + 1]);
}

/*
 * (3) of normtree.h: *loss is at least what the level loses, or DP_ERANGE.  x is exp(rho(P + 1) -
 * rho(P)), off by less than 10^-12 of itself: N' is a sum of at most 10^4 positive doubles.
 */
static int
certify(const struct work *w, double e, double *loss)
{
	const double q = decay(e), A = w->A, least = w->open ? w->fade : q * q;
	double worst = SLACK, x;
	unsigned P, y;

	for (P = 0; P < w->A; P++)
		worst = fmax(worst, fabs(ratio(w, P) / q - 1) + SLACK);
	for (y = 0; y < w->A; y++)
		if (w->k[y + 1] > w->k[y] || w->k[y + 1] < w->k[y] * least * (1 - SLACK / 8))
			return DP_ERANGE;
	if (w->open) {	/* x rises from where it is at A to the ratio of g; Y has no end */
		x = w->next[w->A + 1] / w->next[w->A];
		if (x * (A + 1 + 2 * w->wedge) < q * (1 - worst) * (A + 2 + 2 * w->wedge) ||
		    w->fade < q * q || x > w->fade / q)
			return DP_ERANGE;
	}
	/*
	 * from 2A on N' is q^P times a linear function: x goes from that at 2A to g's ratio
	 * over q
	 */
	for (P = w->A; P <= 2 * w->A + 1 && !w->open; P++) {
		x = P <= 2 * w->A ? ratio(w, P) : w->next[P] / w->next[P - 1] / w->q;
		if (x < q * (1 - worst) || x > (1 - worst) / q)
			return DP_ERANGE;
	}
	*loss = e + worst * (1 + worst);
	return 0;
}

/* Discrete log-concave, also at 0, as draws beyond A and fine.c's largest c need it. */
static bool
concave(const double *g, unsigned A)
{
	unsigned v;

	for (v = 0; v <= A; v++)
		if (g[v] * g[v] < g[v == 0 ? 1 : v - 1] * g[v + 1] * (1 - 1e-13))
			return false;
	return true;
}

static struct dp_normtree_real *
store(struct dp_normtree_real *to, const double *v, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		to[i] = real(v[i]);
	return to + n;
}

/* The parents become the children of the next level; on a finer grid, smoothed. */
static int
go_up(struct work *w)
{
	double *swap = w->g;

	w->q = w->next[w->A + 1] / w->next[w->A];
	w->open = false;
	w->g = w->next;
	w->next = swap;
	if (!concave(w->g, w->A))
		return DP_ERANGE;
	if (w->fine > 0) {
		if (w->q < STEEP)
			return DP_ERANGE;
		memcpy(w->c, w->g, (w->last + 1) * sizeof *w->c);
		dp_spline_smooth(w->g, w->A, w->last, w->q);
	}
	return concave(w->g, w->A) ? 0 : DP_ERANGE;
}

/*
 * What a potential of the nodes of w->g costs that moves by e, for a move of one grid unit; on a
 * finer grid one as steep as no table is costs more than there is.
 */
static double
cost(const struct work *w, double e)
{
	const double fall = decay(e);

	return w->fine == 0 ? e : fall < STEEP ? INFINITY :
	    dp_spline_loss(w->g, w->c, w->A, w->fine, fall) + ldexp(SLACK, -(int)w->fine) +
	    DRAWN;
}

/*
 * What certify() takes for granted, of tables that a state's plan may make: no number is subnormal,
 * nor is an N', which has g(j) g(P - j), j = P/2 <= A + 1, for a term.
 */
static bool
precise(const struct work *w)
{
	return w->next[w->A + 1] * w->next[w->A + 1] >= LEAST && w->next[w->last] >= LEAST;
}

/* One level, from the children's table to the parents'. */
static int
set_level(struct work *w, struct dp_normtree_level *v, double e, double corner, double *loss,
    struct dp_normtree_row **row, struct dp_normtree_real **to)
{
	unsigned P;
	int rc;

	set_fall(w, e, corner);
	if ((rc = set_rows(w, *row)) != 0)
		return rc;
	for (P = w->A + 1; P <= 2 * w->A + 1 && !w->open; P++)
		(void)weights(w, P, NOTHING, &w->N[P]);
	set_parents(w, e);
	if (!precise(w))
		return DP_ERANGE;
	if ((rc = certify(w, e, loss)) != 0)
		return rc;
	*loss = cost(w, *loss);
	*v = (struct dp_normtree_level){ .child = *to, .fall = *to + w->A + 1, .row = *row,
	    .beyond = real(w->q), .fade = real(w->fade), .open = w->open };
	*to = store(store(*to, w->g, w->A + 1), w->k, w->A + 1);
	*row += w->A + 1;
	if ((rc = go_up(w)) == 0 && w->fine > 0) {
		v->own = *to;
		v->past = real(w->q);
		*to = store(*to, w->c, w->A + 1);
	}
	return rc;
}

/* The root's law, g e^(-e |P|), and in w->m that of its size. */
static int
set_root(struct dp_normtree *p, struct work *w, double e, struct dp_normtree_real *to)
{
	const double q = decay(e);
	double x = 1, sum = 0, C;
	unsigned v, S;

	for (v = 0; v <= w->last; v++, x *= q) {
		w->m[v] = w->g[v] * x;
		sum += v == 0 ? w->m[v] : 2 * w->m[v];
	}
	if (w->m[w->A + 1] < LEAST)
		return DP_ERANGE;
	p->root = to;
	(void)store(to, w->m, w->A + 1);
	p->beyond = real(w->m[w->A + 1] / w->m[w->A]);
	if (!envelope(w->m, w->last, w->q * q, &S, &C))
		return DP_ERANGE;
	set_row(&p->start, S, C);
	p->loss += cost(w, e + SLACK);
	for (v = 0; v <= w->last; v++)
		w->m[v] *= (v == 0 ? 1 : 2) / sum;
	return 0;
}

static double
second_moment(const double *m, unsigned last)
{
	double v = 0;
	unsigned i;

	for (i = 1; i <= last; i++)
		v += m[i] * (double)i * i;
	return v;
}

/* The law of the children's size from the parents', and the mean variance of a split. */
static double
descend(const struct work *w)
{
	double sum, v, z, square = 0;
	unsigned P, j, n;

	memset(w->child, 0, (w->last + 1) * sizeof *w->child);
	for (P = 0; P <= 2 * w->A; P++) {
		if (w->m[P] < UNLIKELY)
			continue;
		n = weights(w, P, UNEVEN, &sum);
		w->t[0] *= P % 2 == 0 ? 0.5 : 1;
		v = w->m[P] / sum;
		for (j = 0; j < n; j++) {
			z = j + (P % 2) / 2.;
			square += w->t[j] * z * z * v;
			w->child[P - P / 2 + j] += w->t[j] * v;
		}
		for (j = 0; j <= P / 2; j++)
			w->child[P / 2 - j] += w->t[j] * v;
		for (; j < n; j++)
			w->child[j - P / 2] += w->t[j] * v;
	}
	return 2 * square;
}

/* The law of what is split from that of the node's place between its parent's children. */
static void
redraw(struct work *w, const struct dp_normtree_level *v)
{
	double *swap = w->m;
	unsigned i;

	for (i = 0; i <= w->last; i++)
		w->c[i] = i <= w->A ? number(v->own[i]) : w->c[i - 1] * number(v->past);
	dp_spline_redraw(w->c, w->A, w->fine, w->m, w->child, w->last);
	w->m = w->child;
	w->child = swap;
}

/* The moments of all levels, from the root down. */
static void
set_moments(struct dp_normtree *p, struct work *w)
{
	const struct dp_normtree_level *v;
	const double unit = ldexp(1, 2 * (int)p->fine), rest = dp_spline_residual(p->fine);
	double *swap;
	unsigned l, i;

	p->var[p->h] = unit * second_moment(w->m, w->last) + rest;
	for (l = p->h; l > 0; l--) {
		v = &p->level[l - 1];
		if (p->fine > 0)
			redraw(w, v);
		w->open = v->open;
		w->q = w->open ? 1 : number(v->beyond);
		w->wedge = 0;
		for (i = 0; i <= w->last; i++)
			w->g[i] = i <= w->A ? number(v->child[i]) : w->g[i - 1] * w->q;
		for (i = 0; i <= w->A; i++) {
			w->k[i] = number(v->fall[i]);
			w->wedge += i > 0 ? w->k[i] : 0;
		}
		p->split[l - 1] = unit * descend(w) + rest / 2;
		swap = w->m;
		w->m = w->child;
		w->child = swap;
		p->var[l - 1] = p->var[l] / 4 + p->split[l - 1];	/* uncorrelated */
	}
}

/* In the tables: a level has g, k and, on a finer grid, c. */
static size_t
count_reals(const struct dp_normtree *p)
{
	return ((size_t)p->A + 1) * ((p->fine > 0 ? 3 : 2) * (size_t)p->shape.h + 1);
}

/* Tables in p->memory. */
static int
set(struct dp_normtree *p, double *space, enum dp_normtree_use use)
{
	const struct dp_normtree_shape *s = &p->shape;
	const double coarse = ldexp(p->rate, (int)p->fine);
	const size_t reals = count_reals(p);
	struct dp_normtree_real *to = p->memory;
	struct dp_normtree_row *row = (void *)(to + reals);
	struct work w;
	double loss;
	unsigned l;
	int e = 0;

	p->loss = 0;
	if (p->fine > 0 && p->A < DP_SPLINE_REACH)
		return DP_ERANGE;
	start_work(&w, p->A, p->fine, space);
	for (l = 1; l <= s->h && e == 0; l++) {
		if (use == DP_NORMTREE_CERTIFY) {
			to = p->memory;
			row = (void *)(to + reals);
		}
		e = set_level(&w, &p->level[l - 1], s->share[l - 1] * coarse, s->corner[l - 1],
		    &loss, &row, &to);
		p->loss += e == 0 ? loss : 0;
	}
	if (e == 0)
		e = set_root(p, &w, s->share[s->h] * coarse, to);
	if (e == 0 && !(p->loss <= p->rate))
		e = DP_ERANGE;
	p->awake = e == 0 && use == DP_NORMTREE_DRAW;
	if (p->awake && !p->measured) {
		set_moments(p, &w);
		p->measured = true;
	}
	return e;
}

int
dp_normtree_set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double *space = malloc(dp_normtree_work(p->A));
	int e = DP_ENOMEM;

	p->shape = *s;
	p->rate = rate;
	p->h = s->h;
	p->measured = false;
	p->bytes = count_reals(p) * sizeof(struct dp_normtree_real) +
	    ((size_t)p->A + 1) * s->h * sizeof(struct dp_normtree_row);
	p->memory = calloc(1, p->bytes);
	if (space != NULL && p->memory != NULL)
		e = set(p, space, use);
	free(space);
	return e;
}

/* Memory that is not touched, for memory that is; if there is none it stays as it is. */
void
dp_normtree_rest(struct dp_normtree *p)
{
	void *fresh = p->exact ? NULL : calloc(1, p->bytes);

	if (fresh != NULL && p->work == NULL)
		p->work = malloc(dp_normtree_work(p->A));
	if (fresh == NULL || p->work == NULL) {
		free(fresh);
		return;
	}
	free(p->memory);
	p->memory = fresh;
	p->awake = false;
}

int
dp_normtree_wake(struct dp_normtree *p)
{
	return p->awake ? 0 : set(p, p->work, DP_NORMTREE_DRAW);
}
