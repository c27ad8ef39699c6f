/* SPDX-License-Identifier: ISC */
/*
 * t_neighbour.c - the distance of neighbours against brute force: all streams of a few steps, a few
 * columns and a few values are compared with all their neighbours.
 */
#include <string.h>

#include "account/internal.h"
#include "account/neighbour.h"
#include "base/buf.h"
#include "check.h"

#define STEPS	3
#define COLUMNS	3
#define RECORDS	216

struct record {
	int v[COLUMNS];
};

/* The entries a record may have, and the greatest distances found. */
struct world {
	const struct dp_relation *r;
	int D, S, steps, records;
	struct record record[RECORDS];
	uint64_t l1, l2, linf, spread;
	size_t columns;
	uint64_t cells;
	int used[COLUMNS];	/* entries that records so far have in each */
};

static void
make_records(struct world *w)
{
	int lo = (int)w->r->lo, hi = (int)w->r->hi, c, entries, i, k, total = 1, base;
	int value[8], values = 0;

	for (k = lo < 0 ? lo : 0; k <= (hi > 0 ? hi : 0); k++)
		if (k == 0 || (lo <= k && k <= hi))
			value[values++] = k;
	for (c = 0; c < w->D; c++)
		total *= values;
	for (w->records = 0, i = 0; i < total; i++) {
		struct record x = { { 0 } };

		for (entries = 0, base = i, c = 0; c < w->D; c++, base /= values) {
			x.v[c] = value[base % values];
			entries += x.v[c] != 0;
		}
		if (entries <= w->S)
			w->record[w->records++] = x;
	}
}

/* Whether one record may stand for the other: in buckets the columns stay, or one is nothing. */
static bool
one_for_other(const struct world *w, const struct record *x, const struct record *y)
{
	bool nothing[2] = { true, true };
	int c, held = 0, moved = 0;

	for (c = 0; c < w->D; c++) {
		int d = x->v[c] - y->v[c];

		if (w->r->unit != 0 && (uint64_t)(d < 0 ? -d : d) > w->r->unit)
			return false;
		nothing[0] = nothing[0] && x->v[c] == 0;
		nothing[1] = nothing[1] && y->v[c] == 0;
		held += x->v[c] != 0 || y->v[c] != 0;
		moved += d != 0;
	}
	if (w->r->entry || w->r->total != NULL)
		return moved <= 1;
	if (w->r->per_user != 0)
		return nothing[1];
	if (w->r->sum != 0)
		return w->r->lines || nothing[0] || nothing[1];
	return w->r->lines || held <= w->S || nothing[0] || nothing[1];
}

/* A column of the record has an entry of another. */
static bool
is_used(const struct world *w, const struct record *x)
{
	int c;

	for (c = 0; c < w->D; c++)
		if (x->v[c] != 0 && w->used[c] > 0)
			return true;
	return false;
}

static void
compare(struct world *w, int d[STEPS][COLUMNS])
{
	int at[COLUMNS] = { 0 }, c, t, k;
	uint64_t l1 = 0, l2 = 0, sum, cells = 0;
	size_t moved = 0;

	/* the sums after each step: how far apart the moves of two of them are */
	for (t = 0; t < STEPS; t++)
		for (c = 0; c < w->D; c++) {
			at[c] += d[t][c];
			cells += d[t][c] != 0;
			for (k = 0; c == w->D - 1 && k < w->D * w->D; k++)
				if (at[k % w->D] - at[k / w->D] > (int)w->spread)
					w->spread = (uint64_t)(at[k % w->D] - at[k / w->D]);
		}

	for (c = 0; c < w->D; c++) {
		for (sum = 0, t = 0; t < STEPS; t++)
			sum += (uint64_t)(d[t][c] < 0 ? -d[t][c] : d[t][c]);
		l1 += sum;
		l2 += sum * sum;
		moved += sum != 0;
		if (sum > w->linf)
			w->linf = sum;
	}
	if (l1 > w->l1)
		w->l1 = l1;
	if (l2 > w->l2)
		w->l2 = l2;
	if (moved > w->columns)
		w->columns = moved;
	if (cells > w->cells)
		w->cells = cells;
}

