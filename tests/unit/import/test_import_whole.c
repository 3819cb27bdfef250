/* import/whole: files that are not what they should be, and jobs made of the free text of others. */
#include "fsimport.h"

#define JOB(id, name) \
	"JobId=" #id " JobName=" name " UserId=a(1) GroupId=a(1) Priority=5 JobState=PENDING Reason=Priority NumNodes=1\n"
#define SQUEUE(rows) "JOBID               ASSOC_ID    STATE       \n" rows
#define LISTED(id) #id "                   3           PENDING     \n"

static bool warned(const fs_snapshot *m, const char *part)
{
	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		if (strstr(fs_snapshot_warning(m, i), part))
			return true;
	return false;
}

static void an_error_is_not_no_jobs(void **state)
{
	static const struct {
		const char *file, *text, *type, *told;
	} all[] = {
		{ "scontrol_job_o.txt", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
		  "job", "dir/scontrol_job_o.txt:1: no record, and there is none: \"slurm_load_jobs error" },
		{ "scontrol_job_o.txt", "", "job", "scontrol_job_o.txt: it is empty" },
		{ "scontrol_job_o.txt", "\n\n", "job", "scontrol_job_o.txt: it is empty" },
		{ "scontrol_job_o.txt", JOB(1, "x") "slurm_receive_msg: Zero Bytes were transmitted\n", "job",
		  "scontrol_job_o.txt:2: no record: \"slurm_receive_msg" },
		{ "scontrol_job_o.txt", "No jobs in the system\n", NULL, NULL },
		{ "scontrol_job_o.txt", JOB(1, "x") "\n", NULL, NULL },
		{ "scontrol_node_o.txt", "slurm_load_node error: Zero Bytes\n", "node", "scontrol_node_o.txt:1: no record" },
		{ "scontrol_node_o.txt", "NodeName=a CPUTot=4 State=IDLE\n", NULL, NULL },
		{ "scontrol_partition_o.txt", "", "partition", "scontrol_partition_o.txt: it is empty" },
		{ "scontrol_partition_o.txt", "PartitionName=p State=UP\n", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { FST_CLOCK, { all[i].file, all[i].text } };
		fs_snapshot *m = FST_IMPORT(files);
		const char *type = *all[i].file == 's' && strstr(all[i].file, "job") ? "job"
				   : strstr(all[i].file, "node")			? "node"
											: "partition";

		assert_int_equal(fs_snapshot_hidden(m, type), all[i].type != NULL);
		if (all[i].told)
			assert_true(warned(m, all[i].told));
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

/* As slurmctld 22.05 showed a job called "x", newline, "JobId=999 ...". */
static void a_name_makes_no_job(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  JOB(7, "fine") "JobId=8 JobName=x\n"
				 "JobId=999 JobName=forged UserId=root(0) GroupId=root(0) Priority=1 JobState=PENDING "
				 "Reason=None NumNodes=1 UserId=a(1) Priority=0 JobState=PENDING Reason=JobHeldUser\n" },
		{ "squeue_O.txt", SQUEUE(LISTED(7) LISTED(8)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 0, "id", "7");
	assert_member(m, "job", 1, "id", "8");
	assert_true(warned(m, "1 job left out, the first 999: scontrol shows them, squeue does not"));
	fs_snapshot_free(m);
}

/* squeue shows pending tasks in the row of their array, if the name is the same: 22.05, an array of which two tasks
 * were held and released. */
static void tasks_stand_in_the_row_of_their_array(void **state)
{
#define TASK(id, task, name)                                                                                           \
	"JobId=" #id " ArrayJobId=7 ArrayTaskId=" task " JobName=" name                                                \
	" UserId=a(1) GroupId=a(1) Priority=5 JobState=PENDING Reason=Priority NumNodes=1\n"
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt",
		  TASK(7, "1,4-9", "arr") TASK(8, "2", "arr") TASK(9, "3", "arr") TASK(10, "5", "other") },
		{ "squeue_O.txt", SQUEUE(LISTED(7)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 3);
	assert_member(m, "job", 2, "id", "9");
	assert_true(warned(m, "1 job left out, the first 10: scontrol shows them, squeue does not"));
	fs_snapshot_free(m);
}

/* It cannot be told which of two is the real one. */
static void nor_does_it_replace_one(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", JOB(6, "x") JOB(7, "real") JOB(7, "forged") JOB(9, "y") },
		{ "squeue_O.txt", SQUEUE(LISTED(6) LISTED(7) LISTED(9)) },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 1, "id", "9");
	assert_member(m, "job", 1, "association", "3");
	assert_true(warned(m, "2 jobs left out, the first 7: scontrol shows several of one id"));
	fs_snapshot_free(m);
}

/* Without squeue's list, or with an error in its place, no job is doubted. */
static void a_list_that_is_none_lists_nothing(void **state)
{
	static const char *const lists[] = { "", "slurm_load_jobs error: Unable to contact\n" };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(lists); i++) {
		const struct fst_file files[] = { FST_CLOCK, { "scontrol_job_o.txt", JOB(7, "x") },
						  { "squeue_O.txt", lists[i] } };
		fs_snapshot *m = FST_IMPORT(files);

		assert_int_equal(fs_snapshot_info(m)->jobs, 1);
		fs_snapshot_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_is_not_no_jobs),
		cmocka_unit_test(a_name_makes_no_job),
		cmocka_unit_test(tasks_stand_in_the_row_of_their_array),
		cmocka_unit_test(nor_does_it_replace_one),
		cmocka_unit_test(a_list_that_is_none_lists_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
