/* The changes that fs_advise tries. The changes concern limits, the size and the restrictions of the request, the
 * priority, the partition, the QOS, the account, the reservation, and shares. */
#include "advise/advise.h"
#include "base/num.h"
#include "limits/limits.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/records/limit_names.h"
#include "model/scheduler.h"
#include "model/slurm.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- limits: raising the limit that blocks the job to the amount that the job needs. Only an administrator may raise
 * the limit of a QOS. Only an operator may raise the limit of an account. Before 24.05
 * (FS_SLURM_COORDINATORS_LOWER), the coordinator of an account may raise a limit of its users; above the account's own
 * limit with the same name, this has no effect. */

enum { MINUTE_S = 60, YEAR_MINUTES = 525600 };

#define LIMIT_MEASURE(member, type, name, column, shown, word, order, measure, counted) { name, FSI_##measure },
static const struct {
	const char *limit;
	enum fsi_limit_measure measure;
} limit_measures[] = { FSI_ASSOC_GROUP_LIMITS(LIMIT_MEASURE) FSI_ASSOC_OWN_LIMITS(LIMIT_MEASURE)
			       FSI_QOS_LIMITS(LIMIT_MEASURE) };
#undef LIMIT_MEASURE

/* Proposes a command that changes something other than the job. */
static int propose_other_change(struct fs_advices *a, enum fs_who who, const struct fsi_command *c,
				const struct fs_advice_change *change)
{
	int rc;

	a->other_change = *change;
	rc = fsi_advise_propose_command(a, who, c, NULL);
	a->other_change.value = FS_ADVICE_VALUE_COUNT;
	return rc;
}

/* Sets *out to what the limit measures. Returns false if the advice does not propose to raise the limit: a limit on the
 * number of queued jobs, or a minimum. */
static bool find_raisable_measure(const struct fs_explain_limit *l, enum fsi_limit_measure *out)
{
	for (size_t i = 0; i < sizeof(limit_measures) / sizeof(*limit_measures); i++)
		if (!strcmp(limit_measures[i].limit, l->name)) {
			*out = limit_measures[i].measure;
			return *out != FSI_QUEUED_JOBS && *out != FSI_MIN_TRES && !l->is_min;
		}
	return false;
}

/* Rounds up to two significant digits. */
static double round_up_amount(double amount)
{
	double step = 1;

	while (amount / step > 100)
		step *= 10;
	return ceil(amount / step) * step;
}

/* Returns the new value of the limit that lets the job start, in the unit of sacctmgr: TRES, jobs, minutes or TRES
 * minutes. The use of a limit on used minutes grows while jobs run; its new value is rounded up. */
static double compute_raised_amount(const struct fs_explain_limit *l, enum fsi_limit_measure measure)
{
	const double reserved = isnan(l->reserved_minutes) ? 0 : l->reserved_minutes,
		     wants = l->per_job ? l->wants : l->used + reserved + l->wants;

	if (measure == FSI_USED_WALL)
		return round_up_amount(wants / MINUTE_S);
	if (measure == FSI_USED_MINUTES || measure == FSI_RUN_MINUTES)
		return round_up_amount(wants);
	return ceil(measure == FSI_JOB_TIME ? wants / MINUTE_S : wants);
}

static const struct fsi_limit_kind *find_limit_kind(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return &fsi_assoc_limits[i];
	return NULL;
}

/* Returns the value of the limit of kind `k` in the association's record; INFINITY if the limit is not set. `tres`:
 * name of the TRES for a limit on TRES. */
