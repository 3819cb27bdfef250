/* A folder of snapshots. */
#ifndef HISTORY_FOLDER_H
#define HISTORY_FOLDER_H

#include "cmd.h"
#include "input/names.h"

/* Names of the snapshots in it (*.jsonl, *.jsonl.zst), sorted. Links and what is no regular file are left out, and so
 * is what belongs neither to the folder's owner nor to the caller nor to root. */
struct folder {
	char *path;
	struct names file; /* with the path */
	size_t foreign; /* left out as another user's */
};

/* 0, or the exit status (reported). */
int folder_open(const struct invocation *inv, const char *path, struct folder *out);
void folder_close(struct folder *f);

#endif
