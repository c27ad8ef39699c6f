/* SPDX-License-Identifier: ISC */
#include <math.h>
#include <stdio.h>

#include "internal.h"

/* Manner of counting, as states keep it: the hash of a counter's name, or one of these. */
#define ITSELF	6		/* each answer by itself */
#define BY_GAUSS	7		/* and with Gaussian noise */

#define NUMBER_MAX	((int64_t)1 << 60)

struct column {
	int64_t last;			/* the number at the last answer */
	uint64_t answers;
	uint64_t reserved[6];		/* inner's column, behind it, begins on a cache line */
};

struct dp_counter_reach
dp_counter_items(uint64_t w, uint64_t k, bool presence)
{
	const uint64_t v = k != 0 && k < w ? k : w;
	struct dp_counter_reach r = { .touched = k, .worth = 1 };

	r.moves = presence ? v : 2 * w;
	if (k != 0 && r.moves > 2 * k - 1)
		r.moves = 2 * k - 1;
	r.fading = presence || k == 1 ? v : w == 1 ? 2 : 4 * v;
	return r;
}

uint64_t
dp_counter_changes(uint64_t W, uint64_t T)
{
	return 1 + (T - 1) / (W + 1) + T / (W + 1);
}

/* True: no counter serves, as an item moves the differences too far. */
static bool
too_far(const struct dp_mech_rule *rule, const struct dp_counter_reach *r)
{
	return (dp_uwide)rule->privacy.l1 * r->moves * r->worth >= (uint64_t)1 << 31;
}

/* Squares of the moves of all columns. */
static dp_uwide
fading_of(const struct dp_privacy *p, const struct dp_counter_reach *r)
{
	return (dp_uwide)r->worth * r->worth * p->l2squared * r->fading;
}

/* The rule of the counter: a step is an answer. */
static int
inner_rule(struct dp_mech_rule *out, const struct dp_mech_rule *rule,
    const struct dp_counter_reach *r)
{
	const uint64_t far = rule->every == 0 ? 1 : rule->report / rule->every;
	const struct dp_privacy *p = &rule->privacy;
	const uint64_t l1 = p->l1 * r->worth * r->moves;
	const struct dp_reach reach = { .l1 = l1, .l2squared = l1 * l1,
	    .linf = p->linf * r->worth * r->moves, .columns = p->columns };
	const dp_uwide fading = fading_of(p, r);
	struct dp_mech_rule own = *rule;
	int e;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	own.horizon = dp_sketch_outputs(rule);
	own.report = far == 0 ? 1 : far;
	own.most = 0;
	own.every = 1;
	own.inputs = 1;
	*out = own;
	if ((e = dp_privacy_part(&out->privacy, &rule->privacy, dp_q_make(1, 1), &reach)) == 0)
		out->privacy.l2fading = fading < l1 * l1 ? (uint64_t)fading : 0;
	return e;
}

static int
by_itself(struct dp_noise *z, const struct dp_privacy *p, const struct dp_counter_reach *r,
    uint64_t way)
{
	struct dp_privacy own = *p;

	if (r->touched == 0)
		return DP_EINVAL;
	if ((dp_uwide)p->l1 * r->worth >> 56 != 0)
		return DP_ERANGE;
	own.l1 = p->l1 * r->worth;
	own.linf = p->linf * r->worth;
	return way == BY_GAUSS ?
	    dp_privacy_gauss_repeat(z, &own, r->touched * p->columns, dp_q_make(1, 1)) :
	    dp_privacy_laplace_weights(z, &own, r->touched, 1);
}

/* Of the two noises of answers by themselves the smaller. */
static int
best_alone(struct dp_noise *z, const struct dp_privacy *dry, const struct dp_counter_reach *r,
    uint64_t *way)
{
	struct dp_noise gauss;
	const int e = by_itself(z, dry, r, ITSELF);

	*way = ITSELF;
	if (dry->exact || dry->delta.num == 0 || by_itself(&gauss, dry, r, BY_GAUSS) != 0 ||
	    (e == 0 && dp_noise_variance(z) <= dp_noise_variance(&gauss)))
		return e;
	*way = BY_GAUSS;
	*z = gauss;
	return 0;
}

