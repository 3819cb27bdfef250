/* What the world looks like: one snapshot in memory. Tables of plain structs (model/records/records.h), strings and
 * sets interned to 32-bit ids, associations in preorder so that roll-up is one backward loop. */
#ifndef FSI_MODEL_MODEL_H
#define FSI_MODEL_MODEL_H

#include "base/memory.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/vec.h"
#include "fs/snapshot.h"
#include "model/records/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* An element of an interned set. TRES are named and not numbered, since records come in any order. */
struct fsi_amount {
	uint32_t tres; /* name */
	uint32_t zero;
	int64_t n;
};

struct fsi_amountf {
	uint32_t tres;
	uint32_t zero;
	double n;
};

enum fsi_config_kind { FSI_CONFIG_INT, FSI_CONFIG_DOUBLE, FSI_CONFIG_STR, FSI_CONFIG_LIST, FSI_CONFIG_BOOL };

/* A parameter of the scheduler under its own name. */
struct fsi_config_entry {
	uint32_t name;
	enum fsi_config_kind kind;
	uint32_t line;
	int64_t i; /* INT, BOOL; STR and LIST: the id */
	double d;  /* DOUBLE */
};

enum { FSI_NO_INDEX = UINT32_MAX };

/* The place of association i of the table in the tree. */
struct fsi_tree_node {
	uint32_t parent; /* index, FSI_NO_INDEX at a root; always less than i */
	uint32_t end;    /* one past the last descendant */
	uint32_t depth;  /* root 0 */
	bool uncounted;  /* inactive or left out, or below such a row: no part in fair share */
};

#define FSI_TABLE(TAG, name, json) FSI_VEC(struct fsi_##name) name;

struct fsi_scheduler;

/* Rows of a table by the id of their name, rising. */
struct fsi_name_index {
	struct fsi_named_row {
		uint32_t name, row;
	} *v;
	size_t n;
};

struct fs_snapshot {
	struct fsi_arena arena;
	struct fsi_intern names, sets;
	const char *file; /* name given by the reader, for messages */
	struct fsi_header head;
	FSI_VEC(struct fsi_config_entry) config;
	FSI_RECORD_TYPES(FSI_TABLE)
	FSI_VEC(struct fsi_job_rare) job_rare; /* of the jobs that have any such field: fsi_job_rare */
	FSI_VEC(const char *) warnings;
	size_t read_warnings; /* how many of them lines of the file gave rise to */
	bool jobs_in_order;   /* by rising id, as whoever made the table has seen */
	uint32_t edits;	      /* list of the commands that were given to it; 0: it is as it was read */
	bool updated;	      /* of Flux: a command is taken to have been followed by `flux account-priority-update` */
	/* The tables of jobs, of their rare fields, of usage and of what was recorded are an index's, which must not
	 * be written to or freed. */
	bool borrowed;
	struct {
		const void *bytes;
		size_t size; /* 0: nothing */
	} kept;	/* what an index keeps of results; whoever computes one checks it, and the first change drops it */
	/* If `known`, the rows of all jobs that do not wait, and perhaps of some that do, rising. Whoever changes
	 * jobs forgets them. */
	struct {
		FSI_VEC(uint32_t) row;
		bool known;
	} begun;
	/* What a plan supposes of Maui: by job row, the start of its reservation, FS_UNKNOWN for none. NULL: the
	 * flag RESERVED tells. */
	const int64_t *reserved;
	/* Likewise by job row: how long the job had waited when it was last let through (J->EffQueueDuration),
	 * FS_UNKNOWN for until now. */
	const int64_t *waited;
	const int64_t *put_off; /* likewise: the scheduler holds it until then; 0: it does not */
	void (*release)(void *ctx); /* frees what the borrowed tables stand in; NULL: nothing */
	void *release_ctx;
	struct fs_snapshot_info info;
	/* made by fsi_model_finish */
	const struct fsi_scheduler *scheduler; /* libfs/model/scheduler.h */
	struct fsi_tree_node *tree; /* by association */
	uint32_t *assoc_by_id;      /* indices, rising id */
	uint32_t *assoc_row, assoc_max_id; /* by id: row; NULL when ids are sparse */
	uint32_t *assoc_by_name;    /* indices, rising (account, user, partition) ids */
	struct fsi_name_index partition_by_name, qos_by_name, user_by_name; /* complete if n is that of the table */
};
#undef FSI_TABLE

fs_snapshot *fsi_model_new(const char *file);

/* Orders and links the tables and refuses what cannot be true: a duplicate id or name, a dangling
 * parent (unless association records are hidden), a cycle. Error: FS_EDATA with the record's line. */
