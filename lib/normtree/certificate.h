/* certificate.h - a norm tree's tables as text, as dputils-plan(5) has it. */
#ifndef DP_NORMTREE_CERTIFICATE_H
#define DP_NORMTREE_CERTIFICATE_H

#include "base/buf.h"
#include "normtree.h"

/*
 * Adds the tree: `tree' to `root'; of one on a finer grid the line `unknown'.  One that sleeps is
 * woken, and sleeps again.  DP_ENOMEM.
 */
int	dp_normtree_certify(struct dp_normtree *, struct dp_buf *) DP_MUSTUSE;

#endif
