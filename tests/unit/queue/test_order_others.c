/* queue/: the orders and sections of Maui and Flux, and the resources in use. */
#include "fs/explain.h"
#include "fsmaui.h"

#define FLUX_HEAD "{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'flux'}\n"
#define MAUI_JOB(id, place, fields) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'PENDING','position':" #place \
	    ",'time_limit_s':60,'eligible_time':1600000060,'cpus':1," fields)
#define FLUX_JOB(id, fields) REC("job", "'id':" #id ",'state':'PENDING','user':'u'," fields)

/* Checks the rows of the queue, in order. `want` has a word "job:key" for each eligible row, and
 * "(job reason/section)" for each other row. */
static void check(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_queue *q = fst_queue(m);
	char got[2000] = "";
	size_t len = 0;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		const char *space = i ? " " : "";
		struct fs_queue_row r;

		fs_queue_row(q, i, &r);
		assert_int_equal(r.eligible, r.section == FS_SECTION_ELIGIBLE);
		assert_int_equal(r.eligible, r.section == FS_SECTION_ELIGIBLE);
		if (r.eligible)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%llu%s%s", space,
						(unsigned long long)r.job, r.key ? ":" : "",
						fs_queue_key_name(r.key));
		else
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%s(%llu %s/%s)", space,
						(unsigned long long)r.job, r.reason->name, fs_section_name(r.section));
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

#define CAPS REC("config", "'FSPOLICY':'DEDICATEDPS','FSINTERVAL':43200,'USERWEIGHT':1") \
	REC("credential", "'kind':'user','name':'low','priority':5") \
	REC("credential", "'kind':'user','name':'high','priority':9") \
	REC("credential", "'kind':'user','name':'cap','target':100,'target_mode':'cap_abs'") \
	REC("window", "'start':1599998400,'kind':'user','name':'cap','usage_s':90") \
	REC("window", "'start':1599998400,'kind':'sched','usage_s':200")

static void maui_sorts_by_priority_and_place_in_the_table(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CAPS MAUI_JOB(1, 9, "'user':'low'") MAUI_JOB(2, 4, "'user':'low'")
	      MAUI_JOB(3, 7, "'user':'high'") MAUI_JOB(4, 8, "'user':'low','priority':4000000"),
	      "3 2:priority 4:left open 1:left open");
}

/* Since the previous iteration, the expansion factor of the shorter job has passed a whole number. The expansion factor
 * of the other job has not. */
static void maui_keeps_the_order_of_the_previous_iterations_priorities(void **state)
{
#define XF(id, place, eligible, limit) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'PENDING','position':" #place ",'eligible_time':" #eligible \
	    ",'time_limit_s':" #limit ",'cpus':1,'user':'u'")
	(void)state;
	/* A priority is 10 * (waiting time + time limit) / time limit. Job 1: 10 * (60 + 580) / 580 = 11.03, and 10.52
	 * in the previous iteration, 30 s earlier. Job 2: 10 * (160 + 1000) / 1000 = 11.6, and 11.3 in the previous
	 * iteration. */
	check(FST_MAUI_HEAD CAPS REC("config", "'XFACTORWEIGHT':10,'QUEUETIMEWEIGHT':0,'RMPOLLINTERVAL':30") XF(1, 1, 1600000000, 580)
	      XF(2, 2, 1599999900, 1000), "2 1:earlier priority");
	check(FST_MAUI_HEAD CAPS REC("config", "'XFACTORWEIGHT':10,'QUEUETIMEWEIGHT':0") XF(1, 1, 1600000000, 580)
	      /* the priorities of the two jobs are equal in both iterations */
	      XF(2, 2, 1599999900, 1000), "1 2:left open");
}

static void maui_blocks_held_capped_and_negative_priority_jobs(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD CAPS MAUI_JOB(1, 5, "'user':'low','reason':'Blocked'") MAUI_JOB(2, 4, "'user':'cap'")
	      MAUI_JOB(3, 3, "'user':'cap','reason':'BatchHold'") MAUI_JOB(4, 2, "'user':'cap','reason':'Blocked'")
	      MAUI_JOB(5, 1, "'user':'low'") MAUI_JOB(6, 6, "'user':'low','reason':'Odd'"),
	      "5 (4 FairShare/access) (3 BatchHold/held) (2 FairShare/access) (1 Blocked/other) (6 Blocked/other)");
	check(FST_MAUI_HEAD REC("config", "'REJECTNEGPRIOJOBS':true,'USERWEIGHT':1")
	      REC("credential", "'kind':'user','name':'bad','priority':-90")
	      MAUI_JOB(1, 1, "'user':'bad'") MAUI_JOB(2, 2, "'user':'good'"),
	      "2 (1 NegativePriority/access)");
}

