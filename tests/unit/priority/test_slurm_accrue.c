/* priority/accrue: which jobs accrue age. */
#include "fstest.h"

#define ENFORCED FST_HEAD REC("config", "'AccountingStorageEnforce':['associations','limits']")
#define TREE(root, a, user) "{'type':'association','id':1,'account':'root'" root "}\n" \
	"{'type':'association','id':2,'account':'a','parent':'root'" a "}\n" \
	"{'type':'association','id':3,'account':'a','user':'u'" user "}\n" \
	"{'type':'association','id':4,'account':'a','user':'v'}\n"
#define JOB(id, fields) "{'type':'job','id':" #id ",'state':'PENDING','account':'a'," fields "}\n"
#define OLD "'eligible_time':5,'accrue_time':5"
#define NEW "'eligible_time':5"

static void expect(const char *text, uint32_t job, enum fs_accrue_state state, const char *limit,
		   const char *scope, uint32_t value, uint32_t used, uint32_t ahead)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_accrue_row r;
	struct fs_error err;
	fs_accrue *a;

	fst_no_error(fs_accrue_compute(&a, m, 0, &err), &err);
	fs_accrue_job(a, job, &r);
	assert_int_equal(r.state, state);
	if (limit) {
		assert_string_equal(r.limit, limit);
		assert_string_equal(r.scope, scope);
	} else {
		assert_null(r.limit);
	}
	assert_int_equal(r.value, value);
	assert_int_equal(r.used, used);
	assert_int_equal(r.ahead, ahead);
	fs_accrue_free(a);
	fs_snapshot_free(m);
}

static void without_limits_all_eligible_jobs_accrue_age(void **state)
{
	static const char text[] = ENFORCED TREE("", "", "") JOB(1, OLD) JOB(2, NEW)
		JOB(3, NEW ",'priority':0") JOB(4, "'user':'u'")
		JOB(5, "'eligible_time':1700000001")
		REC("job", "'id':6,'state':'RUNNING','accrue_time':5,'eligible_time':5");
	static const enum fs_accrue_state want[] = { FS_ACCRUE_ACCRUING,     FS_ACCRUE_READY,
						     FS_ACCRUE_NOT_ELIGIBLE, FS_ACCRUE_NOT_ELIGIBLE,
						     FS_ACCRUE_NOT_ELIGIBLE, FS_ACCRUE_NOT_ELIGIBLE };

	(void)state;
	for (uint32_t i = 0; i < 6; i++)
		expect(text, i, want[i], NULL, "", 0, 0, 0);
}

#define LIMITED TREE("", ",'grp_jobs_accrue':9", ",'max_jobs_accrue':2,'grp_jobs_accrue':3")
#define U_OLD "'user':'u'," OLD
#define U_NEW "'user':'u'," NEW

static void association_limits_stop_further_jobs_from_accruing_age(void **state)
{
	static const char text[] = ENFORCED LIMITED JOB(1, U_OLD) JOB(2, U_NEW) JOB(3, U_NEW)
		JOB(4, U_NEW) JOB(5, "'user':'v'," NEW);

	(void)state;
	expect(text, 0, FS_ACCRUE_ACCRUING, "MaxJobsAccrue", "a", 2, 1, 0);
	expect(text, 1, FS_ACCRUE_READY, "MaxJobsAccrue", "a", 2, 1, 0);
	expect(text, 2, FS_ACCRUE_WAITING, "MaxJobsAccrue", "a", 2, 1, 1);
	expect(text, 3, FS_ACCRUE_WAITING, "MaxJobsAccrue", "a", 2, 1, 2);
	/* the limit of the nearest ancestor that has an accrue limit */
	expect(text, 4, FS_ACCRUE_READY, "GrpJobsAccrue", "a", 9, 1, 0);
}

