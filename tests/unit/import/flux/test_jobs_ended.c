/* import/flux/jobs.c: a list of ended jobs that may be truncated. */
#include "fsflux.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_of_1000_ended_jobs_may_be_truncated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
