/* What a proposed command changes, and what the change costs the job. The job's values before and after the command are
 * compared. */
#include "advise/advise.h"
#include "base/num.h"
#include "model/find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of a job's request */

const struct fsi_job *fsi_advise_saved_job(const struct fs_advices *a)
{
	return &a->saved.job.v[fsi_job_find_row(a->m, a->job)];
}

const struct fsi_job_ext *fsi_advise_saved_optional(const struct fs_advices *a)
{
	return fsi_job_ext_in(a->saved.job_ext.v, fsi_advise_saved_job(a));
}

static int64_t get_requested_tres(const fs_snapshot *m, const struct fsi_job *j, const char *tres)
{
	const uint32_t name = fsi_name_find(m, tres);

	return name ? fsi_amount_of_tres(m, j->tres_req, name) : 0;
}

int64_t fsi_advise_get_nodes(const fs_snapshot *m, const struct fsi_job *j)
{
	const int64_t listed = get_requested_tres(m, j, "node"), n = listed > 0 ? listed : j->nodes;

	return n > 0 ? n : 1;
}

int64_t fsi_advise_get_memory(const fs_snapshot *m, const struct fsi_job *j)
{
	return FSI_HAS(j, JOB, mem_per_cpu_mb) ? j->mem_per_cpu_mb
					       : get_requested_tres(m, j, "mem") / fsi_advise_get_nodes(m, j);
}

static void collect_requested_gres(const fs_snapshot *m, uint32_t set, struct fsi_job_gres *g)
{
	static const char prefix[] = "gres/";
	size_t n;
	const struct fsi_amount *t = fsi_amount_items(m, set, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_name_text(m, t[i].tres) + strlen(prefix);

		if (strncmp(name - strlen(prefix), prefix, strlen(prefix)) != 0 || t[i].n <= 0)
			continue;
		g->several = g->several || (g->kind && (strcspn(g->kind, ":") != strcspn(name, ":") ||
							strncmp(g->kind, name, strcspn(name, ":")) != 0 ||
							(strchr(g->kind, ':') && strchr(name, ':'))));
		if (!g->kind || strchr(name, ':')) {
			g->kind = name;
			g->n = t[i].n;
		}
	}
}

struct fsi_job_gres fsi_advise_find_gres(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ext *more)
{
	struct fsi_job_gres g = { .kind = NULL };

	collect_requested_gres(m, j->tres_req, &g);
	collect_requested_gres(m, more->gres_req, &g);
	return g;
}

static struct fsi_job_gres find_saved_gres(const struct fs_advices *a)
{
	return fsi_advise_find_gres(a->m, fsi_advise_saved_job(a), fsi_advise_saved_optional(a));
}

/* ---- the values before and after a command */

/* The values of a job, indexed by enum fs_advice_value. `text` NULL: the value is an amount. */
struct job_values {
	double amount[FS_ADVICE_VALUE_COUNT];
	const char *text[FS_ADVICE_VALUE_COUNT];
};

/* Returns the limit after "%" in the job's task list; INFINITY: no limit; NAN: the job has no task list. */
static double get_array_limit(const fs_snapshot *m, const struct fsi_job *j)
{
	const char *tasks = fsi_name_text(m, j->array_tasks), *limit = strchr(tasks, '%');
	int64_t n;

	if (!*tasks)
		return (double)NAN;
	return limit && !fsi_parse_i64(limit + 1, strlen(limit + 1), &n) && n > 0 ? (double)n : (double)INFINITY;
}

static void fill_job_amounts(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ext *more,
			     double *amount)
{
	const bool by_cpu = FSI_HAS(j, JOB, mem_per_cpu_mb);

	for (size_t i = 0; i < FS_ADVICE_VALUE_COUNT; i++)
		amount[i] = (double)NAN;
	if (FSI_HAS(j, JOB, time_limit_s))
		amount[FS_ADVICE_TIME_LIMIT] =
			FSI_SPECIAL(j, JOB, time_limit_s) ? (double)INFINITY : (double)j->time_limit_s;
	amount[FS_ADVICE_TIME_MIN] = FSI_HAS(j, JOB, time_min_s) ? (double)more->time_min_s : 0;
	amount[FS_ADVICE_NODES] = (double)fsi_advise_get_nodes(m, j);
	amount[FS_ADVICE_CPUS] = j->cpus;
	amount[FS_ADVICE_TASKS] = FSI_HAS(j, JOB, tasks) ? j->tasks : (double)NAN;
	amount[by_cpu ? FS_ADVICE_CPU_MEMORY : FS_ADVICE_NODE_MEMORY] = (double)fsi_advise_get_memory(m, j);
	amount[FS_ADVICE_DISK] = (double)more->tmp_disk_mb;
	amount[FS_ADVICE_GRES] = (double)fsi_advise_find_gres(m, j, more).n;
	amount[FS_ADVICE_CONTIGUOUS] = j->contiguous;
	amount[FS_ADVICE_ARRAY_LIMIT] = get_array_limit(m, j);
	amount[FS_ADVICE_NICE] = j->nice;
	amount[FS_ADVICE_URGENCY] = FSI_HAS(j, JOB, urgency) ? more->urgency : (double)NAN;
	amount[FS_ADVICE_PRIORITY] = FSI_HAS(j, JOB, priority) && !j->priority ? 0
				     : FSI_HAS(j, JOB, priority_set)	       ? j->priority_set
									       : (double)NAN;
}

