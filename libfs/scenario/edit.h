/* Commands of a hypothetical state: words, setters of record fields, and the changes that each scheduler makes. */
#ifndef FSI_SCENARIO_EDIT_H
#define FSI_SCENARIO_EDIT_H

#include "base/text.h"
#include "fs/scenario.h"
#include "fs/shares.h"
#include "model/viewer.h"

/* A command as words, the tables of words that a command takes, and the setters of a record's fields by their types. */

enum { FSI_COMMAND_WORDS = 64, FSI_COMMAND_MAX = 4096 };

struct fsi_scenario {
	fs_snapshot *m;
	struct fsi_viewer viewer;
	const struct fs_edit_options *o;
	struct fs_error *err;
	char text[FSI_COMMAND_MAX];
	char *word[FSI_COMMAND_WORDS + 1]; /* of the command, NULL behind the last */
	size_t n;
	struct fsi_arena arena; /* what lasts until the command is done */
	struct fsi_slurm_size *size; /* of Slurm: what the words at hand say of a job's size, while they are read */
	FSI_VEC(uint64_t) forgotten; /* jobs whose recorded values are gone; 0: all */
	bool *gone; /* by row: jobs taken away whose rows are still there; NULL: none */
	bool starved; /* memory was out where no code could say so */
};

/* Who may do a thing. What an owner may, those behind him may too, where the scheduler has them. */
enum fsi_who { FSI_OWNER, FSI_COORDINATOR, FSI_OPERATOR, FSI_ADMINISTRATOR };

/* "Key=value", "Key+=value", "Key-=value", or "Key" alone (text NULL). */
struct fsi_operand {
	char op; /* '=', '+' or '-' */
	const char *text;
};

/* A word that a command takes, and the field of a record that it sets. */
struct fsi_edit_word {
	const char *word;  /* in any case, and a beginning of it: see least */
	const char *field; /* NULL: the setter knows */
	enum fsi_who who;
	/* NULL: by the type of the field */
	int (*set)(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w, struct fsi_operand v);
	/* A word of at least so many letters stands for the first in the table that begins so, as in the command's
	 * own source; 0: three letters do, if they begin no other word. */
	unsigned least;
};

/* The command into s->word: blanks part words, quotes keep them together. Error: FS_EUSAGE. */
int fsi_scenario_words(struct fsi_scenario *s, const char *command);

/* Finds the row of the table and the operand of "Key=value". Error: FS_EUSAGE naming the nearest word; what: the
 * command that the words are of. */
int fsi_scenario_word(struct fsi_scenario *s, const struct fsi_edit_word *table, size_t n, const char *what,
		      const char *text, const struct fsi_edit_word **out, struct fsi_operand *v);

/* Is it one of the table's words, or a beginning that stands for one? */
bool fsi_scenario_table_has(const struct fsi_edit_word *table, size_t n, const char *s, size_t len);

/* The index, of n names of `stride` bytes each (a pointer to text first), of the one that s is in any case, or
 * begins; n if there is none. */
size_t fsi_scenario_find(const void *names, size_t n, size_t stride, const char *s, size_t len);
/* The name with the fewest letters to add, drop or change; NULL if there are none. */
const char *fsi_scenario_nearest(const void *names, size_t n, size_t stride, const char *s, size_t len);

/* Fails with FS_EUSAGE and the sentence. */
int fsi_scenario_refuse(struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);
/* Hands a sentence to whoever asks. */
void fsi_scenario_note(const struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);

/* "job 12: ", which a note begins with, borrowed until the command is done; "" of the job that is noted for, and without
 * memory. */
const char *fsi_scenario_of_job(struct fsi_scenario *s, const struct fsi_job *job);

/* May the viewer do it? user and account are those of what is changed, 0 for none. */
bool fsi_scenario_may(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account);
/* Notes who alone may do it, unless the viewer is one of them; what is changed: "job 12: ". */
void fsi_scenario_note_who(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account,
			    const char *what);

/* Sets the field by its type, or marks it unknown where v takes the limit away. Error: FS_EUSAGE. */
int fsi_scenario_set(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, const char *word,
		     const char *field, struct fsi_operand v);

/* Is the field the same in both records, known or not? It must stand in the record itself. */
bool fsi_scenario_same_field(enum fsi_record_type type, const struct fsi_rec *a, const struct fsi_rec *b,
			     const char *field);
