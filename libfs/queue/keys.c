/* The keys by which schedulers order their queues. */
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Higher first; what is not known goes last. */
int fsi_key_priority(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	(void)q;
	if (isnan(a->priority) || isnan(b->priority))
		return COMPARE(isnan(a->priority), isnan(b->priority));
	return COMPARE(b->priority, a->priority);
}

int fsi_key_submit(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE(a->submit, b->submit);
}

int fsi_key_id(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE(a->id, b->id);
}

/* Two records of an array may have the same task number only if the snapshot is wrong: job rows part them. */
int fsi_key_task(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const int c = COMPARE(a->task, b->task);

	(void)q;
	return c ? c : COMPARE(a->job, b->job);
}

int fsi_key_listed(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const int c = COMPARE(a->listed, b->listed);

	(void)q;
	return c ? c : COMPARE(a->job, b->job);
}

int fsi_key_table(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	(void)q;
	return COMPARE(a->table, b->table);
}

static int take_priorities(struct fs_queue *q, const fs_prios *p, bool *has)
{
	double *of_job = malloc((q->m->job.n + 1) * sizeof(*of_job));
	bool computed = false; /* all are, and some can be */
	struct fs_prio_row row;

	for (size_t i = 0; of_job && i < q->m->job.n; i++)
		of_job[i] = (double)NAN;
	for (size_t i = 0; of_job && i < fs_prios_count(p); i++) {
		fs_prios_brief(p, i, &row);
		of_job[row.job_row] = row.priority;
		has[row.job_row] = true;
		computed = computed || (q->computed && !isnan(row.priority));
	}
	for (size_t i = 0; of_job && i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		if (isnan(r->priority) || (computed && r->tried))
			r->priority = of_job[r->job];
	}
	free(of_job);
	return of_job ? 0 : -1;
}

int fsi_queue_priorities(struct fs_queue *q, const struct fs_queue_options *qo, bool *has,
			 struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .algorithm = qo ? qo->view.algorithm : NULL,
						      .position = qo ? qo->view.position : FS_POSITION_POW2,
						      .usage = qo ? qo->view.usage : NULL,
						      .maui_dialect = qo ? qo->view.maui_dialect
									 : FS_MAUI_CODE } };
	fs_prios *own = NULL;
	int rc = q->prios ? 0 : fs_prios_compute(&own, q->m, &o, err);

	if (!rc && take_priorities(q, q->prios ? q->prios : own, has))
		rc = fsi_nomem(err);
	fs_prios_free(own);
	return rc;
}

enum fs_queue_key fsi_queue_first_key(const struct fs_queue *q, const struct fsi_queue_record *a,
				      const struct fsi_queue_record *b, int *c)
{
	for (size_t i = 0; i < q->scheduler->nkeys; i++) {
		*c = q->scheduler->keys[i].compare(q, a, b);
		if (*c)
			return q->scheduler->keys[i].key;
	}
	*c = 0;
	return FS_QUEUE_KEY_NONE;
}