int fsi_model_finish(fs_snapshot *m, struct fs_error *err);
int fsi_name_index(fs_snapshot *m, struct fs_error *err); /* a part of it */
int fsi_hosts_check(const fs_snapshot *m, struct fs_error *err); /* a part of it */
/* Finds the header's `scheduler` and its version. Whoever asks for either before the tables are finished calls it
 * first. */
void fsi_model_scheduler(fs_snapshot *m);

/* Fetches a job that is asked for soon into the cache, where jobs are not asked for in the order in which they
 * stand. */
static inline void fsi_job_fetch(const fs_snapshot *m, uint32_t row)
{
	fsi_fetch(&m->job.v[row], sizeof(struct fsi_job));
}

enum { FSI_JOBS_SOON = 8 };

/* Walks over the jobs that do not wait, and some that do. They are few of many, so that the table need not be gone
 * through. */
struct fsi_begun {
	size_t at;
	uint32_t row;
};

static inline bool fsi_begun_next(const fs_snapshot *m, struct fsi_begun *b)
{
	if (b->at >= (m->begun.known ? m->begun.row.n : m->job.n))
		return false;
	b->row = m->begun.known ? m->begun.row.v[b->at] : (uint32_t)b->at;
	if (m->begun.known && b->at + FSI_JOBS_SOON < m->begun.row.n)
		fsi_job_fetch(m, m->begun.row.v[b->at + FSI_JOBS_SOON]);
	b->at++;
	return true;
}

/* Notes the next rows as m->begun has them; the rows that were noted before end before the first of them. -1 without
 * memory. */
int fsi_begun_note(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n);

/* Before a change: makes tables that are borrowed the model's own; -1 without memory. */
int fsi_model_own(fs_snapshot *m);

/* Builds m->tree: libfs/model/tree.c. */
int fsi_tree_build(fs_snapshot *m, struct fs_error *err);
/* strcmp's sign: the order in which sshare lists two associations of one account and user, by partition. Asks for the
 * version: fsi_model_scheduler first. */
int fsi_tree_cmp_partitions(const fs_snapshot *m, const struct fsi_association *x,
			    const struct fsi_association *y);

/* Associations by id and by name, none twice: libfs/model/model.c. */
int fsi_assoc_index(fs_snapshot *m, struct fs_error *err);

/* Refuses a usage record that ends before it starts: FS_EDATA. */
int fsi_usage_check(const struct fsi_usage *u, struct fsi_where where, struct fs_error *err);

/* Index of an association, FSI_NO_INDEX if there is none. Names are interned ids, 0 for none. */
uint32_t fsi_assoc_by_id(const fs_snapshot *m, uint32_t id);
uint32_t fsi_assoc_find(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition);

/* The association a job is charged to: by its id, else that of its partition, else that for all; FSI_NO_INDEX if
 * hidden. */
uint32_t fsi_job_assoc(const fs_snapshot *m, const struct fsi_job *job);

/* Row of a job, FSI_NO_INDEX if it is not there. */
uint32_t fsi_job_row(const fs_snapshot *m, uint64_t id);

const struct fsi_partition *fsi_partition_find(const fs_snapshot *m, uint32_t name);
/* Goes through all nodes. NULL: there is none of that name, or name is 0. */
const struct fsi_node *fsi_node_find(const fs_snapshot *m, uint32_t name);
const struct fsi_reservation *fsi_reservation_find(const fs_snapshot *m, uint32_t name);
static inline uint32_t fsi_partition_row(const fs_snapshot *m, const struct fsi_partition *p) /* FSI_NO_INDEX of NULL */
{
	return p ? (uint32_t)(p - m->partition.v) : FSI_NO_INDEX;
}
const struct fsi_qos *fsi_qos_find(const fs_snapshot *m, uint32_t name);
uint32_t fsi_qos_priority(const fs_snapshot *m, uint32_t name); /* 0: there is none */

