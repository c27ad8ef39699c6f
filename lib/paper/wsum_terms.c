/*
 * wsum_terms.c - how many noise terms a window sum has, at a step and over all steps: at position
 * j < W of a block it is a function of j's set bits.
 */
#include "wsum.h"

unsigned
dp_wsum_terms(const struct dp_wsum *s, uint64_t n)
{
	uint64_t j = (n - 1) % s->w + 1;

	if (j == s->w)
		return 1;
	return n <= s->w ? (unsigned)__builtin_popcountll(j) :
	    1 + 2 * (unsigned)__builtin_popcountll(j);
}

/* Of positions j, 0 < j < W, in the first block or a later one. */
struct terms {
	bool first;
	double sum;
	unsigned most;
	uint64_t worst;		/* the least that attains it */
};

static void
count(struct terms *t, uint64_t j, unsigned n, double times)
{
	t->sum += n * times;
	if (n > t->most) {
		t->most = n;
		t->worst = j;
	} else if (n == t->most && j < t->worst)
		t->worst = j;
}

/*
 * Positions base + y, 0 < y < 2^m.  Those with p bits in y are binomial(m, p), 2^p - 1 the least.
 */
static void
block(struct terms *t, uint64_t base, unsigned m)
{
	const unsigned bits = (unsigned)__builtin_popcountll(base);
	double times = 1;
	unsigned p;

	for (p = 1; p <= m; p++) {
		times = times * (m - p + 1) / p;
		count(t, base + (((uint64_t)1 << p) - 1),
		    t->first ? bits + p : 1 + 2 * (bits + p), times);
	}
}

/* Positions 1 .. end - 1, end <= W. */
static struct terms
positions(const struct dp_wsum *s, bool first, uint64_t end)
{
	struct terms t = { .first = first, .worst = UINT64_MAX };
	uint64_t base = 0;
	unsigned m;

	for (m = 63; m < 64; m--)
		if (end >> m & 1) {
			if (base > 0)
				count(&t, base, dp_wsum_terms(s, first ? base : s->w + base), 1);
			block(&t, base, m);
			base |= (uint64_t)1 << m;
		}
	return t;
}

void
dp_wsum_total(const struct dp_wsum *s, uint64_t T, double *sum, unsigned *most, uint64_t *worst)
{
	const uint64_t w = s->w, r = T % w, whole = T / w;
	struct terms a = positions(s, true, T < w ? T + 1 : w), b;

	if (T >= w)
		count(&a, w, 1, 1);
	if (whole > 1) {
		b = positions(s, false, w);
		count(&b, w, 1, 1);
		a.sum += (double)(whole - 1) * b.sum;
		if (b.most > a.most) {
			a.most = b.most;
			a.worst = w + b.worst;
		}
	}
	if (T > w) {
		b = positions(s, false, r + 1);
		a.sum += b.sum;
		if (b.most > a.most) {
			a.most = b.most;
			a.worst = whole * w + b.worst;
		}
	}
	*sum = a.sum;
	*most = a.most;
	*worst = a.worst;
}

unsigned
dp_wsum_most(const struct dp_wsum *s)
{
	const struct terms t = positions(s, false, s->w);

	return t.most > 1 ? t.most : 1;
}
