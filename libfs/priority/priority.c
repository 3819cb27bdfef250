/* What every scheduler's priorities have in common: rows, storage, access. */
#include "priority/priority.h"
#include "base/options.h"

#include "model/job/last_run.h"
#include "model/scheduler.h"
#include "model/viewer.h"

#include <math.h>
#include <stdlib.h>

static int prepare(struct fs_prios *p, const fs_snapshot *m, const struct fs_prios_options *o,
		   struct fs_error *err)
{
	struct fs_usage_info info;

	p->m = m;
	p->compat = o && o->view.compat ? o->view.compat : m->info.version;
	p->now = m->info.time;
	p->last_run = m->info.priority_time;
	if (o && o->view.usage) {
		fs_usage_info(o->view.usage, &info);
		p->now = info.at;
		p->last_run = info.at == m->info.time ? p->last_run : info.last_run;
	}
	p->scheduler = m->scheduler->prio;
	if (!p->scheduler)
		return fsi_fail(err, FS_ENODATA, "%s: no priorities are known for scheduler \"%s\"",
				m->file, m->info.scheduler);
	p->viewer = fsi_arena_alloc(&p->arena, sizeof(*p->viewer));
	if (!p->viewer)
		return fsi_nomem(err);
	fsi_viewer_init(p->viewer, m, o ? o->view.viewer : NULL);
	return 0;
}

int fs_prios_compute(fs_prios **out, const fs_snapshot *m, const struct fs_prios_options *options,
		     struct fs_error *err)
{
	struct fs_prios_options own;
	const struct fs_prios_options *o = FSI_OPTIONS(own, options);
	const fs_shares *given = m->association.n ? o->shares : NULL;
	struct fs_prios *p = calloc(1, sizeof(*p));
	struct fs_view everybody = o->view;
	fs_shares *shares = NULL;
	int rc;

	if (!p)
		return fsi_nomem(err);
	everybody.viewer = NULL;
	everybody.compat = 0;
	rc = prepare(p, m, o, err);
	if (!rc && m->association.n && !given)
		rc = fs_shares_compute(&shares, m, &everybody, err);
	if (!rc)
		rc = p->scheduler->compute(p, given ? given : shares, o, err);
	fs_shares_free(shares);
	if (rc) {
		fs_prios_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

void fs_prios_free(fs_prios *p)
{
	if (!p)
		return;
	fs_accrue_free(p->accrue);
	FSI_VEC_FREE(&p->row);
	free(p->values);
	fsi_arena_release(&p->arena);
	free(p);
}

size_t fs_prios_count(const fs_prios *p)
{
	return p ? p->row.n : 0;
}

size_t fs_prios_find(const fs_prios *p, uint64_t job)
{
	for (size_t i = 0; i < fs_prios_count(p); i++)
		if (p->m->job.v[p->row.v[i].job].id == job)
			return i;
	return FS_NO_ROW;
}

size_t fs_prios_terms(const fs_prios *p)
{
	return p ? p->nterms : 0;
}

const struct fs_prio_term *fs_prios_weights(const fs_prios *p)
{
	return p ? p->weights : NULL;
}

size_t fs_prios_find_term(const fs_prios *p, enum fs_factor factor)
{
	const size_t usual = (size_t)factor; /* where Slurm's stand */

	if (usual < fs_prios_terms(p) && p->weights[usual].factor == factor)
		return usual;
	for (size_t t = 0; t < fs_prios_terms(p); t++)
		if (p->weights[t].factor == factor)
			return t;
	return FS_NO_ROW;
}

size_t fs_prios_groups(const fs_prios *p)
{
	return p ? p->ngroups : 0;
}

const struct fs_prio_group *fs_prios_group(const fs_prios *p, size_t i)
{
	return i < fs_prios_groups(p) ? &p->groups[i] : NULL;
}

bool fs_prios_shown_by_qos(const fs_prios *p, size_t term)
{
	return term < fs_prios_terms(p) && p->shown_by_qos && p->shown_by_qos[term];
}

bool fs_prios_brief(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (i >= fs_prios_count(p))
		return false;
	fsi_prio_row_init(row, p->row.v[i].job);
	row->nterms = p->nterms;
	p->scheduler->row(p, i, row);
	row->stored_priority = p->scheduler->max > 0 && row->priority > p->scheduler->max
			    ? p->scheduler->max
			    : row->priority;
	return true;
}

uint32_t fs_prios_job_row(const fs_prios *p, size_t i)
{
	return i < fs_prios_count(p) ? p->row.v[i].job : FS_NO_ROW;
}

static void name_row(const fs_prios *p, const struct fsi_prio_row *r, struct fs_prio_row *row)
{
	const fs_snapshot *m = p->m;
	const struct fsi_job *job = &m->job.v[r->job];

	row->job = job->id;
	row->partition = fsi_str(m, r->partition_name);
	row->user = fsi_str(m, job->user);
	row->account = fsi_str(m, job->account);
	row->qos = fsi_job_lost_qos(m, job) ? "" : fsi_str(m, r->qos);
	row->sluid = fsi_str(m, job->sluid);
	row->state = fsi_job_state_name(job->state);
	row->name = fsi_str(m, job->name);
	row->uid = job->uid;
	row->visible = fsi_viewer_sees_job(p->viewer, job);
}

bool fs_prios_label(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (i >= fs_prios_count(p))
		return false;
	fsi_prio_row_init(row, p->row.v[i].job);
	row->sum = row->priority = row->stored_priority = NAN;
	name_row(p, &p->row.v[i], row);
	return true;
}

bool fs_prios_row(const fs_prios *p, size_t i, struct fs_prio_row *row)
{
	if (!fs_prios_brief(p, i, row))
		return false;
	name_row(p, &p->row.v[i], row);
	return true;
}

bool fs_prios_inputs(const fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	if (i >= fs_prios_count(p) || t >= p->nterms)
		return false;
	*out = (struct fs_prio_inputs){ .rule = FS_INPUTS_NONE, .since = FS_UNKNOWN };
	if (p->scheduler->inputs)
		p->scheduler->inputs(p, i, t, out);
	return true;
}