/*
 * The neighbour has others for so many records `left`, in steps from t on: in lines each step has
 * one record, in buckets any number.  The other records are in both streams, and cancel.
 */
static void
neighbours(struct world *w, int t, uint64_t left, int d[STEPS][COLUMNS])
{
	int i, k, c;

	compare(w, d);
	if (left == 0 || t == w->steps)
		return;
	neighbours(w, t + 1, left, d);
	for (i = 0; i < w->records; i++)
		for (k = 0; k < w->records; k++) {
			if (!one_for_other(w, &w->record[i], &w->record[k]) ||
			    (w->r->once && is_used(w, &w->record[i])))
				continue;
			for (c = 0; c < w->D; c++) {
				d[t][c] += w->record[i].v[c] - w->record[k].v[c];
				w->used[c] += w->record[i].v[c] != 0;
			}
			neighbours(w, w->r->lines ? t + 1 : t, left - 1, d);
			for (c = 0; c < w->D; c++)
				w->used[c] -= w->record[i].v[c] != 0;
			for (c = 0; c < w->D; c++)
				d[t][c] -= w->record[i].v[c] - w->record[k].v[c];
		}
}

static void
brute(const struct dp_relation *r)
{
	struct world w = { .r = r, .D = 1, .S = 1 };
	int d[STEPS][COLUMNS] = { { 0 } };
	struct dp_distance found;
	bool tight = r->unit == 0 || (r->lo <= 0 && r->hi >= 0), good;

	if (r->columns != 0)
		w.D = (int)r->columns;
	if (r->ones != 0)
		w.S = (int)r->ones;
	w.steps = r->per_user > 1 && !r->per_step ? (int)r->per_user :
	    r->every.most != 0 ? (int)r->every.most : 1;
	make_records(&w);
	neighbours(&w, 0, r->per_user != 0 ? r->per_user : (uint64_t)w.steps, d);
	if (dp_relation_distance(r, &found) != 0) {
		check(r->lo == 0 && r->hi == 0);
		return;
	}
	good = w.l1 <= found.l1 && w.l2 <= found.l2squared && w.linf <= found.linf &&
	    w.columns <= found.columns && w.spread <= found.spread &&
	    w.cells <= found.cells && !found.wide;
	if (tight)
		good = good && w.l1 == found.l1 && w.l2 == found.l2squared &&
		    w.linf == found.linf && w.columns == found.columns &&
		    (w.D == 1 || w.spread == found.spread) &&
		    (r->per_user > 1 || w.cells == found.cells);
	if (!good) {
		printf("lines %d range %d:%d users %d columns %d ones %d unit %d entry %d: ",
		    r->lines, (int)r->lo, (int)r->hi, (int)r->per_user, (int)r->columns,
		    (int)r->ones, (int)r->unit, r->entry);
		printf("found %d %d %d %d, ", (int)found.l1, (int)found.l2squared, (int)found.linf,
		    (int)found.columns);
		printf("brute force %d %d %d %d %d\n", (int)w.l1, (int)w.l2, (int)w.linf,
		    (int)w.columns, (int)w.cells);
	}
	check(good);
}

