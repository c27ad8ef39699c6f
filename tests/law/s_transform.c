/* SPDX-License-Identifier: ISC */
/*
 * s_transform.c - dptransform's mechanisms: the claimed epsilon against every view of small runs,
 * and the predicted loss against what is measured.
 *
 * Neighbours, exactly: the tool's own step() is run on every value of the noise of which it makes a
 * decision, -reach .. reach, each weighed by its exact probability; what is left out is below e^-20
 * of it.  A view is what is printed at every step, which steps were heavy, and for pan mechanisms
 * the threshold noise that is in memory after one of them.  A search goes uphill from the streams
 * that the proof has in mind, and from others, among streams a and b that are at most r = 1 apart
 * at every step, and views.  No view may have a probability more than e^epsilon times the other's
 * (5/6 epsilon: paper); the largest ratio must reach the part of epsilon that is stated, else the
 * search looks in the wrong place.  (One threshold noise: all of it.  Where the shortest stretches
 * are single steps, theirs is added to the comparison's, which is worth more than is charged.)
 * rounds: likewise one round, of which a comparison finds a move, against its own epsilon, delta
 * .1; that all rounds and answers spend at most rho, and nearly that; and the sum of 4 answers that
 * are all released against a threshold, 200000 runs, delta = .01, as the next.
 * output-gauss: the sum of 4 answers against a threshold, 200000 runs, delta = .01: refuted at 6
 * standard deviations, false-reject rate below 1e-8; it must reach half of delta.
 *
 * recompute: every view of three blocks, lines without an answer among them; its loss on streams
 * that drift away from what is held.
 *
 * Loss: 20000 runs of a stream that goes as far from what was printed as the predicted bound
 * allows, T = 64, beta = .05, fixed seed: the loss passes the bound in at most beta of the runs,
 * and .85 of the bound (.75 where there are several threshold noises) in at least beta of them,
 * each by 4.8916 standard deviations: false-reject rate 1e-6.  Of runs on a stream that stays
 * within the distance at most beta / 2 print a change.
 */
#include "stat/transform.h"
#include "../unit/covers.h"
#include "../unit/stats.h"
#include "../unit/transform.h"

#define R	22		/* the most that `reach` is */
#define LEAST		1e-11		/* less likely views are not compared */
#define WIDTH	(2 * R + 1)
#define STATES	(WIDTH * WIDTH * 3)
#define STEPS	40
#define LOSS_T		64
#define LOSS_RUNS	20000

/* What is seen: of each step its output, and whether it was heavy; after one step, memory. */
struct view {
	int steps;
	int64_t out[STEPS];		/* ENDED too */
	bool heavy[STEPS];
	int moment;			/* after so many steps; 0: memory is not seen */
	int64_t theta[3];		/* at that moment, of three levels from low on */
};

/* Columns that agree with the view so far, and their probabilities. */
struct front {
	int n;
	struct dp_transform_column c[STATES];
	double p[STATES];
	int place[STATES];		/* by threshold noise: in c, from 1 */
};

static int
index_of(const struct dp_transform_plan *k, const struct dp_transform_column *c)
{
	unsigned i, n = 0;

	for (i = 0; i < k->levels && i < 3; i++)
		n = n * WIDTH + (unsigned)(c->theta[k->low + i] + R);
	return (int)(n % STATES);
}

static void
put(struct front *f, const struct dp_transform_plan *k, const struct dp_transform_column *c,
    double p)
{
	int *at = &f->place[k->low == DP_TRANSFORM_FOR_EVER ? (int)(c->theta[63] + R) :
	    index_of(k, c)];

	if (*at == 0) {
		f->c[f->n] = *c;
		f->p[f->n] = 0;
		*at = ++f->n;
	}
	f->p[*at - 1] += p;
}

/* P(k) of the three families' noise, |k| <= 4 R. */
static double table[3][8 * R + 1];

static double
chance(int family, int64_t k)
{
	return k < -4 * R || k > 4 * R ? 0 : table[family][k + 4 * R];
}

static void
fill_table(const struct dp_transform_plan *k)
{
	int i;
	int64_t z;

	for (i = 0; i < 3; i++)
		for (z = -4 * R; z <= 4 * R; z++)
			table[i][z + 4 * R] = pmf(&k->noise[i], z);
}

