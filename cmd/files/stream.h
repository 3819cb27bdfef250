/* The library's callbacks for stdio streams. */
#ifndef FILES_STREAM_H
#define FILES_STREAM_H

#include <stddef.h>

/* stream: a FILE. Bytes read, 0 at the end, -1 on error. */
ptrdiff_t stream_read(void *stream, void *buf, size_t size);

/* 0, or -1 on error. */
int stream_write(void *stream, const void *data, size_t size);

#endif
