/* fs-explain: pages of Flux and Maui. */
#include "explained.h"
#include "fsprio.h"

#define FLUX "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'flux 0.80'}\n"
#define BANKS                                                                                                        \
	CONFIG("'weight_fairshare':100000,'weight_queue':10000,'weight_bank':0,'weight_urgency':1000")              \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0")                 \
	REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0,'bank_priority':0")    \
	REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':5,'fairshare':0.5,'max_jobs':1") \
	REC("association", "'id':4,'account':'b','user':'v','shares':1,'usage_tres_s':1,'fairshare':1")             \
	REC("partition", "'name':'q','priority':0") REC("partition", "'name':'r','priority':1")
#define FJOB(id, user, queue, fields)                                                                                \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':" #id ",'user':'" user "','account':'b',"          \
		   "'partitions':['" queue "'],'cpus':4,'nodes':1,'phase':'SCHED'," fields)

#define MAUI(config) MAUI_BY("DEDICATEDPS", config)
#define MAUI_BY(policy, config)                                                                                      \
	"{'type':'snapshot','format':1,'time':1600000777,'cluster':'c','scheduler':'maui'}\n"                       \
	CONFIG("'FSPOLICY':'" policy "','FSDEPTH':2,'FSDECAY':0.5,'FSINTERVAL':43200," config)                     \
	REC("credential", "'kind':'user','name':'DEFAULT','position':0,'target':30,'target_mode':'target','priority':5") \
	REC("credential", "'kind':'user','name':'u','position':1,'target':20,'target_mode':'target','priority':9")  \
	REC("credential", "'kind':'user','name':'v','position':2")                                                  \
	REC("credential", "'kind':'class','name':'k','position':0") REC("credential", "'kind':'class','name':'l','position':1") \
	REC("window", "'start':1599998400,'kind':'user','name':'u','usage_s':600")                                  \
	REC("window", "'start':1599955200,'kind':'user','name':'u','usage_s':200")                                  \
	REC("window", "'start':1599998400,'kind':'user','name':'v','usage_s':300")                                  \
	REC("window", "'start':1599998400,'kind':'sched','usage_s':900") REC("window", "'start':1599955200,'kind':'sched','usage_s':200")
