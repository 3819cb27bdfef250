/* Maui's showq -i, -r and -b (3.5: src/server/omclient.c:MCShowIdle, MCShowRun, MCShowBlocked). */
#include "showq/maui/maui.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <string.h>

/* ---- -i */

/* Processor seconds at the most. */
static double backlog_of(const struct maui_page *p, uint32_t job_row)
{
	struct fs_job job;

	fs_snapshot_job(p->r->snapshot, job_row, &job);
	return job.cpus == FS_UNKNOWN || !maui_has_limit(&job) ? 0 : (double)job.cpus * (double)job.time_limit_s;
}

static void put_idle_job(const struct maui_page *p, const struct fs_queue_row *row)
{
	maui_put_row(p, MAUI_IDLE, row->job_row, row);
	if (p->r->why)
		showq_put_why(p->r, p->list.queue, row, NULL);
	putchar('\n');
}

void maui_put_idle(const struct maui_page *p)
{
	double backlog = 0;

	if (p->r->named_partition)
		emit("Partition: %s\n", p->r->named_partition);
	maui_put_heading(p, MAUI_IDLE);
	for (size_t i = 0; i < p->list.nline; i++) {
		put_idle_job(p, &p->list.line[i]);
		backlog += backlog_of(p, p->list.line[i].job_row);
	}
	emit("\nJobs: %zu  Total Backlog:  %.2f ProcHours  ", p->list.nline, backlog / 3600.0);
	if (p->machine.procs > 0)
		emit("(%.2f Hours)\n", backlog / 3600.0 / (double)p->machine.procs);
	else
		emit("(?)\n");
}

/* ---- -r */

void maui_put_running(const struct maui_page *p)
{
	const enum maui_list list = p->r->verbose ? MAUI_RUNNING_VERBOSE : MAUI_RUNNING;
	const struct fs_machine *m = &p->machine;
	char a[MAUI_TEXT], b[MAUI_TEXT], c[MAUI_TEXT];

	if (p->r->named_partition)
		emit("partition: %s\n", p->r->named_partition);
	maui_put_heading(p, list);
	for (size_t i = 0; i < p->list.nactive; i++) {
		maui_put_row(p, list, p->list.active[i], NULL);
		putchar('\n');
	}
	emit("\n%3zu Jobs   %5s of %5s Processors Active (%s)\n", p->list.nactive,
	       maui_count(a, m->busy_procs), maui_count(b, m->procs), maui_share(c, m->busy_procs, m->procs));
}

/* ---- -b */

/* What the tool's check complains of (src/MPolicy.c:MQueueSelectAllJobs), without its first two words: a limit, but no
 * soft one; of a hold one word is left, of a negative priority none, and then the tool prints the words of the row
 * before (its sscanf leaves them there). False: nothing. */
static bool complaint(char buf[2 * MAUI_TEXT], const struct maui_page *p, const struct fs_queue_row *row)
{
	char name[MAUI_TEXT];
	struct fs_explain_limit l;

	if (row->reason && !strcmp(row->reason->name, "NegativePriority"))
		return true;
	if (row->section == FS_SECTION_HELD) {
		strcpy(buf, " active");
		return true;
	}
	if (!fs_queue_shown_limit(p->list.queue, row->job_row, &l))
		return false;
	format_text(buf, 2 * MAUI_TEXT, " violates %s limit of %.0f for %s %s %s (R: %.0f, U: %.0f)", l.name, l.value, l.whose,
		 text_visible(name, sizeof(name), l.of), *l.user ? "user" : "", l.wants, l.used);
	return true;
}

/* --why adds those that the tool leaves out. */
void maui_put_blocked(const struct maui_page *p)
{
	char told[2 * MAUI_TEXT] = " ";

	maui_put_heading(p, MAUI_BLOCKED);
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		const bool listed = complaint(told, p, row);

		if (!listed && !p->r->why)
			continue;
		maui_put_row(p, MAUI_BLOCKED, row->job_row, row);
		emit_text(listed ? told : "");
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}
