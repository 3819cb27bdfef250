#include "model/maui_tables.h"
#include "priority/priority.h"

#include "base/num.h"
#include "fairshare/maui.h"

#include <math.h>
#include <string.h>

/* Indices of the values that are stored for a job after its factors: the weights that the job's QOS adds to queuetime
 * and xfactor, and the previous priority. The list that Maui's client commands print is sorted twice: first by the
 * previous priority, then by the present one (src/MSched.c: MSchedProcessJobs). The previous priority is computed from
 * the queue time that the job had one iteration earlier. A job keeps that queue time until Maui selects the job again
 * (J->EffQueueDuration, src/MPolicy.c: MQueueSelectJobs). */
enum { VALUE_QUEUETIME_WEIGHT = FSI_MAUI_TERM_COUNT, VALUE_XFACTOR_WEIGHT, VALUE_PREVIOUS_PRIORITY, MAUI_VALUES };

/* A job and the state from which its factors are computed. */
struct factor_context {
	const fs_snapshot *m;
	const fs_windows *w;
	const struct fsi_maui_conf *conf;
	const struct fsi_job *job;
	uint32_t creds[FS_CRED_KINDS];
	double ignored_s; /* time since submission (or eligibility) that does not count as queue time, seconds */
};

/* ---- factors of a job */

/* Returns the job's time limit, seconds; NAN: unknown. */
static double job_time_limit_s(const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, time_limit_s) ? (double)job->time_limit_s : NAN;
}

/* Returns the time at which the job's queue time begins, seconds since the epoch; NAN: unknown. */
static double queue_time_start(const struct factor_context *v)
{
	if (v->conf->system_queue_time && FSI_HAS(v->job, JOB, eligible_time))
		return (double)v->job->eligible_time + v->ignored_s;
	return FSI_HAS(v->job, JOB, submit_time) ? (double)v->job->submit_time + v->ignored_s : NAN;
}

/* Returns the divisor of the expansion factor for a time limit: at least XFMINWCLIMIT. */
static double expansion_factor_divisor(const struct fsi_maui_conf *c, double limit)
{
	const double min = (double)c->xf_min_wclimit_s;

	return limit < min ? min : limit;
}

static const struct fsi_credential *credential_at_row(const struct factor_context *v, uint32_t i)
{
	return i == FSI_NO_INDEX ? NULL : &v->m->credential.v[i];
}

static double credential_priority_factor(const struct factor_context *v, enum fs_cred_kind kind)
{
	const struct fsi_credential *c = credential_at_row(v, fsi_maui_priority_holder(v->w, kind, v->creds[kind]));

	return c ? c->priority : 0;
}

static double clamped_inverse_square(double distance)
{
	return pow(distance > .0001 ? distance : .0001, -2.0);
}

static void fill_service_factors(const struct factor_context *v, double *f)
{
	const double waited = (double)v->m->info.time - queue_time_start(v), limit = job_time_limit_s(v->job);

	f[FSI_MT_QUEUETIME] = waited < 0 ? 0 : waited / 60.0;
	f[FSI_MT_XFACTOR] = (waited + limit) / expansion_factor_divisor(v->conf, limit);
	f[FSI_MT_SPVIOLATION] = fsi_list_has_word(v->m, fsi_job_ext(v->m, v->job)->flags, "SPVIOLATION");
	f[FSI_MT_BYPASS] = fsi_job_ext(v->m, v->job)->bypass;
}

static void fill_target_factors(const struct factor_context *v, double *f)
{
	const struct fsi_credential *qos = credential_at_row(v, v->creds[FS_CRED_QOS]);

	if (qos && qos->queuetime_target > 0)
		f[FSI_MT_TARGET_QUEUETIME] =
			clamped_inverse_square(qos->queuetime_target - queue_time_start(v));
	if (qos && qos->xfactor_target > 0)
		f[FSI_MT_TARGET_XFACTOR] = clamped_inverse_square(qos->xfactor_target - f[FSI_MT_XFACTOR]);
	if (qos) {
		f[VALUE_QUEUETIME_WEIGHT] = qos->queuetime_weight;
		f[VALUE_XFACTOR_WEIGHT] = qos->xfactor_weight;
	}
}

