/* Where what a command makes goes: what is no file is written straight, a file as a whole or not at all. */
#ifndef FILES_SAVE_H
#define FILES_SAVE_H

#include "cmd.h"

/* Writes `what` to the stream: 0, or an error. */
typedef int (*save_put_fn)(const void *what, FILE *to, struct fs_error *err);

/* To output, "-" being standard output; a link goes on leading to where it led. mode: permissions of a new file. The
 * exit status (reported). */
int save(const struct invocation *inv, save_put_fn put, const void *what, const char *output, unsigned mode);

/* To a regular file, in the place of what has that name. */
int save_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output, unsigned mode);

#endif
