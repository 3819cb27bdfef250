/* Requests for generic resources by scontrol update job and sbatch (src/slurmctld/job_mgr.c: _update_job;
 * src/common/gres.c, since 22.11 src/interfaces/gres.c: gres_job_state_validate). */
#include "base/num.h"
#include "model/find.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* Stores a request for `n` units of a resource with a type, such as "gpu:a100", in the job's gres_req. The type is not
 * a TRES of the cluster. */
static int request_uncounted_type(struct fsi_scenario *s, struct fsi_job *j, const char *gres, size_t len, int64_t n)
{
	char name[100];
	const int used = snprintf(name, sizeof(name), "gres/%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), gres);
	const uint32_t tres = used < (int)sizeof(name) ? fsi_name_intern(s->m, name) : 0;
	const uint32_t set = tres && tres != FSI_INTERN_FAILED
				     ? fsi_scenario_set_amount(s->m, fsi_job_ext(s->m, j)->gres_req, tres, n)
				     : tres;

	if (set == FSI_INTERN_FAILED || (set && FSI_SET_JOB_EXT(s->m, j, gres_req, set)))
		return fsi_fail_no_memory(s->err);
	return 0;
}

/* Returns the name id of the TRES "gres/NAME"; 0 if the resource is not a TRES of the cluster. */
static uint32_t find_gres_tres(const fs_snapshot *m, const char *name, size_t len)
{
	for (size_t i = 0; i < m->tres.n; i++) {
		const char *own = fsi_name_text(m, m->tres.v[i].name);

		if (!strncmp(own, "gres/", 5) && fsi_is_same_ignoring_case(name, len, own + 5))
			return m->tres.v[i].name;
	}
	return 0;
}

static const char *skip_gres_prefix(const char *p)
{
	return !strncmp(p, "gres/", 5) || !strncmp(p, "gres:", 5) ? p + 5 : p;
}

/* Returns the number at the end of an item such as "gpu:2" or "gpu:a100:2"; 1 if there is no number. Shortens *len by
 * the number and its colon. */
static uint64_t split_item_number(const char *p, size_t *len)
{
	const char *count = p + *len;
	uint64_t n = 1;

	while (count > p && count[-1] != ':')
		count--;
	if (count > p && !fsi_parse_u64(count, (size_t)(p + *len - count), &n))
		*len = (size_t)(count - p) - 1;
	return n;
}

/* Returns the sum of the numbers of all items that precede `item` in the list and name the same resource, such as
 * "gpu". The types of the items do not matter. */
static int64_t sum_earlier_items(const char *list, const char *item)
{
	const size_t kind = strcspn(item, ":=,");
	int64_t sum = 0;

	while (list < item) {
		const char *own = skip_gres_prefix(list);
		size_t len = strcspn(own, ",");

		if (own < item && strcspn(own, ":=,") == kind && !strncmp(own, item, kind))
			sum += (int64_t)(split_item_number(own, &len) % UINT32_MAX);
		list += strcspn(list, ",") + 1;
	}
	return sum;
}

/* Adds an item such as "gpu", "gpu:2" or "gpu:a100:2" to the job's request. Multiplies the number of the item by
 * `times`. `list`: the list that contains the item. */
static int request_one_item(struct fsi_scenario *s, struct fsi_job *j, const char *list, const char *p, size_t len,
			    uint32_t times)
{
	const int64_t earlier = sum_earlier_items(list, p) * times;
	uint64_t n = split_item_number(p, &len);
	const char *type = memchr(p, ':', len);
	uint32_t kind, typed;

	kind = find_gres_tres(s->m, p, type ? (size_t)(type - p) : len);
	typed = type ? find_gres_tres(s->m, p, len) : 0;
	if (n > UINT32_MAX)
		return fsi_scenario_refuse(s, "the request for \"%.*s\" is above the maximum of %u",
					   (int)(len < 60 ? len : 60), p, UINT32_MAX);
	if (!kind && !typed)
		return fsi_scenario_refuse(s, "the cluster has no generic resource \"%.*s\"",
					   (int)(len < 60 ? len : 60), p);
	if (!n)
		return 0;
	FSI_CLEAR_JOB_EXT(s->m, j, no_gres);
	n *= times;
	if (kind && fsi_slurm_request_tres(s, j, kind, (int64_t)n + earlier))
		return FS_ENOMEM;
	if (type && !typed)
		return request_uncounted_type(s, j, p, len, (int64_t)n);
	return typed && fsi_slurm_request_tres(s, j, typed, (int64_t)n) ? FS_ENOMEM : 0;
}

enum request_form { FORM_NONE, FORM_UNTYPED, FORM_TYPED };

static enum request_form find_request_form(const fs_snapshot *m, uint32_t set, const char *kind, size_t len)
{
	enum request_form how = FORM_NONE;
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);

	for (size_t i = 0; i < n && how != FORM_TYPED; i++) {
		const char *name = fsi_name_text(m, a[i].tres);

		if (a[i].n > 0 && !strncmp(name, "gres/", 5) && !strncmp(name + 5, kind, len) && (!name[5 + len] || name[5 + len] == ':'))
			how = name[5 + len] ? FORM_TYPED : FORM_UNTYPED;
	}
	return how;
}

