/* The time of a capture, from the first of: the caller; date_begin; showq or showq -r (start + limit - what remains of
 * a running job); checkjob of an idle job (submission + time queued); a reservation of showres (its start, less how far
 * that is off); a simulation's start + RMPOLLINTERVAL, when its first display comes; with a warning the newest
 * submission of a queued job. Jobs that have finished tell nothing. On the way system priorities are found. */
#include "import/maui_queue.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(struct fsi_span line, const char *word)
{
	return line.len >= strlen(word) && !memcmp(line.s, word, strlen(word));
}

static int date_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	const struct fsi_span v = fsi_span_trim(line);
	const char *dot = memchr(v.s, '.', v.len);

	if (imp->where.line > 1)
		return 0;
	return fsi_parse_i64(v.s, dot ? (size_t)(dot - v.s) : v.len, &x->now) || x->now <= 0
		       ? fsi_import_bad(imp, "date", v, "seconds since 1970")
		       : 0;
}

/* ---- checkjob ---- */

struct checkjob {
	struct fsi_maui_import *x;
	uint32_t job;
	bool named, state, idle; /* does it say which job it is of, and its state? */
	int64_t queued_s; /* -1: not said */
	FSI_VEC(char *) files;
};

static struct fsi_span word_after(struct fsi_span line, const char *label)
{
	const size_t len = strlen(label);
	struct fsi_span word = { NULL, 0 };

	for (size_t i = 0; i + len <= line.len; i++)
		if (!memcmp(line.s + i, label, len)) {
			fsi_maui_words((struct fsi_span){ line.s + i + len, line.len - i - len },
				       &word, 1);
			break;
		}
	return word;
}

/* "WallTime: 00:00:00 of 2:00:00  (Recorded WallTime: 1:35:00)", in a simulation alone (src/UserI.c:UICheckJob). */
static void set_simulated_run(struct checkjob *c, struct fsi_span line)
{
	struct fsi_span v = word_after(line, "(Recorded WallTime:");
	int64_t s;

	if (v.len && v.s[v.len - 1] == ')')
		v.len--;
	if (!v.len || c->job == FSI_NO_INDEX || fsi_maui_duration(v, &s) || s < 0 || s > UINT32_MAX)
		return;
	struct fsi_job *job = &c->x->imp->m->job.v[c->job];

	(void)FSI_SET_RARE(c->x->imp->m, job, simulated_run_s, (uint32_t)s); /* it has them: fsi_maui_add_job */
}

static int checkjob_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct checkjob *c = ctx;
	struct fsi_span v = word_after(line, "checking job ");
	uint64_t n;

	if (v.s) {
		c->job = fsi_maui_job(c->x, v);
		c->named = true;
	}
	if (begins(line, "State:")) {
		v = word_after(line, "State:");
		c->state = v.len > 0;
		c->idle = fsi_span_is(v, "Idle");
	}
	v = word_after(line, "(Time Queued  Total:");
	if (v.s && fsi_maui_duration(v, &c->queued_s))
		c->queued_s = -1;
	if (c->idle && c->job != FSI_NO_INDEX) {
		c->x->reserved_known = true;
		if (begins(line, "Reservation '"))
			fsi_maui_add_flag(imp, &imp->m->job.v[c->job], "RESERVED");
	}
	set_simulated_run(c, line);
	v = word_after(line, "SystemPriority:");
	if (v.s && c->job != FSI_NO_INDEX && !fsi_parse_u64(v.s, v.len, &n) && n <= UINT32_MAX) {
		imp->m->job.v[c->job].priority_set = (uint32_t)n;
		FSI_SET(&imp->m->job.v[c->job], JOB, priority_set);
	}
	return 0;
}

static int note_checkjob(void *ctx, const char *name)
{
	struct checkjob *c = ctx;

	if (strncmp(name, "checkjob_", 9) != 0)
		return 0;
	if (FSI_VEC_ROOM(&c->files))
		return FS_ENOMEM;
	c->files.v[c->files.n] = fsi_arena_strndup(&c->x->imp->m->arena, name, strlen(name));
	return c->files.v[c->files.n++] ? 0 : FS_ENOMEM;
}

static int cmp_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* checkjob begins with the job's name, its state and how long it has been queued (src/moab/UserI.c: UICheckJob). */
static int look_at_checkjob(const struct checkjob *c)
{
	const char *lacks = !c->named ? "checking job" : !c->state ? "State:" : c->queued_s < 0 ? "(Time Queued  Total:" : NULL;

	return lacks ? fsi_import_incomplete(c->x->imp, NULL, "%s/%s: it has no \"%s\": it is not what the command prints",
					     c->x->imp->source->name, c->x->file, lacks)
		     : 0;
}

