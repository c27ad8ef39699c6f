/* SPDX-License-Identifier: ISC */
/*
 * step.c - one step through the mechanism, and whether its estimate is printed.
 *
 * Stepping and printing are two decisions: every step is taken, and its estimate printed after it,
 * or after every N-th, or before the line is read, or once at the end; or never again, when the
 * mechanism halts.
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explain/print.h"
#include "input/event.h"
#include "input/hashes.h"
#include "input/partial.h"
#include "store/run.h"
#include "internal.h"

static int dp_partial_step(struct dp_run *, int64_t begin) DP_MUSTUSE;

/* Asks every column for its estimate after r->t steps. */
static int
ask(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; c < r->col.n; c++)
		if ((e = m->ops->answer(m, r->col.p + c * m->column, r->col.rng, r->t,
		    &r->print.est[c * r->print.outputs])) != 0)
			return e;
	return 0;
}

static int
print_step(struct dp_run *r, uint64_t t, int64_t begin)
{
	int e;

	if (r->answer.asks && (e = ask(r)) != 0)
		return e;
	return dp_print_step(r, t, begin);
}

/* True: there is one estimate, when the input ends. */
bool
dp_step_last(const struct dp_run *r)
{
	return r->tool->prints == DP_PRINT_END ||
	    (r->tool->prints == DP_PRINT_EACH && r->o->print.every == 0);
}

static bool
due(const struct dp_run *r)
{
	return r->tool->prints == DP_PRINT_EACH && r->o->print.every != 0 &&
	    r->t % r->o->print.every == 0;
}

/*
 * No step is left: of those planned for, of those that names have thresholds for, or of those that
 * a table's stamps can tell apart.
 */
static bool
spent_step(const struct dp_run *r)
{
	return (r->o->horizon != 0 && r->t == r->o->horizon) ||
	    (r->roll != NULL && r->plan.mech->horizon != 0 && r->t == r->plan.mech->horizon) ||
	    (r->cap.tabled && r->t == UINT32_MAX);
}

static int
take_step(struct dp_run *r, int64_t begin)
{
	int e;

	if (spent_step(r) || (r->answer.asks && dp_step_last(r) && r->answer.out))
		return DP_EHORIZON;
	r->t++;
	r->print.stepped = true;
	dp_rng_ahead(r->col.rng);
	e = r->roll != NULL ? dp_roll_step(r) : dp_columns_step(r->plan.mech, r->col.p,
	    r->plan.mech->column, r->col.n, r->col.rng, r->t, r->col.x,
	    r->answer.asks ? NULL : r->print.est);
	dp_rng_back(r->col.rng);
	if (e != 0)
		return e;
	if (r->ring.carries != 0)
		dp_carry_pay(r);
	if (due(r) && (e = print_step(r, r->t, begin)) != 0)
		return e;
	if (r->roll != NULL)
		dp_roll_forget(r);
	return 0;
}

static int
answer_next(struct dp_run *r)
{
	int e;

	if (r->tool->prints != DP_PRINT_BEFORE || r->answer.out ||
	    (r->o->horizon != 0 && r->t == r->o->horizon))
		return 0;
	if ((e = ask(r)) != 0)
		return e;
	r->answer.out = true;
	return dp_print_step(r, r->t + 1, 0);
}

int
dp_step(struct dp_run *r, int64_t begin)
{
	int e;

	if (r->tool->map)
		return dp_partial_step(r, begin);
	if ((e = take_step(r, begin)) != 0)
		return e;
	if (r->tool->prints != DP_PRINT_BEFORE)
		return 0;
	r->answer.out = false;
	return answer_next(r);
}

/* The identifier's word: the step, or what the mechanism makes of the one before. */
static int
set_word(struct dp_run *r, const struct dp_id *id, struct dp_id *seen)
{
	const uint64_t word[] = { id->word[0], id->word[1], id->column };
	const struct dp_slice name = { (const char *)word,
	    r->o->id.keyed ? sizeof word : sizeof id->word };
	const struct dp_mech *m = r->plan.mech;
	uint32_t is = (uint32_t)r->t + 1, was = 0;
	int e;

	if (m->ops->open.word != NULL)
		is = m->ops->open.word(m, dp_users_stamp(r->cap.users, name), id->sign);
	e = dp_users_set_stamp(r->cap.users, name, is, false, &was);
	*seen = (struct dp_id){ .word = { was, m->ops->open.word != NULL ? is : 0 },
	    .sign = id->sign };
	return e;
}

