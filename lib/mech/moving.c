#include <math.h>
#include <stdlib.h>

#include "moving.h"

#define WORDS		40	/* of a row: one for s, the others for the points of an inversion */
#define LANES		8	/* words handled together; WORDS is a multiple */
#define DEGREE		8	/* powers */
#define PIECES		4	/* of 0..1, with a polynomial each */
#define SLOTS		1024	/* parts kept, a piece counting as one */
#define ASKED		4	/* times a part is met before it is learnt */
#define PATIENCE	16	/* laws not told before points are set up, at first */
#define WIDE		1e5	/* such a bound may be a little too wide instead */
#define SMALL		1e-9	/* in parts of gamma, next to nothing */

/*
 * A part met before.  Row m of its numbers are the factors of T_m(u), u in -1..1 over a piece of x:
 * of E exp(s X), and of the characteristic function at each point.  The last row is by how much
 * each may be wrong, in parts of itself.
 */
struct slot {
	uint64_t key;
	unsigned degree;
	unsigned asked;			/* 0: an empty slot */
};

struct dp_moving {
	const struct dp_mech *m;
	unsigned out;
	double gamma;
	struct dp_law law;		/* of one part */
	unsigned points;		/* 0: nothing is set up */
	double step, s;			/* points are at step, 2 step, .. */
	double weight[WORDS];		/* 1 for s, 0 beyond the points */
	double matters[WORDS];		/* relative errors that matter there */
	double scale;			/* last bound over sqrt(-log phi) at the first point */
	unsigned misses, patience;
	struct slot slot[SLOTS];
	double row[SLOTS][DEGREE + 1][WORDS];
};

struct dp_moving *
dp_moving_create(const struct dp_mech *m, unsigned out, double gamma)
{
	struct dp_moving *v = calloc(1, sizeof *v);	/* what is not used takes no memory */

	if (v != NULL) {
		v->m = m;
		v->out = out;
		v->gamma = gamma;
		v->patience = PATIENCE;
	}
	return v;
}

void
dp_moving_free(struct dp_moving *v)
{
	free(v);
}

/* ---- parts ---- */

/* T_0 .. T_(DEGREE-1): T_(a+b) = 2 T_a T_b - T_(a-b) */
static inline void
chebyshev(double u, double *T)
{
	unsigned m;

	T[0] = 1;
	T[1] = u;
	for (m = 2; m < DEGREE; m++)
		T[m] = 2 * T[m / 2] * T[m - m / 2] - (m & 1 ? u : 1);
}

/* A row of the values at the DEGREE zeros of T_DEGREE, point i: a cosine transform. */
static void
transform(double (*at)[WORDS], unsigned i, double (*row)[WORDS])
{
	unsigned j, m;
	double sum;

	for (m = 0; m < DEGREE; m++) {
		for (sum = 0, j = 0; j < DEGREE; j++)
			sum += at[j][i] * cos(M_PI * m * (j + .5) / DEGREE);
		row[m][i] = (m == 0 ? 1 : 2) * sum / DEGREE;
	}
}

/* The part's law at the DEGREE zeros of T_DEGREE; at one that stands still there is but one. */
static void
sample(struct dp_moving *v, const struct dp_part *part, unsigned piece, double (*at)[WORDS])
{
	struct dp_part here = *part;
	unsigned j;

	for (j = 0; j < DEGREE; j++) {
		if (j > 0 && part->still) {
			memcpy(at[j], at[0], sizeof at[0]);
			continue;
		}
		if (!part->still)
			here.x = (piece + (1 + cos(M_PI * (j + .5) / DEGREE)) / 2) / PIECES;
		dp_law_clear(&v->law);
		v->m->ops->part(v->m, v->out, &here, &v->law);
		at[j][0] = exp(dp_law_cumulant(&v->law, v->s));
		dp_law_waves(&v->law, v->step, v->points, at[j] + 1);
	}
}

/* The factors fall geometrically: as many are kept as matter; the last two say what is beyond. */
static void
learn(struct dp_moving *v, const struct dp_part *part, unsigned piece, struct slot *slot)
{
	double (*row)[WORDS] = v->row[slot - v->slot], at[DEGREE][WORDS], least, beyond;
	unsigned i, j, m;

	sample(v, part, piece, at);
	slot->degree = 0;
	for (i = 0; i <= v->points; i++) {
		transform(at, i, row);
		for (least = at[0][i], j = 1; j < DEGREE; j++)
			least = fmin(least, at[j][i]);
		beyond = 2 * fabs(row[DEGREE - 1][i]) + fabs(row[DEGREE - 2][i]);
		for (m = DEGREE - 1; m > slot->degree &&
		    beyond + fabs(row[m][i]) < v->matters[i] * least; m--)
			beyond += fabs(row[m][i]);
		slot->degree = m;
		row[DEGREE][i] = 2 * beyond / least + 1e-15;
	}
}

