/* import/maui: the jobs and their states are determined from traces, the clock and showq. */
#include "fsmaui.h"

#define CFG "SERVERMODE SIMULATION\nRMPOLLINTERVAL 60\nFSPOLICY DEDICATEDPS\n"
#define REST "[NONE] [NONE] [NONE] >= 0 >= 0 [NONE] 1600000000 4 -1"
/* A job in a workload trace. The parameters: job id, tasks, user, time limit, QOS, flags, account; processors, memory,
 * disk and swap of each task. */
#define WORK(id, tasks, user, limit, qos, flags, account, procs, mem, disk, swap)                          \
	id " 0 " tasks " " user " staff " limit " Completed [batch:1] 1600000000 1600000010 1600000010 "       \
	   "1600001210 " REST " " qos " " flags " " account " [NONE] [NONE] 3 0 [DEFAULT] " procs " " mem " "   \
	   disk " " swap " 0 0 [NONE] DEFAULT [NONE] [NONE] [NONE] [NONE] [NONE]\n"
#define NODE(name) \
	"COMPUTENODE AVAILABLE 1600000000 " name " DEFAULT 4096 2048 10000 4 -1 -1 1 Linux x86 [NONE] " \
	"[batch:4][long:4] [NONE] [NONE] [NONE] [NONE] [NONE]\n"

static const struct fst_file base[] = {
	{ "maui.cfg", CFG "USERCFG[ann] QLIST=hi QDEF=hi\nUSERCFG[bob] QDEF=lo\nGROUPCFG[staff] QLIST=mid\n" },
	{ "traces/resource", NODE("n1") NODE("n2") },
	{ "traces/workload",
	  "# comment\n" WORK("1", "4", "ann", "7200", "[NONE]", "[NONE]", "phys", "1", "512", "10", "100")
		  WORK("two.host.domain", "2", "bob", "600", "hi:hi", "[RESTARTABLE]", "[NONE]", "2", "0", "0", "0")
			  WORK("3", "1", "bob", "60", "mid:mid", "[NONE]", "[NONE]", "1", "0", "0", "0") },
};

static fs_snapshot *import(const struct fst_file *more, size_t n)
{
	struct fst_file all[8];
	struct fs_error err;
	fs_snapshot *m;

	memcpy(all, base, sizeof(base));
	if (n)
		memcpy(all + FST_COUNT(base), more, n * sizeof(*more));
	fst_no_error(fst_try_maui(all, FST_COUNT(base) + n, NULL, &m, &err), &err);
	return m;
}

/* With EXACTPROC a node must have exactly as many processors as the job has tasks on it; with EXACTNODE each task uses
 * its own node. */
static void node_requirements_of_jobs_are_imported(void **state)
{
#define NEEDS(id, tasks, arch, opsys, compares, mem, per_node)                                                     \
	id " 0 " tasks " ann staff 7200 Completed [batch:1] 1600000000 1600000010 1600000010 1600001210 [NONE] "   \
	   arch " " opsys " " compares " " mem " >= 0 [NONE] 1600000000 4 " per_node " [NONE] [NONE] phys [NONE] " \
	   "[NONE] 3 0 [DEFAULT] 1 0 0 0 0 0 [NONE] DEFAULT [NONE] [NONE] [NONE] [NONE] [NONE]\n"
	static const char work[] = NEEDS("1", "4", "[NONE]", "[NONE]", ">=", "0", "-1")
		NEEDS("2", "4", "x86", "AIX", ">", "512M", "-1") NEEDS("3", "4", "[NONE]", "[NONE]", "NC", "64", "2");
	static const struct {
		const char *match, *needs[3], *nodes;
	} all[] = { { "", { "", "['mem>512M','opsys==AIX','arch==x86']", "" }, "0" },
		    { "JOBNODEMATCHPOLICY EXACTPROC\n", { "", "['mem>512M','opsys==AIX','arch==x86']", "['cpu==2']" }, "0" },
		    { "JOBNODEMATCHPOLICY EXACTNODE EXACTPROC\n", { "", "['mem>512M','opsys==AIX','arch==x86']", "['cpu==2']" }, "4" } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		char cfg[200];
		struct fst_file files[] = { { "maui.cfg", cfg }, base[1], { "traces/workload", work } };
		struct fs_error err;
		fs_snapshot *m;

		snprintf(cfg, sizeof(cfg), CFG "%s", all[i].match);
		fst_no_error(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), &err);
		for (uint32_t j = 0; j < 3; j++)
			assert_member(m, "job", j, "node_needs", all[i].needs[j]);
		assert_member(m, "job", 2, "nodes", all[i].nodes);
		assert_member(m, "node", 0, "opsys", "'Linux'");
		assert_member(m, "node", 0, "arch", "'x86'");
		fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void traces_give_jobs_and_nodes(void **state)
{
	fs_snapshot *m = import(NULL, 0);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->kind, FS_MAUI);
	/* time at which the first output of a simulation appears */
	assert_int_equal(fs_snapshot_info(m)->time, 1600000060);
	assert_member(m, "job", 0, "id", "1");
	assert_member(m, "job", 0, "state", "'PENDING'");
	assert_member(m, "job", 0, "submit_time", "1600000000");
	assert_member(m, "job", 0, "account", "'phys'");
	assert_member(m, "job", 0, "partitions", "['batch']");
	assert_member(m, "job", 0, "tres_req", "{'cpu':4,'mem':2048,'swap':400,'disk':40}");
	assert_member(m, "job", 0, "bypass", "3");
	assert_member(m, "job", 0, "simulated_run_s", "1200");
	assert_member(m, "job", 0, "qos", "['hi']"); /* the default QOS of the user */
	assert_member(m, "job", 1, "id", "3");
	assert_member(m, "job", 1, "qos", "['mid']"); /* a QOS that the job's group may use */
	assert_member(m, "job", 2, "id", "4611686018427387905");
	assert_member(m, "job", 2, "name", "'two'");
	assert_member(m, "job", 2, "cpus", "4");
	assert_member(m, "job", 2, "position", "1");
	assert_member(m, "job", 2, "flags", "['RESTARTABLE']");
	assert_member(m, "job", 2, "qos", "['lo']"); /* the job requests QOS hi, which its user may not use */
	assert_member(m, "node", 1, "name", "'n2'");
	assert_member(m, "node", 1, "partitions", "['batch','long']");
	assert_member(m, "node", 1, "tres", "{'cpu':4,'mem':2048,'swap':4096,'disk':10000}");
	fst_same_again(m);
	fs_snapshot_free(m);
}

