/* Streaming JSON writer. */
#ifndef FS_JSON_H
#define FS_JSON_H

#include <fs/base.h>

FS_BEGIN_DECLS

/* State of the writer; its members are private. The output contains integers with all digits; doubles with the fewest
 * digits that read back as the same value; null for NAN; the strings "inf" and "-inf" for infinities; and U+FFFD for
 * bytes that are not UTF-8. */
struct fs_json {
	fs_write_fn write; /* receives the output */
	void *ctx; /* passed to `write` as its first argument */
	size_t len; /* number of bytes in `buf` that are not written yet */
	int depth; /* number of open objects and arrays */
	/* pretty: each member is on a line of its own; failed: a write failed; need_comma: the next value needs a comma
	 * before it; after_key: the next value follows a key */
	bool pretty, failed, need_comma, after_key;
	char buf[4096]; /* output buffer */
};

/* Initialises *j. If `pretty` is true, each member is written on a line of its own. */
FS_API void fs_json_init(struct fs_json *j, fs_write_fn write, void *ctx, bool pretty);
/* writes a newline, then flushes; returns FS_EIO if any write failed, else 0 */
FS_API int fs_json_finish(struct fs_json *j);
/* writes a newline, which separates two documents of a JSON Lines file */
FS_API void fs_json_newline(struct fs_json *j);
FS_API int fs_json_flush(struct fs_json *j);   /* returns FS_EIO if any write failed, else 0 */
FS_API void fs_json_object(struct fs_json *j); /* opens an object */
FS_API void fs_json_end_object(struct fs_json *j); /* closes the innermost open object */
FS_API void fs_json_array(struct fs_json *j); /* opens an array */
FS_API void fs_json_end_array(struct fs_json *j); /* closes the innermost open array */
FS_API void fs_json_key(struct fs_json *j, const char *key); /* writes the name of the member whose value follows */
FS_API void fs_json_string(struct fs_json *j, const char *s); /* writes a string; s is not NULL */
FS_API void fs_json_bool(struct fs_json *j, bool v); /* writes true or false */
FS_API void fs_json_null(struct fs_json *j); /* writes null */
FS_API void fs_json_i64(struct fs_json *j, int64_t v); /* writes a signed integer */
FS_API void fs_json_u64(struct fs_json *j, uint64_t v); /* writes an unsigned integer */
FS_API void fs_json_double(struct fs_json *j, double v); /* writes the fewest digits that read back as `v` */

FS_END_DECLS

#endif
