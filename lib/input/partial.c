/* SPDX-License-Identifier: ISC */
/*
 * partial.c - --partial: blocks of exact sums, checked line by line, to events of a bucket.
 *
 * What is refused here is what the operator gave, not what somebody's record says: a block that is
 * cut, twice there, or made by other rules.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "internal.h"
#include "partial.h"

static void dp_shards_slices(struct dp_shards);
static const char *dp_shards_expected(struct dp_shards, const struct dp_options *,
     char why[static DP_SHARD_WHY]);

#define SUM_MAX	((dp_wide)1 << 61)
#define HASH	16		/* bytes of an identifier's hash */
#define HASHED	"hashed "
#define EVENTS_MAX	((int64_t)1 << 40)	/* of a name in a bucket of a shard */

/* Place of the next line in a block; from AGREED on the lines that must agree, then rows. */
enum { FIRST, SHARD, FROM, TO, AGREED };

struct dp_partial {
	const struct dp_options *o;
	const struct dp_events *keys;	/* find the columns */
	struct dp_shard *shards;
	size_t n;			/* the last is the open one */
	unsigned next;			/* line of the block's beginning; FIRST: no block is open */
	bool rows;			/* the beginning has been read */
	struct dp_term term;		/* of a row that has a number's place */
	char name[DP_KEY_MAX];		/* of the row */
	bool ended;			/* #end has been read: the checksum is next */
	void *hash;			/* of the block's lines */
	bool any;			/* this file has a block */
	uint64_t nrows, lines;		/* of all blocks: lines, which are symbols */
	struct dp_buf want;		/* a line that must agree, as it would be here */
	/* identifiers of the blocks so far: none yet, texts, or hashes by the key of this print */
	enum { UNKNOWN, TEXTS, HASHES } as;
	char print[33];
	char time[32];			/* of the row before, its text and what it says; "" */
	int64_t said;
	const char *file;		/* for messages, with the line */
	uint64_t line;
};

static _Noreturn void
refuse(const struct dp_partial *p, const char *why)
{
	dp_die(DP_EX_INPUT, "%s:%llu: %s", p->file, (unsigned long long)p->line, why);
}

int
dp_partial_new(struct dp_partial **out, const struct dp_options *o, const struct dp_events *keys)
{
	struct dp_partial *p = calloc(1, sizeof *p);

	if (p == NULL)
		return DP_ENOMEM;
	p->o = o;
	p->keys = keys;
	if (o->shard.hashed != NULL) {
		p->as = HASHES;
		snprintf(p->print, sizeof p->print, "%s", o->shard.hashed);
	}
	*out = p;
	return 0;
}

void
dp_partial_free(struct dp_partial *p)
{
	if (p == NULL)
		return;
	while (p->n > 0)
		free(p->shards[--p->n].name);
	free(p->shards);
	dp_buf_free(&p->want);
	free(p->hash);
	free(p);
}