static double get_association_limit(const fs_snapshot *m, const struct fsi_association *o,
				    const struct fsi_limit_kind *k, const char *tres)
{
	const uint32_t name = fsi_name_find(m, tres);
	const struct fsi_amount *v;
	uint32_t number;
	size_t n;

	if (!fsi_is_field_known(&o->rec, k->bit) || fsi_is_field_special(&o->rec, k->bit))
		return (double)INFINITY;
	/* the value of the limit, or the id of a TRES set if the limit is on TRES */
	memcpy(&number, (const char *)o + k->offset, sizeof(number));
	if (k->type != FSI_TRES)
		return number;
	v = fsi_amount_items(m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (v[i].tres == name)
			return (double)v[i].n;
	return (double)INFINITY;
}

static bool is_within_parent_limit(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	const uint32_t own = fsi_job_find_assoc(a->m, fsi_advise_saved_job(a));
	const uint32_t parent = own == FSI_NO_INDEX ? FSI_NO_INDEX : a->m->tree[own].parent;
	const struct fsi_limit_kind *k = find_limit_kind(l->name);

	return k && parent != FSI_NO_INDEX &&
	       amount <= get_association_limit(a->m, &a->saved.association.v[parent], k, l->tres);
}

/* Returns COORDINATOR, or OPERATOR if the job's account is known to have no coordinators. */
static enum fs_who get_coordinator_role(const struct fs_advices *a)
{
	const char *account = fsi_name_text(a->m, fsi_advise_saved_job(a)->account);
	struct fsi_viewer v;

	fsi_viewer_init(&v, a->m, a->view.viewer);
	return fsi_viewer_knows_no_coordinators(&v, account) ? FS_WHO_OPERATOR : FS_WHO_COORDINATOR;
}

static enum fs_who get_raising_role(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	if (l->scope == FS_LIMIT_QOS || l->scope == FS_LIMIT_PARTITION_QOS)
		return FS_WHO_ADMINISTRATOR;
	if (l->scope != FS_LIMIT_ASSOC || !is_within_parent_limit(a, l, amount) ||
	    fs_slurm_has(a->m->info.version, FS_SLURM_COORDINATORS_LOWER))
		return FS_WHO_OPERATOR;
	return get_coordinator_role(a);
}

/* Proposes to raise the limit to the amount that the job needs. The advice names the lowest role that may raise the
 * limit. */
static int propose_raised_limit(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	struct fsi_limit_change change = { .scope = l->scope,
					   .of = l->set_by,
					   .user = fsi_name_text(a->m, j->user),
					   .account = fsi_name_text(a->m, j->account),
					   .name = l->name,
					   .tres = l->tres };
	enum fsi_limit_measure measure;
	struct fsi_command c;

	if (!find_raisable_measure(l, &measure) || l->factor != 1)
		return 0;
	change.amount = compute_raised_amount(l, measure);
	if (!isfinite(change.amount) || change.amount <= 0 || change.amount > 1e15)
		return 0;
	fsi_command_write_limit(&c, a->m, &change);
	return propose_other_change(a, get_raising_role(a, l, change.amount), &c,
				    &(struct fs_advice_change){ FS_ADVICE_LIMIT, l->value, change.amount, l->name, NULL });
}

/* ---- smaller requests, down to a tenth of the present amount */

static int64_t get_ceiled_tenth(int64_t n)
{
	return n / 10 + (n % 10 != 0);
}

/* ---- time limit */

static void write_time_change(const struct fs_advices *a, struct fsi_command *c, int64_t minutes)
{
	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_minutes(c, a->m, FSI_CHANGE_TIME_LIMIT, minutes);
}

/* Returns true if TimeMin may give a job a shorter run time than necessary. Also returns true if the Slurm version is
 * unknown. When backfill starts a job in releases 20.02.5 to 25.05.2, backfill lowers the job's time limit to TimeMin,
 * even if more time is free (src/plugins/sched/backfill/backfill.c, from commit 2655ec414a until commit f84487acf9). */
static bool is_time_min_harmful(const fs_snapshot *m)
{
	return !m->info.version || (m->info.version >= FS_SLURM_RELEASE(20, 2, 5) &&
				    m->info.version <= FS_SLURM_RELEASE(25, 5, 2));
}

/* The advice rows from index `from` on propose time limits. For each proposed limit, also proposes to set TimeMin to
 * the same value. For a job with TimeMin, the plan reserves nodes only for TimeMin. */
static int try_time_min(struct fs_advices *a, size_t from)
{
	const size_t limits = a->row.n;
	int rc = 0;

	for (size_t i = from; i < limits && !rc; i++) {
		const char *limit = strrchr(a->row.v[i].command, '=');

		if (limit)
			rc = fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_TIME_MIN, limit + 1);
	}
	return rc;
}

static int try_shorter_time(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const bool unlimited = FSI_SPECIAL(j, JOB, time_limit_s);
	const int64_t now = unlimited ? YEAR_MINUTES : j->time_limit_s / MINUTE_S;
	const int64_t min =
		FSI_HAS(j, JOB, time_min_s) ? (fsi_advise_saved_optional(a)->time_min_s + MINUTE_S - 1) / MINUTE_S : 0;
	const int64_t from = unlimited ? 1 : get_ceiled_tenth(now);
	const size_t first_row = a->row.n;
	int rc;

	if (!FSI_HAS(j, JOB, time_limit_s))
		return 0;
	rc = fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_time_change, min > from ? min : from, now);
	if (rc || unlimited || FSI_HAS(j, JOB, time_min_s) || is_time_min_harmful(a->m))
		return rc;
	return try_time_min(a, first_row);
}

/* ---- nodes and CPUs */

static void write_nodes_change(const struct fs_advices *a, struct fsi_command *c, int64_t n)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const int64_t nodes = fsi_advise_get_nodes(a->m, fsi_advise_saved_job(a));

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_NODES, "%" PRId64, n);
	if (j->cpus % nodes == 0 && j->cpus / nodes)
		fsi_command_add_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, j->cpus / nodes * n);
	if (FSI_HAS(j, JOB, tasks) && j->tasks >= nodes && j->tasks % nodes == 0)
		fsi_command_add_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, j->tasks / nodes * n);
}

