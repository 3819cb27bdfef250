/* fs-share/1: the rows as JSON (man/fs-share.1, man/fs-share-1.schema.json). */
#ifndef SHARE_JSON_H
#define SHARE_JSON_H

#include "cmd.h"

typedef bool (*share_filter)(const void *ctx, const struct fs_share_row *row);

int share_json(const fs_snapshot *s, const fs_shares *shares, share_filter wanted, const void *ctx);

#endif
