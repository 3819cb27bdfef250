/* Import of pasted text: the output of one or more commands, copied from a terminal or an e-mail.
 *
 * Steps of fs_import_text:
 *  - fsi_text_clean_paste splits the paste into lines.
 *  - fsi_text_find_pieces finds the pasted outputs. A pasted output (struct fsi_text_piece) is a range of lines that
 *    one command printed.
 *  - fsi_text_parse_table parses the pasted outputs that are tables.
 *  - The writers (fsi_text_write_records, fsi_text_write_queue and fsi_text_write_tables for Slurm;
 *    fsi_text_write_flux; fsi_text_write_maui) convert the pasted outputs to files of a capture, in memory.
 *  - The importer of the scheduler reads these files through fsi_text_make_source.
 *
 * Only the outputs of one scheduler are imported: the scheduler whose outputs have the most lines. All text is owned by
 * the arena of struct fsi_text. Functions that return int return 0, or an error code with t->err set, unless said
 * otherwise. */
#ifndef FSI_IMPORT_TEXT_H
#define FSI_IMPORT_TEXT_H

#include "base/json.h"
#include "base/memory.h"
#include "import/import.h"

enum { FSI_TEXT_COLUMNS_MAX = 96, FSI_TEXT_NAME_MAX = 40 };

/* A line of the paste without terminal colors, quoting and trailing blanks. `no` is the 1-based line number in the
 * paste. */
struct fsi_text_line {
	const char *s;
	uint32_t len, no;
	bool cut; /* the line is the last line of the paste and has no line break */
};

static inline struct fsi_span fsi_text_line_span(const struct fsi_text_line *l)
{
	return (struct fsi_span){ l->s, l->len };
}

/* Returns true if a terminal may be this many columns wide. Lines of that width may have been folded or cut by a
 * terminal. */
static inline bool fsi_text_is_terminal_width(size_t width)
{
	return width >= 40 && (width % 10 == 0 || width == 132);
}

struct fsi_text_lines {
	struct fsi_text_line *v;
	size_t n, cap;
};

enum fsi_text_kind {
	TEXT_CONFIG,
	TEXT_JOB,
	TEXT_PARTITION,
	TEXT_NODE,
	TEXT_RESERVATION,
	TEXT_ASSOC_MGR,
	TEXT_SDIAG,
	TEXT_SQUEUE_JSON,
	TEXT_SQUEUE,
	TEXT_SACCT,
	TEXT_SPRIO,
	TEXT_SSHARE,
	TEXT_SINFO,
	TEXT_QOS,
	TEXT_ASSOC,
	TEXT_USER,
	TEXT_TRES, /* the kinds up to TEXT_TRES are outputs of Slurm's commands */
	TEXT_FLUX_JOBS,
	TEXT_FLUX_PRIORITIES, /* output of flux account jobs */
	TEXT_FLUX_TREE,       /* output of flux account view-bank -t */
	TEXT_FLUX_ROWS,       /* flux account list-..., view-...: tables with bars between the columns */
	TEXT_FLUX_JSON,
	TEXT_FLUX_STATUS,         /* output of flux queue status */
	TEXT_FLUX_QUEUES,         /* flux queue list */
	TEXT_FLUX_NODES,          /* flux resource list */
	TEXT_FLUX_DRAINED,        /* flux resource status; last kind of output of Flux's commands */
	TEXT_SHOWQ,               /* showq */
	TEXT_SHOWQ_IDLE,          /* showq -i */
	TEXT_SHOWQ_RUNNING,       /* showq -r */
	TEXT_SHOWQ_BLOCKED,       /* showq -b */
	TEXT_DIAGNOSE_JOBS,       /* diagnose -j */
	TEXT_DIAGNOSE_FAIRSHARE,  /* diagnose -f */
	TEXT_DIAGNOSE_PRIORITIES, /* diagnose -p */
	TEXT_CHECKJOB,
	TEXT_SHOWSTART,
	TEXT_SHOWRES,       /* showres */
	TEXT_SHOWRES_NODES, /* showres -n */
	TEXT_UNSUPPORTED,        /* output that is recognized but cannot be read */
	TEXT_KINDS          /* number of kinds; also the kind of a text that no known command prints */
};

