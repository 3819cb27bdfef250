/* Maui: reservations that keep nodes from a job, and its own. */
#include "explain/parts.h"

#include <stdio.h>
#include <string.h>

bool explain_maui_kept_off(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out)
{
	struct fs_reservation r;
	bool found = false;

	for (size_t i = 0; fs_snapshot_reservation(v->from->snapshot, i, &r); i++) {
		if (!fs_reservation_bars(v->from->snapshot, i, job_row) || r.end_time > start ||
		    (found && r.end_time <= out->end_time))
			continue;
		*out = r;
		found = true;
	}
	return found;
}

struct names {
	struct page *p;
	char last[256];
	size_t told;
};

/* Maui lists a node once for each task, one after the other. */
static int add_name(void *ctx, const char *name, size_t len)
{
	struct names *n = ctx;
	char text[sizeof(n->last)];

	snprintf(text, sizeof(text), "%.*s", (int)len, name);
	if (strcmp(text, n->last) != 0)
		page_join(n->p, "%s%s", n->told++ ? ", " : " ", text);
	memcpy(n->last, text, sizeof(text));
	return 0;
}

static void say_nodes(struct page *p, const char *list)
{
	struct names n = { .p = p };

	fs_hostlist_each(list, add_name, &n);
}

static void say_own(struct page *p, const fs_snapshot *s, const struct fs_job *j)
{
	char a[WORDS];

	page_say(p, "It has a reservation of its own");
	if (j->start_time != FS_UNKNOWN)
		page_join(p, " from %s on", date_words(a, s, j->start_time));
	if (*j->sched_nodes) {
		page_join(p, ", on");
		say_nodes(p, j->sched_nodes);
	}
	page_join(p, ".");
}

static void say_other(struct page *p, const fs_snapshot *s, const struct fs_reservation *r)
{
	char a[WORDS];

	page_say(p, "Reservation %s keeps", r->name);
	say_nodes(p, r->nodes);
	page_join(p, " from %s", date_words(a, s, r->start_time));
	page_join(p, " until %s", date_words(a, s, r->end_time));
	page_join(p, r->admits_told ? " and does not admit this job, which gets none of them if its limit reaches into that time."
				    : ": a job that is not admitted there gets none of them if its limit reaches into that time.");
}

void explain_maui_reserved(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const fs_snapshot *s = v->from->snapshot;
	struct fs_reservation r;
	struct fs_job j;

	fs_snapshot_job(s, job->job_row, &j);
	if (fs_job_flag(s, job->job_row, "RESERVED"))
		say_own(p, s, &j);
	for (size_t i = 0; fs_snapshot_reservation(s, i, &r); i++)
		if (fs_reservation_bars(s, i, job->job_row))
			say_other(p, s, &r);
}
