/* import/slurm/sprio.c: reading the rows of sprio, and inferring the time of the last priority calculation from
 * them. */
#include "fsimport.h"

#define JOB(id, accrue) "JobId=" #id \
	" JobName=x UserId=a(1) Priority=50 JobState=PENDING AccrueTime=2023-11-14T" accrue \
	" NumNodes=1\n"
/* A row of sprio for a job. Parameters: job id, priority, site points, age points, "normalised" priority, and the age
 * factor, which is the age divided by 7 days. */
#define SPRIO(id, priority, site, points, y, age) \
#id "|normal|ann|" priority "|" site "|" points "|0|44444|59|2000|0|0||" y "|" age \
	    "|0.0|0.4|0.1|1.0|0.0|\n"

static fs_snapshot *sprio(const char *jobs, const char *lines)
{
	const struct fst_file files[] = { FST_CLOCK,
					  { "scontrol_job_o.txt", jobs },
					  { "sprio.txt", lines } };

	return FST_IMPORT(files);
}

/* The maximum age is 604800 s: the factor .0049603 is an age of 3000 s, and .0009921 is an age of 600 s. The capture is
 * at 23:13:20 local time. */
static void ages_give_the_time_of_the_last_calculation(void **state)
{
	fs_snapshot *m = sprio(JOB(1, "22:23:15") JOB(2, "23:03:15"),
			       SPRIO(1, "50", "0", "5", "0.1", "0.0049603")
			SPRIO(2, "50", "0", "1", "0.1", "0.0009921"));

	(void)state;
	assert_true(fs_snapshot_info(m)->priority_time_known);
	assert_int_equal(fs_snapshot_info(m)->priority_time, 1699999995);
	assert_null(fst_warning(m, 0));
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void disagreeing_ages_are_outvoted(void **state)
{
	/* two accrue times of job 3, tried in turn: with the first, the priority calculation would seem to be earlier;
	 * with the second, it would seem to be later */
	static const char *const odd[] = { "22:00:00", "23:12:20" };
	char jobs[1000];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		snprintf(jobs, sizeof(jobs), "%s" JOB(3, "%s"),
			 JOB(1, "22:23:15") JOB(2, "23:03:15"), odd[i]);
		fs_snapshot *m =
			sprio(jobs, SPRIO(1, "50", "0", "5", "0.1", "0.0049603")
				SPRIO(2, "50", "0", "1", "0.1", "0.0009921")
				SPRIO(3, "50", "0", "1", "0.1", "0.0001653"));
		assert_int_equal(fs_snapshot_info(m)->priority_time, 1699999995);
		assert_null(fst_warning(m, 1));
		assert_non_null(strstr(fst_warning(m, 0), "1 of 3"));
		fs_snapshot_free(m);
	}
}

/* If sprio shows the age 0 although the last priority calculation was after the job's accrue_time, the job did not
 * accrue age at that time. */
static void jobs_that_did_not_age_are_marked(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt", FST_CONFIG "PriorityWeightAge = 1000\n" },
		{ "scontrol_job_o.txt", JOB(1, "22:23:15") JOB(2, "23:13:00") JOB(3, "23:13:18") },
		{ "sprio.txt", SPRIO(1, "50", "0", "5", "0.1", "0.0049603")
			SPRIO(2, "50", "0", "0", "0.1", "0.0000000")
			SPRIO(3, "50", "0", "0", "0.1", "0.0000000") },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->priority_time, 1699999995);
	assert_member(m, "job", 0, "accruing", "");
	assert_member(m, "job", 1, "accruing", "false");
	assert_member(m, "job", 2, "accruing", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* An age factor of 1 does not show when the priorities were calculated. An age factor of 0 shows that they were
 * calculated no later than the job's accrue time. */
static void full_ages_are_ignored_and_zero_ages_bound_the_time(void **state)
{
	fs_snapshot *m = sprio(JOB(1, "01:00:00"), SPRIO(1, "50", "0", "5", "0.1", "1.0000000"));

	(void)state;
	assert_false(fs_snapshot_info(m)->priority_time_known);
	fs_snapshot_free(m);
	m = sprio(JOB(1, "23:13:10") JOB(2, "23:13:05"),
		  SPRIO(1, "50", "0", "0", "0.1", "0.0000000")
		SPRIO(2, "50", "0", "0", "0.1", "0.0000000"));
	assert_int_equal(fs_snapshot_info(m)->priority_time, 1699999985);
	assert_null(fst_warning(m, 0));
	fs_snapshot_free(m);
	m = sprio("JobId=1 JobName=x UserId=a(1) JobState=PENDING AccrueTime=Unknown NumNodes=1\n",
		  SPRIO(1, "50", "0", "0", "0.1", "0.0000000"));
	assert_false(fs_snapshot_info(m)->priority_time_known);
	fs_snapshot_free(m);
}

/* A calculation happens at a whole second. With a maximum age of 604800 s, factors with seven digits are 0.06 s apart.
 * A factor that belongs to no whole second was computed with another maximum age than the configured one. */
static void ages_of_no_whole_second_are_ignored(void **state)
{
	static const struct {
		const char *age;
		int64_t time; /* time of the priority calculation; 0: unknown */
	} all[] = { { "0.0049603", 1699999995 }, { "0.0049607", 0 }, { "0.0049608", 0 },
		    { "0.0049611", 0 },		 { "0.0049620", 1699999996 } };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char line[300];

		snprintf(line, sizeof(line), SPRIO(1, "50", "0", "5", "0.1", "%s"), all[i].age);
		fs_snapshot *m = sprio(JOB(1, "22:23:15"), line);

		assert_int_equal(fs_snapshot_info(m)->priority_time_known, all[i].time != 0);
		if (all[i].time)
			assert_int_equal(fs_snapshot_info(m)->priority_time, all[i].time);
		fs_snapshot_free(m);
	}
}

