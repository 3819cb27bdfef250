#include "capture/kept.h"

#include "capture/outputs.h"
#include "files/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Nothing is kept unless the folder is the user's alone. */
static const char *folder(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct stat st;

	if (!dir || *dir != '/' || stat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IRWXG | S_IRWXO)))
		return NULL;
	return dir;
}

static uint64_t mixed(uint64_t h, const char *s)
{
	const uint64_t both[] = { h, s ? fs_index_checksum(s, strlen(s)) : 0 };

	return fs_index_checksum(both, sizeof(both));
}

/* Which cluster answers, and as whom it is asked, depends on the environment that commands run in
 * (capture/command.c): so does the file's name. */
static char *path_of(const char *suffix)
{
	static const char *const decide[] = { "PATH", "SLURM_CONF", "FLUX_URI", "TZ", "USER", "HOME" };
	const char *dir = folder();
	uint64_t whom = 0;
	char name[60];

	for (size_t i = 0; i < sizeof(decide) / sizeof(*decide); i++)
		whom = mixed(whom, getenv(decide[i]));
	snprintf(name, sizeof(name), "fs-tools-%016llx", (unsigned long long)mixed(whom, FS_VERSION));
	return dir ? capture_path(dir, name, suffix) : NULL;
}

static bool is_young(int fd, int *age_s)
{
	struct timespec now;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IRWXG | S_IRWXO)))
		return false;
	*age_s = (int)(now.tv_sec - st.st_mtim.tv_sec);
	return now.tv_sec >= st.st_mtim.tv_sec && now.tv_sec - st.st_mtim.tv_sec < KEPT_S;
}

static fs_snapshot *read_one(const char *suffix, int *age_s)
{
	char *path = path_of(suffix);
	const int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	FILE *f = fd >= 0 && is_young(fd, age_s) ? fdopen(fd, "rb") : NULL;
	fs_snapshot *s = NULL;
	struct fs_error err;

	if (f && fs_snapshot_read(&s, stream_read, f, path, &err))
		s = NULL;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	free(path);
	return s;
}

/* By enum capture_need. */
static const char *const suffixes[] = { ".jsonl", ".shares.jsonl", ".tree.jsonl", ".priorities.jsonl" };

fs_snapshot *kept_read(enum capture_need need, int *age_s)
{
	fs_snapshot *s = read_one(suffixes[CAPTURE_ALL], age_s);

	if (!s && need == CAPTURE_SHARES)
		s = read_one(suffixes[CAPTURE_NO_JOBS], age_s);
	return s || need == CAPTURE_ALL ? s : read_one(suffixes[need], age_s);
}

static int fill(const fs_snapshot *s, int fd)
{
	FILE *f = fdopen(fd, "wb");
	struct fs_error err;
	int rc;

	if (!f) {
		close(fd);
		return -1;
	}
	rc = fs_snapshot_write(s, stream_write, f, &err);
	return fclose(f) || rc ? -1 : 0;
}

void kept_write(const fs_snapshot *s, enum capture_need need)
{
	char *path = path_of(suffixes[need]), *tmp = path_of(".XXXXXX");
	const int fd = path && tmp ? mkstemp(tmp) : -1; /* mode 0600 */

	if (fd >= 0 && (fill(s, fd) || rename(tmp, path)))
		unlink(tmp);
	free(path);
	free(tmp);
}
