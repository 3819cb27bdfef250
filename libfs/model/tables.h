/* One snapshot in memory: tables of plain structs (model/records/records.h), strings and sets interned to 32-bit ids,
 * associations in preorder so that roll-up is one backward loop. Functions that read names, sets, rare fields and
 * parameters. */
#ifndef FSI_MODEL_TABLES_H
#define FSI_MODEL_TABLES_H

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
	/* If `known`, the rows of all jobs that do not wait, and perhaps of some that do, rising. Whoever changes
	 * jobs forgets them. */
	struct {
		FSI_VEC(uint32_t) row;
		bool known;
	} begun;
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

/* Is this record type marked hidden in the header? */
bool fsi_hidden(const fs_snapshot *m, const char *type);

/* Does what the scheduler printed stand in for what is not there: for hidden records, or for what jobs that have ended
 * had (fsi_slurm_keeps_ended)? */
bool fsi_recorded_stands_in(const fs_snapshot *m);

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

#endif
