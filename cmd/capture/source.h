/* A folder of captured files as the importers read it: files alone, none of them endless or outside. */
#ifndef CAPTURE_SOURCE_H
#define CAPTURE_SOURCE_H

#include "cmd.h"

struct capture_source {
	const char *dir, *shown; /* shown: its name in messages */
	uint64_t file_max; /* bytes of a file */
	bool outside;	   /* links may lead out of the folder */
	char name[80];	   /* of the file opened last */
	char why[120];	   /* it could not be read, "" if it could */
};

/* c must live as long as the source. */
struct fs_source capture_source(struct capture_source *c, const char *dir, uint64_t file_max, bool outside);

/* As report, and where reading failed the reason is what became of the file. */
int capture_source_report(const struct invocation *inv, const struct capture_source *c, struct fs_error *err);

#endif
