/*
 * line_ages.c - a loss that grows with age: noise of scale b_l on the intervals of 2^l steps
 * (lib/mech/gradual.c has the statements (2) and (3), whose names stand here).
 */
#include "line.h"

#define LEVELS	64

struct ages {
	mpq_t c[LEVELS];		/* 1 / b_l */
	unsigned n;
};

static unsigned
log_down(uint64_t d)
{
	unsigned l = 0;

	while (l < 63 && d >> (l + 1) != 0)
		l++;
	return l;
}

/* c_l; past the last, the last's */
static mpq_srcptr
level(const struct ages *a, unsigned l)
{
	return a->c[l < a->n ? l : a->n - 1];
}

/* (2): C_0 + .. + C_j, j = floor(lg(d + 1)), C_l the largest of c_l, c_(l+1), .. */
static void
greedy(const struct ages *a, unsigned j, mpq_t sum)
{
	unsigned l = j > a->n ? j : a->n;
	mpq_t most;

	mpq_init(most);
	mpq_set_ui(sum, 0, 1);
	do {
		if (mpq_cmp(level(a, l), most) > 0)
			mpq_set(most, level(a, l));
		if (l <= j)
			mpq_add(sum, sum, most);
	} while (l-- > 0);
	mpq_clear(most);
}

/* (3): h_0 + .. + h_(j-1) + h_0, j = ceil(lg(d + 1)), h_l = min(c_l, 2 h_(l-1)) */
static void
across(const struct ages *a, unsigned j, mpq_t sum)
{
	unsigned l;
	mpq_t h;

	mpq_init(h);
	mpq_set(sum, level(a, 0));
	for (l = 0; l < j; l++) {
		mpq_mul_2exp(h, h, 1);
		if (l == 0 || mpq_cmp(level(a, l), h) < 0)
			mpq_set(h, level(a, l));
		mpq_add(sum, sum, h);
	}
	mpq_clear(h);
}

/* The smaller of both, of events d steps old. */
static void
loss_at(const struct ages *a, uint64_t d, mpq_t loss)
{
	const unsigned j = log_down(d + 1);
	mpq_t other;

	mpq_init(other);
	greedy(a, j, loss);
	across(a, j + ((d & (d + 1)) != 0), other);
	if (mpq_cmp(other, loss) < 0)
		mpq_set(loss, other);
	mpq_clear(other);
}

/* fresh e: of the ages that follow, where d is 0 */
void
audit_line_fresh(struct reader *r, struct audit_body *b)
{
	char text[64];

	audit_rational(r, b->fresh, text);
}

/* ages d n b_0 b_1 ..: of events up to d steps old */
void
audit_line_ages(struct reader *r, struct audit_body *b)
{
	const uint64_t d = audit_whole(r, (uint64_t)1 << 62);
	struct ages a = { .n = (unsigned)audit_whole(r, LEVELS) };
	char text[64];
	mpq_t loss;
	unsigned l;

	audit_bound_age(r, b, d);
	if (a.n == 0)
		audit_refuse(r, DP_VERDICT_MALFORMED, "noise of no interval");
	for (l = 0; l < a.n; l++) {
		mpq_init(a.c[l]);
		mpq_set_ui(a.c[l], 1, 1);
		if (audit_good(r)) {
			audit_rational(r, a.c[l], text);
			mpq_inv(a.c[l], a.c[l]);
		}
	}
	mpq_init(loss);
	if (audit_good(r)) {
		loss_at(&a, 0, loss);
		mpq_mul(loss, loss, b->reach);
		if (mpq_sgn(b->fresh) > 0 && mpq_cmp(loss, b->fresh) > 0)
			audit_refute(r, b, "an event loses more at its own step than is said");
		loss_at(&a, d, loss);
		mpq_add(b->rate, b->rate, loss);
	}
	mpq_clear(loss);
	for (l = 0; l < a.n; l++)
		mpq_clear(a.c[l]);
}
