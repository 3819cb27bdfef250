/* Filling the caller's struct fs_error. Each returns the code, so that failing is one line. */
#ifndef FSI_BASE_ERROR_H
#define FSI_BASE_ERROR_H

#include "fs/base.h"

#include <stddef.h>

#ifdef __GNUC__
#define FSI_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define FSI_PRINTF(a, b)
#endif

/* Where in an input the reader stands; file is borrowed, line and column count from 1 (0: unknown). */
struct fsi_where {
	const char *file;
	uint64_t line;
	uint32_t column;
};

int fsi_fail(struct fs_error *err, enum fs_code code, const char *fmt, ...) FSI_PRINTF(3, 4);
int fsi_fail_at(struct fs_error *err, struct fsi_where where, const char *field, const char *fmt, ...) FSI_PRINTF(4, 5);
int fsi_nomem(struct fs_error *err);

/* Options of a caller that may have been built with an older header. */

/* Fills own, of `size` bytes, from the caller's struct, whose first member is its size_t size: what that is too short
 * for, and all of it where given is NULL, is zero. A size of 0 is that of own. New members begin
 * at the old size: padding at the end may hold anything. Returns own. */
void *fsi_options(void *own, size_t size, const void *given);

/* The same for a local variable of the function that is called. */
#define FSI_OPTIONS(own, given) fsi_options(&(own), sizeof(own), given)

/* The words of a public list of enumerators, as the elements of an array: { FS_FATES(FSI_NAME) }. */

#define FSI_NAME(tag, name) name,

#endif
