/* fs-prio/1: the rows as JSON (man/fs-prio.1, man/fs-prio-1.schema.json). */
#ifndef PRIO_JSON_H
#define PRIO_JSON_H

#include "render/json.h"

int prio_json(const struct invocation *inv, const fs_snapshot *s, enum fs_maui_dialect dialect,
	      unsigned compat, fs_prios *p, const fs_holds *holds, const size_t *rows, size_t n,
	      enum json_form form);

/* Parts of a row that other documents have too: an object in a list; the key "accrue" (does the job age, and if not,
 * which limit keeps it young? NULL: its scheduler has no such limits). */
void prio_json_term(struct fs_json *j, const struct fs_prio_term *t);
void prio_json_accrue(struct fs_json *j, const struct fs_accrue_row *a);

#endif
