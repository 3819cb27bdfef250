#define _DEFAULT_SOURCE /* makes the headers declare timegm, and tm_gmtoff of struct tm */
#define _XOPEN_SOURCE 700 /* makes the headers declare realpath and strptime */
#include "capture/capture.h"

#include "files/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- a folder of captured files as the importers read it: regular files of limited size inside the folder */

struct capture_source {
	const char *dir, *shown_name; /* `dir`: path of the folder; `shown_name`: its name in messages */
	uint64_t file_max; /* maximum size of a file in bytes */
	bool outside;	   /* symbolic links are followed even if they lead out of the folder */
	char name[80];	   /* name of the file that was opened last */
	char why[120];	   /* why the file `name` could not be read; "": it could be read */
};

/* ---- time zones of the tz database: their offsets from UTC, and the times at which these offsets change */

enum { ZONE_OFFSETS = 512 };

/* ---- the last live capture of this user, which is cached for CACHE_LIFETIME_S seconds and reused by later commands */

enum { CACHE_LIFETIME_S = 30 };

enum { DAY_S = 86400 };
static const time_t zone_from = (time_t)20 * 365 * DAY_S, zone_until = (time_t)90 * 366 * DAY_S;

static int32_t get_utc_offset(time_t t)
{
	struct tm tm;

	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

/* Returns the time, within the 24 hours before t, at which the offset from UTC changed. The offsets at the start and at
 * the end of the 24 hours must differ. */
static time_t find_offset_change(time_t t)
{
	time_t low = t - DAY_S;
	const int32_t before = get_utc_offset(low);

	while (t - low > 1) {
		const time_t middle = low + (t - low) / 2;

		if (get_utc_offset(middle) == before)
			low = middle;
		else
			t = middle;
	}
	return t;
}

static size_t scan_zone_offsets(struct fs_utc_offset v[ZONE_OFFSETS])
{
	size_t n = 0;

	tzset();
	v[n++] = (struct fs_utc_offset){ zone_from, get_utc_offset(zone_from) };
	for (time_t t = zone_from + DAY_S; t < zone_until && n < ZONE_OFFSETS; t += DAY_S)
		if (get_utc_offset(t) != v[n - 1].offset_s)
			v[n++] = (struct fs_utc_offset){ find_offset_change(t), get_utc_offset(t) };
	return n;
}

/* Returns true if the tz database has a zone with this name. The name is checked because glibc uses UTC for an
 * unknown name, and because a path could name any file. */
static bool is_known_zone_name(const char *name)
{
	static const char database[] = "/usr/share/zoneinfo/";
	char path[256];

	return *name && *name != '/' && *name != '.' && !strstr(name, "..") && strlen(name) < 200 &&
	       snprintf(path, sizeof(path), "%s%s", database, name) > 0 && !access(path, R_OK);
}

/* Sets `v` to the zone's offsets from UTC between 1990 and 2060, each with the time from which it applies, in ascending
 * order of time. `name`: a time zone such as Europe/Berlin; NULL: the caller's time zone. Returns the number of
 * elements set; 0 if there is no such zone. */
static size_t list_zone_offsets(const char *name, struct fs_utc_offset v[ZONE_OFFSETS])
{
	const char *env = getenv("TZ");
	char *before = env ? strdup(env) : NULL;
	size_t n = 0;

	if (env && !before)
		return 0;
	if (!name || (is_known_zone_name(name) && !setenv("TZ", name, 1)))
		n = scan_zone_offsets(v);
	if (name && n && before)
		setenv("TZ", before, 1);
	else if (name && n)
		unsetenv("TZ");
	tzset();
	free(before);
	return n;
}

/* ---- running the steps of a capture */

/* Returns the path DIR/FILE with SUFFIX appended, which the caller frees; NULL if out of memory. */
static char *join_capture_path(const char *dir, const char *file, const char *suffix)
{
	char *path = malloc(strlen(dir) + strlen(file) + strlen(suffix) + 2);

	if (path) {
		strcpy(path, dir);
		strcat(path, "/");
		strcat(path, file);
		strcat(path, suffix);
	}
	return path;
}

/* ---- the files that the steps of a capture fill */

/* Returns step number i of the capture; NULL if there is none. */
static const struct fs_output *get_step(const struct capture *c, size_t i)
{
	return fs_output_get(c->tool->name, i);
}

static enum fs_import_asked get_import_asked(const struct capture *c)
{
	return c->need == CAPTURE_SHARES ? FS_IMPORT_SHARES : FS_IMPORT_PRIORITIES;
}

/* Formats the command of a step for messages, without its options and format strings: "scontrol show job". */
static void format_step_command(const struct fs_output *step, char *buf, size_t size)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz_-";
	const char *const *argv = step->argv[0];
	size_t n = 0;

	for (size_t i = 0; argv[i]; i++)
		if (*argv[i] != '-' && !argv[i][strspn(argv[i], word)] && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", argv[i]);
}

enum { COMMAND_WORDS = sizeof(((struct fs_output *)0)->argv[0]) / sizeof(const char *) };

/* Copies the words of a command and replaces FS_OUTPUT_SINCE by `since`. */
static void fill_command_words(const char *const form[COMMAND_WORDS], const char *since,
			       const char *argv[COMMAND_WORDS])
{
	for (size_t i = 0; i < COMMAND_WORDS; i++)
		argv[i] = form[i] && !strcmp(form[i], FS_OUTPUT_SINCE) ? since : form[i];
}

/* A step of a capture and the file that it fills. The file has the temporary name `tmp` until it is complete. */
struct step_file {
	const struct fs_output *step;
	char *path, *tmp;
	int fd;
	enum capture_result result;
	char why[CAPTURE_WHY_SIZE];
};

static bool is_command_step(const struct fs_output *step)
{
	return step->kind == FS_OUTPUT_COMMAND || step->kind == FS_OUTPUT_CONFIG || step->kind == FS_OUTPUT_RECORDS;
}

/* Runs in parallel the command of every step whose result is CAPTURE_REFUSED, and sets the step's new result. `form`:
 * 0: the command line for the scheduler's version; 1: the step's other command line. If sprio does not know some
 * columns, it reports this but exits with 0. The step's result is then CAPTURE_REFUSED. */
static void run_command_form(const struct capture *c, struct step_file *t, size_t n, size_t form)
{
	const char *argv[CAPTURE_MAX_PARALLEL][COMMAND_WORDS];
	struct capture_command orders[CAPTURE_MAX_PARALLEL];
	struct step_file *of[CAPTURE_MAX_PARALLEL];
	char since[40];
	size_t asked = 0;

	snprintf(since, sizeof(since), "now-%udays", c->records_days);
	for (size_t i = 0; i < n; i++) {
		const size_t first = !fs_slurm_has(c->version, t[i].step->since);

		if (t[i].result != CAPTURE_REFUSED || !is_command_step(t[i].step))
			continue;
		fill_command_words(t[i].step->argv[first ^ form], since, argv[asked]);
		if (!argv[asked][0])
			continue;
		if (lseek(t[i].fd, 0, SEEK_SET) || ftruncate(t[i].fd, 0)) {
			snprintf(t[i].why, sizeof(t[i].why), "%s", strerror(errno));
			t[i].result = CAPTURE_BROKEN;
			continue;
		}
		orders[asked] = (struct capture_command){ .argv = argv[asked], .fd = t[i].fd };
		of[asked++] = &t[i];
	}
	capture_run_commands(orders, asked, &c->limits);
	for (size_t i = 0; i < asked; i++) {
		memcpy(of[i]->why, orders[i].why, sizeof(of[i]->why));
		of[i]->result = orders[i].result == CAPTURE_DONE &&
						strstr(orders[i].why, "Invalid job format specification")
					? CAPTURE_REFUSED
					: orders[i].result;
	}
}

static enum capture_result write_capture_clock_file(int fd)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return dprintf(fd, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec) < 0 ? CAPTURE_BROKEN : CAPTURE_DONE;
}

