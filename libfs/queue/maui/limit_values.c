#include "queue/maui/limit_values.h"

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

struct fsi_maui_limit fsi_maui_limit_of(const struct fsi_credential *c, enum fsi_maui_mode mode,
					enum fsi_maui_measure m)
{
	static const struct place places[][FSI_MAUI_MEASURES] = {
		[FSI_MAUI_ACTIVE] = { ALL_AT(max), AT(FSI_MAUI_EQUIVALENTS, max_pe), AT(FSI_MAUI_SECONDS, max_wc) },
		[FSI_MAUI_IDLE] = { ALL_AT(max_idle), AT(FSI_MAUI_EQUIVALENTS, max_idle_pe),
				    AT(FSI_MAUI_SECONDS, max_idle_wc) },
	};

	return at(c, &places[mode][m]);
}

struct fsi_maui_limit fsi_maui_limit_each_user(const struct fsi_credential *class, enum fsi_maui_measure m)
{
	static const struct place places[FSI_MAUI_MEASURES] = {
		AT(FSI_MAUI_JOBS, user_job),
		AT(FSI_MAUI_PROCS, user_proc),
		AT(FSI_MAUI_NODES, user_node),
	};

	return at(class, &places[m]);
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
	static const struct place places[][FSI_MAUI_MEASURES] = {
		[FSI_MAUI_ACTIVE] = { ALL_AT(override), AT(FSI_MAUI_EQUIVALENTS, override_pe),
				      AT(FSI_MAUI_SECONDS, override_wc) },
		[FSI_MAUI_IDLE] = { ALL_AT(override_idle) },
	};

	return at(c, &places[mode][m]);
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

bool fsi_maui_limits_of_system(const fs_snapshot *m, double out[FSI_MAUI_MEASURES])
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
