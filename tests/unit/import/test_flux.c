/* import/flux*.c: folders and trees, and what is wrong with them. */
#include "fsimport.h"

static int try_folder(const struct fst_file *files, size_t n, const char *broken, fs_snapshot **out,
		      struct fs_error *err)
{
	struct fst_folder folder = { files, n, 0, broken };
	const struct fs_source source = { &folder, "dir", fst_open, fst_read_file, fst_close, NULL };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_flux(out, &source, err);
	assert_int_equal(folder.open, 0);
	return rc;
}

static fs_snapshot *import(const struct fst_file *files, size_t n)
{
	struct fs_error err;
	fs_snapshot *m;

	fst_no_error(try_folder(files, n, NULL, &m, &err), &err);
	fst_same_again(m);
	return m;
}

static void refused(const struct fst_file *files, size_t n, const char *file, uint64_t line, const char *field,
		    const char *message)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(try_folder(files, n, NULL, &m, &err), FS_EDATA);
	assert_null(m);
	fst_expect(&err, FS_EDATA, line, field, message);
	assert_string_equal(err.file, file);
}

static int try_tree(const char *text, fs_snapshot **out, struct fs_error *err)
{
	char *bytes = fst_quoted(text);
	struct fst_text t = { bytes, strlen(bytes), 7 };
	int rc;

	*out = NULL;
	memset(err, 0, sizeof(*err));
	rc = fs_import_flux_tree(out, fst_read, &t, "tree", err);
	free(bytes);
	return rc;
}

static fs_snapshot *tree(const char *text)
{
	struct fs_error err;
	fs_snapshot *m;

	fst_no_error(try_tree(text, &m, &err), &err);
	fst_same_again(m);
	return m;
}

static void tree_refused(const char *text, uint64_t line, const char *field, const char *message)
{
	struct fs_error err;
	fs_snapshot *m;

	assert_int_equal(try_tree(text, &m, &err), FS_EDATA);
	assert_null(m);
	fst_expect(&err, FS_EDATA, line, field, message);
}

static bool warned(const fs_snapshot *m, const char *part)
{
	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		if (strstr(fs_snapshot_warning(m, i), part))
			return true;
	return false;
}

#define BANKS_HEAD "bank_id | bank | active | parent_bank | shares | job_usage | priority | ignore_older_than\n--+--\n"
#define BANKS BANKS_HEAD "1 | root | true | | 1 | 35.0 | 0.0 | 0\n2 | a | true | root | 2 | 30.0 | 1.5 | 0\n" \
			 "3 | b | false | root | 3 | 5.0 | 0.0 | 0\n"
#define QUEUE_X \
	"queue | priority | min_nodes_per_job | max_nodes_per_job | max_time_per_job | max_running_jobs\nx | 1 | 1 | 1 | 60 | 5\n"
#define USERS_HEAD "active | username | userid | bank | default_bank | shares | job_usage | fairshare | " \
		   "max_running_jobs | queues\n---+---\n"
#define USERS USERS_HEAD "true | u | 11 | a | a | 1 | 10.25 | 0.5 | 5 | x,y\n" \
			 "true | v | 12 | a | a | 2 | 19.75 | 1.0 | unlimited | \n"

static void tables(void **state)
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

static void jobs(void **state)
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
	assert_true(warned(m, "time is taken from the latest job"));
	assert_true(fs_snapshot_hidden(m, "config")); /* nothing of flux-accounting tells its weights */
	assert_false(warned(m, "100000, 10000, 0 and 1000"));
	fs_snapshot_free(m);
}

/* One job asked for by its id is a bare object. */
static void one_job(void **state)
{
	static const struct fst_file files[] = { { "flux-jobs_--json.json", "{\"id\": 7, \"state\": \"CLEANUP\"}" } };
	fs_snapshot *m = import(files, 1);

	(void)state;
	assert_member(m, "job", 0, "state", "'COMPLETING'");
	fs_snapshot_free(m);
}

