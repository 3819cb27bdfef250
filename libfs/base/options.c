#include "base/options.h"

#include <string.h>

void *fsi_options(void *own, size_t size, const void *given)
{
	size_t n = 0;

	memset(own, 0, size);
	if (given) {
		memcpy(&n, given, sizeof(n));
		memcpy(own, given, n && n < size ? n : size);
	}
	memcpy(own, &size, sizeof(size));
	return own;
}
