/* priority/flux.c and its verification */
#include "fsprio.h"

static struct fs_prio_row row_of(const char *text, const struct fs_prios_options *o, double *points)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, o);
	struct fs_prio_row row;

	assert_int_equal(fs_prios_count(p), 1);
	assert_int_equal(fs_prios_terms(p), 4);
	fs_prios_row(p, 0, &row);
	for (size_t i = 0; i < 4; i++)
		points[i] = row.terms[i].points;
	assert_string_equal(row.terms[0].name, "fairshare");
	assert_string_equal(row.terms[1].name, "queue");
	assert_string_equal(row.terms[2].name, "bank");
	assert_string_equal(row.terms[3].name, "urgency");
	fs_prios_free(p);
	fs_snapshot_free(m);
	return row;
}

static double priority(const char *text)
{
	double points[4];

	return row_of(text, NULL, points).priority;
}

static void the_sum(void **state)
{
	static const char text[] = FLUX_HEAD FLUX_TREE "{'type':'config','weight_fairshare':10,'weight_queue':2,'weight_bank':3,"
		"'weight_urgency':100}\n" FLUX_PENDING(5, "'partitions':['fast'],'urgency':18");
	double points[4];
	struct fs_prio_row row = row_of(text, NULL, points);

	(void)state;
	assert_same_double(points[0], 2.5);
	assert_same_double(points[1], 2000.0);
	assert_same_double(points[2], 7.5);
	assert_same_double(points[3], 200.0);
	assert_same_double(row.sum, 2210.0);
	assert_same_double(row.priority, 2210.0);
	assert_same_double(row.urgency, 18.0);
	assert_false(row.set_directly);
}

/* Of the row of job 5: its points for the queue, and which other queue counts; "-" its own. */
static void queue_counts(const char *text, double points, const char *other)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_inputs in;
	struct fs_prio_row row;

	(void)fs_prios_row(p, fs_prios_find(p, 5), &row);
	assert_same_double(row.terms[1].points, points);
	fs_prios_inputs(p, fs_prios_find(p, 5), 1, &in);
	assert_string_equal(in.of_qos ? in.of_qos : "-", other);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

/* fairshare 0.25 and bank 0: 25000 without a queue */
static void the_queue_that_the_owner_submitted_to_last(void **state)
{
#define WAITS(id, queue) FLUX_PENDING(id, "'partitions':['" queue "'],'urgency':16")
#define HAS_PRIORITY(id, queue, n) FLUX_PENDING(id, "'partitions':['" queue "'],'urgency':16,'priority':" n)
	(void)state;
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") WAITS(9, "slow"), -30000, "slow");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(9, "slow") WAITS(5, "fast"), -30000, "slow"); /* by id, not by place */
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") WAITS(4, "slow"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") REC("job", "'id':9,'state':'PENDING','account':'b','user':'v','partitions':['slow']"),
		     1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") FLUX_RUNNING(9, "'urgency':16"), 0, "");
	/* one that has a priority: the queue that gives it */
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "fast", "10025000") WAITS(9, "slow"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "slow", "10025000"), 1e7, "fast");
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "slow", "77"), -30000, "-");
}

