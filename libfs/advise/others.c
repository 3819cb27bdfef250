/* What the job insists on, what holds it, its owner's own jobs before it, its priority, and limits. */
#include "advise/advise.h"
#include "model/limit_names.h"
#include "queue/limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int update(struct fs_advices *a, enum fs_who who, const char *what)
{
	char command[FSI_ADVICE_TEXT];

	snprintf(command, sizeof(command), "scontrol update job %" PRIu64 " %s", a->job, what);
	return fsi_advise_propose(a, who, command, NULL);
}

static int try_wishes(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const bool later = a->before.state == FS_PLAN_BEGINS;
	const struct {
		bool has;
		const char *without;
	} wish[] = {
		{ *fsi_str(a->m, j->req_nodes), "ReqNodeList=" },
		{ *fsi_str(a->m, j->exc_nodes), "ExcNodeList=" },
		{ *fsi_str(a->m, j->features), "Features=" },
		{ *fsi_str(a->m, j->reservation), "ReservationName=" },
		{ FSI_HAS(j, JOB, contiguous) && j->contiguous, "Contiguous=0" },
		{ strchr(fsi_str(a->m, j->array_tasks), '%') != NULL, "ArrayTaskThrottle=0" },
		{ later, "StartTime=now" },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(wish) / sizeof(*wish) && !rc; i++)
		if (wish[i].has)
			rc = update(a, FS_WHO_OWNER, wish[i].without);
	return rc;
}

/* ---- holds, and its owner's own jobs */

static int try_release(struct fs_advices *a)
{
	const char *reason = fsi_str(a->m, fsi_advise_job(a)->reason);
	char command[FSI_ADVICE_TEXT];

	if (strncmp(reason, "JobHeld", strlen("JobHeld")) != 0)
		return 0;
	snprintf(command, sizeof(command), "scontrol release %" PRIu64, a->job);
	return fsi_advise_propose(a, strcmp(reason, "JobHeldUser") ? FS_WHO_OPERATOR : FS_WHO_OWNER, command, NULL);
}

/* The planned job that keeps it from an earlier start. */
static int try_rival(struct fs_advices *a)
{
	const uint32_t row = a->before.blocked_by ? fsi_job_row(a->m, a->before.blocked_by) : FSI_NO_INDEX;
	const struct fsi_job *own = fsi_advise_job(a);
	char command[FSI_ADVICE_TEXT];

	if (row == FSI_NO_INDEX || !own->user || a->saved.job.v[row].user != own->user)
		return 0;
	snprintf(command, sizeof(command), "scontrol hold %" PRIu64, a->before.blocked_by);
	return fsi_advise_propose(a, FS_WHO_OWNER, command, NULL);
}

/* ---- what only an operator may */

static int try_priority(struct fs_advices *a)
{
	uint32_t most = 0;
	char what[64];

	for (size_t i = 0; i < a->saved.job.n; i++) {
		const struct fsi_job *j = &a->saved.job.v[i];

		if (j->state == FSI_STATE_PENDING && j->id != a->job && j->priority > most && j->priority < UINT32_MAX - 3)
			most = j->priority;
	}
	if (!most)
		return 0;
	snprintf(what, sizeof(what), "Priority=%" PRIu32, most + 1);
	return update(a, FS_WHO_OPERATOR, what);
}

/* ---- limits */

#define WORD(member, type, name, column, shown, word, order, measure, counted) { name, word, FSI_##measure },
static const struct {
	const char *limit, *word; /* of sacctmgr */
	enum fsi_measure measure;
} words[] = { FSI_ASSOC_GROUP_LIMITS(WORD) FSI_ASSOC_OWN_LIMITS(WORD) FSI_QOS_LIMITS(WORD) };
#undef WORD

/* Proposed are limits on jobs and TRES, by which one job more or less tells. */
static bool is_raised(enum fsi_measure m)
{
	return m == FSI_RUNNING_TRES || m == FSI_RUNNING_JOBS || m == FSI_JOB_TRES || m == FSI_NODE_TRES;
}

/* NULL: it is none that is proposed. */
static const char *word_of(const char *limit)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_raised(words[i].measure) && !strcmp(words[i].limit, limit))
			return words[i].word;
	return NULL;
}

/* Whose limit, as sacctmgr chooses it. */
static bool write_owner(const struct fs_advices *a, const struct fs_explain_limit *l, char *out, size_t size)
{
	const struct fsi_job *j = fsi_advise_job(a);

	switch (l->scope) {
	case FS_LIMIT_QOS:
	case FS_LIMIT_PARTITION_QOS:
		return snprintf(out, size, "qos where name=%s", l->of) < (int)size;
	case FS_LIMIT_ACCOUNT:
		return snprintf(out, size, "account where name=%s", l->of) < (int)size;
	case FS_LIMIT_ASSOC:
		return snprintf(out, size, "user where name=%s account=%s", fsi_str(a->m, j->user),
				fsi_str(a->m, j->account)) < (int)size;
	}
	return false;
}

static int try_limit(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const bool qos = l->scope == FS_LIMIT_QOS || l->scope == FS_LIMIT_PARTITION_QOS;
	const double wants = l->per_job ? l->wants : l->used + l->wants;
	const char *word = word_of(l->name);
	char owner[FSI_ADVICE_TEXT / 2], command[FSI_ADVICE_TEXT];

	if (!word || l->is_min || l->factor != 1 || !isfinite(wants) || wants <= 0 || wants > 1e15 ||
	    !write_owner(a, l, owner, sizeof(owner)))
		return 0;
	snprintf(command, sizeof(command), "sacctmgr modify %s set %s=%s%s%.0f", owner, word, l->tres, *l->tres ? "=" : "",
		 ceil(wants));
	return fsi_advise_propose(a, qos ? FS_WHO_ADMINISTRATOR : FS_WHO_OPERATOR, command, NULL);
}

static int try_limits(struct fs_advices *a)
{
	const struct fs_queue_options o = { .view = a->view };
	struct fsi_trial t;
	struct fs_verdict v;
	fs_queue *q;
	int rc = fsi_advise_edit(a, NULL, &t);

	if (!rc)
		rc = fs_queue_compute(&q, a->m, &o, a->err);
	if (rc)
		return rc;
	rc = fs_queue_verdict(q, fsi_job_row(a->m, a->job), &v) ? fsi_nomem(a->err) : 0;
	if (!rc) {
		if (v.limit)
			rc = try_limit(a, v.limit);
		fs_verdict_release(&v);
	}
	fs_queue_free(q);
	return rc;
}

int fsi_advise_others(struct fs_advices *a)
{
	int rc = try_wishes(a);

	if (!rc)
		rc = try_release(a);
	if (!rc)
		rc = try_rival(a);
	if (!rc)
		rc = try_limits(a);
	return rc ? rc : try_priority(a);
}
