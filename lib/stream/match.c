/*
 * match.c - PCRE2 with everything fixed that its build or the pattern could change.
 *
 * A plain string goes the same way (PCRE2_LITERAL): compiled code that looks for two of its bytes
 * at once beats memmem(3) on lines of 200 bytes, 168 ns against 214.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
#define SMALL	((size_t)1024)		/* what is not frames is less */
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
	pcre2_general_context *wiping;
	struct memory memory;
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

int
dp_match_new(struct dp_match **out, const char *pattern, bool fixed, bool icase,
    char why[static DP_MATCH_WHY])
{
	struct dp_match *m = calloc(1, sizeof *m);
	size_t size;
	int e;

	if (m == NULL)
		return DP_ENOMEM;
	if ((e = compile(m, pattern, fixed, icase, why)) != 0)
		goto fail;
	m->literal = pattern[0] != '\0' &&
	    strpbrk(pattern, fixed ? "\n\r" : "\\^$.[]|()?*+{}\n\r") == NULL;
	e = DP_ENOMEM;
	m->wiping = pcre2_general_context_create(wiping_alloc, wiping_free, &m->memory);
	if (m->wiping == NULL ||
	    (m->data = pcre2_match_data_create(1, m->wiping)) == NULL ||
	    (m->limits = pcre2_match_context_create(NULL)) == NULL)
		goto fail;
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
		goto fail;
	if (!m->jit && ((m->memory.spare[0] = malloc(SPARE)) == NULL ||
	    (m->memory.spare[1] = malloc(SPARE)) == NULL))
		goto fail;
	*out = m;
	return 0;
fail:
	dp_match_free(m);
	return e;
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
	m->data = pcre2_match_data_create(1, m->wiping);
	if (m->stacked) {		/* an unmapped stack is gone */
		pcre2_jit_stack_assign(m->limits, NULL, NULL);
		pcre2_jit_stack_free(m->stack);
		m->stack = pcre2_jit_stack_create(STACK_MIN, STACK_MAX, NULL);
		m->stacked = false;
	}
	if (m->jit)
		sodium_stackzero(OURS + 8192);	/* and some frames */
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
