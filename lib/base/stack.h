/*
 * stack.h - what those who ran have left: on the stack below, and in registers.
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

/*
 * Wipes the registers that no call keeps, vectors and masks among them: a search leaves in those
 * what it saw, and where, and a debugger sees it until somebody else needs them.  x86-64 only:
 * nothing on others.
 */
void	dp_registers_wipe(void);

#endif
