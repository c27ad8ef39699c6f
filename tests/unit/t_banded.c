/* SPDX-License-Identifier: ISC */
/*
 * t_banded.c - banded Toeplitz noise, and the sensitivity of separated events: against every
 * pattern of short streams, the definition in real numbers, and the shifts of the privacy proof.
 */
#include <math.h>

#include "toeplitz.h"

static struct dp_mech_rule
rule(uint64_t T, uint64_t W, uint64_t times, uint64_t spacing)
{
	struct dp_mech_rule r = blt_rule(W != 0 ? DP_TASK_WINDOW : DP_TASK_COUNT, T, W, 0, "1",
	    "1e-6");

	r.privacy.l1 = times;
	r.privacy.l2squared = times * times;
	r.privacy.times = times;
	r.privacy.spacing = spacing;
	return r;
}

static struct dp_banded *
banded(const struct dp_mech_rule *r)
{
	struct dp_mech *m;

	if (dp_mech_plan(&m, &dp_banded_ops, r) != 0)
		abort();
	return (void *)m;
}

/* (1-z)^-alpha, term by term, to the last bit that is kept; and they fall. */
static void
coefficients(void)
{
	struct dp_banded_form f = { .p = DP_BANDED_MAX };
	long double c;
	uint64_t i;

	for (f.alpha = 0; f.alpha <= DP_BANDED_ALPHA; f.alpha += 32)
		for (f.s = 0; f.s <= 30; f.s += 6) {
			dp_banded_set(&f);
			check(f.a[0] == (int64_t)1 << f.s);
			for (c = 1, i = 1; i < f.p; i++) {
				c *= ((long double)i - 1 + (long double)f.alpha /
				    DP_BANDED_PARTS) / (long double)i;
				if (!(fabsl(ldexpl(c, (int)f.s) - (long double)f.a[i]) < 1.001L &&
				    f.a[i] >= 0 && f.a[i] <= f.a[i - 1]))
					fail("a coefficient");
			}
		}
}

/* sum of (c*d)_t^2 over t < T */
static double
moved(const double *c, uint64_t p, const int *d, uint64_t T)
{
	double sum = 0, v;
	uint64_t t, i;

	for (t = 0; t < T; t++) {
		for (v = 0, i = 0; i <= t && i < p; i++)
			v += c[i] * d[t - i];
		sum += v * v;
	}
	return sum;
}

/* The most that any stream of -1, 0 and 1 moves it, of so many that are so far apart. */
static double
most(const double *c, uint64_t p, int *d, uint64_t at, uint64_t T, uint64_t times, uint64_t spacing)
{
	double sum = 0;
	uint64_t t;
	int sign;

	if (times == 0 || at >= T)
		return moved(c, p, d, T);
	for (t = at; t < T; t++)
		for (sign = -1; sign <= 1; sign += 2) {
			d[t] = sign;
			sum = fmax(sum, most(c, p, d, t + spacing, T, times - 1, spacing));
			d[t] = 0;
		}
	return sum;
}

