/* A command as words, the tables of words that a command takes, and the setters of a record's fields by their types. */
#ifndef FSI_SCENARIO_H
#define FSI_SCENARIO_H

#include "base/text.h"
#include "model/model.h"
#include "model/viewer.h"

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
	FSI_VEC(uint64_t) forgotten; /* jobs; 0: all */
	bool *gone; /* by row: jobs taken away whose rows are still there; NULL: none */
	bool starved; /* memory was out where no code could say so */
};

/* Who may do a thing; what an owner may, those below him may too, where the scheduler has them. */
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
	int (*set)(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w,
		   struct fsi_operand v);
	/* So many letters do, of the first in the table that begins so, as the command has it itself; 0: three, if
	 * they are no other word's. */
	unsigned least;
};

/* The command into s->word: blanks part words, quotes keep them together. Error: FS_EUSAGE. */
int fsi_scenario_words(struct fsi_scenario *s, const char *command);

/* "Key=value" to the row of the table and the operand. Error: FS_EUSAGE naming the nearest word; what: of which
 * command. */
int fsi_scenario_word(struct fsi_scenario *s, const struct fsi_edit_word *table, size_t n, const char *what,
		      const char *text, const struct fsi_edit_word **out, struct fsi_operand *v);

/* Of n names of `stride` bytes each (a pointer to text first) the one that s is, in any case, or begins; n if none. */
size_t fsi_scenario_find(const void *names, size_t n, size_t stride, const char *s, size_t len);
/* The nearest of them by letters to add, drop or change; NULL if there are none. */
const char *fsi_scenario_nearest(const void *names, size_t n, size_t stride, const char *s, size_t len);

/* FS_EUSAGE with a sentence. */
int fsi_scenario_refuse(struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);
/* A sentence for whoever asks. */
void fsi_scenario_note(const struct fsi_scenario *s, const char *fmt, ...) FSI_PRINTF(2, 3);

/* Is the viewer one who may? user and account are of what is changed, 0 for none. */
bool fsi_scenario_may(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account);
/* Tells, unless he is, that only these may; what is changed: "job 12: ". */
void fsi_scenario_only(const struct fsi_scenario *s, enum fsi_who who, uint32_t user, uint32_t account,
		       const char *what);

/* Sets the field by its type, or marks it unknown where v takes the limit away. Error: FS_EUSAGE. */
int fsi_scenario_set(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, const char *word,
		     const char *field, struct fsi_operand v);

/* Is the field, one that stands in the record itself, the same in both, known or not? */
bool fsi_scenario_same_field(enum fsi_record_type type, const struct fsi_rec *a, const struct fsi_rec *b,
			     const char *field);
void fsi_scenario_copy_field(enum fsi_record_type type, struct fsi_rec *to, const struct fsi_rec *from,
			     const char *field);

/* The word's own setter, else by its field. */
int fsi_scenario_apply(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
		       const struct fsi_edit_word *w, struct fsi_operand v);

/* "1:30:00", "90", "2-0", "UNLIMITED" (FS_UNLIMITED): minutes are what a bare number means, seconds make a minute
 * more. */
int fsi_scenario_minutes(const char *text, int64_t *seconds);

/* Marks the field unknown and clears its value. */
#define FSI_FORGET(r, TAG, member)                                                                   \
	(FSI_UNSET(r, TAG, member), memset(&(r)->member, 0, sizeof((r)->member)))

/* What sets a field by more than its type, as struct fsi_edit_word has it. */
#define FSI_SETTER(name)                                                                                    \
	int name(struct fsi_scenario *s, struct fsi_rec *rec, const struct fsi_edit_word *w, struct fsi_operand v)

static inline struct fsi_job *fsi_edited_job(struct fsi_rec *rec)
{
	return (struct fsi_job *)(void *)rec;
}

/* Taken, and told that it changes nothing that is computed. */
FSI_SETTER(fsi_scenario_idle);

/* The set with this amount of the TRES; negative: without it. FSI_INTERN_FAILED without memory. */
uint32_t fsi_scenario_amount(fs_snapshot *m, uint32_t set, uint32_t tres, int64_t amount);
/* An amount as sets hold it; what is billed may be more than fits. */
static inline int64_t fsi_scenario_billed(double rate)
{
	return rate < 1e15 ? (int64_t)rate : INT64_C(1000000000000000);
}
/* The list with the name behind it, or without it. */
uint32_t fsi_scenario_listed(fs_snapshot *m, uint32_t list, uint32_t name, bool in);

/* What the scheduler printed of this job, or with 0 of anything, no longer tells: gone once the command is done. */
void fsi_scenario_forget(struct fsi_scenario *s, uint64_t job);
/* And the job's priority is computed anew. */
void fsi_scenario_forget_priority(struct fsi_scenario *s, struct fsi_job *job);

/* Takes the job away, and what it has of its nodes; what a job had on several nodes is taken to be spread evenly. Its
 * row stays until fsi_scenario_close_up, so that many cost no more than one: then those behind move up.
 * Error: FS_ENOMEM. */
int fsi_scenario_cancel(struct fsi_scenario *s, struct fsi_job *job);
void fsi_scenario_close_up(struct fsi_scenario *s);
int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *job);
/* Its CPUs alone, away or back. Error: FS_ENOMEM. */
int fsi_scenario_move_cpus(struct fsi_scenario *s, const struct fsi_job *job, bool back);

/* A word of a command, and what does the rest of it, which begins at s->word[at]. */
struct fsi_verb {
	const char *name;
	int (*run)(struct fsi_scenario *s, size_t at);
};
/* By the word at s->word[at]; what: of which command. Error: FS_EUSAGE naming the nearest. */
int fsi_scenario_verb(struct fsi_scenario *s, const struct fsi_verb *verbs, size_t n, const char *what, size_t at);

/* The commands of a scheduler: a row of fsi_scheduler. s->word[0] is the first word. Error: as fs_snapshot_edit. */
int fsi_slurm_edit(struct fsi_scenario *s);
int fsi_flux_edit(struct fsi_scenario *s);
int fsi_maui_edit(struct fsi_scenario *s);
extern const struct fsi_commands fsi_slurm_commands, fsi_flux_commands, fsi_maui_commands;

/* As struct fsi_scheduler has it. */
struct fsi_command;
void fsi_slurm_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			    uint32_t shares);
void fsi_flux_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			   uint32_t shares);

#endif
