/* Arrays that grow. */
#ifndef ROOM_H
#define ROOM_H

#include <stdlib.h>

/* v, which has n elements of `size` bytes and room for *room, with room for one more, which is twice as much where
 * there was none left. NULL: no memory; v is as it was. */
static inline void *room_for_one(void *v, size_t n, size_t *room, size_t size)
{
	const size_t more = *room ? 2 * *room : 32;
	void *grown = v;

	if (n == *room) {
		grown = realloc(v, more * size);
		*room = grown ? more : *room;
	}
	return grown;
}

#endif
