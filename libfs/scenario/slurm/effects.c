/* Effects of commands on jobs: splits off array tasks, finds jobs by id, and changes the age, TRES, billing,
 * association, recorded values and size of a job. */
#include "base/hostlist.h"
#include "base/memory.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/records/limit_names.h"
#include "model/scheduler.h"
#include "scenario/slurm/slurm.h"
#include "usage/billing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- array tasks: if a command names some tasks of a record that has several tasks, each named task gets a record of
 * its own (src/slurmctld/job_mgr.c: update_job_str, job_array_split) */

/* MAX_LISTED_TASKS: more than any MaxArraySize; MAX_NEW_RECORDS: maximum number of records that one command may add. */
enum { MAX_LISTED_TASKS = 4000001, MAX_NEW_RECORDS = 100000 };

/* Returns FSI_NAMED_ALL, FSI_NAMED_SOME or FSI_NAMED_NONE: whether all, some or none of the record's array tasks are in
 * the task list `named`, such as "3,5-7". */
static enum fsi_task_match match_task_list(const fs_snapshot *m, const struct fsi_job *j, const char *named)
{
	const char *at = fsi_name_text(m, j->array_tasks);
	bool all = true, any = false;
	struct fsi_tasks t;
	int rc = 0;

	while ((rc = fsi_tasks_parse_next(&at, &t)) > 0)
		for (uint64_t i = 0; i < fsi_tasks_count_range(&t) && t.last <= MAX_LISTED_TASKS; i++) {
			const bool listed = fsi_is_task_listed(named, t.first + i * t.step);

			all = all && listed;
			any = any || listed;
		}
	return !any ? FSI_NAMED_NONE : all && !rc ? FSI_NAMED_ALL : FSI_NAMED_SOME;
}

static uint32_t find_pending_array(const fs_snapshot *m, uint64_t array)
{
	for (uint32_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].array_job_id == array && m->job.v[i].array_tasks &&
		    m->job.v[i].state == FSI_STATE_PENDING)
			return i;
	return FSI_NO_INDEX;
}

/* The task list of an array record after some tasks were split off, in the form that the controller writes. */
struct remaining_tasks {
	char text[4096];
	size_t len;
	/* `first`, `last`: range of tasks that is not yet part of `text`; `n`: number of remaining tasks */
	uint64_t first, last, n;
	bool open, full;
};

static void append_list_text(struct remaining_tasks *l, const char *text)
{
	const size_t len = strlen(text);

	l->full = l->full || l->len + len >= sizeof(l->text);
	if (!l->full)
		memcpy(l->text + l->len, text, len + 1);
	l->len += l->full ? 0 : len;
}

static void write_open_range(struct remaining_tasks *l)
{
	char text[64];

	if (!l->open)
		return;
	snprintf(text, sizeof(text), l->first == l->last ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64, l->len ? "," : "",
		 l->first, l->last);
	append_list_text(l, text);
	l->open = false;
}

static void add_remaining_task(struct remaining_tasks *l, uint64_t task)
{
	if (l->open && task != l->last + 1)
		write_open_range(l);
	if (!l->open)
		l->first = task;
	l->last = task;
	l->open = true;
	l->n++;
}

/* Adds a copy of the job in `row` as a record of array task `task`, with a new id. */
static int add_task_record(struct fsi_scenario *s, uint32_t row, uint64_t task)
{
	fs_snapshot *m = s->m;
	const struct fsi_job_ext optional_fields = *fsi_job_ext(m, &m->job.v[row]);
	struct fsi_job *j;

	if (FSI_VEC_RESERVE(&m->job))
		return fsi_fail_no_memory(s->err);
	j = &m->job.v[m->job.n];
	*j = m->job.v[row];
	j->ext = 0;
	if (m->job.v[row].ext) {
		if (!fsi_job_ext_writable(m, j))
			return fsi_fail_no_memory(s->err);
		*fsi_job_ext_writable(m, j) = optional_fields;
	}
	j->id = m->job.v[m->job.n - 1].id + 1;
	j->array_task_id = (uint32_t)task;
	FSI_SET(j, JOB, array_task_id);
	FSI_CLEAR_FIELD(j, JOB, array_tasks);
	m->info.jobs = ++m->job.n;
	fsi_scenario_note(s, "task %" PRIu64 " of array %" PRIu64 " becomes job %" PRIu64, task, j->array_job_id,
			  j->id);
	return 0;
}

