#define _DEFAULT_SOURCE /* tm_gmtoff */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE /* timegm */
#define _XOPEN_SOURCE 700 /* strptime */
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

/* A folder of captured files as the importers read it: files alone, none of them endless or outside. */

struct capture_source {
	const char *dir, *shown; /* shown: its name in messages */
	uint64_t file_max; /* bytes of a file */
	bool outside;	   /* links may lead out of the folder */
	char name[80];	   /* of the file opened last */
	char why[120];	   /* it could not be read, "" if it could */
};

/* c must live as long as the source. */
struct fs_source capture_source(struct capture_source *c, const char *dir, uint64_t file_max, bool outside);

/* Zones of the machine's tz database as changes of the offset from UTC. */

enum { ZONE_OFFSETS = 512 };

/* The last live capture of this user, kept for half a minute: one command after another asks the scheduler once. */

enum { KEPT_S = 30 };

enum { DAY = 86400 };
static const time_t zone_from = (time_t)20 * 365 * DAY, upto = (time_t)90 * 366 * DAY;

static int32_t offset_at(time_t t)
{
	struct tm tm;

	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

/* When it changed in the day that ends at t. */
static time_t change_before(time_t t)
{
	time_t low = t - DAY;
	const int32_t before = offset_at(low);

	while (t - low > 1) {
		const time_t middle = low + (t - low) / 2;

		if (offset_at(middle) == before)
			low = middle;
		else
			t = middle;
	}
	return t;
}

static size_t scan(struct fs_utc_offset v[ZONE_OFFSETS])
{
	size_t n = 0;

	tzset();
	v[n++] = (struct fs_utc_offset){ zone_from, offset_at(zone_from) };
	for (time_t t = zone_from + DAY; t < upto && n < ZONE_OFFSETS; t += DAY)
		if (offset_at(t) != v[n - 1].offset_s)
			v[n++] = (struct fs_utc_offset){ change_before(t), offset_at(t) };
	return n;
}

/* Only names of the database are zones: glibc takes an unknown name for UTC, and a path could be any file. */
static bool is_zone(const char *name)
{
	static const char database[] = "/usr/share/zoneinfo/";
	char path[256];

	return *name && *name != '/' && *name != '.' && !strstr(name, "..") && strlen(name) < 200 &&
	       snprintf(path, sizeof(path), "%s%s", database, name) > 0 && !access(path, R_OK);
}

/* All changes of local time from 1990 to 2060, by rising time, in v; how many. name: as in the database, such as
 * Europe/Berlin; NULL: the caller's own zone. 0: there is no such zone. */
static size_t zone_offsets(const char *name, struct fs_utc_offset v[ZONE_OFFSETS])
{
	const char *env = getenv("TZ");
	char *before = env ? strdup(env) : NULL;
	size_t n = 0;

	if (env && !before)
		return 0;
	if (!name || (is_zone(name) && !setenv("TZ", name, 1)))
		n = scan(v);
	if (name && n && before)
		setenv("TZ", before, 1);
	else if (name && n)
		unsetenv("TZ");
	tzset();
	free(before);
	return n;
}

/* The outputs of the scheduler's commands, as files of a folder. */

/* DIR/FILESUFFIX, yours to free; NULL without memory. */
static char *capture_path(const char *dir, const char *file, const char *suffix)
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

/* ---- files ---- */

/* "scontrol show job": options and formats left out. */
static void name_command(const struct capture_step *step, char *buf, size_t size)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz_-";
	const char *const *argv = step->argv[0];
	size_t n = 0;

	for (size_t i = 0; argv[i]; i++)
		if (*argv[i] != '-' && !argv[i][strspn(argv[i], word)] && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", argv[i]);
}

enum { WORDS = sizeof(((struct capture_step *)0)->argv[0]) / sizeof(const char *) };

/* The form with the first day of past jobs put in. */
static void fill_words(const char *const form[WORDS], const char *since, const char *argv[WORDS])
{
	for (size_t i = 0; i < WORDS; i++)
		argv[i] = form[i] && !strcmp(form[i], CAPTURE_SINCE) ? since : form[i];
}

/* A step, and the file that it fills, which has another name until it is complete. */
struct step_file {
	const struct capture_step *step;
	char *path, *tmp;
	int fd;
	enum capture_result result;
	char why[CAPTURE_WHY];
};

static bool is_command(const struct capture_step *step)
{
	return step->kind == CAPTURE_OUTPUT || step->kind == CAPTURE_CONFIG || step->kind == CAPTURE_RECORDS;
}

/* Runs one form of all steps that are still refused, side by side. sprio leaves out columns that it does not know
 * and still exits with 0. */
static void ask_form(const struct capture *c, struct step_file *t, size_t n, size_t form)
{
	const char *argv[CAPTURE_AT_ONCE][WORDS];
	struct capture_order orders[CAPTURE_AT_ONCE];
	struct step_file *of[CAPTURE_AT_ONCE];
	char since[40];
	size_t asked = 0;

	snprintf(since, sizeof(since), "now-%udays", c->records_days);
	for (size_t i = 0; i < n; i++) {
		const size_t first = !fs_slurm_has(c->version, t[i].step->since);

		if (t[i].result != CAPTURE_REFUSED || !is_command(t[i].step))
			continue;
		fill_words(t[i].step->argv[first ^ form], since, argv[asked]);
		if (!argv[asked][0])
			continue;
		if (lseek(t[i].fd, 0, SEEK_SET) || ftruncate(t[i].fd, 0)) {
			snprintf(t[i].why, sizeof(t[i].why), "%s", strerror(errno));
			t[i].result = CAPTURE_BROKEN;
			continue;
		}
		orders[asked] = (struct capture_order){ .argv = argv[asked], .fd = t[i].fd };
		of[asked++] = &t[i];
	}
	capture_commands(orders, asked, &c->limits);
	for (size_t i = 0; i < asked; i++) {
		memcpy(of[i]->why, orders[i].why, sizeof(of[i]->why));
		of[i]->result = orders[i].result == CAPTURE_DONE &&
						strstr(orders[i].why, "Invalid job format specification")
					? CAPTURE_REFUSED
					: orders[i].result;
	}
}

static enum capture_result write_clock(int fd)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return dprintf(fd, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec) < 0 ? CAPTURE_BROKEN : CAPTURE_DONE;
}

