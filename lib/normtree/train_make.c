/*
 * train_make.c - what train.h says of a tree's levels, found from the steps up to the root.
 */
#include <math.h>
#include <stdlib.h>

#include "train.h"

#define ROWS	(2 * DP_NORMTREE_EVEN)
#define LOW_MAX	6	/* log2 of the steps whose coefficients are kept */

struct build {
	const struct dp_normtree_curve *c;	/* as if it had one point, to find splits with */
	struct dp_normtree_train *t;
	double left;		/* so little may be left of a level's functions */
	double *law;		/* of a node's |P|: [level * (M + 1) + |P|] */
	unsigned M[DP_NORMTREE_LEVELS + 1];	/* |P| looked at */
	/* of the level at hand, K(P, x) + K(P, -x), K(P, 0) once, and K(P, x) - K(P, -x) */
	double *plus, *minus;
	unsigned *to;		/* x of row P at most */
	double *function[DP_LAW_POINTS];	/* a point's: [x][of rank.all] */
	double *image[2];	/* of those of a point: even and odd parts, [P][of them all] */
	double *chosen[2];	/* [of them][P] */
	double *row[2];		/* [of those chosen][of those of the level below] */
	double *work[2], *cosine, *sine;
	double error[DP_LAW_POINTS];
};

static void
kernel_row(const struct dp_normtree_curve *c, unsigned l, unsigned P, double *plus, double *minus)
{
	struct splits s = dp_normtree_splits(c, l, P);
	unsigned x, y;

	memset(plus, 0, (c->M + 1) * sizeof *plus);
	memset(minus, 0, (c->M + 1) * sizeof *minus);
	while (dp_normtree_next(c, &s)) {
		x = s.x;
		y = (unsigned)abs(s.y);
		plus[x] += s.w;
		plus[y] += s.w;
		minus[x] += s.w;
		minus[y] += s.y < 0 ? -s.w : s.w;
	}
	for (x = 0; x <= c->M; x++) {
		plus[x] /= s.sum;
		minus[x] /= s.sum;
	}
}

/* The law of a node of each level, and M: beyond it no more than `rare`, which is an error. */
static void
find_laws(struct build *b, double rare)
{
	const struct dp_normtree_curve *c = b->c;
	const unsigned n = c->M + 1;
	double *law = b->law + c->p->h * (size_t)n, beyond;
	unsigned l, P, x, k;

	dp_normtree_root_law(c, &(struct wave){ law, b->plus });
	for (P = 1; P < n; P++)
		law[P] *= 2;
	for (l = c->p->h;; l--, law -= n) {
		for (beyond = 0, P = c->M; P > 1 && beyond + law[P] <= rare; P--)
			beyond += law[P];
		b->M[l] = P;
		for (k = 0; k < b->t->points; k++)
			b->error[k] += beyond;
		if (l == 0)
			return;
		memset(law - n, 0, n * sizeof *law);
		dp_normtree_curve_level(c, l);
		for (P = 0; P < n; P++) {
			kernel_row(c, l, P, b->plus, b->minus);
			for (x = 0; x < n; x++)
				law[(ptrdiff_t)x - n] += law[P] * b->plus[x];
		}
	}
}

static void
kernel(struct build *b, unsigned l)
{
	const size_t n = b->c->M + 1;
	unsigned P;

	dp_normtree_curve_level(b->c, l);
	for (P = 0; P <= b->M[l]; P++) {
		kernel_row(b->c, l, P, b->plus + P * n, b->minus + P * n);
		for (b->to[P] = b->M[l - 1]; b->plus[P * n + b->to[P]] == 0; b->to[P]--)
			;
	}
}

/* to += x times a row */
static inline void
add(double *restrict to, const double *restrict row, double x, unsigned n)
{
	unsigned j;

	for (j = 0; j < n; j++)
		to[j] += x * row[j];
}

/* The images under B of the functions at point k. */
static void
find_images(struct build *b, unsigned l, unsigned k)
{
	const struct dp_normtree_rank *r = &b->t->rank[l - 1][k];
	const unsigned n = r->all;
	const double *u = b->function[k], *plus, *minus;
	double *even, *odd, e, o;
	unsigned P, x, j;

	for (x = 0; x <= b->M[l - 1]; x++, u += n)
		for (j = 0; j < n; j++) {
			b->work[0][x * n + j] = u[j] * (j < r->even ? b->cosine[x] : -b->sine[x]);
			b->work[1][x * n + j] = u[j] * (j < r->even ? b->sine[x] : b->cosine[x]);
		}
	for (P = 0; P <= b->M[l]; P++) {
		plus = b->plus + P * (size_t)(b->c->M + 1);
		minus = b->minus + P * (size_t)(b->c->M + 1);
		even = memset(b->image[0] + P * n, 0, n * sizeof *even);
		odd = memset(b->image[1] + P * n, 0, n * sizeof *odd);
		for (x = 0; x <= b->to[P]; x++) {
			add(even, b->work[0] + x * n, plus[x], n);
			add(odd, b->work[1] + x * n, minus[x], n);
		}
		for (j = 0; j < n; j++) {
			e = b->cosine[P] * even[j] + b->sine[P] * odd[j];
			o = b->cosine[P] * odd[j] - b->sine[P] * even[j];
			even[j] = e;
			odd[j] = o;
		}
	}
}

