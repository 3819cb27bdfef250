#include "limits/maui_limits.h"

#include "base/error.h"
#include "base/memory.h"
#include "fs/job.h"
#include "model/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maui's limits (TempleHPC maui-scheduler 3.5, src/MJob.c:MJobCheckLimits, src/MPolicy.c:MPolicyCheckLimit,
 * MPolicyAdjustUsage).
 *
 * Limits are tested in the order user, group, account, class, QOS. Each credential may limit jobs, processors, nodes,
 * processor seconds, processor equivalents and seconds. The limits of each user in a class are tested last. The limits
 * of each user in a class count only the user's jobs in the class. A job with a reservation is not tested
 * (src/MPolicy.c:MQueueSelectAllJobs).
 *
 * The value of a limit is the first value in this list that is set:
 *   - the value that the job's QOS sets for all credentials (override)
 *   - the credential's own value
 *   - the value of the credential DEFAULT of the same kind (not for classes)
 *
 * The use is always counted for the credential itself, even if the value comes from the QOS or from DEFAULT. Running
 * jobs count with the time that they have left, pending jobs with all of their time limit.
 *
 * The use of limits on eligible jobs is counted in a pass over all jobs, highest priority first. If a credential does
 * not set a limit on eligible jobs itself, its jobs are not counted (src/MCred.c:MCredProcessConfig allocates the
 * counters). In that pass, the use of limits on running jobs includes only the running jobs that the pass has reached.
 *
 * Maui's commands report a different use. After scheduling, Maui subtracts the jobs of two queues from the use: the
 * queue of jobs within soft limits and the queue of jobs within hard limits (src/MSched.c:MSchedProcessJobs,
 * src/MQueue.c:MOQueueDestroy). A pending job that is in both queues is subtracted twice, so the remaining use may be
 * below 0. */

enum limit_measure {
	MEASURE_JOBS,
	MEASURE_PROCS,
	MEASURE_NODES,
	MEASURE_PROC_SECONDS,
	MEASURE_EQUIVALENTS,
	MEASURE_SECONDS,
	MEASURE_COUNT
};

/* Active limits restrict running jobs. Idle limits restrict eligible jobs. */
enum limit_mode { ACTIVE_LIMITS, IDLE_LIMITS };

struct limit_value {
	int32_t hard, soft; /* values of the hard and the soft limit; 0: no limit */
};

/* A holder is a credential, or a user in a class, whose jobs a limit counts together. The kinds of holders are the
 * kinds of credentials (enum fs_cred_kind), then USER_IN_CLASS. */
enum { USER_IN_CLASS = FS_CRED_KINDS, HOLDER_COUNT };

struct limit_use {
	/* amounts in use; first index: kind of holder (a credential, or a user in a class); second index: index of the
	 * holder * MEASURE_COUNT + measure */
	double *of[HOLDER_COUNT];
};

struct user_and_class {
	uint32_t user, class; /* name ids of the user and of the class; 0: none */
};

struct job_credentials {
	/* indexed by kind of holder: index of the job's holder in the tables of struct limit_use; 0: none. The index of
	 * a credential is its name id. The index of a user in a class is the id in fsi_maui_limits.pairs. */
	uint32_t index[HOLDER_COUNT];
	uint32_t row[FS_CRED_KINDS];  /* indexed by kind of credential: row in m->credential; FSI_NO_INDEX: no record */
};

struct fsi_maui_limits {
	const fs_snapshot *m;
	fs_windows *windows;		    /* usage windows with the fair-share caps; NULL: no caps */
	/* state of jobs that the planner computed; NULL: jobs are as in the snapshot */
	const struct fsi_maui_state *state;
	struct fsi_creds creds;
	struct fsi_maui_totals totals;
	struct fsi_intern pairs; /* pairs of user and class (struct user_and_class) that jobs have */
	/* indexed by kind of holder (credential, or user in a class): greatest index of a holder in the tables of
	 * struct limit_use */
	uint32_t count[HOLDER_COUNT];
	struct job_credentials *credentials; /* credentials of each job, indexed by job row */
	struct limit_use active;	     /* amounts that running jobs use, which count against active limits */
	/* indexed by kind of credential: row of the credential DEFAULT; FSI_NO_INDEX: none */
	uint32_t default_row[FS_CRED_KINDS];
	/* indexed by job row: idle limit that the job exceeded when the eligible jobs were counted; name NULL: none */
	struct fs_explain_limit *idle_exceeded;
	bool *rejected; /* indexed by job row: the job exceeded a hard limit when the eligible jobs were counted */
	/* indexed by job row: the job was within all soft limits when the eligible jobs were counted */
	bool *within_soft;
	/* amounts that count against idle limits after an iteration, as Maui's commands report them */
	struct limit_use remaining;
	double system_limit[MEASURE_COUNT]; /* limits that apply to every single job; 0: none */
};