static void fill_resource_factors(const struct factor_context *v, double *f)
{
	const struct fsi_job *job = v->job;

	f[FSI_MT_NODE] = job->nodes;
	f[FSI_MT_PROC] = job->cpus;
	f[FSI_MT_MEM] = fsi_maui_requested_amount(v->m, job, "mem");
	f[FSI_MT_SWAP] = fsi_maui_requested_amount(v->m, job, "swap");
	f[FSI_MT_DISK] = fsi_maui_requested_amount(v->m, job, "disk");
	f[FSI_MT_PS] = (double)job->cpus * job_time_limit_s(job);
	f[FSI_MT_PE] = fsi_maui_processor_equivalents(v->m, &v->w->w.totals, job);
	f[FSI_MT_WALLTIME] = job_time_limit_s(job);
}

/* Writes all values of a row to `f`, except the previous priority. */
static void fill_job_factors(const struct factor_context *v, double *f)
{
	memset(f, 0, MAUI_VALUES * sizeof(*f));
	/* pasted text may lack caps, the priorities of credentials, and the requests of jobs */
	if (fsi_is_type_hidden(v->m, FSI_HIDDEN_JOB_FIELDS)) {
		/* the factors and the weights that the QOS adds are unknown */
		for (int t = 0; t < VALUE_PREVIOUS_PRIORITY; t++)
			f[t] = NAN;
		return;
	}
	fill_service_factors(v, f);
	fill_target_factors(v, f);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		f[FSI_MT_CRED_USER + k] = credential_priority_factor(v, (enum fs_cred_kind)k);
		if (v->creds[k] != FSI_NO_INDEX)
			f[FSI_MT_FS_USER + k] = fsi_maui_compute_factor(v->w, v->creds[k]);
	}
	fill_resource_factors(v, f);
}

/* ---- rows, sorted as in Maui's lists */

double fsi_prio_maui_previous_priority(const struct fs_prios *p, size_t i)
{
	return p->values[i * MAUI_VALUES + VALUE_PREVIOUS_PRIORITY];
}

/* Sort keys of a row. */
struct row_sort_key {
	double priority, previous_priority;
	uint32_t position, row;
};

/* Sorts by priority, then by previous priority, both highest first, then by position in the job table (MQueue.c:
 * MQueuePrioritizeJobs). */
static int compare_sort_keys(const void *x, const void *y, const void *ctx)
{
	const struct row_sort_key *a = x, *b = y;

	(void)ctx;
	if (a->priority != b->priority)
		return (a->priority < b->priority) - (a->priority > b->priority);
	if (a->previous_priority != b->previous_priority)
		return (a->previous_priority < b->previous_priority) - (a->previous_priority > b->previous_priority);
	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	return (a->row > b->row) - (a->row < b->row);
}

static int sort_maui_rows(struct fs_prios *p)
{
	const size_t n = p->row.n;
	struct row_sort_key *v = fsi_arena_array(&p->arena, n + 1, sizeof(*v));
	struct fsi_prio_row *rows = fsi_arena_array(&p->arena, n + 1, sizeof(*rows));
	double *values = fsi_arena_array(&p->arena, n + 1, MAUI_VALUES * sizeof(*values));

	if (!v || !rows || !values)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
		struct fs_prio_row row;

		fsi_prio_row_init(&row, p->row.v[i].job);
		p->scheduler->row(p, i, &row);
		v[i] = (struct row_sort_key){ row.priority, fsi_prio_maui_previous_priority(p, i),
					      FSI_HAS(job, JOB, position) ? fsi_job_ext(p->m, job)->position
									  : UINT32_MAX,
					      i };
		if (isnan(row.priority))
			v[i].priority = v[i].previous_priority = -INFINITY;
	}
	if (fs_sort(v, n, sizeof(*v), compare_sort_keys, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		rows[i] = p->row.v[v[i].row];
		memcpy(values + i * MAUI_VALUES, p->values + (size_t)v[i].row * MAUI_VALUES,
		       MAUI_VALUES * sizeof(*values));
	}
	if (n) {
		memcpy(p->row.v, rows, n * sizeof(*rows));
		memcpy(p->values, values, n * MAUI_VALUES * sizeof(*values));
	}
	return 0;
}

