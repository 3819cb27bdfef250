/* fault [-t] [-e EVERY] [-c EVERY] LIBRARY KIND... -- COMMAND: runs COMMAND without failures, and then once for each of
 * its allocations (-e: each EVERY-th) or system calls (-c: each EVERY-th), which is made to fail in this run. A run
 * passes if its outputs, files and status equal those of the run without failures. A run also passes if it ends with
 * status 1, prints the error, and leaves no partial file. Kinds: alloc (one allocation fails), oom (one allocation and
 * all later allocations fail), and the system calls of kinds[]. -t: numbers in the outputs may differ, for a command
 * that reads the clock. The command may only leave the file or folder `out` in the current folder; `out` is removed
 * before each run. */
#define _GNU_SOURCE
#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
#error "registers of system calls are known for x86-64 alone"
#endif

enum { SHORT = -1, CALLS = 3 };

static const struct kind {
	const char *name;
	long call[CALLS]; /* numbers of the system calls of this kind; -1: unused element */
	/* errno value of the failing call; SHORT: the call succeeds, but processes only half of the bytes */
	int error;
} kinds[] = {
	{ "read-EIO", { SYS_read, -1, -1 }, EIO },
	{ "read-EINTR", { SYS_read, -1, -1 }, EINTR },
	{ "read-short", { SYS_read, -1, -1 }, SHORT },
	{ "write-ENOSPC", { SYS_write, -1, -1 }, ENOSPC },
	{ "write-EIO", { SYS_write, -1, -1 }, EIO },
	{ "write-EINTR", { SYS_write, -1, -1 }, EINTR },
	{ "write-short", { SYS_write, -1, -1 }, SHORT },
	{ "open-EMFILE", { SYS_openat, SYS_open, -1 }, EMFILE },
	{ "open-EIO", { SYS_openat, SYS_open, -1 }, EIO },
	{ "open-EINTR", { SYS_openat, SYS_open, -1 }, EINTR },
	{ "fsync-EIO", { SYS_fsync, -1, -1 }, EIO },
	{ "fsync-ENOSPC", { SYS_fsync, -1, -1 }, ENOSPC },
	{ "fsync-EINTR", { SYS_fsync, -1, -1 }, EINTR },
	{ "rename-EIO", { SYS_rename, SYS_renameat, SYS_renameat2 }, EIO },
	{ "rename-ENOSPC", { SYS_rename, SYS_renameat, SYS_renameat2 }, ENOSPC },
	{ "close-EIO", { SYS_close, -1, -1 }, EIO },
	{ "stat-EIO", { SYS_newfstatat, SYS_stat, SYS_fstat }, EIO },
	{ "seek-EIO", { SYS_lseek, -1, -1 }, EIO },
	{ "list-EIO", { SYS_getdents64, -1, -1 }, EIO },
	{ "mkdir-ENOSPC", { SYS_mkdir, SYS_mkdirat, -1 }, ENOSPC },
	{ "pipe-EMFILE", { SYS_pipe2, SYS_pipe, -1 }, EMFILE },
	{ "fork-EAGAIN", { SYS_clone, SYS_clone3, SYS_vfork }, EAGAIN },
	{ "poll-EINTR", { SYS_poll, SYS_ppoll, -1 }, EINTR },
	{ "wait-EINTR", { SYS_wait4, SYS_waitid, -1 }, EINTR },
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

struct output {
	char *s;
	size_t n;
};

struct result {
	int status; /* wait status of the command, as set by waitpid */
	struct output out, err, file;
	bool hit;  /* the command made the call that the test makes fail */
	bool deaf; /* the failed call was a write to standard error */
	char left[256]; /* name of an unexpected file that the command left; "": none */
};

static struct fault_shared *shared;
static char *const *command;
static int out_fd, err_fd;
static bool blurred;
static unsigned long calls[KINDS]; /* number of calls of each kind in a run without failures */
static unsigned long tried, same, told, bad;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Replaces each run of digits by one 0. */
static void blur(struct output *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		const bool digit = o->s[i] >= '0' && o->s[i] <= '9';

		if (!digit || !n || o->s[n - 1] != '0')
			o->s[n++] = (char)(digit ? '0' : o->s[i]);
	}
	o->n = n;
	o->s[n] = '\0';
}

