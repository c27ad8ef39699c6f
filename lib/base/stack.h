/*
 * stack.h - what lies on the stack below those who run.
 */
#ifndef DP_STACK_H
#define DP_STACK_H

#include <stddef.h>

/*
 * Wipes n bytes of the stack below its own frame, and below them as many as this machine saves
 * registers in: a signal, or a function's first call by way of the dynamic linker, puts them below
 * the frame that it meets.  That is 2 KiB or 11 KiB, as processors have it; the kernel tells.
 */
void	dp_stack_wipe(size_t n);

#endif