/* Stores the remaining tasks in the array record in `row`. If only one task remains, the record gets a task id instead
 * of a task list. `rest`: the part of the original list after the tasks, such as "%4". */
static int store_remaining_tasks(struct fsi_scenario *s, uint32_t row, struct remaining_tasks *l, const char *rest)
{
	struct fsi_job *j = &s->m->job.v[row];

	/* the scheduler treats the changed record as a job that it has not yet evaluated */
	if (FSI_HAS(j, JOB, gpu_cpus)) {
		FSI_CLEAR_JOB_EXT(s->m, j, gpu_cpus);
		FSI_CLEAR_JOB_EXT(s->m, j, size_factor);
	}
	write_open_range(l);
	if (*rest && *rest != '%')
		append_list_text(l, l->len ? "," : "");
	else if (l->n == 1) {
		j->array_task_id = (uint32_t)l->last;
		FSI_SET(j, JOB, array_task_id);
		FSI_CLEAR_FIELD(j, JOB, array_tasks);
		return 0;
	}
	append_list_text(l, rest);
	if (l->full)
		return fsi_scenario_refuse(s, "some tasks of array %" PRIu64 " cannot be changed separately: "
					   "the list of the remaining tasks is too long",
					   j->array_job_id);
	j->array_tasks = fsi_name_intern(s->m, l->text);
	return j->array_tasks == FSI_INTERN_FAILED ? fsi_fail_no_memory(s->err) : 0;
}

/* Adds a new record for each task of the record in `row` that is in the list `named`. Adds all other tasks of that
 * record to *l. Sets *rest to the part of the record's task list after the last parsed task, such as "%4". */
static int split_listed_tasks(struct fsi_scenario *s, uint32_t row, const char *named, struct remaining_tasks *l,
			      const char **rest)
{
	struct fsi_tasks t;
	int rc = 0;

	for (const char *at = *rest; !rc && fsi_tasks_parse_next(&at, &t) > 0; *rest = at)
		for (uint64_t i = 0; i < fsi_tasks_count_range(&t) && !rc; i++) {
			const uint64_t task = t.first + i * t.step;

			if (fsi_is_task_listed(named, task))
				rc = add_task_record(s, row, task);
			else
				add_remaining_task(l, task);
		}
	return rc;
}

/* Splits the tasks in `named` off the array's pending record, each as a new record at the end of the job table. Does
 * nothing if `named` lists all or none of the record's tasks. Returns FS_EUSAGE or FS_ENOMEM. */
static int split_array_tasks(struct fsi_scenario *s, uint64_t array, const char *named)
{
	const uint32_t row = find_pending_array(s->m, array);
	struct remaining_tasks *l;
	int rc = 0;

	if (row == FSI_NO_INDEX || !fsi_viewer_may_see_job(&s->viewer, &s->m->job.v[row]) ||
	    match_task_list(s->m, &s->m->job.v[row], named) != FSI_NAMED_SOME)
		return 0;
	if (fsi_count_tasks(named) > MAX_NEW_RECORDS)
		return fsi_scenario_refuse(s, "cannot change %u tasks of array %" PRIu64 " separately; the maximum is %d",
					   fsi_count_tasks(named), array, MAX_NEW_RECORDS);
	l = calloc(1, sizeof(*l));
	if (!l)
		return fsi_fail_no_memory(s->err);
	const char *rest = fsi_name_text(s->m, s->m->job.v[row].array_tasks);
	rc = split_listed_tasks(s, row, named, l, &rest);
	if (!rc)
		rc = store_remaining_tasks(s, row, l, rest);
	free(l);
	return rc;
}

/* ---- jobs by id */

/* A job in the form that commands use: "12" is a job, "12_3" and "12_[3,5-7]" are array tasks, "12+1" is a het job
 * component. */
struct named_job {
	struct fsi_job_ref word;
	char tasks[FSI_COMMAND_MAX]; /* list of array tasks; "": the command names no tasks */
};

