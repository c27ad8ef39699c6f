/*
 * lines.h - the lines of a state's body: a word, and numbers.
 */
#ifndef DP_KEEP_LINES_H
#define DP_KEEP_LINES_H

#include "session.h"
#include "state/form.h"

/* Writes the last `digits` hex digits of w at p; returns their end. */
char	*dp_line_put_hex(char *p, uint64_t w, int digits);
/*
 * Bytes as hex words of fixed width, so that the length of a state file tells nothing of the data;
 * dp_line_put() writes a line of key and words.
 */
void	dp_line_put_bytes(struct dp_buf *, const void *, size_t n);
void	dp_line_put(struct dp_buf *, const char *key, const void *, size_t n);

/* A word of `digits` lower-case hex digits; false: another character is among them. */
bool	dp_line_hex(const char *p, size_t digits, uint64_t *w) DP_MUSTUSE;

/* Writes, and reads back, the body of a state; dp_body_get() exits if it is damaged. */
void	dp_body_put(struct dp_run *, struct dp_buf *);
void	dp_body_get(struct dp_run *);

/* Reading: the state is refused unless each line is the expected one. */
struct dp_lines {
	const struct dp_run *r;
	const char *p, *end;
};
_Noreturn void dp_line_damaged(const struct dp_lines *, const char *key);
/* The text behind the key of the next line. */
struct dp_slice dp_line_next(struct dp_lines *, const char *key);
uint64_t dp_line_number(struct dp_lines *, const char *key);
/* n bytes from the words at p, or from the next line. */
void	dp_line_bytes(struct dp_lines *, const char *key, const char *p, void *out, size_t n);
void	dp_line_words(struct dp_lines *, const char *key, void *out, size_t n);

/* session_roll.c: names in the order of their draws, and their events in open buckets. */
void	dp_session_roll_put(const struct dp_run *, struct dp_buf *);
void	dp_session_roll_get(struct dp_run *, struct dp_lines *);

#endif