/* Returns the priority that row i had in Maui's previous iteration, RMPOLLINTERVAL earlier. `v`: the job of the row. In
 * a plan (p->planner_state), the present priority is already computed from the queue time of the previous iteration.
 * The two priorities are then equal. They are also equal if the job's queue time does not grow (v->ignored_s). */
static double compute_previous_priority(struct fs_prios *p, size_t i, const struct factor_context *v)
{
	struct factor_context before = *v;
	struct fs_prio_row row;
	const double waited = (double)p->m->info.time - queue_time_start(v);

	if (!p->planner_state && v->ignored_s == 0 && waited > (double)v->conf->poll_s)
		before.ignored_s = (double)v->conf->poll_s;
	fill_job_factors(&before, p->values + i * MAUI_VALUES);
	fsi_prio_row_init(&row, p->row.v[i].job);
	p->scheduler->row(p, i, &row);
	return row.priority;
}

/* Returns true if the job is idle, not held, and not blocked by a policy or a fair-share cap. Such a job waits only for
 * jobs ahead of it and for free resources. */
static bool waits_only_for_turn(const fs_windows *w, const struct fsi_job *job, uint32_t i)
{
	struct fs_cap_row cap;

	return job->state == FSI_STATE_PENDING && !job->reason && !fs_windows_capped(w, i, &cap);
}

/* Returns the time since the start of a running job, seconds; this time does not count as queue time. Returns 0 if Maui
 * started the job in the iteration that first saw the job. Maui then has no stored queue time of the job, so its queue
 * time continues to grow. */
static double ignored_run_time_s(const struct factor_context *v)
{
	const double start = (double)v->job->start_time;

	return FSI_HAS(v->job, JOB, start_time) && start > queue_time_start(v) ? (double)v->m->info.time - start : 0;
}

/* Returns the part of the job's time in the queue that does not count as queue time, in seconds. In a plan, the planner
 * may have computed the queue time (state->queued_s); the result is then the time in the queue minus this queue time.
 * For a blocked job that was eligible before, the result is the time since the job was last eligible. For a running
 * job, see ignored_run_time_s. For any other job, such as one that was never eligible, the result is 0. */
static double ignored_queue_time_s(const struct factor_context *v, const struct fsi_maui_state *state, uint32_t i)
{
	const double in_queue = (double)v->m->info.time - queue_time_start(v);
	const uint32_t last = FSI_HAS(v->job, JOB, eligible_s) ? fsi_job_ext(v->m, v->job)->eligible_s : 0;

	if (v->conf->system_queue_time && state && state->queued_s[i] != FS_UNKNOWN)
		return in_queue - (double)state->queued_s[i];
	if (v->job->state == FSI_STATE_RUNNING)
		return ignored_run_time_s(v);
	return last && !waits_only_for_turn(v->w, v->job, i) ? in_queue - last : 0;
}

static int add_job_rows(struct fs_prios *p, const fs_windows *w, const struct fsi_maui_conf *c, uint32_t i,
			bool include_blocked)
{
	struct factor_context v = { .m = p->m, .w = w, .conf = c, .job = &p->m->job.v[i] };
	struct fs_prio_row row;
	const size_t start = p->row.n;

	if (fsi_prio_add_rows(p, i))
		return -1;
	fsi_job_find_creds(p->m, &w->w.creds, v.job, v.creds);
	v.ignored_s = ignored_queue_time_s(&v, p->planner_state, i);
	for (size_t k = start; k < p->row.n; k++) {
		const double earlier = compute_previous_priority(p, k, &v);

		fill_job_factors(&v, p->values + k * MAUI_VALUES);
		p->values[k * MAUI_VALUES + VALUE_PREVIOUS_PRIORITY] = earlier;
	}
	fsi_prio_row_init(&row, i);
	p->scheduler->row(p, start, &row);
	if (c->reject_negative && row.priority < 0 && !include_blocked && v.job->state == FSI_STATE_PENDING)
		p->row.n = start;
	return 0;
}

