#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"

#define EXPONENT	((uint64_t)1 << 15)	/* added to a long double's: none is negative */

void
dp_params_add(struct dp_params *p, uint64_t v)
{
	size_t cap = p->cap == 0 ? 64 : 2 * p->cap;
	uint64_t *more;

	if (p->error != 0)
		return;
	if (p->n == p->cap) {
		if ((more = realloc(p->word, cap * sizeof *more)) == NULL) {
			p->error = DP_ENOMEM;
			return;
		}
		p->word = more;
		p->cap = cap;
	}
	p->word[p->n++] = v;
}

void
dp_params_free(struct dp_params *p)
{
	free(p->word);
	*p = (struct dp_params){ .n = 0 };
}

bool
dp_params_replays(const struct dp_params *p)
{
	return p != NULL && p->replay;
}

int
dp_params_error(const struct dp_params *p)
{
	return p != NULL ? p->error : 0;
}

void
dp_params_refuse(struct dp_params *p)
{
	if (p != NULL && p->error == 0)
		p->error = DP_EINVAL;
}

void
dp_params_end(struct dp_params *p)
{
	if (dp_params_replays(p) && p->at != p->n)
		dp_params_refuse(p);
}

/* A word as it was kept, or after v was: v. */
static uint64_t
pass(struct dp_params *p, uint64_t v)
{
	if (p == NULL)
		return v;
	if (!p->replay) {
		dp_params_add(p, v);
		return v;
	}
	if (p->at < p->n)
		return p->word[p->at++];
	dp_params_refuse(p);
	return 0;
}

uint64_t
dp_params_word(struct dp_params *p, uint64_t v, uint64_t lo, uint64_t hi)
{
	v = pass(p, v);
	if (p == NULL || (lo <= v && v <= hi))
		return v;
	dp_params_refuse(p);
	return lo;
}

double
dp_params_real(struct dp_params *p, double v, double lo, double hi)
{
	uint64_t w;

	memcpy(&w, &v, sizeof w);
	w = pass(p, w);
	memcpy(&v, &w, sizeof v);
	if (p == NULL || (lo <= v && v <= hi))	/* no NaN is */
		return v;
	dp_params_refuse(p);
	return lo;
}

long double
dp_params_long(struct dp_params *p, long double v)
{
	uint64_t w, e;
	int n;

	if (p == NULL)
		return v;
	w = (uint64_t)ldexpl(frexpl(v, &n), 64);
	w = pass(p, w);
	e = dp_params_word(p, (uint64_t)n + EXPONENT, 1, EXPONENT + 1);
	v = ldexpl((long double)w, (int)e - (int)EXPONENT - 64);
	if (v <= 1)			/* no word is below 0 */
		return v;
	dp_params_refuse(p);
	return 0;
}

struct dp_q
dp_params_q(struct dp_params *p, struct dp_q q)
{
	q.num = dp_params_word(p, q.num, 1, INT64_MAX);
	q.den = dp_params_word(p, q.den, 1, INT64_MAX);
	return q;
}

void
dp_params_same(struct dp_params *p, uint64_t v)
{
	if (pass(p, v) != v)
		dp_params_refuse(p);
}

uint64_t
dp_params_hash(const void *bytes, size_t n)
{
	const unsigned char *b = bytes;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; n > 0; n--)
		h = (h ^ *b++) * UINT64_C(0x100000001b3);
	return h;
}

void
dp_params_same_bytes(struct dp_params *p, const void *bytes, size_t n)
{
	if (p != NULL)
		dp_params_same(p, dp_params_hash(bytes, n));
}
