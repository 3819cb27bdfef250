/* Import of Flux captures (fs_import_flux): output of flux-core and flux-accounting commands.
 *
 * The readers fill the snapshot f->imp.m in this order: fsi_flux_read_banks, fsi_flux_read_machine, fsi_flux_read_jobs,
 * fsi_flux_read_ended, fsi_flux_read_plugin, fsi_flux_read_jobspecs, fsi_flux_check_jobs, fsi_flux_read_records.
 * fsi_flux_set_last_jobs and fsi_flux_set_queue_factors run after fsi_model_finish. Functions that return int return 0,
 * or a negative error code with f->imp.err set, unless said otherwise. Functions that return void may fail for lack of
 * memory: fsi_model_is_out_of_memory then returns true, and the import fails at the end of the file or step
 * (fsi_import_check_memory). The state of an import is owned by its caller,
 * who frees it at the end. */
#ifndef FSI_IMPORT_FLUX_FLUX_H
#define FSI_IMPORT_FLUX_FLUX_H

#include "import/import.h"

extern const struct fsi_outputs fsi_flux_outputs; /* the files of a capture (import/outputs.h) */

/* Maps the names of the records of one table to row numbers. */
struct fsi_flux_name_rows {
	uint32_t *row; /* indexed by name ID: row + 1; 0: no record has this name */
	size_t cap;
};

/* A job that was submitted and may have ended. */
struct fsi_flux_submitted {
	uint32_t user, bank, queue; /* name IDs of the job's user, bank and queue; 0: unknown */
	uint64_t id;
	int64_t time;
};

/* Data that the priority plugin of flux-accounting stores for a user in a bank. */
struct fsi_flux_plugin_state {
	uint64_t uid;
	uint32_t bank;
	int32_t queue_factor;
};

/* State of a Flux import. */
struct fsi_flux_import {
	struct fsi_import imp;
	struct fsi_flux_name_rows bank, user;
	char banks_file[200], users_file[200]; /* files from which the banks and the users were read, for messages */
	/* true: the output of this command was read. has_users: list-users; has_factors: list-factors; has_queues:
	 * list-queues */
	bool has_users, has_factors, has_queues;
	/* the banks were read from a JSON tree (export-db -F), not from tables */
	bool is_tree;
	const char *jobs_file;		       /* file that the jobs were read from; NULL: not read yet */
	/* Jobs that have ended. If ended_known is set, fsi_flux_set_last_jobs also adds all jobs of the snapshot,
	 * including jobs that have not ended. */
	FSI_VEC(struct fsi_flux_submitted) ended_jobs;
	FSI_VEC(struct fsi_flux_plugin_state) plugin_states;
	/* jobs that ended before this time, seconds since the epoch, may be missing from ended_jobs; 0: no job is
	 * missing */
	double ended_since;
	bool ended_known;		       /* a file lists the jobs that have ended */
	bool partial;                          /* the capture is partial: files may be incomplete */
};

/* Imports a Flux capture as fs_import_flux does. If `partial` is set, missing data counts as unknown, and each record
 * type is marked as partly hidden. */
int fsi_import_flux(fs_snapshot **out, const struct fs_source *source, bool partial, struct fs_error *err);

/* Callback for one row of a table or one JSON object. `row` contains the names of its columns or members, and their
 * values as text. */
typedef int (*fsi_flux_row_fn)(struct fsi_flux_import *f, const struct fsi_kv *row);

struct fsi_required_key;

/* Reads the first file in the list `files` that exists. The list ends with NULL. A file named *.json contains JSON, any
 * other file a table with ` | ` between columns. Warns of rows that lack one of the `n` required keys in `keys`.
 * Returns 1 if no file exists. */
int fsi_flux_read_rows(struct fsi_flux_import *f, const char *const *files, fsi_flux_row_fn fn,
		       const struct fsi_required_key *keys, size_t n);

/* Size in bytes of the buffer for the numbers that fsi_flux_flatten_object converts to text. */
enum { FSI_FLUX_NUMBERS_SIZE = 4096 };
/* Sets *row to the names and scalar values of the object. The texts are borrowed from the object and from buf. The
 * value of a list or object is an empty text. */
int fsi_flux_flatten_object(struct fsi_flux_import *f, const struct fsi_json *object, struct fsi_kv *row,
			    char buf[FSI_FLUX_NUMBERS_SIZE]);

/* Returns the text of a number. flux-accounting prints 2147483647 as "unlimited" in every column (util.py:
 * format_value). */
struct fsi_span fsi_flux_get_number_text(struct fsi_span v);

/* Sets n fields of a record from the row: each element of `map` has a key and a field. Also accepts the text "unlimited", and booleans as
 * tables or JSON print them. */
int fsi_flux_set_fields(struct fsi_flux_import *f, const struct fsi_kv *row, const struct fsi_field_map *map, size_t n,
			enum fsi_record_type type, struct fsi_rec *rec);

/* Returns the row of the record with this name; FSI_NO_INDEX if there is none. */
uint32_t fsi_flux_name_to_row(const struct fsi_flux_name_rows *v, uint32_t name);
/* Assigns a row to a name. Returns false if the name already has a row. */
bool fsi_flux_add_name(struct fsi_flux_import *f, struct fsi_flux_name_rows *v, uint32_t name, uint32_t row);

