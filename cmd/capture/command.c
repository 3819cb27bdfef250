#include "capture/command.h"

#include "render/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- orphans: processes that a command leaves behind in a session of their own. On Linux they become children of this
 * process and are killed. On other systems they are left alone. */

enum { STRAYS_KNOWN = 256 };

struct strays {
	int adopted_before;
	unsigned n;
	pid_t known[STRAYS_KNOWN]; /* children that existed before the commands */
};

/* ---- finding programs on PATH */

/* Returns true if the file can be executed and is not this program. If not, sets errno: ENOENT, or why it cannot be
 * examined. */
static bool is_program(const char *path)
{
	struct stat st, self;

	if (access(path, X_OK) || stat(path, &st)) {
		if (errno == ENOTDIR || errno == EACCES || errno == ELOOP || errno == ENAMETOOLONG)
			errno = ENOENT;
		return false;
	}
	if (S_ISREG(st.st_mode) &&
	    (stat("/proc/self/exe", &self) || st.st_dev != self.st_dev || st.st_ino != self.st_ino))
		return true;
	errno = ENOENT;
	return false;
}

char *capture_find(const char *program)
{
	const char *dir = getenv("PATH");
	int why = ENOENT;
	size_t len;

	for (dir = dir ? dir : "/usr/bin:/bin"; *dir; dir += len + (dir[len] == ':')) {
		char *path;

		len = strcspn(dir, ":");
		if (*dir != '/') /* relative entries are ignored, because they depend on the current directory */
			continue;
		path = malloc(len + strlen(program) + 2);
		if (!path)
			return NULL;
		memcpy(path, dir, len);
		path[len] = '/';
		strcpy(path + len + 1, program);
		if (is_program(path))
			return path;
		why = errno == ENOENT ? why : errno;
		free(path);
	}
	errno = why;
	return NULL;
}

/* ---- signals while commands run */

static const int watched[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGCHLD };
enum { WATCHED = sizeof(watched) / sizeof(*watched) };

static volatile sig_atomic_t caught;
static struct sigaction actions_before[WATCHED];
static sigset_t mask_before, mask_waiting;

static void note_signal(int sig)
{
	if (sig != SIGCHLD)
		caught = sig;
}

/* The signals are blocked except during pselect, so that none is missed. */
void capture_begin(void)
{
	struct sigaction note = { .sa_handler = note_signal };
	sigset_t block;

	caught = 0;
	sigemptyset(&note.sa_mask);
	sigemptyset(&block);
	for (size_t i = 0; i < WATCHED; i++)
		sigaddset(&block, watched[i]);
	sigprocmask(SIG_BLOCK, &block, &mask_before);
	mask_waiting = mask_before;
	for (size_t i = 0; i < WATCHED; i++) {
		sigaction(watched[i], NULL, &actions_before[i]);
		if (actions_before[i].sa_handler == SIG_IGN && watched[i] != SIGCHLD)
			continue;
		sigaction(watched[i], &note, NULL);
		sigdelset(&mask_waiting, watched[i]);
	}
}

void capture_end(void)
{
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &actions_before[i], NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
	if (caught)
		raise(caught);
}

static bool capture_caught(void)
{
	return caught != 0;
}

/* Returns the signal mask for pselect between capture_begin and capture_end. */
static const sigset_t *capture_waiting_mask(void)
{
	return &mask_waiting;
}

/* Restores the default action of all signals, in a child process. */
static void capture_usual_signals(void)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

#define _DEFAULT_SOURCE

#ifdef __linux__

/* Returns the parent of a process; 0 if unknown. It is the fourth field of /proc/PID/stat; the second, in parentheses,
 * may contain any character. */
static pid_t parent_of(const char *pid)
{
	char path[40], text[512];
	const char *end;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.12s/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : 0;
}

static bool childless(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
}

/* Lists the children of this process, at most max. Scanning all processes may take longer than the commands, so it is
 * done only if there are children. */
static unsigned children(pid_t *pid, unsigned max)
{
	const pid_t self = getpid();
	const struct dirent *e;
	unsigned n = 0;
	DIR *d = childless() ? NULL : opendir("/proc");

	while (d && n < max && (e = readdir(d)))
		if (*e->d_name >= '1' && *e->d_name <= '9' && parent_of(e->d_name) == self)
			pid[n++] = (pid_t)atoi(e->d_name);
	if (d)
		closedir(d);
	return n;
}

