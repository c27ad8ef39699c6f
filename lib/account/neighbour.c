/* SPDX-License-Identifier: ISC */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "neighbour.h"

#define L1_MAX		((uint64_t)1 << 50)
#define L2_MAX		((uint64_t)1 << 62)

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Of sums of vectors, whose distances are given. */
static int
symbol_distance(const struct dp_relation *r, struct dp_distance *out)
{
	const uint64_t far = (r->hi > 0 ? (uint64_t)r->hi : 0) + (r->lo < 0 ? -(uint64_t)r->lo : 0);
	const uint64_t K = r->total != NULL ? least(r->unit, far) : r->per_user != 0 ?
	    r->per_user : 1;
	dp_uwide l1 = (dp_uwide)r->vector.l1 * K, l2;

	if (r->vector.l2squared == 0 || K == 0)
		return DP_EINVAL;
	if (K >= L1_MAX || r->vector.l1 >= L1_MAX || l1 >= L1_MAX)
		return DP_ERANGE;
	l2 = (dp_uwide)K * K;
	out->wide = r->vector.l2squared >= L2_MAX || l2 >= L2_MAX ||
	    l2 * r->vector.l2squared >= L2_MAX;
	out->l2squared = out->wide ? L2_MAX : (uint64_t)l2 * r->vector.l2squared;
	out->l1 = out->linf = (uint64_t)l1;
	out->spread = out->l1;
	out->columns = 1;
	out->cells = 0;
	return 0;
}

/* Spread: the distance that two columns' sums may move apart (neighbour.h); M: largest entry. */
static uint64_t
spread(const struct dp_distance *d, uint64_t K, uint64_t S, uint64_t M, uint64_t below,
    uint64_t above)
{
	if (K != 0 && S > 1)
		return K * (least(M, below) + least(M, above));
	return least(d->l1, 2 * d->linf);
}

/* All events of one identifier, or of those that a user's K events name. */
static int
whole_distance(uint64_t K, struct dp_distance *out)
{
	const uint64_t n = K != 0 ? K : 1;

	if (n >= (uint64_t)1 << 31)
		return DP_ERANGE;
	*out = (struct dp_distance){ .l1 = n, .l2squared = n * n, .linf = 1, .spread = n,
	    .columns = (size_t)n };
	return 0;
}

/* Contributions: values that events add to columns (neighbour.h, CONTRIBUTIONS). */
static int
contributions_distance(const struct dp_relation *r, struct dp_distance *out)
{
	const uint64_t K = r->every.most != 0 ? r->every.most : r->per_user != 0 ? r->per_user : 1;
	const uint64_t D = r->columns != 0 ? r->columns : 1;
	const bool line = r->lines && r->per_user == 0 && r->total == NULL;
	const uint64_t n = line && D > 1 ? 2 : 1;
	dp_uwide l1, l2;

	if (r->of != DP_RECORD_NUMBER || r->entry || r->unit != 0 ||
	    (r->total != NULL && r->per_user != 0) || r->every.apart != NULL ||
	    (r->per_step && (r->lines || r->per_user == 0)))
		return DP_EINVAL;
	if (K >= L1_MAX || r->sum >= L1_MAX || (l1 = (dp_uwide)K * r->sum * n) >= L1_MAX ||
	    (dp_uwide)K * D >= L1_MAX)
		return DP_ERANGE;
	l2 = (dp_uwide)(K * r->sum) * (K * r->sum) * n;
	out->l1 = out->spread = (uint64_t)l1;
	out->wide = l2 >= L2_MAX;
	out->l2squared = out->wide ? L2_MAX : (uint64_t)l2;
	out->linf = K * r->sum;
	out->columns = (size_t)D;
	out->cells = K * D;
	return 0;
}