static enum capture_result write_caller(int fd)
{
	const struct passwd *pw;

	do {
		errno = 0;
		pw = getpwuid(geteuid());
	} while (!pw && errno == EINTR);
	if (!pw) /* a number without a name, or no answer */
		return !errno || errno == ENOENT || errno == ESRCH || errno == EBADF || errno == EPERM
			       ? CAPTURE_FAILED
			       : CAPTURE_BROKEN;
	return dprintf(fd, "%s\n", pw->pw_name) >= 0 ? CAPTURE_DONE : CAPTURE_BROKEN;
}

static enum capture_result write_zone(int fd)
{
	struct fs_utc_offset v[ZONE_OFFSETS];
	const size_t n = zone_offsets(NULL, v);

	for (size_t i = 0; i < n; i++)
		if (dprintf(fd, "%lld %d\n", (long long)v[i].since, (int)v[i].offset_s) < 0)
			return CAPTURE_BROKEN;
	return n ? CAPTURE_DONE : CAPTURE_BROKEN;
}

/* A file that is not there, or that we may not read, is no failure of ours. */
static enum capture_result cannot_open(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? CAPTURE_FAILED : CAPTURE_BROKEN;
}

/* Finds the value of a name in the captured configuration; CAPTURE_FAILED if it is not there. */
static enum capture_result config_value(const struct capture *c, const char *name, char value[400])
{
	char *path = capture_path(c->dir, c->tool->steps[0].file, ""), line[512], key[64];
	FILE *f = path ? fopen(path, "r") : NULL;
	enum capture_result result = f ? CAPTURE_FAILED : cannot_open();

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

static enum capture_result read_version(struct capture *c)
{
	char value[400];
	const enum capture_result result = config_value(c, "SLURM_VERSION", value);

	c->version = result == CAPTURE_DONE ? fs_slurm_release(value) : 0;
	return result;
}

/* Its PriorityFlags alone, which some versions do not show as they are. */
static enum capture_result copy_flags(FILE *from, int to)
{
	static const char name[] = "PriorityFlags";
	enum capture_result result = CAPTURE_FAILED;
	char line[1024];

	while (result != CAPTURE_BROKEN && fgets(line, sizeof(line), from))
		if (!strncasecmp(line, name, sizeof(name) - 1))
			result = dprintf(to, "%s", line) > 0 ? CAPTURE_DONE : CAPTURE_BROKEN;
	return ferror(from) ? CAPTURE_BROKEN : result;
}

static enum capture_result write_flags(const struct capture *c, int fd)
{
	char path[400];
	enum capture_result result = config_value(c, "SLURM_CONF", path);
	FILE *f = result == CAPTURE_DONE ? fopen(path, "r") : NULL;

	if (result != CAPTURE_DONE)
		return result;
	result = f ? copy_flags(f, fd) : cannot_open();
	if (f)
		fclose(f);
	return result;
}

static enum capture_result outputs_fill(const struct capture *c, const struct step_file *t)
{
	switch (t->step->kind) {
	case CAPTURE_CLOCK:
		return write_clock(t->fd);
	case CAPTURE_CALLER:
		return write_caller(t->fd);
	case CAPTURE_ZONE:
		return write_zone(t->fd);
	case CAPTURE_FLAGS:
		return write_flags(c, t->fd);
	default:
		return CAPTURE_REFUSED; /* so far: nobody has been asked */
	}
}

static void outputs_open_file(const struct capture *c, struct step_file *t)
{
	t->path = capture_path(c->dir, t->step->file, "");
	t->tmp = capture_path(c->dir, t->step->file, ".XXXXXX");
	t->fd = t->path && t->tmp ? mkstemp(t->tmp) : -1; /* mode 0600 */
	if (t->fd >= 0)
		fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	t->result = t->fd < 0 ? CAPTURE_BROKEN : outputs_fill(c, t);
	if (t->result == CAPTURE_BROKEN)
		snprintf(t->why, sizeof(t->why), "%s", strerror(errno));
}

static void complain_of(const struct capture *c, const struct step_file *t)
{
	const bool failed = is_command(t->step) && (t->result == CAPTURE_REFUSED || t->result == CAPTURE_FAILED);
	char name[80] = "";

	if (c->complete && failed)
		*c->complete = false;
	if (c->silent && c->outputs)
		return;
	if (t->result == CAPTURE_BROKEN) {
		complain(c->inv, "%s/%s: %s", c->dir, t->step->file, t->why);
	} else if (failed) {
		name_command(t->step, name, sizeof(name));
		complain(c->inv, "warning: %s: %s", name, t->why);
	}
}

/* Gives the file its name if it is whole, and removes it if not. */
static void outputs_close_file(struct capture *c, struct step_file *t)
{
	if (t->fd >= 0 && (close(t->fd) || (t->result == CAPTURE_DONE && rename(t->tmp, t->path)))) {
		snprintf(t->why, sizeof(t->why), "%s", strerror(errno));
		t->result = CAPTURE_BROKEN;
	}
	complain_of(c, t);
	if (t->fd >= 0 && t->result != CAPTURE_DONE)
		unlink(t->tmp);
	c->outputs += is_command(t->step) && t->result == CAPTURE_DONE;
	free(t->path);
	free(t->tmp);
}

/* Some steps at the same time. CAPTURE_BROKEN and CAPTURE_INTERRUPTED end the capture. */
static enum capture_result take(struct capture *c, const struct capture_step *const *steps, size_t n)
{
	struct step_file t[CAPTURE_AT_ONCE];
	enum capture_result worst = CAPTURE_DONE;

