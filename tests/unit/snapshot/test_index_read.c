/* snapshot/index: a snapshot read from its index is equal to the snapshot read from its lines. A damaged index, or the
 * index of another file, is refused. No content of an index causes a read outside of the index. */
#include "fsindex.h"
#include "fs/scenario.h"
#include "fstest.h"

static const char *const files[] = { "cmd/demo.jsonl", "tests/top/odyssey.jsonl", "tests/top/maui.jsonl",
				     "tests/cli/examples/flux.jsonl" };
static const struct fs_index_key key = { 1, 2, 3, 4 };

static fs_snapshot *snapshot_of(const char *name)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(fs_snapshot_open(&m, name, &err), 0);
	return m;
}

static struct fst_sink index_of(const fs_snapshot *m)
{
	struct fst_sink s = { 0 };
	struct fs_error err;

	assert_int_equal(fs_index_write(m, &key, fst_write, &s, &err), 0);
	return s;
}

static int read_index(const struct fst_sink *s, const struct fs_index_key *k, fs_snapshot **out, struct fs_error *err)
{
	const struct fs_index x = { .bytes = s->data, .size = s->len, .key = *k };
	const struct fs_read_options all = { 0 };

	return fs_index_read(out, &x, "again", &all, err);
}

static void same_text(const fs_snapshot *a, const fs_snapshot *b)
{
	struct fst_sink x = fst_written(a), y = fst_written(b);

	assert_string_equal(x.data, y.data);
	fst_free(&x);
	fst_free(&y);
}

static void a_snapshot_from_its_index_is_equal_to_the_original(void **state)
{
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		fs_snapshot *m = snapshot_of(files[i]), *again;
		struct fst_sink s = index_of(m), second;

		assert_int_equal(read_index(&s, &key, &again, &err), 0);
		same_text(m, again);
		assert_int_equal(m->names.count, again->names.count);
		assert_int_equal(m->job.v[m->job.n - 1].rec.line, again->job.v[again->job.n - 1].rec.line);
		assert_int_equal(m->info.usage_records, again->info.usage_records);
		second = index_of(again);
		assert_int_equal(s.len, second.len);
		fst_free(&second);
		fs_snapshot_free(again);
		fs_snapshot_free(m);
		fst_free(&s);
	}
}

static void warnings_use_the_present_file_name(void **state)
{
	fs_snapshot *m = fst_snapshot("{\"type\":\"snapshot\",\"format\":1,\"time\":9,\"cluster\":\"c\",\"scheduler\":\"slurm\"}\n"
				      "{\"type\":\"job\",\"id\":1,\"state\":\"PENDING\",\"new\":2}"), *again;
	struct fst_sink s = index_of(m);
	struct fs_error err;

	(void)state;
	assert_int_equal(read_index(&s, &key, &again, &err), 0);
	assert_int_equal(fs_snapshot_warnings(again), fs_snapshot_warnings(m));
	assert_non_null(strstr(fs_snapshot_warning(again, 0), "again:2: unknown key \"new\" skipped"));
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void an_index_of_another_file_is_refused(void **state)
{
	fs_snapshot *m = snapshot_of(files[0]), *again;
	struct fst_sink s = index_of(m);
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(key) / sizeof(uint64_t); i++) {
		struct fs_index_key other = key;

		((uint64_t *)&other)[i]++;
		assert_int_equal(read_index(&s, &other, &again, &err), FS_EDATA);
		assert_string_equal(err.message, "the snapshot has changed since the index was written");
	}
	fs_snapshot_free(m);
	fst_free(&s);
}

static void a_change_of_any_byte_is_refused(void **state)
{
	fs_snapshot *m = snapshot_of(files[3]), *again;
	struct fst_sink s = index_of(m);
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < s.len; i++) {
		s.data[i] ^= 1;
		/* the reader refuses an index with one changed byte, except in the zeros between the head and the first
		 * part */
		if (i < sizeof(struct fsi_index_head) || i >= FSI_INDEX_START)
			assert_int_equal(read_index(&s, &key, &again, &err), FS_EDATA);
		s.data[i] ^= 1;
	}
	const size_t len = s.len;

	for (s.len = 0; s.len < len; s.len += s.len < 4096 ? 1 : 4096)
		assert_int_equal(read_index(&s, &key, &again, &err), FS_EDATA);
	fs_snapshot_free(m);
	fst_free(&s);
}

/* An index stores recorded values in a separate part. A reader that excludes recorded values does not check this part,
 * even if it is damaged. */
