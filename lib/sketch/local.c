/* SPDX-License-Identifier: ISC */
/* local.c - local randomisers: what they share, each of them, and totals from their answers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "local.h"

/* What local randomisers share (local.h). */

#define STEPS	400			/* rates tried for the lower bound */

static void
local_describe(const struct dp_task *k, char *text, size_t size)
{
	const struct dp_local_task *a = k->own;

	snprintf(text, size, "a randomised answer to every line, one of %zu symbols; a line that "
	    "is none of them is answered as %s; errors are those of one symbol's total of the "
	    "answers so far, as told by --estimate", a->symbols, a->other >= 0 ?
	    "the one that --other names" : "one drawn at random");
}

static double
lower_bound(const struct dp_task *k, uint64_t n, double eps, double delta, double beta)
{
	(void)k;
	(void)delta;
	return dp_local_lower(n, eps, beta);
}

const struct dp_statistic dp_local_statistic = {
	.name = "answers", .describe = local_describe, .measure = DP_MEASURE_RMSE, .fades = true,
	.local = true, .symbols = true,
	.lower = DP_LOWER_LOCAL, .lower_bound = lower_bound
};

int
dp_local_new(struct dp_local **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *ops, size_t column)
{
	const struct dp_local_task *a = rule->task.own;
	struct dp_local *l;

	if (a->symbols < 2 || (a->width == 0 && a->symbols > DP_LOCAL_SYMBOLS_MAX) ||
	    (a->other >= 0 && (uint64_t)a->other >= a->symbols))
		return DP_EINVAL;
	if ((l = dp_mech_alloc(ops, sizeof *l, rule->horizon, column)) == NULL)
		return DP_ENOMEM;
	l->K = l->counts = a->symbols;
	l->other = a->other;
	l->others = l->own = 1;
	l->m.answers.each = a->answers != 0 ? a->answers : 1;
	*out = l;
	return 0;
}

/* An answer spends 1/N of epsilon, where a person gives N. */
int
dp_local_coin(struct dp_local *l, const struct dp_mech_rule *rule, struct dp_q odds)
{
	int e = dp_privacy_coin(&l->coin, &rule->privacy, dp_q_make(1, l->m.answers.each), odds);

	if (e != 0)
		dp_mech_free(&l->m);
	return e;
}

/* miss = 1 - p and gap = p - q > 0, neither found by that difference. */
static void
dp_local_set(struct dp_local *l, double p, double miss, double q, double gap)
{
	l->p = p;
	l->q = q;
	l->gap = gap;
	l->m.answers.none = q * (1 - q) / (gap * gap);
	l->m.answers.all = p * miss / (gap * gap);
}

const struct dp_local *
dp_local_of(const struct dp_mech *m)
{
	return (const struct dp_local *)(const void *)m;
}

int
dp_local_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_local *l = dp_local_of(m);

	return dp_certificate_coin(b, &l->coin, l->others, l->own,
	    l->m.answers.each);
}

/* Var C_v of one answer, its mean over the symbols. */
static double
variance_local(const struct dp_local *l)
{
	return l->m.answers.none + (l->m.answers.all - l->m.answers.none) / (double)l->K;
}

/* For the ops tables. */
static void
dp_local_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *law)
{
	const struct dp_local *l = dp_local_of(m);

	(void)out;
	if (l->coin.always)
		return;
	law->bits = (double)t;
	law->gap = l->gap;
	law->each = variance_local(l);
}

/* For the ops tables. */
static void
dp_local_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = (double)T * variance_local(dp_local_of(m));
	e->worst = T;
	e->mean = variance_local(dp_local_of(m)) * ((double)T + 1) / 2;
}

int
dp_local_symbol(const struct dp_local *l, struct dp_rng *rng, int64_t x, uint64_t *v)
{
	uint64_t any = (uint64_t)l->other;
	int e;

	/* drawn for every line, so that time hides lines outside the symbols */
	if (l->other < 0 && (e = dp_fair(rng, l->K, &any)) != 0)
		return e;
	*v = x >= 0 ? (uint64_t)x : any;
	return 0;
}

