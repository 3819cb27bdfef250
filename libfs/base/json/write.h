/* What the writer of fs/json.h has for the library alone. */
#ifndef FSI_BASE_JSON_WRITE_H
#define FSI_BASE_JSON_WRITE_H

#include "fs.h"

/* As fs_json_key, for a name of letters, digits and underscores. */
void fsi_json_plain_key(struct fs_json *j, const char *key);

#endif
