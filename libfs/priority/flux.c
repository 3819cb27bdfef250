#include "priority/flux.h"

#include "base/num.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Priorities of flux-accounting's plugin (src/plugins/mf_priority.cpp).
 *
 *   urgency 0    0 (the job is held)
 *   urgency 31   4294967295 (the job is expedited)
 *   otherwise    W_fairshare * fairshare + W_queue * queue + W_bank * bank + W_urgency * (urgency - 16),
 *                rounded half away from zero, at least 0
 *
 * The weights are 100000, 10000, 0 and 1000 unless configured. The factor `fairshare` has six decimals. The factor
 * comes from the database, whose values are pushed to the plugin from time to time. The plugin posts the factor with
 * the job, and uses it until the next push. A push is assumed if the caller's view sets `algorithm` or `usage` (struct
 * fs_view). A priority of 0 holds a job, like an urgency of 0 (flux-core, src/modules/job-manager/alloc.c).
 *
 * The plugin stores the priority of a queue with the user and bank, not with the job. Whenever a priority is computed
 * (by job.new or job.priority.get), all jobs of the user in the bank use the queue of the user's last submission there.
 * If a job has no priority yet, its priority is therefore computed with the queue of its owner's last job. If a job has
 * a priority, the function find_counted_queue selects a queue that reproduces this priority: the job's own queue, the
 * queue of the owner's last job, or any other queue.
 *
 * The plugin stores the priority of a bank in the same way (by job.new, or job.update to another bank). After `flux
 * account edit-bank --priority`, jobs keep the old priority of the bank until their owner submits another job there.
 * The plugin does not report the stored bank priority. If no queue reproduces a job's priority, the function
 * find_stored_bank_priority selects a bank priority that reproduces the job's priority. */

static const double expedited_priority = 4294967295.0;

static const struct {
	const char *name, *config;
	double weight;
} flux_factors[FSI_FLUX_TERMS] = {
	{ "fairshare", "weight_fairshare", 100000 },
	{ "queue", "weight_queue", 10000 },
	{ "bank", "weight_bank", 0 },
	{ "urgency", "weight_urgency", 1000 },
};

double fsi_flux_round_stored_factor(double factor)
{
	char text[64];

	if (!isfinite(factor))
		return factor;
	if (fsi_parse_double(text, (size_t)snprintf(text, sizeof(text), "%f", factor), &factor))
		return NAN;
	return factor;
}

/* Returns the priority for a sum of terms: the sum rounded half away from zero, but at least 0
 * (plugins/mf_priority.cpp). */
static double sum_to_flux_priority(double sum)
{
	const double rounded = round(sum);

	return rounded < 0 ? 0 : rounded;
}

uint32_t fsi_flux_find_assoc(const fs_snapshot *m, const struct fsi_job *job)
{
	const bool by_default = !job->account && !fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	const struct fsi_user *user = by_default ? fsi_user_find(m, job->user) : NULL;
	const uint32_t bank = job->account ? job->account : user ? user->default_account : 0;

	return bank && job->user ? fsi_assoc_find_by_names(m, bank, job->user, 0) : FSI_NO_INDEX;
}

static double flux_fairshare_factor(const struct fs_prios *p, const fs_shares *shares, const struct fsi_job *job,
				    bool computed)
{
	const uint32_t i = fsi_flux_find_assoc(p->m, job);
	const struct fsi_association *a = i == FSI_NO_INDEX ? NULL : &p->m->association.v[i];

	if (!computed && FSI_HAS(job, JOB, fairshare_ppm))
		return fsi_job_ext(p->m, job)->fairshare_ppm / 1e6;
	if (a && (!computed || p->m->tree[i].uncounted) && FSI_HAS(a, ASSOCIATION, fairshare))
		return a->fairshare;
	return a && shares ? fsi_flux_round_stored_factor(shares->f.share[i].factor) : (double)NAN;
}

/* Indices of the values that are stored for a job after its factors. VALUE_QUEUE: name id of the queue whose priority
 * applies (0: none). VALUE_LAST_JOB: enum fs_last_job. */
enum { VALUE_QUEUE = FSI_FLUX_TERMS, VALUE_LAST_JOB, FLUX_VALUES };

/* Returns the present priority of the job's bank; NAN: unknown. */
static double flux_bank_priority(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t user = fsi_flux_find_assoc(m, job);
	const uint32_t bank = user == FSI_NO_INDEX ? user : m->tree[user].parent;

	if (bank == FSI_NO_INDEX || !FSI_HAS(&m->association.v[bank], ASSOCIATION, bank_priority))
		return NAN;
	return m->association.v[bank].bank_priority;
}

/* Returns the bank priority that the plugin stores for the job's association according to the snapshot; NAN:
 * unknown. */
