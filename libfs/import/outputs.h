/* The table of outputs: which files a capture has, which command prints each file, and what an import reads of it. The
 * table has one row for each file and record type, so a file with two types of records has two rows. Each row has a
 * list of columns: the keys or headings of the output, the field of the model that each of them sets, and whether
 * complete output always has it. The table is the only description of an output. The following code reads it:
 *
 *   import          fsi_output_read: splits the lines, and sets the fields of records
 *   completeness    fsi_outputs_check: signature, unexpected lines, missing keys and columns, truncated rows
 *   capture         fs_output_get (fs/import.h): the commands, in the order in which they are run
 *   fs-snap check   fs_output.without: what is unknown without the file
 *   sources         fsi_import_list_sources: the member `sources` of the snapshot's header
 *   man/fs-snap.1   tests/unit/import/test_outputs.c compares the manual's list of files with the table
 *
 * The role of a name (of a user, an account, a node...) belongs to the field that a column sets, not to the column:
 * fsi_field_role returns it. The anonymiser uses this role, and fsi_column_role returns it for a column.
 *
 * Pasted text. libfs/import/text converts pasted tables to the files of this table, and needs no list of columns of its
 * own. For a table of the same command (sacctmgr, sshare), it looks up each heading with fsi_output_find_column in the
 * row of the file, and writes the cells under the column's `name`. For a table of another command (squeue, sacct and
 * sinfo print values of jobs, partitions and nodes under other names), it looks up the heading with
 * fsi_output_find_heading, which searches the column's `headings`, and writes `name=value`. A column whose field has
 * the role of a user, account, partition or QOS (fsi_column_role) contains names that a narrow table may have cut. The
 * member `text` of a row is the word with which each record begins ("JobId="). A file without rows in this table is
 * never written.
 *
 * To add a column: add a row to the list of columns in import/slurm/outputs.c. A column that is not stored as printed
 * has one of the forms of enum fsi_column_form; a value that needs more than a form is read by name with
 * fsi_output_get_value. The command must print the column: if it prints only the columns that it is asked for, also add
 * the name to its arguments (man/fs-hacking.7). */
#ifndef FSI_IMPORT_OUTPUTS_H
#define FSI_IMPORT_OUTPUTS_H

#include "fs/import.h"
#include "import/import.h"

/* Shape of the lines of an output. */
enum fsi_output_shape {
	FSI_SHAPE_LINES,   /* any lines, with a reader of their own */
	FSI_SHAPE_KEYS,    /* `Key=Value Key=Value`, one record on each line */
	FSI_SHAPE_GROUPS,  /* `Key=Value Key=Value`, one record on several lines */
	FSI_SHAPE_CONFIG, /* `Name = Value`, one on each line */
	FSI_SHAPE_PIPES,   /* heading line and rows; `|` separates the cells */
	FSI_SHAPE_FIELDS,  /* rows without heading; `|` separates the cells, in the order of the columns */
	FSI_SHAPE_WIDTHS,  /* heading line and rows; columns have fixed widths */
	FSI_SHAPE_JSON
};

/* How a printed value becomes the value of a field. */
enum fsi_column_form {
	FSI_FORM_VALUE,	    /* as printed */
	FSI_FORM_LIMIT,	    /* as printed; UNLIMITED and ALL mean no limit: the field is not set */
	FSI_FORM_MINIMUM,   /* the number before `-`: 2 of "2-4" */
	FSI_FORM_NAME,	    /* the text before `(`: alice of "alice(7001)" */
	FSI_FORM_INSIDE,    /* the text in parentheses: 7001 of "alice(7001)" */
	FSI_FORM_COUNTED,   /* the limit of "limit(usage)"; N means no limit: the field is not set */
	FSI_FORM_USED,	    /* the usage of "limit(usage)" */
	FSI_FORM_MEMORY,    /* memory as MiB; 0 means none: the field is not set */
	FSI_FORM_PART_1,    /* first part of "2:0:*:1"; `*` and 0 mean none: the field is not set */
	FSI_FORM_PART_3,    /* third part */
	FSI_FORM_PART_4,    /* fourth part */
	FSI_FORM_EXCLUSIVE, /* as printed; NO means that another key has the value: the field is not set */
	FSI_FORM_OWN	    /* not set by fsi_output_set_fields: read by name, or not stored */
};

/* What complete output has. */
enum fsi_column_need {
	FSI_NEED_NOTHING,
	/* each record has the key, or the table has the column; the value may be empty */
	FSI_NEED_NAME,
	/* as FSI_NEED_NAME, and no value is empty */
	FSI_NEED_VALUE,
	/* The next three are for tables. The table has the column; the cell of the first row (root), or all cells of
	 * the column, may be blank. Cells of users and cells of accounts are checked separately. */
	FSI_NEED_EVEN,
	/* like FSI_NEED_EVEN, but only the long format has the column */
	FSI_NEED_EVEN_LONG,
	/* like FSI_NEED_EVEN_LONG; cells of rows whose RawShares is "parent" may also be blank */
	FSI_NEED_EVEN_OWN
};

