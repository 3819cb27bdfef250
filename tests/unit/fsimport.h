/* A capture in memory as pairs of file name and text, and its import with fs_import_slurm(). */
#ifndef FSIMPORT_H
#define FSIMPORT_H

#include "fstest.h"
#include "model/tables.h"

struct fst_file {
	const char *name, *text; /* the file contains `text`, with NUL in place of each byte \x01 */
};

struct fst_folder {
	const struct fst_file *files;
	size_t n;
	int open;           /* number of open streams */
	const char *broken; /* name of a file that cannot be opened; NULL: none */
};

struct fst_stream {
	struct fst_text text;
	struct fst_folder *folder;
};

static inline int fst_open(void *ctx, const char *file, void **stream)
{
	struct fst_folder *f = ctx;
	struct fst_stream *s;

	if (f->broken && !strcmp(f->broken, file))
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->files[i].name, file) != 0)
			continue;
		s = malloc(sizeof(*s));
		assert_non_null(s);
		*s = (struct fst_stream){ { f->files[i].text, strlen(f->files[i].text), 100 }, f };
		*stream = s;
		f->open++;
		return 0;
	}
	return 1;
}

static inline ptrdiff_t fst_read_file(void *ctx, void *buf, size_t size)
{
	struct fst_stream *s = ctx;
	const ptrdiff_t n = fst_read(&s->text, buf, size);

	for (ptrdiff_t i = 0; i < n; i++)
		if (((char *)buf)[i] == 1)
			((char *)buf)[i] = '\0';
	return n;
}

static inline void fst_close(void *stream)
{
	struct fst_stream *s = stream;

	s->folder->open--;
	free(s);
}

/* exact: text of the exact usage file; NULL: none */
static inline int fst_try_import(const struct fst_file *files, size_t n, const char *exact,
				 fs_snapshot **out, struct fs_error *err)
{
	struct fst_folder folder = { files, n, 0, NULL };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, NULL };
	struct fst_text usage = { exact, exact ? strlen(exact) : 0, 0 };
	const struct fs_import_options o = { .exact_usage = fst_read, .exact_usage_ctx = &usage, .exact_usage_name = "usage" };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_slurm(out, &source, exact ? &o : NULL, err);
	assert_int_equal(folder.open, 0);
	return rc;
}

#define FST_COUNT(a) (sizeof(a) / sizeof(*(a)))
#define FST_CONFIG \
	"Configuration data as of 2023-11-14T23:13:20\nClusterName             = lab\n" \
	"SLURM_VERSION           = 22.05.8\nPriorityMaxAge          = 7-00:00:00\n"
/* The configuration's clock is one hour ahead of UTC. */
#define FST_CLOCK \
	{ "date_begin", "1700000000.123456789\n" }, \
	{ \
		"scontrol_config.txt", FST_CONFIG \
	}

/* Returns the value of a field in the written snapshot as text, with ' instead of "; "" if the field is missing. */
static inline const char *fst_member(const fs_snapshot *m, const char *type, size_t nth,
				     const char *key)
{
	static char value[512];
	struct fst_sink s = fst_written(m);
	char start[64], name[64];
	const char *line = s.data, *p = NULL;

	snprintf(start, sizeof(start), "{\"type\":\"%s\"", type);
	snprintf(name, sizeof(name), ",\"%s\":", key);
	for (; line && *line; line = strchr(line, '\n'), line += line != NULL)
		if (!strncmp(line, start, strlen(start)) && !nth--)
			break;
	value[0] = '\0';
	if (line && *line)
		p = strstr(line, name);
	if (p && p < strchr(line, '\n')) {
		p += strlen(name);
		/* the value ends before the next key; it is a string, a number, or a list or object of strings and
		 * numbers */
		size_t n = 0, depth = 0;
		bool quoted = false;

		for (; quoted || depth || (p[n] != ',' && p[n] != '}'); n++) {
			quoted ^= p[n] == '"';
			depth += !quoted && (p[n] == '[' || p[n] == '{');
			depth -= !quoted && (p[n] == ']' || p[n] == '}');
			n += p[n] == '\\';
		}
		snprintf(value, sizeof(value), "%.*s", (int)n, p);
		for (char *c = value; *c; c++)
			*c = *c == '"' ? '\'' : *c;
	}
	fst_free(&s);
	return value;
}

#define assert_member(m, type, nth, key, want) \
	assert_string_equal(fst_member(m, type, nth, key), want)

#endif
