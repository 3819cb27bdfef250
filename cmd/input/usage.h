/* Usage other than as recorded at the snapshot's time: --usage, --decay, --decay-runs and --at. */
#ifndef INPUT_USAGE_H
#define INPUT_USAGE_H

#include "input/input.h"

/* Is anything asked for that usage as recorded does not give? */
bool usage_wanted(const struct input *in);

/* Usage as the options ask, every charge told to fn (may be NULL). The snapshot's file is read again for its job
 * records. 0, or the exit status (reported). */
int usage_load(const struct invocation *inv, const struct input *in, const fs_snapshot *s,
	       fs_charge_fn fn, void *ctx, fs_usage **out);

/* The same for a snapshot read from this file, without messages: 0 or an error code. *out is to be freed in any
 * case. */
int usage_try(const struct input *in, const char *file, const fs_snapshot *s, fs_usage **out,
	      struct fs_error *err);

#endif