/* Every pattern and sign: none moves it by more than is said, and one by as much. */
static void
every_pattern(void)
{
	struct dp_banded_form f = { .s = 24 };
	struct dp_mech_rule r;
	struct dp_blt_form g;
	static const uint64_t half[] = { 0, 300, 512, 800, 896 };
	uint64_t T, K, b, i, k, n = 0;
	double c[8], want, got;
	long double l[8];
	int d[8] = { 0 };

	for (T = 1; T <= 8; T++)
		for (K = 1; K <= 4; K++)
			for (b = 1; b <= 5; b++) {
				for (k = 0; k < 5; k++) {
					f.p = 1 + (T * 3 + b + k) % T;
					f.alpha = half[k];
					dp_banded_set(&f);
					for (i = 0; i < f.p; i++)
						c[i] = ldexp((double)f.a[i], -24);
					want = most(c, f.p, d, 0, T, K, b);
					got = dp_banded_squares(&f, K, b, T);
					check(got >= want && got <= want * (1 + 1e-12));
					n++;
				}
				r = rule(T, 0, K, b);
				dp_blt_choose(&g, &r);
				chain_c(&g, l, T);
				for (i = 0; i < T; i++)
					c[i] = (double)l[i];
				want = most(c, T, d, 0, T, K, b);
				got = dp_blt_comb(&g, K, b, (double)T);
				check(got >= want && got <= want * (1 + 2e-9));
			}
	check(n == 8 * 4 * 5 * 5);
	/* longer: v itself */
	r = rule(400, 0, 9, 30);
	dp_blt_choose(&g, &r);
	{
		static long double q[400];
		long double sum = 0, v;

		chain_c(&g, q, 400);
		for (T = 0; T < 400; T++) {
			for (v = 0, i = 0; i < 9 && i * 30 <= T; i++)
				v += q[T - i * 30];
			sum += v * v;
		}
		got = dp_blt_comb(&g, 9, 30, 400);
		check(got >= (double)sum && near(got, (double)sum, 2e-9));
	}
}

/* One step of the recursion on its own: the increment of draw z after the increments w[0 .. t). */
static int64_t
step(const struct dp_banded_form *f, const int64_t *w, uint64_t t, int64_t z)
{
	dp_wide sum = 0;
	uint64_t i;

	for (i = 1; i < f->p && i <= t; i++)
		sum += (dp_wide)f->a[i] * w[t - i];
	sum += (dp_wide)1 << (f->s - 1);
	return z - (int64_t)(sum >> f->s);
}

/*
 * The proof: the neighbour's draws, moved by the integers -sum a_i d_(t-i), release the same to the
 * last bit, and their squares sum to no more than the shift that sigma is of; a user's events at
 * the first steps make them as much.
 */
static void
proof(struct dp_rng *rng)
{
	enum { N = 192 };
	static int64_t z[N], moving[N], w[N], u[N], drawn[N];
	static const uint64_t row[][4] = { { 192, 0, 6, 30 }, { 192, 0, 190, 1 },
	    { 192, 0, 1, 192 }, { 192, 7, 5, 20 }, { 192, 40, 12, 3 }, { 192, 1, 12, 9 } };
	struct dp_mech_rule r;
	struct dp_banded *b;
	struct dp_rng *known;
	void *own;
	int d[N];
	double sum, bound;
	uint64_t k, t, i, done;
	int how, bad;

	for (k = 0; k < sizeof row / sizeof *row; k++)
		for (how = 0; how < 3; how++) {
			r = rule(row[k][0], row[k][1], row[k][2], row[k][3]);
			b = banded(&r);
			check(dp_noise_fill(&b->noise, rng, z, N) == 0);
			memset(d, 0, sizeof d);
			for (done = 0, t = how == 2 ? 3 : 0; t < N && done < row[k][2];
			    t += row[k][3], done++)
				d[t] = how == 1 && done % 2 != 0 ? -1 : 1;
			if (dp_rng_open_known(&known, z, N) != 0 ||
			    (own = calloc(b->form.p, sizeof(int64_t))) == NULL)
				abort();
			for (t = 0; t < N; t += DP_FILL)
				check(dp_banded_ops.many.fill(&b->f.m, own, known, t, w + t) == 0);
			for (sum = 0, bad = 0, t = 0; t < N; t++) {
				bad += w[t] != step(&b->form, w, t, z[t]);
				for (moving[t] = 0, i = 0; i < b->form.p && i <= t; i++)
					moving[t] -= b->form.a[i] * d[t - i];
				sum += (double)moving[t] * (double)moving[t];
				/* of data x + d: the increment that releases the same */
				drawn[t] = z[t] + moving[t];
				u[t] = step(&b->form, u, t, drawn[t]);
				bad += u[t] + ((int64_t)d[t] << b->form.s) != w[t];
			}
			check(bad == 0);
			bound = ldexp(dp_banded_squares(&b->form, row[k][2], row[k][3], N),
			    2 * (int)b->form.s);
			check(sum <= bound && (how != 0 || near(sum, bound, 1e-12)));
			/* sigma is that shift's */
			check(dp_privacy_gauss_sigma(&r.privacy, sqrt(bound), N) <=
			    sqrt(dp_q_double(b->noise.param)) * (1 + 1e-9));
			free(own);
			dp_rng_free(known);
			dp_mech_free(&b->f.m);
		}
}

