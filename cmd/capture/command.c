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

/* ---- orphans: processes that a command leaves behind in a session of their own. On Linux orphans become children of
 * this process and are killed. On other systems orphans keep running. */

enum { MAX_KNOWN_CHILDREN = 256 };

struct orphan_state {
	int was_subreaper;
	unsigned n;
	/* children of this process that existed before the commands were started */
	pid_t earlier_children[MAX_KNOWN_CHILDREN];
};

/* ---- finding programs on PATH */

/* Returns true if the file is a program, can be executed, and is not this program. Otherwise sets errno: to ENOENT, or
 * to the reason why the file cannot be examined. */
static bool is_other_program(const char *path)
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

char *capture_find_program(const char *program)
{
	const char *dir = getenv("PATH");
	int why = ENOENT;
	size_t len;

	for (dir = dir ? dir : "/usr/bin:/bin"; *dir; dir += len + (dir[len] == ':')) {
		char *path;

		len = strcspn(dir, ":");
		if (*dir != '/') /* relative folders on PATH are ignored: they depend on the current directory */
			continue;
		path = malloc(len + strlen(program) + 2);
		if (!path)
			return NULL;
		memcpy(path, dir, len);
		path[len] = '/';
		strcpy(path + len + 1, program);
		if (is_other_program(path))
			return path;
		why = errno == ENOENT ? why : errno;
		free(path);
	}
	errno = why;
	return NULL;
}

/* ---- signals while commands run */

static const int watched_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGCHLD };
enum { WATCHED_SIGNALS = sizeof(watched_signals) / sizeof(*watched_signals) };

static volatile sig_atomic_t caught_signal;
static struct sigaction actions_before[WATCHED_SIGNALS];
static sigset_t mask_before, mask_waiting;

static void note_caught_signal(int sig)
{
	if (sig != SIGCHLD)
		caught_signal = sig;
}

/* The signals are blocked except during pselect, so that no signal is missed. */
void capture_block_signals(void)
{
	struct sigaction note = { .sa_handler = note_caught_signal };
	sigset_t block;

	caught_signal = 0;
	sigemptyset(&note.sa_mask);
	sigemptyset(&block);
	for (size_t i = 0; i < WATCHED_SIGNALS; i++)
		sigaddset(&block, watched_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &mask_before);
	mask_waiting = mask_before;
	for (size_t i = 0; i < WATCHED_SIGNALS; i++) {
		sigaction(watched_signals[i], NULL, &actions_before[i]);
		if (actions_before[i].sa_handler == SIG_IGN && watched_signals[i] != SIGCHLD)
			continue;
		sigaction(watched_signals[i], &note, NULL);
		sigdelset(&mask_waiting, watched_signals[i]);
	}
}