/* Returns the names in the list as text, such as "gpu,shared"; NULL if out of memory. */
static const char *join_names(struct fs_advices *a, uint32_t list)
{
	char text[FSI_ADVICE_TEXT];
	size_t n, len = 0;
	const uint32_t *names = fsi_list_items(a->m, list, &n);

	*text = '\0';
	for (size_t i = 0; i < n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? "," : "",
					fsi_name_text(a->m, names[i]));
	return fsi_arena_strndup(&a->arena, text, strlen(text));
}

static int fill_job_values(struct fs_advices *a, const struct fsi_job *j, const struct fsi_job_ext *more,
			   struct job_values *out)
{
	const fs_snapshot *m = a->m;

	*out = (struct job_values){ .text = { NULL } };
	fill_job_amounts(m, j, more, out->amount);
	out->text[FS_ADVICE_LICENSES] = fsi_name_text(m, more->licenses);
	out->text[FS_ADVICE_PARTITION] = join_names(a, j->partitions);
	out->text[FS_ADVICE_QOS] = join_names(a, j->qos);
	out->text[FS_ADVICE_ACCOUNT] = fsi_name_text(m, j->account);
	out->text[FS_ADVICE_RESERVATION] = fsi_name_text(m, j->reservation);
	out->text[FS_ADVICE_NODE_LIST] = fsi_name_text(m, more->req_nodes);
	out->text[FS_ADVICE_EXCLUDED] = fsi_name_text(m, more->exc_nodes);
	out->text[FS_ADVICE_FEATURES] = fsi_name_text(m, j->features);
	out->text[FS_ADVICE_DEPENDENCY] = fsi_name_text(m, j->dependency);
	return out->text[FS_ADVICE_PARTITION] && out->text[FS_ADVICE_QOS] ? 0 : fsi_fail_no_memory(a->err);
}

static bool is_same_value(const struct job_values *x, const struct job_values *y, enum fs_advice_value v)
{
	if (x->text[v])
		return !strcmp(x->text[v], y->text[v]);
	return x->amount[v] == y->amount[v] || (isnan(x->amount[v]) && isnan(y->amount[v]));
}

static void add_change(struct fs_advice *row, const struct fs_advice_change *c)
{
	if (row->changes < FS_ADVICE_CHANGES)
		row->change[row->changes++] = *c;
}

/* Adds to the row every value of the job that the command changed. If the memory was requested per CPU before the
 * command and per node after it, or the reverse, both memory values change. */
static int add_job_changes(struct fs_advices *a, struct fs_advice *row)
{
	const struct fsi_job *now = &a->m->job.v[fsi_job_find_row(a->m, a->job)];
	struct job_values from, to;
	int rc = fill_job_values(a, fsi_advise_saved_job(a), fsi_advise_saved_optional(a), &from);

	if (!rc)
		rc = fill_job_values(a, now, fsi_job_ext(a->m, now), &to);
	for (enum fs_advice_value v = 0; v < FS_ADVICE_VALUE_COUNT && !rc; v++) {
		struct fs_advice_change c = { v, from.amount[v], to.amount[v], from.text[v], to.text[v] };

		if (v == FS_ADVICE_GRES)
			c.from_text = find_saved_gres(a).kind;
		if (!is_same_value(&from, &to, v))
			add_change(row, &c);
	}
	return rc;
}

/* ---- partitions with GPUs or large memory */

static bool has_node_gpu(const fs_snapshot *m, const struct fsi_node *n)
{
	const char *gres = fsi_name_text(m, n->gres);

	for (const char *p = gres; *p; p += p[strcspn(p, ",")] ? strcspn(p, ",") + 1 : strlen(p))
		if (!strncmp(p, "gpu", 3) && (!p[3] || strchr(":,(", p[3])))
			return true;
	return false;
}

