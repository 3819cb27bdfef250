/* Slurm's parameters with types, defaults and ranges, from the snapshot's configuration. */
#ifndef FSI_MODEL_SLURM_H
#define FSI_MODEL_SLURM_H

#include "model/tables.h"

struct fsi_tres_weight {
	uint32_t tres; /* name */
	double weight; /* per unit (mem: per MiB) */
};

enum { FSI_TRES_WEIGHTS_MAX = 64 };

struct fsi_slurm_conf {
	bool multifactor;
	bool site_plugin; /* a plugin of the site sets factors: of a job without one it is unknown */
	uint32_t weight_age, weight_assoc, weight_fairshare, weight_jobsize, weight_partition, weight_qos;
	struct fsi_tres_weight weight_tres[FSI_TRES_WEIGHTS_MAX]; /* in the cluster's TRES order */
	size_t ntres;
	int64_t max_age_s;
	bool favor_small;
	bool no_normal_assoc, no_normal_part, no_normal_qos, no_normal_tres;
	bool small_relative_to_time, accrue_always, calculate_running;
};

/* Errors: FS_ENODATA when the configuration was not captured, FS_EDATA with the parameter's name for a
 * value of the wrong type or range. */
int fsi_slurm_conf_load(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err);

/* `cpu=1,mem=0.25G,gres/gpu=2` (src/common/slurm_protocol_api.c:_tres_weight_item): the suffix says what
 * one unit of the weight is for; mem and bb count MiB, so G divides by 1024 and K and M by nothing.
 * Of a TRES named twice the last weight counts; empty items do not matter.
 * Fills at most FSI_TRES_WEIGHTS_MAX; returns how many, or -1 for a bad list. */
int fsi_tres_weights(const fs_snapshot *m, const char *text, struct fsi_tres_weight *out);

/* What Slurm's configuration is kept of, each value as FSI_CONFIG_ says: INTEGER, SECONDS and MOMENT (of the
 * scheduler's clock) a whole number, YES_NO a bool, WORDS a list, TEXT as it stands. */
enum fsi_setting_kind {
	FSI_SETTING_INTEGER,
	FSI_SETTING_SECONDS,
	FSI_SETTING_MOMENT,
	FSI_SETTING_YES_NO,
	FSI_SETTING_WORDS,
	FSI_SETTING_TEXT
};

struct fsi_slurm_setting {
	const char *name;
	enum fsi_setting_kind kind;
};

/* X(name, kind): those that a command computes with, and those that it shows at most. */
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
#define FSI_IDLE_SETTINGS(X) \
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
enum { FSI_SETTINGS = FSI_SETTINGS_COMPUTED FSI_IDLE_SETTINGS(FSI_COUNT_SETTING) };

/* Those that are computed with come first. */
extern const struct fsi_slurm_setting fsi_slurm_settings[FSI_SETTINGS];

/* Is PriorityType priority/multifactor, by configuration or default? With priority/basic nothing decays or is
 * computed. */
bool fsi_is_multifactor(const fs_snapshot *m);

/* Is Fair Tree switched off, by DEPTH_OBLIVIOUS too (src/common/read_config.c)? */
bool fsi_slurm_is_classic(const fs_snapshot *m);

/* Do jobs that have ended keep the factors of when they ran? So it is where those that run are computed too and fair
 * share is not by Fair Tree, which computes all that are known (priority_multifactor.c: decay_apply_new_usage,
 * fair_tree.c: fair_tree_decay). */
bool fsi_slurm_keeps_ended(const fs_snapshot *m);

/* SchedulerParameters from that word on, which is in small letters, NULL: it is not there. Substrings count, and
 * capitals do not matter (src/plugins/sched/backfill/backfill.c: _load_config). */
const char *fsi_slurm_find_sched_parameter(const fs_snapshot *m, const char *word);

#endif
