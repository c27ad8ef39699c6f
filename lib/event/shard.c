/*
 * shard.c - which shards are there: those that --expect says, and of a file all its slices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shard.h"
#include "stream/filepart.h"
#include "stream/when.h"

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
		dp_warn("--partial: of the %llu slices of '%s' %llu %s not here, the first is "
		    "%llu/%llu: their lines do not count", (unsigned long long)n,
		    dp_shown(text, name, stem), (unsigned long long)missing,
		    missing == 1 ? "is" : "are", (unsigned long long)first, (unsigned long long)n);
}

void
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
by_name(const void *a, const void *b)
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
			snprintf(why, DP_SHARD_WHY, "a shard is there that the list does not "
			    "have: '%s'", name);
			return why;
		}
		if ((to = covered(p.v + i, n, o)) < o->time.to) {
			*dp_when_put(time, to, o->time.span.zone) = '\0';
			snprintf(why, DP_SHARD_WHY, "of the shard '%s' what follows %s is "
			    "missing, up to --to", name, time);
			return why;
		}
	}
	if (shards == o->shard.expect)
		return NULL;
	if (o->shard.expected != NULL && missing(p, o->shard.expected, name) != NULL)
		snprintf(why, DP_SHARD_WHY, "the shard '%s' is missing", name);
	else
		snprintf(why, DP_SHARD_WHY, "%llu shard%s there, not %llu: a dpmap has failed, "
		    "or the number is another", (unsigned long long)shards,
		    shards == 1 ? " is" : "s are", (unsigned long long)o->shard.expect);
	return why;
}

const char *
dp_shards_expected(struct dp_shards p, const struct dp_options *o, char why[static DP_SHARD_WHY])
{
	struct dp_shard *sorted = calloc(p.n + 1, sizeof *sorted);
	const char *fault;

	if (sorted == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (p.n != 0)
		memcpy(sorted, p.v, p.n * sizeof *sorted);
	qsort(sorted, p.n, sizeof *sorted, by_name);
	fault = check((struct dp_shards){ sorted, p.n }, o, why);
	free(sorted);
	return fault;
}
