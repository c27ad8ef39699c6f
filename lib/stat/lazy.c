/* SPDX-License-Identifier: ISC */
/*
 * lazy.c - the largest column sum found anew only when it has moved on, c times in all; for values
 * that are never negative and a caller who can say that no sum passes K (--ceiling).  Sparse
 * vectors: Lyu, Su, Li 2017, Algorithm 1, which draws one threshold for the whole run; the promise
 * itself needs no K.
 *
 * y is what was released last, at first 0 (column 0 for a choice).  A query q is
 *   a value    max_j s_j - y,
 *   a choice   max_j s_j - s_y, what column y has fallen behind.
 * rho is drawn once, nu at each step.  Where q + nu >= A + rho the step fires: y is found anew,
 * max_j s_j + Z, or by permute-and-flip.  After c fires the threshold is H for A, and what fires
 * ends the run: y would be too far off.  Shown is y, for a value y + centre.
 *
 * Statement.  A run is epsilon-DP for rho, nu, Z discrete Laplace that spend shares of epsilon that
 * sum to 1, planned for moves (account/privacy.h, dp_privacy_laplace_shift) of
 *   a value    rho: linf,    nu: (c + 1) spread,    Z: c linf;
 *   a choice   rho: spread,  nu: 2 (c + 1) spread;  c choices (REPEATED).
 *
 * Proof.  Take as released when it fires, and what then; with the end that is c + 1 times.  Given
 * that, A or H is known at each step, and the neighbour's queries are q + d_t with known d_t.  If
 * all d_t lie in -a .. b, a, b >= 0, then from rho + b, from nu + b - d_t where it fires and from
 * nu elsewhere the neighbour fires at the same steps: q + nu >= A + rho iff
 * q + d_t + nu + b - d_t >= A + rho + b, and q + nu < A + rho implies q + d_t + nu < A + rho + b.
 * Moved is rho by b, and at most c + 1 of the nu by at most a + b.
 *   Value.  d_t lies between the least and the greatest move of a column's sum.  One record: from
 *   its step on these do not change, so with 0 they span an interval of spread at the most (or
 *   linf, which is no more, if all have one sign).  A user: no value is negative, so all moves have
 *   one sign, and are at most linf.  Z moves by -d_t, |d_t| <= linf, c times.
 *   Choice.  d_t is within spread of 0, as two columns' moves differ by that: a = b = spread.
 *
 * Loss, with probability 1 - beta if no sum passes K.  Just after a fire q is -Z, of a choice the
 * gap that the chosen column has.  Each of four events has beta / 4 (of a choice three, beta / 3):
 *   rho - nu > up at one of c + 1 steps;  nu - rho > down at one of T steps;
 *   |Z| > W for one of c Z, or the gap of one of c choices is more than W;
 *   all -Z sum to more than S.  (Of a choice S = c W: no event of its own.)
 * Otherwise
 *   (1) let t be the first step after a fire with q > U = A + up: it fires, if any fire is left.
 *       (So one step for each fire counts, not T.)
 *   (2) a fire needs q >= A - down, and the largest sum grows by that, less what q was just after
 *       the fire before: by c (A - down) - S together.  What is left of K is all that q can become
 *       after the last: U' = K - c (A - down) + S.
 *   (3) at the step of a fire what is printed is off by -Z, or the gap: by W at the most.
 *   A is such that U = U' nearly.  A choice falls behind by max(U, U', W) at the most; of a value q
 *   is in -W .. max(U, U', W), of which centre is the middle: half of that.
 *   (4) H is above U' + down: the run does not end.  If a sum does pass K, the first step after the
 *   last fire with q > H + up ends it, whatever the sums are: max(H + up, W) may q be at a step
 *   printed, by (1) and (3).
 */
#include <math.h>
#include <stdio.h>

#include "internal.h"
#include "transform.h"

static double dp_lazy_loss(const struct lazy *);
static double dp_lazy_farthest(const struct lazy *);
static int dp_lazy_plan(struct lazy *, const struct dp_mech_rule *, const struct dp_maxsum *)
	    DP_MUSTUSE;
static int dp_lazy_certify(const struct lazy *, struct dp_buf *) DP_MUSTUSE;

#define HELD_MAX_LAZY	((dp_wide)1 << 64)	/* a sum and noise */

struct column {
	dp_wide held;
	uint64_t choice, fired;
	int64_t rho, unused;
	int64_t sum[];
};