static void strays_begin(struct strays *s)
{
	*s = (struct strays){ 0 };
	prctl(PR_GET_CHILD_SUBREAPER, &s->adopted_before, 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	s->n = children(s->known, STRAYS_KNOWN);
}

static bool known(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Kills all children except the commands and those that strays_begin listed. The children of a killed orphan become
 * ours and are killed too, until there are none left or after 100 rounds, about a second. */
static void strays_end(struct strays *s, const pid_t *commands, size_t ncommands)
{
	const struct timespec tick = { 0, 10000000 };
	pid_t now[STRAYS_KNOWN];

	for (int round = 0; round < 100; round++) {
		const unsigned n = children(now, STRAYS_KNOWN);
		unsigned found = 0, left = 0;

		for (unsigned i = 0; i < n; i++) {
			if (known(s->known, s->n, now[i]) || known(commands, ncommands, now[i]))
				continue;
			found++;
			kill(now[i], SIGKILL);
			left += waitpid(now[i], NULL, WNOHANG) == 0;
		}
		if (!found)
			break;
		if (left)
			nanosleep(&tick, NULL);
	}
	prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)s->adopted_before, 0, 0, 0);
}

#else

static void strays_begin(struct strays *s)
{
	s->n = 0;
}

/* Does nothing on systems without /proc and child subreapers. */
static void strays_end(struct strays *s, const pid_t *commands, size_t n)
{
	(void)s;
	(void)commands;
	(void)n;
}

#endif

/* ---- running commands: without shell or input, with a clean environment, limited time and output */

extern char **environ;

static const uint64_t stderr_max = 64u << 20;

static const char *const kept[] = { "PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF", "FLUX_URI" };
enum { KEPT = sizeof(kept) / sizeof(*kept) };

/* Builds the environment of a command. Other variables may change formats (SQUEUE_FORMAT, SLURM_TIME_FORMAT) or the
 * cluster that answers (SLURM_CLUSTERS). FS_SNAPSHOT prevents another capture if the command is this program under
 * another name. */
static void clean_environment(char *env[KEPT + 4])
{
	static char locale[] = "LC_ALL=C", no_capture[] = "FS_SNAPSHOT=/dev/null", zone[] = "TZ=UTC";
	size_t n = 0;

	env[n++] = locale;
	env[n++] = no_capture;
	env[n++] = zone; /* local time is ambiguous during one hour of the year */
	for (size_t k = 0; k < KEPT; k++) {
		const size_t len = strlen(kept[k]);
		char **e = environ;

		while (e && *e && (strncmp(*e, kept[k], len) != 0 || (*e)[len] != '='))
			e++;
		if (e && *e)
			env[n++] = *e;
	}
	env[n] = NULL;
}

/* ---- a process */

enum ending { GOING, ENDED, TIMED_OUT, FLOODED, LOST, INTERRUPTED };

struct command_run {
	pid_t pid;
	enum ending how; /* GOING while it runs */
	int file;
	int out, err; /* read ends of the pipes; -1 after the end of the output */
	uint64_t out_bytes, out_max, err_bytes;
	struct timespec deadline;
	char line[200]; /* last line of standard error */
	size_t len;
	bool line_ended;
	int error; /* errno of a command that is LOST */
};

/* Creates a pipe whose ends are above 2, even if the caller has closed its standard streams, and are not inherited by
 * child processes. */
static int make_pipe(int end[2])
{
	int p[2], failed = 0;

	if (pipe(p))
		return -1;
	for (int i = 0; i < 2; i++) {
		end[i] = fcntl(p[i], F_DUPFD_CLOEXEC, 3);
		failed |= end[i] < 0 || end[i] >= FD_SETSIZE;
		close(p[i]);
	}
	if (failed) {
		for (int i = 0; i < 2; i++)
			if (end[i] >= 0)
				close(end[i]);
		errno = EMFILE;
		return -1;
	}
	return fcntl(end[0], F_SETFL, O_NONBLOCK);
}

static void run_child(const char *path, const char *const *argv, int out, int err)
{
	const int null = open("/dev/null", O_RDONLY);
	char *env[KEPT + 4];

	setsid();
	clean_environment(env);
	capture_usual_signals();
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0) {
		if (null > 2)
			close(null);
		execve(path, (char *const *)argv, env);
	}
	dprintf(err, "%s\n", strerror(errno));
	_exit(127);
}

