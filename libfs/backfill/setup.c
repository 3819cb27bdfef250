/* Setup of a cycle: its parameters, node_space, and what it begins with. */
#include "backfill/backfill.h"

#include "model/find.h"
#include "base/num.h"
#include "base/text.h"
#include "model/jobs.h"

#include <string.h>

/* ---- parameters of the backfill scheduler (src/plugins/sched/backfill/backfill.c: _load_config)
 *
 * Their names are compared without regard to case, anywhere in SchedulerParameters. A value out of range means the
 * default. */

/* Returns true if the first len characters of s are those of the word, which is in lower case; case does not matter in
 * s. */
static bool has_word_prefix(const char *s, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (fsi_lower(s[i]) != word[i])
			return false;
	return true;
}

/* Returns the text after `name`, which ends at the next comma, and its length in *len. Returns NULL if `name` is not
 * given. A name of a parameter with a value ends with =. */
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

/* Returns the value of the parameter; default_value if the parameter is not given, no number, or out of range. */
static int64_t get_parameter_number(const char *text, const char *name, int64_t default_value, int64_t min, int64_t max)
{
	size_t len;
	const char *s = find_parameter_value(text, name, &len);
	int64_t n;

	if (!s || fsi_parse_i64(s, len, &n) || n < min || n > max)
		return default_value;
	return n;
}

/* Returns true if the parameter is given, with a value if its name ends with =. */
static bool is_parameter_given(const char *text, const char *name)
{
	size_t len;

	return find_parameter_value(text, name, &len) != NULL;
}

const char *fsi_plan_left_out(const fs_snapshot *m, size_t i)
{
	static const char *const names[] = { "bf_hetjob_immediate", "bf_topopt_enable",
					     "time_min_as_soft_limit" };
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters");

	for (size_t k = 0; given && k < sizeof(names) / sizeof(*names); k++)
		if (is_parameter_given(given, names[k]) && !i--)
			return names[k];
	return NULL;
}

void fsi_plan_params(const fs_snapshot *m, unsigned version, struct fsi_plan_params *p)
{
	const bool ahead = fs_slurm_has(version, FS_SLURM_BACKFILL_LOOKS_AHEAD);
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters"),
		   *s = given ? given : "";

	*p = (struct fsi_plan_params){
		.window_s = get_parameter_number(s, "bf_window=", 1440, 1, 43200) * 60,
		.resolution_s = get_parameter_number(s, "bf_resolution=", 60, 1, 3600),
		.interval_s = get_parameter_number(s, "bf_interval=", 30, 1, 10800),
		.main_interval_s = get_parameter_number(s, "sched_interval=", 60, 1, 10800),
		.max_test = (uint32_t)get_parameter_number(
			s, is_parameter_given(s, "bf_max_job_test=") ? "bf_max_job_test=" : "max_job_bf=", 500, 1,
			1000000),
		.max_start = (uint32_t)get_parameter_number(s, "bf_max_job_start=", 0, 0, 10000),
		.max_slots = (uint32_t)get_parameter_number(s, "bf_node_space_size=", 0, 2, 2000000),
		.max_user = (uint32_t)get_parameter_number(s, "bf_max_job_user=", 0, 0, 1000000),
		.max_part = (uint32_t)get_parameter_number(s, "bf_max_job_part=", 0, 0, 1000000),
		.max_assoc = (uint32_t)get_parameter_number(s, "bf_max_job_assoc=", 0, 0, 1000000),
		.max_user_part = (uint32_t)get_parameter_number(s, "bf_max_job_user_part=", 0, 0, 1000000),
		.max_array_resv = (uint32_t)get_parameter_number(s, "bf_max_job_array_resv=", 20, 0, 1000),
		.part_reserve = (uint32_t)get_parameter_number(s, "bf_job_part_count_reserve=", 0, 0, 100000),
		.min_age_reserve_s = get_parameter_number(s, "bf_min_age_reserve=", 0, 0, 30 * 86400),
		.min_prio_reserve = (double)get_parameter_number(s, "bf_min_prio_reserve=", 0, 0, UINT32_MAX),
		.one_resv = is_parameter_given(s, "bf_one_resv_per_job"),
		.assoc_limit_stop = is_parameter_given(s, "assoc_limit_stop"),
		.window_grows_s = get_parameter_number(s, "bf_window_linear=", 0, 0, 3600),
		.busy_nodes = is_parameter_given(s, "bf_busy_nodes"),
		.licenses = is_parameter_given(s, "bf_licenses"),
		.running_reserve =
			is_parameter_given(s, "bf_running_job_reserve") || is_parameter_given(s, "bf_licenses"),
		.serial_at_end = is_parameter_given(s, "pack_serial_at_end"),
		.forgets = fs_slurm_has(version, FS_SLURM_SHARING_FORGOTTEN),
		.last_on_nodes = fs_slurm_has(version, FS_SLURM_LAST_ON_NODES),
		.ended_by_start = fs_slurm_has(version, FS_SLURM_ENDED_BY_START),
		.magnetic_slot = is_parameter_given(s, "bf_allow_magnetic_slot") &&
				 fs_slurm_has(version, FS_SLURM_MAGNETIC_SLOT),
		.looks_on = ahead,
		.stops_behind_window = ahead,
	};
	if (!p->max_slots)
		p->max_slots = p->max_test;
}

