/* Tests that the shares of an account are the sum of its grants, and that times are parsed as users write them. */
#include "fstest.h"

#define TRES                                                                                       \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")                      \
	REC("tres", "'id':1001,'name':'gres/gpu'")
/* Node a1 is in one public partition, a2 in two. The lab owns g1. All nodes are also in the requeue partition. */
#define MACHINE                                                                                    \
	REC("partition", "'name':'shared','billing_weights':'CPU=0.25,Mem=0.0625G'")               \
	REC("partition", "'name':'test','billing_weights':'CPU=1.2'")                              \
	REC("partition", "'name':'requeue_all','billing_weights':'CPU=0.5,Mem=0.125G'")            \
	REC("partition", "'name':'lab','allow_accounts':['lab_a'],'billing_weights':'CPU=1,gres/gpu=100,Mem=1G'") \
	REC("node", "'name':'a1','cpus':64,'partitions':['shared','requeue_all']")                 \
	REC("node", "'name':'a2','cpus':64,'partitions':['shared','test','requeue_all']")          \
	REC("node", "'name':'g1','cpus':32,'tres':{'cpu':32,'mem':512000,'gres/gpu':4},'partitions':['lab','requeue_all']")
#define ACCOUNTS                                                                                   \
	REC("association", "'id':1,'account':'root'")                                              \
	REC("association", "'id':2,'account':'lab_a','parent':'root','shares':244")                \
	REC("association", "'id':3,'account':'lab_b','parent':'root','shares':1")                  \
	REC("association", "'id':4,'account':'lab_a','user':'ann','shares':1")
#define CLUSTER FST_HEAD "{'type':'config','PriorityFlags':[]}\n" TRES MACHINE ACCOUNTS

static void expect(const char *grant, double pool, double fraction, double shares)
{
	char text[8192];
	struct fs_error err;
	fs_grants *g;
	fs_snapshot *m;
	const struct fs_grant_row *r;

	snprintf(text, sizeof(text), CLUSTER "{'type':'grant','account':'lab_a',%s}\n", grant);
	m = fst_snapshot(text);
	fst_no_error(fs_grants_compute(&g, m, &err), &err);
	assert_int_equal(fs_grants_count(g), 1);
	r = fs_grants_row(g, 0);
	assert_near(r->pool, pool, 1e-9);
	assert_near(r->fraction, fraction, 1e-12);
	assert_near(r->shares, shares, 1e-9);
	assert_true(!isnan(shares) == !r->why);
	fs_grants_free(g);
	fs_snapshot_free(m);
}

static void gratis_shares_divide_public_hardware_by_accounts(void **state)
{
	(void)state;
	/* node a1 counts with weight 0.25; node a2 counts once, with the greater weight of its two public partitions;
	 * the requeue and lab partitions do not count */
	expect("'kind':'gratis'", 64 * 0.25 + 64 * 1.2, 0.5, (64 * 0.25 + 64 * 1.2) / 2);
	expect("'kind':'gratis','partitions':['shared']", 128 * 0.25, 0.5, 16);
	expect("'kind':'gratis','shares':100", 100, 1, 100);
	expect("'kind':'gratis','fraction':0.1", 92.8, 0.1, 9.28);
}

static void lab_and_communal_grants_have_their_shares(void **state)
{
	(void)state;
	expect("'kind':'lab','shares':144", 144, 1, 144);
	expect("'kind':'lab','partitions':['lab']", 32 + 400, 1, 432); /* memory does not count in addition to cores */
	expect("'kind':'communal','shares':400,'fraction':0.25", 400, 0.25, 100);
	expect("'kind':'communal','partitions':['shared','test'],'fraction':0.5", 92.8, 0.5, 46.4);
}

static void grants_without_hardware_are_unknown(void **state)
{
	(void)state;
	expect("'kind':'lab'", NAN, 1, NAN);
	expect("'kind':'lab','partitions':['gone']", NAN, 1, NAN);
}

static void a_snapshot_without_grants_has_no_table(void **state)
{
	fs_snapshot *m = fst_snapshot(CLUSTER);
	struct fs_error err;
	fs_grants *g;

	(void)state;
	assert_int_equal(fs_grants_compute(&g, m, &err), FS_ENODATA);
	fs_snapshot_free(m);
}

/* ---- parsing and formatting of times ---- */

static void times_are_parsed_and_formatted(void **state)
{
	static const struct {
		const char *text;
		int64_t t;
	} cases[] = { { "1700000000", 1700000000 },	  { "+0", 1700000000 },
		      { "+90s", 1700000090 },		  { "+30m", 1700001800 },
		      { "+12h", 1700043200 },		  { "+2d", 1700172800 },
		      { "+1w", 1700604800 },		  { "+1-06:00:00", 1700108000 },
		      { "+01:00:00", 1700003600 },	  { "2023-11-14T22:13:20", 1700000000 - 3600 },
		      { "2023-11-15", 1700002800 },	  { "2023-11-15T00:00", 1700002800 },
		      { "2023-11-15 00:00", 1700002800 } };
	static const char *const bad[] = { "", "+", "-5", "tomorrow", "2023-13-01", "+5y", "+1d2h", "1e9",
					   "99999999999999999999", "+99999999999999999d", "2023-11-15T" };
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':"
				      "'slurm 26.05.0','utc_offset_s':3600}\n");
	struct fs_error err;
	char text[FS_TIME_TEXT];
	int64_t t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fst_no_error(fs_time_parse(m, cases[i].text, &t, &err), &err);
		assert_int_equal(t, cases[i].t);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(fs_time_parse(m, bad[i], &t, &err), FS_EUSAGE);
	fs_time_format(m, 1700000000, text);
	assert_string_equal(text, "2023-11-14T23:13:20");
	for (int64_t k = -4000000000; k < 8000000000; k += 100003337) {
		fs_time_format(m, k, text);
		if (k < -3600 * 25)
			continue; /* times before 1970 can be given only as dates, not in seconds */
		fst_no_error(fs_time_parse(m, text, &t, &err), &err);
		assert_int_equal(t, k);
	}
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gratis_shares_divide_public_hardware_by_accounts),
		cmocka_unit_test(lab_and_communal_grants_have_their_shares),
		cmocka_unit_test(grants_without_hardware_are_unknown),
		cmocka_unit_test(a_snapshot_without_grants_has_no_table),
		cmocka_unit_test(times_are_parsed_and_formatted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
