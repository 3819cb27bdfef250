/* Explanation: results of an evaluation, arranged for the pages that explain jobs, users and accounts. */
#ifndef FS_EXPLAIN_H
#define FS_EXPLAIN_H

#include <fs/eval.h>
#include <fs/verdict.h>

FS_BEGIN_DECLS

/* An explanation of the results in a struct fs_eval. All numbers of an explanation are results in that struct, or sums
 * and differences of such results. */
typedef struct fs_explain fs_explain;

/* Creates an explanation that borrows the evaluation. If a result of the evaluation is NULL, all values that depend on
 * the result are unknown. Errors: FS_ENOMEM. */
FS_API int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err);
FS_API void fs_explain_free(fs_explain *x); /* frees `x` and everything that functions returned from it */

/* Returns the row of the job that `word` names: "12", "12_3" or "12_[1-5]". If task 3 of array 12 has no record of its
 * own, "12_3" names the row of the array. FS_NO_ROW: there is no such job, or the viewer may not see it. */
FS_API uint32_t fs_explain_find_job(const fs_explain *x, const char *word);

/* Returns the share row of a user in an account, or if `user` is "" the row of the account. If `account` is "", returns
 * the user's row in the user's default account, or else the user's first row. FS_NO_ROW: there is no such row, or the
 * viewer may not see it. */
FS_API uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user);

/* ---- fair-share path */

/* One level of the path from the root (not included) down to a share row. Each level has one row of the path, which
 * competes with its siblings. */
struct fs_explain_level {
	/* `row`: share row that is on the path at this level. `above`: share row of the nearest account above `row`
	 * whose shares are not set to `parent`; `row` competes with the other rows below that account */
	uint32_t row, above;
	/* rows that compete at this level, including `row`; if the algorithm ranks them, the best rank comes first */
	const uint32_t *siblings;
	uint32_t count; /* number of siblings */
	/* place: 1-based rank of `row` among the siblings, 0: not ranked; tied: number of siblings ranked equal to
	 * `row`; in Flux, only siblings of the same kind (bank or user) */
	uint32_t place, tied;
	/* Flux: a sibling of the other kind (bank or user) has the same weight as `row`; users rank before banks */
	bool other_kind_ties;
	double level_shares; /* sum of the siblings' raw shares; NAN: unknown */
	double level_usage;  /* Flux: sum of the siblings' usage, TRES seconds */
	/* flux_range: siblings of equal weight form a group. The group of lowest weight has number 1. `group`: number
	 * of the group that contains `row`; `groups`: number of groups; 0 if the siblings have no shares. */
	uint32_t group, groups;
	/* flux_range: share row of a sibling in the group with the next lower number; FS_NO_ROW: the group of `row` is
	 * the lowest */
	uint32_t lower;
	/* depth_oblivious: the values that Slurm's formula for effective usage calls Rp, Rl and k; other algorithms:
	 * NAN */
	double parent_ratio, level_ratio, damping;
};

/* The path from the top of the tree to a row, and the factor computed for the row. */
struct fs_explain_path {
	const char *algorithm; /* name of the algorithm that computed the factor */
	uint32_t row;          /* share row to which the path leads from the root */
	/* levels of the path, from the top down; the path of the root has no levels */
	const struct fs_explain_level *level;
	size_t levels; /* number of elements of `level` */
	bool user;     /* true: the row is a user; false: an account */
	/* true: the rank among users is known, and `users`, `better`, `tied` and `worse` are set */
	bool rank_known;
	uint32_t users; /* number of ranked users */
	/* numbers of other users with a better, an equal and a worse rank; if the algorithm does not rank users: with a
	 * greater, an equal and a lower factor */
	uint32_t better, tied, worse;
	uint32_t rank; /* Fair Tree, Flux: rank of the user, from 1 (worst) to `users` (best); 0: none */
	double factor; /* fair-share factor used in priorities; NAN: unknown, or the row is an account */
	/* classic: factor = 2^(-formula_usage / formula_shares / dampening) */
	double formula_usage, formula_shares, dampening;
	/* share row whose usage and shares the formula uses: `row`, or an ancestor if the shares of `row` are set to
	 * `parent` */
	uint32_t formula_row;
	double recorded; /* factor printed by the scheduler; NAN: unknown */
	/* flux_range: each row has a range of factors within its parent's range; the factor of the row is the upper
	 * bound of its range */
	bool has_ranges;
	/* the factor was printed by the scheduler, not computed, since the capture lacks parts of the tree */
	bool recorded_factor_used;
	bool hidden; /* some rows that determine the factor are hidden from the viewer */
};

