/* fs-explain/1: a job, or two. */
#include "explain/json/json.h"
#include "explain/parts.h"
#include "words/verdict.h"

#include "columns/prio.h"

/* ---- ahead */

/* By what most of them are ahead: of = the sum of the job. */
COLUMN_KNOWN(has_factor, void, struct fs_explain_group, row->key == FS_QUEUE_KEY_PRIORITY && row->term != FS_NO_ROW)
COLUMN_GET(get_factor, struct fs_explain_sum, struct fs_explain_group, of->terms[row->term].name)

#define GROUP(m) COLUMN_MEMBER(struct fs_explain_group, m)

static const struct column group_columns[] = {
	{ NULL, "account", GROUP(account), .help = "the account that the jobs ahead are of, none: all" },
	{ NULL, "user", GROUP(user), .help = "the user in it, none: all" },
	{ NULL, "array", GROUP(array), .none_at_0 = true, .help = "the array of the user, none: all" },
	{ NULL, "entries", GROUP(entries), .help = "entries of the queue" },
	{ NULL, "jobs", GROUP(jobs), .help = "the same, tasks of arrays one by one" },
	{ NULL, "cpus", GROUP(cpus), .help = "that they ask for" },
	{ NULL, "gpus", GROUP(gpus), .help = "that they ask for" },
	{ NULL, "cpu_hours", GROUP(cpu_hours), .help = "by their time limits" },
	{ NULL, "key", GROUP(key), .word = fs_queue_key_name, .help = "the sort key that puts most of them ahead" },
	{ NULL, "factor", .get = get_factor, .known = has_factor, .help = "of the priority: what differs most" },
	{ NULL, "difference", GROUP(difference), .known = has_factor, .help = "its points less this job's" },
	{ NULL, "lowest", GROUP(lowest), .known = has_factor, .help = "value of the factor among them" },
	{ NULL, "highest", GROUP(highest), .known = has_factor, .help = "value of the factor among them" },
	{ NULL, "own", GROUP(own), .known = has_factor, .help = "value of the factor of this job" },
};

#define RIVAL(m) COLUMN_MEMBER(struct fs_explain_rival, m)

static const struct column rival_columns[] = {
	{ NULL, "partition", RIVAL(partition), .help = "another partition with jobs tried before" },
	{ NULL, "tier", RIVAL(tier), .help = "its PriorityTier" },
	{ NULL, "certain", RIVAL(certain), .help = "it shares nodes; else its nodes are not known" },
	{ NULL, "entries", RIVAL(entries), .help = "entries of the queue ahead there" },
	{ NULL, "jobs", RIVAL(jobs), .help = "the same, tasks of arrays one by one" },
};

static void write_ahead(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	const struct fs_explain_ahead *a = &job->ahead;
	enum fs_queue_key key;

	fs_json_key(j, "ahead");
	if (!job->nsums || !job->sums->position || verdict_is_unplaced(&job->verdict)) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_whole(j, "entries", true, a->all.entries);
	json_whole(j, "jobs", true, a->all.jobs);
	json_whole(j, "own", true, a->own_entries);
	json_whole(j, "passed_by_waiting", true, a->all.passed);
	json_flag(j, "at_least", a->unseen || job->jobs_hidden);
	json_list(j, "order");
	for (size_t i = 0; (key = fs_queue_order(v->from->queue, i)) != FS_QUEUE_KEY_NONE; i++)
		fs_json_string(j, fs_queue_key_name(key));
	fs_json_end_array(j);
	json_number(j, "gain_per_hour", a->gain);
	columns_json_list(j, "groups", COLUMNS(group_columns), job->sums, a->groups, a->ngroups, sizeof(*a->groups));
	columns_json_list(j, "elsewhere", COLUMNS(rival_columns), NULL, a->rivals, a->nrivals, sizeof(*a->rivals));
	fs_json_end_object(j);
}

/* ---- what is in the way */

#define REASON(m) COLUMN_MEMBER(struct fs_reason, m)

static const struct column reason_columns[] = {
	{ NULL, "name", REASON(name), .help = "the reason as the scheduler prints it" },
	{ NULL, "meaning", REASON(meaning), .help = "what it means" },
	{ NULL, "clears", REASON(clears), .help = "what clears it" },
};

/* ---- Flux */

#define HOLD(m) COLUMN_MEMBER(struct fs_hold_row, m)

static const struct column hold_columns[] = {
	{ NULL, "reason", HOLD(reason), .help = "the dependency, or the state, that holds it" },
	{ NULL, "limit", HOLD(limit), .help = "the limit that the dependency stands for" },
	{ NULL, "scope", HOLD(scope), .help = "the bank or queue in which the user's jobs are counted" },
	{ NULL, "value", HOLD(value), .help = "the limit" },
	{ NULL, "used", HOLD(used), .help = "what counts against it" },
	{ NULL, "wants", HOLD(wants), .help = "what this job would add" },
};

static void write_holds(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	json_list(j, "holds");
	for (size_t i = 0; i < job->nholds; i++)
		columns_object(j, COLUMNS(hold_columns), NULL, fs_holds_row(v->from->holds, job->job_row, i));
	fs_json_end_array(j);
}

/* ---- a job */

struct json_subject {
	struct fs_job job;
	char id[WORDS];
};

