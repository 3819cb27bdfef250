#include "input/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_script_error(const char *name, int error, struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_EIO };
	snprintf(err->message, sizeof(err->message), "cannot read job script '%.200s': %s", name, strerror(error));
	return FS_EIO;
}

/* Reads the stream to its end into s->text. Returns 0 or an errno value. */
static int read_whole_stream(struct job_script *s, FILE *f)
{
	size_t capacity = 0, n = 1;

	while (n) {
		if (s->size == capacity) {
			char *more = realloc(s->text, capacity = capacity ? 2 * capacity : 4096);

			if (!more)
				return ENOMEM;
			s->text = more;
		}
		errno = 0;
		n = fread(s->text + s->size, 1, capacity - s->size, f);
		s->size += n;
		if (s->size > JOB_SCRIPT_MAX)
			return EFBIG;
	}
	return ferror(f) ? errno ? errno : EIO : 0;
}

int job_script_read(void *script, const char *name, struct fs_job_script *out, struct fs_error *err)
{
	struct job_script *s = script;
	const bool standard = !strcmp(name, "-");
	FILE *f;
	int error;

	if (standard && !s->reads_stdin)
		return 0;
	if (standard && s->text) { /* standard input can be read only once */
		*out = (struct fs_job_script){ s->text, s->size };
		return 0;
	}
	f = standard ? stdin : fopen(name, "r");
	if (!f)
		return set_script_error(name, errno, err);
	job_script_free(s);
	error = read_whole_stream(s, f);
	if (!standard)
		fclose(f);
	*out = (struct fs_job_script){ s->text, s->size };
	return error ? set_script_error(name, error, err) : 0;
}

const char *job_script_get_variable(void *script, const char *name)
{
	(void)script;
	return getenv(name);
}

void job_script_free(struct job_script *script)
{
	free(script->text);
	script->text = NULL;
	script->size = 0;
}
