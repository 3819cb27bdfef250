/* The outputs of the scheduler's commands, as files of a folder. */
#include "capture/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

char *capture_path(const char *dir, const char *file, const char *suffix)
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
	const size_t first = !fs_slurm_has(c->version, step->since);
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
	char *path = capture_path(c->dir, c->tool->steps[0].file, ""), line[512], key[64];
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

	return config_value(c, "SLURM_VERSION", value) ? fs_slurm_release(value) : 0;
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
	char *path = capture_path(c->dir, step->file, ""),
	     *tmp = capture_path(c->dir, step->file, ".XXXXXX");
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

/* What only some versions have is not asked of one that cannot be told. */
static bool wanted(const struct capture *c, const struct capture_step *step)
{
	if (step->from && (!c->version || !fs_slurm_has(c->version, step->from)))
		return false;
	return step->kind != CAPTURE_RECORDS || c->records_days;
}

int capture_outputs(struct capture *c)
{
	const time_t begun = uptime(), config_max_age_s = 300;

	for (size_t i = 0; i < *c->tool->count; i++) {
		const struct capture_step *step = &c->tool->steps[i];

		/* with the configuration's own clock it tells the zone: not too far apart */
		if (step->kind == CAPTURE_CLOCK && c->tool->steps[0].kind == CAPTURE_CONFIG &&
		    uptime() - begun > config_max_age_s)
			take(c, &c->tool->steps[0]);
		if (!wanted(c, step))
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
			 : "none of %s's commands worked: there is nothing to capture",
		 c->tool->title);
	return -1;
}
