/*
 * t_hats.c - the generator of bridge.h against its definition.
 *
 * nodes    a model of the draw order; R row by row from the masks as bridge.h states them, in
 * integers matrices L from the library, one unit draw at a time: L R = A exactly, and no step
 * enters a level with more than
 *          den_l in L1
 * laws     variance and fourth powers of dp_bridge_law() against the same L, filtered
 * totals   dp_bridge_sum(), dp_bridge_max() against every step
 * searched the same for the shapes that the search finds, for T around powers of two
 * targets  what the search finds beats what was known before (argument quick: left out)
 */
#include <stdio.h>

#include "mech.h"
#include "bridge/bridge.h"
#include "bridge/level.h"
#include "mech/gen.h"

#define STEPS	160		/* most steps of a small generator */
#define WIDE	640		/* most columns of R: what a small generator's nodes may reach */
#define NODES	512

static const struct dp_bridge_shape small[] = {
	{ .h = 1 },
	{ .h = 2, .log2k = { 1 }, .hat = { true } },
	{ .h = 2, .log2k = { 3 }, .hat = { true } },
	{ .h = 2, .log2k = { 3 }, .hat = { false } },
	{ .h = 3, .log2k = { 2, 1 }, .hat = { true, true } },
	{ .h = 3, .log2k = { 2, 2 }, .hat = { true, false } },
	{ .h = 3, .log2k = { 2, 2 }, .hat = { false, true } },
	{ .h = 4, .log2k = { 2, 1, 1 }, .hat = { true, true, true } },
	{ .h = 4, .log2k = { 2, 2, 1 }, .hat = { true, false, true } },
	{ .h = 3, .log2k = { 3, 2 }, .hat = { true, false }, .root = true },
	{ .h = 4, .log2k = { 2, 2, 2 }, .hat = { true, true, false }, .root = true },
	{ .h = 4, .log2k = { 2, 2, 2 }, .hat = { false, true, false }, .root = true },
	{ .h = 4, .log2k = { 2, 1, 1 }, .hat = { true, true, false }, .root = true },
	{ .h = 5, .log2k = { 1, 2, 1, 2 }, .hat = { true, true, true, false }, .root = true }
};
#define SHAPES	(sizeof small / sizeof small[0])

static struct dp_bridge_shape
shares(struct dp_bridge_shape s)
{
	static const double weight[] = { 3, 2, 2.5, 1, 1.5 };

	dp_privacy_split(s.share, weight, s.h);
	return s;
}

/*
 * epsilon 1, l1 a thousand: all but continuous noise.  dry: sums of draws are made for the largest
 * there are.
 */
static struct dp_bridge
bridge(const struct dp_bridge_shape *s, bool is_dry)
{
	struct dp_setting set = setting(0, 1, 1, 1000);
	struct dp_bridge b;

	set.privacy.dry = is_dry;
	if (dp_bridge_set(&b, s, &set.privacy, false) != 0)
		abort();
	return b;
}

static struct dp_bridge
dry(const struct dp_bridge_shape *s)
{
	return bridge(s, true);
}

/* ---- definition ---- */

struct node {
	unsigned l;
	uint64_t J;
};

struct model {
	struct dp_bridge_shape s;
	struct node node[NODES];	/* in the order drawn */
	size_t n;
};

static void
draws(struct model *m, unsigned l, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		m->node[m->n++] = (struct node){ l, from };
}

static uint64_t
blocks(const struct dp_bridge_shape *s, unsigned l)
{
	return s->root ? (uint64_t)1 << (s->log2b[s->h - 1] - s->log2b[l]) : 0;
}

static void
draw_children(struct model *m, unsigned l, uint64_t J)
{
	const struct dp_bridge_shape *s = &m->s;
	uint64_t k = (uint64_t)1 << s->log2k[l], half = k / 2;

	if (l + 2 == s->h)
		draws(m, l + 1, J, J + 1);
	else if (J % ((uint64_t)1 << s->log2k[l + 1]) == 0)
		draw_children(m, l + 1, J >> s->log2k[l + 1]);
	if (!s->hat[l])
		draws(m, l, k * J, k * J + k);
	else {
		if (J == 0)
			draws(m, l, 0, half);
		draws(m, l, k * J + half, k * J + (J + 1 == blocks(s, l + 1) ? k : k + half));
	}
}