/* What events add: all records of entries from 0 that sum to `sum` at most. */
static void
contributions(void)
{
	struct dp_relation r;
	struct dp_distance found;
	int d[STEPS][COLUMNS] = { { 0 } }, i, c, all;
	struct world w;
	unsigned D, k, sum, lines, step;

	for (D = 1; D <= COLUMNS; D++)
		for (sum = 1; sum <= 3; sum++)
			for (k = 0; k <= 2; k++)
				for (lines = 0; lines <= 1; lines++)
					for (step = 0; step <= (k != 0 && !lines); step++) {
		r = (struct dp_relation){ .lines = lines, .lo = -5, .hi = 7, .columns = D,
		    .sum = sum, .per_user = k, .per_step = step };
		w = (struct world){ .r = &r, .D = (int)D, .S = (int)D,
		    .steps = k > 1 && step == 0 ? (int)k : 1 };
		for (i = 0; i < 64; i++) {
			struct record x = { { i & 3, i >> 2 & 3, i >> 4 } };

			for (all = 0, c = 0; c < COLUMNS; c++)
				all += c < (int)D ? x.v[c] : 100 * x.v[c];
			if (all <= (int)sum)
				w.record[w.records++] = x;
		}
		neighbours(&w, 0, k != 0 ? k : 1, d);
		check(dp_relation_distance(&r, &found) == 0 && !found.wide);
		check(w.l1 == found.l1 && w.l2 == found.l2squared);
		check(w.linf == found.linf);
		check(D == 1 || w.spread == found.spread);
		check(w.columns <= found.columns && w.cells <= found.cells);
		check(sum < D || w.columns == found.columns);
		check(sum < D || k > 1 || w.cells == found.cells);
		if (k == 0 || !lines)
			continue;
		/* so many lines that one event changes */
		r.per_user = 0;
		r.every.most = k;
		w.steps = (int)k;
		w.l1 = w.l2 = w.linf = w.spread = w.columns = w.cells = 0;
		neighbours(&w, 0, k, d);
		check(dp_relation_distance(&r, &found) == 0 && !found.wide);
		check(w.l1 == found.l1 && w.l2 == found.l2squared && w.linf == found.linf);
		check((D == 1 || w.spread == found.spread) && w.cells <= found.cells);
	}
	r = (struct dp_relation){ .sum = ((uint64_t)1 << 50) - 1, .hi = 1, .columns = 2 };
	check(dp_relation_distance(&r, &found) == 0 && found.l1 == r.sum && found.wide);
	r.lines = true;
	check(dp_relation_distance(&r, &found) == DP_ERANGE);
	r = (struct dp_relation){ .sum = (uint64_t)1 << 40, .hi = 1, .per_user = 1 << 10 };
	check(dp_relation_distance(&r, &found) == DP_ERANGE);
	r.per_user = UINT64_MAX;
	check(dp_relation_distance(&r, &found) == DP_ERANGE);
	r = (struct dp_relation){ .sum = 3, .hi = 1, .unit = 1 };
	check(dp_relation_distance(&r, &found) == DP_EINVAL);
	r = (struct dp_relation){ .sum = 3, .hi = 1, .entry = true, .lines = true };
	check(dp_relation_distance(&r, &found) == DP_EINVAL);
	r = (struct dp_relation){ .sum = 3, .hi = 1, .of = DP_RECORD_NUMBERS };
	check(dp_relation_distance(&r, &found) == DP_EINVAL);
	r = (struct dp_relation){ .sum = 3, .hi = 1, .per_step = true };
	check(dp_relation_distance(&r, &found) == DP_EINVAL);
	/* a total: one event adds to both of its line's numbers, also where that is a step */
	for (lines = 0; lines <= 1; lines++) {
		r = (struct dp_relation){ .sum = 3, .hi = 1, .columns = 2, .lines = lines,
		    .total = "3" };
		check(dp_relation_distance(&r, &found) == 0 && found.l1 == 3);
		check(found.l2squared == 9 && found.linf == 3);
	}
	r.per_user = 1;
	check(dp_relation_distance(&r, &found) == DP_EINVAL);
}

static void
small_worlds(void)
{
	static const int range[][2] = {
		{ 0, 1 }, { -1, 1 }, { -2, 1 }, { 1, 2 }, { 0, 3 }, { -2, -1 }, { -1, 3 }, { 2, 4 },
		{ 0, 0 }
	};
	struct dp_relation r;
	size_t i, D, S;
	unsigned k, unit, lines;

	for (i = 0; i < sizeof range / sizeof range[0]; i++)
		for (D = 0; D <= COLUMNS; D++)
			for (S = 0; S <= (D != 0 ? D : 1); S++)
				for (k = 0; k <= (D < 3 ? 3u : 2u); k++)
					for (unit = 0; unit <= 2; unit++)
						for (lines = 0; lines <= 1; lines++) {
							memset(&r, 0, sizeof r);
							r.lo = range[i][0];
							r.hi = range[i][1];
							r.columns = D;
							r.ones = S;
							r.per_user = k;
							r.unit = unit;
							r.lines = lines;
							brute(&r);
							r.entry = lines != 0 && k == 0;
							if (r.entry)
								brute(&r);
							r.entry = false;
							r.per_step = true;
							if (k != 0 && lines == 0)
								brute(&r);
							r.per_step = false;
							r.once = true;
							if (k != 0 && S <= 1)
								brute(&r);
							r.once = false;
							r.per_user = 0;
							r.every.most = k;
							if (k != 0 && lines && D <= 1 && unit == 0)
								brute(&r);
							r.every.most = 0;
							r.per_user = k;
							r.total = "1";
							if (k == 0 && unit != 0 && r.lo <= 0 &&
							    r.hi >= 0)
								brute(&r);
						}
}

