/* SPDX-License-Identifier: ISC */
/*
 * Words of plans (dputils-plan(5)), each in a plan that holds and where each number, made a little
 * worse, is refuted; and what lies behind them.
 *
 * words	toys: constants computed by another program, in decimals, to a thousandth
 * deltas	epsilon, delta of what is concentrated, against the formulas in doubles
 * ranges	of choices, against all sequences of n two-point laws with t on a fine grid; few of
 *		them against a closed form, and as planners make them
 * bands	the squares of v_t of a band, by the definition
 * rises	variances of running counts, by both matrices
 * poles	those of poles and echoes, by the definition, term by term
 */
#include <math.h>

#include "account/privacy.h"
#include "audit/internal.h"
#include "check.h"

#define PLAN	"dputils-plan 1\nversion 0\ntool dpcount\nmechanism m\n"
#define PURE	PLAN "epsilon 1/1\nreach 1\n"
#define WITH	PLAN "epsilon 1/1\ndelta 1/1000000\nreach 1\n"
/* names with the noise that they are told of by */
#define NAMES(b, rest)	"laplace " b " 1\nnames " b " " rest "\n"
#define ROUND	"mechanism r\nepsilon 348/5000\nreach 1\nlaplace 14368/1000 1\nend\n"

#define TWICE	PLAN "epsilon 1/1\ndelta 1/500000\nreach 1\n"
#define PART_OF(T) "mechanism a\nepsilon 1/1\ndelta 1/1000000\nreach 1\n" \
	"blt 19624100000000/1 " #T " 1 20 1 0 0 0 0 0 0\nend\n"

/* h = 1 / (1 + a / (b e^(1/n))) in units of 2^-256, rounded down, for a, b, n */
#define COIN_311 "79b1a4eec500ab94bd626e76fe13fa5e87ae1b3352f53711d410074b2dc29923"
#define COIN_321 "a4f7b995d6c107c45bbb8a6e968df1dcf25b8ccc46d3a5d5d333636603f96cb6"
#define COIN_112 "9f597ea69a1c85f1358d71d84729c80c8e13a2a5eda0e53fbf86edc5fc9e4b38"

