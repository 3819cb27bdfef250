/* The snapshot of a cluster: reading it, writing it, and small questions about it. */
#ifndef FS_SNAPSHOT_H
#define FS_SNAPSHOT_H

#include <fs/base.h>

FS_BEGIN_DECLS

/* All records of one cluster at one time. */
typedef struct fs_snapshot fs_snapshot;

/* A release of Slurm, 24.05.3, as a number: that of a later one is greater. */
#define FS_SLURM_RELEASE(major, minor, micro)                                                      \
	(((unsigned)(major) * 100u + (unsigned)(minor)) * 100u + (unsigned)(micro))
/* The first release of a series, 24.05.0. */
#define FS_SLURM_VERSION(major, minor) FS_SLURM_RELEASE(major, minor, 0)

/* The scheduler that a snapshot is of. */
enum fs_scheduler { FS_SLURM, FS_FLUX, FS_MAUI, FS_OTHER_SCHEDULER };

/* What the first line says, and what follows from the records for the whole. */
struct fs_snapshot_info {
	enum fs_scheduler kind; /* by the first word of scheduler; a file that names none is read as Slurm's */
	const char *file, *cluster, *scheduler, *captured_by, *usage_source; /* "" where the file does not say */
	unsigned version; /* FS_SLURM_RELEASE of the Slurm it came from, 0 if it is none */
	int64_t time; /* of the capture: the snapshot's clock */
	int64_t priority_time; /* time, if not known */
	bool priority_time_known; /* false: priority_time is time */
	const char *priority_time_from; /* "ages", "promises", "start", "no ages", "shares"; "" if nothing tells (fs-snapshot.5) */
	int64_t priority_time_error_s;  /* by how much it may be off; FS_UNKNOWN */
	int64_t priority_time_before; /* the calculation before that, of Slurm: a period before, if not known */
	const char *priority_time_before_from; /* "shares", "period" */
	int64_t priority_time_before_error_s; /* by how much it may be off; FS_UNKNOWN */
	int64_t shares_time; /* first question after priority_time for classic shares; time, if not known */
	int32_t utc_offset_s; /* at time */
	size_t associations, jobs, credentials; /* records that are kept */
	size_t usage_records; /* in the file */
};