static enum capture_result write_caller_file(int fd)
{
	const struct passwd *pw;

	do {
		errno = 0;
		pw = getpwuid(geteuid());
	} while (!pw && errno == EINTR);
	if (!pw) /* either the user id has no name, or the name service did not answer */
		return !errno || errno == ENOENT || errno == ESRCH || errno == EBADF || errno == EPERM
			       ? CAPTURE_FAILED
			       : CAPTURE_BROKEN;
	return dprintf(fd, "%s\n", pw->pw_name) >= 0 ? CAPTURE_DONE : CAPTURE_BROKEN;
}

static enum capture_result write_zone_file(int fd)
{
	struct fs_utc_offset v[ZONE_OFFSETS];
	const size_t n = list_zone_offsets(NULL, v);

	for (size_t i = 0; i < n; i++)
		if (dprintf(fd, "%lld %d\n", (long long)v[i].since, (int)v[i].offset_s) < 0)
			return CAPTURE_BROKEN;
	return n ? CAPTURE_DONE : CAPTURE_BROKEN;
}

/* Returns CAPTURE_FAILED if errno says that the file does not exist or may not be read; CAPTURE_BROKEN for other
 * errors. */
static enum capture_result classify_open_error(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? CAPTURE_FAILED : CAPTURE_BROKEN;
}

/* Looks up the value of a setting in the captured configuration. Returns CAPTURE_FAILED if the setting is missing. */
static enum capture_result find_config_value(const struct capture *c, const char *name, char value[400])
{
	char *path = join_capture_path(c->dir, get_step(c, 0)->file, ""), line[512], key[64];
	FILE *f = path ? fopen(path, "r") : NULL;
	enum capture_result result = f ? CAPTURE_FAILED : classify_open_error();

	while (f && result == CAPTURE_FAILED && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s = %399[^\n]", key, value) == 2 && !strcmp(key, name))
			result = CAPTURE_DONE;
	if (f && ferror(f))
		result = CAPTURE_BROKEN;
	if (f)
		fclose(f);
	free(path);
	return result;
}

static enum capture_result read_slurm_version(struct capture *c)
{
	char value[400];
	const enum capture_result result = find_config_value(c, "SLURM_VERSION", value);

	c->version = result == CAPTURE_DONE ? fs_slurm_release(value) : 0;
	return result;
}

/* Copies only the line PriorityFlags of slurm.conf, because some versions of scontrol print flags other than the
 * configured flags. */
static enum capture_result copy_priority_flags(FILE *from, int to)
{
	static const char name[] = "PriorityFlags";
	enum capture_result result = CAPTURE_FAILED;
	char line[1024];