static const char *const words[][12] = {	/* what holds, and what must not */
	{ PURE "value 6/1 2 3\n", PURE "value 5999/1000 2 3\n", PURE "value 6/1 3 3\n",
	    PURE "value 6/1 2 4\n" },
	{ PURE "choice 6/1 2 3\n", PURE "choice 5999/1000 2 3\n", PURE "choice 6/1 3 3\n",
	    PURE "choice 6/1 2 4\n" },
	{ PURE "sparse 4/1 1 8/1 2 3\n", PURE "sparse 3999/1000 1 8/1 2 3\n",
	    PURE "sparse 4/1 2 8/1 2 3\n", PURE "sparse 4/1 1 7999/1000 2 3\n",
	    PURE "sparse 4/1 1 8/1 3 3\n", PURE "sparse 4/1 1 8/1 2 4\n" },
	{ PURE "nothing\n", PURE "nothing\nlaplace 99/100 1\n" },
	/* heads are likelier; and one unit in the last place */
	{ PURE "coin " COIN_311 " 3 1 1\n", PURE "coin " COIN_311 " 4 1 1\n",
	    PURE "coin " COIN_311 " 3 1 2\n", PURE "coin " COIN_321 " 3 1 1\n",
	    PURE "coin 79b1a4eec500ab94bd626e76fe13fa5e87ae1b3352f53711d410074b2dc29924 3 1 1\n" },
	{ PURE "coin " COIN_321 " 3 2 1\n", PURE "coin " COIN_321 " 3 1 1\n",
	    PURE "coin " COIN_321 " 4 2 1\n" },
	{ PURE "coin " COIN_112 " 1 1 2\n", PURE "coin " COIN_112 " 1 1 3\n",
	    PURE "coin " COIN_112 " 2 1 2\n",
	    PLAN "epsilon 1/1\nreach 2\ncoin " COIN_112 " 1 1 2\n",
	    PURE "coin 0000000000000000000000000000000000000000000000000000000000000001 1 1 1\n" },
	/* tails are: the odds are 1 / e^1.6 */
	{ PURE "coin " COIN_311 " 1 1 1\n", PURE "coin " COIN_311 " 1 4 1\n" },
	{ PURE "again 2/1 8404/1000 2 3\n", PURE "again 1999/1000 8404/1000 2 3\n",
	    PURE "again 2/1 8402/1000 2 3\n", PURE "again 2/1 8404/1000 3 3\n",
	    PURE "again 2/1 8404/1000 2 4\n",
	    PLAN "epsilon 1/1\nreach 2\nagain 2/1 8404/1000 2 3\n" },
	{ PURE "looks 2196/1000 3\n", PURE "looks 2195/1000 3\n", PURE "looks 2196/1000 4\n",
	    PLAN "epsilon 1/1\nreach 2\nlooks 2196/1000 3\n",
	    PURE "looks 2196/1000 3\nvalue 1000/1 1 1\n" },
	{ PLAN "epsilon 2/1\nreach 1\nlooks 1697/1000 5\n",
	    PLAN "epsilon 2/1\nreach 1\nlooks 1696/1000 5\n" },
	{ PLAN "epsilon 4/1\nreach 1\nlooks 48728/100000 2\n",
	    PLAN "epsilon 4/1\nreach 1\nlooks 48727/100000 2\n" },
	{ WITH "weigh 10132/100 1 2000\n", WITH "weigh 10131/100 1 2000\n",
	    WITH "weigh 10132/100 2 2000\n", WITH "weigh 10132/100 1 2001\n",
	    PURE "weigh 10132/100 1 2000\n",
	    PLAN "epsilon 1/1\ndelta 998/1000000000\nreach 1\nweigh 10132/100 1 2000\n",
	    PLAN "epsilon 999/1000\ndelta 1/1000000\nreach 1\nweigh 10132/100 1 2000\n" },
	{ WITH "weigh 939/100 1 20\n", WITH "weigh 936/100 1 20\n", WITH "weigh 939/100 1 21\n",
	    WITH "weigh 939/100 2 20\n", WITH "weigh 939/100 1 20\nweigh 1000000/1 1 1\n",
	    WITH "weigh 939/100 1 20\ngauss 1000000/1 1 1\n", PURE "weigh 939/100 1 20\n" },
	{ WITH "gauss 205289/10000 1 9\n", WITH "gauss 205287/10000 1 9\n",
	    WITH "gauss 205289/10000 2 9\n",
	    WITH "gauss 4105/100 1 9\ngauss 4106/100 1 9\nlaplace 1000/1 1\n",
	    WITH "gauss 4105/100 1 9\ngauss 4105/100 1 9\n", PURE "gauss 2053/100 1 9\n",
	    WITH "gauss 205289/10000 1 9000000000000000000\n" },
	{ WITH "gauss 4106/100 1 9\ngauss 4106/100 1 9\n" },
	{ WITH "gauss 17848500/1 1000000 9\n", WITH "gauss 17848000/1 1000000 9\n",
	    WITH "gauss 17847500/1 1000000 9\n",
	    WITH "gauss 17848500/1 1000100 9\n", WITH "gauss 17848500/1 1000000 99999999\n",
	    WITH "gauss 17848500/1 1000000 9\ngauss 1000000000000000/1 1 9\n",
	    WITH "gauss 17848500/1 1000000 9\nlaplace 1000/1 1\n" },
	{ WITH "rounds 10\n" ROUND, WITH "rounds 11\n" ROUND, WITH "rounds 10\n" ROUND ROUND,
	    WITH "rounds 10\nmechanism r\nepsilon 348/5000\nreach 1\nlaplace 14366/1000 1\nend\n",
	    WITH "rounds 10\nmechanism r\nepsilon 350/5000\nreach 1\nlaplace 14368/1000 1\nend\n",
	    PURE "rounds 10\n" ROUND },
	{ WITH "composed 10884/100 2 100\n", WITH "composed 10883/100 2 100\n",
	    WITH "composed 10884/100 3 100\n", WITH "composed 10884/100 2 101\n",
	    PURE "composed 10884/100 2 100\n",
	    WITH "composed 10884/100 2 100\n" NAMES("1/1", "99 1 1"),
	    PLAN "epsilon 1/1\ndelta 1/1001000\nreach 1\ncomposed 10884/100 2 100\n" },
	{ WITH NAMES("1/1", "15 1 1"), WITH "laplace 12/1 1\nnames 1/1 15 1 1\n",
	    WITH "names 1/1 15 1 1\n", WITH NAMES("1/1", "14 1 1"), WITH NAMES("27/25", "15 1 1"),
	    WITH NAMES("1/1", "15 3 1"), PURE NAMES("1/1", "15 1 1"),
	    PLAN "epsilon 2/1\ndelta 1/1000000\nreach 2\n" NAMES("1/1", "15 1 1"),
	    WITH NAMES("9000000000000000000/1", "9000000000000000000 1 1") },
	{ WITH NAMES("1/1", "9000000000000000000 1 1"),
	    WITH "again 1/1 1/1000 9000000000000000000 1\n",
	    PLAN "epsilon 99999999999999999999/1\ndelta 1/2\nreach 1\n" NAMES("1/1", "9 3 3") },
	{ WITH NAMES("1/1", "16 3 1"), WITH NAMES("1/1", "16 5 1"), WITH NAMES("1/1", "15 3 1") },
	/* one name may have all 3: e^(6 2/3) of them, as epsilon is 6 */
	{ PLAN "epsilon 6/1\ndelta 1/1000000\nreach 3\n" NAMES("1/1", "19 3 3"),
	    PLAN "epsilon 6/1\ndelta 1/1000000\nreach 3\n" NAMES("1/1", "18 3 3"),
	    PLAN "epsilon 7/1\ndelta 1/1000000\nreach 3\n" NAMES("1/1", "19 3 3") },
	/* c = 1, 1/2, 1/4: 1 + 1/2 + 1/4; c = 1, 3, 9: h = 1, 2, 4, and 1 more; past the last */
	{ PLAN "epsilon 7/4\nreach 1\nages 3 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 174/100\nreach 1\nages 3 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 7/4\nreach 1\nages 7 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 7/4\nreach 2\nages 3 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 7/4\nreach 1\nages 3 3 1/1 2/1 39/10\n" },
	{ PLAN "epsilon 7/4\nreach 1\nfresh 1/1\nages 3 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 7/4\nreach 1\nfresh 999/1000\nages 3 3 1/1 2/1 4/1\n" },
	{ PLAN "epsilon 7/4\nreach 1\nfresh 1/1\nages 3 3 1/1 2/1 4/1 0 1/1 1 3/2 3 7/4\n",
	    PLAN "epsilon 7/4\nreach 1\nfresh 1/1\nages 3 3 1/1 2/1 4/1 0 1/1 1 149/100\n",
	    PLAN "epsilon 7/4\nreach 1\nfresh 1/1\nages 3 3 1/1 2/1 4/1 0 1/1 3 174/100\n",
	    PLAN "epsilon 7/2\nreach 2\nfresh 2/1\nages 3 3 1/1 2/1 4/1 0 99/100\n" },
	{ PLAN "epsilon 8/1\nreach 1\nfresh 1/1\nages 7 3 1/1 1/3 1/9\n",
	    PLAN "epsilon 8/1\nreach 1\nfresh 1/2\nages 7 3 1/1 1/3 1/9\n",
	    PLAN "epsilon 16/1\nreach 2\nfresh 1/1\nages 7 3 1/1 1/3 1/9\n" },
	{ PLAN "epsilon 8/1\nreach 1\nages 7 3 1/1 1/3 1/9\n",
	    PLAN "epsilon 799/100\nreach 1\nages 7 3 1/1 1/3 1/9\n",
	    PLAN "epsilon 8/1\nreach 1\nages 8 3 1/1 1/3 1/9\n" },
	{ PLAN "epsilon 16/1\nreach 1\nages 8 3 1/1 1/3 1/9\n",
	    PLAN "epsilon 159/10\nreach 1\nages 8 3 1/1 1/3 1/9\n" },
	{ PLAN "epsilon 2/1\nreach 1\nages 1 3 1/1 2/1 1/1\n",
	    PLAN "epsilon 199/100\nreach 1\nages 1 3 1/1 2/1 1/1\n" },
	{ PLAN "epsilon 9/4\nreach 1\nages 15 3 1/1 2/1 4/1\n",
	    PLAN "epsilon 224/100\nreach 1\nages 15 3 1/1 2/1 4/1\n" },
	/* a part's delta is the whole's to pay */
	{ WITH "mechanism a\nepsilon 1/1\ndelta 1/1000000\nreach 1\ngauss 2053/100 1 9\nend\n",
	    PURE "mechanism a\nepsilon 1/1\ndelta 1/1000000\nreach 1\ngauss 2053/100 1 9\nend\n",
	    WITH "mechanism a\nepsilon 1/1\ndelta 1/999999\nreach 1\ngauss 2053/100 1 9\nend\n",
	    WITH "mechanism a\nepsilon 1/1\ndelta 1/1000000\nreach 1\ngauss 2052/100 1 9\nend\n" },
	/* C = 1: D^2 l2, D = 2^20; a band of 1 and 1, whose events meet in no row, and in one */
	{ WITH "blt 19624100000000/1 9 1 20 1 0 0 0 0 0 0\n",
	    WITH "blt 19623000000000/1 9 1 20 1 0 0 0 0 0 0\n",
	    WITH "blt 19624100000000/1 9 1 21 1 0 0 0 0 0 0\n",
	    WITH "blt 19624100000000/1 9 1 20 2 0 0 0 0 0 0\n",
	    PURE "blt 19624100000000/1 9 1 20 1 0 0 0 0 0 0\n" },
	{ TWICE "rise 1 1 63\n" PART_OF(9), TWICE "rise 1 1 62\n" PART_OF(9),
	    TWICE "rise 3 1 63\n" PART_OF(9), TWICE "rise 99 99 99\n" PART_OF(9),
	    TWICE "rise 1 1 63\n" PART_OF(12), WITH "rise 1 1 63\n" PART_OF(9),
	    TWICE "rise 1 1 63\n" PART_OF(9) PART_OF(9) },
	{ TWICE "rise 3 1 65\n" PART_OF(9), TWICE "rise 4 1 65\n" PART_OF(9) },
	{ TWICE "rise 12 12 78\n" PART_OF(9), TWICE "rise 12 12 72\n" PART_OF(9) },
	{ WITH "banded 117744600000000/1 9 1 20 1 0 3 2 2 1048576 1048576\n",
	    WITH "banded 117738000000000/1 9 1 20 1 0 3 2 2 1048576 1048576\n",
	    WITH "banded 117744600000000/1 9 1 20 1 0 3 1 2 1048576 1048576\n",
	    WITH "banded 117744600000000/1 9 1 20 1 0 4 2 2 1048576 1048576\n",
	    WITH "banded 117744600000000/1 9 1 20 2 0 3 2 2 1048576 1048576\n",
	    WITH "banded 117744600000000/1 9 1 20 1 0 3 2 2 1048576 1048577\n",
	    WITH "banded 117744600000000/1 9 1 20 1 0 3 2 2 1048575 1048575\n",
	    WITH "banded 117744600000000/1 9 1 20 1 0 3 2 3 1048576 1048576 1048576\n" }
};

