/* A snapshot in memory, and access to its tables.
 *
 * Contents   tables of plain structs (model/records/records.h); strings and sets interned to 32-bit ids (0: none);
 *            associations in preorder: one backward loop computes the totals of all subtrees
 * Memory     the snapshot owns everything; exception: if `borrowed` is true, a snapshot index owns some of the tables
 * Life       fsi_model_create, records added by a reader or importer, fsi_model_finish; then read-only. Code that
 *            changes a finished snapshot calls fsi_model_own_tables first.
 * Errors     functions that add data return -1, NULL or FSI_INTERN_FAILED if out of memory */
#ifndef FSI_MODEL_TABLES_H
#define FSI_MODEL_TABLES_H

#include "base/memory.h"
#include "base/error.h"
#include "fs/snapshot.h"
#include "model/records/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Element of an interned set of integer amounts. */
struct fsi_amount {
	uint32_t tres; /* name id of the TRES; not its row, because the record of the TRES may be read later */
	uint32_t zero;
	int64_t n;
};

/* Element of an interned set of real amounts. */
struct fsi_real_amount {
	uint32_t tres;
	uint32_t zero;
	double n;
};

/* Type of the value of a configuration parameter. */
enum fsi_config_kind { FSI_CONFIG_INT, FSI_CONFIG_DOUBLE, FSI_CONFIG_STR, FSI_CONFIG_LIST, FSI_CONFIG_BOOL };

/* A configuration parameter of the scheduler, with the scheduler's name for it. */
struct fsi_config_entry {
	uint32_t name; /* name id */
	enum fsi_config_kind kind;
	uint32_t line; /* line of the snapshot file; 0: none */
	int64_t i; /* value, if `kind` is INT or BOOL; id of the string or list, if `kind` is STR or LIST */
	double d;  /* value, if `kind` is DOUBLE */
};

/* Index or row number that means "no such element". */
enum { FSI_NO_INDEX = UINT32_MAX };

/* Position of an association in the tree: an element of fs_snapshot.tree. */
struct fsi_tree_node {
	/* index of the parent association, less than the association's own index; FSI_NO_INDEX: a root */
	uint32_t parent;
	uint32_t end;    /* index of the first association after all descendants of this association */
	uint32_t depth;  /* depth in the tree; the root has depth 0 */
	/* the association has no fair share, because the association or an ancestor is inactive or excluded from fair
	 * share */
	bool uncounted;
};

#define FSI_TABLE(TAG, name, json) FSI_VEC(struct fsi_##name) name;

struct fsi_scheduler;

/* Index of a table by name: the table's rows, sorted by name id. */
struct fsi_name_index {
	struct fsi_named_row {
		uint32_t name, row;
	} *v;
	size_t n;
};

struct fs_snapshot {
	struct fsi_arena arena;
	struct fsi_intern names, sets;
	const char *file; /* name of the input, for messages */
	struct fsi_header head; /* header: the first record of the snapshot file */
	FSI_VEC(struct fsi_config_entry) config; /* configuration, in file order */
	FSI_RECORD_TYPES(FSI_TABLE)
	/* optional fields of the jobs that have any optional field; read with the function fsi_job_ext */
	FSI_VEC(struct fsi_job_ext) job_ext;
	FSI_VEC(const char *) warnings; /* warnings about skipped or unknown data */
	size_t read_warnings; /* number of warnings caused by lines of the file */
	bool out_of_memory; /* fsi_model_add_warning or fsi_job_ext_writable failed */
	bool jobs_are_sorted;   /* true: the jobs are sorted by id */
	uint32_t edits;	      /* id of the list of commands applied by fs_snapshot_edit; 0: none */
	/* Flux: `flux account-priority-update` is assumed to have run after the last command of fs_snapshot_edit */
	bool priorities_updated;
	/* true: the tables job, job_ext, usage and recorded belong to a snapshot index (libfs/snapshot/index.c) and
	 * must not be changed or freed */
	bool borrowed;
	/* Job rows in ascending order: the rows of all jobs that are not pending, and possibly the rows of some pending
	 * jobs. If `known` is false, the rows are not valid. Code that changes jobs clears `known`. */
	struct {
		FSI_VEC(uint32_t) row;
		bool known;
	} active_jobs;
	void (*release)(void *ctx); /* frees the memory of the borrowed tables; NULL: nothing to free */
	void *release_ctx; /* passed to `release` as its argument */
	struct fs_snapshot_info info; /* values derived from the records, for the public interface */
	/* ---- set by fsi_model_finish */
	const struct fsi_scheduler *scheduler; /* libfs/model/scheduler.h */
	struct fsi_tree_node *tree; /* the tree of associations, indexed by association row */
	uint32_t *assoc_by_id;      /* indices of associations, sorted by association id */
	/* row of each association, indexed by association id up to assoc_max_id; NULL: ids are too sparse for an
	 * array */
	uint32_t *assoc_row_by_id, assoc_max_id;
	uint32_t *assoc_by_name;    /* indices of associations, sorted by the name ids of account, user and partition */
	/* indices of three tables; an index is not used while its `n` differs from the number of rows of its table */
	struct fsi_name_index partition_by_name, qos_by_name, user_by_name;
};
#undef FSI_TABLE

