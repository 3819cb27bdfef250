/* Accrue limits: which jobs may age, and who gets room next (src/slurmctld/acct_policy.c:
 * acct_policy_handle_accrue_time, acct_policy_add_accrue_time).
 *
 * A job ages from its accrue_time on. Where limits are enforced, an eligible job gets one only when there is
 * room: limit - jobs (array tasks counted each) already accruing age in the limit's scope. One limit alone decides
 * (_get_accrue_limits); the room that others leave is not asked:
 *
 *   its QOS            GrpJobsAccrue, MaxJobsAccruePerAccount, MaxJobsAccruePerUser
 *   its association    GrpJobsAccrue, MaxJobsAccrue
 *   each one above     GrpJobsAccrue
 *
 * The first of these levels with any limit decides, and there, to 24.05.3, the first limit in this order; since,
 * the smallest number, of equal ones the first (_get_accrue_create_cnt). Room goes by job id, not by priority. */
#include "base/tasks.h"
#include "fs/priority.h"
#include "model/find.h"
#include "model/records/limit_names.h"
#include "model/scheduler.h"

#include <stdlib.h>

/* In the order in which Slurm looks at their limits. */
enum scope { EVERYBODY, ACCOUNT, USER };

struct job_accrue {
	enum fs_accrue_state state;
	const char *limit;
	uint32_t scope, value, used, ahead; /* scope: name of the QOS or account */
};

struct fs_accrue {
	const fs_snapshot *m;
	bool smallest; /* on each level the smallest limit decides, else the first */
	struct fsi_intern keys; /* (qos, scope, name) to a dense number */
	FSI_VEC(uint32_t) accruing, waiting; /* by key */
	uint32_t *below, *queue; /* by association: accruing in it and below, waiting for its limit */
	struct job_accrue *job; /* NULL where there are no limits to count for */
};

static uint32_t tasks_of(const fs_snapshot *m, const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, array_tasks) ? fsi_count_tasks(fsi_str(m, job->array_tasks)) : 1;
}

/* FSI_INTERN_FAILED without memory. */
static uint32_t key_of(struct fs_accrue *a, const struct fsi_qos *q, enum scope scope,
		       const struct fsi_job *job)
{
	const uint32_t name = scope == ACCOUNT ? job->account
			      : scope == USER  ? job->user
						   : 0;
	const uint32_t key[3] = { q->name, scope, name };
	const uint32_t id = fsi_intern(&a->keys, key, sizeof(key));

	while (id != FSI_INTERN_FAILED && a->accruing.n <= id) {
		if (FSI_VEC_ROOM(&a->accruing) || FSI_VEC_ROOM(&a->waiting))
			return FSI_INTERN_FAILED;
		a->accruing.v[a->accruing.n++] = 0;
		a->waiting.v[a->waiting.n++] = 0;
	}
	return id;
}

static bool accruing(const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING && FSI_HAS(job, JOB, accrue_time);
}

static bool eligible(const fs_snapshot *m, const struct fsi_job *job)
{
	const bool held = FSI_HAS(job, JOB, priority) && !job->priority;

	return !held && FSI_HAS(job, JOB, eligible_time) && job->eligible_time <= m->info.time;
}

static int count_accruing(struct fs_accrue *a)
{
	const fs_snapshot *m = a->m;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const struct fsi_qos *q = fsi_job_highest_qos(m, job);
		uint32_t assoc;

		if (!accruing(job))
			continue;
		for (enum scope s = EVERYBODY; q && s <= USER; s++) {
			const uint32_t key = key_of(a, q, s, job);

			if (key == FSI_INTERN_FAILED)
				return -1;
			a->accruing.v[key] += tasks_of(m, job);
		}
		assoc = fsi_job_assoc(m, job);
		if (assoc != FSI_NO_INDEX)
			a->below[assoc] += tasks_of(m, job);
	}
	for (size_t i = m->association.n; i-- > 0;)
		if (m->tree[i].parent != FSI_NO_INDEX)
			a->below[m->tree[i].parent] += a->below[i];
	return 0;
}

/* Takes the limit if it decides before the one found so far, which is of a level before it. */
static bool decide(const struct fs_accrue *a, struct job_accrue *j, const char *limit,
		   uint32_t scope, uint32_t value, uint32_t used)
{
	if (j->limit && (!a->smallest || j->value <= value))
		return false;
	j->limit = limit;
	j->scope = scope;
	j->value = value;
	j->used = used;
	return true;
}

#define LIMIT(member, TYPE, name, column, shown, word, order, measure, counted)                                  \
	[counted] = { name, q && FSI_HAS(q, QOS, member), q ? q->member : 0 },

/* The key of the limit found, FSI_INTERN_FAILED if there is none or no memory. */
static uint32_t qos_limit(struct fs_accrue *a, const struct fsi_job *job, struct job_accrue *j)
{
	const struct fsi_qos *q = fsi_job_highest_qos(a->m, job);
	const struct {
		const char *name;
		bool set;
		uint32_t value;
	} limits[] = { FSI_QOS_AGEING_LIMITS(LIMIT) };
	uint32_t found = FSI_INTERN_FAILED;

	for (enum scope s = EVERYBODY; s <= USER; s++) {
		const uint32_t key = limits[s].set ? key_of(a, q, s, job) : FSI_INTERN_FAILED;

		if (key != FSI_INTERN_FAILED &&
		    decide(a, j, limits[s].name, q->name, limits[s].value, a->accruing.v[key]))
			found = key;
	}
	return found;
}

