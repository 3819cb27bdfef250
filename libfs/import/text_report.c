/* What a paste had, and what to ask for next. */
#include "import/text.h"

#include <stdio.h>

static void tell_pieces(const struct fsi_text *t)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];
		const unsigned first = t->lines.v[p->begin].no, last = t->lines.v[p->end - 1].no;
		char odd[80] = "";

		if (p->odd)
			snprintf(odd, sizeof(odd), ", %zu line%s or row%s not understood", p->odd, p->odd == 1 ? "" : "s",
				 p->odd == 1 ? "" : "s");
		fsi_text_note(t, "lines %u-%u: %s: %zu taken%s", first, last, fsi_text_kind_name(p->kind), p->taken, odd);
	}
}

/* In the order in which they help; the first that is there is enough. */
static const struct {
	const char *command, *why, *files[2];
} wanted[] = {
	{ "scontrol show config", "without it no weight, half-life or limit of the site is known, and no priority is computed",
	  { "scontrol_config.txt", NULL } },
	{ "scontrol show job JOB", "it has the job's account, QOS, limits and times", { "scontrol_job_o.txt", NULL } },
	{ "sprio -l", "it has the points of each factor", { "sprio.txt", NULL } },
	{ "sshare -a -l", "it has the shares and usage that the fair-share factor comes from", { "sshare.txt", NULL } },
	{ "scontrol show partition", "it has the partitions' priorities and limits", { "scontrol_partition_o.txt", NULL } },
	{ "sacctmgr -P show qos", "it has the QOS' priorities and limits", { "sacctmgr_qos_all.txt", "scontrol_assoc_mgr_o.txt" } },
	{ "scontrol show assoc_mgr", "it has the limits of users and accounts, and what counts against them",
	  { "scontrol_assoc_mgr_o.txt", NULL } },
};

static void tell_wanted(const struct fsi_text *t)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		bool have = false;

		for (size_t k = 0; k < 2; k++)
			have = have || (wanted[i].files[k] && fsi_text_has(t, wanted[i].files[k]));
		if (!have)
			fsi_text_note(t, "ask for `%s`: %s", wanted[i].command, wanted[i].why);
	}
}

void fsi_text_report(const struct fsi_text *t)
{
	tell_pieces(t);
	tell_wanted(t);
}
