/* fs-snap capture: the outputs of the scheduler's commands as files, and the snapshot made of them. */
#include "capture.h"
#include "snap.h"

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

/* A scheduler that can be captured. */
struct tool {
	const char *name, *title, *program; /* program: that one without which there is nothing to ask */
	const struct capture_step *steps;
	const size_t *count;
};

static const struct tool tools[] = {
	{ "slurm", "Slurm", "scontrol", capture_slurm_steps, &capture_slurm_steps_count },
	{ "flux", "Flux", "flux", capture_flux_steps, &capture_flux_steps_count },
};

struct capture {
	const struct invocation *inv;
	const struct tool *tool;
	struct capture_limits limits;
	char *dir;
	bool made_dir;
	unsigned records_days; /* of past jobs; 0: none */
	bool live;        /* for a reading command: not worth it without the controller */
	unsigned version; /* FS_SLURM_VERSION, 0 unknown */
	size_t outputs;   /* of commands that worked */
};

static char *path_in(const char *dir, const char *file, const char *suffix)
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

/* One form of a step. sprio leaves out what it does not know and calls that a success. */
static enum capture_result ask_once(const struct capture *c, const char *const *argv, int fd,
				    char *why, size_t size)
{
	enum capture_result result;

	if (lseek(fd, 0, SEEK_SET) || ftruncate(fd, 0)) {
		snprintf(why, size, "%s", strerror(errno));
		return CAPTURE_FAILED;
	}
	result = capture_command(argv, fd, &c->limits, why, size);
	if (result == CAPTURE_DONE && strstr(why, "Invalid job format specification"))
		return CAPTURE_REFUSED;
	return result;
}

enum { WORDS = sizeof(((struct capture_step *)0)->argv[0]) / sizeof(const char *) };

/* The form with the first day of past jobs put in. */
static void fill_words(const char *const form[WORDS], const char *since, const char *argv[WORDS])
{
	for (size_t i = 0; i < WORDS; i++)
		argv[i] = form[i] && !strcmp(form[i], CAPTURE_SINCE) ? since : form[i];
}

static enum capture_result ask(const struct capture *c, const struct capture_step *step, int fd)
{
	const size_t first = c->version && c->version < step->since;
	enum capture_result result = CAPTURE_REFUSED;
	char why[400] = "", name[80] = "", since[40];
	const char *argv[WORDS];

	snprintf(since, sizeof(since), "now-%udays", c->records_days);
	for (size_t i = 0; i < 2 && result == CAPTURE_REFUSED; i++) {
		fill_words(step->argv[first ^ i], since, argv);
		if (argv[0])
			result = ask_once(c, argv, fd, why, sizeof(why));
	}
	if (result == CAPTURE_REFUSED || result == CAPTURE_FAILED) {
		name_command(step, name, sizeof(name));
		complain(c->inv, "warning: %s: %s", name, why);
	}
	return result;
}

static enum capture_result write_clock(int fd)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return dprintf(fd, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec) < 0 ? CAPTURE_FAILED
										   : CAPTURE_DONE;
}

static enum capture_result write_caller(int fd)
{
	const struct passwd *pw = getpwuid(geteuid());

	return pw && dprintf(fd, "%s\n", pw->pw_name) >= 0 ? CAPTURE_DONE : CAPTURE_FAILED;
}

/* What the configuration captured says of a name. */
static bool config_value(const struct capture *c, const char *name, char value[400])
{
	char *path = path_in(c->dir, c->tool->steps[0].file, ""), line[512], key[64];
	FILE *f = path ? fopen(path, "r") : NULL;
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%63s = %399[^\n]", key, value) == 2 && !strcmp(key, name);
	if (f)
		fclose(f);
	free(path);
	return found;
}