#define VIEW "Bank|Username|Active|RawShares|RawUsage|Fairshare\nroot||true|1|10.0\n b||true|2|6.0\n  b|u|true|1|6.0|0.5\n" \
	     " a||false|3|4.0\n  a|v|true|1|4.0|0.25\n"

static void view_bank(void **state)
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
	assert_member(m, "association", 1, "account", "'a'"); /* by name; ids keep the order listed */
	assert_member(m, "association", 1, "id", "3");
	assert_member(m, "association", 1, "active", "false");
	assert_member(m, "association", 2, "fairshare", "0.25");
	assert_member(m, "association", 3, "parent", "'root'");
	fs_snapshot_free(m);

	/* list-banks leaves inactive banks out: they are known all the same */
	m = import(both, 3);
	assert_member(m, "association", 1, "active", "false");
	assert_member(m, "association", 2, "user", "'w'");
	assert_member(m, "association", 3, "bank_priority", "3.5");
	fs_snapshot_free(m);
}

static void upstreams_blind_spots(void **state)
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
	assert_true(warned(m, "user \"u\" of bank \"a\", which has sub-banks: left out"));
	assert_true(warned(m, "bank \"d\": no bank \"gone\" is listed above it"));
	fs_snapshot_free(m);
}

static void hidden(void **state)
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

static void bad_folders(void **state)
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
	refused(roots, 1, "dir/list-banks.txt", 6, "parent_bank", "a second bank without parent");
	REFUSED("list-users_-j.json", "[{\"username\": \"w\", \"bank\": \"a\", \"shares\": 4, \"fairshare\": 10.5}]",
		1, "fairshare", "in range");
	refused(negative, 1, "dir/list-banks.txt", 6, "shares", "got \"-1\"");
	assert_int_equal(try_folder(circle, 2, NULL, &m, &err), FS_EDATA);
	assert_int_equal(try_folder(rootless, 1, NULL, &m, &err), FS_EDATA);
	assert_non_null(strstr(err.message, "no root"));
	REFUSED("list-users.txt", USERS "true | u | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 5, "username",
		"user \"u\" of bank \"a\" appears twice");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1 | -1.5 | 0.5 | 5 | x\n", 3, "usage_tres_s", "-1.5");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1 | nan | 0.5 | 5 | x\n", 3, "usage_tres_s", "nan");
	REFUSED("list-users.txt", USERS_HEAD "true | u | 11 | a | a | 1\n", 3, "", "expected 10 columns, got 6");
	REFUSED("list-users.txt", USERS_HEAD "true |  | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 3, "username", "missing");
	REFUSED("list-users.txt", USERS_HEAD "maybe | u | 11 | a | a | 1 | 1 | 0.5 | 5 | x\n", 3, "active", "maybe");
	REFUSED("list-users_-j.json", "[{\"username\": \"u\", \"username\": \"v\"}]", 1, "username", "duplicate key");
	REFUSED("list-users_-j.json", "[{\"username\": \"u\"", 1, "", "cut short");
	REFUSED("list-factors.txt", "factor | weight\n--\nfairshare | much\n", 3, "weight", "much");
	REFUSED("list-factors.txt", "factor | weight\n--\nbank | 1\nbank | 2\n", 4, "weight_bank", "appears twice");
	REFUSED("NOW", "soon\n", 1, "date", "seconds since 1970");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"id\": 1}]}", 1, "state", "missing");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"state\": \"RUN\"}]}", 1, "id", "missing");
	REFUSED("flux-jobs_--json.json", "{\"jobs\": [{\"id\": 1.5, \"state\": \"RUN\"}]}", 1, "id", "1.5");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"urgency\": 32}]", 1, "urgency", "0 to 31");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"priority\": -1}]", 1, "priority", "0 to 4294967295");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"duration\": -1}]", 1, "duration", "seconds");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"RUN\", \"t_submit\": 1e300}]", 1, "t_submit", "since 1970");
	REFUSED("flux-jobs_--json.json", "[{\"id\": 1, \"state\": \"DEPEND\", \"dependencies\": [1]}]", 1, "dependencies", "strings");
	REFUSED("view-bank_root_-t_-P.txt", "Bank|Username|Active|RawShares|RawUsage|Fairshare\nroot||true|1|1\n   a||true|1|1\n",
		3, "Bank", "indented deeper");
}

