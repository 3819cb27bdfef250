/* import/: the files of a Slurm capture, except jobs and the records of sshare and sprio. */
#include "fsimport.h"

static const char assoc_text[] = "Cluster|Account|User|Partition|ID|ParentName|ParentID|LFT|RGT|"
				 "Share|Priority|GrpJobs|GrpTRES|GrpWall|QOS|Def QOS\n"
				 "lab|root|||1||0|1|26|1|||||normal|\n"
				 "lab|root|root||2|root|1|24|25|1|||||normal|\n"
				 "lab|physics|||3|root|1|2|13|30|7|10|cpu=64,mem=1T,gres/gpu=2|"
				 "7-00:00:00|normal,high|normal\n"
				 "\n"
				 "other|physics|||9|root|1|2|13|30|||||normal|\n"
				 "lab|physics|alice||4|physics|||8|parent||||||\n"
				 "lab|physics|alice|long|5|physics|||9|2||||UNLIMITED||\n";

static const char assoc_mgr_text[] =
	"Current Association Manager state\nUser Records\n"
	"UserName=alice(7001) DefAccount=physics DefWckey= AdminLevel=None\n"
	"UserName=ghost(4294967294) DefAccount=physics DefWckey= AdminLevel=None\n"
	"Association Records\n"
	"ClusterName=lab Account=root UserName= Partition= Priority=0 ID=1 "
	"SharesRaw/Norm/Level/Factor=1/0.00/1/0.00 "
	"UsageRaw/Norm/Efctv=60.51/1.00/1.00 ParentAccount= GrpTRESMins=cpu=N(1),mem=N(7) "
	"GrpTRESRunMins=cpu=N(3)\n"
	"ClusterName=lab Account=physics UserName= Partition= Priority=0 ID=3 "
	"SharesRaw/Norm/Level/Factor=30/0.37/81/0.00 UsageRaw/Norm/Efctv=60.50/1.00/1.00 "
	"ParentAccount=root(1) "
	"GrpTRESMins=cpu=10(1),mem=N(7),x=5 GrpTRESRunMins=cpu=N(0)\n"
	"ClusterName=lab Account=physics UserName=alice(7001) Partition= Priority=0 ID=4 "
	"SharesRaw/Norm/Level/Factor=2147483647/0.37/81/0.00 UsageRaw/Norm/Efctv=40.25/1.00/1.00 "
	"ParentAccount=\n"
	"ClusterName=lab Account=physics UserName=alice(7001) Partition=long Priority=5 ID=5 "
	"SharesRaw/Norm/Level/Factor=2/0.37/81/0.00 UsageRaw/Norm/Efctv=10.00/1.00/1.00 "
	"ParentAccount=\n";

