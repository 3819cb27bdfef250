#include "import/marks.h"

#include <string.h>

struct marked {
	const struct fsi_mark *mark;
	bool found, text;
	uint64_t error_line;
	char error[81];
};

static bool begins(struct fsi_span line, const char *with)
{
	return with && line.len >= strlen(with) && !memcmp(line.s, with, strlen(with));
}

/* `slurm_load_jobs error: ...`, `sacctmgr: error: ...`, Maui's `ERROR: ...`: a word, then "error:". */
static bool is_error(struct fsi_span line)
{
	struct fsi_span word;

	if (begins(line, "ERROR:"))
		return true;
	fsi_span_cut(&line, ' ', &word);
	for (size_t i = 0; i < word.len; i++)
		if (!(word.s[i] >= 'a' && word.s[i] <= 'z') && word.s[i] != '_' && word.s[i] != '-' && word.s[i] != ':')
			return false;
	return word.len && line.s && begins(line, "error:");
}

static int look_at_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct marked *m = ctx;
	size_t n;

	line = fsi_span_trim(line);
	m->text = m->text || line.len;
	m->found = m->found || begins(line, m->mark->mark) || begins(line, m->mark->other);
	if (m->error_line || !is_error(line))
		return 0;
	n = line.len < sizeof(m->error) - 1 ? line.len : sizeof(m->error) - 1;
	memcpy(m->error, line.s, n);
	m->error[n] = '\0';
	m->error_line = imp->where.line;
	return 0;
}

static int judge(struct fsi_import *imp, const struct marked *m)
{
	const char *dir = imp->source->name, *file = m->mark->file, *type = m->mark->type;

	if (m->error_line)
		return fsi_import_incomplete(imp, type, "%s/%s:%llu: the command failed: \"%s\"", dir, file,
					     (unsigned long long)m->error_line, m->error);
	if (!m->text)
		return fsi_import_incomplete(imp, type, "%s/%s: it is empty", dir, file);
	if (!m->found)
		return fsi_import_incomplete(imp, type, "%s/%s: it has no \"%s\": it is not what the command prints", dir, file,
					     m->mark->mark);
	return 0;
}

int fsi_import_marks(struct fsi_import *imp, const struct fsi_mark *marks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct marked m = { .mark = &marks[i] };
		int rc = fsi_import_lines(imp, marks[i].file, look_at_line, &m);

		if (!rc)
			rc = judge(imp, &m);
		if (rc < 0)
			return rc;
	}
	return 0;
}
