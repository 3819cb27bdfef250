/* Loaded into the program under test: the n-th allocation fails, including those of cJSON, curses and the C library. */
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct fault_shared *shared;
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

/* The memory that dlsym allocates while it looks up the real allocation functions is in this buffer. */
static _Alignas(max_align_t) char early[4096];
static size_t early_used;

/* Greater than 0 while a function of glibc's name service runs. Allocations in these functions never fail, because the
 * name service of glibc 2.36 crashes if out of memory. */
static _Thread_local int spared;

static void *early_alloc(size_t size)
{
	void *p = early + early_used;

	early_used += (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	return early_used <= sizeof(early) ? p : NULL;
}

static int is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static int fails(void)
{
	unsigned long n;

	if (!shared || spared || getpid() != shared->owner)
		return 0;
	n = __atomic_add_fetch(&shared->calls, 1, __ATOMIC_SEQ_CST);
	if (!shared->at || n < shared->at || n - shared->at >= shared->many)
		return 0;
	__atomic_add_fetch(&shared->failed, 1, __ATOMIC_SEQ_CST);
	errno = ENOMEM;
	return 1;
}

static void find(void)
{
	*(void **)&next_free = dlsym(RTLD_NEXT, "free");
	*(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
}

__attribute__((constructor)) static void begin(void)
{
	void *p = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, FAULT_FD, 0);

	if (!next_malloc)
		find();
	if (p == MAP_FAILED)
		return;
	shared = p;
	if (!shared->owner)
		shared->owner = getpid();
	if (shared->owner == getpid())
		prctl(FAULT_MARK, 0, 0, 0, 0);
}

struct passwd *getpwnam(const char *name)
{
	struct passwd *(*next)(const char *);
	struct passwd *p;

	*(void **)&next = dlsym(RTLD_NEXT, "getpwnam");
	spared++;
	p = next(name);
	spared--;
	return p;
}

struct passwd *getpwuid(uid_t uid)
{
	struct passwd *(*next)(uid_t);
	struct passwd *p;

	*(void **)&next = dlsym(RTLD_NEXT, "getpwuid");
	spared++;
	p = next(uid);
	spared--;
	return p;
}

struct group *getgrgid(gid_t gid)
{
	struct group *(*next)(gid_t);
	struct group *g;

	*(void **)&next = dlsym(RTLD_NEXT, "getgrgid");
	spared++;
	g = next(gid);
	spared--;
	return g;
}

void *malloc(size_t size)
{
	if (!next_malloc)
		return early_alloc(size);
	return fails() ? NULL : next_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	if (!next_calloc)
		return early_alloc(n * size);
	return fails() ? NULL : next_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	if (!next_realloc || is_early(p))
		return memcpy(malloc(size), p, p ? size : 0);
	return fails() ? NULL : next_realloc(p, size);
}

void free(void *p)
{
	if (!is_early(p) && next_free)
		next_free(p);
}