static int read_checkjob(struct checkjob *c, const char *dir, const char *name)
{
	struct fsi_maui_import *x = c->x;
	int rc;

	c->job = FSI_NO_INDEX;
	c->named = c->state = c->idle = false;
	c->queued_s = -1;
	snprintf(x->file, sizeof(x->file), "%s%s%s", dir, *dir ? "/" : "", name);
	rc = fsi_import_lines(x->imp, x->file, checkjob_line, c);
	if (!rc && !x->now && c->idle && c->queued_s >= 0 && c->job != FSI_NO_INDEX &&
	    FSI_HAS(&x->imp->m->job.v[c->job], JOB, submit_time))
		x->now = x->imp->m->job.v[c->job].submit_time + c->queued_s;
	return rc || x->partial ? (rc > 0 ? 0 : rc) : look_at_checkjob(c);
}

static int read_checkjobs(struct fsi_maui_import *x, const char *dir)
{
	const struct fs_source *source = x->imp->source;
	struct checkjob c = { .x = x };
	int rc = 0;

	if (source->list)
		rc = source->list(source->ctx, dir, note_checkjob, &c);
	rc = rc < 0 ? fsi_maui_no_list(x, rc, dir) : 0;
	if (c.files.n)
		qsort(c.files.v, c.files.n, sizeof(*c.files.v), cmp_string);
	for (size_t i = 0; i < c.files.n && !rc; i++)
		rc = read_checkjob(&c, dir, c.files.v[i]);
	FSI_VEC_FREE(&c.files);
	return rc;
}

/* showq -i: JobName[mark] Priority ...; a priority beyond 1e9 is a system priority. */
static int idle_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_maui_import *x = ctx;
	struct fsi_span w[3];
	uint32_t row;
	uint64_t n;
	size_t at = 1;

	if (fsi_maui_words(line, w, 3) < 3)
		return 0;
	row = fsi_maui_job(x, w[0]);
	if (row == FSI_NO_INDEX && w[0].len > 1 && fsi_queue_is_mark(w[0].s[w[0].len - 1]))
		row = fsi_maui_job(x, (struct fsi_span){ w[0].s, w[0].len - 1 });
	at += w[1].len == 1 && fsi_queue_is_mark(*w[1].s);
	if (row == FSI_NO_INDEX || fsi_parse_u64(w[at].s, w[at].len, &n) || n <= 1000000000 ||
	    n > 3000000000u)
		return 0;
	imp->m->job.v[row].priority_set = (uint32_t)(n - 1000000000);
	FSI_SET(&imp->m->job.v[row], JOB, priority_set);
	return 0;
}

int fsi_maui_clock(struct fsi_maui_import *x)
{
	static const char *const dates[] = { "date_begin", NULL };
	static const char *const idle[] = { "showq_-i.txt", "out/showq_-i.txt", NULL };
	struct fsi_queue q = { .x = x };
	int rc = 0;

	x->now = x->o->time;
	if (!x->now)
		rc = fsi_maui_first_file(x, dates, date_line);
	if (rc >= 0)
		rc = fsi_queue_find(&q);
	if (!rc && !x->now)
		x->now = fsi_queue_time(x, &q);
	if (!rc && !x->now)
		rc = fsi_queue_find_running(&q);
	if (!rc && !x->now)
		x->now = fsi_queue_time(x, &q);
	if (!rc)
		rc = read_checkjobs(x, "out");
	if (!rc)
		rc = read_checkjobs(x, "");
	if (!rc)
		rc = fsi_maui_first_file(x, idle, idle_line);
	FSI_VEC_FREE(&q.row);
	if (rc < 0)
		return rc;
	rc = x->now ? 0 : fsi_maui_printed_time(x);
	if (rc)
		return rc;
	if (!x->now && x->simulation && x->clock_start)
		x->now = x->clock_start + fsi_config_int(x->imp->m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S);
	else if (!x->now && x->newest_queued) {
		x->now = x->newest_queued;
		x->imp->where = (struct fsi_where){ 0 };
		if (fsi_warn(x->imp->m,
			     "%s: nothing tells when this was captured: taken to be when the last job was submitted",
			     x->imp->source->name))
			return fsi_nomem(x->imp->err);
	}
	if (!x->now)
		return fsi_fail(x->imp->err, FS_ENODATA,
				"%s: nothing tells when this was captured: give the time of the capture",
				x->imp->source->name);
	return 0;
}