static void maui_without_credentials_is_sorted_by_its_own_list(void **state)
{
	(void)state;
	check(FST_MAUI_HEAD MAUI_JOB(7, 2, "'user':'a'") MAUI_JOB(8, 1, "'user':'b'")
	      MAUI_JOB(9, 0, "'user':'b','reason':'Deferred'"),
	      "8 7:left open (9 Deferred/held)");
}

static void flux_sorts_by_priority_and_id(void **state)
{
	(void)state;
	check(FLUX_HEAD FLUX_JOB(30, "'phase':'SCHED','urgency':16,'priority':10")
	      FLUX_JOB(20, "'phase':'SCHED','urgency':31,'priority':4294967295")
	      FLUX_JOB(40, "'phase':'SCHED','urgency':16,'priority':10")
	      FLUX_JOB(10, "'phase':'SCHED','urgency':16,'priority':10"),
	      "20 10:priority 30:job id 40:job id");
}

static void flux_jobs_outside_sched_are_not_eligible(void **state)
{
	(void)state;
	check(FLUX_HEAD FLUX_JOB(1, "'phase':'SCHED','urgency':0,'priority':0")
	      FLUX_JOB(2, "'phase':'SCHED','urgency':10,'priority':0") FLUX_JOB(3, "'phase':'PRIORITY','urgency':16")
	      FLUX_JOB(4, "'phase':'DEPEND','urgency':16,'dependency':'after-success=f1'")
	      FLUX_JOB(5, "'phase':'DEPEND','urgency':16,'dependency':'max-run-jobs-queue,after-any=f1'")
	      FLUX_JOB(6, "'phase':'DEPEND','urgency':16,'dependency':'max-sched-jobs-user-limit'")
	      FLUX_JOB(7, "'phase':'SCHED','urgency':16,'priority':1"),
	      "7 (1 held/held) (2 priority-hold/held) (3 priority-wait/transient) (4 dependency/own request) "
	      "(5 max-run-jobs-queue/partition) (6 max-sched-jobs-user-limit/association limit)");
}

static void jobs_of_a_stopped_queue_wait_for_the_queue(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD REC("partition", "'name':'a','state':'STOPPED'")
				      REC("partition", "'name':'b','state':'UP'") REC("partition", "'name':'c'")
				      FLUX_JOB(1, "'phase':'SCHED','urgency':16,'priority':5,'partitions':['a']")
				      FLUX_JOB(2, "'phase':'SCHED','urgency':16,'priority':5,'partitions':['b']")
				      FLUX_JOB(3, "'phase':'SCHED','urgency':16,'priority':5,'partitions':['c']")
				      FLUX_JOB(4, "'phase':'SCHED','urgency':0,'priority':0,'partitions':['a']"));
	const enum fs_verdict_kind want[] = { FS_VERDICT_NODES, FS_VERDICT_FIRST, FS_VERDICT_FIRST, FS_VERDICT_HELD };
	struct fs_error err;
	fs_queue *q;

	(void)state;
	fst_no_error(fs_queue_compute(&q, m, NULL, &err), &err);
	for (uint32_t i = 0; i < 4; i++) {
		struct fs_verdict v;

		assert_int_equal(fs_queue_verdict(q, i, &v), 0);
		assert_int_equal(v.kind, want[i]);
		assert_true((v.cause == FS_VERDICT_CAUSE_PARTITION) == (i == 0));
		fs_verdict_release(&v);
	}
	fs_queue_free(q);
	fs_snapshot_free(m);
}

#define NODE8(name, state, queues, more) REC("node", "'name':'" name "','state':'" state "','cpus':8,'partitions':[" queues "]" more)
#define SCHED(id, queue, fields) FLUX_JOB(id, "'phase':'SCHED','urgency':16,'priority':5,'partitions':['" queue "']," fields)

/* A job never starts if all nodes of the queue, available or not, are too few for the job. The job waits if only the
 * available nodes are too few. */
