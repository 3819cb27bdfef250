/* Explanation: results of an evaluation, arranged for the pages that explain jobs, users and accounts. */
#ifndef FS_EXPLAIN_H
#define FS_EXPLAIN_H

#include <fs/eval.h>
#include <fs/verdict.h>

FS_BEGIN_DECLS

/* An explanation of one evaluation. It adds and subtracts computed numbers and computes nothing else. */
typedef struct fs_explain fs_explain;

/* Creates an explanation that borrows the evaluation. A result that is NULL in the evaluation is unknown, and so is
 * everything that depends on it. The viewer's own jobs are marked; without a viewer, the jobs of the explained job's
 * user are marked. Errors: FS_ENOMEM. */
FS_API int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err);
FS_API void fs_explain_free(fs_explain *x); /* also frees everything the explanation returned */

/* Returns the row of the job that a user means by "12", "12_3" (a task, or the array that still contains it) or
 * "12_[1-5]". FS_NO_ROW: no such job, or the viewer may not see it. */
FS_API uint32_t fs_explain_find_job(const fs_explain *x, const char *word);

/* Returns the share row of an account (user ""), or of a user in the account. With account "", returns the user's row
 * in the default account, else the user's first row. FS_NO_ROW: no visible row. */
FS_API uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user);

/* ---- fair-share path */

/* One level of the path from the root (not included) down to a row. Each level has one row on the path, which competes
 * with its siblings. */
struct fs_explain_level {
	/* row: share row on the path; above: share row of the siblings' parent, skipping accounts with `parent`
	 * shares */
	uint32_t row, above;
	/* all rows that compete at this level, `row` included; best first if the algorithm ranks */
	const uint32_t *siblings;
	uint32_t count; /* number of siblings */
	/* place: 1-based rank of `row` among the siblings, 0: not ranked; tied: number of siblings ranked equal to
	 * `row`; in Flux, only siblings of the same kind (bank or user) */
	uint32_t place, tied;
	bool other_kind_ties; /* Flux: a bank and a user at this level have equal values; users come first */
	double level_shares;	   /* sum of the siblings' raw shares; NAN: unknown */
	double level_usage;	   /* Flux: sum of the siblings' usage, TRES seconds */
	/* flux_range: siblings of equal weight form a group. group: 1-based number of the group of `row`, counted from
	 * the lowest; groups: number of groups. Both are 0 if there are no shares. */
	uint32_t group, groups;
	uint32_t lower;		   /* flux_range: one row of the next lower group; FS_NO_ROW: there is no lower group */
	/* depth_oblivious: Rp, Rl and k in Slurm's formula for effective usage; else NAN */
	double parent_ratio, level_ratio, damping;
};

/* The path from the top of the tree to a row, and the factor computed for the row. */
struct fs_explain_path {
	const char *algorithm; /* name of the algorithm that computed the factor */
	uint32_t row; /* share row at the end of the path */
	const struct fs_explain_level *level; /* levels from the top down; none for the root */
	size_t levels; /* number of levels */
	bool user; /* true: the row is a user; false: an account */
	/* the rank among users is known: `users`, `better`, `tied` and `worse` are set */
	bool rank_known;
	uint32_t users;			  /* number of ranked users */
	/* number of users that are better than, equal to and worse than this user; compared by rank if users are
	 * ranked, else by factor */
	uint32_t better, tied, worse;
	uint32_t rank; /* rank as the scheduler numbers it (Fair Tree, Flux): `users` is best, 1 is last; 0: none */
	double factor; /* fair-share factor used in priorities; NAN: unknown, or the row is an account */
	double formula_usage, formula_shares, dampening; /* classic: 2^(-usage / shares / dampening) */
	uint32_t formula_row; /* row whose usage and shares the formula uses; an ancestor if the shares are `parent` */
	double recorded;		  /* factor printed by the scheduler; NAN: unknown */
	/* flux_range: the factor is a position in the nested ranges of 0..1 that rows on the path get; `rank` is set
	 * too */
	bool has_ranges;
	/* the factor is the one that the scheduler printed, since the tree was hidden from the capture */
	bool recorded_factor_used;
	bool hidden;			  /* some rows that determine the factor are hidden from the viewer */
};

