#include "usage/ledger.h"

#include "model/find.h"
#include "model/jobs.h"
#include "model/scheduler.h"
#include "model/slurm.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>

/* A charge is rate * UsageFactor * decayed seconds. The charge is booked to the association of the job
 * (priority_multifactor.c:_apply_new_usage). If limits are enforced, the seconds of each TRES except energy are booked
 * too: amount * UsageFactor * decayed seconds. */

/* Returns the recorded rate of a job run: the amount of the TRES `billing`. This amount is the rate without its
 * fractional part. Returns NAN if the record has no such amount. */
static double get_recorded_rate(const fs_usage *u, const struct fsi_job_run *run)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->tres[i].tres == u->billing.billing)
			return (double)run->tres[i].n;
	return NAN;
}

static bool is_recorded_part(double recorded, double rate)
{
	return rate > recorded - 1e-6 && rate < recorded + 1 + 1e-6;
}

/* Returns the rate at which the job run is charged. Flux: the rate by the present weights. Slurm: the rate was fixed
 * when the job started, and the settings may have changed since then. The function computes the rate by the present
 * weights, first with the present PriorityFlags, then with other flags. Returns the first computed rate that agrees
 * with the recorded rate. If no rate is recorded, returns the rate with the present PriorityFlags. If no computed rate
 * agrees or the partition is missing, returns the recorded rate (NAN: not recorded). */
