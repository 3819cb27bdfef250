/* Maui's showq -i, -r and -b (3.5: src/server/omclient.c:MCShowIdle, MCShowRun, MCShowBlocked). */
#include "showq/maui.h"

#include "maui_text.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

/* ---- -i */

static double put_idle_job(const struct maui_page *p, const struct fs_queue_row *row)
{
	const fs_snapshot *s = p->r->snapshot;
	const char *class = fs_job_partition(s, row->job_row, 0), *qos = maui_qos_of(p, row->job_row);
	char a[MAUI_TEXT], b[MAUI_TEXT], visible[MAUI_TEXT];
	struct fs_job job;

	fs_snapshot_job(s, row->job_row, &job);
	emit("%18s%c", maui_job_name(a, &job), fs_job_flag(s, row->job_row, "RESERVED") ? '*' : ' ');
	if (isnan(row->priority))
		emit("%11s", "?");
	else
		emit("%11.0f", row->priority);
	emit(" %8s %2.2s", maui_xfactor(a, &job, p->r->info->time),
	       strcmp(qos, "DEFAULT") ? text_visible(visible, sizeof(visible), qos) : "-");
	maui_put_text(9, job.user);
	maui_put_text(8, job.group);
	emit(" %6s%12s", maui_count(a, job.cpus), maui_time(b, job.time_limit_s));
	maui_put_text(9, class ? class : "-");
	emit("  ");
	maui_put_date(p, maui_queued_since(&job));
	if (p->r->why)
		showq_put_why(p->r, p->list.queue, row, NULL);
	putchar('\n');
	return job.cpus == FS_UNKNOWN || !maui_has_limit(&job)
		       ? 0
		       : (double)job.cpus * (double)job.time_limit_s;
}

void maui_put_idle(const struct maui_page *p)
{
	double backlog = 0;

	if (p->r->named_partition)
		emit("Partition: %s\n", p->r->named_partition);
	emit("%18s %11s %8s %2s %9s %8s %6s %11s %9s %20s\n\n", "JobName", "Priority", "XFactor",
	       "Q", "User", "Group", "Procs", "WCLimit", "Class", "SystemQueueTime");
	for (size_t i = 0; i < p->list.nline; i++)
		backlog += put_idle_job(p, &p->list.line[i]);
	emit("\nJobs: %zu  Total Backlog:  %.2f ProcHours  ", p->list.nline, backlog / 3600.0);
	if (p->machine.procs > 0)
		emit("(%.2f Hours)\n", backlog / 3600.0 / (double)p->machine.procs);
	else
		emit("(?)\n");
}

/* ---- -r */

static char mark_of(const fs_snapshot *s, uint32_t row)
{
	const bool preemptee = fs_job_flag(s, row, "PREEMPTEE");

	if (fs_job_flag(s, row, "SPVIOLATION"))
		return '_';
	if (fs_job_flag(s, row, "BACKFILL"))
		return preemptee ? '*' : '+';
	return preemptee ? '-' : ' ';
}

struct first_host {
	char name[MAUI_TEXT];
};

static int take_first(void *ctx, const char *name, size_t len)
{
	struct first_host *h = ctx;

	snprintf(h->name, sizeof(h->name), "%.*s", (int)len, name);
	return 1;
}

static void put_running_job(const struct maui_page *p, uint32_t row)
{
	struct first_host host = { "?" };
	char a[MAUI_TEXT], b[MAUI_TEXT], visible[MAUI_TEXT];
	struct fs_job job;

	fs_snapshot_job(p->r->snapshot, row, &job);
	fs_hostlist_each(job.node_list, take_first, &host);
	emit("%18s%c %c", maui_job_name(a, &job), mark_of(p->r->snapshot, row),
	       strcmp(job.state, "SUSPENDED") ? 'R' : 'S');
	if (p->r->verbose)
		emit(" %6s", maui_count(a, p->run_priority[row]));
	emit(" %3.3s ", "DEFAULT");
	if (isnan(job.efficiency))
		emit("%6s", "------");
	else
		emit("%6.2f", job.efficiency);
	emit(" %8s %2.2s", maui_xfactor(a, &job, job.start_time),
	       text_visible(visible, sizeof(visible), maui_qos_of(p, row)));
	maui_put_text(9, job.user);
	maui_put_text(8, job.group);
	maui_put_text(8, host.name);
	emit(" %5s %11s  ", maui_count(a, job.cpus), maui_remaining(b, p, &job));
	maui_put_date(p, job.start_time);
	putchar('\n');
}

void maui_put_running(const struct maui_page *p)
{
	const struct fs_machine *m = &p->machine;
	char a[MAUI_TEXT], b[MAUI_TEXT], c[MAUI_TEXT];

	if (p->r->named_partition)
		emit("partition: %s\n", p->r->named_partition);
	emit("%18s  %1s", "JobName", "S");
	if (p->r->verbose)
		emit(" %6s", "prio");
	emit(" %3s %6s %8s %2s %9s %8s %8s %5s %11s  %19s\n\n", "Par", "Effic", "XFactor", "Q",
	       "User", "Group", "MHost", "Procs", "Remaining", "StartTime");
	for (size_t i = 0; i < p->list.nactive; i++)
		put_running_job(p, p->list.active[i]);
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
	struct fs_verdict v;
	bool hard;

	if (row->reason && !strcmp(row->reason->name, "NegativePriority"))
		return true;
	if (row->section == FS_SECTION_HELD) {
		strcpy(buf, " active");
		return true;
	}
	if (fs_queue_verdict(p->list.queue, row->job_row, &v)) {
		*p->r->starved = true;
		return false;
	}
	hard = v.limit && !strncmp(v.limit->name, "active HARD", strlen("active HARD"));
	if (hard)
		snprintf(buf, 2 * MAUI_TEXT, " violates %s limit of %.0f for %s %s %s (R: %.0f, U: %.0f)",
			 v.limit->name, v.limit->value, v.limit->whose,
			 text_visible(name, sizeof(name), v.limit->of), *v.limit->user ? "user" : "", v.limit->wants,
			 v.limit->used);
	fs_verdict_release(&v);
	return hard;
}

/* --why adds those that the tool leaves out. */
void maui_put_blocked(const struct maui_page *p)
{
	char told[2 * MAUI_TEXT] = " ";

	emit("%18s %9s %20s\n\n", "JobName", "User", "Reason");
	for (size_t i = 0; i < p->list.nblocked; i++) {
		const struct fs_queue_row *row = &p->list.blocked[i];
		char name[MAUI_TEXT];
		const bool listed = complaint(told, p, row);
		struct fs_job job;

		if (!listed && !p->r->why)
			continue;
		fs_snapshot_job(p->r->snapshot, row->job_row, &job);
		emit("%18s", maui_job_name(name, &job));
		maui_put_text(9, job.user);
		emit_text(listed ? told : "");
		if (p->r->why)
			showq_put_why(p->r, p->list.queue, row, NULL);
		putchar('\n');
	}
}