/* Returns true if the job requests the resource of the item at present, and exactly one of the item and the present
 * request has a type. Before 23.02.6, Slurm merges an update with the present request, and refuses this combination
 * (src/slurmctld/job_mgr.c: _update_job until fd6efe3e64; src/common/gres.c: _merge_generic_data). */
static bool has_type_conflict(const fs_snapshot *m, const struct fsi_job *j, const char *item, size_t len)
{
	const size_t kind = strcspn(item, ":=,");
	const char *after_kind = item + kind + (item[kind] != 0);
	const bool typed = item[kind] == ':' && kind < len && (*after_kind < '0' || *after_kind > '9');
	const enum request_form plain = find_request_form(m, j->tres_req, item, kind),
				own = find_request_form(m, fsi_job_ext(m, j)->gres_req, item, kind),
				how = plain > own ? plain : own;

	return how != FORM_NONE && typed != (how == FORM_TYPED);
}

/* Refuses the list of resources `p` if Slurm must merge it with the job's present request but cannot
 * (has_type_conflict). Before 23.02.6, Slurm always merges the list with the request. Later versions merge them only if
 * the list and the request have different units (node, job, task or socket). `other_unit`: the units differ. */
static int refuse_type_conflicts(struct fsi_scenario *s, const struct fsi_job *j, const char *p, bool other_unit)
{
	if (!other_unit && fs_slurm_has(s->m->info.version, FS_SLURM_GRES_REPLACED))
		return 0;
	for (; *p; p += strspn(p, ",")) {
		const char *item = skip_gres_prefix(p);

		p += strcspn(p, ",");
		if (has_type_conflict(s->m, j, item, (size_t)(p - item)))
			return fsi_scenario_refuse(
				s, "a type cannot be added to or removed from the request for \"%.*s\"%s",
				(int)strcspn(item, ":=,"), item,
				other_unit ? " if the unit changes (node, job, task or socket)"
					   : " before Slurm 23.02.6");
	}
	return 0;
}