/* A key or column of an output. */
struct fsi_column {
	const char *name; /* key or heading in the file */
	/* other names for the same value; one of the names is enough for a complete record. NULL: none */
	const char *also[2];
	/* headings under which other commands print the value, separated by `|`: "STATE|ST"; NULL: none */
	const char *headings;
	unsigned bit; /* field of the record type of the output's row; of no meaning if `form` is FSI_FORM_OWN */
	enum fsi_column_form form;
	enum fsi_column_need need;
	/* only records that have this key need the column; in FSI_SHAPE_CONFIG: only a controller with this
	 * PriorityType prints the parameter; NULL: all */
	const char *with;
	/* The value is read only from Slurm versions that have the feature `since` and lack the feature `until`. 0:
	 * from all versions. */
	enum fs_slurm_feature since, until;
};

/* A row of the table. */
struct fsi_output {
	struct fs_output capture;
	enum fsi_output_shape shape;
	/* record type of the columns' fields (enum fsi_record_type) */
	enum fsi_record_type record;
	/* At least one line of successful output begins, after blanks, with signature[0] or signature[1]. NULL: no
	 * such text. */
	const char *signature[2];
	const char *text; /* text with which each record begins: "JobId="; NULL: none */
	/* line that the command prints if it has no records; all other lines are records. NULL: the output may also
	 * have other lines. */
	const char *no_records;
	bool has_braces; /* values may contain keys: "alice(7001)={MaxJobsPU=4(1) MaxSubmitJobsPU=N(2)}" */
	/* record type to mark as hidden if the file is not the output of a successful command; NULL: none */
	const char *hides;
	const struct fsi_column *columns;
	size_t ncolumns;
};

/* The outputs of a scheduler, in the order in which fs-snap capture makes them. */
struct fsi_outputs {
	const struct fsi_output *v;
	size_t n;
};

extern const struct fsi_outputs fsi_slurm_outputs;

/* Returns the first row of the file with columns of the record type `type` (NULL: of any type); NULL if none. */
const struct fsi_output *fsi_output_find(const struct fsi_outputs *o, const char *file, const char *type);
/* Returns the first column with this name, or with this name in `also`; NULL if there is none. */
const struct fsi_column *fsi_output_find_column(const struct fsi_output *o, struct fsi_span name);
/* Returns the first column whose list `headings` has the heading; NULL if there is none. */
const struct fsi_column *fsi_output_find_heading(const struct fsi_output *o, struct fsi_span heading);
/* Returns the role of the names in a column (user, account, QOS, partition, nodes...); FSI_ROLE_REMOVE: free text, or
 * the column sets no field by itself. */
enum fsi_role fsi_column_role(const struct fsi_output *o, const struct fsi_column *c);

/* ---- reading the records of a file */

/* FSI_OUTPUT_COLUMNS_MAX: maximum number of columns of a row of the table. FSI_COLUMN_NAMES: names of a column: `name`,
 * two of `also`, `with`. FSI_KEY_HINTS: size of the cache of key numbers. */
enum { FSI_OUTPUT_COLUMNS_MAX = 96, FSI_COLUMN_NAMES = 4, FSI_KEY_HINTS = 251 };

/* What the lines of a file show about its completeness. One struct for each row of the table; imp->checks owns them. */
struct fsi_output_check {
	bool is_read;		  /* the file exists and was read to its end */
	bool has_heading;	  /* the file has a heading line */
	bool has_no_records_line; /* the file has the line fsi_output.no_records */
	size_t records;		  /* number of records, or of rows below the heading */
	/* indexed by column: number of records that lack the column; in a table 1 if the heading lacks it */
	size_t lacking[FSI_OUTPUT_COLUMNS_MAX];
	/* indexed by column: the current record (in a table: the heading) has the column, or has the key `with` of the
	 * column */
	bool present[FSI_OUTPUT_COLUMNS_MAX], applicable[FSI_OUTPUT_COLUMNS_MAX];
	/* Columns that are blank in some tables (FSI_NEED_EVEN and the constants after it): the table has a cell with a
	 * value, or a blank cell. Element [0] covers rows of accounts, element [1] rows of users. The first row of the
	 * table (root) is ignored. */
	bool filled[2][FSI_OUTPUT_COLUMNS_MAX], blank[2][FSI_OUTPUT_COLUMNS_MAX];
	size_t unexpected_lines; /* number of lines that are neither a record nor the line `no_records` */
	size_t faulty_rows;	 /* number of rows with too few cells, or a blank cell in a column with FSI_NEED_VALUE */
	uint64_t first_fault_line; /* line number of the first such line or row */
	char unexpected_text[61];  /* beginning of the first unexpected line */
};

