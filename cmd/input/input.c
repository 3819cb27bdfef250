#include "input/input.h"
#include "input/script.h"

#include "files/files.h"
#include "fs/job.h"
#include "fs/scenario.h"
#include "fs/shares.h"
#include "render/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t progress_done, progress_size;

struct progress_counts progress_get_seen(void)
{
	return (struct progress_counts){ progress_done, progress_size };
}

static double compute_elapsed_seconds(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

/* Starts counting the bytes read. If `wanted` is false or standard error is not a terminal, the progress line is not
 * shown. */
static void start_read_progress(struct progress *p, FILE *from, bool wanted)
{
	struct stat st;

	*p = (struct progress){ .from = from, .enabled = wanted };
	if (!fstat(fileno(from), &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
	progress_done = 0;
	progress_size = p->size;
	clock_gettime(CLOCK_MONOTONIC, &p->started);
	p->last_shown = p->started;
}

static void print_read_progress(struct progress *p, double seconds)
{
	const double part = p->size ? (double)p->done / (double)p->size : 0;

	emit_to_stream(stderr, "\rread %.0f MB", (double)p->done / 1e6);
	if (part > 0 && part <= 1)
		emit_to_stream(stderr, " of %.0f, %.0f %%, %.0f s left ", (double)p->size / 1e6, part * 100,
			       seconds / part - seconds);
	p->line_shown = true;
}

/* An fs_read_fn that counts the bytes. `progress` points to a struct progress. */
static ptrdiff_t read_with_counting(void *progress, void *buf, size_t size)
{
	enum { TIMES_A_SECOND = 4 };
	struct progress *p = progress;
	const ptrdiff_t n = stream_read_bytes(p->from, buf, size);
	struct timespec now;

	if (n <= 0)
		return n;
	p->done += (uint64_t)n;
	progress_done = p->done;
	if (!p->enabled)
		return n;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/* isatty is called each time, because fs-top redirects standard error after a read has begun */
	if (compute_elapsed_seconds(&p->started, &now) > 1 &&
	    compute_elapsed_seconds(&p->last_shown, &now) > 1.0 / TIMES_A_SECOND && isatty(STDERR_FILENO)) {
		print_read_progress(p, compute_elapsed_seconds(&p->started, &now));
		p->last_shown = now;
	}
	return n;
}

/* Erases the progress line. */
static void erase_progress_line(const struct progress *p)
{
	if (p->line_shown)
		emit_to_stream(stderr, "\r%60s\r", "");
}

/* The checksum in an index key covers the first CHECKSUM_BYTES bytes and the last CHECKSUM_BYTES bytes of the snapshot
 * file. */
enum { CHECKSUM_BYTES = 64 * 1024 };

struct index_memory {
	void *bytes;
	size_t size;
	bool copied;
};

char *index_get_name(const char *file)
{
	char *name = malloc(strlen(file) + sizeof(".fsx"));

	if (name) {
		strcpy(name, file);
		strcat(name, ".fsx");
	}
	return name;
}

/* Reads `size` bytes from offset `at` of the file; fewer at the end of the file. Returns the number of bytes read. */
static size_t read_at_offset(int fd, char *buf, size_t size, off_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && (n = pread(fd, buf + done, size - done, at + (off_t)done)) > 0)
		done += (size_t)n;
	return done;
}

int index_fill_key(FILE *stream, struct fs_index_key *key, struct stat *st)
{
	const int fd = fileno(stream);

	if (fstat(fd, st) || !S_ISREG(st->st_mode))
		return -1;
	const off_t last = st->st_size > CHECKSUM_BYTES ? st->st_size - CHECKSUM_BYTES : 0;
	char *buf = malloc(2 * CHECKSUM_BYTES);
	size_t n;

	if (!buf)
		return -1;
	n = read_at_offset(fd, buf, CHECKSUM_BYTES, 0);
	n += read_at_offset(fd, buf + n, CHECKSUM_BYTES, last);
	*key = (struct fs_index_key){
		.size = (uint64_t)st->st_size,
		.mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec,
		.inode = (uint64_t)st->st_ino,
		.ends = fs_index_checksum(buf, n),
	};
	free(buf);
	return 0;
}

static void release_index_memory(void *ctx)
{
	struct index_memory *m = ctx;

	if (m->copied)
		free(m->bytes);
	else
		munmap(m->bytes, m->size);
	free(m);
}

/* Maps the index file into memory. If the owner of the file is neither root nor the caller, copies the file instead,
 * because the owner could change the file while it is mapped. */
static int map_or_copy_index_file(int fd, const struct stat *st, struct index_memory *m)
{
	m->size = (size_t)st->st_size;
	m->copied = st->st_uid != 0 && st->st_uid != geteuid();
	if (!m->copied) {
		m->bytes = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
		return m->bytes == MAP_FAILED ? -1 : 0;
	}
	if (posix_memalign(&m->bytes, 128, m->size))
		return -1;
	if (read_at_offset(fd, m->bytes, m->size, 0) == m->size)
		return 0;
	free(m->bytes);
	return -1;
}

static int set_index_error(char why[INDEX_WHY], const char *reason)
{
	snprintf(why, INDEX_WHY, "%s", reason);
	return -1;
}

static int check_index_owner(const struct stat *index, const struct stat *file, char why[INDEX_WHY])
{
	if (!S_ISREG(index->st_mode) || index->st_size <= 0)
		return set_index_error(why, "it is empty or not a regular file");
	if (index->st_uid != file->st_uid)
		return set_index_error(why, "its owner is not the snapshot's owner");
	if (index->st_mode & (S_IWGRP | S_IWOTH))
		return set_index_error(why, "users other than its owner may write to it");
	return 0;
}

static int read_mapped_index(int fd, const struct stat *st, const struct fs_index_key *key, const char *file,
			     const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY])
{
	struct index_memory *m = malloc(sizeof(*m));
	struct fs_error err;

	if (!m || map_or_copy_index_file(fd, st, m)) {
		free(m);
		return set_index_error(why, "it cannot be read");
	}
	const struct fs_index x = { m->bytes, m->size, *key, release_index_memory, m };

	if (!fs_index_read(out, &x, file, o, &err))
		return 0;
	release_index_memory(m);
	return set_index_error(why, err.message);
}

int index_open_snapshot(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out,
			char why[INDEX_WHY])
{
	char *name = index_get_name(file);
	const int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct fs_index_key key;
	struct stat st, of_file;
	int rc = -1;

	*why = '\0';
	free(name);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || index_fill_key(stream, &key, &of_file))
		set_index_error(why, "the index or the snapshot cannot be read");
	else if (!check_index_owner(&st, &of_file, why))
		rc = read_mapped_index(fd, &st, &key, file, o, out, why);
	close(fd);
	return rc;
}

