/* queue/: the order of queue records by each key, and jobs that are not eligible. */
#include "fstest.h"

#define QHEAD "{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'slurm 26.05.0'}\n"
#define PARTS REC("node", "'name':'n4'") REC("partition", "'name':'low','tier':1,'nodes':'n[1-4]'") \
	REC("partition", "'name':'high','tier':5,'nodes':'n[4-5]'") \
	REC("partition", "'name':'far','tier':3,'nodes':'m[1-2]'")
#define J(id, fields) REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100," fields)

/* Compares the rows with "job/partition:key ..." in order; rows that are not eligible are in parentheses. */
static void check(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_queue *q = fst_queue(m);
	char got[2000] = "";
	size_t len = 0;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct fs_queue_row r;

		fs_queue_row(q, i, &r);
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s%llu/%s%s%s%s", i ? " " : "",
					r.eligible ? "" : "(", (unsigned long long)r.job, r.partition,
					r.key ? ":" : "", fs_queue_key_name(r.key), r.eligible ? "" : ")");
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

static void sort_keys_apply_in_their_order(void **state)
{
	(void)state;
	check(QHEAD PARTS J(1, "'partitions':['low'],'priority':10,'submit_time':50")
	      J(2, "'partitions':['low'],'priority':10,'submit_time':40")
	      J(3, "'partitions':['low'],'priority':90,'submit_time':60")
	      J(4, "'partitions':['high'],'priority':1,'submit_time':60")
	      J(5, "'partitions':['low'],'priority':1,'submit_time':60,'reservation':'r'")
	      J(6, "'partitions':['low'],'priority':10,'submit_time':50"),
	      "5/low 4/high:reservation 3/low:tier 2/low:priority 1/low:submit time 6/low:job id");
}

static void array_tasks_are_sorted_by_their_arrays_id(void **state)
{
	(void)state;
	check(QHEAD PARTS
	      J(7, "'partitions':['low'],'priority':10,'submit_time':50,'array_job_id':7,'array_tasks':'4-9'")
	      J(8, "'partitions':['low'],'priority':10,'submit_time':50")
	      J(9, "'partitions':['low'],'priority':10,'submit_time':50,'array_job_id':7,'array_task_id':2")
	      J(10, "'partitions':['low'],'priority':10,'submit_time':50,'array_job_id':7,'array_task_id':1"),
	      "10/low 9/low:task id 7/low:task id 8/low:job id");
}

/* A job in several partitions has a separate priority in each partition, as printed by sprio. A priority set by an
 * administrator applies in all partitions. */
static void recorded_priorities_apply_per_partition(void **state)
{
	(void)state;
	check(QHEAD PARTS REC("recorded", "'job':1,'partition':'far','priority':10")
	      REC("recorded", "'job':1,'partition':'low','priority':99") REC("recorded", "'job':2,'partition':'low','priority':7")
	      REC("recorded", "'job':3,'partition':'low','priority':999") J(1, "'partitions':['low','far'],'priority':10")
	      J(2, "'partitions':['low'],'priority':50") J(3, "'partitions':['low','far'],'priority':20,'priority_set':20"),
	      "3/far 1/far:priority 1/low:tier 2/low:priority 3/low:priority");
}

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

/* With INCR_ONLY a job keeps its highest priority in each partition; the priority in its job record is that of the
 * partition tried last. */
