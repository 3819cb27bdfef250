/* Pasted text: cleaned lines, the command outputs in it, and the files for the importers that are made of them. */
#ifndef FSI_IMPORT_TEXT_H
#define FSI_IMPORT_TEXT_H

#include "base/memory.h"
#include "import/import.h"

enum { FSI_TEXT_COLUMNS_MAX = 96, FSI_TEXT_NAME_MAX = 40 };

/* A line without colours, quoting and blanks at its end; `no` counts the lines of the paste from 1. */
struct fsi_text_line {
	const char *s;
	uint32_t len, no;
	bool cut; /* the paste ends in it */
};

static inline struct fsi_span fsi_text_span(const struct fsi_text_line *l)
{
	return (struct fsi_span){ l->s, l->len };
}

/* Lines as wide as terminals are may have been folded or cut by one. */
static inline bool fsi_text_terminal_wide(size_t width)
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
	TEXT_SQUEUE,
	TEXT_SPRIO,
	TEXT_SSHARE,
	TEXT_SINFO,
	TEXT_QOS,
	TEXT_ASSOC,
	TEXT_USER,
	TEXT_TRES, /* up to here Slurm's */
	TEXT_FLUX_JOBS,
	TEXT_FLUX_PRIORITIES, /* flux account jobs */
	TEXT_FLUX_TREE,       /* flux account view-bank -t */
	TEXT_FLUX_ROWS,       /* flux account list-..., view-...: columns between bars */
	TEXT_FLUX_JSON,
	TEXT_FLUX_STATUS,         /* flux queue status */
	TEXT_FLUX_QUEUES,         /* flux queue list */
	TEXT_FLUX_NODES,          /* flux resource list */
	TEXT_FLUX_DRAINED,        /* flux resource status; up to here Flux's */
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
	TEXT_UNREAD,        /* recognised, but not read */
	TEXT_KINDS          /* text that is none of them */
};

enum fsi_text_scheduler { TEXT_SLURM, TEXT_FLUX, TEXT_MAUI, TEXT_SCHEDULERS };

/* Lines of one command's output. */
struct fsi_text_piece {
	enum fsi_text_kind kind;
	size_t begin, end;	     /* lines; end is behind the last */
	const char *file;	     /* the file of the importer's that it goes to unchanged; NULL: its kind decides */
	struct fsi_text_table *table; /* NULL: none */
	size_t taken, odd;	     /* records taken, lines or rows that were not */
	uint32_t odd_line;	     /* the first of these in the paste; 0: unknown */
};

/* One more line or row of the piece that was not taken. */
static inline void fsi_text_odd(struct fsi_text_piece *p, uint32_t no)
{
	p->odd++;
	if (!p->odd_line || no < p->odd_line)
		p->odd_line = no;
}

/* A table under its heading. */
struct fsi_text_table {
	char name[FSI_TEXT_COLUMNS_MAX][FSI_TEXT_NAME_MAX];
	size_t columns, rows;
	struct fsi_span *cell; /* rows * columns, trimmed but for blanks before an account */
	bool *cut;	       /* by cell: it may have been longer */
	uint32_t *no;	       /* by row: its line in the paste */
};

struct fsi_text_file {
	const char *name;
	struct fsi_text_lines lines;
	struct fsi_intern keys; /* of records */
	FSI_VEC(size_t) first; /* line of each key */
	size_t line, at; /* how far it has been read; there is one reader at a time */
};

enum fsi_text_name { TEXT_USERS, TEXT_ACCOUNTS, TEXT_PARTITIONS, TEXT_QOSES, TEXT_NAME_KINDS };

struct fsi_text {
	struct fsi_arena arena;
	const char *name; /* for messages */
	const struct fs_text_options *o;
	struct fs_error *err;
	struct fsi_text_lines lines;
	FSI_VEC(struct fsi_text_piece) pieces;
	FSI_VEC(struct fsi_text_file) files;
	FSI_VEC(struct fsi_span) known[TEXT_NAME_KINDS]; /* whole names, from where they cannot be cut */
	FSI_VEC(const char *) told; /* sentences for the snapshot */
	enum fsi_text_scheduler scheduler; /* whose commands are read; the pieces of others are left out */
	int64_t clock; /* local, read as if it were UTC; FS_UNKNOWN */
	int64_t newest; /* newest time of Flux's and Maui's pieces, likewise */
	struct fsi_span cluster;
	bool clock_by_config, clock_guessed;
};

/* Cuts the paste into t->lines. */
int fsi_text_clean(struct fsi_text *t, const char *text, size_t size);

