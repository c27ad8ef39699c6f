/* SPDX-License-Identifier: ISC */
/*
 * How likely noise reaches a height (audit/internal.h), against all increments of a tree of four
 * steps, by the definition: of its first steps, and after another tree's root; as a line of a plan
 * whose numbers, made worse, are refuted; and against the planner, which shares no code.
 *
 * splits	the law of a half, within what its rounding may do, and of a root, from below and
 *		from above, against exact rationals
 * brute	the toy's law, each increment up to 40
 * windows	likewise: of W steps over a row of such trees
 * slow	both, where noise is wide
 * words	lines of plans
 * planned	plans' trees, to a part in 10^6
 */
#include <math.h>

#include "audit/internal.h"
#include "check.h"
#include "normtree/internal.h"

#define MOST	200
#define SHARE	0x1p-60
#define LITTLE	0x1p-80			/* rare */

static long wide = 40;		/* of increments */

/* g(v) = 1, 1/2, 1/4, then a third of it; k of a pair 1, 1/3, 1/4, then half; R 1, .6, .3, half. */
static double g_v[] = { 1, .5, .25 }, fall_v[] = { 1, 1. / 3, .25 }, flat_v[] = { 1, .9, .8 };
static double root_v[] = { 1, .6, .3 };

static struct audit_kind kinds[] = {
	{ .level = 1, .child = { DP_AUDIT_STEP, DP_AUDIT_STEP }, .beyond = { 1, 1 },
	    .k = { fall_v, 2, .5 }, .g = { g_v, 2, 1. / 3 } },
	{ .level = 2, .child = { 0, 0 }, .beyond = { 1. / 3, 1. / 3 }, .k = { flat_v, 2, 1 } }
};
static struct audit_tree toy = { .h = 2, .kinds = 2, .unit = 1, .kind = kinds,
	.root = { root_v, 2, .5 } };

static double
of(const struct audit_table *t, long v)
{
	const long n = labs(v);

	return n <= (long)t->A ? t->v[n] : t->v[t->A] * pow(t->beyond, (double)(n - t->A));
}

/* Not normalised. */
static double
split(const struct audit_kind *k, long P, long a)
{
	const long b = P - a, cap = labs(P) < 2 ? 2 - labs(P) : 0;
	long y = (a < 0) != (b < 0) && a != 0 && b != 0 ? (labs(a) < labs(b) ? labs(a) : labs(b)) :
	    0;

	if (k->level == 1)
		return of(&k->k, y);
	return of(&kinds[0].g, a) * of(&kinds[0].g, b) * of(&k->k, y < cap ? y : cap);
}

/* ---- exactly ---- */

/* to = table(n) */
static void
exact(mpq_t to, const struct audit_table *t, double beyond, long n)
{
	mpq_t r;

	mpq_init(r);
	mpq_set_d(r, beyond);
	mpq_set_d(to, t == NULL ? 1 : t->v[n < (long)t->A ? n : (long)t->A]);
	for (; t != NULL && n > (long)t->A; n--)
		mpq_mul(to, to, r);
	mpq_clear(r);
}

/* to = g'(a) g"(P - a) k(min(y, Y)) */
static void
exact_weight(mpq_t to, const struct audit_kind *k, long P, long a)
{
	const struct audit_table *g = k->level == 1 ? NULL : &kinds[0].g;
	const long b = P - a, cap = P < 2 ? 2 - P : 0;
	long y = (a < 0) != (b < 0) && a != 0 && b != 0 ? (labs(a) < labs(b) ? labs(a) : labs(b)) :
	    0;
	mpq_t q;

	mpq_init(q);
	exact(to, g, k->beyond[0], labs(a));
	exact(q, g, k->beyond[1], labs(b));
	mpq_mul(to, to, q);
	exact(q, &k->k, k->k.beyond, k->level == 1 || y < cap ? y : cap);
	mpq_mul(to, to, q);
	mpq_clear(q);
}

