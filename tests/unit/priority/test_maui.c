/* Maui's start priority: every term, caps, clamps and order; the terms add up to the sum. */
#include "fsmaui.h"
#include "fsprio.h"
#undef JOB

#define JOB(fields) REC("job", "'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000," fields)

static fs_prios *prios(const fs_snapshot *m)
{
	const struct fs_prios_options o = { 0 };
	struct fs_error err;
	fs_prios *p = NULL;

	fst_no_error(fs_prios_compute(&p, m, &o, &err), &err);
	return p;
}

static const struct fs_prio_term *term(const fs_prios *p, const struct fs_prio_row *row, const char *name)
{
	for (size_t t = 0; t < fs_prios_terms(p); t++)
		if (!strcmp(row->terms[t].name, name))
			return &row->terms[t];
	print_error("no term %s\n", name);
	fail();
	return NULL;
}

static const char full[] =
	FST_MAUI_HEAD
	REC("config", "'SERVICEWEIGHT':2,'QUEUETIMEWEIGHT':3,'XFACTORWEIGHT':5,'SPVIOLATIONWEIGHT':1,'BYPASSWEIGHT':1,"
		      "'CREDWEIGHT':1,'USERWEIGHT':1,'GROUPWEIGHT':2,'QOSWEIGHT':1,'ACCOUNTWEIGHT':1,'CLASSWEIGHT':1,"
		      "'RESWEIGHT':2,'NODEWEIGHT':1,'PROCWEIGHT':10,'MEMWEIGHT':1,'SWAPWEIGHT':1,'DISKWEIGHT':1,"
		      "'PSWEIGHT':1,'PEWEIGHT':4,'WALLTIMEWEIGHT':1,'TARGETWEIGHT':2,'TARGETQUEUETIMEWEIGHT':1,"
		      "'TARGETXFACTORWEIGHT':3")
	REC("node", "'name':'n','cpus':16,'mem_mb':8192,'tres':{'swap':16384,'disk':40000}")
	REC("credential", "'kind':'user','name':'ann','priority':100")
	REC("credential", "'kind':'user','name':'bob'")
	REC("credential", "'kind':'user','name':'DEFAULT','priority':9")
	REC("credential", "'kind':'group','name':'staff','priority':33")
	REC("credential", "'kind':'class','name':'batch','priority':6")
	REC("credential", "'kind':'class','name':'small'")
	REC("credential", "'kind':'class','name':'DEFAULT','priority':50")
	REC("credential", "'kind':'qos','name':'hi','priority':1000,'queuetime_weight':10,'xfactor_weight':2")
	REC("credential", "'kind':'qos','name':'xt','xfactor_target':1.5,'queuetime_target':2")
	JOB("'id':1,'user':'ann','group':'staff','partitions':['batch'],'qos':['hi'],'nodes':3,'cpus':4,'tasks':4,"
	    "'cpus_per_task':1,'time_limit_s':7200,'tres_req':{'mem':2048,'disk':40,'swap':400},'position':0,"
	    "'bypass':2,'flags':['SPVIOLATION'],'name':'1'")
	JOB("'id':2,'user':'bob','partitions':['small'],'qos':['xt'],'cpus':1,'tasks':1,'cpus_per_task':1,'time_limit_s':90,"
	    "'tres_req':{'mem':4096},'position':1,'name':'2'");

