/* Snapshot of a cluster: reading, writing, copying, and basic queries. */
#ifndef FS_SNAPSHOT_H
#define FS_SNAPSHOT_H

#include <fs/base.h>

FS_BEGIN_DECLS

/* All records of one cluster at one time. */
typedef struct fs_snapshot fs_snapshot;

/* A Slurm release such as 24.05.3 as a number; a later release has a greater number. */
#define FS_SLURM_RELEASE(major, minor, micro)                                                      \
	(((unsigned)(major) * 100u + (unsigned)(minor)) * 100u + (unsigned)(micro))
/* The number of the first release of a series: FS_SLURM_VERSION(24, 5) is the number of 24.05.0. */
#define FS_SLURM_VERSION(major, minor) FS_SLURM_RELEASE(major, minor, 0)

/* Scheduler from which a snapshot was captured. */
enum fs_scheduler { FS_SLURM, FS_FLUX, FS_MAUI, FS_OTHER_SCHEDULER };

/* Header of a snapshot, and values derived from its records. Times are seconds since the epoch. */
struct fs_snapshot_info {
	/* scheduler that the first word of `scheduler` names; FS_SLURM if the file names none */
	enum fs_scheduler kind;
	/* "": the snapshot file does not contain this value */
	const char *file, *cluster, *scheduler, *captured_by, *usage_source;
	/* Slurm: version of the captured scheduler, as a number of FS_SLURM_RELEASE; other schedulers: 0 */
	unsigned version;
	int64_t time; /* time of the capture: the clock of the snapshot */
	int64_t priority_time; /* time of the last priority calculation; if unknown, equal to `time` */
	bool priority_time_known; /* false: priority_time is equal to `time` */
	/* method by which priority_time was found, one of the words in fs-snapshot(5): "ages", "promises", "start", "no
	 * ages" or "shares"; "": unknown */
	const char *priority_time_from;
	int64_t priority_time_error_s;  /* maximum error of priority_time, seconds; FS_UNKNOWN: not known */
	/* Slurm: time of the priority calculation before the one at priority_time; if unknown, priority_time minus one
	 * period */
	int64_t priority_time_before;
	/* method by which priority_time_before was found: "shares" or "period" */
	const char *priority_time_before_from;
	int64_t priority_time_before_error_s; /* maximum error of priority_time_before; FS_UNKNOWN: not known */
	/* time of the first request for shares (such as sshare) after priority_time; if unknown, equal to `time` */
	int64_t shares_time;
	int32_t utc_offset_s; /* local time minus UTC at `time`, seconds */
	size_t associations, jobs, credentials; /* number of records of each type in memory */
	size_t usage_records; /* number of usage records in the file */
};

/* Behaviours that differ between versions of Slurm, in the order in which they were introduced. fs_slurm_difference
 * returns a description of each. */