/* The run time that checkjob prints takes precedence over the trace. If maui.cfg scales the run times of the trace, the
 * trace alone gives no run time. */
static void simulated_run_times_come_from_checkjob_or_the_trace(void **state)
{
	static const struct fst_file checkjob[] = {
		{ "checkjob_1.txt", "checking job 1\n\nState: Idle\nWallTime: 00:00:00 of 2:00:00  (Recorded WallTime: 1:35:00)\n" },
	};
	struct fst_file scaled[FST_COUNT(base)];
	struct fs_error err;
	fs_snapshot *m = import(checkjob, 1);

	(void)state;
	assert_member(m, "job", 0, "simulated_run_s", "5700");
	assert_member(m, "job", 1, "simulated_run_s", "1200");
	fs_snapshot_free(m);
	memcpy(scaled, base, sizeof(base));
	scaled[0].text = CFG "SIMWCSCALINGPERCENT 50\n";
	fst_no_error(fst_try_maui(scaled, FST_COUNT(base), NULL, &m, &err), &err);
	assert_member(m, "job", 0, "simulated_run_s", "");
	fs_snapshot_free(m);
}

/* The field eligible_s of a pending job: the time, in seconds, that the job had waited when it was last eligible. */
static void checkjob_gives_the_eligible_time_of_pending_jobs(void **state)
{
	static const struct fst_file checkjob[] = {
		{ "checkjob_1.txt", "checking job 1\n\nState: Idle\n"
				    "SubmitTime: Sun Sep 13 14:26:40\n  (Time Queued  Total: 1:20:00  Eligible: 00:12:05)\n" },
		{ "checkjob_two.txt", "checking job two\n\nState: Running\n  (Time Queued  Total: 1:20:00  Eligible: 00:12:05)\n" },
	};
	fs_snapshot *m = import(checkjob, 2);

	(void)state;
	assert_member(m, "job", 0, "eligible_s", "725");
	assert_member(m, "job", 1, "eligible_s", "");
	fs_snapshot_free(m);
}

#define SHOWQ                                                                                     \
	"ACTIVE JOBS--------------------\n"                                                       \
	"JOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME\n\n"       \
	"1                       ann    Running     4     1:48:00  Sun Sep 13 14:27:40\n\n"       \
	"     1 Active Job        4 of    8 Processors Active (50.00%)\n\n"                       \
	"IDLE JOBS----------------------\n"                                                       \
	"two                     bob       Idle     4    00:10:00  Sun Sep 13 14:26:40\n\n"       \
	"BLOCKED JOBS----------------\n"                                                          \
	"9                       eve  BatchHold     2     1:00:00  Sun Sep 13 14:26:40\n\n"       \
	"Total Jobs: 3   Active Jobs: 1   Idle Jobs: 1   Blocked Jobs: 1\n"

#define IDLE_TOO "3                       bob       Idle     1    00:01:00  Sun Sep 13 14:26:40\n"

static void showq_gives_states_times_and_missing_jobs(void **state)
{
	static const struct fst_file more[] = { { "showq.txt", SHOWQ IDLE_TOO } };
	fs_snapshot *m = import(more, 1);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->utc_offset_s, 7200);
	assert_int_equal(fs_snapshot_info(m)->time, 1600000780); /* twelve minutes after the start of job 1 */
	assert_member(m, "job", 0, "state", "'RUNNING'");
	assert_member(m, "job", 0, "start_time", "1600000060");
	assert_member(m, "job", 0, "end_time", "1600007260");
	assert_member(m, "job", 2, "id", "9"); /* job 9 is not in the traces */
	assert_member(m, "job", 2, "user", "'eve'");
	assert_member(m, "job", 2, "reason", "'BatchHold'");
	assert_member(m, "job", 2, "time_limit_s", "3600");
	assert_member(m, "job", 3, "name", "'two'");
	assert_member(m, "job", 3, "reason", "");
	assert_int_equal(fs_snapshot_info(m)->jobs, 4);
	fs_snapshot_free(m);
}

/* The UTC offset cannot be derived from one job alone, because the job may really have been submitted two hours later.
 * Jobs that showq does not list are removed. */
static void one_job_is_not_enough_for_a_utc_offset(void **state)
{
	static const struct fst_file more[] = { { "showq.txt", SHOWQ } };
	fs_snapshot *m = import(more, 1);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->utc_offset_s, 0);
	assert_int_equal(fs_snapshot_info(m)->time, 1600000780 + 7200);
	assert_member(m, "job", 2, "name", "'two'");
	assert_member(m, "job", 2, "submit_time", "1600007200");
	assert_int_equal(fs_snapshot_info(m)->jobs, 3);
	fs_snapshot_free(m);
}

