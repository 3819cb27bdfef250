/* The states that showq tells: what each job does, and which jobs are not there. Every job has its rare fields since
 * fsi_maui_add_job, which takes memory for them and tells where there is none. */
#include "import/maui/queue.h"

#include <math.h>
#include <stdlib.h>

void fsi_maui_add_flag(struct fsi_import *imp, struct fsi_job *job, const char *flag)
{
	uint32_t flags = fsi_job_rare(imp->m, job)->flags;

	if (!fsi_list_has(imp->m, flags, flag) && !fsi_list_add(imp->m, &flags, 129, fsi_name(imp->m, flag)))
		(void)FSI_SET_RARE(imp->m, job, flags, flags);
}

static void set_flags(struct fsi_import *imp, struct fsi_job *job, char mark)
{
	if (mark == '_')
		fsi_maui_add_flag(imp, job, "SPVIOLATION");
	if (mark == '+' || mark == '*')
		fsi_maui_add_flag(imp, job, "BACKFILL");
	if (mark == '-' || mark == '*')
		fsi_maui_add_flag(imp, job, "PREEMPTEE");
}

static void forget_run(struct fsi_job *job)
{
	FSI_UNSET(job, JOB, start_time);
	FSI_UNSET(job, JOB, end_time);
	job->start_time = job->end_time = 0;
}

static void take_row(struct fsi_maui_import *x, const struct fsi_queue_row *r)
{
	struct fsi_job *job = &x->imp->m->job.v[r->job];

	if (!FSI_HAS(job, JOB, cpus)) { /* no trace tells of it */
		FSI_PUT(job, JOB, user, r->user);
		FSI_PUT(job, JOB, cpus, (uint32_t)r->procs);
	}
	if (r->section == FSI_QUEUE_ACTIVE) {
		job->state = FSI_STATE_RUNNING;
		FSI_PUT(job, JOB, start_time, fsi_import_utc(x->imp, r->local));
		FSI_PUT(job, JOB, end_time, x->now + r->time_s);
		if (r->host)
			FSI_PUT(job, JOB, node_list, r->host);
		set_flags(x->imp, job, r->mark);
		if (r->partition && !FSI_HAS(job, JOB, maui_partition))
			(void)FSI_SET_RARE(x->imp->m, job, maui_partition, r->partition);
		if (!isnan(r->efficiency))
			(void)FSI_SET_RARE(x->imp->m, job, efficiency, r->efficiency);
		if (r->priority >= 0)
			FSI_PUT(job, JOB, priority, (uint32_t)r->priority);
		return;
	}
	job->state = FSI_STATE_PENDING;
	forget_run(job);
	if (!FSI_HAS(job, JOB, time_limit_s))
		FSI_PUT(job, JOB, time_limit_s, r->time_s);
	if (!FSI_HAS(job, JOB, submit_time) ||
	    job->submit_time != fsi_import_utc(x->imp, r->local)) {
		job->submit_time = job->eligible_time = fsi_import_utc(x->imp, r->local);
		FSI_SET(job, JOB, submit_time);
		FSI_SET(job, JOB, eligible_time);
	}
	if (r->section == FSI_QUEUE_BLOCKED) {
		job->reason = fsi_name_find(x->imp->m, "Idle") == r->state
				      ? fsi_name(x->imp->m, "Blocked")
				      : r->state;
		FSI_SET(job, JOB, reason);
	}
}

/* A job that the statistics finish after now is still queued, or runs. */
static void undo_later_end(struct fsi_maui_import *x, struct fsi_job *job)
{
	if (job->state != FSI_STATE_COMPLETED || job->end_time <= x->now)
		return;
	job->state = job->start_time <= x->now ? FSI_STATE_RUNNING : FSI_STATE_PENDING;
}

/* Was the job in a simulation's queue when it was captured, so that it must be listed or have ended? */
static bool must_be_somewhere(const struct fsi_maui_import *x, const struct fsi_job *job)
{
	const bool submitted =
		fsi_job_rare(x->imp->m, job)->position < x->queue_depth ||
		(job->submit_time > x->clock_start && job->submit_time <= x->now);

	return x->simulation && x->queue_known && x->statistics && x->queue_depth && submitted;
}

static bool is_queued(const struct fsi_maui_import *x, const struct fsi_job *job, bool listed)
{
	if (x->queue_known)
		return listed;
	return !x->simulation || !x->queue_depth || job->state == FSI_STATE_RUNNING ||
	       fsi_job_rare(x->imp->m, job)->position < x->queue_depth;
}

/* The row of the first job that the simulation submits later, and with it all behind: it takes them in the order of its
 * trace and waits for the time of each (src/MSim.c:MSimGetWorkload, MSimJobSubmit). Past the trace: there is none. */
static size_t first_to_come(const struct fsi_maui_import *x)
{
	size_t i = x->submits && x->queue_depth < x->workload ? x->queue_depth : x->workload;

	while (i < x->workload && x->imp->m->job.v[i].submit_time <= x->now)
		i++;
	return i;
}

/* Such a job waits from its submission on, whatever the trace says of its time in a queue. */
static void make_future(struct fsi_job *job)
{
	job->state = FSI_STATE_FUTURE;
	forget_run(job);
	FSI_PUT(job, JOB, eligible_time, job->submit_time);
}

