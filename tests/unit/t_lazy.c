/* SPDX-License-Identifier: ISC */
/*
 * t_lazy.c - the largest sum found anew only when it has moved on: by hand with known noise, its
 * law and its privacy by enumeration of all that it can release in a few steps.
 */
#include <math.h>

#include "maxsum.h"
#include "stats.h"

#define FIRES	7		/* of the plan's numbers; then least, centre, stop, two shares */
#define STEPS	3
#define STREAMS	27		/* 3^STEPS */
#define SEEN	64		/* 4^STEPS: at each step nothing, or column 0 or 1, or the end */
#define REACH	1500		/* of rho */

static const struct dp_q none = { 0, 1 }, one = { 1, 1 };

/* The mechanism, and the numbers of its plan. */
static struct dp_mech *
planned(struct maxsum_rule *r, enum dp_maxsum_show show, uint64_t T, uint64_t ceiling, bool lines,
    struct dp_numbers *p)
{
	struct dp_mech *m;

	maxsum_rule(r, show, T, 2, 2, 0, 1, lines);
	r->own.ceiling = ceiling;
	maxsum_privacy(r, false, one, none);
	*p = (struct dp_numbers){ .n = 0 };
	r->rule.privacy.numbers = p;
	if ((m = maxsum_make("lazy", r)) == NULL || p->n < FIRES + 6)
		abort();
	return m;
}

/* The same with a lower threshold, as a state may have it: more happens in a few steps. */
static struct dp_mech *
lowered(struct maxsum_rule *r, struct dp_mech *m, struct dp_numbers *p, uint64_t least)
{
	dp_mech_free(m);
	p->number[FIRES + 1].word = p->number[FIRES + 3].word = least;
	dp_numbers_replay(p);
	if ((m = maxsum_make("lazy", r)) == NULL)
		abort();
	return m;
}

static int64_t
centre_of(const struct dp_numbers *p)
{
	return (int64_t)(p->number[FIRES + 2].word - ((uint64_t)1 << 62));
}

/*
 * rho, then a nu a step, and a z after one that fires; after the last the threshold is another one,
 * and what fires ends the run: nothing is drawn or printed any more.
 */
static void
by_hand(void)
{
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, DP_MAXSUM_VALUE, 2000, 500, true, &p);
	const int64_t A = (int64_t)p.number[FIRES + 1].word, centre = centre_of(&p);
	const int64_t fires = (int64_t)p.number[FIRES].word, H = (int64_t)p.number[FIRES + 3].word;
	int64_t z[64] = { 5, A + 4 - 1, A + 5 - 2, -3, A + 5 - (3 - (2 - 3)) - 1 };
	const int64_t x[2] = { 0, 1 };
	struct dp_rng *rng;
	struct column c;
	dp_wide y[2];
	int64_t n = 5, i, k, t, held;

	check(fires >= 2 && fires < 20 && A > 20 && centre > 0 && H > A);
	for (i = 1; i < fires; i++) {
		z[n++] = 100000;
		z[n++] = i;
	}
	held = fires + 2 + fires - 1;
	z[n++] = H + 5 - (fires + 3 - held) - 1;
	z[n++] = H + 5 - (fires + 4 - held);
	if (dp_rng_open_known(&rng, z, 64) != 0 || column_new(&c, m, rng) != 0)
		abort();
	check(maxsum_step(&c, x, y) == 0 && y[0] == centre);	/* one short of A + 5 */
	check(maxsum_step(&c, x, y) == 0 && y[0] == 2 - 3 + centre);	/* fires, just */
	check(maxsum_step(&c, x, y) == 0 && y[0] == 2 - 3 + centre);	/* one short, from -1 */
	for (k = 1, t = 4; k < fires; k++, t++)
		check(maxsum_step(&c, x, y) == 0 && y[0] == t + k + centre);
	check(maxsum_step(&c, x, y) == 0 && y[0] == held + centre);	/* one short of H + 5 */
	y[0] = 77;
	for (t = 0; t < 9; t++)
		check(m->ops->valid(m, c.state, c.t) &&
		    maxsum_step(&c, x, y) == DP_EHALT && y[0] == 77);
	check(rng->left == (size_t)(64 - n));
	((uint64_t *)c.state)[3]++;		/* fires that no run has */
	check(!m->ops->valid(m, c.state, c.t));
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
	dp_numbers_free(&p);
}

