/* Maui in a snapshot: configuration, credentials (users, groups, accounts, QOS, classes), the nodes a job may use, and
 * reservation buckets. All functions read the snapshot's records.
 *
 * Sources (TempleHPC maui-scheduler 3.5): defaults src/moab/MPar.c: MParSetDefaults, parameters
 * src/moab/MFS.c: MFSProcessOConfig, order of tables src/moab/MUtil.c: MUGetHash. */
#ifndef FSI_MODEL_MAUI_H
#define FSI_MODEL_MAUI_H

#include "model/find.h"

/* End of a reservation that never ends, seconds since the epoch (MAX_MTIME of src/moab.h). */
#define FSI_MAUI_MAX_TIME INT64_C(2140000000)

/* The components of a start priority, in the order in which Maui adds them. X(TAG, name, weight parameter, cap
 * parameter) */
#define FSI_MAUI_GROUPS(X)                                                                         \
	X(SERVICE, "service", "SERVICEWEIGHT", "SERVICEWCAP")                                      \
	X(TARGET, "target", "TARGETWEIGHT", "TARGETCAP")                                          \
	X(CRED, "cred", "CREDWEIGHT", "CREDCAP")                                                   \
	X(FS, "fs", "FSWEIGHT", "FSCAP")                                                           \
	X(RES, "res", "RESWEIGHT", "RESCAP")                                                       \
	X(USAGE, "usage", "USAGEWEIGHT", "USAGECAP")

/* The terms of each component, in the order in which Maui adds them. X(TAG, component, name, weight parameter, cap
 * parameter) */
#define FSI_MAUI_TERMS(X)                                                                          \
	X(QUEUETIME, SERVICE, "service/queuetime", "QUEUETIMEWEIGHT", "QUEUETIMECAP")              \
	X(XFACTOR, SERVICE, "service/xfactor", "XFACTORWEIGHT", "XFACTORCAP")                      \
	X(SPVIOLATION, SERVICE, "service/spviolation", "SPVIOLATIONWEIGHT", "SPVIOLATIONCAP")      \
	X(BYPASS, SERVICE, "service/bypass", "BYPASSWEIGHT", "BYPASSCAP")                          \
	X(TARGET_QUEUETIME, TARGET, "target/queuetime", "TARGETQUEUETIMEWEIGHT",                   \
	  "TARGETQUEUETIMECAP")                                                                    \
	X(TARGET_XFACTOR, TARGET, "target/xfactor", "TARGETXFACTORWEIGHT", "TARGETXFACTORCAP")     \
	X(CRED_USER, CRED, "cred/user", "USERWEIGHT", "USERCAP")                                   \
	X(CRED_GROUP, CRED, "cred/group", "GROUPWEIGHT", "GROUPCAP")                               \
	X(CRED_ACCT, CRED, "cred/acct", "ACCOUNTWEIGHT", "ACCOUNTCAP")                             \
	X(CRED_QOS, CRED, "cred/qos", "QOSWEIGHT", "QOSCAP")                                       \
	X(CRED_CLASS, CRED, "cred/class", "CLASSWEIGHT", "CLASSCAP")                               \
	X(FS_USER, FS, "fs/user", "FSUSERWEIGHT", "FSUSERCAP")                                     \
	X(FS_GROUP, FS, "fs/group", "FSGROUPWEIGHT", "FSGROUPCAP")                                 \
	X(FS_ACCT, FS, "fs/acct", "FSACCOUNTWEIGHT", "FSACCOUNTCAP")                               \
	X(FS_QOS, FS, "fs/qos", "FSQOSWEIGHT", "FSQOSCAP")                                         \
	X(FS_CLASS, FS, "fs/class", "FSCLASSWEIGHT", "FSCLASSCAP")                                 \
	X(NODE, RES, "res/node", "NODEWEIGHT", "NODECAP")                                          \
	X(PROC, RES, "res/proc", "PROCWEIGHT", "PROCCAP")                                          \
	X(MEM, RES, "res/mem", "MEMWEIGHT", "MEMCAP")                                              \
	X(SWAP, RES, "res/swap", "SWAPWEIGHT", "SWAPCAP")                                          \
	X(DISK, RES, "res/disk", "DISKWEIGHT", "DISKCAP")                                          \
	X(PS, RES, "res/ps", "PSWEIGHT", "PSCAP")                                                  \
	X(PE, RES, "res/pe", "PEWEIGHT", "PECAP")                                                  \
	X(WALLTIME, RES, "res/walltime", "WALLTIMEWEIGHT", "WALLTIMECAP")                          \
	X(CONSUMED, USAGE, "usage/consumed", "CONSUMEDWEIGHT", "CONSUMEDCAP")                      \
	X(REMAINING, USAGE, "usage/remaining", "REMAININGWEIGHT", "REMAININGCAP")                  \
	X(PERCENT, USAGE, "usage/percent", "PERCENTWEIGHT", "PERCENTCAP")

