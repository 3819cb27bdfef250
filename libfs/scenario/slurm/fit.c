/* scontrol update job: how its nodes are chosen, and how many tasks of an array run (src/slurmctld/job_mgr.c:
 * _update_job). */
#include "base/num.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* "1,3,5-9%2": the tasks not yet split off, and how many may run. */
FSI_SETTER(fsi_slurm_edit_throttle)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *tasks = fsi_str(s->m, j->array_tasks);
	char text[1024];
	int64_t max;

	if (fsi_slurm_number(s, w, v.text, 0, INT32_MAX, &max))
		return FS_EUSAGE;
	if (!*tasks)
		return 0;
	if (snprintf(text, sizeof(text), max ? "%.*s%%%lld" : "%.*s", (int)strcspn(tasks, "%"), tasks,
		     (long long)max) >= (int)sizeof(text))
		return fsi_scenario_refuse(s, "ArrayTaskThrottle: the array's list of tasks is too long");
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "array_tasks", (struct fsi_operand){ '=', text });
}

/* "2@1:00:00" */
FSI_SETTER(fsi_slurm_edit_switches)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *at = v.text ? strchr(v.text, '@') : NULL;
	int64_t switches, wait_s;
	char text[32];

	snprintf(text, sizeof(text), "%.*s", at ? (int)(at - v.text) : 31, v.text ? v.text : "");
	if (fsi_slurm_number(s, w, text, 0, INT32_MAX, &switches))
		return FS_EUSAGE;
	if (at && (fsi_scenario_minutes(at + 1, &wait_s) || wait_s == FS_UNLIMITED))
		return fsi_scenario_refuse(s, "%s: expected a number, or one and a time as 1@30:00, got \"%.60s\"", w->word, v.text);
	FSI_CLEAR_RARE(s->m, j, switches);
	if ((switches && FSI_SET_RARE(s->m, j, switches, (uint32_t)switches)) ||
	    (at && FSI_SET_RARE(s->m, j, switches_wait_s, (uint32_t)wait_s)))
		return fsi_nomem(s->err);
	return 0;
}

FSI_SETTER(fsi_slurm_edit_switch_wait)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t wait_s;

	if (fsi_slurm_number(s, w, v.text, 0, INT32_MAX, &wait_s))
		return FS_EUSAGE;
	return FSI_SET_RARE(s->m, j, switches_wait_s, (uint32_t)wait_s) ? fsi_nomem(s->err) : 0;
}

/* "gres:gpu:4", "gres/gpu:4", "gpu:4", "4" */
FSI_SETTER(fsi_slurm_edit_cpus_per_gpu)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *colon = v.text ? strrchr(v.text, ':') : NULL;
	int64_t cpus = 0;

	if (v.text && *v.text && fsi_slurm_number(s, w, colon ? colon + 1 : v.text, 1, UINT16_MAX - 2, &cpus))
		return FS_EUSAGE;
	if (fsi_slurm_keep_gpu_cpus(s, j))
		return FS_ENOMEM;
	FSI_CLEAR_RARE(s->m, j, cpus_per_gpu);
	FSI_CLEAR_RARE(s->m, j, cpus_per_gpu_default);
	return cpus && FSI_SET_RARE(s->m, j, cpus_per_gpu, (uint32_t)cpus) ? fsi_nomem(s->err) : 0;
}
