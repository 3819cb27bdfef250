/* Text input: lines of a byte stream, comparison without regard to case, UTF-8, a growing byte buffer, and UTC offsets
 * of a time zone. Functions that return int return 0 or a negative error code unless stated otherwise. */
#ifndef FSI_BASE_TEXT_H
#define FSI_BASE_TEXT_H

#include "base/error.h"

#include <stddef.h>

/* Reader that splits a byte stream into lines. Its memory is bounded by the longest permitted line. */

enum { FSI_LINE_MAX = 4 * 1024 * 1024 };

struct fsi_lines {
	fs_read_fn read;
	void *ctx;
	struct fsi_input_position where; /* position of the line returned last */
	char *buf;
	size_t cap, start, end;
	int eof;
};

void fsi_lines_init_reader(struct fsi_lines *l, fs_read_fn read, void *ctx, const char *name);

/* Sets *line and *len to the next line without its newline, NUL-terminated and borrowed until the next call. Returns 1
 * if there is a line, and 0 at the end of the stream. Returns a negative code on a read error, if the line is longer
 * than FSI_LINE_MAX, or if out of memory. */
int fsi_lines_read_next(struct fsi_lines *l, char **line, size_t *len, struct fs_error *err);

/* Returns true if strings `a` and `b` are equal. Inline, because keys and names are short, so a function call would
 * take longer. */
static inline bool fsi_is_same_text(const char *a, const char *b)
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

/* Converts an ASCII letter to lower case; other bytes are returned unchanged. */
static inline char fsi_char_to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns true if the `len` bytes at `a` equal the string `b`. The case of ASCII letters is ignored. */
bool fsi_is_same_ignoring_case(const char *a, size_t len, const char *b);

/* Returns the length of the valid UTF-8 sequence at `s`; 0 if the sequence is invalid. At most `n` bytes at `s` are
 * read. */
size_t fsi_utf8_sequence_length(const char *s, size_t n);

void fsi_lines_release(struct fsi_lines *l);

/* Growing byte buffer. The bytes are followed by a NUL, which `n` does not count. A zeroed struct is empty. The caller
 * frees `v`. */

struct fsi_buf {
	char *v; /* NULL until bytes have been added */
	size_t n, cap;
};

/* Appends n bytes. Returns 0, or -1 if out of memory; the buffer is then unchanged. */
int fsi_buf_append_bytes(struct fsi_buf *b, const void *data, size_t n);

/* Local time of a zone whose UTC offset changes, for example with daylight saving time. */

/* Returns local time minus UTC at time t, in seconds. There are `n` > 0 offsets, sorted by `since`. The first offset
 * also applies to times before its `since`. */
int32_t fsi_zone_get_offset(const struct fs_utc_offset *v, size_t n, int64_t t);

/* Converts local time to UTC. Returns the number of UTC times with this local time: usually 1; 2 in an hour that occurs
 * twice; 0 in an hour that the clock skips. Sets *utc to the first such UTC time; if there is none, to the time
 * computed with the offset before the clock change. */
unsigned fsi_zone_local_to_utc(const struct fs_utc_offset *v, size_t n, int64_t local, int64_t *utc);

/* A UTC offset as text: the time from which the offset applies (`since`), and the offset in seconds, for example
 * "1792890000 3600". fsi_zone_format_offset writes at most FSI_ZONE_TEXT bytes. fsi_zone_parse_offset returns 0, or -1
 * if the text has another form. */
enum { FSI_ZONE_TEXT = 40 };
void fsi_zone_format_offset(const struct fs_utc_offset *o, char *buf);
int fsi_zone_parse_offset(const char *s, size_t len, struct fs_utc_offset *out);

#endif
