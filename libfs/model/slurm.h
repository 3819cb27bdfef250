/* Slurm's configuration in a snapshot: parameters with types, defaults and ranges. */
#ifndef FSI_MODEL_SLURM_H
#define FSI_MODEL_SLURM_H

#include "model/tables.h"

/* Weight of one TRES in the priority or in billing. */
struct fsi_tres_weight {
	uint32_t tres; /* name id */
	double weight; /* weight per unit of the TRES (mem: per MiB) */
};

enum { FSI_TRES_WEIGHTS_MAX = 64 };

/* Parameters of the multifactor plugin. */
struct fsi_slurm_conf {
	bool multifactor; /* PriorityType is priority/multifactor */
	/* A site_factor plugin is configured. The factor of a job without a recorded site factor is then unknown. */
	bool site_plugin;
	uint32_t weight_age, weight_assoc, weight_fairshare, weight_jobsize, weight_partition, weight_qos;
	struct fsi_tres_weight weight_tres[FSI_TRES_WEIGHTS_MAX]; /* PriorityWeightTRES, in the order of the cluster's TRES */
	size_t ntres; /* number of elements of weight_tres */
	int64_t max_age_s; /* PriorityMaxAge, seconds */
	bool favor_small; /* PriorityFavorSmall */
	/* PriorityFlags NO_NORMAL_... */
	bool no_normal_assoc, no_normal_part, no_normal_qos, no_normal_tres;
	/* true: PriorityFlags contains the flag with the name of the member, such as SMALL_RELATIVE_TO_TIME */
	bool small_relative_to_time, accrue_always, calculate_running;
};

/* Reads the parameters. Errors: FS_ENODATA if the configuration was not captured; FS_EDATA with the parameter's name
 * for a value of the wrong type or range. */
int fsi_slurm_conf_load(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err);

/* Returns true if `scontrol update job QOS=` without TimeLimit= sets the job's time limit to MaxWall of the new QOS
 * (releases 25.05.6 to 25.05.8 and 25.11.1 to 25.11.4; src/slurmctld/job_mgr.c: _update_job). `version`: a number of
 * FS_SLURM_RELEASE. */
bool fsi_slurm_qos_sets_time_limit(uint32_t version);

/* Parses TRES weights, `cpu=1,mem=0.25G,gres/gpu=2` (src/common/slurm_protocol_api.c: _tres_weight_item). The suffix of
 * a weight is the unit of the TRES: mem=0.25G is a weight of 0.25 per GiB. Weights of mem and burst buffers (bb/) are
 * stored per MiB; the suffixes K and M do not change such a weight. If a TRES is repeated, its last weight is used.
 * Empty items are ignored. Fills at most FSI_TRES_WEIGHTS_MAX elements. Returns their number, or -1 for an invalid
 * list. */
int fsi_parse_tres_weights(const fs_snapshot *m, const char *text, struct fsi_tres_weight *out);

/* Types of the parameters that snapshots store. Values are stored as one of the kinds of enum fsi_config_kind. INTEGER,
 * SECONDS and MOMENT (time by the scheduler's clock) are stored as INT, YES_NO as BOOL, WORDS as LIST, TEXT as STR. */
enum fsi_setting_kind {
	FSI_SETTING_INTEGER,
	FSI_SETTING_SECONDS,
	FSI_SETTING_MOMENT,
	FSI_SETTING_YES_NO,
	FSI_SETTING_WORDS,
	FSI_SETTING_TEXT
};

/* A parameter that snapshots store. */
struct fsi_slurm_setting {
	const char *name;
	enum fsi_setting_kind kind;
};

/* X(name, type): the parameters used in computations, then the parameters that are only shown. */
#define FSI_COMPUTED_SETTINGS(X) \
	X(AccountingStorageEnforce, WORDS) \
	X(EnforcePartLimits, TEXT) \
	X(FairShareDampeningFactor, INTEGER) \
	X(JobDefaults, TEXT) \
	X(Licenses, TEXT) \
	X(MaxMemPerCPU, INTEGER) \
	X(OverTimeLimit, SECONDS) \
	X(PreemptMode, TEXT) \
	X(PreemptType, TEXT) \
	X(PriorityCalcPeriod, SECONDS) \
	X(PriorityDecayHalfLife, SECONDS) \
	X(PriorityFavorSmall, YES_NO) \
	X(PriorityFlags, WORDS) \
	X(PriorityMaxAge, SECONDS) \
	X(PriorityType, TEXT) \
	X(PriorityUsageResetPeriod, TEXT) \
	X(PriorityWeightAge, INTEGER) \
	X(PriorityWeightAssoc, INTEGER) \
	X(PriorityWeightFairShare, INTEGER) \
	X(PriorityWeightJobSize, INTEGER) \
	X(PriorityWeightPartition, INTEGER) \
	X(PriorityWeightQOS, INTEGER) \
	X(PriorityWeightTRES, TEXT) \
	X(PrivateData, WORDS) \
	X(SchedulerParameters, TEXT) \
	X(SelectType, TEXT) \
	X(SelectTypeParameters, TEXT) \
	X(TopologyParam, TEXT) \
	X(TopologyPlugin, TEXT)
#define FSI_SHOWN_SETTINGS(X) \
	X(AccountingStorageTRES, WORDS) \
	X(AccountingStorageType, TEXT) \
	X(BOOT_TIME, MOMENT) \
	X(CompleteWait, SECONDS) \
	X(DefMemPerCPU, INTEGER) \
	X(MaxJobCount, INTEGER) \
	X(PluginDir, TEXT) \
	X(PrioritySiteFactorPlugin, TEXT) \
	X(SchedulerType, TEXT)

#define FSI_COUNT_SETTING(name, kind) +1
enum { FSI_SETTINGS_COMPUTED = FSI_COMPUTED_SETTINGS(FSI_COUNT_SETTING) };
enum { FSI_SETTINGS = FSI_SETTINGS_COMPUTED FSI_SHOWN_SETTINGS(FSI_COUNT_SETTING) };

/* All stored parameters; those used in computations are first. */
extern const struct fsi_slurm_setting fsi_slurm_settings[FSI_SETTINGS];

/* Returns true if PriorityType is priority/multifactor, by configuration or default. With priority/basic, usage does
 * not decay and no factors are computed. */
bool fsi_slurm_is_multifactor(const fs_snapshot *m);

/* Returns true if PriorityFlags disable Fair Tree: NO_FAIR_TREE, or DEPTH_OBLIVIOUS (src/common/read_config.c). */
bool fsi_slurm_is_classic(const fs_snapshot *m);

/* Returns true if ended jobs keep their last factors: PriorityFlags contain CALCULATE_RUNNING, and Fair Tree is
 * disabled. Fair Tree computes the factors of all known jobs (priority_multifactor.c: decay_apply_new_usage,
 * fair_tree.c: fair_tree_decay). */
bool fsi_slurm_freezes_ended_jobs(const fs_snapshot *m);

/* Returns the part of SchedulerParameters that begins with the first occurrence of `word`; NULL: `word` does not occur.
 * `word` must be in lower case. The search ignores case, and also finds `word` inside longer words
 * (src/plugins/sched/backfill/backfill.c: _load_config). */
const char *fsi_slurm_find_sched_parameter(const fs_snapshot *m, const char *word);

#endif
