/* The page of a whole site: waiting jobs by cause, jobs that can never start, unavailable nodes, limits that block
 * jobs, and settings. */
#include "columns/column.h"
#include "dialect/dialect.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/queue.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- words */

/* Returns a clause about the jobs that wait for this cause. */
static const char *get_cause_text(const struct fs_site_cause *c)
{
	static const char *const texts[FS_CAUSE_KINDS] = {
		[FS_CAUSE_UNKNOWN] = "not known",
		[FS_CAUSE_HELD] = "held",
		[FS_CAUSE_BEGIN] = "begin time",
		[FS_CAUSE_DEPENDENCY] = "dependency",
		[FS_CAUSE_ARRAY_LIMIT] = "the array's own limit",
		[FS_CAUSE_LIMIT] = "a limit",
		[FS_CAUSE_LICENSES] = "licenses",
		[FS_CAUSE_RESERVATION] = "a reservation",
		[FS_CAUSE_PARTITION] = "partition state or rules",
		[FS_CAUSE_NODES] = "nodes down or drained",
		[FS_CAUSE_NOT_REACHED] = "limits of the search",
		[FS_CAUSE_RUNNING] = "running jobs",
		[FS_CAUSE_AHEAD] = "jobs ahead",
		[FS_CAUSE_PREEMPTION] = "preemption rules",
		[FS_CAUSE_NONE] = "nothing: starts now",
	};

	return c->never ? "can never start" : texts[c->kind];
}

static const char *format_hours(char buf[WORDS], const struct fs_site_sum *s)
{
	return format_words(buf, "%s%.1f", s->unmeasured ? "at least " : "", s->node_hours);
}

/* Formats the name of the limit with its TRES: "GrpTRES cpu". */
static const char *format_limit_name(char buf[WORDS], const struct fs_explain_limit *l)
{
	return format_words(buf, "%s%s%s", l->name, *l->tres ? " " : "", l->tres);
}

/* ---- sections of the page */

static bool is_any_job_hidden(const struct explain_view *v, const fs_site *x)
{
	struct fs_queue_place place;

	for (size_t i = 0; fs_queue_place(fs_site_get_queue(x), i, &place); i++)
		if (!place.visible)
			return true;
	return has_missing_jobs(v->snapshot);
}

/* Adds the properties of the part that the snapshot records. */
static void add_part_facts(struct page *p, const struct explain_view *v, const struct explain_site *x)
{
	const fs_snapshot *s = v->snapshot;
	struct fs_partition part;
	struct fs_reservation r;
	struct fs_node n;

	if (x->part == FS_SITE_PARTITION && fs_snapshot_partition(s, x->name, &part)) {
		page_add_sentence(p, "State: %s.", *part.state ? part.state : "not known");
		if (part.nodes != FS_UNKNOWN && part.cpus != FS_UNKNOWN)
			page_add_sentence(p, "%s, %s.", format_counted_term(BUF, (uint64_t)part.nodes, "node", "nodes"),
					  format_counted_term(BUF, (uint64_t)part.cpus, "CPU", "CPUs"));
	}
	if (x->part == FS_SITE_NODE && fs_snapshot_node(s, x->name, &n))
		page_add_sentence(p, "State: %s.", *n.state ? n.state : "not known");
	for (size_t i = 0; x->part == FS_SITE_RESERVATION && fs_snapshot_reservation(s, i, &r); i++)
		if (!strcmp(r.name, x->name))
			page_add_sentence(p, "From %s to %s, nodes: %s.", format_full_time(BUF, s, r.start_time),
					  format_full_time(BUF, s, r.end_time), *r.nodes ? r.nodes : "not known");
}

/* Formats the name of the part for the heading: "Site v1", "Partition gpu". */
static const char *format_part_name(char buf[WORDS], const struct explain_view *v, const struct explain_site *x)
{
	if (x->part == FS_SITE_ALL)
		return format_words(buf, "Site %s", fs_snapshot_info(v->snapshot)->cluster);
	format_words(buf, "%s %s", x->part == FS_SITE_PARTITION ? v->vocabulary->partition : fs_site_part_name(x->part),
		     x->name);
	*buf = (char)(*buf >= 'a' && *buf <= 'z' ? *buf - 'a' + 'A' : *buf);
	return buf;
}

