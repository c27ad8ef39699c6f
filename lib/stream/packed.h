/*
 * packed.h - compressed files and archives, by their names: what a name says is public, while the
 * first bytes of a file may be somebody's record.
 */
#ifndef DP_PACKED_H
#define DP_PACKED_H

#include <stddef.h>

/*
 * Program that writes what such a file holds, if it is called with -dc and the file as its standard
 * input; NULL: the name is not that of a compressed file.  stem: length of the name without the
 * suffix; all of it.
 */
const char *dp_packed_by(const char *name, size_t *stem);
/*
 * Command that writes what the files in such an archive hold, before the archive's name; NULL: the
 * name is not that of an archive.
 */
const char *dp_archived_by(const char *name);

#endif
