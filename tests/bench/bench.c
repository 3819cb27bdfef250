/* bench FILE BASE: the cost of reading, computing and sorting a snapshot. BASE is the same snapshot
 * without jobs. Prints one line of numbers, in this order:
 *
 *   jobs, bytes of FILE
 *   bare     s  getline, cJSON_ParseWithLength and cJSON_Delete of each line, nothing else
 *   read     s  fs_snapshot_read
 *   compute  s  fs_shares_compute and fs_prios_compute
 *   sort     s  priority of each row by fs_prios_row, then the rows by decreasing priority
 *   peak    KiB most resident memory of a process that reads and computes FILE
 *   base    KiB most resident memory of a process that reads and computes BASE
 *   names       bytes of the distinct job names and users, with their NULs
 *
 * Seconds are CPU time, which depends less on other load. Each phase runs ROUNDS times, each time in a new
 * child process; the phases bare and read alternate. The minimum of each number of seconds is printed. */
#include "fs.h"

#include "phase.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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

static void measure_bare(const char *name, void *result)
{
	((struct result *)result)->bare = bare_pass(name);
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

static void measure_read(const char *name, void *result)
{
	struct result *const r = result;
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

/* A set of strings, which stores only the hash of each string. */
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

static void count_names(const char *name, void *result)
{
	struct result *const r = result;
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

int main(int argc, char **argv)
{
	struct result bare = { 0 }, read = { 0 }, names = { 0 }, min = { 0 };

	if (argc != 3) {
		fputs("usage: bench FILE BASE\n", stderr);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		in_child(measure_bare, argv[1], &bare, sizeof(bare));
		in_child(measure_read, argv[1], &read, sizeof(read));
		if (!i)
			min = read;
		min.bare = i ? fmin(min.bare, bare.bare) : bare.bare;
		min.read = fmin(min.read, read.read);
		min.compute = fmin(min.compute, read.compute);
		min.sort = fmin(min.sort, read.sort);
	}
	in_child(measure_read, argv[2], &read, sizeof(read));
	in_child(count_names, argv[1], &names, sizeof(names));
	printf("%llu %llu %.4f %.4f %.4f %.4f %ld %ld %llu\n", min.jobs, min.bytes, min.bare,
	       min.read, min.compute, min.sort, min.peak_kib, read.peak_kib,
	       names.names);
	return 0;
}
