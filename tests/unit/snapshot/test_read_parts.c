/* snapshot/read_parts: read in parts by several readers, a snapshot is the same as read by one: rows, ids, warnings,
 * lines, and every refusal. */
#include "fstest.h"
#include "model/tables.h"

#include <pthread.h>

static const char *const files[] = { "cmd/demo.jsonl", "tests/top/odyssey.jsonl", "tests/top/maui.jsonl",
				     "tests/cli/examples/flux.jsonl" };

/* Tasks in an order that no one may count on. */
static void backwards(void *ctx, size_t n, fs_task_fn task, void *arg)
{
	(*(unsigned *)ctx)++;
	while (n--)
		task(arg, n);
}

struct errand {
	fs_task_fn task;
	void *arg;
	size_t i;
};

static void *run_errand(void *arg)
{
	const struct errand *e = arg;

	e->task(e->arg, e->i);
	return NULL;
}

/* All at the same time. */
static void together(void *ctx, size_t n, fs_task_fn task, void *arg)
{
	struct errand errand[16];
	pthread_t thread[16];

	(*(unsigned *)ctx)++;
	assert_in_range(n, 1, 16);
	for (size_t i = 0; i < n; i++) {
		errand[i] = (struct errand){ task, arg, i };
		assert_int_equal(pthread_create(&thread[i], NULL, run_errand, &errand[i]), 0);
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static struct fst_sink text_of(const char *name)
{
	FILE *f = fopen(name, "rb");
	struct fst_sink s = { 0 };
	char buf[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		fst_write(&s, buf, n);
	fclose(f);
	return s;
}

static int read_as(const struct fst_sink *s, const struct fs_read_options *o, fs_snapshot **out,
		   struct fs_error *err)
{
	struct fst_text t = { s->data, s->len, 0 };

	*out = NULL;
	memset(err, 0, sizeof(*err));
	return fs_snapshot_read_with(out, fst_read, &t, "test", o, err);
}

static void same_table(const struct fsi_intern *a, const struct fsi_intern *b)
{
	assert_int_equal(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++)
		assert_string_equal(fsi_intern_str(a, i), fsi_intern_str(b, i));
}

static void same_snapshot(const fs_snapshot *a, const fs_snapshot *b)
{
	struct fst_sink x = fst_written(a), y = fst_written(b);

	assert_string_equal(x.data, y.data);
	same_table(&a->names, &b->names);
	assert_int_equal(a->sets.count, b->sets.count);
	assert_int_equal(fs_snapshot_warnings(a), fs_snapshot_warnings(b));
	for (size_t i = 0; i < fs_snapshot_warnings(a); i++)
		assert_string_equal(fs_snapshot_warning(a, i), fs_snapshot_warning(b, i));
	assert_int_equal(a->job.n, b->job.n);
	for (size_t i = 0; i < a->job.n; i++)
		assert_int_equal(a->job.v[i].rec.line, b->job.v[i].rec.line);
	assert_int_equal(a->info.usage_records, b->info.usage_records);
	fst_free(&x);
	fst_free(&y);
}

/* Returns whether it was accepted. */
static bool same_in_parts_by(fs_parallel_fn parallel, const struct fst_sink *text, struct fs_read_options o,
			     unsigned threads, size_t bytes, unsigned *rounds)
{
	struct fs_error err[2];
	fs_snapshot *one, *parts;
	const int want = read_as(text, &o, &one, &err[0]);

	o.threads = threads;
	o.parallel = parallel;
	o.parallel_ctx = rounds;
	o.part_bytes = bytes;
	const int rc = read_as(text, &o, &parts, &err[1]);
	if (rc != want || memcmp(&err[0], &err[1], sizeof(err[0])) != 0)
		print_error("%u threads, %zu bytes: %s:%llu %s\nnot %s:%llu %s\n", threads, bytes,
			    err[1].field, (unsigned long long)err[1].line, err[1].message,
			    err[0].field, (unsigned long long)err[0].line, err[0].message);
	assert_int_equal(rc, want);
	assert_memory_equal(&err[0], &err[1], sizeof(err[0]));
	if (!rc)
		same_snapshot(one, parts);
	fs_snapshot_free(one);
	fs_snapshot_free(parts);
	return !rc;
}

static bool same_in_parts(const struct fst_sink *text, struct fs_read_options o, unsigned threads, size_t bytes,
			  unsigned *rounds)
{
	return same_in_parts_by(backwards, text, o, threads, bytes, rounds);
}

static struct fs_read_options any_options(uint64_t *seed)
{
	const uint32_t bits = fst_below(seed, 16);

	return (struct fs_read_options){ .without_usage = bits & 1,
					 .usage_follows = (bits & 3) == 3,
					 .without_recorded = bits & 4,
					 .without_jobs = bits & 8 };
}

static void whole_files(void **state)
{
	const struct fs_read_options all = { 0 };
	unsigned rounds = 0;
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct fst_sink s = text_of(files[i]);

		for (size_t bytes = 1; bytes < 40000; bytes = bytes * 3 + 1)
			for (unsigned threads = 2; threads < 6; threads++) {
				assert_true(same_in_parts(&s, all, threads, bytes, &rounds));
				same_in_parts(&s, any_options(&seed), threads, bytes, &rounds);
			}
		s.len -= s.data[s.len - 1] == '\n';
		assert_true(same_in_parts(&s, all, 3, 1000, &rounds));
		fst_free(&s);
	}
	assert_in_range(rounds, 100, 1000000);
}

static size_t line_start(const struct fst_sink *s, size_t at)
{
	while (at && s->data[at - 1] != '\n')
		at--;
	return at;
}

static void insert(struct fst_sink *s, size_t at, const char *piece)
{
	struct fst_sink out = { 0 };
	char *quoted = fst_quoted(piece);

	fst_write(&out, s->data, at);
	fst_write(&out, quoted, strlen(quoted));
	fst_write(&out, s->data + at, s->len - at);
	free(quoted);
	fst_free(s);
	*s = out;
}

static void damage(uint64_t *seed, struct fst_sink *s)
{
	static const char *const lines[] = {
		"{'type':'config','Later':'yes'}\n",
		"{'type':'config','Later':'again'}\n",
		"{'type':'weather','sky':'blue'}\n",
		"{'type':'job','id':77,'state':'PENDING','new':1,'newer':{'a':[1]},'name':'x\\u0041'}\n",
		"{'type':'job','id':77,'state':'PENDING','name':'caf\\u00e9','account':'fresh'}\n",
		"{'id':78,'state':'PENDING','tres_req':{'cpu':1,'gres/moon':2},'type':'job'}\n",
		"{'type':'job','id':79,'state':'PENDING','partitions':['a','b'],'new':2}\n",
		"{'type':'job','id':80,'state':'NOWHERE','name':'unread'}\n",
		"{'type':'snapshot','format':1}\n",
		"\n",
		"  \t \n",
		"{'type':'usage','job':5,'start_time':10,'end_time':5}\n",
	};
	static const char bytes[] = "\"{}[],:\\0x\n\x01\x80";
	const size_t at = fst_below(seed, (uint32_t)s->len);

	switch (fst_below(seed, 4)) {
	case 0:
		s->data[at] = bytes[fst_below(seed, sizeof(bytes))];
		break;
	case 1:
		insert(s, line_start(s, at), "{'type':'weather','wind':3}\n");
		break;
	default:
		insert(s, line_start(s, at), lines[fst_below(seed, sizeof(lines) / sizeof(*lines))]);
	}
}

static void damaged_files(void **state)
{
	unsigned rounds = 0, accepted = 0;
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		struct fst_sink s = text_of(files[fst_below(&seed, sizeof(files) / sizeof(*files))]);
		char *records = strstr(s.data, "\"records\"");

		if (records && fst_below(&seed, 10)) /* else the counts are wrong */
			records[1] = 'R';
		for (uint32_t n = 1 + fst_below(&seed, 4); n; n--)
			damage(&seed, &s);
		accepted += same_in_parts(&s, any_options(&seed), 2 + fst_below(&seed, 4),
					  1 + fst_below(&seed, 3000), &rounds);
		fst_free(&s);
	}
	assert_in_range(accepted, 300, 1400);
}

/* A tenth of them damaged: a thread has then to wait for the reader of the whole. */
static void files_by_threads(void **state)
{
	unsigned rounds = 0, accepted = 0;
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 400; i++) {
		struct fst_sink s = text_of(files[fst_below(&seed, sizeof(files) / sizeof(*files))]);
		struct fs_read_options o = any_options(&seed);

		if (!fst_below(&seed, 10))
			damage(&seed, &s);
		accepted += same_in_parts_by(together, &s, o, 2 + fst_below(&seed, 14), 200 + fst_below(&seed, 3000),
					     &rounds);
		fst_free(&s);
	}
	assert_in_range(accepted, 300, 399);
}

