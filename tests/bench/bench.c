/* bench FILE BASE: what reading, computing and sorting a snapshot costs. BASE is the same snapshot
 * without jobs. Prints one line of numbers, in this order:
 *
 *   jobs, bytes of FILE
 *   bare     s  getline, cJSON_ParseWithLength and cJSON_Delete of each line, nothing else
 *   read     s  fs_snapshot_read
 *   compute  s  fs_shares_compute and fs_prios_compute
 *   sort     s  priority of each row by fs_prios_row, then the rows by falling priority
 *   peak    KiB most resident memory of a process that reads and computes FILE
 *   base    KiB the same of BASE
 *   names       bytes of the distinct job names and users, with their NULs
 *
 * Seconds are of CPU time: others on the machine disturb that less. Each phase runs in a child
 * process of its own, bare and read in turns; the least time counts. */
#include "fs.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3 };

struct result {
	double bare, read, compute, sort;
	unsigned long long jobs, bytes, names;
	long peak_kib;
};

struct ranked {
	double priority;
	size_t row;
};

static void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static FILE *open_file(const char *name)
{
	FILE *f = fopen(name, "rb");

	if (!f)
		die(name);
	return f;
}

static void measure_bare(const char *name, struct result *r)
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
	r->bare = now() - start;
}

static ptrdiff_t read_stream(void *stream, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, stream);

	return n || !ferror((FILE *)stream) ? (ptrdiff_t)n : -1;
}

static void check(int rc, const struct fs_error *err)
{
	char text[800];

	if (!rc)
		return;
	fs_error_format(err, text, sizeof(text));
	fprintf(stderr, "bench: %s\n", text);
	exit(1);
}

static int by_falling_priority(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

static void sort_rows(fs_prios *p)
{
	const size_t n = fs_prios_count(p);
	struct ranked *rank = malloc((n + 1) * sizeof(*rank));
	struct fs_prio_row row;

	if (!rank)
		die("sorting");
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, i, &row);
		rank[i] = (struct ranked){ isnan(row.priority) ? -INFINITY : row.priority, i };
	}
	qsort(rank, n, sizeof(*rank), by_falling_priority);
	free(rank);
}

static void measure_read(const char *name, struct result *r)
{
	const double start = now();
	FILE *f = open_file(name);
	fs_snapshot *s;
	fs_shares *shares;
	fs_prios *prios;
	struct fs_error err;
	struct rusage usage;

	check(fs_snapshot_read(&s, read_stream, f, name, &err), &err);
	const double have_read = now();
	check(fs_shares_compute(&shares, s, NULL, &err), &err);
	check(fs_prios_compute(&prios, s, NULL, &err), &err);
	const double have_computed = now();
	getrusage(RUSAGE_SELF, &usage);
	const double sorting = now();
	sort_rows(prios);
	r->sort = now() - sorting;
	r->read = have_read - start;
	r->compute = have_computed - have_read;
	r->peak_kib = usage.ru_maxrss;
	r->jobs = fs_snapshot_info(s)->jobs;
	r->bytes = (unsigned long long)ftello(f);
	fs_prios_free(prios);
	fs_shares_free(shares);
	fs_snapshot_free(s);
	fclose(f);
}

/* Set of strings, as their hashes. */
struct seen {
	uint64_t *hash;
	size_t n, cap;
};

static bool add_hash(struct seen *s, uint64_t hash)
{
	size_t i = hash & (s->cap - 1);

	while (s->hash[i] && s->hash[i] != hash)
		i = (i + 1) & (s->cap - 1);
	if (s->hash[i] == hash)
		return false;
	s->hash[i] = hash;
	s->n++;
	return true;
}

static void grow(struct seen *s)
{
	struct seen bigger = { .cap = s->cap ? s->cap * 2 : 1024 };

	bigger.hash = calloc(bigger.cap, sizeof(*bigger.hash));
	if (!bigger.hash)
		die("counting names");
	for (size_t i = 0; i < s->cap; i++)
		if (s->hash[i])
			add_hash(&bigger, s->hash[i]);
	free(s->hash);
	*s = bigger;
}

static size_t new_bytes(struct seen *s, const cJSON *item)
{
	const char *text = cJSON_GetStringValue(item);
	uint64_t hash = 0xcbf29ce484222325u;

	if (!text)
		return 0;
	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
	if (s->n * 2 >= s->cap)
		grow(s);
	return add_hash(s, hash | 1) ? strlen(text) + 1 : 0;
}

static void count_names(const char *name, struct result *r)
{
	static const char job[] = "{\"type\":\"job\",";
	FILE *f = open_file(name);
	struct seen seen = { 0 };
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, f)) > 0) {
		if (strncmp(line, job, sizeof(job) - 1) != 0)
			continue;
		cJSON *root = cJSON_ParseWithLength(line, (size_t)n);

		r->names += new_bytes(&seen, cJSON_GetObjectItemCaseSensitive(root, "name"));
		r->names += new_bytes(&seen, cJSON_GetObjectItemCaseSensitive(root, "user"));
		cJSON_Delete(root);
	}
	free(seen.hash);
	free(line);
	fclose(f);
}

/* The result of the phase, run in a child, which therefore starts with a small heap each time. */
static struct result in_child(void (*phase)(const char *, struct result *), const char *name)
{
	struct result r = { 0 };
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		die("pipe");
	pid = fork();
	if (pid < 0)
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
	struct result bare, read, least = { 0 };

	if (argc != 3) {
		fputs("usage: bench FILE BASE\n", stderr);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		bare = in_child(measure_bare, argv[1]);
		read = in_child(measure_read, argv[1]);
		if (!i)
			least = read;
		least.bare = i ? fmin(least.bare, bare.bare) : bare.bare;
		least.read = fmin(least.read, read.read);
		least.compute = fmin(least.compute, read.compute);
		least.sort = fmin(least.sort, read.sort);
	}
	read = in_child(measure_read, argv[2]);
	printf("%llu %llu %.4f %.4f %.4f %.4f %ld %ld %llu\n", least.jobs, least.bytes, least.bare,
	       least.read, least.compute, least.sort, least.peak_kib, read.peak_kib,
	       in_child(count_names, argv[1]).names);
	return 0;
}