static int
lazy_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_maxsum *own = rule->task.own;
	struct lazy *k;

	if (rule->horizon == 0 || own->ceiling == 0 || rule->lo < 0 ||
	    own->show == DP_MAXSUM_BOTH)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sums_column(sizeof(struct column), rule->inputs));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->m.inputs = rule->inputs;
	k->choice = own->show == DP_MAXSUM_CHOICE;
	k->beta = rule->beta;
	k->ceiling = (double)own->ceiling;
	return dp_lazy_plan(k, rule, own);
}

static int
lazy_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return dp_draw(&((const struct lazy *)(const void *)m)->noise[RHO], rng,
	    &((struct column *)col)->rho);
}

static int
fire(const struct lazy *k, struct column *c, struct dp_rng *rng, int64_t most)
{
	size_t which;
	int64_t z;
	int e;

	if (c->fired++ == k->fires)
		return DP_EHALT;
	if (k->choice) {
		if ((e = dp_choose(&k->choose, rng, c->sum, k->m.inputs, &which)) == 0)
			c->choice = which;
		return e;
	}
	if ((e = dp_draw(&k->noise[RELEASE], rng, &z)) == 0)
		c->held = (dp_wide)most + z;
	return e;
}

static int
lazy_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct lazy *k = (const void *)m;
	struct column *c = col;
	int64_t most, nu;
	dp_wide q;
	int e;

	(void)t;
	sums_add(c->sum, x, m->inputs);
	if (c->fired > k->fires)
		return DP_EHALT;
	if ((e = dp_draw(&k->noise[NU], rng, &nu)) != 0)
		return e;
	most = sums_largest(c->sum, m->inputs);
	q = (dp_wide)most - (k->choice ? c->sum[c->choice] : c->held);
	if (q + nu >= (dp_wide)(c->fired < k->fires ? k->least : k->stop) + c->rho &&
	    (e = fire(k, c, rng, most)) != 0)
		return e;
	*est = k->choice ? (dp_wide)c->choice : c->held + k->centre;
	return 0;
}

static bool
lazy_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct lazy *k = (const void *)m;
	const struct column *c = col;

	(void)t;
	return (c->fired <= k->fires || c->fired - k->fires == 1) &&
	    c->choice < m->inputs && sums_valid(c->sum, m->inputs) &&
	    c->held >= -HELD_MAX_LAZY && c->held <= HELD_MAX_LAZY;
}

/* The proof takes the firing as released. */
static bool
frozen(const struct dp_mech *m, const void *col)
{
	return ((const struct column *)col)->fired >= ((const struct lazy *)(const void *)m)->fires;
}

static void
lazy_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = e->mean = dp_lazy_loss((const struct lazy *)(const void *)m);
	e->worst = T;
}

static bool
lazy_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[] = { "the threshold", "the distance to it, at each step",
	    "what is released when it is passed" };
	const struct lazy *k = (const void *)m;

	*z = &k->noise[i < FAMILIES ? i : 0];
	*what = on[i < FAMILIES ? i : 0];
	return i < FAMILIES && (*z)->kind != DP_NOISE_NONE;
}

/* By (1) to (4), with the probability that the loss has. */
static bool
lazy_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct lazy *k = (const void *)m;

	if (i > 0 || k->noise[RHO].kind == DP_NOISE_NONE)
		return false;
	snprintf(text, size, "if a sum passes the ceiling, the run ends (status 4) before what is "
	    "printed is off by more than %.6g; if none does it does not end, each with probability "
	    "%.6g", dp_lazy_farthest(k) * unit, 1 - k->beta);
	return true;
}

static int
lazy_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_lazy_certify((const void *)m, b);
}

const struct dp_mech_ops dp_maxsum_lazy_ops = {
	.name = "lazy",
	.say.source = "found anew when it has moved on, if none passes the ceiling (Lyu, Su, Li "
	    "2017)",
	.tasks = DP_TASK_OWN, .statistic = &dp_maxsum_statistic,
	.say.refuses = dp_maxsum_no_margin,
	.create = lazy_create, .start = lazy_start, .step = lazy_step, .valid = lazy_valid,
	    .frozen = frozen,
	.error = lazy_error, .drawn.family = lazy_family, .say.note = lazy_note, .drawn.certify =
	    lazy_certify
};

/*
 * Shares, threshold and fires of lazy.c, by the quantiles of its noise.
 */

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
upper_plan(const struct lazy *k, double y)
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

	for (; upper_plan(k, hi) > p; hi *= 2)
		lo = hi;
	while ((mid = dp_whole_between(lo, hi)) > lo)
		*(upper_plan(k, mid) > p ? &lo : &hi) = mid;
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
last_plan(const struct lazy *k, const struct parts *v, double A)
{
	return k->ceiling - (double)k->fires * (A - v->down) + v->S;
}