/* ---- reading snapshot files */

/* Opens a file for reading. Returns NULL and sets errno if the file cannot be opened or is a folder. */
static FILE *open_input_file(const char *file)
{
	FILE *stream = fopen(file, "rb");
	struct stat st;

	if (!stream || fstat(fileno(stream), &st) || !S_ISDIR(st.st_mode))
		return stream;
	fclose(stream);
	errno = EISDIR;
	return NULL;
}

/* Opens a snapshot file. Returns NULL, after an error message, if the file cannot be opened. */
static FILE *open_snapshot_stream(const struct invocation *inv, const char *file)
{
	FILE *stream = open_input_file(file);

	if (!stream)
		cmd_print_message(inv, "%s: %s", file, strerror(errno));
	return stream;
}

static int read_snapshot_stream(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
				struct fs_read_options o, struct fs_error *err)
{
	struct unpack u = UNPACK(read, ctx);
	struct ustar t = USTAR(unpack_decompress_bytes, &u);

	return unpack_finish_input(
		&u,
		ustar_finish_input(&t, fs_snapshot_read_with(out, ustar_read_snapshot, &t, name, &o, err), name, err),
		name, err);
}

int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err)
{
	return read_snapshot_stream(out, read, ctx, name, (struct fs_read_options){ 0 }, err);
}

static int set_file_open_error(const char *file, struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_EIO };
	snprintf(err->file, sizeof(err->file), "%s", file);
	snprintf(err->message, sizeof(err->message), "%s", strerror(errno));
	return FS_EIO;
}

