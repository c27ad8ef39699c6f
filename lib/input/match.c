/* SPDX-License-Identifier: ISC */
/* match.c - patterns, and lines that they cut into fields. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stack.h"
#include "internal.h"

/*
 * PCRE2 with everything fixed that its build or the pattern could change.
 *
 * A plain string goes the same way (PCRE2_LITERAL): compiled code that looks for two of its bytes
 * at once beats memmem(3) on lines of 200 bytes, 168 ns against 214.
 */

/*
 * A pattern like (a+)+$ takes time exponential in the text.  10^5 steps are about a millisecond.
 * The interpreter counts anew from each place where a match could begin, and a.*[xy] takes 7 s for
 * 30000 bytes, so there the limit shrinks with the text: 10^8 steps in all.  The depth and the heap
 * limit are of the interpreter only, the stack of the compiled code only.
 */
#define MATCH_LIMIT	100000
#define TOTAL_LIMIT	100000000
#define HEAP_LIMIT	1024		/* KiB */
#define STACK_MIN	((size_t)32 << 10)
#define STACK_MAX	((size_t)1 << 20)
#define OURS		((size_t)32 << 10)	/* of our stack, that PCRE2's compiled code takes */

/*
 * Memory that is wiped when freed: a match leaves offsets, and an interpreter's frames, behind.
 * The frames are taken when a text needs them, up to HEAP_LIMIT, by a block twice as large into
 * which the old one is copied: two blocks of the largest size are kept for them, or a failure would
 * depend on the text.
 */
#define HEAD	((size_t)16)
#define SMALL	((size_t)2048)		/* what is not frames is less: DP_GROUPS_MAX offsets */
#define SPARE	(((size_t)HEAP_LIMIT << 10) + HEAD)

struct memory {
	size_t *spare[2];		/* NULL: in use, or none is kept */
};

static void *
wiping_alloc(size_t n, void *arg)
{
	struct memory *m = arg;
	size_t *p = NULL;
	int i;

	for (i = 0; i < 2 && p == NULL && n >= SMALL && n <= SPARE - HEAD; i++) {
		p = m->spare[i];
		m->spare[i] = NULL;
	}
	if (p == NULL && (p = malloc(n + HEAD)) == NULL)
		return NULL;
	p[0] = n;
	p[1] = (size_t)i;		/* 0: not a spare */
	return (char *)p + HEAD;
}

static void
wiping_free(void *p, void *arg)
{
	struct memory *m = arg;
	size_t *head, i;

	if (p == NULL)
		return;
	head = (void *)((char *)p - HEAD);
	i = head[1];
	explicit_bzero(head, head[0] + HEAD);
	if (i == 0)
		free(head);
	else
		m->spare[i - 1] = head;
}

struct dp_match {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	pcre2_jit_stack *stack;		/* for what has no room on ours */
	bool stacked;			/* it is in use: mapping it anew costs more than a match */
	bool settled;			/* it is where it always will be: dp_match_forget() */
	pcre2_general_context *wiping;
	struct memory memory;
	uint32_t pairs;			/* of offsets that a match leaves */
	bool jit, literal;
};

static int
compile(struct dp_match *m, const char *pattern, bool fixed, bool icase,
    char why[static DP_MATCH_WHY])
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	/* PCRE2_LITERAL excludes the NEVERs, which it does not need: it knows no (*UTF). */
	uint32_t options = fixed ? PCRE2_LITERAL :
	    PCRE2_NEVER_UTF | PCRE2_NEVER_UCP;
	PCRE2_SIZE at;
	int e, n;

	if (context == NULL)
		return DP_ENOMEM;
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	pcre2_set_bsr(context, PCRE2_BSR_ANYCRLF);
	if (icase)
		options |= PCRE2_CASELESS;
	m->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	    options, &e, &at, context);
	pcre2_compile_context_free(context);
	if (m->code != NULL)
		return 0;
	if (e == PCRE2_ERROR_HEAP_FAILED)
		return DP_ENOMEM;
	n = snprintf(why, DP_MATCH_WHY, "at offset %zu: ", (size_t)at);
	pcre2_get_error_message(e, (PCRE2_UCHAR *)why + n, DP_MATCH_WHY - (size_t)n);
	return DP_ESYNTAX;
}

