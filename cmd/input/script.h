/* Job scripts that a command submits hypothetically: callbacks for struct fs_edit_options that read the script and the
 * environment of the caller. The caller initializes struct job_script to zero, passes it as script_ctx, and calls
 * job_script_free after fs_snapshot_edit. */
#ifndef INPUT_SCRIPT_H
#define INPUT_SCRIPT_H

#include "fs/scenario.h"

#include <stdbool.h>
#include <stddef.h>

struct job_script {
	char *text; /* text of the script that was read last; NULL: none */
	size_t size;
	bool reads_stdin; /* the script "-" is read from standard input; false: such a script is not read */
};

/* A callback for fs_edit_options.script: reads a file of at most JOB_SCRIPT_MAX bytes. */
enum { JOB_SCRIPT_MAX = 64 * 1024 * 1024 };
int job_script_read(void *script, const char *name, struct fs_job_script *out, struct fs_error *err);
/* A callback for fs_edit_options.environment. */
const char *job_script_get_variable(void *script, const char *name);
void job_script_free(struct job_script *script);

#endif