static double find_run_rate(fs_usage *u, const struct fsi_job_run *run)
{
	const fs_snapshot *m = u->m;
	const struct fsi_partition *p = run->partition ? fsi_partition_find(m, run->partition) : NULL;
	const uint32_t row = fsi_partition_row(m, p);
	const double recorded = get_recorded_rate(u, run);

	if (u->billing.all_queues.set) {
		fsi_billing_compute(&u->billing, FSI_BILL_TRES_SUM, row, run->tres, run->n, &u->bill);
		return u->bill.rate;
	}
	for (int i = 0; p && i < FSI_BILL_MODES; i++) {
		const int mode = ((int)u->billing.mode + i) % FSI_BILL_MODES;

		fsi_billing_compute(&u->billing, (enum fsi_bill_mode)mode, row, run->tres, run->n, &u->bill);
		if (isnan(recorded) || is_recorded_part(recorded, u->bill.rate)) {
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

static void book_run_tres(fs_usage *u, const struct fsi_job_run *run, double factor_seconds)
{
	const fs_snapshot *m = u->m;
	double *to = u->tres_s + (size_t)run->association * m->tres.n;

	for (size_t i = 0; i < run->n; i++)
		for (size_t k = 0; k < m->tres.n; k++)
			if (m->tres.v[k].name == run->tres[i].tres && run->tres[i].tres != u->billing.energy)
				to[k] += (double)run->tres[i].n * factor_seconds;
}

static int call_charge_callback(const fs_usage *u, const struct fsi_job_run *run, struct fs_charge *c)
{
	const fs_snapshot *m = u->m;

	c->job = run->job;
	c->user = fsi_name_text(m, run->user);
	c->account = fsi_name_text(m, run->account);
	c->partition = fsi_name_text(m, run->partition);
	c->qos = fsi_name_text(m, run->qos);
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

int fsi_ledger_book_run(fs_usage *u, const struct fsi_job_run *run, int64_t from)
{
	struct fs_charge c = { .rate = find_run_rate(u, run),
			       .factor = fsi_usage_factor(fsi_qos_find(u->m, run->qos)) };

	if (isnan(c.rate))
		return 0;
	c.seconds = fsi_decay_seconds(&u->decay, run->start, run->end, run->end <= u->decay.at, from);
	c.tres_s = fsi_compute_charge(c.rate, c.factor, c.seconds);
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
		u->assoc_tres_s[run->association] += c.tres_s;
		if (u->tres_known)
			book_run_tres(u, run, c.factor * c.seconds);
	}
	return u->o.charge ? call_charge_callback(u, run, &c) : 0;
}

static bool is_job_running(const struct fsi_job *job)
{
	return (job->state == FSI_STATE_RUNNING || job->state == FSI_STATE_SUSPENDED) && FSI_HAS(job, JOB, start_time);
}

static bool has_job_ended(const struct fsi_job *job)
{
	return !is_job_running(job) && job->state != FSI_STATE_PENDING && job->state != FSI_STATE_REVOKED &&
	       FSI_HAS(job, JOB, start_time) && FSI_HAS(job, JOB, end_time) &&
	       job->end_time >= job->start_time;
}

/* Returns the end of a job; INT64_MAX if the job has no known end. By default a running job is assumed to end at its
 * time limit. A running job without a limit ends at its recorded end time, if any. The option `running` selects other
 * assumptions. */
static int64_t get_job_end(const fs_usage *u, const struct fsi_job *job)
{
	int64_t end = INT64_MAX;

	if (has_job_ended(job))
		return job->end_time;
	if (u->o.running == FS_RUNNING_FOR_EVER)
		return end;
	if (u->o.running == FS_RUNNING_NONE && u->decay.at > u->m->info.time)
		return u->m->info.time;
	if (FSI_HAS(job, JOB, time_limit_s) && !FSI_SPECIAL(job, JOB, time_limit_s))
		end = job->start_time + job->time_limit_s;
	else if (FSI_HAS(job, JOB, end_time) && job->end_time > job->start_time)
		end = job->end_time;
	/* a running job ends at least 1 s after the snapshot's time */
	return end <= u->m->info.time ? u->m->info.time + 1 : end;
}

static bool needs_job_booking(const fs_usage *u, uint32_t i, unsigned kinds, int64_t from)
{
	const struct fsi_job *job = &u->m->job.v[i];

	if (u->job_is_booked[i])
		return false;
	if (is_job_running(job))
		return kinds & FSI_LEDGER_RUNNING &&
		       (u->m->scheduler->charging->while_running || u->o.running == FS_RUNNING_FOR_EVER ||
			get_job_end(u, job) <= u->decay.at);
	return kinds & FSI_LEDGER_ENDED && has_job_ended(job) && job->end_time > from;
}

/* Returns the time from which a job's run is charged. The result is `from` if the job has ended, or if the scheduler
 * charges jobs while they run. For a running job of a scheduler that charges the whole run when the job ends, the
 * result is INT64_MIN. If jobs are assumed to run for ever (FS_RUNNING_FOR_EVER), such a job is charged from the
 * snapshot's time on. */
static int64_t get_booking_start(const fs_usage *u, const struct fsi_job *job, int64_t from)
{
	if (!is_job_running(job) || u->m->scheduler->charging->while_running)
		return from;
	return u->o.running == FS_RUNNING_FOR_EVER ? u->m->info.time : INT64_MIN;
}

int fsi_ledger_book_jobs(fs_usage *u, unsigned kinds, int64_t from)
{
	const fs_snapshot *m = u->m;
	int rc = 0;

	for (struct fsi_active_jobs b = { 0 }; !rc && fsi_active_jobs_next(m, &b);) {
		const struct fsi_job *job = &m->job.v[b.row];
		struct fsi_job_run run = { .job = job->id, .user = job->user, .account = job->account };
		size_t partitions, qoses;

		if (!needs_job_booking(u, b.row, kinds, from))
			continue;
		const uint32_t *partition = fsi_list_items(m, job->partitions, &partitions);
		const uint32_t *qos = fsi_list_items(m, job->qos, &qoses);

		run.tres = fsi_amount_items(m, job->tres_alloc ? job->tres_alloc : job->tres_req, &run.n);
		run.partition = partitions ? partition[0] : 0;
		run.qos = qoses ? qos[0] : 0;
		run.association = fsi_job_find_assoc(m, job);
		run.submit = FSI_HAS(job, JOB, submit_time) ? job->submit_time : FS_UNKNOWN;
		run.eligible = FSI_HAS(job, JOB, eligible_time) ? job->eligible_time : FS_UNKNOWN;
		run.state = fsi_job_state_name(job->state);
		run.start = job->start_time;
		run.end = get_job_end(u, job);
		run.running = is_job_running(job);
		u->info.running += is_job_running(job);
		u->info.records += !is_job_running(job);
		rc = fsi_ledger_book_run(u, &run, get_booking_start(u, job, from));
	}
	return rc;
}

void fsi_ledger_book_rates(fs_usage *u)
{
	const int64_t now = u->m->info.time;
	const double seconds = u->o.rate ? fsi_decay_seconds(&u->decay, now, INT64_MAX, false, now) : 0;

	for (uint32_t i = 0; u->o.rate && i < u->m->association.n; i++)
		u->assoc_tres_s[i] += u->o.rate[i] * seconds;
}

double fsi_ledger_tres_seconds(const fs_usage *u, uint32_t i, size_t tres)
{
	return u->tres_known ? u->tres_s[(size_t)i * u->m->tres.n + tres] : (double)NAN;
}

/* ---- remaining run seconds of running jobs
 *
 * When a job starts, Slurm adds the job's time limit to the remaining run seconds of the association
 * (src/slurmctld/acct_policy.c:acct_policy_job_begin). At each priority calculation Slurm subtracts the time that the
 * job ran since the previous calculation (src/plugins/priority/multifactor/priority_multifactor.c:_apply_new_usage).
 * Both times are multiplied by the UsageFactor of the job's QOS and then truncated to whole seconds. priority/basic has
 * no calculations and subtracts nothing.
 *
 * A restarted controller adds the limit again and subtracts the run time up to the last calculation before the restart.
 * Some versions do not subtract that run time (FS_SLURM_PROMISES_AGAIN). */

static double get_job_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_usage_factor(fsi_job_first_qos(m, job));
}

static double count_subtracted_seconds(const fs_snapshot *m, double ran, double factor)
{
	const double period = (double)fsi_priority_calc_period(m);
	const double whole = floor(ran / period);

	return trunc((ran - whole * period) * factor) + whole * trunc(period * factor);
}

/* Returns true if the controller may have added the job's time limit to the remaining run seconds twice. This happens
 * if the controller was restarted during the job and did not subtract the run time. Also returns true if the start of
 * the controller is unknown. */
static bool has_limit_added_again(const fs_snapshot *m, const struct fsi_job *job)
{
	int64_t boot;

	return fsi_slurm_is_multifactor(m) && fs_slurm_has(m->info.version, FS_SLURM_PROMISES_AGAIN) &&
	       (!fsi_controller_start_time(m, &boot) || job->start_time <= boot);
}

double fsi_remaining_run_seconds(const fs_snapshot *m, const struct fsi_job *job)
{
	const double ran = (double)(m->info.priority_time - job->start_time),
		     limit = (double)job->time_limit_s, factor = get_job_factor(m, job);

	if ((job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED) ||
	    !FSI_HAS(job, JOB, time_limit_s) || !FSI_HAS(job, JOB, start_time) || ran >= limit)
		return 0;
	if (has_limit_added_again(m, job))
		return NAN;
	return trunc(limit * factor) -
	       (ran > 0 && fsi_slurm_is_multifactor(m) ? count_subtracted_seconds(m, ran, factor) : 0);
}

static double sum_remaining_seconds(const fs_snapshot *m, uint32_t i, uint32_t tres)
{
	double sum = 0;

	for (size_t k = 0; k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];
		const int64_t amount = fsi_amount_of_tres(m, job->tres_alloc, tres);
		const double left = amount ? fsi_remaining_run_seconds(m, job) : 0;
		const uint32_t a = left > 0 || isnan(left) ? fsi_job_find_assoc(m, job) : FSI_NO_INDEX;

		if (a != FSI_NO_INDEX && a >= i && a < m->tree[i].end)
			sum += (double)amount * left;
	}
	return sum;
}

int fsi_remaining_tres_seconds(const fs_snapshot *m, uint32_t i, double *out, size_t max)
{
	const struct fsi_association *a = &m->association.v[i];

	if (!FSI_HAS(a, ASSOCIATION, run_by_tres_min))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k] = sum_remaining_seconds(m, i, tres);
		/* this comparison is also true if out[k] is NAN */
		if (trunc(out[k] / 60) != (double)fsi_amount_of_tres(m, a->run_by_tres_min, tres))
			return FS_ENODATA;
	}
	return (int)m->tres.n;
}

