#include "usage/billing.h"

#include "base/num.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/scheduler.h"
#include "usage/decay.h"

#include <math.h>
#include <string.h>

int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	*b = (struct fsi_billing){
		.m = m,
		.cpu = fsi_name_find(m, "cpu"),
		.mem = fsi_name_find(m, "mem"),
		.node = fsi_name_find(m, "node"),
		.energy = fsi_name_find(m, "energy"),
		.billing = fsi_name_find(m, "billing"),
	};
	return m->scheduler->charging->weights(b, m, arena);
}

static double find_tres_amount(const struct fsi_amount *a, size_t n, uint32_t tres)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return (double)a[i].n;
	return 0;
}

/* Returns true if the mode charges a maximum over several TRES that include this TRES. MAX_TRES_GRES: the maximum over
 * cpu, mem and node. MAX_TRES: the maximum over cpu, mem, node and each gres. */
static bool is_maximum_tres(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t tres)
{
	if (mode == FSI_BILL_TRES_SUM)
		return false;
	if (tres == b->cpu || tres == b->mem || tres == b->node)
		return true;
	return mode == FSI_BILL_MAX && !strncmp(fsi_name_text(b->m, tres), "gres/", 5);
}

static void add_bill_term(const struct fsi_billing *b, enum fsi_bill_mode mode, struct fs_bill *out, uint32_t tres,
			  double amount, double weight, int *best)
{
	struct fs_bill_term *t = &out->term[out->n];

	*t = (struct fs_bill_term){ fsi_name_text(b->m, tres), amount, weight, amount * weight, true };
	if (is_maximum_tres(b, mode, tres)) {
		t->counts = *best < 0 || t->points > out->term[*best].points;
		if (t->counts && *best >= 0)
			out->term[*best].counts = false;
		if (t->counts)
			*best = (int)out->n;
	}
	out->n++;
}

const struct fsi_billing_weights *fsi_billing_weights_in(const struct fsi_billing *b, size_t partition)
{
	static const struct fsi_billing_weights none = { .set = false };

	if (b->all_queues.set)
		return &b->all_queues;
	return b->partition && partition != FSI_NO_INDEX ? &b->partition[partition] : &none;
}

void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out)
{
	const struct fsi_billing_weights *w = fsi_billing_weights_in(b, partition);
	int best = -1;

	out->n = 0;
	out->rate = 0;
	out->by_cpus = !w->set;
	if (out->by_cpus)
		add_bill_term(b, mode, out, b->cpu, find_tres_amount(a, n, b->cpu), 1, &best);
	for (size_t i = 0; !out->by_cpus && i < w->n; i++) {
		const uint32_t tres = w->w[i].tres;

		if (tres != b->energy && tres != b->billing)
			add_bill_term(b, mode, out, tres, find_tres_amount(a, n, tres), w->w[i].weight, &best);
	}
	for (size_t i = 0; i < out->n; i++)
		if (out->term[i].counts)
			out->rate += out->term[i].points;
}

/* ---- cost of a request */

static const char *find_tres_name(const fs_snapshot *m, const char *s, size_t len)
{
	for (size_t k = 0; k < m->tres.n; k++) {
		const char *name = fsi_name_text(m, m->tres.v[k].name);

		if (strlen(name) == len && !memcmp(name, s, len))
			return name;
	}
	return NULL;
}

/* Reports that the snapshot does not list the TRES whose name is the first `len` bytes of `s`. */
static int fail_unknown_tres(const fs_snapshot *m, const char *s, size_t len, struct fs_error *err)
{
	if (!m->tres.n)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: the snapshot does not list the cluster's TRES, so costs cannot be computed",
					  m->file);
	return fsi_fail_with_code(err, FS_EUSAGE, "the cluster has no TRES \"%.*s\"", (int)(len < 100 ? len : 100), s);
}

static int parse_tres_amount(const char *name, const char *s, size_t len, int64_t *out)
{
	const bool in_mb = !strcmp(name, "mem") || !strncmp(name, "bb/", 3);

	return (in_mb ? fsi_parse_mem_mb(s, len, out) : fsi_parse_count(s, len, out)) || *out < 0
		       ? -1
		       : 0;
}

