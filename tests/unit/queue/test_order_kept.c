/* queue/kept: the queue that an index keeps is the one that would be computed, is used where that would be computed
 * alone, and whatever stands in it, nothing outside it is read. */
#include "fsindex.h"
#include "fs/scenario.h"
#include "fstest.h"

#include "queue/queue.h"

static const struct fs_index_key key = { 1, 2, 3, 4 };
static const char *const files[] = { "cmd/demo.jsonl", "tests/top/odyssey.jsonl" };

static fs_snapshot *snapshot_of(const char *name)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(fs_snapshot_open(&m, name, &err), 0);
	return m;
}

static fs_queue *queue_of(const fs_snapshot *m, const struct fs_view *view)
{
	struct fs_queue_options o = FS_QUEUE_OPTIONS_INIT;
	struct fs_error err;
	fs_queue *q;

	if (view)
		o.view = *view;
	assert_int_equal(fs_queue_compute(&q, m, &o, &err), 0);
	return q;
}

static struct fst_sink index_of(const fs_snapshot *m)
{
	struct fst_sink s = { 0 };
	struct fs_index_kept kept;
	struct fs_error err;
	fs_queue *q = queue_of(m, NULL);
	void *bytes;

	assert_int_equal(fs_queue_keep(&bytes, &kept.size, q, &err), 0);
	kept.bytes = bytes;
	assert_int_equal(fs_index_write(m, &key, &kept, fst_write, &s, &err), 0);
	free(bytes);
	fs_queue_free(q);
	return s;
}

static int read_index(const struct fst_sink *s, fs_snapshot **out)
{
	const struct fs_index x = { .bytes = s->data, .size = s->len, .key = key };
	const struct fs_read_options all = { 0 };
	struct fs_error err;

	return fs_index_read(out, &x, "again", &all, &err);
}

static void same_queue(const fs_queue *a, const fs_queue *b)
{
	assert_int_equal(fs_queue_count(a), fs_queue_count(b));
	assert_memory_equal(a->record.v, b->record.v, a->record.n * sizeof(*a->record.v));
	assert_memory_equal(a->record_of, b->record_of, a->m->job.n * sizeof(*a->record_of));
	assert_int_equal(a->limits_stop, b->limits_stop);
	for (uint32_t i = 0; i < a->m->job.n; i++)
		assert_int_equal(fs_queue_verdict_kind(a, i), fs_queue_verdict_kind(b, i));
}

static void same_as_computed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		fs_snapshot *m = snapshot_of(files[i]), *again;
		struct fst_sink s = index_of(m);

		assert_int_equal(read_index(&s, &again), 0);
		fs_queue *kept = queue_of(again, NULL), *own = queue_of(m, NULL);

		assert_true(kept->kept);
		assert_false(own->kept);
		same_queue(kept, own);
		fs_queue_free(kept);
		fs_queue_free(own);
		fs_snapshot_free(again);
		fs_snapshot_free(m);
		fst_free(&s);
	}
}

