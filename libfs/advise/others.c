/* What the job insists on, what holds it, its owner's own jobs before it, and its priority. */
#include "advise/advise.h"
#include "model/scheduler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A guest of Flux may raise the urgency up to this. */
enum { DEFAULT_URGENCY = 16 };

static int try_wishes(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const struct {
		bool has;
		enum fsi_change what;
		const char *without;
	} wish[] = {
		{ FSI_HAS(j, JOB, nice) && j->nice > 0, FSI_CHANGE_NICE, "0" },
		{ *fsi_str(a->m, fsi_advise_rare(a)->req_nodes), FSI_CHANGE_NODE_LIST, "" },
		{ *fsi_str(a->m, fsi_advise_rare(a)->exc_nodes), FSI_CHANGE_EXCLUDED, "" },
		{ *fsi_str(a->m, j->features), FSI_CHANGE_FEATURES, "" },
		{ *fsi_str(a->m, j->reservation), FSI_CHANGE_RESERVATION, "" },
		{ FSI_HAS(j, JOB, contiguous) && j->contiguous, FSI_CHANGE_CONTIGUOUS, "0" },
		{ strchr(fsi_str(a->m, j->array_tasks), '%') != NULL, FSI_CHANGE_THROTTLE, "0" },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(wish) / sizeof(*wish) && !rc; i++)
		if (wish[i].has)
			rc = fsi_advise_change(a, FS_WHO_OWNER, wish[i].what, wish[i].without);
	return rc;
}

/* Its begin time keeps it from what the plan has for it as if that had come. */
int fsi_advise_begin(struct fs_advices *a)
{
	const int64_t begins = a->begins;
	int rc;

	if (begins == FS_UNKNOWN)
		return 0;
	a->begins = FS_UNKNOWN;
	rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_BEGIN, "now");
	a->begins = begins;
	return rc;
}

/* ---- holds, and its owner's own jobs */

static int try_release(struct fs_advices *a, const struct fs_verdict *v)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const bool lowered = FSI_HAS(j, JOB, urgency) && fsi_advise_rare(a)->urgency < DEFAULT_URGENCY;
	const bool own = lowered || (v->kind == FS_VERDICT_HELD && v->cause == FS_VERDICT_CAUSE_OWNER);
	struct fsi_command c;

	if (!own && (v->kind != FS_VERDICT_HELD || v->cause != FS_VERDICT_CAUSE_ADMINISTRATOR))
		return 0;
	fsi_command_release(&c, a->m, a->job, own);
	return fsi_advise_propose(a, own ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
}

/* Tries to hold the owner's own job that keeps this one from an earlier start. */
static int try_rival(struct fs_advices *a)
{
	const uint32_t row = a->before.blocked_by ? fsi_job_row(a->m, a->before.blocked_by) : FSI_NO_INDEX;
	const struct fsi_job *own = fsi_advise_job(a);
	struct fsi_command c;

	if (row == FSI_NO_INDEX || !own->user || a->saved.job.v[row].user != own->user)
		return 0;
	fsi_command_hold(&c, a->m, a->before.blocked_by);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, NULL);
}

/* ---- its priority */

/* Tries the highest priority among the owner's jobs for this one. */
static int try_top(struct fs_advices *a)
{
	const struct fsi_commands *commands = a->m->scheduler->commands;
	struct fsi_command c;

	fsi_command_top(&c, a->m, a->job);
	return fsi_advise_propose(
		a, commands->owner_tops && commands->owner_tops(a->m) ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
}

static int try_priority(struct fs_advices *a)
{
	uint32_t max = 0;
	struct fsi_command c;
	char text[24];

	fsi_command_first(&c, a->m, a->job);
	if (c.len)
		return fsi_advise_propose(a, FS_WHO_OPERATOR, &c, NULL);
	for (size_t i = 0; i < a->saved.job.n; i++) {
		const struct fsi_job *j = &a->saved.job.v[i];

		if (j->state == FSI_STATE_PENDING && j->id != a->job && j->priority > max &&
		    j->priority < UINT32_MAX - 3)
			max = j->priority;
	}
	if (!max)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu32, max + 1);
	return fsi_advise_change(a, FS_WHO_OPERATOR, FSI_CHANGE_PRIORITY, text);
}

/* ---- what holds it back */

static int try_verdict(struct fs_advices *a)
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
		rc = try_release(a, &v);
		if (!rc && v.limit)
			rc = fsi_advise_limit(a, v.limit);
		if (!rc && v.limit)
			rc = fsi_advise_spread(a, v.limit);
		fs_verdict_release(&v);
	}
	fs_queue_free(q);
	return rc;
}

int fsi_advise_others(struct fs_advices *a)
{
	int rc = try_wishes(a);

	if (!rc)
		rc = try_rival(a);
	if (!rc)
		rc = try_verdict(a);
	if (!rc)
		rc = try_top(a);
	return rc ? rc : try_priority(a);
}
