/* Runs scontrol hold, uhold, release, requeue, suspend, resume and top, and scancel. */
#include "model/find.h"
#include "scenario/slurm/slurm.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- hold, uhold and release (src/slurmctld/job_mgr.c: _update_job) */

static void note_job_privilege(struct fsi_scenario *s, const struct fsi_job *j, enum fsi_privilege who)
{
	fsi_scenario_note_privilege(s, who, j->user, j->account, fsi_scenario_job_prefix(s, j));
}

struct hold_request {
	const char *reason; /* pending reason that the held job gets */
};

/* Holds the job: sets its priority to 0, and its reason to `reason`. */
static void hold_with_reason(struct fsi_scenario *s, struct fsi_job *j, uint32_t reason)
{
	j->reason = reason;
	FSI_SET(j, JOB, reason);
	j->priority = 0;
	FSI_SET(j, JOB, priority);
	FSI_CLEAR_FIELD(j, JOB, priority_set);
	FSI_CLEAR_FIELD(j, JOB, eligible_time);
	fsi_slurm_change_age(s, j, FSI_AGE_LOST);
	fsi_slurm_drop_recorded(s, j);
}

static int hold_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const struct hold_request *h = ctx;
	const uint32_t reason = fsi_name_intern(s->m, h->reason);

	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is not pending, so it cannot be held", (unsigned long long)j->id);
	if (reason == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	note_job_privilege(s, j, FSI_OWNER);
	hold_with_reason(s, j, reason);
	return 0;
}

static int release_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const bool by_admin = !strncmp(fsi_name_text(s->m, j->reason), "JobHeldAdmin", strlen("JobHeldAdmin"));

	(void)ctx;
	if (!fsi_slurm_is_held(j)) {
		fsi_scenario_note(s, "%sthe job is not held, so nothing is released", fsi_scenario_job_prefix(s, j));
		return 0;
	}
	note_job_privilege(s, j, by_admin ? FSI_OPERATOR : FSI_OWNER);
	j->state = FSI_STATE_PENDING;
	FSI_CLEAR_FIELD(j, JOB, priority);
	FSI_CLEAR_FIELD(j, JOB, priority_set);
	if (!FSI_HAS(j, JOB, eligible_time) && !j->dependency) {
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
	}
	fsi_slurm_change_age(s, j, FSI_AGE_LOST);
	fsi_slurm_drop_recorded(s, j);
	return 0;
}

/* Calls fn for each job in the job lists that begin at s->words[at]. A job list is one word, such as "12,14" or
 * "jobid=12". */
static int edit_named_jobs(struct fsi_scenario *s, size_t at, enum fsi_task_handling tasks, fsi_job_edit_fn fn,
			   void *ctx)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "expected a job id");

	for (; at < s->n && !rc; at++) {
		const char *word = s->words[at], *equals = strchr(word, '=');
		const bool named = equals && fsi_is_same_ignoring_case(word, (size_t)(equals - word), "JobId");

		rc = fsi_slurm_each_job(s, named ? equals + 1 : word, tasks, fn, ctx);
	}
	return rc;
}

int fsi_slurm_run_hold(struct fsi_scenario *s, size_t at)
{
	struct hold_request h = { fsi_scenario_viewer_may(s, FSI_OPERATOR, 0, 0) ? "JobHeldAdmin" : "JobHeldUser" };

	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, hold_one_job, &h);
}

int fsi_slurm_run_uhold(struct fsi_scenario *s, size_t at)
{
	struct hold_request h = { "JobHeldUser" };

	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, hold_one_job, &h);
}

int fsi_slurm_run_release(struct fsi_scenario *s, size_t at)
{
	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, release_one_job, NULL);
}

/* ---- scancel and requeue (src/slurmctld/job_mgr.c: job_signal_id, _job_requeue_op, batch_requeue_fini) */

/* The conditions in the options of scancel. A job is selected if it meets all of them (src/scancel/opt.c; scancel.c:
 * _filter_job_records). NULL: no condition. */
struct scancel_filter {
	const char *account, *name, *partition, *state, *user;
};

