/* fs-share/1: the rows as JSON (man/fs-share.1, man/fs-share-1.schema.json). */
#ifndef SHARE_FORMS_JSON_H
#define SHARE_FORMS_JSON_H

#include "render/json.h"
#include "share/rows.h"

/* Exit status, or negative without memory. */
int share_json(const fs_snapshot *s, const fs_shares *shares, const struct share_rows *rows, enum json_form form);

#endif
