/* Where the programs asked are found. */
#include "capture/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* If not, errno is ENOENT, or what kept it from being looked at. */
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
		if (*dir != '/') /* nothing from wherever the caller stands */
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