static bool is_task_list(const char *tasks)
{
	struct fsi_tasks t;
	int rc;

	while ((rc = fsi_tasks_parse_next(&tasks, &t)) > 0)
		;
	return !rc;
}

static int parse_job_name(const fs_snapshot *m, const char *text, size_t len, struct named_job *out)
{
	const char *under = memchr(text, '_', len), *tasks = under ? under + 1 : text + len, *end = text + len;
	const bool bracket = end - tasks > 1 && *tasks == '[' && end[-1] == ']';
	char word[64];

	snprintf(out->tasks, sizeof(out->tasks), "%.*s", (int)(end - tasks) - 2 * bracket, tasks + bracket);
	if (under && (!*out->tasks || !is_task_list(out->tasks)))
		return -1;
	len = under ? (size_t)(under - text) : len;
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
	return fsi_job_ref_parse(m, word, &out->word);
}

/* Returns true if `name` refers to the job. The id of the first component of a het job refers to all components
 * (src/slurmctld/job_mgr.c: update_job_str). For scontrol top, it refers to the first component only, and a name with
 * an offset such as "12+1" refers to no job (job_set_top). */
static bool is_named_job(const fs_snapshot *m, const struct fsi_job *j, const struct named_job *name,
			 enum fsi_task_handling tasks)
{
	const uint64_t id = name->word.id;
	const bool top = tasks == FSI_TASKS_UNSPLIT;

	if (name->word.has_offset)
		return !top && fsi_job_ref_match(m, j, &name->word) == 3;
	if (!*name->tasks)
		return j->id == id || (FSI_HAS(j, JOB, array_job_id) && j->array_job_id == id) ||
		       (id && !top && fsi_job_ext(m, j)->het_job_id == id);
	if (j->array_job_id != id)
		return false;
	if (FSI_HAS(j, JOB, array_task_id))
		return fsi_is_task_listed(name->tasks, j->array_task_id);
	const enum fsi_task_match named = match_task_list(m, j, name->tasks);

	return named == FSI_NAMED_ALL || (named && top);
}

/* Calls fn for each job to which the name refers, in reverse order of the job table. Adds the number of jobs and array
 * tasks to *ntasks. */
static int edit_matching_jobs(struct fsi_scenario *s, const struct named_job *name, enum fsi_task_handling tasks,
			      fsi_job_edit_fn fn, void *ctx, size_t *ntasks)
{
	fs_snapshot *m = s->m;
	int rc = *name->tasks && tasks == FSI_TASKS_SPLIT_OFF ? split_array_tasks(s, name->word.id, name->tasks) : 0;

	for (size_t i = m->job.n; i-- && !rc;)
		if (is_named_job(m, &m->job.v[i], name, tasks) && fsi_viewer_may_see_job(&s->viewer, &m->job.v[i])) {
			*ntasks += !*name->tasks || FSI_HAS(&m->job.v[i], JOB, array_task_id)
					  ? 1
					  : fsi_count_tasks(fsi_name_text(m, m->job.v[i].array_tasks));
			rc = fn(s, &m->job.v[i], ctx);
		}
	return rc;
}

/* Returns the length of the first name in a list such as "12_[3,5],14", up to the comma that ends the name. */
static size_t get_name_length(const char *list)
{
	const size_t len = strcspn(list, ",["), inside = list[len] == '[' ? strcspn(list + len, "]") : 0;

	return len + inside + strcspn(list + len + inside, ",");
}

int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, enum fsi_task_handling tasks, fsi_job_edit_fn fn,
		       void *ctx)
{
	struct named_job *name = fsi_arena_array(&s->arena, 1, sizeof(*name));
	int rc = name ? 0 : fsi_fail_no_memory(s->err);

	if (!*list)
		return fsi_scenario_refuse(s, "expected a job id");
	for (; *list && !rc; list += strspn(list, ",")) {
		const size_t len = get_name_length(list);
		const int shown = (int)(len < 60 ? len : 60);
		size_t ntasks = 0;

		if (parse_job_name(s->m, list, len, name))
			return fsi_scenario_refuse(s, "invalid job id \"%.*s\"", shown, list);
		rc = edit_matching_jobs(s, name, tasks, fn, ctx, &ntasks);
		fsi_scenario_remove_cancelled(s);
		if (!rc && !ntasks)
			rc = fsi_scenario_refuse(s, "job %.*s is not in the snapshot", shown, list);
		else if (!rc && *name->tasks && tasks == FSI_TASKS_SPLIT_OFF && ntasks < fsi_count_tasks(name->tasks))
			fsi_scenario_note(s, "not all tasks of %.*s are in the snapshot; the others are changed", shown, list);
		list += len;
	}
	return rc;
}