static double get_bank_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t user = fsi_flux_find_assoc(m, job);

	if (user != FSI_NO_INDEX && FSI_HAS(&m->association.v[user], ASSOCIATION, bank_factor))
		return m->association.v[user].bank_factor;
	return flux_bank_priority(m, job);
}

/* Returns the sum of the terms. of_queue, of_bank: priorities that the sum uses
 * instead of the priorities in `v`. */
static double sum_flux_terms(const struct fs_prios *p, double of_queue, double of_bank, const double *v)
{
	double sum = 0;

	for (size_t t = 0; t < FSI_FLUX_TERMS; t++)
		if (p->weights[t].weight != 0)
			sum += p->weights[t].weight *
			       (t == FSI_FLUX_QUEUE ? of_queue : t == FSI_FLUX_BANK ? of_bank : v[t]);
	return sum;
}

/* Returns true if the priority computed from the sum of terms equals the stored priority of the job. `of_queue`:
 * priority of a queue; the sum uses it instead of the queue priority in `v`. */
static bool reproduces_job_priority(const struct fs_prios *p, const struct fsi_job *job, double of_queue,
				    const double *v)
{
	return sum_to_flux_priority(sum_flux_terms(p, of_queue, v[FSI_FLUX_BANK], v)) == job->priority;
}

/* Returns the whole-numbered bank priority with which the terms reproduce the stored priority of the job; NAN: there is
 * none. With a small weight, almost every difference would be a multiple of the weight. */
static double solve_bank_priority(const struct fs_prios *p, const struct fsi_job *job, double of_queue, const double *v)
{
	const double weight = p->weights[FSI_FLUX_BANK].weight, smallest_weight = 100;
	const double bank = round((job->priority - sum_flux_terms(p, of_queue, 0, v)) / weight);

	if (!(fabs(weight) >= smallest_weight) || !job->priority)
		return NAN;
	return sum_to_flux_priority(sum_flux_terms(p, of_queue, bank, v)) == job->priority ? bank : (double)NAN;
}

/* Returns true if the snapshot comes from pasted text, which may lack fields of jobs. */
static bool is_pasted_text(const fs_snapshot *m)
{
	return fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS);
}

/* Returns the first row of a queue whose priority reproduces the stored priority of the job; FSI_NO_INDEX: there is
 * none. The computed priority rises or falls with the priority of the queue. */
static uint32_t find_reproducing_queue(const struct fs_prios *p, const struct fsi_flux_queues *queues,
				       const struct fsi_job *job, const double *v)
{
	const struct fsi_partition *queue = p->m->partition.v;
	const bool falls = p->weights[FSI_FLUX_QUEUE].weight < 0;
	size_t lo = 0, hi = queues->nranked;
	uint32_t first = FSI_NO_INDEX;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const double priority = sum_to_flux_priority(
			sum_flux_terms(p, queue[queues->ranked[mid]].priority, v[FSI_FLUX_BANK], v));

		if (falls ? priority > job->priority : priority < job->priority)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < queues->nranked && reproduces_job_priority(p, job, queue[queues->ranked[lo]].priority, v); lo++)
		if (queues->ranked[lo] < first)
			first = queues->ranked[lo];
	return first;
}

/* Returns the queue whose priority applies to the job. If the job has a stored priority, the queue is chosen to
 * reproduce the stored priority. */
static struct fsi_flux_applied_queue find_counted_queue(const struct fs_prios *p, const struct fsi_flux_queues *queues,
							const struct fsi_job *job, const double *v)
{
	const fs_snapshot *m = p->m;
	const struct fsi_flux_applied_queue latest =
		fsi_flux_find_applied_queue(m, queues, fsi_flux_find_assoc(m, job), job);
	const uint32_t own = fsi_flux_job_queue(m, job);
	const struct fsi_flux_applied_queue own_queue = { own, FS_LAST_JOB_KNOWN, fsi_flux_queue_priority(m, own),
							  false };
	double other;
	uint32_t other_row;

	if (!FSI_HAS(job, JOB, priority) ||
	    (latest.last == FS_LAST_JOB_HELD && reproduces_job_priority(p, job, latest.priority, v)))
		return latest;
	if (fsi_flux_is_priority_direct(p->m, job) || reproduces_job_priority(p, job, own_queue.priority, v))
		return own_queue;
	other = fsi_flux_queue_priority(m, latest.queue);
	if (reproduces_job_priority(p, job, other, v))
		return (struct fsi_flux_applied_queue){ latest.queue, FS_LAST_JOB_KNOWN, other, false };
	other_row = find_reproducing_queue(p, queues, job, v);
	if (other_row != FSI_NO_INDEX)
		return (struct fsi_flux_applied_queue){ m->partition.v[other_row].name, FS_LAST_JOB_KNOWN,
							m->partition.v[other_row].priority, false };
	/* no queue reproduces the job's priority: the plugin used a weight or factor that is not in the snapshot */
	return latest.reported ? latest : own_queue;
}