/* ---- use of limits (src/MPolicy.c:MPolicyAdjustUsage) */

/* Returns the name id of the job's user, group, account, class or QOS, as `kind` selects; 0: none. */
static uint32_t get_credential_name(const fs_snapshot *m, const struct fsi_job *j, enum fs_cred_kind kind)
{
	switch (kind) {
	case FS_CRED_USER:
		return j->user;
	case FS_CRED_GROUP:
		return j->group;
	case FS_CRED_ACCT:
		return j->account;
	case FS_CRED_CLASS:
		return fsi_list_first_item(m, j->partitions);
	default:
		return fsi_job_qos_or_default(m, j);
	}
}

static struct user_and_class get_user_and_class(const fs_snapshot *m, const struct fsi_job *j)
{
	return (struct user_and_class){ get_credential_name(m, j, FS_CRED_USER),
					get_credential_name(m, j, FS_CRED_CLASS) };
}

/* Returns the job's credentials. Requires x->creds, x->pairs and x->count. */
static struct job_credentials find_job_credentials(const struct fsi_maui_limits *x, const fs_snapshot *m,
						   const struct fsi_job *j)
{
	const struct user_and_class pair = get_user_and_class(m, j);
	struct job_credentials held;

	fsi_job_find_creds(m, &x->creds, j, held.row);
	for (int h = 0; h < HOLDER_COUNT; h++) {
		const uint32_t id = h == USER_IN_CLASS ? fsi_intern_find_id(&x->pairs, &pair, sizeof(pair))
								: get_credential_name(m, j, (enum fs_cred_kind)h);

		held.index[h] = id <= x->count[h] ? id : 0;
	}
	return held;
}

/* Sets out[measure] to the amount that the job uses or would use. */
static void measure_job_needs(const struct fsi_maui_limits *x, const struct fsi_job *j, double out[MEASURE_COUNT])
{
	const fs_snapshot *m = x->m;
	double seconds = (double)j->time_limit_s;

	if (fs_job_is_running(m, (size_t)(j - m->job.v)) && FSI_HAS(j, JOB, start_time) && m->info.time > j->start_time)
		seconds -= (double)(m->info.time - j->start_time);
	seconds = fmax(seconds, 0);
	out[MEASURE_JOBS] = 1;
	out[MEASURE_PROCS] = j->cpus;
	out[MEASURE_NODES] = j->nodes;
	out[MEASURE_PROC_SECONDS] = j->cpus * seconds;
	out[MEASURE_EQUIVALENTS] = trunc(fsi_maui_processor_equivalents(m, &x->totals, j));
	out[MEASURE_SECONDS] = seconds;
}

/* Adds the amounts of the job, multiplied by `times`, to the use of its credentials and of its user in its class. */
static void add_use_of_job(const struct fsi_maui_limits *x, struct limit_use *use, const struct fsi_job *j, int times)
{
	const struct job_credentials *held = &x->credentials[j - x->m->job.v];
	double need[MEASURE_COUNT];

	measure_job_needs(x, j, need);
	for (int h = 0; h < HOLDER_COUNT; h++) {
		const uint32_t index = held->index[h];

		for (int n = 0; n < MEASURE_COUNT && index; n++)
			use->of[h][(size_t)index * MEASURE_COUNT + (size_t)n] += times * need[n];
	}
}

/* Returns true if the job counts as running. A suspended job does not. */
static bool counts_as_running(const fs_snapshot *m, size_t job)
{
	return fs_job_is_running(m, job) && m->job.v[job].state != FSI_STATE_SUSPENDED;
}

