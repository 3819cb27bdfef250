#include "limits/maui_limits.h"

#include "base/error.h"
#include "base/memory.h"
#include "fs/job.h"
#include "model/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum fsi_maui_measure {
	FSI_MAUI_JOBS,
	FSI_MAUI_PROCS,
	FSI_MAUI_NODES,
	FSI_MAUI_PROC_SECONDS,
	FSI_MAUI_EQUIVALENTS,
	FSI_MAUI_SECONDS,
	FSI_MAUI_MEASURES
};

/* Limits on jobs that run, and on eligible jobs. */
enum fsi_maui_mode { FSI_MAUI_ACTIVE, FSI_MAUI_IDLE };

struct fsi_maui_limit {
	int32_t hard, soft; /* 0: none */
};

/* Who has limits: credentials by kind, and each user in a class. */
enum { FSI_MAUI_USER_OF_CLASS = FS_CRED_KINDS, FSI_MAUI_HOLDERS };

/* Use by measure, and by the name id, or that of a user and class. */
struct fsi_maui_use {
	double *of[FSI_MAUI_HOLDERS];
};

struct fsi_maui_pair {
	uint32_t user, class;
};

/* What holds a job: its places in tables of use, 0 for none, and its credentials' rows, FSI_NO_INDEX for none. */
struct fsi_maui_held {
	uint32_t place[FSI_MAUI_HOLDERS];
	uint32_t row[FS_CRED_KINDS];
};

struct fsi_maui_limits {
	const fs_snapshot *m;
	fs_windows *windows;		    /* NULL: no fair-share caps */
	const struct fsi_maui_state *state; /* NULL: as in the snapshot */
	struct fsi_creds creds;
	struct fsi_maui_totals totals;
	struct fsi_intern pair;	 /* user and class of jobs */
	uint32_t count[FSI_MAUI_HOLDERS]; /* how many ids there are */
	struct fsi_maui_held *held;	  /* by job row */
	struct fsi_maui_use active;
	uint32_t fallback[FS_CRED_KINDS]; /* fsi_maui_lender */
	struct fs_explain_limit *idle; /* by job: the limit on eligible jobs that it would pass; without a name: none */
	bool *rejected;		       /* by job: was it over a hard limit when jobs were looked through? */
	bool *within_soft;	       /* by job: was it within soft ones, where eligible jobs are counted anew? */
	struct fsi_maui_use left;      /* use of eligible jobs, as clients find it */
	double of_system[FSI_MAUI_MEASURES]; /* limits of any job at all; 0: none */
};

/* What jobs of Maui use of their credentials' limits (src/MPolicy.c:MPolicyAdjustUsage): running ones count with the
 * time they have left, pending ones with all of their time limit. */

/* Returns the name of the job's credential of that kind; 0: none. */
static uint32_t maui_cred_name(const fs_snapshot *m, const struct fsi_job *j, enum fs_cred_kind kind)
{
	switch (kind) {
	case FS_CRED_USER:
		return j->user;
	case FS_CRED_GROUP:
		return j->group;
	case FS_CRED_ACCT:
		return j->account;
	case FS_CRED_CLASS:
		return fsi_list_first(m, j->partitions);
	default:
		return fsi_job_qos_or_default(m, j);
	}
}

/* Returns the job's user and class; 0: none. */
static struct fsi_maui_pair maui_pair_of(const fs_snapshot *m, const struct fsi_job *j)
{
	return (struct fsi_maui_pair){ maui_cred_name(m, j, FS_CRED_USER),
				       maui_cred_name(m, j, FS_CRED_CLASS) };
}

/* Once the credentials and pairs are counted. */
static struct fsi_maui_held maui_held_of(const struct fsi_maui_limits *x, const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_maui_pair pair = maui_pair_of(m, j);
	struct fsi_maui_held held;

	fsi_job_creds(m, &x->creds, j, held.row);
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		const uint32_t id = h == FSI_MAUI_USER_OF_CLASS ? fsi_intern_find(&x->pair, &pair, sizeof(pair))
								: maui_cred_name(m, j, (enum fs_cred_kind)h);

		held.place[h] = id <= x->count[h] ? id : 0;
	}
	return held;
}

