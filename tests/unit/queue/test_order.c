/* queue/: positions, many jobs, and random orders of lines. Each sort key is tested in tests/clusters. */
#include "fstest.h"

#define QHEAD "{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'slurm 26.05.0'}\n"
#define PARTS REC("node", "'name':'n4'") REC("partition", "'name':'low','tier':1,'nodes':'n[1-4]'") \
	REC("partition", "'name':'high','tier':5,'nodes':'n[4-5]'") \
	REC("partition", "'name':'far','tier':3,'nodes':'m[1-2]'")
#define J(id, fields) REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100," fields)

/* Recorded priorities also apply to jobs at a limit, because plans count these jobs. */
static void recorded_priorities_apply_to_blocked_jobs_too(void **state)
{
	fs_snapshot *m = fst_snapshot(QHEAD PARTS REC("config", "'AccountingStorageEnforce':['associations','limits','qos']")
		REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':2,'account':'root','user':'u','shares':1")
		REC("qos", "'name':'q','max_jobs_per_user':0")
		REC("recorded", "'job':1,'partition':'far','priority':95") REC("recorded", "'job':1,'partition':'low','priority':10")
		J(1, "'partitions':['low','far'],'priority':10,'qos':['q'],'user':'u','account':'root','association':2,'reason':'QOSMaxJobsPerUserLimit'"));
	fs_queue *q = fst_queue(m);
	struct fs_queue_row r;

	(void)state;
	assert_int_equal(fs_queue_count(q), 2);
	fs_queue_row(q, 0, &r);
	assert_false(r.eligible);
	assert_string_equal(r.partition, "far");
	assert_near(r.priority, 95, 0);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

static void positions_are_counted_per_partition(void **state)
{
	fs_snapshot *m = fst_snapshot(QHEAD PARTS
		J(1, "'partitions':['low','high'],'priority':10")
		J(2, "'partitions':['low'],'priority':10,'array_job_id':2,'array_tasks':'1-5,7%2'")
		J(3, "'partitions':['low'],'priority':5"));
	fs_queue *q = fst_queue(m);
	struct fs_queue_row r;

	(void)state;
	assert_int_equal(fs_queue_count(q), 4);
	fs_queue_row(q, 0, &r);
	assert_string_equal(r.partition, "high");
	assert_int_equal(r.position, 1);
	fs_queue_row(q, 1, &r);
	assert_int_equal(r.job, 1);
	assert_string_equal(r.partition, "low");
	assert_int_equal(r.position, 0); /* the position of job 1 is set only in its first row */
	assert_int_equal(r.partition_position, 1);
	fs_queue_row(q, 3, &r);
	assert_int_equal(r.job, 3);
	assert_int_equal(r.position, 3);
	assert_int_equal(r.partition_position, 3);
	assert_int_equal(r.partition_tasks_ahead, 7);
	assert_int_equal(r.partition_key, FS_QUEUE_KEY_PRIORITY);
	assert_int_equal(fs_queue_deciding_key(q, 0, 3), FS_QUEUE_KEY_TIER);
	assert_int_equal(fs_queue_deciding_key(q, 3, 1), FS_QUEUE_KEY_PRIORITY);
	assert_int_equal(fs_queue_deciding_key(q, 2, 2), FS_QUEUE_KEY_NONE);
	fs_queue_free(q);
	fs_snapshot_free(m);
	(void)state;
}

static void the_tasks_of_array_expressions_are_counted(void **state)
{
	static const struct {
		const char *tasks;
		uint64_t n;
		bool exact;
	} cases[] = {
		{ "", 1, true },	   { "7", 1, true },	    { "1-10", 10, true },  { "1-10%3", 10, true },
		{ "0-20:5", 5, true },	   { "1,3,5-9%2", 7, true }, { "1-5,7,...", 6, false }, { "x", 1, false },
		{ "9-1", 1, false },	   { "1-5:0", 1, false },   { "1-", 1, false },	   { "-", 1, false },
		{ "%", 1, true },	   { "1-99999999999", 1, false },
		{ "5-5", 1, true },	   { "3,8-8", 2, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[400];
		bool exact;

		snprintf(text, sizeof(text), QHEAD "{'type':'job','id':1,'state':'PENDING','array_tasks':'%s'}\n",
			 cases[i].tasks);
		fs_snapshot *m = fst_snapshot(text);

		assert_int_equal(fs_job_tasks(m, 0, &exact), cases[i].n);
		assert_int_equal(exact, cases[i].exact);
		fs_snapshot_free(m);
	}
}

/* Many jobs are in two partitions and have a recorded priority in each partition. */
static void recorded_priorities_of_many_jobs_are_found(void **state)
{
	enum { JOBS = 200 };
	struct fst_sink s = { 0 };
	fs_snapshot *m;
	fs_queue *q;

	(void)state;
	fst_put(&s, "%s", QHEAD PARTS);
	for (int i = 1; i <= JOBS; i++)
		fst_put(&s, J(% d, "'partitions':['low','far'],'priority':1") REC("recorded", "'job':%d,'partition':'far','priority':%d")
			REC("recorded", "'job':%d,'partition':'low','priority':%d"), i, i, 1000 + i, i, 5000 + i);
	m = fst_snapshot(s.data);
	q = fst_queue(m);
	assert_int_equal(fs_queue_count(q), 2 * JOBS);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct fs_queue_row r;

		fs_queue_row(q, i, &r);
		assert_near(r.priority, (double)r.job + (strcmp(r.partition, "far") ? 5000 : 1000), 0);
	}
	fs_queue_free(q);
	fs_snapshot_free(m);
	fst_free(&s);
}

/* Sorts many jobs with small and large priorities. Many of the jobs have equal keys. */
static void many_jobs_are_sorted_by_the_same_keys(void **state)
{
	enum { JOBS = 3000 };
	static const char *const priorities[] = { "1", "7", "8", "4294967295", "4294967294", "65536", "65535", "100000" };
	char *text = malloc(JOBS * 200 + 1000);
	struct fs_queue_row a, b;
	unsigned seed = 1;
	size_t len;

	(void)state;
	assert_non_null(text);
	len = (size_t)sprintf(text, "%s", QHEAD PARTS);
	for (int i = 0; i < JOBS; i++) {
		seed = seed * 1103515245u + 12345u;
		len += (size_t)sprintf(text + len, "{'type':'job','state':'PENDING','eligible_time':100,'id':%d,"
				       "'partitions':['%s'],'priority':%s,'submit_time':%u}\n", i * 7919 % 10007 + 1,
				       seed >> 16 & 1 ? "low" : "high", priorities[seed >> 17 & 7], seed >> 20 & 3);
	}
	fs_snapshot *m = fst_snapshot(text);
	fs_queue *q = fst_queue(m);
	struct fs_job ja, jb;

	assert_int_equal(fs_queue_count(q), JOBS);
	for (size_t i = 1; i < JOBS; i++) {
		fs_queue_row(q, i - 1, &a);
		fs_queue_row(q, i, &b);
		fs_snapshot_job(m, a.job_row, &ja);
		fs_snapshot_job(m, b.job_row, &jb);
		assert_true(a.tier > b.tier || (a.tier == b.tier && a.priority >= b.priority));
		if (a.tier == b.tier && a.priority == b.priority)
			assert_true(ja.times.submit < jb.times.submit ||
				    (ja.times.submit == jb.times.submit && ja.id < jb.id));
	}
	fs_queue_free(q);
	fs_snapshot_free(m);
	free(text);
}

static void other_schedulers_are_refused(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'pbs 1'}\n");
	struct fs_error err;
	fs_queue *q = NULL;

	(void)state;
	assert_int_equal(fs_queue_compute(&q, m, NULL, &err), FS_ENODATA);
	assert_null(q);
	fs_snapshot_free(m);
}

