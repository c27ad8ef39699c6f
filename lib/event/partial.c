/*
 * partial.c - --partial: blocks of exact sums, checked line by line, to events of a bucket.
 *
 * What is refused here is what the operator gave, not what somebody's record says: a block that is
 * cut, twice there, or made by other rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "partial.h"
#include "shard.h"

#define SUM_MAX	((dp_wide)1 << 61)

/* Place of the next line in a block; from AGREED on the lines that must agree, then rows. */
enum { FIRST, SHARD, FROM, TO, AGREED };

struct dp_partial {
	const struct dp_options *o;
	const struct dp_events *keys;	/* find the columns */
	struct dp_shard *shards;
	size_t n;			/* the last is the open one */
	unsigned next;			/* line of the block's beginning; FIRST: no block is open */
	bool rows;			/* the beginning has been read */
	bool ended;			/* #end has been read: the checksum is next */
	void *hash;			/* of the block's lines */
	bool any;			/* this file has a block */
	uint64_t nrows;
	struct dp_buf want;		/* a line that must agree, as it would be here */
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
			refuse(p, "this shard is there twice");
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
	    "dpmap had other --keys, or in another order: give its list here, without --key";
}

/* The i-th line that must agree; the last one is followed by rows. */
static void
check_agreed(struct dp_partial *p, struct dp_slice line, unsigned i)
{
	const char *option;
	char why[160];
	size_t word;

	dp_buf_reset(&p->want);
	(void)dp_partial_agreed(p->o, i, &p->want, &option);
	if (p->want.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (line.n == p->want.n && memcmp(line.p, p->want.p, line.n) == 0) {
		p->rows = !dp_partial_agreed(p->o, i + 1, &p->want, &option);
		return;
	}
	word = strcspn(p->want.p, " ");
	if (strcmp(option, "identifiers") == 0)
		refuse(p, "the shard has counts, and no identifiers (dpmap --identifiers)");
	if (line.n < word || memcmp(line.p, p->want.p, word) != 0)
		refuse(p, "the shard's beginning is damaged, or cut short");
	if (strcmp(option, "keys") == 0)
		refuse(p, other_keys(p->o, line));
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
	char *text = after(p, line, "#end ");
	uint64_t n;

	if (dp_u64_parse(&n, text, 0, UINT64_MAX) != 0 || n != p->nrows)
		refuse(p, "rows are missing, or there are too many: the shard is not whole");
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
		refuse(p, "the shard is damaged, or was edited: this is not its checksum");
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

static void
read_key(const struct dp_partial *p, struct dp_slice s, struct dp_event *v)
{
	char key[DP_KEY_MAX];
	size_t n;

	if (p->o->shard.identifiers) {
		if (!dp_unescape(key, sizeof key, s, &n) || n == 0)
			refuse(p, "field 2: no identifier");
		dp_events_identifier(p->keys, (struct dp_slice){ key, n }, v);
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

static void
read_row(struct dp_partial *p, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_shard *s = &p->shards[p->n - 1];
	const struct dp_options *o = p->o;
	struct dp_slice begins;
	char time[32];

	if (r->nfields != DP_PARTIAL_SUM)
		refuse(p, "not a row of three fields");
	begins = r->field[DP_PARTIAL_TIME];
	snprintf(time, sizeof time, "%.*s", begins.n < sizeof time ? (int)begins.n : 0, begins.p);
	if (dp_when_parse_arg(&v->time, time, NULL) != 0 ||
	    v->time != dp_span_floor(&o->time.span, v->time) ||
	    v->time < dp_span_floor(&o->time.span, s->from) || v->time >= s->to)
		refuse(p, "field 1: not the start of a bucket of this shard");
	if (!parse_sum(r->field[DP_PARTIAL_SUM], o->range.places, &v->value))
		refuse(p, o->range.places == 0 ? "field 3: not a whole number within 2^61" :
		    "field 3: not a number of as many decimals as --range, within 2^61 units");
	if (o->shard.identifiers && v->value < 1)
		refuse(p, "field 3: an identifier that did not come");
	if ((v->value < 0 && o->range.lo >= 0) || (v->value > 0 && o->range.hi <= 0))
		refuse(p, "field 3: a sum of values within --range has not this sign");
	read_key(p, r->field[DP_PARTIAL_KEY], v);	/* an identifier's value is 1, or 0 */
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
		refuse(p, "the line ends otherwise than dpmap ends it");
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
		    "no partial counts; what dpmap prints of an empty log is not empty");
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