static void fsi_maui_measure(const struct fsi_maui_limits *x, const struct fsi_job *j, double out[FSI_MAUI_MEASURES])
{
	const fs_snapshot *m = x->m;
	double seconds = (double)j->time_limit_s;

	if (fs_job_runs(m, (size_t)(j - m->job.v)) && FSI_HAS(j, JOB, start_time) && m->info.time > j->start_time)
		seconds -= (double)(m->info.time - j->start_time);
	seconds = fmax(seconds, 0);
	out[FSI_MAUI_JOBS] = 1;
	out[FSI_MAUI_PROCS] = j->cpus;
	out[FSI_MAUI_NODES] = j->nodes;
	out[FSI_MAUI_PROC_SECONDS] = j->cpus * seconds;
	out[FSI_MAUI_EQUIVALENTS] = trunc(fsi_maui_processor_equivalents(m, &x->totals, j));
	out[FSI_MAUI_SECONDS] = seconds;
}

static void maui_use_add(const struct fsi_maui_limits *x, struct fsi_maui_use *use, const struct fsi_job *j, int times)
{
	const struct fsi_maui_held *held = &x->held[j - x->m->job.v];
	double need[FSI_MAUI_MEASURES];

	fsi_maui_measure(x, j, need);
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		const uint32_t place = held->place[h];

		for (int n = 0; n < FSI_MAUI_MEASURES && place; n++)
			use->of[h][(size_t)place * FSI_MAUI_MEASURES + (size_t)n] += times * need[n];
	}
}

/* Does it count as running? */
static bool maui_active(const fs_snapshot *m, size_t job)
{
	return fs_job_runs(m, job) && m->job.v[job].state != FSI_STATE_SUSPENDED;
}

bool fsi_maui_is_just_started(const fs_snapshot *m, size_t job)
{
	const struct fsi_job *j = &m->job.v[job];

	return maui_active(m, job) && FSI_HAS(j, JOB, start_time) && j->start_time == m->info.time;
}

/* -1 without memory. */
static void maui_use_release(struct fsi_maui_use *use)
{
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++)
		free(use->of[h]);
	*use = (struct fsi_maui_use){ 0 };
}

/* -1 without memory. */
static int maui_use_make(struct fsi_maui_use *use, const struct fsi_maui_limits *x)
{
	*use = (struct fsi_maui_use){ 0 };
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		use->of[h] = calloc(((size_t)x->count[h] + 1) * FSI_MAUI_MEASURES, sizeof(**use->of));
		if (!use->of[h]) {
			maui_use_release(use);
			return -1;
		}
	}
	return 0;
}

/* Where a credential has a limit, hard and soft, of a measure; without one: nowhere. */
struct place {
	size_t hard, soft;
	bool there;
};

