#include "dialect/maui.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reservations that keep nodes from a job, and the job's own reservation */

/* Finds the reservation that must end before the job can start at `start`. Only reservations that keep nodes from the
 * job and end no later than `start` are considered; the result is the last of them to end. Returns false if there is
 * none. */
static bool find_blocking_reservation(const struct explain_view *v, uint32_t job_row, int64_t start,
				      struct fs_reservation *out)
{
	struct fs_reservation r;
	bool found = false;

	for (size_t i = 0; fs_snapshot_reservation(v->snapshot, i, &r); i++) {
		if (!fs_reservation_blocks_job(v->snapshot, i, job_row) || r.end_time > start ||
		    (found && r.end_time <= out->end_time))
			continue;
		*out = r;
		found = true;
	}
	return found;
}

struct reserved_names {
	struct page *p;
	char last[256];
	size_t listed;
};

/* Appends a node name to the list unless it equals the previous name: Maui lists a node once per task, in consecutive
 * entries. */
static int append_reserved_node(void *ctx, const char *name, size_t len)
{
	struct reserved_names *n = ctx;
	char text[sizeof(n->last)];

	snprintf(text, sizeof(text), "%.*s", (int)len, name);
	if (strcmp(text, n->last) != 0)
		page_append_text(n->p, "%s%s", n->listed++ ? ", " : " ", text);
	memcpy(n->last, text, sizeof(text));
	return 0;
}

static void add_node_names(struct page *p, const char *list)
{
	struct reserved_names n = { .p = p };

	fs_hostlist_each(list, append_reserved_node, &n);
}

static void add_own_reservation(struct page *p, const fs_snapshot *s, const struct fs_job *j)
{
	page_add_sentence(p, "It has a reservation of its own");
	if (j->times.start != FS_UNKNOWN)
		page_append_text(p, " from %s on", format_full_time(BUF, s, j->times.start));
	if (*j->sched_nodes) {
		page_append_text(p, ", on");
		add_node_names(p, j->sched_nodes);
	}
	page_append_text(p, ".");
}

static void add_reservation_of_others(struct page *p, const fs_snapshot *s, const struct fs_reservation *r)
{
	page_add_sentence(p, "Reservation %s holds", r->name);
	add_node_names(p, r->nodes);
	page_append_text(p, " from %s", format_full_time(BUF, s, r->start_time));
	page_append_text(p, " until %s", format_full_time(BUF, s, r->end_time));
	page_append_text(p,
			 r->access_list_known
				 ? " and does not admit this job, which cannot use them if it could run into that time."
				 : ": a job that it does not admit cannot use them if it could run into that time.");
}

/* Adds the job's own reservation and all reservations that keep nodes from the job, with their nodes and times. */
static void add_job_reservations(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const fs_snapshot *s = v->snapshot;
	struct fs_reservation r;
	struct fs_job j;

	fs_snapshot_job(s, job->job_row, &j);
	if (fs_job_flag(s, job->job_row, "RESERVED"))
		add_own_reservation(p, s, &j);
	for (size_t i = 0; fs_snapshot_reservation(s, i, &r); i++)
		if (fs_reservation_blocks_job(s, i, job->job_row))
			add_reservation_of_others(p, s, &r);
}

/* ---- credentials: targets, windows, pages, comparison of two credentials */

const char *get_credential_term(enum fs_cred_kind kind)
{
	static const char *const words[FS_CRED_KINDS] = { "user", "group", "account", "QOS", "class" };

	return words[kind];
}

/* Returns the mark of a target mode in maui.cfg: "", "+", "-", "%" or "^". */
static const char *get_target_mode_mark(enum fs_target_mode mode)
{
	static const char *const marks[] = { [FS_TARGET_EXACT] = "",
					     [FS_TARGET_FLOOR] = "+",
					     [FS_TARGET_CEILING] = "-",
					     [FS_TARGET_CAP_REL] = "%",
					     [FS_TARGET_CAP_ABS] = "^" };

	return marks[mode];
}

/* ---- fair-share targets and windows */

static bool is_fairshare_off(const struct fs_windows_info *info)
{
	return !strcmp(info->policy, "[NONE]");
}

/* If FSPOLICY is NONE, adds a sentence that fair share is off. */
static void add_fairshare_off_note(struct page *p, const struct fs_windows_info *info)
{
	if (is_fairshare_off(info))
		page_add_sentence(p, "FSPOLICY is NONE: Maui reads no windows, and usage and targets have no effect.");
}

