/* Advice: changes with which a pending job would start earlier. */
#ifndef FS_ADVISE_H
#define FS_ADVISE_H

#include <fs/plan.h>

FS_BEGIN_DECLS

/* Changes that give a pending job an earlier planned start. Each piece of advice is one change. The library verifies
 * each change: fs_snapshot_edit applies the command of the change to a copy of the snapshot, and fs_plan_compute
 * computes the new start. */
typedef struct fs_advices fs_advices;

/* Roles that may run a command, from the least to the most privileged. A role may run the commands of all earlier
 * roles. */
#define FS_WHOS(X) X(OWNER, "owner") X(COORDINATOR, "coordinator") X(OPERATOR, "operator") X(ADMINISTRATOR, "administrator")
#define FS_WHO_ENUM(tag, name) FS_WHO_##tag,
enum fs_who { FS_WHOS(FS_WHO_ENUM) FS_WHO_COUNT };
#undef FS_WHO_ENUM
FS_API const char *fs_who_name(enum fs_who who); /* "owner" */

/* A change that gives the job an earlier start. */
struct fs_advice {
	const char *command; /* command that makes the change, in a form that a shell and fs_snapshot_edit accept */
	const char *effects; /* side effects of the change, as sentences; "": none */
	enum fs_who who; /* least privileged role that may run the command */
	/* Seconds since the epoch. start_before: planned start without the change, FS_UNKNOWN: none; start_after:
	 * planned start with the change. */
	int64_t start_before, start_after;
	/* Later planned start with the change, if no scheduling cycle runs in time to start the job at start_after.
	 * FS_UNKNOWN: there is no later start, or the later start is less than one minute after start_after. */
	int64_t start_late;
	/* likely start without the change, seconds since the epoch, if the job has no planned start; FS_UNKNOWN: not
	 * known */
	int64_t start_likely;
	/* Cost of the job without and with the change, if it runs to its time limit: billing units per hour * time
	 * limit in hours * UsageFactor of the QOS. For an array, the cost of one task. NAN: unknown; INFINITY: no time
	 * limit. */
	double cost_before, cost_after;
};

/* Computes advice for the job in row job_row. The member `usage` of *view is ignored, because plans start at the
 * snapshot's time. Sort keys of the advice:
 *   1. planned start with the change, earliest first
 *   2. role that may run the command, least privileged first
 *   3. cost with the change, lowest first
 * The scheduler accepts each proposed command. A command names only
 *   - partitions that admit the job's account, QOS and time limit
 *   - accounts of the job's owner
 *   - QOS that the owner's association or Maui's QLISTs permit
 * TimeMin is never proposed for Slurm 20.02.5 to 25.05.2, because backfill lowers a job's time limit
 * to TimeMin. Errors: FS_ENODATA if the commands of the scheduler are not known, the job is not pending, or no plan can
 * be computed; FS_ENOMEM. */
FS_API int fs_advise(fs_advices **out, const fs_snapshot *s, uint32_t job_row, const struct fs_view *view,
		     struct fs_error *err);
FS_API void fs_advices_free(fs_advices *a); /* NULL is allowed */
FS_API size_t fs_advices_count(const fs_advices *a); /* number of pieces of advice */
FS_API const struct fs_advice *fs_advices_row(const fs_advices *a, size_t i); /* valid until the advice is freed */
/* planned start without a change, seconds since the epoch; FS_UNKNOWN: none */
FS_API int64_t fs_advices_start(const fs_advices *a);
/* Returns the begin time for which the job waits; FS_UNKNOWN if there is none, or if no command can remove it. Plans
 * ignore this begin time. If a planned start is earlier than the begin time, the advice contains the begin time instead
 * of the planned start, unless the proposed change removes the begin time. */
FS_API int64_t fs_advices_begins(const fs_advices *a);
FS_API size_t fs_advices_tried(const fs_advices *a); /* number of changes for which a plan was computed */

FS_END_DECLS

#endif
