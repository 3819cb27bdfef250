/* Why jobs of Flux and Maui are not eligible: by what their schedulers hold them with. */
#include "model/flux/flux.h"
#include "queue/maui/limits.h"
#include "queue/verdict/verdict.h"

#include <math.h>
#include <string.h>

static int keep_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l)
{
	out->limit = fsi_arena_copy(arena, l, sizeof(*l));
	return out->limit ? 0 : -1;
}

static int blocked_by(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l)
{
	out->kind = l->never ? FS_VERDICT_NEVER : FS_VERDICT_LIMIT;
	out->cause = FS_VERDICT_CAUSE_LIMIT;
	return keep_limit(out, arena, l);
}

static int flux_limit(const struct fs_queue *q, uint32_t job_row, struct fsi_arena *arena,
		      const struct fs_hold_row *h, struct fs_verdict *out)
{
	const struct fs_explain_limit l = {
		.name = h->limit,
		.tres = "",
		.scope = h->of_queue ? FS_LIMIT_PARTITION_QOS : FS_LIMIT_ACCOUNT,
		.of = h->scope,
		.whose = fsi_str(q->m, q->m->job.v[job_row].user),
		.partition = "",
		.qos = "",
		.value = h->value,
		.used = h->used,
		.wants = h->wants,
		.factor = 1,
		.promised = NAN,
		.blocks = true,
		.never = h->wants > h->value,
	};

	return blocked_by(out, arena, &l);
}

static int of_hold(const struct fs_queue *q, uint32_t job_row, const struct fs_hold_row *h,
		   struct fsi_arena *arena, struct fs_verdict *out)
{
	if (h->limit)
		return flux_limit(q, job_row, arena, h, out);
	if (!strcmp(h->reason, "held") || !strncmp(h->reason, "priority-", strlen("priority-"))) {
		out->kind = FS_VERDICT_HELD;
		out->cause = !strcmp(h->reason, "held") ? FS_VERDICT_CAUSE_OWNER : FS_VERDICT_CAUSE_SCHEDULER;
		return 0;
	}
	if (fsi_flux_begins(&q->m->job.v[job_row], h->reason, &out->time)) {
		out->kind = FS_VERDICT_BEGIN;
		return 0;
	}
	out->kind = FS_VERDICT_DEPENDENCY;
	out->cause = FS_VERDICT_CAUSE_DEPENDENCY;
	return fsi_verdict_depends(q, &q->m->job.v[job_row], arena, out);
}

/* The hold that comes first in the order of verdicts is the verdict. */
int fsi_flux_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out)
{
	const struct fs_verdict before = *out;
	const size_t n = q->holds ? fs_holds_count(q->holds, first->job) : 0;
	struct fs_explain_obstacle lack;

	if (fsi_flux_never(q, first->job, &lack)) {
		out->kind = FS_VERDICT_NEVER;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->obstacle = fsi_arena_copy(arena, &lack, sizeof(lack));
		return out->obstacle ? 0 : -1;
	}
	if (!n && !first->eligible) { /* its queue is stopped */
		out->kind = FS_VERDICT_NODES;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
	}
	for (size_t i = 0; i < n; i++) {
		struct fs_verdict v = before;

		if (of_hold(q, first->job, fs_holds_row(q->holds, first->job, i), arena, &v))
			return -1;
		if (!i || v.kind < out->kind)
			*out = v;
	}
	return 0;
}

static const char *cap_unit(const struct fs_queue *q, const struct fs_cap_row *cap)
{
	if (cap->mode != FS_TARGET_CAP_ABS)
		return "%";
	return strcmp(fs_windows_info(q->windows)->policy, "DEDICATEDPES") ? "processor seconds"
									    : "PE seconds";
}

static int maui_cap(const struct fs_queue *q, struct fsi_arena *arena, const struct fs_cap_row *cap,
		    struct fs_verdict *out)
{
	const struct fs_explain_limit l = {
		.name = "fair-share cap",
		.tres = cap_unit(q, cap),
		.scope = FS_LIMIT_ASSOC,
		.of = cap->name,
		.whose = fs_cred_kind_name(cap->kind),
		.user = "",
		.partition = "",
		.qos = "",
		.value = cap->cap,
		.used = cap->usage,
		.wants = cap->need,
		.factor = 1,
		.promised = NAN,
		.blocks = true,
		/* a percentage is one of what all use, which grows */
		.never = (cap->mode == FS_TARGET_CAP_ABS || cap->cap < 0) && cap->need > cap->cap,
	};

	return blocked_by(out, arena, &l);
}

int fsi_maui_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out)
{
	const char *name = out->reason ? out->reason->name : "";
	struct fs_explain_obstacle lack;
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (fsi_maui_never(q, first->job, &lack)) {
		out->kind = FS_VERDICT_NEVER;
		out->cause = FS_VERDICT_CAUSE_PARTITION;
		out->obstacle = fsi_arena_copy(arena, &lack, sizeof(lack));
		if (!out->obstacle)
			return -1;
		return fsi_maui_limited(q, first->job, true, true, &limit) ? keep_limit(out, arena, &limit) : 0;
	}
	if (first->eligible)
		return 0;
	if (out->reason && out->reason->section == FS_SECTION_HELD) {
		out->kind = FS_VERDICT_HELD;
		out->cause = !strcmp(name, "UserHold")	  ? FS_VERDICT_CAUSE_OWNER
			     : !strcmp(name, "SystemHold") ? FS_VERDICT_CAUSE_ADMINISTRATOR
			     : !strcmp(name, "BatchHold")  ? FS_VERDICT_CAUSE_NONE /* it tells not whose it is */
							   : FS_VERDICT_CAUSE_SCHEDULER;
		return 0;
	}
	out->kind = FS_VERDICT_LIMIT;
	out->cause = FS_VERDICT_CAUSE_POLICY;
	if (!strcmp(name, "Limit") && fsi_maui_limited(q, first->job, true, true, &limit))
		return blocked_by(out, arena, &limit);
	if (!strcmp(name, "FairShare") && q->windows && fs_windows_capped(q->windows, first->job, &cap))
		return maui_cap(q, arena, &cap, out);
	return 0;
}
