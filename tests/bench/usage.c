/* usage FILE: the cost of computing usage from the job records of a snapshot, compared with a plain pass.
 * Prints the number of records, the seconds of `bare`, the seconds of `ours`, and the peak memory in KiB.
 *
 *   bare   s  getline, cJSON_ParseWithLength and cJSON_Delete of each line, nothing else
 *   ours   s  fs_snapshot_read_with, then fs_usage_read on the same file, and the sums
 *
 * Seconds are CPU time. Each measurement runs in a separate process, `bare` and `ours` alternate, and the minimum
 * counts. */
#include "fs.h"

#include "phase.h"

#include <sys/resource.h>

static const struct fs_read_options state_alone = { .without_usage = true,
						    .without_recorded = true,
						    .usage_follows = true };

enum { ROUNDS = 3 };

struct result {
	double s;
	size_t records;
	long peak_kib;
};

static void bare(const char *name, void *result)
{
	*(struct result *)result = (struct result){ .s = bare_pass(name) };
}

static void ours(const char *name, void *result)
{
	struct result *const r = result;
	const struct fs_usage_options o = { .source = FS_USAGE_COMPUTED };
	FILE *f = open_file(name);
	const double start = now();
	struct fs_usage_info info;
	struct rusage usage;
	struct fs_error err;
	fs_snapshot *s;
	fs_usage *u;

	if (fs_snapshot_read_with(&s, read_stream, f, name, &state_alone, &err) || fs_usage_begin(&u, s, &o, &err))
		die(err.message);
	rewind(f);
	if (fs_usage_read(u, read_stream, f, name, &err) || fs_usage_finish(u, &err))
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

int main(int argc, char **argv)
{
	struct result b = { 0 }, r = { 0 }, min = { 0 };
	double min_bare = 0;

	if (argc != 2) {
		fputs("usage: usage FILE\n", stderr);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		in_child(bare, argv[1], &b, sizeof(b));
		in_child(ours, argv[1], &r, sizeof(r));
		if (!i || r.s < min.s)
			min = r;
		if (!i || b.s < min_bare)
			min_bare = b.s;
	}
	printf("%zu %.4f %.4f %ld\n", min.records, min_bare, min.s, min.peak_kib);
	return 0;
}
