/* SPDX-License-Identifier: ISC */
/*
 * dp.h - error codes, exit statuses and the few types everything shares.
 *
 * Every fallible function returns 0 or a negative DP_E* code and writes its
 * results only on success.  The library never prints, exits, or reads clock,
 * environment or locale.
 */
#ifndef DP_BASE_DP_H
#define DP_BASE_DP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os.h"

#define DP_VERSION "0.2"

enum dp_err {
	DP_EINVAL = -1,		/* a parameter is out of range */
	DP_ESYNTAX = -2,	/* text is not of the form asked for */
	DP_ERANGE = -3,		/* does not fit the integers we keep */
	DP_ENOMEM = -4,
	DP_EENTROPY = -5,	/* the kernel gave no random bytes */
	DP_EHORIZON = -6,	/* the horizon is spent */
	DP_EIO = -7,		/* errno says why */
	DP_ESTATE = -8,		/* state file refused */
	DP_EBUSY = -9,		/* state file locked by another run */
	DP_EHALT = -10		/* the mechanism has ended: nothing more may be released */
};

enum dp_exit {
	DP_EX_OK = 0,
	DP_EX_SYSTEM = 1,
	DP_EX_USAGE = 2,
	DP_EX_INPUT = 3,
	DP_EX_SPENT = 4,
	DP_EX_STATE = 5,
	DP_EX_BUSY = 75
};

#define DP_MUSTUSE	__attribute__((warn_unused_result))
#define DP_LIKELY(x)	__builtin_expect(!!(x), 1)
#define DP_UNLIKELY(x)	__builtin_expect(!!(x), 0)
#ifndef DP_INLINE	/* make cover counts every branch once, not once in each copy */
#define DP_INLINE	static inline __attribute__((always_inline))
#endif
/*
 * A function that is there twice, once for processors with AVX2: the same additions and
 * multiplications, side by side, so the same numbers.  The linker of glibc chooses; musl has none.
 */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ && !defined COVER
#define DP_VECTORS	__attribute__((target_clones("avx2", "default")))
#else
#define DP_VECTORS
#endif

/* Numbers side by side, of an array that lies anywhere. */
typedef double dp_four __attribute__((vector_size(32), aligned(8), may_alias));

/* Sums and noise: 2^62 steps of values up to 2^61 cannot overflow it. */
__extension__ typedef __int128 dp_wide;
__extension__ typedef unsigned __int128 dp_uwide;
/* An estimate that there is none of: its place is left empty. */
#define DP_NONE		((dp_wide)1 << 126)

/* A piece of text somebody else owns; not terminated by a NUL. */
struct dp_slice {
	const char *p;
	size_t n;
};

/* One short English phrase for a DP_E* code; static storage. */
const char *dp_strerror(int);

#endif
