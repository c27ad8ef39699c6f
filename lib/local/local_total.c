/* local_total.c - totals from answers that are private already (local.h): only they are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

#define FAR	32		/* e^-FAR is what a window leaves out at either end */
#define SLACK	1e-13		/* a step: more than windows leave out, and than it rounds */

int
dp_totals_new(struct dp_totals **out, const struct dp_mech *m)
{
	const struct dp_local *l = dp_local_of(m);
	struct dp_totals *t = calloc(1, sizeof *t);

	if (t == NULL || (t->count = calloc(l->counts, sizeof *t->count)) == NULL) {
		free(t);
		return DP_ENOMEM;
	}
	t->l = l;
	*out = t;
	return 0;
}

void
dp_totals_free(struct dp_totals *t)
{
	if (t == NULL)
		return;
	free(t->count);
	free(t);
}

bool
dp_totals_add(struct dp_totals *t, struct dp_slice text, int64_t place)
{
	const struct dp_answers *a = t->l->m.ops->answers;

	if (a->add != NULL) {
		if (!a->add(&t->l->m, t->count, text))
			return false;
	} else if (place < 0)
		return false;
	else
		t->count[place]++;
	t->n++;
	return true;
}

void
dp_totals_end(struct dp_totals *t)
{
	const struct dp_answers *a = t->l->m.ops->answers;

	if (a->support != NULL)
		a->support(&t->l->m, t->count, t->n);
}

double
dp_totals_estimate(const struct dp_totals *t, size_t v)
{
	return ((double)t->count[v] - (double)t->n * t->l->q) / t->l->gap;
}

/* n times the divergence of coins of x from those of p, where 0 < p < 1. */
static double
divergence(double n, double x, double p)
{
	return n * ((x > 0 ? x * log(x / p) : 0) +
	    (x < 1 ? (1 - x) * log((1 - x) / (1 - p)) : 0));
}

/*
 * N_v is stochastically largest where all n lines hold v, Bin(n, p), and smallest where none does,
 * Bin(n, q).  By Chernoff, P(Bin(n, p) >= x n) <= e^-divergence for x > p, and so below; there are
 * 2K such events.
 */
bool
dp_totals_far(const struct dp_totals *t, double gamma)
{
	const struct dp_local *l = t->l;
	const double n = (double)t->n, rare = log(2 * (double)l->K / gamma);
	int64_t least, most;
	size_t v;

	if (t->n == 0)
		return false;
	least = most = t->count[0];
	for (v = 1; v < l->K; v++) {
		least = t->count[v] < least ? t->count[v] : least;
		most = t->count[v] > most ? t->count[v] : most;
	}
	return ((double)most > n * l->p && divergence(n, (double)most / n, l->p) > rare) ||
	    ((double)least < n * l->q && divergence(n, (double)least / n, l->q) > rare);
}

/* One binomial, walked over where it is likely to be. */
struct walk {
	double n, p;
	double lo, hi;		/* but for e^-FAR on either side (Bernstein) */
	double k, at;		/* P(k), up to a factor that is the same for all k */
	double sum;		/* of all P(k) of the window that were passed */
};

static double
log_at(const struct walk *w, double k)
{
	double f = lgamma(w->n + 1) - lgamma(k + 1) - lgamma(w->n - k + 1);

	f += k == 0 ? 0 : k * log(w->p);
	return f + (k == w->n ? 0 : (w->n - k) * log1p(-w->p));
}

/* At one end of the window, or as near to it as P(k) is no underflow. */
static void
start(struct walk *w, double n, double p, bool top)
{
	const double mean = n * p, v = mean * (1 - p);
	const double r = FAR / 3. + sqrt(FAR * FAR / 9. + 2 * FAR * v);

	w->n = n;
	w->p = p;
	w->lo = fmax(0, ceil(mean - r));
	w->hi = fmin(n, floor(mean + r));
	while (w->lo < floor(mean) && log_at(w, w->lo) < -700)
		w->lo++;
	while (w->hi > ceil(mean) && log_at(w, w->hi) < -700)
		w->hi--;
	w->k = top ? w->hi : w->lo;
	w->at = exp(log_at(w, w->k));
	w->sum = 0;
}

static void
go_up(struct walk *w)
{
	w->sum += w->at;
	w->at *= (w->n - w->k) / (w->k + 1) * (w->p / (1 - w->p));
	w->k++;
}

