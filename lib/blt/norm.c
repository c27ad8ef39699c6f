/*
 * norm.c - buffered linear Toeplitz noise with columns of one norm (norm.h has the proof).
 */
#include <math.h>
#include <stdlib.h>

#include "norm.h"

#define TERMS	(DP_BLT_POLES + 1)

/* Sum of the pieces; k = T - t steps come after step t. */
struct dp_blt_norm {
	unsigned pieces;
	uint64_t unit[DP_BLT_PIECES];		/* N */
	/* when the piece begins: Var F, and Cov(F, X_a), of draws of variance 1 */
	double past[DP_BLT_PIECES], with[DP_BLT_PIECES][TERMS];
	double forever[TERMS][TERMS];		/* sum_{k>=0} e^(-(r_a + r_b) k), (0, 0): 0 */
};

static unsigned
piece_of(uint64_t k)
{
	unsigned o = 0;

	while (k >> o >= 32)
		o++;
	return 16 * o + (unsigned)(k >> o);
}

/* The greatest k of a piece, below T. */
static uint64_t
first_of(const struct dp_blt *b, unsigned i)
{
	const unsigned o = i < 32 ? 0 : i / 16 - 1;
	const uint64_t k = ((uint64_t)(i - 16 * o + 1) << o) - 1;

	return k < b->end ? k : b->end - 1;
}

static unsigned
piece_at(const struct dp_blt *b, uint64_t t)
{
	return piece_of(t < b->end ? b->end - t : 0);
}

uint64_t
dp_blt_norm_unit(const struct dp_blt *b, uint64_t t)
{
	return b->norm == NULL ? 1 : b->norm->unit[piece_at(b, t)];
}

bool
dp_blt_norm_piece(const struct dp_blt *b, unsigned i, uint64_t *left, uint64_t *unit)
{
	const unsigned n = b->norm == NULL ? 0 : b->norm->pieces;

	if (i >= n)
		return false;
	*left = first_of(b, n - 1 - i) + 1;
	*unit = b->norm->unit[n - 1 - i];
	return true;
}

/* ---- the plan ---- */

/*
 * Cov(X_a(t), X_b(t)) = sum_{k<t} e^(-(r_a + r_b) k), all pairs; 1 - e^-(x + y) from 1 - e^-x, 1 -
 * e^-y, which does not cancel.
 */
static void
moments(const struct dp_blt *b, double t, double (*K)[TERMS])
{
	const double *rate = b->form.rate;
	double x[TERMS];
	unsigned i, j;

	for (i = 0; i <= b->form.d; i++)
		x[i] = -expm1(-rate[i] * t);
	for (i = 0; i <= b->form.d; i++)
		for (j = 0; j <= i; j++)
			K[i][j] = K[j][i] = i == 0 ? t :
			    (x[i] + x[j] - x[i] * x[j]) * b->norm->forever[i][j];
}

/* At step t: Var W, and Cov(W, X_a) if it is wanted. */
static double
sum_moments(const struct dp_blt *g, double t, double *with)
{
	const struct dp_blt_form *f = &g->form;
	double K[TERMS][TERMS], row, v = 0;
	unsigned a, b;

	moments(g, t, K);
	for (a = 0; a <= f->d; a++) {
		for (row = 0, b = 0; b <= f->d; b++)
			row += f->residue[b] * K[a][b];
		v += f->residue[a] * row;
		if (with != NULL)
			with[a] = row;
	}
	return v;
}

/* Var F and Cov(F, X) from the beginning of piece i, whose last step is t, to that of i - 1. */
static void
pass_piece(const struct dp_blt *b, unsigned i, double t, double steps)
{
	const struct dp_blt_form *f = &b->form;
	struct dp_blt_norm *v = b->norm;
	const double less = 1 / (double)v->unit[i] - 1 / (double)v->unit[i - 1];
	double with[TERMS], own = sum_moments(b, t, with), cross = 0, m;
	unsigned a;

	for (a = 0; a <= f->d; a++) {
		m = v->with[i][a] * exp(-f->rate[a] * steps);
		cross += f->residue[a] * m;
		v->with[i - 1][a] = m + less * with[a];
	}
	v->past[i - 1] = v->past[i] + 2 * less * cross + less * less * own;
}

static uint64_t
steps_of(const struct dp_blt *b, unsigned i)
{
	return first_of(b, i) + 1 - (i > 0 ? first_of(b, i - 1) + 1 : 0);
}

/* Of the sum after step t, in grid units squared, for draws of variance 1. */
static double
variance(const struct dp_blt *b, uint64_t t)
{
	const unsigned i = piece_at(b, t > 0 ? t : 1);
	const struct dp_blt_norm *v = b->norm;
	const double scale = 1 / (double)v->unit[i];
	const double steps = (double)(t - (b->end - 1 - first_of(b, i)));
	double cross = 0;
	unsigned a;

	if (t == 0)
		return 0;
	for (a = 0; a <= b->form.d; a++)
		cross += b->form.residue[a] * v->with[i][a] * exp(-b->form.rate[a] * steps);
	return v->past[i] + 2 * scale * cross +
	    scale * scale * sum_moments(b, (double)t, NULL);
}

