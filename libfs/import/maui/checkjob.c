/* The pages of checkjob (src/UserI.c:UICheckJob) tell of jobs that are known how long they have been queued, from
 * which the time follows, their reservations, system priorities and, in a simulation, how long they will run. Jobs
 * that no trace tells of are made of them in import/maui/pages.c. */
#include "import/maui/queue.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the files of a folder */

struct files {
	struct fsi_maui_import *x;
	FSI_VEC(char *) name;
};

static int note_file(void *ctx, const char *name)
{
	struct files *f = ctx;

	if (strncmp(name, "checkjob_", strlen("checkjob_")) != 0)
		return 0;
	if (FSI_VEC_ROOM(&f->name))
		return FS_ENOMEM;
	f->name.v[f->name.n] = fsi_arena_strndup(&f->x->imp->m->arena, name, strlen(name));
	return f->name.v[f->name.n++] ? 0 : FS_ENOMEM;
}

static int cmp_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int in_folder(struct fsi_maui_import *x, const char *dir, int (*fn)(struct fsi_maui_import *x, void *ctx),
		     void *ctx)
{
	const struct fs_source *source = x->imp->source;
	struct files f = { .x = x };
	int rc = source->list ? source->list(source->ctx, dir, note_file, &f) : 0;

	rc = rc < 0 ? fsi_maui_no_list(x, rc, dir) : 0;
	if (f.name.n)
		qsort(f.name.v, f.name.n, sizeof(*f.name.v), cmp_string);
	for (size_t i = 0; i < f.name.n && !rc; i++) {
		snprintf(x->file, sizeof(x->file), "%s%s%s", dir, *dir ? "/" : "", f.name.v[i]);
		rc = fn(x, ctx);
	}
	FSI_VEC_FREE(&f.name);
	return rc;
}

int fsi_maui_checkjobs(struct fsi_maui_import *x, int (*fn)(struct fsi_maui_import *x, void *ctx), void *ctx)
{
	const int rc = in_folder(x, "out", fn, ctx);

	return rc ? rc : in_folder(x, "", fn, ctx);
}

/* ---- what a page tells of a job that is known */

struct checkjob {
	struct fsi_maui_import *x;
	uint32_t job;
	bool named, state, idle, runs; /* does it say which job it is of, and its state? */
	int64_t queued_s; /* -1: not said */
};

/* "WallTime: 00:00:00 of 2:00:00  (Recorded WallTime: 1:35:00)" stands in a simulation's page alone
 * (src/UserI.c:UICheckJob). */
static void set_simulated_run(struct checkjob *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_after(line, "(Recorded WallTime:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || c->job == FSI_NO_INDEX || fsi_maui_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	struct fsi_job *job = &c->x->imp->m->job.v[c->job];

	/* a job has rare fields since fsi_maui_add_job */
	(void)FSI_SET_RARE(c->x->imp->m, job, simulated_run_s, (uint32_t)s);
}

/* "(Time Queued  Total: 00:20:00  Eligible: 00:12:00)" (src/UserI.c:UICheckJob, of J->EffQueueDuration): how long a
 * blocked job had waited when nothing blocked it last is on no other page. */
static void set_eligible(struct checkjob *c, struct fsi_span line)
{
	struct fsi_span v = fsi_maui_after(line, "  Eligible:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || !c->idle || !fsi_maui_after(line, "(Time Queued").len || c->job == FSI_NO_INDEX || fsi_maui_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	(void)FSI_SET_RARE(c->x->imp->m, &c->x->imp->m->job.v[c->job], eligible_s, (uint32_t)s);
}

/* "Req[0]  TaskCount: 12  Partition: p2" (src/UserI.c:UICheckJob); of a job that waits it is ALL. */
static int set_partition(struct checkjob *c, struct fsi_span line)
{
	const struct fsi_span v = fsi_maui_after(line, "  Partition: ");
	uint32_t name;

	if (!v.len || !fsi_span_begins(line, "Req[") || !c->runs || c->job == FSI_NO_INDEX || fsi_span_is(v, "DEFAULT") ||
	    fsi_span_is(v, "ALL"))
		return 0;
	name = fsi_import_name(c->x->imp, v);
	if (name == FSI_INTERN_FAILED || FSI_SET_RARE(c->x->imp->m, &c->x->imp->m->job.v[c->job], maui_partition, name))
		return fsi_nomem(c->x->imp->err);
	return 0;
}

static int checkjob_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct checkjob *c = ctx;
	struct fsi_span v = fsi_maui_after(line, "checking job ");
	uint64_t n;

	if (v.s) {
		c->job = fsi_maui_job(c->x, v);
		c->named = true;
	}
	if (fsi_span_begins(line, "State:")) {
		v = fsi_maui_after(line, "State:");
		c->state = v.len > 0;
		c->idle = fsi_span_is(v, "Idle");
		c->runs = fsi_span_is(v, "Running");
	}
	v = fsi_maui_after(line, "(Time Queued  Total:");
	if (v.s && fsi_maui_duration(v, &c->queued_s))
		c->queued_s = -1;
	set_eligible(c, line);
	if (set_partition(c, line))
		return FS_ENOMEM;
	if (c->idle && c->job != FSI_NO_INDEX) {
		c->x->reserved_known = true;
		if (fsi_span_begins(line, "Reservation '"))
			fsi_maui_add_flag(imp, &imp->m->job.v[c->job], "RESERVED");
	}
	set_simulated_run(c, line);
	v = fsi_maui_after(line, "TasksPerNode:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX)
		(void)FSI_SET_RARE(imp->m, &imp->m->job.v[c->job], tasks_per_node, (uint32_t)n);
	v = fsi_maui_after(line, "SystemPriority:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX) {
		imp->m->job.v[c->job].priority_set = (uint32_t)n;
		FSI_SET(&imp->m->job.v[c->job], JOB, priority_set);
	}
	return 0;
}

/* Warns of a page without the job's name, its state and how long it has been queued, with which checkjob begins
 * (src/moab/UserI.c: UICheckJob). */
static int look_at_checkjob(const struct checkjob *c)
{
	const char *lacks = !c->named ? "checking job" : !c->state ? "State:" : c->queued_s < 0 ? "(Time Queued  Total:" : NULL;

	return lacks ? fsi_import_incomplete(c->x->imp, NULL, "%s/%s: it has no \"%s\": it is not what the command prints",
					     c->x->imp->source->name, c->x->file, lacks)
		     : 0;
}

static int read_checkjob(struct fsi_maui_import *x, void *ctx)
{
	struct checkjob *c = ctx;
	int rc;

	c->job = FSI_NO_INDEX;
	c->named = c->state = c->idle = c->runs = false;
	c->queued_s = -1;
	rc = fsi_import_lines(x->imp, x->file, checkjob_line, c);
	if (!rc && !x->now && c->idle && c->queued_s >= 0 && c->job != FSI_NO_INDEX &&
	    FSI_HAS(&x->imp->m->job.v[c->job], JOB, submit_time))
		x->now = x->imp->m->job.v[c->job].submit_time + c->queued_s;
	return rc || x->partial ? (rc > 0 ? 0 : rc) : look_at_checkjob(c);
}

int fsi_maui_checked(struct fsi_maui_import *x)
{
	struct checkjob c = { .x = x };

	return fsi_maui_checkjobs(x, read_checkjob, &c);
}
