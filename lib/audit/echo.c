/*
 * echo.c - the echo De of a window's noise: its norm, and that of C (lib/blt/law.c has the
 * recursion), block by block in intervals; what comes after the last block is bounded by its l1
 * norm.
 */
#include "interval.h"
#include "poles.h"

#define BLOCKS		4096
#define SMALL		0x1p-60		/* what may be left of a norm */

/* The echo's coefficients, one after another, and what they come to. */
struct echo {
	const struct audit_blt *f;
	struct interval v[DP_AUDIT_ECHOES], in, out, t;
	struct interval A[DP_AUDIT_ECHOES], B[DP_AUDIT_ECHOES];
};

static struct interval *
nth(struct echo *e, unsigned i)
{
	struct interval *const all[] = { &e->v[0], &e->v[1], &e->in, &e->out, &e->t, &e->A[0],
	    &e->A[1], &e->B[0], &e->B[1] };

	return i < sizeof all / sizeof *all ? all[i] : NULL;
}

static void
echo_start(struct echo *e, const struct audit_blt *f)
{
	unsigned i, k;

	e->f = f;
	for (i = 0; nth(e, i) != NULL; i++)
		interval_init(nth(e, i));
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		interval_set(&e->v[k], 0);
		interval_set(&e->A[k], (double)f->a[k] * 0x1p-32);
		interval_set(&e->B[k], (double)f->b[k] * 0x1p-32);
	}
}

static void
echo_stop(struct echo *e)
{
	unsigned i;

	for (i = 0; nth(e, i) != NULL; i++)
		interval_clear(nth(e, i));
}

/* d_m to e->out; m = 0, 1, .. in order */
static void
echo_next(struct echo *e, unsigned m)
{
	unsigned k;

	interval_set(&e->out, m == 0);
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		interval_copy(&e->in, &e->out);
		interval_add(&e->out, &e->in, &e->v[k]);
		interval_times(&e->t, &e->A[k], &e->in);
		interval_times(&e->v[k], &e->B[k], &e->out);
		interval_sub(&e->v[k], &e->v[k], &e->t);
	}
}

/*
 * At most the sum of |d_m| over all that are to come.  Of the first stage they are v B^i; of the
 * second, y_1 = y_0 + v and v' = B y_1 - A y_0, so sum |y_1| (1 - B) <= |v| + (1 + A) sum |y_0|.
 */
static void
echo_rest(struct echo *e, mpfr_t to)
{
	mpfr_t x;
	unsigned k;

	mpfr_init2(x, DP_AUDIT_BITS);
	mpfr_set_zero(to, 1);
	for (k = 0; k < DP_AUDIT_ECHOES; k++) {
		mpfr_add_ui(x, e->A[k].hi, 1, UP);
		mpfr_mul(to, to, x, UP);
		interval_size(x, &e->v[k]);
		mpfr_add(to, to, x, UP);
		mpfr_ui_sub(x, 1, e->B[k].hi, DOWN);
		mpfr_div(to, to, x, UP);
	}
	mpfr_clear(x);
}

void
audit_echo_norm(const struct audit_blt *f, mpfr_t all, mpfr_t late)
{
	struct echo e;
	unsigned m;

	mpfr_set_ui(all, 1, UP);
	mpfr_set_zero(late, 1);
	if (f->lag == 0)
		return;
	echo_start(&e, f);
	mpfr_set_zero(all, 1);
	for (m = 0; m <= DP_AUDIT_ECHO_PAST; m++) {
		echo_next(&e, m);
		interval_size(late, &e.out);
		mpfr_add(all, all, late, UP);
	}
	echo_rest(&e, late);
	mpfr_add(all, all, late, UP);
	echo_stop(&e);
}

/* One block's sum of squares, with the d that its last step has: form(x) + 2 d last + d^2. */
struct block {
	struct interval S[DP_AUDIT_POLES], x[DP_AUDIT_POLES], whole[DP_AUDIT_POLES];
	struct interval before[DP_AUDIT_POLES];		/* th_j^W, th_j^(W-1) */
	struct interval sum, last, a, b, c;
};

static void
power(mpfr_t th, uint64_t n, struct interval *to)
{
	mpfr_pow_ui(to->lo, th, n, DOWN);
	mpfr_pow_ui(to->hi, th, n, UP);
}

static void
block_start(struct block *k, struct poles *p)
{
	struct interval *const room[] = { &k->sum, &k->last, &k->a, &k->b, &k->c };
	unsigned j;

	for (j = 0; j < sizeof room / sizeof *room; j++)
		interval_init(room[j]);
	for (j = 0; j < p->f->poles; j++) {
		interval_init(&k->S[j]);
		interval_init(&k->x[j]);
		interval_init(&k->whole[j]);
		interval_init(&k->before[j]);
		interval_set(&k->S[j], 0);
		power(p->th[j], p->f->lag, &k->whole[j]);
		power(p->th[j], p->f->lag - 1, &k->before[j]);
	}
	interval_set(&k->sum, 1);
}

