/* The nodes on which jobs have their tasks, by showres -n, which has a line for each job and node. Maui keeps the
 * list of a running job with its master host first, which showq -r tells; the nodes of an idle job are those of its
 * reservation, and the line says from when on. */
#include "import/maui/queue.h"

#include "base/memory/buf.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
	uint32_t job, node, place; /* job: row; node: name; place: in the file */
	int64_t tasks, start;	   /* start: FS_UNKNOWN for a running job */
};

struct places {
	struct fsi_maui_import *x;
	FSI_VEC(struct piece) piece;
};

/* The start of an idle job's reservation. -1 where the line tells none. */
static int reserved_from(const struct places *p, struct fsi_import *imp, const struct fsi_span *date,
			 struct piece *piece)
{
	int64_t local;

	if (fsi_maui_ctime(p->x, date, &local))
		return -1;
	piece->start = fsi_import_utc(imp, local);
	return 0;
}

enum { NODE, TYPE, ID, STATE, TASKS, START, LENGTH, DATE, ALL = 11 };

static struct fsi_reservation *reservation_of(fs_snapshot *m, uint32_t name)
{
	struct fsi_reservation *r;

	for (size_t i = 0; i < m->reservation.n; i++)
		if (m->reservation.v[i].name == name)
			return &m->reservation.v[i];
	r = FSI_VEC_ADD(&m->reservation);
	if (r)
		FSI_PUT(r, RESERVATION, name, name);
	return r;
}

static int one_node_more(fs_snapshot *m, struct fsi_reservation *r, struct fsi_span node)
{
	const char *before = fsi_str(m, r->nodes);
	const size_t size = strlen(before) + node.len + 2;
	char *list = malloc(size);

	if (!list)
		return -1;
	snprintf(list, size, "%s%s%.*s", before, *before ? "," : "", (int)node.len, node.s);
	FSI_PUT(r, RESERVATION, nodes, fsi_name(m, list));
	free(list);
	return r->nodes == FSI_INTERN_FAILED ? -1 : 0;
}

/* Keeps an administrator's or a standing reservation: node00 User maint.0 N/A 1 1:56:00 1:00:00 Sun Sep 13 14:27:40 */
static int keep_reservation(const struct places *p, struct fsi_import *imp, const struct fsi_span *w)
{
	const uint32_t name = fsi_import_name(imp, w[ID]);
	struct fsi_reservation *r;
	const bool for_ever = fsi_span_is(w[LENGTH], "INFINITE");
	int64_t local, lasts_s = 0;

	if (fsi_maui_ctime(p->x, w + DATE, &local) || (!for_ever && fsi_maui_duration(w[LENGTH], &lasts_s)))
		return 0;
	r = name == FSI_INTERN_FAILED ? NULL : reservation_of(imp->m, name);
	if (!r || one_node_more(imp->m, r, w[NODE]))
		return fsi_nomem(imp->err);
	FSI_PUT(r, RESERVATION, start_time, fsi_import_utc(imp, local));
	FSI_PUT(r, RESERVATION, end_time, for_ever ? FSI_MAUI_FOR_EVER : r->start_time + lasts_s);
	return 0;
}

/* Tasks of a reservation that Maui gave up, and has forgotten to take from a node (seen in its simulation: MResDestroy
 * clears its name and start, src/MRes.c). Until the node's table is written over they are kept from everybody. */
static int warn_left_over(struct fsi_import *imp, const struct fsi_span *w)
{
	return fsi_warn(imp->m, "%s: %.*s: Maui keeps %.*s of its processors for a reservation that is gone: plans know nothing of it",
			imp->source->name, (int)w[NODE].len, w[NODE].s, (int)w[TASKS].len, w[TASKS].s)
		       ? fsi_nomem(imp->err)
		       : 0;
}

/* node00 Job 5 Running 2 -00:41:00 1:30:00 Sun Sep 13 12:30:40 */
static int place_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct places *p = ctx;
	struct fsi_span w[ALL];
	struct piece piece = { .start = FS_UNKNOWN };

	if (fsi_span_words(line, w, ALL) != ALL)
		return 0;
	if (fsi_span_is(w[TYPE], "User"))
		return keep_reservation(p, imp, w);
	if (fsi_span_is(w[TYPE], "Job") && fsi_span_is(w[START], "-INFINITY"))
		return warn_left_over(imp, w);
	if (!fsi_span_is(w[TYPE], "Job") || fsi_parse_i64(w[TASKS].s, w[TASKS].len, &piece.tasks))
		return 0;
	if (!fsi_span_is(w[STATE], "Running") &&
	    (!fsi_span_is(w[STATE], "Idle") || reserved_from(p, imp, w + DATE, &piece)))
		return 0;
	piece.job = fsi_maui_job(p->x, w[ID]);
	piece.node = fsi_import_name(imp, w[NODE]);
	if (piece.node == FSI_INTERN_FAILED || FSI_VEC_ROOM(&p->piece))
		return fsi_nomem(imp->err);
	piece.place = (uint32_t)p->piece.n;
	if (piece.job != FSI_NO_INDEX && piece.tasks > 0)
		p->piece.v[p->piece.n++] = piece;
	return 0;
}

