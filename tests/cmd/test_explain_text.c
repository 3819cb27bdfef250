/* fs-explain: the sentences of pages. */
#include "explained.h"
#include "fsprio.h"

static char *job_page(const char *text, const char *job, const char *algorithm)
{
	struct explained e;
	struct page p;
	char *all;

	explained_open(&e, text, algorithm);
	const uint32_t row = fs_explain_find_job(e.view.explain, job);

	assert_true(row != UINT32_MAX);
	explained_job(&p, &e, row);
	all = explained_text(&p);
	page_free_text(&p);
	explained_close(&e);
	return all;
}

static void job_says(const char *text, const char *job, const char *want)
{
	char *all = job_page(text, job, NULL);

	explained_says(all, want);
	free(all);
}

static void job_does_not_say(const char *text, const char *job, const char *unwanted)
{
	char *all = job_page(text, job, NULL);

	assert_null(strstr(all, unwanted));
	free(all);
}

static void user_says(const char *text, const char *user, const char *algorithm, const char *want)
{
	struct explained e;
	struct page p;
	char *all;

	explained_open(&e, text, algorithm);
	page_init_form(&p, PAGE_TEXT, 80, true);
	assert_int_equal(explain_add_user(&p, &e.view, user, NULL), 0);
	all = explained_text(&p);
	explained_says(all, want);
	free(all);
	page_free_text(&p);
	explained_close(&e);
}

static void account_says(const char *text, const char *account, const char *want)
{
	struct explained e;
	struct page p;
	char *all;

	explained_open(&e, text, NULL);
	page_init_form(&p, PAGE_TEXT, 80, true);
	assert_int_equal(explain_add_account(&p, &e.view, fs_explain_find_row(e.view.explain, account, "")), 0);
	all = explained_text(&p);
	explained_says(all, want);
	free(all);
	page_free_text(&p);
	explained_close(&e);
}

#define A(id, fields) REC("association", "'id':" #id "," fields)
#define HALF_LIFE CONFIG("'PriorityWeightFairShare':1000,'PriorityDecayHalfLife':604800")

/* ---- nine published explanations that are wrong, and the correct ones */

/* A published manual page gives 62079 as the sum of 1 + 51077 + 1000 + 10000 + 0, which is 62078. */
static void a_sum_is_the_sum_of_its_terms(void **state)
{
	static const char text[] = HEADER TRES NODES PARTITIONS
		CONFIG("'PriorityWeightAge':1,'PriorityMaxAge':10,'PriorityWeightFairShare':51077,"
		       "'PriorityWeightJobSize':1000,'PriorityWeightPartition':10000,'PriorityWeightQOS':5")
		A(1, "'account':'root','shares':1,'usage_tres_s':0")
		A(2, "'account':'root','user':'u','shares':1,'usage_tres_s':0")
		JOB(1, "'accrue_time':1000,'user':'u','account':'root','partitions':['q'],'nodes':10,'cpus':640");

	(void)state;
	job_says(text, "1", "51077.000000");
	job_says(text, "1", "sum 62078.000000 PRIORITY 62078");
}

/* A normalized share of 0.001363 is 0.1363 %, not 1.36 %. */
static void small_shares_have_the_right_percentage(void **state)
{
	(void)state;
	user_says(HEADER HALF_LIFE A(1, "'account':'root','shares':1,'usage_tres_s':0")
		  A(2, "'account':'root','user':'u','shares':1363,'usage_tres_s':1")
		  A(3, "'account':'root','user':'v','shares':998637,'usage_tres_s':1"),
		  "u", NULL, "0.1363 %");
}

/* The unit of raw usage is TRES seconds, not TRES minutes. */
static void usage_is_shown_in_tres_seconds(void **state)
{
	(void)state;
	user_says(HEADER HALF_LIFE ASSOCIATIONS, "v", NULL, "30 TRES seconds (billing units times seconds, not minutes)");
}

/* The published explanation is for a half-life of a week. It says that usage counts in full in the first week, half in
 * the second week, and a quarter in the third week. */
static void half_counts_after_one_half_life(void **state)
{
	(void)state;
	user_says(HEADER HALF_LIFE ASSOCIATIONS, "v", NULL,
		  "It halves every 7-00:00:00: after one such period a half counts, after two a quarter, after three an eighth.");
}

