/* What is kept from one time to the next: theme, columns and order, in $XDG_CONFIG_HOME/fs-tools/fs-top. A line each:
 *   theme NAME
 *   VIEW show COLUMN, VIEW hide COLUMN, VIEW sort COLUMN, VIEW turned
 * What names a column that this snapshot has not is kept as it is. */
#ifndef TOP_SETUP_H
#define TOP_SETUP_H

#include "top/run.h"

enum { SETUP_SIZE = 8192 };

struct setup {
	char file[512];		/* "": there is no folder for it, or the file is not ours to change */
	char text[SETUP_SIZE];	/* as it was read */
	char others[SETUP_SIZE]; /* lines for other snapshots */
};

/* Reads it into the model; themed: but for the theme. A file that is wrong is told of, ignored and left alone. */
void setup_load(struct setup *s, struct model *m, bool themed);

/* Writes it if what it says has changed, whole or not at all. */
void setup_save(const struct setup *s, const struct invocation *inv, const struct model *m);

#endif
