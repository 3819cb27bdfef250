/* The options of sbatch as they were given. */
#ifndef FSI_SCENARIO_SBATCH_H
#define FSI_SCENARIO_SBATCH_H

#include "scenario/slurm/slurm.h"

/* What an option asks for. */
enum fsi_sbatch_option {
	FSI_SBATCH_ACCOUNT,
	FSI_SBATCH_PARTITION,
	FSI_SBATCH_QOS,
	FSI_SBATCH_NODES,
	FSI_SBATCH_TASKS,
	FSI_SBATCH_CPUS_PER_TASK,
	FSI_SBATCH_TASKS_PER_NODE,
	FSI_SBATCH_TASKS_PER_GPU,
	FSI_SBATCH_TIME,
	FSI_SBATCH_MEM,
	FSI_SBATCH_MEM_PER_CPU,
	FSI_SBATCH_MEM_PER_GPU,
	FSI_SBATCH_CPUS_PER_GPU, /* and a word */
	FSI_SBATCH_GPUS,
	FSI_SBATCH_GPUS_PER_NODE,
	FSI_SBATCH_GPUS_PER_TASK,
	FSI_SBATCH_HOLD,
	FSI_SBATCH_ARRAY,
	FSI_SBATCH_EXCLUSIVE,
	FSI_SBATCH_SHARE,
	FSI_SBATCH_CONTIGUOUS,
	FSI_SBATCH_UID,
	FSI_SBATCH_MINCPUS,
	FSI_SBATCH_TMP,
	FSI_SBATCH_WORD,    /* a word of scontrol update job does */
	FSI_SBATCH_IDLE,    /* changes nothing that is computed */
	FSI_SBATCH_NOTHING, /* no job is submitted with it */
	FSI_SBATCH_UNHEEDED /* may change where or when it starts, which the plan does not heed */
};

/* As many as the table has: sbatch.c holds it to that. */
enum { FSI_SBATCH_OPTIONS = 119 };

struct fsi_submission {
	const char *value[FSI_SBATCH_OPTIONS]; /* NULL: not given; "" without a value */
};

/* Reads the options from s->word[*at] up to the script, whose own words follow. Sets *at to the script, s->n if
 * there is none. Error: FS_EUSAGE. */
int fsi_sbatch_options(struct fsi_scenario *s, struct fsi_submission *b, size_t *at);

/* NULL: not given. */
const char *fsi_sbatch_given(const struct fsi_submission *b, enum fsi_sbatch_option what);
/* A whole number of at least 1; 0 if it is not given. Error: FS_EUSAGE. */
int fsi_sbatch_number(struct fsi_scenario *s, const struct fsi_submission *b, enum fsi_sbatch_option what,
		      uint32_t *out);

/* Puts what a word of scontrol update job does into the job, and notes the options that are not heeded. Error:
 * FS_EUSAGE. */
int fsi_sbatch_words(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j);

/* GPUs that are asked for, and what tasks, CPUs and memory follow from them (size.c). */
struct fsi_sbatch_gpus {
	const char *text; /* of --gpus, --gpus-per-node or --gpus-per-task; NULL: none */
	enum fsi_gres_by by;
	uint64_t each, all;
};

/* Sets nodes, tasks, CPUs and memory of the job. Error: FS_EUSAGE. */
int fsi_sbatch_size(struct fsi_scenario *s, const struct fsi_submission *b, struct fsi_job *j,
		    struct fsi_sbatch_gpus *g);
int fsi_sbatch_gpus(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_sbatch_gpus *g);

#endif
