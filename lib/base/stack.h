/* SPDX-License-Identifier: ISC */
/*
 * stack.h - wiping private values that returned functions left on the stack and in registers.
 */
#ifndef DP_BASE_STACK_H
#define DP_BASE_STACK_H

#include <stddef.h>

/*
 * Wipes n bytes of the stack below its own frame, and below them the area in which this processor
 * saves registers (2 to 11 KiB; the kernel tells): a signal, or a first call through the dynamic
 * linker, saves registers below the frame that it meets.
 */
void	dp_stack_wipe(size_t n);

/*
 * Wipes the registers that calls may change, vectors and masks included: a search leaves input
 * bytes there until another function needs the register.  x86-64 only; elsewhere it does nothing.
 */
void	dp_registers_wipe(void);

#endif