static void
model(struct model *m, const struct dp_bridge_shape *s, uint64_t T)
{
	uint64_t J, k = s->h == 1 ? 16 : (uint64_t)1 << s->log2k[0];

	m->s = *s;
	m->n = 0;
	for (J = 0; J * k < T; J++) {
		if (s->h == 1)
			draws(m, 0, J * k, J * k + k);
		else
			draw_children(m, 0, J);
	}
	if (m->n > NODES)
		abort();
}

/* What child j weighs in node J of level l >= 1, in units of 1/den_l times den_(l-1). */
static int64_t
mask(const struct dp_bridge_shape *s, unsigned l, uint64_t J, uint64_t j)
{
	int64_t k = (int64_t)1 << s->log2k[l - 1], i = (int64_t)j - k * (int64_t)J, half = k / 2;

	if (!s->hat[l - 1])
		return i >= 0 && i < k;
	if (J == 0 && i >= 0 && i < half)
		return 2 * k;
	if (J + 1 == blocks(s, l) && i >= half)
		return i < k ? 2 * k : 0;
	if (i >= -half && i < half)
		return 2 * (i + half) + 1;
	if (i >= half && i < k + half)
		return 2 * k - (2 * (i - half) + 1);
	return 0;
}

/* den_l M_l[J], as weights of the steps */
static void
measure(const struct dp_bridge_shape *s, unsigned l, uint64_t J, int64_t *row)
{
	int64_t below[WIDE], m;
	uint64_t j;
	int i;

	memset(row, 0, WIDE * sizeof *row);
	if (l == 0) {
		if (J < WIDE)
			row[J] = 1;
		return;
	}
	for (j = 0; j < (uint64_t)WIDE >> s->log2b[l - 1]; j++) {
		if ((m = mask(s, l, J, j)) == 0)
			continue;
		measure(s, l - 1, j, below);
		for (i = 0; i < WIDE; i++)
			row[i] += m * below[i];
	}
}

/* ---- library ---- */

/* w_1 .. w_T, in units of 2^-64, from the scripted draws z. */
static bool
generate(const struct dp_bridge *b, const int64_t *z, size_t n, uint64_t T, dp_wide *w)
{
	struct dp_bridge_column *c = aligned_alloc(64,
	    (dp_bridge_column_size(b) + 63) & ~(size_t)63);
	int64_t ahead[DP_BRIDGE_ROOM];
	unsigned i, block = dp_bridge_block(b);
	dp_wide offset;
	struct dp_rng *rng;
	uint64_t t;
	bool good = true;

	if (c == NULL || dp_rng_open_known(&rng, z, n) != 0)
		abort();
	memset(c, 0, dp_bridge_column_size(b));
	for (t = 0; t < T && good; t += block) {
		good = dp_bridge_fill(b, c, rng, t, ahead, &offset) == 0;
		for (i = 0; i < block && t + i < T && good; i++)
			w[t + i] = (dp_wide)ahead[i] * ((dp_wide)1 << 64) + offset;
	}
	good = good && rng->left == 0;
	dp_rng_free(rng);
	free(c);
	return good;
}

static dp_wide L[NODES][STEPS];

/* Every column of L; false if the model's number of draws is not the generator's. */
static bool
respond(const struct model *m, const struct dp_bridge *b, uint64_t T)
{
	int64_t z[NODES] = { 0 };
	bool good = true;
	size_t i;

	for (i = 0; i < m->n && good; i++) {
		z[i] = 1;
		good = generate(b, z, m->n, T, L[i]);
		z[i] = 0;
	}
	return good;
}

