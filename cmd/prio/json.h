/* fs-prio/1: the rows as JSON (man/fs-prio.1, man/fs-prio-1.schema.json). */
#ifndef PRIO_JSON_H
#define PRIO_JSON_H

#include "render/json.h"

int prio_json(const struct invocation *inv, const fs_snapshot *s, enum fs_maui_dialect dialect,
	      unsigned compat, const fs_prios *p, const fs_holds *holds, const size_t *rows, size_t n,
	      enum json_form form);

#endif
