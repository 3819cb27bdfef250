/* priority/flux.c: priorities of Flux jobs, and their comparison with recorded priorities. */
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

static void the_priority_is_the_weighted_sum_of_four_terms(void **state)
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

/* Checks the queue points of job 5. `other`: name of the queue whose priority is used instead of the priority of the
 * job's own queue; "-": the priority of its own queue is used. */
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

/* With fairshare 0.25 and bank 0 the priority without a queue is 25000. */
static void the_queue_of_the_owners_last_submission_counts(void **state)
{
#define WAITS(id, queue) FLUX_PENDING(id, "'partitions':['" queue "'],'urgency':16")
#define HAS_PRIORITY(id, queue, n) FLUX_PENDING(id, "'partitions':['" queue "'],'urgency':16,'priority':" n)
	(void)state;
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") WAITS(9, "slow"), -30000, "slow");
	/* the last submission is the job with the highest id, whatever the order of the lines */
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(9, "slow") WAITS(5, "fast"), -30000, "slow");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") WAITS(4, "slow"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") REC("job", "'id':9,'state':'PENDING','account':'b','user':'v','partitions':['slow']"),
		     1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE WAITS(5, "fast") FLUX_RUNNING(9, "'urgency':16"), 0, "");
	/* the recorded priority of a job shows which queue applies to the job */
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "fast", "10025000") WAITS(9, "slow"), 1e7, "-");
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "slow", "10025000"), 1e7, "fast");
	queue_counts(FLUX_HEAD FLUX_TREE HAS_PRIORITY(5, "slow", "77"), -30000, "-");
}

/* A capture that includes ended jobs shows the last job of the association of user u in bank b. */
static void the_queue_of_an_ended_last_job_counts(void **state)
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
		/* the last submitted job of the association is job 5: it is recorded as the last job, or it was
		 * submitted after the job that is recorded */
		{ FLUX_HEAD TREE_LAST("'last_job':5,'last_queue':'fast'") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':3,'last_queue':'slow'") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* flux update has moved the last job to queue fast: the recorded queue of the association applies, not
		 * the queue of the job */
		{ FLUX_HEAD TREE_LAST("'last_job':5,'last_queue':'slow'") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		/* no ended jobs were captured, or the list of ended jobs was truncated before the user's last job */
		{ FLUX_HEAD TREE_LAST("'max_jobs':2") WAITS(5, "fast"), 1e7, "-", FS_LAST_JOB_ACTIVE },
		{ CUT TREE_LAST("'max_jobs':2") WAITS(5, "fast"), NAN, "-", FS_LAST_JOB_UNKNOWN },
		{ CUT TREE_LAST("'last_job':9,'last_queue':'slow'") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		/* the plugin has stored a queue factor for the user (queue_factor); it may differ from the priorities
		 * of all queues */
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'fast','queue_factor':-3") WAITS(5, "fast"), -30000, "slow", FS_LAST_JOB_KNOWN },
		{ CUT TREE_LAST("'queue_factor':0") WAITS(5, "fast"), 0, "", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'slow','queue_factor':8") WAITS(5, "fast"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "105000"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "77"), 80000, "-", FS_LAST_JOB_HELD },
		{ FLUX_HEAD TREE_LAST("'queue_factor':8") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* the queue whose priority applies is derived from the priority of the job */
		{ CUT TREE_LAST("'max_jobs':2") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		{ FLUX_HEAD TREE_LAST("'last_job':9,'last_queue':'slow'") HAS_PRIORITY(5, "fast", "10025000"), 1e7, "-", FS_LAST_JOB_KNOWN },
		/* no queue has a priority, or the weight of queue priorities is 0 */
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

/* The bank has priority 2.5 and weight 1000. With fairshare 0.25, the priority without queue and bank is 25000. */
static void an_earlier_priority_of_the_bank_is_found(void **state)
{
#define BANK_HEAD(weight) FLUX_HEAD FLUX_TREE "{'type':'config','weight_bank':" weight "}\n"
#define OF_BANK(queue, n) FLUX_PENDING(5, "'partitions':['" queue "'],'urgency':16,'fairshare_ppm':250000,'priority':" n)
	static const struct {
		const char *text;
		double value, priority;
		enum fs_last_job last;
	} rows[] = {
		{ BANK_HEAD("1000") OF_BANK("fast", "10027500"), 2.5, 10027500, FS_LAST_JOB_KNOWN },
		{ BANK_HEAD("1000") OF_BANK("fast", "10031000"), 6, 10031000, FS_LAST_JOB_HELD },
		{ BANK_HEAD("1000") OF_BANK("none", "24000"), -1, 24000, FS_LAST_JOB_HELD },
		/* the plugin used the queue of the owner's last job */
		{ BANK_HEAD("30000") OF_BANK("slow", "10205000") WAITS(9, "fast"), 6, 10205000, FS_LAST_JOB_HELD },
		/* both queues lead to a bank priority: 25 or 1028 */
		{ BANK_HEAD("1000") OF_BANK("slow", "10050000") WAITS(9, "fast"), 2.5, 0, FS_LAST_JOB_KNOWN },
		/* no whole number, a small weight, and a priority of 0 (which queue slow gives) */
		{ BANK_HEAD("1000") OF_BANK("fast", "10031100"), 2.5, 10027500, FS_LAST_JOB_KNOWN },
		{ BANK_HEAD("1") OF_BANK("fast", "10025006"), 2.5, 10025003, FS_LAST_JOB_KNOWN },
		{ BANK_HEAD("1000") OF_BANK("fast", "0"), 2.5, 0, FS_LAST_JOB_KNOWN },
		/* the plugin may have used another fair-share factor, because the job shows none */
		{ BANK_HEAD("1000") HAS_PRIORITY(5, "fast", "10031000"), 2.5, 10027500, FS_LAST_JOB_KNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		fs_snapshot *m = fst_snapshot(rows[i].text);
		fs_prios *p = fst_prios(m, NULL);
		struct fs_prio_inputs in;
		struct fs_prio_row row;

		fs_prios_row(p, fs_prios_find(p, 5), &row);
		fs_prios_inputs(p, fs_prios_find(p, 5), 2, &in);
		assert_same_double(row.terms[2].value, rows[i].value);
		assert_same_double(row.priority, rows[i].priority);
		assert_int_equal(in.last_job, rows[i].last);
		fs_prios_free(p);
		fs_snapshot_free(m);
	}
}

static void priorities_have_default_weights_are_rounded_and_not_negative(void **state)
{
	(void)state;
	/* fair share + queue + bank + urgency: 25000 + 10000 * 1000 + 0 * 2.5 + 1000 * 4 */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['fast'],'urgency':20")), 10029000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['slow'],'urgency':16")), 0.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16")), 25000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'partitions':['unknown'],'urgency':16")), 25000.0);
	/* a priority with the fraction 0.5 is rounded away from zero */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE "{'type':'config','weight_fairshare':2}\n" FLUX_PENDING(5, "'urgency':16")), 1.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE "{'type':'config','weight_fairshare':10}\n" FLUX_PENDING(5, "'urgency':16")), 3.0);
}