int
dp_step_see(struct dp_run *r, const struct dp_id *id)
{
	struct dp_id seen;
	int e;

	if (!r->cap.tabled)
		return r->plan.mech->ops->open.see(r->plan.mech, r->col.p, r->col.rng, id);
	if (spent_step(r))
		return DP_EHORIZON;
	if ((e = set_word(r, id, &seen)) != 0)
		return e;
	return r->plan.mech->ops->open.see(r->plan.mech,
	    r->col.p + id->column * r->plan.mech->column, r->col.rng, &seen);
}

/* The value of a step that is one line; back to 0 afterwards, whatever it was. */
static int
put(struct dp_run *r, const struct dp_event *v, bool set)
{
	size_t i;

	switch (r->tool->shape) {
	case DP_SHAPE_NUMBER:
	case DP_SHAPE_VECTOR:
	case DP_SHAPE_CONTRIBUTIONS:
		if (v->nterms == 0)
			r->col.x[v->column] = set ? v->value : 0;
		for (i = 0; i < v->nterms; i++)
			r->col.x[v->term[i].place] = set && v->value != 0 ? v->term[i].value : 0;
		break;
	case DP_SHAPE_ID:
		return set && v->value != 0 ? dp_step_see(r, &v->id) : 0;
	case DP_SHAPE_NAME:		/* in buckets alone */
		break;
	case DP_SHAPE_SYMBOL:
		r->col.x[0] = set && v->value != 0 ? (int64_t)v->column : -1;
		if (r->o->range.total != NULL)
			r->col.x[1] = set ? v->value : 0;
		break;
	}
	return 0;
}

int
dp_step_event(struct dp_run *r, const struct dp_event *v)
{
	int e;

	if (spent_step(r))			/* before an identifier is seen, or nothing is */
		return DP_EHORIZON;
	if ((e = put(r, v, true)) == 0)
		e = dp_step(r, 0);
	(void)put(r, v, false);
	return e;
}

int
dp_step_same(struct dp_run *r, const struct dp_event *v)
{
	const int64_t x = (int64_t)v->column;

	if (spent_step(r) || r->answer.out)
		return DP_EHORIZON;
	r->t += (uint64_t)v->value;
	r->print.stepped = true;
	r->plan.mech->ops->many.same(r->plan.mech, r->col.p, &x, (uint64_t)v->value);
	return 0;
}

int
dp_step_begin(struct dp_run *r)
{
	return answer_next(r);
}

int
dp_step_end(struct dp_run *r)
{
	if (r->tool->prints == DP_PRINT_BEFORE)	/* not even a header came */
		return answer_next(r);
	if (!dp_step_last(r) || (r->answer.asks ? r->answer.out : !r->print.stepped))
		return 0;
	r->answer.out = true;
	return print_step(r, r->t, r->o->time.bucket != 0 ?
	    dp_span_floor(&r->o->time.span, r->ring.next - 1) : 0);
}

bool
dp_step_plain(const struct dp_run *r)
{
	return r->tool->shape == DP_SHAPE_NUMBER && r->tool->prints == DP_PRINT_EACH &&
	    r->o->print.every == 1 && !r->answer.asks;
}

/*
 * Sums of buckets beyond a word.
 *
 * Mechanisms take sums x of at most 2^61.  A sum s is x + 2^61 n, |x| <= 2^61, and an estimate of
 * DP_TRAIT_ADDS is f(x) + w, where f is the task's sum of steps and w does not depend on x; so
 * f(x) + w + 2^61 f(n) = f(s) + w has the law of an estimate of s.  Few sums have an n.
 */

#define UNIT	DP_CARRY

dp_wide
dp_carry_add(struct dp_run *r, size_t row, size_t place, dp_wide sum)
{
	struct dp_carry *c;

	if (DP_LIKELY(sum <= UNIT && sum >= -UNIT) ||
	    !dp_options_carries(r->o, r->tool, r->plan.mech->ops) ||
	    (c = dp_carry_of(r, row, place)) == NULL)
		return sum;
	c->n += (int64_t)(sum / UNIT);
	return sum % UNIT;
}