/* Of the lists that a job was submitted with, the first; NULL if it is empty or the name is not known. */
const struct fsi_partition *fsi_first_partition(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_qos *fsi_first_qos(const fs_snapshot *m, const struct fsi_job *job);
bool fsi_node_in(const fs_snapshot *m, const struct fsi_node *node, uint32_t partition); /* a row */
/* Of the QOS that a job lists the first with the highest priority; NULL if none is known. */
const struct fsi_qos *fsi_job_highest_qos(const fs_snapshot *m, const struct fsi_job *job);
/* The QOS that the job was last tried with before priorities were computed; NULL where nothing tells. */
const struct fsi_qos *fsi_job_tried_qos(const fs_snapshot *m, const struct fsi_job *job);
const struct fsi_user *fsi_user_find(const fs_snapshot *m, uint32_t name);

/* Pasted text, which may have told jobs by a few columns: a field that a job of Slurm lacks is then unknown, where
 * in a capture it would be unset. */
#define FSI_HIDDEN_JOB_FIELDS "job fields"
/* A capture that asked sprio alone: its rows are all that is known of jobs. */
#define FSI_HIDDEN_PRIORITY_INPUTS "priority inputs"
/* Associations that sshare alone told, which prints no ids. */
#define FSI_HIDDEN_ASSOCIATION_IDS "association ids"
/* A capture of Flux that did not ask for jobs that have ended: the last job of an association without last_job may
 * be one of those. */
#define FSI_HIDDEN_LAST_JOBS "last jobs"

/* Has the time come from which a job of Slurm may begin? Where it is not known (a squeue without that column): yes for
 * a job that has a reason which the scheduler gives to jobs behind that time alone, since it tries no others
 * (src/slurmctld/job_scheduler.c: build_job_queue asks job_independent first). */
bool fsi_slurm_job_begins(const fs_snapshot *m, const struct fsi_job *job, int64_t now);

/* From when on and until when jobs that name a reservation of Slurm may start: INT64_MIN and INT64_MAX with FLEX, and
 * where it is not told (src/slurmctld/reservation.c: job_test_resv_now). */
int64_t fsi_reservation_opens(const fs_snapshot *m, const struct fsi_reservation *r);
int64_t fsi_reservation_closes(const fs_snapshot *m, const struct fsi_reservation *r);

static inline const char *fsi_str(const fs_snapshot *m, uint32_t id)
{
	return fsi_intern_str(&m->names, id);
}

/* ---- fields of few jobs: the only way to them */

/* The rare fields to be read; all are 0 for a job that has none. The first is for jobs and rows that were copied. */
static inline const struct fsi_job_rare *fsi_job_rare_in(const struct fsi_job_rare *rows, const struct fsi_job *job)
{
	return job->rare ? &rows[job->rare - 1] : &fsi_job_without_rare;
}

static inline const struct fsi_job_rare *fsi_job_rare(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_job_rare_in(m->job_rare.v, job);
}

/* Is the memory among its TRES what it asks for? Who asks for none, or for all, has that of the first node of its
 * partition there, for each of its nodes. */
static inline bool fsi_job_memory_is_its_own(const fs_snapshot *m, const struct fsi_job *job)
{
	const struct fsi_job_rare *rare = fsi_job_rare(m, job);

	return !rare->no_memory && !rare->all_memory;
}

/* The rare fields to be written to, until the next job gets its own; the job's record says which of them are known.
 * NULL without memory. */
struct fsi_job_rare *fsi_job_rare_own(fs_snapshot *m, struct fsi_job *job);

/* FSI_SET_RARE(m, job, urgency, 16) sets the field and marks it known; -1 without memory. FSI_CLEAR_RARE makes it
 * unknown and 0. */
#define FSI_SET_RARE(m, job, member, value) \
	(fsi_job_rare_own(m, job) ? (fsi_job_rare_own(m, job)->member = (value), FSI_SET(job, JOB, member), 0) : -1)
#define FSI_CLEAR_RARE(m, job, member)                                                           \
	((job)->rare ? (void)memset(&fsi_job_rare_own(m, job)->member, 0,                        \
				    sizeof(fsi_job_rare_own(m, job)->member))                    \
		     : (void)0,                                                                  \
	 FSI_UNSET(job, JOB, member))

/* Gives up the last job's rare fields, before the job is taken from the table again. */
void fsi_job_rare_drop_last(fs_snapshot *m);

/* The member of a record that a row of a field table stands for. Only jobs have some apart, and each record begins with
 * its rec. */
static inline const void *fsi_field_in(const fs_snapshot *m, const struct fsi_field *f, const struct fsi_rec *rec)
{
	const void *in = rec;

	if (f->flags & FSI_RARE)
		in = fsi_job_rare(m, in);
	return (const char *)in + f->offset;
}

/* The member to be written to; NULL without memory. */
static inline void *fsi_field_own(fs_snapshot *m, const struct fsi_field *f, struct fsi_rec *rec)
{
	void *in = rec;

	if (f->flags & FSI_RARE)
		in = fsi_job_rare_own(m, in);
	return in ? (char *)in + f->offset : NULL;
}

uint32_t fsi_name(fs_snapshot *m, const char *s); /* FSI_INTERN_FAILED without memory */
uint32_t fsi_name_find(const fs_snapshot *m, const char *s);

/* Members of an interned set; *n elements, borrowed. */
const uint32_t *fsi_list(const fs_snapshot *m, uint32_t set, size_t *n);
const struct fsi_amount *fsi_amounts(const fs_snapshot *m, uint32_t set, size_t *n);
const struct fsi_amountf *fsi_amountfs(const fs_snapshot *m, uint32_t set, size_t *n);
bool fsi_list_has(const fs_snapshot *m, uint32_t set, const char *word);
uint32_t fsi_list_first(const fs_snapshot *m, uint32_t set); /* 0: it is empty */

/* Adds a name at the end of a list that has fewer than `max` of them: 0, or 1 where it has not. -1 without memory, also
 * where there was none for the name (FSI_INTERN_FAILED). */
enum { FSI_LIST_ADD_MAX = 256 };
int fsi_list_add(fs_snapshot *m, uint32_t *list, size_t max, uint32_t name);

/* The amount of a TRES in a set of struct fsi_amount; 0 if it is not there. */
int64_t fsi_amount_of(const fs_snapshot *m, uint32_t set, uint32_t tres);

/* Returns how long the job has run, without the time it was suspended; FS_UNKNOWN: pending, or not known. */
int64_t fsi_job_ran_s(const fs_snapshot *m, const struct fsi_job *j);

/* How much of a TRES the job asks for, on all nodes together, be it a TRES that the cluster counts or not. */
int64_t fsi_job_asks(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres);

/* Are the header's offsets of local time what they should be? */
int fsi_zone_check(const fs_snapshot *m, struct fs_error *err);

/* Is this record type marked hidden in the header? */
bool fsi_hidden(const fs_snapshot *m, const char *type);

/* Does what the scheduler printed stand in for what is not there: for hidden records, or for what jobs that have ended
 * had (fsi_slurm_keeps_ended)? */
bool fsi_recorded_stands_in(const fs_snapshot *m);

/* Keeps a copy of the message; -1 without memory. */
int fsi_warn(fs_snapshot *m, const char *fmt, ...) FSI_PRINTF(2, 3);

struct fsi_where fsi_where_of(const fs_snapshot *m, const struct fsi_rec *rec);

/* Configuration by name, NULL if it is not known. */
const struct fsi_config_entry *fsi_config_find(const fs_snapshot *m, const char *name);

/* The same, added where there is none, still without a value. NULL without memory. */
struct fsi_config_entry *fsi_config_entry(fs_snapshot *m, const char *name);
int64_t fsi_config_int(const fs_snapshot *m, const char *name, int64_t otherwise);
bool fsi_config_yes(const fs_snapshot *m, const char *name);
/* Is the word in the list of that name, as PriorityFlags and AccountingStorageEnforce are? */
bool fsi_config_lists(const fs_snapshot *m, const char *name, const char *word);
uint32_t fsi_config_list(const fs_snapshot *m, const char *name); /* 0: none */
/* FS_EDATA: the entry should have been what `want` says. */
int fsi_config_bad(const fs_snapshot *m, const struct fsi_config_entry *e, const char *want, struct fs_error *err);

/* Whose eyes: what Slurm's PrivateData lets a login name see. */

struct fsi_viewer {
	const fs_snapshot *m;
	const struct fsi_user *record; /* NULL: not in the accounting database */
	uint32_t user;                 /* interned name, 0 when it appears nowhere */
	bool all;                      /* operator, administrator, root, or nobody in particular */
	bool private_usage, private_jobs;
	bool jobs_to_come; /* there may be some that are not submitted yet, which nobody sees */
	bool private_tree; /* usage, users or accounts */
};

/* A viewer whose name is NULL sees everything. */
void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name);

