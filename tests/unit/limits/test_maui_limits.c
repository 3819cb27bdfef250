/* Limits of Maui's credentials: the usage that commands show. Verdicts are tested in tests/clusters. */
#include "fsmaui.h"
#include "fs/explain.h"

#define CRED(kind, name, fields) REC("credential", "'kind':'" kind "','name':'" name "'," fields)
#define JOB(id, state, cpus, fields) \
	REC("job", "'id':" #id ",'name':'" #id "','state':'" state "','position':" #id \
	    ",'submit_time':1600000000,'time_limit_s':100,'cpus':" #cpus ",'user':'u'" fields)
#define RUNS(id, cpus, fields) JOB(id, "RUNNING", cpus, ",'start_time':1600000000" fields)
#define WAITS(id, cpus, fields) JOB(id, "PENDING", cpus, fields)

/* Compares the limit that the commands show for job 9 with a line such as "idle HARD MAXPROC 6 uses -6 wants 7". */
static void complains(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_explain_limit l;
	struct fs_error err = { 0 };
	char got[200] = "";
	fs_queue *q;

	assert_int_equal(fs_queue_compute(&q, m, NULL, &err), 0);
	for (uint32_t i = 0; i < fs_snapshot_info(m)->jobs; i++) {
		struct fs_job job;

		fs_snapshot_job(m, i, &job);
		if (job.id == 9 && fs_queue_shown_limit(q, i, &l))
			snprintf(got, sizeof(got), "%s %.0f uses %.0f wants %.0f", l.name, l.value, l.used, l.wants);
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

/* Scheduling subtracts eligible jobs from the use of an idle limit, which may become negative. Maui's commands compare
 * the limit with this lower use. */
static void commands_show_the_idle_usage_left_by_scheduling(void **state)
{
	(void)state;
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, "") WAITS(9, 12, ""), "");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, "") WAITS(9, 13, ""),
		  "idle HARD MAXPROC 6 uses -6 wants 13");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_job':1") WAITS(1, 6, "") WAITS(9, 1, ""), "");
	/* jobs that are held, stopped by a hard limit, or over the idle limit themselves are not subtracted from the
	 * use of the idle limit */
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6,'max_job':1") RUNS(1, 1, "") WAITS(2, 6, "") WAITS(9, 7, ""),
		  "active HARD MAXJOB 1 uses 1 wants 1");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(1, 6, ",'reason':'UserHold'") WAITS(9, 7, ""),
		  "idle HARD MAXPROC 6 uses 0 wants 7");
	complains(FST_MAUI_HEAD CRED("user", "u", "'max_idle_proc':6") WAITS(2, 7, "") WAITS(9, 7, ""),
		  "idle HARD MAXPROC 6 uses 0 wants 7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_show_the_idle_usage_left_by_scheduling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
