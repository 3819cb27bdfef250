/* The XML of Moab's showq --xml: a cluster, and a queue for each section. Attributes that nothing here tells are left
 * out; texts are made safe to show before they are escaped, so that the document is always well-formed. */
#include "showq/moab/moab.h"

#include "render/emit.h"
#include "render/text.h"

#include <string.h>

static void put_escaped(const char *text)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" } };
	char step[TEXT_STEP + 1];

	for (const char *at = text; *at;) {
		const size_t n = text_step(&at, step);
		const char *entity = NULL;

		step[n] = '\0';
		for (size_t i = 0; n == 1 && i < sizeof(entities) / sizeof(*entities); i++)
			if (*step == entities[i].c)
				entity = entities[i].entity;
		emit_text(entity ? entity : step);
	}
}

static void put_text(const char *name, const char *value)
{
	if (!*value)
		return;
	emit(" %s=\"", name);
	put_escaped(value);
	emit("\"");
}

static void put_number(const char *name, int64_t value)
{
	if (value == FS_UNLIMITED)
		put_text(name, "INFINITY");
	else if (value != FS_UNKNOWN)
		emit(" %s=\"%lld\"", name, (long long)value);
}

static int64_t since(const struct showq_run *r, int64_t start)
{
	return start == FS_UNKNOWN ? FS_UNKNOWN : r->info->time - start;
}

static void put_job(const struct showq_run *r, const struct showq_job *row)
{
	const char *qos = fs_job_qos(r->snapshot, row->row, 0);
	struct moab_job j;
	const struct fs_job *job = &j.job;
	const struct fs_reason *reason = showq_reason_of(r, row);

	moab_job(r, row, &j);
	emit("<job");
	if (row->place == PLACE_ACTIVE)
		put_number("AWDuration", since(r, job->start_time));
	put_text("Account", job->account);
	if (row->place == PLACE_BLOCKED)
		put_text("BlockReason", reason ? reason->name : job->reason);
	put_text("Class", j.partition);
	if (row->place == PLACE_ERRORED) {
		put_number("CompletionCode", strcmp(job->state, "COMPLETED") ? FS_UNKNOWN : 0);
		put_number("CompletionTime", job->end_time);
	}
	put_text("Group", job->group);
	put_text("JobID", j.id);
	put_text("JobName", job->name);
	put_text("MasterHost", j.host);
	put_text("QOS", qos ? qos : "");
	put_number("ReqAWDuration", job->time_limit_s);
	put_number("ReqNodes", job->nodes);
	put_number("ReqProcs", job->cpus);
	put_number("StartPriority", job->priority);
	if (row->place != PLACE_WAITING && row->place != PLACE_BLOCKED)
		put_number("StartTime", job->start_time);
	put_text("State", j.state);
	put_number("SubmissionTime", job->submit_time);
	put_text("User", job->user);
	emit("></job>");
}

static int put_cluster(const struct showq_run *r, const struct moab_counts *c)
{
	struct fs_machine m;

	if (fs_snapshot_machine(r->snapshot, &m))
		return -1;
	emit("<cluster");
	put_number("LocalActiveNodes", c->busy_nodes);
	put_number("LocalAllocProcs", m.procs == FS_UNKNOWN ? FS_UNKNOWN : m.busy_procs);
	put_number("LocalConfigNodes", c->nodes);
	put_number("LocalUpNodes", m.nodes);
	put_number("LocalUpProcs", m.procs);
	put_number("time", r->info->time);
	emit("></cluster>");
	return 0;
}

int moab_xml(struct showq_run *r, const struct moab_counts *c, unsigned places)
{
	static const char *const options[] = { "active", "eligible", "blocked", "completed" };

	emit("<Data><Object>queue</Object>");
	if (put_cluster(r, c))
		return no_memory(r->inv);
	for (unsigned p = 0; p < PLACE_COUNT; p++) {
		if (!(places >> p & 1))
			continue;
		emit("<queue count=\"%zu\" option=\"%s\">", c->n[p], options[p]);
		for (size_t i = 0; i < r->n; i++)
			if (r->jobs[i].place == (enum showq_place)p)
				put_job(r, &r->jobs[i]);
		emit("</queue>");
	}
	emit("</Data>\n");
	return EXIT_DONE;
}