int
dp_relation_distance(const struct dp_relation *r, struct dp_distance *out)
{
	const uint64_t below = r->lo < 0 ? -(uint64_t)r->lo : 0;
	const uint64_t above = r->hi > 0 ? (uint64_t)r->hi : 0;
	const uint64_t D = r->columns != 0 ? r->columns : 1;
	const bool one = r->entry || r->total != NULL;
	const uint64_t S = r->ones != 0 && !one ? r->ones : 1;
	const uint64_t K = r->per_user;
	const bool line = r->lines && K == 0 && !one;
	uint64_t M = below > above ? below : above, R, far, full = S, part = 0;
	dp_uwide l1, l2;

	if (r->every.most != 0 && (!r->lines || K != 0 || (D > 1 && r->sum == 0) || one ||
	    r->unit != 0))
		return DP_EINVAL;
	if (r->sum != 0)
		return contributions_distance(r, out);
	if (r->whole)
		return r->of == DP_RECORD_ID ? whole_distance(K, out) : DP_EINVAL;
	if (r->lo > r->hi || M == 0 || r->ones > D || (r->per_step && (r->lines || K == 0)) ||
	    (r->entry && (!r->lines || K != 0)) || (r->once && (K == 0 || S > 1)) ||
	    (r->total != NULL && (K != 0 || r->unit == 0 || r->lo > 0 || r->hi < 0)))
		return DP_EINVAL;
	if (r->of == DP_RECORD_SYMBOL && r->vector.l1 != 0)
		return symbol_distance(r, out);
	if (M >= L1_MAX || S >= L1_MAX || K >= L1_MAX || (dp_uwide)K * M >= L1_MAX)
		return DP_ERANGE;
	R = below + above;
	if (r->unit != 0) {
		M = least(M, r->unit);
		R = least(R, r->unit);
	}
	/* of the columns that move, `full` move by far, `part` by M */
	far = r->once ? M : K != 0 ? K * M : R;
	if (r->every.most != 0) {
		if (r->every.most >= L1_MAX || (dp_uwide)r->every.most * R >= L1_MAX)
			return DP_ERANGE;
		far *= r->every.most;
	}
	full = r->once ? least(K, D) : full;
	if (line) {
		full = 2 * S > D ? 2 * S - D : 0;
		part = 2 * (S - full);
	}
	l1 = (dp_uwide)full * far + (dp_uwide)part * M;
	if (l1 >= L1_MAX)	/* what is below is at most its square */
		return DP_ERANGE;
	l2 = (dp_uwide)full * far * far + (dp_uwide)part * M * M;
	if (l2 < (dp_uwide)S * far * far)
		l2 = (dp_uwide)S * far * far;
	out->l1 = (uint64_t)l1;
	out->wide = l2 >= L2_MAX;
	out->l2squared = out->wide ? L2_MAX : (uint64_t)l2;
	out->linf = far;
	out->spread = !r->once ? spread(out, K, S, M, below, above) :
	    K > 1 ? least(M, below) + least(M, above) : M;
	out->columns = (size_t)(K != 0 ? least(K * S, D) : full + part);
	out->cells = r->every.apart != NULL ? 0 : r->every.most != 0 ? r->every.most :
	    K != 0 ? K * S : full + part;
	return 0;
}

/* One event more or less in two totals of a line (CONTRIBUTIONS): its weight, and its value. */
static void
weight_words(const struct dp_relation *r, char *what, size_t size)
{
	snprintf(what, size, "%sone event more or less changes one line's weight by at most "
	    "%.40s, and its value by between %" PRId64 " and %" PRId64 " times as much (all lines "
	    "are well-formed%s)%s", r->lines ? "they have the same number of lines, and " : "",
	    r->total, r->lo, r->hi, r->lines ? "" : "; a line that is missing is one of 0 and 0",
	    r->times ? ", while the times are the same" : "");
}

