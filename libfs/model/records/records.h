/* Record types of a snapshot. Each table of fields (fields_*.h, and the header's table in this file) lists every field
 * once. The structs, the reader, the writer and the field lists of man/fs-snapshot.5 are generated from the tables; a
 * test compares the manual page.
 *
 * X(member, TYPE, FLAGS, unit, meaning); member is also the JSON key
 *   TYPE   C type     JSON
 *   U32    uint32_t   integer 0..4294967295
 *   U64    uint64_t   integer 0..18446744073709551615, exact
 *   I32    int32_t    integer
 *   TIME   int64_t    integer >= 0, seconds since 1970
 *   DUR    int64_t    integer >= 0, or "unlimited"
 *   SHARES uint32_t   integer, or "parent"
 *   DBL    double     number
 *   BOOL   bool       true or false
 *   STR    uint32_t   string (interned)
 *   STATE  uint8_t    one of FSI_JOB_STATES
 *   LIST   uint32_t   list of strings (interned set of string ids)
 *   TRES   uint32_t   object: TRES name to integer (interned set)
 *   TRESF  uint32_t   object: TRES name to number (interned set)
 *   FLAGS  REQ required, POS not negative, PART from 0 to 1, ROLE_... what a text names (enum fsi_role), 0 none
 * A missing field is unknown, which differs from 0: its bit in rec.has is clear. The words "unlimited" and "parent" set
 * the bit in rec.special. */
#ifndef FSI_MODEL_RECORDS_H
#define FSI_MODEL_RECORDS_H

#include "model/records/fields_accounting.h"
#include "model/records/fields_job.h"
#include "model/records/fields_machine.h"
#include "model/records/fields_maui.h"
#include "model/records/presence.h"

#define FSI_C_U32 uint32_t
#define FSI_C_U64 uint64_t
#define FSI_C_I32 int32_t
#define FSI_C_TIME int64_t
#define FSI_C_DUR int64_t
#define FSI_C_SHARES uint32_t
#define FSI_C_DBL double
#define FSI_C_BOOL bool
#define FSI_C_STR uint32_t
#define FSI_C_STATE uint8_t
#define FSI_C_LIST uint32_t
#define FSI_C_TRES uint32_t
#define FSI_C_TRESF uint32_t

enum fsi_field_type {
	FSI_U32,
	FSI_U64,
	FSI_I32,
	FSI_TIME,
	FSI_DUR,
	FSI_SHARES,
	FSI_DBL,
	FSI_BOOL,
	FSI_STR,
	FSI_STATE,
	FSI_LIST,
	FSI_TRES,
	FSI_TRESF
};

/* The tables of fields do not use FSI_OPTIONAL: libfs/model/records/records.c sets it for members of struct
 * fsi_job_ext. */
enum { FSI_REQ = 1, FSI_POS = 2, FSI_PART = 6, FSI_OPTIONAL = 8 };

/* Role of a text field (STR or LIST): what the text names. The role decides how fs_snapshot_anonymise replaces the
 * text. */
enum fsi_role {
	FSI_ROLE_REMOVE = 0,  /* free text; removed */
	FSI_ROLE_KEEP = 0x10, /* a word that the scheduler or the hardware defines; not replaced */
	FSI_ROLE_CLUSTER = 0x20,
	FSI_ROLE_USER = 0x30,
	FSI_ROLE_GROUP = 0x40,
	FSI_ROLE_ACCOUNT = 0x50,
	FSI_ROLE_QOS = 0x60,
	FSI_ROLE_PARTITION = 0x70,
	FSI_ROLE_PROJECT = 0x80,
	FSI_ROLE_RESERVATION = 0x90,
	FSI_ROLE_JOB = 0xa0,
	FSI_ROLE_NODES = 0xb0, /* node names or a hostlist: only letters outside brackets are replaced */
	/* wait reason: a known reason is kept, without the node list after its colon; any other reason is replaced */
	FSI_ROLE_REASON = 0xc0,
	/* name of a Maui credential; the member `kind` of the record determines the role of the name */
	FSI_ROLE_BY_KIND = 0xd0,
	FSI_ROLE_BITS = 0xf0 /* the bits of `flags` that contain the role */
};