bool fsi_maui_is_just_started(const fs_snapshot *m, size_t job)
{
	const struct fsi_job *j = &m->job.v[job];

	return counts_as_running(m, job) && FSI_HAS(j, JOB, start_time) && j->start_time == m->info.time;
}

static void release_use_tables(struct limit_use *use)
{
	for (int h = 0; h < HOLDER_COUNT; h++)
		free(use->of[h]);
	*use = (struct limit_use){ 0 };
}

/* Allocates tables of use, all 0. Returns -1 if out of memory. */
static int allocate_use_tables(struct limit_use *use, const struct fsi_maui_limits *x)
{
	*use = (struct limit_use){ 0 };
	for (int h = 0; h < HOLDER_COUNT; h++) {
		use->of[h] = calloc(((size_t)x->count[h] + 1) * MEASURE_COUNT, sizeof(**use->of));
		if (!use->of[h]) {
			release_use_tables(use);
			return -1;
		}
	}
	return 0;
}

/* ---- limits that the records of credentials set */

/* What a limit in a credential's record limits. LIMIT_OWN: the jobs of the credential. LIMIT_OVERRIDE: the record is of
 * a QOS, and its limit replaces the limits of all credentials of its jobs. LIMIT_EACH_USER: the record is of a class,
 * and its limit applies to each user in the class. */
enum limit_source { LIMIT_OWN, LIMIT_OVERRIDE, LIMIT_EACH_USER, LIMIT_SOURCES };

/* presence bits of the hard limits; 0: the record cannot set the limit. The bit of a soft limit follows the bit of its
 * hard limit. */
static const unsigned limit_bits[LIMIT_SOURCES][2][MEASURE_COUNT] = {
	[LIMIT_OWN] = {
		[ACTIVE_LIMITS] = { FSI_CREDENTIAL_max_job, FSI_CREDENTIAL_max_proc, FSI_CREDENTIAL_max_node,
				    FSI_CREDENTIAL_max_ps, FSI_CREDENTIAL_max_pe, FSI_CREDENTIAL_max_wc },
		[IDLE_LIMITS] = { FSI_CREDENTIAL_max_idle_job, FSI_CREDENTIAL_max_idle_proc,
				  FSI_CREDENTIAL_max_idle_node, FSI_CREDENTIAL_max_idle_ps,
				  FSI_CREDENTIAL_max_idle_pe, FSI_CREDENTIAL_max_idle_wc },
	},
	[LIMIT_OVERRIDE] = {
		[ACTIVE_LIMITS] = { FSI_CREDENTIAL_override_job, FSI_CREDENTIAL_override_proc,
				    FSI_CREDENTIAL_override_node, FSI_CREDENTIAL_override_ps,
				    FSI_CREDENTIAL_override_pe, FSI_CREDENTIAL_override_wc },
		[IDLE_LIMITS] = { FSI_CREDENTIAL_override_idle_job, FSI_CREDENTIAL_override_idle_proc,
				  FSI_CREDENTIAL_override_idle_node, FSI_CREDENTIAL_override_idle_ps },
	},
	[LIMIT_EACH_USER] = {
		[ACTIVE_LIMITS] = { FSI_CREDENTIAL_user_job, FSI_CREDENTIAL_user_proc, FSI_CREDENTIAL_user_node },
	},
};

static struct limit_value get_limit(const struct fsi_credential *c, enum limit_source source, enum limit_mode mode,
				    enum limit_measure measure)
{
	const unsigned bit = limit_bits[source][mode][measure];

	return bit ? (struct limit_value){ fsi_maui_get_number(c, bit), fsi_maui_get_number(c, bit + 1) }
		   : (struct limit_value){ 0 };
}

/* Returns true if the record sets a limit from this source and of this mode. Maui counts the eligible jobs of a
 * credential that sets limits on eligible jobs. */
static bool sets_limits(const struct fsi_credential *c, enum limit_source source, enum limit_mode mode)
{
	for (int k = 0; k < MEASURE_COUNT; k++)
		if (limit_bits[source][mode][k] && fsi_is_field_known(&c->rec, limit_bits[source][mode][k]))
			return true;
	return false;
}