	for (size_t i = 0; i < n; i++) {
		t[i] = (struct step_file){ .step = steps[i], .fd = -1 };
		outputs_open_file(c, &t[i]);
	}
	for (size_t form = 0; form < 2; form++)
		ask_form(c, t, n, form);
	for (size_t i = 0; i < n; i++) {
		outputs_close_file(c, &t[i]);
		worst = t[i].result > worst ? t[i].result : worst;
	}
	return worst;
}

static time_t uptime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* A step that only some versions have is left out if the version is not known. */
static bool wanted(const struct capture *c, const struct capture_step *step)
{
	if (step->from && (!c->version || !fs_slurm_has(c->version, step->from)))
		return false;
	if (step->of_jobs && c->need == CAPTURE_NO_JOBS)
		return false;
	if (c->need >= CAPTURE_SHARES && !(step->of & 1u << c->need))
		return false;
	return step->kind != CAPTURE_RECORDS || c->records_days;
}

/* The steps wanted from i on that go together; *next is the first behind them. */
static size_t together(const struct capture *c, size_t i, const struct capture_step *out[CAPTURE_AT_ONCE], size_t *next)
{
	size_t n = 0;

	do {
		if (wanted(c, &c->tool->steps[i]))
			out[n++] = &c->tool->steps[i];
		i++;
	} while (i < *c->tool->count && n < CAPTURE_AT_ONCE && c->tool->steps[i].with_last);
	*next = i;
	return n;
}

/* Fills c->dir step by step; what a command could not tell is warned of. 0; -1 when interrupted, when there is nothing,
 * or when something failed here, memory or the disk, so that what was said is lost (all but the first reported). To be
 * called between capture_begin and capture_end. */
static int capture_outputs(struct capture *c)
{
	const time_t begun = uptime(), config_max_age_s = 300;
	const struct capture_step *first = &c->tool->steps[0], *steps[CAPTURE_AT_ONCE];

	for (size_t i = 0, next; i < *c->tool->count; i = next) {
		const size_t n = together(c, i, steps, &next);

		/* with the configuration's own clock it tells the zone: not too far apart */
		if (c->tool->steps[i].kind == CAPTURE_CLOCK && first->kind == CAPTURE_CONFIG &&
		    uptime() - begun > config_max_age_s && take(c, &first, 1) >= CAPTURE_BROKEN)
			return -1;
		if (take(c, steps, n) >= CAPTURE_BROKEN)
			return -1;
		if (c->tool->steps[i].kind == CAPTURE_CONFIG && read_version(c) == CAPTURE_BROKEN) {
			complain(c->inv, "%s/%s: %s", c->dir, c->tool->steps[i].file, strerror(errno));
			return -1;
		}
		if (c->live && !c->outputs)
			break;
		if (c->tool->steps[i].kind == CAPTURE_CONFIG && c->suits && !c->suits(c))
			return -1;
	}
	if (c->outputs)
		return 0;
	complain(c->inv,
		 c->live ? "no live capture, and no snapshot: give -f FILE, set FS_SNAPSHOT, "
			   "or try --demo"
			 : "none of %s's commands worked: there is nothing to capture",
		 c->tool->title);
	return -1;
}

struct bounded {
	struct capture_source *of;
	FILE *file;
	uint64_t left;
};

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)   ? "a folder"
	       : S_ISFIFO(mode) ? "a fifo"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

/* Is what was opened under the name a file of the folder, and not one that a link leads to elsewhere? false: c->why. */
static bool stays_inside(struct capture_source *c, const char *path, const struct stat *opened)
{
	char *folder = realpath(c->dir, NULL), *file = folder ? realpath(path, NULL) : NULL;
	const size_t n = folder ? strlen(folder) : 0;
	struct stat now;
	bool inside = false;

	if (!file || stat(file, &now))
		snprintf(c->why, sizeof(c->why), "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
	else if (now.st_dev != opened->st_dev || now.st_ino != opened->st_ino || strncmp(file, folder, n) != 0 ||
		 (n > 1 && file[n] != '/'))
		snprintf(c->why, sizeof(c->why), "it is a link that leads out of the folder; --outside allows it");
	else
		inside = true;
	free(folder);
	free(file);
	return inside;
}

/* Opens without waiting: a fifo that nobody writes to would block for ever. */
static FILE *open_regular(struct capture_source *c, const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *file = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st)) {
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(c->why, sizeof(c->why), "it is %s, not a file", kind_of(st.st_mode));
	} else if (c->outside || stays_inside(c, path, &st)) {
		file = fdopen(fd, "rb");
		if (file)
			return file;
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	}
	close(fd);
	errno = EINVAL;
	return NULL;
}