/* The greatest |x - y|_1 of two events: with the same columns, or with any others. */
static void
farthest(const struct world *w, bool adds, uint64_t *value, uint64_t *key)
{
	uint64_t l1;
	int i, k, c, held;

	for (*value = *key = 0, i = 0; i < w->records; i++)
		for (k = 0; k < w->records; k++) {
			for (l1 = 0, held = 0, c = 0; c < w->D; c++) {
				const int x = w->record[i].v[c], y = w->record[k].v[c];

				l1 += (uint64_t)(x > y ? x - y : y - x);
				held += x != 0 || y != 0;
			}
			*key = l1 > *key ? l1 : *key;
			if (adds || held <= w->S)
				*value = l1 > *value ? l1 : *value;
		}
}

/*
 * An event in a bucket: that its value may differ is claimed if and only if no two values are
 * farther apart than an event is from none; that its key or name may differ never, unless as two.
 */
static void
claims(const struct dp_relation *r, struct world *w)
{
	const bool adds = r->sum != 0, name = r->of == DP_RECORD_NAME;
	uint64_t value, key;
	struct dp_distance d;
	char text[DP_RELATION_SENTENCE];

	farthest(w, adds, &value, &key);
	check(dp_relation_distance(r, &d) == 0);
	(void)dp_relation_sentence(r, text, sizeof text);
	check(strstr(text, "one event more than the other") != NULL);
	check((strstr(text, "differ") != NULL) == (!name && value <= d.l1));
	check((strstr(text, "is two)") != NULL) ==
	    ((adds && value > d.l1) || r->words.keyed || name));
	check(key <= 2 * d.l1);
	if (name || (r->words.keyed && !adds))
		check(w->D == 1 || r->lo < 0 || key > d.l1);
}

static void
claimed(void)
{
	static const int range[][2] = { { 0, 1 }, { -1, 1 }, { -2, 1 }, { 1, 2 }, { 0, 3 },
	    { -1, 3 } };
	struct dp_relation r;
	struct world w;
	unsigned D, S, i, sum;

	for (D = 1; D <= COLUMNS; D++) {
		for (i = 0; i < sizeof range / sizeof *range; i++)
			for (S = 1; S <= D; S++) {
				r = (struct dp_relation){ .lo = range[i][0], .hi = range[i][1],
				    .columns = D, .ones = S, .words.keyed = S == 1 };
				w = (struct world){ .r = &r, .D = (int)D, .S = (int)S };
				make_records(&w);
				claims(&r, &w);
			}
		r = (struct dp_relation){ .hi = 1, .columns = D, .ones = 1, .words.keyed = true,
		    .of = DP_RECORD_NAME };
		w = (struct world){ .r = &r, .D = (int)D, .S = 1 };
		make_records(&w);
		claims(&r, &w);
		for (sum = 1; sum <= 3; sum++) {	/* all of it in one column, or none */
			r = (struct dp_relation){ .columns = D, .sum = sum };
			w = (struct world){ .r = &r, .D = (int)D, .S = (int)D, .records = 1 };
			for (i = 0; i < D; i++)
				w.record[w.records++].v[i] = (int)sum;
			claims(&r, &w);
		}
	}
}

