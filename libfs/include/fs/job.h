/* Jobs of a snapshot, the nodes, partitions and reservations that they ask for, and the reasons why they wait. */
#ifndef FS_JOB_H
#define FS_JOB_H

#include <fs/usage.h>

FS_BEGIN_DECLS

/* A job as it stands in the snapshot, 0 <= i < fs_snapshot_info()->jobs; texts "" when there is none. */
struct fs_job {
	uint64_t id, array_job, het_job; /* 0: it belongs to none */
	/* State and reason as the scheduler writes them. */
	const char *name, *user, *group, *account, *state, *reason;
	const char *array_tasks; /* not yet split off: "1,3,5-9%2" */
	uint32_t task;		 /* of the array, if has_task */
	bool has_task; /* it is the task of an array */
	/* As the scheduler writes them. */
	const char *node_list, *sched_nodes, *reservation, *dependency, *features, *licenses;
	uint32_t uid; /* if has_uid */
	bool has_uid; /* false: the capture has no user ids */
	bool has_name; /* a job may be without a name, or have an empty one */
	int64_t priority, nodes, cpus, tasks; /* FS_UNKNOWN like those below */
	int64_t table_place; /* Maui: in the scheduler's job table */
	int64_t active_place; /* Maui: among the active jobs that showq listed */
	int64_t time_limit_s;	       /* or FS_UNLIMITED */
	int64_t submit_time, eligible_time, start_time, end_time, last_sched_eval; /* seconds since 1970 */
	const char *maui_partition; /* Maui: of its nodes, or the first three letters; "" DEFAULT, or not known */
	const char *looked_at_by; /* Slurm: "Main" or "Backfill", which started it if it runs */
	double efficiency; /* Maui: percent of its processor time used; NAN unknown */
	int64_t suspend_time; /* when it was last suspended or resumed; FS_UNKNOWN: never, or not recorded */
	int64_t ran_s; /* how long it has run, without the time it was suspended; FS_UNKNOWN: pending, or not known */
};
FS_API bool fs_snapshot_job(const fs_snapshot *s, size_t i, struct fs_job *out); /* job i */

/* A job id as the snapshot's scheduler writes it: a decimal number, in Flux base 58 too. FS_EUSAGE: it is none. */
FS_API int fs_job_id_parse(const fs_snapshot *s, const char *text, uint64_t *id);
/* Finds the job that a text means: an id as above, the task of an array ("28_3", or "28_[1-20]" the rest of it), a
 * component of a het job ("31+1"). FS_EUSAGE: the text is none. *row: FS_NO_ROW if no job of the snapshot fits. */
FS_API int fs_job_find(const fs_snapshot *s, const char *text, uint32_t *row);
enum { FS_JOB_ID_TEXT = 24 }; /* room for a job id in words */
/* The id as the scheduler writes it, in Flux in base 58; "f" for its first letter where ascii is set. Returns buf. */
FS_API const char *fs_job_id_format(const fs_snapshot *s, uint64_t id, bool ascii, char buf[FS_JOB_ID_TEXT]);

/* Item k of a job's lists: NULL, or false, past the end. TRES as requested, in the recorded order. */
FS_API const char *fs_job_partition(const fs_snapshot *s, size_t i, size_t k);
FS_API const char *fs_job_qos(const fs_snapshot *s, size_t i, size_t k); /* names of QOS */
FS_API bool fs_job_tres(const fs_snapshot *s, size_t i, size_t k, struct fs_tres *out); /* k-th TRES */
FS_API bool fs_job_flag(const fs_snapshot *s, size_t i, const char *flag); /* Maui: "BACKFILL" */

/* seen[i]: may this login name see job i (PrivateData)? NULL sees all. Room for as many as there are jobs. */
FS_API void fs_snapshot_visible_jobs(const fs_snapshot *s, const char *viewer, bool *seen);

/* May jobs of this user in this account, which have ended, be seen as those of the queue are? */
FS_API bool fs_snapshot_shows_jobs_of(const fs_snapshot *s, const char *viewer, const char *user, const char *account);

/* How many different nodes n jobs run on; a job whose nodes are not known counts with their number. Error:
 * FS_ENOMEM. */
FS_API int64_t fs_snapshot_count_nodes(const fs_snapshot *s, const uint32_t *rows, size_t n);

/* What is up of a cluster, and what running jobs use of it. */
struct fs_machine {
	int64_t procs, nodes;	     /* up; FS_UNKNOWN without nodes */
	int64_t busy_procs;	     /* no more than procs */
	int64_t busy_nodes;	     /* FS_UNKNOWN where neither the jobs' sizes nor the capture tell */
};
/* Error: FS_ENOMEM. */
FS_API int fs_snapshot_machine(const fs_snapshot *s, struct fs_machine *out);

