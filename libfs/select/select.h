/* The select plugin: when and on which nodes a request can start.
 *
 * struct fsi_select is the context of the plugin. It works on one request at a time. A try of backfill consists of:
 *   fsi_select_filter_reserved         what reservations leave at a start; may move the start (reserved.c)
 *   fsi_select_filter_exclusive_user              removes nodes that users keep for themselves (reserved.c)
 *   fsi_select_will_run           start and nodes, with running jobs ending one after the other (will_run.c)
 *     fsi_select_choose_nodes           selects among the nodes with capacity (choose.c)
 *     fsi_select_choose_shared_nodes  the same if jobs share CPUs (shared_cpus.c)
 *   fsi_select_get_found_cores        the CPUs of the start found (shared_cpus.c)
 * Cluster and parameters are borrowed. The caller (libfs/backfill/cycle.c) makes and releases the choices, the search,
 * the cache and the index; all other memory is in the cluster's arena, or in `scratch`. A result is valid until
 * the next try of the same kind.
 *
 * Reproduces select/cons_tres/job_test.c: _will_run_test, src/slurmctld/reservation.c: job_test_resv,
 * src/slurmctld/licenses.c: license_job_test. */
#ifndef FSI_SELECT_SELECT_H
#define FSI_SELECT_SELECT_H

#include "nodes/oversubscribe.h"
#include "select/avail_index.h"

/* Parameters of a backfill cycle from SchedulerParameters (man/fs-showq.1 lists them), and rules of the version. */
struct fsi_sched_params {
	int64_t window_s, resolution_s, interval_s; /* bf_window, bf_resolution, bf_interval */
	int64_t main_interval_s; /* sched_interval, of the main scheduler */
	/* bf_max_job_test, ...; 0: no limit (max_test is never 0) */
	uint32_t max_test, max_user, max_part, max_assoc, max_user_part;
	/* bf_max_job_array_resv, bf_job_part_count_reserve, bf_node_space_size */
	uint32_t max_array_resv, part_reserve, node_space_size;
	uint32_t max_start; /* bf_max_job_start; 0: no limit */
	int64_t min_age_reserve_s; /* bf_min_age_reserve */
	double min_prio_reserve; /* bf_min_prio_reserve */
	/* growth of the window in a search by will_run (bf_window_linear); 0: the window doubles */
	int64_t window_growth_s;
	/* bf_one_resv_per_job, assoc_limit_stop, bf_busy_nodes, bf_licenses, bf_running_job_reserve,
	 * pack_serial_at_end, bf_allow_magnetic_slot */
	bool one_resv_per_job, assoc_limit_stop, busy_nodes, plans_licenses, running_reserve, serial_at_end,
		magnetic_slot;
	bool stops_beyond_window; /* the search ends when reservations move the start beyond the window */
	/* in a try for later, jobs that share CPUs exclude no request from a node (FS_SLURM_SHARING_FORGOTTEN) */
	bool ignores_shared_cpus;
	/* a planned job starts when the last job on its nodes ends (FS_SLURM_LAST_ON_NODES) */
	bool last_on_nodes;
	/* a try at a later start is also without the jobs that end at that start (FS_SLURM_ENDED_BY_START) */
	bool ended_by_start;
	/* the rules of 24.11 apply: the search goes on past the job's end, ends of planned jobs are rounded up, and a
	 * try at a later start begins with the jobs gone that end before it */
	bool rules_24_11;
};

/* The parameter because of which a cycle does not reach a job: its name, NULL: none, and its value. */
struct fsi_cycle_limit {
	const char *name;
	uint32_t value;
};
/* Reads the parameters for the version. */
void fsi_sched_params_read(const fs_snapshot *m, unsigned version, struct fsi_sched_params *p);

/* Returns the i-th parameter that is set and changes a plan but is not modelled; NULL past the end. */
const char *fsi_sched_params_find_unmodelled(const fs_snapshot *m, size_t i);

/* ---- licences */

/* A licence of the cluster: its number in total, in use, reserved in the time looked at, and in use but freed then. */
struct fsi_license {
	uint32_t len;
	const char *name; /* not NUL-terminated, `len` bytes */
	int64_t total, used, reserved, freed;
};

/* The licences of the cluster, and what a job or reservation wants of them. */
struct fsi_license_table {
	struct fsi_license *v;
	uint32_t n;
	bool totals_known;    /* the snapshot has the total numbers */
	int64_t *want; /* n amounts: what the last job or reservation asks for */
};