#define AT(measure, member) \
	[measure] = { offsetof(struct fsi_credential, member), offsetof(struct fsi_credential, member##_soft), true }
#define ALL_AT(stem) \
	AT(FSI_MAUI_JOBS, stem##_job), AT(FSI_MAUI_PROCS, stem##_proc), AT(FSI_MAUI_NODES, stem##_node), \
		AT(FSI_MAUI_PROC_SECONDS, stem##_ps)

static struct fsi_maui_limit at(const struct fsi_credential *c, const struct place *p)
{
	const char *record = (const char *)c;

	if (!p->there)
		return (struct fsi_maui_limit){ 0 };
	return (struct fsi_maui_limit){ *(const int32_t *)(const void *)(record + p->hard),
					*(const int32_t *)(const void *)(record + p->soft) };
}

static struct fsi_maui_limit maui_limit_of(const struct fsi_credential *c, enum fsi_maui_mode mode,
					   enum fsi_maui_measure m)
{
	static const struct place places[][FSI_MAUI_MEASURES] = {
		[FSI_MAUI_ACTIVE] = { ALL_AT(max), AT(FSI_MAUI_EQUIVALENTS, max_pe), AT(FSI_MAUI_SECONDS, max_wc) },
		[FSI_MAUI_IDLE] = { ALL_AT(max_idle), AT(FSI_MAUI_EQUIVALENTS, max_idle_pe),
				    AT(FSI_MAUI_SECONDS, max_idle_wc) },
	};

	return at(c, &places[mode][m]);
}

/* Returns the limit for each user in a class. */
static struct fsi_maui_limit maui_limit_each_user(const struct fsi_credential *class, enum fsi_maui_measure m)
{
	static const struct place places[FSI_MAUI_MEASURES] = {
		AT(FSI_MAUI_JOBS, user_job),
		AT(FSI_MAUI_PROCS, user_proc),
		AT(FSI_MAUI_NODES, user_node),
	};

	return at(class, &places[m]);
}

/* Has a credential limits of its own on eligible jobs, and with them a place to count such jobs in? */
static bool maui_limits_idle_jobs(const struct fsi_credential *c)
{
	return FSI_HAS(c, CREDENTIAL, max_idle_job) || FSI_HAS(c, CREDENTIAL, max_idle_proc) ||
	       FSI_HAS(c, CREDENTIAL, max_idle_node) || FSI_HAS(c, CREDENTIAL, max_idle_ps) ||
	       FSI_HAS(c, CREDENTIAL, max_idle_pe) || FSI_HAS(c, CREDENTIAL, max_idle_wc);
}

/* Returns true if the class limits its users. */
static bool maui_limits_users(const struct fsi_credential *class)
{
	return FSI_HAS(class, CREDENTIAL, user_job) || FSI_HAS(class, CREDENTIAL, user_proc) ||
	       FSI_HAS(class, CREDENTIAL, user_node);
}

/* The limit that a QOS puts in the place of those of all credentials. */
static struct fsi_maui_limit maui_limit_override(const struct fsi_credential *c, enum fsi_maui_mode mode,
						 enum fsi_maui_measure m)
{
	static const struct place places[][FSI_MAUI_MEASURES] = {
		[FSI_MAUI_ACTIVE] = { ALL_AT(override), AT(FSI_MAUI_EQUIVALENTS, override_pe),
				      AT(FSI_MAUI_SECONDS, override_wc) },
		[FSI_MAUI_IDLE] = { ALL_AT(override_idle) },
	};

	return at(c, &places[mode][m]);
}

/* Has any credential a limit? */
static bool maui_any_limit(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->credential.n; i++)
		for (int mode = FSI_MAUI_ACTIVE; mode <= FSI_MAUI_IDLE; mode++)
			for (int k = 0; k < FSI_MAUI_MEASURES; k++)
				if (maui_limit_each_user(&m->credential.v[i], (enum fsi_maui_measure)k).hard ||
				    maui_limit_of(&m->credential.v[i], (enum fsi_maui_mode)mode,
						  (enum fsi_maui_measure)k)
					    .hard ||
				    maui_limit_override(&m->credential.v[i], (enum fsi_maui_mode)mode,
							(enum fsi_maui_measure)k)
					    .hard)
					return true;
	return false;
}

/* Limits of each job, whosever it is: SYSTEMMAXPROCPERJOB, SYSTEMMAXPROCSECONDPERJOB, SYSTEMMAXJOBWALLTIME
 * (src/MPar.c:MParProcessOConfig); 0 for none. Is there one? */
static bool maui_limits_of_system(const fs_snapshot *m, double out[FSI_MAUI_MEASURES])
{
	static const char *const names[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_PROCS] = "SYSTEMMAXPROCPERJOB",
		[FSI_MAUI_PROC_SECONDS] = "SYSTEMMAXPROCSECONDPERJOB",
		[FSI_MAUI_SECONDS] = "SYSTEMMAXJOBWALLTIME",
	};
	bool any = false;

	for (int k = 0; k < FSI_MAUI_MEASURES; k++) {
		const double told = names[k] ? fs_snapshot_config_number(m, names[k]) : 0;

		out[k] = told > 0 ? told : 0;
		any = any || out[k] > 0;
	}
	return any;
}

/* Limits of Maui on jobs that run or are eligible (TempleHPC maui-scheduler 3.5, src/MJob.c:MJobCheckLimits,
 * src/MPolicy.c:MPolicyCheckLimit, MPolicyAdjustUsage): user, group, account, class, then QOS, of each the jobs,
 * processors, nodes, processor seconds, processor equivalents and seconds. A limit of the job's QOS for all credentials
 * goes before the credential's own, and that before DEFAULT's of its kind; the use is always the credential's own.
 * Running jobs count with the time they have left, a pending one with all of its time limit. A job with a reservation
 * is not asked (src/MPolicy.c:MQueueSelectAllJobs). Last come those of each user in a class, in the place of the
 * class's own and with what the user uses in it.
 *
 * Limits on eligible jobs are counted on the way through all jobs in the order of their priority, and only where the
 * credential has such a limit itself, as no other has a place to count in (src/MCred.c:MCredProcessConfig). On that way
 * the limits on running jobs see those alone that the way has passed. Commands find another use of them: each
 * scheduling of the jobs takes those that wait on away twice, by the queue within soft limits and that within hard ones
 * (src/MSched.c:MSchedProcessJobs, src/MQueue.c:MOQueueDestroy), so that it stands below 0. */

static const int holders[FSI_MAUI_HOLDERS] = { FS_CRED_USER,  FS_CRED_GROUP, FS_CRED_ACCT,
				      FS_CRED_CLASS, FS_CRED_QOS,   FSI_MAUI_USER_OF_CLASS };

static int index_jobs(const fs_snapshot *m, struct fsi_maui_limits *x)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_maui_pair pair = maui_pair_of(m, &m->job.v[i]);

		if (fsi_intern(&x->pair, &pair, sizeof(pair)) == FSI_INTERN_FAILED)
			return -1;
	}
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++)
		x->count[h] = h == FSI_MAUI_USER_OF_CLASS ? x->pair.count : x->creds.names;
	x->held = calloc(m->job.n + 1, sizeof(*x->held));
	for (size_t i = 0; x->held && i < m->job.n; i++)
		x->held[i] = maui_held_of(x, m, &m->job.v[i]);
	return x->held ? 0 : -1;
}

