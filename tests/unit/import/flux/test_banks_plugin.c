/* import/flux/banks.c: the priority plugin's values of each association. */
#include "fsflux.h"

static const char users[] = "[{'username':'a','userid':1,'bank':'x','default_bank':'x','shares':1},"
			    "{'username':'a','userid':1,'bank':'y','default_bank':'x','shares':1},"
			    "{'username':'b','userid':2,'bank':'x','default_bank':'x','shares':1}]";
static const char banks[] = "[{'bank':'root','parent_bank':'','shares':1},{'bank':'x','parent_bank':'root','shares':1},"
			    "{'bank':'y','parent_bank':'root','shares':1}]";

static void each_association_has_its_own_queue_factor(void **state)
{
	char *text[] = { fst_quoted(users), fst_quoted(banks),
			 fst_quoted("{'mf_priority_map':[{'userid':2,'banks':[{'bank_name':'x','queue_factor':0,'held_jobs':{}}]},{'userid':9,'banks':[]},"
				    "{'userid':1,'banks':[{'bank_name':'y','queue_factor':-3},{'bank_name':'z','queue_factor':1},{'bank_name':'x'}]}]}") };
	const struct fst_file files[] = { { "list-users_--json.json", text[0] }, { "list-banks_--json.json", text[1] },
					  { "flux_jobtap_query.json", text[2] } };
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	/* user a in bank x has no factor in the plugin's output */
	assert_member(m, "association", 2, "queue_factor", "");
	assert_member(m, "association", 3, "queue_factor", "0");
	assert_member(m, "association", 5, "queue_factor", "-3");
	fs_snapshot_free(m);
	for (size_t i = 0; i < FST_COUNT(text); i++)
		free(text[i]);
}

static void a_user_without_an_id_is_refused(void **state)
{
	char *text = fst_quoted("{'mf_priority_map':[{'userid':'x','banks':[]}]}"), *jobs = fst_quoted("{'jobs':[]}");
	const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobtap_query.json", text } };

	(void)state;
	refused(files, FST_COUNT(files), "dir/flux_jobtap_query.json", 1, "userid", "expected a number");
	free(text);
	free(jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_association_has_its_own_queue_factor),
		cmocka_unit_test(a_user_without_an_id_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