/* Licences wanted in a slot of the node space: n amounts, or NULL. owner: 1 + the position of the reservation whose
 * licences are used first, among the reservations of licences; 0: none. */
struct fsi_license_demand {
	const int64_t *amount;
	uint32_t owner_position;
};

/* The result of a try: a start, and the nodes for it. */
struct fsi_attempt {
	int64_t start;
	bool fails_to_start; /* the controller shows a start now but fails to start the job */
	struct fsi_selection selection;
};

/* A row of a partition that oversubscribes its CPUs. */
struct fsi_core_row {
	uint64_t *set; /* CPUs in use in the row */
	int64_t count; /* number of CPUs in `set` */
};

/* Working memory for selections with shared CPUs (libfs/select/shared_cpus.c). */
struct fsi_shared_cpus {
	uint64_t *scratch_set[3], *taken_cpus; /* sets of CPUs; the CPUs that were in use for the last selection */
	struct fsi_core_row *rows;
	int64_t *last_end; /* by partition row: last end of one of its jobs before now */
	bool has_preemptor_row; /* each partition has one more row, for jobs that preempt (preempt/qos) */
};

/* Working memory for requests with feature sets. */
struct fsi_feature_scratch {
	uint64_t *nodes, *taken, *others; /* sets of nodes */
	int64_t *node_cpus;			  /* by node: CPUs taken */
};

/* Context of the select plugin; the beginning of this file describes it. */
struct fsi_select {
	struct fsi_cluster *cluster;
	const struct fsi_sched_params *params;
	enum fs_plan_mode mode;
	bool preempt_by_tier; /* PreemptType=preempt/partition_prio */
	bool select_called; /* the select plugin was called in the last try */
	struct fsi_attempt attempt; /* result of the last try */
	struct fsi_attempt attempt_unconstrained; /* result of a try without planned jobs, or without reservations */
	struct fsi_earliest_search earliest_search; /* for planning by priority */
	uint64_t *scratch_set[3]; /* sets of nodes for short use */
	uint64_t *usable[2]; /* candidates that may have capacity; scratch memory for them */
	struct fsi_arena scratch; /* memory of the current request; released before the next one */
	int64_t *open_cpus; /* by node: CPUs that reservations of cores leave */
	struct fsi_license_table licenses;
	struct fsi_request_cache request_cache;
	struct fsi_avail_index_table avail_index;
	struct fsi_feature_scratch feature_scratch;
	struct fsi_shared_cpus shared_cpus;
};

/* The work of a plan after which fsi_select_may_change_weights always returns false. */
#define FSI_SELECT_WEIGHT_WORK UINT64_C(1000000000)

/* Returns true if a try for the request, even without success, changes the weights by which later requests select nodes
 * (fsi_selection.keeps_weights). Such tries cannot be skipped, which is slow. */
static inline bool fsi_select_may_change_weights(const struct fsi_select *sel, const struct fsi_request *q)
{
	return q->gpu.per_node && sel->attempt.selection.keeps_weights && *sel->cluster->work < FSI_SELECT_WEIGHT_WORK;
}

/* A question to the select plugin: when would it start the request on `nodes`? */
struct fsi_will_run {
	const uint64_t *nodes; /* the candidates */
	int64_t tried_start, next_start; /* the start that is tried; the next start that will be tried, 0: none */
	bool now_only; /* asks only for a start at the time tried */
	bool never_waits;  /* does not wait for jobs to end */
	bool stops_at_next; /* a start after the next one that will be tried is as good as none and is not returned */
};

/* Finds when and where the select plugin would start the request, also one with feature sets. Sets *found. Returns
 * false if there is no start. */
bool fsi_select_will_run(struct fsi_select *sel, const struct fsi_request *q, const struct fsi_will_run *w,
			 struct fsi_attempt *found);
int fsi_select_init_feature_scratch(struct fsi_select *sel); /* returns -1 if out of memory */

/* A start, and what advance reservations leave at it. */
struct fsi_unreserved {
	/* in, out: the start; moved to the end of a reservation that closes the partition or takes required nodes */
	int64_t start;
	int64_t run_s; /* in: how long the job is assumed to run, s */
	int64_t retry_at;   /* out: when to try again, after the end of a reservation that takes nodes; 0: never */
	uint64_t *nodes; /* out: nodes that reservations leave */
	int64_t *open_cpus;	 /* out, by node: CPUs that reservations of cores leave; not set without such reservations */
	bool has_open_cpus;
};
/* Sets what reservations leave. Returns false if the request can never start. */
bool fsi_select_filter_reserved(struct fsi_select *sel, const struct fsi_request *q, struct fsi_unreserved *l);