enum fs_slurm_feature {
	FS_SLURM_ALWAYS, /* every version counts as having this behaviour */
	FS_SLURM_TASKS_LEAVE_CPUS,
	FS_SLURM_ADMIN_SET_CLEARED,
	FS_SLURM_SPRIO_NAMES,
	FS_SLURM_SPRIO_FILTERS,
	FS_SLURM_NODES_SET_MOST,
	FS_SLURM_TASKS_SET_CPUS,
	FS_SLURM_TREE_COUNTS_CPUS,
	FS_SLURM_SLEEPERS_WEIGH,
	FS_SLURM_PROMISES_AGAIN,
	FS_SLURM_THROTTLES_PLANNED,
	FS_SLURM_GRES_REPLACED,
	FS_SLURM_MULTIFACTOR_DEFAULT,
	FS_SLURM_LINEAGE,
	FS_SLURM_SSHARE_JSON,
	FS_SLURM_TRES_SLASH,
	FS_SLURM_COUNTS_LICENSES,
	FS_SLURM_WEIGHS_ANEW,
	FS_SLURM_EXCLUSIVE_TOLD,
	FS_SLURM_SHARING_FORGOTTEN,
	FS_SLURM_PARSER_41,
	FS_SLURM_SPRIO_TASK_IDS,
	FS_SLURM_SPRIO_ID_LISTS_FAIL,
	FS_SLURM_SPRIO_HELPFORMAT,
	FS_SLURM_CLUSTERS_LATER,
	FS_SLURM_NODE_SIZES,
	FS_SLURM_RUN_MINUTES_OF_USERS,
	FS_SLURM_USERS_NODES_CUT,
	FS_SLURM_COORDINATORS_LOWER,
	FS_SLURM_TREE_COUNTS_LEFT,
	FS_SLURM_ACCRUE_SMALLEST,
	FS_SLURM_PARSER_42,
	FS_SLURM_JSON_OBJECTS,
	FS_SLURM_BACKFILL_LOOKS_AHEAD,
	FS_SLURM_MAGNETIC_SLOT,
	FS_SLURM_SEVERAL_QOS,
	FS_SLURM_LICENSES_ANYWHERE,
	FS_SLURM_NEW_NODES_LATER,
	FS_SLURM_PARSER_43,
	FS_SLURM_JSON_VARIABLE,
	FS_SLURM_RESERVES_LICENSES_ALONE,
	FS_SLURM_KEPT_LICENSES_COMPARED,
	FS_SLURM_ENDED_BY_START,
	FS_SLURM_WAKING_LAST,
	FS_SLURM_LAST_ON_NODES,
	FS_SLURM_PARSER_44,
	FS_SLURM_DAEMON_FACTOR,
	FS_SLURM_REQUEUE_DELAY,
	FS_SLURM_LEAVES_OUT_SINGLY,
	FS_SLURM_TASKS_BOUND_GRES,
	FS_SLURM_PARSER_45,
	FS_SLURM_FIRST_OF_ONE,
	FS_SLURM_TASKS_SET_MOST,
	FS_SLURM_SLUID,
	FS_SLURM_EXCLUSIVE_FIELD,
	FS_SLURM_JSON_LAST_WORD,
	FS_SLURM_PARSER_46,
	FS_SLURM_FEATURES
};

/* Description of a behaviour that differs between versions of Slurm. */
struct fs_slurm_difference {
	const char *name; /* short name of the behaviour, derived from the enumerator */
	/* since: first release with the behaviour; until: first later release without it, 0: none */
	unsigned since, until;
	bool followed;	       /* false: this library does not reproduce this behaviour of Slurm */
	const char *what, *source; /* what: description, a sentence; source: file and function in Slurm's source */
};

/* Returns the description of a feature. `feature` must not be FS_SLURM_FEATURES, which is the number of features. */
FS_API const struct fs_slurm_difference *fs_slurm_difference(enum fs_slurm_feature feature);

/* Returns true if the version has the feature. Version 0 (unknown) has the features of the newest version. */
FS_API bool fs_slurm_has(unsigned version, enum fs_slurm_feature feature);

/* Oldest and newest series that this library reproduces. An older version is treated as the oldest, a newer one as the
 * newest. */
#define FS_SLURM_OLDEST FS_SLURM_VERSION(22, 5)
#define FS_SLURM_NEWEST FS_SLURM_VERSION(26, 11) /* newest series */
#define FS_SLURM_OLDEST_NAME "22.05" /* FS_SLURM_OLDEST as text */
#define FS_SLURM_NEWEST_NAME "26.11" /* FS_SLURM_NEWEST as text */

/* Returns -1 if the version is older than FS_SLURM_OLDEST, 1 if its series is newer than FS_SLURM_NEWEST, else 0. */
FS_API int fs_slurm_unknown(unsigned version);

/* Parses a release such as "22.05.8", "26.11.0-0rc1" or "22.05" at the beginning of `s`. Without a micro number, the
 * result is the last release of the series. Returns 0 if `s` does not begin with a release. */
FS_API unsigned fs_slurm_release(const char *s);

/* Reads the format of fs-snapshot(5). `name` is used in messages. Memory use depends on the number of stored records,
 * not on the size of the file. Errors: FS_EIO, FS_EDATA, FS_ENOMEM. */
FS_API int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Reads the file `path` as fs_snapshot_read does. No other function of the library opens a file. */
FS_API int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err);

/* Options of fs_snapshot_read_with. The options exclude record types that the caller does not need. Excluded records
 * are counted and their JSON is checked, but they are not stored, and invalid values in them are not reported. If all
 * members are zero, all records are stored. */