/* Records that are worth more, in several columns: one part in K^2 of the squares. */
static void
records(void)
{
	struct dp_mech_rule r = rule(365, 0, 12, 30), s = r, one = rule(365, 0, 1, 365);
	struct dp_banded *a = banded(&r), *b;
	double sigma = sqrt(dp_q_double(a->noise.param)) * ldexp(1, -(int)a->form.s);

	s.privacy.l1 = 12 * 9 * 2;
	s.privacy.l2squared = 2 * (12 * 9) * (12 * 9);
	s.privacy.columns = 2;
	check(dp_privacy_each(&s.privacy) == 162);
	b = banded(&s);
	check(near(sqrt(dp_q_double(b->noise.param)) * ldexp(1, -(int)b->form.s),
	    sigma * 9 * sqrt(2), 1e-4));
	dp_mech_free(&b->f.m);
	/* what is not a whole number of parts is rounded up */
	s.privacy.l2squared = 145;
	check(dp_privacy_each(&s.privacy) == 2);
	s.privacy.spacing = 0;
	check(dp_privacy_each(&s.privacy) == 145);
	/* one event, and nothing known of several: the same noise */
	b = banded(&one);
	sigma = sqrt(dp_q_double(b->noise.param)) * ldexp(1, -(int)b->form.s);
	dp_mech_free(&b->f.m);
	one.privacy.spacing = 0;
	b = banded(&one);
	check(near(sqrt(dp_q_double(b->noise.param)) * ldexp(1, -(int)b->form.s), sigma, 1e-9));
	dp_mech_free(&b->f.m);
	dp_mech_free(&a->f.m);
}

/* Sums of squares of L, by the definition. */
static void
errors(void)
{
	static const uint64_t row[][3] = { { 1, 200, 0 }, { 30, 2000, 0 }, { 200, 200, 0 },
	    { 7, 500, 3 }, { 30, 500, 7 }, { 30, 90, 100 }, { 64, 3000, 400 }, { 1, 40, 1 } };
	static long double d[3000], g[3000];
	struct dp_banded_form f = { .alpha = 600, .s = 22 };
	struct dp_banded_error e;
	long double energy, ramp, l;
	uint64_t k, t, i, bad;

	for (k = 0; k < sizeof row / sizeof *row; k++) {
		f.p = row[k][0];
		dp_banded_set(&f);
		check(dp_banded_measure(&e, &f, row[k][2], row[k][1]) == 0);
		for (energy = ramp = 0, bad = 0, t = 0; t < row[k][1]; t++) {
			for (d[t] = t == 0, i = 1; i < f.p && i <= t; i++)
				d[t] -= ldexpl((long double)f.a[i], -(int)f.s) * d[t - i];
			g[t] = d[t] + (t > 0 ? g[t - 1] : 0);
			l = g[t] - (row[k][2] != 0 && t >= row[k][2] ? g[t - row[k][2]] : 0);
			ramp += energy += l * l;
			bad += !near(dp_banded_energy(&e, t + 1), (double)energy, 1e-7) ||
			    !near(dp_banded_ramp(&e, t + 1), (double)ramp, 1e-7);
		}
		check(bad == 0);
		/* beyond what is kept */
		check(row[k][2] != 0 || row[k][0] > 30 || e.n < row[k][1]);
		dp_banded_clear(&e);
	}
}