/* The most that q is at a step printed, by (1) to (3). */
static double
behind(const struct lazy *k, const struct parts *v, double A)
{
	return fmax(fmax(A + v->up, last_plan(k, v, A)), v->W);
}

/* The loss by (1) to (3) of lazy.c; and the most that a printed sum is off, by (4). */
static double
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
set_least_plan(struct lazy *k)
{
	const struct parts v = parts_of(k);
	const double c = (double)k->fires;
	const double A = ceil((k->ceiling + c * v.down + v.S - v.up) / (c + 1));

	k->least = (int64_t)fmin(fmax(A, 0), 0x1p61);
	k->centre = k->choice ? 0 :
	    (int64_t)fmin(floor((behind(k, &v, (double)k->least) - v.W) / 2), 0x1p61);
	k->stop = (int64_t)fmin(fmax((double)k->least, floor(last_plan(k, &v, (double)k->least) +
	    v.down) + 1), 0x1p61);
}

/* The loss by (1) to (3) of lazy.c; and the most that a printed sum is off, by (4). */
/* The farthest that a printed estimate is off if a sum passes K, by (4). */
static double
dp_lazy_farthest(const struct lazy *k)
{
	const struct parts v = parts_of(k);
	const double q = fmax((double)k->stop + v.up, v.W);

	return k->choice ? q : fmax(q - (double)k->centre, v.W + (double)k->centre);
}

/* Noise for c fires that may spend these shares. */
static int
fit_plan(struct lazy *k, const struct dp_privacy *p)
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
search_plan(struct lazy *k, const struct dp_privacy *privacy)
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
				if (fit_plan(k, &dry) != 0)
					continue;
				set_least_plan(k);
				if ((l = dp_lazy_loss(k)) < least) {
					least = l;
					best = *k;
				}
			}
	*k = best;
	return least < INFINITY ? 0 : DP_ERANGE;
}

/*
 * Plans shares, threshold and fires, for the least loss or by the rule's numbers.  Errors as of
 * dp_mech_ops.create().
 */
static int
dp_lazy_plan(struct lazy *k, const struct dp_mech_rule *rule, const struct dp_maxsum *own)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t num[FAMILIES] = { WHOLE / 3, WHOLE / 3 };
	int e, i;

	if (!dp_numbers_replays(numbers) && (e = search_plan(k, &rule->privacy)) != 0)
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
	if ((e = fit_plan(k, &rule->privacy)) == 0 && rule->privacy.exact) {
		k->fires = UINT64_MAX;	/* every step fires */
		k->least = k->centre = k->stop = 0;
	}
	return e;
}

/* Statements of its draws: for ops->certify. */
/* The Statement of lazy.c: c + 1 comparisons, the end among them. */
static int
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

/*
 * Answers that never fall, up to a number declared beforehand, found anew only when
 * they have moved on: lazy.c's question and plan, for an answer in the place of a sum.
 *
 * Answers a_t are counted from the range's low end, and y, the one released last, begins there; K
 * is the declared number, counted so.  As in lazy.c q = a_t - y is asked, in one direction, where a
 * yes costs half of what it does in transform.c if neighbours are one-sided; c answers are
 * released, and what is shown is the middle of what the answer may be.  A line that is no answer
 * has q = 0: it asks nothing of the data.  Where the last answer is held, nothing is asked after c
 * of them.
 *
 * Statement.  Let |a_t - a'_t| <= r at every t (integers; who chooses them may see all that was
 * printed before), and span = r if a' >= a at every t or a' <= a at every t, else 2 r.  A run is
 * epsilon-DP for rho, nu, Z discrete Laplace that spend shares of epsilon that sum to 1, planned
 * for moves of r, (c + 1) span and c r.
 * Proof.  That of lazy.c: given what is seen, d_t = a'_t - a_t lies in -a .. b with a, b >= 0 and
 *   a + b = span, b <= r (0 is among them: a line that is no answer is none for both), and is the
 *   only thing that moves; Z moves by -d_t.
 *
 * Accuracy.  The answers never fall and start at 0 or above, as lazy.c's sums do, so (1) to (4)
 * hold for them word for word: with probability 1 - beta every number printed is within the loss,
 * and it does not end, if no answer falls or passes K.
 */

#define HELD_MAX	((dp_wide)1 << 64)	/* an answer and noise */

struct rising {
	struct lazy z;			/* its plan */
	struct dp_transform task;
	double epsilon;
	int64_t lo, hi;
};

struct column_rising {
	dp_wide held;			/* y */
	uint64_t fired;
	int64_t rho;
};

