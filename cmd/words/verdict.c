#include "words/words.h"

#include "dialect/dialect.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- clauses that several kinds of verdict have in common */

/* Appends to a clause, which has VERDICT_TEXT bytes. Text that does not fit is cut. */
#define APPEND(clause, ...) append_text(clause, VERDICT_TEXT, __VA_ARGS__)

/* Appends the name of the record that has the limit: "QOS lim", "account physics", "the association of bob in account
 * physics". */
static void append_limit_owner(char *t, const struct vocabulary *n, const struct fs_explain_limit *l)
{
	const char *of = n->limit_owner[l->scope];

	if (is_limit_of_system(l))
		APPEND(t, "a job");
	else if (!of && l->user && *l->user)
		APPEND(t, "%s %s user %s", l->counted_for, l->set_by, l->user);
	else if (!of)
		APPEND(t, "%s %s", l->counted_for, l->set_by);
	else if (l->scope == FS_LIMIT_ASSOC)
		APPEND(t, "%s %s in account %s", of, l->counted_for, l->set_by);
	else
		APPEND(t, "%s %s", of, l->set_by);
}

/* Appends the used amount, the requested amount and their sum for a Maui fair-share cap. Prints up to nine decimals, to
 * show whether the sum exceeds the cap. */
static void append_fairshare_cap(char *t, const struct fs_explain_limit *l)
{
	const struct sum_decimals d = { .digits = choose_comparison_decimals(l->used, l->wants, l->value) };
	const int64_t used = convert_to_units(&d, l->used), wants = convert_to_units(&d, l->wants);

	if (l->value < 0) {
		APPEND(t, "%s %s has a negative FSTARGET (%s): any usage exceeds it, so it blocks every job",
		       l->counted_for, l->set_by, format_config_number(BUF, l->value));
		return;
	}
	APPEND(t, "%s %s is capped at %s %s: %s used, this job would add %s, %s in total", l->counted_for, l->set_by,
	       format_config_number(BUF, l->value), l->tres, format_decimal_units(BUF, used, d.digits),
	       format_decimal_units(BUF, wants, d.digits), format_decimal_units(BUF, used + wants, d.digits));
}

/* Returns true if the limit applies to each user or account separately. The text then names the user or account. */
static bool has_named_limit_user(const struct vocabulary *n, const struct fs_explain_limit *l)
{
	return *l->counted_for && n->limit_owner[l->scope] && l->scope != FS_LIMIT_ASSOC;
}

const char *format_limit_owner(char buf[VERDICT_TEXT], const struct vocabulary *n, const struct fs_explain_limit *l)
{
	*buf = '\0';
	append_limit_owner(buf, n, l);
	if (has_named_limit_user(n, l))
		APPEND(buf, " for %s", l->counted_for);
	return buf;
}

static const char *get_reason_meaning(const struct fs_verdict *v)
{
	return v->reason ? v->reason->meaning : "the scheduler's reason is not known";
}

/* Appends a reason. Underscores become blanks, except after a colon, because node names follow it. */
static void append_reason_words(char *t, const char *reason)
{
	char *at = t + strlen(t);

	APPEND(t, "%s", reason);
	for (; *at && *at != ':'; at++)
		*at = *at == '_' ? ' ' : *at;
}

/* Appends the recorded reason with its detail, or the name of the reason that the verdict found. */
static void append_reason_text(char *t, const struct fs_verdict *v)
{
	const bool own = *v->reason_text && (!v->reason || fs_reason_find(v->reason_text) == v->reason);

	append_reason_words(t, own ? v->reason_text : v->reason ? v->reason->name : "");
}

/* Appends the recorded reason and its meaning: "ReqNodeNotAvail, Reserved for maintenance: nodes it needs are down
 * ...". */
static void append_reason_and_meaning(char *t, const struct fs_verdict *v)
{
	const bool other = v->reason && !v->reason->number && strcmp(v->reason->name, "None") != 0;

	/* a reason of Maui or Flux has the number 0; only its meaning is printed, without its name */
	if (!*v->reason_text || other) {
		APPEND(t, "%s", get_reason_meaning(v));
		return;
	}
	append_reason_text(t, v);
	if (v->reason)
		APPEND(t, ": %s", v->reason->meaning);
	else
		APPEND(t, ", an unknown reason");
}

