/* Site: why the pending jobs of a cluster, or of one part of it, wait, and which limits, nodes and settings make them
 * wait. */
#ifndef FS_SITE_H
#define FS_SITE_H

#include <fs/cause.h>
#include <fs/explain.h>
#include <fs/queue.h>

FS_BEGIN_DECLS

/* Parts of a cluster. A job belongs to a partition or QOS that it asks for or runs in, to its reservation, and to
 * a node on which it runs, or which is in a partition that the pending job asks for. */
#define FS_SITE_PARTS(X) \
	X(ALL, "site") X(PARTITION, "partition") X(QOS, "QOS") X(NODE, "node") X(RESERVATION, "reservation")
#define FS_SITE_PART_ENUM(tag, name) FS_SITE_##tag,
enum fs_site_part { FS_SITE_PARTS(FS_SITE_PART_ENUM) FS_SITE_PART_COUNT };
#undef FS_SITE_PART_ENUM
FS_API const char *fs_site_part_name(enum fs_site_part part); /* "partition" */

/* Returns true if the snapshot has the part `name`, and PrivateData does not hide it from the viewer (NULL: a user who
 * sees everything). */
FS_API bool fs_site_has_part(const fs_snapshot *s, const char *viewer, enum fs_site_part part, const char *name);

/* The result. Only jobs that the viewer may see are counted. */
typedef struct fs_site fs_site;

/* Number of pending jobs, and what they ask for. Each array task counts as one job. */
struct fs_site_sum {
	uint64_t jobs; /* number of jobs */
	/* sum of number of nodes times time limit, hours; jobs with an unknown number of nodes, or without a known time
	 * limit, add nothing */
	double node_hours;
	uint64_t unmeasured; /* number of jobs that add nothing to `node_hours` */
	int64_t oldest_time; /* earliest submission time, seconds since the epoch; FS_UNKNOWN: not known */
	uint32_t oldest_row; /* row of the job that was submitted at `oldest_time`; FS_NO_ROW: not known */
};

/* The pending jobs that wait for one kind of constraint. The kind of a job follows from the verdict on the job. If the
 * verdict is only that the job is in the queue, the kind follows from what the job's row in the plan waits for. Unlike
 * fs_causes_find, no plan is made without the constraint. */
struct fs_site_cause {
	bool never;              /* the jobs can never start as they are; `kind` is then without meaning */
	enum fs_cause_kind kind; /* kind of the constraint */
	struct fs_site_sum sum;  /* the jobs */
};

/* Nodes that take no jobs until an administrator acts. They have the same state and reason. */
struct fs_site_nodes {
	const char *names;          /* node list expression; ends with ",..." if it is cut */
	uint32_t nodes;             /* number of nodes */
	const char *state, *reason; /* as in struct fs_node */
	/* number of pending jobs that wait for nodes that are down or drained, in a partition with one of the nodes */
	uint64_t jobs;
};

/* A limit that blocks at least one pending job: the limit with which the verdict on the job agrees. */
struct fs_site_cap {
	struct fs_explain_limit limit; /* the limit, its value and its use, as for the first blocked job */
	struct fs_site_sum sum;        /* the blocked jobs */
	/* command that removes the limit, in a form that fs_snapshot_edit accepts; NULL: there is none */
	const char *remove;
	/* true: the plan of the snapshot after `remove` was made, and the next members are set */
	bool tried;
	/* Numbers of job records; a record is a job or an array. starting: start within a minute of the snapshot's
	 * time only in that plan; earlier, later: start at least a minute earlier or later than in the plan without the
	 * command, or only in one of the two plans. */
	uint64_t starting, earlier, later;
};

/* A setting that has no effect, or that another setting or the queue contradicts. */
struct fs_site_setting {
	const char *name; /* name of the parameter */
	const char *text; /* a sentence */
};

/* One user in one account. */
struct fs_site_user {
	const char *user, *account; /* "": not known */
	uint64_t running;           /* number of running jobs */
	int64_t cpus;               /* number of CPUs of the running jobs */
	uint64_t waiting;           /* number of pending jobs; each array task counts */
};

/* Options of fs_site_compute. */
struct fs_site_options {
	size_t size;            /* size of this struct in bytes; FS_SITE_OPTIONS_INIT sets it */
	struct fs_view view;    /* view of the queue and the plans; the member `usage` of the view is ignored */
	enum fs_site_part part; /* part of the cluster whose jobs and nodes are counted */
	const char *name;       /* name of the part; unused if `part` is FS_SITE_ALL */
	size_t max_trials;      /* maximum number of limits whose removal is tried, each with a plan */
};
#define FS_SITE_OPTIONS_INIT FS_INIT(struct fs_site_options)

/* Computes the result with one plan of the snapshot, and one plan for each limit whose removal is tried. If the
 * snapshot lacks data for a plan, the causes follow from the verdicts alone, and no removal is tried. Errors:
 * FS_ENODATA if the scheduler's order is not known; FS_ENOMEM. */
FS_API int fs_site_compute(fs_site **out, const fs_snapshot *s, const struct fs_site_options *options,
			   struct fs_error *err);
FS_API void fs_site_free(fs_site *x); /* NULL is allowed */

/* All pending jobs; the sums of the causes add up to this sum. */
FS_API const struct fs_site_sum *fs_site_get_sum(const fs_site *x);
/* Returns why there is no plan, a message without the name of the file; NULL: there is a plan. */
FS_API const char *fs_site_get_no_plan(const fs_site *x);
/* Returns the queue from which the result was computed, for verdicts on its jobs; borrowed from x. */
FS_API const struct fs_queue *fs_site_get_queue(const fs_site *x);
/* Returns true if nodes are hidden from the viewer (PrivateData), so no nodes are listed. */
FS_API bool fs_site_hides_nodes(const fs_site *x);

/* The next three functions return element i, borrowed from x; NULL past the end. The elements with the most jobs come
 * first. This function returns a kind of cause. */
FS_API const struct fs_site_cause *fs_site_get_cause(const fs_site *x, size_t i);
/* Returns unavailable nodes with the same state and reason. */
FS_API const struct fs_site_nodes *fs_site_get_nodes(const fs_site *x, size_t i);
/* Returns a limit that blocks jobs. */
FS_API const struct fs_site_cap *fs_site_get_cap(const fs_site *x, size_t i);
/* Returns setting i; NULL past the end. Only settings of Slurm are checked. */
FS_API const struct fs_site_setting *fs_site_get_setting(const fs_site *x, size_t i);
/* Returns the i-th user, most running jobs first; NULL past the end. Only computed for a part of a cluster. */
FS_API const struct fs_site_user *fs_site_get_user(const fs_site *x, size_t i);
/* Returns the row of the i-th running job, earliest end first, and sets *time to its end; FS_NO_ROW past the end. Only
 * computed for a part of a cluster. */
FS_API uint32_t fs_site_get_running(const fs_site *x, size_t i, int64_t *time);
/* Returns the row of the pending job with the i-th planned start, and sets *time to this start; FS_NO_ROW past the end.
 * Only computed for a part of a cluster. */
FS_API uint32_t fs_site_get_start(const fs_site *x, size_t i, int64_t *time);
/* Returns the row of the i-th job that can never start as it is; FS_NO_ROW past the end. */
FS_API uint32_t fs_site_get_never(const fs_site *x, size_t i);

FS_END_DECLS

#endif
