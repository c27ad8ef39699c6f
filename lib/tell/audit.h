/*
 * audit.h - dpaudit's result: the event that tells two inputs apart, the bound, the verdict, and
 * the limits of so many runs.
 */
#ifndef DP_TELL_AUDIT_H
#define DP_TELL_AUDIT_H

#include "base/num.h"
#include "noise/audit.h"
#include "noise/audit_rows.h"

struct dp_audit_claim {
	struct dp_q epsilon, delta, confidence;
	const char *pair[2];		/* names of the inputs */
};

/* 1 - confidence. */
double	dp_audit_alpha(struct dp_q confidence);
/* true: refuted, the bound is above the claim. */
bool	dp_audit_print(const struct dp_audit_claim *, const struct dp_audit_rows *,
	    const struct dp_audit *);

#endif