/* Returns what the job named in a dependency of this kind must do: "end successfully". Returns NULL for a kind of
 * dependency that names no job. Sources: Slurm src/slurmctld/dependency.c: test_job_dependency; flux-core
 * src/modules/job-manager/plugins/dependency-after.c. */
static const char *get_dependency_condition(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} kinds[] = { { "after", "start or be cancelled" },
		      { "afterany", "end" },
		      { "afterok", "end successfully" },
		      { "aftercorr", "end successfully in the task of the same number" },
		      { "afternotok", "fail" },
		      { "after-start", "start" },
		      { "after-finish", "end" },
		      { "after-success", "end successfully" },
		      { "after-failure", "fail" },
		      { "after-except", "end with an exception" } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].words;
	return NULL;
}

/* Appends the job that a dependency names: "job 54 (bob, RUNNING)", "job 28_3 (bob, PENDING)". */
static void append_needed_job(char *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	struct fs_job j;
	char outside[FS_JOB_ID_TEXT];

	if (n->task && strchr(n->task, '*'))
		APPEND(t, "all tasks of ");
	if (n->job_row == FS_NO_ROW || n->hidden) {
		APPEND(t, "job %s (not in the snapshot)",
		       n->task ? n->task : fs_job_id_format(s, n->job, false, outside));
		return;
	}
	fs_snapshot_job(s, n->job_row, &j);
	APPEND(t, "job %s (%s, %s)",
	       n->task && !strpbrk(n->task, "*[") ? n->task : format_display_job_id(BUF, s, n->job_row), j.user,
	       j.state);
}

/* Appends a begin time in words. `when` is the time as `flux jobs` prints it: "03:51:20" on the day of the capture, or
 * "Nov25-03:51" (flux-core: job/info.py: DependencyList). */
static void append_time_of_day(char *t, const char *when)
{
	const size_t date = strcspn(when, "-");

	if (!when[date])
		APPEND(t, "its begin time, %s on the day of the capture", when);
	else if (date > 3)
		APPEND(t, "its begin time, %.3s %.*s, %s", when, (int)(date - 3), when + 3, when + date + 1);
	else
		APPEND(t, "its begin time, %s", when);
}

/* Appends a dependency and its condition: "job 45 (bin, RUNNING) to end successfully". */
static void append_one_dependency(char *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	static const char day[] = "begin@", time[] = "begin-time=";
	const char *condition = get_dependency_condition(n->kind);

	if (!strncmp(n->kind, day, strlen(day))) {
		append_time_of_day(t, n->kind + strlen(day));
	} else if (!strncmp(n->kind, time, strlen(time))) {
		APPEND(t, "its begin time, %s", format_full_time(BUF, s, strtoll(n->kind + strlen(time), NULL, 10)));
	} else if (!n->job) {
		APPEND(t, "%s",
		       !strcmp(n->kind, "singleton") ? "all earlier jobs of the same name and user to end (singleton)"
						     : n->kind);
	} else if (n->delay_min) {
		APPEND(t, "%s to pass after ", format_counted_term(BUF, n->delay_min, "minute", "minutes"));
		append_needed_job(t, s, n);
		APPEND(t, " starts or is cancelled");
	} else {
		if (!condition)
			APPEND(t, "%s of ", n->kind);
		append_needed_job(t, s, n);
		if (condition)
			APPEND(t, " to %s", condition);
	}
}

/* Appends a clause that says that the dependency can never be satisfied: "job 45 (bin, FAILED) can no longer end
 * successfully". If the dependency names no job, appends nothing and returns false. */
static bool append_failed_dependency(char *t, const fs_snapshot *s, const struct fs_verdict_need *n)
{
	if (!n->job || !get_dependency_condition(n->kind))
		return false;
	append_needed_job(t, s, n);
	APPEND(t, " can no longer %s", get_dependency_condition(n->kind));
	return true;
}