static void add_target(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	static const char *const modes[] = {
		[FS_TARGET_EXACT] = "a target: usage below it gives a factor above 0, usage above it one below 0",
		[FS_TARGET_FLOOR] = "a floor: usage below it gives a factor above 0, usage above it gives 0",
		[FS_TARGET_CEILING] = "a ceiling: usage above it gives a factor below 0, usage below it gives 0",
		[FS_TARGET_CAP_REL] = "a cap in percent: it does not affect priorities, but can block jobs",
		[FS_TARGET_CAP_ABS] = "a cap in processor seconds: it does not affect priorities, but can block jobs",
	};
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);
	const bool has_factor =
		r->mode == FS_TARGET_EXACT || r->mode == FS_TARGET_FLOOR || r->mode == FS_TARGET_CEILING;

	add_fairshare_off_note(p, info);
	if (isnan(info->usage_s))
		page_add_sentence(p, "Usage: %s of all, as diagnose -f printed it.",
				  format_percent_value(BUF, r->percent / 100));
	if (r->target == 0) {
		page_add_sentence(p, "It has no target: the factor is 0.");
		return;
	}
	page_add_sentence(p, "FSTARGET %s%s%s is %s.", format_config_number(BUF, r->target),
			  get_target_mode_mark(r->mode), r->inherited ? " (from DEFAULT)" : "", modes[r->mode]);
	if (!has_factor || r->target < 0)
		return;
	if (isnan(info->usage_s) || isnan(r->factor))
		page_add_sentence(p, "The factor is unknown.");
	else if (!(info->usage_s > 0))
		page_add_sentence(p, "The windows contain no usage at all: the factor is 0.");
	else if (info->ratio)
		page_add_sentence(p, "Factor %.6f from 1 - %.6f / %s (FSPOLICY with a %%)", r->factor, r->percent,
				  format_config_number(BUF, r->target));
	else
		page_add_sentence(p, "Factor %.6f from %s - %.6f", r->factor, format_config_number(BUF, r->target),
				  r->percent);
	if (info->usage_s > 0)
		page_append_text(p, r->mode == FS_TARGET_FLOOR     ? ", at least 0."
				    : r->mode == FS_TARGET_CEILING ? ", at most 0."
								   : ".");
}

/* If the credential's usage has reached its cap, adds a sentence that the cap blocks every job of the credential. Usage
 * equal to the cap is enough, because every job adds to the usage. */
static void add_reached_cap(struct page *p, const struct fs_windows_info *info, const struct fs_window_row *r)
{
	const bool in_seconds = r->mode == FS_TARGET_CAP_ABS, cap = in_seconds || r->mode == FS_TARGET_CAP_REL;
	const double used = in_seconds ? r->usage_s : r->percent;

	if (!cap || r->inherited || r->target <= 0 || is_fairshare_off(info) || !(info->usage_s > 0) ||
	    !(used >= r->target))
		return;
	page_add_sentence(p, "Its usage, %s%s, has reached the cap of %s%s: no job of %s %s can start now.",
			  format_decimal_number(BUF, used, 6), in_seconds ? "" : " %",
			  format_config_number(BUF, r->target), in_seconds ? "" : " %", get_credential_term(r->kind),
			  r->name);
}

/* Printed amounts of usage have three decimals, because Maui counts usage in thousandths of a second. */
static const struct sum_decimals thousandths = { .digits = 3 };

struct window_amounts {
	/* weighted usage in one fair-share window, in thousandths of a second. `own`: usage of the credential; `all`:
	 * usage of all jobs */
	int64_t own, all;
};

static struct window_amounts get_window_amounts(const struct explain_view *v, const struct fs_window_row *r, uint32_t i)
{
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);

	return (struct window_amounts){
		convert_to_units(&thousandths, fs_windows_weighted_usage_s(v->eval->windows, r, i)),
		convert_to_units(&thousandths, info->total_usage_s[i] * info->weight[i]),
	};
}

static void print_window_row(struct page *p, const struct explain_view *v, const struct fs_window_row *r, uint32_t i)
{
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);
	const struct window_amounts line = get_window_amounts(v, r, i);

	PAGE_ADD_ROW(p, TONE_PLAIN, format_full_time(BUF, v->snapshot, fs_windows_start(v->eval->windows, i)),
		     format_config_number(BUF, r->window_usage_s[i]), format_config_number(BUF, info->weight[i]),
		     format_decimal_units(BUF, line.own, thousandths.digits),
		     format_decimal_units(BUF, line.all, thousandths.digits));
}

