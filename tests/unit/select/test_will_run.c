/* select/will_run: the time at which the ends of running jobs allow a start. This time depends on the version of Slurm.
 * The snapshot's time is 6000. */
#include "fsplan.h"

#define BUSY RUN(1, "n1", 8, 7000) RUN(2, "n2", 8, 7020)

/* Both running jobs end within one window and are removed in one step. The new job gets n1, the node of the job that
 * ends first. */
static void since_25_05_1_the_chosen_nodes_jobs_set_the_start(void **state)
{
	(void)state;
	check(HEAD_OF("25.05.0") NODE2 PART BUSY WAIT(11, 9, 8, 60, ",'max_nodes':1"), "11:7020/n1");
	check(HEAD_OF("25.05.1") NODE2 PART BUSY WAIT(11, 9, 8, 60, ",'max_nodes':1"), "11:7000/n1");
	/* a job that gets both nodes starts at the later end of the two running jobs */
	check(HEAD_OF("25.05.1") NODE2 PART BUSY WAIT(11, 9, 16, 60, ",'max_nodes':2,'tres_req':{'cpu':16,'node':2}"),
	      "11:7020/n1,n2");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(since_25_05_1_the_chosen_nodes_jobs_set_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
