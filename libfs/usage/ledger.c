/* Books charges: rate * UsageFactor * seconds that still count, to the association of the job
 * (priority_multifactor.c:_apply_new_usage). TRES other than energy are booked by amount, with limits enforced. */
#include "usage/ledger.h"

#include "model/scheduler.h"
#include "usage/charging.h"

#include <math.h>

/* The rate of a job that the scheduler keeps the whole part of as TRES billing. NAN: it is not there. */
static double recorded_rate(const fs_usage *u, const struct fsi_run *run)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->tres[i].tres == u->billing.billing)
			return (double)run->tres[i].n;
	return NAN;
}

static bool is_whole_part(double recorded, double rate)
{
	return rate > recorded - 1e-6 && rate < recorded + 1 + 1e-6;
}

/* A job keeps the rate it began with. By today's weights and flags if that agrees with the rate recorded; else by
 * today's weights and other flags; else, the weights being others now or the partition gone, the recorded one. */
static double rate_of(fs_usage *u, const struct fsi_run *run)
{
	const fs_snapshot *m = u->m;
	const struct fsi_partition *p =
		run->partition ? fsi_partition_find(m, run->partition) : NULL;
	const uint32_t row = fsi_partition_row(m, p);
	const double recorded = recorded_rate(u, run);

	if (u->billing.everywhere.set) {
		fsi_billing_compute(&u->billing, FSI_BILL_SUM, row, run->tres, run->n, &u->bill);
		return u->bill.rate;
	}
	for (int i = 0; p && i < FSI_BILL_MODES; i++) {
		const int mode = ((int)u->billing.mode + i) % FSI_BILL_MODES;

		fsi_billing_compute(&u->billing, (enum fsi_bill_mode)mode, row, run->tres, run->n,
				    &u->bill);
		if (isnan(recorded) || is_whole_part(recorded, u->bill.rate)) {
			u->info.other_flag_jobs += i != 0;
			return u->bill.rate;
		}
	}
	u->bill.n = 0;
	u->bill.rate = recorded;
	if (isnan(recorded))
		u->info.unbilled++;
	else
		u->info.recorded_rate_jobs++;
	return recorded;
}

static void book_tres(fs_usage *u, const struct fsi_run *run, double factor_seconds)
{
	const fs_snapshot *m = u->m;
	double *to = u->tres_s + (size_t)run->association * m->tres.n;

	for (size_t i = 0; i < run->n; i++)
		for (size_t k = 0; k < m->tres.n; k++)
			if (m->tres.v[k].name == run->tres[i].tres &&
			    run->tres[i].tres != u->billing.energy)
				to[k] += (double)run->tres[i].n * factor_seconds;
}

static int call_charge(const fs_usage *u, const struct fsi_run *run, struct fs_charge *c)
{
	const fs_snapshot *m = u->m;

	c->job = run->job;
	c->user = fsi_str(m, run->user);
	c->account = fsi_str(m, run->account);
	c->partition = fsi_str(m, run->partition);
	c->qos = fsi_str(m, run->qos);
	c->row = run->association;
	c->state = run->state;
	c->submit_time = run->submit;
	c->eligible_time = run->eligible;
	c->start_time = run->start;
	c->end_time = run->end;
	c->running = run->running;
	c->bill = &u->bill;
	return u->o.charge(u->o.charge_ctx, c) ? FS_ENOMEM : 0;
}

int fsi_ledger_book(fs_usage *u, const struct fsi_run *run, int64_t from)
{
	struct fs_charge c = { .rate = rate_of(u, run), .factor = fsi_usage_factor(fsi_qos_find(u->m, run->qos)) };

	if (isnan(c.rate))
		return 0;
	c.seconds =
		fsi_decay_seconds(&u->decay, run->start, run->end, run->end <= u->decay.at, from);
	c.tres_s = fsi_charged_tres_s(c.rate, c.factor, c.seconds);
	if (!isfinite(c.tres_s))
		u->overflow = true;
	if (run->association == FSI_NO_INDEX) {
		u->info.unknown_account_jobs++;
		u->info.unknown_account_tres_s += c.tres_s;
	} else {
		if (!u->m->association.v[run->association].user) {
			u->info.deleted_user_jobs++;
			u->info.deleted_user_tres_s += c.tres_s;
		}
		u->leaf[run->association] += c.tres_s;
		if (u->tres_known)
			book_tres(u, run, c.factor * c.seconds);
	}
	return u->o.charge ? call_charge(u, run, &c) : 0;
}

