/* SPDX-License-Identifier: ISC */
/*
 * sketch.h - statistics of identifiers, by memories that are themselves private.
 *
 * A sketch sees identifiers, with a sign, and answers when asked.  The unit that is protected is
 * all that happens to one identifier (account/neighbour.h, `whole`): any number of its events,
 * there, not
 * there, or undone.  Where another relation is meant, the loss is that many times epsilon as it
 * moves identifiers: twice for "another identifier in its place".
 *
 * The budget.  What memory shows at one moment costs eps1, each of k outputs eps2:
 *	epsilon = eps1 + k eps2                                                             (*)
 * and with j announced looks at memory before the last one (density.c), (j + 1) eps1 + k eps2, or
 * less of bits.  Each mechanism proves its own part.  Of all such divisions dp_memory_split() takes
 * the one of least variance, in whole multiples of 2^-24 of epsilon.  Bits that are drawn again at
 * every sight have more for the outputs (internal.h).
 *
 * With a delta outputs may have Gaussian noise instead.  Statement: let memory at t0 be eps1-DP by
 * a bijection c -> c' of what one identifier's part of it began with, or by its bit at t0, under
 * which memory is the same, and let it move the sum of each output by R at most, given that.  Then
 * noise that is (eps', delta)-DP for k releases moved by R each (account/privacy.h,
 * dp_privacy_gauss_shift)
 * makes memory and outputs together (eps1 + eps', delta)-DP.
 * Proof.  S a set of memories and outputs, S_c its outputs where c is the start: P(S) = sum p(c)
 * P(S_c | c) <= sum p(c) (e^eps' P'(S_c | c') + delta) <= e^(eps1 + eps') P'(S) + delta, as p(c) <=
 * e^eps1 p(c').  Where bits are drawn again, P(S_c | c) is a mean over their later and earlier
 * values, and so is P': the inner inequality holds for each pair of these, and for the means.
 */
#ifndef DP_SKETCH_SKETCH_H
#define DP_SKETCH_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counter/mech.h"

#define DP_SKETCH_MAX	((uint64_t)1 << 20)	/* identifiers, where nobody says how many */
#define DP_SKETCH_BUCKETS	4096		/* that they share, where nobody says how many */

/* Identifiers, as the tool describes them: dp_task.own. */
struct dp_sketch {
	uint64_t universe;	/* they are places 0 .. universe - 1; 0: any 128 bits */
	bool deletes;		/* they may be undone, and undone ones done */
	bool presence;		/* all events of one are there or none, in neighbours */
	bool lines;		/* a step is a line: there are no more of them than steps */
	uint64_t window;	/* steps that an event counts for; 0: all, or there are several */
	unsigned windows;	/* several, each with a share of the budget: their number; else 0 */
	struct dp_sketch_window {
		uint64_t steps;
		const char *name;	/* in sentences, the caller's */
		struct dp_q share;	/* 0: found (exact.c); then all are */
	} each[DP_WINDOWS_MAX];
	bool whole;		/* window: neighbours differ in all events of one identifier */
	bool keyed;		/* window: there is a column for each key (exact.c) */
	uint64_t flips;		/* comings and goings of one that are followed; 0: none are */
	uint64_t buckets;	/* of a level, a power of 2; 0: the mechanism's own choice */
	uint64_t wide;		/* of one level of hashed*, a power of 2; 0: as many */
	uint64_t tau;		/* cropped, mean: counts above it are it; heavy: from it on */
	uint64_t modulo;	/* incidence: counts that are tau modulo this; 0: that are tau */
	/* no identifier has more lines: a promise; 0: there is none (f2: of one event alone) */
	uint64_t updates;
	uint64_t looks;	/* announced, at memory (density.c); there may be one more, unannounced */
	uint64_t share;		/* heavy: tau is 1/share of the lines so far, rounded up; 0: tau */
	unsigned bits;		/* of a cell, 2 .. 64; 0 is 64 (fewer, in tests, to enumerate) */
};

extern const struct dp_statistic dp_distinct, dp_density, dp_recent;
extern const struct dp_statistic dp_f2;
extern const struct dp_statistic dp_cropped, dp_mean, dp_incidence, dp_heavy;
/* Number of identifiers that predictions assume after t steps. */
double	dp_sketch_seen(const struct dp_sketch *, uint64_t t);
/* --buckets: B or B+W, powers of 2 from 16 to 2^26, B <= W; DP_EINVAL. */
int	dp_sketch_buckets(struct dp_sketch *, const char *text) DP_MUSTUSE;
/* --tau: N, from 1 to 2^31; or R%K, 0 <= R < K, K from 2 to DP_SKETCH_MODULO; DP_EINVAL. */
int	dp_sketch_often(struct dp_sketch *, const char *text) DP_MUSTUSE;
/* W for so many identifiers, a quarter of which it gets: a power of 2 from 4096 to 2^22. */
uint64_t dp_sketch_wide(double seen);

