/*
 * process.h - this process: its descriptors, its memory, and protection from other processes.
 */
#ifndef DP_PROCESS_H
#define DP_PROCESS_H

#include <stdbool.h>

/*
 * Opens closed descriptors 0-2, sees to it that new files can be read by their owner, and makes an
 * error of a file that may not grow (SIGXFSZ); to be called before any file is opened, as the first
 * one would get a closed descriptor.  Returns true
 * if there is a standard input.
 */
bool	dp_process_files(void);
/*
 * Binds all functions of libraries at once: runs the program again with LD_BIND_NOW set, unless it
 * is set.  To be called before anything is read or opened.
 */
void	dp_process_bind(char **argv);
/* Forbids core files and ptrace, other ways to this memory. */
void	dp_process_harden(void);
/*
 * Locks every page, as soon as it is touched, out of swap, where exact counts would outlive the
 * run.  To be called once all is allocated, before noise is drawn or a line read.  Warns if that
 * fails, unless quiet.
 */
void	dp_process_lock(bool quiet);

#endif
