/* What sshare and sprio print is held against the associations, jobs and configuration of other files. */
#include "import/missing.h"
#include "import/required.h"

#include <stdlib.h>
#include <string.h>

static bool is_multifactor(const fs_snapshot *m)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "PriorityType");

	return type && type->kind == FSI_CONFIG_STR && !strcmp(fsi_str(m, (uint32_t)type->i), "priority/multifactor");
}

static bool has_flag(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *flags = fsi_config_find(m, "PriorityFlags");

	return flags && flags->kind == FSI_CONFIG_LIST && fsi_list_has(m, (uint32_t)flags->i, name);
}

/* ---- rows of sshare and sprio */

struct rows {
	bool *share;	   /* by row: has sshare a row of it? */
	uint32_t *job;	   /* by row: how many rows sprio has of it */
	bool any_share, no_sprio;
	struct fsi_missing no_job; /* jobs of sprio's rows that scontrol does not show */
};

static int note_rows(struct fsi_import *imp, struct rows *x)
{
	const fs_snapshot *m = imp->m;
	struct fsi_id_index by_id = { 0 }, by_job = { 0 };
	const int rc = fsi_index_associations(&by_id, m) || fsi_index_jobs(&by_job, m) ? fsi_nomem(imp->err) : 0;

	for (size_t i = 0; !rc && i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const bool job = FSI_HAS(r, RECORDED, job);
		const uint32_t row = fsi_index_find(job ? &by_job : &by_id, job ? r->job : r->association);

		x->any_share = x->any_share || !job;
		if (job)
			fsi_missing_note_id(&x->no_job, row != FSI_NO_INDEX, r->job);
		if (row != FSI_NO_INDEX && job)
			x->job[row]++;
		else if (row != FSI_NO_INDEX)
			x->share[row] = true;
	}
	free(by_id.v);
	free(by_job.v);
	return rc;
}

static int judge_shares(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct fsi_viewer viewer = fsi_missing_viewer(m);
	struct fsi_missing no_row = { .n = 0 };

	for (size_t i = 0; x->any_share && i < m->association.n; i++)
		if (fsi_viewer_sees_usage(&viewer, &m->association.v[i]))
			fsi_missing_note(&no_row, x->share[i], fsi_str(m, m->association.v[i].account));
	return fsi_missing_warn(imp, NULL, &no_row, "sshare.txt", "associations are");
}

/* sprio has rows of the jobs that wait, with CALCULATE_RUNNING of those that run or ended too, from their EligibleTime
 * on, with ACCRUE_ALWAYS from their SubmitTime on (src/plugins/priority/multifactor/priority_multifactor.c:
 * _foreach_priority_factor_job). An ended one may be forgotten between two commands. */
struct listed {
	bool always, running;
};

static bool may_be_listed(const struct listed *f, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING || (f->running && job->state == FSI_STATE_RUNNING);
}

static bool listed_before(const struct listed *f, const struct fsi_job *job, int64_t time)
{
	return f->always ? FSI_HAS(job, JOB, submit_time) && job->submit_time < time
			 : FSI_HAS(job, JOB, eligible_time) && job->eligible_time < time;
}

static bool ran_before(const struct fsi_job *job, int64_t time)
{
	return job->state == FSI_STATE_RUNNING && FSI_HAS(job, JOB, start_time) && job->start_time < time;
}

/* How many names a list has, 1 for an empty one; 1 too for one that has a name twice, since the controller's way
 * with those is not known. */
static uint32_t choices(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *list = fsi_list(m, set, &n);

	if (n > FSI_ROW_PARTITIONS_MAX)
		return 1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (list[i] == list[j])
				return 1;
	return n ? (uint32_t)n : 1;
}

/* sprio has a row for each partition asked for with each QOS. */
static uint32_t rows_of(const fs_snapshot *m, const struct fsi_job *job)
{
	return choices(m, job->partitions) * choices(m, job->qos);
}

static int judge_flags(struct fsi_import *imp, const struct fsi_missing *always, const struct fsi_missing *running)
{
	if (always->n && fsi_import_incomplete(imp, "config", "%s/sprio.txt: job %s is in it before it may start, and "
							      "PriorityFlags lacks ACCRUE_ALWAYS", imp->source->name, always->first))
		return FS_ENOMEM;
	return running->n ? fsi_import_incomplete(imp, "config", "%s/sprio.txt: job %s is in it and runs, and PriorityFlags lacks "
								 "CALCULATE_RUNNING", imp->source->name, running->first)
			  : 0;
}

