/* What was computed, arranged for those who explain it. */
#ifndef FS_EXPLAIN_H
#define FS_EXPLAIN_H

#include <fs/eval.h>
#include <fs/verdict.h>

FS_BEGIN_DECLS

/* An explanation arranges numbers that were computed before: it adds and subtracts them, and computes no other. */
typedef struct fs_explain fs_explain;

/* Explains what was evaluated, and borrows it. What is NULL in it, the snapshot apart, is unknown, as is what
 * depends on it; the viewer's own jobs are his, without a viewer those of the same user. Errors: FS_ENOMEM. */
FS_API int fs_explain_new(fs_explain **out, const struct fs_eval *from, struct fs_error *err);
FS_API void fs_explain_free(fs_explain *x); /* and all that it gave */

/* The job that a user means by "12", "12_3" (a task, or the array it is not split off from yet), "12_[1-5]".
 * FS_NO_ROW: no such job, or none that the viewer may see. */
FS_API uint32_t fs_explain_find_job(const fs_explain *x, const char *word);

/* The share row of an account (user ""), or of a user: in the account, or (account "") the default one, else the
 * first. FS_NO_ROW: none visible. */
FS_API uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user);

/* ---- where a fair-share factor comes from */

/* One step of the way from below the root to the row: a row among its siblings there. */
struct fs_explain_level {
	uint32_t row, above;	   /* share rows; above: whose children they are, `parent` accounts left out */
	const uint32_t *siblings;  /* all that compete here, itself included, best first where the algorithm ranks */
	uint32_t count; /* of siblings */
	/* place: 1 is first, 0 not ranked; tied: others that are equal, in Flux of the same kind */
	uint32_t place, tied;
	bool other_kind_ties;		   /* Flux: a bank is equal to a user here; users come first */
	double level_shares;	   /* sum of the siblings' raw shares; NAN not known */
	double level_usage;	   /* Flux: sum of their usage, TRES seconds */
	uint32_t group, groups;	   /* flux_range: from below the g-th of m groups of equal weight; 0 of m: no shares */
	uint32_t lower;		   /* flux_range: of the next lower group one row; FS_NO_ROW: there is none */
	double parent_ratio, level_ratio, damping; /* depth_oblivious: Rp, Rl, k; else NAN */
};

/* The way from the top of the tree to a row, and the factor that it leads to. */
struct fs_explain_path {
	const char *algorithm; /* name of the one that was computed with */
	uint32_t row; /* share row that the path leads to */
	const struct fs_explain_level *level; /* from the top down; none for the root */
	size_t levels; /* how many steps */
	bool user; /* false: the row is an account */
	bool stands;			  /* its rank among users is known: users, better, tied, worse */
	uint32_t users;			  /* those counted */
	uint32_t better, tied, worse;	  /* users before, with and after it: by rank, or else by factor */
	uint32_t rank;			  /* Fair Tree's or Flux's own number: users is the best, 1 the last; 0 none */
	double factor;			  /* that priorities are computed with; NAN unknown or an account */
	double formula_usage, formula_shares, dampening; /* classic: 2^(-usage / shares / dampening) */
	uint32_t formula_row;		  /* whose usage and shares these are: an ancestor's if shares are `parent` */
	double recorded;		  /* factor the scheduler printed; NAN unknown */
	bool ranges;			  /* the factor is a place in slices, and the rank is given as well */
	bool given;			  /* taken as the scheduler printed it: the tree was hidden from the capture */
	bool hidden;			  /* some of the rows it rests on may not be shown to the viewer */
};

/* Fills out for a share row. Errors: FS_ENOMEM. */
FS_API int fs_explain_path(fs_explain *x, uint32_t share_row, struct fs_explain_path *out, struct fs_error *err);

/* ---- a job */

/* What a term of Maui is made of beyond its factor: its weight is group * (own + qos), and its cap takes a part. */
struct fs_explain_parts {
	double group_weight, own_weight, qos_weight; /* group: of its component */
	double uncut_value, uncut_points; /* before its cap */
	double cut_points;		  /* what the cap takes from the points, signed; 0 none */
};

