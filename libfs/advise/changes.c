#include "advise/advise.h"
#include "base/num.h"
#include "limits/limits.h"
#include "model/credential.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/records/limit_names.h"
#include "model/scheduler.h"
#include "model/viewer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The limit that keeps a job back, raised to what it needs.
 *
 * Of a QOS an administrator may, of an account an operator; of a user in it also the account's coordinator, as far as
 * the account's own limit of that name goes
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_modify_assocs, "above the parent limit"). */

#define MEASURE(member, type, name, column, shown, word, order, measure, counted) { name, FSI_##measure },
static const struct {
	const char *limit;
	enum fsi_measure measure;
} limits_limits[] = { FSI_ASSOC_GROUP_LIMITS(MEASURE) FSI_ASSOC_OWN_LIMITS(MEASURE) FSI_QOS_LIMITS(MEASURE) };
#undef MEASURE

/* Limits on running jobs and on TRES alone are proposed: in those one job more or less tells. */
static bool is_raised(const char *limit)
{
	for (size_t i = 0; i < sizeof(limits_limits) / sizeof(*limits_limits); i++) {
		const enum fsi_measure m = limits_limits[i].measure;

		if (!strcmp(limits_limits[i].limit, limit) &&
		    (m == FSI_RUNNING_TRES || m == FSI_RUNNING_JOBS || m == FSI_JOB_TRES || m == FSI_NODE_TRES))
			return true;
	}
	return false;
}

static const struct fsi_limit_kind *kind_named(const char *name)
{
	for (size_t i = 0; i < fsi_assoc_limit_count; i++)
		if (!strcmp(fsi_assoc_limits[i].name, name))
			return &fsi_assoc_limits[i];
	return NULL;
}

/* What an association's record sets as that limit; INFINITY where it sets none. */
static double limit_of(const fs_snapshot *m, const struct fsi_association *o, const struct fsi_limit_kind *k,
		       const char *tres)
{
	const uint32_t name = fsi_name_find(m, tres);
	const struct fsi_amount *v;
	uint32_t number;
	size_t n;

	if (!fsi_known(&o->rec, k->bit) || fsi_special(&o->rec, k->bit))
		return (double)INFINITY;
	memcpy(&number, (const char *)o + k->offset, sizeof(number)); /* a count, or the id of a set */
	if (k->type != FSI_TRES)
		return number;
	v = fsi_amounts(m, number, &n);
	for (size_t i = 0; i < n; i++)
		if (v[i].tres == name)
			return (double)v[i].n;
	return (double)INFINITY;
}

static bool parent_allows(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	const uint32_t own = fsi_job_assoc(a->m, fsi_advise_job(a));
	const uint32_t parent = own == FSI_NO_INDEX ? FSI_NO_INDEX : a->m->tree[own].parent;
	const struct fsi_limit_kind *k = kind_named(l->name);

	return k && parent != FSI_NO_INDEX && amount <= limit_of(a->m, &a->saved.association.v[parent], k, l->tres);
}

/* The least who may do what a coordinator of the job's account may. */
static enum fs_who advise_coordinator(const struct fs_advices *a)
{
	const char *account = fsi_str(a->m, fsi_advise_job(a)->account);
	struct fsi_viewer v;

	fsi_viewer_init(&v, a->m, a->view.viewer);
	return fsi_viewer_knows_no_coordinator(&v, account) ? FS_WHO_OPERATOR : FS_WHO_COORDINATOR;
}

static enum fs_who who_raises(const struct fs_advices *a, const struct fs_explain_limit *l, double amount)
{
	if (l->scope == FS_LIMIT_QOS || l->scope == FS_LIMIT_PARTITION_QOS)
		return FS_WHO_ADMINISTRATOR;
	return l->scope == FS_LIMIT_ASSOC && parent_allows(a, l, amount) ? advise_coordinator(a) : FS_WHO_OPERATOR;
}

/* Proposes to raise the limit to what the job needs, if it gains; the command names who of those that may do it has
 * the least rights. */