/* The largest N with P(Bin(n, p) <= N - 1) <= most. */
static double
quantile_local(double n, double p, double most)
{
	double lo = 0, hi = n + 1, mid;		/* at lo it holds, at hi it does not */

	while (hi - lo > 1) {
		mid = floor((lo + hi) / 2);
		if (dp_binomials_above(n, 1 - p, 0, 0.5, n - mid + 1) <= most)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Let all lines be 0, or each by itself 1 with probability p = c / sqrt(n).  The law of an answer
 * is M_0, or (1-p) M_0 + p M_1, and the chi-square divergence of the second from the first is p^2
 * that of M_1 from M_0, of which the ratio is within e^(+-epsilon): at most (2 sinh(epsilon/2))^2,
 * attained at the ends.  Kullback and Leibler's divergence is no larger, adds up over the n
 * answers, also if each randomiser was chosen after a look at the answers before, and by Pinsker's
 * inequality the total variation of all answers is at most TV = c sqrt(2) sinh(epsilon/2).
 * An estimate with an error below N/2 is below N/2 in the first case, with probability 1 - beta,
 * and above it in the second if there are N ones.  So 1 - beta <= TV + P(Bin(n, p) < N) + beta, and
 * N/2 is a bound wherever TV + P(Bin(n, p) < N) < 1 - 2 beta.
 */
double
dp_local_lower(uint64_t n, double eps, double beta)
{
	const double one = M_SQRT2 * sinh(eps / 2), root = sqrt((double)n);
	double c, left, N, best = 0;
	int i;

	for (i = 1; i < STEPS; i++) {
		c = (1 - 2 * beta) / one * i / STEPS;
		left = 1 - 2 * beta - c * one - 1e-9;
		if (!(left > 0) || c > root)
			break;
		N = quantile_local((double)n, c / root, left);
		best = N > best ? N : best;
	}
	return best / 2;
}

/* Answers that are a set of symbols: as text, and counted (local.h). */

#define PLANES_BITS	6
#define FULL	((1u << PLANES_BITS) - 1)	/* answers that planes can hold */

#define BYTES	DP_LOCAL_BYTES

/* Byte i of a word, the lowest first, is that at i ^ SWAPPED in memory. */
#define SWAPPED	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0u : 7u)

static size_t
dp_local_words(size_t K)
{
	return (K + 63) / 64;
}

static size_t
dp_local_text(const struct dp_local *l)
{
	return strlen(l->m.ops->name) + 1 + (l->K + 3) / 4;
}

/* The four bits of each digit, the other way round. */
static uint64_t
mirrored(uint64_t w)
{
	w = (w >> 1 & BYTES(0x55)) | (w & BYTES(0x55)) << 1;
	return (w >> 2 & BYTES(0x33)) | (w & BYTES(0x33)) << 2;
}

/* A digit's character, without a branch. */
static char
digit(unsigned four)
{
	return (char)(four + '0' + (four > 9 ? 'a' - '0' - 10 : 0));
}

/* Bytes of words as two digits each, the first symbols' first: a loop that vectors can run. */
static void
put_bytes(char *restrict p, const uint8_t *restrict word, size_t n)
{
	size_t i;
	uint8_t b;

	for (i = 0; i < n; i++) {
		b = word[i ^ SWAPPED];
		b = (uint8_t)((b >> 1 & 0x55) | (b & 0x55) << 1);
		b = (uint8_t)((b >> 2 & 0x33) | (b & 0x33) << 2);
		p[2 * i] = digit(b & 15u);
		p[2 * i + 1] = digit(b >> 4);
	}
}

char *
dp_local_put(const struct dp_mech *m, const void *col, dp_wide est, char *p)
{
	const struct dp_local *l = dp_local_of(m);
	const uint8_t *words = col;
	const size_t whole = l->K / 64 * 8, rest = (l->K % 64 + 3) / 4;
	char last[16];

	(void)est;
	p = stpcpy(p, m->ops->name);
	*p++ = ':';
	put_bytes(p, words, whole);
	p += 2 * whole;
	if (rest > 0) {
		put_bytes(last, words + whole, 8);
		memcpy(p, last, rest);
	}
	return p + rest;
}

bool
dp_local_untag(const struct dp_local *l, struct dp_slice *s)
{
	const char *name = l->m.ops->name;
	const size_t n = strlen(name);

	if (s->n <= n || memcmp(s->p, name, n) != 0 || s->p[n] != ':')
		return false;
	s->p += n + 1;
	s->n -= n + 1;
	return true;
}

/* Eight bytes, which should be digits, as a number, the first one lowest; *bad: some are not. */
static uint64_t
number_of(const char *p, uint64_t *bad)
{
	const uint64_t high = BYTES(0x80);
	uint64_t c, n, ascii, digit, letter;

	memcpy(&c, p, sizeof c);
	c = le64toh(c);
	ascii = c & ~high;
	/* the high bit of a byte: it is at least this, less than that; no byte borrows */
	digit = ((ascii | high) - BYTES('0')) & ~((ascii | high) - BYTES('9' + 1));
	letter = ((ascii | high) - BYTES('a')) & ~((ascii | high) - BYTES('f' + 1)) & high;
	*bad |= ((digit | letter) ^ high) & high;
	*bad |= c & high;
	n = (c & BYTES(0x0f)) + (letter >> 7) * 9;
	n = (n | n >> 4) & 0x00ff00ff00ff00ff;
	n = (n | n >> 8) & 0x0000ffff0000ffff;
	return (n | n >> 16) & 0xffffffff;
}

/* The digits of K symbols into words; false: they are no set of this many. */
static bool
read_set(const struct dp_local *l, unsigned named, uint64_t *w, const char *p)
{
	const size_t whole = l->K / 64, rest = (l->K % 64 + 3) / 4;
	char last[16];
	uint64_t bad = 0;
	unsigned set = 0;
	size_t i;

	for (i = 0; i < whole; i++, p += 16) {
		w[i] = mirrored(number_of(p, &bad) | number_of(p + 8, &bad) << 32);
		set += dp_local_ones(w[i]);
	}
	if (rest > 0) {
		memset(last, '0', sizeof last);
		memcpy(last, p, rest);
		w[i] = mirrored(number_of(last, &bad) | number_of(last + 8, &bad) << 32);
		set += dp_local_ones(w[i]);
		bad |= w[i] >> l->K % 64;
	}
	return bad == 0 && (named == 0 || set == named);
}

/*
 * Behind the K totals: what is counted side by side, plane j holding bit j of each symbol's number;
 * how many answers that are; and the answer that is read.
 */
struct aside {
	uint64_t *plane, *n, *set;
};

static struct aside
aside(const struct dp_local *l, int64_t *count)
{
	const size_t words = dp_local_words(l->K);
	uint64_t *p = (uint64_t *)count + l->K;

	return (struct aside){ p, p + PLANES_BITS * words, p + PLANES_BITS * words + 1 };
}

/*
 * Numbers that dp_local_add() counts into, dp_local_support() ends.  named: how many symbols there
 * must be; 0: any number.
 */
static size_t
dp_local_counts(size_t K)
{
	return K + (PLANES_BITS + 1) * dp_local_words(K) + 1;
}

/* To the totals. */
static void
empty(const struct dp_local *l, int64_t *count, struct aside *a)
{
	const size_t words = dp_local_words(l->K);
	uint64_t w[PLANES_BITS];
	size_t v, i;
	unsigned j;

	for (i = 0; i < words; i++) {
		for (j = 0; j < PLANES_BITS; j++)
			w[j] = a->plane[j * words + i];
		for (v = 64 * i; v < 64 * i + 64 && v < l->K; v++)
			for (j = 0; j < PLANES_BITS; j++) {
				count[v] += (int64_t)(w[j] & 1) << j;
				w[j] >>= 1;
			}
	}
	memset(a->plane, 0, PLANES_BITS * words * sizeof *a->plane);
	*a->n = 0;
}

/*
 * Numbers that dp_local_add() counts into, dp_local_support() ends.  named: how many symbols there
 * must be; 0: any number.
 */
static bool
dp_local_add(const struct dp_local *l, unsigned named, int64_t *count, struct dp_slice s)
{
	const size_t words = dp_local_words(l->K);
	struct aside a = aside(l, count);
	uint64_t carry, *p;
	size_t i;
	unsigned j;

	if (!dp_local_untag(l, &s) || s.n != (l->K + 3) / 4 || !read_set(l, named, a.set, s.p))
		return false;
	for (j = 0; j < PLANES_BITS; j++) {
		p = a.plane + j * words;
		for (i = 0; i < words; i++) {
			carry = p[i] & a.set[i];
			p[i] ^= a.set[i];
			a.set[i] = carry;
		}
	}
	if (++*a.n == FULL)
		empty(l, count, &a);
	return true;
}

void
dp_local_support(const struct dp_mech *m, int64_t *count, uint64_t n)
{
	const struct dp_local *l = dp_local_of(m);
	struct aside a = aside(l, count);

	(void)n;
	empty(l, count, &a);
}

/*
 * Randomised response: the symbol itself, or another one (Warner 1965; Kairouz,
 * Bonawitz, Ramage 2016).
 *
 * Heads, P = e^epsilon / (e^epsilon + K - 1): the symbol.  Tails: one of the other K - 1, all
 * equally likely, each with Q = 1 / (e^epsilon + K - 1).  So P(y | v) is P or Q, P/Q = e^epsilon.
 * An answer supports itself: p = P, q = Q.
 */

static int
rr_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(l->K - 1, 1))) != 0)
		return e;
	l->others = l->K - 1;
	/* P = 1 / (1 + (K-1) e^-epsilon), P - Q = P (1 - e^-epsilon) */
	dp_local_set(l, l->coin.heads, l->coin.tails, l->coin.tails / ((double)l->K - 1),
	    l->coin.heads * -expm1(-l->coin.x));
	*m = &l->m;
	return 0;
}