/* Formats a number of CPUs with the scheduler's noun for a CPU: "4 processors". */
static const char *format_core_count(char buf[WORDS], const struct vocabulary *n, double v)
{
	return format_words(buf, "%.0f %s", v, v == 1 ? n->cpu : n->cpus);
}

/* Formats " of queue batch"; "" if `partition` is empty. */
static const char *format_of_partition(char buf[VERDICT_TEXT], const struct vocabulary *n, const char *partition)
{
	if (!*partition)
		return "";
	snprintf(buf, VERDICT_TEXT, " of %s %.200s", n->partition, partition);
	return buf;
}

/* ---- remedies: changes that a job needs before it can start. They name no amounts, because no plan was computed for
 * the changes */

/* Returns true if every job requests an amount of the resource. This is true of all resources except GRES and
 * licenses. */
static bool is_always_requested(const char *tres)
{
	return strncmp(tres, "gres/", 5) != 0 && strncmp(tres, "license/", 8) != 0;
}

/* Formats the plural of a TRES: "GPUs". */
static const char *format_resource_plural(char buf[WORDS], const char *tres)
{
	return format_words(buf, "%s", strchr(format_tres_amount(BUF, tres, 0), ' ') + 1);
}

/* Appends the used amount and the amount of the limit: "; 8:06 of 4:00 used". Appends nothing for a limit on a single
 * job. */
static void append_used_amount(char *t, const struct fs_explain_limit *l)
{
	if (!l->per_job && l->used > 0)
		APPEND(t, "; %s", format_limit_use(BUF, l));
}

static const char *get_request_change(const struct fs_explain_limit *l)
{
	return is_limit_on_time(l) ? "a shorter time limit" : l->is_min ? "a larger request" : "a smaller request";
}

/* Appends a sentence that says how the limit or the request must change. The sentence names no amount. */
static void append_limit_remedy(char *t, const struct vocabulary *n, const struct fs_explain_limit *l)
{
	const char *other = n->limit_alternative[l->scope];
	const bool nothing = l->value == 0, none = nothing && *l->tres && !is_always_requested(l->tres);

	if (is_limit_of_fairshare(l)) {
		APPEND(t, l->value < 0 ? "The configuration must change."
				       : "It needs a shorter time limit, fewer processors or a higher cap.");
		return;
	}
	APPEND(t, "It needs ");
	if (none)
		APPEND(t, "a request without %s%s", format_resource_plural(BUF, l->tres), other ? ", " : " or ");
	else if (!nothing)
		APPEND(t, "%s%s", get_request_change(l), other ? ", " : " or ");
	if (other)
		APPEND(t, "another %s%s", other, nothing && !none ? " or " : ", or ");
	APPEND(t, "a %s limit", l->is_min ? "lower" : "higher");
	append_used_amount(t, l);
	APPEND(t, ".");
}

static void append_obstacle_remedy(char *t, const struct vocabulary *n, const struct fs_explain_obstacle *o)
{
	static const struct {
		const char *what, *needs;
	} needs[] = { { "features", "other features" },
		      { "time", "a shorter time limit" },
		      { "min_nodes", "more nodes" } };
	const char *tres = !strcmp(o->what, "node_gpu") ? "gres/gpu" : o->what;

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!strcmp(o->what, needs[i].what)) {
			APPEND(t, "It needs %s or another %s.", needs[i].needs, n->partition);
			return;
		}
	if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		APPEND(t, "It needs another %s, or %s that %s admits.", n->partition,
		       !strcmp(o->what, "qos") ? "a QOS" : "an account", o->partition);
	else if (!strcmp(o->what, "partition_cpu") && o->has > 0)
		APPEND(t, "It needs a smaller request.");
	else if (strstr(o->what, "_each") || o->has > 0)
		APPEND(t, "It needs a smaller request or another %s.", n->partition);
	else if (!is_always_requested(tres))
		APPEND(t, "It needs a request without %s, or another %s.", format_resource_plural(BUF, tres),
		       n->partition);
	else
		APPEND(t, "It needs another %s.", n->partition);
}

