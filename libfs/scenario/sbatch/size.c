/* sbatch: how much the job asks for, which may follow from its GPUs (src/common/slurm_opt.c:
 * _validate_ntasks_per_gpu; src/slurmctld/job_mgr.c: _job_create). While the job waits its CPUs follow from the
 * tasks, not from --cpus-per-gpu. */
#include "base/num.h"
#include "scenario/sbatch/sbatch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "4", "a100:4", "gpu:a100:4": how many. Error: FS_EUSAGE. */
static int gpu_count(struct fsi_scenario *s, const char *text, uint64_t *n)
{
	const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;

	if (!fsi_parse_u64(digits, strlen(digits), n) && *n && *n < INT32_MAX)
		return 0;
	return fsi_scenario_refuse(s, "sbatch: expected GPUs as 2 or a100:2, got \"%.60s\"", text);
}

static int count_gpus(struct fsi_scenario *s, const struct fsi_submission *b, const struct fsi_job *j,
		      struct fsi_sbatch_gpus *g)
{
	const char *all = fsi_sbatch_given(b, FSI_SBATCH_GPUS),
		   *by_node = fsi_sbatch_given(b, FSI_SBATCH_GPUS_PER_NODE),
		   *by_task = fsi_sbatch_given(b, FSI_SBATCH_GPUS_PER_TASK);

	g->text = by_task ? by_task : by_node ? by_node : all;
	g->by = by_task ? FSI_GRES_BY_TASK : by_node ? FSI_GRES_BY_NODE : FSI_GRES_BY_JOB;
	if ((g->text && gpu_count(s, g->text, &g->each)) || (all && gpu_count(s, all, &g->all)))
		return FS_EUSAGE;
	if (!all && by_node)
		g->all = g->each * j->nodes;
	return 0;
}

/* Tasks follow from the GPUs of each, or GPUs from the tasks of each (src/common/gres.c: gres_job_state_validate). */
static int by_each_other(struct fsi_scenario *s, const struct fsi_sbatch_gpus *g, bool sized, uint64_t *tasks)
{
	if (g->by != FSI_GRES_BY_TASK)
		return 0;
	if (g->all && g->all % g->each)
		return fsi_scenario_refuse(s, "sbatch: --gpus is no multiple of --gpus-per-task");
	if (!g->all && !sized)
		return fsi_scenario_refuse(s, "sbatch: --gpus-per-task needs --ntasks, --nodes or --gpus beside it");
	if (g->all && sized && *tasks != g->all / g->each)
		return fsi_scenario_refuse(s, "sbatch: --gpus and --gpus-per-task are for another number of tasks");
	if (g->all)
		*tasks = g->all / g->each;
	return 0;
}

/* Sets one task, or one on each node that is asked for, or what follows from the GPUs. */
static int set_tasks(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j,
		     struct fsi_sbatch_gpus *g)
{
	const bool nodes = fsi_sbatch_given(b, FSI_SBATCH_NODES);
	uint32_t tasks, per_node, per_gpu;
	uint64_t n = j->nodes;

	if (fsi_sbatch_number(s, b, FSI_SBATCH_TASKS, &tasks) ||
	    fsi_sbatch_number(s, b, FSI_SBATCH_TASKS_PER_NODE, &per_node) ||
	    fsi_sbatch_number(s, b, FSI_SBATCH_TASKS_PER_GPU, &per_gpu) || count_gpus(s, b, j, g))
		return FS_EUSAGE;
	if (tasks)
		n = tasks;
	else if (per_node)
		n *= per_node;
	else if (per_gpu && g->all)
		n = per_gpu * g->all;
	else if (per_gpu)
		return fsi_scenario_refuse(s, "sbatch: --ntasks-per-gpu needs --gpus or --ntasks beside it");
	if (by_each_other(s, g, tasks || per_node || (nodes && !g->all), &n))
		return FS_EUSAGE;
	if (g->by == FSI_GRES_BY_TASK)
		g->all = g->each * n;
	if (per_gpu && tasks && !g->text) {
		g->all = tasks / per_gpu;
		g->text = "gpu";
	}
	if (n > INT32_MAX || g->all > INT32_MAX)
		return fsi_scenario_refuse(s, "sbatch: %" PRIu64 " tasks with %" PRIu64 " GPUs are too many", n,
					   g->all);
	if (g->text && g->all < j->nodes && (nodes || g->by == FSI_GRES_BY_JOB))
		return fsi_scenario_refuse(s, "sbatch: fewer GPUs than nodes");
	j->tasks = (uint32_t)n;
	FSI_SET(j, JOB, tasks);
	return 0;
}

