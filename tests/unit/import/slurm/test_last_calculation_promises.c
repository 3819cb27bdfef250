/* import/slurm/last_calculation.c: the time of the last priority calculation, from the run minutes of running jobs. */
#include "fsprio.h"

#include "import/slurm/slurm.h"

#define CLOCK_AT 1700000100
#define HEAD(version) \
	"{'type':'snapshot','format':1,'time':1700000100,'cluster':'c','scheduler':'slurm " version "'}\n"
#define ROOT REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0")
/* A user whose running jobs may still use `minutes` MB minutes of memory (run minutes). */
#define USER(id, user, minutes) \
	REC("association", "'id':" #id ",'account':'root','user':'" user "','shares':1,'usage_tres_s':0," \
	    "'run_by_tres_min':{'cpu':0,'mem':" #minutes "}")
/* A job that has 6000 MB of memory and a time limit of one hour. */
#define RUNS(id, association, start, state) \
	REC("job", "'id':" #id ",'state':'" state "','qos':['q'],'time_limit_s':3600,'start_time':" #start \
	    ",'association':" #association ",'tres_alloc':{'mem':6000}")
#define Q(factor) REC("qos", "'name':'q','usage_factor':" factor)

struct expected {
	const char *text;
	int64_t from, to; /* expected range of the time, in seconds; 0: unknown */
};

static void run_minutes_give_the_time_of_the_last_calculation(void **state)
{
	static const struct expected rows[] = {
		/* the job has 3560 s left: 3560 s * 6000 MB / 60 = 356000 MB minutes */
		{ HEAD("24.11.7") TRES ROOT Q("1") USER(2, "u", 356000) RUNS(9, 2, 1700000000, "RUNNING"), 1700000040, 1700000040 },
		{ HEAD("24.11.7") TRES ROOT Q("2") USER(2, "u", 712000) RUNS(9, 2, 1700000000, "RUNNING"), 1700000040, 1700000040 },
		/* the two jobs have 3560 s and 3540 s left */
		{ HEAD("24.11.7") TRES ROOT Q("1") USER(2, "u", 710000) RUNS(8, 2, 1699999980, "RUNNING")
		  RUNS(9, 2, 1700000000, "RUNNING"), 1700000040, 1700000040 },
		/* a job that started after the calculation has its whole hour left, so the time of the calculation is
		 * unknown */
		{ HEAD("24.11.7") TRES ROOT Q("1") USER(2, "u", 360000) RUNS(9, 2, 1700000000, "RUNNING"), 0, 0 },
		/* with a UsageFactor of 0.5, Slurm drops fractions of run minutes; the run minutes of a suspended job
		 * do not change; in both cases, the time of the calculation is unknown */
		{ HEAD("24.11.7") TRES ROOT Q("0.5") USER(2, "u", 178000) RUNS(9, 2, 1700000000, "RUNNING"), 0, 0 },
		{ HEAD("24.11.7") TRES ROOT Q("1") USER(2, "u", 356000) RUNS(9, 2, 1700000000, "SUSPENDED"), 0, 0 },
		/* a running job without a known association may belong to any association */
		{ HEAD("24.11.7") TRES ROOT Q("1") USER(2, "u", 356000) RUNS(8, 0, 1700000000, "RUNNING")
		  RUNS(9, 2, 1700000000, "RUNNING"), 0, 0 },
		/* the job started before the controller did, and this version of Slurm does not subtract the run time
		 * before the controller's start */
		{ HEAD("23.02.8") TRES ROOT CONFIG("'BOOT_TIME':1700000010") Q("1") USER(2, "u", 356000)
		  RUNS(9, 2, 1700000000, "RUNNING"), 0, 0 },
		{ HEAD("23.02.8") TRES ROOT CONFIG("'BOOT_TIME':1699999990") Q("1") USER(2, "u", 356000)
		  RUNS(9, 2, 1700000000, "RUNNING"), 1700000040, 1700000040 },
		{ HEAD("23.11.6") TRES ROOT CONFIG("'BOOT_TIME':1700000010") Q("1") USER(2, "u", 356000)
		  RUNS(9, 2, 1700000000, "RUNNING"), 1700000040, 1700000040 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(rows[i].text);
		struct fsi_calculation_time x = { 0 };

		assert_int_equal(m->head.time, CLOCK_AT);
		assert_int_equal(fsi_calculation_time_add_run_minutes(&x, m), 0);
		assert_int_equal(x.spans.n, rows[i].from != 0);
		if (x.spans.n) {
			assert_int_equal(x.spans.v[0].from, rows[i].from);
			assert_int_equal(x.spans.v[0].to, rows[i].to);
		}
		fsi_calculation_time_release(&x);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_minutes_give_the_time_of_the_last_calculation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
