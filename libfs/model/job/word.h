/* A job as a command line names it: "12", "28_3", "28_[1-20]", of a het job "31+1", of Flux in base 58. */
#ifndef MODEL_JOB_WORD_H
#define MODEL_JOB_WORD_H

#include "model/model.h"

struct fsi_job_word {
	uint64_t id, task, offset;
	bool of_array, has_task, has_offset;
};

/* -1: it names no job. */
int fsi_job_word_parse(const fs_snapshot *m, const char *text, struct fsi_job_word *w);

/* How well a job fits: 3 the very one, 2 the rest of the array it belongs to, 1 some task of the array; 0 not. */
int fsi_job_word_fit(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_word *w);

/* The row of the job whose id alone is what the word says; FSI_NO_INDEX. The table is in order. */
uint32_t fsi_job_word_row(const fs_snapshot *m, const struct fsi_job_word *w);

/* The row of the job that fits best; FSI_NO_INDEX. */
uint32_t fsi_job_word_find(const fs_snapshot *m, const struct fsi_job_word *w);

/* The jobs of arrays by array, task and row, for whoever looks up many words; the rest of an array comes last in it. */
struct fsi_job_arrays {
	struct fsi_job_array {
		uint64_t id, task;
		uint32_t row, first; /* the array's first row */
	} *v;
	size_t n;
};

/* -1 without memory. */
int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m);
void fsi_job_arrays_release(struct fsi_job_arrays *a);

/* As fsi_job_word_find; the word names no component of a het job. */
uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_word *w);

#endif