/* The sum of a job in one partition with one QOS. */
struct fs_explain_sum {
	const char *partition, *qos; /* "" if the job names none */
	const struct fs_prio_term *terms; /* NULL: not known */
	const struct fs_prio_inputs *inputs; /* of each term */
	size_t nterms; /* of terms, inputs, parts and recorded_points */
	bool direct; /* set by an administrator: the terms do not count */
	double sum, total;   /* before and after the scheduler made it a whole number */
	double urgency;	     /* as in fs_prio_row */
	struct fs_prio_step steps[FS_STEPS]; /* as in fs_prio_row */
	size_t nsteps; /* of steps */
	const struct fs_explain_parts *parts; /* Maui: of each term; else NULL */
	const struct fs_prio_group *groups; /* Maui: components */
	size_t ngroups; /* 0 but on Maui */
	const struct fs_prio_term *printed; /* without terms: those whose points the scheduler printed; weights NAN */
	size_t nprinted; /* 0 where there are terms */
	double recorded;     /* priority the scheduler printed or holds; NAN unknown */
	const double *recorded_points; /* of each term, as printed in whole numbers; NULL: not recorded */
	double queue_priority;	     /* priority by which the queue was sorted: recorded where there is one; NAN unknown */
	int64_t tier;	     /* of the partition */
	uint32_t position, of; /* in its line (fs_queue_one_line: of all partitions); 0: it is not eligible */
	uint32_t queue_row;  /* FS_NO_ROW: none */
};

/* Jobs ahead, by account, user and array: each group is followed by its parts. */
struct fs_explain_group {
	unsigned depth;		/* 0 account, 1 user in it, 2 array of the user */
	const char *account, *user; /* "" where the depth does not name one */
	uint64_t array; /* id; 0 where the depth does not name one */
	uint32_t entries;	/* of the queue: an array not split up is one */
	uint64_t jobs;		/* array tasks one by one */
	int64_t cpus, gpus;	/* they ask for; cpus FS_UNKNOWN: of some it is not known */
	double cpu_hours;	/* by their time limits; NAN: some are unknown, INFINITY: unlimited */
	uint32_t by[FS_QUEUE_KEY_COUNT]; /* entries that are ahead by each key */
	enum fs_queue_key key;	/* the most frequent */
	size_t term;		/* by priority: the factor with the greatest difference in their favour; FS_NO_ROW none */
	double difference;	/* its points less this job's, on average */
	double lowest, highest, own; /* values of that factor: theirs and this job's */
	uint32_t direct;	/* entries whose priority an administrator has set */
	/* entries that waiting passes: they fall behind when both have their full age; in Maui those that waiting gives
	 * fewer points an hour than the job */
	uint32_t passed;
	bool mine;		/* they are the viewer's own jobs */
};

/* Another partition whose jobs compete for nodes of this one, or may do so. */
struct fs_explain_rival {
	const char *partition; /* name of the other one */
	int64_t tier; /* FS_UNKNOWN where the scheduler has none */
	bool certain; /* they share nodes; else their nodes are not recorded */
	uint32_t entries; /* ahead of this job in the whole queue, not counted above */
	uint64_t jobs; /* array tasks one by one */
};

/* All that is tried before a job in its partition, or in the one line there is. */
struct fs_explain_ahead {
	const struct fs_explain_group *groups; /* accounts by falling number of jobs, each with its parts behind it */
	size_t ngroups; /* at all depths together */
	struct fs_explain_group all; /* of all of them; account and user "" */
	const struct fs_explain_rival *rivals; /* by falling tier */
	size_t nrivals; /* 0: no other partition competes */
	uint32_t own_entries; /* of the job's user among them */
	uint32_t next;	      /* queue row right before it in its partition; FS_NO_ROW none */
	uint32_t unseen;      /* entries the viewer may not see: not in any group */
	double gain;	      /* Maui: points an hour that waiting gives the job now; else NAN */
};

/* What kind of record a limit is set in. */
enum fs_limit_scope { FS_LIMIT_ASSOC, FS_LIMIT_ACCOUNT, FS_LIMIT_QOS, FS_LIMIT_PARTITION_QOS };

