#include "import/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* 0, 1 when there is no such file, or negative. *name is what messages call it, and lives as long as the model. */
static int open_file(struct fsi_import *imp, const char *file, const char **name, void **stream)
{
	const char *dir = imp->source->name;
	const size_t n = strlen(dir) + strlen(file) + 1;
	char *path;
	const int rc = imp->source->open(imp->source->ctx, file, stream);

	fsi_import_asked(imp, file, !rc);
	if (rc > 0)
		return 1;
	if (rc < 0)
		return fsi_fail(imp->err, FS_EIO, "%s/%s: cannot be read", dir, file);
	imp->files++;
	*name = path = fsi_arena_alloc(&imp->m->arena, n + 1);
	if (!path) {
		imp->source->close(*stream);
		return fsi_nomem(imp->err);
	}
	snprintf(path, n + 1, "%s/%s", dir, file);
	return 0;
}

/* A JSON text in which each bare word Infinity becomes null. */
struct finite {
	fs_read_fn read;
	void *stream;
	bool in_string, escaped;
	unsigned at; /* characters of the word seen */
	bool any;    /* was there text at all? */
};

static char finite_char(struct finite *f, char c)
{
	static const char word[] = "Infinity", null[] = "null    ";

	if (f->in_string) {
		f->in_string = f->escaped || c != '"';
		f->escaped = !f->escaped && c == '\\';
		return c;
	}
	f->in_string = c == '"';
	if (c != word[f->at])
		f->at = 0;
	if (c != word[f->at])
		return c;
	c = null[f->at++];
	f->at %= sizeof(word) - 1;
	return c;
}

static ptrdiff_t read_finite(void *ctx, void *buf, size_t size)
{
	struct finite *f = ctx;
	char *s = buf;
	const ptrdiff_t n = f->read(f->stream, buf, size);

	for (ptrdiff_t i = 0; i < n; i++)
		s[i] = finite_char(f, s[i]);
	f->any = f->any || n != 0;
	return n;
}

int fsi_import_json(struct fsi_import *imp, const char *file, const struct fsi_json_split *split)
{
	struct finite f;
	const char *name;
	void *stream;
	int rc = open_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	f = (struct finite){ .read = imp->source->read, .stream = stream };
	rc = fsi_json_split(split, read_finite, &f, name, imp->err);
	imp->source->close(stream);
	if (f.any || rc == FS_ENOMEM)
		return rc;
	return fsi_import_incomplete(imp, NULL, "%s: it is empty", name) ? fsi_nomem(imp->err) : 1;
}

int fsi_import_lines(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx)
{
	struct fsi_lines lines;
	struct fsi_span line;
	const char *name;
	char *s;
	void *stream;
	int rc = open_file(imp, file, &name, &stream);

	if (rc)
		return rc;
	fsi_lines_init(&lines, imp->source->read, stream, name);
	while ((rc = fsi_lines_next(&lines, &s, &line.len, imp->err)) > 0) {
		imp->where = lines.where;
		line.s = s;
		rc = fn(imp, ctx, line);
		if (rc)
			break;
	}
	fsi_lines_release(&lines);
	imp->source->close(stream);
	return rc;
}

int fsi_import_bad(struct fsi_import *imp, const char *field, struct fsi_span value, const char *want)
{
	return fsi_fail_at(imp->err, imp->where, field, "expected %s, got \"%.*s\"", want,
			   (int)(value.len < 64 ? value.len : 64), value.s);
}

int fsi_import_hide(struct fsi_import *imp, const char *record_type)
{
	if (fsi_hidden(imp->m, record_type))
		return 0;
	return fsi_import_append(imp, &imp->m->head.hidden, FSI_SNAPSHOT_hidden, fsi_name(imp->m, record_type));
}

int fsi_import_hide_all(struct fsi_import *imp, const char *const *record_types)
{
	int rc = 0;

	for (; *record_types && !rc; record_types++)
		rc = fsi_import_hide(imp, *record_types);
	return rc;
}

int fsi_import_end(struct fsi_import *imp, int rc, fs_snapshot **out)
{
	if (rc)
		fs_snapshot_free(imp->m);
	else
		*out = imp->m;
	return rc;
}

int fsi_import_incomplete(struct fsi_import *imp, const char *record_type, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (fsi_warn(imp->m, "%s", text))
		return fsi_nomem(imp->err);
	fsi_import_partial(imp, text);
	rc = fsi_import_append(imp, &imp->m->head.incomplete, FSI_SNAPSHOT_incomplete,
		    fsi_import_name(imp, fsi_span_of(text)));
	return rc || !record_type ? rc : fsi_import_hide(imp, record_type);
}