static void
matrices(const struct dp_bridge_shape *shape, uint64_t T, bool is_dry)
{
	static dp_wide A[STEPS][WIDE];
	struct dp_bridge_shape s = shares(*shape);
	struct dp_bridge b = bridge(&s, is_dry);
	int64_t row[WIDE], weight[DP_BRIDGE_LEVELS][WIDE] = { { 0 } };
	struct model m;
	bool good, full = true, most = true;
	size_t i, j, t;
	unsigned l;

	model(&m, &b.shape, T);
	if (!respond(&m, &b, T)) {
		fail("not as many draws as the model");
		return;
	}
	memset(A, 0, sizeof A);
	for (i = 0; i < m.n; i++) {
		measure(&b.shape, m.node[i].l, m.node[i].J, row);
		for (j = 0; j < WIDE; j++) {
			weight[m.node[i].l][j] += row[j];
			for (t = 0; row[j] != 0 && t < T; t++)
				A[t][j] += L[i][t] * row[j];
		}
	}
	for (good = true, t = 0; t < T; t++)
		for (j = 0; j < WIDE; j++)
			good &= A[t][j] == (dp_wide)(j == t) << 64;
	check(good);
	for (l = 0; l < s.h; l++)
		for (j = 0; j < WIDE; j++) {
			most &= weight[l][j] <= (int64_t)1 << b.shape.log2den[l];
			/* a node that begins later may count steps before it: not drawn yet */
			if (s.root ? T == (uint64_t)1 << b.shape.log2b[s.h - 1] && j < T :
			    j + ((uint64_t)2 << b.shape.log2b[l]) <= T)
				full &= weight[l][j] == (int64_t)1 << b.shape.log2den[l];
		}
	check(most);
	check(full);
}

/* ---- laws ---- */

static double
moment(const struct dp_law *law, int power)
{
	double sum = 0, c;
	unsigned i;

	for (i = 0; i < law->terms; i++) {
		c = law->term[i].coef * sqrt(dp_noise_variance(law->term[i].noise));
		sum += law->term[i].n * pow(c, power);
	}
	return sum;
}

static bool
near(double a, double b, double room)
{
	return fabs(a - b) <= room * (fabs(a) + fabs(b)) + 1e-9;
}

static void
laws(const struct dp_bridge_shape *shape, const struct dp_task *task, uint64_t T)
{
	struct dp_bridge_shape s = shares(*shape);
	struct dp_bridge b = dry(&s);
	struct dp_law law;
	struct model m;
	double c, z, two, four;
	uint64_t t, d;
	size_t i;
	bool good = true;

	model(&m, &b.shape, T);
	if (!respond(&m, &b, T)) {
		fail("not as many draws as the model");
		return;
	}
	for (t = 1; t <= T && good; t++) {
		for (two = four = 0, i = 0; i < m.n; i++) {
			for (c = 0, d = 0; d < t; d++)
				c += dp_task_weight(task, d) * ldexp((double)L[i][t - 1 - d], -64);
			z = c * c * dp_noise_variance(&b.noise[b.table[m.node[i].l]]);
			two += z;
			four += z * z;
		}
		dp_law_clear(&law);
		dp_bridge_law(&b, task, 0, t, &law);
		good = near(dp_law_variance(&law), two, 1e-9) && near(moment(&law, 4), four, 1e-9);
		if (!good)
			printf("task %d, shape %d, T %d, step %d: %.10g, not %.10g; "
			    "fourth %.10g, not %.10g\n",
			    (int)task->what, (int)(shape - small), (int)T, (int)t,
			    dp_law_variance(&law), two,
			    moment(&law, 4), four);
	}
	check(good);
}

static struct dp_task
task(enum dp_what what, uint64_t W, double alpha)
{
	struct dp_task k = { .what = what, .windows = what == DP_TASK_WINDOW, .w = { W },
	    .alpha = alpha };

	return k;
}

static double
variance(const struct dp_bridge *b, const struct dp_task *k, uint64_t t)
{
	struct dp_law law;

	dp_law_clear(&law);
	dp_bridge_law(b, k, 0, t, &law);
	return dp_law_variance(&law);
}

/* With slack the search must come as near as that: blocks that hold more may not be passed. */
static bool
nearly(const struct dp_bridge *b, const struct dp_task *k, uint64_t T, double max)
{
	const double slack = 1.0001;
	struct dp_bridge_tally q;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];
	uint64_t worst;
	double got;
	unsigned l;

	dp_bridge_tally_set(&q, rows, &b->shape, k, 0);
	for (l = 0; l < q.h; l++)
		q.v[l] = ldexp(dp_noise_variance(&b->noise[b->table[l]]),
		    -2 * (int)b->shape.log2den[l]);
	got = dp_bridge_tally_max(&q, T, slack, &worst);
	return got <= max * (1 + 1e-12) && got * slack * slack >= max && worst <= T &&
	    near(variance(b, k, worst), got, 1e-10);
}