	while (result != CAPTURE_BROKEN && fgets(line, sizeof(line), from))
		if (!strncasecmp(line, name, sizeof(name) - 1))
			result = dprintf(to, "%s", line) > 0 ? CAPTURE_DONE : CAPTURE_BROKEN;
	return ferror(from) ? CAPTURE_BROKEN : result;
}

static enum capture_result write_flags_file(const struct capture *c, int fd)
{
	char path[400];
	enum capture_result result = find_config_value(c, "SLURM_CONF", path);
	FILE *f = result == CAPTURE_DONE ? fopen(path, "r") : NULL;

	if (result != CAPTURE_DONE)
		return result;
	result = f ? copy_priority_flags(f, fd) : classify_open_error();
	if (f)
		fclose(f);
	return result;
}

static enum capture_result fill_own_file(const struct capture *c, const struct step_file *t)
{
	switch (t->step->kind) {
	case FS_OUTPUT_CLOCK:
		return write_capture_clock_file(t->fd);
	case FS_OUTPUT_CALLER:
		return write_caller_file(t->fd);
	case FS_OUTPUT_ZONE:
		return write_zone_file(t->fd);
	case FS_OUTPUT_FLAGS:
		return write_flags_file(c, t->fd);
	default:
		/* CAPTURE_REFUSED makes run_command_form run the step's first command line */
		return CAPTURE_REFUSED;
	}
}

static void open_step_file(const struct capture *c, struct step_file *t)
{
	t->path = join_capture_path(c->dir, t->step->file, "");
	t->tmp = join_capture_path(c->dir, t->step->file, ".XXXXXX");
	t->fd = t->path && t->tmp ? mkstemp(t->tmp) : -1; /* mkstemp creates the file with mode 0600 */
	if (t->fd >= 0)
		fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	t->result = t->fd < 0 ? CAPTURE_BROKEN : fill_own_file(c, t);
	if (t->result == CAPTURE_BROKEN)
		snprintf(t->why, sizeof(t->why), "%s", strerror(errno));
}

static void report_step_failure(const struct capture *c, const struct step_file *t)
{
	const bool failed = is_command_step(t->step) && (t->result == CAPTURE_REFUSED || t->result == CAPTURE_FAILED);
	char name[80] = "";

	if (c->complete && failed)
		*c->complete = false;
	if (c->silent && c->outputs)
		return;
	if (t->result == CAPTURE_BROKEN) {
		cmd_print_message(c->inv, "%s/%s: %s", c->dir_name, t->step->file, t->why);
	} else if (failed) {
		format_step_command(t->step, name, sizeof(name));
		cmd_print_message(c->inv, "warning: %s: %s", name, t->why);
	}
}

/* Renames the file to its final name if it is complete; else removes it. */
static void close_step_file(struct capture *c, struct step_file *t)
{
	if (t->fd >= 0 && (close(t->fd) || (t->result == CAPTURE_DONE && rename(t->tmp, t->path)))) {
		snprintf(t->why, sizeof(t->why), "%s", strerror(errno));
		t->result = CAPTURE_BROKEN;
	}
	report_step_failure(c, t);
	if (t->fd >= 0 && t->result != CAPTURE_DONE)
		unlink(t->tmp);
	c->outputs += is_command_step(t->step) && t->result == CAPTURE_DONE;
	free(t->path);
	free(t->tmp);
}

/* Runs the n steps in parallel. Returns the worst result of the steps; CAPTURE_BROKEN and CAPTURE_INTERRUPTED end the
 * capture. */
static enum capture_result run_parallel_steps(struct capture *c, const struct fs_output *const *steps, size_t n)
{
	struct step_file t[CAPTURE_MAX_PARALLEL];
	enum capture_result worst = CAPTURE_DONE;

