/* What a paste had, and what to ask for next. */
#include "import/text/text.h"

#include <stdio.h>
#include <string.h>

static void note_pieces(const struct fsi_text *t)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];
		const unsigned first = t->lines.v[p->begin].no, last = t->lines.v[p->end - 1].no;
		char odd[300] = "", at[200] = "";

		if (p->odd_line)
			snprintf(at, sizeof(at), " (%s%.150s:%u)", p->odd == 1 ? "" : "first: ", t->name, p->odd_line);
		if (p->odd)
			snprintf(odd, sizeof(odd), ", %zu line%s or row%s not read%s", p->odd, p->odd == 1 ? "" : "s",
				 p->odd == 1 ? "" : "s", at);
		fsi_text_note(t, "lines %u-%u: %s: %zu taken%s", first, last, fsi_text_kind_name(p->kind), p->taken, odd);
	}
}

void fsi_text_lose(struct fsi_text_lost *l, uint32_t no)
{
	if (l->n < FSI_TEXT_LOST_LINES)
		l->no[l->n] = no;
	l->n++;
}

int fsi_text_warn_lost(struct fsi_text *t, const struct fsi_text_lost *l, const char *what, const char *why)
{
	const size_t named = l->n < FSI_TEXT_LOST_LINES ? l->n : FSI_TEXT_LOST_LINES;
	char lines[100];
	size_t len = 0;

	if (!l->n)
		return 0;
	for (size_t i = 0; i < named; i++)
		len += (size_t)snprintf(lines + len, sizeof(lines) - len, "%s%u",
					!i ? "" : i + 1 == l->n ? " and " : ", ", l->no[i]);
	if (l->n > named)
		snprintf(lines + len, sizeof(lines) - len, " and %zu more", l->n - named);
	return fsi_text_warn(t, "line%s %s: %s: %s", l->n == 1 ? "" : "s", lines, what, why);
}

/* Commands in the order in which they help most; the first of a group that is there is enough. */
static const struct wanted {
	const char *command, *why, *files[2];
	const char *column; /* of the table that counts; NULL: any */
} of_slurm[] = {
	{ "scontrol show config", "without it no weight, half-life or limit of the site is known, and no priority is computed",
	  { "scontrol_config.txt", NULL }, NULL },
	{ "scontrol show job JOB", "it has the job's account, QOS, limits and times", { "scontrol_job_o.txt", NULL }, NULL },
	{ "sprio -l", "it has the points of each factor", { "sprio.txt", NULL }, NULL },
	{ "sshare -a -l", "it has the shares and usage that the fair-share factor comes from", { "sshare.txt", NULL }, NULL },
	{ "scontrol show partition", "it has the partitions' priorities and limits", { "scontrol_partition_o.txt", NULL }, NULL },
	{ "sacctmgr -P show qos", "it has the QOS' priorities and limits", { "sacctmgr_qos_all.txt", "scontrol_assoc_mgr_o.txt" }, NULL },
	{ "scontrol show assoc_mgr", "it has the limits of users and accounts, and what counts against them",
	  { "scontrol_assoc_mgr_o.txt", NULL }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
}, of_flux[] = {
	{ "flux jobs -A --json", "it has the jobs, their urgencies, priorities and times", { "flux-jobs_-A_-a_--json.json", NULL }, NULL },
	{ "flux account list-factors", "without the weights no priority is computed", { "list-factors.txt", NULL }, NULL },
	{ "flux account view-bank root -t", "it has the shares and usage that the fair-share factor comes from", { "list-banks.txt", NULL }, "shares" },
	{ "flux account list-users", "it has the limits of users, and their default banks", { "list-users.txt", NULL }, "max_running_jobs" },
	{ "flux account list-queues", "it has the queues' priorities and limits", { "list-queues.txt", NULL }, "max_running_jobs" },
	{ "flux queue status", "it tells whether queues start jobs", { "flux_queue_status.txt", NULL }, NULL },
	{ "flux resource list", "it has the nodes, for the plan", { "flux_resource_list.txt", NULL }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
}, of_maui[] = {
	{ "showq", "it has the jobs, and which are eligible", { "showq.txt", NULL }, NULL },
	{ "diagnose -p", "it has the weights, and the points of each factor", { "diagnose_-p.txt", NULL }, NULL },
	{ "showq -i", "it has the priorities and since when jobs are queued", { "showq_-i.txt", NULL }, NULL },
	{ "checkjob -v JOB", "it has the job's account, class, QOS and limits", { "diagnose_-j.txt", NULL }, NULL },
	{ "diagnose -f", "it has what users and accounts have used, and their targets", { "diagnose_-f.txt", NULL }, NULL },
	{ "showres -n", "it tells who has nodes until when, and the time", { "showres_-n.txt", "showres.txt" }, NULL },
	{ NULL, NULL, { NULL, NULL }, NULL },
};

/* Has any row of the table something in that column? */
static bool has_column(const struct fsi_text_file *f, const char *column)
{
	struct fsi_span rest = { f->lines.v[0].s, f->lines.v[0].len }, cell;
	size_t at = 0;

	while (fsi_span_cut(&rest, '|', &cell) && !fsi_span_is(cell, column))
		at++;
	for (size_t i = 1; i < f->lines.n; i++) {
		rest = fsi_text_span(&f->lines.v[i]);
		for (size_t k = 0; fsi_span_cut(&rest, '|', &cell); k++)
			if (k == at && cell.len)
				return true;
	}
	return false;
}

/* Is there a page of checkjob? */
static bool has_checkjob(const struct fsi_text *t, const struct wanted *w)
{
	for (size_t i = 0; i < t->pieces.n; i++)
		if (t->pieces.v[i].kind == TEXT_MAUI_CHECKJOB && !strncmp(w->command, "checkjob", 8))
			return true;
	return false;
}

static bool is_there(const struct fsi_text_file *f, const char *column)
{
	return f && (!column || has_column(f, column));
}

static void note_wanted(const struct fsi_text *t)
{
	static const struct wanted *const of[] = { of_slurm, of_flux, of_maui };

	for (const struct wanted *w = of[t->scheduler]; w->command; w++) {
		bool have = false;

		for (size_t k = 0; k < 2; k++)
			have = have || has_checkjob(t, w) ||
			       is_there(w->files[k] ? fsi_text_has(t, w->files[k]) : NULL, w->column);
		if (!have)
			fsi_text_note(t, "ask for `%s`: %s", w->command, w->why);
	}
}

void fsi_text_report(const struct fsi_text *t)
{
	note_pieces(t);
	note_wanted(t);
}