static void
totals(const struct dp_bridge_shape *shape, const struct dp_task *k, uint64_t T)
{
	struct dp_bridge_shape s = shares(*shape);
	struct dp_bridge b = dry(&s);
	double v, sum = 0, max = -1, got;
	uint64_t t, worst = 0;
	bool good;

	for (t = 1; t <= T; t++) {
		v = variance(&b, k, t);
		sum += v;
		if (v > max)
			max = v;
	}
	got = dp_bridge_max(&b, k, 0, T, &worst);
	good = near(got, max, 1e-10) && near(variance(&b, k, worst), max, 1e-10) &&
	    worst >= 1 && worst <= T && near(dp_bridge_sum(&b, k, 0, T), sum, 1e-10) &&
	    nearly(&b, k, T, max);
	check(good);
	if (!good)
		printf("shape %d, task %d, W %d, alpha %g, T %d: max %.12g, not %.12g; "
		    "sum %.12g, not %.12g\n",
		    (int)(shape - small), (int)k->what, (int)k->w[0], k->alpha, (int)T, got, max,
		    dp_bridge_sum(&b, k, 0, T), sum);
}

static void
all_shapes(void)
{
	static const uint64_t W[] = { 1, 2, 5, 8, 13, 16, 24, 37 };
	static const double alpha[] = { .3, .9, .97, .999 };
	struct dp_task k;
	struct dp_bridge_shape s;
	struct dp_bridge b;
	uint64_t T;
	size_t i, j;

	for (i = 0; i < SHAPES; i++) {
		s = shares(small[i]);
		b = dry(&s);
		T = b.shape.root ? (uint64_t)1 << b.shape.log2b[s.h - 1] : 77;
		matrices(&small[i], T, true);
		matrices(&small[i], T, false);
		matrices(&small[i], T - 3, false);
		matrices(&small[i], 1, true);
		k = task(DP_TASK_COUNT, 0, 0);
		laws(&small[i], &k, T);
		for (j = 1; j <= T; j += j < 20 ? 1 : 19)
			totals(&small[i], &k, j);
		totals(&small[i], &k, T);
		if (b.shape.root)
			continue;
		totals(&small[i], &k, 1234);
		for (j = 0; j < sizeof W / sizeof W[0]; j++) {
			k = task(DP_TASK_WINDOW, W[j], 0);
			laws(&small[i], &k, 61);
			for (T = 1; T < 500; T += T < 40 ? 3 : 67)
				totals(&small[i], &k, T);
		}
		for (j = 0; j < sizeof alpha / sizeof alpha[0]; j++) {
			k = task(DP_TASK_EXP, 0, alpha[j]);
			laws(&small[i], &k, 61);
			for (T = 1; T < 1500; T += T < 40 ? 3 : 267)
				totals(&small[i], &k, T);
		}
	}
}

/*
 * A hat over 2 by hand: den 4, B 2; the first counts its first child whole, then 3/4, 1/4; the
 * second 1/4, 3/4, 3/4, 1/4.
 */
static void
by_hand(void)
{
	/*            Z1[0] z0 z1 z2 Z1[1] z3 z4 */
	int64_t z[] = { 40, 8, 16, 32, 60, 4, 24 };
	struct dp_bridge_shape s = shares(small[1]);
	struct dp_bridge b = dry(&s);
	dp_wide w[4];

	check(generate(&b, z, 7, 4, w));
	/* d_0 = 10 - 8 - 12 - 8 = -18; d_1 = 15 - 4 - 24 - 3 - 6 = -22 */
	check(w[0] == (dp_wide)(8 - 9) * ((dp_wide)1 << 64) &&
	    w[1] == (dp_wide)(16 - 9) * ((dp_wide)1 << 64));
	check(w[2] == (dp_wide)(32 - 11) * ((dp_wide)1 << 64) &&
	    w[3] == (dp_wide)(4 - 11) * ((dp_wide)1 << 64));
}