static int
rr_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t v, other;
	bool keep;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &keep)) != 0 ||
	    (e = dp_fair(rng, l->K - 1, &other)) != 0)
		return e;
	other += other >= v;
	*est = (dp_wide)(keep ? v : other);
	return 0;
}

static void
rr_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "the line's symbol with probability %.6g, each of the others with "
	    "%.6g", l->p, l->q);
}

static const struct dp_answers rr_answers = { .describe = rr_describe };

const struct dp_mech_ops dp_rr_ops = {
	.name = "rr",
	.say.noise = "randomised response",
	.say.source = "randomised response: the symbol, or another (Warner 1965)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = rr_create, .step = rr_step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.certify = dp_local_certify,
	.answers = &rr_answers
};

/*
 * Hadamard response: one place of a row of signs (Acharya, Sun, Zhang 2019,
 * section 4; Cormode, Kulkarni, Srivastava 2018 send the sign beside the place).
 *
 * S is the least power of two above K, H(u, y) = (-1)^(ones in u & y) the Hadamard matrix of that
 * size, and symbol v has row u = v + 1: row 0 has no minus.  Any other row has as many signs of one
 * kind as of the other, and any two agree in half of their places.  An answer is a place y:
 *	heads, P = e^epsilon / (1 + e^epsilon): all y with H(v + 1, y) = 1 equally likely;
 *	tails: all y with H(v + 1, y) = -1 equally likely.
 * So P(y | v) is 2P/S or 2(1-P)/S, their ratio e^epsilon: (1) of local.h.
 * A place supports the symbols whose rows have a 1 there: p = P, and q = 1/2, as the row of another
 * symbol has a 1 in half of those places where v's has one, and in half of the others.  With W the
 * transform of the counts of places, W_u = sum over y of H(u, y) count_y, N_v = (n + W_(v+1)) / 2.
 */