static const char *const malformed[] = {
	WITH "blt 19624100000000/1 9 1 20 1 0 0 0 0 0 4768116205681652736 8\n",
	WITH "banded 117744600000000/1 9 1 20 1 0 3 2 99999999999 1048576\n",
	PURE "ages 3 0\n", PURE "fresh 1/1\nages 3 1 1/1 0\n",
	PURE "ages 3 99999999999 1/1\n", PURE "ages 3 3 1/1 1/1\n",
	PURE "ages 3 65 1/1\n", PURE "looks 9/1 0\n", PURE "looks 900/1 65\n",
	TWICE "rise 1 1 63\nnothing\n", TWICE "rise 1 1 1\n" PART_OF(9),
	TWICE "rise 1 1 63\nrise 1 1 63\n" PART_OF(9),
	PURE "value 6/1 2 3 4\n", PURE "coin 79 3 1 1\n", PURE "coin " COIN_311 " 0 1 1\n",
	PURE "sparse 4/1 1 8/1 2\n", WITH "weigh 10132/100 1 0\n", WITH "gauss 2053/100 0 9\n",
	WITH "gauss 2053/100 1\n", WITH "rounds 10\nlaplace 9/1 1\n", WITH "rounds 0\n" ROUND,
	WITH "rounds 2\nmechanism r\nepsilon 1/10\ndelta 1/10000000\nreach 1\nnothing\nend\n",
	PLAN "epsilon 1/1\ndelta 1/1\nreach 1\nnothing\n", WITH "names 1/1 15 1\n",
	PLAN "epsilon 1/1\ndelta 0/1\nreach 1\nnothing\n",
	WITH "blt 19624100000000/1 9 1 20 1 0 0 0 0 13 0\n",
	    WITH "blt 19624100000000/1 9 1 20 1 0 0 0 0 1 0\n",
	WITH "blt 19624100000000/1 9 1 63 1 0 0 0 0 0 0\n",
	    WITH "blt 19624100000000/1 9 1 20 1 0 0 0 0 0 1\npiece 9\n",
	WITH "banded 27414/1 9 1 4 1 0 3 2 2 16\n", WITH "banded 27414/1 9 1 4 1 0 3 2 1025 16\n"
};

