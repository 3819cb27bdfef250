/* What is different in the first decay cycle of a controller's life.
 *
 * Lists: Slurm before 23.11 loads associations in the order of the accounting database (lft) and sorts them by name
 * only when associations change, which may be never (src/common/assoc_mgr.c: _post_assoc_list,
 * assoc_mgr_update_assocs). Seen in the ranks of tied accounts, 22.05. What was printed tells which order it is, else a
 * first cycle has the database's. Caches: usage_norm is NO_VAL until an association is evaluated, and DEPTH_OBLIVIOUS
 * sums it over siblings (priority_multifactor.c:_depth_oblivious_set_usage_efctv): early ones get almost no usage. */
#include "fairshare/fairshare.h"

#include <string.h>

bool fsi_first_cycle(const fs_snapshot *m)
{
	/* The first cycle runs at once, the next one a period later. */
	const int64_t shortest_period_s = 60;
	const int64_t boot = fsi_config_int(m, "BOOT_TIME", -1);

	return boot >= 0 && m->info.priority_time_known &&
	       m->info.priority_time - boot < shortest_period_s;
}

bool fsi_new_tree(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, new_tree) ? m->head.new_tree : fsi_first_cycle(m);
}

static bool order_is_told(const fs_snapshot *m)
{
	return FSI_HAS(&m->head, SNAPSHOT, list_order);
}

static bool may_be_by_database(const fs_snapshot *m)
{
	return !fs_slurm_has(m->info.version, FS_SLURM_LINEAGE);
}

bool fsi_lists_by_database(const fs_snapshot *m)
{
	if (order_is_told(m))
		return !strcmp(fsi_str(m, m->head.list_order), FSI_LISTS_BY_DATABASE);
	return may_be_by_database(m) && fsi_first_cycle(m);
}

bool fsi_list_order_is_open(const fs_snapshot *m)
{
	return may_be_by_database(m) && !order_is_told(m);
}

uint32_t fsi_list_place(const struct fsi_fairshare *f, uint32_t row, uint32_t k)
{
	const struct fsi_association *a = &f->m->association.v[row];

	return f->by_database && FSI_HAS(a, ASSOCIATION, lft) ? a->lft : k;
}

int fsi_first_turns(struct fsi_fairshare *f)
{
	const uint32_t late = UINT32_MAX / 2; /* behind all accounts and all jobs */
	uint32_t next = 0;

	f->turn = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*f->turn));
	if (!f->turn)
		return -1;
	for (uint32_t i = 0; i < f->n; i++) {
		const bool user = f->m->association.v[i].user != 0;
		const uint32_t place = fsi_list_place(f, i, i);

		f->turn[i] = user ? late + i : place;
		if (!user && place >= next)
			next = place + 1;
	}
	for (size_t k = 0; k < f->m->job.n; k++) {
		const struct fsi_job *job = &f->m->job.v[k];
		const uint32_t i = fsi_job_assoc(f->m, job);

		if (job->state == FSI_STATE_PENDING && job->priority && i != FSI_NO_INDEX &&
		    f->turn[i] >= late)
			f->turn[i] = next++;
	}
	return 0;
}