/* Memory to match with: for the text of `pairs` - 1 groups and of the match. */
static int
prepare(struct dp_match *m, uint32_t pairs)
{
	size_t size;

	m->pairs = pairs;
	m->wiping = pcre2_general_context_create(wiping_alloc, wiping_free, &m->memory);
	if (m->wiping == NULL ||
	    (m->data = pcre2_match_data_create(pairs, m->wiping)) == NULL ||
	    (m->limits = pcre2_match_context_create(NULL)) == NULL)
		return DP_ENOMEM;
	pcre2_set_match_limit(m->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(m->limits, MATCH_LIMIT);
	pcre2_set_heap_limit(m->limits, HEAP_LIMIT);
	/*
	 * No executable memory, no JIT for this processor, or (*NO_JIT), which is
	 * a success without code: the interpreter does it.
	 */
	m->jit = pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE) == 0 &&
	    pcre2_pattern_info(m->code, PCRE2_INFO_JITSIZE, &size) == 0 && size > 0;
	if (m->jit && (m->stack = pcre2_jit_stack_create(STACK_MIN, STACK_MAX, NULL)) == NULL)
		return DP_ENOMEM;
	if (!m->jit && ((m->memory.spare[0] = malloc(SPARE)) == NULL ||
	    (m->memory.spare[1] = malloc(SPARE)) == NULL))
		return DP_ENOMEM;
	return 0;
}

int
dp_match_new(struct dp_match **out, const char *pattern, bool fixed, bool icase,
    char why[static DP_MATCH_WHY])
{
	struct dp_match *m = calloc(1, sizeof *m);
	int e;

	if (m == NULL)
		return DP_ENOMEM;
	if ((e = compile(m, pattern, fixed, icase, why)) != 0 || (e = prepare(m, 1)) != 0) {
		dp_match_free(m);
		return e;
	}
	m->literal = pattern[0] != '\0' &&
	    strpbrk(pattern, fixed ? "\n\r" : "\\^$.[]|()?*+{}\n\r") == NULL;
	*out = m;
	return 0;
}

/*
 * dp_match_new() for the text of the pattern's groups (parentheses); sets *groups to their number.
 * DP_ERANGE: more than DP_GROUPS_MAX.
 */
static int
dp_match_new_groups(struct dp_match **out, const char *pattern, unsigned *groups,
    char why[static DP_MATCH_WHY])
{
	struct dp_match *m = calloc(1, sizeof *m);
	uint32_t n = 0;
	int e;

	if (m == NULL)
		return DP_ENOMEM;
	if ((e = compile(m, pattern, false, false, why)) == 0 &&
	    pcre2_pattern_info(m->code, PCRE2_INFO_CAPTURECOUNT, &n) == 0)
		e = n > DP_GROUPS_MAX ? DP_ERANGE : prepare(m, n + 1);
	if (e != 0) {
		dp_match_free(m);
		return e;
	}
	*groups = n;
	*out = m;
	return 0;
}

/* The i-th of the named groups, in the order of their names: its number; 0: past the last. */
static unsigned
dp_match_named(const struct dp_match *m, unsigned i, const char **name)
{
	uint32_t n, size;
	PCRE2_SPTR entry;

	if (pcre2_pattern_info(m->code, PCRE2_INFO_NAMECOUNT, &n) != 0 || i >= n ||
	    pcre2_pattern_info(m->code, PCRE2_INFO_NAMEENTRYSIZE, &size) != 0 ||
	    pcre2_pattern_info(m->code, PCRE2_INFO_NAMETABLE, &entry) != 0)
		return 0;
	entry += (size_t)i * size;	/* two bytes of the number, the name and a NUL */
	*name = (const char *)entry + 2;
	return (unsigned)entry[0] << 8 | entry[1];
}

