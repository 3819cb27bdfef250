/* The select plugin: finds the time at which a request can start, and the nodes on which it can start.
 *
 * struct fsi_select is the context of the plugin. It works on one request at a time. One try of the backfill scheduler
 * consists of:
 *   fsi_select_filter_reserved         computes the nodes that reservations leave to the request; may move its start
 *                                      (reserved.c)
 *   fsi_select_filter_exclusive_user   removes nodes that other users hold exclusively (reserved.c)
 *   fsi_select_will_run                finds the start and the nodes; may wait for running jobs to end (will_run.c)
 *     fsi_select_choose_nodes          selects among the nodes with capacity (choose.c)
 *     fsi_select_choose_shared_nodes   selects among the nodes with capacity if jobs share CPUs (shared_cpus.c)
 *   fsi_select_get_found_cores         returns the CPUs that the found start uses (shared_cpus.c)
 * Cluster and parameters are borrowed. The caller (libfs/backfill/cycle.c) allocates and releases the selections in
 * `attempt` and `attempt_unconstrained`, `earliest_search`, `request_cache` and `avail_index`. All other memory is in
 * the cluster's arena or in `scratch`. The result of a function is valid until that function is called again.
 *
 * Reproduces select/cons_tres/job_test.c: _will_run_test, src/slurmctld/reservation.c: job_test_resv,
 * src/slurmctld/licenses.c: license_job_test. */
#ifndef FSI_SELECT_SELECT_H
#define FSI_SELECT_SELECT_H

#include "nodes/oversubscribe.h"
#include "select/avail_index.h"

/* Parameters of a backfill cycle from SchedulerParameters (man/fs-showq.1 lists them), and rules that depend on the
 * Slurm version. */
struct fsi_sched_params {
	int64_t window_s, resolution_s, interval_s; /* bf_window, bf_resolution and bf_interval, in seconds */
	int64_t main_interval_s; /* sched_interval: the interval of the main scheduler, s */
	/* bf_max_job_test, bf_max_job_user, bf_max_job_part, bf_max_job_assoc, bf_max_job_user_part; 0: no limit
	 * (max_test is never 0) */
	uint32_t max_test, max_user, max_part, max_assoc, max_user_part;
	/* values of the parameters bf_max_job_array_resv, bf_job_part_count_reserve (0: no limit) and
	 * bf_node_space_size */
	uint32_t max_array_resv, part_reserve, node_space_size;
	uint32_t max_start; /* bf_max_job_start; 0: no limit */
	int64_t min_age_reserve_s; /* bf_min_age_reserve, s; 0: no minimum */
	double min_prio_reserve; /* bf_min_prio_reserve; 0: no minimum */
	/* seconds by which fsi_select_will_run widens its search window after each try (bf_window_linear); 0: the
	 * window doubles */
	int64_t window_growth_s;
	/* true: the parameter is set; in the order of the members: bf_one_resv_per_job, assoc_limit_stop,
	 * bf_busy_nodes, bf_licenses, bf_running_job_reserve, pack_serial_at_end, bf_allow_magnetic_slot */
	bool one_resv_per_job, assoc_limit_stop, busy_nodes, plans_licenses, running_reserve, serial_at_end,
		magnetic_slot;
	/* the search for a start ends without a result when advance reservations move the start beyond bf_window */
	bool stops_beyond_window;
	/* true: for a start later than now, every request may use nodes whose running jobs share their CPUs
	 * (FS_SLURM_SHARING_FORGOTTEN); false: a request that does not share CPUs may not use these nodes */
	bool ignores_shared_cpus;
	/* the start that fsi_select_will_run finds is the end of the last removed job on the selected nodes
	 * (FS_SLURM_LAST_ON_NODES); false: the end of the last removed job on any node */
	bool last_on_nodes;
	/* a try of a later start also ignores running jobs that end exactly at that start (FS_SLURM_ENDED_BY_START) */
	bool ended_by_start;
	/* the rules of Slurm 24.11 and later apply; for example, a try of a later start ignores running jobs that end
	 * before that start */
	bool rules_24_11;
};

