/* Maui: what a job waits for, its components and terms with their caps, targets and windows of its credentials. */
#include "explain_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const kind_nouns[FS_CRED_KINDS] = { "user", "group", "account", "QOS", "class" };

static const char *const mode_marks[] = { [FS_TARGET] = "", [FS_FLOOR] = "+", [FS_CEILING] = "-", [FS_CAP_REL] = "%",
					  [FS_CAP_ABS] = "^" };

/* ---- what a job waits for */

static void say_cap(struct page *p, const struct explain_view *v, const struct fs_cap_row *c)
{
	const bool seconds = c->mode == FS_CAP_ABS;
	const char *policy = fs_windows_info(v->from->windows)->policy;
	const char *unit = !seconds ? "%" : strcmp(policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds";

	page_say(p, "A fair-share cap holds it back (FairShare): %s %s is capped at %.6g %s", kind_nouns[c->kind], c->name, c->cap,
		 unit);
	page_join(p, ", has used %.6g and would need %.6g more, together %.6g.", c->usage, c->need, c->usage + c->need);
	if (c->cap < 0)
		page_say(p, "A negative target is passed by nothing at all: it holds back every job.");
	else if (c->need > c->cap)
		page_say(p, "It asks for more than the whole cap: no waiting helps, only a shorter time limit, fewer processors "
			    "or another cap.");
	else
		page_say(p, "What clears it: its windows decay and the oldest drop out, or it asks for less time or fewer "
			    "processors.");
}

void explain_maui_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_job j;

	fs_snapshot_job(v->from->snapshot, job->job_row, &j);
	if (job->capped) {
		say_cap(p, v, &job->cap);
	} else if (job->state == FS_EXPLAIN_QUEUED) {
		page_say(p, "It is idle and eligible: it waits for its turn.");
	} else {
		page_say(p, "It is blocked");
		if (*j.reason)
			page_join(p, " (%s)", j.reason);
		if (job->state == FS_EXPLAIN_HELD)
			page_join(p, ": a hold must be released.");
		else if (*j.reason)
			page_join(p, ": Maui listed it so; why is not in the capture (checkjob tells).");
		else
			page_join(p, ": its start priority is below 0, and REJECTNEGPRIOJOBS rejects such jobs.");
	}
}

/* ---- components and terms */

/* Terms that need no more than a word. */
static const struct {
	const char *term, *note;
} notes[] = {
	{ "service/spviolation", "1 if it violates a soft policy" },
	{ "service/bypass", "times that backfill has put another before it" },
	{ "target/queuetime", "from QTTARGET of its QOS; at most 1e8, and so always" },
	{ "target/xfactor", "(XFTARGET of its QOS - expansion factor)^-2, at most 1e8" },
	{ "res/node", "nodes asked for" },
	{ "res/proc", "processors" },
	{ "res/mem", "MB of memory, all tasks" },
	{ "res/swap", "MB of swap, all tasks" },
	{ "res/disk", "MB of disk, all tasks" },
	{ "res/ps", "processors × time limit" },
	{ "res/pe", "processor equivalents" },
	{ "res/walltime", "time limit in seconds" },
};

static const struct fs_window_row *credential_of(const struct explain_view *v, const struct fs_explain_job *job, const char *term)
{
	const char *slash = strchr(term, '/');

	for (int k = 0; slash && v->from->windows && k < FS_CRED_KINDS; k++)
		if (!strcmp(slash + 1, fs_cred_kind_name((enum fs_cred_kind)k)) && job->credential[k] != UINT32_MAX)
			return fs_windows_row(v->from->windows, job->credential[k]);
	return NULL;
}

static void note_words(char *buf, size_t size, const struct explain_view *v, const struct fs_explain_job *job,
		       const struct fs_prio_term *t, const struct fs_prio_inputs *in)
{
	const struct fs_window_row *c = credential_of(v, job, t->name);
	char a[WORDS], name[WORDS];

	*buf = '\0';
	if (in->rule == FS_INPUTS_WAITED)
		snprintf(buf, size, "minutes since %s", time_words(a, v->from->snapshot, in->since));
	else if (in->rule == FS_INPUTS_EXPANSION)
		snprintf(buf, size, "(%.0f s waited + %.0f s limit) / %.0f s", in->have, in->limit_s, in->of);
	else if (!strncmp(t->name, "fs/", 3) && c)
		snprintf(buf, size, "%s %s, see below", kind_nouns[c->kind], cell_words(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) && c)
		snprintf(buf, size, c->kind == FS_CRED_QOS ? "PRIORITY of %s %s" : "PRIORITY of %s %s, or of DEFAULT",
			 kind_nouns[c->kind], cell_words(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) || !strncmp(t->name, "fs/", 3))
		snprintf(buf, size, "it has none");
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (!strcmp(notes[i].term, t->name))
			snprintf(buf, size, "%s", notes[i].note);
}