#define SENT_AT(id, submit) \
	id " 0 1 ann staff 600 Completed [batch:1] " submit " 1600009000 1600009000 1600009060 " REST " [NONE] [NONE] phys " \
	   "[NONE] [NONE] 3 0 [DEFAULT] 1 0 0 0 0 0 [NONE] DEFAULT [NONE] [NONE] [NONE] [NONE] [NONE]\n"
#define SUBMITS CFG "SIMINITIALQUEUEDEPTH 1\nSIMJOBSUBMISSIONPOLICY NORMAL\n"

/* In the trace, job 3 comes after job 2. Jobs 2 and 3 are future jobs: no user sees them, and no command finds them. */
static void jobs_that_a_simulation_submits_later_are_future_jobs(void **state)
{
	static const char *const others[] = { SUBMITS "SIMTIMEPOLICY REAL\n", SUBMITS "SIMJOBSUBMISSIONPOLICY CONSTANTJOBDEPTH\n",
					      CFG "SIMINITIALQUEUEDEPTH 1\n" };
	struct fst_file files[] = { { "maui.cfg", SUBMITS }, base[1],
				    { "traces/workload", SENT_AT("1", "1600000000") SENT_AT("2", "1600000300") SENT_AT("3", "1600000030") } };
	bool seen[3];
	uint32_t row;
	fs_snapshot *m;
	struct fs_error err;

	(void)state;
	fst_no_error(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), &err);
	assert_int_equal(fs_snapshot_info(m)->jobs, 3);
	assert_member(m, "job", 0, "state", "'PENDING'");
	for (size_t i = 1; i < 3; i++) {
		assert_member(m, "job", i, "state", "'FUTURE'");
		assert_member(m, "job", i, "submit_time", i == 1 ? "1600000300" : "1600000030");
		assert_member(m, "job", i, "eligible_time", i == 1 ? "1600000300" : "1600000030");
		assert_member(m, "job", i, "simulated_run_s", "60");
	}
	fs_snapshot_visible_jobs(m, NULL, seen);
	assert_true(seen[0] && !seen[1] && !seen[2]);
	assert_int_equal(fs_job_find(m, "1", &row), 0);
	assert_int_equal(row, 0);
	assert_int_equal(fs_job_find(m, "2", &row), 0);
	assert_int_equal(row, FS_NO_ROW);
	fst_same_again(m);
	fs_snapshot_free(m);
	for (size_t i = 0; i < FST_COUNT(others); i++) {
		files[0].text = others[i];
		fst_no_error(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), &err);
		assert_int_equal(fs_snapshot_info(m)->jobs, 1);
		fs_snapshot_free(m);
	}
}

/* diagnose -j shows the queue times of all jobs. showq -i shows queue times and which jobs have a reservation. */
static void commands_give_the_time_since_which_jobs_are_queued(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", SHOWQ IDLE_TOO },
		{ "out/diagnose_-j.txt",
		  "two   Idle ALL    4  hi    00:10:00 0    4      bob    staff     phys    00:05:00   [NONE] [NONE] [NONE]    >=0\n"
		  "1  Running DEF    4  hi     2:00:00 1    4      ann    staff     phys    00:12:00   [NONE] [NONE] [NONE]    >=0\n" },
		{ "out/showq_-i.txt", "   3*         24      1.0  -       bob    staff      1    00:01:00     batch  Sun Sep 13 14:36:40\n" },
		{ "out/showres.txt", "two   Job I    00:49:00     2:19:00     1:30:00    2/4    Sun Sep 13 15:28:40\n" },
	};
	fs_snapshot *m = import(more, FST_COUNT(more));

	(void)state;
	assert_member(m, "job", 0, "eligible_time", "1600000060");
	assert_member(m, "job", 1, "eligible_time", "1600000600");
	assert_member(m, "job", 1, "submit_time", "1600000000");
	assert_member(m, "job", 1, "flags", "['RESERVED']");
	assert_member(m, "job", 3, "eligible_time", "1600000480");
	fs_snapshot_free(m);
}

/* The first idle job that showq lists is two.host.domain, in job row 3. The job with id 3 is in job row 1. */
static void reserved_jobs_come_from_showres_checkjob_or_the_queue(void **state)
{
	static const struct fst_file showq = { "showq.txt", SHOWQ IDLE_TOO };
	static const struct fst_file showres = { "out/showres.txt",
						 "3     Job I    00:49:00     2:19:00     1:30:00    2/4    Sun Sep 13 15:28:40\n" };
	static const struct fst_file none = { "out/showres.txt", "\n" };
	static const struct fst_file checkjob = { "checkjob_3.txt",
						  "checking job 3\n\nState: Idle\nReservation '3' (00:49:00 -> 2:19:00  Duration: 1:30:00)\n" };
	const struct fst_file never[] = { { "maui.cfg", CFG "RESERVATIONPOLICY NEVER\n" }, base[1], base[2], showq };
	struct fs_error err;
	fs_snapshot *without;
	const struct {
		const struct fst_file more[4];
		size_t n;
		bool first, other;
	} cases[] = {
		{ { showq }, 1, true, false },
		{ { showq, showres }, 2, false, true },
		{ { showq, none }, 2, false, false },
		{ { showq, checkjob }, 2, false, true },
	};

	(void)state;
	fst_no_error(fst_try_maui(never, FST_COUNT(never), NULL, &without, &err), &err);
	for (size_t k = 0; k < fs_snapshot_info(without)->jobs; k++)
		assert_false(fs_job_flag(without, k, "RESERVED"));
	fs_snapshot_free(without);
	for (size_t i = 0; i < FST_COUNT(cases); i++) {
		fs_snapshot *m = import(cases[i].more, cases[i].n);

		for (size_t k = 0; k < fs_snapshot_info(m)->jobs; k++) {
			struct fs_job job;

			fs_snapshot_job(m, k, &job);
			if (!strcmp(job.name, "two") || !strcmp(job.name, "3"))
				assert_int_equal(fs_job_flag(m, k, "RESERVED"),
						 *job.name == 't' ? cases[i].first : cases[i].other);
		}
		fs_snapshot_free(m);
	}
}

