/*
 * files_own.h - the inside of files.c, files_read.c and files_rotated.c.
 */
#ifndef DP_FILES_OWN_H
#define DP_FILES_OWN_H

#include "files.h"

/* files_read.c: path of a program, by the absolute folders in PATH; NULL: there is none. */
char	*dp_files_unpacker(const char *program);
/* files.c: a regular file that is open begins with all that it held. */
bool	dp_files_holds(const struct dp_file *, bool pan);

/*
 * files_rotated.c.  All are open: one that is a copy of another, which may still be cut; NULL:
 * there is none.
 */
const struct dp_file *dp_files_copying(const struct dp_run *);
/* --next: exits if a log was renamed lately to what is not among the operands. */
void	dp_files_beside(const struct dp_run *);

#endif