	for (size_t i = 0; i < n; i++) {
		t[i] = (struct step_file){ .step = steps[i], .fd = -1 };
		open_step_file(c, &t[i]);
	}
	for (size_t form = 0; form < 2; form++)
		run_command_form(c, t, n, form);
	for (size_t i = 0; i < n; i++) {
		close_step_file(c, &t[i]);
		worst = t[i].result > worst ? t[i].result : worst;
	}
	return worst;
}

static time_t get_uptime_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Returns true if the step must be run. If the scheduler's version is unknown, steps that need a certain version are
 * skipped. */
static bool is_step_needed(const struct capture *c, const struct fs_output *step)
{
	if (step->from && (!c->version || !fs_slurm_has(c->version, step->from)))
		return false;
	if (step->of_jobs && c->need == CAPTURE_NO_JOBS)
		return false;
	if (c->need >= CAPTURE_SHARES && !(step->short_for & 1u << get_import_asked(c)))
		return false;
	return step->kind != FS_OUTPUT_NOT_CAPTURED && (step->kind != FS_OUTPUT_RECORDS || c->records_days);
}

/* Sets `out` to the steps that run next in parallel, beginning with step i. Leaves out steps that are not needed. Sets
 * *next to the value of `i` for the next call. Returns the number of steps in `out`. */
static size_t collect_parallel_steps(const struct capture *c, size_t i,
				     const struct fs_output *out[CAPTURE_MAX_PARALLEL], size_t *next)
{
	const struct fs_output *step = get_step(c, i);
	size_t n = 0;

	do {
		if (is_step_needed(c, step))
			out[n++] = step;
		step = get_step(c, ++i);
	} while (step && n < CAPTURE_MAX_PARALLEL &&
		 (step->parallel_with_previous || step->kind == FS_OUTPUT_NOT_CAPTURED));
	*next = i;
	return n;
}

/* Runs all steps, which fill the folder c->dir. Reports commands that failed. Returns 0, or -1 in four cases: a signal
 * interrupted the capture; c->may_be_short returned false; no command succeeded (reported); a local failure such as a
 * full disk (reported). Must be called between capture_block_signals and capture_restore_signals. */
static int run_capture_steps(struct capture *c)
{
	const time_t start = get_uptime_seconds(), config_max_age_s = 300;
	const struct fs_output *first = get_step(c, 0), *steps[CAPTURE_MAX_PARALLEL], *step;

	for (size_t i = 0, next; (step = get_step(c, i)); i = next) {
		const size_t n = collect_parallel_steps(c, i, steps, &next);

		/* The importer derives the time zone by comparing the clock with the local time in the captured
		 * configuration. Before the clock is read, a configuration older than config_max_age_s is captured
		 * again. */
		if (step->kind == FS_OUTPUT_CLOCK && first->kind == FS_OUTPUT_CONFIG &&
		    get_uptime_seconds() - start > config_max_age_s &&
		    run_parallel_steps(c, &first, 1) >= CAPTURE_BROKEN)
			return -1;
		if (run_parallel_steps(c, steps, n) >= CAPTURE_BROKEN)
			return -1;
		if (step->kind == FS_OUTPUT_CONFIG && read_slurm_version(c) == CAPTURE_BROKEN) {
			cmd_print_message(c->inv, "%s/%s: %s", c->dir_name, step->file, strerror(errno));
			return -1;
		}
		if (c->live && !c->outputs)
			break;
		if (step->kind == FS_OUTPUT_CONFIG && c->may_be_short && !c->may_be_short(c))
			return -1;
	}
	if (c->outputs)
		return 0;
	cmd_print_message(c->inv,
			  c->live ? "cannot capture: no %s command worked; give -f FILE, "
				    "set FS_SNAPSHOT, or try --demo"
				  : "cannot capture: no %s command worked",
			  c->tool->title);
	return -1;
}

struct bounded_file {
	struct capture_source *source;
	FILE *file;
	uint64_t left;
};

static const char *name_file_kind(mode_t mode)
{
	return S_ISDIR(mode)   ? "a folder"
	       : S_ISFIFO(mode) ? "a fifo"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

/* Returns true if the opened file lies in the folder. Otherwise stores the reason in c->why. For example, a symbolic
 * link may lead out of the folder. */
static bool is_inside_folder(struct capture_source *c, const char *path, const struct stat *opened)
{
	char *folder = realpath(c->dir, NULL), *file = folder ? realpath(path, NULL) : NULL;
	const size_t n = folder ? strlen(folder) : 0;
	struct stat now;
	bool inside = false;

	if (!file || stat(file, &now))
		snprintf(c->why, sizeof(c->why), "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
	else if (now.st_dev != opened->st_dev || now.st_ino != opened->st_ino || strncmp(file, folder, n) != 0 ||
		 (n > 1 && file[n] != '/'))
		snprintf(c->why, sizeof(c->why), "link to a file outside the folder; use --outside to allow such links");
	else
		inside = true;
	free(folder);
	free(file);
	return inside;
}

/* Opens a regular file. Opens it without blocking, because opening a fifo without a writer would block forever. */
static FILE *open_regular_file(struct capture_source *c, const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *file = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st)) {
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(c->why, sizeof(c->why), "it is %s, not a file", name_file_kind(st.st_mode));
	} else if (c->outside || is_inside_folder(c, path, &st)) {
		file = fdopen(fd, "rb");
		if (file)
			return file;
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	}
	close(fd);
	errno = EINVAL;
	return NULL;
}

static int open_source_file(void *ctx, const char *name, void **stream)
{
	struct capture_source *c = ctx;
	char *path = join_capture_path(c->dir, name, "");
	struct bounded_file *b = path ? malloc(sizeof(*b)) : NULL;
	int rc = -1;

	snprintf(c->name, sizeof(c->name), "%s", name);
	if (b) {
		*c->why = '\0';
		*b = (struct bounded_file){ .source = c, .file = open_regular_file(c, path), .left = c->file_max };
		rc = b->file ? 0 : errno == ENOENT || errno == ENOTDIR ? 1 : -1;
		if (rc < 0 && !*c->why)
			snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	} else {
		snprintf(c->why, sizeof(c->why), "out of memory");
	}
	if (rc)
		free(b);
	free(path);
	*stream = rc ? NULL : b;
	return rc;
}

static ptrdiff_t read_source_file(void *stream, void *buf, size_t size)
{
	struct bounded_file *b = stream;
	ptrdiff_t n;

	errno = 0;
	n = stream_read_bytes(b->file, buf, size);
	if (n < 0) {
		snprintf(b->source->why, sizeof(b->source->why), "%s", strerror(errno));
	} else if ((uint64_t)n > b->left) {
		snprintf(b->source->why, sizeof(b->source->why), "the file is larger than %llu MiB; raise --limit",
			 (unsigned long long)(b->source->file_max >> 20));
		n = -1;
	} else {
		b->left -= (uint64_t)n;
	}
	return n;
}

static void close_source_file(void *stream)
{
	struct bounded_file *b = stream;

	fclose(b->file);
	free(b);
}

static int set_list_error(struct capture_source *c, const char *dir)
{
	const int error = errno;

	snprintf(c->name, sizeof(c->name), "%s", dir);
	snprintf(c->why, sizeof(c->why), "%s", strerror(error));
	return error == ENOMEM ? FS_ENOMEM : FS_EIO;
}

static int list_source_folder(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	struct capture_source *c = ctx;
	char *path = join_capture_path(c->dir, dir, "");
	struct dirent *entry;
	int rc = 0;
	DIR *d = path ? opendir(path) : NULL;

	free(path);
	if (!d && path && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (!d)
		return set_list_error(c, dir);
	while (!rc && (errno = 0, entry = readdir(d)))
		rc = each(each_ctx, entry->d_name);
	if (!rc && errno)
		rc = set_list_error(c, dir);
	closedir(d);
	return rc;
}

/* Returns an fs_source that reads the folder `dir`. *c must live as long as the source. */
static struct fs_source make_folder_source(struct capture_source *c, const char *dir, uint64_t file_max, bool outside)
{
	*c = (struct capture_source){ .dir = dir, .shown_name = dir, .file_max = file_max, .outside = outside };
	return (struct fs_source){ c, dir, open_source_file, read_source_file, close_source_file, list_source_folder };
}

/* Reports the error. If the error is that a file could not be read, the message names the file and the reason. */
static int report_source_error(const struct invocation *inv, const struct capture_source *c, struct fs_error *err)
{
	if (err->code == FS_EIO && *c->why) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->file, sizeof(err->file), "%.160s/%s", c->shown_name, c->name);
		snprintf(err->message, sizeof(err->message), "%s", c->why);
	}
	return cmd_report_error(inv, err);
}