const char *format_verdict_remedy(char buf[VERDICT_TEXT], const struct vocabulary *n, const struct fs_verdict *v)
{
	*buf = '\0';
	if (v->kind != FS_VERDICT_NEVER)
		return buf;
	if (v->obstacle)
		append_obstacle_remedy(buf, n, v->obstacle);
	else if (v->limit)
		append_limit_remedy(buf, n, v->limit);
	else
		APPEND(buf, "%s",
		       v->reason && v->reason->remedy ? v->reason->remedy
						      : "The job or the configuration must change.");
	return buf;
}

/* Appends the requested amount and the limit: "it asks for 4 CPUs, QOS lim allows 2 CPUs". */
static void append_requested_amount(char *t, const struct vocabulary *n, const struct fs_explain_limit *l)
{
	const bool on_node = is_limit_per_node(l);

	APPEND(t, "it %s %s%s, ", l->grows ? "takes" : "asks for", format_limit_amount(BUF, l, l->wants),
	       on_node ? " on a node" : "");
	append_limit_owner(t, n, l);
	APPEND(t, " %s ", l->is_min ? "requires at least" : n->limit_owner[l->scope] ? "allows" : "may have");
	if (has_named_limit_user(n, l))
		APPEND(t, "%s ", l->counted_for);
	APPEND(t, "%s%s", format_limit_amount(BUF, l, l->value),
	       on_node                 ? " on each node"
	       : l->per_job            ? " a job"
	       : is_limit_of_system(l) ? ""
				       : " in all");
	APPEND(t, " (%s)", l->name);
}

/* ---- why a job can never start */

static void append_exceeded_limit(char *t, const struct vocabulary *n, const struct fs_verdict *v)
{
	if (!v->limit)
		APPEND(t, "%s (%s, which is not in the snapshot)", get_reason_meaning(v),
		       v->reason ? v->reason->limit : "a limit");
	else if (is_limit_of_fairshare(v->limit))
		append_fairshare_cap(t, v->limit);
	else
		append_requested_amount(t, n, v->limit);
}

static const char *format_requested_amount(char buf[WORDS], const struct vocabulary *n, const char *tres, double v)
{
	return strcmp(tres, "cpu") ? format_tres_amount(buf, tres, v) : format_core_count(buf, n, v);
}

static void append_partition_obstacle(char *t, const struct vocabulary *n, const struct fs_verdict *v)
{
	const struct fs_explain_obstacle *o = v->obstacle;
	const char *each = strstr(o->what, "_each");
	char tres[8], of[VERDICT_TEXT];

	if (each) {
		snprintf(tres, sizeof(tres), "%.*s", (int)(each - o->what), o->what);
		APPEND(t, "each of its tasks asks for %s, the suitable nodes of %s %s have at most %s",
		       format_tres_amount(BUF, tres, o->wants), n->partition, o->partition,
		       format_tres_amount(BUF, tres, o->has));
	} else if (!strcmp(o->what, "node_cpu")) {
		APPEND(t, "it asks for %s on a node, no node%s has more than %s", format_core_count(BUF, n, o->wants),
		       format_of_partition(of, n, o->partition), format_core_count(BUF, n, o->has));
	} else if (!strcmp(o->what, "node_gpu")) {
		APPEND(t, "it asks for %s on a node, no suitable node%s has %s",
		       format_tres_amount(BUF, "gres/gpu", o->wants), format_of_partition(of, n, o->partition),
		       o->has > 0 ? "more than " : "any");
		if (o->has > 0)
			APPEND(t, "%s", format_tres_amount(BUF, "gres/gpu", o->has));
	} else if (!strcmp(o->what, "partition_cpu")) {
		APPEND(t, "it asks for %s in one node partition, the most suitable, %s, has %s",
		       format_core_count(BUF, n, o->wants), o->name,
		       o->has > 0 ? format_core_count(BUF, n, o->has) : "none");
	} else if (!strcmp(o->what, "class")) {
		APPEND(t, "no node has %s %s", n->partition, o->partition);
	} else if (!strcmp(o->what, "features")) {
		APPEND(t, "no node%s has %s", format_of_partition(of, n, o->partition), o->name);
	} else if (!strcmp(o->what, "time"))
		APPEND(t, "it asks for %s, partition %s allows %s", format_time_span(BUF, o->wants), o->partition,
		       format_time_span(BUF, o->has));
	else if (!strcmp(o->what, "min_nodes"))
		APPEND(t, "it asks for at most %s, partition %s requires at least %s",
		       format_tres_amount(BUF, "node", o->wants), o->partition,
		       format_tres_amount(BUF, "node", o->has));
	else if (!strcmp(o->what, "account") || !strcmp(o->what, "qos"))
		APPEND(t, "partition %s does not admit %s %s", o->partition,
		       !strcmp(o->what, "qos") ? "QOS" : "account", o->name);
	else
		APPEND(t, "it asks for %s, %s%s%s has %s", format_requested_amount(BUF, n, o->what, o->wants),
		       *o->partition ? n->partition : "the machine", *o->partition ? " " : "", o->partition,
		       o->has > 0 ? format_requested_amount(BUF, n, o->what, o->has) : "none");
}

