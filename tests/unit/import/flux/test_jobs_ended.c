/* import/flux/jobs.c: ended jobs, and the last submitted job of each association. */
#include "fsflux.h"

/* The last submitted job of each association, ended or not. Jobs that ended before `from` are not listed, so a job
 * submitted before `from` may not be the last. */
static void the_last_submitted_job_of_each_association_is_recorded(void **state)
{
#define ENDED(id, uid, bank, queue, at) \
	"{'id':" #id ",'userid':" #uid ",'username':'" #uid "','bank':'" bank "','queue':'" queue "','t_submit':" #at ",'t_inactive':50.5}"
	static const char users[] = "[{'username':'a','userid':1,'bank':'x','default_bank':'x','shares':1},"
				    "{'username':'b','userid':2,'bank':'x','default_bank':'x','shares':1}]";
	static const char banks[] = "[{'bank':'root','parent_bank':'','shares':1},{'bank':'x','parent_bank':'root','shares':1}]";
	static const char active[] = "{'jobs':[{'id':7,'state':'DEPEND','urgency':16,'t_submit':40.5,'username':'a','bank':'x','queue':'q'}]}";
	static const struct {
		const char *file, *ended;
		const char *a, *a_queue, *b, *b_queue;
		bool hidden;
	} rows[] = {
		{ "flux_jobs_ended.json", "{'from':0,'jobs':[]}", "7", "'q'", "", "", false },
		{ "flux_jobs_ended.json", "{'from':0,'jobs':[" ENDED(9, 1, "x", "r", 45.5) "," ENDED(3, 2, "x", "r", 1.5) "]}", "9", "'r'", "3", "'r'", false },
		{ "flux_jobs_ended.json", "{'jobs':[" ENDED(9, 1, "x", "r", 45.5) "," ENDED(3, 2, "x", "r", 1.5) "],'from':20.5}", "9", "'r'", "", "", true },
		/* job 7 was submitted in the second that contains the time `from` of the file */
		{ "flux_jobs_ended.json", "{'from':40.25,'jobs':[]}", "", "", "", "", true },
		{ "flux_jobs_ended.json", "{'from':39.75,'jobs':[]}", "7", "'q'", "", "", true },
		{ "flux_jobs_ended.json", "{'from':0,'jobs':[{'id':9,'userid':1,'username':'1','t_submit':45.5}]}", "9", "", "", "", false },
		{ "flux_jobs_ended.json", "{'from':0,'jobs':[" ENDED(9, 1, "y", "r", 45.5) "," ENDED(10, 8, "x", "r", 45.5) "]}", "7", "'q'", "", "", false },
		{ "flux-jobs_-A_--filter=inactive_--json.json", "{'jobs':[" ENDED(9, 1, "x", "r", 45.5) "]}", "9", "'r'", "", "", false },
		{ "flux-jobs_-A_--filter=running_--json.json", "{'jobs':[" ENDED(9, 1, "x", "r", 45.5) "]}", "", "", "", "", false },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char *text[] = { fst_quoted(users), fst_quoted(banks), fst_quoted(active), fst_quoted(rows[i].ended) };
		const struct fst_file files[] = { { "list-users_--json.json", text[0] }, { "list-banks_--json.json", text[1] },
						  { "flux-jobs_-A_--json.json", text[2] }, { rows[i].file, text[3] } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "association", 2, "last_job", rows[i].a);
		assert_member(m, "association", 2, "last_queue", rows[i].a_queue);
		assert_member(m, "association", 3, "last_job", rows[i].b);
		assert_member(m, "association", 3, "last_queue", rows[i].b_queue);
		assert_int_equal(fs_snapshot_hidden(m, "last jobs"), rows[i].hidden);
		fs_snapshot_free(m);
		for (size_t k = 0; k < FST_COUNT(text); k++)
			free(text[k]);
	}
}

/* `flux jobs` lists at most 1000 jobs. A list of 1000 ended jobs may be truncated, so it is complete only from the
 * earliest listed end on. */
