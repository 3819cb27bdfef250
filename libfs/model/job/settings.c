#include "model/job/settings.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

/* ---- JobDefaults */

static int job_default(const char *word, size_t len, struct fsi_job_defaults *out)
{
	const char *const names[] = { "DefCpuPerGPU=", "DefMemPerGPU=" };
	uint32_t *const into[] = { &out->cpus_per_gpu, &out->mem_per_gpu_mb };
	uint64_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t name = strlen(names[i]);

		if (len <= name || !fsi_same_any_case(word, name, names[i]))
			continue;
		if (fsi_parse_u64(word + name, len - name, &n) || n >= UINT32_MAX)
			return -1;
		*into[i] = (uint32_t)n;
		return 0;
	}
	return -1;
}

/* src/common/read_config.c: job_defaults_list. */
int fsi_slurm_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out)
{
	struct fsi_job_defaults d = { 0 };

	*out = d;
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && text[end] != ','; end++)
			;
		if (end > at && job_default(text + at, end - at, &d))
			return -1;
	}
	*out = d;
	return 0;
}

/* ---- nodes */

void fsi_node_span_add(struct fsi_node_span *s, const struct fsi_node *n)
{
	const uint32_t cpus = FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;
	const uint32_t threads = n->threads_per_core ? n->threads_per_core : 1;

	if (!s->nodes || cpus < s->min_cpus)
		s->min_cpus = cpus;
	if (!s->nodes || threads < s->min_threads)
		s->min_threads = threads;
	if (cpus > s->max_cpus)
		s->max_cpus = cpus;
	if (threads > s->max_threads)
		s->max_threads = threads;
	s->nodes++;
}

static int map_nodes(struct fsi_requests *r, struct fsi_arena *arena)
{
	const fs_snapshot *m = r->m;
	uint32_t *part = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*part));

	r->node_row = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*r->node_row));
	r->span = fsi_arena_array(arena, m->partition.n + 1, sizeof(*r->span));
	if (!part || !r->node_row || !r->span)
		return -1;
	for (uint32_t i = 0; i < m->partition.n; i++)
		part[m->partition.v[i].name] = i + 1;
	for (uint32_t i = 0; i < m->node.n; i++) {
		size_t n;
		const uint32_t *in = fsi_list(m, m->node.v[i].partitions, &n);

		r->node_row[m->node.v[i].name] = i + 1;
		for (size_t k = 0; k < n; k++)
			if (part[in[k]])
				fsi_node_span_add(&r->span[part[in[k]] - 1], &m->node.v[i]);
	}
	return 0;
}

/* ---- all of them */

/* The words of SelectTypeParameters, in any case: CR_CORE_MEMORY holds CORE. */
static bool selects(const fs_snapshot *m, const char *word)
{
	const char *told = fs_snapshot_config_text(m, "SelectTypeParameters"), *s = told ? told : "";
	const size_t len = strlen(word);

	for (; *s; s++) {
		size_t i = 0;

		while (i < len && (s[i] == word[i] || s[i] == word[i] + ('a' - 'A')))
			i++;
		if (i == len)
			return true;
	}
	return false;
}

int fsi_requests_init(struct fsi_requests *r, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "SelectType");
	const char *defaults = fs_snapshot_config_text(m, "JobDefaults");

	*r = (struct fsi_requests){ .m = m,
				    .node = fsi_name_find(m, "node"),
				    .mem = fsi_name_find(m, "mem"),
				    .cpu = fsi_name_find(m, "cpu"), .gpu = fsi_name_find(m, "gres/gpu") };
	r->whole_sockets = selects(m, "CR_SOCKET");
	r->whole_cores = r->whole_sockets || selects(m, "CR_CORE");
	r->task_per_core = selects(m, "ONE_TASK_PER_CORE");
	r->linear = type && type->kind == FSI_CONFIG_STR &&
		    !strcmp(fsi_str(m, (uint32_t)type->i), "select/linear");
	if (defaults)
		fsi_slurm_job_defaults(defaults, strlen(defaults), &r->defaults); /* libfs/model/finish.c checks it */
	r->default_mem_mb = fsi_config_int(m, "DefMemPerCPU", 0);
	r->max_mem_per_cpu_mb = fsi_config_int(m, "MaxMemPerCPU", 0);
	return map_nodes(r, arena);
}
