/* The check of a snapshot of Maui: the scheduler's row for fs_snapshot_check. */
#ifndef FSI_SNAPSHOT_MAUI_H
#define FSI_SNAPSHOT_MAUI_H

#include "model/tables.h"

/* Notes what maui.cfg leaves to Maui's defaults, then each job whose owner is not among the credentials. Returns the
 * number of those jobs. */
size_t fsi_check_maui_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

#endif