static void a_list_of_1000_ended_jobs_may_be_truncated(void **state)
{
	static const char active[] = "{'jobs':[{'id':7,'state':'DEPEND','urgency':16,'t_submit':40.5,'username':'a','bank':'x','queue':'q'}]}";
	static const char users[] = "[{'username':'a','userid':1,'bank':'x','default_bank':'x','shares':1}]";
	static const char banks[] = "[{'bank':'root','parent_bank':'','shares':1},{'bank':'x','parent_bank':'root','shares':1}]";

	(void)state;
	for (int n = 999; n <= 1000; n++) {
		char *text[] = { fst_quoted(users), fst_quoted(banks), fst_quoted(active), calloc(1001, 90) };
		const struct fst_file files[] = { { "list-users_--json.json", text[0] }, { "list-banks_--json.json", text[1] },
						  { "flux-jobs_-A_--json.json", text[2] },
						  { "flux-jobs_-A_--filter=inactive_--json.json", text[3] } };
		size_t len = (size_t)sprintf(text[3], "{\"jobs\":[");
		fs_snapshot *m;

		for (int k = 0; k < n; k++)
			len += (size_t)sprintf(text[3] + len, "%s{\"id\":%d,\"userid\":5,\"t_submit\":1,\"t_inactive\":%d}", k ? "," : "", k + 10, 9000 - k);
		strcpy(text[3] + len, "]}");
		m = import(files, FST_COUNT(files));
		assert_member(m, "association", 2, "last_job", n < 1000 ? "7" : "");
		assert_int_equal(fs_snapshot_hidden(m, "last jobs"), n == 1000);
		fs_snapshot_free(m);
		for (size_t k = 0; k < FST_COUNT(text); k++)
			free(text[k]);
	}
}

/* Only the file's name shows that the list contains all jobs, ended jobs included (option -a of flux jobs). */
static void a_listing_with_option_a_includes_ended_jobs(void **state)
{
	static const char all[] = "{'jobs':[{'id':7,'state':'DEPEND','urgency':16,'t_submit':40.5,'username':'a','bank':'x','queue':'q'},"
				  "{'id':9,'state':'INACTIVE','result':'FAILED','t_submit':41.5,'t_inactive':42.5,'username':'a','bank':'x','queue':'r'}]}";
	static const char users[] = "[{'username':'a','userid':1,'bank':'x','default_bank':'x','shares':1}]";
	static const char banks[] = "[{'bank':'root','parent_bank':'','shares':1},{'bank':'x','parent_bank':'root','shares':1}]";
	static const char *const names[] = { "flux-jobs_-A_-a_--json.json", "flux-jobs_-A_--json.json" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(names); i++) {
		char *text[] = { fst_quoted(users), fst_quoted(banks), fst_quoted(all) };
		const struct fst_file files[] = { { "list-users_--json.json", text[0] }, { "list-banks_--json.json", text[1] }, { names[i], text[2] } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "association", 2, "last_job", i ? "" : "9");
		assert_member(m, "association", 2, "last_queue", i ? "" : "'r'");
		fs_snapshot_free(m);
		for (size_t k = 0; k < FST_COUNT(text); k++)
			free(text[k]);
	}
}

static void malformed_ended_jobs_are_refused(void **state)
{
	static const struct {
		const char *text, *field, *message;
	} rows[] = { { "{'from':'x','jobs':[]}", "from", "expected seconds since 1970" },
		     { "{'from':-1,'jobs':[]}", "from", "expected seconds since 1970" },
		     { "{'from':0,'jobs':[{'id':'x'}]}", "id", "expected a job id" },
		     { "{'from':0,'jobs':[{'id':1,'t_submit':'x'}]}", "t_submit", "expected seconds since 1970" } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char *jobs = fst_quoted("{'jobs':[{'id':7,'state':'SCHED','urgency':16,'t_submit':6.0}]}"), *ended = fst_quoted(rows[i].text);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobs_ended.json", ended } };

		refused(files, FST_COUNT(files), "dir/flux_jobs_ended.json", 1, rows[i].field, rows[i].message);
		free(jobs);
		free(ended);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_submitted_job_of_each_association_is_recorded),
		cmocka_unit_test(a_list_of_1000_ended_jobs_may_be_truncated),
		cmocka_unit_test(a_listing_with_option_a_includes_ended_jobs),
		cmocka_unit_test(malformed_ended_jobs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
