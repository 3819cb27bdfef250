/* fs-prio --history. */
#include "history/course.h"
#include "prio/prio.h"

static struct course_forms forms_of(const struct prio_run *r)
{
	return (struct course_forms){ .json = r->json != JSON_NONE, .csv = r->csv, .plot = r->plot,
				      .svg = r->svg != NULL, .other = r->metrics };
}

/* What of its own options --history does not go with; NULL nothing. */
static const char *refused(const struct prio_run *r)
{
	if (!r->jobs.n)
		return "--history shows jobs: which, -j says";
	if (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable || usage_wanted(&r->input))
		return "--history has columns and an order of its own: without -l, -n, -o, -w, -P, -S, --usage and --at";
	if (r->users.given || r->partitions.given || r->states.given || r->me || r->subtree || r->clusters.given)
		return "--history shows jobs by their ids: without -u, -p, -M, --state, --me and --subtree";
	return NULL;
}

int prio_history_check(const struct prio_run *r)
{
	const struct course_forms forms = forms_of(r);

	return course_check(r->inv, &r->input, r->history, &forms, refused(r));
}

int prio_history(const struct prio_run *r)
{
	const struct course_forms forms = forms_of(r);
	const struct course c = {
		.inv = r->inv, .input = &r->input, .folder = r->history, .jobs = &r->jobs, .form = course_form(&forms),
		.svg = r->svg, .json = r->json, .no_header = r->no_header,
	};

	return course_show(&c);
}
