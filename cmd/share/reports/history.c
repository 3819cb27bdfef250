/* fs-share --history. */
#include "history/course.h"
#include "share/share.h"

static struct course_forms forms_of(const struct share_run *r)
{
	return (struct course_forms){ .json = r->form == OWN_JSON, .csv = r->csv, .plot = r->plot,
				      .svg = r->svg != NULL, .other = r->form != TEXT && r->form != OWN_JSON };
}

/* What of its own options --history does not go with; NULL nothing. */
static const char *refused(const struct share_run *r)
{
	if (r->report != SHARES || usage_wanted(&r->input) || r->ranges || r->kind || r->clusters.given)
		return "--history shows what the snapshots hold: without reports, --usage, --at, --ranges, --kind and -M";
	if (r->format_list || r->wide || r->with_partition || r->layout != ALIGNED || r->sort || r->concise)
		return "--history has columns and an order of its own: without -l, -m, -o, -p, -P, -c and --sort";
	if (r->users_only || r->subtree)
		return "--history shows what is named: -u, -A, --me or -a";
	return NULL;
}

int share_history_check(const struct share_run *r)
{
	const struct course_forms forms = forms_of(r);

	return course_check(r->inv, &r->input, r->history, &forms, refused(r));
}

int share_history(const struct share_run *r)
{
	const struct course_forms forms = forms_of(r);
	const struct course c = {
		.inv = r->inv, .input = &r->input, .folder = r->history, .users = &r->users, .accounts = &r->accounts,
		.all = r->all && !r->me, .form = course_form(&forms), .svg = r->svg, .json = r->json,
		.no_header = r->no_header,
	};

	return course_show(&c);
}
