/* usage FILE: what computing usage from the job records of a snapshot costs beside a bare pass.
 * Prints: records, bare seconds, ours (both readings), peak KiB.
 *
 *   bare   s  getline, cJSON_ParseWithLength and cJSON_Delete of each line, nothing else
 *   ours   s  fs_snapshot_read_state, then fs_usage_read on the same file, and the sums
 *
 * CPU time; each in a process of its own, in turns; the least counts. */
#include "fs.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3 };

struct result {
	double s;
	size_t records;
	long peak_kib;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "usage: %s\n", what);
	exit(1);
}

static FILE *open_file(const char *name)
{
	FILE *f = fopen(name, "rb");

	if (!f)
		die(name);
	return f;
}

static ptrdiff_t read_file(void *f, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, f);

	return n || !ferror((FILE *)f) ? (ptrdiff_t)n : -1;
}

static void bare(const char *name, struct result *r)
{
	FILE *f = open_file(name);
	const double start = now();
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, f)) > 0) {
		cJSON *j = cJSON_ParseWithLength(line, (size_t)n);

		if (!j)
			die("not JSON");
		cJSON_Delete(j);
	}
	r->s = now() - start;
	free(line);
	fclose(f);
}

static void ours(const char *name, struct result *r)
{
	const struct fs_usage_options o = { .source = FS_USAGE_COMPUTED };
	FILE *f = open_file(name);
	const double start = now();
	struct fs_usage_info info;
	struct rusage usage;
	struct fs_error err;
	fs_snapshot *s;
	fs_usage *u;

	if (fs_snapshot_read_state(&s, read_file, f, name, true, &err) || fs_usage_begin(&u, s, &o, &err))
		die(err.message);
	rewind(f);
	if (fs_usage_read(u, read_file, f, name, &err) || fs_usage_finish(u, &err))
		die(err.message);
	r->s = now() - start;
	fs_usage_info(u, &info);
	r->records = info.records;
	getrusage(RUSAGE_SELF, &usage);
	r->peak_kib = usage.ru_maxrss;
	fs_usage_free(u);
	fs_snapshot_free(s);
	fclose(f);
}

static struct result in_child(void (*phase)(const char *, struct result *), const char *name)
{
	struct result r = { 0 };
	int ends[2], status;
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		die("fork");
	if (!pid) {
		phase(name, &r);
		_exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
	}
	close(ends[1]);
	const ssize_t got = read(ends[0], &r, sizeof(r));
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid || status || got != sizeof(r))
		exit(1);
	return r;
}

int main(int argc, char **argv)
{
	struct result b, least = { 0 };
	double least_bare = 0;

	if (argc != 2) {
		fputs("usage: usage FILE\n", stderr);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		b = in_child(bare, argv[1]);
		const struct result r = in_child(ours, argv[1]);

		if (!i || r.s < least.s)
			least = r;
		if (!i || b.s < least_bare)
			least_bare = b.s;
	}
	printf("%zu %.4f %.4f %ld\n", least.records, least_bare, least.s, least.peak_kib);
	return 0;
}