static bool read_snapshot_by_index(FILE *stream, const char *file, struct fs_read_options o, fs_snapshot **out)
{
	char why[INDEX_WHY];

	return !index_open_snapshot(stream, file, &o, out, why);
}

static int read_with_progress(FILE *stream, const char *name, struct fs_read_options o, bool progress,
			      fs_snapshot **out, struct fs_error *err)
{
	struct progress p;
	int rc;

	start_read_progress(&p, stream, progress);
	rc = read_snapshot_stream(out, read_with_counting, &p, name, o, err);
	erase_progress_line(&p);
	return rc;
}

/* Reads a snapshot file; "-" is standard input. `indexed`: use the index beside the file if there is one. `progress`:
 * show the progress on a terminal. Returns an error code of fs_snapshot_read. */
static int read_file_or_stdin(const char *file, struct fs_read_options o, bool indexed, bool progress,
			      fs_snapshot **out, struct fs_error *err)
{
	const bool standard = !strcmp(file, "-");
	FILE *stream = standard ? stdin : open_input_file(file);
	int rc = 0;

	if (!stream)
		return set_file_open_error(file, err);
	if (standard || !indexed || !read_snapshot_by_index(stream, file, o, out))
		rc = read_with_progress(stream, standard ? "standard input" : file, o, progress, out, err);
	if (!standard)
		fclose(stream);
	return rc;
}

/* Reads the job records of an open file into `usage`. */
static int read_stream_records(fs_usage *usage, FILE *stream, const char *name, struct fs_error *err)
{
	struct unpack u = UNPACK(stream_read_bytes, stream);
	struct ustar t = USTAR(unpack_decompress_bytes, &u);

	return unpack_finish_input(
		&u, ustar_finish_input(&t, fs_usage_read(usage, ustar_read_snapshot, &t, name, err), name, err), name,
		err);
}

int input_try_usage_records(const char *file, fs_usage *usage, struct fs_error *err)
{
	FILE *stream = open_input_file(file);
	int rc;

	if (!stream)
		return set_file_open_error(file, err);
	rc = read_stream_records(usage, stream, file, err);
	fclose(stream);
	return rc;
}

struct stream_copy {
	FILE *from, *to;
	int write_error; /* errno of a failed write to `to`; 0: none failed */
};

/* An fs_read_fn that also copies the bytes to a temporary file. A pipe can be read only once; later reads use the
 * copy. */
static ptrdiff_t read_and_copy(void *ctx, void *buf, size_t size)
{
	struct stream_copy *c = ctx;
	const ptrdiff_t n = stream_read_bytes(c->from, buf, size);

	if (n <= 0 || !stream_write_bytes(c->to, buf, (size_t)n))
		return n;
	c->write_error = errno;
	return -1;
}

static int report_spool_error(const struct invocation *inv, int error)
{
	cmd_print_message(inv, "cannot write a temporary copy of the input: %s", strerror(error));
	return EXIT_FAILED;
}

static bool is_regular_stream(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode);
}

/* Reads a snapshot file whose usage records are read later. Copies piped input to the temporary file *spool. Returns 0,
 * or the exit status; errors are reported. */
static int read_with_spool(const struct invocation *inv, const char *file, struct fs_read_options o, FILE **spool,
			   fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct stream_copy c = { .from = standard ? stdin : open_snapshot_stream(inv, file) };
	struct fs_error err;
	int rc = 0;

	if (!c.from)
		return EXIT_FAILED;
	const bool piped = !is_regular_stream(c.from);
	const bool indexed = !piped && !standard && read_snapshot_by_index(c.from, file, o, out);
	if (piped)
		c.to = *spool = tmpfile();
	if (piped && !c.to) {
		rc = report_spool_error(inv, errno);
	} else if (!indexed &&
		   read_snapshot_stream(out, piped ? read_and_copy : stream_read_bytes, piped ? (void *)&c : c.from,
					standard ? "standard input" : file, o, &err)) {
		rc = c.write_error ? report_spool_error(inv, c.write_error) : cmd_report_error(inv, &err);
	} else if (piped && fflush(c.to)) {
		rc = report_spool_error(inv, errno);
	}
	if (!standard)
		fclose(c.from);
	return rc;
}

