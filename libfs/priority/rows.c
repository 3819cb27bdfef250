/* Which rows a job gets, and room for what is computed of them. */
#include "base/sort.h"
#include "priority/priority.h"

#include <stdlib.h>

static int values_room(struct fs_prios *p)
{
	if (p->row.n * p->nvalues > p->values_cap) {
		const size_t want = p->row.cap * p->nvalues;
		double *v = realloc(p->values, want * sizeof(*v));

		if (!v)
			return -1;
		p->values = v;
		p->values_cap = want;
	}
	return 0;
}

bool fsi_prio_wanted(const struct fs_prios_options *o, uint32_t i)
{
	return !o || !o->jobs || bsearch(&i, o->jobs, o->njobs, sizeof(i), fsi_rising_u32);
}

int fsi_prio_add_rows(struct fs_prios *p, uint32_t i)
{
	static const uint32_t none[1] = { 0 };
	const struct fsi_job *job = &p->m->job.v[i];
	size_t parts, qoses;
	const uint32_t *part = fsi_list(
		p->m, FSI_HAS(job, JOB, row_order) ? fsi_job_rare(p->m, job)->row_order : job->partitions, &parts);
	const uint32_t *qos = fsi_list(p->m, job->qos, &qoses);

	if (!parts)
		part = none;
	if (!qoses)
		qos = none;
	for (size_t a = 0; a < (parts ? parts : 1); a++)
		for (size_t b = 0; b < (qoses ? qoses : 1); b++) {
			if (FSI_VEC_ROOM(&p->row))
				return -1;
			p->row.v[p->row.n++] =
				(struct fsi_prio_row){ i, fsi_partition_row(p->m, fsi_partition_find(p->m, part[a])), qos[b],
						       part[a] };
		}
	return values_room(p);
}
