/* The files of a capture in memory, which the importers read in place of a folder; and sentences for the snapshot. */
#include "import/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fsi_text_file *fsi_text_file(struct fsi_text *t, const char *name)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, name))
			return &t->files.v[i];
	if (FSI_VEC_ROOM(&t->files))
		return NULL;
	t->files.v[t->files.n] = (struct fsi_text_file){ .name = name };
	return &t->files.v[t->files.n++];
}

const struct fsi_text_file *fsi_text_has(const struct fsi_text *t, const char *name)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, name))
			return &t->files.v[i];
	return NULL;
}

int fsi_text_put(struct fsi_text *t, const char *file, struct fsi_span line, uint32_t no)
{
	struct fsi_text_file *f = fsi_text_file(t, file);
	char *copy = fsi_arena_strndup(&t->arena, line.s ? line.s : "", line.len);

	if (!f || !copy || FSI_VEC_ROOM(&f->lines))
		return fsi_nomem(t->err);
	f->lines.v[f->lines.n++] = (struct fsi_text_line){ copy, (uint32_t)line.len, no, false };
	return 0;
}

static int open_file(void *ctx, const char *name, void **stream)
{
	struct fsi_text_file *file = fsi_text_has(ctx, name) ? fsi_text_file(ctx, name) : NULL;

	if (!file)
		return 1;
	file->line = file->at = 0;
	*stream = file;
	return 0;
}

static ptrdiff_t read_file(void *stream, void *buf, size_t size)
{
	struct fsi_text_file *file = stream;
	char *out = buf;
	size_t n = 0;

	while (n < size && file->line < file->lines.n) {
		const struct fsi_text_line *l = &file->lines.v[file->line];
		const size_t left = l->len - file->at, some = left < size - n ? left : size - n;

		memcpy(out + n, l->s + file->at, some);
		n += some;
		file->at += some;
		if (file->at == l->len && n < size) {
			out[n++] = '\n';
			file->line++;
			file->at = 0;
		}
	}
	return (ptrdiff_t)n;
}

static void close_file(void *stream)
{
	(void)stream;
}

static int list_files(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	const struct fsi_text *t = ctx;
	int rc = 0;

	if (*dir)
		return 1;
	for (size_t i = 0; i < t->files.n && !rc; i++)
		rc = each(each_ctx, t->files.v[i].name);
	return rc;
}

struct fs_source fsi_text_source(struct fsi_text *t)
{
	return (struct fs_source){ t, t->name, open_file, read_file, close_file, list_files };
}

/* ---- sentences for whoever asks */

int fsi_text_warn(struct fsi_text *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (FSI_VEC_ROOM(&t->told))
		return fsi_nomem(t->err);
	t->told.v[t->told.n] = fsi_arena_strndup(&t->arena, text, strlen(text));
	return t->told.v[t->told.n++] ? 0 : fsi_nomem(t->err);
}

void fsi_text_note(const struct fsi_text *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!t->o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	t->o->note(t->o->note_ctx, text);
}