/* The noise of level l has scale den_l l1 / (epsilon share_l), and shares sum to 1. */
static void
scales(void)
{
	static const uint64_t T[] = { 1, 17, 300, 4096, 1000000, (uint64_t)1 << 30 };
	struct dp_setting set = setting(0, 3, 2, 7);
	struct dp_bridge_want want = { .dens = 64 };
	struct dp_bridge_shape s;
	struct dp_bridge b;
	double scale;
	uint64_t sum;
	size_t i;
	unsigned l;

	set.privacy.dry = true;
	want.dens = dp_bridge_dens(&set.privacy);
	for (i = 0; i < 2 * sizeof T / sizeof T[0]; i++) {
		want.T = T[i / 2];
		want.boxes = false;
		if (i & 1)
			dp_bridge_segment(&s, (unsigned)i / 2, &want);
		else if (dp_bridge_search(&s, &want) != 0)
			abort();
		check(dp_bridge_set(&b, &s, &set.privacy, false) == 0);
		for (sum = 0, l = 0; l < s.h; l++) {
			sum += s.share[l].num * (((uint64_t)1 << 24) / s.share[l].den);
			scale = ldexp(7 / 1.5 / dp_q_double(s.share[l]), (int)b.shape.log2den[l]);
			check(near(dp_q_double(b.noise[b.table[l]].param), scale, 1e-12));
			check(b.shape.log2den[l] == (l == 0 ? 0 : b.shape.log2den[l - 1] +
			    (s.hat[l - 1] ? s.log2k[l - 1] + 1 : 0)));
		}
		check(sum == (uint64_t)1 << 24);
	}
	/* what would not be exact is refused */
	s = (struct dp_bridge_shape){ .h = 8, .log2k = { 4, 4, 4, 4, 4, 4, 5 },
	    .hat = { true, true, true, true, true, true, true } };
	s = (struct dp_bridge_shape){ .h = 8, .log2k = { 4, 4, 4, 4, 4, 4, 5 },
	    .hat = { true, true, true, true, true, true, true } };
	for (l = 0; l < s.h; l++)
		s.share[l] = dp_q_make(1, 8);
	check(dp_bridge_set(&b, &s, &set.privacy, false) == DP_EINVAL);
	s.log2k[6] = 3;
	check(dp_bridge_set(&b, &s, &set.privacy, false) == 0);
	set.privacy.l1 = 70;
	check(dp_bridge_set(&b, &s, &set.privacy, false) == DP_ERANGE);
}

/*
 * The largest draws there can be, in the widest hats: nothing overflows (sanitizers), and w is
 * still linear in the draws.
 */
static void
largest(void)
{
	static int64_t z[8192];
	struct dp_bridge_shape s = shares((struct dp_bridge_shape){ .h = 3, .log2k = { 6, 6 },
	    .hat = { true, true } });
	struct dp_bridge b = dry(&s);
	static dp_wide w[4096], one[4096];
	/* the draws of the first node of the top row */
	size_t i, n = 1 + 64 + 32 + 64 * 64 + 32;
	bool good = true;

	for (i = 0; i < n; i++)
		z[i] = i & 1 ? 1 : -1;
	check(generate(&b, z, n, 4096, one));
	for (i = 0; i < n; i++)
		z[i] *= ((int64_t)1 << 56) - 1;
	check(generate(&b, z, n, 4096, w));
	for (i = 0; i < 4096; i++)
		good &= w[i] == one[i] * (((dp_wide)1 << 56) - 1);
	check(good);
}

/* epsilon inf: exact, also where segments meet. */
static void
no_noise(void)
{
	static const uint64_t T[] = { 0, 1, 2, 100, 5000 };
	struct dp_setting s;
	struct dp_mech *m;
	struct column c;
	int64_t est, sum;
	size_t i;
	uint64_t t;
	bool good = true;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		s = setting(T[i], 0, 1, 1);
		m = make("hats", &s);
		check(column_new(&c, m, NULL) == 0);
		for (sum = 0, t = 1; t <= (T[i] == 0 ? 5000 : T[i]); t++) {
			sum += (int64_t)(t % 3);
			good &= column_step(&c, (int64_t)(t % 3), &est) == 0 && est == sum;
		}
		column_free(&c);
		dp_mech_free(m);
	}
	check(good);
}

static void
error_of(const char *name, const struct dp_setting *s, uint64_t T, struct dp_error *e)
{
	struct dp_mech *m = make(name, s);

	if (m == NULL)
		abort();
	dp_mech_error(m, T, e);
	dp_mech_free(m);
}