/* The way of least largest error; if none will do, what the one lacks that comes nearer. */
static int
choose(const struct dp_mech_rule *rule, const struct dp_privacy *p,
    const struct dp_counter_reach *r, bool counts, uint64_t *way)
{
	struct dp_privacy dry = *p;
	const struct dp_mech_ops *o;
	struct dp_error error;
	struct dp_noise z;
	uint64_t by;
	int e, alone;

	dry.dry = true;
	dry.numbers = NULL;
	*way = 0;
	e = counts ? rule->inner(&o, &error, rule, way) : DP_ERANGE;
	if (e == DP_ENOMEM)
		return e;
	alone = best_alone(&z, &dry, r, &by);
	if (alone == 0 && (e != 0 || (z.kind == DP_NOISE_NONE ? 0 : dp_noise_variance(&z)) <
	    error.max * (1 - 1e-9)))
		*way = by;
	return e == 0 || alone == 0 ? 0 : alone == DP_ERANGE ? alone : e;
}

static int
create_inner(struct dp_counter *c, const struct dp_mech_rule *rule, uint64_t way)
{
	const double steps = c->every == 0 ? 0 : 1 / (double)c->every;
	const struct dp_mech_ops *o;
	struct dp_error unused;
	int e;

	if ((e = rule->inner(&o, &unused, rule, &way)) != 0 ||
	    (e = dp_part_create(&c->m, o, rule, 1, steps)) != 0)
		return e;
	return c->m.part->inner->estimate.decimals == 0 ? 0 : DP_EINVAL;
}

/* The counter; *size: bytes of its part of a column. */
static int
plan_counter(struct dp_counter *c, const struct dp_mech_rule *rule, struct dp_counter_reach reach,
    size_t *size)
{
	struct dp_mech_rule own;
	struct dp_numbers *numbers = rule->privacy.numbers;
	const bool far = too_far(rule, &reach);
	uint64_t way = 0;
	int e;

	*size = sizeof(struct column);
	c->every = rule->every;
	c->answers = dp_sketch_outputs(rule);
	if (!far && (e = inner_rule(&own, rule, &reach)) != 0)
		return e;
	if (!dp_numbers_replays(numbers) &&
	    (e = choose(&own, &rule->privacy, &reach, !far, &way)) != 0)
		return e;
	way = dp_numbers_int(numbers, "counter", way, 1, UINT64_MAX);
	c->moves = rule->privacy.linf * reach.worth;
	c->touched = reach.touched * rule->privacy.columns;
	if (way == ITSELF || way == BY_GAUSS)
		return by_itself(&c->own, &rule->privacy, &reach, way);
	if (far)
		return DP_EINVAL;
	if ((e = create_inner(c, &own, way)) != 0)
		return e;
	*size += (c->m.part->inner->column + 63) & ~(size_t)63;
	return 0;
}

/* What the part is for (inner_rule()). */
static struct dp_counter_sum
sum_of(const struct dp_mech_rule *rule, const struct dp_counter_reach *r)
{
	const uint64_t moves = rule->privacy.l1 * r->worth * r->moves;
	const dp_uwide fading = fading_of(&rule->privacy, r), all = (dp_uwide)moves * moves;

	return (struct dp_counter_sum){ moves, (uint64_t)(r->fading != 0 && fading < all ? fading :
	    all) };
}

int
dp_counter_create(struct dp_counter *c, const struct dp_mech_rule *rule,
    struct dp_counter_reach reach)
{
	size_t size;
	int e;

	if ((e = plan_counter(c, rule, reach, &size)) != 0) {
		dp_mech_free(&c->m);
		return e;
	}
	c->unit = c->unit == 0 ? 1 : c->unit;
	c->m.drawn.unit = c->unit;
	c->m.inputs = 0;
	c->at = (c->m.column + 63) & ~(size_t)63;
	c->m.column = c->at + size;
	c->m.drawn.distribution = NULL;
	if (c->m.parts > 0) {
		c->sum = sum_of(rule, &reach);
		c->m.drawn.distribution = c->m.part->inner->drawn.distribution;
		(void)dp_part_place(c->m.part, c->at + sizeof(struct column));
	} else if (c->own.kind != DP_NOISE_NONE) {
		c->m.drawn.noise = &c->own;
		c->m.drawn.numbers = "every answer";
	}
	return 0;
}

static const struct dp_counter *
counter(const struct dp_mech *m)
{
	return (const void *)m;
}

