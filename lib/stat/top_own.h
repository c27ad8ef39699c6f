/* top_own.h - the parts of the mechanisms of names that nobody declared (top.h). */
#ifndef DP_TOP_OWN_H
#define DP_TOP_OWN_H

#include "normtree/normtree.h"
#include "top.h"

#define DP_TOP_ROUNDED	(1 + 1e-9)	/* what doubles may be off, and more */
#define DP_TOP_DEEP	9.5	/* standard deviations that heights are looked at, at first */
#define DP_TOP_LONG	0x1p31		/* steps of work: 2 s */
#define DP_TOP_SEGMENTS	5		/* RUNNING, T unknown: 2^8 + .. + 2^24 steps */

struct dp_top {
	struct dp_mech m;
	struct dp_top_plan plan;
	struct dp_normtree *tree;	/* RUNNING, WINDOW */
	struct dp_mech *count;		/* RUNNING, T unknown: a count whose trees are a name's */
	const struct dp_normtree *last;	/* RUNNING: the tallest */
	uint64_t W;			/* WINDOW, */
	struct dp_task window;		/* and as a task */
	struct dp_noise noise;		/* EACH STEP */
};

static inline const struct dp_top *
dp_top(const struct dp_mech *m)
{
	return (const void *)m;
}

/* A plan with tau = 1; DP_EINVAL: there is noise, and no delta. */
int	dp_top_begin(struct dp_mech **, struct dp_top **, const struct dp_mech_ops *,
	    const struct dp_mech_rule *, size_t column) DP_MUSTUSE;
/* Largest f allowed. */
double	dp_top_allowed(const struct dp_top *, const struct dp_mech_rule *);
/*
 * The least tau whose f is at most that, by least(k, T, f, n, &x, &tail): x is the least of the
 * heights 1 to n whose tail is at most f, or n + 1; T and f as given.  Its delta is what is spent.
 * sd: of the noise at its widest.  DP_ERANGE: it is beyond some 40 sd; or an error of least().
 */
typedef int dp_top_least(const struct dp_top *, uint64_t T, double f, unsigned n, unsigned *x,
	    double *tail);
int	dp_top_find(struct dp_top *k, dp_top_least *least, uint64_t T, double sd, double f)
	    DP_MUSTUSE;
/*
 * RUNNING, T unknown: the phases, as many as can be found in some seconds; if they are wanted each
 * one's tau, and what of f all of them spend.  DP_ERANGE: as above, or they are too few.
 */
int	dp_top_phases(struct dp_top *, struct dp_numbers *, double f, bool exact, bool wanted)
	    DP_MUSTUSE;
/* The plan's tau and delta, once found, or those of a plan that is replayed. */
void	dp_top_keep(struct dp_top *, const struct dp_mech_rule *, double f);
/* Factor of f: for a user whose events have K names, or any names at least. */
double	dp_top_factor(const struct dp_top *, const struct dp_mech_rule *);
bool	dp_top_replays(const struct dp_mech_rule *);
bool	dp_top_note(const struct dp_mech *, unsigned i, double unit, char *text, size_t size);
void	dp_top_destroy(struct dp_mech *);

#endif