/* Segments: closed forms against every step. */
static void
segments(void)
{
	static const uint64_t T[] = { 200, 256, 257, 271, 272, 1000, 4000 };
	struct dp_setting s = setting(0, 1, 1, 1);
	struct dp_error e, brute;
	struct dp_mech *m = make("hats", &s);
	size_t i;

	for (i = 0; i < sizeof T / sizeof T[0]; i++) {
		m->ops->error(m, T[i], &e);
		error_brute(m, T[i], &brute);
		check(near(e.max, brute.max, 1e-10) && near(e.mean, brute.mean, 1e-10));
		check(near(dp_mech_variance(m, e.worst), e.max, 1e-10));
	}
	dp_mech_free(m);
}

/*
 * Root-mean-square errors in units of l1/epsilon, worst step and mean; continuous noise, as l1 is a
 * thousand. The best known before, worst and mean each by a mechanism of its own, and boxes for
 * unknown T.
 */
static void
targets(void)
{
	static const struct {
		unsigned log2t;
		double max, mean, endless_max, endless_mean;
	} row[] = {
		{ 8, 10.9, 8.45, 11.1, 9.3 }, { 12, 18.0, 14.27, 19.0, 15.8 },
		{ 16, 26.27, 20.92, 28.0, 23.4 },
		{ 20, 35.46, 28.37, 38.0, 31.8 }, { 24, 45.53, 36.54, 48.9, 41.0 },
		{ 30, 61.67, 49.86, 70.7, 57.4 }
	};
	static const uint64_t l1[] = { 1, 1000 };
	struct dp_setting s;
	struct dp_error e, u;
	size_t i, j;

	for (i = 0; i < sizeof row / sizeof row[0]; i++)
		for (j = 0; j < 2; j++) {
			s = setting((uint64_t)1 << row[i].log2t, 1, 1, l1[j]);
			error_of("hats", &s, s.horizon, &e);
			s.horizon = 0;
			s.report = (uint64_t)1 << row[i].log2t;
			error_of("hats", &s, s.report, &u);
			printf("T = 2^%u, l1 = %d: %.3f/%.3f, T unknown %.3f/%.3f\n", row[i].log2t,
			    (int)l1[j],
			    sqrt(e.max) / (double)l1[j], sqrt(e.mean) / (double)l1[j],
			    sqrt(u.max) / (double)l1[j], sqrt(u.mean) / (double)l1[j]);
			check(sqrt(e.max) < row[i].max * (double)l1[j] &&
			    sqrt(e.mean) < row[i].mean * (double)l1[j]);
			check(sqrt(u.max) < row[i].endless_max * (double)l1[j] &&
			    sqrt(u.mean) < row[i].endless_mean * (double)l1[j]);
		}
}

/* The same for windows and exponential decay, over 2^20 steps. */
static void
filter_targets(void)
{
	static const struct {
		struct dp_task task;
		double max, mean;
	} row[] = {
		{ { .what = DP_TASK_WINDOW, .windows = 1, .w = { 256 } }, 13.47, 12.05 },
		{ { .what = DP_TASK_WINDOW, .windows = 1, .w = { 4096 } }, 23.16, 20.18 },
		{ { .what = DP_TASK_WINDOW, .windows = 1, .w = { 65536 } }, 34.45, 29.59 },
		{ { .what = DP_TASK_WINDOW, .windows = 2, .w = { 16, 65536 } }, 34.45, 29.59 },
		/* independent noise is best here: sqrt(2 W) and sqrt(2 / (1 - alpha^2)) */
		{ { .what = DP_TASK_WINDOW, .windows = 1, .w = { 16 } }, 5.6569, 5.6569 },
		{ { .what = DP_TASK_EXP, .alpha = .9 }, 3.2445, 3.2445 },
		{ { .what = DP_TASK_EXP, .alpha = .99 }, 7.37, 6.66 },
		{ { .what = DP_TASK_EXP, .alpha = .999 }, 12.66, 11.01 },
		{ { .what = DP_TASK_EXP, .alpha = .9999 }, 18.92, 16.15 }
	};
	struct dp_setting s = setting(0, 1, 1, 1000);
	struct dp_mech_rule rule = { .privacy = s.privacy, .report = (uint64_t)1 << 20 };
	struct dp_error e, f;
	struct dp_gen *g, *boxes;
	size_t i;
	unsigned out;

	rule.privacy.dry = true;
	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		rule.task = row[i].task;
		if (dp_hats_gen.create(&g, &rule) != 0 || dp_bridge_gen.create(&boxes, &rule) != 0)
			abort();
		out = rule.task.windows > 1;
		g->ops->error(g, out, rule.report, &e);
		boxes->ops->error(boxes, out, rule.report, &f);
		printf("W = %d, alpha = %g: %.3f/%.3f, boxes %.3f/%.3f\n", (int)rule.task.w[out],
		    rule.task.alpha,
		    sqrt(e.max) / 1000, sqrt(e.mean) / 1000, sqrt(f.max) / 1000,
		    sqrt(f.mean) / 1000);
		check(sqrt(e.max) < row[i].max * 1000 && sqrt(e.mean) < row[i].mean * 1000);
		check(e.max <= f.max * 1.0001 && e.mean <= f.mean * 1.0001);
		dp_gen_free(g);
		dp_gen_free(boxes);
	}
}

