/* libfs: shares, usage and priorities of a batch scheduler, computed from a state snapshot.
 *
 * Flow:     bytes -> fs_snapshot (-> edits) -> fs_shares -> fs_prios -> fs_queue -> fs_plan
 * Purity:   nothing here prints, exits, reads a clock, the environment or a locale other than "C", or
 *           keeps state between calls. The clock is a field of the snapshot.
 * Lifetime: what comes back through `T **out` is yours to free with fs_T_free (NULL is fine). A returned
 *           `const T *` or `const char *` is borrowed until its owner is freed. Results borrow from the
 *           snapshot they were made of: free them first.
 * Errors:   functions return 0 or a negative enum fs_code and then have filled *err (may be NULL), which
 *           they leave alone on success.
 * Places:   an argument's place tells whose it is. T **out stands first: it is made, and yours to free. All else that
 *           is filled in stands last, before err, an array or a text with its room behind it.
 * Rows:     numbered from 0 to below the count of what holds them; FS_NO_ROW is none. A row that is kept is lent, and
 *           NULL past the end; one that is put together when it is asked for is written to the caller's, and past the
 *           end the answer is false, 0 or NAN and nothing is written. To ask changes nothing that can be seen.
 * Options:  begin with FS_..._OPTIONS_INIT; NULL and a member of 0 ask for nothing special.
 * NULL:     may be given for options, err, and what the declaration says; anything else is the caller's mistake.
 * Threads:  what is const may be asked by any number of threads at the same time, but for fs_explain, whose questions
 *           keep what they answer.
 * Names:    fs_X_name(x) is the word for an enumerator in JSON and in options, fs_X_text(x) a clause. Of an
 *           enumerator neither is NULL.
 * Numbers:  times are seconds since 1970, memory MiB. NAN is "no value" (unknown, or it does not
 *           apply), INFINITY is infinite. */
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
#include <fs/compare.h>
#include <fs/forecast.h>
#include <fs/solve.h>
#include <fs/explain.h>
#include <fs/json.h>

#endif
