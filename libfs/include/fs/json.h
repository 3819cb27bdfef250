/* A streaming writer of JSON. */
#ifndef FS_JSON_H
#define FS_JSON_H

#include <fs/base.h>

FS_BEGIN_DECLS

/* Streaming writer: 64-bit integers exact, doubles shortest round-trip, NAN as null, infinity as the
 * string "inf", bytes that are not UTF-8 as U+FFFD. Members are private. */
struct fs_json {
	fs_write_fn write; /* takes the bytes */
	void *ctx; /* its first argument */
	size_t len; /* bytes of buf not written yet */
	int depth; /* of open objects and arrays */
	bool pretty, failed, need_comma, after_key; /* state of the line */
	char buf[4096]; /* bytes on their way */
};

FS_API void fs_json_init(struct fs_json *j, fs_write_fn write, void *ctx, bool pretty); /* pretty: a member a line */
FS_API int fs_json_finish(struct fs_json *j);   /* newline, then flush */
FS_API void fs_json_newline(struct fs_json *j); /* between the documents of a JSON Lines file */
FS_API int fs_json_flush(struct fs_json *j);   /* FS_EIO if any write failed */
FS_API void fs_json_object(struct fs_json *j); /* begins { */
FS_API void fs_json_end_object(struct fs_json *j); /* ends the last one begun */
FS_API void fs_json_array(struct fs_json *j); /* begins [ */
FS_API void fs_json_end_array(struct fs_json *j); /* ends the last one begun */
FS_API void fs_json_key(struct fs_json *j, const char *key); /* of the member whose value comes next */
FS_API void fs_json_string(struct fs_json *j, const char *s); /* never NULL */
FS_API void fs_json_bool(struct fs_json *j, bool v); /* true or false */
FS_API void fs_json_null(struct fs_json *j); /* null */
FS_API void fs_json_i64(struct fs_json *j, int64_t v); /* all digits */
FS_API void fs_json_u64(struct fs_json *j, uint64_t v); /* all digits */
FS_API void fs_json_double(struct fs_json *j, double v); /* the fewest digits that read back as v */

FS_END_DECLS

#endif