/* Adds the rows of all jobs with a priority, sorted as in Maui's lists. Returns -1 if out of memory. */
static int add_maui_rows(struct fs_prios *p, const fs_windows *w, const struct fsi_maui_conf *c,
			 const struct fs_prios_options *o)
{
	const bool include_blocked = o && o->blocked, include_running = o && o->running;
	int rc = 0;

	for (uint32_t i = 0; i < p->m->job.n && !rc; i++) {
		const struct fsi_job *job = &p->m->job.v[i];

		if (!fsi_prio_is_job_requested(o, i))
			continue;
		if (job->state == FSI_STATE_RUNNING ? include_running
		    : include_blocked               ? job->state == FSI_STATE_PENDING
						    : waits_only_for_turn(w, job, i))
			rc = add_job_rows(p, w, c, i, include_blocked);
	}
	return rc ? rc : sort_maui_rows(p);
}

/* ---- sums
 *
 * Maui's start priority (src/moab/MPriority.c: MJobGetStartPriority):
 *
 *   P = sum of W * min(S, CAP) over all components
 *   S = sum of w * min(f, cap) over all terms of a component
 *
 * W and CAP: weight and cap of a component; w, f and cap: weight, factor and cap of a term. A cap of 0 means no cap.
 *
 * Factors f of a job (limit: its time limit in seconds):
 *   service   queuetime: minutes eligible; xfactor: (seconds eligible + limit) / max(XFMINWCLIMIT, limit);
 *             spviolation: 1 if the job violates a soft policy; bypass: number of times that backfill overtook the job
 *   target    queuetime: (QTTARGET - start of the queue time)^-2; xfactor: (XFTARGET - xfactor)^-2. Both bases are
 *             at least 1e-4. The start is in seconds since the epoch, so the base of queuetime is always 1e-4.
 *   cred      PRIORITY of the credential; if it is 0, PRIORITY of DEFAULT (not for a QOS)
 *   fs        fsi_maui_compute_factor
 *   res       node: requested nodes; proc: tasks * processors; mem, swap, disk: tasks * MB; ps: proc * limit;
 *             pe: processor equivalents; walltime: limit
 *   usage     0, except for running jobs
 * QTWEIGHT and XFWEIGHT of the QOS are added to the weights of the two service terms.
 *
 * A priority below 1 becomes 1, unless negative priorities are rejected or enabled. A priority above 1e9 becomes 1e9.
 * If the job has a system priority p, its priority is 1e9 + p instead. If p is above 1e9, p - 2e9 is added to the
 * priority instead. The fraction is dropped. REJECTNEGPRIOJOBS blocks jobs with a priority below 0.
 *
 * A running job has the queue time that it had when it started. Its priority is its start priority plus the component
 * USAGEWEIGHT (src/MJob.c: MJobGetRunPriority). In the iteration that started the job, its priority is 0. */

#define MAX_MAUI_PRIORITY 1000000000.0

struct maui_prio {
	struct fsi_maui_conf conf;
	size_t term_index
		/* index of each term in the terms of a job; if a component has a cap, a term for the cap follows the
		 * terms of the component */
		[FSI_MAUI_TERM_COUNT];
	bool shown_by_qos[FSI_MAUI_TERM_COUNT];
};

static double qos_added_weight(const double *f, int term)
{
	return term == FSI_MT_QUEUETIME ? f[VALUE_QUEUETIME_WEIGHT]
	       : term == FSI_MT_XFACTOR ? f[VALUE_XFACTOR_WEIGHT]
					: 0;
}

