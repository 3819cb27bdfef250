/* advise/: checks advice in random clusters. A plan with the command of an advice must give the promised gain, and the
 * scheduler must accept the command. An advice must be marked as possible for the job's owner exactly if the owner may
 * run the command. */
#include "fsprio.h"
#include "fs/advise.h"
#include "fs/scenario.h"

#include <inttypes.h>

enum { HOSTS = 4, RUNNING = 5, PENDING = 6, ROUNDS = FST_ROUNDS(40), NOW = 60000 };

struct kind {
	const char *head;
	const char *usual[5]; /* default fields of jobs; omitted for a job that sets the field itself */
	const char *const *more; /* additional fields of pending jobs; each job gets one randomly chosen element */
	size_t nmore;
};

static const char *const slurm_more[] = { "",
	",'nice':500", ",'features':'fast'", ",'req_nodes':'n1'", ",'exc_nodes':'n0'", ",'reason':'JobHeldUser','priority':0",
	",'reason':'JobHeldAdmin','priority':0", ",'qos':['tight']", ",'begin_time':63000,'eligible_time':63000,'reason':'BeginTime'",
	",'account':'b'", ",'partitions':['small']" };
static const char *const lists_more[] = { "", ",'partitions':['small']", ",'partitions':['all','small']", ",'partitions':['left']",
	",'partitions':['right','small']", ",'nice':500", ",'priority':0,'reason':'JobHeldUser'" };
static const char *const flux_more[] = { "", ",'urgency':3", ",'urgency':0", ",'urgency':20", ",'partitions':['small']", ",'account':'b'" };
static const char *const maui_more[] = { "", ",'reason':'UserHold'", ",'reason':'SystemHold'", ",'priority_set':5", ",'qos':['high']" };

#define HEAD(scheduler) "{'type':'snapshot','format':1,'time':60000,'cluster':'c','scheduler':'" scheduler "'}\n"
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const struct kind kinds[] = {
	{ HEAD("slurm 24.11.0")
	  REC("config", "'PriorityType':'priority/multifactor','SchedulerType':'sched/backfill','PriorityWeightAge':1000,"
			"'PriorityMaxAge':604800,'PriorityWeightFairShare':500,'PriorityDecayHalfLife':604800,"
			"'AccountingStorageEnforce':['associations','limits','qos']")
	  REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") REC("tres", "'id':4,'name':'node'")
	  REC("partition", "'name':'all','state':'UP','tier':1,'nodes':'n[0-3]','max_time_s':'unlimited'")
	  REC("partition", "'name':'small','state':'UP','tier':1,'nodes':'n3','max_time_s':3600")
	  REC("qos", "'name':'low','priority':1") REC("qos", "'name':'tight','priority':9,'max_jobs_per_user':1")
	  REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
	  REC("association", "'id':2,'account':'a','parent':'root','shares':1,'usage_tres_s':0")
	  REC("association", "'id':3,'account':'b','parent':'root','shares':1,'usage_tres_s':0")
	  REC("association", "'id':4,'account':'a','user':'u','shares':1,'usage_tres_s':900,'qos':['low','tight'],'default_qos':'low'")
	  REC("association", "'id':5,'account':'b','user':'u','shares':1,'usage_tres_s':100,'qos':['low'],'default_qos':'low','max_jobs':1")
	  REC("association", "'id':6,'account':'a','user':'v','shares':1,'usage_tres_s':300,'qos':['low'],'default_qos':'low'"),
	  { ",'account':'a'", ",'partitions':['all']", ",'qos':['low']" }, slurm_more, COUNT(slurm_more) },
	/* partitions of different tiers and nodes, with reservations */
	{ HEAD("slurm 24.11.0")
	  REC("config", "'PriorityType':'priority/basic','SchedulerType':'sched/backfill'")
	  REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") REC("tres", "'id':4,'name':'node'")
	  REC("partition", "'name':'all','state':'UP','tier':1,'nodes':'n[0-3]','max_time_s':'unlimited'")
	  REC("partition", "'name':'small','state':'UP','tier':3,'nodes':'n3','max_time_s':18000")
	  REC("partition", "'name':'left','state':'UP','tier':2,'nodes':'n[0-1]','max_time_s':'unlimited'")
	  REC("partition", "'name':'right','state':'UP','tier':1,'nodes':'n[2-3]','max_time_s':'unlimited'")
	  REC("reservation", "'name':'r','start_time':62000,'end_time':66000,'nodes':'n1','flags':['SPEC_NODES'],'users':['v']")
	  REC("reservation", "'name':'s','start_time':58000,'end_time':64000,'nodes':'n3','flags':['SPEC_NODES'],'users':['v']")
	  REC("association", "'id':1,'account':'root','shares':1") REC("association", "'id':2,'account':'a','parent':'root','shares':1")
	  REC("association", "'id':4,'account':'a','user':'u','shares':1") REC("association", "'id':6,'account':'a','user':'v','shares':1"),
	  { ",'account':'a'", ",'partitions':['all']" }, lists_more, COUNT(lists_more) },
	{ HEAD("flux 0.88.0") REC("config", "'flux_scheduler':'sched-fluxion-qmanager'") REC("config", "'fluxion_queue_policy':'easy'")
	  REC("partition", "'name':'all','priority':0") REC("partition", "'name':'small','priority':100,'max_time_s':3600")
	  REC("association", "'account':'root','id':1,'shares':1") REC("association", "'account':'a','id':2,'parent':'root','shares':1")
	  REC("association", "'account':'b','id':3,'parent':'root','shares':1")
	  REC("association", "'account':'a','id':4,'user':'u','shares':1,'fairshare':0.5")
	  REC("association", "'account':'b','id':5,'user':'u','shares':1,'fairshare':0.9,'queues':['all']")
	  REC("association", "'account':'a','id':6,'user':'v','shares':1,'fairshare':0.25"),
	  { ",'account':'a'", ",'partitions':['all']", ",'urgency':16" }, flux_more, COUNT(flux_more) },
	{ HEAD("maui 3.5") REC("config", "'QUEUETIMEWEIGHT':1") REC("config", "'XFACTORWEIGHT':10")
	  REC("credential", "'kind':'user','name':'u','qos':['high','DEFAULT']") REC("credential", "'kind':'user','name':'v','max_job':2,'max_job_soft':1")
	  REC("credential", "'kind':'qos','name':'high','priority':50") REC("credential", "'kind':'qos','name':'DEFAULT'"),
	  { ",'qos':['DEFAULT']" }, maui_more, COUNT(maui_more) },
};