struct demo_stream {
	size_t at;
};

static ptrdiff_t read_demo_bytes(void *ctx, void *buf, size_t size)
{
	struct demo_stream *d = ctx;
	const size_t left = demo_snapshot_size - d->at, n = left < size ? left : size;

	memcpy(buf, demo_snapshot + d->at, n);
	d->at += n;
	return (ptrdiff_t)n;
}

/* Reads the compiled-in demo snapshot. Returns an error code of fs_snapshot_read. */
static int read_demo_snapshot(bool past_jobs, fs_snapshot **out, struct fs_error *err)
{
	struct demo_stream stream = { 0 };
	const struct fs_read_options o = { .without_usage = !past_jobs, .without_recorded = true };

	return fs_snapshot_read_with(out, read_demo_bytes, &stream, "demo", &o, err);
}

/* Reads the job records of the demo snapshot into `usage`. */
static int read_demo_records(fs_usage *usage, struct fs_error *err)
{
	struct demo_stream stream = { 0 };

	return fs_usage_read(usage, read_demo_bytes, &stream, "demo", err);
}

/* Adds a command of --if to the list. Returns 1, or -1 if there are too many commands (reported). */
static int add_if_command(const struct invocation *inv, struct edits *e, const char *arg)
{
	if (e->n == MAX_EDITS) {
		cmd_print_message(inv, "--if: expected at most %d commands", MAX_EDITS);
		return -1;
	}
	e->command[e->n++] = arg;
	return 1;
}

struct if_command {
	const struct invocation *inv; /* the command that prints messages; NULL: no messages are printed */
	const char *command;
};

static void print_edit_note(void *ctx, const char *sentence)
{
	const struct if_command *t = ctx;

	cmd_print_message(t->inv, "if %s: %s", t->command, sentence);
}

/* Applies one command of --if. Passes notes to `note`; NULL: there are no messages. Returns 0 or an error code. */
static int apply_edit_command(struct if_command *t, const char *viewer, fs_snapshot *s, fs_note_fn note,
			      struct fs_error *err)
{
	struct job_script script = { .reads_stdin = false };
	const struct fs_edit_options o = { .viewer = viewer,
					   .note = note,
					   .note_ctx = t,
					   .script = job_script_read,
					   .environment = job_script_get_variable,
					   .script_ctx = &script };
	const int rc = fs_snapshot_edit(s, t->command, &o, err);

	job_script_free(&script);
	return rc;
}

int edits_apply_to_snapshot(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s)
{
	struct fs_error err;

	for (size_t i = 0; i < e->n; i++) {
		struct if_command t = { inv, e->command[i] };
		char line[32] = "";

		if (!apply_edit_command(&t, viewer, s, print_edit_note, &err))
			continue;
		if (err.code != FS_EUSAGE && err.code != FS_EIO)
			return cmd_report_error(inv, &err);
		if (err.line)
			snprintf(line, sizeof(line), "line %" PRIu64 ": ", err.line);
		cmd_print_message(inv, "--if: %s%s%s%s", e->command[i], *e->command[i] ? ": " : "", line, err.message);
		return err.code == FS_EIO ? EXIT_FAILED : cmd_get_usage_status(inv);
	}
	return 0;
}

/* Applies the commands of --if as edits_apply_to_snapshot does, but without messages. Returns 0 or an error code. */
static int apply_edits_silently(const struct edits *e, const char *viewer, fs_snapshot *s, struct fs_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < e->n && !rc; i++) {
		struct if_command t = { NULL, e->command[i] };

		rc = apply_edit_command(&t, viewer, s, NULL, err);
	}
	return rc;
}

static const char *const missing_kind_names[] = { "user", "account", "partition" };

bool missing_is_unknown_name(const fs_snapshot *s, const char *viewer, enum missing_kind kind, const char *name)
{
	struct fs_partition p;

	switch (kind) {
	case MISSING_USER:
		return !fs_snapshot_has_user(s, viewer, name);
	case MISSING_ACCOUNT:
		return !fs_snapshot_has_account(s, viewer, name);
	default:
		return fs_snapshot_partition_name(s, 0) && !fs_snapshot_partition(s, name, &p);
	}
}