static double
laplace_upper(double b, double k)	/* P(z >= k) */
{
	const double q = exp(-1 / b);

	return k > 0 ? pow(q, k) / (1 + q) : 1 - pow(q, 1 - k) / (1 + q);
}

struct world {
	double b[3];			/* of rho, nu, choices */
	int64_t A;
	uint64_t fires;
};

/* P of each that STEPS steps can release, for a choice of two columns. */
static void
enumerate(const struct world *w, const int64_t (*x)[2], double *p)
{
	int64_t sum[2], most, rho;
	double at, fire, behind;
	int seen, rest, t, what;
	size_t held;
	uint64_t fired;

	for (seen = 0; seen < SEEN; seen++)
		for (p[seen] = 0, rho = -REACH; rho <= REACH; rho++) {
			at = laplace_upper(w->b[0], (double)rho) -
			    laplace_upper(w->b[0], (double)rho + 1);
			sum[0] = sum[1] = 0;
			held = 0;
			fired = 0;
			for (t = 0, rest = seen; t < STEPS; t++, rest /= 4) {
				what = rest % 4;	/* 0: does not fire; 3: has ended */
				if (fired > w->fires) {
					at *= what == 3;
					continue;
				}
				sum[0] += x[t][0];
				sum[1] += x[t][1];
				most = sum[0] > sum[1] ? sum[0] : sum[1];
				fire = laplace_upper(w->b[1],
				    (double)(w->A + rho - (most - sum[held])));
				if (what == 0 || (what == 3) != (fired == w->fires)) {
					at *= what == 0 ? 1 - fire : 0;
					continue;
				}
				if (fired++ == w->fires) {
					at *= fire;
					continue;
				}
				held = (size_t)what - 1;
				behind = exp(-(double)(most - sum[1 - held]) / w->b[2]) / 2;
				at *= fire * (sum[held] == most ? 1 - behind :
				    exp(-(double)(most - sum[held]) / w->b[2]) / 2);
			}
			p[seen] += at;
		}
}

static void
stream(int which, int64_t (*x)[2])
{
	int t;

	for (t = 0; t < STEPS; t++, which /= 3) {
		x[t][0] = which % 3 == 1;
		x[t][1] = which % 3 == 2;
	}
}

/*
 * Every stream of three lines against all with one line replaced; then runs of one stream against
 * its law, chi-square, false-reject rate 1e-6.
 */
static void
privacy(void)
{
	static double p[STREAMS][SEEN];
	double count[SEEN] = { 0 }, worst = 0, total, chi = 0, power;
	const double R = 100000;
	struct maxsum_rule r;
	struct dp_numbers params;
	struct dp_mech *m = planned(&r, DP_MAXSUM_CHOICE, STEPS, 3, true, &params);
	struct world w = { .A = 1, .fires = params.number[FIRES].word };
	const struct dp_noise *z;
	const char *what;
	struct dp_rng *rng;
	struct column c;
	dp_wide y[2];
	int64_t x[STEPS][2], *word;
	int i, k, n, t, seen, fired, cells = -1;

	m = lowered(&r, m, &params, 1);
	for (i = 0; i < 3; i++) {
		check(dp_mech_family(m, (unsigned)i, &z, &what));
		w.b[i] = dp_q_double(z->param);
	}
	for (i = 0; i < STREAMS; i++) {
		stream(i, x);
		enumerate(&w, (const int64_t (*)[2])x, p[i]);
		for (total = 0, k = 0; k < SEEN; k++)
			total += p[i][k];
		check(fabs(total - 1) < 1e-9);
	}
	for (i = 0; i < STREAMS; i++)
		for (power = 1; power < STREAMS; power *= 3)
			for (k = 0; k < 3; k++) {
				n = i + (k - i / (int)power % 3) * (int)power;
				for (t = 0; t < SEEN; t++)
					if (p[i][t] > 1e-12 && p[n][t] > 0)
						worst = fmax(worst, log(p[i][t] / p[n][t]));
			}
	printf("lazy, choice, %d fires at %d: loss %.4f of 1\n", (int)w.fires, (int)w.A, worst);
	check(worst <= 1 + 1e-9 && worst > .3);

	if (dp_rng_open_seed(&rng, 12) != 0)
		abort();
	stream(2 + 3 * 2 + 9 * 1, x);
	for (i = 0; i < (int)R; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		word = c.state;
		for (seen = 0, power = 1, t = 0; t < STEPS; t++, power *= 4) {
			fired = (int)word[3];
			if (maxsum_step(&c, x[t], y) == DP_EHALT)
				seen += (int)power * 3;
			else if (word[3] != fired)
				seen += (int)power * (1 + (int)y[0]);
			check(m->ops->frozen(m, c.state) == (word[3] >= (int64_t)w.fires));
		}
		count[seen]++;
		column_free(&c);
	}
	for (k = 0; k < SEEN; k++) {
		total = p[2 + 3 * 2 + 9 * 1][k] * R;
		if (total >= 5) {
			chi += (count[k] - total) * (count[k] - total) / total;
			cells++;
		} else
			check(count[k] < 40);
	}
	check(cells >= 5 && chi2_tail(chi, cells) >= FALSE_REJECT);
	dp_rng_free(rng);
	dp_mech_free(m);
	dp_numbers_free(&params);
}

