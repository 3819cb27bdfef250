/* Setup of a cycle: its parameters, node_space, counters, and the node weights with which it begins. */
#include "backfill/backfill.h"

#include "model/find.h"
#include "base/num.h"
#include "base/text.h"
#include "model/jobs.h"

#include <string.h>

/* ---- parameters of the backfill scheduler (src/plugins/sched/backfill/backfill.c: _load_config)
 *
 * The names of parameters are compared without regard to case. If a value is out of range, the default is used. */

/* Returns true if s begins with the first `len` characters of `word`. The case of letters in s is ignored; `word` must
 * be in lower case. */
static bool has_word_prefix(const char *s, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (fsi_char_to_lower(s[i]) != word[i])
			return false;
	return true;
}

/* Returns the value of the parameter `name`, and sets *len to the length of the value. The value ends at the next
 * comma. Returns NULL if the parameter is not given. `name` must end with = if the parameter has a value. */
static const char *find_parameter_value(const char *text, const char *name, size_t *len)
{
	const size_t n = strlen(name);

	for (const char *s = text; *s; s += strcspn(s, ","), s += *s == ',') {
		const size_t item = strcspn(s, ",");

		if (item < n || !has_word_prefix(s, name, n) || (name[n - 1] != '=' && item != n))
			continue;
		*len = item - n;
		return s + n;
	}
	return NULL;
}

/* Returns the value of the parameter. Returns `default_value` if the parameter is not given, or its value is not a
 * number or not between `min` and `max`. */
static int64_t get_parameter_number(const char *text, const char *name, int64_t default_value, int64_t min, int64_t max)
{
	size_t len;
	const char *s = find_parameter_value(text, name, &len);
	int64_t n;

	if (!s || fsi_parse_i64(s, len, &n) || n < min || n > max)
		return default_value;
	return n;
}

/* Returns true if the parameter is given. If `name` ends with =, the parameter must have a value. */
static bool is_parameter_given(const char *text, const char *name)
{
	size_t len;

	return find_parameter_value(text, name, &len) != NULL;
}

const char *fsi_sched_params_find_unmodelled(const fs_snapshot *m, size_t i)
{
	static const char *const names[] = { "bf_hetjob_immediate", "bf_topopt_enable",
					     "time_min_as_soft_limit" };
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters");

	for (size_t k = 0; given && k < sizeof(names) / sizeof(*names); k++)
		if (is_parameter_given(given, names[k]) && !i--)
			return names[k];
	return NULL;
}

void fsi_sched_params_read(const fs_snapshot *m, unsigned version, struct fsi_sched_params *p)
{
	const bool ahead = fs_slurm_has(version, FS_SLURM_BACKFILL_LOOKS_AHEAD);
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters"),
		   *s = given ? given : "";

	*p = (struct fsi_sched_params){
		.window_s = get_parameter_number(s, "bf_window=", 1440, 1, 43200) * 60,
		.resolution_s = get_parameter_number(s, "bf_resolution=", 60, 1, 3600),
		.interval_s = get_parameter_number(s, "bf_interval=", 30, 1, 10800),
		.main_interval_s = get_parameter_number(s, "sched_interval=", 60, 1, 10800),
		.max_test = (uint32_t)get_parameter_number(
			s, is_parameter_given(s, "bf_max_job_test=") ? "bf_max_job_test=" : "max_job_bf=", 500, 1,
			1000000),
		.max_start = (uint32_t)get_parameter_number(s, "bf_max_job_start=", 0, 0, 10000),
		.node_space_size = (uint32_t)get_parameter_number(s, "bf_node_space_size=", 0, 2, 2000000),
		.max_user = (uint32_t)get_parameter_number(s, "bf_max_job_user=", 0, 0, 1000000),
		.max_part = (uint32_t)get_parameter_number(s, "bf_max_job_part=", 0, 0, 1000000),
		.max_assoc = (uint32_t)get_parameter_number(s, "bf_max_job_assoc=", 0, 0, 1000000),
		.max_user_part = (uint32_t)get_parameter_number(s, "bf_max_job_user_part=", 0, 0, 1000000),
		.max_array_resv = (uint32_t)get_parameter_number(s, "bf_max_job_array_resv=", 20, 0, 1000),
		.part_reserve = (uint32_t)get_parameter_number(s, "bf_job_part_count_reserve=", 0, 0, 100000),
		.min_age_reserve_s = get_parameter_number(s, "bf_min_age_reserve=", 0, 0, 30 * 86400),
		.min_prio_reserve = (double)get_parameter_number(s, "bf_min_prio_reserve=", 0, 0, UINT32_MAX),
		.one_resv_per_job = is_parameter_given(s, "bf_one_resv_per_job"),
		.assoc_limit_stop = is_parameter_given(s, "assoc_limit_stop"),
		.window_growth_s = get_parameter_number(s, "bf_window_linear=", 0, 0, 3600),
		.busy_nodes = is_parameter_given(s, "bf_busy_nodes"),
		.plans_licenses = is_parameter_given(s, "bf_licenses"),
		.running_reserve =
			is_parameter_given(s, "bf_running_job_reserve") || is_parameter_given(s, "bf_licenses"),
		.serial_at_end = is_parameter_given(s, "pack_serial_at_end"),
		.ignores_shared_cpus = fs_slurm_has(version, FS_SLURM_SHARING_FORGOTTEN),
		.last_on_nodes = fs_slurm_has(version, FS_SLURM_LAST_ON_NODES),
		.ended_by_start = fs_slurm_has(version, FS_SLURM_ENDED_BY_START),
		.magnetic_slot = is_parameter_given(s, "bf_allow_magnetic_slot") &&
				 fs_slurm_has(version, FS_SLURM_MAGNETIC_SLOT),
		.rules_24_11 = ahead,
		.stops_beyond_window = ahead,
	};
	if (!p->node_space_size)
		p->node_space_size = p->max_test;
}

