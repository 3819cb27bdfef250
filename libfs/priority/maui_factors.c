/* The factors of a job of Maui's: see maui.c. */
#include "priority/maui.h"

#include <math.h>
#include <string.h>

double fsi_maui_limit_s(const struct fsi_job *job)
{
	return FSI_HAS(job, JOB, time_limit_s) ? (double)job->time_limit_s : NAN;
}

/* Since when its time in the queue counts. */
double fsi_maui_queued_since(const struct fsi_maui_view *v)
{
	if (v->conf->system_queue_time && FSI_HAS(v->job, JOB, eligible_time))
		return (double)v->job->eligible_time + v->unseen_s;
	return FSI_HAS(v->job, JOB, submit_time) ? (double)v->job->submit_time + v->unseen_s : NAN;
}

/* What the expansion factor is divided by. */
double fsi_maui_expansion_base(const struct fsi_maui_conf *c, double limit)
{
	const double min = (double)c->xf_min_wclimit_s;

	return limit < min ? min : limit;
}

static const struct fsi_credential *credential(const struct fsi_maui_view *v, uint32_t i)
{
	return i == FSI_NO_INDEX ? NULL : &v->m->credential.v[i];
}

static double cred_factor(const struct fsi_maui_view *v, enum fs_cred_kind kind)
{
	const struct fsi_credential *c =
		credential(v, fsi_maui_priority_holder(v->w, kind, v->creds[kind]));

	return c ? c->priority : 0;
}

static double inverse_square(double distance)
{
	return pow(distance > .0001 ? distance : .0001, -2.0);
}

static void service_factors(const struct fsi_maui_view *v, double *f)
{
	const double waited = (double)v->m->info.time - fsi_maui_queued_since(v), limit = fsi_maui_limit_s(v->job);

	f[FSI_MT_QUEUETIME] = waited < 0 ? 0 : waited / 60.0;
	f[FSI_MT_XFACTOR] = (waited + limit) / fsi_maui_expansion_base(v->conf, limit);
	f[FSI_MT_SPVIOLATION] = fsi_list_has(v->m, fsi_job_rare(v->m, v->job)->flags, "SPVIOLATION");
	f[FSI_MT_BYPASS] = fsi_job_rare(v->m, v->job)->bypass;
}

static void target_factors(const struct fsi_maui_view *v, double *f)
{
	const struct fsi_credential *qos = credential(v, v->creds[FS_CRED_QOS]);

	if (qos && qos->queuetime_target > 0)
		f[FSI_MT_TARGET_QUEUETIME] =
			inverse_square(qos->queuetime_target - fsi_maui_queued_since(v));
	if (qos && qos->xfactor_target > 0)
		f[FSI_MT_TARGET_XFACTOR] = inverse_square(qos->xfactor_target - f[FSI_MT_XFACTOR]);
	if (qos) {
		f[QT_ADDED] = qos->queuetime_weight;
		f[XF_ADDED] = qos->xfactor_weight;
	}
}

static void resource_factors(const struct fsi_maui_view *v, double *f)
{
	const struct fsi_job *job = v->job;

	f[FSI_MT_NODE] = job->nodes;
	f[FSI_MT_PROC] = job->cpus;
	f[FSI_MT_MEM] = fsi_maui_request(v->m, job, "mem");
	f[FSI_MT_SWAP] = fsi_maui_request(v->m, job, "swap");
	f[FSI_MT_DISK] = fsi_maui_request(v->m, job, "disk");
	f[FSI_MT_PS] = (double)job->cpus * fsi_maui_limit_s(job);
	f[FSI_MT_PE] = fsi_maui_pe(v->m, &v->w->w.totals, job);
	f[FSI_MT_WALLTIME] = fsi_maui_limit_s(job);
}

void fsi_maui_job_factors(const struct fsi_maui_view *v, double *f)
{
	memset(f, 0, VALUES * sizeof(*f));
	/* in a paste caps, priorities of credentials and what jobs ask for may be missing */
	if (fsi_hidden(v->m, FSI_HIDDEN_JOB_FIELDS)) {
		for (int t = 0; t < EARLIER; t++) /* nor is what the QOS adds to weights known */
			f[t] = NAN;
		return;
	}
	service_factors(v, f);
	target_factors(v, f);
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		f[FSI_MT_CRED_USER + k] = cred_factor(v, (enum fs_cred_kind)k);
		if (v->creds[k] != FSI_NO_INDEX)
			f[FSI_MT_FS_USER + k] = fsi_maui_factor(v->w, v->creds[k]);
	}
	resource_factors(v, f);
}