static int source_open_file(void *ctx, const char *name, void **stream)
{
	struct capture_source *c = ctx;
	char *path = capture_path(c->dir, name, "");
	struct bounded *b = path ? malloc(sizeof(*b)) : NULL;
	int rc = -1;

	snprintf(c->name, sizeof(c->name), "%s", name);
	if (b) {
		*c->why = '\0';
		*b = (struct bounded){ .of = c, .file = open_regular(c, path), .left = c->file_max };
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

static ptrdiff_t read_file(void *stream, void *buf, size_t size)
{
	struct bounded *b = stream;
	ptrdiff_t n;

	errno = 0;
	n = stream_read(b->file, buf, size);
	if (n < 0) {
		snprintf(b->of->why, sizeof(b->of->why), "%s", strerror(errno));
	} else if ((uint64_t)n > b->left) {
		snprintf(b->of->why, sizeof(b->of->why), "more than %llu MiB; --limit allows more",
			 (unsigned long long)(b->of->file_max >> 20));
		n = -1;
	} else {
		b->left -= (uint64_t)n;
	}
	return n;
}

static void source_close_file(void *stream)
{
	struct bounded *b = stream;

	fclose(b->file);
	free(b);
}

static int cannot_list(struct capture_source *c, const char *dir)
{
	snprintf(c->name, sizeof(c->name), "%s", dir);
	snprintf(c->why, sizeof(c->why), "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
	return -1;
}

static int list_folder(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	struct capture_source *c = ctx;
	char *path = capture_path(c->dir, dir, "");
	struct dirent *entry;
	int rc = 0;
	DIR *d = path ? opendir(path) : NULL;

	free(path);
	if (!d && path && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (!d)
		return cannot_list(c, dir);
	while (!rc && (errno = 0, entry = readdir(d)))
		rc = each(each_ctx, entry->d_name);
	if (!rc && errno)
		rc = cannot_list(c, dir);
	closedir(d);
	return rc;
}

struct fs_source capture_source(struct capture_source *c, const char *dir, uint64_t file_max, bool outside)
{
	*c = (struct capture_source){ .dir = dir, .shown = dir, .file_max = file_max, .outside = outside };
	return (struct fs_source){ c, dir, source_open_file, read_file, source_close_file, list_folder };
}

/* As report, and where reading failed the reason is what became of the file. */
static int capture_source_report(const struct invocation *inv, const struct capture_source *c, struct fs_error *err)
{
	if (err->code == FS_EIO && *c->why) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->file, sizeof(err->file), "%.160s/%s", c->shown, c->name);
		snprintf(err->message, sizeof(err->message), "%s", c->why);
	}
	return report(inv, err);
}

/* Files that a scheduler's commands printed, or that it keeps itself, to a snapshot. */

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

int capture_read_folder(const struct invocation *inv, const char *dir, const struct capture_bounds *bounds,
			const char *at, capture_import_fn *import, fs_snapshot **out)
{
	struct capture_source folder;
	const struct fs_source source = capture_source(&folder, dir, bounds->file_max, bounds->outside);
	struct fs_utc_offset offsets[ZONE_OFFSETS];
	struct capture_folder from = { .source = &source, .offsets = offsets, .outside = bounds->outside };
	struct fs_error err;

	if (read_zone(inv, bounds->zone, offsets, &from.noffsets))
		return EXIT_USAGE;
	if (at && !(from.time = parse_time(inv, at)))
		return EXIT_USAGE;
	if (!is_folder(inv, dir))
		return EXIT_FAILED;
	return import(out, &from, &err) ? capture_source_report(inv, &folder, &err) : 0;
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
	rc = fs_import_flux_tree(out, stream_read, stream, stream == stdin ? "standard input" : file, &err);
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

/* A capture of this machine's Slurm likewise, and nothing is said of what went wrong: 0 or an error code. */
static int capture_read_asked(const char *dir, uint64_t file_max, enum fs_import_asked asked, fs_snapshot **out)
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

/* Nothing is kept unless the folder is the user's alone. */
static const char *kept_folder(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct stat st;

	if (!dir || *dir != '/' || stat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IRWXG | S_IRWXO)))
		return NULL;
	return dir;
}

static uint64_t mixed(uint64_t h, const char *s)
{
	const uint64_t both[] = { h, s ? fs_index_checksum(s, strlen(s)) : 0 };

	return fs_index_checksum(both, sizeof(both));
}

/* Which cluster answers, and as whom it is asked, depends on the environment that commands run in
 * (capture/command.c): so does the file's name. */
static char *path_of(const char *suffix)
{
	static const char *const decide[] = { "PATH", "SLURM_CONF", "FLUX_URI", "TZ", "USER", "HOME" };
	const char *dir = kept_folder();
	uint64_t whom = 0;
	char name[60];

	for (size_t i = 0; i < sizeof(decide) / sizeof(*decide); i++)
		whom = mixed(whom, getenv(decide[i]));
	snprintf(name, sizeof(name), "fs-tools-%016llx", (unsigned long long)mixed(whom, FS_VERSION));
	return dir ? capture_path(dir, name, suffix) : NULL;
}

static bool is_young(int fd, int *age_s)
{
	struct timespec now;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IRWXG | S_IRWXO)))
		return false;
	*age_s = (int)(now.tv_sec - st.st_mtim.tv_sec);
	return now.tv_sec >= st.st_mtim.tv_sec && now.tv_sec - st.st_mtim.tv_sec < KEPT_S;
}

