/*
 * lazy_plan.c - shares, threshold and fires of lazy.c, by the quantiles of its noise.
 */
#include <math.h>

#include "mech/certificate.h"
#include "lazy.h"

#define FIRES_MAX	256
#define WHOLE		((uint64_t)1 << 24)
#define PARTS		12	/* shares are tried in multiples of 1/PARTS */

/* The quantiles that the loss is made of. */
struct parts {
	double up, down, S, W;
};

static double
scale_of(const struct lazy *k, int i)
{
	return dp_q_double(k->noise[i].param);
}

/* P(nu - rho >= y) < P(X + X' >= y - 1), X and X' continuous: |z| is less than a rounded |X|. */
static double
upper(const struct lazy *k, double y)
{
	double a = scale_of(k, RHO), b = scale_of(k, NU);

	if (fabs(a / b - 1) < 1e-3)
		a = b * 1.001;
	return (a * a * exp((1 - y) / a) - b * b * exp((1 - y) / b)) / (2 * (a * a - b * b));
}

/* Least whole y >= 1 with that <= p. */
static double
between(const struct lazy *k, double p)
{
	double lo = 0, hi = 1, mid;

	for (; upper(k, hi) > p; hi *= 2)
		lo = hi;
	while ((mid = dp_whole_between(lo, hi)) > lo)
		*(upper(k, mid) > p ? &lo : &hi) = mid;
	return hi;
}

/*
 * Bound that the sum of n discrete Laplace variables of scale b passes with probability at most p:
 * Chernoff's bound, as log E exp(u z / b) <= -log(1 - u^2) (sinh(lambda x) <= lambda sinh(x) for
 * lambda <= 1), or n times what one of them passes.
 */
static double
sum_width(const struct dp_noise *z, double n, double p)
{
	const double single = n * dp_noise_width(z, fmin(1, 2 * p / n));
	double lo = 0, hi = 1, u[2], at[2];
	int i, j;

	for (i = 0; i < 40; i++) {
		u[0] = lo + (hi - lo) / 3;
		u[1] = hi - (hi - lo) / 3;
		for (j = 0; j < 2; j++)
			at[j] = (-n * log1p(-u[j] * u[j]) - log(p)) / u[j];
		*(at[0] < at[1] ? &hi : &lo) = u[at[0] < at[1]];
	}
	return fmin(single, ceil(fmin(at[0], at[1]) * dp_q_double(z->param)));
}

static struct parts
parts_of(const struct lazy *k)
{
	const double p = k->beta / (k->choice ? 3 : 4), c = (double)k->fires;
	struct parts v = { 0 };

	if (k->noise[RHO].kind == DP_NOISE_NONE)
		return v;
	v.up = between(k, p / (c + 1));
	v.down = between(k, p / (double)k->m.horizon);
	if (k->choice) {
		v.W = dp_choose_gap(&k->choose, k->m.inputs, -expm1(log1p(-p) / c));
		v.S = c * v.W;
		return v;
	}
	v.W = dp_noise_width(&k->noise[RELEASE], p / c);
	v.S = sum_width(&k->noise[RELEASE], c, p);
	return v;
}

/* U' */
static double
last(const struct lazy *k, const struct parts *v, double A)
{
	return k->ceiling - (double)k->fires * (A - v->down) + v->S;
}

/* The most that q is at a step printed, by (1) to (3). */
static double
behind(const struct lazy *k, const struct parts *v, double A)
{
	return fmax(fmax(A + v->up, last(k, v, A)), v->W);
}

double
dp_lazy_loss(const struct lazy *k)
{
	const struct parts v = parts_of(k);
	const double U = behind(k, &v, (double)k->least);

	if (k->noise[RHO].kind == DP_NOISE_NONE)
		return 0;
	return k->choice ? U : fmax(U - (double)k->centre, v.W + (double)k->centre);
}

/* The least A that is as good as any, the middle, and H. */
static void
set_least(struct lazy *k)
{
	const struct parts v = parts_of(k);
	const double c = (double)k->fires;
	const double A = ceil((k->ceiling + c * v.down + v.S - v.up) / (c + 1));

	k->least = (int64_t)fmin(fmax(A, 0), 0x1p61);
	k->centre = k->choice ? 0 :
	    (int64_t)fmin(floor((behind(k, &v, (double)k->least) - v.W) / 2), 0x1p61);
	k->stop = (int64_t)fmin(fmax((double)k->least, floor(last(k, &v, (double)k->least) +
	    v.down) + 1), 0x1p61);
}

/* The farthest that a printed estimate is off if a sum passes K, by (4). */
double
dp_lazy_farthest(const struct lazy *k)
{
	const struct parts v = parts_of(k);
	const double q = fmax((double)k->stop + v.up, v.W);

	return k->choice ? q : fmax(q - (double)k->centre, v.W + (double)k->centre);
}