/* Returns weight * value. Returns 0 if the weight is 0, even if the value is unknown (NAN). */
static double multiply_by_weight(double weight, double value)
{
	return weight == 0 ? 0 : weight * value;
}

/* Returns term t with its factor and points. `weight`: the term's own weight, without the weight of its component. */
static struct fs_prio_term make_maui_term(const struct fs_prios *p, int t, double value, double weight)
{
	const struct maui_prio *x = p->own;
	struct fs_prio_term term = p->weights[x->term_index[t]];
	const double cap = x->conf.cap[t];

	term.value = value;
	if (cap > 0 && value > cap) {
		term.cut = value - cap;
		term.value = cap;
	}
	term.weight = p->groups[fsi_maui_terms[t].group].weight * weight;
	term.points = multiply_by_weight(term.weight, term.value) + 0.0; /* avoids -0 */
	return term;
}

static void fill_fairshare(const struct fs_prios *p, enum fs_cred_kind kind, double factor, struct fs_prio_term *out)
{
	const int t = FSI_MT_FS_USER + (int)kind;

	*out = make_maui_term(p, t, factor, ((const struct maui_prio *)p->own)->conf.weight[t]);
}

static void fill_component_terms(const struct fs_prios *p, int g, const double *f, struct fs_prio_row *row)
{
	const struct maui_prio *x = p->own;
	const struct fs_prio_group *group = &p->groups[g];
	double sum = 0;

	for (int t = 0; t < FSI_MAUI_TERM_COUNT; t++) {
		double weight;

		if (fsi_maui_terms[t].group != g)
			continue;
		weight = x->conf.weight[t] + qos_added_weight(f, t);
		row->terms[x->term_index[t]] = make_maui_term(p, t, f[t], weight);
		sum += multiply_by_weight(weight, row->terms[x->term_index[t]].value);
	}
	row->group_values[g] = group->cap > 0 && sum > group->cap ? group->cap : sum;
	if (group->cap > 0) {
		struct fs_prio_term *term = &row->terms[group->first + group->count - 1];

		*term = p->weights[group->first + group->count - 1];
		term->value = row->group_values[g] - sum;
		term->points = multiply_by_weight(term->weight, term->value) + 0.0;
	}
}

/* Returns the priority that Maui computes from the sum row->sum. Records in *row each step that changes the value. */
static double apply_priority_steps(const struct fsi_maui_conf *c, struct fs_prio_row *row, double system_priority)
{
	double v = row->sum;

	if (!c->reject_negative && !c->enable_negative && v < 1.0)
		v = fsi_prio_record_step(row, FS_STEP_RAISED, v, 1.0);
	if (v > MAX_MAUI_PRIORITY)
		v = fsi_prio_record_step(row, FS_STEP_CUT, v, MAX_MAUI_PRIORITY);
	if (system_priority > MAX_MAUI_PRIORITY)
		v = fsi_prio_record_step(row, FS_STEP_SYSTEM, v, v + (system_priority - 2 * MAX_MAUI_PRIORITY));
	else if (system_priority > 0)
		v = fsi_prio_record_step(row, FS_STEP_SYSTEM, v, MAX_MAUI_PRIORITY + system_priority);
	return fsi_prio_record_step(row, FS_STEP_FRACTION, v, trunc(v));
}

/* Returns the points of the component USAGEWEIGHT for a running job. The factor of PERCENTWEIGHT is a whole number, as
 * in Maui (src/MJob.c: MJobGetRunPriority). */
static double compute_usage_points(const struct fsi_maui_conf *c, const struct fsi_job *job, int64_t now)
{
	const int64_t ran = now - job->start_time, left = job->time_limit_s - ran;
	const int64_t percent = ran * 100 / (left > 1 ? left : 1);

	return c->group_weight[FSI_MG_USAGE] *
	       (multiply_by_weight(c->weight[FSI_MT_CONSUMED], (double)(job->cpus * ran)) +
		multiply_by_weight(c->weight[FSI_MT_REMAINING], (double)(job->cpus * left)) +
		multiply_by_weight(c->weight[FSI_MT_PERCENT], (double)percent));
}

