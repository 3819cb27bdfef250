/* Fields of Maui's credentials and windows. Columns and types are described in records.h, the only file that includes
 * this one. */
#ifndef FSI_MODEL_RECORDS_FIELDS_MAUI_H
#define FSI_MODEL_RECORDS_FIELDS_MAUI_H

#define FSI_CREDENTIAL_FIELDS(X)                                                                   \
	X(kind, STR, FSI_REQ, "", "\"user\", \"group\", \"acct\", \"qos\" or \"class\"")             \
	X(name, STR, FSI_REQ, "", "name; DEFAULT holds what the others of its kind fall back on")  \
	X(position, U32, 0, "", "order in which the scheduler learnt of those of its kind")        \
	X(target, DBL, 0, "", "fair-share target: percent, or with cap_abs processor seconds")     \
	X(target_mode, STR, 0, "",                                                                 \
	  "\"target\", \"floor\", \"ceiling\", \"cap_rel\" or \"cap_abs\"; absent: target")         \
	X(priority, I32, 0, "", "priority of its jobs")                                            \
	X(qos, LIST, 0, "", "QOS that may be used")                                                \
	X(default_qos, STR, 0, "", "QOS of jobs that ask for none")                                \
	X(queuetime_weight, I32, 0, "", "QOS: added to QUEUETIMEWEIGHT")                           \
	X(xfactor_weight, I32, 0, "", "QOS: added to XFACTORWEIGHT")                               \
	X(queuetime_target, I32, 0, "", "QOS: target queue time, as Maui reads it")                \
	X(xfactor_target, DBL, 0, "", "QOS: target expansion factor") \
	X(flags, LIST, 0, "", "QOS: those of QFLAGS that plans ask for, such as NOBF") \
	X(max_job, I32, 0, "", "MAXJOB: most jobs that may run; 0: no limit") \
	X(max_job_soft, I32, 0, "", "MAXJOB: most jobs that may run, soft") \
	X(max_proc, I32, 0, "", "MAXPROC: most processors of its running jobs; 0: no limit") \
	X(max_proc_soft, I32, 0, "", "MAXPROC: most processors of its running jobs, soft") \
	X(max_node, I32, 0, "", "MAXNODE: most nodes of its running jobs; 0: no limit") \
	X(max_node_soft, I32, 0, "", "MAXNODE: most nodes of its running jobs, soft") \
	X(max_ps, I32, 0, "s", "MAXPS: most processor seconds that its running jobs have left; 0: no limit") \
	X(max_ps_soft, I32, 0, "s", "MAXPS: most processor seconds that its running jobs have left, soft") \
	X(max_idle_job, I32, 0, "", "MAXIJOB: most jobs that may be eligible and idle; 0: no limit") \
	X(max_idle_job_soft, I32, 0, "", "MAXIJOB: most jobs that may be eligible and idle, soft") \
	X(max_idle_proc, I32, 0, "", "MAXIPROC: most processors of its jobs that may be eligible and idle; 0: no limit") \
	X(max_idle_proc_soft, I32, 0, "", "MAXIPROC: most processors of its jobs that may be eligible and idle, soft") \
	X(max_idle_node, I32, 0, "", "MAXINODE: most nodes of its jobs that may be eligible and idle; 0: no limit") \
	X(max_idle_node_soft, I32, 0, "", "MAXINODE: most nodes of its jobs that may be eligible and idle, soft") \
	X(max_idle_ps, I32, 0, "s", "MAXIPS: most processor seconds that its eligible and idle jobs ask for; 0: no limit") \
	X(max_idle_ps_soft, I32, 0, "s", "MAXIPS: most processor seconds that its eligible and idle jobs ask for, soft") \
	X(max_idle_pe, I32, 0, "", "MAXIPE: most processor equivalents of its jobs that may be eligible and idle; 0: no limit") \
	X(max_idle_pe_soft, I32, 0, "", "MAXIPE: most processor equivalents of its jobs that may be eligible and idle, soft") \
	X(max_idle_wc, I32, 0, "s", "MAXIWC: most time that its eligible and idle jobs ask for, added up; 0: no limit") \
	X(max_idle_wc_soft, I32, 0, "s", "MAXIWC: most time that its eligible and idle jobs ask for, added up, soft") \
	X(max_pe, I32, 0, "", "MAXPE: most processor equivalents of its running jobs; 0: no limit") \
	X(max_pe_soft, I32, 0, "", "MAXPE: most processor equivalents of its running jobs, soft") \
	X(max_wc, I32, 0, "s", "MAXWC: most time that its running jobs have left, added up; 0: no limit") \
	X(max_wc_soft, I32, 0, "s", "MAXWC: most time that its running jobs have left, added up, soft") \
	X(override_job, I32, 0, "", "OMAXJOB: QOS: takes the place of MAXJOB of every credential of its jobs; 0 or less: no limit") \
	X(override_job_soft, I32, 0, "", "OMAXJOB: QOS: takes the place of MAXJOB of every credential of its jobs, soft") \
	X(override_proc, I32, 0, "", "OMAXPROC: QOS: takes the place of MAXPROC of every credential of its jobs; 0 or less: no limit") \
	X(override_proc_soft, I32, 0, "", "OMAXPROC: QOS: takes the place of MAXPROC of every credential of its jobs, soft") \
	X(override_node, I32, 0, "", "OMAXNODE: QOS: takes the place of MAXNODE of every credential of its jobs; 0 or less: no limit") \
	X(override_node_soft, I32, 0, "", "OMAXNODE: QOS: takes the place of MAXNODE of every credential of its jobs, soft") \
	X(override_ps, I32, 0, "s", "OMAXPS: QOS: takes the place of MAXPS of every credential of its jobs; 0 or less: no limit") \
	X(override_ps_soft, I32, 0, "s", "OMAXPS: QOS: takes the place of MAXPS of every credential of its jobs, soft") \
	X(override_pe, I32, 0, "", "OMAXPE: QOS: takes the place of MAXPE of every credential of its jobs; 0 or less: no limit") \
	X(override_pe_soft, I32, 0, "", "OMAXPE: QOS: takes the place of MAXPE of every credential of its jobs, soft") \
	X(override_wc, I32, 0, "s", "OMAXWC: QOS: takes the place of MAXWC of every credential of its jobs; 0 or less: no limit") \
	X(override_wc_soft, I32, 0, "s", "OMAXWC: QOS: takes the place of MAXWC of every credential of its jobs, soft") \
	X(override_idle_job, I32, 0, "", "OMAXIJOB: QOS: takes the place of MAXIJOB of every credential of its jobs; 0 or less: no limit") \
	X(override_idle_job_soft, I32, 0, "", "OMAXIJOB: QOS: takes the place of MAXIJOB of every credential of its jobs, soft") \
	X(override_idle_proc, I32, 0, "", "OMAXIPROC: QOS: takes the place of MAXIPROC of every credential of its jobs; 0 or less: no limit") \
	X(override_idle_proc_soft, I32, 0, "", "OMAXIPROC: QOS: takes the place of MAXIPROC of every credential of its jobs, soft") \
	X(override_idle_node, I32, 0, "", "OMAXINODE: QOS: takes the place of MAXINODE of every credential of its jobs; 0 or less: no limit") \
	X(override_idle_node_soft, I32, 0, "", "OMAXINODE: QOS: takes the place of MAXINODE of every credential of its jobs, soft") \
	X(override_idle_ps, I32, 0, "s", "OMAXIPS: QOS: takes the place of MAXIPS of every credential of its jobs; 0 or less: no limit") \
	X(override_idle_ps_soft, I32, 0, "s", "OMAXIPS: QOS: takes the place of MAXIPS of every credential of its jobs, soft") \
	X(user_job, I32, 0, "", "MAXJOBPERUSER: class: most jobs of each user that may run; 0: no limit") \
	X(user_job_soft, I32, 0, "", "MAXJOBPERUSER: class: most jobs of each user that may run, soft") \
	X(user_proc, I32, 0, "", "MAXPROCPERUSER: class: most processors of the running jobs of each user; 0: no limit") \
	X(user_proc_soft, I32, 0, "", "MAXPROCPERUSER: class: most processors of the running jobs of each user, soft") \
	X(user_node, I32, 0, "", "MAXNODEPERUSER: class: most nodes of the running jobs of each user; 0: no limit") \
	X(user_node_soft, I32, 0, "", "MAXNODEPERUSER: class: most nodes of the running jobs of each user, soft") \
	X(usage_percent, DBL, 0, "%", "fair-share usage as diagnose -f printed it, of the total of all")

#define FSI_WINDOW_FIELDS(X)                                                                       \
	X(start, TIME, FSI_REQ, "s", "when the window begins")                                     \
	X(kind, STR, FSI_REQ, "", "kind of credential, or \"sched\" for the total of all")         \
	X(name, STR, 0, "", "credential")                                                          \
	X(usage_s, DBL, FSI_REQ, "s", "processor (or processor equivalent) seconds used")          \
	X(written, TIME, 0, "s", "when the file of the current window was written: usage_s holds nothing after that")

#endif
