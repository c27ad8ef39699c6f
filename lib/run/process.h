/*
 * process.h - this process: its descriptors, its memory, and who else may look at it.
 */
#ifndef DP_PROCESS_H
#define DP_PROCESS_H

#include <stdbool.h>

/*
 * Before any file is opened: a closed descriptor 0-2 would be given to the first one, and of a lock
 * or a witness made without rights for its owner no later run could have them.  Whether there is a
 * standard input.
 */
bool	dp_process_files(void);
/*
 * All functions of the libraries looked up at once: runs the program again, with that in its
 * environment, unless this is that run.  To be called before anything is read or opened.
 */
void	dp_process_bind(char **argv);
/* Memory that an intruder could reach in other ways: no core file, no ptrace. */
void	dp_process_harden(void);
/*
 * Keeps memory out of swap, where exact counts would outlive the run: every page as soon as it is
 * touched.  To be called once all is allocated, before noise is drawn or a line read.  Unless
 * quiet, warns where it cannot be.
 */
void	dp_process_lock(bool quiet);

#endif
