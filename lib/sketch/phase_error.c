/*
 * phase_error.c - how far phase.c is off, and what makes that least.
 */
#include <math.h>

#include "phase.h"

#define FLIPS	0x1p20		/* of the law: so many bits are normal */

/* E W^2, or twice that for the square wave, as cos^2 is 1. */
static double
square_of(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = dp_phase_ramp(k->what, tau);

	return dp_phase_square(k) ? 2 : dp_bands_square(&k->bands, &r);
}

double
dp_phase_gain(const struct dp_phase *k, double eps1)
{
	return tanh(eps1 / 2) * (dp_phase_square(k) ? 1 : 2 / 3.14159265358979323846);
}

/*
 * By how much sum of (1 - r)^2 can fall below m in t lines: a line takes off at most the steepest
 * (1 - (1 - r(a))^2)/a.  With a = low + x d, d = tau - low, that is where d x^2 + 2 low x = 2 low;
 * with low = 0 at a = 1.
 */
static double
steepest(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = dp_phase_ramp(k->what, tau);
	const double low = (double)r.low, d = (double)(r.tau - r.low);
	double x = low == 0 ? 1 / d : (sqrt(low * low + 2 * low * d) - low) / d;

	x = x < 1 ? x : 1;
	return (2 * x - x * x) / (low + x * d);
}

static double
touched(const struct dp_phase *k, uint64_t t, uint64_t tau)
{
	const double n = (double)k->n;

	return k->what == &dp_incidence || !k->mem.s.lines ? n :
	    fmin(n, (double)t * steepest(k, tau));
}

/* Variance of R^ but for the output's noise. */
static double
spread(const struct dp_phase *k, uint64_t t, double square, double gain)
{
	const double n = (double)k->n;

	return n * square / (2 * gain * gain) - n + touched(k, t, dp_phase_tau(&k->mem.s, t));
}

double
dp_phase_variance(const void *arg, double eps1, double noise)
{
	const struct dp_phase *k = arg;
	const double gain = dp_phase_gain(k, eps1), one = (double)k->K * gain;

	return spread(k, k->last, k->square, gain) + noise / (one * one);
}

/* The least variance that some division of the budget has, of a few. */
static double
try_split(const struct dp_phase *k, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *p = &rule->privacy;
	const double eps = dp_q_double(p->epsilon) / (double)p->l1;
	const double answers = (double)dp_sketch_outputs(rule);
	double best = INFINITY, part;
	int i;

	for (i = -12; i <= 12; i++) {
		part = 1 / (1 + exp2(-i));
		best = fmin(best, dp_phase_variance(k, part * eps, dp_sketch_laplace((1 - part) *
		    eps / answers / (2 * (double)DP_PHASE_BOUND))));
	}
	return best;
}

static void
tune(struct dp_phase *k, const struct dp_ramp *least, const struct dp_ramp *most, double even,
    struct dp_numbers *numbers)
{
	dp_bands_make(&k->bands, least, most, even, numbers);
	k->square = square_of(k, most->tau);
	k->K = dp_numbers_replays(numbers) ? 1 : dp_phase_scale(k, most->tau);
	k->K = dp_numbers_int(numbers, "weight", k->K, 1, (uint64_t)DP_PHASE_BOUND);
}

/* For the thresholds that answers will have; from 1 on where nobody knows. */
void
dp_phase_plan(struct dp_phase *k, const struct dp_mech_rule *rule)
{
	static const double even[] = { 1, 0.8, 0.67, 0.5, 0.33, 0.2 };
	const uint64_t first = rule->horizon == 0 ? 1 :
	    rule->every != 0 && rule->every < rule->report ? rule->every : rule->report;
	const struct dp_ramp most = dp_phase_ramp(k->what, dp_phase_tau(&k->mem.s, rule->report));
	const struct dp_ramp least = dp_phase_ramp(k->what, dp_phase_tau(&k->mem.s, first));
	double best = even[0], v, least_v = INFINITY;
	unsigned i;

	k->last = rule->report;
	for (i = 0; i < sizeof even / sizeof even[0] && !rule->privacy.exact &&
	    !dp_numbers_replays(rule->privacy.numbers); i++) {
		tune(k, &least, &most, even[i], NULL);
		if ((v = try_split(k, rule)) < least_v) {
			least_v = v;
			best = even[i];
		}
	}
	tune(k, &least, &most, best, rule->privacy.numbers);
}

/* Normal but for the output's noise, for the data of t lines that leave it widest. */
void
dp_phase_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_phase *k = (const void *)m;
	const uint64_t tau = dp_phase_tau(&k->mem.s, t);
	const bool moves = k->mem.s.share != 0;
	const double scale = dp_phase_worth(k, tau), square = moves ? square_of(k, tau) : k->square;
	const double K = (double)(moves ? dp_phase_scale(k, tau) : k->K);

	(void)out;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, 2 * scale * sqrt(spread(k, t, square, k->gain) / FLIPS), FLIPS, 0.5);
	dp_law_add(l, &k->mem.output, scale / (K * k->gain), 1);
}

double
dp_phase_meeting(const struct dp_phase *k, uint64_t t, double p)
{
	const struct dp_sketch *s = &k->mem.s;
	const struct dp_ramp r = dp_phase_ramp(k->what, dp_phase_tau(s, t));
	const double low = (double)r.low, d = (double)(r.tau - r.low), share = (double)s->share;
	const double c = r.low == 0 ? 2 : 1 / (low * d), n = (double)k->n, lines = (double)t;
	const double M = s->share != 0 ? 9 * share * share / (4 * n) : lines * lines * c / (2 * n);
	const double held = s->share != 0 ? 2 * share : lines / d;

	return fmin(s->share != 0 ? share : lines / (double)r.tau,
	    M + (s->deletes ? 2 : 1) * sqrt(held * log(2 / p) / 2));
}

/* The mean of touched() over the steps to T, for one threshold. */
static double
mean_touched(const struct dp_phase *k, uint64_t T)
{
	const double n = (double)k->n, all = (double)T, one = touched(k, 1, k->mem.s.tau);
	const double rising = fmin(all, floor(n / one));

	return (rising * (rising + 1) / 2 * one + (all - rising) * n) / all;
}

/*
 * With one threshold the variance only grows.  With one that moves it is that of the answers: of
 * the one at the end, or of some of them, all if they are few.
 */
void
dp_phase_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_phase *k = (const void *)m;
	const double scale = dp_phase_worth(k, k->mem.s.tau);
	const uint64_t answers = k->every == 0 || k->every > T ? 1 : T / k->every;
	const uint64_t tried = answers < 32 ? answers : 32;
	double v = dp_mech_variance(m, T);
	uint64_t t, i;

	*e = (struct dp_error){ .max = v, .mean = v, .worst = T };
	if (dp_memory_exact(&k->mem))
		return;
	if (k->mem.s.share == 0)
		e->mean -= scale * scale * (touched(k, T, k->mem.s.tau) - mean_touched(k, T));
	if (k->mem.s.share == 0 || answers == 1)
		return;
	for (e->mean = 0, e->max = 0, i = 1; i <= tried; i++) {
		t = k->every * (answers * i / tried);
		v = dp_mech_variance(m, t);
		e->mean += v / (double)tried;
		if (v > e->max) {
			e->max = v;
			e->worst = t;
		}
	}
}