static enum dp_verdict_is
verdict(const char *text, struct dp_verdict *v)
{
	char plan[1024];

	snprintf(plan, sizeof plan, "%send\n", text);
	check(dp_certificate_check(v, plan, strlen(plan)) == 0);
	dp_verdict_free(v);
	return v->is;
}

static void
all_words(void)
{
	struct dp_verdict v;
	unsigned i, j;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		for (j = 0; words[i][j] != NULL; j++) {
			check(verdict(words[i][j], &v) == (j == 0 ? DP_VERDICT_HOLDS :
			    DP_VERDICT_REFUTED));
			if (v.is != (j == 0 ? DP_VERDICT_HOLDS : DP_VERDICT_REFUTED))
				printf("%u.%u: %d, %.9g, %.9g: %s\n", i, j, v.is, v.loss,
				    v.missed, v.why);
		}
	/* composition spends its delta */
	check(verdict(WITH "composed 10884/100 2 100\n", &v) == DP_VERDICT_HOLDS &&
	    v.missed >= 1e-6);
	for (i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
		check(verdict(malformed[i], &v) == DP_VERDICT_MALFORMED);
		if (v.is != DP_VERDICT_MALFORMED)
			printf("%u: %d\n", i, v.is);
	}
}

/* ---- deltas ---- */