bool fsi_slurm_is_held(const struct fsi_job *j)
{
	return j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT ||
	       (FSI_HAS(j, JOB, priority) && !j->priority);
}

/* ---- age */

static bool is_age_unaffected(const fs_snapshot *m)
{
	return !fsi_config_list_has(m, "AccountingStorageEnforce", "limits") ||
	       fsi_config_list_has(m, "PriorityFlags", "ACCRUE_ALWAYS");
}

static bool has_assoc_accrue_limit(const fs_snapshot *m, uint32_t i)
{
	if (i != FSI_NO_INDEX && FSI_HAS(&m->association.v[i], ASSOCIATION, max_jobs_accrue))
		return true;
	for (; i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (FSI_HAS(&m->association.v[i], ASSOCIATION, grp_jobs_accrue))
			return true;
	return false;
}

static bool has_accrue_limit(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_qos *q = fsi_job_first_qos(m, j);

	return has_assoc_accrue_limit(m, fsi_job_find_assoc(m, j)) ||
	       (q && (FSI_HAS(q, QOS, grp_jobs_accrue) || FSI_HAS(q, QOS, max_jobs_accrue_per_user) ||
		      FSI_HAS(q, QOS, max_jobs_accrue_per_account)));
}

void fsi_slurm_change_age(struct fsi_scenario *s, struct fsi_job *j, enum fsi_age age)
{
	const int64_t now = s->m->info.time;
	const bool aged = FSI_HAS(j, JOB, accrue_time) && j->accrue_time < now;

	if (is_age_unaffected(s->m))
		return;
	if (age == FSI_AGE_INTERRUPTED && !has_accrue_limit(s->m, j)) {
		s->age_interrupted = true;
		if (s->o->at_once)
			FSI_PUT(j, JOB, accruing, false);
		if (aged)
			fsi_scenario_note(s, "%sits age counts as 0 until the next priority calculation, within %lld s",
					  fsi_scenario_job_prefix(s, j), (long long)fsi_priority_calc_period(s->m));
		return;
	}
	if (aged)
		fsi_scenario_note(s, "%sits age starts again at 0", fsi_scenario_job_prefix(s, j));
	FSI_CLEAR_FIELD(j, JOB, accruing);
	FSI_CLEAR_FIELD(j, JOB, accrue_time);
	if (!fsi_slurm_is_held(j) && !j->dependency && FSI_HAS(j, JOB, eligible_time) && !has_accrue_limit(s->m, j)) {
		j->accrue_time = j->eligible_time > now ? j->eligible_time : now;
		FSI_SET(j, JOB, accrue_time);
	}
}

/* ---- TRES and billing */

uint32_t fsi_slurm_requested_nodes(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t node = fsi_name_find(m, "node");
	const int64_t asked = node ? fsi_amount_of_tres(m, j->tres_req, node) : 0;

	if (asked > 0 && asked < UINT32_MAX)
		return (uint32_t)asked;
	return j->nodes ? j->nodes : 1;
}

static int set_requested_amount(struct fsi_scenario *s, struct fsi_job *j, uint32_t tres, int64_t amount)
{
	const uint32_t set = fsi_scenario_set_amount(s->m, j->tres_req, tres, amount ? amount : -1);

	if (set == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	j->tres_req = set;
	FSI_SET(j, JOB, tres_req);
	return 0;
}

/* Sets the job's billing from its requested TRES and its first partition. Returns FS_ENOMEM if out of memory. */
static int update_job_billing(struct fsi_scenario *s, struct fsi_job *j)
{
	struct fsi_billing b;
	struct fs_bill bill;
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(s->m, j->tres_req, &n);

	if (fsi_billing_init(&b, s->m, &s->arena))
		return fsi_fail_no_memory(s->err);
	if (!b.billing || !FSI_HAS(j, JOB, tres_req))
		return 0;
	fsi_billing_compute(&b, b.mode, fsi_partition_row(s->m, fsi_job_first_partition(s->m, j)), a, n, &bill);
	return set_requested_amount(s, j, b.billing, fsi_scenario_rate_to_amount(bill.rate));
}

/* Clears the job's size_factor, which is computed from the CPUs that the job had when it was last evaluated. Keeps the
 * factor if `tres` is memory and the amount does not grow, because less memory does not change the number of CPUs
 * (select/cons_tres/job_test.c: _job_test sets total_cpus). */
int fsi_slurm_request_tres(struct fsi_scenario *s, struct fsi_job *j, uint32_t tres, int64_t amount)
{
	const bool less = tres == fsi_name_find(s->m, "mem") && amount <= fsi_amount_of_tres(s->m, j->tres_req, tres);
	const int rc = set_requested_amount(s, j, tres, amount);

	if (!less)
		FSI_CLEAR_JOB_EXT(s->m, j, size_factor);
	return rc ? rc : update_job_billing(s, j);
}

int fsi_slurm_scale_gres(struct fsi_scenario *s, struct fsi_job *j, uint32_t times, uint32_t by)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(s->m, j->tres_req, &n);

	for (size_t i = n; i--; a = fsi_amount_items(s->m, j->tres_req, &n))
		if (!strncmp(fsi_name_text(s->m, a[i].tres), "gres/", strlen("gres/")) &&
		    fsi_slurm_request_tres(s, j, a[i].tres, fsi_scenario_scale_amount(a[i].n, times, by)))
			return FS_ENOMEM;
	if (!times)
		FSI_CLEAR_JOB_EXT(s->m, j, gres_req);
	return 0;
}

int fsi_slurm_save_gpu_cpus(struct fsi_scenario *s, struct fsi_job *j)
{
	const uint32_t p = fsi_partition_row(s->m, fsi_job_first_partition(s->m, j)),
		       nodes = fsi_slurm_requested_nodes(s->m, j);
	struct fsi_request_settings r;

	if (!FSI_HAS(j, JOB, last_sched_eval) || FSI_HAS(j, JOB, gpu_cpus) || p == FSI_NO_INDEX)
		return 0;
	if (fsi_request_settings_init(&r, s->m, &s->arena))
		return fsi_fail_no_memory(s->err);
	if (fsi_job_requested_amount(s->m, j, r.gpu) <= 0)
		return 0;
	const uint64_t all = fsi_request_in_partition(&r, j, p, nodes).gpu_cpus * nodes;
	const uint32_t cpus = all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;

	return FSI_SET_JOB_EXT(s->m, j, gpu_cpus, cpus) ? fsi_fail_no_memory(s->err) : 0;
}

static int set_named_amount(struct fsi_scenario *s, struct fsi_job *j, const char *tres, int64_t amount)
{
	const uint32_t name = fsi_name_intern(s->m, tres);

	return name == FSI_INTERN_FAILED ? fsi_fail_no_memory(s->err) : set_requested_amount(s, j, name, amount);
}

int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *j, uint32_t cpus)
{
	j->cpus = cpus;
	FSI_SET(j, JOB, cpus);
	FSI_CLEAR_JOB_EXT(s->m, j, size_factor);
	return set_named_amount(s, j, "cpu", cpus) ? FS_ENOMEM : update_job_billing(s, j);
}

