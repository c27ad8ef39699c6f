/* SPDX-License-Identifier: ISC */
/*
 * banded.c - banded Toeplitz noise: the recursion in integers, and the mechanism (internal.h has
 * the
 * proof).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int banded_choose(struct dp_banded_form *, const struct dp_mech_rule *) DP_MUSTUSE;

#define MOST_BITS	30			/* s: the a_i and their products stay in words */
#define REACH		((int64_t)1 << 32)	/* most of a draw */
#define FAR		((int64_t)1 << 40)	/* and of an increment */

/* S, grid units times 2^s, rounded up. */
static double
shift(const struct dp_banded *b, const struct dp_privacy *p)
{
	const bool spaced = p->spacing != 0;
	const double sum = dp_banded_squares(&b->form, spaced ? p->times : 1,
	    spaced ? p->spacing : b->end, b->end);

	return ldexp(sqrt(sum * (double)dp_privacy_each(p)), (int)b->form.s) * (1 + 0x1p-50);
}

/* The largest s for which sigma is below the sampler's limit, 2^28. */
static int
choose_unit_banded(struct dp_banded *b, const struct dp_privacy *p)
{
	unsigned s;

	for (s = MOST_BITS + 1; s-- > 0; ) {
		b->form.s = s;
		dp_banded_set(&b->form);
		if (dp_privacy_gauss_sigma(p, shift(b, p), b->end) < 0x1.fffffp27)
			return 0;
	}
	return DP_ERANGE;
}

static int
make_noise_banded(struct dp_banded *b, const struct dp_privacy *p)
{
	if (p->exact) {
		dp_noise_none(&b->noise);
		return 0;
	}
	b->moves = (struct dp_reach){ .l2squared = dp_privacy_each(p), .columns = p->columns,
	    .times = p->spacing != 0 ? p->times : 1,
	    .spacing = p->spacing != 0 ? p->spacing : b->end };
	return dp_privacy_gauss_shift(&b->noise, p, shift(b, p), b->end);
}

/* p, alpha and s: found, or as they were. */
static int
make_form(struct dp_banded *b, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_banded_form *f = &b->form;
	int e;

	if (!dp_numbers_replays(numbers) && ((e = banded_choose(f, rule)) != 0 ||
	    (!rule->privacy.exact && (e = choose_unit_banded(b, &rule->privacy)) != 0)))
		return e;
	f->p = dp_numbers_int(numbers, "band", f->p, 1, DP_BANDED_MAX);
	f->alpha = dp_numbers_int(numbers, "alpha", f->alpha, 0, DP_BANDED_ALPHA);
	f->s = (unsigned)dp_numbers_int(numbers, "fraction", f->s, 0, MOST_BITS);
	if ((e = dp_numbers_error(numbers)) != 0)
		return e;
	dp_banded_set(f);
	return 0;
}

static bool
fits_banded(const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	unsigned i;

	for (i = 0; i < k->windows; i++)
		if (k->w[i] == 0 || k->w[i] > DP_BANDED_WINDOW)
			return false;
	return rule->horizon != 0 && rule->horizon <= (uint64_t)1 << 50 &&
	    (rule->privacy.exact || (rule->privacy.delta.num != 0 && !rule->privacy.wide)) &&
	    (k->what == DP_TASK_COUNT || (k->what == DP_TASK_WINDOW && k->windows > 0));
}

static int
measure_banded(struct dp_banded *b)
{
	const struct dp_task *k = &b->f.filter.task;
	unsigned i;
	int e;

	for (i = 0; i < b->f.m.outputs; i++)
		if ((e = dp_banded_measure(&b->error[i], &b->form,
		    k->what == DP_TASK_WINDOW ? k->w[i] : 0, b->end)) != 0)
			return e;
	return 0;
}