#define FSI_MAUI_GROUP_ENUM(tag, name, weight, cap) FSI_MG_##tag,
enum { FSI_MAUI_GROUPS(FSI_MAUI_GROUP_ENUM) FSI_MAUI_GROUP_COUNT };
#define FSI_MAUI_TERM_ENUM(tag, group, name, weight, cap) FSI_MT_##tag,
enum { FSI_MAUI_TERMS(FSI_MAUI_TERM_ENUM) FSI_MAUI_TERM_COUNT };

/* A component or a term of the start priority. */
struct fsi_maui_part {
	/* `name`: name of the component or term in JSON; `weight`, `cap`: names of the parameters in maui.cfg that set
	 * its weight and its cap */
	const char *name, *weight, *cap;
	/* number of the component to which the term belongs; for a component, its own number */
	int group;
};
extern const struct fsi_maui_part fsi_maui_groups[FSI_MAUI_GROUP_COUNT];
extern const struct fsi_maui_part fsi_maui_terms[FSI_MAUI_TERM_COUNT];

/* FSPOLICY: the kind of usage that fair share counts. */
enum fsi_fs_policy { FSI_FS_NONE, FSI_FS_DEDICATEDPS, FSI_FS_DEDICATEDPES, FSI_FS_UTILIZEDPS, FSI_FS_POLICIES };
extern const char *const fsi_fs_policy_names[FSI_FS_POLICIES];

/* Greatest FSDEPTH that Maui accepts. */
enum { FSI_MAUI_MAX_DEPTH = 24 };

/* Default of RMPOLLINTERVAL, seconds (include/msched.h: DEFAULT_RMPOLLINTERVAL). */
enum { FSI_MAUI_POLL_S = 60 };

/* Parameters of maui.cfg. The weights are NAN if the configuration is hidden. */
struct fsi_maui_conf {
	enum fsi_fs_policy policy;
	bool ratio; /* FSPOLICY ends with %: factors depend on usage divided by the target */
	int64_t interval_s, poll_s, xf_min_wclimit_s; /* FSINTERVAL, RMPOLLINTERVAL and XFMINWCLIMIT, in seconds */
	uint32_t depth; /* FSDEPTH: number of windows that count */
	double decay; /* FSDECAY: weight of a window relative to the next newer window */
	/* false: the snapshot lacks the parameter, so a default is used */
	bool has_policy, has_interval, has_depth, has_decay;
	/* Weights and caps of the components of a priority (`group_weight`, `group_cap`) and of the terms in each
	 * component (`weight`, `cap`). A cap <= 0 means no cap. */
	double group_weight[FSI_MAUI_GROUP_COUNT], group_cap[FSI_MAUI_GROUP_COUNT];
	double weight[FSI_MAUI_TERM_COUNT], cap[FSI_MAUI_TERM_COUNT];
	/* values of the parameters REJECTNEGPRIOJOBS, ENABLENEGJOBPRIORITY and USESYSTEMQUEUETIME */
	bool reject_negative, enable_negative, system_queue_time;
};