enum { JOBS = 40 };

static fs_snapshot *draw(uint64_t seed, const uint32_t *place)
{
	static const char *const parts[] = { "'low'", "'high'", "'far'", "'low','high'", "'nowhere'" };
	char lines[JOBS][300];
	struct fst_sink text = { 0 };
	fs_snapshot *m;

	for (uint32_t i = 0; i < JOBS; i++)
		snprintf(lines[i], sizeof(lines[i]),
			 REC("job", "'id':%u,'state':'PENDING','eligible_time':100,'partitions':[%s],'priority':%u,'submit_time':%u,'reason':'%s'%s"), 100 + i,
			 parts[fst_below(&seed, 5)], fst_below(&seed, 4), fst_below(&seed, 3),
			 fst_below(&seed, 4) ? "Priority" : "Dependency", fst_below(&seed, 5) ? "" : ",'reservation':'r'");
	fst_put(&text, "%s", QHEAD PARTS);
	for (uint32_t i = 0; i < JOBS; i++)
		fst_put(&text, "%s", lines[place[i]]);
	m = fst_snapshot(text.data);
	fst_free(&text);
	return m;
}

/* The queue is the same for any order of the lines in the snapshot. */
static void any_order_of_lines_gives_the_same_queue(void **state)
{
	uint32_t straight[JOBS], mixed[JOBS];
	uint64_t seed = 11;

	(void)state;
	for (uint32_t i = 0; i < JOBS; i++)
		straight[i] = mixed[i] = i;
	for (uint64_t round = 1; round <= 300; round++) {
		fst_shuffle(&seed, mixed, JOBS);
		fs_snapshot *a = draw(round, straight), *b = draw(round, mixed);
		fs_queue *p = fst_queue(a), *q = fst_queue(b);

		fst_same_queue(p, q);
		fs_queue_free(p);
		fs_queue_free(q);
		fs_snapshot_free(a);
		fs_snapshot_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_priorities_apply_to_blocked_jobs_too),
		cmocka_unit_test(positions_are_counted_per_partition),
		cmocka_unit_test(the_tasks_of_array_expressions_are_counted),
		cmocka_unit_test(recorded_priorities_of_many_jobs_are_found),
		cmocka_unit_test(many_jobs_are_sorted_by_the_same_keys),
		cmocka_unit_test(other_schedulers_are_refused),
		cmocka_unit_test(any_order_of_lines_gives_the_same_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
