/* One record of the queue as a cycle comes to it, for the files of this folder that plan it. */
#ifndef FSI_PLAN_RECORD_H
#define FSI_PLAN_RECORD_H

#include "plan/run.h"

/* Has the cycle ended before all records? */
bool fsi_record_past_end(const struct fs_plan *p);

/* 1 when the cycle gets as far as the record (counted: as one more task of it), 0 when not, -1 without memory. */
int fsi_record_reached(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row);
int fsi_record_counted(struct fs_plan *p, const struct fsi_queue_record *r);

/* Is the record tried for now alone? */
bool fsi_record_now_only(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row);

/* What the record asks for, with its job's features or with others; valid until the next. -1 without memory. */
int fsi_record_request(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row,
		       struct fsi_plan_request *q);
int fsi_record_request_with(struct fs_plan *p, const struct fsi_queue_record *r, uint32_t features,
			    const struct fsi_plan_row *row, struct fsi_plan_request *q);

/* What the request may preempt. */
void fsi_record_set_preempted(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_request *q);

/* Tries the record, or the next task of it: is there a start, in p->found? now: for now alone. */
bool fsi_record_try(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		    struct fsi_plan_row *row, bool now);

/* The scheduler shows the start found, and keeps no nodes for it. */
void fsi_record_show(const struct fs_plan *p, struct fsi_plan_row *row);

/* Plans what a limit or its partition keeps from starting (libfs/plan/barred.c). -1 without memory. */
int fsi_record_plan_barred(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row);

#endif