static void say_weight(char *buf, size_t size, const struct fs_explain_sum *s, const struct fs_prio_group *g, size_t t)
{
	const size_t n = strlen(buf);
	const double own = s->configured[t], now = s->terms[t].weight;

	if (n < size && now != own && g->weight != 0)
		snprintf(buf + n, size - n, "%sweight %.15g + %.15g of its QOS, times %.15g of the component", n ? "; " : "",
			 own / g->weight, (now - own) / g->weight, g->weight);
	else if (n < size && g->weight != 1)
		snprintf(buf + n, size - n, "%sweight %.15g × %.15g", n ? "; " : "", g->weight, own / g->weight);
}

/* What the cap of a term takes is a line of its own. */
static void print_term(struct page *p, const struct fs_prio_term *t, const struct sheet *d, const char *note)
{
	const int64_t points = d->fits ? decimal_units(d, t->points) : 0;
	struct fs_prio_term raw = *t, cut = *t;
	int64_t taken = 0;
	char name[2 * WORDS], a[WORDS];

	if (t->cut != 0) {
		cut.value = -t->cut;
		cut.points = cut.value * cut.weight;
		raw.value += t->cut;
		raw.points -= cut.points;
		taken = d->fits ? decimal_units(d, cut.points) : 0;
	}
	factor_words(a, t->name);
	explain_points_row(p, a, &raw, d, points - taken);
	page_cell(p, "%s", note);
	page_row(p, TONE_PLAIN);
	if (t->cut == 0)
		return;
	snprintf(name, sizeof(name), "%s/CAP", a);
	explain_points_row(p, name, &cut, d, taken);
	page_cell(p, "cut to its cap, %.15g", t->value);
	page_row(p, TONE_PLAIN);
}

void explain_maui_terms(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			const struct fs_explain_sum *s, const struct sheet *d)
{
	char note[2 * WORDS];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct fs_prio_group *g = &s->groups[i];

		for (size_t t = g->first; t < g->first + g->count; t++) {
			const bool cap = g->cap > 0 && t + 1 == g->first + g->count;

			if (s->terms[t].points == 0 && s->terms[t].cut * s->terms[t].weight == 0)
				continue;
			if (cap) {
				snprintf(note, sizeof(note), "what the cap of the component, %.15g, takes", g->cap);
			} else {
				note_words(note, sizeof(note), v, job, &s->terms[t], &s->inputs[t]);
				say_weight(note, sizeof(note), s, g, t);
			}
			print_term(p, &s->terms[t], d, note);
		}
	}
}

/* ---- targets and windows */

static void say_target(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	static const char *const modes[] = {
		[FS_TARGET] = "a target: below it the factor is above 0, over it below 0",
		[FS_FLOOR] = "a floor: it helps below, and never harms",
		[FS_CEILING] = "a ceiling: it harms above, and never helps",
		[FS_CAP_REL] = "a cap in percent: no part of the priority, but it can hold jobs back",
		[FS_CAP_ABS] = "a cap in processor seconds: no part of the priority, but it can hold jobs back",
	};
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const bool counts = r->mode == FS_TARGET || r->mode == FS_FLOOR || r->mode == FS_CEILING;

	if (!strcmp(info->policy, "[NONE]"))
		page_say(p, "FSPOLICY is NONE: usage and targets have no effect.");
	if (r->target == 0) {
		page_say(p, "It has no target: the factor is 0.");
		return;
	}
	page_say(p, "FSTARGET %.15g%s%s is %s.", r->target, mode_marks[r->mode], r->inherited ? " (that of DEFAULT)" : "",
		 modes[r->mode]);
	if (!counts || r->target < 0)
		return;
	if (!(info->usage_s > 0))
		page_say(p, "Nothing was used at all in the windows: the factor is 0.");
	else if (info->ratio)
		page_say(p, "Factor %.6f from 1 - %.6f / %.15g (FSPOLICY with a %%)", r->factor, r->percent, r->target);
	else
		page_say(p, "Factor %.6f from %.15g - %.6f", r->factor, r->target, r->percent);
	if (info->usage_s > 0)
		page_join(p, r->mode == FS_FLOOR     ? ", at least 0."
			     : r->mode == FS_CEILING ? ", at most 0."
						     : ".");
}