static void
limits(void)
{
	struct dp_relation r = { .hi = 1 };
	struct dp_distance d = { .l1 = 77 };

	r.lo = 2;
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .ones = 2 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .per_step = true };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .per_step = true, .per_user = 1, .lines = true };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .columns = 3, .once = true };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .columns = 3, .ones = 2, .per_user = 2, .once = true };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 9, .total = "1" };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 9, .total = "1", .unit = 1, .per_user = 1 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .lo = 1, .hi = 9, .total = "1", .unit = 1 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .lo = -9, .hi = -1, .total = "1", .unit = 1 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .lines = false, .entry = true };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .hi = 1, .lines = true, .entry = true, .per_user = 1 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r = (struct dp_relation){ .lo = INT64_MIN, .hi = INT64_MAX };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .hi = (int64_t)1 << 50 };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .hi = 1, .per_user = UINT64_MAX };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .hi = (int64_t)1 << 30, .per_user = (uint64_t)1 << 20 };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .hi = 1, .columns = SIZE_MAX, .ones = SIZE_MAX, .lines = true };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .hi = (int64_t)1 << 30, .columns = 1 << 20, .ones = 1 << 20 };
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	check(d.l1 == 77);		/* written only on success */
	r = (struct dp_relation){ .hi = ((int64_t)1 << 31) - 1 };
	check(dp_relation_distance(&r, &d) == 0 && !d.wide);
	check(d.l2squared == (((uint64_t)1 << 31) - 1) * (((uint64_t)1 << 31) - 1));
	r = (struct dp_relation){ .hi = (int64_t)1 << 31 };
	check(dp_relation_distance(&r, &d) == 0 && d.wide && d.l2squared == (uint64_t)1 << 62);
	r = (struct dp_relation){ .hi = ((int64_t)1 << 50) - 1 };
	check(dp_relation_distance(&r, &d) == 0 && d.wide && d.l1 == ((uint64_t)1 << 50) - 1);
	/* every line apart by so much: of one line; never by more than the range is wide */
	r = (struct dp_relation){ .lines = true, .lo = -4, .hi = 90, .unit = 7,
	    .every.apart = "7" };
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 7 && d.l2squared == 49 && d.linf == 7);
	check(d.cells == 0);
	r.unit = 1000;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 94);
}

/* What happens to one identifier, or to those of a user's events, as many as there are. */
static void
identifiers(void)
{
	struct dp_relation r = { .of = DP_RECORD_ID, .whole = true, .hi = 1, .columns = 1 << 20 };
	struct dp_distance d;

	for (r.lines = 0; ; r.lines = 1) {
		for (r.per_user = 0; r.per_user < 5; r.per_user += 4) {
			check(dp_relation_distance(&r, &d) == 0);
			check(d.l1 == 1 + r.per_user / 4 * 3 && d.l2squared == d.l1 * d.l1);
			check(d.linf == 1 && d.columns == d.l1 && !d.wide);
		}
		if (r.lines)
			break;
	}
	r.per_user = UINT64_MAX;
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r = (struct dp_relation){ .of = DP_RECORD_NUMBER, .whole = true, .hi = 1 };
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
}