#define FSI_SNAPSHOT_FIELDS(X)                                                                     \
	X(format, U32, FSI_REQ, "", "version of the snapshot format: 1")                           \
	X(time, TIME, FSI_REQ, "s", "time of the capture, which all commands use as the present time") \
	X(cluster, STR, FSI_REQ | FSI_ROLE_CLUSTER, "", "name of the cluster")                     \
	X(scheduler, STR, FSI_REQ | FSI_ROLE_KEEP, "", "scheduler and version: \"slurm 26.11.0\"") \
	X(captured_by, STR, FSI_ROLE_USER, "", "login name of the user whose view was captured")   \
	X(utc_offset_s, I32, 0, "s", "local time minus UTC at the capture")                        \
	X(utc_offsets, LIST, FSI_ROLE_KEEP, "s", "start time and value of each UTC offset, earliest first, if the offset changes: \"1792890000 3600\"") \
	X(priority_time, TIME, 0, "s", "when the scheduler last computed priorities")              \
	X(priority_time_from, STR, FSI_ROLE_KEEP, "", "source of priority_time: \"ages\" (of pending jobs), \"promises\" (run minutes of running jobs), \"start\" (of the controller), \"no ages\" (accrue times of jobs without age) or \"shares\"") \
	X(priority_time_error_s, U32, 0, "s", "maximum error of priority_time")   \
	X(priority_time_before, TIME, 0, "s", "time of the priority calculation before priority_time; with the classic algorithm, shares of accounts exclude later usage") \
	X(priority_time_before_from, STR, FSI_ROLE_KEEP, "", "source of priority_time_before: \"shares\" or \"period\"") \
	X(priority_time_before_error_s, U32, 0, "s", "maximum error of priority_time_before") \
	X(shares_time, TIME, 0, "s", "time of the first request for shares after priority_time; the classic algorithm computes shares of users without pending jobs at this time") \
	X(list_order, STR, FSI_ROLE_KEEP, "",                                                      \
	  "Slurm before 23.11: order of sibling accounts with equal LevelFS, \"database\" or \"name\"") \
	X(new_tree, BOOL, 0, "", "true: accounts had no normalized usage before priority_time; absent: inferred from BOOT_TIME") \
	X(usage_source, STR, FSI_ROLE_KEEP, "", "source of usage (see CAVEATS)")                    \
	X(whole_shares, BOOL, 0, "",                                                               \
	  "true: recorded usage and level_fs have full precision (sshare --json), not six decimals") \
	X(active_nodes, U32, 0, "", "Maui: number of active nodes in showq")                       \
	X(hidden, LIST, FSI_ROLE_KEEP, "", "record types that are missing or incomplete in the capture") \
	X(incomplete, LIST, 0, "", "messages about data missing from captured files")              \
	X(sources, LIST, FSI_ROLE_KEEP, "", "record type, name and state (\"whole\", \"partial\" or \"missing\") of each captured file: \"job squeue_O.txt missing\"")

/* X(TAG, struct name, JSON type) for each record type with a table in struct fs_snapshot. */
#define FSI_RECORD_TYPES(X)                                                                        \
	X(TRES, tres, "tres")                                                                      \
	X(ASSOCIATION, association, "association")                                                 \
	X(USER, user, "user")                                                                      \
	X(QOS, qos, "qos")                                                                         \
	X(PARTITION, partition, "partition")                                                       \
	X(NODE, node, "node")                                                                      \
	X(RESERVATION, reservation, "reservation")                                                 \
	X(JOB, job, "job")                                                                         \
	X(USAGE, usage, "usage")                                                                   \
	X(GRANT, grant, "grant")                                                                   \
	X(CREDENTIAL, credential, "credential")                                                    \
	X(WINDOW, window, "window")                                                                \
	X(TRIED, tried, "tried")                                                                   \
	X(RECORDED, recorded, "recorded")

#define FSI_JOB_STATES(X)                                                                          \
	X(PENDING) X(RUNNING) X(SUSPENDED) X(CONFIGURING) X(COMPLETING) X(COMPLETED) X(CANCELLED)  \
	X(FAILED) X(TIMEOUT) X(NODE_FAIL) X(PREEMPTED) X(BOOT_FAIL) X(DEADLINE) X(OUT_OF_MEMORY)   \
	X(REQUEUED) X(REQUEUE_HOLD) X(REQUEUE_FED) X(SPECIAL_EXIT) X(RESIZING) X(SIGNALING)        \
	X(STAGE_OUT) X(STOPPED) X(REVOKED) X(LAUNCH_FAILED) X(FUTURE) X(UNKNOWN)

#define FSI_STATE_ENUM(s) FSI_STATE_##s,
enum fsi_job_state { FSI_JOB_STATES(FSI_STATE_ENUM) FSI_STATE_COUNT };
#undef FSI_STATE_ENUM

#define FSI_MEMBER(member, type, flags, unit, help) FSI_C_##type member;
#define FSI_MEMBER_EXT(member, type, flags, unit, help)
/* 1 + row of the job's optional fields in table job_ext; 0: all optional fields are 0 */
#define FSI_MEMBER_LINK uint32_t ext;