/* The parameter that prevents a backfill cycle from trying a job: its name and its value. If the name is NULL, no
 * parameter prevents the try. */
struct fsi_cycle_limit {
	const char *name;
	uint32_t value;
};
/* Sets *p from SchedulerParameters and from the rules of the Slurm version. */
void fsi_sched_params_read(const fs_snapshot *m, unsigned version, struct fsi_sched_params *p);

/* Returns the i-th parameter that is set in the snapshot and affects plans but is not modelled; NULL if there are at
 * most i such parameters. */
const char *fsi_sched_params_find_unmodelled(const fs_snapshot *m, size_t i);

/* ---- licenses */

/* A license of the cluster. `total`: number of licenses; `used`: amount in use now. `reserved`: amount that advance
 * reservations reserve at the start that is tried; `freed`: part of `used` that jobs have released by that start. */
struct fsi_license {
	uint32_t len;
	const char *name; /* name of the license: `len` bytes, not NUL-terminated */
	int64_t total, used, reserved, freed;
};

/* The licenses of the cluster, and the amounts that one job or reservation requests. */
struct fsi_license_table {
	struct fsi_license *v;
	uint32_t n;
	bool totals_known;    /* the snapshot has the total number of each license */
	/* requested amount of each license, set by fsi_license_read_job and fsi_license_read_reservation */
	int64_t *want;
};

/* The licenses that a plan reserves for a job (bf_licenses). `amount`: one amount for each license of the cluster;
 * NULL: none. `owner_position`: the reservation whose licenses are used first, as 1 + its position among the
 * reservations that have licenses; 0: none. */
struct fsi_license_demand {
	const int64_t *amount;
	uint32_t owner_position;
};

/* The result of a try: a start, and the nodes selected for that start. */
struct fsi_attempt {
	int64_t start;
	bool fails_to_start; /* the controller shows the present time as the start, but then fails to start the job */
	struct fsi_selection selection;
};

/* A CPU row of a partition that oversubscribes its CPUs (libfs/nodes/oversubscribe.h). */
struct fsi_core_row {
	uint64_t *set; /* set of the CPUs in use in the CPU row */
	int64_t count; /* number of CPUs in `set` */
};

/* Working memory for selections of nodes with shared CPUs (libfs/select/shared_cpus.c). */
struct fsi_shared_cpus {
	/* `scratch_set`: scratch memory for CPU sets; `taken_cpus`: the CPUs that counted as taken in the last
	 * selection */
	uint64_t *scratch_set[3], *taken_cpus;
	struct fsi_core_row *rows;
	/* last_end[partition row]: latest end of a job of that partition at or before now; 0: none */
	int64_t *last_end;
	bool has_preemptor_row; /* each partition has one additional CPU row, for jobs that preempt (preempt/qos) */
};

/* Working memory for searches of requests with feature sets. */
struct fsi_feature_scratch {
	/* `nodes`: candidates for one feature set; `taken`: nodes taken so far; `others`: candidates that are not
	 * taken */
	uint64_t *nodes, *taken, *others;
	int64_t *node_cpus;			  /* node_cpus[node]: CPUs taken on the node */
};

/* Context of the select plugin; the beginning of this file describes the context. */
struct fsi_select {
	struct fsi_cluster *cluster;
	const struct fsi_sched_params *params;
	enum fs_plan_mode mode;
	bool preempt_by_tier; /* PreemptType=preempt/partition_prio */
	bool select_called; /* the last try called the select plugin */
	struct fsi_attempt attempt; /* result of the last try to start the current request */
	struct fsi_attempt attempt_unconstrained; /* result of the last try that ignored planned jobs or reservations */
	struct fsi_earliest_search earliest_search; /* working memory for FS_PLAN_BY_PRIORITY */
	uint64_t *scratch_set[3]; /* scratch memory for node sets */
	/* usable[0]: set of the candidates that may have capacity; usable[1]: scratch memory for a node set */
	uint64_t *usable[2];
	struct fsi_arena scratch; /* owns the data of the current request; released before the next request is read */
	int64_t *open_cpus; /* open_cpus[node]: CPUs that reservations of cores leave to the request */
	struct fsi_license_table licenses;
	struct fsi_request_cache request_cache;
	struct fsi_avail_index_table avail_index;
	struct fsi_feature_scratch feature_scratch;
	struct fsi_shared_cpus shared_cpus;
};