static void
go_down(struct walk *w)
{
	w->sum += w->at;
	w->at *= w->k / (w->n - w->k + 1) * ((1 - w->p) / w->p);
	w->k--;
}

/* The least second one falls as the first one rises. */
double
dp_binomials_above(double c, double p, double m, double q, double a)
{
	struct walk x, y;
	double sum = 0;

	start(&x, c, p, false);
	start(&y, m, q, true);
	while (x.k <= x.hi) {
		while (y.k >= y.lo && y.k >= a - x.k)
			go_down(&y);
		sum += x.at * y.sum;
		go_up(&x);
	}
	while (y.k >= y.lo)
		go_down(&y);
	return fmin(1, sum / (x.sum * y.sum) + SLACK * (1 + x.hi - x.lo + y.hi - y.lo));
}

/* True: c lines of n may hold v: N or more, or N or less of the other side, is not too rare. */
static bool
may_be(const struct dp_totals *t, double c, double N, double gamma, bool above)
{
	const struct dp_local *l = t->l;
	const double m = (double)t->n - c;

	return (above ? dp_binomials_above(c, l->p, m, l->q, N) :
	    dp_binomials_above(c, 1 - l->p, m, 1 - l->q, (double)t->n - N)) > gamma / 2;
}

/* x with P(Z > x) = gamma for a normal Z. */
static double
normal(double gamma)
{
	double lo = 0, hi = 40, mid;
	int i;

	for (i = 0; i < 60; i++) {
		mid = (lo + hi) / 2;
		if (erfc(mid * M_SQRT1_2) / 2 > gamma)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The last c of 0 .. n that may be, towards 0 (above) or n; where none may, the other end.  Both
 * probabilities are monotone in c, as p > q.  From where a normal law would put it steps of doubled
 * length, then bisection.
 */
static int64_t
edge(const struct dp_totals *t, double N, double guess, double gamma, bool above)
{
	const double n = (double)t->n, out = above ? -1 : 1, end = above ? 0 : n, start = n - end;
	double good, bad, mid, step = 1;

	good = bad = fmin(fmax(floor(guess), 0), n);
	if (may_be(t, good, N, gamma, above)) {
		for (; good != end; good = bad, step *= 2) {
			bad = fmin(fmax(good + out * step, 0), n);
			if (!may_be(t, bad, N, gamma, above))
				break;
		}
		if (good == end)
			return (int64_t)end;
	} else {
		for (; bad != start; bad = good, step *= 2) {
			good = fmin(fmax(bad - out * step, 0), n);
			if (may_be(t, good, N, gamma, above))
				break;
		}
		if (bad == start)
			return (int64_t)start;
	}
	while (fabs(good - bad) > 1) {
		mid = floor((good + bad) / 2);
		if (may_be(t, mid, N, gamma, above))
			good = mid;
		else
			bad = mid;
	}
	return (int64_t)good;
}

void
dp_totals_interval(const struct dp_totals *t, size_t v, double gamma, int64_t *lo, int64_t *hi)
{
	const struct dp_local *l = t->l;
	const double N = (double)t->count[v], n = (double)t->n;
	const double C = dp_totals_estimate(t, v), c = fmin(fmax(C, 0), n);
	const double z = normal(gamma / 2) *
	    sqrt(c * l->p * (1 - l->p) + (n - c) * l->q * (1 - l->q)) / l->gap;

	*lo = edge(t, N, C - z, gamma, true);
	*hi = edge(t, N, C + z, gamma, false);
}

static int
by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* The largest j of which all j largest stay above 0 when they are lowered to sum to n. */
int
dp_totals_level(const struct dp_totals *t, double *level)
{
	const size_t K = t->l->K;
	double *c = malloc(K * sizeof *c), sum = 0;
	size_t v;

	if (c == NULL)
		return DP_ENOMEM;
	for (v = 0; v < K; v++)
		c[v] = dp_totals_estimate(t, v);
	qsort(c, K, sizeof *c, by_size);
	*level = 0;
	for (v = 0; v < K; v++) {
		sum += c[v];
		if (v > 0 && !(c[v] * (double)(v + 1) > sum - (double)t->n))
			break;
		*level = (sum - (double)t->n) / (double)(v + 1);
	}
	free(c);
	return 0;
}