static int advise_limit(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const double wants = l->per_job ? l->wants : l->used + l->wants;
	const struct fsi_job *j = fsi_advise_job(a);
	const struct fsi_limit_change change = { .scope = l->scope, .of = l->of, .user = fsi_str(a->m, j->user),
						 .account = fsi_str(a->m, j->account), .name = l->name, .tres = l->tres,
						 .amount = ceil(wants) };
	struct fsi_command c;

	if (!is_raised(l->name) || l->is_min || l->factor != 1 || !isfinite(wants) || wants <= 0 || wants > 1e15)
		return 0;
	fsi_command_limit(&c, a->m, &change);
	return fsi_advise_propose(a, who_raises(a, l, change.amount), &c, NULL);
}

/* Less of what the job asks for: time, nodes, CPUs, memory, disk, generic resources, licences; down to a tenth. */

enum { MINUTE = 60, YEAR_MINUTES = 525600 };

static int64_t tenth(int64_t n)
{
	return n / 10 + (n % 10 != 0);
}

static int64_t asked(const struct fs_advices *a, const char *tres)
{
	const uint32_t name = fsi_name_find(a->m, tres);

	return name ? fsi_amount_of(a->m, fsi_advise_job(a)->tres_req, name) : 0;
}

static int64_t nodes_of(const struct fs_advices *a)
{
	const int64_t told = asked(a, "node"), n = told > 0 ? told : fsi_advise_job(a)->nodes;

	return n > 0 ? n : 1;
}

/* ---- time */

static void write_limit(const struct fs_advices *a, struct fsi_command *c, int64_t minutes)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_minutes(c, a->m, FSI_CHANGE_TIME_LIMIT, minutes);
}

/* From 20.02.5 to 25.05.2 backfill gives a job that it starts exactly TimeMin, whatever is free (src/plugins/sched/
 * backfill/backfill.c: 2655ec414a until f84487acf9). */
static bool time_min_hurts(const fs_snapshot *m)
{
	return !m->info.version || (m->info.version >= FS_SLURM_RELEASE(20, 2, 5) &&
				    m->info.version <= FS_SLURM_RELEASE(25, 5, 2));
}

/* A plan keeps nodes for TimeMin alone, as it would for a limit of that. */
static int try_time_min(struct fs_advices *a, size_t from)
{
	const size_t limits = a->row.n;
	int rc = 0;

	for (size_t i = from; i < limits && !rc; i++) {
		const char *limit = strrchr(a->row.v[i].command, '=');

		if (limit)
			rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_TIME_MIN, limit + 1);
	}
	return rc;
}

static int try_time(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const bool unlimited = FSI_SPECIAL(j, JOB, time_limit_s);
	const int64_t now = unlimited ? YEAR_MINUTES : j->time_limit_s / MINUTE;
	const int64_t min = FSI_HAS(j, JOB, time_min_s) ? (fsi_advise_rare(a)->time_min_s + MINUTE - 1) / MINUTE : 0;
	const int64_t from = unlimited ? 1 : tenth(now);
	const size_t before = a->row.n;
	int rc;

	if (!FSI_HAS(j, JOB, time_limit_s))
		return 0;
	rc = fsi_advise_most(a, FS_WHO_OWNER, write_limit, min > from ? min : from, now, 1);
	if (rc || unlimited || FSI_HAS(j, JOB, time_min_s) || time_min_hurts(a->m))
		return rc;
	return try_time_min(a, before);
}

/* ---- nodes and CPUs */

static void write_nodes(const struct fs_advices *a, struct fsi_command *c, int64_t n)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const int64_t nodes = nodes_of(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_NODES, "%" PRId64, n);
	if (j->cpus % nodes == 0 && j->cpus / nodes)
		fsi_command_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, j->cpus / nodes * n);
	if (FSI_HAS(j, JOB, tasks) && j->tasks >= nodes && j->tasks % nodes == 0)
		fsi_command_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, j->tasks / nodes * n);
}

