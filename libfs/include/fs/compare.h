/* Two evaluated states side by side: what differs, and by which terms priorities do. */
#ifndef FS_COMPARE_H
#define FS_COMPARE_H

#include <fs/eval.h>
#include <fs/plan.h>

FS_BEGIN_DECLS

/* What differs between two states. */
typedef struct fs_comparison fs_comparison;

/* Index of the two states. */
enum { FS_BEFORE, FS_AFTER };

/* One of the states. What it points to must outlive the comparison. */
struct fs_compared {
	struct fs_eval *eval; /* whoever else asks for its rows may not do so at the same time */
	const fs_plan *plan;  /* NULL: starts are not compared */
	int64_t usage_time;   /* of its usage; 0: the snapshot's last calculation of priorities */
};

/* What became of a job that was pending, or is. */
#define FS_FATES(X)                                                                                \
	X(PENDING, "pending") /* in both */                                                        \
	X(NEW, "new")         /* only afterwards */                                                \
	X(STARTED, "started") /* it runs afterwards */                                             \
	X(GONE, "gone")       /* it is not there afterwards: started and ended, cancelled, or hidden */
#define FS_FATE_ENUM(tag, name) FS_FATE_##tag,
enum fs_fate { FS_FATES(FS_FATE_ENUM) FS_FATE_COUNT };
#undef FS_FATE_ENUM
FS_API const char *fs_fate_name(enum fs_fate fate); /* "pending" */

/* Part of the change of one priority. */
struct fs_term_change {
	const char *name; /* as in fs_prio_term; "direct": what an administrator's setting takes the place of */
	double change;    /* in points, not 0 */
};

/* A job in one of the partitions (and QOS) it asks for; those that it asks for on one side alone are paired in their
 * order. Arrays are before and after. */
struct fs_compared_job {
	uint64_t job; /* id */
	enum fs_fate fate; /* the same in all rows of the job */
	const char *partition[2], *qos[2]; /* "" if it names none, or on the side where it is not */
	const char *user, *account; /* of the later state that has the job */
	double priority[2];	       /* NAN unknown, or no such row */
	uint32_t position[2];	       /* of the job among the eligible, from 1; 0: none, or another of its rows has it */
	uint32_t partition_position[2]; /* likewise in the partition */
	int64_t start_time[2];	       /* of the plan, in the job's first row; FS_UNKNOWN */
	/* The terms of a row that is pending in both and whose priority changed: they add up to sum_change.
	 * rest_change is the rest of the priority's change, which schedulers drop or round. NAN: not known, or not
	 * changed. */
	const struct fs_term_change *terms;
	size_t nterms; /* those that changed; 0 where terms say nothing */
	double sum_change, rest_change; /* in points */
};

/* An account or user; NULL where the state has no such row. Borrowed from the shares of the state. */
struct fs_compared_share {
	const struct fs_share_row *row[2]; /* before and after */
};

/* Compares what the viewers of both states may see. Errors: FS_ENOMEM. Borrows from both states: free it
 * first. */
FS_API int fs_compare(fs_comparison **out, const struct fs_compared *before, const struct fs_compared *after,
		      struct fs_error *err);
FS_API void fs_comparison_free(fs_comparison *c); /* NULL is fine */

/* Rows that differ in priority, place or start, or stand on one side alone. Those that are pending in both come
 * first, the others by fate; among those of one fate by falling change of priority, then of place, then by id. */
FS_API size_t fs_comparison_jobs(const fs_comparison *c);
FS_API const struct fs_compared_job *fs_comparison_job(const fs_comparison *c, size_t i); /* borrowed from c */
/* Rows of jobs that are pending in both, also those that do not differ. */
FS_API size_t fs_comparison_pending(const fs_comparison *c);

/* Rows that differ in shares, usage, factor or rank, or stand on one side alone, in the order of the tree. */
FS_API size_t fs_comparison_shares(const fs_comparison *c);
FS_API const struct fs_compared_share *fs_comparison_share(const fs_comparison *c, size_t i); /* borrowed from c */

/* What decay has left at the time of the second state of each unit of usage of the first: from 0 to 1, and 1 where the
 * second is not later or nothing decays. */
FS_API double fs_comparison_left(const fs_comparison *c);

/* Causes of the change of a user's factor: where it is a rank over the number of users, of the rank too; where it is
 * classic, what was used since, and shares. What decays meanwhile shrinks all usage alike and is nobody's cause. */
#define FS_RANK_CAUSES(X)                                                                            \
	X(PASSED, "passed")	    /* other, a sibling of own, goes before it afterwards */         \
	X(PASSES, "passes")	    /* own goes before other afterwards */                           \
	X(MEMBERS, "members")	    /* other goes before own in both, with more or fewer users, or came or went */ \
	X(TIES, "ties")		    /* users of equal standing share a rank */                       \
	X(TREE, "tree")		    /* the user stands elsewhere in the tree */                      \
	X(POPULATION, "population") /* there are more or fewer users in all */                       \
	X(OWN_USE, "own_use")	    /* what the user used */                                         \
	X(SIBLINGS_USE, "siblings_use") /* what others in the accounts above the user used */        \
	X(OTHERS_USE, "others_use") /* what all others used */                                       \
	X(SHARES, "shares")	    /* shares on the way from the root to the user */                \
	X(REST, "rest")		    /* what accounts lack that a factor is computed with, and rounding */
#define FS_RANK_ENUM(tag, name) FS_RANK_##tag,
enum fs_rank_cause_kind { FS_RANK_CAUSES(FS_RANK_ENUM) FS_RANK_CAUSE_COUNT };
#undef FS_RANK_ENUM
FS_API const char *fs_rank_cause_name(enum fs_rank_cause_kind kind); /* "passed" */

/* One cause of a change of factor. */
struct fs_rank_cause {
	enum fs_rank_cause_kind kind; /* which of them */
	const struct fs_share_row *own[2];   /* on the way from the user to the root; NULL: of no level */
	const struct fs_share_row *other[2]; /* its sibling; NULL where the state has none */
	int64_t users; /* so many more stand before the user; POPULATION: so many more there are */
	double change; /* of the factor: those of all causes add up to its change */
};
/* The causes of row i of the shares, by falling change; none where the factor is neither a rank nor classic, or
 * stands on one side alone. Borrowed from c. Error: FS_ENOMEM. */
FS_API int fs_comparison_rank_causes(fs_comparison *c, size_t i, const struct fs_rank_cause **out, size_t *n);

FS_END_DECLS

#endif
