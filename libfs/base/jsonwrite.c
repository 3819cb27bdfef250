#include "base/num.h"
#include "base/text.h"
#include "fs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void flush(struct fs_json *j)
{
	if (!j->failed && j->len && j->write(j->ctx, j->buf, j->len))
		j->failed = true;
	j->len = 0;
}

static void put(struct fs_json *j, const char *s, size_t len)
{
	while (len) {
		const size_t room = sizeof(j->buf) - j->len, n = len < room ? len : room;

		memcpy(j->buf + j->len, s, n);
		j->len += n;
		s += n;
		len -= n;
		if (j->len == sizeof(j->buf))
			flush(j);
	}
}

static void put_str(struct fs_json *j, const char *s)
{
	put(j, s, strlen(s));
}

static void indent(struct fs_json *j)
{
	if (!j->pretty)
		return;
	put(j, "\n", 1);
	for (int i = 0; i < j->depth; i++)
		put(j, "  ", 2);
}

/* The comma and line break that stand before a value or a key. */
static void separate(struct fs_json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->need_comma)
		put(j, ",", 1);
	if (j->depth)
		indent(j);
	j->need_comma = true;
}

static void put_quoted(struct fs_json *j, const char *s)
{
	char esc[8];

	put(j, "\"", 1);
	while (*s) {
		const unsigned char c = (unsigned char)*s;
		const size_t n = fsi_utf8_len(s, strnlen(s, 4));

		if (c == '"' || c == '\\') {
			esc[0] = '\\';
			esc[1] = *s;
			put(j, esc, 2);
		} else if (c < 0x20 || c == 0x7f) {
			snprintf(esc, sizeof(esc), "\\u%04x", c);
			put_str(j, esc);
		} else if (n) {
			put(j, s, n);
		} else {
			put_str(j, "\xef\xbf\xbd");
		}
		s += n ? n : 1;
	}
	put(j, "\"", 1);
}

void fs_json_init(struct fs_json *j, fs_write_fn write, void *ctx, bool pretty)
{
	j->write = write;
	j->ctx = ctx;
	j->len = 0;
	j->depth = 0;
	j->pretty = pretty;
	j->failed = j->need_comma = j->after_key = false;
}

int fs_json_flush(struct fs_json *j)
{
	flush(j);
	return j->failed ? FS_EIO : 0;
}

void fs_json_newline(struct fs_json *j)
{
	put(j, "\n", 1);
	j->need_comma = false;
}

int fs_json_finish(struct fs_json *j)
{
	fs_json_newline(j);
	return fs_json_flush(j);
}

static void open_with(struct fs_json *j, const char *bracket)
{
	separate(j);
	put_str(j, bracket);
	j->depth++;
	j->need_comma = false;
}

static void close_with(struct fs_json *j, const char *bracket)
{
	j->depth--;
	if (j->need_comma)
		indent(j);
	put_str(j, bracket);
	j->need_comma = true;
}

void fs_json_object(struct fs_json *j)
{
	open_with(j, "{");
}

void fs_json_end_object(struct fs_json *j)
{
	close_with(j, "}");
}

void fs_json_array(struct fs_json *j)
{
	open_with(j, "[");
}

void fs_json_end_array(struct fs_json *j)
{
	close_with(j, "]");
}

void fs_json_key(struct fs_json *j, const char *key)
{
	separate(j);
	put_quoted(j, key);
	put(j, ": ", j->pretty ? 2 : 1);
	j->after_key = true;
}

void fs_json_string(struct fs_json *j, const char *s)
{
	separate(j);
	put_quoted(j, s);
}

void fs_json_bool(struct fs_json *j, bool v)
{
	separate(j);
	put_str(j, v ? "true" : "false");
}

void fs_json_null(struct fs_json *j)
{
	separate(j);
	put_str(j, "null");
}

void fs_json_i64(struct fs_json *j, int64_t v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRId64, v);
	separate(j);
	put_str(j, buf);
}

void fs_json_u64(struct fs_json *j, uint64_t v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%" PRIu64, v);
	separate(j);
	put_str(j, buf);
}

void fs_json_double(struct fs_json *j, double v)
{
	char buf[FSI_DOUBLE_TEXT];

	if (!isfinite(v)) {
		if (isnan(v))
			fs_json_null(j);
		else
			fs_json_string(j, v < 0 ? "-inf" : "inf");
		return;
	}
	fsi_format_double(buf, v);
	separate(j);
	put_str(j, buf);
}