/* Counts the jobs that the last cycle started, for bf_max_job_* and bf_max_job_test, like the other jobs that it tried.
 * The next cycle begins bf_interval after the end of the last one (_backfill_agent). So jobs started within that time
 * are of the last cycle. Returns -1 if out of memory. */
static int count_cycle_starts(struct fsi_backfill *bf)
{
	const fs_snapshot *m = bf->cluster.m;
	int rc = 0;

	for (struct fsi_begun b = { 0 }; rc >= 0 && fsi_begun_next(m, &b);) {
		const struct fsi_job *j = &m->job.v[b.row];
		size_t n;
		const uint32_t *part = fsi_list(m, j->partitions, &n);

		if (!fsi_backfill_has_started(&bf->select, j))
			continue;
		rc = fsi_plan_count(&bf->counts, m, &bf->params, j, part[0], true);
		bf->tested++;
	}
	return rc < 0 ? -1 : 0;
}

/* Allocates the sets and arrays of the cycle. Returns -1 if out of memory. */
static int allocate_cycle_arrays(struct fsi_backfill *bf)
{
	for (size_t i = 0; i < sizeof(bf->select.set) / sizeof(*bf->select.set); i++) {
		bf->select.set[i] = fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.set));
		if (!bf->select.set[i])
			return -1;
	}
	bf->select.open = fsi_arena_array(&bf->cluster.arena, (size_t)bf->cluster.nnodes + 1, sizeof(*bf->select.open));
	bf->pushed = fsi_arena_array(&bf->cluster.arena, bf->cluster.m->job.n + 1, sizeof(*bf->pushed));
	bf->suspended = fsi_arena_array(&bf->cluster.arena, bf->cluster.m->job.n + 1, sizeof(*bf->suspended));
	bf->select.may[0] = fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.may));
	bf->select.may[1] = fsi_arena_array(&bf->cluster.arena, bf->cluster.words, sizeof(**bf->select.may));
	if (!bf->select.open || !bf->pushed || !bf->suspended || !bf->select.may[0] || !bf->select.may[1])
		return -1;
	if (fsi_plan_choice_init(&bf->select.found.choice, &bf->cluster) ||
	    fsi_plan_choice_init(&bf->select.other.choice, &bf->cluster))
		return -1;
	bf->select.found.choice.keeps_weights =
		bf->plan->mode == FS_PLAN_BACKFILL && !fs_slurm_has(bf->cluster.compat, FS_SLURM_WEIGHS_ANEW);
	return fsi_plan_kinds_init(&bf->select) || fsi_plan_search_init(&bf->select.sweep, &bf->cluster) ? -1 : 0;
}

