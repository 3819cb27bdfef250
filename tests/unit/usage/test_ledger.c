/* Usage that is computed from job records and carried forward in time. */
#include "fstest.h"

#include <math.h>

static const struct fs_read_options state_alone = { .without_usage = true,
						    .without_recorded = true,
						    .usage_follows = true };

#define T0 1795209412 /* time of a decay run on a real controller; the previous decay run was 20 s earlier */
#define HEAD                                                                                       \
	"{'type':'snapshot','format':1,'time':1795209414,'cluster':'lab','scheduler':'slurm 22.05.8'}\n"
#define CONFIG                                                                                     \
	"{'type':'config','PriorityType':'priority/multifactor','PriorityDecayHalfLife':604800,"   \
	"'PriorityCalcPeriod':300,'BOOT_TIME':1795209412,"                                         \
	"'AccountingStorageEnforce':['associations','limits'],'PriorityWeightAge':1000,"           \
	"'PriorityMaxAge':1800,'PriorityWeightFairShare':100000}\n"
#define TRES                                                                                       \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")                      \
	REC("tres", "'id':4,'name':'node'") REC("tres", "'id':5,'name':'billing'")                 \
	REC("tres", "'id':1001,'name':'gres/gpu'")
#define PARTITIONS                                                                                 \
	REC("partition", "'name':'normal','billing_weights':'CPU=1.0,Mem=0.25G,GRES/gpu=8.0'")     \
	REC("partition", "'name':'large','billing_weights':'CPU=1000.0,Mem=250.0G,GRES/gpu=9000,Node=3'")
#define QOS REC("qos", "'name':'normal','usage_factor':1") REC("qos", "'name':'half','usage_factor':0.5")
#define ASSOCIATIONS                                                                               \
	REC("association", "'id':1,'account':'root','shares':1")                                   \
	REC("association", "'id':3,'account':'physics','parent':'root','shares':50")               \
	REC("association", "'id':6,'account':'physics','user':'alice','shares':3")                 \
	REC("association", "'id':4,'account':'chem','parent':'root','shares':30")                  \
	REC("association", "'id':8,'account':'chem','user':'carol','shares':1")                    \
	REC("association", "'id':9,'account':'chem','user':'erin','shares':1")
#define CLUSTER HEAD CONFIG TRES PARTITIONS QOS ASSOCIATIONS
#define RUNNING                                                                                    \
	REC("job", "'id':7,'state':'RUNNING','start_time':1795209407,'time_limit_s':3600,'user':"  \
		   "'alice','account':'physics','partitions':['normal'],'qos':['normal'],"         \
		   "'tres_alloc':{'cpu':5,'mem':20000,'node':1,'billing':9}")
#define ALICE_1                                                                                    \
	REC("usage", "'job':1,'user':'alice','account':'physics','association':6,'partition':"     \
		     "'normal','qos':'normal','start_time':1795209399,'end_time':1795209403,"      \
		     "'tres':{'billing':5,'cpu':4,'mem':8000,'node':1}")
#define CAROL_3                                                                                    \
	REC("usage", "'job':3,'user':'carol','account':'chem','partition':'large','start_time':"   \
		     "1795209399,'end_time':1795209404,'tres':{'billing':10327,'cpu':3,'mem':"     \
		     "30000,'node':1}")
#define ERIN_6                                                                                     \
	REC("usage", "'job':6,'user':'erin','account':'chem','partition':'normal','qos':'half',"   \
		     "'start_time':1795209399,'end_time':1795209403,'tres':{'billing':10,'cpu':2," \
		     "'mem':777,'node':1,'gres/gpu':1}")

static const int64_t run_before[] = { T0 - 20 };
static const struct fs_usage_options computed = { .source = FS_USAGE_COMPUTED, .runs = run_before, .nruns = 1 };

