/* scontrol update job: how much the job asks for (src/slurmctld/job_mgr.c: _update_job). */
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
	const struct fsi_job *j = fsi_edited_job(rec);
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
	s->size->nodes = (uint32_t)nodes;
	s->size->max_nodes = keep ? 0 : (uint32_t)max;
	return 0;
}

static int count(struct fsi_scenario *s, const struct fsi_edit_word *w, const char *text, int64_t max, uint32_t *out)
{
	int64_t n;
	const int rc = fsi_slurm_number(s, w, text, 1, max, &n);

	if (!rc)
		*out = (uint32_t)n;
	return rc;
}

FSI_SETTER(fsi_slurm_edit_tasks)
{
	(void)rec;
	return count(s, w, v.text, INT32_MAX, &s->size->tasks);
}

FSI_SETTER(fsi_slurm_edit_cpus_per_task)
{
	(void)rec;
	return count(s, w, v.text, UINT16_MAX - 2, &s->size->cpus_per_task);
}

FSI_SETTER(fsi_slurm_edit_cpus)
{
	char min[32];

	(void)rec;
	snprintf(min, sizeof(min), "%.*s", v.text ? (int)strcspn(v.text, "-") : 0, v.text ? v.text : "");
	return count(s, w, min, INT32_MAX, &s->size->cpus);
}

FSI_SETTER(fsi_slurm_edit_min_cpus)
{
	int64_t min;

	(void)rec;
	if (fsi_slurm_number(s, w, v.text, 0, UINT16_MAX - 2, &min))
		return FS_EUSAGE;
	s->size->min_cpus_per_node = (uint32_t)min;
	s->size->min_cpus_said = true;
	return 0;
}

static int memory(struct fsi_scenario *s, const struct fsi_edit_word *w, const char *text, bool by_node)
{
	int64_t mb;

	if (!text || fsi_parse_mem_mb(text, strlen(text), &mb) || mb < 0 || mb > UINT32_MAX)
		return fsi_scenario_refuse(s, "%s: expected MiB, or an amount such as 4G, got \"%.60s\"", w->word,
					   text ? text : "");
	s->size->mem_mb = (uint32_t)mb;
	s->size->mem_said = true;
	s->size->mem_by_node = by_node;
	return 0;
}

FSI_SETTER(fsi_slurm_edit_mem_per_cpu)
{
	(void)rec;
	return memory(s, w, v.text, false);
}

FSI_SETTER(fsi_slurm_edit_mem_per_node)
{
	(void)rec;
	return memory(s, w, v.text, true);
}

/* Words of TRES take an item as the controller writes it; Gres and sbatch take it in any form. */
FSI_SETTER(fsi_slurm_edit_gres)
{
	static const struct {
		const char *word;
		enum fsi_gres_by by;
	} by[] = { { "TresPerJob", FSI_GRES_BY_JOB }, { "TresPerTask", FSI_GRES_BY_TASK }, { "TresPerSocket", FSI_GRES_BY_SOCKET } };
	const bool plain = s->size->submitted || !strcmp(w->word, "Gres"), slash = fs_slurm_has(s->m->info.version, FS_SLURM_TRES_SLASH);
	const char *text = v.text ? v.text : "", **to = &s->size->gres[FSI_GRES_BY_NODE];

	(void)rec;
	if (s->size->submitted && fsi_same_any_case(text, strlen(text), "none"))
		return 0;
	for (const char *p = text; *p && !plain && !slash; p += strspn(p, ",")) {
		if (strncmp(p, "gres:", 5) != 0)
			return fsi_scenario_refuse(s, "%s: expected items as gres:gpu:2, got \"%.60s\"", w->word, p);
		p += strcspn(p, ",");
	}
	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		to = strcmp(w->word, by[i].word) ? to : &s->size->gres[by[i].by];
	if (!strcmp(w->word, "CpusPerTres"))
		to = &s->size->cpus_per_gpu;
	else if (!strcmp(w->word, "MemPerTres"))
		to = &s->size->mem_per_gpu;
	else
		s->size->asks_gres = s->size->asks_gres || *text;
	*to = text;
	return 0;
}

FSI_SETTER(fsi_slurm_edit_sockets)
{
	const int rc = count(s, w, v.text, UINT16_MAX - 2, &s->size->sockets);

	return rc ? rc : fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "sockets_per_node", v);
}

int fsi_slurm_take_size(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z)
{
	bool gpus = z->cpus_per_gpu || z->mem_per_gpu;
	int rc = 0;

	for (int i = 0; i < FSI_GRES_BY_COUNT; i++)
		gpus = gpus || z->gres[i];
	if (gpus)
		rc = fsi_slurm_keep_gpu_cpus(s, j);
	if (!rc)
		rc = fsi_slurm_resize(s, j, z);
	for (enum fsi_gres_by i = 0; i < FSI_GRES_BY_COUNT && !rc; i++)
		if (z->gres[i])
			rc = fsi_slurm_gres(s, j, z->gres[i], i, z);
	return rc || !gpus ? rc : fsi_slurm_of_each_gpu(s, j, z);
}