static uint64_t
places_hadamard(size_t K)
{
	return (uint64_t)1 << dp_ceil_log2((uint64_t)K + 1);
}

static int
hadamard_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if (rule->privacy.exact)	/* half of the places stand for a symbol even so */
		return DP_EINVAL;
	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(1, 1))) != 0)
		return e;
	l->counts = (size_t)places_hadamard(l->K);
	l->m.answers.text = strlen("hr:") + 20;
	/* P - 1/2 = (2P - 1) / 2 = P (1 - e^-epsilon) / 2 */
	dp_local_set(l, l->coin.heads, l->coin.tails, 0.5,
	    l->coin.heads * -expm1(-l->coin.x) / 2);
	*m = &l->m;
	return 0;
}

/*
 * A place drawn from all S has the sign wanted, or has it after the lowest bit of u in it is
 * flipped: two of the S lead to each place with that sign.
 */
static int
hadamard_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t v, u, y;
	unsigned minus;
	bool plus;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &plus)) != 0 ||
	    (e = dp_fair(rng, l->counts, &y)) != 0)
		return e;
	u = v + 1;
	minus = (unsigned)__builtin_parityll(u & y);
	y ^= -(uint64_t)(minus == plus) & u & -u;
	*est = (dp_wide)y;
	return 0;
}

static char *
put(const struct dp_mech *m, const void *col, dp_wide est, char *p)
{
	(void)m;
	(void)col;
	p = stpcpy(p, "hr:");
	return dp_decimal_put(p, est, 0);
}

static bool
hadamard_add(const struct dp_mech *m, int64_t *count, struct dp_slice s)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t y = 0;
	size_t i;

	if (!dp_local_untag(l, &s) || s.n == 0 || s.n > 7 || (s.n > 1 && *s.p == '0'))
		return false;
	for (i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		y = 10 * y + (uint64_t)(s.p[i] - '0');
	}
	if (y >= l->counts)
		return false;
	count[y]++;
	return true;
}

static void
support(const struct dp_mech *m, int64_t *w, uint64_t n)
{
	const struct dp_local *l = dp_local_of(m);
	size_t half, i, j, v;
	int64_t a, b;

	for (half = 1; half < l->counts; half *= 2)
		for (i = 0; i < l->counts; i += 2 * half)
			for (j = i; j < i + half; j++) {
				a = w[j];
				b = w[j + half];
				w[j] = a + b;
				w[j + half] = a - b;
			}
	for (v = 0; v < l->K; v++)
		w[v] = ((int64_t)n + w[v + 1]) / 2;
}

static void
hadamard_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "one of %zu places of the symbol's row of signs, with a plus there "
	    "with probability %.6g", l->counts, l->p);
}