/* Proposes more nodes where the limit is one on what a job has on each, if it gains. */
static int advise_spread(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const double nodes = ceil(l->wants * (double)nodes_of(a) / l->value);
	struct fsi_command c;

	if (!l->per_job || strcmp(l->name, "MaxTRESPerNode") != 0 || !(l->value >= 1) || !(nodes <= fsi_advise_job(a)->cpus))
		return 0;
	fsi_command_update(&c, a->m, a->job);
	fsi_command_change(&c, a->m, FSI_CHANGE_NODES, "%" PRId64, (int64_t)nodes);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, NULL);
}

static int64_t cpus_per_task(const struct fsi_job *j)
{
	return j->cpus_per_task && j->cpus % j->cpus_per_task == 0 ? j->cpus_per_task : 1;
}

static void write_cpus(const struct fs_advices *a, struct fsi_command *c, int64_t tasks)
{
	const struct fsi_job *j = fsi_advise_job(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, tasks * cpus_per_task(j));
	if (FSI_HAS(j, JOB, tasks) && j->tasks > 1)
		fsi_command_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, tasks);
}

static int try_cpus(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const int64_t nodes = nodes_of(a), tasks = j->cpus / cpus_per_task(j);

	if (nodes > 1)
		return fsi_advise_most(a, FS_WHO_OWNER, write_nodes, tenth(nodes), nodes, 0);
	return tasks > 1 ? fsi_advise_most(a, FS_WHO_OWNER, write_cpus, tenth(tasks), tasks, 0) : 0;
}

/* ---- memory and disk */

/* MiB for each CPU, or on each node. */
static int64_t memory_of(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);

	return FSI_HAS(j, JOB, mem_per_cpu_mb) ? j->mem_per_cpu_mb : asked(a, "mem") / nodes_of(a);
}

/* The steps in which MiB are proposed: less fine the more there are. */
static int64_t step_of(int64_t mb)
{
	return mb >= 10240 ? 1024 : mb >= 640 ? 64 : 1;
}

static void write_memory(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	const bool by_cpu = FSI_HAS(fsi_advise_job(a), JOB, mem_per_cpu_mb);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, by_cpu ? FSI_CHANGE_CPU_MEMORY : FSI_CHANGE_NODE_MEMORY, "%" PRId64,
			   steps * step_of(memory_of(a)));
}

static int try_memory(struct fs_advices *a)
{
	const int64_t mb = memory_of(a), step = step_of(mb);

	if (mb <= 0)
		return 0;
	return fsi_advise_most(a, FS_WHO_OWNER, write_memory, tenth(mb) / step + 1, (mb + step - 1) / step, 0);
}

static void write_disk(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_DISK, "%" PRId64, steps * step_of(fsi_advise_rare(a)->tmp_disk_mb));
}

static int try_disk(struct fs_advices *a)
{
	const int64_t mb = fsi_advise_rare(a)->tmp_disk_mb, step = step_of(mb);

	return mb ? fsi_advise_most(a, FS_WHO_OWNER, write_disk, tenth(mb) / step + 1, (mb + step - 1) / step, 0) : 0;
}

/* ---- generic resources */

/* The one kind that it asks for, by type if it names one. */
struct gres {
	const char *kind; /* "gpu", "gpu:a100"; NULL: none */
	int64_t n; /* on all nodes together */
	bool several;
};

static void note_gres(const fs_snapshot *m, uint32_t set, struct gres *g)
{
	static const char prefix[] = "gres/";
	size_t n;
	const struct fsi_amount *t = fsi_amounts(m, set, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_str(m, t[i].tres) + strlen(prefix);

		if (strncmp(name - strlen(prefix), prefix, strlen(prefix)) != 0 || t[i].n <= 0)
			continue;
		g->several = g->several || (g->kind && (strcspn(g->kind, ":") != strcspn(name, ":") ||
							strncmp(g->kind, name, strcspn(name, ":")) != 0 ||
							(strchr(g->kind, ':') && strchr(name, ':'))));
		if (!g->kind || strchr(name, ':')) {
			g->kind = name;
			g->n = t[i].n;
		}
	}
}

