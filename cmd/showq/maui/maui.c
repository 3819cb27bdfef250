/* Maui's showq (3.5: src/server/omclient.c:MCShowQ). */
#include "showq/maui/maui.h"

#include "render/emit.h"

#include <math.h>
#include <stdlib.h>

/* ---- the whole queue */

static void put_total(const char *label, int64_t busy, int64_t all, const char *what)
{
	char a[MAUI_TEXT], b[MAUI_TEXT], c[MAUI_TEXT];

	emit("%21s %4s of %4s %s (%s)\n", label, maui_count(a, busy), maui_count(b, all), what, maui_share(c, busy, all));
}

static void active_totals(const struct maui_page *p)
{
	const struct fs_machine *m = &p->machine;
	char label[MAUI_TEXT];

	snprintf(label, sizeof(label), "%zu Active Job%c   ", p->list.nactive,
		 p->list.nactive == 1 ? ' ' : 's');
	putchar('\n');
	put_total(label, m->busy_procs, m->procs, "Processors Active");
	if (m->nodes > 0 && m->procs != m->nodes)
		put_total("", m->busy_nodes, m->nodes, "Nodes Active     ");
}

static void put_active(const struct maui_page *p)
{
	emit_line("ACTIVE JOBS--------------------");
	maui_put_heading(p, MAUI_ACTIVE);
	for (size_t i = 0; i < p->list.nactive; i++) {
		maui_put_row(p, MAUI_ACTIVE, p->list.active[i], NULL);
		putchar('\n');
	}
	active_totals(p);
}

static void put_waiting(const struct maui_page *p, const char *title, const struct fs_queue_row *v, size_t n)
{
	char previous[MAUI_TEXT] = "";

	emit_line(title);
	maui_put_heading(p, MAUI_WAITING);
	for (size_t i = 0; i < n; i++) {
		struct fs_job job;

		maui_put_row(p, MAUI_WAITING, v[i].job_row, &v[i]);
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, &v[i], *previous ? previous : NULL);
		putchar('\n');
		fs_snapshot_job(p->r->snapshot, v[i].job_row, &job);
		snprintf(previous, sizeof(previous), "%s", job.name);
	}
}

static void put_queue(const struct maui_page *p)
{
	const struct showq_lists *l = &p->list;

	put_active(p);
	putchar('\n');
	put_waiting(p, "IDLE JOBS----------------------", l->line, l->nline);
	emit("\n%zu Idle Job%c\n\n", l->nline, l->nline == 1 ? ' ' : 's');
	put_waiting(p, "BLOCKED JOBS----------------", l->blocked, l->nblocked);
	emit("\nTotal Jobs: %zu   Active Jobs: %zu   Idle Jobs: %zu   Blocked Jobs: %zu\n",
	       l->nactive + l->nline + l->nblocked, l->nactive, l->nline, l->nblocked);
}

/* Active jobs by the time they end at the latest. The list is sorted anew, in a stable way, for each job that is added
 * to it (src/MQueue.c:MQueueAddAJob): equal ones stand as showq listed them. Where that was not captured they stand as
 * they started, of one iteration those by priority before those by backfill, and then the one of higher priority first,
 * for which the priority that is known now has to stand. */
static int by_end(const void *x, const void *y, const void *ctx)
{
	const struct maui_page *p = ctx;
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const int64_t m = p->run_priority[i], n = p->run_priority[j];
	const bool filled = fs_job_flag(p->r->snapshot, i, "BACKFILL");
	struct fs_job a, b;

	fs_snapshot_job(p->r->snapshot, i, &a);
	fs_snapshot_job(p->r->snapshot, j, &b);
	if (maui_ends(&a) != maui_ends(&b))
		return maui_ends(&a) > maui_ends(&b) ? 1 : -1;
	if (a.active_place != b.active_place && a.active_place != FS_UNKNOWN && b.active_place != FS_UNKNOWN)
		return a.active_place > b.active_place ? 1 : -1;
	if (a.start_time != b.start_time)
		return a.start_time > b.start_time ? 1 : -1;
	if (filled != fs_job_flag(p->r->snapshot, j, "BACKFILL"))
		return filled ? 1 : -1;
	if (m != n && m != FS_UNKNOWN && n != FS_UNKNOWN)
		return m < n ? 1 : -1;
	return showq_table_order(p->r->snapshot, i, j);
}

/* Loads the priorities of active jobs: as the tool printed them, else computed. 0 or FS_ENOMEM. */
static int load_run_priorities(struct maui_page *p)
{
	const struct fs_prios_options o = { .view = input_view(&p->r->input), .running = true };
	const fs_snapshot *s = p->r->snapshot;
	fs_prios *prios = NULL;
	struct fs_error err;

	p->run_priority = malloc((p->r->info->jobs + 1) * sizeof(*p->run_priority));
	if (!p->run_priority || fs_prios_compute(&prios, s, &o, &err) == FS_ENOMEM)
		return FS_ENOMEM;
	for (uint32_t i = 0; i < p->r->info->jobs; i++) {
		struct fs_job job;

		fs_snapshot_job(s, i, &job);
		p->run_priority[i] = job.priority;
	}
	for (size_t i = 0; prios && i < fs_prios_count(prios); i++) {
		struct fs_prio_row row;

		fs_prios_brief(prios, i, &row);
		if (p->run_priority[row.job_row] == FS_UNKNOWN && !isnan(row.priority))
			p->run_priority[row.job_row] = (int64_t)row.priority;
	}
	fs_prios_free(prios);
	return 0;
}

static int show(struct showq_run *r)
{
	struct maui_page p = { .r = r };
	int status = showq_lists_load(r, &p.list);

	if (status)
		return status;
	if (fs_snapshot_machine(r->snapshot, &p.machine) || load_run_priorities(&p) ||
	    fs_sort(p.list.active, p.list.nactive, sizeof(*p.list.active), by_end, &p)) {
		status = no_memory(r->inv);
	} else if (r->only_idle) {
		maui_put_idle(&p);
	} else if (r->only_running) {
		maui_put_running(&p);
	} else if (r->show_blocked) {
		maui_put_blocked(&p);
	} else {
		put_queue(&p);
	}
	free(p.run_priority);
	showq_lists_release(&p.list);
	return status;
}

const struct showq_style showq_maui = {
	.style = STYLE_MAUI, .partitions = true, .page = show, .words = showq_words_maui
};