static void put_rest(struct fst_sink *s, const struct kind *k, const char *more)
{
	for (size_t i = 0; i < COUNT(k->usual) && k->usual[i]; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%.*s", (int)strcspn(k->usual[i], ":"), k->usual[i]);
		if (!strstr(more, key))
			fst_put(s, "%s", k->usual[i]);
	}
	fst_put(s, "%s}\n", more);
}

static void put_jobs(struct fst_sink *s, const struct kind *k, uint64_t *seed)
{
	for (uint32_t i = 0; i < RUNNING; i++) {
		const uint32_t cpus = 1 + fst_below(seed, 4), limit = 600 + 60 * fst_below(seed, 100);

		fst_put(s, "{'type':'job','id':%u,'name':'%u','position':%u,'state':'RUNNING','submit_time':50000,'start_time':59900,'end_time':%u,"
			   "'time_limit_s':%u,'user':'%s','nodes':1,'cpus':%u,'tasks':%u,'node_list':'n%u','phase':'RUN',"
			   "'tres_req':{'cpu':%u,'node':1},'tres_alloc':{'cpu':%u,'node':1}",
			1 + i, i, i, 59900 + limit, limit, i % 2 ? "u" : "v", cpus, cpus, i % HOSTS, cpus, cpus);
		put_rest(s, k, "");
	}
	for (uint32_t i = 0; i < PENDING; i++) {
		const uint32_t nodes = 1 + fst_below(seed, 3), cpus = nodes * (1 + fst_below(seed, 8));
		const char *more = k->more[fst_below(seed, (uint32_t)k->nmore)];

		fst_put(s, "{'type':'job','id':%u,'name':'%u','position':%u,'state':'PENDING','submit_time':%u,"
			   "'time_limit_s':%u,'user':'%s','nodes':%u,'cpus':%u,'tasks':%u,'tres_req':{'cpu':%u,'node':%u}%s",
			11 + i, 10 + i, 10 + i, 50000 + i, 60 * (1 + fst_below(seed, 300)), fst_below(seed, 3) ? "u" : "v",
			nodes, cpus, cpus, cpus, nodes, strstr(k->head, "flux") ? ",'phase':'SCHED'" : "");
		if (!strstr(more, "'priority'"))
			fst_put(s, ",'priority':%u", 100 + fst_below(seed, 1000));
		if (!strstr(more, "'eligible_time'"))
			fst_put(s, ",'eligible_time':%u", 50000 + i);
		put_rest(s, k, more);
	}
}

static char *draw(const struct kind *k, uint64_t *seed)
{
	struct fst_sink s = { 0 };

	fst_put(&s, "%s", k->head);
	for (int i = 0; i < HOSTS; i++)
		fst_put(&s, "{'type':'node','name':'n%d','state':'MIXED','cpus':8,'alloc_cpus':0,'partitions':['all'%s]%s}\n", i,
			i == 3 ? ",'small'" : "", i == 1 ? ",'features':['fast']" : "");
	put_jobs(&s, k, seed);
	return s.data;
}

/* A plan after a command uses computed priorities, but the recorded priorities are random. For the comparison, the plan
 * without a command must therefore use computed priorities too. */
static const struct fs_view computed = { .computed = true };

static int64_t start_of(const fs_snapshot *m, uint64_t job)
{
	const struct fs_plan_options options = { .view = computed };
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	struct fs_error err;
	fs_plan *p;

	fst_no_error(fs_plan_compute(&p, m, &options, &err), &err);
	for (size_t i = 0; i < fs_plan_count(p) && r.job != job; i++)
		fs_plan_row(p, i, &r);
	assert_int_equal(r.job, job);
	fs_plan_free(p);
	return r.start_time;
}

