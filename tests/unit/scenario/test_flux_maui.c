/* scenario/: the commands of Flux and of Maui. */
#include "fsprio.h"
#include "fs/scenario.h"

#define FLUX \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'flux 0.66.0'}\n" \
	REC("partition", "'name':'batch','priority':0") REC("partition", "'name':'debug','priority':100") \
	REC("association", "'account':'root','id':1,'shares':1") \
	REC("association", "'account':'b','id':2,'parent':'root','shares':1,'bank_priority':0") \
	REC("association", "'account':'b','id':3,'user':'u','shares':1,'usage_tres_s':5,'fairshare':0.5,'queues':['batch']") \
	REC("association", "'account':'b','id':4,'user':'v','shares':1,'usage_tres_s':9,'fairshare':0.25") \
	REC("job", "'id':7,'state':'PENDING','submit_time':1000,'time_limit_s':3600,'user':'u','account':'b','partitions':['batch'],'priority':50000,'urgency':16,'fairshare_ppm':500000") \
	REC("job", "'id':8,'state':'RUNNING','start_time':1699999000,'time_limit_s':3600,'user':'v','account':'b','partitions':['batch'],'urgency':16") \
	REC("job", "'id':9,'state':'PENDING','submit_time':1000,'user':'v','account':'b','partitions':['batch'],'priority':25000,'urgency':20,'fairshare_ppm':250000")
#define MAUI \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'maui 3.5'}\n" \
	REC("config", "'QUEUETIMEWEIGHT':1") \
	REC("credential", "'kind':'user','name':'u','qos':['high']") REC("credential", "'kind':'qos','name':'high'") \
	REC("job", "'id':7,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'u','priority':5") \
	REC("job", "'id':8,'state':'PENDING','submit_time':1000,'eligible_time':1000,'user':'v','reason':'UserHold','priority':5") \
	REC("job", "'id':9,'state':'RUNNING','submit_time':1000,'start_time':1000,'user':'v'")

static char notes[2048];

static void note(void *ctx, const char *sentence)
{
	const size_t len = strlen(notes);

	(void)ctx;
	snprintf(notes + len, sizeof(notes) - len, "%s\n", sentence);
}

static int edit(fs_snapshot *m, const char *viewer, const char *command, struct fs_error *err)
{
	const struct fs_edit_options o = { .viewer = viewer, .note = note };

	*notes = '\0';
	return fs_snapshot_edit(m, command, &o, err);
}

/* Runs the command as root, then checks the record that begins with `begin`. If `expected` is NULL, checks that there
 * is no such record. */
static void check(const char *site, const char *command, const char *begin, const char *expected)
{
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;

	fst_no_error(edit(m, "root", command, &err), &err);
	fst_check_line(m, begin, expected);
	fs_snapshot_free(m);
}

static void refused(const char *site, const char *command, const char *why)
{
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;

	assert_int_equal(edit(m, "root", command, &err), FS_EUSAGE);
	if (!strstr(err.message, why)) {
		print_error("%s: %s\n", command, err.message);
		fail();
	}
	fs_snapshot_free(m);
}

static void told(const char *site, const char *viewer, const char *command, const char *expected)
{
	fs_snapshot *m = fst_snapshot(site);
	struct fs_error err;

	fst_no_error(edit(m, viewer, command, &err), &err);
	if (strcmp(notes, expected) != 0) {
		print_error("%s: %s", command, notes);
		fail();
	}
	fs_snapshot_free(m);
}

#define OF_JOB(id) "{'type':'job','id':" #id ","

static void flux_commands_change_jobs_banks_and_queues(void **state)
{
	(void)state;
	check(FLUX, "flux job urgency ƒ8 hold", OF_JOB(7), "'urgency':0,'fairshare_ppm':500000}");
	check(FLUX, "flux job urgency ƒ8 expedite", OF_JOB(7), "'urgency':31,");
	check(FLUX, "flux update ƒ8 duration=90m", OF_JOB(7), "'time_limit_s':5400,");
	check(FLUX, "flux update ƒ8 duration=-30m", OF_JOB(7), "'time_limit_s':1800,");
	check(FLUX, "flux update ƒ8 attributes.system.duration=infinity", OF_JOB(7), "'time_limit_s':'unlimited',");
	check(FLUX, "flux update ƒ9 duration=2h", OF_JOB(8), "'end_time':1700006200,'time_limit_s':7200,");
	check(FLUX, "flux update ƒA queue=debug", OF_JOB(9), "'partitions':['debug']");
	check(FLUX, "flux cancel ƒ8", OF_JOB(7), NULL);
	check(FLUX, "flux account edit-bank b --shares=9 --priority=3.5", "{'type':'association','id':2,", "'shares':9,'bank_priority':3.5}");
	check(FLUX, "flux account edit-bank b --priority=-3", "{'type':'association','id':2,", "'bank_priority':-3}");
	check(FLUX, "flux account edit-user v --bank=b --shares 4", "{'type':'association','id':4,", "'shares':4,'usage_tres_s':9}");
	check(FLUX, "flux account edit-user v --max-running-jobs=2", "{'type':'association','id':4,", "'max_jobs':2}");
	check(FLUX, "flux account edit-queue batch --priority=-4", "{'type':'partition','name':'batch'", "'priority':-4}");
	check(FLUX, "flux account edit-factor --factor=bank --weight=50", "{'type':'config'", "'weight_bank':50");
}

