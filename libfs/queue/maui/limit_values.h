/* The limits that a credential of Maui's sets. */
#ifndef FSI_MAUI_LIMIT_VALUES_H
#define FSI_MAUI_LIMIT_VALUES_H

#include "model/model.h"

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

struct fsi_maui_limit fsi_maui_limit_of(const struct fsi_credential *c, enum fsi_maui_mode mode,
					enum fsi_maui_measure m);

/* The limit that a QOS puts in the place of those of all credentials. */
struct fsi_maui_limit fsi_maui_limit_override(const struct fsi_credential *c, enum fsi_maui_mode mode,
					      enum fsi_maui_measure m);

/* The limit for each user in a class; and has the class any such limit? */
struct fsi_maui_limit fsi_maui_limit_each_user(const struct fsi_credential *class, enum fsi_maui_measure m);
bool fsi_maui_limits_users(const struct fsi_credential *class);

/* Has a credential limits of its own on eligible jobs, and with them a place to count such jobs in? */
bool fsi_maui_limits_idle_jobs(const struct fsi_credential *c);

/* Has any credential a limit? */
bool fsi_maui_any_limit(const fs_snapshot *m);

/* Limits of each job, whosever it is: SYSTEMMAXPROCPERJOB, SYSTEMMAXPROCSECONDPERJOB, SYSTEMMAXJOBWALLTIME
 * (src/MPar.c:MParProcessOConfig); 0 for none. Is there one? */
bool fsi_maui_limits_of_system(const fs_snapshot *m, double out[FSI_MAUI_MEASURES]);

#endif
