/* SPDX-License-Identifier: ISC */
/*
 * Plans that are printed, and the checker of them (audit/certificate.h).
 *
 * brute	all increments of trees of 2 and 4 steps, by the definition of normtree.h, in
 *		doubles: no move costs more than the checker says, and one costs nearly as much
 * planned	the checker's loss, which shares no code, is the planner's or a little below, on the
 *		tables' own grid and on finer ones
 * spline	what a table costs on a finer grid, by the definition in doubles, for all x
 * altered	a number of a table is off by 1e-4: refused, or a loss that is larger, but for
 *		k where it need not be as steep, and R from its end on
 * texts	what is no plan, and what adds up to more than is claimed
 */
#include <math.h>

#include "audit/internal.h"
#include "check.h"
#include "normtree/normtree.h"

#define WIDE	12		/* increments of a tree of four steps, either way */

static struct dp_verdict
verdict(const char *text)
{
	struct dp_verdict v;

	check(dp_certificate_check(&v, text, strlen(text)) == 0);
	dp_verdict_free(&v);
	return v;
}

/* A whole plan with this tree, as text of the caller's to free. */
static char *
tree_text(struct dp_normtree *p, const char *claim, uint64_t reach)
{
	struct dp_buf b = { .n = 0 };
	char head[160];

	snprintf(head, sizeof head, "dputils-plan 1\nversion x\ntool t\nmechanism m\nepsilon %s\n"
	    "reach %llu\n", claim, (unsigned long long)reach);
	dp_buf_puts(&b, head);
	check(dp_normtree_certify(p, &b) == 0);
	dp_buf_puts(&b, "end\n");
	dp_buf_add(&b, "", 1);
	check(b.error == 0);
	return b.p;
}

static double
number(struct dp_real r)
{
	return ldexp((double)r.m, (int)r.x - 64);
}

static double
entry(const struct dp_real *t, unsigned A, struct dp_real beyond, int64_t v)
{
	const unsigned n = (unsigned)(v < 0 ? -v : v);

	return n <= A ? number(t[n]) : number(t[A]) * pow(number(beyond), n - A);
}

/* The logarithm of a split's t(a, b). */
static double
weight(const struct dp_normtree_level *v, int64_t a, int64_t b)
{
	const int64_t P = a + b < 0 ? -a - b : a + b, cap = P < v->A ? v->A - P : 0;
	int64_t y = (a < 0) == (b < 0) || a == 0 || b == 0 ? 0 : llabs(a) < llabs(b) ? llabs(a) :
	    llabs(b);

	if (v->open)
		return log(entry(v->fall, v->A, v->fade, y));
	return log(entry(v->child[0], v->reach[0], v->beyond[0], a)) +
	    log(entry(v->child[1], v->reach[1], v->beyond[1], b)) +
	    log(number(v->fall[y < cap ? y : cap]));
}

#define FAR	400

/* log sum_a t(a, P - a) for |P| <= 4 WIDE + 4, at [.. + P] */
static void
sums(const struct dp_normtree_level *v, double *N)
{
	int64_t P, a;

	for (P = -4 * WIDE - 4; P <= 4 * WIDE + 4; P++) {
		N[4 * WIDE + 4 + P] = 0;
		for (a = -FAR; a <= FAR; a++)
			N[4 * WIDE + 4 + P] += exp(weight(v, a, P - a));
		N[4 * WIDE + 4 + P] = log(N[4 * WIDE + 4 + P]);
	}
}

static struct dp_normtree *
chain(unsigned h, uint64_t epsilon, uint64_t of, uint64_t l1)
{
	struct dp_normtree_shape s;
	struct dp_privacy privacy;
	struct dp_normtree *p = NULL;

	check(dp_privacy_set(&privacy, false, dp_q_make(epsilon, of), (struct dp_q){ 0, 1 }, l1,
	    l1 * l1) == 0);
	dp_normtree_shape(&s, h);
	check(dp_normtree_create(&p, &s, &privacy) == 0);
	return p;
}