/* Enters a running job: its licenses are in use. With bf_licenses the licenses are taken in node_space until the job
 * ends. With bf_running_job_reserve (or bf_licenses) so are the nodes of a job that has them exclusively, if nothing
 * may be preempted (_bf_reserve_running; before 25.05). nodes: a set to overwrite. Returns -1 if out of memory. */
static int enter_running_job(struct fsi_backfill *bf, const struct fsi_plan_end *e, uint64_t *nodes)
{
	const struct fsi_job *j = &bf->cluster.m->job.v[e->job];
	const bool wants_licenses = fsi_job_rare(bf->cluster.m, j)->licenses &&
			 fsi_licenses_of(&bf->select.licenses, bf->cluster.m, j),
		   has_whole_nodes = !bf->plan->queue->preempts && !strcmp(fsi_str(bf->cluster.m, j->oversubscribe), "NO") &&
			   !fs_slurm_has(bf->cluster.compat, FS_SLURM_RESERVES_LICENSES_ALONE);
	int64_t end;

	if (wants_licenses)
		fsi_licenses_take(&bf->select.licenses);
	if (!bf->params.running_reserve || (!wants_licenses && !has_whole_nodes))
		return 0;
	memset(nodes, 0, bf->cluster.words * sizeof(*nodes));
	for (uint32_t k = 0; has_whole_nodes && k < e->n; k++)
		fsi_bit_set(nodes, e->node[k]);
	fsi_plan_slot(&bf->select, e->when, 0, &end);
	return fsi_map_take(&bf->map, 0, end, nodes,
			    (struct fsi_map_want){ wants_licenses && bf->map.lics.n ? bf->select.licenses.want : NULL,
						   fsi_licenses_owner(bf->cluster.m, j->reservation) });
}

/* Reserves the licenses of an advance reservation in node_space, with bf_licenses (_bf_reserve_resv_licenses). Returns
 * -1 if out of memory. */
static int enter_reserved_licenses(struct fsi_backfill *bf, uint32_t row)
{
	const struct fsi_reservation *r = &bf->cluster.m->reservation.v[row];
	const bool flex = fsi_list_has(bf->cluster.m, r->flags, "FLEX");
	const struct fsi_map_want want = { bf->select.licenses.want, fsi_licenses_owner(bf->cluster.m, r->name) };
	const int64_t step = bf->map.step_s;
	const int64_t start = FSI_HAS(r, RESERVATION, start_time) && !flex ? r->start_time : 0;
	int64_t end = FSI_HAS(r, RESERVATION, end_time) && !flex ? r->end_time : INT64_MAX - step;

	if (!want.owner || end < bf->map.v[0].begin)
		return 0;
	fsi_licenses_kept(&bf->select.licenses, bf->cluster.m, row);
	fsi_plan_slot(&bf->select, end, 0, &end);
	return fsi_map_keep(&bf->map, start - start % step, end, want);
}

/* Makes node_space with the licenses of reservations and of running jobs. Returns -1 if out of memory. */
static int make_node_space(struct fsi_backfill *bf)
{
	const int64_t step = bf->params.resolution_s, now = bf->cluster.now, end = now + bf->params.window_s;
	struct fsi_map_lics lics = { .n = bf->params.licenses ? bf->select.licenses.n : 0,
				     .owners = bf->params.licenses ? fsi_licenses_owners(bf->cluster.m) : 0,
				     .compared = fs_slurm_has(bf->cluster.compat, FS_SLURM_KEPT_LICENSES_COMPARED) };
	int rc;

	for (uint32_t i = 0; i < lics.n; i++)
		bf->select.licenses.want[i] = bf->select.licenses.v[i].total;
	rc = fsi_map_init(&bf->map, now - now % step, end - end % step, step, bf->cluster.up, bf->cluster.words,
			  &lics, bf->select.licenses.want);
	for (uint32_t i = 0; !rc && lics.owners && i < bf->cluster.m->reservation.n; i++)
		rc = enter_reserved_licenses(bf, i);
	for (size_t i = 0; !rc && i < bf->cluster.end.n; i++)
		rc = enter_running_job(bf, &bf->cluster.end.v[i], bf->select.set[2]);
	return rc;
}