/* Words for struct fsi_header.hidden that are not record types. Each word names a kind of missing data. */

/* Marks text that may lack columns, such as pasted output. The value of a missing job field is then unknown. Without
 * this mark, the job has no value for a missing field. */
#define FSI_HIDDEN_JOB_FIELDS "job fields"
/* Marks a capture in which the output of sprio is the only source of data about jobs. */
#define FSI_HIDDEN_PRIORITY_INPUTS "priority inputs"
/* Marks associations known only from sshare, which prints no association ids. */
#define FSI_HIDDEN_ASSOCIATION_IDS "association ids"
/* Marks a Flux capture without the jobs that ended long ago. In such a capture, the last job of an association
 * without the field last_job is unknown. */
#define FSI_HIDDEN_LAST_JOBS "last jobs"

/* Returns true if a name, set, warning or optional field of a job could not be stored because memory ran out. Code that
 * tests this once need not test each result. A name or set that was not stored reads as empty. */
static inline bool fsi_model_is_out_of_memory(const fs_snapshot *m)
{
	return m->out_of_memory || m->names.failed || m->sets.failed;
}

/* Returns the string of a name id. */
static inline const char *fsi_name_text(const fs_snapshot *m, uint32_t id)
{
	return fsi_intern_get_string(&m->names, id);
}

/* ---- optional fields of jobs (fields that few jobs have); accessed only through these functions */

/* Return the optional fields of a job for reading; all fields are 0 if the job has none. fsi_job_ext_in reads the
 * fields from the table `rows`, which may be a copy of the snapshot's table. */
static inline const struct fsi_job_ext *fsi_job_ext_in(const struct fsi_job_ext *rows, const struct fsi_job *job)
{
	return job->ext ? &rows[job->ext - 1] : &fsi_job_empty_ext;
}

static inline const struct fsi_job_ext *fsi_job_ext(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_job_ext_in(m->job_ext.v, job);
}

/* Returns true if the memory in the job's TRES is the memory that the job requested. Returns false for a job that
 * requests no memory, or all memory of its nodes. For such a job, the TRES contain the memory of the first node of its
 * partition, times the number of the job's nodes. */
static inline bool fsi_job_memory_is_requested(const fs_snapshot *m, const struct fsi_job *job)
{
	const struct fsi_job_ext *ext = fsi_job_ext(m, job);

	return !ext->no_memory && !ext->all_memory;
}

/* Returns the optional fields of a job for writing. The pointer is valid until another job gets its first optional
 * field. The presence bits of optional fields are in the job's record. Returns NULL if out of memory. */
struct fsi_job_ext *fsi_job_ext_writable(fs_snapshot *m, struct fsi_job *job);

/* FSI_SET_JOB_EXT(m, job, urgency, 16) sets an optional field and marks it known. The macro's value is 0, or -1 if out
 * of memory. FSI_CLEAR_JOB_EXT sets the field to 0 and marks it unknown. */
#define FSI_SET_JOB_EXT(m, job, member, value) \
	(fsi_job_ext_writable(m, job) ? (fsi_job_ext_writable(m, job)->member = (value), FSI_SET(job, JOB, member), 0) \
				      : -1)
#define FSI_CLEAR_JOB_EXT(m, job, member)                                                           \
	((job)->ext ? (void)memset(&fsi_job_ext_writable(m, job)->member, 0,                        \
				    sizeof(fsi_job_ext_writable(m, job)->member))                    \
		     : (void)0,                                                                  \
	 FSI_UNSET(job, JOB, member))

/* Frees the optional fields of the last job in the table, before that job is removed. */
void fsi_job_ext_drop_last(fs_snapshot *m);