static struct output slurp(int fd)
{
	struct stat st;
	struct output o = { 0 };

	if (fd < 0)
		return o;
	if (fstat(fd, &st))
		die("fstat");
	o.s = malloc((size_t)st.st_size + 1);
	if (!o.s || pread(fd, o.s, (size_t)st.st_size, 0) != st.st_size)
		die("pread");
	o.n = (size_t)st.st_size;
	o.s[o.n] = '\0';
	if (blurred)
		blur(&o);
	return o;
}

static int visible(const struct dirent *e)
{
	return *e->d_name != '.';
}

static const char file_end[] = "\n(end of file)\n";

/* Returns the names and contents of the files in the folder `out`, with file_end after each file. An empty folder gives
 * the same result as a missing folder. */
static struct output slurp_folder(void)
{
	struct output all = { 0 };
	struct dirent **e;
	const int n = scandir("out", &e, visible, alphasort);

	for (int i = 0; i < n; i++) {
		char path[300];
		struct output one;
		int fd;

		snprintf(path, sizeof(path), "out/%s", e[i]->d_name);
		fd = open(path, O_RDONLY);
		one = slurp(fd);
		if (fd >= 0)
			close(fd);
		all.s = realloc(all.s, all.n + strlen(path) + one.n + sizeof(file_end));
		if (!all.s)
			die("realloc");
		memcpy(all.s + all.n, path, strlen(path));
		if (one.n)
			memcpy(all.s + all.n + strlen(path), one.s, one.n);
		all.n += strlen(path) + one.n;
		memcpy(all.s + all.n, file_end, sizeof(file_end));
		all.n += sizeof(file_end) - 1;
		free(one.s);
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	return all;
}

static struct output slurp_out(void)
{
	const int fd = open("out", O_RDONLY);
	struct output o = { 0 };
	struct stat st;

	if (fd < 0)
		return o;
	o = !fstat(fd, &st) && S_ISDIR(st.st_mode) ? slurp_folder() : slurp(fd);
	close(fd);
	return o;
}

static void remove_out(void)
{
	DIR *dir = opendir("out");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlinkat(dirfd(dir), e->d_name, 0))
			die(e->d_name);
	if (dir)
		closedir(dir);
	if (remove("out") && errno != ENOENT)
		die("out");
}

static bool equal(struct output a, struct output b)
{
	return !a.s == !b.s && a.n == b.n && !memcmp(a.s ? a.s : "", b.s ? b.s : "", a.n);
}

static void release(struct result *r)
{
	free(r->out.s);
	free(r->err.s);
	free(r->file.s);
}

/* ---- one run of the tested command */

static void child(const char *library, bool traced)
{
	const int in = open("/dev/null", O_RDONLY);

	setenv("LD_PRELOAD", library, 1);
	dup2(in, 0);
	dup2(out_fd, 1);
	dup2(err_fd, 2);
	if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(126);
	execvp(command[0], command);
	_exit(127);
}

static bool is_of(const struct kind *k, long call)
{
	for (int i = 0; i < CALLS; i++)
		if (k->call[i] >= 0 && k->call[i] == call)
			return true;
	return false;
}

struct trace {
	pid_t pid;
	const struct kind *kind;
	unsigned long at, calls;
	bool armed, inside, failing;
	struct user_regs_struct before;
	struct result *r;
};

