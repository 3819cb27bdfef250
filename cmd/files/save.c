#define _GNU_SOURCE /* for O_PATH */
#include "files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static int report_file_error(const struct invocation *inv, const char *name)
{
	cmd_print_message(inv, "%s: %s", name, strerror(errno));
	return EXIT_FAILED;
}

struct save_content {
	save_put_fn put;
	const void *what;
	unsigned mode; /* permissions of the written file */
};

static int write_content_stream(const struct invocation *inv, const struct save_content *c, FILE *stream,
				const char *name)
{
	struct fs_error err;

	errno = 0;
	if (!c->put(c->what, stream, &err) && !fflush(stream))
		return EXIT_DONE;
	return errno ? report_file_error(inv, name) : cmd_report_error(inv, &err);
}

/* ---- signals: the temporary file is removed before a signal ends the process */

static const int ending_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM };
enum { ENDING_SIGNALS = sizeof(ending_signals) / sizeof(*ending_signals) };

/* The temporary file and its open folder; NULL: there is none. */
static const char *volatile temporary_file;
static volatile int temporary_folder;

static void remove_and_end(int sig)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };

	if (temporary_file)
		unlinkat(temporary_folder, temporary_file, 0);
	sigaction(sig, &usual, NULL);
	raise(sig);
}

static void catch_ending_signals(struct sigaction before[ENDING_SIGNALS])
{
	struct sigaction action = { .sa_handler = remove_and_end, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ENDING_SIGNALS; i++) {
		sigaction(ending_signals[i], NULL, &before[i]);
		if (before[i].sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &action, NULL);
	}
}

static void restore_signal_actions(const struct sigaction before[ENDING_SIGNALS])
{
	for (size_t i = 0; i < ENDING_SIGNALS; i++)
		sigaction(ending_signals[i], &before[i], NULL);
}

/* ---- writing an output file */

/* Opens the folder of the file, and sets *base to the last component of the file's name. Opens the folder without the
 * right to sync it if the folder is not readable. Returns -1 on error. */
static int open_parent_folder(const char *file, const char **base)
{
	const char *slash = strrchr(file, '/');
	char *dir = slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");
	int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (dir && fd < 0 && errno == EACCES)
		fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	*base = slash ? slash + 1 : file;
	return fd;
}

/* Syncs the folder, so that a file's new name survives a crash. Returns 0, or -1 on error. Also returns 0 if the file
 * system does not support syncing folders, or if the folder was opened without the right. */
static int sync_folder(int fd)
{
	return fsync(fd) && errno != EINVAL && errno != EROFS && errno != ENOTSUP && errno != EBADF ? -1 : 0;
}

static int write_temporary_file(const struct invocation *inv, const struct save_content *c, int fd, const char *output)
{
	FILE *stream = fdopen(fd, "wb");
	int status;

	if (!stream) {
		status = report_file_error(inv, output);
		close(fd);
		return status;
	}
	status = write_content_stream(inv, c, stream, output);
	if (!status && fsync(fd) && errno != EINVAL && errno != ENOTSUP)
		status = report_file_error(inv, output);
	if (fclose(stream) && !status)
		status = report_file_error(inv, output);
	return status;
}

/* Creates a file named `base` plus six random letters in the folder, and opens it for reading and writing. Sets `name`
 * to its name. Returns -1 on error. */
static int create_temporary_file(int folder, const char *base, char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char random[6];
	const size_t n = (size_t)sprintf(name, "%s.", base);
	int fd = -1;

	for (int tries = 0; fd < 0 && tries < 100; tries++) {
		if (getrandom(random, sizeof(random), 0) != sizeof(random))
			return -1;
		for (size_t i = 0; i < sizeof(random); i++)
			name[n + i] = letters[random[i] % (sizeof(letters) - 1)];
		name[n + sizeof(random)] = '\0';
		fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

/* Writes the temporary file `tmp`, syncs the file, and renames it to `base`. */
static int write_and_rename(const struct invocation *inv, const struct save_content *c, int folder, char *tmp,
			    const char *base, const char *output)
{
	const int fd = create_temporary_file(folder, base, tmp);
	int status;

	temporary_folder = folder;
	temporary_file = fd < 0 ? NULL : tmp;
	status = fd < 0 || fchmod(fd, c->mode) ? report_file_error(inv, output)
					       : write_temporary_file(inv, c, fd, output);
	if (!status && renameat(folder, tmp, folder, base))
		status = report_file_error(inv, output);
	if (status && fd >= 0)
		unlinkat(folder, tmp, 0);
	temporary_file = NULL;
	return status;
}

/* Replaces the file `output` by a new file. The folder remains open, so that nobody can exchange it by renaming. */
static int replace_output_file(const struct invocation *inv, const struct save_content *c, const char *output)
{
	const char *base;
	const int folder = open_parent_folder(output, &base);
	char *tmp = folder < 0 ? NULL : malloc(strlen(base) + sizeof(".XXXXXX"));
	struct sigaction before[ENDING_SIGNALS];
	int status;

	if (!tmp) {
		status = report_file_error(inv, output);
	} else {
		catch_ending_signals(before);
		status = write_and_rename(inv, c, folder, tmp, base, output);
		restore_signal_actions(before);
		if (!status && sync_folder(folder))
			status = report_file_error(inv, output);
	}
	free(tmp);
	if (folder >= 0)
		close(folder);
	return status;
}

/* Returns true if `output` is the name of a file that is open already: /dev/stdout, /dev/stderr, /dev/stdin or
 * /dev/fd/N. */
static bool is_open_already(const char *output)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	const size_t fd = sizeof("/dev/fd/") - 1;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(output, names[i]))
			return true;
	return !strncmp(output, "/dev/fd/", fd) && output[fd] && !output[fd + strspn(output + fd, "0123456789")];
}