/* What is not the same in all versions of Slurm, in the order in which it came. */
enum fs_slurm_feature {
	FS_SLURM_ALWAYS, /* every version has it */
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
	FS_SLURM_NODE_SIZES,
	FS_SLURM_RUN_MINUTES_OF_USERS,
	FS_SLURM_USERS_NODES_CUT,
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

/* One thing in which versions of Slurm differ. */
struct fs_slurm_difference {
	const char *name; /* of the enumerator, in words */
	unsigned since, until; /* FS_SLURM_RELEASE; until 0: it is so to this day */
	bool followed;	       /* false: we differ from the versions that have it */
	const char *what, *source; /* a sentence; file and function in Slurm's source */
};

/* Feature below FS_SLURM_FEATURES. */
FS_API const struct fs_slurm_difference *fs_slurm_difference(enum fs_slurm_feature feature);

/* Version 0, unknown, has what the newest has. */
FS_API bool fs_slurm_has(unsigned version, enum fs_slurm_feature feature);

/* The versions whose sources were read. What is older or newer is taken for the nearest of them. */
#define FS_SLURM_OLDEST FS_SLURM_VERSION(22, 5)
#define FS_SLURM_NEWEST FS_SLURM_VERSION(26, 11) /* the newest */
#define FS_SLURM_OLDEST_NAME "22.05" /* the same in words */
#define FS_SLURM_NEWEST_NAME "26.11" /* the same in words */

/* -1 if it is older than these, 1 if it is of a newer series, else 0. */
FS_API int fs_slurm_unknown(unsigned version);

/* "22.05.8", "26.11.0-0rc1" or "22.05" at the beginning of s to an FS_SLURM_RELEASE; 22.05 alone is the last of its
 * series. 0 if it is none. */
FS_API unsigned fs_slurm_release(const char *s);

/* Reads the format of man/fs-snapshot.5; name is for messages. Memory is bounded by the model, not by
 * the file. Errors: FS_EIO, FS_EDATA, FS_ENOMEM. */
FS_API int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Likewise from the file of that name. No other function of the library opens a file. */
FS_API int fs_snapshot_open(fs_snapshot **out, const char *path, struct fs_error *err);

/* Records that a question does not need are counted and scanned, but not kept: one that is broken inside is noticed
 * only where its JSON is. Zero: all are kept. */
struct fs_read_options {
	size_t size; /* FS_READ_OPTIONS_INIT */
	bool without_usage; /* no usage records */
	bool usage_follows;    /* fs_usage_read on the same file comes next: usage records are not even scanned */
	bool without_recorded; /* kept where records are hidden that what the scheduler printed stands in for */
	bool without_jobs;     /* kept where shares follow from them: in Maui, and for some algorithms of Slurm; in Slurm
				* always those that have ended */
};
#define FS_READ_OPTIONS_INIT FS_INIT(struct fs_read_options)
/* Reads as fs_snapshot_read does, with what o says; NULL: there is no difference. */
FS_API int fs_snapshot_read_with(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
				 const struct fs_read_options *o, struct fs_error *err);

/* ---- an index: what reading a file came to, as bytes

 * Only this build of libfs reads it back, only for the same file, and not on another kind of machine. */
struct fs_index_key {
	uint64_t size, mtime_ns, inode; /* of the file with the snapshot */
	uint64_t ends;			/* fs_index_checksum of some bytes of its beginning and its end, of the caller's choice */
};
/* A checksum of size bytes. */
FS_API uint64_t fs_index_checksum(const void *data, size_t size);

/* Writes an index of a snapshot that was read with everything. Error: FS_EIO. */
FS_API int fs_index_write(const fs_snapshot *s, const struct fs_index_key *key, fs_write_fn write, void *ctx,
			  struct fs_error *err);

/* The bytes stand on a multiple of 16, keep their values, and last until the snapshot calls release (NULL: nothing).
 * They may come from anybody: whatever they are, the answer is a snapshot or an error. */
struct fs_index {
	const void *bytes; /* the whole index */
	size_t size; /* of bytes */
	struct fs_index_key key; /* as it is now */
	void (*release)(void *ctx); /* called once, when the snapshot is freed */
	void *release_ctx; /* its argument */
};

/* Reads an index. What o leaves out is left out here too, but for jobs; threads say nothing. Errors: FS_EDATA with
 * why the index cannot be used, FS_ENOMEM; then nothing is released. */
FS_API int fs_index_read(fs_snapshot **out, const struct fs_index *index, const char *name,
			 const struct fs_read_options *o, struct fs_error *err);

/* Writes it back in canonical order; reading that gives the same snapshot. Errors: FS_EIO. */
FS_API int fs_snapshot_write(const fs_snapshot *s, fs_write_fn write, void *ctx, struct fs_error *err);

/* A copy that may be changed by itself. Error: FS_ENOMEM. */
FS_API int fs_snapshot_copy(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

FS_API void fs_snapshot_free(fs_snapshot *s); /* NULL is fine; after all that was made of it */

FS_API const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *s); /* borrowed from s */

/* What was skipped or could not be known, one sentence each. */
FS_API size_t fs_snapshot_warnings(const fs_snapshot *s);
FS_API const char *fs_snapshot_warning(const fs_snapshot *s, size_t i); /* NULL past the end */

/* Is records of this type ("job", "association", ...) missing or incomplete? */
FS_API bool fs_snapshot_hidden(const fs_snapshot *s, const char *type);

/* The i-th file that the snapshot was made from: "TYPE FILE whole", "partial" or "missing"; NULL behind the last, and
 * where nothing says. The text is the file's own. */
FS_API const char *fs_snapshot_source(const fs_snapshot *s, size_t i);

/* How many records of this type the file has. */
FS_API size_t fs_snapshot_records(const fs_snapshot *s, const char *type);

/* Gets something worth knowing: one sentence, borrowed for the call. */
typedef void (*fs_note_fn)(void *ctx, const char *sentence);

/* References between records that lead nowhere, one sentence each, to note, which may not be NULL. These are legal (a
 * capture may hide things) but worth knowing. Returns how many. Of Maui also what maui.cfg does not set and its own
 * defaults hold for, which does not count. */
FS_API size_t fs_snapshot_check(const fs_snapshot *s, fs_note_fn note, void *ctx);

/* A point in time as a user writes it, against the snapshot's clock: seconds since 1970, local time
 * `YYYY-MM-DD[THH:MM[:SS]]`, or `+` and how much later: `+1w`, `+2d`, `+12h`, `+30m`, `+90s` or `+90`,
 * `+1-06:00:00`. Error: FS_EUSAGE. */
FS_API int fs_time_parse(const fs_snapshot *s, const char *text, int64_t *out, struct fs_error *err);

/* `YYYY-MM-DDTHH:MM:SS` in the cluster's local time. */
enum { FS_TIME_TEXT = 80 };
FS_API const char *fs_time_format(const fs_snapshot *s, int64_t t, char buf[FS_TIME_TEXT]); /* returns buf */
/* Local time minus UTC at t, in seconds. */
FS_API int32_t fs_snapshot_utc_offset(const fs_snapshot *s, int64_t t);

/* Partitions by position, NULL past the end. */
FS_API const char *fs_snapshot_partition_name(const fs_snapshot *s, size_t i);

/* Login name of a numeric user id, or NULL. */
FS_API const char *fs_snapshot_user_name(const fs_snapshot *s, uint32_t uid);
/* Has an association, a job or a record of that user been captured? */
FS_API bool fs_snapshot_has_user(const fs_snapshot *s, const char *name);
/* Has an association or a job of that account been captured? */
FS_API bool fs_snapshot_has_account(const fs_snapshot *s, const char *name);
/* The i-th of those who coordinate the account, as far as the viewer (NULL: nobody in particular) may know; NULL
 * past the end. */
FS_API const char *fs_snapshot_coordinator(const fs_snapshot *s, const char *viewer, const char *account, size_t i);

/* Is the account the ancestor itself or below it? */
FS_API bool fs_snapshot_account_within(const fs_snapshot *s, const char *account, const char *ancestor);

/* The configuration value as the scheduler writes it ("CPU=1000,Mem=2000"); NULL: there is none, or it is a number. */
FS_API const char *fs_snapshot_config_text(const fs_snapshot *s, const char *name);
/* The configuration value as a number, times in seconds; NAN: there is none, or it is text. */
FS_API double fs_snapshot_config_number(const fs_snapshot *s, const char *name);

/* Flux job ids in base 58: "ƒ2dTAM4jKm", in ASCII "f2dTAM4jKm". fs_job_id_parse reads both. */
enum { FS_F58_TEXT = 16 };
FS_API const char *fs_f58_format(uint64_t id, bool ascii, char buf[FS_F58_TEXT]); /* returns buf */

/* The record types and fields of the format, for documentation: type i (0: the first line), field k;
 * each returns false past the end. */
struct fs_format_field {
	const char *key, *type, *unit, *help; /* help: a clause; unit "" where there is none */
	bool required; /* a record without it is an error */
};
FS_API bool fs_format_type(size_t i, const char **type); /* type: "job", ... */
FS_API bool fs_format_field(size_t i, size_t k, struct fs_format_field *out); /* field k of type i */

FS_END_DECLS

#endif