static bool has_printable_windows(const struct fs_windows_info *info, const struct fs_window_row *r)
{
	const double max = 1e14;
	bool all = true;

	for (uint32_t i = 0; i < info->depth; i++)
		all = all && fabs(r->window_usage_s[i] * info->weight[i]) < max &&
		      fabs(info->total_usage_s[i] * info->weight[i]) < max;
	return all;
}

static bool has_empty_windows(const struct fs_window_row *r, const struct fs_windows_info *info)
{
	for (uint32_t i = 0; i < info->depth; i++)
		if (r->window_usage_s[i] != 0)
			return false;
	return true;
}

static void print_windows_sum(struct page *p, const struct window_amounts *sum)
{
	page_add_rule(p, 3);
	PAGE_ADD_ROW(p, TONE_TOTAL, "usage", "", "", format_decimal_units(BUF, sum->own, thousandths.digits),
		     format_decimal_units(BUF, sum->all, thousandths.digits));
	page_end_table(p);
}

/* Prints a table with one row per window: the weighted usage of the credential, and the weighted usage of all jobs. The
 * rounded rows add up to the sums printed below them. */
static void print_windows_table(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);
	struct window_amounts sum = { 0 };

	if (isnan(info->usage_s)) {
		page_end_with(p, "The snapshot has no windows.");
		return;
	}
	if (has_empty_windows(r, info)) {
		if (!is_fairshare_off(info))
			page_add_sentence(p, "It has no usage in these windows.");
		page_end_paragraph(p);
		return;
	}
	if (!has_printable_windows(info, r))
		return;
	PAGE_BEGIN_TABLE(p, AT_LEFT("window"), AT_POINT("usage"), AT_POINT("weight"), AT_POINT("counts"),
			 AT_POINT("of all"));
	for (uint32_t i = 0; i < info->depth; i++) {
		const struct window_amounts line = get_window_amounts(v, r, i);

		if (r->window_usage_s[i] == 0 && info->total_usage_s[i] == 0)
			continue;
		sum.own += line.own;
		sum.all += line.all;
		print_window_row(p, v, r, i);
	}
	print_windows_sum(p, &sum);
	page_end_with(p, "%s of %s is %.6f %%.", format_decimal_units(BUF, sum.own, 3),
		      format_decimal_units(BUF, sum.all, 3), r->percent);
}

void explain_add_credential_fairshare(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	page_add_gap(p);
	page_add_heading(p, "Fair share of %s %s", get_credential_term(r->kind), r->name);
	add_target(p, v, r);
	add_reached_cap(p, fs_windows_info(v->eval->windows), r);
	page_end_paragraph(p);
	print_windows_table(p, v, r);
}

/* Adds the fair-share policy and the number, length and decay of the windows. */
static void add_windows_paragraph(struct page *p, const struct explain_view *v)
{
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);
	char a[WORDS] = "unknown", b[WORDS], depth[16] = "unknown";
	const char *decay = format_config_number(b, info->decay);

	if (info->has_interval)
		format_time_span(a, (double)info->interval_s);
	if (info->has_depth)
		snprintf(depth, sizeof(depth), "%" PRIu32, info->depth);
	page_add_gap(p);
	page_add_sentence(p, "FSPOLICY %s, FSDEPTH %s%s FSINTERVAL %s, FSDECAY %s", info->policy, depth,
			  info->has_depth ? " windows of" : ",", a, decay);
	if (!strcmp(info->policy, "unknown") || isnan(info->decay))
		page_append_text(p, ".");
	else
		page_append_text(p, ": usage in %s; each older window counts %s times as much as the one after it.",
				 strcmp(info->policy, "DEDICATEDPES") ? "processor seconds" : "PE seconds", decay);
	page_end_paragraph(p);
}

/* Returns true if the page of the job describes the credential: its fair-share cap blocks the job, or it has a target
 * and its fair-share term in the job's priority sum has a weight other than 0. */
static bool is_credential_relevant(const struct fs_explain_job *job, const struct fs_window_row *r)
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

void explain_windows_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	bool some = false;

	for (int k = 0; v->eval->windows && k < FS_CRED_KINDS; k++) {
		const struct fs_window_row *r;

		if (job->credential[k] == FS_NO_ROW)
			continue;
		r = fs_windows_row(v->eval->windows, job->credential[k]);
		if (!is_credential_relevant(job, r))
			continue;
		if (!some)
			add_windows_paragraph(p, v);
		some = true;
		explain_add_credential_fairshare(p, v, r);
	}
}

/* ---- the page of one credential */