/* --each-user has exact sums also where mechanisms take no more than 2^61: cut as the rest is. */
static void
cut(struct dp_run *r, struct dp_carry *c)
{
	if (dp_options_carries(r->o, r->tool, r->plan.mech->ops))
		return;
	r->col.x[c->place] = dp_run_sum(r->col.x[c->place] + UNIT * c->n);
	c->n = 0;
}

void
dp_carry_close(struct dp_run *r, size_t row, bool moved)
{
	struct dp_carry *c;

	for (c = r->ring.carry; c < r->ring.carry + r->ring.carries; c++)
		if (c->t == 0 && c->row == row)
			cut(r, c);
	for (c = r->ring.carry; c < r->ring.carry + r->ring.carries; c++)
		if (c->t == 0 && c->row == row)
			c->t = r->t + 1;
		else if (c->t == 0 && moved)
			c->row--;
}

void
dp_carry_pay(struct dp_run *r)
{
	const struct dp_task *k = &r->o->task;
	const struct dp_carry *c;
	unsigned i;

	for (c = r->ring.carry; c < r->ring.carry + r->ring.carries; c++)
		for (i = 0; c->t != 0 && i < r->print.outputs; i++)
			if (k->what == DP_TASK_COUNT || r->t - c->t < k->w[i])
				r->print.est[c->place * r->print.outputs + i] += UNIT * c->n;
}

/*
 * --estimate: every line is the answer of a local randomiser (sketch/local.h), and when
 * they end the totals are printed, a line for each symbol.
 *
 * Answers are private already, so all of this is post-processing: nothing is drawn or charged, and
 * a message may say that a line was no answer.
 */

#define FAR	1e-6		/* how seldom totals are farther out, if the options are right */

int
dp_total_begin(struct dp_run *r)
{
	return dp_totals_new(&r->totals, r->plan.mech);
}

int
dp_total_add(struct dp_run *r, struct dp_event *v)
{
	if (r->o->horizon != 0 && r->t == r->o->horizon)
		return DP_EHORIZON;
	if (v->why == NULL &&
	    !dp_totals_add(r->totals, v->text, v->value != 0 ? (int64_t)v->column : -1))
		v->why = "is not an answer under these options";
	if (v->why == NULL)
		r->t++;
	else
		r->stray = true;
	return 0;
}

/* The nearest whole number, of what may be far beyond any count if epsilon is tiny. */
static dp_wide
whole(double c)
{
	return (dp_wide)llrint(fmin(fmax(c, -0x1p62), 0x1p62));
}

/* level: what all totals are lowered by. */
static int
print_total(struct dp_run *r, size_t v, double level)
{
	const struct dp_options *o = r->o;
	const double c = dp_totals_estimate(r->totals, v) - level;
	struct dp_interval i = { .est = whole(o->print.nonnegative ? fmax(c, 0) : c) };
	int64_t lo, hi;
	char *p;

	if (o->print.confidence > 0) {
		dp_totals_interval(r->totals, v, 1 - o->print.confidence, &lo, &hi);
		i.lo = lo;
		i.hi = hi;
	}
	if ((p = dp_out_room(r->print.out, 0)) == NULL ||
	    (p = dp_print_row(r, p, r->t, 0, 0, o->keys.name[v], &i, NULL, NULL)) == NULL)
		return DP_ENOMEM;
	return dp_out_line(r->print.out, p);
}

/* The mean of numbers, and their sum: v = 0, 1; within what there can be. */
static int
print_number(struct dp_run *r, size_t v, double level)
{
	const struct dp_options *o = r->o;
	const double gamma = o->print.confidence > 0 ? 1 - o->print.confidence : .05;
	const double n = (double)r->t, unit = pow(10, (double)r->print.places -
	    (double)o->range.places);
	const double part = (v == 0 ? fmax(n, 1) : 1) / unit, times = v == 0 ? 1 : n;
	double off, sum = dp_totals_sum(r->totals, gamma, &off) + n * (double)o->range.lo;
	struct dp_interval i = { .est = 0 };
	char *p;

	(void)level;
	i.est = whole((o->print.nonnegative ? fmax(sum, 0) : sum) / part);
	i.lo = whole(fmax(floor((sum - off) / part), times * (double)o->range.lo * unit));
	i.hi = whole(fmin(ceil((sum + off) / part), times * (double)o->range.hi * unit));
	if (r->t == 0 && v == 0) {	/* of nobody: anything */
		i.est = i.lo = whole((double)o->range.lo * unit);
		i.hi = whole((double)o->range.hi * unit);
	}
	if ((p = dp_out_room(r->print.out, 0)) == NULL ||
	    (p = dp_print_row(r, p, r->t, 0, 0, o->keys.name[v], &i, NULL, NULL)) == NULL)
		return DP_ENOMEM;
	return dp_out_line(r->print.out, p);
}