static void limits_apply_only_if_they_are_enforced(void **state)
{
	static const char rest[] = LIMITED JOB(1, U_OLD) JOB(2, U_OLD) JOB(3, U_NEW);
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text),
		 "%s{'type':'config','AccountingStorageEnforce':['associations']}\n%s", FST_HEAD,
		 rest);
	expect(text, 2, FS_ACCRUE_READY, NULL, "", 0, 0, 0);
	snprintf(text, sizeof(text),
		 "%s{'type':'config','AccountingStorageEnforce':['safe'],"
		 "'PriorityFlags':['ACCRUE_ALWAYS']}\n"
		 "%s",
		 FST_HEAD, rest);
	expect(text, 2, FS_ACCRUE_READY, NULL, "", 0, 0, 0);
	snprintf(text, sizeof(text), "%s{'type':'config','AccountingStorageEnforce':['safe']}\n%s",
		 FST_HEAD, rest);
	expect(text, 2, FS_ACCRUE_WAITING, "MaxJobsAccrue", "a", 2, 2, 0);
}

static void each_array_task_counts_against_limits(void **state)
{
	static const struct {
		const char *tasks;
		uint32_t n;
	} cases[] = { { "1-3,7", 4 },         { "0-10:5%2", 3 }, { "5", 1 },
		      { "1-20,30-40:5", 23 }, { "junk", 1 },     { "3-1", 1 } };
	char text[3000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text),
			 ENFORCED TREE("", "", ",'grp_jobs_accrue':1000")
			JOB(1, U_OLD ",'array_tasks':'%s'"),
			 cases[i].tasks);
		expect(text, 0, FS_ACCRUE_ACCRUING, "GrpJobsAccrue", "a", 1000, cases[i].n, 0);
	}
}

#define QOS(fields) "{'type':'qos','name':'q','priority':1" fields \
	"}\n{'type':'qos','name':'low','priority':0}\n"

static void qos_limits_replace_association_limits(void **state)
{
	static const char text[] =
		ENFORCED LIMITED
		QOS(",'grp_jobs_accrue':5,'max_jobs_accrue_per_user':3,"
			"'max_jobs_accrue_per_account':4") JOB(1, U_OLD ",'qos':['low','q']")
		JOB(2, "'user':'v','qos':['q']," OLD) JOB(3, U_NEW ",'qos':['low','q']")
		JOB(4, U_NEW ",'qos':['low']");

	(void)state;
	/* MaxJobsAccruePerUser decides, because it has the lowest value. The limit per account has a higher value,
	 * although it admits the same number of further jobs. */
	expect(text, 2, FS_ACCRUE_READY, "MaxJobsAccruePerUser", "q", 3, 1, 0);
	expect(text, 3, FS_ACCRUE_READY, "MaxJobsAccrue", "a", 2, 1, 0); /* the QOS of the job has no limit */
}

/* The limit with the lowest value decides, here 4 jobs per user. The limits of 5 jobs per QOS and per account are
 * ignored, although 5 jobs already accrue age. */
static void only_the_smallest_limit_decides(void **state)
{
	static const char text[] =
		ENFORCED TREE("", "", "")
		QOS(",'grp_jobs_accrue':5,'max_jobs_accrue_per_account':5,'max_jobs_accrue_per_user':4")
		JOB(1, "'user':'v','qos':['q'],'array_tasks':'1-5'," OLD) JOB(2, U_NEW ",'qos':['q']");

	(void)state;
	expect(text, 1, FS_ACCRUE_READY, "MaxJobsAccruePerUser", "q", 4, 0, 0);
}

