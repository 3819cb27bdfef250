/* Functions and tables of the scheduler Maui. Most functions and tables are members of Maui's struct fsi_scheduler.
 * Each comment begins with the folder that defines the function or table. Only libfs/scheduler and the files for Maui
 * include this header. */
#ifndef FSI_MODEL_MAUI_TABLES_H
#define FSI_MODEL_MAUI_TABLES_H

#include "model/tables.h"

struct fs_prios;
struct fsi_commands;
struct fsi_prio_scheduler;
struct fsi_scenario;

/* libfs/snapshot: calls `note` for defaults that are used and for data that is missing. Then calls `note` for each
 * user, group or account without a credential record, once for each job that names the user, group or account. Returns
 * the number of calls for credentials without a record. */
size_t fsi_check_maui_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* libfs/priority: operations for Maui's start priority (src/moab/MPriority.c: MJobGetStartPriority). */
extern const struct fsi_prio_scheduler fsi_maui_prio;

/* libfs/priority: returns the priority that the job in row i of `p` had in Maui's previous iteration; NAN: unknown.
 * Maui sorts jobs with equal priorities by their priorities in the previous iteration. */
double fsi_prio_maui_previous_priority(const struct fs_prios *p, size_t i);

/* libfs/scenario: applies the command that begins at s->word[0]. Returns the error codes of fs_snapshot_edit. */
int fsi_maui_edit(struct fsi_scenario *s);

/* libfs/scenario: returns true if a command of Maui, or a line of maui.cfg, begins with `word`. */
bool fsi_maui_begins_command(const char *word);

/* libfs/scenario: the commands that libfs/advise may propose. */
extern const struct fsi_commands fsi_maui_commands;

#endif