/* ---- importing captured files */

static bool check_is_folder(const struct invocation *inv, const char *dir)
{
	struct stat st;

	errno = 0;
	if (!stat(dir, &st) && S_ISDIR(st.st_mode))
		return true;
	cmd_print_message(inv, "%s: %s", dir, errno ? strerror(errno) : "the path is not a folder");
	return false;
}

/* Parses a time such as `1600000060` or `2020-09-13T12:27:40` (UTC). Returns 0 if the text is not a time (reported). */
static int64_t parse_capture_time(const struct invocation *inv, const char *s)
{
	struct tm tm = { 0 };
	char *end;
	const long long seconds = strtoll(s, &end, 10);

	if (end != s && !*end && seconds > 0)
		return seconds;
	end = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	if (end && (!*end || !strcmp(end, "Z")))
		return (int64_t)timegm(&tm);
	cmd_print_message(inv, "--at: expected seconds since 1970 or YYYY-MM-DDTHH:MM:SS (UTC), got \"%s\"", s);
	return 0;
}

/* Sets v to the UTC offsets of the time zone `zone`, and *n to the number of elements set. If `zone` is NULL, *n is 0.
 * Returns 0, or the exit status (reported). */
static int parse_zone_option(const struct invocation *inv, const char *zone, struct fs_utc_offset v[ZONE_OFFSETS],
			     size_t *n)
{
	*n = zone ? list_zone_offsets(zone, v) : 0;
	if (!zone || *n)
		return EXIT_DONE;
	cmd_print_message(inv, "--tz: unknown time zone '%s' (example: Europe/Berlin)", zone);
	return EXIT_USAGE;
}

int capture_read_folder(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
			const char *at, capture_import_fn *import, fs_snapshot **out)
{
	struct capture_source folder;
	const struct fs_source source = make_folder_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_utc_offset offsets[ZONE_OFFSETS];
	struct capture_folder from = { .source = &source, .offsets = offsets, .outside = bounds->outside };
	struct fs_error err;

	if (parse_zone_option(inv, bounds->zone, offsets, &from.noffsets))
		return EXIT_USAGE;
	if (at && !(from.time = parse_capture_time(inv, at)))
		return EXIT_USAGE;
	if (!check_is_folder(inv, dir))
		return EXIT_FAILED;
	return import(out, &from, &err) ? report_source_error(inv, &folder, &err) : 0;
}

int capture_read_scheduler(const struct invocation *inv, const char *scheduler, const char *dir,
			   const struct capture_bounds *bounds, fs_snapshot **out)
{
	struct capture_source folder;
	const struct fs_source source = make_folder_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_error err;

	if (!check_is_folder(inv, dir))
		return EXIT_FAILED;
	return fs_import_folder(out, scheduler, &source, &err) ? report_source_error(inv, &folder, &err) : 0;
}