static struct gres gres_of(const struct fs_advices *a)
{
	struct gres g = { .kind = NULL };

	note_gres(a->m, fsi_advise_job(a)->tres_req, &g);
	note_gres(a->m, fsi_advise_rare(a)->gres_req, &g);
	return g;
}

static bool by_job(const struct fs_advices *a)
{
	return !strcmp(fsi_str(a->m, fsi_advise_rare(a)->gres_per), "job");
}

/* src/common/slurm_protocol_defs.c: slurm_get_next_tres. */
static const char *tres_type(const fs_snapshot *m)
{
	return fs_slurm_has(m->info.version, FS_SLURM_TRES_SLASH) ? "gres/" : "gres:";
}

/* By job or by node as it asked, and with a type if it named one: before 23.02 what an update names joins what the job
 * has, and with and without type together are refused. */
static void write_gres(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const bool all = by_job(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, all ? FSI_CHANGE_GRES_IN_ALL : FSI_CHANGE_GRES, "%s%s:%" PRId64,
			   all ? tres_type(a->m) : "", gres_of(a).kind, amount);
}

static int try_gres(struct fs_advices *a)
{
	const int64_t nodes = by_job(a) ? 1 : nodes_of(a);
	const struct gres g = gres_of(a);

	if (!g.kind || g.several || g.n % nodes || (!by_job(a) && *fsi_str(a->m, fsi_advise_rare(a)->gres_per)))
		return 0;
	return fsi_advise_most(a, FS_WHO_OWNER, write_gres, 1, g.n / nodes, 0);
}

/* ---- licences */

/* "matlab:4,ansys:2" with another number of one of them. */
static void write_license(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const char *all = fsi_str(a->m, fsi_advise_rare(a)->licenses);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_LICENSES, "%.*s:%" PRId64 "%s",
			   (int)(a->license - all + (ptrdiff_t)strcspn(a->license, ":=*,")), all, amount,
			   a->license + strcspn(a->license, ","));
}

/* Of a list of alternatives ("|", and ";" for all of them) it is not told which ones it takes. */
static int try_licenses(struct fs_advices *a)
{
	const char *p = fsi_str(a->m, fsi_advise_rare(a)->licenses);
	int rc = 0;

	if (strpbrk(p, "|;"))
		return 0;
	for (; *p && !rc; p += *p == ',') {
		const size_t len = strcspn(p, ","), name = strcspn(p, ":=*,");
		int64_t n;

		a->license = p;
		if (name < len && !fsi_parse_i64(p + name + 1, len - name - 1, &n))
			rc = fsi_advise_most(a, FS_WHO_OWNER, write_license, tenth(n), n, 0);
		p += len;
	}
	a->license = NULL;
	return rc;
}

int fsi_advise_sizes(struct fs_advices *a)
{
	int rc = try_time(a);

	if (!rc)
		rc = try_cpus(a);
	if (!rc)
		rc = try_memory(a);
	if (!rc)
		rc = try_disk(a);
	if (!rc)
		rc = try_gres(a);
	return rc ? rc : try_licenses(a);
}

/* What the job insists on, what holds it, its owner's own jobs before it, and its priority. */

/* A guest of Flux may raise the urgency up to this. */
enum { DEFAULT_URGENCY = 16 };

static int try_wishes(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const struct {
		bool has;
		enum fsi_change what;
		const char *without;
	} wish[] = {
		{ FSI_HAS(j, JOB, nice) && j->nice > 0, FSI_CHANGE_NICE, "0" },
		{ *fsi_str(a->m, fsi_advise_rare(a)->req_nodes), FSI_CHANGE_NODE_LIST, "" },
		{ *fsi_str(a->m, fsi_advise_rare(a)->exc_nodes), FSI_CHANGE_EXCLUDED, "" },
		{ *fsi_str(a->m, j->features), FSI_CHANGE_FEATURES, "" },
		{ *fsi_str(a->m, j->reservation), FSI_CHANGE_RESERVATION, "" },
		{ FSI_HAS(j, JOB, contiguous) && j->contiguous, FSI_CHANGE_CONTIGUOUS, "0" },
		{ strchr(fsi_str(a->m, j->array_tasks), '%') != NULL, FSI_CHANGE_THROTTLE, "0" },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(wish) / sizeof(*wish) && !rc; i++)
		if (wish[i].has)
			rc = fsi_advise_change(a, FS_WHO_OWNER, wish[i].what, wish[i].without);
	return rc;
}