/*
 * What a statistic of identifiers, a window or memory cannot be asked for: statistic by
 * option, with the reason.
 *
 * A question is a set of facts, a bit each: the options of its own that are given, one statistic,
 * and what else it depends on.  A new statistic, or option, is a fact here and rows of sketch.c.
 */

enum dp_sketch_fact {
	/* options of dpdistinct's own, given */
	DP_ASKS_STATISTIC, DP_ASKS_WINDOW, DP_ASKS_SHARES, DP_ASKS_PROTECT, DP_ASKS_UNIVERSE,
	DP_ASKS_TAU, DP_ASKS_SHARE, DP_ASKS_DELETES, DP_ASKS_FLIPS, DP_ASKS_UPDATES, DP_ASKS_LOOKS,
	DP_ASKS_PRESENCE, DP_ASKS_BUCKETS, DP_ASKS_NO_PAN, DP_ASKS_HASHED,
	DP_ASKS_OPTIONS,			/* their number */
	/* statistics; that of a window is RECENT */
	DP_ASKS_RECENT = DP_ASKS_OPTIONS, DP_ASKS_DISTINCT, DP_ASKS_F2, DP_ASKS_DENSITY,
	DP_ASKS_CROPPED, DP_ASKS_MEAN, DP_ASKS_INCIDENCE, DP_ASKS_HEAVY,
	/* else */
	DP_ASKS_TIME, DP_ASKS_VALUE,		/* --time of a run; --value */
	DP_ASKS_SEVERAL,			/* several windows */
	DP_ASKS_HORIZON,			/* the number of steps is known */
	DP_ASKS_BUCKET,				/* a step is a length of time */
	DP_ASKS_IDENTIFIER,			/* all that an identifier does is protected */
	DP_ASKS_THRESHOLD,			/* one of --tau and --share */
	DP_ASKS_MODULO, DP_ASKS_WIDE,		/* --tau=R%K; --buckets=B+W */
	DP_ASKS_SEEN,				/* --seen */
	DP_ASKS_PAN, DP_ASKS_MAY_PAN,		/* -P; nothing forbids it */
	DP_ASKS_REDRAWN,			/* memory that is drawn again */
	DP_ASKS_FACTS
};

/* True: it is refused, and text, of `size` bytes, says which option and why. */
bool	dp_sketch_refuses(uint64_t facts, char *text, size_t size);

/*
 * Sentences about a planned sketch, each without its period: how the budget is divided, and
 * what its answers leave out.
 */

struct dp_sketch_plan {
	const struct dp_sketch *s;
	const struct dp_statistic *what;
	const struct dp_mech *m;
	uint64_t report;	/* steps that predictions are made for */
	uint64_t horizon;	/* 0: unknown */
	bool whole;		/* all that an identifier does is protected */
	bool blind;		/* distinct: the error reaches the whole range (levels) */
	const char *none;	/* begins a sentence that answers say nothing */
};

/* The most by which right answers can differ, in the statistic's units; INFINITY: unknown. */
double	dp_sketch_reach(const struct dp_sketch_plan *);

/*
 * The i-th of the sentences that hold: that answers say nothing, if so; then, where all that an
 * identifier does is protected, relations that cost more; the shares of memory and of answers in
 * epsilon; the number of identifiers that errors are of; the bound above; buckets that heavy ones
 * share.  False: there are fewer, and *i is less by their number.
 *
 * Relations that cost more.  One event with another identifier: in a running count of first sights
 * that is one unit (exact.c); else two identifiers are touched, each of which may come and go 2w
 * times where its presence is w of them (internal.h).
 */
bool	dp_sketch_note(const struct dp_sketch_plan *, const struct dp_mech_rule *, unsigned *i,
	    char *text, size_t size);

/*
 * True: the option does nothing under the mechanism, and text says so; but of --presence (which is
 * for the caller to find out) it is what to say then.
 */
bool	dp_sketch_unused(enum dp_sketch_fact, const char *option, const char *mechanism, char *text,
	    size_t size);

#endif