/* All weights: one by one up to END, and what follows is geometric. */
#define END	12

static void
exact_sum(mpq_t N, const struct audit_kind *k, long P)
{
	mpq_t w, r, s;
	long a;

	mpq_inits(w, r, s, (mpq_ptr)NULL);
	mpq_set_d(r, k->level == 1 ? k->k.beyond : k->beyond[0]);
	mpq_set_d(s, k->level == 1 ? 1 : k->beyond[1]);
	mpq_mul(r, r, s);
	mpq_set_ui(s, 1, 1);
	mpq_sub(s, s, r);
	mpq_div(r, r, s);
	mpq_set_ui(N, 0, 1);
	for (a = -END; a <= END; a++) {
		exact_weight(w, k, P, a);
		mpq_add(N, N, w);
		if (labs(a) == END) {
			mpq_mul(w, w, r);
			mpq_add(N, N, w);
		}
	}
	mpq_clears(w, r, s, (mpq_ptr)NULL);
}

/* share <= q < share + 2^-58 of it and a unit, or the other way */
static bool
near(dp_uwide share, const mpq_t q, bool up)
{
	mpz_t z;
	mpq_t x, y;
	bool is;

	mpz_init(z);
	mpq_inits(x, y, (mpq_ptr)NULL);
	mpz_set_ui(z, (uint64_t)(share >> 64));
	mpz_mul_2exp(z, z, 64);
	mpz_add_ui(z, z, (uint64_t)share);
	mpq_set_z(x, z);
	mpz_fdiv_q_2exp(z, z, 58);
	mpz_add_ui(z, z, 1);
	mpq_set_z(y, z);
	(up ? mpq_sub : mpq_add)(y, x, y);
	mpq_div_2exp(x, x, DP_AUDIT_SHARE);
	mpq_div_2exp(y, y, DP_AUDIT_SHARE);
	is = up ? mpq_cmp(q, x) <= 0 && mpq_cmp(q, y) > 0 : mpq_cmp(q, x) >= 0 && mpq_cmp(q, y) < 0;
	mpq_clears(x, y, (mpq_ptr)NULL);
	mpz_clear(z);
	return is;
}

#define REACH	5

/* p within factors 1 +- 2^-53, OFF of them; and `more' above it. */
static bool
about(double p, const mpq_t q, double more)
{
	const double off = DP_AUDIT_OFF(REACH) * 0x1p-53;
	mpq_t x, y;
	bool is;

	mpq_inits(x, y, (mpq_ptr)NULL);
	mpq_set_d(x, p / (1 - off));
	mpq_set_d(y, (p - more) / (1 + off));
	is = mpq_cmp(q, x) <= 0 && mpq_cmp(q, y) >= 0;
	mpq_clears(x, y, (mpq_ptr)NULL);
	return is;
}

static void
split_law(const struct audit_kind *k)
{
	struct audit_split s;
	mpq_t N, w, rest;
	long P, a;

	mpq_inits(N, w, rest, (mpq_ptr)NULL);
	check(audit_split_start(&s, &toy, REACH));
	audit_split_of(&s, k);
	for (P = 0; P <= REACH; P++) {
		audit_split_law(&s, k, P);
		exact_sum(N, k, P);
		mpq_set_ui(rest, 1, 1);
		for (a = -REACH; a <= REACH; a++) {
			exact_weight(w, k, P, a);
			mpq_div(w, w, N);
			mpq_sub(rest, rest, w);
			check(about(s.p[a + REACH], w, 0));
		}
		check(about(s.outside, rest, DP_AUDIT_UNDER));
	}
	audit_split_stop(&s);
	mpq_clears(N, w, rest, (mpq_ptr)NULL);
}