/* The answers are private, and so is what is said of their totals. */
static void
warn_far(const struct dp_run *r)
{
	if (!r->o->print.quiet && !r->o->range.has_range && dp_totals_far(r->totals, FAR))
		dp_warn("--estimate: totals are farther below 0, or above the number of answers, "
		    "than chance makes them once in a million times: were the answers made with "
		    "another --epsilon, --domain or --mechanism?");
}

int
dp_total_end(struct dp_run *r)
{
	double level = 0;
	size_t v;
	int e;

	/* the answers are private, and so is whatever is told from them: also that none is one */
	if (r->stray && r->t == 0)
		dp_die(DP_EX_INPUT, "--estimate: none of the lines is an answer under these "
		    "options: --domain, --epsilon and --mechanism are to be those of the answers, "
		    "plain and one a line");
	if (r->stray && !r->o->print.quiet)
		dp_warn("lines that are no answers under these options are left out; --strict "
		    "says where the first is");
	dp_totals_end(r->totals);
	r->o->output[0].kind = DP_OUTPUT_ESTIMATE;
	if (r->o->range.has_range && !r->o->print.table.integers)
		r->print.places = r->o->range.places + r->plan.mech->estimate.decimals;
	warn_far(r);
	if ((r->o->form.totals == DP_TOTALS_SIMPLEX &&
	    (e = dp_totals_level(r->totals, &level)) != 0) ||
	    (e = dp_print_header(r)) != 0)
		return e;
	if (r->o->print.format == DP_PROMETHEUS)
		dp_print_again(r, r->t, 0);
	for (v = 0; v < r->o->keys.n; v++)
		if ((e = (r->o->range.has_range ? print_number : print_total)(r, v, level)) != 0)
			return e;
	return 0;
}

/*
 * A shard's exact sums as dpmap prints them, bucket by bucket.
 */

static void
put_time_write(struct dp_buf *b, const char *what, int64_t t)
{
	char text[24];

	dp_buf_puts(b, what);
	dp_buf_add(b, text, (size_t)(dp_when_put(text, t, NULL) - text));
}

/* The lines of r->kept.body, to the output and to the block's checksum. */
static int
print_write(struct dp_run *r)
{
	if (r->kept.body.error == 0)
		crypto_generichash_update(r->print.map.block, (unsigned char *)r->kept.body.p,
		    r->kept.body.n);
	return dp_print_lines(r, &r->kept.body);
}

int
dp_partial_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_buf *b = &r->kept.body;
	const char *option;
	unsigned i;

	if ((r->print.map.block = dp_partial_hash()) == NULL || (o->shard.symbols &&
	    (r->print.map.lines = calloc(o->keys.n + 1, sizeof *r->print.map.lines)) == NULL))
		return DP_ENOMEM;
	dp_buf_puts(b, DP_PARTIAL_FIRST "\n#shard ");
	dp_buf_escaped(b, o->shard.name);
	put_time_write(b, "\n#from ", o->time.from);
	put_time_write(b, "\n#to ", o->time.to);
	dp_buf_puts(b, "\n");
	for (i = 0; dp_partial_agreed(o, i, b, &option); i++)
		dp_buf_puts(b, "\n");
	return print_write(r);
}

/* The step's identifiers, and how often each came, in an order that says nothing. */
static int
print_identifiers(struct dp_run *r, int64_t begin)
{
	struct dp_buf *b = &r->kept.body;
	struct dp_slice name;
	char text[DP_KEY_MAX + 1];
	size_t i = 0, place;
	uint32_t events;
	int e;

	while (dp_cells_each(&r->roll->now, &i, &place, &events)) {
		name = dp_names_text(r->roll->names, place);
		put_time_write(b, "", begin);
		dp_buf_puts(b, "\t");
		memcpy(text, name.p, name.n);
		text[name.n] = '\0';
		dp_buf_escaped(b, text);
		dp_buf_puts(b, "\t");
		dp_buf_u64(b, events);
		dp_buf_puts(b, "\n");
		r->print.map.rows++;
		if ((e = print_write(r)) != 0)
			return e;
	}
	return 0;
}