/* Proposes more nodes if the limit that blocks the job is a limit on TRES per node. */
static int propose_more_nodes(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const double nodes = ceil(l->wants * (double)fsi_advise_get_nodes(a->m, fsi_advise_saved_job(a)) / l->value);
	struct fsi_command c;

	if (!l->per_job || strcmp(l->name, "MaxTRESPerNode") != 0 || !(l->value >= 1) ||
	    !(nodes <= fsi_advise_saved_job(a)->cpus))
		return 0;
	fsi_command_begin_update(&c, a->m, a->job);
	fsi_command_add_change(&c, a->m, FSI_CHANGE_NODES, "%" PRId64, (int64_t)nodes);
	return fsi_advise_propose_command(a, FS_WHO_OWNER, &c, NULL);
}

static int64_t get_task_cpus(const struct fsi_job *j)
{
	return j->cpus_per_task && j->cpus % j->cpus_per_task == 0 ? j->cpus_per_task : 1;
}

static void write_cpus_change(const struct fs_advices *a, struct fsi_command *c, int64_t tasks)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, tasks * get_task_cpus(j));
	if (FSI_HAS(j, JOB, tasks) && j->tasks > 1)
		fsi_command_add_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, tasks);
}

static int try_fewer_cpus(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const int64_t nodes = fsi_advise_get_nodes(a->m, fsi_advise_saved_job(a)), tasks = j->cpus / get_task_cpus(j);

	if (nodes > 1)
		return fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_nodes_change, get_ceiled_tenth(nodes), nodes);
	return tasks > 1 ? fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_cpus_change, get_ceiled_tenth(tasks),
						       tasks)
			 : 0;
}

/* ---- memory and disk */

/* Returns the step in MiB by which a memory amount is reduced. Larger amounts have larger steps. */
static int64_t get_memory_step(int64_t mb)
{
	return mb >= 10240 ? 1024 : mb >= 640 ? 64 : 1;
}

static void write_memory_change(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	const bool by_cpu = FSI_HAS(fsi_advise_saved_job(a), JOB, mem_per_cpu_mb);

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, by_cpu ? FSI_CHANGE_CPU_MEMORY : FSI_CHANGE_NODE_MEMORY, "%" PRId64,
			       steps * get_memory_step(fsi_advise_get_memory(a->m, fsi_advise_saved_job(a))));
}

static int try_less_memory(struct fs_advices *a)
{
	const int64_t mb = fsi_advise_get_memory(a->m, fsi_advise_saved_job(a)), step = get_memory_step(mb);

	if (mb <= 0)
		return 0;
	return fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_memory_change, get_ceiled_tenth(mb) / step + 1,
					   (mb + step - 1) / step);
}

static void write_disk_change(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_DISK, "%" PRId64,
			       steps * get_memory_step(fsi_advise_saved_optional(a)->tmp_disk_mb));
}

static int try_less_disk(struct fs_advices *a)
{
	const int64_t mb = fsi_advise_saved_optional(a)->tmp_disk_mb, step = get_memory_step(mb);

	return mb ? fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_disk_change, get_ceiled_tenth(mb) / step + 1,
						(mb + step - 1) / step)
		  : 0;
}

/* ---- generic resources */

static bool is_gres_per_job(const struct fs_advices *a)
{
	return !strcmp(fsi_name_text(a->m, fsi_advise_saved_optional(a)->gres_per), "job");
}

/* Returns the prefix of a generic resource in scontrol's TresPer* keywords (src/common/slurm_protocol_defs.c:
 * slurm_get_next_tres). */
static const char *get_gres_prefix(const fs_snapshot *m)
{
	return fs_slurm_has(m->info.version, FS_SLURM_TRES_SLASH) ? "gres/" : "gres:";
}

/* Writes a request for `amount` of the job's generic resource. If the present request is per job, the new request is
 * per job too; otherwise it is per node. The new request names a type only if the present request names a type. Reason:
 * before 23.02, an update is merged with the present request, and a mix of requests with and without a type is
 * refused. */
static void write_gres_change(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const bool all = is_gres_per_job(a);

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, all ? FSI_CHANGE_JOB_GRES : FSI_CHANGE_GRES, "%s%s:%" PRId64,
			       all ? get_gres_prefix(a->m) : "", fsi_advise_find_gres(a->m, fsi_advise_saved_job(a), fsi_advise_saved_optional(a)).kind, amount);
}

static int try_fewer_gres(struct fs_advices *a)
{
	const int64_t nodes = is_gres_per_job(a) ? 1 : fsi_advise_get_nodes(a->m, fsi_advise_saved_job(a));
	const struct fsi_job_gres g = fsi_advise_find_gres(a->m, fsi_advise_saved_job(a), fsi_advise_saved_optional(a));

	if (!g.kind || g.several || g.n % nodes ||
	    (!is_gres_per_job(a) && *fsi_name_text(a->m, fsi_advise_saved_optional(a)->gres_per)))
		return 0;
	return fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_gres_change, 1, g.n / nodes);
}