/* Returns true if any credential sets a limit. */
static bool has_any_limit(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->credential.n; i++)
		for (int source = 0; source < LIMIT_SOURCES; source++)
			for (int mode = ACTIVE_LIMITS; mode <= IDLE_LIMITS; mode++)
				for (int k = 0; k < MEASURE_COUNT; k++)
					if (get_limit(&m->credential.v[i], (enum limit_source)source,
						      (enum limit_mode)mode, (enum limit_measure)k)
						    .hard)
						return true;
	return false;
}

/* Sets out[measure] to the limit that applies to every single job: SYSTEMMAXPROCPERJOB, SYSTEMMAXPROCSECONDPERJOB,
 * SYSTEMMAXJOBWALLTIME (src/MPar.c:MParProcessOConfig); 0: none. Returns true if any such limit is set. */
static bool read_system_limits(const fs_snapshot *m, double out[MEASURE_COUNT])
{
	static const char *const names[MEASURE_COUNT] = {
		[MEASURE_PROCS] = "SYSTEMMAXPROCPERJOB",
		[MEASURE_PROC_SECONDS] = "SYSTEMMAXPROCSECONDPERJOB",
		[MEASURE_SECONDS] = "SYSTEMMAXJOBWALLTIME",
	};
	bool any = false;

	for (int k = 0; k < MEASURE_COUNT; k++) {
		const double value = names[k] ? fs_snapshot_config_number(m, names[k]) : 0;

		out[k] = value > 0 ? value : 0;
		any = any || out[k] > 0;
	}
	return any;
}

/* The kinds of holders in the order in which Maui tests their limits. */
static const int holder_order[HOLDER_COUNT] = { FS_CRED_USER,  FS_CRED_GROUP, FS_CRED_ACCT,
						FS_CRED_CLASS, FS_CRED_QOS,   USER_IN_CLASS };

/* Fills x->pairs, x->count and x->credentials. Returns -1 if out of memory. */
static int index_job_credentials(const fs_snapshot *m, struct fsi_maui_limits *x)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct user_and_class pair = get_user_and_class(m, &m->job.v[i]);

		if (fsi_intern_add(&x->pairs, &pair, sizeof(pair)) == FSI_INTERN_FAILED)
			return -1;
	}
	for (int h = 0; h < HOLDER_COUNT; h++)
		x->count[h] = h == USER_IN_CLASS ? x->pairs.count : x->creds.names;
	x->credentials = calloc(m->job.n + 1, sizeof(*x->credentials));
	for (size_t i = 0; x->credentials && i < m->job.n; i++)
		x->credentials[i] = find_job_credentials(x, m, &m->job.v[i]);
	return x->credentials ? 0 : -1;
}

int fsi_maui_limits_load_active(struct fsi_maui_limits **out, const fs_snapshot *m, fs_windows *windows,
				const struct fsi_maui_state *state, struct fs_error *err)
{
	double system_limit[MEASURE_COUNT];
	const bool any_system_limit = read_system_limits(m, system_limit);
	struct fsi_maui_limits *x;

	if (!any_system_limit && !has_any_limit(m))
		return 0;
	x = calloc(1, sizeof(*x));
	if (!x || fsi_creds_init(&x->creds, m)) {
		free(x);
		return fsi_fail_no_memory(err);
	}
	*out = x;
	x->m = m;
	x->windows = windows;
	x->state = state;
	x->totals = fsi_maui_count_totals(m);
	memcpy(x->system_limit, system_limit, sizeof(system_limit));
	if (index_job_credentials(m, x) || allocate_use_tables(&x->active, x))
		return fsi_fail_no_memory(err);
	for (int k = 0; k < FS_CRED_KINDS; k++)
		x->default_row[k] = fsi_maui_find_default(&x->creds, m, (enum fs_cred_kind)k);
	for (size_t i = 0; i < m->job.n; i++)
		if (counts_as_running(m, i))
			add_use_of_job(x, &x->active, &m->job.v[i], 1);
	return 0;
}

void fsi_maui_limits_free(struct fsi_maui_limits *x)
{
	if (!x)
		return;
	release_use_tables(&x->active);
	release_use_tables(&x->remaining);
	free(x->idle_exceeded);
	free(x->rejected);
	free(x->within_soft);
	free(x->credentials);
	fsi_intern_release(&x->pairs);
	fsi_creds_release(&x->creds);
	free(x);
}