/* ---- charges by association, with the most expensive jobs of each */

struct spent_by_assoc {
	long double tres_s;
	uint64_t jobs;
	/* the most expensive jobs by descending charge, at most FS_SPENDING_JOBS; NULL: no job has a charge yet */
	struct fs_spent_job *job;
	size_t listed;
};

struct fs_spending {
	struct fsi_arena arena;
	const fs_snapshot *m;
	/* indexed by association row; the last element has the charges without an association */
	struct spent_by_assoc *by_row;
	struct fs_usage_by_assoc *row;
	size_t n;
};

int fs_spending_new(fs_spending **out, const fs_snapshot *m, struct fs_error *err)
{
	fs_spending *p = calloc(1, sizeof(*p));

	if (!p)
		return fsi_fail_no_memory(err);
	p->m = m;
	p->by_row = fsi_arena_array(&p->arena, m->association.n + 1, sizeof(*p->by_row));
	p->row = fsi_arena_array(&p->arena, m->association.n + 1, sizeof(*p->row));
	if (!p->by_row || !p->row) {
		fs_spending_free(p);
		return fsi_fail_no_memory(err);
	}
	*out = p;
	return 0;
}

/* Returns true if a is listed before b: the more expensive job first, then the lower id, then the earlier start. */
static bool is_listed_before(const struct fs_spent_job *a, const struct fs_spent_job *b)
{
	if (a->tres_s != b->tres_s)
		return a->tres_s > b->tres_s;
	return a->job != b->job ? a->job < b->job : a->start_time < b->start_time;
}