static void nodes_determine_which_jobs_never_start_or_must_wait(void **state)
{
	static const struct {
		const char *job, *what;
		enum fs_verdict_kind kind;
		double wants, has;
	} rows[] = {
		{ SCHED(1, "q", "'nodes':3,'tasks':3,'cpus':3"), "node", FS_VERDICT_NEVER, 3, 2 },
		{ SCHED(1, "q", "'nodes':1,'tasks':9,'cpus':9"), "node_cpu", FS_VERDICT_NEVER, 9, 8 },
		{ SCHED(1, "q", "'tasks':1,'cpus':9"), "node_cpu", FS_VERDICT_NEVER, 9, 8 },
		{ SCHED(1, "q", "'tasks':17,'cpus':17"), "cpu", FS_VERDICT_NEVER, 17, 16 },
		{ SCHED(1, "q", "'tasks':3,'cpus':15"), "cpu", FS_VERDICT_NEVER, 15, 10 },
		{ SCHED(1, "empty", "'nodes':1,'tasks':1,'cpus':1"), "class", FS_VERDICT_NEVER, 0, 0 },
		{ SCHED(1, "q", "'nodes':1,'tasks':1,'cpus':1,'features':'old'"), "features", FS_VERDICT_NEVER, 0, 0 },
		{ SCHED(1, "q", "'nodes':1,'tasks':1,'cpus':1,'features':'new'"), NULL, FS_VERDICT_NODES, 1, 1 },
		{ SCHED(1, "q", "'nodes':2,'tasks':2,'cpus':2"), NULL, FS_VERDICT_NODES, 2, 1 },
		{ SCHED(1, "q", "'tasks':9,'cpus':9"), NULL, FS_VERDICT_NODES, 2, 1 },
		{ SCHED(1, "q", "'tasks':8,'cpus':8"), NULL, FS_VERDICT_FIRST, 0, 0 },
		{ SCHED(1, "q", "'nodes':1,'tasks':2,'cpus':2"), NULL, FS_VERDICT_FIRST, 0, 0 },
		/* jobs that request GPUs per node, GPUs in total, whole nodes whose number of cores is unknown, or
		 * nodes that satisfy a constraint */
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'tres_req':{'gres/gpu':3}"), "node_gpu", FS_VERDICT_NEVER, 3, 2 },
		{ SCHED(1, "q", "'tasks':5,'cpus':5,'tres_req':{'gres/gpu':5}"), "gres/gpu", FS_VERDICT_NEVER, 5, 4 },
		{ SCHED(1, "q", "'tasks':1,'cpus':9,'tres_req':{'gres/gpu':1}"), "node_cpu", FS_VERDICT_NEVER, 9, 8 },
		{ SCHED(1, "q", "'tasks':4,'cpus':4,'tres_req':{'gres/gpu':4}"), NULL, FS_VERDICT_NODES, 1, 1 },
		{ SCHED(1, "q", "'nodes':3,'oversubscribe':'EXCLUSIVE'"), "node", FS_VERDICT_NEVER, 3, 2 },
		{ SCHED(1, "q", "'nodes':1,'cpus_per_task':9,'oversubscribe':'EXCLUSIVE'"), "node_cpu", FS_VERDICT_NEVER, 9, 8 },
		{ SCHED(1, "q", "'nodes':1,'oversubscribe':'EXCLUSIVE'"), NULL, FS_VERDICT_FIRST, 0, 0 },
		{ SCHED(1, "q", "'nodes':2,'cpus':2,'features':'^new'"), "node", FS_VERDICT_NEVER, 2, 1 },
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'features':'new&!(hosts:n[2-3])'"), "features", FS_VERDICT_NEVER, 0, 0 },
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'features':'(new|old)&(hosts:n[1-2])&(ranks:[1-2])'"), NULL, FS_VERDICT_NODES, 1, 1 },
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'features':'old|(ranks:[0])'"), NULL, FS_VERDICT_FIRST, 0, 0 },
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'features':'(new'"), NULL, FS_VERDICT_NODES, 1, 1 },
		{ SCHED(1, "q", "'nodes':1,'cpus':1,'features':'new)'"), "features", FS_VERDICT_NEVER, 0, 0 },
		/* nodes with an unknown number of cores exclude no job */
		{ SCHED(1, "dark", "'nodes':5,'tasks':5,'cpus':50"), NULL, FS_VERDICT_FIRST, 0, 0 },
		{ SCHED(1, "q", "'nodes':5"), NULL, FS_VERDICT_FIRST, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[1500];
		struct fs_verdict v;
		fs_snapshot *m;
		fs_queue *q;

		snprintf(text, sizeof(text), "%s%s", FLUX_HEAD REC("partition", "'name':'q'") REC("partition", "'name':'empty'") REC("partition", "'name':'dark'")
			 NODE8("n1", "IDLE", "'q'", ",'tres':{'cpu':8,'gres/gpu':2}")
			 NODE8("n2", "IDLE+DRAIN", "'q'", ",'features':['new'],'tres':{'cpu':8,'gres/gpu':2}")
			 REC("node", "'name':'d','state':'IDLE','partitions':['dark']"), rows[i].job);
		m = fst_snapshot(text);
		q = fst_queue(m);
		assert_int_equal(fs_queue_verdict(q, 0, &v), 0);
		if (v.kind != rows[i].kind)
			print_error("row %zu: %s\n", i, fs_verdict_name(v.kind));
		assert_int_equal(v.kind, rows[i].kind);
		assert_int_equal(fs_queue_verdict_kind(q, 0), v.kind);
		if (rows[i].what) {
			assert_string_equal(v.obstacle->what, rows[i].what);
			assert_true(v.obstacle->wants == rows[i].wants && v.obstacle->has == rows[i].has);
		}
		if (v.kind == FS_VERDICT_NODES) {
			assert_int_equal(v.nodes.wants, (uint32_t)rows[i].wants);
			assert_int_equal(v.nodes.drained, 1);
			assert_int_equal(v.cause, FS_VERDICT_CAUSE_DOWN);
		}
		fs_verdict_release(&v);
		fs_queue_free(q);
		fs_snapshot_free(m);
	}
}

static void a_plan_without_nodes_is_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD);
	struct fs_error err;
	fs_plan *p = NULL;

	(void)state;
	assert_int_equal(fs_plan_compute(&p, m, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot plan starts: the snapshot has no nodes"));
	assert_null(p);
	fs_snapshot_free(m);
}

/* ---- resources in use */

#define NODES(a, b, c) REC("node", "'name':'n1','state':'IDLE','cpus':" #a) \
	REC("node", "'name':'n2','state':'IDLE','cpus':" #b) REC("node", "'name':'n3','state':'IDLE','cpus':" #c)
#define RUNS(id, tasks, fields) \
	REC("job", "'id':" #id ",'state':'RUNNING','cpus':" #tasks ",'tasks':" #tasks fields)

static void check_use(const char *text, int64_t procs, int64_t nodes, int64_t busy_procs, int64_t busy_nodes)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_machine got;

	assert_int_equal(fs_snapshot_machine(m, &got), 0);
	assert_int_equal(got.procs, procs);
	assert_int_equal(got.nodes, nodes);
	assert_int_equal(got.busy_procs, busy_procs);
	assert_int_equal(got.busy_nodes, busy_nodes);
	fs_snapshot_free(m);
}

static void nodes_in_use_are_derived_from_sizes_or_unknown(void **state)
{
	(void)state;
	check_use(FST_MAUI_HEAD NODES(4, 4, 4), 12, 3, 0, 0);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 1, ""), 12, 3, 1, 1);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 9, ""), 12, 3, 9, 3);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 2, ""), 12, 3, 2, FS_UNKNOWN);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 1, "") RUNS(2, 1, ""), 12, 3, 2, FS_UNKNOWN);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 1, ",'node_list':'n2'") RUNS(2, 1, ",'node_list':'n2'"), 12, 3, 2,
		  1);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 1, ",'node_list':'n2'") RUNS(2, 1, ",'node_list':'n1'"), 12, 3, 2,
		  2);
	check_use(FST_MAUI_HEAD NODES(8, 1, 1) RUNS(1, 9, ""), 10, 3, 9, FS_UNKNOWN);
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) RUNS(1, 90, ""), 12, 3, 12, 3);
	check_use(FST_MAUI_HEAD RUNS(1, 2, ""), FS_UNKNOWN, FS_UNKNOWN, 2, FS_UNKNOWN);
	check_use("{'type':'snapshot','format':1,'time':5,'cluster':'c','scheduler':'maui','active_nodes':2}\n"
		  NODES(4, 4, 4) RUNS(1, 2, ""), 12, 3, 2, 2);
}