/* Reads the snapshot first and then the usage records, as the commands do. */
static fs_usage *usage_of(const char *text, const struct fs_usage_options *o, fs_snapshot **m)
{
	char *bytes = fst_quoted(text);
	struct fst_text state = { bytes, strlen(bytes), 0 }, records = { bytes, strlen(bytes), 77 };
	struct fs_error err;
	fs_usage *u;

	fst_no_error(fs_snapshot_read_with(m, fst_read, &state, "test", &state_alone, &err), &err);
	fst_no_error(fs_usage_begin(&u, *m, o, &err), &err);
	if (o->source == FS_USAGE_COMPUTED)
		fst_no_error(fs_usage_read(u, fst_read, &records, "test", &err), &err);
	fst_no_error(fs_usage_finish(u, &err), &err);
	free(bytes);
	return u;
}

static size_t row_of(const fs_snapshot *m, const char *account, const char *user)
{
	struct fs_error err;
	fs_shares *s;
	size_t found = SIZE_MAX;

	fst_no_error(fs_shares_compute(&s, m, NULL, &err), &err);
	for (size_t i = 0; i < fs_shares_count(s); i++)
		if (!strcmp(fs_shares_row(s, i)->account, account) && !strcmp(fs_shares_row(s, i)->user, user))
			found = i;
	fs_shares_free(s);
	assert_true(found != SIZE_MAX);
	return found;
}

static void expect(const char *text, const struct fs_usage_options *o, const char *account, const char *user,
		   double expected, double eps)
{
	fs_snapshot *m;
	fs_usage *u = usage_of(text, o, &m);

	assert_near(fs_usage_total(u, row_of(m, account, user)), expected, eps);
	fs_usage_free(u);
	fs_snapshot_free(m);
}

/* Compares computed usage with the usage of a controller. The controller's numbers have six decimals. */
static void computed_usage_equals_that_of_a_controller(void **state)
{
	static const char text[] = CLUSTER RUNNING ALICE_1 CAROL_3 ERIN_6;

	(void)state;
	expect(text, &computed, "physics", "alice", 73.225625, 1e-6);
	expect(text, &computed, "physics", "", 73.225625, 1e-6);
	expect(text, &computed, "chem", "erin", 20.378, 1e-3);
	expect(text, &computed, "chem", "carol", 51634.6, 0.1);
}