static fs_snapshot *read_one(const char *suffix, int *age_s)
{
	char *path = path_of(suffix);
	const int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	FILE *f = fd >= 0 && is_young(fd, age_s) ? fdopen(fd, "rb") : NULL;
	fs_snapshot *s = NULL;
	struct fs_error err;

	if (f && fs_snapshot_read(&s, stream_read, f, path, &err))
		s = NULL;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	free(path);
	return s;
}

/* By enum capture_need. */
static const char *const suffixes[] = { ".jsonl", ".shares.jsonl", ".tree.jsonl", ".priorities.jsonl" };

/* The capture kept of the scheduler that would be asked now, and how old it is; NULL if there is none so young. Where
 * there is no whole one, one that was made for this will do. */
static fs_snapshot *kept_read(enum capture_need need, int *age_s)
{
	fs_snapshot *s = read_one(suffixes[CAPTURE_ALL], age_s);

	if (!s && need == CAPTURE_SHARES)
		s = read_one(suffixes[CAPTURE_NO_JOBS], age_s);
	return s || need == CAPTURE_ALL ? s : read_one(suffixes[need], age_s);
}

static int kept_fill(const fs_snapshot *s, int fd)
{
	FILE *f = fdopen(fd, "wb");
	struct fs_error err;
	int rc;

	if (!f) {
		close(fd);
		return -1;
	}
	rc = fs_snapshot_write(s, stream_write, f, &err);
	return fclose(f) || rc ? -1 : 0;
}

/* Keeps it as one that was made for this; where that cannot be done, nothing is kept. */
static void kept_write(const fs_snapshot *s, enum capture_need need)
{
	char *path = path_of(suffixes[need]), *tmp = path_of(".XXXXXX");
	const int fd = path && tmp ? mkstemp(tmp) : -1; /* mode 0600 */

	if (fd >= 0 && (kept_fill(s, fd) || rename(tmp, path)))
		unlink(tmp);
	free(path);
	free(tmp);
}

/* The files of a capture of Flux and the commands asked for them. */

/* `flux jobs` does not tell a job's GPUs, whole nodes and constraints, nor the day of its begin time; `flux job info`
 * takes one job at a time. Nothing else of a jobspec is kept, such as its command. A guest may ask for those of his own
 * jobs alone. What users nest deeper than a snapshot's reader goes is marked. */
static const char jobspecs[] =
	"import json\nimport os\nimport flux\nfrom flux.job import JobKVSLookup, JobList\n"
	"def depth(c):\n"
	"    parts = c.values() if isinstance(c, dict) else c if isinstance(c, list) else ()\n"
	"    return 1 + max((depth(p) for p in parts), default=0)\n"
	"h = flux.Flux()\n"
	"user = 'all' if os.getuid() == int(h.attr_get('security.owner')) else str(os.getuid())\n"
	"jobs = JobList(h, filters=['active'], user=user, max_entries=10000000).jobs()\n"
	"out = []\n"
	"for j in JobKVSLookup(h, [j.id for j in jobs], ['jobspec']).data():\n"
	"    system = j['jobspec'].get('attributes', {}).get('system', {})\n"
	"    begins = [d for d in system.get('dependencies', []) if d.get('scheme') == 'begin-time']\n"
	"    asked = {'id': int(j['id']), 'resources': j['jobspec']['resources'], 'constraints': system.get('constraints'), 'dependencies': begins}\n"
	"    out.append({k: v if depth(v) < 13 else 'too deep' for k, v in asked.items()})\n"
	"print(json.dumps({'jobspecs': out}))\n";

/* For each association, the job that was submitted last among the jobs that have ended. The script reads the latest
 * 20,000 ended jobs, however many the site keeps. It leaves out jobs that were submitted before the first broker began:
 * the priority plugin does not know them. Guests may run it as well. */
static const char ended[] =
	"import json\nimport pwd\nimport flux\nimport flux.constants as c\nfrom flux.job.list import job_list\n"
	"most = 20000\n"
	"h = flux.Flux()\n"
	"def name(uid):\n"
	"    try:\n"
	"        return pwd.getpwuid(uid).pw_name\n"
	"    except KeyError:\n"
	"        return str(uid)\n"
	"attrs = ['userid', 'bank', 'queue', 't_submit', 't_inactive']\n"
	"jobs = job_list(h, most, attrs, c.FLUX_USERID_UNKNOWN, c.FLUX_JOB_STATE_INACTIVE).get_jobs()\n"
	"begun = min(j['t_inactive'] for j in jobs) if len(jobs) >= most else 0\n"
	"try:\n"
	"    begun = max(begun, float(h.rpc('attr.get', {'name': 'broker.starttime'}, nodeid=0).get()['value']))\n"
	"except OSError:\n"
	"    pass\n"
	"last = {}\n"
	"for j in sorted(jobs, key=lambda j: j['id']):\n"
	"    last[j['userid'], j.get('bank')] = j\n"
	"keep = ('id', 'userid', 'bank', 'queue', 't_submit')\n"
	"out = [dict({k: j[k] for k in keep if k in j}, username=name(j['userid'])) for j in last.values()]\n"
	"print(json.dumps({'from': begun, 'jobs': out}))\n";