/* When fsi_cluster.work, which counts the work done for a plan, reaches this number, fsi_select_may_change_weights
 * returns false for every request. */
#define FSI_SELECT_WEIGHT_WORK UINT64_C(1000000000)

/* Returns true if a try of the request, even a failed one, changes the node weights that later requests use
 * (fsi_selection.keeps_weights). Such tries cannot be skipped, which makes the plan slow. */
static inline bool fsi_select_may_change_weights(const struct fsi_select *sel, const struct fsi_request *q)
{
	return q->gpu.per_node && sel->attempt.selection.keeps_weights && *sel->cluster->work < FSI_SELECT_WEIGHT_WORK;
}

/* A will_run query: asks the select plugin for the start of a request on the candidate nodes `nodes`. */
struct fsi_will_run {
	const uint64_t *nodes; /* set of the candidate nodes */
	/* seconds since the epoch; `tried_start`: the start that is tried; `next_start`: the start that will be tried
	 * next, 0: none */
	int64_t tried_start, next_start;
	bool now_only; /* the request must start at the present time */
	bool never_waits;  /* the search does not wait for running jobs to end */
	bool stops_at_next; /* the search ends at `next_start`; later starts are of no use to the caller */
};

/* Sets *found to the start that the select plugin would give the request, and to its nodes. Tries feature sets one by
 * one. Returns false if there is no start. */
bool fsi_select_will_run(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			 struct fsi_attempt *found);
/* Allocates the working memory for feature sets. Returns -1 if out of memory. */
int fsi_select_init_feature_scratch(struct fsi_select *sel);

/* A start, and the nodes and CPUs that advance reservations leave to a request at that start. */
struct fsi_unreserved {
	/* in, out: the start, seconds since the epoch; it is moved to the end of a reservation that leaves the request
	 * no nodes or too few licenses */
	int64_t start;
	int64_t run_s; /* in: assumed run time of the job, s */
	/* out: time of the next try, after the end of a reservation that takes nodes; 0: no further try */
	int64_t retry_at;
	uint64_t *nodes; /* out: set of the nodes that reservations leave to the request */
	/* out: open_cpus[node]: CPUs that reservations of cores leave to the request; valid only if `has_open_cpus` */
	int64_t *open_cpus;
	bool has_open_cpus;
};
/* Sets *l to the nodes and CPUs that reservations leave to the request; may move l->start. Returns false if the request
 * can never start. */
bool fsi_select_filter_reserved(struct fsi_select *sel, const struct fsi_request *q, struct fsi_unreserved *l);

/* Returns true if enough of the licenses that the request wants are free: neither in use now nor reserved for a time in
 * [start, end). Sets *until to the earliest end of a reservation that has at least one of the wanted licenses; 0: there
 * is no such reservation. */
bool fsi_license_is_wanted_open(struct fsi_select *sel, const struct fsi_request *q, int64_t start, int64_t end,
				int64_t *until);

/* The result of removing nodes that other users hold exclusively. */
struct fsi_exclusive_user_filter {
	/* time at which an excluded node becomes free; the request is tried again at that time; 0: no further try */
	int64_t retry_at;
	/* the request is not tried before `retry_at`, because too few nodes remain, or because an excluded node is
	 * required */
	bool delays_start;
};

/* Removes from `nodes` the nodes that the request cannot get at `start` because of running jobs of other users. Either
 * the request or the running job excludes other users (libfs/select/reserved.c). Returns -1 if out of memory. */