#define MJOB(id, user, class, fields)                                                                                \
	REC("job", "'id':" #id ",'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000,'time_limit_s':3600," \
		   "'name':'" #id "','user':'" user "','partitions':['" class "'],'nodes':1,'cpus':2,'tasks':2,"    \
		   "'cpus_per_task':1,'position':" #id fields)

static char *page_of(const char *text, const char *job, bool ahead)
{
	struct fs_explain_job j;
	struct explained e;
	struct fs_error err;
	struct page p;
	char *all;

	explained_open(&e, text, NULL);
	const uint32_t row = fs_explain_find_job(e.view.explain, job);

	assert_true(row != UINT32_MAX);
	page_init_form(&p, PAGE_TEXT, 80, true);
	fst_no_error(fs_explain_job(e.view.explain, row, &j, &err), &err);
	explain_add_job(&p, &e.view, &j, ahead);
	all = explained_text(&p);
	page_free_text(&p);
	explained_close(&e);
	return all;
}

static void says(const char *text, const char *job, const char *want)
{
	char *all = page_of(text, job, false);

	explained_says(all, want);
	free(all);
}

static void ahead_says(const char *text, const char *job, const char *want)
{
	char *all = page_of(text, job, true);

	explained_says(all, want);
	free(all);
}

static void does_not_say(const char *text, const char *job, const char *unwanted)
{
	char *all = page_of(text, job, false);

	if (strstr(all, unwanted))
		print_error("it says \"%s\":\n%s\n", unwanted, all);
	assert_null(strstr(all, unwanted));
	free(all);
}

/* ---- Flux */

static void flux_places_are_counted_per_queue(void **state)
{
	static const char text[] = FLUX BANKS FJOB(1, "u", "q", "'urgency':16,'fairshare_ppm':500000,'priority':50000")
		FJOB(2, "v", "q", "'urgency':16,'fairshare_ppm':1000000,'priority':100000")
		FJOB(3, "v", "r", "'urgency':16,'fairshare_ppm':1000000,'priority':110000")
		FJOB(4, "v", "q", "'urgency':31,'priority':4294967295") FJOB(5, "u", "q", "'urgency':16,'fairshare_ppm':500000,'priority':50000")
		FJOB(6, "u", "q", "'urgency':20,'fairshare_ppm':500000,'priority':54000");

	static const char two[] = FLUX BANKS FJOB(4, "v", "q", "'urgency':31,'priority':4294967295")
		FJOB(7, "v", "q", "'urgency':16,'fairshare_ppm':1000000,'priority':100000")
		FJOB(8, "v", "q", "'urgency':16,'fairshare_ppm':1000000,'priority':100000");

	(void)state;
	says(text, "5", "In q it is 5th of 5: 4 jobs are ahead of it, all of b.");
	says(text, "5", "The priority of 1 of them was set by urgency 31 (expedited).");
	says(text, "5", "Closest ahead: ƒ2 of u (b): the priorities are equal, and the job ahead has a lower job id.");
	says(text, "5", "Waiting alone will not move it past them: Flux has no factor for age.");
	says(text, "5", "1 job in other queues is ahead of it in the overall order; the nodes of the queues are not in the snapshot.");
	says(text, "1", "Closest ahead: ƒ7 of u (b), 4000 points ahead; URGENCY contributes 4000.");
	says(two, "8", "The priority of 1 of them was set by urgency 31 (expedited), that of the other is equal to this job's.");
	says(text, "4", "It is expedited (urgency 31)");
	says(text, "4", "In q it is first of 5: no job is ahead of it there.");
	ahead_says(text, "5", "4 jobs are ahead of it (order: priority, job id).");
	ahead_says(text, "5", "Ahead in other queues, whose nodes are not in the snapshot: 1 job in r.");
	ahead_says(text, "5", "cores core-hours");
	does_not_say(text, "5", "CPU");
	does_not_say(text, "5", "artition");
	does_not_say(text, "5", "account");
}

static void flux_pages_show_the_reason_and_what_clears_it(void **state)
{
	static const char text[] = FLUX BANKS
		REC("job", "'id':9,'state':'RUNNING','submit_time':1,'user':'u','account':'b','partitions':['q'],'cpus':4,'nodes':1")
		FJOB(1, "u", "q", "'urgency':0,'priority':0") FJOB(2, "u", "q", "'urgency':16,'fairshare_ppm':1,'priority':0")
		REC("job", "'id':3,'state':'PENDING','submit_time':3,'user':'u','account':'b','partitions':['q'],'cpus':4,'nodes':1,"
			   "'phase':'DEPEND','urgency':16,'dependency':'max-running-jobs-user-limit'")
		REC("job", "'id':4,'state':'PENDING','submit_time':3,'user':'u','account':'b','partitions':['q'],'cpus':4,'nodes':1,"
			   "'phase':'DEPEND','urgency':16,'dependency':'after-success=9'");
	static const char sched[] = FLUX BANKS
		REC("association", "'id':5,'account':'b','user':'w','shares':1,'usage_tres_s':0,'fairshare':0.5,'max_sched_jobs':1")
		REC("partition", "'name':'low','priority':-9") FJOB(1, "w", "q", "'urgency':16,'priority':50000")
		FJOB(2, "w", "q", "'urgency':16,'priority':0")
		REC("job", "'id':3,'state':'PENDING','submit_time':3,'user':'w','account':'b','partitions':['low'],'cpus':4,'nodes':1,"
			   "'phase':'DEPEND','urgency':16,'dependency':'max-sched-jobs-user-limit'");

	(void)state;
	/* a limit on scheduled jobs allows the job when one of the scheduled jobs starts; if the user has several jobs,
	 * the queue of the last submitted job determines the priority */
	says(sched, "3", "max_sched_jobs counts the scheduled (SCHED) jobs of w there. What clears it: some of the counted jobs start.");
	says(sched, "2", "What clears it: a new job of its owner in a queue of higher priority (the queue of the owner's last job counts), "
			 "a higher fair-share factor, or more urgency.");
	says(sched, "2", "QUEUE -9 10000 -90000.000000 priority of queue low (from its owner's last job)");
	says(sched, "1", "QUEUE 0.0000000 10000 0.000000 priority of queue q");
	says(text, "2", "What clears it: a higher fair-share factor, or more urgency.");
	says(text, "1", "It is held: the job's urgency is 0.");
	says(text, "2", "It is held: the job's priority is 0, and Flux does not try such jobs. Flux treats priority 0 like urgency 0 (priority-hold).");
	says(text, "3", "Limit max_running_jobs of bank b, for u: 1 job allowed, 1 job running, this job would add 1 job. max_running_jobs counts the running jobs of u there. What clears it: some of the counted jobs end.");
	says(text, "3", "So it is not eligible.");
	says(text, "4", "It waits for job ƒA (u, RUNNING) to end successfully. So it is not eligible.");
	does_not_say(text, "4", "not known");
	ahead_says(text, "3", "is not among the eligible jobs, so no job is ahead of it");
}

static void flux_pages_show_recorded_and_computed_priorities(void **state)
{
	static const char text[] = FLUX BANKS FJOB(1, "u", "q", "'urgency':16,'fairshare_ppm':500000,'priority':70000")
		FJOB(2, "v", "q", "'urgency':16,'fairshare_ppm':1000000,'priority':60000");

	(void)state;
	says(text, "2", "10000 points ahead by the recorded priorities (-50000 by the computed ones).");
	says(text, "2", "The scheduler recorded 60000 in q; the inputs give 100000");
}

static void flux_pages_show_unknown_inputs_as_unknown(void **state)
{
	static const char text[] = FLUX CONFIG("'weight_fairshare':100000")
		REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0")
		REC("association", "'id':2,'account':'root','user':'u','shares':1,'fairshare':0.5")
		REC("association", "'id':3,'account':'root','user':'v','shares':1,'usage_tres_s':1,'fairshare':1")
		REC("job", "'id':1,'state':'PENDING','submit_time':1,'user':'u','account':'root','cpus':4,'nodes':1,"
			   "'phase':'SCHED','urgency':16,'fairshare_ppm':500000,'priority':50000");

	(void)state;
	says(text, "1", "FAIRSHARE 0.5000000 100000 50000.000000 as the scheduler stored it for this job; see below");
	says(text, "1", "The fair-share factor is unknown: not all shares and usage that it needs were captured.");
	says(text, "1", "root 50.0 % unknown unknown u; siblings: v unknown");
	does_not_say(text, "1", " 0.0 %");
}

/* ---- Maui */

static void maui_places_are_counted_over_all_classes(void **state)
{
	static const char text[] = MAUI("'CREDWEIGHT':2,'USERWEIGHT':3,'FSWEIGHT':0,'XFACTORWEIGHT':100")
		MJOB(1, "v", "k", "") MJOB(2, "u", "l", ",'account':'a'") MJOB(3, "v", "l", "") MJOB(4, "v", "l", ",'priority_set':7");

	(void)state;
	says(text, "1", "It is 3rd of 4 eligible jobs, counting all classes: 2 jobs are ahead of it: 1 of no account and 1 of a.");
	says(text, "1", "CRED/USER decides: 24 points on average in their favour (9 against 5).");
	says(text, "1", "Closest ahead: 2 of u (a), 24 points ahead; CRED/USER contributes 24.");
	says(text, "1", "Administrators set the PRIORITY of credentials.");
	says(text, "1", "The priority of 1 of them was set by an administrator.");
	says(text, "1", "CRED/USER 5 6 30.000000 PRIORITY of DEFAULT");
	says(text, "2", "CRED/USER 9 6 54.000000 PRIORITY of u");
	says(text, "1", "Each weight is the component's weight (CRED 2) times the term's weight (CRED/USER 3).");
	says(text, "3", "Closest ahead: 1 of v: the priorities are equal, and Maui does not define the order of equal jobs.");
	ahead_says(text, "3", "AHEAD of 3 3 jobs are ahead of it (order: priority, earlier priority, left open).");
	ahead_says(text, "3", "procs proc-hours");
	does_not_say(text, "3", "CPU");
	does_not_say(text, "3", "artition");
}

static void maui_without_credentials_has_no_priorities(void **state)
{
	static const char text[] = "{'type':'snapshot','format':1,'time':1600000777,'cluster':'c','scheduler':'maui'}\n"
		MJOB(1, "u", "k", "") MJOB(2, "u", "k", "");

	(void)state;
	says(text, "2", "The jobs ahead of it are not known: not all priorities in its queue are known.");
	says(text, "2", "PRIORITY, class k Unknown: the snapshot contains neither the priority nor its inputs.");
	does_not_say(text, "2", "nan");
}

/* A job gains points by waiting. Per hour, the queue time gives 60 points. The expansion factor gives its weight
 * divided by the job's time limit in hours. */
static void maui_pages_show_the_points_gained_by_waiting(void **state)
{
	static const char text[] = MAUI("'CREDWEIGHT':2,'USERWEIGHT':3,'FSWEIGHT':0,'XFACTORWEIGHT':100")
		MJOB(1, "u", "k", "") REC("job", "'id':2,'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000,"
					 "'time_limit_s':36000,'name':'2','user':'v','partitions':['k'],'cpus':2,'tasks':2,'position':2")
		REC("job", "'id':3,'state':'PENDING','submit_time':1600000700,'eligible_time':1600000700,"
			   "'time_limit_s':1800,'name':'3','user':'v','partitions':['k'],'cpus':2,'tasks':2,'position':3");

	(void)state;
	says(text, "2", "Waiting alone will not move it past the job ahead: it gains 70 points an hour, no more than that job.");
	says(text, "3", "By waiting, it gains 260 points an hour; 2 of the jobs ahead gain fewer: the gap to those jobs narrows.");
	says(MAUI("'SERVICEWEIGHT':0,'CREDWEIGHT':1,'USERWEIGHT':3") MJOB(1, "u", "k", "") MJOB(2, "v", "k", ""), "2",
	     "Waiting alone will not move it past the job ahead: no term of its sum grows with time now.");
	says(MAUI("'SERVICEWEIGHT':-2,'CREDWEIGHT':100,'USERWEIGHT':3") MJOB(1, "u", "k", "") MJOB(2, "v", "k", ""), "2",
	     "Waiting lowers its priority by 120 points an hour.");
	says(MAUI("'CREDWEIGHT':0,'FSWEIGHT':1,'FSUSERWEIGHT':10") MJOB(1, "v", "k", "") MJOB(2, "u", "k", ",'priority':5"), "2",
	     "The user u has 70 % of all usage and a target of 20: the percentage changes with usage, and as windows age");
	says(MAUI("'SERVICEWCAP':5,'CREDWEIGHT':1,'USERWEIGHT':3") MJOB(1, "u", "k", "") MJOB(2, "v", "k", ""), "2",
	     "Waiting alone will not move it past the job ahead: no term of its sum grows with time now.");
}

static void maui_pages_show_the_reason_and_what_clears_it(void **state)
{
	static const char text[] = MAUI("'REJECTNEGPRIOJOBS':true,'CREDWEIGHT':-1,'USERWEIGHT':100")
		MJOB(1, "u", "k", ",'reason':'UserHold'") MJOB(2, "u", "k", ",'reason':'Deferred'") MJOB(3, "u", "k", ",'reason':'Policy'")
		MJOB(4, "u", "k", "");
	static const char batch[] = MAUI("'CREDWEIGHT':0") MJOB(1, "u", "k", ",'reason':'BatchHold'");
	static const char listed[] = MAUI("'CREDWEIGHT':0") MJOB(3, "u", "k", ",'reason':'Policy'");
	static const char used_up[] = MAUI("'CREDWEIGHT':0")
		REC("credential", "'kind':'group','name':'g','position':0,'target':7200,'target_mode':'cap_abs'")
		REC("window", "'start':1599998400,'kind':'group','name':'g','usage_s':127777800.125")
		MJOB(1, "v", "k", ",'group':'g'");
	static const char caps[] = MAUI("'CREDWEIGHT':0")
		REC("credential", "'kind':'group','name':'g','position':0,'target':1000,'target_mode':'cap_abs'")
		REC("credential", "'kind':'group','name':'n','position':1,'target':-5,'target_mode':'target'")
		REC("window", "'start':1599998400,'kind':'group','name':'g','usage_s':700")
		MJOB(1, "v", "k", ",'group':'g'") MJOB(2, "v", "k", ",'group':'n'")
		REC("job", "'id':3,'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000,'time_limit_s':200,"
			   "'name':'3','user':'v','group':'g','cpus':2,'tasks':2,'position':3");

	(void)state;
	says(text, "1", "It is held by its owner. What clears it: the owner releases the job.");
	says(text, "2", "It is held by the scheduler: deferred: Maui could not start it, or its request cannot be met now. What clears it: DEFERTIME passes.");
	says(batch, "1", "It is held by an administrator (sethold -b), or by Maui because the job failed to start or can never run.");
	says(text, "3", "The job's priority is negative, and REJECTNEGPRIOJOBS blocks such jobs.");
	says(listed, "3", "A policy or limit blocks the job; the snapshot does not show which.");
	says(text, "4", "The job's priority is negative, and REJECTNEGPRIOJOBS blocks such jobs.");
	says(text, "4", "So it is not in the list of eligible jobs.");
	says(caps, "1", "It can never start: group g is capped at 1000 processor seconds: 700 used, this job would add 7200, "
			"7900 in total. It needs a shorter time limit, fewer processors or a higher cap.");
	says(caps, "2", "group n has a negative FSTARGET (-5): any usage exceeds it, so it blocks every job.");
	says(used_up, "1", "Past usage alone exceeds the cap: a smaller request does not help.");
	does_not_say(used_up, "1", "asks for less");
	says(caps, "3", "700 used, this job would add 400, 1100 in total. What clears it: usage decays");
	does_not_say(caps, "3", "never start");
}

/* ---- comparisons of credentials of Maui */

static void versus_says(const char *text, const char *a, const char *b, const char *want)
{
	struct explained e;
	struct page p;
	char *all;

	explained_open(&e, text, NULL);
	page_init_form(&p, PAGE_TEXT, 80, true);
	explain_add_credential_pair(&p, &e.view, fs_explain_find_credential(e.view.explain, a),
				    fs_explain_find_credential(e.view.explain, b));
	all = explained_text(&p);
	explained_says(all, want);
	free(all);
	page_free_text(&p);
	explained_close(&e);
}

static void pages_compare_two_credentials(void **state)
{
	static const char text[] = MAUI("'FSWEIGHT':2,'FSUSERWEIGHT':5") MJOB(1, "u", "k", "");

	(void)state;
	versus_says(text, "u", "v", "The user u against the user v All else being equal, a job of v is ahead of one of u by 500.000000 points.");
	versus_says(text, "u", "v", "This page compares only fair share.");
	versus_says(text, "u", "v", "2020-09-13 12:00:00 × 1 600.000 300.000 2020-09-13 00:00:00 × 0.5 100.000 0.000");
	versus_says(text, "u", "v", "usage 700.000 300.000 +400.000 % of all 70.000000 30.000000 +40.000000");
	versus_says(text, "u", "v", "target 20 30 factor -50.00000000 0.00000000 -50.00000000 weight 10 10");
	versus_says(text, "u", "v", "points, FS/USER -500.000000 0.000000 -500.000000");
	versus_says(text, "u", "v", "The target of v is that of DEFAULT.");
	versus_says(text, "u", "u", "They are the same.");
	versus_says(text, "u", "class:k", "The user u against the class k");
	versus_says(MAUI("'FSWEIGHT':2") MJOB(1, "u", "k", ""), "u", "v", "Their fair share has no weight: it does not affect the order of jobs.");
	versus_says(MAUI_BY("NONE", "'FSWEIGHT':2,'FSUSERWEIGHT':5") MJOB(1, "u", "k", ""), "u", "v",
		    "FSPOLICY is NONE: Maui reads no windows, and usage and targets have no effect.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flux_places_are_counted_per_queue),
		cmocka_unit_test(flux_pages_show_the_reason_and_what_clears_it),
		cmocka_unit_test(flux_pages_show_recorded_and_computed_priorities),
		cmocka_unit_test(flux_pages_show_unknown_inputs_as_unknown),
		cmocka_unit_test(maui_places_are_counted_over_all_classes),
		cmocka_unit_test(maui_without_credentials_has_no_priorities),
		cmocka_unit_test(maui_pages_show_the_points_gained_by_waiting),
		cmocka_unit_test(maui_pages_show_the_reason_and_what_clears_it),
		cmocka_unit_test(pages_compare_two_credentials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
