/* The jobs of arrays in order, so that a word that many jobs wait for is found without going through all of them. */
#include "model/job/word.h"

#include <fs/base.h>

#include <stdlib.h>

/* sorts as a task behind all others: the tasks that have no record of their own yet */
static const uint64_t rest = UINT64_MAX;

static int by_array(const void *a, const void *b, const void *ctx)
{
	const struct fsi_job_array *x = a, *y = b;

	(void)ctx;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Notes the first of the array's rows in each of them. */
static void note_first(struct fsi_job_arrays *a)
{
	for (size_t i = 0, end; i < a->n; i = end) {
		uint32_t first = a->v[i].row;

		for (end = i; end < a->n && a->v[end].id == a->v[i].id; end++)
			if (a->v[end].row < first)
				first = a->v[end].row;
		for (size_t k = i; k < end; k++)
			a->v[k].first = first;
	}
}

int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++)
		n += m->job.v[i].array_job_id != 0;
	*a = (struct fsi_job_arrays){ .v = calloc(n + 1, sizeof(*a->v)) };
	if (!a->v)
		return -1;
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->array_job_id)
			a->v[a->n++] = (struct fsi_job_array){
				j->array_job_id, FSI_HAS(j, JOB, array_task_id) ? j->array_task_id : rest, i, 0
			};
	}
	if (fs_sort(a->v, a->n, sizeof(*a->v), by_array, NULL))
		return -1;
	note_first(a);
	return 0;
}

void fsi_job_arrays_release(struct fsi_job_arrays *a)
{
	free(a->v);
	*a = (struct fsi_job_arrays){ 0 };
}

static size_t lower_bound(const struct fsi_job_arrays *a, uint64_t id, uint64_t task)
{
	size_t lo = 0, hi = a->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (a->v[mid].id < id || (a->v[mid].id == id && a->v[mid].task < task))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first row from `at` on that the word's array and task stand for and that fits the word. */
static uint32_t fitting(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_word *w,
			uint64_t task)
{
	for (size_t i = lower_bound(a, w->id, task); i < a->n && a->v[i].id == w->id && a->v[i].task == task; i++)
		if (fsi_job_word_fit(m, &m->job.v[a->v[i].row], w))
			return a->v[i].row;
	return FSI_NO_INDEX;
}

uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_word *w)
{
	uint32_t row = fsi_job_word_row(m, w);
	size_t at;

	if (row == FSI_NO_INDEX && w->has_task)
		row = fitting(a, m, w, w->task);
	if (row == FSI_NO_INDEX)
		row = fitting(a, m, w, rest);
	if (row != FSI_NO_INDEX || w->has_task || !a->n)
		return row;
	at = lower_bound(a, w->id, 0);
	return at < a->n && a->v[at].id == w->id ? a->v[at].first : FSI_NO_INDEX;
}