/* Adds to the counters of the bf_max_job_* parameters the jobs that the last cycle started. A job is counted if
 * backfill started it less than bf_interval before the time of the plan. Only the last cycle can have started such a
 * job: all previous cycles ended at least bf_interval before the last cycle began (_backfill_agent). Returns -1 if out
 * of memory. */
static int count_cycle_starts(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;
	int rc = 0;

	for (struct fsi_active_jobs b = { 0 }; rc >= 0 && fsi_active_jobs_next(m, &b);) {
		const struct fsi_job *j = &m->job.v[b.row];
		size_t n;
		const uint32_t *part = fsi_list_items(m, j->partitions, &n);

		if (!fsi_backfill_is_cycle_start(&bf->select, j))
			continue;
		rc = fsi_backfill_counts_add_record(&bf->counts, m, &bf->params, j, part[0], true);
		bf->counter.tested++;
	}
	return rc < 0 ? -1 : 0;
}

/* Allocates the node sets and arrays of the cycle. Returns -1 if out of memory. */
static int allocate_cycle_arrays(struct fsi_backfill *bf)
{
	for (size_t i = 0; i < sizeof(bf->select.scratch_set) / sizeof(*bf->select.scratch_set); i++) {
		bf->select.scratch_set[i] =
			fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.scratch_set));
		if (!bf->select.scratch_set[i])
			return -1;
	}
	bf->select.open_cpus =
		fsi_arena_array(&bf->cluster.arena, (size_t)bf->cluster.nnodes + 1, sizeof(*bf->select.open_cpus));
	bf->preemptees = fsi_arena_array(&bf->cluster.arena, bf->cluster.m->job.n + 1, sizeof(*bf->preemptees));
	bf->suspends = fsi_arena_array(&bf->cluster.arena, bf->cluster.m->job.n + 1, sizeof(*bf->suspends));
	bf->select.usable[0] = fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.usable));
	bf->select.usable[1] = fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.usable));
	if (!bf->select.open_cpus || !bf->preemptees || !bf->suspends || !bf->select.usable[0] || !bf->select.usable[1])
		return -1;
	if (fsi_selection_init(&bf->select.attempt.selection, &bf->cluster) ||
	    fsi_selection_init(&bf->select.attempt_unconstrained.selection, &bf->cluster))
		return -1;
	bf->select.attempt.selection.keeps_weights =
		bf->plan->mode == FS_PLAN_BACKFILL && !fs_slurm_has(bf->cluster.release, FS_SLURM_WEIGHS_ANEW);
	return fsi_select_init_feature_scratch(&bf->select) ||
			       fsi_earliest_search_init(&bf->select.earliest_search, &bf->cluster)
		       ? -1
		       : 0;
}

/* Counts the licenses of a running job as in use. Also takes resources in node_space until the job ends
 * (_bf_reserve_running):
 *
 *   licenses   if bf_licenses is set
 *   nodes      in Slurm before 25.05, if three conditions are true: bf_running_job_reserve or bf_licenses or both are
 *              set; the job has its nodes exclusively; no job of the cluster can be preempted
 *
 * `nodes`: scratch memory for a node set. Returns -1 if out of memory. */