/* As a capture tells it that asked for jobs that ended as well: the association of u in bank b knows his last one. */
static void the_queue_of_a_last_job_that_has_ended(void **state)
{
#define CUT "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'flux 0.88.0','hidden':['last jobs']}\n"
#define TREE_LAST(last) \
	REC("association", "'id':1,'account':'b','shares':1") \
	REC("association", "'id':2,'account':'b','user':'u','shares':1,'fairshare':0.25," last) \
	REC("partition", "'name':'fast','priority':1000") REC("partition", "'name':'slow','priority':-3")
	static const struct {
		const char *text;
		double points;
		const char *other;
		enum fs_last_job last;
	} rows[] = {
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'slow'") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':9") WAITS(5, "fast"), 0, "", FS_LAST_JOB_KNOWN },
		/* the job itself; one submitted since */
		{ FLUX_HEAD TREE_LAST("'last_job':5,'last_queue':'fast'") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':3,'last_queue':'slow'") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* moved by flux update: the association, not the job, says what counts */
		{ FLUX_HEAD TREE_LAST("'last_job':5,'last_queue':'slow'") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		/* ended jobs were not asked for; were cut off before his last one */
		{ FLUX_HEAD TREE_LAST("'max_jobs':2") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_ACTIVE },
		{ CUT TREE_LAST("'max_jobs':2") WAITS(5, "fast"), NAN, "-", FS_LAST_JOB_UNKNOWN },
		{ CUT TREE_LAST("'last_job':9,'last_queue':'slow'") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		/* the plugin was asked: a queue that has the number; none has it any more */
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'fast','queue_factor':-3") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		{ CUT TREE_LAST("'queue_factor':0") WAITS(5, "fast"), 0, "", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'slow','queue_factor':8") WAITS(5, "fast"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "105000"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "77"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* one with a priority tells by that */
		{ CUT TREE_LAST("'max_jobs':2") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'slow'") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* no queue has a priority, or it has no weight */
		{ CUT REC("association", "'id':1,'account':'b','shares':1")
			  REC("association", "'id':2,'account':'b','user':'u','shares':1,'fairshare':0.25") REC("partition", "'name':'fast','priority':0")
				  WAITS(5, "fast"), 0, "-", FS_LAST_JOB_KNOWN },
		{ CUT "{'type':'config','weight_queue':0}\n" TREE_LAST("'max_jobs':2") WAITS(5, "fast"), 0, "-", FS_LAST_JOB_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(rows[i].text);
		fs_prios *p = fst_prios(m, NULL);
		struct fs_prio_inputs in;

		fs_prios_inputs(p, fs_prios_find(p, 5), 1, &in);
		assert_int_equal(in.last_job, rows[i].last);
		fs_prios_free(p);
		fs_snapshot_free(m);
		queue_counts(rows[i].text, rows[i].points, rows[i].other);
	}
}

static void defaults_rounding_and_floor(void **state)
{
	(void)state;
	/* 25000 + 10000 * 1000 + 0 * 2.5 + 1000 * 4 */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['fast'],'urgency':20")), 10029000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['slow'],'urgency':16")), 0.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16")), 25000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['unknown'],'urgency':16")), 25000.0);
	/* half away from zero */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE "{'type':'config','weight_fairshare':2}\n" FLUX_PENDING(5, "'urgency':16")), 1.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE "{'type':'config','weight_fairshare':10}\n" FLUX_PENDING(5, "'urgency':16")), 3.0);
}

