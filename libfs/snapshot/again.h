/* A snapshot written and read again in memory: its tables in order and linked, and no name but those they have. */
#ifndef FSI_SNAPSHOT_AGAIN_H
#define FSI_SNAPSHOT_AGAIN_H

#include "model/model.h"

/* Errors: FS_ENOMEM, and those of reading. */
int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

#endif