/* NULL: not learnt yet. */
static const struct slot *
find(struct dp_moving *v, const struct dp_part *part, unsigned piece)
{
	const uint64_t key = part->key * PIECES + piece;
	const uint64_t h = (key * 0x9e3779b97f4a7c15u) >> 40;
	const unsigned enough = part->still ? 1 : ASKED;
	struct slot *slot = NULL;
	unsigned i;

	for (i = 0; i < 8; i++) {
		slot = &v->slot[(h + i) % SLOTS];
		if (slot->asked == 0 || slot->key == key)
			break;
	}
	if (i == 8)			/* a full neighbourhood: another one's place */
		slot = &v->slot[(h + key % 8) % SLOTS];
	if (slot->key != key)
		slot->asked = 0;
	slot->key = key;
	if (slot->asked < enough && ++slot->asked == enough)
		learn(v, part, piece, slot);
	return slot->asked < enough ? NULL : slot;
}

/* ---- points ---- */

/* An s for which E exp(s X) is there, whatever the coefficients: they are at most 1. */
static double
choose_s(const struct dp_mech *m, const struct dp_law *law)
{
	double s = 6 / sqrt(dp_law_variance(law)), b;
	const struct dp_noise *z;
	const char *what;
	unsigned i;

	for (i = 0; dp_mech_family(m, i, &z, &what); i++) {
		b = dp_q_double(z->param) * dp_mech_unit(m, i);
		if (z->kind == DP_NOISE_LAPLACE && s * b > .8)
			s = .8 / b;
	}
	while (!isfinite(dp_law_cumulant(law, s / .8)))
		s *= .8;
	return s;
}

/* Points for a law whose bound is w, and for those of half its variance to twice it. */
static void
set_up(struct dp_moving *v, const struct dp_law *law, double w)
{
	double phi[WORDS], reach;
	unsigned i;

	v->points = 0;
	v->s = choose_s(v->m, law);
	/* what is wrapped around: a tenth of SMALL; twice the variance: twice the cumulant */
	reach = (2 * dp_law_cumulant(law, v->s) + log(20 / SMALL / v->gamma)) / v->s;
	v->step = 2 * M_PI / (1.5 * w + 1 + reach);
	if (WORDS * v->step > 2 * M_PI)		/* hardly any noise */
		return;
	dp_law_waves(law, v->step, WORDS - 1, phi + 1);
	memset(v->weight, 0, sizeof v->weight);
	v->weight[0] = 1;
	v->matters[0] = 1e-3;
	for (i = 1; i < WORDS && (i == 1 || sqrt(phi[i - 1]) > SMALL * v->gamma); i++) {
		v->weight[i] = dp_law_wave_weight(v->step, i);
		v->matters[i] = SMALL * v->gamma / (v->step * v->weight[i] * sqrt(phi[i]));
	}
	v->points = i - 1;
	v->scale = w / sqrt(-log(phi[1]));
	for (i = 0; i < SLOTS; i++)
		v->slot[i].asked = 0;
}

void
dp_moving_use(struct dp_moving *v, const struct dp_law *law, double w)
{
	if (v->points == 0)
		v->misses++;
	if (law->parts != 0 || v->misses < v->patience || !(dp_law_variance(law) > 0) ||
	    dp_law_whole(law))
		return;
	v->misses = 0;
	v->patience *= 2;
	set_up(v, law, w);
}

/* ---- laws ---- */

typedef double pair __attribute__((vector_size(16)));

static inline pair
load(const double *p)
{
	pair x;

	memcpy(&x, p, sizeof x);
	return x;
}

/* A part at its x. */
struct factor {
	double (*row)[WORDS];
	double T[DEGREE];
	unsigned degree;
	bool gone;
};

/* x[0 .. LANES - 1] = row[0] + T_1 row[1] + .., from word j on */
static inline void
series(const struct factor *f, unsigned j, pair x[LANES / 2])
{
	const double *p = f->row[0] + j;
	pair a = load(p), b = load(p + 2), c = load(p + 4), d = load(p + 6);
	unsigned m;

	for (m = 1; m <= f->degree; m++) {
		p += WORDS;
		a += f->T[m] * load(p);
		b += f->T[m] * load(p + 2);
		c += f->T[m] * load(p + 4);
		d += f->T[m] * load(p + 6);
	}
	x[0] = a;
	x[1] = b;
	x[2] = c;
	x[3] = d;
}