static void the_first_of_equal_limits_is_named(void **state)
{
	static const char above[] =
		ENFORCED TREE(",'max_jobs_accrue':1,'grp_jobs_accrue':9", ",'max_jobs_accrue':1", "")
		JOB(3, U_NEW);

	(void)state;
	expect(ENFORCED TREE("", "", ",'max_jobs_accrue':2,'grp_jobs_accrue':2") JOB(1, U_OLD), 0,
	       FS_ACCRUE_ACCRUING, "GrpJobsAccrue", "a", 2, 1, 0);
	expect(ENFORCED TREE("", "", "")
	       QOS(",'max_jobs_accrue_per_account':3,'max_jobs_accrue_per_user':3")
	       JOB(1, U_OLD ",'qos':['q']"), 0,
	       FS_ACCRUE_ACCRUING, "MaxJobsAccruePerAccount", "q", 3, 1, 0);
	/* MaxJobsAccrue applies to one association; it is not inherited from parents */
	expect(above, 0, FS_ACCRUE_READY, "GrpJobsAccrue", "root", 9, 0, 0);
}

static void each_waiting_task_counts_as_ahead(void **state)
{
	static const char text[] = ENFORCED TREE("", "", ",'grp_jobs_accrue':2") JOB(1, U_OLD)
		JOB(2, U_NEW ",'array_tasks':'1-5'") JOB(6, U_NEW);

	(void)state;
	expect(text, 1, FS_ACCRUE_READY, "GrpJobsAccrue", "a", 2, 1, 0);
	expect(text, 2, FS_ACCRUE_WAITING, "GrpJobsAccrue", "a", 2, 1, 5);
}

/* ---- which jobs accrue age once the limits admit no further job, as observed on controllers of each version */

enum { MEASURED_JOBS = 25 };

struct measured_job {
	const char *user, *account, *qos;
};

static const struct measured_job measured_jobs[MEASURED_JOBS] = {
#define THREE(user, account, qos) { user, account, qos }, { user, account, qos }, { user, account, qos }
	THREE("alice", "physics", "qa"),
	THREE("bob", "physics", "qa"),
	{ "carol", "physics", "qa" },
	THREE("alice", "physics", "qb"),
	THREE("bob", "physics", "qb"),
	{ "carol", "physics", "qb" },
	THREE("dave", "history", "normal"),
	THREE("carol", "physics", "qc"),
	{ "bob", "physics", "qc" },
	THREE("frank", "history", "normal"),
	{ "frank", "history", "normal" },
#undef THREE
};

static fs_snapshot *measured(const char *version, const bool *ageing)
{
	struct fst_sink s = { 0 };
	fs_snapshot *m;

	fst_put(&s, "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm %s'}\n",
		version);
	fst_put(&s, REC("config", "'AccountingStorageEnforce':['associations','limits']")
		"{'type':'qos','name':'normal','priority':0}\n"
		"{'type':'qos','name':'qa','priority':0,'grp_jobs_accrue':3,'max_jobs_accrue_per_user':2}\n"
		"{'type':'qos','name':'qb','priority':0,'max_jobs_accrue_per_account':3,"
		"'max_jobs_accrue_per_user':1}\n"
		"{'type':'qos','name':'qc','priority':0,'max_jobs_accrue_per_account':2}\n"
		"{'type':'association','id':1,'account':'root'}\n"
		"{'type':'association','id':2,'account':'physics','parent':'root'}\n"
		"{'type':'association','id':3,'account':'history','parent':'root','grp_jobs_accrue':30}\n"
		"{'type':'association','id':4,'account':'physics','user':'alice'}\n"
		"{'type':'association','id':5,'account':'physics','user':'bob'}\n"
		"{'type':'association','id':6,'account':'physics','user':'carol'}\n"
		"{'type':'association','id':7,'account':'history','user':'frank','max_jobs_accrue':2}\n"
		"{'type':'association','id':8,'account':'history','user':'dave','grp_jobs_accrue':4,"
		"'max_jobs_accrue':1}\n");
	for (uint32_t i = 0; i < MEASURED_JOBS; i++) {
		const struct measured_job *j = &measured_jobs[i];

		fst_put(&s, "{'type':'job','id':%u,'state':'PENDING','eligible_time':5,'user':'%s','account':'%s',"
			"'qos':['%s']%s}\n", i + 1, j->user, j->account, j->qos,
			ageing[i] ? ",'accrue_time':5" : "");
	}
	m = fst_snapshot(s.data);
	fst_free(&s);
	return m;
}