/* showq no longer lists job 1, which is before the other jobs in the job table. */
static void jobs_are_found_by_name_after_others_have_gone(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", "IDLE JOBS----------------------\n" IDLE_TOO
			       "two                     bob       Idle     4    00:10:00  Sun Sep 13 12:26:40\n\n" },
		{ "out/showq_-i.txt", "   3*         24      1.0  -       bob    staff      1    00:01:00     batch  Sun Sep 13 12:27:40\n" },
	};
	fs_snapshot *m = import(more, FST_COUNT(more));

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 2);
	assert_member(m, "job", 0, "name", "'3'");
	assert_member(m, "job", 0, "flags", "['RESERVED']");
	assert_member(m, "job", 1, "flags", "['RESTARTABLE']");
	fs_snapshot_free(m);
}

/* If there are no traces, the time in the import options gives the year of dates. If the options have no time either,
 * the year is unknown. */
static void the_year_of_a_date_comes_from_the_given_time(void **state)
{
	static const struct fst_file files[] = { { "maui.cfg", "FSPOLICY NONE\n" }, { "showq.txt", SHOWQ } };
	const struct fs_maui_import_options o = { .time = 1600007980 };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	fst_no_error(fst_try_maui(files, FST_COUNT(files), &o, &m, &err), &err);
	assert_member(m, "job", 0, "start_time", "1600007260");
	assert_member(m, "job", 1, "submit_time", "1600007200");
	fs_snapshot_free(m);
	assert_int_equal(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), FS_ENODATA);
}

static void the_capture_time_comes_from_several_sources(void **state)
{
	static const struct {
		struct fst_file file;
		int64_t time;
	} all[] = {
		{ { "date_begin", "1600000100.5\n" }, 1600000100 },
		{ { "out/showq_-r.txt", "                 1  R DEF 100.00      1.0 hi       ann    staff   node03     4     "
					"1:50:00  Sun Sep 13 12:27:40\n" },
		  1600000660 },
		{ { "checkjob_3.txt", "checking job 3\n\nState: Idle\n  (Time Queued  Total: 00:02:00  Eligible: 00:02:00)\n" },
		  1600000120 },
		{ { "checkjob_3.txt", "checking job 3\n\nState: Running\n  (Time Queued  Total: 00:02:00)\n" }, 1600000060 },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		fs_snapshot *m = import(&all[i].file, 1);

		assert_int_equal(fs_snapshot_info(m)->time, all[i].time);
		fs_snapshot_free(m);
	}
}

static void showq_options_give_nodes_flags_and_priorities(void **state)
{
	static const struct fst_file more[] = {
		{ "showq_-r.txt", "                 1* R DEF 100.00      1.0 hi       ann    staff   node03     4     1:50:00  "
				  "Sun Sep 13 12:27:40\n" },
		{ "showq_-i.txt", "                 3*  1000000100      1.0  -       bob    staff      1    00:01:00     "
				  "batch  Sun Sep 13 12:26:40\n" },
	};
	fs_snapshot *m = import(more, 2);

	(void)state;
	assert_member(m, "job", 0, "state", "'RUNNING'");
	assert_member(m, "job", 0, "node_list", "'node03'");
	assert_member(m, "job", 0, "flags", "['BACKFILL','PREEMPTEE']");
	assert_member(m, "job", 1, "priority_set", "100");
	fs_snapshot_free(m);
}

/* showres -n lists each administrator reservation with all of its nodes. */
static void administrator_reservations_have_all_their_nodes(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", SHOWQ },
		{ "out/showres_-n.txt",
		  "reservations on Sun Sep 13 12:31:40\n\n"
		  "            NodeName       Type      ReservationID   JobState Task       Start    Duration            StartTime\n\n"
		  "              node00       User            maint.0        N/A    1     1:56:00     1:00:00  Sun Sep 13 14:27:40\n"
		  "              node01       User            maint.0        N/A    1     1:56:00     1:00:00  Sun Sep 13 14:27:40\n"
		  "              node07       User              bob.0        N/A    1    00:16:00     3:00:00  Sun Sep 13 12:47:40\n"
		  "              node06       User              s.0.0        N/A    1   -00:04:00    INFINITE  Sun Sep 13 12:27:40\n"
		  "4 nodes reserved\n" },
	};
	fs_snapshot *m = import(more, 2);

	(void)state;
	assert_member(m, "reservation", 0, "name", "'maint.0'");
	assert_member(m, "reservation", 0, "nodes", "'node00,node01'");
	assert_member(m, "reservation", 0, "start_time", "1600007260");
	assert_member(m, "reservation", 0, "end_time", "1600010860");
	assert_member(m, "reservation", 1, "nodes", "'node07'");
	assert_member(m, "reservation", 2, "start_time", "1600000060");
	assert_member(m, "reservation", 2, "end_time", "2140000000");
	fs_snapshot_free(m);
}