enum fsi_text_scheduler { TEXT_SLURM, TEXT_FLUX, TEXT_MAUI, TEXT_SCHEDULERS };

/* A pasted output: the lines of the paste that one command printed. */
struct fsi_text_piece {
	enum fsi_text_kind kind;
	/* `begin`: index of the first line of the output; `end`: index of the line after its last line */
	size_t begin, end;
	const char *file;	     /* unused, always NULL */
	struct fsi_text_table *table; /* NULL: not a table, or not parsed yet */
	/* `imported`: number of imported records; `unparsed`: number of lines or rows that could not be parsed */
	size_t imported, unparsed;
	size_t redacted; /* number of values that the user replaced by xxxx, ****, <user> or similar */
	size_t disputed; /* number of values left out because the row's positions and words give different values */
	uint32_t first_disputed_line; /* line of the paste with the first such value */
	uint32_t first_unparsed_line; /* first line of the paste that could not be parsed; 0: unknown */
};

/* Counts one more unparsed line or row of the pasted output p; `no` is its line number in the paste. */
static inline void fsi_text_count_unparsed(struct fsi_text_piece *p, uint32_t no)
{
	p->unparsed++;
	if (!p->first_unparsed_line || no < p->first_unparsed_line)
		p->first_unparsed_line = no;
}

/* What a cell of a column contains. */
enum fsi_cell_type {
	FSI_CELL_TEXT, /* any text */
	FSI_CELL_WORD, /* text without blanks */
	FSI_CELL_NAME, /* a user's name: text without blanks that is not a number */
	FSI_CELL_NODES_OR_REASON, /* a node list, or a reason in parentheses */
	/* the next types are numbers, times and fixed words: a line of prose does not fit them */
	FSI_CELL_JOB_ID, FSI_CELL_FLUX_ID, FSI_CELL_STATE, FSI_CELL_AVAIL, FSI_CELL_COUNT, FSI_CELL_SHARES,
	FSI_CELL_FRACTION, FSI_CELL_NUMBER, FSI_CELL_DURATION
};

/* A table with a heading. */
struct fsi_text_table {
	char name[FSI_TEXT_COLUMNS_MAX][FSI_TEXT_NAME_MAX];
	size_t columns, rows;
	struct fsi_span *cell; /* rows * columns cells; trimmed, but an account of sshare keeps its leading blanks */
	bool *cut;	       /* indexed by cell: the value may have been truncated to the column width */
	enum fsi_cell_type type[FSI_TEXT_COLUMNS_MAX];
	bool filled[FSI_TEXT_COLUMNS_MAX]; /* the column has no empty cells */
	uint32_t *no;	       /* indexed by row: line number in the paste */
	bool *by_words;	       /* indexed by row: the row was read by its words, because it is not aligned */
};

/* A file of the capture, held in memory. */
struct fsi_text_file {
	const char *name;
	struct fsi_text_lines lines;
	struct fsi_intern keys; /* keys of the records in the file */
	FSI_VEC(size_t) key_lines; /* indexed by key: index in `lines` of the record with this key */
	/* position of the reader: line index, and byte in that line; only one reader may have the file open */
	size_t next_line, next_byte;
};

/* Kinds of names that a narrow column may cut. */
enum fsi_text_name { TEXT_USERS, TEXT_ACCOUNTS, TEXT_PARTITIONS, TEXT_QOSES, TEXT_NAME_KINDS };

struct fsi_text {
	struct fsi_arena arena;
	const char *name; /* name of the paste, for messages */
	const struct fs_text_options *o;
	struct fs_error *err;
	struct fsi_text_lines lines;
	FSI_VEC(struct fsi_text_piece) pieces;
	FSI_VEC(struct fsi_text_file) files;
	/* complete names of users, accounts, partitions and QOS, sorted by bytes */
	FSI_VEC(struct fsi_span) full_names[TEXT_NAME_KINDS];
	FSI_VEC(const char *) warnings; /* warnings to be stored in the snapshot */
	/* the scheduler whose outputs have the most lines; the outputs of other schedulers are not imported */
	enum fsi_text_scheduler scheduler;
	int64_t clock; /* local time of the capture in seconds, as if the zone were UTC; FS_UNKNOWN: unknown */
	int64_t newest_time; /* latest time in the output of Flux's or Maui's commands; local time, like `clock` */
	struct fsi_span cluster;
	/* clock_from_config: `clock` is from `scontrol show config`; clock_guessed: `clock` is the newest time found in
	 * the paste */
	bool clock_from_config, clock_guessed;
};