/* When a value fires first, against its law: the threshold is drawn once, and a nu at each step. */
static void
first_fire(void)
{
	double count[STEPS + 1] = { 0 }, want[STEPS + 1] = { 0 }, b[2], at, fire, chi = 0;
	const double R = 100000;
	const int64_t x[2] = { 1, 1 };
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, DP_MAXSUM_VALUE, STEPS, 3, true, &p);
	const int64_t A = 3;
	const struct dp_noise *z;
	const char *what;
	struct dp_rng *rng;
	struct column c;
	int64_t *word, rho;
	dp_wide y[2];
	int i, t;

	m = lowered(&r, m, &p, (uint64_t)A);
	for (i = 0; i < 2; i++) {
		check(dp_mech_family(m, (unsigned)i, &z, &what));
		b[i] = dp_q_double(z->param);
	}
	for (rho = -REACH; rho <= REACH; rho++) {
		at = laplace_upper(b[0], (double)rho) - laplace_upper(b[0], (double)rho + 1);
		for (t = 0; t < STEPS; t++) {
			fire = laplace_upper(b[1], (double)(A + rho - (t + 1)));
			want[t] += at * fire;
			at *= 1 - fire;
		}
		want[STEPS] += at;
	}
	if (dp_rng_open_seed(&rng, 13) != 0)
		abort();
	for (i = 0; i < (int)R; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		word = c.state;
		for (t = 0; t < STEPS && word[3] == 0; )
			if (maxsum_step(&c, x, y) != 0)
				abort();
			else if (word[3] == 0)
				t++;
		count[t]++;
		column_free(&c);
	}
	for (t = 0; t <= STEPS; t++)
		chi += (count[t] - want[t] * R) * (count[t] - want[t] * R) / (want[t] * R);
	check(chi2_tail(chi, STEPS) >= FALSE_REJECT);
	dp_rng_free(rng);
	dp_mech_free(m);
	dp_numbers_free(&p);
}

/* Scales as the header has them: shares that sum to 1, moves of linf and spread. */
static void
scales(enum dp_maxsum_show show)
{
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, show, 100000, 1000, true, &p);
	const double whole = 1 << 24, c = (double)p.number[FIRES].word;
	const double a = (double)p.number[FIRES + 4].word / whole;
	const double b = (double)p.number[FIRES + 5].word / whole;
	const bool choice = show == DP_MAXSUM_CHOICE;
	const double moves[3] = { choice ? 2 : 1, (choice ? 4 : 2) * (c + 1), choice ? 2 * c : c };
	const double share[3] = { a, b, 1 - a - b };
	const struct dp_noise *z;
	const char *what;
	unsigned i;

	for (i = 0; i < 3; i++) {
		check(dp_mech_family(m, i, &z, &what));
		check(fabs(dp_q_double(z->param) / (moves[i] / share[i]) - 1) < 1e-6);
	}
	check(!dp_mech_family(m, 3, &z, &what));
	dp_mech_free(m);
	dp_numbers_free(&p);
}

