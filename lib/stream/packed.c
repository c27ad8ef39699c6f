/* packed.c - see packed.h. */
#include <stdbool.h>
#include <string.h>

#include "packed.h"

const char *
dp_packed_by(const char *name, size_t *stem)
{
	static const struct {
		const char *suffix, *program;
	} by[] = {
		{ ".gz", "gzip" }, { ".xz", "xz" }, { ".zst", "zstd" }, { ".bz2", "bzip2" },
		{ ".lz4", "lz4" }, { ".Z", "gzip" }
	};
	const char *end = strrchr(name, '.');
	size_t i;

	*stem = strlen(name);
	if (end == NULL || end == name || end[-1] == '/')
		return NULL;
	for (i = 0; i < sizeof by / sizeof *by; i++)
		if (strcmp(end, by[i].suffix) == 0) {
			*stem = (size_t)(end - name);
			return by[i].program;
		}
	return NULL;
}

/* The name ends so, and is longer. */
static bool
ends(const char *name, const char *suffix)
{
	const size_t n = strlen(name), m = strlen(suffix);

	return n > m && name[n - m - 1] != '/' && strcmp(name + n - m, suffix) == 0;
}

const char *
dp_archived_by(const char *name)
{
	static const char tar[] = "tar -xOf";
	static const struct {
		const char *suffix, *command;
	} by[] = {
		{ ".zip", "unzip -p" }, { ".7z", "7z x -so" }, { ".rar", "unrar p -inul" },
		{ ".tar", tar }, { ".tgz", tar }, { ".tbz", tar }, { ".tbz2", tar },
		{ ".txz", tar }, { ".tzst", tar }, { ".tar.lz", tar }, { ".tar.lzma", tar },
		{ ".tar.lzo", tar }
	};
	size_t i, stem;

	for (i = 0; i < sizeof by / sizeof *by; i++)
		if (ends(name, by[i].suffix))
			return by[i].command;
	return dp_packed_by(name, &stem) != NULL && stem > 4 && name[stem - 5] != '/' &&
	    strncmp(name + stem - 4, ".tar", 4) == 0 ? tar : NULL;
}
