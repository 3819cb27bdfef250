/* When jobs of a trace were submitted and ran. */
#include "import/maui/maui.h"

/* The jobs a simulation begins with are all submitted at its start (src/MSim.c:MSimGetWorkload); those that come later
 * keep the time of the trace. */
static bool submitted_later(const struct fsi_maui_import *x, const struct fsi_job *job, int64_t submit)
{
	return x->queue_depth && fsi_job_rare(x->imp->m, job)->position >= x->queue_depth && submit > x->clock_start;
}

/* A simulation ends a job when it has run for as long as its trace says, at least a second
 * (src/MTrace.c:MTraceLoadWorkload, src/MSim.c:MSimRMGetInfo), or for its limit (MSimJobSubmit). */
static int set_simulated_run(struct fsi_import *imp, struct fsi_job *job, int64_t start, int64_t end)
{
	const int64_t ran = end > start ? end - start : 1;

	return FSI_SET_RARE(imp->m, job, simulated_run_s, (uint32_t)(ran < UINT32_MAX ? ran : UINT32_MAX)) ?
		       fsi_nomem(imp->err) :
		       0;
}

/* In a simulation the starts and ends of a trace are those of another life. */
int fsi_maui_trace_times(struct fsi_maui_import *x, struct fsi_job *job, struct fsi_maui_times t, bool finished)
{
	const bool replayed = x->simulation && !finished;

	if (!x->clock_start || (!x->simulation && t.submit > x->clock_start))
		x->clock_start = t.submit;
	if (!finished && t.submit > x->newest_queued)
		x->newest_queued = t.submit;
	if (replayed && !submitted_later(x, job, t.submit))
		t.submit = t.queued = x->clock_start;
	FSI_PUT(job, JOB, submit_time, t.submit);
	FSI_PUT(job, JOB, eligible_time, t.queued ? t.queued : t.submit);
	if (replayed && !x->other_runs && set_simulated_run(x->imp, job, t.start, t.end))
		return FS_ENOMEM;
	if (!t.start || replayed)
		return 0;
	FSI_PUT(job, JOB, start_time, t.start);
	job->end_time = t.end;
	if (t.end)
		FSI_SET(job, JOB, end_time);
	return 0;
}
