/* Bytes that grow at their end, with a NUL behind them that is not counted. All zero is empty; free(b.v). */
#ifndef FSI_BASE_MEMORY_BUF_H
#define FSI_BASE_MEMORY_BUF_H

#include <stddef.h>

struct fsi_buf {
	char *v; /* NULL while nothing was added */
	size_t n, cap;
};

/* 0, or -1 without memory, which leaves the bytes as they were. */
int fsi_buf_add(struct fsi_buf *b, const void *data, size_t n);

#endif