static void a_record_and_its_job_count_once(void **state)
{
	static const char job[] = REC(
		"job", "'id':1,'state':'COMPLETED','start_time':1795209399,'end_time':1795209403,'user':'alice',"
		       "'account':'physics','partitions':['normal'],'tres_alloc':{'cpu':4,'mem':8000,'node':1}");
	static const char open[] = REC("usage", "'job':7,'user':'alice','account':'physics','partition':'normal',"
						"'start_time':1795209407,'tres':{'cpu':5,'mem':20000,'node':1}");
	char text[8192];
	const char *const parts[][3] = { { "", "", ALICE_1 }, { job, "", ALICE_1 }, { job, "", "" },
					 { job, open, ALICE_1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(text, sizeof(text), "%s%s%s%s", CLUSTER RUNNING, parts[i][0], parts[i][1], parts[i][2]);
		expect(text, &computed, "physics", "alice", 73.225625, 1e-6);
	}
}

static void the_order_of_records_does_not_change_usage(void **state)
{
	(void)state;
	expect(CLUSTER ERIN_6 CAROL_3 RUNNING ALICE_1, &computed, "root", "", 51634.6 + 73.225625 + 20.378, 0.2);
	expect(HEAD ALICE_1 ERIN_6 CAROL_3 ASSOCIATIONS QOS RUNNING PARTITIONS TRES CONFIG, &computed, "physics",
	       "alice", 73.225625, 1e-6);
}

static void jobs_that_cannot_be_charged_are_counted(void **state)
{
	static const char text[] = CLUSTER REC(
		"usage", "'job':20,'user':'gone','account':'physics','partition':'normal','start_time':1795209399,"
			 "'end_time':1795209403,'tres':{'cpu':1}")
		REC("usage", "'job':19,'user':'gone','account':'closed','partition':'normal','start_time':1795209399,"
			     "'end_time':1795209403,'tres':{'cpu':2}")
		REC("usage", "'job':21,'user':'alice','account':'physics','partition':'old','start_time':1795209390,"
			     "'end_time':1795209403,'tres':{'cpu':1,'billing':3}")
			REC("usage", "'job':22,'user':'alice','account':'physics','partition':'old','start_time':"
				     "1795209399,'end_time':1795209403,'tres':{'cpu':1}")
				REC("usage", "'job':23,'user':'alice','account':'physics','partition':'normal',"
					     "'start_time':1795209399,'end_time':1795209403,'tres':{'cpu':1,"
					     "'billing':77}");
	struct fs_usage_info n;
	fs_snapshot *m;
	fs_usage *u = usage_of(text, &computed, &m);

	(void)state;
	fs_usage_info(u, &n);
	assert_int_equal(n.records, 5);
	assert_int_equal(n.deleted_user_jobs, 1);
	assert_near(n.deleted_user_tres_s, 4, 1e-3);
	assert_int_equal(n.unknown_account_jobs, 1);
	assert_near(n.unknown_account_tres_s, 8, 1e-3);
	assert_near(fs_usage_total(u, row_of(m, "physics", "")) - fs_usage_total(u, row_of(m, "physics", "alice")), 4,
		    1e-3);
	assert_int_equal(n.recorded_rate_jobs, 2);
	assert_int_equal(n.unbilled, 1);
	assert_int_equal(n.oldest, 1795209390);
	assert_near(fs_usage_total(u, row_of(m, "physics", "alice")), 13 * 3 + 4 * 77, 0.01);
	fs_usage_free(u);
	fs_snapshot_free(m);
}

/* A job that started while PriorityFlags had MAX_TRES is charged by MAX_TRES until its end. */
static void a_job_keeps_the_rate_of_earlier_flags(void **state)
{
	static const char text[] = CLUSTER REC(
		"usage", "'job':1,'user':'alice','account':'physics','partition':'normal','start_time':1795209399,"
			 "'end_time':1795209403,'tres':{'billing':8,'cpu':4,'mem':32768,'node':1}");
	struct fs_usage_info n;
	fs_snapshot *m;
	fs_usage *u = usage_of(text, &computed, &m);

	(void)state;
	fs_usage_info(u, &n);
	assert_int_equal(n.other_flag_jobs, 1);
	assert_near(fs_usage_total(u, row_of(m, "physics", "alice")), 4 * 8, 0.01);
	fs_usage_free(u);
	fs_snapshot_free(m);
}

#define RECORDED                                                                                   \
	HEAD CONFIG TRES PARTITIONS QOS REC("association", "'id':1,'account':'root','usage_tres_s':0")     \
		REC("association", "'id':3,'account':'physics','parent':'root','shares':50,'usage_tres_s':0") \
			REC("association", "'id':6,'account':'physics','user':'alice','usage_tres_s':1000")

static void recorded_usage_decays_and_running_jobs_accrue(void **state)
{
	struct fs_usage_options o = { .at_set = true, .at = 1795209414 };
	const double f = 1 - 0.693 / 604800;

	(void)state;
	expect(RECORDED RUNNING, &o, "physics", "alice", 1000, 0);
	o.at = T0 + 299; /* the decay thread has not run again by this time, so usage is unchanged */
	expect(RECORDED RUNNING, &o, "physics", "alice", 1000, 0);
	o.at = T0 + 300;
	expect(RECORDED RUNNING, &o, "physics", "alice", 1000 * pow(f, 300) + 300 * pow(f, 300) * 9.8828125, 1e-6);
	expect(RECORDED, &o, "physics", "alice", 1000 * pow(f, 300), 1e-9);
	o.decay = FS_DECAY_EXACT;
	o.at = T0 + 604800;
	expect(RECORDED, &o, "physics", "alice", 500, 1e-9);
	/* the job is charged for 3595 s, until it reaches its time limit; the charges then decay for the rest of the
	 * week */
	expect(RECORDED RUNNING, &o, "physics", "alice",
	       500 + 9.8828125 * 604800 / log(2) * (pow(0.5, (604800 - 3595) / 604800.0) - 0.5), 1e-4);
}

static void ages_increase_with_the_clock(void **state)
{
	static const char text[] = RECORDED REC(
		"job", "'id':9,'state':'PENDING','eligible_time':1795209000,'accrue_time':1795209000,'priority':5,"
		       "'user':'alice','account':'physics'");
	struct fs_usage_options o = { .at_set = true, .at = T0 + 1200 };
	struct fs_prios_options po = { 0 };
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p;
	fs_snapshot *m;
	fs_usage *u = usage_of(text, &o, &m);

	(void)state;
	po.view.usage = u;
	fst_no_error(fs_prios_compute(&p, m, &po, &err), &err);
	fs_prios_row(p, 0, &row);
	assert_near(row.terms[FS_FACTOR_AGE].value, (T0 + 1200 - 1795209000) / 1800.0, 1e-12);
	fs_prios_free(p);
	fs_usage_free(u);
	fs_snapshot_free(m);
}

static void invalid_usage_records_are_refused(void **state)
{
	static const struct {
		const char *record, *field;
	} cases[] = {
		{ REC("usage", "'job':1,'start_time':5,'end_time':4"), "end_time" },
		{ REC("usage", "'job':1,'start_time':-5,'end_time':4"), "start_time" },
		{ REC("usage", "'job':1"), "start_time" },
		{ REC("usage", "'start_time':1"), "job" },
		{ REC("usage", "'job':1,'start_time':5,'tres':{'cpu':-1}"), "tres" },
		{ REC("usage", "'job':1,'start_time':5,'start_time':6"), "start_time" },
	};
	struct fs_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[8192], *bytes;
		struct fst_text t;
		fs_snapshot *m = fst_snapshot(CLUSTER), *bad;
		fs_usage *u;

		snprintf(text, sizeof(text), "%s%s", CLUSTER, cases[i].record);
		bytes = fst_quoted(text);
		t = (struct fst_text){ bytes, strlen(bytes), 0 };
		fst_no_error(fs_usage_begin(&u, m, &computed, &err), &err);
		assert_int_equal(fs_usage_read(u, fst_read, &t, "test", &err), FS_EDATA);
		assert_non_null(strstr(err.field, cases[i].field));
		assert_int_equal(err.line, 18);
		assert_int_equal(fst_try_bytes(bytes, strlen(bytes), 0, &bad, &err), FS_EDATA);
		fs_usage_free(u);
		fs_snapshot_free(m);
		free(bytes);
	}
}

