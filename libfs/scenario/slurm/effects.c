/* What follows from a change of a job: its age, its TRES and billing, its association, and what is no longer known. */
#include "base/sort.h"
#include "model/job/last_run.h"
#include "model/job/wish.h"
#include "model/scheduler.h"
#include "scenario/slurm/slurm.h"
#include "usage/billing.h"

#include <stdlib.h>
#include <string.h>

/* ---- age */

static bool keeps_age(const fs_snapshot *m)
{
	return !fsi_config_lists(m, "AccountingStorageEnforce", "limits") ||
	       fsi_config_lists(m, "PriorityFlags", "ACCRUE_ALWAYS");
}

static bool assoc_limits_ageing(const fs_snapshot *m, uint32_t i)
{
	if (i != FSI_NO_INDEX && FSI_HAS(&m->association.v[i], ASSOCIATION, max_jobs_accrue))
		return true;
	for (; i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (FSI_HAS(&m->association.v[i], ASSOCIATION, grp_jobs_accrue))
			return true;
	return false;
}

static bool ageing_limited(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_qos *q = fsi_first_qos(m, j);

	return assoc_limits_ageing(m, fsi_job_assoc(m, j)) ||
	       (q && (FSI_HAS(q, QOS, grp_jobs_accrue) || FSI_HAS(q, QOS, max_jobs_accrue_per_user) ||
		      FSI_HAS(q, QOS, max_jobs_accrue_per_account)));
}

void fsi_slurm_age(struct fsi_scenario *s, struct fsi_job *j, enum fsi_age age)
{
	const int64_t now = s->m->info.time;
	const bool aged = FSI_HAS(j, JOB, accrue_time) && j->accrue_time < now;

	if (keeps_age(s->m))
		return;
	if (age == FSI_AGE_DIPS && !ageing_limited(s->m, j)) {
		if (aged)
			fsi_scenario_note(s, "%sits age counts for nothing until priorities are computed next, within %llds",
					  fsi_scenario_of_job(s, j), (long long)fsi_calc_period(s->m));
		return;
	}
	if (aged)
		fsi_scenario_note(s, "%sits age begins again", fsi_scenario_of_job(s, j));
	FSI_FORGET(j, JOB, accruing);
	FSI_FORGET(j, JOB, accrue_time);
	if (!fsi_slurm_held(j) && !j->dependency && FSI_HAS(j, JOB, eligible_time) && !ageing_limited(s->m, j)) {
		j->accrue_time = j->eligible_time > now ? j->eligible_time : now;
		FSI_SET(j, JOB, accrue_time);
	}
}

/* ---- what it asks for */

uint32_t fsi_slurm_nodes(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t node = fsi_name_find(m, "node");
	const int64_t asked = node ? fsi_amount_of(m, j->tres_req, node) : 0;

	if (asked > 0 && asked < UINT32_MAX)
		return (uint32_t)asked;
	return j->nodes ? j->nodes : 1;
}

static int put_amount(struct fsi_scenario *s, struct fsi_job *j, uint32_t tres, int64_t amount)
{
	const uint32_t set = fsi_scenario_amount(s->m, j->tres_req, tres, amount ? amount : -1);

	if (set == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	j->tres_req = set;
	FSI_SET(j, JOB, tres_req);
	return 0;
}

/* Bills what a job asks for as in its first partition. Error: FS_ENOMEM. */
static int bill(struct fsi_scenario *s, struct fsi_job *j)
{
	struct fsi_billing b;
	struct fs_bill bill;
	size_t n;
	const struct fsi_amount *a = fsi_amounts(s->m, j->tres_req, &n);

	if (fsi_billing_init(&b, s->m, &s->arena))
		return fsi_nomem(s->err);
	if (!b.billing || !FSI_HAS(j, JOB, tres_req))
		return 0;
	fsi_billing_compute(&b, b.mode, fsi_partition_row(s->m, fsi_first_partition(s->m, j)), a, n, &bill);
	return put_amount(s, j, b.billing, fsi_scenario_billed(bill.rate));
}

/* Less memory leaves the CPUs that the job counts for, which are those of its last test (total_cpus: select/cons_tres/
 * job_test.c: _job_test; no update sets it). */
int fsi_slurm_ask(struct fsi_scenario *s, struct fsi_job *j, uint32_t tres, int64_t amount)
{
	const bool less = tres == fsi_name_find(s->m, "mem") && amount <= fsi_amount_of(s->m, j->tres_req, tres);
	const int rc = put_amount(s, j, tres, amount);

	if (!less)
		FSI_CLEAR_RARE(s->m, j, size_factor);
	return rc ? rc : bill(s, j);
}

int fsi_slurm_scale_gres(struct fsi_scenario *s, struct fsi_job *j, uint32_t times, uint32_t by)
{
	size_t n;
	const struct fsi_amount *a = fsi_amounts(s->m, j->tres_req, &n);

	for (size_t i = n; i--; a = fsi_amounts(s->m, j->tres_req, &n))
		if (!strncmp(fsi_str(s->m, a[i].tres), "gres/", strlen("gres/")) &&
		    fsi_slurm_ask(s, j, a[i].tres, fsi_scenario_share(a[i].n, times, by)))
			return FS_ENOMEM;
	if (!times)
		FSI_CLEAR_RARE(s->m, j, gres_req);
	return 0;
}

int fsi_slurm_keep_gpu_cpus(struct fsi_scenario *s, struct fsi_job *j)
{
	const uint32_t p = fsi_partition_row(s->m, fsi_first_partition(s->m, j)), nodes = fsi_slurm_nodes(s->m, j);
	struct fsi_requests r;

	if (!FSI_HAS(j, JOB, last_sched_eval) || FSI_HAS(j, JOB, gpu_cpus) || p == FSI_NO_INDEX)
		return 0;
	if (fsi_requests_init(&r, s->m, &s->arena))
		return fsi_nomem(s->err);
	if (fsi_job_asks(s->m, j, r.gpu) <= 0)
		return 0;
	const uint64_t all = fsi_request_wish(&r, j, p, nodes).gpu_cpus * nodes;
	const uint32_t cpus = all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;

	return FSI_SET_RARE(s->m, j, gpu_cpus, cpus) ? fsi_nomem(s->err) : 0;
}

static int put_named(struct fsi_scenario *s, struct fsi_job *j, const char *tres, int64_t amount)
{
	const uint32_t name = fsi_name(s->m, tres);

	return name == FSI_INTERN_FAILED ? fsi_nomem(s->err) : put_amount(s, j, name, amount);
}

int fsi_slurm_set_cpus(struct fsi_scenario *s, struct fsi_job *j, uint32_t cpus)
{
	j->cpus = cpus;
	FSI_SET(j, JOB, cpus);
	FSI_CLEAR_RARE(s->m, j, size_factor);
	return put_named(s, j, "cpu", cpus) ? FS_ENOMEM : bill(s, j);
}

int fsi_slurm_set_nodes(struct fsi_scenario *s, struct fsi_job *j, uint32_t nodes)
{
	j->nodes = nodes;
	FSI_SET(j, JOB, nodes);
	FSI_CLEAR_RARE(s->m, j, size_factor);
	return put_named(s, j, "node", nodes) ? FS_ENOMEM : bill(s, j);
}

/* ---- whom it is charged to */

int fsi_slurm_charge(struct fsi_scenario *s, struct fsi_job *j, uint32_t account)
{
	fs_snapshot *m = s->m;
	size_t n;
	const uint32_t *names = fsi_list(m, j->partitions, &n);
	uint32_t i = n ? fsi_assoc_find(m, account, j->user, names[0]) : FSI_NO_INDEX;

	if (i == FSI_NO_INDEX)
		i = fsi_assoc_find(m, account, j->user, 0);
	if (i == FSI_NO_INDEX && fsi_config_lists(m, "AccountingStorageEnforce", "associations") && m->association.n &&
	    !fsi_hidden(m, "association"))
		return fsi_scenario_refuse(s, "%s has no association with account %s", fsi_str(m, j->user),
					   fsi_str(m, account));
	j->account = account;
	FSI_SET(j, JOB, account);
	FSI_FORGET(j, JOB, association);
	if (i != FSI_NO_INDEX) {
		j->association = m->association.v[i].id;
		FSI_SET(j, JOB, association);
	}
	return 0;
}

/* Returns true if the record's tasks wait at the throttle of their array, which takes their eligible time away
 * (src/slurmctld/job_scheduler.c: job_independent). */
static bool at_throttle(const fs_snapshot *m, const struct fsi_job *j)
{
	return j->state == FSI_STATE_PENDING && j->array_tasks && !FSI_HAS(j, JOB, eligible_time) &&
	       FSI_HAS(j, JOB, reason) && !strcmp(fsi_str(m, j->reason), "JobArrayTaskLimit");
}

void fsi_slurm_forget_recorded(struct fsi_scenario *s, struct fsi_job *j)
{
	fsi_scenario_forget(s, j->id);
	if (j->state != FSI_STATE_PENDING)
		return;
	FSI_FORGET(j, JOB, start_time);
	FSI_FORGET(j, JOB, end_time);
	FSI_FORGET(j, JOB, sched_nodes);
	FSI_CLEAR_RARE(s->m, j, row_order);
	if (fsi_slurm_held(j))
		return;
	if (!at_throttle(s->m, j))
		FSI_FORGET(j, JOB, reason);
	if (!FSI_HAS(j, JOB, priority_set) || !j->priority_set)
		FSI_FORGET(j, JOB, priority);
}

void fsi_slurm_forget_all_recorded(struct fsi_scenario *s)
{
	fsi_scenario_forget(s, 0);
	for (size_t i = 0; i < s->m->job.n; i++) {
		struct fsi_job *j = &s->m->job.v[i];

		if (j->state == FSI_STATE_PENDING && !fsi_slurm_held(j) && !j->priority_set)
			FSI_FORGET(j, JOB, priority);
	}
}

/* ---- throttles of arrays */

/* By running task: its array, in rising order. NULL if out of memory. */
static uint64_t *running_arrays(struct fsi_scenario *s, size_t *n)
{
	uint64_t *array = fsi_arena_array(&s->arena, s->m->job.n + 1, sizeof(*array));

	*n = 0;
	for (size_t i = 0; array && i < s->m->job.n; i++)
		if (s->m->job.v[i].array_job_id && fsi_job_holds(&s->m->job.v[i]))
			array[(*n)++] = s->m->job.v[i].array_job_id;
	if (array && *n)
		qsort(array, *n, sizeof(*array), fsi_rising_u64);
	return array;
}

/* Returns true if fewer tasks of the record's array run than its throttle allows. */
static bool throttle_is_open(const fs_snapshot *m, const struct fsi_job *j, const uint64_t *running, size_t n)
{
	const char *percent = strchr(fsi_str(m, j->array_tasks), '%');
	const uint64_t max = percent ? strtoull(percent + 1, NULL, 10) : 0,
		       array = j->array_job_id ? j->array_job_id : j->id;
	const uint64_t *found = n ? bsearch(&array, running, n, sizeof(*running), fsi_rising_u64) : NULL;
	size_t at = found ? (size_t)(found - running) : n;

	while (found && at && running[at - 1] == array)
		at--;
	return !max || n - at < max || running[at + max - 1] != array;
}

int fsi_slurm_open_throttles(struct fsi_scenario *s)
{
	uint64_t *running = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->m->job.n; i++) {
		struct fsi_job *j = &s->m->job.v[i];

		if (!at_throttle(s->m, j))
			continue;
		if (!running && !(running = running_arrays(s, &n)))
			return fsi_nomem(s->err);
		if (!throttle_is_open(s->m, j, running, n))
			continue;
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
		fsi_slurm_forget_recorded(s, j);
	}
	return 0;
}