/* Returns true if the file belongs to the caller or to root. */
static bool is_own_file(const struct stat *st)
{
	return st->st_uid == geteuid() || st->st_uid == 0;
}

/* Opens for writing the pipe or device that `output` names. Checks the owner of a fifo before opening it, because
 * opening waits for a reader. Both refer to the same file, so that another process cannot exchange it in between.
 * Returns -1 on error; EPERM: the fifo belongs to another user; EBUSY: a regular file has replaced the device. */
static int open_pipe_or_device(const char *output)
{
	const int file = open(output, O_PATH | O_CLOEXEC);
	char opened[sizeof("/proc/self/fd/") + 12];
	struct stat st;
	int fd = -1;

	if (file < 0)
		return -1;
	snprintf(opened, sizeof(opened), "/proc/self/fd/%d", file);
	if (!fstat(file, &st)) {
		errno = S_ISREG(st.st_mode) ? EBUSY : EPERM;
		if (!S_ISREG(st.st_mode) && (!S_ISFIFO(st.st_mode) || is_own_file(&st)))
			fd = open(opened, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	}
	close(file);
	return fd;
}

/* Opens `output` for writing: a pipe, a device, or a file that is open already. Returns NULL on error. */
static FILE *open_output_stream(const char *output)
{
	const int fd = is_open_already(output) ? open(output, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC)
					       : open_pipe_or_device(output);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");

	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

static int write_without_replacing(const struct invocation *inv, const struct save_content *c, const char *output)
{
	FILE *stream = open_output_stream(output);
	int status;

	if (!stream && errno == EPERM) {
		cmd_print_message(inv, "%s: the fifo belongs to another user", output);
		return EXIT_FAILED;
	}
	if (!stream)
		return report_file_error(inv, output);
	status = write_content_stream(inv, c, stream, output);
	if (fclose(stream) && !status)
		status = report_file_error(inv, output);
	return status;
}

/* ---- symbolic links: a link of the caller or of root is followed, so that the link remains */

enum { LINKS_MAX = 40 }; /* maximum number of links that are followed, as in Linux */

/* Returns the name of the link's target: `target` itself, or `target` in the folder of the link `name`. Frees `name`.
 * Returns NULL if out of memory. */
static char *join_link_target(char *name, const char *target)
{
	const char *slash = strrchr(name, '/');
	const size_t dir = *target == '/' || !slash ? 0 : (size_t)(slash + 1 - name);
	char *joined = malloc(dir + strlen(target) + 1);

	if (joined) {
		memcpy(joined, name, dir);
		strcpy(joined + dir, target);
	}
	free(name);
	return joined;
}

/* If `name` is a link, sets `target` to the text of the link. Sets *st to the status of the link or file; both are read
 * from the same open file, so that another process cannot exchange the link in between. Returns -1 on error. */
static int read_link_text(const char *name, struct stat *st, char target[PATH_MAX])
{
	const int fd = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = 0;
	int rc = fd < 0 ? -1 : fstat(fd, st);

	if (!rc && S_ISLNK(st->st_mode)) {
		n = readlinkat(fd, "", target, PATH_MAX - 1);
		rc = n < 0 ? -1 : 0;
	}
	if (!rc)
		target[n] = '\0';
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Returns the name of the regular file to which `output` leads. Returns NULL with errno set on error: EPERM: a link
 * belongs to another user; EBUSY: the file is not a regular file. The caller frees the name. */
static char *resolve_output_links(const char *output)
{
	char *name = strdup(output), target[PATH_MAX];
	struct stat st;

	for (int i = 0; name && i < LINKS_MAX; i++) {
		if (read_link_text(name, &st, target))
			break;
		if (S_ISREG(st.st_mode))
			return name;
		errno = S_ISLNK(st.st_mode) ? EPERM : EBUSY;
		if (!S_ISLNK(st.st_mode) || !is_own_file(&st))
			break;
		errno = ELOOP;
		name = join_link_target(name, target);
	}
	free(name);
	return NULL;
}

static int replace_link_target(const struct invocation *inv, const struct save_content *c, const char *output)
{
	char *target = resolve_output_links(output);
	int status;

	if (!target && errno == EPERM) {
		cmd_print_message(inv, "%s: a link of another user is not followed", output);
		return EXIT_FAILED;
	}
	if (!target)
		return report_file_error(inv, output);
	status = replace_output_file(inv, c, target);
	free(target);
	return status;
}

int save_output_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output, unsigned mode)
{
	const struct save_content content = { put, what, mode }, *c = &content;
	struct stat st;

	if (!strcmp(output, "-"))
		return write_content_stream(inv, c, stdout, "standard output");
	if (is_open_already(output))
		return write_without_replacing(inv, c, output);
	if (stat(output, &st))
		return replace_output_file(inv, c, output);
	if (S_ISREG(st.st_mode))
		return replace_link_target(inv, c, output);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return report_file_error(inv, output);
	}
	return write_without_replacing(inv, c, output);
}

int save_regular_file(const struct invocation *inv, save_put_fn put, const void *what, const char *output,
		      unsigned mode)
{
	const struct save_content c = { put, what, mode };

	return replace_output_file(inv, &c, output);
}
