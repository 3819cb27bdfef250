/* The groups of the jobs ahead of one, while they grow. */
#ifndef FSI_EXPLAIN_GROUPS_H
#define FSI_EXPLAIN_GROUPS_H

#include "explain/explain.h"

/* Its public part, and sums over those of its entries that are ahead by priority. */
struct fsi_group {
	struct fs_explain_group g;
	uint32_t account, user; /* names */
	uint32_t within;	/* the group that it is a part of, as those of an account are of group 0, which has all */
	uint32_t account_of, user_of; /* groups it is a part of, or is */
	uint32_t compared;	/* entries in the sums */
	double *points, *lowest, *highest; /* by term */
};

struct fsi_groups {
	fs_explain *x;
	const struct fs_explain_sum *own;
	uint32_t own_user; /* name */
	bool heads;	   /* accounts alone, and users where there is none */
	size_t nterms;
	FSI_VEC(struct fsi_group) group;
	struct fsi_group_slot *slots; /* hash table of groups, at most half full */
	size_t nslots;		      /* a power of 2 */
};

/* Makes group 0. -1 without memory. */
int fsi_groups_begin(struct fsi_groups *c);

/* The smallest group of a job that is told of, made if it is new; FSI_NO_INDEX without memory. */
uint32_t fsi_groups_of(struct fsi_groups *c, const struct fsi_job *j);

/* Fetches the group of a job's user, if there is one, into the cache. */
void fsi_groups_fetch(const struct fsi_groups *c, const struct fsi_job *j);

/* When all entries are in them: fills all and groups. -1 without memory. */
int fsi_groups_publish(struct fsi_groups *c, struct fs_explain_ahead *out);

void fsi_groups_release(struct fsi_groups *c);

#endif
