#include "files/stream.h"

#include <stdio.h>

ptrdiff_t stream_read(void *stream, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, stream);

	return n || !ferror((FILE *)stream) ? (ptrdiff_t)n : -1;
}

int stream_write(void *stream, const void *data, size_t size)
{
	return fwrite(data, 1, size, stream) == size ? 0 : -1;
}