/* Appends the dependencies that can never be satisfied. If none is marked as failed, appends all dependencies of the
 * job. */
static void append_failed_dependencies(char *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	const size_t n = v->nneeds;
	bool marked = false, any = false;

	for (size_t i = 0; i < n; i++)
		marked |= v->needs[i].failed;
	for (size_t i = 0; i < n; i++) {
		if (marked && !v->needs[i].failed)
			continue;
		APPEND(t, "%s", any ? ", and " : "");
		any |= append_failed_dependency(t, s, &v->needs[i]);
	}
	if (!any)
		APPEND(t, "%s", get_reason_meaning(v));
}

static void append_never_cause(char *t, const struct vocabulary *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	APPEND(t, "it can never start: ");
	if (v->cause == FS_VERDICT_CAUSE_LIMIT)
		append_exceeded_limit(t, n, v);
	else if (v->obstacle)
		append_partition_obstacle(t, n, v);
	else if (v->cause == FS_VERDICT_CAUSE_DEPENDENCY)
		append_failed_dependencies(t, s, v);
	else
		append_reason_and_meaning(t, v);
}

static void append_hold_cause(char *t, const struct vocabulary *n, const struct fs_verdict *v)
{
	static const char *const texts[FS_VERDICT_CAUSE_COUNT] = {
		[FS_VERDICT_CAUSE_OWNER] = "held by its owner",
		[FS_VERDICT_CAUSE_ADMINISTRATOR] = "held by an administrator",
		[FS_VERDICT_CAUSE_REQUEUE] =
			"requeued in held state (not recorded by whom); its owner or an administrator must release it",
	};

	if (n->holder_unknown) {
		APPEND(t, "held: %s", get_reason_meaning(v));
	} else if (texts[v->cause] || v->cause == FS_VERDICT_CAUSE_NONE) {
		APPEND(t, "%s", texts[v->cause] ? texts[v->cause] : get_reason_meaning(v));
	} else {
		APPEND(t, "held by the scheduler: ");
		append_reason_and_meaning(t, v);
	}
}

static void append_dependency_list(char *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	enum { MAX_NEEDS = 3 };

	if (!v->nneeds) {
		append_reason_and_meaning(t, v);
		return;
	}
	APPEND(t, "waits for ");
	for (size_t i = 0; i < v->nneeds && i < MAX_NEEDS; i++) {
		APPEND(t, "%s", i ? " and " : "");
		append_one_dependency(t, s, &v->needs[i]);
	}
	if (v->nneeds > MAX_NEEDS)
		APPEND(t, " and %zu more", v->nneeds - MAX_NEEDS);
}

static void append_begin_time(char *t, const fs_snapshot *s, const struct fs_verdict *v)
{
	if (v->time != FS_UNKNOWN)
		APPEND(t, "waits for its %s, %s",
		       v->kind == FS_VERDICT_RESERVATION ? "reservation to begin" : "begin time",
		       format_full_time(BUF, s, v->time));
	else if (v->reason && v->reason->section != FS_SECTION_ELIGIBLE)
		append_reason_and_meaning(t, v);
	else
		APPEND(t, v->kind == FS_VERDICT_RESERVATION ? "its reservation cannot be used now"
							    : "waits for its begin time");
}