/* ---- licenses */

/* Writes the job's license list, such as "matlab:4,ansys:2". Replaces the number of one license (a->tried_license) by
 * `amount`. */
static void write_license_change(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const char *all = fsi_name_text(a->m, fsi_advise_saved_optional(a)->licenses);

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_LICENSES, "%.*s:%" PRId64 "%s",
			       (int)(a->tried_license - all + (ptrdiff_t)strcspn(a->tried_license, ":=*,")), all,
			       amount, a->tried_license + strcspn(a->tried_license, ","));
}

/* For each license that the job requests, tries smaller numbers. A list with alternatives ("|") is not changed, because
 * it is unknown which alternative the job gets. A list with ";" is not changed either. */
static int try_fewer_licenses(struct fs_advices *a)
{
	const char *p = fsi_name_text(a->m, fsi_advise_saved_optional(a)->licenses);
	int rc = 0;

	if (strpbrk(p, "|;"))
		return 0;
	for (; *p && !rc; p += *p == ',') {
		const size_t len = strcspn(p, ","), name = strcspn(p, ":=*,");
		int64_t n;

		a->tried_license = p;
		if (name < len && !fsi_parse_i64(p + name + 1, len - name - 1, &n))
			rc = fsi_advise_propose_greatest(a, FS_WHO_OWNER, write_license_change, get_ceiled_tenth(n), n);
		p += len;
	}
	a->tried_license = NULL;
	return rc;
}

int fsi_advise_try_sizes(struct fs_advices *a)
{
	int rc = try_shorter_time(a);

	if (!rc)
		rc = try_fewer_cpus(a);
	if (!rc)
		rc = try_less_memory(a);
	if (!rc)
		rc = try_less_disk(a);
	if (!rc)
		rc = try_fewer_gres(a);
	return rc ? rc : try_fewer_licenses(a);
}

/* ---- restrictions of the request, and the begin time */

/* The maximum urgency that a guest may set in Flux. A guest is a user other than the instance owner. */
enum { MAX_GUEST_URGENCY = 16 };

static int try_without_restrictions(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const bool waits = a->unchanged.start == FS_UNKNOWN;
	const struct {
		bool has;
		enum fsi_change what;
		const char *without;
		bool removes_wait; /* the job is not eligible because of the restriction */
	} restriction[] = {
		{ FSI_HAS(j, JOB, nice) && j->nice > 0, FSI_CHANGE_NICE, "0", false },
		{ *fsi_name_text(a->m, fsi_advise_saved_optional(a)->req_nodes), FSI_CHANGE_NODE_LIST, "", false },
		{ *fsi_name_text(a->m, fsi_advise_saved_optional(a)->exc_nodes), FSI_CHANGE_EXCLUDED, "", false },
		{ *fsi_name_text(a->m, j->features), FSI_CHANGE_FEATURES, "", false },
		{ *fsi_name_text(a->m, j->dependency), FSI_CHANGE_DEPENDENCY, "", waits },
		{ *fsi_name_text(a->m, j->reservation), FSI_CHANGE_RESERVATION, "", false },
		{ FSI_HAS(j, JOB, contiguous) && j->contiguous, FSI_CHANGE_CONTIGUOUS, "0", false },
		{ strchr(fsi_name_text(a->m, j->array_tasks), '%') != NULL, FSI_CHANGE_THROTTLE, "0", waits },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(restriction) / sizeof(*restriction) && !rc; i++) {
		a->removes_wait = restriction[i].removes_wait;
		if (restriction[i].has)
			rc = fsi_advise_propose_change(a, FS_WHO_OWNER, restriction[i].what, restriction[i].without);
	}
	a->removes_wait = false;
	return rc;
}

/* Proposes to let the job begin now. The gain is measured against the plan in which the job waits for its begin
 * time. */
int fsi_advise_try_begin(struct fs_advices *a)
{
	const int64_t begins = a->begins;
	int rc;

	if (begins == FS_UNKNOWN)
		return 0;
	a->removes_wait = true;
	a->begins = a->later->begins = FS_UNKNOWN;
	a->other_change = (struct fs_advice_change){ .value = FS_ADVICE_BEGIN, .from = (double)begins,
						     .to = (double)a->m->info.time };
	rc = fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_BEGIN, "now");
	a->begins = a->later->begins = begins;
	a->removes_wait = false;
	a->other_change.value = FS_ADVICE_VALUE_COUNT;
	return rc;
}

/* ---- holds, and other jobs of the same user */

