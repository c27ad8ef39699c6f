/*
 * t_longsum.c - transforms against products term by term; long weighted sums against direct ones,
 * to the last bit, also where the state is lost between any two steps; the largest there are.
 */
#include <math.h>
#include <string.h>

#include "base/ntt.h"
#include "check.h"
#include "mech/longsum.h"

#define LARGEST	(((int64_t)1 << 61) + ((int64_t)1 << 56))	/* a bucket's sum and noise */

static uint64_t word = 88172645463325252u;

static uint64_t
any(void)
{
	word ^= word << 13;
	word ^= word >> 7;
	word ^= word << 17;
	return word * 0x9e3779b97f4a7c15u;
}

#define LOG_MAX	8

static void
products(const struct dp_ntt *t, unsigned log)
{
	uint64_t a[1 << LOG_MAX], b[1 << LOG_MAX], c[1 << LOG_MAX] = { 0 };
	const size_t n = (size_t)1 << log;
	bool good = true;
	size_t i, j;

	for (i = 0; i < n; i++) {
		a[i] = i % 7 == 0 ? t->p - 1 : any() % t->p;
		b[i] = i % 5 == 0 ? t->p - 1 : any() % t->p;
	}
	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			c[(i + j) % n] = (uint64_t)(((dp_uwide)a[i] * b[j] +
			    c[(i + j) % n]) % t->p);
	dp_ntt_forward(t, a, log);
	dp_ntt_forward(t, b, log);
	for (i = 0; i < n; i++) {
		good = good && a[i] < t->p && b[i] < t->p;
		a[i] = dp_ntt_residue(t, (dp_uwide)a[i] * b[i]);
	}
	dp_ntt_back(t, a, log);
	for (i = 0; i < n; i++)
		good = good && a[i] == (uint64_t)((dp_uwide)c[i] * n % t->p);
	check(good);
}

static void
transforms(void)
{
	struct dp_ntt t;
	uint64_t before = 0, w;
	unsigned i, log;
	dp_uwide x;
	int j;

	for (i = 0; i < DP_NTT_PRIMES; i++) {
		check(dp_ntt_create(&t, i, LOG_MAX) == 0);
		/* what longsum.h counts on */
		check(t.p > before && t.p < (uint64_t)1 << 61 && (double)t.p > 0x1p60 * 1.87);
		before = t.p;
		for (log = 1; log <= LOG_MAX; log++)
			products(&t, log);
		for (j = 0; j < 1000; j++) {
			x = (dp_uwide)(j == 0 ? UINT64_MAX : any()) << 64 |
			    (j < 2 ? UINT64_MAX : any());
			w = j % 3 == 0 ? t.p - 1 : any() % t.p;
			if (dp_ntt_residue(&t, x) != (uint64_t)(x % t.p) || dp_ntt_times(&t,
			    dp_ntt_factor(&t, w), (uint64_t)x) != (dp_uwide)(uint64_t)x * w % t.p)
				fail("a product");
		}
		check(dp_ntt_power(&t, 3, 40) == (uint64_t)((dp_uwide)12157665459056928801u % t.p));
		dp_ntt_destroy(&t);
	}
	check(dp_ntt_create(&t, 0, 0) == DP_EINVAL);
	check(dp_ntt_create(&t, 0, DP_NTT_LOG + 1) == DP_EINVAL);
}

enum kind { SMALL, MIDDLE, LARGE };

struct run {
	struct dp_longsum *f;
	void *state;
	size_t n, kept;
	double *g, *ring;
	int64_t *unit;		/* weights, 2^-62 */
};

static struct dp_longsum_value
direct(const struct run *r, uint64_t t, int64_t y)
{
	struct dp_longsum_value v = { 0, 0 };
	dp_wide product;
	size_t d;

	for (d = 0; d < r->n && d < t; d++) {
		product = (dp_wide)r->unit[d] *
		    (d == 0 ? y : (int64_t)r->ring[(t - 1 - d) % r->kept]);
		v.part += (uint64_t)product;
		v.whole += (product >> 64) + (v.part < (uint64_t)product);
	}
	return v;
}

/* Values whose doubles are exact. */
static int64_t
value(enum kind kind)
{
	const uint64_t x = any();

	switch (kind) {
	case SMALL:
		return (int64_t)(x >> 54) - 512;
	case MIDDLE:	/* two primes, just so */
		return (int64_t)(x >> 25) - ((int64_t)1 << 38) + (x >> 25 == 0);
	case LARGE:
		break;
	}
	return x % 3 == 0 ? LARGEST : x % 3 == 1 ? -LARGEST : (int64_t)(double)((int64_t)x >> 2);
}

static double
weight(size_t n, size_t d)
{
	switch (n % 4) {
	case 0:
		return 1;
	case 1:
		return 1 - (double)d / (double)n;
	case 2:
		return pow((double)(d + 1), -1.5);
	}
	/* any order, some 0, the last too small to count */
	return d % 9 == 8 ? 0 : d > n / 2 ? 0x1p-64 : (double)(any() >> 11) * 0x1p-53;
}

