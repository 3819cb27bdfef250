/* Whether all commands accept a snapshot; a capture that they do not accept replaces no file. */
#define _XOPEN_SOURCE 700 /* pread */
#include "files/stream.h"
#include "input/input.h"
#include "input/read.h"
#include "snap/snap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tries what each command computes first. A snapshot that can be read is not valid if a command refuses it: negative
 * weights, a TRES twice. Returns 0, FS_EDATA or FS_ENOMEM. */
int snap_try_commands(const fs_snapshot *s, struct fs_error *err)
{
	fs_shares *shares = NULL;
	fs_prios *prios = NULL;
	fs_queue *queue = NULL;
	fs_windows *windows = NULL;
	fs_usage *usage = NULL;
	const struct fs_usage_options computed = { .source = FS_USAGE_COMPUTED };
	int rc = fs_shares_compute(&shares, s, NULL, err);

	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_prios_compute(&prios, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_queue_compute(&queue, s, NULL, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_windows_compute(&windows, s, FS_MAUI_CODE, err);
	if (rc == 0 || rc == FS_ENODATA || rc == FS_EUSAGE)
		rc = fs_usage_begin(&usage, s, &computed, err);
	if (rc == 0)
		rc = fs_usage_finish(usage, err);
	fs_usage_free(usage);
	fs_windows_free(windows);
	fs_queue_free(queue);
	fs_prios_free(prios);
	fs_shares_free(shares);
	return rc == FS_EDATA || rc == FS_ENOMEM ? rc : 0;
}

/* A file that is being written, read from its beginning. */
struct written {
	int fd;
	off_t at;
};

static ptrdiff_t read_written(void *written, void *buf, size_t size)
{
	struct written *w = written;
	const ssize_t n = pread(w->fd, buf, size, w->at);

	w->at += n > 0 ? n : 0;
	return n;
}

/* Returns true if all of the scheduler's commands failed: jobs are hidden, and nothing else is known either. */
static bool holds_nothing(const fs_snapshot *s)
{
	static const char *const types[] = { "job", "node", "partition", "association", "credential", "user" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (fs_snapshot_records(s, types[i]))
			return false;
	return fs_snapshot_hidden(s, "job");
}

/* Reads the snapshot from the file and tries it. A pipe, a device or a file that
 * was open already is not checked: it replaces nothing. */
static int check_written(const struct snap_checked *c, FILE *stream, struct fs_error *err)
{
	struct written w = { fileno(stream), 0 };
	fs_snapshot *again = NULL;
	struct stat st;
	int rc;

	if (fflush(stream) || fstat(w.fd, &st))
		return FS_EIO;
	if (!S_ISREG(st.st_mode) || (fcntl(w.fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		return 0;
	rc = input_read_with(read_written, &w, c->name, &again, err);
	if (!rc && holds_nothing(again)) {
		*err = (struct fs_error){ .code = FS_EDATA };
		snprintf(err->message, sizeof(err->message), "the scheduler's commands printed no jobs, nodes, partitions or accounts");
		rc = FS_EDATA;
	}
	if (!rc)
		rc = snap_try_commands(again, err);
	fs_snapshot_free(again);
	return rc;
}

int snap_put_checked(const void *what, FILE *stream, struct fs_error *err)
{
	const struct snap_checked *c = what;
	int rc = c->put(c->s, stream, err);

	if (rc || !(rc = check_written(c, stream, err)))
		return rc;
	complain(c->inv, "the new snapshot is not valid, and %s is left as it was", c->name);
	if (err->code == FS_EDATA) { /* what was given is no file of the user's */
		err->code = rc = FS_EIO;
		errno = 0;
	}
	return rc;
}