static double
of_rho(double rho, double eps)
{
	double least = INFINITY, a;

	for (a = 2; a < 100000; a++)
		least = fmin(least, (a - 1) * (a * rho - eps) - log(a - 1) + a * log1p(-1 / a));
	return exp(least);
}

static double
of_mu(double mu, double eps)
{
	return (erfc((eps / mu - mu / 2) * M_SQRT1_2) -
	    exp(eps) * erfc((eps / mu + mu / 2) * M_SQRT1_2)) / 2;
}

/* The delta of one family of variance 1 and this square, of m draws; what else there is. */
static double
delta_of(double variance, double square, double eps, double claimed, bool other)
{
	struct audit_account a;
	mpq_t v, s, e, d;
	mpfr_t to;
	mpz_t m;
	double x;

	mpq_inits(v, s, e, d, (mpq_ptr)NULL);
	mpfr_init2(to, DP_AUDIT_BITS);
	mpz_init_set_ui(m, 1);
	mpq_set_d(v, variance);
	mpq_set_d(s, square);
	mpq_set_d(e, eps);
	mpq_set_d(d, claimed);
	audit_account_init(&a);
	audit_account_gauss(&a, v, s, m);
	a.others = other;
	audit_account_delta(&a, e, d, to);
	x = mpfr_get_d(to, MPFR_RNDU);
	audit_account_clear(&a);
	mpq_clears(v, s, e, d, (mpq_ptr)NULL);
	mpz_clear(m);
	mpfr_clear(to);
	return x;
}

static void
deltas(void)
{
	const double eps[] = { .01, .1, 1, 3, 10 }, mu[] = { .01, .1, .5, 1 };
	double want, is;
	unsigned i, j;

	for (i = 0; i < 5; i++)
		for (j = 0; j < 4; j++) {
			want = of_rho(mu[j] * mu[j] / 2, eps[i]);
			is = delta_of(1, mu[j] * mu[j], eps[i], .1, true);
			/* 2^-97 e^epsilon is added for the draw */
			check(want < 1e-18 || (is >= want * (1 - 1e-9) && is <= want * (1 + 1e-4)));
			/* of sigma 2^26 the analytic one: next to nothing is lost on the way */
			want = of_mu(mu[j], eps[i]);
			is = delta_of(0x1p52, mu[j] * mu[j] * 0x1p52, eps[i], want * (1 + 1e-5),
			    false);
			check(want < 1e-10 || (is >= want * (1 - 1e-9) && is <= want * (1 + 1e-5)));
			if (want >= 1e-10 && !(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-5)))
				printf("%g %g: %.12g for %.12g\n", eps[i], mu[j], is, want);
		}
}

/* ---- ranges ---- */

static double
ranged(double x, double c, unsigned n, unsigned grid)
{
	double best = 0, t, p, y;
	unsigned i;

	if (n == 0)
		return fmax(0, -expm1(x));
	for (i = 0; i <= grid; i++) {
		t = c * i / grid;
		p = expm1(t - c) / expm1(-c);
		y = p * ranged(x - t, c, n - 1, grid) +
		    (1 - p) * ranged(x - t + c, c, n - 1, grid);
		best = y > best ? y : best;
	}
	return best;
}

/* c and x are doubles, exactly. */
static double
range_delta(double c, unsigned n, double x)
{
	mpq_t range, loss;
	mpfr_t delta;
	double is;

	mpq_inits(range, loss, (mpq_ptr)NULL);
	mpfr_init2(delta, 53);
	mpq_set_d(range, c);
	mpq_set_d(loss, x);
	audit_range_delta(range, n, loss, delta);
	is = mpfr_get_d(delta, MPFR_RNDU);
	mpq_clears(range, loss, (mpq_ptr)NULL);
	mpfr_clear(delta);
	return is;
}

static void
ranges(void)
{
	const double c[] = { .05, .3, .9 }, part[] = { .1, .5, .9 };
	double want, is;
	unsigned i, j, n;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			for (n = 1; n <= 3; n++) {
				want = ranged(part[j] * n * c[i], c[i], n, 60);
				is = range_delta(c[i], n, part[j] * n * c[i]);
				check(is >= want * (1 - 1e-12) && is <= want * 1.04 + 1e-12);
				if (!(is >= want * (1 - 1e-12) && is <= want * 1.04 + 1e-12))
					printf("%g %u %g: %.9g for %.9g\n", c[i], n, part[j], is,
					    want);
			}
	check(isinf(range_delta(1.01, 2, 1)) && isinf(range_delta(.1, 1001, 1)));
	/* nothing is missed where all that n choices can lose is lost; the rounding is seen */
	for (n = 1; n <= 1000; n *= 10) {
		is = range_delta(.125, n, .125 * n);
		check(is >= 0 && is <= n * 0x1p-110);
	}
}