/* src/common/assoc_mgr.c:_foreach_get_share: with PrivateData=usage only own rows, and the accounts one
 * coordinates with the users in them. */
bool fsi_viewer_sees_usage(const struct fsi_viewer *v, const struct fsi_association *a);
bool fsi_viewer_sees_job(const struct fsi_viewer *v, const struct fsi_job *job);

/* Is it known to him that nobody coordinates the account? Whoever coordinates one above it does (src/plugins/
 * accounting_storage/mysql/as_mysql_user.c: _get_user_coords). */
bool fsi_viewer_knows_no_coordinator(const struct fsi_viewer *v, const char *account);

/* The words of a Slurm node's state: "IDLE+CLOUD+POWERED_DOWN", "MIXED*", "DOWN*+DRAIN". */

/* Does the state have one of the n words? */
bool fsi_node_state_has(const char *state, const char *const *words, size_t n);

/* Does it not answer, for another reason than that it is being powered up, in which time jobs are given it all the same
 * (src/slurmctld/power_save.c: _do_power_work leaves it in avail_node_bitmap)? */
bool fsi_node_is_silent(const char *state);

/* Is it powered down, or being powered up? Jobs may be given it. */
bool fsi_node_is_asleep(const char *state);
bool fsi_node_is_waking(const char *state);

/* Is it, or will it be as soon as it can be, powered down, and taken by no job until it is
 * (src/slurmctld/node_mgr.c: make_node_avail)? One that is powered down wakes for a job. */
bool fsi_node_goes_to_sleep(const char *state);

#endif
