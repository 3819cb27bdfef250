#include "queue/maui_queue.h"

#include "base/hostlist.h"
#include "model/find.h"
#include "model/maui.h"

#include <string.h>

/* ---- requests that the nodes of no partition can fulfil, whatever runs there: a class, a feature, a size of node, a
 * number of processors (src/MReq.c:MReqCheckResourceMatch). Maui lists such a job as idle and eligible. */

/* How the nodes of one partition fit a job. */

struct fitting_nodes {
	size_t in_class;    /* nodes that have the job's class */
	size_t suiting;	    /* of these, nodes that have its features and meet its needs */
	const char *unmet;  /* a need that the last node with class and features does not meet; NULL: it meets all */
	size_t usable;	    /* suiting nodes that hold at least one task */
	int64_t tasks;	    /* tasks that fit into all suiting nodes at once, if these are empty */
	uint32_t partition; /* name of the nodes' partition; 0: DEFAULT */
	bool has_others;    /* there are other partitions */
};

enum { RESOURCE_COUNT = 3 };
static const char *const resources[RESOURCE_COUNT] = { "mem", "swap", "disk" };

/* Returns the amount of the TRES that the node has; INT64_MAX if unknown, since an unknown amount is taken to be
 * enough. */
static int64_t get_node_amount(const fs_snapshot *m, const struct fsi_node *node, const char *tres)
{
	const int64_t recorded = fsi_amount_of_tres(m, node->tres, fsi_name_find(m, tres));

	if (recorded > 0 || FSI_HAS(node, NODE, tres))
		return recorded;
	return !strcmp(tres, "mem") && FSI_HAS(node, NODE, mem_mb) ? (int64_t)node->mem_mb : INT64_MAX;
}

/* Returns how many tasks of the job fit on the node if it is empty. */
static int64_t count_tasks_on_node(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	const int64_t cpus = fsi_maui_amount_per_task(m, job, "cpu"), at_a_time = fsi_maui_tasks_per_node(m, job);
	int64_t fit = cpus > 0 ? node->cpus / cpus : INT32_MAX;

	for (int r = 0; r < RESOURCE_COUNT; r++) {
		const int64_t each = fsi_maui_amount_per_task(m, job, resources[r]),
			      has = get_node_amount(m, node, resources[r]);

		if (each > 0 && has / each < fit)
			fit = has / each;
	}
	return at_a_time ? fit - fit % at_a_time : fit;
}

static struct fitting_nodes count_fitting_nodes(const fs_snapshot *m, const struct fsi_job *job, uint32_t partition)
{
	struct fitting_nodes f = { .partition = partition };

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		if (fsi_maui_partition_of_node(node) != partition || !fsi_maui_node_has_class(m, job, node))
			continue;
		f.in_class++;
		if (!fsi_maui_node_has_features(m, job, node))
			continue;
		f.unmet = fsi_maui_find_unmet_need(m, job, node);
		if (f.unmet)
			continue;
		f.suiting++;
		f.usable += count_tasks_on_node(m, job, node) > 0;
		f.tasks += count_tasks_on_node(m, job, node);
	}
	return f;
}

/* Returns true if nodes a fit the job better than nodes b. */
static bool fits_better(const struct fitting_nodes *a, const struct fitting_nodes *b)
{
	return a->tasks != b->tasks	      ? a->tasks > b->tasks
	       : a->usable != b->usable ? a->usable > b->usable
	       : a->suiting != b->suiting     ? a->suiting > b->suiting
					      : a->in_class > b->in_class;
}

static bool is_enough_for_job(const struct fitting_nodes *f, const struct fsi_job *job)
{
	return f->tasks >= fsi_maui_job_tasks(job) && f->usable >= job->nodes;
}