static void
block_stop(struct block *k, const struct poles *p)
{
	struct interval *const room[] = { &k->sum, &k->last, &k->a, &k->b, &k->c };
	unsigned j;

	for (j = 0; j < sizeof room / sizeof *room; j++)
		interval_clear(room[j]);
	for (j = 0; j < p->f->poles; j++) {
		interval_clear(&k->S[j]);
		interval_clear(&k->x[j]);
		interval_clear(&k->whole[j]);
		interval_clear(&k->before[j]);
	}
}

/* The S_j of the block, x_j = om_j S_j, and the last of its own terms. */
static void
block_next(struct block *k, struct poles *p, const struct interval *d)
{
	unsigned j;

	interval_set(&k->last, 0);
	for (j = 0; j < p->f->poles; j++) {
		interval_times(&k->a, &k->S[j], &k->whole[j]);
		interval_add(&k->S[j], &k->a, d);
		mpfr_set(k->a.lo, p->om[j], DOWN);
		mpfr_set(k->a.hi, p->om[j], UP);
		interval_times(&k->x[j], &k->a, &k->S[j]);
		interval_times(&k->a, &k->x[j], &k->before[j]);
		interval_add(&k->last, &k->last, &k->a);
	}
}

/* sum += form(x) + d (2 last + d) */
static void
block_add(struct block *k, struct poles *p, const struct interval *d)
{
	unsigned i, j;

	for (i = 0; i < p->f->poles; i++)
		for (j = 0; j <= i; j++) {
			audit_poles_sum(p, p->y, i, j, p->f->lag, DOWN);
			mpfr_set(k->a.lo, p->y, DOWN);
			audit_poles_sum(p, p->y, i, j, p->f->lag, UP);
			mpfr_set(k->a.hi, p->y, UP);
			interval_times(&k->b, &k->x[i], &k->x[j]);
			interval_times(&k->c, &k->b, &k->a);
			interval_add(&k->sum, &k->sum, &k->c);
			if (i != j)
				interval_add(&k->sum, &k->sum, &k->c);
		}
	interval_add(&k->a, &k->last, &k->last);
	interval_add(&k->a, &k->a, d);
	interval_times(&k->b, &k->a, d);
	interval_add(&k->sum, &k->sum, &k->b);
}

/*
 * A bound on the norm of what comes after the block: of the S_j as they fade, and of the d to come,
 * that of this block's last step among them.
 */
static void
block_rest(struct block *k, struct poles *p, struct echo *e, const mpfr_t cb, mpfr_t to)
{
	unsigned j;

	echo_rest(e, to);
	interval_size(p->x, &e->out);
	mpfr_add(to, to, p->x, UP);
	mpfr_mul(to, to, cb, UP);
	for (j = 0; j < p->f->poles; j++) {
		interval_size(p->x, &k->x[j]);
		mpfr_mul(p->x, p->x, k->whole[j].hi, UP);
		mpfr_sqr(p->y, p->th[j], MPFR_RNDN);		/* exactly */
		mpfr_ui_sub(p->y, 1, p->y, MPFR_RNDN);
		mpfr_sqrt(p->y, p->y, DOWN);
		mpfr_div(p->x, p->x, p->y, UP);
		mpfr_add(to, to, p->x, UP);
	}
}

void
audit_echo_squares(struct poles *p, mpfr_t to, uint64_t n, const mpfr_t cb)
{
	const uint64_t W = p->f->lag, blocks = (n - 1) / W + ((n - 1) % W != 0);
	struct echo e;
	struct block k;
	mpfr_t rest;
	unsigned m;

	echo_start(&e, p->f);
	block_start(&k, p);
	mpfr_init2(rest, DP_AUDIT_BITS);
	mpfr_set_zero(rest, 1);
	echo_next(&e, 0);
	/* block m has the terms m W + 1 .. (m + 1) W */
	for (m = 0; m < BLOCKS && m < blocks; m++) {
		block_next(&k, p, &e.out);
		echo_next(&e, m + 1);
		block_add(&k, p, &e.out);
		block_rest(&k, p, &e, cb, rest);
		if (mpfr_cmp_d(rest, SMALL) < 0)
			break;
	}
	/* all blocks were passed: nothing is left */
	if (m == blocks)
		mpfr_set_zero(rest, 1);
	mpfr_sqrt(to, k.sum.hi, UP);
	mpfr_add(to, to, rest, UP);
	mpfr_sqr(to, to, UP);
	mpfr_clear(rest);
	block_stop(&k, p);
	echo_stop(&e);
}