static void a_line_too_long(void **state)
{
	const struct fs_read_options all = { 0 };
	const size_t len = 5 * 1024 * 1024;
	struct fst_sink s = text_of(files[0]);
	char *line = malloc(len + 1);
	unsigned rounds = 0;

	(void)state;
	assert_non_null(line);
	memset(line, 'x', len);
	line[len] = '\0';
	insert(&s, line_start(&s, s.len - 5), line);
	free(line);
	for (size_t bytes = 1000; bytes < 10000000; bytes *= 7)
		assert_false(same_in_parts(&s, all, 3, bytes, &rounds));
	fst_free(&s);
}

/* Ends with an error, not with the end. */
static ptrdiff_t read_broken(void *ctx, void *buf, size_t size)
{
	const ptrdiff_t n = fst_read(ctx, buf, size);

	return n ? n : -1;
}

static void reading_fails(void **state)
{
	struct fst_sink s = text_of(files[0]);

	(void)state;
	for (size_t limit = 100; limit < s.len; limit += s.len / 23) {
		struct fs_error err[2];

		memset(err, 0, sizeof(err));
		for (int i = 0; i < 2; i++) {
			struct fst_text b = { s.data, limit, 0 };
			const struct fs_read_options o = { .threads = i ? 3 : 1,
							   .parallel = backwards,
							   .parallel_ctx = &(unsigned){ 0 },
							   .part_bytes = 700 };
			fs_snapshot *m = NULL;

			assert_int_equal(fs_snapshot_read_with(&m, read_broken, &b, "test", &o, &err[i]),
					 FS_EIO);
			assert_null(m);
		}
		assert_memory_equal(&err[0], &err[1], sizeof(err[0]));
	}
	fst_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_files),
		cmocka_unit_test(damaged_files),
		cmocka_unit_test(files_by_threads),
		cmocka_unit_test(a_line_too_long),
		cmocka_unit_test(reading_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