static void
brute(unsigned h)
{
	static double N[2][8 * WIDE + 9];
	struct dp_normtree *p = chain(h, 2, 1, 1);
	const struct dp_normtree_level *low = &p->level[0], *top = &p->level[h - 1];
	const int wide = h == 1 ? 2 * WIDE : WIDE, zero = 4 * WIDE + 4;
	struct dp_verdict v;
	double most = 0, here, moved;
	char *text = tree_text(p, "2/1", 1);
	int a, b, c, d, e;

	v = verdict(text);
	check(v.is == DP_VERDICT_HOLDS && v.trees == 1 && v.kinds == h);
	sums(low, N[0]);
	sums(top, N[1]);
	/* log p, and with the first step's increment one more */
	for (a = -wide; a < wide; a++)
		for (b = -wide; b <= wide; b++)
			for (c = h == 1 ? 0 : -wide; c <= (h == 1 ? 0 : wide); c++)
				for (d = c, e = 0; e < 2; e++, d = -c / 2) {
					if (h == 1 && e == 1)
						continue;
#define DENSITY(a, P) (h == 1 ? weight(low, a, b) - N[0][zero + (a) + b] + \
	log(entry(p->root, p->A, p->beyond, P)) : weight(low, a, b) - N[0][zero + (a) + b] + \
	weight(low, c, d) - N[0][zero + c + d] + weight(top, (a) + b, c + d) - N[1][zero + (P)] + \
	log(entry(p->root, p->A, p->beyond, P)))
					here = DENSITY(a, a + b + (h == 1 ? 0 : c + d));
					moved = DENSITY(a + 1, a + 1 + b + (h == 1 ? 0 : c + d));
					most = fmax(most, fabs(here - moved));
				}
	check(most <= v.loss + 1e-9 && most > v.loss * (1 - 1e-3));
	if (most > v.loss + 1e-9 || most <= v.loss * (1 - 1e-3))
		printf("h %u: %.12g of %.12g\n", h, most, v.loss);
	free(text);
	dp_normtree_free(p);
}

static void
planned(void)
{
	static const struct { unsigned h; uint64_t epsilon, of, l1; } of[] = {
		{ 1, 1, 1, 1 }, { 3, 1, 1, 1 }, { 6, 1, 2, 1 }, { 2, 3, 1, 2 }, { 2, 1, 100, 1 },
		{ 4, 1, 10, 1 }, { 3, 1, 1, 1000 }, { 5, 1, 1, 1 << 20 }
	};
	struct dp_normtree *p;
	struct dp_verdict v;
	char *text, claim[48];
	unsigned i, finer = 0;
	double loss;

	for (i = 0; i < sizeof of / sizeof of[0]; i++) {
		p = chain(of[i].h, of[i].epsilon, of[i].of, of[i].l1);
		snprintf(claim, sizeof claim, "%llu/%llu", (unsigned long long)of[i].epsilon,
		    (unsigned long long)of[i].of);
		text = tree_text(p, claim, of[i].l1);
		v = verdict(text);
		loss = p->loss * (double)of[i].l1;
		check(v.is == DP_VERDICT_HOLDS && v.loss <= loss * (1 + 1e-9) &&
		    v.loss > loss * (1 - 5e-3));
		if (v.is != DP_VERDICT_HOLDS || v.loss > loss * (1 + 1e-9) ||
		    v.loss <= loss * (1 - 5e-3))
			printf("%u: %s %.12g of %.12g\n", i, v.why, v.loss, loss);
		finer += p->fine > 0;
		free(text);
		dp_normtree_free(p);
	}
	check(finer >= 2);
}