static void a_file_that_changes_between_two_reads_is_refused(void **state)
{
	char *one = fst_quoted(CLUSTER ALICE_1), *two = fst_quoted(CLUSTER ALICE_1 CAROL_3);
	struct fst_text first = { one, strlen(one), 0 }, second = { two, strlen(two), 0 };
	struct fs_error err;
	fs_snapshot *m;
	fs_usage *u;

	(void)state;
	fst_no_error(fs_snapshot_read_with(&m, fst_read, &first, "test", &state_alone, &err), &err);
	fst_no_error(fs_usage_begin(&u, m, &computed, &err), &err);
	assert_int_equal(fs_usage_read(u, fst_read, &second, "test", &err), FS_EDATA);
	assert_string_equal(err.message,
			    "the file changed between two reads: the first found 1 usage records, the second 2");
	fs_usage_free(u);
	fs_snapshot_free(m);
	free(one);
	free(two);
}

/* The reader forgets the names of records if they become too many. A name that occurs again later must still be charged
 * to the same association. */
static void recurring_names_are_recognised_among_very_many(void **state)
{
	enum { RECORDS = 250000 };
	struct fst_sink s = { 0 };
	struct fst_text t;
	struct fs_error err;
	struct fs_usage_info n;
	fs_snapshot *m;
	fs_usage *u;

	(void)state;
	fst_put(&s, "%s", CLUSTER);
	for (int i = 0; i < RECORDS; i++)
		fst_put(&s,
			"{'type':'usage','job':%d,'user':'%s%d','account':'%s','partition':'normal','start_time':1795209399,"
			"'end_time':1795209403,'tres':{'cpu':1}}\n",
			i + 1, i % 10 ? "u" : "alice' ,'state':'", i, i % 10 ? "chem" : "physics");
	t = (struct fst_text){ s.data, s.len, 0 };
	fst_no_error(fs_snapshot_read_with(&m, fst_read, &t, "test", &state_alone, &err), &err);
	fst_no_error(fs_usage_begin(&u, m, &computed, &err), &err);
	t = (struct fst_text){ s.data, s.len, 0 };
	fst_no_error(fs_usage_read(u, fst_read, &t, "test", &err), &err);
	fst_no_error(fs_usage_finish(u, &err), &err);
	fs_usage_info(u, &n);
	assert_int_equal(n.records, RECORDS);
	assert_int_equal(n.deleted_user_jobs, RECORDS / 10 * 9);
	assert_near(fs_usage_total(u, row_of(m, "physics", "alice")), RECORDS / 10 * 4.0, 5);
	fs_usage_free(u);
	fs_snapshot_free(m);
	fst_free(&s);
}