int fs_tres_parse(const fs_snapshot *m, const char *text, struct fs_tres *out, size_t max, struct fs_error *err)
{
	size_t n = 0;

	if (!*text)
		return fsi_fail_with_code(err, FS_EUSAGE, "the list of TRES is empty: expected TRES, as in cpu=16,mem=64G");
	while (*text) {
		const size_t len = strcspn(text, ","), name = strcspn(text, "=,");

		if (n == max)
			return fsi_fail_with_code(err, FS_EUSAGE, "the list of TRES has more than %zu entries", max);
		out[n].name = find_tres_name(m, text, name);
		if (!out[n].name)
			return fail_unknown_tres(m, text, name, err);
		for (size_t k = 0; k < n; k++)
			if (out[k].name == out[n].name)
				return fsi_fail_with_code(err, FS_EUSAGE, "the list of TRES has %s twice", out[n].name);
		if (name + 1 >= len || parse_tres_amount(out[n].name, text + name + 1, len - name - 1, &out[n].amount))
			return fsi_fail_with_code(err, FS_EUSAGE, "TRES %s: expected an amount, as in cpu=16 or mem=64G",
						  out[n].name);
		n++;
		text += len + (text[len] == ',');
	}
	return (int)n;
}

int fs_bill_tres(const fs_snapshot *m, const char *partition, const struct fs_tres *tres, size_t n,
		 struct fs_bill *out, struct fs_error *err)
{
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, partition));
	struct fsi_amount amounts[FS_BILL_MAX];
	struct fsi_arena arena = { 0 };
	struct fsi_billing b;
	int rc = 0;

	if (!p)
		return fsi_fail_with_code(err, FS_EUSAGE, "there is no partition \"%.100s\"", partition);
	if (n > FS_BILL_MAX)
		return fsi_fail_with_code(err, FS_EUSAGE, "the list of TRES has more than %d entries", FS_BILL_MAX);
	for (size_t i = 0; i < n && !rc; i++) {
		size_t k = 0;

		while (k < m->tres.n && strcmp(fsi_name_text(m, m->tres.v[k].name), tres[i].name) != 0)
			k++;
		if (k == m->tres.n)
			rc = fail_unknown_tres(m, tres[i].name, strlen(tres[i].name), err);
		else
			amounts[i] = (struct fsi_amount){ m->tres.v[k].name, 0, tres[i].amount };
	}
	if (!rc && fsi_billing_init(&b, m, &arena))
		rc = fsi_fail_no_memory(err);
	if (!rc)
		fsi_billing_compute(&b, b.mode, (uint32_t)(p - m->partition.v), amounts, n, out);
	fsi_arena_release(&arena);
	return rc;
}

/* Adds the TRES amounts of the partition's nodes to out[]. Returns -1 if the TRES of a node are unknown or if the
 * partition has no node. */
static int sum_node_tres(const fs_snapshot *m, const char *partition, struct fs_tres *out)
{
	size_t n_nodes = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		if (!fsi_list_has_word(m, node->partitions, partition))
			continue;
		if (!FSI_HAS(node, NODE, tres))
			return -1;
		n_nodes++;
		for (size_t k = 0; k < m->tres.n; k++)
			out[k].amount += fsi_amount_of_tres(m, node->tres, m->tres.v[k].name);
	}
	return n_nodes ? 0 : -1;
}

int fs_bill_nodes(const fs_snapshot *m, const char *partition, struct fs_bill *out, struct fs_error *err)
{
	struct fs_tres tres[FS_BILL_MAX] = { { NULL, 0 } };

	if (m->tres.n > FS_BILL_MAX)
		return fsi_fail_with_code(err, FS_EUSAGE, "the cluster has more than %d TRES", FS_BILL_MAX);
	for (size_t k = 0; k < m->tres.n; k++)
		tres[k].name = fsi_name_text(m, m->tres.v[k].name);
	if (fsi_partition_find(m, fsi_name_find(m, partition)) && sum_node_tres(m, partition, tres))
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: the TRES of the nodes of partition %s are not in the snapshot; specify "
					  "them with have=TRES",
					  m->file, partition);
	return fs_bill_tres(m, partition, tres, m->tres.n, out, err);
}