int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *j, uint32_t nodes)
{
	j->nodes = nodes;
	FSI_SET(j, JOB, nodes);
	FSI_CLEAR_JOB_EXT(s->m, j, size_factor);
	return set_named_amount(s, j, "node", nodes) ? FS_ENOMEM : update_job_billing(s, j);
}

/* ---- association */

int fsi_slurm_charge_account(struct fsi_scenario *s, struct fsi_job *j, uint32_t account)
{
	fs_snapshot *m = s->m;
	size_t n;
	const uint32_t *names = fsi_list_items(m, j->partitions, &n);
	uint32_t i = n ? fsi_assoc_find_by_names(m, account, j->user, names[0]) : FSI_NO_INDEX;

	if (i == FSI_NO_INDEX)
		i = fsi_assoc_find_by_names(m, account, j->user, 0);
	if (i == FSI_NO_INDEX && fsi_config_list_has(m, "AccountingStorageEnforce", "associations") &&
	    m->association.n && !fsi_is_type_hidden(m, "association"))
		return fsi_scenario_refuse(s, "user %s has no association with account %s", fsi_name_text(m, j->user),
					   fsi_name_text(m, account));
	j->account = account;
	FSI_SET(j, JOB, account);
	FSI_CLEAR_FIELD(j, JOB, association);
	if (i != FSI_NO_INDEX) {
		j->association = m->association.v[i].id;
		FSI_SET(j, JOB, association);
	}
	return 0;
}