int fs_spending_charge(fs_spending *p, const struct fs_charge *c)
{
	struct spent_by_assoc *s = &p->by_row[c->row == FS_NO_ROW ? p->m->association.n : c->row];
	const struct fs_spent_job job = { c->job,    c->start_time, c->end_time, c->running,
					  c->rate,   c->factor,	    c->seconds,	 c->tres_s };
	size_t at;

	if (!s->job)
		s->job = fsi_arena_array(&p->arena, FS_SPENDING_JOBS, sizeof(*s->job));
	if (!s->job)
		return FS_ENOMEM;
	s->tres_s += c->tres_s;
	s->jobs++;
	at = s->listed;
	if (at == FS_SPENDING_JOBS && !is_listed_before(&job, &s->job[at - 1]))
		return 0;
	at -= at == FS_SPENDING_JOBS;
	for (; at && is_listed_before(&job, &s->job[at - 1]); at--)
		s->job[at] = s->job[at - 1];
	s->job[at] = job;
	s->listed += s->listed < FS_SPENDING_JOBS;
	return 0;
}

void fs_spending_free(fs_spending *p)
{
	if (!p)
		return;
	fsi_arena_release(&p->arena);
	free(p);
}

static void add_spending_row(fs_spending *p, size_t i)
{
	const fs_snapshot *m = p->m;
	const struct spent_by_assoc *s = &p->by_row[i];
	const bool is_association = i < m->association.n;

	p->row[p->n++] = (struct fs_usage_by_assoc){
		.account = is_association ? fsi_name_text(m, m->association.v[i].account) : "",
		.user = is_association ? fsi_name_text(m, m->association.v[i].user) : "",
		.partition = is_association ? fsi_name_text(m, m->association.v[i].partition) : "",
		.row = is_association ? (uint32_t)i : FS_NO_ROW,
		.tres_s = (double)s->tres_s,
		.jobs = s->jobs,
		.job = s->job,
		.listed = s->listed,
	};
}

