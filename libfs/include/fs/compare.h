/* Comparison of two evaluated states of a cluster: which rows differ, and which terms changed the priorities. */
#ifndef FS_COMPARE_H
#define FS_COMPARE_H

#include <fs/eval.h>
#include <fs/plan.h>

FS_BEGIN_DECLS

/* Differences between two states of a cluster. */
typedef struct fs_comparison fs_comparison;

/* Indices in arrays of two elements: FS_BEFORE for the earlier state, FS_AFTER for the later one. */
enum { FS_BEFORE, FS_AFTER };

/* One of the two compared states. The objects to which the members point must outlive the comparison. */
struct fs_compared {
	struct fs_eval *eval; /* evaluated snapshot; no other thread may read its rows during the comparison */
	const fs_plan *plan;  /* planned starts; NULL: starts are not compared */
	/* priorities that include jobs that are not eligible (fs_prios_options.blocked); NULL: those of `eval` */
	const fs_prios *prios;
	/* time of the usage in `eval`, seconds since the epoch; 0: the time of the snapshot's last priority
	 * calculation */
	int64_t usage_time;
};

/* What happened to a job that is pending in at least one of the two states. */
#define FS_FATES(X)                                                                                \
	X(PENDING, "pending") /* the job is pending in both states */                              \
	X(NEW, "new")         /* the job exists only in the later state */                         \
	X(STARTED, "started") /* the job runs in the later state */                                \
	X(GONE, "gone")       /* the later state lacks the job: it ended, was cancelled, or is hidden */
#define FS_FATE_ENUM(tag, name) FS_FATE_##tag,
enum fs_fate { FS_FATES(FS_FATE_ENUM) FS_FATE_COUNT };
#undef FS_FATE_ENUM
FS_API const char *fs_fate_name(enum fs_fate fate); /* "pending" */

/* Change of one term of a job's priority. */
struct fs_term_change {
	/* name as in fs_prio_term; "direct": the change is in a priority set by an administrator, which replaces the
	 * terms; "unexplained": the change is in the part of a printed priority that its inputs do not explain */
	const char *name;
	double change;    /* change of the term, in points; never 0 */
};

/* A job in one partition (and QOS) that it asks for. If the job's partitions changed, a row compares an old partition,
 * which only the earlier state has, with a new partition, which only the later state has. Old and new partitions are
 * paired in their order. Arrays of two are indexed by FS_BEFORE and FS_AFTER. */
struct fs_compared_job {
	uint64_t job; /* job id */
	enum fs_fate fate; /* what happened to the job; all rows of the job have this value */
	/* partition and QOS in each state; "": the job names none, or the state does not have the job */
	const char *partition[2], *qos[2];
	/* user and account in the later state if it has the job, else in the earlier state */
	const char *user, *account;
	double priority[2];	       /* priority in each state; NAN: unknown, or the state has no such row */
	/* 1-based position of the job among all eligible jobs. Only one row of the job has the position; in the other
	 * rows, and if the job has no position, it is 0. */
	uint32_t position[2];
	uint32_t partition_position[2]; /* 1-based position among the eligible jobs of the partition; 0: no position */
	/* planned start, seconds since the epoch, in the first row of the job only; FS_UNKNOWN: none */
	int64_t start_time[2];
	/* Terms that changed, if the row is pending in both states and its priority changed. sum_change is the sum of
	 * their changes. rest_change is the change of the priority minus sum_change: it comes from rounding, and from
	 * fractions that the scheduler drops. sum_change and rest_change are NAN if unknown, or if the priority is
	 * unchanged. */
	const struct fs_term_change *terms;
	size_t nterms; /* number of terms that changed; 0: the terms do not explain the change */
	double sum_change, rest_change; /* in points */
};

/* An account or user. The rows are borrowed from the `shares` of each state. */
struct fs_compared_share {
	/* row in the earlier and in the later state; NULL: the state has no such row */
	const struct fs_share_row *row[2];
};

/* Compares two states. Rows that the viewer of a state may not see are ignored. The comparison borrows from both states
 * and must be freed before them. Errors: FS_ENOMEM. */