/* Sums of n weights over `steps` steps; of large ones some are looked at. */
static void
sums(size_t n, size_t beyond, uint64_t steps, enum kind kind, uint64_t loss)
{
	struct run r = { .n = n, .kept = n + beyond };
	struct dp_longsum_value v, w;
	bool good = true;
	uint64_t t;
	int64_t y;
	size_t d;

	r.g = calloc(n, sizeof *r.g);
	r.unit = calloc(n, sizeof *r.unit);
	r.ring = calloc(r.kept, sizeof *r.ring);
	if (r.g == NULL || r.unit == NULL || r.ring == NULL)
		abort();
	for (d = 0; d < n; d++) {
		r.g[d] = weight(n, d);
		r.unit[d] = (int64_t)nearbyint(ldexp(r.g[d], 62));
	}
	if (dp_longsum_create(&r.f, r.g, n, kind == SMALL ? 1000 : kind == MIDDLE ?
	    ((uint64_t)1 << 38) - 1 : 0) != 0 ||
	    (r.state = calloc(1, dp_longsum_bytes(r.f) + 1)) == NULL)
		abort();
	check(dp_longsum_bytes(r.f) % 16 == 0);
	for (t = 1; t <= steps && good; t++) {
		if (any() % loss == 0)
			memset(r.state, 0, dp_longsum_bytes(r.f));
		y = value(kind);
		v = dp_longsum_step(r.f, r.state, r.ring, r.kept, t, y);
		if (n <= 5000 || any() % 64 == 0 || (t - 1) % 1024 <= 1) {
			w = direct(&r, t, y);
			good = v.whole == w.whole && v.part == w.part;
		}
		r.ring[(t - 1) % r.kept] = (double)y;
	}
	if (!good)
		printf("%zu weights, kind %d: step %llu\n", n, (int)kind,
		    (unsigned long long)t - 1);
	check(good);
	free(r.state);
	dp_longsum_free(r.f);
	free(r.ring);
	free(r.unit);
	free(r.g);
}

/* As many as may be, all of weight 1, of a value as large as may be. */
static void
largest(int64_t y, uint64_t most)
{
	const size_t n = DP_LONGSUM_MAX;
	double *g = malloc(n * sizeof *g), *ring = calloc(n, sizeof *ring);
	struct dp_longsum_value v;
	struct dp_longsum *f;
	bool good = true;
	uint64_t t;
	void *state;

	if (g == NULL || ring == NULL)
		abort();
	for (t = 0; t < n; t++)
		g[t] = 1;
	if (dp_longsum_create(&f, g, n, most) != 0 ||
	    (state = calloc(1, dp_longsum_bytes(f))) == NULL)
		abort();
	for (t = 1; t <= n + 70000 && good; t++) {
		v = dp_longsum_step(f, state, ring, n, t, y);
		ring[(t - 1) % n] = (double)y;
		good = dp_longsum_decimal(v, 0) == (dp_wide)y * (dp_wide)(t < n ? t : n) &&
		    v.part << 2 == 0;
	}
	check(good);
	free(state);
	dp_longsum_free(f);
	free(ring);
	free(g);
}

/* v 2^-62 10^decimals, v small. */
static void
decimals(void)
{
	const dp_wide one = (dp_wide)1 << 62;
	dp_wide v, y, n;
	unsigned places;
	int i;

	for (i = 0; i < 100000; i++) {
		places = (unsigned)(any() % 19);
		v = (int64_t)any();
		if (i % 2 == 0)		/* half of them ties */
			v = (v >> (61 - places)) * ((dp_wide)1 << (61 - places));
		y = dp_longsum_decimal((struct dp_longsum_value){ v >> 64, (uint64_t)v }, places);
		for (n = v; places > 0; places--)
			n *= 10;
		n = 2 * (y * one - n);
		if (n > one || n < -one || ((n == one || n == -one) && y % 2 != 0))
			fail("not the nearest");
	}
	check(i > 0);
}

/* Values that are none, as only a forged state has them, count 0. */
static void
forged(void)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY, 0x1p100, -0x1p62 };
	double g[100], ring[100];
	struct dp_longsum *f;
	size_t i;
	void *state;

	for (i = 0; i < 100; i++) {
		g[i] = 1;
		ring[i] = i < 5 ? bad[i] : 1;
	}
	if (dp_longsum_create(&f, g, 100, 0) != 0 ||
	    (state = calloc(1, dp_longsum_bytes(f))) == NULL)
		abort();
	check(dp_longsum_decimal(dp_longsum_step(f, state, ring, 100, 100, 7), 2) == 10100);
	free(state);
	dp_longsum_free(f);
	g[0] = 0;
	check(dp_longsum_create(&f, g, DP_LONGSUM_MAX + 1, 0) == DP_EINVAL);
	dp_longsum_free(NULL);
}

int
main(void)
{
	static const size_t border[] = { 1023, 1024, 1025, 1089, 2048, 2049, 4095, 4096, 4097 };
	size_t n, i;

	transforms();
	decimals();
	forged();
	for (n = 1; n <= 300; n++)
		sums(n, n % 3, 2 * n + 200, n % 2 == 0 ? SMALL : n % 5 == 0 ? LARGE : MIDDLE, 50);
	for (i = 0; i < sizeof border / sizeof border[0]; i++)
		sums(border[i], i, 5000, i % 2 == 0 ? SMALL : LARGE, 500);
	for (i = 0; i < 4; i++)
		sums(300 + any() % 4000, 0, 5000, i == 0 ? MIDDLE : LARGE, 1000);
	sums(32768, 0, 66000, LARGE, 20000);
	sums(32769, 0, 66000, SMALL, 20000);
	sums(70001, 5, 140000, MIDDLE, 50000);
	largest(((int64_t)1 << 38) - 1, ((uint64_t)1 << 38) - 1);
	largest(-LARGEST, 0);
	return done();
}
