/* Maui: what a job waits for, what would change its place, and the components and terms of its sum with their caps. */
#include "explain/parts.h"
#include "render/format.h"
#include "words/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns the credential of the job that a term is about; NULL if there is none. */
static const struct fs_window_row *credential_of(const struct explain_view *v,
						 const struct fs_explain_job *job, const char *term)
{
	const char *slash = strchr(term, '/');

	for (int k = 0; slash && v->from->windows && k < FS_CRED_KINDS; k++)
		if (!strcmp(slash + 1, fs_cred_kind_name((enum fs_cred_kind)k)) &&
		    job->credential[k] != FS_NO_ROW)
			return fs_windows_row(v->from->windows, job->credential[k]);
	return NULL;
}

/* ---- what a job waits for */

/* Says what clears the cap, if the job can start at all. */
static void say_clears(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const char *policy = v->from->windows ? fs_windows_info(v->from->windows)->policy : "";
	const struct fs_explain_limit *l = job->verdict.limit;
	const bool capped = l && job->capped && job->reason && !strcmp(job->reason->name, "FairShare");

	if (capped && job->cap.usage > job->cap.cap)
		page_say(
			p,
			"What was used alone is over the cap: asking for less does not help; what clears it is that the windows "
			"decay and the oldest drop out.");
	else if (capped)
		/* src/moab/MFS.c: MFSCheckCap: of DEDICATEDPES the time is no part of what a job would use */
		page_say(p, "What clears it: the windows decay and the oldest drop out, or it asks for %sfewer processors.",
			 !strcmp(policy, "DEDICATEDPES") ? "" : "less time or ");
	else if (l && limit_is_of_system(l))
		page_say(p, "What clears it: it asks for less, or the limit in maui.cfg is raised.");
	else if (l && !strncmp(l->name, "idle ", strlen("idle ")))
		page_say(p, "What clears it: eligible jobs of %s %s before it start.", l->whose, l->of);
	else if (l && *l->user)
		page_say(p, "What clears it: jobs of user %s in %s %s end.", l->user, l->whose, l->of);
	else if (l)
		page_say(p, "What clears it: jobs of %s %s end.", l->whose, l->of);
	else if (job->reason)
		page_say(p, "What clears it: %s.", job->reason->clears);
}

static void say_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	if (job->state == FS_EXPLAIN_QUEUED && job->verdict.kind != FS_VERDICT_BEHIND &&
	    job->verdict.kind != FS_VERDICT_NONE) {
		explain_verdict_text(p, v, job);
		explain_maui_reserved(p, v, job);
		return;
	}
	if (job->state == FS_EXPLAIN_QUEUED) {
		page_say(p, "It is idle and eligible: it waits for its turn.");
		explain_maui_reserved(p, v, job);
		return;
	}
	explain_verdict_text(p, v, job);
	if (job->verdict.kind != FS_VERDICT_NEVER)
		say_clears(p, v, job);
	page_say(p, "So it has no place in the list of eligible jobs.");
}

/* ---- what would change its place */

static void say_nearer(struct page *p, const struct fs_explain_ahead *a)
{
	char gain[WORDS];

	page_say(p, "By waiting it gains %s %s an hour,", decimals_words(gain, a->gain, 6),
		 a->gain == 1 ? "point" : "points");
	if (a->all.entries == 1)
		page_say(p, "the other less, so that it comes nearer.");
	else
		page_say(p, "%" PRIu32 " of those before it less, so that it comes nearer to %s.",
			 a->all.passed, a->all.passed == 1 ? "that one" : "these");
}

static void say_waiting(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const char *them = a->all.entries == 1 ? "it" : "them";
	char gain[WORDS];

	(void)v;
	if (isnan(a->gain))
		return;
	if (a->gain < 0)
		page_say(p, "Waiting lowers its priority, by %s points an hour.",
			 decimals_words(gain, -a->gain, 6));
	else if (a->gain == 0)
		page_say(p,
			 "Waiting alone will not pass %s: nothing in its sum grows with time now.",
			 them);
	else if (!a->all.passed)
		page_say(
			p,
			"Waiting alone will not pass %s: it gains %s %s an hour, no more than %s.",
			them, decimals_words(gain, a->gain, 6), a->gain == 1 ? "point" : "points",
			a->all.entries == 1 ? "the other" : "any of them");
	else
		say_nearer(p, a);
}