/* Who uses part of a limit. */
struct fs_explain_holder {
	const char *user, *account; /* user "": all of the account */
	uint64_t jobs; /* that hold the amount */
	double amount; /* in the unit of the limit's value */
};

/* A limit, what counts against it, and what the job would add. */
struct fs_explain_limit {
	const char *name, *tres; /* "GrpTRES", "cpu"; tres "" if it counts jobs or time; of a fair-share cap of Maui its unit */
	enum fs_limit_scope scope; /* what kind of record it is set in */
	const char *of;	  /* account or QOS it belongs to */
	const char *whose; /* user or account counted in it, "" all */
	const char *user;  /* Maui: whose jobs alone count in a class; NULL or "": all */
	const char *partition, *qos; /* the choices it is in: "" in all of them */
	double value, used, wants; /* wants: what the job would add, or asks for. In TRES, jobs, seconds, TRES minutes */
	double factor;	  /* LimitFactor that `value` was multiplied by; 1: none */
	double promised;  /* TRES minutes that running jobs may still use and that count, too; NAN: they do not */
	bool per_job;	  /* what one job may ask for: nothing is used up */
	bool is_min;	  /* per_job: a minimum */
	bool blocks;	  /* with this job it would be passed */
	bool never;	  /* by this job alone */
	bool named;	  /* the job's reason names a limit of this kind */
	const struct fs_explain_holder *holders; /* who uses it, the greatest first */
	size_t nholders; /* those that may be shown */
	enum fs_grows grows; /* why it takes more than it asks for: wants is what it takes */
};

/* A partition the job may run in, with a QOS it may use there; "" unknown. */
struct fs_explain_choice {
	const char *partition, *qos; /* qos "" where QOS do not matter */
	bool blocked; /* a limit is in its way */
	bool never;   /* one that no wait removes, or the partition cannot take it */
	bool untried; /* the scheduler passes it over there without looking for nodes */
	bool passed_over; /* so for a limit alone, when its turn in the queue has come */
};

/* Something that the job asks for and that a partition does not have, or does not allow at all. */
struct fs_explain_obstacle {
	const char *partition; /* "" where no partition is named */
	const char *what; /* "cpu", "node", "gres/gpu", "time", "account", "qos"; Flux: "node_cpu", "node_gpu": of one node;
			    * Maui: "partition_cpu": of the partition of nodes that has most for it */
	const char *name; /* account or QOS not admitted, or that partition; else "" */
	double wants, has; /* time in seconds */
};

/* What a job does, in one word. */
enum fs_explain_state {
	FS_EXPLAIN_ENDED,
	FS_EXPLAIN_RUNNING,
	FS_EXPLAIN_NEVER, /* it cannot start: the job or the configuration must change */
	FS_EXPLAIN_HELD,
	FS_EXPLAIN_BLOCKED, /* it waits for something other than its turn */
	FS_EXPLAIN_QUEUED   /* it is eligible, and waits for its turn */
};

/* All that is explained of one job. */
struct fs_explain_job {
	uint32_t job_row; /* as given */
	enum fs_explain_state state; /* by its verdict, or without a queue by its section */
	struct fs_verdict verdict; /* NONE without a queue */
	enum fs_section section; /* by its reason */
	const struct fs_reason *reason; /* NULL: not a known one */
	const struct fs_explain_sum *sums; /* in the order in which they are tried; none if the job has no priority */
	size_t nsums; /* one for each partition and QOS it asks for */
	struct fs_explain_ahead ahead;	   /* of the first of them, if it is eligible */
	bool has_accrue; /* accrue is filled: Slurm's pending jobs */
	struct fs_accrue_row accrue; /* may it grow older */
	uint32_t share_row;		   /* its association; FS_NO_ROW unknown */
	struct fs_explain_path path;	   /* of it */
	const struct fs_explain_choice *choices; /* of Slurm: partitions by QOS, as the job lists them */
	size_t nchoices; /* 0 but on Slurm */
	const struct fs_explain_limit *limits; /* that block it, named ones first, then the other named ones */
	size_t nlimits; /* of limits */
	const struct fs_explain_obstacle *obstacles; /* by partition, as the job lists them */
	size_t nobstacles; /* of obstacles */
	size_t nholds;			   /* Flux: fs_holds_row of it */
	uint32_t credential[FS_CRED_KINDS]; /* Maui: fs_windows_row of each kind; FS_NO_ROW none */
	bool by_default[FS_CRED_KINDS];	    /* Maui: the PRIORITY that counts is that of DEFAULT */
	bool capped;			   /* Maui: a fair-share cap holds it back */
	struct fs_cap_row cap; /* if capped */
	bool jobs_hidden;  /* not all jobs were captured, or may be shown */
	bool jobs_missing; /* not all were captured: places and counts are those of the ones that were */
};

