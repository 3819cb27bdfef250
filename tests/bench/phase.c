#include "phase.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

FILE *open_file(const char *name)
{
	FILE *f = fopen(name, "rb");

	if (!f)
		die(name);
	return f;
}

ptrdiff_t read_stream(void *stream, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, stream);

	return n || !ferror((FILE *)stream) ? (ptrdiff_t)n : -1;
}

double bare_pass(const char *name)
{
	const double start = now();
	FILE *f = open_file(name);
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, f)) > 0) {
		cJSON *root = cJSON_ParseWithLength(line, (size_t)n);

		if (!root)
			die("not JSON");
		cJSON_Delete(root);
	}
	free(line);
	fclose(f);
	return now() - start;
}

void in_child(void (*phase)(const char *name, void *result), const char *name, void *result, size_t size)
{
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		phase(name, result);
		_exit(write(ends[1], result, size) != (ssize_t)size);
	}
	close(ends[1]);
	const ssize_t got = read(ends[0], result, size);
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid || status || got != (ssize_t)size)
		exit(1);
}