int fsi_maui_limits_load_active(struct fsi_maui_limits **out, const fs_snapshot *m, fs_windows *windows,
				const struct fsi_maui_state *state, struct fs_error *err)
{
	double of_system[FSI_MAUI_MEASURES];
	const bool system = maui_limits_of_system(m, of_system);
	struct fsi_maui_limits *x;

	if (!system && !maui_any_limit(m))
		return 0;
	x = calloc(1, sizeof(*x));
	if (!x || fsi_creds_init(&x->creds, m)) {
		free(x);
		return fsi_nomem(err);
	}
	*out = x;
	x->m = m;
	x->windows = windows;
	x->state = state;
	x->totals = fsi_maui_count_totals(m);
	memcpy(x->of_system, of_system, sizeof(of_system));
	if (index_jobs(m, x) || maui_use_make(&x->active, x))
		return fsi_nomem(err);
	for (int k = 0; k < FS_CRED_KINDS; k++)
		x->fallback[k] = fsi_maui_lender(&x->creds, m, (enum fs_cred_kind)k);
	for (size_t i = 0; i < m->job.n; i++)
		if (maui_active(m, i))
			maui_use_add(x, &x->active, &m->job.v[i], 1);
	return 0;
}

void fsi_maui_limits_free(struct fsi_maui_limits *x)
{
	if (!x)
		return;
	maui_use_release(&x->active);
	maui_use_release(&x->left);
	free(x->idle);
	free(x->rejected);
	free(x->within_soft);
	free(x->held);
	fsi_intern_release(&x->pair);
	fsi_creds_release(&x->creds);
	free(x);
}

static const struct fsi_credential *credential(const struct fsi_maui_limits *x, uint32_t row)
{
	return row == FSI_NO_INDEX ? NULL : &x->m->credential.v[row];
}

static enum fs_cred_kind kind_of(int holder)
{
	return holder == FSI_MAUI_USER_OF_CLASS ? FS_CRED_CLASS : (enum fs_cred_kind)holder;
}

/* The limit that holds for a job there; {0} if there is none. Of limits on idle jobs those of DEFAULT hold for every
 * user, and for another only who has one of his own (src/MUser.c:MUserCreate makes room for them, src/MGroup.c and its
 * like do not). */
static struct fsi_maui_limit in_force(const struct fsi_maui_limits *x, const struct fsi_maui_held *held, int holder,
				      enum fsi_maui_mode mode, enum fsi_maui_measure m)
{
	const struct fsi_credential *qos = credential(x, held->row[FS_CRED_QOS]);
	const struct fsi_credential *own = credential(x, held->row[kind_of(holder)]);
	const struct fsi_credential *fallback = credential(x, x->fallback[kind_of(holder)]);
	struct fsi_maui_limit l = { 0 };