/* Ways in which n numbers from 0 .. D - 1 sum to y, at [y]. */
static void
ways(double *w, unsigned n, unsigned D)
{
	unsigned i, k, y;
	double *to = calloc(n * D, sizeof *to);

	memset(w, 0, n * D * sizeof *w);
	for (w[0] = 1, i = 0; i < n; i++) {
		memset(to, 0, n * D * sizeof *to);
		for (y = 0; y <= i * (D - 1); y++)
			for (k = 0; k < D; k++)
				to[y + k] += w[y];
		memcpy(w, to, n * D * sizeof *w);
	}
	free(to);
}

static double
at_table(const struct audit_table *t, int64_t v)
{
	const unsigned n = (unsigned)(v < 0 ? -v : v);

	return n <= t->A ? t->v[n] : t->v[t->A] * pow(t->beyond, n - t->A);
}

/* sum of t(i) e^(e i) w(x - D i), less e^(e x / D) */
static double
smooth(const struct audit_table *t, const double *w, unsigned n, unsigned D, double e, int64_t x)
{
	const int64_t middle = (int64_t)(n / 2 * (D - 1)), last = (int64_t)(n * (D - 1));
	double s = 0;
	int64_t i, y;

	for (i = x / (int64_t)D - n; i <= x / (int64_t)D + n; i++) {
		y = x - (int64_t)D * i + middle;
		if (y >= 0 && y <= last)
			s += at_table(t, i) * exp(e * ((double)i - (double)x / D)) * w[y];
	}
	return s;
}

static void
spline(unsigned fine)
{
	enum { A = 40 };
	static double g[A + 1], c[A + 1], w4[4 << 6], w8[8 << 6];
	struct audit_table G = { g, A, exp(-.3) }, C = { c, A, exp(-.3) };
	const unsigned D = 1u << fine;
	const double e = .0625;
	mpfr_t share, loss;
	double most = 0, u, before = 0;
	int64_t x, v;

	for (v = 0; v <= A; v++)
		c[v] = exp(-.3 * (double)v + .2 * cos((double)v / 3));
	for (v = 0; v <= A; v++)
		g[v] = (at_table(&C, v - 1) + 4 * c[v] + at_table(&C, v + 1)) / 6;
	ways(w4, 4, D);
	ways(w8, 8, D);
	for (x = -(A + 9) * (int64_t)D; x <= (A + 9) * (int64_t)D; x++) {
		u = log(smooth(&G, w4, 4, D, e, x)) - log(smooth(&C, w8, 8, D, 0, x));
		if (x > -(A + 9) * (int64_t)D)
			most = fmax(most, u - before + e / D);
		before = u;
	}
	mpfr_init2(share, 64);
	mpfr_init2(loss, 64);
	mpfr_set_d(share, e, MPFR_RNDU);
	check(audit_spline_loss(&G, &C, fine, share, loss) == NULL);
	u = mpfr_get_d(loss, MPFR_RNDU);
	check(u >= most - 1e-12 && u <= most * (1 + 1e-5));
	if (!(u >= most - 1e-12 && u <= most * (1 + 1e-5)))
		printf("D %u: %.12g of %.12g\n", D, u, most);
	mpfr_clear(share);
	mpfr_clear(loss);
}

/* The n-th number of the text, times by; a text of the caller's to free; NULL: there is none. */
static char *
altered_text(const char *text, unsigned n, double by, char *line)
{
	const char *at = text, *from = text;
	char *to = malloc(strlen(text) + 64), *end;
	double x;

	for (;; n--) {
		if ((at = strstr(at, " 0x")) == NULL) {
			free(to);
			return NULL;
		}
		if (n == 0)
			break;
		at++;
	}
	for (from = at; from[-1] != '\n'; from--)
		;
	*line = *from;
	x = strtod(at, &end);
	sprintf(to, "%.*s %a%s", (int)(at - text), text, x * by, end);
	return to;
}

