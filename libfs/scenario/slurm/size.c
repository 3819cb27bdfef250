/* scontrol update job: how much the job asks for (src/slurmctld/job_mgr.c:_update_job). */
#include "base/num.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

int fsi_slurm_number(struct fsi_scenario *s, const struct fsi_edit_word *w, const char *text, int64_t min,
		  int64_t max, int64_t *out)
{
	if (text && !fsi_parse_i64(text, strlen(text), out) && *out >= min && *out <= max)
		return 0;
	return fsi_scenario_refuse(s, "%s: expected a whole number from %lld to %lld, got \"%.60s\"", w->word,
				   (long long)min, (long long)max, text ? text : "");
}

FSI_SETTER(fsi_slurm_edit_nodes)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *dash = v.text ? strchr(v.text, '-') : NULL;
	const bool keep = !dash && !fs_slurm_has(s->m->info.version, FS_SLURM_NODES_SET_MOST);
	char min[32];
	int64_t nodes, max;

	snprintf(min, sizeof(min), "%.*s", dash ? (int)(dash - v.text) : 31, v.text ? v.text : "");
	if (fsi_slurm_number(s, w, min, 1, INT32_MAX, &nodes))
		return FS_EUSAGE;
	max = nodes;
	if (dash && (fsi_slurm_number(s, w, dash + 1, nodes, INT32_MAX, &max)))
		return FS_EUSAGE;
	if (keep && FSI_HAS(j, JOB, max_nodes) && j->max_nodes && j->max_nodes < nodes)
		return fsi_scenario_refuse(s, "%s: more than the %u nodes that the job takes at most", w->word, j->max_nodes);
	if (!keep) {
		j->max_nodes = (uint32_t)max;
		FSI_SET(j, JOB, max_nodes);
	}
	return fsi_slurm_set_nodes(s, j, (uint32_t)nodes);
}

FSI_SETTER(fsi_slurm_edit_cpus)
{
	struct fsi_job *j = fsi_edited_job(rec);
	char min[32];
	int64_t cpus;

	snprintf(min, sizeof(min), "%.*s", v.text ? (int)strcspn(v.text, "-") : 0, v.text ? v.text : "");
	return fsi_slurm_number(s, w, min, 1, INT32_MAX, &cpus)
		       ? FS_EUSAGE
		       : fsi_slurm_set_cpus(s, j, (uint32_t)cpus);
}

/* For a job that waits MinCPUsNode sets the CPUs in all, up or down; sbatch's --mincpus does not. */
FSI_SETTER(fsi_slurm_edit_min_cpus)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t min;

	if (fsi_slurm_number(s, w, v.text, 0, UINT16_MAX - 2, &min))
		return FS_EUSAGE;
	j->min_cpus_per_node = (uint32_t)min;
	FSI_SET(j, JOB, min_cpus_per_node);
	return min ? fsi_slurm_set_cpus(s, j, (uint32_t)min * fsi_slurm_nodes(s->m, j)) : 0;
}

static int memory(struct fsi_scenario *s, const struct fsi_edit_word *w, const char *text, int64_t *mb)
{
	if (text && !fsi_parse_mem_mb(text, strlen(text), mb) && *mb >= 0 && *mb <= UINT32_MAX)
		return 0;
	return fsi_scenario_refuse(s, "%s: expected MiB, or an amount such as 4G, got \"%.60s\"", w->word,
				   text ? text : "");
}

FSI_SETTER(fsi_slurm_edit_mem_per_cpu)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t mb;

	if (memory(s, w, v.text, &mb))
		return FS_EUSAGE;
	j->mem_per_cpu_mb = (uint32_t)mb;
	FSI_SET(j, JOB, mem_per_cpu_mb);
	return fsi_slurm_ask(s, j, fsi_name(s->m, "mem"), mb * j->cpus);
}

FSI_SETTER(fsi_slurm_edit_mem_per_node)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t mb;

	if (memory(s, w, v.text, &mb))
		return FS_EUSAGE;
	FSI_FORGET(j, JOB, mem_per_cpu_mb);
	return fsi_slurm_ask(s, j, fsi_name(s->m, "mem"), mb * fsi_slurm_nodes(s->m, j));
}

FSI_SETTER(fsi_slurm_edit_gres_in_all)
{
	(void)w;
	return fsi_slurm_gres_in_all(s, fsi_edited_job(rec), v.text ? v.text : "", false);
}

FSI_SETTER(fsi_slurm_edit_gres)
{
	(void)w;
	return fsi_slurm_gres(s, fsi_edited_job(rec), v.text ? v.text : "");
}