/* Of one column: the noise that begins at step t from level i down, then the comparison's. */
struct branch {
	const struct dp_mech *m;
	const struct view *v;
	struct dp_rng *rng;
	struct front *next;
	int t;
	int64_t a, reach;
	int64_t z[64];
};

static void
compare(struct branch *b, struct dp_transform_column c, double p, int drawn)
{
	const struct dp_transform_plan *k = (const void *)b->m;
	const int64_t want = b->v->out[b->t - 1];
	const bool heavy = b->v->heavy[b->t - 1];
	struct dp_transform_column after;
	int64_t y;

	for (b->z[drawn] = -b->reach; b->z[drawn] <= b->reach; b->z[drawn]++) {
		after = c;
		/* the answer's noise that leads there, if it is heavy */
		b->z[drawn + 1] = heavy && want != ENDED ? want - b->a : 0;
		y = transform_step(b->m, &after, b->rng, (uint64_t)b->t, b->a, b->z,
		    (size_t)drawn + 1 + (k->noise[2].kind != DP_NOISE_NONE) + k->rounds);
		if (y == want && (after.changes != c.changes) == heavy)
			put(b->next, k, &after, p * chance(1, b->z[drawn]) *
			    (heavy && want != ENDED ? chance(2, b->z[drawn + 1]) : 1));
	}
}

static void
thresholds(struct branch *b, const struct dp_transform_column *c, double p, unsigned i, int drawn)
{
	const struct dp_transform_plan *k = (const void *)b->m;
	const uint64_t u = (uint64_t)b->t - 1;

	while (i > k->low && (u & (((uint64_t)1 << (i - 1)) - 1)) != 0)
		i--;
	if (i == k->low) {
		compare(b, *c, p, drawn);
		return;
	}
	for (b->z[drawn] = -b->reach; b->z[drawn] <= b->reach; b->z[drawn]++)
		thresholds(b, c, p * chance(0, b->z[drawn]), i - 1, drawn + 1);
}

static double
probability(struct dp_mech *m, int64_t reach, const int64_t *a, const struct view *v)
{
	static struct front front[2];
	const struct dp_transform_plan *k = transform_plan(m);
	struct front *now = &front[0], *next = &front[1], *other;
	struct branch b = { .m = m, .v = v, .reach = reach };
	double sum = 0;
	int i, j;

	if (dp_rng_open_known(&b.rng, NULL, 0) != 0)
		abort();
	now->n = 1;
	now->p[0] = 1;
	memset(&now->c[0], 0, sizeof now->c[0]);
	if (m->ops->start(m, &now->c[0], b.rng) != 0)
		abort();
	for (b.t = 1; b.t <= v->steps; b.t++) {
		memset(next->place, 0, sizeof next->place);
		next->n = 0;
		b.next = next;
		b.a = a[b.t - 1];
		for (i = 0; i < now->n; i++)
			thresholds(&b, &now->c[i], now->p[i], k->low + k->levels, 0);
		for (i = 0; b.t == v->moment && i < next->n; i++)
			for (j = 0; j < 3 && j < (int)k->levels; j++)
				if (next->c[i].theta[(int)k->low + j] != v->theta[j])
					next->p[i] = 0;
		other = now;
		now = next;
		next = other;
	}
	for (i = 0; i < now->n; i++)
		sum += now->p[i];
	dp_rng_free(b.rng);
	return sum;
}

struct small {
	const char *name;
	uint64_t T, K;
	bool hold, pan;
	unsigned low;		/* as a wish has it */
	unsigned eps;
	int64_t H, reach;
	double most, reaches;	/* of epsilon: what is claimed, what must be found */
	int tries;
};

/* Two streams and what is seen of both. */
struct pair {
	int64_t a[STEPS], b[STEPS];
	struct view v;
};

static uint64_t picked;

static unsigned
pick(unsigned n)
{
	uint64_t x = picked;

	picked = x = x * 6364136223846793005 + 1442695040888963407;
	return (unsigned)((x >> 33) % n);
}

/* A view that a run may have: what is light repeats, what is one change too many ends. */
static void
straighten(struct pair *p, const struct small *s, const struct dp_transform_plan *k)
{
	struct view *v = &p->v;
	int64_t last = 0;
	unsigned i, changes = 0;
	int t;

	v->steps = (int)s->T;
	for (t = 0; t < v->steps; t++) {
		if (s->hold && changes == s->K)
			v->heavy[t] = false;
		if (v->heavy[t] && changes++ == s->K) {
			v->steps = t + 1;
			v->out[t] = ENDED;
		} else if (v->heavy[t])
			last = v->out[t] = v->out[t] == ENDED ? 0 : v->out[t];
		else
			v->out[t] = last;
	}
	if (v->moment >= v->steps)
		v->moment = v->steps - 1;
	for (i = 0; i < 3; i++)		/* what is over is not there */
		if (i >= k->levels || v->moment == 0 || v->moment % (1 << (k->low + i)) == 0)
			v->theta[i] = 0;
}