static void trees(void **state)
{
	fs_snapshot *m = tree("{'root':{'bank':'root','children':[{'bank':'b','usage':12,'shares':2,'children':["
			      "{'username':'u','shares':1,'usage':2.5},{'username':'v','shares':3,'usage':9.5,'active':0}]}],"
			      "'shares':1}}");

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->kind, FS_FLUX);
	assert_int_equal(fs_snapshot_info(m)->associations, 4);
	assert_member(m, "association", 0, "id", "1");
	assert_member(m, "association", 1, "parent", "'root'");
	assert_member(m, "association", 1, "total_usage", "12");
	assert_member(m, "association", 2, "account", "'b'");
	assert_member(m, "association", 3, "active", "false");
	assert_int_equal(fs_snapshot_warnings(m), 0);
	fs_snapshot_free(m);

	m = tree("{'bank':'r','shares':1,'children':[{'username':'u','shares':1,'usage':1},{'bank':'c','shares':1,'usage':9}]}");
	assert_true(warned(m, "user \"u\" of bank \"r\", which has sub-banks: counted"));
	assert_true(warned(m, "bank \"c\": usage 9 is not that of its users, 0"));
	assert_member(m, "association", 1, "left_out", "");
	fs_snapshot_free(m);
}

static void bad_trees(void **state)
{
#define IN_ROOT(text) "{'root':{'bank':'root','shares':1,'children':[\n" text "\n]}}"
	(void)state;
	tree_refused("", 1, "", "empty");
	tree_refused("[]", 0, "", "no root");
	tree_refused("{}", 1, "bank", "neither \"bank\" nor \"username\"");
	tree_refused("{'root':5}", 0, "", "no root");
	tree_refused("{'username':'u','shares':1,'usage':1}", 1, "username", "the root must be a bank");
	tree_refused(IN_ROOT("{'username':'u','shares':1}"), 2, "usage", "missing");
	tree_refused(IN_ROOT("{'username':'u','usage':1}"), 2, "shares", "missing");
	tree_refused(IN_ROOT("{'username':'u','shares':-1,'usage':1}"), 2, "shares", "-1");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':-1}"), 2, "usage_tres_s", "-1");
	tree_refused(IN_ROOT("{'username':'u','shares':4294967296,'usage':1}"), 2, "shares", "4294967296");
	tree_refused(IN_ROOT("{'username':'u','bank':'b','shares':1,'usage':1}"), 2, "username", "at once");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':1,'children':[]}"), 2, "children", "a user has none");
	tree_refused(IN_ROOT("{'bank':'b','shares':1},\n{'bank':'b','shares':1}"), 3, "bank", "bank \"b\" appears twice");
	tree_refused(IN_ROOT("{'username':'u','shares':1,'usage':1},\n{'username':'u','shares':1,'usage':1}"), 3, "username",
		     "appears twice");
	tree_refused("[{'bank':'a','shares':1},\n{'bank':'b','shares':1}]", 2, "parent_bank", "a second bank without parent");
}

static void past_jobs(void **state)
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
	assert_string_equal(fsi_str(m, m->usage.v[0].account), "physics");
	assert_int_equal(fsi_amount_of(m, m->usage.v[0].tres, fsi_name_find(m, "node")), 2);
	assert_string_equal(fsi_str(m, m->usage.v[0].user), "5004"); /* nobody has that number */
	assert_string_equal(fsi_str(m, m->usage.v[1].user), "ada");
	assert_string_equal(fsi_str(m, m->usage.v[2].user), "boole"); /* a number is looked up */
	assert_string_equal(fsi_str(m, m->usage.v[3].user), "boole");
	fs_snapshot_free(m);
	refused(bad, 3, "dir/view-job-records.txt", 2, "end_time", "");
}

