/* Declarations shared by the whole public interface: version, error codes, I/O callbacks, sorting. */
#ifndef FS_BASE_H
#define FS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In C++, declarations between FS_BEGIN_DECLS and FS_END_DECLS have C linkage. */
#ifdef __cplusplus
#define FS_BEGIN_DECLS extern "C" {
#define FS_END_DECLS } /* closes FS_BEGIN_DECLS */
#else
#define FS_BEGIN_DECLS /* in C, this macro expands to nothing */
#define FS_END_DECLS /* in C, this macro expands to nothing */
#endif

/* Marks a function exported by the shared library. */
#if defined(__GNUC__)
#define FS_API __attribute__((visibility("default")))
#else
#define FS_API
#endif

FS_BEGIN_DECLS

/* Version of the headers, "major.minor.micro". */
#define FS_VERSION "0.2.0"

/* Returns the version of the linked library, which may differ from the version of the headers. */
FS_API const char *fs_version(void);

/* Return values of functions, also stored in struct fs_error: 0, or a negative number for the kind of failure. */
enum fs_code {
	FS_OK = 0,
	FS_ENOMEM = -1,
	FS_EIO = -2,    /* a read or write callback failed */
	FS_EDATA = -3,  /* the input is invalid; file, line and field of struct fs_error give the position */
	FS_EUSAGE = -4, /* the caller passed an unsupported value */
	FS_ENODATA = -5 /* the snapshot lacks data that the function needs */
};

/* Description of a failure: the reason, and the position in the input. The caller owns the struct. A failure with
 * FS_ENOMEM also sets `message`. */
struct fs_error {
	enum fs_code code; /* error code; FS_OK: the other members are undefined */
	uint32_t column; /* 1-based column in the input line; 0: unknown */
	uint64_t line; /* 1-based line of the input file; 0: unknown */
	char file[256]; /* name of the input file; "": unknown */
	char field[96]; /* invalid part: key in the input record, or name of the option; "": unknown */
	char message[320]; /* reason of the failure: a clause without a full stop, never empty */
};

/* Value of a time, count or amount that is not known. */
#define FS_UNKNOWN INT64_MIN
#define FS_UNLIMITED INT64_MAX /* value that means "no limit"; greater than every other value */

/* Initializer of an options struct: all members are zero except `size`. `size` shows the library which members the
 * struct had when the program was compiled. If `size` is 0, the library assumes that the struct has all members of the
 * library's own version. */
#ifdef __cplusplus
extern "C++" {
template <typename T> T fs_init()
{
	T options = T();

	options.size = sizeof(T);
	return options;
}
}
#define FS_INIT(type) fs_init<type>() /* initializer of an options struct, for use after `=` in its declaration */
#else
#define FS_INIT(type) { .size = sizeof(type) }
#endif

/* Offset of local time from UTC, valid from a given time on. */
struct fs_utc_offset {
	int64_t since; /* first time at which the offset is valid, seconds since the epoch */
	int32_t offset_s; /* local time minus UTC, seconds; east of Greenwich is positive */
};

/* Access to the rows of a result, which are numbered from 0. A function that returns a stored row returns a borrowed
 * pointer, or NULL past the end. A function that assembles a row on demand (priorities, queue and plan may have
 * millions of rows) fills the caller's struct, and returns false past the end. */

/* Row number that means "no such row, job or element". */
#define FS_NO_ROW UINT32_MAX

/* Formats *err as "file:line:column: field: message" without the unknown parts. Returns the length of the full text, as
 * snprintf does. */
FS_API size_t fs_error_format(const struct fs_error *err, char *buf, size_t size);

/* Reads up to `size` bytes into `buf`. Returns the number of bytes read, 0 at the end of the input, or a negative
 * number on failure. */
typedef ptrdiff_t (*fs_read_fn)(void *ctx, void *buf, size_t size);
/* Writes all `size` bytes. Returns 0, or a negative number on failure. */
typedef int (*fs_write_fn)(void *ctx, const void *data, size_t size);

/* Returns a negative number if `a` sorts before `b`, a positive number if `a` sorts after `b`, and 0 if they are equal.
 * `ctx` is the last argument of fs_sort. */
typedef int (*fs_compare_fn)(const void *a, const void *b, const void *ctx);
/* Sorts `n` elements of `size` bytes each in place. Equal elements keep their order, which qsort does not guarantee.
 * Returns 0 or FS_ENOMEM. */
FS_API int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx);

FS_END_DECLS

#endif