static int try_release_hold(struct fs_advices *a, const struct fs_verdict *v)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const bool lowered = FSI_HAS(j, JOB, urgency) && fsi_advise_saved_optional(a)->urgency < MAX_GUEST_URGENCY;
	const bool own = lowered || (v->kind == FS_VERDICT_HELD && v->cause == FS_VERDICT_CAUSE_OWNER);
	struct fsi_command c;
	int rc;

	if (!own && (v->kind != FS_VERDICT_HELD || v->cause != FS_VERDICT_CAUSE_ADMINISTRATOR))
		return 0;
	fsi_command_write_release(&c, a->m, a->job, own);
	a->removes_wait = true;
	rc = fsi_advise_propose_command(a, own ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
	a->removes_wait = false;
	return rc;
}

/* Proposes to hold the job that prevents an earlier start, if both jobs belong to the same user. */
static int try_hold_rival(struct fs_advices *a)
{
	const uint32_t row = a->unchanged.blocked_by ? fsi_job_find_row(a->m, a->unchanged.blocked_by) : FSI_NO_INDEX;
	const struct fsi_job *own = fsi_advise_saved_job(a);
	struct fsi_command c;

	if (row == FSI_NO_INDEX || !own->user || a->saved.job.v[row].user != own->user)
		return 0;
	fsi_command_write_hold(&c, a->m, a->unchanged.blocked_by);
	return propose_other_change(a, FS_WHO_OWNER, &c,
				    &(struct fs_advice_change){ .value = FS_ADVICE_OTHER_JOB,
								.from = (double)NAN,
								.to = (double)a->unchanged.blocked_by });
}

/* ---- priority */

/* Proposes to move the job ahead of its owner's other jobs. */
static int try_owner_top(struct fs_advices *a)
{
	const struct fsi_commands *commands = a->m->scheduler->commands;
	struct fsi_command c;

	fsi_command_write_top(&c, a->m, a->job);
	return fsi_advise_propose_command(
		a, commands->owner_may_top && commands->owner_may_top(a->m) ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
}

static int try_higher_priority(struct fs_advices *a)
{
	uint32_t max = 0;
	struct fsi_command c;
	char text[24];

	fsi_command_write_first(&c, a->m, a->job);
	if (c.len)
		return fsi_advise_propose_command(a, FS_WHO_OPERATOR, &c, NULL);
	for (size_t i = 0; i < a->saved.job.n; i++) {
		const struct fsi_job *j = &a->saved.job.v[i];

		if (j->state == FSI_STATE_PENDING && j->id != a->job && j->priority > max &&
		    j->priority < UINT32_MAX - 3)
			max = j->priority;
	}
	if (!max)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu32, max + 1);
	return fsi_advise_propose_change(a, FS_WHO_OPERATOR, FSI_CHANGE_PRIORITY, text);
}

/* ---- changes for a blocked job: releasing the job's hold, raising the limit that blocks the job, requesting more
 * nodes */

static int try_verdict_changes(struct fs_advices *a)
{
	const struct fs_queue_options o = { .view = a->view };
	struct fsi_trial t;
	struct fs_verdict v;
	fs_queue *q;
	int rc = fsi_advise_apply_command(a, NULL, &t);

	if (!rc)
		rc = fs_queue_compute(&q, a->m, &o, a->err);
	if (rc)
		return rc;
	rc = fs_queue_verdict(q, fsi_job_find_row(a->m, a->job), &v) ? fsi_fail_no_memory(a->err) : 0;
	if (!rc) {
		rc = try_release_hold(a, &v);
		if (!rc && v.limit)
			rc = propose_raised_limit(a, v.limit);
		if (!rc && v.limit)
			rc = propose_more_nodes(a, v.limit);
		fs_verdict_release(&v);
	}
	fs_queue_free(q);
	return rc;
}

int fsi_advise_try_others(struct fs_advices *a)
{
	int rc = try_without_restrictions(a);

	if (!rc)
		rc = try_hold_rival(a);
	if (!rc)
		rc = try_verdict_changes(a);
	if (!rc)
		rc = try_owner_top(a);
	return rc ? rc : try_higher_priority(a);
}

/* ---- other partitions, QOS, accounts and reservations */

static bool is_name_listed(const fs_snapshot *m, uint32_t list, uint32_t name)
{
	return name && fsi_list_has_word(m, list, fsi_name_text(m, name));
}

static const struct fsi_association *get_charged_association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_find_assoc(a->m, fsi_advise_saved_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->m->association.v[i];
}

/* Returns true if the partition accepts the job (src/slurmctld/job_mgr.c: _part_access_check, part_policy_valid_*).
 * Only one group of the job's owner is tested, because the snapshot has no other groups. */