static void each_term_has_its_value_and_points(void **state)
{
	static const struct {
		const char *name;
		double value, points;
	} first[] = { { "service/queuetime", 1, 26 },
		      { "service/xfactor", 7260.0 / 7200, 14 * 7260.0 / 7200 },
		      { "service/spviolation", 1, 2 },
		      { "service/bypass", 2, 4 },
		      { "target/queuetime", 0, 0 },
		      { "cred/user", 100, 100 },
		      { "cred/group", 33, 66 },
		      { "cred/acct", 0, 0 },
		      { "cred/qos", 1000, 1000 },
		      { "cred/class", 6, 6 },
		      { "res/node", 3, 6 },
		      { "res/proc", 4, 80 },
		      { "res/mem", 2048, 4096 },
		      { "res/swap", 400, 800 },
		      { "res/disk", 40, 80 },
		      { "res/ps", 28800, 57600 },
		      { "res/pe", 4, 32 },
		      { "res/walltime", 7200, 14400 },
		      { "usage/consumed", 0, 0 } };
	fs_snapshot *m = fst_snapshot(full);
	fs_prios *p = prios(m);
	struct fs_prio_row row;

	(void)state;
	assert_int_equal(fs_prios_count(p), 2);
	fs_prios_row(p, 1, &row);
	assert_int_equal(row.job, 1);
	for (size_t i = 0; i < FST_COUNT(first); i++) {
		assert_near(term(p, &row, first[i].name)->value, first[i].value, 1e-9);
		assert_near(term(p, &row, first[i].name)->points, first[i].points, 1e-9);
	}
	fs_prios_row(p, 0, &row); /* the component "target" gives job 2 the highest priority */
	assert_int_equal(row.job, 2);
	assert_near(term(p, &row, "cred/user")->value, 9, 0);
	assert_near(term(p, &row, "service/xfactor")->value, 150.0 / 120, 1e-12); /* XFMINWCLIMIT is 120 s */
	assert_near(term(p, &row, "target/queuetime")->value, 1e8, 1e-3);
	assert_near(term(p, &row, "target/xfactor")->value, 16, 1e-9);
	assert_near(term(p, &row, "res/pe")->value, 8, 1e-12); /* half of the memory counts as 8 of 16 processors */
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* One task of a cluster of 16 processors that requests half of the memory, disk or swap counts as eight processors. */
static void processor_equivalents_follow_the_scarcest_resource(void **state)
{
	static const char *const asked[] = { "'mem':4096,'disk':1,'swap':1", "'mem':1,'disk':20000,'swap':1", "'mem':1,'disk':1,'swap':8192" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(asked); i++) {
		char text[800];
		struct fs_prio_row row;
		fs_snapshot *m;
		fs_prios *p;

		snprintf(text, sizeof(text), "%s" JOB("'id':1,'user':'ann','cpus':1,'tasks':1,'cpus_per_task':1,'tres_req':{%s}"),
			 FST_MAUI_HEAD REC("config", "'RESWEIGHT':1,'PEWEIGHT':1")
			 REC("node", "'name':'n','cpus':16,'mem_mb':8192,'tres':{'swap':16384,'disk':40000}")
			 REC("credential", "'kind':'user','name':'ann'"), asked[i]);
		m = fst_snapshot(text);
		p = prios(m);
		fs_prios_row(p, 0, &row);
		assert_near(term(p, &row, "res/pe")->value, 8, 1e-12);
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

/* Random configurations: points are value * weight, they add up to the sum, and the sum gives the priority. */
static void terms_sum_to_the_total(void **state)
{
	static const char *const weights[] = { "FSWEIGHT", "FSUSERWEIGHT", "CREDWEIGHT", "USERWEIGHT", "RESWEIGHT",
					       "PSWEIGHT", "XFACTORWEIGHT", "SERVICEWEIGHT" };
	static const char *const cap_names[] = { "FSCAP", "FSUSERCAP", "CREDCAP", "XFACTORCAP", "RESCAP", "PSCAP" };
	uint64_t seed = 11;

	(void)state;
	for (int round = 0; round < 200; round++) {
		char text[4000] = FST_MAUI_HEAD "{'type':'config','FSPOLICY':'DEDICATEDPS'";

		for (size_t i = 0; i < FST_COUNT(weights); i++)
			sprintf(text + strlen(text), ",'%s':%d", weights[i], (int)fst_below(&seed, 40) - 10);
		for (size_t i = 0; i < FST_COUNT(cap_names); i++)
			if (fst_below(&seed, 2))
				sprintf(text + strlen(text), ",'%s':%u", cap_names[i], 1 + fst_below(&seed, 50));
		sprintf(text + strlen(text),
			"}\n{'type':'credential','kind':'user','name':'u','target':%u,'priority':%d}\n"
			"{'type':'window','start':1599998400,'kind':'user','name':'u','usage_s':%u}\n"
			"{'type':'window','start':1599998400,'kind':'sched','usage_s':1000}\n",
			1 + fst_below(&seed, 99), (int)fst_below(&seed, 100) - 50, fst_below(&seed, 1000));
		strcat(text, JOB("'id':1,'user':'u','cpus':3,'tasks':3,'cpus_per_task':1,'time_limit_s':100"));
		fs_snapshot *m = fst_snapshot(text);
		fs_prios *p = prios(m);
		struct fs_prio_row row;
		double sum = 0;

		fs_prios_row(p, 0, &row);
		for (size_t t = 0; t < fs_prios_terms(p); t++) {
			const struct fs_prio_term *x = &row.terms[t];

			assert_true(x->weight == 0 || x->points == x->weight * x->value);
			assert_true(x->cut >= 0);
			sum += x->weight == 0 ? 0 : x->points;
		}
		assert_near(sum, row.sum, 1e-9 * (1 + fabs(sum)));
		assert_near(row.priority, row.sum < 1 ? 1 : trunc(row.sum), 0);
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

static void caps_limit_terms_and_components(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("config", "'QUEUETIMEWEIGHT':2,'QUEUETIMECAP':10,'SERVICEWEIGHT':3,"
								  "'SERVICEWCAP':15")
					      REC("credential", "'kind':'user','name':'u'")
		REC("job", "'id':1,'state':'PENDING','user':'u','time_limit_s':60,'cpus':1,'tasks':1,"
			   "'cpus_per_task':1,'eligible_time':1599996460"));
	fs_prios *p = prios(m);
	struct fs_prio_row row;

	(void)state;
	fs_prios_row(p, 0, &row);
	assert_near(term(p, &row, "service/queuetime")->value, 10, 0);
	assert_near(term(p, &row, "service/queuetime")->cut, 50, 1e-12);
	assert_near(term(p, &row, "service/queuetime")->points, 60, 0);
	assert_near(term(p, &row, "service/cap")->value, -5, 0);
	assert_near(term(p, &row, "service/cap")->points, -15, 0);
	assert_near(row.sum, 45, 0);
	assert_near(row.group_values[0], 15, 0);
	assert_near(fs_prios_group(p, 0)->cap, 15, 0);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void priorities_are_clamped_and_can_be_set_by_administrators(void **state)
{
	static const struct {
		const char *config, *job;
		double sum, priority; /* `priority` is NAN if the job is not listed */
	} all[] = {
		{ "'PROCWEIGHT':-5,'QUEUETIMEWEIGHT':0", "", -5, 1 },
		{ "'PROCWEIGHT':-5,'QUEUETIMEWEIGHT':0,'ENABLENEGJOBPRIORITY':true", "", -5, -5 },
		{ "'PROCWEIGHT':-5,'QUEUETIMEWEIGHT':0,'REJECTNEGPRIOJOBS':true", "", -5, NAN },
		{ "'PROCWEIGHT':0,'QUEUETIMEWEIGHT':0,'REJECTNEGPRIOJOBS':true", "", 0, 0 },
		{ "'PROCWEIGHT':2000000000", "", 2000000001, 1000000000 },
		{ "'PROCWEIGHT':1000000001", "", 1000000002, 1000000000 },
		{ "'PROCWEIGHT':999999998", "", 999999999, 999999999 },
		{ "'PROCWEIGHT':5", ",'priority_set':100", 6, 1000000100 },
		{ "'PROCWEIGHT':5", ",'priority_set':1500000000", 6, -499999994 },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char text[1000];

		snprintf(text, sizeof(text), FST_MAUI_HEAD "{'type':'config',%s}\n%s{'type':'job','id':1,'state':'PENDING',"
			 "'user':'u','time_limit_s':60,'cpus':1,'tasks':1,'cpus_per_task':1,"
			 "'eligible_time':1600000000%s}\n", all[i].config,
			 REC("credential", "'kind':'user','name':'u'"), all[i].job);
		fs_snapshot *m = fst_snapshot(text);
		fs_prios *p = prios(m);
		struct fs_prio_row row;

		assert_int_equal(fs_prios_count(p), !isnan(all[i].priority));
		if (!isnan(all[i].priority)) {
			fs_prios_row(p, 0, &row);
			assert_near(row.sum, all[i].sum, 1e-6);
			assert_near(row.priority, all[i].priority, 0);
			assert_int_equal(row.set_directly, *all[i].job != 0);
		}
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

static void only_eligible_jobs_are_listed(void **state)
{
	fs_snapshot *m = fst_snapshot(
		FST_MAUI_HEAD REC("config", "'FSPOLICY':'DEDICATEDPS'")
			REC("credential", "'kind':'user','name':'u','target':100,'target_mode':'cap_abs'")
		REC("window", "'start':1599998400,'kind':'sched','usage_s':1000")
		JOB("'id':1,'user':'u','cpus':1,'time_limit_s':101") JOB("'id':2,'user':'u','cpus':1,'time_limit_s':100")
		JOB("'id':3,'user':'u','cpus':1,'time_limit_s':1,'reason':'BatchHold'")
		REC("job", "'id':4,'state':'RUNNING','user':'u','cpus':1,'time_limit_s':1"));
	fs_prios *p = prios(m);
	struct fs_prio_row row;

	(void)state;
	assert_int_equal(fs_prios_count(p), 1);
	fs_prios_row(p, 0, &row);
	assert_int_equal(row.job, 2);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void jobs_of_equal_priority_keep_the_order_of_the_table(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("credential", "'kind':'user','name':'u'")
		JOB("'id':1,'user':'u','cpus':1,'time_limit_s':60,'position':2")
		JOB("'id':2,'user':'u','cpus':1,'time_limit_s':60,'position':0")
		JOB("'id':3,'user':'u','cpus':1,'time_limit_s':60,'position':1"));
	fs_prios *p = prios(m);
	static const uint64_t want[] = { 2, 3, 1 };
	struct fs_prio_row row;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		fs_prios_row(p, i, &row);
		assert_int_equal(row.job, want[i]);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void components_have_weight_1_by_default(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("credential", "'kind':'user','name':'u'")
		JOB("'id':1,'user':'u','cpus':1,'time_limit_s':60"));
	fs_prios *p = prios(m);
	struct fs_prio_row row;

	(void)state;
	fs_prios_row(p, 0, &row);
	assert_near(row.sum, 1, 0);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* An unknown input of a term makes the sum unknown only if the weight of the term is not 0. */
static void unknown_inputs_make_weighted_sums_unknown(void **state)
{
	static const char *const configs[] = { "'PEWEIGHT':0", "'PEWEIGHT':1" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		char text[600];

		snprintf(text, sizeof(text), FST_MAUI_HEAD "{'type':'config',%s}\n%s", configs[i],
			 REC("credential", "'kind':'user','name':'u'")
				 JOB("'id':1,'user':'u','cpus':1,'tasks':1,'cpus_per_task':1,'time_limit_s':60"));
		fs_snapshot *m = fst_snapshot(text);
		fs_prios *p = prios(m);
		struct fs_prio_row row;

		fs_prios_row(p, 0, &row);
		assert_int_equal(isnan(row.sum), i);
		assert_int_equal(isnan(row.priority), i);
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

static void each_reader_has_its_own_rows(void **state)
{
	(void)state;
	fs_snapshot *m = fst_snapshot(full);
	fs_prios *p = prios(m);

	fst_check_rows_apart(p);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* Both jobs have priority 1. Job 1 was last eligible after 90 s, so its queue time has not grown since, and its earlier
 * priority is 1, too. */
static void the_queue_time_of_a_blocked_job_does_not_grow(void **state)
{
	fs_snapshot *m = fst_snapshot(
		FST_MAUI_HEAD REC("credential", "'kind':'user','name':'u'")
			REC("job", "'id':1,'name':'1','state':'PENDING','submit_time':1599990000,'eligible_time':1599990000,"
					 "'eligible_s':90,'reason':'Blocked','time_limit_s':60,'cpus':1,'position':1")
			REC("job", "'id':2,'name':'2','state':'PENDING','submit_time':1599999950,'eligible_time':1599999950,"
				   "'time_limit_s':60,'cpus':1,'position':0"));
	const struct fs_prios_options o = { .blocked = true };
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p = NULL;

	(void)state;
	fst_no_error(fs_prios_compute(&p, m, &o, &err), &err);
	for (size_t i = 0; i < 2; i++) {
		fs_prios_row(p, i, &row);
		assert_int_equal(row.job, i ? 1 : 2);
		assert_near(row.priority, 1, 1e-9);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_term_has_its_value_and_points),
		cmocka_unit_test(processor_equivalents_follow_the_scarcest_resource),
		cmocka_unit_test(terms_sum_to_the_total),
		cmocka_unit_test(caps_limit_terms_and_components),
		cmocka_unit_test(priorities_are_clamped_and_can_be_set_by_administrators),
		cmocka_unit_test(only_eligible_jobs_are_listed),
		cmocka_unit_test(jobs_of_equal_priority_keep_the_order_of_the_table),
		cmocka_unit_test(the_queue_time_of_a_blocked_job_does_not_grow),
		cmocka_unit_test(components_have_weight_1_by_default),
		cmocka_unit_test(unknown_inputs_make_weighted_sums_unknown),
		cmocka_unit_test(each_reader_has_its_own_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