static void add_credential_points(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	struct fs_explain_credentials d;
	char name[WORDS], a[WORDS];

	fs_explain_compare_credentials(v->explain, window_row, window_row, &d);
	if (d.weighted && isnan(d.a.points))
		page_add_sentence(p, "The points that %s gives each of its jobs are unknown.",
				  format_factor_name(name, d.a.name));
	else if (d.weighted)
		page_add_sentence(p, "%s adds %s × %s = %.6f points to the sum of each of its jobs.",
				  format_factor_name(name, d.a.name), explain_format_factor(BUF, &d.a, 6),
				  format_config_number(a, d.a.weight), d.a.points);
	page_end_paragraph(p);
}

void explain_add_credential(struct page *p, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_window_row *r = fs_windows_row(v->eval->windows, window_row);
	struct fs_explain_count n;

	page_add_heading(p, "The %s %s", get_credential_term(r->kind), r->name);
	page_add_gap(p);
	fs_explain_count_credential(v->explain, window_row, &n);
	if (!n.pending && !n.running)
		page_add_sentence(p, "No jobs are running or waiting.");
	else
		page_add_sentence(p, "%s running, %" PRIu32 " waiting.",
				  format_counted_term(BUF, n.running, "job", "jobs"), n.pending);
	if (n.blocked)
		page_add_sentence(p, "A fair-share cap holds back %" PRIu32 " of them.", n.blocked);
	page_end_paragraph(p);
	add_windows_paragraph(p, v);
	explain_add_credential_fairshare(p, v, r);
	add_credential_points(p, v, window_row);
	explain_add_source(p, v);
}

/* ---- texts about Maui: what a job waits for, what would change its position, components and terms of the priority
 * sum */

/* Returns the job's credential of the kind in the term's name ("fs/user"); NULL: the job has none, or the term has no
 * kind. */
static const struct fs_window_row *find_term_credential(const struct explain_view *v, const struct fs_explain_job *job,
							const char *term)
{
	const char *slash = strchr(term, '/');

	for (int k = 0; slash && v->eval->windows && k < FS_CRED_KINDS; k++)
		if (!strcmp(slash + 1, fs_cred_kind_name((enum fs_cred_kind)k)) && job->credential[k] != FS_NO_ROW)
			return fs_windows_row(v->eval->windows, job->credential[k]);
	return NULL;
}

/* ---- what a job waits for */

/* Adds a sentence about the cap, limit or pending reason that blocks the job. It says what must happen before the job
 * is no longer blocked. */
static void add_maui_clearing(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const char *policy = v->eval->windows ? fs_windows_info(v->eval->windows)->policy : "";
	const struct fs_explain_limit *l = job->verdict.limit;
	const bool capped = l && job->capped && job->reason && !strcmp(job->reason->name, "FairShare");

	if (capped && job->cap.usage > job->cap.cap)
		page_add_sentence(
			p, "Past usage alone exceeds the cap: a smaller request does not help. What clears it: usage "
			   "decays as windows age and drop out.");
	else if (capped)
		/* Maui compares the cap with past usage plus the usage that the job would add. If FSPOLICY is
		 * DEDICATEDPES, the added usage does not depend on the job's time limit (src/moab/MFS.c:
		 * MFSCheckCap). */
		page_add_sentence(
			p,
			"What clears it: usage decays as windows age and drop out, or the job requests %sfewer "
			"processors.",
			!strcmp(policy, "DEDICATEDPES") ? "" : "less time or ");
	else if (l && is_limit_of_system(l))
		page_add_sentence(p, "What clears it: the job requests less, or the limit in maui.cfg is raised.");
	else if (l && !strncmp(l->name, "idle ", strlen("idle ")))
		page_add_sentence(p, "What clears it: eligible jobs of %s %s ahead of it start.", l->counted_for,
				  l->set_by);
	else if (l && *l->user)
		page_add_sentence(p, "What clears it: jobs of user %s in %s %s end.", l->user, l->counted_for,
				  l->set_by);
	else if (l)
		page_add_sentence(p, "What clears it: jobs of %s %s end.", l->counted_for, l->set_by);
	else if (job->reason)
		page_add_sentence(p, "What clears it: %s.", job->reason->clears);
}

static void add_maui_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	if (job->state == FS_EXPLAIN_QUEUED && job->verdict.kind != FS_VERDICT_BEHIND &&
	    job->verdict.kind != FS_VERDICT_NONE) {
		explain_add_verdict(p, v, job);
		add_job_reservations(p, v, job);
		return;
	}
	if (job->state == FS_EXPLAIN_QUEUED) {
		page_add_sentence(p, "It is idle and eligible: it waits for its turn.");
		add_job_reservations(p, v, job);
		return;
	}
	explain_add_verdict(p, v, job);
	if (job->verdict.kind != FS_VERDICT_NEVER)
		add_maui_clearing(p, v, job);
	page_add_sentence(p, "So it is not in the list of eligible jobs.");
}

