/*
 * match.c - PCRE2 with everything fixed that its build or the pattern could change.
 *
 * A plain string goes the same way (PCRE2_LITERAL): compiled code that looks for two of its bytes
 * at once beats memmem(3) on lines of 200 bytes, 168 ns against 214.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stack.h"
#include "match.h"

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

int
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

unsigned
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

int
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