FS_API int fs_compare(fs_comparison **out, const struct fs_compared *before, const struct fs_compared *after,
		      struct fs_error *err);
FS_API void fs_comparison_free(fs_comparison *c); /* c may be NULL */

/* Returns the number of job rows that differ in priority, position or start, or exist in only one state. Sort keys:
 *   1. `fate`, in the order of enum fs_fate
 *   2. absolute change of the priority, greatest first
 *   3. absolute change of the position in the partition, greatest first
 *   4. job id */
FS_API size_t fs_comparison_jobs(const fs_comparison *c);
/* Returns job i of the comparison, borrowed from c; NULL past the end. */
FS_API const struct fs_compared_job *fs_comparison_job(const fs_comparison *c, size_t i);
/* Returns the number of rows of jobs that are pending in both states, including unchanged rows. */
FS_API size_t fs_comparison_pending(const fs_comparison *c);

/* Returns the number of share rows that differ in shares, usage, factor or rank, or exist in only one state. The rows
 * are in tree order. */
FS_API size_t fs_comparison_shares(const fs_comparison *c);
/* Returns share row i, which is valid until the comparison is freed. */
FS_API const struct fs_compared_share *fs_comparison_share(const fs_comparison *c, size_t i);

/* Returns the fraction (0 to 1) of the earlier state's usage that still counts at the time of the later state, after
 * decay. Returns 1 if the times of the two states are equal or in reverse order, or if usage does not decay. */
FS_API double fs_comparison_left(const fs_comparison *c);

/* Causes of a change of a user's fair-share factor. If the algorithm ranks users: changes of the rank and of the number
 * of users. In the classic algorithm: usage since the earlier state, and changes of shares. Decay is never a cause,
 * since it reduces all usage by the same factor. */
#define FS_RANK_CAUSES(X)                                                                            \
	X(PASSED, "passed")	    /* `other`, a sibling of `own`, has overtaken `own` */           \
	X(PASSES, "passes")	    /* `own` has overtaken its sibling `other` */                    \
	X(MEMBERS, "members") /* number of users in account `other`, ranked ahead of `own`, changed */                \
	X(TIES, "ties")		    /* the number of users who share the user's rank changed */      \
	X(TREE, "tree")		    /* the path from the root to the user changed */                 \
	X(POPULATION, "population") /* the total number of users differs between the two states */ \
	X(OWN_USE, "own_use")	    /* usage of the user */                                          \
	X(SIBLINGS_USE, "siblings_use") /* usage of other users in the user's top-level account */       \
	X(OTHERS_USE, "others_use") /* usage of users outside the user's top-level account */              \
	X(SHARES, "shares")	    /* shares of the rows on the path from the root to the user */   \
	X(REST, "rest")		    /* part of the change that no other cause explains, such as rounding */
#define FS_RANK_ENUM(tag, name) FS_RANK_##tag,
enum fs_rank_cause_kind { FS_RANK_CAUSES(FS_RANK_ENUM) FS_RANK_CAUSE_COUNT };
#undef FS_RANK_ENUM
FS_API const char *fs_rank_cause_name(enum fs_rank_cause_kind kind); /* "passed" */

/* One cause of a change of a factor. */
struct fs_rank_cause {
	enum fs_rank_cause_kind kind; /* kind of the cause */
	/* row on the path from the user to the root, in each state; NULL: the cause is not tied to a level of the
	 * tree */
	const struct fs_share_row *own[2];
	/* a sibling of `own` that is part of the cause, in each state; NULL: the state has no row of this sibling */
	const struct fs_share_row *other[2];
	/* change of the number of users with a better rank; POPULATION: change of the number of all users */
	int64_t users;
	/* change of the factor by this cause; the sum of `change` over all causes is the whole change of the factor */
	double change;
};
/* Sets *out to the causes for share row `i`, sorted by the absolute value of `change`, greatest first. Sets *n to their
 * number. *n is 0 if the row exists in only one state, or if the algorithm is not classic and does not rank users. *out
 * is borrowed from `c`. Errors: FS_ENOMEM. */
FS_API int fs_comparison_rank_causes(fs_comparison *c, size_t i, const struct fs_rank_cause **out, size_t *n);

FS_END_DECLS

#endif