/* Leaves out jobs that the queue does not have and never will: they are gone. */
static int drop_jobs(struct fsi_maui_import *x, const bool *listed)
{
	fs_snapshot *m = x->imp->m;
	const size_t to_come = first_to_come(x);
	size_t n = 0, lost = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *job = &m->job.v[i];
		bool kept = job->state == FSI_STATE_COMPLETED || is_queued(x, job, listed[i]);

		if (!kept && i >= to_come && i < x->workload) {
			make_future(job);
			kept = true;
		}
		lost += !kept && must_be_somewhere(x, job);
		x->job_of.v[job->name] = kept ? (uint32_t)n + 1 : 0;
		if (kept)
			m->job.v[n++] = *job;
	}
	m->job.n = n;
	return lost ? fsi_import_incomplete(x->imp, "job", "%s: %zu job%s of the trace %s neither listed by showq nor among those that have ended",
					    x->imp->source->name, lost, lost == 1 ? "" : "s", lost == 1 ? "is" : "are")
		    : 0;
}

/* Of several lists the first one that tells the place counts. */
static void set_place(fs_snapshot *m, struct fsi_job *job, uint32_t place)
{
	if (!FSI_HAS(job, JOB, active_place))
		(void)FSI_SET_RARE(m, job, active_place, place);
}

/* Takes rows in their order; listed: the jobs that they are of. */
static void take_rows(struct fsi_maui_import *x, const struct fsi_queue *q, bool *listed)
{
	for (size_t i = 0; i < q->row.n; i++) {
		if (q->row.v[i].section == FSI_QUEUE_IDLE && !x->first_idle)
			x->first_idle = x->imp->m->job.v[q->row.v[i].job].name;
		take_row(x, &q->row.v[i]);
		if (q->row.v[i].section == FSI_QUEUE_ACTIVE)
			set_place(x->imp->m, &x->imp->m->job.v[q->row.v[i].job], (uint32_t)i);
		listed[q->row.v[i].job] = true;
	}
}

static size_t rows_of(const struct fsi_queue *q, enum fsi_queue_section section)
{
	size_t n = 0;

	for (size_t i = 0; i < q->row.n; i++)
		n += section == FSI_QUEUE_NONE || q->row.v[i].section == section;
	return n;
}

/* showq closes with the number of its jobs, and of those of each section (src/server/omclient.c:MCShowQ). */
static int look_whole(struct fsi_maui_import *x, const struct fsi_queue *q)
{
	static const char *const words[] = { "", "active ", "idle ", "blocked " };
	const char *dir = x->imp->source->name;

	if (!q->file && !x->traced)
		return 0;
	if (!q->file)
		return fsi_warn(x->imp->m, "%s: no showq: the jobs of the traces are taken for the queue", dir) ? fsi_nomem(x->imp->err) : 0;
	if (x->simulation && !x->statistics &&
	    fsi_warn(x->imp->m, "%s: no stats/simstat.out: what has ended in the simulation, and used something, is not known", dir))
		return fsi_nomem(x->imp->err);
	if (q->total[FSI_QUEUE_NONE] < 0)
		return fsi_import_incomplete(x->imp, "job", "%s/%s: it is not whole, without \"Total Jobs\"", dir, q->file);
	for (size_t i = FSI_QUEUE_NONE; i <= FSI_QUEUE_BLOCKED; i++)
		if (q->total[i] >= 0 && (uint64_t)q->total[i] != rows_of(q, (enum fsi_queue_section)i))
			return fsi_import_incomplete(x->imp, "job", "%s/%s: it counts %lld %sjobs, of which %zu can be read", dir,
						     q->file, (long long)q->total[i], words[i],
						     rows_of(q, (enum fsi_queue_section)i));
	return 0;
}

/* showq -r closes with the number of its jobs too. */
static int look_running(struct fsi_maui_import *x, const struct fsi_queue *q)
{
	return q->file ? fsi_maui_counted(x, q->file, q->total[FSI_QUEUE_NONE], q->row.n) : 0;
}

/* Traces that tell of some jobs must tell of all; showq and checkjob say less. */
static int look_traced(struct fsi_maui_import *x, size_t traced)
{
	const size_t n = x->imp->m->job.n - traced;

	if (!traced || !n)
		return 0;
	return fsi_import_incomplete(x->imp, NULL, "%s: no trace tells of %zu job%s that showq lists, the first %.100s",
				     x->imp->source->name, n, n == 1 ? "" : "s",
				     fsi_str(x->imp->m, x->imp->m->job.v[traced].name));
}

int fsi_maui_queue(struct fsi_maui_import *x)
{
	fs_snapshot *m = x->imp->m;
	struct fsi_queue all = { .x = x }, running = { .x = x }, verbose = { .x = x };
	bool *listed = NULL;
	int rc = fsi_queue_find(&all);

	if (!rc)
		rc = fsi_queue_find_running(&running);
	if (!rc)
		rc = fsi_queue_find_verbose(&verbose);
	x->capture = all.capture;
	if (!rc && !x->partial)
		rc = look_whole(x, &all);
	if (!rc && !x->partial)
		rc = look_running(x, &running);
	if (!rc && !x->partial)
		rc = look_running(x, &verbose);
	if (!rc)
		rc = look_traced(x, x->traced);
	if (!rc && all.active_nodes >= 0 && all.active_nodes <= UINT32_MAX) {
		m->head.active_nodes = (uint32_t)all.active_nodes;
		FSI_SET(&m->head, SNAPSHOT, active_nodes);
	}
	for (size_t i = 0; i < m->job.n; i++)
		undo_later_end(x, &m->job.v[i]);
	if (!rc) { /* both lists may have added jobs */
		listed = calloc(m->job.n + 1, sizeof(*listed));
		rc = listed ? 0 : fsi_nomem(x->imp->err);
	}
	if (!rc) {
		take_rows(x, &all, listed);
		take_rows(x, &running, listed);
		take_rows(x, &verbose, listed);
		if (m->job.n)
			rc = drop_jobs(x, listed);
	}
	free(listed);
	FSI_VEC_FREE(&all.row);
	FSI_VEC_FREE(&running.row);
	FSI_VEC_FREE(&verbose.row);
	return rc;
}