static const struct {
	const char *letter, *word;
	size_t at;
} scancel_options[] = {
	{ "-A", "--account", offsetof(struct scancel_filter, account) },
	{ "-n", "--name", offsetof(struct scancel_filter, name) },
	{ "-p", "--partition", offsetof(struct scancel_filter, partition) },
	{ "-t", "--state", offsetof(struct scancel_filter, state) },
	{ "-u", "--user", offsetof(struct scancel_filter, user) },
};

static bool has_job_state(const struct fsi_job *j, const char *state)
{
	static const struct {
		const char *brief, *word;
		enum fsi_job_state state;
	} states[] = { { "PD", "PENDING", FSI_STATE_PENDING },
		       { "R", "RUNNING", FSI_STATE_RUNNING },
		       { "S", "SUSPENDED", FSI_STATE_SUSPENDED } };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (j->state == states[i].state && (fsi_is_same_ignoring_case(state, strlen(state), states[i].brief) ||
						    fsi_is_same_ignoring_case(state, strlen(state), states[i].word)))
			return true;
	return false;
}

static bool is_selected_job(const fs_snapshot *m, const struct fsi_job *j, const struct scancel_filter *c)
{
	return (!c->account || !strcmp(fsi_name_text(m, j->account), c->account)) &&
	       (!c->name || !strcmp(fsi_name_text(m, j->name), c->name)) &&
	       (!c->partition || fsi_list_has_word(m, j->partitions, c->partition)) &&
	       (!c->state || has_job_state(j, c->state)) &&
	       (!c->user || !strcmp(fsi_name_text(m, j->user), c->user));
}

static int cancel_selected_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	if (fsi_job_has_ended(j) || !is_selected_job(s->m, j, ctx) || !fsi_viewer_may_see_job(&s->viewer, j))
		return 0;
	fsi_scenario_note_privilege(s, FSI_OWNER, j->user, j->account, fsi_scenario_job_prefix(s, j));
	return fsi_scenario_cancel_job(s, j);
}

/* Parses the option of scancel at s->words[*at], such as "-u dana", "--user=dana" or "--me", and moves *at to the next
 * word. */
static int parse_scancel_option(struct fsi_scenario *s, size_t *at, struct scancel_filter *c)
{
	const char *word = s->words[*at], *value = NULL;

	if (!strcmp(word, "--me")) {
		c->user = s->o->viewer ? s->o->viewer : "root";
		++*at;
		return 0;
	}
	for (size_t i = 0; i < sizeof(scancel_options) / sizeof(*scancel_options); i++) {
		const size_t len = strlen(scancel_options[i].word);
		const bool is_exact =
			!strcmp(word, scancel_options[i].letter) || !strcmp(word, scancel_options[i].word);

		if (!is_exact && (strncmp(word, scancel_options[i].word, len) != 0 || word[len] != '='))
			continue;
		value = is_exact ? (*at + 1 < s->n ? s->words[++*at] : "") : word + len + 1;
		if (!*value)
			return fsi_scenario_refuse(s, "scancel: %s requires a value", scancel_options[i].word);
		memcpy((char *)c + scancel_options[i].at, &value, sizeof(value));
		++*at;
		return 0;
	}
	return fsi_scenario_refuse(s, "scancel: option %.60s is not supported; use -A, -n, -p, -t, -u or --me", word);
}

int fsi_slurm_run_scancel(struct fsi_scenario *s, size_t at)
{
	const size_t first = at;
	struct scancel_filter c = { 0 };
	int rc = 0;

	while (at < s->n && s->words[at][0] == '-' && !rc)
		rc = parse_scancel_option(s, &at, &c);
	if (rc || at < s->n || at == first)
		return rc ? rc : edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, cancel_selected_job, &c);
	for (size_t i = 0; i < s->m->job.n && !rc; i++)
		rc = cancel_selected_job(s, &s->m->job.v[i], &c);
	fsi_scenario_remove_cancelled(s);
	return rc;
}

/* ---- scontrol requeue */

/* Returns the minimum number of seconds that a requeued job waits. A requeued job waits until the credential of its
 * last run has expired (src/slurmctld/job_mgr.c: batch_requeue_fini; src/common/slurm_cred.c). From release 25.11 on,
 * SchedulerParameters=requeue_delay sets the wait instead. */
