/*
 * files.h - operands: which files they are, and that what is read of them is what they held when
 * all of them were open.
 *
 * A log may be rotated at any time.  All regular files are opened before one is read; then names
 * must still lead to the files that are open, or all are opened anew.  From then on a rename loses
 * nothing and doubles nothing: what is open is read, up to the size that it had.  A file that is
 * cut or written over meanwhile (copytruncate) ends the run.  Pipes are opened in their turn.
 */
#ifndef DP_FILES_H
#define DP_FILES_H

#include <sys/stat.h>

#include "keep/run.h"

#define DP_FILE_MARK	32

struct dp_file {
	const char *name;		/* for messages */
	char *unpacker;			/* path of the program that unpacks it; NULL: plain */
	struct stat st;			/* when it was opened; -P: without its size */
	int fd;				/* -1: not open */
	off_t begin;			/* offset that reading begins at: of standard input any */
	bool stays;			/* a regular file that has a size, which /proc has not */
	uint8_t mark[DP_FILE_MARK];	/* hash of its first and last bytes; not with -P */
	pid_t child;			/* the unpacker; 0: none */
	int pipe;			/* from it */
};

/* Exits on operands that cannot be read, or are one file. */
void	dp_files_open(struct dp_run *);
void	dp_files_free(struct dp_run *);
/* Name for messages. */
const char *dp_files_name(const struct dp_run *, int i);
/* True: a regular file, or what a child unpacks of one, which can be begun again. */
bool	dp_files_again(const struct dp_run *, int i);
/* Attaches the reader to the i-th operand, at its beginning; DP_EIO: errno. */
int	dp_files_begin(struct dp_run *, int i) DP_MUSTUSE;
/* After dp_files_begin(): back to the beginning, for the next one; DP_EIO: errno. */
int	dp_files_rewind(struct dp_run *, int i) DP_MUSTUSE;
void	dp_files_end(struct dp_run *, int i);
/* Reads all of a compressed file, for nothing but whether it is whole: exits if it is not. */
void	dp_files_try(struct dp_run *, int i);
/*
 * The reader's: the operand has been read to its end.  Exits if it was not read whole, or does not
 * hold any more what it held; no record of a last line without its newline is out yet.
 */
int	dp_files_ended(void *run);
/* Standard input, which was a pipe, has become a file of our own. */
void	dp_files_kept(struct dp_run *, int i);
/* Descriptor of a regular file. */
int	dp_files_fd(const struct dp_run *, int i);

#endif