int fsi_advise_find_median_memory(struct fs_advices *a)
{
	const fs_snapshot *m = a->m;
	int64_t *v = malloc((m->node.n + 1) * sizeof(*v));

	if (!v)
		return fsi_fail_no_memory(a->err);
	for (size_t i = 0; i < m->node.n; i++)
		v[i] = (int64_t)m->node.v[i].mem_mb;
	qsort(v, m->node.n, sizeof(*v), fsi_compare_rising_i64);
	a->median_memory_mb = m->node.n ? (uint64_t)v[m->node.n / 2] : 0;
	free(v);
	return 0;
}

/* The kind of a partition's nodes. */
struct node_kind {
	size_t nodes;
	bool gpus, large_memory; /* true: all nodes have GPUs, or large memory */
};

static struct node_kind find_node_kind(const struct fs_advices *a, uint32_t partition)
{
	const fs_snapshot *m = a->m;
	const uint64_t median = a->median_memory_mb;
	struct node_kind k = { .gpus = true, .large_memory = median > 0 };
	const uint32_t row = fsi_partition_row(m, fsi_partition_find(m, partition));

	for (size_t i = 0; i < m->node.n && row != FSI_NO_INDEX; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (!fsi_node_is_in_partition(m, n, row))
			continue;
		k.nodes++;
		k.gpus = k.gpus && has_node_gpu(m, n);
		k.large_memory = k.large_memory && n->mem_mb >= 2 * median;
	}
	return k;
}

/* Returns true if the nodes of a partition that the job names have GPUs (`gpus` true) or large memory. */
static bool is_own_partition_special(const struct fs_advices *a, bool gpus)
{
	size_t n;
	const uint32_t *names = fsi_list_items(a->m, fsi_advise_saved_job(a)->partitions, &n);

	for (size_t i = 0; i < n; i++) {
		const struct node_kind k = find_node_kind(a, names[i]);

		if (k.nodes && (gpus ? k.gpus : k.large_memory))
			return true;
	}
	return false;
}

/* Returns true if the job requests a GPU. */
static bool needs_gpu(const struct fs_advices *a)
{
	const struct fsi_job_gres g = find_saved_gres(a);

	return g.kind && (g.several || !strncmp(g.kind, "gpu", 3));
}

/* Returns true if the job needs more memory on a node than half of the nodes have. */
static bool needs_large_memory(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const int64_t nodes = fsi_advise_get_nodes(a->m, j);

	return get_requested_tres(a->m, j, "mem") / nodes > (int64_t)a->median_memory_mb;
}

bool fsi_advise_is_unsuitable(const struct fs_advices *a, uint32_t partition, bool *gpus)
{
	const struct node_kind k = find_node_kind(a, partition);

	*gpus = k.nodes && k.gpus && !needs_gpu(a) && !is_own_partition_special(a, true);
	return *gpus || (k.nodes && k.large_memory && !needs_large_memory(a) && !is_own_partition_special(a, false));
}

/* If the command adds a partition that is unsuitable for the job, stores the partition in the row. */
static void find_unsuitable_partition(const struct fs_advices *a, struct fs_advice *row)
{
	const struct fsi_job *now = &a->m->job.v[fsi_job_find_row(a->m, a->job)];
	size_t n;
	const uint32_t *names = fsi_list_items(a->m, now->partitions, &n);

	for (size_t i = 0; i < n && !*row->unsuitable_partition; i++)
		if (!fsi_list_has_word(a->m, fsi_advise_saved_job(a)->partitions, fsi_name_text(a->m, names[i])) &&
		    fsi_advise_is_unsuitable(a, names[i], &row->unsuitable_gpus))
			row->unsuitable_partition = fsi_name_text(a->m, names[i]);
}

/* ---- the price */

/* Returns true if each of the job's partitions is also in the list of names `to`. */
static bool keeps_partitions(const struct fs_advices *a, const char *to)
{
	size_t n;
	const uint32_t *names = fsi_list_items(a->m, fsi_advise_saved_job(a)->partitions, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_name_text(a->m, names[i]);
		bool found = false;

		for (const char *p = to; *p && !found; p += p[strcspn(p, ",")] ? strcspn(p, ",") + 1 : strlen(p))
			found = strcspn(p, ",") == strlen(name) && !strncmp(p, name, strlen(name));
		if (!found)
			return false;
	}
	return true;
}

