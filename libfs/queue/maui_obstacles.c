#include "queue/maui_queue.h"

#include "base/hostlist.h"
#include "model/find.h"
#include "model/maui.h"

#include <string.h>

/* What a job of Maui never gets, however long it waits: a class, a feature, a size of node or a number of processors
 * that the nodes of no partition have, whatever runs there (src/MReq.c:MReqCheckResourceMatch). Maui lists such a job
 * as idle and eligible. */

struct found {
	size_t of_class, suiting;
	const char *unmet; /* a need of the job that kept it from a node with its features; NULL: none */
	size_t with_room;
	int64_t tasks; /* tasks that fit at once into empty nodes */
	uint32_t partition; /* of which the nodes are; 0: DEFAULT */
	bool others;	    /* are there other partitions? */
};

enum { RESOURCES = 3 };
static const char *const resources[RESOURCES] = { "mem", "swap", "disk" };

/* An amount that is not told is taken to be enough. */
static int64_t amount(const fs_snapshot *m, const struct fsi_node *node, const char *tres)
{
	const int64_t told = fsi_amount_of(m, node->tres, fsi_name_find(m, tres));

	if (told > 0 || FSI_HAS(node, NODE, tres))
		return told;
	return !strcmp(tres, "mem") && FSI_HAS(node, NODE, mem_mb) ? (int64_t)node->mem_mb : INT64_MAX;
}

static int64_t tasks_on(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node)
{
	const int64_t cpus = fsi_maui_per_task(m, job, "cpu"), at_a_time = fsi_maui_per_node(m, job);
	int64_t fit = cpus > 0 ? node->cpus / cpus : INT32_MAX;

	for (int r = 0; r < RESOURCES; r++) {
		const int64_t each = fsi_maui_per_task(m, job, resources[r]), has = amount(m, node, resources[r]);

		if (each > 0 && has / each < fit)
			fit = has / each;
	}
	return at_a_time ? fit - fit % at_a_time : fit;
}

static struct found count_nodes(const fs_snapshot *m, const struct fsi_job *job, uint32_t partition)
{
	struct found f = { .partition = partition };

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		if (fsi_maui_partition(node) != partition || !fsi_maui_has_class(m, job, node))
			continue;
		f.of_class++;
		if (!fsi_maui_has_features(m, job, node))
			continue;
		f.unmet = fsi_maui_unmet_need(m, job, node);
		if (f.unmet)
			continue;
		f.suiting++;
		f.with_room += tasks_on(m, job, node) > 0;
		f.tasks += tasks_on(m, job, node);
	}
	return f;
}

static bool better(const struct found *a, const struct found *b)
{
	return a->tasks != b->tasks	      ? a->tasks > b->tasks
	       : a->with_room != b->with_room ? a->with_room > b->with_room
	       : a->suiting != b->suiting     ? a->suiting > b->suiting
					      : a->of_class > b->of_class;
}

static bool suffices(const struct found *f, const struct fsi_job *job)
{
	return f->tasks >= fsi_maui_tasks(job) && f->with_room >= job->nodes;
}

/* The partition that suffices, or has most for the job, which is in one. */
static struct found best_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	struct found best = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		struct found f;

		if (!fsi_maui_begins_partition(m, i))
			continue;
		f = count_nodes(m, job, fsi_maui_partition(&m->node.v[i]));
		if (suffices(&f, job))
			return f;
		if (!n++ || better(&f, &best))
			best = f;
	}
	best.others = n > 1;
	return best;
}

/* The most that any suiting node has of it. */
static int64_t max(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	int64_t best = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];
		const int64_t has = amount(m, node, tres);

		if (fsi_maui_suits(m, job, node) && has > best)
			best = has;
	}
	return best;
}

static bool lacks_resource(const fs_snapshot *m, const struct fsi_job *job, struct fs_explain_obstacle *out)
{
	static const char *const each[RESOURCES] = { "mem_each", "swap_each", "disk_each" };

	for (int r = 0; r < RESOURCES; r++) {
		out->what = each[r];
		out->wants = (double)fsi_maui_per_task(m, job, resources[r]);
		out->has = (double)max(m, job, resources[r]);
		if (out->wants > out->has)
			return true;
	}
	return false;
}

bool fsi_maui_find_obstacle(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *job = &m->job.v[job_row];
	const struct found f = best_partition(m, job);
	size_t n;
	const uint32_t *classes = fsi_list(m, job->partitions, &n);

	if (!m->node.n || suffices(&f, job))
		return false;
	*out = (struct fs_explain_obstacle){ .partition = n ? fsi_str(m, classes[0]) : "", .name = "" };
	if (!f.of_class) {
		out->what = "class";
	} else if (!f.suiting) {
		out->what = "features";
		out->name = f.unmet ? f.unmet : fsi_str(m, job->features);
	} else if (!lacks_resource(m, job, out)) {
		out->what = f.others ? "partition_cpu" : "cpu";
		out->name = !f.others ? "" : f.partition ? fsi_str(m, f.partition) : "DEFAULT";
		out->wants = (double)job->cpus;
		out->has = (double)(f.tasks * fsi_maui_per_task(m, job, "cpu"));
	}
	return true;
}

/* The reservations of administrators that keep nodes from a job of Maui: a job gets no node that it would still have
 * when one begins (src/moab/MJob.c:MJobGetSNRange), unless the reservation admits it, which diagnose -r tells. */

enum { MAX_NODES = 1 << 20 };

struct wanted {
	const fs_snapshot *m;
	const struct fsi_job *job;
};

static int suits(void *ctx, const char *name, size_t len)
{
	const struct wanted *w = ctx;
	const struct fsi_node *n = fsi_node_find(w->m, fsi_name_find(w->m, name));

	(void)len;
	return n && fsi_maui_suits(w->m, w->job, n);
}

bool fs_reservation_bars(const fs_snapshot *m, size_t i, size_t job)
{
	const struct fsi_reservation *r = &m->reservation.v[i];
	const struct wanted w = { m, &m->job.v[job] };
	const bool limited = FSI_HAS(w.job, JOB, time_limit_s) && !FSI_SPECIAL(w.job, JOB, time_limit_s);

	if (!FSI_HAS(r, RESERVATION, start_time) || !FSI_HAS(r, RESERVATION, end_time) ||
	    fsi_maui_admits(m, r, w.job) || r->end_time <= m->info.time ||
	    (limited && m->info.time + w.job->time_limit_s <= r->start_time))
		return false;
	return fsi_hostlist_each(fsi_str(m, r->nodes), MAX_NODES, suits, (void *)&w) == 1;
}
