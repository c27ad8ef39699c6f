/* SPDX-License-Identifier: ISC */
/*
 * bench_noise.c - nanoseconds a draw, everything included (entropy, wiping),
 * as medians.
 *
 * The rival is the geometric sampler that Google's C++ differential privacy
 * library used until May 2026 and its Go and Java libraries use still, in our
 * own words: noise on a grid of b/2^40, its magnitude found by binary search
 * over 63 bits, each step a quotient of exp() and log() in doubles decided by
 * one uniform double, uniforms from a buffered cryptographic generator (here:
 * libsodium's ChaCha20, 64 KiB at a time) behind a mutex.
 */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sodium.h>

#include "normtree/internal.h"
#include "random/internal.h"

#define REPS	101

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median and smallest of REPS runs of n draws. */
struct timing {
	double median, least;
};

static struct timing
measure(void (*draw)(void *, size_t), void *arg, size_t n)
{
	double v[REPS], t;
	int i;

	draw(arg, n);
	for (i = 0; i < REPS; i++) {
		t = now();
		draw(arg, n);
		v[i] = (now() - t) / (double)n;
	}
	qsort(v, REPS, sizeof v[0], ascending);
	return (struct timing){ v[REPS / 2], v[0] };
}

/* Ours: `batch` draws a call. */
struct ours {
	struct dp_noise nz;
	struct dp_rng *r;
	size_t batch;
	int64_t z[1024];
};

static void
draw_ours(void *arg, size_t n)
{
	struct ours *o = arg;
	size_t i;

	for (i = 0; i < n; i += o->batch)
		if (dp_noise_fill(&o->nz, o->r, o->z, o->batch) != 0)
			exit(1);
}

/* The rival. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t pool[8192];
static size_t pooled;
static volatile double sink;

struct rival {
	double lambda, grain;
};

static uint64_t
word(void)
{
	uint64_t w;

	pthread_mutex_lock(&lock);
	if (pooled == 0) {
		static unsigned char key[crypto_stream_chacha20_KEYBYTES];
		static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];

		crypto_stream_chacha20((unsigned char *)pool, sizeof pool, nonce, key);
		memcpy(key, pool, sizeof key);
		pooled = sizeof pool / sizeof pool[0];
	}
	w = pool[--pooled];
	pthread_mutex_unlock(&lock);
	return w;
}

/* Uniform on (0, 1) with all 53 bits at every magnitude. */
static double
uniform(void)
{
	uint64_t w = word(), zeros = w >> 52;
	int e = 1;

	if (zeros != 0)
		e += __builtin_clzll(zeros) - 52;
	else
		for (e += 12; (zeros = word()) == 0; e += 64)
			;
	return ldexp(1 + (double)(w & (((uint64_t)1 << 52) - 1)) * 0x1p-52, -e);
}

static int64_t
rival_geometric(double lambda)
{
	int64_t lo = 0, hi = INT64_MAX, mid;
	double q;

	if (uniform() > -expm1(-lambda * (double)INT64_MAX))
		return INT64_MAX;
	while (hi - lo > 1) {
		mid = lo - (int64_t)floor((log(0.5) +
		    log1p(exp(lambda * (double)(lo - hi)))) / lambda);
		if (mid <= lo)
			mid = lo + 1;
		if (mid >= hi)
			mid = hi - 1;
		q = expm1(lambda * (double)(lo - mid)) / expm1(lambda * (double)(lo - hi));
		if (uniform() <= q)
			hi = mid;
		else
			lo = mid;
	}
	return hi - 1;
}

static void
draw_rival(void *arg, size_t n)
{
	const struct rival *g = arg;
	int64_t x;
	bool up;

	for (; n > 0; n--) {
		do {
			x = rival_geometric(g->lambda);
			up = word() >> 63;
		} while (x == 0 && !up);
		sink = (double)(up ? x : -x) * g->grain;
	}
}