/* Returns the amount of a resource, such as "gpu" or "gpu:a100", that the job requests on all its nodes together. */
static int64_t get_requested_gres(const fs_snapshot *m, const struct fsi_job *j, const char *what, size_t len)
{
	char name[100];
	const int used = snprintf(name, sizeof(name), "gres/%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), what);
	const uint32_t tres = used < (int)sizeof(name) ? fsi_name_find(m, name) : 0;

	return tres ? fsi_job_requested_amount(m, j, tres) : 0;
}

/* The values of the job field gres_per, indexed by enum fsi_gres_by. If a job has requests with several units, the
 * field has the unit that comes first in this list. */
static const char *const gres_unit_names[] = { "job", "", "task", "socket" };

static enum fsi_gres_by get_gres_unit(const fs_snapshot *m, const struct fsi_job *j)
{
	const char *per = fsi_name_text(m, fsi_job_ext(m, j)->gres_per);
	enum fsi_gres_by by = FSI_GRES_BY_SOCKET;

	while (by > FSI_GRES_BY_JOB && strcmp(per, gres_unit_names[by]) != 0)
		by--;
	return by;
}

static int set_gres_unit(struct fsi_scenario *s, struct fsi_job *j, enum fsi_gres_by by)
{
	const uint32_t name = fsi_name_intern(s->m, gres_unit_names[by]);

	FSI_CLEAR_JOB_EXT(s->m, j, gres_per);
	if (name == FSI_INTERN_FAILED || (*gres_unit_names[by] && FSI_SET_JOB_EXT(s->m, j, gres_per, name)))
		return fsi_fail_no_memory(s->err);
	return 0;
}

/* A change of a job's request for generic resources. The amount of a request has a unit: it counts per node, task or
 * socket, or for the whole job. */
struct gres_change {
	struct fsi_scenario *s;
	struct fsi_job *j;
	/* `by`: unit (job, node, task or socket) of the amount in the command; `present_by`: unit of the amount that
	 * the job requests at present */
	enum fsi_gres_by by, present_by;
	/* `nodes`, `max_nodes`: minimum and maximum number of nodes of the job; `tasks`: its number of tasks;
	 * `sockets`: number of sockets of each node */
	uint32_t nodes, max_nodes, tasks, sockets;
};

/* Sets the job's number of nodes, and its maximum number of nodes, to `all` / `each`. Returns false and sets nothing if
 * the quotient is not a whole number within the job's minimum and maximum number of nodes. `all`: amount of the
 * resource on all nodes; `each`: amount on each node. */
static bool set_consistent_nodes(const struct gres_change *a, int64_t all, int64_t each)
{
	if (each <= 0 || all % each || all / each < a->nodes || all / each > a->max_nodes)
		return false;
	a->j->max_nodes = (uint32_t)(all / each);
	FSI_SET(a->j, JOB, max_nodes);
	return !fsi_slurm_apply_size(a->s, a->j, &(const struct fsi_slurm_size){ .nodes = a->j->max_nodes });
}

/* Sets the job's number of tasks per node to `each` / `task`. Returns false and sets nothing if the quotient is not a
 * whole number, or if the job requests another number of tasks per node. `each`: amount of the resource per node;
 * `task`: amount per task. */
static bool set_consistent_tasks(const struct gres_change *a, int64_t each, int64_t task)
{
	const uint32_t own = fsi_job_ext(a->s->m, a->j)->ntasks_per_node;
	const int64_t tasks = task > 0 && each % task == 0 ? each / task : 0;

	return tasks && (own ? own == tasks : !FSI_SET_JOB_EXT(a->s->m, a->j, ntasks_per_node, (uint32_t)tasks));
}

/* Returns true if the job can satisfy both the amount in the command and the job's present request. May set the job's
 * number of nodes, or of tasks per node, to satisfy both. `n`: amount in the command, in the unit a->by; `has`: amount
 * that the job requests at present on all nodes together. */
static bool is_consistent_amount(const struct gres_change *a, int64_t n, int64_t has)
{
	const int64_t each = has / a->nodes;

	switch (a->by) {
	case FSI_GRES_BY_JOB:
		if (a->present_by == FSI_GRES_BY_NODE)
			return set_consistent_nodes(a, n, each);
		return a->present_by == FSI_GRES_BY_TASK ? n == has : n >= each;
	case FSI_GRES_BY_TASK:
		return a->present_by == FSI_GRES_BY_NODE ? set_consistent_tasks(a, each, n) : n * a->tasks == has;
	case FSI_GRES_BY_SOCKET:
		return a->present_by == FSI_GRES_BY_NODE ? n * a->sockets == each : n <= has;
	default:
		return set_consistent_nodes(a, has, n) &&
		       (a->present_by != FSI_GRES_BY_TASK || set_consistent_tasks(a, n, has / a->tasks));
	}
}

/* Refuses an item if its unit (node, job, task or socket) differs from the unit of the job's present request, and the
 * job cannot satisfy both. Before 23.02.6, Slurm treats a request per task also as a request for the whole job. In
 * these versions, if both the item and the present request are per task, their total amounts must be equal. */
static int check_item_consistency(const struct gres_change *a, const char *item, size_t len)
{
	const uint64_t given = split_item_number(item, &len);
	const int64_t has = get_requested_gres(a->s->m, a->j, item, len),
		      n = given > INT32_MAX ? INT32_MAX : (int64_t)given;
	const bool by_task = a->by == FSI_GRES_BY_TASK && !fs_slurm_has(a->s->m->info.version, FS_SLURM_GRES_REPLACED);

	if (!has || !n || (a->by == a->present_by ? !by_task || n * a->tasks == has : is_consistent_amount(a, n, has)))
		return 0;
	const bool by_node = a->present_by == FSI_GRES_BY_NODE;

	return fsi_scenario_refuse(a->s, "the job still asks for %lld %.*s %s, which contradicts the new request",
				   (long long)(by_node ? has / a->nodes : has), (int)(len < 60 ? len : 60), item,
				   by_node ? "per node" : "in total");
}

/* Removes the job's request for generic resources. Before 23.02.6, Slurm leaves the amount in the job's TRES, where the
 * amount counts against limits and is billed. */
static int remove_gres_request(struct fsi_scenario *s, struct fsi_job *j)
{
	FSI_CLEAR_JOB_EXT(s->m, j, gres_per);
	if (fs_slurm_has(s->m->info.version, FS_SLURM_GRES_REPLACED))
		return fsi_slurm_scale_gres(s, j, 0, 1);
	fsi_scenario_note(s, "%sbefore Slurm 23.02.6, the job's TRES still count the removed generic resources",
			  fsi_scenario_job_prefix(s, j));
	FSI_CLEAR_JOB_EXT(s->m, j, gres_req);
	return FSI_SET_JOB_EXT(s->m, j, no_gres, true) ? fsi_fail_no_memory(s->err) : 0;
}

static int apply_gres_list(const struct gres_change *a, const char *list)
{
	const bool more = a->by != a->present_by;
	int rc = refuse_type_conflicts(a->s, a->j, list, more);

	if (!rc && !*list)
		return more ? 0 : remove_gres_request(a->s, a->j);
	for (const char *p = list; *p && !rc && (more || a->by == FSI_GRES_BY_TASK); p += strspn(p, ",")) {
		const char *item = skip_gres_prefix(p);

		p += strcspn(p, ",");
		rc = check_item_consistency(a, item, (size_t)(p - item));
	}
	if (!rc && !more && fs_slurm_has(a->s->m->info.version, FS_SLURM_GRES_REPLACED))
		rc = fsi_slurm_scale_gres(a->s, a->j, 0, 1);
	if (!rc)
		rc = set_gres_unit(a->s, a->j, a->by < a->present_by ? a->by : a->present_by);
	const uint32_t nodes = fsi_slurm_requested_nodes(a->s->m, a->j),
		       times[] = { 1, nodes, a->tasks, nodes * a->sockets };

	for (const char *p = list; *p && !rc; p += strspn(p, ",")) {
		const char *item = skip_gres_prefix(p);

		p += strcspn(p, ",");
		rc = request_one_item(a->s, a->j, list, item, (size_t)(p - item), times[a->by]);
	}
	return rc;
}

static bool has_gres_request(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t sets[] = { j->tres_req, fsi_job_ext(m, j)->gres_req };
	size_t n;

	for (size_t i = 0; i < 2 && !fsi_job_ext(m, j)->no_gres; i++) {
		const struct fsi_amount *a = fsi_amount_items(m, sets[i], &n);

		for (size_t k = 0; k < n; k++)
			if (a[k].n > 0 && !strncmp(fsi_name_text(m, a[k].tres), "gres/", 5))
				return true;
	}
	return false;
}

int fsi_slurm_request_gres(struct fsi_scenario *s, struct fsi_job *j, const char *list, enum fsi_gres_by by,
			   const struct fsi_slurm_size *z)
{
	const struct gres_change a = { .s = s,
				       .j = j,
				       .by = by,
				       .present_by = has_gres_request(s->m, j) ? get_gres_unit(s->m, j) : by,
				       .nodes = fsi_slurm_requested_nodes(s->m, j),
				       .tasks = j->tasks ? j->tasks : 1,
				       .sockets = z->sockets,
				       .max_nodes = z->submitted ? UINT32_MAX : j->max_nodes };

	if (by == FSI_GRES_BY_SOCKET && !z->sockets && *list)
		return fsi_scenario_refuse(s, "TresPerSocket requires ReqSockets");
	return apply_gres_list(&a, list);
}

/* ---- CPUs and memory per GPU */

/* Parses the number per GPU in "gres:gpu:4", "gres/gpu:4", "gpu:4" or "4". */
static int parse_per_gpu(struct fsi_scenario *s, const char *what, const char *text, bool memory, uint32_t *out)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
	int64_t n = 0;

	const size_t len = strlen(number);
	const int bad = !*text ? 0 : memory ? fsi_parse_mem_mb(number, len, &n) : fsi_parse_i64(number, len, &n);

	if (bad || (*text && (n < 1 || n > (memory ? UINT32_MAX : UINT16_MAX - 2))))
		return fsi_scenario_refuse(s, "%s: expected a number for each GPU, as in gres:gpu:4, got \"%.60s\"", what, text);
	*out = (uint32_t)n;
	return 0;
}

