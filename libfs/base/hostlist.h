/* Node list expressions such as `lab[001-040,50],gpu7,r[1-2]n[01-04]`: expands a list to names, counts the names and
 * folds names into a list. Reproduces Slurm's src/common/hostlist.c. No function allocates memory. */
#ifndef FSI_HOSTLIST_H
#define FSI_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FSI_HOST_NAME_MAX = 255, FSI_HOST_BRACKETS_MAX = 4 };

/* Maximum number of names in a node list written by a user; no cluster has that many nodes. */
enum { FSI_MAX_HOSTS = 1 << 20 };

/* Calls `fn` with each name in list order. A name is NUL-terminated and valid during the call only. If `fn` returns a
 * value other than 0, stops and returns that value. Returns -1 if the text expands to more than `max` names or is not a
 * node list. `fn` may then have been called for names before the error.
 *
 * Errors in a node list: unbalanced or empty brackets, a descending range, a name longer than FSI_HOST_NAME_MAX bytes,
 * and more than FSI_HOST_BRACKETS_MAX brackets in a name. */
typedef int (*fsi_host_fn)(void *ctx, const char *name, size_t len);
int fsi_hostlist_expand_each(const char *text, uint64_t max, fsi_host_fn fn, void *ctx);

/* Returns true if the list contains the name. Returns false if the text is not a node list. */
bool fsi_hostlist_has_name(const char *text, const char *name);

/* Returns an upper bound of the number of names in the list, without producing the names. */
uint64_t fsi_hostlist_bound_count(const char *text);

/* Returns the number of names in the list; -1 if fsi_hostlist_expand_each would return -1. */
int64_t fsi_hostlist_count_names(const char *text, uint64_t max);

/* Folds names into a node list, the reverse of the expansion. Consecutive numbers of the same width become a range:
 * "n[01-04],gpu7". If the buffer is too small, the list ends with ",..." and `cut` is set. Added names are borrowed
 * until fsi_hostlist_fold_end. */
struct fsi_hostlist_fold {
	char *buf;
	size_t size, len;
	const char *first, *last; /* first and last name of the range that is being formed; NULL: no range yet */
	bool cut;
};
void fsi_hostlist_fold_begin(struct fsi_hostlist_fold *f, char *buf, size_t size);
void fsi_hostlist_fold_add(struct fsi_hostlist_fold *f, const char *name);
void fsi_hostlist_fold_end(struct fsi_hostlist_fold *f);

/* Task lists of job arrays as Slurm prints them: "1,3,5-9,20-40:4%2". The text is borrowed; no function allocates
 * memory. */

/* One item of a task list ("5", "5-9", "20-40:4"): every step-th task id from first to last. */
struct fsi_tasks {
	uint64_t first, last, step;
};

/* Parses the next item of the task list at *s and moves *s after the item and its comma. Returns 1; 0 at the end of the
 * list or at its '%'; -1 if the item is not a task range, for example "..." where Slurm has truncated the list. */
int fsi_tasks_parse_next(const char **s, struct fsi_tasks *t);

static inline uint64_t fsi_tasks_count_range(const struct fsi_tasks *t)
{
	return (t->last - t->first) / t->step + 1;
}

bool fsi_is_task_listed(const char *list, uint64_t task);

/* Returns the number of tasks in the list; 1 if the list is empty or cannot be parsed. */
uint32_t fsi_count_tasks(const char *list);

#endif
