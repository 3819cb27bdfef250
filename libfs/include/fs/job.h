/* Jobs of a snapshot; the nodes, partitions and reservations they ask for; and the reasons why they wait. */
#ifndef FS_JOB_H
#define FS_JOB_H

#include <fs/usage.h>

FS_BEGIN_DECLS

/* The array that a job record belongs to. */
struct fs_job_array {
	uint64_t job;	   /* job id of the array; 0: the job is in no array */
	const char *tasks; /* array tasks that have no record of their own yet, as a task list: "1,3,5-9%2" */
	uint32_t task;	   /* task number in the array, if has_task is true */
	bool has_task;	   /* true: the job is a single task of an array */
};

/* Request of a job. For a running job, the numbers are those of its allocation, as the scheduler counts them. */
struct fs_job_request {
	int64_t nodes, cpus, tasks; /* number of nodes, CPUs and tasks; FS_UNKNOWN: not known */
	int64_t time_limit_s;	    /* time limit, seconds; FS_UNLIMITED: none; FS_UNKNOWN: unknown */
	/* texts as written by the scheduler; `dependency` is the part of the dependency that is not met yet */
	const char *features, *licenses, *reservation, *dependency;
};

/* Times of a job, seconds since the epoch; FS_UNKNOWN: unknown, or the event has not happened. */
struct fs_job_times {
	int64_t submit, eligible; /* submit: time of submission; eligible: time from which the job may start */
	int64_t start, end;	  /* start and end of the job; a time in the future is the scheduler's estimate */
	int64_t last_sched_eval;  /* last time the scheduler evaluated the job */
	int64_t suspend;	  /* last time the job was suspended or resumed; FS_UNKNOWN: never, or not recorded */
};

/* Maui: positions of a job in the scheduler's lists. */
struct fs_job_position {
	int64_t table;	/* position in the job table; FS_UNKNOWN: unknown */
	int64_t active; /* position among the active jobs listed by showq; FS_UNKNOWN: not listed, or unknown */
};

/* Job i of the snapshot, 0 <= i < fs_snapshot_info()->jobs. Texts are "" if missing. */
struct fs_job {
	uint64_t id, het_job; /* id: job id; het_job: id of the het job that the job is a component of, 0: none */
	/* state and reason as written by the scheduler */
	const char *name, *user, *group, *account, *state, *reason;
	const char *wait_message; /* Maui: why the job does not run, as checkjob prints it; "": unknown */
	/* array of the job; the job is one task of it, or represents all tasks that have no record of their own */
	struct fs_job_array array;
	/* node_list: nodes on which the job runs; sched_nodes: nodes planned for it; both as written by the
	 * scheduler */
	const char *node_list, *sched_nodes;
	uint32_t uid; /* numeric user id, if has_uid is true */
	bool has_uid; /* false: the capture has no user id for the job */
	bool has_name; /* false: the capture has no job name (a known name may be empty) */
	int64_t priority; /* priority as recorded by the scheduler; FS_UNKNOWN: not known */
	struct fs_job_request request; /* resources that the job requests, and conditions for its start */
	struct fs_job_times times; /* submission, start, end and other times */
	struct fs_job_position position; /* Maui: positions in the scheduler's lists */
	/* Maui: name of the partition that the job's nodes belong to; may be cut to three letters; "": the partition
	 * DEFAULT, or unknown */
	const char *maui_partition;
	/* Maui: used processor time as percent of the processor time dedicated to the job; NAN: unknown */
	double efficiency;
	/* Slurm: the scheduler ("Main" or "Backfill") that last evaluated the job; if the job runs, the scheduler that
	 * started it */
	const char *evaluated_by;
	/* time that the job has run, without suspensions, seconds; FS_UNKNOWN: the job is pending, or the time is not
	 * known */
	int64_t run_time_s;
};
/* fills *out with job i; returns false past the end */
FS_API bool fs_snapshot_job(const fs_snapshot *s, size_t i, struct fs_job *out);

/* Parses a job id as the snapshot's scheduler writes it: a decimal number, in Flux also base 58. Returns FS_EUSAGE if
 * `text` is not a job id. */
FS_API int fs_job_id_parse(const fs_snapshot *s, const char *text, uint64_t *id);
/* Finds the job that `text` names: a job id; a task of an array ("28_3"); the tasks of an array that have no record of
 * their own ("28_[1-20]"); or a component of a het job ("31+1"). Sets *row to FS_NO_ROW if there is no such job.
 * Returns FS_EUSAGE if `text` has another form. */
FS_API int fs_job_find(const fs_snapshot *s, const char *text, uint32_t *row);
enum { FS_JOB_ID_TEXT = 24 }; /* buffer size for a formatted job id */
/* Formats a job id as the scheduler writes it. Flux ids are in base 58, with "f" as the first letter if `ascii` is
 * true. Returns buf. */
