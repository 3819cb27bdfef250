/* fs-snap keep: one more snapshot into a folder, compressed and with its digest; then the folder is thinned. */
#include "files/save.h"
#include "history/digest.h"
#include "input/input.h"
#include "snap/snap.h"
#include "snap/thin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct digest_source {
	const fs_snapshot *s;
	const char *file;
};

static int put_digest(const void *what, FILE *to, struct fs_error *err)
{
	const struct digest_source *d = what;

	return digest_write(d->s, d->file, to, err);
}

/* Whoever may read the snapshot may read its digest, but nobody else may write to either. */
static int write_both(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o,
		      const char *file)
{
	const unsigned mode = o->mode ? o->mode : SNAP_MODE;
	const struct digest_source d = { s, file };
	const struct snap_checked checked = { inv, s, snap_put_packed, file };
	char *name = digest_name(file);
	int status;

	if (!name)
		return no_memory(inv);
	status = save_file(inv, snap_put_checked, &checked, file, mode);
	if (!status) {
		status = save_file(inv, put_digest, &d, name, mode & ~(unsigned)(S_IWGRP | S_IWOTH));
		if (status)
			complain(inv, "%s is kept, but without its digest: histories are read more slowly", file);
	}
	free(name);
	return status;
}

/* Two at a time would thin what the other has just written. */
static int lock_folder(const struct invocation *inv, const char *dir)
{
	int fd;

	if (mkdir(dir, 0700) && errno != EEXIST) {
		complain(inv, "%s: %s", dir, strerror(errno));
		return -1;
	}
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (flock(fd, LOCK_EX) && errno != ENOTSUP && errno != ENOLCK)) {
		complain(inv, "%s: %s", dir, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

static int keep(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o, const char *dir)
{
	const int lock = lock_folder(inv, dir);
	char name[KEPT_NAME];
	char *file = malloc(strlen(dir) + sizeof(name) + 1);
	int status = EXIT_FAILED;

	if (lock >= 0 && !file)
		status = no_memory(inv);
	else if (lock >= 0 && kept_name(name, fs_snapshot_info(s)->time))
		complain(inv, "keep: the snapshot's time cannot be a file's name");
	else if (lock >= 0) {
		sprintf(file, "%s/%s", dir, name);
		status = write_both(inv, s, o, file);
		if (!status)
			status = thin_folder(inv, dir);
	}
	if (lock >= 0)
		close(lock);
	free(file);
	return status;
}

int snap_keep(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL;
	int status;

	if (argc < 1 || argc > 2) {
		complain(inv, "keep: give a folder, and a snapshot unless one is to be captured: keep DIR [FILE]");
		return EXIT_USAGE;
	}
	status = argc == 2 ? input_read_file(inv, argv[1], &s) : snap_take(inv, o, NULL, &s);
	if (!status) {
		for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
			complain(inv, "warning: %s", fs_snapshot_warning(s, i));
		status = keep(inv, s, o, argv[0]);
	}
	fs_snapshot_free(s);
	return status;
}