/* Jobs that squeue or the clock saw a moment before or after are not judged. */
static int judge_jobs(struct fsi_import *imp, const struct rows *x)
{
	const fs_snapshot *m = imp->m;
	const struct listed f = { .always = has_flag(m, "ACCRUE_ALWAYS"), .running = has_flag(m, "CALCULATE_RUNNING") };
	struct fsi_missing no_row = { .n = 0 }, always = { .n = 0 }, running = { .n = 0 };

	for (size_t i = 0; !x->no_sprio && is_multifactor(m) && i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (!FSI_HAS(job, JOB, priority) || job->priority <= 0)
			continue;
		if (x->job[i] && !f.running)
			fsi_missing_note_id(&running, !ran_before(job, m->head.time - FSI_BETWEEN_S), job->id);
		if (!may_be_listed(&f, job))
			continue;
		if (listed_before(&f, job, m->head.time))
			fsi_missing_note_id(&no_row, x->job[i] >= rows_of(m, job), job->id);
		else if (x->job[i])
			fsi_missing_note_id(&always, f.always || listed_before(&f, job, m->head.time + FSI_BETWEEN_S),
					    job->id);
	}
	if (judge_flags(imp, &always, &running))
		return FS_ENOMEM;
	return fsi_missing_warn(imp, NULL, &no_row, "sprio.txt", f.running ? "jobs that wait or run are"
							       : "jobs that wait (or waited, and began in between) are");
}

/* sshare -a has a row of each association that the controller knows, but those which PrivateData keeps back
 * (src/common/assoc_mgr.c: assoc_mgr_get_shares); sprio those of the jobs of judge_jobs, but those which are
 * held, of priority 0; of other users' jobs it shows those that `scontrol show job` does
 * (src/plugins/priority/multifactor/priority_multifactor.c: _foreach_priority_factor_job). */
static int no_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	(void)imp;
	(void)ctx;
	(void)line;
	return 0;
}

int fsi_slurm_cross_rows(struct fsi_import *imp)
{
	struct rows x = { .share = calloc(imp->m->association.n + 1, sizeof(bool)),
			  .job = calloc(imp->m->job.n + 1, sizeof(*x.job)) };
	int rc = x.share && x.job ? note_rows(imp, &x) : fsi_nomem(imp->err);

	if (!rc)
		rc = judge_shares(imp, &x);
	if (!rc)
		rc = fsi_import_lines(imp, "sprio.txt", no_line, NULL);
	x.no_sprio = rc > 0;
	if (rc >= 0)
		rc = judge_jobs(imp, &x);
	if (!rc)
		rc = fsi_missing_warn(imp, "job", &x.no_job, "scontrol_job_o.txt", "jobs that sprio lists are");
	free(x.share);
	free(x.job);
	return rc;
}

/* ---- the algorithm */

struct form {
	struct fsi_pipe heading;
	bool any, is_long, fair_tree;
};

static int note_heading(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct form *x = ctx;

	(void)imp;
	if (x->any)
		return 0;
	x->any = true;
	fsi_pipe_row(&x->heading, line);
	for (size_t i = 0; i < x->heading.columns; i++) {
		x->is_long = x->is_long || !strcmp(x->heading.names[i], "NormUsage");
		x->fair_tree = x->fair_tree || !strcmp(x->heading.names[i], "LevelFS");
	}
	return 0;
}

/* The long form of sshare has LevelFS with Fair Tree alone (src/sshare/process.c: process), and scontrol prints
 * NO_FAIR_TREE where that is off, DEPTH_OBLIVIOUS or not (src/common/slurm_protocol_defs.c: priority_flags_string). */
int fsi_slurm_cross_algorithm(struct fsi_import *imp)
{
	struct form x = { .any = false };
	const int rc = fsi_import_lines(imp, "sshare.txt", note_heading, &x);
	bool off;

	if (rc || !x.is_long || !is_multifactor(imp->m))
		return rc < 0 ? rc : 0;
	off = has_flag(imp->m, "NO_FAIR_TREE");
	if (off != x.fair_tree)
		return 0;
	return fsi_import_incomplete(imp, NULL,
				     off ? "%s/scontrol_config.txt: NO_FAIR_TREE, and sshare has a column LevelFS"
					 : "%s/sshare.txt: without a column LevelFS, and scontrol has no NO_FAIR_TREE",
				     imp->source->name);
}
