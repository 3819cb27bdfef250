#include "base/text.h"

#include "base/num.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_CHUNK_BYTES = 256 * 1024 };

bool fsi_is_same_ignoring_case(const char *a, size_t len, const char *b)
{
	for (size_t i = 0; i < len; i++, b++)
		if (!*b || fsi_char_to_lower(a[i]) != fsi_char_to_lower(*b))
			return false;
	return !*b;
}

void fsi_lines_init_reader(struct fsi_lines *l, fs_read_fn read, void *ctx, const char *name)
{
	memset(l, 0, sizeof(*l));
	l->read = read;
	l->ctx = ctx;
	l->where.file = name;
}

static int report_read_error(const struct fsi_lines *l, struct fs_error *err)
{
	return fsi_fail_with_code(err, FS_EIO, "%s: read error", l->where.file);
}

/* Moves the unread bytes to the front of the buffer and reads further bytes of the stream after them. Always leaves one
 * byte for a terminating NUL. */
static int fill_line_buffer(struct fsi_lines *l, struct fs_error *err)
{
	const size_t left = l->end - l->start;
	ptrdiff_t n;

	if (left > FSI_LINE_MAX)
		return fsi_fail_at(err, l->where, NULL, "the line is longer than %d bytes", FSI_LINE_MAX);
	if (l->start && left)
		memmove(l->buf, l->buf + l->start, left);
	l->start = 0;
	l->end = left;
	if (l->cap - l->end <= READ_CHUNK_BYTES) {
		const size_t cap = l->cap ? l->cap * 2 : 2 * READ_CHUNK_BYTES;
		char *p = realloc(l->buf, cap);

		if (!p)
			return fsi_fail_no_memory(err);
		l->buf = p;
		l->cap = cap;
	}
	n = l->read(l->ctx, l->buf + l->end, READ_CHUNK_BYTES);
	if (n < 0)
		return report_read_error(l, err);
	l->eof = n == 0;
	l->end += (size_t)n;
	return 0;
}

int fsi_lines_read_next(struct fsi_lines *l, char **line, size_t *len, struct fs_error *err)
{
	size_t seen = 0;

	l->where.line++;
	for (;;) {
		char *s = l->buf ? l->buf + l->start : NULL;
		const size_t have = l->end - l->start;
		char *nl = have > seen ? memchr(s + seen, '\n', have - seen) : NULL;

		if (nl || (l->eof && have)) {
			*line = s;
			*len = nl ? (size_t)(nl - s) : have;
			s[*len] = '\0';
			l->start += *len + (nl != NULL);
			if (*len > FSI_LINE_MAX)
				return fsi_fail_at(err, l->where, NULL, "the line is longer than %d bytes", FSI_LINE_MAX);
			return 1;
		}
		if (l->eof)
			return 0;
		seen = have;
		const int rc = fill_line_buffer(l, err);
		if (rc)
			return rc;
	}
}

size_t fsi_utf8_sequence_length(const char *s, size_t n)
{
	static const unsigned min[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char lead = n ? (unsigned char)*s : 0xff;
	const size_t len = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	unsigned c = lead;

	if (len == 1)
		return 1;
	if (lead < 0xc2 || lead > 0xf4 || n < len)
		return 0;
	c &= 0x7fu >> len;
	for (size_t i = 1; i < len; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	return c < min[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : len;
}

void fsi_lines_release(struct fsi_lines *l)
{
	free(l->buf);
	l->buf = NULL;
}

int fsi_buf_append_bytes(struct fsi_buf *b, const void *data, size_t n)
{
	if (n >= b->cap - b->n) {
		const size_t want = b->n + n + 1;
		char *v = want > n && want <= SIZE_MAX / 2 ? realloc(b->v, 2 * want) : NULL;

		if (!v)
			return -1;
		b->v = v;
		b->cap = 2 * want;
	}
	if (n)
		memcpy(b->v + b->n, data, n);
	b->n += n;
	b->v[b->n] = '\0';
	return 0;
}

int32_t fsi_zone_get_offset(const struct fs_utc_offset *v, size_t n, int64_t t)
{
	size_t k = 0;

	while (k + 1 < n && v[k + 1].since <= t)
		k++;
	return v[k].offset_s;
}

unsigned fsi_zone_local_to_utc(const struct fs_utc_offset *v, size_t n, int64_t local, int64_t *utc)
{
	unsigned matches = 0;

	for (size_t k = 0; k < n; k++) {
		const int64_t t = local - v[k].offset_s;
		const bool began = !k || v[k].since <= t, over = k + 1 < n && v[k + 1].since <= t;

		if (began && !matches)
			*utc = t;
		matches += began && !over;
		if (began && !over && matches == 1)
			*utc = t;
	}
	return matches;
}

void fsi_zone_format_offset(const struct fs_utc_offset *o, char *buf)
{
	snprintf(buf, FSI_ZONE_TEXT, "%" PRId64 " %" PRId32, o->since, o->offset_s);
}

int fsi_zone_parse_offset(const char *s, size_t len, struct fs_utc_offset *out)
{
	const char *blank = memchr(s, ' ', len);
	int64_t offset;

	if (!blank || fsi_parse_i64(s, (size_t)(blank - s), &out->since) ||
	    fsi_parse_i64(blank + 1, len - (size_t)(blank + 1 - s), &offset) || offset < -86400 || offset > 86400)
		return -1;
	out->offset_s = (int32_t)offset;
	return 0;
}
