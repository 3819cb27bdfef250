/* Names asked for that a snapshot does not know are complained of, one by one. A name that is known but has no row
 * in what is shown is not missing. */
#ifndef INPUT_MISSING_H
#define INPUT_MISSING_H

#include "cmd.h"
#include "input/names.h"

enum missing_kind { MISSING_USER, MISSING_ACCOUNT, MISSING_PARTITION };

/* Returns whether the name is missing, in which case it was complained of. Every partition is missing where the
 * snapshot lists none. NULL is not missing. */
bool missing_name(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind, const char *name);

/* Returns how many of the names are missing. */
size_t missing_names(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind,
		     const struct names *names);

/* Is the snapshot of each cluster asked for? `any` is a word for whichever it is, or NULL. 0, or the exit status
 * (reported), as where no cluster is named. */
int missing_clusters(const struct invocation *inv, const fs_snapshot *s, const struct names *clusters, const char *any);

/* Is it known at all? */
bool missing_from(const fs_snapshot *s, enum missing_kind kind, const char *name);

/* The status that a command ends with: EXIT_NOTHING if something was missing, unless it runs under the name of a
 * tool, which does not say so. */
int missing_status(const struct invocation *inv, int status, size_t missing);

#endif