static const struct fsi_credential *get_credential(const struct fsi_maui_limits *x, uint32_t row)
{
	return row == FSI_NO_INDEX ? NULL : &x->m->credential.v[row];
}

static enum fs_cred_kind get_holder_kind(int holder)
{
	return holder == USER_IN_CLASS ? FS_CRED_CLASS : (enum fs_cred_kind)holder;
}

/* Returns the limit that applies to the job's holder of the kind `holder`: a credential of the job, or the job's user
 * in the job's class. If no limit applies, `hard` of the result is 0. A limit of DEFAULT on eligible jobs applies to
 * every user. It applies to a group, account, class or QOS only if that credential itself sets some limit on eligible
 * jobs (src/MUser.c:MUserCreate allocates the counters, src/MGroup.c and similar files do not). */
static struct limit_value get_limit_in_force(const struct fsi_maui_limits *x, const struct job_credentials *held,
					     int holder, enum limit_mode mode, enum limit_measure m)
{
	const struct fsi_credential *qos = get_credential(x, held->row[FS_CRED_QOS]);
	const struct fsi_credential *own = get_credential(x, held->row[get_holder_kind(holder)]);
	const struct fsi_credential *fallback = get_credential(x, x->default_row[get_holder_kind(holder)]);
	struct limit_value l = { 0 };

	if (mode == IDLE_LIMITS && get_holder_kind(holder) != FS_CRED_USER &&
	    !(own && sets_limits(own, LIMIT_OWN, IDLE_LIMITS)))
		return l;
	if (holder == USER_IN_CLASS &&
	    (mode == IDLE_LIMITS || !own || !sets_limits(own, LIMIT_EACH_USER, ACTIVE_LIMITS)))
		return l;
	if (qos)
		l = get_limit(qos, LIMIT_OVERRIDE, mode, m);
	if (!l.hard && own)
		l = get_limit(own, holder == USER_IN_CLASS ? LIMIT_EACH_USER : LIMIT_OWN, mode, m);
	if (!l.hard && fallback)
		l = get_limit(fallback, LIMIT_OWN, mode, m);
	return l.hard ? l : (struct limit_value){ 0 };
}

/* Sets the members of *out that name the limit and the credential, in the words of checkjob. */
static void describe_limit(struct fs_explain_limit *out, const fs_snapshot *m, const struct fsi_job *j, int holder,
			   enum limit_mode mode, enum limit_measure what, bool soft)
{
	static const char *const active_names[MEASURE_COUNT][2] = {
		[MEASURE_JOBS] = { "active HARD MAXJOB", "active SOFT MAXJOB" },
		[MEASURE_PROCS] = { "active HARD MAXPROC", "active SOFT MAXPROC" },
		[MEASURE_NODES] = { "active HARD MAXNODE", "active SOFT MAXNODE" },
		[MEASURE_PROC_SECONDS] = { "active HARD MAXPS", "active SOFT MAXPS" },
		[MEASURE_EQUIVALENTS] = { "active HARD MAXPE", "active SOFT MAXPE" },
		[MEASURE_SECONDS] = { "active HARD MAXWC", "active SOFT MAXWC" },
	};
	static const char *const idle_names[MEASURE_COUNT] = {
		[MEASURE_JOBS] = "idle HARD MAXJOB",       [MEASURE_PROCS] = "idle HARD MAXPROC",
		[MEASURE_NODES] = "idle HARD MAXNODE",     [MEASURE_PROC_SECONDS] = "idle HARD MAXPS",
		[MEASURE_EQUIVALENTS] = "idle HARD MAXPE", [MEASURE_SECONDS] = "idle HARD MAXWC",
	};
	const enum fs_cred_kind kind = get_holder_kind(holder);

	out->name = mode == IDLE_LIMITS ? idle_names[what] : active_names[what][soft];
	out->tres = "";
	out->scope = FS_LIMIT_ASSOC;
	out->set_by = fsi_name_text(m, get_credential_name(m, j, kind));
	out->counted_for = fs_cred_kind_name(kind);
	out->user = holder == USER_IN_CLASS ? fsi_name_text(m, j->user) : "";
	out->partition = out->qos = "";
	out->factor = 1;
	out->reserved_minutes = NAN;
	out->blocks = true;
}