static bool is_admitted_by_partition(const fs_snapshot *m, const struct fsi_partition *p, const struct fsi_job *j)
{
	const char *state = fsi_name_text(m, p->state);
	const uint32_t qos = fsi_list_first_item(m, j->qos);

	if ((*state && strcmp(state, "UP") != 0) || (FSI_HAS(p, PARTITION, root_only) && p->root_only))
		return false;
	if (FSI_HAS(p, PARTITION, allow_groups) && !is_name_listed(m, p->allow_groups, j->group))
		return false;
	if (FSI_HAS(p, PARTITION, allow_accounts) ? !is_name_listed(m, p->allow_accounts, j->account)
						  : is_name_listed(m, p->deny_accounts, j->account))
		return false;
	return FSI_HAS(p, PARTITION, allow_qos) ? is_name_listed(m, p->allow_qos, qos)
						: !is_name_listed(m, p->deny_qos, qos);
}

static bool is_time_limit_allowed(const struct fsi_partition *p, const struct fsi_job *j)
{
	if (!FSI_HAS(p, PARTITION, max_time_s) || FSI_SPECIAL(p, PARTITION, max_time_s))
		return true;
	return FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) && j->time_limit_s <= p->max_time_s;
}

/* Writes the names of the job's partitions, such as "gpu,shared,", to out. Returns false if the names do not fit. */
static bool write_own_partitions(const struct fs_advices *a, char *out, size_t size)
{
	size_t n, len = 0;
	const uint32_t *names = fsi_list_items(a->m, fsi_advise_saved_job(a)->partitions, &n);

	*out = 0;
	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s,", fsi_name_text(a->m, names[i]));
	return len < size;
}

static void write_partitions_change(const struct fs_advices *a, struct fsi_command *c, const char *own,
				    const char *name)
{
	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_PARTITIONS, "%s%s", own, name);
}

/* Proposes a partition list: the job's own partitions followed by `other_names`. The scheduler then tries the job in
 * each partition of the list (src/slurmctld/job_scheduler.c: build_job_queue). */
static int try_partition_list(struct fs_advices *a, const char *own, const char *other_names, int64_t *start)
{
	struct fsi_command c;

	write_partitions_change(a, &c, own, other_names);
	return fsi_advise_propose_command(a, FS_WHO_OWNER, &c, start);
}

/* The other partitions in which the job would start earlier, without unsuitable ones. `names`: list of their names,
 * such as "gpu,shared"; `n`: number of names. */
struct gaining_partitions {
	char names[FSI_ADVICE_TEXT / 2];
	size_t n;
};

static void add_gaining_partition(struct gaining_partitions *g, const char *name)
{
	const size_t len = strlen(g->names);

	if (len + strlen(name) + 2 > sizeof(g->names))
		return;
	snprintf(g->names + len, sizeof(g->names) - len, "%s%s", len ? "," : "", name);
	g->n++;
}

/* Tries the job with `p` as its only partition. If this trial is no gain, proposes nothing, because adding `p` to the
 * job's own partitions is no gain either. If the trial is a gain, proposes to add `p`. If the job starts even earlier
 * with `p` as its only partition, also proposes `p` as the only partition. */
static int try_one_partition(struct fs_advices *a, const struct fsi_partition *p, const char *own,
			     struct gaining_partitions *g)
{
	const char *name = fsi_name_text(a->m, p->name);
	struct fsi_command c;
	struct fsi_trial alone;
	int64_t added = FS_UNKNOWN;
	bool gpus;
	int rc;

	write_partitions_change(a, &c, "", name);
	rc = fsi_advise_try_command(a, &c, &alone);
	if (rc || !fsi_advise_is_gain(a, alone.start))
		return rc;
	if (!fsi_advise_is_unsuitable(a, p->name, &gpus))
		add_gaining_partition(g, name);
	if (*own)
		rc = try_partition_list(a, own, name, &added);
	if (rc || (added != FS_UNKNOWN && added < alone.start + FSI_ADVICE_MIN_S))
		return rc;
	return fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_PARTITIONS, name);
}

static int try_other_partitions(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	struct gaining_partitions g = { .n = 0 };
	char own[FSI_ADVICE_TEXT / 2];

	if (!write_own_partitions(a, own, sizeof(own)))
		return 0;
	for (size_t i = 0; i < a->saved.partition.n; i++) {
		const struct fsi_partition *p = &a->saved.partition.v[i];
		int rc;

		if (is_name_listed(a->m, j->partitions, p->name) || !is_admitted_by_partition(a->m, p, j) ||
		    !is_time_limit_allowed(p, j))
			continue;
		rc = try_one_partition(a, p, own, &g);
		if (rc)
			return rc;
	}
	return *own && g.n > 1 ? try_partition_list(a, own, g.names, NULL) : 0;
}

/* Tries every other QOS in the snapshot. The command is refused for a QOS that the job may not use; in Maui, QLIST
 * decides which QOS the job may use. */
static int try_requested_qos(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->credential.n; i++) {
		const struct fsi_credential *c = &a->m->credential.v[i];
		int rc;

		if (fsi_parse_cred_kind(fsi_name_text(a->m, c->kind)) != FS_CRED_QOS ||
		    is_name_listed(a->m, fsi_advise_saved_job(a)->qos, c->name))
			continue;
		rc = fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_QOS, fsi_name_text(a->m, c->name));
		if (rc)
			return rc;
	}
	return 0;
}

