/* Applies one scheduler command to a snapshot: the implementation of fs_snapshot_edit (what-if scenarios).
 *
 * fs_snapshot_edit splits the command into words (fsi_scenario_split_words) and calls the edit function of the
 * snapshot's scheduler: fsi_slurm_edit, fsi_flux_edit or fsi_maui_edit. The edit function runs the subcommand that the
 * first words name (fsi_scenario_run_verb). For each "Key=value" word, the subcommand looks up the key in a table of
 * struct fsi_edit_keyword (fsi_scenario_parse_keyword). It stores the value in a record of the snapshot
 * (fsi_scenario_apply_keyword). A change may make recorded values of jobs invalid. fsi_scenario_drop_recorded then
 * lists these jobs, and their recorded values are removed at the end of the command.
 *
 * The caller owns the snapshot; all other memory of struct fsi_scenario is released at the end of the command.
 * Functions that return int return 0 or an FS_ error code and fill s->err. After an error the snapshot may contain a
 * part of the change. A command is applied even if the viewer has no permission for it. A note then names the privilege
 * that it requires. A job, user or account that the viewer may not see is treated as missing. */
#ifndef FSI_SCENARIO_EDIT_H
#define FSI_SCENARIO_EDIT_H

#include "base/text.h"
#include "fs/scenario.h"
#include "fs/shares.h"
#include "model/model.h"

enum { FSI_COMMAND_WORDS = 64, FSI_COMMAND_MAX = 4096 };

struct fsi_scenario {
	fs_snapshot *m;
	struct fsi_viewer viewer;
	const struct fs_edit_options *o;
	struct fs_error *err;
	char text[FSI_COMMAND_MAX];
	char *words[FSI_COMMAND_WORDS + 1]; /* words of the command, followed by NULL */
	size_t n;
	struct fsi_arena arena; /* memory that is needed until the end of the command */
	/* Slurm: the job size that is collected from the words of scontrol update job; NULL for other commands */
	struct fsi_slurm_size *size;
	/* ids of the jobs whose recorded values will be removed; id 0: all recorded values will be removed */
	FSI_VEC(uint64_t) dropped_jobs;
	/* indexed by job row: true if the command has cancelled the job, and its row is still in the table. NULL: no
	 * job has been cancelled */
	bool *cancelled_rows;
	bool age_interrupted; /* true: the command interrupts the age of the job that is being changed */
	bool out_of_memory; /* true: a function that returns no error code ran out of memory */
};

/* The lowest privilege that an action requires. The values are sorted from the lowest to the highest privilege. A
 * higher privilege includes all lower ones. Not all schedulers have all privileges. For Flux, FSI_OPERATOR is the
 * instance owner. */
enum fsi_privilege { FSI_OWNER, FSI_COORDINATOR, FSI_OPERATOR, FSI_ADMINISTRATOR };

/* The operand of "Key=value", "Key+=value" or "Key-=value". If the word is "Key" alone, `text` is NULL. */
struct fsi_operand {
	char op; /* operator before the value: '=' ("="), '+' ("+=") or '-' ("-=") */
	const char *text;
};

/* A keyword of a command, and the record field that it sets. */
struct fsi_edit_keyword {
	/* name of the keyword; compared case-insensitively; may be abbreviated to `min_letters` letters */
	const char *keyword;
	const char *field; /* name of the record field that the keyword sets; NULL: `set` determines the field */
	enum fsi_privilege who;
	/* function that sets the field; NULL: fsi_scenario_set_field sets it by its type */
	int (*set)(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_keyword *w, struct fsi_operand v);
	/* Minimum number of letters of an abbreviation. If several keywords begin with the given letters, the first of
	 * them in the table is used, as in the scheduler's own command. 0 in the first row of a table: an abbreviation
	 * in this table has at least 3 letters and must match exactly one keyword. */
	unsigned min_letters;
};

/* Splits the command into s->words at blanks; quotes join words. Returns FS_EUSAGE if the command is too long, has an
 * open quote or is not UTF-8. */
int fsi_scenario_split_words(struct fsi_scenario *s, const char *command);

/* Parses "Key=value": sets *out to the keyword in the table, and *v to the operand. If the key is unknown, returns
 * FS_EUSAGE with a message that names the nearest keyword; `what` names the command in that message. */