/* What of a partition is known. */
struct fs_partition {
	const char *name; /* as in the snapshot */
	int64_t cpus, nodes; /* FS_UNKNOWN */
	const char *state;   /* "UP", Flux: "STARTED"; "" unknown */
};
/* False: there is none of that name. */
FS_API bool fs_snapshot_partition(const fs_snapshot *s, const char *name, struct fs_partition *out);
/* TRES k of all its nodes together. */
FS_API bool fs_partition_tres(const fs_snapshot *s, const char *name, size_t k, struct fs_tres *out);

/* Nodes that are kept for a time. */
struct fs_reservation {
	const char *name, *nodes; /* nodes: an expression, "" unknown */
	int64_t start_time, end_time; /* FS_UNKNOWN */
	bool admits_told;	      /* Maui: is it known whom it admits? */
};
/* False past the end. */
FS_API bool fs_snapshot_reservation(const fs_snapshot *s, size_t i, struct fs_reservation *out);
/* Maui: does reservation i have nodes that suit the job, in a time that the job, started now, would reach into? */
FS_API bool fs_reservation_bars(const fs_snapshot *s, size_t i, size_t job);

/* Names of a node list expression such as `lab[001-040,50]`, as node_list of a job and nodes of a reservation are, each
 * to the callback, which stops by returning other than 0. -1 when it is no such expression. */
typedef int (*fs_host_fn)(void *ctx, const char *name, size_t len);
FS_API int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx); /* 0, or what fn returned */

/* Where a job stands: it runs, it waits for its turn alone, or something blocks it. */
#define FS_SECTIONS(X)                                                                             \
	X(RUNNING, "running") X(ELIGIBLE, "eligible") X(REQUEST, "own request") X(HELD, "held")    \
	X(PARTITION, "partition") X(RESERVATION, "reservation") X(NODES, "nodes")                  \
	X(RESOURCES, "resources") X(ACCESS, "access") X(ASSOC_LIMIT, "association limit")          \
	X(QOS_LIMIT, "qos limit") X(TRANSIENT, "transient") X(COMPLETING, "completing")            \
	X(SUSPENDED, "suspended") X(ENDED, "ended") X(OTHER, "other")
#define FS_SECTION_ENUM(tag, name) FS_SECTION_##tag,
enum fs_section { FS_SECTIONS(FS_SECTION_ENUM) FS_SECTION_COUNT };
#undef FS_SECTION_ENUM
FS_API const char *fs_section_name(enum fs_section section); /* "own request" */

/* What a pending reason means: one table for every command. */
struct fs_reason {
	const char *name; /* as the scheduler prints it */
	enum fs_section section; /* where jobs stand that show it */
	unsigned number;	     /* in Slurm 26.11; 0: another scheduler's */
	const char *limit, *resource; /* "GrpTRES", "CPUs"; "" if it is no limit */
	const char *meaning, *clears; /* clauses without a full stop; of a limit, said of the association or QOS */
	bool eligible; /* the scheduler still tries a job that shows it */
};
FS_API const struct fs_reason *fs_reason_at(size_t i); /* NULL past the end */

/* By the text a job shows, with what the controller adds or puts in its place ("ReqNodeNotAvail,_Unavail...",
 * "Nodes_required_for_job_are_DOWN,..."). NULL if it is none; "" is None. */
FS_API const struct fs_reason *fs_reason_find(const char *text);

/* The section of any job; *reason its entry or NULL. What Maui and Flux hold back only the queue knows. */
FS_API enum fs_section fs_job_section(const fs_snapshot *s, size_t i, const struct fs_reason **reason);

/* The jobs that do not wait, and perhaps some that do, by rising row: *at is 0 before the first, FS_NO_ROW behind
 * the last. They are few of many jobs. */
FS_API uint32_t fs_job_next_begun(const fs_snapshot *s, size_t *at);

/* Is its section FS_SECTION_RUNNING? */
FS_API bool fs_job_runs(const fs_snapshot *s, size_t i);

/* How many jobs a record stands for: the tasks of an array not yet split off, else 1. *exact false: the
 * list was cut when it was captured, and there are more. */
FS_API uint64_t fs_job_tasks(const fs_snapshot *s, size_t i, bool *exact);

/* Fills, by row, where each of the snapshot's jobs stands in Slurm's list of them: lesser numbers go first, no two are
 * alike (src/slurmctld/job_mgr.c: job_array_split). place: as many as there are jobs. -1 without memory. */
FS_API int fs_jobs_listed(const fs_snapshot *s, uint64_t *place);

FS_END_DECLS

#endif
