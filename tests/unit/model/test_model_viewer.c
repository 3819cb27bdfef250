/* model/model: which records each user may see, for every flag of PrivateData, every role and every record. */
#include "fstest.h"
#include "model/model.h"

/* ann and bob are in bio, cleo in art; dora coordinates bio; olaf is operator, adam administrator. xeno is not in the
 * accounting database; zoe is in no record. */
#define WORLD \
	REC("user", "'name':'ann'") REC("user", "'name':'bob','admin':'none'") REC("user", "'name':'cleo'") \
	REC("user", "'name':'dora','coordinates':['bio']") REC("user", "'name':'olaf','admin':'operator'") \
	REC("user", "'name':'adam','admin':'administrator'") \
	REC("association", "'id':1,'account':'root','shares':1") \
	REC("association", "'id':2,'account':'bio','parent':'root','shares':1") \
	REC("association", "'id':3,'account':'bio','user':'ann','shares':1") \
	REC("association", "'id':4,'account':'bio','user':'bob','shares':1") \
	REC("association", "'id':5,'account':'art','parent':'root','shares':1") \
	REC("association", "'id':6,'account':'art','user':'cleo','shares':1") \
	REC("job", "'id':1,'state':'PENDING','user':'ann','account':'bio'") \
	REC("job", "'id':2,'state':'PENDING','user':'bob','account':'bio'") \
	REC("job", "'id':3,'state':'PENDING','user':'cleo','account':'art'") \
	REC("job", "'id':4,'state':'PENDING','user':'xeno','account':'art'") \
	REC("job", "'id':5,'state':'PENDING'")

enum { ASSOCIATIONS = 6, JOBS = 5 };

/* Records that each user sees if PrivateData hides records of this type. `associations`, `jobs`: digit number k is 1 if
 * the user sees the association or the job with the id k, otherwise 0. */
static const struct {
	const char *name, *associations, *jobs;
} who[] = {
	{ NULL, "111111", "11111" },   { "root", "111111", "11111" }, { "olaf", "111111", "11111" },
	{ "adam", "111111", "11111" }, { "ann", "001000", "10000" },  { "bob", "000100", "01000" },
	{ "cleo", "000001", "00100" }, { "dora", "011100", "11000" }, { "xeno", "000000", "00010" },
	{ "zoe", "000000", "00000" },  { "", "000000", "00000" },
};

static const struct {
	const char *flags;
	bool usage, jobs, tree;
} all[] = {
	{ "", false, false, false },
	{ "'usage'", true, false, true },
	{ "'jobs'", false, true, false },
	{ "'users'", false, false, true },
	{ "'accounts'", false, false, true },
	{ "'nodes','partitions','reservations','events','cloud'", false, false, false },
	{ "'accounts','jobs','usage','users'", true, true, true },
};

static void check_one(const fs_snapshot *m, size_t flags, size_t i)
{
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, who[i].name);
	assert_int_equal(v.private_usage, all[flags].usage);
	assert_int_equal(v.private_jobs, all[flags].jobs);
	assert_int_equal(v.private_tree, all[flags].tree);
	assert_int_equal(m->association.n, ASSOCIATIONS);
	assert_int_equal(m->job.n, JOBS);
	for (size_t k = 0; k < ASSOCIATIONS; k++) {
		const struct fsi_association *a = &m->association.v[k];

		assert_int_equal(fsi_viewer_may_see_usage(&v, a),
				 !all[flags].usage || who[i].associations[a->id - 1] == '1');
	}
	for (size_t k = 0; k < JOBS; k++) {
		const struct fsi_job *j = &m->job.v[k];

		assert_int_equal(fsi_viewer_may_see_job(&v, j), !all[flags].jobs || who[i].jobs[j->id - 1] == '1');
	}
}

static void private_data_hides_records_by_flag_and_role(void **state)
{
	(void)state;
	for (size_t flags = 0; flags < sizeof(all) / sizeof(*all); flags++) {
		char text[4000];

		snprintf(text, sizeof(text), FST_HEAD "{'type':'config','PrivateData':[%s]}\n" WORLD, all[flags].flags);
		fs_snapshot *m = fst_snapshot(text);

		for (size_t i = 0; i < sizeof(who) / sizeof(*who); i++)
			check_one(m, flags, i);
		fs_snapshot_free(m);
	}
}

static void nothing_is_private_without_private_data(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_HEAD WORLD);
	struct fsi_viewer v;

	(void)state;
	fsi_viewer_init(&v, m, "zoe");
	assert_false(v.sees_everything || v.private_usage || v.private_jobs || v.private_tree);
	for (size_t k = 0; k < JOBS; k++)
		assert_true(fsi_viewer_may_see_job(&v, &m->job.v[k]));
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_data_hides_records_by_flag_and_role),
		cmocka_unit_test(nothing_is_private_without_private_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
