/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/api: what its files alone share. */
#ifndef DP_API_INTERNAL_H
#define DP_API_INTERNAL_H

#include "account/neighbour.h"
#include "counter/width.h"
#include "input/users.h"
#include "job/plan.h"
#include "stat/mean.h"

#pragma GCC visibility push(default)	/* all else is hidden (HARDEN in the Makefile) */
#include "dputils.h"
#pragma GCC visibility pop

enum dp_api_option {
	API_EPSILON, API_DELTA, API_HORIZON, API_RANGE, API_STEPS, API_PER_USER, API_KEYS,
	API_MECHANISM, API_WINDOW, API_HALF_LIFE, API_STATISTIC, API_SEED, API_EXACT, API_OPTIONS
};

#define API_NAME	64	/* bytes of a number's name */
#define API_WHY		512

struct dputils {
	unsigned kind;
	char *option[API_OPTIONS];	/* as given; owned */
	struct {			/* what they say, once planned */
		struct dp_q epsilon, delta;
		int64_t lo, hi;		/* of the grid as the range was written */
		unsigned finer;		/* decimals more, of the mechanism's grid */
		unsigned places;	/* of that */
		uint64_t seed;
		size_t keys;
		bool lines, exact;
	} say;
	struct dp_relation relation;	/* of all numbers; of a mean, of its band */
	struct dp_mean_asked mean;
	struct dp_mech_rule rule;
	struct dp_plan plan;
	struct dp_numbers numbers;
	struct {
		unsigned decimals;	/* of those that the mechanism has, as many are shown */
		dp_wide coarse;		/* the last one, in units of the estimate */
		size_t n;		/* numbers of a step */
		char (*name)[API_NAME];	/* of one key's numbers; owned */
	} show;
	struct {			/* owned */
		struct dp_rng *rng;
		char *p;		/* columns of the mechanism, one a key */
		int64_t *x;		/* sums of the open step */
		dp_wide *est;		/* of the last step */
		struct dp_law *law;
	} col;
	uint64_t t;
	int begun;			/* noise is drawn; -1: a ledger has refused it so far */
	bool planned, added;		/* the open step has an event */
	bool fresh;			/* this process took the last step */
	int dead;
	struct {
		struct dp_users *table;	/* NULL: nobody yet */
		uint8_t key[16];
	} users;
	struct {
		struct dp_widths *of;	/* NULL: none yet */
		double level;
	} widths;
	char window[DP_WINDOWS_MAX][24];	/* their texts */
	char why[API_WHY];
};

/* The names of options, and of kinds; NULL past the last. */
const char *dp_api_option(unsigned);
const char *dp_api_kind(unsigned);
/* e, after the reason is in h->why: the format and what it takes. */
int	dp_api_refuse(dputils *, int e, const char *, ...) __attribute__((format(printf, 3, 4)));
/* Columns and the first draws, unless they are there. */
int	dp_api_begin(dputils *) DP_MUSTUSE;
/* Memory of columns; loaded: the numbers of the plan are to be those in h->numbers. */
int	dp_api_plan(dputils *, bool loaded) DP_MUSTUSE;
int	dp_api_users(dputils *) DP_MUSTUSE;
/* A text of a buffer, which it frees, to the caller's memory. */
int	dp_api_put(struct dp_buf *, int e, char *to, size_t size, size_t *need) DP_MUSTUSE;

#endif