static void enter(struct trace *t, struct user_regs_struct *regs)
{
	const long call = (long)regs->orig_rax;

	t->armed = t->armed || (call == SYS_prctl && regs->rdi == FAULT_MARK);
	if (!t->armed)
		return;
	for (size_t i = 0; !t->at && i < KINDS; i++)
		calls[i] += is_of(&kinds[i], call);
	if (!is_of(t->kind, call) || ++t->calls != t->at)
		return;
	if (t->kind->error == SHORT && regs->rdx < 2)
		return;
	t->failing = t->r->hit = true;
	t->r->deaf = call == SYS_write && regs->rdi == 2;
	t->before = *regs;
	if (t->kind->error == SHORT)
		regs->rdx /= 2;
	else
		regs->orig_rax = (unsigned long long)-1;
	if (ptrace(PTRACE_SETREGS, t->pid, NULL, regs))
		die("PTRACE_SETREGS");
}

static void leave(struct trace *t, struct user_regs_struct *regs)
{
	if (!t->failing)
		return;
	t->failing = false;
	regs->rdx = t->before.rdx;
	if (t->kind->error != SHORT)
		regs->rax = (unsigned long long)-t->kind->error;
	if (ptrace(PTRACE_SETREGS, t->pid, NULL, regs))
		die("PTRACE_SETREGS");
}

static int follow(struct trace *t)
{
	struct user_regs_struct regs;
	int status, sig = 0;

	if (waitpid(t->pid, &status, 0) < 0 || WIFEXITED(status))
		return status;
	ptrace(PTRACE_SETOPTIONS, t->pid, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, t->pid, NULL, (void *)(long)sig) || waitpid(t->pid, &status, 0) < 0)
			die("ptrace");
		if (WIFEXITED(status) || WIFSIGNALED(status))
			return status;
		sig = WSTOPSIG(status);
		if (sig != (SIGTRAP | 0x80)) {
			sig = sig == SIGTRAP ? 0 : sig;
			continue;
		}
		sig = 0;
		if (ptrace(PTRACE_GETREGS, t->pid, NULL, &regs))
			die("PTRACE_GETREGS");
		t->inside = !t->inside;
		if (t->inside)
			enter(t, &regs);
		else
			leave(t, &regs);
	}
}

static void look_around(struct result *r)
{
	DIR *dir = opendir(".");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (*e->d_name != '.' && strcmp(e->d_name, "out") != 0 && strncmp(e->d_name, "in", 2) != 0) {
			snprintf(r->left, sizeof(r->left), "%s", e->d_name);
			if (remove(e->d_name) && errno == ENOTEMPTY)
				die(e->d_name);
		}
	if (dir)
		closedir(dir);
}

static struct result run(const char *library, const struct kind *kind, unsigned long at, unsigned long many)
{
	struct result r = { 0 };
	struct trace t = { .kind = kind, .at = at, .r = &r };

	remove_out();
	if (ftruncate(out_fd, 0) || ftruncate(err_fd, 0) || lseek(out_fd, 0, SEEK_SET) || lseek(err_fd, 0, SEEK_SET))
		die("outputs");
	*shared = (struct fault_shared){ .at = kind ? 0 : at, .many = many };
	t.pid = fork();
	if (!t.pid)
		child(library, kind != NULL);
	alarm(60);
	if (kind)
		r.status = follow(&t);
	else if (waitpid(t.pid, &r.status, 0) < 0)
		die("waitpid");
	alarm(0);
	r.hit = r.hit || shared->failed;
	r.out = slurp(out_fd);
	r.err = slurp(err_fd);
	r.file = slurp_out();
	look_around(&r);
	return r;
}

/* ---- judging the result of a run with a failure */

/* Returns true if each file that the run has left is complete. A folder may lack some of its files. */
static bool has_whole_files(const struct result *good, const struct result *r)
{
	return good->file.s && memmem(good->file.s, good->file.n, file_end, sizeof(file_end) - 1) &&
	       memmem(good->file.s, good->file.n, r->file.s, r->file.n);
}