/* If a node is used by one job only, showres lists one task per node. */
static void a_node_for_one_job_counts_all_tasks(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", CFG "NODEACCESSPOLICY SINGLEJOB\n" },
		{ "traces/resource", NODE("n1") NODE("n2") },
		{ "traces/workload", WORK("1", "4", "ann", "7200", "[NONE]", "[NONE]", "phys", "1", "0", "0", "0") },
		{ "showq.txt", SHOWQ },
		{ "showq_-r.txt",
		  "           JobName  S Par  Effic  XFactor  Q      User    Group    MHost Procs   Remaining            StartTime\n\n"
		  "                 1  R DEF 100.00      1.0 hi       ann    staff       n2     8     1:48:00  Sun Sep 13 14:27:40\n\n"
		  "  1 Jobs       8 of     8 Processors Active (100.00%)\n" },
		{ "showres_-n.txt", "reservations on Sun Sep 13 12:31:40\n\n"
				    "                  n1        Job                  1    Running    1   -00:04:00     2:00:00  Sun Sep 13 12:27:40\n"
				    "                  n2        Job                  1    Running    1   -00:04:00     2:00:00  Sun Sep 13 12:27:40\n" },
	};
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	fst_no_error(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), &err);
	assert_member(m, "job", 0, "node_list", "'n2,n1,n1,n1'");
	fs_snapshot_free(m);
}

/* A nameless job reservation without a start belongs to a deleted job, but Maui still blocks its processors. */
static void a_reservation_of_a_deleted_job_is_reported(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", SHOWQ },
		{ "showres_-n.txt", "reservations on Sun Sep 13 12:31:40\n\n"
				    "              node05        Job                  \001       Idle    1   -INFINITY    INFINITE  Thu Jan  1 00:00:00\n" },
	};
	fs_snapshot *m = import(more, 2);

	(void)state;
	assert_true(fst_warned(m, "node05: plans ignore a deleted reservation for which Maui still blocks processors (tasks: 1)"));
	fs_snapshot_free(m);
}

/* Access lists come from diagnose -r. A list with a denial or a comparison cannot be evaluated; the field admits_told
 * of its reservation is false. */
static void administrator_reservations_have_their_access_lists(void **state)
{
#define PLACE(node, name) "              " node "       User              " name "        N/A    1    00:16:00     3:00:00  Sun Sep 13 12:47:40\n"
#define DIAGNOSED(name, type) name "                      " type " DEF   -00:24:00     2:36:00      3:00:00    1    1    4\n    Flags: PREEMPTEE\n"
	static const struct fst_file more[] = {
		{ "showq.txt", SHOWQ },
		{ "out/showres_-n.txt", "reservations on Sun Sep 13 12:31:40\n\n" PLACE("node00", "bob.0") PLACE("node01", "maint.0")
						PLACE("node02", "odd.0") PLACE("node03", "late.0") },
		{ "out/diagnose_-r.txt",
		  "Diagnosing Reservations\nResID                      Type Par   StartTime     EndTime     Duration Node Task Proc\n"
		  DIAGNOSED("bob.0", "User") "    ACL: RES==bob= USER==bob+:==eve- GROUP==staff+ ACCT==phys= CLASS==long+ QOS==hi+ \n    CL:  RES==bob \n"
		  DIAGNOSED("maint.0", "User") "    ACL: RES==maint= \n    CL:  RES==maint \n"
		  DIAGNOSED("odd.0", "User") "    ACL: RES==odd= USER==bob+:==eve+! DURATION<=600+ \n"
		  DIAGNOSED("5", "Job") "    ACL: JOB==5= USER==dan+ \n" },
	};
	fs_snapshot *m = import(more, 3);

	(void)state;
	assert_member(m, "reservation", 0, "users", "['bob','eve']");
	assert_member(m, "reservation", 0, "groups", "['staff']");
	assert_member(m, "reservation", 0, "accounts", "['phys']");
	assert_member(m, "reservation", 0, "classes", "['long']");
	assert_member(m, "reservation", 0, "qos", "['hi']");
	assert_member(m, "reservation", 0, "admits_told", "true");
	assert_member(m, "reservation", 1, "users", "");
	assert_member(m, "reservation", 1, "admits_told", "true");
	assert_member(m, "reservation", 2, "admits_told", "false");
	assert_member(m, "reservation", 3, "admits_told", "");
	fs_snapshot_free(m);
}

/* A job that only showq or only showq -r lists is imported, too. */
static void jobs_of_either_queue_listing_are_imported(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", SHOWQ },
		{ "showq_-r.txt", "                77  R DEF 100.00      1.0 hi       eve    staff   node03     4     1:50:00  "
				  "Sun Sep 13 14:27:40\n" },
	};
	fs_snapshot *m = import(more, 2);

	(void)state;
	assert_int_equal(fs_snapshot_info(m)->jobs, 4);
	assert_member(m, "job", 2, "id", "77");
	assert_member(m, "job", 2, "state", "'RUNNING'");
	assert_member(m, "job", 2, "user", "'eve'");
	fs_snapshot_free(m);
}

static void jobs_of_simulation_statistics_run_until_their_end_time(void **state)
{
	static const struct fst_file more[] = {
		{ "date_begin", "1600000700\n" },
		{ "stats/simstat.out",
		  "VERSION 230\n"
		  "1 0 4 ann staff 7200 Completed [batch:1] 1600000000 1600000060 1600000060 1600000600 " REST
		  " hi:hi [NONE] phys [NONE] [NONE] 0 4560.00 DEFAULT 1 300M 0M 0M 0 0 node03:node04 [DEFAULT] [NONE] [NONE] "
		  "[DEFAULT] [NONE] [NONE]\n"
		  "3 0 1 bob staff 60 Completed [batch:1] 1600000000 1600000690 1600000690 1600000750 " REST
		  " hi:hi [NONE] phys [NONE] [NONE] 0 4560.00 DEFAULT 1 0M 0M 0M 0 0 node03 [DEFAULT] [NONE] [NONE] "
		  "[DEFAULT] [NONE] [NONE]\n" },
	};
	fs_snapshot *m = import(more, 2);

	(void)state;
	assert_member(m, "job", 0, "state", "'COMPLETED'");
	assert_member(m, "job", 0, "end_time", "1600000600");
	assert_member(m, "job", 1, "state", "'RUNNING'");
	assert_member(m, "job", 0, "node_list", "'node03,node04'");
	assert_member(m, "job", 1, "node_list", "'node03'");
	fs_snapshot_free(m);
}