int
dp_counter_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_counter *k = counter(m);
	struct column *c = (void *)((char *)col + k->at);
	int64_t n = *(const int64_t *)(const void *)((const char *)col + k->number), x;
	int e;

	(void)t;
	if (k->answers != 0 && c->answers >= k->answers)
		return DP_EHORIZON;
	c->answers++;
	/* no honest number is beyond this, but a state file's might be */
	n = n > NUMBER_MAX ? NUMBER_MAX : n < -NUMBER_MAX ? -NUMBER_MAX : n;
	x = n - c->last;
	c->last = n;
	if (m->parts > 0)
		e = dp_part_step(m->part, col, 0, rng, c->answers, &x, est);
	else if ((e = dp_draw(&k->own, rng, &x)) == 0)
		*est = (dp_wide)n + x;
	/* it is private: from here on doubles do no harm */
	if (e == 0 && k->unit != 1)
		*est = dp_sketch_round((double)*est * k->unit);
	return e;
}

bool
dp_counter_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_counter *k = counter(m);
	const struct column *c = (const void *)((const char *)col + k->at);

	return c->answers <= t && (k->answers == 0 || c->answers <= k->answers) &&
	    c->last <= NUMBER_MAX && c->last >= -NUMBER_MAX &&
	    (m->parts == 0 || dp_part_valid(m->part, col, c->answers));
}

static uint64_t
answers_at(const struct dp_counter *k, uint64_t t)
{
	return k->every == 0 || t < k->every ? 1 : t / k->every;
}

void
dp_counter_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_counter *k = counter(m);

	struct dp_law inner;
	unsigned i;

	(void)out;
	if (m->parts == 0) {
		if (k->own.kind != DP_NOISE_NONE)
			dp_law_add(l, &k->own, k->unit, 1);
		return;
	}
	m->part->inner->ops->law.at(m->part->inner, 0, answers_at(k, t), l);
	if (l->parts != 0 && k->unit != 1) {
		inner = *l;
		dp_law_mix(l, &inner, &k->unit, 1);
		return;
	}
	for (i = 0; i < l->terms; i++)
		l->term[i].coef *= k->unit;
}

void
dp_counter_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_counter *k = counter(m);

	if (m->parts == 0) {
		e->max = e->mean = k->own.kind == DP_NOISE_NONE ? 0 :
		    dp_noise_variance(&k->own) * k->unit * k->unit;
		e->worst = T;
		return;
	}
	dp_mech_error(m->part->inner, answers_at(k, T), e);
	e->max *= k->unit * k->unit;
	e->mean *= k->unit * k->unit;
	e->worst = k->every == 0 ? T : e->worst * k->every;
	e->worst = e->worst < T ? e->worst : T;
}

double
dp_counter_draws(const struct dp_mech *m)
{
	const struct dp_counter *k = counter(m);

	return k->every == 0 || m->parts > 0 ? 0 : 1 / (double)k->every;
}

bool
dp_counter_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	if (i != 0)
		return false;
	if (m->parts == 0)
		snprintf(text, size, "each answer has noise of its own");
	else
		snprintf(text, size, "the answers are a running count by %s",
		    m->part->inner->ops->name);
	return true;
}

int
dp_counter_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_counter *k = counter(m);

	return m->parts > 0 ? dp_certificate_counter(b, &(struct dp_certificate_counter){
	    k->sum.moves, k->sum.fading, k->answers }) :
	    dp_certificate_values(b, &k->own, k->moves, k->touched);
}

static const double pi = 3.14159265358979323846;

/*
 * sin(pi x)/(pi x) for x = p / 2^64, p <= 2^63, in units of 2^-60: its series in x^2 to the eighth
 * term, of which the ninth is below 2^-44.
 */
static uint64_t
sinc(uint64_t p)
{
	static const uint64_t c[] = {	/* pi^2k/(2k + 1)! */
		0x1000000000000000, 0x1a51a6625307d323, 0x0cfce5a015e23629, 0x030d51c8e41b6cdb,
		0x006b1a0173cd4299, 0x00099c0b552303d6, 0x00009ba38cfd59c9, 0x0000075092634738,
		0x00000043f264bfce
	};
	const uint64_t y = (uint64_t)((dp_uwide)p * p >> 64);
	uint64_t sum = 0;
	int k;

	for (k = 8; k >= 0; k--)
		sum = c[k] - (uint64_t)((dp_uwide)y * sum >> 64);
	return sum;
}

