/* Files that a scheduler's commands printed, or that it keeps itself, to a snapshot. */
#define _DEFAULT_SOURCE /* timegm */
#define _XOPEN_SOURCE 700 /* strptime */
#include "capture/folder.h"

#include "capture/source.h"
#include "capture/zone.h"
#include "files/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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

/* The zone's offsets, if one is given, and how many; 0, or the exit status (reported). */
static int read_zone(const struct invocation *inv, const char *zone, struct fs_utc_offset v[ZONE_OFFSETS], size_t *n)
{
	*n = zone ? zone_offsets(zone, v) : 0;
	if (!zone || *n)
		return EXIT_DONE;
	complain(inv, "--tz: no zone \"%s\"; they are named as in Europe/Berlin", zone);
	return EXIT_USAGE;
}

int capture_read_maui(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		      const struct capture_maui *o, fs_snapshot **out)
{
	struct capture_source folder;
	const struct fs_source source = capture_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_utc_offset offsets[ZONE_OFFSETS];
	struct fs_maui_import_options io = { .dialect = o->dialect,
					     .includes_anywhere = bounds->outside,
					     .offsets = offsets };
	struct fs_error err;

	if (read_zone(inv, bounds->zone, offsets, &io.noffsets))
		return EXIT_USAGE;
	if (o->at && !(io.time = parse_time(inv, o->at)))
		return EXIT_USAGE;
	if (!is_folder(inv, dir))
		return EXIT_FAILED;
	return fs_import_maui(out, &source, &io, &err) ? capture_source_report(inv, &folder, &err) : 0;
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

static void name_source(struct fs_source *source, struct capture_source *folder, const struct capture_bounds *bounds)
{
	if (bounds->name)
		source->name = folder->shown = bounds->name;
}

int capture_read_flux(const struct invocation *inv, const char *path, const struct capture_bounds *bounds,
		      fs_snapshot **out)
{
	struct capture_source folder;
	struct fs_source source = capture_source(&folder, path, bounds->file_max, bounds->outside);
	struct fs_error err;
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return read_flux_tree(inv, path, out);
	name_source(&source, &folder, bounds);
	return fs_import_flux(out, &source, &err) ? capture_source_report(inv, &folder, &err) : 0;
}

static int import_slurm(fs_snapshot **out, const struct fs_source *source, const struct fs_import_options *io,
			struct fs_error *err)
{
	if (fs_import_slurm(out, source, io, err))
		return -1;
	if (!fs_import_infer(*out, err))
		return 0;
	fs_snapshot_free(*out);
	*out = NULL;
	return -1;
}

int capture_read_slurm(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
		       const char *exact_usage, fs_snapshot **out)
{
	struct capture_source folder;
	struct fs_source source = capture_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_utc_offset offsets[ZONE_OFFSETS];
	struct fs_import_options io = { 0 };
	FILE *exact = NULL;
	struct fs_error err;
	int rc;

	name_source(&source, &folder, bounds);
	if (!is_folder(inv, dir))
		return EXIT_FAILED;
	if (read_zone(inv, bounds->zone, offsets, &io.noffsets))
		return EXIT_USAGE;
	io.offsets = offsets;
	if (exact_usage) {
		exact = fopen(exact_usage, "rb");
		if (!exact) {
			complain(inv, "%s: %s", exact_usage, strerror(errno));
			return EXIT_FAILED;
		}
		io.exact_usage = stream_read;
		io.exact_usage_ctx = exact;
		io.exact_usage_name = exact_usage;
	}
	rc = import_slurm(out, &source, &io, &err);
	if (exact)
		fclose(exact);
	return rc ? capture_source_report(inv, &folder, &err) : 0;
}

int capture_read_asked(const char *dir, uint64_t file_max, enum fs_import_asked asked, fs_snapshot **out)
{
	const struct fs_import_options io = { .asked = asked };
	struct capture_source folder;
	const struct fs_source source = capture_source(&folder, dir, file_max, false);
	struct fs_error err;

	return import_slurm(out, &source, &io, &err) ? err.code : 0;
}

/* When a file was last written; a pipe is read now. */
static int64_t time_of(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode) ? (int64_t)st.st_mtim.tv_sec : (int64_t)time(NULL);
}

int capture_read_text(const struct invocation *inv, const char *file, const char *at, bool by_file, fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct fs_text_options o = { .note = complain_note, .note_ctx = (void *)inv };
	FILE *stream;
	struct fs_error err;
	int rc;

	if (at && !(o.time = parse_time(inv, at)))
		return EXIT_USAGE;
	stream = standard ? stdin : fopen(file, "rb");
	if (!stream) {
		complain(inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	o.otherwise = by_file ? time_of(stream) : 0;
	rc = fs_import_text(out, stream_read, stream, standard ? "standard input" : file, &o, &err);
	if (!standard)
		fclose(stream);
	return rc ? report(inv, &err) : 0;
}