/* Writes a command that sets the QOS. If the release would also change the time limit, the command sets the present
 * time limit. */
static void write_qos_change(const struct fs_advices *a, struct fsi_command *c, const char *qos)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);

	fsi_command_begin_update(c, a->m, a->job);
	fsi_command_add_change(c, a->m, FSI_CHANGE_QOS, "%s", qos);
	if (!fsi_slurm_qos_sets_time_limit(a->m->info.version) || !FSI_HAS(j, JOB, time_limit_s))
		return;
	if (FSI_SPECIAL(j, JOB, time_limit_s))
		fsi_command_add_change(c, a->m, FSI_CHANGE_TIME_LIMIT, "UNLIMITED");
	else
		fsi_command_add_minutes(c, a->m, FSI_CHANGE_TIME_LIMIT, j->time_limit_s / MINUTE_S);
}

static int try_other_qos(struct fs_advices *a)
{
	const struct fsi_association *own = get_charged_association(a);
	size_t n;
	const uint32_t *names;

	if (!own || !FSI_HAS(own, ASSOCIATION, qos))
		return 0;
	names = fsi_list_items(a->m, own->qos, &n);
	for (size_t i = 0; i < n; i++) {
		struct fsi_command c;
		int rc;

		if (is_name_listed(a->m, fsi_advise_saved_job(a)->qos, names[i]))
			continue;
		write_qos_change(a, &c, fsi_name_text(a->m, names[i]));
		rc = fsi_advise_propose_command(a, FS_WHO_OWNER, &c, NULL);
		if (rc)
			return rc;
	}
	return 0;
}

/* Returns true if the job may be charged to the association. The association must belong to the job's user, but to an
 * account other than the job's. The association must allow the job's partition and QOS. */
static bool may_charge_association(const struct fs_advices *a, const struct fsi_association *o)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const uint32_t qos = fsi_list_first_item(a->m, j->qos);

	if (!j->user || o->user != j->user || o->account == j->account)
		return false;
	if (o->partition && !is_name_listed(a->m, j->partitions, o->partition))
		return false;
	return !qos || !FSI_HAS(o, ASSOCIATION, qos) || is_name_listed(a->m, o->qos, qos);
}

static int try_other_accounts(struct fs_advices *a)
{
	uint32_t last = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];
		int rc;

		if (!may_charge_association(a, o) || o->account == last)
			continue;
		last = o->account;
		rc = fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_ACCOUNT, fsi_name_text(a->m, last));
		if (rc)
			return rc;
	}
	return 0;
}

static int try_other_reservations(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->reservation.n; i++) {
		const struct fsi_reservation *r = &a->m->reservation.v[i];
		int rc;

		if (r->name == fsi_advise_saved_job(a)->reservation ||
		    !fsi_reservation_admits_job(a->m, r, fsi_advise_saved_job(a)))
			continue;
		rc = fsi_advise_propose_change(a, FS_WHO_OWNER, FSI_CHANGE_RESERVATION, fsi_name_text(a->m, r->name));
		if (rc)
			return rc;
	}
	return 0;
}

int fsi_advise_try_credentials(struct fs_advices *a)
{
	int rc = try_other_partitions(a);

	if (!rc)
		rc = try_other_qos(a);
	if (!rc)
		rc = try_requested_qos(a);
	if (!rc)
		rc = try_other_accounts(a);
	return rc ? rc : try_other_reservations(a);
}

/* ---- more shares for the job's user. A coordinator of the account may set these shares
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_modify_assocs). Slurm does not limit the shares of a
 * user to the shares of the account (assoc_mgr_check_assoc_lim_incr).
 *
 * Only ratios of shares matter. Therefore, the present shares are doubled up to MAX_DOUBLINGS times, until the user
 * would have at least nine tenths of the account's shares. Two amounts are proposed: the fewest shares that are a gain,
 * and the fewest shares that give the greatest gain. */

enum { MAX_DOUBLINGS = 24, OTHERS_TIMES = 9 };

static const struct fsi_association *get_saved_association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_find_assoc(a->m, fsi_advise_saved_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->saved.association.v[i];
}

static bool has_raw_shares(const struct fsi_association *o)
{
	return FSI_HAS(o, ASSOCIATION, shares) && !FSI_SPECIAL(o, ASSOCIATION, shares);
}

/* Returns the sum of the shares of all other users in the account. */
static uint64_t sum_other_shares(const struct fs_advices *a, const struct fsi_association *own)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];

		if (o != own && o->account == own->account && o->user && has_raw_shares(o))
			sum += o->shares;
	}
	return sum;
}

static uint64_t double_shares(const struct fsi_association *o, int64_t times)
{
	return (uint64_t)(o->shares ? o->shares : 1) << times;
}