#define R_FILE(text) { "flux_resource_R.json", text }
#define R_OF_FOUR \
	"{'version':1,'execution':{'R_lite':[{'rank':'1-3','children':{'core':'0-7','gpu':'0-1'}},{'rank':'0','children':{'core':'0-3'}}]," \
	"'starttime':0,'expiration':0,'nodelist':['a0','b[1-3]'],'properties':{'fast':'0','wide':'1-3','new':'3'}},'scheduling':{'graph':{'nodes':[{'id':'0'}]}}}"
#define QUEUES_TABLE "queue | priority\n--+--\nfast | 1\nwide | 2\n"

/* Nodes by R, queues by what they require, states by the lists. */
static void a_machine_is_read_from_r_and_the_configuration(void **state)
{
	char *r = fst_quoted(R_OF_FOUR);
	char *config = fst_quoted("{'queues':{'fast':{'requires':['fast']},'wide':{'requires':['wide']},'both':{'requires':['wide','new']},'any':{}},"
				  "'sched-fluxion-qmanager':{'queue-policy':'easy','queue-params':{'queue-depth':100},'policy-params':{'reservation-depth':7}}}");
	const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "list-queues.txt", QUEUES_TABLE },
		R_FILE(r),
		{ "flux_config_get.json", config },
		{ "flux_module_list.txt", "Module Idle S Sendq Recvq Service\nkvs 1 R 0 0\nsched-fluxion-qmanager 0 R 0 0 sched\n" },
		{ "flux_resource_list.txt", "     STATE QUEUE NNODES NCORES NGPUS NODELIST\n      free fast 1 2 0 a0\n allocated fast 1 2 0 a0\n"
					    " allocated wide 1 8 2 b1\n      down any,both,wide 2 16 4 b[2-3]\n" },
		{ "flux_resource_status.txt", "       STATE UP NNODES NODELIST\n       avail  \xe2\x9c\x94      3 a0,b[1-2]\n    drained*  \xe2\x9c\x97      1 b3\n" },
		{ "flux_queue_status.txt", "wide: Job submission is disabled: no more\nwide: Scheduling is stopped: power\nboth: Job submission is disabled: x\n"
					   "both: Scheduling is started\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "node", 0, "name", "'a0'");
	assert_member(m, "node", 0, "cpus", "4");
	assert_member(m, "node", 0, "state", "'MIXED'");
	assert_member(m, "node", 0, "partitions", "['fast','any']");
	assert_member(m, "node", 0, "tres", "{'cpu':4}");
	assert_member(m, "node", 1, "state", "'ALLOCATED'");
	assert_member(m, "node", 1, "tres", "{'cpu':8,'gres/gpu':2}");
	assert_member(m, "node", 2, "state", "'DOWN'");
	assert_member(m, "node", 2, "features", "['wide']");
	assert_member(m, "node", 3, "state", "'IDLE+DRAIN'");
	assert_member(m, "node", 3, "partitions", "['wide','both','any']");
	assert_member(m, "partition", 1, "state", "'STOPPED+DISABLED'");
	assert_member(m, "partition", 1, "total_nodes", "3");
	assert_member(m, "partition", 1, "nodes", "'b[1-3]'");
	assert_member(m, "partition", 3, "nodes", "'a0,b[1-3]'");
	assert_member(m, "partition", 1, "total_cpus", "24");
	assert_member(m, "partition", 2, "state", "'DISABLED'");
	assert_member(m, "partition", 2, "priority", "0");
	assert_member(m, "config", 0, "flux_scheduler", "'sched-fluxion-qmanager'");
	assert_member(m, "config", 0, "fluxion_queue_policy", "'easy'");
	assert_member(m, "config", 0, "fluxion_queue_depth", "100");
	assert_member(m, "config", 0, "fluxion_reservation_depth", "7");
	fs_snapshot_free(m);
	free(config);
	free(r);
}

