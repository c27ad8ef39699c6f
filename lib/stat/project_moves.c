/* project_moves.c - how far one record can move the answers to linear queries. */
#include <stdlib.h>

#include "project.h"

struct length {
	uint64_t norm;
	size_t i;		/* the column */
};

/* Columns to compare: power 1 or 2; or of 0 and 1, 64 a word, where both are the same. */
struct search {
	const struct dp_matrix *m;
	int power;
	size_t words;		/* of a column's bits */
	uint64_t *bits;		/* NULL: entries */
	struct length *list;
};

/* Longest first. */
static int
by_norm(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	return (x->norm < y->norm) - (x->norm > y->norm);
}

static uint64_t
apart_bits(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t sum = 0;
	size_t j;

	for (j = 0; j < words; j++)
		sum += (uint64_t)__builtin_popcountll(a[j] ^ b[j]);
	return sum;
}

/* sum |a_j - b_j|^power of columns i and l; l = columns: 0 */
static uint64_t
apart(const struct search *s, size_t i, size_t l)
{
	const int32_t *a = dp_matrix_column(s->m, i), *b = dp_matrix_column(s->m, l);
	uint64_t sum = 0;
	int64_t d;
	size_t j;

	if (s->bits != NULL)
		return apart_bits(s->bits + i * s->words, s->bits + l * s->words, s->words);
	for (j = 0; j < s->m->rows; j++) {
		d = (int64_t)a[j] - (l == s->m->columns ? 0 : b[j]);
		sum += (uint64_t)(s->power == 2 ? d * d : d < 0 ? -d : d);
	}
	return sum;
}

/* The sum over the rows of their largest entry to that power: no pair is farther apart. */
static uint64_t
ceiling(const struct dp_matrix *m, int power)
{
	uint64_t s = 0, largest;
	size_t i, j;

	for (j = 0; j < m->rows; j++) {
		for (i = 0, largest = 0; i < m->columns; i++)
			if ((uint64_t)dp_matrix_column(m, i)[j] > largest)
				largest = (uint64_t)dp_matrix_column(m, i)[j];
		s += power == 2 ? largest * largest : largest;
	}
	return s;
}

/*
 * The farthest that two columns, or a column and 0, are apart.  Entries are not negative, so two of
 * norms x and y are at most x + y apart, for both powers.
 */
static uint64_t
farthest(const struct search *s, bool from_nothing, uint64_t work)
{
	const uint64_t most = ceiling(s->m, s->power);
	const uint64_t each = s->bits != NULL ? s->words : s->m->rows;
	struct length *list = s->list;
	uint64_t best, d, done = 0;
	size_t i, l;

	for (i = 0; i < s->m->columns; i++)
		list[i] = (struct length){ apart(s, i, s->m->columns), i };
	qsort(list, s->m->columns, sizeof *list, by_norm);
	best = list[0].norm > 0 ? list[0].norm : 1;
	for (i = 0; !from_nothing && i < s->m->columns && best < most; i++)
		for (l = i + 1; l < s->m->columns && list[i].norm + list[l].norm > best; l++) {
			if ((done += each) > work)
				return most;
			d = apart(s, list[i].i, list[l].i);
			best = d > best ? d : best;
		}
	return best;
}

/* Of a matrix of 0 and 1; the last column is 0. */
static int
pack(struct search *s)
{
	const struct dp_matrix *m = s->m;
	size_t i, j;

	s->words = (m->rows + 63) / 64;
	if ((s->bits = calloc((m->columns + 1) * s->words, sizeof *s->bits)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < m->columns; i++)
		for (j = 0; j < m->rows; j++)
			s->bits[i * s->words + j / 64] |=
			    (uint64_t)dp_matrix_column(m, i)[j] << j % 64;
	return 0;
}

int
dp_moves_find(struct dp_moves *v, const struct dp_matrix *m, bool from_nothing, uint64_t work)
{
	struct search s = { .m = m, .power = 1 };
	size_t i;
	int e = 0;

	if ((s.list = calloc(m->columns, sizeof *s.list)) == NULL)
		e = DP_ENOMEM;
	if (e == 0 && m->places == 0)
		e = pack(&s);
	if (e == 0) {
		v->l1 = v->l2squared = farthest(&s, from_nothing, work);
		s.power = 2;
		if (m->places != 0)
			v->l2squared = farthest(&s, from_nothing, work);
		for (v->most = 0, i = 0; i < m->rows * m->columns; i++)
			if ((uint64_t)m->entry[i] > v->most)
				v->most = (uint64_t)m->entry[i];
	}
	free(s.bits);
	free(s.list);
	return e;
}
