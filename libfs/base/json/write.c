/* JSON by pieces through a buffer of fixed size: memory does not grow with the document. Once a write fails nothing
 * more is written, and `failed` stays set. */
#include "base/json/write.h"

#include "base/bytes.h"
#include "base/num.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static void flush(struct fs_json *j)
{
	if (!j->failed && j->len && j->write(j->ctx, j->buf, j->len))
		j->failed = true;
	j->len = 0;
}

static void put_long(struct fs_json *j, const char *s, size_t len)
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

/* Most pieces are shorter than a call of memcpy is worth. */
static inline void put(struct fs_json *j, const char *s, size_t len)
{
	enum { SHORT = 16 };

	if (len > SHORT || len >= sizeof(j->buf) - j->len) {
		put_long(j, s, len);
		return;
	}
	for (size_t i = 0; i < len; i++)
		j->buf[j->len + i] = s[i];
	j->len += len;
}

static inline void put_char(struct fs_json *j, char c)
{
	if (j->len == sizeof(j->buf))
		flush(j);
	j->buf[j->len++] = c;
}

static void put_str(struct fs_json *j, const char *s)
{
	put(j, s, strlen(s));
}

static void indent(struct fs_json *j)
{
	static const char blanks[] = "\n                                ";
	const size_t max = (sizeof(blanks) - 2) / 2;
	size_t left = (size_t)j->depth;

	if (!j->pretty)
		return;
	put_long(j, blanks, 1 + 2 * (left < max ? left : max));
	for (; left > max; left--)
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
		put_char(j, ',');
	if (j->depth)
		indent(j);
	j->need_comma = true;
}

/* ASCII that stands for itself in a string. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The character at s, which is not plain; returns how many bytes it has. */
static size_t put_odd(struct fs_json *j, const char *s)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char c = (unsigned char)*s;
	const char quoted[] = { '\\', *s }, code[] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
	size_t n = 1;

	if (c == '"' || c == '\\') {
		put(j, quoted, sizeof(quoted));
	} else if (c < 0x80) {
		put(j, code, sizeof(code));
	} else {
		n = fsi_utf8_len(s, strnlen(s, 4));
		put(j, n ? s : "\xef\xbf\xbd", n ? n : 3);
	}
	return n ? n : 1;
}

/* Is one of the eight bytes not plain? The top bit is then set in the first of them at least. */
static bool has_odd(uint64_t w)
{
	const uint64_t each = 0x0101010101010101u, quote = w ^ each * '"', escape = w ^ each * '\\',
		       del = w ^ each * 0x7f;

	return (w | (w - each * 0x20) | (quote - each) | (escape - each) | (del - each)) & each * 0x80;
}

/* As far as the text is plain, eight bytes a step; how much of it that was. The last step takes the last eight bytes,
 * some of them perhaps again. */
static size_t copy_plain(char *to, const char *s, size_t len)
{
	size_t n = 0;

	while (len >= 8 && n < len) {
		const size_t at = len - n < 8 ? len - 8 : n;
		const uint64_t w = fsi_word_at(s + at);

		if (has_odd(w))
			break;
		memcpy(to + at, &w, sizeof(w));
		n = at + 8;
	}
	for (; n < len && is_plain((unsigned char)s[n]); n++)
		to[n] = s[n];
	return n;
}

static void put_quoted_part(struct fs_json *j, const char *s, size_t left)
{
	put_char(j, '"');
	while (left) {
		const size_t room = sizeof(j->buf) - j->len;
		size_t n = copy_plain(j->buf + j->len, s, left < room ? left : room);

		j->len += n;
		if (n < left && j->len == sizeof(j->buf))
			flush(j);
		else if (n < left)
			n += put_odd(j, s + n);
		s += n;
		left -= n;
	}
	put_char(j, '"');
}

/* Nearly every text is plain, and there is room for it. */
static void put_quoted(struct fs_json *j, const char *s)
{
	const size_t len = strlen(s);
	char *to = j->buf + j->len;

	if (len + 2 > sizeof(j->buf) - j->len || copy_plain(to + 1, s, len) != len) {
		put_quoted_part(j, s, len);
		return;
	}
	to[0] = to[len + 1] = '"';
	j->len += len + 2;
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
	put_char(j, '\n');
	j->need_comma = false;
}

int fs_json_finish(struct fs_json *j)
{
	fs_json_newline(j);
	return fs_json_flush(j);
}

static void open_with(struct fs_json *j, char bracket)
{
	separate(j);
	put_char(j, bracket);
	j->depth++;
	j->need_comma = false;
}

static void close_with(struct fs_json *j, char bracket)
{
	j->depth--;
	if (j->need_comma)
		indent(j);
	put_char(j, bracket);
	j->need_comma = true;
}

void fs_json_object(struct fs_json *j)
{
	open_with(j, '{');
}

void fs_json_end_object(struct fs_json *j)
{
	close_with(j, '}');
}

void fs_json_array(struct fs_json *j)
{
	open_with(j, '[');
}

void fs_json_end_array(struct fs_json *j)
{
	close_with(j, ']');
}

void fs_json_key(struct fs_json *j, const char *key)
{
	separate(j);
	put_quoted(j, key);
	put_char(j, ':');
	if (j->pretty)
		put_char(j, ' ');
	j->after_key = true;
}

void fsi_json_plain_key(struct fs_json *j, const char *key)
{
	const size_t len = strlen(key);
	char *to = j->buf + j->len;

	if (j->pretty || len + sizeof(",\"\":") > sizeof(j->buf) - j->len) {
		fs_json_key(j, key);
		return;
	}
	if (j->need_comma)
		*to++ = ',';
	*to++ = '"';
	memcpy(to, key, len);
	to[len] = '"';
	to[len + 1] = ':';
	j->len = (size_t)(to + len + 2 - j->buf);
	j->need_comma = j->after_key = true;
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

/* Where the text of a number may be written: as many bytes as the longest has. */
static char *room_for_number(struct fs_json *j)
{
	separate(j);
	if (sizeof(j->buf) - j->len < FSI_DOUBLE_TEXT)
		flush(j);
	return j->buf + j->len;
}

void fs_json_i64(struct fs_json *j, int64_t v)
{
	j->len += (size_t)fsi_format_i64(room_for_number(j), v);
}

void fs_json_u64(struct fs_json *j, uint64_t v)
{
	j->len += (size_t)fsi_format_u64(room_for_number(j), v);
}

void fs_json_double(struct fs_json *j, double v)
{
	if (isnan(v))
		fs_json_null(j);
	else if (isinf(v))
		fs_json_string(j, v < 0 ? "-inf" : "inf");
	else
		j->len += (size_t)fsi_format_double(room_for_number(j), v);
}