static const struct dp_answers hadamard_answers = {
	.put = put, .add = hadamard_add, .support = support, .describe = hadamard_describe
};

const struct dp_mech_ops dp_hr_ops = {
	.name = "hr",
	.say.noise = "randomised response on a sign",
	.say.source = "Hadamard response: a place in a row of signs (Acharya, Sun, Zhang 2019)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = hadamard_create, .step = hadamard_step, .law.at = dp_local_law, .error =
	    dp_local_error,
	.drawn.certify = dp_local_certify,
	.answers = &hadamard_answers
};

/*
 * Subset selection: a set of d symbols, which the line's own is in more often than
 * not (Wang et al. 2016; Ye, Barg 2018).
 *
 * Heads, P = d e^epsilon / (d e^epsilon + K - d): the symbol and d - 1 of the others; tails: d of
 * the others; all such sets equally likely.  A set has probability
 *	P / C(K-1, d-1) if v is in it, (1-P) / C(K-1, d) if not,
 * so that the ratio is P (K-d) / ((1-P) d) = e^epsilon: (1) of local.h.
 * An answer supports its symbols: p = P, and another one is in it with probability
 *	q = P (d-1) / (K-1) + (1-P) d / (K-1) = (d - P) / (K-1),
 *	p - q = (P K - d) / (K-1) = P (K-d) (1 - e^-epsilon) / (K-1).
 * d is the integer that is nearest to K / (e^epsilon + 1), at least 1, where it is rr: found in
 * integers, as two machines must agree on it.
 *
 * A set of d - 1 of the K - 1 others, all equally likely, and one more that is not among them,
 * equally likely: with it they are d of the others, all such sets equally likely.  Heads: the
 * symbol in its place.  Both sides draw the same.
 *
 * BITS.  Where d is large, the d - 1 are drawn so: each of the others by itself with probability
 * m / 2^b; then, one at a time, any that is not there comes, or any that is there goes, until they
 * are d - 1.
 * Statement.  All sets of d - 1 are equally likely, whatever m and b are.
 * Proof.  Given how many came by themselves, c, all sets of c are equally likely, as each has the
 * probability h^c (1-h)^(K-1-c).  If all sets of c are, then with one more, equally likely of those
 * that are not there, all sets of c + 1 are: each comes about from c + 1 sets of c, with the same
 * probability from each.  Likewise with one less.
 * m and b are found in integers, too, with m / 2^b below d / K: 64 symbols take 8 b bytes, and each
 * that is to come takes about as long as 4 symbols' words.
 */

#define FEW	256		/* symbols that are drawn one by one */
#define PLANES	8		/* a record of dp_rng_span() at most */

/* The cheapest of 0 to 8 planes, by nanoseconds that were measured once. */
static void
plan_bits(struct dp_local *l)
{
	const uint64_t words = dp_local_words(l->K);
	uint64_t least = UINT64_MAX, cost;
	unsigned b, part;

	for (b = 0; b <= PLANES; b++) {
		part = (unsigned)(((uint64_t)l->named << b) / l->K);
		cost = 3 * b * words + 4 * (l->named - (l->K * part >> b));
		if (cost < least) {
			least = cost;
			l->planes = b;
			l->part = part;
		}
	}
}

static int
subset_create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_local_task *a = rule->task.own;
	const double K = (double)a->symbols;
	struct dp_local *l;
	double d;
	int e;

	if (a->symbols > DP_LOCAL_BITS_MAX)
		return DP_EINVAL;
	/* a coin of 1 : e^-epsilon, whose tails are 1 / (1 + e^epsilon) */
	if ((e = dp_local_new(&l, rule, ops,
	    dp_local_words(a->symbols) * sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(1, 1))) != 0)
		return e;
	l->named = l->coin.always ? 0 : (unsigned)(((dp_uwide)l->K * ~l->coin.word[0] +
	    ((uint64_t)1 << 63)) >> 64);
	if (l->named == 0)
		l->named = 1;
	if ((e = dp_local_coin(l, rule,
	    dp_q_make(l->K - l->named, l->named))) != 0)
		return e;
	l->m.answers.text = dp_local_text(l);
	l->others = l->K - l->named;
	l->own = l->named;
	l->counts = dp_local_counts(l->K);
	plan_bits(l);
	d = l->named;
	dp_local_set(l, l->coin.heads, l->coin.tails,
	    (l->coin.heads * (d - 1) + l->coin.tails * d) / (K - 1),
	    l->coin.heads * (K - d) * -expm1(-l->coin.x) / (K - 1));
	*m = &l->m;
	return 0;
}