/* ---- what would change a job's position */

static void add_jobs_caught_up(struct page *p, const struct fs_explain_ahead *a)
{
	char gain[WORDS];

	page_add_sentence(p, "By waiting, it gains %s %s an hour;", format_decimal_number(gain, a->gain, 6),
			  a->gain == 1 ? "point" : "points");
	if (a->all.entries == 1)
		page_add_sentence(p, "the job ahead gains fewer: the gap narrows.");
	else
		page_add_sentence(p, "%" PRIu32 " of the jobs ahead gain fewer: the gap to %s narrows.", a->all.passed,
				  a->all.passed == 1 ? "that job" : "those jobs");
}

static void add_maui_waiting_effect(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	const char *others = a->all.entries == 1 ? "the job ahead" : "the jobs ahead";
	char gain[WORDS];

	(void)v;
	if (isnan(a->gain))
		return;
	if (a->gain < 0)
		page_add_sentence(p, "Waiting lowers its priority by %s %s an hour.",
				  format_decimal_number(gain, -a->gain, 6), a->gain == -1 ? "point" : "points");
	else if (a->gain == 0)
		page_add_sentence(p, "Waiting alone will not move it past %s: no term of its sum grows with time now.",
				  others);
	else if (!a->all.passed)
		page_add_sentence(p, "Waiting alone will not move it past %s: it gains %s %s an hour, no more than %s.",
				  others, format_decimal_number(gain, a->gain, 6), a->gain == 1 ? "point" : "points",
				  a->all.entries == 1 ? "that job" : "any of them");
	else
		add_jobs_caught_up(p, a);
}

static void add_usage_change(struct page *p, const struct explain_view *v, const struct fs_window_row *r)
{
	const struct fs_windows_info *info = fs_windows_info(v->eval->windows);
	char a[WORDS] = "unknown";

	if (info->has_interval)
		format_time_span(a, (double)info->interval_s);
	if (r->target == 0)
		page_add_sentence(p, "The %s %s has no target, so its fair share adds no points.",
				  get_credential_term(r->kind), r->name);
	else
		page_add_sentence(
			p,
			"The %s %s has %s %% of all usage and a target of %s: the percentage changes with usage, and "
			"as windows age and drop out (FSINTERVAL %s).",
			get_credential_term(r->kind), r->name, format_decimal_number(BUF, r->percent, 6),
			format_config_number(BUF, r->target), a);
}

static void explain_maui_remedy(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
				const char *term)
{
	const struct fs_window_row *c = find_term_credential(v, job, term);

	if (!strncmp(term, "fs/", 3) && c)
		add_usage_change(p, v, c);
	else if (!strcmp(term, "cred/qos") || !strcmp(term, "cred/class"))
		page_add_sentence(p, "Another %s would change this term; administrators set the PRIORITY of each.",
				  get_credential_term(strcmp(term, "cred/qos") ? FS_CRED_CLASS : FS_CRED_QOS));
	else if (!strncmp(term, "cred/", 5))
		page_add_sentence(p, "Administrators set the PRIORITY of credentials.");
	else if (!strncmp(term, "target/", 7))
		page_add_sentence(p, "TARGET comes from QTTARGET and XFTARGET of the QOS.");
	else if (!strncmp(term, "res/", 4))
		page_add_sentence(p, "RES depends on the request.");
}

/* ---- components and terms of the priority sum */

/* Notes on priority terms; these notes are the same for every job. */
static const struct {
	const char *term, *note;
} fixed_term_notes[] = {
	{ "service/spviolation", "1 if the job violates a soft policy" },
	{ "service/bypass", "number of times that backfill started another job before this job" },
	{ "target/queuetime", "from QTTARGET of the job's QOS; always 100000000, the maximum" },
	{ "target/xfactor", "(XFTARGET of its QOS - expansion factor)^-2, at most 100000000" },
	{ "res/node", "requested nodes" },
	{ "res/proc", "processors" },
	{ "res/mem", "MB of memory, all tasks" },
	{ "res/swap", "MB of swap, all tasks" },
	{ "res/disk", "MB of disk, all tasks" },
	{ "res/ps", "processors × time limit" },
	{ "res/pe", "processor equivalents" },
	{ "res/walltime", "time limit in seconds" },
};