/* Fills *out with the path from the top of the share tree to the row `share_row`, and the row's factor. Errors:
 * FS_ENOMEM. */
FS_API int fs_explain_path(fs_explain *x, uint32_t share_row, struct fs_explain_path *out, struct fs_error *err);

/* ---- job */

/* Numbers from which the points of a Maui term are computed. points = factor * group_weight * (own_weight +
 * qos_weight); a cap may reduce the points. */
struct fs_explain_parts {
	/* group_weight: weight of the component that contains the term; own_weight: weight of the term in the
	 * configuration; qos_weight: weight that the job's QOS adds to own_weight */
	double group_weight, own_weight, qos_weight;
	double uncut_value, uncut_points; /* factor and points of the term before a cap reduces them */
	double cut_points;                /* points that the cap adds, usually a negative number; 0: none */
};

/* Priority sum of a job in one partition with one QOS. */
struct fs_explain_sum {
	const char *partition, *qos;         /* partition and QOS; "": the job names none */
	const struct fs_prio_term *terms;    /* terms of the priority sum; NULL: unknown */
	const struct fs_prio_inputs *inputs; /* inputs of each term */
	size_t nterms;                       /* number of elements of terms, inputs, parts and recorded_points */
	bool direct;                         /* true: an administrator set the priority, and the terms do not count */
	/* sum: sum of the terms; total: in an unchanged state the recorded priority, if there is one; otherwise the
	 * computed priority */
	double sum, total;
	/* difference between the recorded and the computed priority, included in `total`; 0: none, or not known */
	double unexplained;
	double urgency; /* Flux: urgency of the job; NAN: unknown, or another scheduler */
	/* Flux, Maui: steps from `sum` to `total` that changed the value, such as rounding */
	struct fs_prio_step steps[FS_STEPS];
	size_t nsteps; /* number of elements of `steps` */
	/* Maui: weights and uncapped points of each term; other schedulers: NULL */
	const struct fs_explain_parts *parts;
	const struct fs_prio_group *groups; /* Maui: components of the sum */
	size_t ngroups;                     /* number of elements of `groups`; 0 except in Maui */
	/* used if `terms` is NULL: terms with the points that the scheduler printed, and with the weight NAN */
	const struct fs_prio_term *printed;
	size_t nprinted;               /* number of elements of `printed`; 0 if `terms` is not NULL */
	double recorded;               /* priority printed or stored by the scheduler; NAN: unknown */
	const double *recorded_points; /* points of each term, as the scheduler printed them; NULL: not recorded */
	/* priority by which the queue is sorted: the recorded priority if there is one, else the computed one; NAN:
	 * unknown */
	double queue_priority;
	int64_t tier; /* tier of the partition */
	/* position: 1-based position among the eligible queue entries of the partition (of all partitions if
	 * fs_queue_has_single_order returns true), 0: not eligible; of: number of eligible entries */
	uint32_t position, of;
	uint32_t queue_row; /* queue row of the job in this partition with this QOS; FS_NO_ROW: none */
};

