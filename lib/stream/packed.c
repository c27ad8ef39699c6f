/* packed.c - see packed.h. */
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