static int
banded_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_banded *b;
	int e;

	if (!fits_banded(rule))
		return DP_EINVAL;
	if ((b = dp_mech_alloc(ops, sizeof *b, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &b->f.m;
	b->f.m.block = DP_FILL - 1;
	b->f.m.drawn.noise = &b->noise;
	b->f.m.drawn.numbers = "every step (in fractions of a grid unit, then correlated)";
	b->end = rule->horizon;
	if ((e = make_form(b, rule)) == 0 && (e = make_noise_banded(b, &rule->privacy)) == 0) {
		b->f.fraction = b->form.s;
		b->f.m.drawn.unit = ldexp(1, -(int)b->form.s);
		/* what comes behind it is aligned to 16 bytes */
		e = dp_filtered_set(&b->f, rule, (size_t)((b->form.p + 1) / 2) * sizeof(dp_wide));
	}
	return e != 0 ? e : measure_banded(b);
}

/* sum of a_i w_(t-i), 1 <= i < p; the ring has w_j at j modulo p, as it was p steps ago at t. */
static dp_wide
past(const struct dp_banded_form *f, const int64_t *w, uint64_t now)
{
	dp_wide sum = 0;
	uint64_t i = 1;

	for (; i <= now && i < f->p; i++)
		sum += (dp_wide)f->a[i] * w[now - i];
	for (; i < f->p; i++)
		sum += (dp_wide)f->a[i] * w[f->p + now - i];
	return sum;
}

static int
fill(const struct dp_mech *m, void *own, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	const struct dp_banded *b = (const void *)m;
	const struct dp_banded_form *f = &b->form;
	const dp_wide half = f->s > 0 ? (dp_wide)1 << (f->s - 1) : 0;
	int64_t z[DP_FILL], *ring = own;
	uint64_t now = i % f->p;
	dp_wide r;
	unsigned t;
	int e;

	if ((e = dp_noise_fill(&b->noise, rng, z, DP_FILL)) != 0)
		return e;
	for (t = 0; t < DP_FILL; t++) {
		r = z[t] - ((past(f, ring, now) + half) >> f->s);
		if (z[t] > REACH || z[t] < -REACH || r > FAR || r < -FAR)
			return DP_ERANGE;
		ring[now] = w[t] = (int64_t)r;
		now = now + 1 < f->p ? now + 1 : 0;
	}
	return 0;
}

static void
law_banded(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_banded *b = (const void *)m;

	dp_law_add(l, &b->noise, sqrt(dp_banded_energy(&b->error[out], t)) *
	    ldexp(1, -(int)b->form.s), 1);
}

/* The variance never falls. */
static void
error_of_banded(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct dp_banded *b = (const void *)m;
	const double unit = ldexp(dp_noise_variance(&b->noise), -2 * (int)b->form.s);

	e->max = unit * dp_banded_energy(&b->error[out], T);
	e->mean = unit * dp_banded_ramp(&b->error[out], T) / (double)T;
	e->worst = T;
}

static void
banded_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of_banded);
}

static bool
banded_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_banded *b = (const void *)m;
	const int64_t *ring = dp_filtered_own(&b->f, col);
	uint64_t i;

	for (i = 0; i < b->form.p; i++)
		if (ring[i] > FAR || ring[i] < -FAR)
			return false;
	return dp_filtered_valid(m, col, t);
}

static void
banded_destroy(struct dp_mech *m)
{
	struct dp_banded *b = (void *)m;
	unsigned i;

	for (i = 0; i < DP_WINDOWS_MAX; i++)
		dp_banded_clear(&b->error[i]);
}

const struct dp_mech_ops dp_banded_ops = {
	.name = "banded",
	.say.source = "banded Toeplitz noise, for events of a user that are apart (Choquette-Choo "
	    "et al. 2023; in integers, this toolkit)",
	.tasks = DP_TASK_COUNT | DP_TASK_WINDOW,
	.traits = DP_TRAIT_DELTA | DP_TRAIT_RISING | DP_TRAIT_SPACED | DP_TRAIT_ADDS,
	.create = banded_create, .many.fill = fill, .law.at = law_banded, .error = banded_error,
	    DP_FILTERED_OPERATIONS,
	.valid = banded_valid, .destroy = banded_destroy,
	.drawn.certify = dp_banded_certify
};

/*
 * Coefficients, sensitivity and error of banded Toeplitz noise, and the choice of
 * its band.
 */

#define FINE	60			/* fraction bits that the a_i are found with */
#define TERMS	((uint64_t)1 << 17)	/* of 1 / C that are looked at_plan */
#define GONE	1e-10			/* a term of 1 / C that is nothing */
#define TRY	20			/* s of a form that is only compared */

void
dp_banded_set(struct dp_banded_form *f)
{
	uint64_t fine = (uint64_t)1 << FINE, i;

	f->a[0] = (int64_t)1 << f->s;
	for (i = 1; i < f->p; i++) {
		/* c_i = c_(i-1) (i - 1 + alpha) / i, rounded down: they fall, alpha being <= 1 */
		fine = (uint64_t)((dp_uwide)fine * ((i - 1) * DP_BANDED_PARTS + f->alpha) /
		    (i * DP_BANDED_PARTS));
		f->a[i] = (int64_t)(fine >> (FINE - f->s));
	}
}