/* Names of the presence bits in rec.has: FSI_, the record type, and the name of the field. */
#define FSI_F_SNAPSHOT(m, t, f, u, h) FSI_SNAPSHOT_##m,
#define FSI_F_TRES(m, t, f, u, h) FSI_TRES_##m,
#define FSI_F_ASSOCIATION(m, t, f, u, h) FSI_ASSOCIATION_##m,
#define FSI_F_USER(m, t, f, u, h) FSI_USER_##m,
#define FSI_F_QOS(m, t, f, u, h) FSI_QOS_##m,
#define FSI_F_PARTITION(m, t, f, u, h) FSI_PARTITION_##m,
#define FSI_F_NODE(m, t, f, u, h) FSI_NODE_##m,
#define FSI_F_RESERVATION(m, t, f, u, h) FSI_RESERVATION_##m,
#define FSI_F_JOB(m, t, f, u, h) FSI_JOB_##m,
#define FSI_F_JOB_EXT FSI_F_JOB
#define FSI_F_JOB_LINK
#define FSI_F_USAGE(m, t, f, u, h) FSI_USAGE_##m,
#define FSI_F_GRANT(m, t, f, u, h) FSI_GRANT_##m,
#define FSI_F_CREDENTIAL(m, t, f, u, h) FSI_CREDENTIAL_##m,
#define FSI_F_WINDOW(m, t, f, u, h) FSI_WINDOW_##m,
#define FSI_F_TRIED(m, t, f, u, h) FSI_TRIED_##m,
#define FSI_F_RECORDED(m, t, f, u, h) FSI_RECORDED_##m,

enum { FSI_SNAPSHOT_FIELDS(FSI_F_SNAPSHOT) FSI_SNAPSHOT_COUNT };
_Static_assert(FSI_SNAPSHOT_COUNT <= FSI_FIELDS_MAX, "one presence bit per field");

struct fsi_header {
	struct fsi_rec rec;
	FSI_SNAPSHOT_FIELDS(FSI_MEMBER)
};

#define FSI_RECORD_STRUCT(TAG, name, json)                                                         \
	enum { FSI_##TAG##_FIELDS(FSI_F_##TAG) FSI_##TAG##_COUNT };                                \
	struct fsi_##name {                                                                        \
		struct fsi_rec rec;                                                                \
		FSI_##TAG##_FIELDS(FSI_MEMBER)                                                     \
	};                                                                                         \
	_Static_assert(FSI_##TAG##_COUNT <= FSI_FIELDS_MAX, "one presence bit per field");
FSI_RECORD_TYPES(FSI_RECORD_STRUCT)
#undef FSI_RECORD_STRUCT

/* Optional fields, which few jobs have, are in a separate table to save memory. Their presence bits are in the job's
 * record. */
#define FSI_EXT_MEMBER(member, type, flags, unit, help)
#define FSI_EXT_MEMBER_EXT FSI_MEMBER
#define FSI_EXT_MEMBER_LINK
struct fsi_job_ext {
	FSI_JOB_FIELDS(FSI_EXT_MEMBER)
};
/* The optional fields of every job that has no optional field. All members are 0. */
extern const struct fsi_job_ext fsi_job_empty_ext;

#define FSI_RECORD_ENUM(TAG, name, json) FSI_RECORD_##TAG,
enum fsi_record_type { FSI_RECORD_TYPES(FSI_RECORD_ENUM) FSI_RECORD_COUNT };
#undef FSI_RECORD_ENUM

/* Description of a field. */
struct fsi_field {
	const char *key;
	enum fsi_field_type type;
	uint8_t flags;
	uint16_t offset; /* offset in the record's struct; for an optional field, in struct fsi_job_ext */
	const char *unit, *help;
};

/* Description of a record type. */
struct fsi_record_table {
	const char *type; /* value of the JSON key "type" */
	const struct fsi_field *fields;
	uint32_t nfields;
	uint32_t size; /* size of the record's struct, bytes */
};

const struct fsi_record_table *fsi_record_table(enum fsi_record_type type);
const struct fsi_record_table *fsi_header_table(void);

static inline enum fsi_role fsi_field_role(const struct fsi_field *f)
{
	return (enum fsi_role)(f->flags & FSI_ROLE_BITS);
}

/* Returns the word that a field of this type may have instead of a number ("unlimited", "parent"); NULL: none. */
const char *fsi_field_special_word(enum fsi_field_type type);

/* Return the name of a job state, and the state of that name; FSI_STATE_COUNT: there is no such state. */
const char *fsi_job_state_name(enum fsi_job_state state);
enum fsi_job_state fsi_job_state_parse(const char *s, uint32_t len);

/* Returns true if the job has ended. */
bool fsi_job_has_ended(const struct fsi_job *job);

/* Returns true if resources are allocated to the job. */
bool fsi_job_is_allocated(const struct fsi_job *j);

#endif