static void
altered(uint64_t epsilon, uint64_t of, unsigned each)
{
	struct dp_normtree *p = chain(2, epsilon, of, 1);
	struct dp_verdict v, sound;
	unsigned n, seen = 0, missed = 0, k = 0;
	char *text, *other, line = 0, claim[48];
	const double by[] = { 1 + 1e-4, 1 - 1e-4 };

	snprintf(claim, sizeof claim, "%llu/%llu", (unsigned long long)epsilon,
	    (unsigned long long)of);
	text = tree_text(p, claim, 1);
	sound = verdict(text);
	check(sound.is == DP_VERDICT_HOLDS);
	for (n = 0; (other = altered_text(text, n / 2 * each, by[n % 2], &line)) != NULL; n++) {
		v = verdict(other);
		free(other);
		if (v.is != DP_VERDICT_HOLDS || v.loss > sound.loss * (1 + 1e-9))
			seen++;
		else if (line == 'k')
			k++;
		else
			missed++;
	}
	check(missed <= 4 && seen > 2 * k && n > 60);
	if (missed > 4 || seen <= 2 * k)
		printf("%u of %u, of k %u, of others %u were missed\n", seen, n, k, missed);
	free(text);
	dp_normtree_free(p);
}

#define HEAD	"dputils-plan 1\nversion 0\ntool dpcount\nmechanism m\nepsilon 1/2\nreach 3\n"

#define LARGE	"dputils-plan 1\nversion 0\ntool dpcount\nmechanism m\nepsilon 3/1\nreach 1\n" \
	"tree 1 1 0 1 0\nkind 1 2 step step 0x1p0 0x1p0\n"