static void hold_and_expedite(void **state)
{
	double points[4];
	struct fs_prio_row row = row_of(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':0"), NULL, points);

	(void)state;
	assert_true(row.set_directly);
	assert_same_double(row.priority, 0.0);
	assert_same_double(points[0], 0.0);
	row = row_of(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':31"), NULL, points);
	assert_true(row.set_directly);
	assert_same_double(row.priority, 4294967295.0);
	assert_same_double(row.sum, 4294967295.0);
	row = row_of(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':1"), NULL, points);
	assert_same_double(row.priority, 10000.0);
}

static void whose_fairshare(void **state)
{
	const struct fs_prios_options computed = { .view.algorithm = "flux" };
	double points[4];

	(void)state;
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16,'fairshare_ppm':142857")), 14286.0);
	assert_same_double(row_of(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16,'fairshare_ppm':142857"), &computed, points).priority,
			   100000.0);
	/* the default bank of a user whose job names none; a factor that is in no table is computed */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','user':'u','urgency':16")), 25000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','account':'b','user':'v','urgency':16")),
			   50000.0);
	/* nobody knows him: no factor */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','account':'b','user':'w','urgency':16")),
			   NAN);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'nodes':1")), NAN); /* urgency unknown */
}

static void bad_weights(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE "{'type':'config','weight_bank':'much'}\n");
	struct fs_error err;
	fs_prios *p = NULL;

	(void)state;
	assert_int_equal(fs_prios_compute(&p, m, NULL, &err), FS_EDATA);
	fst_expect(&err, FS_EDATA, 9, "weight_bank", "expected a number");
	fs_snapshot_free(m);
}

static void running_when_asked(void **state)
{
	const struct fs_prios_options all = { .running = true };
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16") FLUX_RUNNING(6, "'urgency':16"));
	fs_prios *p = fst_prios(m, NULL), *q = fst_prios(m, &all);

	(void)state;
	assert_int_equal(fs_prios_count(p), 1);
	assert_int_equal(fs_prios_count(q), 2);
	fs_prios_free(p);
	fs_prios_free(q);
	fs_snapshot_free(m);
}

/* ---- verification ---- */

static char notes[2000];

static void keep_note(void *ctx, const char *sentence)
{
	(void)ctx;
	strncat(notes, sentence, sizeof(notes) - strlen(notes) - 1);
}

/* Values compared in both columns, and how many of them differ. */
static void verify(const char *text, size_t compared, size_t differ, const char *note)
{
	fs_snapshot *m = fst_snapshot(text);
	struct fs_verify_result r;
	struct fs_error err;
	size_t c = 0, d = 0;

	notes[0] = '\0';
	fst_no_error(fs_snapshot_verify(m, keep_note, NULL, &r, &err), &err);
	for (size_t i = 0; i < r.columns; i++) {
		c += r.column[i].compared;
		d += r.column[i].differ;
	}
	assert_int_equal(c, compared);
	assert_int_equal(d, differ);
	if (!strstr(notes, note))
		print_error("%s\n", notes);
	assert_non_null(strstr(notes, note));
	fs_snapshot_free(m);
}

#define SHARES(u, v) REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':3,'account':'root','user':'u','shares':1,'usage_tres_s':10,'fairshare':" u) \
	REC("association", "'id':4,'account':'root','user':'v','shares':1,'usage_tres_s':0,'fairshare':" v) \
	REC("partition", "'name':'fast','priority':1000") REC("partition", "'name':'slow','priority':1")
#define HAS(n, queue) REC("job", "'id':5,'state':'RUNNING','account':'root','user':'u','urgency':16," \
			   "'partitions':['" queue "'],'priority':" n)

static void verification(void **state)
{
	(void)state;
	verify(FLUX_HEAD SHARES("0.5", "1"), 2, 0, "");
	verify(FLUX_HEAD SHARES("0.4", "1"), 2, 1, "user u in root: fairshare: listed 0.400000, computed 0.500000");
	/* not ranked yet */
	verify(FLUX_HEAD SHARES("0.5", "0.5"), 2, 0, "the value of a new user");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("10050000", "fast"), 3, 0, "");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("60000", "fast"), 3, 0, "has the factor of queue slow");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("60001", "fast"), 3, 1, "priority: recorded 60001, computed 10050000");
	verify(FLUX_HEAD HAS("60000", "fast"), 0, 0, "the priority of 1 job is not compared: the snapshot does not have the factor fairshare");
}

static void a_reader_has_rows_of_its_own(void **state)
{
	(void)state;
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16") FLUX_PENDING(6, "'urgency':31") FLUX_PENDING(7, "'urgency':1"));
	fs_prios *p = fst_prios(m, NULL);

	fst_check_rows_apart(p);
	fs_prios_free(p);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum),
		cmocka_unit_test(the_queue_that_the_owner_submitted_to_last),
		cmocka_unit_test(the_queue_of_a_last_job_that_has_ended),
		cmocka_unit_test(defaults_rounding_and_floor),
		cmocka_unit_test(hold_and_expedite),
		cmocka_unit_test(whose_fairshare),
		cmocka_unit_test(bad_weights),
		cmocka_unit_test(running_when_asked),
		cmocka_unit_test(verification),
		cmocka_unit_test(a_reader_has_rows_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