static void append_array_limit(char *t, const struct fs_verdict *v)
{
	if (!v->array_limit) {
		append_reason_and_meaning(t, v);
		return;
	}
	APPEND(t, "the array's own limit (%%%" PRIu64 ") is reached", v->array_limit);
	if (v->array_running >= v->array_limit)
		APPEND(t, ": %s", format_counted_term(BUF, v->array_running, "task is running", "tasks are running"));
}

bool has_missing_jobs(const fs_snapshot *s)
{
	return fs_snapshot_hidden(s, "job");
}

/* Appends how much of a limit on usage is left for the job. */
static void append_rest_of_limit(char *t, const struct fs_explain_limit *l)
{
	const double promised = isnan(l->reserved_minutes) ? 0 : l->reserved_minutes;
	const double left = l->value - l->used - promised;

	if (left > 0)
		APPEND(t, "; %s left", format_limit_amount(BUF, l, floor(left)));
	else
		APPEND(t, "; nothing is left");
}

/* Appends the limit, its use, and what the job would add. */
static void append_limit_in_use(char *t, const struct vocabulary *n, const fs_snapshot *s,
				const struct fs_explain_limit *l)
{
	APPEND(t, "limit %s of ", l->name);
	append_limit_owner(t, n, l);
	if (has_named_limit_user(n, l))
		APPEND(t, ", for %s", l->counted_for);
	APPEND(t, ": %s allowed, ", format_limit_amount(BUF, l, l->value));
	if (isnan(l->used))
		APPEND(t, "the current use is not known");
	else
		APPEND(t, "%s%s %s", l->nholders && has_missing_jobs(s) ? "at least " : "",
		       format_limit_amount(BUF, l, l->used), get_limit_use_word(l));
	if (!isnan(l->reserved_minutes) && l->reserved_minutes > 0)
		APPEND(t, ", running jobs may still use %s", format_limit_amount(BUF, l, l->reserved_minutes));
	if ((*l->tres || is_limit_on_time(l) || n->shows_any_addition) && l->wants > 0)
		APPEND(t, ", this job would add %s", format_limit_amount(BUF, l, l->wants));
	if (is_limit_on_usage(l) && !isnan(l->used))
		append_rest_of_limit(t, l);
}

static void append_reached_limit(char *t, const struct vocabulary *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	const struct fs_explain_limit *l = v->limit;
	const bool idle = l && !strncmp(l->name, "idle ", strlen("idle "));

	if (!l) {
		append_reason_and_meaning(t, v);
	} else if (is_limit_of_fairshare(l)) {
		append_fairshare_cap(t, l);
	} else if (is_limit_per_node(l)) {
		append_requested_amount(t, n, l);
	} else if (is_limit_of_larger_nodes(l)) {
		APPEND(t, "it takes whole nodes, and the nodes it was tried on have more than ");
		append_limit_owner(t, n, l);
		APPEND(t, " allows: %s a job (%s)", format_limit_amount(BUF, l, l->value), l->name);
	} else if (idle || !strncmp(l->name, "active ", strlen("active "))) {
		APPEND(t, "it violates %s limit of %.0f for ", l->name, l->value);
		append_limit_owner(t, n, l);
		APPEND(t, ": %s %s, this job would add %.0f", format_limit_amount(BUF, l, l->used),
		       idle ? "eligible" : "used", l->wants);
	} else {
		append_limit_in_use(t, n, s, l);
	}
}

/* Appends the number of unavailable nodes and their state: " 2 are DOWN", ", 1 drained". `how`: name of the state. *any
 * is true if an earlier call appended a number. Sets *any to true if this call appends a number. */
static void append_unavailable_nodes(char *t, uint32_t n, const char *how, bool *any)
{
	if (!n)
		return;
	APPEND(t, "%s%" PRIu32 "%s %s", *any ? ", " : " ", n, *any ? "" : n == 1 ? " is" : " are", how);
	*any = true;
}