/* Sets *out to the first limit that the job would exceed if the present use is *use. Returns false if the job would
 * exceed no limit. If the amount that the job would use is unknown, the job does not exceed the limit. */
static bool find_exceeded_limit(const struct fsi_maui_limits *x, const struct fsi_job *j, enum limit_mode mode,
				bool soft, const struct limit_use *use, struct fs_explain_limit *out)
{
	const struct job_credentials *held = &x->credentials[j - x->m->job.v];
	double need[MEASURE_COUNT];

	measure_job_needs(x, j, need);
	for (int h = 0; h < HOLDER_COUNT; h++) {
		const int holder = holder_order[h];
		const uint32_t index = held->index[holder];

		for (int n = 0; n < MEASURE_COUNT && index; n++) {
			const struct limit_value l = get_limit_in_force(x, held, holder, mode, (enum limit_measure)n);
			const double max = soft ? l.soft : l.hard;
			const double used = use->of[holder][(size_t)index * MEASURE_COUNT + (size_t)n];

			if (max <= 0 || !(used + need[n] > max))
				continue;
			*out = (struct fs_explain_limit){ .value = max, .used = used, .wants = need[n] };
			describe_limit(out, x->m, j, holder, mode, (enum limit_measure)n, soft);
			out->never = mode == ACTIVE_LIMITS && !soft && need[n] > max;
			return true;
		}
	}
	return false;
}

/* Sets *out to the first limit on single jobs that the job exceeds. Returns false if the job exceeds no such
 * limit. */
static bool find_exceeded_system_limit(const struct fsi_maui_limits *x, const struct fsi_job *j,
				       struct fs_explain_limit *out)
{
	static const char *const names[MEASURE_COUNT] = {
		[MEASURE_PROCS] = "system HARD MAXPROC",
		[MEASURE_PROC_SECONDS] = "system HARD MAXPS",
		[MEASURE_SECONDS] = "system HARD MAXWC",
	};
	double need[MEASURE_COUNT];

	measure_job_needs(x, j, need);
	for (int n = 0; n < MEASURE_COUNT; n++) {
		const double max = x->system_limit[n];

		if (max <= 0 || !(need[n] > max))
			continue;
		*out = (struct fs_explain_limit){ .name = names[n], .tres = "", .scope = FS_LIMIT_ASSOC, .set_by = "ALL", .counted_for = "par",
						  .user = "", .partition = "", .qos = "", .factor = 1, .reserved_minutes = NAN,
						  .blocks = true, .value = max, .wants = need[n], .never = true };
		return true;
	}
	return false;
}

/* ---- limits on eligible jobs */

/* A running or pending job. Jobs are counted in the order of `priority`, then of `table`. */
struct queue_entry {
	double priority; /* start priority; NAN: unknown; jobs with unknown priority are sorted first */
	uint32_t table;	 /* position in Maui's job table; UINT32_MAX: unknown */
	uint32_t job;	 /* job row */
};

static int compare_by_priority(const void *x, const void *y, const void *ctx)
{
	const struct queue_entry *a = x, *b = y;

	(void)ctx;
	if (isnan(a->priority) || isnan(b->priority))
		return (isnan(b->priority) != 0) - (isnan(a->priority) != 0);
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return (a->table > b->table) - (a->table < b->table);
}

/* Lists the running jobs, and the pending jobs that are not blocked before limits are tested. Returns their number. */
static size_t list_jobs_to_count(const struct fsi_maui_limits *x, const double *priority, const bool *stopped,
				 struct queue_entry *entries)
{
	size_t n = 0;

	for (uint32_t i = 0; i < x->m->job.n; i++) {
		const struct fsi_job *j = &x->m->job.v[i];
		const bool runs = counts_as_running(x->m, i);

		if (!runs && (j->state != FSI_STATE_PENDING || stopped[i]))
			continue;
		entries[n++] =
			(struct queue_entry){ .priority = priority[i],
					      .table = FSI_HAS(j, JOB, position) ? fsi_job_ext(x->m, j)->position
										 : UINT32_MAX,
					      .job = i };
	}
	return n;
}