static const char *judge(const struct result *good, const struct result *r, bool memory)
{
	if (!WIFEXITED(r->status))
		return "ended by a signal";
	if (*r->left)
		return "left a file";
	if (WEXITSTATUS(r->status) == WEXITSTATUS(good->status)) {
		if (equal(good->out, r->out) && equal(good->file, r->file) &&
		    (equal(good->err, r->err) || r->deaf)) {
			same++;
			return NULL;
		}
		return "printed something else";
	}
	if (WEXITSTATUS(r->status) != 1)
		return "status";
	if (memory ? !strstr(r->err.s, "out of memory") && !strstr(r->err.s, strerror(ENOMEM)) : !r->err.n && !r->deaf)
		return "said nothing of it";
	if (r->file.s && !equal(good->file, r->file) && !has_whole_files(good, r))
		return "left a part of its file";
	told++;
	return NULL;
}

static void show(const char *kind, unsigned long at, const char *what, const struct result *r)
{
	if (bad++ >= 20)
		return;
	printf("%s %lu: %s%s%s (status %#x):", kind, at, what, *r->left ? ": " : "", r->left, (unsigned)r->status);
	for (char *const *w = command; *w; w++)
		printf(" %s", *w);
	printf("\n    %.300s\n", r->err.s);
}

static const struct kind *kind_named(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	if (!strcmp(name, "alloc") || !strcmp(name, "oom"))
		return NULL;
	fprintf(stderr, "fault: no kind \"%s\"\n", name);
	exit(2);
}

static void each(const char *library, const char *name, unsigned long every, const struct result *good,
		 unsigned long allocations)
{
	const struct kind *kind = kind_named(name);
	const unsigned long many = strcmp(name, "oom") ? 1 : (unsigned long)-1;
	const unsigned long max = kind ? calls[kind - kinds] : allocations;

	for (unsigned long at = 1; at <= max; at += every) {
		struct result r = run(library, kind, at, many);
		const char *what;

		if (r.hit) {
			tried++;
			what = judge(good, &r, !kind);
			if (what)
				show(name, at, what, &r);
		}
		release(&r);
	}
}

static void try_all(const char *library, char *const *names, unsigned long every, unsigned long of_calls)
{
	struct result good = run(library, NULL, 0, 0), traced;
	const unsigned long allocations = shared->calls;

	traced = run(library, kinds, 0, 0);
	if (*good.left || !WIFEXITED(good.status) || judge(&good, &traced, false))
		show("none", 0, "without any failure", &good);
	for (; strcmp(*names, "--") != 0; names++)
		each(library, *names, kind_named(*names) ? of_calls : every, &good, allocations);
	release(&good);
	release(&traced);
}

int main(int argc, char **argv)
{
	unsigned long every = 1, of_calls = 1;
	const char *library;
	int i = 1, fd = memfd_create("fault", 0);

	if (argc > i && !strcmp(argv[i], "-t")) {
		blurred = true;
		i++;
	}
	for (; argc > i + 1 && (!strcmp(argv[i], "-e") || !strcmp(argv[i], "-c")); i += 2)
		*(argv[i][1] == 'e' ? &every : &of_calls) = strtoul(argv[i + 1], NULL, 10);
	if (argc <= i)
		return 2;
	library = argv[i++];
	for (command = argv + i; *command && strcmp(*command, "--") != 0;)
		command++;
	if (!*command++ || !*command || !every || !of_calls) {
		fprintf(stderr, "usage: fault [-t] [-e EVERY] [-c EVERY] LIBRARY KIND... -- COMMAND\n");
		return 2;
	}
	out_fd = memfd_create("stdout", MFD_CLOEXEC);
	err_fd = memfd_create("stderr", MFD_CLOEXEC);
	if (fd < 0 || dup2(fd, FAULT_FD) < 0 || ftruncate(fd, sizeof(*shared)) || out_fd < 0 || err_fd < 0)
		die("memfd_create");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	try_all(library, argv + i, every, of_calls);
	printf("%lu tried, %lu no matter, %lu told, %lu bad\n", tried, same, told, bad);
	return bad > 0;
}