int64_t
dp_ramp_cosine(uint64_t s)
{
	static const uint64_t pi60 = 0x3243f6a8885a308d;
	/* cos(2 pi x) = sin(pi (1/2 - 2 |x|)), x = s / 2^64 from -1/2 to 1/2 */
	const uint64_t twice = s >> 63 != 0 ? -s : s, quarter = (uint64_t)1 << 62;
	const uint64_t off = twice > quarter ? twice - quarter : quarter - twice;
	const uint64_t p = 2 * off;
	const uint64_t x = (uint64_t)((dp_uwide)p * sinc(p) >> 64);	/* p/2^64 sinc, 2^-60 */
	const uint64_t sine = (uint64_t)((dp_uwide)x * pi60 >> 64);	/* 2^-56 */
	const int64_t y = (int64_t)((sine + ((uint64_t)1 << 25)) >> 26);

	return twice > quarter ? -y : y;
}

/* sin(pi a x)/x for x = f / 2^64, with *part what it has from |sin|/|its angle|, of 2^-60. */
static dp_wide
ratio(uint64_t a, int64_t f, uint64_t *part)
{
	const dp_wide product = (dp_wide)a * f;
	const dp_wide turns = (product + ((dp_wide)1 << 63)) >> 64;
	const dp_wide off = product - turns * ((dp_wide)1 << 64);	/* from -2^63 to 2^63 */

	*part = sinc((uint64_t)(off < 0 ? -off : off));
	return f == 0 ? (dp_wide)a << 30 : (turns % 2 != 0 ? -off : off) * (1 << 30) / f;
}