/* Jobs ahead of a job, grouped by account, user and array. Each group is followed by its subgroups. */
struct fs_explain_group {
	/* what the jobs of the group have in common. 0: the account; 1: account and user; 2: account, user and
	 * array. */
	unsigned depth;
	const char *account, *user; /* account and user that the jobs have in common; "": none */
	uint64_t array;             /* array id if `depth` is 2, else 0 */
	uint32_t entries; /* number of queue entries; array tasks without records of their own are one entry */
	uint64_t jobs;    /* number of jobs in the group; each array task counts as one job */
	/* number of CPUs and number of GPUs that the jobs request; cpus: FS_UNKNOWN if the CPUs of a job are unknown */
	int64_t cpus, gpus;
	/* sum of CPUs * time limit; NAN: some time limits or CPUs are unknown; INFINITY: a job has no time limit */
	double cpu_hours;
	/* indexed by sort key: number of the group's entries that are ahead of the explained job because of that key */
	uint32_t by[FS_QUEUE_KEY_COUNT];
	enum fs_queue_key key; /* sort key that puts most entries of the group ahead (greatest number in `by`) */
	/* if `key` is the priority: term in which the group has the greatest lead in points; FS_NO_ROW: none */
	size_t term;
	/* mean points that the group has in the term `term`, minus the points of the explained job in this term */
	double difference;
	/* Factors of the term `term`. `lowest`, `highest`: lowest and highest factor in the group; `own`: factor of the
	 * explained job. */
	double lowest, highest, own;
	uint32_t direct; /* number of queue entries whose priority an administrator set */
	/* Number of entries that the explained job will overtake by waiting: they are ahead now, but will be behind the
	 * explained job when the age factors of both jobs are 1. Maui: entries that gain fewer points per hour than the
	 * explained job. Maui's number is set only in the totals of all groups (`all` of struct fs_explain_ahead). */
	uint32_t passed;
	bool is_own; /* the jobs belong to the user of the explained job */
};

/* Another partition whose jobs compete, or may compete, for nodes of the explained job's partition. */
struct fs_explain_rival {
	const char *partition; /* name of the partition */
	int64_t tier;          /* tier of the partition; FS_UNKNOWN: none */
	/* true: this partition shares nodes with the explained job's partition; false: it may share nodes, but its
	 * nodes are not recorded */
	bool certain;
	/* number of this partition's eligible queue entries that come before the explained job in the whole queue. Jobs
	 * counted in `groups` of struct fs_explain_ahead are excluded. */
	uint32_t entries;
	uint64_t jobs; /* number of jobs in `entries`; each array task counts as one job */
};

/* All queue entries ahead of a job in its partition, or in the whole queue if the scheduler has only one order. */
struct fs_explain_ahead {
	/* groups by account, the group with the most jobs first; each group is followed by its subgroups */
	const struct fs_explain_group *groups;
	size_t ngroups;                        /* number of elements of `groups` */
	struct fs_explain_group all;           /* totals of all groups; `account` and `user` are "" */
	const struct fs_explain_rival *rivals; /* competing partitions, highest tier first */
	size_t nrivals;                        /* number of competing partitions */
	uint32_t own_entries;                  /* number of queue entries ahead of the job that belong to its user */
	uint32_t next; /* queue row directly ahead of the job in its partition; FS_NO_ROW: none */
	/* number of queue entries ahead of the job that are hidden from the viewer; no other member counts them */
	uint32_t unseen;
	double gain; /* Maui: points per hour that the job currently gains by waiting; other schedulers: NAN */
};

/* Kind of record that sets a limit. */
enum fs_limit_scope { FS_LIMIT_ASSOC, FS_LIMIT_ACCOUNT, FS_LIMIT_QOS, FS_LIMIT_PARTITION_QOS };

/* One user in one account, and the amount of a limit that this user's jobs use. */
struct fs_explain_holder {
	const char *user, *account; /* names of the user and the account; "": unknown, or hidden from the viewer */
	uint64_t jobs;              /* number of jobs that count against the limit */
	double amount;              /* amount that the jobs use, in the unit of the limit's value */
};

