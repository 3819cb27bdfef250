/* One trial: applies a change to a copy of the snapshot, and plans the copy. Also adds the causes that trials find. */
#include "cause/cause.h"

#include "base/error.h"
#include "model/find.h"

#include "fs/scenario.h"

int64_t fsi_cause_get_planned_start(const fs_plan *p, const fs_snapshot *m, uint64_t job)
{
	const uint32_t job_row = fsi_job_find_row(m, job);
	const size_t i = job_row == FSI_NO_INDEX ? FS_NO_ROW : fs_plan_find(p, job_row);
	struct fs_plan_row row;

	return i != FS_NO_ROW && fs_plan_row(p, i, &row) ? row.start_time : FS_UNKNOWN;
}

static int plan_changed_copy(struct fs_causes *c, const fs_snapshot *copy, struct fsi_cause_trial *out)
{
	const struct fs_plan_options o = { .size = sizeof(o), .view = c->view, .starts_alone = true };
	fs_plan *p;
	const int rc = fs_plan_compute(&p, copy, &o, c->err);

	if (rc)
		return rc;
	out->start = fsi_cause_get_planned_start(p, copy, c->job);
	out->gains = fsi_cause_get_gain(c, out->start) >= FSI_CAUSE_MIN_GAIN_S;
	fs_plan_free(p);
	return 0;
}

int fsi_cause_apply_change(fs_snapshot *copy, const struct fsi_cause_change *change)
{
	struct fs_error refused;
	int rc = 0;

	for (size_t i = 0; i < sizeof(change->command) / sizeof(*change->command) && !rc; i++)
		if (change->command[i])
			rc = fs_snapshot_edit(copy, change->command[i], NULL, &refused);
	if (!rc && change->edit)
		change->edit(copy, change->ctx);
	return rc;
}

int fsi_cause_try(struct fs_causes *c, const struct fsi_cause_change *change, struct fsi_cause_trial *out)
{
	fs_snapshot *copy;
	int rc;

	*out = (struct fsi_cause_trial){ .start = FS_UNKNOWN, .refused = true };
	if (c->trials == c->max_trials)
		return 0;
	rc = fs_snapshot_copy(&copy, c->m, c->err);
	if (rc)
		return rc;
	rc = fsi_cause_apply_change(copy, change);
	out->refused = rc == FS_EUSAGE || rc == FS_ENODATA;
	if (!rc) {
		c->trials++;
		rc = plan_changed_copy(c, copy, out);
	} else {
		rc = out->refused ? 0 : fsi_fail_no_memory(c->err);
	}
	fs_snapshot_free(copy);
	return rc;
}

size_t fsi_cause_count_trials(const fs_snapshot *m, const fs_plan *plan)
{
	enum { PAIRS = 100000000 };
	const size_t pairs = fs_plan_count(plan) * (m->node.n + 1);

	return pairs ? PAIRS / pairs : SIZE_MAX;
}

int64_t fsi_cause_get_gain(const struct fs_causes *c, int64_t start)
{
	if (start == FS_UNKNOWN)
		return 0;
	return c->row.start_time == FS_UNKNOWN ? INT64_MAX : c->row.start_time - start;
}

/* Copies a text to the arena. Returns NULL if `text` is NULL or if out of memory. */
static const char *copy_text(struct fs_causes *c, const char *text)
{
	return text ? fsi_arena_strndup(&c->arena, text, strlen(text)) : NULL;
}

int fsi_cause_add(struct fs_causes *c, const struct fs_cause *cause)
{
	struct fs_cause *out = FSI_VEC_ADD(&c->cause);
	const char **names = fsi_arena_array(&c->arena, cause->nnames + 1, sizeof(*names));

	if (!out || !names)
		return fsi_fail_no_memory(c->err);
	*out = *cause;
	out->names = names;
	out->start = c->row.start_time;
	for (size_t i = 0; i < cause->nnames; i++)
		if (!(names[i] = copy_text(c, cause->names[i])))
			return fsi_fail_no_memory(c->err);
	out->remove = copy_text(c, cause->remove);
	out->why_not = copy_text(c, cause->why_not);
	return out->remove || out->why_not ? 0 : fsi_fail_no_memory(c->err);
}