static void charges_that_exceed_a_double_are_refused(void **state)
{
	static const char text[] = HEAD CONFIG TRES ASSOCIATIONS REC("partition", "'name':'p','billing_weights':'CPU=1e300'")
		REC("usage", "'job':1,'user':'alice','account':'physics','partition':'p','start_time':1,'end_time':"
			     "1795209400,'tres':{'cpu':9000000000000000000}");
	char *bytes = fst_quoted(text);
	struct fst_text t = { bytes, strlen(bytes), 0 };
	struct fs_error err;
	fs_snapshot *m = fst_snapshot(text);
	fs_usage *u;

	(void)state;
	fst_no_error(fs_usage_begin(&u, m, &computed, &err), &err);
	fst_no_error(fs_usage_read(u, fst_read, &t, "test", &err), &err);
	assert_int_equal(fs_usage_finish(u, &err), FS_EDATA);
	fs_usage_free(u);
	fs_snapshot_free(m);
	free(bytes);
}

/* By default, Flux charges node seconds. Usage decays exactly by the half-life, and a job counts after its end until
 * the reset period has passed. */
static void flux_jobs_are_charged_by_nodes_and_cores(void **state)
{
	static const char text[] =
		"{'type':'snapshot','format':1,'time':1795209414,'cluster':'f','scheduler':'flux 0.88.0'}\n"
		"{'type':'config','priority_decay_half_life':604800,'priority_usage_reset_period':2419200,'core_weight':0.5}\n"
		REC("association", "'id':1,'account':'root'")
		REC("association", "'id':2,'account':'physics','parent':'root','shares':1")
		REC("association", "'id':3,'account':'physics','user':'dana','shares':1")
		REC("usage", "'job':1,'user':'dana','account':'physics','start_time':1794604604,'end_time':1794604614,"
			     "'tres':{'node':2,'cpu':8}")
		REC("usage", "'job':2,'user':'dana','account':'physics','start_time':1792790000,'end_time':1792790200,"
			     "'tres':{'node':2}")
		REC("job", "'id':3,'state':'RUNNING','user':'dana','account':'physics','start_time':1795209000,"
			   "'tres_alloc':{'node':9}");
	const struct fs_usage_options o = { .source = FS_USAGE_COMPUTED };
	const struct fs_usage_options slurm = { .source = FS_USAGE_COMPUTED, .decay = FS_DECAY_SLURM };
	struct fs_error err;
	fs_snapshot *m;
	fs_usage *u;

	(void)state;
	/* job 1 ran 10 s a week ago, with 2 nodes and 8 cores: 2 + 8 * 0.5 per second; job 2 ended more than four weeks
	 * ago */
	expect(text, &o, "physics", "dana", 10 * 6 * 0.5, 1e-3);
	m = fst_snapshot(text);
	assert_int_equal(fs_usage_begin(&u, m, &slurm, &err), FS_EUSAGE);
	fs_snapshot_free(m);
}

