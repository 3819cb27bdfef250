/* queue/verdict.c: dependencies, and two verdicts at once. Each kind of verdict is tested in tests/clusters. */
#include "fs/explain.h"
#include "fsprio.h"
#include "model/model.h"
#include "queue/queue.h"

struct given {
	fs_snapshot *m;
	fs_queue *q;
	struct fs_verdict v; /* verdict on job 9 */
};

static void give(struct given *g, const char *text)
{
	struct fs_error err;
	size_t row = 0;
	struct fs_job j;

	*g = (struct given){ .m = fst_snapshot(text) };
	fst_no_error(fs_queue_compute(&g->q, g->m, NULL, &err), &err);
	for (fs_snapshot_job(g->m, row, &j); j.id != 9; fs_snapshot_job(g->m, ++row, &j))
		;
	assert_int_equal(fs_queue_verdict(g->q, (uint32_t)row, &g->v), 0);
	assert_int_equal(fs_queue_verdict_kind(g->q, (uint32_t)row), g->v.kind);
}

static void take(struct given *g)
{
	fs_verdict_release(&g->v);
	fs_queue_free(g->q);
	fs_snapshot_free(g->m);
}

/* Partition p has two nodes of 8 CPUs. If one of the nodes is also in partition high, jobs of high are tried first. */
#define N(name, fields) REC("node", "'name':'" name "','state':'IDLE','cpus':8,'mem_mb':8000,'partitions':['p']" fields)
#define P(fields) REC("partition", "'name':'p','state':'UP','tier':1,'tres':{'cpu':16,'mem':16000,'node':2}" fields)
#define SITE HEADER TRES CONFIG("'AccountingStorageEnforce':['limits']") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':0,'max_jobs':2") \
	REC("qos", "'name':'q','max_tres':{'cpu':12}")
#define UP SITE P("") N("a", "") N("b", "")
#define WAITS(more) \
	JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'cpus':4,'nodes':1,'priority':5," \
	       "'time_limit_s':600,'tres_req':{'cpu':4,'node':1}" more)
#define RUNS(id) \
	REC("job", "'id':" #id ",'state':'RUNNING','user':'u','account':'root','association':2,'partitions':['p']," \
		   "'tres_alloc':{'cpu':1,'node':1},'node_list':'a'")

static void dependent_jobs_list_the_jobs_they_wait_for(void **state)
{
	struct given g;

	(void)state;
	give(&g, UP RUNS(3) WAITS(",'reason':'Dependency','dependency':'afterok:3(unfulfilled):77,singleton(unfulfilled)'"));
	assert_int_equal(g.v.kind, FS_VERDICT_DEPENDENCY);
	assert_int_equal(g.v.nneeds, 3);
	assert_string_equal(g.v.needs[0].kind, "afterok");
	assert_true(g.v.needs[0].job == 3 && g.v.needs[0].job_row == 0);
	assert_string_equal(g.v.needs[1].kind, "afterok");
	assert_true(g.v.needs[1].job == 77 && g.v.needs[1].job_row == UINT32_MAX);
	assert_string_equal(g.v.needs[2].kind, "singleton");
	assert_true(g.v.needs[2].job == 0);
	take(&g);
	/* dependencies on single array tasks, on a whole array, and on a delay in minutes after a start; the snapshot
	 * has no task 9 of the array */
	give(&g, UP RUNS(3) JOB(7, "'array_job_id':5,'array_task_id':2") JOB(5, "'array_job_id':5,'array_tasks':'3-8'")
	     WAITS(",'reason':'Dependency','dependency':'afterok:5_2(unfulfilled),afterok:5_4(unfulfilled),afterany:5_*(unfulfilled),"
		   "after:3+30(unfulfilled),afterok:5_9(failed)'"));
	assert_int_equal(g.v.nneeds, 5);
	assert_true(g.v.needs[0].job == 5 && g.v.needs[0].job_row == 2 && !g.v.needs[0].delay_min);
	assert_string_equal(g.v.needs[0].task, "5_2");
	assert_true(g.v.needs[1].job_row == 1);
	assert_true(g.v.needs[2].job_row == 1);
	assert_string_equal(g.v.needs[2].task, "5_*");
	assert_true(g.v.needs[3].job_row == 0 && g.v.needs[3].delay_min == 30 && !g.v.needs[3].task);
	assert_true(g.v.needs[4].failed && g.v.needs[4].job_row == UINT32_MAX);
	take(&g);
	/* in Flux, a dependency on a begin time refers to no job */
	give(&g, UP RUNS(3) WAITS(",'reason':'Dependency','dependency':'begin@03:51:20,begin-time=1795194000.000'"));
	assert_int_equal(g.v.nneeds, 2);
	assert_string_equal(g.v.needs[0].kind, "begin@03:51:20");
	assert_string_equal(g.v.needs[1].kind, "begin-time=1795194000.000");
	assert_true(!g.v.needs[0].job && !g.v.needs[1].job);
	take(&g);
}

static void a_running_job_has_no_verdict(void **state)
{
	struct given g;

	(void)state;
	give(&g, UP RUNS(9));
	assert_int_equal(g.v.kind, FS_VERDICT_NONE);
	take(&g);
}

static void two_verdicts_can_be_used_at_once(void **state)
{
	struct given g;
	struct fs_verdict other;

	(void)state;
	give(&g, UP JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':['q'],'priority':5,"
			   "'tres_req':{'cpu':13,'node':1},'reason':'Priority'")
		 JOB(10, "'partitions':['p'],'priority':4,'tres_req':{'cpu':17,'node':1},'reason':'Priority'"));
	assert_int_equal(fs_queue_verdict(g.q, 1, &other), 0);
	assert_string_equal(other.obstacle->what, "cpu");
	assert_string_equal(g.v.limit->name, "MaxTRESPerJob");
	fs_verdict_release(&other);
	assert_null(other.obstacle);
	fs_verdict_release(&other);
	assert_same_double(g.v.limit->wants, 13);
	take(&g);
}

#define OF_TWO_QOS(listed) SITE P("") N("a", "") REC("qos", "'name':'low','priority':1,'max_tres':{'cpu':1}") \
	REC("qos", "'name':'high','priority':10") \
	JOB(9, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':[" listed "],'cpus':4,'nodes':1," \
	       "'priority':5,'tres_req':{'cpu':4,'node':1},'reason':'Priority'")

/* Queue records are sorted by QOS priority, limits by the order of the job's QOS list. */
static void a_limit_blocks_the_record_of_its_own_qos(void **state)
{
	static const char *const texts[] = { OF_TWO_QOS("'low','high'"), OF_TWO_QOS("'high','low'") };
	struct given g;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		give(&g, texts[t]);
		assert_int_equal(g.q->record.n, 2);
		for (size_t i = 0; i < 2; i++) {
			const struct fsi_queue_record *r = &g.q->record.v[i];
			const bool low = !strcmp(fsi_name_text(g.m, r->qos), "low");

			assert_int_equal(r->blocker, low ? FSI_BLOCKER_NEVER : FSI_BLOCKER_NONE);
			assert_int_equal(r->eligible, !low);
		}
		take(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_blocks_the_record_of_its_own_qos),
		cmocka_unit_test(dependent_jobs_list_the_jobs_they_wait_for),
		cmocka_unit_test(a_running_job_has_no_verdict),
		cmocka_unit_test(two_verdicts_can_be_used_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
