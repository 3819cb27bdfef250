/* import/maui: totals of listings, and reservations of deleted jobs. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_of_other_listings_are_checked),
		cmocka_unit_test(a_reservation_of_a_deleted_job_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