int fsi_scenario_parse_keyword(struct fsi_scenario *s, const struct fsi_edit_keyword *table, size_t n, const char *what,
			       const char *text, const struct fsi_edit_keyword **out, struct fsi_operand *v);

/* Returns true if `s` is a keyword of the table or a valid abbreviation of one. */
bool fsi_scenario_is_keyword(const struct fsi_edit_keyword *table, size_t n, const char *s, size_t len);

/* Returns the index of the name that equals s, ignoring case, or that s abbreviates unambiguously with at least 3
 * letters. Returns n if there is no such name. `names`: array of n structs of `stride` bytes; the first member of each
 * struct is a const char *. */
size_t fsi_scenario_find_name(const void *names, size_t n, size_t stride, const char *s, size_t len);
/* Returns the name with the smallest edit distance from `s`; NULL if n is 0. The parameters have the same meaning as in
 * fsi_scenario_find_name. */
const char *fsi_scenario_nearest_name(const void *names, size_t n, size_t stride, const char *s, size_t len);

/* Returns FS_EUSAGE after storing the formatted message in s->err. */
int fsi_scenario_refuse(struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);
/* Passes the formatted sentence to the note function of the caller, if it has one. */
void fsi_scenario_note(const struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);

/* Returns the prefix of a note about the job, such as "job 12: "; valid until the end of the command. Returns "" if all
 * notes are about this job (member about_job of struct fs_edit_options), or if out of memory. */
const char *fsi_scenario_job_prefix(struct fsi_scenario *s, const struct fsi_job *job);

/* Returns the row of the job; FSI_NO_INDEX if the snapshot has no such job that the viewer may see. */
uint32_t fsi_scenario_find_job(const struct fsi_scenario *s, uint64_t id);
/* Returns the name id of the account; 0 if the snapshot has no such account that the viewer may see. */
uint32_t fsi_scenario_find_account(const struct fsi_scenario *s, const char *name);

/* Returns true if the viewer has the privilege for an object. `user`, `account`: name ids of the object's owner and
 * account; 0: none. */
bool fsi_scenario_viewer_may(const struct fsi_scenario *s, enum fsi_privilege who, uint32_t user, uint32_t account);
/* Adds a note that names the privilege which the change requires, unless the viewer has it. `what`: prefix of the note,
 * such as "job 12: ". */
void fsi_scenario_note_privilege(const struct fsi_scenario *s, enum fsi_privilege who, uint32_t user, uint32_t account,
				 const char *what);

/* Parses v.text according to the field's type, and stores the value in the field of the record. If the text means "no
 * limit", marks the field as unknown. Returns FS_EUSAGE if the text is invalid. */
int fsi_scenario_set_field(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, const char *word,
			   const char *field, struct fsi_operand v);

/* Returns true if the limit in the field is higher in the record `now` than in `was`, or is no longer set. Returns
 * false if `was` has no limit, or if the field is neither a number nor a set of TRES. */
bool fsi_scenario_is_limit_raised(const fs_snapshot *m, enum fsi_record_type type, const struct fsi_rec *was,
				  const struct fsi_rec *now, const char *field);
/* Returns true if both records have the same value of the field, or neither has a value. The field must not be an
 * optional field (which is stored outside the record). */
bool fsi_scenario_is_same_field(enum fsi_record_type type, const struct fsi_rec *a, const struct fsi_rec *b,
				const char *field);
void fsi_scenario_copy_field(enum fsi_record_type type, struct fsi_rec *to, const struct fsi_rec *from,
			     const char *field);

/* Sets the field of the keyword: calls w->set or, if w->set is NULL, fsi_scenario_set_field. */
int fsi_scenario_apply_keyword(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
			       const struct fsi_edit_keyword *w, struct fsi_operand v);

/* Parses a Slurm time limit such as "90" (minutes), "1:30:00", "2-0" or "UNLIMITED" (FS_UNLIMITED). Seconds are rounded
 * up to the next minute. Returns -1 if the text is not a time. */
int fsi_scenario_parse_minutes(const char *text, int64_t *seconds);

/* Marks the member of record r as unknown and clears its value. */
#define FSI_CLEAR_FIELD(r, TAG, member)                                                                   \
	(FSI_UNSET(r, TAG, member), memset(&(r)->member, 0, sizeof((r)->member)))