/* A symbol to the set, if it is not there. */
static bool
enter(uint64_t *bit, uint64_t v)
{
	const uint64_t mask = (uint64_t)1 << v % 64;
	const bool new = (bit[v / 64] & mask) == 0;

	bit[v / 64] |= mask;
	return new;
}

static bool
leave(uint64_t *bit, uint64_t v)
{
	const uint64_t mask = (uint64_t)1 << v % 64;
	const bool old = (bit[v / 64] & mask) != 0;

	bit[v / 64] &= ~mask;
	return old;
}

/* d - 1 of the K - 1 others (Floyd's algorithm: Bentley, Floyd 1987), numbered without v. */
static int
draw_few(const struct dp_local *l, uint64_t *bit, struct dp_rng *rng, uint64_t v)
{
	const uint64_t others = l->K - 1;
	uint64_t i, y;
	int e;

	for (i = others - (l->named - 1); i < others; i++) {
		if ((e = dp_fair(rng, i + 1, &y)) != 0)
			return e;
		if (!enter(bit, y + (y >= v)))
			(void)enter(bit, i + (i >= v));
	}
	return 0;
}

/* Places among n <= 2^16, all equally likely, 16 bits each (random/rng.c, dp_fair()). */
struct places {
	struct dp_rng *rng;
	const uint8_t *p;
	unsigned left;
	uint32_t n, uneven;		/* 2^16 mod n */
};

static int
place_subset(struct places *s, uint64_t *out)
{
	uint32_t m;

	do {
		if (s->left == 0) {
			if ((s->p = dp_rng_take(s->rng, DP_RNG_TAKE)) == NULL)
				return s->rng->error;
			s->left = DP_RNG_TAKE / 2;
		}
		m = (s->p[0] | (uint32_t)s->p[1] << 8) * s->n;
		s->p += 2;
		s->left--;
	} while ((m & 0xffff) < s->uneven);
	*out = m >> 16;
	return 0;
}

/* Each of 64 n symbols with probability part / 2^planes: U < part, by bits from the lowest. */
static int
draw_words(const struct dp_local *l, uint64_t *bit, size_t n, struct dp_rng *rng)
{
	const size_t planes = l->planes, size = 8 * planes;
	uint64_t flip[PLANES], u, below;	/* a | b = ~(~a & ~b) */
	size_t some, j;
	uint8_t *p, *q;

	for (j = 0; j < planes; j++)
		flip[j] = -(uint64_t)(l->part >> j & 1);
	while (n > 0) {
		if ((some = dp_rng_span(rng, &p, size, n)) == 0)
			return rng->error;
		for (q = p, n -= some; q < p + some * size; *bit++ = below)
			for (below = 0, j = 0; j < planes; j++, q += 8) {
				memcpy(&u, q, sizeof u);
				below = ((below ^ flip[j]) & (le64toh(u) ^ flip[j])) ^ flip[j];
			}
		dp_rng_spend(rng, some * size);
	}
	return 0;
}

static int
draw_many(const struct dp_local *l, uint64_t *bit, struct dp_rng *rng, uint64_t v)
{
	const size_t n = dp_local_words(l->K);
	struct places s = { rng, NULL, 0, (uint32_t)l->K, 0x10000 % (uint32_t)l->K };
	uint64_t y = 0, have = 0;
	const uint64_t want = l->named - 1u;
	size_t i;
	int e;

	if (l->planes > 0 && (e = draw_words(l, bit, n, rng)) != 0)
		return e;
	bit[n - 1] &= UINT64_MAX >> (64 * n - l->K);
	(void)leave(bit, v);
	for (i = 0; i < n; i++)
		have += dp_local_ones(bit[i]);
	while (have != want) {
		if ((e = place_subset(&s, &y)) != 0)
			return e;
		if (y != v && have < want)
			have += enter(bit, y);
		else if (y != v)
			have -= leave(bit, y);
	}
	dp_rng_wipe(rng);
	return 0;
}

static int
subset_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t *bit = col, v, y;
	bool own;
	int e;

	(void)t;
	*est = 0;
	memset(bit, 0, m->column);
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &own)) != 0 ||
	    (e = (l->named > FEW ? draw_many : draw_few)(l, bit, rng, v)) != 0)
		return e;
	do {
		if ((e = dp_fair(rng, l->K - 1, &y)) != 0)
			return e;
		y += y >= v;
	} while ((bit[y / 64] >> y % 64 & 1) != 0);
	(void)enter(bit, own ? v : y);
	return 0;
}

static bool
subset_add(const struct dp_mech *m, int64_t *count, struct dp_slice text)
{
	const struct dp_local *l = dp_local_of(m);

	return dp_local_add(l, l->named, count, text);
}