/* ---- users by charges ---- */

static int take_charge(void *ctx, const struct fs_charge *charge)
{
	return fs_spending_charge(ctx, charge);
}

static void users_are_ranked_by_their_charges(void **state)
{
	static const char text[] = CLUSTER RUNNING ALICE_1 CAROL_3 ERIN_6;
	struct fs_usage_options o = computed;
	struct fs_error err;
	fs_spending *p;
	fs_snapshot *m = fst_snapshot(text);
	fs_usage *u;

	(void)state;
	fst_no_error(fs_spending_new(&p, m, &err), &err);
	o.charge = take_charge;
	o.charge_ctx = p;
	fst_no_error(fs_usage_begin(&u, m, &o, &err), &err);
	/* the snapshot itself contains the usage records, so the test adds none */
	fst_no_error(fs_usage_finish(u, &err), &err);
	fst_no_error(fs_spending_rank(p, NULL, &err), &err);
	assert_int_equal(fs_spending_count(p), 3);
	assert_string_equal(fs_spending_row(p, 0)->user, "carol");
	assert_string_equal(fs_spending_row(p, 1)->user, "alice");
	assert_int_equal(fs_spending_row(p, 1)->jobs, 2);
	assert_int_equal(fs_spending_row(p, 1)->job[0].job, 7);
	assert_same_double(fs_spending_row(p, 1)->job[0].tres_s + fs_spending_row(p, 1)->job[1].tres_s,
			   fs_spending_row(p, 1)->tres_s);
	fst_no_error(fs_spending_rank(p, "physics", &err), &err);
	assert_int_equal(fs_spending_count(p), 1);
	assert_int_equal(fs_spending_rank(p, "nosuch", &err), FS_EUSAGE);
	fs_usage_free(u);
	fs_spending_free(p);
	fs_snapshot_free(m);
}

static void the_most_expensive_jobs_are_listed(void **state)
{
	fs_snapshot *m = fst_snapshot(CLUSTER);
	uint64_t r = 9;
	struct fs_error err;
	fs_spending *p;
	double greatest = 0, sum = 0;
	const struct fs_usage_by_assoc *s;

	(void)state;
	fst_no_error(fs_spending_new(&p, m, &err), &err);
	for (uint64_t i = 1; i <= 500; i++) {
		const struct fs_charge c = { .job = i, .row = 2, .tres_s = fst_below(&r, 1000) };

		assert_int_equal(fs_spending_charge(p, &c), 0);
		greatest = c.tres_s > greatest ? c.tres_s : greatest;
		sum += c.tres_s;
	}
	fst_no_error(fs_spending_rank(p, NULL, &err), &err);
	s = fs_spending_row(p, 0);
	assert_int_equal(s->listed, FS_SPENDING_JOBS);
	assert_int_equal(s->jobs, 500);
	assert_same_double(s->tres_s, sum);
	assert_same_double(s->job[0].tres_s, greatest);
	for (size_t i = 1; i < s->listed; i++)
		assert_true(s->job[i - 1].tres_s >= s->job[i].tres_s);
	fs_spending_free(p);
	fs_snapshot_free(m);
}

#define ENDED(start, end)                                                                          \
	REC("job", "'id':7,'state':'COMPLETED','start_time':" #start ",'end_time':" #end           \
		   ",'time_limit_s':3600,'user':'alice','account':'physics','partitions':['normal']," \
		   "'qos':['half'],'tres_alloc':{'cpu':5,'mem':20000,'node':1,'billing':9}")