struct fs_read_options {
	size_t size; /* size of this struct in bytes; FS_READ_OPTIONS_INIT sets it */
	bool without_usage; /* true: usage records are not stored */
	/* true: excluded usage records are not checked, because the caller later reads them with fs_usage_read */
	bool usage_follows;
	bool without_recorded; /* true: `recorded` records are stored only if results depend on them */
	/* true: jobs are not stored, unless shares depend on them. Shares depend on jobs in Maui and with some
	 * algorithms of Slurm. Ended jobs of Slurm are always stored. */
	bool without_jobs;
};
#define FS_READ_OPTIONS_INIT FS_INIT(struct fs_read_options)
/* Reads a snapshot as fs_snapshot_read does, with the options `o` (NULL: defaults). */
FS_API int fs_snapshot_read_with(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
				 const struct fs_read_options *o, struct fs_error *err);

/* ---- index: the parsed form of a snapshot file, as bytes
 *
 * An index can be read only by the build of libfs that wrote it, on the same kind of machine, and while the snapshot
 * file is unchanged. */
struct fs_index_key {
	uint64_t size, mtime_ns, inode; /* size, modification time in nanoseconds and inode of the snapshot file */
	/* fs_index_checksum of bytes at the beginning and the end of the snapshot file; the caller chooses how many
	 * bytes */
	uint64_t ends;
};
/* Returns a checksum of `size` bytes. */
FS_API uint64_t fs_index_checksum(const void *data, size_t size);

/* Writes an index of a snapshot. The snapshot must have been read without excluding records. Errors: FS_EIO. */
FS_API int fs_index_write(const fs_snapshot *s, const struct fs_index_key *key, fs_write_fn write, void *ctx,
			  struct fs_error *err);

/* An index in memory. The address of `bytes` is a multiple of 16. The bytes must not change and must stay in memory
 * until the snapshot that was read from them is freed; `release` is then called, unless `release` is NULL. The bytes
 * may come from an untrusted source: whatever they contain, fs_index_read returns a valid snapshot or an error. */
struct fs_index {
	const void *bytes; /* contents of the index */
	size_t size; /* size of the index in bytes */
	/* key of the snapshot file as it is now; fs_index_read fails if the index was written with another key */
	struct fs_index_key key;
	void (*release)(void *ctx); /* called once, when the snapshot is freed */
	void *release_ctx; /* passed to `release` as its argument */
};

/* Reads an index. The snapshot contains all jobs, and all other records that `o` does not exclude. Errors: FS_EDATA if
 * the index cannot be used, with the reason in *err; FS_ENOMEM. After an error, index->release is not called. */
FS_API int fs_index_read(fs_snapshot **out, const struct fs_index *index, const char *name,
			 const struct fs_read_options *o, struct fs_error *err);

/* Writes the snapshot in the format of fs-snapshot(5), with records in canonical order. Reading the output gives the
 * same snapshot. Errors: FS_EIO. */
FS_API int fs_snapshot_write(const fs_snapshot *s, fs_write_fn write, void *ctx, struct fs_error *err);

/* Creates an independent copy. Errors: FS_ENOMEM. */
FS_API int fs_snapshot_copy(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

FS_API void fs_snapshot_free(fs_snapshot *s); /* NULL is allowed; first free all results computed from the snapshot */

/* returns the header of the snapshot; valid until the snapshot is freed */
FS_API const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *s);

/* Returns the number of warnings. A warning is a sentence about data that was skipped or could not be determined. */
FS_API size_t fs_snapshot_warnings(const fs_snapshot *s);
FS_API const char *fs_snapshot_warning(const fs_snapshot *s, size_t i); /* returns warning i; NULL past the end */

/* Returns true if records of this type ("job", "association", ...) are missing or incomplete. */
FS_API bool fs_snapshot_hidden(const fs_snapshot *s, const char *type);

/* Returns a text about the i-th file from which the snapshot was made, as recorded in the snapshot: "TYPE FILE STATE".
 * STATE is "whole", "partial" or "missing". NULL past the end, or if the files are not recorded. */
FS_API const char *fs_snapshot_source(const fs_snapshot *s, size_t i);