double fsi_usage_factor(const struct fsi_qos *q)
{
	return q && FSI_HAS(q, QOS, usage_factor) ? q->usage_factor : 1;
}

int fsi_bill_job_to_limit(double *tres_s, const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const double factor = fsi_usage_factor(fsi_job_highest_qos(m, j));
	struct fsi_arena arena = { 0 };
	struct fsi_billing b;
	struct fs_bill bill;
	size_t n;
	const struct fsi_amount *tres = fsi_amount_items(m, j->tres_req, &n);
	int rc;

	*tres_s = (double)NAN;
	if (!p || !FSI_HAS(j, JOB, tres_req) || !FSI_HAS(j, JOB, time_limit_s))
		return 0;
	rc = fsi_billing_init(&b, m, &arena);
	if (!rc) {
		fsi_billing_compute(&b, b.mode, (uint32_t)(p - m->partition.v), tres, n, &bill);
		*tres_s = FSI_SPECIAL(j, JOB, time_limit_s) && bill.rate * factor > 0
				  ? (double)INFINITY
				  : fsi_compute_charge(bill.rate, factor, (double)j->time_limit_s);
	}
	fsi_arena_release(&arena);
	return rc;
}

/* ---- Slurm
 *
 * Slurm charges every second of a running job by its partition's weights, and may reset all usage at the beginning of a
 * day, week, month, quarter or year (src/plugins/priority/multifactor/priority_multifactor.c: _next_reset,
 * _reset_usage). */

enum { DAY_SECONDS = 86400 };

/* Returns the billing mode that PriorityFlags selects. If PriorityFlags has both MAX_TRES_GRES and MAX_TRES,
 * MAX_TRES_GRES takes precedence: src/common/read_config.c searches for that name first. */
static enum fsi_bill_mode get_configured_mode(const fs_snapshot *m)
{
	const uint32_t set = fsi_config_get_list(m, "PriorityFlags");

	if (fsi_list_has_word(m, set, "MAX_TRES_GRES"))
		return FSI_BILL_MAX_GRES;
	return fsi_list_has_word(m, set, "MAX_TRES") ? FSI_BILL_MAX : FSI_BILL_TRES_SUM;
}

static int fill_slurm_weights(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	struct fsi_tres_weight w[FSI_TRES_WEIGHTS_MAX];

	b->mode = get_configured_mode(m);
	b->partition = fsi_arena_array(arena, m->partition.n + 1, sizeof(*b->partition));
	if (!b->partition)
		return -1;
	for (size_t i = 0; i < m->partition.n; i++) {
		const struct fsi_partition *p = &m->partition.v[i];
		struct fsi_billing_weights *out = &b->partition[i];
		const int n =
			p->billing_weights ? fsi_parse_tres_weights(m, fsi_name_text(m, p->billing_weights), w) : -1;

		if (n < 0)
			continue;
		out->set = true;
		out->n = (size_t)n;
		out->w = fsi_arena_array(arena, out->n + 1, sizeof(*out->w));
		if (!out->w)
			return -1;
		memcpy(out->w, w, out->n * sizeof(*w));
	}
	return 0;
}

/* Sets *out to the last boundary of the reset period at or before t. Boundaries are in local time. Returns false if the
 * period is unknown. */
static bool find_period_boundary(const char *period, int64_t t, int64_t offset_s, int64_t *out)
{
	static const struct {
		const char *name;
		int months;
	} months[] = { { "MONTHLY", 1 }, { "QUARTERLY", 3 }, { "YEARLY", 12 } };
	const int64_t day = fsi_divide_rounding_down(t + offset_s, DAY_SECONDS);
	const int64_t sunday = day - ((day + 4) % 7 + 7) % 7; /* 1 January 1970 was a Thursday */
	int64_t first = 0;
	bool is_known = true;

	if (!strcmp(period, "DAILY"))
		first = day;
	else if (!strcmp(period, "WEEKLY"))
		first = sunday;
	else
		is_known = false;
	for (size_t i = 0; i < sizeof(months) / sizeof(*months); i++)
		if (!strcmp(period, months[i].name)) {
			first = fsi_first_of_month(
				fsi_divide_rounding_down(fsi_month_of_day(day), months[i].months) *
				months[i].months);
			is_known = true;
		}
	*out = first * DAY_SECONDS - offset_s;
	return is_known;
}

