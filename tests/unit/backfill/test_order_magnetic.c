/* backfill/order: magnetic reservations, in which admitted jobs are tried first. now = 6000, nodes of 8 CPUs. */
#include "fsplan.h"

#define MAGNET(more) REC("reservation", "'name':'m','start_time':5000,'end_time':9000,'nodes':'n2','flags':['MAGNETIC']" more)
#define OF_A ",'account':'a','user':'u','group':'g'"
#define OF_B ",'account':'b','user':'v'"
#define WHOLE(id, prio, more) WAIT(id, prio, 8, 600, more)

static void admitted_jobs_are_tried_in_the_magnetic_reservation_first(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART MAGNET(",'accounts':['a']") WHOLE(1, 9, OF_B) WHOLE(2, 5, OF_B) WHOLE(3, 1, OF_A),
	      "1:6000/n1 2:6600/n1 3:6000/n2");
	check(PHEAD NODE2 PART MAGNET(",'users':['u','w']") WHOLE(1, 9, OF_B) WHOLE(3, 1, OF_A), "1:6000/n1 3:6000/n2");
	check(PHEAD NODE2 PART REC("reservation", "'name':'m','start_time':5000,'end_time':9000,'nodes':'n2','accounts':['a']")
		      WHOLE(1, 9, OF_B) WHOLE(3, 1, OF_A), "1:6000/n1 3:6600/n1");
}

#define PLAIN(name, nodes, more) \
	REC("reservation", "'name':'" name "','start_time':5000,'end_time':9000,'nodes':'" nodes "','accounts':['a']" more)

static void only_magnetic_reservations_that_admit_the_job_are_tried(void **state)
{
	static const char two[] = WHOLE(1, 9, OF_B) WHOLE(3, 1, OF_A);
	static const struct {
		const char *reservations, *want;
	} cases[] = {
		{ PLAIN("m", "n2", ",'flags':['MAGNETIC']"), "1:6000/n1 3:6000/n2" },
		{ PLAIN("m", "n2", ""), "1:6000/n1 3:6600/n1" },
		{ PLAIN("m", "n2", ",'flags':['MAGNETIC','TIME_FLOAT']"), "1:6000/n1 3:6600/n1" },
		{ MAGNET(",'accounts':['-a']"), "1:6000/n2 3:6000/n1" },
		{ MAGNET(",'accounts':['-b']"), "1:6000/n1 3:6000/n2" },
		{ MAGNET(",'accounts':['a'],'users':['-u']"), "1:6000/n1 3:6600/n1" },
		{ MAGNET(",'accounts':['a'],'users':['-v']"), "1:6000/n1 3:6000/n2" },
		{ MAGNET(",'accounts':['a'],'users':['v']"), "1:6000/n1 3:6600/n1" },
		{ MAGNET(""), "1:6000/n1 3:6600/n1" },
		{ MAGNET(",'groups':['g','h']"), "1:6000/n1 3:6000/n2" },
		{ MAGNET(",'groups':['h']"), "1:6000/n1 3:6600/n1" },
		{ MAGNET(",'groups':['g'],'accounts':['b']"), "1:6000/n1 3:6600/n1" },
	};
	char text[3000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "%s%s%s", PHEAD NODE2 PART, cases[i].reservations, two);
		check(text, cases[i].want);
	}
}

static void jobs_with_a_reservation_and_het_jobs_are_not_attracted(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART MAGNET(",'accounts':['a']") PLAIN("r", "n1", "") WHOLE(1, 9, OF_A ",'reservation':'r'")
		      WHOLE(2, 8, OF_A ",'reservation':'r'"), "1:6000/n1 2:6600/n1");
	check(PHEAD NODE2 PART MAGNET(",'accounts':['a']") WHOLE(1, 9, OF_B) WHOLE(2, 8, OF_A ",'het_job_id':2"),
	      "1:6000/n1 2:6600/n1");
}

#define ENFORCED REC("config", "'AccountingStorageEnforce':['associations','limits']")
#define TREE                                                                                     \
	REC("association", "'id':1,'account':'root','shares':1")                                 \
	REC("association", "'id':2,'account':'top','parent':'root','shares':1")                  \
	REC("association", "'id':3,'account':'a','parent':'top','shares':1")                     \
	REC("association", "'id':4,'account':'a','user':'u','shares':1")                         \
	REC("association", "'id':5,'account':'b','parent':'root','shares':1")                    \
	REC("association", "'id':6,'account':'b','user':'v','shares':1")