/* Returns the first partition that is enough for the job, or the one that fits it best: a job runs in one partition. */
static struct fitting_nodes find_best_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	struct fitting_nodes best = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		struct fitting_nodes f;

		if (!fsi_maui_is_first_of_partition(m, i))
			continue;
		f = count_fitting_nodes(m, job, fsi_maui_partition_of_node(&m->node.v[i]));
		if (is_enough_for_job(&f, job))
			return f;
		if (!n++ || fits_better(&f, &best))
			best = f;
	}
	best.has_others = n > 1;
	return best;
}

/* Returns the greatest amount of the TRES on any suiting node. */
static int64_t get_greatest_amount(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	int64_t best = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];
		const int64_t has = get_node_amount(m, node, tres);

		if (fsi_maui_node_suits_job(m, job, node) && has > best)
			best = has;
	}
	return best;
}

/* Sets *out to the first resource of a task that no suiting node has enough of; returns false if there is none. */
static bool find_lacking_resource(const fs_snapshot *m, const struct fsi_job *job, struct fs_explain_obstacle *out)
{
	static const char *const each[RESOURCE_COUNT] = { "mem_each", "swap_each", "disk_each" };

	for (int r = 0; r < RESOURCE_COUNT; r++) {
		out->what = each[r];
		out->wants = (double)fsi_maui_amount_per_task(m, job, resources[r]);
		out->has = (double)get_greatest_amount(m, job, resources[r]);
		if (out->wants > out->has)
			return true;
	}
	return false;
}

bool fsi_maui_find_obstacle(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *job = &m->job.v[job_row];
	const struct fitting_nodes f = find_best_partition(m, job);
	size_t n;
	const uint32_t *classes = fsi_list_items(m, job->partitions, &n);

	if (!m->node.n || is_enough_for_job(&f, job))
		return false;
	*out = (struct fs_explain_obstacle){ .partition = n ? fsi_name_text(m, classes[0]) : "", .name = "" };
	if (!f.in_class) {
		out->what = "class";
	} else if (!f.suiting) {
		out->what = "features";
		out->name = f.unmet ? f.unmet : fsi_name_text(m, job->features);
	} else if (!find_lacking_resource(m, job, out)) {
		out->what = f.has_others ? "partition_cpu" : "cpu";
		out->name = !f.has_others ? "" : f.partition ? fsi_name_text(m, f.partition) : "DEFAULT";
		out->wants = (double)job->cpus;
		out->has = (double)(f.tasks * fsi_maui_amount_per_task(m, job, "cpu"));
	}
	return true;
}

/* ---- reservations of administrators: a job gets no node that it would still use when a reservation of the node begins
 * (src/moab/MJob.c:MJobGetSNRange), unless the reservation admits the job, which diagnose -r shows */

enum { MAX_RESERVED_NODES = 1 << 20 };

struct suitable_node {
	const fs_snapshot *m;
	const struct fsi_job *job;
};

static int is_node_suitable(void *ctx, const char *name, size_t len)
{
	const struct suitable_node *w = ctx;
	const struct fsi_node *n = fsi_node_find(w->m, fsi_name_find(w->m, name));

	(void)len;
	return n && fsi_maui_node_suits_job(w->m, w->job, n);
}

bool fs_reservation_blocks_job(const fs_snapshot *m, size_t i, size_t job)
{
	const struct fsi_reservation *r = &m->reservation.v[i];
	const struct suitable_node w = { m, &m->job.v[job] };
	const bool limited = FSI_HAS(w.job, JOB, time_limit_s) && !FSI_SPECIAL(w.job, JOB, time_limit_s);

	if (!FSI_HAS(r, RESERVATION, start_time) || !FSI_HAS(r, RESERVATION, end_time) ||
	    fsi_maui_reservation_admits_job(m, r, w.job) || r->end_time <= m->info.time ||
	    (limited && m->info.time + w.job->time_limit_s <= r->start_time))
		return false;
	return fsi_hostlist_expand_each(fsi_name_text(m, r->nodes), MAX_RESERVED_NODES, is_node_suitable, (void *)&w) ==
	       1;
}