/* |w| is below 9 times the largest draw: the increments cannot pass their bound (banded.c). */
static void
bounded(void)
{
	static double d[20000];
	struct dp_banded_form f = { .s = 24 };
	static const uint64_t p[] = { 2, 3, 5, 9, 30, 100, 365, 1024 };
	double sum, worst = 0;
	uint64_t k, n, i, quiet;

	for (k = 0; k < 8; k++)
		for (f.alpha = 0; f.alpha <= DP_BANDED_ALPHA; f.alpha += 128) {
			f.p = p[k];
			dp_banded_set(&f);
			for (sum = 0, quiet = 0, n = 0; n < 20000 && quiet < f.p; n++) {
				for (d[n] = n == 0, i = 1; i < f.p && i <= n; i++)
					d[n] -= ldexp((double)f.a[i], -24) * d[n - i];
				sum += fabs(d[n]);
				quiet = fabs(d[n]) < 1e-9 ? quiet + 1 : 0;
			}
			worst = fmax(worst, sum);
		}
	check(worst > 7.9 && worst < 9);
}

/* Scripted noise: the estimate is the count plus the noise of the definition in real numbers. */
static void
estimates(uint64_t W, struct dp_rng *rng)
{
	enum { N = 192 };
	static int64_t z[N], x[N], est;
	static long double w[N], y[N];
	struct dp_mech_rule r = rule(N, W, 6, 30);
	struct dp_banded *b = banded(&r);
	struct dp_rng *known;
	struct column c;
	long double sum;
	uint64_t t, i;
	int bad = 0;

	check(dp_noise_fill(&b->noise, rng, z, N) == 0);
	if (dp_rng_open_known(&known, z, N) != 0)
		abort();
	check(column_new(&c, &b->f.m, known) == 0);
	for (t = 0; t < N; t++) {
		x[t] = (int64_t)(t * t % 7) - 2;
		for (w[t] = (long double)z[t], i = 1; i < b->form.p && i <= t; i++)
			w[t] -= ldexpl((long double)b->form.a[i], -(int)b->form.s) * w[t - i];
		y[t] = (long double)x[t] + ldexpl(w[t], -(int)b->form.s);
		for (sum = 0, i = W != 0 && t + 1 > W ? t + 1 - W : 0; i <= t; i++)
			sum += y[i];
		check(column_step(&c, x[t], &est) == 0);
		bad += !(fabsl((long double)est - sum) <= .5L + 1e-4L);
		check(b->f.m.ops->valid(&b->f.m, c.state, t + 1));
	}
	check(bad == 0);
	*(int64_t *)dp_filtered_own(&b->f, c.state) = (int64_t)1 << 41;
	check(!b->f.m.ops->valid(&b->f.m, c.state, N));
	column_free(&c);
	dp_rng_free(known);
	dp_mech_free(&b->f.m);
}

/* Root of the mean and of the largest variance. */
static void
predicts(const struct dp_mech_ops *ops, uint64_t T, uint64_t W, uint64_t K, uint64_t b,
    double mean, double largest)
{
	struct dp_mech_rule r = rule(T, W, K, b);
	struct dp_error e;
	struct dp_mech *m;

	if (dp_mech_plan(&m, ops, &r) != 0) {
		fail("no plan");
		return;
	}
	dp_mech_error(m, T, &e);
	if (!near(sqrt(e.mean), mean, .01) || !near(sqrt(e.max), largest, .01))
		printf("T %g K %g b %g: %g, %g\n", (double)T, (double)K, (double)b, sqrt(e.mean),
		    sqrt(e.max));
	check(near(sqrt(e.mean), mean, .01) && near(sqrt(e.max), largest, .01));
	dp_mech_free(m);
}