/* Noise for c fires that may spend these shares. */
static int
fit(struct lazy *k, const struct dp_privacy *p)
{
	const uint64_t c = k->fires, s = p->spread;
	size_t outer;
	int e;

	if (s > ((uint64_t)1 << 52))
		return DP_ERANGE;
	k->linf = p->linf;
	k->spread = s;
	outer = dp_numbers_enter(p->numbers, "rho");
	e = dp_privacy_laplace_shift(&k->noise[RHO], p, k->choice ? s : p->linf, k->share[RHO]);
	dp_numbers_leave(p->numbers, outer);
	if (e != 0)
		return e;
	(void)dp_numbers_enter(p->numbers, "nu");
	e = dp_privacy_laplace_shift(&k->noise[NU], p, (k->choice ? 2 * s : s) * (c + 1),
	    k->share[NU]);
	dp_numbers_leave(p->numbers, outer);
	if (e != 0)
		return e;
	if (!k->choice)
		return dp_privacy_laplace_repeat(&k->noise[RELEASE], p, c, k->share[RELEASE]);
	if ((e = dp_privacy_choose(&k->choose, p, DP_NOISE_FLIP, c, k->share[RELEASE])) != 0)
		return e;
	return k->choose.kind == DP_NOISE_NONE ? 0 :
	    dp_noise_describe(&k->noise[RELEASE], k->choose.kind, k->choose.scale);
}

/* The number of fires and the shares with the least loss. */
static int
search(struct lazy *k, const struct dp_privacy *privacy)
{
	struct dp_privacy dry = *privacy;
	struct lazy best = *k;
	double least = INFINITY, l;
	const uint64_t most = k->m.horizon < FIRES_MAX ? k->m.horizon : FIRES_MAX;
	uint64_t c;
	int i, j;

	dry.dry = true;
	dry.numbers = NULL;
	for (c = 1; c <= most; c += c / 8 + 1)
		for (i = 1; i < PARTS; i++)
			for (j = 1; j < PARTS - i; j++) {
				dp_privacy_split(k->share, (double[]){ i, PARTS - i - j, j },
				    FAMILIES);
				k->fires = c;
				if (fit(k, &dry) != 0)
					continue;
				set_least(k);
				if ((l = dp_lazy_loss(k)) < least) {
					least = l;
					best = *k;
				}
			}
	*k = best;
	return least < INFINITY ? 0 : DP_ERANGE;
}

int
dp_lazy_plan(struct lazy *k, const struct dp_mech_rule *rule, const struct dp_maxsum *own)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t num[FAMILIES] = { WHOLE / 3, WHOLE / 3 };
	int e, i;

	if (!dp_numbers_replays(numbers) && (e = search(k, &rule->privacy)) != 0)
		return e;
	dp_numbers_same(numbers, "show", own->show);
	dp_numbers_same(numbers, "ceiling", own->ceiling);
	k->fires = dp_numbers_int(numbers, "fires", k->fires, 1, FIRES_MAX);
	k->least = (int64_t)dp_numbers_int(numbers, "least", (uint64_t)k->least, 0,
	    (uint64_t)1 << 61);
	k->centre = (int64_t)dp_numbers_int(numbers, "centre", (uint64_t)(k->centre + SUMS_MAX), 0,
	    (uint64_t)SUMS_MAX * 2 - 1) - SUMS_MAX;
	k->stop = (int64_t)dp_numbers_int(numbers, "stop", (uint64_t)k->stop, (uint64_t)k->least,
	    (uint64_t)1 << 61);
	for (i = 0; i < RELEASE; i++) {
		if (!dp_numbers_replays(numbers))
			num[i] = k->share[i].num * (WHOLE / k->share[i].den);
		num[i] = dp_numbers_int(numbers, "share", num[i], 1, WHOLE - 2);
		k->share[i] = dp_q_make(num[i], WHOLE);
	}
	if (num[RHO] + num[NU] >= WHOLE)
		return DP_EINVAL;
	k->share[RELEASE] = dp_q_make(WHOLE - num[RHO] - num[NU], WHOLE);
	if ((e = fit(k, &rule->privacy)) == 0 && rule->privacy.exact) {
		k->fires = UINT64_MAX;	/* every step fires */
		k->least = k->centre = k->stop = 0;
	}
	return e;
}

/* The Statement of lazy.c: c + 1 comparisons, the end among them. */
int
dp_lazy_certify(const struct lazy *k, struct dp_buf *b)
{
	const uint64_t s = k->choice ? 2 * k->spread : k->spread;
	int e;

	if (k->noise[RHO].kind == DP_NOISE_NONE)
		return dp_certificate_unknown(b);
	e = dp_certificate_sparse(b, &k->noise[RHO], k->choice ? k->spread : k->linf,
	    &k->noise[NU], s, k->fires + 1);
	if (e != 0)
		return e;
	return k->choice ? dp_certificate_choices(b, &k->choose, k->spread, k->fires) :
	    dp_certificate_values(b, &k->noise[RELEASE], k->linf, k->fires);
}
