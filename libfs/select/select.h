/* The select plugin: when and on which nodes a request would start. */
#ifndef FSI_SELECT_SELECT_H
#define FSI_SELECT_SELECT_H

#include "nodes/oversubscribe.h"
#include "select/avail_index.h"

/* SchedulerParameters (man/fs-showq.1 lists them). */
struct fsi_plan_params {
	int64_t window_s, resolution_s, interval_s;
	int64_t main_interval_s; /* of the main scheduler */
	uint32_t max_test, max_user, max_part, max_assoc,
		max_user_part;                             /* 0: no limit, but for max_test */
	uint32_t max_array_resv, part_reserve, max_slots; /* max_slots: of the map */
	uint32_t max_start; /* jobs that a cycle starts, 0: any number */
	int64_t min_age_reserve_s;
	double min_prio_reserve;
	int64_t window_grows_s; /* by so much, 0: to twice as much (bf_window_linear) */
	bool one_resv, assoc_limit_stop, busy_nodes, licenses, running_reserve, serial_at_end, magnetic_slot;
	bool stops_behind_window; /* ends at a start that reservations put behind it: from 23.11.2 */
	bool forgets; /* FS_SLURM_SHARING_FORGOTTEN */
	bool last_on_nodes, ended_by_start; /* FS_SLURM_LAST_ON_NODES, FS_SLURM_ENDED_BY_START */
	bool looks_on; /* as versions from 24.11 do: looks further, rounds ends up, takes nodes of the time tried */
};

/* The parameter that keeps a cycle from a job: its name, NULL none, and its value. */
struct fsi_plan_cycle_limit {
	const char *name;
	uint32_t value;
};
void fsi_plan_params(const fs_snapshot *m, unsigned version, struct fsi_plan_params *p);

/* The i-th of the parameters that are set and change a plan, and are left out; NULL past the end. */
const char *fsi_plan_left_out(const fs_snapshot *m, size_t i);

/* Licences: how many there are, how many are in use, and what a job wants. */

struct fsi_plan_license {
	uint32_t len;
	const char *name; /* name: len bytes */
	int64_t total, used, reserved, freed;
};

struct fsi_plan_licenses {
	struct fsi_plan_license *v;
	uint32_t n;
	bool known;    /* does the snapshot tell how many there are? */
	int64_t *want; /* n amounts: what the job asked about last wants */
};

/* Wanted: n amounts, or NULL; owner: the reservation whose row is used first, from 1 on, 0 none. */
struct fsi_map_want {
	const int64_t *amount;
	uint32_t owner;
};

/* A start and the nodes for it. */
struct fsi_plan_found {
	int64_t start;
	bool pretends; /* the controller tells that it starts now, and cannot start it */
	struct fsi_plan_choice choice;
};

/* A row of a partition whose CPUs are given out more than once. */
struct fsi_plan_core_row {
	uint64_t *set; /* of CPUs */
	int64_t count;
};

/* Memory for choices step by step (libfs/select/shared_cpus.c). */
struct fsi_plan_steps {
	uint64_t *set[3], *found; /* sets of CPUs; the CPUs taken when the last choice was made */
	struct fsi_plan_core_row *row;
	int64_t *last_end; /* by partition: when a job of it ended before now */
	bool extra; /* has each partition a row more, for those that preempt? */
};

/* Memory for features that are tried part by part. */
struct fsi_plan_kinds {
	uint64_t *nodes, *taken, *others; /* sets of nodes */
	int64_t *units;			  /* by node: CPUs taken */
};

/* What the select plugin works with: one request at a time is placed on the nodes of a cluster. Memory is reused from
 * request to request. */
struct fsi_select {
	struct fsi_plan_cluster *cluster;
	const struct fsi_plan_params *params;
	enum fs_plan_mode mode;
	bool preempt_by_tier; /* PreemptType=preempt/partition_prio */
	bool asked; /* the select plugin was called in the last try */
	struct fsi_plan_found found; /* result of the last try */
	struct fsi_plan_found other; /* result of a try that ignores planned jobs or reservations */
	struct fsi_plan_search sweep; /* by priority */
	uint64_t *set[3]; /* sets of nodes for short use */
	uint64_t *may[2]; /* sets of nodes that may have capacity */
	struct fsi_arena scratch; /* of the request; released before the next one */
	int64_t *open; /* by node: CPUs that reservations of cores leave */
	struct fsi_plan_licenses licenses;
	struct fsi_plan_memo memo;
	struct fsi_fits_table fits;
	struct fsi_plan_kinds kinds;
	struct fsi_plan_steps steps;
};

/* Does asking for it leave marks on the nodes, so that each try counts, also one in vain: the weights by which jobs
 * after it choose (struct fsi_plan_choice, keeps_weights)? That takes long, and is not heeded past so many looks. */
#define FSI_PLAN_MARKED_LOOKS UINT64_C(1000000000)
static inline bool fsi_plan_marks(const struct fsi_select *sel, const struct fsi_plan_request *q)
{
	return q->gpu.per_node && sel->found.choice.keeps_weights && *sel->cluster->looks < FSI_PLAN_MARKED_LOOKS;
}