/* Its begin time keeps it from what the plan has for it as if that had come. */
int fsi_advise_begin(struct fs_advices *a)
{
	const int64_t begins = a->begins;
	int rc;

	if (begins == FS_UNKNOWN)
		return 0;
	a->begins = FS_UNKNOWN;
	rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_BEGIN, "now");
	a->begins = begins;
	return rc;
}

/* ---- holds, and its owner's own jobs */

static int try_release(struct fs_advices *a, const struct fs_verdict *v)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const bool lowered = FSI_HAS(j, JOB, urgency) && fsi_advise_rare(a)->urgency < DEFAULT_URGENCY;
	const bool own = lowered || (v->kind == FS_VERDICT_HELD && v->cause == FS_VERDICT_CAUSE_OWNER);
	struct fsi_command c;

	if (!own && (v->kind != FS_VERDICT_HELD || v->cause != FS_VERDICT_CAUSE_ADMINISTRATOR))
		return 0;
	fsi_command_release(&c, a->m, a->job, own);
	return fsi_advise_propose(a, own ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
}

/* Tries to hold the owner's own job that keeps this one from an earlier start. */
static int try_rival(struct fs_advices *a)
{
	const uint32_t row = a->before.blocked_by ? fsi_job_row(a->m, a->before.blocked_by) : FSI_NO_INDEX;
	const struct fsi_job *own = fsi_advise_job(a);
	struct fsi_command c;

	if (row == FSI_NO_INDEX || !own->user || a->saved.job.v[row].user != own->user)
		return 0;
	fsi_command_hold(&c, a->m, a->before.blocked_by);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, NULL);
}

/* ---- its priority */

/* Tries the highest priority among the owner's jobs for this one. */
static int try_top(struct fs_advices *a)
{
	const struct fsi_commands *commands = a->m->scheduler->commands;
	struct fsi_command c;

	fsi_command_top(&c, a->m, a->job);
	return fsi_advise_propose(
		a, commands->owner_tops && commands->owner_tops(a->m) ? FS_WHO_OWNER : FS_WHO_OPERATOR, &c, NULL);
}

static int try_priority(struct fs_advices *a)
{
	uint32_t max = 0;
	struct fsi_command c;
	char text[24];

	fsi_command_first(&c, a->m, a->job);
	if (c.len)
		return fsi_advise_propose(a, FS_WHO_OPERATOR, &c, NULL);
	for (size_t i = 0; i < a->saved.job.n; i++) {
		const struct fsi_job *j = &a->saved.job.v[i];

		if (j->state == FSI_STATE_PENDING && j->id != a->job && j->priority > max &&
		    j->priority < UINT32_MAX - 3)
			max = j->priority;
	}
	if (!max)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu32, max + 1);
	return fsi_advise_change(a, FS_WHO_OPERATOR, FSI_CHANGE_PRIORITY, text);
}

/* ---- what holds it back */

static int try_verdict(struct fs_advices *a)
{
	const struct fs_queue_options o = { .view = a->view };
	struct fsi_trial t;
	struct fs_verdict v;
	fs_queue *q;
	int rc = fsi_advise_edit(a, NULL, &t);

	if (!rc)
		rc = fs_queue_compute(&q, a->m, &o, a->err);
	if (rc)
		return rc;
	rc = fs_queue_verdict(q, fsi_job_row(a->m, a->job), &v) ? fsi_nomem(a->err) : 0;
	if (!rc) {
		rc = try_release(a, &v);
		if (!rc && v.limit)
			rc = advise_limit(a, v.limit);
		if (!rc && v.limit)
			rc = advise_spread(a, v.limit);
		fs_verdict_release(&v);
	}
	fs_queue_free(q);
	return rc;
}

