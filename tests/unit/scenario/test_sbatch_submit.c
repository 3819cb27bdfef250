/* scenario/: commands that submit a job, move a job to the top of its owner's jobs, or requeue a running job. */
#include "fsprio.h"
#include "fs/scenario.h"

#define PENDING(id, priority, place, more) \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':1000,'eligible_time':1000,'accrue_time':1000,'user':'u'," \
		   "'account':'a','association':2,'partitions':['" place "'],'qos':['low'],'nodes':1,'cpus':1,'priority':" #priority more)
#define SITE(config) \
	HEADER CONFIG("'AccountingStorageEnforce':['associations','limits']" config) \
	TRES REC("tres", "'id':5,'name':'billing'") NODES \
	REC("partition", "'name':'p','state':'UP','default_time_s':600,'max_time_s':6000,'is_default':true,'billing_weights':'CPU=2'") \
	REC("partition", "'name':'q','state':'UP'") REC("partition", "'name':'shut','state':'DRAIN'") \
	REC("user", "'name':'u','admin':'none','default_account':'a'") REC("user", "'name':'o','admin':'operator'") QOS \
	REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':3,'account':'a','parent':'root','shares':1") \
	REC("association", "'id':2,'account':'a','user':'u','shares':1,'qos':['low'],'default_qos':'low'") \
	PENDING(5, 100, "p", "") PENDING(6, 90, "p", "") PENDING(7, 80, "p", ",'nice':3") \
	REC("job", "'id':8,'state':'RUNNING','submit_time':1000,'eligible_time':1000,'accrue_time':1000,'start_time':1699999000," \
		   "'end_time':1700002600,'time_limit_s':3600,'user':'u','uid':77,'group':'g','account':'a','association':2," \
		   "'partitions':['p'],'qos':['low'],'nodes':1,'cpus':4,'node_list':'n1','tres_req':{'cpu':4},'tres_alloc':{'cpu':4}") \
	PENDING(9, 70, "q", "")

static char notes[2048];

static void note(void *ctx, const char *sentence)
{
	const size_t len = strlen(notes);

	(void)ctx;
	snprintf(notes + len, sizeof(notes) - len, "%s\n", sentence);
}

static fs_snapshot *after(const char *site, const char *viewer, const char *command)
{
	const struct fs_edit_options o = { .viewer = viewer, .note = note };
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;

	*notes = '\0';
	fst_no_error(fs_snapshot_edit(m, command, &o, &err), &err);
	fst_same_again(m);
	return m;
}

static void check(const char *viewer, const char *command, uint64_t job, const char *expected)
{
	fs_snapshot *m = after(SITE(""), viewer, command);
	char begin[64];

	snprintf(begin, sizeof(begin), "{'type':'job','id':%d,", (int)job);
	fst_check_line(m, begin, expected);
	fs_snapshot_free(m);
}

static void sbatch_adds_a_job_with_defaults_and_options(void **state)
{
	(void)state;
	check("u", "sbatch job.sh -x y", 10, "'submit_time':1700000030,'eligible_time':1700000030,'accrue_time':1700000030,'time_limit_s':600,");
	check("u", "sbatch job.sh", 10, "'user':'u','uid':77,'group':'g','account':'a','association':2,'partitions':['p'],'qos':['low'],");
	check("u", "sbatch", 10, "'nodes':1,'cpus':1,'tasks':1,'cpus_per_task':1,'tres_req':{'cpu':1,'billing':2,'node':1}");
	check("u", "sbatch -N2 --ntasks-per-node=3 -c 2 --mem=4G", 10, "'tres_req':{'cpu':12,'billing':24,'node':2,'mem':8192}");
	check("u", "sbatch -n 5 --mem-per-cpu 100", 10, "'mem_per_cpu_mb':100,");
	check("u", "sbatch -t 1:00:00 --begin=now+1hour", 10, "'eligible_time':1700003630,");
	check("u", "sbatch --array 1-9%2 --time=20", 10, "'array_job_id':10,");
	check("u", "sbatch -H", 10, "'priority':0");
	check("u", "sbatch --gpus-per-node=2 -N 3", 10, "'gres/gpu':6");
	check("u", "sbatch", 8, "'state':'RUNNING'");
}

static void sbatch_requires_an_association_and_notes_its_assumptions(void **state)
{
	fs_snapshot *m = fst_snapshot(SITE(""));
	const struct fs_edit_options o = { .viewer = "nobody" };
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_snapshot_edit(m, "sbatch", &o, &err), FS_EUSAGE);
	fs_snapshot_free(m);
	m = after(SITE(""), "u", "sbatch -t 5");
	assert_non_null(strstr(notes, "job 10: submitted by this command"));
	assert_non_null(strstr(notes, "asks for no memory"));
	assert_int_equal(fs_snapshot_info(m)->jobs, 6);
	fs_snapshot_free(m);
}

static int nice_of(const fs_snapshot *m, uint64_t id)
{
	struct fst_sink out = fst_written(m);
	char begin[64];
	const char *line, *nice;
	int n;

	snprintf(begin, sizeof(begin), "{\"type\":\"job\",\"id\":%d,", (int)id);
	line = strstr(out.data, begin);
	assert_non_null(line);
	nice = strstr(line, "\"nice\":");
	n = nice && nice < strchr(line, '\n') ? atoi(nice + 7) : 0;
	fst_free(&out);
	return n;
}

/* The job gets the highest priority, and the other jobs lose the points that the job gains: the priorities 100, 90, 80
 * become 90, 80, 100. */
static void scontrol_top_moves_priority_between_jobs_of_a_user(void **state)
{
	fs_snapshot *m = after(SITE(""), "u", "scontrol top 7");

	(void)state;
	assert_int_equal(nice_of(m, 7), 3 - 20);
	assert_int_equal(nice_of(m, 5), 10);
	assert_int_equal(nice_of(m, 6), 10);
	assert_int_equal(nice_of(m, 9), 0);
	assert_non_null(strstr(notes, "only an operator may do this"));
	fs_snapshot_free(m);
	m = after(SITE(",'SchedulerParameters':'enable_user_top'"), "u", "scontrol top 6,7");
	assert_string_equal(notes, "");
	assert_int_equal(nice_of(m, 6), -10);
	assert_int_equal(nice_of(m, 7), 3 - 10);
	assert_int_equal(nice_of(m, 5), 20);
	fs_snapshot_free(m);
	m = after(SITE(""), "o", "scontrol top 5");
	assert_int_equal(nice_of(m, 5), 0);
	assert_int_equal(nice_of(m, 6), 0);
	fs_snapshot_free(m);
}

static void scontrol_requeue_returns_a_running_job_to_the_queue(void **state)
{
	(void)state;
	check("u", "scontrol requeue 8", 8, "'state':'PENDING','submit_time':1700000030,'eligible_time':1700000151,'time_limit_s':3600,");
	check("u", "scontrol requeue 8", 8, "'tres_req':{'cpu':4},'restarts':1");
	assert_non_null(strstr(notes, "job 8: only a batch job that allows requeueing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sbatch_adds_a_job_with_defaults_and_options),
		cmocka_unit_test(sbatch_requires_an_association_and_notes_its_assumptions),
		cmocka_unit_test(scontrol_top_moves_priority_between_jobs_of_a_user),
		cmocka_unit_test(scontrol_requeue_returns_a_running_job_to_the_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