/* Compares rows by descending charge; the row without an association is last. Equal rows stay in tree order. */
static int compare_by_charge(const void *x, const void *y, const void *ctx)
{
	const struct fs_usage_by_assoc *a = x, *b = y;

	(void)ctx;
	if (!*a->account != !*b->account)
		return *a->account ? -1 : 1;
	return (a->tres_s < b->tres_s) - (a->tres_s > b->tres_s);
}

int fs_spending_rank(fs_spending *p, const char *account, struct fs_error *err)
{
	const fs_snapshot *m = p->m;
	const uint32_t name = account ? fsi_name_find(m, account) : 0;
	const uint32_t top = name ? fsi_assoc_find_by_names(m, name, 0, 0) : account ? FSI_NO_INDEX : 0;
	const size_t end = top == FSI_NO_INDEX || !m->association.n ? 0
			   : account                                ? m->tree[top].end
								    : m->association.n;

	if (top == FSI_NO_INDEX)
		return fsi_fail_with_code(err, FS_EUSAGE, "no account \"%.100s\" in the snapshot", account);
	p->n = 0;
	for (size_t i = top; i < end; i++)
		if (p->by_row[i].jobs)
			add_spending_row(p, i);
	if (!account && p->by_row[m->association.n].jobs)
		add_spending_row(p, m->association.n);
	return fs_sort(p->row, p->n, sizeof(*p->row), compare_by_charge, NULL) ? fsi_fail_no_memory(err) : 0;
}

size_t fs_spending_count(const fs_spending *p)
{
	return p->n;
}

const struct fs_usage_by_assoc *fs_spending_row(const fs_spending *p, size_t i)
{
	return i < p->n ? &p->row[i] : NULL;
}

static int add_charge_rate(void *ctx, const struct fs_charge *c)
{
	struct fsi_rates *r = ctx;

	if (c->row != FSI_NO_INDEX)
		r->v[r->n++] = (struct fsi_rate){ .job = c->job,
						  .row = c->row,
						  .start = c->start_time,
						  .end = c->running && c->end_time > r->decay.at ? INT64_MAX
												 : c->end_time,
						  .rate = c->rate * c->factor };
	return 0;
}

static void add_association_rates(struct fsi_rates *r, const fs_usage *u)
{
	for (uint32_t i = 0; u && u->o.rate && i < u->m->association.n; i++)
		if (u->o.rate[i] > 0)
			r->v[r->n++] = (struct fsi_rate){ .job = FSI_RATE_OF_ROW,
							  .row = i,
							  .start = u->m->info.time,
							  .end = INT64_MAX,
							  .rate = u->o.rate[i] };
}

int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *of, int64_t from, struct fsi_arena *arena)
{
	fs_usage u = { .m = m, .o = { .charge = add_charge_rate, .charge_ctx = r } };
	struct fs_error err;
	int rc;

	*r = (struct fsi_rates){ 0 };
	rc = of ? 0 : fsi_decay_init(&r->decay, m, NULL, arena, &err);
	if (rc)
		return rc == FS_ENOMEM ? -1 : 0;
	if (of) {
		r->decay = of->decay;
		u.o.running = of->o.running;
	}
	u.decay = r->decay;
	u.assoc_tres_s = fsi_arena_array(&u.arena, m->association.n + 1, sizeof(*u.assoc_tres_s));
	u.job_is_booked = fsi_arena_array(&u.arena, m->job.n + 1, sizeof(*u.job_is_booked));
	r->v = fsi_arena_array(arena, m->job.n + m->association.n + 1, sizeof(*r->v));
	rc = !u.assoc_tres_s || !u.job_is_booked || !r->v || fsi_billing_init(&u.billing, m, &u.arena) ||
	     fsi_ledger_book_jobs(&u, FSI_LEDGER_RUNNING | FSI_LEDGER_ENDED, from);
	fsi_arena_release(&u.arena);
	if (!rc)
		add_association_rates(r, of);
	return rc ? -1 : 0;
}

double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to)
{
	const int64_t since = rate->start > from ? rate->start : from;

	return to > since ? rate->rate * fsi_decay_at_once(&r->decay, to - since) : 0;
}