/* What is private stays so: the records are everybody's, who sees them is asked for each. */
static void seen_by_whom(void **state)
{
	fs_snapshot *m = fst_snapshot("{\"type\":\"snapshot\",\"format\":1,\"time\":9,\"cluster\":\"c\",\"scheduler\":\"slurm 22.05.8\"}\n"
				      "{\"type\":\"config\",\"PrivateData\":[\"jobs\"]}\n"
				      "{\"type\":\"job\",\"id\":1,\"state\":\"PENDING\",\"user\":\"u\",\"priority\":5,\"eligible_time\":1}\n"
				      "{\"type\":\"job\",\"id\":2,\"state\":\"PENDING\",\"user\":\"v\",\"priority\":7,\"eligible_time\":1}"), *again;
	struct fst_sink s = index_of(m);
	const struct fs_view of_u = { .viewer = "u" };
	struct fs_queue_row row;

	(void)state;
	assert_int_equal(read_index(&s, &again), 0);
	fs_queue *q = queue_of(again, &of_u);

	assert_true(q->kept);
	fs_queue_row(q, 0, &row);
	assert_int_equal(row.job, 2);
	assert_false(row.visible);
	fs_queue_row(q, 1, &row);
	assert_true(row.visible);
	fs_queue_free(q);
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void other_questions_are_computed(void **state)
{
	fs_snapshot *m = snapshot_of(files[0]), *again;
	struct fst_sink s = index_of(m);
	const struct fs_view classic = { .algorithm = "classic" };
	const struct fs_edit_options root = { .viewer = "root" };
	struct fs_error err;

	(void)state;
	assert_int_equal(read_index(&s, &again), 0);
	fs_queue *q = queue_of(again, &classic), *own = queue_of(m, &classic);

	assert_false(q->kept);
	same_queue(q, own);
	fs_queue_free(q);
	fs_queue_free(own);
	assert_int_equal(fs_snapshot_edit(again, "scontrol update job 812154 Priority=5", &root, &err), 0);
	assert_int_equal(fs_snapshot_edit(m, "scontrol update job 812154 Priority=5", &root, &err), 0);
	q = queue_of(again, NULL);
	own = queue_of(m, NULL);
	assert_false(q->kept);
	same_queue(q, own);
	fs_queue_free(q);
	fs_queue_free(own);
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
}

/* A plan may sort the queue again, with records for magnetic reservations. */
static void what_sorts_het_jobs_is_there(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':9,'cluster':'c','scheduler':'slurm 22.05.8'}\n"
				      REC("config", "'SchedulerParameters':'bf_hetjob_prio=max'")
				      REC("job", "'id':1,'het_job_id':1,'state':'PENDING','priority':5,'eligible_time':1")), *again;
	struct fst_sink s = index_of(m);

	(void)state;
	assert_int_equal(read_index(&s, &again), 0);
	fs_queue *q = queue_of(again, NULL);

	assert_int_equal(q->het.n, 1);
	fs_queue_free(q);
	fs_snapshot_free(again);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void walk(const fs_snapshot *m)
{
	fs_queue *q = queue_of(m, NULL);
	struct fs_queue_row row;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		assert_non_null(row.partition);
		assert_non_null(fs_section_name(row.section));
		assert_non_null(fs_queue_key_text(row.key));
		assert_true(row.job_row < m->job.n);
	}
	for (uint32_t i = 0; i < m->job.n; i++)
		assert_non_null(fs_verdict_name(fs_queue_verdict_kind(q, i)));
	fs_queue_free(q);
}

/* Every word of it in turn, and what comes of it with checksums that agree. */
static void hostile(void **state)
{
	static const uint32_t values[] = { UINT32_MAX, 0, 1, 0x80000000u, 0xff, 70000 };
	fs_snapshot *m = snapshot_of(files[0]), *again;
	struct fst_sink s = index_of(m);
	struct fsi_index_head *h = (void *)s.data;

	(void)state;
	assert_true(h->kept.n > 1000);
	for (uint64_t at = h->kept.at; at + 4 <= h->kept.at + h->kept.n; at += at < h->kept.at + 600 ? 1 : 52) {
		uint32_t was;

		memcpy(&was, s.data + at, sizeof(was));
		memcpy(s.data + at, &values[at % 6], sizeof(was));
		fst_index_sums(s.data, s.len);
		assert_int_equal(read_index(&s, &again), 0);
		walk(again);
		fs_snapshot_free(again);
		memcpy(s.data + at, &was, sizeof(was));
	}
	fs_snapshot_free(m);
	fst_free(&s);
}

/* A record that could not be one is not used: the queue is computed. */
static void impossible_records(void **state)
{
	fs_snapshot *m = snapshot_of(files[0]), *again;
	struct fst_sink s = index_of(m);
	struct fsi_index_head *h = (void *)s.data;
	fs_queue *own = queue_of(m, NULL);
	size_t k = own->record.n - 1;

	while (k && !own->record.v[k].eligible)
		k--;
	struct fsi_queue_record *last = (void *)(s.data + h->kept.at + h->kept.n - sizeof(*last) * (own->record.n - k)),
				was = *last;

	(void)state;
	assert_true(k > 0);
	assert_memory_equal(last, &own->record.v[k], sizeof(*last));
	for (int i = 0; i < 5; i++) {
		if (i == 1)
			last->tasks = 0;
		if (i == 4)
			last->tasks = 4000002;
		if (i == 2)
			last->tasks = UINT64_C(1) << 62;
		if (i == 3)
			last->key = FS_QUEUE_KEY_NONE;
		fst_index_sums(s.data, s.len);
		assert_int_equal(read_index(&s, &again), 0);
		fs_queue *q = queue_of(again, NULL);

		assert_int_equal(q->kept, i == 0);
		same_queue(q, own);
		fs_queue_free(q);
		fs_snapshot_free(again);
		*last = was;
	}
	fs_queue_free(own);
	fs_snapshot_free(m);
	fst_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_computed),
		cmocka_unit_test(seen_by_whom),
		cmocka_unit_test(other_questions_are_computed),
		cmocka_unit_test(what_sorts_het_jobs_is_there),
		cmocka_unit_test(hostile),
		cmocka_unit_test(impossible_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