static void format_term_note(char *buf, size_t size, const struct explain_view *v, const struct fs_explain_job *job,
			     const struct fs_prio_term *t, const struct fs_prio_inputs *in)
{
	const struct fs_window_row *c = find_term_credential(v, job, t->name);
	char name[WORDS];

	*buf = '\0';
	if (in->rule == FS_INPUTS_WAITED)
		snprintf(buf, size, "minutes since %s", format_short_time(BUF, v->snapshot, in->since));
	else if (in->rule == FS_INPUTS_EXPANSION)
		format_text(buf, size, "(%.0f s waited + %.0f s limit) / %.0f s", in->have, in->limit_s, in->of);
	else if (!strncmp(t->name, "fs/", 3) && c)
		snprintf(buf, size, "%s, see below", format_cell_name(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) && c)
		snprintf(buf, size, "PRIORITY of %s",
			 job->by_default[c->kind] ? "DEFAULT" : format_cell_name(name, c->name));
	else if (!strncmp(t->name, "cred/", 5) || !strncmp(t->name, "fs/", 3))
		snprintf(buf, size, "the job has no such credential");
	for (size_t i = 0; i < sizeof(fixed_term_notes) / sizeof(*fixed_term_notes); i++)
		if (!strcmp(fixed_term_notes[i].term, t->name))
			snprintf(buf, size, "%s", fixed_term_notes[i].note);
}

/* Prints a row with the points that the term would have without its cap, and a second row with the points that the cap
 * removes. */
static void print_maui_term(struct page *p, const struct fs_prio_term *t, const struct fs_explain_parts *parts,
			    const struct sum_decimals *d, const char *note)
{
	const int64_t points = d->fits ? convert_to_units(d, t->points) : 0;
	const int64_t taken = d->fits ? convert_to_units(d, parts->cut_points) : 0;
	struct fs_prio_term line = *t;
	char name[2 * WORDS], a[WORDS];

	line.value = parts->uncut_value;
	line.points = parts->uncut_points;
	format_factor_name(a, t->name);
	explain_add_points_cells(p, a, &line, d, points - taken);
	page_add_cell(p, "%s", note);
	page_end_row(p, TONE_PLAIN);
	if (t->cut == 0)
		return;
	line.value = -t->cut;
	line.points = parts->cut_points;
	snprintf(name, sizeof(name), "%s/CAP", a);
	explain_add_points_cells(p, name, &line, d, taken);
	page_add_cell(p, "cut to its cap, %s", format_config_number(a, t->value));
	page_end_row(p, TONE_PLAIN);
}

static bool is_maui_term_shown(const struct fs_explain_sum *s, size_t t)
{
	return s->terms[t].points != 0 || s->parts[t].cut_points != 0;
}

static bool is_component_cap_term(const struct fs_prio_group *g, size_t t)
{
	return g->cap > 0 && t + 1 == g->first + g->count;
}

static void print_maui_terms(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			     const struct fs_explain_sum *s, const struct sum_decimals *d)
{
	char note[2 * WORDS];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct fs_prio_group *g = &s->groups[i];

		for (size_t t = g->first; t < g->first + g->count; t++) {
			if (!is_maui_term_shown(s, t))
				continue;
			if (is_component_cap_term(g, t))
				snprintf(note, sizeof(note), "removed by the component's cap, %s",
					 format_config_number(BUF, g->cap));
			else
				format_term_note(note, sizeof(note), v, job, &s->terms[t], &s->inputs[t]);
			print_maui_term(p, &s->terms[t], &s->parts[t], d, note);
		}
	}
}

/* ---- weights of terms */

static bool is_weight_shown(const struct fs_explain_sum *s, const struct fs_prio_group *g, size_t t)
{
	return is_maui_term_shown(s, t) && !is_component_cap_term(g, t) &&
	       (g->weight != 1 || s->parts[t].qos_weight != 0);
}

static void add_component_weights(struct page *p, const struct fs_explain_sum *s)
{
	bool some = false;
	char name[WORDS];

	for (size_t i = 0; i < s->ngroups; i++) {
		const struct fs_prio_group *g = &s->groups[i];
		size_t t = g->first;

		while (t < g->first + g->count && !is_weight_shown(s, g, t))
			t++;
		if (t == g->first + g->count)
			continue;
		if (some)
			page_append_text(p, ", %s %s", format_factor_name(name, g->name),
					 format_config_number(BUF, g->weight));
		else
			page_add_sentence(p, "Each weight is the component's weight (%s %s",
					  format_factor_name(name, g->name), format_config_number(BUF, g->weight));
		some = true;
	}
}