static int
rising_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_transform *own = rule->task.own;
	struct dp_mech_rule one = *rule;
	struct dp_maxsum as = { .show = DP_MAXSUM_VALUE, .columns = 1, .ones = 1 };
	struct rising *k;

	if (rule->horizon == 0 || own == NULL || own->rising == 0 || !(rule->beta > 0))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column_rising));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->z.m;
	k->task = *own;
	k->epsilon = rule->privacy.exact ? INFINITY : dp_q_double(rule->privacy.epsilon);
	k->lo = rule->lo;
	k->hi = rule->hi;
	k->z.beta = rule->beta;
	k->z.ceiling = (double)own->rising;
	as.ceiling = own->rising;
	one.privacy.linf = rule->privacy.l1;
	one.privacy.spread = own->one_way ? rule->privacy.l1 : 2 * rule->privacy.l1;
	dp_numbers_same(rule->privacy.numbers, "hold", own->hold);
	dp_numbers_same(rule->privacy.numbers, "one-way", own->one_way);
	return dp_lazy_plan(&k->z, &one, &as);
}

static int
rising_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return dp_draw(&((const struct rising *)(const void *)m)->z.noise[RHO], rng,
	    &((struct column_rising *)col)->rho);
}

static int
rising_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct rising *k = (const void *)m;
	struct column_rising *c = col;
	const bool exact = k->z.noise[RHO].kind == DP_NOISE_NONE;
	const dp_wide a = *x == DP_TRANSFORM_NONE ? c->held :
	    (dp_wide)dp_transform_clamp(k->lo, k->hi, *x) - k->lo;
	const bool more = c->fired < k->z.fires;
	int64_t nu, z;
	int e;

	(void)t;
	if (c->fired > k->z.fires)
		return DP_EHALT;
	/* the same draws at every step, whatever comes of it */
	if ((e = dp_draw(&k->z.noise[NU], rng, &nu)) != 0 ||
	    (e = dp_draw(&k->z.noise[RELEASE], rng, &z)) != 0)
		return e;
	if (exact)
		c->held = a;
	else if ((more || !k->task.hold) &&
	    a - c->held + nu >= (dp_wide)(more ? k->z.least : k->z.stop) + c->rho) {
		c->fired++;
		if (!more)
			return DP_EHALT;
		c->held = a + z;
	}
	*est = c->held + k->z.centre + k->lo;
	return 0;
}

static bool
rising_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct rising *k = (const void *)m;
	const struct column_rising *c = col;

	(void)t;
	return (c->fired <= k->z.fires || c->fired - k->z.fires == 1) &&
	    c->held >= -HELD_MAX && c->held <= HELD_MAX;
}

static void
rising_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = dp_lazy_loss(&((const struct rising *)(const void *)m)->z);
	e->mean = NAN;			/* that is the answers' to say */
	e->worst = 1;
}

static bool
rising_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	static const char *const on[] = { "the threshold", "every comparison",
	    "the answers released" };
	const struct rising *k = (const void *)m;

	*z = &k->z.noise[i < FAMILIES ? i : 0];
	*what = on[i < FAMILIES ? i : 0];
	return i < FAMILIES && (*z)->kind != DP_NOISE_NONE;
}

static double
draws_rising(const struct dp_mech *m)
{
	(void)m;
	return 2;
}

static bool
rising_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct rising *k = (const void *)m;

	if (i > 1)
		return false;
	if (i == 1)
		dp_transform_inner(&k->task, k->epsilon, text, size);
	else if (k->z.noise[RHO].kind == DP_NOISE_NONE)
		snprintf(text, size, "no noise: nothing is hidden");
	else if (k->task.hold)
		snprintf(text, size, "if an answer passes --rising, what is printed is as far off "
		    "as it goes beyond what was released last");
	else
		snprintf(text, size, "if an answer passes --rising, the run ends (status 4) before "
		    "what is printed is more than %.6g below it; if none does, nor falls, it does "
		    "not end, each with probability %.6g", dp_lazy_farthest(&k->z) * unit,
		    1 - k->z.beta);
	return true;
}

static int
rising_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_lazy_certify(&((const struct rising *)(const void *)m)->z, b);
}

const struct dp_mech_ops dp_transform_rising_ops = {
	.name = "rising",
	.say.source = "an answer that never falls, released when it has moved on (Lyu, Su, Li "
	    "2017)",
	.say.noise = "discrete Laplace", .tasks = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	.create = rising_create, .start = rising_start, .step = rising_step, .valid = rising_valid,
	    .error = rising_error,
	.drawn.family = rising_family, .drawn.number = draws_rising, .say.note = rising_note,
	    .drawn.certify = rising_certify
};