static void add_title(struct page *p, const struct explain_view *v, const struct explain_site *of)
{
	const fs_site *x = of->site;
	const struct fs_snapshot_info *info = fs_snapshot_info(v->snapshot);
	const struct fs_site_sum *s = fs_site_get_sum(x);

	page_add_heading(p, "%s · %s · %s", format_part_name(BUF, v, of), info->scheduler,
			 format_full_time(BUF, v->snapshot, info->time));
	page_add_gap(p);
	add_part_facts(p, v, of);
	page_add_sentence(p, "%s: %s node-hours.", format_counted_term(BUF, s->jobs, "job waits", "jobs wait"),
			  format_hours(BUF, s));
	if (s->unmeasured)
		page_add_sentence(p, "%s no known number of nodes or no time limit; the node-hours leave them out.",
				  format_counted_term(BUF, s->unmeasured, "job has", "jobs have"));
	if (is_any_job_hidden(v, x))
		page_add_sentence(p, "Hidden and missing jobs are not counted.");
	if (fs_site_get_no_plan(x))
		page_add_sentence(p, "No job has a planned start: %s.", fs_site_get_no_plan(x));
	page_end_paragraph(p);
}

static void add_sum_cells(struct page *p, const struct explain_view *v, const struct fs_site_sum *s)
{
	page_add_cell(p, "%" PRIu64, s->jobs);
	page_add_cell(p, "%.1f", s->node_hours);
	if (s->oldest_row == FS_NO_ROW)
		return;
	page_add_cell(p, "%s", format_full_time(BUF, v->snapshot, s->oldest_time));
	page_add_cell(p, "%s", format_display_job_id(BUF, v->snapshot, s->oldest_row));
}

static void add_causes(struct page *p, const struct explain_view *v, const fs_site *x)
{
	const struct fs_site_cause *c;

	if (!fs_site_get_cause(x, 0))
		return;
	page_add_gap(p);
	page_add_heading(p, "WAITING BY CAUSE");
	PAGE_BEGIN_TABLE(p, AT_LEFT("cause"), AT_RIGHT("jobs"), AT_POINT("node-hours"), AT_LEFT("oldest"),
			 AT_LEFT("job"));
	for (size_t i = 0; (c = fs_site_get_cause(x, i)); i++) {
		page_add_cell(p, "%s", get_cause_text(c));
		add_sum_cells(p, v, &c->sum);
		page_end_row(p, TONE_PLAIN);
	}
	page_add_cell(p, "all");
	add_sum_cells(p, v, fs_site_get_sum(x));
	page_end_row(p, TONE_TOTAL);
	page_end_table(p);
	page_end_with(p, "Causes follow from the verdict on each job%s; fs-explain JOB verifies the causes of one job.",
		      fs_site_get_no_plan(x) ? "" : " and from one plan");
}

enum { NEVER_LIST_MAX = 20 };

/* Returns the clause about a job that can never start, without the words that the heading has. */
static const char *skip_never_words(const char *clause)
{
	static const char words[] = "it can never start: ";

	return strncmp(clause, words, strlen(words)) ? clause : clause + strlen(words);
}

static int add_never_job(struct page *p, const struct explain_view *v, const fs_site *x, uint32_t job_row)
{
	char text[VERDICT_TEXT];
	struct fs_verdict verdict;
	struct fs_job j;

	if (fs_queue_verdict(fs_site_get_queue(x), job_row, &verdict))
		return FS_ENOMEM;
	fs_snapshot_job(v->snapshot, job_row, &j);
	format_verdict_clause(text, v->vocabulary, v->snapshot, &verdict);
	page_add_cell(p, "%s", format_display_job_id(BUF, v->snapshot, job_row));
	page_add_cell(p, "%s", j.user);
	page_add_cell(p, "%s", j.account);
	page_add_cell(p, "%s", skip_never_words(text));
	page_end_row(p, TONE_PLAIN);
	fs_verdict_release(&verdict);
	return 0;
}