/* The parameter list of the functions to which member `set` of struct fsi_edit_keyword points. */
#define FSI_SETTER_ARGS                                                              \
	struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_keyword *w, struct fsi_operand v

static inline struct fsi_job *fsi_rec_to_job(struct fsi_rec *rec)
{
	return (struct fsi_job *)(void *)rec;
}

/* Setter for keywords that do not affect anything that this library computes: only adds a note. */
int fsi_scenario_note_no_effect(FSI_SETTER_ARGS);
/* Setter for keywords that may change where or when a job starts in a way that is not modelled: only adds a note. */
int fsi_scenario_note_not_modelled(FSI_SETTER_ARGS);

/* Returns the id of a TRES set that equals `set` except for one TRES: `tres` has the amount `amount`, or is absent if
 * `amount` is negative. Returns FSI_INTERN_FAILED if out of memory. */
uint32_t fsi_scenario_set_amount(fs_snapshot *m, uint32_t set, uint32_t tres, int64_t amount);
/* Returns the amount that a TRES set stores for a billing rate: the whole part of the rate, at most 1e15. */
static inline int64_t fsi_scenario_rate_to_amount(double rate)
{
	return rate < 1e15 ? (int64_t)rate : INT64_C(1000000000000000);
}
/* Returns amount * times / by, without overflow of the intermediate product. */
static inline int64_t fsi_scenario_scale_amount(int64_t amount, uint32_t times, uint32_t by)
{
	return amount / by * times + amount % by * times / by;
}
/* Returns the id of a list that equals `list`, but with the name added at the end (`in` is true) or removed (`in` is
 * false). Returns FSI_INTERN_FAILED if out of memory. */
uint32_t fsi_scenario_change_list(fs_snapshot *m, uint32_t list, uint32_t name, bool in);

/* Marks the recorded values of a job as invalid. `job`: id of the job; 0: the recorded values of all jobs. The values
 * are removed at the end of the command. */
void fsi_scenario_drop_recorded(struct fsi_scenario *s, uint64_t job);
/* Marks the recorded values of the job as invalid, and clears its priority so that it is computed again. */
void fsi_scenario_drop_priority(struct fsi_scenario *s, struct fsi_job *job);

/* Cancels the job and frees its resources on its nodes. If the job has several nodes, its resources are assumed to be
 * spread evenly. The row stays in the job table until fsi_scenario_remove_cancelled is called, so that many jobs are
 * removed in one pass. Returns FS_ENOMEM if out of memory. */
int fsi_scenario_cancel_job(struct fsi_scenario *s, struct fsi_job *job);
void fsi_scenario_remove_cancelled(struct fsi_scenario *s);
int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *job);
/* Frees the job's CPUs on its nodes, or allocates them again if `back` is true. The job's other resources stay
 * allocated. Returns FS_ENOMEM if out of memory. */
int fsi_scenario_change_node_cpus(struct fsi_scenario *s, const struct fsi_job *job, bool back);

/* A subcommand, such as "update" in "scontrol update". */
struct fsi_verb {
	const char *name;
	int (*run)(struct fsi_scenario *s, size_t at);
};
/* Runs the subcommand named by s->words[at]. If there is no such subcommand, returns FS_EUSAGE with a message that
 * names the nearest one; `what` names the command in that message. */
int fsi_scenario_run_verb(struct fsi_scenario *s, const struct fsi_verb *verbs, size_t n, const char *what, size_t at);

/* Functions for member `apply_command` of struct fsi_scheduler: apply the command in s->words. Return the error codes
 * of fs_snapshot_edit. */
int fsi_slurm_edit(struct fsi_scenario *s);
int fsi_flux_edit(struct fsi_scenario *s);
/* Functions for member `begins_command` of struct fsi_scheduler: return true if a command begins with the word. */
bool fsi_slurm_begins_command(const char *word);
bool fsi_flux_begins_command(const char *word);
extern const struct fsi_commands fsi_slurm_commands, fsi_flux_commands;

/* Functions for member `write_shares` of struct fsi_scheduler: write to *c the command that sets the raw shares of the
 * association to `shares`. */
struct fsi_command;
void fsi_slurm_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			    uint32_t shares);
void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares);
#endif