/* Splits the paste into t->lines. Removes terminal colors, e-mail quoting and carriage returns; replaces non-ASCII
 * blanks. */
int fsi_text_clean_paste(struct fsi_text *t, const char *text, size_t size);

/* Divides the lines of the paste into the outputs of single commands (t->pieces). Also looks for the time of the
 * capture (t->clock) and for the name of the cluster. */
int fsi_text_find_pieces(struct fsi_text *t);

/* ---- recognizing the command that printed a line */

/* Returns the kind of table with this heading; TEXT_KINDS if the line is not a known heading. */
enum fsi_text_kind fsi_text_kind_of_heading(struct fsi_span line);
/* Returns the kind of output that begins with this line, by its first words; TEXT_KINDS if unknown. */
enum fsi_text_kind fsi_text_kind_of_record(struct fsi_span line);
static inline struct fsi_span fsi_text_get_line(const struct fsi_text *t, size_t i)
{
	return fsi_text_line_span(&t->lines.v[i]);
}

/* Returns true if the list has the word v. Each word of the list has a blank before and after it. */
bool fsi_text_is_word_of(const char *words, struct fsi_span v);
/* Returns true if v replaces a value that the user hides: xxxx, ****, <user>, REDACTED. */
bool fsi_text_is_redacted(struct fsi_span v);
/* Returns true for a line that marks left-out lines or ends a quotation: `...`, `[...]`, `<snip>`, `~~~`. */
bool fsi_text_is_ornament(struct fsi_span line);
/* Returns true for a line of `scontrol show config`: `Name   = value`. */
bool fsi_text_is_config_setting(struct fsi_span line);
/* Returns true if the word is the heading of a column in outputs of this kind. */
bool fsi_text_is_column(enum fsi_text_kind kind, struct fsi_span word);
const char *fsi_text_kind_name(enum fsi_text_kind kind); /* returns the command line that prints this kind of output */

/* Returns the scheduler whose command prints this kind of output. */
enum fsi_text_scheduler fsi_text_kind_scheduler(enum fsi_text_kind kind);

/* Adds one warning for each recognized but unsupported output. The warning names the command to paste instead. Removes
 * these outputs from t->pieces. */
int fsi_text_warn_unread(struct fsi_text *t);

/* Parses the rows below the heading of the pasted output p, and sets p->table. */
int fsi_text_parse_table(struct fsi_text *t, struct fsi_text_piece *p);

/* Sets *rows to the lines of the pasted output p as they were before a terminal folded them. The first line is the
 * heading. If is_complete returns true for the first line of a row, the row has only this line. Any other row has as
 * many lines as the heading. The caller frees the rows with FSI_VEC_FREE. */
typedef bool (*fsi_text_is_complete_fn)(struct fsi_span row);
int fsi_text_unfold_rows(struct fsi_text *t, const struct fsi_text_piece *p, fsi_text_is_complete_fn is_complete,
			 struct fsi_text_lines *rows);

typedef int (*fsi_text_json_fn)(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where);
/* Passes the objects of a pasted JSON output to the callback. Warns if the JSON is cut or damaged. */
int fsi_text_read_json(struct fsi_text *t, struct fsi_text_piece *p, fsi_text_json_fn object, void *ctx);

/* ---- finding cells by the column's name; which texts a cell of a column may contain */
/* Returns the index of the column with this name; table->columns if there is none. */
size_t fsi_text_find_column(const struct fsi_text_table *table, const char *name);
/* Returns the cell of the row in the column with this name; an empty span if there is no such column. */
struct fsi_span fsi_text_find_cell(const struct fsi_text_table *table, size_t row, const char *name);
bool fsi_text_is_job_id(struct fsi_span v);
bool fsi_text_is_flux_id(struct fsi_span v); /* returns true for a job ID in f58 or decimal form */
bool fsi_text_is_number(struct fsi_span v, bool fraction);
/* Returns the type of the cells in the column `name` of outputs of this kind. */
enum fsi_cell_type fsi_text_cell_type(enum fsi_text_kind kind, const char *name);
/* Returns true if outputs of this kind have no empty cells in the column `name`. */
bool fsi_text_is_filled_column(enum fsi_text_kind kind, const char *name);
/* Returns true if a cell of this type may contain the text v. */
bool fsi_text_fits_type(enum fsi_text_kind kind, enum fsi_cell_type type, struct fsi_span v);