int fsi_advise_others(struct fs_advices *a)
{
	int rc = try_wishes(a);

	if (!rc)
		rc = try_rival(a);
	if (!rc)
		rc = try_verdict(a);
	if (!rc)
		rc = try_top(a);
	return rc ? rc : try_priority(a);
}

/* Other partitions, QOS, accounts and reservations that take the job. */

static bool in_list(const fs_snapshot *m, uint32_t list, uint32_t name)
{
	return name && fsi_list_has(m, list, fsi_str(m, name));
}

static const struct fsi_association *places_association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_assoc(a->m, fsi_advise_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->m->association.v[i];
}

/* Does a partition take the job (src/slurmctld/job_mgr.c: _part_access_check, part_policy_valid_*)? Of the owner's
 * groups only the first is known. */
static bool admits(const fs_snapshot *m, const struct fsi_partition *p, const struct fsi_job *j)
{
	const char *state = fsi_str(m, p->state);
	const uint32_t qos = fsi_list_first(m, j->qos);

	if ((*state && strcmp(state, "UP") != 0) || (FSI_HAS(p, PARTITION, root_only) && p->root_only))
		return false;
	if (FSI_HAS(p, PARTITION, allow_groups) && !in_list(m, p->allow_groups, j->group))
		return false;
	if (FSI_HAS(p, PARTITION, allow_accounts) ? !in_list(m, p->allow_accounts, j->account)
						  : in_list(m, p->deny_accounts, j->account))
		return false;
	return FSI_HAS(p, PARTITION, allow_qos) ? in_list(m, p->allow_qos, qos) : !in_list(m, p->deny_qos, qos);
}

static bool time_fits(const struct fsi_partition *p, const struct fsi_job *j)
{
	if (!FSI_HAS(p, PARTITION, max_time_s) || FSI_SPECIAL(p, PARTITION, max_time_s))
		return true;
	return FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s) && j->time_limit_s <= p->max_time_s;
}

/* "gpu,shared,": those it asks for, in order. */
static bool own_partitions(const struct fs_advices *a, char *out, size_t size)
{
	size_t n, len = 0;
	const uint32_t *names = fsi_list(a->m, fsi_advise_job(a)->partitions, &n);

	*out = 0;
	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s,", fsi_str(a->m, names[i]));
	return len < size;
}

static void write_partitions(const struct fs_advices *a, struct fsi_command *c, const char *own, const char *name)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_PARTITIONS, "%s%s", own, name);
}

/* A job that may run in several partitions is tried in each (src/slurmctld/job_scheduler.c: build_job_queue). */
static int try_list(struct fs_advices *a, const char *own, const char *others, int64_t *start)
{
	struct fsi_command c;

	write_partitions(a, &c, own, others);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, start);
}

/* The names of partitions with which the job gains: "gpu,shared". */
struct gainers {
	char names[FSI_ADVICE_TEXT / 2];
	size_t n;
};

static void add_gainer(struct gainers *g, const char *name)
{
	const size_t len = strlen(g->names);

	if (len + strlen(name) + 2 > sizeof(g->names))
		return;
	snprintf(g->names + len, sizeof(g->names) - len, "%s%s", len ? "," : "", name);
	g->n++;
}

/* Tries the partition beside the job's own, and alone where that starts earlier. Where it gains nothing alone a list
 * with it gains nothing either. */
static int try_partition(struct fs_advices *a, const struct fsi_partition *p, const char *own, struct gainers *g)
{
	const char *name = fsi_str(a->m, p->name);
	struct fsi_command c;
	struct fsi_trial alone;
	int64_t added = FS_UNKNOWN;
	int rc;

	write_partitions(a, &c, "", name);
	rc = fsi_advise_try(a, &c, &alone);
	if (rc || !fsi_advise_gains(a, alone.late))
		return rc;
	add_gainer(g, name);
	if (*own)
		rc = try_list(a, own, name, &added);
	if (rc || (added != FS_UNKNOWN && added < alone.late + FSI_ADVICE_MIN_S))
		return rc;
	return fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_PARTITIONS, name);
}

