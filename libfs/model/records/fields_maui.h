/* Fields of Maui's credentials and windows. Columns and types are described in records.h, the only file that includes
 * this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_MAUI_H
#define FSI_MODEL_RECORDS_FIELDS_MAUI_H

#define FSI_CREDENTIAL_FIELDS(X)                                                                   \
	X(kind, STR, FSI_REQ | FSI_ROLE_KEEP, "", "\"user\", \"group\", \"acct\", \"qos\" or \"class\"") \
	X(name, STR, FSI_REQ | FSI_ROLE_BY_KIND, "", "credential name; DEFAULT has the defaults of its kind") \
	X(position, U32, 0, "", "position in Maui's order among credentials of the same kind") \
	X(target, DBL, 0, "", "fair-share target in percent; with target_mode cap_abs in processor seconds") \
	X(target_mode, STR, FSI_ROLE_KEEP, "",                                                     \
	  "\"target\", \"floor\", \"ceiling\", \"cap_rel\" or \"cap_abs\"; absent: target")         \
	X(priority, I32, 0, "", "priority of the credential")                                      \
	X(qos, LIST, FSI_ROLE_QOS, "", "QOS that jobs may use")                                    \
	X(default_qos, STR, FSI_ROLE_QOS, "", "QOS of jobs that request no QOS")                   \
	X(queuetime_weight, I32, 0, "", "QOS: number added to QUEUETIMEWEIGHT")                    \
	X(xfactor_weight, I32, 0, "", "QOS: number added to XFACTORWEIGHT")                        \
	X(queuetime_target, I32, 0, "", "QOS: target queue time, the integer at the start of QTTARGET") \
	X(xfactor_target, DBL, 0, "", "QOS: target expansion factor") \
	X(flags, LIST, FSI_ROLE_KEEP, "", "QOS: flags from QFLAGS that affect plans, such as NOBF") \
	X(max_job, I32, 0, "", "MAXJOB limit: running jobs")                                       \
	X(max_job_soft, I32, 0, "", "soft MAXJOB limit")                                           \
	X(max_proc, I32, 0, "", "MAXPROC limit: processors of running jobs")                       \
	X(max_proc_soft, I32, 0, "", "soft MAXPROC limit")                                         \
	X(max_node, I32, 0, "", "MAXNODE limit: nodes of running jobs")                            \
	X(max_node_soft, I32, 0, "", "soft MAXNODE limit")                                         \
	X(max_ps, I32, 0, "s", "MAXPS limit: remaining processor seconds of running jobs")         \
	X(max_ps_soft, I32, 0, "s", "soft MAXPS limit")                                            \
	X(max_idle_job, I32, 0, "", "MAXIJOB limit: eligible idle jobs")                           \
	X(max_idle_job_soft, I32, 0, "", "soft MAXIJOB limit")                                     \
	X(max_idle_proc, I32, 0, "", "MAXIPROC limit: processors of eligible idle jobs")           \
	X(max_idle_proc_soft, I32, 0, "", "soft MAXIPROC limit")                                   \
	X(max_idle_node, I32, 0, "", "MAXINODE limit: nodes of eligible idle jobs")                \
	X(max_idle_node_soft, I32, 0, "", "soft MAXINODE limit")                                   \
	X(max_idle_ps, I32, 0, "s", "MAXIPS limit: requested processor seconds of eligible idle jobs") \
	X(max_idle_ps_soft, I32, 0, "s", "soft MAXIPS limit")                                      \
	X(max_idle_pe, I32, 0, "", "MAXIPE limit: processor equivalents of eligible idle jobs")    \
	X(max_idle_pe_soft, I32, 0, "", "soft MAXIPE limit")                                       \
	X(max_idle_wc, I32, 0, "s", "MAXIWC limit: total requested time of eligible idle jobs")    \
	X(max_idle_wc_soft, I32, 0, "s", "soft MAXIWC limit")                                      \
	X(max_pe, I32, 0, "", "MAXPE limit: processor equivalents of running jobs")                \
	X(max_pe_soft, I32, 0, "", "soft MAXPE limit")                                             \
	X(max_wc, I32, 0, "s", "MAXWC limit: total remaining time of running jobs")                \
	X(max_wc_soft, I32, 0, "s", "soft MAXWC limit")                                            \
	X(override_job, I32, 0, "", "QOS limit OMAXJOB: replaces MAXJOB")                          \
	X(override_job_soft, I32, 0, "", "soft OMAXJOB limit")                                     \
	X(override_proc, I32, 0, "", "QOS limit OMAXPROC: replaces MAXPROC")                       \
	X(override_proc_soft, I32, 0, "", "soft OMAXPROC limit")                                   \
	X(override_node, I32, 0, "", "QOS limit OMAXNODE: replaces MAXNODE")                       \
	X(override_node_soft, I32, 0, "", "soft OMAXNODE limit")                                   \
	X(override_ps, I32, 0, "s", "QOS limit OMAXPS: replaces MAXPS")                            \
	X(override_ps_soft, I32, 0, "s", "soft OMAXPS limit")                                      \
	X(override_pe, I32, 0, "", "QOS limit OMAXPE: replaces MAXPE")                             \
	X(override_pe_soft, I32, 0, "", "soft OMAXPE limit")                                       \
	X(override_wc, I32, 0, "s", "QOS limit OMAXWC: replaces MAXWC")                            \
	X(override_wc_soft, I32, 0, "s", "soft OMAXWC limit")                                      \
	X(override_idle_job, I32, 0, "", "QOS limit OMAXIJOB: replaces MAXIJOB")                   \
	X(override_idle_job_soft, I32, 0, "", "soft OMAXIJOB limit")                               \
	X(override_idle_proc, I32, 0, "", "QOS limit OMAXIPROC: replaces MAXIPROC")                \
	X(override_idle_proc_soft, I32, 0, "", "soft OMAXIPROC limit")                             \
	X(override_idle_node, I32, 0, "", "QOS limit OMAXINODE: replaces MAXINODE")                \
	X(override_idle_node_soft, I32, 0, "", "soft OMAXINODE limit")                             \
	X(override_idle_ps, I32, 0, "s", "QOS limit OMAXIPS: replaces MAXIPS")                     \
	X(override_idle_ps_soft, I32, 0, "s", "soft OMAXIPS limit")                                \
	X(user_job, I32, 0, "", "class limit MAXJOBPERUSER: running jobs of each user")            \
	X(user_job_soft, I32, 0, "", "soft MAXJOBPERUSER limit")                                   \
	X(user_proc, I32, 0, "", "class limit MAXPROCPERUSER: processors of each user's running jobs") \
	X(user_proc_soft, I32, 0, "", "soft MAXPROCPERUSER limit")                                 \
	X(user_node, I32, 0, "", "class limit MAXNODEPERUSER: nodes of each user's running jobs")  \
	X(user_node_soft, I32, 0, "", "soft MAXNODEPERUSER limit")                                 \
	X(usage_percent, DBL, 0, "%", "fair-share usage in percent of the total, from diagnose -f")

#define FSI_WINDOW_FIELDS(X)                                                                       \
	X(start, TIME, FSI_REQ, "s", "start of the window")                                        \
	X(kind, STR, FSI_REQ | FSI_ROLE_KEEP, "", "kind of credential, or \"sched\" for the total of all credentials") \
	X(name, STR, FSI_ROLE_BY_KIND, "", "credential name")                                      \
	X(usage_s, DBL, FSI_REQ, "s", "processor (or processor equivalent) seconds used")          \
	X(written, TIME, 0, "s", "current window: when Maui wrote the window's file; usage_s excludes later usage")

#endif