/* Reads the `config` record; missing parameters have Maui's defaults. Errors: FS_EDATA. */
int fsi_maui_conf_load(const fs_snapshot *m, struct fsi_maui_conf *c, struct fs_error *err);

/* Returns the row of the credential DEFAULT of this kind; FSI_NO_INDEX: none. A setting of DEFAULT applies to all
 * credentials of its kind that do not have this setting. Classes have no such defaults, although the manual mentions
 * them: Maui's code reads the defaults of classes from a class that maui.cfg cannot set
 * (src/MCred.c:MCredSetDefaults). */
uint32_t fsi_maui_find_default(const struct fsi_creds *x, const fs_snapshot *m, enum fs_cred_kind kind);

/* Set and return the I32 field of a credential whose presence bit is `bit`. */
void fsi_maui_set_number(struct fsi_credential *cr, unsigned bit, int32_t v);
int32_t fsi_maui_get_number(const struct fsi_credential *cr, unsigned bit);

/* Returns the name of the job's QOS; "DEFAULT" if the job names none. */
const char *fsi_maui_job_qos_name(const fs_snapshot *m, const struct fsi_job *job);

/* The kinds of credentials whose QLIST may allow a QOS, in the order in which Maui tests them
 * (src/moab/MQOS.c:MQOSGetAccess). */
enum { FSI_MAUI_QLIST_KIND_COUNT = 4 };
extern const enum fs_cred_kind fsi_maui_qlist_kinds[FSI_MAUI_QLIST_KIND_COUNT];
/* Returns true if the job may use the QOS (name id). The QLIST of DEFAULT applies to a credential without a QLIST. */
bool fsi_maui_may_use_qos(const fs_snapshot *m, const struct fsi_creds *creds, const struct fsi_job *job, uint32_t qos);

/* Returns true if the reservation's access list is known, and admits the job (src/MACL.c: MACLCheckAccess). */
bool fsi_maui_reservation_admits_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *job);