static int start(struct command_run *r, const char *path, const char *const *argv)
{
	int out[2], err[2];

	if (make_pipe(out))
		return -1;
	if (make_pipe(err)) {
		close(out[0]);
		close(out[1]);
		return -1;
	}
	r->out = out[0];
	r->err = err[0];
	r->pid = fork();
	if (!r->pid)
		run_child(path, argv, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	return r->pid < 0 ? -1 : 0;
}

static void keep_line(struct command_run *r, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n') {
			r->line_ended = true;
			continue;
		}
		if (r->line_ended)
			r->len = 0;
		r->line_ended = false;
		if (r->len < sizeof(r->line) - 1)
			r->line[r->len++] = s[i];
	}
}

static int write_all(int fd, const char *s, size_t n)
{
	while (n) {
		const ssize_t k = write(fd, s, n);

		if (k < 0 && errno != EINTR)
			return -1;
		s += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return 0;
}

static enum ending lose(struct command_run *r)
{
	r->error = errno;
	return LOST;
}

/* Reads once from one of the two pipes. Sets *more if data was read or the read was interrupted. */
static enum ending pump(struct command_run *r, int *fd, bool *more)
{
	char buf[65536];
	const ssize_t n = *fd < 0 ? 0 : read(*fd, buf, sizeof(buf));

	*more = n > 0 || (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? GOING : lose(r);
	if (!n) {
		if (*fd >= 0)
			close(*fd);
		*fd = -1;
		return GOING;
	}
	if (fd == &r->err) {
		keep_line(r, buf, (size_t)n);
		r->err_bytes += (uint64_t)n;
		return r->err_bytes > stderr_max ? FLOODED : GOING;
	}
	r->out_bytes += (uint64_t)n;
	if (r->out_bytes > r->out_max)
		return FLOODED;
	return write_all(r->file, buf, (size_t)n) ? lose(r) : GOING;
}

/* Reads what the pipes still contain after the process has ended. */
static enum ending empty_pipes(struct command_run *r)
{
	enum ending e = GOING;
	bool more;

	do
		e = pump(r, &r->out, &more);
	while (more && e == GOING);
	while (e == GOING && (e = pump(r, &r->err, &more)) == GOING && more)
		;
	return e == GOING ? ENDED : e;
}

static bool has_ended(const struct command_run *r)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno != EINTR;
	return info.si_pid == r->pid;
}

/* Sets *left to the time left until the deadline. Returns false if it has passed. */
static bool time_left(const struct timespec *deadline, struct timespec *left)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left->tv_sec = deadline->tv_sec - now.tv_sec;
	left->tv_nsec = deadline->tv_nsec - now.tv_nsec;
	if (left->tv_nsec < 0) {
		left->tv_sec--;
		left->tv_nsec += 1000000000;
	}
	return left->tv_sec >= 0;
}

/* Updates the state of all commands and collects the pipes of those that still run. Sets *left to the time until the
 * earliest deadline. Returns false if none runs. */
static bool await(struct command_run *runs, size_t n, fd_set *set, int *last, struct timespec *left)
{
	bool any = false;

	FD_ZERO(set);
	*last = -1;
	for (struct command_run *r = runs; r < runs + n; r++) {
		struct timespec mine;

		if (r->how == GOING && has_ended(r))
			r->how = ENDED;
		if (r->how == GOING && !time_left(&r->deadline, &mine))
			r->how = TIMED_OUT;
		if (r->how != GOING)
			continue;
		if (!any || mine.tv_sec < left->tv_sec || (mine.tv_sec == left->tv_sec && mine.tv_nsec < left->tv_nsec))
			*left = mine;
		any = true;
		for (int i = 0; i < 2; i++) {
			const int fd = i ? r->err : r->out;

			if (fd >= 0)
				FD_SET(fd, set);
			*last = fd > *last ? fd : *last;
		}
	}
	return any;
}

static void pump_both(struct command_run *r, const fd_set *set)
{
	bool more;

	if (r->how == GOING && r->out >= 0 && FD_ISSET(r->out, set))
		r->how = pump(r, &r->out, &more);
	if (r->how == GOING && r->err >= 0 && FD_ISSET(r->err, set))
		r->how = pump(r, &r->err, &more);
}

