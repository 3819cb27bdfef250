/* fs-share --history. */
#include "history/course.h"
#include "share/share.h"

int share_history_check(const struct share_run *r)
{
	const char *wrong = NULL;

	if (!r->history) {
		if (!r->csv && !r->plot)
			return -1;
		wrong = "--csv and --plot are of --history";
	} else if (r->report != SHARES || usage_wanted(&r->input) || r->ranges || r->kind || r->clusters.given)
		wrong = "--history shows what the snapshots hold: without reports, --usage, --at, --ranges, --kind and -M";
	else if (r->format_list || r->wide || r->with_partition || r->layout != ALIGNED || r->sort || r->concise)
		wrong = "--history has columns and an order of its own: without -l, -m, -o, -p, -P, -c and --sort";
	else if (r->users_only || r->subtree)
		wrong = "--history shows what is named: -u, -A, --me or -a";
	else if ((r->form != TEXT && r->form != OWN_JSON) ||
		 (r->form != TEXT) + r->csv + r->plot + (r->svg != NULL) > 1)
		wrong = "--history is a table, --json, --csv, --plot or --svg";
	else if (r->input.file || r->input.demo)
		wrong = "--history reads a folder: without -f and --demo";
	if (!wrong)
		return -1;
	complain(r->inv, "%s", wrong);
	return usage_status(r->inv);
}

int share_history(const struct share_run *r)
{
	const struct course c = {
		.inv = r->inv,
		.input = &r->input,
		.folder = r->history,
		.users = &r->users,
		.accounts = &r->accounts,
		.all = r->all && !r->me,
		.form = r->form == OWN_JSON ? COURSE_JSON
			: r->csv            ? COURSE_CSV
			: r->plot           ? COURSE_PLOT
			: r->svg            ? COURSE_SVG
					    : COURSE_TABLE,
		.svg = r->svg,
		.json = r->json,
		.no_header = r->no_header,
	};

	return course_show(&c);
}