	if (mode == FSI_MAUI_IDLE && kind_of(holder) != FS_CRED_USER && !(own && maui_limits_idle_jobs(own)))
		return l;
	if (holder == FSI_MAUI_USER_OF_CLASS && (mode == FSI_MAUI_IDLE || !own || !maui_limits_users(own)))
		return l;
	if (qos)
		l = maui_limit_override(qos, mode, m);
	if (!l.hard && own)
		l = holder == FSI_MAUI_USER_OF_CLASS ? maui_limit_each_user(own, m)
						     : maui_limit_of(own, mode, m);
	if (!l.hard && fallback)
		l = maui_limit_of(fallback, mode, m);
	return l.hard ? l : (struct fsi_maui_limit){ 0 };
}

static void describe(struct fs_explain_limit *out, const fs_snapshot *m, const struct fsi_job *j, int holder,
		     enum fsi_maui_mode mode, enum fsi_maui_measure what, bool soft)
{
	static const char *const active_names[FSI_MAUI_MEASURES][2] = {
		[FSI_MAUI_JOBS] = { "active HARD MAXJOB", "active SOFT MAXJOB" },
		[FSI_MAUI_PROCS] = { "active HARD MAXPROC", "active SOFT MAXPROC" },
		[FSI_MAUI_NODES] = { "active HARD MAXNODE", "active SOFT MAXNODE" },
		[FSI_MAUI_PROC_SECONDS] = { "active HARD MAXPS", "active SOFT MAXPS" },
		[FSI_MAUI_EQUIVALENTS] = { "active HARD MAXPE", "active SOFT MAXPE" },
		[FSI_MAUI_SECONDS] = { "active HARD MAXWC", "active SOFT MAXWC" },
	};
	static const char *const idle_names[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = "idle HARD MAXJOB",	     [FSI_MAUI_PROCS] = "idle HARD MAXPROC",
		[FSI_MAUI_NODES] = "idle HARD MAXNODE",	     [FSI_MAUI_PROC_SECONDS] = "idle HARD MAXPS",
		[FSI_MAUI_EQUIVALENTS] = "idle HARD MAXPE", [FSI_MAUI_SECONDS] = "idle HARD MAXWC",
	};
	const enum fs_cred_kind kind = kind_of(holder);

	out->name = mode == FSI_MAUI_IDLE ? idle_names[what] : active_names[what][soft];
	out->tres = "";
	out->scope = FS_LIMIT_ASSOC;
	out->of = fsi_str(m, maui_cred_name(m, j, kind));
	out->whose = fs_cred_kind_name(kind);
	out->user = holder == FSI_MAUI_USER_OF_CLASS ? fsi_str(m, j->user) : "";
	out->partition = out->qos = "";
	out->factor = 1;
	out->promised = NAN;
	out->blocks = true;
}

/* The first limit that the job would pass with what is used. An unknown need passes none. */
static bool passes(const struct fsi_maui_limits *x, const struct fsi_job *j, enum fsi_maui_mode mode, bool soft,
		   const struct fsi_maui_use *use, struct fs_explain_limit *out)
{
	const struct fsi_maui_held *held = &x->held[j - x->m->job.v];
	double need[FSI_MAUI_MEASURES];

	fsi_maui_measure(x, j, need);
	for (int h = 0; h < FSI_MAUI_HOLDERS; h++) {
		const int holder = holders[h];
		const uint32_t place = held->place[holder];

		for (int n = 0; n < FSI_MAUI_MEASURES && place; n++) {
			const struct fsi_maui_limit l = in_force(x, held, holder, mode, (enum fsi_maui_measure)n);
			const double max = soft ? l.soft : l.hard;
			const double used = use->of[holder][(size_t)place * FSI_MAUI_MEASURES + (size_t)n];

			if (max <= 0 || !(used + need[n] > max))
				continue;
			*out = (struct fs_explain_limit){ .value = max, .used = used, .wants = need[n] };
			describe(out, x->m, j, holder, mode, (enum fsi_maui_measure)n, soft);
			out->never = mode == FSI_MAUI_ACTIVE && !soft && need[n] > max;
			return true;
		}
	}
	return false;
}