/* Fills *out for a share row. Errors: FS_ENOMEM. */
FS_API int fs_explain_path(fs_explain *x, uint32_t share_row, struct fs_explain_path *out, struct fs_error *err);

/* ---- job */

/* Numbers from which the points of a Maui term are computed, besides its factor. The term's weight is group_weight *
 * (own_weight + qos_weight), and a cap may reduce its points. */
struct fs_explain_parts {
	/* weight of the component that contains the term; the term's own weight; weight that the QOS adds to it */
	double group_weight, own_weight, qos_weight;
	double uncut_value, uncut_points; /* factor and points before the cap */
	double cut_points;		  /* points removed by the cap, signed; 0: none */
};

/* Priority sum of a job in one partition with one QOS. */
struct fs_explain_sum {
	const char *partition, *qos; /* partition and QOS; "": the job names none */
	const struct fs_prio_term *terms; /* terms of the sum; NULL: unknown */
	const struct fs_prio_inputs *inputs; /* inputs of each term */
	size_t nterms; /* number of elements of terms, inputs, parts and recorded_points */
	bool direct; /* the priority was set by an administrator, and the terms do not count */
	double sum, total;   /* sum of the terms, before and after the scheduler rounds it to a whole number */
	double urgency;	     /* as `urgency` in fs_prio_row */
	struct fs_prio_step steps[FS_STEPS]; /* as in fs_prio_row */
	size_t nsteps; /* number of elements of `steps` */
	const struct fs_explain_parts *parts; /* Maui: weights and uncapped points of each term; else NULL */
	const struct fs_prio_group *groups; /* Maui: components of the sum */
	size_t ngroups; /* number of components; 0 except in Maui */
	/* if `terms` is NULL: terms whose points the scheduler printed; their weights are NAN */
	const struct fs_prio_term *printed;
	size_t nprinted; /* number of printed terms; 0 if there are computed terms */
	double recorded;     /* priority printed or stored by the scheduler; NAN: unknown */
	const double *recorded_points; /* points of each term as printed, in whole numbers; NULL: not recorded */
	/* priority by which the queue is sorted: the recorded priority, or else the computed one; NAN: unknown */
	double queue_priority;
	int64_t tier;	     /* tier of the partition */
	/* 1-based position among the eligible queue entries of the partition (of all partitions if
	 * fs_queue_has_single_order), and number of these entries; 0: not eligible */
	uint32_t position, of;
	uint32_t queue_row;  /* queue row of the job in this partition with this QOS; FS_NO_ROW: none */
};

/* Jobs ahead of a job, grouped by account, user and array. Each group is followed by its subgroups. */
struct fs_explain_group {
	/* what the jobs of the group have in common: 0: the account; 1: also the user; 2: also the array */
	unsigned depth;
	const char *account, *user; /* account and user that the jobs have in common; "": none */
	uint64_t array; /* array id, at depth 2; else 0 */
	uint32_t entries;	/* number of queue entries; an array whose tasks are not split off counts as one */
	uint64_t jobs;		/* number of jobs, each array task counted */
	int64_t cpus, gpus;	/* resources requested by the jobs; cpus is FS_UNKNOWN if some are unknown */
	/* sum of CPUs * time limit; NAN: some time limits or CPUs are unknown; INFINITY: a job has no time limit */
	double cpu_hours;
	/* indexed by sort key: number of entries that are ahead of this job because of that key */
	uint32_t by[FS_QUEUE_KEY_COUNT];
	enum fs_queue_key key;	/* sort key that puts most of the entries ahead (maximum of `by`) */
	/* if `key` is the priority: term with the greatest difference in favour of the group; FS_NO_ROW: none */
	size_t term;
	double difference;	/* mean points of the group in `term`, minus the points of this job */
	double lowest, highest, own; /* factor in `term`: lowest and highest in the group, and the factor of this job */
	uint32_t direct;	/* number of entries with a priority set by an administrator */
	/* Number of entries that this job overtakes by waiting: an entry that is behind this job once both have their
	 * full age. Maui: number of entries that gain fewer points per hour than this job. */
	uint32_t passed;
	bool is_own;		/* the jobs are the viewer's own */
};