static int enter_running_job(struct fsi_backfill *bf, const struct fsi_running_job *e, uint64_t *nodes)
{
	const struct fsi_job *j = &bf->cluster.m->job.v[e->job];
	const bool wants_licenses = fsi_job_ext(bf->cluster.m, j)->licenses &&
				    fsi_license_read_job(&bf->select.licenses, bf->cluster.m, j),
		   has_whole_nodes = !bf->plan->queue->preemption_rules &&
				     !strcmp(fsi_name_text(bf->cluster.m, j->oversubscribe), "NO") &&
				     !fs_slurm_has(bf->cluster.release, FS_SLURM_RESERVES_LICENSES_ALONE);
	int64_t end;

	if (wants_licenses)
		fsi_license_take_wanted(&bf->select.licenses);
	if (!bf->params.running_reserve || (!wants_licenses && !has_whole_nodes))
		return 0;
	memset(nodes, 0, bf->cluster.words * sizeof(*nodes));
	for (uint32_t k = 0; has_whole_nodes && k < e->nnodes; k++)
		fsi_bit_set(nodes, e->node[k]);
	fsi_node_space_round_run(&bf->select, e->when, 0, &end);
	return fsi_node_space_take_nodes(
		&bf->node_space, 0, end, nodes,
		(struct fsi_license_demand){ wants_licenses && bf->node_space.licenses.n ? bf->select.licenses.want
											 : NULL,
					     fsi_license_find_reservation(bf->cluster.m, j->reservation) });
}

/* Reserves licenses in node_space for the advance reservation in row `row` (_bf_reserve_resv_licenses). Called only if
 * bf_licenses is set. Returns -1 if out of memory. */
static int enter_reserved_licenses(struct fsi_backfill *bf, uint32_t row)
{
	const struct fsi_reservation *r = &bf->cluster.m->reservation.v[row];
	const bool flex = fsi_list_has_word(bf->cluster.m, r->flags, "FLEX");
	const struct fsi_license_demand want = { bf->select.licenses.want,
						 fsi_license_find_reservation(bf->cluster.m, r->name) };
	const int64_t step = bf->node_space.step_s;
	const int64_t start = FSI_HAS(r, RESERVATION, start_time) && !flex ? r->start_time : 0;
	int64_t end = FSI_HAS(r, RESERVATION, end_time) && !flex ? r->end_time : INT64_MAX - step;

	if (!want.owner_position || end < bf->node_space.v[0].begin)
		return 0;
	fsi_license_read_reservation(&bf->select.licenses, bf->cluster.m, row);
	fsi_node_space_round_run(&bf->select, end, 0, &end);
	return fsi_node_space_reserve_licenses(&bf->node_space, start - start % step, end, want);
}

/* Makes node_space. Reserves the licenses of advance reservations in it, and takes the licenses and nodes of running
 * jobs in it (enter_running_job). Returns -1 if out of memory. */
static int make_node_space(struct fsi_backfill *bf)
{
	const int64_t step = bf->params.resolution_s, now = bf->cluster.now, end = now + bf->params.window_s;
	struct fsi_node_space_licenses lics = {
		.n = bf->params.plans_licenses ? bf->select.licenses.n : 0,
		.nowners = bf->params.plans_licenses ? fsi_license_count_reservations(bf->cluster.m) : 0,
		.compares_reserved = fs_slurm_has(bf->cluster.release, FS_SLURM_KEPT_LICENSES_COMPARED)
	};
	int rc;

	for (uint32_t i = 0; i < lics.n; i++)
		bf->select.licenses.want[i] = bf->select.licenses.v[i].total;
	rc = fsi_node_space_init(&bf->node_space, now - now % step, end - end % step, step, bf->cluster.up_nodes,
				 bf->cluster.words, &lics, bf->select.licenses.want);
	for (uint32_t i = 0; !rc && lics.nowners && i < bf->cluster.m->reservation.n; i++)
		rc = enter_reserved_licenses(bf, i);
	for (size_t i = 0; !rc && i < bf->cluster.end.n; i++)
		rc = enter_running_job(bf, &bf->cluster.end.v[i], bf->select.scratch_set[2]);
	return rc;
}

/* Returns the time of the last cycle before the capture: the latest time at which a pending job was evaluated
 * (LastSchedEval). That cycle computed the starts that the scheduler shows. If the last cycle was more than 300 s
 * before the capture, returns the time of the capture. */
static int64_t find_last_cycle(const fs_snapshot *m)
{
	const int64_t longest_s = 300;
	int64_t last = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->state == FSI_STATE_PENDING && FSI_HAS(j, JOB, last_sched_eval) &&
		    j->last_sched_eval <= m->info.time && j->last_sched_eval > last)
			last = j->last_sched_eval;
	}
	return last >= m->info.time - longest_s ? last : m->info.time;
}

