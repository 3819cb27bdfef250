/* The jobs of Moab's layout: where each stands, which are wanted, and their values.
 *
 *   XFACTOR = max(1, (T - eligible time) / time limit), T the start of a job that has started, else now
 *
 * Elemnir/slurm_showq: main.cpp. */
#include "showq/moab/moab.h"

#include <math.h>
#include <string.h>

static const char *const blocking[] = {
	"Dependency", "JobHeldAdmin", "BeginTime", "AssociationJobLimit", "AssocJobLimit", "QOSMaxCpuPerJobLimit",
	"QOSMaxCpuMinutesPerJobLimit", "QOSMaxNodePerJobLimit", "QOSMaxWallDurationPerJobLimit", "JobHeldUser", NULL,
};

static bool blocks(const struct fs_reason *reason)
{
	for (size_t i = 0; reason && blocking[i]; i++)
		if (!strcmp(blocking[i], reason->name))
			return true;
	return false;
}

/* main.cpp: what is neither running nor pending goes to the jobs that ended. */
bool moab_place(const struct showq_run *r, const struct fs_job *job, struct showq_job *j)
{
	const struct fs_reason *reason;
	const enum fs_section section = fs_job_section(r->snapshot, j->row, &reason);

	j->known = true;
	if (j->pending || (!r->strict && section != FS_SECTION_ENDED && section != FS_SECTION_RUNNING &&
			section != FS_SECTION_COMPLETING && section != FS_SECTION_SUSPENDED))
		j->place = (uint8_t)(blocks(reason) ? PLACE_BLOCKED
				     : r->strict    ? PLACE_WAITING
						    : showq_mended_place(section));
	else if (r->strict ? !strcmp(job->state, "RUNNING") : section != FS_SECTION_ENDED)
		j->place = PLACE_ACTIVE;
	else
		j->place = PLACE_ERRORED;
	return true;
}

static const char *state_word(const struct showq_run *r, const char *state)
{
	static const char *const words[][2] = {
		{ "PENDING", "Idle" },	       { "RUNNING", "Running" },     { "SUSPENDED", "Suspended" },
		{ "COMPLETED", "Complete" },   { "CANCELLED", "Cancelled" }, { "FAILED", "Failed" },
		{ "TIMEOUT", "TimeOut" },      { "NODE_FAIL", "NodeFail" },  { "PREEMPTED", "Preempted" },
		{ "BOOT_FAIL", "BootFail" },   { "DEADLINE", "Deadline" },   { "OUT_OF_MEMORY", "OomError" },
		{ "COMPLETING", "Completing" }, { "CONFIGURING", "Starting" },
	};
	const size_t theirs = 12, n = sizeof(words) / sizeof(*words);

	for (size_t i = 0; i < (r->strict ? theirs : n); i++)
		if (!strcmp(words[i][0], state))
			return words[i][1];
	return "Unknown";
}

bool moab_is(const char *want, const char *have, bool part)
{
	return !want || (part ? strstr(have, want) != NULL : !strcmp(have, want));
}

static void join(const fs_snapshot *s, uint32_t row, const char *(*item)(const fs_snapshot *, size_t, size_t),
		 char *buf, size_t size)
{
	const char *name;
	size_t len = 0;

	*buf = '\0';
	for (size_t k = 0; len < size && (name = item(s, row, k)); k++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", k ? "," : "", name);
}

static bool among(const fs_snapshot *s, uint32_t row, const char *(*item)(const fs_snapshot *, size_t, size_t),
		  const char *want, bool part)
{
	char list[1024];
	const char *name;

	join(s, row, item, list, sizeof(list));
	if (part)
		return moab_is(want, list, true);
	for (size_t k = 0; want && (name = item(s, row, k)); k++)
		if (!strcmp(name, want))
			return true;
	return !want;
}

/* main.cpp looks for the names of partition and reservation anywhere in the job's. */
bool moab_wanted(const struct showq_run *r, const struct showq_job *j)
{
	const struct moab_wants *w = &r->moab;
	const struct fs_job job = showq_job_of(r, j);

	return moab_is(w->user, job.user, false) && moab_is(w->group, job.group, false) &&
	       moab_is(w->account, job.account, false) && among(r->snapshot, j->row, fs_job_qos, w->qos, false) &&
	       among(r->snapshot, j->row, fs_job_partition, w->partition, r->strict) &&
	       moab_is(w->reservation, job.reservation, r->strict);
}

static int first_host(void *ctx, const char *name, size_t len)
{
	snprintf(ctx, sizeof(((struct moab_job *)0)->host), "%.*s", (int)(len < 250 ? len : 250), name);
	return 1;
}

static double xfactor(const struct showq_run *r, const struct fs_job *j, int64_t limit_s)
{
	const bool pending = !strcmp(j->state, "PENDING");
	const int64_t until = pending ? r->info->time : j->start_time;
	const int64_t since = j->eligible_time == FS_UNKNOWN && r->strict ? 0 : j->eligible_time;

	if (until == FS_UNKNOWN || since == FS_UNKNOWN || limit_s == FS_UNKNOWN)
		return NAN;
	return fmax(1, (double)(until - since) / (double)limit_s);
}

void moab_job(const struct showq_run *r, const struct showq_job *j, struct moab_job *out)
{
	const struct fs_job *job = &out->job;

	*out = (struct moab_job){ .of = j, .job = showq_job_of(r, j) };
	out->state = state_word(r, job->state);
	out->limit_s = job->time_limit_s;
	fs_job_id_format(r->snapshot, job->id, true, out->id);
	join(r->snapshot, j->row, fs_job_partition, out->partition, sizeof(out->partition));
	if (*job->node_list && fs_hostlist_each(job->node_list, first_host, out->host) < 0)
		*out->host = '\0';
	out->left_s = job->end_time == FS_UNKNOWN ? FS_UNKNOWN : job->end_time - r->info->time;
	out->xfactor = xfactor(r, job, showq_limit_s(job));
}