/* Sets the job's CPUs per task to the number of CPUs that belong to the GPUs of one task. Refuses the command if the
 * job already has another number of CPUs per task. */
static int set_task_gpu_cpus(struct fsi_scenario *s, struct fsi_job *j)
{
	const uint32_t cpus = fsi_job_ext(s->m, j)->cpus_per_gpu, gpu = fsi_name_find(s->m, "gres/gpu");
	const int64_t gpus = j->tasks && gpu ? fsi_job_requested_amount(s->m, j, gpu) / j->tasks : 0,
		      need = gpus * cpus;

	if (need <= 0 || need >= UINT16_MAX || need == j->cpus_per_task)
		return 0;
	if (j->cpus_per_task > 1)
		return fsi_scenario_refuse(s,
					   "the job asks for %u CPUs per task, but CpusPerTres requires %lld for the "
					   "GPUs of each task",
					   j->cpus_per_task, (long long)need);
	j->cpus_per_task = (uint32_t)need;
	FSI_SET(j, JOB, cpus_per_task);
	return 0;
}

int fsi_slurm_set_per_gpu(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z)
{
	const bool replaces = fs_slurm_has(s->m->info.version, FS_SLURM_GRES_REPLACED);
	uint32_t cpus = 0, mb = 0;

	if ((z->cpus_per_gpu && parse_per_gpu(s, "CpusPerTres", z->cpus_per_gpu, false, &cpus)) ||
	    (z->mem_per_gpu && parse_per_gpu(s, "MemPerTres", z->mem_per_gpu, true, &mb)))
		return FS_EUSAGE;
	if (mb && !replaces && !z->has_gres)
		return fsi_scenario_refuse(s, "before Slurm 23.02.6, MemPerTres requires GPUs in the same command");
	if ((mb || (cpus && replaces)) && !has_gres_request(s->m, j))
		return fsi_scenario_refuse(s, "%s requires a request for GPUs; the job has none",
					   mb ? "MemPerTres" : "CpusPerTres");
	if (z->cpus_per_gpu) {
		FSI_CLEAR_JOB_EXT(s->m, j, cpus_per_gpu);
		FSI_CLEAR_JOB_EXT(s->m, j, cpus_per_gpu_default);
	}
	if (z->mem_per_gpu)
		FSI_CLEAR_JOB_EXT(s->m, j, mem_per_gpu_mb);
	if ((cpus && FSI_SET_JOB_EXT(s->m, j, cpus_per_gpu, cpus)) ||
	    (mb && FSI_SET_JOB_EXT(s->m, j, mem_per_gpu_mb, mb)))
		return fsi_fail_no_memory(s->err);
	if (!z->gres[FSI_GRES_BY_TASK] && !(cpus && get_gres_unit(s->m, j) == FSI_GRES_BY_TASK))
		return 0;
	return set_task_gpu_cpus(s, j);
}