static int64_t count_share_doublings(const struct fs_advices *a, const struct fsi_association *own)
{
	const uint64_t max_shares = OTHERS_TIMES * sum_other_shares(a, own);
	int64_t n = 0;

	while (n < MAX_DOUBLINGS && double_shares(own, n) < max_shares && double_shares(own, n + 1) < INT32_MAX)
		n++;
	return n;
}

/* Writes the command that gives the user more shares. `amount` 1: the maximum shares; `amount` 2: half of them; each
 * further increment halves the shares again. */
static void write_shares_change(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const struct fsi_association *own = get_saved_association(a);

	*c = (struct fsi_command){ 0 };
	a->m->scheduler->write_shares(c, a->m, own,
				      (uint32_t)double_shares(own, count_share_doublings(a, own) + 1 - amount));
}

/* Returns true if coordinators can set shares, and shares affect the job's priority. If an administrator set the job's
 * priority, shares do not affect it. */
static bool has_shares_effect(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_saved_job(a);
	const char *weight = a->m->scheduler->commands->shares_weight_option;

	return weight && fsi_config_get_int(a->m, weight, 0) > 0 && !(FSI_HAS(j, JOB, priority_set) && j->priority_set);
}

/* Tries a command that sets the user's shares to their present value. Whenever shares are set, the scheduler recomputes
 * all priorities. The new priorities alone may let the job start earlier. This gain must not be attributed to more
 * shares. */
static int try_present_shares(struct fs_advices *a, const struct fsi_association *own, struct fsi_trial *out)
{
	struct fsi_command c = { 0 };

	a->m->scheduler->write_shares(&c, a->m, own, own->shares);
	return fsi_advise_try_command(a, &c, out);
}

/* Tries the maximum shares, and sets *gain to true if the job's new start is a gain (fsi_advise_is_gain). If the start
 * is no gain, which is usual, the caller tries no other number of shares. This order saves time, because each trial has
 * to compute a plan. */
static int try_maximum_shares(struct fs_advices *a, bool *gain)
{
	struct fsi_command c;
	struct fsi_trial t;
	int rc;

	write_shares_change(a, &c, 1);
	rc = fsi_advise_try_command(a, &c, &t);
	*gain = !rc && fsi_advise_is_gain(a, t.start);
	return rc;
}

/* Sets member `effects` of the advice rows from index `from` on to a text that says when new shares change the
 * factors. Also sets their member `change`. */
static int describe_shares(struct fs_advices *a, size_t from)
{
	char text[FSI_ADVICE_TEXT];
	const char *effects;
	const int n = snprintf(text, sizeof(text), "factors change at the next priority calculation, within %lld s",
			       (long long)fsi_priority_calc_period(a->m));

	if (from == a->row.n)
		return 0;
	effects = fsi_arena_strndup(&a->arena, text, (size_t)n);
	for (; effects && from < a->row.n; from++) {
		struct fs_advice *row = &a->row.v[from];
		const char *shares = strrchr(row->command, '=');

		row->effects = effects;
		row->changes = 1;
		row->change[0] = (struct fs_advice_change){ FS_ADVICE_SHARES, get_saved_association(a)->shares,
							    shares ? strtod(shares + 1, NULL) : (double)NAN, NULL, NULL };
	}
	return effects ? 0 : fsi_fail_no_memory(a->err);
}

/* Removes the advice rows from index `from` on whose start is before the next priority calculation. New shares have no
 * effect before it. */
static void drop_early_starts(struct fs_advices *a, size_t from)
{
	const int64_t latest = a->m->info.time + fsi_priority_calc_period(a->m);
	int64_t next = fsi_priority_next_calculation(a->m, a->m->info.time);
	size_t n = from;

	if (next > latest)
		next = latest;
	for (size_t i = from; i < a->row.n; i++)
		if (a->row.v[i].start_after >= next)
			a->row.v[n++] = a->row.v[i];
	a->row.n = n;
}

int fsi_advise_try_shares(struct fs_advices *a)
{
	const struct fsi_association *own = get_saved_association(a);
	const struct fsi_trial previous = a->recomputed;
	const size_t from = a->row.n;
	struct fsi_trial present;
	bool gain;
	int rc;

	if (!own || !own->user || !has_raw_shares(own) || !has_shares_effect(a) || !count_share_doublings(a, own))
		return 0;
	rc = try_maximum_shares(a, &gain);
	if (rc || !gain)
		return rc;
	rc = try_present_shares(a, own, &present);
	if (rc || present.start == FS_UNKNOWN)
		return rc;
	if (previous.start == FS_UNKNOWN || present.start < previous.start)
		a->recomputed = present;
	rc = fsi_advise_propose_greatest(a, get_coordinator_role(a), write_shares_change, 1,
					 count_share_doublings(a, own) + 1);
	a->recomputed = previous;
	drop_early_starts(a, from);
	return rc ? rc : describe_shares(a, from);
}
