/*
 * wsum_terms.c - how many noise terms a window sum has, at a step and over all steps.
 *
 * At position j < W of a block it is a function of j's set bits and of its trailing zeros, once the
 * highest bit d is known where j and W differ.  So over j = base .. base + 2^m - 1, of one d,
 * the numbers j - base are counted by both.
 */
#include "wsum.h"

/*
 * Intervals of the canonical cover of [j,W), 0 < j < W: up from j to c, the multiple of 2^d below
 * or at W, d the highest bit where j and W differ, then down the bits of W - c.
 */
static unsigned
suffix_terms(const struct dp_wsum *s, uint64_t j)
{
	unsigned d = 63 - (unsigned)__builtin_clzll(j ^ s->w);
	uint64_t c = s->w >> d << d;

	return (unsigned)__builtin_popcountll(c - j) + (unsigned)__builtin_popcountll(s->w - c);
}

static unsigned
paper_terms(uint64_t j)
{
	return 1 + (unsigned)__builtin_popcountll(j);
}

bool
dp_wsum_suffix(const struct dp_wsum *s, uint64_t j)
{
	return !s->paper && suffix_terms(s, j) < paper_terms(j);
}

unsigned
dp_wsum_terms(const struct dp_wsum *s, uint64_t n)
{
	uint64_t j = (n - 1) % s->w + 1;

	if (j == s->w)
		return 1;
	return (unsigned)__builtin_popcountll(j) + (n <= s->w ? 0 :
	    dp_wsum_suffix(s, j) ? suffix_terms(s, j) : paper_terms(j));
}

/* Of positions j, 0 < j < W, in the first block or a later one. */
struct terms {
	const struct dp_wsum *s;
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
 * Positions base + y, 0 < y < 2^m, all below the same multiple c of 2^d.  Those with p bits and z
 * trailing zeros are binomial(m - 1 - z, p - 1), (2^p - 1) 2^z the least; 2^m - y has m + 1 - p - z
 * bits.
 */
static void
block(struct terms *t, uint64_t base, unsigned m)
{
	const struct dp_wsum *s = t->s;
	const unsigned d = 63 - (unsigned)__builtin_clzll(base ^ s->w);
	const uint64_t c = s->w >> d << d, size = (uint64_t)1 << m;
	const unsigned bits = (unsigned)__builtin_popcountll(base);
	const unsigned rest = (unsigned)__builtin_popcountll(c - base - size) +
	    (unsigned)__builtin_popcountll(s->w - c);
	unsigned z, p, own, older;
	double times;

	for (z = 0; z < m; z++)
		for (times = 1, p = 1; p <= m - z; p++) {
			own = bits + p;
			older = 1 + own;
			if (!s->paper && rest + m + 1 - p - z < older)
				older = rest + m + 1 - p - z;
			count(t, base + ((((uint64_t)1 << p) - 1) << z),
			    own + (t->first ? 0 : older), times);
			times = times * (m - z - p) / p;
		}
}

/* Positions 1 .. end - 1, end <= W. */
static struct terms
positions(const struct dp_wsum *s, bool first, uint64_t end)
{
	struct terms t = { .s = s, .first = first, .worst = UINT64_MAX };
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