/* Returns true if the tasks of the record wait for the task limit of their array. The scheduler has then cleared their
 * eligible time (src/slurmctld/job_scheduler.c: job_independent). */
static bool is_at_task_limit(const fs_snapshot *m, const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING && j->array_tasks && !FSI_HAS(j, JOB, eligible_time) &&
	       FSI_HAS(j, JOB, reason) && !strcmp(fsi_name_text(m, j->reason), "JobArrayTaskLimit");
}

void fsi_slurm_drop_recorded(struct fsi_scenario *s, struct fsi_job *j)
{
	const bool interrupted = s->age_interrupted;

	s->age_interrupted = false;
	fsi_scenario_drop_recorded(s, j->id);
	if (j->state != FSI_STATE_PENDING)
		return;
	FSI_CLEAR_FIELD(j, JOB, start_time);
	FSI_CLEAR_FIELD(j, JOB, end_time);
	FSI_CLEAR_FIELD(j, JOB, sched_nodes);
	FSI_CLEAR_JOB_EXT(s->m, j, row_order);
	if (fsi_slurm_is_held(j))
		return;
	if (!is_at_task_limit(s->m, j))
		FSI_CLEAR_FIELD(j, JOB, reason);
	if (FSI_HAS(j, JOB, priority_set) && j->priority_set)
		return;
	FSI_CLEAR_FIELD(j, JOB, priority);
	/* an update computes the job's priority at once, with the age that the job has then (src/slurmctld/job_mgr.c:
	 * _update_job, set_job_prio) */
	if (!interrupted && FSI_SET_JOB_EXT(s->m, j, priority_time, s->m->info.time))
		s->out_of_memory = true;
}

/* ---- limits of associations and QOS */

#define LIMIT_KEYWORD(member, type, name, column, shown, word, order, measure, counted) { name, word, #member },
static const struct {
	/* `limit`: name of the limit; `word`: keyword of sacctmgr that sets the limit; `field`: field of the record
	 * that has the limit */
	const char *limit, *word, *field;
} limit_keywords[] = { FSI_ASSOC_GROUP_LIMITS(LIMIT_KEYWORD) FSI_ASSOC_OWN_LIMITS(LIMIT_KEYWORD)
			       FSI_QOS_LIMITS(LIMIT_KEYWORD) FSI_QOS_RUN_MINUTE_LIMITS(LIMIT_KEYWORD) };
#undef LIMIT_KEYWORD

const char *fsi_slurm_find_limit_keyword(const char *limit)
{
	for (size_t i = 0; i < sizeof(limit_keywords) / sizeof(*limit_keywords); i++)
		if (!strcmp(limit_keywords[i].limit, limit))
			return limit_keywords[i].word;
	return NULL;
}

bool fsi_slurm_is_limit_field(const char *limit, const char *field)
{
	for (size_t i = 0; i < sizeof(limit_keywords) / sizeof(*limit_keywords); i++)
		if (!strcmp(limit_keywords[i].limit, limit) && !strcmp(limit_keywords[i].field, field))
			return true;
	return false;
}

/* ---- recorded values of all jobs */

bool fsi_slurm_changes_priorities(const char *keyword)
{
	static const char *const prefixes[] = { "Priority", "Fairshare", "Shares", "RawUsage", "Usage", "TRESBillingWeights",
						"GrpJobsAccrue", "MaxJobsAccrue", "MinPrioThresh", "Nodes", "Flags" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		const size_t len = strlen(prefixes[i]);

		if (strlen(keyword) >= len && fsi_is_same_ignoring_case(keyword, len, prefixes[i]))
			return true;
	}
	return false;
}