static void
root_law(mpfr_rnd_t way)
{
	dp_uwide law[2 * REACH + 1], outside;
	mpq_t sum, w, rest;
	long P;

	mpq_inits(sum, w, rest, (mpq_ptr)NULL);
	/* 1 + 2 (.6 + .3 + .3), of the doubles that these are */
	mpq_set_d(w, root_v[2]);
	mpq_set_d(sum, root_v[1]);
	mpq_add(sum, sum, w);
	mpq_add(sum, sum, w);
	mpq_mul_2exp(sum, sum, 1);
	mpq_set_ui(rest, 1, 1);
	mpq_add(sum, sum, rest);
	check(audit_root_law(&toy, REACH, way, law, &outside));
	for (P = -REACH; P <= REACH; P++) {
		exact(w, &toy.root, toy.root.beyond, labs(P));
		mpq_div(w, w, sum);
		mpq_sub(rest, rest, w);
		check(near(law[P + REACH], w, way == MPFR_RNDU));
	}
	check(near(outside, rest, way == MPFR_RNDU));
	mpq_clears(sum, w, rest, (mpq_ptr)NULL);
}

static void
splits(void)
{
	split_law(&kinds[0]);
	split_law(&kinds[1]);
	root_law(MPFR_RNDU);
	root_law(MPFR_RNDD);
}

/* ---- by the definition ---- */

static double p_[2][2 * MOST + 1][2 * MOST + 1], root_[2 * MOST + 1];

static void
laws(void)
{
	double sum = 0;
	long P, a;
	unsigned i;

	for (P = -wide; P <= wide; P++)
		sum += root_[P + wide] = of(&toy.root, P);
	for (P = -wide; P <= wide; P++)
		root_[P + wide] /= sum;
	for (i = 0; i < 2; i++)
		for (P = -wide; P <= wide; P++) {
			for (sum = 0, a = -wide; a <= wide; a++)
				sum += p_[i][P + wide][a + wide] = split(&kinds[i], P, a);
			for (a = -wide; a <= wide; a++)
				p_[i][P + wide][a + wide] /= sum;
		}
}

/* Of a pair of noise P, of which so many steps count: at least x. */
static double
pair(long P, long x, unsigned steps)
{
	double sum = 0;
	long w;

	if (steps == 0)
		return 0;
	for (w = -wide; w <= wide; w++)
		if (w >= x || (steps == 2 && P >= x))
			sum += p_[0][P + wide][w + wide];
	return sum;
}

static double
reached(unsigned T, long x)
{
	double sum = 0, left;
	long P, a;

	for (P = -wide; P <= wide; P++)
		for (a = -wide; a <= wide; a++) {
			left = x <= 0 ? 1 : pair(a, x, T < 2 ? T : 2);
			if (T > 2 && labs(P - a) <= wide)
				left += (1 - left) * pair(P - a, x - a, T - 2);
			sum += root_[P + wide] * p_[1][P + wide][a + wide] * left;
		}
	return sum;
}

/* What is found, as a double, rounded up; below 0: nothing is. */
static double
passage(const struct audit_before *b, unsigned n, const uint64_t *steps, const uint64_t *height,
    double rare)
{
	double is = -1;
	mpfr_t sum;

	mpfr_init2(sum, 256);
	if (audit_passage(&toy, b, n, steps, height, SHARE, rare, sum))
		is = mpfr_get_d(sum, MPFR_RNDU);
	mpfr_clear(sum);
	return is;
}

static double
in_windows(uint64_t W, uint64_t height, double rare)
{
	double is = -1;
	mpfr_t sum;

	mpfr_init2(sum, 256);
	if (audit_passage_windows(&toy, W, height, SHARE, rare, sum))
		is = mpfr_get_d(sum, MPFR_RNDU);
	mpfr_clear(sum);
	return is;
}

static struct audit_before none = { .p = NULL };