/* Another partition whose jobs compete for nodes of this partition, or may compete. */
struct fs_explain_rival {
	const char *partition; /* name of the other partition */
	int64_t tier; /* tier of the other partition; FS_UNKNOWN: the scheduler has no tiers */
	bool certain; /* true: the partitions share nodes; false: their nodes are not recorded */
	/* number of entries of that partition ahead of this job in the whole queue; they are not counted in any
	 * group */
	uint32_t entries;
	uint64_t jobs; /* number of jobs in these entries, each array task counted */
};

/* All entries ahead of a job in its partition, or in the whole queue if the scheduler has one order. */
struct fs_explain_ahead {
	/* groups by account, sorted by falling number of jobs; each is followed by its subgroups */
	const struct fs_explain_group *groups;
	size_t ngroups; /* number of groups at all depths */
	struct fs_explain_group all; /* totals of all groups; `account` and `user` are "" */
	const struct fs_explain_rival *rivals; /* competing partitions, by falling tier */
	size_t nrivals; /* number of competing partitions */
	uint32_t own_entries; /* number of entries ahead that belong to the job's user */
	uint32_t next;	      /* queue row directly ahead of the job in its partition; FS_NO_ROW: none */
	uint32_t unseen;      /* number of entries hidden from the viewer; they are not counted in any group */
	double gain;	      /* Maui: points per hour that the job currently gains by waiting; else NAN */
};

/* Kind of record that sets a limit. */
enum fs_limit_scope { FS_LIMIT_ASSOC, FS_LIMIT_ACCOUNT, FS_LIMIT_QOS, FS_LIMIT_PARTITION_QOS };

/* A user or account that uses part of a limit. */
struct fs_explain_holder {
	const char *user, *account; /* `user` is "" if the account as a whole uses part of the limit */
	uint64_t jobs; /* number of jobs of this user or account that count against the limit */
	double amount; /* amount that these jobs use, in the unit of the limit's value */
};

/* A limit, its current use, and the amount that the job would add. */
struct fs_explain_limit {
	/* name: for example "GrpTRES"; tres: for example "cpu", "" for a limit on jobs or time, the unit of the limit
	 * for a fair-share cap of Maui */
	const char *name, *tres;
	enum fs_limit_scope scope; /* kind of record that sets the limit */
	const char *set_by;	  /* name of the account or QOS that sets the limit */
	const char *counted_for; /* user or account whose jobs are counted; "": all */
	const char *user;  /* Maui class: user whose jobs are counted; NULL or "": all */
	const char *partition, *qos; /* partition and QOS of the job to which the limit applies; "": all of them */
	/* value of the limit, its current use, and the amount that the job would add or asks for; in TRES, jobs,
	 * seconds or TRES minutes */
	double value, used, wants;
	double factor;	  /* LimitFactor of the QOS, already included in `value`; 1: none */
	/* TRES minutes that running jobs may still use, if they count against the limit in addition to `used`; NAN:
	 * they do not */
	double reserved_minutes;
	bool per_job;	  /* the limit applies to a single job, so `used` has no meaning */
	bool is_min;	  /* per_job: the limit is a minimum */
	bool blocks;	  /* the job would exceed the limit */
	bool never;	  /* the job alone exceeds the limit */
	bool named;	  /* the job's pending reason names this kind of limit */
	const struct fs_explain_holder *holders; /* largest users of the limit, greatest first */
	size_t nholders; /* number of holders that the viewer may see */
	/* reason why `wants` is more than the job asks for; FS_CPU_GROWTH_NONE: it is not more */
	enum fs_cpu_growth grows;
};

