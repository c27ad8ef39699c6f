/*
 * memory_left.c - how much memory the machine, or the group of processes we are in, has left.
 *
 * The kernel promises more than there is, and who takes it at its word is killed in the middle of a
 * run that is paid for.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "roads.h"

#define GROUPS	"/sys/fs/cgroup"
#define PATH	4096

/* KiB, of what /proc/meminfo calls by that name. */
static bool
of_machine(const char *text, const char *name, uint64_t *bytes)
{
	const char *p = strstr(text, name);
	uint64_t kib;

	if (p == NULL || sscanf(p + strlen(name), ": %" SCNu64, &kib) != 1)
		return false;
	*bytes = kib * 1024;
	return true;
}

static bool
read_text(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL)
		return false;
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	fclose(f);
	return n > 0;
}

/* "max" is no limit. */
static uint64_t
limit(const char *group)
{
	char path[sizeof GROUPS + PATH + 16], text[32];
	uint64_t n;

	snprintf(path, sizeof path, GROUPS "%s/memory.max", group);
	return read_text(path, text, sizeof text) && sscanf(text, "%" SCNu64, &n) == 1 ? n :
	    UINT64_MAX;
}

/* The least limit of our group and of those it is in. */
static uint64_t
of_groups(void)
{
	char text[PATH], *group, *end;
	uint64_t n, least = UINT64_MAX;

	if (!read_text("/proc/self/cgroup", text, sizeof text) ||
	    (group = strstr(text, "0::/")) == NULL)
		return least;
	group += 3;
	group[strcspn(group, "\n")] = '\0';
	do {
		n = limit(group);
		least = n < least ? n : least;
		if ((end = strrchr(group, '/')) != NULL)
			*end = '\0';
	} while (end != NULL);
	return least;
}

uint64_t
dp_memory_left(void)
{
	char text[PATH];
	uint64_t left, swap, group = of_groups();

	if (!read_text("/proc/meminfo", text, sizeof text) ||
	    !of_machine(text, "MemAvailable", &left))
		return group;
	if (of_machine(text, "SwapFree", &swap))
		left += swap;
	return left < group ? left : group;
}