/* Does the job ask for more than any may? */
static bool passes_system(const struct fsi_maui_limits *x, const struct fsi_job *j, struct fs_explain_limit *out)
{
	static const char *const names[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_PROCS] = "system HARD MAXPROC",
		[FSI_MAUI_PROC_SECONDS] = "system HARD MAXPS",
		[FSI_MAUI_SECONDS] = "system HARD MAXWC",
	};
	double need[FSI_MAUI_MEASURES];

	fsi_maui_measure(x, j, need);
	for (int n = 0; n < FSI_MAUI_MEASURES; n++) {
		const double max = x->of_system[n];

		if (max <= 0 || !(need[n] > max))
			continue;
		*out = (struct fs_explain_limit){ .name = names[n], .tres = "", .scope = FS_LIMIT_ASSOC, .of = "ALL", .whose = "par",
						  .user = "", .partition = "", .qos = "", .factor = 1, .promised = NAN,
						  .blocks = true, .value = max, .wants = need[n], .never = true };
		return true;
	}
	return false;
}

/* ---- limits on eligible jobs */

struct step {
	double priority; /* NAN: a running job of unknown priority, which counts from the start */
	uint32_t table, job;
};

static int by_priority(const void *x, const void *y, const void *ctx)
{
	const struct step *a = x, *b = y;

	(void)ctx;
	if (isnan(a->priority) || isnan(b->priority))
		return (isnan(b->priority) != 0) - (isnan(a->priority) != 0);
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return (a->table > b->table) - (a->table < b->table);
}

static size_t make_way(const struct fsi_maui_limits *x, const double *priority, const bool *stopped, struct step *way)
{
	size_t n = 0;

	for (uint32_t i = 0; i < x->m->job.n; i++) {
		const struct fsi_job *j = &x->m->job.v[i];
		const bool runs = maui_active(x->m, i);

		if (!runs && (j->state != FSI_STATE_PENDING || stopped[i]))
			continue;
		way[n++] = (struct step){ .priority = priority[i],
					  .table = FSI_HAS(j, JOB, position) ? fsi_job_rare(x->m, j)->position
									     : UINT32_MAX,
					  .job = i };
	}
	return n;
}

/* Was it idle when limits were looked at? */
static bool is_idle(const struct fsi_maui_limits *x, uint32_t job)
{
	return !maui_active(x->m, job) || fsi_maui_is_just_started(x->m, job);
}

/* Is it held to no limit? What was just started had passed them. */
static bool is_exempt(const struct fsi_maui_limits *x, uint32_t job)
{
	return fsi_maui_has_reservation(x->m, x->state, job) || fsi_maui_is_just_started(x->m, job);
}

static void walk(const struct fsi_maui_limits *x, const struct step *way, size_t n, struct fsi_maui_use *running,
		 struct fsi_maui_use *idle)
{
	struct fs_explain_limit other;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &x->m->job.v[way[i].job];

		if (!is_idle(x, way[i].job))
			maui_use_add(x, running, j, 1);
		else if (!is_exempt(x, way[i].job) &&
			 (passes(x, j, FSI_MAUI_ACTIVE, false, running, &other) ||
			  passes(x, j, FSI_MAUI_IDLE, false, idle, &x->idle[way[i].job]) ||
			  passes_system(x, j, &other)))
			x->rejected[way[i].job] = true;
		else
			maui_use_add(x, idle, j, 1);
	}
}

/* Those within soft limits make a queue of their own, in which eligible jobs are counted anew: one that comes behind
 * others that soft limits hold back may be there alone (src/MSched.c:MSchedProcessJobs). */
static void walk_soft(const struct fsi_maui_limits *x, const struct step *way, size_t n,
		      const struct fsi_maui_use *running, struct fsi_maui_use *idle)
{
	struct fs_explain_limit other;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_job *j = &x->m->job.v[way[i].job];

		if (!is_idle(x, way[i].job) ||
		    (!is_exempt(x, way[i].job) &&
		     (passes(x, j, FSI_MAUI_ACTIVE, true, running, &other) ||
		      passes(x, j, FSI_MAUI_IDLE, true, idle, &other) || passes_system(x, j, &other))))
			continue;
		x->within_soft[way[i].job] = true;
		maui_use_add(x, idle, j, 1);
	}
}