/* Returns the full name of a job state of Slurm, "PENDING" for "PD" and for "PENDING"; an empty span if v is not such a
 * state. */
struct fsi_span fsi_text_expand_state(struct fsi_span v);

/* Converts a time limit from the form of squeue to the form of scontrol: squeue omits the hours if they are 0, scontrol
 * always prints the hours. The result is {NULL, 0} if out of memory. */
struct fsi_span fsi_text_format_limit(struct fsi_text *t, struct fsi_span v);
/* Returns the comma-separated list with the name appended. If the list has the name already, returns the list
 * unchanged. The result is {NULL, 0} if out of memory. */
struct fsi_span fsi_text_append_name(struct fsi_text *t, struct fsi_span list, struct fsi_span name);

/* ---- names that a narrow column may have cut */

/* adds the complete names that occur in any record or table to t->full_names */
int fsi_text_collect_names(struct fsi_text *t);

/* If `cut` is true, returns v with a + after it, unless v ends with + already. */
struct fsi_span fsi_text_mark_cut(struct fsi_text *t, struct fsi_span v, bool cut);
/* If `cut` is false, returns v. Otherwise returns the complete name in t->full_names that begins with v. If no name or
 * several names begin with v, returns v with a + after it. */
struct fsi_span fsi_text_complete_name(struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v, bool cut);

/* ---- the files that the importers read */

/* Returns the file with this name, adding the file if it is missing; NULL if out of memory. */
struct fsi_text_file *fsi_text_ensure_file(struct fsi_text *t, const char *name);
/* Returns the file with this name; NULL if there is none. */
const struct fsi_text_file *fsi_text_find_file(const struct fsi_text *t, const char *name);
/* Appends a copy of the line to a file, which is added if it is missing. `no`: line number in the paste; 0: none. */
int fsi_text_add_line(struct fsi_text *t, const char *file, struct fsi_span line, uint32_t no);
/* Returns an fs_source that reads the files of t; t must stay valid while the source is used. */
struct fs_source fsi_text_make_source(struct fsi_text *t);

/* ---- conversion of the outputs of Slurm's commands to files */
int fsi_text_write_records(struct fsi_text *t); /* outputs of scontrol show and sdiag */
int fsi_text_write_queue(struct fsi_text *t);	  /* jobs in squeue and sprio that are not in scontrol's output */
int fsi_text_write_tables(struct fsi_text *t);  /* tables of sshare, sprio, sacctmgr and sinfo */

/* ---- warnings about rows that are left out */

enum { FSI_TEXT_SKIPPED_LINES = 3 };

/* Rows that are left out for the same reason, such as a cut name. fsi_text_count_skipped adds a row. */
struct fsi_text_skipped {
	uint32_t no[FSI_TEXT_SKIPPED_LINES]; /* line numbers, in the paste, of the first rows that were left out */
	size_t n;
};

/* Counts one more row that was left out; `no` is its line number in the paste. */
void fsi_text_count_skipped(struct fsi_text_skipped *l, uint32_t no);

/* Adds the warning `lines 2 and 4: WHAT: WHY` if at least one row was counted. */
int fsi_text_warn_skipped(struct fsi_text *t, const struct fsi_text_skipped *l, const char *what, const char *why);

/* ---- messages */

/* Adds a warning that will be stored in the snapshot. */
int fsi_text_add_warning(struct fsi_text *t, const char *fmt, ...) FSI_PRINTF(2, 3);
/* Passes a note to the note callback of the options, if there is one. */
void fsi_text_print_note(const struct fsi_text *t, const char *fmt, ...) FSI_PRINTF(2, 3);
/* Passes notes about the contents of each pasted output, and about the commands to paste next, to the note callback. */
void fsi_text_print_report(const struct fsi_text *t);

/* Converts the pasted outputs of Flux's commands to files of a capture. */
int fsi_text_write_flux(struct fsi_text *t);

#endif