static int64_t get_requeue_delay(const fs_snapshot *m)
{
	static const char key[] = "requeue_delay=";
	const int64_t credential_s = 120;
	const char *params = fs_snapshot_config_text(m, "SchedulerParameters");
	const char *delay =
		params && fs_slurm_has(m->info.version, FS_SLURM_REQUEUE_DELAY) ? strstr(params, key) : NULL;

	return delay ? strtol(delay + strlen(key), NULL, 10) : credential_s + 1;
}

/* Requeues a running job. `ctx`: pointer to a bool; if the bool is true, the job is held afterwards. */
static int requeue_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const uint32_t held = fsi_name_intern(s->m, "JobHeldUser");

	if (held == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	if (j->state == FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is already pending", (unsigned long long)j->id);
	if (fsi_job_has_ended(j))
		return fsi_scenario_refuse(s, "job %llu has ended and cannot be requeued: its request is no longer known",
					   (unsigned long long)j->id);
	fsi_scenario_note_privilege(s, FSI_OWNER, j->user, j->account, fsi_scenario_job_prefix(s, j));
	fsi_scenario_note(s,
			  "%sonly a batch job that allows requeueing can be requeued; the snapshot does not "
			  "show whether this job is one",
			  fsi_scenario_job_prefix(s, j));
	if (fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	j->state = FSI_STATE_PENDING;
	j->submit_time = s->m->info.time;
	j->eligible_time = s->m->info.time + get_requeue_delay(s->m);
	j->restarts++;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, restarts);
	FSI_CLEAR_FIELD(j, JOB, accrue_time);
	FSI_CLEAR_FIELD(j, JOB, accruing);
	FSI_CLEAR_FIELD(j, JOB, tres_alloc);
	FSI_CLEAR_FIELD(j, JOB, node_list);
	FSI_CLEAR_FIELD(j, JOB, looked_at_by);
	if (*(const bool *)ctx)
		hold_with_reason(s, j, held);
	fsi_slurm_drop_recorded(s, j);
	return 0;
}

int fsi_slurm_run_requeue(struct fsi_scenario *s, size_t at)
{
	bool hold = false;

	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, requeue_one_job, &hold);
}

/* Runs "requeuehold [State=SpecialExit] 12" (src/scontrol/info_job.c: scontrol_requeue_hold). Whether the held job gets
 * the reason JobHeldUser or the state SpecialExit makes no difference for this library. */
int fsi_slurm_run_requeuehold(struct fsi_scenario *s, size_t at)
{
	static const char state[] = "State=SpecialExit";
	bool hold = true;

	if (at < s->n && fsi_is_same_ignoring_case(s->words[at], strlen(s->words[at]), state))
		at++;
	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, requeue_one_job, &hold);
}

/* ---- suspend and resume (src/slurmctld/job_mgr.c: job_suspend2, _job_suspend_op). A suspended job frees its CPUs for
 * other jobs and keeps its other resources (select/cons_tres: select_p_job_suspend). With gang scheduling a suspended
 * job keeps its CPUs too, because jobs run on the same CPUs in turn. The time during which a job is suspended does not
 * count against its time limit. */

static int refuse_job_state(struct fsi_scenario *s, const struct fsi_job *j, const char *why)
{
	return fsi_scenario_refuse(s, "job %llu %s", (unsigned long long)j->id, why);
}

static int change_suspended_cpus(struct fsi_scenario *s, const struct fsi_job *j, bool back)
{
	const char *mode = fs_snapshot_config_text(s->m, "PreemptMode");

	return mode && (strstr(mode, "SUSPEND") || strstr(mode, "GANG")) ? 0
									 : fsi_scenario_change_node_cpus(s, j, back);
}

/* Records that the job is suspended or resumed at the present time. `ran`: run time of the job so far, in seconds;
 * FS_UNKNOWN: unknown. Returns -1 if out of memory. */
static int record_run_time(struct fsi_scenario *s, struct fsi_job *j, int64_t ran)
{
	if (ran == FS_UNKNOWN || ran > UINT32_MAX) {
		FSI_CLEAR_JOB_EXT(s->m, j, pre_suspend_s);
		FSI_CLEAR_JOB_EXT(s->m, j, suspend_time);
		return 0;
	}
	if (FSI_SET_JOB_EXT(s->m, j, suspend_time, s->m->info.time))
		return -1;
	return FSI_SET_JOB_EXT(s->m, j, pre_suspend_s, (uint32_t)ran);
}