int
dp_match_test(struct dp_match *m, struct dp_slice text)
{
	PCRE2_SPTR s = (PCRE2_SPTR)(text.p == NULL ? "" : text.p);
	size_t each = TOTAL_LIMIT / (text.n + 1) + 1;
	int n;

	/* A match gives 1, or 0 for want of room for groups; all errors but one are limits. */
	if (m->jit) {
		n = pcre2_jit_match(m->code, s, text.n, 0, 0, m->data, m->limits);
		if (n == PCRE2_ERROR_JIT_STACKLIMIT && !m->stacked) {
			m->stacked = true;
			pcre2_jit_stack_assign(m->limits, NULL, m->stack);
			n = pcre2_jit_match(m->code, s, text.n, 0, 0, m->data, m->limits);
		}
	} else {
		pcre2_set_match_limit(m->limits, each < MATCH_LIMIT ? (uint32_t)each : MATCH_LIMIT);
		n = pcre2_match(m->code, s, text.n, 0, 0, m->data, m->limits);
	}
	return n == PCRE2_ERROR_NOMEMORY ? DP_ENOMEM : n >= 0;
}

/*
 * dp_match_test(), and the text of groups 1..n; p == NULL: a group without part in the match.  For
 * objects of dp_match_new_groups().
 */
static int
dp_match_groups(struct dp_match *m, struct dp_slice text, struct dp_slice *group, unsigned n)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(m->data);
	int hit = dp_match_test(m, text);
	unsigned i;

	if (hit != 1)
		return hit;
	for (i = 1; i <= n; i++)	/* groups behind the last that is used are unset, too */
		group[i] = at[2 * i] == PCRE2_UNSET ?
		    (struct dp_slice){ NULL, 0 } :
		    (struct dp_slice){ text.p + at[2 * i], at[2 * i + 1] - at[2 * i] };
	return 1;
}

bool
dp_match_literal(const struct dp_match *m)
{
	return m->literal;
}

int
dp_match_find(struct dp_match *m, struct dp_slice text, size_t *at)
{
	int hit = dp_match_test(m, text);

	if (hit == 1)
		*at = pcre2_get_ovector_pointer(m->data)[0];
	return hit;
}

int
dp_match_forget(struct dp_match *m)
{
	pcre2_match_data_free(m->data);
	m->data = pcre2_match_data_create(m->pairs, m->wiping);
	/*
	 * An unmapped stack is gone.  The next may lie elsewhere, which would tell that it was in
	 * use; after that it is put where the last one was.  So the first goes whatever the text.
	 */
	if (m->jit && (m->stacked || !m->settled)) {
		pcre2_jit_stack_assign(m->limits, NULL, NULL);
		pcre2_jit_stack_free(m->stack);
		m->stack = pcre2_jit_stack_create(STACK_MIN, STACK_MAX, NULL);
		m->stacked = false;
		m->settled = true;
	}
	if (m->jit)
		dp_stack_wipe(OURS + 8192);	/* and some frames */
	else
		pcre2_set_match_limit(m->limits, MATCH_LIMIT);	/* it was the text's length */
	return m->data == NULL || (m->jit && m->stack == NULL) ? DP_ENOMEM : 0;
}

void
dp_match_free(struct dp_match *m)
{
	if (m == NULL)
		return;
	pcre2_jit_stack_free(m->stack);
	pcre2_match_context_free(m->limits);
	pcre2_match_data_free(m->data);
	pcre2_general_context_free(m->wiping);
	pcre2_code_free(m->code);
	free(m->memory.spare[0]);
	free(m->memory.spare[1]);
	free(m);
}

/*
 * A pattern's groups as the fields of a line.
 */

/* Longer texts are left to the pattern, whose limits (match.c) then hold for them as for others. */
#define SPLIT_MAX	((size_t)32 << 10)

struct dp_cut {
	struct dp_match *match;
	unsigned fields;
	bool (*split)(struct dp_slice, struct dp_slice *, unsigned);	/* NULL: the pattern */
};

_Static_assert(DP_GROUPS_MAX <= DP_FIELDS_MAX, "every group has a field");