static void bad_traces_are_refused(void **state)
{
	static const struct {
		const char *file, *text, *field;
		uint64_t line;
	} all[] = {
		{ "traces/workload", "1 0 4 ann staff\n", "", 1 },
		{ "traces/workload", WORK("1", "x", "ann", "60", "[NONE]", "[NONE]", "a", "1", "0", "0", "0"), "tasks", 1 },
		{ "traces/workload",
		  "\n" WORK("1", "1", "ann", "-60", "[NONE]", "[NONE]", "a", "1", "0", "0", "0"), "time_limit_s", 2 },
		{ "traces/resource", "COMPUTENODE AVAILABLE 1600000000 n\n", "", 1 },
		{ "traces/resource",
		  "COMPUTENODE AVAILABLE 1600000000 n DEFAULT 1 1 1 many 1 1 1 L x [NONE] [b:1] x x x x x\n", "cpus", 1 },
		{ "date_begin", "yesterday\n", "date", 1 },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file files[] = { { "maui.cfg", CFG }, { all[i].file, all[i].text } };
		struct fs_error err;
		fs_snapshot *m;
		char name[80];

		assert_int_equal(fst_try_maui(files, 2, NULL, &m, &err), FS_EDATA);
		snprintf(name, sizeof(name), "dir/%s", all[i].file);
		assert_string_equal(err.file, name);
		fst_expect(&err, FS_EDATA, all[i].line, all[i].field, "");
	}
}

/* If a capture has several outputs of showq, the output of the given time is used. */
static void the_queue_of_the_given_time_is_used(void **state)
{
	static const struct fst_file files[] = {
		{ "maui.cfg", CFG },
		{ "traces/resource", NODE("n1") },
		{ "traces/workload", WORK("1", "4", "ann", "7200", "[NONE]", "[NONE]", "phys", "1", "0", "0", "0") },
		{ "out/showq.txt", "ACTIVE JOBS\n1 ann Running 4 1:48:00 Sun Sep 13 12:27:40\n" },
		{ "out/showq.1.txt", "ACTIVE JOBS\n1 ann Running 4 1:38:00 Sun Sep 13 12:27:40\n" },
	};
	const struct fs_maui_import_options o = { .time = 1600001380 };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	fst_no_error(fst_try_maui(files, FST_COUNT(files), &o, &m, &err), &err);
	assert_member(m, "job", 0, "end_time", "1600007260");
	assert_int_equal(fs_snapshot_info(m)->time, 1600001380);
	fs_snapshot_free(m);
}

/* showq -r shows the first three letters of a job's partition, checkjob shows the whole name. Pending jobs have no
 * partition. */
static void partitions_of_jobs_and_nodes_are_imported(void **state)
{
#define ROW(partition) \
	"                 1  R " partition "  98.50      1.0 hi       ann    staff       n2     4     1:50:00  Sun Sep 13 12:27:40\n"
	static const struct fst_file nodes = {
		"maui.cfg", CFG "NODECFG[n1] PARTITION=DEFAULT\nNODECFG[n2] PARTITION=other MAXJOB=1\nNODECFG[n9] PARTITION=p9\n"
				"USERCFG[ann] PLIST=other\n"
	};
	static const struct fst_file page = { "checkjob_1.txt", "checking job 1\n\nState: Running\n\nReq[0]  TaskCount: 4  Partition: other\n" };
	static const struct fst_file waits = { "checkjob_3.txt", "checking job 3\n\nState: Idle\n\nReq[0]  TaskCount: 1  Partition: ALL\n" };
	const struct {
		struct fst_file more[3];
		size_t n;
		const char *want;
	} all[] = {
		{ { { "showq_-r.txt", ROW("DEF") } }, 1, "" },
		{ { { "showq_-r.txt", ROW("oth") } }, 1, "'oth'" },
		{ { { "showq_-r.txt", ROW("oth") }, page, waits }, 3, "'other'" },
	};
	struct fst_file cfg[] = { nodes, base[1], base[2] };
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		m = import(all[i].more, all[i].n);
		assert_member(m, "job", 0, "maui_partition", all[i].want);
		assert_member(m, "job", 2, "maui_partition", "");
		fst_same_again(m);
		fs_snapshot_free(m);
	}
	fst_no_error(fst_try_maui(cfg, FST_COUNT(cfg), NULL, &m, &err), &err);
	assert_member(m, "node", 0, "maui_partition", "");
	assert_member(m, "node", 1, "maui_partition", "'other'");
	assert_true(fst_warned(m, "dir/maui.cfg:5: NODECFG: the attribute MAXJOB is not supported"));
	assert_true(fst_warned(m, "dir/maui.cfg:7: PLIST is not supported"));
	fs_snapshot_free(m);
}

