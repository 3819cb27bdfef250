/* import/text/page: the command is identified by the first line of its output. */
#include "fspaste.h"

static enum fsi_text_kind table(const char *line)
{
	return fsi_text_kind_of_heading(fsi_string_to_span(line));
}

static enum fsi_text_kind record(const char *line)
{
	return fsi_text_kind_of_record(fsi_string_to_span(line));
}

static void headings_identify_their_command(void **state)
{
	(void)state;
	assert_int_equal(table("  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)"), TEXT_SQUEUE);
	assert_int_equal(table("  JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE"), TEXT_SPRIO);
	assert_int_equal(table("Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare|"), TEXT_SSHARE);
	assert_int_equal(table("PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST"), TEXT_SINFO);
	assert_int_equal(table("       JOBID USER     NAME       ST NTASKS NNODES     TIME INFO"), TEXT_FLUX_JOBS);
	assert_int_equal(table("bank_id | bank | parent_bank | shares | job_usage"), TEXT_FLUX_ROWS);
	assert_int_equal(table("JOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME"),
			 TEXT_SHOWQ);
}

/* Lines that are no headings: prose, a heading without its mandatory column, and a heading without | between
 * columns. */
static void other_lines_are_no_headings(void **state)
{
	(void)state;
	assert_int_equal(table("my JOBID is 12 and its STATE is R"), TEXT_KINDS);
	assert_int_equal(table("NTASKS NNODES TIME"), TEXT_KINDS);
	assert_int_equal(table("bank_id bank parent_bank"), TEXT_KINDS);
	assert_int_equal(table(""), TEXT_KINDS);
}

static void first_lines_of_records_identify_their_command(void **state)
{
	(void)state;
	assert_int_equal(record("JobId=12 JobName=a"), TEXT_JOB);
	assert_int_equal(record("   NodeName=n1 Arch=x86_64"), TEXT_NODE);
	assert_int_equal(record("Configuration data as of 2026-11-20T21:06:49"), TEXT_CONFIG);
	assert_int_equal(record("QOS=normal(1)"), TEXT_ASSOC_MGR);
	/* a line such as "QOS=normal", without an id, may be in the record of a job, so it does not begin an output */
	assert_int_equal(record("QOS=normal"), TEXT_KINDS);
	assert_int_equal(record("{\"jobs\": [{\"id\": 1"), TEXT_FLUX_JSON);
	assert_int_equal(record("[dana@login1 ~]$ squeue"), TEXT_KINDS);
	assert_int_equal(record("job 12 requires 4 procs for 1:30:00"), TEXT_SHOWSTART);
	assert_int_equal(record("checking job 12"), TEXT_CHECKJOB);
}

static void kinds_have_names_schedulers_and_columns(void **state)
{
	(void)state;
	assert_string_equal(fsi_text_kind_name(TEXT_SHOWQ_IDLE), "showq -i");
	assert_string_equal(fsi_text_kind_name(TEXT_JOB), "scontrol show job");
	assert_string_equal(fsi_text_kind_name(TEXT_KINDS), "?");
	assert_int_equal(fsi_text_kind_scheduler(TEXT_TRES), TEXT_SLURM);
	assert_int_equal(fsi_text_kind_scheduler(TEXT_FLUX_JOBS), TEXT_FLUX);
	assert_int_equal(fsi_text_kind_scheduler(TEXT_SHOWRES_NODES), TEXT_MAUI);
	assert_true(fsi_text_is_column(TEXT_SQUEUE, fsi_string_to_span("NODELIST(REASON)")));
	assert_false(fsi_text_is_column(TEXT_SQUEUE, fsi_string_to_span("NODELIST(")));
	assert_false(fsi_text_is_column(TEXT_SPRIO, fsi_string_to_span("NODES")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headings_identify_their_command),
		cmocka_unit_test(other_lines_are_no_headings),
		cmocka_unit_test(first_lines_of_records_identify_their_command),
		cmocka_unit_test(kinds_have_names_schedulers_and_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
