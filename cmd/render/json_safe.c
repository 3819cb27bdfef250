/* Text in JSON: what a terminal must not see is written as \\u, which reads back as the same text. */
#include "render/json_safe.h"

#include "files/stream.h"
#include "render/text.h"

#include <string.h>

static size_t put_escape(char *out, uint32_t c)
{
	if (c < 0x10000)
		return (size_t)snprintf(out, JSON_STEP, "\\u%04x", c);
	c -= 0x10000;
	return (size_t)snprintf(out, JSON_STEP, "\\u%04x\\u%04x", 0xd800 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

size_t json_step(const char **at, char out[JSON_STEP])
{
	const char *s = *at;
	uint32_t c;
	const size_t n = text_character(s, &c);

	*at += n ? n : 1;
	if (!n)
		return put_escape(out, 0xfffd);
	if (c == '"' || c == '\\' || c == '/')
		return (size_t)snprintf(out, JSON_STEP, "\\%c", (char)c);
	if (c < 0x20 || c == 0x7f || (c >= 0x80 && text_unseen(c)))
		return put_escape(out, c);
	memcpy(out, s, n);
	return n;
}

/* Writes the character beyond ASCII that is now complete. */
static int write_part(struct json_out *o)
{
	const char *at = o->part;

	o->part[o->n] = '\0';
	o->n = 0;
	while (*at) {
		char step[JSON_STEP];
		const size_t n = json_step(&at, step);

		if (stream_write(o->file, step, n))
			return -1;
	}
	return 0;
}

/* Where the next byte beyond ASCII stands, or the end: eight bytes at a time, since nearly all are ASCII. */
static const char *ascii_end(const char *s, const char *end)
{
	for (; end - s >= 8; s += 8) {
		uint64_t word;

		memcpy(&word, s, sizeof(word));
		if (word & 0x8080808080808080u)
			break;
	}
	while (s < end && !(*s & 0x80))
		s++;
	return s;
}

int json_write(void *ctx, const void *data, size_t size)
{
	struct json_out *o = ctx;
	const char *s = data, *end = s + size;

	while (s < end) {
		const char *from = s;

		s = ascii_end(s, end);
		if (o->n && (s > from || (*s & 0xc0) != 0x80 || o->n == 4) && write_part(o))
			return -1;
		if (s > from && stream_write(o->file, from, (size_t)(s - from)))
			return -1;
		if (s == from)
			o->part[o->n++] = *s++;
	}
	return 0;
}