static void urgencies_0_and_31_set_the_priority_directly(void **state)
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

static void fairshare_comes_from_the_job_or_its_association(void **state)
{
	const struct fs_prios_options computed = { .view.algorithm = "flux" };
	double points[4];

	(void)state;
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16,'fairshare_ppm':142857")), 14286.0);
	assert_same_double(row_of(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'urgency':16,'fairshare_ppm':142857"), &computed, points).priority,
			   100000.0);
	/* a job without a bank uses the default bank of its user; a factor that the snapshot does not contain is
	 * computed */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','user':'u','urgency':16")), 25000.0);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','account':'b','user':'v','urgency':16")),
			   50000.0);
	/* an unknown user has no factor */
	assert_same_double(priority(FLUX_HEAD FLUX_TREE REC("job", "'id':5,'state':'PENDING','account':'b','user':'w','urgency':16")),
			   NAN);
	assert_same_double(priority(FLUX_HEAD FLUX_TREE FLUX_PENDING(5, "'nodes':1")), NAN); /* unknown urgency */
}

static void a_weight_that_is_not_a_number_is_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(FLUX_HEAD FLUX_TREE "{'type':'config','weight_bank':'much'}\n");
	struct fs_error err;
	fs_prios *p = NULL;

	(void)state;
	assert_int_equal(fs_prios_compute(&p, m, NULL, &err), FS_EDATA);
	fst_expect(&err, FS_EDATA, 9, "weight_bank", "expected a number");
	fs_snapshot_free(m);
}

static void running_jobs_are_listed_only_on_request(void **state)
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

/* Checks the number of compared values and the number of differing values, each summed over all columns. `note`: text
 * that the notes must contain. */
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

static void verification_compares_fairshare_and_priorities(void **state)
{
	(void)state;
	verify(FLUX_HEAD SHARES("0.5", "1"), 2, 0, "");
	verify(FLUX_HEAD SHARES("0.4", "1"), 2, 1, "user u in root: fairshare: listed 0.400000, computed 0.500000");
	/* user v is new, so Flux has not yet ranked this user */
	verify(FLUX_HEAD SHARES("0.5", "0.5"), 2, 0, "the value of a new user");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("10050000", "fast"), 3, 0, "");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("60000", "fast"), 3, 0, "has the factor of queue slow");
	verify(FLUX_HEAD "{'type':'config','weight_bank':1000}\n" SHARES("0.5", "1") HAS("10052000,'fairshare_ppm':500000", "fast"), 3, 0,
	       "has the factor 2 of bank root instead of its present priority 0");
	verify(FLUX_HEAD SHARES("0.5", "1") HAS("60001", "fast"), 3, 1, "priority: recorded 60001, computed 10050000");
	verify(FLUX_HEAD HAS("60000", "fast"), 0, 0, "the priority of 1 job is not compared: the snapshot does not have the factor fairshare");
}

static void each_reader_has_its_own_rows(void **state)
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
		cmocka_unit_test(the_priority_is_the_weighted_sum_of_four_terms),
		cmocka_unit_test(the_queue_of_the_owners_last_submission_counts),
		cmocka_unit_test(the_queue_of_an_ended_last_job_counts),
		cmocka_unit_test(an_earlier_priority_of_the_bank_is_found),
		cmocka_unit_test(priorities_have_default_weights_are_rounded_and_not_negative),
		cmocka_unit_test(urgencies_0_and_31_set_the_priority_directly),
		cmocka_unit_test(fairshare_comes_from_the_job_or_its_association),
		cmocka_unit_test(a_weight_that_is_not_a_number_is_refused),
		cmocka_unit_test(running_jobs_are_listed_only_on_request),
		cmocka_unit_test(verification_compares_fairshare_and_priorities),
		cmocka_unit_test(each_reader_has_its_own_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