static void
texts(void)
{
	static const struct { enum dp_verdict_is is; const char *text; } of[] = {
		{ DP_VERDICT_HOLDS, HEAD "laplace 6/1 1\nend\n" },
		{ DP_VERDICT_HOLDS, "# a\n" HEAD "# b\nlaplace 12/1 1\nlaplace 12/1 1\nend\n#\n" },
		{ DP_VERDICT_HOLDS, HEAD "laplace 1000/1 166\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "laplace 1000/1 167\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "laplace 5999999999/1000000000 1\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "laplace 6/1 1\nlaplace 1000000000000000/1 1\nend\n" },
		/* parts: their shares sum to a half; to more; one loses more than its own */
		{ DP_VERDICT_HOLDS, HEAD "mechanism a\nepsilon 1/3\nreach 1\nlaplace 3/1 1\nend\n"
		    "mechanism b\nepsilon 1/6\nreach 7\nlaplace 42/1 1\nend\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "mechanism a\nepsilon 1/3\nreach 1\nlaplace 3/1 1\nend\n"
		    "mechanism b\nepsilon 1/5\nreach 7\nlaplace 42/1 1\nend\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "mechanism a\nepsilon 1/3\nreach 1\nlaplace 2/1 1\nend\n"
		    "end\n" },
		/* releases one after the other */
		{ DP_VERDICT_HOLDS, HEAD "value 24/1 2 3\nchoice 20/1 1 5\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "value 24/1 2 3\nchoice 20/1 1 6\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "value 24/1 3 3\nchoice 20/1 1 5\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "value 24/1 2\nend\n" },
		/* noise for nothing would lose nothing */
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 0\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "value 24/1 0 5\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "choice 24/1 1 0\nend\n" },
		{ DP_VERDICT_UNKNOWN, HEAD "unknown\nend\n" },
		{ DP_VERDICT_UNKNOWN, HEAD "end\n" },
		{ DP_VERDICT_UNKNOWN, HEAD "mechanism a\nepsilon 1/3\nreach 1\nend\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "laplace 5/1 1\nend\n" },
		{ DP_VERDICT_MALFORMED, "" }, { DP_VERDICT_MALFORMED, "\n" },
		{ DP_VERDICT_MALFORMED, "dputils-plan 3\nversion 9\n" },
		{ DP_VERDICT_MALFORMED, "dputils-plan 3\nversion 0\ntool t\nmechanism m\n"
		    "epsilon 1/2\nreach 3\nlaplace 6/1 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 1\n" },
		{ DP_VERDICT_MALFORMED, HEAD "unknown\n" },
		{ DP_VERDICT_MALFORMED, HEAD "mechanism a\nepsilon 1/3\nreach 1\nunknown\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 1\nend" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 1\nend\nx" },
		{ DP_VERDICT_MALFORMED, "dputils-plan 1\nversion 0\ntool \033[2J\nmechanism m\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 1\nend\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/0 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 0/1 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace -6/1 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1 -1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "laplace 6/1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "tree 1 0 0 1 0\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "tree 1 1 0 1 0\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "tree 1 1 0 2 1\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "tree 1 1 0 1 0\nkind 1 2 step step 0x1p0 0x1p0\n"
		    "k 0x1p0 0x1p0 0x1p0\nroot 0x1p0 0x1p0 0x1p0 0x1p0\nend\n" },
		{ DP_VERDICT_MALFORMED, HEAD "tree 1 1 0 1 0\nkind 1 2 step step 0x1p0 0x1p0\n"
		    "k 0x1p0 0x1p0 nan 0x1p0\nroot 0x1p0 0x1p0 0x1p0 0x1p0\nend\n" },
		/* k(0) is not 1; a child after its parent; a pair of level 2; a root without end */
		{ DP_VERDICT_REFUTED, HEAD "tree 1 1 0 1 0\nkind 1 2 step step 0x1p0 0x1p0\n"
		    "k 0x1p-1 0x1p-1 0x1p-1 0x1p-1\nroot 0x1p0 0x1p0 0x1p0 0x1p-1\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "tree 1 1 0 1 0\nkind 1 2 0 0 0x1p-1 0x1p-1\n"
		    "k 0x1p0 0x1p0 0x1p0 0x1p0\nroot 0x1p0 0x1p0 0x1p0 0x1p-1\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "tree 2 1 0 1 0\nkind 2 2 step step 0x1p0 0x1p0\n"
		    "k 0x1p0 0x1p-1 0x1p-2 0x1p-1\nroot 0x1p0 0x1p0 0x1p0 0x1p-1\nend\n" },
		{ DP_VERDICT_REFUTED, HEAD "tree 1 1 0 1 0\nkind 1 2 step step 0x1p0 0x1p0\n"
		    "k 0x1p0 0x1p-1 0x1p-2 0x1p-1\nroot 0x1p0 0x1p0 0x1p0 0x1p0\nend\n" },
		/* N is P + 1, nearly, and R N(P) 2^-P: all is well, but for k, which falls in one
		   step; and as gently as R does */
		{ DP_VERDICT_REFUTED, LARGE "k 0x1p0 0x1p-20 0x1p-20 0x1p-1\n"
		    "root 0x1p0 0x1p0 0x1.8p-1 0x1p-1\nend\n" },
		{ DP_VERDICT_HOLDS, LARGE "k 0x1p0 0x1p-1 0x1p-2 0x1p-1\n"
		    "root 0x1p0 0x1p0 0x1.8p-1 0x1p-1\nend\n" },
	};
	struct dp_verdict v;
	unsigned i;

	for (i = 0; i < sizeof of / sizeof of[0]; i++) {
		v = verdict(of[i].text);
		check(v.is == of[i].is && (v.is == DP_VERDICT_HOLDS) == (v.why[0] == '\0'));
		if (v.is != of[i].is)
			printf("%u: %d for %d: %s\n", i, v.is, of[i].is, v.why);
	}
}

int
main(void)
{
	PART(texts());
	PART(brute(1));
	PART(brute(2));
	PART(planned());
	PART(spline(3));
	PART(spline(6));
	PART(altered(1, 1, 1));
	PART(altered(1, 16, 11));
	return done();
}
