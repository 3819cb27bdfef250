/* Limits of Maui on what runs (TempleHPC maui-scheduler 3.5, src/MJob.c:MJobCheckLimits, src/MPolicy.c:MPolicyCheckLimit,
 * MPolicyAdjustUsage): user, group, account, class, then QOS, of each the jobs, processors, nodes and processor seconds.
 * A credential without a hard limit falls back on DEFAULT of its kind, whose use stays the credential's own. Running jobs
 * count with the time they have left, a pending one with all of its time limit. A job with a reservation is not asked
 * (src/MPolicy.c:MQueueSelectAllJobs). */
#include "queue/maui_limits.h"

#include "model/maui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum measure { JOBS, PROCS, NODES, PROC_SECONDS, MEASURES };

struct limit {
	int32_t hard, soft;
};

struct fsi_maui_limits {
	struct fsi_creds creds;
	uint32_t names;
	double *used[FS_CRED_KINDS]; /* by name id and measure */
	uint32_t fallback[FS_CRED_KINDS];
};

static const enum fs_cred_kind kinds[] = { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT, FS_CRED_CLASS,
					   FS_CRED_QOS };

static struct limit limit_of(const struct fsi_credential *c, enum measure m)
{
	const struct limit all[MEASURES] = {
		[JOBS] = { c->max_job, c->max_job_soft },
		[PROCS] = { c->max_proc, c->max_proc_soft },
		[NODES] = { c->max_node, c->max_node_soft },
		[PROC_SECONDS] = { c->max_ps, c->max_ps_soft },
	};

	return all[m];
}

static bool any_limit(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->credential.n; i++)
		for (int k = 0; k < MEASURES; k++)
			if (limit_of(&m->credential.v[i], (enum measure)k).hard)
				return true;
	return false;
}

/* Its credential's name, 0 none. */
static uint32_t name_of(const fs_snapshot *m, const struct fsi_job *j, enum fs_cred_kind kind)
{
	size_t n;
	const uint32_t *list;

	switch (kind) {
	case FS_CRED_USER:
		return j->user;
	case FS_CRED_GROUP:
		return j->group;
	case FS_CRED_ACCT:
		return j->account;
	case FS_CRED_CLASS:
		list = fsi_list(m, j->partitions, &n);
		return n ? list[0] : 0;
	default:
		list = fsi_list(m, j->qos, &n);
		return n ? list[0] : fsi_name_find(m, "DEFAULT");
	}
}

static void measure(const fs_snapshot *m, const struct fsi_job *j, bool runs, double out[MEASURES])
{
	double seconds = (double)j->time_limit_s;

	if (runs && FSI_HAS(j, JOB, start_time) && m->info.time > j->start_time)
		seconds -= (double)(m->info.time - j->start_time);
	out[JOBS] = 1;
	out[PROCS] = j->cpus;
	out[NODES] = j->nodes;
	out[PROC_SECONDS] = j->cpus * fmax(seconds, 0);
}

static void add_running(struct fsi_maui_limits *x, const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		double need[MEASURES];

		if (!fs_job_runs(m, i) || j->state == FSI_STATE_SUSPENDED)
			continue;
		measure(m, j, true, need);
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			const uint32_t name = name_of(m, j, kinds[k]);

			for (int n = 0; n < MEASURES && name && name <= x->names; n++)
				x->used[kinds[k]][(size_t)name * MEASURES + (size_t)n] += need[n];
		}
	}
}

int fsi_maui_limits_load(struct fsi_maui_limits **out, const fs_snapshot *m, struct fs_error *err)
{
	struct fsi_maui_limits *x;

	*out = NULL;
	if (!any_limit(m))
		return 0;
	x = calloc(1, sizeof(*x));
	if (!x || fsi_creds_init(&x->creds, m)) {
		free(x);
		return fsi_nomem(err);
	}
	*out = x;
	x->names = x->creds.names;
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		x->used[k] = calloc(((size_t)x->names + 1) * MEASURES, sizeof(**x->used));
		if (!x->used[k])
			return fsi_nomem(err);
		x->fallback[k] = fsi_creds_find(&x->creds, (enum fs_cred_kind)k,
						fsi_name_find(m, "DEFAULT"));
	}
	add_running(x, m);
	return 0;
}

void fsi_maui_limits_free(struct fsi_maui_limits *x)
{
	if (!x)
		return;
	for (int k = 0; k < FS_CRED_KINDS; k++)
		free(x->used[k]);
	fsi_creds_release(&x->creds);
	free(x);
}

/* What holds for the credential: its own, else that of DEFAULT; {0} none. */
static struct limit in_force(const struct fs_queue *q, enum fs_cred_kind kind, uint32_t name,
			     enum measure m)
{
	const struct fsi_maui_limits *x = q->maui_limits;
	const uint32_t own = fsi_creds_find(&x->creds, kind, name);
	struct limit l = { 0 };

	if (own != FSI_NO_INDEX)
		l = limit_of(&q->m->credential.v[own], m);
	if (!l.hard && x->fallback[kind] != FSI_NO_INDEX)
		l = limit_of(&q->m->credential.v[x->fallback[kind]], m);
	return l.hard ? l : (struct limit){ 0 };
}

static void describe(struct fs_explain_limit *out, const fs_snapshot *m, enum fs_cred_kind kind,
		     uint32_t name, enum measure what, bool soft)
{
	static const char *const names[MEASURES][2] = {
		[JOBS] = { "active HARD MAXJOB", "active SOFT MAXJOB" },
		[PROCS] = { "active HARD MAXPROC", "active SOFT MAXPROC" },
		[NODES] = { "active HARD MAXNODE", "active SOFT MAXNODE" },
		[PROC_SECONDS] = { "active HARD MAXPS", "active SOFT MAXPS" },
	};

	out->name = names[what][soft];
	out->tres = "";
	out->scope = FS_LIMIT_ASSOC;
	out->of = fsi_str(m, name);
	out->whose = fs_cred_kind_name(kind);
	out->partition = out->qos = "";
	out->factor = 1;
	out->promised = NAN;
	out->blocks = true;
}

static bool limited(const struct fs_queue *q, const struct fsi_job *j, bool soft,
		    struct fs_explain_limit *out)
{
	double need[MEASURES];

	measure(q->m, j, false, need);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		const uint32_t name = name_of(q->m, j, kinds[k]);

		for (int n = 0; n < MEASURES && name && name <= q->maui_limits->names; n++) {
			const struct limit l = in_force(q, kinds[k], name, (enum measure)n);
			const double most = soft ? l.soft : l.hard;
			const double used =
				q->maui_limits->used[kinds[k]][(size_t)name * MEASURES + (size_t)n];

			if (most <= 0 || used + need[n] <= most)
				continue;
			*out = (struct fs_explain_limit){ .value = most, .used = used, .wants = need[n] };
			describe(out, q->m, kinds[k], name, (enum measure)n, soft);
			out->never = !soft && need[n] > most;
			return true;
		}
	}
	return false;
}

bool fsi_maui_limited(const struct fs_queue *q, uint32_t job_row, bool soft_too,
		      struct fs_explain_limit *out)
{
	const struct fsi_job *j = &q->m->job.v[job_row];

	if (!q->maui_limits || fs_job_flag(q->m, job_row, "RESERVED"))
		return false;
	return limited(q, j, false, out) || (soft_too && limited(q, j, true, out));
}