/* Fault of the names of the groups, which come sorted. */
static bool
bad_names(const struct dp_cut *c, char why[static DP_MATCH_WHY])
{
	const char *name, *last = "";
	unsigned i;

	for (i = 0; dp_match_named(c->match, i, &name) != 0; last = name, i++)
		if (strcmp(name, last) == 0) {		/* (?J) allows it */
			snprintf(why, DP_MATCH_WHY, "two groups have the name '%s'", name);
			return true;
		}
	if (i == 0)
		snprintf(why, DP_MATCH_WHY, "no group has a name: a field is (?<NAME>...)");
	return i == 0;
}

/* named: its groups are fields, with names; else one group is enough. */
static int
cut_of(struct dp_cut **out, const char *pattern, bool named, char why[static DP_MATCH_WHY])
{
	struct dp_cut *c = calloc(1, sizeof *c);
	int e;

	if (c == NULL)
		return DP_ENOMEM;
	e = dp_match_new_groups(&c->match, pattern, &c->fields, why);
	if (e == DP_ERANGE) {
		snprintf(why, DP_MATCH_WHY, "more than %d groups; (?:...) does not count as "
		    "one", DP_GROUPS_MAX);
		e = DP_ESYNTAX;
	} else if (e == 0 && named && bad_names(c, why))
		e = DP_ESYNTAX;
	else if (e == 0 && c->fields == 0) {
		snprintf(why, DP_MATCH_WHY, "no group: put what you want in (...)");
		e = DP_ESYNTAX;
	}
	if (e != 0) {
		dp_cut_free(c);
		return e;
	}
	*out = c;
	return 0;
}

int
dp_cut_new(struct dp_cut **out, const char *pattern, char why[static DP_MATCH_WHY])
{
	return cut_of(out, pattern, true, why);
}

int
dp_cut_new_part(struct dp_cut **out, const char *pattern, unsigned *group,
    char why[static DP_MATCH_WHY])
{
	const char *name;
	int e = cut_of(out, pattern, false, why);

	if (e != 0)
		return e;
	if ((*group = dp_match_named((*out)->match, 0, &name)) == 0)
		*group = 1;
	if (dp_match_named((*out)->match, 1, &name) == 0)
		return 0;
	snprintf(why, DP_MATCH_WHY, "several groups have names: name only the one you want");
	dp_cut_free(*out);
	*out = NULL;
	return DP_ESYNTAX;
}

int
dp_cut_new_log(struct dp_cut **out, const struct dp_log *l, bool head,
    char why[static DP_MATCH_WHY])
{
	const size_t n = head && l->head != 0 ? l->head : strlen(l->pattern);
	char *pattern = strndup(l->pattern, n);
	int e = pattern == NULL ? DP_ENOMEM : dp_cut_new(out, pattern, why);

	free(pattern);
	if (e == 0)
		(*out)->split = l->split;
	return e;
}

unsigned
dp_cut_fields(const struct dp_cut *c)
{
	return c->fields;
}

unsigned
dp_cut_field(const struct dp_cut *c, const char *name)
{
	const char *known;
	unsigned i, n;

	for (i = 0; (n = dp_match_named(c->match, i, &known)) != 0; i++)
		if (strcmp(name, known) == 0)
			return n;
	return 0;
}

const char *
dp_cut_name(const struct dp_cut *c, unsigned i)
{
	const char *name;

	return dp_match_named(c->match, i, &name) != 0 ? name : NULL;
}

int
dp_cut_record(struct dp_cut *c, struct dp_record *r)
{
	int hit = c->split != NULL && r->text.n <= SPLIT_MAX ?
	    c->split(r->text, r->field, c->fields) :
	    dp_match_groups(c->match, r->text, r->field, c->fields);

	r->nfields = hit == 1 ? c->fields : 0;
	return hit;
}

int
dp_cut_forget(struct dp_cut *c)
{
	return dp_match_forget(c->match);
}

void
dp_cut_free(struct dp_cut *c)
{
	if (c == NULL)
		return;
	dp_match_free(c->match);
	free(c);
}