/* What is known of a law: word 0 is E exp(s X), the others its weighted characteristic function. */
struct known {
	double word[WORDS];
	unsigned points;		/* what is beyond is next to nothing */
	double error;			/* of a probability */
};

static void
multiply(const struct dp_moving *v, const struct factor *f, unsigned factors, struct known *y)
{
	pair x[LANES / 2], product[LANES / 2], wrong[LANES / 2];
	double off[LANES], sum = 0;
	unsigned i, j, l;

	for (j = 0; j <= v->points; j += LANES) {
		memcpy(product, v->weight + j, sizeof product);
		memset(wrong, 0, sizeof wrong);
		for (i = 0; i < factors; i++) {
			series(&f[i], j, x);
			for (l = 0; l < LANES / 2; l++) {
				product[l] = f[i].gone ? product[l] / x[l] : product[l] * x[l];
				wrong[l] += load(f[i].row[DEGREE] + j + 2 * l);
			}
		}
		memcpy(y->word + j, product, sizeof product);
		memcpy(off, wrong, sizeof wrong);
		if (j == 0)		/* a sum of powers may be anything where it is off */
			y->word[0] = off[0] < .1 ? y->word[0] * (1 + off[0]) : INFINITY;
		for (l = j == 0; l < LANES; l++)
			sum += y->word[j + l] * off[l];
		if (y->word[j + LANES - 1] < SMALL * v->gamma)
			break;
	}
	y->points = j + LANES - 1 < v->points ? j + LANES - 1 : v->points;
	y->error = 2 / M_PI * v->step * (sum + y->points * y->word[y->points]);
}

/* A bound of two probabilities: 1: w is a bound, -1: it is not, 0: nobody knows. */
static int
judge(const struct dp_moving *v, const struct known *y, double w)
{
	const double period = 2 * M_PI / v->step;
	const double p = dp_law_wave_tail(y->word + 1, y->points, v->step,
	    v->m->between ? w : w + .5);
	const double error = y->error + 2 * y->word[0] * exp(-v->s * (period - w - 1));

	return p + error <= v->gamma ? 1 : p - error > v->gamma ? -1 : 0;
}

/* The least w >= 0 that is judged a bound, from a guess on; whether all below are judged none. */
static bool
search(const struct dp_moving *v, const struct known *y, double *w)
{
	double lo = -1, hi = INFINITY, step = 1, at = *w;
	int verdict, below = -1;

	while (hi - lo > 1) {
		verdict = judge(v, y, at);
		if (verdict == 1)
			hi = at;
		else {
			lo = at;
			below = verdict;
		}
		at = isinf(hi) ? lo + step : lo < 0 ? fmax(0, hi - step) : floor((lo + hi) / 2);
		step *= 2;
		if (step > 0x1p60)	/* not within reach: nothing of it is true */
			return false;
	}
	*w = hi;
	return below == -1 || hi >= WIDE;
}

/* The parts of the law, as factors; 0: it has none, or one of them is not learnt yet. */
static unsigned
find_all(struct dp_moving *v, uint64_t t, struct factor *f)
{
	struct dp_part part[DP_PARTS];
	unsigned i, piece, n = v->m->ops->parts(v->m, v->out, t, part);
	const struct slot *slot;
	bool all = true;

	for (i = 0; i < n; i++) {
		piece = part[i].still ? 0 : (unsigned)fmax(0, fmin(PIECES * part[i].x, PIECES - 1));
		if ((slot = find(v, &part[i], piece)) == NULL) {
			all = false;
			continue;
		}
		f[i].row = v->row[slot - v->slot];
		f[i].degree = slot->degree;
		f[i].gone = part[i].gone;
		chebyshev(2 * (PIECES * part[i].x - piece) - 1, f[i].T);
	}
	return all ? n : 0;
}

bool
dp_moving_tell(struct dp_moving *v, uint64_t t, double *w)
{
	struct factor f[DP_PARTS];
	struct known y;
	double root;
	unsigned n;

	if (v->points == 0 || (n = find_all(v, t, f)) == 0)
		return false;
	v->misses++;
	multiply(v, f, n, &y);
	root = sqrt(-log(y.word[1] / v->weight[1]));
	*w = floor(v->scale * root);
	if (!(y.error < v->gamma / 100 && *w >= 0 && *w < 0x1p60) || !search(v, &y, w))
		return false;
	v->scale = *w / root;
	if (y.points + LANES >= v->points)
		v->misses--;
	else if (v->misses >= v->patience)	/* fewer points would do */
		return false;
	return true;
}
