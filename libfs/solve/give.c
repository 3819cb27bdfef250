/* A command of the scheduler, given to the state that is tried. */
#include "solve/solver.h"

#include <fs/scenario.h>

int fsi_solve_give(struct fsi_solver *s, const char *command, bool tell)
{
	const struct fs_edit_options o = { .viewer = s->o.view.viewer,
					   .note = tell ? s->o.note : NULL,
					   .note_ctx = s->o.note_ctx };

	return fs_snapshot_edit(s->m, command, &o, s->err);
}