static int by_job(const void *a, const void *b, const void *ctx)
{
	const struct piece *x = a, *y = b;

	(void)ctx;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static int add_names(struct fsi_buf *t, const char *name, int64_t times)
{
	for (; times > 0; times--)
		if ((t->n && fsi_buf_add(t, ",", 1)) || fsi_buf_add(t, name, strlen(name)))
			return -1;
	return 0;
}

/* Sets where and when an idle job has its reservation. */
static int take_reserved(fs_snapshot *m, struct fsi_job *job, int64_t start, const char *nodes)
{
	FSI_PUT(job, JOB, sched_nodes, fsi_name(m, nodes));
	FSI_PUT(job, JOB, start_time, start);
	return job->sched_nodes == FSI_INTERN_FAILED ? -1 : 0;
}

/* Where a node is for one job its lines tell one task for each node, whatever there are (src/MRes.c:MResJCreate). Then
 * each has as many as fit, and those after it one at least. */
static void fill_nodes(const fs_snapshot *m, struct piece *v, size_t n, int64_t tasks)
{
	const char *policy = fs_snapshot_config_text(m, "NODEACCESSPOLICY");

	if (!policy || (strcmp(policy, "SINGLEJOB") != 0 && strcmp(policy, "SINGLETASK") != 0))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct fsi_node *node = fsi_node_find(m, v[i].node);
		const int64_t most = tasks - (int64_t)(n - 1 - i), fit = node ? node->cpus : 0;

		v[i].tasks = fit < most ? fit : most;
		tasks -= v[i].tasks;
	}
}

/* Sets the list of one job: a name for each task, its master host first. The list stays as it is where the lines do
 * not have that host, or not all of the tasks. */
static int take_job(fs_snapshot *m, struct piece *v, size_t n, struct fsi_buf *t)
{
	struct fsi_job *job = &m->job.v[v->job];
	const bool idle = v->start != FS_UNKNOWN;
	const uint32_t master = !idle && FSI_HAS(job, JOB, node_list) ? job->node_list : 0;
	int64_t tasks = 0;
	bool found = idle;
	int rc = 0;

	t->n = 0;
	if (FSI_HAS(job, JOB, tasks) && job->tasks >= (int64_t)n)
		fill_nodes(m, v, n, job->tasks);
	for (int others = 0; others < 2 && !rc; others++)
		for (size_t i = 0; i < n && !rc; i++) {
			if ((v[i].node != master) != others)
				continue;
			found = found || !others;
			tasks += v[i].tasks;
			rc = add_names(t, fsi_str(m, v[i].node), v[i].tasks);
		}
	if (rc || !found || !FSI_HAS(job, JOB, tasks) || tasks != job->tasks ||
	    idle != (job->state == FSI_STATE_PENDING))
		return rc;
	if (idle)
		return take_reserved(m, job, v->start, t->v);
	job->node_list = fsi_name(m, t->v);
	return job->node_list == FSI_INTERN_FAILED ? -1 : 0;
}

int fsi_maui_places(struct fsi_maui_import *x)
{
	static const char *const files[] = { "showres_-n.txt", "out/showres_-n.txt" };
	struct places p = { .x = x };
	struct fsi_buf t = { 0 };
	int rc = (x->queue_known || x->partial) && !x->capture;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_lines(x->imp, files[i], place_line, &p);
	rc = rc > 0 ? 0 : rc;
	if (!rc && fs_sort(p.piece.v, p.piece.n, sizeof(*p.piece.v), by_job, NULL))
		rc = fsi_nomem(x->imp->err);
	for (size_t i = 0, n; i < p.piece.n && !rc; i += n) {
		for (n = 1; i + n < p.piece.n && p.piece.v[i + n].job == p.piece.v[i].job; n++)
			;
		rc = take_job(x->imp->m, &p.piece.v[i], n, &t) ? fsi_nomem(x->imp->err) : 0;
	}
	free(t.v);
	FSI_VEC_FREE(&p.piece);
	return rc;
}