/* Imports a single file that contains a tree of Flux banks and users. */
static int read_flux_tree(const struct invocation *inv, const char *file, fs_snapshot **out)
{
	FILE *stream = !strcmp(file, "-") ? stdin : fopen(file, "rb");
	struct fs_error err;
	int rc;

	if (!stream) {
		cmd_print_message(inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	rc = fs_import_flux_tree(out, stream_read_bytes, stream, stream == stdin ? "standard input" : file, &err);
	if (stream != stdin)
		fclose(stream);
	return rc ? cmd_report_error(inv, &err) : 0;
}

static void set_source_name(struct fs_source *source, struct capture_source *folder,
			    const struct capture_bounds *bounds)
{
	if (bounds->name)
		source->name = folder->shown_name = bounds->name;
}

int capture_read_flux(const struct invocation *inv, const char *path, const struct capture_bounds *bounds,
		      fs_snapshot **out)
{
	struct capture_source folder;
	struct fs_source source = make_folder_source(&folder, path, bounds->file_max, bounds->outside);
	struct fs_error err;
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return read_flux_tree(inv, path, out);
	set_source_name(&source, &folder, bounds);
	return fs_import_flux(out, &source, &err) ? report_source_error(inv, &folder, &err) : 0;
}

static int import_slurm_source(fs_snapshot **out, const struct fs_source *source, const struct fs_import_options *io,
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
	struct fs_source source = make_folder_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_utc_offset offsets[ZONE_OFFSETS];
	struct fs_import_options io = { 0 };
	FILE *exact = NULL;
	struct fs_error err;
	int rc;

	set_source_name(&source, &folder, bounds);
	if (!check_is_folder(inv, dir))
		return EXIT_FAILED;
	if (parse_zone_option(inv, bounds->zone, offsets, &io.noffsets))
		return EXIT_USAGE;
	io.offsets = offsets;
	if (exact_usage) {
		exact = fopen(exact_usage, "rb");
		if (!exact) {
			cmd_print_message(inv, "%s: %s", exact_usage, strerror(errno));
			return EXIT_FAILED;
		}
		io.exact_usage = stream_read_bytes;
		io.exact_usage_ctx = exact;
		io.exact_usage_name = exact_usage;
	}
	rc = import_slurm_source(out, &source, &io, &err);
	if (exact)
		fclose(exact);
	return rc ? report_source_error(inv, &folder, &err) : 0;
}

/* Imports a short capture of Slurm. Prints no messages. `asked`: the commands that this capture has run. Returns 0 or
 * an error code. */
static int import_short_capture(const char *dir, uint64_t file_max, enum fs_import_asked asked, fs_snapshot **out)
{
	const struct fs_import_options io = { .asked = asked };
	struct capture_source folder;
	const struct fs_source source = make_folder_source(&folder, dir, file_max, false);
	struct fs_error err;

	return import_slurm_source(out, &source, &io, &err) ? err.code : 0;
}

/* Returns the modification time of a regular file; the current time for a pipe. */
static int64_t get_stream_time(FILE *stream)
{
	struct stat st;

	return !fstat(fileno(stream), &st) && S_ISREG(st.st_mode) ? (int64_t)st.st_mtim.tv_sec : (int64_t)time(NULL);
}

/* The context of the callbacks of fs_import_text. */
struct text_notes {
	const struct invocation *inv;
	struct paste_gaps *gaps;
};

static void print_text_note(void *ctx, const char *sentence)
{
	const struct text_notes *n = ctx;

	cmd_print_message(n->inv, "%s", sentence);
}

static void add_unread_lines(void *ctx, const char *lines)
{
	struct paste_gaps *gaps = ((const struct text_notes *)ctx)->gaps;
	const size_t n = strlen(gaps->unread);

	if (n + strlen(lines) + 3 < sizeof(gaps->unread))
		snprintf(gaps->unread + n, sizeof(gaps->unread) - n, "%s%s", n ? ", " : "", lines);
}

static void set_next_paste(void *ctx, const char *command)
{
	struct paste_gaps *gaps = ((const struct text_notes *)ctx)->gaps;

	snprintf(gaps->next, sizeof(gaps->next), "%s", command);
}

int capture_read_text(const struct invocation *inv, const char *file, const char *at, struct paste_gaps *gaps,
		      fs_snapshot **out)
{
	const bool standard = !strcmp(file, "-");
	struct text_notes notes = { inv, gaps };
	struct fs_text_options o = { .note = print_text_note,
				     .note_ctx = &notes,
				     .unread = gaps ? add_unread_lines : NULL,
				     .next = gaps ? set_next_paste : NULL,
				     .assume_pending = gaps };
	FILE *stream;
	struct fs_error err;
	int rc;

	if (at && !(o.time = parse_capture_time(inv, at)))
		return EXIT_USAGE;
	stream = standard ? stdin : fopen(file, "rb");
	if (!stream) {
		cmd_print_message(inv, "%s: %s", file, strerror(errno));
		return EXIT_FAILED;
	}
	o.otherwise = get_stream_time(stream);
	rc = fs_import_text(out, stream_read_bytes, stream, standard ? "standard input" : file, &o, &err);
	if (!standard)
		fclose(stream);
	return rc ? cmd_report_error(inv, &err) : 0;
}

/* Returns the folder of cached captures, $XDG_RUNTIME_DIR; NULL if it is unset or other users can access the folder. */
static const char *get_cache_folder(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct stat st;

	if (!dir || *dir != '/' || stat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IRWXG | S_IRWXO)))
		return NULL;
	return dir;
}

static uint64_t mix_string_hash(uint64_t h, const char *s)
{
	const uint64_t both[] = { h, s ? fs_index_checksum(s, strlen(s)) : 0 };

	return fs_index_checksum(both, sizeof(both));
}

/* Returns the path of the cached capture. The file name depends on the environment variables that are passed to the
 * commands (capture/command.c), because they determine which cluster answers and for which user. */
static char *make_cache_path(const char *suffix)
{
	static const char *const decide[] = { "PATH", "SLURM_CONF", "FLUX_URI", "TZ", "USER", "HOME" };
	const char *dir = get_cache_folder();
	uint64_t hash = 0;
	char name[60];

	for (size_t i = 0; i < sizeof(decide) / sizeof(*decide); i++)
		hash = mix_string_hash(hash, getenv(decide[i]));
	snprintf(name, sizeof(name), "fs-tools-%016llx", (unsigned long long)mix_string_hash(hash, FS_VERSION));
	return dir ? join_capture_path(dir, name, suffix) : NULL;
}