/* Finds t->pieces, clock and cluster in t->lines. */
int fsi_text_find(struct fsi_text *t);

/* ---- which command's output begins in a line, by its heading or first words; TEXT_KINDS: unknown */

enum fsi_text_kind fsi_text_table_of(struct fsi_span line);
enum fsi_text_kind fsi_text_record_of(struct fsi_span line);
static inline struct fsi_span fsi_text_line(const struct fsi_text *t, size_t i)
{
	return fsi_text_span(&t->lines.v[i]);
}

bool fsi_text_is_column(enum fsi_text_kind kind, struct fsi_span word);
const char *fsi_text_kind_name(enum fsi_text_kind kind); /* the command */

/* Whose command is it? */
enum fsi_text_scheduler fsi_text_scheduler(enum fsi_text_kind kind);

/* Adds one note for each recognised page that is not read, with what to paste instead, and drops its pieces. */
int fsi_text_note_unread(struct fsi_text *t);

/* Reads what stands under the heading of a piece. */
int fsi_text_table(struct fsi_text *t, struct fsi_text_piece *p);

/* Its lines as they were before a terminal folded them, by its heading, which is the first: each as many lines as that
 * takes, or one where joined(row) says that it is whole. rows: FSI_VEC_FREE. */
typedef bool (*fsi_text_whole_fn)(struct fsi_span row);
int fsi_text_unfold(struct fsi_text *t, const struct fsi_text_piece *p, fsi_text_whole_fn whole,
		    struct fsi_text_lines *rows);

/* Cells by column name, and which text a cell may hold. */
size_t fsi_text_column(const struct fsi_text_table *table, const char *name); /* columns if there is none */
struct fsi_span fsi_text_cell(const struct fsi_text_table *table, size_t row, const char *name);
bool fsi_text_job_id(struct fsi_span v);
bool fsi_text_flux_id(struct fsi_span v); /* f58 or decimal */
bool fsi_text_number(struct fsi_span v, bool fraction);
bool fsi_text_fits(enum fsi_text_kind kind, const char *name, struct fsi_span v); /* may it stand under this heading? */

struct fsi_span fsi_text_state(struct fsi_span v); /* "PENDING" of "PD"; nothing where it is no state */

/* A time limit as scontrol writes it: squeue has minutes and seconds where scontrol has hours, too. And the list with
 * one more name; as it is where the name stands in it. NULL without memory. */
struct fsi_span fsi_text_limit(struct fsi_text *t, struct fsi_span v);
struct fsi_span fsi_text_with_name(struct fsi_text *t, struct fsi_span list, struct fsi_span name);

/* ---- names that a narrow column may have cut */

int fsi_text_names(struct fsi_text *t); /* collects them from all pieces */

/* The whole name, or an empty span when it cannot be told. */
struct fsi_span fsi_text_whole(const struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v, bool cut);

/* ---- the importers' files */

struct fsi_text_file *fsi_text_file(struct fsi_text *t, const char *name); /* made if need be; NULL without memory */
const struct fsi_text_file *fsi_text_has(const struct fsi_text *t, const char *name);
int fsi_text_put(struct fsi_text *t, const char *file, struct fsi_span line, uint32_t no);
struct fs_source fsi_text_source(struct fsi_text *t);

/* Put their pieces into files. */
int fsi_text_records(struct fsi_text *t); /* scontrol show ... */
int fsi_text_queue(struct fsi_text *t);	  /* squeue, sprio: jobs that scontrol has not shown */
int fsi_text_tables(struct fsi_text *t);  /* sshare, sprio, sacctmgr, sinfo */

/* ---- rows and names that are left out, for one reason */

enum { FSI_TEXT_LOST_LINES = 3 };

struct fsi_text_lost {
	uint32_t no[FSI_TEXT_LOST_LINES]; /* lines of the first ones */
	size_t n;
};

void fsi_text_lose(struct fsi_text_lost *l, uint32_t no); /* one more, of that line */

/* Warns with the lines, if there are any: `lines 2 and 4: WHAT: WHY`. */
int fsi_text_warn_lost(struct fsi_text *t, const struct fsi_text_lost *l, const char *what, const char *why);

/* ---- sentences for whoever asks */

int fsi_text_warn(struct fsi_text *t, const char *fmt, ...) FSI_PRINTF(2, 3); /* and kept in the snapshot */
void fsi_text_note(const struct fsi_text *t, const char *fmt, ...) FSI_PRINTF(2, 3);
void fsi_text_report(const struct fsi_text *t);

/* Flux: makes files of a capture from the pieces of the text. */
int fsi_text_flux(struct fsi_text *t);

#endif