static bool runs(const struct fsi_job *job)
{
	return (job->state == FSI_STATE_RUNNING || job->state == FSI_STATE_SUSPENDED) &&
	       FSI_HAS(job, JOB, start_time);
}

static bool has_ended(const struct fsi_job *job)
{
	return !runs(job) && job->state != FSI_STATE_PENDING && job->state != FSI_STATE_REVOKED &&
	       FSI_HAS(job, JOB, start_time) && FSI_HAS(job, JOB, end_time) &&
	       job->end_time >= job->start_time;
}

/* A running job is taken to use its whole time limit, and to go on without one, unless the caller supposes else. */
static int64_t end_of(const fs_usage *u, const struct fsi_job *job)
{
	int64_t end = INT64_MAX;

	if (has_ended(job))
		return job->end_time;
	if (u->o.running == FS_RUNNING_FOR_EVER)
		return end;
	if (u->o.running == FS_RUNNING_NONE && u->decay.at > u->m->info.time)
		return u->m->info.time;
	if (FSI_HAS(job, JOB, time_limit_s) && !FSI_SPECIAL(job, JOB, time_limit_s))
		end = job->start_time + job->time_limit_s;
	else if (FSI_HAS(job, JOB, end_time) && job->end_time > job->start_time)
		end = job->end_time;
	/* still after the snapshot's time, since it has not ended yet */
	return end <= u->m->info.time ? u->m->info.time + 1 : end;
}

static bool is_booked(const fs_usage *u, uint32_t i, unsigned kinds, int64_t from)
{
	const struct fsi_job *job = &u->m->job.v[i];

	if (u->seen[i])
		return false;
	if (runs(job))
		return kinds & FSI_LEDGER_RUNNING &&
		       (u->m->scheduler->charging->while_running || u->o.running == FS_RUNNING_FOR_EVER ||
			end_of(u, job) <= u->decay.at);
	return kinds & FSI_LEDGER_ENDED && has_ended(job) && job->end_time > from;
}

/* A scheduler that charges a job when it is over charges the whole of it then. Jobs like one without an end are
 * taken to end all the time: it is charged as it runs, from the snapshot's time on. */
static int64_t booked_from(const fs_usage *u, const struct fsi_job *job, int64_t from)
{
	if (!runs(job) || u->m->scheduler->charging->while_running)
		return from;
	return u->o.running == FS_RUNNING_FOR_EVER ? u->m->info.time : INT64_MIN;
}

int fsi_ledger_jobs(fs_usage *u, unsigned kinds, int64_t from)
{
	const fs_snapshot *m = u->m;
	int rc = 0;

	for (struct fsi_begun b = { 0 }; !rc && fsi_begun_next(m, &b);) {
		const struct fsi_job *job = &m->job.v[b.row];
		struct fsi_run run = { .job = job->id, .user = job->user, .account = job->account };
		size_t partitions, qoses;

		if (!is_booked(u, b.row, kinds, from))
			continue;
		const uint32_t *partition = fsi_list(m, job->partitions, &partitions);
		const uint32_t *qos = fsi_list(m, job->qos, &qoses);

		run.tres = fsi_amounts(m, job->tres_alloc ? job->tres_alloc : job->tres_req, &run.n);
		run.partition = partitions ? partition[0] : 0;
		run.qos = qoses ? qos[0] : 0;
		run.association = fsi_job_assoc(m, job);
		run.submit = FSI_HAS(job, JOB, submit_time) ? job->submit_time : FS_UNKNOWN;
		run.eligible = FSI_HAS(job, JOB, eligible_time) ? job->eligible_time : FS_UNKNOWN;
		run.state = fsi_job_state_name(job->state);
		run.start = job->start_time;
		run.end = end_of(u, job);
		run.running = runs(job);
		u->info.running += runs(job);
		u->info.records += !runs(job);
		rc = fsi_ledger_book(u, &run, booked_from(u, job, from));
	}
	return rc;
}

void fsi_ledger_rates(fs_usage *u)
{
	const int64_t now = u->m->info.time;
	const double seconds = u->o.rate ? fsi_decay_seconds(&u->decay, now, INT64_MAX, false, now) : 0;

	for (uint32_t i = 0; u->o.rate && i < u->m->association.n; i++)
		u->leaf[i] += u->o.rate[i] * seconds;
}

double fsi_ledger_tres(const fs_usage *u, uint32_t i, size_t tres)
{
	return u->tres_known ? u->tres_s[(size_t)i * u->m->tres.n + tres] : (double)NAN;
}