/* If neither a queue nor the present bank priority reproduces the job's stored priority, sets *queue and the bank
 * priority in `v` to values that do. The plugin used the job's own queue or the queue of its owner's last job. If these
 * queues lead to different bank priorities, or if the plugin may have used another fair-share factor, nothing is
 * set. */
static void find_stored_bank_priority(const struct fs_prios *p, const struct fsi_flux_queues *queues,
				      const struct fsi_job *job, struct fsi_flux_applied_queue *queue, double *v)
{
	const struct fsi_flux_applied_queue latest =
		fsi_flux_find_applied_queue(p->m, queues, fsi_flux_find_assoc(p->m, job), job);
	double by_latest, by_own, bank;

	if (!FSI_HAS(job, JOB, priority) || !FSI_HAS(job, JOB, fairshare_ppm) || isnan(v[FSI_FLUX_BANK]) ||
	    fsi_flux_is_priority_direct(p->m, job) || reproduces_job_priority(p, job, queue->priority, v))
		return;
	by_latest = solve_bank_priority(p, job, latest.priority, v);
	by_own = latest.reported ? by_latest : solve_bank_priority(p, job, queue->priority, v);
	bank = isnan(by_latest) ? by_own : by_latest;
	if (isnan(bank) || (!isnan(by_own) && by_own != bank))
		return;
	v[FSI_FLUX_BANK] = bank;
	if (!isnan(by_latest))
		*queue = latest;
}

static void set_flux_values(struct fs_prios *p, const fs_shares *shares, const struct fsi_flux_queues *queues,
			    const struct fsi_job *job, bool computed, double *v)
{
	struct fsi_flux_applied_queue queue;

	v[FSI_FLUX_FAIRSHARE] = flux_fairshare_factor(p, shares, job, false);
	v[FSI_FLUX_BANK] = get_bank_factor(p->m, job);
	v[FSI_FLUX_URGENCY] = FSI_HAS(job, JOB, urgency)
				      ? (double)fsi_job_ext(p->m, job)->urgency - FSI_FLUX_DEFAULT_URGENCY
				      : (double)NAN;
	/* at this point, `v` contains the fair-share factor that flux-accounting's plugin stored with the job */
	queue = find_counted_queue(p, queues, job, v);
	find_stored_bank_priority(p, queues, job, &queue, v);
	v[FSI_FLUX_FAIRSHARE] = flux_fairshare_factor(p, shares, job, computed);
	v[VALUE_LAST_JOB] = queue.last;
	v[VALUE_QUEUE] = queue.last == FS_LAST_JOB_UNKNOWN ? fsi_flux_job_queue(p->m, job) : queue.queue;
	v[FSI_FLUX_QUEUE] = queue.priority;
	if (is_pasted_text(p->m) && (!FSI_HAS(job, JOB, partitions) || !FSI_HAS(job, JOB, priority)))
		/* unknown: the queue of the user's last submitted job may determine the priority, but the pasted text
		 * may not show that queue */
		v[FSI_FLUX_QUEUE] = NAN;
}

static int read_flux_weight(const fs_snapshot *m, size_t i, double *weight, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, flux_factors[i].config);
	const struct fsi_input_position where = { m->file, e ? e->line : 0, 0 };

	*weight = fsi_is_type_hidden(m, "config") ? (double)NAN : flux_factors[i].weight;
	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT && e->kind != FSI_CONFIG_DOUBLE)
		return fsi_fail_at(err, where, flux_factors[i].config, "expected a number");
	*weight = e->kind == FSI_CONFIG_INT ? (double)e->i : e->d;
	return 0;
}

static int make_flux_weights(struct fs_prios *p, struct fs_error *err)
{
	static const enum fs_factor tags[] = { FS_FACTOR_FAIRSHARE, FS_FACTOR_QUEUE, FS_FACTOR_BANK,
					       FS_FACTOR_URGENCY };
	int rc = 0;

	p->nterms = FSI_FLUX_TERMS;
	p->nvalues = FLUX_VALUES;
	p->weights = fsi_arena_array(&p->arena, p->nterms, sizeof(*p->weights));
	if (!p->weights)
		return fsi_fail_no_memory(err);
	for (size_t i = 0; i < FSI_FLUX_TERMS && !rc; i++) {
		p->weights[i] = (struct fs_prio_term){ .factor = tags[i], .name = flux_factors[i].name };
		rc = read_flux_weight(p->m, i, &p->weights[i].weight, err);
	}
	return rc;
}

