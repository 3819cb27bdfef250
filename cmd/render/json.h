/* What all our JSON documents begin with. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "fs.h"

/* Opens the document: {"schema": ..., "snapshot": {...}, and leaves it open for "rows". */
void json_begin(struct fs_json *j, const char *schema, const fs_snapshot *s);

/* Closes it and flushes; EXIT_FAILED when writing failed. */
int json_end(struct fs_json *j);

void json_text(struct fs_json *j, const char *key, const char *value);      /* "" is null */
/* "f58": a job's id as its scheduler writes it, null where that is the decimal number. */
void json_f58(struct fs_json *j, const fs_snapshot *s, uint64_t id);
void json_number(struct fs_json *j, const char *key, double value);         /* NAN is null */
void json_whole(struct fs_json *j, const char *key, bool known, uint64_t value);
void json_integer(struct fs_json *j, const char *key, int64_t value); /* FS_UNKNOWN is null, FS_UNLIMITED infinite */
void json_flag(struct fs_json *j, const char *key, bool value);

#endif