static void
sentences(void)
{
	static const struct {
		struct dp_relation r;
		const char *text;
	} row[] = {
		{ { .sum = 5, .columns = 2 },
		    "one has one event more than the other (an event with another value is two)" },
		{ { .sum = 5, .columns = 2, .lines = true }, "they have the same number of "
		    "lines and one line's event differs (including 'nothing happened')" },
		{ { .sum = 6, .hi = 2, .total = "3", .lines = true }, "they have the same number "
		    "of lines, and one event more or less changes one line's weight by at most 3, "
		    "and its value by between 0 and 2 times as much (all lines are well-formed)" },
		{ { .sum = 6, .lo = -1, .hi = 1, .total = "3" }, "one event more or less changes "
		    "one line's weight by at most 3, and its value by between -1 and 1 times as "
		    "much (all lines are well-formed; a line that is missing is one of 0 and 0)" },
		{ { .sum = 5, .per_user = 3 }, "they differ in the events of one user, all present "
		    "or all absent, of which at most 3 are counted" },
		{ { .lines = true, .unit = 5, .every.apart = "1/2" },
		    "they have the same number of lines and, line by line, numbers that differ by "
		    "at most 1/2 (what moves none by more is protected: the caller knows what)" },
		{ { .lines = true },
		    "they have the same number of lines and one line's event differs "
		    "(including 'nothing happened')" },
		{ { .lines = true, .columns = 1 },
		    "they have the same number of lines and one line differs, in value, key "
		    "or both (including 'nothing happened')" },
		{ { .lines = true, .columns = 3, .ones = 2 },
		    "they have the same number of lines and one line's numbers differ "
		    "(including 'nothing happened')" },
		{ { .lines = true, .columns = 3, .ones = 3, .entry = true },
		    "they have the same number of lines, all well-formed, and one number of one "
		    "line differs" },
		{ { .lines = true, .per_user = 4 },
		    "the lines of one user, of which at most 4 are counted, are replaced by "
		    "'nothing happened', or back (lines keep their places)" },
		{ { .lines = true, .per_user = 4, .spacing = 7 },
		    "the lines of one user, of which at most 4 are counted, any two at least 7 "
		    "steps apart, are replaced by 'nothing happened', or back (lines keep their "
		    "places)" },
		{ { .per_user = 4, .spacing = 1 },
		    "they differ in the events of one user, all present or all absent, of "
		    "which at most 4 are counted, at most one in a step" },
		{ { .per_user = 4, .spacing = 3, .times = true },
		    "they differ in the events of one user, of which at most 4 are counted, any "
		    "two at least 3 steps apart, all present or all absent, while the times are "
		    "the same" },
		{ { .hi = 1 },
		    "one has one event more than the other, or one event's value differs "
		    "within its bucket" },
		{ { .hi = 1, .columns = 2, .words.keyed = true },
		    "one has one event more than the other, or one event's value differs "
		    "within its bucket (an event with another key is two)" },
		{ { .hi = 1, .columns = 2, .words.keyed = true, .words.run = true },
		    "one has one event more than the other, or one event's value differs "
		    "(an event with another key is two)" },
		{ { .hi = 1, .columns = 2, .of = DP_RECORD_NAME },
		    "one has one event more than the other (an event with another name is two)" },
		{ { .sum = 5, .columns = 4, .words.keyed = true },
		    "one has one event more than the other (an event with another "
		    "value or key is two)" },
		{ { .sum = 5, .columns = 1 }, "one has one event more than the other, or one "
		    "event's value differs within its bucket" },
		{ { .hi = 1, .columns = 2, .ones = 2, .unit = 5 },
		    "one has one event more than the other, or one event's numbers, in the same "
		    "columns, differ within its bucket, and no number by more than 5 grid units" },
		{ { .hi = 1, .columns = 2, .ones = 2, .times = true },
		    "one has one event more than the other, or one event's numbers, in the same "
		    "columns, differ, while the times are the same (the line stays where 'nothing "
		    "happened')" },
		{ { .per_user = 2 },
		    "they differ in the events of one user, all present or all absent, of "
		    "which at most 2 are counted" },
		{ { .hi = 1, .times = true },
		    "one has one event more than the other, or one event's value differs, "
		    "while the times are the same (the line stays where 'nothing happened')" },
		{ { .of = DP_RECORD_ID, .ones = 1 },
		    "they differ in what one identifier does in one step, however many events that "
		    "is in either" },
		{ { .of = DP_RECORD_ID, .ones = 1, .lo = -1, .times = true },
		    "one has one event more than the other, or one event is done and not "
		    "undone, within its bucket, while the times are the same (the line stays "
		    "where 'nothing happened')" },
		{ { .of = DP_RECORD_ID, .lines = true, .whole = true },
		    "they have the same number of lines and differ in those of one identifier "
		    "alone: each is it or 'nothing happened' in either" },
		{ { .of = DP_RECORD_ID, .lines = true, .whole = true, .lo = -1 },
		    "they have the same number of lines and differ in those of one identifier "
		    "alone: each is it, -it or 'nothing happened' in either" },
		{ { .of = DP_RECORD_ID, .lines = true, .whole = true, .presence = true },
		    "they have the same number of lines and differ in those of one identifier "
		    "alone: all of them are 'nothing happened' in one of the two" },
		{ { .of = DP_RECORD_ID, .whole = true },
		    "they differ in the events of one identifier alone, any number of them in "
		    "either" },
		{ { .of = DP_RECORD_ID, .whole = true, .presence = true, .times = true },
		    "they differ in the events of one identifier alone, all present or all "
		    "absent, while the times are the same" },
		{ { .per_user = 2, .per_step = true },
		    "they differ in the events of one user in one step, all present or all "
		    "absent, of which at most 2 are counted" },
		{ { .per_user = 2, .once = true },
		    "they differ in the events of one user, all present or all absent, of which "
		    "at most 2 are counted, no two of one name" },
		{ { .per_user = 2, .per_step = true, .times = true },
		    "they differ in the events of one user in one step, of which at most 2 are "
		    "counted, all present or all absent, while the times are the same" },
		{ { .lines = true, .unit = 10, .total = "0.1" },
		    "they have the same number of lines, all well-formed, and one event more or "
		    "less changes one step's value by at most 0.1" },
		{ { .lines = true, .of = DP_RECORD_NUMBERS, .unit = 1, .total = "1" },
		    "they have the same number of lines, all well-formed, and one event more or "
		    "less changes one number of one step by at most 1" },
		{ { .unit = 1, .total = "1" },
		    "one event more or less changes one step's value by at most 1, in one line "
		    "(all are well-formed; a line that is missing counts 0)" },
		{ { .of = DP_RECORD_NUMBERS, .times = true, .unit = 1, .total = "1" },
		    "one event more or less changes one number of one step by at most 1, in one "
		    "line (all are well-formed; a line that is missing counts 0), while the times "
		    "are the same" },
		{ { .times = true, .per_user = 2 },
		    "they differ in the events of one user, of which at most 2 are counted, "
		    "all present or all absent, while the times are the same" }
	};
	static const char start[] = "two inputs are neighbours if ";
	struct dp_relation longest = { .lines = true, .per_user = UINT64_MAX, .unit = UINT64_MAX };
	char text[DP_RELATION_SENTENCE];
	size_t i, n;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		n = dp_relation_sentence(&row[i].r, text, sizeof text);
		check(n == strlen(text) && strncmp(text, start, strlen(start)) == 0);
		if (strcmp(text + strlen(start), row[i].text) != 0)
			printf("%s\n", text);
		check(strcmp(text + strlen(start), row[i].text) == 0);
	}
	for (i = 0; i < 4; i++) {
		longest.times = i & 1;
		longest.lines = i & 2;
		check(dp_relation_sentence(&longest, text, sizeof text) < sizeof text - 1);
		check(strstr(text, " grid units") != NULL);
	}
	check(dp_relation_sentence(&longest, text, 10) == 9 && strcmp(text, "two input") == 0);
	check(dp_relation_sentence(&longest, text, 0) == 0);
}

