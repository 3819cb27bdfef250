/* Before Slurm 23.11 equal accounts stand in one of two orders, which factors that were printed tell apart. */
#include "fairshare/narrow.h"

#include <math.h>

struct votes {
	size_t supposed, other;
};

static void vote(struct votes *v, const struct fsi_fairshare *f, uint32_t row, double printed, double digit)
{
	const struct fsi_share *s = &f->share[row];

	if (row == FSI_NO_INDEX || s->rank == s->other_rank)
		return;
	v->supposed += fabs(printed - (double)s->rank / f->users) <= digit;
	v->other += fabs(printed - (double)s->other_rank / f->users) <= digit;
}

static struct votes count_votes(const fs_snapshot *m, const struct fsi_fairshare *f)
{
	const double sixth = 0.51e-6, seventh = 0.51e-7;
	struct votes v = { 0, 0 };

	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const uint32_t job = FSI_HAS(r, RECORDED, job) ? fsi_job_row(m, r->job) : FSI_NO_INDEX;

		if (FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, factor))
			vote(&v, f, fsi_assoc_by_id(m, r->association), r->factor, sixth);
		if (job != FSI_NO_INDEX && FSI_HAS(r, RECORDED, norm_fairshare) && r->norm_fairshare > 0)
			vote(&v, f, fsi_job_assoc(m, &m->job.v[job]), r->norm_fairshare, seventh);
	}
	return v;
}

int fsi_infer_list_order(fs_snapshot *m)
{
	struct fs_error err;
	struct votes v;
	fs_shares *s;
	bool by_database;

	if (fsi_algorithm_find(m, NULL) != &fsi_fair_tree || !fsi_list_order_is_open(m))
		return 0;
	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	v = count_votes(m, &s->f);
	by_database = s->f.by_database == (v.supposed > v.other);
	fs_shares_free(s);
	if (v.supposed == v.other)
		return 0;
	m->head.list_order = fsi_name(m, by_database ? FSI_LISTS_BY_DATABASE : FSI_LISTS_BY_NAME);
	FSI_SET(&m->head, SNAPSHOT, list_order);
	return m->head.list_order == FSI_INTERN_FAILED ? -1 : 0;
}