static struct timing
laplace(enum dp_rng_kind kind, uint64_t b, size_t batch, bool gauss)
{
	static struct ours o;
	struct timing t;
	struct dp_q q = { b, 1 };

	o.batch = batch;
	if ((gauss ? dp_noise_gauss(&o.nz, q) : dp_noise_laplace(&o.nz, q)) != 0 ||
	    dp_rng_open(&o.r, kind) != 0)
		exit(1);
	t = measure(draw_ours, &o, kind == DP_RNG_KERNEL ? 512 : 20480);
	dp_rng_free(o.r);
	return t;
}

/* Steps of a norm tree for 2^24 of them, from its 8192nd on. */
struct steps {
	struct dp_normtree *p;
	struct dp_rng *r;
	int64_t wait[DP_NORMTREE_LEVELS + 1];
	uint64_t i;
};

static void
draw_steps(void *arg, size_t n)
{
	struct steps *s = arg;
	int64_t w[DP_FILL];
	uint64_t end;

	for (end = s->i + n; s->i < end; s->i += (uint64_t)1 << DP_NORMTREE_BLOCK)
		if (dp_normtree_fill(s->p, s->wait, s->r, s->i, w) != 0)
			exit(1);
}

static void
normtree(const char *label, struct dp_q epsilon)
{
	const struct dp_privacy privacy = { .epsilon = epsilon, .l1 = 1 };
	struct dp_normtree_shape shape;
	struct steps s = { .i = 0 };
	struct timing t[2];
	unsigned plain;

	for (plain = 0; plain < 2; plain++) {
		dp_normtree_count_shape(&shape, 1 << 24);
		if (dp_normtree_create(&s.p, &shape, &privacy) != 0 ||
		    dp_rng_open(&s.r, DP_RNG_CHACHA) != 0)
			exit(1);
		s.i = 0;
		draw_steps(&s, 8192);
		if (plain)
			dp_normtree_alias_plain(s.p->alias);
		t[plain] = measure(draw_steps, &s, 1 << 16);
		dp_rng_free(s.r);
		dp_normtree_free(s.p);
	}
	printf("norm tree, %s: a step %7.1f (%6.1f), without AVX2 %7.1f (%6.1f)\n", label,
	    t[0].median, t[0].least, t[1].median, t[1].least);
}

int
main(void)
{
	static const uint64_t scale[] = { 1, 5, 20, 400, 1000000 };
	static const uint64_t sigma2[] = { 1, 400, 1000000 };
	struct timing one, many, kernel, r;
	struct rival g;
	size_t i;

	printf("ns a draw: median of %d runs (least)\n", REPS);
	printf("%-18s %16s %16s %16s %18s %7s\n", "discrete Laplace", "chacha, 1 a call",
	    "1024 a call", "kernel, 1 a call", "exp/log search", "ratio");
	for (i = 0; i < sizeof scale / sizeof scale[0]; i++) {
		one = laplace(DP_RNG_CHACHA, scale[i], 1, false);
		many = laplace(DP_RNG_CHACHA, scale[i], 1024, false);
		kernel = laplace(DP_RNG_KERNEL, scale[i], 1, false);
		g.grain = exp2(ceil(log2((double)scale[i] * 0x1p-40)));
		g.lambda = g.grain / ((double)scale[i] * (1 + g.grain));
		r = measure(draw_rival, &g, 200);
		printf(
		    "b = %-14llu %7.1f (%6.1f) %7.1f (%6.1f) %7.1f (%6.1f) %8.1f (%7.1f) %6.0fx\n",
		    (unsigned long long)scale[i], one.median, one.least, many.median, many.least,
		    kernel.median, kernel.least, r.median, r.least, r.median / many.median);
	}
	for (i = 0; i < sizeof sigma2 / sizeof sigma2[0]; i++) {
		one = laplace(DP_RNG_CHACHA, sigma2[i], 1, true);
		many = laplace(DP_RNG_CHACHA, sigma2[i], 1024, true);
		printf("sigma^2 = %-8llu %7.1f (%6.1f) %7.1f (%6.1f)   discrete Gaussian\n",
		    (unsigned long long)sigma2[i], one.median, one.least, many.median,
		    many.least);
	}
	normtree("epsilon 1", (struct dp_q){ 1, 1 });
	normtree("epsilon 1/2", (struct dp_q){ 1, 2 });
	normtree("epsilon 1/10", (struct dp_q){ 1, 10 });
	return 0;
}