void fsi_scenario_copy_field(enum fsi_record_type type, struct fsi_rec *to, const struct fsi_rec *from,
			     const char *field);

/* Sets the field by the word's own setter, or else by its type. */
int fsi_scenario_apply(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
		       const struct fsi_edit_word *w, struct fsi_operand v);

/* "1:30:00", "90", "2-0", "UNLIMITED" (FS_UNLIMITED): minutes are what a bare number means, seconds make a minute
 * more. */
int fsi_scenario_minutes(const char *text, int64_t *seconds);

/* Marks the field unknown and clears its value. */
#define FSI_FORGET(r, TAG, member)                                                                   \
	(FSI_UNSET(r, TAG, member), memset(&(r)->member, 0, sizeof((r)->member)))

/* The head of a function that sets a field by more than its type, as struct fsi_edit_word has it. */
#define FSI_SETTER(name)                                                                                    \
	int name(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w, struct fsi_operand v)

static inline struct fsi_job *fsi_edited_job(struct fsi_rec *rec)
{
	return (struct fsi_job *)(void *)rec;
}

/* For words that change nothing that is computed, which is noted. */
FSI_SETTER(fsi_scenario_ignore);
/* For words that change what is computed in a way that is not known here, which is noted. */
FSI_SETTER(fsi_scenario_unheeded);

/* The set with this amount of the TRES, or without it if the amount is negative. FSI_INTERN_FAILED without memory. */
uint32_t fsi_scenario_amount(fs_snapshot *m, uint32_t set, uint32_t tres, int64_t amount);
/* The amount that is billed as sets hold it; more than fits becomes the greatest that does. */
static inline int64_t fsi_scenario_billed(double rate)
{
	return rate < 1e15 ? (int64_t)rate : INT64_C(1000000000000000);
}
/* times / by of the amount, which may be as great as sets hold it. */
static inline int64_t fsi_scenario_share(int64_t amount, uint32_t times, uint32_t by)
{
	return amount / by * times + amount % by * times / by;
}
/* The list with the name added at its end, or taken out. */
uint32_t fsi_scenario_change_list(fs_snapshot *m, uint32_t list, uint32_t name, bool in);

/* What the scheduler printed of this job, or with 0 of anything, tells no longer: it is dropped once the command is
 * done. */
void fsi_scenario_forget(struct fsi_scenario *s, uint64_t job);
/* Likewise, and the job's priority is to be computed anew. */
void fsi_scenario_forget_priority(struct fsi_scenario *s, struct fsi_job *job);

/* Takes the job away and off its nodes, where what it had on several is taken to be spread evenly. Its row stays
 * until fsi_scenario_close_up, which moves up those behind once for all, so that many jobs cost no more than one.
 * Error: FS_ENOMEM. */
int fsi_scenario_cancel(struct fsi_scenario *s, struct fsi_job *job);
void fsi_scenario_close_up(struct fsi_scenario *s);
int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *job);
/* Takes the job's CPUs alone off its nodes, or gives them back. Error: FS_ENOMEM. */
int fsi_scenario_move_cpus(struct fsi_scenario *s, const struct fsi_job *job, bool back);

/* A word of a command and the function that does the rest, which begins at s->word[at]. */
struct fsi_verb {
	const char *name;
	int (*run)(struct fsi_scenario *s, size_t at);
};
/* Runs the verb that is the word at s->word[at]; what: the command that the verbs are of. Error: FS_EUSAGE naming
 * the nearest. */
int fsi_scenario_verb(struct fsi_scenario *s, const struct fsi_verb *verbs, size_t n, const char *what, size_t at);

/* The commands of each scheduler, from s->word[0] on: a member of struct fsi_scheduler. Error: as fs_snapshot_edit. */
int fsi_slurm_edit(struct fsi_scenario *s);
int fsi_flux_edit(struct fsi_scenario *s);
/* begins_command of struct fsi_scheduler. */
bool fsi_slurm_begins_command(const char *word);
bool fsi_flux_begins_command(const char *word);
extern const struct fsi_commands fsi_slurm_commands, fsi_flux_commands;

/* write_shares of struct fsi_scheduler. */
struct fsi_command;
void fsi_slurm_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			    uint32_t shares);
void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares);
#endif
