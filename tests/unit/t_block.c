/* SPDX-License-Identifier: ISC */
/* t_block.c - blocks of 64 bytes as other machines look at them, against a loop. */
#undef __SSE2__
#include <math.h>

#include "base/internal.h"
#include "check.h"

int
main(void)
{
	static const char near[] = { ' ', '!', '\x1f', '\xa0', '\0', '\x01', '\x80', '\x7f',
	    '\xff', '"', '~' };
	char text[DP_BLOCK], byte;
	uint64_t want, seed = 1;
	unsigned round, i;

	for (round = 0; round < 1000; round++) {
		byte = near[round % sizeof near];
		for (want = i = 0; i < DP_BLOCK; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[i] = near[(seed >> 33) % sizeof near];
			want |= (uint64_t)(text[i] == byte) << i;
		}
		check(dp_block_equal(text, byte) == want);
		check(dp_block_pairs(text, ' ', '\x7e') == (dp_block_equal(text, ' ') |
		    dp_block_equal(text, '"') | dp_block_equal(text, '\x7e') |
		    dp_block_equal(text, '\x7f')));
	}
	for (round = 0; round < 256; round++) {
		memset(text, 'x', sizeof text);
		i = round % 64;
		text[i] = (char)round;
		want = (uint64_t)(round >= '.' && round <= '9') << i;
		check(dp_block_range(text, 0, '.', '9', 4) == want);
		check(dp_block_range(text, 0, '.', '9', 1) == (want & 0xffff));
		want = (uint64_t)((round | ' ') >= 'a' && (round | ' ') <= 'f') << i;
		check(dp_block_range(text, ' ', 'a', 'f', 4) == want);
	}
	for (i = 0; i < 70; i++)
		check(dp_block_first(i) == (i < 64 ? ((uint64_t)1 << i) - 1 : ~(uint64_t)0));
	return done();
}