/*
 * Where one of n choices that is not t makes the loss less than x, (n - 1) c <= x <= n c, only
 * that all are t counts: the largest p_1 .. p_n (1 - e^(x - t_1 - .. - t_n)).  log p is concave
 * in t, so all t are alike.
 */
static double
all_alike(double c, unsigned n, double x)
{
	double best = 0, t, y;
	int i;

	for (i = 0; i <= 100000; i++) {
		t = x / n + (c - x / n) * i / 100000;
		y = pow(expm1(t - c) / expm1(-c), n) * -expm1(x - n * t);
		best = y > best ? y : best;
	}
	return best;
}

/* Nearly all that few choices can lose. */
static void
few_choices(void)
{
	const double over[] = { 1.001, 1.01, 1.0447, 1.1 };
	double want, is, c;
	unsigned i, n;

	for (i = 0; i < 4; i++)
		for (n = 1; n <= 10 && over[i] < 1 + 1. / n; n++) {
			c = .9 / n * over[i];
			want = all_alike(c, n, .9);
			is = range_delta(c, n, .9);
			check(is >= want * (1 - 1e-12));
			/* of deltas that are not much less than people ask for */
			check(want < 4e-7 || is <= want * (n == 1 ? 1 + 1e-9 : 1.1));
			if (!(is >= want * (1 - 1e-12)) ||
			    !(want < 4e-7 || is <= want * (n == 1 ? 1 + 1e-9 : 1.1)))
				printf("%u of %g: %.9g for %.9g\n", n, c, is, want);
		}
}

/* Few choices as a planner makes them, on a grid of its own, hold: n, epsilon, delta. */
static void
planned_choices(void)
{
	const struct dp_q eps[] = { { 1, 10 }, { 1, 3 }, { 7, 10 }, { 1, 1 }, { 3, 2 }, { 3, 1 } };
	const uint64_t delta[] = { 1000, 100000, 1000000, 1000000000 };
	struct dp_privacy p;
	struct dp_choose c;
	struct audit_account a;
	mpq_t range, loss, claimed;
	mpfr_t missed;
	unsigned i, j, n;

	mpq_inits(range, loss, claimed, (mpq_ptr)NULL);
	mpfr_init2(missed, DP_AUDIT_BITS);
	for (i = 0; i < 6; i++)
		for (j = 0; j < 4; j++)
			for (n = 1; n <= 12; n++) {
				check(dp_privacy_set(&p, false, eps[i], dp_q_make(1, delta[j]),
				    2000, 4000000) == 0);
				p.dry = true;
				check(dp_privacy_choose(&c, &p, DP_NOISE_WEIGH, n,
				    dp_q_make(1, 1)) == 0);
				mpq_set_ui(range, 2000 * c.scale.den, c.scale.num);
				mpq_canonicalize(range);
				mpq_set_ui(loss, eps[i].num, eps[i].den);
				mpq_set_ui(claimed, 1, delta[j]);
				audit_account_init(&a);
				audit_account_choices(&a, n, range);
				audit_account_delta(&a, loss, claimed, missed);
				audit_account_clear(&a);
				check(mpfr_cmp_q(missed, claimed) <= 0);
				if (mpfr_cmp_q(missed, claimed) > 0)
					printf("%u choices, epsilon %g, delta 1/%g: %.9g\n", n,
					    dp_q_double(eps[i]), (double)delta[j],
					    mpfr_get_d(missed, MPFR_RNDU));
			}
	mpq_clears(range, loss, claimed, (mpq_ptr)NULL);
	mpfr_clear(missed);
}

/* ---- coefficients ---- */

#define LONG	400

/* max over the moves of |sum c d|^2: d = 1 at steps i b, i < K */
static double
by_definition(const double *c, unsigned T, unsigned K, unsigned b)
{
	double sum = 0, v;
	unsigned t, i;

	for (t = 0; t < T; t++) {
		for (v = 0, i = 0; i < K && i * b <= t; i++)
			v += c[t - i * b];
		sum += v * v;
	}
	return sum;
}