/* The job size is the mean of the job's shares of the nodes and of the CPUs, not only its share of the CPUs. */
static void job_size_is_a_mean_of_nodes_and_cpus(void **state)
{
	static const char job[] = JOB(1, "'nodes':2,'cpus':64,'time_limit_s':600,'partitions':['p']");
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text), HEADER CLUSTER CONFIG("'PriorityWeightJobSize':1000") "%s", job);
	job_says(text, "1", "mean of 2/10 nodes and 64/640 CPUs");
	job_says(text, "1", "150.000000");
	snprintf(text, sizeof(text),
		 HEADER CLUSTER CONFIG("'PriorityWeightJobSize':1000,'PriorityFavorSmall':true") "%s", job);
	job_says(text, "1", "small jobs first: mean of 8/10 nodes and 576/640 CPUs not requested");
	snprintf(text, sizeof(text),
		 HEADER CLUSTER CONFIG("'PriorityWeightJobSize':1000,'PriorityFlags':['SMALL_RELATIVE_TO_TIME']") "%s", job);
	job_says(text, "1", "2 of 10 nodes, 64 of 640 CPUs, for 10 minutes (SMALL_RELATIVE_TO_TIME)");
}

/* The page must show the correct results of 2^(-0.0035/0.0050) and 2^(-0.0011/0.0010), which are not 0.75 and 0.87. */
static void the_classic_formula_shows_its_correct_result(void **state)
{
	static const char tree[] = A(1, "'account':'root','shares':1,'usage_tres_s':0")
		A(2, "'account':'root','user':'u','shares':50,'usage_tres_s':35")
		A(3, "'account':'root','user':'w','shares':10,'usage_tres_s':11")
		A(4, "'account':'root','user':'v','shares':9940,'usage_tres_s':9954");
	char text[2000];

	(void)state;
	snprintf(text, sizeof(text), HEADER HALF_LIFE "%s", tree);
	user_says(text, "u", "classic", "FAIRSHARE 0.615572 = 2^(−E/S/d) = 2^(−0.0035/0.005/1)");
	user_says(text, "w", "classic", "FAIRSHARE 0.466516 = 2^(−E/S/d) = 2^(−0.0011/0.001/1)");
}

/* The page must not describe a LevelFS of 0.2 against 3 as "15 times the weight" or as a difference, and must not
 * confuse high with low values. */
static void level_fs_is_explained_by_shares_and_order(void **state)
{
	static const char text[] = HEADER HALF_LIFE A(1, "'account':'root','shares':1,'usage_tres_s':0")
		A(2, "'account':'root','user':'u','shares':1,'usage_tres_s':10")
		A(3, "'account':'root','user':'v','shares':3,'usage_tres_s':2");

	(void)state;
	user_says(text, "u", NULL, "Only the order of LevelFS counts, not the difference.");
	user_says(text, "u", NULL, "FAIRSHARE 0.500000 = rank/users = 1/2");
	user_says(text, "v", NULL, "FAIRSHARE 1.000000 = rank/users = 2/2");
	user_says(text, "u", NULL, "LevelFS is shares divided by usage");
	user_says(text, "u", NULL, "u is last of 2 users: v 4.50");
	user_says(text, "u", NULL, "above 1, usage is less than the share; below 1, more");
}

/* ---- explanations of how a factor is computed */

static void ties_and_special_shares_are_explained(void **state)
{
	static const char text[] = HEADER HALF_LIFE A(1, "'account':'root','shares':1,'usage_tres_s':0")
		A(2, "'account':'a','parent':'root','shares':1,'usage_tres_s':0") A(3, "'account':'b','parent':'root','shares':'parent','usage_tres_s':0")
		A(4, "'account':'z','parent':'root','shares':0,'usage_tres_s':0")
		A(5, "'account':'a','user':'u','shares':1,'usage_tres_s':5")
		A(6, "'account':'a','user':'v','shares':1,'usage_tres_s':5")
		A(7, "'account':'b','user':'w','shares':'parent','usage_tres_s':1")
		A(8, "'account':'z','user':'x','shares':1,'usage_tres_s':1")
		A(9, "'account':'a','user':'n','shares':1,'usage_tres_s':0");

	(void)state;
	user_says(text, "u", NULL, "1 user is tied with u");
	user_says(text, "u", NULL, "u is tied for 2nd of 3 with 1 other: n inf, v 0.67");
	user_says(text, "w", NULL, "w has shares=parent");
	user_says(text, "w", NULL, "Account b has shares=parent: it is not a level");
	user_says(text, "x", NULL, "z has no shares: its LevelFS is 0, and it ranks last here whatever its usage.");
	user_says(text, "n", NULL, "n has no usage that still counts: its LevelFS is infinite (inf).");
	user_says(text, "u", NULL, "two users are compared at the highest level of the tree where their accounts differ");
	account_says(text, "a", "Account a · parent root");
	account_says(text, "a", "n 33.3 % 0.0 % inf");
	user_says(text, "w", "classic", "usage and shares in the formula are those of account root");
	user_says(text, "x", "classic", "combines U with the usage of the accounts above");
}

