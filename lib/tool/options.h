/*
 * options.h - the option group every tool shares, and how tools talk to people.
 *
 * Only the files the Makefile lists as FRONT print, exit or read the clock (make lint).
 */
#ifndef DP_CLI_H
#define DP_CLI_H

#include "base/num.h"
#include "plan/plan.h"
#include "stream/match.h"
#include "stream/when.h"

#define DP_KEYS_MAX	4096
#define DP_OWN_MAX	8

enum dp_format { DP_PLAIN, DP_TSV, DP_CSV, DP_JSON };
enum dp_steps {
	DP_BY_LINE,		/* every line is a time step */
	DP_BY_RANGE,		/* buckets from --from to --to, printed at the end */
	DP_BY_CLOCK,		/* --live: the wall clock closes buckets */
	DP_BY_TIMES		/* --public-times: event times close buckets */
};

/* A field named on the command line: by number, or by name with -H. */
struct dp_field {
	const char *name;	/* NULL: number counts */
	unsigned number;	/* 0: not given */
};

struct dp_options {
	/* privacy */
	bool has_epsilon, exact;
	struct dp_q epsilon, delta;
	uint64_t horizon;		/* 0: unknown */
	const char *mechanism;
	bool pan;
	struct dp_field user;
	uint64_t per_user;
	bool has_seed;
	uint64_t seed;
	/* input */
	int64_t lo, hi;			/* grid units */
	unsigned places;		/* grid 10^-places */
	bool has_range;
	int delimiter;			/* -1: runs of blanks */
	bool csv, header, strict;
	struct dp_field value, time, key;
	const char *match;
	bool fixed, icase, invert;
	const char *time_format;
	uint64_t bucket;		/* seconds; 0: lines */
	enum dp_steps steps;
	bool has_from, has_to;
	int64_t from, to;		/* events outside count nowhere */
	int64_t begin, end;		/* .. and the whole buckets that hold them */
	uint64_t lateness;
	const char *key_list;		/* as given: A,B,C or @FILE */
	char **keys;			/* owned */
	size_t nkeys;
	/* output */
	enum dp_format format;
	double confidence;		/* 0: no bounds */
	bool nonnegative, monotone, number, line_buffered, quiet;
	enum { DP_EXPLAIN_NO, DP_EXPLAIN_TEXT, DP_EXPLAIN_JSON } explain;
	/* state */
	const char *state, *out, *batch, *witness;
	bool init, show;
	/* operands */
	char **files;
	int nfiles;
	/* the tool's own options as texts, NULL: not given; and what they ask for */
	const char *own[DP_OWN_MAX];
	struct dp_task task;
	char *task_name[DP_WINDOWS_MAX];	/* of each output, if there are several; owned */
	double *weights;		/* owned */
	char weights_hash[33];		/* of the --weights file, hex; "" if there is none */
	char *adopted[DP_OWN_MAX + 2];	/* texts taken over from a state file; owned */
	unsigned nadopted;
	/* which options were given, for comparison with a state file */
	bool given[256];
};

/* An option of one tool alone. */
struct dp_own {
	int letter;			/* 0: long only */
	const char *name, *arg, *help;	/* it takes an argument */
};

/* What a tool adds to the shared group. */
struct dp_tool {
	const char *name, *purpose;
	const char *synopsis;		/* its own part of the usage line */
	unsigned tasks;			/* DP_TASK_* it can have */
	const struct dp_own *own;	/* ends with a NULL name; at most DP_OWN_MAX; NULL: none */
	/*
	 * From o->own[] to o->task, once all options are known (also from a state file); exits like
	 * dp_cli_parse().  NULL: DP_TASK_COUNT.
	 */
	void (*task)(struct dp_options *);
};

/*
 * Parses argv; on an error prints one clear line and exits with DP_EX_USAGE; --help and --version
 * print and exit 0.
 */
void	dp_cli_parse(struct dp_options *, const struct dp_tool *, int argc, char **argv);
/* tool->task(), and what holds for every task. */
void	dp_cli_task(struct dp_options *, const struct dp_tool *);
/* The parts of it that tools share (options_task.c): */
/* A number of steps: a whole number, or with --bucket a duration that is a multiple of it. */
uint64_t dp_cli_steps(const struct dp_options *, const char *option, const char *text);
void	dp_cli_windows(struct dp_options *, const char *text);	/* -w W[,W...] */
void	dp_cli_expire(struct dp_options *, const char *text);	/* --expire=W, --expire=gradual:LAMBDA */
void	dp_cli_alpha(struct dp_options *, const char *text);
void	dp_cli_half_life(struct dp_options *, const char *text);
void	dp_cli_power(struct dp_options *, const char *text);
void	dp_cli_beta(struct dp_options *, const char *text);
void	dp_cli_weights(struct dp_options *, const char *path);
/* The guarantee's numbers, once the options are complete (also from a state file). */
void	dp_cli_setting(const struct dp_options *, struct dp_setting *);
/* Checks that need all options together; exits like dp_cli_parse(). */
void	dp_cli_check(const struct dp_options *, const struct dp_tool *);
/* One sentence, without its period: which inputs are neighbours under these options. Returns text. */
#define DP_NEIGHBOURS	480
const char *dp_cli_neighbours(const struct dp_options *, char text[static DP_NEIGHBOURS]);
/* What is estimated, in words. Returns text. */
const char *dp_cli_estimates(const struct dp_options *, char text[static DP_NEIGHBOURS]);
/* Reads a range LO:HI into o; false if malformed. */
bool	dp_cli_range(struct dp_options *, const char *);
/* Splits A,B,C or @FILE into o->keys; exits on errors. */
void	dp_cli_keys(struct dp_options *, const char *);

/* "dpcount: ..." on standard error and exit. */
_Noreturn void dp_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Flushes what stdio printed; a failure is a message and DP_EX_SYSTEM. */
int	dp_close_stdout(void);
void	dp_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
