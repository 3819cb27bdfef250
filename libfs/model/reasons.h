/* The table of pending reasons of all schedulers, and the section of the queue that a job is in.
 *
 * A row of the table contains everything that fs-tools knows about a reason: its texts, number, section, meaning and
 * remedy, the verdict that follows from the reason alone, and the words of other programs for it. All other code reads
 * the row. The table is constant; pointers to its rows stay valid. */
#ifndef FSI_MODEL_REASONS_H
#define FSI_MODEL_REASONS_H

#include "fs/verdict.h"
#include "model/model.h"

/* How a reason shows that the job's partition does not start the job. */
enum fsi_refusal {
	FSI_REFUSES_NEVER,    /* the reason is not about the partition's rules */
	FSI_REFUSES_ALWAYS,   /* the partition does not allow the job */
	FSI_REFUSES_BY_TIME,  /* the partition does not allow the job's time limit */
	FSI_REFUSES_BY_NODES, /* the partition does not allow the job's number of nodes, or nodes are down or drained */
	FSI_REFUSES_CLOSED,   /* the partition is down or inactive */
};

enum { FSI_REASON_TEXTS = 2 }; /* maximum number of other texts of a reason */

/* A row of the table. */
struct fsi_reason {
	struct fs_reason shown; /* the public part */
	/* first words of other texts of the reason, such as descriptions that the controller shows, and names that
	 * older versions use; NULL after the last text */
	const char *texts[FSI_REASON_TEXTS];
	/* kind, cause: verdict that follows from the reason alone, if nothing in the snapshot contradicts it; NONE: the
	 * reason alone decides no verdict */
	enum fs_verdict_kind kind;
	enum fs_verdict_cause cause;
	enum fsi_refusal refusal; /* how the reason shows that the partition does not start the job */
};

/* Returns the row of the table that contains the reason. `r` is not NULL. */
static inline const struct fsi_reason *fsi_reason_row(const struct fs_reason *r)
{
	return (const struct fsi_reason *)r;
}

/* Returns the kind of the verdict that follows from the reason alone; FS_VERDICT_NONE: none, or `r` is NULL. */
enum fs_verdict_kind fsi_reason_verdict(const struct fs_reason *r);

/* Returns the 1-based index of the reason in the table; 0 for NULL. */
uint16_t fsi_reason_to_number(const struct fs_reason *r);

/* Returns the reason with the 1-based index `number` in the table; NULL for 0. */
static inline const struct fs_reason *fsi_reason_from_number(uint16_t number)
{
	return number ? fs_reason_at(number - 1u) : NULL;
}

/* Returns true if the reason means that the job needs nodes which are not available. `text`: the recorded reason
 * text. */
bool fsi_reason_names_nodes(const struct fs_reason *r, const char *text);

/* Returns true if the recorded reason text says that nodes are reserved, such as "ReqNodeNotAvail, Reserved for
 * maintenance". */
bool fsi_reason_names_reservation(const char *text);

/* Returns true if the recorded reason text says that the job was requeued into a held state. */
bool fsi_reason_means_requeue(const char *text);

/* Returns the section of a job, which follows from its state and its pending reason. `reason`: the job's pending
 * reason; NULL: not a known reason. */
enum fs_section fsi_job_get_section(const fs_snapshot *m, const struct fsi_job *j, const struct fs_reason *reason);

#endif