static unsigned read_version(const struct capture *c)
{
	char value[400];
	unsigned major, minor;

	if (!config_value(c, "SLURM_VERSION", value) ||
	    sscanf(value, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return FS_SLURM_VERSION(major, minor);
}

/* Its PriorityFlags alone, which some versions do not show as they are. */
static enum capture_result write_flags(const struct capture *c, int fd)
{
	static const char name[] = "PriorityFlags";
	char path[400], line[1024];
	FILE *f = config_value(c, "SLURM_CONF", path) ? fopen(path, "r") : NULL;
	enum capture_result result = CAPTURE_FAILED;

	while (f && fgets(line, sizeof(line), f))
		if (!strncasecmp(line, name, sizeof(name) - 1) && dprintf(fd, "%s", line) > 0)
			result = CAPTURE_DONE;
	if (f)
		fclose(f);
	return result;
}

static enum capture_result fill(struct capture *c, const struct capture_step *step, int fd)
{
	enum capture_result result;

	switch (step->kind) {
	case CAPTURE_CLOCK:
		return write_clock(fd);
	case CAPTURE_CALLER:
		return write_caller(fd);
	case CAPTURE_FLAGS:
		return write_flags(c, fd);
	default:
		result = ask(c, step, fd);
		c->outputs += result == CAPTURE_DONE;
		return result;
	}
}

/* The file of a step, whole or not at all. */
static enum capture_result take(struct capture *c, const struct capture_step *step)
{
	char *path = path_in(c->dir, step->file, ""), *tmp = path_in(c->dir, step->file, ".XXXXXX");
	const int fd = path && tmp ? mkstemp(tmp) : -1; /* mode 0600 */
	enum capture_result result = CAPTURE_FAILED;
	bool kept = false;

	if (fd >= 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		result = fill(c, step, fd);
		kept = !close(fd) && (result != CAPTURE_DONE || !rename(tmp, path));
	}
	if (!kept) {
		complain(c->inv, "warning: %s/%s: %s", c->dir, step->file, strerror(errno));
		result = CAPTURE_FAILED;
	}
	if (fd >= 0 && result != CAPTURE_DONE)
		unlink(tmp);
	free(path);
	free(tmp);
	return result;
}

static time_t uptime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* 0, 1 when interrupted, -1 when there is nothing (reported). */
static int take_all(struct capture *c)
{
	const time_t begun = uptime(), config_max_age_s = 300;

	for (size_t i = 0; i < *c->tool->count; i++) {
		const struct capture_step *step = &c->tool->steps[i];

		/* with the configuration's own clock it tells the zone: not too far apart */
		if (step->kind == CAPTURE_CLOCK && c->tool->steps[0].kind == CAPTURE_CONFIG &&
		    uptime() - begun > config_max_age_s)
			take(c, &c->tool->steps[0]);
		if (c->version < step->from || (step->kind == CAPTURE_RECORDS && !c->records_days))
			continue;
		if (take(c, step) == CAPTURE_INTERRUPTED)
			return 1;
		if (step->kind == CAPTURE_CONFIG)
			c->version = read_version(c);
		if (c->live && !c->outputs)
			break;
	}
	if (c->outputs)
		return 0;
	complain(c->inv,
		 c->live ? "no live capture, and no snapshot: give -f FILE, set FS_SNAPSHOT, "
			   "or try --demo"
			 : "none of %s's commands worked: there is nothing to capture", c->tool->title);
	return -1;
}

/* ---- the folder ---- */

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
		     : path_in(parent && *parent ? parent : "/tmp", "fs-capture", ".XXXXXX");
	if (!c->dir) {
		complain(c->inv, "out of memory");
		return EXIT_FAILED;
	}
	c->made_dir = raw ? !mkdir(c->dir, 0700) : mkdtemp(c->dir) != NULL;
	if (c->made_dir)
		return 0;
	there = raw && errno == EEXIST;
	if (there && is_empty(raw))
		return 0;
	complain(c->inv, "%s: %s", c->dir,
		 there ? "is there already, and not an empty folder" : strerror(errno));
	return EXIT_FAILED;
}

static void remove_folder(const struct capture *c)
{
	for (size_t i = 0; i < *c->tool->count; i++) {
		char *path = path_in(c->dir, c->tool->steps[i].file, "");

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
	const int status = flux ? snap_read_flux(c->inv, c->dir, out)
				: snap_read_folder(c->inv, c->dir, exact_usage, out);

	if (status && !kept)
		complain(c->inv, "fs-snap capture --raw DIR keeps the files for a closer look");
	return status;
}

static int capture(struct capture c, const char *raw, const char *exact_usage, fs_snapshot **out)
{
	int status;

	capture_begin();
	status = make_folder(&c, raw);
	if (!status) {
		const bool done = !take_all(&c);

		status = done ? import(&c, raw, exact_usage, out) : EXIT_FAILED;
		if (!done || !raw)
			remove_folder(&c);
	}
	free(c.dir);
	capture_end();
	return status;
}

/* ---- its two uses ---- */

static const struct capture_limits usual_limits = { .timeout_s = 30, .output = 1ull << 30 };

/* By name; else the first whose program is there, or at last Slurm. */
static const struct tool *find_tool(const char *name)
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

int capture_live(const struct invocation *inv, fs_snapshot **out)
{
	const struct capture c = { .inv = inv, .tool = find_tool(NULL), .limits = usual_limits, .live = true };

	return capture(c, NULL, NULL, out);
}

/* A whole number from 1 to max. */
static int parse_number(const struct invocation *inv, const char *option, const char *arg,
			unsigned max, unsigned *out)
{
	char rest;

	if (arg[0] != '-' && sscanf(arg, "%9u%c", out, &rest) == 1 && *out && *out <= max)
		return 0;
	complain(inv, "--%s: expected a number from 1 to %u, got \"%s\"", option, max, arg);
	return EXIT_USAGE;
}

static int parse_limits(const struct invocation *inv, const struct snap_options *o,
			struct capture_limits *limits, unsigned *days)
{
	unsigned mib = (unsigned)(limits->output >> 20);
	int status = 0;

	if (o->timeout)
		status = parse_number(inv, "timeout", o->timeout, 86400, &limits->timeout_s);
	if (!status && o->limit)
		status = parse_number(inv, "limit", o->limit, 1u << 20, &mib);
	if (!status && o->records)
		status = parse_number(inv, "records", o->records, 36500, days);
	limits->output = (uint64_t)mib << 20;
	return status;
}

/* A signal leaves no half-written file beside the output. */
static int write_snapshot(const struct invocation *inv, const fs_snapshot *s, const char *output)
{
	int status;

	if (!output)
		return snap_write(inv, s, NULL);
	capture_begin();
	status = snap_write(inv, s, output);
	capture_end();
	return status;
}

int snap_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct capture c = { .inv = inv, .limits = usual_limits };
	fs_snapshot *s = NULL;
	int status;

	c.tool = argc <= 1 ? find_tool(argc ? argv[0] : NULL) : NULL;
	if (!c.tool) {
		complain(inv, "capture: takes a scheduler at most, slurm or flux: capture [flux] [--raw DIR] [-o FILE]");
		return EXIT_USAGE;
	}
	status = parse_limits(inv, o, &c.limits, &c.records_days);
	if (!status)
		status = capture(c, o->raw, o->exact_usage, &s);
	if (!status)
		status = write_snapshot(inv, s, o->output);
	fs_snapshot_free(s);
	return status;
}