bool missing_report_unknown_name(const struct invocation *inv, const fs_snapshot *s, const char *viewer,
				 enum missing_kind kind, const char *name)
{
	if (!name || !missing_is_unknown_name(s, viewer, kind, name))
		return false;
	cmd_print_message(inv, "no %s \"%s\" in the snapshot", missing_kind_names[kind], name);
	return true;
}

size_t missing_report_unknown_names(const struct invocation *inv, const fs_snapshot *s, const char *viewer,
				    enum missing_kind kind, const struct names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		n += missing_report_unknown_name(inv, s, viewer, kind, names->v[i]);
	return n;
}

int missing_get_exit_status(const struct invocation *inv, int status, size_t missing)
{
	return !status && missing && !inv->emulated ? EXIT_NOTHING : status;
}

/* ---- opening the snapshot of a command */

static const char site_snapshot[] = "/var/lib/fs-tools/snapshot.jsonl";

/* Returns options for reading the snapshot. Records that the command does not need are not read. */
static struct fs_read_options get_read_options(const struct input *in)
{
	const bool recorded = in->recorded && in->usage == USAGE_RECORDED;

	return (struct fs_read_options){
		.without_usage = !in->past_jobs,
		.without_recorded = !recorded,
		.usage_follows = in->usage != USAGE_RECORDED,
		.without_jobs = in->without_jobs && !in->as && in->usage == USAGE_RECORDED && !in->edits.n,
	};
}

static int read_reported_file(const struct invocation *inv, const char *file, struct fs_read_options o, bool indexed,
			      fs_snapshot **out)
{
	struct fs_error err;

	return read_file_or_stdin(file, o, indexed, !inv->emulated, out, &err) ? cmd_report_error(inv, &err) : 0;
}

int input_read_file(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	return read_reported_file(inv, file, (struct fs_read_options){ 0 }, false, out);
}

int input_read_header(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	const struct fs_read_options o = { .without_usage = true, .without_recorded = true, .without_jobs = true };

	return read_reported_file(inv, file, o, true, out);
}

static int read_reported_demo(const struct invocation *inv, bool past_jobs, fs_snapshot **out)
{
	struct fs_error err;

	return read_demo_snapshot(past_jobs, out, &err) ? cmd_report_error(inv, &err) : 0;
}

int input_try_file(const struct input *in, const char *file, fs_snapshot **out, struct fs_error *err)
{
	int rc = file ? read_file_or_stdin(file, get_read_options(in), true, false, out, err)
		      : read_demo_snapshot(in->past_jobs, out, err);

	if (!rc && (rc = apply_edits_silently(&in->edits, input_get_viewer_name(in), *out, err)))
		fs_snapshot_free(*out);
	return rc;
}

static int report_no_snapshot_source(const struct invocation *inv)
{
	cmd_print_message(inv,
			  "no snapshot: give -f FILE, set FS_SNAPSHOT, install %s, or try --demo "
			  "(fs-snap import makes a snapshot)",
			  site_snapshot);
	return EXIT_FAILED;
}

/* Returns the file to read: the argument of -f, else the value of $FS_SNAPSHOT, else the site's snapshot; NULL if there
 * is none. */
static const char *find_source_file(const struct input *in)
{
	const char *env = getenv("FS_SNAPSHOT");

	if (in->file)
		return in->file;
	if (env && *env)
		return env;
	return access(site_snapshot, R_OK) ? NULL : site_snapshot;
}

/* Returns true if `file` is site_snapshot and is too old. A timer starts a capture of this file every PERIOD_S seconds,
 * and a capture takes at most CAPTURE_S seconds. If the file is older than the sum of both, the timer has stopped. */
static bool is_site_snapshot_stale(const char *file)
{
	enum { PERIOD_S = 300, CAPTURE_S = 60 };
	struct stat st;

	return file == site_snapshot && !stat(file, &st) && time(NULL) - st.st_mtim.tv_sec > PERIOD_S + CAPTURE_S;
}