static void accounting_tables_are_imported(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_tres.txt", "Type|Name|ID\ncpu||1\nfs|disk|6\ngres|gpu:a100|1001\n" },
		{ "sacctmgr_qos.txt", "Name|Priority\nold|1\n" },
		{ "sacctmgr_qos_all.txt", "Name|ID|Priority|GraceTime|Flags|UsageThres|"
					  "UsageFactor|MaxWall|MaxJobsPU|MinTRES\n"
					  "normal|1|10|00:00:00|||1.000000|1-00:00:00|5|cpu=1\n"
					  "high|2|20||DenyOnLimit,NoDecay|0.500000|2.5|||\n" },
		{ "sacctmgr_user.txt",
		  "User|Def Acct|Admin|Coord "
		  "Accounts\nalice|physics|None|\ndave|physics|Operator|physics,root\n"
		  "root|root|Administrator|\n" },
		{ "sacctmgr_assoc.txt", assoc_text },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "tres", 1, "name", "'fs/disk'");
	assert_member(m, "tres", 2, "id", "1001");
	assert_member(m, "qos", 0, "name", "'normal'");
	assert_member(m, "qos", 0, "max_wall_s", "86400");
	assert_member(m, "qos", 0, "flags", "");
	assert_member(m, "qos", 0, "min_tres", "{'cpu':1}");
	assert_member(m, "qos", 1, "flags", "['DenyOnLimit','NoDecay']");
	assert_member(m, "qos", 1, "usage_factor", "2.5");
	assert_member(m, "qos", 1, "max_jobs_per_user", "");
	assert_member(m, "user", 0, "admin", "'none'");
	assert_member(m, "user", 1, "admin", "'operator'");
	assert_member(m, "user", 1, "coordinates", "['physics','root']");
	assert_int_equal(m->association.n, 5);
	assert_member(m, "association", 1, "parent", "");
	assert_member(m, "association", 1, "priority", "0"); /* an association without a priority has the priority 0 */
	assert_member(m, "association", 2, "parent", "'root'");
	assert_member(m, "association", 2, "priority", "7");
	assert_member(m, "association", 2, "grp_tres", "{'cpu':64,'mem':1048576,'gres/gpu':2}");
	assert_member(m, "association", 2, "grp_wall_s", "604800");
	assert_member(m, "association", 3, "shares", "'parent'");
	assert_member(m, "association", 4, "partition", "'long'");
	assert_member(m, "association", 4, "grp_wall_s", "'unlimited'");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void usage_comes_from_the_association_manager(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_assoc.txt", assoc_text },
		{ "scontrol_assoc_mgr_o.txt", assoc_mgr_text },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_string_equal(fs_snapshot_info(m)->usage_source, "assoc_mgr");
	assert_member(m, "association", 1, "usage_tres_s", ""); /* assoc_mgr does not show this usage */
	assert_member(m, "association", 0, "usage_tres_s",
		      ""); /* usage is unknown, because the usage of association 1 is not shown */
	assert_member(m, "association", 2, "usage_tres_s", "10.25"); /* usage of a deleted user of the account */
	assert_member(m, "association", 3, "usage_tres_s", "40.25");
	assert_true(fs_snapshot_hidden(m, "association"));
	assert_member(m, "association", 2, "usage_by_tres_min", "{'cpu':1,'mem':7}");
	assert_member(m, "association", 0, "run_by_tres_min", "{'cpu':3}");
	assert_member(m, "user", 0, "uid", "7001");
	assert_member(m, "user", 1, "uid", ""); /* the user has no Unix account */
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void associations_come_from_the_association_manager_alone(void **state)
{
	static const struct fst_file files[] = { FST_CLOCK,
						 { "scontrol_assoc_mgr_o.txt", assoc_mgr_text } };
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(m->association.n, 4);
	assert_member(m, "association", 1, "parent", "'root'");
	assert_member(m, "association", 1, "shares", "30");
	/* root shows 0.01 more usage than its child, which is a rounding error */
	assert_member(m, "association", 0, "usage_tres_s", "0");
	assert_member(m, "association", 1, "usage_tres_s", "10.25");
	assert_member(m, "association", 2, "shares", "'parent'");
	assert_member(m, "association", 3, "partition", "'long'");
	assert_member(m, "association", 3, "priority", "5");
	assert_false(fs_snapshot_hidden(m, "association"));
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void missing_files_make_their_records_hidden(void **state)
{
	static const struct fst_file only_config[] = { { "scontrol_config.txt", FST_CONFIG } };
	static const struct fst_file only_date[] = { { "date_begin", "5\n" },
						     { "caller", "ann \nx\n" } };
	static const char *const types[] = { "tres",      "qos",  "user",        "association",
					     "partition", "node", "reservation", "job" };
	fs_snapshot *m = FST_IMPORT(only_config);

	(void)state;
	for (size_t i = 0; i < FST_COUNT(types); i++)
		assert_true(fs_snapshot_hidden(m, types[i]));
	assert_int_equal(fs_snapshot_info(m)->time, 1700003600); /* the printed local time, interpreted as UTC */
	fst_same_again(m);
	fs_snapshot_free(m);
	m = FST_IMPORT(only_date);
	assert_true(fs_snapshot_hidden(m, "config"));
	assert_string_equal(fs_snapshot_info(m)->cluster, "unknown");
	assert_string_equal(fs_snapshot_info(m)->scheduler, "slurm");
	assert_string_equal(fs_snapshot_info(m)->captured_by, "ann");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void a_folder_without_known_files_is_an_error(void **state)
{
	static const struct fst_file other[] = { { "readme", "hello\n" } };
	struct fst_folder broken = { other, 1, 0, "scontrol_config.txt" };
	const struct fs_source source = { &broken, "dir", fst_open, fst_read_file, fst_close, NULL };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	assert_int_equal(fst_try_import(other, 1, NULL, &m, &err), FS_ENODATA);
	assert_null(m);
	assert_int_equal(fs_import_slurm(&m, &source, NULL, &err), FS_EIO);
	assert_string_equal(err.message, "cannot read 'dir/scontrol_config.txt'");
	assert_null(m);
	assert_int_equal(fs_import_folder(&m, "pbs 2.3", &source, &err), FS_EUSAGE);
	assert_string_equal(err.message, "no importer for scheduler \"pbs 2.3\"");
}

static void the_capture_time_and_utc_offset_come_from_the_clocks(void **state)
{
	static const struct fst_file sdiag[] = {
		{ "scontrol_config.txt", "Configuration data as of 2023-11-14T16:43:26\n" },
		{ "sdiag.txt", "*****\nsdiag output at Tue Nov 14 22:13:20 2023 (1700000000)\n" },
	};
	static const struct fst_file quarter[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt", "Configuration data as of 2023-11-15T03:58:18\n" },
	};
	fs_snapshot *m = FST_IMPORT(sdiag);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->time, 1700000000);
	assert_int_equal(fs_snapshot_info(m)->utc_offset_s, -19800);
	fs_snapshot_free(m);
	m = FST_IMPORT(quarter); /* Nepal: the UTC offset is +5:45, and the printed local time is two seconds early */
	assert_int_equal(fs_snapshot_info(m)->utc_offset_s, 20700);
	fs_snapshot_free(m);
}

static void configuration_values_are_converted_by_type(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt",
		  FST_CONFIG "PriorityWeightAge       = 1000\nPriorityDecayHalfLife   = "
		"14-00:00:00\nPriorityCalcPeriod      = 00:05:00\n"
		"PriorityFavorSmall      = No\nPriorityFlags           = "
		"ACCRUE_ALWAYS,NO_FAIR_TREE\n"
		"PriorityWeightTRES      = CPU=1.0,Mem=0.25G\nPriorityType            "
		"= priority/multifactor\n"
		"OverTimeLimit           = 2 min\nCompleteWait            = 30 "
		"sec\nPrivateData             = none\n"
		"PriorityWeightQOS       = (null)\nBootTime                = "
		"whatever\n\nSlurmctld(primary) at x is UP\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_string_equal(fs_snapshot_info(m)->cluster, "lab");
	assert_string_equal(fs_snapshot_info(m)->scheduler, "slurm 22.05.8");
	assert_int_equal(fs_snapshot_info(m)->version, FS_SLURM_RELEASE(22, 5, 8));
	assert_member(m, "config", 0, "PriorityWeightAge", "1000");
	assert_member(m, "config", 0, "PriorityMaxAge", "604800");
	assert_member(m, "config", 0, "PriorityDecayHalfLife", "1209600");
	assert_member(m, "config", 0, "PriorityCalcPeriod", "300");
	assert_member(m, "config", 0, "PriorityFavorSmall", "false");
	assert_member(m, "config", 0, "PriorityFlags", "['ACCRUE_ALWAYS','NO_FAIR_TREE']");
	assert_member(m, "config", 0, "OverTimeLimit", "120");
	assert_member(m, "config", 0, "CompleteWait", "30");
	assert_member(m, "config", 0, "PrivateData", "[]");
	assert_member(m, "config", 0, "PriorityWeightQOS", "");
	assert_string_equal(fs_snapshot_config_text(m, "PriorityWeightTRES"), "CPU=1.0,Mem=0.25G");
	assert_member(m, "config", 0, "BootTime", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* Slurm 22.05 prints NO_NORMAL_ALL if any NO_NORMAL flag is set; slurm.conf has the exact flags. */
static void slurm_conf_resolves_no_normal_all(void **state)
{
	static const struct fst_file files[] = {
		{ "date_begin", "1700000000\n" },
		{ "scontrol_config.txt", FST_CONFIG "PriorityFlags = NO_NORMAL_ALL\n" },
		{ "slurm.conf", "# PriorityFlags=X\n"
				"PriorityType=priority/multifactor\n"
				"priorityflags=NO_NORMAL_QOS,NO_NORMAL_PART\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "config", 0, "PriorityFlags", "['NO_NORMAL_QOS','NO_NORMAL_PART']");
	assert_member(m, "config", 0, "PriorityType", "");
	fs_snapshot_free(m);
	m = fst_import_exact(files, 2, NULL);
	assert_member(m, "config", 0, "PriorityFlags", "['NO_NORMAL_ALL']");
	fs_snapshot_free(m);
}

static void partitions_nodes_and_reservations_are_imported(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "scontrol_partition_o.txt",
		  "PartitionName=normal AllowGroups=ALL AllowAccounts=ALL AllowQos=normal,high "
		  "AllocNodes=ALL Default=YES QoS=N/A "
		  "DefaultTime=NONE Hidden=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 "
		  "Nodes=d[01-12],n01 PriorityJobFactor=1 "
		  "PriorityTier=1 State=UP TotalCPUs=1K TotalNodes=13 "
		  "TRES=cpu=832,mem=3250G,node=13,billing=832000,gres/gpu=8 "
		  "TRESBillingWeights=CPU=1.0,Mem=0.25G\n"
		  "PartitionName=b DefaultTime=01:00:00 MaxNodes=4 MaxTime=7-00:00:00 "
		  "PriorityJobFactor=0 PriorityTier=100 TRES=(null)\n" },
		{ "scontrol_node_o.txt",
		  "NodeName=d01 CoresPerSocket=1  CPUAlloc=0 CPUEfctv=62 CPUTot=64 CPULoad=N/A "
		  "Gres=gpu:a100:4(S:0-1) NodeAddr=127.0.0.9 Sockets=64 ThreadsPerCore=2 "
		  "OS=Linux 6.1 State=weird TmpDisk=2000 RealMemory=256000 State=DOWN+DRAIN Partitions=normal,b "
		  " CfgTRES=cpu=64,mem=250G,billing=64000 "
		  "AllocTRES= Reason=bad disk [root@2023-01-01T00:00:00]\n" },
		{ "scontrol_topology.txt",
		  "SwitchName=top Level=1 LinkSpeed=1 Nodes=d[01-02] Switches=leaf[1-2]\n"
		  "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=d01\nSwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=d02\n" },
		{ "scontrol_reservation.txt",
		  "ReservationName=maint StartTime=2023-11-15T00:13:20 EndTime=2023-11-15T01:13:20 "
		  "Duration=01:00:00\n"
		  "   Nodes=d[01-02] NodeCnt=2 CoreCnt=128 Features=(null) PartitionName=(null) "
		  "Flags=MAINT,SPEC_NODES\n"
		  "   TRES=cpu=128\n   Users=root,ann Groups=(null) Accounts=(null) "
		  "Licenses=(null) State=INACTIVE\n\n"
		  "ReservationName=part StartTime=2023-11-15T00:13:20 EndTime=2023-11-15T01:13:20\n   Nodes=d[01-02] CoreCnt=5\n"
		  "     NodeName=d01 CoreIDs=0-2\n     NodeName=d02 CoreIDs=0,5\n   Users=ann\n\n"
		  "ReservationName=next StartTime=2023-11-16T00:13:20\n   Users=(null)\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_member(m, "partition", 0, "tres",
		      "{'cpu':832,'mem':3328000,'node':13,'billing':832000,'gres/gpu':8}");
	assert_member(m, "partition", 0, "max_time_s", "'unlimited'");
	assert_member(m, "node", 0, "threads_per_core", "1");
	assert_member(m, "node", 0, "sockets", "64");
	assert_member(m, "node", 0, "tmp_disk_mb", "2000");
	assert_member(m, "partition", 0, "default_time_s", "");
	assert_member(m, "partition", 0, "max_nodes", "");
	assert_member(m, "partition", 0, "total_cpus", "1024");
	assert_member(m, "partition", 0, "allow_accounts", "");
	assert_member(m, "partition", 0, "allow_qos", "['normal','high']");
	assert_member(m, "partition", 0, "billing_weights", "'CPU=1.0,Mem=0.25G'");
	assert_member(m, "partition", 0, "is_default", "true");
	assert_member(m, "partition", 1, "max_time_s", "604800");
	assert_member(m, "partition", 1, "job_factor", "0");
	assert_member(m, "partition", 1, "tres", "");
	assert_member(m, "node", 0, "effective_cpus", "62");
	assert_member(m, "node", 0, "gres", "'gpu:a100:4(S:0-1)'");
	assert_member(m, "node", 0, "alloc_tres", "");
	assert_member(m, "node", 0, "switches", "['leaf1','top']");
	assert_member(m, "node", 0, "reason", "'bad disk [root@2023-01-01T00:00:00]'");
	assert_int_equal(m->reservation.n, 3);
	assert_member(m, "reservation", 0, "start_time", "1700003600");
	assert_member(m, "reservation", 0, "flags", "['MAINT','SPEC_NODES']");
	assert_member(m, "reservation", 0, "users", "['root','ann']");
	assert_member(m, "reservation", 0, "state", "'INACTIVE'");
	assert_member(m, "reservation", 0, "cores", "");
	assert_member(m, "reservation", 1, "cores", "'3,2'");
	assert_member(m, "reservation", 1, "users", "['ann']");
	assert_member(m, "reservation", 2, "users", "");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* In newer versions, sacctmgr_qos.txt has columns that sacctmgr_qos_all.txt lacks. */
static void run_minute_limits_come_from_the_short_qos_listing(void **state)
{
	static const struct fst_file files[] = {
		FST_CLOCK,
		{ "sacctmgr_qos_all.txt", "Name|ID|Priority|UsageFactor|LimitFactor\nnormal|1|10|1.000000|2.000000\nhigh|2|20|1|\n" },
		{ "sacctmgr_qos.txt", "Name|Priority|MaxTRESRunMinsPA|MaxTRESRunMinsPU\nnormal|99||cpu=300,gres/gpu=5\n"
				      "high|99|cpu=7|\nother|1|cpu=1|cpu=1\n" },
	};
	static const struct fst_file alone[] = {
		FST_CLOCK, { "sacctmgr_qos.txt", "Name|Priority|MaxTRESRunMinsPU\nnormal|5|cpu=300\n" },
	};
	fs_snapshot *m = FST_IMPORT(files);

	(void)state;
	assert_int_equal(m->qos.n, 2);
	assert_member(m, "qos", 0, "priority", "10");
	assert_member(m, "qos", 0, "limit_factor", "2");
	assert_member(m, "qos", 0, "max_tres_run_min_per_user", "{'cpu':300,'gres/gpu':5}");
	assert_member(m, "qos", 0, "max_tres_run_min_per_account", "");
	assert_member(m, "qos", 1, "limit_factor", "");
	assert_member(m, "qos", 1, "max_tres_run_min_per_account", "{'cpu':7}");
	fs_snapshot_free(m);
	m = FST_IMPORT(alone);
	assert_member(m, "qos", 0, "max_tres_run_min_per_user", "{'cpu':300}");
	fs_snapshot_free(m);
}

#define ASSOC_MGR \
	"QOS=normal(1) UsageRaw=1.500000 GrpJobs=N(4) GrpJobsAccrue=3(1) GrpSubmitJobs=9(8) GrpWall=90(0.70) GrpTRES=cpu=11(11)," \
	"mem=N(39100) GrpTRESMins=cpu=N(1),mem=N(8258) GrpTRESRunMins=cpu=600(589),mem=N(7) MaxWallPJ=30 MaxTRESPJ=cpu=3 " \
	"MaxTRESPN= MaxTRESMinsPJ= MinPrioThresh=  MinTRESPJ=cpu=2 PreemptMode=OFF Priority=10 Account Limits= " \
	"physics={MaxJobsPA=N(2) MaxJobsAccruePA=N(0) MaxSubmitJobsPA=5(4) MaxTRESPA=cpu=N(8),mem=64G(29000)} User Limits= " \
	"7001={MaxJobsPU=2(1) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=N(2) MaxTRESPU=cpu=6(5),mem=N(20000)}\n" \
	"ClusterName=lab Account=physics UserName= Partition= Priority=7 ID=3 SharesRaw/Norm/Level/Factor=50/0.50/1/0.00 " \
	"UsageRaw/Norm/Efctv=6.00/1.00/1.00 ParentAccount= GrpJobs=N(1) GrpSubmitJobs=N(2) GrpWall=20000(0.17) " \
	"GrpTRES=cpu=40(1),mem=N(100),gres/gpu=6(2) GrpTRESMins=cpu=N(0),mem=N(300) GrpTRESRunMins=cpu=90000(19),mem=N(1991) " \
	"MaxJobs=5(1) MaxJobsAccrue= MaxSubmitJobs= MaxWallPJ= MaxTRESPJ= MaxTRESPN=cpu=4 MaxTRESMinsPJ= MinPrioThresh=\n"

static void limits_and_usage_come_from_the_controller(void **state)
{
	static const struct fst_file alone[] = { FST_CLOCK, { "scontrol_assoc_mgr_o.txt", ASSOC_MGR } };
	static const struct fst_file beside[] = {
		FST_CLOCK,
		{ "sacctmgr_qos_all.txt", "Name|ID|Priority|UsageFactor|GrpJobs\nnormal|1|99|1.000000|77\n" },
		{ "sacctmgr_assoc.txt", "Cluster|Account|User|Partition|ID|ParentName|Share|Priority|MaxJobs\nlab|physics|||3||1||8\n" },
		{ "scontrol_assoc_mgr_o.txt", ASSOC_MGR },
	};
	fs_snapshot *m = FST_IMPORT(alone);

	(void)state;
	assert_member(m, "qos", 0, "name", "'normal'");
	assert_member(m, "qos", 0, "priority", "10");
	assert_member(m, "qos", 0, "grp_jobs", "");
	assert_member(m, "qos", 0, "grp_jobs_accrue", "3");
	assert_member(m, "qos", 0, "grp_submit_jobs", "9");
	assert_member(m, "qos", 0, "grp_wall_s", "5400");
	assert_member(m, "qos", 0, "grp_tres", "{'cpu':11}");
	assert_member(m, "qos", 0, "grp_tres_min", "");
	assert_member(m, "qos", 0, "grp_tres_run_min", "{'cpu':600}");
	assert_member(m, "qos", 0, "max_wall_s", "1800");
	assert_member(m, "qos", 0, "max_tres", "{'cpu':3}");
	assert_member(m, "qos", 0, "min_tres", "{'cpu':2}");
	assert_member(m, "qos", 0, "max_submit_jobs_per_account", "5");
	assert_member(m, "qos", 0, "max_tres_per_account", "{'mem':65536}");
	assert_member(m, "qos", 0, "max_jobs_per_account", "");
	assert_member(m, "qos", 0, "max_jobs_per_user", "2");
	assert_member(m, "qos", 0, "max_tres_per_user", "{'cpu':6}");
	assert_member(m, "qos", 0, "usage_by_tres_min", "{'cpu':1,'mem':8258}");
	assert_member(m, "qos", 0, "run_by_tres_min", "{'cpu':589,'mem':7}");
	assert_member(m, "qos", 0, "usage_wall_min", "0.7");
	assert_true(fs_snapshot_hidden(m, "qos")); /* assoc_mgr prints neither flags nor usage factors of QOS */
	assert_member(m, "association", 0, "grp_wall_s", "1200000");
	assert_member(m, "association", 0, "grp_tres", "{'cpu':40,'gres/gpu':6}");
	assert_member(m, "association", 0, "grp_tres_run_min", "{'cpu':90000}");
	assert_member(m, "association", 0, "max_jobs", "5");
	assert_member(m, "association", 0, "max_tres_per_node", "{'cpu':4}");
	assert_member(m, "association", 0, "max_wall_s", "");
	assert_member(m, "association", 0, "usage_wall_min", "0.17");
	fs_snapshot_free(m);
	m = FST_IMPORT(beside); /* the limits of sacctmgr are used; the usage is unchanged */
	assert_int_equal(m->qos.n, 1);
	assert_member(m, "qos", 0, "priority", "99");
	assert_member(m, "qos", 0, "grp_jobs", "77");
	assert_member(m, "qos", 0, "grp_tres", "");
	assert_member(m, "qos", 0, "run_by_tres_min", "{'cpu':589,'mem':7}");
	assert_member(m, "association", 0, "max_jobs", "8");
	assert_member(m, "association", 0, "grp_tres", "");
	assert_member(m, "association", 0, "usage_wall_min", "0.17");
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accounting_tables_are_imported),
		cmocka_unit_test(usage_comes_from_the_association_manager),
		cmocka_unit_test(associations_come_from_the_association_manager_alone),
		cmocka_unit_test(missing_files_make_their_records_hidden),
		cmocka_unit_test(a_folder_without_known_files_is_an_error),
		cmocka_unit_test(the_capture_time_and_utc_offset_come_from_the_clocks),
		cmocka_unit_test(configuration_values_are_converted_by_type),
		cmocka_unit_test(slurm_conf_resolves_no_normal_all),
		cmocka_unit_test(partitions_nodes_and_reservations_are_imported),
		cmocka_unit_test(run_minute_limits_come_from_the_short_qos_listing),
		cmocka_unit_test(limits_and_usage_come_from_the_controller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
