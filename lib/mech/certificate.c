/* certificate.c - what a plan draws, as text. */
#include <stdio.h>

#include "certificate.h"

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
dp_certificate_real(struct dp_buf *b, double v)
{
	char text[40];

	snprintf(text, sizeof text, " %a", v);
	dp_buf_puts(b, text);
}

int
dp_certificate_laplace(struct dp_buf *b, const struct dp_noise *z, uint64_t times)
{
	if (z->kind != DP_NOISE_LAPLACE) {
		dp_buf_puts(b, "unknown\n");
		return b->error;
	}
	dp_buf_puts(b, "laplace");
	put_q(b, z->param);
	dp_certificate_word(b, times);
	dp_buf_puts(b, "\n");
	return b->error;
}

void
dp_certificate_repeat(struct dp_buf *b, const char *word, struct dp_q scale, uint64_t moves,
    uint64_t n)
{
	if (word == NULL) {
		dp_buf_puts(b, "unknown\n");
		return;
	}
	dp_buf_puts(b, word);
	put_q(b, scale);
	dp_certificate_word(b, moves);
	dp_certificate_word(b, n);
	dp_buf_puts(b, "\n");
}

int
dp_certificate_parts(const struct dp_mech *m, struct dp_buf *b)
{
	if (m->parts == 0)
		dp_buf_puts(b, "unknown\n");
	return b->error;
}

void
dp_certificate_begin(struct dp_buf *b, const char *name, struct dp_q epsilon, uint64_t reach)
{
	dp_buf_puts(b, "mechanism ");
	dp_buf_puts(b, name);
	dp_buf_puts(b, "\nepsilon");
	put_q(b, epsilon);
	dp_buf_puts(b, "\nreach");
	dp_certificate_word(b, reach);
	dp_buf_puts(b, "\n");
}

int
dp_certificate_add(const struct dp_mech *m, struct dp_buf *b)
{
	unsigned i;
	int e;

	dp_certificate_begin(b, m->ops->name, m->epsilon, m->l1);
	if (m->ops->drawn.certify == NULL || m->epsilon.num == 0 || m->l1 == 0)
		dp_buf_puts(b, "unknown\n");
	else if ((e = m->ops->drawn.certify(m, b)) != 0)
		return e;
	for (i = 0; i < m->parts; i++)
		if ((e = dp_certificate_add(m->part[i].inner, b)) != 0)
			return e;
	dp_buf_puts(b, "end\n");
	return b->error;
}