static int try_partitions(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	struct gainers g = { .n = 0 };
	char own[FSI_ADVICE_TEXT / 2];

	if (!own_partitions(a, own, sizeof(own)))
		return 0;
	for (size_t i = 0; i < a->saved.partition.n; i++) {
		const struct fsi_partition *p = &a->saved.partition.v[i];
		int rc;

		if (in_list(a->m, j->partitions, p->name) || !admits(a->m, p, j) || !time_fits(p, j))
			continue;
		rc = try_partition(a, p, own, &g);
		if (rc)
			return rc;
	}
	return *own && g.n > 1 ? try_list(a, own, g.names, NULL) : 0;
}

/* Each other QOS is tried; the command asks Maui's QLISTs whether the job may have it. */
static int try_credentials(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->credential.n; i++) {
		const struct fsi_credential *c = &a->m->credential.v[i];
		int rc;

		if (fsi_cred_kind(fsi_str(a->m, c->kind)) != FS_CRED_QOS ||
		    in_list(a->m, fsi_advise_job(a)->qos, c->name))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_QOS, fsi_str(a->m, c->name));
		if (rc)
			return rc;
	}
	return 0;
}

static int try_qos(struct fs_advices *a)
{
	const struct fsi_association *own = places_association(a);
	size_t n;
	const uint32_t *names;

	if (!own || !FSI_HAS(own, ASSOCIATION, qos))
		return 0;
	names = fsi_list(a->m, own->qos, &n);
	for (size_t i = 0; i < n; i++) {
		int rc;

		if (in_list(a->m, fsi_advise_job(a)->qos, names[i]))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_QOS, fsi_str(a->m, names[i]));
		if (rc)
			return rc;
	}
	return 0;
}

/* May the job be charged there, with the QOS it has? */
static bool charges(const struct fs_advices *a, const struct fsi_association *o)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const uint32_t qos = fsi_list_first(a->m, j->qos);

	if (!j->user || o->user != j->user || o->account == j->account)
		return false;
	if (o->partition && !in_list(a->m, j->partitions, o->partition))
		return false;
	return !qos || !FSI_HAS(o, ASSOCIATION, qos) || in_list(a->m, o->qos, qos);
}

static int try_accounts(struct fs_advices *a)
{
	uint32_t last = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];
		int rc;

		if (!charges(a, o) || o->account == last)
			continue;
		last = o->account;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_ACCOUNT, fsi_str(a->m, last));
		if (rc)
			return rc;
	}
	return 0;
}

static int try_reservations(struct fs_advices *a)
{
	for (size_t i = 0; i < a->m->reservation.n; i++) {
		const struct fsi_reservation *r = &a->m->reservation.v[i];
		int rc;

		if (r->name == fsi_advise_job(a)->reservation || !fsi_plan_admits(a->m, r, fsi_advise_job(a)))
			continue;
		rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_RESERVATION, fsi_str(a->m, r->name));
		if (rc)
			return rc;
	}
	return 0;
}

int fsi_advise_places(struct fs_advices *a)
{
	int rc = try_partitions(a);

	if (!rc)
		rc = try_qos(a);
	if (!rc)
		rc = try_credentials(a);
	if (!rc)
		rc = try_accounts(a);
	return rc ? rc : try_reservations(a);
}

/* More shares for the job's user: a coordinator of the account may give them, and take them from others
 * (src/plugins/accounting_storage/mysql/as_mysql_assoc.c: as_mysql_modify_assocs; of shares nothing is held against the
 * account's own, assoc_mgr_check_assoc_lim_incr).
 *
 * Shares count in ratios, so that they are doubled, until the user has nine tenths of the account. The fewest are told
 * that gain, and, if more gain more, the fewest of those that gain most. */

enum { MOST_DOUBLINGS = 24, OTHERS_TIMES = 9 };

