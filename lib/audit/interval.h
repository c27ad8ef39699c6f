/*
 * interval.h - numbers between two of 64 bits, rounded outward by MPFR; positive ones, but where
 * it is said.
 */
#ifndef DP_AUDIT_INTERVAL_H
#define DP_AUDIT_INTERVAL_H

#include <mpfr.h>

#define DP_INTERVAL_BITS	64

struct interval {
	mpfr_t lo, hi;
};

static inline void
interval_init(struct interval *z)
{
	mpfr_init2(z->lo, DP_INTERVAL_BITS);
	mpfr_init2(z->hi, DP_INTERVAL_BITS);
}

static inline void
interval_clear(struct interval *z)
{
	mpfr_clear(z->lo);
	mpfr_clear(z->hi);
}

/* Exactly: a double has 53 bits. */
static inline void
interval_set(struct interval *z, double v)
{
	mpfr_set_d(z->lo, v, MPFR_RNDD);
	mpfr_set_d(z->hi, v, MPFR_RNDU);
}

static inline void
interval_copy(struct interval *z, const struct interval *x)
{
	mpfr_set(z->lo, x->lo, MPFR_RNDD);
	mpfr_set(z->hi, x->hi, MPFR_RNDU);
}

static inline void
interval_add(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_add(z->lo, x->lo, y->lo, MPFR_RNDD);
	mpfr_add(z->hi, x->hi, y->hi, MPFR_RNDU);
}

static inline void
interval_mul(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_mul(z->lo, x->lo, y->lo, MPFR_RNDD);
	mpfr_mul(z->hi, x->hi, y->hi, MPFR_RNDU);
}

/* Any signs; z is neither x nor y. */
static inline void
interval_times(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_srcptr const a[] = { x->lo, x->lo, x->hi, x->hi };
	mpfr_srcptr const b[] = { y->lo, y->hi, y->lo, y->hi };
	mpfr_t one;
	int i;

	mpfr_init2(one, DP_INTERVAL_BITS);
	for (i = 0; i < 4; i++) {
		mpfr_mul(one, a[i], b[i], MPFR_RNDD);
		if (i == 0 || mpfr_less_p(one, z->lo))
			mpfr_set(z->lo, one, MPFR_RNDD);
		mpfr_mul(one, a[i], b[i], MPFR_RNDU);
		if (i == 0 || mpfr_greater_p(one, z->hi))
			mpfr_set(z->hi, one, MPFR_RNDU);
	}
	mpfr_clear(one);
}

/* Any signs; z may be x. */
static inline void
interval_sub(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_sub(z->lo, x->lo, y->hi, MPFR_RNDD);
	mpfr_sub(z->hi, x->hi, y->lo, MPFR_RNDU);
}

/* The largest |x| */
static inline void
interval_size(mpfr_t to, const struct interval *x)
{
	mpfr_abs(to, x->lo, MPFR_RNDU);
	if (mpfr_cmpabs(x->hi, x->lo) > 0)
		mpfr_abs(to, x->hi, MPFR_RNDU);
}

/* z is not y. */
static inline void
interval_div(struct interval *z, const struct interval *x, const struct interval *y)
{
	mpfr_div(z->lo, x->lo, y->hi, MPFR_RNDD);
	mpfr_div(z->hi, x->hi, y->lo, MPFR_RNDU);
}

/* r / (1 - r), the sum of r + r^2 + ..; 0 < r < 1; one: some interval's room. */
static inline void
interval_tail(struct interval *z, const struct interval *r, struct interval *one)
{
	mpfr_ui_sub(one->lo, 1, r->hi, MPFR_RNDD);
	mpfr_ui_sub(one->hi, 1, r->lo, MPFR_RNDU);
	mpfr_div(z->lo, r->lo, one->hi, MPFR_RNDD);
	mpfr_div(z->hi, r->hi, one->lo, MPFR_RNDU);
}

#endif
