#include "queue/maui/limit_values.h"

/* A limit, hard and soft, of a measure. */
#define ROW(measure, member) [measure] = { member, member##_soft }

struct fsi_maui_limit fsi_maui_limit_of(const struct fsi_credential *c, enum fsi_maui_mode mode,
					enum fsi_maui_measure m)
{
	const struct fsi_maui_limit active[FSI_MAUI_MEASURES] = {
		ROW(FSI_MAUI_JOBS, c->max_job),
		ROW(FSI_MAUI_PROCS, c->max_proc),
		ROW(FSI_MAUI_NODES, c->max_node),
		ROW(FSI_MAUI_PROC_SECONDS, c->max_ps),
		ROW(FSI_MAUI_EQUIVALENTS, c->max_pe),
		ROW(FSI_MAUI_SECONDS, c->max_wc),
	};
	const struct fsi_maui_limit idle[FSI_MAUI_MEASURES] = {
		ROW(FSI_MAUI_JOBS, c->max_idle_job),
		ROW(FSI_MAUI_PROCS, c->max_idle_proc),
		ROW(FSI_MAUI_NODES, c->max_idle_node),
		ROW(FSI_MAUI_PROC_SECONDS, c->max_idle_ps),
		ROW(FSI_MAUI_EQUIVALENTS, c->max_idle_pe),
		ROW(FSI_MAUI_SECONDS, c->max_idle_wc),
	};

	return mode == FSI_MAUI_IDLE ? idle[m] : active[m];
}

struct fsi_maui_limit fsi_maui_limit_each_user(const struct fsi_credential *class, enum fsi_maui_measure m)
{
	const struct fsi_maui_limit each[FSI_MAUI_MEASURES] = {
		ROW(FSI_MAUI_JOBS, class->user_job),
		ROW(FSI_MAUI_PROCS, class->user_proc),
		ROW(FSI_MAUI_NODES, class->user_node),
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

struct fsi_maui_limit fsi_maui_limit_override(const struct fsi_credential *c, enum fsi_maui_mode mode,
					      enum fsi_maui_measure m)
{
	const struct fsi_maui_limit active[FSI_MAUI_MEASURES] = {
		ROW(FSI_MAUI_JOBS, c->override_job),
		ROW(FSI_MAUI_PROCS, c->override_proc),
		ROW(FSI_MAUI_NODES, c->override_node),
		ROW(FSI_MAUI_PROC_SECONDS, c->override_ps),
		ROW(FSI_MAUI_EQUIVALENTS, c->override_pe),
		ROW(FSI_MAUI_SECONDS, c->override_wc),
	};
	const struct fsi_maui_limit idle[FSI_MAUI_MEASURES] = {
		ROW(FSI_MAUI_JOBS, c->override_idle_job),
		ROW(FSI_MAUI_PROCS, c->override_idle_proc),
		ROW(FSI_MAUI_NODES, c->override_idle_node),
		ROW(FSI_MAUI_PROC_SECONDS, c->override_idle_ps),
	};

	return mode == FSI_MAUI_IDLE ? idle[m] : active[m];
}

bool fsi_maui_any_limit(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->credential.n; i++)
		for (int mode = FSI_MAUI_ACTIVE; mode <= FSI_MAUI_IDLE; mode++)
			for (int k = 0; k < FSI_MAUI_MEASURES; k++)
				if (fsi_maui_limit_each_user(&m->credential.v[i], (enum fsi_maui_measure)k).hard ||
				    fsi_maui_limit_of(&m->credential.v[i], (enum fsi_maui_mode)mode,
						      (enum fsi_maui_measure)k)
					    .hard ||
				    fsi_maui_limit_override(&m->credential.v[i], (enum fsi_maui_mode)mode,
							    (enum fsi_maui_measure)k)
					    .hard)
					return true;
	return false;
}