/* Without R the list tells the nodes; alike ones share what it tells of them together, else their cores are unknown. */
static void a_machine_is_read_from_the_list_alone(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "list-queues.txt", "queue | priority\n--+--\nq | 1\np | 2\n" },
		{ "flux_resource_list.txt", "     STATE QUEUE PROPERTIES NNODES NCORES NODELIST\n      free q 1 3 n1\n allocated q x 2 13 n[1-2]\n"
					    "      down p 2 5 m[1-2]\n      down q 0 0 \n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "node", 0, "cpus", "8");
	assert_member(m, "node", 0, "state", "'MIXED'");
	assert_member(m, "node", 1, "cpus", "8");
	assert_member(m, "node", 2, "cpus", "");
	assert_member(m, "node", 2, "partitions", "['p']");
	fs_snapshot_free(m);
}

static void the_one_queue_without_a_name_may_be_stopped(void **state)
{
	static const struct fst_file files[] = {
		{ "list-banks.txt", BANKS },
		{ "list-users.txt", USERS },
		{ "flux_queue_status.txt", "Job submission is enabled\nScheduling is stopped: because: of that\n" },
	};
	fs_snapshot *m = import(files, FST_COUNT(files));

	(void)state;
	assert_member(m, "config", 0, "scheduling_stopped", "true");
	fs_snapshot_free(m);
}

static void a_machine_that_is_not_whole_is_refused(void **state)
{
	static const struct {
		const char *r, *field, *message;
	} bad[] = {
		{ "{'execution':{'R_lite':[{'rank':'0-1','children':{'core':'0-3'}}],'nodelist':['a']}}", "nodelist", "expected a host for each of 2 ranks" },
		{ "{'execution':{'R_lite':[{'rank':'0','children':{'core':'0-3'}}]}}", "nodelist", "expected a host for each of 1 ranks" },
		{ "{'execution':{'R_lite':[{'rank':'0-','children':{'core':'0-3'}}],'nodelist':['a']}}", "rank", "expected a set of ranks" },
		{ "{'execution':{'R_lite':[{'children':{'core':'x'}}],'nodelist':['a']}}", "rank", "expected a set of ranks" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(bad); i++) {
		char *r = fst_quoted(bad[i].r);
		const struct fst_file files[] = { { "list-banks.txt", BANKS }, { "list-users.txt", USERS }, R_FILE(r) };

		refused(files, FST_COUNT(files), "dir/flux_resource_R.json", 1, bad[i].field, bad[i].message);
		free(r);
	}
}

/* Where one job has a queue all have. */
static void a_job_without_the_queue_that_others_have_is_told(void **state)
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

		assert_int_equal(warned(m, "of 2 records some lack what all have: queue (1)"), all[i].told);
		fs_snapshot_free(m);
		free(json);
	}
}