static unsigned
band_of(const struct dp_bands *b, uint64_t size)
{
	unsigned lo = 0, hi = b->n - 1, mid;

	while (lo < hi) {
		mid = (lo + hi + 1) / 2;
		if (b->first[mid] <= size)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

int64_t
dp_ramp_weight(const struct dp_bands *b, const struct dp_ramp *r, uint64_t K, uint64_t f)
{
	const unsigned j = band_of(b, f >> 63 != 0 ? ~f : f);
	const uint64_t mass = b->below[j + 1] - b->below[j];
	uint64_t up, down, one;
	dp_wide w, unit;

	/* V = ratio ratio' / (tau - low) times the parts, 1/(M P) = 2^(width - 31) / mass */
	w = ratio(r->tau + r->low, (int64_t)f, &up);
	w = w * ratio(r->tau - r->low, (int64_t)f, &down) >> 30;
	w *= (dp_wide)K;
	w = b->width[j] >= 41 ? w * ((dp_wide)1 << (b->width[j] - 41)) : w >> (41 - b->width[j]);
	w /= (dp_wide)mass * (dp_wide)(r->tau - r->low);
	one = sinc(f >> 63 != 0 ? -f : f);
	unit = (dp_wide)up * down / ((dp_wide)one * one >> 60);
	return (int64_t)(w * unit >> 60);
}

uint64_t
dp_bands_draw(const struct dp_bands *b, const uint64_t bits[2])
{
	const uint64_t at = bits[0] >> 32;
	unsigned lo = 0, hi = b->n - 1, mid;
	uint64_t size;

	while (lo < hi) {
		mid = (lo + hi + 1) / 2;
		if (b->below[mid] <= at)
			lo = mid;
		else
			hi = mid - 1;
	}
	size = b->first[lo] + (bits[1] >> (64 - b->width[lo]));
	return bits[0] & 1 ? ~size : size;
}

double
dp_ramp_kernel(const struct dp_ramp *r, double x)
{
	const double a = (double)(r->tau + r->low), b = (double)(r->tau - r->low), s = sin(pi * x);

	return x == 0 ? a : sin(pi * a * x) * sin(pi * b * x) / (b * s * s);
}

/*
 * The mean of V^2 in band j.  Where V^2 has many periods there, sin^2 sin^2 counts as its mean: 1/4
 * for two frequencies (that of their difference, 2 low, is as high), 3/8 for one.
 */
static double
mean_square(const struct dp_bands *b, const struct dp_ramp *r, unsigned j)
{
	const double width = ldexp(1, (int)b->width[j] - 64);
	const double first = ldexp((double)b->first[j], -64);
	const double periods = (double)(r->tau + r->low) * width;
	const int n = periods > 64 ? 64 : 64 + 32 * (int)periods;
	double sum = 0, x, v, s;
	int i;

	for (i = 0; i < n; i++) {
		x = first + (i + 0.5) / n * width;
		if (periods <= 64) {
			v = dp_ramp_kernel(r, x);
			sum += v * v;
		} else {
			s = sin(pi * x);
			v = (double)(r->tau - r->low) * s * s;
			sum += (r->low == 0 ? 0.375 : 0.25) / (v * v);
		}
	}
	return sum / n;
}

/* 1/(M P) in band j: ldexp(1, width - 31) / mass. */
static double
thinned(const struct dp_bands *b, unsigned j)
{
	return ldexp(1, (int)b->width[j] - 31) / (double)(b->below[j + 1] - b->below[j]);
}

double
dp_bands_square(const struct dp_bands *b, const struct dp_ramp *r)
{
	double sum = 0;
	unsigned j;

	for (j = 0; j < b->n; j++)
		sum += ldexp(mean_square(b, r, j), (int)b->width[j] - 63) * thinned(b, j);
	return sum;
}

/*
 * |V| in band j, at most: with a = tau + low and b = tau - low it is at most a, and at most
 * 1/(b sin^2 pi x), and so at most their geometric mean, sqrt(a/b)/(sin pi x).
 */
static double
most_of_ramp(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most,
    unsigned j)
{
	const double s = sin(pi * ldexp((double)b->first[j], -64));
	const double top = (double)(most->tau + most->low);
	const double root = most->low == 0 ? 1 : sqrt(3);	/* low <= tau/2 */

	if (s == 0)
		return top;
	return fmin(fmin(top, 1 / ((double)(least->tau - least->low) * s * s)), root / s);
}

double
dp_bands_peak(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most)
{
	double peak = 0;
	unsigned j;

	for (j = 0; j < b->n; j++)
		peak = fmax(peak, most_of_ramp(b, least, most, j) * thinned(b, j));
	return peak;
}

/* Relative mass of band j. */
static double
wish(const struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most, double even,
    unsigned j)
{
	struct dp_ramp r = *least;
	double sum = 0, width = ldexp(1, (int)b->width[j] - 64);

	for (;;) {
		sum += mean_square(b, &r, j);
		if (r.tau >= most->tau)
			break;
		r.tau = r.tau < most->tau / 2 ? 2 * r.tau : most->tau;
		r.low = most->low == 0 ? 0 : r.tau / 2;
	}
	return width * fmax(sqrt(sum), even * most_of_ramp(b, least, most, j));
}

static void
edges(struct dp_bands *b, uint64_t tau)
{
	const unsigned octaves = dp_ceil_log2(tau) + 1;
	unsigned i, j;

	for (i = 0, b->n = 0; i <= octaves; i++)
		for (j = 0; j < 4; j++, b->n++) {
			b->width[b->n] = 60 - octaves + (i == 0 ? 1 : i);
			b->first[b->n] = (uint64_t)(i == 0 ? j : 4 + j) << b->width[b->n];
		}
}

void
dp_bands_make(struct dp_bands *b, const struct dp_ramp *least, const struct dp_ramp *most,
    double even, struct dp_numbers *numbers)
{
	double sum = 0, part[DP_BANDS_MAX] = { 0 };
	uint64_t mass, left = DP_BANDS_WHOLE;
	unsigned j;

	edges(b, most->tau);
	for (j = 0; j < b->n && !dp_numbers_replays(numbers); j++)
		sum += part[j] = wish(b, least, most, even, j);
	for (j = 0; j < b->n; j++) {
		mass = sum > 0 ? (uint64_t)(part[j] / sum * (double)DP_BANDS_WHOLE) : 1;
		mass = mass < 1 ? 1 : mass;
		/* the last has what is left, and those after this one need something */
		mass = j + 1 == b->n ? left : mass;
		mass = dp_numbers_int(numbers, "mass", mass, 1, left - (b->n - 1 - j));
		b->below[j] = DP_BANDS_WHOLE - left;
		left -= mass;
	}
	b->below[b->n] = DP_BANDS_WHOLE - left;
	if (left != 0)
		dp_numbers_refuse(numbers);
}