/* TOTALS: what is read of totals that one event moves, for all quarters of a unit near the ends. */
static void
totals(void)
{
	static const int range[][2] = { { 0, 9 }, { -9, 0 }, { -3, 3 }, { 0, 2 }, { -1, 4 } };
	char text[32];
	int64_t f[61], far;
	size_t k;
	int i, j, u;

	for (k = 0; k < sizeof range / sizeof range[0]; k++) {
		for (i = 0; i <= 60; i++) {
			snprintf(text, sizeof text, "%.2f", (i - 30) / 4.);
			check(dp_decimal_parse(&f[i], text, strlen(text), 0) == 0);
			f[i] = f[i] < range[k][0] ? range[k][0] : f[i] > range[k][1] ?
			    range[k][1] : f[i];
		}
		for (u = 1; u <= 2; u++) {
			for (far = 0, i = 0; i <= 60; i++)
				for (j = i; j <= 60 && j - i <= 4 * u; j++)
					far = f[j] - f[i] > far ? f[j] - f[i] : far;
			check(far == u + (range[k][0] < 0 && range[k][1] > 0));
		}
	}
}

/* Symbols that stand for vectors, of the distances given. */
static void
symbols(void)
{
	const uint64_t big = (uint64_t)1 << 50;
	struct dp_relation r = { .lines = true, .hi = 1, .of = DP_RECORD_SYMBOL, .vector.l1 = 7,
	    .vector.l2squared = 13 };
	struct dp_distance d;

	check(dp_relation_distance(&r, &d) == 0);
	check(d.l1 == 7 && d.l2squared == 13 && d.linf == 7 && d.columns == 1 && !d.wide);
	r.per_user = 3;
	check(dp_relation_distance(&r, &d) == 0);
	check(d.l1 == 21 && d.l2squared == 117 && d.columns == 1);
	r.per_user = big / 7;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == big / 7 * 7 && d.wide);
	r.per_user++;
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r.per_user = big;
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r.per_user = 0;
	r.vector.l1 = big;
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r.vector.l1 = 5;
	r.vector.l2squared = 0;
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r.vector.l2squared = (uint64_t)1 << 60;
	check(dp_relation_distance(&r, &d) == 0 && !d.wide && d.l2squared == r.vector.l2squared);
	r.per_user = 2;
	check(dp_relation_distance(&r, &d) == 0 && d.wide && d.l1 == 10);
	r.vector.l1 = 0;	/* none given: one entry */
	r.per_user = 0;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 1);
}

