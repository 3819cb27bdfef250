/* model/finish.c: a copy is equal to its snapshot and independent of it. */
#include "fstest.h"

#include "fs/scenario.h"

static const char site[] =
	"{'type':'snapshot','format':1,'time':60000,'cluster':'c','scheduler':'slurm 24.11.0','captured_by':'u'}\n"
	REC("config", "'PriorityType':'priority/multifactor','PriorityWeightAge':1000,'PriorityFlags':['ACCRUE_ALWAYS']")
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")
	REC("partition", "'name':'all','state':'UP','tier':1,'nodes':'n[0-3]','max_time_s':'unlimited'")
	REC("qos", "'name':'low','priority':1")
	REC("association", "'id':1,'account':'root','shares':1")
	REC("association", "'id':2,'account':'a','parent':'root','shares':3,'usage_tres_s':7.5")
	REC("association", "'id':7,'account':'a','user':'u','shares':'parent','qos':['low'],'grp_tres':{'cpu':5}")
	REC("job", "'id':3,'state':'PENDING','user':'u','account':'a','partitions':['all'],'tres_req':{'cpu':2,'mem':9}")
	REC("nonsense", "'name':'what is skipped is warned of'");

static void same(const fs_snapshot *a, const fs_snapshot *b)
{
	struct fst_sink x = fst_written(a), y = fst_written(b);

	assert_string_equal(x.data, y.data);
	assert_int_equal(fs_snapshot_warnings(a), fs_snapshot_warnings(b));
	fst_free(&x);
	fst_free(&y);
}

static void a_copy_has_the_same_records_and_warnings(void **state)
{
	fs_snapshot *m = fst_snapshot(site), *c;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_snapshot_copy(&c, m, &err), &err);
	same(m, c);
	assert_int_equal(fs_snapshot_warnings(c), 1);
	assert_string_equal(fs_snapshot_warning(c, 0), fs_snapshot_warning(m, 0));
	assert_string_equal(fs_snapshot_info(c)->captured_by, "u");
	assert_int_equal(fs_snapshot_info(c)->version, fs_snapshot_info(m)->version);
	fs_snapshot_free(c);
	fs_snapshot_free(m);
}

static void editing_a_copy_does_not_change_the_original(void **state)
{
	fs_snapshot *m = fst_snapshot(site), *other = fst_snapshot(site), *c;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_snapshot_copy(&c, m, &err), &err);
	fst_no_error(fs_snapshot_edit(c, "scontrol update job 3 JobName=new Nice=5", NULL, &err), &err);
	fst_no_error(fs_snapshot_edit(c, "sacctmgr modify account a set fairshare=9", NULL, &err), &err);
	same(m, other);
	fs_snapshot_free(m);
	fst_no_error(fs_snapshot_edit(other, "scontrol update job 3 JobName=new Nice=5", NULL, &err), &err);
	fst_no_error(fs_snapshot_edit(other, "sacctmgr modify account a set fairshare=9", NULL, &err), &err);
	same(c, other);
	fs_snapshot_free(c);
	fs_snapshot_free(other);
}

static size_t begun_of(const fs_snapshot *m, uint32_t rows[8])
{
	size_t at = 0, n = 0;

	while ((rows[n] = fs_job_next_active(m, &at)) != FS_NO_ROW)
		n++;
	return n;
}

static void pending_jobs_are_skipped_until_the_snapshot_is_edited(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':60000,'cluster':'c','scheduler':'slurm 24.11.0'}\n"
				      REC("job", "'id':1,'state':'PENDING'") REC("job", "'id':9,'state':'RUNNING'")
				      REC("job", "'id':3,'state':'COMPLETED'") REC("job", "'id':4,'state':'PENDING'")), *c;
	struct fs_error err;
	uint32_t rows[8];

	(void)state;
	assert_int_equal(begun_of(m, rows), 2);
	assert_int_equal(rows[0], 1);
	assert_int_equal(rows[1], 3);
	fst_no_error(fs_snapshot_copy(&c, m, &err), &err);
	assert_int_equal(begun_of(c, rows), 4);
	fst_no_error(fs_snapshot_edit(m, "scancel 1", NULL, &err), &err);
	assert_int_equal(begun_of(m, rows), 3); /* after an edit, fs_job_next_active also returns pending jobs */
	fs_snapshot_free(m);
	fs_snapshot_free(c);
}

static void an_empty_snapshot_can_be_copied(void **state)
{
	fs_snapshot *m = fst_snapshot("{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'slurm'}\n"), *c;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_snapshot_copy(&c, m, &err), &err);
	same(m, c);
	fs_snapshot_free(m);
	fs_snapshot_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_the_same_records_and_warnings),
		cmocka_unit_test(editing_a_copy_does_not_change_the_original),
		cmocka_unit_test(pending_jobs_are_skipped_until_the_snapshot_is_edited),
		cmocka_unit_test(an_empty_snapshot_can_be_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
