/* A snapshot copied table by table: the copy is what reading gives back of what fs_snapshot_write writes, without
 * the text in between. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* A table without elements has no rows to copy; NULL in *out is right for it. */
static int copy_array(void *out, const void *from, size_t n, size_t size)
{
	void *v = n ? malloc(n * size) : NULL;

	if (v)
		memcpy(v, from, n * size);
	memcpy(out, &v, sizeof(v));
	return n && !v ? -1 : 0;
}

#define COPY_TABLE(TAG, name, json) failed |= COPY_VEC(name);
#define COPY_VEC(name) \
	(to->name.n = to->name.cap = from->name.n, \
	 copy_array(&to->name.v, from->name.v, from->name.n, sizeof(*to->name.v)))

static int copy_tables(fs_snapshot *to, const fs_snapshot *from)
{
	int failed = 0;

	FSI_RECORD_TYPES(COPY_TABLE)
	failed |= COPY_VEC(job_rare);
	failed |= COPY_VEC(config);
	failed |= COPY_VEC(warnings);
	if (failed)
		return -1;
	for (size_t i = 0; i < to->warnings.n; i++) {
		const char *s = from->warnings.v[i];

		to->warnings.v[i] = fsi_arena_strndup(&to->arena, s, strlen(s));
		if (!to->warnings.v[i])
			return -1;
	}
	return 0;
}

#define COPY_ROWS(name, n) \
	(to->name = from->name ? fsi_arena_copy(&to->arena, from->name, (n) * sizeof(*to->name)) : NULL, \
	 !to->name != !from->name)

static int copy_links(fs_snapshot *to, const fs_snapshot *from)
{
	const size_t n = from->association.n + 1;
	struct fs_error err;

	to->assoc_max_id = from->assoc_max_id;
	if (fsi_name_index(to, &err))
		return -1;
	return COPY_ROWS(tree, n) || COPY_ROWS(assoc_by_id, n) || COPY_ROWS(assoc_by_name, n) ||
			       COPY_ROWS(assoc_row, (size_t)from->assoc_max_id + 1)
		       ? -1
		       : 0;
}

static void copy_info(fs_snapshot *to, const fs_snapshot *from)
{
	to->head = from->head;
	to->info = from->info;
	to->read_warnings = from->read_warnings;
	to->jobs_in_order = from->jobs_in_order;
	to->updated = from->updated;
	to->edits = from->edits;
	fsi_model_scheduler(to);
	fsi_model_info_names(to);
}

int fs_snapshot_copy(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	fs_snapshot *m = fsi_model_new(s->file);

	if (!m)
		return fsi_nomem(err);
	if (fsi_intern_copy(&m->names, &s->names) || fsi_intern_copy(&m->sets, &s->sets) || copy_tables(m, s) ||
	    copy_links(m, s)) {
		fs_snapshot_free(m);
		return fsi_nomem(err);
	}
	copy_info(m, s);
	*out = m;
	return 0;
}
