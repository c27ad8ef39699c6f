/*
 * banded.c - the shift of banded Toeplitz noise (lib/blt/banded.h), exactly: the squares of v_t =
 * a_t + a_(t-b) + .., K terms, summed over t < T.
 */
#include "toeplitz.h"

/* to += a_n a_(n + k b) of the columns that begin at steps i b, i + k < K, and have row n. */
static void
add_products(const struct audit_banded *f, mpz_t to, uint64_t K, uint64_t k)
{
	const uint64_t b = f->moves.spacing;
	uint64_t n, columns;
	mpz_t one;

	mpz_init(one);
	for (n = 0; n + k * b < f->n && n + k * b < f->steps; n++) {
		columns = (f->steps - n - 1) / b + 1;
		columns = columns < K ? columns : K;
		if (columns <= k)
			break;
		mpz_set_ui(one, f->a[n]);
		mpz_mul_ui(one, one, f->a[n + k * b]);
		mpz_mul_ui(one, one, columns - k);
		mpz_addmul_ui(to, one, k == 0 ? 1 : 2);
	}
	mpz_clear(one);
}

const char *
audit_banded_square(const struct audit_banded *f, mpq_t square)
{
	const struct audit_moves *m = &f->moves;
	uint64_t K, k;
	unsigned i;

	if (f->n == 0 || f->a[0] != (uint64_t)1 << f->bits)
		return "the first coefficient is not 1";
	for (i = 1; i < f->n; i++)
		if (f->a[i] > f->a[i - 1])
			return "coefficients rise";
	if (m->spacing == 0 || m->times == 0)
		return "events that are no steps apart";
	K = (f->steps - 1) / m->spacing + 1;
	K = m->times < K ? m->times : K;
	mpq_set_ui(square, 0, 1);
	for (k = 0; k < K && k * m->spacing < f->n; k++)
		add_products(f, mpq_numref(square), K, k);
	mpz_mul_ui(mpq_numref(square), mpq_numref(square), m->square);
	return NULL;
}