#define USED_BY(enforce, jobs)                                                                     \
	"{'type':'snapshot','format':1,'time':1795209414,'cluster':'lab','priority_time':1795209407," \
	"'scheduler':'slurm 22.05.8'}\n{'type':'config','PriorityDecayHalfLife':604800,"           \
	"'PriorityCalcPeriod':300,'AccountingStorageEnforce':['associations'" enforce "]}\n"       \
	TRES PARTITIONS QOS                                                                        \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")                  \
	REC("association", "'id':3,'account':'physics','parent':'root','shares':50,'usage_tres_s':0") \
	REC("association", "'id':6,'account':'physics','user':'alice','shares':3,'usage_tres_s':1000") \
	REC("association", "'id':4,'account':'chem','parent':'root','shares':30,'usage_tres_s':0") \
	REC("association", "'id':8,'account':'chem','user':'carol','shares':1,'usage_tres_s':1000") jobs

/* When a job ends, it is charged for the time since the last priority calculation. Raw usage includes this charge at
 * once, NormUsage only after the next calculation. The exact rate is 5 + 20000 / 1024 / 4; the recorded rate is its
 * whole part. */
static void charges_since_the_calculation_count_in_usage_only(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} all[] = {
		{ USED_BY(",'limits'", ENDED(1795209300, 1795209410)), 3 },
		{ USED_BY(",'limits'", ENDED(1795209408, 1795209410)), 2 },
		{ USED_BY(",'limits'", ENDED(1795209300, 1795209407)), 0 },
		/* if limits are not enforced, a job is not charged at its end */
		{ USED_BY("", ENDED(1795209300, 1795209410)), 0 },
		{ USED_BY(",'limits'", RUNNING), 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		fs_snapshot *m = fst_snapshot(all[i].text);
		const double late = all[i].seconds * pow(1 - 0.693 / 604800, all[i].seconds) * 0.5 *
				    (5 + 20000 / 1024.0 / 4);
		struct fs_error err;
		fs_shares *s;

		fst_no_error(fs_shares_compute(&s, m, NULL, &err), &err);
		for (size_t row = 0; row < fs_shares_count(s); row++) {
			const struct fs_share_row *r = fs_shares_row(s, row);
			const bool hers = !strcmp(r->account, "physics");

			const double of_rest = (hers ? 1000 - late : 1000) / (2000 - late);

			assert_true(fabs(r->raw_usage - (r->depth ? 1000 : 2000)) < 1e-9);
			assert_true(fabs(r->late_usage - (hers || !r->depth ? late : 0)) < 1e-9);
			assert_true(!r->depth || fabs(r->norm_usage - of_rest) < 1e-12);
		}
		fs_shares_free(s);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computed_usage_equals_that_of_a_controller),
		cmocka_unit_test(a_record_and_its_job_count_once),
		cmocka_unit_test(the_order_of_records_does_not_change_usage),
		cmocka_unit_test(jobs_that_cannot_be_charged_are_counted),
		cmocka_unit_test(a_job_keeps_the_rate_of_earlier_flags),
		cmocka_unit_test(recorded_usage_decays_and_running_jobs_accrue),
		cmocka_unit_test(ages_increase_with_the_clock),
		cmocka_unit_test(invalid_usage_records_are_refused),
		cmocka_unit_test(a_file_that_changes_between_two_reads_is_refused),
		cmocka_unit_test(recurring_names_are_recognised_among_very_many),
		cmocka_unit_test(charges_that_exceed_a_double_are_refused),
		cmocka_unit_test(flux_jobs_are_charged_by_nodes_and_cores),
		cmocka_unit_test(users_are_ranked_by_their_charges),
		cmocka_unit_test(the_most_expensive_jobs_are_listed),
		cmocka_unit_test(charges_since_the_calculation_count_in_usage_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
