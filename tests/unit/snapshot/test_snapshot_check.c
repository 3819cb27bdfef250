/* snapshot/check.c: reports of dangling references, and of fields that are missing because a setting has its
 * default. */
#include "fstest.h"

static void note(void *ctx, const char *sentence)
{
	fst_put(ctx, "%s\n", sentence);
}

static void check_reports_dangling_references(void **state)
{
	fs_snapshot *m = fst_snapshot(
		FST_HEAD REC("association", "'id':1,'account':'root'")
		REC("partition", "'name':'p'")
		REC("job",
			"'id':5,'state':'PENDING','partitions':['p','x'],'qos':['q'],"
			"'account':'root','user':'u'")
		REC("job", "'id':6,'state':'PENDING','partitions':['p']"));
	struct fst_sink s = { 0 };

	(void)state;
	assert_int_equal(fs_snapshot_check(m, note, &s), 3);
	assert_string_equal(s.data,
			    "TRESBillingWeights is not set in 1 of 1 partitions (each CPU counts as 1)\n"
			    "test:4: job 5: unknown partition \"x\"\ntest:4: job 5: unknown QOS \"q\"\n"
			    "test:4: job 5: unknown association of its owner with account \"root\"\n");
	fst_free(&s);
	fs_snapshot_free(m);
}

/* The check reports how many records lack a field that the scheduler omits if the setting has its default. */
static void check_reports_values_left_to_defaults(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD REC("qos", "'name':'a','priority':5,'preempt':['b']") REC("qos", "'name':'b'")
				      REC("partition", "'name':'p','billing_weights':'CPU=2'") REC("partition", "'name':'q'"));
	struct fst_sink s = { 0 };

	(void)state;
	assert_int_equal(fs_snapshot_check(m, note, &s), 0);
	assert_string_equal(s.data, "Preempt is not set in 1 of 2 QOS (they preempt no jobs)\n"
				    "Priority is not set in 1 of 2 QOS (it is 0)\n"
				    "TRESBillingWeights is not set in 1 of 2 partitions (each CPU counts as 1)\n");
	fst_free(&s);
	fs_snapshot_free(m);
}

static void check_reports_jobs_that_are_not_submitted_yet(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1600000060,'cluster':'c','scheduler':'maui 3.5'}\n"
				      REC("job", "'id':5,'state':'PENDING'") REC("job", "'id':6,'state':'FUTURE'"));
	struct fst_sink s = { 0 };

	(void)state;
	(void)fs_snapshot_check(m, note, &s);
	assert_non_null(strstr(s.data, "1 job is not submitted yet; only plans use it\n"));
	fst_free(&s);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_reports_dangling_references),
		cmocka_unit_test(check_reports_values_left_to_defaults),
		cmocka_unit_test(check_reports_jobs_that_are_not_submitted_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
