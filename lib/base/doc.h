/* SPDX-License-Identifier: ISC */
/*
 * doc.h - a document of lines "key value", written, read and compared by the same calls, as xdr(3)
 * does it.
 *
 * A struct has one function that names its members in order.  In a writer each call appends a
 * line; in a reader it takes the next line and sets the member; in a comparer it takes the next
 * line, which must be the member's.  Every value has one spelling: a reader refuses any other, so
 * what was read and is written again is the same bytes, and values may be compared as texts.
 *
 * The first fault stays, with its key and its kind, and later calls do nothing.  A reader does not
 * look at what it sets, and sets nothing at a fault; texts and lists that it allocated before the
 * fault are the caller's to free.
 */
#ifndef DP_BASE_DOC_H
#define DP_BASE_DOC_H

#include "buf.h"

struct dp_q;

enum dp_doc_way { DP_DOC_WRITE, DP_DOC_READ, DP_DOC_COMPARE };

enum dp_doc_fault {
	DP_DOC_GOOD,
	DP_DOC_MISSING,		/* the next line has another key, or there is none */
	DP_DOC_MALFORMED,	/* its value is not of the form, or not within the bounds */
	DP_DOC_DIFFERS,		/* its value is not the one it is compared with */
	DP_DOC_REST,		/* a line where the section or the document should end */
	DP_DOC_NOMEM
};

#define DP_DOC_KEY	64	/* bytes of a key, and a NUL */

struct dp_doc {
	enum dp_doc_way way;
	struct dp_buf *out;		/* a writer's */
	const char *p, *end;		/* lines that are left, of others */
	/* In a reader, true: the line of this key is compared, not read; NULL: none is. */
	bool (*compares)(const void *arg, const char *key);
	const void *arg;
	enum dp_doc_fault fault;
	char key[DP_DOC_KEY];		/* of the fault */
	struct dp_slice found;		/* the value that stood there; n = 0: none */
};

struct dp_doc dp_doc_writer(struct dp_buf *);
struct dp_doc dp_doc_reader(struct dp_slice);
/* Sets the fault unless there is one: what was read cannot be. */
void	dp_doc_refuse(struct dp_doc *, const char *key, enum dp_doc_fault);

/* A line "[name]". */
void	dp_doc_section(struct dp_doc *, const char *name);
/* The last line, "[end]", and nothing after it. */
void	dp_doc_end(struct dp_doc *);
/*
 * A line that may be left out: true if it is there, and then the call of its key must follow.  A
 * writer leaves it out unless *there; a reader sets *there.
 */
bool	dp_doc_optional(struct dp_doc *, const char *key, bool *there);
/* Not in a writer, true: the next line has this key. */
bool	dp_doc_next(const struct dp_doc *, const char *key);
/* The key of the next line, cut to fit; "" if there is none, or at a bracket. */
void	dp_doc_peek(const struct dp_doc *, char key[static DP_DOC_KEY]);
/* The value of the first line of a text that has this key; false: none has. */
bool	dp_doc_find(struct dp_slice text, const char *key, struct dp_slice *value);

/* A value that is known: readers compare it also. */
void	dp_doc_is(struct dp_doc *, const char *key, const char *text);
void	dp_doc_flag(struct dp_doc *, const char *key, bool *);
void	dp_doc_u64(struct dp_doc *, const char *key, uint64_t *, uint64_t lo, uint64_t hi);
void	dp_doc_q(struct dp_doc *, const char *key, struct dp_q *);	/* num/den, reduced */
/* One of n names. */
void	dp_doc_enum(struct dp_doc *, const char *key, unsigned *, const char *const *name,
	    size_t n);
/*
 * Any bytes but NUL; one that is not plain is %XX.  An empty text is "", and none (NULL) is -.  A
 * reader's text is the caller's to free.
 */
void	dp_doc_text(struct dp_doc *, const char *key, char **);
/* A text that is there, in `size` bytes with its NUL. */
void	dp_doc_chars(struct dp_doc *, const char *key, char *, size_t size);
/* A list of texts, A,B,C, or -: a reader's is one block, the caller's to free. */
void	dp_doc_list(struct dp_doc *, const char *key, char ***, size_t *n, size_t most);

#endif