/* Returns true if the job was idle when the last iteration tested limits. */
static bool was_idle_then(const struct fsi_maui_limits *x, uint32_t job)
{
	return !counts_as_running(x->m, job) || fsi_maui_is_just_started(x->m, job);
}

/* Returns true if the job has a reservation or has just started. No limit applies to a job with a reservation; a job
 * that has just started has passed all limits. */
static bool is_exempt_from_limits(const struct fsi_maui_limits *x, uint32_t job)
{
	return fsi_maui_has_reservation(x->m, x->state, job) || fsi_maui_is_just_started(x->m, job);
}

/* Goes through the jobs, highest priority first. Adds the running jobs to *running. Adds each idle job that is within
 * hard limits to *idle, and marks the other idle jobs as rejected. */
static void count_within_hard(const struct fsi_maui_limits *x, const struct queue_entry *entries, size_t n,
			      struct limit_use *running, struct limit_use *idle)
{
	struct fs_explain_limit limit;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &x->m->job.v[entries[i].job];

		if (!was_idle_then(x, entries[i].job))
			add_use_of_job(x, running, j, 1);
		else if (!is_exempt_from_limits(x, entries[i].job) &&
			 (find_exceeded_limit(x, j, ACTIVE_LIMITS, false, running, &limit) ||
			  find_exceeded_limit(x, j, IDLE_LIMITS, false, idle, &x->idle_exceeded[entries[i].job]) ||
			  find_exceeded_system_limit(x, j, &limit)))
			x->rejected[entries[i].job] = true;
		else
			add_use_of_job(x, idle, j, 1);
	}
}

/* Marks the idle jobs that are within soft limits, and adds them to *idle. Jobs over soft limits add nothing to *idle.
 * A job may thus be within soft limits although count_within_hard rejected it: fewer jobs ahead of it are counted
 * (src/MSched.c:MSchedProcessJobs). `running`: use of all running jobs, from count_within_hard. */
static void count_within_soft(const struct fsi_maui_limits *x, const struct queue_entry *entries, size_t n,
			      const struct limit_use *running, struct limit_use *idle)
{
	struct fs_explain_limit limit;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &x->m->job.v[entries[i].job];

		if (!was_idle_then(x, entries[i].job) ||
		    (!is_exempt_from_limits(x, entries[i].job) &&
		     (find_exceeded_limit(x, j, ACTIVE_LIMITS, true, running, &limit) ||
		      find_exceeded_limit(x, j, IDLE_LIMITS, true, idle, &limit) ||
		      find_exceeded_system_limit(x, j, &limit))))
			continue;
		x->within_soft[entries[i].job] = true;
		add_use_of_job(x, idle, j, 1);
	}
}

/* Returns the number of times that the pending job counts in the use that Maui's commands report: 1, 0 or -1. Maui adds
 * the job once if it is within soft limits. Then Maui subtracts the job once for each of two queues that it was in: the
 * queue of jobs within hard limits, and the queue of jobs within soft limits. */
static int get_remaining_count(const struct fsi_maui_limits *x, uint32_t job)
{
	const struct fsi_job *j = &x->m->job.v[job];
	const struct limit_use *active = &x->active;
	const bool reserved = fsi_maui_has_reservation(x->m, x->state, job);
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (x->rejected[job] || (!reserved && find_exceeded_limit(x, j, ACTIVE_LIMITS, false, active, &limit)))
		return 0;
	if (!x->windows || !fs_windows_capped(x->windows, job, &cap))
		return -1;
	return reserved || !find_exceeded_limit(x, j, ACTIVE_LIMITS, true, active, &limit);
}

/* Fills x->remaining with the use that Maui's commands report. */
static void subtract_queue_use(struct fsi_maui_limits *x, const struct queue_entry *entries, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!counts_as_running(x->m, entries[i].job))
			add_use_of_job(x, &x->remaining, &x->m->job.v[entries[i].job],
				       get_remaining_count(x, entries[i].job));
}