/* Of each association the queue's priority that the priority plugin holds for all its jobs. The owner of the instance
 * alone may ask. */
static const char plugin[] =
	"import json\nimport flux\n"
	"try:\n"
	"    users = flux.Flux().rpc('job-manager.jobtap-query', {'name': 'mf_priority.so'}).get().get('mf_priority_map', [])\n"
	"except OSError:\n"
	"    users = []\n"
	"keep = ('bank_name', 'queue_factor')\n"
	"out = [{'userid': u['userid'], 'banks': [{k: b[k] for k in keep if k in b} for b in u['banks']]} for u in users]\n"
	"print(json.dumps({'mf_priority_map': out}))\n";

/* Accounting first, close together: view-bank tells the order of banks and the inactive ones, the lists the rest. Then
 * the clock, and the jobs of all users. */
static const struct capture_step capture_flux_steps[] = {
	{ .file = "flux_version.txt", .argv = { { "flux", "version" } } },
	{ .file = "list-factors_--json.json",
	  .argv = { { "flux", "account", "list-factors", "--json" } } },
	{ .file = "list-queues.txt", .with_last = true, .argv = { { "flux", "account", "list-queues" } } },
	{ .file = "list-configs.txt", .with_last = true, .argv = { { "flux", "account", "list-configs" } } },
	{ .file = "flux_queue_status.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "queue", "status" } } },
	{ .file = "flux_config_get.json", .argv = { { "flux", "config", "get" } } },
	{ .file = "flux_module_list.txt", .with_last = true, .argv = { { "flux", "module", "list" } } },
	{ .file = "flux_resource_R.json", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "R" } } },
	{ .file = "flux_resource_list.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "list" } } },
	{ .file = "flux_resource_status.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "status" } } },
	{ .file = "view-bank_root_-t_-P.txt", .with_last = true,
	  .argv = { { "flux", "account", "view-bank", "root", "-t", "-P" } } },
	{ .file = "list-banks_--json.json", .with_last = true,
	  .argv = { { "flux", "account", "list-banks", "--inactive", "--json" },
		    { "flux", "account", "list-banks", "--json" } } },
	{ .file = "list-users_--json.json", .with_last = true,
	  .argv = { { "flux", "account", "list-users", "--json" },
		    { "flux", "account", "list-users", "-j" } } },
	{ .file = "date_begin", .kind = CAPTURE_CLOCK },
	{ .file = "flux-jobs_-A_--json.json", /* it stops at 1000 by itself */
	  .argv = { { "flux", "jobs", "-A", "--json", "--count=10000000" },
		    { "flux", "jobs", "-a", "--json" } } },
	{ .file = "flux_jobs_ended.json", .of_jobs = true, .argv = { { "flux", "python", "-c", ended } } },
	{ .file = "flux_jobtap_query.json", .of_jobs = true, .argv = { { "flux", "python", "-c", plugin } } },
	{ .file = "flux_jobspecs.json", .of_jobs = true, .argv = { { "flux", "python", "-c", jobspecs } } },
	{ .file = "caller", .kind = CAPTURE_CALLER },
};
static const size_t capture_flux_steps_count = sizeof(capture_flux_steps) / sizeof(*capture_flux_steps);

/* The files of a capture of Slurm, the commands asked for them. */

#define ASSOC(version_fields, rest)                                                                \
	"format=Cluster,Account,User,Partition,ID,ParentName," version_fields                      \
	",Fairshare,Priority,GrpJobs,GrpJobsAccrue,GrpSubmitJobs,GrpTRES,GrpTRESMins,"             \
	"GrpTRESRunMins,GrpWall,MaxJobs,MaxJobsAccrue,MaxSubmitJobs,MaxTRES,MaxTRESPerNode,"       \
	"MaxTRESMins,MaxWall,QOS,QosRaw,DefaultQOS" rest

static const char assoc_new[] = ASSOC("Lineage", ",Flags,Comment");
static const char assoc_old[] = ASSOC("ParentID,LFT,RGT", "");

static const char qos[] =
	"format=Name,ID,Priority,GraceTime,Preempt,PreemptMode,PreemptExemptTime,Flags,UsageThres,"
	"UsageFactor,LimitFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpJobsAccrue,"
	"GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,"
	"MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,MaxJobsPA,MaxJobsAccruePA,MaxSubmitPA,MinTRES,"
	"MaxTRESRunMinsPU,MaxTRESRunMinsPA,"
	"MinPrioThreshold,Description";

static const char squeue[] =
	"JobID:20,JobArrayID:24,ArrayTaskID:20,Name:24,UserName:32,UserID:10,GroupName:12,"
	"Account:36,Partition:30,QOS:24,State:14,StateCompact:4,Reason:32,PriorityLong:14,"
	"Priority:18,Nice:14,NumCPUs:10,NumNodes:8,MaxNodes:8,NumTasks:8,MinCPUs:8,cpus-per-task:14,"
	"MinMemory:14,tres:60,tres-alloc:60,TimeLimit:16,TimeUsed:14,TimeLeft:14,SubmitTime:22,"
	"EligibleTime:22,AccrueTime:22,StartTime:22,EndTime:22,PendingTime:14,LastSchedEval:22,"
	"PreemptTime:22,Dependency:30,Reservation:20,Feature:16,NodeList:20,ReqNodes:16,"
	"SchedNodes:16,OverSubscribe:16,AssocID:10,RestartCnt:10,Command:20,WorkDir:12,"
	"Comment:20,admin_comment:24";

static const char sacct[] = "JobIDRaw,User,Account,AssocID,Partition,QOS,State,Start,End,AllocTRES,Submit,Eligible";

static const char sprio_new[] =
	"%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";
static const char sprio_old[] = "%i|%r|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t";

/* The configuration first: its version decides the forms. Then the accounting database, slow and
 * seldom changed, and before usage: an association made in between then only counts into its
 * parent, while one listed without usage would leave all usage unknown. Then what must be of one
 * calculation: usage and shares at the same time, then jobs, priorities and the machine. The clock is that
 * of the jobs, or those just submitted would not be eligible yet. */
static const struct capture_step capture_slurm_steps[] = {
	{ .file = "scontrol_config.txt",
	  .kind = CAPTURE_CONFIG,
	  .of = OF_SHARES | OF_PRIORITIES,
	  .argv = { { "scontrol", "show", "config" } } },
	{ .file = "sacctmgr_tres.txt", .argv = { { "sacctmgr", "-P", "show", "tres" } } },
	{ .file = "sacctmgr_qos_all.txt",
	  .with_last = true,
	  .argv = { { "sacctmgr", "-P", "show", "qos", qos },
		    { "sacctmgr", "-P", "show", "qos" } } },
	{ .file = "sacctmgr_user.txt",
	  .with_last = true,
	  .argv = { { "sacctmgr", "-P", "show", "user", "withcoord" } } },
	{ .file = "sacctmgr_assoc.txt",
	  .with_last = true,
	  .since = FS_SLURM_LINEAGE,
	  .argv = { { "sacctmgr", "-P", "show", "assoc", assoc_new },
		    { "sacctmgr", "-P", "show", "assoc", assoc_old } } },
	{ .file = "scontrol_assoc_mgr_o.txt",
	  .of = OF_SHARES,
	  .argv = { { "scontrol", "-o", "show", "assoc_mgr" } } },
	{ .file = "sshare.txt",
	  .of = OF_SHARES,
	  .with_last = true, .argv = { { "sshare", "-a", "-l", "-P" } } },
	{ .file = "sshare_a.json",
	  .of = OF_SHARES,
	  .with_last = true, /* the same numbers in full precision */
	  .from = FS_SLURM_SSHARE_JSON,
	  .argv = { { "sshare", "-a", "--json" } } },
	{ .file = "date_begin", .kind = CAPTURE_CLOCK, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "scontrol_job_o.txt",
	  .of_jobs = true, .argv = { { "scontrol", "-o", "show", "job" } } },
	{ .file = "sprio.txt",
	  .of_jobs = true,
	  .of = OF_PRIORITIES,
	  .with_last = true,
	  .since = FS_SLURM_SPRIO_NAMES,
	  .argv = { { "sprio", "-h", "-o", sprio_new }, { "sprio", "-h", "-o", sprio_old } } },
	{ .file = "squeue_O.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "squeue", "-a", "-O", squeue } } },
	{ .file = "scontrol_job_d.txt",
	  .of_jobs = true,
	  .with_last = true, /* the CPUs on each node, and the SLUID, which stand nowhere else */
	  .argv = { { "scontrol", "-d", "show", "job" } } },
	{ .file = "scontrol_partition_o.txt",
	  .of_jobs = true,
	  .with_last = true,
	  .argv = { { "scontrol", "-o", "show", "partition" } } },
	{ .file = "scontrol_node_o.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "scontrol", "-o", "show", "node" } } },
	{ .file = "scontrol_topology.txt",
	  .with_last = true, .argv = { { "scontrol", "show", "topology" } } },
	{ .file = "scontrol_reservation.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "scontrol", "show", "reservation" } } },
	{ .file = "sacct.txt",
	  .with_last = true,
	  .kind = CAPTURE_RECORDS,
	  .argv = { { "sacct", "-a", "-D", "-X", "-P", "-S", CAPTURE_SINCE, "-o", sacct } } },
	{ .file = "sdiag.txt",
	  .of_jobs = true,
	  .with_last = true, .argv = { { "sdiag" } } },
	{ .file = "slurm.conf", .kind = CAPTURE_FLAGS, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "caller", .kind = CAPTURE_CALLER, .of = OF_SHARES | OF_PRIORITIES },
	{ .file = "zone", .kind = CAPTURE_ZONE, .of = OF_SHARES | OF_PRIORITIES },
};
static const size_t capture_slurm_steps_count = sizeof(capture_slurm_steps) / sizeof(*capture_slurm_steps);

/* A capture: a folder, the outputs in it, and the snapshot made of them. */

static const struct capture_tool tools[] = {
	{ "slurm", "Slurm", "scontrol", capture_slurm_steps, &capture_slurm_steps_count },
	{ "flux", "Flux", "flux", capture_flux_steps, &capture_flux_steps_count },
};

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return d && !n;
}

static int make_folder(struct capture *c, const char *raw)
{
	const char *parent = getenv("TMPDIR");
	bool there;

	c->dir = raw ? strdup(raw)
		     : capture_path(parent && *parent ? parent : "/tmp", "fs-capture", ".XXXXXX");
	if (!c->dir)
		return no_memory(c->inv);
	c->made_dir = raw ? !mkdir(c->dir, 0700) : mkdtemp(c->dir) != NULL;
	if (c->made_dir)
		return 0;
	there = raw && errno == EEXIST;
	if (there && is_empty(raw))
		return 0;
	complain(c->inv, "%s: %s", c->dir, there ? "is there already, and not an empty folder" : strerror(errno));
	return EXIT_FAILED;
}

static void remove_folder(const struct capture *c)
{
	for (size_t i = 0; i < *c->tool->count; i++) {
		char *path = capture_path(c->dir, c->tool->steps[i].file, "");

		if (path)
			unlink(path);
		free(path);
	}
	if (c->made_dir)
		rmdir(c->dir);
}

static int import(const struct capture *c, bool kept, const char *exact_usage, fs_snapshot **out)
{
	const bool flux = !strcmp(c->tool->name, "flux");
	const struct capture_bounds bounds = { .name = kept ? NULL : "capture", .file_max = c->limits.output };
	const int status = flux ? capture_read_flux(c->inv, c->dir, &bounds, out)
				: capture_read_slurm(c->inv, c->dir, &bounds, exact_usage, out);

	if (status && !kept)
		complain(c->inv, "fs-snap capture --raw DIR keeps the files for a closer look");
	return status;
}

int capture_run(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out)
{
	int status;

	capture_begin();
	status = make_folder(&c, raw);
	if (!status) {
		const bool done = !capture_outputs(&c);

		status = done ? import(&c, raw, exact_usage, out) : EXIT_FAILED;
		if (!done || !raw)
			remove_folder(&c);
	}
	free(c.dir);
	capture_end();
	return status;
}

const struct capture_limits capture_usual_limits = { .timeout_s = 30, .output = 1ull << 30 };

const struct capture_tool *capture_tool(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		char *path = name ? NULL : capture_find(tools[i].program);
		const bool found = name ? !strcmp(name, tools[i].name) : path != NULL;

		free(path);
		if (found)
			return &tools[i];
	}
	return name ? NULL : &tools[0];
}

static enum fs_import_asked asked_by(const struct capture *c)
{
	return c->need == CAPTURE_SHARES ? FS_IMPORT_SHARES : FS_IMPORT_PRIORITIES;
}

/* Without Fair Tree factors depend on when they were computed last, which only the ages of jobs tell. */
static bool suits(struct capture *c)
{
	fs_snapshot *s = NULL;
	const int code = capture_read_asked(c->dir, c->limits.output, asked_by(c), &s);

	fs_snapshot_free(s);
	if (code == FS_EUSAGE)
		c->otherwise = CAPTURE_ALL;
	return !code;
}

enum outcome { TAKEN, TOO_LITTLE, NOBODY_THERE };

/* Asks a few commands instead of all. If anything is odd the whole capture is made, which complains of it. */
static enum outcome run_short(struct capture c, fs_snapshot **out, enum capture_need *otherwise)
{
	bool complete = true;

	c.otherwise = c.need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	c.silent = true;
	c.complete = &complete;
	c.suits = suits;
	capture_begin();
	if (!make_folder(&c, NULL)) {
		if (capture_outputs(&c) || !complete || capture_read_asked(c.dir, c.limits.output, asked_by(&c), out))
			*out = NULL;
		remove_folder(&c);
	}
	free(c.dir);
	capture_end();
	*otherwise = c.otherwise;
	if (*out &&
	    (fs_snapshot_warnings(*out) || (c.need == CAPTURE_SHARES && !fs_snapshot_info(*out)->associations))) {
		fs_snapshot_free(*out);
		*out = NULL;
	}
	return *out ? TAKEN : c.outputs ? TOO_LITTLE : NOBODY_THERE;
}

static int run_live(struct capture *c, fs_snapshot **out)
{
	const bool brief = c->need >= CAPTURE_SHARES && !strcmp(c->tool->name, "slurm");
	enum capture_need need = c->need == CAPTURE_SHARES ? CAPTURE_NO_JOBS : CAPTURE_ALL;
	const enum outcome outcome = brief ? run_short(*c, out, &need) : TOO_LITTLE;

	if (outcome != TOO_LITTLE)
		return outcome == TAKEN ? EXIT_DONE : EXIT_FAILED;
	if (c->need >= CAPTURE_SHARES)
		c->need = need;
	return capture_run(*c, NULL, NULL, out);
}

int capture_live(const struct invocation *inv, bool fresh, enum capture_need need, fs_snapshot **out)
{
	bool complete = true;
	struct capture c = { .inv = inv,
			     .tool = capture_tool(NULL),
			     .limits = capture_usual_limits,
			     .live = true,
			     .need = need,
			     .complete = &complete };
	int age_s = 0, status;

	*out = fresh ? NULL : kept_read(need, &age_s);
	if (*out) {
		if (isatty(STDERR_FILENO))
			complain(inv, "captured %d s ago; --fresh asks the scheduler again", age_s);
		return 0;
	}
	status = run_live(&c, out);
	if (!status && complete && !fs_snapshot_warnings(*out)) /* a warning holds for this capture alone */
		kept_write(*out, c.need);
	return status;
}

bool capture_possible(void)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		char *path = capture_find(tools[i].program);
		const bool found = path != NULL;

		free(path);
		if (found)
			return true;
	}
	return false;
}
