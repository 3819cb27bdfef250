/* Checks for references between records that lead nowhere, for the schedulers to choose from. Each as
 * fs_snapshot_check. */
#ifndef FSI_SNAPSHOT_CHECK_H
#define FSI_SNAPSHOT_CHECK_H

#include "model/model.h"

/* Of jobs to partitions, QOS and associations. */
size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* Of jobs to the credentials of Maui that own them. */
size_t fsi_check_credentials(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* As fsi_check_references, after a note of what a capture leaves to Slurm's defaults, which does not count. */
size_t fsi_check_slurm(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* As fsi_check_references, after a note of what a capture of Flux leaves open, which does not count. */
size_t fsi_check_flux(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* As fsi_check_credentials, after a note of what maui.cfg leaves to Maui's defaults, which does not count. */
size_t fsi_check_maui(const fs_snapshot *m, fs_note_fn note, void *ctx);

#endif