/* Reads banks and users: view-bank, list-banks, list-users, export-db -F. */
int fsi_flux_read_banks(struct fsi_flux_import *f);
/* Reads nodes and queues: flux resource R, list and status, flux config get, flux module list. */
int fsi_flux_read_machine(struct fsi_flux_import *f);
/* Reads the jobs of flux jobs --json. */
int fsi_flux_read_jobs(struct fsi_flux_import *f);
/* Warns of jobs without a field that flux jobs prints for every job. Call it when all files of jobs are read. */
int fsi_flux_check_jobs(struct fsi_flux_import *f);
/* Reads the file of ended jobs. If there is no such file, uses the ended jobs that fsi_flux_read_jobs has read. */
int fsi_flux_read_ended(struct fsi_flux_import *f);
/* Sets last_job and last_queue of associations. Call it after fsi_model_finish. */
int fsi_flux_set_last_jobs(struct fsi_flux_import *f);
/* Reads the data that flux-accounting's priority plugin stores for each association. */
int fsi_flux_read_plugin(struct fsi_flux_import *f);
/* Sets queue_factor of associations from the data that fsi_flux_read_plugin read. Call it after fsi_model_finish. */
int fsi_flux_set_queue_factors(struct fsi_flux_import *f);
/* Reads jobspecs: sets GPUs, exclusive nodes, constraints and begin times of jobs. Call it after fsi_flux_read_jobs. */
int fsi_flux_read_jobspecs(struct fsi_flux_import *f);
/* Reads the output of view-job-records. Makes a usage record for each job in it. */
int fsi_flux_read_records(struct fsi_flux_import *f);

/* Reads a tree of export-db -F from a stream. */
int fsi_flux_read_tree(struct fsi_flux_import *f, fs_read_fn read, void *stream, const char *name);

/* Checks banks and users. Fails if a bank or a user of a bank appears twice, or if there is not exactly one root. Warns
 * of rows below a missing bank and removes them. Marks a user of a bank as left out if the bank has sub-banks. */
int fsi_flux_check_banks(struct fsi_flux_import *f);
/* Returns true if the associations are a whole tree below the bank "root": each bank's usage is the sum of the usage
 * below it, and the printed factors are those of a tree with this number of users. */
bool fsi_flux_is_whole_tree(const fs_snapshot *m);

/* Data about the nodes and queues of a Flux instance, collected from several commands before the records are made.
 * struct fsi_flux_machine is owned by fsi_flux_read_machine. */

/* Bits of fsi_flux_node.state. */
enum { FSI_FLUX_FREE = 1, FSI_FLUX_BUSY = 2, FSI_FLUX_DOWN = 4, FSI_FLUX_DRAINED = 8 };

struct fsi_flux_node {
	/* `name`: name ID of the host. `rank`: rank of the broker. `group`: list of queues that flux resource list
	 * prints for the node, as name ID; 0: none. */
	uint32_t name, rank, cores, gpus, group;
	bool known_amounts;			       /* the numbers of cores and GPUs are known */
	unsigned state;
	FSI_VEC(uint32_t) property;
};

/* Totals in one line of flux resource list. Such a line is about a group of nodes: all nodes that have the same state
 * and the same list of queues. */
struct fsi_flux_group_total {
	uint32_t group;
	uint64_t cores, gpus;
	bool known_amounts; /* false: the total number of cores is unknown */
};

/* A property that a queue requires of its nodes (flux config get). */
struct fsi_flux_queue_requirement {
	uint32_t queue, property; /* name IDs; `property` is 0 if the queue requires no property */
};

struct fsi_flux_machine {
	struct fsi_flux_import *f;
	FSI_VEC(struct fsi_flux_node) node;
	FSI_VEC(struct fsi_flux_group_total) group_total;
	FSI_VEC(struct fsi_flux_queue_requirement) requirement;
	FSI_VEC(uint32_t) rank; /* ranks of the rank set that was parsed last, such as "0-3,7" */
	struct fsi_flux_name_rows by_name;
	/* has_r: the nodes are from flux resource R. has_list: flux resource list has the column NODELIST. has_status:
	 * flux resource status has the column NODELIST. */
	bool has_r, has_list, has_status;
	/* true: flux resource list has the column QUEUE (has_queue), PROPERTIES (has_properties), NCORES (has_cores) or
	 * NGPUS (has_gpus) */
	bool has_queue, has_properties, has_cores, has_gpus;
	uint32_t next_node; /* index of the node that gets the next host name of flux resource R */
	/* state bits of the nodes in the line that is being read */
	unsigned state;
	/* name ID of the list of queues in the line that is being read; 0: none */
	uint32_t group;
};

/* Returns the first child of a list or object; NULL if v is NULL or empty. */
static inline const struct fsi_json *fsi_flux_first_child(const struct fsi_json *v)
{
	return v ? fsi_json_first_child(v) : NULL;
}

/* Returns the text of a string; NULL if v is NULL or not a string. */
static inline const char *fsi_flux_string_value(const struct fsi_json *v)
{
	return v ? fsi_json_get_string(v) : NULL;
}

#endif
