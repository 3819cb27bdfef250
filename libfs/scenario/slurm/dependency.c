/* What a job waits for other jobs to do. */
#include "base/num.h"
#include "scenario/slurm/slurm.h"

#include <string.h>

/* "afterok:12:13": have all of them ended so? Other kinds, and jobs that are not in the snapshot, are not known to
 * be met. */
static bool is_met(const fs_snapshot *m, const char *part, size_t len)
{
	static const char any[] = "afterany:", ok[] = "afterok:";
	const bool by_ok = len > strlen(ok) && !strncmp(part, ok, strlen(ok));
	const char *end = part + len;

	if (!by_ok && !(len > strlen(any) && !strncmp(part, any, strlen(any))))
		return false;
	for (part += by_ok ? strlen(ok) : strlen(any); part < end; part++) {
		const size_t digits = strcspn(part, ":,");
		uint64_t id;
		uint32_t row;

		if (fsi_parse_u64(part, digits, &id))
			return false;
		row = fsi_job_row(m, id);
		if (row == FSI_NO_INDEX || !fsi_job_finished(&m->job.v[row]) ||
		    (by_ok && m->job.v[row].state != FSI_STATE_COMPLETED))
			return false;
		part += digits;
	}
	return true;
}

/* All parts between commas must be met; one that is met already is dropped
 * (src/slurmctld/job_scheduler.c:update_job_dependency, test_job_dependency), and without any the job goes on
 * waiting as before. */
static bool all_met(const fs_snapshot *m, const char *text)
{
	if (!*text)
		return false;
	for (const char *part = text; *part; part += part[strcspn(part, ",")] == ',') {
		const size_t len = strcspn(part, ",");

		if (!is_met(m, part, len))
			return false;
		part += len;
	}
	return true;
}

FSI_SETTER(fsi_slurm_edit_dependency)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int rc;

	if (v.text && v.op == '=' && (!*v.text || all_met(s->m, v.text))) {
		if (!j->dependency)
			return 0;
		v.text = "";
	}
	rc = fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "dependency", v);
	if (rc)
		return rc;
	if (j->dependency) {
		FSI_FORGET(j, JOB, eligible_time);
	} else if (!FSI_HAS(j, JOB, eligible_time)) {
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
	}
	fsi_slurm_age(s, j, FSI_AGE_LOST);
	return 0;
}
