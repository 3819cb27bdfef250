/* What would make a job start earlier. */
#ifndef FS_ADVISE_H
#define FS_ADVISE_H

#include <fs/plan.h>

FS_BEGIN_DECLS

/* Changes that bring a pending job's planned start forward, each found and verified by planning the snapshot with it:
 * fs_snapshot_edit does the command, fs_plan_compute gives the start. One change at a time; nothing else changes. */
typedef struct fs_advices fs_advices;

/* Who may give a command; those behind may too. */
#define FS_WHOS(X) X(OWNER, "owner") X(COORDINATOR, "coordinator") X(OPERATOR, "operator") X(ADMINISTRATOR, "administrator")
#define FS_WHO_ENUM(tag, name) FS_WHO_##tag,
enum fs_who { FS_WHOS(FS_WHO_ENUM) FS_WHO_COUNT };
#undef FS_WHO_ENUM
FS_API const char *fs_who_name(enum fs_who who); /* "owner" */

/* A change that brings the start forward. */
struct fs_advice {
	const char *command; /* for a shell, and for fs_snapshot_edit */
	const char *effects; /* what else it does, sentences; "" nothing */
	enum fs_who who; /* the least who may give it */
	int64_t start_before, start_after; /* planned; before FS_UNKNOWN: it had no start */
	int64_t start_late; /* if the cycle that sees the change comes too late for start_after; FS_UNKNOWN: no other */
	int64_t start_likely; /* where it had none: when it is likely to start all the same; FS_UNKNOWN: not known */
	/* Billing units an hour times the hours of the time limit times the QOS's UsageFactor: what the job is
	 * charged if it runs to its limit; of an array, each task. NAN: not known; INFINITY: no time limit. */
	double cost_before, cost_after;
};

/* Of the job of a row; the earliest start first, of equal ones those the owner may give, then the cheapest. What is
 * proposed is what the scheduler admits: partitions that take the job's account, QOS and time limit, accounts the owner
 * is in, QOS of that association, or of Maui's QLISTs; and from Slurm 20.02.5 to 25.05.2 never TimeMin, which there
 * cuts the job short. The view's usage is not used: plans know of no other clock than the snapshot's.
 * Errors: FS_ENODATA where no commands of the scheduler are known, the job is not pending, or no plan can be made;
 * FS_ENOMEM. */
FS_API int fs_advise(fs_advices **out, const fs_snapshot *s, uint32_t job_row, const struct fs_view *view,
		     struct fs_error *err);
FS_API void fs_advices_free(fs_advices *a); /* NULL is fine */
FS_API size_t fs_advices_count(const fs_advices *a); /* pieces of advice */
FS_API const struct fs_advice *fs_advices_row(const fs_advices *a, size_t i); /* borrowed from a */
FS_API int64_t fs_advices_start(const fs_advices *a); /* planned without a change; FS_UNKNOWN: it has none */
/* The begin time that the job waits for: starts are those of plans as if it had come, and none is earlier but with a
 * command that lets it begin. FS_UNKNOWN: it waits for none, or no command would. */
FS_API int64_t fs_advices_begins(const fs_advices *a);
FS_API size_t fs_advices_tried(const fs_advices *a); /* how many changes were planned */

FS_END_DECLS

#endif
