#define _DEFAULT_SOURCE /* madvise, sbrk, mallopt */
#include "cmd.h"

#include <features.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
enum { LARGE = 2 << 20, ROOM = 8 * LARGE, BEYOND_TOP = 256 * 1024 };

/* The heap grows by ROOM, and goes on where a large page begins; what is before that is not used. A page that is
 * touched before it is asked for does not become large. */
void memory_expect_snapshot(void)
{
	static void *volatile unused; /* or the compiler would do without it */
	char *top, *end;

	if (unused)
		return;
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 2 * LARGE);
	mallopt(M_TRIM_THRESHOLD, 4 * ROOM);
	mallopt(M_TOP_PAD, ROOM);
	unused = malloc(BEYOND_TOP);
	mallopt(M_TOP_PAD, LARGE);
	top = unused;
	end = sbrk(0);
	if (!top || top > end || end - top < ROOM)
		return;
	const size_t ahead = BEYOND_TOP + LARGE - ((uintptr_t)top + BEYOND_TOP) % LARGE;

	madvise(top + ahead, ((size_t)(end - top) - ahead) / LARGE * LARGE, MADV_HUGEPAGE);
	free(unused);
	unused = malloc(ahead);
}
#else
void memory_expect_snapshot(void)
{
}
#endif
