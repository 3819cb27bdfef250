/* fs-snap index: the index beside a snapshot. */
#include "input/index.h"

#include "files/save.h"
#include "files/stream.h"
#include "input/input.h"
#include "snap/snap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct index_writer {
	fs_snapshot *snapshot;
	struct fs_index_key key;
	struct fs_index_kept kept;
};

static int write_index(const void *what, FILE *to, struct fs_error *err)
{
	const struct index_writer *m = what;

	return fs_index_write(m->snapshot, &m->key, &m->kept, stream_write, to, err);
}

/* Whoever may read the file may read its index. */
static int hand_over(const struct invocation *inv, const char *name, const struct stat *file)
{
	const uid_t to = file->st_uid == geteuid() ? (uid_t)-1 : file->st_uid;

	if (!chown(name, to, file->st_gid) && !chmod(name, file->st_mode & (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)))
		return 0;
	complain(inv, "%s: %s", name, strerror(errno));
	unlink(name);
	return EXIT_FAILED;
}

/* Keeps the computed queue in the index, unless none can be computed. *bytes: yours to free. */
static int keep_queue(const struct invocation *inv, struct index_writer *m, void **bytes)
{
	struct fs_error err;
	fs_queue *q;
	int rc = fs_queue_compute(&q, m->snapshot, NULL, &err);

	if (rc)
		return rc == FS_ENOMEM ? no_memory(inv) : 0;
	rc = fs_queue_keep(bytes, &m->kept.size, q, &err);
	fs_queue_free(q);
	m->kept.bytes = *bytes;
	return rc ? report(inv, &err) : 0;
}

static int make_from(const struct invocation *inv, FILE *stream, const char *file, const char *name)
{
	struct index_writer m = { 0 };
	struct stat st, after;
	void *queue = NULL;
	int status;

	errno = 0;
	if (index_key(stream, &m.key, &st)) {
		complain(inv, errno == ENOMEM ? "%s: out of memory" : "%s: not a file that can have an index", file);
		return EXIT_FAILED;
	}
	status = input_read_file(inv, file, &m.snapshot);
	if (status)
		return status;
	if (stat(file, &after) || after.st_ino != st.st_ino || after.st_size != st.st_size) {
		complain(inv, "%s: it changed while it was read", file);
		status = EXIT_FAILED;
	}
	if (!status)
		status = keep_queue(inv, &m, &queue);
	if (!status)
		status = save_file(inv, write_index, &m, name, SNAP_MODE);
	free(queue);
	fs_snapshot_free(m.snapshot);
	return status ? status : hand_over(inv, name, &st);
}

int snap_make_index(const struct invocation *inv, const char *file)
{
	FILE *stream = fopen(file, "rb");
	char *name = index_name(file);
	int status = EXIT_FAILED;

	if (!stream)
		complain(inv, "%s: %s", file, strerror(errno));
	else if (!name)
		status = no_memory(inv);
	else
		status = make_from(inv, stream, file, name);
	if (stream)
		fclose(stream);
	free(name);
	return status;
}

int snap_index(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	const int status = snap_one_file(inv, "index", argc);

	(void)o;
	return status ? status : snap_make_index(inv, argv[0]);
}
