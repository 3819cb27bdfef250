/* Three QOS that preempt each other in a circle: the result shows which records the scheduler sorts, and their initial
 * order. */
#include "fstest.h"

#define HEAD "{'type':'snapshot','format':1,'time':5000,'cluster':'c','scheduler':'slurm 26.05.0'}\n" \
	REC("config", "'PreemptType':'preempt/qos','AccountingStorageEnforce':['associations','limits']") \
	REC("qos", "'name':'a','preempt':['b']") REC("qos", "'name':'b','preempt':['c']") REC("qos", "'name':'c','preempt':['a']") \
	REC("partition", "'name':'p','state':'UP'") REC("association", "'id':1,'account':'root'") \
	REC("association", "'id':2,'account':'x','parent':'root'") \
	REC("association", "'id':3,'account':'x','user':'u','max_jobs':0")
#define J(id, qos, priority, more) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100,'partitions':['p'],'qos':['" qos "'],'priority':" #priority more)
#define ABC(of_1, of_3) J(1, "a", 5, of_1) J(2, "b", 5, "") J(3, "c", 5, of_3)
#define LIMITED ",'user':'u','account':'x','association':3"

static void check(const char *text, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_queue *q = fst_queue(m);
	char got[200] = "";
	size_t len = 0;

	for (size_t i = 0; i < fs_queue_count(q); i++) {
		struct fs_queue_row r;

		fs_queue_row(q, i, &r);
		len += (size_t)snprintf(got + len, sizeof(got) - len, r.eligible ? "%s%llu" : "%s(%llu)", i ? " " : "",
					(unsigned long long)r.job);
	}
	assert_string_equal(got, want);
	fs_queue_free(q);
	fs_snapshot_free(m);
}

static void jobs_at_a_limit_are_sorted_with_the_others(void **state)
{
	(void)state;
	check(HEAD ABC("", ""), "1 2 3");
	check(HEAD ABC("", "") J(4, "c", 1, LIMITED), "3 1 2 (4)");
	check(HEAD ABC("", "") J(4, "c", 1, LIMITED ",'reason':'Dependency'"), "1 2 3 (4)");
	check(HEAD ABC("", "") J(4, "c", 0, LIMITED), "1 2 3 (4)");
}

static void a_job_with_prefer_has_two_queue_records(void **state)
{
	(void)state;
	check(HEAD ABC(",'prefer':'f'", ""), "1 2 3");
	check(HEAD ABC("", ",'prefer':'f'"), "3 1 2");
}

/* Task 5 has the position in the job list at which its array was submitted. The rest of the array moves to the end of
 * the list. */
static void the_rest_of_an_array_goes_to_the_end(void **state)
{
	(void)state;
	check(HEAD J(1, "b", 5, ",'array_job_id':1,'array_tasks':'3-5'") J(2, "b", 1, "") J(3, "c", 9, "") J(4, "a", 1, "")
	      J(5, "b", 9, ",'array_job_id':1,'array_task_id':1"), "5 2 3 4 1");
	check(HEAD J(1, "b", 5, "") J(2, "b", 1, "") J(3, "c", 9, "") J(4, "a", 1, "") J(5, "b", 9, ""), "1 2 3 4 5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_at_a_limit_are_sorted_with_the_others),
		cmocka_unit_test(a_job_with_prefer_has_two_queue_records),
		cmocka_unit_test(the_rest_of_an_array_goes_to_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