/* What each of flux-accounting's listings and `flux queue status` always have is missed. */
static void what_listings_always_have(void **state)
{
#define ROW(active, cores) \
	"{'username':'u','bank':'a'," active "'shares':1,'job_usage':1,'fairshare':0.5,'max_running_jobs':5,'max_active_jobs':7," \
	"'max_nodes':9," cores "'max_sched_jobs':4}"
	static const struct {
		const char *file, *text, *told;
	} all[] = {
		{ "list-users_--json.json", "[" ROW("'active':1,", "'max_cores':3,") "]", NULL },
		{ "list-users_--json.json", "[" ROW("", "'max_cores':3,") "]", "list-users_--json.json: of 1 record some lack what all have: active (1)" },
		{ "list-users_--json.json", "[" ROW("'active':1,", "") "]", "lack what all have: max_cores (1)" },
		{ "list-users_--json.json", "", "list-users_--json.json: it is empty" },
		{ "list-factors.txt", "factor | weight\n---+---\nfairshare | 1\nqueue | 1\nurgency | 1\n", "list-factors has no weight of bank" },
		{ "list-factors.txt", "factor | weight\n---+---\nfairshare | 1\nqueue | 1\nurgency | 1\nbank | 0\n", NULL },
		{ "list-queues.txt", "queue | priority | min_nodes_per_job | max_nodes_per_job | max_time_per_job\nx | 1 | 1 | 1 | 60\n",
		  "list-queues.txt: of 1 record some lack what all have: max_running_jobs (1)" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\nx: Scheduling is started\n", NULL },
		{ "flux_queue_status.txt", "Job submission is enabled\nScheduling is started\n", "it does not say of 1 queue" },
		{ "flux_queue_status.txt", "Job submission is enabled\n", "it is not what `flux queue status` prints" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\n",
		  "flux_queue_status.txt: it does not say of 1 queue, the first x, whether jobs are taken and started" },
		{ "flux_queue_status.txt", "x: Job submission is enabled\nx: Scheduling started\n", "of 1 line nothing is known" },
		{ "flux_queue_status.txt", "", "it does not say of 1 queue" },
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

#define SLOT(n, cores, more) "{'type':'slot','count':" #n ",'with':[{'type':'core','count':" #cores "}" more "]}"
#define GPU(n) ",{'type':'gpu','count':" #n "}"
#define NODE_OF(n, own, slot) "{'type':'node','count':" #n own ",'with':[" slot "]}"

/* `flux jobs` tells the time of day of a begin time, the jobspec all of it; the latest of several counts. What is no
 * time is none, and a begin time to come is not when the capture was made. */
static void jobspecs_tell_when_jobs_begin(void **state)
{
	static const struct {
		const char *dependencies, *begins;
	} rows[] = { { "[{'scheme':'begin-time','value':'1795310875.5'}]", "1795310875" },
		     { "[{'scheme':'begin-time','value':'20'},{'scheme':'begin-time','value':'30'},{'scheme':'begin-time','value':'9'}]", "30" },
		     { "[{'scheme':'afterok','value':'20'}]", "" },
		     { "[{'scheme':'begin-time','value':'-1'},{'scheme':'begin-time','value':'inf'},{'scheme':'begin-time'},7]", "" },
		     { "'too deep'", "" } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char text[400];
		char *jobs = fst_quoted("{'jobs':[{'id':7,'state':'DEPEND','urgency':16,'t_submit':6.0,'dependencies':['begin@09:04:35']}]}"), *specs;

		snprintf(text, sizeof(text), "{'jobspecs':[{'id':7,'resources':[],'dependencies':%s}]}", rows[i].dependencies);
		specs = fst_quoted(text);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", specs } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "job", 0, "eligible_time", rows[i].begins);
		assert_int_equal(fs_snapshot_info(m)->time, 6);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

/* Of a job with whole nodes of its own `flux jobs` tells no cores; of any other it does. */
static void jobs_of_whole_nodes_lack_no_cores(void **state)
{
	static const char *const specs[] = { "{'jobspecs':[{'id':7,'resources':[" NODE_OF(2, ",'exclusive':true", SLOT(1, 1, "")) "]}]}",
					     "{'jobspecs':[{'id':7,'resources':[" NODE_OF(2, "", SLOT(1, 1, "")) "]}]}" };
	char *jobs = fst_quoted("{'jobs':[{'id':7,'state':'SCHED','urgency':16,'t_submit':6.0,'priority':1,'nnodes':2,"
				"'username':'u'},{'id':9,'state':'SCHED','urgency':16,'t_submit':6.0,'priority':1,'ncores':1,"
				"'username':'u'}]}");

	(void)state;
	for (size_t i = 0; i < FST_COUNT(specs); i++) {
		char *spec = fst_quoted(specs[i]);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", spec } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_int_equal(warned(m, "of 2 records some lack what all have: ncores (1)"), i);
		fs_snapshot_free(m);
		free(spec);
	}
	free(jobs);
}

/* GPUs, whole nodes and constraints come from the jobspecs; a job of which there is none has what `flux jobs` says. */
static void jobspecs_tell_what_the_listing_leaves_out(void **state)
{
	static const struct {
		const char *spec, *gpus, *own, *features;
	} rows[] = {
		{ "'resources':[" SLOT(3, 1, GPU(2)) "],'constraints':null", "{'gres/gpu':6}", "", "" },
		{ "'resources':[" NODE_OF(2, "", SLOT(2, 1, GPU(1))) "]", "{'gres/gpu':4}", "", "" },
		{ "'resources':[" NODE_OF(2, ",'exclusive':true", SLOT(2, 4, GPU(1))) "]", "{'gres/gpu':2}", "'EXCLUSIVE'", "" },
		{ "'resources':[" NODE_OF(1, ",'exclusive':false", SLOT(1, 1, "")) "],'constraints':{'properties':['a','^b']}", "", "", "'a&^b'" },
		{ "'resources':[],'constraints':{'and':[{'or':[{'properties':['a']},{'properties':['b']}]},{'not':[{'hostlist':['n[1-3]']}]},{'ranks':['0-1']}]}",
		  "", "", "'((a)|(b))&!((hosts:n[1-3]))&(ranks:[0-1])'" },
		{ "'resources':[{'type':'rack','count':1}],'constraints':{}", "", "", "" },
		{ "'resources':'too deep','constraints':'too deep'", "", "", "" },
		{ "'resources':[],'constraints':{'xor':[]}", "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char text[600];
		char *jobs = fst_quoted("{'jobs':[{'id':9,'state':'SCHED','urgency':16,'t_submit':5.0},{'id':7,'state':'SCHED','urgency':16,'t_submit':6.0}]}"), *specs;

		snprintf(text, sizeof(text), "{'jobspecs':[{'id':8,'resources':[]},{'id':7,%s}]}", rows[i].spec);
		specs = fst_quoted(text);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", specs } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "job", 0, "tres_req", rows[i].gpus);
		assert_member(m, "job", 0, "oversubscribe", rows[i].own);
		assert_member(m, "job", 0, "features", rows[i].features);
		assert_member(m, "job", 1, "features", "");
		assert_int_equal(warned(m, "constraint was not understood"), i >= 6);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

/* Of each association the job submitted last, be it over or not. What ended before `from` is not listed, so that a job
 * submitted before that moment need not be the last. */
static void the_job_submitted_last(void **state)
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
		{ "flux_jobs_ended.json", "{'from':40.25,'jobs':[]}", "", "", "", "", true }, /* submitted in the same second */
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

/* `flux jobs` stops at 1000 by itself: then the first that ended is as far back as it goes. */
static void a_list_of_ended_jobs_that_may_be_cut(void **state)
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

/* A listing of all jobs tells as much, by its name alone. */
static void ended_jobs_in_the_listing_itself(void **state)
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

static void ended_jobs_that_are_wrong(void **state)
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
		cmocka_unit_test(a_machine_is_read_from_r_and_the_configuration),
		cmocka_unit_test(a_machine_is_read_from_the_list_alone),
		cmocka_unit_test(the_one_queue_without_a_name_may_be_stopped),
		cmocka_unit_test(a_machine_that_is_not_whole_is_refused),
		cmocka_unit_test(jobspecs_tell_what_the_listing_leaves_out),
		cmocka_unit_test(jobspecs_tell_when_jobs_begin),
		cmocka_unit_test(jobs_of_whole_nodes_lack_no_cores),
		cmocka_unit_test(the_job_submitted_last),
		cmocka_unit_test(a_list_of_ended_jobs_that_may_be_cut),
		cmocka_unit_test(ended_jobs_in_the_listing_itself),
		cmocka_unit_test(ended_jobs_that_are_wrong),
		cmocka_unit_test(past_jobs),
		cmocka_unit_test(a_job_without_the_queue_that_others_have_is_told),
		cmocka_unit_test(what_listings_always_have),
		cmocka_unit_test(tables),
		cmocka_unit_test(jobs),
		cmocka_unit_test(one_job),
		cmocka_unit_test(view_bank),
		cmocka_unit_test(upstreams_blind_spots),
		cmocka_unit_test(hidden),
		cmocka_unit_test(bad_folders),
		cmocka_unit_test(trees),
		cmocka_unit_test(bad_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
