#define _XOPEN_SOURCE 700 /* realpath */
#include "capture/source.h"

#include "capture/outputs.h"
#include "files/stream.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bounded {
	struct capture_source *of;
	FILE *file;
	uint64_t left;
};

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)   ? "a folder"
	       : S_ISFIFO(mode) ? "a fifo"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

/* Is what was opened under the name a file of the folder, and not one that a link leads to elsewhere? false: c->why. */
static bool stays_inside(struct capture_source *c, const char *path, const struct stat *opened)
{
	char *folder = realpath(c->dir, NULL), *file = folder ? realpath(path, NULL) : NULL;
	const size_t n = folder ? strlen(folder) : 0;
	struct stat now;
	bool inside = false;

	if (!file || stat(file, &now))
		snprintf(c->why, sizeof(c->why), "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
	else if (now.st_dev != opened->st_dev || now.st_ino != opened->st_ino || strncmp(file, folder, n) != 0 ||
		 (n > 1 && file[n] != '/'))
		snprintf(c->why, sizeof(c->why), "it is a link that leads out of the folder; --outside allows it");
	else
		inside = true;
	free(folder);
	free(file);
	return inside;
}

/* Opens without waiting: a fifo that nobody writes to would block for ever. */
static FILE *open_regular(struct capture_source *c, const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *file = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st)) {
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(c->why, sizeof(c->why), "it is %s, not a file", kind_of(st.st_mode));
	} else if (c->outside || stays_inside(c, path, &st)) {
		file = fdopen(fd, "rb");
		if (file)
			return file;
		snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	}
	close(fd);
	errno = EINVAL;
	return NULL;
}

static int open_file(void *ctx, const char *name, void **stream)
{
	struct capture_source *c = ctx;
	char *path = capture_path(c->dir, name, "");
	struct bounded *b = path ? malloc(sizeof(*b)) : NULL;
	int rc = -1;

	snprintf(c->name, sizeof(c->name), "%s", name);
	if (b) {
		*c->why = '\0';
		*b = (struct bounded){ .of = c, .file = open_regular(c, path), .left = c->file_max };
		rc = b->file ? 0 : errno == ENOENT || errno == ENOTDIR ? 1 : -1;
		if (rc < 0 && !*c->why)
			snprintf(c->why, sizeof(c->why), "%s", strerror(errno));
	} else {
		snprintf(c->why, sizeof(c->why), "out of memory");
	}
	if (rc)
		free(b);
	free(path);
	*stream = rc ? NULL : b;
	return rc;
}

static ptrdiff_t read_file(void *stream, void *buf, size_t size)
{
	struct bounded *b = stream;
	ptrdiff_t n;

	errno = 0;
	n = stream_read(b->file, buf, size);
	if (n < 0) {
		snprintf(b->of->why, sizeof(b->of->why), "%s", strerror(errno));
	} else if ((uint64_t)n > b->left) {
		snprintf(b->of->why, sizeof(b->of->why), "more than %llu MiB; --limit allows more",
			 (unsigned long long)(b->of->file_max >> 20));
		n = -1;
	} else {
		b->left -= (uint64_t)n;
	}
	return n;
}

static void close_file(void *stream)
{
	struct bounded *b = stream;

	fclose(b->file);
	free(b);
}

static int cannot_list(struct capture_source *c, const char *dir)
{
	snprintf(c->name, sizeof(c->name), "%s", dir);
	snprintf(c->why, sizeof(c->why), "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
	return -1;
}

static int list_folder(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name),
		       void *each_ctx)
{
	struct capture_source *c = ctx;
	char *path = capture_path(c->dir, dir, "");
	struct dirent *entry;
	int rc = 0;
	DIR *d = path ? opendir(path) : NULL;

	free(path);
	if (!d && path && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (!d)
		return cannot_list(c, dir);
	while (!rc && (errno = 0, entry = readdir(d)))
		rc = each(each_ctx, entry->d_name);
	if (!rc && errno)
		rc = cannot_list(c, dir);
	closedir(d);
	return rc;
}

struct fs_source capture_source(struct capture_source *c, const char *dir, uint64_t file_max, bool outside)
{
	*c = (struct capture_source){ .dir = dir, .shown = dir, .file_max = file_max, .outside = outside };
	return (struct fs_source){ c, dir, open_file, read_file, close_file, list_folder };
}

int capture_source_report(const struct invocation *inv, const struct capture_source *c, struct fs_error *err)
{
	if (err->code == FS_EIO && *c->why) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->file, sizeof(err->file), "%.160s/%s", c->shown, c->name);
		snprintf(err->message, sizeof(err->message), "%s", c->why);
	}
	return report(inv, err);
}
