/* Task lists of job arrays as Slurm prints them: "1,3,5-9,20-40:4%2". The text is borrowed; no function allocates
 * memory. */
#ifndef FSI_TASKS_H
#define FSI_TASKS_H

#include <stdbool.h>
#include <stdint.h>

/* One item of a task list ("5", "5-9", "20-40:4"): every step-th task id from first to last. */
struct fsi_tasks {
	uint64_t first, last, step;
};

/* Parses the next item of the list at *s and moves *s after the item and its comma. Returns 1, 0 at the end of the list
 * or at its '%', or -1 if the item is not a task range (for example "..." where Slurm has truncated the list). */
int fsi_tasks_parse_next(const char **s, struct fsi_tasks *t);

static inline uint64_t fsi_tasks_count_range(const struct fsi_tasks *t)
{
	return (t->last - t->first) / t->step + 1;
}

bool fsi_is_task_listed(const char *list, uint64_t task);

/* Returns the number of tasks in the list; 1 if the list is empty or cannot be parsed. */
uint32_t fsi_count_tasks(const char *list);

#endif