#define SUBJECT(m) COLUMN_MEMBER(struct json_subject, m)

static const struct column subject_columns[] = {
	{ NULL, "jobid", SUBJECT(job.id), .help = "the job" },
	{ NULL, "name", SUBJECT(id), .help = "the older name of jobid_text" },
	{ NULL, "jobid_text", SUBJECT(id), .help = "as the scheduler writes it" },
	{ NULL, "jobname", SUBJECT(job.name), .help = "its name" },
	{ NULL, "user", SUBJECT(job.user), .help = "whose it is" },
	{ NULL, "account", SUBJECT(job.account), .help = "for which account" },
	{ NULL, "state", SUBJECT(job.state), .help = "the state that the scheduler tells" },
	{ NULL, "reason_text", SUBJECT(job.reason), .help = "the reason that it tells, as it is written" },
	{ NULL, "cpus", SUBJECT(job.cpus), .help = "that it asks for" },
	{ NULL, "time_limit_s", SUBJECT(job.time_limit_s), .unit = UNIT_SECONDS, .help = "its time limit" },
	{ NULL, "submit_time", SUBJECT(job.submit_time), .unit = UNIT_TIME, .help = "when it was submitted" },
	{ NULL, "eligible_time", SUBJECT(job.eligible_time), .unit = UNIT_TIME, .help = "from when it may start" },
	{ NULL, "start_time", SUBJECT(job.start_time), .unit = UNIT_TIME, .help = "when it started" },
};

static void write_subject(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	struct json_subject o;

	fs_snapshot_job(v->from->snapshot, job->job_row, &o.job);
	job_words(o.id, v->from->snapshot, job->job_row);
	columns_json_object(j, "job", COLUMNS(subject_columns), NULL, &o);
}

static int write_job(struct fs_json *j, const struct explain_view *v, const struct fs_explain_job *job)
{
	char words[VERDICT_TEXT];

	write_subject(j, v, job);
	json_text(j, "verdict",
		  !explain_has_started(job)	     ? fs_verdict_name(job->verdict.kind)
		  : job->state == FS_EXPLAIN_RUNNING ? "running"
						     : "ended");
	json_text(j, "verdict_cause", fs_verdict_cause_name(job->verdict.cause));
	json_text(j, "verdict_text", verdict_words(words, nouns(v), v->from->snapshot, &job->verdict));
	json_text(j, "section", fs_section_name(job->section));
	columns_json_object(j, "reason", COLUMNS(reason_columns), NULL, job->reason);
	json_list(j, "sums");
	for (size_t i = 0; i < job->nsums; i++)
		explain_json_sum(j, &job->sums[i], !verdict_is_unplaced(&job->verdict));
	fs_json_end_array(j);
	write_ahead(j, v, job);
	prio_json_accrue(j, job->has_accrue ? &job->accrue : NULL);
	fs_json_key(j, "fairshare");
	explain_json_path(j, v, &job->path);
	explain_limits_json(j, job);
	write_holds(j, v, job);
	explain_json_credentials(j, v, job);
	json_flag(j, "jobs_hidden", job->jobs_hidden);
	explain_runs_json(j, v);
	explain_advice_json(j, v);
	explain_brief_json(j, v, job);
	return explain_forecast_json(j, v, FS_NO_ROW, job->job_row);
}

int explain_job_json(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_json j;
	int rc;

	explain_json_begin(&j, v, "job");
	rc = write_job(&j, v, job);
	return rc ? rc : json_end(&j);
}

static void write_differences(struct fs_json *j, const struct fs_explain_job *a, const struct fs_explain_comparison *d)
{
	json_list(j, "differences");
	for (size_t t = 0; d->differences && t < a->sums[d->sum_a].nterms; t++) {
		fs_json_object(j);
		json_text(j, "factor", a->sums[d->sum_a].terms[t].name);
		json_number(j, "points", d->differences[t]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	json_number(j, "total_difference", d->total);
	json_number(j, "queue_difference", d->queue_difference);
}

int explain_jobs_versus_json(const struct explain_view *v, const struct fs_explain_job *a,
			     const struct fs_explain_job *b)
{
	struct fs_explain_divergence part = { .same = true };
	struct fs_explain_comparison d;
	struct fs_json j;
	int rc;

	if (fs_explain_compare_jobs(v->x, a, b, &d))
		return FS_ENOMEM;
	if (a->path.algorithm && b->path.algorithm)
		fs_explain_compare_paths(v->x, &a->path, &b->path, &part);
	explain_json_begin(&j, v, "versus");
	json_text(&j, "first", d.first < 0 ? "a" : d.first > 0 ? "b" : "");
	json_text(&j, "key", d.key == FS_QUEUE_KEY_NONE ? "" : fs_queue_key_name(d.key));
	json_text(&j, "factor", d.term == FS_NO_ROW ? "" : a->sums[d.sum_a].terms[d.term].name);
	write_differences(&j, a, &d);
	json_whole(&j, "parting_level", !part.same, part.level_a);
	json_object(&j, "a");
	rc = write_job(&j, v, a);
	fs_json_end_object(&j);
	json_object(&j, "b");
	rc = rc ? rc : write_job(&j, v, b);
	fs_json_end_object(&j);
	return rc ? rc : json_end(&j);
}
