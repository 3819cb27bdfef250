/* Imports Flux folders and trees from memory, and defines the tables with which most tests begin. */
#ifndef FSFLUX_H
#define FSFLUX_H

#include "fsimport.h"

static inline int try_folder(const struct fst_file *files, size_t n, const char *broken, fs_snapshot **out,
		      struct fs_error *err)
{
	struct fst_folder folder = { files, n, 0, broken };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, NULL };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_flux(out, &source, err);
	assert_int_equal(folder.open, 0);
	return rc;
}

static inline fs_snapshot *import(const struct fst_file *files, size_t n)
{
	struct fs_error err;
	fs_snapshot *m;

	fst_no_error(try_folder(files, n, NULL, &m, &err), &err);
	fst_same_again(m);
	return m;
}

static inline void refused(const struct fst_file *files, size_t n, const char *file, uint64_t line, const char *field,
		    const char *message)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(try_folder(files, n, NULL, &m, &err), FS_EDATA);
	assert_null(m);
	fst_expect(&err, FS_EDATA, line, field, message);
	assert_string_equal(err.file, file);
}

static inline int try_tree(const char *text, fs_snapshot **out, struct fs_error *err)
{
	char *bytes = fst_quoted(text);
	struct fst_text t = { bytes, strlen(bytes), 7 };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_flux_tree(out, fst_read, &t, "tree", err);
	free(bytes);
	return rc;
}

static inline fs_snapshot *tree(const char *text)
{
	struct fs_error err;
	fs_snapshot *m;

	fst_no_error(try_tree(text, &m, &err), &err);
	fst_same_again(m);
	return m;
}

static inline bool warned(const fs_snapshot *m, const char *part)
{
	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		if (strstr(fs_snapshot_warning(m, i), part))
			return true;
	return false;
}

#define BANKS_HEAD "bank_id | bank | active | parent_bank | shares | job_usage | priority | ignore_older_than\n--+--\n"
#define BANKS BANKS_HEAD "1 | root | true | | 1 | 35.0 | 0.0 | 0\n2 | a | true | root | 2 | 30.0 | 1.5 | 0\n" \
			 "3 | b | false | root | 3 | 5.0 | 0.0 | 0\n"
#define USERS_HEAD "active | username | userid | bank | default_bank | shares | job_usage | fairshare | " \
		   "max_running_jobs | queues\n---+---\n"
#define USERS USERS_HEAD "true | u | 11 | a | a | 1 | 10.25 | 0.5 | 5 | x,y\n" \
			 "true | v | 12 | a | a | 2 | 19.75 | 1.0 | unlimited | \n"

#endif