/* A limit, its current use, and the amount that the explained job would add. */
struct fs_explain_limit {
	/* name: name of the limit, such as "GrpTRES"; tres: limited TRES, such as "cpu", or "" for a limit on jobs or
	 * time. For a fair-share cap of Maui, `tres` is the unit of the cap. */
	const char *name, *tres;
	enum fs_limit_scope scope; /* kind of record that sets the limit */
	const char *set_by;        /* name of the account, QOS, queue or Maui credential that sets the limit */
	/* user or account whose jobs are counted; "": all jobs are counted. Maui: kind of the credential `set_by`, such
	 * as "user" or "class". */
	const char *counted_for;
	/* Maui: user whose jobs are counted, for a limit on each user of a class; NULL or "": another limit */
	const char *user;
	/* the limit applies to the job in this partition and with this QOS; "": in all its partitions, with all its
	 * QOS */
	const char *partition, *qos;
	/* value: value of the limit; used: its current use; wants: amount that the job would add, or if per_job is
	 * true, amount that the job asks for. Units: TRES, jobs, seconds or TRES minutes. */
	double value, used, wants;
	double factor; /* LimitFactor of the QOS, already included in `value`; 1: none */
	/* TRES minutes that running jobs may still use; these minutes count against the limit in addition to `used`.
	 * NAN: the limit does not count such minutes. */
	double reserved_minutes;
	bool per_job;                            /* the limit applies to a single job, so `used` has no meaning */
	bool is_min;                             /* true: the limit is a minimum for a single job */
	bool blocks;                             /* the limit blocks the job */
	bool never;                              /* the job violates the limit even if no other job uses it */
	bool named;                              /* the job's pending reason names this kind of limit */
	const struct fs_explain_holder *holders; /* users whose jobs use the limit, greatest amount first */
	size_t nholders;                         /* number of elements of `holders` */
	/* reason why `wants` is greater than the job's own request; FS_CPU_GROWTH_NONE: it is not greater */
	enum fs_cpu_growth grows;
};

/* A pair of a partition and a QOS that the job asks for. */
struct fs_explain_choice {
	const char *partition, *qos; /* "": unknown; `qos` is also "" if the result is the same for every QOS */
	bool blocked;                /* a limit blocks the job in this partition with this QOS */
	/* the job can never start in this partition: the partition cannot run the job, or the job exceeds a limit even
	 * when no other job runs */
	bool never;
	bool untried;     /* the scheduler skips the job in this partition without looking for nodes */
	bool passed_over; /* the scheduler reaches the job in the queue, and skips it only because of a limit */
};

/* A request of the job that a partition cannot satisfy, or does not allow. */
struct fs_explain_obstacle {
	const char *partition; /* partition that does not allow the request; "": no partition is named */
	/* resource or property: "cpu", "node", "gres/gpu", "time", "account", "qos". Flux: "node_cpu" and "node_gpu"
	 * are CPUs and GPUs of a single node. Maui: "partition_cpu" means the CPUs of one node partition. */
	const char *what;
	/* account or QOS that is not allowed, missing features, or the Maui node partition; else "" */
	const char *name;
	double wants, has; /* amount that the job requests, and amount that is available; time in seconds */
};

/* State of a job. */
enum fs_explain_state {
	FS_EXPLAIN_ENDED,
	FS_EXPLAIN_RUNNING,
	FS_EXPLAIN_NEVER, /* the job cannot start: the job or the configuration must change */
	FS_EXPLAIN_HELD,
	FS_EXPLAIN_BLOCKED, /* the job waits for something other than jobs ahead of it and free resources */
	FS_EXPLAIN_QUEUED   /* the job is eligible and waits only for jobs ahead of it and for free resources */
};

/* Explanation of one job. */
struct fs_explain_job {
	uint32_t job_row; /* row of the job, as given by the caller */
	/* state of the job, derived from `section` and `verdict` */
	enum fs_explain_state state;
	/* verdict on the job; its `kind` is FS_VERDICT_NONE if the evaluation has no queue */
	struct fs_verdict verdict;
	enum fs_section section;        /* section of the queue to which the job belongs */
	const struct fs_reason *reason; /* pending reason; NULL: not a known reason */
	/* priority sums, one for each partition (and QOS) that the job asks for, in the order in which the scheduler
	 * tries them; none if the job has no priority */
	const struct fs_explain_sum *sums;
	size_t nsums; /* number of elements of `sums` */
	/* queue entries ahead of the job in the partition of sums[0]; empty if the job is not eligible */
	struct fs_explain_ahead ahead;
	bool has_accrue;             /* true: `accrue` is set (Slurm only) */
	struct fs_accrue_row accrue; /* says whether the job's age grows and, if not, which limit stops it */
	uint32_t share_row;          /* share row of the job's association; FS_NO_ROW: unknown */
	/* path from the top of the share tree to `share_row`, and the fair-share factor of that row */
	struct fs_explain_path path;
	/* Slurm: all combinations of the job's partitions and QOS, in the order of its request */
	const struct fs_explain_choice *choices;
	size_t nchoices; /* number of elements of `choices`; 0 except in Slurm */
	/* limits, in three groups: limits that block the job and that its pending reason names; other limits that block
	 * the job; limits that the reason names but that do not block the job */
	const struct fs_explain_limit *limits;
	size_t nlimits; /* number of elements of `limits` */
	/* requests that a partition cannot satisfy or does not allow, in the order in which the job names the
	 * partitions */
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles; /* number of elements of `obstacles` */
	size_t nholds;     /* Flux: number of holds of the job (fs_holds_row) */
	/* Maui: indexed by kind of credential: row number of the job's credential, for fs_windows_row; FS_NO_ROW:
	 * none */
	uint32_t credential[FS_CRED_KINDS];
	/* Maui: indexed by kind of credential; true: the job's credential has no PRIORITY of its own, so the PRIORITY
	 * of the credential DEFAULT applies */
	bool by_default[FS_CRED_KINDS];
	bool capped;           /* Maui: a fair-share cap blocks the job */
	struct fs_cap_row cap; /* the cap that blocks the job, if `capped` is true */
	bool jobs_hidden;      /* true: some jobs were not captured, or are hidden from the viewer */
	bool jobs_missing;     /* true: some jobs were not captured, so positions and counts cover only captured jobs */
};

