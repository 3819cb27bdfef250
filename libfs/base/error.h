/* Filling the caller's struct fs_error. Each returns the code, so that failing is one line. */
#ifndef FSI_ERROR_H
#define FSI_ERROR_H

#include "fs.h"

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
int fsi_fail_at(struct fs_error *err, struct fsi_where where, const char *field, const char *fmt,
		...) FSI_PRINTF(4, 5);
int fsi_nomem(struct fs_error *err);

#endif