/* The text after the word that the line must begin with; the caller frees it. */
static char *
after(const struct dp_partial *p, struct dp_slice line, const char *word)
{
	const size_t n = strlen(word);
	char *rest;

	if (line.n <= n || memcmp(line.p, word, n) != 0 || memchr(line.p, '\0', line.n) != NULL)
		refuse(p, "not partial counts as dpmap prints them");
	if ((rest = strndup(line.p + n, line.n - n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return rest;
}

static void
open_shard(struct dp_partial *p, char *name)
{
	struct dp_shard *more = reallocarray(p->shards, p->n + 1, sizeof *more);

	if (more == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	p->shards = more;
	p->shards[p->n++] = (struct dp_shard){ .name = name };
}

/*
 * Two blocks of one name with a time in common; where users' events are counted in steps, with a
 * bucket in common, and in all, of one name.
 */
static void
check_twice(const struct dp_partial *p)
{
	const struct dp_shard *new = &p->shards[p->n - 1], *s;
	int64_t from = new->from, to = new->to;

	if (p->o->users.per_step) {
		from = dp_span_floor(&p->o->time.span, from);
		to = dp_span_next(&p->o->time.span, to - 1);
	}
	for (s = p->shards; s < new; s++)
		if (strcmp(s->name, new->name) == 0 &&
		    ((p->o->shard.by_user && !p->o->users.per_step) ||
		    (s->from < to && from < s->to)))
			refuse(p, "this shard is given twice");
}

static int64_t
moment(const struct dp_partial *p, const char *text)
{
	int64_t t;

	if (dp_when_parse_arg(&t, text, NULL) != 0)
		refuse(p, "not a time");
	return t;
}

static void
check_times(const struct dp_partial *p)
{
	const struct dp_shard *s = &p->shards[p->n - 1];

	if (s->from >= s->to || s->from < p->o->time.from || s->to > p->o->time.to)
		refuse(p, "the shard's times are not within --from and --to");
	check_twice(p);
}

/* For a message: the operator's next step where the keys differ. */
static const char *
other_keys(const struct dp_options *o, struct dp_slice line)
{
	static const char none[] = "#keys 0 ";

	if (line.n >= strlen(none) && memcmp(line.p, none, strlen(none)) == 0)
		return "dpmap had no --keys: leave them out here, or run it with --key and --keys";
	return o->keys.n == 0 ? "dpmap had --keys: give them here, too, without --key" :
	    "dpmap had other --keys (or --queries), or in another order: give its list here, "
	    "without --key";
}

/* The same, of what sums are of: the tool, and its options; NULL: that is not the fault. */
static const char *
other_adds(const struct dp_options *o, struct dp_slice line)
{
	static const char mark[] = "#for ", next[] = "#bucket ";
	const bool plain = o->shard.adds == NULL;
	const size_t tool = plain ? 0 : strcspn(o->shard.adds, " ");

	if (line.n < strlen(mark) || memcmp(line.p, mark, strlen(mark)) != 0)
		return plain || line.n < strlen(next) ||
		    memcmp(line.p, next, strlen(next)) != 0 ? NULL :
		    "the shard has plain counts: run dpmap with --for=TOOL, this tool";
	if (plain)
		return "the shard was made for another tool: run dpmap without --for";
	return line.n >= strlen(mark) + tool &&
	    memcmp(line.p + strlen(mark), o->shard.adds, tool) == 0 &&
	    (line.n == strlen(mark) + tool || line.p[strlen(mark) + tool] == ' ') ?
	    "the shard was made for this tool with other options: give dpmap those of this run "
	    "that it takes with --for" :
	    "the shard was made for another tool: run dpmap with --for=TOOL, this tool";
}

/* How this block's identifiers are told apart, which is how those of all others are. */
static bool
check_identifiers(struct dp_partial *p, struct dp_slice line)
{
	static const char texts[] = "#identifiers yes", hashes[] = "#identifiers " HASHED;
	const size_t n = strlen(hashes), whole = n + sizeof p->print - 1;
	const char *print = line.p + n;
	char why[160];

	if (line.n == strlen(texts) && memcmp(line.p, texts, line.n) == 0) {
		if (p->as == HASHES)
			refuse(p, p->o->shard.hashed != NULL ? "the shard has identifiers, and no "
			    "hashes of them: run dpmap with --hash-key, or leave --hashed out" :
			    "the shard has identifiers, where others have hashes of them: run "
			    "dpmap with the same --hash-key for all");
		p->as = TEXTS;
		return true;
	}
	if (line.n != whole || memcmp(line.p, hashes, n) != 0 ||
	    strspn(print, "0123456789abcdef") < sizeof p->print - 1)
		return false;
	if (p->o->id.universe != 0 || p->o->keys.n != 0)
		refuse(p, "the shard has hashes, which no --universe can be compared with: run "
		    "dpmap without --hash-key, or leave --universe out");
	if (p->as == TEXTS)
		refuse(p, "the shard has hashes, where others have identifiers: run dpmap with "
		    "the same --hash-key for all");
	if (p->as == HASHES && memcmp(p->print, print, sizeof p->print - 1) != 0)
		refuse(p, p->o->shard.hashed != NULL ? "the shard has hashes by another key than "
		    "--hashed says" : "the shard has hashes by another key than others: run dpmap "
		    "with the same --hash-key for all");
	if (p->o->keep.state != NULL && p->o->shard.hashed == NULL) {
		snprintf(why, sizeof why, "the shard has hashes: with --state say by which key, "
		    "--hashed=%.32s, so that later runs have the same", print);
		refuse(p, why);
	}
	p->as = HASHES;
	memcpy(p->print, print, sizeof p->print - 1);
	return true;
}

/* The i-th line that must agree; the last one is followed by rows. */
static void
check_agreed(struct dp_partial *p, struct dp_slice line, unsigned i)
{
	const char *option;
	char why[160];
	size_t word;
	bool good;

	dp_buf_reset(&p->want);
	(void)dp_partial_agreed(p->o, i, &p->want, &option);
	if (p->want.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	good = line.n == p->want.n && memcmp(line.p, p->want.p, line.n) == 0;
	if (strcmp(option, "identifiers") == 0)
		good = check_identifiers(p, line);
	if (good) {
		p->rows = !dp_partial_agreed(p->o, i + 1, &p->want, &option);
		return;
	}
	word = strcspn(p->want.p, " ");
	if (i == 0 && other_adds(p->o, line) != NULL)
		refuse(p, other_adds(p->o, line));
	if (strcmp(option, "each-user") == 0 && (line.n < word ||
	    memcmp(line.p, p->want.p, word) != 0))
		refuse(p, "the shard has counts of events, and not of users (dpmap --each-user)");
	if (strcmp(option, "identifiers") == 0)
		refuse(p, "the shard has counts, and no identifiers (dpmap --identifiers)");
	if (line.n < word || memcmp(line.p, p->want.p, word) != 0)
		refuse(p, "the shard's header is damaged or cut short: run dpmap again");
	if (strcmp(option, "keys") == 0)
		refuse(p, other_keys(p->o, line));
	if (strcmp(option, "range") == 0 && p->o->shard.adds != NULL)
		refuse(p, "the shard has another --range than this run, or values with other "
		    "decimals: give dpmap the same -r, -m, -c and, where it takes it, -e");
	snprintf(why, sizeof why, "the shard has another --%s than this run%s", option,
	    line.n < p->want.n && memcmp(line.p, p->want.p, line.n) == 0 ?
	    ", or is cut short here" : "");
	refuse(p, why);
}

static void
check_first(struct dp_partial *p, struct dp_slice line)
{
	static const char early[] = "#dpmap 1 ", any[] = "#dpmap ";

	if (line.n == strlen(DP_PARTIAL_FIRST) &&
	    memcmp(line.p, DP_PARTIAL_FIRST, line.n) == 0)
		return;
	if (line.n >= strlen(early) && memcmp(line.p, early, strlen(early)) == 0)
		refuse(p, "the shard was printed by an earlier dpmap, without a checksum; have "
		    "this one print it again");
	refuse(p, line.n >= strlen(any) && memcmp(line.p, any, strlen(any)) == 0 ?
	    "the shard was printed by another version of dpmap, or is damaged" :
	    "not partial counts as dpmap prints them");
}

static void
open_block(struct dp_partial *p)
{
	free(p->hash);
	if ((p->hash = dp_partial_hash()) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	p->any = true;
	p->nrows = 0;
	*p->time = '\0';
}

/* A line of a block's beginning. */
static void
read_beginning(struct dp_partial *p, struct dp_slice line)
{
	char *text = NULL;

	switch (p->next) {
	case FIRST:
		check_first(p, line);
		open_block(p);
		break;
	case SHARD:
		open_shard(p, after(p, line, "#shard "));
		break;
	case FROM:
		text = after(p, line, "#from ");
		p->shards[p->n - 1].from = moment(p, text);
		break;
	case TO:
		text = after(p, line, "#to ");
		p->shards[p->n - 1].to = moment(p, text);
		check_times(p);
		break;
	default:
		check_agreed(p, line, p->next - AGREED);
		break;
	}
	free(text);
	p->next++;
}

static void
read_end(struct dp_partial *p, struct dp_slice line)
{
	static const char folds[] = "#each-user ", names[] = "#identifiers ";
	char *text;
	uint64_t n;

	if (line.n > strlen(folds) && memcmp(line.p, folds, strlen(folds)) == 0)
		refuse(p, "the shard has counts of users (dpmap --each-user): give it here, too");
	if (line.n > strlen(names) && memcmp(line.p, names, strlen(names)) == 0)
		refuse(p, "the shard has identifiers, and no counts: dpdistinct adds them up");
	text = after(p, line, "#end ");
	if (dp_u64_parse(&n, text, 0, UINT64_MAX) != 0 || n != p->nrows)
		refuse(p, "rows are missing, or there are too many: copy the shard again, or run "
		    "dpmap again");
	free(text);
	p->rows = false;
	p->ended = true;
}

/* All that could have happened to a file on its way, before any of it counts. */
static void
read_sum(struct dp_partial *p, struct dp_slice line)
{
	dp_buf_reset(&p->want);
	dp_partial_sum(p->hash, &p->want);
	if (p->want.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (line.n != p->want.n || memcmp(line.p, p->want.p, line.n) != 0)
		refuse(p, "the shard is damaged or was edited: its checksum does not match");
	p->ended = false;
	p->next = FIRST;
}

/* The line as it stands in the file, which has more than lines that end so. */
static void
add_to_sum(struct dp_partial *p, struct dp_slice line)
{
	crypto_generichash_update(p->hash, (const unsigned char *)line.p, line.n);
	crypto_generichash_update(p->hash, (const unsigned char *)"\n", 1);
}

/* The four bytes that eight hexadecimal digits of small letters are, as they stand in memory. */
static bool
parse_eight(char *to, const char *digits)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t w, n;
	uint32_t bytes;

	memcpy(&w, digits, sizeof w);
	w = le64toh(w);
	n = (w & 15 * ones) + 9 * ((w >> 6) & ones);
	if ((n & 0xf0 * ones) != 0 || n + '0' * ones + 39 * ((n + 6 * ones) >> 4 & ones) != w)
		return false;
	n = (n << 4 | n >> 8) & 0x00ff00ff00ff00ff;
	n = (n | n >> 8) & 0x0000ffff0000ffff;
	bytes = htole32((uint32_t)(n | n >> 16));
	memcpy(to, &bytes, sizeof bytes);
	return true;
}

/* 32 of them, as dpmap prints a hash. */
static bool
parse_hash(char to[static HASH], struct dp_slice s)
{
	return s.n == 2 * HASH && parse_eight(to, s.p) && parse_eight(to + 4, s.p + 8) &&
	    parse_eight(to + 8, s.p + 16) && parse_eight(to + 12, s.p + 24);
}

static void
read_key(struct dp_partial *p, struct dp_slice s, struct dp_event *v)
{
	char key[DP_KEY_MAX];
	size_t n;

	if (p->o->shard.names) {
		if (!dp_unescape(p->name, sizeof p->name, s, &n) || n == 0 ||
		    memchr(p->name, '\0', n) != NULL)
			refuse(p, "field 2: no name");
		v->text = (struct dp_slice){ p->name, n };
	} else if (p->as == HASHES) {
		if (!parse_hash(key, s))
			refuse(p, "field 2: not a hash of 32 hexadecimal digits");
		dp_events_identifier(p->keys, (struct dp_slice){ key, HASH }, v);
	} else if (p->o->shard.identifiers) {
		if (!dp_unescape(key, sizeof key, s, &n) || n == 0)
			refuse(p, "field 2: no identifier");
		dp_events_identifier(p->keys, (struct dp_slice){ key, n }, v);
	} else if (p->o->shard.symbols && s.n == 0) {
		v->column = p->o->keys.n;
	} else if (p->o->keys.n == 0) {
		if (s.n != 1 || *s.p != '-')
			refuse(p, "field 2: a key, where there are none");
	} else if (!dp_unescape(key, sizeof key, s, &n) ||
	    !dp_events_column(p->keys, (struct dp_slice){ key, n }, &v->column))
		refuse(p, "field 2: no declared key");
}

/* Exactly as many decimals as the range has; a sum lies within SUM_MAX. */
static bool
parse_sum(struct dp_slice s, unsigned places, int64_t *sum)
{
	const bool below = s.n > 0 && *s.p == '-';
	const size_t point = places != 0 ? places + 1 : 0;
	dp_wide v = 0;
	size_t i;

	s.p += below;
	s.n -= below;
	if (s.n <= point)
		return false;
	for (i = 0; i < s.n; i++) {
		if (point != 0 && i == s.n - point) {
			if (s.p[i] != '.')
				return false;
			continue;
		}
		if (s.p[i] < '0' || s.p[i] > '9' || (v = v * 10 + (s.p[i] - '0')) > SUM_MAX)
			return false;
	}
	*sum = (int64_t)(below ? -v : v);
	return true;
}

/* Numbers of a key in a row's place; 0: it is a sum, also where totals of keys are made of sums. */
static size_t
numbers(const struct dp_options *o)
{
	return o->print.table.share.num != 0 ? 0 : o->keys.adds;
}

/* The row's sum: of its key, or of one of the numbers that the key's events add to. */
static void
read_value(struct dp_partial *p, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_options *o = p->o;
	char place[24] = "";
	struct dp_slice s;
	uint64_t n;

	if (o->shard.symbols) {
		if (!parse_sum(r->field[DP_PARTIAL_SUM], 0, &v->value) || v->value < 1)
			refuse(p, "field 3: not a number of lines from 1 to 2^61");
		if ((p->lines += (uint64_t)v->value) > (uint64_t)SUM_MAX)
			refuse(p, "more than 2^61 lines in all");
		if (o->horizon != 0 && p->lines > o->horizon)
			refuse(p, "more lines in all than -T says there are: give it a larger "
			    "number, or leave it out");
		return;
	}
	if (numbers(o) == 0) {
		if (!parse_sum(r->field[DP_PARTIAL_SUM], o->range.places, &v->value))
			refuse(p, o->range.places == 0 ?
			    "field 3: not a whole number within 2^61" : "field 3: not a number of "
			    "as many decimals as --range, within 2^61 units");
		return;
	}
	s = r->field[DP_PARTIAL_SUM];
	if (s.n < sizeof place)
		memcpy(place, s.p, s.n);
	if (dp_u64_parse(&n, place, 1, o->keys.adds) != 0)
		refuse(p, "field 3: not the place of a number that events add to");
	p->term.place = (size_t)n - 1;
	if (!parse_sum(r->field[DP_PARTIAL_LAST], 0, &p->term.value) || p->term.value < 0)
		refuse(p, "field 4: not a whole number from 0 to 2^61");
}

/* Most rows have the time of the row before. */
static int64_t
read_begin(struct dp_partial *p, struct dp_slice begins)
{
	const struct dp_shard *s = &p->shards[p->n - 1];
	const struct dp_span *span = &p->o->time.span;

	if (begins.n != 0 && begins.n < sizeof p->time && p->time[begins.n] == '\0' &&
	    memcmp(p->time, begins.p, begins.n) == 0)
		return p->said;
	snprintf(p->time, sizeof p->time, "%.*s", begins.n < sizeof p->time ? (int)begins.n : 0,
	    begins.p);
	if (dp_when_parse_arg(&p->said, p->time, NULL) != 0 ||
	    p->said != dp_span_floor(span, p->said) ||
	    p->said < dp_span_floor(span, s->from) || p->said >= s->to)
		refuse(p, "field 1: not the start of a bucket of this shard");
	return p->said;
}

static void
read_row(struct dp_partial *p, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_options *o = p->o;
	if (r->nfields != (numbers(o) != 0 ? DP_PARTIAL_LAST : DP_PARTIAL_SUM))
		refuse(p, numbers(o) != 0 ? "not a row of four fields" :
		    "not a row of three fields");
	v->time = read_begin(p, r->field[DP_PARTIAL_TIME]);
	read_value(p, r, v);
	if (o->shard.names && (v->value < 1 || v->value > EVENTS_MAX))
		refuse(p, "field 3: not a number of events from 1 to 2^40");
	if (o->shard.identifiers && v->value < 1)
		refuse(p, "field 3: an identifier without events");
	if ((v->value < 0 && o->range.lo >= 0) || (v->value > 0 && o->range.hi <= 0))
		refuse(p, "field 3: a sum of values within --range has not this sign");
	read_key(p, r->field[DP_PARTIAL_KEY], v);	/* an identifier's value is 1, or 0 */
	if (numbers(o) == 0 && o->keys.adds != 0)
		v->nterms = dp_events_totals(p->keys, v->value, v->column, &v->term);
	if (numbers(o) != 0) {
		p->term.place += v->column * o->keys.adds;
		v->value = 1;
		v->term = &p->term;
		v->nterms = 1;
	}
	v->counts = v->timed = true;
	p->nrows++;
}

void
dp_partial_read(struct dp_partial *p, const struct dp_record *r, const char *file,
    struct dp_event *v)
{
	memset(v, 0, sizeof *v);
	p->file = file;
	p->line = r->number;
	if (r->too_long)
		refuse(p, "the line is too long");
	if (r->text.p[r->text.n] == '\r')	/* which the reader has dropped */
		refuse(p, "the line ends in CR LF, and dpmap ends lines in LF: the shard was "
		    "converted on its way");
	if (p->ended) {
		read_sum(p, r->text);
		return;
	}
	if (!p->rows)
		read_beginning(p, r->text);
	else if (r->text.n > 0 && *r->text.p == '#')
		read_end(p, r->text);
	else
		read_row(p, r, v);
	add_to_sum(p, r->text);
}

bool
dp_partial_rows(const struct dp_partial *p)
{
	return p->rows;
}

void
dp_partial_end(struct dp_partial *p, const char *file, bool cut)
{
	if (!p->any || p->next != FIRST || cut)
		dp_die(DP_EX_INPUT, "%s: %s", file, p->any ? "the last shard is cut off" :
		    "no partial counts, and dpmap prints some even for an empty log: did it "
		    "fail?");
	p->any = false;
}

void
dp_partial_expected(const struct dp_partial *p)
{
	char why[DP_SHARD_WHY];

	if (p->o->shard.expect != 0 &&
	    dp_shards_expected((struct dp_shards){ p->shards, p->n }, p->o, why) != NULL)
		dp_die(DP_EX_INPUT, "--expect: %s", why);
}

void
dp_partial_slices(const struct dp_partial *p)
{
	if (!p->o->print.quiet)
		dp_shards_slices((struct dp_shards){ p->shards, p->n });
}

/*
 * What both sides of partial sums have in common: lines that must agree, and a
 * checksum.
 */

static void
put_range(const struct dp_options *o, struct dp_buf *b)
{
	char range[128], *p;

	if (o->shard.symbols) {		/* whose grid is that of what is made of them */
		dp_buf_puts(b, "0:1");
		return;
	}
	p = dp_decimal_put(range, o->range.lo, o->range.places);
	*p++ = ':';
	p = dp_decimal_put(p, o->range.hi, o->range.places);
	dp_buf_add(b, range, (size_t)(p - range));
}

/* Their number, and a hash of all with their ends: a list in another order is another one. */
static void
put_keys(const struct dp_options *o, struct dp_buf *b)
{
	unsigned char digest[16];
	char hex[2 * sizeof digest + 1];
	crypto_generichash_state h;
	size_t i;

	if (o->keys.n == 0 || o->shard.identifiers) {	/* a universe is no list of keys */
		dp_buf_puts(b, "0 -");
		return;
	}
	dp_buf_u64(b, o->keys.n);
	dp_buf_puts(b, " ");
	crypto_generichash_init(&h, NULL, 0, sizeof digest);
	for (i = 0; i < o->keys.n; i++)
		crypto_generichash_update(&h, (unsigned char *)o->keys.name[i],
		    strlen(o->keys.name[i]) + 1);
	crypto_generichash_final(&h, digest, sizeof digest);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
}

bool
dp_partial_agreed(const struct dp_options *o, unsigned i, struct dp_buf *b, const char **option)
{
	static const char *const name[] = { "for", "bucket or --tz", "range", "unit", "per-user",
	    "keys", "each-user", "identifiers" };
	char span[DP_SPAN_TEXT];

	/* the first and the last two are there where they say something */
	i += o->shard.adds == NULL;
	i += i >= 6 && o->users.each == DP_EACH_NO;
	if (i >= sizeof name / sizeof name[0] - !o->shard.identifiers)
		return false;
	*option = name[i];
	dp_buf_puts(b, "#");
	dp_buf_add(b, name[i], strcspn(name[i], " "));
	dp_buf_puts(b, " ");
	switch (i) {
	case 0:
		dp_buf_puts(b, o->shard.adds);
		break;
	case 1:
		dp_span_put(span, &o->time.span);
		dp_buf_puts(b, span);
		if (o->time.tz != NULL) {
			dp_buf_puts(b, " ");
			dp_buf_escaped(b, o->time.tz);
		}
		dp_span_start_put(span, &o->time.span);
		if (*span != '\0') {
			dp_buf_puts(b, " from ");
			dp_buf_puts(b, span);
		}
		break;
	case 2:
		put_range(o, b);
		break;
	case 3:
		dp_buf_puts(b, o->range.total != NULL ? o->range.total : "-");
		break;
	case 4:
		dp_buf_u64(b, o->users.most);
		dp_buf_puts(b, o->users.per_step ? "/step" : "");
		break;
	case 5:
		put_keys(o, b);
		break;
	case 6:
		dp_buf_puts(b, dp_options_each(o));
		break;
	case 7:
		dp_buf_puts(b, o->shard.hash != NULL ? HASHED : "yes");
		dp_buf_puts(b, o->shard.hash != NULL ? o->shard.hash->print : "");
		break;
	}
	return true;
}

void *
dp_partial_hash(void)
{
	crypto_generichash_state *h = aligned_alloc(_Alignof(crypto_generichash_state),
	    sizeof *h);

	if (h != NULL)
		crypto_generichash_init(h, NULL, 0, 32);
	return h;
}

void
dp_partial_sum(const void *hash, struct dp_buf *b)
{
	crypto_generichash_state h;
	unsigned char digest[32];
	char hex[2 * sizeof digest + 1];

	memcpy(&h, hash, sizeof h);
	crypto_generichash_final(&h, digest, sizeof digest);
	dp_buf_puts(b, "#blake2b ");
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
}

/*
 * Which shards are there: those that --expect says, and of a file all its slices.
 */

/* Of a name that ends so: I and N of ":I/N", and how long it is without them. */
static bool
slice_of(const char *name, uint64_t *i, uint64_t *n, size_t *stem)
{
	const char *colon = strrchr(name, ':'), *slash = strrchr(name, '/');
	char first[24] = "";

	if (colon == NULL || slash == NULL || slash < colon ||
	    (size_t)(slash - colon) > sizeof first)
		return false;
	memcpy(first, colon + 1, (size_t)(slash - colon) - 1);
	*stem = (size_t)(colon - name);
	return dp_u64_parse(n, slash + 1, 1, DP_FILEPARTS_MAX) == 0 &&
	    dp_u64_parse(i, first, 1, *n) == 0;
}

/* The first shard of a sliced file, from which the others are looked for. */
static void
say_missing(struct dp_shards p, size_t from, uint64_t n, size_t stem)
{
	const char *name = p.v[from].name;
	char text[DP_SHOWN_TEXT];
	uint64_t i, at, of, missing = 0, first = 0;
	bool *there = calloc(n, sizeof *there);
	size_t s, length;

	if (there == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (s = from; s < p.n; s++)
		if (slice_of(p.v[s].name, &at, &of, &length) && of == n && length == stem &&
		    memcmp(p.v[s].name, name, stem) == 0)
			there[at - 1] = true;
	for (i = n; i > 0; i--)
		if (!there[i - 1]) {
			missing++;
			first = i;
		}
	free(there);
	if (missing > 0)
		dp_warn("--partial: of the %llu slices of '%s' %llu %s missing, the first is "
		    "%llu/%llu: their lines do not count", (unsigned long long)n,
		    dp_shown(text, name, stem), (unsigned long long)missing,
		    missing == 1 ? "is" : "are", (unsigned long long)first, (unsigned long long)n);
}

/* Says on standard error which slices I/N of a file (dpmap --slice's names end so) are missing. */
static void
dp_shards_slices(struct dp_shards p)
{
	uint64_t i, n, of;
	size_t s, before, stem, length;

	for (s = 0; s < p.n; s++) {
		if (!slice_of(p.v[s].name, &i, &n, &stem))
			continue;
		for (before = 0; before < s; before++)
			if (slice_of(p.v[before].name, &i, &of, &length) && of == n &&
			    length == stem &&
			    memcmp(p.v[before].name, p.v[s].name, stem) == 0)
				break;
		if (before == s)
			say_missing(p, s, n, stem);
	}
}

/* Blocks in the order of their names, then of their times. */
static int
by_name_shard(const void *a, const void *b)
{
	const struct dp_shard *x = a, *y = b;
	const int c = strcmp(x->name, y->name);

	return c != 0 ? c : (x->from > y->from) - (x->from < y->from);
}

/* Names have no newline: those of blocks are escaped. */
static bool
is_expected(const char *names, const char *name)
{
	const size_t n = strlen(name);
	const char *p;

	for (p = names; *p != '\0'; p = strchr(p, '\n') + 1)
		if (strncmp(p, name, n) == 0 && p[n] == '\n')
			return true;
	return false;
}

/* The first time from o's --from on that no block of these n, all of one shard, has; else --to. */
static int64_t
covered(const struct dp_shard *s, size_t n, const struct dp_options *o)
{
	int64_t to = o->time.from;
	size_t i;

	for (i = 0; i < n && s[i].from <= to; i++)
		to = s[i].to > to ? s[i].to : to;
	return to;
}

/* A name of --expect=@FILE that no block has; NULL: there is none. */
static const char *
missing(struct dp_shards p, const char *names, char name[static DP_SHOWN_TEXT])
{
	const char *line, *end;
	size_t i, n;

	for (line = names; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		n = (size_t)(end - line);
		for (i = 0; i < p.n; i++)
			if (strlen(p.v[i].name) == n && memcmp(p.v[i].name, line, n) == 0)
				break;
		if (i == p.n)
			return dp_shown(name, line, n);
	}
	return NULL;
}

/* As dp_shards_expected(), of blocks in order. */
static const char *
check(struct dp_shards p, const struct dp_options *o, char why[static DP_SHARD_WHY])
{
	char name[DP_SHOWN_TEXT], time[DP_WHEN_TEXT + 1];
	uint64_t shards = 0;
	size_t i, n;
	int64_t to;

	for (i = 0; i < p.n; i += n, shards++) {
		for (n = 1; i + n < p.n && strcmp(p.v[i].name, p.v[i + n].name) == 0; n++)
			;
		dp_shown(name, p.v[i].name, strlen(p.v[i].name));
		if (o->shard.expected != NULL && !is_expected(o->shard.expected, p.v[i].name)) {
			snprintf(why, DP_SHARD_WHY, "the shard '%s' is not in the list", name);
			return why;
		}
		if ((to = covered(p.v + i, n, o)) < o->time.to) {
			*dp_when_put(time, to, o->time.span.zone) = '\0';
			snprintf(why, DP_SHARD_WHY, "the shard '%s' lacks the time from %s to "
			    "--to", name, time);
			return why;
		}
	}
	if (shards == o->shard.expect)
		return NULL;
	if (o->shard.expected != NULL && missing(p, o->shard.expected, name) != NULL)
		snprintf(why, DP_SHARD_WHY, "the shard '%s' is missing", name);
	else
		snprintf(why, DP_SHARD_WHY, "%llu shard%s, not %llu: a dpmap has failed, or the "
		    "number is wrong", (unsigned long long)shards,
		    shards == 1 ? " is there" : "s are there", (unsigned long long)o->shard.expect);
	return why;
}

static const char *
dp_shards_expected(struct dp_shards p, const struct dp_options *o, char why[static DP_SHARD_WHY])
{
	struct dp_shard *sorted = calloc(p.n + 1, sizeof *sorted);
	const char *fault;

	if (sorted == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (p.n != 0)
		memcpy(sorted, p.v, p.n * sizeof *sorted);
	qsort(sorted, p.n, sizeof *sorted, by_name_shard);
	fault = check((struct dp_shards){ sorted, p.n }, o, why);
	free(sorted);
	return fault;
}