/* One event more or less in a total. */
static void
total_words(const struct dp_relation *r, char *what, size_t size)
{
	const bool one = r->of != DP_RECORD_NUMBERS;
	const char *what_of = r->of == DP_RECORD_SYMBOL ? "line's total" : one ? "step's value" :
	    "number of one step";

	if (r->sum != 0) {
		weight_words(r, what, size);
		return;
	}
	if (r->lines)
		snprintf(what, size, "they have the same number of lines, all well-formed, and one "
		    "event more or less changes one %s by at most %.40s", what_of, r->total);
	else
		snprintf(what, size, "one event more or less changes one %s by at most %.40s, in "
		    "one line (all are well-formed; a line that is missing counts 0)%s",
		    what_of, r->total,
		    r->times ? ", while the times are the same" : "");
}

/*
 * True: an event in a bucket with other numbers, in its own columns, moves no more than one that is
 * there or not.  Of contributions that add to several columns it moves up to twice the sum.
 */
static bool
other_value(const struct dp_relation *r)
{
	const uint64_t D = r->columns != 0 ? r->columns : 1, S = r->ones != 0 ? r->ones : 1;
	const uint64_t below = r->lo < 0 ? -(uint64_t)r->lo : 0;
	const uint64_t above = r->hi > 0 ? (uint64_t)r->hi : 0;
	struct dp_distance d;
	dp_uwide moved;

	if (r->of == DP_RECORD_NAME || dp_relation_distance(r, &d) != 0)
		return false;		/* a name is all that its event has */
	if (r->sum != 0)
		moved = (dp_uwide)r->sum * (D > 1 ? 2 : 1);
	else
		moved = (dp_uwide)S * (r->unit != 0 ? least(r->unit, below + above) :
		    below + above);
	return moved <= d.l1;
}

/* One event more, and what else is as near; `two' is farther away. */
static void
event_words(const struct dp_relation *r, const char *value, char *what, size_t size)
{
	const bool other = other_value(r);
	const char *two = r->of == DP_RECORD_NAME ? "name" : other && r->words.keyed ? "key" :
	    other ? NULL : r->words.keyed ? "value or key" : "value";
	char event[100] = "", twice[60] = "", keys[60] = "";

	if (r->words.elements) {
		snprintf(keys, sizeof keys, ", for at most %zu key%s", r->ones, r->ones == 1 ?
		    "" : "s");
		value = "value differs";
	}
	if (other)
		snprintf(event, sizeof event, ", or one event's %s%s", value,
		    r->times || r->words.run ? "" : " within its bucket");
	if (two != NULL)
		snprintf(twice, sizeof twice, " (an event with another %s is two)", two);
	snprintf(what, size, "one has one event more than the other%s%s%s%s", keys, event, twice,
	    r->times ? ", while the times are the same (the line stays where 'nothing "
	    "happened')" : "");
}

/* A user's events of a step, which are one record. */
static void
fold_words(const struct dp_relation *r, char *what, size_t size)
{
	const char *key = r->of == DP_RECORD_NAME ? "name" : "key";
	char count[140] = "", apart[60] = "";

	if (r->spacing != 0)
		snprintf(apart, sizeof apart, ", any two at least %" PRIu64 " step%s apart",
		    r->spacing, r->spacing == 1 ? "" : "s");

	if (!r->per_step && !r->once && r->words.keyed)
		snprintf(count, sizeof count, " for each %s in a step, at most %" PRIu64
		    " in all%s", key, r->per_user, apart);
	else if (r->words.keyed)
		snprintf(count, sizeof count, " for each of at most %" PRIu64 " %s%s", r->per_user,
		    key, r->per_user == 1 ? "" : "s");
	else if (!r->per_step && !r->words.run)
		snprintf(count, sizeof count, " in each of at most %" PRIu64 " step%s%s",
		    r->per_user, r->per_user == 1 ? "" : "s", apart);
	if (r->words.next) {
		snprintf(what, size, "they differ in the readings of one user in one step, all "
		    "present or all absent, which move its number of that step and that of the "
		    "step in which it is read next%s (one of them more or fewer is another "
		    "matter)", r->times ? ", while the times are the same" : "");
		return;
	}
	snprintf(what, size, "they differ in the events of one user%s, all present or all absent, "
	    "which come to one number%s%s (one of them more or fewer is another matter)",
	    r->per_step ? " in one step" : "", count,
	    r->times ? ", while the times are the same" : "");
}