enum input_source input_find_source(const struct input *in, const char **file)
{
	*file = in->text ? NULL : find_source_file(in);
	if (in->text)
		return INPUT_PASTE;
	if (in->demo)
		return INPUT_DEMO;
	if (*file && !is_site_snapshot_stale(*file))
		return INPUT_FILE;
	if (!capture_is_scheduler_installed())
		return *file ? INPUT_FILE : INPUT_NONE;
	*file = NULL;
	return INPUT_LIVE;
}

/* Checks that the snapshot has the data that --algorithm needs: credentials for an algorithm of Maui, associations for
 * any other algorithm. Returns 0, or EXIT_FAILED (reported). */
static int check_algorithm_data(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	const bool credentials = fs_algorithm_of_credentials(in->algorithm);

	if (!in->algorithm || (credentials ? info->credentials : info->associations))
		return 0;
	cmd_print_message(inv,
			  credentials
				  ? "--algorithm=%s requires credentials and fair-share windows of Maui; %s has none"
				  : "--algorithm=%s requires accounts and shares; %s has none",
			  in->algorithm, info->file);
	return EXIT_FAILED;
}

/* Prints an error if the sum of the priority weights is too large, as every command of Slurm does
 * (src/common/read_config.c). TRES weights are not part of the sum. */
static void warn_about_weights(const struct invocation *inv, const fs_snapshot *s)
{
	static const char *const names[] = { "PriorityWeightAge",       "PriorityWeightAssoc",
					     "PriorityWeightFairShare", "PriorityWeightJobSize",
					     "PriorityWeightPartition", "PriorityWeightQOS" };
	double sum = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const double weight = fs_snapshot_config_number(s, names[i]);

		sum += isnan(weight) ? 0 : weight;
	}
	if (sum > UINT32_MAX)
		cmd_print_message(inv, "error: PriorityWeight values too high, job priority value may overflow");
}

/* Warns if --as names an unknown user. An unknown user is no error, because a real user may have neither jobs nor
 * shares. */
static void warn_about_viewer(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	if (in->as && strcmp(in->as, "root") != 0 && missing_is_unknown_name(s, NULL, MISSING_USER, in->as))
		cmd_print_message(inv, "warning: --as: no user \"%s\" in the snapshot", in->as);
}

static bool is_pipe_name(const char *file)
{
	struct stat st;

	return !(strcmp(file, "-") ? stat(file, &st) : fstat(STDIN_FILENO, &st)) && !S_ISREG(st.st_mode);
}

static enum capture_need get_capture_need(const struct input *in)
{
	const bool more = in->as || in->usage != USAGE_RECORDED || in->edits.n || in->at || in->algorithm || in->compat;

	return more ? CAPTURE_ALL : in->need;
}

int input_open_snapshot(const struct invocation *inv, struct input *in, fs_snapshot **out)
{
	const char *file;
	int status;

	switch (input_find_source(in, &file)) {
	case INPUT_DEMO:
		status = read_reported_demo(inv, in->past_jobs, out);
		break;
	case INPUT_FILE:
		status = in->usage == USAGE_RECORDED && !(in->records_later && is_pipe_name(file))
				 ? read_reported_file(inv, file, get_read_options(in), true, out)
				 : read_with_spool(inv, file, get_read_options(in), &in->spool, out);
		break;
	case INPUT_PASTE:
		status = capture_read_text(inv, in->text, NULL, &in->paste_gaps, out);
		break;
	case INPUT_LIVE:
		status = capture_live_cluster(inv, in->fresh || inv->emulated, get_capture_need(in), out);
		break;
	default:
		status = report_no_snapshot_source(inv);
	}
	for (size_t i = 0; !status && i < fs_snapshot_warnings(*out); i++)
		cmd_print_message(inv, "warning: %s", fs_snapshot_warning(*out, i));
	if (!status)
		status = edits_apply_to_snapshot(inv, &in->edits, input_get_viewer_name(in), *out);
	if (!status && inv->emulated)
		warn_about_weights(inv, *out);
	else if (!status)
		warn_about_viewer(inv, in, *out);
	return status ? status : check_algorithm_data(inv, in, *out);
}

void input_release_resources(struct input *in)
{
	if (in->spool)
		fclose(in->spool);
	free(in->login);
	free(in->cluster_file);
}