/* With a maximum age of 365 days, a printed age changes only every 3 s. The ages of several jobs together determine the
 * exact second of the priority calculation. */
static void more_jobs_narrow_the_time_from_coarse_ages(void **state)
{
	static const char config[] = "Configuration data as of 2023-11-14T23:13:20\n"
				     "PriorityMaxAge = 365-00:00:00\nPriorityWeightAge = 10\n";
	char one[300], both[600];

	(void)state;
	/* sprio prints the age factor .0000951 for 2999 s and for 3000 s, and .0000952 for 3001 s */
	snprintf(one, sizeof(one), SPRIO(1, "50", "0", "5", "0.1", "0.0000951"));
	snprintf(both, sizeof(both), "%s" SPRIO(2, "50", "0", "5", "0.1", "0.0000952"), one);
	const struct fst_file coarse[] = { { "date_begin", "1700000000\n" },
					   { "scontrol_config.txt", config },
					   { "scontrol_job_o.txt", JOB(1, "22:23:15") JOB(2, "22:23:14") },
					   { "sprio.txt", one } };
	const struct fst_file finer[] = { { "date_begin", "1700000000\n" },
					  { "scontrol_config.txt", config },
					  { "scontrol_job_o.txt", JOB(1, "22:23:15") JOB(2, "22:23:14") },
					  { "sprio.txt", both } };
	fs_snapshot *m = FST_IMPORT(coarse);

	assert_string_equal(fs_snapshot_info(m)->priority_time_from, "ages");
	assert_int_equal(fs_snapshot_info(m)->priority_time_error_s, 1);
	fst_same_again(m);
	fs_snapshot_free(m);
	m = FST_IMPORT(finer);
	assert_int_equal(fs_snapshot_info(m)->priority_time_error_s, 0);
	assert_int_equal(fs_snapshot_info(m)->priority_time, 1699999995);
	fs_snapshot_free(m);
}

#define CONTROLLER(weight, boot) \
	"Configuration data as of 2023-11-14T23:13:20\nBOOT_TIME = 2023-11-14T" boot "\n"               \
	"PriorityCalcPeriod = 00:05:00\nPriorityMaxAge = 7-00:00:00\n" \
	"PriorityWeightAge = " weight "\n"

/* With PriorityWeightAge=0, sprio prints every age as zero, so ages do not show the time of the last calculation. The
 * import then assumes that the last calculation was a whole number of calculation periods after the controller's
 * start. */