/* Within a part in 10^9. */
static void
passed(uint64_t T, uint64_t x)
{
	const double want = reached((unsigned)T, (long)x), is = passage(&none, 1, &T, &x, LITTLE);
	const bool good = is >= want * (1 - 1e-9) && is <= want * (1 + 1e-9);
	double rare;

	check(good);
	/* what is left out counts as reached */
	for (rare = .05; rare > want / 1e6; rare /= 8)
		check(passage(&none, 1, &T, &x, rare) >= want * (1 - 1e-9));
	if (!good)
		printf("%u, %u: %.12g for %.12g\n", (unsigned)T, (unsigned)x, is, want);
}

static void
brute(void)
{
	struct audit_before before = { .p = NULL };
	const uint64_t two[] = { 2, 4 }, high[] = { 3, 5 };
	double want, is;
	uint64_t T, x;
	long s;

	laws();
	for (T = 1; T <= 4; T++)
		for (x = 1; x <= 6; x++)
			passed(T, x);
	is = passage(&none, 2, two, high, LITTLE);
	want = reached(2, 3) + reached(4, 5);
	check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-9));
	check(audit_passage_root(&toy, &before));
	for (want = 0, s = -wide; s <= wide; s++)
		want += root_[s + wide] * (s >= 3 ? 1 : reached(2, 3 - s));
	is = passage(&before, 1, two, high, LITTLE);
	check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-9));
	/* twice */
	check(audit_passage_root(&toy, &before));
	for (want = 0, s = -2 * wide; s <= 2 * wide; s++)
		want += (double)before.p[s + before.reach] * 0x1p-126;
	check(fabs(want - 1) < 1e-9 && before.trees == 2);
	free(before.p);
}

/* Of the first i steps of the toy, at [y + 2 wide]. */
static double first_[5][4 * MOST + 1];

static void
firsts(void)
{
	long P, a, w;
	double at;

	memset(first_, 0, sizeof first_);
	first_[0][2 * wide] = 1;
	for (P = -wide; P <= wide; P++)
		for (first_[4][P + 2 * wide] = root_[P + wide], a = -wide; a <= wide; a++) {
			at = root_[P + wide] * p_[1][P + wide][a + wide];
			first_[2][a + 2 * wide] += at;
			for (w = -wide; w <= wide; w++) {
				first_[1][w + 2 * wide] += at * p_[0][a + wide][w + wide];
				if (labs(P - a) <= wide)
					first_[3][a + w + 2 * wide] += at *
					    p_[0][P - a + wide][w + wide];
			}
		}
}

/* P(the first i steps, so many whole trees, and the first m of another >= x) */
static double
high(unsigned i, unsigned trees, unsigned m, long x)
{
	double sum = 0;
	long y;

	if (trees > 0) {
		for (y = -wide; y <= wide; y++)
			sum += root_[y + wide] * high(i, trees - 1, m, x - y);
		return sum;
	}
	for (y = -2 * wide; y <= 2 * wide; y++) {
		if (m > 0)
			sum += first_[m][y + 2 * wide] * high(i, 0, 0, x - y);
		else
			sum += y >= x ? first_[i][y + 2 * wide] : 0;
	}
	return sum;
}

static void
window(unsigned W, uint64_t x)
{
	double p[32], want = 0, sum, is, rare;
	unsigned t, u, i, rest;
	bool good;

	for (t = 1; t < 32; t++) {
		i = (t - 1) % 4 + 1;
		rest = (t < W ? t : W) - i;
		p[t] = t >= W + 4 ? p[t - 4] : high(i, rest / 4, rest % 4, (long)x);
	}
	for (t = 1; t + W < 32; t++) {
		for (sum = 0, u = t; u < t + W; u++)
			sum += p[u];
		want = fmax(want, sum);
	}
	is = in_windows(W, x, LITTLE);
	good = is >= want * (1 - 1e-9) && is <= want * (1 + 1e-9);
	check(good);
	for (rare = .05; rare > want / 1e6; rare /= 8)
		check(in_windows(W, x, rare) >= want * (1 - 1e-9));
	if (!good)
		printf("W %u, %u: %.12g for %.12g\n", W, (unsigned)x, is, want);
}