static void append_node_cause(char *t, const struct vocabulary *vocabulary, const fs_snapshot *s,
			      const struct fs_verdict *v)
{
	const struct fs_verdict_nodes *n = &v->nodes;
	const bool closed = v->cause == FS_VERDICT_CAUSE_PARTITION;
	struct fs_partition p;
	char of[VERDICT_TEXT];
	bool any = false;

	if (closed ? v->reason && v->reason->section == FS_SECTION_PARTITION &&
			     (!fs_snapshot_partition(s, v->partition, &p) || !*p.state)
		   : !n->all) {
		append_reason_and_meaning(t, v);
	} else if (closed) {
		APPEND(t, "%s %s is %s", vocabulary->partition, v->partition, vocabulary->closed);
	} else if (n->all == 1) {
		APPEND(t, "the only suitable node%s is %s", format_of_partition(of, vocabulary, v->partition),
		       n->down      ? "DOWN"
		       : n->drained ? "drained"
				    : "reserved");
	} else {
		APPEND(t, "%" PRIu32 " nodes%s suit it:", n->all, format_of_partition(of, vocabulary, v->partition));
		append_unavailable_nodes(t, n->down, "DOWN", &any);
		append_unavailable_nodes(t, n->drained, "drained", &any);
		append_unavailable_nodes(t, n->reserved, "reserved", &any);
		APPEND(t, "; it needs %" PRIu32, n->wants);
	}
}

/* Returns true if the snapshot does not show whether the first job in the queue waits for nodes: the job's reason is
 * not Resources, and the snapshot has no node records. */
static bool has_unknown_nodes(const fs_snapshot *s, const struct fs_verdict *v)
{
	return !(v->reason && v->reason->number == FS_REASON_RESOURCES) && !fs_snapshot_records(s, "node");
}

static void append_uncaptured_nodes(char *t, const struct vocabulary *n, const fs_snapshot *s,
				    const struct fs_verdict *v)
{
	struct fs_partition p;

	APPEND(t, "; the snapshot does not show which nodes are free");
	if (fs_snapshot_partition(s, v->partition, &p) && !*p.state)
		APPEND(t, " or whether the %s is %s", n->partition, n->closed);
}

static void append_queue_place(char *t, const struct vocabulary *n, const fs_snapshot *s, const struct fs_verdict *v)
{
	const bool of_all = n->shares_one_order || !*v->partition;
	const char *in = of_all ? " in the queue" : " in ", *where = of_all ? "" : v->partition;

	if (v->kind == FS_VERDICT_BEHIND)
		APPEND(t, "behind %s%s%s%s", has_missing_jobs(s) ? "at least " : "",
		       format_entry_count(BUF, v->ahead, v->ahead_tasks), of_all ? "" : in, where);
	else if (v->kind == FS_VERDICT_NOW)
		APPEND(t, "first%s%s, and the resources it needs are free", in, where);
	else if (has_unknown_nodes(s, v)) {
		APPEND(t, "first%s%s", in, where);
		append_uncaptured_nodes(t, n, s, v);
	} else {
		APPEND(t, "first%s%s: waits for resources", in, where);
	}
}

/* Appends a clause that says that the job's position in the queue is unknown. If the scheduler recorded a reason,
 * appends the reason. */
static void append_unknown_place(char *t, const struct vocabulary *n, const struct fs_verdict *v)
{
	if (n->shares_one_order || !*v->partition)
		APPEND(t, "its place in the queue is not known");
	else
		APPEND(t, "its place in %s is not known", v->partition);
	if (!v->reason || !strcmp(v->reason->name, "None"))
		return;
	APPEND(t, "; the recorded reason is ");
	if (*v->reason_text)
		append_reason_and_meaning(t, v);
	else
		APPEND(t, "%s: %s", v->reason->name, v->reason->meaning);
}

static void append_unknown_cause(char *t, const struct fs_verdict *v)
{
	if (*v->reason_text || (v->reason && strcmp(v->reason->name, "None") != 0))
		append_reason_and_meaning(t, v);
	else
		APPEND(t, "the snapshot does not show why it waits");
}

/* If the recorded reason is about nodes, appends the reason with its detail. */
static void append_recorded_reason(char *t, const struct fs_verdict *v)
{
	if (!*v->reason_text || !v->reason || v->reason->section != FS_SECTION_NODES || !*t)
		return;
	APPEND(t, "; the recorded reason is ");
	append_reason_text(t, v);
}