/* The n images' norms: the largest one's place, and what they sum to. */
static unsigned
largest(const double *law, unsigned M, const double *image, unsigned n, double *sum,
    double *most)
{
	double square[ROWS] = { 0 };
	unsigned P, j, best = 0;

	for (P = 0; P <= M; P++, image += n)
		for (j = 0; j < n; j++)
			square[j] += law[P] * image[j] * image[j];
	for (*sum = 0, j = 0; j < n; j++) {
		*sum += sqrt(square[j]);
		if (square[j] > square[best])
			best = j;
	}
	*most = sqrt(square[best]);
	return best;
}

/* The even, or odd, functions of level l: whatever is left of the images is an error. */
static unsigned
choose(struct build *b, unsigned l, unsigned k, unsigned odd)
{
	const unsigned n = b->t->rank[l - 1][k].all, M = b->M[l];
	const double *law = b->law + l * (size_t)(b->c->M + 1);
	double *image = b->image[odd], *q, *row, left, norm, size;
	unsigned r, P, j, best;

	for (r = 0;; r++) {
		best = largest(law, M, image, n, &left, &norm);
		if (left <= b->left || r == DP_NORMTREE_EVEN) {
			b->error[k] += left;
			return r;
		}
		q = b->chosen[odd] + r * (size_t)(b->c->M + 1);
		row = memset(b->row[odd] + r * n, 0, n * sizeof *row);
		for (P = 0; P <= M; P++) {
			q[P] = image[P * n + best] / norm;
			add(row, image + P * n, law[P] * q[P], n);
		}
		for (P = 0; P <= M; P++)
			add(image + P * n, row, -q[P], n);
		for (size = 0, j = 0; j < n; j++)
			size += fabs(row[j]);
		for (j = 0; j < n; j++)
			row[j] /= size;
		for (P = 0; P <= M; P++)
			q[P] *= size;
	}
}

/* Room for a level's functions at point k. */
static bool
make_functions(struct build *b, unsigned l, unsigned k)
{
	const size_t n = (b->M[l] + 1) * (size_t)b->t->rank[l][k].all * sizeof *b->function[k];
	double *u = realloc(b->function[k], n);

	if (u == NULL)
		return false;
	b->function[k] = u;
	memset(u, 0, n);
	b->t->width[l] += b->t->rank[l][k].all;
	return true;
}

/* What was chosen becomes level l's, and the rows its map. */
static bool
keep(struct build *b, unsigned l, unsigned k)
{
	struct dp_normtree_train *t = b->t;
	const unsigned n = t->rank[l - 1][k].all;
	struct dp_normtree_rank *r = &t->rank[l][k];
	double *map, *u;
	unsigned P, j, half;

	r->all = (r->even + r->odd + !(r->even + r->odd) + DP_NORMTREE_ABREAST - 1) /
	    DP_NORMTREE_ABREAST * DP_NORMTREE_ABREAST;
	if ((map = t->map[l][k] = calloc(r->all * n, sizeof *map)) == NULL ||
	    !make_functions(b, l, k))
		return false;
	memcpy(map, b->row[0], r->even * n * sizeof *map);
	memcpy(map + r->even * n, b->row[1], r->odd * n * sizeof *map);
	for (u = b->function[k], P = 0; P <= b->M[l]; P++, u += r->all)
		for (j = 0; j < r->even + r->odd; j++) {
			half = j >= r->even;
			u[j] = b->chosen[half][(j - half * r->even) * (b->c->M + 1) + P];
		}
	return true;
}

static void
set_point(struct build *b, unsigned k)
{
	unsigned x;

	for (x = 0; x <= b->c->M; x++) {
		b->cosine[x] = cos((k + 1) * b->c->step * x / 2);
		b->sine[x] = sin((k + 1) * b->c->step * x / 2);
	}
}

