/* Maui's commands as edits of a snapshot: members of the scheduler's struct fsi_scheduler. */
#ifndef FSI_SCENARIO_MAUI_H
#define FSI_SCENARIO_MAUI_H

#include "scenario/edit.h"

/* Runs the command that begins at s->word[0]. Errors: as fs_snapshot_edit. */
int fsi_maui_edit(struct fsi_scenario *s);

/* Returns true if a command of Maui, or a line of maui.cfg, begins with that word. */
bool fsi_maui_begins_command(const char *word);

/* The commands that advice proposes. */
extern const struct fsi_commands fsi_maui_commands;

#endif
