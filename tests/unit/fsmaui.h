/* A Maui capture in memory, and helpers for Maui snapshots. */
#ifndef FSMAUI_H
#define FSMAUI_H

#include "fsimport.h"

#define FST_MAUI_HEAD \
	"{'type':'snapshot','format':1,'time':1600000060,'cluster':'c','scheduler':'maui 3.5'}\n"

/* Lists the names directly inside a folder. */
static inline int fst_list(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	const struct fst_folder *f = ctx;
	const size_t skip = *dir ? strlen(dir) + 1 : 0;
	int rc = 1;

	for (size_t i = 0; i < f->n; i++) {
		const char *name = f->files[i].name;

		if (strlen(name) <= skip || strncmp(name, dir, skip ? skip - 1 : 0) != 0 || strchr(name + skip, '/'))
			continue;
		rc = each(each_ctx, name + skip);
		if (rc)
			return rc;
	}
	return rc;
}

static inline int fst_try_maui(const struct fst_file *files, size_t n, const struct fs_maui_import_options *o,
			       fs_snapshot **out, struct fs_error *err)
{
	struct fst_folder folder = { files, n, 0, NULL };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, fst_list };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_maui(out, &source, o, err);
	assert_int_equal(folder.open, 0);
	return rc;
}

static inline fs_snapshot *fst_maui(const struct fst_file *files, size_t n)
{
	const struct fs_maui_import_options o = { .time = 1600000060 };
	struct fs_error err;
	fs_snapshot *m;

	fst_no_error(fst_try_maui(files, n, &o, &m, &err), &err);
	return m;
}

/* Imports a capture that has only maui.cfg. */
static inline fs_snapshot *fst_maui_cfg(const char *text)
{
	const struct fst_file files[] = { { "maui.cfg", text } };

	return fst_maui(files, 1);
}

static inline bool fst_warned(const fs_snapshot *m, const char *part)
{
	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		if (strstr(fs_snapshot_warning(m, i), part))
			return true;
	return false;
}

static inline fs_windows *fst_windows(const fs_snapshot *m)
{
	struct fs_error err;
	fs_windows *w = NULL;

	fst_no_error(fs_windows_compute(&w, m, &err), &err);
	return w;
}

static inline const struct fs_window_row *fst_window(const fs_windows *w, enum fs_cred_kind kind, const char *name)
{
	for (size_t i = 0; i < fs_windows_count(w); i++)
		if (fs_windows_row(w, i)->kind == kind && !strcmp(fs_windows_row(w, i)->name, name))
			return fs_windows_row(w, i);
	print_error("no %s\n", name);
	fail();
	return NULL;
}

#endif
