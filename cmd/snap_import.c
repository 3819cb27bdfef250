/* fs-snap import: captured files to a snapshot. */
#define _DEFAULT_SOURCE /* timegm */
#define _XOPEN_SOURCE 700 /* strptime */
#include "input.h"
#include "snap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

static int list_folder(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
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
	complain(inv, "--at: expected seconds since 1970 or YYYY-MM-DDTHH:MM:SS (UTC), got \"%s\"", s);
	return 0;
}

static int read_maui(const struct invocation *inv, const struct snap_options *o, const char *dir, fs_snapshot **out)
{
	const struct fs_source source = { (void *)dir, dir, open_file, input_read, close_file, list_folder };
	struct fs_maui_import_options io = { .dialect = o->maui_dialect };
	struct fs_error err;

	if (o->at && !(io.time = parse_time(inv, o->at)))
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
	rc = fs_import_flux_tree(out, input_read, stream, stream == stdin ? "standard input" : file, &err);
	if (stream != stdin)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}

int snap_read_flux(const struct invocation *inv, const char *path, fs_snapshot **out)
{
	const struct fs_source source = { (void *)path, path, open_file, input_read, close_file, list_folder };
	struct fs_error err;
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return read_flux_tree(inv, path, out);
	return fs_import_flux(out, &source, &err) ? report(inv, &err) : 0;
}

int snap_read_folder(const struct invocation *inv, const char *dir, const char *exact_usage,
		     fs_snapshot **out)
{
	const struct fs_source source = { (void *)dir, dir, open_file, input_read, close_file, list_folder };
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
		io = (struct fs_import_options){ input_read, exact, exact_usage };
	}
	rc = fs_import_slurm(out, &source, &io, &err);
	if (exact)
		fclose(exact);
	return rc ? report(inv, &err) : 0;
}

static int write_stream(const struct invocation *inv, const fs_snapshot *s, FILE *stream, const char *name)
{
	struct fs_error err;

	if (!fs_snapshot_write(s, output_write, stream, &err) && !fflush(stream))
		return EXIT_DONE;
	complain(inv, "%s: %s", name, strerror(errno));
	return EXIT_FAILED;
}

/* A temporary file beside the target, renamed when complete. */
static int write_file(const struct invocation *inv, const fs_snapshot *s, const char *output)
{
	char *tmp = malloc(strlen(output) + sizeof(".XXXXXX"));
	int fd, status = EXIT_FAILED;
	FILE *stream;

	if (!tmp)
		return EXIT_FAILED;
	strcpy(tmp, output);
	strcat(tmp, ".XXXXXX");
	fd = mkstemp(tmp); /* mode 0600 */
	stream = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!stream) {
		complain(inv, "%s: %s", output, strerror(errno));
		free(tmp);
		return EXIT_FAILED;
	}
	status = write_stream(inv, s, stream, output);
	if (fclose(stream) && !status) {
		complain(inv, "%s: %s", output, strerror(errno));
		status = EXIT_FAILED;
	}
	if (!status && rename(tmp, output)) {
		complain(inv, "%s: %s", output, strerror(errno));
		status = EXIT_FAILED;
	}
	if (status)
		unlink(tmp);
	free(tmp);
	return status;
}

int snap_write(const struct invocation *inv, const fs_snapshot *s, const char *output)
{
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(s, i));
	return output ? write_file(inv, s, output) : write_stream(inv, s, stdout, "standard output");
}

int snap_import(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL;
	int status;

	if (argc != 2) {
		complain(inv, "import: give a format and a folder: import slurm DIR, import maui DIR");
		return EXIT_USAGE;
	}
	if (!strcmp(argv[0], "slurm")) {
		status = snap_read_folder(inv, argv[1], o->exact_usage, &s);
	} else if (!strcmp(argv[0], "flux")) {
		status = snap_read_flux(inv, argv[1], &s);
	} else if (!strcmp(argv[0], "maui")) {
		status = read_maui(inv, o, argv[1], &s);
	} else {
		complain(inv, "import: no format \"%s\"; there are slurm, flux and maui", argv[0]);
		return EXIT_USAGE;
	}
	if (!status)
		status = snap_write(inv, s, o->output);
	fs_snapshot_free(s);
	return status;
}
