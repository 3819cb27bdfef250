/* Fills the caller's struct fs_error (which may be NULL). Each function returns the error code, so that a caller can
 * write `return fsi_fail_with_code(…)`. */
#ifndef FSI_BASE_ERROR_H
#define FSI_BASE_ERROR_H

#include "fs/base.h"

#include <stddef.h>

#ifdef __GNUC__
#define FSI_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define FSI_PRINTF(a, b)
#endif

/* Position in an input, for error messages. `file` is borrowed; line and column count from 1 (0: unknown). */
struct fsi_input_position {
	const char *file;
	uint64_t line;
	uint32_t column;
};

int fsi_fail_with_code(struct fs_error *err, enum fs_code code, const char *fmt, ...) FSI_PRINTF(3, 4);
int fsi_fail_at(struct fs_error *err, struct fsi_input_position where, const char *field, const char *fmt, ...)
	FSI_PRINTF(4, 5);
int fsi_fail_no_memory(struct fs_error *err);

/* Options structs of callers that may have been built with an older header. */

/* Copies the caller's options struct `given` to `own`, which has `size` bytes. The first member of both is the struct's
 * size_t size; a given size of 0 means `size`. Members beyond the given size are zero; if `given` is NULL, all members
 * are zero, except the size. A new member must begin at or after the old struct's sizeof, because padding at the end of
 * an older caller's struct has undefined contents. Returns own. */
void *fsi_copy_options(void *own, size_t size, const void *given);

/* Calls fsi_copy_options for the local variable `own`. */
#define FSI_OPTIONS(own, given) fsi_copy_options(&(own), sizeof(own), given)

/* Expands a public list of enumerators to their names, as elements of an array: { FS_FATES(FSI_NAME) }. */

#define FSI_NAME(tag, name) name,

#endif