static void
bands(void)
{
	struct audit_banded f = { .steps = 50, .columns = 1, .bits = 10, .n = 6,
	    .a = { 1024, 1000, 700, 700, 31, 5 } };
	double c[LONG] = { 0 }, want;
	const char *why;
	unsigned i, K, b;
	mpq_t square;

	mpq_init(square);
	for (i = 0; i < f.n; i++)
		c[i] = (double)f.a[i];
	for (K = 1; K < 60; K += 7)
		for (b = 1; b < 60; b += 3) {
			f.moves = (struct audit_moves){ .square = 7, .times = K, .spacing = b };
			why = audit_banded_square(&f, square);
			want = 7 * by_definition(c, 50, K, b);
			check(why == NULL && mpq_get_d(square) == want);
		}
	mpq_clear(square);
}

/* C's coefficients, in doubles. */
static void
coefficients(const struct audit_blt *f, double *c)
{
	double plain[LONG], d[LONG], in[LONG], up, down;
	unsigned t, k, m, W = (unsigned)f->lag;

	for (t = 0; t < LONG; t++) {
		plain[t] = t == 0;
		for (k = 0; k < f->poles && t > 0; k++)
			plain[t] += ldexp((double)f->om[k], -64) *
			    pow(1 - ldexp((double)f->gap[k], -64), t - 1.);
		d[t] = t == 0;
	}
	for (k = 0; W > 0 && k < DP_AUDIT_ECHOES; k++) {
		up = ldexp((double)f->a[k], -32);
		down = ldexp((double)f->b[k], -32);
		memcpy(in, d, sizeof d);
		for (t = 0; t < LONG; t++)
			d[t] = in[t] + (t > 0 ? down * d[t - 1] - up * in[t - 1] : 0);
	}
	for (t = 0; t < LONG; t++)
		for (c[t] = 0, m = 0; m * W <= t && (m == 0 || W > 0); m++)
			c[t] += d[m] * plain[t - m * W];
}

/* S is H but for what is rounded: far less than a millionth where D is 2^60. */
static void
poles(void)
{
	const uint64_t dither = (uint64_t)1 << 40;
	struct audit_blt f = { .columns = 1, .bits = 60, .poles = 3,
	    .gap = { (uint64_t)1 << 58, (uint64_t)1 << 61, (uint64_t)1 << 63 },
	    .om = { ((uint64_t)1 << 56) + dither, (uint64_t)3 << 58, (uint64_t)1 << 61 },
	    .a = { (uint64_t)1 << 31, (uint64_t)15 << 28 },
	    .b = { (uint64_t)1 << 29, (uint64_t)3 << 30 } };
	static const unsigned n[] = { 1, 3, 2 };
	double c[LONG], want, is, size;
	unsigned T, W, K, i;
	mpq_t e, d;
	mpfr_t square;

	mpq_inits(e, d, (mpq_ptr)NULL);
	mpq_set_ui(e, 1, 1);
	mpq_set_ui(d, 1, 1000000);
	mpfr_init2(square, DP_AUDIT_BITS);
	for (W = 0; W < 20; W = 3 * W + 1)
		for (K = 1; K < 9; K += W == 0 ? 3 : 9)
			for (T = 1; T < LONG; T = 3 * T + (T == 1)) {
				f.lag = W;
				f.steps = T;
				f.moves = (struct audit_moves){ .l1 = K, .square = 5,
				    .times = K > 1 ? K : 0, .spacing = K > 1 ? 11 : 0 };
				coefficients(&f, c);
				/* with an echo whole lags count */
				size = W == 0 ? T : (T - 1 + W - 1) / W * W + 1;
				want = 5 * by_definition(c, (unsigned)size, K, 11);
				check(audit_blt_square(&f, e, d, square) == NULL);
				is = mpfr_get_d(square, MPFR_RNDU) * 0x1p-120;
				check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-6));
				if (!(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-6)))
					printf("W %u K %u T %u: %.9g for %.9g\n",
	    W, K, T, is, want);
			}
	/* blt-norm: the largest N ||c||; and what fades */
	f.lag = 0;
	f.steps = 100;
	f.moves = (struct audit_moves){ .l1 = 1, .square = 5 };
	f.pieces = 3;
	coefficients(&f, c);
	for (want = 0, i = 0; i < 3; i++) {
		f.left[i] = (uint64_t[]){ 100, 60, 3 }[i];
		f.unit[i] = ((uint64_t)1 << 58) * n[i];
		want = fmax(want, 5 * by_definition(c, (unsigned)f.left[i], 1, 1) *
		    n[i] * n[i] / 16);
	}
	check(audit_blt_square(&f, e, d, square) == NULL);
	is = mpfr_get_d(square, MPFR_RNDU) * 0x1p-120;
	check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-6));
	f.left[0] = 99;
	check(audit_blt_square(&f, e, d, square) != NULL);	/* the first step has no unit */
	f.pieces = 0;
	f.moves.fading = 2;
	check(audit_blt_square(&f, e, d, square) == NULL);
	is = mpfr_get_d(square, MPFR_RNDU) * 0x1p-120;
	want = 2 * by_definition(c, 100, 1, 1);
	check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-6));
	f.om[0] += dither;
	check(audit_blt_square(&f, e, d, square) != NULL);	/* no dither */
	mpq_clears(e, d, (mpq_ptr)NULL);
	mpfr_clear(square);
}

