/* Lists of the tasks of an array: "1,3,5-9,20-40:4%2". */
#ifndef FSI_TASKS_H
#define FSI_TASKS_H

#include <stdbool.h>
#include <stdint.h>

/* "5", "5-9", "20-40:4": every step-th from the first to the last. */
struct fsi_tasks {
	uint64_t first, last, step;
};

/* Takes the next of a list and moves *s behind it. 0: there is none; -1: that is none, as "..." where a list was cut. */
int fsi_tasks_next(const char **s, struct fsi_tasks *t);

static inline uint64_t fsi_tasks_count(const struct fsi_tasks *t)
{
	return (t->last - t->first) / t->step + 1;
}

bool fsi_task_listed(const char *list, uint64_t task);

/* 1 for anything that is no list. */
uint32_t fsi_count_tasks(const char *list);

#endif