static double
draws(const struct dp_mech *m)
{
	return 1 + dp_local_of(m)->named;
}

static void
subset_describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "a set of %u symbols, with the line's among them with probability "
	    "%.6g, each other with %.6g", l->named, l->p, l->q);
}

static const struct dp_answers answers = {
	.put = dp_local_put, .add = subset_add, .support = dp_local_support,
	.describe = subset_describe
};

const struct dp_mech_ops dp_subset_ops = {
	.name = "subset",
	.say.noise = "randomised set",
	.say.source = "subset selection: a set of symbols (Wang et al. 2016; Ye, Barg 2018)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = subset_create, .step = subset_step, .law.at = dp_local_law, .error =
	    dp_local_error,
	.drawn.certify = dp_local_certify,
	.drawn.number = draws, .answers = &answers
};

/* Totals from answers that are private already (local.h): only they are read. */

#define FAR	32		/* e^-FAR is what a window leaves out at either end */
#define SLACK	1e-13		/* a step: more than windows leave out, and than it rounds */

int
dp_totals_new(struct dp_totals **out, const struct dp_mech *m)
{
	const struct dp_local *l = dp_local_of(m);
	struct dp_totals *t = calloc(1, sizeof *t);

	if (t == NULL || (t->count = calloc(l->counts, sizeof *t->count)) == NULL) {
		free(t);
		return DP_ENOMEM;
	}
	t->l = l;
	*out = t;
	return 0;
}

void
dp_totals_free(struct dp_totals *t)
{
	if (t == NULL)
		return;
	free(t->count);
	free(t);
}

bool
dp_totals_add(struct dp_totals *t, struct dp_slice text, int64_t place)
{
	const struct dp_answers *a = t->l->m.ops->answers;

	if (a->add != NULL) {
		if (!a->add(&t->l->m, t->count, text))
			return false;
	} else if (place < 0)
		return false;
	else
		t->count[place]++;
	t->n++;
	return true;
}

void
dp_totals_end(struct dp_totals *t)
{
	const struct dp_answers *a = t->l->m.ops->answers;

	if (a->support != NULL)
		a->support(&t->l->m, t->count, t->n);
}

double
dp_totals_estimate(const struct dp_totals *t, size_t v)
{
	return ((double)t->count[v] - (double)t->n * t->l->q) / t->l->gap;
}

/* n times the divergence of coins of x from those of p, where 0 < p < 1. */
static double
divergence(double n, double x, double p)
{
	return n * ((x > 0 ? x * log(x / p) : 0) +
	    (x < 1 ? (1 - x) * log((1 - x) / (1 - p)) : 0));
}

/*
 * N_v is stochastically largest where all n lines hold v, Bin(n, p), and smallest where none does,
 * Bin(n, q).  By Chernoff, P(Bin(n, p) >= x n) <= e^-divergence for x > p, and so below; there are
 * 2K such events.
 */
bool
dp_totals_far(const struct dp_totals *t, double gamma)
{
	const struct dp_local *l = t->l;
	const double n = (double)t->n, rare = log(2 * (double)l->K / gamma);
	int64_t least, most;
	size_t v;

	if (t->n == 0)
		return false;
	least = most = t->count[0];
	for (v = 1; v < l->K; v++) {
		least = t->count[v] < least ? t->count[v] : least;
		most = t->count[v] > most ? t->count[v] : most;
	}
	return ((double)most > n * l->p && divergence(n, (double)most / n, l->p) > rare) ||
	    ((double)least < n * l->q && divergence(n, (double)least / n, l->q) > rare);
}

/* One binomial, walked over where it is likely to be. */
struct walk {
	double n, p;
	double lo, hi;		/* but for e^-FAR on either side (Bernstein) */
	double k, at;		/* P(k), up to a factor that is the same for all k */
	double sum;		/* of all P(k) of the window that were passed */
};

static double
log_at(const struct walk *w, double k)
{
	double f = lgamma(w->n + 1) - lgamma(k + 1) - lgamma(w->n - k + 1);

	f += k == 0 ? 0 : k * log(w->p);
	return f + (k == w->n ? 0 : (w->n - k) * log1p(-w->p));
}

/* At one end of the window, or as near to it as P(k) is no underflow. */
static void
start_total(struct walk *w, double n, double p, bool top)
{
	const double mean = n * p, v = mean * (1 - p);
	const double r = FAR / 3. + sqrt(FAR * FAR / 9. + 2 * FAR * v);

	w->n = n;
	w->p = p;
	w->lo = fmax(0, ceil(mean - r));
	w->hi = fmin(n, floor(mean + r));
	while (w->lo < floor(mean) && log_at(w, w->lo) < -700)
		w->lo++;
	while (w->hi > ceil(mean) && log_at(w, w->hi) < -700)
		w->hi--;
	w->k = top ? w->hi : w->lo;
	w->at = exp(log_at(w, w->k));
	w->sum = 0;
}

