#include "input/index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENDS = 64 * 1024 }; /* bytes at the beginning and at the end of a file that its checksum is of */

struct mapped {
	void *bytes;
	size_t size;
	bool copied;
};

char *index_name(const char *file)
{
	char *name = malloc(strlen(file) + sizeof(".fsx"));

	if (name) {
		strcpy(name, file);
		strcat(name, ".fsx");
	}
	return name;
}

/* Size bytes from `at`, or less where the file ends. */
static size_t read_at(int fd, char *buf, size_t size, off_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && (n = pread(fd, buf + done, size - done, at + (off_t)done)) > 0)
		done += (size_t)n;
	return done;
}

int index_key(FILE *stream, struct fs_index_key *key, struct stat *st)
{
	const int fd = fileno(stream);

	if (fstat(fd, st) || !S_ISREG(st->st_mode))
		return -1;
	const off_t last = st->st_size > ENDS ? st->st_size - ENDS : 0;
	char *buf = malloc(2 * ENDS);
	size_t n;

	if (!buf)
		return -1;
	n = read_at(fd, buf, ENDS, 0);
	n += read_at(fd, buf + n, ENDS, last);
	*key = (struct fs_index_key){
		.size = (uint64_t)st->st_size,
		.mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec,
		.inode = (uint64_t)st->st_ino,
		.ends = fs_index_checksum(buf, n),
	};
	free(buf);
	return 0;
}

static void release(void *ctx)
{
	struct mapped *m = ctx;

	if (m->copied)
		free(m->bytes);
	else
		munmap(m->bytes, m->size);
	free(m);
}

/* A file that another user than root could change while it is mapped is copied. */
static int load(int fd, const struct stat *st, struct mapped *m)
{
	m->size = (size_t)st->st_size;
	m->copied = st->st_uid != 0 && st->st_uid != geteuid();
	if (!m->copied) {
		m->bytes = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
		return m->bytes == MAP_FAILED ? -1 : 0;
	}
	if (posix_memalign(&m->bytes, 128, m->size))
		return -1;
	if (read_at(fd, m->bytes, m->size, 0) == m->size)
		return 0;
	free(m->bytes);
	return -1;
}

static int refuse(char why[INDEX_WHY], const char *reason)
{
	snprintf(why, INDEX_WHY, "%s", reason);
	return -1;
}

static int trusted(const struct stat *index, const struct stat *file, char why[INDEX_WHY])
{
	if (!S_ISREG(index->st_mode) || index->st_size <= 0)
		return refuse(why, "it is no index");
	if (index->st_uid != file->st_uid)
		return refuse(why, "it is not the snapshot's owner's");
	if (index->st_mode & (S_IWGRP | S_IWOTH))
		return refuse(why, "others than its owner may write to it");
	return 0;
}

static int use(int fd, const struct stat *st, const struct fs_index_key *key, const char *file,
	       const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY])
{
	struct mapped *m = malloc(sizeof(*m));
	struct fs_error err;

	if (!m || load(fd, st, m)) {
		free(m);
		return refuse(why, "it cannot be read");
	}
	const struct fs_index x = { m->bytes, m->size, *key, release, m };

	if (!fs_index_read(out, &x, file, o, &err))
		return 0;
	release(m);
	return refuse(why, err.message);
}

int index_open(FILE *stream, const char *file, const struct fs_read_options *o, fs_snapshot **out, char why[INDEX_WHY])
{
	char *name = index_name(file);
	const int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct fs_index_key key;
	struct stat st, of_file;
	int rc = -1;

	*why = '\0';
	free(name);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || index_key(stream, &key, &of_file))
		refuse(why, "it cannot be read");
	else if (!trusted(&st, &of_file, why))
		rc = use(fd, &st, &key, file, o, out, why);
	close(fd);
	return rc;
}