/*
 * The products of the columns that begin at steps i b and j b, j = i + k: sum of a_n a_(n + kb) for
 * n < T - j b.  Each n is in those of all j from k on, j < K, that have j b < T - n.
 */
double
dp_banded_squares(const struct dp_banded_form *f, uint64_t times, uint64_t spacing, uint64_t T)
{
	const uint64_t K = times < (T - 1) / spacing + 1 ? times : (T - 1) / spacing + 1;
	dp_uwide sum = 0, some;
	uint64_t k, n, j;

	for (k = 0; k < K && k * spacing < f->p; k++) {
		for (some = 0, n = 0; n + k * spacing < f->p && n < T; n++) {
			j = (T - n - 1) / spacing + 1;
			j = j < K ? j : K;
			if (j > k)
				some += (dp_uwide)((uint64_t)f->a[n] *
				    (uint64_t)f->a[n + k * spacing]) * (j - k);
		}
		sum += k == 0 ? some : 2 * some;
	}
	return ldexp((double)sum, -2 * (int)f->s) * (1 + 0x1p-50);
}

/* sum of c[i] d[-i], 1 <= i <= n */
static double
product(const double *c, const double *d, uint64_t n)
{
	double sum[4] = { 0 };
	uint64_t i;

	for (i = 1; i + 3 <= n; i += 4) {
		sum[0] += c[i] * d[-(int64_t)i];
		sum[1] += c[i + 1] * d[-(int64_t)i - 1];
		sum[2] += c[i + 2] * d[-(int64_t)i - 2];
		sum[3] += c[i + 3] * d[-(int64_t)i - 3];
	}
	for (; i <= n; i++)
		sum[0] += c[i] * d[-(int64_t)i];
	return sum[0] + sum[1] + sum[2] + sum[3];
}

/* Sums of the first n + 1 terms of 1 / C, up to where all that come are nothing; returns n. */
static uint64_t
sums(double *g, const struct dp_banded_form *f, uint64_t T)
{
	const uint64_t most = T < TERMS ? T : TERMS;
	double c[DP_BANDED_MAX];
	uint64_t n, quiet = 0;

	for (n = 0; n < f->p; n++)
		c[n] = ldexp((double)f->a[n], -(int)f->s);
	for (n = 0; n < most && quiet < f->p; n++) {
		g[n] = (n == 0) - product(c, g + n, n < f->p - 1 ? n : f->p - 1);
		quiet = fabs(g[n]) < GONE ? quiet + 1 : 0;
	}
	for (T = n, n = 1; n < T; n++)
		g[n] += g[n - 1];
	return T;
}

static double
at_plan(const double *g, uint64_t n, uint64_t i)
{
	return g[i < n ? i : n - 1];
}

/* l_k is the sum of the first k + 1 terms of 1 / C, less that of a window before. */
int
dp_banded_measure(struct dp_banded_error *e, const struct dp_banded_form *f, uint64_t window,
    uint64_t T)
{
	double *g = malloc(TERMS * sizeof *g), l;
	uint64_t n, i;

	*e = (struct dp_banded_error){ .n = 0 };
	if (g == NULL)
		return DP_ENOMEM;
	n = sums(g, f, T);
	e->n = n + window < T ? n + window : T;
	e->energy = malloc(e->n * sizeof *e->energy);
	e->ramp = malloc(e->n * sizeof *e->ramp);
	if (e->energy == NULL || e->ramp == NULL) {
		dp_banded_clear(e);
		free(g);
		return DP_ENOMEM;
	}
	for (i = 0; i < e->n; i++) {
		l = at_plan(g, n, i) - (window != 0 && i >= window ? at_plan(g, n, i - window) : 0);
		e->energy[i] = (i > 0 ? e->energy[i - 1] : 0) + l * l;
		e->ramp[i] = (i > 0 ? e->ramp[i - 1] : 0) + e->energy[i];
	}
	e->rise = window != 0 ? 0 : g[n - 1] * g[n - 1];
	free(g);
	return 0;
}

void
dp_banded_clear(struct dp_banded_error *e)
{
	free(e->energy);
	free(e->ramp);
	*e = (struct dp_banded_error){ .n = 0 };
}

