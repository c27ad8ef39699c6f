/*
 * names.h - a table of names that nobody declared, in the order in which they came, each with a
 * block of words.
 *
 * An exact table: no name is ever given up, and two names are one only if their bytes are equal.
 * Where a name is looked for decides a keyed hash, which nobody can aim at without the key; what is
 * walked through is the order of first sight, so nothing that is drawn or written for one name
 * after another depends on the hash.
 *
 * A name takes its bytes, its block, 9 bytes, and 5 to 11 bytes of the index; room grows in place
 * by halves, and what is not touched takes no memory.  Where names go, room goes beyond four times
 * what was needed before they went.
 */
#ifndef DP_NAMES_H
#define DP_NAMES_H

#include "base/dp.h"

#define DP_NAMES_MAX	(UINT32_MAX / 2)
#define DP_NAMES_TEXT	255		/* bytes of a name, at most */

struct dp_names;

/* key: 16 random bytes, the caller's to draw; words: of a block. */
int	dp_names_new(struct dp_names **, const uint8_t key[16], size_t words) DP_MUSTUSE;
/*
 * The place of a name, from 0 on; a new name's block is all 0.  Pointers into the table end with a
 * new name.  DP_ENOMEM: no room, the table unchanged.  DP_EINVAL: too long.
 */
int	dp_names_place(struct dp_names *, struct dp_slice name, size_t *place) DP_MUSTUSE;
/* Its place, if it is there. */
bool	dp_names_find(const struct dp_names *, struct dp_slice name, size_t *place);
size_t	dp_names_count(const struct dp_names *);
struct dp_slice dp_names_text(const struct dp_names *, size_t place);
int64_t	*dp_names_block(const struct dp_names *, size_t place);
/* A mark of the caller's, which a new name has not. */
void	dp_names_mark(struct dp_names *, size_t place);
bool	dp_names_marked(const struct dp_names *, size_t place);
/* Bytes that a name takes, its own text apart: of a block of so many words. */
size_t	dp_names_bytes(size_t words);
/* Drops names with place[i] = 0; place[i] of the others becomes the new place + 1, in order. */
void	dp_names_keep(struct dp_names *, uint32_t *place);
void	dp_names_free(struct dp_names *);	/* wipes; NULL is fine */

/* A text that is twice among n; NULL: none is, or there is no memory for the search (*e). */
const char *dp_names_twice(char *const *name, size_t n, int *e);

#endif
