#include "render/json.h"

#include "cmd.h"
#include "render/json_safe.h"

#include <math.h>
#include <string.h>

void json_text(struct fs_json *j, const char *key, const char *value)
{
	fs_json_key(j, key);
	if (*value)
		fs_json_string(j, value);
	else
		fs_json_null(j);
}

void json_number(struct fs_json *j, const char *key, double value)
{
	fs_json_key(j, key);
	fs_json_double(j, value);
}

void json_whole(struct fs_json *j, const char *key, bool known, uint64_t value)
{
	fs_json_key(j, key);
	if (known)
		fs_json_u64(j, value);
	else
		fs_json_null(j);
}

void json_integer(struct fs_json *j, const char *key, int64_t value)
{
	fs_json_key(j, key);
	if (value == FS_UNKNOWN)
		fs_json_null(j);
	else if (value == FS_UNLIMITED)
		fs_json_double(j, INFINITY);
	else
		fs_json_i64(j, value);
}

void json_flag(struct fs_json *j, const char *key, bool value)
{
	fs_json_key(j, key);
	fs_json_bool(j, value);
}

/* There is one document on it at a time. */
static struct json_out standard_output;

void json_begin(struct fs_json *j, const char *schema, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	standard_output = (struct json_out){ .file = stdout };
	fs_json_init(j, json_write, &standard_output, true);
	fs_json_object(j);
	json_text(j, "schema", schema);
	fs_json_key(j, "snapshot");
	fs_json_object(j);
	json_text(j, "cluster", info->cluster);
	json_text(j, "scheduler", info->scheduler);
	fs_json_key(j, "time");
	fs_json_i64(j, info->time);
	fs_json_key(j, "priority_time");
	if (info->priority_time_known)
		fs_json_i64(j, info->priority_time);
	else
		fs_json_null(j);
	json_text(j, "usage_source", info->usage_source);
	fs_json_end_object(j);
}

int json_end(struct fs_json *j)
{
	fs_json_end_object(j);
	return fs_json_finish(j) ? EXIT_FAILED : EXIT_DONE;
}

void json_f58(struct fs_json *j, const fs_snapshot *s, uint64_t id)
{
	char text[FS_JOB_ID_TEXT];

	fs_job_id_format(text, s, id, false);
	json_text(j, "f58", text[strspn(text, "0123456789")] ? text : "");
}
