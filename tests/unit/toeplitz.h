/* SPDX-License-Identifier: ISC */
/* toeplitz.h - rules for tests of buffered linear Toeplitz noise, and its exact sequences. */
#ifndef TEST_TOEPLITZ_H
#define TEST_TOEPLITZ_H

#include "counter/internal.h"
#include "mech.h"

static inline bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

static inline struct dp_q
decimal(const char *s)
{
	struct dp_q q;

	if (dp_q_parse(&q, s) != 0)
		abort();
	return q;
}

static inline struct dp_mech_rule
blt_rule(enum dp_what what, uint64_t T, uint64_t W, double alpha, const char *eps,
    const char *delta)
{
	struct dp_mech_rule r = { .horizon = T, .report = T,
	    .task = { .what = what, .alpha = alpha } };

	if (W != 0) {
		r.task.windows = 1;
		r.task.w[0] = W;
	}
	if (dp_privacy_set(&r.privacy, *eps == 0,
	    *eps == 0 ? dp_q_make(1, 1) : decimal(eps), decimal(delta), 1, 1) != 0)
		abort();
	return r;
}

static inline struct dp_blt *
blt_make(const struct dp_mech_rule *r)
{
	struct dp_mech *m;

	return dp_mech_plan(&m, &dp_blt_ops, r) == 0 ? (struct dp_blt *)(void *)m : NULL;
}

/* Of what the noise has of a column. */
static inline size_t
blt_bytes(const struct dp_blt *b)
{
	return sizeof(struct dp_blt_column) +
	    (size_t)b->form.lag * b->form.echoes * sizeof(int64_t);
}

static inline struct dp_blt_column *
blt_column(const struct dp_blt *b)
{
	struct dp_blt_column *c = aligned_alloc(64, (blt_bytes(b) + 63) & ~(size_t)63);

	if (c == NULL)
		abort();
	memset(c, 0, blt_bytes(b));
	return c;
}

/*
 * C as a recursion on real numbers, straight from its definition: past() is
 * c_1 w_(t-1) + c_2 w_(t-2) + ..; then push(w_t).  De stage by stage keeps its whole past.
 */
struct chain {
	const struct dp_blt_form *f;
	long double b[DP_BLT_POLES], *in[DP_BLT_ECHOES], *out[DP_BLT_ECHOES];
	size_t t;
};

static inline void
chain_new(struct chain *c, const struct dp_blt_form *f, size_t n)
{
	unsigned k;

	memset(c, 0, sizeof *c);
	c->f = f;
	for (k = 0; k < f->echoes; k++)
		if ((c->in[k] = calloc(n + 1, sizeof(long double))) == NULL ||
		    (c->out[k] = calloc(n + 1, sizeof(long double))) == NULL)
			abort();
}

static inline void
chain_free(struct chain *c)
{
	unsigned k;

	for (k = 0; k < DP_BLT_ECHOES; k++) {
		free(c->in[k]);
		free(c->out[k]);
	}
}

static inline long double
chain_echo(const struct chain *c, unsigned k)
{
	size_t W = c->f->lag;

	return c->t < W ? 0 : ldexpl(c->f->b[k], -32) * c->out[k][c->t - W] -
	    ldexpl(c->f->a[k], -32) * c->in[k][c->t - W];
}

static inline long double
chain_past(const struct chain *c)
{
	long double x = 0;
	unsigned j;

	for (j = 0; j < c->f->d; j++)
		x += ldexpl(c->f->om[j], -64) * c->b[j];
	for (j = 0; j < c->f->echoes; j++)
		x += chain_echo(c, j);
	return x;
}

static inline void
chain_push(struct chain *c, long double w)
{
	unsigned j;

	for (j = 0; j < c->f->echoes; j++) {
		c->in[j][c->t] = w;
		w += chain_echo(c, j);
		c->out[j][c->t] = w;
	}
	for (j = 0; j < c->f->d; j++)
		c->b[j] += w - ldexpl(c->f->gap[j], -64) * c->b[j];
	c->t++;
}

/* c_0 .. c_(n-1) */
static inline void
chain_c(const struct dp_blt_form *f, long double *out, size_t n)
{
	struct chain c;
	size_t k;

	chain_new(&c, f, n);
	for (k = 0; k < n; k++) {
		out[k] = k == 0 ? 1 : chain_past(&c);
		chain_push(&c, k == 0);
	}
	chain_free(&c);
}

/* L = f / C for the weights f: l_0 .. l_(n-1) */
static inline void
chain_l(const struct dp_blt_form *f, const struct dp_task *task, uint64_t W,
    long double *out, size_t n)
{
	struct chain c;
	size_t k;
	long double g;

	chain_new(&c, f, n);
	for (k = 0; k < n; k++) {
		g = W != 0 ? k < W : task->what == DP_TASK_EXP ?
		    powl(task->alpha, (long double)k) : 1;
		out[k] = g - chain_past(&c);
		chain_push(&c, out[k]);
	}
	chain_free(&c);
}

/* r_t for the past in c; then the step that makes its increment w. */
static inline int64_t
account(const struct dp_blt *g, struct dp_blt_column *c, struct dp_blt_column *copy,
    struct dp_rng *known,
    int64_t *script, uint64_t t, int64_t w)
{
	int64_t r, got;

	memcpy(copy, c, blt_bytes(g));
	*script = 0;
	known->known = script;
	known->left = 1;
	check(dp_blt_run(g, copy, known, t, &r, 1) == 0);
	r = -r;
	*script = w + r;
	known->known = script;
	known->left = 1;
	check(dp_blt_run(g, c, known, t, &got, 1) == 0 && got == w);
	return w + r;			/* the draw that gives w */
}

/*
 * The whole privacy proof: the release of N_t x_t + w_t stays when x moves by d, if the draws move
 * by s_t, and sum s_t^2 <= S^2.  Returns that sum over 4^s l2; unit: N_t.
 */
static inline double
account_all(const struct dp_blt *g, const struct dp_mech_rule *r,
    int64_t (*unit)(const struct dp_blt *, uint64_t t), const int64_t *d, size_t n,
    struct dp_rng *rng)
{
	struct dp_blt_column *a = blt_column(g), *b = blt_column(g), *copy = blt_column(g);
	int64_t zero = 0, script, z, w, s;
	double sum = 0, most;
	struct dp_rng *known;
	size_t t;

	if (dp_rng_open_known(&known, &zero, 1) != 0)
		abort();
	for (t = 0; t < n; t++) {
		check(dp_noise_fill(&g->noise, rng, &z, 1) == 0);
		known->known = &z;
		known->left = 1;
		check(dp_blt_run(g, a, known, t, &w, 1) == 0);
		s = account(g, b, copy, known, &script, t, w - d[t] * unit(g, t + 1)) - z;
		sum += (double)s * (double)s;
	}
	most = dp_blt_shift(&g->form, &r->privacy, g->s, g->size, g->end);
	check(sum <= most * most);
	dp_rng_free(known);
	free(a);
	free(b);
	free(copy);
	return sum / ldexp((double)r->privacy.l2squared, 2 * (int)g->s);
}

#endif