static void add_term_weight(struct page *p, const struct fs_prio_term *t, const struct fs_explain_parts *q)
{
	char name[WORDS];

	page_append_text(p, "%s %s", format_factor_name(name, t->name), format_config_number(BUF, q->own_weight));
	if (q->qos_weight != 0)
		page_append_text(p, " + %s of its QOS", format_config_number(BUF, q->qos_weight));
}

/* Adds the weights from which the effective weight of each term is computed: "Each weight is the component's weight
 * (CRED 2, FS 3) times the term's weight (FS/USER 10, others 1)." If a QOS adds to a weight, the text says so. Adds
 * nothing if every effective weight equals the weight of the term itself. */
static void add_weight_composition(struct page *p, const struct fs_explain_sum *s)
{
	size_t listed = 0, plain = 0;

	add_component_weights(p, s);
	for (size_t i = 0; i < s->ngroups; i++)
		for (size_t t = s->groups[i].first; t < s->groups[i].first + s->groups[i].count; t++) {
			if (!is_weight_shown(s, &s->groups[i], t))
				continue;
			if (s->parts[t].own_weight == 1 && s->parts[t].qos_weight == 0) {
				plain++;
				continue;
			}
			page_append_text(p, listed++ ? ", " : ") times the term's weight (");
			add_term_weight(p, &s->terms[t], &s->parts[t]);
		}
	if (listed)
		page_append_text(p, plain ? ", others 1)." : ").");
	else if (plain)
		page_append_text(p, ") times the term's weight (1).");
	page_end_paragraph(p);
}

const struct explain_dialect explain_maui = {
	.account_optional = true,
	.title_partition = true,
	.sum_in_steps = true,
	.sum_of_class = true,
	.direct_is_step = true,
	.state = add_maui_state,
	.waiting = add_maui_waiting_effect,
	.terms = print_maui_terms,
	.weights = add_weight_composition,
	.find_blocker = find_blocking_reservation,
	.remedy = explain_maui_remedy,
};

/* ---- comparison of two credentials */

/* Prints a row with two numbers, rounded to `digits` decimals, and the difference of the rounded numbers. */
static void add_difference_row(struct page *p, const char *name, int digits, double a, double b)
{
	const struct sum_decimals d = { .digits = digits };
	const int64_t ua = convert_to_units(&d, a), ub = convert_to_units(&d, b);

	PAGE_ADD_ROW(p, TONE_PLAIN, name, format_decimal_units(BUF, ua, digits), format_decimal_units(BUF, ub, digits),
		     format_words(BUF, "%s%s", ua >= ub ? "+" : "", format_decimal_units(BUF, ua - ub, digits)));
}

static const char *format_target(char buf[WORDS], const struct fs_window_row *r)
{
	return r->target == 0
		       ? "none"
		       : format_words(buf, "%s%s", format_config_number(BUF, r->target), get_target_mode_mark(r->mode));
}

/* Returns the number of decimals with which a factor is printed, from 6 to 12. It is the smallest number with which
 * rounding the factor changes the points by at most 5e-8; if 12 decimals do not suffice, it is 12. */
static int get_factor_decimals(const struct fs_prio_term *a, const struct fs_prio_term *b)
{
	const double weight = fmax(fabs(a->weight), fabs(b->weight));
	int digits = 6;

	while (digits < 12 && weight * 0.5 / get_power_of_ten(digits) > 0.5 / get_power_of_ten(7))
		digits++;
	return digits;
}

/* Prints one row per window with the weighted usage of both credentials, and the sums. The rounded rows add up to the
 * sums. */
static void print_window_usages(struct page *p, const struct explain_view *v, const struct fs_window_row *a,
				const struct fs_window_row *b)
{
	const struct fs_windows *w = v->eval->windows;
	const struct sum_decimals d = { .digits = 3 };
	int64_t sum_a = 0, sum_b = 0;

	for (uint32_t i = 0; i < fs_windows_info(w)->depth; i++) {
		const int64_t ua = convert_to_units(&d, fs_windows_weighted_usage_s(w, a, i)),
			      ub = convert_to_units(&d, fs_windows_weighted_usage_s(w, b, i));

		if (a->window_usage_s[i] == 0 && b->window_usage_s[i] == 0)
			continue;
		sum_a += ua;
		sum_b += ub;
		PAGE_ADD_ROW(p, TONE_PLAIN,
			     format_words(BUF, "%s × %s", format_full_time(BUF, v->snapshot, fs_windows_start(w, i)),
					  format_config_number(BUF, fs_windows_info(w)->weight[i])),
			     format_decimal_units(BUF, ua, d.digits), format_decimal_units(BUF, ub, d.digits));
	}
	page_add_rule(p, 1);
	add_difference_row(p, "usage", d.digits, (double)sum_a / 1000, (double)sum_b / 1000);
}