FS_API const char *fs_job_id_format(const fs_snapshot *s, uint64_t id, bool ascii, char buf[FS_JOB_ID_TEXT]);

/* The following three functions return item `k` of a list in the record of job `i`: partitions, QOS or requested TRES.
 * Past the end of the list they return NULL or false. */
FS_API const char *fs_job_partition(const fs_snapshot *s, size_t i, size_t k);
FS_API const char *fs_job_qos(const fs_snapshot *s, size_t i, size_t k); /* returns the name of the job's k-th QOS */
/* sets *out to the job's k-th requested TRES */
FS_API bool fs_job_tres(const fs_snapshot *s, size_t i, size_t k, struct fs_tres *out);
/* Maui: returns true if job `i` has the flag `flag`, such as "BACKFILL" */
FS_API bool fs_job_flag(const fs_snapshot *s, size_t i, const char *flag);

/* Sets `seen[i]` to true for each job `i` that the viewer may see (PrivateData). `viewer` is a login name; NULL: a
 * viewer who may see all jobs. `seen` has one element per job. */
FS_API void fs_snapshot_visible_jobs(const fs_snapshot *s, const char *viewer, bool *seen);

/* Returns true if the viewer may see the user's ended jobs in the account. PrivateData protects ended jobs in the same
 * way as queued jobs. */
FS_API bool fs_snapshot_shows_jobs_of(const fs_snapshot *s, const char *viewer, const char *user, const char *account);

/* Returns the number of different nodes on which the `n` jobs run. `rows` has the rows of the jobs. If the nodes of a
 * job are unknown, its number of nodes is added. Returns FS_ENOMEM if out of memory. */
FS_API int64_t fs_snapshot_count_nodes(const fs_snapshot *s, const uint32_t *rows, size_t n);

/* Size of the machine and its current use. */
struct fs_machine {
	/* number of processors and number of nodes that are up; FS_UNKNOWN: the snapshot has no nodes */
	int64_t procs, nodes;
	int64_t busy_procs;	     /* number of processors in use, at most `procs` */
	/* number of nodes in use; FS_UNKNOWN: neither the jobs nor the capture show this number */
	int64_t busy_nodes;
};
/* Fills *out with the size and current use of the machine. Errors: FS_ENOMEM. */
FS_API int fs_snapshot_machine(const fs_snapshot *s, struct fs_machine *out);

/* Amounts of one resource of the whole cluster. */
struct fs_resource {
	int64_t total; /* amount of all nodes */
	int64_t used;  /* amount that running jobs use, at most `total` */
	int64_t down;  /* unused amount of nodes that accept no jobs */
};
/* Resources of the cluster. If the snapshot has no nodes, all amounts are 0. */
struct fs_capacity {
	struct fs_resource nodes, cpus, mem_mb, gpus; /* mem_mb: memory in MiB */
};
/* Fills *out with the resources of the cluster and their use. Errors: FS_ENOMEM. */
FS_API int fs_snapshot_capacity(const fs_snapshot *s, struct fs_capacity *out);

/* A partition. */
struct fs_partition {
	const char *name; /* name of the partition */
	int64_t cpus, nodes; /* number of CPUs and of nodes; FS_UNKNOWN: not known */
	const char *state;   /* state, such as "UP", in Flux "STARTED"; "": unknown */
};
/* Fills *out with the partition `name`. Returns false if there is no partition of that name. */
FS_API bool fs_snapshot_partition(const fs_snapshot *s, const char *name, struct fs_partition *out);
/* Fills *out with TRES `k` of the partition: the sum of the amounts of its nodes. Returns false past the end. */
FS_API bool fs_partition_tres(const fs_snapshot *s, const char *name, size_t k, struct fs_tres *out);

/* A node. */
struct fs_node {
	const char *name, *state; /* state: as the scheduler prints it, such as "IDLE+DRAIN"; "": unknown */
	const char *reason; /* why the node is down or drained; "": unknown */
};
/* Fills *out with the node of this name. Returns false if there is none. */
FS_API bool fs_snapshot_node(const fs_snapshot *s, const char *name, struct fs_node *out);

/* A reservation of nodes. */
struct fs_reservation {
	const char *name, *nodes; /* nodes: node list expression; "": unknown */
	/* begin and end of the reservation, seconds since the epoch; FS_UNKNOWN: not known */
	int64_t start_time, end_time;
	bool access_list_known;	      /* Maui: the snapshot has the access list of the reservation */
};
/* Fills *out with reservation i. Returns false past the end. */
FS_API bool fs_snapshot_reservation(const fs_snapshot *s, size_t i, struct fs_reservation *out);
/* Maui: returns true if reservation `i` blocks the job. Such a reservation has not ended, does not admit the job, and
 * has a node that suits the job. The reservation begins before the job would end if the job started at the snapshot's
 * time and ran to its time limit. */