void fsi_slurm_drop_all_recorded(struct fsi_scenario *s)
{
	fsi_scenario_drop_recorded(s, 0);
	for (size_t i = 0; i < s->m->job.n; i++) {
		struct fsi_job *j = &s->m->job.v[i];

		if (j->state == FSI_STATE_PENDING && !fsi_slurm_is_held(j) && !j->priority_set)
			FSI_CLEAR_FIELD(j, JOB, priority);
	}
}

/* ---- task limits of arrays (ArrayTaskThrottle) */

/* Returns the array id of each running array task, sorted, and sets *n to the number of running array tasks. Returns
 * NULL if out of memory. */
static uint64_t *list_running_arrays(struct fsi_scenario *s, size_t *n)
{
	uint64_t *array = fsi_arena_array(&s->arena, s->m->job.n + 1, sizeof(*array));

	*n = 0;
	for (size_t i = 0; array && i < s->m->job.n; i++)
		if (s->m->job.v[i].array_job_id && fsi_job_is_allocated(&s->m->job.v[i]))
			array[(*n)++] = s->m->job.v[i].array_job_id;
	if (array && *n)
		qsort(array, *n, sizeof(*array), fsi_compare_rising_u64);
	return array;
}

/* Returns true if one more task of the record's array may run under the task limit of the array. `running`: sorted list
 * of n array ids, one for each running array task. */
static bool is_throttle_open(const fs_snapshot *m, const struct fsi_job *j, const uint64_t *running, size_t n)
{
	const char *percent = strchr(fsi_name_text(m, j->array_tasks), '%');
	const uint64_t max = percent ? strtoull(percent + 1, NULL, 10) : 0,
		       array = j->array_job_id ? j->array_job_id : j->id;
	const uint64_t *match = n ? bsearch(&array, running, n, sizeof(*running), fsi_compare_rising_u64) : NULL;
	size_t at = match ? (size_t)(match - running) : n;

	while (match && at && running[at - 1] == array)
		at--;
	return !max || n - at < max || running[at + max - 1] != array;
}

int fsi_slurm_release_throttled(struct fsi_scenario *s)
{
	uint64_t *running = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->m->job.n; i++) {
		struct fsi_job *j = &s->m->job.v[i];

		if (!is_at_task_limit(s->m, j))
			continue;
		if (!running && !(running = list_running_arrays(s, &n)))
			return fsi_fail_no_memory(s->err);
		if (!is_throttle_open(s->m, j, running, n))
			continue;
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
		fsi_slurm_drop_recorded(s, j);
	}
	return 0;
}

/* ---- job size (src/slurmctld/job_mgr.c: _update_job, _figure_out_num_tasks) */

static void set_job_tasks(struct fsi_job *j, uint32_t tasks)
{
	j->tasks = tasks;
	FSI_SET(j, JOB, tasks);
}

/* Returns the lowest number of CPUs with which the job can run. Each task needs its CPUs per task; there is at least
 * one task per node. Each node also needs the job's minimum number of CPUs per node. */
static uint64_t compute_min_cpus(const struct fsi_job *j, uint32_t nodes)
{
	const uint32_t each = j->cpus_per_task ? j->cpus_per_task : 1, tasks = j->tasks > nodes ? j->tasks : nodes;
	const uint64_t by_task = (uint64_t)tasks * each, by_node = (uint64_t)j->min_cpus_per_node * nodes;

	return by_task > by_node ? by_task : by_node;
}

/* Returns the memory of the first node in the job's first partition. The controller uses this amount for a job that
 * asks for all memory of its nodes (src/slurmctld/job_mgr.c: job_get_tres_mem, _mem_per_node_part). */
static int64_t get_first_node_memory(const fs_snapshot *m, const struct fsi_job *j)
{
	size_t n;
	const uint32_t *partitions = fsi_list_items(m, j->partitions, &n);

	for (size_t i = 0; n && i < m->node.n; i++)
		if (fsi_list_has_word(m, m->node.v[i].partitions, fsi_name_text(m, partitions[0])))
			return (int64_t)m->node.v[i].mem_mb;
	return 0;
}