/* Returns true if the request's licences are available besides those in use now and those reserved in [start, end).
 * Sets *until to the first end of a reservation that has some of them; 0: there is none. */
bool fsi_license_is_wanted_open(struct fsi_select *sel, const struct fsi_request *q, int64_t start, int64_t end,
				int64_t *until);

/* The result of removing nodes that users keep for themselves. */
struct fsi_exclusive_user_filter {
	int64_t retry_at; /* when to try again for the removed nodes; 0: never */
	bool delays_start;   /* the nodes left do not suffice: the request is tried at that time, not now */
};

/* Removes the nodes from `nodes` that the request cannot get because of the users of running jobs
 * (libfs/select/reserved.c). Returns -1 if out of memory. */
int fsi_select_filter_exclusive_user(const struct fsi_select *sel, const struct fsi_request *q, int64_t start,
				     uint64_t *nodes, struct fsi_exclusive_user_filter *out);
/* Returns true if a running job keeps its nodes from jobs of other users. */
bool fsi_select_has_exclusive_user(const struct fsi_cluster *c);

/* Returns the licences that the request wants in the node space; amount NULL: none, or the node space has no
 * licences. */
struct fsi_license_demand fsi_license_get_demand(struct fsi_select *sel, const struct fsi_request *q);

/* Reads the configured licences; none is in use. Returns -1 if out of memory. */
int fsi_license_read_config(struct fsi_license_table *l, const fs_snapshot *m, struct fsi_arena *arena);

/* Sets l->want to what the job asks for. Returns false if that is not completely known. */
bool fsi_license_read_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);

/* Sets l->want to the licences of the reservation. */
void fsi_license_read_reservation(struct fsi_license_table *l, const fs_snapshot *m, uint32_t reservation);

/* Returns the number of reservations of licences. */
uint32_t fsi_license_count_reservations(const fs_snapshot *m);

/* Returns 1 + the position of the named reservation among those of licences; 0: it has no licences. */
uint32_t fsi_license_find_reservation(const fs_snapshot *m, uint32_t name);

/* Adds l->want to what is in use. */
void fsi_license_take_wanted(struct fsi_license_table *l);
/* Returns true if l->want is available besides what is in use and reserved. */
bool fsi_license_is_wanted_left(const struct fsi_license_table *l);

/* Adds the job's licences to the freed ones. */
void fsi_license_free_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);
/* Returns true if the job has a licence that is in l->want. */
bool fsi_license_has_job_wanted(const struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j);

/* ---- shared CPUs */

/* Returns true if CPUs that other jobs have may count as free for the request. */
bool fsi_select_needs_shared_cpus(const struct fsi_select *sel, const struct fsi_request *q);

/* Selects among `nodes` as fsi_select_choose_nodes does, for the moment `when`. Repeats the selection step by step,
 * each with other CPUs counted as taken. Returns false if no step succeeds. */
bool fsi_select_choose_shared_nodes(struct fsi_select *sel, const struct fsi_request *q, const uint64_t *nodes,
				    struct fsi_end_moment when, struct fsi_selection *s);

/* Returns the set of `cpus` CPUs that the node gives to the start found last; NULL: CPUs are not shared. Sets *ok to
 * false if out of memory. */
uint64_t *fsi_select_get_found_cores(struct fsi_select *sel, const struct fsi_request *q, uint32_t node, int64_t cpus,
				     bool *ok);

int fsi_select_init_shared_cpus(struct fsi_select *sel); /* returns -1 if out of memory */

/* ---- one selection with shared CPUs */

struct fsi_shared_selection {
	struct fsi_select *sel;
	const struct fsi_request *q;
	const uint64_t *nodes;
	struct fsi_end_moment when;
	struct fsi_selection *selection;
};

/* Returns true if the hold has not ended at t->when and is not preempted. */
static inline bool fsi_shared_selection_has_hold(const struct fsi_shared_selection *t, const struct fsi_node_hold *h)
{
	return !fsi_hold_has_ended(h, t->when) && !fsi_request_may_preempt_hold(t->q, h);
}

#endif