/* Returns the time of the last cycle before the capture: the latest one at which a pending job was evaluated, to which
 * the starts that the scheduler shows refer. If that is more than 300 s ago, returns the time of the capture. */
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

int fsi_plan_setup(struct fsi_backfill *bf)
{
	struct fs_plan *p = bf->plan;
	struct fsi_plan_cluster *c = &bf->cluster;

	fsi_plan_params(c->m, c->compat, &bf->params);
	c->now = p->now = p->mode == FS_PLAN_BACKFILL ? find_last_cycle(c->m) : c->m->info.time;
	p->window_s = bf->params.window_s;
	p->resolution_s = bf->params.resolution_s;
	bf->select.preempt_by_tier = p->queue->preempt_by_tier;
	if (fsi_plan_cluster_init(c, c->m) || fsi_plan_place(c) || allocate_cycle_arrays(bf) ||
	    fsi_plan_steps_init(&bf->select) || fsi_licenses_init(&bf->select.licenses, c->m, &c->arena) ||
	    make_node_space(bf) || fsi_plan_counts_init(&bf->counts, c->m) || fsi_plan_het_init(bf) ||
	    fsi_plan_make_rows(p, p->only == FSI_NO_INDEX && !bf->het.n))
		return -1;
	if (bf->plan->mode == FS_PLAN_BACKFILL && (count_cycle_starts(bf) || fsi_backfill_take_starts(bf)))
		return -1;
	bf->cluster.rules.serial_at_end = bf->params.serial_at_end;
	bf->cluster.topology.compares_cpus = fs_slurm_has(bf->cluster.compat, FS_SLURM_TREE_COUNTS_CPUS);
	bf->cluster.topology.compares_free_cpus = fs_slurm_has(bf->cluster.compat, FS_SLURM_TREE_COUNTS_LEFT);
	bf->cluster.rules.leaves_out_singly = fs_slurm_has(bf->cluster.compat, FS_SLURM_LEAVES_OUT_SINGLY);
	bf->cluster.rules.tasks_bound_gres = fs_slurm_has(bf->cluster.compat, FS_SLURM_TASKS_BOUND_GRES);
	bf->cluster.rules.first_of_one = fs_slurm_has(bf->cluster.compat, FS_SLURM_FIRST_OF_ONE);
	bf->cluster.users_own = fsi_plan_users_own(&bf->cluster);
	bf->limits_by_node = fsi_plan_limits_nodes(bf->cluster.m);
	return 0;
}

/* ---- the node weights with which a cycle begins
 *
 * GPUs change the weights of nodes. The changes stay from one cycle to the next, until the main scheduler tries a job
 * of the partitions of these nodes (src/slurmctld/node_scheduler.c: _sync_node_weight; observed with 22.05.8). The main
 * scheduler runs every sched_interval, and some seconds after jobs were submitted or ended (batch_sched_delay).
 *
 * If no job was submitted, started or ended, and sched_interval is more than twice bf_interval, the main scheduler has
 * most likely not run since the last cycle. That cycle is then assumed to have been like this one. */

/* Returns true if a pending job requests GPUs. */
static bool has_gpu_requests(const struct fsi_plan_cluster *c)
{
	const fs_snapshot *m = c->m;

	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING && fsi_job_asks(m, &m->job.v[i], c->requests.gpu) > 0)
			return true;
	return false;
}

/* Returns true if a job was submitted, started or ended within bf_interval before the cycle, but long enough before it
 * for the main scheduler to have run. */
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

bool fsi_plan_carries_weights(const struct fsi_select *sel)
{
	return sel->found.choice.keeps_weights && sel->params->main_interval_s > 2 * sel->params->interval_s &&
	       !has_recent_changes(sel) && has_gpu_requests(sel->cluster);
}
