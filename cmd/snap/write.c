#include "snap/snap.h"
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_stream(const struct invocation *inv, const fs_snapshot *s, FILE *stream,
			const char *name)
{
	struct fs_error err;

	if (!fs_snapshot_write(s, stream_write, stream, &err) && !fflush(stream))
		return EXIT_DONE;
	complain(inv, "%s: %s", name, strerror(errno));
	return EXIT_FAILED;
}

/* A temporary file beside the target, renamed when complete. */
static int write_file(const struct invocation *inv, const fs_snapshot *s, const char *output)
{
	char *tmp = malloc(strlen(output) + sizeof(".XXXXXX"));
	int fd, status = EXIT_FAILED;
	FILE *stream;

	if (!tmp)
		return EXIT_FAILED;
	strcpy(tmp, output);
	strcat(tmp, ".XXXXXX");
	fd = mkstemp(tmp); /* mode 0600 */
	stream = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!stream) {
		complain(inv, "%s: %s", output, strerror(errno));
		free(tmp);
		return EXIT_FAILED;
	}
	status = write_stream(inv, s, stream, output);
	if (fclose(stream) && !status) {
		complain(inv, "%s: %s", output, strerror(errno));
		status = EXIT_FAILED;
	}
	if (!status && rename(tmp, output)) {
		complain(inv, "%s: %s", output, strerror(errno));
		status = EXIT_FAILED;
	}
	if (status)
		unlink(tmp);
	free(tmp);
	return status;
}

int snap_write(const struct invocation *inv, const fs_snapshot *s, const char *output)
{
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		complain(inv, "warning: %s", fs_snapshot_warning(s, i));
	return output ? write_file(inv, s, output)
		      : write_stream(inv, s, stdout, "standard output");
}
