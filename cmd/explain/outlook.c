#include "explain/outlook.h"

#include <string.h>

/* Entries of the queue up to which a page waits for a plan, whose time grows with their square, and for the many plans
 * that advice is found by: half a second each. */
enum { QUICK_PLAN = 4000, QUICK_ADVICE = 2500 };

static bool quick(const struct explain_view *v, size_t max)
{
	return v->from->queue && fs_queue_count(v->from->queue) <= max;
}

/* Without the name of the file that all of the page is about. */
static void keep_why(char why[OUTLOOK_WHY], const fs_snapshot *s, const struct fs_error *err)
{
	const char *file = fs_snapshot_info(s)->file;
	const size_t n = strlen(file);
	const bool named = n && !strncmp(err->message, file, n) && !strncmp(err->message + n, ": ", 2);

	snprintf(why, OUTLOOK_WHY, "%s", err->message + (named ? n + 2 : 0));
}

static int keep_absence(int rc, char why[OUTLOOK_WHY], const fs_snapshot *s, const struct fs_error *err)
{
	if (rc != FS_ENODATA)
		return rc;
	keep_why(why, s, err);
	return 0;
}

int outlook_plan(struct outlook *o, struct explain_view *v, const struct fs_view *view, bool likely,
		 struct fs_error *err)
{
	const struct fs_plan_options options = { .view = *view, .likely = likely || quick(v, QUICK_ADVICE) };
	const int rc = keep_absence(fs_plan_compute(&o->plan, v->from->snapshot, &options, err), o->no_plan,
				    v->from->snapshot, err);

	v->plan = o->plan;
	v->no_plan = o->no_plan;
	return rc;
}

int outlook_advise(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row,
		   struct fs_error *err)
{
	const int rc = keep_absence(fs_advise(&o->advices, v->from->snapshot, job_row, view, err), o->no_advice,
				    v->from->snapshot, err);

	v->advices = o->advices;
	v->no_advice = o->no_advice;
	return rc;
}

static void leave_out(char why[OUTLOOK_WHY], const char **told, bool timed, const char *name, const char *option)
{
	if (timed)
		snprintf(why, OUTLOOK_WHY, "planned at the snapshot's own time alone, without --at and --usage");
	else
		snprintf(why, OUTLOOK_WHY, "with that many jobs it takes a while; fs-explain %.60s --%s tells", name, option);
	*told = why;
}

int outlook_make(struct outlook *o, struct explain_view *v, const struct fs_view *view, uint32_t job_row, bool asked,
		 const char *name, struct fs_error *err)
{
	const bool timed = v->usage != NULL;
	int rc = 0;

	if (!timed && (asked || quick(v, QUICK_PLAN)))
		rc = outlook_plan(o, v, view, asked, err);
	else
		leave_out(o->no_plan, &v->no_plan, timed, name, "brief");
	if (!rc && !timed && (asked || quick(v, QUICK_ADVICE)))
		return outlook_advise(o, v, view, job_row, err);
	leave_out(o->no_advice, &v->no_advice, timed, name, "advise");
	return rc;
}

void outlook_release(struct outlook *o)
{
	fs_advices_free(o->advices);
	fs_plan_free(o->plan);
}