int fsi_maui_limits_count_eligible(struct fsi_maui_limits *x, const double *priority, const bool *stopped,
				   struct fs_error *err)
{
	const size_t jobs = x ? x->m->job.n + 1 : 0;
	struct limit_use running = { 0 }, idle = { 0 }, soft = { 0 };
	struct queue_entry *entries;
	size_t n;
	int rc = 0;

	if (!x)
		return 0;
	entries = calloc(jobs, sizeof(*entries));
	x->idle_exceeded = calloc(jobs, sizeof(*x->idle_exceeded));
	x->rejected = calloc(jobs, sizeof(*x->rejected));
	x->within_soft = calloc(jobs, sizeof(*x->within_soft));
	if (!entries || !x->idle_exceeded || !x->rejected || !x->within_soft || allocate_use_tables(&running, x) ||
	    allocate_use_tables(&idle, x) || allocate_use_tables(&soft, x) || allocate_use_tables(&x->remaining, x))
		rc = fsi_fail_no_memory(err);
	n = rc ? 0 : list_jobs_to_count(x, priority, stopped, entries);
	if (!rc && fs_sort(entries, n, sizeof(*entries), compare_by_priority, NULL))
		rc = fsi_fail_no_memory(err);
	if (!rc) {
		count_within_hard(x, entries, n, &running, &idle);
		count_within_soft(x, entries, n, &running, &soft);
		subtract_queue_use(x, entries, n);
	}
	release_use_tables(&running);
	release_use_tables(&idle);
	release_use_tables(&soft);
	free(entries);
	return rc;
}

/* ---- limits of one job */

bool fsi_maui_limits_find_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too, bool idle_too,
		      struct fs_explain_limit *out)
{
	const struct fsi_job *j;

	if (!x || fsi_maui_has_reservation(x->m, x->state, job_row))
		return false;
	j = &x->m->job.v[job_row];
	if (find_exceeded_limit(x, j, ACTIVE_LIMITS, false, &x->active, out) ||
	    (soft_too && find_exceeded_limit(x, j, ACTIVE_LIMITS, true, &x->active, out)))
		return true;
	if (!idle_too || !x->idle_exceeded || !x->idle_exceeded[job_row].name)
		return find_exceeded_system_limit(x, j, out);
	*out = x->idle_exceeded[job_row];
	return true;
}

bool fsi_maui_limits_find_shown(const struct fsi_maui_limits *x, uint32_t job_row, struct fs_explain_limit *out)
{
	const struct fsi_job *j;

	if (!x || !x->rejected || job_row >= x->m->job.n || fsi_maui_has_reservation(x->m, x->state, job_row))
		return false;
	j = &x->m->job.v[job_row];
	return find_exceeded_limit(x, j, ACTIVE_LIMITS, false, &x->active, out) ||
	       find_exceeded_limit(x, j, IDLE_LIMITS, false, &x->remaining, out) ||
	       find_exceeded_system_limit(x, j, out);
}

bool fsi_maui_limits_is_rejected(const struct fsi_maui_limits *x, uint32_t job_row)
{
	return x && x->rejected && x->rejected[job_row];
}

bool fsi_maui_limits_is_within_soft(const struct fsi_maui_limits *x, uint32_t job_row)
{
	return !x || !x->within_soft || x->within_soft[job_row];
}

bool fsi_maui_limits_is_only_idle_rejected(const struct fsi_maui_limits *x, uint32_t job_row)
{
	struct fs_explain_limit active;

	return fsi_maui_limits_is_rejected(x, job_row) && fsi_maui_limits_is_within_soft(x, job_row) &&
	       !fsi_maui_limits_find_exceeded(x, job_row, false, false, &active);
}

bool fsi_maui_limits_is_active_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too)
{
	const struct fsi_job *j = x ? &x->m->job.v[job_row] : NULL;
	struct fs_explain_limit limit;

	return x && (find_exceeded_limit(x, j, ACTIVE_LIMITS, false, &x->active, &limit) ||
		     (soft_too && find_exceeded_limit(x, j, ACTIVE_LIMITS, true, &x->active, &limit)));
}

void fsi_maui_limits_add_started_job(struct fsi_maui_limits *x, uint32_t job_row)
{
	if (x)
		add_use_of_job(x, &x->active, &x->m->job.v[job_row], 1);
}