/* Fills *out for a job. Errors: FS_ENOMEM. */
FS_API int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* Fills *out as fs_explain_job does, but groups the jobs ahead by account only. Jobs without an account are grouped by
 * user. This function is faster than fs_explain_job if many jobs are ahead. */
FS_API int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* Fills *out as fs_explain_job does, but leaves verdict, ahead, accrue, choices, limits and obstacles empty. `state` is
 * then derived from `section` only. The result is sufficient for fs_explain_compare_jobs. */
FS_API int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* ---- submission of a job */

struct fs_plan; /* fs/plan.h defines it */

/* Why slurmctld refuses a job when it is submitted (src/slurmctld/job_mgr.c: job_allocate). */
struct fs_refusal {
	const char *message; /* text that sbatch prints; NULL: the job is accepted */
	/* options of sbatch that may set the refused value, separated by commas: "mem,mem-per-cpu"; "": none */
	const char *options;
	/* what is refused: member `what` of struct fs_explain_obstacle, "features", "reservation", "nodes" (no node of the
	 * partition is large enough), or "limit" */
	const char *what;
	const char *partition; /* partition that does not allow the job; "": none */
	const char *name;      /* account, QOS or feature that is not allowed; "" */
	/* wants: amount that the job requests; has: amount that the partition or the limit allows; node_has: largest
	 * amount on one node of the partition. NAN: unknown, or not an amount. Time is in seconds. */
	double wants, has, node_has;
	const struct fs_explain_limit *limit; /* the limit that is exceeded; NULL: none */
};

/* The decision about a job that is submitted. */
struct fs_submission {
	/* why the job is refused or, if it is accepted, why it can never start. The first element decides; if the job
	 * is accepted, the member `message` of all elements is NULL */
	struct fs_refusal refusal[8];
	size_t n; /* number of elements of `refusal`; 0: nothing prevents the job from starting */
	/* the job is accepted only if EnforcePartLimits is NO, but the snapshot does not have this parameter */
	bool enforcement_unknown;
};

/* Decides whether slurmctld accepts a pending job that a command has just added to the snapshot. For other schedulers
 * than Slurm, sets out->n to 0. `plan`: plan that contains the job; NULL: none.
 * Refusals by job_submit plugins, groups (AllowGroups) and submit hosts are not known. Errors: FS_ENOMEM. */
FS_API int fs_explain_submission(fs_explain *x, const struct fs_explain_job *job, const struct fs_plan *plan,
				 struct fs_submission *out, struct fs_error *err);

/* Sets *hours to the cost of a job in a partition if the job runs to its time limit: billing units per hour * time
 * limit in hours * UsageFactor of the QOS. NAN: unknown; INFINITY: no time limit. For an array, the cost of one task.
 * Errors: FS_ENOMEM. */
FS_API int fs_explain_cost(const fs_explain *x, uint32_t job_row, const char *partition, double *hours,
			   struct fs_error *err);

/* ---- explanation of a user or an account */

