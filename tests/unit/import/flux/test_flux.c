/* import/flux/flux.c and its tables: the contents of listings, and malformed listings. */
#include "fsflux.h"

static void all_tables_are_imported(void **state)
{
	static const struct fst_file files[] = {
		{ "NOW", "1765200400.75\n" },
		{ "caller", "ada\n" },
		{ "flux_version.txt", "commands:    \t\t0.88.0\nlibflux-core:\t\t0.88.0\n" },
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "list-factors.txt", "factor | weight\n---+---\nfairshare | 1000\nbank | 2.5\n" },
		{ "list-configs.txt", "key | value\n--+--\ndecay_factor | 0.5\ndeny_unknown_queues | false\nx | y\n" },
		{ "list-queues.txt", "queue | priority | max_running_jobs | max_time_per_job\n--+--\nx | -7 | unlimited | 90\n" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\nx: Scheduling is stopped\nother: Scheduling is started\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "snapshot", 0, "time", "1765200400");
	assert_member(m, "snapshot", 0, "scheduler", "'flux 0.88.0'");
	assert_member(m, "snapshot", 0, "captured_by", "'ada'");
	assert_member(m, "snapshot", 0, "hidden", "['job']");
	assert_member(m, "association", 0, "account", "'root'");
	assert_member(m, "association", 1, "bank_priority", "1.5");
	assert_member(m, "association", 1, "total_usage", "30");
	assert_member(m, "association", 2, "user", "'u'");
	assert_member(m, "association", 2, "max_jobs", "5");
	assert_member(m, "association", 2, "queues", "['x','y']");
	assert_member(m, "association", 2, "fairshare", "0.5");
	assert_member(m, "association", 3, "max_jobs", "2147483647");
	assert_member(m, "association", 3, "usage_tres_s", "19.75");
	assert_member(m, "association", 4, "active", "false");
	assert_member(m, "user", 1, "uid", "12");
	assert_member(m, "user", 1, "default_account", "'a'");
	assert_member(m, "partition", 0, "priority", "-7");
	assert_member(m, "partition", 0, "max_time_s", "5400");
	assert_member(m, "partition", 0, "state", "'STOPPED'");
	assert_member(m, "partition", 0, "max_jobs_per_assoc", "2147483647");
	assert_member(m, "config", 0, "weight_bank", "2.5");
	assert_member(m, "config", 0, "deny_unknown_queues", "false");
	assert_member(m, "config", 0, "x", "'y'");
	fs_snapshot_free(m);
}

static void jobs_in_all_states_are_imported(void **state)
{
	static const struct fst_file files[] = {
		{ "flux-jobs_--json.json",
		  "{\"jobs\": [{\"id\": 18446744073709551615, \"state\": \"SCHED\", \"urgency\": 0, \"priority\": 0,"
		  " \"t_submit\": 5.9, \"duration\": 0.0, \"username\": \"u\", \"bank\": \"a\", \"queue\": \"x\","
		  " \"nnodes\": 2, \"annotations\": {\"user\": {\"fairshare\": 0.142857}}},\n"
		  "{\"id\": 2, \"state\": \"DEPEND\", \"dependencies\": [\"max-run-jobs-queue\", \"begin@1\"]},"
		  "{\"id\": 3, \"state\": \"RUN\", \"t_run\": 9.0, \"expiration\": 20.5, \"duration\": 1.5},"
		  "{\"id\": 4, \"state\": \"INACTIVE\", \"result\": \"CANCELED\", \"t_inactive\": 7},"
		  "{\"id\": 5, \"state\": \"PRIORITY\"}, {\"id\": 6, \"state\": \"SCHED\", \"urgency\": 16,"
		  " \"priority\": 0, \"annotations\": {\"sched\": {\"t_estimate\": 99.0}}}]}" },
	};
	fs_snapshot *m = import(files, 1);

	(void)state;
	assert_member(m, "job", 0, "id", "2");
	assert_member(m, "job", 0, "reason", "'depends:max-run-jobs-queue,begin@1'");
	assert_member(m, "job", 0, "dependency", "'max-run-jobs-queue,begin@1'");
	assert_member(m, "job", 1, "state", "'RUNNING'");
	assert_member(m, "job", 1, "end_time", "20");
	assert_member(m, "job", 1, "time_limit_s", "2");
	assert_member(m, "job", 2, "state", "'CANCELLED'");
	assert_member(m, "job", 3, "reason", "'priority-wait'");
	assert_member(m, "job", 4, "reason", "'priority-hold'");
	assert_member(m, "job", 4, "start_time", "99");
	assert_member(m, "job", 5, "id", "18446744073709551615");
	assert_member(m, "job", 5, "reason", "'held'");
	assert_member(m, "job", 5, "fairshare_ppm", "142857");
	assert_member(m, "job", 5, "time_limit_s", "'unlimited'");
	assert_member(m, "job", 5, "submit_time", "5");
	assert_member(m, "snapshot", 0, "time", "9");
	assert_true(warned(m, "the capture time is unknown (no file date_begin): the import uses the latest"));
	assert_true(fs_snapshot_hidden(m, "config")); /* no captured file shows the weights of flux-accounting */
	assert_false(warned(m, "flux-accounting's defaults"));
	fs_snapshot_free(m);
}

