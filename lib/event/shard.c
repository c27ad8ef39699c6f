/* shard.c - shards that say what slice of a file they are: those that are not there. */
#include <stdlib.h>
#include <string.h>

#include "shard.h"
#include "stream/filepart.h"

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