static double compute_run_priority(const struct fs_prios *p, const struct fsi_job *job, double start_priority)
{
	const struct maui_prio *x = p->own;

	if (!FSI_HAS(job, JOB, start_time))
		return (double)NAN;
	return job->start_time < p->m->info.time
		       ? trunc(start_priority + compute_usage_points(&x->conf, job, p->m->info.time))
		       : 0;
}

/* Sets the points of terms to the points that diagnose -p printed, with all printed decimals. */
static void use_recorded_points(const struct fs_prios *p, const struct fsi_recorded *r, struct fs_prio_row *row)
{
	const struct maui_prio *x = p->own;
	size_t n;
	const uint32_t *items = fsi_list_items(p->m, r->terms, &n);

	for (size_t i = 0; i < n; i++) {
		const char *item = fsi_name_text(p->m, items[i]), *blank = strchr(item, ' ');
		double points;

		if (!blank || fsi_parse_double(blank + 1, strlen(blank + 1), &points))
			continue;
		for (int t = 0; t < FSI_MAUI_TERM_COUNT; t++)
			if (!strncmp(fsi_maui_terms[t].name, item, (size_t)(blank - item)) &&
			    !fsi_maui_terms[t].name[blank - item]) {
				row->terms[x->term_index[t]].points = points;
				row->terms[x->term_index[t]].recorded = true;
			}
	}
}

/* Fills *row from pasted text, with the points and the priority that Maui's client commands printed. The sum is
 * computed from the points. */
static void fill_pasted_row(const struct fs_prios *p, const struct fsi_job *job, struct fs_prio_row *row)
{
	const struct fsi_recorded *recorded = NULL;

	for (size_t k = 0; k < p->m->recorded.n && !recorded; k++)
		if (p->m->recorded.v[k].job == job->id && FSI_HAS(&p->m->recorded.v[k], RECORDED, job))
			recorded = &p->m->recorded.v[k];
	if (recorded)
		use_recorded_points(p, recorded, row);
	row->sum = p->nterms ? 0 : (double)NAN;
	for (size_t t = 0; t < p->nterms; t++)
		row->sum += row->terms[t].points;
	row->set_directly = job->priority_set != 0;
	row->priority = FSI_HAS(job, JOB, priority) ? job->priority : (double)NAN;
}

static void compute_maui_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct maui_prio *x = p->own;
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];

	for (int g = 0; g < FSI_MAUI_GROUP_COUNT; g++) {
		fill_component_terms(p, g, p->values + i * p->nvalues, row);
		row->sum += multiply_by_weight(p->groups[g].weight, row->group_values[g]);
	}
	if (fsi_is_type_hidden(p->m, FSI_HIDDEN_JOB_FIELDS)) {
		fill_pasted_row(p, job, row);
		return;
	}
	row->set_directly = job->priority_set != 0;
	row->priority = apply_priority_steps(&x->conf, row, job->priority_set);
	if (job->state == FSI_STATE_RUNNING)
		row->priority = compute_run_priority(p, job, row->priority);
}

static void fill_maui_inputs(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	const struct maui_prio *x = p->own;
	const struct factor_context v = { .m = p->m, .conf = &x->conf, .job = &p->m->job.v[p->row.v[i].job] };
	const double since = queue_time_start(&v);

	if (isnan(since) || (t != x->term_index[FSI_MT_QUEUETIME] && t != x->term_index[FSI_MT_XFACTOR]))
		return;
	out->since = (int64_t)since;
	out->have = (double)p->m->info.time - since;
	if (t == x->term_index[FSI_MT_QUEUETIME]) {
		out->rule = FS_INPUTS_WAITED;
		return;
	}
	out->rule = FS_INPUTS_EXPANSION;
	out->limit_s = job_time_limit_s(v.job);
	out->of = expansion_factor_divisor(v.conf, out->limit_s);
}

