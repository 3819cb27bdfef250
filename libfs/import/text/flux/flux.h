/* Pieces of Flux's commands: rows of flux-accounting's tables and jobs, each merged by key whatever printed it. */
#ifndef FSI_IMPORT_TEXT_FLUX_FLUX_H
#define FSI_IMPORT_TEXT_FLUX_FLUX_H

#include "import/flux/flux.h"
#include "import/text/merge.h"

/* The lists in the order in which a row is looked at: the first of which it has the keys takes it. */
enum fsi_text_list { FLUX_USERS, FLUX_BANKS, FLUX_QUEUES, FLUX_FACTORS, FLUX_CONFIGS, FLUX_LISTS };

/* What is known of a job, as `flux jobs --json` writes it. */
enum fsi_text_flux_field {
	J_NAME,
	J_USER,
	J_UID,
	J_BANK,
	J_QUEUE,
	J_TASKS,
	J_CORES,
	J_NODES,
	J_URGENCY,
	J_PRIORITY,
	J_STATE,
	J_RESULT,
	J_NODELIST,
	J_SUBMIT,
	J_SCHED,
	J_RUN,
	J_EXPIRATION,
	J_INACTIVE,
	J_DURATION,
	J_DEPENDENCIES, /* with commas */
	J_FAIRSHARE,
	J_ESTIMATE,
	J_FIELDS
};

struct fsi_text_flux {
	struct fsi_text *t;
	struct fsi_text_merge list[FLUX_LISTS], jobs;
};

void fsi_text_flux_begin(struct fsi_text_flux *x, struct fsi_text *t);

/* A row of one of the lists, by the names of its columns; 1 when it is of none of them. */
int fsi_text_flux_row(struct fsi_text_flux *x, const struct fsi_kv *row, uint32_t no);

/* Sets a field of the job of that id ("ƒ2qbAQANK", "f2qbAQANK", "4057703907328"), which is made if it is new. */
int fsi_text_flux_job(struct fsi_text_flux *x, struct fsi_span id, uint32_t no, uint32_t *row);
void fsi_text_flux_set(struct fsi_text_flux *x, uint32_t row, enum fsi_text_flux_field field, struct fsi_span v,
		       uint32_t no);

/* Adds the banks that users are of: nothing but its name is known of a bank that no list shows. And puts a list into
 * its file. */
int fsi_text_flux_name_banks(struct fsi_text_flux *x);
int fsi_text_flux_put_list(struct fsi_text_flux *x, enum fsi_text_list list);

/* Each takes one piece: rows.c, json.c, jobs.c. */
int fsi_text_flux_table(struct fsi_text_flux *x, struct fsi_text_piece *p);
int fsi_text_flux_tree(struct fsi_text_flux *x, struct fsi_text_piece *p);
int fsi_text_flux_json(struct fsi_text_flux *x, struct fsi_text_piece *p);
int fsi_text_flux_jobs(struct fsi_text_flux *x, struct fsi_text_piece *p);
int fsi_text_flux_priorities(struct fsi_text_flux *x, struct fsi_text_piece *p);

/* The whole name of a queue that a column of eight characters may have cut; nothing where it cannot be told. */
struct fsi_span fsi_text_flux_queue(const struct fsi_text_flux *x, struct fsi_span v);

/* Puts all jobs into a file, as `flux jobs --json` prints them. */
int fsi_text_flux_put_jobs(struct fsi_text_flux *x);

#endif
