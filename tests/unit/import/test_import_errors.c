/* import/: corrupt input is an error with file, line and field; imported input can be written and read again. */
#include "fsimport.h"

static void refused(const char *file, const char *text, uint64_t line, const char *field)
{
	const struct fst_file files[] = { FST_CLOCK, { file, text } };
	char path[100];

	snprintf(path, sizeof(path), "dir/%s", file);
	fst_import_refused(files, 3, NULL, path, line, field);
}

#define BAD_JOB(fields, field) \
	refused("scontrol_job_o.txt", \
		"JobId=1 JobName=x UserId=a(1) JobState=PENDING\nJobId=2 JobName=x " \
		"UserId=a(1) " fields "\n", \
		2, field)

static void corrupt_job_defaults_are_refused(void **state)
{
	(void)state;
	refused("scontrol_partition_o.txt", "PartitionName=a JobDefaults=DefCpuPerGPU=4\nPartitionName=b JobDefaults=DefCpuPerGPU=x\n",
		2, "JobDefaults");
	refused("scontrol_partition_o.txt", "PartitionName=a JobDefaults=DefCpuPerGpus=4\n", 1, "JobDefaults");
}

static void corrupt_job_fields_are_refused(void **state)
{
	(void)state;
	BAD_JOB("Priority=many", "priority");
	BAD_JOB("Priority=-1", "priority");
	BAD_JOB("Priority=4294967296", "priority");
	BAD_JOB("Nice=2147483648", "nice");
	BAD_JOB("NumCPUs=4X", "cpus");
	BAD_JOB("NumNodes=a-b", "nodes");
	BAD_JOB("TimeLimit=soon", "time_limit_s");
	BAD_JOB("TimeLimit=1:2:3:4", "time_limit_s");
	BAD_JOB("SubmitTime=2023-11-14", "submit_time");
	BAD_JOB("SubmitTime=2023-13-14T00:00:00", "submit_time");
	BAD_JOB("TRES=cpu", "tres_req");
	BAD_JOB("TRES=cpu=x", "tres_req");
	BAD_JOB("TRES=cpu=1,,mem=2", "tres_req");
	BAD_JOB("TRES=cpu=1e999", "tres_req");
	refused("scontrol_job_o.txt", "JobId=x JobName=x\n", 1, "id");
	refused("scontrol_job_o.txt", "JobId=1 JobName=x UserId=a(b)\n", 1, "uid");
	refused("scontrol_job_o.txt", "\nJobId=1 ArrayJobId=1_2 JobName=x\n", 2, "array_job_id");
}

static void corrupt_table_cells_are_refused(void **state)
{
	(void)state;
	refused("sacctmgr_tres.txt", "Type|Name|ID\ncpu||one\n", 2, "id");
	refused("sacctmgr_qos.txt", "Name|Priority\nnormal|1\nhigh|high\n", 3, "priority");
	refused("sacctmgr_qos.txt", "Name|UsageFactor\nnormal|1,5\n", 2, "usage_factor");
	refused("sacctmgr_qos.txt", "Name|GraceTime\nnormal|a while\n", 2, "grace_s");
	refused("sacctmgr_assoc.txt", "Cluster|Account|ID|Share\nlab|root|1|x\n", 2, "shares");
	refused("sacctmgr_assoc.txt", "Cluster|Account|ID|Share\nlab|root|1|-1\n", 2, "shares");
	refused("sacctmgr_assoc.txt", "Cluster|Account|ID|Share\nlab|root|1|1.5\n", 2, "shares");
	refused("sacctmgr_assoc.txt", "Cluster|Account|ID|Share\nlab|root|1|0.2\n", 2, "shares");
	refused("sacctmgr_assoc.txt", "Cluster|Account|ID|GrpTRES\nlab|root|1|cpu=a\n", 2,
		"grp_tres");
	refused("scontrol_partition_o.txt", "PartitionName=p PriorityTier=top\n", 1, "tier");
	refused("scontrol_partition_o.txt", "PartitionName=p Default=MAYBE\n", 1, "is_default");
	refused("scontrol_node_o.txt", "NodeName=n CPUTot=all\n", 1, "cpus");
	refused("scontrol_topology.txt", "SwitchName=s Level=0 Nodes=n[1\n", 1, "Nodes");
	refused("scontrol_reservation.txt", "ReservationName=r\n   NodeCnt=-1\n", 2, "node_count");
	refused("scontrol_assoc_mgr_o.txt", "UserName=a(x)\n", 1, "uid");
	refused("scontrol_assoc_mgr_o.txt",
		"ClusterName=lab Account=root UserName= ID=1 UsageRaw/Norm/Efctv=z/1/1\n", 1,
		"UsageRaw");
	refused("sprio.txt", "1|2|3\n", 1, "sprio");
	refused("sprio.txt", "8|p|a|x|0|3|0|44444|59|2000|0|0||0.1|0.002|0.0|0.4|0.1|1.0|0.0|\n", 1,
		"priority");
	refused("sshare.txt", "Account|User|RawUsage\nroot||12.5\n", 2, "raw_usage");
	refused("sshare.txt", "Account|User|NormShares\nroot||a\n", 2, "norm_shares");
}