double
dp_banded_energy(const struct dp_banded_error *e, uint64_t t)
{
	return t <= e->n ? e->energy[t - 1] :
	    e->energy[e->n - 1] + (double)(t - e->n) * e->rise;
}

double
dp_banded_ramp(const struct dp_banded_error *e, uint64_t t)
{
	const double more = t <= e->n ? 0 : (double)(t - e->n);

	return t <= e->n ? e->ramp[t - 1] : e->ramp[e->n - 1] +
	    more * e->energy[e->n - 1] + more * (more + 1) / 2 * e->rise;
}

/* ---- the choice ---- */

struct search {
	const struct dp_mech_rule *rule;
	uint64_t times, spacing, T;
	struct dp_banded_form best, form;
	double least;			/* of best: mean variance, for draws of 1 a shift of 1 */
	int error;
};

/* Mean over the steps of the worst of the estimates; the best one is kept. */
static double
try_plan(struct search *s, uint64_t p, uint64_t alpha)
{
	const struct dp_task *k = &s->rule->task;
	struct dp_banded_error e;
	double mean = 0;
	unsigned i;

	s->form.p = p;
	s->form.alpha = alpha;
	dp_banded_set(&s->form);
	for (i = 0; i == 0 || i < k->windows; i++) {
		if (dp_banded_measure(&e, &s->form, k->windows != 0 ? k->w[i] : 0, s->T) != 0) {
			s->error = DP_ENOMEM;
			return 0;
		}
		mean = fmax(mean, dp_banded_ramp(&e, s->T) / (double)s->T);
		dp_banded_clear(&e);
	}
	mean *= dp_banded_squares(&s->form, s->times, s->spacing, s->T);
	if (mean < s->least) {
		s->best = s->form;
		s->least = mean;
	}
	return mean;
}

/* Golden section, to an alpha within 1/64 of the best; p = 1 has no alpha. */
static void
search(struct search *s, uint64_t p)
{
	uint64_t lo = 0, hi = DP_BANDED_ALPHA, m = 342, n = 554, next;
	double a, b;

	a = try_plan(s, p, p == 1 ? 0 : m);
	if (p == 1)
		return;
	b = try_plan(s, p, n);
	while (hi - lo > DP_BANDED_PARTS / 32 && s->error == 0) {
		if (a <= b) {
			hi = n;
			n = m;
			b = a;
			next = lo + hi - n;
			a = try_plan(s, p, m = next);
		} else {
			lo = m;
			m = n;
			a = b;
			next = lo + hi - m;
			b = try_plan(s, p, n = next);
		}
	}
}

#define KEY	(6 + DP_WINDOWS_MAX)

/* Comparisons and plans ask for the same. */
static void
set_key(uint64_t k[static KEY], const struct search *s)
{
	unsigned i;

	memset(k, 0, KEY * sizeof *k);
	k[0] = dp_numbers_hash("banded", 6);
	k[1] = s->times;
	k[2] = s->spacing;
	k[3] = s->T;
	k[4] = s->rule->task.windows;
	for (i = 0; i < s->rule->task.windows; i++)
		k[5 + i] = s->rule->task.w[i];
}

static uint64_t
band(uint64_t p, uint64_t T)
{
	p = p < T ? p : T;
	return p < DP_BANDED_MAX ? p : DP_BANDED_MAX;
}

/* p and alpha for the rule: DP_ENOMEM. */
static int
banded_choose(struct dp_banded_form *f, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *v = &rule->privacy;
	struct search s = { .rule = rule, .T = rule->horizon, .least = INFINITY,
	    .times = v->spacing != 0 ? v->times : 1,
	    .spacing = v->spacing != 0 ? v->spacing : rule->horizon, .form = { .s = TRY } };
	const struct dp_banded_form *known;
	uint64_t key[KEY], W = 0;
	unsigned i;

	set_key(key, &s);
	if ((known = dp_memo_find(v->memo, key, sizeof key)) != NULL) {
		*f = *known;
		return 0;
	}
	for (i = 0; i < rule->task.windows; i++)
		W = rule->task.w[i] > W ? rule->task.w[i] : W;
	search(&s, band(s.spacing, s.T));
	if (band(s.T, s.T) != band(s.spacing, s.T))
		search(&s, band(s.T, s.T));
	if (W != 0 && W < s.spacing && W < s.T)
		search(&s, band(W, s.T));
	if (s.error != 0)
		return s.error;
	dp_memo_keep(v->memo, key, sizeof key, &s.best, sizeof s.best);
	*f = s.best;
	return 0;
}
