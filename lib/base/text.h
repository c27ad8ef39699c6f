/* SPDX-License-Identifier: ISC */
/* text.h - characters, tables of names, and what a file's name says. */
#ifndef DP_BASE_TEXT_H
#define DP_BASE_TEXT_H

#include <stddef.h>
#include <string.h>

#include "dp.h"

struct dp_names;

/*
 * Characters of UTF-8 (RFC 3629), and those that nobody sees.
 */

/* Bytes of the character that [p,e) begins with, p < e; 0: it begins with none.  Sets *c. */
size_t	dp_utf8(uint32_t *c, const char *p, const char *e);
/* Writes a character, up to 4 bytes; returns their end. */
char	*dp_utf8_put(char *to, unsigned long c);
/*
 * A control, also beyond ASCII; a mark that turns the direction of what follows, so that a name
 * shows as another (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069); the end of a line
 * or paragraph (U+2028, U+2029).
 */
bool	dp_utf8_unseen(uint32_t c);

/*
 * A table of names that nobody declared, in the order in which they came, each with a
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

#define DP_NAMES_MAX	(UINT32_MAX / 2)

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
/*
 * Sorts names from the first-th on, whose blocks are all 0 and which have no marks, by rank[place],
 * then by their bytes; to[i] becomes the new place + 1 of each i.  DP_ENOMEM: all is as it was.
 */
int	dp_names_sort(struct dp_names *, size_t first, const uint32_t *rank, uint32_t *to)
	    DP_MUSTUSE;
void	dp_names_free(struct dp_names *);	/* wipes; NULL is fine */

/* A text that is twice among n; NULL: none is, or there is no memory for the search (*e). */
const char *dp_names_twice(char *const *name, size_t n, int *e);

/*
 * Compressed files and archives, by their names: what a name says is public, while the
 * first bytes of a file may be somebody's record.
 */

/*
 * Program that writes what such a file holds, if it is called with -dc and the file as its standard
 * input; NULL: the name is not that of a compressed file.  stem: length of the name without the
 * suffix; all of it.
 */
const char *dp_packed_by(const char *name, size_t *stem);
/* Debian's package that has the program. */
const char *dp_packed_package(const char *program);
/*
 * Command that writes what the files in such an archive hold, before the archive's name; NULL: the
 * name is not that of an archive.
 */
const char *dp_archived_by(const char *name);

/* Where NAME[] stands in a path of JSON; NULL: nowhere, or where it may not. */
static inline const char *
dp_path_brackets(const char *path)
{
	const char *p = strstr(path, "[]");

	return p != NULL && p != path && p[-1] != '.' && (p[2] == '\0' || p[2] == '.') &&
	    strstr(p + 1, "[]") == NULL ? p : NULL;
}

#define DP_FIELDS_MAX	64		/* highest field number a rule may name */
#define DP_LETS_MAX	8		/* fields made of others, numbered from there on */
/* Bytes of byte order marks at the beginning of [p, e); *e may be read. */
static inline size_t
dp_record_marks(const char *p, const char *e)
{
	size_t n = 0;

	while (DP_UNLIKELY(p[n] == '\xef') && e - p - (ptrdiff_t)n >= 3 &&
	    memcmp(p + n, "\xef\xbb\xbf", 3) == 0)
		n += 3;
	return n;
}

#endif