static void without_ages_runs_are_counted_from_the_controller_start(void **state)
{
	static const struct {
		const char *config, *age;
		int64_t time;
		const char *from;
	} all[] = {
		{ CONTROLLER("0", "23:02:00"), "0.0000000", 1699999920, "start" },
		{ CONTROLLER("0", "23:13:20"), "0.0000000", 1700000000, "start" },
		{ CONTROLLER("1000", "23:02:00"), "0.0000000", 1699999920, "start" },
		{ CONTROLLER("1000", "23:02:00"), "0.0049603", 1699999995, "ages" },
		/* the time of the priority calculation is never before the controller's start and never after the
		 * capture */
		{ CONTROLLER("1000", "23:13:17"), "0.0049603", 1699999997, "start" },
		{ CONTROLLER("1000", "23:02:00"), "0.0060000", 1699999920, "start" },
		/* a controller start (BOOT_TIME) after the capture is ignored */
		{ CONTROLLER("0", "23:14:00"), "0.0000000", 1699996995, "no ages" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char line[300];

		snprintf(line, sizeof(line), SPRIO(1, "50", "0", "0", "0.1", "%s"), all[i].age);
		const struct fst_file files[] = { { "date_begin", "1700000000\n" },
						  { "scontrol_config.txt", all[i].config },
						  { "scontrol_job_o.txt", JOB(1, "22:23:15") },
						  { "sprio.txt", line } };
		fs_snapshot *m = FST_IMPORT(files);

		assert_int_equal(fs_snapshot_info(m)->priority_time, all[i].time);
		assert_string_equal(fs_snapshot_info(m)->priority_time_from, all[i].from);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void site_factors_come_from_sprio(void **state)
{
	fs_snapshot *m = sprio(JOB(1, "22:23:15") JOB(2, "22:23:15"),
			       SPRIO(1, "50", "-17", "5", "0.1", "0.0049603")
			SPRIO(9, "50", "3", "5", "0.1", "0.0049603"));

	(void)state;
	assert_member(m, "job", 0, "site_factor", "-17");
	assert_member(m, "job", 0, "priority_set", "");
	assert_member(m, "job", 1, "site_factor", ""); /* sprio did not list the job, so the value is unknown */
	assert_int_equal(m->recorded.n, 2);
	assert_member(m, "recorded", 0, "site", "-17");
	assert_member(m, "recorded", 0, "norm_age", "0.0049603");
	assert_member(m, "recorded", 0, "fairshare", "44444");
	assert_member(m, "recorded", 0, "partition", "'normal'");
	assert_member(m, "recorded", 1, "job", "9");
	fs_snapshot_free(m);
}

/* Newer versions print account and QOS name as well. */
static void sprio_has_21_or_23_fields(void **state)
{
	fs_snapshot *m =
		sprio(JOB(1, "22:23:15"), "1|p|ann|phys|77|3|5|0|44444|59|2000|high|7|-9|cpu=8,"
					  "mem=2|0.1|0.0049603|0.0|0.4|0.1|1.0|0.0|\n"
					  "\n");

	(void)state;
	assert_member(m, "recorded", 0, "priority", "77");
	assert_member(m, "recorded", 0, "qos", "'high'");
	assert_member(m, "recorded", 0, "nice", "-9");
	assert_member(m, "recorded", 0, "tres", "{'cpu':8,'mem':2}");
	assert_member(m, "job", 0, "site_factor", "3");
	fs_snapshot_free(m);
}

#define SET(id, priority, site, nice, y) \
#id "|normal|ann|" priority "|" site "|0|0|0|0|12|0|" nice "||" y \
	    "|0.0|0.0|0.0|0.0|0.0|0.0|\n"

static void priorities_set_by_administrators_are_recognised(void **state)
{
	fs_snapshot *m = sprio(JOB(1, "22:23:15") JOB(2, "22:23:15") JOB(3, "22:23:15"),
			       SET(1, "50", "0", "0", "50.00000000000000")
			SET(2, "30", "-2147483648", "-2147483648", "0.1")
			SET(3, "50", "0", "0", "0.00000001164153"));

	(void)state;
	assert_member(m, "job", 0, "priority_set", "50");
	assert_member(m, "job", 1, "priority_set",
		      "50"); /* the value is from the job record; sprio of 22.05 prints 30 */
	assert_member(m, "job", 1, "site_factor", "");
	/* sprio divided the job's priority by 2^32 - 1, so no administrator set this priority, although all factors are
	 * 0 */
	assert_member(m, "job", 2, "priority_set", "");
	assert_member(m, "job", 2, "site_factor", "0");
	assert_true(fs_snapshot_info(m)->priority_time_known); /* job 3 has not aged */
	fst_same_again(m);
	fs_snapshot_free(m);
}

#define QOS_ROW(id, name, norm) \
#id "|normal|ann|phys|77|3|5|0|44444|59|2000|" name "|7|0||0.1|0.0049603|0.0|0.4|0.1|1.0|" norm "|\n"

static void rows_of_several_qos_identify_the_tried_one(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt", FST_CONFIG "PriorityWeightQOS = 1000\n" },
		{ "sacctmgr_qos.txt", "Name|Priority\nhigh|100\nmid|40\nalso|40\nzero|0\nnought|0\n" },
		{ "sprio.txt",
		  QOS_ROW(9, "high", "1.0000000") QOS_ROW(9, "mid", "0.4000000") QOS_ROW(9, "zero", "0.4000000")
		  /* if several QOS have the same priority as the tried QOS, the first of them is assumed to be the
		   * tried one; each job has only one tried QOS */
		  QOS_ROW(3, "mid", "0.4000000") QOS_ROW(3, "also", "0.4000000") QOS_ROW(3, "zero", "0.4000000")
		  QOS_ROW(3, "nought", "0.4000000")
		  QOS_ROW(4, "mid", "0.4000000") QOS_ROW(4, "zero", "0.0000000")
		  /* the rows do not show with which QOS these jobs were tried: no QOS has the factor 0.7 of job 5, job
		   * 6 has a single QOS, job 7 has no QOS of priority 0, an administrator set the priority of job 8 */
		  QOS_ROW(5, "mid", "0.4000000") QOS_ROW(5, "zero", "0.7000000")
		  QOS_ROW(6, "zero", "0.0000000")
		  QOS_ROW(7, "high", "1.0000000") QOS_ROW(7, "mid", "0.4000000")
		  QOS_ROW(8, "high", "0.0000000") QOS_ROW(8, "zero", "0.0000000") }
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(m->tried.n, 3);
	assert_member(m, "tried", 0, "job", "3");
	assert_member(m, "tried", 0, "qos", "'mid'");
	assert_member(m, "tried", 1, "job", "4");
	assert_member(m, "tried", 1, "qos", "'zero'");
	assert_member(m, "tried", 2, "job", "9");
	assert_member(m, "tried", 2, "qos", "'mid'");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* With CALCULATE_RUNNING, scontrol shows one partition of a running job, and sprio all requested ones. */
static void a_running_job_keeps_its_rows_of_other_partitions(void **state)
{
#define IN(id, partition) #id "|" partition "|ann|phys|77|3|5|0|44444|59|2000|high|7|0||0.1|0.0049603|0.0|0.4|0.1|1.0|1.0|\n"
#define RUNS(id) "JobId=" #id " UserId=ann(1) Priority=50 JobState=RUNNING Partition=day NumNodes=1\n"
	fs_snapshot *m = sprio(RUNS(1) RUNS(2) RUNS(3), IN(1, "week") IN(1, "day") IN(1, "hour") IN(2, "day") IN(3, "day")
			       IN(3, "week"));

	(void)state;
	assert_member(m, "job", 0, "row_order", "['week','day','hour']");
	assert_member(m, "job", 1, "row_order", "");
	assert_member(m, "job", 2, "row_order", "['day','week']");
	assert_member(m, "job", 2, "partitions", "['day']");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void numbers_out_of_range_are_refused(void **state)
{
	static const char *const site[] = { "2147483648", "-2147483649", "1e300" };
	static const char *const priority[] = { "1e300", "-5" };
	char text[300];
	struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_job_o.txt", "JobId=1 JobName=x UserId=a(1) JobState=PENDING\n" },
		{ "sprio.txt", text },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(site); i++) {
		snprintf(text, sizeof(text), SPRIO(1, "50", "%s", "5", "0.1", "0.0049603"),
			 site[i]);
		fst_import_refused(files, 4, NULL, "dir/sprio.txt", 1, "site");
	}
	for (size_t i = 0; i < FST_COUNT(priority); i++) {
		snprintf(text, sizeof(text), SET(1, "%s", "0", "0", "50.0"), priority[i]);
		fst_import_refused(files, 4, NULL, "dir/sprio.txt", 1, "priority");
	}
}

/* Returns true if the import marks the job as using whole nodes. With 2 nodes and 32 CPUs, one node and one CPU give
 * (1/2 + 1/32) / 2 = 0.265625, a whole node (1/2 + 16/32) / 2 = 0.5. With PriorityFavorSmall they give (1/2 + 31/32) /
 * 2 = 0.734375 and 0.5. */
static bool whole(const char *version, const char *small, const char *share, const char *factor)
{
	char config[400], parts[200], lines[200];
	const struct fst_file files[] = {
		{ "date_begin", "1700000000.123456789\n" },
		{ "scontrol_config.txt", config },
		{ "scontrol_partition_o.txt", parts },
		{ "scontrol_node_o.txt", "NodeName=n1 CPUTot=16 Partitions=p State=IDLE\n"
					 "NodeName=n2 CPUTot=16 Partitions=p State=IDLE\n" },
		{ "scontrol_job_o.txt",
		  "JobId=1 JobName=x UserId=a(1) Priority=50 JobState=PENDING Partition=p NumNodes=1 NumCPUs=1 NumTasks=1 "
		  "TRES=cpu=1,node=1 OverSubscribe=YES AccrueTime=2023-11-14T22:23:15\n" },
		{ "sprio.txt", lines },
	};
	fs_snapshot *m;
	bool got;

	snprintf(config, sizeof(config), "Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION           = %s\nPriorityType = priority/multifactor\n"
		 "PriorityWeightJobSize = 1000\nPriorityFavorSmall = %s\nPriorityMaxAge = 7-00:00:00\n", version, small);
	snprintf(parts, sizeof(parts), "PartitionName=p OverSubscribe=%s State=UP Nodes=n[1-2] TotalCPUs=32\n", share);
	snprintf(lines, sizeof(lines), "1|p|a|500|0|0|0|0|500|0|0|0||0.1|0.0|0.0|0.0|%s|0.0|0.0|\n", factor);
	m = FST_IMPORT(files);
	got = fsi_job_ext(m, &m->job.v[0])->whole_nodes;
	fst_same_again(m);
	fs_snapshot_free(m);
	return got;
}

static void the_size_factor_of_sharing_jobs_identifies_whole_nodes(void **state)
{
	(void)state;
	assert_true(whole("22.05.8", "No", "FORCE:2", "0.5000000"));
	assert_true(whole("22.05.8", "Yes", "FORCE:2", "0.5000000"));
	assert_true(whole("23.11.5", "No", "FORCE:2", "0.5000000"));
	assert_false(whole("22.05.8", "No", "FORCE:2", "0.2656250"));
	assert_false(whole("22.05.8", "Yes", "FORCE:2", "0.7343750"));
	assert_false(whole("22.05.8", "No", "FORCE:2", "0.4375000")); /* the factor belongs to 12 CPUs */
	assert_false(whole("22.05.8", "No", "YES:2", "0.5000000"));
	assert_false(whole("23.11.6", "No", "FORCE:2", "0.5000000"));
}

/* A running job may have requested fewer nodes than it has. sprio's factor is computed from the requested nodes. */
static void the_size_factor_of_a_running_job_is_kept(void **state)
{
#define RUNS_ON(nodes) \
	"JobId=1 JobName=x UserId=a(1) Priority=50 JobState=RUNNING Partition=p NumNodes=" #nodes " NumCPUs=2 NumTasks=2 " \
	"TRES=cpu=2,node=" #nodes " NodeList=n1 StartTime=2023-11-14T22:13:00 AccrueTime=2023-11-14T22:10:00\n"
	static const char *const runs[] = { RUNS_ON(2), RUNS_ON(1) };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(runs); i++) {
		const struct fst_file files[] = {
			{ "date_begin", "1700000000.123456789\n" },
			{ "scontrol_config.txt", "Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION           = 22.05.8\n"
						 "PriorityType = priority/multifactor\nPriorityFlags = CALCULATE_RUNNING\n"
						 "PriorityWeightJobSize = 1000\nPriorityMaxAge = 7-00:00:00\n" },
			{ "scontrol_job_o.txt", runs[i] },
			{ "sprio.txt", "1|p|a|281|0|0|0|0|281|0|0|0||0.1|0.0|0.0|0.0|0.2812500|0.0|0.0|\n" },
		};
		fs_snapshot *m = FST_IMPORT(files);

		assert_int_equal(FSI_HAS(&m->job.v[0], JOB, size_factor), i == 0);
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

/* Returns the number of CPUs that Slurm added for the GPUs of a job with one node and one CPU; -1: unknown. The cluster
 * has 2 nodes and 32 CPUs, so a factor of 0.3750000 means 8 CPUs. */
static int of_gpus(const char *asks, const char *factor)
{
	char job[500], lines[200];
	const struct fst_file files[] = {
		{ "date_begin", "1700000000.123456789\n" },
		{ "scontrol_config.txt", "Configuration data as of 2023-11-14T23:13:20\nSLURM_VERSION           = 22.05.8\n"
					 "PriorityType = priority/multifactor\nPriorityWeightJobSize = 1000\nPriorityMaxAge = 7-00:00:00\n" },
		{ "scontrol_partition_o.txt", "PartitionName=p State=UP Nodes=n[1-2] TotalCPUs=32\n" },
		{ "scontrol_node_o.txt", "NodeName=n1 CPUTot=16 Partitions=p State=IDLE\nNodeName=n2 CPUTot=16 Partitions=p State=IDLE\n" },
		{ "scontrol_job_o.txt", job },
		{ "sprio.txt", lines },
	};
	fs_snapshot *m;
	int got;

	snprintf(job, sizeof(job), "JobId=1 JobName=x UserId=a(1) Priority=50 JobState=PENDING Partition=p NumNodes=1 NumCPUs=1 NumTasks=1 "
		 "OverSubscribe=OK LastSchedEval=2023-11-14T22:23:00 AccrueTime=2023-11-14T22:23:15 %s\n", asks);
	snprintf(lines, sizeof(lines), "1|p|a|500|0|0|0|0|500|0|0|0||0.1|0.0|0.0|0.0|%s|0.0|0.0|\n", factor);
	m = FST_IMPORT(files);
	got = FSI_HAS(&m->job.v[0], JOB, gpu_cpus) ? (int)fsi_job_ext(m, &m->job.v[0])->gpu_cpus : -1;
	fst_same_again(m);
	fs_snapshot_free(m);
	return got;
}

/* Slurm adds CPUs for the GPUs of a job when it first tests the job. A later update does not change the number of added
 * CPUs (select/cons_common/job_test.c: gres_list_req_accum). */
static void the_size_factor_of_gpu_jobs_gives_their_gpu_cpus(void **state)
{
	(void)state;
#define OF_GPUS(gpus, more) "TRES=cpu=1,node=1,gres/gpu=" #gpus " TresPerNode=gres:gpu:" #gpus " " more
	assert_int_equal(of_gpus(OF_GPUS(4, "CpusPerTres=gres:gpu:4"), "0.3750000"), 8);
	assert_int_equal(of_gpus(OF_GPUS(2, ""), "0.3750000"), 8);
	/* the current request gives the same number of CPUs, so the number is not stored */
	assert_int_equal(of_gpus(OF_GPUS(2, "CpusPerTres=gres:gpu:4"), "0.3750000"), -1);
	/* the factor is that of the one requested CPU: the controller has not tested the job with its GPUs yet */
	assert_int_equal(of_gpus(OF_GPUS(2, "CpusPerTres=gres:gpu:4"), "0.2656250"), -1);
	assert_int_equal(of_gpus("TRES=cpu=1,node=1", "0.3750000"), -1);
	assert_int_equal(of_gpus(OF_GPUS(2, ""), "0.3760000"), -1); /* no whole number of CPUs gives this factor */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ages_give_the_time_of_the_last_calculation),
		cmocka_unit_test(disagreeing_ages_are_outvoted),
		cmocka_unit_test(jobs_that_did_not_age_are_marked),
		cmocka_unit_test(full_ages_are_ignored_and_zero_ages_bound_the_time),
		cmocka_unit_test(ages_of_no_whole_second_are_ignored),
		cmocka_unit_test(more_jobs_narrow_the_time_from_coarse_ages),
		cmocka_unit_test(without_ages_runs_are_counted_from_the_controller_start),
		cmocka_unit_test(site_factors_come_from_sprio),
		cmocka_unit_test(sprio_has_21_or_23_fields),
		cmocka_unit_test(priorities_set_by_administrators_are_recognised),
		cmocka_unit_test(rows_of_several_qos_identify_the_tried_one),
		cmocka_unit_test(a_running_job_keeps_its_rows_of_other_partitions),
		cmocka_unit_test(numbers_out_of_range_are_refused),
		cmocka_unit_test(the_size_factor_of_sharing_jobs_identifies_whole_nodes),
		cmocka_unit_test(the_size_factor_of_gpu_jobs_gives_their_gpu_cpus),
		cmocka_unit_test(the_size_factor_of_a_running_job_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
