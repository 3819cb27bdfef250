/* The index beside a snapshot: FILE.fsx. */
#ifndef INPUT_INDEX_H
#define INPUT_INDEX_H

#include "cmd.h"

#include <sys/stat.h>

enum { INDEX_WHY = 320 };

/* The snapshot in file, open as stream, by its index if there is one that can be trusted: it is the file's owner's,
 * only the owner may write to it, and it is of the file as it is now. 0, or -1 and why not, "" where there is none. */
int index_open(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY]);

/* FILE.fsx: yours to free, NULL without memory. */
char *index_name(const char *file);

/* Fills in what ties an index to the file, and the file's state; -1 if such a file cannot have an index. */
int index_key(FILE *stream, struct fs_index_key *key, struct stat *st);

#endif
