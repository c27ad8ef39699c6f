/* stack.c - see stack.h. */
#include <unistd.h>

#include <sodium.h>

#include "stack.h"

/* POSIX: the least stack that a signal can be taken on */
static size_t
registers(void)
{
	const long n = sysconf(_SC_MINSIGSTKSZ);

	return n > 0 ? (size_t)n : 0;
}

void
dp_stack_wipe(size_t n)
{
	sodium_stackzero(n + registers());
}
