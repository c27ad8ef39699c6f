/*
 * head.h - internal to session*.c: the head of a state file, and its body.
 */
#ifndef DP_HEAD_H
#define DP_HEAD_H

#include "session.h"
#include "state/form.h"

/* Version of the form of head and body; a state of another form is refused. */
#define DP_HEAD_FORMAT	2
#define DP_HEAD_TIMES	2		/* version of how times are read; 1 has no line */
#define DP_HEAD_SEVERAL	2		/* of fields of -u and -v: several */
#define DP_HEAD_CONDITIONS 2		/* of how --where is; 1 has no line */

extern const char *const dp_head_steps[4];	/* by enum dp_steps */

void	dp_head_user(struct dp_buf *, const struct dp_field *);
/* Declared keys in the form of --keys; "" stands for the empty key. */
void	dp_head_keys(struct dp_buf *, const struct dp_options *);
/* "moves L1 L2SQUARED COLUMNS" */
void	dp_head_moves(struct dp_buf *, const struct dp_privacy *);
/* The value of a key in the head; false: the head has no such key. */
bool	dp_head_find(const char *head, const char *key, struct dp_slice *value);
/* A key's value as text, number or fraction; exits if the key is missing or its value malformed. */
struct dp_slice dp_head_value(const struct dp_options *, const char *head, const char *key);
uint64_t dp_head_number(const struct dp_options *, const char *head, const char *key);
struct dp_q dp_head_q(const struct dp_options *, const char *head, const char *key);
_Noreturn void dp_head_damaged(const struct dp_options *, const char *key);
/* dp_unescape() in place; exits if that fails. */
void	dp_head_unescape(const struct dp_options *, const char *key, char *text);
/* Text of a value, which belongs to the options then. */
char	*dp_head_text(struct dp_options *, const char *key, struct dp_slice value);
/* A number of digits alone; false: no digit, another character, or 2^64 and more. */
bool	dp_head_digits(struct dp_slice, uint64_t *n) DP_MUSTUSE;
/* A word of `digits` lower-case hex digits; false: another character is among them. */
bool	dp_head_hex(const char *p, size_t digits, uint64_t *w) DP_MUSTUSE;
/* Options of input and output: those kept in the head, unless --change allows others. */
void	dp_head_kept(struct dp_run *, const char *head);
/* Options that --state-show computes with, from the head: horizon, bucket, zone. */
void	dp_head_show(struct dp_run *, const char *head);
/* Exits unless the state is this tool's. */
void	dp_head_tool(const struct dp_options *, const struct dp_tool *, const char *head);
_Noreturn void dp_head_differs(const struct dp_options *, const char *option,
	    struct dp_slice kept);
/* --per-user of the head becomes the option; exits if that was given and differs. */
void	dp_head_allowance(struct dp_options *, const char *head);
/* Each parameter of the head becomes the option; exits if the option was given and differs. */
void	dp_head_adopt(struct dp_run *, const char *head);

/* Writes, and reads back, the body of a state; dp_body_get() exits if it is damaged. */
void	dp_body_put(struct dp_run *, struct dp_buf *);
void	dp_body_get(struct dp_run *);

#endif