/* Returns true if the node offers the job's class. A node without classes offers all classes. */
bool fsi_maui_node_has_class(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Returns true if the node has the features the job asks for. */
bool fsi_maui_node_has_features(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Returns the first of the job's node requirements ("cpu==4") that the node does not satisfy; NULL: none. An unknown
 * property satisfies every requirement. */
const char *fsi_maui_find_unmet_need(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Returns the name id of the node's partition; 0: DEFAULT, or unknown. */
uint32_t fsi_maui_partition_of_node(const struct fsi_node *node);
/* Returns true if the node in row i is the first node of its partition. */
bool fsi_maui_is_first_of_partition(const fs_snapshot *m, size_t i);

/* Returns true if the node has the job's class and features, and satisfies its node requirements. Ignores the jobs on
 * the node (src/MJob.c: MReqCheckResourceMatch). */
bool fsi_maui_node_suits_job(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Returns the number of the job's tasks. */
int64_t fsi_maui_job_tasks(const struct fsi_job *job);

/* Returns the job's number of tasks per node, at most its total number of tasks (src/MRM.c: MRMJobPostLoad); 0: the job
 * does not set a number. */
int64_t fsi_maui_tasks_per_node(const fs_snapshot *m, const struct fsi_job *job);

/* Returns the amount of a TRES ("cpu", "mem", "swap" or "disk") that each task of the job asks for. */
int64_t fsi_maui_amount_per_task(const fs_snapshot *m, const struct fsi_job *job, const char *tres);

/* Returns the slot at which a name is stored in Maui's hash tables of users, groups and accounts. If the slot already
 * has another name, Maui uses a later slot. */
uint32_t fsi_maui_hash_name(const char *name);

/* Sets *out to the rows of the credentials of a kind, in the order of Maui's lists. Users, groups and accounts are
 * sorted by hash slot (linear probing, names inserted in order of `position`); QOS and classes are sorted by
 * `position`. The caller frees *out. Returns the number of rows, -1 if out of memory. */
int64_t fsi_maui_list_credentials(const fs_snapshot *m, enum fs_cred_kind kind, uint32_t **out);

/* State of jobs that Maui's planner computes and that the snapshot does not contain. The arrays are indexed by job row.
 * The planner owns the arrays and updates them in each simulated iteration. If a function gets NULL instead of this
 * struct, the function uses the values that the snapshot records. */
struct fsi_maui_state {
	/* start of the job's reservation, seconds since the epoch; FS_UNKNOWN: no reservation; INT64_MAX: the start is
	 * unknown */
	int64_t *reservation_start;
	/* time that the job had waited when it was last eligible (J->EffQueueDuration), seconds; FS_UNKNOWN: the job is
	 * eligible */
	int64_t *queued_s;
	/* time before which Maui does not try to start the job, seconds since the epoch; 0: the job is not deferred;
	 * INT64_MAX: Maui never tries the job again */
	int64_t *deferred_until;
};

/* Returns true if the pending job has a reservation. */
bool fsi_maui_has_reservation(const fs_snapshot *m, const struct fsi_maui_state *state, size_t job);

/* ---- buckets: the jobs of one bucket share a number of reservations. Bucket n has RESERVATIONDEPTH[n] reservations
 * for jobs with the QOS in RESERVATIONQOSLIST[n].
 *
 * Sources (TempleHPC maui-scheduler 3.5): src/MPar.c: MParSetDefaults, src/MSched.c: MSchedProcessOConfig, src/MJob.c:
 * MJobPReserve. */

enum { FSI_MAUI_BUCKETS = 128 };

/* Word in RESERVATIONQOSLIST that means every QOS. */
#define FSI_MAUI_EVERY_QOS "[ALL]"

/* A bucket. */
struct fsi_maui_bucket {
	/* maximum number of the bucket's jobs that have a reservation at the same time; 0: the bucket is not used */
	int64_t depth;
	const char *qos; /* names separated by blanks; NULL: every QOS */
};

/* Writes the name of a parameter with its index to buf: "NAME[3]"; index 0 is not written. */
void fsi_maui_format_indexed(char *buf, size_t size, const char *parameter, unsigned index);

/* Reads the configured buckets into b, or Maui's default: one bucket with one reservation for the jobs of all QOS. */
void fsi_maui_read_buckets(const fs_snapshot *m, struct fsi_maui_bucket b[FSI_MAUI_BUCKETS]);

/* Returns true if the bucket contains the jobs of every QOS. */
bool fsi_maui_bucket_has_all(const struct fsi_maui_bucket *b);

/* Returns the number of the first bucket for the QOS; FSI_MAUI_BUCKETS: none, so jobs with this QOS get no
 * reservation. */
unsigned fsi_maui_find_bucket(const struct fsi_maui_bucket *b, const char *qos);

/* Totals of the cluster's nodes; NAN: unknown. */
struct fsi_maui_totals {
	double procs, mem_mb, swap_mb, disk_mb;
};
struct fsi_maui_totals fsi_maui_count_totals(const fs_snapshot *m);

/* Returns the processor equivalents of the job (src/moab/MJob.c:MJobGetPE): tasks * processors of the cluster * f. Here
 * f is the largest fraction of the cluster's processors, memory, disk or swap that one task uses. NAN: unknown. */
double fsi_maui_processor_equivalents(const fs_snapshot *m, const struct fsi_maui_totals *t, const struct fsi_job *job);

/* Returns the total amount of the named TRES that the job's tasks request. */
double fsi_maui_requested_amount(const fs_snapshot *m, const struct fsi_job *job, const char *tres);

#endif
