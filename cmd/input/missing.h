/* Names asked for that a snapshot does not know: each is told. Nothing here tells them from names that exist and have
 * no row in what is shown. */
#ifndef INPUT_MISSING_H
#define INPUT_MISSING_H

#include "cmd.h"
#include "input/names.h"

enum missing_kind { MISSING_USER, MISSING_ACCOUNT, MISSING_PARTITION };

/* Is it missing? Then it was complained of. A partition is where the snapshot lists none. NULL is not missing. */
bool missing_name(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind, const char *name);

/* How many of them are. */
size_t missing_names(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind,
		     const struct names *names);

/* Is it known at all? */
bool missing_from(const fs_snapshot *s, enum missing_kind kind, const char *name);

/* What a command that came to this status ends with: EXIT_NOTHING if something was missing, but not under the name of a
 * tool, which tells nobody. */
int missing_status(const struct invocation *inv, int status, size_t missing);

#endif