static void follow(struct command_run *runs, size_t n)
{
	struct timespec left;
	fd_set set;
	int last;

	while (await(runs, n, &set, &last, &left)) {
		if (!capture_caught() && pselect(last + 1, &set, NULL, NULL, &left, capture_waiting_mask()) < 0)
			FD_ZERO(&set);
		for (struct command_run *r = runs; r < runs + n; r++) {
			if (capture_caught() && r->how == GOING)
				r->how = INTERRUPTED;
			pump_both(r, &set);
		}
	}
}

static bool is_reaped(pid_t pid, int *status)
{
	const pid_t found = waitpid(pid, status, WNOHANG);

	return found > 0 || (found < 0 && errno != EINTR);
}

/* Kills the process group and reaps its leader; returns the exit status. Until it is reaped, the leader's id cannot be
 * reused. After five seconds a leader that cannot die (stuck in the kernel) is left behind. */
static int finish(struct command_run *r)
{
	int status = 0;

	kill(-r->pid, SIGKILL);
	kill(r->pid, SIGKILL); /* it may not have called setsid yet */
	if (r->how == ENDED)
		r->how = empty_pipes(r);
	for (int i = 0; i < 50 && !is_reaped(r->pid, &status); i++) {
		const struct timespec tenth = { 0, 100000000 };

		pselect(0, NULL, NULL, NULL, &tenth, capture_waiting_mask());
	}
	if (r->out >= 0)
		close(r->out);
	if (r->err >= 0)
		close(r->err);
	return status;
}

static enum capture_result judge(struct command_run *r, int status, const struct capture_limits *limits, char *why,
				 size_t size)
{
	char said[sizeof(r->line) * 4];
	uint64_t max;

	r->line[r->len] = '\0';
	text_visible(said, sizeof(said), r->line);
	switch (r->how) {
	case INTERRUPTED:
		return CAPTURE_INTERRUPTED;
	case TIMED_OUT:
		snprintf(why, size, "no end after %u s, stopped", limits->timeout_s);
		return CAPTURE_FAILED;
	case FLOODED:
		max = r->err_bytes > stderr_max ? stderr_max : limits->output;
		snprintf(why, size, "more than %u MiB of output, stopped", (unsigned)(max >> 20));
		return CAPTURE_FAILED;
	case LOST:
		snprintf(why, size, "its output cannot be kept: %s", strerror(r->error));
		return CAPTURE_BROKEN;
	default:
		break;
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		snprintf(why, size, "%s", said);
		return CAPTURE_DONE;
	}
	snprintf(why, size, "%s %d%s%s", WIFEXITED(status) ? "exit status" : "ended by signal",
		 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), *said ? ": " : "", said);
	return WIFEXITED(status) ? CAPTURE_REFUSED : CAPTURE_FAILED;
}

/* Starts the command. Returns false if no process was started, and sets o->why and o->result. */
static bool begin(struct command_run *r, struct capture_order *o, const struct capture_limits *limits)
{
	char *path = capture_find(o->argv[0]);

	*r = (struct command_run){ .file = o->fd, .out_max = limits->output };
	if (!path || start(r, path, o->argv)) {
		const bool absent = !path && errno == ENOENT;

		snprintf(o->why, sizeof(o->why), "%s", absent ? "not found on PATH" : strerror(errno));
		o->result = absent ? CAPTURE_FAILED : CAPTURE_BROKEN;
		r->how = ENDED;
		r->pid = 0;
	} else {
		clock_gettime(CLOCK_MONOTONIC, &r->deadline);
		r->deadline.tv_sec += limits->timeout_s;
	}
	free(path);
	return r->pid != 0;
}

void capture_commands(struct capture_order *orders, size_t n, const struct capture_limits *limits)
{
	struct command_run runs[CAPTURE_AT_ONCE];
	pid_t pids[CAPTURE_AT_ONCE];
	struct strays strays;

	strays_begin(&strays);
	for (size_t i = 0; i < n; i++)
		pids[i] = begin(&runs[i], &orders[i], limits) ? runs[i].pid : -1;
	follow(runs, n);
	for (size_t i = 0; i < n; i++)
		if (pids[i] > 0) {
			const int status = finish(&runs[i]);

			orders[i].result = judge(&runs[i], status, limits, orders[i].why, sizeof(orders[i].why));
		}
	strays_end(&strays, pids, n);
}