/* A partition in which the job may run, with a QOS it may use there. */
struct fs_explain_choice {
	const char *partition, *qos; /* "": unknown; `qos` is also "" if the QOS makes no difference */
	bool blocked; /* a limit blocks the job in this partition with this QOS */
	/* the job can never start in this partition: waiting does not lift the limit, or the partition cannot run the
	 * job */
	bool never;
	bool untried; /* the scheduler skips the job in this partition without looking for nodes */
	bool passed_over; /* the scheduler reaches the job in the queue, and skips it only because of a limit */
};

/* A request of the job that a partition cannot satisfy, or does not allow. */
struct fs_explain_obstacle {
	const char *partition; /* "": no partition is named */
	/* resource or property: "cpu", "node", "gres/gpu", "time", "account", "qos". Flux: "node_cpu" and "node_gpu"
	 * (of one node). Maui: "partition_cpu" (of the node partition that has the most). */
	const char *what;
	const char *name; /* account or QOS that is not allowed, or the Maui node partition; else "" */
	double wants, has; /* amount that the job requests, and amount that is available; time in seconds */
};

/* State of a job in the explanation. */
enum fs_explain_state {
	FS_EXPLAIN_ENDED,
	FS_EXPLAIN_RUNNING,
	FS_EXPLAIN_NEVER, /* cannot start: the job or the configuration must change */
	FS_EXPLAIN_HELD,
	FS_EXPLAIN_BLOCKED, /* waits for something other than its turn */
	FS_EXPLAIN_QUEUED   /* eligible; waits for its turn */
};

/* Explanation of one job. */
struct fs_explain_job {
	uint32_t job_row; /* row of the job, as given by the caller */
	enum fs_explain_state state; /* state derived from the verdict, or from the section if there is no queue */
	struct fs_verdict verdict; /* verdict on the job; its `kind` is FS_VERDICT_NONE if there is no queue */
	enum fs_section section; /* section derived from the pending reason */
	const struct fs_reason *reason; /* pending reason; NULL: not a known reason */
	/* priority sums, in the order in which the scheduler tries the job's partitions and QOS; none if the job has no
	 * priority */
	const struct fs_explain_sum *sums;
	size_t nsums; /* number of sums, one for each partition and QOS that the job asks for */
	struct fs_explain_ahead ahead;	   /* queue entries ahead of sums[0], if the job is eligible */
	bool has_accrue; /* `accrue` is filled: the job is a pending job of Slurm */
	struct fs_accrue_row accrue; /* whether the age of the job grows */
	uint32_t share_row;		   /* share row of the job's association; FS_NO_ROW: unknown */
	struct fs_explain_path path;	   /* fair-share path of share_row */
	const struct fs_explain_choice *choices; /* Slurm: all combinations of partition and QOS, in the job's order */
	size_t nchoices; /* number of elements of `choices`; 0 except in Slurm */
	/* first limits that block the job and that its pending reason names, then other limits that block the job, then
	 * limits that the reason names but that do not block the job */
	const struct fs_explain_limit *limits;
	size_t nlimits; /* number of limits */
	/* requests that a partition cannot satisfy or does not allow, sorted by partition in the job's order */
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles; /* number of elements of `obstacles` */
	size_t nholds;			   /* Flux: number of holds of the job (fs_holds_row) */
	/* Maui: indexed by kind of credential: row of the job's credential in fs_windows_row; FS_NO_ROW: none */
	uint32_t credential[FS_CRED_KINDS];
	/* Maui: indexed by kind of credential; true: the PRIORITY that applies to the job is that of the credential
	 * DEFAULT */
	bool by_default[FS_CRED_KINDS];
	bool capped;			   /* Maui: a fair-share cap blocks the job */
	struct fs_cap_row cap; /* the cap that blocks the job, if `capped` is true */
	bool jobs_hidden;  /* some jobs were not captured, or are hidden from the viewer */
	bool jobs_missing; /* some jobs were not captured; positions and counts cover only captured jobs */
};

