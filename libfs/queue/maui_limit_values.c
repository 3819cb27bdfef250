#include "queue/maui_limit_values.h"

struct fsi_maui_limit fsi_maui_limit_of(const struct fsi_credential *c, enum fsi_maui_mode mode, enum fsi_maui_measure m)
{
	const struct fsi_maui_limit active[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = { c->max_job, c->max_job_soft },
		[FSI_MAUI_PROCS] = { c->max_proc, c->max_proc_soft },
		[FSI_MAUI_NODES] = { c->max_node, c->max_node_soft },
		[FSI_MAUI_PROC_SECONDS] = { c->max_ps, c->max_ps_soft },
		[FSI_MAUI_EQUIVALENTS] = { c->max_pe, c->max_pe_soft },
		[FSI_MAUI_SECONDS] = { c->max_wc, c->max_wc_soft },
	};
	const struct fsi_maui_limit idle[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = { c->max_idle_job, c->max_idle_job_soft },
		[FSI_MAUI_PROCS] = { c->max_idle_proc, c->max_idle_proc_soft },
		[FSI_MAUI_NODES] = { c->max_idle_node, c->max_idle_node_soft },
		[FSI_MAUI_PROC_SECONDS] = { c->max_idle_ps, c->max_idle_ps_soft },
		[FSI_MAUI_EQUIVALENTS] = { c->max_idle_pe, c->max_idle_pe_soft },
		[FSI_MAUI_SECONDS] = { c->max_idle_wc, c->max_idle_wc_soft },
	};

	return mode == FSI_MAUI_IDLE ? idle[m] : active[m];
}

struct fsi_maui_limit fsi_maui_limit_each_user(const struct fsi_credential *class, enum fsi_maui_measure m)
{
	const struct fsi_maui_limit each[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = { class->user_job, class->user_job_soft },
		[FSI_MAUI_PROCS] = { class->user_proc, class->user_proc_soft },
		[FSI_MAUI_NODES] = { class->user_node, class->user_node_soft },
	};

	return each[m];
}

bool fsi_maui_limits_idle_jobs(const struct fsi_credential *c)
{
	return FSI_HAS(c, CREDENTIAL, max_idle_job) || FSI_HAS(c, CREDENTIAL, max_idle_proc) ||
	       FSI_HAS(c, CREDENTIAL, max_idle_node) || FSI_HAS(c, CREDENTIAL, max_idle_ps) ||
	       FSI_HAS(c, CREDENTIAL, max_idle_pe) || FSI_HAS(c, CREDENTIAL, max_idle_wc);
}

bool fsi_maui_limits_users(const struct fsi_credential *class)
{
	return FSI_HAS(class, CREDENTIAL, user_job) || FSI_HAS(class, CREDENTIAL, user_proc) ||
	       FSI_HAS(class, CREDENTIAL, user_node);
}

struct fsi_maui_limit fsi_maui_limit_override(const struct fsi_credential *c, enum fsi_maui_mode mode, enum fsi_maui_measure m)
{
	const struct fsi_maui_limit active[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = { c->override_job, c->override_job_soft },
		[FSI_MAUI_PROCS] = { c->override_proc, c->override_proc_soft },
		[FSI_MAUI_NODES] = { c->override_node, c->override_node_soft },
		[FSI_MAUI_PROC_SECONDS] = { c->override_ps, c->override_ps_soft },
		[FSI_MAUI_EQUIVALENTS] = { c->override_pe, c->override_pe_soft },
		[FSI_MAUI_SECONDS] = { c->override_wc, c->override_wc_soft },
	};
	const struct fsi_maui_limit idle[FSI_MAUI_MEASURES] = {
		[FSI_MAUI_JOBS] = { c->override_idle_job, c->override_idle_job_soft },
		[FSI_MAUI_PROCS] = { c->override_idle_proc, c->override_idle_proc_soft },
		[FSI_MAUI_NODES] = { c->override_idle_node, c->override_idle_node_soft },
		[FSI_MAUI_PROC_SECONDS] = { c->override_idle_ps, c->override_idle_ps_soft },
	};

	return mode == FSI_MAUI_IDLE ? idle[m] : active[m];
}
