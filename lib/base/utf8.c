/* utf8.c - see utf8.h. */
#include "utf8.h"

size_t
dp_utf8(uint32_t *c, const char *p, const char *e)
{
	const unsigned char *u = (const unsigned char *)p;
	const size_t more = *u < 0x80 ? 0 : *u >= 0xf0 ? 3 : *u >= 0xe0 ? 2 : 1;
	const uint32_t least = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
	uint32_t v = more == 0 ? *u : *u & 0x3fu >> more;
	size_t i;

	if ((*u >= 0x80 && *u < 0xc2) || *u > 0xf4 || more >= (size_t)(e - p))
		return 0;
	for (i = 1; i <= more; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (u[i] & 0x3f);
	}
	if (more > 0 && (v < least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)))
		return 0;
	*c = v;
	return more + 1;
}

bool
dp_utf8_unseen(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}