int fsi_backfill_set_up(struct fsi_backfill *bf)
{
	struct fs_plan *p = bf->plan;
	struct fsi_cluster *c = &bf->cluster;
	const bool replays = p->mode == FS_PLAN_BACKFILL && !p->next_cycle;

	fsi_sched_params_read(c->m, c->release, &bf->params);
	c->now = p->now = replays ? find_last_cycle(c->m) : c->m->info.time;
	p->window_s = bf->params.window_s;
	p->resolution_s = bf->params.resolution_s;
	bf->select.preempt_by_tier = p->queue->preempt_by_tier;
	if (fsi_cluster_init(c, c->m) || fsi_cluster_place_jobs(c) || allocate_cycle_arrays(bf) ||
	    fsi_select_init_shared_cpus(&bf->select) ||
	    fsi_license_read_config(&bf->select.licenses, c->m, &c->arena) || make_node_space(bf) ||
	    fsi_backfill_counts_init(&bf->counts, c->m) || fsi_backfill_het_init(bf) ||
	    fsi_plan_make_rows(p, p->focus_job == FSI_NO_INDEX && !bf->het.ncomponents))
		return -1;
	if (replays && (count_cycle_starts(bf) || fsi_backfill_remove_starts(bf)))
		return -1;
	bf->cluster.rules.serial_at_end = bf->params.serial_at_end;
	bf->cluster.topology.counts_cpus = fs_slurm_has(bf->cluster.release, FS_SLURM_TREE_COUNTS_CPUS);
	bf->cluster.topology.subtracts_taken_nodes = fs_slurm_has(bf->cluster.release, FS_SLURM_TREE_COUNTS_LEFT);
	bf->cluster.rules.drops_nodes_singly = fs_slurm_has(bf->cluster.release, FS_SLURM_LEAVES_OUT_SINGLY);
	bf->cluster.rules.tasks_limit_gres_cpus = fs_slurm_has(bf->cluster.release, FS_SLURM_TASKS_BOUND_GRES);
	bf->cluster.rules.first_node_for_one = fs_slurm_has(bf->cluster.release, FS_SLURM_FIRST_OF_ONE);
	bf->cluster.any_exclusive_user = fsi_select_has_exclusive_user(&bf->cluster);
	bf->has_node_limits = fsi_limit_ledgers_need_nodes(bf->cluster.m);
	return 0;
}

/* ---- the node weights with which a cycle begins
 *
 * Requests for GPUs change the weights of nodes. The changed weight of a node stays in effect in later cycles, until
 * the main scheduler tries a job in a partition with this node (src/slurmctld/node_scheduler.c: _sync_node_weight;
 * observed with 22.05.8). The main scheduler runs every sched_interval. It also runs a few seconds after a job was
 * submitted or has ended (batch_sched_delay).
 *
 * The main scheduler is assumed not to have run since the previous cycle under two conditions: no job was submitted,
 * started or ended since that cycle, and sched_interval is more than twice bf_interval. The previous cycle is then
 * assumed to have tried the same records as this cycle. */

/* Returns true if at least one pending job requests GPUs. */
static bool has_gpu_requests(const struct fsi_cluster *c)
{
	const fs_snapshot *m = c->m;

	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING &&
		    fsi_job_requested_amount(m, &m->job.v[i], c->requests.gpu) > 0)
			return true;
	return false;
}

/* Returns true if a job was submitted, started or ended within bf_interval before the cycle. Changes in the last 3 s
 * before the cycle are ignored, since the main scheduler had no time to run after them. */
static bool has_recent_changes(const struct fsi_select *sel)
{
	const int64_t delay_s = 3, from = sel->cluster->now - sel->params->interval_s, to = sel->cluster->now - delay_s;
	const fs_snapshot *m = sel->cluster->m;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool waits = j->state == FSI_STATE_PENDING, runs = j->state == FSI_STATE_RUNNING;

		if ((FSI_HAS(j, JOB, submit_time) && j->submit_time >= from && j->submit_time < to) ||
		    (!waits && FSI_HAS(j, JOB, start_time) && j->start_time >= from && j->start_time < to) ||
		    (!waits && !runs && FSI_HAS(j, JOB, end_time) && j->end_time >= from && j->end_time < to))
			return true;
	}
	return false;
}

bool fsi_backfill_carries_node_weights(const struct fsi_select *sel)
{
	return sel->attempt.selection.keeps_weights && sel->params->main_interval_s > 2 * sel->params->interval_s &&
	       !has_recent_changes(sel) && has_gpu_requests(sel->cluster);
}