/* Numbers of queue entries and running jobs of a user, account or credential. */
struct fs_explain_count {
	/* running: includes suspended jobs; pending: includes held and blocked jobs; eligible: 0 for a credential;
	 * blocked: jobs that a fair-share cap of Maui blocks, 0 for a user or account */
	uint32_t pending, running, eligible, held, blocked;
	uint32_t first; /* row of the eligible job that the scheduler tries first; FS_NO_ROW: no job is eligible */
};
/* Counts the jobs of a share row and of all rows below it. */
FS_API void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out);

/* Counts the jobs of a Maui credential: jobs that name it, and jobs that have it by default. */
FS_API void fs_explain_count_credential(const fs_explain *x, uint32_t window_row, struct fs_explain_count *out);

/* Returns the row number, for fs_windows_row, of the credential that `word` names: "group:staff", or a plain name. A
 * plain name is searched among users, groups, accounts, QOS and classes, in this order. FS_NO_ROW: no such
 * credential. */
FS_API uint32_t fs_explain_find_credential(const fs_explain *x, const char *word);

/* ---- comparison of two jobs, credentials or paths */

/* Comparison of two Maui credentials. Neither credential is ahead of the other: each contributes to the priority of its
 * own jobs. */
struct fs_explain_credentials {
	bool same_kind; /* both credentials are of the same kind, such as two users or two accounts */
	bool weighted;  /* true: `a`, `b` and `points` are set; false: priorities cannot be computed */
	/* fair-share term in the priority of the first credential's jobs, and of the second credential's jobs */
	struct fs_prio_term a, b;
	/* differences: value of the first credential minus value of the second */
	double factor, percent, usage_s, points;
};
/* Compares the credentials in two rows of fs_windows. */
FS_API void fs_explain_compare_credentials(const fs_explain *x, uint32_t window_row_a, uint32_t window_row_b,
					   struct fs_explain_credentials *out);

/* Which of two jobs is tried first, and the sort key by which they differ. */
struct fs_explain_comparison {
	/* true: both jobs are in the same scheduling order: the order of a partition, or the only order of the
	 * scheduler */
	bool same_order;
	bool overlap;     /* the partitions of the two jobs share nodes */
	bool nodes_known; /* false: the nodes of the partitions are not recorded */
	/* the two compared sums: index in `sums` of job `a`, and index in `sums` of job `b`; FS_NO_ROW: at least one of
	 * the jobs has no sums */
	size_t sum_a, sum_b;
	enum fs_queue_key key; /* first sort key in which the jobs differ; NONE: at least one job is not eligible */
	/* -1: the scheduler tries job `a` first; 1: job `b` first; 0: unknown, or at least one job is not eligible */
	int first;
	/* if `key` is the priority: term in which the job that is tried first has the greatest lead in points;
	 * FS_NO_ROW: none */
	size_t term;
	/* indexed by term: points of `a` minus points of `b`; NULL: at least one of the jobs has no terms */
	const double *differences;
	double total; /* computed priority of `a` minus computed priority of `b`; NAN: unknown */
	/* queue_priority (struct fs_explain_sum) of `a` minus queue_priority of `b`; NAN: unknown */
	double queue_difference;
};
/* Compares two explained jobs. Errors: FS_ENOMEM. */
FS_API int fs_explain_compare_jobs(fs_explain *x, const struct fs_explain_job *a, const struct fs_explain_job *b,
				   struct fs_explain_comparison *out);

/* The first level, from the top, at which two fair-share paths have different rows. */
struct fs_explain_divergence {
	/* the paths end at the same row, or one path ends at an ancestor of the other path's last row */
	bool same;
	/* first level at which the paths have different rows: index in `level` of path `a`, and index in `level` of
	 * path `b`; the two rows are siblings */
	size_t level_a, level_b;
	/* -1: path `a` is ahead: its rank is better, or its factor is greater if rows are not ranked; 1: path `b` is
	 * ahead; 0: equal or unknown */
	int first;
	/* the rows at level_a and level_b have the same rank among siblings; if siblings are not ranked: the paths have
	 * the same factor */
	bool tied;
};
/* Compares two paths through the share tree. Both paths must come from the explanation `x`. */
FS_API void fs_explain_compare_paths(const fs_explain *x, const struct fs_explain_path *a,
				     const struct fs_explain_path *b, struct fs_explain_divergence *out);

FS_END_DECLS

#endif