/* Returns true if the job gives up a part of its request, or another job waits. */
static bool gives_up(const struct fs_advices *a, const struct fs_advice_change *c)
{
	switch (c->value) {
	case FS_ADVICE_TIME_MIN:
	case FS_ADVICE_LICENSES:
	case FS_ADVICE_ACCOUNT:
	case FS_ADVICE_NODE_LIST:
	case FS_ADVICE_EXCLUDED:
	case FS_ADVICE_FEATURES:
	case FS_ADVICE_CONTIGUOUS:
	case FS_ADVICE_DEPENDENCY:
	case FS_ADVICE_OTHER_JOB:
		return true;
	case FS_ADVICE_RESERVATION:
		return *c->from_text;
	case FS_ADVICE_PARTITION:
		return !keeps_partitions(a, c->to_text);
	case FS_ADVICE_TIME_LIMIT:
	case FS_ADVICE_NODES:
	case FS_ADVICE_CPUS:
	case FS_ADVICE_TASKS:
	case FS_ADVICE_CPU_MEMORY:
	case FS_ADVICE_NODE_MEMORY:
	case FS_ADVICE_DISK:
	case FS_ADVICE_GRES:
		return c->to < c->from;
	default:
		return false;
	}
}

static enum fs_advice_price find_price(const struct fs_advices *a, const struct fs_advice *row)
{
	const double rounding = 1e-9;

	if (*row->unsuitable_partition)
		return FS_ADVICE_PRICE_UNSUITABLE;
	for (size_t i = 0; i < row->changes; i++)
		if (gives_up(a, &row->change[i]))
			return FS_ADVICE_PRICE_REQUEST;
	return row->cost_after > row->cost_before * (1 + rounding) ? FS_ADVICE_PRICE_REQUEST : FS_ADVICE_PRICE_NOTHING;
}

/* ---- run times and memory of the owner's completed jobs */

enum { MIN_COMPLETED_JOBS = 5 };

/* Adds the completed jobs of the job's user and account to *h. `partition`: only jobs in this partition; 0: all jobs.
 * `by_memory`: MaxRSS is compared with `limit` (MiB); otherwise the run time is compared with `limit` (s). */
static void count_completed_jobs(const struct fs_advices *a, uint32_t partition, bool by_memory, double limit,
				 struct fs_advice_history *h)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);

	*h = (struct fs_advice_history){ .partition = partition ? fsi_name_text(a->m, partition) : "" };
	for (size_t i = 0; i < a->m->usage.n; i++) {
		const struct fsi_usage *u = &a->m->usage.v[i];
		double amount = (double)(u->end_time - u->start_time);

		if (u->user != j->user || u->account != j->account || (partition && u->partition != partition) ||
		    !FSI_HAS(u, USAGE, end_time) || strcmp(fsi_name_text(a->m, u->state), "COMPLETED") != 0 ||
		    (by_memory && !FSI_HAS(u, USAGE, max_rss_mb)))
			continue;
		amount = by_memory ? u->max_rss_mb : amount;
		h->jobs++;
		h->exceeding += amount > limit;
		h->greatest = amount > h->greatest ? amount : h->greatest;
	}
}

/* Sets the history of the row if the command lowers the time limit or the memory, or sets a minimum time limit. */
static void fill_history(const struct fs_advices *a, struct fs_advice *row)
{
	const struct fs_advice_change *c = row->changes ? &row->change[0] : NULL;
	const bool by_time = c && (c->value == FS_ADVICE_TIME_LIMIT || c->value == FS_ADVICE_TIME_MIN),
		   by_memory = c && (c->value == FS_ADVICE_CPU_MEMORY || c->value == FS_ADVICE_NODE_MEMORY);
	const struct fsi_job *j = fsi_advise_saved_job(a);
	double limit;

	if (!by_time && !by_memory)
		return;
	limit = c->value == FS_ADVICE_CPU_MEMORY ? c->to * (j->cpus_per_task ? j->cpus_per_task : 1) : c->to;
	count_completed_jobs(a, fsi_list_first_item(a->m, j->partitions), by_memory, limit, &row->history);
	if (row->history.jobs < MIN_COMPLETED_JOBS)
		count_completed_jobs(a, 0, by_memory, limit, &row->history);
	if (row->history.jobs < MIN_COMPLETED_JOBS)
		row->history = (struct fs_advice_history){ .partition = "" };
}

int fsi_advise_describe_change(struct fs_advices *a, struct fs_advice *row)
{
	const int rc = add_job_changes(a, row);

	if (a->other_change.value != FS_ADVICE_VALUE_COUNT)
		add_change(row, &a->other_change);
	row->unsuitable_partition = "";
	row->history.partition = "";
	if (rc)
		return rc;
	find_unsuitable_partition(a, row);
	row->price = find_price(a, row);
	fill_history(a, row);
	return 0;
}