int fsi_select_filter_exclusive_user(const struct fsi_select *sel, const struct fsi_request *q, int64_t start,
				     uint64_t *nodes, struct fsi_exclusive_user_filter *out);
/* Returns true if at least one running job excludes jobs of other users from its nodes. */
bool fsi_select_has_exclusive_user(const struct fsi_cluster *c);

/* Returns the licenses that the plan reserves for the request. Member `amount` of the result is NULL in these cases:
 * the request wants no licenses; bf_licenses is not set; the cluster has no licenses; the requested licenses are
 * not completely known. */
struct fsi_license_demand fsi_license_get_demand(struct fsi_select *sel, const struct fsi_request *q);

/* Sets *l to the licenses that the snapshot's configuration lists. Their amounts in use are set to 0. Returns -1 if out
 * of memory. */
int fsi_license_read_config(struct fsi_license_table *l, const fs_snapshot *m, struct fsi_arena *arena);

/* Sets l->want to the licenses that the job requests. Returns false if the snapshot does not completely show which
 * licenses the job requests. */
bool fsi_license_read_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);

/* Sets l->want to the licenses of the reservation in row `reservation`. */
void fsi_license_read_reservation(struct fsi_license_table *l, const fs_snapshot *m, uint32_t reservation);

/* Returns the number of reservations that have licenses. */
uint32_t fsi_license_count_reservations(const fs_snapshot *m);

/* Returns 1 + the position of the reservation `name` (a name id) among the reservations that have licenses; 0: the
 * reservation has no licenses. */
uint32_t fsi_license_find_reservation(const fs_snapshot *m, uint32_t name);

/* Adds the wanted amount of each license (l->want) to the amount in use. */
void fsi_license_take_wanted(struct fsi_license_table *l);
/* Returns true if the amount in l->want of each license is available. The available amount is the total, minus the
 * amounts in use and reserved, plus the freed amount. */
bool fsi_license_is_wanted_left(const struct fsi_license_table *l);

/* Adds the amounts of the job's licenses to the freed amounts, which count as available. */
void fsi_license_free_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);
/* Returns true if the job has a license whose amount in l->want is not 0. */
bool fsi_license_has_job_wanted(const struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);

/* ---- shared CPUs */

/* Returns true if the request may get CPUs that other jobs use. Its nodes must then be selected by
 * fsi_select_choose_shared_nodes. */
bool fsi_select_needs_shared_cpus(const struct fsi_select *sel, const struct fsi_request *q);

/* Selects among `nodes` as fsi_select_choose_nodes does, at the moment `when`. Tries several selections; each of them
 * counts a different set of CPUs as taken. Returns false if none succeeds. */
bool fsi_select_choose_shared_nodes(struct fsi_select *sel, const struct fsi_request *q, const uint64_t *nodes,
				    struct fsi_end_moment when, struct fsi_selection *s);

/* Returns the set of the CPUs, `cpus` in number, that the request gets on the node if the request has the start found
 * in sel->attempt. Returns NULL if CPUs are not shared, or if out of memory. Sets *ok to false if out of memory, else
 * to true. */
uint64_t *fsi_select_get_found_cores(struct fsi_select *sel, const struct fsi_request *q, uint32_t node, int64_t cpus,
				     bool *ok);

/* Allocates the working memory for shared CPUs. Returns -1 if out of memory. */
int fsi_select_init_shared_cpus(struct fsi_select *sel);

/* ---- one selection of nodes with shared CPUs */

struct fsi_shared_selection {
	struct fsi_select *sel;
	const struct fsi_request *q;
	const uint64_t *nodes;
	struct fsi_end_moment when;
	struct fsi_selection *selection;
};

/* Returns true if the job that uses the resources in *h has not ended by t->when, and the request may not preempt
 * it. */
static inline bool fsi_shared_selection_has_hold(const struct fsi_shared_selection *t, const struct fsi_node_hold *h)
{
	return !fsi_hold_has_ended(h, t->when) && !fsi_request_may_preempt_hold(t->q, h);
}

#endif