bool is_verdict_without_position(const struct fs_verdict *v)
{
	return v->kind == FS_VERDICT_WAITS || v->cause == FS_VERDICT_CAUSE_JOBS ||
	       v->cause == FS_VERDICT_CAUSE_PRIORITIES;
}

/* Returns true if PrivateData hides the jobs of other users from a user who is neither coordinator nor operator. */
static bool has_private_jobs(const fs_snapshot *s)
{
	return !fs_snapshot_shows_jobs_of(s, "", "", "");
}

const char *get_missing_jobs_text(const fs_snapshot *s)
{
	return has_private_jobs(s) ? "jobs of others are hidden from you (PrivateData)"
				   : "jobs missing from the snapshot may be ahead of it";
}

const char *get_missing_others_text(const fs_snapshot *s)
{
	return has_private_jobs(s) ? "others are hidden from you (PrivateData)"
				   : "others may be missing from the snapshot";
}

const char *get_plan_gaps_text(const fs_snapshot *s)
{
	return has_private_jobs(s) ? "Jobs hidden from you (PrivateData) are not in the plan"
				   : "Jobs missing from the snapshot are not in the plan";
}

const char *get_no_position_text(const fs_snapshot *s, const struct fs_verdict *v)
{
	return v->cause == FS_VERDICT_CAUSE_JOBS ? get_missing_jobs_text(s)
						 : "not all priorities in its queue are known";
}

const char *format_verdict_clause(char buf[VERDICT_TEXT], const struct vocabulary *n, const fs_snapshot *s,
				  const struct fs_verdict *v)
{
	*buf = '\0';
	switch (v->kind) {
	case FS_VERDICT_NEVER:
		append_never_cause(buf, n, s, v);
		break;
	case FS_VERDICT_HELD:
		append_hold_cause(buf, n, v);
		break;
	case FS_VERDICT_DEPENDENCY:
		append_dependency_list(buf, s, v);
		break;
	case FS_VERDICT_BEGIN:
		append_begin_time(buf, s, v);
		break;
	case FS_VERDICT_RESERVATION:
		if (v->cause == FS_VERDICT_CAUSE_ACCESS)
			APPEND(buf, "its reservation does not admit its user and account");
		else if (v->cause == FS_VERDICT_CAUSE_RESERVATION)
			append_begin_time(buf, s, v);
		else
			append_reason_and_meaning(buf, v);
		break;
	case FS_VERDICT_ARRAY_LIMIT:
		append_array_limit(buf, v);
		break;
	case FS_VERDICT_UNKNOWN:
		append_unknown_cause(buf, v);
		break;
	case FS_VERDICT_LIMIT:
		append_reached_limit(buf, n, s, v);
		break;
	case FS_VERDICT_NODES:
		append_node_cause(buf, n, s, v);
		if (v->nodes.all)
			append_recorded_reason(buf, v);
		break;
	case FS_VERDICT_WAITS:
		append_unknown_place(buf, n, v);
		break;
	case FS_VERDICT_BEHIND:
	case FS_VERDICT_FIRST:
	case FS_VERDICT_NOW:
		append_queue_place(buf, n, s, v);
		append_recorded_reason(buf, v);
		break;
	default:
		break;
	}
	return buf;
}

bool has_text_ignoring_case(const char *text, const char *part)
{
	for (const size_t n = strlen(part); *text; text++)
		if (!strncasecmp(text, part, n))
			return true;
	return false;
}

const char *format_recorded_reason(char buf[VERDICT_TEXT], const struct fs_verdict *v)
{
	*buf = '\0';
	if (*v->reason_text && strcmp(v->reason_text, "None") != 0)
		append_reason_words(buf, v->reason_text);
	return buf;
}

bool find_latest_component(const fs_snapshot *s, const struct fs_job *j, struct fs_job *last)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct fs_job other;
	bool found = false;

	*last = *j;
	for (size_t i = 0; j->het_job && i < n; i++) {
		fs_snapshot_job(s, i, &other);
		if (other.het_job != j->het_job || other.times.start == FS_UNKNOWN ||
		    other.times.start <= last->times.start)
			continue;
		*last = other;
		found = true;
	}
	return found;
}
