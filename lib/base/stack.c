/* SPDX-License-Identifier: ISC */
/* stack.c - see stack.h. */
#include <sodium.h>

#include "internal.h"
#include "stack.h"

void
dp_stack_wipe(size_t n)
{
	sodium_stackzero(n + dp_os_registers());
}

#ifdef __x86_64__

#define EACH8(f, a, b, c, d, e, g, h, i)	f(a) f(b) f(c) f(d) f(e) f(g) f(h) f(i)
#define VECTOR(i)	"vpxord %zmm" #i ", %zmm" #i ", %zmm" #i "\n\t"
#define MASK(i)		"kxorw %k" #i ", %k" #i ", %k" #i "\n\t"
#define HALF(i)		"pxor %xmm" #i ", %xmm" #i "\n\t"

__attribute__((noinline, target("avx512f"))) static void
wipe_512(void)
{
	__asm__ volatile ("vzeroall\n\t"
	    EACH8(VECTOR, 16, 17, 18, 19, 20, 21, 22, 23)
	    EACH8(VECTOR, 24, 25, 26, 27, 28, 29, 30, 31)
	    EACH8(MASK, 0, 1, 2, 3, 4, 5, 6, 7));
}

__attribute__((noinline, target("avx"))) static void
wipe_256(void)
{
	__asm__ volatile ("vzeroall");
}

__attribute__((noinline)) static void
wipe_128(void)
{
	__asm__ volatile (EACH8(HALF, 0, 1, 2, 3, 4, 5, 6, 7)
	    EACH8(HALF, 8, 9, 10, 11, 12, 13, 14, 15));
}

/*
 * Registers of a function's own may be lost: no call keeps them, and there is nothing in them here.
 * Of the others system calls leave alone six, in which their arguments were.
 */
void
dp_registers_wipe(void)
{
	if (__builtin_cpu_supports("avx512f"))
		wipe_512();
	else if (__builtin_cpu_supports("avx"))
		wipe_256();
	else
		wipe_128();
	__asm__ volatile ("xor %%edi, %%edi\n\txor %%esi, %%esi\n\txor %%edx, %%edx\n\t"
	    "xor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d"
	    ::: "rdi", "rsi", "rdx", "r8", "r9", "r10", "cc");
}

#else

void
dp_registers_wipe(void)
{
}

#endif