static const struct page_column window_columns[] = { { "window", ALIGN_LEFT },
						     { "usage", ALIGN_POINT },
						     { "weight", ALIGN_POINT },
						     { "counts", ALIGN_POINT },
						     { "of all", ALIGN_POINT } };

static void print_window(struct page *p, const struct explain_view *v, const struct fs_window_row *r, uint32_t i, int64_t units)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS];

	page_cell(p, "%s", date_words(a, v->from->snapshot, info->start - (int64_t)i * info->interval_s));
	page_cell(p, "%.15g", r->window_usage_s[i]);
	page_cell(p, "%.15g", info->weight[i]);
	page_cell(p, "%s", decimal_words(a, units, 3));
	page_cell(p, "%.15g", info->total_usage_s[i]);
	page_row(p, TONE_PLAIN);
}

/* Usage times weight, window by window; the lines add up to the sum below them. */
static void print_windows(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct sheet d = { .digits = 3 };
	const double most = 1e14;
	int64_t sum = 0;
	char a[WORDS];

	if (!(fabs(r->usage_s) < most) || (r->usage_s == 0 && r->empty))
		return;
	page_table(p, window_columns, sizeof(window_columns) / sizeof(*window_columns));
	for (uint32_t i = 0; i < info->depth; i++) {
		if (r->window_usage_s[i] == 0 || !(fabs(r->window_usage_s[i] * info->weight[i]) < most))
			continue;
		const int64_t units = decimal_units(&d, r->window_usage_s[i] * info->weight[i]);

		sum += units;
		print_window(p, v, r, i, units);
	}
	page_rule(p, 3);
	page_cell(p, "usage");
	page_cell(p, "%s", "");
	page_cell(p, "%s", "");
	page_cell(p, "%s", decimal_words(a, sum, 3));
	page_cell(p, "%.6f %%", r->percent);
	page_row(p, TONE_TOTAL);
	page_table_end(p);
	page_say(p, "Weighted in the same way, all used %.15g; %.6g of it is %.6f %%.", info->usage_s, r->usage_s, r->percent);
	page_end(p);
}

static void say_credential(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	page_gap(p);
	page_heading(p, "Fair share of %s %s", kind_nouns[r->kind], r->name);
	say_target(p, v, r);
	page_end(p);
	print_windows(p, v, r);
}

static void say_windows(struct page *p, const struct explain_view *v)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	char a[WORDS];

	page_gap(p);
	page_say(p, "FSPOLICY %s, FSDEPTH %" PRIu32 " windows of FSINTERVAL %s, FSDECAY %.15g: usage in %s; each window "
		    "back counts %.15g times as much as the one after it.", info->policy, info->depth,
		 duration_words(a, (double)info->interval_s), info->decay,
		 strcmp(info->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds", info->decay);
	page_end(p);
}

/* Does it have a part in this job's sum, or a cap over it? */
static bool counts(const struct fs_explain_job *job, const struct fs_window_row *r)
{
	char name[WORDS];

	if (job->capped && job->cap.kind == r->kind && !strcmp(job->cap.name, r->name))
		return true;
	snprintf(name, sizeof(name), "fs/%s", fs_cred_kind_name(r->kind));
	for (size_t t = 0; job->nsums && t < job->sums->nterms; t++)
		if (!strcmp(job->sums->terms[t].name, name))
			return job->sums->terms[t].weight != 0 && r->target != 0;
	return false;
}

void explain_maui_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	bool some = false;

	for (int k = 0; v->from->windows && k < FS_CRED_KINDS; k++) {
		const struct fs_window_row *r;

		if (job->credential[k] == UINT32_MAX)
			continue;
		r = fs_windows_row(v->from->windows, job->credential[k]);
		if (!counts(job, r))
			continue;
		if (!some)
			say_windows(p, v);
		some = true;
		say_credential(p, v, r);
	}
}

/* ---- the page of a credential */

void explain_credential_text(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *r = fs_windows_row(v->from->windows, window_row);
	struct fs_explain_count n;
	char a[WORDS];

	page_heading(p, "The %s %s", kind_nouns[r->kind], r->name);
	page_gap(p);
	fs_explain_count_credential(v->x, window_row, &n);
	if (!n.pending && !n.running)
		page_say(p, "No jobs are running or waiting.");
	else
		page_say(p, "%s running, %" PRIu32 " waiting.", count_words(a, n.running, "job", "jobs"), n.pending);
	if (n.blocked)
		page_say(p, "A fair-share cap holds back %" PRIu32 " of them.", n.blocked);
	page_end(p);
	say_windows(p, v);
	say_credential(p, v, r);
	explain_source_text(p, v);
}