/* A job was counted once when it was found within soft limits, and is taken away once by each of the two queues that
 * it was in. */
static int counted(const struct fsi_maui_limits *x, uint32_t job)
{
	const struct fsi_job *j = &x->m->job.v[job];
	const struct fsi_maui_use *active = &x->active;
	const bool reserved = fsi_maui_has_reservation(x->m, x->state, job);
	struct fs_explain_limit other;
	struct fs_cap_row cap;

	if (x->rejected[job] || (!reserved && passes(x, j, FSI_MAUI_ACTIVE, false, active, &other)))
		return 0;
	if (!x->windows || !fs_windows_capped(x->windows, job, &cap))
		return -1;
	return reserved || !passes(x, j, FSI_MAUI_ACTIVE, true, active, &other);
}

static void take_away(struct fsi_maui_limits *x, const struct step *way, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!maui_active(x->m, way[i].job))
			maui_use_add(x, &x->left, &x->m->job.v[way[i].job], counted(x, way[i].job));
}

int fsi_maui_limits_count_eligible(struct fsi_maui_limits *x, const double *priority, const bool *stopped,
				   struct fs_error *err)
{
	const size_t jobs = x ? x->m->job.n + 1 : 0;
	struct fsi_maui_use running = { 0 }, idle = { 0 }, soft = { 0 };
	struct step *way;
	size_t n;
	int rc = 0;

	if (!x)
		return 0;
	way = calloc(jobs, sizeof(*way));
	x->idle = calloc(jobs, sizeof(*x->idle));
	x->rejected = calloc(jobs, sizeof(*x->rejected));
	x->within_soft = calloc(jobs, sizeof(*x->within_soft));
	if (!way || !x->idle || !x->rejected || !x->within_soft || maui_use_make(&running, x) ||
	    maui_use_make(&idle, x) || maui_use_make(&soft, x) || maui_use_make(&x->left, x))
		rc = fsi_nomem(err);
	n = rc ? 0 : make_way(x, priority, stopped, way);
	if (!rc && fs_sort(way, n, sizeof(*way), by_priority, NULL))
		rc = fsi_nomem(err);
	if (!rc) {
		walk(x, way, n, &running, &idle);
		walk_soft(x, way, n, &running, &soft);
		take_away(x, way, n);
	}
	maui_use_release(&running);
	maui_use_release(&idle);
	maui_use_release(&soft);
	free(way);
	return rc;
}

/* ---- */

bool fsi_maui_limits_find_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too, bool idle_too,
		      struct fs_explain_limit *out)
{
	const struct fsi_job *j;

	if (!x || fsi_maui_has_reservation(x->m, x->state, job_row))
		return false;
	j = &x->m->job.v[job_row];
	if (passes(x, j, FSI_MAUI_ACTIVE, false, &x->active, out) ||
	    (soft_too && passes(x, j, FSI_MAUI_ACTIVE, true, &x->active, out)))
		return true;
	if (!idle_too || !x->idle || !x->idle[job_row].name)
		return passes_system(x, j, out);
	*out = x->idle[job_row];
	return true;
}

bool fsi_maui_limits_find_shown(const struct fsi_maui_limits *x, uint32_t job_row, struct fs_explain_limit *out)
{
	const struct fsi_job *j;

	if (!x || !x->rejected || job_row >= x->m->job.n || fsi_maui_has_reservation(x->m, x->state, job_row))
		return false;
	j = &x->m->job.v[job_row];
	return passes(x, j, FSI_MAUI_ACTIVE, false, &x->active, out) ||
	       passes(x, j, FSI_MAUI_IDLE, false, &x->left, out) || passes_system(x, j, out);
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

	return x && (passes(x, j, FSI_MAUI_ACTIVE, false, &x->active, &limit) ||
		     (soft_too && passes(x, j, FSI_MAUI_ACTIVE, true, &x->active, &limit)));
}

void fsi_maui_limits_add_started_job(struct fsi_maui_limits *x, uint32_t job_row)
{
	if (x)
		maui_use_add(x, &x->active, &x->m->job.v[job_row], 1);
}