static int stop_limit_clock(struct fsi_scenario *s, struct fsi_job *j)
{
	return record_run_time(s, j, fsi_job_run_time_s(s->m, j));
}

/* Sets the end time of a resumed job: now plus the part of its time limit that is left. */
static int start_limit_clock(struct fsi_scenario *s, struct fsi_job *j)
{
	const int64_t ran = fsi_job_run_time_s(s->m, j);

	if (ran == FS_UNKNOWN)
		fsi_scenario_note(s, "%sthe job ends later than shown, because the length of its suspension is unknown",
				  fsi_scenario_job_prefix(s, j));
	else if (FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		FSI_PUT(j, JOB, end_time, s->m->info.time + j->time_limit_s - ran);
	return record_run_time(s, j, ran);
}

static int suspend_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (j->state != FSI_STATE_RUNNING)
		return refuse_job_state(s, j, "is not running, so it cannot be suspended");
	fsi_scenario_note_privilege(s, FSI_OPERATOR, 0, 0, fsi_scenario_job_prefix(s, j));
	fsi_scenario_note(s,
			  "%ssuspended time does not count towards the time limit, so the end moves later until "
			  "the job is resumed",
			  fsi_scenario_job_prefix(s, j));
	if (stop_limit_clock(s, j))
		return fsi_fail_no_memory(s->err);
	j->state = FSI_STATE_SUSPENDED;
	j->priority = 0;
	FSI_SET(j, JOB, priority);
	return change_suspended_cpus(s, j, false);
}

static int resume_one_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (j->state != FSI_STATE_SUSPENDED)
		return refuse_job_state(s, j, "is not suspended, so it cannot be resumed");
	fsi_scenario_note_privilege(s, FSI_OPERATOR, 0, 0, fsi_scenario_job_prefix(s, j));
	if (start_limit_clock(s, j))
		return fsi_fail_no_memory(s->err);
	j->state = FSI_STATE_RUNNING;
	FSI_CLEAR_FIELD(j, JOB, priority);
	return change_suspended_cpus(s, j, true);
}

int fsi_slurm_run_suspend(struct fsi_scenario *s, size_t at)
{
	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, suspend_one_job, NULL);
}

int fsi_slurm_run_resume(struct fsi_scenario *s, size_t at)
{
	return edit_named_jobs(s, at, FSI_TASKS_SPLIT_OFF, resume_one_job, NULL);
}

/* ---- top (src/slurmctld/job_mgr.c: job_set_top, _set_top) */

enum { MAX_TOP_JOBS = 512 };

struct top_request {
	struct fsi_scenario *s;
	struct fsi_job *job[MAX_TOP_JOBS]; /* the jobs that the command names, in the order of the command */
	size_t n;
	/* other jobs of the same user that may exchange priorities with the jobs in `job`, sorted by id, as in the
	 * controller's list of jobs */
	struct fsi_job **other_jobs;
	size_t other_count;
	uint32_t *priority; /* priorities of all jobs in `job` and `other_jobs`, highest first */
};

static int add_top_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	struct top_request *t = ctx;
	size_t n;

	(void)s;
	fsi_list_items(t->s->m, j->partitions, &n);
	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(t->s, "job %llu is not pending: it cannot be moved to the top",
					   (unsigned long long)j->id);
	if (n > 1)
		return fsi_scenario_refuse(t->s, "job %llu asks for several partitions: it cannot be moved to the top", (unsigned long long)j->id);
	if (fsi_slurm_is_held(j))
		return fsi_scenario_refuse(t->s, "job %llu is held: it cannot be moved to the top",
					   (unsigned long long)j->id);
	if (!FSI_HAS(j, JOB, priority))
		return fsi_scenario_refuse(t->s, "job %llu has no recorded priority: it cannot be moved to the top",
					   (unsigned long long)j->id);
	for (size_t i = 0; i < t->n; i++)
		if (t->job[i] == j)
			return 0;
	if (t->n == MAX_TOP_JOBS)
		return fsi_scenario_refuse(t->s, "scontrol top: the command names more than %d jobs", MAX_TOP_JOBS);
	t->job[t->n++] = j;
	return 0;
}