static void
go_up(struct walk *w)
{
	w->sum += w->at;
	w->at *= (w->n - w->k) / (w->k + 1) * (w->p / (1 - w->p));
	w->k++;
}

static void
go_down(struct walk *w)
{
	w->sum += w->at;
	w->at *= w->k / (w->n - w->k + 1) * ((1 - w->p) / w->p);
	w->k--;
}

/* The least second one falls as the first one rises. */
double
dp_binomials_above(double c, double p, double m, double q, double a)
{
	struct walk x, y;
	double sum = 0;

	start_total(&x, c, p, false);
	start_total(&y, m, q, true);
	while (x.k <= x.hi) {
		while (y.k >= y.lo && y.k >= a - x.k)
			go_down(&y);
		sum += x.at * y.sum;
		go_up(&x);
	}
	while (y.k >= y.lo)
		go_down(&y);
	return fmin(1, sum / (x.sum * y.sum) + SLACK * (1 + x.hi - x.lo + y.hi - y.lo));
}

/* True: c lines of n may hold v: N or more, or N or less of the other side, is not too rare. */
static bool
may_be(const struct dp_totals *t, double c, double N, double gamma, bool above)
{
	const struct dp_local *l = t->l;
	const double m = (double)t->n - c;

	return (above ? dp_binomials_above(c, l->p, m, l->q, N) :
	    dp_binomials_above(c, 1 - l->p, m, 1 - l->q, (double)t->n - N)) > gamma / 2;
}

/* x with P(Z > x) = gamma for a normal Z. */
static double
normal(double gamma)
{
	double lo = 0, hi = 40, mid;
	int i;

	for (i = 0; i < 60; i++) {
		mid = (lo + hi) / 2;
		if (erfc(mid * M_SQRT1_2) / 2 > gamma)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The last c of 0 .. n that may be, towards 0 (above) or n; where none may, the other end.  Both
 * probabilities are monotone in c, as p > q.  From where a normal law would put it steps of doubled
 * length, then bisection.
 */
static int64_t
edge(const struct dp_totals *t, double N, double guess, double gamma, bool above)
{
	const double n = (double)t->n, out = above ? -1 : 1, end = above ? 0 : n, start = n - end;
	double good, bad, mid, step = 1;

	good = bad = fmin(fmax(floor(guess), 0), n);
	if (may_be(t, good, N, gamma, above)) {
		for (; good != end; good = bad, step *= 2) {
			bad = fmin(fmax(good + out * step, 0), n);
			if (!may_be(t, bad, N, gamma, above))
				break;
		}
		if (good == end)
			return (int64_t)end;
	} else {
		for (; bad != start; bad = good, step *= 2) {
			good = fmin(fmax(bad - out * step, 0), n);
			if (may_be(t, good, N, gamma, above))
				break;
		}
		if (bad == start)
			return (int64_t)start;
	}
	while (fabs(good - bad) > 1) {
		mid = floor((good + bad) / 2);
		if (may_be(t, mid, N, gamma, above))
			good = mid;
		else
			bad = mid;
	}
	return (int64_t)good;
}

void
dp_totals_interval(const struct dp_totals *t, size_t v, double gamma, int64_t *lo, int64_t *hi)
{
	const struct dp_local *l = t->l;
	const double N = (double)t->count[v], n = (double)t->n;
	const double C = dp_totals_estimate(t, v), c = fmin(fmax(C, 0), n);
	const double z = normal(gamma / 2) *
	    sqrt(c * l->p * (1 - l->p) + (n - c) * l->q * (1 - l->q)) / l->gap;

	*lo = edge(t, N, C - z, gamma, true);
	*hi = edge(t, N, C + z, gamma, false);
}

static int
by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* The largest j of which all j largest stay above 0 when they are lowered to sum to n. */
int
dp_totals_level(const struct dp_totals *t, double *level)
{
	const size_t K = t->l->K;
	double *c = malloc(K * sizeof *c), sum = 0;
	size_t v;

	if (c == NULL)
		return DP_ENOMEM;
	for (v = 0; v < K; v++)
		c[v] = dp_totals_estimate(t, v);
	qsort(c, K, sizeof *c, by_size);
	*level = 0;
	for (v = 0; v < K; v++) {
		sum += c[v];
		if (v > 0 && !(c[v] * (double)(v + 1) > sum - (double)t->n))
			break;
		*level = (sum - (double)t->n) / (double)(v + 1);
	}
	free(c);
	return 0;
}
