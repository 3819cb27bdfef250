/* Fields of Maui's credentials and windows. Columns and types are described in records.h, the only file that includes
 * this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_MAUI_H
#define FSI_MODEL_RECORDS_FIELDS_MAUI_H

#define FSI_CREDENTIAL_FIELDS(X)                                                                   \
	X(kind, STR, FSI_REQ, "", "\"user\", \"group\", \"acct\", \"qos\" or \"class\"")             \
	X(name, STR, FSI_REQ, "", "name; DEFAULT has the defaults of its kind")                    \
	X(position, U32, 0, "", "place among credentials of its kind, in the order in which Maui first read them") \
	X(target, DBL, 0, "", "fair-share target in percent; with cap_abs in processor seconds")   \
	X(target_mode, STR, 0, "",                                                                 \
	  "\"target\", \"floor\", \"ceiling\", \"cap_rel\" or \"cap_abs\"; absent: target")         \
	X(priority, I32, 0, "", "priority of its jobs")                                            \
	X(qos, LIST, 0, "", "QOS that jobs may use")                                               \
	X(default_qos, STR, 0, "", "QOS of jobs that request none")                                \
	X(queuetime_weight, I32, 0, "", "QOS: added to QUEUETIMEWEIGHT")                           \
	X(xfactor_weight, I32, 0, "", "QOS: added to XFACTORWEIGHT")                               \
	X(queuetime_target, I32, 0, "", "QOS: target queue time: the integer at the start of QTTARGET") \
	X(xfactor_target, DBL, 0, "", "QOS: target expansion factor") \
	X(flags, LIST, 0, "", "QOS: flags from QFLAGS that affect plans, such as NOBF")            \
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
	X(override_job, I32, 0, "", "OMAXJOB of a QOS: replaces MAXJOB")                           \
	X(override_job_soft, I32, 0, "", "soft OMAXJOB: replaces soft MAXJOB")                     \
	X(override_proc, I32, 0, "", "OMAXPROC of a QOS: replaces MAXPROC")                        \
	X(override_proc_soft, I32, 0, "", "soft OMAXPROC: replaces soft MAXPROC")                  \
	X(override_node, I32, 0, "", "OMAXNODE of a QOS: replaces MAXNODE")                        \
	X(override_node_soft, I32, 0, "", "soft OMAXNODE: replaces soft MAXNODE")                  \
	X(override_ps, I32, 0, "s", "OMAXPS of a QOS: replaces MAXPS")                             \
	X(override_ps_soft, I32, 0, "s", "soft OMAXPS: replaces soft MAXPS")                       \
	X(override_pe, I32, 0, "", "OMAXPE of a QOS: replaces MAXPE")                              \
	X(override_pe_soft, I32, 0, "", "soft OMAXPE: replaces soft MAXPE")                        \
	X(override_wc, I32, 0, "s", "OMAXWC of a QOS: replaces MAXWC")                             \
	X(override_wc_soft, I32, 0, "s", "soft OMAXWC: replaces soft MAXWC")                       \
	X(override_idle_job, I32, 0, "", "OMAXIJOB of a QOS: replaces MAXIJOB")                    \
	X(override_idle_job_soft, I32, 0, "", "soft OMAXIJOB: replaces soft MAXIJOB")              \
	X(override_idle_proc, I32, 0, "", "OMAXIPROC of a QOS: replaces MAXIPROC")                 \
	X(override_idle_proc_soft, I32, 0, "", "soft OMAXIPROC: replaces soft MAXIPROC")           \
	X(override_idle_node, I32, 0, "", "OMAXINODE of a QOS: replaces MAXINODE")                 \
	X(override_idle_node_soft, I32, 0, "", "soft OMAXINODE: replaces soft MAXINODE")           \
	X(override_idle_ps, I32, 0, "s", "OMAXIPS of a QOS: replaces MAXIPS")                      \
	X(override_idle_ps_soft, I32, 0, "s", "soft OMAXIPS: replaces soft MAXIPS")                \
	X(user_job, I32, 0, "", "MAXJOBPERUSER limit of a class: running jobs of each user")       \
	X(user_job_soft, I32, 0, "", "soft MAXJOBPERUSER limit")                                   \
	X(user_proc, I32, 0, "", "MAXPROCPERUSER limit of a class: processors of running jobs of each user") \
	X(user_proc_soft, I32, 0, "", "soft MAXPROCPERUSER limit")                                 \
	X(user_node, I32, 0, "", "MAXNODEPERUSER limit of a class: nodes of running jobs of each user") \
	X(user_node_soft, I32, 0, "", "soft MAXNODEPERUSER limit")                                 \
	X(usage_percent, DBL, 0, "%", "fair-share usage that diagnose -f printed, in percent of the total")

#define FSI_WINDOW_FIELDS(X)                                                                       \
	X(start, TIME, FSI_REQ, "s", "start of the window")                                        \
	X(kind, STR, FSI_REQ, "", "kind of credential, or \"sched\" for the total of all")         \
	X(name, STR, 0, "", "credential")                                                          \
	X(usage_s, DBL, FSI_REQ, "s", "processor (or processor equivalent) seconds used")          \
	X(written, TIME, 0, "s", "current window: when Maui wrote its file; usage_s excludes later usage")

#endif