static void
set_moments(struct dp_blt *b)
{
	const double *rate = b->form.rate;
	struct dp_blt_norm *v = b->norm;
	unsigned i, j;

	for (i = 1; i <= b->form.d; i++)
		for (j = 0; j <= i; j++)
			v->forever[i][j] = -1 / expm1(-rate[i] - rate[j]);
	for (i = v->pieces - 1; i > 0; i--)
		pass_piece(b, i, (double)(b->end - 1 - first_of(b, i - 1)),
		    (double)steps_of(b, i));
}

int
dp_blt_norm_set(struct dp_blt *b, struct dp_numbers *numbers)
{
	const double D = ldexp(1, (int)b->s);
	struct dp_blt_norm *v;
	double norm, most = 0;
	uint64_t N;
	unsigned i;

	if ((v = b->norm = calloc(1, sizeof *v)) == NULL)
		return DP_ENOMEM;
	v->pieces = piece_of(b->end - 1) + 1;
	for (i = 0; i < v->pieces; i++) {
		norm = sqrt(dp_blt_sens(&b->form, (double)first_of(b, i) + 1));
		if ((N = (uint64_t)(D / norm)) == 0)
			return DP_ERANGE;
		/* any up to D are private: what they need, the shift says */
		v->unit[i] = dp_numbers_int(numbers, "unit", N, 1, (uint64_t)1 << b->s);
		most = fmax(most, (double)v->unit[i] * norm / D);
	}
	b->size = most;
	set_moments(b);
	return dp_numbers_error(numbers);
}

/* ---- the mechanism ---- */

static uint64_t
parts(const struct dp_filtered *f, uint64_t t)
{
	return dp_blt_norm_unit((const void *)f, t);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_blt *b;
	int e;

	if (rule->task.what != DP_TASK_COUNT || rule->horizon == 0)
		return DP_EINVAL;
	if ((e = dp_blt_make(out, ops, rule)) != 0)
		return e;
	b = (void *)*out;
	b->f.fraction = 64;
	b->f.parts = parts;
	(*out)->drawn.numbers = "every step (in fractions of a grid unit, which get smaller; "
	    "then correlated)";
	(*out)->drawn.unit = 1 / (double)dp_blt_norm_unit(b, 1);	/* the first step's */
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_blt *b = (const void *)m;

	(void)out;
	if (b->norm != NULL)
		dp_law_add(l, &b->noise, sqrt(variance(b, t)), 1);
}

/* sum_{k=1..n} e^(-r k) */
static double
geometric(double r, double n)
{
	return r == 0 ? n : exp(-r) * expm1(-r * n) / expm1(-r);
}

/* Greatest at the first or the last step of a piece: what F adds falls fast, then W's part rises */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_blt *b = (const void *)m;
	const struct dp_blt_norm *v = b->norm;
	const struct dp_blt_form *f = &b->form;
	const double unit = dp_noise_variance(&b->noise);
	double sum = 0, before = 0, ramp, cross, x, n, scale;
	uint64_t t = 0, end;
	unsigned i, a, j;

	e->max = e->mean = 0;
	e->worst = T;
	if (v == NULL)
		return;
	T = T < b->end ? T : b->end;
	for (i = v->pieces; i-- > 0 && t < T; t = end) {
		end = t + steps_of(b, i) < T ? t + steps_of(b, i) : T;
		n = (double)(end - t);
		scale = 1 / (double)v->unit[i];
		for (cross = 0, a = 0; a <= f->d; a++)
			cross += f->residue[a] * v->with[i][a] * geometric(f->rate[a], n);
		dp_blt_energy(f, 0, (double)end, &ramp);
		sum += n * v->past[i] + 2 * scale * cross + scale * scale * (ramp - before);
		before = ramp;
		for (j = 0; j < 2; j++)
			if ((x = unit * variance(b, j == 0 ? t + 1 : end)) > e->max) {
				e->max = x;
				e->worst = j == 0 ? t + 1 : end;
			}
	}
	e->mean = unit * sum / (double)T;
}

static void
destroy(struct dp_mech *m)
{
	free(((struct dp_blt *)(void *)m)->norm);
}

const struct dp_mech_ops dp_blt_norm_ops = {
	.name = "blt-norm",
	.say.source = "buffered linear Toeplitz noise, columns of one norm (Dvijotham et al. 2024; "
	    "Henzinger et al. 2025; in integers, this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_DELTA | DP_TRAIT_ADDS,
	.create = create, .many.fill = dp_blt_fill, .law.at = law, .error = error,
	DP_FILTERED_OPERATIONS, .valid = dp_filtered_valid, .destroy = destroy,
	.drawn.certify = dp_blt_certify
};
