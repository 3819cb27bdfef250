/* A job: what it waits for, its sums, its place, its way through the tree, what is in its way. */
#include "explain/explain.h"

#include "fairshare/maui.h"
#include "queue/verdict/verdict.h"

#include <math.h>

static enum fs_explain_state waiting_state(enum fs_verdict_kind kind)
{
	switch (kind) {
	case FS_VERDICT_NEVER:
		return FS_EXPLAIN_NEVER;
	case FS_VERDICT_HELD:
		return FS_EXPLAIN_HELD;
	case FS_VERDICT_BEGIN:
	case FS_VERDICT_DEPENDENCY:
	case FS_VERDICT_RESERVATION:
	case FS_VERDICT_ARRAY_LIMIT:
	case FS_VERDICT_LIMIT:
	case FS_VERDICT_UNKNOWN:
	case FS_VERDICT_NODES:
		return FS_EXPLAIN_BLOCKED;
	default:
		return FS_EXPLAIN_QUEUED;
	}
}

static enum fs_explain_state state_of(const fs_explain *x, const struct fs_explain_job *j)
{
	switch (j->section) {
	case FS_SECTION_RUNNING:
	case FS_SECTION_SUSPENDED:
	case FS_SECTION_COMPLETING:
		return FS_EXPLAIN_RUNNING;
	case FS_SECTION_ENDED:
		if (x->m->job.v[j->job_row].state != FSI_STATE_PENDING)
			return FS_EXPLAIN_ENDED;
		break;
	default:
		break;
	}
	if (j->verdict.kind == FS_VERDICT_NONE && j->section == FS_SECTION_HELD)
		return FS_EXPLAIN_HELD;
	return waiting_state(j->verdict.kind);
}

/* Limits and obstacles with all their facts, and the verdict that rests on them. */
static int look_at_bars(fs_explain *x, struct fs_explain_job *out)
{
	const struct fsi_bars_from from = { .m = x->m,
					    .viewer = &x->viewer,
					    .usage = x->from.shares ? x->from.shares->usage : NULL,
					    .arena = &x->arena };
	const struct fsi_queue_scheduler *s = x->m->scheduler->queue;
	const bool bars = s && s->bar;
	struct fsi_bars b = { .job_row = out->job_row };

	if (bars && fsi_bars(&b, &from, out->job_row, out->reason))
		return -1;
	out->choices = b.choices;
	out->nchoices = b.nchoices;
	out->limits = b.limits;
	out->nlimits = b.nlimits;
	out->obstacles = b.obstacles;
	out->nobstacles = b.nobstacles;
	return x->from.queue ? fsi_verdict(x->from.queue, out->job_row, bars ? &b : NULL,
					   &x->arena, &out->verdict)
			     : 0;
}

static void fill_credentials(const fs_explain *x, struct fs_explain_job *out)
{
	const fs_windows *w = x->from.windows;

	for (int k = 0; k < FS_CRED_KINDS; k++)
		out->credential[k] = FSI_NO_INDEX;
	if (!w)
		return;
	fsi_job_creds(x->m, &w->w.creds, &x->m->job.v[out->job_row], out->credential);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		const uint32_t own = out->credential[k],
			       holder = fsi_maui_priority_holder(w, (enum fs_cred_kind)k, own);

		out->by_default[k] = holder != own && holder != FSI_NO_INDEX;
		if (own != FSI_NO_INDEX)
			out->credential[k] = w->row_of[own];
	}
	out->capped = fs_windows_capped(w, out->job_row, &out->cap);
}

int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	*out = (struct fs_explain_job){ .job_row = job_row,
					.share_row =
						fsi_explain_charged(x->m, &x->m->job.v[job_row]),
					.ahead = { .next = FSI_NO_INDEX, .gain = NAN } };
	out->section = fsi_explain_section(x, job_row, &out->reason);
	out->nholds = x->from.holds ? fs_holds_count(x->from.holds, job_row) : 0;
	fill_credentials(x, out);
	out->jobs_missing = fsi_hidden(x->m, "job");
	out->jobs_hidden = out->jobs_missing || (x->viewer.private_jobs && !x->viewer.all);
	out->state = state_of(x, out);
	if (fsi_explain_sums(x, out))
		return fsi_nomem(err);
	if (out->share_row == FSI_NO_INDEX || !x->from.shares)
		return 0;
	return fs_explain_path(x, out->share_row, &out->path, err);
}

static int explain_job(fs_explain *x, uint32_t job_row, bool heads, struct fs_explain_job *out, struct fs_error *err)
{
	const int rc = fs_explain_job_brief(x, job_row, out, err);

	if (rc)
		return rc;
	if (fsi_explain_ahead(x, out, heads))
		return fsi_nomem(err);
	if (look_at_bars(x, out))
		return fsi_nomem(err);
	out->has_accrue = x->from.accrue != NULL;
	if (out->has_accrue)
		fs_accrue_job(x->from.accrue, job_row, &out->accrue);
	out->state = state_of(x, out);
	return 0;
}

int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return explain_job(x, job_row, false, out, err);
}

int fs_explain_job_heads(fs_explain *x, uint32_t job_row, struct fs_explain_job *out, struct fs_error *err)
{
	return explain_job(x, job_row, true, out, err);
}