static void unavailable_nodes_do_not_count(void **state)
{
	(void)state;
	check_use(FST_MAUI_HEAD NODES(4, 4, 4) REC("node", "'name':'d','state':'DOWN','cpus':90")
		  REC("node", "'name':'e','state':'DRAINED','cpus':90"), 12, 3, 0, 0);
}

/* ---- the order of the records in the snapshot does not change the queue */

enum { JOBS = 30 };

static fs_snapshot *draw(bool maui, uint64_t seed, const uint32_t *place)
{
	static const char *const reasons[] = { "", ",'reason':'UserHold'", ",'reason':'Blocked'", "", "" };
	static const char *const phases[] = { "SCHED", "SCHED", "SCHED", "PRIORITY" };
	char lines[JOBS][300];
	struct fst_sink text = { 0 };
	fs_snapshot *m;

	for (uint32_t i = 0; i < JOBS; i++)
		if (maui)
			snprintf(lines[i], sizeof(lines[i]),
				 REC("job", "'id':%u,'name':'%u','state':'PENDING','position':%u,'time_limit_s':60,"
				     "'eligible_time':1600000060,'cpus':1,'user':'%s'%s"),
				 100 + i, 100 + i, i, fst_below(&seed, 2) ? "low" : fst_below(&seed, 2) ? "high" : "cap",
				 reasons[fst_below(&seed, 5)]);
		else
			snprintf(lines[i], sizeof(lines[i]),
				 REC("job", "'id':%u,'state':'PENDING','phase':'%s','urgency':16,'priority':%u"),
				 100 + i, phases[fst_below(&seed, 4)], fst_below(&seed, 3));
	fst_put(&text, "%s", maui ? FST_MAUI_HEAD CAPS : FLUX_HEAD);
	for (uint32_t i = 0; i < JOBS; i++)
		fst_put(&text, "%s", lines[place[i]]);
	m = fst_snapshot(text.data);
	fst_free(&text);
	return m;
}