/* So many of them a line: one event moves the number by `unit', or by what the range has. */
static void
many_symbols(void)
{
	struct dp_relation r = { .lines = true, .hi = 10, .of = DP_RECORD_SYMBOL, .vector.l1 = 7,
	    .vector.l2squared = 13, .unit = 3, .total = "3" };
	char text[400];
	struct dp_distance d;
	struct dp_buf b = { .n = 0 };

	check(dp_relation_distance(&r, &d) == 0);
	check(d.l1 == 21 && d.l2squared == 117 && !d.wide);
	check(dp_relation_lines(&r, &b) == 0 && b.n == 17 &&
	    memcmp(b.p, "vectors 1 21 117\n", 17) == 0);
	dp_buf_free(&b);
	dp_relation_sentence(&r, text, sizeof text);
	check(strstr(text, "changes one line's total by at most 3") != NULL);
	check(strcmp(dp_relation_unit(&r), "event") == 0);
	r.hi = 2;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 14 && d.l2squared == 52);
	r.lo = -2;	/* both signs: the caller has added a grid unit */
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 21);
	r.unit = 4;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == 28);
	r.lo = r.hi = 0;
	check(dp_relation_distance(&r, &d) == DP_EINVAL);
	r.hi = (int64_t)1 << 49;
	r.unit = (uint64_t)1 << 49;
	check(dp_relation_distance(&r, &d) == DP_ERANGE);
	r.vector.l1 = r.vector.l2squared = 1;
	check(dp_relation_distance(&r, &d) == 0 && d.l1 == (uint64_t)1 << 49 && d.wide);
}

/*
 * Once a key: all streams of up to four events of one user, each of one of three columns at one of
 * two steps, of which the first of a column counts, and K columns in all.  What they add is there,
 * or not: |d|_1, the squares of the columns' own |d|_1, a column's sum, two columns' apart.
 */
static void
once_a_key(uint64_t K)
{
	enum { COLS = 3, TIMES = 2, MOST = 4, PLACES = COLS * TIMES };
	const struct dp_relation r = { .hi = 1, .once = true, .per_user = K, .columns = COLS };
	uint64_t l1, l2, linf, far, most[4] = { 0 }, stream, rest, of[COLS];
	struct dp_distance d;
	int i, c, place, keys;

	for (stream = 0; stream < 7 * 7 * 7 * 7; stream++) {
		memset(of, 0, sizeof of);
		for (keys = 0, rest = stream, i = 0; i < MOST; i++, rest /= PLACES + 1) {
			place = (int)(rest % (PLACES + 1));	/* the last: nothing */
			c = place % COLS;
			if (place == PLACES || of[c] != 0 || (uint64_t)keys == K)
				continue;
			of[c] = 1;
			keys++;
		}
		l1 = of[0] + of[1] + of[2];
		l2 = of[0] * of[0] + of[1] * of[1] + of[2] * of[2];
		linf = l1 != 0;
		far = l1 != 0 && l1 < COLS;
		most[0] = l1 > most[0] ? l1 : most[0];
		most[1] = l2 > most[1] ? l2 : most[1];
		most[2] = linf > most[2] ? linf : most[2];
		most[3] = far > most[3] ? far : most[3];
	}
	check(dp_relation_distance(&r, &d) == 0);
	check(d.l1 == most[0] && d.l2squared == most[1] && d.linf == most[2]);
	check(d.spread >= most[3] && d.spread <= d.l1 && d.columns == most[0]);
	check(d.cells >= most[0] && !d.wide);
}

int
main(void)
{
	uint64_t K;

	small_worlds();
	contributions();
	claimed();
	symbols();
	many_symbols();
	totals();
	limits();
	identifiers();
	for (K = 1; K <= 5; K++)
		once_a_key(K);
	sentences();
	return done();
}
