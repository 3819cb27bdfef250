/* The outputs of the scheduler's commands, as files of a folder. */
#include "capture/outputs.h"
#include "capture/zone.h"

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
	return dprintf(fd, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec) < 0 ? CAPTURE_BROKEN
										   : CAPTURE_DONE;
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

static enum capture_result fill(const struct capture *c, const struct step_file *t)
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

static void open_file(const struct capture *c, struct step_file *t)
{
	t->path = capture_path(c->dir, t->step->file, "");
	t->tmp = capture_path(c->dir, t->step->file, ".XXXXXX");
	t->fd = t->path && t->tmp ? mkstemp(t->tmp) : -1; /* mode 0600 */
	if (t->fd >= 0)
		fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	t->result = t->fd < 0 ? CAPTURE_BROKEN : fill(c, t);
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
static void close_file(struct capture *c, struct step_file *t)
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
		open_file(c, &t[i]);
	}
	for (size_t form = 0; form < 2; form++)
		ask_form(c, t, n, form);
	for (size_t i = 0; i < n; i++) {
		close_file(c, &t[i]);
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

int capture_outputs(struct capture *c)
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