static void a_corrupt_clock_or_configuration_is_refused(void **state)
{
	static const struct fst_file date[] = { { "date_begin", "yesterday\n" } };
	static const struct fst_file age[] = {
		{ "date_begin", "5\n" }, { "scontrol_config.txt", "a = b\nPriorityMaxAge = old\n" }
	};
	static const struct fst_file weight[] = {
		{ "date_begin", "5\n" }, { "scontrol_config.txt", "PriorityWeightAge = 12x\n" }
	};
	static const struct fst_file huge[] = { { "date_begin", "5\n" },
						{ "scontrol_config.txt",
						  "CompleteWait = 9223372036854775807 min\n" } };

	(void)state;
	fst_import_refused(date, 1, NULL, "dir/date_begin", 1, "date");
	fst_import_refused(age, 2, NULL, "dir/scontrol_config.txt", 2, "PriorityMaxAge");
	fst_import_refused(weight, 2, NULL, "dir/scontrol_config.txt", 1, "PriorityWeightAge");
	fst_import_refused(huge, 2, NULL, "dir/scontrol_config.txt", 1, "CompleteWait");
}

static void unknown_parents_and_repeated_names_are_refused(void **state)
{
	static const struct fst_file parent[] = {
		FST_CLOCK,
		{ "sacctmgr_assoc.txt", "Cluster|Account|ID|ParentName\nlab|root|1|\nlab|a|2|b\n" },
	};
	static const struct fst_file qos[] = { FST_CLOCK, { "sacctmgr_qos.txt", "Name\nq\nq\n" } };

	(void)state;
	fst_import_refused(parent, 3, NULL, "dir", 0, "parent");
	fst_import_refused(qos, 3, NULL, "dir", 0, "name");
}

/* The input may be imported or refused, but an imported snapshot must be readable again. */
static void taken_or_refused(const char *file, const char *text)
{
	const struct fst_file files[] = { FST_CLOCK, { file, text } };
	struct fs_error err;
	fs_snapshot *m;

	if (fst_try_import(files, 3, NULL, &m, &err))
		return;
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void a_repeated_tres_is_refused_or_reads_back(void **state)
{
	(void)state;
	taken_or_refused("scontrol_job_o.txt",
			 "JobId=1 JobName=x UserId=a(1) JobState=PENDING TRES=cpu=1,mem=2,cpu=3\n");
}

static void negative_amounts_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("scontrol_job_o.txt",
			 "JobId=1 JobName=x UserId=a(1) JobState=PENDING TRES=cpu=-1\n");
	taken_or_refused("sacctmgr_qos.txt", "Name|UsageFactor\nnormal|-1.000000\n");
	taken_or_refused(
		"scontrol_assoc_mgr_o.txt",
		"ClusterName=lab Account=root UserName= ID=1\n"
		"ClusterName=lab Account=root UserName=u(1) ID=2 UsageRaw/Norm/Efctv=-5.00/1/1\n");
}