/* A shape as the search leaves it: what it predicts against every step, T on both sides of 2^i. */
static void
searched(void)
{
	static const struct dp_task task[] = {
		{ .what = DP_TASK_EXP, .alpha = .9 }, { .what = DP_TASK_EXP, .alpha = .99 },
		{ .what = DP_TASK_EXP, .alpha = .999 }, { .what = DP_TASK_EXP, .alpha = .9999 },
		{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 100 } },
		{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 600 } }, { .what = DP_TASK_COUNT }
	};
	static const char *const name[] = { "bridge", "hats" };
	struct dp_setting s;
	struct dp_error e, brute;
	struct dp_mech *m;
	uint64_t T;
	size_t i, j;
	unsigned log2t;
	bool good;

	for (i = 0; i < 2 * sizeof task / sizeof task[0]; i++)
		for (log2t = 2; log2t <= 11; log2t += log2t < 7 ? 2 : 1)
			for (j = 0; j < 3; j++) {
				T = ((uint64_t)1 << log2t) + j - 1;
				s = setting(T, 1, 1, 1);
				s.task = task[i / 2];
				m = make(name[i & 1], &s);
				dp_mech_error(m, T, &e);
				error_brute(m, T, &brute);
				good = near(e.max, brute.max, 1e-9) &&
				    near(e.mean, brute.mean, 1e-9) &&
				    near(dp_mech_variance(m, e.worst), brute.max, 1e-9);
				check(good);
				if (!good)
					printf("%s, task %d, alpha %g, T %d: %.6g/%.6g, "
					    "not %.6g/%.6g\n", name[i & 1],
					    (int)s.task.what, s.task.alpha, (int)T,
					    e.max, e.mean, brute.max, brute.mean);
				dp_mech_free(m);
			}
}

/*
 * How many of a mechanism's families say that boxes stand for hats, and how many that those do not
 * fit.
 */
static void
words(const char *name, uint64_t T, uint64_t l1, unsigned *families, unsigned *boxes,
    unsigned *misfits)
{
	struct dp_setting s = setting(T, 1, 1000, l1);
	struct dp_mech *m = make(name, &s);
	const struct dp_noise *z;
	const char *what;

	*boxes = *misfits = 0;
	for (*families = 0; m != NULL && dp_mech_family(m, *families, &z, &what); ++*families) {
		*boxes += strstr(what, ", boxes") != NULL;
		*misfits += strstr(what, "(hats would need a scale above 2^40)") != NULL;
	}
	dp_mech_free(m);
}

static void
said(void)
{
	unsigned n, boxes, misfits;

	words("bridge", 10000, 1, &n, &boxes, &misfits);
	check(n > 1 && boxes == 0);
	words("hats", 10000, 1, &n, &boxes, &misfits);
	check(n > 1 && boxes < n - 1 && misfits == 0);
	words("hats", 10000, 1 << 17, &n, &boxes, &misfits);	/* some fit: 2^27 left, of 2^40 */
	check(n > 2 && misfits > 0 && misfits < n - 1 && boxes >= misfits);
	words("hats", 10000, 1 << 26, &n, &boxes, &misfits);	/* none fits */
	check(n > 1 && misfits == n - 1);
	words("hats", 0, 5 << 22, &n, &boxes, &misfits);
	check(n > 1 && misfits == n - 1);
}

int
main(int argc, char **argv)
{
	by_hand();
	scales();
	largest();
	no_noise();
	all_shapes();
	segments();
	said();
	searched();
	if (argc < 2 || strcmp(argv[1], "quick") != 0) {
		targets();
		filter_targets();
	}
	return done();
}
