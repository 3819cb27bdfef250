/* Records that one file has and another lacks are counted, and warned of. */
#ifndef FSI_IMPORT_MISSING_H
#define FSI_IMPORT_MISSING_H

#include "import/import.h"
#include "model/viewer.h"

/* How many records of one kind are not there, and the first of them. */
struct fsi_missing {
	size_t n, of;
	char first[101];
};

void fsi_missing_note(struct fsi_missing *x, bool there, const char *name);
void fsi_missing_note_id(struct fsi_missing *x, bool there, uint64_t id);

/* Warns of what is not there: "3 of 40 associations are not there, the first: x". type: the records that are then
 * not whole; NULL: the capture is not. Error: FS_ENOMEM. */
int fsi_missing_warn(struct fsi_import *imp, const char *type, const struct fsi_missing *x, const char *file,
		     const char *what);

/* The viewer that PrivateData=usage keeps associations from: who captured. */
struct fsi_viewer fsi_missing_viewer(const fs_snapshot *m);

#endif