/* Returns the number of records of this type in the snapshot file, including records that were not stored. */
FS_API size_t fs_snapshot_records(const fs_snapshot *s, const char *type);

/* Receives a note: one sentence, valid during the call. */
typedef void (*fs_note_fn)(void *ctx, const char *sentence);

/* Passes one sentence to `note` (not NULL) for each reference to a missing record. Such references are valid, since a
 * capture may hide records. Returns the number of such references. Maui: also passes a sentence for each parameter that
 * maui.cfg does not set; the returned number does not count these sentences. */
FS_API size_t fs_snapshot_check(const fs_snapshot *s, fs_note_fn note, void *ctx);

/* Parses a time as users write it: seconds since the epoch; local time `YYYY-MM-DD[THH:MM[:SS]]`; or a duration after
 * the snapshot's time: `+1w`, `+2d`, `+12h`, `+30m`, `+90s`, `+90`, `+1-06:00:00`. Errors: FS_EUSAGE. */
FS_API int fs_time_parse(const fs_snapshot *s, const char *text, int64_t *out, struct fs_error *err);

/* Buffer size for fs_time_format, which writes `YYYY-MM-DDTHH:MM:SS` in the cluster's local time. */
enum { FS_TIME_TEXT = 80 };
FS_API const char *fs_time_format(const fs_snapshot *s, int64_t t, char buf[FS_TIME_TEXT]); /* returns buf */
/* Returns local time minus UTC at time `t`, seconds. */
FS_API int32_t fs_snapshot_utc_offset(const fs_snapshot *s, int64_t t);

/* Returns the name of the i-th partition, NULL past the end. */
FS_API const char *fs_snapshot_partition_name(const fs_snapshot *s, size_t i);

/* Returns the login name of a numeric user id; NULL: unknown. */
FS_API const char *fs_snapshot_user_name(const fs_snapshot *s, uint32_t uid);
/* Returns true if the snapshot has an association, a job or a user record of that user that the viewer may see. If
 * `viewer` is NULL, everything is visible. */
FS_API bool fs_snapshot_has_user(const fs_snapshot *s, const char *viewer, const char *name);
/* Returns true if the snapshot has a job of that account, or an association of it or of an account below it, that the
 * viewer may see. If `viewer` is NULL, everything is visible. */
FS_API bool fs_snapshot_has_account(const fs_snapshot *s, const char *viewer, const char *name);
/* Returns the login name of the i-th coordinator of the account whom the viewer may see; NULL past the end. If `viewer`
 * is NULL, all coordinators are visible. */
FS_API const char *fs_snapshot_coordinator(const fs_snapshot *s, const char *viewer, const char *account, size_t i);

/* Returns true if `account` is `ancestor` or is below it in the tree. */
FS_API bool fs_snapshot_account_within(const fs_snapshot *s, const char *account, const char *ancestor);

/* Returns the value of a configuration parameter as the scheduler writes it ("CPU=1000,Mem=2000"). NULL: the parameter
 * is missing, or its value is a number. */
FS_API const char *fs_snapshot_config_text(const fs_snapshot *s, const char *name);
/* Returns the value of a configuration parameter as a number, times in seconds. NAN: the parameter is missing, or its
 * value is text. */
FS_API double fs_snapshot_config_number(const fs_snapshot *s, const char *name);

/* Formats a Flux job id in base 58: "ƒ2dTAM4jKm", or in ASCII "f2dTAM4jKm". fs_job_id_parse reads both. */
enum { FS_F58_TEXT = 16 };
FS_API const char *fs_f58_format(uint64_t id, bool ascii, char buf[FS_F58_TEXT]); /* returns buf */

/* Record types and fields of the snapshot format, for documentation. Type 0 is the header. Both functions return false
 * past the end. */
struct fs_format_field {
	const char *key, *type, *unit, *help; /* `unit`: "" if the field has none; `help`: meaning of the field */
	bool required; /* true: a record without the field is an error */
};
FS_API bool fs_format_type(size_t i, const char **type); /* sets *type to a record type, such as "job" */
FS_API bool fs_format_field(size_t i, size_t k, struct fs_format_field *out); /* sets *out to field k of type i */

FS_END_DECLS

#endif