/* Returns the time at which the decay thread reset usage. Usually this is the first known run of the decay thread at or
 * after d->reset. If d->reset is before all known runs, the time of the run is unknown, and the result is d->reset.
 * `at_start`: usage is reset once, when the controller starts (reset period NOW). The result is then always the first
 * known run at or after d->reset. */
static int64_t find_reset_run(const struct fsi_decay *d, bool at_start)
{
	int64_t before;

	if (fsi_decay_run_before(d, d->reset, &before) && before == d->reset)
		return before;
	return d->reset < fsi_decay_first_run(d) && !at_start ? d->reset : fsi_decay_run_after(d, d->reset);
}

static int set_slurm_reset(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err)
{
	const char *period_text = fs_snapshot_config_text(m, "PriorityUsageResetPeriod"),
		   *period = period_text ? period_text : "NONE";
	const int64_t upto = d->model == FS_DECAY_SLURM ? d->last : d->at;

	if (!strcmp(period, "NOW")) /* usage is reset once, when the controller starts */
		d->has_reset = fsi_controller_start_time(m, &d->reset);
	else
		d->has_reset = find_period_boundary(period, upto, fs_snapshot_utc_offset(m, upto), &d->reset);
	if (!d->has_reset && strcmp(period, "NONE") != 0 && strcmp(period, "NOW") != 0)
		return fsi_config_reject_value(m, fsi_config_find(m, "PriorityUsageResetPeriod"),
					       "NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY", err);
	d->resets = d->has_reset && strcmp(period, "NOW") != 0;
	if (!d->has_reset)
		return 0;
	d->reset_run = find_reset_run(d, !strcmp(period, "NOW"));
	if (d->model == FS_DECAY_SLURM && d->reset_run > d->last)
		d->has_reset = false;
	return 0;
}

const struct fsi_charging fsi_charging_slurm = {
	.who = "Slurm",
	.decay = FS_DECAY_SLURM,
	.half_life = "PriorityDecayHalfLife",
	.while_running = true,
	.weights = fill_slurm_weights,
	.reset = set_slurm_reset,
};

/* ---- Flux
 *
 * flux-accounting charges a job when it has ended, by weights that apply to every queue
 * (fluxacct/accounting/job_usage_calculation.py). */

static double get_configured_weight(const fs_snapshot *m, const char *name, double otherwise)
{
	const double weight = fs_snapshot_config_number(m, name);

	return isnan(weight) ? otherwise : weight;
}

static int fill_flux_weights(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_tres_weight all[] = {
		{ fsi_name_find(m, "node"), get_configured_weight(m, "node_weight", 1) },
		{ fsi_name_find(m, "cpu"), get_configured_weight(m, "core_weight", 0) },
		{ fsi_name_find(m, "gres/gpu"), get_configured_weight(m, "gpu_weight", 0) },
	};
	struct fsi_billing_weights *w = &b->all_queues;

	w->set = true;
	w->w = fsi_arena_array(arena, sizeof(all) / sizeof(*all), sizeof(*w->w));
	for (size_t i = 0; w->w && i < sizeof(all) / sizeof(*all); i++)
		if (all[i].tres)
			w->w[w->n++] = all[i];
	return w->w ? 0 : -1;
}

/* Sets d->reset to `d->at` minus the reset period. Usage before this time does not count. */
static int set_flux_reset(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err)
{
	int64_t period;
	const int rc =
		fsi_parse_config_seconds(m, "priority_usage_reset_period", 4 * FSI_DEFAULT_HALF_LIFE, &period, err);

	d->has_reset = !rc;
	d->reset = d->at - period;
	return rc;
}

const struct fsi_charging fsi_charging_flux = {
	.who = "Flux",
	.decay = FS_DECAY_EXACT,
	.half_life = "priority_decay_half_life",
	.weights = fill_flux_weights,
	.reset = set_flux_reset,
};