/* Sets the memory of a node or a CPU, or that of a GPU times all of them. */
static int set_memory(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j,
		      const struct fsi_sbatch_gpus *g)
{
	const char *by_node = fsi_sbatch_given(b, FSI_SBATCH_MEM),
		   *by_cpu = fsi_sbatch_given(b, FSI_SBATCH_MEM_PER_CPU),
		   *by_gpu = fsi_sbatch_given(b, FSI_SBATCH_MEM_PER_GPU);
	int64_t mb;

	if (by_node)
		return fsi_slurm_set_job(s, j, "MinMemoryNode", by_node);
	if (by_cpu)
		return fsi_slurm_set_job(s, j, "MinMemoryCPU", by_cpu);
	if (!by_gpu)
		return 0;
	if (fsi_parse_mem_mb(by_gpu, strlen(by_gpu), &mb) || mb < 0 || mb > UINT32_MAX || !g->all)
		return fsi_scenario_refuse(
			s, "sbatch: --mem-per-gpu: expected MiB for GPUs that are asked for, got \"%.60s\"", by_gpu);
	if (FSI_SET_RARE(s->m, j, mem_per_gpu_mb, (uint32_t)mb))
		return fsi_nomem(s->err);
	return fsi_slurm_ask(s, j, fsi_name(s->m, "mem"), mb * (int64_t)g->all);
}

int fsi_sbatch_size(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j,
		    struct fsi_sbatch_gpus *g)
{
	const char *nodes = fsi_sbatch_given(b, FSI_SBATCH_NODES);
	uint32_t each;
	uint64_t cpus;

	if (fsi_sbatch_given(b, FSI_SBATCH_CPUS_PER_TASK) && fsi_sbatch_given(b, FSI_SBATCH_CPUS_PER_GPU))
		return fsi_scenario_refuse(s, "sbatch: --cpus-per-task and --cpus-per-gpu exclude each other");
	if (fsi_sbatch_number(s, b, FSI_SBATCH_CPUS_PER_TASK, &each) || fsi_slurm_set_cpus(s, j, 1) ||
	    (nodes ? fsi_slurm_set_job(s, j, "NumNodes", nodes) : fsi_slurm_set_nodes(s, j, 1)) ||
	    set_tasks(s, b, j, g))
		return FS_EUSAGE;
	j->cpus_per_task = each ? each : 1;
	FSI_SET(j, JOB, cpus_per_task);
	cpus = (uint64_t)j->tasks * j->cpus_per_task;
	if (cpus < j->nodes)
		cpus = j->nodes;
	if (cpus > INT32_MAX)
		return fsi_scenario_refuse(s, "sbatch: %" PRIu64 " CPUs are too many", cpus);
	if (fsi_slurm_set_cpus(s, j, (uint32_t)cpus))
		return FS_ENOMEM;
	return set_memory(s, b, j, g);
}

/* Asks for "a100:2", so many for all nodes together. */
int fsi_sbatch_gpus(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_sbatch_gpus *g)
{
	const char *colon = g->text ? strrchr(g->text, ':') : NULL, *prefix = "";
	const int type = colon ? (int)(colon - g->text) : 0;
	char text[128];

	if (!g->text)
		return 0;
	if (strncmp(g->text, "gpu:", 4) != 0)
		prefix = "gpu:";
	if (snprintf(text, sizeof(text), "%s%.*s%s%" PRIu64, prefix, type, g->text, type ? ":" : "", g->all) >=
	    (int)sizeof(text))
		return fsi_scenario_refuse(s, "sbatch: \"%.60s\" is no kind of GPU", g->text);
	if (fsi_slurm_gres(s, j, text, FSI_GRES_BY_JOB, &(const struct fsi_slurm_size){ .submitted = true }))
		return FS_EUSAGE;
	if (g->by == FSI_GRES_BY_NODE)
		FSI_CLEAR_RARE(s->m, j, gres_per);
	else if (g->by == FSI_GRES_BY_TASK && FSI_SET_RARE(s->m, j, gres_per, fsi_name(s->m, "task")))
		return fsi_nomem(s->err);
	return 0;
}
