#include "import/missing.h"

#include "base/num.h"

#include <stdio.h>

void fsi_missing_note(struct fsi_missing *x, bool there, const char *name)
{
	x->of++;
	if (!there && !x->n++)
		snprintf(x->first, sizeof(x->first), "%s", name);
}

void fsi_missing_note_id(struct fsi_missing *x, bool there, uint64_t id)
{
	x->of++;
	if (!there && !x->n++)
		fsi_format_u64(x->first, id);
}

int fsi_missing_warn(struct fsi_import *imp, const char *type, const struct fsi_missing *x, const char *file,
		     const char *what)
{
	return x->n ? fsi_import_incomplete(imp, type, "%s/%s: %zu of %zu %s not there, the first: %s", imp->source->name,
					    file, x->n, x->of, what, x->first)
		    : 0;
}

struct fsi_viewer fsi_missing_viewer(const fs_snapshot *m)
{
	const char *name = fsi_str(m, m->head.captured_by);
	struct fsi_viewer viewer;

	fsi_viewer_init(&viewer, m, *name ? name : NULL);
	return viewer;
}