static void print_credential_points(struct page *p, const struct fs_explain_credentials *d)
{
	const char *name = format_factor_name(BUF, d->a.name);
	char points[3 * WORDS];

	PAGE_ADD_ROW(p, TONE_PLAIN, "weight", format_config_number(BUF, d->a.weight),
		     format_config_number(BUF, d->b.weight));
	snprintf(points, sizeof(points), "points, %s%s%s", name, d->same_kind ? "" : " and ",
		 d->same_kind ? "" : format_factor_name(BUF, d->b.name));
	add_difference_row(p, points, 6, d->a.points, d->b.points);
}

static void print_credential_comparison(struct page *p, const struct explain_view *v, const struct fs_window_row *a,
					const struct fs_window_row *b, const struct fs_explain_credentials *d)
{
	PAGE_BEGIN_TABLE(p, AT_LEFT(""), AT_POINT(format_cell_name(BUF, a->name)),
			 AT_POINT(format_cell_name(BUF, b->name)), AT_POINT("difference"));
	print_window_usages(p, v, a, b);
	add_difference_row(p, "% of all", 6, a->percent, b->percent);
	PAGE_ADD_ROW(p, TONE_PLAIN, "target", format_target(BUF, a), format_target(BUF, b));
	add_difference_row(p, "factor", d->weighted ? get_factor_decimals(&d->a, &d->b) : 6, a->factor, b->factor);
	if (d->weighted)
		print_credential_points(p, d);
	page_end_table(p);
}

/* Adds a sentence for each special case of a credential: the target is inherited from the credential DEFAULT, the
 * target is a cap, the factor is reduced to its cap. */
static void add_target_specials(struct page *p, const struct fs_window_row *r, const struct fs_prio_term *t)
{
	if (r->inherited)
		page_add_sentence(p, "The target of %s is that of DEFAULT.", r->name);
	if (r->target != 0 && (r->mode == FS_TARGET_CAP_REL || r->mode == FS_TARGET_CAP_ABS))
		page_add_sentence(p, "The target of %s is a cap: it does not affect priorities, but can block jobs.",
				  r->name);
	if (t->cut > 0)
		page_add_sentence(p, "The factor of %s is cut to its cap, %s.", r->name,
				  format_config_number(BUF, t->value));
}

static void add_credential_order(struct page *p, const struct explain_view *v, const struct fs_window_row *a,
				 const struct fs_window_row *b, const struct fs_explain_credentials *d)
{
	const struct fs_window_row *more = d->points > 0 ? a : b, *less = d->points > 0 ? b : a;

	add_fairshare_off_note(p, fs_windows_info(v->eval->windows));
	if (!d->weighted)
		page_add_sentence(
			p, "The difference in points is not known: priorities cannot be computed from the snapshot.");
	else if (d->points != 0)
		page_add_sentence(p, "All else being equal, a job of %s is ahead of one of %s by %.6f points.",
				  more->name, less->name, fabs(d->points));
	else if (d->a.weight == 0 && d->b.weight == 0)
		page_add_sentence(p, "Their fair share has no weight: it does not affect the order of jobs.");
	else
		page_add_sentence(
			p, "Their fair share gives both the same points: it does not affect the order of their jobs.");
	add_target_specials(p, a, &d->a);
	add_target_specials(p, b, &d->b);
}

void explain_add_credential_pair(struct page *p, const struct explain_view *v, uint32_t row_a, uint32_t row_b)
{
	const struct fs_window_row *a = fs_windows_row(v->eval->windows, row_a);
	const struct fs_window_row *b = fs_windows_row(v->eval->windows, row_b);
	struct fs_explain_credentials d;

	fs_explain_compare_credentials(v->explain, row_a, row_b, &d);
	page_add_heading(p, "The %s %s against the %s %s", get_credential_term(a->kind), a->name,
			 get_credential_term(b->kind), b->name);
	page_add_gap(p);
	if (row_a == row_b) {
		page_add_sentence(p, "They are the same.");
		explain_add_source(p, v);
		return;
	}
	add_credential_order(p, v, a, b, &d);
	page_add_sentence(
		p,
		"Maui does not rank credentials. It ranks jobs by a sum of terms: targets and priorities of the user, "
		"group, account, QOS and class, and all other components. This page compares only fair share.");
	page_end_paragraph(p);
	page_add_gap(p);
	print_credential_comparison(p, v, a, b, &d);
	add_windows_paragraph(p, v);
	explain_add_source(p, v);
}