FS_API bool fs_reservation_blocks_job(const fs_snapshot *s, size_t i, size_t job);

/* Receives one name of a node list expression. A nonzero return value stops fs_hostlist_each. */
typedef int (*fs_host_fn)(void *ctx, const char *name, size_t len);
/* Calls `fn` for each name in a node list expression such as `lab[001-040,50]`, for example node_list of a job. Stops
 * when `fn` returns a nonzero value. Returns the last return value of `fn`, or 0 if the list is empty; -1 if `text` is
 * not a node list expression. */
FS_API int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx);

/* Sections of the queue. RUNNING: the job runs. ELIGIBLE: the job waits only for jobs ahead of it and for free
 * resources. Each other section is a reason why the job neither runs nor is eligible. */
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

/* Sections of the page in which FASRC's and TACC's showq list pending jobs. UNLISTED: that program does not know the
 * reason. */
enum fs_showq_section { FS_SHOWQ_UNLISTED, FS_SHOWQ_WAITING, FS_SHOWQ_BLOCKED, FS_SHOWQ_ERRORED };
/* The entry of a reason in such a program. */
struct fs_showq_entry {
	enum fs_showq_section section; /* section of the page */
	const char *state; /* text in the column STATE; NULL if the reason is unlisted */
};

/* A pending reason and its meaning. All commands use the same table of reasons. */
struct fs_reason {
	const char *name; /* name as printed by the scheduler */
	enum fs_section section; /* section of the queue to which jobs with this reason belong */
	/* number of the reason in Slurm 26.11, which several texts may share; 0: reason of another scheduler */
	unsigned number;
	/* limit: limit that the reason names, such as "GrpTRES"; resource: limited resource, such as "CPUs"; "": the
	 * reason names no limit */
	const char *limit, *resource;
	/* meaning: meaning of the reason; clears: event or action that ends the reason. Both texts are clauses without
	 * a full stop. The meaning of a hold may be a participle that follows "the job is": "held by its owner". */
	const char *meaning, *clears;
	bool eligible; /* true: the scheduler tries to start a job with this reason */
	/* sentence that says what a job with this reason needs if it can never start; NULL: none */
	const char *remedy;
	struct fs_showq_entry fasrc, tacc; /* entries of FASRC's and TACC's showq */
};
/* Slurm: number of the reason "Resources", and of the texts of topology plugins that replace it since 26.05 */
enum { FS_REASON_RESOURCES = 3 };
FS_API const struct fs_reason *fs_reason_at(size_t i); /* entry i of the table of reasons; NULL past the end */

/* Finds the reason that a job's reason text names. Also accepts a name with details added by the controller
 * ("ReqNodeNotAvail,_Unavail...") and a sentence that the controller wrote instead of the name
 * ("Nodes_required_for_job_are_DOWN,..."). "" means the reason "None". Returns NULL if the text names no known
 * reason. */
FS_API const struct fs_reason *fs_reason_find(const char *text);

/* Returns the section of job `i` and sets *reason to the job's pending reason; to NULL if that reason is not a known
 * one. Limits and holds that only fs_queue computes (Maui, Flux) are not considered. */
FS_API enum fs_section fs_job_section(const fs_snapshot *s, size_t i, const struct fs_reason **reason);

/* Iterates in row order over all jobs that are not pending, and perhaps over some pending jobs. This iteration is
 * faster than a scan of all jobs. Returns the row of the next job, FS_NO_ROW at the end. *at is the position of the
 * iteration; set *at to 0 before the first call. */
FS_API uint32_t fs_job_next_active(const fs_snapshot *s, size_t *at);

/* Returns true if the section of job i is FS_SECTION_RUNNING. */
FS_API bool fs_job_is_running(const fs_snapshot *s, size_t i);

/* Returns the number of jobs that a job record represents: for an array, the number of tasks without a record of their
 * own; else 1. Sets *exact to false if the task list was cut in the capture; the real number is then greater. */
FS_API uint64_t fs_job_tasks(const fs_snapshot *s, size_t i, bool *exact);

/* Sets `place[row]` to a sort key that orders all jobs as in Slurm's job list. Lower keys come first. No two keys are
 * equal (src/slurmctld/job_mgr.c: job_array_split). `place` has one element per job. Returns -1 if out of memory. */
FS_API int fs_jobs_list_order(const fs_snapshot *s, uint64_t *place);

FS_END_DECLS

#endif
