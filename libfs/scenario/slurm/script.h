/* Job scripts: the words of the directives of a batch script, as sbatch reads them (src/sbatch/opt.c:
 * _opt_batch_script, get_argument; src/sbatch/xlate.c).
 *
 * A directive is a line that begins with #SBATCH (or #SLURM, an old name) in the first column. sbatch reads directives
 * up to the first line that is neither blank nor a comment. Blanks separate words; quotes join
 * words; a backslash takes the next character literally; an unquoted # begins a comment. The word "hetjob" at the start
 * of a directive begins the next component of a het job.
 *
 * #PBS lines may be anywhere before the hundredth line that is not a comment. They are translated to options of sbatch,
 * except for parts that are listed in `untranslated`.
 *
 * All memory belongs to the arena that the caller passes; struct fsi_script has no release function. */
#ifndef FSI_SCENARIO_SLURM_SCRIPT_H
#define FSI_SCENARIO_SLURM_SCRIPT_H

#include "base/memory.h"
#include "fs/base.h"

/* Words of directives, in the order of the script. */
struct fsi_script_words {
	char **word;
	uint32_t *line; /* 1-based line of each word */
	size_t n, capacity;
};

struct fsi_script {
	struct fsi_script_words options;      /* words of the #SBATCH lines of the selected component */
	struct fsi_script_words late;         /* #SBATCH lines after the first command: the text after the mark */
	struct fsi_script_words pbs;          /* options of sbatch that the #PBS lines are translated to */
	struct fsi_script_words untranslated; /* parts of #PBS and #BSUB lines that are not translated */
	bool has_next;                        /* true: the script has a component after the selected one */
	uint32_t old_mark;                    /* line of the first #SLURM directive; 0: none */
};

/* Reads the directives of the component with the 0-based number `component`. Returns FS_EUSAGE, with the
 * words of sbatch, if the text is no batch script or a directive cannot be read; err->line is then the line of the
 * directive. Returns FS_ENOMEM if out of memory. */
int fsi_script_read(struct fsi_script *out, struct fsi_arena *a, const char *text, size_t size, uint32_t component,
		    struct fs_error *err);

#endif