/* Figures of a prototype that has other code: epsilon 1, delta 1e-6. */
static void
figures(void)
{
	predicts(&dp_banded_ops, 84, 0, 4, 24, 20, 23.9);
	predicts(&dp_banded_ops, 365, 0, 12, 30, 51.2, 65.8);
	predicts(&dp_banded_ops, 365, 0, 52, 7, 170.1, 233.3);
	predicts(&dp_banded_ops, 365, 0, 12, 1, 104.1, 118.5);
	predicts(&dp_banded_ops, 365, 0, 365, 1, 1091.9, 1542);
	predicts(&dp_banded_ops, 1024, 0, 32, 32, 119, 159.2);
	predicts(&dp_banded_ops, 4096, 0, 16, 256, 76.9, 97.4);
	predicts(&dp_banded_ops, 365, 1, 12, 30, 14.635, 14.635);
	predicts(&dp_blt_ops, 365, 0, 12, 30, 72, 76.5);
	predicts(&dp_blt_ops, 365, 0, 52, 7, 286, 304);
	/* an echo's columns do not fall: all K, as if they came at once */
	predicts(&dp_blt_ops, 365, 7, 12, 30, 90, 90.2);
	predicts(&dp_blt_norm_ops, 365, 0, 12, 30, 135.3, 140.1);
}

/* The numbers of a plan, of which one is another: whether they are a plan's. */
static bool
replays(const struct dp_mech_rule *rule, size_t at, uint64_t word)
{
	struct dp_numbers found = { .n = 0 };
	struct dp_mech_rule r = *rule;
	struct dp_mech *m;
	bool good;

	r.privacy.numbers = &found;
	if (dp_mech_plan(&m, &dp_banded_ops, &r) != 0)
		abort();
	dp_mech_free(m);
	dp_numbers_replay(&found);
	found.number[at].word = word;
	if ((good = dp_mech_plan(&m, &dp_banded_ops, &r) == 0))
		dp_mech_free(m);
	dp_numbers_free(&found);
	return good;
}

/* Numbers of a state file that no plan has, and rules that it is not for. */
static void
refused(void)
{
	struct dp_mech_rule r = rule(365, 0, 12, 30), flat = rule(365, 0, 365, 1);
	struct dp_mech *m;

	/* one coefficient has any alpha, of 0 to 7/8 */
	check(replays(&flat, 0, 1) && replays(&flat, 1, 896) && !replays(&flat, 1, 897));
	check(replays(&r, 0, 30) && !replays(&r, 0, 0) && !replays(&r, 0, 1025));
	/* more of them need more noise than the state has */
	check(replays(&r, 0, 29) && !replays(&r, 0, 300));
	check(!replays(&r, 2, 31));
	r.horizon = 0;
	check(dp_mech_plan(&m, &dp_banded_ops, &r) == DP_EINVAL);
	r.horizon = ((uint64_t)1 << 50) + 1;
	check(dp_mech_plan(&m, &dp_banded_ops, &r) == DP_EINVAL);
	r = rule(365, DP_BANDED_WINDOW + 1, 12, 30);
	check(dp_mech_plan(&m, &dp_banded_ops, &r) == DP_EINVAL);
	r = rule(365, 0, 12, 30);
	r.privacy.delta = dp_q_make(0, 1);
	check(dp_mech_plan(&m, &dp_banded_ops, &r) == DP_EINVAL);
	r = rule(365, 0, 12, 30);
	r.privacy.wide = true;
	check(dp_mech_plan(&m, &dp_banded_ops, &r) == DP_EINVAL);
}

int
main(void)
{
	struct dp_rng *rng;

	if (dp_rng_open_seed(&rng, 20261126) != 0)
		abort();
	PART(coefficients());
	PART(every_pattern());
	PART(proof(rng));
	PART(records());
	PART(errors());
	PART(bounded());
	PART(estimates(0, rng));
	PART(estimates(7, rng));
	PART(estimates(1, rng));
	PART(figures());
	PART(refused());
	dp_rng_free(rng);
	return done();
}
