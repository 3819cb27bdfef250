/* libfs: shares, usage and priorities of a batch scheduler, computed from a snapshot of its state.
 *
 * Flow:     bytes -> fs_snapshot (-> edits) -> fs_shares -> fs_prios -> fs_queue -> fs_plan
 * Purity:   No function prints, exits, reads a clock, reads the environment, or depends on a locale other than "C".
 *           No state survives between calls. The clock is a member of the snapshot.
 * Lifetime: The caller owns what it receives through `T **out` and frees it with fs_T_free (NULL is allowed). A
 *           returned `const T *` or `const char *` is borrowed and valid until its owner is freed. Results borrow from
 *           the snapshot they were computed from, so results are freed before the snapshot.
 * Errors:   Functions return 0 or a negative enum fs_code. On failure they fill *err (NULL is allowed). On success
 *           they leave *err unchanged.
 * Arguments: A created object `T **out` is the first argument. Every other output is last, before err; an output
 *           array or text is followed by its size.
 * Rows:     Rows are numbered from 0. FS_NO_ROW means no row. Functions that return a stored row return a borrowed
 *           pointer, or NULL past the end. Functions that assemble a row on demand write it to the caller's struct;
 *           past the end they return false, 0 or NAN and write nothing. Reading a row has no visible side effect.
 * Options:  Option structs start as FS_..._OPTIONS_INIT. NULL for the options, or 0 in a member, means the default.
 * NULL:     NULL is allowed for options, for err, and where a declaration says so. Passing NULL
 *           anywhere else is a bug of the caller.
 * Threads:  Any number of threads may read a const object at the same time. Exception: an
 *           fs_explain object, because it caches results.
 * Names:    fs_X_name(x) is the name of an enumerator in JSON and in options; fs_X_text(x) is a clause in English.
 *           Neither is NULL for a valid enumerator.
 * Numbers:  Times are seconds since the epoch, memory is in MiB. NAN means no value (unknown or not applicable).
 *           INFINITY means unlimited. */
#ifndef FS_H
#define FS_H

#include <fs/base.h>
#include <fs/snapshot.h>
#include <fs/anonymise.h>
#include <fs/import.h>
#include <fs/usage.h>
#include <fs/scenario.h>
#include <fs/view.h>
#include <fs/shares.h>
#include <fs/priority.h>
#include <fs/weights.h>
#include <fs/job.h>
#include <fs/verdict.h>
#include <fs/queue.h>
#include <fs/eval.h>
#include <fs/plan.h>
#include <fs/advise.h>
#include <fs/cause.h>
#include <fs/compare.h>
#include <fs/forecast.h>
#include <fs/solve.h>
#include <fs/explain.h>
#include <fs/site.h>
#include <fs/json.h>

#endif