/* The association whose limit decides, FSI_NO_INDEX if there is none. */
static uint32_t assoc_limit(struct fs_accrue *a, const struct fsi_job *job, struct job_accrue *j)
{
	const uint32_t own = fsi_job_assoc(a->m, job);

	for (uint32_t i = own; i != FSI_NO_INDEX; i = a->m->tree[i].parent) {
		const struct fsi_association *x = &a->m->association.v[i];

		if (FSI_HAS(x, ASSOCIATION, grp_jobs_accrue))
			decide(a, j, "GrpJobsAccrue", x->account, x->grp_jobs_accrue, a->below[i]);
		if (i == own && FSI_HAS(x, ASSOCIATION, max_jobs_accrue))
			decide(a, j, "MaxJobsAccrue", x->account, x->max_jobs_accrue, a->below[i]);
		if (j->limit)
			return i;
	}
	return FSI_NO_INDEX;
}

static enum fs_accrue_state unlimited_state(const fs_snapshot *m, const struct fsi_job *job)
{
	if (job->state != FSI_STATE_PENDING || (!accruing(job) && !eligible(m, job)))
		return FS_ACCRUE_NOT_ELIGIBLE;
	return accruing(job) ? FS_ACCRUE_ACCRUING : FS_ACCRUE_ROOM;
}

static void decide_accrual(struct fs_accrue *a, const struct fsi_job *job, struct job_accrue *j)
{
	uint32_t *queue = NULL, found;

	j->state = unlimited_state(a->m, job);
	if (j->state == FS_ACCRUE_NOT_ELIGIBLE)
		return;
	found = qos_limit(a, job, j);
	if (found != FSI_INTERN_FAILED)
		queue = &a->waiting.v[found];
	else if ((found = assoc_limit(a, job, j)) != FSI_NO_INDEX)
		queue = &a->queue[found];
	if (queue && j->state != FS_ACCRUE_ACCRUING) {
		j->ahead = *queue;
		*queue += tasks_of(a->m, job);
		j->state =
			(int64_t)j->value - j->used > j->ahead ? FS_ACCRUE_ROOM : FS_ACCRUE_WAITING;
	}
}

static bool enforced(const fs_snapshot *m)
{
	const uint32_t enforce = fsi_config_list(m, "AccountingStorageEnforce");

	return !fsi_config_lists(m, "PriorityFlags", "ACCRUE_ALWAYS") &&
	       (fsi_list_has(m, enforce, "limits") || fsi_list_has(m, enforce, "safe"));
}

#define OR_QOS_HAS(member, ...) || FSI_HAS(&m->qos.v[i], QOS, member)
#define OR_ASSOC_HAS(member, ...) || FSI_HAS(&m->association.v[i], ASSOCIATION, member)

static bool has_limits(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->qos.n; i++)
		if (false FSI_QOS_AGEING_LIMITS(OR_QOS_HAS))
			return true;
	for (size_t i = 0; i < m->association.n; i++)
		if (false FSI_ASSOC_AGEING_LIMITS(OR_ASSOC_HAS))
			return true;
	return false;
}

static int count_all(struct fs_accrue *a)
{
	const fs_snapshot *m = a->m;

	a->below = calloc(m->association.n + 1, sizeof(*a->below));
	a->queue = calloc(m->association.n + 1, sizeof(*a->queue));
	a->job = calloc(m->job.n + 1, sizeof(*a->job));
	if (!a->below || !a->queue || !a->job || count_accruing(a))
		return -1;
	for (size_t i = 0; i < m->job.n; i++)
		decide_accrual(a, &m->job.v[i], &a->job[i]);
	return 0;
}

int fs_accrue_compute(fs_accrue **out, const fs_snapshot *m, unsigned compat, struct fs_error *err)
{
	struct fs_accrue *a;

	if (!m->scheduler->accrues)
		return fsi_fail(err, FS_ENODATA, "%s: jobs of scheduler \"%s\" do not age by Slurm's limits", m->file,
				m->info.scheduler);
	a = calloc(1, sizeof(*a));
	if (!a)
		return fsi_nomem(err);
	a->m = m;
	a->smallest = fs_slurm_has(compat ? compat : m->info.version, FS_SLURM_ACCRUE_SMALLEST);
	if (enforced(m) && has_limits(m) && count_all(a)) {
		fs_accrue_free(a);
		return fsi_nomem(err);
	}
	*out = a;
	return 0;
}

void fs_accrue_free(fs_accrue *a)
{
	if (!a)
		return;
	fsi_intern_release(&a->keys);
	FSI_VEC_FREE(&a->accruing);
	FSI_VEC_FREE(&a->waiting);
	free(a->below);
	free(a->queue);
	free(a->job);
	free(a);
}

bool fs_accrue_job(const fs_accrue *a, uint32_t job_row, struct fs_accrue_row *out)
{
	struct job_accrue plain = { 0 };
	const struct job_accrue *j = &plain;

	if (!a || job_row >= a->m->job.n)
		return false;
	if (a->job)
		j = &a->job[job_row];
	else
		plain.state = unlimited_state(a->m, &a->m->job.v[job_row]);
	*out = (struct fs_accrue_row){ j->state, j->limit, fsi_str(a->m, j->scope),
				       j->value, j->used,  j->ahead, fsi_hidden(a->m, "job") };
	return true;
}