/* The listing of a single job, requested by its id, is one JSON object without an enclosing document. */
static void a_single_job_may_be_a_bare_object(void **state)
{
	static const struct fst_file files[] = { { "flux-jobs_--json.json", "{\"id\": 7, \"state\": \"CLEANUP\"}" } };
	fs_snapshot *m = import(files, 1);

	(void)state;
	assert_member(m, "job", 0, "state", "'COMPLETING'");
	fs_snapshot_free(m);
}

/* flux-accounting prints 2147483647 as "unlimited" in every column that is a number. */
static void the_word_unlimited_is_a_number_in_every_column(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", "bank_id | bank | active | parent_bank | shares | job_usage | priority\n--+--\n"
				    "1 | root | true |  | 1 | unlimited | 0.0\n2 | unlimited | true | root | unlimited | 5.0 | unlimited\n" },
		{ "list-users_-j.json", "[{\"username\": \"u\", \"userid\": \"unlimited\", \"bank\": \"unlimited\", \"shares\": \"unlimited\","
					" \"job_usage\": \"unlimited\", \"active\": 1, \"max_running_jobs\": \"unlimited\"}]" },
		{ "list-factors.txt", "factor | weight\n---+---\nqueue | unlimited\n" },
		{ "list-queues.txt", "queue | priority | max_time_per_job\n--+--\nx | unlimited | unlimited\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "association", 0, "total_usage", "2147483647");
	assert_member(m, "association", 1, "account", "'unlimited'");
	assert_member(m, "association", 1, "shares", "2147483647");
	assert_member(m, "association", 1, "bank_priority", "2147483647");
	assert_member(m, "association", 2, "shares", "2147483647");
	assert_member(m, "association", 2, "usage_tres_s", "2147483647");
	assert_member(m, "user", 0, "uid", "2147483647");
	assert_member(m, "partition", 0, "priority", "2147483647");
	assert_member(m, "partition", 0, "max_time_s", "'unlimited'");
	assert_member(m, "config", 0, "weight_queue", "2147483647");
	fs_snapshot_free(m);
}

#define VIEW "Bank|Username|Active|RawShares|RawUsage|Fairshare\nroot||true|1|10.0\n b||true|2|6.0\n  b|u|true|1|6.0|0.5\n" \
	     " a||false|3|4.0\n  a|v|true|1|4.0|0.25\n"

static void view_bank_completes_list_banks(void **state)
{
	static const struct fst_file alone[] = { { "view-bank_root_-t_-P.txt", VIEW } };
	static const struct fst_file both[] = {
		{ "view-bank_root_-t_-P.txt", VIEW },
		{ "list-banks_--json.json", "[{\"bank\": \"root\", \"parent_bank\": \"\", \"shares\": 1, \"active\": 1},"
					    "{\"bank\": \"b\", \"parent_bank\": \"root\", \"shares\": 2, \"priority\": 3.5}]" },
		{ "list-users_-j.json", "[{\"username\": \"w\", \"bank\": \"a\", \"shares\": 4, \"job_usage\": 1}]" },
	};
	fs_snapshot *m = import(alone, 1);

	(void)state;
	/* associations are sorted by name; their ids are in the order of the file */
	assert_member(m, "association", 1, "account", "'a'");
	assert_member(m, "association", 1, "id", "3");
	assert_member(m, "association", 1, "active", "false");
	assert_member(m, "association", 2, "fairshare", "0.25");
	assert_member(m, "association", 3, "parent", "'root'");
	fs_snapshot_free(m);

	/* list-banks omits inactive banks; view-bank has them */
	m = import(both, 3);
	assert_member(m, "association", 1, "active", "false");
	assert_member(m, "association", 2, "user", "'w'");
	assert_member(m, "association", 3, "bank_priority", "3.5");
	fs_snapshot_free(m);
}