/* Fills out for a job. Errors: FS_ENOMEM. */
FS_API int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* The same in less time where many jobs are ahead: their groups are accounts alone, and the users of jobs without an
 * account. */
FS_API int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* Fills only its sums and its path, which is what comparing it with another job needs. */
FS_API int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err);

/* ---- a user or an account */

/* Jobs of a user, account or credential. */
struct fs_explain_count {
	uint32_t pending, running, eligible, held, blocked; /* queue entries and jobs */
	uint32_t first;	   /* job row of the one that is tried first; FS_NO_ROW none is eligible */
};
/* Counts the jobs of a share row, with all below it. */
FS_API void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out);

/* Counts the jobs of a credential of Maui: those that name it, or have it by default. `blocked` and `held` are parts
 * of pending. */
FS_API void fs_explain_count_credential(const fs_explain *x, uint32_t window_row, struct fs_explain_count *out);

/* The credential (fs_windows_row) a word means: "group:staff", or a name alone: a user, else a group, account, QOS or
 * class. FS_NO_ROW: none. */
FS_API uint32_t fs_explain_find_credential(const fs_explain *x, const char *word);

/* ---- one against another */

/* Two credentials of Maui. There is no order between them: each has a part in the sums of its jobs. */
struct fs_explain_credentials {
	bool same_kind; /* both are users, or both accounts, ... */
	bool weighted;		  /* false: priorities cannot be computed, a and b have no terms */
	struct fs_prio_term a, b; /* fair-share terms of jobs of each */
	double factor, percent, usage_s, points; /* each of a less that of b */
};
/* Compares two rows as fs_windows_row has them. */
FS_API void fs_explain_compare_credentials(const fs_explain *x, uint32_t window_row_a,
				   uint32_t window_row_b, struct fs_explain_credentials *out);

/* Which of two jobs goes first, and the key that decides. */
struct fs_explain_comparison {
	bool same_line;		/* they are tried in one order: of one partition, or where there is but one */
	bool overlap;		/* their partitions share nodes */
	bool nodes_known;	/* false: which nodes they have is not recorded */
	size_t sum_a, sum_b;	/* that are compared; FS_NO_ROW: one has none */
	enum fs_queue_key key;	/* the first that decides; NONE: not both are eligible */
	int first;		/* -1: a goes first, 1: b, 0: not both are eligible, or (with a key) unknown */
	size_t term;		/* key priority: the factor with the greatest difference for the first; FS_NO_ROW none */
	const double *differences; /* points of a less points of b, by term; NULL where not both have terms */
	double total;		/* priority of a less that of b, as computed; NAN unknown */
	double queue_difference;		/* the same of fs_explain_sum.queue_priority, by which the queue is sorted */
};
/* Compares two jobs. Errors: FS_ENOMEM. */
FS_API int fs_explain_compare_jobs(fs_explain *x, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, struct fs_explain_comparison *out);

/* Where two paths divide. */
struct fs_explain_divergence {
	bool same;		/* one row, or one is above the other */
	size_t level_a, level_b; /* in their paths: siblings there */
	int first;		/* -1: a is better, 1: b, 0: equal or unknown */
	bool tied;		/* equal there */
};
/* Compares two paths, both of x. */
FS_API void fs_explain_compare_paths(const fs_explain *x, const struct fs_explain_path *a,
			   const struct fs_explain_path *b, struct fs_explain_divergence *out);

FS_END_DECLS

#endif