static int compute_flux_priorities(struct fs_prios *p, const fs_shares *shares, const struct fs_prios_options *o,
				   struct fs_error *err)
{
	const fs_snapshot *m = p->m;
	const int rc = make_flux_weights(p, err);
	const bool computed = o && (o->view.algorithm || o->view.usage);
	struct fsi_flux_queues queues;

	if (rc || fsi_flux_read_queues(&queues, m, &p->arena))
		return rc ? rc : fsi_fail_no_memory(err);
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const size_t start = p->row.n;

		if (!fsi_prio_is_job_requested(o, i))
			continue;
		if (job->state != FSI_STATE_PENDING && !(o && o->running && job->state == FSI_STATE_RUNNING))
			continue;
		if (fsi_prio_add_rows(p, i))
			return fsi_fail_no_memory(err);
		for (size_t k = start; k < p->row.n; k++)
			set_flux_values(p, shares, &queues, job, computed, p->values + k * p->nvalues);
	}
	return 0;
}

/* Sets the priority of a row from pasted text to the printed priority. If the terms do not reproduce the printed
 * priority, they were valid at a different time. In this case, sets the terms and the sum to NAN (unknown). */
static void prefer_listed_priority(const struct fs_prios *p, const struct fsi_job *job, struct fs_prio_row *row)
{
	if (!FSI_HAS(job, JOB, priority) || p->now != p->m->info.time)
		return;
	for (size_t t = 0; t < FSI_FLUX_TERMS && fabs(row->priority - job->priority) > 0; t++)
		row->terms[t].value = row->terms[t].points = row->sum = NAN;
	row->priority = job->priority;
}

static void compute_flux_row(const struct fs_prios *p, size_t i, struct fs_prio_row *row)
{
	const struct fsi_job *job = &p->m->job.v[row->job_row];
	const double *v = p->values + i * p->nvalues;
	const uint32_t urgency = fsi_job_ext(p->m, job)->urgency;
	const bool known = FSI_HAS(job, JOB, urgency);

	row->set_directly = fsi_flux_is_priority_direct(p->m, job);
	for (size_t t = 0; t < FSI_FLUX_TERMS; t++) {
		struct fs_prio_term *term = &row->terms[t];

		*term = p->weights[t];
		term->value = row->set_directly ? 0 : v[t];
		term->points = row->set_directly || term->weight == 0 ? 0 : term->weight * term->value + 0.0; /* avoids -0 */
		row->sum += term->points;
	}
	row->urgency = known ? (double)urgency : (double)NAN;
	if (row->set_directly)
		row->sum = urgency == FSI_FLUX_HOLD ? 0 : expedited_priority;
	if (isnan(row->sum)) { /* if a term is unknown, the job's recorded priority is used */
		row->priority = FSI_HAS(job, JOB, priority) ? job->priority : (double)NAN;
		return;
	}
	row->priority = sum_to_flux_priority(row->sum);
	fsi_prio_record_step(row, FS_STEP_CLAMPED,
			     fsi_prio_record_step(row, FS_STEP_ROUNDED, row->sum, round(row->sum)), row->priority);
	if (is_pasted_text(p->m))
		prefer_listed_priority(p, job, row);
}

const char *fsi_flux_other_queue_name(const struct fs_prios *p, size_t i)
{
	const uint32_t counted = (uint32_t)p->values[i * FLUX_VALUES + VALUE_QUEUE];

	return counted == fsi_flux_job_queue(p->m, &p->m->job.v[p->row.v[i].job]) ? NULL : fsi_name_text(p->m, counted);
}

const char *fsi_flux_old_bank(const struct fs_prios *p, size_t i, double *used, double *now)
{
	const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
	const uint32_t user = fsi_flux_find_assoc(p->m, job);

	*used = p->values[i * FLUX_VALUES + FSI_FLUX_BANK];
	*now = flux_bank_priority(p->m, job);
	return user == FSI_NO_INDEX || isnan(*used) || isnan(*now) || *used == *now
		       ? NULL
		       : fsi_name_text(p->m, p->m->association.v[user].account);
}

static void fill_flux_inputs(const struct fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out)
{
	double used, now;

	if (t == FSI_FLUX_BANK && fsi_flux_old_bank(p, i, &used, &now))
		out->last_job = FS_LAST_JOB_HELD;
	if (t != FSI_FLUX_QUEUE)
		return;
	out->of_qos = fsi_flux_other_queue_name(p, i);
	out->last_job = (enum fs_last_job)p->values[i * FLUX_VALUES + VALUE_LAST_JOB];
}

const struct fsi_prio_scheduler fsi_flux_prio = {
	.stored_priority = sum_to_flux_priority,
	.compute = compute_flux_priorities,
	.row = compute_flux_row,
	.inputs = fill_flux_inputs,
};
