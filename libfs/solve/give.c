/* A command of the scheduler, given to the state that is tried. */
#include "solve/solver.h"

#include <fs/scenario.h>

int fsi_solve_give(struct fsi_solver *s, const char *command, bool tell)
{
	const struct fs_edit_options o = { .viewer = s->o.view.viewer,
					   .note = tell ? s->o.note : NULL,
					   .note_ctx = s->o.note_ctx };
	const uint32_t edits = s->m->edits;
	const int rc = fs_snapshot_edit(s->m, command, &o, s->err);

	s->m->edits = edits; /* what is tried is not what was asked for */
	return rc;
}
