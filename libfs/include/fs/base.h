/* Codes, errors, bytes in and out, sorting: what all parts of the interface share. */
#ifndef FS_BASE_H
#define FS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is declared between these two is C for C++, too. */
#ifdef __cplusplus
#define FS_BEGIN_DECLS extern "C" {
#define FS_END_DECLS } /* of FS_BEGIN_DECLS */
#else
#define FS_BEGIN_DECLS /* nothing to say */
#define FS_END_DECLS /* likewise */
#endif

/* Seen from outside the shared library. */
#if defined(__GNUC__)
#define FS_API __attribute__((visibility("default")))
#else
#define FS_API
#endif

FS_BEGIN_DECLS

/* The version of these headers: major.minor.micro, text. */
#define FS_VERSION "0.2.0"

/* The version of the library that is linked, which may be another one than the headers'. */
FS_API const char *fs_version(void);

/* What functions return, and struct fs_error holds: 0, or negative and the reason. */
enum fs_code {
	FS_OK = 0,
	FS_ENOMEM = -1,
	FS_EIO = -2,    /* a read or write callback failed */
	FS_EDATA = -3,  /* the input is not valid: file, line and field say where */
	FS_EUSAGE = -4, /* an option has no such value */
	FS_ENODATA = -5 /* the snapshot does not hold what this needs */
};

/* The caller's own error: what went wrong, and where in which input. FS_ENOMEM has its message too. */
struct fs_error {
	enum fs_code code; /* FS_OK: the rest says nothing */
	uint32_t column; /* from 1; 0 unknown, like line */
	uint64_t line; /* of the file, from 1 */
	char file[256]; /* name of the input; "" unknown, like field */
	char field[96]; /* key of the record or option */
	char message[320]; /* a clause without a full stop, never empty */
};

/* A time, count or amount that is not known, and one without a limit. */
#define FS_UNKNOWN INT64_MIN
#define FS_UNLIMITED INT64_MAX /* there is no limit; greater than every amount */

/* Initialises a struct of options: everything zero but its size, by which a later library knows the members that the
 * program was built with. Options that are zero altogether are of the library's own size. */
#ifdef __cplusplus
extern "C++" {
template <typename T> T fs_init()
{
	T options = T();

	options.size = sizeof(T);
	return options;
}
}
#define FS_INIT(type) fs_init<type>() /* what stands behind = */
#else
#define FS_INIT(type) { .size = sizeof(type) }
#endif

/* Local time minus UTC from a moment on. */
struct fs_utc_offset {
	int64_t since; /* seconds since 1970 */
	int32_t offset_s; /* east of Greenwich positive */
};

/* Rows of a result, by their number from 0: a row that the result holds is returned, borrowed from it, and NULL past
 * the end; one that is put together when it is asked for (of priorities, queue and plan, which may have millions) is
 * filled into the caller's own, and false past the end. */

/* No such row, job or element, where one is given by its number. */
#define FS_NO_ROW UINT32_MAX

/* "file:line:column: field: message" as far as known; like snprintf, the length it would need. */
FS_API size_t fs_error_format(const struct fs_error *err, char *buf, size_t size);

/* Reads at most size bytes. Returns how many, 0 at the end, or a negative number when it failed. */
typedef ptrdiff_t (*fs_read_fn)(void *ctx, void *buf, size_t size);
/* Writes all size bytes. Returns 0, or a negative number when it failed. */
typedef int (*fs_write_fn)(void *ctx, const void *data, size_t size);

/* Negative if a belongs before b, positive if behind it, 0 if they are equal; ctx is that of fs_sort. */
typedef int (*fs_compare_fn)(const void *a, const void *b, const void *ctx);
/* Sorts n elements of size bytes each in place, equal ones in the order they had, as the tables of the schedulers want
 * it and C's own does not. Returns 0 or FS_ENOMEM. */
FS_API int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx);

FS_END_DECLS

#endif