static void with_incr_only_each_partition_keeps_its_highest_priority(void **state)
{
	static const char jobs[] = PARTS REC("recorded", "'job':1,'partition':'far','priority':30")
		REC("recorded", "'job':1,'partition':'low','priority':10") J(1, "'partitions':['low','far'],'priority':40")
		J(2, "'partitions':['low'],'priority':35") J(3, "'partitions':['far'],'priority':50");
	char text[2000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s", QHEAD, REC("config", "'PriorityFlags':['INCR_ONLY']"), jobs);
	check(text, "1/far 3/far:priority 1/low:tier 2/low:priority");
	snprintf(text, sizeof(text), "%s%s", QHEAD, jobs);
	check(text, "3/far 1/far:priority 2/low:tier 1/low:priority");
}

/* If a job has one partition, its records for all QOS are sorted by the job's own priority, and records of a higher QOS
 * come first. If a job has several partitions, each record is sorted by its own recorded priority. */
static void records_of_several_qos_are_sorted_by_their_priority(void **state)
{
	static const char both[] = QHEAD PARTS REC("qos", "'name':'none','priority':0") REC("qos", "'name':'top','priority':9")
		REC("recorded", "'job':1,'partition':'low','qos':'top','priority':90")
		REC("recorded", "'job':1,'partition':'low','qos':'none','priority':30")
		REC("recorded", "'job':1,'partition':'far','qos':'top','priority':95")
		REC("recorded", "'job':1,'partition':'far','qos':'none','priority':35")
		J(2, "'partitions':['low'],'priority':50");
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", both, J(1, "'partitions':['low'],'qos':['none','top'],'priority':30"));
	check(text, "2/low 1/low:priority 1/low:listed");
	snprintf(text, sizeof(text), "%s%s", both, J(1, "'partitions':['low','far'],'qos':['none','top'],'priority':30"));
	check(text, "1/far 1/far:priority 1/low:tier 2/low:priority 1/low:priority");
}

/* Among other jobs, the components of a het job are sorted like one job. Among themselves, they are sorted by their own
 * priorities. */
static void components_of_het_jobs_are_sorted_together(void **state)
{
	static const char jobs[] = PARTS J(1, "'partitions':['low'],'priority':90,'het_job_id':1,'het_offset':0")
		J(2, "'partitions':['low'],'priority':60,'het_job_id':1,'het_offset':1") J(3, "'partitions':['low'],'priority':80")
		J(4, "'partitions':['low'],'priority':70") J(5, "'partitions':['low'],'priority':50")
		J(6, "'partitions':['high'],'priority':1,'het_job_id':6") J(7, "'partitions':['low'],'priority':1,'het_job_id':6");
	static const struct {
		const char *parameters, *want;
	} of[] = { { "", "6/high 1/low:tier 3/low:priority 4/low:priority 2/low:priority 5/low:priority 7/low:priority" },
		   { "bf_hetjob_prio=MAX", "6/high 7/low:tier 1/low:tier 2/low:priority 3/low:priority 4/low:priority 5/low:priority" },
		   { "bf_hetjob_prio=min", "3/low 4/low:priority 1/low:priority 2/low:priority 5/low:priority 6/high:priority 7/low:tier" },
		   { "bf_hetjob_immediate", "3/low 4/low:priority 1/low:priority 2/low:priority 5/low:priority 6/high:priority 7/low:tier" },
		   { "bf_hetjob_prio=avg", "6/high 7/low:tier 3/low:tier 1/low:priority 2/low:priority 4/low:priority 5/low:priority" } };
	char text[3000];

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		snprintf(text, sizeof(text), "%s{'type':'config','SchedulerParameters':'%s'}\n%s", QHEAD, of[i].parameters, jobs);
		check(text, of[i].want);
	}
}

static void unknown_priorities_come_last(void **state)
{
	(void)state;
	check(QHEAD PARTS J(1, "'partitions':['low'],'submit_time':1") J(2, "'partitions':['low'],'priority':1"),
	      "2/low 1/low:priority");
}

static const char preempting[] = J(1, "'partitions':['low'],'qos':['b'],'priority':90,'reservation':'r'")
	J(2, "'partitions':['low'],'qos':['a'],'priority':5") J(3, "'partitions':['far'],'qos':['c'],'priority':7")
	J(4, "'partitions':['high'],'qos':['c'],'priority':1");

/* Job 2 may preempt job 1, which may preempt jobs 3 and 4. Job 2 has no relation to jobs 3 and 4, whose tiers are
 * higher. */
static void preemption_sorts_pairs_of_records(void **state)
{
	static const char qos[] = REC("qos", "'name':'a','preempt':['b','a']") REC("qos", "'name':'b','preempt':['c']")
		REC("qos", "'name':'c'");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s", QHEAD REC("config", "'PreemptType':'preempt/qos'") PARTS, qos, preempting);
	check(text, "4/high 3/far:tier 2/low:tier 1/low:preemption");
	snprintf(text, sizeof(text), "%s%s%s", QHEAD REC("config", "'PreemptType':'preempt/qos'")
		 REC("config", "'PreemptMode':'OFF'") PARTS, qos, preempting);
	check(text, "1/low 4/high:reservation 3/far:tier 2/low:tier");
	snprintf(text, sizeof(text), "%s%s", QHEAD REC("config", "'PreemptType':'preempt/partition_prio'") PARTS, preempting);
	check(text, "4/high 1/low:preemption 3/far:reservation 2/low:tier");
}

/* Preemption rules put job 1 before 2, 2 before 3, and 3 before 1. The merge sort of the scheduler's C library then
 * decides the order. */
static void a_preemption_circle_is_resolved_by_the_merge_sort(void **state)
{
	static const char head[] = QHEAD REC("config", "'PreemptType':'preempt/qos'") PARTS
		REC("qos", "'name':'a','preempt':['b']") REC("qos", "'name':'b','preempt':['c']")
		REC("qos", "'name':'c','preempt':['a']");
	static const char *const jobs[] = { J(1, "'partitions':['low'],'qos':['a'],'priority':5"),
					    J(2, "'partitions':['low'],'qos':['b'],'priority':5"),
					    J(3, "'partitions':['low'],'qos':['c'],'priority':5") };
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s%s", head, jobs[0], jobs[1], jobs[2]);
	check(text, "1/low 2/low:preemption 3/low:preemption");
	snprintf(text, sizeof(text), "%s%s%s%s", head, jobs[2], jobs[0], jobs[1]);
	check(text, "1/low 2/low:preemption 3/low:preemption");
}