void capture_restore_signals(void)
{
	for (size_t i = 0; i < WATCHED_SIGNALS; i++)
		sigaction(watched_signals[i], &actions_before[i], NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
	if (caught_signal)
		raise(caught_signal);
}

static bool was_signal_caught(void)
{
	return caught_signal != 0;
}

/* Returns the signal mask that pselect uses between capture_block_signals and capture_restore_signals. */
static const sigset_t *get_waiting_mask(void)
{
	return &mask_waiting;
}

/* Restores the default action of all signals. Called in a child process. */
static void restore_default_signals(void)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (size_t i = 0; i < WATCHED_SIGNALS; i++)
		sigaction(watched_signals[i], &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

#ifdef __linux__

/* Returns the parent of a process; 0 if unknown. The parent is the fourth field of /proc/PID/stat. The second field is
 * in parentheses and may contain any character. */
static pid_t read_parent_pid(const char *pid)
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

static bool has_no_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
}

/* Lists the children of this process, at most `max` of them. Finds them by reading /proc for all processes of the
 * machine, which may take longer than the commands themselves. Therefore does not read /proc if waitid reports that
 * there are no children. */
static unsigned list_child_pids(pid_t *pid, unsigned max)
{
	const pid_t self = getpid();
	const struct dirent *e;
	unsigned n = 0;
	DIR *d = has_no_children() ? NULL : opendir("/proc");

	while (d && n < max && (e = readdir(d)))
		if (*e->d_name >= '1' && *e->d_name <= '9' && read_parent_pid(e->d_name) == self)
			pid[n++] = (pid_t)atoi(e->d_name);
	if (d)
		closedir(d);
	return n;
}

static void start_adopting_orphans(struct orphan_state *s)
{
	*s = (struct orphan_state){ 0 };
	prctl(PR_GET_CHILD_SUBREAPER, &s->was_subreaper, 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	s->n = list_child_pids(s->earlier_children, MAX_KNOWN_CHILDREN);
}

static bool contains_process_id(const pid_t *pids, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Kills all children of this process except the commands and the children in s->earlier_children. The children of a
 * killed process become children of this process and are killed too. Stops when no child is left to kill, or after 100
 * rounds (about a second). */
static void kill_adopted_orphans(struct orphan_state *s, const pid_t *commands, size_t ncommands)
{
	const struct timespec tick = { 0, 10000000 };
	pid_t now[MAX_KNOWN_CHILDREN];

	for (int round = 0; round < 100; round++) {
		const unsigned n = list_child_pids(now, MAX_KNOWN_CHILDREN);
		unsigned found = 0, left = 0;

		for (unsigned i = 0; i < n; i++) {
			if (contains_process_id(s->earlier_children, s->n, now[i]) ||
			    contains_process_id(commands, ncommands, now[i]))
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
	prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)s->was_subreaper, 0, 0, 0);
}

#else

static void start_adopting_orphans(struct orphan_state *s)
{
	s->n = 0;
}

/* Does nothing, because this system lacks /proc or child subreapers. */
static void kill_adopted_orphans(struct orphan_state *s, const pid_t *commands, size_t n)
{
	(void)s;
	(void)commands;
	(void)n;
}

#endif

/* ---- running commands: without shell or input, with a clean environment, and with limits on time and output */

extern char **environ;

static const uint64_t stderr_max = 64u << 20;

static const char *const passed_variables[] = { "PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF", "FLUX_URI" };
enum { PASSED_VARIABLES = sizeof(passed_variables) / sizeof(*passed_variables) };

/* Builds the environment of a command. Only passed_variables are passed on, because other variables may change the
 * formats (SQUEUE_FORMAT, SLURM_TIME_FORMAT) or the cluster that answers (SLURM_CLUSTERS). FS_SNAPSHOT is set so that
 * this program makes no further capture if the command is this program under another name. */
static void build_clean_environment(char *env[PASSED_VARIABLES + 4])
{
	static char locale[] = "LC_ALL=C", no_capture[] = "FS_SNAPSHOT=/dev/null", zone[] = "TZ=UTC";
	size_t n = 0;

	env[n++] = locale;
	env[n++] = no_capture;
	env[n++] = zone; /* the time zone is UTC, because local time is ambiguous during one hour of the year */
	for (size_t k = 0; k < PASSED_VARIABLES; k++) {
		const size_t len = strlen(passed_variables[k]);
		char **e = environ;

		while (e && *e && (strncmp(*e, passed_variables[k], len) != 0 || (*e)[len] != '='))
			e++;
		if (e && *e)
			env[n++] = *e;
	}
	env[n] = NULL;
}

/* ---- a process that runs a command */

enum command_state {
	COMMAND_RUNNING,
	COMMAND_ENDED,
	COMMAND_TIMED_OUT,
	COMMAND_FLOODED,
	COMMAND_OUTPUT_LOST,
	COMMAND_INTERRUPTED
};

struct command_run {
	pid_t pid;
	enum command_state state; /* COMMAND_RUNNING until the command ends or is stopped */
	int file;
	int out, err; /* read ends of the two pipes; -1 after a pipe has been read to its end */
	uint64_t out_bytes, out_max, err_bytes;
	struct timespec deadline;
	char line[200]; /* last line written to standard error */
	size_t len;
	bool line_ended;
	int error; /* errno value that explains the state COMMAND_OUTPUT_LOST */
};

/* Creates a pipe whose ends are descriptors above 2, even if the caller has closed its standard streams. Child
 * processes do not inherit the descriptors. */
static int make_output_pipe(int end[2])
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

static void exec_child_command(const char *path, const char *const *argv, int out, int err)
{
	const int null = open("/dev/null", O_RDONLY);
	char *env[PASSED_VARIABLES + 4];

	setsid();
	build_clean_environment(env);
	restore_default_signals();
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0) {
		if (null > 2)
			close(null);
		execve(path, (char *const *)argv, env);
	}
	dprintf(err, "%s\n", strerror(errno));
	_exit(127);
}

static int start_child_process(struct command_run *r, const char *path, const char *const *argv)
{
	int out[2], err[2];

	if (make_output_pipe(out))
		return -1;
	if (make_output_pipe(err)) {
		close(out[0]);
		close(out[1]);
		return -1;
	}
	r->out = out[0];
	r->err = err[0];
	r->pid = fork();
	if (!r->pid)
		exec_child_command(path, argv, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	return r->pid < 0 ? -1 : 0;
}

static void store_last_line(struct command_run *r, const char *s, size_t n)
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

static int write_all_bytes(int fd, const char *s, size_t n)
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

static enum command_state record_lost_output(struct command_run *r)
{
	r->error = errno;
	return COMMAND_OUTPUT_LOST;
}

/* Reads once from `fd`, which is one of the two pipes. Sets *more to true if data was read or a signal interrupted the
 * read. */
static enum command_state pump_output_once(struct command_run *r, int *fd, bool *more)
{
	char buf[65536];
	const ssize_t n = *fd < 0 ? 0 : read(*fd, buf, sizeof(buf));

	*more = n > 0 || (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? COMMAND_RUNNING : record_lost_output(r);
	if (!n) {
		if (*fd >= 0)
			close(*fd);
		*fd = -1;
		return COMMAND_RUNNING;
	}
	if (fd == &r->err) {
		store_last_line(r, buf, (size_t)n);
		r->err_bytes += (uint64_t)n;
		return r->err_bytes > stderr_max ? COMMAND_FLOODED : COMMAND_RUNNING;
	}
	r->out_bytes += (uint64_t)n;
	if (r->out_bytes > r->out_max)
		return COMMAND_FLOODED;
	return write_all_bytes(r->file, buf, (size_t)n) ? record_lost_output(r) : COMMAND_RUNNING;
}

/* Reads the data that is still in the pipes after the process has ended. */
static enum command_state drain_output_pipes(struct command_run *r)
{
	enum command_state e = COMMAND_RUNNING;
	bool more;

	do
		e = pump_output_once(r, &r->out, &more);
	while (more && e == COMMAND_RUNNING);
	while (e == COMMAND_RUNNING && (e = pump_output_once(r, &r->err, &more)) == COMMAND_RUNNING && more)
		;
	return e == COMMAND_RUNNING ? COMMAND_ENDED : e;
}

static bool has_command_process_ended(const struct command_run *r)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno != EINTR;
	return info.si_pid == r->pid;
}

/* Sets *left to the time until the deadline of a command. Returns false if the deadline has passed. */
static bool compute_time_left(const struct timespec *deadline, struct timespec *left)
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

/* Updates the state of all commands. Sets `set` to the pipes of the commands that still run, *last to the highest
 * descriptor in `set`, and *left to the time until the earliest deadline. Returns false if no command runs. */
static bool collect_running_pipes(struct command_run *runs, size_t n, fd_set *set, int *last, struct timespec *left)
{
	bool any = false;

	FD_ZERO(set);
	*last = -1;
	for (struct command_run *r = runs; r < runs + n; r++) {
		struct timespec time_left;

		if (r->state == COMMAND_RUNNING && has_command_process_ended(r))
			r->state = COMMAND_ENDED;
		if (r->state == COMMAND_RUNNING && !compute_time_left(&r->deadline, &time_left))
			r->state = COMMAND_TIMED_OUT;
		if (r->state != COMMAND_RUNNING)
			continue;
		if (!any || time_left.tv_sec < left->tv_sec ||
		    (time_left.tv_sec == left->tv_sec && time_left.tv_nsec < left->tv_nsec))
			*left = time_left;
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

static void pump_ready_pipes(struct command_run *r, const fd_set *set)
{
	bool more;

	if (r->state == COMMAND_RUNNING && r->out >= 0 && FD_ISSET(r->out, set))
		r->state = pump_output_once(r, &r->out, &more);
	if (r->state == COMMAND_RUNNING && r->err >= 0 && FD_ISSET(r->err, set))
		r->state = pump_output_once(r, &r->err, &more);
}

static void follow_running_commands(struct command_run *runs, size_t n)
{
	struct timespec left;
	fd_set set;
	int last;

	while (collect_running_pipes(runs, n, &set, &last, &left)) {
		if (!was_signal_caught() && pselect(last + 1, &set, NULL, NULL, &left, get_waiting_mask()) < 0)
			FD_ZERO(&set);
		for (struct command_run *r = runs; r < runs + n; r++) {
			if (was_signal_caught() && r->state == COMMAND_RUNNING)
				r->state = COMMAND_INTERRUPTED;
			pump_ready_pipes(r, &set);
		}
	}
}

static bool reap_without_waiting(pid_t pid, int *status)
{
	const pid_t found = waitpid(pid, status, WNOHANG);

	return found > 0 || (found < 0 && errno != EINTR);
}

/* Kills the process group of a command and reaps its leader. Returns the leader's exit status. Until the leader is
 * reaped, its process id cannot be reused. A leader that does not die within five seconds (stuck in the kernel) is not
 * reaped. */
static int kill_and_reap_command(struct command_run *r)
{
	int status = 0;

	kill(-r->pid, SIGKILL);
	kill(r->pid, SIGKILL); /* if the command has not called setsid yet, its process group does not exist */
	if (r->state == COMMAND_ENDED)
		r->state = drain_output_pipes(r);
	for (int i = 0; i < 50 && !reap_without_waiting(r->pid, &status); i++) {
		const struct timespec tenth = { 0, 100000000 };

		pselect(0, NULL, NULL, NULL, &tenth, get_waiting_mask());
	}
	if (r->out >= 0)
		close(r->out);
	if (r->err >= 0)
		close(r->err);
	return status;
}

static enum capture_result classify_command_result(struct command_run *r, int status,
						   const struct capture_limits *limits, char *why, size_t size)
{
	char last_line[sizeof(r->line) * 4];
	uint64_t max;

	r->line[r->len] = '\0';
	text_make_visible(last_line, sizeof(last_line), r->line);
	switch (r->state) {
	case COMMAND_INTERRUPTED:
		return CAPTURE_INTERRUPTED;
	case COMMAND_TIMED_OUT:
		snprintf(why, size, "timed out after %u s", limits->timeout_s);
		return CAPTURE_FAILED;
	case COMMAND_FLOODED:
		max = r->err_bytes > stderr_max ? stderr_max : limits->output;
		snprintf(why, size, "stopped: more than %u MiB of output", (unsigned)(max >> 20));
		return CAPTURE_FAILED;
	case COMMAND_OUTPUT_LOST:
		snprintf(why, size, "cannot store the command's output: %s", strerror(r->error));
		return CAPTURE_BROKEN;
	default:
		break;
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		snprintf(why, size, "%s", last_line);
		return CAPTURE_DONE;
	}
	snprintf(why, size, "%s %d%s%s", WIFEXITED(status) ? "exit status" : "killed by signal",
		 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), *last_line ? ": " : "", last_line);
	return WIFEXITED(status) ? CAPTURE_REFUSED : CAPTURE_FAILED;
}

/* Starts the command. If no process was started, sets o->why and o->result and returns false. */
static bool begin_capture_command(struct command_run *r, struct capture_command *o, const struct capture_limits *limits)
{
	char *path = capture_find_program(o->argv[0]);

	*r = (struct command_run){ .file = o->fd, .out_max = limits->output };
	if (!path || start_child_process(r, path, o->argv)) {
		const bool absent = !path && errno == ENOENT;

		snprintf(o->why, sizeof(o->why), "%s", absent ? "not found on PATH" : strerror(errno));
		o->result = absent ? CAPTURE_FAILED : CAPTURE_BROKEN;
		r->state = COMMAND_ENDED;
		r->pid = 0;
	} else {
		clock_gettime(CLOCK_MONOTONIC, &r->deadline);
		r->deadline.tv_sec += limits->timeout_s;
	}
	free(path);
	return r->pid != 0;
}

void capture_run_commands(struct capture_command *orders, size_t n, const struct capture_limits *limits)
{
	struct command_run runs[CAPTURE_MAX_PARALLEL];
	pid_t pids[CAPTURE_MAX_PARALLEL];
	struct orphan_state orphans;

	start_adopting_orphans(&orphans);
	for (size_t i = 0; i < n; i++)
		pids[i] = begin_capture_command(&runs[i], &orders[i], limits) ? runs[i].pid : -1;
	follow_running_commands(runs, n);
	for (size_t i = 0; i < n; i++)
		if (pids[i] > 0) {
			const int status = kill_and_reap_command(&runs[i]);

			orders[i].result =
				classify_command_result(&runs[i], status, limits, orders[i].why, sizeof(orders[i].why));
		}
	kill_adopted_orphans(&orphans, pids, n);
}
