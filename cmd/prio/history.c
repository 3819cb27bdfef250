/* fs-prio --history. */
#include "history/course.h"
#include "prio/prio.h"

int prio_history_check(const struct prio_run *r)
{
	const char *wrong = NULL;

	if (!r->history) {
		if (!r->csv && !r->plot)
			return -1;
		wrong = "--csv and --plot are of --history";
	} else if (!r->jobs.n)
		wrong = "--history shows jobs: which, -j says";
	else if (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable ||
		 usage_wanted(&r->input))
		wrong = "--history has columns and an order of its own: without -l, -n, -o, -w, -P, -S, --usage and --at";
	else if (r->users.given || r->partitions.given || r->states.given || r->me || r->subtree || r->clusters.given)
		wrong = "--history shows jobs by their ids: without -u, -p, -M, --state, --me and --subtree";
	else if (r->metrics || (r->json != JSON_NONE) + r->csv + r->plot + (r->svg != NULL) > 1)
		wrong = "--history is a table, --json, --csv, --plot or --svg";
	else if (r->input.file || r->input.demo)
		wrong = "--history reads a folder: without -f and --demo";
	if (!wrong)
		return -1;
	complain(r->inv, "%s", wrong);
	return usage_status(r->inv);
}

int prio_history(const struct prio_run *r)
{
	const struct course c = {
		.inv = r->inv,
		.input = &r->input,
		.folder = r->history,
		.jobs = &r->jobs,
		.form = r->json   ? COURSE_JSON
			: r->csv  ? COURSE_CSV
			: r->plot ? COURSE_PLOT
			: r->svg  ? COURSE_SVG
				  : COURSE_TABLE,
		.svg = r->svg,
		.json = r->json,
		.no_header = r->no_header,
	};

	return course_show(&c);
}