/* Lets the first job that the limits admit accrue age. Returns false if the limits admit no job. */
static bool step(const char *version, bool *ageing)
{
	fs_snapshot *m = measured(version, ageing);
	fs_accrue *a;
	uint32_t i;

	assert_int_equal(fs_accrue_compute(&a, m, 0, NULL), 0);
	for (i = 0; i < MEASURED_JOBS; i++) {
		struct fs_accrue_row r;

		fs_accrue_job(a, i, &r);
		if (r.state == FS_ACCRUE_READY)
			break;
	}
	fs_accrue_free(a);
	fs_snapshot_free(m);
	if (i < MEASURED_JOBS)
		ageing[i] = true;
	return i < MEASURED_JOBS;
}

static void expect_ageing(const char *version, const char *want)
{
	bool ageing[MEASURED_JOBS] = { false };
	char got[MEASURED_JOBS + 1] = "";

	while (step(version, ageing))
		;
	for (uint32_t i = 0; i < MEASURED_JOBS; i++)
		got[i] = ageing[i] ? '+' : '-';
	assert_string_equal(got, want);
}

static void each_version_chooses_the_limit_by_its_own_rule(void **state)
{
	static const char first[] = "+++" "---" "-" "+++" "---" "-" "+++" "++-" "-" "++--",
			  smallest[] = "++-" "++-" "+" "+--" "+--" "+" "+--" "++-" "-" "++--";

	(void)state;
	expect_ageing("22.05.8", first);
	expect_ageing("23.02.8", first);
	expect_ageing("23.11.11", first);
	expect_ageing("24.05.3", first);
	expect_ageing("24.05.4", smallest);
	expect_ageing("24.05.8", smallest);
	expect_ageing("24.11.7", smallest);
	expect_ageing("25.11.7", smallest);
	expect_ageing("26.11.0-0rc1", smallest);
}

/* With MaxJobsAccruePerUser, the jobs of each user are counted separately, but the limit that decides is the smallest
 * one, GrpJobsAccrue, which counts the jobs of all users. */
static void many_users_can_wait_for_one_limit(void **state)
{
	struct fst_sink s = { 0 };
	struct fs_accrue_row r;
	fs_accrue *a;

	(void)state;
	fst_put(&s, ENFORCED TREE("", "", "")
		QOS(",'grp_jobs_accrue':0,'max_jobs_accrue_per_account':50,"
			"'max_jobs_accrue_per_user':50"));
	for (int i = 0; i < 300; i++)
		fst_put(&s, JOB(% d, NEW ",'qos':['q'],'user':'u%d'"), i + 1, i);
	fs_snapshot *m = fst_snapshot(s.data);
	assert_int_equal(fs_accrue_compute(&a, m, 0, NULL), 0);
	for (uint32_t i = 0; i < 300; i++) {
		fs_accrue_job(a, i, &r);
		assert_int_equal(r.state, FS_ACCRUE_WAITING);
		assert_string_equal(r.limit, "GrpJobsAccrue");
		assert_int_equal(r.ahead, i);
	}
	fs_accrue_free(a);
	fs_snapshot_free(m);
	fst_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_limits_all_eligible_jobs_accrue_age),
		cmocka_unit_test(association_limits_stop_further_jobs_from_accruing_age),
		cmocka_unit_test(limits_apply_only_if_they_are_enforced),
		cmocka_unit_test(each_array_task_counts_against_limits),
		cmocka_unit_test(qos_limits_replace_association_limits),
		cmocka_unit_test(only_the_smallest_limit_decides),
		cmocka_unit_test(the_first_of_equal_limits_is_named),
		cmocka_unit_test(each_waiting_task_counts_as_ahead),
		cmocka_unit_test(each_version_chooses_the_limit_by_its_own_rule),
		cmocka_unit_test(many_users_can_wait_for_one_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