int input_usage_records(const struct invocation *inv, const struct input *in, fs_usage *usage)
{
	const char *file;
	const enum input_source source = input_find_source(in, &file);
	const bool standard = file && !strcmp(file, "-");
	FILE *stream = in->spool;
	struct fs_error err;
	int rc;

	if (source == INPUT_DEMO)
		return read_demo_records(usage, &err) ? cmd_report_error(inv, &err) : 0;
	if (!file) /* a pasted text or a live capture: the job records are already in the snapshot */
		return 0;
	if (!stream)
		stream = standard ? stdin : open_snapshot_stream(inv, file);
	if (!stream)
		return EXIT_FAILED;
	rewind(stream);
	rc = read_stream_records(usage, stream, standard ? "standard input" : file, &err);
	if (stream != in->spool && !standard)
		fclose(stream);
	return rc ? cmd_report_error(inv, &err) : 0;
}

void input_slurm_version(const fs_snapshot *s)
{
	const char *plugins = fs_snapshot_config_text(s, "PluginDir");
	const char *scheduler = fs_snapshot_info(s)->scheduler;

	if (plugins && strstr(plugins, "/slurm-wlm") && !strncmp(scheduler, "slurm ", 6))
		emit("slurm-wlm %s\n", scheduler + 6);
	else
		emit_safe_line(scheduler);
}

const char *input_get_viewer_name(const struct input *in)
{
	const char *env = getenv("FS_USER");
	const struct passwd *pw;

	if (in->as)
		return in->as;
	if (in->login)
		return in->login;
	if (env && *env)
		return env;
	pw = getpwuid(getuid());
	return pw ? pw->pw_name : "";
}

int input_know_login(const struct invocation *inv, struct input *in)
{
	in->login = strdup(input_get_viewer_name(in));
	return in->login ? 0 : cmd_report_no_memory(inv);
}

struct fs_view input_get_view(const struct input *in)
{
	return (struct fs_view){ .viewer = input_get_viewer_name(in),
				 .algorithm = in->algorithm,
				 .position = in->position,
				 .compat = in->compat };
}

/* ---- the options of COMMON_OPTIONS and USAGE_OPTIONS */

static int parse_compat_version(const struct invocation *inv, const char *arg, unsigned *out)
{
	unsigned major = 0, minor = 0, micro;
	int series = 0, whole = 0;

	sscanf(arg, "%2u.%2u%n.%2u%n", &major, &minor, &series, &micro, &whole);
	if (!series || arg[whole ? whole : series] || major < 17 || minor > 12) {
		cmd_print_message(inv, "--compat: expected a Slurm version such as 22.05 or 24.05.3, got \"%s\"", arg);
		return -1;
	}
	*out = fs_slurm_release(arg);
	if (fs_slurm_unknown(*out))
		cmd_print_message(inv, "warning: --compat=%s is %s than all known versions; treated as %s", arg,
				  fs_slurm_unknown(*out) < 0 ? "older" : "newer",
				  fs_slurm_unknown(*out) < 0 ? FS_SLURM_OLDEST_NAME : FS_SLURM_NEWEST_NAME);
	return 1;
}

/* Returns the index of `arg` in `words`; -1 if `words` does not contain it (reported). `known`: list of the
 * words for the error message. */
static int parse_choice_index(const struct invocation *inv, const char *option, const char *what,
			      const char *const *words, int n, const char *arg, const char *known)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(arg, words[i]))
			return i;
	cmd_print_message(inv, "--%s: unknown %s '%s'; known: %s", option, what, arg, known);
	return -1;
}

static int parse_algorithm_name(const struct invocation *inv, const char *arg, const char **out)
{
	const char *name;

	for (size_t i = 0; (name = fs_algorithm_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = name;
			return 1;
		}
	cmd_print_message(inv,
			  "--algorithm: unknown algorithm '%s'; known: fair_tree, classic, depth_oblivious, flux, "
			  "flux_exact, flux_range, maui",
			  arg);
	return -1;
}

static int parse_style_name(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { [STYLE_SLURM] = "slurm",
					     [STYLE_FLUX] = "flux",
					     [STYLE_MAUI] = "maui",
					     [STYLE_FASRC] = "fasrc",
					     [STYLE_TACC] = "tacc" };
	const unsigned have = in->styles ? in->styles : 1u << STYLE_SLURM | 1u << STYLE_FLUX | 1u << STYLE_MAUI;

	for (size_t i = STYLE_SLURM; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], arg) && (have >> i & 1)) {
			in->style = (enum style)i;
			return 1;
		}
	cmd_print_message(inv, "--style: unknown style '%s'; see %s --help", arg, inv->name);
	return -1;
}