static void parts_that_are_left_out_are_not_read(void **state)
{
	const struct fs_read_options without = { .without_usage = true, .without_recorded = true };
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':9,'cluster':'c','scheduler':'slurm'}\n"
				      "{'type':'job','id':1,'state':'PENDING'}\n"
				      "{'type':'recorded','job':1,'priority':17.5}\n"), *again;
	struct fst_sink s = index_of(m);
	const struct fs_index x = { .bytes = s.data, .size = s.len, .key = key };
	const struct fsi_index_head *h = (const void *)s.data;
	struct fs_error err;

	(void)state;
	assert_int_equal(m->recorded.n, 1);
	s.data[h->table[FSI_RECORD_RECORDED].at] ^= 1;
	assert_int_equal(read_index(&s, &key, &again, &err), FS_EDATA);
	assert_int_equal(fs_index_read(&again, &x, "again", &without, &err), 0);
	assert_int_equal(again->recorded.n, 0);
	assert_int_equal(again->job.n, m->job.n);
	assert_int_equal(again->info.usage_records, m->info.usage_records);
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
}

/* With valid checksums a damaged index is refused or gives a usable snapshot. */
static void hostile_of(const char *file)
{
	fs_snapshot *m = snapshot_of(file), *again;
	struct fst_sink s = index_of(m);
	unsigned char *was = malloc(s.len);
	uint64_t seed = 7;
	size_t taken = 0;
	struct fs_error err;

	assert_non_null(was);
	memcpy(was, s.data, s.len);
	for (int round = 0; round < 1500; round++) {
		for (unsigned k = fst_below(&seed, 3) + 1; k--;) {
			const size_t near = fst_below(&seed, 2) ? sizeof(struct fsi_index_head) : s.len;
			const uint32_t value = fst_below(&seed, 3) ? fst_below(&seed, 70000) : UINT32_MAX;

			memcpy(s.data + fst_below(&seed, (uint32_t)near - 4) / 4 * 4, &value, sizeof(value));
		}
		fst_index_sums(s.data, s.len);
		if (!read_index(&s, &key, &again, &err)) {
			struct fst_sink text = fst_written(again);

			taken++;
			fst_free(&text);
			fs_snapshot_free(again);
		} else {
			assert_int_equal(err.code, FS_EDATA);
		}
		memcpy(s.data, was, s.len);
	}
	assert_in_range(taken, 1, 1499);
	free(was);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void random_damage_is_refused_or_harmless(void **state)
{
	(void)state;
	hostile_of(files[0]);
	hostile_of(files[3]);
}

/* Extension rows of Flux jobs: no job refers to a missing row, and no row to a missing name. */
static void invalid_extension_rows_are_refused(void **state)
{
	fs_snapshot *m = snapshot_of(files[3]), *again;
	struct fst_sink s = index_of(m);
	const struct fsi_index_head *h = (const void *)s.data;
	struct fsi_job *job = (void *)(s.data + h->table[FSI_RECORD_JOB].at);
	struct fsi_job_ext *rare = (void *)(s.data + h->job_ext.at);
	struct fs_error err;

	(void)state;
	assert_int_equal(h->job_ext.n, m->job_ext.n);
	assert_in_range(h->job_ext.n, 1, UINT32_MAX);
	job->ext = (uint32_t)h->job_ext.n + 1;
	fst_index_sums(s.data, s.len);
	assert_int_equal(read_index(&s, &key, &again, &err), FS_EDATA);
	job->ext = (uint32_t)h->job_ext.n;
	fst_index_sums(s.data, s.len);
	assert_int_equal(read_index(&s, &key, &again, &err), 0);
	fs_snapshot_free(again);
	rare[h->job_ext.n - 1].phase = m->names.count;
	fst_index_sums(s.data, s.len);
	assert_int_equal(read_index(&s, &key, &again, &err), FS_EDATA);
	fs_snapshot_free(m);
	fst_free(&s);
}

/* Rows of the index are copied before they are changed. */
static void edits_do_not_change_the_index(void **state)
{
	fs_snapshot *m = snapshot_of(files[0]), *again;
	struct fst_sink s = index_of(m), was = { 0 };
	const struct fs_edit_options root = { .viewer = "root" };
	struct fs_error err;

	(void)state;
	fst_write(&was, s.data, s.len);
	assert_int_equal(read_index(&s, &key, &again, &err), 0);
	assert_int_equal(fs_snapshot_edit(again, "scontrol update job 812154 Priority=5", &root, &err), 0);
	assert_memory_equal(s.data, was.data, s.len);
	assert_false(again->borrowed);
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
	fst_free(&was);
}

static void a_failed_write_of_an_index_is_an_error(void **state)
{
	fs_snapshot *m = snapshot_of(files[0]);
	struct fst_sink s = { .limit = 100 };
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_index_write(m, &key, fst_write, &s, &err), FS_EIO);
	assert_string_equal(err.message, "cannot write the index");
	fst_free(&s);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_from_its_index_is_equal_to_the_original),
		cmocka_unit_test(warnings_use_the_present_file_name),
		cmocka_unit_test(an_index_of_another_file_is_refused),
		cmocka_unit_test(a_change_of_any_byte_is_refused),
		cmocka_unit_test(parts_that_are_left_out_are_not_read),
		cmocka_unit_test(random_damage_is_refused_or_harmless),
		cmocka_unit_test(invalid_extension_rows_are_refused),
		cmocka_unit_test(edits_do_not_change_the_index),
		cmocka_unit_test(a_failed_write_of_an_index_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