/* Returns true if the job may exchange priorities with the named jobs. The job must have the same user, association,
 * partition and QOS. It must also have a priority that can be lowered without becoming 0, because a priority of 0 would
 * hold the job. */
static bool is_exchangeable_job(const struct top_request *t, const struct fsi_job *j)
{
	const struct fsi_job *first = t->job[0];
	size_t n;

	for (size_t i = 0; i < t->n; i++)
		if (t->job[i] == j)
			return false;
	fsi_list_items(t->s->m, j->partitions, &n);
	return n <= 1 && j->state == FSI_STATE_PENDING && FSI_HAS(j, JOB, priority) && j->priority > 1 &&
	       fsi_job_find_assoc(t->s->m, j) == fsi_job_find_assoc(t->s->m, first) && j->account == first->account &&
	       j->partitions == first->partitions && j->qos == first->qos && j->user == first->user;
}

static int compare_priorities(const void *a, const void *b, const void *ctx)
{
	uint32_t x, y;

	(void)ctx;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x == y ? 0 : x > y ? -1 : 1;
}

static int find_other_jobs(struct top_request *t)
{
	fs_snapshot *m = t->s->m;

	t->other_jobs = fsi_arena_array(&t->s->arena, m->job.n + 1, sizeof(struct fsi_job *));
	t->priority = fsi_arena_array(&t->s->arena, m->job.n + 1, sizeof(*t->priority));
	if (!t->other_jobs || !t->priority)
		return fsi_fail_no_memory(t->s->err);
	for (size_t i = 0; i < t->n; i++)
		t->priority[i] = t->job[i]->priority;
	for (size_t i = 0; i < m->job.n; i++)
		if (is_exchangeable_job(t, &m->job.v[i])) {
			t->priority[t->n + t->other_count] = m->job.v[i].priority;
			t->other_jobs[t->other_count++] = &m->job.v[i];
		}
	return fs_sort(t->priority, t->n + t->other_count, sizeof(*t->priority), compare_priorities, NULL)
		       ? fsi_fail_no_memory(t->s->err)
		       : 0;
}

/* Adds `by` to the job's priority, and subtracts `by` from its nice value. */
static void change_job_priority(struct top_request *t, struct fsi_job *j, int64_t by)
{
	const int64_t priority = (int64_t)j->priority + by;

	j->nice -= (int32_t)by;
	FSI_SET(j, JOB, nice);
	if (FSI_HAS(j, JOB, priority_set) && j->priority_set)
		j->priority = j->priority_set = (uint32_t)priority;
	fsi_slurm_drop_recorded(t->s, j);
}

static void exchange_priorities(struct top_request *t)
{
	int64_t total = 0, last = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t next = t->priority[i], by;

		if (i && next == last && last > 2)
			next = last - 1;
		last = next;
		by = next - t->job[i]->priority;
		total += by;
		change_job_priority(t, t->job[i], by);
	}
	for (size_t i = 0; i < t->other_count; i++) {
		const int64_t was = t->other_jobs[i]->priority;
		int64_t less = total / (int64_t)(t->other_count - i);

		if (was - less >= last)
			less = was - (last - 1);
		total -= less;
		change_job_priority(t, t->other_jobs[i], -less);
	}
}

bool fsi_slurm_has_user_top(const fs_snapshot *m)
{
	const char *params = fs_snapshot_config_text(m, "SchedulerParameters");

	return params && strstr(params, "enable_user_top");
}

int fsi_slurm_run_top(struct fsi_scenario *s, size_t at)
{
	struct top_request t = { .s = s };
	int rc = edit_named_jobs(s, at, FSI_TASKS_UNSPLIT, add_top_job, &t);

	if (!rc)
		rc = find_other_jobs(&t);
	if (rc)
		return rc;
	for (size_t i = 0; i < t.n; i++)
		fsi_scenario_note_privilege(s, fsi_slurm_has_user_top(s->m) ? FSI_OWNER : FSI_OPERATOR, t.job[i]->user,
					    0, fsi_scenario_job_prefix(s, t.job[i]));
	exchange_priorities(&t);
	return 0;
}