static int add_never(struct page *p, const struct explain_view *v, const fs_site *x)
{
	size_t n = 0;

	while (fs_site_get_never(x, n) != FS_NO_ROW)
		n++;
	if (!n)
		return 0;
	page_add_gap(p);
	page_add_heading(p, "JOBS THAT CAN NEVER START");
	PAGE_BEGIN_TABLE(p, AT_LEFT("job"), AT_LEFT("user"), AT_LEFT(v->vocabulary->account), AT_LEFT("why"));
	for (size_t i = 0; i < n && i < NEVER_LIST_MAX; i++)
		if (add_never_job(p, v, x, fs_site_get_never(x, i)))
			return FS_ENOMEM;
	page_end_table(p);
	if (n > NEVER_LIST_MAX)
		page_add_sentence(p, "%zu more are listed with --json.", n - NEVER_LIST_MAX);
	page_end_paragraph(p);
	return 0;
}

static void add_nodes(struct page *p, const fs_site *x)
{
	const struct fs_site_nodes *n;

	if (!fs_site_get_nodes(x, 0) && !fs_site_hides_nodes(x))
		return;
	page_add_gap(p);
	page_add_heading(p, "NODES DOWN OR DRAINED");
	if (fs_site_hides_nodes(x)) {
		page_end_with(p, "Nodes are hidden from you (PrivateData).");
		return;
	}
	PAGE_BEGIN_TABLE(p, AT_RIGHT("nodes"), AT_LEFT("state"), AT_RIGHT("jobs waiting"), AT_LEFT("names"),
			 AT_LEFT("reason"));
	for (size_t i = 0; (n = fs_site_get_nodes(x, i)); i++) {
		page_add_cell(p, "%" PRIu32, n->nodes);
		page_add_cell(p, "%s", n->state);
		page_add_cell(p, "%" PRIu64, n->jobs);
		page_add_cell(p, "%s", n->names);
		page_add_cell(p, "%s", *n->reason ? n->reason : "not known");
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
}

/* Adds what the removal of the limit would start, with the command. */
static void add_trial(struct page *p, const struct explain_view *v, const struct fs_site_cap *c)
{
	char owner[VERDICT_TEXT], text[VERDICT_TEXT + WORDS];

	snprintf(text, sizeof(text), "Without the limit of %s, %s now, %" PRIu64 " earlier and %" PRIu64 " later.",
		 format_limit_owner(owner, v->vocabulary, &c->limit),
		 format_counted_term(BUF, c->starting, "job or array starts", "jobs and arrays start"), c->earlier,
		 c->later);
	page_add_labelled(p, c->limit.name, text);
	page_add_command(p, c->remove);
}

static void add_caps(struct page *p, const struct explain_view *v, const fs_site *x)
{
	const struct fs_site_cap *c;
	char owner[VERDICT_TEXT];

	if (!fs_site_get_cap(x, 0))
		return;
	page_add_gap(p);
	page_add_heading(p, "LIMITS THAT BLOCK JOBS");
	PAGE_BEGIN_TABLE(p, AT_LEFT("limit"), AT_RIGHT("jobs"), AT_LEFT("use"), AT_LEFT("set by"));
	for (size_t i = 0; (c = fs_site_get_cap(x, i)); i++) {
		page_add_cell(p, "%s", format_limit_name(BUF, &c->limit));
		page_add_cell(p, "%" PRIu64, c->sum.jobs);
		if (c->limit.per_job || isnan(c->limit.used))
			page_add_cell(p, "%s", format_limit_amount(BUF, &c->limit, c->limit.value));
		else
			page_add_cell(p, "%s", format_limit_use(BUF, &c->limit));
		page_add_cell(p, "%s", format_limit_owner(owner, v->vocabulary, &c->limit));
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
	page_add_gap(p);
	for (size_t i = 0; (c = fs_site_get_cap(x, i)); i++)
		if (c->tried && c->remove)
			add_trial(p, v, c);
}

static void add_health(struct page *p, const struct explain_site *x)
{
	if (!x->compared)
		return;
	page_add_gap(p);
	page_add_heading(p, "HEALTH");
	if (x->differ)
		page_end_with(p,
			      "%zu of %zu values that the scheduler printed differ from the computed values; fs-snap "
			      "verify lists them.",
			      x->differ, x->compared);
	else
		page_end_with(p, "All %zu values that the scheduler printed agree with the computed values.",
			      x->compared);
}

static void add_settings(struct page *p, const fs_site *x)
{
	const struct fs_site_setting *s;

	if (!fs_site_get_setting(x, 0))
		return;
	page_add_gap(p);
	page_add_heading(p, "SETTINGS");
	for (size_t i = 0; (s = fs_site_get_setting(x, i)); i++)
		page_end_with(p, "%s: %s", s->name, s->text);
}

enum { PART_LIST_MAX = 10 };

static void add_users(struct page *p, const struct explain_view *v, const fs_site *x)
{
	const struct fs_site_user *u;
	size_t n = 0;

	if (!fs_site_get_user(x, 0))
		return;
	page_add_gap(p);
	page_add_heading(p, "USERS");
	PAGE_BEGIN_TABLE(p, AT_LEFT("user"), AT_LEFT(v->vocabulary->account), AT_RIGHT("running"), AT_RIGHT("CPUs"),
			 AT_RIGHT("waiting"));
	for (; (u = fs_site_get_user(x, n)); n++) {
		if (n >= PART_LIST_MAX)
			continue;
		page_add_cell(p, "%s", u->user);
		page_add_cell(p, "%s", u->account);
		page_add_cell(p, "%" PRIu64, u->running);
		page_add_cell(p, "%" PRId64, u->cpus);
		page_add_cell(p, "%" PRIu64, u->waiting);
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
	if (n > PART_LIST_MAX)
		page_end_with(p, "%zu more are listed with --json.", n - PART_LIST_MAX);
}

static void add_event_row(struct page *p, const struct explain_view *v, uint32_t job_row, const char *what,
			  int64_t time)
{
	struct fs_job j;

	fs_snapshot_job(v->snapshot, job_row, &j);
	page_add_cell(p, "%s", format_full_time(BUF, v->snapshot, time));
	page_add_cell(p, "%s", what);
	page_add_cell(p, "%s", format_display_job_id(BUF, v->snapshot, job_row));
	page_add_cell(p, "%s", j.user);
	page_add_cell(p, "%s", j.node_list);
	page_end_row(p, TONE_PLAIN);
}

/* Adds the running jobs that end first, and the pending jobs that are planned to start first. */
static void add_events(struct page *p, const struct explain_view *v, const fs_site *x)
{
	uint32_t row;
	int64_t time;

	if (fs_site_get_running(x, 0, &time) == FS_NO_ROW && fs_site_get_start(x, 0, &time) == FS_NO_ROW)
		return;
	page_add_gap(p);
	page_add_heading(p, "NEXT ENDS AND STARTS");
	PAGE_BEGIN_TABLE(p, AT_LEFT("time"), AT_LEFT(""), AT_LEFT("job"), AT_LEFT("user"), AT_LEFT("nodes"));
	for (size_t i = 0; i < PART_LIST_MAX && (row = fs_site_get_running(x, i, &time)) != FS_NO_ROW; i++)
		add_event_row(p, v, row, "ends", time);
	for (size_t i = 0; i < PART_LIST_MAX && (row = fs_site_get_start(x, i, &time)) != FS_NO_ROW; i++)
		add_event_row(p, v, row, "starts", time);
	page_end_table(p);
}

int explain_add_site(struct page *p, const struct explain_view *v, const struct explain_site *x)
{
	add_title(p, v, x);
	add_causes(p, v, x->site);
	if (add_never(p, v, x->site))
		return FS_ENOMEM;
	add_nodes(p, x->site);
	add_caps(p, v, x->site);
	add_users(p, v, x->site);
	add_events(p, v, x->site);
	add_health(p, x);
	add_settings(p, x->site);
	return 0;
}

/* ---- JSON */

/* Writes the members of a sum of jobs. */
static void write_sum(struct fs_json *j, const fs_snapshot *s, const struct fs_site_sum *sum)
{
	const bool known = sum->oldest_row != FS_NO_ROW;
	struct fs_job job = { .id = 0 };

	if (known)
		fs_snapshot_job(s, sum->oldest_row, &job);
	json_write_whole(j, "jobs", true, sum->jobs);
	json_write_number(j, "node_hours", sum->node_hours);
	json_write_whole(j, "unmeasured", true, sum->unmeasured);
	json_write_integer(j, "oldest_time", sum->oldest_time);
	json_write_whole(j, "oldest_jobid", known, job.id);
}

static void write_causes(struct fs_json *j, const fs_snapshot *s, const fs_site *x)
{
	const struct fs_site_cause *c;

	json_begin_list(j, "causes");
	for (size_t i = 0; (c = fs_site_get_cause(x, i)); i++) {
		fs_json_object(j);
		json_write_text(j, "kind", c->never ? "never" : fs_cause_name(c->kind));
		write_sum(j, s, &c->sum);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static int write_never(struct fs_json *j, const struct explain_view *v, const fs_site *x)
{
	uint32_t row;

	json_begin_list(j, "never");
	for (size_t i = 0; (row = fs_site_get_never(x, i)) != FS_NO_ROW; i++) {
		char text[VERDICT_TEXT];
		struct fs_verdict verdict;
		struct fs_job job;

		if (fs_queue_verdict(fs_site_get_queue(x), row, &verdict))
			return FS_ENOMEM;
		fs_snapshot_job(v->snapshot, row, &job);
		fs_json_object(j);
		json_write_whole(j, "jobid", true, job.id);
		json_write_text(j, "jobid_text", format_display_job_id(BUF, v->snapshot, row));
		json_write_text(j, "user", job.user);
		json_write_text(j, "account", job.account);
		json_write_text(j, "why", format_verdict_clause(text, v->vocabulary, v->snapshot, &verdict));
		fs_json_end_object(j);
		fs_verdict_release(&verdict);
	}
	fs_json_end_array(j);
	return 0;
}

#define NODES(m) COLUMN_MEMBER(struct fs_site_nodes, m)
static const struct column node_columns[] = {
	{ NULL, "names", NODES(names), .help = "node list expression" },
	{ NULL, "nodes", NODES(nodes), .help = "number of nodes" },
	{ NULL, "state", NODES(state), .help = "state of the nodes" },
	{ NULL, "reason", NODES(reason), .help = "why the nodes are down or drained" },
	{ NULL, "jobs", NODES(jobs), .help = "jobs that wait for nodes that are down or drained" },
};

static void write_nodes(struct fs_json *j, const fs_site *x)
{
	const struct fs_site_nodes *n;

	json_write_flag(j, "nodes_hidden", fs_site_hides_nodes(x));
	json_begin_list(j, "nodes");
	for (size_t i = 0; (n = fs_site_get_nodes(x, i)); i++)
		columns_write_object(j, COLUMNS(node_columns), NULL, n);
	fs_json_end_array(j);
}

static void write_caps(struct fs_json *j, const struct explain_view *v, const fs_site *x)
{
	const struct fs_site_cap *c;
	char owner[VERDICT_TEXT];

	json_begin_list(j, "caps");
	for (size_t i = 0; (c = fs_site_get_cap(x, i)); i++) {
		fs_json_object(j);
		json_write_text(j, "limit", c->limit.name);
		json_write_text(j, "tres", c->limit.tres);
		json_write_text(j, "of", c->limit.set_by);
		json_write_text(j, "owner", format_limit_owner(owner, v->vocabulary, &c->limit));
		json_write_number(j, "value", c->limit.value);
		json_write_number(j, "used", c->limit.per_job ? (double)NAN : c->limit.used);
		write_sum(j, v->snapshot, &c->sum);
		json_write_text(j, "remove", c->remove ? c->remove : "");
		json_write_whole(j, "starting", c->tried, c->starting);
		json_write_whole(j, "earlier", c->tried, c->earlier);
		json_write_whole(j, "later", c->tried, c->later);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define SETTING(m) COLUMN_MEMBER(struct fs_site_setting, m)
static const struct column setting_columns[] = {
	{ NULL, "name", SETTING(name), .help = "name of the parameter" },
	{ NULL, "text", SETTING(text), .help = "what it contradicts, or what has no effect" },
};

static void write_settings(struct fs_json *j, const fs_site *x)
{
	const struct fs_site_setting *s;

	json_begin_list(j, "settings");
	for (size_t i = 0; (s = fs_site_get_setting(x, i)); i++)
		columns_write_object(j, COLUMNS(setting_columns), NULL, s);
	fs_json_end_array(j);
}

#define PART_USER(m) COLUMN_MEMBER(struct fs_site_user, m)
static const struct column user_columns[] = {
	{ NULL, "user", PART_USER(user), .help = "user" },
	{ NULL, "account", PART_USER(account), .help = "account" },
	{ NULL, "running", PART_USER(running), .help = "running jobs" },
	{ NULL, "cpus", PART_USER(cpus), .help = "CPUs of the running jobs" },
	{ NULL, "waiting", PART_USER(waiting), .help = "pending jobs" },
};

static void write_event(struct fs_json *j, const fs_snapshot *s, uint32_t job_row, int64_t time)
{
	struct fs_job job;

	fs_snapshot_job(s, job_row, &job);
	fs_json_object(j);
	json_write_whole(j, "jobid", true, job.id);
	json_write_text(j, "user", job.user);
	json_write_integer(j, "time", time);
	fs_json_end_object(j);
}

/* Writes the keys about a part of the cluster. */
static void write_part(struct fs_json *j, const fs_snapshot *s, const struct explain_site *x)
{
	const struct fs_site_user *u;
	uint32_t row;
	int64_t time;

	json_write_text(j, "part", fs_site_part_name(x->part));
	json_write_text(j, "name", x->name);
	json_begin_list(j, "users");
	for (size_t i = 0; (u = fs_site_get_user(x->site, i)); i++)
		columns_write_object(j, COLUMNS(user_columns), NULL, u);
	fs_json_end_array(j);
	json_begin_list(j, "ends");
	for (size_t i = 0; (row = fs_site_get_running(x->site, i, &time)) != FS_NO_ROW; i++)
		write_event(j, s, row, time);
	fs_json_end_array(j);
	json_begin_list(j, "starts");
	for (size_t i = 0; (row = fs_site_get_start(x->site, i, &time)) != FS_NO_ROW; i++)
		write_event(j, s, row, time);
	fs_json_end_array(j);
}

int explain_write_site(const struct explain_view *v, const struct explain_site *x)
{
	struct fs_json j;

	json_begin_document(&j, "fs-site/1", v->snapshot, v->json);
	write_part(&j, v->snapshot, x);
	json_begin_object(&j, "waiting");
	write_sum(&j, v->snapshot, fs_site_get_sum(x->site));
	fs_json_end_object(&j);
	json_write_text(&j, "no_plan", fs_site_get_no_plan(x->site) ? fs_site_get_no_plan(x->site) : "");
	json_write_flag(&j, "jobs_hidden", is_any_job_hidden(v, x->site));
	write_causes(&j, v->snapshot, x->site);
	if (write_never(&j, v, x->site))
		return FS_ENOMEM;
	write_nodes(&j, x->site);
	write_caps(&j, v, x->site);
	json_begin_object(&j, "verify");
	json_write_whole(&j, "compared", true, x->compared);
	json_write_whole(&j, "differ", true, x->differ);
	fs_json_end_object(&j);
	write_settings(&j, x->site);
	return json_end_document(&j);
}