/* Of a variance of 1: e^(T / 24) times what normal draws have, and T^2 2^-96. */
static void
rises_of_few(struct audit_blt f, const double *u)
{
	const uint64_t height[2] = { 481, 10000 };	/* rounding: 480 and a half */
	double sum[LONG] = { 0 }, want = 0, v, is;
	unsigned t, i;
	mpq_t draw;
	mpfr_t to[2];

	mpq_init(draw);
	mpq_set_ui(draw, 1, 1);
	mpfr_inits2(DP_AUDIT_BITS, to[0], to[1], (mpfr_ptr)NULL);
	f.bits = f.pieces = 0;
	for (t = 1; t <= f.steps; t++) {
		for (v = 0, i = 1; i <= t; i++) {
			sum[i] += u[t - i];
			v += sum[i] * sum[i];
		}
		want += erfc(.5 / sqrt(2 * v)) / 2;
	}
	want *= exp(60 / 24.);
	check(audit_blt_rise(&f, draw, height, to) == NULL);
	is = mpfr_get_d(to[0], MPFR_RNDU);
	check(is >= want * (1 - 1e-9) && is <= want * (1 + 1e-9));
	check(mpfr_cmp_d(to[1], 3600 * 0x1p-96) >= 0);
	mpq_clear(draw);
	mpfr_clears(to[0], to[1], (mpfr_ptr)NULL);
}

/* N_t is the sum of w_j / N_j, j <= t, and w = C^-1 z: sum over j of (C^-1)_(j-i) / N_j of z_i. */
static void
rises(void)
{
	struct audit_blt f = { .steps = 60, .columns = 1, .bits = 30, .poles = 2,
	    .gap = { (uint64_t)1 << 59, (uint64_t)1 << 62 },
	    .om = { ((uint64_t)1 << 60) + ((uint64_t)1 << 40), (uint64_t)1 << 61 } };
	double c[LONG], u[LONG], sum[LONG], want, v, unit, is;
	unsigned t, i, pieces, x;
	uint64_t height[2];
	mpq_t draw;
	mpfr_t to[2];

	mpq_init(draw);
	mpfr_inits2(DP_AUDIT_BITS, to[0], to[1], (mpfr_ptr)NULL);
	mpq_set_d(draw, 25 * 0x1p60);
	coefficients(&f, c);
	for (t = 0; t < f.steps; t++)
		for (u[t] = t == 0, i = 1; i <= t; i++)
			u[t] -= c[i] * u[t - i];
	for (pieces = 0; pieces < 4; pieces += 3)
		for (x = 10; x < 60; x += 20) {
			f.pieces = pieces;
			memset(sum, 0, sizeof sum);
			for (want = 0, t = 1; t <= f.steps; t++) {
				i = t <= 20 ? 0 : t <= 57 ? 1 : 2;
				f.left[i] = f.left[i] != 0 ? f.left[i] : f.steps - t + 1;
				f.unit[i] = ((uint64_t)1 << 30) - 100000000 * i;
				unit = pieces == 0 ? 0x1p30 : (double)f.unit[i];
				for (v = 0, i = 1; i <= t; i++) {
					sum[i] += u[t - i] / unit;
					v += sum[i] * sum[i] * 25 * 0x1p60;
				}
				want += erfc((x - 0.5) / sqrt(2 * v)) / 2;
			}
			height[0] = x;
			height[1] = x + 5;
			check(audit_blt_rise(&f, draw, height, to) == NULL);
			is = mpfr_get_d(to[0], MPFR_RNDU);
			check(is >= want && is <= want * (1 + 1e-4) &&
			    mpfr_less_p(to[1], to[0]));
			if (!(is >= want && is <= want * (1 + 1e-4)))
				printf("%u %u: %.12g for %.12g\n", pieces, x, is, want);
		}
	rises_of_few(f, u);
	f.lag = 7;
	check(audit_blt_rise(&f, draw, height, to) != NULL);
	mpq_clear(draw);
	mpfr_clears(to[0], to[1], (mpfr_ptr)NULL);
}

int
main(void)
{
	PART(all_words());
	PART(deltas());
	PART(ranges());
	PART(few_choices());
	PART(planned_choices());
	PART(bands());
	PART(poles());
	PART(rises());
	return done();
}