#define ROWS	((size_t)1 << 16)	/* bytes that are written together */

/* The step's identifiers by their hashes, in the order of these. */
static int
print_hashes(struct dp_run *r, int64_t begin)
{
	struct dp_buf *b = &r->kept.body;
	char line[24 + 1 + 2 * sizeof(uint64_t[2]) + 2] = "";
	uint64_t word[2], events;
	size_t i = 0, at;
	int e = 0;

	at = (size_t)(dp_when_put(line, begin, NULL) - line);
	line[at++] = '\t';
	while (e == 0 && dp_hashes_each(&r->roll->hashes[r->roll->rows], &i, word, &events)) {
		sodium_bin2hex(line + at, sizeof line - at, (unsigned char *)word, sizeof word);
		line[at + 2 * sizeof word] = '\t';
		dp_buf_add(b, line, at + 2 * sizeof word + 1);
		dp_buf_u64(b, events);
		dp_buf_puts(b, "\n");
		r->print.map.rows++;
		if (b->n >= ROWS)
			e = print_write(r);
	}
	return e != 0 || b->n == 0 ? e : print_write(r);
}

/* A row: of a key, of none (NULL), or, of lines that are none of the columns, "". */
static int
print_row(struct dp_run *r, int64_t begin, const char *key, size_t place, const char *sum, size_t n)
{
	struct dp_buf *b = &r->kept.body;

	put_time_write(b, "", begin);
	dp_buf_puts(b, "\t");
	if (key != NULL)
		dp_buf_escaped(b, key);
	else
		dp_buf_puts(b, "-");
	if (place != 0) {
		dp_buf_puts(b, "\t");
		dp_buf_u64(b, place);
	}
	dp_buf_puts(b, "\t");
	dp_buf_add(b, sum, n);
	dp_buf_puts(b, "\n");
	r->print.map.rows++;
	return print_write(r);
}

/* Lines of each column, and of none. */
static int
print_lines(struct dp_run *r)
{
	const size_t n = r->o->keys.n;
	char sum[64];
	size_t i;
	int e = 0;

	for (i = 0; i <= n && e == 0; i++)
		if (r->print.map.lines[i] != 0)
			e = print_row(r, 0, i < n ? r->o->keys.name[i] : "", 0, sum, (size_t)
			    snprintf(sum, sizeof sum, "%llu",
			    (unsigned long long)r->print.map.lines[i]));
	return e;
}

/* A step's sums r->col.x: of a key, or the numbers that its events add to, in grid units. */
static int
dp_partial_step(struct dp_run *r, int64_t begin)
{
	const size_t adds = r->o->keys.adds;
	const unsigned places = adds != 0 ? 0 : r->print.places;
	const char *key;
	char sum[64];
	size_t c;
	int e;

	r->t++;
	if (r->print.map.lines != NULL) {
		c = (size_t)*r->col.x;		/* -1 is none */
		r->print.map.lines[c < r->o->keys.n ? c : r->o->keys.n]++;
		return 0;
	}
	if (r->roll != NULL)
		return r->roll->hashes != NULL ? print_hashes(r, begin) :
		    print_identifiers(r, begin);
	for (c = 0; c < r->col.width; c++) {
		if (r->col.x[c] == 0)
			continue;
		key = r->o->keys.n == 0 ? NULL : r->o->keys.name[adds != 0 ? c / adds : c];
		if ((e = print_row(r, begin, key, adds != 0 ? c % adds + 1 : 0, sum, (size_t)
		    (dp_decimal_put(sum, r->col.x[c], places) - sum))) != 0)
			return e;
	}
	return 0;
}

int
dp_partial_finish(struct dp_run *r)
{
	int e;

	if (r->print.map.lines != NULL && (e = print_lines(r)) != 0)
		return e;
	dp_buf_puts(&r->kept.body, "#end ");
	dp_buf_u64(&r->kept.body, r->print.map.rows);
	dp_buf_puts(&r->kept.body, "\n");
	if ((e = print_write(r)) != 0)
		return e;
	dp_partial_sum(r->print.map.block, &r->kept.body);
	dp_buf_puts(&r->kept.body, "\n");
	return dp_print_lines(r, &r->kept.body);
}