/* When the select plugin would start the request on `nodes` (libfs/backfill/job_start.c). */
struct fsi_plan_will {
	const uint64_t *nodes;
	int64_t from, until; /* the start tried, and the next one that will be (0: none) */
	bool now_only;
	bool once;  /* nobody's end is waited for */
	bool stops; /* a start behind the next one tried is as good as none: none is told */
};

/* Likewise with features that are tried part by part (libfs/backfill/job_start.c). */
bool fsi_plan_will_run(struct fsi_select *sel, const struct fsi_plan_request *q,
		       const struct fsi_plan_will *w, struct fsi_plan_found *found);
int fsi_plan_kinds_init(struct fsi_select *sel); /* -1 without memory */

/* What advance reservations leave (libfs/select/reserved.c). */
struct fsi_plan_left {
	int64_t start; /* moved on while a reservation closes the whole partition, or nodes that are required */
	int64_t for_s; /* in: how long it is taken to run */
	int64_t again;   /* when one of those that take nodes away ends; 0 none does */
	uint64_t *nodes; /* nodes that may be used, as far as reservations go */
	int64_t *open;	 /* as in a request, where opened */
	bool opened;
};
/* false: it cannot start, whenever it is tried. */
bool fsi_plan_unreserved(struct fsi_select *sel, const struct fsi_plan_request *q, struct fsi_plan_left *l);

/* Are there licences for the request, beside those in use now and those that are reserved from start to end? *until:
 * when the first reservation of such licences ends, 0 there is none. */
bool fsi_plan_licenses_open(struct fsi_select *sel, const struct fsi_plan_request *q, int64_t start, int64_t end,
			    int64_t *until);

/* Nodes that users keep for themselves. */
struct fsi_plan_owned {
	int64_t until; /* when to try again for those taken out, 0: never */
	bool delays;   /* it cannot do with the others: it is tried then, and not now */
};

/* Takes them out of `nodes` (libfs/nodes/cluster.c). -1 without memory. */
int fsi_plan_owned(const struct fsi_select *sel, const struct fsi_plan_request *q, int64_t start, uint64_t *nodes,
		   struct fsi_plan_owned *out);
bool fsi_plan_users_own(const struct fsi_plan_cluster *c);

/* The licences that it wants on the map; amount NULL: none, or they are not kept there. */
struct fsi_map_want fsi_plan_wants(struct fsi_select *sel, const struct fsi_plan_request *q);

/* Reads the configuration; no licence is in use. -1 without memory. */
int fsi_licenses_init(struct fsi_plan_licenses *l, const fs_snapshot *m, struct fsi_arena *arena);

/* Fills l->want with what the job asks for; is all of that known, and does it ask for any? */
bool fsi_licenses_of(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);

/* Fills l->want with what the reservation keeps. */
void fsi_licenses_kept(struct fsi_plan_licenses *l, const fs_snapshot *m, uint32_t reservation);

/* Reservations of licences. */
uint32_t fsi_licenses_owners(const fs_snapshot *m);

/* The place of the reservation of that name among those of licences, from 1 on; 0 if it is none of them. */
uint32_t fsi_licenses_owner(const fs_snapshot *m, uint32_t name);

/* Adds l->want to what is in use; and is there room for it beside that, and beside what is reserved? */
void fsi_licenses_take(struct fsi_plan_licenses *l);
bool fsi_licenses_left(const struct fsi_plan_licenses *l);

/* Adds what the job has to what is free of that in use; and has it any that is in l->want? */
void fsi_licenses_free(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);
bool fsi_licenses_meet(const struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j);

/* Nodes for a job that may get CPUs which others have too: one step after the other, each with other CPUs taken. */

/* Do CPUs that others have count as free for the request? */
bool fsi_plan_by_steps(const struct fsi_select *sel, const struct fsi_plan_request *q);

/* Chooses as fsi_plan_choose does among `nodes`, when the jobs that end by then have ended. */
bool fsi_plan_choose_by_steps(struct fsi_select *sel, const struct fsi_plan_request *q, const uint64_t *nodes,
			      struct fsi_plan_moment when, struct fsi_plan_choice *s);

/* The CPUs of a node, by number, for so many of the start found last; NULL where they are not kept. *ok: false without
 * memory. */
uint64_t *fsi_plan_cores_found(struct fsi_select *sel, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
			       bool *ok);

int fsi_plan_steps_init(struct fsi_select *sel); /* -1 without memory */

/* ---- between the steps and their rows (libfs/select/shared_cpus.c) */

struct fsi_steps {
	struct fsi_select *sel;
	const struct fsi_plan_request *q;
	const uint64_t *nodes;
	struct fsi_plan_moment when;
	struct fsi_plan_choice *s;
};

/* Is the hold there: has it not ended by then, and does it not give way? */
static inline bool fsi_steps_there(const struct fsi_steps *t, const struct fsi_plan_alloc *h)
{
	return !fsi_plan_ended(h, t->when) && !fsi_plan_gives_way(t->q, h);
}

#endif
