#include "render/json.h"

#include "files/files.h"
#include "fs/job.h"
#include "fs/scenario.h"
#include "render/text.h"

#include <string.h>
#include <unistd.h>

/* Stores a character as the escape \uHHHH, or above U+FFFF as two such escapes (surrogate pair). Returns the number of
 * bytes stored. */
static size_t format_unicode_escape(char *out, uint32_t c)
{
	if (c < 0x10000)
		return (size_t)snprintf(out, JSON_STEP, "\\u%04x", c);
	c -= 0x10000;
	return (size_t)snprintf(out, JSON_STEP, "\\u%04x\\u%04x", 0xd800 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

size_t json_escape_next(const char **at, char out[JSON_STEP])
{
	const char *s = *at;
	uint32_t c;
	const size_t n = text_decode_character(s, &c);

	*at += n ? n : 1;
	if (!n)
		return format_unicode_escape(out, 0xfffd);
	if (c == '"' || c == '\\' || c == '/')
		return (size_t)snprintf(out, JSON_STEP, "\\%c", (char)c);
	if (c < 0x20 || c == 0x7f || (c >= 0x80 && text_is_invisible(c)))
		return format_unicode_escape(out, c);
	memcpy(out, s, n);
	return n;
}

/* Writes the UTF-8 character whose bytes are in o->part and empties o->part. */
static int write_buffered_character(struct json_out *o)
{
	const char *at = o->part;

	o->part[o->n] = '\0';
	o->n = 0;
	while (*at) {
		char step[JSON_STEP];
		const size_t n = json_escape_next(&at, step);

		if (stream_write_bytes(o->file, step, n))
			return -1;
	}
	return 0;
}

/* Returns the address of the next non-ASCII byte, or `end` if there is none. Checks eight bytes at a time, because
 * nearly all text is ASCII. */
static const char *find_ascii_end(const char *s, const char *end)
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

int json_write_escaped(void *ctx, const void *data, size_t size)
{
	struct json_out *o = ctx;
	const char *s = data, *end = s + size;

	while (s < end) {
		const char *from = s;

		s = find_ascii_end(s, end);
		if (o->n && (s > from || (*s & 0xc0) != 0x80 || o->n == 4) && write_buffered_character(o))
			return -1;
		if (s > from && stream_write_bytes(o->file, from, (size_t)(s - from)))
			return -1;
		if (s == from)
			o->part[o->n++] = *s++;
	}
	return 0;
}

void json_begin_object(struct fs_json *j, const char *key)
{
	fs_json_key(j, key);
	fs_json_object(j);
}

void json_begin_list(struct fs_json *j, const char *key)
{
	fs_json_key(j, key);
	fs_json_array(j);
}

void json_write_null(struct fs_json *j, const char *key)
{
	fs_json_key(j, key);
	fs_json_null(j);
}

void json_write_text(struct fs_json *j, const char *key, const char *value)
{
	fs_json_key(j, key);
	if (*value)
		fs_json_string(j, value);
	else
		fs_json_null(j);
}

void json_write_number(struct fs_json *j, const char *key, double value)
{
	fs_json_key(j, key);
	fs_json_double(j, value);
}

void json_write_whole(struct fs_json *j, const char *key, bool known, uint64_t value)
{
	fs_json_key(j, key);
	if (known)
		fs_json_u64(j, value);
	else
		fs_json_null(j);
}

void json_write_integer(struct fs_json *j, const char *key, int64_t value)
{
	fs_json_key(j, key);
	if (value == FS_UNKNOWN)
		fs_json_null(j);
	else if (value == FS_UNLIMITED)
		fs_json_string(j, "unlimited");
	else
		fs_json_i64(j, value);
}

void json_write_flag(struct fs_json *j, const char *key, bool value)
{
	fs_json_key(j, key);
	fs_json_bool(j, value);
}

/* only one JSON document is open on standard output at a time */
static struct json_out stdout_document;

int json_parse_option(const struct invocation *inv, const char *value, enum json_form *out)
{
	*out = value ? JSON_PRETTY : JSON_AS_FITS;
	if (!value || !strcmp(value, "pretty"))
		return -1;
	cmd_print_message(inv, "--json: unknown shape '%s'; known: pretty", value);
	return cmd_get_usage_status(inv);
}

void json_begin_plain_document(struct fs_json *j, const char *schema, enum json_form form)
{
	stdout_document = (struct json_out){ .file = stdout, .lines = form == JSON_LINES };
	fs_json_init(j, json_write_escaped, &stdout_document,
		     form == JSON_PRETTY || (form == JSON_AS_FITS && isatty(STDOUT_FILENO)));
	fs_json_object(j);
	json_write_text(j, "schema", schema);
}

static void write_what_if_commands(struct fs_json *j, const fs_snapshot *s)
{
	const char *command;

	if (!fs_snapshot_command(s, 0))
		return;
	json_begin_list(j, "if");
	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++)
		fs_json_string(j, command);
	fs_json_end_array(j);
}

void json_begin_changed_document(struct fs_json *j, const char *schema, const fs_snapshot *s,
				 const fs_snapshot *changed, enum json_form form)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	json_begin_plain_document(j, schema, form);
	json_begin_object(j, "snapshot");
	json_write_text(j, "cluster", info->cluster);
	json_write_text(j, "scheduler", info->scheduler);
	fs_json_key(j, "time");
	fs_json_i64(j, info->time);
	fs_json_key(j, "priority_time");
	if (info->priority_time_known)
		fs_json_i64(j, info->priority_time);
	else
		fs_json_null(j);
	json_write_text(j, "usage_source", info->usage_source);
	fs_json_end_object(j);
	write_what_if_commands(j, changed);
}

void json_begin_document(struct fs_json *j, const char *schema, const fs_snapshot *s, enum json_form form)
{
	json_begin_changed_document(j, schema, s, s, form);
}

void json_begin_rows(struct fs_json *j)
{
	if (stdout_document.lines) {
		fs_json_end_object(j);
		fs_json_newline(j);
		return;
	}
	json_begin_list(j, "rows");
}

void json_end_row(struct fs_json *j)
{
	if (stdout_document.lines)
		fs_json_newline(j);
}

void json_end_rows(struct fs_json *j)
{
	if (!stdout_document.lines)
		fs_json_end_array(j);
}

int json_end_document(struct fs_json *j)
{
	if (stdout_document.lines)
		return fs_json_flush(j) ? EXIT_FAILED : EXIT_DONE;
	fs_json_end_object(j);
	return fs_json_finish(j) ? EXIT_FAILED : EXIT_DONE;
}

void json_write_f58_id(struct fs_json *j, const fs_snapshot *s, uint64_t id)
{
	char text[FS_JOB_ID_TEXT];

	fs_job_id_format(s, id, false, text);
	if (text[strspn(text, "0123456789")])
		fs_json_string(j, text);
	else
		fs_json_null(j);
}