/* The import reads data that only the job listings of Maui's showq show. */
static void showq_gives_efficiency_priority_and_active_nodes(void **state)
{
	static const struct fst_file more[] = {
		{ "showq.txt", "ACTIVE JOBS\n1 ann Running 4 1:50:00 Sun Sep 13 12:27:40\n\n"
			       "     1 Active Job        4 of    8 Processors Active (50.00%)\n"
			       "                         1 of    2 Nodes Active      (50.00%)\n"
			       "IDLE JOBS\ntwo bob Idle 4 00:10:00 Sun Sep 13 12:26:40\n3 bob Idle 1 00:01:00 Sun Sep 13 12:26:40\n" },
		{ "showq_-r.txt", "                 1+ R DEF  98.50      1.0 hi       ann    staff       n2     4     "
				  "1:50:00  Sun Sep 13 12:27:40\n" },
		{ "showq_-r_-v.txt", "                 1+ R     77 DEF  98.50      1.0 hi       ann    staff       n2     4 "
				     "    1:50:00  Sun Sep 13 12:27:40\n" },
		{ "showq_-i.txt", "               two*        147      1.4 lo       bob    staff      4    00:10:00     "
				  "batch  Sun Sep 13 12:26:40\n" },
		{ "showq_-i.1.txt", "                 3*        147      1.4 lo       bob    staff      4    00:10:00     "
				    "batch  Sun Sep 13 12:26:40\n" },
	};
	fs_snapshot *m = import(more, FST_COUNT(more));
	struct fs_machine use;

	(void)state;
	assert_member(m, "snapshot", 0, "active_nodes", "1");
	assert_member(m, "job", 0, "efficiency", "98.5");
	assert_member(m, "job", 0, "priority", "77");
	assert_member(m, "job", 0, "node_list", "'n2'");
	assert_member(m, "job", 0, "flags", "['BACKFILL']");
	assert_member(m, "job", 2, "flags", "['RESTARTABLE','RESERVED']");
	assert_false(fs_job_flag(m, 1, "RESERVED"));
	assert_int_equal(fs_snapshot_machine(m, &use), 0);
	/* showq prints 1 active node; by the node records alone, 1 or 2 nodes may be busy */
	assert_int_equal(use.busy_nodes, 1);
	fs_snapshot_free(m);
}

/* Returns true if any warning of the snapshot contains the text `told`. Frees the snapshot. */
static bool has_told(fs_snapshot *m, const char *told)
{
	bool found = false;

	for (size_t i = 0; i < fs_snapshot_warnings(m); i++)
		found = found || strstr(fs_snapshot_warning(m, i), told);
	fs_snapshot_free(m);
	return found;
}

static bool tells(const struct fst_file *more, size_t n, const char *told)
{
	return has_told(import(more, n), told);
}

static bool counts_others(const char *idle, const char *blocked, const char *told)
{
	char text[1000];
	struct fst_file more[] = { { "showq.txt", text } };

	snprintf(text, sizeof(text),
		 "ACTIVE JOBS---\n1 ann Running 4 1:48:00  Sun Sep 13 14:27:40\n%s3 bob Idle 4 00:10:00  Sun Sep 13 14:26:40\n"
		 "%s9 eve BatchHold 2 1:00:00  Sun Sep 13 14:26:40\nTotal Jobs: 3   Active Jobs: 1   Idle Jobs: 1   Blocked Jobs: 1\n",
		 idle, blocked);
	return tells(more, 1, told);
}

static bool some_are_missing(const char *window)
{
	const struct fst_file more[] = { { "fs_in/FS.1599998400", window } };

	return tells(more, 1, "entries are missing");
}

static void windows_without_all_users_or_groups_are_reported(void **state)
{
	(void)state;
	assert_false(some_are_missing("user ann 90.000\nuser bob 10.000\ngroup staff 100.000\nsched x 100.000\n"));
	assert_true(some_are_missing("user ann 90.000\ngroup staff 100.000\nsched x 100.000\n"));
	assert_true(some_are_missing("group staff 100.000\nsched x 100.000\n"));
	assert_true(some_are_missing("acct phys 100.000\nsched x 100.000\n"));
	assert_false(some_are_missing("sched x 0.000\n"));
}

/* Without the heading of a section, its jobs would be counted in the section above. */
static void section_totals_of_showq_are_checked(void **state)
{
	(void)state;
	assert_false(counts_others("IDLE JOBS---\n", "BLOCKED JOBS---\n", "the total line shows"));
	assert_true(counts_others("", "BLOCKED JOBS---\n", "showq.txt: the total line shows 1 active jobs, but the file lists 2"));
	assert_true(counts_others("IDLE JOBS---\n", "", "showq.txt: the total line shows 1 idle jobs, but the file lists 2"));
}

/* A listing has one row and a line with the number of rows. If any word of the row is missing, the row cannot be read,
 * and the import warns that it has fewer rows than this number. */