static void any_order_of_lines_gives_the_same_queue(void **state)
{
	uint32_t straight[JOBS], mixed[JOBS];
	uint64_t seed = 5;

	(void)state;
	for (uint32_t i = 0; i < JOBS; i++)
		straight[i] = mixed[i] = i;
	for (uint64_t round = 1; round <= 200; round++) {
		fst_shuffle(&seed, mixed, JOBS);
		fs_snapshot *a = draw(round % 2, round, straight), *b = draw(round % 2, round, mixed);
		fs_queue *p = fst_queue(a), *q = fst_queue(b);

		assert_int_equal(fs_queue_count(p), JOBS);
		fst_same_queue(p, q);
		fs_queue_free(p);
		fs_queue_free(q);
		fs_snapshot_free(a);
		fs_snapshot_free(b);
	}
}

static void check_order(const char *text, const char *want, bool one_line)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_queue *q = fst_queue(m);
	char got[200] = "";
	enum fs_queue_key key;
	size_t len = 0;

	for (size_t i = 0; (key = fs_queue_order(q, i)) != FS_QUEUE_KEY_NONE; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s", i ? ", " : "", fs_queue_key_name(key));
	assert_string_equal(got, want);
	assert_true(fs_queue_has_single_order(q) == one_line);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

static void each_scheduler_has_its_own_order(void **state)
{
	(void)state;
	check_order("{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'slurm 26.11.0'}\n",
		    "preemption, reservation, tier, priority, submit time, job id, task id, listed", false);
	check_order(FLUX_HEAD, "priority, job id, listed", false);
	check_order(FST_MAUI_HEAD, "priority, earlier priority, left open, listed", true);
}

static void an_unknown_scheduler_has_no_order(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'pbs 1'}\n");
	struct fs_error err;
	fs_queue *q = NULL;

	(void)state;
	assert_int_equal(fs_queue_compute(&q, m, NULL, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "cannot order the queue: scheduler \"pbs 1\" is not modelled"));
	assert_null(q);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maui_sorts_by_priority_and_place_in_the_table),
		cmocka_unit_test(maui_keeps_the_order_of_the_previous_iterations_priorities),
		cmocka_unit_test(maui_blocks_held_capped_and_negative_priority_jobs),
		cmocka_unit_test(maui_without_credentials_is_sorted_by_its_own_list),
		cmocka_unit_test(flux_sorts_by_priority_and_id),
		cmocka_unit_test(flux_jobs_outside_sched_are_not_eligible),
		cmocka_unit_test(jobs_of_a_stopped_queue_wait_for_the_queue),
		cmocka_unit_test(nodes_determine_which_jobs_never_start_or_must_wait),
		cmocka_unit_test(a_plan_without_nodes_is_refused),
		cmocka_unit_test(nodes_in_use_are_derived_from_sizes_or_unknown),
		cmocka_unit_test(unavailable_nodes_do_not_count),
		cmocka_unit_test(each_scheduler_has_its_own_order),
		cmocka_unit_test(an_unknown_scheduler_has_no_order),
		cmocka_unit_test(any_order_of_lines_gives_the_same_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