/* Steps: none is 1, so that u is cos(t P / 2), and v its sine, negative. */
static bool
begin(struct build *b)
{
	struct dp_normtree_train *t = b->t;
	unsigned k, x;
	double *u;

	for (k = 0; k < t->points; k++) {
		t->rank[0][k] = (struct dp_normtree_rank){ 1, 1, DP_NORMTREE_ABREAST };
		if (!make_functions(b, 0, k))
			return false;
		set_point(b, k);
		for (u = b->function[k], x = 0; x <= b->M[0]; x++, u += DP_NORMTREE_ABREAST) {
			u[0] = b->cosine[x];
			u[1] = b->sine[x];
		}
	}
	return true;
}

static bool
level(struct build *b, unsigned l)
{
	struct dp_normtree_rank *r = b->t->rank[l];
	unsigned k;

	kernel(b, l);
	for (k = 0; k < b->t->points; k++) {
		set_point(b, k);
		find_images(b, l, k);
		r[k].even = choose(b, l, k, 0);
		r[k].odd = choose(b, l, k, 1);
		if (!keep(b, l, k))
			return false;
	}
	return true;
}

/* E f of the root's functions, and what it is off. */
static void
finish(struct build *b)
{
	struct dp_normtree_train *t = b->t;
	const double *law = b->law + t->h * (size_t)(b->c->M + 1), *u;
	double *v = t->way[0].before[t->h], weight = 0;
	const struct dp_normtree_rank *r = t->rank[t->h];
	unsigned k, x, j;

	memset(v, 0, t->width[t->h] * sizeof *v);
	for (k = 0; k < t->points; k++, v += r->all, r++) {
		set_point(b, k);
		u = b->function[k];
		for (x = 0; x <= b->M[t->h]; x++)
			for (j = 0; j < r->all; j++)
				v[j] += law[x] * (j < r->even ? b->cosine[x] : -b->sine[x]) *
				    *u++;
		weight = b->c->step / (M_PI * sin(fmin((k + 1) * b->c->step, M_PI) / 2));
		t->off += weight * b->error[k];
	}
	t->off += t->points * weight * b->error[k - 1];	/* law_parts.c: what is beyond */
	memcpy(t->way[1].before[t->h], t->way[0].before[t->h],
	    t->width[t->h] * sizeof *v);
}

/* Room for what levels add to phi. */
static bool
lay_out(struct dp_normtree_train *t)
{
	unsigned l, i;

	for (l = t->low; l <= t->h; l++)
		for (i = 0; i < 2; i++)
			if ((t->way[i].before[l] = malloc(t->width[l] *
			    sizeof(double))) == NULL)
				return false;
	return true;
}

static double *
lay(double **at, size_t n)
{
	*at += n;
	return *at - n;
}

static bool
make(struct build *b, double *at)
{
	const size_t n = b->c->M + 1;
	struct dp_normtree_train *t = b->t;
	unsigned i, l;

	b->plus = lay(&at, n * n);
	b->minus = lay(&at, n * n);
	b->law = lay(&at, n * (t->h + 1));
	b->cosine = lay(&at, n);
	b->sine = lay(&at, n);
	for (i = 0; i < 2; i++) {
		b->image[i] = lay(&at, ROWS * n);
		b->work[i] = lay(&at, ROWS * n);
		b->chosen[i] = lay(&at, DP_NORMTREE_EVEN * n);
		b->row[i] = lay(&at, DP_NORMTREE_EVEN * ROWS);
	}
	find_laws(b, b->left / 4);
	if (!begin(b))
		return false;
	for (l = 1; l <= t->h; l++)
		if (!level(b, l) || (l == t->low && !dp_normtree_train_near(t)))
			return false;
	if (!lay_out(t))
		return false;
	finish(b);
	return true;
}

struct dp_normtree_train *
dp_normtree_train_create(const struct dp_normtree_curve *curve)
{
	struct dp_normtree_curve c = *curve;
	const size_t h = c.p->h, n = c.M + 1;
	struct build b = { .c = &c, .left = c.gamma * DP_LAW_TRIFLE / (128 * (double)h + 128) };
	double *room = malloc((n * (2 * n + h + 4 + ROWS * 5) + c.p->A + 1 +
	    2 * DP_NORMTREE_EVEN * ROWS) * sizeof *room), *at = room;
	bool good = false;
	unsigned k;

	b.t = calloc(1, sizeof *b.t);
	b.to = malloc(n * sizeof *b.to);
	if (room != NULL && b.t != NULL && b.to != NULL) {
		b.t->h = c.p->h;
		b.t->low = h < LOW_MAX ? c.p->h : LOW_MAX;
		b.t->points = c.points;
		c.points = 1;
		c.row = n;
		c.g = lay(&at, n);
		c.k = lay(&at, c.p->A + 1);
		good = make(&b, at);
	}
	for (k = 0; k < curve->points; k++)
		free(b.function[k]);
	free(room);
	free(b.to);
	if (!good) {
		dp_normtree_train_free(b.t);
		return NULL;
	}
	return b.t;
}