static void say_usage_change(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS] = "unknown", b[WORDS], c[WORDS];

	if (info->has_interval)
		duration_words(a, (double)info->interval_s);
	if (r->target == 0)
		page_say(p, "The %s %s has no target, so that its fair share gives nothing.",
			 kind_noun(r->kind), r->name);
	else
		page_say(
			p,
			"The %s %s has %s %% of all usage, with a target of %s: that changes with usage, and as windows age "
			"and drop out (FSINTERVAL %s).",
			kind_noun(r->kind), r->name, decimals_words(c, r->percent, 6),
			number_words(b, r->target), a);
}

void explain_maui_remedy(struct page *p, const struct explain_view *v,
			 const struct fs_explain_job *job, const char *term)
{
	const struct fs_window_row *c = credential_of(v, job, term);

	if (!strncmp(term, "fs/", 3) && c)
		say_usage_change(p, v, c);
	else if (!strcmp(term, "cred/qos") || !strcmp(term, "cred/class"))
		page_say(p, "Another %s would change it; administrators set the PRIORITY of each.",
			 kind_noun(strcmp(term, "cred/qos") ? FS_CRED_CLASS : FS_CRED_QOS));
	else if (!strncmp(term, "cred/", 5))
		page_say(p, "Administrators set the PRIORITY of credentials.");
	else if (!strncmp(term, "target/", 7))
		page_say(p, "TARGET comes from QTTARGET and XFTARGET of the QOS.");
	else if (!strncmp(term, "res/", 4))
		page_say(p, "RES depends on what is asked for.");
}

/* ---- components and terms */

/* Terms that need no more than a word. */
static const struct {
	const char *term, *note;
} notes[] = {
	{ "service/spviolation", "1 if it violates a soft policy" },
	{ "service/bypass", "times that backfill has put another before it" },
	{ "target/queuetime", "from QTTARGET of its QOS; at most 100000000, and so always" },
	{ "target/xfactor", "(XFTARGET of its QOS - expansion factor)^-2, at most 100000000" },
	{ "res/node", "nodes asked for" },
	{ "res/proc", "processors" },
	{ "res/mem", "MB of memory, all tasks" },
	{ "res/swap", "MB of swap, all tasks" },
	{ "res/disk", "MB of disk, all tasks" },
	{ "res/ps", "processors × time limit" },
	{ "res/pe", "processor equivalents" },
	{ "res/walltime", "time limit in seconds" },
};

static void note_words(char *buf, size_t size, const struct explain_view *v,
		       const struct fs_explain_job *job, const struct fs_prio_term *t,
		       const struct fs_prio_inputs *in)
{
	const struct fs_window_row *c = credential_of(v, job, t->name);
	char a[WORDS], name[WORDS];

	*buf = '\0';
	if (in->rule == FS_INPUTS_WAITED)
		snprintf(buf, size, "minutes since %s", time_words(a, v->from->snapshot, in->since));
	else if (in->rule == FS_INPUTS_EXPANSION)
		format_text(buf, size, "(%.0f s waited + %.0f s limit) / %.0f s", in->have, in->limit_s, in->of);
	else if (!strncmp(t->name, "fs/", 3) && c)
		snprintf(buf, size, "%s, see below", cell_words(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) && c)
		snprintf(buf, size, "PRIORITY of %s",
			 job->by_default[c->kind] ? "DEFAULT" : cell_words(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) || !strncmp(t->name, "fs/", 3))
		snprintf(buf, size, "it has none");
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (!strcmp(notes[i].term, t->name))
			snprintf(buf, size, "%s", notes[i].note);
}