static int update_job_memory(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z,
			     uint32_t nodes_before)
{
	const uint32_t mem = fsi_name_intern(s->m, "mem"), nodes = fsi_slurm_requested_nodes(s->m, j);
	const bool wants_all_memory = z->mem_by_node && !z->mem_mb;
	int64_t all;

	if (mem == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	if (z->has_mem && wants_all_memory != fsi_job_ext(s->m, j)->all_memory &&
	    FSI_SET_JOB_EXT(s->m, j, all_memory, wants_all_memory))
		return fsi_fail_no_memory(s->err);
	if (z->has_mem && !wants_all_memory && fsi_job_ext(s->m, j)->no_memory)
		FSI_CLEAR_JOB_EXT(s->m, j, no_memory);
	if (z->has_mem && z->mem_by_node) {
		FSI_CLEAR_FIELD(j, JOB, mem_per_cpu_mb);
	} else if (z->has_mem) {
		j->mem_per_cpu_mb = z->mem_mb;
		FSI_SET(j, JOB, mem_per_cpu_mb);
	}
	if (FSI_HAS(j, JOB, mem_per_cpu_mb))
		all = (int64_t)j->mem_per_cpu_mb * j->cpus;
	else if (z->has_mem)
		all = (wants_all_memory ? get_first_node_memory(s->m, j) : (int64_t)z->mem_mb) * nodes;
	else
		all = fsi_scenario_scale_amount(fsi_amount_of_tres(s->m, j->tres_req, mem), nodes, nodes_before);
	return fsi_slurm_request_tres(s, j, mem, all);
}

/* Copies the number of tasks, CPUs per task, minimum CPUs per node and maximum number of nodes from *z to the job.
 * Skips values that *z does not set. */
static void copy_size_fields(struct fsi_job *j, const struct fsi_slurm_size *z)
{
	if (z->tasks)
		set_job_tasks(j, z->tasks);
	if (z->cpus_per_task) {
		j->cpus_per_task = z->cpus_per_task;
		FSI_SET(j, JOB, cpus_per_task);
	}
	if (z->has_min_cpus) {
		j->min_cpus_per_node = z->min_cpus_per_node;
		FSI_SET(j, JOB, min_cpus_per_node);
	}
	if (z->max_nodes) {
		j->max_nodes = z->max_nodes;
		FSI_SET(j, JOB, max_nodes);
	}
}

int fsi_slurm_apply_size(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z)
{
	const uint32_t tasks = j->tasks, nodes = fsi_slurm_requested_nodes(s->m, j);
	const bool sets_size = fs_slurm_has(s->m->info.version, FS_SLURM_TASKS_SET_CPUS),
		   by_tasks = sets_size && z->tasks && z->tasks != tasks;
	uint64_t cpus = z->cpus, min_cpus = 0;
	int rc = 0;

	copy_size_fields(j, z);
	if (z->nodes)
		min_cpus = compute_min_cpus(j, z->nodes);
	if (j->tasks && j->tasks < z->nodes && (by_tasks || !sets_size))
		/* each node gets at least one task; from 23.02 on, only if the same command also changes the number
		 * of tasks */
		set_job_tasks(j, z->nodes);
	const bool raised = min_cpus > (cpus ? cpus : j->cpus);

	if (raised)
		cpus = min_cpus;
	else if (!cpus)
		cpus = z->min_cpus_per_node ? (uint64_t)z->min_cpus_per_node * (z->nodes ? z->nodes : nodes)
		       : by_tasks           ? j->tasks
					    : 0;
	if (cpus > INT32_MAX)
		return fsi_scenario_refuse(s, "the job would have %llu CPUs; the maximum is %d", (unsigned long long)cpus,
					   INT32_MAX);
	if (z->nodes)
		rc = fsi_slurm_set_nodes(s, j, z->nodes);
	if (!rc && cpus)
		rc = fsi_slurm_set_cpus(s, j, (uint32_t)cpus);
	if (!rc && (raised || z->has_mem))
		rc = update_job_memory(s, j, z, nodes);
	if (!rc && by_tasks && tasks && !strcmp(fsi_name_text(s->m, fsi_job_ext(s->m, j)->gres_per), "task"))
		rc = fsi_slurm_scale_gres(s, j, j->tasks, tasks);
	return rc;
}