/* Fills *out for a job. Errors: FS_ENOMEM. */
FS_API int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* Fills *out as fs_explain_job does, but faster if many jobs are ahead: groups exist only for accounts, and for users
 * of jobs without an account. */
FS_API int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* Fills only the sums and the path, which are enough to compare two jobs. */
FS_API int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* ---- user or account */

/* Numbers of queue entries and running jobs of a user, account or credential. */
struct fs_explain_count {
	/* queue entries that are pending, eligible, held and blocked; and running jobs */
	uint32_t pending, running, eligible, held, blocked;
	uint32_t first;	   /* row of the job that is tried first; FS_NO_ROW: none is eligible */
};
/* Counts the jobs of a share row and of all rows below it. */
FS_API void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out);

/* Counts the jobs of a Maui credential: jobs that name it, and jobs that have it by default. `pending` includes
 * `blocked` and `held`. */
FS_API void fs_explain_count_credential(const fs_explain *x, uint32_t window_row, struct fs_explain_count *out);

/* Returns the row of fs_windows_row that `word` names: "group:staff", or a plain name. A plain name is searched among
 * users, groups, accounts, QOS and classes, in this order. FS_NO_ROW: none. */
FS_API uint32_t fs_explain_find_credential(const fs_explain *x, const char *word);

/* ---- comparison of two */

/* Two Maui credentials. Credentials have no order: each contributes to the priority of its jobs. */
struct fs_explain_credentials {
	bool same_kind; /* both credentials are of one kind: both users, both accounts, and so on */
	bool weighted;		  /* false: priorities cannot be computed, and `a` and `b` are empty */
	struct fs_prio_term a, b; /* fair-share term of the jobs of the first and of the second credential */
	/* differences: value of the first credential minus value of the second */
	double factor, percent, usage_s, points;
};
/* Compares two rows of fs_windows_row. */
FS_API void fs_explain_compare_credentials(const fs_explain *x, uint32_t window_row_a,
				   uint32_t window_row_b, struct fs_explain_credentials *out);

/* Which of two jobs is tried first, and the sort key by which they differ. */
struct fs_explain_comparison {
	bool same_order; /* both jobs are in one scheduling order: that of a partition, or the scheduler's only order */
	bool overlap;		/* their partitions share nodes */
	bool nodes_known;	/* false: the nodes of the partitions are not recorded */
	/* index of the compared element of `sums` of job `a` and of job `b`; FS_NO_ROW: the job has no sums */
	size_t sum_a, sum_b;
	enum fs_queue_key key;	/* first sort key that differs; NONE: not both jobs are eligible */
	/* -1: job `a` is first; 1: job `b` is first; 0: not both are eligible, or unknown (if `key` is not NONE) */
	int first;
	/* if `key` is the priority: term with the greatest difference in favour of the first job; FS_NO_ROW: none */
	size_t term;
	/* indexed by term: points of `a` minus points of `b`; NULL: not both jobs have terms */
	const double *differences;
	double total;		/* computed priority of `a` minus computed priority of `b`; NAN: unknown */
	/* queue_priority (struct fs_explain_sum) of `a` minus queue_priority of `b`; NAN: unknown */
	double queue_difference;
};
/* Compares two explained jobs. Errors: FS_ENOMEM. */
FS_API int fs_explain_compare_jobs(fs_explain *x, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, struct fs_explain_comparison *out);

/* First level, from the top, at which two fair-share paths have different rows. */
struct fs_explain_divergence {
	bool same;		/* the rows are equal, or one is above the other */
	/* index of the row at that level in `level` of path `a` and of path `b`; the two rows are siblings */
	size_t level_a, level_b;
	int first;		/* -1: path `a` is better; 1: path `b` is better; 0: equal or unknown */
	bool tied;		/* the siblings are equal */
};
/* Compares two paths of the explanation x. */
FS_API void fs_explain_compare_paths(const fs_explain *x, const struct fs_explain_path *a,
			   const struct fs_explain_path *b, struct fs_explain_divergence *out);

FS_END_DECLS

#endif