static void users_and_banks_that_upstream_ignores_are_left_out(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", BANKS "4 | c | true | a | 1 | 0.0 | 0.0 | 0\n5 | d | true | gone | 1 | 0 | 0 | 0\n" },
		{ "list-users.txt", USERS "true | w | 13 | c | c | 1 | 1 | 0.5 | 5 |\ntrue | x | 14 | d | d | 1 | 1 | 0.5 | 5 |\n" },
	};
	fs_snapshot *m = import(files, 2);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->associations, 7);
	assert_member(m, "association", 2, "user", "'u'");
	assert_member(m, "association", 2, "left_out", "true");
	assert_member(m, "association", 5, "left_out", "");
	assert_true(warned(m, "user \"u\" of bank \"a\" is left out"));
	assert_true(warned(m, "bank \"d\" is left out, as in flux-accounting, because bank \"gone\" or a bank above it is not listed"));
	fs_snapshot_free(m);
}

static void missing_listings_make_their_records_hidden(void **state)
{
	static const struct fst_file banks[] = { { "list-banks.txt", BANKS } };
	static const struct fst_file users[] = { { "list-users.txt", USERS } };
	struct fs_error err;
	fs_snapshot *m = import(banks, 1);

	(void)state;
	assert_true(fs_snapshot_hidden(m, "association"));
	assert_true(fs_snapshot_hidden(m, "partition"));
	fs_snapshot_free(m);
	m = import(users, 1);
	assert_true(fs_snapshot_hidden(m, "association"));
	fs_snapshot_free(m);
	assert_int_equal(try_folder(NULL, 0, NULL, &m, &err), FS_ENODATA);
	assert_int_equal(try_folder(banks, 1, "list-banks.txt", &m, &err), FS_EIO);
}

#define REFUSED(file, text, line, field, message) \
	refused((const struct fst_file[]){ { "list-banks.txt", BANKS }, { file, text } }, 2, "dir/" file, line, field, message)

static void malformed_listings_are_refused(void **state)
{
	static const struct fst_file twice[] = { { "list-banks.txt", BANKS "9 | a | true | root | 1 | 0 | 0 | 0\n" } };
	static const struct fst_file roots[] = { { "list-banks.txt", BANKS "9 | z | true | | 1 | 0 | 0 | 0\n" } };
	static const struct fst_file negative[] = { { "list-banks.txt", BANKS "9 | z | true | a | -1 | 0 | 0 | 0\n" } };
	static const struct fst_file circle[] = { { "list-banks.txt", BANKS "9 | x | true | y | 1 | 0 | 0 | 0\n"
								      "10 | y | true | x | 1 | 0 | 0 | 0\n" },
						  { "list-users.txt", USERS } };
	static const struct fst_file rootless[] = { { "list-banks.txt", BANKS_HEAD "2 | a | true | root | 2 | 30.0 | 1.5 | 0\n" } };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	refused(twice, 1, "dir/list-banks.txt", 6, "bank", "bank \"a\" appears twice");
	refused(roots, 1, "dir/list-banks.txt", 6, "parent_bank", "a second bank without a parent");
	REFUSED("list-users_-j.json", "[{\"username\": \"w\", \"bank\": \"a\", \"shares\": 4, \"fairshare\": 10.5}]",
		1, "fairshare", "from 0 to 1");
	refused(negative, 1, "dir/list-banks.txt", 6, "shares", "got \"-1\"");
	assert_int_equal(try_folder(circle, 2, NULL, &m, &err), FS_EDATA);
	assert_int_equal(try_folder(rootless, 1, NULL, &m, &err), FS_EDATA);
	assert_non_null(strstr(err.message, "the root bank is missing"));
	REFUSED("list-users.txt", USERS "true | u | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 5, "username",
		"user \"u\" of bank \"a\" appears twice");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1 | -1.5 | 0.5 | 5 | x\n", 3, "usage_tres_s", "-1.5");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1 | nan | 0.5 | 5 | x\n", 3, "usage_tres_s", "nan");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1\n", 3, "", "expected 10 columns, got 6");
	REFUSED("list-users.txt", USERS_HEAD "true |  | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 3, "username", "missing");
	REFUSED("list-users.txt", USERS_HEAD "maybe | u | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 3, "active", "maybe");
	REFUSED("list-users_-j.json", "[{\"username\": \"u\", \"username\": \"v\"}]", 1, "username", "the key appears twice");
	REFUSED("list-users_-j.json", "[{\"username\": \"u\"", 1, "", "the file ends inside the JSON document");
	REFUSED("list-factors.txt", "factor | weight\n--\nfairshare | much\n", 3, "weight", "much");
	REFUSED("list-factors.txt", "factor | weight\n--\nbank | 1\nbank | 2\n", 4, "weight_bank", "the setting appears twice");
	REFUSED("NOW", "soon\n", 1, "date", "seconds since 1970");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"id\": 1}]}", 1, "state", "missing");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"state\": \"RUN\"}]}", 1, "id", "missing");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"id\": 1.5, \"state\": \"RUN\"}]}", 1, "id", "1.5");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"urgency\": 32}]", 1, "urgency", "0 to 31");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"priority\": -1}]", 1, "priority", "0 to 4294967295");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"duration\": -1}]", 1, "duration", "seconds");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"t_submit\": 1e300}]", 1, "t_submit", "since 1970");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"DEPEND\", \"dependencies\": [1]}]", 1, "dependencies", "a list of strings");
	REFUSED("view-bank_root_-t_-P.txt", "Bank|Username|Active|RawShares|RawUsage|Fairshare\nroot||true|1|1\n   a||true|1|1\n",
		3, "Bank", "wrong indentation");
}