static void times_before_1970_are_refused_or_read_back(void **state)
{
	static const struct fst_file zero[] = {
		{ "scontrol_config.txt", "Configuration data as of 1969-11-14T23:13:20\n" }
	};
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	taken_or_refused(
		"scontrol_job_o.txt",
		"JobId=1 JobName=x UserId=a(1) JobState=PENDING SubmitTime=1969-01-01T00:00:00\n");
	if (!fst_try_import(zero, 1, NULL, &m, &err)) {
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void times_far_ahead_are_refused_or_read_back(void **state)
{
	static const struct fst_file late[] = { { "date_begin", "4000000000000000000\n" } };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	if (!fst_try_import(late, 1, NULL, &m, &err)) {
		fst_same_again(m);
		fs_snapshot_free(m);
	}
	taken_or_refused("scontrol_job_o.txt", "JobId=1 JobName=x UserId=a(1) JobState=PENDING "
					       "TimeLimit=153722867280912930\n");
	taken_or_refused("scontrol_config.txt", "PriorityMaxAge = 9223372036854775807\n");
}

/* Two clocks that are years apart give no UTC offset. */
static void the_utc_offset_is_at_most_a_day(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "5\n" },
		{ "scontrol_config.txt", "Configuration data as of 9999-11-14T23:13:20\n" },
	};
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	if (!fst_try_import(files, 2, NULL, &m, &err)) {
		assert_in_range(fs_snapshot_info(m)->utc_offset_s + 86400, 0, 2 * 86400);
		fs_snapshot_free(m);
	}
}

static void large_association_ids_are_imported(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_assoc_mgr_o.txt",
		  "ClusterName=lab Account=root UserName= ID=4294967290 "
		  "UsageRaw/Norm/Efctv=5.00/1/1\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "association", 0, "id", "4294967290");
	assert_member(m, "association", 0, "usage_tres_s", "5");
	fs_snapshot_free(m);
}

static void records_without_a_name_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("sacctmgr_qos.txt", "Name|Priority\n|5\n");
	taken_or_refused("sacctmgr_user.txt", "User|Def Acct\n|x\n");
	taken_or_refused("sacctmgr_tres.txt", "Type|Name|ID\n||5\n");
	taken_or_refused("sacctmgr_tres.txt", "Type|Name\ncpu|\n");
	taken_or_refused("sacctmgr_assoc.txt", "Account|User\nroot|\n");
	taken_or_refused("scontrol_job_o.txt", "JobId=N/A JobName=x UserId=a(1)\n");
	taken_or_refused("scontrol_partition_o.txt", "PartitionName=(null) State=UP\n");
	taken_or_refused("scontrol_assoc_mgr_o.txt", "UserName= DefAccount=\n");
	taken_or_refused("sshare.txt", "Account|User|RawUsage\n||5\n");
}

static void bytes_that_are_not_utf8_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("sacctmgr_user.txt", "User\nj\xf6rg\nj\xfcrg\n");
}

static void nul_bytes_are_refused_or_read_back(void **state)
{
	(void)state;
	taken_or_refused("sacctmgr_user.txt", "User\nx\x01y\nx\x01z\n");
	taken_or_refused("sacctmgr_user.txt", "User\n\x01\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corrupt_job_defaults_are_refused),
		cmocka_unit_test(corrupt_job_fields_are_refused),
		cmocka_unit_test(corrupt_table_cells_are_refused),
		cmocka_unit_test(a_corrupt_clock_or_configuration_is_refused),
		cmocka_unit_test(unknown_parents_and_repeated_names_are_refused),
		cmocka_unit_test(a_repeated_tres_is_refused_or_reads_back),
		cmocka_unit_test(negative_amounts_are_refused_or_read_back),
		cmocka_unit_test(times_before_1970_are_refused_or_read_back),
		cmocka_unit_test(times_far_ahead_are_refused_or_read_back),
		cmocka_unit_test(the_utc_offset_is_at_most_a_day),
		cmocka_unit_test(large_association_ids_are_imported),
		cmocka_unit_test(records_without_a_name_are_refused_or_read_back),
		cmocka_unit_test(bytes_that_are_not_utf8_are_refused_or_read_back),
		cmocka_unit_test(nul_bytes_are_refused_or_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