static bool has_qos_weight(const fs_snapshot *m, int term)
{
	for (size_t i = 0; i < m->credential.n; i++)
		if (term == FSI_MT_QUEUETIME
			    ? m->credential.v[i].queuetime_weight > 0
			    : term == FSI_MT_XFACTOR && m->credential.v[i].xfactor_weight > 0)
			return true;
	return false;
}

static char *make_cap_name(struct fsi_arena *arena, const char *group)
{
	const size_t len = strlen(group);
	char *s = fsi_arena_alloc(arena, len + sizeof("/cap"));

	if (s) {
		memcpy(s, group, len);
		memcpy(s + len, "/cap", sizeof("/cap"));
	}
	return s;
}

static bool are_weights_unknown(const struct fsi_maui_conf *c)
{
	for (int t = 0; t < FSI_MAUI_TERM_COUNT; t++)
		if (!isnan(c->weight[t]))
			return false;
	return true;
}

static int make_maui_terms(struct fs_prios *p, struct maui_prio *x)
{
	const struct fsi_maui_conf *c = &x->conf;
	size_t n = 0;

	p->ngroups = FSI_MAUI_GROUP_COUNT;
	p->nvalues = MAUI_VALUES;
	p->groups = fsi_arena_array(&p->arena, p->ngroups, sizeof(*p->groups));
	p->weights = fsi_arena_array(&p->arena, FSI_MAUI_TERM_COUNT + p->ngroups, sizeof(*p->weights));
	p->shown_by_qos = fsi_arena_array(&p->arena, FSI_MAUI_TERM_COUNT + p->ngroups, sizeof(bool));
	if (!p->groups || !p->weights || !p->shown_by_qos)
		return -1;
	for (int g = 0; g < FSI_MAUI_GROUP_COUNT; g++) {
		struct fs_prio_group *group = &p->groups[g];

		*group = (struct fs_prio_group){ .name = fsi_maui_groups[g].name,
						 .weight = c->group_weight[g],
						 .cap = c->group_cap[g],
						 .first = n };
		for (int t = 0; t < FSI_MAUI_TERM_COUNT; t++) {
			if (fsi_maui_terms[t].group != g)
				continue;
			x->term_index[t] = n;
			p->shown_by_qos[n] = has_qos_weight(p->m, t);
			p->weights[n++] =
				(struct fs_prio_term){ .factor = FS_FACTOR_MAUI,
						       .name = fsi_maui_terms[t].name,
						       .weight = group->weight * c->weight[t] };
		}
		if (group->cap > 0) {
			const char *name = make_cap_name(&p->arena, group->name);

			if (!name)
				return -1;
			p->weights[n++] = (struct fs_prio_term){ .factor = FS_FACTOR_MAUI,
								 .name = name,
								 .weight = group->weight };
		}
		group->count = n - group->first;
	}
	p->nterms = n;
	if (fsi_is_type_hidden(p->m, "config") && are_weights_unknown(c)) /* no output of diagnose -p was pasted */
		p->nterms = p->ngroups = 0;
	return 0;
}

static int compute_maui_priorities(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
				   struct fs_error *err)
{
	struct maui_prio *x = p->own = fsi_arena_alloc(&p->arena, sizeof(*x));
	fs_windows *w = NULL;
	int rc;

	(void)shares;
	if (!x)
		return fsi_fail_no_memory(err);
	rc = fs_windows_compute(&w, p->m, err);
	if (rc)
		return rc;
	x->conf = w->w.conf;
	if (make_maui_terms(p, x) || add_maui_rows(p, w, &x->conf, o))
		rc = fsi_fail_no_memory(err);
	fs_windows_free(w);
	return rc;
}

const struct fsi_prio_scheduler fsi_maui_prio = {
	.compute = compute_maui_priorities,
	.row = compute_maui_row,
	.inputs = fill_maui_inputs,
	.fill_fairshare = fill_fairshare,
};
