/* What both sides of a digest must agree on. */
#include "history/digest.h"
#include "history/digest_form.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *digest_name(const char *file)
{
	char *name = malloc(strlen(file) + sizeof(".digest"));

	if (name) {
		strcpy(name, file);
		strcat(name, ".digest");
	}
	return name;
}

/* A compressed file ends with the checksum of what it holds. */
int digest_stamp(const char *file, struct digest_stamp *out)
{
	enum { END = 4096 };
	const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char buf[END];
	ssize_t n = -1;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		n = pread(fd, buf, END, st.st_size > END ? st.st_size - END : 0);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -1;
	*out = (struct digest_stamp){ .size = (uint64_t)st.st_size,
				      .end = fs_index_checksum(buf, (size_t)n),
				      .owner = st.st_uid };
	return 0;
}
