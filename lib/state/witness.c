/*
 * witness.c - the witness: which generation of the state is the last, told beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define WITNESS	((int)DP_STATE_WITNESS)

void
dp_state_witness_line(const struct dp_stateform *f, char line[static DP_STATE_WITNESS + 1])
{
	snprintf(line, DP_STATE_WITNESS + 1, "%s %020" PRIu64 "\n", f->lineage, f->generation);
}

static bool
parse_witness(const char p[static WITNESS], char *lineage, uint64_t *gen)
{
	size_t i;

	memcpy(lineage, p, DP_STATE_LINEAGE);
	lineage[DP_STATE_LINEAGE] = '\0';
	if (strspn(lineage, "0123456789abcdef") != DP_STATE_LINEAGE ||
	    p[DP_STATE_LINEAGE] != ' ' || p[WITNESS - 1] != '\n')
		return false;
	for (*gen = 0, i = DP_STATE_LINEAGE + 1; i < WITNESS - 1; i++)
		if (p[i] < '0' || p[i] > '9' ||
		    __builtin_mul_overflow(*gen, 10, gen) ||
		    __builtin_add_overflow(*gen, (uint64_t)(p[i] - '0'), gen))
			return false;
	return true;
}

/*
 * Is p what is left of a witness's first line if the power went as it was
 * written: of each byte, either it or nothing?  Empty too: --init made it and
 * died.  That may be only as long as nothing was released, generation 1: a
 * witness that has lost its memory looks just the same.
 */
static bool
begun(const struct dp_stateform *f, const char *p, ssize_t n)
{
	char line[WITNESS + 1];
	ssize_t i;

	if (f->generation != 1 || n > WITNESS)
		return false;
	dp_state_witness_line(f, line);
	for (i = 0; i < n; i++)
		if (p[i] != '\0' && p[i] != line[i])
			return false;
	return true;
}

/*
 * The witness is written after S, so it may lag by the one commit that a
 * death came after; anything else is another history.
 */
static int
check_witness(struct dp_state *s, const char *p, ssize_t n, char *why)
{
	const struct dp_stateform *f = &s->form;
	const char *path = s->witness_at.path;
	char lineage[DP_STATE_LINEAGE + 1];
	uint64_t w = 0;

	if (begun(f, p, n))
		return 0;
	if (n != 0) {
		if (n != WITNESS || !parse_witness(p, lineage, &w))
			return dp_state_say(why, DP_ESTATE, path,
			    "not a witness, or damaged");
		if (strcmp(lineage, f->lineage) != 0)
			return dp_state_say(why, DP_ESTATE, path,
			    "the witness of another state");
	}
	if (f->generation < w)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "rolled back: generation %" PRIu64 ", but the witness has "
		    "seen %" PRIu64 "; to go on from it would spend the same "
		    "budget twice", f->generation, w);
	if (f->generation > w + 1)
		return dp_state_say(why, DP_ESTATE, path, "has seen generation "
		    "%" PRIu64 ", but the state is at %" PRIu64 ": rolled back "
		    "or not used each time; if you know better, let it hold "
		    "the one line \"%s %020" PRIu64 "\"", w, f->generation,
		    f->lineage, f->generation);
	return 0;
}

int
dp_state_find_witness(struct dp_state *s, bool create, char *why)
{
	const char *path = s->witness_at.path;
	struct stat st;

	s->fd.witness = dp_place_open(&s->witness_at, "", O_RDWR |
	    (create ? O_CREAT : 0), 0600);
	if (s->fd.witness < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, path,
		    "the witness is not there; put it back");
	if (s->fd.witness < 0 || fstat(s->fd.witness, &st) != 0 ||
	    fsync(s->witness_at.dir) != 0)
		return dp_state_errno(why, path);
	if (!S_ISREG(st.st_mode))
		return dp_state_say(why, DP_ESTATE, path,
		    "not a regular file");
	return 0;
}

int
dp_state_match_witness(struct dp_state *s, bool create, char *why)
{
	const char *path = s->witness_at.path;
	char p[WITNESS + 1];
	ssize_t n;

	if ((n = dp_state_read_up_to(s->fd.witness, p, sizeof p)) < 0)
		return dp_state_errno(why, path);
	if (create && n != 0)
		return dp_state_say(why, DP_ESTATE, path,
		    "already holds something; a new state needs a new "
		    "witness");
	return create ? 0 : check_witness(s, p, n, why);
}

int
dp_state_open_witness(struct dp_state *s, bool create, char *why)
{
	int e;

	if (s->witness_at.path == NULL)
		return 0;
	if ((e = dp_state_find_witness(s, create, why)) != 0 ||
	    (e = dp_state_take(s, s->fd.witness, s->witness_at.path, why)) != 0)
		return e;
	return dp_state_match_witness(s, create, why);
}