size_t
dp_relation_sentence(const struct dp_relation *r, char *text, size_t size)
{
	static const char *const line[] = { "'s event differs", "'s numbers differ",
	    "'s identifier differs", "'s symbol differs", "'s name differs" };
	static const char *const event[] = { "value differs",
	    "numbers, in the same columns, differ", "", "symbol differs", "" };
	const unsigned of = r->ones > 1 && !r->words.elements ? DP_RECORD_NUMBERS : r->of;
	const uint64_t k = r->per_user;
	const char *in = r->per_step ? " in one step" : "";
	char what[320], unit[80] = "", apart[80] = "";
	int n;

	if (r->spacing > 1)
		snprintf(apart, sizeof apart, ", any two at least %" PRIu64 " steps apart,",
		    r->spacing);
	else if (r->spacing != 0)
		snprintf(apart, sizeof apart, ", at most one in a step,");
	else
		snprintf(apart, sizeof apart, "%s%s,", r->once ? ", no two of one name" : "",
		    r->words.elements ? " (each key of an event is one)" : "");

	if (r->words.folds && k != 0)
		fold_words(r, what, sizeof what);
	else if (r->every.apart != NULL)
		snprintf(what, sizeof what, "they have the same number of lines and, line by line, "
		    "numbers that differ by at most %.60s%s (what moves none by more is protected: "
		    "the caller knows what)", r->every.apart, r->every.one_way ?
		    ", those of one never below the other's" : "");
	else if (r->every.most != 0)
		snprintf(what, sizeof what, "they have the same number of lines and differ in at "
		    "most %" PRIu64 " of them (the caller knows that one event changes no more)",
		    r->every.most);
	else if (r->total != NULL)
		total_words(r, what, sizeof what);
	else if (k != 0 && r->lines)
		snprintf(what, sizeof what, "the lines of one user, of which at most %" PRIu64
		    " are counted%s are replaced by 'nothing happened', or back (lines keep their "
		    "places)", k, apart);
	else if (k != 0 && r->times)
		snprintf(what, sizeof what, "they differ in the events of one user%s, of which at "
		    "most %" PRIu64 " are counted%s all present or all absent, while the times "
		    "are the same", in, k, apart);
	else if (k != 0)
		snprintf(what, sizeof what, "they differ in the events of one user%s, all present "
		    "or all absent, of which at most %" PRIu64 " are counted%.*s", in, k,
		    (int)strlen(apart) - 1, apart);
	else if (r->entry)
		snprintf(what, sizeof what, "they have the same number of lines, all well-formed, "
		    "and one number of one line differs");
	else if (r->whole && r->lines)
		snprintf(what, sizeof what, "they have the same number of lines and differ in "
		    "those of one identifier alone: %s%s'nothing happened' in %s",
		    r->presence ? "all of them are " : "each is it",
		    r->presence ? "" : r->lo < 0 ? ", -it or " : " or ",
		    r->presence ? "one of the two" : "either");
	else if (r->whole)
		snprintf(what, sizeof what, "they differ in the events of one identifier alone, "
		    "%s%s", r->presence ? "all present or all absent" :
		    "any number of them in either", r->times ?
		    ", while the times are the same" : "");
	else if (r->lines)
		snprintf(what, sizeof what, "they have the same number of lines and one line%s "
		    "(including 'nothing happened')", of == DP_RECORD_NUMBER &&
		    r->columns != 0 && r->sum == 0 ? r->words.elements ?
		    " differs, in value, keys or both" : " differs, in value, key or both" :
		    of == DP_RECORD_SYMBOL && r->words.number ? "'s number differs" : line[of]);
	else if (of == DP_RECORD_ID && r->lo >= 0)	/* sketch/exact.c: seen or not, in a step */
		snprintf(what, sizeof what, "they differ in what one identifier does in one step, "
		    "however many events that is in either%s", r->times ? ", while the times are "
		    "the same (lines stay where 'nothing happened')" : "");
	else if (of == DP_RECORD_ID)
		snprintf(what, sizeof what, "one has one event more than the other%s%s",
		    r->words.run ? ", or one event is done and not undone" :
		    ", or one event is done and not undone, within its bucket",
		    r->times ? ", while the times are the same (the line stays where 'nothing "
		    "happened')" : "");
	else
		event_words(r, event[of], what, sizeof what);
	if (r->unit != 0 && r->every.apart == NULL && r->total == NULL)
		snprintf(unit, sizeof unit, ", and no number by more than %" PRIu64 " grid units",
		    r->unit);
	n = snprintf(text, size, "two inputs are neighbours if %s%s", what, unit);
	return n >= 0 && (size_t)n < size ? (size_t)n : size - (size > 0);
}

