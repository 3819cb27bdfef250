#include "history/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_with(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);

	return n > k && !strcmp(s + n - k, end);
}

static int add(struct folder *f, const char *name)
{
	const size_t size = strlen(f->path) + strlen(name) + 2;
	char *file = malloc(size);

	if (file)
		snprintf(file, size, "%s/%s", f->path, name);
	return names_take(&f->file, file);
}

/* Looks at one file: 0, or an error number. It may be removed by fs-snap keep meanwhile, which is no error. */
static int look_at(struct folder *f, int dir, uid_t owner, const char *name)
{
	struct stat st;

	if (*name == '.' || (!ends_with(name, ".jsonl") && !ends_with(name, ".jsonl.zst")))
		return 0;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (st.st_uid == owner || st.st_uid == geteuid() || st.st_uid == 0)
		return add(f, name) ? ENOMEM : 0;
	f->foreign++;
	return 0;
}

int folder_open(const struct invocation *inv, const char *path, struct folder *out)
{
	DIR *dir = opendir(path);
	const struct dirent *e = NULL;
	struct stat st;
	int rc = 0, error;

	*out = (struct folder){ .path = strdup(path) };
	if (!dir || fstat(dirfd(dir), &st)) {
		complain(inv, "%s: %s", path, strerror(errno));
		if (dir)
			closedir(dir);
		return EXIT_FAILED;
	}
	while (out->path && !rc && (errno = 0, e = readdir(dir)))
		rc = look_at(out, dirfd(dir), st.st_uid, e->d_name);
	error = rc ? rc : e ? 0 : errno;
	closedir(dir);
	if (error == ENOMEM || !out->path)
		return no_memory(inv);
	if (error) {
		complain(inv, "%s: %s", path, strerror(error));
		return EXIT_FAILED;
	}
	names_sort(&out->file);
	if (out->foreign)
		complain(inv, "%s: %zu files of other users are left out", path, out->foreign);
	return 0;
}

void folder_close(struct folder *f)
{
	names_free(&f->file);
	free(f->path);
}
