/* Counters for bf_max_job_user, bf_max_job_part, bf_max_job_assoc and bf_max_job_user_part. */
#include "backfill/backfill.h"

#include "model/find.h"

#include <stdlib.h>
#include <string.h>

/* Allocates all counters except those of pairs. Returns -1 if out of memory. */
static int allocate_count_arrays(struct fsi_backfill_counts *n)
{
	n->by_user = calloc(2 * (size_t)n->nnames + 1, sizeof(*n->by_user));
	n->by_partition = calloc((size_t)n->nnames + 1, sizeof(*n->by_partition));
	n->reserved_by_partition = calloc((size_t)n->nnames + 1, sizeof(*n->reserved_by_partition));
	n->by_assoc = calloc((size_t)n->nassocs + 1, sizeof(*n->by_assoc));
	return n->by_user && n->by_partition && n->reserved_by_partition && n->by_assoc ? 0 : -1;
}

int fsi_backfill_counts_init(struct fsi_backfill_counts *n, const fs_snapshot *m)
{
	*n = (struct fsi_backfill_counts){ .nnames = m->names.count, .nassocs = (uint32_t)m->association.n };
	return allocate_count_arrays(n);
}

int fsi_backfill_counts_copy(struct fsi_backfill_counts *to, const struct fsi_backfill_counts *n)
{
	*to = (struct fsi_backfill_counts){ .nnames = n->nnames, .nassocs = n->nassocs };
	to->by_pair.v = malloc(n->by_pair.n * sizeof(*to->by_pair.v) + 1);
	if (allocate_count_arrays(to) || !to->by_pair.v || fsi_intern_copy(&to->pairs, &n->pairs)) {
		fsi_backfill_counts_release(to);
		return -1;
	}
	memcpy(to->by_user, n->by_user, 2 * (size_t)n->nnames * sizeof(*to->by_user));
	memcpy(to->by_partition, n->by_partition, n->nnames * sizeof(*to->by_partition));
	memcpy(to->reserved_by_partition, n->reserved_by_partition, n->nnames * sizeof(*to->reserved_by_partition));
	memcpy(to->by_assoc, n->by_assoc, n->nassocs * sizeof(*to->by_assoc));
	to->by_pair.n = to->by_pair.cap = n->by_pair.n;
	if (n->by_pair.n)
		memcpy(to->by_pair.v, n->by_pair.v, n->by_pair.n * sizeof(*to->by_pair.v));
	return 0;
}

void fsi_backfill_counts_release(struct fsi_backfill_counts *n)
{
	free(n->by_user);
	free(n->by_partition);
	free(n->reserved_by_partition);
	free(n->by_assoc);
	FSI_VEC_FREE(&n->by_pair);
	fsi_intern_release(&n->pairs);
	*n = (struct fsi_backfill_counts){ 0 };
}

/* Returns a pointer to the counter of the name id `name` in the array `base`. Names added to the snapshot after the
 * counters were allocated share the counter of name id 0. */
static uint32_t *get_name_counter(const struct fsi_backfill_counts *n, uint32_t *base, uint32_t name)
{
	return &base[name < n->nnames ? name : 0];
}

uint32_t *fsi_backfill_counts_get_reserved(const struct fsi_backfill_counts *n, uint32_t partition)
{
	return get_name_counter(n, n->reserved_by_partition, partition);
}

/* Returns a pointer to the counter of a user in a partition, and adds the counter if there is none. Returns NULL if out
 * of memory. */
static uint32_t *get_pair_counter(struct fsi_backfill_counts *n, uint32_t user, uint32_t partition)
{
	const uint32_t key[] = { user, partition },
		       id = FSI_VEC_RESERVE(&n->by_pair) ? FSI_INTERN_FAILED
							 : fsi_intern_add(&n->pairs, key, sizeof(key));

	if (id == FSI_INTERN_FAILED)
		return NULL;
	if (id > n->by_pair.n)
		n->by_pair.v[n->by_pair.n++] = 0;
	return &n->by_pair.v[id - 1];
}

/* Returns true if the counter *n has reached its maximum. `max` 0: no maximum; `n` NULL: no counter. */
static bool is_maximum_reached(const uint32_t *n, uint32_t max)
{
	return max && n && *n >= max;
}

/* Returns a pointer to the counter of the job's user. Slurm has two counters for a user: one for jobs in the user's
 * default account, and one for jobs in all other accounts. The reason is that only the association of the default
 * account refers to the user's record. Jobs in other accounts are counted by uid (src/common/assoc_mgr.c:
 * _set_user_default_acct). */
static uint32_t *get_user_counter(const struct fsi_backfill_counts *n, const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_user *u = fsi_user_find(m, j->user);
	const bool elsewhere = u && u->default_account && j->account != u->default_account;

	return get_name_counter(n, elsewhere ? n->by_user + n->nnames : n->by_user, j->user);
}

/* The positive results of fsi_backfill_counts_add_record. Each result identifies one counter that has reached its
 * maximum. */
enum { FULL_PART = 1, FULL_USER, FULL_ASSOC, FULL_USER_PART };

struct fsi_cycle_limit fsi_backfill_counts_get_limit(const struct fsi_sched_params *p, int full)
{
	const struct fsi_cycle_limit limits[] = {
		[FULL_PART] = { "bf_max_job_part", p->max_part },
		[FULL_USER] = { "bf_max_job_user", p->max_user },
		[FULL_ASSOC] = { "bf_max_job_assoc", p->max_assoc },
		[FULL_USER_PART] = { "bf_max_job_user_part", p->max_user_part },
	};

	return limits[full];
}

int fsi_backfill_counts_add_record(struct fsi_backfill_counts *n, const fs_snapshot *m,
				   const struct fsi_sched_params *p, const struct fsi_job *j, uint32_t partition,
				   bool counts)
{
	const uint32_t assoc = p->max_assoc ? fsi_job_find_assoc(m, j) : FSI_NO_INDEX;
	uint32_t *const part = get_name_counter(n, n->by_partition, partition), *const user = get_user_counter(n, m, j),
			*const of_assoc = assoc != FSI_NO_INDEX ? &n->by_assoc[assoc] : NULL;
	uint32_t *const pair = p->max_user_part ? get_pair_counter(n, j->user, partition) : NULL;

	if (p->max_user_part && !pair)
		return -1;
	if (is_maximum_reached(part, p->max_part))
		return FULL_PART;
	if (is_maximum_reached(user, p->max_user))
		return FULL_USER;
	if (is_maximum_reached(of_assoc, p->max_assoc))
		return FULL_ASSOC;
	if (pair && is_maximum_reached(pair, p->max_user_part))
		return FULL_USER_PART;
	if (!counts)
		return 0;
	++*part;
	++*user;
	if (of_assoc)
		++*of_assoc;
	if (pair)
		++*pair;
	return 0;
}