static void recorded_values_are_shown_with_computed_ones(void **state)
{
	static const char text[] = HEADER CLUSTER CONFIG("'PriorityWeightFairShare':1000,'PriorityWeightQOS':100")
		JOB(1, "'user':'u','account':'root','association':2,'partitions':['p'],'qos':['high'],'priority':100")
		REC("recorded", "'job':1,'partition':'p','priority':100,'fairshare':0,'qos_points':100,'age':0,'assoc':0,"
				"'jobsize':0,'partition_points':0,'site':0,'nice':0")
		REC("recorded", "'association':2,'factor':0");

	(void)state;
	job_says(text, "1", "The scheduler recorded 100 in p; the inputs give 1100: FAIRSHARE 0 recorded, 1000 computed.");
	job_says(text, "1", "A new association has fair-share factor 0 until the scheduler's next calculation");
	job_says(text, "1", "The scheduler printed the factor 0.000000, not 1.000000");
}

static void hidden_inputs_are_unknown_not_zero(void **state)
{
	static const char head[] = "{'type':'snapshot','format':1,'time':1700000030,'cluster':'c',"
				   "'scheduler':'slurm 26.05.0','hidden':['association','job']}\n";
	static const char rest[] = TRES NODES PARTITIONS QOS CONFIG("'PriorityWeightFairShare':1000,'PriorityWeightQOS':100")
		A(2, "'account':'root','user':'u','shares':1,'usage_tres_s':10");
	char text[4000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s", head, rest, JOB(1, "'user':'u','account':'root','qos':['high']"));
	job_says(text, "1", "FAIRSHARE unknown 1000 unknown unknown: hidden from the capture");
	job_says(text, "1", "PRIORITY unknown");
	job_says(text, "1", "The fair-share factor is not known.");
	job_says(text, "1", "Jobs of others may be missing from the snapshot");
	snprintf(text, sizeof(text), "%s%s%s%s", head, rest, JOB(1, "'user':'u','account':'root','qos':['high']"),
		 REC("recorded", "'association':2,'factor':0.25"));
	job_says(text, "1", "FAIRSHARE 0.250000 is the value that the scheduler printed.");
	job_says(text, "1", "sum 350.000000");
}

/* ---- causes of waiting */

#define LIMITED CONFIG("'PriorityWeightQOS':100,'AccountingStorageEnforce':['associations','limits']")

static void limits_are_shown_with_their_usage(void **state)
{
	static const char text[] = HEADER TRES NODES PARTITIONS LIMITED
		REC("qos", "'name':'q','priority':1,'max_jobs_per_user':2")
		A(1, "'account':'root','shares':1,'usage_tres_s':0") A(2, "'account':'a','parent':'root','shares':1,'grp_tres':{'cpu':64}")
		A(3, "'account':'a','user':'u','shares':1") A(4, "'account':'a','user':'v','shares':1")
		REC("job", "'id':1,'state':'RUNNING','user':'u','account':'a','association':3,'tres_alloc':{'cpu':40}")
		REC("job", "'id':2,'state':'RUNNING','user':'v','account':'a','association':4,'tres_alloc':{'cpu':8}")
		REC("job", "'id':3,'state':'RUNNING','user':'v','account':'a','association':4,'tres_alloc':{'cpu':16}")
		REC("job", "'id':4,'state':'COMPLETED','user':'v','account':'a','association':4,'tres_alloc':{'cpu':99}")
		JOB(5, "'user':'u','account':'a','association':3,'partitions':['p'],'qos':['q'],'priority':1,"
		       "'reason':'AssocGrpCpuLimit','tres_req':{'cpu':4}")
		JOB(6, "'user':'u','account':'a','association':3,'partitions':['p'],'qos':['q'],'priority':1,"
		       "'reason':'AssocGrpCpuLimit','tres_req':{'cpu':65}");

	(void)state;
	job_says(text, "5", "Limit GrpTRES of account a: 64 CPUs allowed, 64 CPUs in use, this job would add 4 CPUs. What clears it");
	job_says(text, "5", "GrpTRES of account a: 64 of 64 CPUs in use, by u (40 CPUs in 1 job), v (24 CPUs in 2 jobs); "
			    "this job would add 4 CPUs.");
	job_says(text, "6", "It can never start: it asks for 65 CPUs, account a allows 64 CPUs in all (GrpTRES). It needs a smaller request or a higher limit");
	job_says(text, "6", "This exceeds the whole limit: the job cannot start even if nothing else runs.");
	job_does_not_say(text, "5", "never");
	job_says(HEADER LIMITED JOB(1, "'partitions':['p'],'priority':1,'reason':'QOSMaxCpuPerUserLimit'"), "1",
		 "MaxTRESPU (CPUs) of the QOS, which the recorded reason names, is not in the snapshot");
}

static void jobs_that_never_start_differ_from_jobs_that_wait(void **state)
{
	static const char text[] = HEADER TRES NODES PARTITIONS QOS CONFIG("'PriorityWeightQOS':100")
		JOB(1, "'partitions':['p','q'],'priority':1,'reason':'Resources','tres_req':{'cpu':641}")
		JOB(2, "'partitions':['p','q'],'priority':1,'reason':'Resources','tres_req':{'cpu':640}")
		JOB(3, "'partitions':['p'],'priority':1,'reason':'PartitionTimeLimit','time_limit_s':6060")
		JOB(4, "'partitions':['p'],'priority':1,'reason':'DependencyNeverSatisfied','dependency':'afterok:9'")
		JOB(5, "'partitions':['p'],'priority':0,'reason':'JobHeldAdmin'");

	(void)state;
	job_says(text, "1", "It can never start: it asks for 641 CPUs, partition p has 640 CPUs.");
	job_says(text, "1", "Partition p: it asks for 641 CPUs, but the partition has 640 CPUs.");
	job_says(text, "2", "First in p: waits for resources.");
	job_says(text, "2", "Partition q: it asks for 640 CPUs, but the partition has 64 CPUs.");
	job_says(text, "3", "Partition p: it asks for 1:41:00, but at most 1:40:00 is allowed there.");
	job_says(text, "4", "It can never start: job 9 (not in the snapshot) can no longer end successfully. "
		 "Its dependency must be changed or removed, or the job cancelled.");
	job_does_not_say(text, "4", "What clears it");
	job_says(text, "5", "It is held by an administrator.");
	job_says(text, "5", "has no priority and does not age");
}

/* For a job that can never start, the page proposes a change that depends on the kind of limit, such as a smaller
 * request, a larger request or another QOS. */
static void jobs_that_never_start_show_a_possible_request(void **state)
{
	static const char text[] = HEADER TRES NODES LIMITED
		REC("partition", "'name':'p','max_nodes':1,'max_time_s':6000,'tres':{'cpu':640,'node':1}")
		REC("qos", "'name':'few','max_tres':{'cpu':4}") REC("qos", "'name':'least','min_tres':{'cpu':4}")
		REC("qos", "'name':'node','max_tres_per_node':{'cpu':4}") REC("qos", "'name':'nogpu','grp_tres':{'gres/gpu':0}")
		REC("qos", "'name':'none','grp_tres':{'cpu':0}") REC("qos", "'name':'mins','max_tres_min':{'cpu':60}")
		REC("qos", "'name':'wide'")
#define ASKS(id, qos, fields) \
	JOB(id, "'user':'u','account':'root','association':2,'partitions':['p'],'priority':1,'reason':'Priority','nodes':1,'cpus':1,'time_limit_s':600,'qos':['" qos "']," fields)
		A(1, "'account':'root','shares':1,'usage_tres_s':0") A(2, "'account':'root','user':'u','shares':1")
		ASKS(1, "few", "'tres_req':{'cpu':8,'node':1}")
		ASKS(3, "least", "'tres_req':{'cpu':1,'node':1}") ASKS(4, "node", "'tres_req':{'cpu':8,'node':1}")
		ASKS(5, "nogpu", "'tres_req':{'cpu':1,'node':1,'gres/gpu':1}") ASKS(6, "none", "'tres_req':{'cpu':1,'node':1}")
		ASKS(7, "mins", "'tres_req':{'cpu':8,'node':1}") ASKS(8, "wide", "'tres_req':{'cpu':1,'node':2}")
		ASKS(9, "wide", "'tres_req':{'cpu':1,'node':1,'gres/gpu':1}")
		JOB(10, "'partitions':['p'],'priority':1,'reason':'PartitionNodeLimit'")
		JOB(11, "'partitions':['p'],'priority':1,'reason':'DependencyNeverSatisfied',"
			"'dependency':'afterany:1(unfulfilled),afterok:12(failed)'")
		JOB(13, "'user':'u','account':'root','association':2,'partitions':['p'],'priority':1,'nodes':1,'cpus':8,'tasks':8,"
			"'time_limit_s':600,'qos':['node'],'reason':'QOSMaxCpuPerNode','tres_req':{'cpu':8,'node':1}")
		REC("job", "'id':12,'state':'FAILED','user':'v'");
#undef ASKS

	(void)state;
	job_says(text, "1", "it asks for 8 CPUs, QOS few allows 4 CPUs a job (MaxTRESPerJob). It needs a smaller request, another QOS, or a higher limit.");
	job_says(text, "3", "It needs a larger request, another QOS, or a lower limit.");
	job_says(text, "4", "it asks for 8 CPUs on a node, QOS node allows 4 CPUs on each node (MaxTRESPerNode). "
			    "It needs a smaller request, another QOS, or a higher limit.");
	job_says(text, "13", "It asks for 8 CPUs on a node, QOS node allows 4 CPUs on each node (MaxTRESPerNode). What clears it: the job asks for less per node, or for more nodes.");
	job_says(text, "5", "(GrpTRES). It needs a request without GPUs, another QOS, or a higher limit.");
	job_says(text, "6", "QOS none allows 0 CPUs in all (GrpTRES). It needs another QOS or a higher limit.");
	job_says(text, "7", "QOS mins allows 60 CPU minutes a job (MaxTRESMinsPerJob). "
			    "It needs a smaller request, another QOS, or a higher limit.");
	job_says(text, "8", "WHERE IT CANNOT START Partition p: it asks for 2 nodes, but the partition has 1 node. PRIORITY");
	job_says(text, "9", "it asks for 1 GPU, partition p has none. It needs a request without GPUs, or another partition.");
	job_says(text, "10", "What clears it: the request or the partition is changed, or nodes that are down or drained return.");
	job_says(text, "11", "It can never start: job 12 (v, FAILED) can no longer end successfully.");
}

static void pages_show_the_place_and_the_jobs_ahead(void **state)
{
	static const char text[] = HEADER CLUSTER CONFIG("'PriorityWeightAge':1000,'PriorityMaxAge':1000,"
							 "'PriorityWeightQOS':1000")
		JOB(1, "'partitions':['p'],'user':'u','account':'a','qos':['low'],'priority':350,'submit_time':10,"
		       "'accrue_time':1699999900,'reason':'Priority'")
		JOB(2, "'partitions':['p'],'user':'v','account':'b','qos':['high'],'priority':1000,'submit_time':10,"
		       "'accrue_time':1700000000,'reason':'Priority'")
		JOB(3, "'partitions':['p'],'user':'u','account':'a','qos':['none'],'priority':400,'submit_time':10,"
		       "'accrue_time':1699999600,'reason':'Priority','array_job_id':3,'array_tasks':'1-5'")
		JOB(4, "'partitions':['p'],'user':'w','account':'c','qos':['none'],'priority':5000,'priority_set':5000,"
		       "'submit_time':10,'reason':'Priority'");

	(void)state;
	job_says(text, "1", "In p it is 4th of 4: 7 jobs (3 entries) are ahead of it: 5 of a, 1 of b and 1 of c.");
	job_says(text, "1", "The priority of 1 of them was set by an administrator.");
	job_says(text, "1", "Closest ahead: 3_[1-5] of u (a), an array of 5 tasks, 50 points ahead; AGE alone gives it 300 more.");
	job_says(text, "1", "Waiting alone passes 1 of the 3 ahead by 2023-");
	job_says(text, "4", "In p it is first of 4: no job is ahead of it there.");
	job_says(text, "4", "5000, set by an administrator");
	job_says(text, "3_4", "Job 3_[1-5] · u");
}

static void the_limit_that_stops_the_age_is_named(void **state)
{
	static const char text[] = HEADER CLUSTER
		CONFIG("'PriorityWeightAge':1000,'PriorityMaxAge':1000,'AccountingStorageEnforce':['limits']")
		"{'type':'qos','name':'q','priority':0,'max_jobs_accrue_per_user':1}\n"
		"{'type':'qos','name':'g','priority':0,'grp_jobs_accrue':2}\n"
		JOB(1, "'partitions':['p'],'user':'u','account':'a','qos':['q'],'priority':350,"
		       "'accrue_time':1699999900,'reason':'Priority'")
		JOB(2, "'partitions':['p'],'user':'u','account':'a','qos':['q'],'priority':1,"
		       "'reason':'Priority','array_job_id':2,'array_tasks':'1-4'")
		JOB(3, "'partitions':['p'],'user':'u','account':'a','qos':['q'],'priority':1,"
		       "'reason':'Priority'")
		JOB(4, "'partitions':['p'],'user':'u','account':'a','qos':['g'],'priority':1,"
		       "'accrue_time':1699999900,'reason':'Priority','array_job_id':4,'array_tasks':'1-2'")
		JOB(6, "'partitions':['p'],'user':'v','account':'b','qos':['g'],'priority':1,"
		       "'reason':'Priority'");

	(void)state;
	job_says(text, "2", "Its age bonus is not growing: at most 1 job per user may age (MaxJobsAccruePerUser of q); "
			    "1 ages now. The time until it ages does not count.");
	job_says(text, "3", "(MaxJobsAccruePerUser of q); 1 ages now, and 4 with a lower id wait to age first.");
	job_says(text, "6", "at most 2 jobs may age (GrpJobsAccrue of g); 2 age now.");
}

/* ---- pages */

static void control_characters_of_names_are_escaped(void **state)
{
	static const char text[] = HEADER CLUSTER CONFIG("'PriorityWeightQOS':1000")
		JOB(1, "'partitions':['p'],'user':'u\\u001b[2Jx','account':'a\\u0007','reason':'Pr\\u001b]0;iority'");
	char *all = job_page(text, "1", NULL);

	(void)state;
	assert_null(strchr(all, '\033'));
	assert_null(strchr(all, '\a'));
	explained_says(all, "u^[[2Jx");
	free(all);
}

static void markdown_characters_of_names_are_escaped(void **state)
{
	struct page p;
	char *all;

	(void)state;
	page_init_form(&p, PAGE_MARKDOWN, 80, false);
	page_add_sentence(&p, "a|b *c* _d_ e_f <g> · “");
	page_end_paragraph(&p);
	all = explained_text(&p);
	explained_says(all, "a\\|b \\*c\\* \\_d\\_ e_f \\<g\\> - ?");
	free(all);
	page_free_text(&p);
}

static void tables_are_aligned_and_wrapped(void **state)
{
	static const struct page_column columns[] = { { "n", ALIGN_LEFT }, { "v", ALIGN_POINT }, { "", ALIGN_LEFT } };
	static const char *const want[] = { "  n         v", "  a      1.25  some words that go on and",
					    "               on below", "  bcd  -10     x" };
	struct page p;

	(void)state;
	page_init_form(&p, PAGE_TEXT, 40, true);
	page_begin_table(&p, columns, 3);
	page_add_cell(&p, "a");
	page_add_cell(&p, "1.25");
	page_add_cell(&p, "some words that go on and on below");
	page_end_row(&p, TONE_PLAIN);
	page_add_cell(&p, "bcd");
	page_add_cell(&p, "-10");
	page_add_cell(&p, "x");
	page_end_row(&p, TONE_PLAIN);
	page_end_table(&p);
	assert_int_equal(p.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(p.lines[i].text, want[i]);
	page_free_text(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_is_the_sum_of_its_terms),
		cmocka_unit_test(small_shares_have_the_right_percentage),
		cmocka_unit_test(usage_is_shown_in_tres_seconds),
		cmocka_unit_test(half_counts_after_one_half_life),
		cmocka_unit_test(job_size_is_a_mean_of_nodes_and_cpus),
		cmocka_unit_test(the_classic_formula_shows_its_correct_result),
		cmocka_unit_test(level_fs_is_explained_by_shares_and_order),
		cmocka_unit_test(ties_and_special_shares_are_explained),
		cmocka_unit_test(recorded_values_are_shown_with_computed_ones),
		cmocka_unit_test(hidden_inputs_are_unknown_not_zero),
		cmocka_unit_test(limits_are_shown_with_their_usage),
		cmocka_unit_test(jobs_that_never_start_differ_from_jobs_that_wait),
		cmocka_unit_test(jobs_that_never_start_show_a_possible_request),
		cmocka_unit_test(pages_show_the_place_and_the_jobs_ahead),
		cmocka_unit_test(the_limit_that_stops_the_age_is_named),
		cmocka_unit_test(control_characters_of_names_are_escaped),
		cmocka_unit_test(markdown_characters_of_names_are_escaped),
		cmocka_unit_test(tables_are_aligned_and_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