static bool is_cache_file_valid(int fd, int *age_s)
{
	struct timespec now;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IRWXG | S_IRWXO)))
		return false;
	*age_s = (int)(now.tv_sec - st.st_mtim.tv_sec);
	return now.tv_sec >= st.st_mtim.tv_sec && now.tv_sec - st.st_mtim.tv_sec < CACHE_LIFETIME_S;
}

static fs_snapshot *read_cache_file(const char *suffix, int *age_s)
{
	char *path = make_cache_path(suffix);
	const int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	FILE *f = fd >= 0 && is_cache_file_valid(fd, age_s) ? fdopen(fd, "rb") : NULL;
	fs_snapshot *s = NULL;
	struct fs_error err;

	if (f && fs_snapshot_read(&s, stream_read_bytes, f, path, &err))
		s = NULL;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	free(path);
	return s;
}

/* Suffixes of the cached captures, indexed by enum capture_need. */
static const char *const cache_suffixes[] = { ".jsonl", ".shares.jsonl", ".tree.jsonl", ".priorities.jsonl" };

/* Returns the cached capture of the scheduler that a live capture would use, and sets *age_s to its age in seconds;
 * NULL if there is none. If both a full capture and a short capture for `need` are cached, returns the full capture. */
static fs_snapshot *read_cached_capture(enum capture_need need, int *age_s)
{
	fs_snapshot *s = read_cache_file(cache_suffixes[CAPTURE_ALL], age_s);

	if (!s && need == CAPTURE_SHARES)
		s = read_cache_file(cache_suffixes[CAPTURE_NO_JOBS], age_s);
	return s || need == CAPTURE_ALL ? s : read_cache_file(cache_suffixes[need], age_s);
}

static int write_cache_file(const fs_snapshot *s, int fd)
{
	FILE *f = fdopen(fd, "wb");
	struct fs_error err;
	int rc;

	if (!f) {
		close(fd);
		return -1;
	}
	rc = fs_snapshot_write(s, stream_write_bytes, f, &err);
	return fclose(f) || rc ? -1 : 0;
}

/* Caches the capture that was made for `need`. Ignores errors. */
static void cache_capture_snapshot(const fs_snapshot *s, enum capture_need need)
{
	char *path = make_cache_path(cache_suffixes[need]), *tmp = make_cache_path(".XXXXXX");
	const int fd = path && tmp ? mkstemp(tmp) : -1; /* mkstemp creates the file with mode 0600 */

	if (fd >= 0 && (write_cache_file(s, fd) || rename(tmp, path)))
		unlink(tmp);
	free(path);
	free(tmp);
}

/* ---- running a capture */

static const struct capture_tool capture_tools[] = {
	{ "slurm", "Slurm", "scontrol" },
	{ "flux", "Flux", "flux" },
};

/* Returns NULL if captured files may be stored in the open folder, else the reason why not. A user who owns the folder,
 * or may write to it, could replace the files. */
static const char *refuse_capture_folder(int fd)
{
	const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	struct stat st;
	const char *why = NULL;
	int n = 0;

	if (!d) {
		why = strerror(errno);
		if (copy >= 0)
			close(copy);
		return why;
	}
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (n)
		why = "--raw requires a new or empty folder";
	else if (fstat(fd, &st) || st.st_uid != geteuid() || (st.st_mode & S_IWOTH))
		why = "--raw requires a folder that belongs to you, and to which others cannot write";
	closedir(d);
	return why;
}

/* Opens the folder c->dir_name, and sets c->dir to a path that leads to the open folder. Whoever may rename the folder
 * cannot exchange it during the capture. Returns NULL, or the reason why the folder cannot be used. */
static const char *open_capture_folder(struct capture *c)
{
	char path[sizeof("/proc/self/fd/") + 12];
	const char *why;

	c->dir_fd = open(c->dir_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->dir_fd < 0)
		return strerror(errno);
	why = refuse_capture_folder(c->dir_fd);
	if (why)
		return why;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->dir_fd);
	c->dir = strdup(access(path, F_OK) ? c->dir_name : path); /* without /proc, only the name is left */
	return c->dir ? NULL : strerror(ENOMEM);
}

static int make_capture_folder(struct capture *c, const char *raw)
{
	const char *parent = getenv("TMPDIR"), *why;

	c->dir_fd = -1;
	c->dir_name = raw ? strdup(raw)
			  : join_capture_path(parent && *parent ? parent : "/tmp", "fs-capture", ".XXXXXX");
	if (!c->dir_name)
		return cmd_report_no_memory(c->inv);
	c->made_dir = raw ? !mkdir(c->dir_name, 0700) : mkdtemp(c->dir_name) != NULL;
	why = c->made_dir || (raw && errno == EEXIST) ? open_capture_folder(c) : strerror(errno);
	if (why) {
		cmd_print_message(c->inv, "%s: %s", c->dir_name, why);
		if (c->made_dir)
			rmdir(c->dir_name);
	}
	return why ? EXIT_FAILED : EXIT_DONE;
}

static void close_capture_folder(const struct capture *c)
{
	if (c->dir_fd >= 0)
		close(c->dir_fd);
	free(c->dir);
	free(c->dir_name);
}

static void remove_capture_folder(const struct capture *c)
{
	const struct fs_output *step;

	for (size_t i = 0; (step = get_step(c, i)); i++) {
		char *path = join_capture_path(c->dir, step->file, "");

		if (path)
			unlink(path);
		free(path);
	}
	if (c->made_dir)
		rmdir(c->dir_name);
}