static void past_jobs_become_usage_records(void **state)
{
	const struct fst_file files[] = {
		{ "NOW", "1765200400.0\n" },
		{ "list-banks_--json.json", "[{\"bank\":\"root\",\"parent_bank\":\"\",\"shares\":1}]\n" },
		{ "view-job-records.txt",
		  "jobid      | username | userid | t_submit | t_run | t_inactive | nnodes | bank\n"
		  "\xc6\x92mtUD79eo  | 5004 | 5004 | 1000.5 | 1100.25 | 1200.75 | 2 | physics\n"
		  "12         | ada | 5005 | 1000 | 1100 | 1100 | 1 | chem\n"
		  "13         | 5006 | 5006 | 1000 | 1100 | 1100 | 1 | chem\n"
		  "14         |  | 5006 | 1000 | 1100 | 1100 | 1 | chem\n" },
		{ "list-users.txt", "username | userid | bank | shares\nboole | 5006 | root | 1\n" },
	};
	const struct fst_file bad[] = { files[0], files[1],
					{ "view-job-records.txt", "jobid | t_run | t_inactive | nnodes\n1 | 9 | 8 | 1\n" } };
	fs_snapshot *m = import(files, 4);

	(void)state;
	assert_int_equal(m->usage.n, 4);
	assert_int_equal(m->usage.v[0].job, 99110665322496);
	assert_int_equal(m->usage.v[0].start_time, 1100);
	assert_int_equal(m->usage.v[0].end_time, 1200);
	assert_string_equal(fsi_name_text(m, m->usage.v[0].account), "physics");
	assert_int_equal(fsi_amount_of_tres(m, m->usage.v[0].tres, fsi_name_find(m, "node")), 2);
	/* if a user id has no known user name, the number is used as the name */
	assert_string_equal(fsi_name_text(m, m->usage.v[0].user), "5004");
	assert_string_equal(fsi_name_text(m, m->usage.v[1].user), "ada");
	assert_string_equal(fsi_name_text(m, m->usage.v[2].user), "boole"); /* a known user id becomes a name */
	assert_string_equal(fsi_name_text(m, m->usage.v[3].user), "boole");
	fs_snapshot_free(m);
	refused(bad, 3, "dir/view-job-records.txt", 2, "end_time", "");
}