static void preemption_modes_require_a_higher_priority(void **state)
{
	static const char jobs[] = J(1, "'partitions':['low'],'qos':['a'],'priority':1")
		J(2, "'partitions':['high'],'qos':['b'],'priority':5")
		J(3, "'partitions':['low'],'qos':['b'],'priority':9");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", QHEAD REC("config", "'PreemptType':'preempt/qos'") PARTS
		 REC("qos", "'name':'a','preempt':['b'],'preempt_mode':'priority'") REC("qos", "'name':'b'"), jobs);
	check(text, "2/high 3/low:tier 1/low:priority");
	snprintf(text, sizeof(text), "%s%s", QHEAD REC("config", "'PreemptType':'preempt/qos'")
		 REC("config", "'PreemptMode':'REQUEUE,WITHIN'") PARTS REC("qos", "'name':'a','preempt':['b']")
		 REC("qos", "'name':'b'"), jobs);
	check(text, "1/low 3/low:preemption 2/high:preemption");
}

/* Job 1 is sorted by the QOS b, which has the lower priority, also in its record of QOS a, which may preempt c. */
static void jobs_with_several_qos_preempt_by_the_lowest(void **state)
{
	static const char head[] = QHEAD REC("config", "'PreemptType':'preempt/qos'") PARTS
		REC("qos", "'name':'a','priority':9,'preempt':['c']") REC("qos", "'name':'b','priority':1") REC("qos", "'name':'c'")
		J(2, "'partitions':['low'],'qos':['c'],'priority':9");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", head, J(1, "'partitions':['low'],'qos':['b','a'],'priority':5"));
	check(text, "2/low 1/low:priority 1/low:listed");
	snprintf(text, sizeof(text), "%s%s", head, J(1, "'partitions':['low'],'qos':['a'],'priority':5"));
	check(text, "1/low 2/low:preemption");
}

static void jobs_that_are_not_eligible_come_last(void **state)
{
	(void)state;
	check(QHEAD PARTS REC("reservation", "'name':'later','start_time':9000,'end_time':9900")
	      J(1, "'partitions':['low'],'priority':0") J(2, "'partitions':['low'],'priority':9,'reason':'JobHeldUser'")
	      J(3, "'partitions':['low'],'priority':8,'dependency':'afterok:1'")
	      J(4, "'partitions':['low'],'priority':7,'reservation':'later'")
	      J(5, "'partitions':['low'],'priority':6,'reason':'QOSMaxCpuPerUserLimit'")
	      J(6, "'partitions':['low'],'priority':5,'reason':'WhoKnows'")
	      "{'type':'job','id':7,'state':'PENDING','eligible_time':6000,'partitions':['low'],'priority':4}\n"
	      "{'type':'job','id':8,'state':'PENDING','partitions':['low'],'priority':3}\n"
	      "{'type':'job','id':9,'state':'RUNNING','partitions':['low'],'priority':3}\n",
	      "2/low (5/low:priority) 6/low:priority (4/low) (3/low) (7/low) (8/low) (1/low)");
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
		cmocka_unit_test(sort_keys_apply_in_their_order),
		cmocka_unit_test(array_tasks_are_sorted_by_their_arrays_id),
		cmocka_unit_test(recorded_priorities_apply_per_partition),
		cmocka_unit_test(recorded_priorities_apply_to_blocked_jobs_too),
		cmocka_unit_test(with_incr_only_each_partition_keeps_its_highest_priority),
		cmocka_unit_test(records_of_several_qos_are_sorted_by_their_priority),
		cmocka_unit_test(components_of_het_jobs_are_sorted_together),
		cmocka_unit_test(unknown_priorities_come_last),
		cmocka_unit_test(preemption_sorts_pairs_of_records),
		cmocka_unit_test(a_preemption_circle_is_resolved_by_the_merge_sort),
		cmocka_unit_test(preemption_modes_require_a_higher_priority),
		cmocka_unit_test(jobs_with_several_qos_preempt_by_the_lowest),
		cmocka_unit_test(jobs_that_are_not_eligible_come_last),
		cmocka_unit_test(positions_are_counted_per_partition),
		cmocka_unit_test(the_tasks_of_array_expressions_are_counted),
		cmocka_unit_test(recorded_priorities_of_many_jobs_are_found),
		cmocka_unit_test(many_jobs_are_sorted_by_the_same_keys),
		cmocka_unit_test(other_schedulers_are_refused),
		cmocka_unit_test(any_order_of_lines_gives_the_same_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
