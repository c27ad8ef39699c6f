/* SPDX-License-Identifier: ISC */
/* certificate.c - what a plan draws, as text. */
#include <math.h>
#include <stdio.h>

#include "internal.h"

#define DP_WIDE_TEXT	48		/* digits of 128 bits */

static void
put_q(struct dp_buf *b, struct dp_q q)
{
	dp_certificate_word(b, q.num);
	dp_buf_puts(b, "/");
	dp_buf_u64(b, q.den);
}

void
dp_certificate_word(struct dp_buf *b, uint64_t n)
{
	dp_buf_puts(b, " ");
	dp_buf_u64(b, n);
}

void
dp_certificate_scale(struct dp_buf *b, const char *word, struct dp_q scale)
{
	dp_buf_puts(b, word);
	put_q(b, scale);
}

void
dp_certificate_real(struct dp_buf *b, double v)
{
	char text[40];

	snprintf(text, sizeof text, " %a", v);
	dp_buf_puts(b, text);
}

/* word SCALE N .. */
static int
line(struct dp_buf *b, const char *word, struct dp_q scale, const uint64_t *n, unsigned count)
{
	dp_certificate_scale(b, word, scale);
	while (count-- > 0)
		dp_certificate_word(b, *n++);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_unknown(struct dp_buf *b)
{
	dp_buf_puts(b, "unknown\n");
	return b->error;
}

int
dp_certificate_nothing(struct dp_buf *b)
{
	dp_buf_puts(b, "nothing\n");
	return b->error;
}

int
dp_certificate_laplace(struct dp_buf *b, const struct dp_noise *z, uint64_t times)
{
	return z->kind != DP_NOISE_LAPLACE ? dp_certificate_unknown(b) :
	    line(b, "laplace", z->param, &times, 1);
}

int
dp_certificate_gauss(struct dp_buf *b, const struct dp_noise *z, dp_uwide square, uint64_t draws)
{
	char text[DP_WIDE_TEXT], *p = text + sizeof text;

	*--p = '\0';
	do
		*--p = (char)('0' + (int)(square % 10));
	while ((square /= 10) != 0);
	dp_buf_puts(b, "gauss");
	put_q(b, z->param);
	dp_buf_puts(b, " ");
	dp_buf_puts(b, p);
	dp_certificate_word(b, draws);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_values(struct dp_buf *b, const struct dp_noise *z, uint64_t moves, uint64_t n)
{
	if (z->kind == DP_NOISE_LAPLACE)
		return line(b, "value", z->param, (uint64_t[]){ moves, n }, 2);
	/* scales that fit have moves^2 n below 2^96 */
	return z->kind != DP_NOISE_GAUSS ? dp_certificate_unknown(b) :
	    dp_certificate_gauss(b, z, (dp_uwide)moves * moves * n, n);
}

int
dp_certificate_choices(struct dp_buf *b, const struct dp_choose *c, uint64_t moves, uint64_t n)
{
	return c->kind == DP_NOISE_NONE ? dp_certificate_unknown(b) :
	    line(b, c->kind == DP_NOISE_FLIP ? "choice" : "weigh", c->scale,
	    (uint64_t[]){ moves, n }, 2);
}

int
dp_certificate_sparse(struct dp_buf *b, const struct dp_noise *threshold, uint64_t moves,
    const struct dp_noise *compare, uint64_t span, uint64_t n)
{
	const bool none = threshold->kind == DP_NOISE_NONE;

	dp_buf_puts(b, "sparse");
	put_q(b, none ? (struct dp_q){ 0, 1 } : threshold->param);
	dp_certificate_word(b, none ? 0 : moves);
	return line(b, "", compare->param, (uint64_t[]){ span, n }, 2);
}

int
dp_certificate_coin(struct dp_buf *b, const struct dp_coin *c, uint64_t others, uint64_t own,
    uint64_t times)
{
	char text[80];

	if (c->always)
		return dp_certificate_unknown(b);
	snprintf(text, sizeof text, "coin %016llx%016llx%016llx%016llx",
	    (unsigned long long)c->word[0], (unsigned long long)c->word[1],
	    (unsigned long long)c->word[2], (unsigned long long)c->word[3]);
	dp_buf_puts(b, text);
	dp_certificate_word(b, others);
	dp_certificate_word(b, own);
	dp_certificate_word(b, times);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_again(struct dp_buf *b, const struct dp_noise *state, const struct dp_noise *out,
    uint64_t moves, uint64_t n)
{
	dp_buf_puts(b, "again");
	put_q(b, state->param);
	return line(b, "", out->param, (uint64_t[]){ moves, n }, 2);
}

int
dp_certificate_looks(struct dp_buf *b, const struct dp_noise *state, uint64_t looks)
{
	return line(b, "looks", state->param, &looks, 1);
}

int
dp_certificate_names(struct dp_buf *b, const struct dp_noise *z, uint64_t tau, uint64_t k,
    uint64_t each)
{
	return line(b, "names", z->param, (uint64_t[]){ tau, k, each }, 3);
}

int
dp_certificate_passes(struct dp_buf *b, uint64_t k, uint64_t each,
    const struct dp_certificate_pass *p, unsigned n)
{
	dp_buf_puts(b, "pass");
	dp_certificate_word(b, k);
	dp_certificate_word(b, each);
	dp_certificate_word(b, n);
	for (; n > 0; n--, p++) {
		dp_certificate_word(b, p->steps);
		dp_certificate_word(b, p->tau);
	}
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_window(struct dp_buf *b, uint64_t k, uint64_t each, uint64_t W, uint64_t tau)
{
	dp_buf_puts(b, "window");
	dp_certificate_word(b, k);
	dp_certificate_word(b, each);
	dp_certificate_word(b, W);
	dp_certificate_word(b, tau);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_rise(struct dp_buf *b, uint64_t k, uint64_t each, uint64_t tau)
{
	dp_buf_puts(b, "rise");
	dp_certificate_word(b, k);
	dp_certificate_word(b, each);
	dp_certificate_word(b, tau);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_ages(struct dp_buf *b, struct dp_q fresh, uint64_t age, const struct dp_noise *z,
    unsigned levels, const uint64_t *const curve[2])
{
	unsigned j, odd;

	if (z->kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	dp_certificate_scale(b, "fresh", fresh);
	dp_buf_puts(b, "\nages");
	dp_certificate_word(b, age);
	dp_certificate_word(b, levels);
	for (j = 0; j < levels; j++)
		put_q(b, z[j].param);
	for (j = 0; curve != NULL && j < levels; j++)
		for (odd = 0; odd < (j > 0 ? 2 : 1); odd++) {
			dp_certificate_word(b, ((uint64_t)1 << j) - 1 + odd);
			put_q(b, dp_q_make(curve[odd][j], DP_CURVE_UNIT));
		}
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_counter(struct dp_buf *b, const struct dp_certificate_counter *c)
{
	dp_buf_puts(b, "counter");
	dp_certificate_word(b, c->moves);
	dp_certificate_word(b, c->fading);
	dp_certificate_word(b, c->answers);
	dp_buf_puts(b, "\n");
	return b->error;
}

int
dp_certificate_composed(struct dp_buf *b, const struct dp_noise *z, uint64_t moves, uint64_t n)
{
	return z->kind == DP_NOISE_NONE ? dp_certificate_unknown(b) :
	    line(b, "composed", z->param, (uint64_t[]){ moves, n }, 2);
}

void
dp_certificate_rounds(struct dp_buf *b, uint64_t n)
{
	dp_buf_puts(b, "rounds");
	dp_certificate_word(b, n);
	dp_buf_puts(b, "\n");
}

void
dp_certificate_count(struct dp_buf *b, uint64_t parts)
{
	dp_buf_puts(b, "parts");
	dp_certificate_word(b, parts);
	dp_buf_puts(b, "\n");
}

int
dp_certificate_parts(const struct dp_mech *m, struct dp_buf *b)
{
	return m->parts == 0 ? dp_certificate_unknown(b) : b->error;
}

void
dp_certificate_begin(struct dp_buf *b, const char *name, struct dp_q epsilon, struct dp_q delta,
    uint64_t reach)
{
	dp_buf_puts(b, "mechanism ");
	dp_buf_puts(b, name);
	dp_buf_puts(b, "\nepsilon");
	put_q(b, epsilon);
	if (delta.num != 0) {
		dp_buf_puts(b, "\ndelta");
		put_q(b, delta);
	}
	dp_buf_puts(b, "\nreach");
	dp_certificate_word(b, reach);
	dp_buf_puts(b, "\n");
}

uint64_t
dp_certificate_age(const struct dp_mech *m)
{
	return m->horizon != 0 ? m->horizon - 1 : (uint64_t)1 << 61;
}

#define LOSSES	((uint64_t)1 << 32)	/* a loss that grows, rounded up */

/* The claim: of a loss that grows with age, the oldest event's. */
static struct dp_q
claimed(const struct dp_mech *m)
{
	const double loss = m->ops->drawn.loss == NULL ? INFINITY :
	    m->ops->drawn.loss(m, dp_certificate_age(m)) * (1 + 0x1p-40);

	return loss < 0x1p30 ? dp_q_make((uint64_t)ceil(loss * (double)LOSSES), LOSSES) :
	    m->epsilon;
}

int
dp_certificate_add(const struct dp_mech *m, struct dp_buf *b)
{
	unsigned i;
	int e;

	dp_certificate_begin(b, m->ops->name, claimed(m), m->delta, m->l1);
	if (m->ops->drawn.certify == NULL || m->epsilon.num == 0 || m->l1 == 0)
		e = dp_certificate_unknown(b);
	else
		e = m->ops->drawn.certify(m, b);
	if (e != 0)
		return e;
	if (m->parts > 0)
		dp_certificate_count(b, m->parts);
	for (i = 0; i < m->parts; i++)
		if ((e = dp_certificate_add(m->part[i].inner, b)) != 0)
			return e;
	dp_buf_puts(b, "end\n");
	return b->error;
}

/* A line of its own. */
static void
put_number(struct dp_buf *b, const char *word, uint64_t n)
{
	dp_buf_puts(b, word);
	dp_certificate_word(b, n);
	dp_buf_puts(b, "\n");
}

/* How long the run is, and which of its steps an answer, or the guarantee, is about. */
static void
put_times(struct dp_buf *b, const struct dp_task *task, uint64_t horizon)
{
	unsigned i;

	put_number(b, "horizon", horizon);
	if (dp_task_cover(task) == DP_COVER_LAST)
		put_number(b, "covers", task->w[0]);
	else if (task->windows > 0) {
		dp_buf_puts(b, "last");
		for (i = 0; i < task->windows; i++)
			dp_certificate_word(b, task->w[i]);
		dp_buf_puts(b, "\n");
	}
}

int
dp_certificate_plan(struct dp_buf *b, const char *tool, const char *how,
    const struct dp_buf *moves, const struct dp_task *task, const struct dp_mech *m)
{
	struct dp_buf rest = { .n = 0 };
	uint64_t lines = 0;
	size_t i;
	int e;

	dp_buf_line(&rest, "version", DP_VERSION);
	dp_buf_line(&rest, "tool", tool);
	if (how != NULL) {
		dp_buf_puts(&rest, how);
		dp_buf_puts(&rest, "\n");
	}
	dp_buf_add(&rest, moves->p, moves->n);
	put_times(&rest, task, m->horizon);
	if ((e = dp_certificate_add(m, &rest)) == 0 && (e = rest.error) == 0) {
		for (i = 0; i < rest.n; i++)
			lines += rest.p[i] == '\n';
		dp_buf_puts(b, "dputils-plan 2\n");
		put_number(b, "lines", lines);
		dp_buf_add(b, rest.p, rest.n);
	}
	dp_buf_free(&rest);
	return e != 0 ? e : b->error;
}