static void an_account_admits_its_subaccounts_if_associations_are_enforced(void **state)
{
	(void)state;
	check(PHEAD ENFORCED TREE NODE2 PART MAGNET(",'accounts':['top']") WHOLE(1, 9, OF_B) WHOLE(3, 1, OF_A),
	      "1:6000/n1 3:6000/n2");
	check(PHEAD TREE NODE2 PART MAGNET(",'accounts':['top']") WHOLE(1, 9, OF_B) WHOLE(3, 1, OF_A),
	      "1:6000/n1 3:6600/n1");
	check(PHEAD ENFORCED TREE NODE2 PART MAGNET(",'accounts':['top'],'users':['u']") WHOLE(1, 9, OF_B)
		      WHOLE(3, 1, OF_A), "1:6000/n1 3:6600/n1");
}

#define FULL RUN(8, "n1", 8, 9500) RUN(9, "n2", 8, 6500)

static void later_starts_in_a_magnetic_reservation_reserve_no_nodes(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART MAGNET(",'accounts':['a']") FULL WHOLE(1, 9, OF_A) WHOLE(2, 8, OF_A),
	      "1:6500/n2 2:6500/n2");
	check(PHEAD CONFIG("bf_allow_magnetic_slot") NODE2 PART MAGNET(",'accounts':['a']") FULL WHOLE(1, 9, OF_A)
		      WHOLE(2, 8, OF_A), "1:6500/n2 2:7140/n2");
}

static void tries_in_a_magnetic_reservation_do_not_count_as_tests(void **state)
{
	static const char jobs[] = WHOLE(1, 9, OF_A) WHOLE(2, 8, OF_B);
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s%s", PHEAD CONFIG("bf_max_job_part=1") NODE2 PART,
		 MAGNET(",'accounts':['a']"), jobs);
	check(text, "1:6000/n2 2:6000/n1");
	snprintf(text, sizeof(text), "%s%s%s", PHEAD CONFIG("bf_max_job_part=1,bf_allow_magnetic_slot") NODE2 PART,
		 MAGNET(",'accounts':['a']"), jobs);
	check(text, "1:6000/n2 2:not reached");
}

static void the_magnetic_reservation_that_begins_first_is_tried_first(void **state)
{
	(void)state;
	check(PHEAD NODE2 PART MAGNET(",'accounts':['a']")
		      REC("reservation", "'name':'s','start_time':4000,'end_time':9000,'nodes':'n1','flags':['MAGNETIC'],'accounts':['a']")
			      WHOLE(1, 9, OF_A) WHOLE(2, 8, OF_A), "1:6000/n1 2:6000/n2");
}

/* Jobs of QOS a may preempt jobs of QOS b, jobs of b may preempt jobs of c, and jobs of c may preempt jobs of a. Job 3
 * is first only because job 1, which a limit blocks, is sorted together with the other jobs. */
static void a_job_at_a_limit_is_sorted_with_the_others(void **state)
{
	static const char circle[] = REC("config", "'PreemptType':'preempt/qos','AccountingStorageEnforce':['associations','limits']")
		REC("qos", "'name':'a','preempt':['b'],'preempt_mode':'off'") REC("qos", "'name':'b','preempt':['c'],'preempt_mode':'off'")
		REC("qos", "'name':'c','preempt':['a'],'preempt_mode':'off'")
		REC("association", "'id':1,'account':'root'") REC("association", "'id':2,'account':'x','parent':'root'")
		REC("association", "'id':3,'account':'x','user':'u','max_jobs':0") NODE2 PART
		WHOLE(1, 1, ",'qos':['c'],'user':'u','account':'x','association':3")
		WHOLE(2, 5, ",'qos':['a']") WHOLE(3, 5, ",'qos':['b']") WHOLE(4, 5, ",'qos':['c']");
	char text[3000];

	(void)state;
	snprintf(text, sizeof(text), "%s%s", PHEAD, circle);
	check(text, "3:6000/n1 4:6000/n2 2:6600/n1 1:never");
	snprintf(text, sizeof(text), "%s%s%s", PHEAD, circle, MAGNET(",'accounts':['none']"));
	check(text, "3:6000/n1 4:6600/n1 2:7200/n1 1:never");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(admitted_jobs_are_tried_in_the_magnetic_reservation_first),
		cmocka_unit_test(only_magnetic_reservations_that_admit_the_job_are_tried),
		cmocka_unit_test(jobs_with_a_reservation_and_het_jobs_are_not_attracted),
		cmocka_unit_test(an_account_admits_its_subaccounts_if_associations_are_enforced),
		cmocka_unit_test(later_starts_in_a_magnetic_reservation_reserve_no_nodes),
		cmocka_unit_test(tries_in_a_magnetic_reservation_do_not_count_as_tests),
		cmocka_unit_test(the_magnetic_reservation_that_begins_first_is_tried_first),
		cmocka_unit_test(a_job_at_a_limit_is_sorted_with_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
