/*
 * certificate.c - correlated noise as it is drawn, in the text that dputils-plan(5) describes.
 */
#include "banded.h"
#include "mech/certificate.h"
#include "norm.h"

/* STEPS COLUMNS BITS SQUARE FADING TIMES SPACING */
static void
head(struct dp_buf *b, const char *word, const struct dp_noise *z, const uint64_t n[static 7])
{
	unsigned i;

	dp_certificate_scale(b, word, z->param);
	for (i = 0; i < 7; i++)
		dp_certificate_word(b, n[i]);
}

/* word A B */
static void
pair(struct dp_buf *b, const char *word, uint64_t x, uint64_t y)
{
	dp_buf_puts(b, word);
	dp_certificate_word(b, x);
	dp_certificate_word(b, y);
	dp_buf_puts(b, "\n");
}

int
dp_blt_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_blt *k = (const void *)m;
	const struct dp_blt_form *f = &k->form;
	uint64_t left, unit;
	unsigned i, pieces = 0;

	if (k->noise.kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	while (dp_blt_norm_piece(k, pieces, &left, &unit))
		pieces++;
	head(b, "blt", &k->noise, (uint64_t[]){ k->end, k->moves.columns, k->s,
	    k->moves.l2squared, k->fading, k->moves.times, k->moves.spacing });
	dp_certificate_word(b, f->lag);
	dp_certificate_word(b, f->d);
	dp_certificate_word(b, pieces);
	dp_buf_puts(b, "\n");
	for (i = 0; i < f->d; i++)
		pair(b, "pole", f->gap[i], f->om[i]);
	for (i = 0; i < f->echoes; i++)
		pair(b, "echo", f->a[i], f->b[i]);
	for (i = 0; dp_blt_norm_piece(k, i, &left, &unit); i++)
		pair(b, "piece", left, unit);
	return b->error;
}

int
dp_banded_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_banded *k = (const void *)m;
	const struct dp_banded_form *f = &k->form;
	uint64_t i;

	if (k->noise.kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	head(b, "banded", &k->noise, (uint64_t[]){ k->end, k->moves.columns, f->s,
	    k->moves.l2squared, 0, k->moves.times, k->moves.spacing });
	dp_certificate_word(b, f->p);
	for (i = 0; i < f->p; i++)
		dp_certificate_word(b, (uint64_t)f->a[i]);
	dp_buf_puts(b, "\n");
	return b->error;
}