static int import_capture_folder(const struct capture *c, bool files_stay, const char *exact_usage, fs_snapshot **out)
{
	const bool flux = !strcmp(c->tool->name, "flux");
	const struct capture_bounds bounds = { .name = files_stay ? c->dir_name : "capture", .file_max = c->limits.output };
	const int status = flux ? capture_read_flux(c->inv, c->dir, &bounds, out)
				: capture_read_slurm(c->inv, c->dir, &bounds, exact_usage, out);

	if (status && !files_stay)
		cmd_print_message(c->inv, "to keep the captured files, use fs-snap capture --raw DIR");
	return status;
}

int capture_run_import(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out)
{
	int status;

	capture_block_signals();
	status = make_capture_folder(&c, raw);
	if (!status) {
		const bool done = !run_capture_steps(&c);

		status = done ? import_capture_folder(&c, raw, exact_usage, out) : EXIT_FAILED;
		if (!done || !raw)
			remove_capture_folder(&c);
	}
	close_capture_folder(&c);
	capture_restore_signals();
	return status;
}

const struct capture_limits capture_usual_limits = { .timeout_s = 30, .output = 1ull << 30 };

const struct capture_tool *capture_find_tool(const char *name)
{
	for (size_t i = 0; i < sizeof(capture_tools) / sizeof(*capture_tools); i++) {
		char *path = name ? NULL : capture_find_program(capture_tools[i].program);
		const bool found = name ? !strcmp(name, capture_tools[i].name) : path != NULL;

		free(path);
		if (found)
			return &capture_tools[i];
	}
	return name ? NULL : &capture_tools[0];
}

/* Returns true if the configuration allows a short capture. A short capture for shares requires Fair Tree. Other
 * fair-share factors depend on the time of their last calculation. Only the ages of jobs show this time, and a short
 * capture for shares has no jobs. */
static bool may_capture_short(struct capture *c)
{
	fs_snapshot *s = NULL;
	const int code = import_short_capture(c->dir, c->limits.output, get_import_asked(c), &s);

	fs_snapshot_free(s);
	if (code == FS_EUSAGE)
		c->longer_need = CAPTURE_ALL;
	return !code;
}

enum short_outcome { SHORT_CAPTURED, SHORT_INSUFFICIENT, SHORT_UNREACHABLE };

/* Runs the few commands of a short capture. If anything fails, discards the short capture. Sets *otherwise to the value
 * of capture.need for the longer capture, which the caller makes after SHORT_INSUFFICIENT. Returns SHORT_UNREACHABLE
 * if no command succeeded. The caller then makes no other capture. */
static enum short_outcome run_short_capture(struct capture c, fs_snapshot **out, enum capture_need *otherwise)
{
	bool complete = true;

	c.longer_need = c.need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	c.silent = true;
	c.complete = &complete;
	c.may_be_short = may_capture_short;
	capture_block_signals();
	if (!make_capture_folder(&c, NULL)) {
		if (run_capture_steps(&c) || !complete ||
		    import_short_capture(c.dir, c.limits.output, get_import_asked(&c), out))
			*out = NULL;
		remove_capture_folder(&c);
	}
	close_capture_folder(&c);
	capture_restore_signals();
	*otherwise = c.longer_need;
	if (*out &&
	    (fs_snapshot_warnings(*out) || (c.need == CAPTURE_SHARES && !fs_snapshot_info(*out)->associations))) {
		fs_snapshot_free(*out);
		*out = NULL;
	}
	return *out ? SHORT_CAPTURED : c.outputs ? SHORT_INSUFFICIENT : SHORT_UNREACHABLE;
}

static int run_live_capture(struct capture *c, fs_snapshot **out)
{
	const bool brief = c->need >= CAPTURE_SHARES && !strcmp(c->tool->name, "slurm");
	enum capture_need need = c->need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	const enum short_outcome outcome = brief ? run_short_capture(*c, out, &need) : SHORT_INSUFFICIENT;

	if (outcome != SHORT_INSUFFICIENT)
		return outcome == SHORT_CAPTURED ? EXIT_DONE : EXIT_FAILED;
	if (c->need >= CAPTURE_SHARES)
		c->need = need;
	return capture_run_import(*c, NULL, NULL, out);
}

int capture_live_cluster(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out)
{
	bool complete = true;
	struct capture c = { .inv = inv,
			     .tool = capture_find_tool(NULL),
			     .limits = capture_usual_limits,
			     .live = true,
			     .need = need,
			     .complete = &complete };
	int age_s = 0, status;

	*out = fresh ? NULL : read_cached_capture(need, &age_s);
	if (*out) {
		if (isatty(STDERR_FILENO))
			cmd_print_message(inv, "using the snapshot captured %d s ago; --fresh captures a new one", age_s);
		return 0;
	}
	status = run_live_capture(&c, out);
	/* A snapshot with warnings is not cached, because the cache does not store the warnings. */
	if (!status && complete && !fs_snapshot_warnings(*out))
		cache_capture_snapshot(*out, c.need);
	return status;
}

bool capture_is_scheduler_installed(void)
{
	for (size_t i = 0; i < sizeof(capture_tools) / sizeof(*capture_tools); i++) {
		char *path = capture_find_program(capture_tools[i].program);
		const bool found = path != NULL;

		free(path);
		if (found)
			return true;
	}
	return false;
}