static void
windows(void)
{
	unsigned W;
	uint64_t x;

	laws();
	firsts();
	for (W = 4; W <= 9; W++)
		for (x = 2; x <= 6; x += 2)
			window(W, x);
	check(in_windows(3, 4, LITTLE) < 0);	/* less than a tree */
}

/* Noise that falls by a fifth a unit: 24 units beyond a height are not far. */
static void
slow(void)
{
	static double g[] = { 1, .8, .7 }, fall[] = { 1, .9, .75 }, root[] = { 1, .85, .7 };
	static const unsigned high_[] = { 12, 30, 60, 90 };
	uint64_t T;
	unsigned i;

	wide = MOST;
	memcpy(g_v, g, sizeof g);
	memcpy(fall_v, fall, sizeof fall);
	memcpy(root_v, root, sizeof root);
	kinds[0].g.beyond = kinds[1].beyond[0] = kinds[1].beyond[1] = .8;
	kinds[0].k.beyond = toy.root.beyond = .8;
	laws();
	for (T = 1; T <= 4; T++)
		for (i = 0; i < 4; i++)
			passed(T, high_[i]);
	firsts();
	window(4, 30);
	window(5, 60);
}

#define PLAN	"dputils-plan 1\nversion 0\ntool dptop\nmechanism m\nepsilon 20/1\n" \
	"delta 3/10\nreach 1\n"
#define TREE	"tree 2 2 0 1 0\nkind 1 2 step step 0x1p+0 0x1p+0\n" \
	"k 0x1p+0 0x1p-1 0x1p-2 0x1p-1\ng 0x1p+0 0x1p-1 0x1p-2 0x1p-2\n" \
	"kind 2 2 0 0 0x1p-2 0x1p-2\nk 0x1p+0 0x1p+0 0x1p+0 0x1p+0\n" \
	"root 0x1p+0 0x1p-1 0x1p-2 0x1p-1\n"