/* If one job has a queue, all jobs must have one. */
static void a_job_without_a_queue_is_reported_if_others_have_one(void **state)
{
#define IN(id, more) "{'id':" #id ",'state':'SCHED','username':'u','urgency':16,'ncores':1,'t_submit':5,'priority':7" more "}"
	static const struct {
		const char *jobs;
		bool told;
	} all[] = { { IN(1, "") "," IN(2, ""), false }, { IN(1, ",'queue':'q'") "," IN(2, ",'queue':'q'"), false },
		    { IN(1, "") "," IN(2, ",'queue':'q'"), true }, { IN(1, ",'queue':'q'") "," IN(2, ",'queue':''"), true } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char text[800], *json;

		snprintf(text, sizeof(text), "{'jobs':[%s]}", all[i].jobs);
		json = fst_quoted(text);
		const struct fst_file files[] = { { "NOW", "1765200400.0\n" }, { "flux-jobs_--json.json", json } };
		fs_snapshot *m = import(files, 2);

		assert_int_equal(warned(m, "fields are missing: queue (in 1 of 2 records)"), all[i].told);
		fs_snapshot_free(m);
		free(json);
	}
}

/* The commands of flux-accounting, and `flux queue status`, always print certain fields. If a listing lacks such a
 * field, the import reports this. */
static void missing_fields_of_listings_are_reported(void **state)
{
#define ROW(active, cores) \
	"{'username':'u','bank':'a'," active "'shares':1,'job_usage':1,'fairshare':0.5,'max_running_jobs':5,'max_active_jobs':7," \
	"'max_nodes':9," cores "'max_sched_jobs':4}"
	static const struct {
		const char *file, *text, *told;
	} all[] = {
		{ "list-users_--json.json", "[" ROW("'active':1,", "'max_cores':3,") "]", NULL },
		{ "list-users_--json.json", "[" ROW("", "'max_cores':3,") "]", "list-users_--json.json: fields are missing: active (in 1 of 1 record)" },
		{ "list-users_--json.json", "[" ROW("'active':1,", "") "]", "max_cores (in 1 of 1 record)" },
		{ "list-users_--json.json", "", "list-users_--json.json: the file is empty" },
		{ "list-factors.txt", "factor | weight\n---+---\nfairshare | 1\nqueue | 1\nurgency | 1\n", "the output of list-factors lacks the weights of bank" },
		{ "list-factors.txt", "factor | weight\n---+---\nfairshare | 1\nqueue | 1\nurgency | 1\nbank | 0\n", NULL },
		{ "list-queues.txt", "queue | priority | min_nodes_per_job | max_nodes_per_job | max_time_per_job\nx | 1 | 1 | 1 | 60\n",
		  "list-queues.txt: fields are missing: max_running_jobs (in 1 of 1 record)" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\nx: Scheduling is started\n", NULL },
		{ "flux_queue_status.txt", "Job submission is enabled\nScheduling is started\n", "the submission or scheduling state of 1 queue is missing" },
		{ "flux_queue_status.txt", "Job submission is enabled\n", "the output of `flux queue status` is incomplete" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\n",
		  "flux_queue_status.txt: the submission or scheduling state of 1 queue is missing, first: x" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\nx: Scheduling started\n", "1 unknown line" },
		{ "flux_queue_status.txt", "", "the submission or scheduling state of 1 queue is missing" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char *text = fst_quoted(all[i].text);
		const struct fst_file files[] = { { "list-banks.txt", BANKS }, { "list-queues.txt", strstr(all[i].file, "list-queues") ? text : QUEUE_X },
						  { all[i].file, text } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		if (all[i].told)
			assert_true(warned(m, all[i].told));
		else
			assert_false(warned(m, all[i].file));
		fs_snapshot_free(m);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_tables_are_imported),
		cmocka_unit_test(jobs_in_all_states_are_imported),
		cmocka_unit_test(a_single_job_may_be_a_bare_object),
		cmocka_unit_test(the_word_unlimited_is_a_number_in_every_column),
		cmocka_unit_test(view_bank_completes_list_banks),
		cmocka_unit_test(users_and_banks_that_upstream_ignores_are_left_out),
		cmocka_unit_test(missing_listings_make_their_records_hidden),
		cmocka_unit_test(malformed_listings_are_refused),
		cmocka_unit_test(past_jobs_become_usage_records),
		cmocka_unit_test(a_job_without_a_queue_is_reported_if_others_have_one),
		cmocka_unit_test(missing_fields_of_listings_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