/* Flux uses a changed priority of a queue or bank only for jobs that a user submits or moves later. */
static void pending_jobs_keep_the_priorities_of_queue_and_bank(void **state)
{
	static const struct {
		const char *first, *then;
		double queue, bank; /* priorities of queue and bank that apply to job 9 of user v */
	} rows[] = {
		{ "flux account edit-queue batch --priority=7", "flux account edit-queue batch --priority=9", 0, 0 },
		{ "flux account edit-queue debug --priority=7", "flux update ƒA queue=debug", 7, 0 },
		{ "flux update ƒA queue=debug", "flux account edit-queue debug --priority=7", 100, 0 },
		{ "flux account edit-bank b --priority=2.5", "flux account edit-factor --factor=bank --weight=10", 0, 0 },
		{ "flux account edit-bank b --priority=2.5", "flux update ƒA bank=b", 0, 2.5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(FLUX);
		struct fs_prio_row row;
		struct fs_error err;
		fs_prios *p;

		fst_no_error(edit(m, "root", rows[i].first, &err), &err);
		fst_no_error(edit(m, "root", rows[i].then, &err), &err);
		p = fst_prios(m, NULL);
		fs_prios_row(p, fs_prios_find(p, 9), &row);
		assert_same_double(row.terms[1].value, rows[i].queue);
		assert_same_double(row.terms[2].value, rows[i].bank);
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

/* Jobs of a deleted user keep the fair-share factor that the user had. */
static void jobs_of_a_deleted_user_keep_their_fairshare(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX REC("association", "'account':'b','id':5,'user':'w','shares':1,'fairshare':0.125,'active':false")
		REC("job", "'id':12,'state':'PENDING','submit_time':1000,'user':'w','account':'b','partitions':['batch'],'priority':12500,'urgency':16"));
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p;

	(void)state;
	fst_no_error(edit(m, "root", "flux account edit-bank b --shares=9", &err), &err);
	p = fst_prios(m, NULL);
	fs_prios_row(p, fs_prios_find(p, 12), &row);
	assert_same_double(row.priority, 12500);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

static void invalid_flux_commands_are_refused(void **state)
{
	(void)state;
	refused(FLUX, "scontrol hold 7", "the snapshot's scheduler is Flux: expected a command that begins with flux, got \"scontrol\"");
	refused(FLUX, "flux jub urgency", "the nearest is job");
	refused(FLUX, "flux job urgency ƒ8 40", "0 to 31");
	refused(FLUX, "flux job urgency ƒ9 3", "the urgency of job ƒ9 cannot be changed once the job has its resources");
	refused(FLUX, "flux job urgency ƒZZ 3", "not in the snapshot");
	refused(FLUX, "flux update ƒ8 queue=debug", "is not open to user u");
	refused(FLUX, "flux update ƒ8 queue=none", "no queue \"none\"");
	refused(FLUX, "flux update ƒ8 bank=x", "is not in bank \"x\"");
	refused(FLUX, "flux update ƒ8 duration=-2h", "must be above 0");
	refused(FLUX, "flux update ƒA duration=+2h", "the job's time limit is unknown, so it cannot be changed by +2h");
	refused(FLUX, "flux update ƒ8", "expected a setting to change");
	refused(FLUX, "flux account edit-bank z --shares=1", "no bank \"z\"");
	refused(FLUX, "flux account edit-bank b --shares=0", "expected a number above 0");
	refused(FLUX, "flux account edit-bank b --priority=high", "expected a number");
	refused(FLUX, "flux account edit-user u --bank=q --shares=1", "in bank q");
	refused(FLUX, "flux account edit-factor --factor=fairshre --weight=1", "the nearest is fairshare");
}

static void a_note_names_who_may_run_a_flux_command(void **state)
{
	(void)state;
	told(FLUX, "u", "flux job urgency ƒ8 16", "");
	told(FLUX, "u", "flux job urgency ƒ8 17", "only the instance owner may do this\n");
	told(FLUX, "v", "flux job urgency ƒA 20", ""); /* the job already has this urgency */
	told(FLUX, "u", "flux job urgency ƒA 1", "only v or the instance owner may do this\n");
	told(FLUX, "v", "flux update ƒ9 duration=3h", "only the instance owner may do this\n");
	told(FLUX, "v", "flux update ƒA duration=3h", "");
}

static void maui_commands_change_jobs_and_parameters(void **state)
{
	(void)state;
	check(MAUI, "setspri 500 7", OF_JOB(7), "'priority_set':500}");
	check(MAUI, "setspri -r 500 7", OF_JOB(7), "'priority_set':2000000500}");
	check(MAUI, "setspri 0 7", OF_JOB(7), "'user':'u'}");
	check(MAUI, "sethold -b 7", OF_JOB(7), "'reason':'BatchHold'}");
	check(MAUI, "releasehold 8", OF_JOB(8), "'eligible_time':1700000000,'user':'v'}");
	check(MAUI, "canceljob 7", OF_JOB(7), NULL);
	check(MAUI, "setqos high 7", OF_JOB(7), "'qos':['high']");
	check(MAUI, "qalter -l walltime=1:30:00 7", OF_JOB(7), "'time_limit_s':5400,");
	check(MAUI, "qalter -l walltime=90 -W x=QOS:high 7", OF_JOB(7), "'time_limit_s':90,'user':'u','qos':['high']");
	check(MAUI, "qalter -l walltime=1:00:00:00 9", OF_JOB(9), "'end_time':87400,'time_limit_s':86400,");
	check(MAUI, "qalter -l walltime=90 7 8", OF_JOB(8), "'time_limit_s':90,");
	check(MAUI, "changeparam XFACTORWEIGHT 7", "{'type':'config'", "'XFACTORWEIGHT':7");
	check(MAUI, "XFACTORWEIGHT 10", "{'type':'config'", "'XFACTORWEIGHT':10");
	check(MAUI, "FSINTERVAL=1:12:00:00", "{'type':'config'", "'FSINTERVAL':129600");
	check(MAUI, "BACKFILLPOLICY NONE", "{'type':'config'", "'BACKFILLPOLICY':'NONE'");
	check(MAUI, "changeparam fspolicy DEDICATEDPS", "{'type':'config'", "'FSPOLICY':'DEDICATEDPS'");
	check(MAUI, "USERCFG[u] FSTARGET=25.5- PRIORITY=7", "{'type':'credential','kind':'user','name':'u'",
	      "'target':25.5,'target_mode':'ceiling','priority':7");
	check(MAUI, "QOSCFG[high] QTWEIGHT=3 MAXJOB=2,4", "{'type':'credential','kind':'qos','name':'high'", "'queuetime_weight':3");
	check(MAUI, "FSDECAY .5", "{'type':'config'", "'FSDECAY':0.5");
}

static void invalid_maui_commands_are_refused(void **state)
{
	(void)state;
	refused(MAUI, "setspri 5000 7", "0 to 1000");
	refused(MAUI REC("job", "'id':10,'state':'FUTURE','submit_time':1700000600"), "setspri 5 10", "not in the snapshot");
	refused(MAUI, "setspri 5", "expected [-r] PRIORITY JOB");
	refused(MAUI, "setspri 5 6 7", "expected [-r] PRIORITY JOB");
	refused(MAUI, "setsprio 5 7 8", "the nearest is setspri");
	refused(MAUI, "sethold -x 7", "-a, -b, -s, -u");
	refused(MAUI, "sethold -u 9", "job 9 is not pending");
	refused(MAUI, "setqos 7", "expected QOS JOB");
	refused(MAUI, "setqos none 7", "no QOS \"none\"");
	refused(MAUI, "setqos high 8", "in no QLIST");
	refused(MAUI, "qalter 7", "expected -l walltime=TIME");
	refused(MAUI, "qalter -l walltime=5", "expected a job id");
	refused(MAUI, "qalter -l walltime=x 7", "a walltime such as");
	refused(MAUI, "qalter -l mem=5gb 7", "-l walltime=TIME or -W x=QOS:NAME");
	refused(MAUI, "changeparam XFACTORWEIGHT", "expected PARAMETER VALUE");
	refused(MAUI, "changeparam XFACTRWEIGHT 10", "the nearest parameter is XFACTORWEIGHT");
	refused(MAUI, "XFACTRWEIGHT 10", "the nearest parameter is XFACTORWEIGHT");
	refused(MAUI, "XFACTORWEIGHT ten", "whole number");
	refused(MAUI, "FSINTERVAL 1:2:3:4:5", "FSINTERVAL: expected a time from 1 to 2147483647 s");
	refused(MAUI, "BACKFILLPOLICY WORSTFIT", "BACKFILLPOLICY: expected one of NONE FIRSTFIT");
	refused(MAUI, "USERCFG FSTARGET=5", "USERCFG: expected a name in brackets, as in USERCFG[name]");
	refused(MAUI, "XFACTORWEIGHT[3] 5", "a setting of one partition is not supported");
	refused(MAUI, "XFACTORWEIGHT=", "has no value");
}

static void a_note_names_who_may_run_a_maui_command(void **state)
{
	(void)state;
	told(MAUI, "root", "FSDEPTH 30", "FSDEPTH 30 is more than Maui's maximum of 24 windows, so FSDEPTH is 24\n");
	told(MAUI, "root", "FSWEIGHT 50%", "FSWEIGHT: Maui reads every percentage as 10\n");
	told(MAUI, "u", "setspri 5 7", "only an administrator (ADMIN1, ADMIN2) may do this\n");
	told(MAUI, "u", "sethold -u 7", "");
	told(MAUI, "u", "setqos high 7", "");
	told(MAUI, "v", "setqos high 7", "only u or an administrator may do this\n");
	told(MAUI, "u", "qalter -l walltime=3600 7", "");
	told(MAUI, "v", "qalter -l walltime=3600 7", "only u or an administrator may do this\n");
	told(MAUI, "v", "qalter -l walltime=3600 9", "only a manager of the resource manager may lengthen the walltime of a running job\n");
	told(MAUI, "v", "sethold -u 7", "only u or an administrator may do this\n");
	told(MAUI, "v", "releasehold -u 8", "job 8: its queue time starts again at 0\n");
	told(MAUI, "v", "releasehold -s 8", "job 8 has no SystemHold to release\n");
}

/* Changes commands at random. Each result must be an error, or a snapshot that can be written and read again. */
static void random_changes_of_commands_cause_no_damage(void **state)
{
	static const char letters[] = "=,+-:_ '\"%\\\n\t09azAZ\x01\x7f\xc3\xa9\xff";
	static const char *const flux[] = { "flux job urgency 7 16", "flux update 7 duration=+1.5h queue=batch bank=b",
					    "flux account edit-user u --bank=b --shares=4", "flux account edit-factor --factor=bank --weight=1" };
	static const char *const maui[] = { "setspri -r 5 7", "sethold -u 7", "releasehold 8", "XFACTORWEIGHT=5", "setqos high 7",
					    "qalter -l walltime=1:00:00 7", "changeparam FSDEPTH 3" };
	uint64_t seed = 42;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		const bool is_flux = round % 2;
		fs_snapshot *m = fst_snapshot(is_flux ? FLUX : MAUI);
		char command[128];
		struct fs_error err;
		int rc;

		snprintf(command, sizeof(command), "%s", is_flux ? flux[fst_below(&seed, 4)] : maui[fst_below(&seed, 7)]);
		for (uint32_t k = fst_below(&seed, 4); k; k--)
			command[fst_below(&seed, (uint32_t)strlen(command))] =
				letters[fst_below(&seed, sizeof(letters) - 1)];
		rc = edit(m, "u", command, &err);
		assert_true(rc == 0 || rc == FS_EUSAGE);
		if (!rc)
			fst_same_again(m);
		fs_snapshot_free(m);
	}
}

static void begins(const char *site, const char *word, bool expected)
{
	fs_snapshot *m = fst_snapshot(site);

	if (fs_command_begins(m, word) != expected) {
		print_error("%s\n", word);
		fail();
	}
	fs_snapshot_free(m);
}

static void only_the_first_words_of_commands_begin_a_command(void **state)
{
	(void)state;
	begins(FLUX, "flux", true);
	begins(FLUX, "duration=", false);
	begins(MAUI, "canceljob", true);
	begins(MAUI, "XFACTORWEIGHT", true);
	begins(MAUI, "queuetimeweight=5", true);
	begins(MAUI, "USERCFG[", true);
	begins(MAUI, "7", false);
	begins(MAUI, "", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_first_words_of_commands_begin_a_command),
		cmocka_unit_test(flux_commands_change_jobs_banks_and_queues),
		cmocka_unit_test(pending_jobs_keep_the_priorities_of_queue_and_bank),
		cmocka_unit_test(jobs_of_a_deleted_user_keep_their_fairshare),
		cmocka_unit_test(invalid_flux_commands_are_refused),
		cmocka_unit_test(a_note_names_who_may_run_a_flux_command),
		cmocka_unit_test(maui_commands_change_jobs_and_parameters),
		cmocka_unit_test(invalid_maui_commands_are_refused),
		cmocka_unit_test(a_note_names_who_may_run_a_maui_command),
		cmocka_unit_test(random_changes_of_commands_cause_no_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
