/*
 * utf8.h - characters of UTF-8 (RFC 3629), and those that nobody sees.
 */
#ifndef DP_UTF8_H
#define DP_UTF8_H

#include "dp.h"

/* Bytes of the character that [p,e) begins with, p < e; 0: it begins with none.  Sets *c. */
size_t	dp_utf8(uint32_t *c, const char *p, const char *e);
/*
 * A control, also beyond ASCII; a mark that turns the direction of what follows, so that a name
 * shows as another (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069); the end of a line
 * or paragraph (U+2028, U+2029).
 */
bool	dp_utf8_unseen(uint32_t c);

#endif