/* Something else in one place. */
static struct pair
other(const struct pair *p, const struct small *s, const struct dp_transform_plan *k)
{
	struct pair q = *p;
	unsigned t = pick((unsigned)s->T), what = pick(s->pan ? 7 : 5);
	int64_t by = (int64_t)pick(7) - 3;

	switch (what) {
	case 0:
		q.v.heavy[t] = !q.v.heavy[t];
		break;
	case 1:
		q.v.out[t] = q.v.out[t] == ENDED ? by : q.v.out[t] + by;
		break;
	case 2:
		q.b[t] = q.a[t] + (int64_t)pick(3) - 1;
		break;
	case 3:
	case 4:
		q.a[t] += by;
		q.b[t] += by;
		break;
	case 5:
		q.v.moment = (int)pick((unsigned)s->T);
		break;
	default:
		q.v.theta[pick(3)] = by;
		break;
	}
	straighten(&q, s, k);
	return q;
}

static double
log_ratio(struct dp_mech *m, int64_t reach, const struct pair *x)
{
	double p = probability(m, reach, x->a, &x->v), q = probability(m, reach, x->b, &x->v);

	return p < LEAST || q < LEAST ? 0 : fabs(log(p / q));
}

/*
 * Where the proof spends all: light steps far from the output, so that the threshold must be high;
 * then a heavy one near it; then the same from an answer that is far away.  All harder for b.
 */
static struct pair
aimed(const struct small *s)
{
	struct pair p = { .v = { .moment = s->pan } };
	const int group = (int)(s->T / (s->K + !s->hold));
	int64_t out = 0, far = s->H + 2 + (s->K == 0);
	int t;

	for (t = 0; t < (int)s->T; t++) {
		p.v.heavy[t] = t % group == group - 1;
		p.a[t] = p.v.heavy[t] ? out + 1 : out + far;
		p.b[t] = p.v.heavy[t] ? out : out + far + 1;
		if (p.v.heavy[t])
			out = p.v.out[t] = out + 3;
	}
	return p;
}

/* Anything. */
static struct pair
anything(const struct small *s)
{
	struct pair p = { .v = { .moment = s->pan } };
	int t;

	for (t = 0; t < (int)s->T; t++) {
		p.v.heavy[t] = pick(4) == 0;
		p.v.out[t] = (int64_t)pick(5);
		p.a[t] = (int64_t)pick(6);
		p.b[t] = p.a[t] + (int64_t)pick(3) - 1;
	}
	return p;
}

/* Uphill from many places, by what is no worse. */
static double
worst_ratio(struct dp_mech *m, const struct small *s)
{
	const struct dp_transform_plan *k = transform_plan(m);
	struct pair at, next;
	double worst = 0, here = 0, there;
	int n;

	picked = 1;
	for (n = 0; n < s->tries; n++) {
		if (n % (s->tries / 2) == 0) {
			at = n == 0 ? aimed(s) : anything(s);
			straighten(&at, s, k);
			here = log_ratio(m, s->reach, &at);
		}
		next = other(&at, s, k);
		if ((there = log_ratio(m, s->reach, &next)) >= here) {
			here = there;
			at = next;
		}
		worst = fmax(worst, here);
	}
	return worst;
}

/* Of a round's comparisons. */
static double
round_epsilon(const struct dp_transform_plan *k)
{
	return (double)k->task.unit * (1 / dp_q_double(k->noise[0].param) +
	    2 / dp_q_double(k->noise[1].param));
}

static void
exactly(const struct small *s)
{
	struct dp_mech *m = transform_make((struct wish){ .name = s->name, .T = s->T, .r = 1,
	    .changes = s->K, .hold = s->hold, .eps = s->eps, .low = s->low, .lo = -1000,
	    .hi = 1000, .delta = .1 });
	double worst, claimed;
	bool good;

	if (m == NULL)
		abort();
	transform_plan(m)->threshold = s->H;
	fill_table(transform_plan(m));
	claimed = transform_plan(m)->rounds ? round_epsilon(transform_plan(m)) : s->eps;
	worst = worst_ratio(m, s) / claimed;
	good = worst <= s->most + 1e-4 && worst >= s->reaches;
	check(good);
	if (!good)
		printf("%s, T = %d, K = %d: %.6g of epsilon\n", s->name, (int)s->T, (int)s->K,
		    worst);
	dp_mech_free(m);
}