static int parse_usage_source(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "recorded", "computed", "compare" };
	const int i =
		parse_choice_index(inv, "usage", "source", names, 3, arg, "recorded, computed, compare (fs-share)");

	in->usage = i < 0 ? in->usage : (enum usage_source)i;
	in->usage_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_decay_model(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "slurm", "exact" };
	const int i = parse_choice_index(inv, "decay", "model", names, 2, arg, "slurm, exact");

	in->decay = i ? FS_DECAY_EXACT : FS_DECAY_SLURM;
	in->decay_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_position_name(const struct invocation *inv, const char *arg, enum fs_position *out)
{
	const char *name;

	for (size_t i = 0; (name = fs_position_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = (enum fs_position)i;
			return 1;
		}
	cmd_print_message(inv, "--position: unknown position '%s'; known: pow2, ratio, rank", arg);
	return -1;
}

int input_handle_option(const struct invocation *inv, struct input *in, int id, const char *arg)
{
	switch (id) {
	case OPT_IF:
		return add_if_command(inv, &in->edits, arg);
	case OPT_ALGORITHM:
		return parse_algorithm_name(inv, arg, &in->algorithm);
	case OPT_POSITION:
		return parse_position_name(inv, arg, &in->position);
	case OPT_COMPAT:
		return parse_compat_version(inv, arg, &in->compat);
	case OPT_USAGE:
		return parse_usage_source(inv, arg, in);
	case OPT_DECAY:
		return parse_decay_model(inv, arg, in);
	case OPT_STYLE:
		return parse_style_name(inv, arg, in);
	default:
		return 0;
	}
}

int names_add_owned_text(struct names *names, char *text)
{
	char **v = text ? array_grow_by_one(names->v, names->n, &names->capacity, sizeof(*v)) : NULL;

	if (!v) {
		free(text);
		return -1;
	}
	names->v = v;
	names->v[names->n++] = text;
	return 0;
}

static int add_list_name(struct names *names, const char *s, size_t len, bool lower)
{
	char *word = strndup(s, len);

	for (char *p = word; lower && p && *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return names_add_owned_text(names, word);
}

int names_add_comma_list(struct names *names, const char *list, bool lower)
{
	size_t len = strlen(list);

	names->given = true;
	if (len >= 2 && (*list == '"' || *list == '\'') && list[len - 1] == *list) {
		list++;
		len -= 2;
	}
	while (len) {
		const char *comma = memchr(list, ',', len);
		const size_t word = comma ? (size_t)(comma - list) : len;

		if (word && add_list_name(names, list, word, lower))
			return -1;
		list += word + (comma != NULL);
		len -= word + (comma != NULL);
	}
	return 0;
}

static int compare_name_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort_by_bytes(struct names *names)
{
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), compare_name_bytes);
}

bool names_contain_word(const struct names *names, const char *word)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->v[i], word))
			return true;
	return false;
}

void names_print_with_label(const char *label, const struct names *names)
{
	emit("%s = %s", label, names->given ? "" : "(null)");
	for (size_t i = 0; i < names->n; i++)
		emit("%s%s", i ? "," : "", names->v[i]);
	putchar('\n');
}

void names_free_all(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	*names = (struct names){ 0 };
}

bool usage_is_computation_requested(const struct input *in)
{
	return in->usage != USAGE_RECORDED || in->at || in->decay_given || in->decay_runs;
}

void what_if_print(const fs_snapshot *s)
{
	const char *command;

	for (size_t i = 0; (command = fs_snapshot_command(s, i)); i++)
		emit("%s%s", i ? "; " : "WHAT IF: ", command);
	if (fs_snapshot_command(s, 0))
		emit("\n");
}

void what_if_table(const fs_snapshot *s)
{
	if (isatty(STDOUT_FILENO))
		what_if_print(s);
}