static const struct fsi_association *shares_association(const struct fs_advices *a)
{
	const uint32_t i = fsi_job_assoc(a->m, fsi_advise_job(a));

	return i == FSI_NO_INDEX ? NULL : &a->saved.association.v[i];
}

static bool has_shares(const struct fsi_association *o)
{
	return FSI_HAS(o, ASSOCIATION, shares) && !FSI_SPECIAL(o, ASSOCIATION, shares);
}

/* Of the others in the account. */
static uint64_t others_shares(const struct fs_advices *a, const struct fsi_association *own)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->saved.association.n; i++) {
		const struct fsi_association *o = &a->saved.association.v[i];

		if (o != own && o->account == own->account && o->user && has_shares(o))
			sum += o->shares;
	}
	return sum;
}

static uint64_t doubled(const struct fsi_association *o, int64_t times)
{
	return (uint64_t)(o->shares ? o->shares : 1) << times;
}

static int64_t doublings(const struct fs_advices *a, const struct fsi_association *own)
{
	const uint64_t most = OTHERS_TIMES * others_shares(a, own);
	int64_t n = 0;

	while (n < MOST_DOUBLINGS && doubled(own, n) < most && doubled(own, n + 1) < INT32_MAX)
		n++;
	return n;
}

/* The greater the amount the fewer the shares. */
static void write_shares(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const struct fsi_association *own = shares_association(a);

	*c = (struct fsi_command){ 0 };
	a->m->scheduler->write_shares(c, a->m, own, (uint32_t)doubled(own, doublings(a, own) + 1 - amount));
}

/* Do coordinators give shares, and do these move the priority? One that is set by hand they do not. */
static bool count(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const char *weight = a->m->scheduler->commands->weight_of_shares;

	return weight && fsi_config_int(a->m, weight, 0) > 0 && !(FSI_HAS(j, JOB, priority_set) && j->priority_set);
}

/* Such a command has all priorities computed anew: what that alone gains is no gain of the shares. */
static int as_they_are(struct fs_advices *a, const struct fsi_association *own, struct fsi_trial *out)
{
	struct fsi_command c = { 0 };

	a->m->scheduler->write_shares(&c, a->m, own, own->shares);
	return fsi_advise_try(a, &c, out);
}

/* Does the job gain by the most shares there are to give? As a rule not, and each of these trials may cost a plan. */
static int most_gain(struct fs_advices *a, bool *gain)
{
	struct fsi_command c;
	struct fsi_trial t;
	int rc;

	write_shares(a, &c, 1);
	rc = fsi_advise_try(a, &c, &t);
	*gain = !rc && fsi_advise_gains(a, t.late);
	return rc;
}

/* What is told of the rows from `from` on. */
static int add_when(struct fs_advices *a, size_t from)
{
	char text[FSI_ADVICE_TEXT];
	const char *effects;
	const int n = snprintf(text, sizeof(text), "factors follow when priorities are computed next, within %llds",
			       (long long)fsi_calc_period(a->m));

	if (from == a->row.n)
		return 0;
	effects = fsi_arena_strndup(&a->arena, text, (size_t)n);
	for (; effects && from < a->row.n; from++)
		a->row.v[from].effects = effects;
	return effects ? 0 : fsi_nomem(a->err);
}

int fsi_advise_shares(struct fs_advices *a)
{
	const struct fsi_association *own = shares_association(a);
	const struct fsi_trial touched = a->touched;
	const size_t from = a->row.n;
	struct fsi_trial anew;
	bool gain;
	int rc;

	if (!own || !own->user || !has_shares(own) || !count(a) || !doublings(a, own))
		return 0;
	rc = most_gain(a, &gain);
	if (rc || !gain)
		return rc;
	rc = as_they_are(a, own, &anew);
	if (rc || anew.start == FS_UNKNOWN)
		return rc;
	if (touched.start == FS_UNKNOWN || anew.start < touched.start)
		a->touched = anew;
	rc = fsi_advise_most(a, advise_coordinator(a), write_shares, 1, doublings(a, own) + 1, 0);
	a->touched = touched;
	return rc ? rc : add_when(a, from);
}