/* Fresh noise on 3 answers: every view of which each value is near. */
static void
laplace_output(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "output", .T = 3, .r = 2,
	    .eps = 1 });
	int64_t a[3] = { 5, 0, 9 }, b[3] = { 7, 2, 7 }, y, z[3];
	struct dp_rng *rng;
	double worst = 0, p, q;
	int64_t last;
	int i, t;

	if (dp_rng_open_known(&rng, NULL, 0) != 0)
		abort();
	for (i = 0; i < 11 * 11 * 11; i++) {
		z[0] = i % 11 - 5;
		z[1] = i / 11 % 11 - 5;
		z[2] = i / 121 - 5;
		for (p = q = 1, t = 0; t < 3; t++) {
			y = transform_step(m, &last, rng, (uint64_t)t + 1, a[t], &z[t], 1);
			p *= pmf(m->drawn.noise, z[t]);
			q *= pmf(m->drawn.noise, y - b[t]);
		}
		worst = fmax(worst, fabs(log(p / q)));
	}
	check(worst <= 1 + 1e-9 && worst > .999);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/*
 * Blocks of 2 of 5 lines: all of 9^3 views, and neighbours that differ by r at every line, either
 * way, or where only the middle block's second line is an answer.  The noise is for 3 shifts.
 */
static void
laplace_recompute(void)
{
	struct dp_mech *m = transform_make((struct wish){ .name = "recompute", .T = 5, .r = 2,
	    .eps = 1, .drifts = true, .refresh = 2, .drift = 1 });
	int64_t a[5], b[5], y[5], z[5], other[5];
	struct dp_transform_column c;
	struct dp_rng *rng;
	double worst = 0, p, q;
	int view, way, t, n;
	bool draws;

	if (dp_rng_open_known(&rng, NULL, 0) != 0)
		abort();
	for (view = 0; view < 9 * 9 * 9; view++)
		for (way = 0; way < 16; way++) {
			for (t = 0; t < 5; t++) {
				a[t] = 10 + t;
				b[t] = a[t] + (way >> t % 3 & 1 ? 2 : -2);
			}
			if (way >= 8)
				a[2] = b[2] = DP_TRANSFORM_NONE;
			memset(&c, 0, sizeof c);
			for (p = q = 1, n = view, t = 0; t < 5; t++) {
				draws = t % 2 == 0 || (t == 3 && way >= 8);
				z[t] = draws ? n % 9 - 4 : 0;
				n = draws && a[t] != DP_TRANSFORM_NONE ? n / 9 : n;
				y[t] = transform_step(m, &c, rng, (uint64_t)t + 1, a[t], &z[t],
				    draws);
				/* the other run's draw that prints the same */
				other[t] = a[t] == DP_TRANSFORM_NONE ? z[t] : y[t] - b[t];
				if (draws) {
					p *= pmf(m->drawn.noise, z[t]);
					q *= pmf(m->drawn.noise, other[t]);
				}
			}
			memset(&c, 0, sizeof c);
			for (t = 0; t < 5; t++) {
				draws = t % 2 == 0 || (t == 3 && way >= 8);
				if (transform_step(m, &c, rng, (uint64_t)t + 1, b[t], &other[t],
				    draws) != y[t])
					p = INFINITY;	/* something else depends on answers */
			}
			worst = fmax(worst, fabs(log(p / q)));
		}
	check(worst <= 1 + 1e-9 && worst > .999);
	if (!(worst <= 1 + 1e-9 && worst > .999))
		printf("recompute: %g of epsilon\n", worst);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* The bound on a stream that drifts as fast as it may, away from what is held. */
static void
recompute_loss(bool rising)
{
	const double beta = .05, mean = beta * LOSS_RUNS, limit = Z_LIMIT * sqrt(mean);
	struct dp_mech *m = transform_make((struct wish){ .name = "recompute", .T = LOSS_T, .r = 3,
	    .eps = 1, .drifts = true, .drift = 2, .rising = rising ? 10000000 : 0,
	    .hi = 10000000 });
	int over = 0, under = 0, i;
	struct dp_error e;
	struct dp_rng *rng;
	double worst;
	struct column c;
	int64_t y, a, was;
	uint64_t t;

	if (dp_rng_open_seed(&rng, 12) != 0)
		abort();
	dp_mech_error(m, LOSS_T, &e);
	for (i = 0; i < LOSS_RUNS; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		a = was = 1000000;
		y = 0;
		for (worst = 0, t = 1; t <= LOSS_T; t++) {
			/* up where it is below already, else down: or on its place */
			a += t == 1 ? 0 : y <= was ? 2 : rising ? 0 : -2;
			if (column_step(&c, a, &y) != 0)
				abort();
			was = a;
			worst = fmax(worst, fabs((double)(y - a)));
		}
		over += worst > e.max;
		under += worst > .85 * e.max;
		column_free(&c);
	}
	check(over <= mean + limit && under >= mean - limit);
	if (!(over <= mean + limit && under >= mean - limit))
		printf("recompute: bound %g passed by %d, .85 of it by %d of %g\n", e.max, over,
		    under, mean);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* C rounds and K answers spend rho, and hardly less. */
static void
rounds_spend(void)
{
	static const uint64_t K[] = { 0, 1, 3, 30, 1000, 100000 };
	struct dp_transform_plan *k;
	struct dp_privacy p;
	struct dp_mech *m;
	double spent, e;
	int i, hold;

	for (i = 0; i < 6; i++)
		for (hold = 0; hold < 2; hold++) {
			if (K[i] + (uint64_t)hold == 1 && hold == 1)
				continue;
			m = transform_make((struct wish){ .name = "rounds", .T = 200000, .r = 7,
			    .changes = K[i], .hold = hold != 0, .eps = 2, .delta = 1e-6 });
			k = transform_plan(m);
			if (dp_privacy_set(&p, false, dp_q_make(2, 1), dp_q_make(1, 1000000), 7,
			    49) != 0)
				abort();
			e = round_epsilon(k);
			spent = (double)(K[i] + !hold) * e * e / 2;
			if (K[i] > 0)
				spent += (double)K[i] * 49 / (2 * dp_q_double(k->noise[2].param));
			check(spent <= dp_q_double(p.rho) * (1 + 1e-9));
			check(spent >= dp_q_double(p.rho) * .998);
			dp_mech_free(m);
		}
}

/* 4 sums of answers against a threshold where the likelihoods' ratio is e^epsilon. */
static void
gauss_output(const char *name)
{
	const double runs = 200000, delta = .01;
	const bool fresh = strcmp(name, "output-gauss") == 0;
	struct dp_mech *m = transform_make((struct wish){ .name = name, .T = 4, .r = 50,
	    .changes = 4, .hold = true, .eps = 1, .delta = delta });
	const struct dp_noise *z = fresh ? m->drawn.noise : &transform_plan(m)->noise[2];
	struct dp_rng *rng;
	double s = sqrt(dp_q_double(z->param)), above[2] = { 0, 0 }, p, q, sum, sd;
	int64_t x, jump;
	struct column c;
	dp_wide y;
	int b, t, i;

	if (dp_rng_open_seed(&rng, 3) != 0)
		abort();
	for (b = 0; b < 2; b++)
		for (i = 0; i < (int)runs; i++) {
			if (column_new(&c, m, rng) != 0)
				abort();
			for (sum = 0, t = 1; t <= 4; t++) {
				jump = fresh ? 0 : 100000 * t;	/* each is released */
				x = 50 * b + jump;
				if (m->ops->step(m, c.state, rng, (uint64_t)t, &x, &y) != 0)
					abort();
				sum += (double)(y - jump);
			}
			column_free(&c);
			/* where the ratio is e^epsilon */
			above[b] += sum > 4 * s * s / (4 * 50) + 100;
		}
	p = above[1] / runs;
	q = above[0] / runs;
	sd = sqrt((p + exp(2) * q) / runs);
	check(p <= exp(1) * q + delta + 6 * sd);
	/* of rounds comparisons have spent some */
	check(p >= exp(1) * q + (fresh ? delta / 2 : 0));
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* Runs whose loss passes `far`, on a stream that is beyond it as long as it can. */
static double
chased(struct dp_mech *m, struct dp_rng *rng, double far)
{
	struct column c;
	int64_t y = 0, a;
	int i, passed = 0, t;
	bool fresh = m->ops->drawn.family == NULL;

	for (i = 0; i < LOSS_RUNS; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1, y = 0; t <= LOSS_T; t++) {
			a = fresh ? 0 : y + (int64_t)far + 1;
			if (column_step(&c, a, &y) != 0)
				break;
			if (fabs((double)(y - a)) > far) {
				passed++;
				break;
			}
		}
		column_free(&c);
	}
	return passed;
}

static double
changed(struct dp_mech *m, struct dp_rng *rng)
{
	struct column c;
	int64_t y, first;
	int i, n = 0, t;

	for (i = 0; i < LOSS_RUNS; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		/* one change that is due, and then the answer stays within the distance of it */
		(void)column_step(&c, 1000000, &first);
		for (t = 2; t <= LOSS_T; t++)
			if (column_step(&c, 1000000 + (t % 2 == 0 ? 20 : -20), &y) != 0 ||
			    y != first) {
				n++;
				break;
			}
		column_free(&c);
	}
	return n;
}

static void
loss(const char *name)
{
	const double beta = .05, mean = beta * LOSS_RUNS, limit = Z_LIMIT * sqrt(mean);
	struct dp_mech *m = transform_make((struct wish){ .name = name, .T = LOSS_T, .r = 3,
	    .changes = 3, .distance = 20, .eps = 1, .delta = 1e-6, .hi = 10000000 });
	struct dp_error e;
	struct dp_rng *rng;
	double over, under, moved;

	if (dp_rng_open_seed(&rng, 11) != 0)
		abort();
	dp_mech_error(m, LOSS_T, &e);
	over = chased(m, rng, e.max);
	/* several threshold noises: the bound is for steps chosen by them, here they are not */
	under = chased(m, rng, floor((transform_plan(m)->levels > 1 &&
	    m->ops->drawn.family != NULL ? .75 : .85) * e.max));
	check(over <= mean + limit && under >= mean - limit);
	if (!(over <= mean + limit && under >= mean - limit))
		printf("%s: bound %g passed by %g, .85 of it by %g of %g\n", name, e.max, over,
		    under, mean);
	if (m->ops->drawn.family != NULL) {
		moved = changed(m, rng);
		check(moved <= mean / 2 + limit);
		if (moved > mean / 2 + limit)
			printf("%s: %g changes for no reason\n", name, moved);
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const char *const name[] = { "transform", "pan", "paper", "output",
	    "output-gauss", "rounds" };
	static const struct small small[] = {
		{ "transform", 8, 0, false, false, 0, 4, 2, 22, 1, .99, 100 },
		{ "transform", 8, 1, false, false, 0, 8, 1, 22, 1, .9, 200 },
		{ "transform", 6, 1, true, false, 0, 6, 2, 22, 1, .99, 100 },
		{ "pan", 4, 1, false, true, 0, 7, 2, 14, 1, .8, 60 },
		{ "pan", 4, 0, false, true, 1, 8, 2, 14, 1, .5, 60 },
		{ "pan", 4, 0, false, true, 2, 8, 1, 16, 1, .5, 60 },
		{ "rounds", 6, 0, false, false, 0, 20, 2, 22, 1, .9, 200 },
		{ "paper", 4, 0, false, true, 0, 9, 2, 14, 5 / 6., .4, 60 },
		{ "paper", 4, 1, false, true, 0, 9, 2, 14, 5 / 6., .3, 60 },
	};
	unsigned i, n;

	covers(argc, argv);
	for (i = 0; i < 6; i++) {
		if (!leave_named("neighbour", name[i], "transform")) {
			for (n = 0; n < sizeof small / sizeof small[0]; n++)
				if (strcmp(small[n].name, name[i]) == 0)
					exactly(&small[n]);
			if (strcmp(name[i], "output") == 0)
				laplace_output();
			if (strcmp(name[i], "output-gauss") == 0)
				gauss_output(name[i]);
			if (strcmp(name[i], "rounds") == 0) {
				rounds_spend();
				gauss_output(name[i]);
			}
		}
		if (!leave_named("loss", name[i], "transform"))
			loss(name[i]);
	}
	if (!leave_named("neighbour", "recompute", "transform"))
		laplace_recompute();
	if (!leave_named("loss", "recompute", "transform")) {
		recompute_loss(false);
		recompute_loss(true);
	}
	return covers_list ? 0 : done();
}