struct fsi_output_reader;
/* Callback for one record or row. fsi_output_get_value returns its values. Returns 0 to continue; any other value ends
 * the reading of the file. */
typedef int (*fsi_record_fn)(struct fsi_output_reader *r, void *ctx);

/* State of reading one file. Its values are valid until the next line is split. */
struct fsi_output_reader {
	struct fsi_import *imp;
	const struct fsi_output *output;
	struct fsi_output_check *check; /* NULL: the file was checked before */
	struct fsi_kv_table keys;	/* values of the current record; used by FSI_SHAPE_KEYS and FSI_SHAPE_GROUPS */
	struct fsi_pipe_table pipe;	/* heading and current row; used by FSI_SHAPE_PIPES */
	const char *names[FSI_KV_TABLE_MAX]; /* the keys in `keys` */
	/* Cache of key numbers, indexed by (address of a key's name) % FSI_KEY_HINTS: number of the key that was last
	 * found by this name. */
	uint8_t hint[FSI_KEY_HINTS];
	/* indexed by column and name: number of the name in `keys`, or of the column in `pipe` */
	uint8_t number[FSI_OUTPUT_COLUMNS_MAX][FSI_COLUMN_NAMES];
	/* indexed by column: enum fsi_column_form; FSI_FORM_OWN if the value is not read from this version of Slurm */
	uint8_t form[FSI_OUTPUT_COLUMNS_MAX];
	/* numbers of the columns that complete output has (fsi_column.need) */
	uint8_t needed[FSI_OUTPUT_COLUMNS_MAX];
	size_t needed_count;
	fsi_record_fn fn;
	void *ctx;
};

/* Calls fn for each record of the file, with imp->where set to the record's line, and notes in imp->checks whether the
 * file is complete. Returns the result of fn if it is not 0; otherwise 0, or a negative code, or 1 if the file does not
 * exist. For FSI_SHAPE_KEYS and FSI_SHAPE_PIPES. */
int fsi_output_read(struct fsi_import *imp, const struct fsi_output *o, fsi_record_fn fn, void *ctx);
/* Reads the file like fsi_output_read. If the file does not exist, marks the record type o->hides as hidden and returns
 * 0. */
int fsi_output_read_or_hide(struct fsi_import *imp, const struct fsi_output *o, fsi_record_fn fn, void *ctx);

/* The steps of fsi_output_read, for files whose lines are not simply records. fsi_output_init_reader comes first,
 * fsi_output_finish_reader last. */
void fsi_output_init_reader(struct fsi_output_reader *r, struct fsi_import *imp, const struct fsi_output *o);
/* Returns true if the line begins a record. Notes lines that are neither records nor output->no_records. */
bool fsi_output_begins_record(struct fsi_output_reader *r, struct fsi_span line);
/* Splits a line into values. Returns false for the heading line of a table. */
bool fsi_output_split_line(struct fsi_output_reader *r, struct fsi_span line);
/* Notes which columns the line that was split last has. fsi_output_end_record then counts the columns that all lines of
 * the record lack. */
void fsi_output_note_keys(struct fsi_output_reader *r);
void fsi_output_end_record(struct fsi_output_reader *r);
/* Ends the file. */
void fsi_output_finish_reader(struct fsi_output_reader *r);

/* Returns the value of a key or column; {NULL, 0} if the record lacks it. */
struct fsi_span fsi_output_get_value(struct fsi_output_reader *r, const char *name);
/* Sets the fields of the columns with numbers from `from` to `end` - 1. */
int fsi_output_set_fields(struct fsi_output_reader *r, struct fsi_rec *rec, size_t from, size_t end);
/* Sets the fields of all columns. Returns FS_EDATA if the record then lacks a field that its type requires. */
int fsi_output_set_record(struct fsi_output_reader *r, struct fsi_rec *rec);

/* ---- warnings about incomplete files */

/* Returns true if the table, which was read to its end, has the column. */
bool fsi_output_has_column(const struct fsi_import *imp, const struct fsi_output *o, const char *name);
/* Warns of the keys that records of the file lack. */
int fsi_output_warn_keys(struct fsi_import *imp, const struct fsi_output *o);

/* Checks that each file is the complete output of its command: first signatures, then files of records, then the
 * configuration and tables. If a file is empty, or has an error message or another unexpected line, warns of the file
 * and marks its record type as hidden. Call it after the files are read. */
int fsi_outputs_check(struct fsi_import *imp);

#endif