/* A state's numbers: what it had is had again; shares that sum to more than 1 are refused. */
static void
replayed(void)
{
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, DP_MAXSUM_VALUE, 100000, 1000, true, &p);
	const double loss = maxsum_loss(m, 100000);

	dp_mech_free(m);
	dp_numbers_replay(&p);
	check((m = maxsum_make("lazy", &r)) != NULL && maxsum_loss(m, 100000) == loss);
	dp_mech_free(m);
	dp_numbers_replay(&p);
	p.number[FIRES + 4].word = 1 << 23;
	p.number[FIRES + 5].word = 1 << 23;
	check(maxsum_make("lazy", &r) == NULL);
	dp_numbers_replay(&p);
	p.number[FIRES].word = 0;
	check(maxsum_make("lazy", &r) == NULL);
	dp_numbers_free(&p);
}

/* P that one of the fires leaves what is printed at its step off by more than the loss. */
static double
after_fires(const struct dp_mech *m, double fires, double centre)
{
	const struct dp_noise *z;
	char text[400];
	const char *what;
	double loss, b;

	check(m->ops->say.note(m, 0, 1, text, sizeof text));
	loss = atof(strstr(text, "more than ") + 10);	/* whatever the sums are */
	loss = fmin(loss, maxsum_loss(m, 100000));
	check(dp_mech_family(m, 2, &z, &what));
	b = dp_q_double(z->param);
	if (isnan(centre))		/* a choice of two columns */
		return -expm1(fires * log1p(-exp(-(floor(loss) + 1) / b) / 2));
	return fires * (laplace_upper(b, floor(loss - centre) + 1) +
	    laplace_upper(b, floor(loss + centre) + 1));
}

/*
 * At the step of a fire what is printed is off by that fire's own noise, and the loss counts it: as
 * planned, and where a state has so large a scale for it that the threshold lets through less.
 */
static void
at_fires(enum dp_maxsum_show show)
{
	const bool choice = show == DP_MAXSUM_CHOICE;
	const double beta = 1. / 3, event = beta / (choice ? 3 : 4);
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, show, 100000, 1000, true, &p);
	const double fires = (double)p.number[FIRES].word;
	uint64_t A;

	check(fires >= 2);
	check(after_fires(m, fires, choice ? NAN : (double)centre_of(&p)) <= event);
	p.number[FIRES + 10].word *= 1000;
	for (A = 1; A < 1 << 24; A *= 2) {
		p.number[FIRES + 2].word = ((uint64_t)1 << 62) - A;
		m = lowered(&r, m, &p, A);
		check(after_fires(m, fires, choice ? NAN : -(double)A) <= event);
	}
	dp_mech_free(m);
	dp_numbers_free(&p);
}

static void
edges(void)
{
	const int64_t x[2] = { 1, 0 };
	struct maxsum_rule r;
	struct dp_numbers p;
	struct dp_mech *m = planned(&r, DP_MAXSUM_VALUE, 100, 50, false, &p);
	struct column c;
	int64_t *word;
	dp_wide y[2];

	dp_mech_free(m);
	dp_numbers_free(&p);
	r.rule.privacy.numbers = NULL;
	r.own.ceiling = 0;
	check(maxsum_make("lazy", &r) == NULL);
	r.own.ceiling = 50;
	r.own.show = DP_MAXSUM_BOTH;
	check(maxsum_make("lazy", &r) == NULL);
	r.own.show = DP_MAXSUM_CHOICE;
	r.rule.lo = -1;
	check(maxsum_make("lazy", &r) == NULL);
	r.rule.lo = 0;
	maxsum_privacy(&r, true, one, none);
	check((m = maxsum_make("lazy", &r)) != NULL && maxsum_loss(m, 100) == 0);
	check(column_new(&c, m, NULL) == 0 && maxsum_step(&c, x, y) == 0 && y[0] == 0);
	word = c.state;
	check(m->column == 64 && word[6] == 1 && m->ops->valid(m, c.state, 1));
	word[2] = 2;		/* a third column */
	check(!m->ops->valid(m, c.state, 1));
	word[2] = 0;
	word[1] = INT64_MAX;	/* the high word of what is held */
	check(!m->ops->valid(m, c.state, 1));
	word[1] = 0;
	word[7] = INT64_MIN;
	check(!m->ops->valid(m, c.state, 1));
	column_free(&c);
	dp_mech_free(m);
}

int
main(void)
{
	by_hand();
	privacy();
	first_fire();
	scales(DP_MAXSUM_VALUE);
	scales(DP_MAXSUM_CHOICE);
	replayed();
	at_fires(DP_MAXSUM_VALUE);
	at_fires(DP_MAXSUM_CHOICE);
	edges();
	return done();
}
