/* Functions that report an error in the caller's struct fs_error, and a function that copies options structs. The
 * pointer to the struct fs_error may be NULL. The error functions return the error code, so a caller can write
 * `return fsi_fail_with_code(…)`. */
#ifndef FSI_BASE_ERROR_H
#define FSI_BASE_ERROR_H

#include "fs/base.h"

#include <stddef.h>

#ifdef __GNUC__
#define FSI_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define FSI_PRINTF(a, b)
#endif

/* Position in an input, for error messages. `file` is borrowed; `line` and `column` are 1-based (0: unknown). */
struct fsi_input_position {
	const char *file;
	uint64_t line;
	uint32_t column;
};

int fsi_fail_with_code(struct fs_error *err, enum fs_code code, const char *fmt, ...) FSI_PRINTF(3, 4);
int fsi_fail_at(struct fs_error *err, struct fsi_input_position where, const char *field, const char *fmt, ...)
	FSI_PRINTF(4, 5);
int fsi_fail_no_memory(struct fs_error *err);

/* Options structs. The caller's struct may be shorter or longer than the library's, if the caller was compiled with
 * another version of the header. */

/* Copies the caller's options struct `given` to `own`, which has `size` bytes. Both structs begin with `size_t size`.
 * If this member is 0 in `given`, the function assumes that `given` has `size` bytes. Members of `own` beyond the size
 * of `given` are set to zero. If `given` is NULL, all members except the size are set to zero. Returns `own`.
 *
 * A new member of an options struct must begin at or after the old size of the struct, because the padding at the old
 * end has undefined contents. */
void *fsi_copy_options(void *own, size_t size, const void *given);

/* Calls fsi_copy_options for the local variable `own`. */
#define FSI_OPTIONS(own, given) fsi_copy_options(&(own), sizeof(own), given)

/* Argument for a public list macro such as FS_FATES. { FS_FATES(FSI_NAME) } is the initializer of an array with the
 * names of the enumerators. */

#define FSI_NAME(tag, name) name,

#endif