/* Prints a term, and what its cap takes in a line below it. */
static void print_term(struct page *p, const struct fs_prio_term *t,
		       const struct fs_explain_parts *parts, const struct sheet *d,
		       const char *note)
{
	const int64_t points = d->fits ? decimal_units(d, t->points) : 0;
	const int64_t taken = d->fits ? decimal_units(d, parts->cut_points) : 0;
	struct fs_prio_term line = *t;
	char name[2 * WORDS], a[WORDS];

	line.value = parts->uncut_value;
	line.points = parts->uncut_points;
	factor_words(a, t->name);
	explain_points_row(p, a, &line, d, points - taken);
	page_cell(p, "%s", note);
	page_row(p, TONE_PLAIN);
	if (t->cut == 0)
		return;
	line.value = -t->cut;
	line.points = parts->cut_points;
	snprintf(name, sizeof(name), "%s/CAP", a);
	explain_points_row(p, name, &line, d, taken);
	page_cell(p, "cut to its cap, %s", number_words(a, t->value));
	page_row(p, TONE_PLAIN);
}

static bool shown(const struct fs_explain_sum *s, size_t t)
{
	return s->terms[t].points != 0 || s->parts[t].cut_points != 0;
}

static bool is_cap(const struct fs_prio_group *g, size_t t)
{
	return g->cap > 0 && t + 1 == g->first + g->count;
}

static void print_terms(struct page *p, const struct explain_view *v,
			const struct fs_explain_job *job, const struct fs_explain_sum *s,
			const struct sheet *d)
{
	char note[2 * WORDS], a[WORDS];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct fs_prio_group *g = &s->groups[i];

		for (size_t t = g->first; t < g->first + g->count; t++) {
			if (!shown(s, t))
				continue;
			if (is_cap(g, t))
				snprintf(note, sizeof(note),
					 "what the cap of the component, %s, takes",
					 number_words(a, g->cap));
			else
				note_words(note, sizeof(note), v, job, &s->terms[t], &s->inputs[t]);
			print_term(p, &s->terms[t], &s->parts[t], d, note);
		}
	}
}

/* ---- weights */

static bool factor_told(const struct fs_explain_sum *s, const struct fs_prio_group *g, size_t t)
{
	return shown(s, t) && !is_cap(g, t) && (g->weight != 1 || s->parts[t].qos_weight != 0);
}

static void say_components(struct page *p, const struct fs_explain_sum *s)
{
	bool some = false;
	char name[WORDS], a[WORDS];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct fs_prio_group *g = &s->groups[i];
		size_t t = g->first;

		while (t < g->first + g->count && !factor_told(s, g, t))
			t++;
		if (t == g->first + g->count)
			continue;
		if (some)
			page_join(p, ", %s %s", factor_words(name, g->name), number_words(a, g->weight));
		else
			page_say(p, "A weight is that of the component (%s %s",
				 factor_words(name, g->name), number_words(a, g->weight));
		some = true;
	}
}

static void say_term(struct page *p, const struct fs_prio_term *t, const struct fs_explain_parts *q)
{
	char name[WORDS], a[WORDS];

	page_join(p, "%s %s", factor_words(name, t->name), number_words(a, q->own_weight));
	if (q->qos_weight != 0)
		page_join(p, " + %s of its QOS", number_words(a, q->qos_weight));
}

/* "(CRED 2, FS 3) times that of the term (FS/USER 10, others 1)": of products, and where a QOS adds to a weight. */
static void say_weights(struct page *p, const struct fs_explain_sum *s)
{
	size_t told = 0, plain = 0;

	say_components(p, s);
	for (size_t i = 0; i < s->ngroups; i++)
		for (size_t t = s->groups[i].first; t < s->groups[i].first + s->groups[i].count;
		     t++) {
			if (!factor_told(s, &s->groups[i], t))
				continue;
			if (s->parts[t].own_weight == 1 && s->parts[t].qos_weight == 0) {
				plain++;
				continue;
			}
			page_join(p, told++ ? ", " : ") times that of the term (");
			say_term(p, &s->terms[t], &s->parts[t]);
		}
	if (told)
		page_join(p, plain ? ", others 1)." : ").");
	else if (plain)
		page_join(p, ") times that of the term (1).");
	page_end(p);
}

const struct explain_dialect explain_maui = {
	.account_optional = true,
	.title_partition = true,
	.sum_in_steps = true,
	.sum_of_class = true,
	.direct_is_a_step = true,
	.state = say_state,
	.waiting = say_waiting,
	.terms = print_terms,
	.weights = say_weights,
	.kept_off = explain_maui_kept_off,
};
