/* The values of one line as both readers make them. */
#ifndef FSI_BASE_JSON_POOL_H
#define FSI_BASE_JSON_POOL_H

#include "base/json/read.h"

/* A new value at the end of the pool, with nothing but its type; NULL without memory. It may move the others. */
struct fsi_json *fsi_json_pool_add(struct fsi_json_pool *p, enum fsi_json_type type);

void fsi_json_pool_reset(struct fsi_json_pool *p);

/* Room for text of len bytes and its NUL, the longest of the line, behind what is kept: the caller adds what it
 * took to text_used. NULL without memory. */
char *fsi_json_pool_text(struct fsi_json_pool *p, size_t len);

/* One pass over a line without surprises: 1 when it is in the pool, strings ended by a NUL in the line itself; 0 when
 * the line has something else and is as it was; -1 without memory. */
int fsi_json_quick(struct fsi_json_pool *p, char *line, size_t len);

#endif