const char *
dp_relation_unit(const struct dp_relation *r)
{
	if (r->every.apart != NULL)
		return "answer";
	if (r->every.most != 0)		/* of those that lines are computed from: no line's event */
		return "source-event";
	if (r->entry)
		return "number";
	if (r->per_user != 0 || r->whole)
		return r->per_step ? "user-step" : "user";
	return "event";
}

/* The relation as lines of dputils-plan(5), for a checker of its own. */

static int
line(struct dp_buf *b, const char *word, const int64_t *n, unsigned count)
{
	char text[32];

	dp_buf_puts(b, word);
	for (; count > 0; count--, n++) {
		snprintf(text, sizeof text, " %" PRId64, *n);
		dp_buf_puts(b, text);
	}
	dp_buf_puts(b, "\n");
	return b->error;
}

/* Without an entry of more than one column. */
static int
entry_lines(const struct dp_relation *r, struct dp_buf *b, int64_t ones)
{
	const int64_t n[] = { (int64_t)r->per_user, r->lo, r->hi, (int64_t)r->unit,
	    (int64_t)(r->columns != 0 ? r->columns : 1), ones };
	const int64_t below = r->lo < 0 ? -r->lo : 0, above = r->hi > 0 ? r->hi : 0;
	const bool one = r->entry || r->total != NULL;

	if (r->every.most != 0)
		return line(b, "records", (int64_t[]){ (int64_t)r->every.most, 0, below + above, 0,
		    1, 1 }, 6);
	if (r->once)
		return line(b, "once", n, 5);
	if (r->per_user != 0)
		return line(b, "records", n, 6);
	return line(b, r->lines && !one ? "line" : "event", n + 1, 5);
}

int
dp_relation_lines(const struct dp_relation *r, struct dp_buf *b)
{
	const int64_t K = r->every.most != 0 ? (int64_t)r->every.most :
	    r->per_user != 0 ? (int64_t)r->per_user : 1;
	const int64_t D = r->columns != 0 ? (int64_t)r->columns : 1;
	struct dp_distance d;
	int e;
	const bool line_ = r->lines && r->per_user == 0 && r->total == NULL;

	if (r->sum != 0)
		return line(b, "adds", (int64_t[]){ K, line_ && D > 1 ? 2 : 1, (int64_t)r->sum, D },
		    4);
	if (r->whole)
		return line(b, r->presence ? "present" : "identifiers", &K, 1);
	if (r->of == DP_RECORD_SYMBOL && r->vector.l1 != 0 && r->total != NULL) {
		if ((e = symbol_distance(r, &d)) != 0)
			return e;
		return line(b, "vectors", (int64_t[]){ 1, (int64_t)d.l1, (int64_t)d.l2squared }, 3);
	}
	if (r->of == DP_RECORD_SYMBOL && r->vector.l1 != 0)
		return line(b, "vectors", (int64_t[]){ K, (int64_t)r->vector.l1,
		    (int64_t)r->vector.l2squared }, 3);
	return entry_lines(r, b, r->ones != 0 && !r->entry && r->total == NULL ?
	    (int64_t)r->ones : 1);
}