/* Returns the planned start; for a job with a future begin time, the start as if that time had come, but not
 * earlier. */
static int64_t start_begun(fs_snapshot *m, uint64_t job, int64_t begins)
{
	struct fs_error err;
	char text[64];
	int64_t start;

	if (begins == FS_UNKNOWN)
		return start_of(m, job);
	snprintf(text, sizeof(text), "scontrol update job %" PRIu64 " StartTime=now", job);
	fst_no_error(fs_snapshot_edit(m, text, NULL, &err), &err);
	start = start_of(m, job);
	return start == FS_UNKNOWN || start > begins ? start : begins;
}

static void hear(void *ctx, const char *sentence)
{
	if (strstr(sentence, "only "))
		*(bool *)ctx = true;
}

static void check_one(const char *site, uint64_t job, const char *owner, const struct fs_advice *r, int64_t begins)
{
	const int64_t least = strstr(r->command, "StartTime") ? FS_UNKNOWN : begins;
	fs_snapshot *m = fst_snapshot(site);
	bool only = false;
	const struct fs_edit_options o = { .viewer = owner, .note = hear, .note_ctx = &only };
	struct fs_error err;
	int64_t start;

	if (begins != FS_UNKNOWN)
		start_begun(m, job, begins);
	fst_no_error(fs_snapshot_edit(m, r->command, &o, &err), &err);
	start = start_of(m, job);
	if (least != FS_UNKNOWN && start < least)
		start = least;
	if (start != r->start_after || only == (r->who == FS_WHO_OWNER)) {
		print_error("%s by %s: %" PRId64 ", not %" PRId64 "; %s\n%s", r->command, fs_who_name(r->who), r->start_after, start,
			    only ? "not for the owner" : "for the owner", site);
		fail();
	}
	fs_snapshot_free(m);
}

/* The role, then the price, then the start do not decrease. */
static void check_order(const struct fs_advice *x, const struct fs_advice *y)
{
	assert_true(x->who <= y->who);
	assert_true(x->who < y->who || x->price <= y->price);
	assert_true(x->who < y->who || x->price < y->price || x->start_after <= y->start_after);
}

/* Returns the number of proposed commands; *shares: how many of them set fair-share shares. */
static size_t check_job(const fs_snapshot *m, const char *site, uint32_t row, size_t *shares)
{
	struct fs_error err;
	struct fs_job j;
	fs_snapshot *edited;
	fs_advices *a;
	size_t n;

	fs_snapshot_job(m, row, &j);
	if (j.times.start != FS_UNKNOWN)
		return 0;
	fst_no_error(fs_advise(&a, m, row, &computed, &err), &err);
	edited = fst_snapshot(site);
	assert_int_equal(fs_advices_start(a), start_begun(edited, j.id, fs_advices_begins(a)));
	fs_snapshot_free(edited);
	n = fs_advices_count(a);
	for (size_t i = 0; i < n; i++) {
		const struct fs_advice *r = fs_advices_row(a, i);

		assert_int_equal(r->start_before, fs_advices_start(a));
		assert_true(r->start_before == FS_UNKNOWN || r->start_after + 60 <= r->start_before);
		if (i)
			check_order(fs_advices_row(a, i - 1), r);
		check_one(site, j.id, j.user, r, fs_advices_begins(a));
		*shares += strstr(r->command, "fairshare=") != NULL;
	}
	fs_advices_free(a);
	return n;
}

/* Returns how many proposed commands set fair-share shares. */
static size_t check_kind(const struct kind *k)
{
	uint64_t seed = 2026;
	size_t proposed = 0, shares = 0;

	for (int round = 0; round < ROUNDS; round++) {
		char *site = draw(k, &seed);
		fs_snapshot *m = fst_snapshot(site);

		for (uint32_t i = 0; i < RUNNING + PENDING; i++)
			proposed += check_job(m, site, i, &shares);
		fs_snapshot_free(m);
		free(site);
	}
	assert_true(proposed > ROUNDS);
	return shares;
}

static void slurm_advice_agrees_with_the_plan_of_its_command(void **state)
{
	(void)state;
	assert_true(check_kind(&kinds[0]) > 0);
}

static void slurm_advice_agrees_with_the_plan_beside_reservations_and_tiers(void **state)
{
	(void)state;
	check_kind(&kinds[1]);
}

static void flux_advice_agrees_with_the_plan_of_its_command(void **state)
{
	(void)state;
	check_kind(&kinds[2]);
}

static void maui_advice_agrees_with_the_plan_of_its_command(void **state)
{
	(void)state;
	check_kind(&kinds[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slurm_advice_agrees_with_the_plan_of_its_command),
		cmocka_unit_test(slurm_advice_agrees_with_the_plan_beside_reservations_and_tiers),
		cmocka_unit_test(flux_advice_agrees_with_the_plan_of_its_command),
		cmocka_unit_test(maui_advice_agrees_with_the_plan_of_its_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