/* Returns a pointer to the field `f` of a record, for reading. `rec` points to the first member of the record. Only the
 * optional fields of jobs are outside the record. */
static inline const void *fsi_field_member(const fs_snapshot *m, const struct fsi_field *f, const struct fsi_rec *rec)
{
	const void *in = rec;

	if (f->flags & FSI_OPTIONAL)
		in = fsi_job_ext(m, in);
	return (const char *)in + f->offset;
}

/* Returns a pointer to the field `f` of a record, for writing; NULL: out of memory. `rec` points to the first member of
 * the record. */
static inline void *fsi_field_writable_member(fs_snapshot *m, const struct fsi_field *f, struct fsi_rec *rec)
{
	void *in = rec;

	if (f->flags & FSI_OPTIONAL)
		in = fsi_job_ext_writable(m, in);
	return in ? (char *)in + f->offset : NULL;
}

/* interns a name and returns its id; FSI_INTERN_FAILED: out of memory */
uint32_t fsi_name_intern(fs_snapshot *m, const char *s);
/* Returns the id of a name; 0: the name is not interned. */
uint32_t fsi_name_find(const fs_snapshot *m, const char *s);

/* Return the elements of an interned set (borrowed), and set *n to the number of elements. */
const uint32_t *fsi_list_items(const fs_snapshot *m, uint32_t set, size_t *n);
const struct fsi_amount *fsi_amount_items(const fs_snapshot *m, uint32_t set, size_t *n);
const struct fsi_real_amount *fsi_real_amount_items(const fs_snapshot *m, uint32_t set, size_t *n);
/* Returns true if the list contains the word. */
bool fsi_list_has_word(const fs_snapshot *m, uint32_t set, const char *word);
/* returns the first element of the list; 0: the list is empty */
uint32_t fsi_list_first_item(const fs_snapshot *m, uint32_t set);

/* Appends a name to a list that has fewer than `max` elements. Returns 0, or 1 if the list is full. Returns -1 if out
 * of memory, or if `name` is FSI_INTERN_FAILED. */
enum { FSI_LIST_MAX_ITEMS = 256 };
int fsi_list_append_name(fs_snapshot *m, uint32_t *list, size_t max, uint32_t name);

/* Returns the amount of a TRES (name id) in a set of struct fsi_amount; 0: the TRES is not in the set. */
int64_t fsi_amount_of_tres(const fs_snapshot *m, uint32_t set, uint32_t tres);

/* Returns true if this record type is marked hidden in the header. */
bool fsi_is_type_hidden(const fs_snapshot *m, const char *type);

/* Returns true if values that the scheduler printed (records of type "recorded") may replace values that cannot be
 * computed. Recorded values may be used if associations, QOS, partitions or nodes are hidden, or if ended jobs keep the
 * last factors computed for them (fsi_slurm_freezes_ended_jobs). */
bool fsi_uses_recorded_values(const fs_snapshot *m);

/* Returns the position of a record in its file, for messages. */
struct fsi_input_position fsi_record_position(const fs_snapshot *m, const struct fsi_rec *rec);

/* Returns the parameter of that name; NULL: not in the snapshot. */
const struct fsi_config_entry *fsi_config_find(const fs_snapshot *m, const char *name);

/* Returns the parameter of that name, adding the parameter without a value if it is new. Returns NULL if out of
 * memory. */
struct fsi_config_entry *fsi_config_find_or_add(fs_snapshot *m, const char *name);
/* Returns the value of an integer parameter; `otherwise` if the parameter is missing or not an integer. */
int64_t fsi_config_get_int(const fs_snapshot *m, const char *name, int64_t otherwise);
/* Returns true if a boolean parameter is true. */
bool fsi_config_is_true(const fs_snapshot *m, const char *name);
/* Returns true if a list parameter (PriorityFlags, AccountingStorageEnforce) contains the word. */
bool fsi_config_list_has(const fs_snapshot *m, const char *name, const char *word);
/* returns the set id of a list parameter; 0: no such parameter */
uint32_t fsi_config_get_list(const fs_snapshot *m, const char *name);
/* Fails with FS_EDATA. The message says that the value of the parameter is not `want`. `want` is a phrase such
 * as "a number". */
int fsi_config_reject_value(const fs_snapshot *m, const struct fsi_config_entry *e, const char *want,
			    struct fs_error *err);

#endif