static void totals_of_other_listings_are_checked(void **state)
{
	static const struct {
		const char *file, *row, *count;
	} all[] = {
		{ "showq_-r.txt", "1 R DEF 98.50 1.0 hi ann staff n2 4 1:48:00 Sun Sep 13 14:27:40", "1 Jobs 4 of 8 Processors Active (50.00%)" },
		{ "showq_-r.txt", "1 R DEF ------ 1.0 hi ann staff n2 4 1:48:00 Sun Sep 13 14:27:40", "1 Jobs 4 of 8 Processors Active (50.00%)" },
		{ "showq_-r_-v.txt", "1 R 77 DEF 98.50 1.0 hi ann staff n2 4 1:48:00 Sun Sep 13 14:27:40",
		  "1 Jobs 4 of 8 Processors Active (50.00%)" },
		{ "showq_-i.txt", "two* 147 1.4 lo bob staff 4 00:10:00 batch Sun Sep 13 14:26:40", "Jobs: 1 Total Backlog: 0.67 ProcHours (0.08 Hours)" },
		{ "showres.txt", "two Job I 00:27:00 00:47:00 00:20:00 2/4 Sun Sep 13 14:57:40", "1 reservations located" },
		{ "diagnose_-j.txt",
		  "two Idle ALL 4 DEF 00:10:00 0 4 bob staff chem 00:04:00 [NONE] [NONE] [NONE] >=0 >=0 NC0 [batch:1] [NONE]",
		  "Total Jobs: 1 Active Jobs: 0" },
	};
	char text[400];

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file more[] = { { "showq.txt", SHOWQ }, { all[i].file, text } };

		snprintf(text, sizeof(text), "JobName\nName\nReservations\n%s\n%s\n", all[i].row, all[i].count);
		assert_false(tells(more, 2, all[i].file));
		snprintf(text, sizeof(text), "%s\n", all[i].count);
		assert_true(tells(more, 2, "the total line shows 1 job, but the file lists 0"));
		snprintf(text, sizeof(text), "%s\n", all[i].row);
		assert_true(tells(more, 2, "the line with the number of jobs is missing"));
	}
	for (const char *gap = strchr(all[0].row, ' '); gap; gap = strchr(gap + 1, ' ')) {
		const struct fst_file more[] = { { "showq.txt", SHOWQ }, { all[0].file, text } };
		const char *next = strchr(gap + 1, ' ');

		snprintf(text, sizeof(text), "%.*s%s\n%s\n", (int)(gap - all[0].row), all[0].row, next ? next : "", all[0].count);
		assert_true(tells(more, 2, "the total line shows 1 job, but the file lists 0"));
	}
}

/* Warnings report outputs of checkjob without a required text, and simulation parameters in the configuration of a
 * server that does not simulate. */
static void incomplete_checkjob_output_and_odd_settings_are_reported(void **state)
{
	static const struct {
		const char *file, *text, *told;
	} all[] = {
		{ "checkjob_3.txt", "checking job 3\n\nState: Idle\n  (Time Queued  Total: 00:02:00  Eligible: 00:02:00)\n", NULL },
		{ "checkjob_3.txt", "\nState: Idle\n  (Time Queued  Total: 00:02:00)\n", "checkjob_3.txt: the file is not the output of checkjob: the text \"checking job\" is missing" },
		{ "checkjob_3.txt", "checking job 3\n  (Time Queued  Total: 00:02:00)\n", "checkjob_3.txt: the file is not the output of checkjob: the text \"State:\" is missing" },
		{ "checkjob_3.txt", "checking job 3\nState: Idle\n  (Time Total: 00:02:00)\n", "the file is not the output of checkjob: the text \"(Time Queued  Total:\" is missing" },
		{ "out/checkjob_3.txt", "", "out/checkjob_3.txt: the file is not the output of checkjob" },
	};
	const struct fst_file real = { "maui.cfg", "SIMWORKLOADTRACEFILE traces/workload\nSIMSTOPITERATION 1\n" };
	struct fst_file files[FST_COUNT(base)];
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		const struct fst_file more[] = { { all[i].file, all[i].text } };

		assert_int_equal(tells(more, 1, all[i].told ? all[i].told : "checkjob"), all[i].told != NULL);
	}
	assert_false(tells(NULL, 0, "simulation parameter"));
	memcpy(files, base, sizeof(base));
	files[0] = real;
	fst_no_error(fst_try_maui(files, FST_COUNT(files), NULL, &m, &err), &err);
	assert_true(has_told(m, "maui.cfg: SERVERMODE is not SIMULATION, so 2 simulation parameters have no effect"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(node_requirements_of_jobs_are_imported),
		cmocka_unit_test(partitions_of_jobs_and_nodes_are_imported),
		cmocka_unit_test(traces_give_jobs_and_nodes),
		cmocka_unit_test(simulated_run_times_come_from_checkjob_or_the_trace),
		cmocka_unit_test(checkjob_gives_the_eligible_time_of_pending_jobs),
		cmocka_unit_test(showq_gives_states_times_and_missing_jobs),
		cmocka_unit_test(section_totals_of_showq_are_checked),
		cmocka_unit_test(totals_of_other_listings_are_checked),
		cmocka_unit_test(incomplete_checkjob_output_and_odd_settings_are_reported),
		cmocka_unit_test(windows_without_all_users_or_groups_are_reported),
		cmocka_unit_test(one_job_is_not_enough_for_a_utc_offset),
		cmocka_unit_test(jobs_that_a_simulation_submits_later_are_future_jobs),
		cmocka_unit_test(commands_give_the_time_since_which_jobs_are_queued),
		cmocka_unit_test(showq_gives_efficiency_priority_and_active_nodes),
		cmocka_unit_test(reserved_jobs_come_from_showres_checkjob_or_the_queue),
		cmocka_unit_test(jobs_are_found_by_name_after_others_have_gone),
		cmocka_unit_test(the_year_of_a_date_comes_from_the_given_time),
		cmocka_unit_test(the_capture_time_comes_from_several_sources),
		cmocka_unit_test(showq_options_give_nodes_flags_and_priorities),
		cmocka_unit_test(a_reservation_of_a_deleted_job_is_reported),
		cmocka_unit_test(administrator_reservations_have_their_access_lists),
		cmocka_unit_test(jobs_of_either_queue_listing_are_imported),
		cmocka_unit_test(a_node_for_one_job_counts_all_tasks),
		cmocka_unit_test(administrator_reservations_have_all_their_nodes),
		cmocka_unit_test(jobs_of_simulation_statistics_run_until_their_end_time),
		cmocka_unit_test(bad_traces_are_refused),
		cmocka_unit_test(the_queue_of_the_given_time_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
