#define _XOPEN_SOURCE 700 /* for pread */
#define _DEFAULT_SOURCE /* for timegm */
#include "capture/capture.h"
#include "capture/command.h"
#include "cmd.h"
#include "files/files.h"
#include "fs/anonymise.h"
#include "fs/eval.h"
#include "fs/plan.h"
#include "fs/queue.h"
#include "history/history.h"
#include "input/input.h"
#include "render/emit.h"
#include "render/json.h"
#include "snap/snap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- checks of a new snapshot: it replaces an older file only if every command accepts it */

/* Runs the first computation of every command. A command may refuse even a readable snapshot, for example because of
 * negative weights or a TRES that is listed twice. Returns 0, FS_EDATA or FS_ENOMEM. */
int snap_try_commands(const fs_snapshot *s, struct fs_error *err)
{
	fs_shares *shares = NULL;
	fs_prios *prios = NULL;
	fs_queue *queue = NULL;
	fs_windows *windows = NULL;
	fs_usage *usage = NULL;
	const struct fs_usage_options computed = { .source = FS_USAGE_COMPUTED };
	int rc = fs_shares_compute(&shares, s, NULL, err);

	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_prios_compute(&prios, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_queue_compute(&queue, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_windows_compute(&windows, s, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_usage_begin(&usage, s, &computed, err);
	if (rc == 0)
		rc = fs_usage_finish(usage, err);
	fs_usage_free(usage);
	fs_windows_free(windows);
	fs_queue_free(queue);
	fs_prios_free(prios);
	fs_shares_free(shares);
	return rc == FS_EDATA || rc == FS_ENOMEM ? rc : 0;
}

/* A written file that is read back from its start. `at`: offset of the next read. */
struct written_file {
	int fd;
	off_t at;
};

static ptrdiff_t read_written_file(void *written, void *buf, size_t size)
{
	struct written_file *w = written;
	const ssize_t n = pread(w->fd, buf, size, w->at);

	w->at += n > 0 ? n : 0;
	return n;
}

/* Returns true if jobs are missing from the snapshot, and the snapshot has no record of a job, node, partition,
 * association, credential or user. This happens if all commands of the scheduler failed during the capture. */
static bool has_no_records(const fs_snapshot *s)
{
	static const char *const types[] = { "job", "node", "partition", "association", "credential", "user" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (fs_snapshot_records(s, types[i]))
			return false;
	return fs_snapshot_hidden(s, "job");
}

/* Returns true if priorities cannot be computed because the list of TRES is missing. */
static bool lacks_weighted_tres(const fs_snapshot *s)
{
	fs_prios *prios = NULL;
	struct fs_error err;
	const int rc = fs_snapshot_hidden(s, "tres") && fs_snapshot_config_text(s, "PriorityWeightTRES")
			       ? fs_prios_compute(&prios, s, NULL, &err)
			       : 0;

	fs_prios_free(prios);
	return rc == FS_ENODATA;
}

static int fail_unusable_capture(struct fs_error *err, const char *why)
{
	*err = (struct fs_error){ .code = FS_EDATA };
	snprintf(err->message, sizeof(err->message), "%s", why);
	return FS_EDATA;
}

/* Reads the snapshot back from the written file and checks it. Pipes, devices and files that were already open are not
 * checked, because they are not replaced. Returns 0 or an error code. */
static int check_written_file(const struct snap_checked *c, FILE *stream, struct fs_error *err)
{
	struct written_file w = { fileno(stream), 0 };
	fs_snapshot *again = NULL;
	struct stat st;
	int rc;

	if (fflush(stream) || fstat(w.fd, &st))
		return FS_EIO;
	if (!S_ISREG(st.st_mode) || (fcntl(w.fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		return 0;
	rc = input_read_with(read_written_file, &w, c->name, &again, err);
	if (!rc && has_no_records(again))
		rc = fail_unusable_capture(err, "the scheduler's commands printed no jobs, nodes, partitions or accounts");
	if (!rc && lacks_weighted_tres(again))
		rc = fail_unusable_capture(err, "the list of TRES is missing, which PriorityWeightTRES requires");
	if (!rc)
		rc = snap_try_commands(again, err);
	fs_snapshot_free(again);
	return rc;
}

/* A save_put_fn for a struct snap_checked. Writes the snapshot and fails if the written file is not valid. */
static int write_checked_snapshot(const void *what, FILE *stream, struct fs_error *err)
{
	const struct snap_checked *c = what;
	int rc = c->put(c->s, stream, err);

	if (rc || !(rc = check_written_file(c, stream, err)))
		return rc;
	cmd_print_message(c->inv, "the new snapshot is not valid; %s was not written", c->name);
	/* with FS_EDATA, the exit status would be EXIT_SNAPSHOT; but that status means that an input file is invalid */
	if (err->code == FS_EDATA) {
		err->code = rc = FS_EIO;
		errno = 0;
	}
	return rc;
}

/* ---- writing snapshots: escaped on a terminal, compressed if the file name ends in .zst */

static int write_plain_snapshot(const void *what, FILE *stream, struct fs_error *err)
{
	struct json_out shown = { .file = stream };
	const bool terminal = isatty(fileno(stream));

	return fs_snapshot_write(what, terminal ? json_write_escaped : stream_write_bytes,
				 terminal ? (void *)&shown : stream, err);
}

static int write_snapshot_lines(const void *what, fs_write_fn write, void *ctx, struct fs_error *err)
{
	return fs_snapshot_write(what, write, ctx, err);
}

/* A save_put_fn that writes the snapshot in compressed form. */
static int write_compressed_snapshot(const void *what, FILE *stream, struct fs_error *err)
{
	return pack_write_compressed(write_snapshot_lines, what, stream, err);
}

int snap_write_output(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o)
{
	const bool packed = o->output && pack_is_zst_name(o->output);
	const char *output = o->output ? o->output : "-";
	const save_put_fn put = packed ? write_compressed_snapshot : write_plain_snapshot;
	const struct snap_checked checked = { inv, s, put, output };

	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		cmd_print_message(inv, "warning: %s", fs_snapshot_warning(s, i));
	return save_output_file(inv, o->checked ? write_checked_snapshot : put, o->checked ? (const void *)&checked : s,
				output, o->mode ? o->mode : SNAP_MODE);
}

/* ---- verbs that read one snapshot */

enum { NOTES_SHOWN = 20 };

/* Returns 0 if exactly one file is given, else the exit status after an error message. */
static int check_single_argument(const struct invocation *inv, const char *verb, int argc)
{
	if (argc == 1)
		return 0;
	cmd_print_message(inv, "%s: expected one snapshot: %s FILE", verb, verb);
	return EXIT_USAGE;
}

int snap_read_one(const struct invocation *inv, const char *verb, int argc, char **argv, fs_snapshot **out)
{
	const int status = check_single_argument(inv, verb, argc);

	return status ? status : input_read_file(inv, argv[0], out);
}

void snap_add_note(void *notes, const char *sentence)
{
	struct snap_notes *n = notes;

	if (n->store_all)
		n->failed |= names_add_owned_text(&n->stored, strdup(sentence)) != 0;
	else if (n->count++ < NOTES_SHOWN)
		emit("%s%s\n", n->prefix, sentence);
}

void snap_print_notes_end(const struct snap_notes *n)
{
	if (n->count > NOTES_SHOWN)
		emit("%sand %zu more; --json lists all\n", n->prefix, n->count - NOTES_SHOWN);
}

void snap_write_notes_json(const struct snap_notes *n, struct fs_json *j)
{
	json_begin_list(j, "notes");
	for (size_t i = 0; i < n->stored.n; i++)
		fs_json_string(j, n->stored.v[i]);
	fs_json_end_array(j);
}

/* ---- fs-snap index: writes the index beside a snapshot */

struct index_writer {
	fs_snapshot *snapshot;
	struct fs_index_key key;
};

static int write_index_content(const void *what, FILE *to, struct fs_error *err)
{
	const struct index_writer *m = what;

	return fs_index_write(m->snapshot, &m->key, stream_write_bytes, to, err);
}

/* Sets the owner, group and read permissions of the index to those of the snapshot. The same users may then read both
 * files. */
static int copy_index_permissions(const struct invocation *inv, const char *name, const struct stat *file)
{
	const uid_t to = file->st_uid == geteuid() ? (uid_t)-1 : file->st_uid;

	if (!chown(name, to, file->st_gid) && !chmod(name, file->st_mode & (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)))
		return 0;
	cmd_print_message(inv, "%s: %s", name, strerror(errno));
	unlink(name);
	return EXIT_FAILED;
}

/* Returns true if the file's content is no longer the content that `st` described. */
static bool has_file_changed(const char *file, const struct stat *st)
{
	struct stat after;

	return stat(file, &after) || after.st_ino != st->st_ino || after.st_size != st->st_size;
}

/* Writes the index `name` of the snapshot `file`, which is open as `stream`. Sets *changed to true if another process
 * replaced the snapshot meanwhile, so that the index is not of use. Returns the exit status; errors are reported. */
static int make_index_from(const struct invocation *inv, FILE *stream, const char *file, const char *name,
			   bool *changed)
{
	struct index_writer m = { 0 };
	struct stat st;
	int status;

	errno = 0;
	if (index_fill_key(stream, &m.key, &st)) {
		if (errno == ENOMEM)
			return cmd_report_no_memory(inv);
		cmd_print_message(inv, "%s: cannot write an index: not a regular file", file);
		return EXIT_FAILED;
	}
	status = input_read_file(inv, file, &m.snapshot);
	if (status)
		return status;
	*changed = has_file_changed(file, &st);
	if (!*changed)
		status = save_regular_file(inv, write_index_content, &m, name, SNAP_MODE);
	fs_snapshot_free(m.snapshot);
	if (*changed || status)
		return status;
	*changed = has_file_changed(file, &st);
	return copy_index_permissions(inv, name, &st);
}

static int try_snapshot_index(const struct invocation *inv, const char *file, bool *changed)
{
	FILE *stream = fopen(file, "rb");
	char *name = index_get_name(file);
	int status = EXIT_FAILED;

	*changed = false;
	if (!stream)
		cmd_print_message(inv, "%s: %s", file, strerror(errno));
	else if (!name)
		status = cmd_report_no_memory(inv);
	else
		status = make_index_from(inv, stream, file, name, changed);
	if (stream)
		fclose(stream);
	free(name);
	return status;
}

/* Maximum number of attempts to write an index while other processes replace the snapshot. */
enum { INDEX_ATTEMPTS = 100 };

/* Makes a new index of the snapshot file. Returns the exit status; errors are reported. */
static int make_snapshot_index(const struct invocation *inv, const char *file)
{
	bool changed = true;
	int status = EXIT_DONE;

	for (int i = 0; i < INDEX_ATTEMPTS && changed && !status; i++)
		status = try_snapshot_index(inv, file, &changed);
	if (status || !changed)
		return status;
	cmd_print_message(inv, "%s: cannot write an index: the file changed while it was read; try again", file);
	return EXIT_FAILED;
}

int snap_run_index(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	const int status = check_single_argument(inv, "index", argc);

	(void)o;
	return status ? status : make_snapshot_index(inv, argv[0]);
}

/* ---- fs-snap capture */

/* Parses a whole number from 1 to `max`. Returns 0, or EXIT_USAGE after an error message. */
static int parse_option_number(const struct invocation *inv, const char *option, const char *arg, unsigned max,
			       unsigned *out)
{
	char rest;

	if (arg[0] != '-' && sscanf(arg, "%9u%c", out, &rest) == 1 && *out && *out <= max)
		return 0;
	cmd_print_message(inv, "--%s: expected a number from 1 to %u, got \"%s\"", option, max, arg);
	return EXIT_USAGE;
}

int snap_parse_limit(const struct invocation *inv, const struct snap_options *o, uint64_t usual, uint64_t *bytes)
{
	unsigned mib = (unsigned)(usual >> 20);
	const int status = o->limit ? parse_option_number(inv, "limit", o->limit, 1u << 20, &mib) : 0;

	*bytes = (uint64_t)mib << 20;
	return status;
}

static int parse_capture_limits(const struct invocation *inv, const struct snap_options *o,
				struct capture_limits *limits, unsigned *days)
{
	int status = snap_parse_limit(inv, o, limits->output, &limits->output);

	if (!status && o->timeout)
		status = parse_option_number(inv, "timeout", o->timeout, 86400, &limits->timeout_s);
	if (!status && o->records)
		status = parse_option_number(inv, "records", o->records, 36500, days);
	return status;
}

/* Writes the snapshot. Signals are caught while writing, so that no temporary file remains beside the output. */
static int write_captured_snapshot(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o)
{
	struct snap_options checked = *o;
	int status;

	if (!o->output)
		return snap_write_output(inv, s, o);
	checked.checked = true;
	capture_block_signals();
	status = snap_write_output(inv, s, &checked);
	capture_restore_signals();
	return status;
}

int snap_capture_cluster(const struct invocation *inv, const struct snap_options *o, const char *scheduler,
			 fs_snapshot **out)
{
	struct capture c = { .inv = inv, .limits = capture_usual_limits, .tool = capture_find_tool(scheduler) };
	const int status = parse_capture_limits(inv, o, &c.limits, &c.records_days);

	return status ? status : capture_run_import(c, o->raw, o->exact_usage, out);
}

int snap_run_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL;
	int status;

	if (argc > 1 || !capture_find_tool(argc ? argv[0] : NULL)) {
		cmd_print_message(
			inv, "capture: expected slurm, flux or no argument: capture [slurm|flux] [--raw DIR] [-o FILE]");
		return EXIT_USAGE;
	}
	if (o->index && !o->output) {
		cmd_print_message(inv, "capture: --index requires -o FILE");
		return EXIT_USAGE;
	}
	status = snap_capture_cluster(inv, o, argc ? argv[0] : NULL, &s);
	if (!status)
		status = write_captured_snapshot(inv, s, o);
	if (!status && o->index)
		status = make_snapshot_index(inv, o->output);
	fs_snapshot_free(s);
	return status;
}

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY, YEAR = 365 * DAY, STAMP_LENGTH = sizeof("20261122T233810Z") - 1 };
static const char snapshot_suffix[] = ".jsonl.zst", digest_suffix[] = ".jsonl.zst.digest";

int history_format_file_name(char out[HISTORY_NAME_SIZE], int64_t time)
{
	const time_t t = (time_t)time;
	struct tm tm;
	size_t n;

	if (!gmtime_r(&t, &tm) || tm.tm_year > 9999 - 1900 || tm.tm_year < -900)
		return -1;
	n = strftime(out, HISTORY_NAME_SIZE, "%Y%m%dT%H%M%SZ", &tm);
	if (n != STAMP_LENGTH)
		return -1;
	strcpy(out + n, snapshot_suffix);
	return 0;
}

static int parse_stamp_time(const char *name, int64_t *time)
{
	struct tm tm = { .tm_isdst = 0 };
	char again[HISTORY_NAME_SIZE];

	if (strlen(name) < STAMP_LENGTH || sscanf(name, "%4d%2d%2dT%2d%2d%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
						  &tm.tm_hour, &tm.tm_min, &tm.tm_sec) != 6)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	*time = timegm(&tm);
	return history_format_file_name(again, *time) || strncmp(again, name, STAMP_LENGTH) != 0 ? -1 : 0;
}

int history_parse_file_name(const char *name, int64_t *time)
{
	return parse_stamp_time(name, time) || strcmp(name + STAMP_LENGTH, snapshot_suffix) != 0 ? -1 : 0;
}

size_t history_count_outlier_times(const int64_t *time, size_t n)
{
	size_t last = n;

	while (last > 1 && time[last - 1] - time[last - 2] >= YEAR)
		last--;
	return n - last;
}

void history_choose_retained_times(const int64_t *time, size_t n, bool *keep)
{
	const int64_t newest = n ? time[n - history_count_outlier_times(time, n) - 1] : 0;
	int64_t last = INT64_MIN; /* hour or day in which the last kept snapshot was captured */

	for (size_t i = 0; i < n; i++) {
		const int64_t age = newest - time[i], unit = age < WEEK ? HOUR : DAY;
		/* Hours are numbered from 0 up and days from -1 down, so that an hour and a day never have the same
		 * number. */
		const int64_t span = unit == HOUR ? time[i] / HOUR : -1 - time[i] / DAY;

		keep[i] = age < DAY || (age < YEAR && span != last);
		last = keep[i] ? span : last;
	}
}

/* ---- files of the history folder */

struct history_times {
	int64_t *time;
	size_t n;
};

static int compare_snapshot_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Appends the times of the snapshots in the folder to *k and sorts them in ascending order. Returns 0, or -1 with errno
 * set. */
static int list_history_times(DIR *dir, struct history_times *k)
{
	const struct dirent *e;
	int64_t t;

	while ((errno = 0, e = readdir(dir))) {
		if (history_parse_file_name(e->d_name, &t))
			continue;
		int64_t *more = realloc(k->time, (k->n + 1) * sizeof(*more));

		if (!more)
			return -1;
		k->time = more;
		k->time[k->n++] = t;
	}
	if (errno)
		return -1;
	if (k->n)
		qsort(k->time, k->n, sizeof(*k->time), compare_snapshot_times);
	return 0;
}

static int remove_history_snapshot(int dir, int64_t time)
{
	char name[HISTORY_NAME_SIZE], digest[HISTORY_NAME_SIZE + sizeof(digest_suffix)];

	if (history_format_file_name(name, time))
		return -1;
	snprintf(digest, sizeof(digest), "%.*s%s", STAMP_LENGTH, name, digest_suffix);
	if (unlinkat(dir, digest, 0) && errno != ENOENT)
		return -1;
	return unlinkat(dir, name, 0) && errno != ENOENT ? -1 : 0;
}

/* Removes digests whose snapshot no longer exists. */
static void remove_orphaned_digests(DIR *dir)
{
	const struct dirent *e;
	char name[HISTORY_NAME_SIZE];
	int64_t t;

	rewinddir(dir);
	while ((e = readdir(dir)))
		if (!parse_stamp_time(e->d_name, &t) && !strcmp(e->d_name + STAMP_LENGTH, digest_suffix) &&
		    !history_format_file_name(name, t) && faccessat(dirfd(dir), name, F_OK, 0) && errno == ENOENT)
			unlinkat(dirfd(dir), e->d_name, 0);
}

/* Removes the snapshots that the history rule (snap/snap.h) does not keep, and digests without a snapshot. Does not
 * touch files with other names. Returns 0, or the exit status (reported). */
static int prune_history_folder(const struct invocation *inv, const char *path)
{
	DIR *dir = opendir(path);
	struct history_times k = { 0 };
	bool *keep = NULL;
	int status = EXIT_DONE;

	if (!dir) {
		cmd_print_message(inv, "%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (list_history_times(dir, &k) || !(keep = calloc(k.n + 1, sizeof(*keep)))) {
		cmd_print_message(inv, "%s: %s", path, strerror(errno));
		status = EXIT_FAILED;
	} else {
		history_choose_retained_times(k.time, k.n, keep);
	}
	for (size_t i = 0; i < k.n && !status; i++) {
		if (keep[i] || !remove_history_snapshot(dirfd(dir), k.time[i]))
			continue;
		cmd_print_message(inv, "%s: %s", path, strerror(errno));
		status = EXIT_FAILED;
	}
	if (k.n && history_count_outlier_times(k.time, k.n))
		cmd_print_message(
			inv,
			"warning: %s: the newest snapshot is at least a year later than all others: its time may be "
			"wrong, so this snapshot is not used to compute the ages of snapshots",
			path);
	if (!status)
		remove_orphaned_digests(dir);
	closedir(dir);
	free(k.time);
	free(keep);
	return status;
}

/* ---- fs-snap keep: adds a compressed snapshot and its digest to a folder, then removes old snapshots from the
 * folder */

struct digest_source {
	const fs_snapshot *s;
	const char *file;
};

static int write_digest_content(const void *what, FILE *to, struct fs_error *err)
{
	const struct digest_source *d = what;

	return digest_write_file(d->s, d->file, to, err);
}

/* Writes the snapshot and its digest. The digest has the permissions of the snapshot, except that only its owner may
 * write to it. */
static int write_history_files(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o,
			       const char *file)
{
	const unsigned mode = o->mode ? o->mode : SNAP_MODE;
	const struct digest_source d = { s, file };
	const struct snap_checked checked = { inv, s, write_compressed_snapshot, file };
	char *name = digest_format_file_name(file);
	int status;

	if (!name)
		return cmd_report_no_memory(inv);
	status = save_regular_file(inv, write_checked_snapshot, &checked, file, mode);
	if (!status) {
		status = save_regular_file(inv, write_digest_content, &d, name, mode & ~(unsigned)(S_IWGRP | S_IWOTH));
		if (status)
			cmd_print_message(inv, "%s was written without its digest, so --history reads the snapshot more slowly",
					  file);
	}
	free(name);
	return status;
}

/* Creates the folder if necessary and locks it. Without the lock, a second fs-snap keep might remove the snapshot just
 * written. Returns the descriptor of the locked folder, or -1 (reported). */
static int lock_history_folder(const struct invocation *inv, const char *dir)
{
	int fd;

	if (mkdir(dir, 0700) && errno != EEXIST) {
		cmd_print_message(inv, "%s: %s", dir, strerror(errno));
		return -1;
	}
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (flock(fd, LOCK_EX) && errno != ENOTSUP && errno != ENOLCK)) {
		cmd_print_message(inv, "%s: %s", dir, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

static int add_history_snapshot(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o,
				const char *dir)
{
	const int lock = lock_history_folder(inv, dir);
	char name[HISTORY_NAME_SIZE];
	char *file = malloc(strlen(dir) + sizeof(name) + 1);
	int status = EXIT_FAILED;

	if (lock >= 0 && !file)
		status = cmd_report_no_memory(inv);
	else if (lock >= 0 && history_format_file_name(name, fs_snapshot_info(s)->time))
		cmd_print_message(inv, "keep: no file name for the snapshot: its time is after the year 9999");
	else if (lock >= 0) {
		sprintf(file, "%s/%s", dir, name);
		status = write_history_files(inv, s, o, file);
		if (!status)
			status = prune_history_folder(inv, dir);
	}
	if (lock >= 0)
		close(lock);
	free(file);
	return status;
}

int snap_run_keep(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL;
	int status;

	if (argc < 1 || argc > 2) {
		cmd_print_message(inv,
				  "keep: expected a folder and optionally a snapshot: keep DIR [FILE]");
		return EXIT_USAGE;
	}
	status = argc == 2 ? input_read_file(inv, argv[1], &s) : snap_capture_cluster(inv, o, NULL, &s);
	if (!status) {
		for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
			cmd_print_message(inv, "warning: %s", fs_snapshot_warning(s, i));
		status = add_history_snapshot(inv, s, o, argv[0]);
	}
	fs_snapshot_free(s);
	return status;
}

enum { ROW_NUMBERS = 12 };

/* The numbers of one row of a computed result, such as a share row. The ids of the row come first; unused elements are
 * 0. */
struct number_row {
	double v[ROW_NUMBERS];
};

struct number_rows {
	struct number_row *v;
	size_t n, cap;
	bool out_of_memory;
};

static void add_number_row(struct number_rows *r, const double *v, size_t n)
{
	struct number_row *p = array_grow_by_one(r->v, r->n, &r->cap, sizeof(*p));

	r->out_of_memory = r->out_of_memory || !p;
	if (!p)
		return;
	r->v = p;
	p[r->n] = (struct number_row){ { 0 } };
	memcpy(p[r->n++].v, v, n * sizeof(*v));
}
#define ADD_NUMBERS(r, ...) \
	add_number_row(r, (const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static int compare_number_rows(const void *x, const void *y, const void *ctx)
{
	const struct number_row *a = x, *b = y;

	(void)ctx;
	for (size_t i = 0; i < ROW_NUMBERS; i++) {
		if (isnan(a->v[i]) || isnan(b->v[i])) {
			if (isnan(a->v[i]) != isnan(b->v[i]))
				return isnan(a->v[i]) ? 1 : -1;
		} else if (a->v[i] < b->v[i] || a->v[i] > b->v[i]) {
			return a->v[i] < b->v[i] ? -1 : 1;
		}
	}
	return 0;
}

static double convert_result_to_code(int rc)
{
	return rc < 0 ? rc : 0;
}

/* Appends the share rows to `out`. If the snapshot has no associations, the ids of the share rows are numbers in the
 * order of the rows' names. Pseudonyms change that order, so 0 is then appended instead of each id. */
static void gather_share_numbers(struct number_rows *out, const struct fs_eval *e)
{
	const bool numbered = fs_snapshot_info(e->snapshot)->associations;

	ADD_NUMBERS(out, -1, convert_result_to_code(e->shares_error.code));
	for (size_t i = 0; e->shares && i < fs_shares_count(e->shares); i++) {
		const struct fs_share_row *r = fs_shares_row(e->shares, i);

		ADD_NUMBERS(out, numbered ? r->id : 0, r->depth, r->norm_shares, r->raw_usage, r->norm_usage,
			    r->effective_usage, r->fairshare, r->level_fs, r->rank, r->range.low, r->range.high,
			    r->range.tied);
	}
}

static void gather_window_numbers(struct number_rows *out, const struct fs_eval *e)
{
	ADD_NUMBERS(out, -1, convert_result_to_code(e->windows_error.code));
	for (size_t i = 0; e->windows && i < fs_windows_count(e->windows); i++) {
		const struct fs_window_row *r = fs_windows_row(e->windows, i);

		ADD_NUMBERS(out, r->kind, r->target, r->mode, r->usage_s, r->percent, r->factor, r->off_target);
	}
}

static void gather_priority_numbers(struct number_rows *out, const struct fs_eval *e)
{
	ADD_NUMBERS(out, -1, convert_result_to_code(e->prios_error.code));
	for (size_t i = 0; e->prios && i < fs_prios_count(e->prios); i++) {
		struct fs_prio_row r;

		fs_prios_row(e->prios, i, &r);
		ADD_NUMBERS(out, (double)r.job, -1, r.sum, r.priority, r.stored_priority, r.set_directly);
		for (size_t t = 0; t < fs_prios_terms(e->prios); t++)
			ADD_NUMBERS(out, (double)r.job, (double)t, r.terms[t].value, r.terms[t].weight,
				    r.terms[t].points);
	}
}

static void gather_queue_numbers(struct number_rows *out, const struct fs_eval *e)
{
	ADD_NUMBERS(out, -1, convert_result_to_code(e->queue_error.code));
	for (size_t i = 0; e->queue && i < fs_queue_count(e->queue); i++) {
		struct fs_queue_row r;
		struct fs_job job;

		fs_queue_row(e->queue, i, &r);
		fs_snapshot_job(e->snapshot, r.job_row, &job);
		ADD_NUMBERS(out, (double)job.id, r.position, r.partition_position, r.key, r.partition_key,
			    (double)r.tier, r.priority, (double)r.tasks, r.eligible, r.section,
			    fs_queue_verdict_kind(e->queue, r.job_row));
	}
}

static void gather_plan_numbers(struct number_rows *out, const fs_plan *p)
{
	for (size_t i = 0; p && i < fs_plan_count(p); i++) {
		struct fs_plan_row r;

		fs_plan_row(p, i, &r);
		ADD_NUMBERS(out, (double)r.job, r.state, (double)r.start_time, (double)r.end_time, r.wait);
	}
}

/* Compares two lists of rows, one from each snapshot, that contain the same kind of results. Frees both lists. If rows
 * differ and *what is NULL, sets *what to `name`. */
static int compare_number_kind(struct number_rows pair[2], const char *name, const char **what, size_t *n,
			       struct fs_error *err)
{
	int rc = 0;

	for (size_t k = 0; k < 2; k++)
		if (pair[k].out_of_memory ||
		    fs_sort(pair[k].v, pair[k].n, sizeof(struct number_row), compare_number_rows, NULL))
			rc = FS_ENOMEM;
	if (rc) {
		*err = (struct fs_error){ .code = FS_ENOMEM };
		snprintf(err->message, sizeof(err->message), "out of memory");
	}
	if (!rc && !*what && pair[0].n != pair[1].n)
		*what = name;
	for (size_t i = 0; !rc && !*what && i < pair[0].n; i++)
		if (compare_number_rows(&pair[0].v[i], &pair[1].v[i], NULL))
			*what = name;
	*n += pair[0].n;
	for (size_t k = 0; k < 2; k++) {
		free(pair[k].v);
		pair[k] = (struct number_rows){ 0 };
	}
	return rc;
}

typedef void (*gather_numbers_fn)(struct number_rows *out, const struct fs_eval *e);

static int compare_eval_numbers(const struct fs_eval e[2], const char **what, size_t *n, struct fs_error *err)
{
	static const struct {
		const char *name;
		gather_numbers_fn gather;
	} kinds[] = { { "shares", gather_share_numbers },
		      { "windows", gather_window_numbers },
		      { "priorities", gather_priority_numbers },
		      { "places in the queue", gather_queue_numbers } };
	struct number_rows pair[2] = { { 0 } };
	int rc = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !rc; i++) {
		kinds[i].gather(&pair[0], &e[0]);
		kinds[i].gather(&pair[1], &e[1]);
		rc = compare_number_kind(pair, kinds[i].name, what, n, err);
	}
	return rc;
}

static int compare_plan_numbers(const fs_snapshot *const s[2], const char **what, size_t *n, struct fs_error *err)
{
	const struct fs_plan_options o = { .mode = FS_PLAN_BACKFILL };
	struct number_rows pair[2] = { { 0 } };

	for (size_t k = 0; k < 2; k++) {
		fs_plan *p = NULL;
		const int rc = fs_plan_compute(&p, s[k], &o, err);

		if (rc == FS_ENOMEM)
			return rc;
		ADD_NUMBERS(&pair[k], -1, convert_result_to_code(rc));
		gather_plan_numbers(&pair[k], p);
		fs_plan_free(p);
	}
	return compare_number_kind(pair, "planned starts", what, n, err);
}

int snap_compare_computed_values(const fs_snapshot *a, const fs_snapshot *b, const char **what, size_t *n,
				 struct fs_error *err)
{
	const fs_snapshot *const s[2] = { a, b };
	struct fs_eval e[2];
	int rc = fs_eval_compute(a, NULL, &e[0], err);

	*what = NULL;
	*n = 0;
	if (rc)
		return rc;
	rc = fs_eval_compute(b, NULL, &e[1], err);
	if (!rc) {
		rc = compare_eval_numbers(e, what, n, err);
		fs_eval_release(&e[1]);
	}
	fs_eval_release(&e[0]);
	return rc || *what ? rc : compare_plan_numbers(s, what, n, err);
}

/* ---- fs-snap anonymise: writes the snapshot with pseudonyms instead of names, unless this changes a computed value */

enum { MIN_KEY_SIZE = 16, MAX_KEY_SIZE = 4096 };

/* Returns true if the key is too regular to be secret: a repeated byte or word, or bytes that count up or down. A
 * random key has more different pairs of consecutive bytes, and more different differences in pairs. */
static bool is_regular_key(const unsigned char *key, size_t n)
{
	enum { MIN_PAIRS = 10, MIN_DIFFERENCES = 4 };
	unsigned char pairs[(1 << 16) / 8] = { 0 }, differences[(1 << 8) / 8] = { 0 };
	size_t npairs = 0, ndifferences = 0;

	for (size_t i = 1; i < n; i++) {
		const unsigned pair = (unsigned)key[i - 1] << 8 | key[i];
		const unsigned difference = (unsigned char)(key[i] - key[i - 1]);

		npairs += !(pairs[pair / 8] & 1u << pair % 8);
		ndifferences += !(differences[difference / 8] & 1u << difference % 8);
		pairs[pair / 8] |= (unsigned char)(1u << pair % 8);
		differences[difference / 8] |= (unsigned char)(1u << difference % 8);
	}
	return npairs < MIN_PAIRS || ndifferences < MIN_DIFFERENCES;
}

/* Reads the key from `file`, or from /dev/urandom if `file` is NULL. Returns 0, or EXIT_FAILED (reported). */
static int read_pseudonym_key(const struct invocation *inv, const char *file, unsigned char key[MAX_KEY_SIZE],
			      size_t *n)
{
	const char *name = file ? file : "/dev/urandom";
	FILE *in = fopen(name, "rb");
	bool failed;

	if (!in) {
		cmd_print_message(inv, "%s: %s", name, strerror(errno));
		return EXIT_FAILED;
	}
	setvbuf(in, NULL, _IONBF, 0);
	*n = fread(key, 1, file ? MAX_KEY_SIZE : MIN_KEY_SIZE, in);
	failed = ferror(in) || *n < MIN_KEY_SIZE;
	fclose(in);
	if (failed)
		cmd_print_message(inv, "%s: cannot read a key of at least %d bytes", name, MIN_KEY_SIZE);
	else if (is_regular_key(key, *n))
		cmd_print_message(inv, "%s: the key is too regular; use random bytes: head -c 32 /dev/urandom", name);
	else
		return 0;
	return EXIT_FAILED;
}

/* Makes the anonymised copy with pseudonyms that do not preserve the order of names. If this changes a computed value,
 * makes the copy again with pseudonyms that preserve the order. Returns 0, or the exit status (reported). */
static int rename_preserving_numbers(const struct invocation *inv, const fs_snapshot *s, struct fs_anonymise_options *o,
				     fs_snapshot **out, size_t *n)
{
	const char *what = NULL;
	struct fs_error err;

	for (int order = 0; order < 2; order++) {
		o->keep_order = order;
		o->note = order ? NULL : cmd_print_note_sentence;
		fs_snapshot_free(*out);
		*out = NULL;
		if (fs_snapshot_anonymise(out, s, o, &err) || snap_compare_computed_values(s, *out, &what, n, &err))
			return cmd_report_error(inv, &err);
		if (!what) {
			if (order)
				cmd_print_message(inv,
						  "computed values depend on the order of names: each pseudonym begins "
						  "with the name's rank in this snapshot");
			return 0;
		}
	}
	cmd_print_message(inv, "nothing was written: pseudonyms would change %s", what);
	return EXIT_NOTHING;
}

void snap_warn_of_identifiers(const struct invocation *inv, size_t n)
{
	cmd_print_message(inv, "compared %zu rows of numbers with the original: all are equal", n);
	cmd_print_message(inv,
			  "unchanged data that may identify somebody: job ids, times, sizes and limits, usage, the form "
			  "of the tree, numbers in nodes' names, features, generic resources, licences, versions, "
			  "SchedulerParameters, Slurm's unique job ids (sluid); fs-snap(1) lists all");
}

int snap_make_anonymised(const struct invocation *inv, const fs_snapshot *s, const char *file, fs_snapshot **out,
			 size_t *n)
{
	unsigned char key[MAX_KEY_SIZE];
	struct fs_anonymise_options a = { .key = key, .note = cmd_print_note_sentence, .note_ctx = (void *)inv };
	const int status = read_pseudonym_key(inv, file, key, &a.key_size);

	*n = 0;
	return status ? status : rename_preserving_numbers(inv, s, &a, out, n);
}

int snap_run_anonymise(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL, *out = NULL;
	size_t n = 0;
	int status = check_single_argument(inv, "anonymise", argc);

	if (!status)
		status = input_read_file(inv, argv[0], &s);
	if (!status)
		status = snap_make_anonymised(inv, s, o->key, &out, &n);
	if (!status)
		status = snap_write_output(inv, out, o);
	if (!status)
		snap_warn_of_identifiers(inv, n);
	fs_snapshot_free(out);
	fs_snapshot_free(s);
	return status;
}
