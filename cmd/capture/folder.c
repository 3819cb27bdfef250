/* Files that a scheduler's commands printed, or that it keeps itself, to a snapshot. */
#define _DEFAULT_SOURCE /* timegm */
#define _XOPEN_SOURCE 700 /* strptime */
#include "capture/folder.h"

#include "stream.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int open_file(void *ctx, const char *file, void **stream)
{
	const char *dir = ctx;
	char *path = malloc(strlen(dir) + strlen(file) + 2);
	int rc;

	if (!path)
		return -1;
	strcpy(path, dir);
	strcat(path, "/");
	strcat(path, file);
	*stream = fopen(path, "rb");
	rc = *stream ? 0 : errno == ENOENT ? 1 : -1;
	free(path);
	return rc;
}

static void close_file(void *stream)
{
	fclose(stream);
}

static int list_folder(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name),
		       void *each_ctx)
{
	const char *top = ctx;
	char *path = malloc(strlen(top) + strlen(dir) + 2);
	struct dirent *entry;
	int rc = 0;
	DIR *d;

	if (!path)
		return -1;
	strcpy(path, top);
	strcat(path, "/");
	strcat(path, dir);
	d = opendir(path);
	free(path);
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 1 : -1;
	while (!rc && (entry = readdir(d)))
		rc = each(each_ctx, entry->d_name);
	closedir(d);
	return rc;
}

static bool is_folder(const struct invocation *inv, const char *dir)
{
	struct stat st;

	errno = 0;
	if (!stat(dir, &st) && S_ISDIR(st.st_mode))
		return true;
	complain(inv, "%s: %s", dir, errno ? strerror(errno) : "not a folder");
	return false;
}

/* `1600000060` or `2020-09-13T12:27:40` (UTC); 0 and a complaint for anything else. */
static int64_t parse_time(const struct invocation *inv, const char *s)
{
	struct tm tm = { 0 };
	char *end;
	const long long seconds = strtoll(s, &end, 10);

	if (end != s && !*end && seconds > 0)
		return seconds;
	end = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	if (end && (!*end || !strcmp(end, "Z")))
		return (int64_t)timegm(&tm);
	complain(inv, "--at: expected seconds since 1970 or YYYY-MM-DDTHH:MM:SS (UTC), got \"%s\"",
		 s);
	return 0;
}

int capture_read_maui(const struct invocation *inv, const char *dir, const char *at,
		      enum fs_maui_dialect dialect, fs_snapshot **out)
{
	const struct fs_source source = { (void *)dir, dir,        open_file,
					  stream_read, close_file, list_folder };
	struct fs_maui_import_options io = { .dialect = dialect };
	struct fs_error err;

	if (at && !(io.time = parse_time(inv, at)))
		return EXIT_USAGE;
	if (!is_folder(inv, dir))
		return EXIT_FAILED;
	return fs_import_maui(out, &source, &io, &err) ? report(inv, &err) : 0;
}

/* A single file is a tree of banks and users. */
static int read_flux_tree(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	FILE *stream = !strcmp(file, "-") ? stdin : fopen(file, "rb");
	struct fs_error err;
	int rc;

	if (!stream) {
		complain(inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	rc = fs_import_flux_tree(out, stream_read, stream,
				 stream == stdin ? "standard input" : file, &err);
	if (stream != stdin)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}

int capture_read_flux(const struct invocation *inv, const char *path, fs_snapshot **out)
{
	const struct fs_source source = { (void *)path, path,       open_file,
					  stream_read,  close_file, list_folder };
	struct fs_error err;
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return read_flux_tree(inv, path, out);
	return fs_import_flux(out, &source, &err) ? report(inv, &err) : 0;
}

int capture_read_slurm(const struct invocation *inv, const char *dir, const char *exact_usage,
		       fs_snapshot **out)
{
	const struct fs_source source = { (void *)dir, dir,        open_file,
					  stream_read, close_file, list_folder };
	struct fs_import_options io = { 0 };
	FILE *exact = NULL;
	struct fs_error err;
	int rc;

	if (!is_folder(inv, dir))
		return EXIT_FAILED;
	if (exact_usage) {
		exact = fopen(exact_usage, "rb");
		if (!exact) {
			complain(inv, "%s: %s", exact_usage, strerror(errno));
			return EXIT_FAILED;
		}
		io = (struct fs_import_options){ stream_read, exact, exact_usage };
	}
	rc = fs_import_slurm(out, &source, &io, &err);
	if (exact)
		fclose(exact);
	return rc ? report(inv, &err) : 0;
}
