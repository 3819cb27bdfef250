/* Text input: lines of a byte stream, time zones, UTF-8, and a buffer that grows. */
#ifndef FSI_BASE_TEXT_H
#define FSI_BASE_TEXT_H

#include "base/error.h"

#include <stddef.h>

/* Lines of a byte stream, one at a time, memory bounded by the longest line allowed; pieces of text. */

enum { FSI_LINE_MAX = 4 * 1024 * 1024 };

struct fsi_lines {
	fs_read_fn read;
	void *ctx;
	struct fsi_where where; /* of the line last returned */
	char *buf;
	size_t cap, start, end;
	int eof;
};

void fsi_lines_init(struct fsi_lines *l, fs_read_fn read, void *ctx, const char *name);

/* The next line without its newline, NUL-terminated, in *line / *len (borrowed until the next call).
 * Returns 1, 0 at the end, or a negative code: a read error, a line over FSI_LINE_MAX, no memory. */
int fsi_lines_next(struct fsi_lines *l, char **line, size_t *len, struct fs_error *err);

/* strcmp(a, b) == 0 for short texts that are mostly equal, as keys and names are: without a call. */
static inline bool fsi_same(const char *a, const char *b)
{
	for (; *a == *b; a++, b++)
		if (!*a)
			return true;
	return false;
}

static inline bool fsi_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ASCII letters alone have a case. */
static inline char fsi_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Are the len bytes at a the whole of b, in either case? */
bool fsi_same_any_case(const char *a, size_t len, const char *b);

/* Length of the valid UTF-8 sequence at s, which has n bytes; 0 if there is none. */
size_t fsi_utf8_len(const char *s, size_t n);

void fsi_lines_release(struct fsi_lines *l);

/* Bytes that grow at their end, with a NUL behind them that is not counted. All zero is empty; free(b.v). */

struct fsi_buf {
	char *v; /* NULL while nothing was added */
	size_t n, cap;
};

/* 0, or -1 without memory, which leaves the bytes as they were. */
int fsi_buf_add(struct fsi_buf *b, const void *data, size_t n);

/* Local time that changes: daylight saving, and whatever else a zone did. */

/* Offsets by rising `since`; the first holds before its own too. Local time minus UTC at t, in seconds. n > 0. */
int32_t fsi_zone_offset(const struct fs_utc_offset *v, size_t n, int64_t t);

/* Moments at which it is `local` there: 1, 2 where an hour comes twice, 0 where one is left out. *utc is the first one,
 * or what it would be had the clock not been put forward. */
unsigned fsi_zone_utc(const struct fs_utc_offset *v, size_t n, int64_t local, int64_t *utc);

/* "1792890000 3600": since when, and the offset. Writes at most FSI_ZONE_TEXT bytes. 0, or -1: it is no such text. */
enum { FSI_ZONE_TEXT = 40 };
void fsi_zone_format(const struct fs_utc_offset *o, char *buf);
int fsi_zone_parse(const char *s, size_t len, struct fs_utc_offset *out);

#endif