static void
words(void)
{
	static const struct { enum dp_verdict_is is; const char *text; } of_[] = {
		{ DP_VERDICT_HOLDS, PLAN TREE "pass 1 1 1 4 4\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "pass 1 1 1 4 2\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "pass 3 1 1 4 4\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "pass 2 2 1 4 4\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "pass 1 1 3 1 4 2 4 4 4\n" },
		{ DP_VERDICT_HOLDS, PLAN TREE "pass 1 1 1 4 6\n" TREE "pass 1 1 1 4 7\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "pass 1 1 1 4 6\n" TREE "pass 1 1 1 4 4\n" },
		{ DP_VERDICT_HOLDS, PLAN TREE "window 1 1 4 7\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "window 1 1 4 4\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "window 4 1 4 7\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "window 2 2 4 7\n" },
		{ DP_VERDICT_REFUTED, PLAN TREE "window 1 1 12 7\n" },
		{ DP_VERDICT_UNKNOWN, PLAN TREE "window 1 1 3 9\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE TREE "window 1 1 4 9\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE "window 1 1 4 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE "window 1 1 4\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE TREE "pass 1 1 1 4 99\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE "pass 1 1 1 4 9\npass 1 1 1 4 9\n" },
		{ DP_VERDICT_MALFORMED, PLAN "pass 1 1 1 4 9\n" TREE },
		{ DP_VERDICT_MALFORMED, PLAN TREE "pass 1 1 1 4 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE "pass 1 1 0\n" },
		{ DP_VERDICT_MALFORMED, PLAN TREE "pass 1 1 17 4 9\n" },
		/* a ratio of 54 bits, and one in another form */
		{ DP_VERDICT_MALFORMED, PLAN "tree 1 1 0 1 0\nkind 1 2 step step 0x1p+0 0x1p+0\n"
		    "k 0x1p+0 0x1p-1 0x1p-2 0x1.00000000000008p-1\n"
		    "root 0x1p+0 0x1p-1 0x1p-2 0x1p-1\n" },
		{ DP_VERDICT_MALFORMED, PLAN "tree 1 1 0 1 0\nkind 1 2 step step 0x1p+0 0x1p+0\n"
		    "k 0x1p+0 0x1p-1 0x1p-2 0x4p-3\nroot 0x1p+0 0x1p-1 0x1p-2 0x1p-1\n" },
		{ DP_VERDICT_HOLDS, PLAN "tree 1 1 0 1 0\nkind 1 2 step step 0x1p+0 0x1p+0\n"
		    "k 0x1p+0 0x1p-1 0x1p-2 0x1.0000000000008p-1\n"
		    "root 0x1p+0 0x1p-1 0x1p-2 0x1p-1\n" },
		{ DP_VERDICT_UNKNOWN, PLAN TREE "pass 1 1 1 5 9\n" },
		{ DP_VERDICT_UNKNOWN, PLAN TREE "pass 1 1 1 4 99999999999\n" }
	};
	struct dp_verdict v;
	char plan[2048];
	unsigned i;

	for (i = 0; i < sizeof of_ / sizeof of_[0]; i++) {
		snprintf(plan, sizeof plan, "%send\n", of_[i].text);
		check(dp_certificate_check(&v, plan, strlen(plan)) == 0);
		dp_verdict_free(&v);
		check(v.is == of_[i].is);
		if (v.is != of_[i].is)
			printf("%u: %d, %.9g: %s\n", i, v.is, v.missed, v.why);
	}
}

static void
planned(void)
{
	const struct { unsigned h; uint64_t T, tau; } of_[] = { { 3, 8, 9 }, { 4, 11, 14 },
	    { 6, 64, 20 }, { 1, 2, 4 } };
	struct dp_normtree_shape shape;
	struct dp_privacy privacy;
	struct dp_normtree *p;
	struct dp_verdict v;
	struct dp_buf b;
	char line[128];
	double want, tail[64];
	unsigned i;

	for (i = 0; i < sizeof of_ / sizeof of_[0]; i++) {
		check(dp_privacy_set(&privacy, false, dp_q_make(2, 1), dp_q_make(0, 1), 1, 1) == 0);
		dp_normtree_shape(&shape, of_[i].h);
		check(dp_normtree_create(&p, &shape, &privacy) == 0);
		check(dp_normtree_wake(p) == 0);
		check(dp_normtree_passages(p, &(uint64_t){ of_[i].T }, 1, 64, tail) == 0);
		want = tail[of_[i].tau - 2];
		b = (struct dp_buf){ .n = 0 };
		dp_buf_puts(&b, "dputils-plan 1\nversion 0\ntool t\nmechanism m\nepsilon 2/1\n"
		    "delta 1/100\nreach 1\n");
		check(dp_normtree_certify(p, &b) == 0);
		snprintf(line, sizeof line, "pass 1 1 1 %llu %llu\nend\n",
		    (unsigned long long)of_[i].T, (unsigned long long)of_[i].tau);
		dp_buf_puts(&b, line);
		dp_buf_add(&b, "", 1);
		check(dp_certificate_check(&v, b.p, b.n - 1) == 0);
		dp_verdict_free(&v);
		check(v.is == DP_VERDICT_HOLDS && v.missed <= want * (1 + 1e-6) &&
		    v.missed >= want * (1 - 1e-6));
		if (v.missed > want * (1 + 1e-6) || v.missed < want * (1 - 1e-6))
			printf("%u: %.12g for %.12g: %s\n", i, v.missed, want, v.why);
		dp_buf_free(&b);
		dp_normtree_free(p);
	}
}

int
main(void)
{
	PART(splits());
	PART(brute());
	PART(windows());
	PART(slow());
	PART(words());
	PART(planned());
	return done();
}
